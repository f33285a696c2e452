"""Reading dice sums: `1d20 (13) + 4 = 17`, `2d6 [3, 5] + 3 + crit 1d6 [4] = 15`, with their links (ND2, G8)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from referee.model.claims import WrittenRoll
from referee.model.dice import read_dice
from referee.model.text import Anchor
from rules.d20_arena.reading.addends import (
    DIGITS,
    EXTRA,
    FINAL,
    FIRST,
    FURTHER,
    MORE,
    OPEN_RESULT,
    PLUS,
    RESULT,
    SIGN,
    TOTAL,
)
from rules.d20_arena.reading.chain import Chain, Restated, Term, read_chain, restated, total_of
from rules.d20_arena.reading.links import Links
from rules.d20_arena.records import Group, Sum, Throw

_LESS = ("-", "minus", "MINUS", "Minus")
#: So far from what its addends give a number behind an arrow or colon may be a wrong result; else it is something else.
_NEAR = 12
#: More groups than this in one sum are hostile.
_MOST_GROUPS = 12


@dataclass(slots=True)
class _Open:
    """A sum while it is read."""

    groups: list[Group] = field(default_factory=list)
    bonuses: list[int] = field(default_factory=list)
    anchors: list[tuple[Anchor, ...]] = field(default_factory=list)


#: What may follow the dice in an in-post roll that shows its working.
_WORKING = re.compile(r"[ ]{0,3}[+-][ ]{0,3}\d{1,9}[ ]{0,3}=")


def read_sum(text: str, place: int, end: int, links: Links) -> tuple[Sum, int] | None:
    """The sum that begins at `place`, and the place behind it and its links.

    None where there is none, or where its result is left open (`1d20 = ?`, G19) or can't be made out.
    """
    open_ = _Open()
    found = FIRST.match(text, place, end)
    if found is None:
        behind = _rolled(text, place, links, open_, False) if links.rolled_near(place) else None
        if behind is None:
            return None
        place = behind
    else:
        if found["lead"]:
            open_.bonuses.append(int(found["lead"]))
        place = _group(found, links, open_)
    while len(open_.groups) < _MOST_GROUPS:
        if links.rolled_near(place) and (behind := _added_roll(text, place, end, links, open_)) is not None:
            place = behind
            continue
        found = FURTHER.match(text, place, end)
        if found is None:
            break
        number = found["number"] or found["named"] or found["boxed"]
        if number is None:
            place = _group(found, links, open_)
            continue
        if len(open_.bonuses) >= _MOST_GROUPS:
            break
        open_.bonuses.append(-int(number) if found["sign"] in _LESS else int(number))
        place = found.end()
    return _finish(text, place, end, links, open_)


def _rolled(text: str, place: int, links: Links, open_: _Open, crit: bool) -> int | None:
    """A group of dice that is written as an in-post roll of the board alone (G7); the place behind it.

    Bonus and sum that stand in the roll are read like any others; where only its expression has the bonus, it counts.
    """
    anchor = links.rolled_at(place)
    dice = read_dice(anchor.dice or "") if anchor is not None else None
    if anchor is None or dice is None or len(dice.groups) != 1 or dice.count > 100:
        return None
    number, sides = dice.groups[0]
    open_.groups.append(Group(number, sides, anchor.values, crit))
    open_.anchors.append((anchor,))
    shown = list(islice(DIGITS.finditer(text, anchor.start, anchor.end), len(anchor.values)))
    if shown and _WORKING.match(text, shown[-1].end(), anchor.end) is not None:
        return shown[-1].end()
    if dice.bonus:
        open_.bonuses.append(dice.bonus)
    return anchor.end


def _added_roll(text: str, place: int, end: int, links: Links, open_: _Open) -> int | None:
    """An in-post roll that is added to a sum: `+ [roll=1d6]4[/roll]`."""
    plus = PLUS.match(text, place, end)
    return _rolled(text, plus.end(), links, open_, plus["crit"] is not None) if plus else None


def _group(found: re.Match[str], links: Links, open_: _Open) -> int:
    """One group of dice with the values shown behind it and their links; the place behind it."""
    place = found.end()
    count, sides, shown = found.group("count", "sides", "shown")
    crit = found["crit"] or found["said"] or found["says"]
    values: tuple[int, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    if shown is not None:
        values = tuple(map(int, DIGITS.findall(shown)))
    if links:
        if shown is not None:
            anchors = links.inside(found.start("shown"), found.end("shown") + 1)
        after, behind = links.behind(place)
        if after:
            anchors += after
            place = behind
            if not values:
                values = tuple(value for anchor in after for value in anchor.values)
    number = int(count or 1)
    if len(values) > number and "+" in (shown or ""):
        # `1d20 (15 + 4) = 19`: the bonus stands inside.
        open_.bonuses += values[number:]
        values = values[:number]
    open_.groups.append(Group(number, int(sides), values, crit is not None))
    open_.anchors.append(anchors)
    return place


def _finish(text: str, place: int, end: int, links: Links, open_: _Open) -> tuple[Sum, int] | None:
    total = TOTAL.match(text, place, end)
    trailing: tuple[Anchor, ...] = ()
    if total is None and links:
        # `1d20+4 [roll] = 19`: the links stand before the result.
        trailing, behind = links.behind(place)
        total = TOTAL.match(text, behind, end) if trailing else None
        if trailing and total is None:
            return _made(open_, None, trailing), behind
    if total is None:
        return _without_total(text, place, end, links, open_)
    value = int(total.group(1).replace(" ", ""))
    place = total.end()
    if links:
        trailing += links.inside(total.start(1), total.end(1))
        after, place = links.behind(place)
        trailing += after
    if MORE.match(text, place, end):
        extra = EXTRA.match(text, place, end)
        if extra is not None:
            return _extended(text, extra, end, links, open_, value, trailing)
        chain = read_chain(text, total.start(1), end)
        if chain is not None and (len(chain.steps) > 1 or len(chain.steps[0]) > 1):
            return _chained(chain, total.start(1), place, links, open_, trailing)
    elif _bare_dice(total.start(1), open_, trailing):
        return _made(open_, None, trailing), place
    return _made(open_, value, trailing), place


def _bare_dice(start: int, open_: _Open, trailing: tuple[Anchor, ...]) -> bool:
    """Whether the number at a place is the board's own, of dice that are only a part of the sum.

    `1d6+2 = [roll=1d6]4[/roll]`: the board wrote what the die gave, and the player has not stated a total.
    """
    if not trailing or trailing[0].start != start or not trailing[0].dice or not trailing[0].values:
        return False
    dice = read_dice(trailing[0].dice)
    return dice is not None and not dice.bonus and (bool(open_.bonuses) or len(open_.groups) > len(dice.groups))


def _made(open_: _Open, total: int | None, trailing: tuple[Anchor, ...]) -> Sum:
    return Sum(tuple(open_.groups), tuple(open_.bonuses), total, _throws(open_, trailing))


def _without_total(text: str, place: int, end: int, links: Links, open_: _Open) -> tuple[Sum, int] | None:
    """A sum without `= n` at once: nothing at all, `= (15) + 4 = 19`, `: 15 + 4 = 19`, `(15) = 19`, `-> 19`."""
    if OPEN_RESULT.match(text, place, end):
        return None
    told = _told_result(text, place, end, links, open_)
    if told is not None:
        return told
    sign = SIGN.match(text, place, end)
    plain = _made(open_, None, ()), place
    if sign is None or not (sign["sign"] or sign["bracket"]):
        return plain
    chain = read_chain(text, sign.end(), end)
    if chain is None:
        return plain
    only = chain.steps[0]
    if len(chain.steps) > 1 or len(only) > 1:
        said = any(_says(open_, step) for step in chain.steps) or chain.result is not None
        read = _chained(chain, sign.end(), place, links, open_, ()) if said else plain
        return _with_result(text, read, end) if said and read is not None and len(chain.steps) == 1 else read
    shown = any(group.values for group in open_.groups)
    if only[0].dice or shown or sign["sign"] is None or (sign["sign"] == ":" and open_.bonuses):
        return plain
    anchors, place = _anchors(chain, sign.end(), links)
    total = None if _bare_dice(sign.end(), open_, anchors) else only[0].value
    return _made(open_, total, anchors), place


def _told_result(text: str, place: int, end: int, links: Links, open_: _Open) -> tuple[Sum, int] | None:
    """`1d20 (14) + 4 -> 18`: a result behind another sign than `=`, near what dice and bonus give."""
    if not open_.bonuses or not all(group.values for group in open_.groups):
        return None
    given = sum(sum(group.values) for group in open_.groups) + sum(open_.bonuses)
    result = RESULT.match(text, place, end)
    if result is None or abs(int(result[1]) - given) > _NEAR:
        return None
    trailing, behind = links.behind(result.end()) if links else ((), result.end())
    return _made(open_, int(result[1]), trailing), behind


def _with_result(text: str, read: tuple[Sum, int], end: int) -> tuple[Sum, int]:
    """`1d20: 14 + 4 -> 18`: the same behind addends that were told after a colon."""
    result = RESULT.match(text, read[1], end)
    if result is None or abs(int(result[1]) - (read[0].total or 0)) > _NEAR:
        return read
    return read[0]._replace(total=int(result[1])), result.end()


def _anchors(chain: Chain, start: int, links: Links) -> tuple[tuple[Anchor, ...], int]:
    """The links within and behind a chain, and the place behind them."""
    if not links:
        return (), chain.place
    inside = links.inside(start, chain.place)
    after, place = links.behind(chain.place)
    return inside + after, place


def _says(open_: _Open, step: tuple[Term, ...]) -> Restated | None:
    """What a step of a chain says of the dice of this sum."""
    if len(step) < 2 and not step[0].dice:
        return None
    sides = tuple(group.sides for group in open_.groups for _ in range(min(group.number, 100)))
    return restated(step, len(sides), sides, tuple(open_.bonuses)) if sides else None


def _chained(
    chain: Chain, start: int, place: int, links: Links, open_: _Open, trailing: tuple[Anchor, ...]
) -> tuple[Sum, int] | None:
    """A sum whose result stands at the end of a chain; None where the chain can't be made out."""
    first = chain.steps[0]
    total: int | None = total_of(chain)
    told = next(((index, found) for index, step in enumerate(chain.steps) if (found := _says(open_, step))), None)
    if told is not None:
        open_.bonuses[:] = told[1].bonuses
        _show(open_, told[1].values)
        total = _behind(open_, chain, *told)
        if total is None:
            return None
    elif len(first) > 1:
        deciding = len(open_.groups) == 1 and open_.groups[0][:2] == (1, 20)
        if _takes_off(first) and not (deciding and len(chain.steps) > 1):
            # `damage 2d6+3 = 11 - 1 = 10`: what comes off is no part of the sum.
            return _made(open_, first[0].value, trailing), place
        if not deciding or len(chain.steps) < 2:
            return None
        open_.bonuses += [term.value for term in first[1:]]
    anchors, place = _anchors(chain, start, links)
    return _made(open_, total, trailing + anchors), place


def _behind(open_: _Open, chain: Chain, index: int, said: Restated) -> int | None:
    """The total that stands behind a step; what is taken off it afterwards (a resistance) is no part of it."""
    total = said.total
    for step in chain.steps[index + 1 :]:
        if len(step) == 1:
            total = step[0].value
        elif _takes_off(step):
            return step[0].value
        elif _says(open_, step) is None:
            return None
    return total


def _takes_off(step: tuple[Term, ...]) -> bool:
    """Whether a step is a number with only more taken off it."""
    return len(step) > 1 and all(term.value < 0 for term in step[1:])


def _show(open_: _Open, values: tuple[int, ...]) -> None:
    """Put the dice that a chain shows to groups that show none."""
    if not values or any(group.values for group in open_.groups):
        return
    place = 0
    for index, group in enumerate(open_.groups):
        open_.groups[index] = group._replace(values=values[place : place + group.number])
        place += group.number


def _extended(
    text: str,
    extra: re.Match[str],
    end: int,
    links: Links,
    open_: _Open,
    before: int,
    trailing: tuple[Anchor, ...],
) -> tuple[Sum, int]:
    """A critical's die behind the result: `2d6+3 = 10 + crit 1d6 = 4 = 14`, `...; crit 1d6 = 4; total 14`."""
    place = _group(extra, links, open_)
    number, place = _number(TOTAL, text, place, end, links, open_)
    final, place = _number(FINAL, text, place, end, links, open_)
    if len(open_.anchors[-1]) > open_.groups[-1].number and not any(open_.anchors[:-1]) and not trailing:
        # `2d6 (3, 4) + 3 = 10, crit 1d6 = 2 [link] [link]`: those behind all of it are for all of it.
        trailing, open_.anchors[-1] = open_.anchors[-1], ()
    group = open_.groups[-1]
    if final is None and number is not None and number > before:
        number, final = None, number
    if number is not None and group.number == 1 and not group.values:
        open_.groups[-1] = group = group._replace(values=(number,))
    thrown = number if number is not None else sum(group.values) if group.values else None
    if final is None and thrown is not None:
        final = before + thrown
    return _made(open_, final, trailing), place


def _number(
    pattern: re.Pattern[str], text: str, place: int, end: int, links: Links, open_: _Open
) -> tuple[int | None, int]:
    """A number behind the last group and the links behind it, which are that group's if it has none yet."""
    found = pattern.match(text, place, end)
    if found is None:
        return None, place
    place = found.end()
    if links:
        anchors = links.inside(found.start(1), found.end(1))
        after, place = links.behind(place)
        if not open_.anchors[-1]:
            open_.anchors[-1] = anchors + after
    return int(found.group(1).replace(" ", "")), place


def _throws(open_: _Open, trailing: tuple[Anchor, ...]) -> tuple[Throw, ...]:
    """Which links prove which dice: those at a group its own, those behind the sum the rest in order."""
    if len(open_.groups) == 1:
        return (_throw(open_.groups, (0,), open_.anchors[0] or trailing),)
    bare = [index for index, anchors in enumerate(open_.anchors) if not anchors]
    throws = [_throw(open_.groups, (i,), anchors) for i, anchors in enumerate(open_.anchors) if anchors]
    dealt = _deal([open_.groups[i] for i in bare], trailing)
    if dealt is None:
        throws.append(_throw(open_.groups, tuple(bare), trailing))
    else:
        throws += [_throw(open_.groups, (i,), anchors) for i, anchors in zip(bare, dealt, strict=True)]
    return tuple(sorted(throws, key=lambda throw: throw.groups))


def _deal(groups: list[Group], anchors: tuple[Anchor, ...]) -> list[tuple[Anchor, ...]] | None:
    """One link a group, or one a die; None where the links can't be told apart."""
    if not groups or not anchors:
        return [()] * len(groups)
    if len(anchors) == len(groups):
        return [(anchor,) for anchor in anchors]
    if len(anchors) == sum(group.number for group in groups):
        dealt, place = [], 0
        for group in groups:
            dealt.append(anchors[place : place + group.number])
            place += group.number
        return dealt
    return None if len(groups) > 1 else [anchors]


def _throw(every: list[Group], indexes: tuple[int, ...], anchors: tuple[Anchor, ...]) -> Throw:
    """The throw of some of the groups."""
    if len(indexes) == 1:
        group = every[indexes[0]]
        expression = group.expression
        return Throw(WrittenRoll(group.values, anchors, expression), indexes, (expression,))
    groups = [every[i] for i in indexes]
    known = all(group.values for group in groups)
    values = tuple(value for group in groups for value in group.values) if known else ()
    expressions = tuple(group.expression for group in groups)
    return Throw(WrittenRoll(values, anchors, "+".join(expressions)), indexes, expressions)


def with_critical(damage: Sum, crit: Sum) -> Sum:
    """The damage of a line with a critical's die of the next one: `Crit damage: 1d6 = 2`."""
    groups = (*damage.groups, *(group._replace(crit=True) for group in crit.groups))
    behind = len(damage.groups)
    throws = [throw._replace(groups=tuple(behind + index for index in throw.groups)) for throw in crit.throws]
    thrown = crit.total if crit.total is not None else sum(value for group in crit.groups for value in group.values)
    total = damage.total + thrown if damage.total is not None and thrown else None
    return Sum(groups, (*damage.bonuses, *crit.bonuses), total, (*damage.throws, *throws))
