"""Posts into turns: double posts joined, corrections kept apart, chatter left out (G26 to G28)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.model.claims import Claim
from referee.ports.rules import Case, Entry
from rules.shinobi.model import NO_NOTES, Ability, Damage, Doubt, LossTag, Mark, Notes, Share, Shares
from rules.shinobi.order import policy_named


@dataclass(slots=True, eq=False)
class Said:
    """A claim of a turn with the post (or half of a double post) in which it stands.

    `data`: its typed record. `before`: the claim as it stood before a late edit, if it was changed (G20).
    """

    entry: Entry
    claim: Claim
    half: int
    data: object
    before: Claim | None


@dataclass(slots=True, eq=False)
class Turn:
    """One turn: the post, or the two halves of a double post (G27), with all that they say.

    `first`, `last`: the posts with which it begins and ends; `loss`: the Loss Tag, if there is one.
    `kinds`: what is said by the class of its record, in order. `trouble`: the kinds of tags that could not
    be read, `doubts`: what each may mean. `edited`: some claim was changed late; `recast`: such an edit
    changed what was done, and not only a number (G20). `behalf`: who posts it in the player's place. `who`: the
    character whose part of a post it is, where its author has several; `together`: the post holds turns of others too.
    `unsorted`: the post holds parts of several
    characters, and whose each is was not said.
    """

    entries: tuple[Entry, ...]
    first: Entry
    last: Entry
    said: list[Said] = field(default_factory=list)
    kinds: dict[type, list[Said]] = field(default_factory=dict)
    marks: tuple[tuple[int, Mark], ...] = ()
    trouble: frozenset[str] = frozenset()
    doubts: tuple[Doubt, ...] = ()
    loss: Said | None = None
    edited: bool = False
    recast: bool = False
    behalf: frozenset[str] = frozenset()
    who: str | None = None
    unsorted: bool = False
    together: bool = False

    def of(self, kind: type) -> list[Said]:
        """All that is said with records of one class."""
        return self.kinds.get(kind, _NONE)


_NONE: list[Said] = []
#: Turn policies by which nobody has two turns running (S4).
_ONE_EACH = frozenset(("alternate", "rounds"))


def _deed(data: object) -> object:
    """What a claim does, without its numbers."""
    if isinstance(data, Ability):
        return data.name, data.sort
    return tuple(part.what for part in data.parts) if isinstance(data, Damage) else None


def notes_of(entry: Entry) -> Notes:
    """The notes of an entry's reading."""
    found = entry.reading.notes
    return found if isinstance(found, Notes) else NO_NOTES


def shares_of(entry: Entry) -> Shares | None:
    """Whose the parts of a post are, where its author has several characters."""
    return notes_of(entry).shares


def has_loss(entry: Entry) -> bool:
    """Whether a post has a Loss Tag, readable or not."""
    claims = entry.reading.claims
    if claims and type(claims[-1].data) is LossTag:
        return True
    return any(isinstance(c.data, LossTag) for c in claims) or "loss" in notes_of(entry).unread


def turn_of(*entries: Entry) -> Turn:
    """The turn that these posts make."""
    turn = Turn(entries, entries[0], entries[-1])
    for half, entry in enumerate(entries):
        _add_half(turn, half, entry)
    loss = turn.kinds.get(LossTag)
    turn.loss = loss[-1] if loss else None
    return turn


def _turn_of_share(entry: Entry, share: Share) -> Turn:
    """The turn that one character's part of a post makes."""
    turn = Turn((entry,), entry, entry, who=share.name, together=True)
    claims = entry.reading.claims
    _add_claims(turn, 0, entry, [(place, claims[place]) for place in share.claims if place < len(claims)])
    turn.marks = tuple((0, mark) for mark in share.marks)
    _add_trouble(turn, entry, share)
    loss = turn.kinds.get(LossTag)
    turn.loss = loss[-1] if loss else None
    return turn


def _add_half(turn: Turn, half: int, entry: Entry) -> None:
    _add_claims(turn, half, entry, enumerate(entry.reading.claims))
    notes = notes_of(entry)
    if notes.marks:
        turn.marks += tuple((half, mark) for mark in notes.marks)
    if notes.shares is not None and len(notes.shares.parts) == 1:
        turn.who = turn.who or notes.shares.parts[0].name
    _add_trouble(turn, entry, notes)


def _add_claims(turn: Turn, half: int, entry: Entry, claims: Iterable[tuple[int, Claim]]) -> None:
    before = entry.before
    turn.edited = turn.edited or bool(before)
    for index, claim in claims:
        data = claim.data
        said = Said(entry, claim, half, data, before.get(index) if before else None)
        turn.said.append(said)
        kind = type(data)
        if kind in turn.kinds:
            turn.kinds[kind].append(said)
        else:
            turn.kinds[kind] = [said]
        if said.before is not None and _deed(said.before.data) != _deed(data):
            turn.recast = True


def _add_trouble(turn: Turn, entry: Entry, notes: Notes | Share) -> None:
    if notes.doubts:
        turn.trouble |= {doubt.kind for doubt in notes.doubts}
        turn.doubts += notes.doubts
    if entry.reading.unread and any(unread.hides for unread in entry.reading.unread):
        turn.trouble |= {"loss", "answer", "damage"}


def steps_of(case: Case) -> Iterator[Turn | Entry | tuple[Turn, ...]]:
    """Turns in thread order; a late correction is its entry (G25), a post of several characters all its turns."""
    waiting: Entry | None = None
    for entry in case.entries:
        if entry.kind == "chatter":
            continue
        notes = entry.reading.notes
        shares = notes.shares if type(notes) is Notes and entry.kind == "turn" else None
        if shares is not None and (shares.unsorted or len(shares.parts) > 1):
            if waiting is not None:
                yield turn_of(waiting)
                waiting = None
            yield tuple(_turn_of_share(entry, share) for share in shares.parts) if shares.parts else _unsorted(entry)
            continue
        if waiting is not None:
            joined = entry.kind == "turn" and has_loss(entry) and _alone_between(case, waiting, entry)
            if joined and not _of_others(waiting, entry):
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


def _unsorted(entry: Entry) -> Turn:
    """A post in which it is not said whose its parts are."""
    turn = turn_of(entry)
    turn.unsorted = True
    return turn


def _of_others(first: Entry, second: Entry) -> bool:
    """Whether two posts of one account are said to be of different characters."""
    whose = [shares.parts[0].name for entry in (first, second) if (shares := shares_of(entry)) is not None]
    return len(set(whose)) > 1


def _may_be_half(entry: Entry) -> bool:
    """The first half of a double post has tags, readable or not, or a stat block and no Loss Tag (G27)."""
    return bool(entry.reading.claims or entry.reading.unread)


def _alone_between(case: Case, first: Entry, second: Entry) -> bool:
    """Whether both are of one author and nobody else's post stands between them.

    Where nobody has two turns running, a spectator's remark between them parts no turn.
    """
    sheets, author = case.sheets, first.post.author
    others = {p.author for p in case.battle.posts[first.index : second.index + 1] if p.author != author}
    if not others:
        return True
    policy = policy_named(sheets.options.get("turn_policy"))
    known = any(sheets.of_player(other) or other.casefold() in sheets.judges for other in others)
    return policy in _ONE_EACH and second.post.author == author and not known
