"""Lines of blows: attacks, spells, specials, skills, a creature's rolled move (NE3, NE14, NE15)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from referee.model.claims import WrittenRoll
from referee.ports.reading import ARROW
from rules.enolaptia.claims import NO_ROLL, Aim, Move
from rules.enolaptia.formula import Formula, read_formula
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import D6, NAME, Amount, LineText, Sum, read_attack_roll, read_sum

_FLAGS = re.IGNORECASE
_ON = re.compile(rf"(?:(?:on|vs\.?|against|at|to)\s+|(?:@|{ARROW})\s*)?(?P<target>{NAME})\s*[,:;]\s*", _FLAGS)
#: What stands between who is hit and the damage: `... = Tobin; damage`, `attacks Tobin. Damage`.
BEHIND_TARGET = r"(?:[;,:]|\.(?=\s*(?:damage|dmg)\b))"
_AIM = re.compile(
    rf"(?:roll\s+)?{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*,?\s*allocation\s*"
    rf"(?:(?P<low>\d)(?:\s*-\s*(?P<high>\d))?)?\s*(?:=|:|{ARROW}|is)?\s*(?P<name>(?=[^\W\d]){NAME})\s*{BEHIND_TARGET}\s*",
    _FLAGS,
)
#: The same without the word, shortened, or with the word in front of the roll: only for somebody of the battle.
_AIM_LOOSE = re.compile(
    rf"(?:(?:alloc(?:ation|\.)?|targets?)(?:\s+(?:roll|die))?\s*[:=]?\s*)?{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*,?\s*"
    rf"(?:(?:alloc(?:ation|\.)?|targets?)\s*)?(?:(?P<low>\d)(?:\s*-\s*(?P<high>\d))?)?\s*(?:=|:|,|{ARROW}|is)?\s*"
    rf"(?P<name>(?=[^\W\d]){NAME})\s*{BEHIND_TARGET}\s*",
    _FLAGS,
)
#: `Rat 1 attacks Mira, d6 3 (1-3): damage ...`: who is hit stands in front of the roll.
_AIM_BEHIND = re.compile(
    rf"(?:(?:alloc(?:ation|\.)?|targets?)\s*[:=]?\s*)?{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*,?\s*"
    r"(?:(?:alloc(?:ation|\.)?|targets?)?\s*(?P<low>\d)(?:\s*-\s*(?P<high>\d))?)?\s*[;,:]\s*(?=(?:damage|dmg)\b)",
    _FLAGS,
)
_ROLLED = re.compile(r"\b(?:rolle?[ds]?|rolls)\s+\d|\b(?:damage|dmg)\b", _FLAGS)
#: A die without a word in front, beside its link.
_BARE_DIE = re.compile(r"[1-6]\s*[:,]")
_DAMAGE_WORD = re.compile(r"(?:damage|dmg)(?:\s+roll)?\s*[:=]?\s*", _FLAGS)
_DAMAGE = re.compile(
    rf"(?:(?:(?:damage|dmg)(?:\s+roll)?|roll)\s*[:=]?\s*)?(?:{D6}\s*[=:]?\s*|rolle?[ds]\s*(?:an?\s+)?[:=]?\s*)", _FLAGS
)
_CHOICE = re.compile(
    rf"{D6}\s*[=:]?\s*(?P<die>\d{{1,6}})?\s*\((?P<name>[^()\n]{{1,60}})\)\s*"
    rf"(?:(?:(?:on|vs\.?|against|at|to)\s+|(?:@|{ARROW})\s*)(?P<target>{NAME}))?\s*[:;,]\s*",
    _FLAGS,
)
_ABILITY = re.compile(
    rf":?\s*(?P<ability>{NAME})(?:\s*\((?P<dice>[^()\n]{{1,30}})\))?(?:(?:\s+(?:on|at|vs\.?|against|@)\s+|\s*{ARROW}\s*)(?P<target>{NAME}(?:\s*\(\s*#?\d{{1,2}}\s*\))?))?"
    r"\s*(?:,\s*(?P<formula>[^:;\n]{1,60}?)|\((?P<behind>[^()\n]{1,30})\))?\s*(?:[:;]\s*|$)",
    _FLAGS,
)
_FORMULA_FIRST = re.compile(r"(?:damage\s*[:=]?\s*)?(?P<formula>[^:;=\n]{1,60}?)\s*[:=]\s*", _FLAGS)
_GAIN = re.compile(
    r"\+\s*(?P<gain>\d{1,6})\s*(?:HP)?\s*[.!]?|heals?\s+(?:for\s+)?\+?(?P<heals>\d{1,6})\s*(?:HP)?\s*[.!]?", _FLAGS
)
#: An amount and nothing else behind a comma: `Stone Drop on Crab 2, 8 damage`.
_AMOUNT_ALONE = re.compile(r"(?:for\s+)?(?P<amount>\d{1,6})\s*(?:damage|dmg)\s*[.!]?", _FLAGS)
_ARTICLE = re.compile(r"(?:an?|the|one|her|his|its|their)\s+(?=\S)", _FLAGS)


class _Aimed(NamedTuple):
    """The allocation part of a line: where its roll begins, the numbers, who is named."""

    start: int
    low: int | None
    high: int | None
    name: str

    def with_roll(self, rolls: Mapping[int, WrittenRoll]) -> Aim:
        """The aim with its roll, once the links are settled."""
        return Aim(rolls[self.start], self.low, self.high, self.name)


def name_or_none(names: Lexicon, text: str | None) -> str | None:
    """The full name of somebody named, None where nobody is."""
    return names.name(text) if text else None


def on_target(line: LineText, place: int) -> tuple[str, int] | None:
    """`on Rat 1,`: who is named, and the place behind it."""
    met = _ON.match(line.text, place, line.end)
    if met is None or met["target"].casefold() in ("on", "vs", "against", "at") or holds_a_roll(met["target"]):
        return None
    return met["target"], met.end()


def holds_a_roll(target: str) -> bool:
    """Whether a roll has got into a target, where a comma is missing in front of it: `Rat 1 1d6 = 4`."""
    return "=" in target or "d6" in target or "D6" in target or _ROLLED.search(target) is not None


def _aim(line: LineText, names: Lexicon, place: int, target: str | None = None) -> tuple[_Aimed | None, int]:
    """The allocation part of a creature's move, and the place behind it; `target`: who is named in front of it."""
    met, name = _AIM.match(line.text, place, line.end), target
    if met is None and line.loose:
        met = (_AIM_BEHIND if target else _AIM_LOOSE).match(line.text, place, line.end)
        if met is not None and names.characters.find(target or met["name"]) is None:
            return None, place
    if met is None or holds_a_roll(met.groupdict().get("name") or ""):
        return None, place
    die, low, high = met.group("die", "low", "high")
    start = line.slot(met.start("die"), (int(die),)) if die else line.slot(place, ())
    lowest = int(low) if low else None
    highest = int(high) if high else lowest
    return _Aimed(start, lowest, highest, names.name(met.groupdict().get("name") or name or "")), met.end()


def attack(
    line: LineText,
    names: Lexicon,
    actor: str | None,
    target: str | None,
    place: int,
    choice: int = -1,
    chosen: str | None = None,
) -> Move | None:
    """A blow from its roll on; `choice`, `chosen`: a creature's move roll and the move that it is said to give."""
    aimed, place = _aim(line, names, place, target)
    met = _DAMAGE.match(line.text, place, line.end)
    if met is None and not line.rolled_at(place):
        met = _DAMAGE_WORD.match(line.text, place, line.end)
        bare = line.loose and line.rolled and _BARE_DIE.match(line.text, place, line.end) is not None
        if not bare and (met is None or not line.rolled_at(met.end())):
            return None
    place = met.end() if met is not None else place
    read = read_attack_roll(line, place, line.end)
    if read is None:
        return None
    start = line.slot(place, read.dice)
    rolls = line.settle()
    amount = read.amount or Amount(None, "")
    move = Move(
        "attack",
        name_or_none(names, actor),
        name_or_none(names, target),
        roll=rolls[start],
        amount=amount.number,
        sum_text=amount.words,
        choice=rolls.get(choice),
        chosen=chosen,
        aim=aimed.with_roll(rolls) if aimed else None,
        adds_up=amount.fits,
        base=amount.base,
    )
    return move if amount.whom is None else _taken_by(move, names.name(amount.whom))


def _taken_by(move: Move, whom: str) -> Move | None:
    """A blow whose amount says who takes it (`5 to Mira`); None where that is somebody else than it is aimed at."""
    if move.target is None and move.aim is None:
        return move._replace(target=whom)
    return move if whom == (move.aim.name if move.aim is not None else move.target) else None


def creature_move(line: LineText, names: Lexicon, actor: str | None, place: int) -> Move | None:
    """A creature that rolls for its move first (NE15)."""
    met = _CHOICE.match(line.text, place, line.end)
    if met is None:
        return None
    start = line.slot(met.start("die"), (int(met["die"]),)) if met["die"] else line.slot(place, ())
    named = " ".join(met["name"].split())
    if named.casefold() in ("normal attack", "attack", "attacks"):
        return attack(line, names, actor, met["target"], met.end(), start, named)
    aimed, place = _aim(line, names, met.end())
    head = _FORMULA_FIRST.match(line.text, place, line.end)
    if head is None:
        return None
    formula = read_formula(head["formula"])
    summed = _summed(line, formula, head.end())
    if summed is None:
        return None
    rolls = line.settle()
    return Move(
        "special",
        name_or_none(names, actor),
        name_or_none(names, met["target"]),
        named,
        roll=rolls.get(summed.start, NO_ROLL),
        amount=summed.amount,
        sum_text=summed.words,
        choice=rolls[start],
        chosen=named,
        aim=aimed.with_roll(rolls) if aimed else None,
        adds_up=summed.adds_up,
        formula=formula,
    )


def ability(line: LineText, names: Lexicon, actor: str | None, action: str, place: int) -> Move | None:
    """A spell, special or skill from its name on."""
    move = _ability(line, names, actor, action, place)
    if move is not None and names.used(move.ability or "") is not None:
        return move
    alone = _without_number(line, names, place)
    return move if alone is None else Move(action, name_or_none(names, actor), ability=alone)


def _ability(line: LineText, names: Lexicon, actor: str | None, action: str, place: int) -> Move | None:
    met = _ABILITY.match(line.text, place, line.end)
    if met is None:
        return None
    if met["target"] and holds_a_roll(met["target"]):
        return None
    who, target, named = name_or_none(names, actor), name_or_none(names, met["target"]), plain(met["ability"], names)
    group = "formula" if met["formula"] else "behind" if met["behind"] else "dice"
    words, begin, whole = met[group] or "", met.end(), True
    if begin >= line.end and "=" in words:
        words, begin, whole = words.split("=", 1)[0], met.start(group) + words.index("=") + 1, False
    elif begin < line.end and not words:
        words, begin = _formula_ahead(line, begin)
    told = _AMOUNT_ALONE.fullmatch(words) if begin >= line.end else None
    if told is not None and target is not None and names.deals_a_fixed_amount(named):
        return Move(action, who, target, named, amount=int(told["amount"]), sum_text=told["amount"])
    gain = _gain(words if begin >= line.end else line.text[begin : line.end])
    if gain is not None:
        return Move(action, who, target, named, amount=gain, heals=True)
    formula = read_formula(words)
    if begin >= line.end:
        said = target is not None or names.used(named) or is_title(named, line)
        if not said or (words and formula is None):
            return None
        return Move(action, who, target, named, roll=_roll_alone(line, formula, met.start(group)))
    summed = _summed(line, formula, begin, dice_first=not whole)
    if summed is None:
        return None
    return Move(
        action,
        who,
        target,
        named,
        roll=line.settle().get(summed.start, NO_ROLL),
        amount=summed.amount,
        sum_text=summed.words,
        adds_up=summed.adds_up,
        formula=formula if whole else None,
    )


def _without_number(line: LineText, names: Lexicon, place: int) -> str | None:
    """An ability of the tables that does no damage, with other words behind it: `Battle Cry - again!`."""
    words = line.text[place : line.end].lstrip(": ")
    return None if any([sign.isdigit() for sign in words]) else names.harmless_ahead(words)


def _roll_alone(line: LineText, formula: Formula | None, place: int) -> WrittenRoll:
    """The roll of dice that stand without their numbers, which only their link shows: `1d6+2 (link)`."""
    if formula is None or not formula.sides or not line.anchored(place, len(line.text) + 1):
        return NO_ROLL
    start = line.slot(place, (), _dice_words(formula))
    return line.settle().get(start, NO_ROLL)


def is_title(name: str, line: LineText) -> bool:
    """Whether a name that no table has may be an ability's or a potion's: `skill is what we lack` is prose."""
    if any([sign.isdigit() for sign in name]):
        return False
    return name[:1].isupper() or line.text[line.start : line.end].islower()


def _gain(text: str) -> int | None:
    """What an ability heals, where only that is written: `+10 HP`, `heals 10`."""
    met = _GAIN.fullmatch(text) if text[:1] in ("+", "h", "H") else None
    return None if met is None else int(met["gain"] or met["heals"])


def plain(text: str, names: Lexicon) -> str:
    """The name of an ability or potion without quotation marks, full stop and article."""
    name = " ".join(text.split()).strip("\"'").rstrip(" .!")
    article = _ARTICLE.match(name) if " " in name else None
    return name[article.end() :] if article is not None and names.used(name) is None else name


def _formula_ahead(line: LineText, place: int) -> tuple[str, int]:
    """The dice of an ability where a colon stands in front of them: `on Rat 1: 1d6+2: 4 + 2 = 6`."""
    met = _FORMULA_FIRST.match(line.text, place, line.end)
    formula = read_formula(met["formula"]) if met is not None else None
    if met is None or formula is None or not (formula.sides or formula.uses_at):
        return "", place
    return met["formula"], met.end()


class _Summed(NamedTuple):
    """The sum of an ability: where its dice begin (-1: it has none), its total, its words, whether it adds up."""

    start: int
    amount: int | None
    words: str
    adds_up: bool


def _summed(line: LineText, formula: Formula | None, place: int, *, dice_first: bool = False) -> _Summed | None:
    """The sum from `place` on; its dice are told from its flat numbers by links or by the formula."""
    read = read_sum(line.text, place, line.end)
    if read is None:
        return None
    dice = _dice_of(line, read, formula, dice_first)
    if not read.terms and read.total is not None and formula is not None and formula.sides and len(formula.parts) == 1:
        dice = (read.total,)  # `1d6: 5` shows its only die (X4).
    start = -1
    if dice or line.anchored(place, line.end) or (formula is not None and formula.sides):
        start = line.slot(place, dice, _dice_words(formula))
    # With a die that only its link shows the terms are not all there.
    shown = len(read.terms) == len(formula.parts) if formula is not None else not line.anchors
    return _Summed(start, read.total, " ".join(line.text[place : line.end].split()), read.fits or not shown)


def _dice_words(formula: Formula | None) -> str:
    return "+".join(formula.due()) if formula is not None and formula.sides else "1d6"


def _dice_of(line: LineText, read: Sum, formula: Formula | None, dice_first: bool) -> tuple[int, ...]:
    """Which terms of a sum are dice; `dice_first`: what stands behind `1d6 =`."""
    terms = read.terms
    if not terms:
        return ()
    parts = formula.parts if formula is not None else ()
    worded = [anchor for anchor in line.anchors if anchor.end > anchor.start]
    if worded and formula is not None:
        shown = tuple([n for n, place in terms if any([anchor.start <= place < anchor.end for anchor in worded])])
        if len(shown) == len(formula.sides):
            return shown
    if len(parts) == len(terms):
        return tuple(abs(term[0]) for term, part in zip(terms, parts, strict=True) if part[0] == "die")
    if dice_first and formula is not None and not formula.uses_at and 0 < len(formula.sides) < len(terms):
        return tuple([number for number, _ in terms[: len(formula.sides)]])
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
