"""Moments of a page: machine-readable ones are read here, dates in words by `clock`.

Most pages have machine dates, so the clock with its languages is loaded only when a page needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from referee.model.battle import Post


class Moment(NamedTuple):
    """A moment in UTC with `precision` and `origin` as in `referee.model.battle.Post`."""

    at: datetime | None = None
    precision: str = "unknown"
    origin: str = "unknown"


UNKNOWN = Moment()


def is_older(post: Post, other: Post) -> bool:
    """Whether a post was written before another one, as far as both tell."""
    return post.at is not None and other.at is not None and post.at < other.at


def from_attribute(value: str | None) -> Moment | None:
    """An ISO time or a Unix time (seconds or milliseconds) of an attribute; None if it is neither."""
    if not value:
        return None
    value = value.strip()
    try:
        if value.isdigit() and 9 <= len(value) <= 14:
            seconds = int(value) // (1000 if len(value) > 11 else 1)
            return Moment(datetime.fromtimestamp(seconds, UTC), "second", "attribute")
        at = datetime.fromisoformat(value)
    except (ValueError, OverflowError, OSError):
        return None
    if at.tzinfo is None:
        return None
    precision = "second" if value[16:17] == ":" else "minute"
    return Moment(at.astimezone(UTC).replace(microsecond=0), precision, "attribute")


class Words(Protocol):
    """Reads dates in words (`clock.Clock`)."""

    problems: list[str]

    @property
    def zoneless(self) -> bool:
        """Whether dates were read in the zone of the options."""

    def in_words(self, text: str) -> Moment:
        """The moment that a text names."""


class Times:
    """Reads the times of one page.

    `make` gives the clock for dates in words, asked for once, if ever; None where no date is in words.
    """

    __slots__ = ("_clock", "_make")

    def __init__(self, make: Callable[[], Words] | None = None) -> None:
        """Begin a page."""
        self._make = make
        self._clock: Words | None = None

    def read(self, text: str | None, attribute: str | None = None) -> Moment:
        """The moment that an attribute or else a text names."""
        machine = from_attribute(attribute) if attribute else None
        if machine is not None:
            return machine
        if not text or text.isspace() or self._make is None:
            return UNKNOWN
        if self._clock is None:
            self._clock = self._make()
        return self._clock.in_words(text)

    @property
    def zoneless(self) -> bool:
        """Whether dates in words were read in the zone of the options, for want of one on the page."""
        return self._clock is not None and self._clock.zoneless

    @property
    def problems(self) -> list[str]:
        """Lines for the operator about dates in words."""
        return self._clock.problems if self._clock is not None else []
