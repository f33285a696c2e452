"""The clock of an SMF page: the board's own present time shows its zone and the order of figures in dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo

from selectolax.lexbor import LexborHTMLParser

from referee.ports.boards import Page, ReadOptions
from scrapers.boards.pages import attr, words
from scrapers.times.clock import Clock, order_by_clock
from scrapers.times.moments import from_attribute
from scrapers.times.zones import settled, shown_by, zone_by_clock


def clock_of(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> Clock:
    """The page's clock: all dates of the page may show the order of their figures."""

    def dates() -> Iterator[str]:
        yield from (words(node) for node in tree.css(".keyinfo .smalltext, .keyinfo time"))

    return Clock(
        page,
        options,
        zone=lambda: _zone(page, tree, skin, options),
        order=lambda: _order(page, tree, skin),
        evidence=dates(),
    )


def _clocks(page: Page, tree: LexborHTMLParser, skin: dict[str, str]) -> Iterator[tuple[str, datetime | None]]:
    """The board's present time in words, with the moment it stands for: 2.1 prints it in a machine time, 2.0 alone."""
    node = tree.css_first(skin["clock"])
    if node is not None:
        machine = from_attribute(attr(node, "datetime"))
        yield words(node), machine.at if machine else None
        return
    for node in tree.css("#time, .user li:last-child, .user .smalltext, #upper_section .smalltext, .time"):
        yield words(node), page.fetched_at


def _order(page: Page, tree: LexborHTMLParser, skin: dict[str, str]) -> bool | None:
    """Whether the board's own clock writes the day first, None where it does not show it."""
    return next((o for text, at in _clocks(page, tree, skin) if (o := order_by_clock(text, at)) is not None), None)


def _zone(page: Page, tree: LexborHTMLParser, skin: dict[str, str], options: ReadOptions) -> tzinfo | None:
    """The board's zone by its own clock. That shows the offset of the moment; the dates follow summer time."""
    clock = Clock(page, ReadOptions(), order=lambda: _order(page, tree, skin))
    for text, at in _clocks(page, tree, skin):
        zone = zone_by_clock(clock.local(text), at)
        if zone is not None:
            return settled(shown_by(zone, at), options.timezone)
    return None
