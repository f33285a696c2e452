"""The timeline: posts in thread order as entries, corrections put where they belong (G21, G25, X1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.engine.script import scripts_of
from referee.model.battle import Battle, Post
from referee.model.claims import Claim, Reading
from referee.model.text import Script
from referee.ports.rules import Entry, Ruleset, Sheets

_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PostRead:
    """A post with its readings, oldest revision first; `mine`: its author takes part in the battle."""

    post: Post
    scripts: tuple[Script, ...]
    readings: tuple[Reading, ...]
    mine: bool
    correction: bool

    @property
    def reading(self) -> Reading:
        """The reading of the present text."""
        return self.readings[-1]


def read_posts(battle: Battle, ruleset: Ruleset, sheets: Sheets) -> tuple[PostRead, ...]:
    """Every revision of every post, read by the ruleset."""
    return tuple(_read_post(post, ruleset, sheets) for post in battle.posts)


def _read_post(post: Post, ruleset: Ruleset, sheets: Sheets) -> PostRead:
    scripts = tuple(scripts_of(revision.blocks) for revision in post.revisions)
    readings = tuple(ruleset.read(script, post.author, sheets) for script in scripts)
    mine = bool(sheets.of_player(post.author)) or post.author.casefold() in sheets.judges
    correction = bool(_CORRECTION.match(scripts[-1].text)) and bool(readings[-1].claims)
    return PostRead(post, scripts, readings, mine, correction)


def entries_of(
    posts: tuple[PostRead, ...], ruleset: Ruleset, edits: Mapping[str, Mapping[int, Claim]]
) -> tuple[Entry, ...]:
    """The entries that a ruleset judges: no strangers, in-time corrections worked in (G25)."""
    entries: list[Entry] = []
    for index, read in enumerate(posts):
        if not read.mine:
            continue
        if read.correction:
            target = _corrected(entries, read)
            if target is not None:
                _apply(entries, target, read, posts, ruleset, index)
                continue
        kind = "chatter" if read.reading.chatter else "turn"
        entries.append(Entry(index, read.post, read.reading, kind, edits.get(read.post.id, {})))
    return tuple(entries)


def _corrected(entries: list[Entry], read: PostRead) -> int | None:
    """The place in `entries` of the author's last turn, which a correction is about."""
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].kind == "turn" and entries[place].post.author == read.post.author:
            return place
    return None


def _apply(
    entries: list[Entry], target: int, read: PostRead, posts: tuple[PostRead, ...], ruleset: Ruleset, index: int
) -> None:
    """Work an in-time correction into its turn, or append a late one."""
    corrected = entries[target]
    between = posts[corrected.index + 1 : index]
    late = any(other.mine and other.post.author != read.post.author for other in between)
    if late:
        entries.append(Entry(index, read.post, read.reading, "correction", amends=target))
    else:
        entries[target] = replace(corrected, reading=ruleset.amend(corrected.reading, read.reading))
