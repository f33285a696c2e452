"""Lines of what a fighter does, and which form of move each is (NE3, NE7, NE13)."""

from __future__ import annotations

import re

from referee.ports.reading import ARROW, squeeze
from rules.enolaptia.claims import Move
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import D6, NAME, LineText
from rules.enolaptia.reading.moves import (
    BEHIND_TARGET,
    ability,
    attack,
    creature_move,
    holds_a_roll,
    is_title,
    name_or_none,
    on_target,
    plain,
)

_FLAGS = re.IGNORECASE
_ATTACKS = re.compile(
    rf"(?P<actor>{NAME})\s+attacks?\b(?:\s+(?:(?:on|at)\s+)?(?P<target>{NAME}))?\s*{BEHIND_TARGET}\s*", _FLAGS
)
_LABELLED = re.compile(
    rf"(?P<actor>{NAME})\s*:\s*(?P<verb>(?:a\s+)?normal attack|attacks?|spell|casts?|special|skill|potion|run|move"
    r"|party stone|teleports?)\b\s*",
    _FLAGS,
)
_CASTS = re.compile(rf"(?P<actor>{NAME})\s+(?P<verb>casts)\s+(?={NAME}[,:])", _FLAGS)
_BARE = re.compile(r"(?P<verb>run|potion)\s*(?=:)", _FLAGS)
#: The same of a line of the game that names nobody in front: `Normal attack on Rat 1, ...`.
_BARE_LOOSE = re.compile(r"(?P<verb>(?:normal\s+)?attacks?|spell|casts?|special|skill)\b\s*:?\s*", _FLAGS)
_POTION = re.compile(
    rf":?\s*(?P<ability>{NAME})(?:\s+on\s+(?P<target>{NAME}))?\s*(?:[,:;(]\s*\+?\s*(?P<gain>\d{{1,6}})\s*(?:HP)?\s*\)?)?"
    r"\s*(?:\([^()\d\n]{0,60}\))?\s*[.!]?\s*$",
    _FLAGS,
)
#: `(Small Potion) on Mira`, `Small Potion -> Mira`, `Small Potion on Mira +10`, `Small Potion: heals 10`.
_LOOSE_POTION = re.compile(
    rf":?\s*\(?\s*(?P<ability>{NAME})\s*\)?(?:\s+(?:on|to|for)\s+(?P<target>(?!\+?\s?\d){NAME})|\s*{ARROW}\s*(?P<toward>{NAME}))?"
    r"\s*(?:[,:;(=]\s*(?:(?:and\s+)?(?:heal(?:s|ing)?|restor(?:es?|ing)|gives?|for)\s+(?:for\s+)?)?\+?\s*(?P<gain>\d{1,6})\s*(?:HP)?\s*\)?"
    r"|(?:\+\s*|[,;]?\s*HP\s*:?\s*\+\s*|,?\s*\b(?:and\s+)?(?:heals?|restor(?:es?|ing)|gives?)\s+\+?|\bfor\s+\+?)(?P<more>\d{1,6})\s*(?:HP)?)?"
    r"\s*(?:\([^()\d\n]{0,60}\))?\s*[.!]?\s*$",
    _FLAGS,
)
_RUN = re.compile(
    rf":?\s*(?P<roll>{D6}\s*[=:]?\s*|rolle?[ds]\s*[:=]?\s*)?(?P<die>\d{{1,6}})?\s*(?:[,;:]|-(?!>)|{ARROW})?\s*"
    r"(?P<word>escape[ds]?|(?:can\s+)?runs?(?:\s+away)?|ran(?:\s+away)?|gets?\s+away|got\s+away|success|succeeds|succeeded"
    r"|can\s?not\s+run|can't(?:\s+run)?|fails?|failed|failure|no\s+luck|no\s+good|blocked|stuck|stays?|does\s+not\s+escape|no\s+escape)?\s*[.!]?\s*$",
    _FLAGS,
)
_TELEPORT = re.compile(rf"teleports?\s*:\s*(?P<actor>{NAME})\s*(?:{ARROW}|\bto\b)\s*[^\n]{{1,60}}$", _FLAGS)
_TELEPORT_REST = re.compile(rf"(?:{ARROW}|:|to\b)\s*[^\n]{{1,60}}$", _FLAGS)
_STONE = re.compile(rf"party stone\s*[:,-]?\s*(?P<actor>{NAME})\s+joins\b", _FLAGS)
_STONE_REST = re.compile(r"[,:-]?\s*joins\b", _FLAGS)
_ESCAPED = re.compile(r"escape|run|ran|get|got|succ|can\s+run", _FLAGS)
_FAILED = re.compile(r"can(?!\s+run)|fail|not|no\b|blocked|stuck|stay", _FLAGS)

#: How `run`, `potion`, `party stone` and `teleport` begin.
_BARE_BEGINS = frozenset("rRpPtT")
_ACTIONS = {"special": "special", "skill": "skill", "spell": "spell", "cast": "spell", "casts": "spell"}
_REFLEXIVE = frozenset(("herself", "himself", "itself", "themselves", "themself", "myself", "self"))


def read_move(line: LineText, names: Lexicon, own: str | None) -> Move | None:
    """The move that a line states, or None where it is none or can't be read.

    `own`: the author's only character, whose move a line without a name is.
    """
    move = _move(line, names)
    if move is None and line.loose and own is not None:
        move = _own_blow(line, names)
    return settled(move, own) if move is not None else None


def _own_blow(line: LineText, names: Lexicon) -> Move | None:
    """`Normal attack on Rat 1, ...`: the author's only character hits a creature."""
    met = _BARE_LOOSE.match(line.text, line.start, line.end)
    move = _labelled(line, names, None, met["verb"].casefold(), met.end()) if met is not None else None
    if move is None or move.target is None or names.characters.find(move.target) is not None:
        return None
    return move if names.find(move.target) is not None else None


def in_words(line: LineText) -> bool:
    """Whether a spell is told as in a story: `Mira casts Ember on Rat 1: ...`."""
    return _CASTS.match(line.text, line.start, line.end) is not None


def settled(move: Move, own: str | None) -> Move:
    """A move with who is meant where its line names nobody, or `herself`."""
    if own and not move.actor:
        move = move._replace(actor=own)
    if move.target is None:
        return move._replace(target=move.actor) if move.action == "potion" else move
    return move._replace(target=move.actor) if squeeze(move.target) in _REFLEXIVE else move


def _move(line: LineText, names: Lexicon) -> Move | None:
    text, start, end = line.text, line.start, line.end
    met = _ATTACKS.match(text, start, end)
    if met is not None and names.known(met["actor"]) and not holds_a_roll(met["target"] or ""):
        return attack(line, names, met["actor"], met["target"], met.end())
    met = _LABELLED.match(text, start, end) or _CASTS.match(text, start, end)
    if met is not None and names.known(met["actor"]):
        return _labelled(line, names, met["actor"], met["verb"].casefold(), met.end())
    if text[start : start + 1] not in _BARE_BEGINS:
        return None
    met = _BARE.match(text, start, end)
    if met is not None:
        return _labelled(line, names, None, met["verb"].casefold(), met.end())
    return _out_of_battle(line, names)


def _labelled(line: LineText, names: Lexicon, actor: str | None, verb: str, place: int) -> Move | None:
    if verb in _ACTIONS:
        return ability(line, names, actor, _ACTIONS[verb], place)
    if verb == "potion":
        return potion(line, names, actor, place)
    if verb == "run":
        return run(line, names, actor, place)
    if verb == "move":
        return creature_move(line, names, actor, place)
    if verb == "party stone":
        joins = _STONE_REST.match(line.text, place, line.end)
        return Move("party stone", names.name(actor or "")) if joins else None
    if verb.startswith("teleport"):
        away = _TELEPORT_REST.match(line.text, place, line.end)
        return Move("teleport", names.name(actor or "")) if away else None
    on = on_target(line, place)
    return attack(line, names, actor, *on) if on is not None else None


def _out_of_battle(line: LineText, names: Lexicon) -> Move | None:
    """`Teleport: Mira -> Brightwater`, `Party stone: Wanda joins`."""
    for pattern, action in ((_TELEPORT, "teleport"), (_STONE, "party stone")):
        met = pattern.match(line.text, line.start, line.end)
        if met is not None and names.known(met["actor"]):
            return Move(action, names.name(met["actor"]))
    return None


def potion(line: LineText, names: Lexicon, actor: str | None, place: int) -> Move | None:
    """A potion from its name on: `Small Potion on Mira, +10 HP`."""
    met, gain, target = _POTION.match(line.text, place, line.end), None, None
    if met is not None:
        gain, target = met.group("gain", "target")
    if met is None or gain is None or names.used(met["ability"]) != "potion":
        loose = _LOOSE_POTION.match(line.text, place, line.end)
        if loose is not None:
            met, gain = loose, loose["gain"] or loose["more"]
            target = loose["target"] or loose["toward"]
    if met is None:
        return None
    named = plain(met["ability"], names)
    if not named[:1].isalpha() or (not gain and not names.used(named) and not is_title(named, line)):
        return None
    who = name_or_none(names, actor)
    amount = int(gain) if gain else None
    return Move("potion", who, name_or_none(names, target) or who, named, amount=amount)


def run(line: LineText, names: Lexicon, actor: str | None, place: int, *, rolled: bool = False) -> Move | None:
    """A try to run from its roll on; `rolled`: a number without the word of a roll is prose."""
    met = _RUN.match(line.text, place, line.end)
    if met is None or not (met["die"] or met["word"] or line.anchors):
        return None
    if rolled and not (met["roll"] or line.anchors):
        return None
    word = met["word"] or ""
    stated = None
    if _FAILED.match(word) or "not" in word:
        stated = "failed"
    elif _ESCAPED.match(word):
        stated = "escaped"
    move = Move("run", name_or_none(names, actor), stated=stated)
    if not met["die"] and not line.anchors:
        return move
    start = line.slot(met.start("die"), (int(met["die"]),)) if met["die"] else line.slot(line.start, ())
    return move._replace(roll=line.settle()[start])
