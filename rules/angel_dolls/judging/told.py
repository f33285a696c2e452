"""What posts tell in words from which no claim is read: gear regained, holds begun and ended, modifiers, stances.

Such words prove nothing, but a finding that they explain is not made: what hangs on it stays open, and a notice
quotes the words (decision 8). They are looked for only where a finding is about to be made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from referee.model.battle import Post
from referee.model.claims import Claim
from referee.ports.rules import Case, Entry
from referee.ports.telling import loose_lines
from rules.angel_dolls.judging.state import Bout, Item
from rules.angel_dolls.lexicon import Lexicon, lexicon_of
from rules.angel_dolls.statements import Check, Heading, Notes

#: A longer line tells no single thing.
_LONGEST = 1500
#: So many lines of a stranger's post are looked at.
_MOST_LINES = 200
#: So many posts back something may have been told that still holds.
_BACK = 12

_WORD = re.compile(r"\w[\w'-]*")
_REGAINED = re.compile(
    r"\b(?:back|again|grab\w*|catch\w*|caught|snatch\w*|pick\w*|gets?|got|retriev\w*|recover\w*|regain\w*|reclaim\w*"
    r"|scoop\w*|dives?|pull\w*|draw\w*|takes? up|in hand|wrench\w*|switch\w* on|powers? up|re-?activat\w*|works)\b",
    re.IGNORECASE,
)
_TAKEN_UP = re.compile(
    r"\b(?:picks?|takes?|snatch(?:es)?|grabs?|gets?|has|catch(?:es)?|scoops?)[ ]it(?:[ ](?:up|back|again))?\b",
    re.IGNORECASE,
)
_FREED = re.compile(
    r"\b(?:free[sd]?|loose|off|away|releas\w+|ends?|ended|slack\w*|cuts?|reels?|unwind\w*|escap\w+"
    r"|shak\w+|lets? go|drops?|untangl\w+|falls?|slips?|out of|breaks?|tears?|uncoil\w*|retract\w*"
    r"|withdraw\w*|no longer)\b",
    re.IGNORECASE,
)
#: So much of a way out that a doll's name beside it is enough.
_GETS_OUT = re.compile(
    r"\b(?:escap\w+|wriggl\w+|squirm\w+|lets? (?:\w+ )?go|slips? (?:out|free|loose|away)|loses? (?:\w+ )?(?:grip|hold)"
    r"|(?:throws?|shakes?|kicks?|pries?|push(?:es)?) (?:\w+ )?(?:off|away|loose)"
    r"|gets? (?:out|away|loose|free)|broken|free[ds]?)\b",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:wrap\w*|coil\w*|entangl\w+|tangl\w+|bound|caught|snar\w+|hold|holds|held|chok\w+|strangl\w+|grip\w*|pinn\w+"
    r"|tied|trapp\w+|loop\w*|lash\w*|wound around)\b",
    re.IGNORECASE,
)
_OF_A_HOLD = re.compile(
    r"\b(?:legs?|arms?|neck|throat|hold|entangle\w*|coils?|grip|himself|herself|itself)\b", re.IGNORECASE
)
_DEFENDS = re.compile(
    r"\b(?:brac\w+|full(?:y)? (?:defen\w+|guard)|defends? (?:fully|only|with all)|(?:nothing but|only) defen\w+"
    r"|turtl\w+|on the defensive|guard up|all[- ]out defen\w+|full defen[cs]e)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:simultaneous\w*|same (?:time|moment|instant|breath)|both (?:strike|attack|swing|lunge)"
    r"|trade blows|together)\b",
    re.IGNORECASE,
)
_GIVES_UP = re.compile(
    r"\b(?:drops?|abandon\w*|gives? up|leaves?|breaks?|lowers?)\b[^\n.]{0,30}\b(?:guard|defen[cs]e|stance)\b",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:automatic(?:ally)?|I (?:rule|call|judge)|ruling|judge'?s call|counts as|no roll needed)\b", re.IGNORECASE
)
_SIGNED = re.compile(r"(?<![\w.])([+-])[ ]?(\d{1,4})\b(?![ ]*[=%])")
#: Behind an amount of money, people, length or time: it is no modifier.
_NO_UNIT = (
    r"(?![ ](?:silver|gold|copper|coin|crown|mark|shilling|pound|dollar|credit|people|men|pace|step|inch|foot|feet|yard"
    r"|met(?:re|er)|mile|time|minute|hour|day|week|month|year)(?:s|es)?\b|[ ]pence\b)"
)
_NAMED_AMOUNT = re.compile(
    r"\b(?:bonus|penalty|modifier|minus|plus|malus|handicap|extra)\b[^\d\n.]{0,20}\b(\d{1,4})\b"
    rf"{_NO_UNIT}"
    r"|\b(\d{1,4})[ ](?:points? )?(?:bonus|penalty|more|less|extra|harder|easier|to hit|off)\b"
    rf"{_NO_UNIT}",
    re.IGNORECASE,
)
#: Amounts behind a verb, in figures or words: `dust costs Sedrik ten`.
_COSTS = re.compile(
    r"\b(?:costs?|grants?|gives?|adds?|earns?|lends?|takes)\b[^\d\n.]{0,25}?\b(\d{1,4}|five|ten|fifteen|twenty)\b"
    rf"{_NO_UNIT}",
    re.IGNORECASE,
)
_IN_WORDS = {"five": 5, "ten": 10, "fifteen": 15, "twenty": 20}
_SQUEEZES = re.compile(r"\b(?:grip\w*|tighten\w*|squeez\w+|chok\w+|strangl\w+|hold|holds|throat)\b", re.IGNORECASE)
#: A judge takes something back.
_TAKES_BACK = re.compile(
    r"\b(?:void|undo\w*|undone|takes? (?:that|it) back|ignore|disregard|re-?do|(?:does not|doesn't) count|nullif\w+)\b",
    re.IGNORECASE,
)
#: Lines of a round, for posts of somebody who judges in another's place.
_ROUND_LINE = re.compile(r"\b(?:damage|hp)\b", re.IGNORECASE)
#: What a line of damage or HP comes to: `= 51 -> 20`, `HP: Sedrik 120 -> 87`.
_BEHIND_ARROW = re.compile(r"(?P<old>\d{1,6})?\s{0,3}(?:->|=>|\u2192)\s{0,3}(?P<new>\d{1,6})\W{0,9}$")
_HEALED = re.compile(
    r"\b(?:heal\w*|regain\w*|repair\w*|restor\w*|recover\w*|mend\w*)\b[^\d\n.]{0,40}\b(\d{1,4})\b", re.IGNORECASE
)
_ELEMENTS = r"\b(?:affinit\w+|fire|water|earth|air|lightning|ice|light|dark)\b"
#: An element with its number: `Dark affinity counts 7`, `7 more from fire`; not `off into the dark; 7 links`.
_AFFINITY = re.compile(
    rf"{_ELEMENTS}[^.,;:!?\d\n]{{0,25}}\b(\d{{1,4}})\b|\b(\d{{1,4}})\b[^.,;:!?\d\n]{{0,25}}{_ELEMENTS}", re.IGNORECASE
)
_ABOUT_HP = re.compile(r"\d|\b(?:hp|damage|attack|hit|round|judg\w+)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}")


def lines_of(entry: Entry) -> Iterator[str]:
    """The lines of a post's own words in which nothing was read."""
    script = entry.reading.notes.script if isinstance(entry.reading.notes, Notes) else None
    return iter(()) if script is None else (line for _, line in loose_lines(script, entry.reading, _LONGEST))


def _lately(case: Case, entry: Entry) -> list[Entry]:
    """This post and those shortly before it, the newest first."""
    return [e for e in case.entries if entry.index - _BACK <= e.index <= entry.index][::-1]


#: The post and the line that explain a finding.
Found = tuple[Post, str] | None


class Told:
    """The words near one post, as far as a finding about `who` may rest on them."""

    def __init__(self, bout: Bout, entry: Entry, who: str | None, claim: Claim | None = None) -> None:
        """Words of `entry` and of the posts before it, about a finding at `claim`."""
        self.bout, self.entry, self.who = bout, entry, who
        self.strangling = claim is not None and isinstance(claim.data, Check) and claim.data.kind == "strangle"
        self.words: Lexicon = lexicon_of(bout.case.sheets)

    def explains(self, code: str, claimed: Any, expected: Any) -> tuple[str, str] | None:
        """The post and words that explain a finding; None where none do."""
        look = _LOOKS.get(code)
        due = list(expected) if isinstance(expected, (list, tuple, set, frozenset)) else []
        found = look(self, claimed, [value for value in due if isinstance(value, int)]) if look else None
        return (found[0].id, " ".join(found[1].split())[:200]) if found else None

    def here(self, fits: Callable[[str], Any]) -> Found:
        """The first line of this post that fits."""
        return next(((self.entry.post, line) for line in lines_of(self.entry) if fits(line)), None)

    def lately(self, fits: Callable[[str], Any], since: str | None = None) -> Found:
        """The first line that fits of this post or of those before it, down to the post `since`."""
        for entry in _lately(self.bout.case, self.entry):
            for line in lines_of(entry):
                if fits(line):
                    return entry.post, line
            if entry.post.id == since:
                break
        return None

    def this_round(self, fits: Callable[[str], Any]) -> Found:
        """The first line that fits of this post or of players' posts since the judge's last one."""
        judges = self.bout.case.sheets.judges
        for entry in _lately(self.bout.case, self.entry):
            if entry is not self.entry and entry.post.author.casefold() in judges:
                break
            for line in lines_of(entry):
                if fits(line):
                    return entry.post, line
        return None

    def names(self, line: str, item: Item) -> bool:
        """Whether a line names a thing, or its last word."""
        last = item.name.casefold().split(" ")[-1]
        return any(word.group().casefold() == last for word in _WORD.finditer(line))


def _amounts(line: str) -> set[int]:
    """The signed amounts that a line tells; one without a sign may be either."""
    found = {int(sign + number) for sign, number in _SIGNED.findall(line)}
    for first, second in _NAMED_AMOUNT.findall(line):
        number = int(first or second)
        found |= {number, -number}
    for word in _COSTS.findall(line):
        number = _IN_WORDS.get(word.casefold()) or int(word)
        found |= {number, -number}
    return found - {0}


def _told_amount(told: Told, wanted: Iterable[int]) -> Found:
    amounts = set(wanted) - {0}
    return told.here(lambda line: amounts & _amounts(line)) if amounts else None


def _total(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    return _told_amount(told, (claimed - value for value in due)) if isinstance(claimed, int) else None


def _penalty(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """A modifier told in words; a hold that began or ended in words."""
    written = claimed if isinstance(claimed, int) else 0
    amount = _told_amount(told, [*due, *(value - written for value in due)])
    if amount is not None:
        return amount
    who = told.who or ""
    holds = told.bout.holds_on(who)
    if not written and holds:
        first = holds[0].said[0] if holds[0].said else None
        names = [doll.name.split(" ")[0].casefold() for doll in told.bout.dolls.values()]
        return told.lately(lambda line: _is_freed(told, line, names), first)
    if written < 0 and 0 in due:  # a hold costs, a margin never does
        return told.lately(lambda line: _HELD.search(line) and _OF_A_HOLD.search(line)) or _entangled_before(told)
    return None


def _is_freed(told: Told, line: str, names: Sequence[str]) -> bool:
    """Whether a line tells that a hold ended."""
    if _GETS_OUT.search(line) and (_OF_A_HOLD.search(line) or any(name in line.casefold() for name in names)):
        return True
    return _FREED.search(line) is not None and _is_hold(told, line, names)


def _is_hold(told: Told, line: str, names: Sequence[str]) -> bool:
    """Whether a line that speaks of freeing is about a hold: it names its weapon, a limb, the entangle or itself."""
    if _OF_A_HOLD.search(line):
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
            found = told.lately(lambda line, item=item: told.names(line, item))  # type: ignore[misc]
            if found is not None:
                return found
    if any(claimed in (value * 3 // 2, -(-value * 3 // 2)) for value in due):
        return told.this_round(_DEFENDS.search)
    if any(claimed in (value // 2, -(-value // 2)) for value in due):
        return told.this_round(_TOGETHER.search)
    return _told_amount(told, (claimed - value for value in due))


def _weapon_out(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """Gear regained in words since it was lost."""
    doll = told.bout.doll(told.who)
    for item in doll.items.values() if doll else ():
        if told.bout.standing(doll, item) != "out" or item.lost.get("shattered"):  # type: ignore[arg-type]
            continue
        since = item.said[0] if item.said else None
        found = told.lately(
            lambda line, item=item: (_REGAINED.search(line) and told.names(line, item)) or _TAKEN_UP.search(line),  # type: ignore[misc]
            since,
        ) or _penalty(told, None, [])
        if found is not None:
            return found
    return None


def _full_defense(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    return told.here(_GIVES_UP.search)


def _damage(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """An affinity or another amount told in words; for a strangle hold, a step that was told in words."""
    if not isinstance(claimed, int):
        return None
    wanted = {abs(claimed - value) for value in due} - {0}
    steps = {value << k for value in due for k in range(4)} if told.strangling else set()
    if claimed in steps.difference(due):
        step = told.lately(lambda line: _SQUEEZES.search(line) and steps & set(map(int, _NUMBER.findall(line))))
        if step is not None:
            return step
    found = told.here(lambda line: wanted & {int(a or b) for a, b in _AFFINITY.findall(line)})
    return found or _told_amount(told, (claimed - value for value in due))


def _outcome(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    return told.here(_CALLED.search)


def _hp(told: Told, claimed: Any, due: Sequence[int]) -> Found:
    """Healing told in words; damage told in words is looked for by the engine."""
    gains = {claimed - value for value in due} if isinstance(claimed, int) else set()
    found = told.lately(lambda line: gains & set(map(int, _HEALED.findall(line))))
    found = found or told.this_round(lambda line: _TAKES_BACK.search(line) and _ABOUT_HP.search(line))
    return found or _judged_by_another(told, {abs(gain) for gain in gains} - {0})


def _judged_by_another(told: Told, amounts: set[int]) -> Found:
    """A line of damage or HP in a post of somebody who is no judge of this battle: it has no effect (G21)."""
    case = told.bout.case
    last = told.entry.index
    for post in case.battle.posts[max(0, last - _BACK) : last][::-1] if amounts else ():
        if post.author.casefold() in case.sheets.judges or case.sheets.of_player(post.author):
            continue
        for block in post.blocks:
            for line in block.text.split("\n")[:_MOST_LINES] if block.kind == "own" else ():
                if _ROUND_LINE.search(line[:_LONGEST]) and amounts & _taken(line[:_LONGEST]):
                    return post, line
    return None


def _taken(line: str) -> set[int]:
    """The HP that a line of a round may take: what its arrow shows, or any of its numbers where it has none."""
    shown = _BEHIND_ARROW.search(line)
    if shown is None:
        return set(map(int, _NUMBER.findall(line)[:_MOST_LINES]))
    new = int(shown["new"])
    return {abs(int(shown["old"]) - new)} if shown["old"] and "amage" not in line.casefold() else {new}


_LOOKS: dict[str, Callable[[Told, Any, Sequence[int]], Found]] = {
    "total": _total,
    "penalty": _penalty,
    "chain": _penalty,
    "stat": _stat,
    "weapon-out": _weapon_out,
    "full-defense": _full_defense,
    "damage": _damage,
    "affinity": _damage,
    "outcome": _outcome,
    "hp": _hp,
}
