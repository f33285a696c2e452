"""Transcripts (`referee/transcript@1`, YAML or JSON) to battles; every error is one clear line."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    field_validator,
    model_validator,
)

from referee.app.errors import InputError
from referee.app.plugins import body_reader
from referee.app.services import links_of
from referee.app.transcript_keys import Level, remarks
from referee.app.transcript_links import known_as_written
from referee.app.transcript_text import key_at, line_at, parsed, text_of_transcript
from referee.app.transcript_times import Moment, coarsest, moment_of
from referee.app.wrong_values import what_is_wrong
from referee.model.battle import Battle, Character, Edit, Post, Revision, RollRecord, Ruling
from referee.model.text import Block

SCHEMA = "referee/transcript@1"
log = logging.getLogger("referee")
#: A key at the head of our own messages: `posts[3]: ...`, `rulings[0].post: ...`.
_PLACED = re.compile(r"([a-z]{1,20}(?:\[\d{1,9}\])?(?:\.[a-z]{1,20})?): ")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


def _as_name(value: object) -> object:
    """A name or id that YAML took for a number, as text."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _or_empty(value: object) -> object:
    """A list of which nothing but the key is written."""
    return [] if value is None else value


T = TypeVar("T")
_When = Annotated[Moment, PlainValidator(moment_of)]
_Rows = Annotated[list[T], BeforeValidator(_or_empty)]


class _Earlier(_Strict):
    seen: _When | None = None
    at: _When | None = None
    by: str | None = None
    expression: str | None = None
    values: _Rows[int] = Field(default_factory=list, max_length=1000)

    @field_validator("by", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return _as_name(value)


class _Roll(_Earlier):
    label: str | None = None
    unreachable: bool = False
    earlier: _Rows[_Earlier] = Field(default_factory=list)


class _Sibling(_Roll):
    link: str


class _Body(_Strict):
    text: str | None = None
    html: str | None = None

    @model_validator(mode="after")
    def _has_body(self) -> Self:
        if self.text is None and self.html is None:
            raise ValueError("`text` or `html` is missing")
        return self


class _Revision(_Body):
    seen: _When | None = None


class _Post(_Body):
    id: str
    author: str
    at: _When | None = None
    edited: _When | None = None
    deleted: _When | None = None
    revisions: _Rows[_Revision] = Field(default_factory=list)

    @field_validator("id", "author", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return _as_name(value)


class _Character(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)
    name: str
    player: str | None = None
    side: str | None = None
    aliases: _Rows[str] = Field(default_factory=list)
    stats: dict[str, Any] | None = None
    secret: dict[str, Any] | None = None

    @field_validator("name", "player", "side", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return _as_name(value)

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

    @field_validator("post", "until", "character", "by", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return _as_name(value)


class _Transcript(_Strict):
    ruleset: str
    title: str | None = None
    battle: dict[str, Any] = Field(default_factory=dict)
    characters: _Rows[_Character] = Field(default_factory=list)
    tables: dict[str, Any] = Field(default_factory=dict)
    posts: list[_Post]
    rolls: dict[str, _Roll] | None = None
    siblings: _Rows[_Sibling] = Field(default_factory=list)
    rulings: _Rows[_Ruling] = Field(default_factory=list)

    @field_validator("battle", "tables", mode="before")
    @classmethod
    def _empty(cls, value: object) -> object:
        return {} if value is None else value

    @model_validator(mode="after")
    def _unique(self) -> _Transcript:
        _no_twins("posts", [post.id for post in self.posts])
        _no_twins("characters", [character.name for character in self.characters])
        posts = {post.id for post in self.posts}
        for index, ruling in enumerate(self.rulings):
            for key, post in (("post", ruling.post), ("until", ruling.until)):
                if post is not None and post not in posts:
                    raise ValueError(f"rulings[{index}].{key}: there is no post `{post}`")
        return self


def _level(model: type[BaseModel], **below: Level) -> Level:
    """The keys of a model and what stands below some of them."""
    return Level((*model.model_fields, *(("schema",) if model is _Transcript else ())), below)


_LEVELS = _level(
    _Transcript,
    posts=_level(_Post, revisions=_level(_Revision)),
    rolls=_level(_Roll, earlier=_level(_Earlier)),
    siblings=_level(_Sibling),
    rulings=_level(_Ruling),
)


def _no_twins(where: str, names: list[str]) -> None:
    seen: set[str] = set()
    for index, name in enumerate(names):
        if name in seen:
            raise ValueError(f"{where}[{index}]: `{name}` is there twice, names and ids must be unique")
        seen.add(name)


def load_transcript(path: Path, known: Mapping[str, object], hosts: frozenset[str] = frozenset()) -> Battle:
    """The battle of a transcript file.

    `known`: names of the rulesets there are; `hosts`: hosts of configured dice services.
    Raises InputError with file, key and what was expected. What looks misspelt is told in the log.
    """
    text = text_of_transcript(path)
    data = parsed(path, text)
    if not isinstance(data, dict):
        raise InputError(f"{path}: a mapping with the key `schema` was expected")
    if data.get("schema") != SCHEMA:
        raise InputError(f"{path}:{line_at(text, ('schema',))} schema: expected {SCHEMA!r}, {_found(data, 'schema')}")
    ruleset = data.get("ruleset")
    if not isinstance(ruleset, str) or ruleset not in known:
        said = f"{str(ruleset)[:80]!r} is unknown" if ruleset is not None else "is missing"
        where = line_at(text, ("ruleset",))
        raise InputError(f"{path}:{where} ruleset: {said}, there are {', '.join(sorted(known))}")
    try:
        transcript = _Transcript.model_validate(data)
    except ValidationError as error:
        place, message = _first_problem(error)
        raise InputError(f"{path}:{line_at(text, place)} {message}") from None
    for remark in remarks(data, _LEVELS):
        log.warning("%s:%s %s: %s", path, line_at(text, remark.place), key_at(remark.place), remark.line)
    return _battle(transcript, path, hosts)


def _found(data: dict[str, Any], key: str) -> str:
    """What stands there instead, cut short."""
    return f"found {str(data[key])[:80]!r}" if data.get(key) is not None else "found nothing"


def _first_problem(error: ValidationError) -> tuple[tuple[str | int, ...], str]:
    """The first thing that is wrong: its place in the data, and `key: what was expected`."""
    problem = error.errors()[0]
    place = tuple(problem["loc"])
    message = what_is_wrong(problem)
    key = key_at(place)
    named = _PLACED.match(message)
    if named and not place:
        place = tuple(int(part) if part.isdigit() else part for part in re.split(r"[\[\].]+", named[1]) if part)
    return place, f"{key}: {message}" if key else message


def _battle(transcript: _Transcript, path: Path, hosts: frozenset[str]) -> Battle:
    rolls = transcript.rolls
    battle = Battle(
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
    return replace(battle, rolls=known_as_written(battle.rolls, links_of(battle))) if battle.rolls else battle


def _character(read: _Character) -> Character:
    data = read.model_dump(exclude={"name", "player", "side", "aliases"}, exclude_none=True)
    return Character(read.name, read.player, read.side, tuple(read.aliases), data)


def _post(read: _Post) -> Post:
    earlier = [Revision(_blocks(r.text, r.html), _at(r.seen)) for r in read.revisions]
    return Post(
        id=read.id,
        author=read.author,
        revisions=(*earlier, Revision(_blocks(read.text, read.html))),
        at=_at(read.at),
        # An edit that is told less exactly than the post leaves that much time for its rolls too.
        precision=coarsest(read.at, read.edited) if read.at else "unknown",
        edited=Edit(at=read.edited.at) if read.edited else None,
        deleted=_at(read.deleted),
    )


def _at(moment: Moment | None) -> datetime | None:
    return moment.at if moment is not None else None


def _rolled(moment: Moment | None) -> datetime | None:
    """When dice were rolled; of a day without an hour nobody knows whether that was before a post or after it."""
    return moment.at if moment is not None and moment.precision != "day" else None


def _blocks(text: str | None, html: str | None) -> tuple[Block, ...]:
    return body_reader()(text, html)


def _record(link: str, roll: _Roll) -> RollRecord:
    return RollRecord(
        link=link,
        status="unreachable" if roll.unreachable or not roll.values else "found",
        at=_rolled(roll.at),
        by=roll.by,
        expression=roll.expression,
        values=tuple(roll.values),
        label=roll.label,
        earlier=tuple(
            RollRecord(link, at=_rolled(e.at), by=e.by, expression=e.expression, values=tuple(e.values))
            for e in roll.earlier
        ),
    )
