"""Rulebook 3.A and 3.B: getting into a battle (E1, E2)."""

from __future__ import annotations

from referee.ports.rules import rule
from rules.enolaptia.book import MapBook

#: At most so many creatures, and so many characters, fight in one battle.
LARGEST_PARTY = 6


@rule("E1", cites="3.B Discovering what your enemy is")
def enemies_met(book: MapBook, die: int) -> tuple[str, ...] | None:
    """The d6 names the enemy in the list of the map.

    A row of the map book may name several kinds: then the party is made of all of them, each in any
    number.
    """
    # None: the book has no such row.
    return book.enemies(die)


@rule("E2", cites="3.C.b Attack")
def party_fits(number: int) -> bool:
    """No side has more than six in a battle, nor is there a battle with nobody on a side."""
    return 1 <= number <= LARGEST_PARTY
