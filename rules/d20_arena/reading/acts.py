"""Reading actions: attacks, healing, self skills, reactions (ND2 to ND8, ND21)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from rules.d20_arena.reading.escapes import as_die, read_save
from rules.d20_arena.reading.flat import read_flat
from rules.d20_arena.reading.levels import levels_within, read_levels, tells_levels
from rules.d20_arena.reading.links import Links
from rules.d20_arena.reading.sums import read_sum
from rules.d20_arena.reading.versus import JUNK, read_versus
from rules.d20_arena.records import Mend, Reaction, Save, Strike, Sum, Use
from rules.d20_arena.words import ON_SELF, Lexicon, arrow, outcome_of_each, outcome_word

_PART = re.compile(
    r"\b(no[ \t]+save|damage|dmg|for(?=[ ]+\d{0,3}d\d)|bind(?:ing)?[ \t]+levels?|binding|sav(?:e|es|ing[ ]throw))\b"
    r"[ \t]*+(?:with[ ])?:?[ \t]*+",
    re.IGNORECASE,
)
#: A result behind a sum that was read without one, before anything else of the tag begins.
_RESULT_LEFT = re.compile(
    r"(?:(?!\b(?:vs|versus|against|def|sav|bind|level|HP\b|damage|dmg))[^;<>\n]){0,60}?=[ \t]*+\d", re.IGNORECASE
)
_ITSELF = re.compile(
    JUNK + r"[ \t]*+[(,]?[ \t]*+(?:damage[ \t]+)?(?:to|on|against)[ \t]+(?:(.{1,80}?)[ \t]+)?"
    r"(?:itself|himself|herself|themselves)\b[)]?",
    re.I,
)
_UPON = re.compile(
    JUNK + r"[ \t]*+[(,]?[ \t]*+(?:damage[ \t]+)?(?:to|on|against)[ \t]+(?:the[ \t]+)?"
    r"([^\W\d_][^\n\d:;,.()\[\]{}=]{0,40}(?:#?\d{1,2})?)(?=[ \t]*+(?:[;,.!)\]]|\Z))",
    re.I,
)
#: The same before the sum: `hits itself: damage 1d6 ...`, `damage to Golem 1 itself 1d6 ...`, `self damage`.
_SELF = re.compile(r"\b(?:itself|himself|herself|themselves|self)\b", re.IGNORECASE)
_TO_ITSELF = re.compile(
    r"(?:to|on|against)[ \t]+(?:[^\d:;=]{0,60}?\d{0,2}[ \t]+)?(?:itself|himself|herself|themselves)\b[ \t]*+:?[ \t]*+",
    re.I,
)
_DAMAGE = ("damage", "dmg")
#: So far before the damage it may be said on whom it falls.
_NEAR = 24
_HEAL = re.compile(r"[ \t]*+heal(?:s|ed|ing)?[ \t]*+:?[ \t]*+", re.IGNORECASE)
_COLON_OR_NOT = re.compile(r"[ \t]*+[:;,]?[ \t]*+")
#: Between target and hit roll: a sign, the target's Defense in brackets, a word for the roll.
_BEFORE_ROLL = re.compile(
    r"[ \t]*+(?:[(\[](?:DEF|defen[cs]e)\b\.?[ ]*+:?[ ]*+(?P<defense>\d{1,3})[)\]][ \t]*+)?(?:[:;,.|]|-(?=[ ]))?[ \t]*+"
    r"(?:(?:to[ -]?hit|(?:attack|hit)(?:[ ]roll)?|(?:I )?rolls?|rolled)\b"
    r"[ \t]*+[:=]?[ \t]*+(?:an? )?(?=\d{0,2}d?\d|[(\[]))?",
    re.IGNORECASE,
)
#: `Volt Lash (+4)`.
_BONUS_BEHIND = re.compile(r"[ ]*+\([+-]\d{1,2}(?:[ ]to[ ]hit)?\)\Z", re.IGNORECASE)
_NONE = re.compile(r"[ \t]*+(?:none|nothing|no action)\b[ \t]*+[,;(.-]?[ \t]*+[a-z ]{0,30}\)?[ \t]*+$", re.IGNORECASE)
_ABILITY = re.compile(r"[^\[\](){}\d:;=<>?\n]{1,60}\Z")
#: What stands between an ability and its target.
_AT = re.compile(
    r"[ ]*+(?:-->?|->|=>|\u2192|>)[ ]*+|[ ]+(?:on|at|against|vs\.?)[ ]+|[ ]*+[:;,][ ]*+(?:target:?[ ]*+)?|[ ]+",
    re.IGNORECASE,
)
_DIE = re.compile(r"\d{0,3}d\d", re.IGNORECASE)
#: A hit roll at once.
_ROLL = re.compile(r"1?d20\b", re.IGNORECASE)
_FREE = re.compile(r"free[ -]?attack[ ]*+[:,;-][ ]*+", re.IGNORECASE)
#: Dice with a result behind everything that was read: a part of the attack that was not.
_LEFT_OVER = re.compile(r"\b\d{0,3}d\d{1,4}\b[ ]*+(?:=|[(\[][ ]*+\d)", re.IGNORECASE)
_SECOND = re.compile(r"\b1?d20\b[ ]*+(?:=|[+-][ ]*+\d|[(\[][ ]*+\d)", re.IGNORECASE)
#: Where an arrow or the word stands, a level may be told without the words `bind level`.
_MAY_CHANGE = re.compile(r">|\u2192|\bl(?:eve|v)l|\bbinds?[ ]*+:|\bbound[ ]*+:", re.IGNORECASE)
#: `bound for 1d2 [2] levels`.
_NO_DAMAGE = re.compile(r"[ \t]*+(?:more[ ])?(?:levels?|turns?|rounds?|HP\b)", re.IGNORECASE)
#: Between damage and its word stands its kind at most: `= 11 fire damage`.
_SUM_ENDS = re.compile(r"[ \t]*+(?:(?:points?[ ]of[ ])?[A-Za-z]{1,12}[ \t]*+)?\Z", re.IGNORECASE)
_REACT = re.compile(
    r"(?P<ability>[^:;,(!.\n]{1,60}?)[ \t]*+(?:\([+-]\d{1,3}\)[ \t]*+)?(?:[,;:(!.][ \t]*+|-[ \t]+)(?:(?:and|with)[ ])?"
    r"(?:(?P<what>def(?:en[cs]e)?|damage|dmg)\b\.?[ \t]*+:?[ \t]*+)?(?P<before>\d{1,9})[ \t]*+"
    r"(?:(?P<sign>[+-])[ \t]*+(?P<change>\d{1,9})[ \t]*+=|(?:--?>|=>|\u2192))[ \t]*+(?P<after>-?\d{1,9})(?!\d)",
    re.IGNORECASE,
)


class Aim(NamedTuple):
    """An ability with its targets, the place behind them, and who acts, where that stands before the arrow."""

    ability: str
    targets: tuple[str, ...]
    place: int
    actor: str | None = None


def read_action(
    text: str, place: int, end: int, links: Links, names: Lexicon, free: bool, actor: str | None = None
) -> Strike | Mend | Use | None:
    """The inside of an Action or Free attack tag, `actor` whom its head names; None where it can't be read."""
    if actor is None:
        actor, place = read_actor(text, place, end, names)
    freely = _FREE.match(text, place, end) if text[place : place + 1] in ("f", "F") else None
    if freely is not None:
        free, place = True, freely.end()
    aim = _aim(text, place, end, names)
    if aim is None:
        if not free and _NONE.match(text, place, end):
            return Use(actor, None)
        head = arrow(text, place, end)
        if head is not None and not (ON_SELF.match(text, head.start(), end) or _DIE.search(text, place, head.start())):
            return None
        return _at_announced(text, place, end, links, names, actor, free) or _plain_use(
            text, place, end, links, names, actor
        )
    gap = _BEFORE_ROLL.match(text, aim.place, end)
    done = _at_targets(text, gap.end() if gap else aim.place, end, links, names, aim.actor or actor, aim, free)
    if isinstance(done, Strike) and gap is not None and gap["defense"] and not done.defense:
        return done._replace(defense=(int(gap["defense"]),))
    return done


def _at_announced(
    text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None, free: bool
) -> Strike | None:
    """`[Action: Volt Lash: 1d20+4 = 19 vs ...]`, `[Action: 1d20+4 = 19 vs ...]`: the target is the announced one."""
    if text.find("d20", place, end) < 0 and text.find("D20", place, end) < 0:
        return None
    known = names.ability(text, place, end)
    gap = _COLON_OR_NOT.match(text, known, end) if known is not None else None
    start = gap.end() if gap else place
    if _ROLL.match(text, start, end) is None:
        return None
    ability = names.ability_name(text[place:known]) if known is not None else None
    return None if ability in names.healing else read_strike(text, start, end, links, actor, ability, (), free)


def _at_targets(
    text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None, aim: Aim, free: bool
) -> Strike | Mend | Use | None:
    """What stands behind the target: healing, a hit roll, or nothing."""
    if aim.ability not in names.healing:
        struck = read_strike(text, place, end, links, actor, aim.ability, aim.targets, free)
        if struck is not None:
            return struck
    heal = _HEAL.match(text, place, end)
    if heal or aim.ability in names.healing:
        healed = read_sum(text, heal.end() if heal else place, end, links)
        if healed or heal:
            return Mend(actor, aim.ability, aim.targets, healed[0]) if healed else None
    return Use(actor, aim.ability, aim.targets) if not text[place:end].strip(" .!") else None


def _from_whom(text: str, head: re.Match[str], actor: str, end: int, names: Lexicon) -> Aim | None:
    """`Golem 1 -> Hana: Slam, 1d20 ...`: the arrow goes from one fighter to another, the ability stands behind."""
    aimed = names.targets(text, head.end(), end)
    targets = names.named(aimed[0]) if aimed else None
    gap = _COLON_OR_NOT.match(text, aimed[1], end) if aimed else None
    known = names.ability(text, gap.end(), end) if gap else None
    if not targets or gap is None or known is None:
        return None
    return Aim(names.ability_name(text[gap.end() : known]), targets, known, actor)


def _aim(text: str, place: int, end: int, names: Lexicon) -> Aim | None:
    """Ability and targets: anything before an arrow, or a known ability before another word such as `on`."""
    head = arrow(text, place, end)
    if head is not None:
        ability = _BONUS_BEHIND.sub("", text[place : head.start()].strip())
        found = names.abilities.find(ability)
        who = names.fighters.find(ability) if found is None else None
        if who is not None:
            return _from_whom(text, head, who, end, names)
        aimed = names.targets(text, head.end(), end) if found or _ABILITY.match(ability) else None
        if aimed is not None:
            targets = names.named(aimed[0])
            return Aim(found or names.ability_name(ability), targets, aimed[1]) if targets else None
    known = names.ability(text, place, end)
    at = _AT.match(text, known, end) if known is not None else None
    aimed = names.targets(text, at.end(), end) if at else None
    targets = names.named(aimed[0]) if aimed else None
    if known is None or aimed is None or not targets:
        return None
    return Aim(names.ability_name(text[place:known]), targets, aimed[1])


def read_actor(text: str, place: int, end: int, names: Lexicon) -> tuple[str | None, int]:
    """A leading `Golem 1: `, `Golem 1 - ` or `Golem 1 uses `, and the place behind it."""
    return names.leading(text, place, end) or (None, place)


def _plain_use(text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None) -> Use | Mend | None:
    """`[Action: Focus]`, `[Action: Mend: heals 1d6 [4] + 2 = 6]`."""
    known = names.ability(text, place, end)
    if known is not None:
        name = names.ability_name(text[place:known])
        own = ON_SELF.match(text, known, end)
        known = own.end() if own else known
        rest = _COLON_OR_NOT.match(text, known, end)
        place = rest.end() if rest else known
        heal = _HEAL.match(text, place, end)
        if heal or name in names.healing:
            healed = read_sum(text, heal.end() if heal else place, end, links)
            if healed or heal:
                return Mend(actor, name, (), healed[0]) if healed else None
        return Use(actor, name) if not text[known:end].strip(" .!;") else None
    words = text[place:end].strip(" .!;")
    return Use(actor, names.ability_name(words)) if words and _ABILITY.match(words) else None


def read_strike(
    text: str,
    place: int,
    end: int,
    links: Links,
    actor: str | None = None,
    ability: str | None = None,
    targets: tuple[str, ...] = (),
    free: bool = False,
) -> Strike | None:
    """`1d20+4 = 19 vs Defense 15, hit; damage 2d6+3 = 11 ...`; None where it can't be read."""
    read = read_sum(text, place, end, links)
    if read is None or read[0].groups[0].number > 100:
        return None
    hit, place = read
    if hit.total is None and _RESULT_LEFT.match(text, place, end):
        return None
    part = _PART.search(text, place, end)
    stop = part.start() if part else end
    versus = read_versus(text, place, stop)
    if versus is None:
        return None
    outcome = _outcome(text[versus.place : stop], targets)
    if outcome is None and versus.place > place:
        outcome = _outcome(text[place : versus.place], targets)
    if outcome is None and not _is_hit_roll(hit, versus.defense):
        return None
    parts: dict[str, Any] = {}
    place = versus.place
    again = max(text.find("d20", place, end), text.find("D20", place, end)) >= 0
    while part is not None:
        if again and _SECOND.search(text, place, part.start()):
            return None  # a hit roll for another target
        behind = _read_part(text, part, end, links, parts, place) or _dealt(text, place, part, links, parts)
        if behind is None:
            return None
        place = behind
        part = _PART.search(text, behind, end)
    if _LEFT_OVER.search(text, place, end) or (again and _SECOND.search(text, place, end)):
        return None
    if "levels" not in parts and not _read_levels_left(text, versus.place, place, end, parts):
        return None
    return Strike(actor, ability, targets, free, hit, versus.defense, outcome, **parts)


def _read_levels_left(text: str, since: int, place: int, end: int, parts: dict[str, Any]) -> bool:
    """Levels without the words `bind level` into `parts`; False where something is told that no form fits.

    `since`: the place behind the Defense, `place`: that behind the last part.
    """
    if _MAY_CHANGE.search(text, since, end):
        levels, _ = levels_within(text, since, end)
        if levels is not None:
            parts["levels"] = levels
    return "levels" in parts or "damage" in parts or not tells_levels(text, place, end)


def _dealt(text: str, since: int, word: re.Match[str], links: Links, parts: dict[str, Any]) -> int | None:
    """Damage before its word into `parts`: `hit! 2d6 (3, 5) + 3 = 11 damage`, or the word once more behind it."""
    if word.group(1).casefold() not in _DAMAGE:
        return None
    if "damage" in parts:
        return word.end() if _SUM_ENDS.match(text, since, word.start()) else None
    dice = _LEFT_OVER.search(text, since, word.start())
    read = read_sum(text, dice.start(), word.start(), links) if dice else None
    if read is None or _SUM_ENDS.match(text, read[1], word.start()) is None:
        return None
    parts["damage"], parts["itself"] = read[0], None
    return word.end()


def _outcome(words: str, targets: tuple[str, ...]) -> str | None:
    """The outcome that words state, of all targets if there are several."""
    return outcome_word(words) if len(targets) < 2 else outcome_of_each(words, targets)


def _is_hit_roll(hit: Sum, defense: tuple[int, ...]) -> bool:
    """Whether a sum without any outcome may be a hit roll: it has a number, and other dice than a d20 a Defense."""
    if hit.total is None and not hit.groups[0].values:
        return False
    return bool(defense) or hit.groups[0].sides == 20


def _read_part(text: str, part: re.Match[str], end: int, links: Links, parts: dict[str, Any], since: int) -> int | None:
    """One part behind the outcome into `parts`; the place behind it, or None where its numbers can't be read.

    `since`: the place behind all that was read before.
    """
    word = part.group(1).casefold()
    place = part.end()
    if word.startswith("no"):
        parts["save"] = Save(granted=False)
        return place
    if word.startswith("sav"):
        parts["save"], place = read_save(text, place, end, links)
        return place if parts["save"] else None
    if word.endswith(("level", "levels")):
        levels, place = read_levels(text, place, end)
        parts.setdefault("levels", levels)
        return place if levels else None
    upon = _TO_ITSELF.match(text, place, end)
    start = upon.end() if upon else place
    read = read_sum(text, start, end, links)
    if read is None and word in _DAMAGE:
        read = read_flat(text, start, end, links)
    if read is None:
        return None
    if word == "binding":
        parts["binding"] = as_die(read[0])
        return read[1]
    if word == "for" and _NO_DAMAGE.match(text, read[1], end):
        return read[1]
    if read[0].total is None and _RESULT_LEFT.match(text, read[1], end):
        return None
    before = upon or _SELF.search(text, max(since, part.start() - _NEAR), part.start())
    whom, place = upon_whom(text, read[1], end)
    parts["damage"], parts["itself"] = read[0], whom or ("it" if before else None)
    return place


def upon_whom(text: str, place: int, end: int) -> tuple[str | None, int]:
    """On whom damage falls, behind it: `to Golem 1 itself` (`it` without a name), `to Golem 1`; the place behind."""
    found = _ITSELF.match(text, place, end) or _UPON.match(text, place, end)
    return (found.group(1) or "it", found.end()) if found else (None, place)


def read_reaction(text: str, place: int, end: int, names: Lexicon, actor: str | None = None) -> Reaction | None:
    """The inside of a Reaction tag (ND21), `actor` whom its head names."""
    if actor is None:
        actor, place = read_actor(text, place, end, names)
    found = _REACT.match(text, place, end)
    if actor is None or found is None:
        return None
    before, after = int(found["before"]), int(found["after"])
    change = int(found["change"]) * (-1 if found["sign"] == "-" else 1) if found["change"] else after - before
    what = "damage" if (found["what"] or "").casefold() in ("damage", "dmg") else "defense"
    if found["what"] is None:
        if names.abilities.find(found["ability"]) is None:
            return None
        what = "damage" if change < 0 else "defense"
    return Reaction(actor, names.ability_name(found["ability"]), what, before, change, after)


__all__ = ["read_action", "read_reaction", "read_strike", "upon_whom"]
