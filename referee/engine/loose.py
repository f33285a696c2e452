"""Links that stand apart from the roll that they prove (G8).

At the post's end, on a line with words, in a spoiler, or at another roll whose record has dice to spare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from referee.engine.records import due_sides, sides_fit, sides_of
from referee.engine.script import remarked_links, scripts_of
from referee.model.battle import RollRecord
from referee.model.claims import WrittenRoll
from referee.model.text import Anchor
from referee.ports.rules import Entry, RollUse

#: Bonus and result behind dice: `+4=19`.
_SUM = re.compile(r"(?P<bonus>[+-]\d{1,4})?=(?P<total>\d{1,6})(?!\d|[+-])")
#: More loose links than this of one post are not looked at.
_MOST = 400
#: A reader's record of a claim is not nested deeper.
_DEEPEST = 6


def links_for(
    use: RollUse,
    records: Mapping[str, RollRecord] | None,
    spent: Container[tuple[str, int]],
    loose: Sequence[Anchor],
) -> tuple[Anchor, ...]:
    """The loose links of a use's post, in a row, whose records show just the dice or the sum that the post states.

    Empty where there are none, or where the post states neither: a link that shows something else proves nothing of
    this roll. `spent`: link and place of every die that another roll has used. `loose`: the post's `loose_links`.
    """
    said = use.written.values
    if not records:
        return ()
    if not said:
        return _of_sum(use, records, spent, loose)
    for anchors, shown, sides in _rows(loose, len(said), records, spent):
        # Of a record with more dice the first ones serve, in order (X13).
        same = Counter(shown) == Counter(said) or tuple(shown[: len(said)]) == said
        if same and sides_fit(sides, due_sides(use.due, len(sides))):
            return anchors
    return ()


def completed(
    use: RollUse,
    records: Mapping[str, RollRecord] | None,
    spent: Container[tuple[str, int]],
    loose_of: Callable[[RollUse], Sequence[Anchor]],
) -> RollUse:
    """A use with loose links besides its own, where its own show only a part of its dice and those just the rest.

    `spent` as in `links_for`; `loose_of` gives a use's `loose_links`.
    """
    written = use.written
    if len(written.anchors) >= len(written.values) or not records:
        return use
    own = [records.get(anchor.url or "") for anchor in written.anchors]
    shown = Counter([value for record in own if record is not None for value in record.values])
    if any(record is None or record.status != "found" for record in own) or not shown < Counter(written.values):
        return use
    rest = tuple((Counter(written.values) - shown).elements())
    more = links_for(replace(use, written=replace(written, values=rest)), records, spent, loose_of(use))
    return replace(use, written=replace(written, anchors=(*written.anchors, *more))) if more else use


def _of_sum(
    use: RollUse, records: Mapping[str, RollRecord], spent: Container[tuple[str, int]], loose: Sequence[Anchor]
) -> tuple[Anchor, ...]:
    """The loose links whose dice, all that are due, give the sum that the post states: `1d20+4 = 19`."""
    dice, quote = use.written.expression or "", use.claim.quote.replace(" ", "")
    number = len(sides_of(dice))
    stated = _SUM.match(quote, _place(quote, dice))
    if not number or stated is None:
        return ()
    due = int(stated["total"]) - int(stated["bonus"] or 0)
    for anchors, shown, sides in _rows(loose, number, records, spent):
        if len(shown) == number and sum(shown) == due and sides_fit(sides, due_sides((dice,), number)):
            return anchors
    return ()


def _rows(
    links: Sequence[Anchor], number: int, records: Mapping[str, RollRecord], spent: Container[tuple[str, int]]
) -> Iterator[tuple[tuple[Anchor, ...], list[int], list[int]]]:
    """From each free loose link on as many in a row as show `number` dice, with the dice and their sides."""
    loose = [(anchor, free) for anchor in links if (free := _free(records.get(anchor.url or ""), spent))]
    for start in range(len(loose)):
        shown: list[int] = []
        sides: list[int] = []
        for stop in range(start, min(start + number, len(loose))):
            shown += [value for value, _ in loose[stop][1]]
            sides += [side for _, side in loose[stop][1]]
            if len(shown) >= number:
                yield tuple([anchor for anchor, _ in loose[start : stop + 1]]), shown, sides
                break


def _place(quote: str, dice: str) -> int:
    """The place behind the dice of a use in its claim's words, their end where they do not stand there."""
    place = quote.casefold().find(dice.casefold()) if dice else -1
    return place + len(dice) if place >= 0 else len(quote)


def _free(record: RollRecord | None, spent: Container[tuple[str, int]]) -> list[tuple[int, int]]:
    """The dice of a record that nobody has used, each with its sides; none where there is no such record."""
    if record is None or record.status != "found":
        return []
    sides = (*sides_of(record.expression or ""), *[0] * len(record.values))  # more dice may have come than were thrown
    dice = zip(record.values, sides, strict=False)
    return [die for place, die in enumerate(dice) if (record.link, place) not in spent]


def unanswered(loose: Sequence[Anchor], records: Mapping[str, RollRecord] | None) -> bool:
    """Whether a loose link may prove a roll and nobody knows, as its service gave no answer (G2, X6)."""
    if records is None:
        return bool(loose)
    links = [records.get(anchor.url or "") for anchor in loose]
    return any(record is not None and record.status == "unreachable" for record in links)


def loose_links(entry: Entry, records: Mapping[str, RollRecord] | None) -> list[Anchor]:
    """The links of a post that no claim of it uses for all its dice, once each, in order.

    Those of its own words come first, then those of spoilers and of remarks out of character.
    """
    rolls = [roll for roll in _rolls_of(entry) if roll.anchors]
    links = {anchor.url for roll in rolls for anchor in roll.anchors}
    used = {
        anchor.url
        for roll in rolls
        if not _may_spare(roll, (records or {}).get(roll.anchors[0].url or ""), only=len(links) == 1)
        for anchor in roll.anchors
    }
    script = scripts_of(entry.post.blocks)
    found: dict[str, Anchor] = {}
    for part in (script, *script.spoilers):
        for anchor in part.anchors:
            if anchor.url and anchor.url not in used:
                found.setdefault(anchor.url, anchor)
    for url in remarked_links(entry.post.blocks):
        if url not in used:
            found.setdefault(url, Anchor(0, 0, url))
    return list(found.values())[:_MOST]


def _may_spare(roll: WrittenRoll, record: RollRecord | None, *, only: bool) -> bool:
    """Whether the record of a roll's one link has, or may have, more dice than that roll.

    `only`: it is the one link that the post's rolls use. Whoever gives other rolls links of their own has thrown each
    by itself, so that a record which nobody can see has no dice for a roll without one.
    """
    if record is None or record.status == "unreachable":
        return only and len(roll.anchors) == 1
    return len(roll.anchors) == 1 and 0 < len(roll.values) < len(record.values)


def _rolls_of(entry: Entry) -> Iterator[WrittenRoll]:
    return (roll for claim in entry.reading.claims for roll in _rolls_in(claim.data, 0))


def _rolls_in(data: object, depth: int) -> Iterator[WrittenRoll]:
    """Every roll in a ruleset's own record of a claim, whatever its form."""
    if isinstance(data, WrittenRoll):
        yield data
    elif depth > _DEEPEST or isinstance(data, str):
        return
    elif is_dataclass(data):
        for field in fields(data):
            yield from _rolls_in(getattr(data, field.name, None), depth + 1)
    elif isinstance(data, tuple | list | set | frozenset):
        for item in data:
            yield from _rolls_in(item, depth + 1)
    elif isinstance(data, Mapping):
        for item in data.values():
            yield from _rolls_in(item, depth + 1)
