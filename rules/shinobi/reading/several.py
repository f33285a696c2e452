"""The reading of a post of an account with several characters: each one's part read by itself, then put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from referee.model.claims import Claim, Reading
from referee.model.text import Script
from rules.shinobi.model import NO_NOTES, POOLS, LossTag, Notes, Share, Shares, StatBlock
from rules.shinobi.reading.shares import Labels, Piece, by_name, cut_behind, masked

#: More Loss Tags than this in one post are not sorted.
_MOST_LOSSES = 24
_Read = Callable[[Script], Reading]
_Groups = dict[str | None, list[Piece]]


def read_several(script: Script, losses: Sequence[Claim], labels: Labels, read: _Read) -> Reading:
    """The reading of a post in which several characters may act; `losses`: every Loss Tag of it as it stands."""
    groups = dict(by_name(labels.pieces(script)))
    inside = [dict(by_name(labels.pieces(spoiler))) for spoiler in script.spoilers]
    named = list(dict.fromkeys(name for found in (groups, *inside) for name in found if name is not None))
    tags = [(claim.span, claim.data) for claim in losses if isinstance(claim.data, LossTag) and _whole(claim.data)]
    told = False
    if len(named) < 2 and len(tags) > 1:
        if len(tags) > _MOST_LOSSES:
            return _unsorted(read(script), losses)
        groups = dict(by_name(cut_behind(script, sorted(span for span, _ in tags), labels)))
        if None in groups:
            return _unsorted(read(script), losses)
        named, told = [str(name) for name in groups], True
    if len(named) < 2:
        return _of_one(script, labels, named[0] if named else None, told, read)
    return _of_several(script, groups, inside, named, losses, labels, told, read)


def _whole(loss: LossTag) -> bool:
    return sum(loss.of(pool) is not None for pool in POOLS) > 1


def _of_one(script: Script, labels: Labels, name: str | None, told: bool, read: _Read) -> Reading:
    """The reading of a post of one character, labels left out; without a name it is not said whose it is."""
    if name is None:
        return read(script)
    bare = masked(script, labels.pieces(script))
    reading = read(replace(bare, spoilers=script.spoilers, doubtful=script.doubtful))
    return _with(reading, Shares((Share(name),), told))


def _of_several(
    script: Script,
    groups: _Groups,
    inside: Sequence[Mapping[str | None, list[Piece]]],
    named: Sequence[str],
    losses: Sequence[Claim],
    labels: Labels,
    told: bool,
    read: _Read,
) -> Reading:
    """Each character's part by itself; what stands in front of the first label belongs to whom its words name."""

    def part(name: str) -> Reading:
        spoilers = (_spoiler(script, place, found, name, named, labels) for place, found in enumerate(inside))
        kept = tuple(spoiler for spoiler in spoilers if spoiler is not None)
        return read(replace(masked(script, groups.get(name, [])), spoilers=kept))

    loose = read(masked(script, groups[None])) if None in groups else Reading()
    shared = _zero(loose.claims)
    if not loose.chatter and shared is None:
        owner = labels.named("\n".join(script.text[piece.start : piece.end] for piece in groups[None]))
        if owner is None:
            return _unsorted(read(script), losses)
        groups[owner] = sorted([*groups[None], *groups.get(owner, [])], key=lambda piece: piece.start)
        named, told = list(dict.fromkeys([owner, *named])), True
    parts = {name: reading for name in named if not (reading := part(name)).chatter}
    if len(parts) < 2 and shared is None:
        return _of_one(script, labels, next(iter(parts), None), told, read)
    have = {name: sum(claim.kind == "loss" for claim in reading.claims) for name, reading in parts.items()}
    tails = [claim for reading in parts.values() for claim in reading.claims if claim.kind == "loss"]
    if shared is None and len(tails) == 1 and len(parts) > 1:
        shared = _zero(tails)
    missing = [name for name, count in have.items() if not count]
    if missing and shared is None and len(losses) != len(tails):
        return _unsorted(read(script), losses)
    if missing and shared is None and len(tails) == 1:
        return _unsorted(read(script), losses)
    return _together(script, parts, {name: shared for name in missing if shared is not None}, told)


def _zero(claims: Sequence[Claim]) -> Claim | None:
    """The Loss Tag of no loss at all that is the only claim; all characters of a post may share it."""
    loss = claims[0].data if len(claims) == 1 else None
    return claims[0] if isinstance(loss, LossTag) and not any(loss.of(pool) for pool in POOLS) else None


def _spoiler(
    script: Script,
    place: int,
    found: Mapping[str | None, list[Piece]],
    name: str,
    named: Sequence[str],
    labels: Labels,
) -> Script | None:
    """What of a spoiler is a character's: the part under its name, or all of it where nothing else fits."""
    spoiler = script.spoilers[place]
    if name in found:
        return masked(spoiler, found[name])
    if any(other is not None for other in found):
        return None
    owner = labels.named(spoiler.text)
    if owner is None and len(script.spoilers) == len(named):
        owner = named[place]
    return spoiler if owner == name else None


def _together(script: Script, parts: Mapping[str, Reading], given: Mapping[str, Claim], told: bool) -> Reading:
    """One reading of all parts. `given`: the Loss Tag that stands for a part without one."""
    rows: list[tuple[Claim, str]] = []
    for name, reading in parts.items():
        rows += [(_owned(claim, name), name) for claim in reading.claims]
    rows.sort(key=lambda row: (row[0].kind != "stats", row[0].span))
    claims = [claim for claim, _ in rows]
    places = {id(claim): place for place, claim in enumerate(claims)}
    shares: list[Share] = []
    for name, reading in parts.items():
        notes = reading.notes if isinstance(reading.notes, Notes) else NO_NOTES
        mine = [place for place, (_, whose) in enumerate(rows) if whose == name]
        lent = given.get(name)
        if lent is not None:
            mine.append(places.setdefault(id(lent), len(claims)))
            claims += [lent] if places[id(lent)] == len(claims) else []
        shares.append(Share(name, tuple(mine), notes.marks, notes.doubts))
    unread = sorted((u for reading in parts.values() for u in reading.unread), key=lambda each: each.span)
    marks = sorted((mark for share in shares for mark in share.marks), key=lambda mark: mark.place)
    doubts = tuple(doubt for share in shares for doubt in share.doubts)
    return Reading(tuple(claims), tuple(unread), Notes(tuple(marks), doubts, script, Shares(tuple(shares), told)))


def _owned(claim: Claim, name: str) -> Claim:
    """A claim of a character's part: a stat block in it is that character's."""
    block = claim.data
    return replace(claim, data=replace(block, name=name)) if isinstance(block, StatBlock) else claim


def _unsorted(reading: Reading, losses: Sequence[Claim]) -> Reading:
    """A post in which it is not said whose each part is."""
    held = tuple(claim.data for claim in losses[:_MOST_LOSSES] if isinstance(claim.data, LossTag))
    spans = {claim.span for claim in losses}
    # That the last of several Loss Tags counts is said of one character's.
    reading = replace(reading, unread=tuple(each for each in reading.unread if each.span not in spans))
    return _with(reading, Shares(unsorted=True, losses=held))


def _with(reading: Reading, shares: Shares) -> Reading:
    notes = reading.notes if isinstance(reading.notes, Notes) else NO_NOTES
    return replace(reading, notes=replace(notes, shares=shares))
