"""From the head of a tag or line to the record of what it says (ND1 to ND8, ND18 to ND26)."""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.model.text import Script
from rules.d20_arena.reading.acts import read_action, read_reaction, read_strike, upon_whom
from rules.d20_arena.reading.escapes import as_die, read_help, read_save, read_struggle
from rules.d20_arena.reading.flat import read_flat
from rules.d20_arena.reading.heads import Head, spelt_head, understood
from rules.d20_arena.reading.levels import read_levels
from rules.d20_arena.reading.links import Links
from rules.d20_arena.reading.sums import read_sum
from rules.d20_arena.reading.turn import read_announce, read_move, read_trap
from rules.d20_arena.records import Announce, Mend, Part
from rules.d20_arena.words import Lexicon, area_of

#: A struggle or a help inside an Action tag: `[Action: struggle (legs): 1d20 = 13, level 3 -> 2]`.
_NESTED = frozenset(("struggle", "help"))
#: Lines that may name the area of the body behind their word: `Bind level (legs): 2`.
_OF_AREAS = frozenset(("bind level", "binding"))
#: `Binding: level 2 (legs)` is no roll.
_LEVEL = re.compile(r"[ \t]*+(?:(?:arms?|legs?|torso|head)\b[ :]*+)?(?:level|lvl)", re.IGNORECASE)
_NESTED_FIRST = frozenset(("str", "esc", "hel", "ass"))


def record_of(script: Script, text: str, head: Head, start: int, end: int, names: Lexicon) -> object | None:
    """The typed record behind a head such as `Action:`, or None where it can't be read."""
    if head.note and head.word != "struggle" and not (head.word in _OF_AREAS and area_of(head.note)):
        return None
    plain = _WITHOUT_DICE.get(head.word)
    if plain is not None:
        return plain(text, head, end, names)
    if head.word == "action" and text[head.place : head.place + 3].casefold() in _NESTED_FIRST:
        # A fighter may be called Helping Hand, an ability Struggling Vine.
        own = names.ability(text, head.place, end) is not None or any(names.fighter_forms.at(text, head.place, end))
        inner = spelt_head(text, head.place, end, names) if not own else None
        if inner is not None and inner.word in _NESTED:
            head = understood(inner._replace(actor=inner.actor or head.actor), names)
    return _with_dice(text, head, end, Links(script, start, end), names)


def _with_dice(text: str, head: Head, end: int, links: Links, names: Lexicon) -> object | None:
    word, place = head.word, head.place
    if word in ("action", "free attack"):
        return read_action(text, place, end, links, names, word == "free attack", head.actor)
    if word == "struggle":
        return read_struggle(text, place, end, links, names, head.note, head.actor)
    if word == "help":
        return read_help(text, place, end, links, names, head.actor)
    if word == "trap":
        return read_trap(text, place, end, links, names, head.actor)
    if word == "to hit":
        return read_strike(text, place, end, links, head.actor)
    if word == "heal":
        healed = read_sum(text, place, end, links)
        return Mend(head.actor, "", (), healed[0]) if healed else None
    return _part(text, head, end, links)


def _part(text: str, head: Head, end: int, links: Links) -> Part | None:
    word, place = head.word, head.place
    if word == "bind level" or (word == "binding" and _LEVEL.match(text, place, end)):
        levels, _ = read_levels(text, place, end)
        if levels is not None and levels.area is None and head.note:
            levels = levels._replace(area=area_of(head.note))
        return Part(levels=levels) if levels else None
    if word == "save":
        save, _ = read_save(text, place, end, links)
        return Part(save=save) if save else None
    found = read_sum(text, place, end, links) or (read_flat(text, place, end, links) if word == "damage" else None)
    if found is None:
        return None
    if word == "crit":
        return Part(crit=found[0])
    if word == "binding":
        return Part(binding=as_die(found[0]))
    return Part(damage=found[0], whom=head.actor or upon_whom(text, found[1], end)[0])


def _announce(text: str, head: Head, end: int, names: Lexicon) -> Announce | None:
    said = read_announce(text[head.place : end], names)
    if said is None:
        return None
    if not head.exact and said.what == "ability" and names.abilities.find(said.ability or "") is None:
        return None
    return said if head.actor is None or said.actor else said._replace(actor=head.actor)


#: What is read behind these words holds no dice, and so no links.
_WITHOUT_DICE: dict[str, Callable[[str, Head, int, Lexicon], object | None]] = {
    "announce": _announce,
    "move": lambda text, head, end, names: read_move(text[head.place : end], names, head.exact),
    "reaction": lambda text, head, end, names: read_reaction(text, head.place, end, names, head.actor),
}


__all__ = ["record_of"]
