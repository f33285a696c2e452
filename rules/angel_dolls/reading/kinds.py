"""What a check line checks and whose side is whose, where no label says it: by stats, modifiers, the words behind."""

from __future__ import annotations

import re
from dataclasses import replace

from rules.angel_dolls.reading.results import with_tail
from rules.angel_dolls.statements import Check, Side

#: What is checked where the outcome alone says it.
_OF_WORD = {"hit": "hit", "miss": "hit", "disarmed": "disarm", "keeps hold": "disarm"}
#: What is compared in each kind of check that may stand without its label.
_BY_STATS = {
    ("Agility", "Reflexes"): "hit",
    ("Strength", "Durability"): "damage",
    ("Magic", "Resistance"): "damage",
    ("Strength", "Strength"): "disarm",
}
#: The stats of attackers and of defenders.
_ATTACKING = {"hit": ("Agility",), "damage": ("Strength", "Magic")}
_DEFENDING = {"hit": ("Reflexes",), "damage": ("Durability", "Resistance")}
#: The other side, in a line of which only the first one was read.
_SECOND_SIDE = re.compile(r"(?:\b(?:vs|versus|against)\b|/\s{0,3}[a-z])[^=]{0,200}=", re.IGNORECASE)
#: Modifiers of attackers alone.
_BORNE = frozenset(("disarm", "disable", "entangle", "chain", "margin"))


def kind_by_stats(left: Side, right: Side | None) -> str:
    """What a line without a label checks, if both sides are complete (NA2); "" where nothing is known of it."""
    if right is None or None in (left.total, right.total):
        return ""
    stats = (left.stat or "", right.stat or "")
    return _BY_STATS.get(stats) or _BY_STATS.get(stats[::-1], "")


def _is_turned(kind: str, first: Side, second: Side) -> bool:
    """Whether the defender's side stands first: the stats tell, or what only one of the sides has."""
    if kind == "weapon":
        return first.thing is not None and second.thing is None
    if kind == "control":
        return first.stat == "Strength" and second.stat is None
    if kind == "strangle":
        return first.stat == "Durability" and second.stat is None
    attacks, defends = _ATTACKING.get(kind, ()), _DEFENDING.get(kind, ())
    if first.stat in attacks or second.stat in defends:
        return False
    return first.stat in defends or second.stat in attacks or (_of_attacker(second) and not _of_attacker(first))


def _of_attacker(side: Side) -> bool:
    """Whether a modifier of the side is one that only attackers bear."""
    return any([modifier.kind in _BORNE for modifier in side.modifiers])


def of_sums(left: Side, right: Side | None, line: str, place: int) -> Check | None:
    """`36 + 35 = 71 vs 33 + 24 = 57 hit`: sums without label or stat; the word or number behind them says of what.

    Only where that fits them: else the sums may be of another kind, or the defender's stands first.
    """
    if right is None or left.stat or right.stat or left.thing or right.thing or not (left.roll and right.roll):
        return None
    if left.total is None or right.total is None:
        return None
    check = with_tail("hit", left, right, None, line, place)
    if check is not None and check.word in _OF_WORD:
        fits = left.total == right.total or (left.total > right.total) == (check.word in ("hit", "disarmed"))
        return replace(check, kind=_OF_WORD[check.word]) if fits else None
    check = with_tail("damage", left, right, None, line, place)
    fits = check is not None and check.affinities is None and check.result == max(0, left.total - right.total)
    return check if fits else None


def of_sides(kind: str, left: Side, right: Side | None, number: int | None, line: str, place: int) -> Check | None:
    """The check of these sides, the attacker's put first, with what stands behind them."""
    if right is None:
        if _SECOND_SIDE.search(line, place):
            return None  # What stands between is not known, so the number behind it is not the damage.
        check = with_tail(kind, left, right, number, line, place)
        return check if check and not (check.result is None and check.word is None) else None
    if not _is_turned(kind, left, right):
        return with_tail(kind, left, right, number, line, place)
    turned = with_tail(kind, right, left, number, line, place)
    return replace(turned, turned=True) if turned else None
