"""Tags in brackets, one reader per kind: dodge, take, guard, setup, abilities, reminders (NS1 to NS36)."""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor
from referee.ports.reading import Tag, squeeze
from rules.shinobi.lexicon import POOL, POOL_WORDS, Lexicon
from rules.shinobi.model import (
    Ability,
    Amounts,
    Deadly,
    Dodge,
    Forfeit,
    Guard,
    LossTag,
    OverTime,
    Setup,
    Status,
    Take,
)

OUTCOMES = {
    "dodged": "dodged",
    "dodge": "dodged",
    "dodges": "dodged",
    "blocked": "blocked",
    "block": "blocked",
    "blocks": "blocked",
    "hit": "hit",
    "hits": "hit",
    "critical": "critical",
    "crit": "critical",
    "critical hit": "critical",
}
DODGE_LEAD = re.compile(
    r"\s*(?:[\d?]{1,4}\s*%\s*(?:chance\s+)?to\s+hit|enemy(?:'s)?\s+attacks?\s+(?:have|has)\b|dodge\s+rolls?\b|dodge\s*:"
    r"|dodge\s+\?|hit\s*:)",
    re.IGNORECASE,
)
_CHANCE = re.compile(
    r"\s*(?:enemy(?:'s)?\s+attacks?\s+(?:have|has)\s+(?:an?\s+)?)?(?P<chance>\d{1,4})\s*%\s*(?:chance\s+)?to\s+hit\s*"
    r"[:;,.]?\s*(?:(?P<who>[^\d;:%()\[\]\n]{1,60}?)\s+)?(?:rolled|rolls)\s*:?\s*(?:an?\s+)?",
    re.IGNORECASE,
)
_NEEDS = re.compile(
    r"\s*dodge\s+rolls?\s*\(?\s*needs?\s+(?:over|above|more\s+than)\s+(?P<chance>\d{1,4})\s*\)?\s*[:;,]?\s*"
    r"(?:rolled\s*:?\s*)?(?:an?\s+)?",
    re.IGNORECASE,
)
_ROLL = re.compile(
    r"\s*(?:(?:,|;|/|&|and\b)\s*)*(?:an?\s+)?(?P<number>\d{1,6})(?![\d.%])"
    r"\s*(?:[(=:-]?\s*(?P<word>critical hit|critical|crit|dodge[ds]?|block(?:ed|s)?|hits?)\b\s*\)?)?",
    re.IGNORECASE,
)
_TAKE = re.compile(
    r"\s*(?:takes?|took|taking)\s+(?:(?:the|this|that|all|both)\s+){0,3}(?:attacks?|hits?|blows?|(?:full\s+)?damage|it)"
    r"(?:\s+in\s+full|\s+fully)?\s*[.!]?\s*|\s*no\s+(?:dodge\s+)?rolls?\s*[.!]?\s*|\s*does\s+not\s+roll\s*[.!]?\s*",
    re.IGNORECASE,
)
SETUP_LEAD = re.compile(r"\s*setup\s*:", re.IGNORECASE)
_SETUP = re.compile(
    r"\s*setup\s*:\s*(?:[A-Za-z' -]{0,40}?\s)??"
    r"(?P<verb>draws?|pulls?\s+out|picks?\s+up|puts?\s+away|drops?|inscribes?)\s+"
    r"(?:the\s+|an?\s+|(?:his|her|their|my)\s+)?(?P<thing>[^;:\n()\[\]]{1,80}?)\s*[.!]?\s*",
    re.IGNORECASE,
)
GUARD_LEAD = re.compile(r"\s*guards?\s+[^:\n]{1,90}:", re.IGNORECASE)
_OVER_TIME = re.compile(
    rf"\s*damage\s+over\s+time\s*:\s*-?\s*(?P<number>\d{{1,6}})\s*(?P<pool>{POOL})\s*(?:\((?P<name>[^()\n]{{1,60}})\))?\s*",
    re.IGNORECASE,
)
OVER_TIME_LEAD = re.compile(r"\s*damage\s+over\s+time\b", re.IGNORECASE)
_STATUS = re.compile(
    r"\s*status\s*:\s*(?P<name>[A-Za-z][A-Za-z' -]{0,40}?)\s*"
    r"(?:[,(]\s*(?P<turns>\d{1,3})\s*turns?(?:\s+left)?\s*\)?)?\s*",
    re.IGNORECASE,
)
STATUS_LEAD = re.compile(r"\s*status\s*:", re.IGNORECASE)
_DEADLY = re.compile(
    r"\s*(?:this\s+is\s+|it\s+is\s+|from\s+here\s+on\s*:?\s*|(?:the|this)\s+spar\s+(?:turns|becomes)\s+(?:in)?to\s+|now\s*:?\s*)?"
    r"(?:now\s+)?life\s*(?:&|and|\+)\s*death(?:\s+now)?(?:\s+from\s+(?:here|now)\s+on)?\s*[.!]{0,3}\s*",
    re.IGNORECASE,
)
LOSS_LEAD = re.compile(
    rf"\s*(?:loss(?:\s+tag)?\s*:\s*)?(?:(?:{POOL})\s*[:=]?\s*[+-]?\s*[\d?]|(?:hp|chk|stm)\s*:\s*\S)", re.IGNORECASE
)
_LOSS_ENTRY = re.compile(
    rf"\s*(?P<pool>{POOL})\s*[:=]?\s*(?P<sign>[+-])?\s*(?P<number>\d{{1,9}})(?![\d.%])\s*", re.IGNORECASE
)
_LOSS_HEAD = re.compile(r"\s*(?:total\s+)?loss(?:es)?(?:\s+tag)?\s*:\s*", re.IGNORECASE)
_USED = re.compile(
    r"\s*(?P<verb>used|uses|using|activates?|activated|item\s*:)\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
#: A use whose name can't be one: it begins like a tag and is none that could be read (G19).
USE_LEAD = re.compile(r"\s*(?:used|uses|activates)\s+[^\n]{0,80}[?\d=<>*]", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_AMOUNT = re.compile(rf"\s*[+-]?\s*(\d{{1,6}})\s*({POOL})\s*", re.IGNORECASE)
_PIECE = re.compile(r"\s*(?P<kind>costs?|heals?|healing|upkeep)\s*:?\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ALSO = re.compile(r",|\+|&|\band\b")
_SMALL = frozenset(["no", "of", "the", "a", "an", "and", "to", "in", "on", "with", "at", "for", "by", "aside", "from"])
_NAME_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{0,30}")
_NOT_NAMES = frozenset(
    ["phase", "tag", "loss", "turn", "round", "ooc", "edit", "note", "rank", "stats", "battle", "over"]
)


#: Gives the links and in-post rolls of a tag, which only some tags need.
Anchors = Callable[[], tuple[Anchor, ...]]


def read_dodge(inner: str, attacker: str | None, anchors: Anchors) -> Dodge | None:
    """`20% to hit: rolled 70 (dodged), 17 and 3` and its kin; `anchors` gives the links of the tag."""
    head = _CHANCE.match(inner) or _NEEDS.match(inner)
    if head is None:
        return None
    values: list[int] = []
    words: list[str | None] = []
    place = head.end()
    while len(values) <= 60:
        found = _ROLL.match(inner, place)
        if found is None:
            break
        values.append(int(found["number"]))
        word = found["word"]
        words.append(OUTCOMES[squeeze(word)] if word else None)
        place = found.end()
    if inner[place:].strip(" ,.;!()"):
        return None
    links = anchors()
    if not values and not links:
        return None
    return Dodge(int(head["chance"]), WrittenRoll(tuple(values), links), tuple(words), attacker)


def read_take(inner: str, attacker: str | None) -> Take | None:
    """`Takes the attack`, `No roll`."""
    return Take(attacker) if _TAKE.fullmatch(inner) else None


def read_setup(inner: str) -> Setup | None:
    """`Setup: draws the windmill shuriken`, `Setup: inscribes a scroll` (NS8)."""
    found = _SETUP.fullmatch(inner)
    return Setup(squeeze(found["verb"]), squeeze(found["thing"])) if found else None


def read_guard(inner: str, lexicon: Lexicon, anchors: Anchors) -> Guard | None:
    """`Guards Jiro against Kaito: rolled 12` (NS10, NS38); `anchors` gives the links of the tag."""
    found = lexicon.guard(inner)
    if found is None:
        return None
    comrade, attacker, roll = found
    links = anchors()
    if roll is None and not links:
        return None
    return Guard(comrade, WrittenRoll(() if roll is None else (roll,), links), attacker)


def read_over_time(inner: str) -> OverTime | None:
    """`Damage over time: 3 HP (Viper Spit)` (NS9)."""
    found = _OVER_TIME.fullmatch(inner)
    if found is None:
        return None
    name = squeeze(found["name"]) if found["name"] else None
    return OverTime({POOL_WORDS[squeeze(found["pool"])]: int(found["number"])}, name)


def read_status(inner: str) -> Status | None:
    """`Status: Fazed, 2 turns` (NS35)."""
    found = _STATUS.fullmatch(inner)
    return Status(squeeze(found["name"]), int(found["turns"]) if found["turns"] else None) if found else None


def read_ending(inner: str, lexicon: Lexicon) -> Forfeit | Deadly | None:
    """`Forfeits the battle` (NS31), `This is Life & Death now` (NS32)."""
    if len(inner) > 80:
        return None
    text, low = inner.strip(), inner.lower()
    if "forfeit" in low and lexicon.forfeits(text):
        return Forfeit()
    return Deadly() if "death" in low and _DEADLY.fullmatch(text) else None


def read_loss(text: str, least: int = 1) -> LossTag | None:
    """A Loss Tag (NS11); None where a pool comes twice, a number has no sign, or anything else stands there."""
    head = _LOSS_HEAD.match(text)
    place = head.end() if head else 0
    found: dict[str, int] = {}
    while True:
        entry = _LOSS_ENTRY.match(text, place)
        if entry is None:
            break
        pool = POOL_WORDS[squeeze(entry["pool"])]
        value = int(entry["number"])
        if pool in found or (value and not entry["sign"]):
            return None
        found[pool] = -value if entry["sign"] == "-" else value
        place = entry.end()
        while place < len(text) and text[place] in "|/,;*\n ":
            place += 1
    if text[place:].strip(" .,;|") or len(found) < least:
        return None
    return LossTag(**found)


def read_ability(inner: str, lexicon: Lexicon, tag: Tag, attacker: str | None) -> Ability | None:
    """A technique, skill or item tag (NS4, NS8, NS36, X3); None for prose."""
    text, target = inner.strip(), None
    aimed = lexicon.aim(text)
    rest = ""
    if aimed is None and ";" in text:
        head, _, rest = text.partition(";")
        aimed = lexicon.aim(head)
    if aimed is not None:
        target, place = aimed
        text = text[:place].rstrip(" ,;") + (f";{rest}" if rest else "")
    used = _USED.fullmatch(text)
    verb = squeeze(used["verb"]) if used else ""
    name, pieces = _name_and_pieces(used["rest"] if used else text)
    known = lexicon.ability(name)
    if known is None and used is None and not pieces and not name[:1].isupper():
        return None  # Most brackets in prose end here.
    numbers = _numbers(pieces)
    if known is None and verb.startswith(("uses", "item")):
        known = lexicon.ability(_ARTICLE.sub("", name, count=1))
    if numbers is None or (
        known is None and not _looks_named(name, lexicon, bool(verb) and tag.bracket == "[", tag, pieces, target)
    ):
        return None
    said, sort = known or (" ".join(name.split()), "item" if verb.startswith("item") else "unknown")
    activates = verb.startswith("activat")
    upkeep = numbers.get("upkeep", {})
    return Ability(
        name=said,
        sort=sort,
        target=target,
        attacker=attacker,
        cost=numbers.get("cost", {}),
        heal=numbers.get("heal", {}),
        upkeep=upkeep,
        activates=activates,
        reminder=bool(upkeep) and not verb,
    )


def _name_and_pieces(text: str) -> tuple[str, list[str]]:
    """The name and the pieces behind it: `; Cost: 10 CHK`, `; heals 12 HP`, `: +12 CHK`."""
    first, *pieces = text.split(";")
    name, colon, rest = first.partition(":")
    if colon and _AMOUNT.fullmatch(rest):
        return name.strip(), [f"heals {rest}", *pieces]
    head, comma, rest = first.partition(",")
    if comma and _PIECE.fullmatch(rest):
        return head.strip(), [rest, *pieces]
    return first.strip(), pieces


def _numbers(pieces: list[str]) -> dict[str, Amounts] | None:
    """The numbers of the pieces by kind; None where a piece can't be read."""
    out: dict[str, Amounts] = {}
    for piece in pieces:
        if not piece.strip():
            continue
        found = _PIECE.fullmatch(piece)
        if found is None:
            return None
        amounts: dict[str, int] = {}
        for item in _ALSO.split(found["rest"], maxsplit=6):
            if not item.strip():
                continue
            amount = _AMOUNT.fullmatch(item.rstrip(" ."))
            if amount is None:
                return None
            amounts[POOL_WORDS[squeeze(amount[2])]] = int(amount[1])
        kind = squeeze(found["kind"])
        out["cost" if kind.startswith("cost") else "upkeep" if kind == "upkeep" else "heal"] = amounts
    return out


def _looks_named(name: str, lexicon: Lexicon, used: bool, tag: Tag, pieces: list[str], target: str | None) -> bool:
    """Whether an unknown name in a bracket is an ability's (X3), and not prose or somebody's name."""
    words = name.partition("(")[0].split()
    if not 0 < len(words) <= 6:
        return False
    if not used and not any(piece.strip() for piece in pieces):
        titled = words[0][0].isupper() and all(word[0].isupper() or word in _SMALL for word in words)
        if not titled or not (target is not None or tag.alone):
            return False
    if not all(_NAME_WORD.fullmatch(word) for word in words):
        return False
    if squeeze(name) in lexicon.forms or any(squeeze(word) in _NOT_NAMES for word in words):
        return False
    return not lexicon.weapon(name) and not lexicon.basic(name)
