"""Rulebook 3.C.b: whom a creature hits (E6, E7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.ports.rules import rule
from rules.enolaptia.book import MapBook


@rule("E7", cites="3.C.b Attack, allocation numbers")
def character_hit(shares: Mapping[str, tuple[int, int]], die: int) -> str | None:
    """Creatures attack the whole party: the character whose allocation numbers hold the die is hit.

    The numbers are fixed at the start of the battle; with a single character all hits are that
    character's.
    """
    for name, (low, high) in shares.items():
        if low <= die <= high:
            return name
    return None


@rule("E7", cites="3.C.b Attack, allocation numbers by size of the party")
def shares_fit(book: MapBook, shares: Sequence[tuple[int, int]]) -> bool:
    """The numbers go by the size of the party: two 1-3 and 4-6, three 1-2, 3-4 and 5-6, and so on up to six."""
    due = book.allocation(len(shares))
    return due is None or sorted(shares) == sorted(due)


@rule("E6", cites="3.C.b Attack, note")
def move_rolled(moves: Mapping[int, str], die: int) -> str | None:
    """A d6 decides what a creature does; a member of the party rolls it. Creatures have no potions."""
    return moves.get(die)
