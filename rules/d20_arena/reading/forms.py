"""Which brackets and lines are tags of this system at all, in whatever spelling (G19, X3)."""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.model.text import Script
from referee.ports.reading import Tag, tags
from rules.d20_arena.reading.heads import (
    MAY_BEGIN,
    Head,
    aimed_action,
    evident,
    has_change,
    has_dice,
    head_of,
    named_head,
    says_none,
    spelt_head,
    understood,
)
from rules.d20_arena.reading.lines import hit_points
from rules.d20_arena.reading.links import rolled_within
from rules.d20_arena.reading.several import is_piece, parted
from rules.d20_arena.reading.stance import only_stands
from rules.d20_arena.records import HitPoints
from rules.d20_arena.words import PHASE_BEGINS, TAG, Lexicon, phased_tag

_TITLE = re.compile(r"[A-Z][A-Za-z'-]{1,30}(?:[ ](?:of|the|and|no|[A-Z][A-Za-z'-]{0,30})){0,5}\Z")
_USED = re.compile(r"(?:used?|uses|using)[ ]+", re.IGNORECASE)
#: What only a Reaction Ability says: `Defense 14 + 3 = 17`, `damage 9 - 3 = 6`.
_REACTION = re.compile(
    r"\b(?:def(?:en[cs]e)?|damage|dmg)\b\.?[ ]*+:?[ ]*+\d{1,9}[ ]*+[+-][ ]*+\d{1,9}[ ]*+=[ ]*+\d", re.IGNORECASE
)
#: The same where nothing else follows.
_REACTS = re.compile(_REACTION.pattern + r"\d{0,8}[ ]*+(?:[.!,;)]|\Z)(?![ ]*+[A-Za-z])", re.IGNORECASE)
#: What dice in a bracket without a head may be for.
_SAYS = re.compile(r"\b(?:traps?|struggl\w{0,3}|escapes?|damage|hits?|miss|save|heals?|levels?)\b", re.IGNORECASE)
#: As `Phrases` takes names apart.
_FIRST_WORD = re.compile(r"\w+|\S")
#: So far back a line is looked at for what it began with; a line may be a million characters long.
_BEFORE = 300
#: So far beside a bracket its neighbours are looked for.
_NEAR = 80
_OPENS, _CLOSES = frozenset("[({"), frozenset("])}")
#: Ends of a sentence before a bracket.
_ENDS = frozenset(".!?:;\"'")
_HP = re.compile(r"\d/\d{1,9} ?HP\b", re.IGNORECASE)
#: The topic of a bracket that says `standing still` and nothing else.
BARE_MOVE = "move, bare"
_QUOTES = frozenset("\"'\u201c\u201d\u2018\u2019")


class Found(NamedTuple):
    """A tag: its head, its HP statements, or (neither) what it leaves open as it can't be read.

    `topic`: the word of the notation for what it may hold; `any` where it may be anything.
    """

    tag: Tag
    head: Head | None = None
    hp: tuple[HitPoints, ...] = ()
    topic: str = ""


#: No post has more brackets; what lies behind them is listed as unread with the next one.
MOST_BRACKETS = 20_000


def tags_of(script: Script, names: Lexicon, rolls: tuple[int, ...]) -> list[Found]:
    """The tags of this system, in order of place; `rolls`: the places of the in-post rolls."""
    text = script.text
    found: list[Found] = []
    for number, tag in enumerate(one for bracket in tags(script) for one in parted(bracket)):
        if number >= MOST_BRACKETS:
            found.append(Found(tag, topic="any"))
            break
        end = tag.inner_start + len(tag.inner)
        mark = TAG.match(text, tag.inner_start, end) if ":" in tag.inner else None
        if mark is None and tag.inner[:1] in PHASE_BEGINS:
            mark = phased_tag(text, tag.inner_start, end)
        if mark is not None and text[tag.start - 1] in _QUOTES and _quoted(text, tag) and head_of(mark).word != "move":
            continue
        if mark is None:
            other = _other(script, tag, end, names, rolls, found[-1].tag.end if found else 0)
            if other is not None:
                found.append(other)
            continue
        head = head_of(mark)
        if not says_none(head, text, end):
            found.append(Found(tag, head if head.note is None else understood(head, names)))
    return found


def _other(script: Script, tag: Tag, end: int, names: Lexicon, rolls: tuple[int, ...], since: int) -> Found | None:
    """A bracket in none of the notation's own spellings; `since`: the place behind the tag before it."""
    if not tag.inner.strip():
        return None
    if not _apart(tag) and not (tag.closed and (rolled_within(rolls, tag.start, tag.end) or _evident_within(tag))):
        return None
    words = tag.inner.strip()
    begins = MAY_BEGIN.match(words) is not None or _first_word(words) in names.firsts
    if not begins and not tag.alone:
        return None
    if _part_of_a_line(script, tag, since):
        return None
    if not begins:
        return Found(tag, topic="reaction") if reacts(words, names) else _bare(tag, words, names)
    head = spelt_head(script.text, tag.inner_start, end, names)
    if head is not None and (
        evident(head, script.text, end, names, rolled_within(rolls, tag.start, tag.end))
        or _plain(script, head, end, names)
    ):
        return Found(tag, understood(head, names))
    if "/" in words:
        hp = hit_points(words, names)
        own = tag.alone or is_piece(tag) or (tag.bracket == "[" and tag.closed and words[:2].upper() == "HP")
        if hp and (own or all(stated.name for stated in hp)):
            return Found(tag, hp=hp)
    led = led_by_name(script.text, tag.inner_start, end, names)
    if led is not None:
        return Found(tag, led)
    return Found(tag, topic="reaction") if reacts(words, names) else _bare(tag, words, names)


def _apart(tag: Tag) -> bool:
    """Whether a bracket is no part of a sentence: nothing but tags beside it, or a square one between sentences."""
    text = tag.text
    near = text[max(0, tag.start - _NEAR) : tag.start]
    before = near[near.rfind("\n") + 1 :].rstrip(" \t*-\u2022")[-1:]
    if before and before not in _CLOSES and not (tag.bracket == "[" and tag.closed and before in _ENDS):
        return False
    after = text[tag.end : tag.end + _NEAR].partition("\n")[0].lstrip(" \t.,;")[:1]
    return not after or after in _OPENS or (tag.bracket == "[" and tag.closed)


def _evident_within(tag: Tag) -> bool:
    """Whether a bracket inside a sentence holds what no prose does: dice, or HP with that word."""
    return has_dice(tag.inner) or _HP.search(tag.inner) is not None


def _quoted(text: str, tag: Tag) -> bool:
    """A tag between quotation marks, without any dice, is cited: `"[Action: Volt Lash -> Golem 1]" was the plan`."""
    return tag.start > 0 and text[tag.end : tag.end + 1] in _QUOTES and not has_dice(tag.inner)


def _first_word(words: str) -> str:
    found = _FIRST_WORD.match(words)
    return found.group().casefold() if found else ""


def _plain(script: Script, head: Head, end: int, names: Lexicon) -> bool:
    """`[Actions: Focus]`, `[Announces - Volt Lash]`: nothing but a known ability behind the head."""
    known = names.ability(script.text, head.place, end) if head.firm and head.word in ("action", "announce") else None
    return known is not None and not script.text[known:end].strip(" .!")


def _part_of_a_line(script: Script, tag: Tag, since: int) -> bool:
    """Whether a bracket stands inside a line that is one itself, such as `To hit: 1d20 (d20: 13) + 4 = 17`.

    `since`: the place behind the tag before it, whose dice are its own.
    """
    text = script.text
    start = max(since, text.rfind("\n", max(0, tag.start - _BEFORE), tag.start) + 1)
    before = text[max(start, tag.start - _BEFORE) : tag.start].lstrip(" \t*-\u2022")
    if not before or before[0] in "[({":
        return False
    return TAG.match(before) is not None or has_dice(before)


def led_by_name(text: str, place: int, end: int, names: Lexicon, rolls: bool = False) -> Head | None:
    """A tag or line that begins with a fighter or an ability instead of the word for it (X3).

    `Golem 1: Slam -> Vesna: 1d20+3 = 18 ...`, `Volt Lash -> Golem 1: ...`, `Vesna: Side Step, Defense 14 + 3 = 17`.
    `rolls`: an in-post roll of the board stands in it.
    """
    led = names.before_colon(text, place, end) or names.leading(text, place, end)
    behind = led[1] if led else place
    known = names.ability(text, behind, end)
    if known is None and (own := named_head(text, place, end, False, names)) is not None:
        return own
    words = text[behind:end]
    if words[:1] in _QUOTES:
        return None
    if led is None and known is None and not (names.aims(words) and names.starts(text, place, end)):
        return None
    if _loosely_led(text, place, behind, known, end, names):
        return None
    if known is not None and _REACTS.match(text[known:end].lstrip(" ,;:(-")):
        return Head("reaction", None, place, False)
    if has_dice(words) or (known is not None and (rolls or aimed_action(text, place, end, names))):
        return Head("action", None, place, False)
    return None


def _loosely_led(text: str, place: int, behind: int, known: int | None, end: int, names: Lexicon) -> bool:
    """Whether only a comma parts the name from the rest, as in a sentence, and no target follows."""
    gap = text[known : known + 1] if known is not None and behind == place else text[place:behind].rstrip()[-1:]
    return gap == "," and not names.aims(text[place:end]) and (known is None or behind == place)


def reacts(words: str, names: Lexicon) -> bool:
    """Whether words hold a known ability with the sum of a Reaction Ability."""
    return "=" in words and _REACTION.search(words) is not None and bool(names.abilities_within(words))


def _bare(tag: Tag, words: str, names: Lexicon) -> Found | None:
    """A bracket alone on its line that names an ability or a stance, or begins with its dice."""
    if not tag.alone:
        return None
    if tag.bracket == "[" and only_stands(words):
        return Found(tag, topic=BARE_MOVE)
    used = _USED.match(words)
    led = names.leading(words, 0, len(words))
    name = words[used.end() if used else led[1] if led else 0 :].strip(" .!")
    if names.abilities.find(name) is not None and tag.bracket == "[" and tag.closed:
        return Found(tag, topic="any")
    if tag.bracket == "[" and tag.closed and _TITLE.match(words):
        return Found(tag)
    told = has_dice(words) and (has_change(words) or _SAYS.search(words))
    return Found(tag, topic="any") if told else None
