"""Lines of moves: attacks, spells, specials, skills, potions, runs, teleports, the party stone (NE3, NE13 to NE15)."""

from __future__ import annotations

import re
from dataclasses import dataclass

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

_ACTIONS = {"special": "special", "skill": "skill", "spell": "spell", "cast": "spell", "casts": "spell"}


@dataclass(frozen=True, slots=True)
class _Rolls:
    """Where the rolls of a move begin, until their links are settled."""

    choice: int = -1
    aim: int = -1
    damage: int = -1


def read_move(line: LineText, names: Lexicon) -> Move | None:
    """The move that a line states, or None where it is none or can't be read."""
    text, start, end = line.text, line.start, line.end
    met = _ATTACKS.match(text, start, end)
    if met is not None and ":" not in met["actor"] and names.known(met["actor"]):
        target = met["target"]
        return _attack(line, names, met["actor"], target, met.end())
    met = _LABELLED.match(text, start, end) or _CASTS.match(text, start, end)
    if met is not None and names.known(met["actor"]):
        return _labelled(line, names, met["actor"], met["verb"].casefold(), met.end())
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


def _aim(line: LineText, names: Lexicon, place: int) -> tuple[Aim | None, int, int]:
    """The allocation part, where its roll begins, and the place behind it."""
    met = _AIM.match(line.text, place, line.end)
    if met is None:
        return None, -1, place
    start = met.start("die") if met["die"] else place
    slot = line.slot(start, (int(met["die"]),) if met["die"] else ())
    low = int(met["low"]) if met["low"] else None
    high = int(met["high"]) if met["high"] else low
    return Aim(NO_ROLL, low, high, names.name(met["name"])), slot.start, met.end()


def _attack(
    line: LineText,
    names: Lexicon,
    actor: str | None,
    target: str | None,
    place: int,
    choice: int = -1,
    chosen: str = "",
) -> Move | None:
    aim, aim_at, place = _aim(line, names, place)
    met = _DAMAGE.match(line.text, place, line.end)
    if met is None:
        return None
    read = read_attack_roll(line, met.end(), line.end)
    if read is None:
        return None
    slot = line.slot(met.end(), read.dice)
    amount = read.amount
    move = Move(
        "attack",
        _name(names, actor),
        _name(names, target),
        amount=amount.number if amount else None,
        sum_text=amount.words if amount else "",
        aim=aim,
        chosen=chosen or None,
    )
    return _settled(line, move, _Rolls(choice, aim_at, slot.start))


def _settled(line: LineText, move: Move, rolls: _Rolls) -> Move:
    """The move with its rolls and their links."""
    found = line.settle()
    aim = move.aim
    if aim is not None:
        aim = Aim(found[rolls.aim], aim.low, aim.high, aim.name)
    return Move(
        move.action,
        move.actor,
        move.target,
        move.ability,
        found.get(rolls.damage, NO_ROLL),
        move.amount,
        move.stated,
        move.sum_text,
        found.get(rolls.choice),
        move.chosen,
        aim,
    )


def _creature_move(line: LineText, names: Lexicon, actor: str | None, place: int) -> Move | None:
    """A creature that rolls for its move first (NE15)."""
    met = _CHOICE.match(line.text, place, line.end)
    if met is None:
        return None
    start = met.start("die") if met["die"] else place
    slot = line.slot(start, (int(met["die"]),) if met["die"] else ())
    named = " ".join(met["name"].split())
    if named.casefold() in ("normal attack", "attack", "attacks"):
        return _attack(line, names, actor, met["target"], met.end(), slot.start, named)
    aim, aim_at, place = _aim(line, names, met.end())
    head = _FORMULA_FIRST.match(line.text, place, line.end)
    if head is None:
        return None
    formula = read_formula(head["formula"])
    move = Move("special", _name(names, actor), _name(names, met["target"]), named, aim=aim, chosen=named)
    return _summed(line, move, formula, head.end(), _Rolls(slot.start, aim_at))


def _ability(line: LineText, names: Lexicon, actor: str | None, action: str, place: int) -> Move | None:
    met = _ABILITY.match(line.text, place, line.end)
    if met is None:
        return None
    move = Move(
        action, _name(names, actor), _name(names, met["target"]), " ".join(met["ability"].split()).rstrip(" .!")
    )
    words, begin = met["formula"] or "", met.end()
    if "=" in words and begin >= line.end:
        words, begin = words.split("=", 1)[0], met.start("formula") + words.index("=") + 1
    if begin >= line.end:
        return move if not words or read_formula(words) else None
    return _summed(line, move, read_formula(words), begin, _Rolls())


def _summed(line: LineText, move: Move, formula: Formula | None, place: int, rolls: _Rolls) -> Move | None:
    """The move with the sum from `place` on; its dice are told from its flat numbers by links or by the formula."""
    read = read_sum(line.text, place, line.end)
    if read is None:
        return None
    dice = _dice_of(line, read, formula)
    damage = -1
    if dice or line.anchored(place, line.end) or (formula is not None and formula.sides):
        damage = line.slot(place, dice, _dice_words(formula)).start
    total = read.total if read.total is not None else None
    words = " ".join(line.text[place : line.end].split())
    move = Move(
        move.action,
        move.actor,
        move.target,
        move.ability,
        amount=total,
        sum_text=words,
        chosen=move.chosen,
        aim=move.aim,
    )
    return _settled(line, move, _Rolls(rolls.choice, rolls.aim, damage))


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
    slot = line.slot(met.start("die") if met["die"] else line.start, (int(met["die"]),) if met["die"] else ())
    return _settled(line, move, _Rolls(damage=slot.start))
