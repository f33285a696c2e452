"""Which lines outside tags are prose, whatever word of the notation they begin with (G19)."""

from __future__ import annotations

import re

from referee.ports.reading import Line
from rules.d20_arena.reading.heads import Head, has_roll, names_ability, says_none, shows_dice, spelt_head, without_name
from rules.d20_arena.reading.links import rolled_within
from rules.d20_arena.reading.stance import leads_with_stance, stands_or_moves
from rules.d20_arena.reading.turn import read_move
from rules.d20_arena.records import Move
from rules.d20_arena.words import Lexicon

_FRACTION = re.compile(r"\d[ ]?/[ ]?\d")
#: No line of the notation is shorter.
_SHORTEST = 4
_COUNT_BEGINS = frozenset("tTrRhH")
OPENS = frozenset("[({")
#: How a line with a phase and no colon begins.
PHASES = frozenset(("move", "movi", "stan", "anno"))
#: A line longer than this is no mere stance.
_MOST_STANCE = 60
#: A line without dice that names an ability of no table is no longer than this, in words.
_MOST_ABILITY = 4


def is_prose(piece: Line, rolls: tuple[int, ...]) -> bool:
    """Whether a line is none of those that are read outside tags: they name what they state."""
    line = piece.text
    if len(line) < _SHORTEST and not rolls:
        return True
    if ":" in line or "=" in line or "|" in line or line[0] in OPENS or ("DEF" in line and "HP" in line):
        return False
    if rolls and rolled_within(rolls, piece.start, piece.end):
        return False
    if "/" in line and ("hp" in line.casefold() or _FRACTION.search(line) is not None):
        return False
    if line[0] in "mMsSaA" and "-" in line and line[:4].casefold() in PHASES and len(line) <= _MOST_STANCE:
        return False
    if shows_dice(line):
        return False
    return line[0] not in _COUNT_BEGINS or not line[:6].casefold().startswith(("turn", "round", "hp"))


def stance_line(text: str, start: int, end: int, names: Lexicon) -> Move | None:
    """`Movement: stands still`, `Stance - dodging` as a line of its own."""
    if end - start > _MOST_STANCE or text[start : start + 1] in "aA":
        return None
    head = spelt_head(text, start, end, names)
    if head is None or head.word != "move":
        return None
    said = text[head.place : end]
    return read_move(said, names, False) if head.firm and stands_or_moves(said) else None


def announced_line(text: str, start: int, end: int, names: Lexicon) -> Head | None:
    """`Announce - Volt Lash on Golem 1` as a line of its own."""
    if end - start > _MOST_STANCE or text[start : start + 1] not in "aA":
        return None
    head = spelt_head(text, start, end, names)
    firm = head is not None and head.word == "announce" and head.firm
    return head if firm and head is not None and names_ability(text[head.place : end], names, True) else None


def is_sentence(head: Head, words: str, names: Lexicon) -> bool:
    """Whether a line goes on as prose behind a word of the notation: `Move: a small word`, `Action: that was it`."""
    if head.word == "move":
        return not leads_with_stance(without_name(words, names))
    if says_none(head._replace(place=0), words, len(words)):
        return True
    if head.word not in ("action", "free attack") or has_roll(words):
        return False
    if head.word == "action" and len(words.split(None, _MOST_ABILITY)) <= _MOST_ABILITY:
        return False
    return not names.abilities_within(words)


def names_reaction(head: Head, words: str, names: Lexicon) -> bool:
    """`Reaction: Side Step` as a line, without its numbers; `words` stand behind the head."""
    return head.word == "reaction" and names_ability(words, names)
