"""Times of a transcript: ISO 8601, as exactly as they are written, in UTC (naive ones are UTC, X15)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import NamedTuple

#: From the finest to the coarsest, as `referee.model.battle.Post.precision` has them.
_PRECISIONS = ("second", "minute", "day")
#: An offset behind a blank, as YAML has it and ISO 8601 has not.
_APART = re.compile(r"\s+(?=[+-]\d{2}:?\d{2}\Z)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")
#: A time of day that ends with its minutes.
_MINUTES = re.compile(r"\A[\d-]{8,10}[T ]\d{2}(?::\d{2}(?!:)|\d{2}(?!\d))")


class Moment(NamedTuple):
    """The earliest moment (UTC) that was written, and how exactly: second, minute or day."""

    at: datetime
    precision: str


def moment_of(value: object) -> Moment:
    """The moment that a value of YAML or JSON tells; ValueError with what was expected where it tells none.

    Numbers are none: `10:00` is the number 600 to YAML, and a time in 1970 would accuse somebody.
    """
    try:
        found = _found(value)
    except (ValueError, OverflowError):
        found = None
    if found is None:
        raise ValueError(f"expected a time such as 2026-01-02T10:00:00Z, found {str(value)[:40]!r}")
    return found


def coarsest(*moments: Moment | None) -> str:
    """The precision of the least exact of several moments; `unknown` of none."""
    known = [_PRECISIONS.index(moment.precision) for moment in moments if moment is not None]
    return _PRECISIONS[max(known)] if known else "unknown"


def _found(value: object) -> Moment | None:
    if isinstance(value, datetime):
        return Moment(_in_utc(value), "second")
    if isinstance(value, date):
        return Moment(datetime.combine(value, time(), UTC), "day")
    if not isinstance(value, str) or len(value) > 60:
        return None
    text = _APART.sub("", value.strip().upper())
    if _DAY.fullmatch(text):
        return _found(date.fromisoformat(text))
    moment = _in_utc(datetime.fromisoformat(text))
    if _MINUTES.match(text):
        return Moment(moment, "minute")
    # What names the hour only is good to no more than the day.
    return Moment(moment, "second" if text.count(":") > 1 or re.search(r"[T ]\d{6}", text) else "day")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
