"""Reading a post: tags, loose lines, HP lines and sheets into claims (notation ND1 to ND8, ND18 to ND26)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.reading import Line, Tag, lines, tags
from referee.ports.rules import Sheets
from rules.d20_arena.reading_acts import (
    as_die,
    read_action,
    read_help,
    read_levels,
    read_reaction,
    read_save,
    read_strike,
    read_struggle,
)
from rules.d20_arena.reading_late import with_loose_links
from rules.d20_arena.reading_lines import read_line
from rules.d20_arena.reading_sums import Links, read_sum
from rules.d20_arena.reading_values import values_of
from rules.d20_arena.reading_words import TAG, Lexicon, arrow, lexicon
from rules.d20_arena.records import MOVING, STANDING, Announce, Move, Part, Strike, TrapRoll

#: How many tags and lines of one post are read at most; what lies beyond is listed as unread.
MOST_CLAIMS = 400

_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:[ \t]*+", re.IGNORECASE)
_STANDING = re.compile(r"\b(?:stand|stands|standing|stood|stay|stays|staying)\b[ \t]*+(?:still|put)?", re.IGNORECASE)
_MOVING = re.compile(r"\b(?:dodg\w{0,5}|mov\w{0,5}|running|on the move)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|n't|never|stops?|without)\b", re.IGNORECASE)
_STRUGGLE = re.compile(r"[ \t]*+(?:struggl|escap|wriggl|break(?:s|ing)? free|try(?:ing)? to escape)", re.IGNORECASE)
_HELP = re.compile(r"[ \t]*+help(?:s|ing)?[ \t]+", re.IGNORECASE)
_ON = re.compile(r"[ \t]+(?:on|at|against|->|=>|\u2192)[ \t]+|[ \t]*+(?:->|=>|\u2192)[ \t]*+", re.IGNORECASE)
_TRAP_WORDS = re.compile(
    r"\b(?:(?P<safe>safe|avoid\w{0,4}|dodged|clear|not[ ]sprung|nothing|unsprung)|"
    r"(?P<sprung>sprung|hit|caught|trapped|triggered))\b",
    re.I,
)
_COUNT_BEGINS = frozenset("[(tTrRhH")
#: The name of an ability that no table has: words, not `???`.
_WORDS = re.compile(r"[^\W\d_][^\[\](){}\d:;=<>?\n]{0,39}\Z")
_TITLE = re.compile(r"[A-Z][A-Za-z'-]{1,30}(?:[ ](?:of|the|and|no|[A-Z][A-Za-z'-]{0,30})){0,5}\Z")


@dataclass(slots=True)
class _Draft:
    """What has been found so far in one script; `orphans`: a loose line among it has no attack above it."""

    claims: list[Claim]
    unread: list[Unread]
    open_strike: int | None = None
    orphans: bool = False


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post, in order of place; linear in the length of the text."""
    del author
    names = lexicon(sheets)
    draft = _Draft([], [])
    correction = _CORRECTION.match(script.text)
    for piece, mark in _pieces(script):
        if len(draft.claims) + len(draft.unread) >= MOST_CLAIMS:
            draft.unread.append(
                Unread(script.quote(piece.start, piece.end), (piece.start, piece.end), "too much for one post")
            )
            break
        if isinstance(piece, Tag):
            _read_tag(script, piece, mark, names, draft)
        elif not _is_prose(piece.text):
            _read_line(script, piece, names, draft, correction)
    if draft.orphans and correction is None:
        _orphans(draft)
    for spoiler in script.spoilers:
        inner = read(spoiler, "", sheets)
        draft.claims += [claim for claim in inner.claims if claim.kind == "sheet"]
    return Reading(tuple(draft.claims), tuple(draft.unread))


def _pieces(script: Script) -> Iterator[tuple[Tag, re.Match[str] | None] | tuple[Line, None]]:
    """Tags of this system, each with its mark, and the lines outside them, in order of place."""
    if not script.text.strip():
        return
    found = _tags(script)
    index, start, end = 0, -1, -1  # `start` and `end` are those of the tag that was met last
    for line in lines(script):
        while index < len(found) and found[index][0].start < line.end:
            yield found[index]
            start, end = found[index][0].start, found[index][0].end
            index += 1
        if not start <= line.start < end and not line.start <= start < line.end:
            yield line, None
    yield from found[index:]


def _tags(script: Script) -> list[tuple[Tag, re.Match[str] | None]]:
    """The tags of this system; without a mark those that only look like one."""
    found = []
    for tag in tags(script):
        mark = TAG.match(tag.inner) if ":" in tag.inner else None
        if mark is not None or _ability_alone(tag):
            found.append((tag, mark))
    return found


def _is_prose(line: str) -> bool:
    """Whether a line is none of those that are read outside tags: they name what they state."""
    if ":" in line:
        return False
    return line[0] not in _COUNT_BEGINS or not line[:6].casefold().lstrip("[(").startswith(("turn", "round", "hp"))


def _ability_alone(tag: Tag) -> bool:
    """A bracket alone on its line in title case: an ability's name in no form of this system (X3)."""
    return tag.alone and tag.bracket == "[" and tag.closed and _TITLE.match(tag.inner.strip()) is not None


def _read_tag(script: Script, tag: Tag, mark: re.Match[str] | None, names: Lexicon, draft: _Draft) -> None:
    span = (tag.start, tag.end)
    if mark is None:
        draft.unread.append(Unread(script.quote(*span), span, "no form of this system"))
        return
    end = tag.inner_start + len(tag.inner)
    _add(script, mark, tag.inner_start + mark.end(), span, end, names, draft)


def _add(
    script: Script,
    mark: re.Match[str],
    place: int,
    span: tuple[int, int],
    end: int,
    names: Lexicon,
    draft: _Draft,
) -> None:
    """Read the words behind a tag's or line's mark and note the claim, or that it could not be read."""
    # A tag may run over a line break, which is a blank then.
    text = script.text if script.text.find("\n", place, end) < 0 else script.text.replace("\n", " ")
    data = _record(script, text, mark, place, span[0], end, names)
    if data is None:
        draft.unread.append(Unread(script.quote(*span), span, _why(text, place, end, names)))
        return
    if script.anchors:
        data = with_loose_links(script, data, span, end)
    if isinstance(data, Part):
        _attach(script, data, span, draft)
        return
    _claim(script, span, data, draft)
    draft.open_strike = len(draft.claims) - 1 if isinstance(data, Strike) else None


def _claim(script: Script, span: tuple[int, int], data: object, draft: _Draft) -> None:
    kind, values = values_of(data)
    draft.claims.append(Claim(kind, script.quote(*span), span, values, data))


def _why(text: str, place: int, end: int, names: Lexicon) -> str:
    """Why a tag could not be read, as far as that can be told."""
    aim = arrow(text, place, end)
    return "names nobody of this battle" if aim and not names.targets(text, aim.end(), end) else "could not be read"


def _attach(script: Script, part: Part, span: tuple[int, int], draft: _Draft) -> None:
    """Put a loose line to the attack above it (ND2); without one it stands alone, for corrections."""
    if draft.open_strike is None:
        _claim(script, span, part, draft)
        draft.orphans = True
        return
    claim = draft.claims[draft.open_strike]
    strike = joined(claim.data, part)
    where = (claim.span[0], span[1])
    kind, values = values_of(strike)
    draft.claims[draft.open_strike] = Claim(kind, script.quote(*where), where, values, strike)


def joined(strike: object, part: Part) -> object:
    """An attack with what a loose line adds to it or replaces in it."""
    if not isinstance(strike, Strike):
        return strike
    changes = {name: getattr(part, name) for name in ("damage", "binding", "levels", "save") if getattr(part, name)}
    return strike._replace(**changes)


def _orphans(draft: _Draft) -> None:
    """Loose lines without their attack can't be judged: unread (only a correction may hold them)."""
    for claim in [c for c in draft.claims if isinstance(c.data, Part)]:
        draft.claims.remove(claim)
        draft.unread.append(Unread(claim.quote, claim.span, "no hit roll stands above it"))


def _record(
    script: Script, text: str, mark: re.Match[str], place: int, start: int, end: int, names: Lexicon
) -> object | None:
    """The typed record behind a mark such as `Action:`, or None where it can't be read."""
    word, note = mark["word"].casefold(), mark["note"]
    if note and word != "struggle":
        return None
    plain = _WITHOUT_DICE.get(word)
    if plain is not None:
        return plain(text, place, end, names)
    return _with_dice(text, word, note, place, end, Links(script, start, end), names)


def _with_dice(
    text: str, word: str, note: str | None, place: int, end: int, links: Links, names: Lexicon
) -> object | None:
    if word in ("action", "free attack"):
        return read_action(text, place, end, links, names, word == "free attack")
    if word == "struggle":
        return read_struggle(text, place, end, links, names, note)
    if word == "help":
        return read_help(text, place, end, links, names)
    if word == "trap":
        return _trap(text, place, end, links)
    if word == "to hit":
        return read_strike(text, place, end, links)
    return _part(text, word, place, end, links)


def _part(text: str, word: str, place: int, end: int, links: Links) -> Part | None:
    if word == "bind level":
        levels, _ = read_levels(text, place, end)
        return Part(levels=levels) if levels else None
    if word == "save":
        save, _ = read_save(text, place, end, links)
        return Part(save=save) if save else None
    found = read_sum(text, place, end, links)
    if found is None:
        return None
    return Part(binding=as_die(found[0])) if word == "binding" else Part(damage=found[0])


def _announce(words: str, names: Lexicon) -> Announce | None:
    """`Arc Wave on Golem 1 and Golem 2`, `struggle against the bindings`, `help Hana ...`, `Focus` (ND1)."""
    actor, place = names.before_colon(words, 0, len(words)) or (None, 0)
    words = words[place:]
    if _STRUGGLE.match(words):
        return Announce("struggle", actor=actor)
    helped = _HELP.match(words)
    if helped:
        target = names.targets(words, helped.end(), len(words))
        found = names.named(target[0]) if target else None
        return Announce("help", targets=found, actor=actor) if found else None
    plain = words.lstrip()
    known = names.ability(plain, 0, len(plain))
    if known is not None:
        return _announced(names, plain[:known], plain[known:], actor)
    split = _ON.search(words)
    if split:
        return _announced(names, words[: split.start()], words[split.start() :], actor)
    plain = words.strip(" .!")
    return Announce("ability", plain, actor=actor) if _WORDS.match(plain) and len(plain.split()) <= 4 else None


def _announced(names: Lexicon, ability: str, rest: str, actor: str | None) -> Announce | None:
    name = names.ability_name(ability)
    if names.abilities.find(name) is None and not _WORDS.match(name):
        return None
    split = _ON.match(rest)
    if split is None:
        return Announce("ability", name, actor=actor) if not rest.strip(" .!") else None
    target = names.targets(rest, split.end(), len(rest))
    found = names.named(target[0]) if target else None
    return Announce("ability", name, found, actor) if found else None


def _move(words: str) -> Move | None:
    if len(words) > 60 and _NOT.search(words):
        return None
    if _STANDING.search(words):
        return Move(STANDING)
    return Move(MOVING) if _MOVING.search(words) else None


def _trap(text: str, place: int, end: int, links: Links) -> TrapRoll | None:
    found = read_sum(text, place, end, links)
    if found is None:
        return None
    said = _TRAP_WORDS.search(text, found[1], end)
    sprung = None if said is None else bool(said["sprung"])
    return TrapRoll(as_die(found[0]), sprung)


#: What is read behind these words holds no dice, and so no links.
_WITHOUT_DICE: dict[str, Callable[[str, int, int, Lexicon], object | None]] = {
    "announce": lambda text, place, end, names: _announce(text[place:end], names),
    "move": lambda text, place, end, names: _move(text[place:end]),
    "reaction": read_reaction,
}


def _read_line(script: Script, line: Line, names: Lexicon, draft: _Draft, correction: re.Match[str] | None) -> None:
    """A line outside tags: a loose line, an HP line, a sheet, a turn number - or prose."""
    start = line.start
    if correction and script.text[: line.start].strip() == "":
        start = max(start, correction.end())
    mark = TAG.match(script.text, start, line.end)
    if mark:
        claims, unread = len(draft.claims), len(draft.unread)
        # The line's own end, not that of its words: a link may stand behind the last blank.
        end = script.line_end(start)
        _add(script, mark, mark.end(), (start, end), end, names, draft)
        if (
            len(draft.unread) > unread
            and len(draft.claims) == claims
            and not _like_a_tag(script.text[start : line.end])
        ):
            draft.unread.pop()
        return
    for data in read_line(script.text, start, line.end, names):
        if isinstance(data, str):
            draft.unread.append(Unread(script.quote(start, line.end), (start, line.end), data))
        else:
            _claim(script, (start, line.end), data, draft)


def _like_a_tag(words: str) -> bool:
    """Whether an unbracketed line that could not be read holds dice: else it is prose."""
    return re.search(r"\bd20\b|\d{0,2}d\d{1,3}\b", words[:300], re.IGNORECASE) is not None


__all__ = ["Announce", "joined", "read"]
