"""Corrections (G25, NS37): a post that adds to the author's last Loss Tag or replaces it."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.reading import squeeze, tags
from rules.shinobi.lexicon import POOL, POOL_WORDS
from rules.shinobi.model import NO_NOTES, POOLS, Correction, Doubt, LossTag, Notes, Shares
from rules.shinobi.reading.loss import LEAD, read_loss, unwrapped
from rules.shinobi.reading.values import values_of

_CORRECTED = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:\s*", re.IGNORECASE)
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = rf"(?:\d{{1,6}}|{'|'.join(_WORDS)})"
_FORGOT = re.compile(
    rf"(?:sorry,?\s+)?(?:i\s+)?forgot\s+(?:to\s+(?:pay|add|count|note)\s+)?(?P<list>(?:(?:,|and\b|&|\+|the\b|my\b|another\b|about\b|of\b|more\b)\s*"
    rf"|{_NUMBER}\b\s*|{POOL}\b\s*){{1,16}})(?P<rest>(?:[^\n\d(]|\([^()\n]{{0,120}}\)){{0,120}})",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"({_NUMBER})\s*(?:more\s+)?({POOL})\b", re.IGNORECASE)
_SHOULD = re.compile(
    rf"(?:(?:the|my)\s+)?(?:(?:it\s+)?should\s+(?:be|say|read)\s+)?(?P<pool>{POOL})\s*(?:should\s+(?:be|say|read)|is|was)?\s*:?\s*"
    r"(?P<sign>[+-])\s*(?P<number>\d{1,9})(?:\s*,?\s*(?:and\s+)?not\s+[+-]?\s*\d{1,9})?[^\n\d]{0,80}",
    re.IGNORECASE,
)
#: Numbers beside a pool's name: a correction, readable or not.
_LIKELY = re.compile(rf"\d\s*(?:more\s+)?(?:{POOL})\b|\b(?:{POOL})\b[^\d\n]{{0,20}}\d", re.IGNORECASE)
_ANY_NUMBER = re.compile(r"\d{1,6}")
_LONGEST = 400
#: The order of those kinds of tags whose phase is certain.
_PHASES = {"dodge": 0, "take": 0, "guard": 0, "setup": 1, "damage": 2, "loss": 3}


def read_correction(script: Script) -> Reading | None:
    """The reading of a post that begins like a correction; None where it holds none."""
    begun = _CORRECTED.match(script.text)
    text = script.text[begun.end() :].strip() if begun is not None else ""
    if not text or len(text) > _LONGEST:
        return None
    said = _replaced(script, text) or _added(script, text)
    words = script.quote(0, len(script.text))
    span = (0, len(script.text))
    if said is not None:
        return Reading((Claim("correction", words, span, values_of(said), said),))
    if any(tags(script)) or "\n" in text or not _LIKELY.search(text):
        return None
    open_one = Correction(numbers=tuple(int(number) for number in _ANY_NUMBER.findall(text)[:12]))
    claim = Claim("correction", words, span, values_of(open_one), open_one)
    return Reading((claim,), (Unread(words, span, "a correction that could not be read"),))


def _replaced(script: Script, text: str) -> Correction | None:
    """`Correction: (HP: -0 | CHK: -10 | STM: -5)`, with a few words around it; or one pool of it."""
    held = [tag for tag in tags(script) if read_loss(unwrapped(tag.inner)) is not None]
    others = [tag for tag in tags(script) if tag not in held and LEAD.match(unwrapped(tag.inner))]
    if len(held) == 1 and not others:
        before, after = script.text[: held[0].start], script.text[held[0].end :]
        if before.strip().count("\n") <= 1 and len(after.strip()) < 60 and len(before) < 160:
            loss = read_loss(unwrapped(held[0].inner))
            return Correction(loss=loss) if loss is not None else None
    loss = read_loss(text.rstrip(" .!"))
    if loss is not None:
        return Correction(loss=loss)
    found = _SHOULD.fullmatch(text)
    if found is None:
        return None
    number = int(found["number"])
    return Correction(loss=LossTag(**{POOL_WORDS[squeeze(found["pool"])]: -number if found["sign"] == "-" else number}))


def _added(script: Script, text: str) -> Correction | None:
    """`forgot 5 stamina (two punches)`."""
    found = _FORGOT.match(text)
    items = _ITEM.findall(found["list"]) if found else []
    if found is None or not items or any(read_loss(unwrapped(tag.inner)) for tag in tags(script)):
        return None
    adds: dict[str, int] = {}
    for number, pool in items:
        key = POOL_WORDS[squeeze(pool)]
        adds[key] = adds.get(key, 0) - (_WORDS.get(number.casefold()) or int(number))
    return Correction(adds=adds)


def amend(reading: Reading, correction: Reading) -> Reading:
    """Put an in-time correction into the reading that it corrects (G25, NS37)."""
    fixed = next((c.data for c in correction.claims if isinstance(c.data, Correction)), None)
    notes = reading.notes if isinstance(reading.notes, Notes) else NO_NOTES
    if notes.shares is not None and len(notes.shares.parts) > 1:
        return _of_several(reading, notes, notes.shares)
    if fixed is None:
        return _with_lines_of(reading, correction)
    if fixed.unread:
        return replace(reading, notes=replace(notes, doubts=(*notes.doubts, Doubt("correction"))))
    claims = tuple(_amended(claim, fixed) if isinstance(claim.data, LossTag) else claim for claim in reading.claims)
    if fixed.loss is not None and not any(isinstance(c.data, LossTag) for c in claims):
        said = correction.claims[0]
        claims = (*claims, Claim("loss", said.quote, (0, 0), values_of(fixed.loss), fixed.loss))
    return Reading(claims, reading.unread, reading.notes)


def _of_several(reading: Reading, notes: Notes, shares: Shares) -> Reading:
    """A post of several characters: whose numbers a correction changes is open, so no pool of theirs is judged."""
    parts = tuple(replace(part, doubts=(*part.doubts, Doubt("correction"))) for part in shares.parts)
    return replace(reading, notes=replace(notes, shares=replace(shares, parts=parts)))


def _with_lines_of(reading: Reading, correction: Reading) -> Reading:
    """A reading whose last tag of each kind that a correction holds is replaced by the correction's (X24)."""
    claims = list(reading.claims)
    for new in correction.claims:
        places = [place for place, claim in enumerate(claims) if claim.kind == new.kind]
        if not places:
            _put_in(claims, new)
            continue
        old = claims[places[-1]]
        data = new.data
        if isinstance(data, LossTag) and isinstance(old.data, LossTag):
            data = corrected_loss(old.data, Correction(loss=data))
        claims[places[-1]] = replace(new, span=old.span, data=data, values=values_of(data))
    doubts = correction.notes.doubts if isinstance(correction.notes, Notes) else ()
    notes = reading.notes if isinstance(reading.notes, Notes) else NO_NOTES
    return Reading(tuple(claims), reading.unread, replace(notes, doubts=(*notes.doubts, *doubts)))


def _put_in(claims: list[Claim], new: Claim) -> None:
    """Put a forgotten tag where its phase is (S5): answers first, Setup in front of the damage, the Loss Tag last."""
    rank = _PHASES.get(new.kind, _PHASES["damage"])
    later = (place for place, claim in enumerate(claims) if _PHASES.get(claim.kind, -1) > rank)
    place = next(later, len(claims))
    start = claims[place].span[0] if place < len(claims) else claims[-1].span[1] if claims else 0
    claims.insert(place, replace(new, span=(start, start)))


def _amended(claim: Claim, fixed: Correction) -> Claim:
    assert isinstance(claim.data, LossTag)
    loss = corrected_loss(claim.data, fixed)
    return replace(claim, data=loss, values=values_of(loss))


def corrected_loss(loss: LossTag, fixed: Correction) -> LossTag:
    """A Loss Tag after a correction: replaced, pool by pool, or with the forgotten amounts added (NS37)."""
    now = {pool: loss.of(pool) for pool in POOLS}
    if fixed.loss is not None:
        return LossTag(
            **{pool: old if fixed.loss.of(pool) is None else fixed.loss.of(pool) for pool, old in now.items()}
        )
    added = {pool: (loss.of(pool) or 0) + change for pool, change in fixed.adds.items()}
    return LossTag(**{**now, **added})
