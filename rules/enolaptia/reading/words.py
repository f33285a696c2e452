"""Moves in other words than the notation's: bites, casts, drinks, flees (NE3).

Tried only on lines that no form of the notation fits. A verb alone makes no move: the line must carry
its roll, its damage or its gain of HP, else it tells the story of the move that the notation states.
"""

from __future__ import annotations

import re

from referee.ports.reading import ARROW, squeeze
from rules.enolaptia.claims import Move
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.acts import potion, run, settled
from rules.enolaptia.reading.grammar import D6, NAME, LineText
from rules.enolaptia.reading.moves import ability, attack, plain

_FLAGS = re.IGNORECASE
#: A name with a number in brackets: `Rat (2)`.
_ACTOR = rf"(?P<actor>{NAME}(?:\s*\(\s*#?\d{{1,2}}\s*\))?)"
_TARGET = rf"(?P<target>{NAME}(?:\s*\(\s*#?\d{{1,2}}\s*\))?)"
#: Verbs that are a normal attack, whatever the weapon.
_VERB = (
    r"(?:(?:attack|bit|claw|stab|hack|kick|sting|cut|chop|club|ram|whip|slap|jab|pierce|scratch|stomp|maul|shoot|hit|strike"
    r"|bite|smack|spear|clobber)(?:s|ed)?|(?:slash|punch|smash|bash|thrash|gnash)(?:es|ed)?|struck|shot"
    r"|(?:make|do|perform|launch|use)(?:e?s)?\s+(?:an?\s+|the\s+)?(?:normal\s+)?attack\s+(?:to|on|at|against|towards)"
    r"|(?:swing|lunge|snap|swipe|strike|fire|slashe?|thrust|stab|leap|pounce|charge)s?\s+(?:at|on|into))"
)
_STRIKES = re.compile(rf"{_ACTOR}\s+{_VERB}\s+(?:at\s+)?{_TARGET}\s*(?:[:;,]|\s-(?=\s))\s*", _FLAGS)
_POINTS = re.compile(rf"{_ACTOR}\s*{ARROW}\s*{_TARGET}\s*[:;,]\s*", _FLAGS)
#: A creature's blow by the allocation, with another verb or none: `Rat 1 bites: d6 3, allocation 1-3 = Mira; ...`.
_ALONE = re.compile(
    rf"{_ACTOR}(?:\s+(?:{_VERB}|(?:make|do)(?:e?s)?\s+(?:an?\s+|the\s+)?(?:normal\s+)?attack))?\s*[:;,]\s*"
    rf"(?=(?:roll\s+)?{D6}\s*[=:]?\s*\d{{0,6}}\s*,?\s*allocation\b)",
    _FLAGS,
)
#: The same loosely: `Rat 1: d6 3 = Mira; ...`, `Rat 1 bites: target d6 3, Mira; ...`.
_ALONE_LOOSE = re.compile(rf"{_ACTOR}(?:\s+{_VERB})?\s*[:;,]\s*(?=(?:alloc(?:ation|\.)?|targets?|{D6})\b)", _FLAGS)
_USES = re.compile(
    rf"{_ACTOR}\s+(?P<verb>casts?|uses?|used|drinks?|drank|takes?|quaffs?|swallows?|performs?|unleash(?:es)?)\s+"
    r"(?:(?:the\s+|an?\s+)?(?:spell|special|skill|item)\s*:?\s+)?(?=\S)",
    _FLAGS,
)
_GIVES = re.compile(
    rf"{_ACTOR}\s+(?:gives?|hands?|feeds?)\s+{_TARGET}\s+(?=(?:an?|the|one|her|his|its|their)\s)", _FLAGS
)
_SAYS = re.compile(rf"{_ACTOR}\s*:\s*(?:(?P<verb>item|uses?|drinks|takes|casts?)\b\s*:?\s*)?(?=\S)", _FLAGS)
_FLEES = re.compile(
    rf"{_ACTOR}\s*:?\s+(?:runs?|flees?|(?:tr(?:y|ies)|attempts?)\s+to\s+(?:run|flee|escape))(?:\s+away)?\s*[:;,-]\s*",
    _FLAGS,
)
#: What the name of an ability or potion ends at.
_THING = re.compile(
    rf"(?P<thing>{NAME})(?:\s+(?:on|at|to|vs\.?|against)\s|\s*{ARROW}|\s*[,:;(+]|\s+heals|\s*[.!]?\s*$)", _FLAGS
)
_GAIN_WRITTEN = re.compile(
    r"\+\s?\d{1,6}\s*HP\b|\bheals?\s+(?:for\s+)?\+?\d|\b(?:for|restores)\s+\+?\d{1,6}\s*HP\b", _FLAGS
)
#: A gain of a potion of the tables may stand without the letters HP, but nothing stands behind it.
_GAIN_BEHIND = re.compile(
    r"(?:\+\s?|\b(?:heals?|restores)\s+(?:for\s+)?|[,:;(=]\s?)\d{1,6}\s*(?:HP)?\s*\)?\s*[.!]?\s*$", _FLAGS
)
#: What shows that an ability was rolled for: dice, a sum, damage alone at the end.
_ROLLED = re.compile(
    r"\b\d{0,2}d\d|=\s*\d|\brolled\s+\d{1,6}\s*(?:[,:;.]|$)|:\s*\d{1,6}\s*(?:damage|dmg)?\s*[.]?\s*$"
    r"|(?:,|\bfor)\s*\d{1,6}\s*(?:damage|dmg)\b",
    _FLAGS,
)
_DRINKS = frozenset(
    (
        "item",
        "use",
        "uses",
        "used",
        "drink",
        "drinks",
        "drank",
        "take",
        "takes",
        "quaffs",
        "quaff",
        "swallow",
        "swallows",
    )
)


def read_worded_move(line: LineText, names: Lexicon, own: str | None) -> Move | None:
    """The move that a line states in words, or None."""
    for reader in (_blow, _flight, _gift, _use):
        move = reader(line, names)
        if move is not None:
            return settled(move, own)
        line.slots.clear()
    return None


def same_move(told: Move, stated: Move) -> bool:
    """Whether a move told in words is the one that a line of the notation beside it states.

    Another amount or die, or a roll of its own, makes it another move.
    """
    if (told.action, told.actor) != (stated.action, stated.actor) or told.roll.anchors:
        return False
    pairs: tuple[tuple[object, object], ...] = (
        (told.target, stated.target),
        (squeeze(told.ability or ""), squeeze(stated.ability or "")),
        (told.amount, stated.amount),
        (told.roll.values, stated.roll.values),
    )
    return all([not one or one == other for one, other in pairs])


def _blow(line: LineText, names: Lexicon) -> Move | None:
    """`Rat 1 bites Mira; damage 1d6 = 5: 5`, `Mira -> Rat 1: rolled 5, 14`, `Rat (2) attacks: d6 3, ...`."""
    text = line.text[line.start : line.end]
    fitting = [_STRIKES]
    if "->" in text or "\u2192" in text or "=>" in text:
        fitting.append(_POINTS)
    if "llocation" in text or "LLOCATION" in text:
        fitting.append(_ALONE)
    for pattern in fitting:
        met = pattern.match(line.text, line.start, line.end)
        if met is None or names.find(met["actor"]) is None:
            continue
        target = met.groupdict().get("target")
        if target is None or names.find(target) is not None:
            return attack(line, names, met["actor"], target, met.end())
    met = _ALONE_LOOSE.match(line.text, line.start, line.end) if line.loose else None
    if met is None or names.find(met["actor"]) is None:
        return None
    move = attack(line, names, met["actor"], None, met.end())
    return move if move is not None and move.aim is not None else None


def _flight(line: LineText, names: Lexicon) -> Move | None:
    """`Mira tries to run: 1d6 = 5, escaped`."""
    met = _FLEES.match(line.text, line.start, line.end)
    if met is None or names.find(met["actor"]) is None:
        return None
    return run(line, names, met["actor"], met.end(), rolled=True)


def _gift(line: LineText, names: Lexicon) -> Move | None:
    """`Tobin gives Mira a Small Potion, +10 HP`."""
    met = _GIVES.match(line.text, line.start, line.end)
    if met is None or names.find(met["actor"]) is None or names.find(met["target"]) is None:
        return None
    move = potion(line, names, met["actor"], met.end())
    if move is None or move.amount is None or not _is_potion(line, names, move.ability or "", written=True):
        return None
    return move._replace(target=names.name(met["target"]))


def _use(line: LineText, names: Lexicon) -> Move | None:
    """`Mira drinks a Small Potion, +10 HP`, `Mira: Small Potion on Tobin`, `Tobin casts Ember on Rat 1: ...`."""
    met = _USES.match(line.text, line.start, line.end) or _SAYS.match(line.text, line.start, line.end)
    if met is None or names.find(met["actor"]) is None:
        return None
    verb = (met["verb"] or "").casefold()
    thing = _THING.match(line.text, met.end(), line.end)
    if thing is None:
        return None
    name, behind = plain(thing["thing"], names), thing.end("thing")
    action = names.used(name) or ("spell" if verb.startswith("cast") else None)
    if action not in (None, "potion"):
        move = ability(line, names, met["actor"], action, met.end()) if _told(line, behind) else None
        return None if move is not None and move.target is not None and not names.known(move.target) else move
    if not _is_potion(line, names, name, written=verb in _DRINKS):
        return None
    if not (_GAIN_WRITTEN.search(line.text, behind, line.end) or _GAIN_BEHIND.search(line.text, behind, line.end)):
        return None  # Loot is handed out, and the story told, in these words too.
    return potion(line, names, met["actor"], met.end())


def _told(line: LineText, place: int) -> bool:
    """Whether a roll, a sum, damage or a gain of HP stands behind the name of an ability."""
    if line.rolled or line.anchored(place, line.end):
        return True
    text, end = line.text, line.end
    return _ROLLED.search(text, place, end) is not None or _GAIN_WRITTEN.search(text, place, end) is not None


def _is_potion(line: LineText, names: Lexicon, name: str, *, written: bool) -> bool:
    """Whether a thing is a potion of the tables, or one that they lack whose gain is written (X2)."""
    gain = written and _GAIN_WRITTEN.search(line.text, line.start, line.end) is not None
    return names.used(name) == "potion" or gain
