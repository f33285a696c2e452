"""Reading a post: tags, loose lines, HP lines and sheets into claims (notation ND1 to ND8, ND18 to ND26).

What looks like a tag but can't be read is listed as unread, with a topic: the word of the notation
for what it may hold, which tells the replay what to leave open (G19, X8).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.reading import Line, lines
from referee.ports.rules import Sheets
from rules.d20_arena.reading_acts import read_action, read_reaction, read_strike
from rules.d20_arena.reading_escapes import as_die, read_help, read_levels, read_save, read_struggle
from rules.d20_arena.reading_forms import BARE_MOVE, Found, led_by_name, reacts, tags_of
from rules.d20_arena.reading_heads import (
    Head,
    boxed_head,
    has_change,
    has_dice,
    has_roll,
    head_of,
    names_ability,
    spelt_head,
    understood,
)
from rules.d20_arena.reading_late import with_loose_links
from rules.d20_arena.reading_lines import hit_points, read_line
from rules.d20_arena.reading_links import Links, rolled_within, rolls_of, with_rolls_as_sums
from rules.d20_arena.reading_prose import OPENS, is_prose, is_sentence, names_reaction, stance_line
from rules.d20_arena.reading_sums import read_sum
from rules.d20_arena.reading_turn import read_announce, read_move, read_trap
from rules.d20_arena.reading_values import values_of
from rules.d20_arena.reading_words import TAG, Lexicon, arrow, lexicon
from rules.d20_arena.records import Announce, HitPoints, Mend, Move, Part, Strike, TrapRoll, Use

#: How many tags and lines of one post are read at most; what lies beyond is listed as unread.
MOST_CLAIMS = 400

_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:[ \t]*+", re.IGNORECASE)
#: A struggle or a help inside an Action tag: `[Action: struggle (legs): 1d20 = 13, level 3 -> 2]`.
_NESTED = frozenset(("struggle", "help"))
_NESTED_FIRST = frozenset(("str", "esc", "hel", "ass"))
#: Behind these words, unread, loose lines below belong to nothing that was read.
_STRIKES = frozenset(("action", "free attack", "to hit"))

Span = tuple[int, int]


class Topics(NamedTuple):
    """What each unread tag or line of a post may hold, by its span."""

    rows: tuple[tuple[Span, str], ...] = ()

    def of(self, unread: Unread) -> str:
        """The topic of an unread tag: a word of the notation, `hp`, `any`, or nothing."""
        topic = "any" if unread.hides else dict(self.rows).get(unread.span, "")
        return "move" if topic == BARE_MOVE else topic


@dataclass(slots=True)
class _Draft:
    """What has been found so far in one script; `orphans`: a loose line among it has no attack above it.

    `spelt_moves`: stances in another spelling, which count only without a Move tag proper (`exact_move`).
    `rolls`: the places of the in-post rolls of the board.
    """

    claims: list[Claim]
    unread: list[Unread]
    topics: list[tuple[Span, str]] = field(default_factory=list)
    open_strike: int | None = None
    orphans: bool = False
    spelt_moves: list[Claim] = field(default_factory=list)
    exact_move: bool = False
    rolls: tuple[int, ...] = ()

    def note(self, script: Script, span: Span, reason: str, topic: str) -> None:
        """List a tag or line that could not be read."""
        self.unread.append(Unread(script.quote(*span), span, reason))
        self.topics.append((span, topic))
        if topic in _STRIKES:
            self.open_strike = None


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post, in order of place; linear in the length of the text."""
    del author
    script = with_rolls_as_sums(script)
    names = lexicon(sheets)
    draft = _Draft([], [], rolls=rolls_of(script))
    correction = _CORRECTION.match(script.text)
    for piece in _pieces(script, names, draft.rolls):
        if len(draft.claims) + len(draft.unread) >= MOST_CLAIMS:
            start, end = (piece.tag.start, piece.tag.end) if isinstance(piece, Found) else (piece.start, piece.end)
            draft.note(script, (start, end), "too much for one post", "any")
            break
        if isinstance(piece, Found):
            _read_tag(script, piece, names, draft)
        elif not is_prose(piece, draft.rolls):
            _read_line(script, piece, names, draft, correction)
    if draft.orphans and correction is None:
        _orphans(draft)
    if draft.exact_move:
        _drop_spelt_moves(draft)
    for spoiler in script.spoilers:
        inner = read(spoiler, "", sheets)
        draft.claims += [claim for claim in inner.claims if claim.kind == "sheet"]
    return Reading(tuple(draft.claims), tuple(draft.unread), Topics(tuple(draft.topics)) if draft.topics else None)


def _drop_spelt_moves(draft: _Draft) -> None:
    """A Move tag proper stands above every other spelling of a stance, read or not."""
    draft.claims = [claim for claim in draft.claims if not any(claim is spelt for spelt in draft.spelt_moves)]
    bare = {span for span, topic in draft.topics if topic == BARE_MOVE}
    draft.unread = [unread for unread in draft.unread if unread.span not in bare]


def _pieces(script: Script, names: Lexicon, rolls: tuple[int, ...]) -> Iterator[Found | Line]:
    """Tags of this system and the lines outside them, in order of place; of a line with a tag what follows it."""
    if not script.text.strip():
        return
    found = tags_of(script, names, rolls)
    index, start, end = 0, -1, -1  # `start` and `end` are those of the tag that was met last
    for line in lines(script):
        while index < len(found) and found[index].tag.start < line.end:
            yield found[index]
            start, end = found[index].tag.start, found[index].tag.end
            index += 1
        if not start <= line.start < end and not line.start <= start < line.end:
            yield line
        elif end < line.end and "/" in script.text[end : line.end]:
            yield from _rest(script, end, line.end, names)
    yield from found[index:]


def _rest(script: Script, start: int, end: int, names: Lexicon) -> Iterator[Line]:
    """HP statements behind the last tag of a line: `[Action: ...] Golem 1: 10/20 HP`."""
    words = script.text[start:end]
    plain = words.lstrip(" \t.,;-")
    if len(plain) <= 200 and hit_points(plain.rstrip(), names):
        yield Line(end - len(plain), end, plain.rstrip())


def _read_tag(script: Script, found: Found, names: Lexicon, draft: _Draft) -> None:
    tag, head = found.tag, found.head
    span = (tag.start, tag.end)
    for stated in found.hp:
        _claim(script, span, stated, draft)
    if head is not None:
        _add(script, head, span, tag.inner_start + len(tag.inner), names, draft)
    elif not found.hp:
        draft.note(script, span, "no form of this system", found.topic)


def _add(script: Script, head: Head, span: Span, end: int, names: Lexicon, draft: _Draft) -> None:
    """Read the words behind a tag's or line's head and note the claim, or that it could not be read."""
    place = head.place
    # A tag may run over a line break, which is a blank then.
    text = script.text if script.text.find("\n", place, end) < 0 else script.text.replace("\n", " ")
    data = _record(script, text, head, span[0], end, names)
    if head.word == "move" and head.exact:
        draft.exact_move = True
    if data is None:
        draft.note(script, span, _why(text, place, end, names), _topic(text, head, span[0], end, names))
        return
    if script.anchors:
        data = with_loose_links(script, data, span, end)
    if isinstance(data, Part):
        _attach(script, data, span, draft)
        return
    _claim(script, span, data, draft)
    if isinstance(data, Move) and not head.exact:
        draft.spelt_moves.append(draft.claims[-1])
    draft.open_strike = len(draft.claims) - 1 if isinstance(data, Strike) else None
    if text.find("/", place, end) >= 0 and isinstance(data, Strike | Mend | TrapRoll):
        _hp_within(script, text, place, end, names, draft)


def _topic(text: str, head: Head, start: int, end: int, names: Lexicon) -> str:
    """What an unread tag leaves open; nothing if it is in round brackets, as prose is, and holds no roll."""
    words = text[head.place : end]
    loose = text[start] == "(" and head.word not in ("move", "announce") and not has_roll(words)
    return "" if loose and not names_ability(words, names) and not names.aims(words) else head.word


def _hp_within(script: Script, text: str, place: int, end: int, names: Lexicon, draft: _Draft) -> None:
    """HP that are written at the end of a tag: `...; damage 2d6+3 = 11; Golem 1: 10/20 HP]`."""
    for sign in ";,":
        start = text.rfind(sign, place, end) + 1
        stated = hit_points(text[start:end].strip(), names) if start else ()
        if stated:
            for hp in stated:
                _claim(script, (start, end), hp, draft)
            return


def _claim(script: Script, span: Span, data: object, draft: _Draft) -> None:
    kind, values = values_of(data)
    draft.claims.append(Claim(kind, script.quote(*span), span, values, data))


def _why(text: str, place: int, end: int, names: Lexicon) -> str:
    """Why a tag could not be read, as far as that can be told."""
    aim = arrow(text, place, end)
    return "names nobody of this battle" if aim and not names.targets(text, aim.end(), end) else "could not be read"


def _attach(script: Script, part: Part, span: Span, draft: _Draft) -> None:
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
        draft.topics.append(
            (claim.span, "damage" if isinstance(claim.data, Part) and claim.data.damage else "bind level")
        )


def _record(script: Script, text: str, head: Head, start: int, end: int, names: Lexicon) -> object | None:
    """The typed record behind a head such as `Action:`, or None where it can't be read."""
    if head.note and head.word != "struggle":
        return None
    plain = _WITHOUT_DICE.get(head.word)
    if plain is not None:
        return plain(text, head, end, names)
    if head.word == "action" and text[head.place : head.place + 3].casefold() in _NESTED_FIRST:
        inner = spelt_head(text, head.place, end, names)
        if inner is not None and inner.word in _NESTED:
            head = understood(inner._replace(actor=inner.actor or head.actor), names)
    return _with_dice(text, head, end, Links(script, start, end), names)


def _with_dice(text: str, head: Head, end: int, links: Links, names: Lexicon) -> object | None:
    word, place = head.word, head.place
    if word in ("action", "free attack"):
        return read_action(text, place, end, links, names, word == "free attack", head.actor)
    if word == "struggle":
        return read_struggle(text, place, end, links, names, head.note, head.actor)
    if word == "help":
        return read_help(text, place, end, links, names, head.actor)
    if word == "trap":
        return read_trap(text, place, end, links) if head.actor is None else None
    if word == "to hit":
        return read_strike(text, place, end, links, head.actor)
    return _part(text, word, place, end, links)


def _part(text: str, word: str, place: int, end: int, links: Links) -> Part | None:
    if word == "heal":
        return None
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


def _announce(text: str, head: Head, end: int, names: Lexicon) -> Announce | None:
    said = read_announce(text[head.place : end], names)
    if said is None:
        return None
    if not head.exact and said.what == "ability" and names.abilities.find(said.ability or "") is None:
        return None
    return said if head.actor is None or said.actor else said._replace(actor=head.actor)


#: What is read behind these words holds no dice, and so no links.
_WITHOUT_DICE: dict[str, Callable[[str, Head, int, Lexicon], object | None]] = {
    "announce": _announce,
    "move": lambda text, head, end, names: read_move(text[head.place : end], names, head.exact),
    "reaction": lambda text, head, end, names: read_reaction(text, head.place, end, names, head.actor),
}


def _read_line(script: Script, line: Line, names: Lexicon, draft: _Draft, correction: re.Match[str] | None) -> None:
    """A line outside tags: a loose line, an HP line, a sheet, a turn number - or prose."""
    start = line.start
    if correction and script.text[: line.start].strip() == "":
        start = max(start, correction.end())
    words = script.text[start : line.end]
    if not words.strip():
        return  # the label of a correction on a line of its own
    mark = TAG.match(script.text, start, line.end)
    rolls = bool(draft.rolls) and rolled_within(draft.rolls, start, line.end)
    if mark is not None:
        head = understood(head_of(mark), names)
        if is_sentence(head, script.text[head.place : line.end], names):
            return
        # The line's own end, not that of its words: a link may stand behind the last blank.
        end = script.line_end(start)
        unread = len(draft.unread)
        _add(script, head, (start, end), end, names, draft)
        behind = script.text[head.place : line.end]
        if len(draft.unread) > unread and not (rolls or has_roll(words) or names_reaction(head, behind, names)):
            # Without any roll it is prose.
            draft.unread.pop()
            draft.topics.pop()
        return
    boxed = boxed_head(script.text, start, line.end, rolls, names) if words[:1] in OPENS else None
    if boxed is not None:
        end = script.line_end(start)
        _add(script, boxed, (start, end), end, names, draft)
        return
    if ("=" in words or rolls) and _read_roll(script, start, line.end, rolls, names, draft):
        return
    stance = stance_line(script.text, start, line.end, names) if words[0] in "mMsS" else None
    if stance is not None:
        _claim(script, (start, line.end), stance, draft)
        draft.spelt_moves.append(draft.claims[-1])
        return
    for data in read_line(script.text, start, line.end, names):
        if isinstance(data, str):
            draft.note(script, (start, line.end), data, "hp")
        else:
            _claim(script, (start, line.end), data, draft)


def _read_roll(script: Script, start: int, end: int, rolls: bool, names: Lexicon, draft: _Draft) -> bool:
    """A line with dice in another spelling than the notation's; gives whether it is one."""
    words = script.text[start:end]
    reaction = reacts(words, names)
    if not rolls and not reaction and not has_dice(words):
        return False
    head = spelt_head(script.text, start, end, names) or led_by_name(script.text, start, end, names)
    if head is not None:
        end = script.line_end(start)
        _add(script, understood(head, names), (start, end), end, names, draft)
        return True
    if reaction or has_change(words):
        draft.note(script, (start, end), "no form of this system", "reaction" if reaction else "action")
        return True
    return False


__all__ = ["Announce", "HitPoints", "Topics", "Use", "joined", "read"]
