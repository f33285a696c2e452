"""Reading a post: tags, loose lines, HP lines and sheets into claims (notation ND1 to ND8, ND18 to ND26).

What looks like a tag but can't be read is listed as unread, with a topic: the word of the notation
for what it may hold, which tells the replay what to leave open (G19, X8).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.model.claims import Reading, Unread
from referee.model.text import Script
from referee.ports.reading import Line, lines
from referee.ports.rules import Sheets
from rules.d20_arena.reading.aim import aim_of, mended, struck
from rules.d20_arena.reading.draft import Draft, Span, Topics
from rules.d20_arena.reading.each import each_target
from rules.d20_arena.reading.forms import BARE_MOVE, Found, led_by_name, reacts, tags_of
from rules.d20_arena.reading.heads import (
    Head,
    boxed_head,
    has_change,
    has_dice,
    has_roll,
    head_of,
    names_ability,
    shows_dice,
    spelt_head,
    understood,
)
from rules.d20_arena.reading.hidden import ENTERS, SIGNS, hidden_acts, hidden_hp, rolls_unread, unboxed, without_entry
from rules.d20_arena.reading.late import with_loose_links
from rules.d20_arena.reading.left import hp_left, may_leave
from rules.d20_arena.reading.levels import level_line, may_be_levels
from rules.d20_arena.reading.lines import below_name, hit_points, name_above, read_line
from rules.d20_arena.reading.links import rolled_within, rolls_of, with_rolls_as_sums
from rules.d20_arena.reading.parts import attach, joined, list_orphans, open_escape
from rules.d20_arena.reading.prose import (
    OPENS,
    PHASES,
    announced_line,
    is_prose,
    is_sentence,
    names_reaction,
    stance_line,
)
from rules.d20_arena.reading.record import record_of
from rules.d20_arena.reading.tables import columns_of
from rules.d20_arena.reading.tail import Tail, tail_of, whose
from rules.d20_arena.records import Announce, Escape, HitPoints, Mend, Move, Part, SheetLine, Strike, Use
from rules.d20_arena.words import PHASE_BEGINS, TAG, Lexicon, arrow, lexicon, phased_tag

#: How many tags and lines of one post are read at most; what lies beyond is listed as unread.
MOST_CLAIMS = 400

_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:[ \t]*+", re.IGNORECASE)

#: What stands beside tags on their line is looked at for HP up to this length, without what parts it from them.
_MOST_BESIDE = 220
_PARTS = " \t.,;:|*\u2022\u2013\u2014-"
_COUNT_FIRST = re.compile(r"[ \t*-]*+(?:turn|round)[ ]#?\d{1,4}\b", re.IGNORECASE)
_COUNT_LAST = re.compile(r"\b(?:turn|round)[ ]#?\d{1,4}[ \t.,;:|*-]*+\Z", re.IGNORECASE)
_DIGITS = frozenset("0123456789")
#: Records that ability and target of a tag above may belong to, and those that tell whom they aim at.
_ROLLED = (Strike, Mend)
_STRIKES = ("action", "free attack")
_AIMED = (Strike, Mend, Use, Announce)
_AIMS = (Announce, Use)
#: What loose lines below may go with.
_AIMING = frozenset(("announce", "action", "free attack", "help", "struggle"))


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post, in order of place; linear in the length of the text."""
    script = unboxed(with_rolls_as_sums(script))
    names = lexicon(sheets)
    draft = Draft([], [], rolls=rolls_of(script), author=author)
    correction = _CORRECTION.match(script.text)
    for piece in _pieces(script, names, draft.rolls):
        if draft.seen >= MOST_CLAIMS:
            start, end = (piece.tag.start, piece.tag.end) if isinstance(piece, Found) else (piece.start, piece.end)
            draft.note(script, (start, end), "too much for one post", "any")
            break
        if type(piece) is Found:
            _read_tag(script, piece, names, draft)
        elif type(piece) is Line:
            seen = draft.seen
            if not is_prose(piece, draft.rolls) or (draft.open_strike is not None and may_be_levels(piece.text)):
                _read_line(script, piece, names, draft, correction)
            if seen == draft.seen and may_leave(piece.text) and (told := hp_left(piece.text, names)) is not None:
                draft.claim(script, (piece.start, piece.end), told)
            if script.anchors and seen == draft.seen and rolls_unread(script, piece.start, piece.end):
                start = script.text.rfind("\n", 0, piece.start) + 1
                draft.note(script, (start, piece.end), "no form of this system", "action")
    if draft.orphans and correction is None:
        list_orphans(draft, names.of(author))
    if draft.exact_move:
        _drop_spelt_moves(draft)
    if script.spoilers:
        _read_spoilers(script, author, sheets, draft)
    return Reading(tuple(draft.claims), tuple(draft.unread), Topics(tuple(draft.topics)) if draft.topics else None)


def _read_spoilers(script: Script, author: str, sheets: Sheets, draft: Draft) -> None:
    """Sheets in spoilers count; actions there are no claims, but are named where the post has no others (G16).

    HP stand behind all that happens in the post, as in a state table.
    """
    inner = [claim for spoiler in script.spoilers for claim in read(spoiler, author, sheets).claims]
    for claim in hidden_acts(draft.claims, inner):
        # At the post's beginning: what it states outside may rest on it.
        draft.unread.append(Unread(claim.quote, (0, 0), "a spoiler's tags are no claims"))
        draft.topics.append(((0, 0), "any"))
    draft.claims += [claim for claim in inner if claim.kind == "sheet"]
    draft.claims += hidden_hp(inner)


def _drop_spelt_moves(draft: Draft) -> None:
    """A Move tag proper stands above every other spelling of a stance, read or not."""
    draft.claims = [claim for claim in draft.claims if not any(claim is spelt for spelt in draft.spelt_moves)]
    bare = {span for span, topic in draft.topics if topic == BARE_MOVE}
    draft.unread = [unread for unread in draft.unread if unread.span not in bare]


def _pieces(script: Script, names: Lexicon, rolls: tuple[int, ...]) -> Iterator[Found | Line]:
    """Tags of this system and the lines outside them, in order of place; of a line with a tag what follows it."""
    if not script.text.strip():
        return
    found = tags_of(script, names, rolls)
    index, end = 0, -1  # `end` is that of the tag that was met last
    for line in lines(script):
        tagged, place = line.start < end, max(line.start, end)
        while index < len(found) and found[index].tag.start < line.end:
            tag = found[index].tag
            yield from _beside(script, place, tag.start, names)
            yield found[index]
            tagged = tagged or line.start <= tag.start or line.start < tag.end
            index, place, end = index + 1, tag.end, tag.end
        if tagged:
            yield from _beside(script, place, line.end, names)
        else:
            yield without_entry(line) if line.text[0] in ENTERS or line.text[0] > SIGNS else line
    yield from found[index:]


def _beside(script: Script, start: int, end: int, names: Lexicon) -> Iterator[Line]:
    """HP statements beside the tags of a line: `HP: 31/40 [Announce: ...] [Action: ...] Golem 1: 10/20 HP`."""
    if end - start > _MOST_BESIDE or "/" not in script.text[start:end]:
        return
    words = script.text[start:end]
    before, behind = _COUNT_FIRST.match(words), _COUNT_LAST.search(words)
    stated = words[before.end() if before else 0 : behind.start() if behind else None]
    plain = stated.strip(_PARTS)
    # `..., or so they say. Golem 1: 10/20 HP`: behind a sentence only HP with their name and word.
    last = plain.rpartition(". ")[2].strip(_PARTS)
    for one in (plain, last):
        found = hit_points(one, names) if one else ()
        if found and (one is plain or all(hp.name and not hp.bare for hp in found)):
            place = script.text.rindex(one, start, end)
            yield Line(place, place + len(one), one)
            return


def _read_tag(script: Script, found: Found, names: Lexicon, draft: Draft) -> None:
    tag, head = found.tag, found.head
    span = (tag.start, tag.end)
    for stated in found.hp:
        draft.claim(script, span, stated)
    if head is not None:
        _add(script, head, span, tag.inner_start + len(tag.inner), names, draft)
    elif not found.hp:
        draft.note(script, span, "no form of this system", found.topic)


def _add(script: Script, head: Head, span: Span, end: int, names: Lexicon, draft: Draft) -> None:
    """Read the words behind a tag's or line's head and note the claim, or that it could not be read."""
    place = head.place
    # A tag may run over a line break, which is a blank then.
    text = script.text if script.text.find("\n", place, end) < 0 else script.text.replace("\n", " ")
    tail = tail_of(text, place, end, names)
    data = record_of(script, text, head, span[0], tail.end if tail else end, names)
    if data is None and tail is not None:
        tail, data = None, record_of(script, text, head, span[0], end, names)
    if head.word == "move" and head.exact:
        draft.exact_move = True
    if data is not None:
        _claim(script, head, span, end, (data, tail), names, draft)
        return
    several = each_target(script, text, head, span, end, names) if head.word in _STRIKES else []
    for row, (own, strike, behind) in enumerate(several):
        stop = end if row + 1 == len(several) else own[1]
        _claim(script, head, own, stop, (strike, behind), names, draft)
    if not several:
        draft.note(script, span, _why(text, place, end, names), _topic(text, head, span[0], end, names))


def _claim(
    script: Script, head: Head, span: Span, end: int, read: tuple[object, Tail | None], names: Lexicon, draft: Draft
) -> None:
    """Note what was read behind a head, and the HP with which it ends."""
    data, tail = read
    if script.anchors:
        data = with_loose_links(script, data, span, end)
    if isinstance(data, Part):
        attach(script, data, span, draft)
        return
    if isinstance(data, _ROLLED):
        data = _aimed(data, names, draft)
        if data is None:
            draft.note(script, span, "who heals whom is not clear", "heal")
            return
    draft.claim(script, span, data)
    if head.word in _AIMING:
        draft.aim = None
        if isinstance(data, _AIMS):
            draft.aim, draft.aim_at = aim_of(data, names), len(draft.claims) - 1
    if isinstance(data, Move) and not head.exact:
        draft.spelt_moves.append(draft.claims[-1])
    draft.open_strike = len(draft.claims) - 1 if isinstance(data, Strike) or open_escape(data) else None
    if tail is not None:
        _hp_within(script, tail, end, data, names, draft)


def _aimed(data: Strike | Mend, names: Lexicon, draft: Draft) -> Strike | Mend | None:
    """A loose line with ability and target of the tag above it; None for healing that nothing tells of.

    A tag without dice is the same action as the one that has them: its rolls replace it.
    """
    aim = draft.aim
    found: Strike | Mend | None
    if data.ability and data.targets:
        found = data if aim is not None and (aim.ability, aim.use) == (data.ability, True) else None
    elif isinstance(data, Strike):
        if data.ability is None and data.actor and data.actor not in names.of(draft.author):
            # In loose lines of somebody else a name is whom they are about: `To hit (Golem 1): ...`.
            data = data._replace(actor=None, targets=(data.actor,))
        found = struck(data, aim, names)
    else:
        found = mended(data, aim, names)
    if found is None or aim is None:
        return data if isinstance(data, Strike) or data.ability else None
    if aim.use and not aim.taken and (found.actor, set(found.targets) <= set(aim.targets)) == (aim.actor, True):
        draft.claims.pop(draft.aim_at)
    draft.aim = aim._replace(taken=aim.taken + 1)
    return found


def _topic(text: str, head: Head, start: int, end: int, names: Lexicon) -> str:
    """What an unread tag leaves open; nothing if it is in round brackets, as prose is, and holds no roll."""
    words = text[head.place : end]
    loose = text[start] == "(" and head.word not in ("move", "announce") and not has_roll(words)
    return "" if loose and not names_ability(words, names) and not names.aims(words) else head.word


def _hp_within(script: Script, tail: Tail, end: int, data: object, names: Lexicon, draft: Draft) -> None:
    """HP that are written at the end of a tag: `...; damage 2d6+3 = 11; Golem 1: 10/20 HP]`."""
    concerned = data.targets if isinstance(data, _AIMED) else ()
    if isinstance(data, Escape) and data.helped is not None:
        concerned = (data.helped,)
    for stated in tail.stated:
        hp = whose(stated, concerned, names.of(draft.author), names)
        if hp is not None:
            draft.claim(script, (tail.start, end), hp)
        elif not stated.bare:
            draft.note(script, (tail.start, end), "whose HP these are can't be told", "hp")


def _why(text: str, place: int, end: int, names: Lexicon) -> str:
    """Why a tag could not be read, as far as that can be told."""
    aim = arrow(text, place, end)
    return "names nobody of this battle" if aim and not names.targets(text, aim.end(), end) else "could not be read"


def _read_line(script: Script, line: Line, names: Lexicon, draft: Draft, correction: re.Match[str] | None) -> None:
    """A line outside tags: a loose line, an HP line, a sheet, a turn number - or prose."""
    start = line.start
    if correction and script.text[: line.start].strip() == "":
        start = max(start, correction.end())
    words = script.text[start : line.end]
    if not words.strip():
        return  # the label of a correction on a line of its own
    mark = TAG.match(script.text, start, line.end)
    if mark is None and words[0] in PHASE_BEGINS:
        mark = phased_tag(script.text, start, line.end)
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
            draft.seen -= 1
        return
    boxed = boxed_head(script.text, start, line.end, rolls, names) if words[:1] in OPENS else None
    if boxed is not None:
        end = script.line_end(start)
        _add(script, boxed, (start, end), end, names, draft)
        return
    if ("=" in words or rolls or shows_dice(words)) and _read_roll(script, start, line.end, rolls, names, draft):
        return
    if draft.open_strike is not None and may_be_levels(words) and _read_levels(script, (start, line.end), names, draft):
        return
    if words[:4].casefold() in PHASES and _read_phase(script, (start, line.end), names, draft):
        return
    _read_statement(script, (start, line.end), words, names, draft)


def _read_statement(script: Script, span: Span, words: str, names: Lexicon, draft: Draft) -> None:
    """HP, a sheet, a turn number, a row of a table."""
    if "|" in words:
        draft.columns = columns_of(words) or draft.columns
    found = read_line(words, names, draft.columns)
    if not found:
        if words[0] not in _DIGITS:
            return
        found = below_name(script.text, *span, names)
    for data in found:
        if type(data) is HitPoints and data.name is None:
            # `HP: 13/20` in a block of stats is the fighter's whose name stands above.
            name = name_above(script.text, span[0], names, data.most)
            data = data if name is None else data._replace(name=name)
        elif type(data) is SheetLine and data.name is None:
            data = data._replace(name=name_above(script.text, span[0], names, dict(data.stats).get("HP")))
        if isinstance(data, str):
            draft.note(script, span, data, "hp")
        else:
            draft.claim(script, span, data)


def _read_levels(script: Script, span: Span, names: Lexicon, draft: Draft) -> bool:
    """A line with the levels of whom the attack above it hit, in another spelling than the notation's."""
    above = draft.claims[draft.open_strike].data if draft.open_strike is not None else None
    waits = open_escape(above) or (isinstance(above, Strike) and above.levels is None)
    found = level_line(script.text, *span, names) if waits else None
    if found is None:
        return False
    levels, name = found
    bound = above.targets if isinstance(above, Strike) else ()
    # A name with a level and no more is a row of a state table.
    if name is not None and (levels.old is None or isinstance(above, Escape) or (bound and name not in bound)):
        return False
    attach(script, Part(levels=levels), span, draft)
    return True


def _read_phase(script: Script, span: Span, names: Lexicon, draft: Draft) -> bool:
    """An announcement or a stance on a line of its own without a colon; gives whether it is one."""
    said = announced_line(script.text, *span, names)
    if said is not None:
        _add(script, said, span, span[1], names, draft)
        return True
    stance = stance_line(script.text, *span, names)
    if stance is None:
        return False
    draft.claim(script, span, stance)
    draft.spelt_moves.append(draft.claims[-1])
    return True


def _read_roll(script: Script, start: int, end: int, rolls: bool, names: Lexicon, draft: Draft) -> bool:
    """A line with dice in another spelling than the notation's; gives whether it is one."""
    words = script.text[start:end]
    reaction = reacts(words, names)
    if not rolls and not reaction and not has_dice(words):
        return False
    head = spelt_head(script.text, start, end, names) or led_by_name(script.text, start, end, names, rolls)
    if head is not None:
        end = script.line_end(start)
        _add(script, understood(head, names), (start, end), end, names, draft)
        return True
    if reaction or has_change(words):
        draft.note(script, (start, end), "no form of this system", "reaction" if reaction else "action")
        return True
    return False


__all__ = ["Announce", "HitPoints", "Topics", "Use", "joined", "read"]
