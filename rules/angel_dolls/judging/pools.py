"""Judges HP lines, Full Defense lines, Trainer Points and posted sheets (D9, D13, D16, D17, D18)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.model.figure import Figure
from referee.ports.reading import squeeze
from referee.ports.rules import Entry
from referee.ports.sayings import counted, one_of
from rules.angel_dolls.attacks import points_allowed
from rules.angel_dolls.judging.due import defender_stat
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.state import Bout, Doll, Pool
from rules.angel_dolls.judging.workings import fallen_lines, hp_lines, stat_lines
from rules.angel_dolls.sheets import deus_excess, doll_excess
from rules.angel_dolls.statements import DEFENSIVE, STATS, Award, FullDefense, PoolLine, SheetBlock
from rules.angel_dolls.tables import number, stats_of
from rules.angel_dolls.worn import Stat


def judge_hp(play: Play, line: PoolLine) -> None:
    """HP of a doll or a weapon: the old value less the damage since (contract: hp)."""
    name = line.owner or _speaker(play)
    found = _weapon_pool(play, line) if line.thing else _doll_pool(play, name)
    if found is None:
        return
    pool, owner, label = found
    nobodys = line.owner is None and line.thing is None and line.maximum is not None
    if (line.bare and not _fits(pool, line)) or (nobodys and pool.maximum not in (None, line.maximum)):
        # `HP: 139 / 98` may be the HP of two dolls.
        message = f"numbers behind the name of {label} may be HP, but do not fit: they are not checked"
        if nobodys:
            message = f"a line of HP names nobody, and its maximum is not that of {label}: it is not checked"
        play.unchecked(f"hp:bare:{label}:{play.entry.post.id}", message, owner)
        pool.loose = pool.told = True
        return
    if line.maximum is not None and pool.maximum is None:
        pool.maximum = line.maximum
    fault = False
    if pool.figure.low is None and pool.figure.high is None:
        message = f"no sheet or table gives the HP of {label}: its first HP line is taken as it stands"
        play.unchecked(f"hp:{label}", message, owner)
    elif pool.loose or (line.thing is None and _damage_missing(play, owner)):
        if not pool.told:
            message = f"what {label} lost since the last HP line could not be read: that line is not checked"
            play.unchecked(f"hp:{label}:{play.entry.post.id}", message, owner)
    else:
        fault = _compare(play, pool, line, owner, label)
    pool.settle(line.new, play.entry.index, fault)
    if play.old is not None and isinstance(play.old.data, PoolLine):
        # The reader may go on from the number as it stood before: nothing shows yet that the new one holds.
        pool.forked, pool.kept = True, 1
        pool.figure = pool.figure.either(play.old.data.new)


def _fits(pool: Pool, line: PoolLine) -> bool:
    """Whether numbers that nothing shows to be HP are those at which the pool stood or stands."""
    return pool.admits(line.new) or (line.old is not None and pool.after(line.old) is not None)


def _damage_missing(play: Play, owner: str) -> bool:
    """Whether the attack above hit this doll but shows no damage line: its loss can't be checked."""
    block = play.block
    struck = block.known and block.defender == owner and block.hit == "hit" and not block.damage
    return struck and block.manoeuvre in (None, "disable")


def _speaker(play: Play) -> str | None:
    """Whose HP a line without a name is: the struck doll's, or the poster's own."""
    if play.block.defender:
        return play.block.defender
    own = play.bout.case.sheets.of_player(play.entry.post.author)
    return own[0].name if len(own) == 1 else None


def _doll_pool(play: Play, name: str | None) -> tuple[Pool, str, str] | None:
    doll = play.bout.doll(name)
    return (doll.hp, doll.name, doll.name) if doll else None


def _weapon_pool(play: Play, line: PoolLine) -> tuple[Pool, str, str] | None:
    """The pool of the weapon: its owner's, else the struck doll's, else of the only doll that has one."""
    key = squeeze(line.thing or "")
    owners = (
        [play.bout.doll(line.owner)] if line.owner else [play.bout.doll(play.block.defender), *play.bout.dolls.values()]
    )
    for doll in owners:
        if doll is not None and key in doll.items:
            return doll.items[key].pool, doll.name, f"{doll.name}'s {doll.items[key].name}"
    return None


def _compare(play: Play, pool: Pool, line: PoolLine, owner: str, label: str) -> bool:
    """Report an HP line that does not follow; gives whether it was reported."""
    if play.old is not None:
        return False
    if line.maximum is not None and pool.maximum is not None and line.maximum != pool.maximum and pool.admits(line.new):
        _wrong(play, owner, label, line.maximum, Figure.of(pool.maximum), [f"maximum on the sheet: {pool.maximum}"])
        return False
    if line.old is None:
        if pool.admits(line.new):
            return False
        _wrong(play, owner, label, line.new, pool.figure.at_least(0), hp_lines(pool))
        return True
    left = pool.after(line.old)
    if left is not None:
        if left.admits(line.new) or left.at_least(0).admits(line.new) or (pool.forked and pool.admits(line.new)):
            return False
        _wrong(play, owner, label, line.new, left.at_least(0), hp_lines(pool, line.old))
        return True
    if pool.admits(line.new):
        was = pool.first.at_least(0)
        _wrong(play, owner, label, line.old, was, [f"HP before the damage of this post: {was.said()}"])
        return False
    _wrong(play, owner, label, line.new, pool.figure.at_least(0), hp_lines(pool))
    return True


def _wrong(play: Play, owner: str, label: str, claimed: int, expected: Figure, trace: Iterable[str]) -> None:
    message = f"HP of {label}: the numbers give {expected.said()}, the post says {claimed}"
    play.add("hp", owner, claimed, expected, message, trace, ("D13",) if "'s " in label else ("D16",))


# -- Full Defense (D9) ---------------------------------------------------------------------------------


def judge_full(play: Play, line: FullDefense) -> None:
    """A doll defends fully from here to the end of the round; the stats shown are checked."""
    doll = play.bout.doll(line.who)
    if doll is None:
        play.any_full = True
        return
    if doll.down and play.judged:
        _acts(play, doll)
    play.later_full.discard(doll.name)
    for stat, old, new in line.shown:
        if stat not in DEFENSIVE:
            continue
        plain = defender_stat(play, stat, doll.name)
        usual = plain is None or old is None or old in plain.accepted
        if plain is not None and old is not None and not usual:
            _wrong_shown(play, doll, old, plain)
        play.full.add(doll.name)
        raised = defender_stat(play, stat, doll.name)
        if raised is not None and new not in raised.accepted and usual:
            _wrong_shown(play, doll, new, raised)
        play.full.discard(doll.name)
    play.full.add(doll.name)


def _wrong_shown(play: Play, doll: Doll, said: int, right: Stat) -> None:
    words = one_of(sorted(right.listed))
    play.bout.reported.add((doll.name, right.name, said))
    message = f"{right.name} of {doll.name} is {words} here, the post says {said}"
    trace = [*stat_lines(doll, right), f"counts here: {words}"]
    play.add("stat", doll.name, said, sorted(right.listed), message, trace, ("D1", "D7", "D9"))


def _acts(play: Play, doll: Doll) -> None:
    message = f"{doll.name} has no HP left at this point and acts"
    play.add("acts-while-down", doll.name, None, None, message, fallen_lines(doll), ("D16",))


# -- points and sheets (D17, D18) -------------------------------------------------------------------------


def judge_award(play: Play, award: Award) -> None:
    """Trainer Points from 0 to 5."""
    numbers = play.bout.numbers
    span = {"min": numbers.points_min, "max": numbers.points_max}
    for name, points in award.points:
        if not points_allowed(points, numbers):
            who = name if name in play.bout.dolls else None
            message = f"Trainer Points go from {span['min']} to {span['max']}, {name} gets {points}"
            play.add("points", who, points, span, message, (), ("D17",))


def judge_sheet_block(play: Play, block: SheetBlock) -> None:
    """A posted stat block: what creation does not allow is for a person to look at."""
    own = play.bout.case.sheets.of_player(play.entry.post.author)
    exp = block.exp or (number(own[0].get("exp")) if len(own) == 1 else None)
    who = own[0].name if len(own) == 1 else None
    doll = play.bout.doll(who)
    if doll is not None:
        doll.take_posted(block.part, dict(block.stats))
    _creation(play, who, block.part, dict(block.stats), exp)


def _creation(play: Play, who: str | None, part: str, stats: dict[str, int], exp: int | None) -> None:
    numbers = play.bout.numbers
    excess = (deus_excess if part == "deus" else doll_excess)(stats, exp, numbers)
    if excess <= 0:
        return
    limit = f"{numbers.deus_points} points" if part == "deus" else f"six parts of {numbers.part_points} points"
    label = "Deus" if part == "deus" else "Angel"
    paid = f" and {exp} EXP" if exp else ""
    bought = "it" if excess == 1 else "them"
    above = f"{counted(excess, 'point')} above what {limit}{paid} give"
    message = f"the {label}'s stats are {above}; EXP may have bought {bought}"
    trace = [
        ", ".join(f"{stat} {value}" for stat, value in stats.items()),
        f"together: {' + '.join(map(str, stats.values()))} = {sum(stats.values())}",
        f"given at the start: {limit}{paid}",
    ]
    play.add("sheet", who, None, None, message, trace, ("D18",))


def judge_sheets(bout: Bout, entries: tuple[Entry, ...]) -> None:
    """The staff's sheets against D18, each at the first post of its player (else the first post).

    Without EXP on the sheet only the Deus's 75 points and single stats of the doll are looked at.
    """
    for doll in bout.dolls.values():
        entry = _first_post(doll, entries)
        if entry is None:
            continue
        play = Play(bout, entry, True)
        sheet = doll.character
        exp = number(sheet.get("exp"))
        deus = {s: v for s, v in stats_of(sheet.get("deus")).items() if s in STATS and number(v) is not None}
        _creation(play, doll.name, "deus", deus, exp)
        angel = {s: v for s, v in stats_of(sheet.get("stats")).items() if s in STATS and number(v) is not None}
        _creation(play, doll.name, "angel", angel, exp)


def _first_post(doll: Doll, entries: tuple[Entry, ...]) -> Entry | None:
    player = (doll.character.player or doll.name).casefold()
    own = next((entry for entry in entries if entry.post.author.casefold() == player), None)
    return own or (entries[0] if entries else None)


__all__ = ["judge_award", "judge_full", "judge_hp", "judge_sheet_block", "judge_sheets"]
