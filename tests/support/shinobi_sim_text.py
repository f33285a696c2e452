"""Writing simulated shinobi posts as players would: every writer has habits of brackets, dashes, case, links."""

from __future__ import annotations

import html as htmllib
import json
import random
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.support.shinobi_sim_data import STATS, Char, Fight, Part, SimPost
from tests.support.shinobi_sim_habits import BASE_TIME_FORM, CODE, OOC, PROSE, QUOTE, Habits


class Writer:
    """Writes all posts of a fight."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.rng = random.Random(fight.seed * 7 + 1)
        self.habits = {c.player: Habits(self.rng) for c in fight.chars.values()}
        self.owner = {c.player: c for c in fight.chars.values()}

    # -- pieces ----------------------------------------------------------------------------------

    def name(self, h: Habits, full: str) -> str:
        return full.split()[0] if h.first_name or self.rng.random() < 0.3 else full

    def tag(self, h: Habits, inner: str) -> str:
        """A tag in the writer's brackets and case; addresses keep their case."""
        if h.case:
            pieces = re.split(r"(\[/?url[^\]]*\]|\[/?roll[^\]]*\]|https?://[^\s)]+)", inner)
            change = str.lower if h.case == "lower" else str.upper
            inner = "".join(p if i % 2 else change(p) for i, p in enumerate(pieces))
        return f"{h.bracket[0]}{inner}{h.bracket[1]}"

    def linked(self, h: Habits, rolls: list[str], links: list[str], last: bool = True) -> tuple[str, str]:
        """(the numbers, what stands behind the tag) with the links in the writer's way."""
        joined = (
            ", ".join(rolls)
            if self.rng.random() < 0.6 or len(rolls) < 2
            else ", ".join(rolls[:-1]) + " and " + rolls[-1]
        )
        if not links:
            return joined, ""
        if self.fight.inline and self.fight.planned is None and not h.stated and self.rng.random() < 0.03:
            return " ".join(f"[url={u}]roll[/url]" for u in links), ""
        if h.inline and self.fight.planned is None and self.fight.inline:
            return self.inline(rolls, links), ""
        if h.links == "around" and len(links) == len(rolls):
            around = [
                re.sub(r"^(\d+)", lambda m, u=u: f"[url={u}]{m.group(1)}[/url]", r)
                for r, u in zip(rolls, links, strict=True)
            ]
            return ", ".join(around), ""
        if h.links in ("after", "around"):
            return joined + " " + " ".join(
                f"[url={u}]{'roll' if self.rng.random() < 0.5 else 'rolls'}[/url]" for u in links
            ), ""
        if h.links == "paren":
            return joined + " (" + " ".join(links) + ")", ""
        return joined, "\n" + " ".join(links)

    def inline(self, rolls: list[str], links: list[str]) -> str:
        """Rolls that the board itself made (G7); their records are none."""
        expression = "1d20" if any(self.fight.rolls.get(u, {}).get("expression") == "1d20" for u in links) else "1d100"
        for link in links:
            self.fight.rolls.pop(link, None)
        return ", ".join(re.sub(r"^(\d+)", lambda m: f"[roll={expression}]{m.group(1)}[/roll]", r) for r in rolls)

    def dodge(self, h: Habits, c: Char, data: dict[str, Any]) -> str:
        prefix = h.vs.format(self.name(h, data["prefix"])) if data.get("prefix") else ""
        rolls = [str(r) for r in data["rolls"]]
        if h.stated or data.get("state"):
            rolls = [f"{r} ({w})" for r, w in zip(rolls, data["words"], strict=False)] + rolls[len(data["words"]) :]
        per_hit = (
            h.per_hit
            and data.get("only")
            and not data.get("prefix")
            and len(rolls) > 1
            and len(data["links"]) in (0, len(rolls))
        )
        chances = data.get("chances") or [data["chance"]] * len(rolls)
        if not per_hit:
            numbers, behind = self.linked(h, rolls, data["links"])
            return self.tag(h, prefix + self.chance(h, c, chances[0], numbers, len(rolls))) + behind
        lines = []
        links = data["links"]
        for index, roll in enumerate(rolls):
            mine = links[index : index + 1] if h.links != "next" else []
            numbers, _ = self.linked(h, [roll], mine)
            lines.append(self.tag(h, self.chance(h, c, chances[index], numbers, 1)))
        return "\n".join(lines) + ("\n" + " ".join(links) if h.links == "next" and links else "")

    def chance(self, h: Habits, c: Char, chance: int, numbers: str, count: int) -> str:
        if h.dodge == "enemy":
            return f"Enemy Attacks have a {chance}% chance to hit; {self.name(h, c.name)} rolled a {numbers}"
        if h.dodge == "needs":
            return f"Dodge roll{'s' if count > 1 else ''} (needs over {chance}): {numbers}"
        return f"{chance}% to hit: rolled {numbers}"

    def ability(self, h: Habits, name: str, cost: dict[str, int] | None, heal: int | None, suffix: str = "") -> str:
        form = h.used
        text = name
        if form == "Used {}":
            text = f"Used {name}"
        elif form == "cost" and cost:
            ((pool, amount),) = cost.items()
            text = f"{name}; Cost: {amount} {'CHK' if pool == 'chakra' else 'STM'}"
        elif form == "gloss" and name == "Kawarimi no Jutsu":
            text = f"{name} (Body Substitute Technique)"
        if heal:
            text += f"; heals {heal} HP"
        return text + suffix

    def aim(self, h: Habits, data: dict[str, Any]) -> str:
        if not (data["several"] or self.rng.random() < 0.25):
            return ""
        name = self.name(h, data["target"])
        return {"arrow": f" -> {name}", "at": f" at {name}", "Target": f"; Target: {name}"}[h.target]

    def attack(self, h: Habits, data: dict[str, Any]) -> str:
        aim = self.aim(h, data)
        rng = self.rng
        if data.get("no_tag"):
            return self.tag(h, f"Used {data['name']}" + aim)
        lines = []
        named = True
        if data["kind"] == "technique" and (rng.random() < 0.6 or data.get("use_tag")):
            on_tag = rng.random() < 0.3
            lines.append(self.tag(h, self.ability(h, data["name"], data["cost"], None, aim if on_tag else "")))
            aim = "" if on_tag else aim
            named = rng.random() < 0.6
        lines.append(self.tag(h, self.damage(h, data, named) + aim))
        return "\n".join(lines)

    def damage(self, h: Habits, data: dict[str, Any], named: bool) -> str:
        hits, amount, what = data["hits"], data["amount"], data["what"]
        technique = data["kind"] == "technique"
        if data.get("long") and not data.get("no_long"):
            plus, minus = data["long"]
            plus, minus = data.get("long_written", (plus, minus))
            bonuses = f"+ {plus} (accuracy bonus) {h.dash} {minus} (dexterity bonus)"
            return f"{data['base']} ({what} base damage) {bonuses} = {amount} damage"
        if data.get("list") and not data.get("no_list"):
            return "Damage: " + ", ".join(
                f"{amount} {h.dash} {w}" + (f" x{n}" if n > 1 else "") for w, n in data["list"]
            )
        raised = data["kind"] == "basic" and data["base"] != 5
        form = "sum" if raised or data.get("force_sum") else h.damage
        if form == "mixed":
            form = self.rng.choice(["sum", "plain", "dash"])
        if data.get("plain") and form == "sum":
            form = "plain"
        if form == "sum" and data.get("share") is not None and not data.get("long"):
            share = data["share"]
            sign = "+" if share >= 0 else h.dash
            per = "hit" if technique else what
            tail = f" ({what})" if technique and named else ""
            mult = f", x{hits}"
            return f"Damage: {data['base']} {sign} {abs(share)} = {amount} per {per}{mult}{tail}"
        if technique and not named:
            return self.rng.choice([f"Damage: {amount} x{hits}", f"{amount} damage x {hits}"])
        if form == "dash":
            return f"Damage: {amount} {h.dash} {what}" + (f" x{hits}" if hits > 1 else "")
        return f"Damage: {amount} x{hits} ({what})"

    def part(self, h: Habits, c: Char, part: Part) -> str:
        """One part in the writer's words; empty where an optional one is left out."""
        data = part.data
        if part.kind == "answer":
            return self.answer(h, c, data)
        if part.kind == "guard":
            return self.guard(h, data)
        if part.kind == "attack":
            return self.attack(h, data)
        if part.kind == "raw":
            return str(data["text"])
        if part.kind == "technique":
            return self.tag(h, self.ability(h, data["name"], data.get("cost"), data.get("heal")))
        if part.kind == "status" and self.rng.random() < 0.2:
            return ""
        return self.tag(h, self.rng.choice(self.wordings(c, part)))

    def guard(self, h: Habits, data: dict[str, Any]) -> str:
        """A guard tag, with the attacker where it is named."""
        foe = self.rng.choice([" against {}", " (vs {})"]).format(self.name(h, data["foe"])) if data["foe"] else ""
        numbers, behind = self.linked(h, [str(data["roll"])], data["links"])
        return self.tag(h, f"Guards {self.name(h, data['mate'])}{foe}: rolled {numbers}") + behind

    def wordings(self, c: Char, part: Part) -> list[str]:
        """The ways to write the simpler tags."""
        data, name = part.data, part.data.get("name")
        first = c.name.split()[0]
        if part.kind in ("activate", "reminder"):
            verb = "Activates " if part.kind == "activate" else ""
            return [f"{verb}{name}; upkeep {cost_of(data['upkeep'])}"]
        if part.kind == "beside":
            return [f"Used {name}", f"Used {name}; Cost: {cost_of(data['cost'])}"]
        if part.kind == "item":
            gain = cost_of({data["pool"]: data["amount"]})
            return [
                f"Uses a {name}; heals {gain}",
                f"Uses {name}: +{gain}",
                f"Item: {name}; heals {gain}",
                f"Item: {name}",
            ]
        return {
            "status": [f"Status: {name}, {data.get('turns')} turns", f"Status: {name} ({data.get('turns')} turns)"],
            "dot": ["Damage over time: 3 HP (Viper Spit)"],
            "setup": [f"Setup: {data.get('text')}"],
            "deadly": ["Life & Death", "This is Life & Death now", "The spar turns into Life & Death"],
            "forfeit": ["Forfeits", "I forfeit", f"{first} forfeits", "Forfeits the battle"],
        }[part.kind]

    def answer(self, h: Habits, c: Char, data: dict[str, Any]) -> str:
        prefix = h.vs.format(self.name(h, data["prefix"])) if data.get("prefix") else ""
        if data["choice"] == "dodge":
            return self.dodge(h, c, data)
        if data["choice"] == "take":
            return self.tag(h, prefix + h.take)
        name = data["name"]
        if data["choice"] == "technique":
            cost = {"chakra": 10} if name.startswith("Kaw") else {"chakra": 7}
            return self.tag(h, prefix + self.ability(h, name, cost, None))
        return self.tag(h, f"{prefix}Used {name}")

    def loss(self, h: Habits, post: SimPost) -> str:
        assert post.loss is not None
        entries = []
        for pool, word in zip(("hp", "chakra", "stamina"), h.words, strict=True):
            if post.loss_incomplete == pool:
                continue
            value = post.loss[pool]
            sign = "+" if value > 0 else h.loss_dash
            entries.append(
                f"{word} {sign}{abs(value)}"
                if h.loss_form == "slash"
                else f"{word}:{'' if h.loss_form == 'comma' and not h.loss_bracket else ' '}{sign}{abs(value)}"
            )
        text = {"pipe": " | ", "slash": " / ", "comma": ", "}[h.loss_form].join(entries)
        if h.case == "lower":
            text = text.lower()
        bracket = h.loss_bracket
        if not bracket and h.loss_form == "slash":
            bracket = "[]"
        if len(entries) < 3 and not bracket:
            bracket = "()"
        return f"{bracket[0]}{text}{bracket[1]}" if bracket else text

    def stat_block(self, h: Habits, c: Char, post: SimPost) -> str:
        spellings = {
            "Gennin": ["Gennin", "Genin", "GENNIN"],
            "Chuunin": ["Chuunin", "Chunin"],
            "Jounin": ["Jounin", "Jonin"],
            "Sennin": ["Sennin", "Sannin", "sennin"],
        }
        rank = f"Rank: {self.rng.choice(spellings[c.rank])}"
        stats = {s: post.stat_change.get(s, c.stats[s]) for s in STATS}
        style = h.stats
        sep = {"dash": f" {h.dash} ", "blank": " "}.get(style, ": ")
        if style == "pipe":
            body = " | ".join(f"{s}: {v}" for s, v in stats.items())
        elif style == "table":
            body = "[table]" + "".join(f"[tr][td]{s}[/td][td]{v}[/td][/tr]" for s, v in stats.items()) + "[/table]"
        else:
            body = "\n".join(("- " if style == "bullet" else "") + f"{s}{sep}{v}" for s, v in stats.items())
        extra = "\n" + "\n".join(post.facts["secret_lines"]) if post.facts.get("secret_lines") else ""
        block = f"{c.name}\n{rank}\n{body}{extra}"
        return f"[spoiler=stats]\n{block}\n[/spoiler]" if style == "spoiler" else block

    def mark(self, h: Habits, phase: str, skipped: bool) -> str:
        word = f"{phase} Phase" + (" skipped" if skipped else "")
        return {
            "(": f"({word})",
            "**": f"**{word}**",
            "==": f"== {word} ==",
            ":": f"{word}:" if not skipped else word,
            "[b]": f"[b]{word}[/b]",
        }[h.marks]

    def prose(self, c: Char) -> str:
        foe = next((o.name.split()[0] for o in self.fight.chars.values() if o is not c), "nobody")
        lines = self.rng.sample(PROSE, self.rng.randrange(1, 4))
        return " ".join(line.format(me=c.name.split()[0], foe=foe) for line in lines)

    # -- posts -----------------------------------------------------------------------------------

    def text(self, post: SimPost) -> str:
        """A whole post."""
        rng = self.rng
        if post.chatter is not None:
            return post.chatter
        c, h = self.fight.chars[post.char], self.habits[post.author]
        for part in post.parts:
            if part.kind == "answer":
                part.data["only"] = len(post.facts.get("answers", [])) == 1
        blocks = [rng.choice(OOC)] if rng.random() < 0.08 else []
        if rng.random() < 0.1:
            blocks.append(QUOTE)
        if post.stats:
            blocks.append(self.stat_block(h, c, post))
        blocks.append(self.prose(c))
        for phase in post.marks_order or ["response", "setup", "main"]:
            blocks += self.phase(h, c, post, phase)
        if post.loss is not None:
            blocks.append(self.loss(h, post))
        if rng.random() < 0.05:
            blocks.append(CODE)
        if h.signature:
            blocks.append("____________________\n" + h.signature)
        return "\n\n".join(b.strip("\n") for b in blocks)

    def phase(self, h: Habits, c: Char, post: SimPost, phase: str) -> list[str]:
        """One phase with its mark, prose and tags."""
        parts = [p for p in post.parts if p.phase == phase]
        lines = [text for p in parts if (text := self.part(h, c, p))]
        skipped = phase == "main" and post.skip_mark and not lines
        if h.marks and (lines or skipped or (phase == "main" and self.rng.random() < 0.7)):
            if not lines and post.facts.get("half"):
                return []
            return [self.mark(h, phase.capitalize(), skipped) + "\n" + self.prose(c) + "\n" + "\n".join(lines)]
        if not lines:
            return []
        return [(self.prose(c) + "\n\n" if self.rng.random() < 0.5 else "") + "\n".join(lines)]


def cost_of(amounts: dict[str, int]) -> str:
    """An amount as tags write it: `4 CHK`."""
    ((pool, amount),) = amounts.items()
    return f"{amount} { {'hp': 'HP', 'chakra': 'CHK', 'stamina': 'STM'}[pool] }"


def to_html(text: str) -> str:
    """A BBCode post as a board would show it (G17)."""
    out = htmllib.escape(text, quote=False)
    out = re.sub(r"\[url=([^\]]+)\](.*?)\[/url\]", r'<a href="\1">\2</a>', out)
    out = re.sub(r"(?<![\">=])(https?://[^\s<)]+)(?![^<]*</a>)", r'<a href="\1">\1</a>', out)
    out = re.sub(r"\[b\](.*?)\[/b\]", r"<strong>\1</strong>", out)
    out = re.sub(
        r"\[quote=([^\]]+)\](.*?)\[/quote\]",
        r"<blockquote><cite>\1 wrote:</cite><div>\2</div></blockquote>",
        out,
        flags=re.S,
    )
    out = re.sub(r"\[spoiler[^\]]*\](.*?)\[/spoiler\]", r'<div class="spoiler">\1</div>', out, flags=re.S)
    out = re.sub(r"\[ooc\](.*?)\[/ooc\]", r'<div class="ooc">\1</div>', out, flags=re.S)
    out = re.sub(r"\[code\](.*?)\[/code\]", r"<pre><code>\1</code></pre>", out, flags=re.S)
    out = re.sub(r"\[roll=([^\]]+)\](.*?)\[/roll\]", r'<span class="roll" data-dice="\1">\2</span>', out)
    for name, tag in (("table", "table"), ("tr", "tr"), ("td", "td")):
        out = out.replace(f"[{name}]", f"<{tag}>").replace(f"[/{name}]", f"</{tag}>")
    return out.replace("\n", "<br>\n")


def transcript(fight: Fight) -> dict[str, Any]:
    """The fight as a transcript."""
    writer = Writer(fight)
    posts = []
    as_html = writer.rng.random() < 0.3
    for post in fight.posts:
        text = writer.text(post)
        row: dict[str, Any] = {"id": post.id, "author": post.author, "at": stamp(post.at)}
        row["html" if as_html else "text"] = to_html(text) if as_html else text
        if post.edited:
            row["edited"] = stamp(post.edited)
        if post.deleted:
            row["deleted"] = stamp(post.deleted)
        if post.facts.get("old"):
            seen, change = post.facts["old"]
            old = change(text)
            row["revisions"] = [
                {"seen": stamp(seen), ("html" if as_html else "text"): to_html(old) if as_html else old}
            ]
        posts.append(row)
    battle: dict[str, Any] = {"kind": fight.kind}
    if fight.policy:
        battle["turn_policy"] = fight.policy
    made: dict[str, Any] = {
        "schema": "referee/transcript@1",
        "ruleset": "shinobi",
        "title": f"Seed {fight.seed}",
        "battle": battle,
        "characters": [_character(c) for c in fight.chars.values()],
        "tables": fight.tables,
        "posts": posts,
        "rolls": {link: _record(row) for link, row in fight.rolls.items()},
    }
    if fight.siblings:
        made["siblings"] = [_record(row) for row in fight.siblings]
    if fight.rulings:
        made["rulings"] = fight.rulings
    return made


def stamp(moment: datetime) -> str:
    return moment.strftime(BASE_TIME_FORM)


def _record(row: dict[str, Any]) -> dict[str, Any]:
    return {
        k: (stamp(v) if isinstance(v, datetime) else [_record(e) for e in v] if k == "earlier" else v)
        for k, v in row.items()
    }


def _character(c: Char) -> dict[str, Any]:
    row: dict[str, Any] = {"name": c.name, "player": c.player, "side": c.side, "rank": c.rank}
    if c.shown_stats:
        row["stats"] = dict(c.stats)
    if c.skills:
        row["skills"] = list(c.skills)
    if c.regen:
        row["regen"] = dict(c.regen)
    if c.shown_secret:
        row["secret"] = dict(c.totals)
    return row


def save(fight: Fight, path: Path) -> Path:
    """The fight as a JSON transcript file."""
    path.write_text(json.dumps(transcript(fight), ensure_ascii=False), "utf-8")
    return path
