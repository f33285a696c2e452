"""Plug-ins: rule systems, boards, dice services and reporters, found through entry points.

Built-ins come in the same way as anybody's: the core has no private door. Order is by name, so it
never depends on the order of installation. Loading is lazy: only what a command needs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, cast

from referee.app.errors import UsageError

if TYPE_CHECKING:
    # What a plug-in is made of is imported by the plug-in itself, not by commands that need none.
    from referee.model.text import Block
    from referee.ports.boards import Board
    from referee.ports.reports import Reporter
    from referee.ports.rules import Ruleset

    BodyReader = Callable[[str | None, str | None], tuple[Block, ...]]


@cache
def _entries(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=f"referee.{group}"), key=lambda e: e.name)}


@cache
def _load(group: str, name: str) -> Any:
    found = _entries(group).get(name)
    if found is None:
        there = ", ".join(_entries(group)) or "none"
        raise UsageError(f"there is no {group[:-1]} {name!r}; installed: {there}")
    try:
        return found.load()
    except Exception as error:
        raise UsageError(f"the {group[:-1]} {name!r} could not be loaded: {error}") from error


def names(group: str) -> tuple[str, ...]:
    """The names of all plug-ins of a group (rulesets, boards, dice, reporters)."""
    return tuple(_entries(group))


def ruleset(name: str) -> Ruleset:
    """A rule system by name; UsageError names those there are."""
    return cast("Ruleset", _load("rulesets", name))


def board(name: str) -> Board:
    """A forum software by name."""
    return cast("Board", _load("boards", name))


def boards() -> tuple[Board, ...]:
    """Every forum software, by name."""
    return tuple(board(name) for name in names("boards"))


def dice_kind(name: str) -> Callable[..., Any]:
    """The maker of dice services of a kind (`json`, `html`, `orokos` ...)."""
    return cast("Callable[..., Any]", _load("dice", name))


def reporter(name: str) -> Reporter:
    """A reporter by name."""
    return cast("Reporter", _load("reporters", name))


@cache
def body_reader() -> BodyReader:
    """The reader of transcript bodies (BBCode, plain text, HTML) into blocks."""
    return cast("BodyReader", _load("bodies", "transcript"))
