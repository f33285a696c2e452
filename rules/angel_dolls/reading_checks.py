"""Reads check lines: `Hit: 36 AGI - 10 (disarm) + 15 = 41 vs 33 REF + 24 = 57 -> miss` and its kin (NA2 to NA4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor
from rules.angel_dolls.lexicon import Lexicon
from rules.angel_dolls.statements import ELEMENTS, REASONS, STAT_WORDS, Check, Modifier, Side

#: Gives the links and in-post rolls between two places of the line.
Anchors = Callable[[int, int], tuple[Anchor, ...]]

_LABEL = re.compile(
    r"\s*(?P<label>(?:to )?hit|weapon damage|damage|disarm test|disarm|control test|control|"
    r"strangle(?: hold)?(?:,? round (?P<round>\d{1,3}))?)(?: check| roll)?\s*:",
    re.IGNORECASE,
)
_KINDS = {
    "hit": "hit",
    "to hit": "hit",
    "damage": "damage",
    "weapon damage": "weapon",
    "disarm test": "disarm",
    "disarm": "disarm",
    "control test": "control",
    "control": "control",
}
_AUTOMATIC = re.compile(r"\s*(?:automatic(?:ally)?|auto)\b", re.IGNORECASE)
_TERM = re.compile(
    r"\s*(?P<sign>[+-])\s*(?P<value>\d{1,9})(?![\d%d])"
    r"(?:\s*\((?P<label>(?!\s*[+-])[^()\n]{1,60}(?:\([^()\n]{0,20}\))?)\))?",
    re.IGNORECASE,
)
_ROLL = re.compile(r"\s*\(\s*\+\s*(?P<value>\d{1,9})?\s*\)")
_ROLL_DICE = re.compile(
    r"\s*\(?\s*\+\s*(?P<dice>1?d\d{1,4})\b\s*(?:[(\[]\s*(?P<value>\d{1,9})\s*[)\]]|=\s*(?P<shown>\d{1,9})(?=\s*\)))?\s*\)?",
    re.IGNORECASE,
)
_BARE_ROLL = re.compile(r"\s*\+\s*(?=[=/]|vs|$)", re.IGNORECASE)
_TOTAL = re.compile(r"\s*=\s*(?P<total>-?\s?\d{1,9})(?![\d%])")
_VERSUS = re.compile(r"\s*(?:vs\.?|versus|against|/)\s*", re.IGNORECASE)
_ROLL_WORDS = re.compile(r"(?:1?d\d{1,4}|roll(?:ed)?|random|die|dice)", re.IGNORECASE)
_AFFINITIES = re.compile(
    rf"\s*[;,]?\s*(?P<element>{'|'.join(ELEMENTS)})\b\s*:?\s*(?P<a>[+-]?\s?\d{{1,6}})\s*/\s*(?P<b>[+-]?\s?\d{{1,6}})",
    re.IGNORECASE,
)
_RESULT = re.compile(r"\s*(?:->|-->|=>|→|:)\s*(?P<result>-?\s?\d{1,9})(?![\d%])")
_WORD = re.compile(
    r"\s*(?:->|-->|=>|→|[,;:.-])?\s*(?:it\s+|a\s+)?(?P<word>hits?|miss(?:es|ed)?|dodged?|dodges|disarmed|"
    r"(?:keeps|kept|holds)\s+(?:hold|control|grip)|(?:loses|lost)\s+control|holds on)\b",
    re.IGNORECASE,
)
#: The most modifiers that one side may show; more is hostile.
MOST_MODIFIERS = 40


def read_check(line: str, words: Lexicon, anchors: Anchors) -> Check | None:
    """The check that a line states, or None where it is none or can't be read."""
    label = _LABEL.match(line)
    kind, number = _kind(label)
    place = label.end() if label else 0
    automatic = _AUTOMATIC.match(line, place) if kind == "hit" else None
    if automatic:
        return Check("hit", word="hit", automatic=True)
    first = read_side(line, place, words, anchors)
    if first is None:
        return _short_damage(line, place, kind)
    left, place = first
    right: Side | None = None
    versus = _VERSUS.match(line, place)
    if versus:
        second = read_side(line, versus.end(), words, anchors)
        if second is None:
            return None
        right, place = second
    if label is None and not _looks_like_hit(left, right):
        return None
    if right is None and left.total is None and left.roll is None:
        return _short_damage(line, label.end() if label else 0, kind)
    left, right = _late_links(left, right, versus.start() if versus else place, place, len(line), anchors)
    check = _with_tail(Check(kind, left, right, round=number), line, place)
    return None if right is None and check.result is None and check.word is None else check


def _kind(label: re.Match[str] | None) -> tuple[str, int | None]:
    if label is None:
        return "hit", None
    word = " ".join(label["label"].casefold().split())
    if word.startswith("strangle"):
        return "strangle", int(label["round"]) if label["round"] else None
    return _KINDS[word], None


def _looks_like_hit(left: Side, right: Side | None) -> bool:
    """A line without `Hit:` is a hit check only if both sides are complete (NA2)."""
    return right is not None and None not in (left.stat, right.stat, left.total, right.total)


def _short_damage(line: str, place: int, kind: str) -> Check | None:
    """`Damage: 14` alone: a number without its check."""
    met = re.compile(r"\s*(?P<result>\d{1,9})\s*\.?\s*(?:damage\s*\.?\s*)?$", re.IGNORECASE).match(line, place)
    if met is None or kind not in ("damage", "weapon"):
        return None
    return Check(kind, result=int(met["result"]))


def read_side(line: str, place: int, words: Lexicon, anchors: Anchors) -> tuple[Side, int] | None:
    """One side of a check from `place` on, and the place behind it; None where no number stands."""
    lead = words.lead.match(line, place)
    if lead is None:
        return None
    stat = lead["stat"] or lead["after"]
    end = lead.end()
    modifiers, roll, end = _terms(line, end, anchors)
    total = _TOTAL.match(line, end)
    if total:
        end = total.end()
    side = Side(
        base=_number(lead["base"]),
        owner=words.names.find(lead["name"]) if lead["name"] else None,
        stat=STAT_WORDS[stat.casefold()] if stat else None,
        thing=lead["thing"],
        modifiers=modifiers,
        roll=roll,
        total=_number(total["total"]) if total else None,
    )
    return side, end


def _terms(line: str, start: int, anchors: Anchors) -> tuple[tuple[Modifier, ...], WrittenRoll | None, int]:
    """The modifiers, the random number (the last number without a reason) and the place behind them."""
    found: list[tuple[Modifier, int, int]] = []
    roll: WrittenRoll | None = None
    place = start
    while len(found) < MOST_MODIFIERS:
        met = _ROLL.match(line, place) or _ROLL_DICE.match(line, place) or _BARE_ROLL.match(line, place)
        if met is not None and roll is None:
            roll = _written(met, anchors(place, met.end()))
            place = met.end()
            continue
        met = _TERM.match(line, place)
        if met is None:
            break
        found.append((_modifier(met), met.start("value"), met.end()))
        place = met.end()
    if roll is None and found and _is_roll(found[-1][0]):
        last, begun, place = found.pop()
        roll = WrittenRoll((last.value,), anchors(begun, place))
    roll = _plus_links(roll, anchors(start if roll is None else place, _side_end(line, place)))
    return tuple(modifier for modifier, _, _ in found), roll, place


def _side_end(line: str, place: int) -> int:
    """The place behind the side's total, where a link may still stand."""
    total = _TOTAL.match(line, place)
    return total.end() if total else place


def _plus_links(roll: WrittenRoll | None, more: tuple[Anchor, ...]) -> WrittenRoll | None:
    """The roll with links that stand behind it; a link without any number is a roll too (G14)."""
    if not more:
        return roll
    if roll is None:
        return WrittenRoll((), more)
    fresh = tuple(anchor for anchor in more if anchor not in roll.anchors)
    return replace(roll, anchors=(*roll.anchors, *fresh))


def _late_links(
    left: Side, right: Side | None, between: int, end: int, stop: int, anchors: Anchors
) -> tuple[Side, Side | None]:
    """Links behind the totals or at the end of the line, given to the sides that have none yet."""
    if right is not None and left.roll and not left.roll.anchors:
        between_links = anchors(between, between + 1)
        if between_links:
            left = _linked(left, between_links)
    rest = [a for a in anchors(end, stop) if not _has(left, a) and not (right and _has(right, a))]
    bare = [side for side in (left, right) if side and side.roll and not side.roll.anchors]
    if not rest or not bare:
        return left, right
    if len(bare) == 1 or len(rest) == 1:
        given = {id(bare[-1]): tuple(rest)}
    else:
        given = {id(bare[0]): (rest[0],), id(bare[1]): tuple(rest[1:])}
    left = _linked(left, given.get(id(left), ()))
    return left, _linked(right, given.get(id(right), ())) if right else None


def _has(side: Side, anchor: Anchor) -> bool:
    return side.roll is not None and anchor in side.roll.anchors


def _linked(side: Side, more: tuple[Anchor, ...]) -> Side:
    return replace(side, roll=_plus_links(side.roll, more)) if more else side


def _written(met: re.Match[str], anchors: tuple[Anchor, ...]) -> WrittenRoll:
    groups = met.groupdict()
    shown = groups.get("value") or groups.get("shown")
    dice = groups.get("dice")
    expression = (dice if dice[0] == "1" else f"1{dice}") if dice else None
    return WrittenRoll((int(shown),) if shown else (), anchors, expression)


def _is_roll(modifier: Modifier) -> bool:
    plain = modifier.value >= 0 and not modifier.reason
    return plain or bool(_ROLL_WORDS.fullmatch(modifier.reason.strip()))


def _modifier(met: re.Match[str]) -> Modifier:
    reason = " ".join((met["label"] or "").split())
    value = int(met["value"])
    plain = reason.casefold()
    kind = REASONS.get(plain) or ("chain" if re.fullmatch(r"chain \d{1,2}", plain) else "")
    return Modifier(-value if met["sign"] == "-" else value, reason, kind)


def _number(text: str) -> int:
    return int(text.replace(" ", ""))


def _with_tail(check: Check, line: str, place: int) -> Check:
    """The check with what stands behind its sides: affinities, result, outcome."""
    met = _AFFINITIES.match(line, place)
    if met and check.kind == "damage":
        pair = _number(met["a"]), _number(met["b"])
        check = replace(check, element=met["element"].capitalize(), affinities=pair)
        place = met.end()
    if check.kind in ("damage", "weapon", "strangle"):
        result = _RESULT.match(line, place)
        return replace(check, result=_number(result["result"]) if result else None)
    word = _WORD.match(line, place)
    return replace(check, word=_plain(word["word"]) if word else None)


def _plain(word: str) -> str:
    """An outcome in its plain form."""
    folded = " ".join(word.casefold().split())
    if folded.startswith("hit"):
        return "hit"
    if folded.startswith(("miss", "dodge")):
        return "miss"
    if folded == "disarmed":
        return "disarmed"
    if folded.startswith(("loses", "lost")):
        return "loses control"
    return "keeps control" if folded.endswith("control") else "keeps hold"
