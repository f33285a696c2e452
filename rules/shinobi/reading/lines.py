"""Tags on lines without their brackets: Loss Tags (S6), and others where the post has none of that sort (G18)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.model.claims import Claim
from referee.model.text import Anchor, Script
from referee.ports.reading import Tag
from rules.shinobi.lexicon import POOL, Lexicon
from rules.shinobi.model import Ability, Dodge, LossTag
from rules.shinobi.reading.abilities import read_ability
from rules.shinobi.reading.answers import DODGE_LEAD, read_dodge, read_rolled
from rules.shinobi.reading.damage import LEAD as DAMAGE_LEAD
from rules.shinobi.reading.damage import on_a_line, read_damage, read_worded
from rules.shinobi.reading.loss import merged, read_loss, read_spare
from rules.shinobi.reading.values import values_of

#: A line that may say that nothing is lost.
_NO_LOSS = re.compile(r"(?:total\s+)?loss(?:es)?(?:\s+tag)?\s*[:=-]\s*(?:n|zero|unchanged|same|-|0)", re.IGNORECASE)
#: A line that is a Loss Tag, readable or not: HP with a loss, and another amount behind a separator.
_LIKE_LOSS = re.compile(
    r"\W{0,6}(?:hp|health)\W{0,4}(?:[+-]\s?\d{1,6}|\d{1,6}\s(?:lost|loss)\b)"
    r"[^\n]{0,60}[|/,;][^\n]{0,40}[+-]?\d",
    re.IGNORECASE,
)
_LOSS = re.compile(
    rf"[ *-]{{0,6}}(?:(?:total[ ]+)?(?:loss(?:es)?|lost)(?:[ ]+tag)?[ ]*:[ ]*)?"
    rf"(?:{POOL}[ ]*(?:loss|lost)?[ ]*(?:[:=]|\.{{2,20}})?"
    rf"[ ]*[+-]?[ ]*\d|[+-]?[ ]*\d{{1,9}}[ ]*{POOL}\b)"
    r"[^\n]{0,160}",
    re.IGNORECASE,
)
#: What may stand around a Loss Tag on a line of its own, and words told behind it.
_AROUND = " \"'~.!"
_ADDED = re.compile(r"(?<=\d)[.!]?\s+--?\s+[A-Za-z][^\d\n]{0,80}$")
#: A roll that is no barrel: behind its number stands another, an outcome, or nothing.
_ROLLED = re.compile(
    r"\broll(?:ed|s)\b(?!\s*[?!])\s*[:=]?\s*(?:an?\s+)?(?:1?d100\W{1,3})?\d{1,3}\s*(?:$|[,;.!/&()\[-]|(?:and|then|dodge[ds]?|block(?:ed|s)?|hits?|crit\w{0,4})\b)",
    re.IGNORECASE,
)
#: Who rolled.
_ROLLER = re.compile(r"[:;,.]\s*([^\d;:,.%()\[\]\n]{1,60}?)\s+(?:rolled|rolls)\b", re.IGNORECASE)
_SOMEBODY = frozenset(["i", "he", "she", "they", "and", "and he", "and she"])
#: What may frame a tag without brackets on its line: `--- Damage: 13 x2 (punch) ---`.
_FRAME = " *-=~_|>"
#: A line of damage without anything that it is made with.
_DAMAGE_ONLY = re.compile(r"(?:damage|dmg)\s*[:=-]\s*\d{1,5}\s*\.?", re.IGNORECASE)
#: How a line of rolls in another order of words begins.
_ROLLING = re.compile(r"(?:dodge\s\d{1,3}\s?%|rolled|rolls?\s*:|chance\s+to\s+hit|hit\s+chance|cth\b)", re.IGNORECASE)
#: The label of a table's row.
_ROW = re.compile(r"^(damage|dmg)[ ]?\|", re.IGNORECASE)
#: A line of what hits, how often and for how much: `13 x2 punch`, `kunai 13 x2`.
BLOWS = re.compile(r"(?=[^\n]{0,40}(?<![A-Za-z\d])(?:x[ ]?\d|\d{1,3}[ ]?x\b))[\w' :=+,@()*-]{5,60}[.!]?", re.IGNORECASE)
_USED = re.compile(r"\s*used\s", re.IGNORECASE)
#: What a line with one pool needs to be a Loss Tag: `Health: 0` is a remark, so is `life -1`.
_LOST = re.compile(
    r"^\W{0,6}(?:(?:total\s)?loss[^:\n]{0,6}:\s?)?(?!life|health)\w{1,8}\s?[:=]?\s?[+-]\s?\d", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Odd:
    """A line that looks like a tag and can't be read: its sort, place and words."""

    kind: str
    span: tuple[int, int]
    words: str


def plain_lines(
    script: Script, rows: Sequence[tuple[int, str]], lexicon: Lexicon, claims: Sequence[Claim], losses_only: bool
) -> Iterator[Claim | Odd]:
    """The claims of lines without brackets; `rows`: place and words of each that may hold one."""
    losses = list(_losses(script, rows))
    others = any(claim.kind == "loss" for claim in claims) or any(len(loss.values) > 1 for loss in losses)
    yield from (loss for loss in losses if len(loss.values) > 1 or (not others and _LOST.search(loss.quote)))
    if claims and not losses and not others:
        odd = next(((place, line) for place, line in rows if _LIKE_LOSS.match(line)), None)
        if odd is not None:
            yield Odd("loss", (odd[0], odd[0] + len(odd[1])), odd[1])
    if losses_only:
        return
    kinds = {claim.kind for claim in claims}
    named = {claim.data.name for claim in claims if isinstance(claim.data, Ability)}
    used = set(named)
    for place, line in rows:
        found = _other(script, place, line, lexicon, bool(used))
        if isinstance(found, Odd):
            if "dodge" not in kinds:
                yield found
        elif found is not None and found.kind not in kinds and _name(found) not in named:
            if isinstance(found.data, Ability):
                used.add(found.data.name)
            yield found


def _name(claim: Claim) -> str | None:
    return claim.data.name if isinstance(claim.data, Ability) else None


def _losses(script: Script, rows: Sequence[tuple[int, str]]) -> Iterator[Claim]:
    """Loss Tags, also with a line for each pool."""
    run: LossTag | None = None
    begin = end = -1
    for place, line in [*rows, (len(script.text) + 2, "")]:
        bare = _ADDED.sub("", line.strip(_AROUND))
        text = bare.strip(" *-|") if bare[:1] in "*|" else bare.removeprefix("- ")
        part = (
            read_loss(text.rstrip(" |*")) or read_spare(text)
            if _LOSS.fullmatch(bare) or (bare[:1] in "lLtT" and _NO_LOSS.match(bare))
            else None
        )
        both = merged(run, part) if run is not None and part is not None and place == end + 1 else None
        if both is not None:
            run, end = both, place + len(line)
            continue
        if run is not None:
            yield Claim("loss", script.quote(begin, end), (begin, end), values_of(run), run)
        run, begin, end = part, place, place + len(line)


def _other(script: Script, place: int, line: str, lexicon: Lexicon, uses: bool) -> Claim | Odd | None:
    """A dodge, damage or technique tag that is all of a line; prose that begins so is nothing.

    `uses`: the post uses an ability, so that an amount alone is its damage.
    """
    start = place + len(line) - len(line.lstrip(_FRAME))
    stop = place + len(line.rstrip(_FRAME))
    text = _ROW.sub(r"\1:", script.text[start:stop])

    def made(kind: str, data: object) -> Claim:
        return Claim(kind, script.quote(start, stop), (start, stop), values_of(data), data)

    def links() -> tuple[Anchor, ...]:
        return script.anchors_in(start, stop) or script.anchors_after(stop)

    def rolled() -> Dodge | None:
        return read_rolled(text, lexicon, None, frozenset(), links)

    if DODGE_LEAD.match(text):
        dodge = read_dodge(text.rstrip("."), lexicon, None, links)
        roller = _ROLLER.search(text)
        if roller is not None and roller[1].casefold() not in _SOMEBODY and not lexicon.names.exact(roller[1]):
            return None  # `20% to hit: the bookmaker rolled 3`
        dodge = dodge or rolled()
        if dodge is not None:
            return made("dodge", dodge)
        return Odd("answer", (start, stop), text) if _ROLLED.search(text) else None
    if _ROLLING.match(text):
        other = rolled()
        return made("dodge", other) if other is not None else None
    if DAMAGE_LEAD.match(text):
        damage = read_damage(text, lexicon)
        sure = damage is not None and (
            on_a_line(damage, lexicon) or (uses and _DAMAGE_ONLY.fullmatch(text) is not None)
        )
        return made("damage", damage) if sure else None
    if BLOWS.fullmatch(text):
        blows = read_worded(text, lexicon)
        return made("damage", blows) if blows is not None and on_a_line(blows, lexicon) else None
    if _USED.match(text):
        tag = Tag(start, stop, text, start, "[", True, script.text)
        ability = read_ability(text.rstrip("."), lexicon, tag, None)
        priced = isinstance(ability, Ability) and bool(ability.cost or ability.heal or ability.upkeep)
        if isinstance(ability, Ability) and ability.sort != "unknown" and priced:
            return made(ability.sort, ability)
    return None
