"""Reads check lines: `Hit: 36 AGI - 10 (disarm) + 15 = 41 vs 33 REF + 24 = 57 -> miss` and its kin (NA2 to NA4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor
from rules.angel_dolls.lexicon import Lexicon
from rules.angel_dolls.reading.kinds import kind_by_stats, of_sides, of_sums
from rules.angel_dolls.reading.lines import Said
from rules.angel_dolls.reading.results import number_of
from rules.angel_dolls.statements import REASONS, STAT_WORDS, Check, Modifier, Side

_LABEL = re.compile(
    r"\s*(?P<label>(?:to[ -])?hit|attack roll|weapon {1,2}damage|damage|dmg|disarm(?: {1,2}test)?"
    r"|control(?: {1,2}test)?|strangle(?: {1,2}hold)?(?:,? {0,2}\(?(?:round|turn) {1,2}(?P<round>\d{1,3})\)?)?)"
    r"(?: check| roll)?\s*:",
    re.IGNORECASE,
)
_KINDS = {
    "hit": "hit",
    "to hit": "hit",
    "to-hit": "hit",
    "attack roll": "hit",
    "dmg": "damage",
    "damage": "damage",
    "weapon damage": "weapon",
    "disarm test": "disarm",
    "disarm": "disarm",
    "control test": "control",
    "control": "control",
}
#: Checks whose sides begin with a stat; in the others it may be a step or a weapon.
_STATED = frozenset(("hit", "damage", "disarm", "control"))
_AUTOMATIC = re.compile(r"\s*(?:automatic(?:ally)?|auto)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"\s*(?:(?P<stat>[a-z]{3,12})\b\s*:?\s*)?(?P<base>-?\s?\d{1,9})(?![\d%])"
    r"\s*(?:(?P<after>[a-z]{3,12})\b|\((?P<thing>(?![+\-\s\d])[^()\n]{1,60})\))?",
    re.IGNORECASE,
)
#: The random number in front of the stat: `15 + 36 AGI = 51`.
_ROLL_FIRST = re.compile(r"\s*(?:(?P<value>\d{1,3})\s*)?\+\s*(?=\d{1,6}\s*[a-z]{3,12}\b)", re.IGNORECASE)
_OWNED = re.compile(r"(?:'s)?\s+", re.IGNORECASE)
#: What may follow in a side: a modifier, the total, the random number in its three forms.
_STEP = re.compile(
    r"\s*(?:(?P<term>(?P<sign>[+-])\s*(?P<number>\d{1,9})(?![\d%d])"
    r"(?:\s*\((?P<label>(?!\s*[+-])[^()\n]{1,60}(?:\([^()\n]{0,20}\))?)\))?)"
    r"|(?P<total>=\s*(?P<sum>-?\s?\d{1,9})(?![\d%]))"
    r"|(?P<roll>\(\s*\+\s*(?P<value>\d{1,9})?\s*\)"
    r"|\(?\s*\+\s*(?P<dice>1?d\d{1,4})\b\s*"
    r"(?:[(\[]\s*(?P<thrown>\d{1,9})\s*[)\]]|=\s*(?P<shown>\d{1,9})(?=\s*\)))?\s*\)?"
    r"|\+\s*(?=[=/]|vs|$)))",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"\s*(?:vs\.?|versus|against|/)\s*", re.IGNORECASE)
_MANY_DICE = re.compile(r"^2d", re.IGNORECASE)
_ROLL_WORDS = re.compile(r"(?:1?d\d{1,4}|roll(?:ed)?|random|die|dice)", re.IGNORECASE)
#: The arithmetic in front of a strangle hold's step: `30 STR / 4 x 2 = `.
_QUARTER = re.compile(r"\s*\d{1,6}\s*(?:STR\w*\s*)?/\s*4\s*(?:[x*]\s*\d{1,4}\s*)?=\s*", re.IGNORECASE)
_SHORT_DAMAGE = re.compile(r"\s*(?P<result>\d{1,9})\s*\.?\s*(?:damage\s*\.?\s*)?$", re.IGNORECASE)
_CHAIN_REASON = re.compile(
    r"(?:chain(?:ed)?|combo)(?: (?:#?\d{1,2}(?:/\d{1,2})?|attack|\d{1,2}(?:st|nd|rd|th) attack))?"
    r"|(?:second|third|fourth|fifth|2nd|3rd|4th|5th) (?:attack|strike|hit)(?: (?:of|in) (?:a |the |his |her )?chain)?"
)
#: Words behind a reason that say no more.
_EXTRA_WORDS = re.compile(r" (?:penalty|malus|bonus|modifier|attempt|manoeu?vre|maneuver)$")
#: A check without a sign of its own shows one of these words.
_CHECK_WORD = re.compile(r"automatic|damage| vs|versus", re.IGNORECASE)
_NUMBERED = re.compile(r"\d|automatic", re.IGNORECASE)
#: The most modifiers that one side may show; more is hostile.
MOST_MODIFIERS = 40


class Links(NamedTuple):
    """The links and in-post rolls of a line; `begin`: the place of the line's text in its script."""

    begin: int
    anchors: Sequence[Anchor]

    def between(self, start: int, end: int) -> tuple[Anchor, ...]:
        """Those between two places of the line, ends included."""
        if not self.anchors:
            return ()
        first, last = self.begin + start, self.begin + end
        return tuple([a for a in self.anchors if first <= a.start and a.end <= last])


def read_check(said: Said, links: Links) -> Check | None:
    """The check that a line states, or None where it is none or can't be read."""
    line = said.text
    label = _LABEL.match(line)
    if not _signed(said, label is not None):
        return None
    kind, number = _kind(label)
    place = label.end() if label else 0
    if kind == "hit" and _AUTOMATIC.match(line, place):
        return Check("hit", word="hit", automatic=True) if _NUMBERED.search(line) else None
    quarter = _QUARTER.match(line, place) if kind == "strangle" else None
    first = read_side(line, quarter.end() if quarter else place, said.words, links)
    if first is None:
        return _short_damage(line, place, kind)
    left, place = first
    right: Side | None = None
    versus = _VERSUS.match(line, place)
    if versus:
        second = read_side(line, versus.end(), said.words, links)
        if second is None:
            return None
        right, place = second
    if label is None:
        kind = kind_by_stats(left, right)
    if right is None and left.total is None and left.roll is None:
        return _short_damage(line, label.end() if label else 0, kind)
    if kind in _STATED and right is not None and (_only_a_number(left) or _only_a_number(right)):
        return None
    if links.anchors:
        left, right = _late_links(left, right, versus.start() if versus else place, place, len(line), links)
    if not kind:
        return of_sums(left, right, line, place)
    return of_sides(kind, left, right, number, line, place)


def _signed(said: Said, labelled: bool) -> bool:
    """Whether the line has a sign or word that every check has; without a label it shows totals."""
    line = said.text
    if "=" in line:
        return True
    if not labelled and said.who:
        return False
    return "->" in line or "\u2192" in line or _CHECK_WORD.search(line) is not None


def _kind(label: re.Match[str] | None) -> tuple[str, int | None]:
    if label is None:
        return "hit", None
    word = " ".join(label["label"].casefold().split())
    if word.startswith("strangle"):
        return "strangle", int(label["round"]) if label["round"] else None
    return _KINDS[word], None


def _short_damage(line: str, place: int, kind: str) -> Check | None:
    """`Damage: 14` alone: a number without its check."""
    met = _SHORT_DAMAGE.match(line, place) if kind in ("damage", "weapon") else None
    return Check(kind, result=int(met["result"])) if met else None


def read_side(line: str, start: int, words: Lexicon, links: Links) -> tuple[Side, int] | None:
    """One side of a check from `start` on, and the place behind it; None where no number stands."""
    owner, lead = _lead(line, start, words)
    if lead is None:
        return None
    base, stat, after, thing = lead.group("base", "stat", "after", "thing")
    if stat is None and after is None and thing is None:
        turned = _roll_first(line, lead.start("base"), owner, links)
        if turned is not None:
            return turned
    if any([anchor.dice is not None for anchor in links.between(lead.start("base"), lead.end("base"))]):
        return None  # What the board rolled is no stat: `AGI [roll=1d50+53]59[/roll]` has it inside.
    behind = STAT_WORDS.get(after.casefold()) if after else None
    # A word behind the number that is no stat is not read over.
    place = lead.start("after") if after and behind is None else lead.end()
    modifiers, roll, total, end = _steps(line, place, links)
    named = STAT_WORDS[stat.casefold()] if stat else behind
    return Side(number_of(base), owner, named, thing, modifiers, roll, total), end


def _roll_first(line: str, start: int, owner: str | None, links: Links) -> tuple[Side, int] | None:
    """A side that begins with its random number; None for every other."""
    first = _ROLL_FIRST.match(line, start)
    lead = _stat_and_number(line, first.end()) if first else None
    stat = STAT_WORDS.get((lead["after"] or "").casefold()) if lead else None
    if first is None or lead is None or stat is None:
        return None
    value = first["value"]
    thrown = WrittenRoll((int(value),) if value else (), links.between(start, first.end()))
    modifiers, roll, total, end = _steps(line, lead.end(), links, thrown)
    return Side(number_of(lead["base"]), owner, stat, None, modifiers, roll, total), end


def _lead(line: str, start: int, words: Lexicon) -> tuple[str | None, re.Match[str] | None]:
    """The owner and the first number of a side, with the stat in front of or behind it."""
    who = words.named(line, start)
    gap = _OWNED.match(line, who.stop) if who else None
    if who and gap:
        lead = _stat_and_number(line, gap.end())
        if lead:
            return who.name, lead
    return None, _stat_and_number(line, start)


def _stat_and_number(line: str, start: int) -> re.Match[str] | None:
    lead = _LEAD.match(line, start)
    if lead is None or (lead["stat"] and lead["stat"].casefold() not in STAT_WORDS):
        return None
    return lead


def _steps(
    line: str, start: int, links: Links, roll: WrittenRoll | None = None
) -> tuple[tuple[Modifier, ...], WrittenRoll | None, int | None, int]:
    """The modifiers, the random number (else the last number without a reason), the total, the place behind.

    `roll`: the random number, where it stood in front.
    """
    terms: list[re.Match[str]] = []
    first = roll
    total: int | None = None
    place = end = start
    while met := _STEP.match(line, place):
        step = met.lastgroup
        if step == "total":
            total, end = number_of(met["sum"]), met.end()
            break
        if len(terms) >= MOST_MODIFIERS or (step == "roll" and roll is not None):
            break
        if step == "term":
            terms.append(met)
        else:
            roll = _written(met, links.between(place, met.end()))
        place = end = met.end()
    several = len(terms) + (roll is not None) > 1
    thrown = _thrown(terms, roll, links) if several and links.anchors else []
    if roll is None and terms and terms[-1]["label"] is not None:
        # The random number stands in front of a modifier with its reason: `40 MAG + 37 + 30 (Dark)`.
        thrown = _alone(terms, links)
    if thrown:
        # More than one die: what is not due is for the dice desk to say.
        terms = [met for met in terms if met not in thrown]
        shown = tuple([int(met["number"]) for met in thrown])
        more = tuple([a for met in thrown for a in _behind(met, links)])
        roll = WrittenRoll((*shown, *(roll.values if roll else ())), (*more, *(roll.anchors if roll else ())))
    modifiers = [_modifier(*met.group("sign", "number", "label")) for met in terms]
    if roll is None and modifiers and _is_roll(modifiers[-1]):
        roll = WrittenRoll((modifiers.pop().value,), links.between(terms[-1].start("number"), place))
    if first is None:
        roll = _plus_links(roll, links.between(start if roll is None else place, end))
    return tuple(modifiers), roll, total, end


def _thrown(terms: list[re.Match[str]], roll: WrittenRoll | None, links: Links) -> list[re.Match[str]]:
    """The numbers that have a link or roll of their own right behind them, where a side has more than one die."""
    bare = [met for met in terms if met["label"] is None and met["sign"] == "+"]
    if len(bare) + (roll is not None) < 2:
        return []
    thrown = [met for met in bare if _behind(met, links)]
    return thrown if len(thrown) + (roll is not None) > 1 else []


def _alone(terms: list[re.Match[str]], links: Links) -> list[re.Match[str]]:
    """The only number without a reason, or the only one of several that has its link or roll; else none."""
    bare = [met for met in terms if met["label"] is None and met["sign"] == "+"]
    linked = [met for met in bare if _behind(met, links)] if len(bare) > 1 else bare
    return linked if len(linked) == 1 else []


def _behind(met: re.Match[str], links: Links) -> tuple[Anchor, ...]:
    return links.between(met.start("number"), met.end() + 1)


def _plus_links(roll: WrittenRoll | None, more: tuple[Anchor, ...]) -> WrittenRoll | None:
    """The roll with links that stand behind it; a link without any number is a roll too (G14)."""
    if not more:
        return roll
    if roll is None:
        return WrittenRoll((), more)
    fresh = tuple(anchor for anchor in more if anchor not in roll.anchors)
    return WrittenRoll(roll.values, (*roll.anchors, *fresh), roll.expression)


def _late_links(
    left: Side, right: Side | None, between: int, end: int, stop: int, links: Links
) -> tuple[Side, Side | None]:
    """Links behind the totals or at the end of the line, given to the sides that have none yet."""
    if not _bare(left) and not (right and _bare(right)):
        return left, right
    if right is not None and _bare(left):
        between_links = links.between(between, between + 1)
        if between_links:
            left = _linked(left, between_links)
    rest = [a for a in links.between(end, stop) if not _has(left, a) and not (right and _has(right, a))]
    bare = [side for side in (left, right) if side and _bare(side)]
    if not rest or not bare:
        return left, right
    if len(rest) == 1 and len(bare) == 2 and len(rest[0].values) == 2:
        # One roll of the board for both sides, in their order.
        dice = _MANY_DICE.sub("1d", rest[0].dice or "")
        rest = [replace(rest[0], dice=dice, values=(value,)) for value in rest[0].values]
    if len(bare) == 1 or len(rest) == 1:
        given = {id(bare[-1]): tuple(rest)}
    else:
        given = {id(bare[0]): (rest[0],), id(bare[1]): tuple(rest[1:])}
    left = _linked(left, given.get(id(left), ()))
    return left, _linked(right, given.get(id(right), ())) if right else None


def _only_a_number(side: Side) -> bool:
    """Whether a side shows one number without a word: a total whose stat and roll are not written, `71 vs 57`."""
    return side == Side(side.base, side.owner)


def _bare(side: Side) -> bool:
    """Whether the side's random number has no link yet."""
    return side.roll is not None and not side.roll.anchors


def _has(side: Side, anchor: Anchor) -> bool:
    return side.roll is not None and anchor in side.roll.anchors


def _linked(side: Side, more: tuple[Anchor, ...]) -> Side:
    return replace(side, roll=_plus_links(side.roll, more)) if more else side


def _written(met: re.Match[str], anchors: tuple[Anchor, ...]) -> WrittenRoll:
    shown = met["value"] or met["thrown"] or met["shown"]
    dice = met["dice"]
    expression = (dice if dice[0] == "1" else f"1{dice}") if dice else None
    return WrittenRoll((int(shown),) if shown else (), anchors, expression)


def _is_roll(modifier: Modifier) -> bool:
    return bool(_ROLL_WORDS.fullmatch(modifier.reason)) if modifier.reason else modifier.value >= 0


@lru_cache(maxsize=1024)
def _modifier(sign: str, number: str, label: str | None) -> Modifier:
    reason = " ".join((label or "").split())
    plain = _EXTRA_WORDS.sub("", reason.casefold())
    kind = REASONS.get(plain) or ("chain" if _CHAIN_REASON.fullmatch(plain) else "")
    return Modifier(-int(number) if sign == "-" else int(number), reason, kind)
