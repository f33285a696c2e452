"""Lines of moves: attacks, spells, specials, skills, potions, runs, teleports, the party stone (NE3, NE13 to NE15)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from referee.model.claims import WrittenRoll
from referee.ports.reading import ARROW
from rules.enolaptia.claims import NO_ROLL, Aim, Move
from rules.enolaptia.formula import Formula, read_formula
from rules.enolaptia.grammar import D6, NAME, LineText, Sum, read_attack_roll, read_sum
from rules.enolaptia.lexicon import Lexicon

_FLAGS = re.IGNORECASE
_ATTACKS = re.compile(rf"(?P<actor>{NAME})\s+attacks?\b(?:\s+(?P<target>{NAME}))?\s*[:;,]\s*", _FLAGS)
_LABELLED = re.compile(
    rf"(?P<actor>{NAME})\s*:\s*(?P<verb>(?:a\s+)?normal attack|attacks?|spell|casts?|special|skill|potion|run|move"
    r"|party stone|teleports?)\b\s*",
    _FLAGS,
)
_CASTS = re.compile(rf"(?P<actor>{NAME})\s+(?P<verb>casts)\s+(?={NAME}[,:])", _FLAGS)
_BARE = re.compile(r"(?P<verb>run|potion)\s*(?=:)", _FLAGS)
_ON = re.compile(rf"(?:on\s+)?(?P<target>{NAME})\s*[,:;]\s*", _FLAGS)
_AIM = re.compile(
    rf"(?:roll\s+)?{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*,?\s*allocation\s*"
    rf"(?:(?P<low>\d)(?:\s*-\s*(?P<high>\d))?)?\s*(?:=|:|{ARROW}|is)?\s*(?P<name>{NAME})\s*[;,:]\s*",
    _FLAGS,
)
_DAMAGE = re.compile(rf"(?:damage\s*[:=]?\s*)?(?:{D6}\s*[=:]?\s*|rolle?[ds]\s*(?:an?\s+)?[:=]?\s*)", _FLAGS)
_CHOICE = re.compile(
    rf"{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*\((?P<name>[^()\n]{{1,60}})\)\s*(?:on\s+(?P<target>{NAME}))?\s*[:;,]\s*",
    _FLAGS,
)
_ABILITY = re.compile(
    rf":?\s*(?P<ability>{NAME})(?:\s+on\s+(?P<target>{NAME}))?\s*(?:,\s*(?P<formula>[^:;\n]{{1,60}}?))?\s*(?:[:;]\s*|$)",
    _FLAGS,
)
_FORMULA_FIRST = re.compile(r"(?:damage\s*[:=]?\s*)?(?P<formula>[^:;=\n]{1,60}?)\s*[:=]\s*", _FLAGS)
_POTION = re.compile(
    rf":?\s*(?P<ability>{NAME})(?:\s+on\s+(?P<target>{NAME}))?\s*(?:[,:;(]\s*\+?\s*(?P<gain>\d{{1,6}})\s*(?:HP)?\s*\)?)?"
    r"\s*[.!]?\s*$",
    _FLAGS,
)
_RUN = re.compile(
    rf":?\s*(?:{D6}\s*[=:]?\s*)?(?P<die>\d{{1,6}})?\s*(?:[,;:]|-(?!>)|{ARROW})?\s*"
    r"(?P<word>escape[ds]?|runs?(?:\s+away)?|ran(?:\s+away)?|gets?\s+away|got\s+away|success|succeeds|succeeded"
    r"|can\s?not\s+run|can't\s+run|fails?|failed|failure|does\s+not\s+escape|no\s+escape)?\s*[.!]?\s*$",
    _FLAGS,
)
_TELEPORT = re.compile(rf"teleports?\s*:\s*(?P<actor>{NAME})\s*(?:{ARROW}|\bto\b)\s*[^\n]{{1,60}}$", _FLAGS)
_TELEPORT_REST = re.compile(rf"(?:{ARROW}|:|to\b)\s*[^\n]{{1,60}}$", _FLAGS)
_STONE = re.compile(rf"party stone\s*[:,]\s*(?P<actor>{NAME})\s+joins\b", _FLAGS)
_STONE_REST = re.compile(r"[,:]?\s*joins\b", _FLAGS)
_ESCAPED = re.compile(r"escape|run|ran|get|got|succ", _FLAGS)
_FAILED = re.compile(r"can|fail|not|no\b", _FLAGS)

#: How `run`, `potion`, `party stone` and `teleport` begin.
_BARE_BEGINS = frozenset("rRpPtT")
_ACTIONS = {"special": "special", "skill": "skill", "spell": "spell", "cast": "spell", "casts": "spell"}


class _Aimed(NamedTuple):
    """The allocation part of a line: where its roll begins, the numbers, who is named."""

    start: int
    low: int | None
    high: int | None
    name: str

    def with_roll(self, rolls: Mapping[int, WrittenRoll]) -> Aim:
        """The aim with its roll, once the links are settled."""
        return Aim(rolls[self.start], self.low, self.high, self.name)


def read_move(line: LineText, names: Lexicon, own: str | None) -> Move | None:
    """The move that a line states, or None where it is none or can't be read.

    `own`: the author's only character, whose move a line without a name is.
    """
    move = _move(line, names)
    if move is None:
        return None
    if own and not move.actor:
        move = move._replace(actor=own)
    if move.target is None and move.action == "potion":
        move = move._replace(target=move.actor)
    return move


def _move(line: LineText, names: Lexicon) -> Move | None:
    text, start, end = line.text, line.start, line.end
    met = _ATTACKS.match(text, start, end)
    if met is not None and names.known(met["actor"]):
        return _attack(line, names, met["actor"], met["target"], met.end())
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
        return _ability(line, names, actor, _ACTIONS[verb], place)
    if verb == "potion":
        return _potion(line, names, actor, place)
    if verb == "run":
        return _run(line, names, actor, place)
    if verb == "move":
        return _creature_move(line, names, actor, place)
    if verb == "party stone":
        joins = _STONE_REST.match(line.text, place, line.end)
        return Move("party stone", names.name(actor or "")) if joins else None
    if verb.startswith("teleport"):
        away = _TELEPORT_REST.match(line.text, place, line.end)
        return Move("teleport", names.name(actor or "")) if away else None
    on = _ON.match(line.text, place, line.end)
    if on is None or on["target"].casefold() == "on":
        return None
    return _attack(line, names, actor, on["target"], on.end())


def _out_of_battle(line: LineText, names: Lexicon) -> Move | None:
    """`Teleport: Mira -> Brightwater`, `Party stone: Wanda joins`."""
    for pattern, action in ((_TELEPORT, "teleport"), (_STONE, "party stone")):
        met = pattern.match(line.text, line.start, line.end)
        if met is not None and names.known(met["actor"]):
            return Move(action, names.name(met["actor"]))
    return None


def _name(names: Lexicon, text: str | None) -> str | None:
    return names.name(text) if text else None


def _aim(line: LineText, names: Lexicon, place: int) -> tuple[_Aimed | None, int]:
    """The allocation part of a creature's move, and the place behind it."""
    met = _AIM.match(line.text, place, line.end)
    if met is None:
        return None, place
    die, low, high = met.group("die", "low", "high")
    start = line.slot(met.start("die"), (int(die),)) if die else line.slot(place, ())
    lowest = int(low) if low else None
    highest = int(high) if high else lowest
    return _Aimed(start, lowest, highest, names.name(met["name"])), met.end()


def _attack(
    line: LineText,
    names: Lexicon,
    actor: str | None,
    target: str | None,
    place: int,
    choice: int = -1,
    chosen: str | None = None,
) -> Move | None:
    aimed, place = _aim(line, names, place)
    met = _DAMAGE.match(line.text, place, line.end)
    if met is None:
        return None
    read = read_attack_roll(line, met.end(), line.end)
    if read is None:
        return None
    start = line.slot(met.end(), read.dice)
    rolls = line.settle()
    return Move(
        "attack",
        _name(names, actor),
        _name(names, target),
        roll=rolls[start],
        amount=read.amount.number if read.amount else None,
        sum_text=read.amount.words if read.amount else "",
        choice=rolls.get(choice),
        chosen=chosen,
        aim=aimed.with_roll(rolls) if aimed else None,
    )


def _creature_move(line: LineText, names: Lexicon, actor: str | None, place: int) -> Move | None:
    """A creature that rolls for its move first (NE15)."""
    met = _CHOICE.match(line.text, place, line.end)
    if met is None:
        return None
    start = line.slot(met.start("die"), (int(met["die"]),)) if met["die"] else line.slot(place, ())
    named = " ".join(met["name"].split())
    if named.casefold() in ("normal attack", "attack", "attacks"):
        return _attack(line, names, actor, met["target"], met.end(), start, named)
    aimed, place = _aim(line, names, met.end())
    head = _FORMULA_FIRST.match(line.text, place, line.end)
    if head is None:
        return None
    summed = _summed(line, read_formula(head["formula"]), head.end())
    if summed is None:
        return None
    rolls = line.settle()
    return Move(
        "special",
        _name(names, actor),
        _name(names, met["target"]),
        named,
        roll=rolls.get(summed.start, NO_ROLL),
        amount=summed.amount,
        sum_text=summed.words,
        choice=rolls[start],
        chosen=named,
        aim=aimed.with_roll(rolls) if aimed else None,
    )


def _ability(line: LineText, names: Lexicon, actor: str | None, action: str, place: int) -> Move | None:
    met = _ABILITY.match(line.text, place, line.end)
    if met is None:
        return None
    who, target = _name(names, actor), _name(names, met["target"])
    ability = " ".join(met["ability"].split()).rstrip(" .!")
    words, begin = met["formula"] or "", met.end()
    if "=" in words and begin >= line.end:
        words, begin = words.split("=", 1)[0], met.start("formula") + words.index("=") + 1
    if begin >= line.end:
        return Move(action, who, target, ability) if not words or read_formula(words) else None
    summed = _summed(line, read_formula(words), begin)
    if summed is None:
        return None
    roll = line.settle().get(summed.start, NO_ROLL)
    return Move(action, who, target, ability, roll=roll, amount=summed.amount, sum_text=summed.words)


class _Summed(NamedTuple):
    """The sum of an ability: where its dice begin (-1: it has none), its total, its words."""

    start: int
    amount: int | None
    words: str


def _summed(line: LineText, formula: Formula | None, place: int) -> _Summed | None:
    """The sum from `place` on; its dice are told from its flat numbers by links or by the formula."""
    read = read_sum(line.text, place, line.end)
    if read is None:
        return None
    dice = _dice_of(line, read, formula)
    start = -1
    if dice or line.anchored(place, line.end) or (formula is not None and formula.sides):
        start = line.slot(place, dice, _dice_words(formula))
    return _Summed(start, read.total, " ".join(line.text[place : line.end].split()))


def _dice_words(formula: Formula | None) -> str:
    return "+".join(formula.due()) if formula is not None and formula.sides else "1d6"


def _dice_of(line: LineText, read: Sum, formula: Formula | None) -> tuple[int, ...]:
    """Which terms of a sum are dice."""
    terms = read.terms
    if not terms:
        return ()
    parts = formula.parts if formula is not None else ()
    if len(parts) == len(terms):
        return tuple(abs(term[0]) for term, part in zip(terms, parts, strict=True) if part[0] == "die")
    ends = [place for _, place in terms[1:]] + [line.end]
    linked = tuple(number for (number, place), stop in zip(terms, ends, strict=True) if line.anchored(place, stop))
    if linked or formula is None:
        return linked
    flat = [part[1] for part in parts if part[0] == "flat"]
    numbers = [number for number, _ in terms]
    for number in flat:
        if number in numbers[::-1]:
            numbers.reverse()
            numbers.remove(number)
            numbers.reverse()
    return tuple(numbers[1:] if formula.uses_at else numbers)


def _potion(line: LineText, names: Lexicon, actor: str | None, place: int) -> Move | None:
    met = _POTION.match(line.text, place, line.end)
    if met is None or not any(letter.isalpha() for letter in met["ability"]):
        return None
    target = _name(names, met["target"]) or _name(names, actor)
    gain = int(met["gain"]) if met["gain"] else None
    return Move("potion", _name(names, actor), target, " ".join(met["ability"].split()), amount=gain)


def _run(line: LineText, names: Lexicon, actor: str | None, place: int) -> Move | None:
    met = _RUN.match(line.text, place, line.end)
    if met is None or not (met["die"] or met["word"] or line.anchors):
        return None
    word = met["word"] or ""
    stated = None
    if _FAILED.match(word) or "not" in word:
        stated = "failed"
    elif _ESCAPED.match(word):
        stated = "escaped"
    move = Move("run", _name(names, actor), stated=stated)
    if not met["die"] and not line.anchors:
        return move
    start = line.slot(met.start("die"), (int(met["die"]),)) if met["die"] else line.slot(line.start, ())
    return move._replace(roll=line.settle()[start])
