"""Dice services and network sites as the configuration names them."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from urllib.parse import urlsplit

from referee.app import plugins
from referee.app.config import Config, DiceConfig
from referee.app.errors import UsageError
from referee.model.battle import Battle
from referee.ports.dice import DiceService


def dice_services(config: Config) -> tuple[DiceService, ...]:
    """The configured dice services, in the order of the configuration."""
    return tuple(dice_service(config, name, section) for name, section in config.dice.items())


def dice_service(config: Config, name: str, section: DiceConfig) -> DiceService:
    """One configured dice service; UsageError names its section and what is wrong there."""
    if section.kind not in plugins.names("dice"):
        there = ", ".join(plugins.names("dice"))
        raise UsageError(f"{config.source}: dice.{name}: kind: there is no {section.kind!r}; there are {there}")
    maker = plugins.dice_kind(section.kind)
    try:
        made: DiceService = maker(name, {**section.more, **_own(section)})
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{config.source}: dice.{name}: {error}") from None
    return made


def _own(section: DiceConfig) -> dict[str, object]:
    return {item.name: getattr(section, item.name) for item in fields(section) if item.name != "more"}


def links_of(battle: Battle) -> tuple[str, ...]:
    """Every link in own texts of a battle's posts, present and earlier, in order of first sight."""
    return tuple(
        dict.fromkeys(
            mark.url
            for post in battle.posts
            for revision in post.revisions
            for block in revision.blocks
            if block.kind in ("own", "spoiler")
            for mark in block.marks
            if mark.url
        )
    )


@lru_cache(maxsize=256)
def host_of(url: str) -> str:
    """Host and port of an address, lower case; empty where it is no address."""
    try:
        return urlsplit(url).netloc.casefold()
    except ValueError:
        return ""
