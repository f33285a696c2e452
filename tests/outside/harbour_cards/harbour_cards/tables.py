"""The cards: shipped ones and what a board may set."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from importlib.resources import files

from referee.model.battle import Table


@cache
def _shipped() -> Table:
    return tomllib.loads((files("harbour_cards") / "tables.toml").read_text("utf-8"))


def tables(profile: str | None, at: datetime | None) -> Table:
    """The cards; there is one profile."""
    return _shipped()


def check_tables(given: Table) -> Iterator[str]:
    """What is wrong in a board's own cards."""
    for name, card in given.get("cards", {}).items():
        if not isinstance(card, dict):
            yield f"cards.{name}: a table such as {{damage = 5}} was expected"
            continue
        for key in ("damage", "repair", "reload"):
            if key in card and not isinstance(card[key], int):
                yield f"cards.{name}.{key}: a whole number was expected"
