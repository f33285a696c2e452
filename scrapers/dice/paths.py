"""Places inside a page: JSON paths (`data.roll.dice[0].value`, `dice[].value`) and CSS selectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bs4 import BeautifulSoup
from soupsieve import SelectorSyntaxError

_STEP = re.compile(r"\.?([^.\[\]]{1,200})|\[(-?\d{1,6})?\]")
_ATTRIBUTE = re.compile(r"(.*?)\s*@([A-Za-z_][\w:.-]{0,60})", re.DOTALL)
#: A path may lead to so many places at the most.
MOST_FOUND = 5000
LONGEST_TEXT = 20_000

#: All that a place leads to in a parsed page; empty where the page has no such place.
Finder = Callable[[Any], list[Any]]


@dataclass(frozen=True, slots=True)
class _Every:
    """The step `[]`: each item of a list."""


_Step = str | int | _Every


def json_path(text: str) -> Finder:
    """The finder of a JSON path; ValueError where the path is not understood.

    Plain keys are separated by dots, `[0]` is an item of a list (`[-1]` the last), `[]` every item.
    """
    steps = _steps(text)

    def find(tree: Any) -> list[Any]:
        found = [tree]
        for step in steps:
            found = [inner for outer in found for inner in _taken(outer, step)]
            if len(found) > MOST_FOUND:
                raise ValueError(f"{text!r} leads to more than {MOST_FOUND} places")
        return found

    return find


def _steps(text: str) -> list[_Step]:
    path = text.strip().removeprefix("$")
    steps: list[_Step] = []
    place = 0
    while place < len(path):
        found = _STEP.match(path, place)
        if found is None or (place and found.group(1) and path[place] != "."):
            raise ValueError(f"{text[:80]!r} is no path: keys joined by dots, [0] or [] for lists")
        key, index = found.groups()
        steps.append(key if key is not None else _Every() if index is None else int(index))
        place = found.end()
    if not steps or len(steps) > 30:
        raise ValueError(f"{text[:80]!r} is no path: keys joined by dots, [0] or [] for lists")
    return steps


def _taken(outer: Any, step: _Step) -> list[Any]:
    if isinstance(step, str):
        return [outer[step]] if isinstance(outer, dict) and step in outer else []
    if not isinstance(outer, list):
        return []
    if isinstance(step, _Every):
        return outer
    return outer[step : step + 1 or None]


def css_path(text: str) -> Finder:
    """The finder of a CSS selector, with `@attribute` behind it for an attribute instead of the text.

    Raises ValueError where the selector is not understood.
    """
    named = _ATTRIBUTE.fullmatch(text.strip())
    selector, attribute = named.groups() if named else (text.strip(), None)
    try:
        BeautifulSoup("", "html.parser").select(selector)
    except (SelectorSyntaxError, ValueError, TypeError) as error:
        raise ValueError(f"{text[:80]!r} is no CSS selector") from error

    def find(soup: Any) -> list[Any]:
        tags = soup.select(selector, limit=MOST_FOUND)
        if attribute is None:
            return [" ".join(tag.get_text(" ").split())[:LONGEST_TEXT] for tag in tags]
        values = (tag.get(attribute) for tag in tags)
        return [" ".join(v) if isinstance(v, list) else v[:LONGEST_TEXT] for v in values if v is not None]

    return find
