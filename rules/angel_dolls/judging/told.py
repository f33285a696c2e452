"""What posts tell in words from which no claim is read: gear regained, holds begun and ended, modifiers, stances.

Such words prove nothing, but a finding that they explain is not made: what hangs on it stays open, and a notice
quotes the words (decision 8). They are looked for only where a finding is about to be made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from referee.model.battle import Post
from referee.model.claims import Claim
from referee.ports.rules import Case, Entry
from referee.ports.telling import loose_lines
from rules.angel_dolls.judging.state import Bout, Item
from rules.angel_dolls.judging.told_words import (
    ABOUT_HP,
    AFFINITY,
    BEHIND_ARROW,
    CALLED,
    CHANGES,
    COSTS,
    DEFENDS,
    FREED,
    GETS_OUT,
    GIVES_UP,
    HEALED,
    HELD,
    IN_WORDS,
    NAMED_AMOUNT,
    NUMBER,
    OF_A_HOLD,
    OF_HOLDS,
    REGAINED,
    ROUND_LINE,
    SENTENCE,
    SIGNED,
    SQUEEZES,
    TAKEN_UP,
    TAKES_BACK,
    TOGETHER,
    WORD,
)
from rules.angel_dolls.lexicon import Lexicon, lexicon_of
from rules.angel_dolls.statements import Check, Heading, Notes, PoolLine

#: A longer line tells no single thing.
_LONGEST = 1500
#: So many lines of a stranger's post are looked at.
_MOST_LINES = 200
#: So many sums of what lines take are looked at.
_MOST_SUMS = 500
#: So many posts back something may have been told that still holds.
_BACK = 12


def sentences_of(entry: Entry) -> Iterator[str]:
    """The sentences of a post's own words in which nothing was read."""
    script = entry.reading.notes.script if isinstance(entry.reading.notes, Notes) else None
    for _, line in loose_lines(script, entry.reading, _LONGEST) if script is not None else ():
        yield from SENTENCE.split(line)


def _lately(case: Case, entry: Entry) -> list[Entry]:
    """This post and those shortly before it, the newest first."""
    return [e for e in case.entries if entry.index - _BACK <= e.index <= entry.index][::-1]


#: The post and the words that explain a finding.
Found = tuple[Post, str] | None


class Told:
    """The words near one post, as far as a finding about `who` may rest on them."""

    def __init__(self, bout: Bout, entry: Entry, who: str | None, claim: Claim | None = None) -> None:
        """Words of `entry` and of the posts before it, about a finding at `claim`."""
        self.bout, self.entry, self.who = bout, entry, who
        self.said = claim.data if claim is not None else None
        self.strangling = isinstance(self.said, Check) and self.said.kind == "strangle"
        self.words: Lexicon = lexicon_of(bout.case.sheets)

    def explains(self, code: str, claimed: Any, expected: Any) -> tuple[str, str] | None:
        """The post and words that explain a finding; None where none do."""
        look = _LOOKS.get(code)
        due = list(expected) if isinstance(expected, (list, tuple, set, frozenset)) else []
        found = look(self, claimed, [value for value in due if isinstance(value, int)]) if look else None
        return (found[0].id, " ".join(found[1].split())[:200]) if found else None

    def here(self, fits: Callable[[str], Any]) -> Found:
        """The first sentence of this post that fits."""
        return next(((self.entry.post, line) for line in sentences_of(self.entry) if fits(line)), None)

    def lately(self, fits: Callable[[str], Any], since: str | None = None) -> Found:
        """The first sentence that fits of this post or of those before it, down to the post `since`."""
        for entry in _lately(self.bout.case, self.entry):
            for line in sentences_of(entry):
                if fits(line):
                    return entry.post, line
            if entry.post.id == since:
                break
        return None

    def this_round(self, fits: Callable[[str], Any]) -> Found:
        """The first sentence that fits of this post or of players' posts since the judge's last one."""
        judges = self.bout.case.sheets.judges
        for entry in _lately(self.bout.case, self.entry):
            if entry is not self.entry and entry.post.author.casefold() in judges:
                break
            for line in sentences_of(entry):
                if fits(line):
                    return entry.post, line
        return None

    def judged(self, fits: Callable[[str], Any]) -> Found:
        """The first sentence that fits of the judge's newest posts; nobody else takes a round back."""
        judges = self.bout.case.sheets.judges
        said = [e for e in _lately(self.bout.case, self.entry) if not judges or e.post.author.casefold() in judges]
        return next(((e.post, line) for e in said[:2] for line in sentences_of(e) if fits(line)), None)

    def names(self, line: str, item: Item) -> bool:
        """Whether a line names a thing, or its last word."""
        last = item.name.casefold().split(" ")[-1]
        return any(word.group().casefold() == last for word in WORD.finditer(line))


def _amounts(line: str) -> set[int]:
    """The signed amounts that a line tells; one without a sign may be either."""
    found = {int(sign + number) for sign, number in SIGNED.findall(line)}
    for named in NAMED_AMOUNT.findall(line):
        number = int("".join(named))
        found |= {number, -number}
    for word in COSTS.findall(line):
        number = IN_WORDS.get(word.casefold()) or int(word)
        found |= {number, -number}
    return found - {0}


def _told_amount(told: Told, wanted: Iterable[int]) -> Found:
    amounts = set(wanted) - {0}
    return told.here(lambda line: amounts & _amounts(line)) if amounts else None


def _total(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    return _told_amount(told, (claimed - value for value in due)) if isinstance(claimed, int) else None


def _penalty(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """A modifier told in words; a hold that began or ended in words."""
    amount = _modifier(told, claimed, due)
    if amount is not None:
        return amount
    written = claimed if isinstance(claimed, int) else 0
    if not written and OF_HOLDS.issuperset(due):
        return _freed(told)
    if written < 0 and 0 in due:  # a hold costs, a margin never does
        return told.lately(lambda line: HELD.search(line) and OF_A_HOLD.search(line)) or _entangled_before(told)
    return None


def _modifier(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    written = claimed if isinstance(claimed, int) else 0
    return _told_amount(told, [*due, *(value - written for value in due)])


def _freed(told: Told) -> Found:
    """Words that end a hold on this doll."""
    holds = told.bout.holds_on(told.who or "")
    if not holds:
        return None
    first = holds[0].said[0] if holds[0].said else None
    names = [doll.name.split(" ")[0].casefold() for doll in told.bout.dolls.values()]
    return told.lately(lambda line: _is_freed(told, line, names), first)


def _is_freed(told: Told, line: str, names: Sequence[str]) -> bool:
    """Whether a sentence tells that a hold ended, and not one of other dolls."""
    low = line.casefold()
    holds = told.bout.holds_on(told.who or "")
    ours = {str(name).split(" ")[0].casefold() for hold in holds for name in (hold.held, hold.holder)}
    if any(name in low for name in names) and not any(name in low for name in ours):
        return False
    if GETS_OUT.search(line) and (OF_A_HOLD.search(line) or any(name in line.casefold() for name in names)):
        return True
    return FREED.search(line) is not None and _is_hold(told, line, names)


def _is_hold(told: Told, line: str, names: Sequence[str]) -> bool:
    """Whether a line that speaks of freeing is about a hold: it names its weapon, a limb, the entangle or itself."""
    if OF_A_HOLD.search(line):
        return True
    low = line.casefold()
    held = [hold.weapon.split(" ")[-1] for hold in told.bout.holds_on(told.who or "") if hold.weapon]
    return any(word in low for word in held) and (any(name in low for name in names) or len(low) < 80)


def _entangled_before(told: Told) -> Found:
    """An attack that entangles this doll and hits, by the post; no sentence states what becomes of it."""
    for entry in _lately(told.bout.case, told.entry):
        aimed: Claim | None = None
        for claim in entry.reading.claims:
            data = claim.data
            if isinstance(data, Heading):
                holds = data.manoeuvre in ("entangle", "strangle") and data.defender == told.who
                aimed = claim if holds else None
            elif aimed is not None and isinstance(data, Check) and data.kind == "hit" and data.word == "hit":
                return entry.post, aimed.quote
    return None


def _stat(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """Gear switched on or off, put on or off; a stance or a strike at the same time told in words."""
    if not isinstance(claimed, int):
        return None
    differences = {abs(claimed - value) for value in due} - {0}
    doll = told.bout.doll(told.who)
    for item in doll.items.values() if doll else ():
        given = {abs(value) for value in item.gear.stats.values()} if item.gear else set()
        if item.gear and differences & given:
            found = told.lately(lambda line, item=item: told.names(line, item) and CHANGES.search(line))  # type: ignore[misc]
            if found is not None:
                return found
    if any(claimed in (value * 3 // 2, -(-value * 3 // 2)) for value in due):
        return told.this_round(DEFENDS.search)
    if any(claimed in (value // 2, -(-value // 2)) for value in due):
        return told.this_round(TOGETHER.search)
    return _told_amount(told, (claimed - value for value in due))


def _weapon_out(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """Gear regained in words since it was lost."""
    doll = told.bout.doll(told.who)
    for item in doll.items.values() if doll else ():
        if told.bout.standing(doll, item) != "out" or item.lost.get("shattered"):  # type: ignore[arg-type]
            continue
        since = item.said[0] if item.said else None
        found = told.lately(
            lambda line, item=item: (REGAINED.search(line) and told.names(line, item)) or TAKEN_UP.search(line),  # type: ignore[misc]
            since,
        )
        if found is None and not item.lost:
            found = _freed(told)
        if found is not None:
            return found
    return None


def _full_defense(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    return told.here(GIVES_UP.search)


def _damage(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """An affinity or another amount told in words; for a strangle hold, a step that was told in words."""
    if not isinstance(claimed, int):
        return None
    wanted = {abs(claimed - value) for value in due} - {0}
    steps = {value << k for value in due for k in range(4)} if told.strangling else set()
    if claimed in steps.difference(due):
        step = told.lately(lambda line: SQUEEZES.search(line) and steps & set(map(int, NUMBER.findall(line))))
        if step is not None:
            return step
    found = told.here(lambda line: wanted & {int(a or b) for a, b in AFFINITY.findall(line)})
    return found or _told_amount(told, (claimed - value for value in due))


def _outcome(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    return told.here(CALLED.search)


def _hp(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """Healing told in words; damage told in words is looked for by the engine."""
    gains = {claimed - value for value in due} if isinstance(claimed, int) else set()
    found = told.lately(lambda line: gains & set(map(int, HEALED.findall(line))))
    found = found or told.judged(lambda line: TAKES_BACK.search(line) and ABOUT_HP.search(line))
    return found or _judged_by_another(told, {abs(gain) for gain in gains} - {0})


def _judged_by_another(told: Told, amounts: set[int]) -> Found:
    """A line of damage or HP in a post of somebody who is no judge of this battle: it has no effect (G21).

    It explains what such a line takes, what several of them take together, and a line that goes on from their HP.
    """
    case = told.bout.case
    last = told.entry.index
    old = told.said.old if isinstance(told.said, PoolLine) else None
    losses = {0}
    for post in case.battle.posts[max(0, last - _BACK) : last][::-1] if amounts else ():
        if post.author.casefold() in case.sheets.judges or case.sheets.of_player(post.author):
            continue
        for line in _round_lines(post):
            taken, left = _taken(line)
            if left is None and len(taken) == 1 and len(losses) < _MOST_SUMS:
                losses |= {loss + one for loss in losses for one in taken}
            if amounts & (taken | losses) or (old is not None and old == left):
                return post, line
    return None


def _round_lines(post: Post) -> Iterator[str]:
    """The lines of damage and HP in a post that nobody judges."""
    for block in post.blocks:
        for line in block.text.split("\n")[:_MOST_LINES] if block.kind == "own" else ():
            if ROUND_LINE.search(line[:_LONGEST]):
                yield line[:_LONGEST]


def _taken(line: str) -> tuple[set[int], int | None]:
    """The HP that a line of a round may take, and those that it leaves.

    The first is what its arrow shows, or any of its numbers where it has none.
    """
    shown = BEHIND_ARROW.search(line)
    if shown is None:
        return set(map(int, NUMBER.findall(line)[:_MOST_LINES])), None
    new = int(shown["new"])
    if "amage" in line.casefold():
        return {new}, None
    return ({abs(int(shown["old"]) - new)} if shown["old"] else {new}), new


_LOOKS: dict[str, Callable[[Told, Any, Sequence[int]], Found]] = {
    "total": _total,
    "penalty": _penalty,
    "chain": _modifier,
    "stat": _stat,
    "weapon-out": _weapon_out,
    "full-defense": _full_defense,
    "damage": _damage,
    "affinity": _damage,
    "outcome": _outcome,
    "hp": _hp,
}
