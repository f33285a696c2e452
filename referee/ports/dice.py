"""The contract of a dice service: which links are its own, which page to ask for, how to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.model.battle import RollRecord
from referee.ports.boards import Page, Wish


@dataclass(frozen=True, slots=True)
class DiceService:
    """A dice service as one value.

    `hosts`: host names whose links are its own. `matches(link)`: whether a link names one of its
    rolls. `asks(link)`: the page that shows that roll. `reads(link, page)`: the record, with status
    missing where the page says that there is no such roll; raises ValueError with a line for the
    operator where the page is not understood. `lists`: the page with the roll's neighbours, if any.
    """

    name: str
    hosts: frozenset[str]
    matches: Callable[[str], bool]
    asks: Callable[[str], Wish]
    reads: Callable[[str, Page], RollRecord]
    allow_private: bool = False
