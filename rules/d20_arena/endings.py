"""HP, submission, victory and loss (A16, A17)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ports.rules import rule


@rule("A16", cites="5 - Ending: Loss")
def left_after(hp: int, damage: int, resisted: int) -> int:
    """HP after a hit: less the damage that resistance leaves, never below 0.

    At 0 HP a player submits and acts no more, and an enemy is out.
    """
    return max(0, hp - max(0, damage - resisted))


def healed(hp: int, gained: int, most: int | None) -> int:
    """HP after healing, never above the maximum (ND5)."""
    return hp + gained if most is None else max(hp, min(most, hp + gained))


def is_down(readings: frozenset[int] | None) -> bool:
    """At 0 HP a player has submitted and an enemy is out; only if no reading leaves more (A16)."""
    return readings is not None and (not readings or max(readings) <= 0)


@rule("A17", cites="5 - Ending: Victory and Loss")
def all_down(side: Iterable[frozenset[int] | None]) -> bool:
    """A battle ends when everybody of one side is down."""
    fighters = list(side)
    return bool(fighters) and all(is_down(readings) for readings in fighters)
