"""A page's clock: turns the dates on one page into UTC moments, with how sure they are.

A machine-readable attribute wins over text. Text is read in the page's own zone, where the page
prints one; relative dates are counted from the time of the answer. The order of figures (day or
month first) is never guessed in silence: evidence on the page, then the operator's option, then the
engine's default with a line for the operator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo

from referee.ports.boards import Page, ReadOptions
from scrapers.times.dates import Written, read_date
from scrapers.times.moments import UNKNOWN, Moment, from_attribute
from scrapers.times.zones import Shown, shown_by, sure, zone_by_clock, zone_named

#: What an unnamed zone's summer time costs.
_DOUBTFUL = "times may be an hour off (summer time): the page names no zone; set the board's `timezone`"
_TIME_OF_DAY = re.compile(r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?)?", re.IGNORECASE)


#: In Croatian, `lip`, `srp` and `lis` are other months than in Polish and Czech.
_LANGUAGE = re.compile(rb"""<html\b[^<>]{0,300}?\slang=["']?hr\b""", re.IGNORECASE)


class Clock:
    """Reads the dates of one page."""

    def __init__(
        self,
        page: Page,
        options: ReadOptions,
        *,
        zone: tzinfo | Callable[[], tzinfo | None] | None = None,
        day_first: bool = False,
        order: bool | Callable[[], bool | None] | None = None,
        evidence: Iterable[str] = (),
    ) -> None:
        """Set the clock.

        `zone` as the page prints it (or how to find it, once a date needs it); `day_first` the engine's
        default order, `order` the order where it is known already (day first: True) or may be looked up;
        `evidence` further date texts of the page that show the order of figures (gone through once, if a date
        needs it).
        """
        self.now = page.fetched_at.astimezone(UTC) if page.fetched_at else None
        self._zone = zone
        self._fallback = options.timezone
        self.zoneless = False
        self.problems: list[str] = []
        self._option = options.day_first
        self._default = day_first
        self._evidence = evidence
        self._order = order
        named = _LANGUAGE.search(page.body[:3000])
        self._otherwise = "hr" if named else None

    @property
    def zone(self) -> tzinfo:
        """The zone of the page's dates: the page's own, else the board's as configured, else UTC."""
        if self._zone is None or callable(self._zone):
            found = self._zone() if self._zone is not None else None
            self._zone = found or zone_named(self._fallback) or UTC
            self.zoneless = found is None
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
        if written is not None and written.month and self._otherwise and any(sign.isalpha() for sign in text):
            return self._foreign(text, [self._otherwise])
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
        origin = "relative" if relative else "text"
        return Moment(at, precision, origin) if zone is UTC else self._in_utc(at, precision, origin)

    def _in_utc(self, at: datetime, precision: str, origin: str) -> Moment:
        """A moment of the page's zone in UTC; only its day counts where it may be an hour off."""
        if precision != "day" and not sure(at):
            precision = "day"
            self._say(_DOUBTFUL)
        return Moment(at.astimezone(UTC), precision, origin)

    def _say(self, line: str) -> None:
        """A line for the operator, once a page."""
        if line not in self.problems:
            self.problems.append(line)

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
        year = full_year(year)
        if first > 12:
            return year, second, first
        if second > 12 or first == second:
            return year, first, second
        return (year, second, first) if self._day_first(separator) else (year, first, second)

    def _day_first(self, separator: str) -> bool:
        """Whether this page writes the day before the month, found out once.

        Where nothing tells, dates with dots are taken as day first: only few write the month first with them.
        """
        if callable(self._order):
            self._order = self._order()
        if self._order is None:
            shown = order_shown(self._evidence, self.now)
            if shown is None and self._option is None:
                shown = self._default or separator == "."
                self._say(f"dates in figures may be read two ways: taken as {'day' if shown else 'month'} first")
            self._order = bool(shown if shown is not None else self._option)
        return self._order

    def _foreign(self, text: str, languages: list[str] | None = None) -> Moment:
        """A date in words that are not ours: the large parser, loaded only now."""
        # A time of day alone is no date: the large parser would take today's.
        words = _TIME_OF_DAY.sub(" ", text)
        if len(text) > 80 or not any(c.isalpha() for c in words) or not any(c.isdigit() for c in text):
            return UNKNOWN
        import dateparser

        base = self.now.astimezone(self.zone).replace(tzinfo=None) if self.now else None
        # Without a day and a month (a weekday, a time of day) it would take those of the present.
        settings: dict[str, object] = {"REQUIRE_PARTS": ["day", "month"], **({"RELATIVE_BASE": base} if base else {})}
        try:
            found = dateparser.parse(text.strip(), languages=languages, settings=settings)
        except Exception:  # the parser's own failures on odd text are many; a date not read is UNKNOWN
            found = None
        if found is None:
            return UNKNOWN
        at = found if found.tzinfo else found.replace(tzinfo=self.zone)
        return self._in_utc(at, "minute" if ":" in text else "day", "text")


def full_year(year: int) -> int:
    """A year of which two figures may be written."""
    return year if year > 99 else year + (2000 if year < 70 else 1900)


def order_by_clock(text: str, now: datetime | None) -> bool | None:
    """Whether a board's own present time is written day first (True): only one reading can be now."""
    written = read_date(text) if text and now else None
    if written is None or written.numbers is None or now is None:
        return None
    first, second, year = written.numbers
    fits = []
    for month, day in ((first, second), (second, first)):
        try:
            shown = datetime(full_year(year), month, day, written.hour or 0, written.minute or 0)
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
        year = full_year(year)
        if first > 12 or second > 12:
            day_first |= first > 12
            month_first |= second > 12
        elif limit and first != second:
            day_first |= first >= 1 and (year, first, second) > (limit.year, limit.month, limit.day)
            month_first |= second >= 1 and (year, second, first) > (limit.year, limit.month, limit.day)
    return None if day_first == month_first else day_first


def shown_beside(page: Page, pairs: Iterable[tuple[str, str]]) -> Iterator[Shown]:
    """What the words of machine times show of a page's zone; relative words and dates in figures show nothing."""
    bare = Clock(page, ReadOptions())
    for text, attribute in pairs:
        machine = from_attribute(attribute)
        written = read_date(text)
        if machine is None or written is None or written.numbers is not None:
            continue
        zone = zone_by_clock(bare.local(text), machine.at)
        yield from shown_by(zone, machine.at)
