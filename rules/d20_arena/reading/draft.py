"""What is found in a post while it is read, and what its unread tags may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from referee.model.claims import Claim, Unread
from referee.model.text import Script
from rules.d20_arena.reading.aim import Aim
from rules.d20_arena.reading.forms import BARE_MOVE
from rules.d20_arena.reading.values import values_of
from rules.d20_arena.records import Count

#: Behind these words, unread, loose lines below belong to nothing that was read.
_STRIKES = frozenset(("action", "free attack", "to hit"))

Span = tuple[int, int]


class Topics(NamedTuple):
    """What each unread tag or line of a post may hold, by its span."""

    rows: tuple[tuple[Span, str], ...] = ()

    def of(self, unread: Unread) -> str:
        """The topic of an unread tag: a word of the notation, `hp`, `any`, or nothing."""
        topic = "any" if unread.hides else dict(self.rows).get(unread.span, "")
        return "move" if topic == BARE_MOVE else topic


@dataclass(slots=True)
class Draft:
    """What has been found so far in one script; `orphans`: a loose line among it has no attack above it.

    `spelt_moves`: stances in another spelling, which count only without a Move tag proper (`exact_move`).
    `rolls`: the places of the in-post rolls of the board. `columns`: those of the table that was met last;
    `seen`: how many statements have been read or listed; `aim`: what loose lines go with, `aim_at`: its claim.
    """

    claims: list[Claim]
    unread: list[Unread]
    topics: list[tuple[Span, str]] = field(default_factory=list)
    open_strike: int | None = None
    orphans: bool = False
    spelt_moves: list[Claim] = field(default_factory=list)
    exact_move: bool = False
    rolls: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()
    author: str = ""
    seen: int = 0
    aim: Aim | None = None
    aim_at: int = -1

    def claim(self, script: Script, span: Span, data: object) -> None:
        """Add what a tag or line says."""
        kind, values = values_of(data)
        self.seen += 1
        self.claims.append(Claim(kind, script.quote(*span), span, values, data, isinstance(data, Count)))

    def note(self, script: Script, span: Span, reason: str, topic: str) -> None:
        """List a tag or line that could not be read."""
        self.seen += 1
        self.unread.append(Unread(script.quote(*span), span, reason))
        self.topics.append((span, topic))
        if topic in _STRIKES:
            self.open_strike = None


__all__ = ["Draft", "Span", "Topics"]
