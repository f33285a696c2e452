"""Transcripts (`referee/transcript@1`, YAML or JSON) to battles; every error is one clear line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from referee.app.errors import InputError
from referee.app.plugins import body_reader
from referee.model.battle import Battle, Character, Edit, Post, Revision, RollRecord, Ruling
from referee.model.text import Block

SCHEMA = "referee/transcript@1"
#: A larger file is no transcript.
LARGEST_FILE = 20 * 1024 * 1024

_ALIAS = re.compile(rb"(?m)(?:^|[\s\[,{:-])[*&][A-Za-z0-9_-]")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


def _utc(value: object) -> object:
    """Naive times are UTC (X15); text is read by pydantic."""
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


class _Timed(_Strict):
    @field_validator("*", mode="after")
    @classmethod
    def _aware(cls, value: Any) -> Any:
        return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo else _utc(value)


class _Earlier(_Timed):
    seen: datetime | None = None
    at: datetime | None = None
    by: str | None = None
    expression: str | None = None
    values: list[int] = Field(default_factory=list, max_length=1000)


class _Roll(_Earlier):
    label: str | None = None
    unreachable: bool = False
    earlier: list[_Earlier] = Field(default_factory=list)


class _Sibling(_Roll):
    link: str


class _Revision(_Timed):
    seen: datetime | None = None
    text: str | None = None
    html: str | None = None


class _Post(_Timed):
    id: str
    author: str
    at: datetime | None = None
    edited: datetime | None = None
    deleted: datetime | None = None
    text: str | None = None
    html: str | None = None
    revisions: list[_Revision] = Field(default_factory=list)

    @field_validator("id", "author", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _has_body(self) -> _Post:
        if self.text is None and self.html is None:
            raise ValueError("a post needs `text` or `html`")
        return self


class _Character(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)
    name: str
    player: str | None = None
    side: str | None = None
    aliases: list[str] = Field(default_factory=list)
    stats: dict[str, Any] | None = None
    secret: dict[str, Any] | None = None

    @field_validator("player", "side", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("stats", "secret")
    @classmethod
    def _numbers(cls, value: dict[str, Any] | None) -> dict[str, Any] | None:
        for key, number in (value or {}).items():
            if not isinstance(number, int | float) or isinstance(number, bool):
                raise ValueError(f"`{key}` must be a number")
        return value


class _Ruling(_Strict):
    post: str
    effect: dict[str, Any]
    character: str | None = None
    until: str | None = None
    by: str | None = None
    reason: str | None = None


class _Transcript(_Strict):
    ruleset: str
    title: str | None = None
    battle: dict[str, Any] = Field(default_factory=dict)
    characters: list[_Character] = Field(default_factory=list)
    tables: dict[str, Any] = Field(default_factory=dict)
    posts: list[_Post]
    rolls: dict[str, _Roll] | None = None
    siblings: list[_Sibling] = Field(default_factory=list)
    rulings: list[_Ruling] = Field(default_factory=list)

    @field_validator("battle", "characters", "tables", "siblings", "rulings", mode="before")
    @classmethod
    def _empty(cls, value: object, info: Any) -> object:
        return value if value is not None else ({} if info.field_name in ("battle", "tables") else [])

    @model_validator(mode="after")
    def _unique(self) -> _Transcript:
        _no_twins("posts", [post.id for post in self.posts])
        _no_twins("characters", [character.name for character in self.characters])
        return self


def _no_twins(where: str, names: list[str]) -> None:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            raise ValueError(f"{where}[{index}]: `{name}` is there twice, names and ids must be unique")
        seen.add(name)


def load_transcript(path: Path, known: Mapping[str, object], hosts: frozenset[str] = frozenset()) -> Battle:
    """The battle of a transcript file.

    `known`: names of the rulesets there are; `hosts`: hosts of configured dice services.
    Raises InputError with file, key and what was expected.
    """
    data = _parse(path)
    if not isinstance(data, dict):
        raise InputError(f"{path}: a mapping with the key `schema` was expected")
    if data.get("schema") != SCHEMA:
        raise InputError(f"{path}: schema: expected {SCHEMA!r}, found {data.get('schema')!r}")
    ruleset = data.get("ruleset")
    if ruleset not in known:
        raise InputError(f"{path}: ruleset: {ruleset!r} is unknown, there are {', '.join(sorted(known))}")
    try:
        transcript = _Transcript.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{path}: {_first_problem(error)}") from None
    return _battle(transcript, path, hosts)


def _parse(path: Path) -> Any:
    """The data of a YAML or JSON file; aliases are refused (they can blow up)."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"{path}: larger than {LARGEST_FILE // 2**20} MiB, a transcript was expected")
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text file in UTF-8") from None
    if "\x00" in text[:4096]:
        raise InputError(f"{path}: not a text file")
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: invalid JSON: {error}") from None
    return _parse_yaml(path, text, raw)


def _parse_yaml(path: Path, text: str, raw: bytes) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if _ALIAS.search(raw) and any(isinstance(e, yaml.AliasEvent) for e in yaml.parse(text, Loader=loader)):
            raise InputError(f"{path}: YAML aliases are not allowed in a transcript")
        return yaml.load(text, Loader=loader)  # noqa: S506 - a safe loader, only the C one where there is one
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" line {mark.line + 1}:" if mark else ""
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(f"{path}:{where} invalid YAML: {what}") from None


def _first_problem(error: ValidationError) -> str:
    """The first thing that is wrong, as `key: what was expected`."""
    problem = error.errors()[0]
    place = ""
    for part in problem["loc"]:
        place += f"[{part}]" if isinstance(part, int) else (f".{part}" if place else str(part))
    message = problem["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _battle(transcript: _Transcript, path: Path, hosts: frozenset[str]) -> Battle:
    rolls = transcript.rolls
    return Battle(
        ruleset=transcript.ruleset,
        title=transcript.title,
        file=str(path),
        options=transcript.battle,
        overrides=transcript.tables,
        characters=tuple(_character(c) for c in transcript.characters),
        posts=tuple(_post(p) for p in transcript.posts),
        rolls=None if rolls is None else {link: _record(link, roll) for link, roll in rolls.items()},
        siblings=tuple(_record(s.link, s) for s in transcript.siblings),
        rulings=tuple(Ruling(r.post, r.effect, r.character, r.until, r.by, r.reason) for r in transcript.rulings),
        dice_hosts=hosts,
    )


def _character(read: _Character) -> Character:
    data = read.model_dump(exclude={"name", "player", "side", "aliases"}, exclude_none=True)
    return Character(read.name, read.player, read.side, tuple(read.aliases), data)


def _post(read: _Post) -> Post:
    earlier = [Revision(_blocks(r.text, r.html), r.seen) for r in read.revisions]
    return Post(
        id=read.id,
        author=read.author,
        revisions=(*earlier, Revision(_blocks(read.text, read.html))),
        at=read.at,
        precision="second" if read.at else "unknown",
        edited=Edit(at=read.edited) if read.edited else None,
        deleted=read.deleted,
    )


def _blocks(text: str | None, html: str | None) -> tuple[Block, ...]:
    return body_reader()(text, html)


def _record(link: str, roll: _Roll) -> RollRecord:
    return RollRecord(
        link=link,
        status="unreachable" if roll.unreachable else "found",
        at=roll.at,
        by=roll.by,
        expression=roll.expression,
        values=tuple(roll.values),
        label=roll.label,
        earlier=tuple(
            RollRecord(link, at=e.at, by=e.by, expression=e.expression, values=tuple(e.values)) for e in roll.earlier
        ),
    )
