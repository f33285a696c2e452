"""Writes simulated battles of dolls down as transcripts, each judge with habits of their own."""

from __future__ import annotations

import html
import random
from datetime import timedelta
from typing import Any

from tests.support.angel_dolls_sim import GEAR, POWERS, Full, Head, Hp, Line, Points, Roll, Say, Side, SimPost
from tests.support.angel_dolls_sim_fight import Fight

SHORT = {
    "Strength": "STR", "Agility": "AGI", "Durability": "DUR", "Reflexes": "REF", "Magic": "MAG", "Resistance": "RES",
}  # fmt: skip
PROSE = [
    "A gull screamed. {a} didn't look up.",
    "There were five torches left. {a} counted them twice, out of habit.",
    "The first blow is a question [and the second is the bill]. {b} did not blink.",
    '"Chance favours the stubborn," {a} murmured; 90% of luck was showing up.',
    "{a} attacks like a man (late for supper) and {b} loses the thread.",
    "The old clock stopped at 11:42. It had been stopping at 11:42 for years.",
    "{b} wiped the blood from one eyebrow (she counted 3 of them) and laughed.",
    "Damage was done, said {a}, and {b} hit the floor: 2 fingers from the edge.",
    "The bridge (built in 1432, mended once) groaned -> and held.",
    "Old Marrow's spear had 12 notches / 3 owners; nobody asked.",
    "Hit or miss, thought {a}.",
    "{a}: 'You owe me 20 coins.'",
]
OOC = [
    "OOC: great post, I had to read it 2 times :)",
    "((OOC: if I had rolled under 20 I'd have switched characters, haha))",
    "[ooc]my draft said [Damage: 99 x2] but that was a joke[/ooc]",
]
SIGNATURES = [
    "wins 3 - losses 11 - naps 400",
    "HP: -999 | Patience: -0 | Coffee: +3",
    "Hit: 36 AGI + 99 = 1 vs 2 REF + 3 = 5",
]


class Writer:
    """One battle's text."""

    def __init__(self, fight: Fight, seed: int) -> None:
        r = self.r = random.Random(seed * 7 + 1)
        self.fight = fight
        self.heading = r.choice(["tag", "attacks", "arrow"])
        self.named = r.random() < 0.5
        self.stats = r.choice(["short", "long", "mixed"])
        self.minus = r.choice(["-", "\u2212", "\u2013", "\u2014"])
        self.link = r.choice(["word", "around", "bare", "board", "board", "below", "blank"])
        self.hit_label = r.choice(["always", "sometimes"])
        self.bullet = r.choice(["", "", "", "- ", "* "])
        self.upper = r.random() < 0.06
        self.html = r.random() < 0.2
        self.vs = r.choice(["vs", "vs", "vs.", "versus"])
        self.arrow = r.choice(["->", "->", "\u2192"])
        self.signature = r.choice([None, None, *SIGNATURES])
        self.bold = r.random() < 0.1
        self.rounds = r.random() < 0.6
        self.rolls: dict[str, Any] = {}
        self.siblings: list[dict[str, Any]] = []
        self.number = r.randint(100, 900)
        self.post: SimPost | None = None
        self.since = fight.posts[0].at

    def transcript(self) -> dict[str, Any]:
        posts = []
        turn = 0
        for post in self.fight.posts:
            turn += post.judge
            posts.append(self._post(post, turn))
            if post.judge and post.lines:
                self.since = post.at
        fight = self.fight
        return {
            "schema": "referee/transcript@1",
            "ruleset": "angel_dolls",
            "title": "sim",
            "link style": self.link,
            "battle": {"judge": fight.judge, "official": self.r.random() < 0.5},
            "characters": [self._sheet(name) for name in fight.dolls],
            "tables": {
                "equipment": GEAR,
                "powers": {name: {"element": element} for name, element in POWERS.items()},
                "generators": {"100": 10, "150": 5, "200": 0, "250": -5, "300": -10},
            },
            "posts": posts,
            "rolls": self.rolls,
            "siblings": self.siblings,
        }

    def _sheet(self, name: str) -> dict[str, Any]:
        doll = self.fight.dolls[name]
        sheet: dict[str, Any] = {"name": name, "player": doll.player, "side": name, "deus": doll.deus}
        sheet |= {"stats": dict(doll.own), "affinities": doll.affinities, "equipment": doll.items}
        if doll.generator:
            sheet["generator"] = doll.generator
        else:
            sheet["stats"]["HP"] = doll.top
        return sheet

    # -- posts -----------------------------------------------------------------------------------

    def _post(self, post: SimPost, turn: int) -> dict[str, Any]:
        r = self.r
        self.post = post
        parts = [self._prose() for _ in range(r.randint(1, 3))]
        if post.bare:
            return {"id": post.id, "author": post.author, "at": post.at.isoformat(), **self._body(post.extra[0])}
        if r.random() < 0.15:
            parts.insert(0, r.choice(OOC))
        body = "\n".join(self._lines(post.lines))
        if body and self.rounds and r.random() < 0.8:
            parts.append(f"Round {turn}")
        if r.random() < 0.12 and self.fight.posts.index(post) > 2:
            quoted = self.fight.posts[self.fight.posts.index(post) - 1]
            parts.insert(
                0, f"[quote={quoted.author}]\nHit: 36 AGI + 99 = 12 vs 3 REF + 3 = 6 {self.arrow} miss\n[/quote]"
            )
        text = "\n\n".join([*parts, *([body] if body else []), *post.extra])
        if self.signature and r.random() < 0.8:
            text += f"\n\n____________________\n{self.signature}"
        post.text = text
        found: dict[str, Any] = {"id": post.id, "author": post.author, "at": post.at.isoformat()}
        found |= self._body(text)
        if not post.lines and r.random() < 0.1:
            found["edited"] = (post.at + timedelta(hours=30)).isoformat()
            found["revisions"] = [
                {"seen": (post.at + timedelta(minutes=5)).isoformat(), **self._body("Another text. " + text)}
            ]
        if post.edited:
            found["edited"] = post.edited.isoformat()
        if post.deleted:
            found["deleted"] = post.deleted.isoformat()
        if post.revisions:
            found["revisions"] = post.revisions
        return found

    def _prose(self) -> str:
        names = self.r.sample(list(self.fight.dolls), 2)
        text = self.r.choice(PROSE).format(a=names[0], b=names[1])
        return f"[i]{text}[/i]" if self.r.random() < 0.1 else text

    def _body(self, text: str) -> dict[str, str]:
        return {"html": to_html(text)} if self.html else {"text": text}

    def _lines(self, lines: list[Line]) -> list[str]:
        out: list[str] = []
        for line in lines:
            if isinstance(line, Head) and out:
                out.append("")
            written = self.line(line)
            out.append(written if isinstance(line, Head) or not written else self.bullet + written)
        return [line.upper() if self.upper and "http" not in line and "[" not in line else line for line in out]

    def line(self, line: Line) -> str:
        match line:
            case Head():
                return self._head(line)
            case Roll():
                return self._roll(line)
            case Hp():
                return self._hp(line)
            case Full():
                stat = self._stat(line.stat)
                return f"{line.who}: Full Defense: {stat} {line.old} {self.arrow} {line.new}"
            case Points():
                return "Trainer Points: " + ", ".join(f"{name} {points}" for name, points in line.points)
            case Say():
                return line.text
        raise TypeError(line)

    def name(self, full: str) -> str:
        """A doll's name as this judge writes it: in full, the first word, in small letters."""
        if self.r.random() < 0.85:
            return full
        return self.r.choice([full.split()[0], full.lower(), full.split()[0].upper()])

    def _head(self, head: Head) -> str:
        attacker, defender = self.name(head.attacker), self.name(head.defender)
        pair = f"{attacker} {self.arrow} {defender}"
        text = {
            "tag": f"[Attack: {pair}, {head.means}]",
            "attacks": f"{attacker} attacks {defender} ({head.means})",
            "arrow": f"{pair}: {head.means}",
        }[self.heading]
        if head.chain:
            shown = ", ".join(f"{self._minus(amount, '')} to {where}" for amount, where in head.chain)
            return f"{text} - Chain {head.number} ({shown})"
        if head.chained and (head.number > 1 or head.show_first):
            return f"{text} - Chain {head.number}"
        return f"[b]{text}[/b]" if self.bold and self.heading != "tag" else text

    def _minus(self, value: int, gap: str = " ") -> str:
        return f"{'+' if value >= 0 else self.minus if gap else '-'}{gap}{abs(value)}"

    def _stat(self, stat: str) -> str:
        long = self.stats == "long" or (self.stats == "mixed" and self.r.random() < 0.5)
        if stat == "Durability" and self.r.random() < 0.3:
            return "Defense" if long else "DUR"
        if stat == "Magic" and long and self.r.random() < 0.5:
            return "Intelligence"
        return stat if long else SHORT[stat]

    # -- checks ----------------------------------------------------------------------------------

    def _roll(self, roll: Roll) -> str:
        if roll.word == "auto":
            return "Hit: automatic"
        label = {
            "hit": "Hit: ", "damage": "Damage: ", "disarm": "Disarm test: ", "weapon": "Weapon damage: ",
            "control": "Control test: ", "strangle": f"Strangle round {roll.round}: ",
        }[roll.kind]  # fmt: skip
        if roll.kind == "hit" and self.named and self.hit_label == "sometimes" and self.r.random() < 0.5:
            label = ""
        links: list[str] = []
        assert roll.left and roll.right
        left, right = self._side(roll.left, roll, links), self._side(roll.right, roll, links)
        between = " / " if self.named and roll.kind in ("hit", "damage", "disarm") else f" {self.vs} "
        text = f"{label}{left}{between}{right}{self._tail(roll)}"
        return text + ("\n" + " ".join(links) if links else "")

    def _tail(self, roll: Roll) -> str:
        tail = ""
        if roll.aff:
            element, own, other = roll.aff
            tail = f"; {element} {self._minus(own, '')} / {self._minus(other, '')}".replace("-", self.minus)
        if roll.result is not None:
            return f"{tail} {self.arrow} {roll.result}"
        word = roll.word or ""
        if roll.kind == "hit":
            word = self.r.choice({"hit": ["hit", "hits"], "miss": ["miss", "dodged"]}[word])
            if self.named:
                return f"{tail}, {word}"
        return f"{tail} {self.arrow} {word}"

    def _side(self, side: Side, roll: Roll, links: list[str]) -> str:
        if side.roll is None:
            return f"{side.base}"
        named = self.named and side.thing is None and side.stat is not None
        mods = "".join(f" {self._minus(value)} ({reason})" for value, reason in side.mods)
        value = side.roll if side.shown_roll is None else side.shown_roll
        number, behind = self._number(side, value, roll, links)
        shown = f"(+{number})" if named else f"+ {number}"
        if named:
            lead = f"{side.who} {self._stat(side.stat or '')} {side.base}"
        elif side.thing:
            lead = f"{side.base} ({side.thing})"
        else:
            lead = f"{side.base} {self._stat(side.stat)}" if side.stat else f"{side.base}"
        total = f"{side.total}".replace("-", self.minus)
        return f"{lead}{mods} {shown}{behind} = {total}"

    def _number(self, side: Side, value: int, roll: Roll, links: list[str]) -> tuple[str, str]:
        if not side.link:
            return f"{value}", ""
        if self.link == "board":
            return f"[roll=1d50]{value}[/roll]", ""
        url = self._record(side, value, roll)
        if self.link == "around":
            return f"[url={url}]{value}[/url]", ""
        if self.link == "bare":
            return f"{value}", f" ({url})"
        if self.link == "below":
            links.append(f"[url={url}]roll[/url]")
            return f"{value}", ""
        if self.link == "blank" and not side.record:
            return f"[url={url}]roll[/url]", ""
        return f"{value}", f" [url={url}]roll[/url]"

    def _record(self, side: Side, value: int, roll: Roll) -> str:
        r, post = self.r, self.post
        assert post is not None
        self.number += r.randint(1, 9)
        url = f"http://dice.example/r/{self.number}"
        span = min((post.at - self.since).total_seconds() - 60, 3000)
        at = post.at - timedelta(seconds=r.randint(30, max(40, int(span))))
        first = roll.left is side
        what = {"hit": ("hit", "dodge"), "damage": ("damage", "defence")}.get(roll.kind, (roll.kind, "grip"))[not first]
        record: dict[str, Any] = {
            "at": at.isoformat(), "by": self.fight.judge, "expression": "1d50", "values": [value],
            "label": f"{what} {side.who}",
        }  # fmt: skip
        record |= side.record
        if not record.pop("missing", False):
            self.rolls[url] = record
        if r.random() < 0.05:
            self._sibling(record, at)
        return url

    def _sibling(self, record: dict[str, Any], at: Any) -> None:
        self.number += 1
        spare = {**record, "link": f"http://dice.example/r/{self.number}", "values": [self.r.randint(1, 12)]}
        spare["at"] = (at + timedelta(seconds=5)).isoformat()
        if self.r.random() < 0.5:
            spare["expression"] = "1d12"
        else:
            spare["by"] = "Ysolde of Table Four"
        self.siblings.append(spare)

    def _hp(self, hp: Hp) -> str:
        if hp.thing:
            owner = f"{hp.who}'s "
            alone = sum(hp.thing in doll.items for doll in self.fight.dolls.values()) == 1
            owner = "" if alone and self.r.random() < 0.4 else owner
            return f"{owner}{hp.thing}: HP {hp.old} {self.arrow} {hp.new}"
        return f"{hp.who}: HP {hp.new}/{hp.top}" if hp.slash else f"HP: {hp.who} {hp.old} {self.arrow} {hp.new}"


def to_html(text: str) -> str:
    """The BBCode that the writer uses, as a board's HTML."""
    import re

    out = html.escape(text, quote=False)
    out = re.sub(r"\[url=([^\]]*)\](.*?)\[/url\]", r'<a href="\1">\2</a>', out)
    out = re.sub(r"\[roll=([^\]]*)\](.*?)\[/roll\]", r'<span class="roll" data-dice="\1">\2</span>', out)
    out = re.sub(
        r"\[quote=([^\]]*)\]\n?(.*?)\[/quote\]",
        r"<blockquote><cite>\1 wrote:</cite><div>\2</div></blockquote>", out, flags=re.S,
    )  # fmt: skip
    out = re.sub(r"\[i\](.*?)\[/i\]", r"<em>\1</em>", out, flags=re.S)
    out = re.sub(r"\[b\](.*?)\[/b\]", r"<strong>\1</strong>", out, flags=re.S)
    out = re.sub(r"\[ooc\](.*?)\[/ooc\]", r'<div class="ooc">\1</div>', out, flags=re.S)
    return out.replace("\n", "<br>\n")
