"""What a post may tell in words of this system, so that something which differs is not called wrong.

Only asked when a finding is about to be written (docs/decisions/0006 and 0008): each code has the topics that would
explain it. What is told stays no claim: a notice quotes it in the finding's place and both readings stay open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from referee.model.figure import Figure
from referee.ports.telling import Told, letters, numbers_in
from referee.ports.topics import AFFLICTS, ALLOWED, DOUBLES, HEALS, HURT, RETURNS, SHIELDS, blow
from rules.enolaptia.book import section
from rules.enolaptia.claims import Drops, Move, Order
from rules.enolaptia.judging.scene import Scene, Spot
from rules.enolaptia.judging.topics import (
    AGAIN,
    CHANGED,
    COUNTED,
    DRINK,
    ESCAPES,
    EXCEPTION,
    HALF,
    JOINS,
    LEAVES,
    LUCK,
    MORE_EXP,
    MOVE_CHOSEN,
    NEXT,
    OF_BLOWS,
    OF_NAMES,
    OVER,
    RETOLD,
    SECOND,
    SOMEBODY,
    STRONGER,
    SWIFT,
    THEY,
    TIE,
    TIE_KEPT,
    TIMES,
    WAITS,
    kills,
)

#: What changes HP is told in the post itself or in one of so many before it; what lasts, in so many.
_NEAR, _LASTS = 4, 10
_MOST_AMOUNTS = 6


_FACTORS = {"doub": 2, "twic": 2, "trip": 3, "thri": 3}


class Doubt(NamedTuple):
    """A finding that is about to be written: its place, whom it is about, and the numbers."""

    scene: Scene
    spot: Spot
    character: str | None
    claimed: Any
    expected: tuple[int, ...]
    due: tuple[str, ...]

    @property
    def steps(self) -> frozenset[int]:
        """By how much the number differs from each of the right ones, signed."""
        return frozenset(self.claimed - due for due in self.expected) if isinstance(self.claimed, int) else frozenset()

    @property
    def who(self) -> tuple[str, ...]:
        """Whom it is about, if anybody."""
        return (self.character,) if self.character else ()

    def find(self, what: re.Pattern[str], who: Iterable[str] = (), **more: Any) -> Told | None:
        """The nearest sentence on a topic."""
        return self.scene.telling.tells(self.spot.entry, what, who, **more)

    def sentences(self, back: int = 0) -> tuple[Told, ...]:
        """Every sentence of the post and of those before it."""
        return self.scene.telling.sentences(self.spot.entry, back)

    def since(self, name: str, most: int) -> int:
        """How many posts back words may still change a fighter's HP: not behind the post that stated them last."""
        fighter = self.scene.field.find(name)
        stated = fighter.pool.stated if fighter is not None else None
        if stated is None:
            return most
        here = self.spot.entry.index
        entries = self.scene.case.entries[max(0, here - most) : here + 1]
        place = next((entry.index for entry in entries if entry.post.id == stated[0]), here - most)
        return here - place


def explained(scene: Scene, code: str, spot: Spot, character: str | None, more: Mapping[str, Any]) -> str | None:
    """The words that would explain a difference, and their post; None where it stands without any."""
    look = _LOOKS.get(code)
    if look is None:
        return None
    due = more.get("expected")
    listed = due.values if isinstance(due, Figure) else due
    wanted = tuple(n for n in listed or () if isinstance(n, int)) if not isinstance(listed, Mapping) else ()
    names = tuple(name for name in listed or () if isinstance(name, str)) if not isinstance(listed, Mapping) else ()
    doubt = Doubt(scene, spot, character, more.get("claimed"), wanted, names)
    told = look(doubt) or doubt.find(ALLOWED, back=1)
    return None if told is None else f"words of {told.post} may explain it and were not read: {told.words[:200]}"


# -- one look a code --------------------------------------------------------------------------------------


def _order(doubt: Doubt) -> Told | None:
    """A tie told on a line of its own or kept, Speed changed, somebody who waits; also in the order itself."""
    if TIE_KEPT.search(doubt.spot.claim.quote[:600]):
        return Told(doubt.spot.entry.post.id, doubt.spot.entry.post.author, doubt.spot.claim.quote)
    return doubt.find(TIE) or _swift(doubt)


def _swift(doubt: Doubt) -> Told | None:
    """Somebody of the battle is quicker, slower or caught unawares; never the innkeeper's dog."""
    order = doubt.spot.claim.data
    names = [name for name, _ in order.entries] if isinstance(order, Order) else []
    told = doubt.find(SWIFT, names, named=True)
    if told is not None:
        return told
    unnamed = doubt.scene.telling.sentences(doubt.spot.entry, 0, SWIFT)
    return next((told for told in unnamed if THEY.search(told.words) and not WAITS.search(told.words)), None)


def _moves(doubt: Doubt) -> Told | None:
    if not isinstance(doubt.claimed, int):
        return doubt.find(MOVE_CHOSEN, doubt.who)
    ordered = any(isinstance(claim.data, Order) for claim in doubt.spot.entry.reading.claims)
    return doubt.find(AGAIN) or (None if ordered else doubt.find(NEXT))


def _allocation(doubt: Doubt) -> Told | None:
    gone = doubt.find(LEAVES, doubt.due, back=_LASTS, named=True) if doubt.due else None
    return doubt.find(SHIELDS) or doubt.find(MOVE_CHOSEN) or gone


def _damage(doubt: Doubt) -> Told | None:
    """AT changed with its number, a doubling, or the second roll of a 6 told in words."""
    data = doubt.spot.claim.data
    if isinstance(data, Move) and data.roll.values[:1] == (6,) and len(data.roll.values) == 1:
        told = next((told for told in doubt.sentences() if SECOND.search(told.words)), None)
        if told is not None:
            return told
    for told in doubt.scene.telling.sentences(doubt.spot.entry, _LASTS, STRONGER):
        if _gives(doubt, told.words, data):
            return told
    return None


def _gives(doubt: Doubt, words: str, data: object) -> bool:
    """Whether words about strength or armour hold the AT used, the amount, the difference, or a factor."""
    said = _numbers_of_blows(doubt, OF_NAMES.sub("", words), data)
    bases = {data.base} - {_attack_value(doubt), None} if isinstance(data, Move) else set()
    if _changes_a_blow(words) and not said.isdisjoint({*bases, doubt.claimed, *map(abs, doubt.steps)}):
        return True
    factors = {_FACTORS[(met["factor"] or met["behind"])[:4].casefold()] for met in TIMES.finditer(words)}
    if any(due * n == doubt.claimed for due in doubt.expected for n in factors):
        return True
    return HALF.search(words) is not None and any(doubt.claimed in (due // 2, -(-due // 2)) for due in doubt.expected)


def _numbers_of_blows(doubt: Doubt, words: str, data: object) -> frozenset[int]:
    """The numbers of a sentence that may change a blow: all where it names one of the two, else those of blows."""
    target = data.aim.name if isinstance(data, Move) and data.aim else data.target if isinstance(data, Move) else None
    if any([doubt.scene.telling.names(words, name) for name in (doubt.character, target) if name]):
        return numbers_in(words)
    return numbers_in(" ".join([met["behind"] or met["ahead"] for met in OF_BLOWS.finditer(words)]))


def _attack_value(doubt: Doubt) -> int | None:
    """The AT by the sheet of whoever strikes."""
    fighter = doubt.scene.field.find(doubt.character) if doubt.character else None
    return fighter.at if fighter is not None else None


def _changes_a_blow(words: str) -> bool:
    """Whether words about strength or armour say that a blow is another than usual; damage alone is the blow told."""
    return STRONGER.search(RETOLD.sub("", words)) is not None or CHANGED.search(words) is not None


def _potion(doubt: Doubt) -> Told | None:
    data = doubt.spot.claim.data
    target = data.target if isinstance(data, Move) else None
    return doubt.find(JOINS, [target], back=_LASTS, named=True) if target else None


def _drop(doubt: Doubt) -> Told | None:
    """A kill told in words, for a drop that is not due; luck for another one."""
    data = doubt.spot.claim.data
    fallen = [row.creature for row in data.rows] if isinstance(data, Drops) else []
    creatures = [
        f.name for name in fallen if (f := doubt.scene.field.find(name)) is not None and not f.pool.may_be_down
    ]
    return _killed(doubt, creatures) or doubt.find(LUCK)


def _exp(doubt: Doubt) -> Told | None:
    """Kills told in words of creatures that stand, where more EXP are written; other EXP than the table's."""
    standing = [f.name for f in doubt.scene.field.creatures.values() if not f.pool.may_be_down]
    more = any(step > 0 for step in doubt.steps)
    counted = doubt.find(COUNTED, numbers=map(abs, doubt.steps)) if doubt.steps else None
    return (_killed(doubt, standing) if more else None) or doubt.find(MORE_EXP) or counted


def _killed(doubt: Doubt, creatures: list[str]) -> Told | None:
    """A sentence that tells of the death of one of these."""
    found = (doubt.find(kills(name), back=_NEAR) for name in creatures)
    return next((told for told in found if told is not None), None)


def _hp(doubt: Doubt) -> Told | None:
    name = doubt.character
    if name is None:
        return None
    near = doubt.since(name, _NEAR)
    if any(step > 0 for step in doubt.steps):
        return (
            _told_of(doubt, HEALS, name, near)
            or _told_of(doubt, RETURNS, name, near)
            or doubt.find(SHIELDS)
            or _by_thing(doubt, name, ("potions", "spells", "items", "skills", "specials"))
        )
    return (
        _sum_told(doubt, name)
        or doubt.find(AFFLICTS, [name], back=near, named=True)
        or doubt.find(DOUBLES, [name], back=min(1, near))
        or doubt.find(SHIELDS, [name], named=True)
        or _by_thing(doubt, name, ("spells", "skills", "specials"))
        or _blow_told(doubt, name)
    )


def _told_of(doubt: Doubt, topic: re.Pattern[str], name: str, back: int) -> Told | None:
    """A sentence of the post that names nobody else; of an earlier post one that names the fighter, or its player's."""
    sheets = doubt.scene.case.sheets.characters
    player = next((sheet.player for sheet in sheets if sheet.name == name), None)
    return (
        doubt.find(topic, [name])
        or doubt.find(topic, [name], back=back, named=True)
        or (doubt.find(topic, [name], back=back, by=player) if player else None)
    )


def _by_thing(doubt: Doubt, name: str, tables: tuple[str, ...]) -> Told | None:
    """A spell, potion or the like of the tables that is used in words on somebody: `Mira casts Ember on Rat 1`."""
    things = [letters(str(thing)) for table in tables for thing in section(doubt.scene.case.sheets.tables, table)]
    telling = doubt.scene.telling
    read = {letters(c.data.ability or "") for c in doubt.spot.entry.reading.claims if isinstance(c.data, Move)}
    for told in doubt.sentences(doubt.since(name, _NEAR)):
        used = next((thing for thing in things if thing and thing in letters(told.words)), None)
        verb = DRINK.search(told.words)
        if used is None or used in read or verb is None:
            continue
        # Whoever casts a spell is not hurt by it.
        if telling.names(told.words if "potions" in tables else told.words[verb.end() :], name):
            return told
    return None


def _sum_told(doubt: Doubt, name: str) -> Told | None:
    """Damage told as numbers that come to the difference, in one sentence or several."""
    telling = doubt.scene.telling
    amounts: list[int] = []
    first: Told | None = None
    for told in doubt.scene.telling.sentences(doubt.spot.entry, doubt.since(name, 2 * _NEAR), HURT):
        about = telling.names(told.words, name) or SOMEBODY.search(told.words)
        if about:
            amounts += sorted(numbers_in(OF_NAMES.sub("", told.words)) - {0})
            first = first or told
    rows = amounts[:_MOST_AMOUNTS]
    sums = {sum(some) for size in range(1, len(rows) + 1) for some in combinations(rows, size)}
    return first if not sums.isdisjoint(-step for step in doubt.steps) else None


def _blow_told(doubt: Doubt, name: str) -> Told | None:
    """A blow told without its number, in a post that has no move on that fighter."""
    for claim in doubt.spot.entry.reading.claims:
        if isinstance(claim.data, Move):
            target = doubt.scene.field.find(claim.data.target) if claim.data.target else None
            if target is None or target.name == name:
                return None
    told = doubt.find(blow(name))
    return told if told is not None and not numbers_in(OF_NAMES.sub("", told.words)) else None


def _down(doubt: Doubt) -> Told | None:
    return doubt.find(RETURNS, doubt.who, back=_LASTS) or doubt.find(HEALS, doubt.who, back=_NEAR, named=True)


_LOOKS: Mapping[str, Callable[[Doubt], Told | None]] = {
    "encounter": lambda doubt: doubt.find(EXCEPTION),
    "party-size": lambda doubt: None,
    "order": _order,
    "moves": _moves,
    "run": lambda doubt: doubt.find(ESCAPES, doubt.who) or doubt.find(ESCAPES, back=1, named=True),
    "allocation": _allocation,
    "damage": _damage,
    "potion": _potion,
    "teleport": lambda doubt: doubt.find(OVER, back=1),
    "drop": _drop,
    "exp": _exp,
    "hp": _hp,
    "acts-while-down": _down,
}
