"""Rendering of simulated battles: the habits of writers, links and rolls, decoys, edits."""

from __future__ import annotations

import html as html_module
import random
import re
from datetime import timedelta
from typing import Any

from tests.support.d20_arena_sim import Sim
from tests.support.d20_arena_sim_cast import HOST, OOC, PROSE, Habit, Hero, Item, Post, Roll


class Writer:
    """Renders the posts of one battle and registers the records of its rolls."""

    def __init__(self, sim: Sim) -> None:
        self.sim = sim
        self.rng = random.Random(sim.rng.random())
        self.previous: dict[str, Any] = {}
        self.used: list[Roll] = []

    def transcript(self) -> dict[str, Any]:
        sim = self.sim
        posts = [self.post(post) for post in sim.posts]
        data: dict[str, Any] = {
            "schema": "referee/transcript@1",
            "ruleset": "d20_arena",
            "title": "Simulated",
            "characters": [self.sheet(h) for h in (*sim.heroes, *sim.foes)],
            "tables": sim.tables,
            "posts": posts,
            "rolls": sim.rolls,
            "siblings": sim.siblings,
        }
        if sim.traps:
            data["battle"] = {"arena": "traps"}
        return data

    def sheet(self, hero: Hero) -> dict[str, Any]:
        stats = {"HP": hero.most, "DEF": hero.defense}
        if hero.side == "enemies":
            stats["ATK"] = hero.atk
        if hero.res:
            stats["RES"] = hero.res
        row: dict[str, Any] = {
            "name": hero.name,
            "player": hero.player,
            "side": hero.side,
            "stats": stats,
            "abilities": hero.abilities,
        }
        if hero.kinds:
            row["resistances"] = hero.kinds
        if hero.start_binds:
            row["binds"] = hero.start_binds
        return row

    # -- posts -------------------------------------------------------------------------------------

    def post(self, post: Post) -> dict[str, Any]:
        habit = self.sim.habits.get(post.author) or next(iter(self.sim.habits.values()))
        row: dict[str, Any] = {"id": post.id, "author": post.author, "at": post.at.isoformat()}
        text = post.plain if post.plain is not None else self.body(post, post.items, habit)
        key = "html" if habit.html and post.plain is None else "text"
        row[key] = text
        if post.edited:
            row["edited"] = post.edited.isoformat()
        if post.deleted:
            row["deleted"] = post.deleted.isoformat()
        if post.before:
            row["revisions"] = [
                {"seen": post.seen.isoformat(), key: self.body(post, items, habit)} for items in post.before
            ]
        elif (
            post.plain is None and self.rng.random() < 0.06 and post.items and key == "text" and not self.spoiled(post)
        ):
            seen = post.at + timedelta(minutes=1)
            row["revisions"] = [{"seen": seen.isoformat(), "text": text.replace("The ", "A ", 1) + "\n\nMore to come."}]
            row["edited"] = (post.at + timedelta(hours=self.rng.choice((0, 30)), minutes=15)).isoformat()
        if post.plain is None:
            self.previous[post.author] = post.at
        return row

    def spoiled(self, post: Post) -> bool:
        """Whether a roll of the post has a planted fault, which an edit time could excuse."""
        return any(isinstance(v, Roll) and v.plant for item in post.items for v in item.data.values())

    def body(self, post: Post, items: list[Item], habit: Habit) -> str:
        rng = self.rng
        lines: list[str] = []
        if rng.random() < 0.2:
            lines += [self.quote(post, habit), ""]
        if rng.random() < 0.12:
            remark = rng.choice(OOC)
            lines += [rng.choice((f"OOC: {remark}", f"((OOC: {remark}))", self.ooc(remark, habit))), ""]
        lines += [self.prose(post, rng.randint(1, 3)), ""]
        for item in items:
            lines += self.item(post, item, habit)
        if rng.random() < 0.3:
            lines += ["", self.prose(post, 1)]
        if habit.signature:
            lines += ["", "_" * rng.choice((10, 20, 30)), habit.signature]
        return self.finish("\n".join(lines) + "\n", habit)

    def finish(self, text: str, habit: Habit) -> str:
        """BBCode as it stands, or as HTML."""
        if not habit.html:
            return text
        text = html_module.escape(text, quote=False)
        text = re.sub(r"\[url=([^\]]*)\](.*?)\[/url\]", r'<a href="\1">\2</a>', text)
        text = re.sub(r"(?<![\">])(http://[^\s)<]+)", r'<a href="\1">\1</a>', text)
        text = re.sub(r"\[roll=([^\]]*)\](.*?)\[/roll\]", r'<span class="roll" data-dice="\1">\2</span>', text)
        text = re.sub(r"\[b\](.*?)\[/b\]", r"<strong>\1</strong>", text)
        text = re.sub(r"\[ooc\](.*?)\[/ooc\]", r'<div class="ooc">\1</div>', text)
        text = re.sub(
            r"\[quote=([^\]]*)\](.*?)\[/quote\]",
            r"<blockquote><cite>\1 wrote:</cite><div>\2</div></blockquote>",
            text,
            flags=re.DOTALL,
        )
        return text.replace("\n", "<br>\n")

    def ooc(self, remark: str, habit: Habit) -> str:
        return f"[ooc]{remark}[/ooc]" if "[" not in remark or not habit.html else f"OOC: {remark}"

    def quote(self, post: Post, habit: Habit) -> str:
        author = self.rng.choice([*self.sim.habits])
        line = self.rng.choice(
            (
                "[Action: Volt Lash -> Golem 1: 1d20+4 = 19 [url=http://dice.example/r/1]roll[/url] vs DEF 15, hit]",
                "HP: 1/40",
                "[Move: standing still]",
                "Golem 1: HP 27, DEF 15, ATK +5, RES 1",
                "[Struggle (arms): 1d20 = 20, level 4 -> 0]",
            )
        )
        del post
        return f"[quote={author}]\nHe said:\n{line}\n[/quote]" if not habit.html else f"[quote={author}]{line}[/quote]"

    def prose(self, post: Post, count: int) -> str:
        names = {"a": self.sim.heroes[0].name, "b": self.sim.foes[0].name}
        if post.who:
            names["a"] = post.who.name
        return " ".join(line.format(**names) for line in self.rng.sample(PROSE, count))

    # -- items -------------------------------------------------------------------------------------

    def item(self, post: Post, item: Item, habit: Habit) -> list[str]:
        data = item.data
        if item.kind in ("line", "raw"):
            return [data["text"]]
        if item.kind == "sheet":
            return [self.sheet_line(data["foe"], habit)]
        if item.kind == "own-hp":
            return [
                f"{habit.bullet}HP: {data['hp']}/{data['most']}"
                + (f", DEF {data['def']}" if data["def"] is not None else ""),
                "",
            ]
        if item.kind in ("hp", "table"):
            out = " (out)" if item.kind == "table" and data["hp"] == 0 else ""
            bullet = habit.bullet if item.kind == "table" else ""
            return [f"{bullet}{data['who'].name}: {data['hp']}/{data['most']} HP{out}"]
        if item.kind == "strike" and self.loose(post, data, habit):
            return [*self.loose_lines(post, data, habit), ""]
        return [self.tag(self.words(post, item, habit), habit), ""]

    def sheet_line(self, foe: Hero, habit: Habit) -> str:
        parts = [f"HP {foe.most}", f"DEF {foe.defense}", f"ATK +{foe.atk}"]
        kinds = ", ".join(f"{kind} {n}" for kind, n in foe.kinds.items())
        if foe.res or kinds:
            parts.append(f"RES {foe.res}" + (f" ({kinds})" if kinds else ""))
        return f"{habit.bullet}{foe.name}: " + ", ".join(parts)

    def tag(self, words: str, habit: Habit) -> str:
        text = f"{habit.bracket[0]}{words}{habit.bracket[1]}"
        if habit.bold and not habit.html:
            head, _, rest = text.partition(":")
            text = f"{head[0]}[b]{head[1:]}:[/b]{rest}"
        return habit.bullet + self.cased(text, habit)

    def cased(self, text: str, habit: Habit) -> str:
        if habit.case == "plain":
            return text
        parts = re.split(r"(\[/?(?:url|roll|b)\b[^\]]*\]|http://[^\s)\]]+)", text)
        change = str.lower if habit.case == "lower" else str.upper
        return "".join(p if i % 2 else change(p) for i, p in enumerate(parts))

    def words(self, post: Post, item: Item, habit: Habit) -> str:
        data = item.data
        if item.kind == "announce":
            return f"Announce: {data['text']}"
        if item.kind == "move":
            return f"Move: {data['text']}"
        if item.kind == "action-none":
            return f"Action: {data['text']}"
        if item.kind == "use":
            return f"Action: {data['name']}"
        if item.kind == "trap":
            said = f", {data['said']}{self.rng.choice(('', '!'))}" if data["said"] else ""
            return f"Trap: {self.die(post, data['roll'], habit)}{said}"
        if item.kind == "mend":
            read = self.sum(post, [data["roll"]], [2], data["total"], habit, show=not habit.compact)
            return f"Action: Mend {habit.arrow} {data['target'].name}: heals {read}"
        if item.kind == "shield":
            word = self.rng.choice(("Defense", "DEF"))
            return f"Reaction: {data['who'].name}: Side Step, {word} {data['before']} + 3 = {data['after']}"
        if item.kind == "brace":
            return f"Reaction: {data['who'].name}: Brace, damage {data['before']} - 3 = {data['after']}"
        if item.kind == "escape":
            return self.escape(post, data, habit)
        return self.strike(post, data, habit)

    def escape(self, post: Post, data: dict[str, Any], habit: Habit) -> str:
        level = f"level {data['old']} -> {data['new']}"
        if data["spare"]:
            level += f"; spare: {data['spare'][0]} {data['spare'][1]} -> {data['spare'][2]}"
        if data["bonuses"] is not None:
            bonuses = [n for n in data["bonuses"] if n]
            read = self.sum(post, [data["roll"]], bonuses, data["total"], habit, show=not habit.compact)
            return f"Help: {data['bound'].name} ({data['area']}): {read}, {level}"
        die = self.die(post, data["roll"], habit)
        if data["actor"].side == "enemies":
            return f"Struggle: {data['actor'].name} ({data['area']}): {die}, {level}"
        return f"Struggle ({data['area']}): {die}, {level}"

    def loose(self, post: Post, data: dict[str, Any], habit: Habit) -> bool:
        strikes = [i for i in post.items if i.kind == "strike"]
        return habit.loose and not data["foe"] and len(strikes) == 1 and not data.get("both")

    def outcome(self, data: dict[str, Any]) -> str:
        rng = self.rng
        if data.get("phrase"):
            return str(data["phrase"])
        return {
            "hit": lambda: rng.choice(("hit", "Hit!")),
            "miss": lambda: rng.choice(("miss", "Miss.")),
            "critical hit": lambda: rng.choice(("natural 20, critical hit", "Natural 20! Critical")),
            "critical fail": lambda: rng.choice(("natural 1, critical fail", "Nat 1 - critical fail")),
        }[data["outcome"]]()

    def strike(self, post: Post, data: dict[str, Any], habit: Habit) -> str:
        head = "Free attack: " if data["free"] else "Action: "
        actor = f"{data['actor'].name}: " if data["foe"] else ""
        target = data["target"].name
        defense = str(data["defense"])
        each = ""
        if data.get("both"):
            target, defense, each = data["both"]
        hit = self.sum(post, [data["roll"]], data["bonuses"], data["total"], habit, show=not habit.compact)
        text = (
            f"{head}{actor}{data['name']} {habit.arrow} {target}: {hit} {habit.versus} {defense}, {self.outcome(data)}"
        )
        if each:
            text += " both"
        return text + "".join(f"; {part}" for part in self.parts(post, data, habit)) + each

    def parts(self, post: Post, data: dict[str, Any], habit: Habit) -> list[str]:
        found = []
        if data.get("dice") is not None:
            text = f"damage {self.damage(post, data, habit)}"
            if data["itself"]:
                text += f" to {data['actor'].name} itself"
            found.append(text)
        if "area" in data:
            if data["levels"] is not None:
                found.append(f"binding {self.binding(post, data['levels'], habit)}")
            if data["save"]:
                found.append(f"save {self.save(post, data, habit)}")
            if data.get("no_save"):
                found.append("no save")
            if not data.get("silent"):
                found.append(self.level(data, habit, "bind level", "Bind level:"))
        return found

    def loose_lines(self, post: Post, data: dict[str, Any], habit: Habit) -> list[str]:
        hit = self.sum(post, [data["roll"]], data["bonuses"], data["total"], habit, show=not habit.compact)
        lines = [f"To hit: {hit} {habit.versus} {data['defense']} - {self.outcome(data)}"]
        if data.get("dice") is not None:
            lines.append(f"Damage: {self.damage(post, data, habit)}")
        if "area" in data:
            if data["levels"] is not None:
                lines.append(f"Binding: {self.binding(post, data['levels'], habit)}")
            if data["save"]:
                lines.append(f"Save: {self.save(post, data, habit)}")
            if not data.get("silent"):
                lines.append(self.level(data, habit, "Bind level:", "Bind level:"))
        return [habit.bullet + self.cased(line, habit) for line in lines]

    def level(self, data: dict[str, Any], habit: Habit, arrowed: str, plain: str) -> str:
        spill = data["spill"]
        if habit.arrow_levels:
            text = f"{arrowed} {data['old']} -> {data['new']} ({data['area']})"
            return text + (f", spill-over {spill[0]} {spill[1]} -> {spill[2]}" if spill else "")
        return f"{plain} {data['new']} ({data['area']})" + (f", spill-over {spill[0]} {spill[2]}" if spill else "")

    def save(self, post: Post, data: dict[str, Any], habit: Habit) -> str:
        save = data["save"]
        said = "resisted" if save["resisted"] else "failed"
        return f"{self.die(post, save['roll'], habit)} vs {save['against']}, {said}"

    def damage(self, post: Post, data: dict[str, Any], habit: Habit) -> str:
        rolls = [data["dice"]] + ([data["crit"]] if data["crit"] else [])
        bonuses = [data["bonus"]] if data["bonus"] else []
        return self.sum(post, rolls, bonuses, data["damage"], habit, show=not habit.compact, crit=bool(data["crit"]))

    def binding(self, post: Post, roll: Roll, habit: Habit) -> str:
        style = self.style(roll, habit)
        if style == "around":
            return f"{roll.expr} [{self.link(post, roll, str(roll.values[0]))}]"
        if style == "roll":
            return f"{roll.expr} [[roll={roll.expr}]{roll.values[0]}[/roll]]"
        return f"{roll.expr} [{roll.values[0]}]{self.trail(post, [roll], style)}"

    def die(self, post: Post, roll: Roll, habit: Habit) -> str:
        style = self.style(roll, habit)
        value = str(roll.values[0])
        if style == "around":
            return f"{roll.expr} = {self.link(post, roll, value)}"
        if style == "roll":
            return f"{roll.expr} = [roll={roll.expr}]{value}[/roll]"
        return f"{roll.expr} = {value}{self.trail(post, [roll], style)}"

    def sum(
        self,
        post: Post,
        rolls: list[Roll],
        bonuses: list[int],
        total: int,
        habit: Habit,
        show: bool,
        crit: bool = False,
    ) -> str:
        style = self.style(rolls[0], habit)
        if any(r.plant == "values" for r in rolls):
            show = True
        if not show:
            text = "+".join([rolls[0].expr, *(f"{n}" for n in bonuses), *(r.expr for r in rolls[1:])]).replace(
                "+-", "-"
            )
            return f"{text} = {total}{self.trail(post, rolls, style)}"
        open_, close = ("(", ")") if rolls[0].expr == "1d20" else ("[", "]")
        groups, after = [], []
        for roll in rolls:
            if style == "around":
                shown = self.around(post, roll)
            elif style == "roll":
                shown = self.in_post(roll)
            else:
                shown = ", ".join(map(str, roll.values))
                after.append(roll)
            groups.append(f"{roll.expr} {open_}{shown}{close}")
        middle = "".join(f" {'+' if n > 0 else '-'} {abs(n)}" for n in bonuses)
        text = groups[0] + middle + "".join(f" + {'crit ' if crit else ''}{g}" for g in groups[1:])
        return f"{text} = {total}{self.trail(post, after, style) if after else ''}"

    # -- links -------------------------------------------------------------------------------------

    def style(self, roll: Roll, habit: Habit) -> str:
        if roll.style is None:
            roll.style = habit.links if habit.links != "mixed" else self.rng.choice(("word", "bare", "around", "roll"))
        style = roll.style
        if roll.plant and style == "roll":
            style = "word"
        return style

    def around(self, post: Post, roll: Roll) -> str:
        if len(roll.values) > 1 and not roll.plant:
            parts = self.parts_of(roll)
            return ", ".join(self.link(post, part, str(part.values[0])) for part in parts)
        if len(roll.values) > 1:
            return ", ".join(map(str, roll.values[:-1])) + ", " + self.link(post, roll, str(roll.values[-1]))
        return self.link(post, roll, str(roll.values[0]))

    def parts_of(self, roll: Roll) -> list[Roll]:
        """One record a die, the same at every rendering."""
        if roll.parts is None:
            roll.parts = [Roll(f"1d{roll.expr.split('d')[1]}", [v], roll.label) for v in roll.values]
        return roll.parts

    def in_post(self, roll: Roll) -> str:
        if len(roll.values) > 1 and sum(roll.values) % 2:
            die = roll.expr.split("d")[1]
            return ", ".join(f"[roll=1d{die}]{v}[/roll]" for v in roll.values)
        return f"[roll={roll.expr}]{', '.join(map(str, roll.values))}[/roll]"

    def trail(self, post: Post, rolls: list[Roll], style: str) -> str:
        if style == "roll":
            return "".join(f" {self.in_post(r)}" if len(r.values) == 1 else self.split_rolls(r) for r in rolls)
        texts = []
        for roll in rolls:
            parts = [roll]
            if len(roll.values) > 1 and not roll.plant and (roll.parts or (not roll.link and self.rng.random() < 0.5)):
                parts = self.parts_of(roll)
            if style == "bare":
                texts.append(
                    " (" + " ".join(self.address(post, p) for p in parts if p.plant != "no-link") + ")"
                    if any(p.plant != "no-link" for p in parts)
                    else ""
                )
            else:
                texts.append("".join(f" {self.link(post, p, 'roll')}" for p in parts))
        return "".join(texts)

    def split_rolls(self, roll: Roll) -> str:
        die = roll.expr.split("d")[1]
        if sum(roll.values) % 2:
            return f" [roll={roll.expr}]{', '.join(map(str, roll.values))}[/roll]"
        return "".join(f" [roll=1d{die}]{v}[/roll]" for v in roll.values)

    def link(self, post: Post, roll: Roll, words: str) -> str:
        if roll.plant == "no-link":
            return "" if words == "roll" else words
        return f"[url={self.address(post, roll)}]{words}[/url]"

    def address(self, post: Post, roll: Roll) -> str:
        """The link of a roll; its record is written where it belongs."""
        if roll.link:
            return roll.link
        if roll.twin is not None:
            return str(roll.twin.link)
        sim, rng = self.sim, self.rng
        sim.next_link += rng.randint(1, 12)
        roll.link = f"{roll.host}{sim.next_link}"
        self.used.append(roll)
        since = self.previous.get(post.author) or sim.posts[0].at
        late = post.at - timedelta(seconds=rng.randint(30, 1200))
        at = max(late, since + timedelta(seconds=5))
        habit = sim.habits.get(post.author)
        by = post.author
        if habit and habit.by != "account" and (habit.by == "name" or rng.random() < 0.5):
            by = post.who.name if post.who else rng.choice(sim.foes).name
        record: dict[str, Any] = {"at": at.isoformat(), "by": by, "expression": roll.expr, "values": list(roll.values)}
        if rng.random() < 0.7 or roll.plant == "fished":
            record["label"] = roll.label
        self.spoil(post, roll, record, since)
        if rng.random() < 0.1:
            other = {**record, "by": "Ysolde of Table Four", "values": [1]}
            sim.siblings.append({"link": f"{HOST}{sim.next_link}9", **other})
        return roll.link

    def spoil(self, post: Post, roll: Roll, record: dict[str, Any], since: Any) -> None:
        """Write the record, with the fault that a planter wants."""
        sim, rng, plant = self.sim, self.rng, roll.plant
        sides = int(roll.expr.split("d")[1])
        if plant in ("not-found", "unknown-service"):
            return
        if plant == "unreachable":
            record = {"unreachable": True}
        elif plant == "values":
            record["values"] = [v % sides + 1 if i == 0 else v for i, v in enumerate(roll.values)]
        elif plant == "expression":
            record["expression"] = f"{len(roll.values)}d100"
        elif plant == "roller":
            record["by"] = "Somebody Else"
        elif plant == "too-early":
            record["at"] = (since - timedelta(minutes=rng.randint(5, 60))).isoformat()
        elif plant == "too-late":
            record["at"] = (post.at + timedelta(minutes=rng.randint(5, 60))).isoformat()
        elif plant == "altered":
            old = [v % sides + 1 for v in roll.values]
            record["earlier"] = [{"seen": record["at"], "at": record["at"], "expression": roll.expr, "values": old}]
        elif plant == "fished":
            middle = since + (post.at - since) / 2
            spare = {**record, "at": middle.isoformat(), "values": [v % sides + 1 for v in roll.values]}
            sim.siblings.append({"link": f"{HOST}{sim.next_link}7", **spare})
        sim.rolls[str(roll.link)] = record


def render(sim: Sim) -> dict[str, Any]:
    """The transcript of a played battle."""
    return Writer(sim).transcript()
