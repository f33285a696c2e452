"""Zones of boards: as the page names them, as its clock shows them, or as its dates give them away.

Boards that know summer time print only the offset of the moment. Taken for all dates it would be an hour
wrong for those of the other half of the year, so it is only one moment of which the offset is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

from scrapers.patterns import Pattern

_OFFSET = Pattern(r"(?:UTC|GMT)\s*(?:([+\-\u2212\u2013])\s*(\d{1,2})(?:[:.,]?(\d{2}|5))?)?(?![\w])")
_SUMMER = Pattern(r"(?i)\[\s*(?:DST|Sommerzeit|Летнее время)\s*\]")

#: One place for each rule of summer time and offset that is in use.
_PLACES = (
    "America/New_York America/Chicago America/Denver America/Los_Angeles America/Halifax America/St_Johns "
    "America/Anchorage America/Adak America/Havana America/Santiago America/Nuuk Atlantic/Azores Europe/London "
    "Europe/Berlin Europe/Athens Europe/Chisinau Africa/Cairo Asia/Jerusalem Asia/Beirut Australia/Sydney "
    "Australia/Adelaide Australia/Lord_Howe Pacific/Auckland Pacific/Chatham Pacific/Easter Pacific/Norfolk"
)


class Shown(NamedTuple):
    """A moment in UTC of which the board shows its own time: so much ahead of UTC."""

    at: datetime
    offset: timedelta


class Deduced(tzinfo):
    """A zone without a name: all that is known are the offsets that the board shows at some moments.

    Its offset at another moment is what all zones that agree with those have then. Where they differ, the
    greatest counts: the moment is then the earliest possible one, and `sure` says that it is not certain.
    """

    def __init__(self, shown: Iterable[Shown]) -> None:
        """Begin with at least one moment."""
        self._shown = tuple(shown)
        self._zones: tuple[tzinfo, ...] | None = None

    def _agreeing(self) -> tuple[tzinfo, ...]:
        """The zones that agree with all that is shown; one without summer time among them, if it does."""
        if self._zones is None:
            offsets = {shown.offset for shown in self._shown}
            fixed = [timezone(offsets.pop())] if len(offsets) == 1 else []
            self._zones = (*fixed, *(zone for zone in _changing() if agrees(zone, self._shown)))
        return self._zones

    def _possible(self, at: datetime) -> set[timedelta]:
        """The offsets that the zone may have at a moment in its own time."""
        plain = at.replace(tzinfo=None)
        return {zone.utcoffset(plain.replace(fold=fold)) or timedelta() for zone in self._agreeing() for fold in (0, 1)}

    def sure(self, at: datetime) -> bool:
        """Whether there is only one offset possible at a moment in its own time."""
        return len(self._possible(at)) == 1

    def utcoffset(self, at: datetime | None) -> timedelta:
        """The greatest offset that the zone may have; where nothing agrees, that of the nearest moment."""
        if at is None:
            return self._shown[0].offset
        plain = at.replace(tzinfo=UTC)
        nearest = min(self._shown, key=lambda shown: abs(shown.at - plain))
        return max(self._possible(at), default=nearest.offset)

    def dst(self, at: datetime | None) -> timedelta:
        """Nothing: the offset is all that is known."""
        return timedelta()

    def tzname(self, at: datetime | None) -> str | None:
        """No name."""
        return None


@lru_cache(maxsize=1)
def _changing() -> tuple[tzinfo, ...]:
    """The zones that have summer time."""
    return tuple(zone for name in _PLACES.split() if (zone := _zone_at(name)) is not None)


def agrees(zone: tzinfo, shown: Iterable[Shown]) -> bool:
    """Whether a zone has the offsets that a board shows."""
    return all(moment.at.astimezone(zone).utcoffset() == moment.offset for moment in shown)


def settled(shown: Iterable[Shown], *names: str | None) -> tzinfo | None:
    """The zone of a board that shows its offset at some moments (none: None).

    The first named one that agrees with them, else what they give away.
    """
    seen = tuple(shown)
    if not seen:
        return None
    for name in names:
        zone = zone_named(name)
        if zone is not None and agrees(zone, seen):
            return zone
    return Deduced(seen)


def sure(at: datetime) -> bool:
    """Whether a moment with its zone is certain: not in an hour that comes twice, not by an unnamed zone."""
    zone = at.tzinfo
    if zone is None or isinstance(zone, timezone):
        return True
    if isinstance(zone, Deduced):
        return zone.sure(at)
    return at.replace(fold=0).utcoffset() == at.replace(fold=1).utcoffset()


@lru_cache(maxsize=64)
def zone_named(name: str | None) -> tzinfo | None:
    """The zone of a name such as `Europe/Berlin` or `UTC+01:00`, None for an unknown one.

    phpBB writes places with blanks (`America/New York`) and continents in its language (`Europa/Berlin`).
    """
    if not name:
        return None
    offset = zone_written(name)
    if offset is not None:
        return offset
    plain = name.strip().replace(" ", "_")
    return _zone_at(plain) or _zone_of_city(plain)


def _zone_at(name: str) -> tzinfo | None:
    """The zone of a place, None for an unknown one."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # slow to load, and most zones are written as offsets

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _zone_of_city(name: str) -> tzinfo | None:
    """The zone of a place whose continent is written in another language, None unless the city is one of a kind."""
    from zoneinfo import available_timezones

    _, slash, city = name.rpartition("/")
    found = sorted(zone for zone in available_timezones() if zone.endswith("/" + city)) if slash and city else []
    return _zone_at(found[0]) if len(found) == 1 else None


def zone_written(text: str) -> tzinfo | None:
    """The zone in a line such as `All times are UTC + 1 hour [ DST ]`, None where it names none."""
    match = _OFFSET.search(text)
    if not match:
        return None
    minutes = 0
    if match[1]:
        part = match[3] or "0"
        minutes = int(match[2]) * 60 + (30 if part == "5" else int(part))
        minutes = minutes if match[1] == "+" else -minutes
    minutes += 60 if _SUMMER.search(text) else 0
    return timezone(timedelta(minutes=minutes)) if abs(minutes) < 24 * 60 else None


def zone_by_clock(board: datetime | None, now: datetime | None) -> tzinfo | None:
    """The zone of a board that shows its present time: the difference to UTC in quarters of an hour."""
    if board is None or now is None:
        return None
    quarters = round((board - now.astimezone(UTC).replace(tzinfo=None)).total_seconds() / 900)
    return timezone(timedelta(minutes=15 * quarters)) if abs(quarters) <= 14 * 4 else None


def shown_by(zone: tzinfo | None, at: datetime | None) -> tuple[Shown, ...]:
    """What a board's present offset shows; nothing without it or without the time."""
    offset = zone.utcoffset(at) if zone is not None and at is not None else None
    return (Shown(at, offset),) if at is not None and offset is not None else ()
