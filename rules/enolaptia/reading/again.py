"""A line of the game that no form fits, read once more with its marks set right (see `reading_loosely`)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.acts import read_move
from rules.enolaptia.reading.encounter import (
    read_bare_shares,
    read_encounter,
    read_loose_encounter,
    read_shares,
)
from rules.enolaptia.reading.forms import Reader
from rules.enolaptia.reading.grammar import LineText
from rules.enolaptia.reading.hp import read_loose_hp
from rules.enolaptia.reading.loosely import set_as_a_move
from rules.enolaptia.reading.order import read_order
from rules.enolaptia.reading.rewards import read_drops, read_exp
from rules.enolaptia.reading.set_right import set_as_a_list
from rules.enolaptia.reading.words import read_worded_move

#: What a line may have said (`lost_in`), how its marks are set, and the forms that read it then.
_LISTS: dict[tuple[str, ...], tuple[tuple[str, tuple[Reader, ...]], ...]] = {
    ("order",): (("order", (read_order,)),),
    ("encounter",): (("encounter", (read_encounter, read_loose_encounter)),),
    ("exp",): (("exp", (read_exp,)),),
    (): (("drops", (read_drops,)), ("hp", (read_loose_hp,)), ("allocation", (read_shares, read_bare_shares))),
}


def read_again(line: LineText, names: Lexicon, own: str | None, lost: tuple[str, ...]) -> object | None:
    """What a line says whose kind is known (`lost`) though no form fits it as it stands; None if still none does."""
    if lost == ("move",):
        found = _first((read_move, read_worded_move), set_as_a_move(line), names, own)
        if found is not None:
            return found
    for what, readers in _LISTS.get(() if lost == ("move",) else lost, ()):
        found = _first(readers, set_as_a_list(line, what), names, own)
        if found is not None:
            return found
    return None


def _first(readers: Iterable[Reader], line: LineText, names: Lexicon, own: str | None) -> object | None:
    for reader in readers:
        found = reader(line, names, own)
        if found is not None:
            return found
        line.slots.clear()
    return None
