"""One revision of a post into claims: brackets, Loss lines, stat blocks, phase marks. Pure, linear."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter, itemgetter

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.reading import squeeze, tags
from referee.ports.rules import Sheets
from rules.shinobi.lexicon import POOL, lexicon_of
from rules.shinobi.model import POOLS, RESPONSE, Ability, LossTag, Mark, Notes
from rules.shinobi.reading import loss as losses
from rules.shinobi.reading import stats
from rules.shinobi.reading.brackets import MOST_CLAIMS, MOST_UNREAD, PHASES, Reader, claims_in
from rules.shinobi.reading.corrections import read_correction
from rules.shinobi.reading.lines import BLOWS, plain_lines
from rules.shinobi.reading.links import linked
from rules.shinobi.reading.lists import roll_list
from rules.shinobi.reading.other_tags import holds_nothing
from rules.shinobi.reading.several import read_several
from rules.shinobi.reading.shares import Labels
from rules.shinobi.reading.values import values_of

_MARK_LINE = re.compile(
    r"[^\S\n]{0,20}(?P<dress>[^\w\n\[({]{0,8})(?P<phase>response|set-?up|main)(?P<word>[ ]+phase)?"
    r"(?:[ ]*[-:,(]?[ ]*(?P<skipped>skipped))?(?P<after>[^\w\n\])}([{]{0,8})(?P<rest>[^\n]?)",
    re.IGNORECASE,
)
#: What any of these lines begins with.
_LINE_LEAD = re.compile(
    rf"[^\w\n\[({{]{{0,28}}(?:(?P<mark>response|set-?up|main)|(?:total[ ]+)?loss|lost|{POOL}(?![a-z])|"
    rf"\d{{1,9}}[ ]?{POOL}|dmg|damage|enemy|used\b|dodge[ ]|"
    rf"rolled\b|rolls?[ ]?:|chance[ ]to[ ]hit|hit[ ]chance|cth\b|\d{{1,3}}[ ]?%|to[ ](?:hit|dodge)\b|dodging\b"
    r"|needs?[ ](?:an?[ ]\d|(?:to[ ](?:roll|get|be)[ ])?(?:above|over|more[ ]than|higher[ ]than)[ ]\d))",
    re.IGNORECASE,
)

#: The older rulebook's answer behind a name or in a sentence.
_NEEDED = re.compile(r"\bneeds?[ ]an?[ ]\d{1,4}/100[ ]to[ ]dodge\b", re.IGNORECASE)

#: Brackets of other scripts, and what they are here.
_OTHER_BRACKETS = str.maketrans("\u3010\u3011\u3014\u3015\u27e6\u27e7", "[]" * 3)
#: Emoji and what joins them; arrows and crosses, which stand for words, are none.
_PICTURE = "[\U0001f000-\U0001faff\u2600-\u2712\u2719-\u2793\u2b50\u2b55\ufe0e\ufe0f\u200d\u20e3]"
_PICTURES = re.compile(rf"{_PICTURE}(?:[ ]?{_PICTURE})*")
_MOST_PICTURES = 8
#: A tag in angle brackets on a line of its own.
_ANGLES = re.compile(
    rf"(?P<before>^[ *-]{{0,6}})<(?P<inner>[ ]?(?:damage|dmg|{POOL}[ ]?:|loss|\d{{1,3}}[ ]?%|dodge|use[sd]?[ ]|"
    r"takes?[ ]|no[ ]roll|set-?up|"
    r"main|response|activates?[ ]|guards?[ ])[^\n]{2,300})>(?P<behind>[ .]{0,6}$)",
    re.IGNORECASE | re.MULTILINE,
)

#: Kinds of claims that are an attack, and what makes one an opponent's.
_DEEDS = frozenset(["damage", "technique", "skill", "ability"])
_LONGEST_LABEL = 100
#: A tag without its brackets and without any word for damage is no longer.
_SHORT_LINE = 64
_LONGEST_ROW = 240
#: Parts of a Loss Tag stand no farther from one another than this.
_NEAR = 12
_INCOMING = re.compile(
    r"[ *>|\u2022-]{0,8}(?:incoming|received|facing|against[ ]me|at[ ]me"
    r"|(?:defending|defen[cs]e|responding|answering|reply(?:ing)?)[ ](?:against|to)"
    r"|(?:the[ ])?(?:opponent|enemy|foe)(?:'?s)?|their|(?P<who>[^\n:=]{1,80}?)'s?)"
    r"(?:[ ](?:attacks?|damage|dmg|tags?|move|turn|hits?)){0,2}(?:[ ](?:was|is|were))?[ ]?:[ ]?",
    re.IGNORECASE,
)

#: The letters with which its words begin: most lines of prose begin with another one.
_LINE_FIRSTS = frozenset("rsmtlhcdeunRSMTLHCDEUN")
#: An empty line has none, and in front of a lead stands no bracket.
_NO_LEAD = frozenset(("", *"[({"))


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post (contract of `Ruleset.read`)."""
    if "<" in script.text or not script.text.isascii():
        script = _with_usual_signs(script)
    corrected = read_correction(script)
    whole = (
        _several(script, author, sheets)
        if len(sheets.of_player(author)) > 1
        else _finished(_filled(script, author, sheets))
    )
    # A correction holds nothing else that claims (G25); a turn may begin with a remark on an edit.
    return whole if corrected is None or any(claim.kind != "loss" for claim in whole.claims) else corrected


def _with_usual_signs(script: Script) -> Script:
    """A script in which tags in other brackets stand in square ones (`<Damage: 13>` alone on its line, `【...】`).

    Small pictures beside words and numbers are blanks: `[Damage: 13 x2 (punch) \U0001f44a]`.
    """
    text = script.text
    if not text.isascii():
        text = _PICTURES.sub(_blanked, text.translate(_OTHER_BRACKETS))
    if "<" in text and ">" in text:
        text = _ANGLES.sub(r"\g<before>[\g<inner>]\g<behind>", text)
    return script if text is script.text or text == script.text else replace(script, text=text)


def _blanked(found: re.Match[str]) -> str:
    """A few pictures as blanks; a long row of them stays, since long rows of blanks are slow to read."""
    return " " * len(found.group()) if len(found.group()) <= _MOST_PICTURES else found.group()


def _several(script: Script, author: str, sheets: Sheets) -> Reading:
    """The reading of a post of an account with several characters."""
    losses = sorted(_filled(script, author, sheets).losses, key=_span)
    labels = Labels(lexicon_of(sheets), [character.name for character in sheets.of_player(author)])
    return read_several(script, losses, labels, lambda part: _finished(_filled(part, author, sheets)))


def _filled(script: Script, author: str, sheets: Sheets) -> Reader:
    """All that stands in a script, before Loss Tags and loose links are put in their places."""
    reader = Reader(script, lexicon_of(sheets), lambda: [c.name for c in sheets.of_player(author)])
    found_stats = stats.find_stats(script, reader.lexicon, reader.own())
    if found_stats is not None:
        reader.claim("stats", found_stats.start, found_stats.end, found_stats.block)
    covered = _brackets(reader, script)
    _own_lines(reader, script, covered)
    rolls = script.anchors or reader.bare or reader.doubts
    if rolls and "%" in script.text and not any([claim.kind == "dodge" for claim in reader.claims]):
        _listed_rolls(reader, script)
    for spoiler in script.spoilers:
        _read_spoiler(reader, spoiler, found_stats is not None)
    if ": [" in script.text or ":[" in script.text:
        _leave_incoming(reader)
    _named_once(reader, sheets)
    return reader


def _listed_rolls(reader: Reader, script: Script) -> None:
    """Rolls in a list below their chance, which is then no tag that could not be read."""
    found = roll_list(script)
    if found is None:
        return
    reader.claim("dodge", found.start, found.end, found.dodge)
    taken = [each for each in reader.unread if found.start <= each.span[0] and each.span[1] <= found.end]
    reader.unread = [each for each in reader.unread if each not in taken]
    answers = [doubt for doubt in reader.doubts if doubt.kind == "answer"][: len(taken)]
    reader.doubts = [doubt for doubt in reader.doubts if doubt not in answers]
    reader.bare = [each for each in reader.bare if not found.start <= each[0] < found.end]


def _leave_incoming(reader: Reader) -> None:
    """Tags behind words such as `Incoming:` or `Ren's attack:` are the opponent's, said again, and no claim."""
    text = reader.script.text
    for claim in list(reader.claims):
        start = claim.span[0]
        if claim.kind not in _DEEDS or start < 4 or ":" not in text[start - 2 : start]:
            continue
        line = text[max(text.rfind("\n", 0, start) + 1, start - _LONGEST_LABEL) : start]
        found = _INCOMING.fullmatch(line)
        whose = reader.lexicon.names.exact(found["who"]) if found is not None and found["who"] else None
        if found is not None and (not found["who"] or (whose is not None and whose not in reader.own())):
            reader.claims.remove(claim)
            reader.unread.append(
                Unread(claim.quote, claim.span, "is told of an opponent, so it is nobody's claim here")
            )


def _named_once(reader: Reader, sheets: Sheets) -> None:
    """A Main technique that is named more often than there are damage tags is used as often as those (S19, S20).

    Players name it in the story and once more beside its damage. Of equals the last counts; one that shows its
    cost or target says more.
    """
    used = [(claim, claim.data) for claim in reader.claims if isinstance(claim.data, Ability)]
    if len(used) < 2:
        return
    named: dict[str, list[tuple[bool, bool, int, Claim]]] = {}
    for claim, data in used:
        named.setdefault(data.name, []).append((bool(data.cost), bool(data.target), claim.span[0], claim))
    attacks = max(1, sum([claim.kind == "damage" for claim in reader.claims]))
    for name, rows in named.items():
        if len(rows) > attacks and _strikes(name, sheets):
            for *_, claim in sorted(rows, key=itemgetter(0, 1, 2))[:-attacks]:
                reader.claims.remove(claim)
                reader.unread.append(Unread(claim.quote, claim.span, "is named again in this post and counts once"))


def _strikes(name: str, sheets: Sheets) -> bool:
    """Whether a technique of the tables is an attack of the Main Phase."""
    techniques = sheets.tables.get("techniques")
    row = techniques.get(name) if isinstance(techniques, Mapping) else None
    return isinstance(row, Mapping) and row.get("phase") == "main" and bool(row.get("hits"))


def _brackets(reader: Reader, script: Script) -> list[tuple[int, int]]:
    covered = []
    for tag in tags(script):
        reader.tag(tag)
        covered.append((tag.start, tag.end))
    return covered


def _outside(place: int, covered: list[tuple[int, int]]) -> bool:
    """Whether a place lies in none of the brackets, which are in order."""
    at = bisect_right(covered, (place, len(covered) and covered[-1][1])) - 1
    return at < 0 or not covered[at][0] <= place < covered[at][1]


def _own_lines(reader: Reader, script: Script, covered: list[tuple[int, int]], *, marks: bool = True) -> None:
    """What stands in lines without brackets: headings of phases, Loss Tags, tags without their brackets."""
    place = 0
    plain: list[tuple[int, str]] = []
    for line in script.text.split("\n"):
        first = line[:1]
        lead = None if first in _NO_LEAD or (first.isalpha() and first not in _LINE_FIRSTS) else _LINE_LEAD.match(line)
        if lead is not None:
            if lead["mark"]:
                if marks and (heading := _MARK_LINE.match(line)):
                    _heading(reader, heading, place, covered)
            elif len(line) <= _LONGEST_ROW and _outside(place + lead.end() - 1, covered):
                plain.append((place, line))
        elif (" x" in line or " X" in line or first.isdigit() or "/100 " in line) and (
            row := _other_row(line, place, covered)
        ):
            plain.append(row)
        place += len(line) + 1
    if plain:
        for found in plain_lines(
            script, plain, reader.lexicon, [*reader.claims, *reader.losses], losses_only=not marks
        ):
            if isinstance(found, Claim):
                (reader.losses if found.kind == "loss" else reader.claims).append(found)
            else:
                reader.fail(found.kind, *found.span, found.words)


def _other_row(line: str, place: int, covered: list[tuple[int, int]]) -> tuple[int, str] | None:
    """A line that may hold a tag though it begins with no word of one: what hits and how often, the older answer."""
    if len(line) <= _SHORT_LINE and BLOWS.fullmatch(line.strip()):
        return (place, line) if _outside(place + len(line) // 2, covered) else None
    if "/100 " not in line or len(line) > _LONGEST_ROW:
        return None
    needed = _NEEDED.search(line)
    if needed is None or not _outside(place + needed.start(), covered):
        return None
    return place + needed.start(), line[needed.start() :]


def _heading(reader: Reader, found: re.Match[str], place: int, covered: list[tuple[int, int]]) -> None:
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
        dashed = line_ends and colon and not dressed and found["after"].strip(" :*") in ("-", "--")
        skipped = bool(found["skipped"]) or dashed
        if not line_ends and not skipped:
            skipped = holds_nothing(reader.script.text[place + found.end("after") : reader.script.line_end(start)])
        reader.marks.append(Mark(start, PHASES[squeeze(found["phase"])], skipped, strict, not line_ends))


def _read_spoiler(reader: Reader, spoiler: Script, stats_read: bool) -> None:
    """In a spoiler only stat blocks count, and a Loss Tag where there is none outside (G16)."""
    inside = Reader(spoiler, reader.lexicon, reader.own)
    found = None if stats_read else stats.find_stats(spoiler, reader.lexicon, reader.own())
    if found is not None and not any(claim.kind == "stats" for claim in reader.claims):
        inside.claim("stats", found.start, found.end, found.block)
        reader.claims[:0] = [replace(claim, span=(0, 0)) for claim in inside.claims]  # Its place is in the spoiler.
    if reader.losses or any(doubt.kind == "loss" for doubt in reader.doubts):
        return
    for tag in tags(spoiler):
        inner = losses.unwrapped(tag.inner)
        if losses.LEAD.match(inner) and (loss := losses.read_loss(inner)) is not None:
            inside.claim("loss", tag.start, tag.end, loss)
    _own_lines(inside, spoiler, [], marks=False)
    if inside.losses:
        _name_hidden(reader, spoiler)
    reader.losses += [replace(c, span=(len(reader.script.text),) * 2) for c in _one_loss(inside)]


def _name_hidden(reader: Reader, spoiler: Script) -> None:
    """Say so where tags stand beside a Loss Tag that counts in a spoiler, and none of their kind stand outside."""
    own = {claim.kind for claim in reader.claims}
    hidden = next((claim for claim in claims_in(spoiler, reader.lexicon) if claim.kind not in own), None)
    if hidden is not None:
        reason = "stands in a spoiler, where only stats and a Loss Tag count, so it is nobody's claim"
        reader.unread.append(Unread(hidden.quote, (len(reader.script.text),) * 2, reason, hides=True))


def _one_loss(reader: Reader) -> list[Claim]:
    """The Loss Tag of a script; those before it that are no part of it are listed as unread (X1)."""
    if len(reader.losses) < 2:
        return reader.losses
    # A total of the whole battle may follow the turn's own tag.
    sums = [loss for loss in reader.losses if loss.quote[:5].casefold() == "total"]
    own = [loss for loss in reader.losses if loss not in sums] or sums
    *earlier, counted = _without_repeated(reader, sorted(own, key=_span))
    if own is not sums:
        reader.unread += [
            Unread(s.quote, s.span, "a total beside the Loss Tag, which counts") for s in sums[:MOST_UNREAD]
        ]
    for loss in reversed(earlier):
        assert isinstance(loss.data, LossTag) and isinstance(counted.data, LossTag)
        both = losses.merged(loss.data, counted.data)
        if both is None:
            if len(reader.unread) < MOST_UNREAD:
                reader.unread.append(Unread(loss.quote, loss.span, "a second Loss Tag follows, which counts"))
            continue
        near = 0 <= counted.span[0] - loss.span[1] <= _NEAR
        span = (loss.span[0], counted.span[1]) if near else counted.span
        quote = f"{loss.quote} {counted.quote}"
        counted = replace(counted, quote=quote, span=span, values=values_of(both), data=both)
    return [counted]


def _without_repeated(reader: Reader, found: list[Claim]) -> list[Claim]:
    """Loss Tags without a last one that says again a part of a whole one before it: `[HP: -24]`."""
    *earlier, last = found
    part = last.values
    whole = [loss for loss in earlier if len(loss.values) == len(POOLS) and part.items() < loss.values.items()]
    if not whole:
        return found
    reader.unread.append(Unread(last.quote, last.span, "says a part of the Loss Tag again"))
    return earlier


def _finished(reader: Reader) -> Reading:
    """The reading: of two Loss Tags the last counts, the other is listed as unread (X1)."""
    claims = reader.claims
    if reader.spare and claims and not reader.losses and not any(doubt.kind == "loss" for doubt in reader.doubts):
        reader.losses = reader.spare
    losses = _one_loss(reader)
    if losses:
        reader.doubts = [doubt for doubt in reader.doubts if doubt.kind != "loss"]
    if reader.bare and not any(claim.kind == "dodge" for claim in claims):
        for start, end, inner in reader.bare[:MOST_UNREAD]:
            reader.fail("answer", start, end, inner)
    if len(claims) > 1:
        claims.sort(key=_span)
    if reader.script.anchors:
        ends = [mark.place for mark in reader.marks if mark.phase != RESPONSE]
        claims = linked(reader.script, claims, ends, losses)
    if losses:
        claims = [*claims, *losses]
        if len(claims) > 1 and claims[-2].span > losses[0].span:
            claims.sort(key=_span)
    marks = sorted(reader.marks, key=_place)[:MOST_CLAIMS]
    if not claims and any(mark.strict for mark in marks):
        claims.append(_phase_claim(reader.script, marks))
    unread = sorted(reader.unread, key=lambda found: found.span)[:MOST_UNREAD]
    notes = Notes(tuple(marks), tuple(reader.doubts), reader.script)
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
