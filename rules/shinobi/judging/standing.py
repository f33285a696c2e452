"""Chapter 2.01 and 3.05: ranks, posted stats, what must be posted and what stays secret (S1 to S3)."""

from __future__ import annotations

import re

from referee.ports.rules import rule
from referee.ports.sayings import all_of
from rules.shinobi.judging.fighters import Fighter
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.turns import Said, notes_of
from rules.shinobi.lexicon import STATS
from rules.shinobi.model import StatBlock
from rules.shinobi.reading.stats import rank_named

#: A stat of the rulebook with a number beside it, in whatever form.
_NUMBERED = re.compile(
    rf"\b({'|'.join(STATS)})\b\W{{0,6}}\d|\d{{1,6}}\W{{0,6}}\b({'|'.join(STATS)})\b",
    re.IGNORECASE,
)
#: So many stats with numbers are no story.
_LEAST_TOLD = 4


@rule("S1", cites="2.01 Ranks")
def rank_of(word: str) -> str | None:
    """Ranks, in order: Gennin, Chuunin, Jounin, Sennin; the usual spellings mean the same, any case."""
    return rank_named(word)


@rule("S2", cites="3.05 Starting")
def judge_stats(stage: Stage) -> None:
    """The first post of each player shows all stats except HP, Chakra and Stamina, which stay secret.

    None of the stats: a warning; fewer than all: a notice. Totals in a stat block: a notice.
    """
    me = stage.me
    blocks = [said for said in stage.turn.of(StatBlock) if not _of_another(stage, said)]
    if not blocks:
        if me.turns == 0 and not stage.turn.of(StatBlock) and not _told(stage):
            message = f"the first post of {me.name} shows no stats"
            stage.add("stats-missing", stage.turn.first, message, rules=("S2",))
        return
    for said in blocks:
        block = said.data
        assert isinstance(block, StatBlock)
        if block.secret:
            words = all_of(pool.upper() if pool == "hp" else pool.capitalize() for pool in block.secret)
            what = f"the total of {words} is" if len(block.secret) == 1 else f"the totals of {words} are"
            stage.add("secret-shown", said, f"{what} posted; totals are secret", rules=("S2",))
        if me.first_stats:
            _compare(stage, said, block)
        else:
            _first_block(stage, said, block)


def _of_another(stage: Stage, said: Said) -> bool:
    """Whether a stat block is another fighter's, said again: below that one's name, or with all of that one's numbers.

    Where only one of both tells it, a notice says so.
    """
    block, me = said.data, stage.me
    assert isinstance(block, StatBlock)
    mine = me.first_stats or me.sheet_stats
    others = [fighter for fighter in stage.arena.fighters.values() if not fighter.by & me.by]
    named = next((fighter for fighter in others if fighter.name == block.name), None)
    like = next((fighter for fighter in others if _same(block, fighter.first_stats or fighter.sheet_stats)), None)
    whose = named or (like if mine else None)
    if whose is None or _same(block, mine):
        return False
    if named is None or named is not like:
        message = (
            f"the stats in {said.entry.post.id} are taken as those of {whose.name}, said again: they are not judged"
        )
        stage.unchecked(said.entry, f"stats of:{me.name}:{said.entry.post.id}", message)
    return True


def _same(block: StatBlock, known: dict[str, int]) -> bool:
    """Whether a block shows a fighter's stats and no other numbers."""
    return len(block.stats) >= _LEAST_TOLD and all(known.get(stat) == value for stat, value in block.stats.items())


def _told(stage: Stage) -> bool:
    """Whether a post names stats with numbers in a form that is no stat block (`Taijutsu 80 (+10)`); notes it."""
    for entry in stage.turn.entries:
        script = notes_of(entry).script
        for text in (script.text, *(spoiler.text for spoiler in script.spoilers)) if script is not None else ():
            numbered = list(_NUMBERED.finditer(text)) if "jutsu" in text.lower() else []
            if len({(found[1] or found[2]).casefold() for found in numbered}) >= _LEAST_TOLD:
                words = " ".join(text[numbered[0].start() : numbered[-1].end()].split())[:120]
                message = f"words of {entry.post.id} name stats and could not be read as a stat block: {words}"
                stage.unchecked(entry, f"stats told:{stage.me.name}", message)
                return True
    return False


def _first_block(stage: Stage, said: Said, block: StatBlock) -> None:
    """The first block gives the stats of the battle; it counts where it differs from the sheet (X13)."""
    me = stage.me
    absent = [stat for stat in STATS if stat not in block.stats]
    if absent and me.turns == 0 and not _sheet_lacks(me, absent):
        message = f"the stat block of {me.name} lacks {all_of(absent)}"
        stage.unchecked(said.entry, f"block:{me.name}", message)
    before = said.before.data if said.before is not None else None
    old = before.stats if isinstance(before, StatBlock) else {}
    for stat, value in block.stats.items():
        sheet = me.sheet_stats.get(stat)
        if sheet is not None and sheet != value:
            message = f"{stat} is {value} in the stat block of {me.name} and {sheet} in the sheet; the block counts"
            stage.unchecked(said.entry, f"sheet:{me.name}:{stat}", message)
        me.learn(stat, frozenset((value, old.get(stat, value))))
        me.first_stats[stat] = value
    _take_rank(me, block)


def _sheet_lacks(me: Fighter, absent: list[str]) -> bool:
    """A board without some of the rulebook's stats does not post them either."""
    return bool(me.sheet_stats) and not any(stat in me.sheet_stats for stat in absent)


def _take_rank(me: Fighter, block: StatBlock) -> None:
    if block.rank is not None:
        me.rank_readings.add(block.rank)
        me.rank = me.rank or block.rank


@rule("S3", cites="2.01 Stats")
def _compare(stage: Stage, said: Said, block: StatBlock) -> None:
    """A stat that differs from the first post without a tag that explains it is a finding.

    Later sums may follow either value; a return to the first one takes the finding back.
    """
    me = stage.me
    for stat, value in block.stats.items():
        first = me.first_stats.get(stat)
        if first is None:
            me.first_stats[stat] = value
            if stat not in me.stats:
                me.learn(stat, frozenset((value,)))
        elif value != first and said.before is None:
            if me.changed.get(stat, (first, None))[0] != value:
                message = f"{stat} was {first} in the first post, here it is {value}"
                trace = [f"first stat block: {stat} {first}", f"this stat block: {stat} {value}"]
                found = stage.add(
                    "stats-changed", said, message, claimed=value, expected=[first], rules=("S3",), trace=trace
                )
                me.changed[stat] = (value, found)
            me.learn(stat, me.stats.get(stat, frozenset()) | {value, first})
        elif stat in me.changed:
            _, finding = me.changed.pop(stat)
            stage.arena.case.book.taken_back(finding, said.entry)
    _take_rank(me, block)
