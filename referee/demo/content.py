"""The sample battles as data: threads, posts with their history, rolls, sheets and tables.

Everything comes from the dated TOML files in `data/`; nothing about a battle stands in code.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

#: One file per rule system, in the order of the board's index.
BATTLES = ("shinobi", "d20_arena", "angel_dolls", "enolaptia")


@dataclass(frozen=True, slots=True)
class SampleEdit:
    """An edit: when it was made, how often by then, why, and the text before (None: not kept)."""

    at: datetime
    count: int
    reason: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class SamplePost:
    """A post of the board with its history. `text` is BBCode as it reads in the end."""

    id: str
    author: str
    at: datetime
    text: str
    edited: SampleEdit | None = None
    deleted: datetime | None = None

    def there(self, now: datetime) -> bool:
        """Whether the board shows the post at that time."""
        return self.at <= now and (self.deleted is None or now < self.deleted)

    def edit_by(self, now: datetime) -> SampleEdit | None:
        """The edit that has been made by then."""
        return self.edited if self.edited is not None and self.edited.at <= now else None

    def text_at(self, now: datetime) -> str:
        """The text as it reads at that time."""
        if self.edited is None or self.edited.before is None or self.edit_by(now):
            return self.text
        return self.edited.before


@dataclass(frozen=True, slots=True)
class SampleRoll:
    """A record of the dice log."""

    id: str
    dice: str
    results: tuple[int, ...]
    time: datetime
    roller: str
    reason: str


@dataclass(frozen=True, slots=True)
class SampleThread:
    """One battle: its posts and rolls, and what the referee is told of it.

    `planted`: the slips that are in it, each with the post, the code, the values and the visit from
    which on it can be seen (1 where not said).
    """

    ruleset: str
    topic: int
    title: str
    forum: str
    note: str
    posts: tuple[SamplePost, ...]
    rolls: tuple[SampleRoll, ...]
    characters: tuple[dict[str, Any], ...]
    tables: dict[str, Any]
    battle: dict[str, Any] = field(default_factory=dict)
    judges: tuple[str, ...] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)
    planted: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class SampleBoard:
    """The whole site. `first` and `second`: its clock on the two visits."""

    name: str
    first: datetime
    second: datetime
    posts_per_page: int
    accounts: Mapping[str, int]
    threads: tuple[SampleThread, ...]


@functools.lru_cache(maxsize=4)
def sample_board(shift: timedelta = timedelta(0)) -> SampleBoard:
    """The site as the data files have it, with all its dates moved by `shift`."""
    head = _read("board", shift)
    return SampleBoard(
        name=head["name"],
        first=head["first"],
        second=head["second"],
        posts_per_page=head["posts_per_page"],
        accounts=head["accounts"],
        threads=tuple(_thread(_read(name, shift)) for name in BATTLES),
    )


def _read(name: str, shift: timedelta) -> dict[str, Any]:
    text = files("referee.demo").joinpath(f"data/{name}.toml").read_text("utf-8")
    return {key: _moved(value, shift) for key, value in tomllib.loads(text).items()}


def _moved(value: Any, shift: timedelta) -> Any:
    """A value of a data file with every date in it moved."""
    if isinstance(value, datetime):
        return value + shift
    if isinstance(value, dict):
        return {key: _moved(one, shift) for key, one in value.items()}
    return [_moved(one, shift) for one in value] if isinstance(value, list) else value


def _thread(data: dict[str, Any]) -> SampleThread:
    rolls = tuple(SampleRoll(**(roll | {"results": tuple(roll["results"])})) for roll in data.pop("rolls"))
    posts = tuple(_post(post) for post in data.pop("posts"))
    lists: dict[str, Any] = {key: tuple(data.pop(key)) for key in ("characters", "planted", "judges")}
    return SampleThread(posts=posts, rolls=rolls, **lists, **data)


def _post(data: dict[str, Any]) -> SamplePost:
    edited = data.pop("edited", None)
    return SamplePost(edited=None if edited is None else SampleEdit(**edited), **data)
