"""Plug-ins: rule systems, boards, dice services and reporters, found through entry points.

Built-ins come in the same way as anybody's: the core has no private door. Order is by name, so it
never depends on the order of installation. Loading is lazy: only what a command needs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
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
def _entries(group: str) -> dict[str, str]:
    """Name -> `module:attribute` of the plug-ins of a group, by name."""
    group = f"referee.{group}"
    if any(place.is_file() for place in _places()):
        # Packages in archives: their metadata can only be had the long way.
        from importlib.metadata import entry_points

        return dict(sorted((entry.name, f"{entry.module}:{entry.attr}") for entry in entry_points(group=group)))
    return dict(sorted(_installed().get(group, ())))


@cache
def _installed() -> dict[str, list[tuple[str, str]]]:
    """Group -> (name, `module:attribute`) of all entry points of the installed distributions.

    The same as `importlib.metadata.entry_points`, from the same files: that module loads readers of mail, tables
    and archives, which took a sixth of the time of reading a thread's saved pages.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for text in _entry_files():
        group = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("[") and line.endswith("]"):
                group = line[1:-1]
            elif "=" in line and not line.startswith("#"):
                name, _, value = line.partition("=")
                found.setdefault(group, []).append((name.strip(), value.partition("[")[0].strip()))
    return found


def _entry_files() -> Iterator[str]:
    """The texts of all `entry_points.txt`; of a distribution that is there twice the first, as on import."""
    seen = set()
    for place in _places():
        for folder in (*place.glob("*.dist-info"), *place.glob("*.egg-info")):
            distribution = folder.stem.partition("-")[0].lower().replace(".", "_")
            if distribution not in seen:
                seen.add(distribution)
                with suppress(OSError, UnicodeDecodeError):
                    yield (folder / "entry_points.txt").read_text("utf-8")


def _places() -> list[Path]:
    """Where packages are imported from."""
    return [Path(place) for place in sys.path]


@cache
def _load(group: str, name: str) -> Any:
    found = _entries(group).get(name)
    if found is None:
        there = ", ".join(_entries(group)) or "none"
        raise UsageError(f"there is no {group[:-1]} {name!r}; installed: {there}")
    module, _, names = found.partition(":")
    try:
        loaded: Any = import_module(module)
        for part in filter(None, names.split(".")):
            loaded = getattr(loaded, part)
        return loaded
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
