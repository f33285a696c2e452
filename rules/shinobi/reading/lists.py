"""Dodge rolls in a list below their chance (NS3): `[40% to hit]`, then `Roll 1: 88 - dodged` line by line."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor, Script
from rules.shinobi.model import Dodge

_MOST_ROWS = 30
_CHANCE = re.compile(r"[^\n\d%]{0,60}(?<![\d.])(?P<chance>\d{1,3})[ ]?(?:%|percent)[^\n\d%]{0,40}", re.IGNORECASE)
#: A line that ends behind a chance.
_HEAD = re.compile(r"\d[ ]?(?:%|percent)[^\n\d%]{0,40}$", re.IGNORECASE | re.MULTILINE)
_ABOUT = re.compile(r"hit|dodg|chance|cth", re.IGNORECASE)
_ROW = re.compile(
    r"[^\n\w]{0,6}(?:(?:my|the|dodge|roll|punch|kick|knee|elbow|hit|attack|strike|blow|first|second|third|fourth|fifth|last"
    r"|kunai|shuriken)\b[ ]?){0,3}(?:#?\d{1,2}(?:st|nd|rd|th)?(?:[.)][ ]|[ ]?[:=-][ ]?))?(?:[:=-][ ]?)?"
    r"(?:rolled[ ]|rolls?[ ])?"
    r"(?:an?[ ])?(?P<value>\d{1,3})(?![\d%])(?P<rest>[^\n%]{0,60})",
    re.IGNORECASE,
)
_OUTCOME = re.compile(r"\b(dodge|block|hit|crit|miss)", re.IGNORECASE)
_OUTCOMES = {"dodge": "dodged", "block": "blocked", "hit": "hit", "crit": "critical", "miss": "dodged"}
#: What may stand behind a roll besides its outcome: signs, and the damage.
_REST = re.compile(
    r"(?:[^\w\n]|\b(?:dodge[ds]?|block(?:ed|s)?|hits?|crit(?:ical)?|miss(?:ed|es)?|for|of|half|full|damage|dmg|hp|a|the)\b"
    r"|\d{1,4})*",
    re.IGNORECASE,
)


class RollList(NamedTuple):
    """A list of rolls: what it says, where it begins and ends, where the line of its chance ends."""

    dodge: Dodge
    start: int
    end: int
    head: int


def roll_list(script: Script) -> RollList | None:
    """The first list of rolls of a script: a line with a chance and no other number, then a roll on each line."""
    if _HEAD.search(script.text) is None:
        return None
    rows = _lines(script.text)
    for place, (start, line) in enumerate(rows):
        found = _CHANCE.fullmatch(line) if "%" in line or "percent" in line else None
        if found is None or not _ABOUT.search(line) or int(found["chance"]) > 100:
            continue
        rolls = _rolls(script, rows[place + 1 : place + 1 + _MOST_ROWS])
        if rolls and (rolls[2] or len(rolls[0]) > 1 or line.strip()[:1] in "[("):
            values, words, anchors, end = rolls
            written = WrittenRoll(tuple(values), tuple(anchors))
            return RollList(Dodge(int(found["chance"]), written, tuple(words)), start, end, start + len(line))
    return None


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text that are not empty, with their places."""
    found = []
    place = 0
    for line in text.split("\n"):
        if line.strip():
            found.append((place, line))
        place += len(line) + 1
    return found


def _rolls(script: Script, rows: list[tuple[int, str]]) -> tuple[list[int], list[str | None], list[Anchor], int] | None:
    values: list[int] = []
    words: list[str | None] = []
    anchors: list[Anchor] = []
    end = 0
    for start, line in rows:
        found = _ROW.fullmatch(line) if len(line) <= 140 else None
        if found is None or not _REST.fullmatch(found["rest"]) or not 0 < int(found["value"]) <= 100:
            break
        links = script.anchors_in(start, start + len(line))
        around = [a for a in links if a.start < a.end and a.start != start + found.start("value")]
        said = {_OUTCOMES[word.casefold()] for word in _OUTCOME.findall(found["rest"])}
        if around or (not links and not said):
            break
        values.append(int(found["value"]))
        words.append(said.pop() if len(said) == 1 else None)
        anchors += links
        end = start + len(line)
    return (values, words, anchors, end) if values else None
