"""Posts into turns: double posts joined, corrections kept apart, chatter left out (G26 to G28)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.model.claims import Claim
from referee.ports.rules import Case, Entry
from rules.shinobi.model import NO_NOTES, LossTag, Mark, Notes


@dataclass(frozen=True, slots=True)
class Said:
    """A claim of a turn with the post (or half of a double post) in which it stands."""

    entry: Entry
    index: int
    claim: Claim
    half: int = 0

    @property
    def data(self) -> object:
        """The typed record of the claim."""
        return self.claim.data

    @property
    def before(self) -> Claim | None:
        """The claim as it stood before a late edit, if it was changed (G20)."""
        return self.entry.before.get(self.index)

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the turn."""
        return self.half, self.claim.span[0]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: the post, or the two halves of a double post (G27), with all that they say."""

    entries: tuple[Entry, ...]
    said: tuple[Said, ...]
    marks: tuple[tuple[int, Mark], ...] = ()
    trouble: frozenset[str] = frozenset()

    @property
    def first(self) -> Entry:
        """The post with which the turn begins."""
        return self.entries[0]

    @property
    def last(self) -> Entry:
        """The post in which the turn ends: the Loss Tag stands there."""
        return self.entries[-1]

    @property
    def loss(self) -> Said | None:
        """The Loss Tag, if the turn has one."""
        return next((s for s in reversed(self.said) if isinstance(s.data, LossTag)), None)

    @property
    def edited(self) -> bool:
        """Whether any claim was changed late."""
        return any(entry.before for entry in self.entries)


@dataclass(slots=True)
class Steps:
    """Turns and corrections in thread order."""

    items: list[Turn | Entry] = field(default_factory=list)


def notes_of(entry: Entry) -> Notes:
    """The notes of an entry's reading."""
    found = entry.reading.notes
    return found if isinstance(found, Notes) else NO_NOTES


def has_loss(entry: Entry) -> bool:
    """Whether a post has a Loss Tag, readable or not."""
    return any(isinstance(c.data, LossTag) for c in entry.reading.claims) or "loss" in notes_of(entry).unread


def turn_of(*entries: Entry) -> Turn:
    """The turn that these posts make."""
    said = tuple(
        Said(entry, index, claim, half)
        for half, entry in enumerate(entries)
        for index, claim in enumerate(entry.reading.claims)
    )
    marks = tuple((half, mark) for half, entry in enumerate(entries) for mark in notes_of(entry).marks)
    trouble = frozenset().union(*(notes_of(entry).unread for entry in entries))
    return Turn(entries, said, marks, trouble)


def steps_of(case: Case) -> Iterator[Turn | Entry]:
    """Turns in thread order; a late correction stands for itself as its entry (G25)."""
    waiting: Entry | None = None
    for entry in case.entries:
        if entry.kind == "chatter":
            continue
        if waiting is not None:
            if entry.kind == "turn" and has_loss(entry) and _alone_between(case, waiting, entry):
                yield turn_of(waiting, entry)
                waiting = None
                continue
            yield turn_of(waiting)
            waiting = None
        if entry.kind == "correction":
            yield entry
        elif has_loss(entry) or not _may_be_half(entry):
            yield turn_of(entry)
        else:
            waiting = entry
    if waiting is not None:
        yield turn_of(waiting)


def _may_be_half(entry: Entry) -> bool:
    """The first half of a double post has tags or a stat block and no Loss Tag (G27)."""
    return bool(entry.reading.claims)


def _alone_between(case: Case, first: Entry, second: Entry) -> bool:
    """Whether both are of one author and nobody else's post stands between them."""
    posts = case.battle.posts[first.index : second.index + 1]
    return all(post.author == first.post.author for post in posts)
