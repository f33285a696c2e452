"""A finding that is about to be written, and the ways to look for words that would explain it.

What each code asks for is in `told.py`. What is told stays no claim (docs/decisions/0006 and 0008).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from referee.model.claims import Claim
from referee.ports.rules import Entry
from referee.ports.telling import Told, letters, plain
from rules.d20_arena.judging.state import Turn
from rules.d20_arena.judging.topics import LABELLED, SIGNED
from rules.d20_arena.records import Reaction, Strike

#: Damage, healing and free attacks are told in the post itself or in one of so many before it.
NEAR = 6
#: So much of a spoiler is looked at, in lines no longer than this.
_MOST_HIDDEN, _LONGEST = 8_000, 600
_DICE = re.compile(r"\b\d{0,2}d\d{1,3}\b", re.IGNORECASE)


class Doubt(NamedTuple):
    """A finding that is about to be written: its post, claim, whom it is about, and the numbers."""

    turn: Turn
    claim: Claim | None
    character: str | None
    claimed: Any
    expected: tuple[int, ...]

    @property
    def steps(self) -> frozenset[int]:
        """By how much the number differs from each of the right ones, signed."""
        return frozenset(self.claimed - due for due in self.expected) if isinstance(self.claimed, int) else frozenset()

    @property
    def sizes(self) -> frozenset[int]:
        """The same without their signs."""
        return frozenset(map(abs, self.steps))

    @property
    def targets(self) -> tuple[str, ...]:
        """Whom the claim is aimed at."""
        data = self.claim.data if self.claim is not None else None
        if isinstance(data, Strike):
            named = data.targets or tuple(t for said in self.turn.announced for t in said.targets)
            return tuple(name for name in named if name in self.turn.arena.fighters)
        return ()

    def find(self, what: re.Pattern[str], who: Iterable[str] = (), **more: Any) -> Told | None:
        """The nearest sentence on a topic."""
        return self.turn.arena.telling.tells(self.turn.entry, what, who, **more)


def labelled(doubt: Doubt) -> str | None:
    """An addend of the tag that says what it is for."""
    quote = doubt.claim.quote if doubt.claim is not None else ""
    for found in LABELLED.finditer(quote[:1000]):
        if int(found["n"]) in doubt.sizes and doubt.turn.arena.names.fighters.find(found["label"]) is None:
            return f"the tag adds {found['sign']}{found['n']} for {found['label'].strip()}, which no sheet or table has"
    return None


def signed_words(doubt: Doubt, what: re.Pattern[str], who: Iterable[str], back: int) -> Told | None:
    """A sentence on a topic with the difference as a signed number: `+2 Defense`, or behind `by` or `of`."""
    persons = tuple(who)
    for told in doubt.turn.arena.telling.sentences(doubt.turn.entry, back, what):
        near = {int(found["n"]) for found in SIGNED.finditer(told.words)}
        if not near.isdisjoint(doubt.sizes) and (
            not persons or any(names_somebody(doubt, told.words, p) for p in persons)
        ):
            return told
    return None


def names_somebody(doubt: Doubt, words: str, name: str) -> bool:
    """Whether words name a fighter, or nobody at all."""
    telling = doubt.turn.arena.telling
    return telling.names(words, name) or not any(telling.names(words, other) for other in doubt.turn.arena.fighters)


def by_ability(doubt: Doubt, keys: tuple[str, ...]) -> Told | None:
    """A Reaction Ability named in words: `Vesna side-steps (+3)`."""
    due = _reactions(doubt, keys)
    for told in doubt.turn.arena.telling.sentences(doubt.turn.entry):
        if any(name in letters(told.words) for name in due):
            return told
    return None


def by_tag(doubt: Doubt, key: str) -> str | None:
    """A Reaction Ability in another tag, `vs Defense 19 (Side Step)`, or in another post than its attack."""
    due = _reactions(doubt, (key,))
    claims = doubt.turn.entry.reading.claims if due else ()
    struck = {name for claim in claims if isinstance(claim.data, Strike) for name in claim.data.targets}
    for claim in claims:
        if not any(name in letters(claim.quote) for name in due):
            continue
        if not isinstance(claim.data, Reaction):
            return f"a Reaction Ability is named without a tag of its own: {claim.quote[:200]}"
        if claim.data.actor == doubt.character and claim.data.actor not in struck:
            return f"a Reaction Ability stands in another post than its attack: {claim.quote[:200]}"
    return None


def _reactions(doubt: Doubt, keys: tuple[str, ...]) -> list[str]:
    """The Reaction Abilities that change a number by as much, in letters."""
    turn = doubt.turn
    return [
        letters(name)
        for name in abilities_of(turn)
        if (ability := turn.tables.ability(name)) is not None
        and ability.type == "reaction"
        and any(getattr(ability, key) in doubt.sizes for key in keys)
        and letters(name)
    ]


def place_of(doubt: Doubt) -> int:
    """The place of the post at hand among the entries."""
    entries = doubt.turn.arena.case.entries
    return next((place for place, entry in enumerate(entries) if entry is doubt.turn.entry), len(entries))


def abilities_of(turn: Turn) -> list[str]:
    """Every ability of the tables."""
    return [name for name, _ in turn.tables.rows.values()]


def hidden(doubt: Doubt, who: Iterable[str]) -> str | None:
    """A line with dice in a spoiler of this post or the last ones that names one of these fighters (G16)."""
    here, names, telling = place_of(doubt), tuple(who), doubt.turn.arena.telling
    for entry in reversed(doubt.turn.arena.case.entries[max(0, here - NEAR) : here + 1]):
        for line in _spoiler_lines(entry):
            if any(telling.names(line, name) for name in names):
                return f"a spoiler of {entry.post.id}, whose tags are no claims, has: {line[:200]}"
    return None


def _spoiler_lines(entry: Entry) -> Iterator[str]:
    """The lines with dice in a post's spoilers."""
    revisions = entry.post.revisions
    for block in revisions[-1].blocks if revisions else ():
        if block.kind == "spoiler":
            for line in plain(block.text[:_MOST_HIDDEN]).split("\n"):
                if len(line) <= _LONGEST and _DICE.search(line):
                    yield line.strip()
