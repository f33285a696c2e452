"""A battle as it is judged: characters, posts with their revisions, dice records, rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from referee.model.records import filled_directly
from referee.model.text import Block

#: Free-form data from sheets and tables, as YAML or TOML gives it.
Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Character:
    """One fighter. `data` holds the ruleset's own fields (stats, secret, rank, abilities ...)."""

    name: str
    player: str | None = None
    side: str | None = None
    aliases: tuple[str, ...] = ()
    data: Table = field(default_factory=dict)

    def get(self, key: str, default: Any = None) -> Any:
        """A field of the sheet."""
        return self.data.get(key, default)


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit notice: when, by whom, how often, why - as far as the page says."""

    at: datetime | None = None
    by: str | None = None
    count: int | None = None
    reason: str | None = None


@filled_directly
@dataclass(frozen=True, slots=True)
class Revision:
    """What a post said from some moment on. `seen`: when this text was first seen (UTC)."""

    blocks: tuple[Block, ...]
    seen: datetime | None = None


@filled_directly
@dataclass(frozen=True, slots=True)
class Post:
    """One post. `revisions`: oldest first, the present text last. Times are UTC.

    `precision`: second, minute, day or unknown; `origin`: attribute, feed, api, text, relative or
    unknown. `deleted`: when it was found gone, if it was.
    """

    id: str
    author: str
    revisions: tuple[Revision, ...]
    at: datetime | None = None
    precision: str = "second"
    origin: str = "unknown"
    edited: Edit | None = None
    deleted: datetime | None = None
    number: int | None = None
    author_id: str | None = None
    permalink: str | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the present text."""
        return self.revisions[-1].blocks


@filled_directly
@dataclass(frozen=True, slots=True)
class RollRecord:
    """What a dice service (or a transcript) says about one link.

    `status`: found, missing (no such roll) or unreachable. `earlier`: what the record showed when
    it was seen before, oldest first (G3).
    """

    link: str
    status: str = "found"
    at: datetime | None = None
    by: str | None = None
    expression: str | None = None
    values: tuple[int, ...] = ()
    label: str | None = None
    earlier: tuple[RollRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A staff decision that changes the replay (S35, X15)."""

    post: str
    effect: Table
    character: str | None = None
    until: str | None = None
    by: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Battle:
    """One thread with all that is known about it; the input of the judging engine.

    `rolls` is None where nothing at all is known of the links (X6). `dice_hosts`: hosts of known
    dice services (G9). `overrides`: tables given for this battle, before the ruleset's defaults.
    `judges`: accounts that may speak for the game (judge, GM, staff). `gaps`: ids of posts before which posts of the
    thread are missing here: they could not be read.
    """

    ruleset: str
    posts: tuple[Post, ...]
    characters: tuple[Character, ...] = ()
    title: str | None = None
    url: str | None = None
    file: str | None = None
    options: Table = field(default_factory=dict)
    overrides: Table = field(default_factory=dict)
    rolls: Mapping[str, RollRecord] | None = None
    siblings: tuple[RollRecord, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    dice_hosts: frozenset[str] = frozenset()
    judges: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
