"""Writing simulated shinobi posts as players would: every writer has habits of brackets, dashes, case, links."""

from __future__ import annotations

import html as htmllib
import json
import random
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.support.shinobi_sim import STATS, Char, Fight, Part, SimPost

PROSE = [
    "Smoke came in low over the water, and with it the smell of tar and oranges.",
    "Old Marrow had said it best: the first blow is a question [and the second is the bill].",
    "{me} spat dust, counted teeth (all 28, thank you) and straightened up.",
    '"Twenty on the tall one!" somebody called; "Which?" called somebody else.',
    '"Chance favours the stubborn," {me} murmured; 90% of luck was showing up.',
    "There was no plan B. There had barely been a plan A [and it had been drawn on a napkin].",
    "{foe} moved like a man who had never been late for anything (or sorry for it).",
    "It was 40 paces to the gate; it felt like 400.",
    "The bridge (built in 1432, mended once) groaned under their boots.",
    "Lamplight cut the alley into 3 pieces: bright, dim, and nobody's business.",
    "She counted them again (she counted 3 of them) and looked at {foe}.",
    "Setup was for people with time.",
    "Nobody had swept the floor since the last bout [or the one before it].",
    "The guards changed at 11 (twice, that year).",
    "{me} used to be good at this.",
    "(Slowly.)",
]
OOC = [
    "((OOC: my draft said [Damage: 99 x2] but that was a joke))",
    "OOC: is (HP: -0 | Chakra: -0 | Stamina: -0) still the format? asking for a friend",
    "[ooc]if I had rolled under 20 I'd have switched characters, haha[/ooc]",
]
CODE = "[code]\n[Damage: 10 x2]\n[20% to hit: rolled 70, 17, 3]\n(HP: -9 | Chakra: -0 | Stamina: -0)\n[/code]"
SIGNATURES = [
    "HP: -999 | Patience: -0 | Coffee: +3",
    "[Damage: 100 to my sleep schedule]",
    "wins 3 - losses 11 - naps 400",
]
BASE_TIME_FORM = "%Y-%m-%dT%H:%M:%SZ"


class Habits:
    """How one writer writes."""

    def __init__(self, rng: random.Random) -> None:
        self.bracket = rng.choice(["[]", "[]", "()"])
        self.loss_bracket = rng.choice(["()", "[]", ""])
        self.loss_form = rng.choice(["pipe", "slash", "comma"])
        self.words = rng.choice([("HP", "CHK", "STM"), ("HP", "Chakra", "Stamina")])
        self.dash = rng.choice("-\u2013\u2014\u2212")
        self.loss_dash = rng.choice("-\u2013\u2014\u2212")
        self.case = rng.choice(["", "", "", "lower", "upper"])
        self.marks = rng.choice(["", "(", "**", "==", ":", "[b]"])
        self.links = rng.choice(["around", "after", "paren", "next"])
        self.damage = rng.choice(["sum", "sum", "plain", "dash", "mixed"])
        self.dodge = rng.choice(["enemy", "pct", "needs", "pct"])
        self.stated = rng.random() < 0.4
        self.per_hit = rng.random() < 0.3
        self.target = rng.choice(["arrow", "at", "Target"])
        self.used = rng.choice(["Used {}", "{}", "cost", "gloss"])
        self.first_name = rng.random() < 0.5
        self.stats = rng.choice(["colon", "dash", "blank", "pipe", "spoiler", "bullet", "table"])
        self.html = rng.random() < 0.3
        self.signature = rng.choice([None, None, *SIGNATURES])
        self.inline = rng.random() < 0.06
        self.take = rng.choice(["Takes the attack", "No roll"])
        self.vs = rng.choice(["vs {}: ", "{}'s attack: ", "vs. {}: "])


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
            return f"{data['base']} ({what} base damage) + {plus} (accuracy bonus) {h.dash} {minus} (dexterity bonus) = {amount} damage"
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
        data = part.data
        if part.kind == "answer":
            return self.answer(h, c, data)
        if part.kind == "status":
            form = self.rng.choice(
                [f"Status: {data['name']}, {data['turns']} turns", f"Status: {data['name']} ({data['turns']} turns)"]
            )
            return self.tag(h, form) if self.rng.random() < 0.8 else ""
        if part.kind == "dot":
            return self.tag(h, "Damage over time: 3 HP (Viper Spit)")
        if part.kind == "guard":
            foe = ""
            if data["foe"]:
                foe = self.rng.choice([" against {}", " (vs {})"]).format(self.name(h, data["foe"]))
            numbers, behind = self.linked(h, [str(data["roll"])], data["links"])
            return self.tag(h, f"Guards {self.name(h, data['mate'])}{foe}: rolled {numbers}") + behind
        if part.kind == "setup":
            return self.tag(h, f"Setup: {data['text']}")
        if part.kind == "activate":
            ((pool, amount),) = data["upkeep"].items()
            return self.tag(h, f"Activates {data['name']}; upkeep {amount} {'CHK' if pool == 'chakra' else 'STM'}")
        if part.kind == "reminder":
            ((pool, amount),) = data["upkeep"].items()
            return self.tag(h, f"{data['name']}; upkeep {amount} {'CHK' if pool == 'chakra' else 'STM'}")
        if part.kind == "technique":
            return self.tag(h, self.ability(h, data["name"], data.get("cost"), data.get("heal")))
        if part.kind == "beside":
            ((pool, amount),) = data["cost"].items()
            more = f"; Cost: {amount} {'CHK' if pool == 'chakra' else 'STM'}" if self.rng.random() < 0.4 else ""
            return self.tag(h, f"Used {data['name']}{more}")
        if part.kind == "item":
            word = {"hp": "HP", "chakra": "CHK", "stamina": "STM"}[data["pool"]]
            name, amount = data["name"], data["amount"]
            return self.tag(
                h,
                self.rng.choice(
                    [
                        f"Uses a {name}; heals {amount} {word}",
                        f"Uses {name}: +{amount} {word}",
                        f"Item: {name}; heals {amount} {word}",
                        f"Item: {name}",
                    ]
                ),
            )
        if part.kind == "deadly":
            return self.tag(
                h,
                self.rng.choice(
                    [
                        "Life & Death",
                        "This is Life & Death now",
                        "The spar turns into Life & Death",
                        "From here on: Life & Death",
                    ]
                ),
            )
        if part.kind == "forfeit":
            return self.tag(
                h, self.rng.choice(["Forfeits", "I forfeit", f"{c.name.split()[0]} forfeits", "Forfeits the battle"])
            )
        if part.kind == "raw":
            return str(data["text"])
        return self.attack(h, data)

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
        rng = self.rng
        if post.chatter is not None:
            return post.chatter
        c = self.fight.chars[post.char]
        h = self.habits[post.author]
        answers = [p for p in post.parts if p.kind == "answer"]
        for part in answers:
            part.data["only"] = len(post.facts.get("answers", [])) == 1
        blocks: list[str] = []
        if post.facts.get("correct_head"):
            blocks.append(post.facts["correct_head"])
        if rng.random() < 0.08:
            blocks.append(rng.choice(OOC))
        if rng.random() < 0.1:
            blocks.append("[quote=someone]\n[Damage: 50 x4 (punch)]\n(HP: -50 | Chakra: -0 | Stamina: -0)\n[/quote]")
        if post.stats:
            blocks.append(self.stat_block(h, c, post))
        blocks.append(self.prose(c))
        order = post.marks_order or ["response", "setup", "main"]
        for phase in order:
            parts = [p for p in post.parts if p.phase == phase]
            lines = [text for p in parts if (text := self.part(h, c, p))]
            skipped = phase == "main" and post.skip_mark and not lines
            marked = h.marks and (lines or skipped or (phase == "main" and rng.random() < 0.7))
            if marked and not (phase == "response" and not lines) and not (post.facts.get("half") and not lines):
                blocks.append(
                    self.mark(h, phase.capitalize(), skipped) + "\n" + self.prose(c) + "\n" + "\n".join(lines)
                )
            elif lines:
                blocks.append((self.prose(c) + "\n\n" if rng.random() < 0.5 else "") + "\n".join(lines))
        if post.loss is not None:
            blocks.append(self.loss(h, post))
        blocks += post.raw_extra
        if rng.random() < 0.05:
            blocks.append(CODE)
        if h.signature:
            blocks.append("____________________\n" + h.signature)
        return "\n\n".join(b.strip("\n") for b in blocks)

    def half(self, post: SimPost) -> bool:
        return bool(post.facts.get("half"))


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
