"""Reads sentences about dolls and things: Full Defense, holds, gear lost and regained (NA5, NA19 to NA22)."""

from __future__ import annotations

import re

from referee.ports.reading import squeeze
from rules.angel_dolls.lexicon import Owned
from rules.angel_dolls.reading.lines import PARTS, Said
from rules.angel_dolls.statements import STAT_PATTERN, STAT_WORDS, Change, FullDefense, Simultaneous

#: How a sentence ends: whatever is told behind it may turn it round. Ornaments leave long runs of blanks.
_END = r"\s*+[.!]{0,3}\s*+$"
_FULL = re.compile(
    r"\s*[:,-]?\s*(?:is\s+in\s+|goes\s+into\s+)?(?:full {1,2}defen[cs]e|fd)\b(?:\s+(?:for\s+)?this\s+round\b)?"
    r"\s*[:,-]?\s*(?P<shown>[^\n]{0,200})$",
    re.IGNORECASE,
)
_RAISED = re.compile(
    rf"\s*(?P<stat>{STAT_PATTERN})\.?\s*:?\s*"
    r"(?:(?P<old>\d{1,6})\s*(?:->|-->|=>|→|[x*]\s*1[.,]5\s*=)\s*)?(?P<new>\d{1,6})\s*(?:[,;/]|and\b|$)",
    re.IGNORECASE,
)
#: In front of the name, where that stands behind: `Full Defense for Sedrik`, `Full Defense (Sedrik)`.
_OF_WHOM = re.compile(r"\s*(?:\(|(?:for|by|of)\s+)", re.IGNORECASE)
_TOGETHER = re.compile(r"\s*simultaneous(?: strikes?| attacks?)?(?: by| of)?\s*[: -]\s*", re.IGNORECASE)
_WITH = re.compile(r"\s*(?:and|&|/|,|with)\s*", re.IGNORECASE)
#: How all sentences about a doll go on behind its name.
_HAPPENS = re.compile(
    r"\s*:?\s*(?:is|are|breaks|gets|slips|tears|comes|has|loses|regain|retrieves|recovers|picks|drops|lets|releases)",
    re.IGNORECASE,
)
_RELEASES = re.compile(r"\s*(?:releases|lets\s+go\s+of)\s+", re.IGNORECASE)
_ENTANGLED = re.compile(
    r"\s*(?:is|are)\s+(?:now\s+)?entangled\s*(?:\(|:|at|by|around)\s*(?:(?:the|its|his|her|their)\s+)?"
    rf"(?P<part>legs?|arms?|weapon|strangle(?: ?hold)?)\s*\)?{_END}",
    re.IGNORECASE,
)
_PART_ENTANGLED = re.compile(
    rf"'s\s+(?P<part>legs?|arms?|weapon)\s+(?:is|are)\s+(?:now\s+)?entangled{_END}", re.IGNORECASE
)
_STRANGLED = re.compile(
    r"\s*is\s+(?:now\s+)?(?:(?:held\s*)?\(\s*strangle(?: ?hold)?\s*\)|strangled|(?:held\s+)?in a strangle ?hold)"
    rf"{_END}",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\s*(?:(?:breaks|slips|tears)\s+free|(?:gets|comes|is)\s+free(?=\s+(?:of|from)\b|(?:\s+again)?\s*[.!]?\s*$)|is\s+no\s+longer\s+(?:entangled|held))\b"
    rf"(?:\s+again)?(?:\s+(?:of|from)\s+(?:(?:the|its|his|her)\s+)?(?P<of>[^\n.!,;(]{{1,60}}?))?{_END}",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\s*(?P<verb>loses control of|loses|(?:has )?regain(?:s|ed) control of|regains|retrieves|recovers|picks up|"
    r"drops|lets go of)\s+(?:(?:the|its|his|her|their)\s+)?",
    re.IGNORECASE,
)
#: What may be told behind a thing that is lost or dropped, and behind one that is regained.
_LOST = re.compile(
    r"\s*+(?:[.!]{1,3}|\(free action\))?\s*+$|\s+to\s+(?:break|end|escape|get|be|slip|free)\b[^.!?\n]{0,60}[.!]?\s*$"
    r"|,?\s+and\s+(?![^\n]{0,60}\b(?:up|again|back|catch\w*|takes?|holds?)\b)[^.,;!?\n]{0,60}[.!]?\s*$",
    re.IGNORECASE,
)
_REGAINED = re.compile(r"\s*(?:[.!,;(]|$)|\s+(?:and|again|with|from|then)\b", re.IGNORECASE)
#: What a doll breaks free of.
_HOLD = re.compile(r"(?:strangle ?)?hold", re.IGNORECASE)
_ENTANGLE = re.compile(r"(?:(?:leg|arm|weapon)s?\s+)?entangle(?:ment)?", re.IGNORECASE)
#: What may stand behind Full Defense besides the raised stats.
_FULL_REST = re.compile(r"(?:(?:for )?this round|until [\w ]{1,40})?", re.IGNORECASE)
_CONTROL = re.compile(rf"\s*(?:has )?regain(?:s|ed) control(?: of it)?{_END}", re.IGNORECASE)
_VERBS = {
    "loses control of": "uncontrolled",
    "loses": "loses",
    "regains control of": "regains",
    "regained control of": "regains",
    "has regained control of": "regains",
    "regains": "regains",
    "retrieves": "regains",
    "recovers": "regains",
    "picks up": "regains",
    "drops": "drops",
    "lets go of": "drops",
}
_OUT = re.compile(
    rf"\s*is\s+out\s+(?:for\s+)?(?P<turns>\d{{1,6}})\s+(?:more\s+)?(?:turns?|rounds?){_END}", re.IGNORECASE
)
_SHATTERS = re.compile(rf"\s*(?:shatters|is shattered|breaks apart){_END}", re.IGNORECASE)


def read_full(line: Said) -> FullDefense | None:
    """`Sedrik: Full Defense: REF 33 -> 49`, `Full Defense: Sedrik` (NA5)."""
    met = _FULL.match(line.text, line.who.stop if line.who else 0)
    if met is None:
        return None
    who, text = line.who, met["shown"]
    if who is None:
        text = _OF_WHOM.sub("", text, count=1)
        who = line.words.named(text)
        text = text[who.stop :] if who else text
    text = text.strip().rstrip(".!").strip("()[]:,- ")
    shown = _raised(text)
    if (text and not shown and _FULL_REST.fullmatch(text) is None) or (who is None and not shown):
        return None
    return FullDefense(who.name if who else None, shown)


def _raised(text: str) -> tuple[tuple[str, int | None, int], ...]:
    """The raised stats that a line shows: stat, usual (where it is shown), raised."""
    shown: list[tuple[str, int | None, int]] = []
    place = 0
    while place < len(text) and len(shown) < 6:
        one = _RAISED.match(text, place)
        if one is None:
            break
        shown.append((STAT_WORDS[one["stat"].casefold()], int(one["old"]) if one["old"] else None, int(one["new"])))
        place = one.end()
    return tuple(shown)


def read_together(line: Said) -> Simultaneous | None:
    """`Simultaneous: Riget and Sedrik (...)`: the first named hits automatically (NA5)."""
    begun = _TOGETHER.match(line.text)
    first = line.words.named(line.text, begun.end()) if begun else None
    between = _WITH.match(line.text, first.stop) if first else None
    second = line.words.named(line.text, between.end()) if between else None
    if first is None or second is None or first.name is None or second.name is None:
        return None
    return Simultaneous(first.name, second.name)


def read_change(line: Said) -> Change | None:
    """A sentence about entangles, lost, regained, disabled or shattered things (NA5, NA19 to NA22)."""
    text = line.text
    owned = line.words.owned(text, 0, line.who)
    if owned:
        return _about_thing(text, owned)
    if line.who is None or line.who.name is None:
        return None
    part = _PART_ENTANGLED.match(text, line.who.stop)
    if part is not None:
        return Change("entangled", line.who.name, part=PARTS[squeeze(part["part"])])
    if _HAPPENS.match(text, line.who.stop) is None:
        return None
    return _about_doll(line, line.who.name, line.who.stop)


def _about_doll(line: Said, who: str, place: int) -> Change | None:
    """What a sentence says of the doll that it begins with."""
    text = line.text
    place += text[place:].startswith(":")
    held = _ENTANGLED.match(text, place)
    if held:
        return Change("entangled", who, part=PARTS.get(squeeze(held["part"]), "strangle"))
    if _STRANGLED.match(text, place):
        return Change("entangled", who, part="strangle")
    free = _FREE.match(text, place)
    if free:
        return _freed(line, who, squeeze(free["of"] or ""))
    if _CONTROL.match(text, place):
        return Change("regains", who)
    releases = _RELEASES.match(text, place)
    other = line.words.named(text, releases.end()) if releases else None
    if other is not None and other.name and not text[other.stop :].strip(" .!"):
        return Change("free", other.name, part="")
    return _handled(line, who, place)


def _freed(line: Said, who: str, words: str) -> Change | None:
    """Who breaks free: of a hold, an entangle, a weapon, or of all."""
    if not words:
        return Change("free", who, part="")
    thing = line.words.thing(words)
    if thing:
        return Change("free", who, thing, part="")
    if _HOLD.fullmatch(words):
        return Change("free", who, part="hold")
    return Change("free", who, part="entangle") if _ENTANGLE.fullmatch(words) else None


def _handled(line: Said, who: str, place: int) -> Change | None:
    """A thing lost, dropped or regained; what is told behind it changes nothing."""
    verb = _VERB.match(line.text, place)
    found = line.words.thing_at(line.text, verb.end()) if verb else None
    what = _VERBS[" ".join(verb["verb"].casefold().split())] if verb else ""
    told = _REGAINED if what == "regains" else _LOST
    if found is None or told.match(line.text, found[1]) is None:
        return None
    return Change(what, who, found[0])


def _about_thing(line: str, owned: Owned) -> Change | None:
    out = _OUT.match(line, owned.stop)
    if out:
        return Change("out", owned.owner, owned.thing, turns=int(out["turns"]))
    return Change("shatters", owned.owner, owned.thing) if _SHATTERS.match(line, owned.stop) else None
