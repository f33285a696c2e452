"""Reads one revision of a post into claims. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.ornaments import Adornment
from referee.ports.reading import Line, lines
from referee.ports.rules import Sheets
from rules.angel_dolls.lexicon import Lexicon, lexicon_of
from rules.angel_dolls.reading import lines as spoken
from rules.angel_dolls.reading.again import hp_in_usual_form, in_usual_form, may_be_check, may_be_hp
from rules.angel_dolls.reading.lines import Said
from rules.angel_dolls.reading.near import LONGEST_TOLD, REASONS, TELLING, hides_damage, near_kind
from rules.angel_dolls.reading.once import is_worded, told_once
from rules.angel_dolls.reading.plain import (
    is_of_several,
    joined,
    lines_with_rolls,
    pieces_of,
    plain_script,
    sentences_of,
)
from rules.angel_dolls.reading.pools import ENDS_HEADING, SHORTEST_HEADING, heads_rows, read_award, read_hp
from rules.angel_dolls.reading.readers import (
    EVERY,
    OF_NAMES,
    OF_WORDS,
    Place,
    award_claim,
    checks_of,
    claim_of,
    pool_claim,
)
from rules.angel_dolls.reading.sheet import read_sheet_blocks
from rules.angel_dolls.reading.tags import unread_tags, with_next_line
from rules.angel_dolls.reading.values import (
    heading_values,
)
from rules.angel_dolls.statements import (
    Change,
    Check,
    Notes,
)

_START = attrgetter("start")
_DIGIT = re.compile(r"\d")

_NO_SLIPS: Mapping[int, Claim] = {}
#: A longer line is no line of this system.
LONGEST_LINE = 1500

#: Where the words behind a correction begin.
_REMARK = re.compile(r"\s*(?:[,;]|\s-)\s+(?=[A-Za-z'])|(?<=[.!])\s+|\s*\((?=[A-Za-z'])")
_MOST_REMARKS = 6
IN_SPOILER = "stands in a spoiler, so it is nobody's claim"
#: Sheets in a spoiler give HP, which are no line of the battle.
_NO_DEED = frozenset(("hp", "weapon hp", "sheet", "points", "winner", "intent"))
_MOST_SPOILERS = 20
_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:[ \t]*", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\[(]?\s*([a-z]+)\b", re.IGNORECASE)


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """All claims of one revision, in order of place, and the tags that could not be read."""
    words = lexicon_of(sheets)
    whole, script = script, plain_script(script, words)
    judges = not sheets.judges or author.casefold() in sheets.judges
    claims, unread, silent = _of_lines(script, words, judges)
    if script.anchors and judges:
        for line in lines_with_rolls(script, silent):
            unread.append(Unread(script.quote(line.start, line.end)[:400], (line.start, line.end), REASONS["rolls"]))
    claims = told_once(claims)
    if not judges:
        # What the judge alone decides is prose in anybody else's post.
        claims = [claim for claim in claims if not (isinstance(claim.data, Change) or is_worded(claim))]
    if script.anchors:
        claims = [with_next_line(script, claim) if isinstance(claim.data, Check) else claim for claim in claims]
    if author.casefold() not in sheets.judges:
        blocks = read_sheet_blocks(whole)
        claims = sorted([*claims, *blocks], key=lambda claim: claim.span) if blocks else claims
    unread += unread_tags(script, claims, unread, words)
    if script.spoilers and judges:
        unread += _in_spoilers(script, claims, author, sheets)
    return Reading(tuple(claims), tuple(sorted(unread, key=lambda u: u.span)), Notes(_NO_SLIPS, script))


def _of_lines(script: Script, words: Lexicon, judges: bool) -> tuple[list[Claim], list[Unread], list[Line]]:
    """The claims of all lines, what was not read of them, and the lines that gave neither."""
    claims: list[Claim] = []
    unread: list[Unread] = []
    silent: list[Line] = []
    opened = _CORRECTION.match(script.text)
    under = ""
    last: Line | None = None
    alone = False
    adornment = Adornment()
    for line in lines(script):
        if adornment.too_much(line.text):
            unread += _adorned(script, line, judges)
            continue
        corrects = opened is not None and line.start < opened.end() <= line.end
        if opened and corrects:
            line = Line(opened.end(), line.end, script.text[opened.end() : line.end])
        text = line.text
        if judges and (under or len(text) <= SHORTEST_HEADING or text[-1] in ENDS_HEADING):
            under, rows = _below(script, line, words, under)
            if under:
                claims += rows
                continue
        found = _read_pieces_or_line(script, line, words, corrects, judges)
        whole = None if found.claims or not judges else joined(script, last, line, alone)
        again = _read_line(script, whole, words, corrects, judges) if whole else _NOTHING
        if whole and again.claims:
            # What the line above gave counts no more.
            claims = [claim for claim in claims if claim.span[0] < whole.start]
            unread = [one for one in unread if one.span[0] < whole.start]
            silent = [one for one in silent if one.start < whole.start]
            found, line = again, whole
        if text:
            last, alone = line, not found.claims
        claims += found.claims
        if found.near:
            unread.append(Unread(script.quote(line.start, line.end), (line.start, line.end), REASONS[found.near]))
        elif not found.claims:
            silent.append(line)
        else:
            silent += found.silent
    return claims, unread, silent


def _adorned(script: Script, line: Line, judges: bool) -> Iterator[Unread]:
    """A line with too many ornaments is only named, if it may be one of the judge's."""
    if judges and _DIGIT.search(line.text) is not None:
        yield Unread(script.quote(line.start, line.end)[:400], (line.start, line.end), REASONS["check"])


def _read_pieces_or_line(script: Script, line: Line, words: Lexicon, corrects: bool, judges: bool) -> _Found:
    """What a line gives, as one or as several."""
    if not 0 < len(line.text) <= LONGEST_LINE:
        return _NOTHING
    colon = line.text.find(":")
    if corrects or (colon >= 0 and line.text.find(":", colon + 1) >= 0):
        return _read_pieces(script, line, words, corrects, judges)
    found = _read_line(script, line, words, corrects, judges)
    pieces = _read_pieces(script, line, words, corrects, judges) if is_of_several(line.text) else found
    return pieces if len(pieces.claims) > len(found.claims) else found


class _Found(NamedTuple):
    """What a line gave: its claims, or what it may be about although no reader took it (`near_kind`).

    `silent`: the pieces of it that gave nothing.
    """

    claims: Sequence[Claim] = ()
    near: str | None = None
    silent: Sequence[Line] = ()


_NOTHING = _Found()


def _below(script: Script, line: Line, words: Lexicon, under: str) -> tuple[str, list[Claim]]:
    """Rows below a heading that stands alone: `HP:`, then `Riget 139` and so on. What they stand under, their claims.

    A heading itself is no line of the system.
    """
    heads = heads_rows(line.text)
    if heads or not under:
        return heads, []
    said = Said(line.text, words, words.named(line.text))
    place = Place(script, line, said, line.start)
    if under == "points":
        award = read_award(said, labelled=True)
        return (under, [award_claim(place, award)]) if award else ("", [])
    pools = read_hp(said, labelled=under == "hp") if said.who is not None else None
    return (under, [pool_claim(place, pool) for pool in pools]) if pools else ("", [])


def _read_pieces(script: Script, line: Line, words: Lexicon, corrects: bool, judges: bool) -> _Found:
    """What a line of several pieces gives, or one with words behind a correction."""
    pieces = [*pieces_of(line)]
    every = [_read_line(script, piece, words, corrects, judges) for piece in pieces]
    claims = [claim for found in every for claim in found.claims]
    near = next((found.near for found in every if found.near), None)
    silent = [piece for piece, found in zip(pieces, every, strict=True) if not found.claims]
    if corrects and not claims:
        claims += _corrected(script, line, words, judges)
        near = None if claims else near
    return _Found(claims, near, silent)


def _corrected(script: Script, line: Line, words: Lexicon, judges: bool) -> Sequence[Claim]:
    """The line of a correction without the words behind it: `Edit: HP: Riget 150 -> 139, I took 21 off, sorry`."""
    for border in [*_REMARK.finditer(line.text)][:_MOST_REMARKS][::-1]:
        end = border.start()
        found = _read_line(script, Line(line.start, line.start + end, line.text[:end]), words, True, judges)
        if found.claims:
            return found.claims
    return ()


def _in_spoilers(script: Script, claims: Sequence[Claim], author: str, sheets: Sheets) -> Iterator[Unread]:
    """Say so where a spoiler holds rolls or deeds of a kind that the post does not have outside of it (G16)."""
    own = {claim.kind for claim in claims}
    hp: Unread | None = None
    for spoiler in script.spoilers[:_MOST_SPOILERS]:
        inner = read(spoiler, author, sheets)
        missing = next((claim for claim in inner.claims if claim.kind not in own and claim.kind not in _NO_DEED), None)
        if missing is not None:
            yield Unread(missing.quote, reason=IN_SPOILER, hides=True)
            return
        if hp is None and own and "hp" not in own:
            hp = next((Unread(c.quote, reason=REASONS["aside"]) for c in inner.claims if c.kind == "hp"), None)
    if hp is not None:
        yield hp


def _read_line(script: Script, line: Line, words: Lexicon, corrects: bool, judges: bool) -> _Found:
    """What one line gives; a line that is nearly a check is looked at once more."""
    found = _read_as_it_is(script, line, words, corrects, judges)
    if found.claims or not judges:
        return found._replace(near="check") if judges and hides_damage(found.claims, line.text) else found
    head = spoken.read_heading_again(Said(line.text, words)) if spoken.may_head(line.text, words) else None
    if head is not None:
        place = Place(script, line, Said(line.text, words), line.start)
        return _Found([claim_of(place, "attack", head, heading_values(head))])
    if found.near in ("state", "points"):
        told = [_read_as_it_is(script, sentence, words, corrects, judges) for sentence in sentences_of(line)]
        claims = [claim for one in told for claim in one.claims]
        if claims and not any(one.near for one in told):
            return _Found(claims)
    if may_be_hp(line.text):
        pools = _pools_again(script, line, words)
        if pools:
            return _Found(pools)
    if not may_be_check(line.text):
        return found
    usual = in_usual_form(line.text, words.ends_with_name_at)
    place = Place(script, line, Said(usual, words, words.named(usual)), line.start)
    checks = checks_of(place)
    return _Found(checks) if checks else found


def _pools_again(script: Script, line: Line, words: Lexicon) -> list[Claim]:
    """HP in another form, if something shows that they are HP."""
    usual = hp_in_usual_form(line.text)
    if usual == line.text:
        return []
    said = Said(usual, words, words.named(usual))
    pools = read_hp(said) or []
    place = Place(script, line, said, line.start)
    return [] if any(pool.bare for pool in pools) else [pool_claim(place, pool) for pool in pools]


def _read_as_it_is(script: Script, line: Line, words: Lexicon, corrects: bool, judges: bool) -> _Found:
    """What one line gives.

    Only lines that begin with a word of the system or the name of a doll or thing are read, and the line that
    a correction begins with (`corrects`). Where the author `judges`, what else looks like a line of the system
    is told from prose.
    """
    met = _FIRST_WORD.match(line.text)
    word = met[1].casefold() if met else ""
    readers = OF_WORDS.get(word, ())
    may_name = not word or word in words.firsts or line.text[0] in words.firsts
    if not (readers or may_name or corrects):
        return _told(line, words) if judges else _NOTHING
    text, begin = line.text, line.start
    if text[0] in "[(" and text[-1] in "])" and not text.lower().startswith("[attack"):
        text, begin = text[1:-1], begin + 1
    said = Said(text, words, words.named(text) if may_name else None)
    named = said.who is not None or (may_name and words.begins_with_thing(text))
    if corrects or (readers and named):
        readers = EVERY
    elif named:
        readers = OF_NAMES
    place = Place(script, line, said, begin)
    for reader in readers:
        found = reader(place)
        if found:
            return _Found(found)
    if not judges:
        return _NOTHING
    return _Found(near=near_kind(text, words, said.who)) if readers else _told(line, words)


def _told(line: Line, words: Lexicon) -> _Found:
    """What a line of prose may be about."""
    folded = line.text.casefold() if len(line.text) <= LONGEST_TOLD else ""
    if not any([sign in folded for sign in TELLING]):
        return _NOTHING
    return _Found(near=near_kind(line.text, words, None))
