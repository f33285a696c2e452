"""Dice services that are described in the configuration alone: JSON answers and HTML pages.

`json_service` and `html_service` build a service from a section such as `[dice.castle]`. Fields are
JSON paths or CSS selectors; see docs/dice.md for every key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from referee.model.battle import RollRecord
from referee.model.dice import read_dice
from referee.ports.boards import Page, Wish
from referee.ports.dice import DiceService
from scrapers.dice.links import Links, check_keys, links_of, spelling
from scrapers.dice.numbers import check_dice, dice_of_total, expression_of, time_of, values_of, words_of, zone_of
from scrapers.dice.pages import json_of, soup_of
from scrapers.dice.paths import Finder, css_path, json_path

FIELDS = ("expression", "values", "total", "at", "by", "label")
#: Fields that a configured place must lead to; the others a record may leave out.
NEEDED = frozenset({"expression", "values", "total", "at"})
GONE = (404, 410)
#: More expressions than this are not one record's.
MOST_JOINED = 20

_LOGIN = re.compile(r"(?i)log-?in|sign-?in|/auth\b")


@dataclass(frozen=True, slots=True)
class Missing:
    """How a service says that there is no such roll.

    `statuses`: HTTP statuses that mean it. `place`: a place in the page that is there (and holds
    `equals`, or else is neither empty nor false) only in that case.
    """

    statuses: frozenset[int] = frozenset(GONE)
    place: Finder | None = None
    equals: Any = None

    def says(self, tree: Any) -> bool:
        """Whether a parsed page says so."""
        found = self.place(tree) if self.place is not None else []
        if self.equals is not None:
            return self.equals in found
        return any(item not in (None, False, 0, "", [], {}) for item in found)


@dataclass(frozen=True, slots=True)
class Form:
    """A service's pages: how to parse one, where its fields are, how it says that a roll is missing.

    `joined`: several expressions in one record are those of one throw.
    """

    parse: Callable[[Page], Any]
    places: Mapping[str, Finder]
    patterns: Mapping[str, re.Pattern[str]]
    missing: Missing
    zone: tzinfo | None
    joined: bool = False


def json_service(name: str, config: Mapping[str, Any]) -> DiceService:
    """A service that answers in JSON; ValueError naming the key that is wrong."""
    return _service(name, config, json_of, json_path, "path", "application/json, */*;q=0.5")


def html_service(name: str, config: Mapping[str, Any]) -> DiceService:
    """A service whose pages are HTML; ValueError naming the key that is wrong."""
    return _service(name, config, soup_of, css_path, "selector", "text/html, */*;q=0.5")


def _service(
    name: str,
    config: Mapping[str, Any],
    parse: Callable[[Page], Any],
    finder: Callable[[str], Finder],
    missing_key: str,
    accept: str,
) -> DiceService:
    check_keys(config, ("fields", "patterns"))
    links = links_of(config)
    form = Form(
        parse,
        _places(config.get("fields"), finder),
        _patterns(config.get("patterns")),
        missing_of(config.get("missing"), missing_key, finder),
        zone_of(config.get("timezone") or "UTC"),
        missing_key == "path",
    )
    return DiceService(
        name=name,
        hosts=links.hosts,
        matches=lambda link: links.id_of(link) is not None,
        asks=lambda link: Wish(links.page_of(link), accept),
        reads=lambda link, page: read_record(links, form, link, page),
        allow_private=bool(config.get("allow_private", False)),
    )


def read_record(links: Links, form: Form, link: str, page: Page) -> RollRecord:
    """The record that a page shows for a link; ValueError where the page is not understood."""
    check_landing(links, link, page)
    if page.status in form.missing.statuses:
        return RollRecord(link, status="missing")
    check_answer(page)
    tree = form.parse(page)
    if form.missing.says(tree):
        return RollRecord(link, status="missing")
    found = {field: _found(field, form, tree) for field in form.places}
    expression = _labelled("expression", lambda: _expression(found.get("expression"), form.joined))
    return RollRecord(
        link,
        at=_labelled("at", lambda: time_of(_first(found.get("at")), form.zone)),
        by=words_of(_first(found.get("by"))),
        expression=expression,
        values=_labelled("values", lambda: _dice(found, expression)),
        label=words_of(_first(found.get("label"))),
    )


def _expression(found: list[Any] | None, joined: bool) -> str | None:
    """The expression of a record; of several plain ones their sum, where all of them belong to the record."""
    if not found:
        return None
    spelled = [expression_of(item) for item in (found[:MOST_JOINED] if joined else found[:1])]
    if len(spelled) > 1 and all([read_dice(part) is not None for part in spelled]):
        return "+".join(spelled)
    return spelled[0]


def _dice(found: Mapping[str, list[Any]], expression: str | None) -> tuple[int, ...]:
    """The dice of a record, as far as they fit its expression and its total; ValueError where they do not."""
    stated = found.get("total")
    total = sum(values_of(stated)) if stated and stated[0] is not None else None
    if "values" in found:
        values = values_of(found["values"])
    elif total is not None:
        values = dice_of_total(expression, total)
    else:
        raise ValueError("neither dice nor their total found")
    check_dice(expression, values, total)
    return values


def check_landing(links: Links, link: str, page: Page) -> None:
    """Raise ValueError where a redirect led to another roll or to a login: its answer is none to the link."""
    landed = links.id_of(page.url)
    if landed is not None and landed != links.id_of(link):
        raise ValueError(f"led to another roll ({landed[:40]})")
    if landed is None and spelling(page.url) != links.page_of(link) and _LOGIN.search(urlsplit(page.url).path):
        raise ValueError("led to a login")


def check_answer(page: Page) -> None:
    """Raise ValueError for an error page."""
    if page.status != 200:
        raise ValueError(f"answered {page.status}")


def _found(field: str, form: Form, tree: Any) -> list[Any]:
    found = form.places[field](tree)
    pattern = form.patterns.get(field)
    if pattern is not None:
        found = [_matched(pattern, item) for item in found if isinstance(item, str)]
        found = [item for item in found if item is not None]
    if not found and field in NEEDED:
        raise ValueError(f"{field}: not found on the page")
    return found


def _matched(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    if found is None:
        return None
    return found.group(1) if pattern.groups else found.group()


def _first(found: list[Any] | None) -> Any:
    return found[0] if found else None


def _labelled(field: str, read: Callable[[], Any]) -> Any:
    """What `read` gives; its ValueError names the field."""
    try:
        return read()
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from error


def _places(fields: Any, finder: Callable[[str], Finder]) -> dict[str, Finder]:
    if not isinstance(fields, Mapping) or not ({"values", "total"} & set(fields) or set(fields) - set(FIELDS)):
        raise ValueError("fields: a table with at least `values` or `total` is needed")
    places = {}
    for field, place in fields.items():
        if field not in FIELDS:
            raise ValueError(f"fields.{field}: no such field; there are {', '.join(FIELDS)}")
        if not isinstance(place, str):
            raise ValueError(f"fields.{field}: text is needed")
        places[field] = _labelled(f"fields.{field}", partial(finder, place))
    return places


def _patterns(patterns: Any) -> dict[str, re.Pattern[str]]:
    if patterns is None:
        return {}
    compiled = {}
    for field, pattern in patterns.items():
        if field not in FIELDS:
            raise ValueError(f"patterns.{field}: no such field; there are {', '.join(FIELDS)}")
        try:
            compiled[field] = re.compile(pattern)
        except (re.error, TypeError) as error:
            raise ValueError(f"patterns.{field}: {error}") from error
    return compiled


def missing_of(given: Any, key: str, finder: Callable[[str], Finder]) -> Missing:
    """The table `missing` of a configuration; ValueError naming what is wrong in it."""
    if given is None:
        return Missing()
    if not isinstance(given, Mapping) or set(given) - {"status", key, "equals"}:
        raise ValueError(f"missing: a table with status, {key} and equals is needed")
    statuses = given.get("status", GONE)
    statuses = [statuses] if isinstance(statuses, int) else statuses
    if not all(isinstance(status, int) and 400 <= status < 500 for status in statuses):
        raise ValueError("missing.status: statuses from 400 to 499 are needed")
    place = given.get(key)
    found = None if place is None else _labelled(f"missing.{key}", lambda: finder(str(place)))
    equals = given.get("equals")
    if found is not None and key == "selector" and equals is None:
        # An element that is there says so even without a word in it.
        return Missing(frozenset(statuses), lambda tree: [True for _ in found(tree)])
    return Missing(frozenset(statuses), found, equals)
