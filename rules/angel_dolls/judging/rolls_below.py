"""Numbers of checks whose links or rolls stand apart from them in the post: on lines below, at its end (G8)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from referee.model.claims import Claim, WrittenRoll
from referee.model.text import Anchor, Script, lines_touched
from referee.ports.rules import Entry, Rolled, RollUse
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.reading.plain import nothing_but_rolls
from rules.angel_dolls.statements import Check, Heading, Notes, Side


def find_rolls(play: Play) -> None:
    """Find the rolls of all numbers of a post that show none, before any of its sums is judged.

    First each number takes the roll that shows just it. Of as many numbers and rolls as are left then, each takes
    the one at its place: there the number differs from its record, or the record is missing.
    """
    notes = play.entry.reading.notes
    script = notes.script if isinstance(notes, Notes) else None
    if script is None or not script.anchors:
        return
    dice = play.bout.case.dice
    left: list[tuple[Side, RollUse]] = []
    taken: set[int] = set()
    for side, use in _numbers(play):
        anchors = dice.apart(use)
        if anchors:
            taken.update(anchor.start for anchor in anchors)
            play.apart[id(side)] = _checked(play, use, anchors)
        else:
            left.append((side, use))
    below = _below(script, play.entry) if left else ()
    spare = [anchor for anchor in below if anchor.start not in taken]
    if len(left) == len(spare):
        for (side, use), anchor in zip(left, spare, strict=True):
            play.apart[id(side)] = _checked(play, use, (anchor,))


def _checked(play: Play, use: RollUse, anchors: tuple[Anchor, ...]) -> Rolled:
    return play.bout.case.dice.check(replace(use, written=replace(use.written, anchors=anchors)))


def _numbers(play: Play) -> Iterator[tuple[Side, RollUse]]:
    """The random numbers of the post that stand without any link or roll, in order, with what they are for."""
    numbers = play.bout.numbers
    heading: Heading | None = None
    for place, claim in enumerate(play.entry.reading.claims):
        if isinstance(claim.data, Heading):
            heading = claim.data
        if not isinstance(claim.data, Check):
            continue
        earlier = play.entry.before.get(place)
        for side, who in _sides(claim.data, heading):
            value = side.rolled
            if value is None or side.roll is None or side.roll.anchors or not numbers.low <= value <= numbers.high:
                continue
            if earlier is None or value in _rolled(earlier):
                yield side, play.use(claim, WrittenRoll((value,)), 1, who)


def _rolled(claim: Claim) -> set[int | None]:
    """The random numbers of a check; those that a late edit changed have their finding (G20)."""
    check = claim.data
    return {side.rolled for side in (check.left, check.right) if side} if isinstance(check, Check) else set()


def _sides(check: Check, heading: Heading | None) -> Iterator[tuple[Side, str | None]]:
    """The sides of a check in the order of the line, with whose they are."""
    sides = [
        (check.left, heading.attacker if heading else None),
        (check.right, heading.defender if heading else None),
    ]
    for side, name in reversed(sides) if check.turned else sides:
        if side is not None:
            yield side, side.owner or name


def _below(script: Script, entry: Entry) -> Iterator[Anchor]:
    """The links and rolls on lines with nothing else."""
    claimed = lines_touched(script.text, [claim.span for claim in entry.reading.claims])
    anchors = deque(script.anchors)
    place = 0
    for number, line in enumerate(script.text.split("\n")):
        place += len(line) + 1
        alone = bool(anchors) and anchors[0].start < place and number not in claimed and nothing_but_rolls(line)
        while anchors and anchors[0].start < place:
            anchor = anchors.popleft()
            if alone:
                yield anchor
