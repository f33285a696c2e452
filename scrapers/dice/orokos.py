"""The Orokos roller: permalinks `/roll/<number>`, a table with a row for each roll.

Columns in order: Time, Roller, Character, Campaign, Description, Results. A result reads
`5d10o10k2: 30 [5d10o10k2=[21, 9], 8, 4, 1]`: expression, total, and the dice of each term in square
brackets, kept dice first. The zone of its times is not documented: without `timezone` in the
configuration a time that names no zone is left out, since a wrong zone would accuse honest players.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from bs4 import BeautifulSoup, Tag

from referee.model.battle import RollRecord
from referee.ports.boards import Page, Wish
from referee.ports.dice import DiceService
from scrapers.dice.linked import Missing, check_answer, check_landing, missing_of
from scrapers.dice.links import Links, check_keys, links_of
from scrapers.dice.numbers import check_dice, expression_of, time_of, values_of, words_of, zone_of
from scrapers.dice.pages import soup_of
from scrapers.dice.paths import css_path

PATTERN = r"https?://(?:www\.)?orokos\.com/roll/(?P<id>\d{1,18})"
COLUMNS = ("time", "roller", "character", "campaign", "description", "results")
LONGEST_RESULT = 10_000

_RESULT = re.compile(r"\s*([^:\[\]]{1,120}):\s*(-?\d{1,9})\s*((?:\[[^=\]]{1,120}=[^=]{1,5000}\]\s*)+)")
_TERM = re.compile(r"\[([^=\[\]]{1,120})=([\d,\s\[\]-]{1,5000}?)\](?=\s*(?:\[[^=\[\]]{1,120}=|$))")
#: Times as English pages write them, tried where ISO does not fit.
_TIMES = ("%Y-%m-%d %I:%M %p", "%Y/%m/%d %H:%M:%S", "%b %d, %Y %I:%M %p", "%B %d, %Y %I:%M %p", "%b %d %Y %H:%M:%S")


@dataclass(frozen=True, slots=True)
class Result:
    """A result as written: expression in its usual spelling, total, dice in the order shown."""

    expression: str
    total: int
    values: tuple[int, ...]


def service(name: str, config: Mapping[str, Any]) -> DiceService:
    """The Orokos service; configuration may give url_pattern, ask, hosts, timezone, missing."""
    check_keys({key: value for key, value in config.items() if key != "fields" or value})
    links = links_of(config, PATTERN)
    zone = zone_of(config.get("timezone"))
    missing = missing_of(config.get("missing"), "selector", css_path)
    return DiceService(
        name=name,
        hosts=links.hosts,
        matches=lambda link: links.id_of(link) is not None,
        asks=lambda link: Wish(links.page_of(link), "text/html, */*;q=0.5"),
        reads=lambda link, page: _record(links, zone, missing, link, page),
        allow_private=bool(config.get("allow_private", False)),
    )


def _record(links: Links, zone: tzinfo | None, missing: Missing, link: str, page: Page) -> RollRecord:
    check_landing(links, link, page)
    if page.status in missing.statuses:
        return RollRecord(link, status="missing")
    check_answer(page)
    soup = soup_of(page)
    if missing.says(soup):
        return RollRecord(link, status="missing")
    row = _row(soup, links.id_of(link) or "", links)
    result = read_result(row["results"].get_text(" "))
    return RollRecord(
        link,
        at=_time(row["time"], zone),
        by=words_of(row["character"].get_text(" ")) or words_of(row["roller"].get_text(" ")),
        expression=result.expression,
        values=result.values,
        label=words_of(row["description"].get_text(" ")),
    )


def _row(soup: BeautifulSoup, roll: str, links: Links) -> dict[str, Tag]:
    """The cells of a roll's row; ValueError where the page has no such row, or more than one."""
    rows = [cells for cells in map(_cells, soup.find_all("tr", limit=500)) if cells is not None]
    if not rows:
        raise ValueError("the page has no table of rolls")
    named = [cells for cells in rows if roll in _rolls_in(cells, links)]
    chosen = named or (rows if len(rows) == 1 else [])
    if len(chosen) != 1:
        raise ValueError(f"the page shows {len(rows)} rolls, and it can't be told which is {roll}")
    if not named and _rolls_in(chosen[0], links):
        raise ValueError("the page shows another roll")
    return dict(zip(COLUMNS, chosen[0], strict=True))


def _cells(row: Tag) -> list[Tag] | None:
    cells = [cell for cell in row.find_all("td", recursive=False) if isinstance(cell, Tag)]
    return cells if len(cells) == len(COLUMNS) else None


def _rolls_in(cells: list[Tag], links: Links) -> set[str]:
    """The rolls that a row links to, outside what players typed."""
    typed = {COLUMNS.index("description"), COLUMNS.index("campaign"), COLUMNS.index("character")}
    found = set()
    for index, cell in enumerate(cells):
        for anchor in cell.find_all("a", href=True) if index not in typed else ():
            href = str(anchor["href"])
            near = re.fullmatch(r"(?:\.?/)?roll/(\d{1,18})/?", href)
            roll = near.group(1) if near else links.id_of(href)
            found |= {roll} if roll else set()
    return found


def read_result(text: str) -> Result:
    """A result's text; ValueError where it is not understood.

    Several results in one text (`2#1d100`, `1d100;1d100`) count as one roll of all their dice if
    they are plain dice of one kind.
    """
    line = " ".join(text[:LONGEST_RESULT].split()).replace(" :", ":")
    results, place = [], 0
    while place < len(line):
        found = _RESULT.match(line, place)
        if found is None:
            raise ValueError(f"results: {line[place : place + 60]!r} is not understood")
        results.append(_one(found))
        place = found.end()
    if not results:
        raise ValueError("results: empty")
    return results[0] if len(results) == 1 else _together(results)


def _one(found: re.Match[str]) -> Result:
    expression = expression_of(found.group(1))
    terms = _TERM.findall(found.group(3).strip())
    if not terms or "".join(f"[{t}={d}]" for t, d in terms).replace(" ", "") != found.group(3).replace(" ", ""):
        raise ValueError(f"results: {found.group(3)[:60]!r} is not understood")
    values = values_of(dice for _, dice in terms)
    check_dice(expression, values, int(found.group(2)))
    return Result(expression, int(found.group(2)), values)


def _together(results: list[Result]) -> Result:
    kinds = {result.expression.partition("d")[2] for result in results}
    counts = [result.expression.partition("d")[0] for result in results]
    sides = kinds.pop()
    if kinds or not sides.isdigit() or not all(count.isdigit() for count in counts):
        raise ValueError("results: several rolls of different kinds on one page")
    values = tuple(value for result in results for value in result.values)
    expression = f"{len(values)}d{sides}"
    return Result(expression, sum(values), values)


def _time(cell: Tag, zone: tzinfo | None) -> datetime | None:
    """The time of a row: an attribute with its zone if there is one, else the text in `zone`."""
    marked = cell.select_one("[datetime]")
    if isinstance(marked, Tag):
        return time_of(str(marked["datetime"]), zone)
    text = " ".join(cell.get_text(" ").split())
    for form in _TIMES:
        try:
            text = datetime.strptime(text[:60], form).isoformat()
        except ValueError:
            continue
        break
    try:
        return time_of(text, zone)
    except ValueError:
        if zone is None:
            return None
        raise
