"""Timelines of a fighter's pool as inline SVG, drawn with pygal.

pygal's own page parts (script, style sheet, tooltips) are left out: the picture is written anew from
a short list of allowed elements and attributes, and coloured by the report's own style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from markupsafe import Markup, escape

from reports.shared import Plain, ShownPool, visible

#: Width and height in the units of the picture, which scales with the page.
SIZE = (480, 190)
#: Steps of the upright axis at most.
MOST_TICKS = 5
#: More points than this are not drawn; the table beside the picture holds them all.
MOST_POINTS = 120

_ELEMENTS = {"g", "path", "rect", "circle", "text"}
_ATTRIBUTES = ("class", "transform", "x", "y", "width", "height", "d", "cx", "cy", "r")
_DROPPED = {"tooltip-overlay", "text-overlay", "titles"}
_TAIL = re.compile(r"\d{1,9}\.\d{2,20}")


@dataclass(frozen=True, slots=True)
class Point:
    """A pool after one post. `marked`: a finding at that post concerns this fighter."""

    post: str
    pool: ShownPool
    marked: bool = False


def timeline(title: str, points: Sequence[Point]) -> Markup | None:
    """The picture of one pool, or None where no value is known or only one post states it."""
    points = points[-MOST_POINTS:]
    lines = _lines(points)
    if len(points) < 2 or not any(value is not None for _, values in lines for value in values):
        return None
    import pygal  # loaded only where a picture is drawn

    chart = pygal.Line(
        js=[], css=[], no_prefix=True, width=SIZE[0], height=SIZE[1], explicit_size=True, show_legend=False,
        disable_xml_declaration=True, dots_size=3, margin=6, min_scale=3, max_scale=6, show_minor_x_labels=False,
        x_labels_major_every=max(1, len(points) // 12),
    )  # fmt: skip
    chart.x_labels = [visible(point.post, 8) for point in points]
    chart.y_labels = ticks([value for _, values in lines for value in values if value is not None])
    for name, values in lines:
        chart.add(name, values, stroke=name != "finding", dots_size=6 if name == "finding" else 3)
    return _svg(chart.render_tree(), title)


def ticks(values: Sequence[int | float]) -> list[int]:
    """Whole numbers for the upright axis, at most seven, from below the least value to above the greatest."""
    low, high = floor(min(values)), ceil(max(values))
    if low == high:
        low, high = low - 1, high + 1
    step = 1
    while (high - low) / step > MOST_TICKS:
        step = _next_step(step)
    first = low // step * step
    return list(range(first, high + step, step)) if high > first else [first, first + step]


def _next_step(step: int) -> int:
    """1, 2, 5, 10, 20, 50 ..."""
    return step * 5 // 2 if str(step)[0] == "2" else step * 2


def _lines(points: Sequence[Point]) -> list[tuple[str, list[Plain]]]:
    """The lines of a picture: as posted, the least and the most that the rules give, the findings."""
    stated = [point.pool.claimed for point in points]
    ends = [_ends(point.pool) for point in points]
    marks = [_mark(point) for point in points]
    low, high = [least for least, _ in ends], [most for _, most in ends]
    return [("posted", stated), ("least", low), ("most", high), ("finding", marks)]


def _ends(pool: ShownPool) -> tuple[Plain, Plain]:
    """The least and the greatest computed value."""
    if not pool.computed:
        return None, None
    if isinstance(pool.computed, dict):
        return pool.computed["min"], pool.computed["max"]
    return min(pool.computed), max(pool.computed)


def _mark(point: Point) -> Plain:
    """Where the mark of a finding goes: on the posted line, else on the computed one."""
    if not point.marked:
        return None
    return point.pool.claimed if point.pool.claimed is not None else _ends(point.pool)[0]


def _svg(root: Any, title: str) -> Markup:
    """The picture written anew from its tree, with a title for readers who can't see it."""
    inside = "".join(_element(child) for child in root)
    width, height = SIZE
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="timeline" role="img" viewBox="0 0 {0} {1}" '
        'width="{0}" height="{1}"><title>{2}</title>{3}</svg>'
    ).format(width, height, visible(title), Markup(inside))  # noqa: S704 - every part was escaped


def _shorter(value: str) -> str:
    """Coordinates with one decimal: more can't be seen, and long tails of digits could look like a total."""
    return _TAIL.sub(lambda found: f"{float(found[0]):.1f}", value)


def _element(node: Any) -> str:
    """One element with its allowed attributes; comments, scripts, styles and tooltips vanish."""
    name = str(node.tag).rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""
    if name not in _ELEMENTS or _DROPPED & set(str(node.get("class", "")).split()):
        return ""
    attributes = "".join(f' {key}="{escape(_shorter(node.get(key)))}"' for key in _ATTRIBUTES if node.get(key))
    words = escape(node.text or "") if name == "text" else ""
    return f"<{name}{attributes}>{words}{''.join(_element(child) for child in node)}</{name}>"
