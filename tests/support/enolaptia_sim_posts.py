"""Simulated battles written down as posts, dice records and a transcript."""

from __future__ import annotations

from datetime import datetime, timedelta

from tests.support.enolaptia_sim_book import ABILITIES, CREATURES, MAPS
from tests.support.enolaptia_sim_text import SPECTATORS, Die, Habits, body, to_html


class Posts:
    """How a battle is posted (part of `Sim`)."""

    def _post(self, spectator: bool = False) -> None:
        rng, current = self.rng, self.current
        name = f"p{len(self.posts) + 1}"
        self.time += timedelta(minutes=rng.randint(40, 600), seconds=rng.randint(0, 59))
        post = {"id": name, "author": current.author, "at": self.time.isoformat()}
        if spectator:
            post["text"] = rng.choice(SPECTATORS)
            self.posts.append(post)
            return
        habits = self.habits[current.author]
        lines = [line.words(habits, lambda die: self._die(die, current.author, habits)) for line in current.lines]
        quoted = None
        if self.posts and rng.random() < 0.5 and "text" in self.posts[-1]:
            quoted = "\n".join(
                row
                for row in self.posts[-1]["text"].splitlines()
                if row and "[quote" not in row and "[/quote" not in row
            ).split("____")[0]
            if any(tag in quoted for tag in ("[ooc]", "[/ooc]", "[i]")):
                quoted = None
        key = "html" if self.html else "text"
        post[key] = body(rng, habits, lines, quoted, current.extra)
        post["_lines"] = lines
        post["_structure"] = current.lines
        if self.html:
            post[key] = to_html(post[key])
        if lines:
            self.last_post_of[current.author] = self.time
        self.posts.append(post)
        if self.marked is not None and self.expected is None:
            self.expected = (self.marked[0], name, self.marked[1])

    def _die(self, die: Die, author: str, habits: Habits) -> str:
        """A die as this writer proves it."""
        style = habits.links if habits.links != "mixed" else self.rng.choice(["after", "around", "bare", "inpost"])
        if style == "inpost":
            if self.html:
                return f'\0span class="roll" data-dice="1d6"\1{die.value}\0/span\1'
            return f"[roll=1d6]{die.value}[/roll]"
        self.link += self.rng.randint(1, 6)
        die.link = f"http://{die.host}/r/{self.link}"
        since = self.last_post_of.get(author) or datetime.fromisoformat(self.posts[0]["at"]) if self.posts else None
        room = 1200 if since is None else max(2, min(1200, int((self.time - since).total_seconds()) - 2))
        at = self.time - timedelta(seconds=self.rng.randint(1, room))
        unit = next(u for u in self.party if u.player == author)
        record = {
            "at": at.isoformat(),
            "by": author if habits.by_account else unit.name,
            "expression": "1d6",
            "values": [die.value],
        }
        if self.rng.random() < 0.7:
            record["label"] = die.label
        self.rolls[die.link] = record
        if self.rng.random() < 0.03:
            self._decoy(record)
        if style == "after":
            return f"{die.value} {self._anchor(die.link, 'roll')}"
        if style == "around":
            return self._anchor(die.link, str(die.value))
        return f"{die.value} ({self._anchor(die.link, die.link) if self.html else die.link})"

    def _anchor(self, link: str, words: str) -> str:
        if self.html:
            return f'\0a href="{link}"\1{words}\0/a\1'
        return f"[url={link}]{words}[/url]"

    def _decoy(self, record: dict) -> None:
        """Rolls nearby that are no fishing: of another roller or other dice."""
        other = dict(record, link=f"http://dice.example/r/9{self.link}", label=record.get("label", "damage"))
        if self.rng.random() < 0.5:
            other["by"] = "Ysolde of Table Four"
        else:
            other["expression"] = "1d12"
        self.siblings.append(other)

    def _transcript(self) -> dict:
        characters = []
        for unit in self.party:
            sheet = {
                "name": unit.name,
                "player": unit.player,
                "side": unit.side,
                "stats": {"HP": unit.top, "AT": unit.at, "Speed": unit.speed},
            }
            if unit.items:
                sheet["items"] = unit.items
            if unit is self.party[-1] and not unit.share and self.kind == "party" and len(self.party) > 1:
                sheet["present"] = False
            characters.append(sheet)
        tables = dict(ABILITIES)
        options = {"kind": self.kind} if self.kind != "party" else {"map": self.map}
        if self.kind == "party":
            tables |= {"maps": {self.map: MAPS[self.map]}, "creatures": CREATURES}
        for post in self.posts:
            if "html" in post:
                post["html"] = post["html"].replace("\0", "<").replace("\1", ">")
            if "text" in post:
                post["text"] = post["text"].replace("\0", "<").replace("\1", ">")
        return {
            "schema": "referee/transcript@1",
            "ruleset": "enolaptia",
            "title": "A simulated battle",
            "battle": options,
            "characters": characters,
            "tables": tables,
            "posts": self.posts,
            "rolls": self.rolls,
            "siblings": self.siblings,
        }
