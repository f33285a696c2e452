"""Every form of a line of the game, and in which order they are tried (NE1 to NE18)."""

from __future__ import annotations

from collections.abc import Callable

from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.acts import read_move
from rules.enolaptia.reading.encounter import (
    read_bare_shares,
    read_duel,
    read_encounter,
    read_loose_encounter,
    read_shares,
)
from rules.enolaptia.reading.grammar import LineText
from rules.enolaptia.reading.hp import read_hp, read_loose_hp
from rules.enolaptia.reading.looks import FAR
from rules.enolaptia.reading.order import read_order
from rules.enolaptia.reading.rewards import read_drops, read_exp
from rules.enolaptia.reading.words import read_worded_move

Reader = Callable[[LineText, Lexicon, str | None], object | None]
#: Every form of a line, in the order in which they are tried.
READERS: tuple[Reader, ...] = (
    read_move,
    read_hp,
    read_order,
    read_encounter,
    read_shares,
    read_drops,
    read_exp,
    read_duel,
)
#: Other words for the same, tried on lines that none of those fits.
LOOSE_READERS: tuple[Reader, ...] = (
    read_worded_move,
    read_loose_hp,
    read_loose_encounter,
    read_order,
    read_shares,
    read_bare_shares,
    read_drops,
    read_exp,
)
#: The form of a line by the words in front of its colon: that one is tried before the others.
_BY_HEADING: dict[str, tuple[Reader, ...]] = {
    heading: (reader, *READERS)
    for heading, reader in (
        ("order", read_order),
        ("battle order", read_order),
        ("hp", read_hp),
        ("encounter", read_encounter),
        ("allocation", read_shares),
        ("drops", read_drops),
        ("exp", read_exp),
        ("duel", read_duel),
        ("spar", read_duel),
    )
}


def readers_for(text: str, start: int, end: int) -> tuple[Reader, ...]:
    """Every form of a line, the one of its heading first."""
    colon = text.find(":", start, min(end, start + FAR))
    if colon <= start:
        return READERS
    return _BY_HEADING.get(text[start:colon].rstrip().casefold(), READERS)
