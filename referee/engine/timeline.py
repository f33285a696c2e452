"""The timeline: posts in thread order as entries, corrections put where they belong (G21, G25, X1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.engine.script import scripts_of
from referee.model.battle import Battle, Post, Revision
from referee.model.claims import Claim, Reading, Unread
from referee.model.records import filled_directly
from referee.model.text import Script
from referee.ports.rules import Entry, Ruleset, Sheets

#: How a reader of bodies marks a quote or code block that has no end.
UNCLOSED = "unclosed"

#: An empty line.
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:", re.IGNORECASE)


@filled_directly
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


@dataclass(frozen=True, slots=True)
class LateEdit:
    """What an edit after somebody else's post changed (G20): see `Entry.before`, `added` and `gone`."""

    before: Mapping[int, Claim]
    added: frozenset[int]
    gone: tuple[Claim, ...]


_NO_EDIT = LateEdit({}, frozenset(), ())


def read_posts(battle: Battle, ruleset: Ruleset, sheets: Sheets) -> tuple[PostRead, ...]:
    """Every revision of every post, read by the ruleset."""
    return tuple(_read_post(post, ruleset, sheets) for post in battle.posts)


def _read_post(post: Post, ruleset: Ruleset, sheets: Sheets) -> PostRead:
    scripts: list[Script] = []
    readings: list[Reading] = []
    for revision in post.revisions:
        script = scripts_of(revision.blocks)
        scripts.append(script)
        readings.append(_with_unclosed(ruleset.read(script, post.author, sheets), revision))
    mine = bool(sheets.of_player(post.author)) or post.author.casefold() in sheets.judges
    correction = _is_correction(scripts[-1], readings[-1])
    return PostRead(post, tuple(scripts), tuple(readings), mine, correction)


def _is_correction(script: Script, reading: Reading) -> bool:
    """Whether a post begins as a correction and holds no other claims (G25).

    Its claims stand in the paragraph that begins so, on two lines at the most: a whole turn below a
    remark such as `Edit: typo` is a turn.
    """
    begun = _CORRECTION.match(script.text)
    if begun is None or not reading.claims:
        return False
    end = _PARAGRAPH.search(script.text, _first_word(script.text, begun.end()))
    places = [claim.span[0] for claim in reading.claims]
    if end is not None and max(places) >= end.start():
        return False
    return len({script.text.count("\n", 0, place) for place in places}) <= 2


def _first_word(text: str, place: int) -> int:
    """The place of the first character that is no blank."""
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _with_unclosed(reading: Reading, revision: Revision) -> Reading:
    """Say so where a quote or code block without an end has taken the rest of a post."""
    for block in revision.blocks:
        if block.title == UNCLOSED:
            words = " ".join(block.text.split())[:120]
            reason = f"stands in a {block.kind} that is never closed, so it is nobody's claim"
            return replace(reading, unread=(*reading.unread, Unread(words, reason=reason, hides=True)))
    return reading


def entries_of(posts: tuple[PostRead, ...], ruleset: Ruleset, edits: Mapping[str, LateEdit]) -> tuple[Entry, ...]:
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
        edit = edits.get(read.post.id, _NO_EDIT)
        entries.append(Entry(index, read.post, read.reading, kind, edit.before, added=edit.added, gone=edit.gone))
    return tuple(entries)


def _corrected(entries: list[Entry], read: PostRead) -> int | None:
    """The place in `entries` of the author's last turn, which a correction is about."""
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].kind == "turn" and entries[place].post.author.casefold() == read.post.author.casefold():
            return place
    return None


def _apply(
    entries: list[Entry], target: int, read: PostRead, posts: tuple[PostRead, ...], ruleset: Ruleset, index: int
) -> None:
    """Work an in-time correction into its turn, or append a late one."""
    corrected = entries[target]
    between = posts[corrected.index + 1 : index]
    late = any(other.mine and other.post.author.casefold() != read.post.author.casefold() for other in between)
    if late:
        entries.append(Entry(index, read.post, read.reading, "correction", amends=target))
    else:
        entries[target] = replace(corrected, reading=ruleset.amend(corrected.reading, read.reading))
