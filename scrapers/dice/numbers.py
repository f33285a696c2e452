"""Dice, times and words as dice services write them, brought to one form.

Everything that is not surely understood is a ValueError: a record that is read wrongly would accuse
a player, one that is not read at all is only reported as unreachable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from typing import Any
from zoneinfo import ZoneInfo

from referee.model.dice import read_dice
from scrapers.times.dates import read_date

MOST_DICE = 1000
LARGEST_DIE = 1_000_000
LONGEST_WORDS = 500
LONGEST_EXPRESSION = 120

_LIST = re.compile(r"[\s\d,;+\[\](){}|-]{1,20000}")
_NUMBER = re.compile(r"(?<!\d)-?\d{1,9}")
_BARE_D = re.compile(r"(?<![\w)])d(?=[\d%f])")
#: A group of dice; marks that keep or drop dice; marks that throw more dice, or another number of them.
_DIE = re.compile(r"(?<![\da-z])(\d{0,4})d(\d{1,6})(?!\d)")
_KEEPS = re.compile(r"(?<=\d)(kh|kl|k|h|l|dh|dl|d|ph|pl|p|b)(\d{0,3})(?!\d)")
_GROWS = re.compile(r"[!e#;,~]|\do\d|\dr|x|open|\do$")
_STAMP = re.compile(r"\d{9,13}(?:\.\d{1,9})?")
_DAY_ALONE = re.compile(r"\d{4}-?\d\d-?\d\d")
_ZERO_ZONE = re.compile(r"\s{0,3}(?:UTC|GMT|Z)$", re.IGNORECASE)
#: A zone in letters, which is no part of a time that is read without its zone.
_ZONE_NAME = re.compile(r"\b(?!AM\b|PM\b)[A-Z]{2,5}\b(?:[+-]\d{1,4})?\s{0,3}\)?$|[+-]\d\d:?\d\d$")
#: Unix times from here on are milliseconds (as seconds: the year 5138).
_MILLISECONDS = 10**11


def values_of(found: Iterable[Any]) -> tuple[int, ...]:
    """Dice from numbers, texts of numbers (`70`, `[21, 9], 8`) and lists of them."""
    values: list[int] = []
    for item in _flat(found, 0):
        values += _dice(item)
        if len(values) > MOST_DICE:
            raise ValueError(f"more than {MOST_DICE} dice in one roll")
    if not values:
        raise ValueError("no dice found")
    if any(abs(value) > LARGEST_DIE for value in values):
        raise ValueError(f"a die beyond {LARGEST_DIE}")
    return tuple(values)


def _flat(found: Iterable[Any], depth: int) -> Iterable[Any]:
    if depth > 4:
        raise ValueError("the dice are nested too deeply")
    for item in found:
        if isinstance(item, list):
            yield from _flat(item, depth + 1)
        else:
            yield item


def _dice(item: Any) -> list[int]:
    if isinstance(item, bool) or not isinstance(item, int | float | str):
        raise ValueError(f"{str(item)[:40]!r} is no die")
    if isinstance(item, int):
        return [item]
    if isinstance(item, float):
        if not item.is_integer():
            raise ValueError(f"{item} is no die")
        return [int(item)]
    if not _LIST.fullmatch(item) or re.search(r"\d{10}|\d\s*-|-\s*(?!\d)", item):
        raise ValueError(f"{item[:40]!r} is no list of dice")
    return [int(number) for number in _NUMBER.findall(item)]


def expression_of(found: Any) -> str:
    """A dice expression in its usual spelling: `d100`, `1D100` and `d%` are `1d100`."""
    if not isinstance(found, str):
        raise ValueError(f"{str(found)[:40]!r} is no dice expression")
    squeezed = "".join(found.split()).lower().replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")
    if not squeezed or len(squeezed) > LONGEST_EXPRESSION or not squeezed.isprintable():
        raise ValueError(f"{found[:40]!r} is no dice expression")
    spelled = _BARE_D.sub("1d", squeezed).replace("d%", "d100")
    if not re.search(r"\dd", spelled):
        raise ValueError(f"{found[:40]!r} is no dice expression")
    return spelled


def check_dice(expression: str | None, values: tuple[int, ...], total: int | None = None) -> None:
    """Raise ValueError where dice can't come from their expression, or don't come to the record's own total.

    The page was then misread (a total taken for a die, say), whatever the players did. Of an expression that
    keeps, rerolls or explodes dice the number of dice and their sides are known in part.
    """
    dice = read_dice(expression or "")
    if dice is None or not dice.groups:
        _check_marked(expression or "", values)
        return
    if dice.count != len(values):
        raise ValueError(f"{expression} has {dice.count} dice, but {len(values)} were read")
    for value, sides in zip(values, dice.sides, strict=False):
        if not 1 <= value <= sides:
            raise ValueError(f"{value} is no result of a d{sides}")
    if total is not None and sum(values) + dice.bonus != total:
        raise ValueError(f"{expression} of {sum(values)} does not come to {total}")


def _check_marked(expression: str, values: tuple[int, ...]) -> None:
    """The same for an expression with more than dice and a bonus: no die beyond its sides, no die too many."""
    groups = [(int(count or 1), int(sides)) for count, sides in _DIE.findall(expression)]
    if not groups or _GROWS.search(expression) is not None:
        return
    thrown = sum(count for count, _ in groups)
    kept = {thrown}
    if len(groups) == 1:
        for mark, number in _KEEPS.findall(expression):
            kept.add(thrown - int(number or 1) if mark[0] in "dp" else int(number or 1))
    if len(values) not in kept:
        raise ValueError(f"{expression} has {thrown} dice, but {len(values)} were read")
    sides = max(faces for _, faces in groups)
    if any([not 1 <= value <= sides for value in values]):
        raise ValueError(f"{max(values)} is no result of a d{sides}")


def dice_of_total(expression: str | None, total: int) -> tuple[int, ...]:
    """The one die of a roll that shows only what it comes to; ValueError where there are more dice or none."""
    dice = read_dice(expression or "")
    if dice is None or dice.count != 1:
        raise ValueError(f"only the total of {expression or 'a roll'} is shown, not its dice")
    return (total - dice.bonus,)


def time_of(found: Any, zone: tzinfo | None) -> datetime | None:
    """A UTC time from ISO text, an HTTP date or a unix time in seconds or milliseconds.

    `zone`: that of times which name none; without it they give None, since a guess could make an
    honest roll look too early. None and blank text give None, and so does a day without an hour.
    """
    if found is None or (isinstance(found, str) and not found.strip()):
        return None
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        raise ValueError(f"{str(found)[:40]!r} is no time")
    if isinstance(found, str) and not _STAMP.fullmatch(found.strip()):
        if _DAY_ALONE.fullmatch(found.strip()):
            return None
        moment = _written_time(found.strip())
        if moment.tzinfo is None:
            return None if zone is None else moment.replace(tzinfo=zone).astimezone(UTC)
        return _in_utc(moment)
    try:
        stamp = float(found)
        moment = datetime.fromtimestamp(stamp / 1000 if stamp >= _MILLISECONDS else stamp, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ValueError(f"{str(found)[:40]!r} is no time") from error
    if moment.year < 1990:
        raise ValueError(f"{str(found)[:40]!r} is no time of a roll")
    return moment


def _written_time(text: str) -> datetime:
    """A time as it is written, without a zone where it names none; ValueError where any part is not understood."""
    if len(text) > 60:
        raise ValueError(f"{text[:40]!r} is no time")
    bare = _ZERO_ZONE.sub("+00:00", text)
    try:
        return datetime.fromisoformat(bare)
    except ValueError:
        pass
    try:
        mailed = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        mailed = None
    if mailed is not None and text.endswith("-0000"):
        return mailed.replace(tzinfo=UTC)
    if mailed is not None and (mailed.tzinfo is not None or _ZONE_NAME.search(text) is None):
        return mailed
    worded = _worded_time(text)
    if worded is None:
        raise ValueError(f"{text[:40]!r} is no time that is understood")
    return worded


def _worded_time(text: str) -> datetime | None:
    """A date with the name of its month, or in figures that can mean one day only, and a time of day; no zone."""
    if _ZONE_NAME.search(text) is not None:
        return None
    found = read_date(text)
    if found is None or found.hour is None:
        return None
    year, month, day = found.year, found.month, found.day
    if found.numbers is not None:
        first, second, year = found.numbers
        if year < 1000 or (found.separator != "." and first <= 12 and second <= 12 and first != second):
            return None
        day, month = (first, second) if second <= 12 else (second, first)
    if year is None or month is None or day is None:
        return None
    try:
        return datetime(year, month, day, found.hour, found.minute or 0, found.second or 0)
    except ValueError:
        return None


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{moment} is no time of a roll") from error


def words_of(found: Any) -> str | None:
    """A name or label on one line, cut when long; None where it is blank or no text."""
    if isinstance(found, bool) or not isinstance(found, str | int):
        return None
    shown = "".join(c if c.isprintable() or c.isspace() else " " for c in str(found)[: 4 * LONGEST_WORDS])
    return " ".join(shown.split())[:LONGEST_WORDS] or None


def zone_of(name: Any) -> tzinfo | None:
    """A time zone by its name; None gives None, an unknown name ValueError."""
    if name is None:
        return None
    try:
        return ZoneInfo(str(name))
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"timezone: {str(name)[:60]!r} is no time zone") from error
