"""A page's clock: turns the dates on one page into UTC moments, with how sure they are.

A machine-readable attribute wins over text. Text is read in the page's own zone, where the page
prints one; relative dates are counted from the time of the answer. The order of figures (day or
month first) is never guessed in silence: evidence on the page, then the operator's option, then the
engine's default with a line for the operator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from referee.ports.boards import Page, ReadOptions
from scrapers.boards.dates import Written, read_date
from scrapers.boards.moments import UNKNOWN, Moment, from_attribute

_OFFSET = re.compile(r"(?:UTC|GMT)\s*(?:([+\-\u2212\u2013])\s*(\d{1,2})(?:[:.,]?(\d{2}|5))?)?(?![\w])")
_SUMMER = re.compile(r"\[\s*(?:DST|Sommerzeit|Летнее время)\s*\]", re.IGNORECASE)
_TIME_OF_DAY = re.compile(r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?)?", re.IGNORECASE)


def zone_named(name: str | None) -> tzinfo | None:
    """The zone of a name such as `Europe/Berlin` or `UTC+01:00`, None for an unknown one."""
    if not name:
        return None
    offset = zone_written(name)
    if offset is not None:
        return offset
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # slow to load, and most zones are written as offsets

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


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


class Clock:
    """Reads the dates of one page."""

    def __init__(
        self,
        page: Page,
        options: ReadOptions,
        *,
        zone: tzinfo | Callable[[], tzinfo | None] | None = None,
        day_first: bool = False,
        order: bool | None = None,
        evidence: Iterable[str] = (),
    ) -> None:
        """Set the clock.

        `zone` as the page prints it (or how to find it, once a date needs it); `day_first` the engine's
        default order, `order` the order where it is known already (day first: True); `evidence` further
        date texts of the page that show the order of figures (gone through once, if a date needs it).
        """
        self.now = page.fetched_at.astimezone(UTC) if page.fetched_at else None
        self._zone = zone
        self._fallback = options.timezone
        self.problems: list[str] = []
        self._option = options.day_first
        self._default = day_first
        self._evidence = evidence
        self._order = order

    @property
    def zone(self) -> tzinfo:
        """The zone of the page's dates: the page's own, else the board's as configured, else UTC."""
        if self._zone is None or callable(self._zone):
            found = self._zone() if self._zone is not None else None
            self._zone = found or zone_named(self._fallback) or UTC
        return self._zone

    def read(self, text: str | None, attribute: str | None = None) -> Moment:
        """The moment that an attribute or else a text names."""
        machine = from_attribute(attribute)
        if machine:
            return machine
        return self.in_words(text) if text and not text.isspace() else UNKNOWN

    def in_words(self, text: str) -> Moment:
        """The moment that a text names."""
        written = read_date(text)
        return self._moment(written) if written is not None else self._foreign(text)

    def local(self, text: str) -> datetime | None:
        """The time as written, without zone (for a board's own clock)."""
        written = read_date(text)
        if written is None or written.seconds_ago is not None or written.days_ago is not None or written.hour is None:
            return None
        return self._on_day(written, None)

    def _moment(self, written: Written) -> Moment:
        if written.seconds_ago is not None:
            if self.now is None:
                return Moment(None, "unknown", "relative")
            precision = "minute" if written.unit <= 60 else "day"
            return Moment(self.now - timedelta(seconds=written.seconds_ago), precision, "relative")
        relative = written.days_ago is not None
        if relative and self.now is None:
            return Moment(None, "unknown", "relative")
        zone = self.zone
        at = self._on_day(written, zone)
        if at is None:
            return UNKNOWN
        precision = "day" if written.hour is None else "minute" if written.second is None else "second"
        return Moment(at if zone is UTC else at.astimezone(UTC), precision, "relative" if relative else "text")

    def _on_day(self, written: Written, zone: tzinfo | None) -> datetime | None:
        """The written date and time of day, of that zone or of none; None for an impossible one."""
        if written.numbers is not None:
            year, month, number = self._figures(written.numbers, written.separator)
        elif written.days_ago is None and written.year:
            year, month, number = written.year, written.month or 0, written.day or 0
        else:
            year, month, number = self._near_today(written)
        try:
            return datetime(
                year, month, number, written.hour or 0, written.minute or 0, written.second or 0, tzinfo=zone
            )
        except ValueError:
            return None

    def _near_today(self, written: Written) -> tuple[int, int, int]:
        """Year, month and day of `Yesterday` or of a date without its year; zeros where no day is known."""
        today = self.now.astimezone(self.zone) if self.now else None
        if written.days_ago is not None:
            day = today - timedelta(days=written.days_ago) if today else None
            return (day.year, day.month, day.day) if day else (0, 0, 0)
        month, number = written.month or 0, written.day or 0
        return today.year - ((month, number) > (today.month, today.day)) if today else 0, month, number

    def _figures(self, numbers: tuple[int, int, int], separator: str) -> tuple[int, int, int]:
        """Year, month and day of a date in figures."""
        first, second, year = numbers
        if year < 100:
            year += 2000 if year < 70 else 1900
        if separator == "." or first > 12:
            return year, second, first
        if second > 12 or first == second:
            return year, first, second
        return (year, second, first) if self._day_first() else (year, first, second)

    def _day_first(self) -> bool:
        """Whether this page writes the day before the month, found out once."""
        if self._order is None:
            shown = order_shown(self._evidence, self.now)
            if shown is None and self._option is None:
                order = "day" if self._default else "month"
                self.problems.append(f"dates in figures may be read two ways: taken as {order} first")
            self._order = (
                self._default
                if shown is None and self._option is None
                else bool(shown if shown is not None else self._option)
            )
        return self._order

    def _foreign(self, text: str) -> Moment:
        """A date in words that are not ours: the large parser, loaded only now."""
        # A time of day alone is no date: the large parser would take today's.
        words = _TIME_OF_DAY.sub(" ", text)
        if len(text) > 80 or not any(c.isalpha() for c in words) or not any(c.isdigit() for c in text):
            return UNKNOWN
        import dateparser

        base = self.now.astimezone(self.zone).replace(tzinfo=None) if self.now else None
        settings = {"RELATIVE_BASE": base} if base else {}
        try:
            found = dateparser.parse(text.strip(), settings=settings)
        except Exception:  # the parser's own failures on odd text are many; a date not read is UNKNOWN
            found = None
        if found is None:
            return UNKNOWN
        at = found if found.tzinfo else found.replace(tzinfo=self.zone)
        return Moment(at.astimezone(UTC), "minute" if ":" in text else "day", "text")


def order_by_clock(text: str, now: datetime | None) -> bool | None:
    """Whether a board's own present time is written day first (True): only one reading can be now."""
    written = read_date(text) if text and now else None
    if written is None or written.numbers is None or now is None:
        return None
    first, second, year = written.numbers
    fits = []
    for month, day in ((first, second), (second, first)):
        try:
            shown = datetime(year, month, day, written.hour or 0, written.minute or 0)
        except ValueError:
            fits.append(False)
            continue
        fits.append(abs(shown - now.astimezone(UTC).replace(tzinfo=None)) <= timedelta(hours=15))
    return fits[1] if fits[0] != fits[1] else None


def order_shown(texts: Iterable[str], now: datetime | None) -> bool | None:
    """Whether date texts of a page show the day first (True), the month first (False), or neither.

    A figure over 12 shows it; so does a date that would lie in the future if read the other way.
    """
    day_first = month_first = False
    limit = now.replace(tzinfo=None) + timedelta(days=2) if now else None
    for text in texts:
        written = read_date(text)
        if written is None or written.numbers is None:
            continue
        first, second, year = written.numbers
        if first > 12 or second > 12:
            day_first |= first > 12
            month_first |= second > 12
        elif limit and year > 99 and first != second:
            day_first |= first >= 1 and (year, first, second) > (limit.year, limit.month, limit.day)
            month_first |= second >= 1 and (year, second, first) > (limit.year, limit.month, limit.day)
    return None if day_first == month_first else day_first
