"""From scripts to claims: `[Plays: Broadside -> Bo, 1d6 = 4, hit for 5]` and `Hull: 15/20`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.model.claims import Claim, Reading, Unread, WrittenRoll
from referee.model.text import Script
from referee.ports.reading import ARROW, Names, lines, tags
from referee.ports.rules import Sheets

_PLAY = re.compile(
    rf"Plays:\s*(?P<card>[\w' ]{{1,40}}?)\s*(?:{ARROW}\s*(?P<target>[\w' ]{{1,40}}?)\s*)?"
    r"(?:,\s*1d6\s*=\s*(?P<die>\d{1,3})\s*)?(?:,\s*(?P<outcome>hit|miss|double)\s*)?(?:(?:for|,)\s*(?P<amount>\d{1,5})\s*)?",
    re.IGNORECASE,
)
_HULL = re.compile(r"Hull:\s*(?P<left>\d{1,5})\s*/\s*(?P<most>\d{1,5})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Play:
    """A card, with what the post says of its target, die, outcome and amount."""

    card: str
    target: str | None
    roll: WrittenRoll | None
    outcome: str | None
    amount: int | None


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision, in order of place."""
    names = Names.of(sheets.characters)
    claims: list[Claim] = []
    unread: list[Unread] = []
    for tag in tags(script):
        quote, span = script.quote(tag.start, tag.end), (tag.start, tag.end)
        found = _PLAY.fullmatch(tag.inner.strip())
        if found and (found["target"] is None or names.find(found["target"])):
            claims.append(_play(script, found, names, quote, span))
        elif tag.inner.lstrip().casefold().startswith("plays:"):
            unread.append(Unread(quote, span))
    for line in lines(script):
        hull = _HULL.fullmatch(line.text)
        if hull:
            left = int(hull["left"])
            claims.append(Claim("hull", line.text, (line.start, line.end), {"hull": left}, left))
    claims.sort(key=lambda claim: claim.span)
    return Reading(tuple(claims), tuple(unread))


def _play(script: Script, found: re.Match[str], names: Names, quote: str, span: tuple[int, int]) -> Claim:
    target = names.find(found["target"]) if found["target"] else None
    anchors = script.anchors_in(*span)
    values = (int(found["die"]),) if found["die"] else ()
    roll = WrittenRoll(values, anchors, "1d6") if values or anchors else None
    amount = int(found["amount"]) if found["amount"] else None
    outcome = found["outcome"].casefold() if found["outcome"] else None
    play = Play(found["card"].strip(), target, roll, outcome, amount)
    return Claim(
        "play", quote, span, {"amount": amount, "card": play.card, "target": target, "die": list(values)}, play
    )


def amend(reading: Reading, correction: Reading) -> Reading:
    """A correction replaces the last claim of its kind."""
    claims = list(reading.claims)
    for new in correction.claims:
        places = [index for index, claim in enumerate(claims) if claim.kind == new.kind]
        if places:
            claims[places[-1]] = new
    return Reading(tuple(claims), reading.unread)
