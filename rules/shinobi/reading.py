"""One revision of a post into claims: brackets, Loss lines, stat blocks, phase marks. Pure, linear."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Anchor, Script
from referee.ports.reading import Tag, squeeze, tags
from referee.ports.rules import Sheets
from rules.shinobi import reading_damage, reading_stats, reading_tags
from rules.shinobi.lexicon import POOL, POOL_WORDS, Lexicon, lexicon_of
from rules.shinobi.model import (
    MAIN,
    NO_NOTES,
    RESPONSE,
    SETUP,
    Correction,
    Dodge,
    Guard,
    LossTag,
    Mark,
    Notes,
    StatBlock,
)
from rules.shinobi.values import values_of

_PHASES = {"response": RESPONSE, "setup": SETUP, "set-up": SETUP, "main": MAIN}
_MARK = re.compile(
    r"(?P<phase>response|set-?up|main)(?:\s+phase)?(?:\s*[-:,(]?\s*(?P<skipped>skipped|skips?))?\s*[).:]?",
    re.IGNORECASE,
)
_MARK_LINE = re.compile(
    r"[^\S\n]{0,20}(?P<dress>[^\w\n\[({]{0,8})(?P<phase>response|set-?up|main)(?P<word>[ ]+phase)?"
    r"(?:[ ]*[-:,(]?[ ]*(?P<skipped>skipped))?(?P<after>[^\w\n\])}]{0,8})(?P<rest>[^\n]?)",
    re.IGNORECASE,
)
_LOSS_LINE = re.compile(
    rf"[ *-]{{0,6}}(?:loss(?:[ ]+tag)?[ ]*:[ ]*)?{POOL}[ ]*[:=]?[ ]*[+-]?[ ]*\d[^\n]{{0,160}}", re.IGNORECASE
)
#: What any of these lines begins with.
_LINE_LEAD = re.compile(rf"[^\w\n\[({{]{{0,28}}(?:response|set-?up|main|loss|{POOL})", re.IGNORECASE)
_CORRECTED = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:\s*", re.IGNORECASE)
_FORGOT = re.compile(
    rf"(?:i\s+)?forgot\s+(?:to\s+(?:pay|add|count|note)\s+)?(?P<list>(?:(?:,|and|&|\+|the|my|another|about|of)\s*|\d{{1,6}}\s*|{POOL}\b\s*"
    r"){1,16})(?P<rest>[^\n\d]{0,80})",
    re.IGNORECASE,
)
_FORGOT_ITEM = re.compile(rf"(\d{{1,6}})\s*({POOL})\b", re.IGNORECASE)
_ACTION = re.compile(r"\s*(?:action|attack)\s*:", re.IGNORECASE)

#: Totals in a stat block: secret, so they are left out of the quotation (S2).
_TOTAL = re.compile(rf"(?<!\w)({POOL})(?!\w)(\W{{0,6}})\d[\d.,]*", re.IGNORECASE)

#: More claims than this in one post are hostile.
MOST_CLAIMS = 200
#: More unread tags than this of one post are not listed one by one.
MOST_UNREAD = 60


class _Reader:
    """Collects the claims of one script."""

    __slots__ = ("claims", "lexicon", "losses", "marks", "script", "troubles", "unread")

    def __init__(self, script: Script, lexicon: Lexicon) -> None:
        self.script = script
        self.lexicon = lexicon
        self.claims: list[Claim] = []
        self.losses: list[Claim] = []
        self.unread: list[Unread] = []
        self.marks: list[Mark] = []
        self.troubles: set[str] = set()

    def claim(self, kind: str, start: int, end: int, data: object) -> None:
        """Note a claim with its words and its values."""
        quote = self.script.quote(start, end)
        if isinstance(data, StatBlock) and data.secret:
            quote = _TOTAL.sub(r"\1\2...", quote)
        made = Claim(kind, quote, (start, end), values_of(data), data)
        (self.losses if kind == "loss" else self.claims).append(made)

    def fail(self, trouble: str, start: int, end: int, reason: str = "could not be read") -> None:
        """Note a tag that can't be read; `trouble`: what the replay must not judge because of it."""
        self.unread.append(Unread(self.script.quote(start, end), (start, end), reason))
        self.troubles.add(trouble)

    def tag(self, tag: Tag) -> None:
        """Read one bracket."""
        inner = tag.inner
        if len(self.claims) >= MOST_CLAIMS or not inner.strip():
            return
        mark = _MARK.fullmatch(inner.strip())
        if mark is not None:
            self.marks.append(Mark(tag.start, _PHASES[squeeze(mark["phase"])], bool(mark["skipped"])))
            return
        attacker = None
        if ":" in inner:
            foe = self.lexicon.foe(inner)
            if foe is not None and foe.name is not None:
                attacker = foe.name
                inner = inner[foe.end :]
            elif foe is not None and _answers(inner[foe.end :]):
                self.fail("answer", tag.start, tag.end, "the attacker's name is not known")
                return
        self._sorted(tag, inner, attacker)

    def _sorted(self, tag: Tag, inner: str, attacker: str | None) -> None:
        """Read a bracket by what it begins with; one that begins with nothing known may be an ability's."""
        lead = _LEADS.match(inner)
        if lead is not None:
            kind, trouble, read = _LED[str(lead.lastgroup)]
            led = read(self, tag, inner, attacker)
            if led is not None:
                self.claim(kind, tag.start, tag.end, led)
            else:
                self.fail(trouble, tag.start, tag.end)
            return
        take = reading_tags.read_take(inner, attacker)
        if take is not None:
            self.claim("take", tag.start, tag.end, take)
            return
        ending = reading_tags.read_ending(inner, self.lexicon)
        if ending is not None:
            self.claim("ending", tag.start, tag.end, ending)
            return
        self._ability(tag, inner, attacker)

    def _ability(self, tag: Tag, inner: str, attacker: str | None) -> None:
        if len(inner) > 200:
            return
        read = reading_tags.read_ability(inner, self.lexicon, tag, attacker)
        if read is not None:
            self.claim(read.sort if read.sort != "unknown" else "ability", tag.start, tag.end, read)
        elif (
            _ACTION.match(inner) or (tag.bracket == "[" and reading_tags.USE_LEAD.match(inner)) or attacker is not None
        ):
            self.fail("answer" if attacker else "ability", tag.start, tag.end)

    def anchors(self, tag: Tag) -> tuple[Anchor, ...]:
        """The links inside a tag, or right behind it (G8)."""
        return self.script.anchors_in(tag.start, tag.end) or self.script.anchors_after(tag.end)


def _answers(text: str) -> bool:
    return bool(reading_tags.DODGE_LEAD.match(text) or reading_tags.read_take(text, None))


def _dodge(reader: _Reader, tag: Tag, inner: str, attacker: str | None) -> Dodge | None:
    return reading_tags.read_dodge(inner, attacker, lambda: reader.anchors(tag))


def _guard(reader: _Reader, tag: Tag, inner: str, attacker: str | None) -> Guard | None:
    return reading_tags.read_guard(inner, reader.lexicon, lambda: reader.anchors(tag))


_Read = Callable[[_Reader, Tag, str, "str | None"], object]
#: Kinds of tags by what they begin with, in the order of trying: the claim's kind, what is open if
#: the tag can't be read, and the reader.
_KINDS: tuple[tuple[re.Pattern[str], str, str, _Read], ...] = (
    (reading_tags.LOSS_LEAD, "loss", "loss", lambda r, t, inner, foe: reading_tags.read_loss(inner)),
    (reading_tags.DODGE_LEAD, "dodge", "answer", _dodge),
    (reading_tags.OVER_TIME_LEAD, "over time", "reminder", lambda r, t, inner, foe: reading_tags.read_over_time(inner)),
    (reading_damage.LEAD, "damage", "damage", lambda r, t, inner, foe: reading_damage.read_damage(inner, r.lexicon)),
    (reading_tags.GUARD_LEAD, "guard", "answer", _guard),
    (reading_tags.SETUP_LEAD, "setup", "setup", lambda r, t, inner, foe: reading_tags.read_setup(inner)),
    (reading_tags.STATUS_LEAD, "status", "reminder", lambda r, t, inner, foe: reading_tags.read_status(inner)),
)
_LED = {kind.replace(" ", "_"): (kind, trouble, read) for _, kind, trouble, read in _KINDS}
#: All beginnings at once; the group that matched is the key in `_LED`.
_LEADS = re.compile(
    "|".join(f"(?P<{name}>{row[0].pattern})" for name, row in zip(_LED, _KINDS, strict=True)), re.IGNORECASE
)


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post (contract of `Ruleset.read`)."""
    reader = _Reader(script, lexicon_of(sheets))
    corrected = _CORRECTED.match(script.text)
    if corrected is not None and (found := _correction(script, corrected.end())) is not None:
        return Reading((found,))
    found_stats = reading_stats.find_stats(script, reader.lexicon)
    if found_stats is not None:
        reader.claim("stats", found_stats.start, found_stats.end, found_stats.block)
    covered = _brackets(reader, script)
    _own_lines(reader, script, covered)
    for spoiler in script.spoilers:
        _read_spoiler(reader, spoiler, found_stats is not None)
    return _finished(reader)


def _brackets(reader: _Reader, script: Script) -> list[tuple[int, int]]:
    covered = []
    for tag in tags(script):
        reader.tag(tag)
        covered.append((tag.start, tag.end))
    return covered


def _outside(place: int, covered: list[tuple[int, int]]) -> bool:
    """Whether a place lies in none of the brackets, which are in order."""
    at = bisect_right(covered, (place, len(covered) and covered[-1][1])) - 1
    return at < 0 or not covered[at][0] <= place < covered[at][1]


def _own_lines(reader: _Reader, script: Script, covered: list[tuple[int, int]], *, marks: bool = True) -> None:
    """What stands in lines without brackets: headings of phases and Loss Tags."""
    place = 0
    for line in script.text.split("\n"):
        if _LINE_LEAD.match(line):
            if marks and (heading := _MARK_LINE.match(line)):
                _heading(reader, heading, place, covered)
            loss = _LOSS_LINE.fullmatch(line)
            if loss is not None and _outside(place, covered):
                found = reading_tags.read_loss(line.strip(" *-"), least=2)
                if found is not None:
                    reader.claim("loss", place, place + len(line), found)
        place += len(line) + 1


def _heading(reader: _Reader, found: re.Match[str], place: int, covered: list[tuple[int, int]]) -> None:
    """Headings such as `Main Phase:`, `== Setup Phase ==`, `Main: ...` (X20), `**Main Phase** [...]`."""
    line_ends = not found["rest"]
    colon = ":" in found["after"]
    dressed = bool(found["word"]) or bool(found["dress"].strip())
    framed = bool(found["word"]) and (found["rest"] == "[" or bool(found["dress"].strip() and found["after"].strip()))
    if not ((line_ends and (dressed or colon)) or (colon and found["rest"]) or framed):
        return
    start = place + found.start("phase")
    if _outside(start, covered):
        strict = line_ends and bool(found["word"])
        reader.marks.append(Mark(start, _PHASES[squeeze(found["phase"])], bool(found["skipped"]), strict))


def _read_spoiler(reader: _Reader, spoiler: Script, stats_read: bool) -> None:
    """In a spoiler only stat blocks count, and a Loss Tag where there is none outside (G16)."""
    inside = _Reader(spoiler, reader.lexicon)
    found = None if stats_read else reading_stats.find_stats(spoiler, reader.lexicon)
    if found is not None and not any(claim.kind == "stats" for claim in reader.claims):
        inside.claim("stats", found.start, found.end, found.block)
        reader.claims[:0] = inside.claims
    if reader.losses or "loss" in reader.troubles:
        return
    for tag in tags(spoiler):
        if reading_tags.LOSS_LEAD.match(tag.inner) and (loss := reading_tags.read_loss(tag.inner)) is not None:
            inside.claim("loss", tag.start, tag.end, loss)
    _own_lines(inside, spoiler, [], marks=False)
    reader.losses += [replace(c, span=(len(reader.script.text),) * 2) for c in inside.losses]


def _finished(reader: _Reader) -> Reading:
    """The reading: of two Loss Tags the last counts, the other is listed as unread (X1)."""
    claims = reader.claims
    if reader.losses:
        *extra, counted = sorted(reader.losses, key=_span)
        for loss in extra[-MOST_UNREAD:]:
            reader.unread.append(Unread(loss.quote, loss.span, "a second Loss Tag follows, which counts"))
        claims.append(counted)
        reader.troubles.discard("loss")
    claims.sort(key=_span)
    marks = sorted(reader.marks, key=_place)[:MOST_CLAIMS]
    if not claims and any(mark.strict for mark in marks):
        claims.append(_phase_claim(reader.script, marks))
    unread = sorted(reader.unread, key=lambda found: found.span)[:MOST_UNREAD]
    notes = Notes(tuple(marks), frozenset(reader.troubles)) if marks or reader.troubles else NO_NOTES
    return Reading(tuple(claims), tuple(unread), notes)


def _span(claim: Claim) -> tuple[int, int]:
    """The place of a claim among the others: stats come first, wherever they stand."""
    return claim.span if claim.kind != "stats" else (-1, -1)


_place = attrgetter("place")


def _phase_claim(script: Script, marks: list[Mark]) -> Claim:
    """A post with phase marks and nothing else is a turn all the same."""
    start = next(mark.place for mark in marks if mark.strict)
    end = script.line_end(start)
    return Claim("phase", script.quote(start, end), (start, end), {}, None)


def _correction(script: Script, place: int) -> Claim | None:
    """`Edit: forgot 5 stamina`, `Correction: (HP: -0 | CHK: -10 | STM: -5)` (NS37)."""
    text = script.text[place:].strip()
    if len(text) > 400:
        return None
    loss = _only_loss(text)
    data: Correction | None = Correction(loss=loss) if loss is not None else None
    if data is None:
        found = _FORGOT.match(text)
        items = _FORGOT_ITEM.findall(found["list"]) if found else []
        if found is None or not items or any(tags(script)):
            return None
        adds: dict[str, int] = {}
        for number, pool in items:
            key = POOL_WORDS[squeeze(pool)]
            adds[key] = adds.get(key, 0) - int(number)
        data = Correction(adds=adds)
    return Claim("correction", script.quote(0, len(script.text)), (0, len(script.text)), values_of(data), data)


def _only_loss(text: str) -> LossTag | None:
    """The Loss Tag that is all of a text but for a few words of regret behind it."""
    if text[:1] in "([{":
        close = max(text.find(sign) for sign in ")]}")
        if close > 0 and len(text) - close < 60:
            return reading_tags.read_loss(text[1:close])
    return reading_tags.read_loss(text, least=2)


def amend(reading: Reading, correction: Reading) -> Reading:
    """Put an in-time correction into the reading that it corrects (G25, NS37)."""
    fixed = next((c.data for c in correction.claims if isinstance(c.data, Correction)), None)
    if fixed is None:
        return reading
    claims = tuple(_amended(claim, fixed) if isinstance(claim.data, LossTag) else claim for claim in reading.claims)
    if fixed.loss is not None and not any(isinstance(c.data, LossTag) for c in claims):
        said = correction.claims[0]
        claims = (*claims, Claim("loss", said.quote, (0, 0), values_of(fixed.loss), fixed.loss))
    return Reading(claims, reading.unread, reading.notes)


def _amended(claim: Claim, fixed: Correction) -> Claim:
    assert isinstance(claim.data, LossTag)
    loss = corrected_loss(claim.data, fixed)
    return replace(claim, data=loss, values=values_of(loss))


def corrected_loss(loss: LossTag, fixed: Correction) -> LossTag:
    """A Loss Tag after a correction: replaced, or with the forgotten amounts added (NS37)."""
    if fixed.loss is not None:
        return fixed.loss
    added = {pool: (loss.of(pool) or 0) + change for pool, change in fixed.adds.items()}
    return LossTag(**{**{p: loss.of(p) for p in ("hp", "chakra", "stamina")}, **added})
