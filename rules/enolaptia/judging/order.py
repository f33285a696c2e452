"""The order of a battle turn: Speeds, ties, and what is said of them (E3, NE2, NE9, NE17)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from rules.enolaptia.claims import Order, Tie
from rules.enolaptia.encounters import LARGEST_PARTY
from rules.enolaptia.judging.field import Fighter
from rules.enolaptia.judging.scene import LateTie, Scene, Spot, Turn
from rules.enolaptia.judging.turns import still_there, too_many
from rules.enolaptia.turn_order import creature_goes_first, first_too_slow


class _Listed(NamedTuple):
    """An entry of the order: a character, or all creatures of a kind."""

    name: str
    fighter: Fighter | None
    kind: str | None
    speed: int | None


def new_turn(scene: Scene, spot: Spot, order: Order) -> None:
    """Judge the order of a battle turn and begin the turn (E3)."""
    named = _named(scene, spot, order)
    listed = list({entry.name: entry for entry, _ in named}.values())
    for entry in listed:
        if entry.fighter is not None:
            _listed_in(scene, spot, entry.fighter)
    dice = [scene.roll(spot, tie.roll, scene.author_of(spot.entry), rules=("E3",)).readings for tie in order.ties]
    groups = _groups(listed)
    problem = _slow(listed) or _ties_problem(scene, listed, groups, order.ties, dice, order.tie_unread)
    characters = sum([entry.fighter is not None for entry in listed])
    if characters > LARGEST_PARTY and not scene.field.duel:
        too_many(scene, spot, characters, "characters")
    if problem is not None:
        _misordered(scene, spot, listed, problem)
    scene.turn = Turn(
        known=True,
        number=scene.turn.number,
        places={entry.name: place for place, entry in enumerate(listed)},
        judge_sequence=problem is None and spot.before is None,
    )
    if problem is None and not scene.field.duel:
        for tie in order.ties:
            _late_tie(scene, spot, listed, groups, tie)
    _doubtful_speeds(scene, spot, named)


def _listed_in(scene: Scene, spot: Spot, fighter: Fighter) -> None:
    """Who is listed is in the battle: that settles a doubtful escape."""
    still_there(scene, spot, fighter)
    fighter.named_in()
    if fighter.speed is None:
        scene.missing(spot, fighter, "Speed")


def _named(scene: Scene, spot: Spot, order: Order) -> list[tuple[_Listed, int | None]]:
    """The known entries of an order with the Speed written; a name that comes again is its first entry again."""
    found: dict[str, _Listed] = {}
    named: list[tuple[_Listed, int | None]] = []
    for text, written in order.entries:
        fighter = scene.field.find(text)
        kind = scene.field.kind_of(text) if fighter is None or fighter.kind is not None else None
        if kind is not None:
            sheet = scene.book.creature(kind)
            speed = sheet.speed if sheet is not None else None
            entry = _Listed(kind, None, kind, written if speed is None else speed)
        elif fighter is not None:
            entry = _Listed(fighter.name, fighter, None, written if fighter.speed is None else fighter.speed)
        else:
            scene.stranger(spot, text, "the place in the order is not judged")
            continue
        named.append((found.setdefault(entry.name, entry), written))
    return named


def _speeds(listed: list[_Listed]) -> list[str]:
    return [f"{entry.name}: Speed {entry.speed}" for entry in listed]


_Problem = tuple[str | None, str, list[str]]


def _misordered(scene: Scene, spot: Spot, listed: list[_Listed], problem: _Problem) -> None:
    who, message, trace = problem
    scene.report("order", spot, who, message, trace=[*_speeds(listed), *trace])


def _late_tie(scene: Scene, spot: Spot, listed: list[_Listed], groups: list[list[_Listed]], tie: Tie) -> None:
    """A tie whose winner is listed behind the rivals, as in `Marsh Rat (9), Tobin (9) - tie 1d6 = 5, Tobin first`."""
    for group in groups:
        first = _entry(scene, group, tie.first) if tie.first else None
        ahead = _rivals_ahead(scene, group, first) if first is not None else []
        if first is None or not ahead:
            continue
        who = _character(first, ahead[0])
        message = f"the tie goes to {first.name}, but {ahead[0].name} moves first"
        problem = (who, message, [f"said: {first.name} first"])
        speak = partial(_misordered, scene, spot, listed, problem)
        names = [entry.name for entry in ahead]
        scene.turn.late_ties.append(LateTie(first.name, frozenset(names), speak))
        scene.turn.tied |= {frozenset((first.name, name)) for name in names}


def _rivals_ahead(scene: Scene, group: list[_Listed], first: _Listed) -> list[_Listed]:
    """The rivals of a tie's winner, where all of them are listed ahead."""
    rivals = [b if a is first else a for a, b in _rivals(scene, group) if first in (a, b)]
    return rivals if all(group.index(other) < group.index(first) for other in rivals) else []


def _slow(listed: list[_Listed]) -> _Problem | None:
    place = first_too_slow([entry.speed for entry in listed])
    if place is None:
        return None
    late = listed[place]
    slower = [e for e in listed[:place] if e.speed is not None and late.speed is not None and e.speed < late.speed]
    whom = f"{slower[0].name} (Speed {slower[0].speed})" if slower else "somebody slower"
    message = f"{late.name} (Speed {late.speed}) stands behind {whom}"
    return late.name, message, ["highest Speed first"]


def _ties_problem(
    scene: Scene,
    listed: list[_Listed],
    groups: list[list[_Listed]],
    ties: Sequence[Tie],
    dice: Sequence[tuple[tuple[int, ...], ...]],
    tie_unread: bool,
) -> _Problem | None:
    """What is wrong with the ties of an order: no roll, or one that is read the wrong way round."""
    contested = [group for group in groups if _rivals(scene, group)]
    for group in contested:
        rivals = _rivals(scene, group)
        meant, sure = _own_ties(scene, listed, contested, group, ties)
        rolled = [(ties[place], dice[place]) for place in meant]
        if not rolled and tie_unread:
            continue
        if not rolled:
            one, two = rivals[0]
            message = f"{one.name} and {two.name} tie at Speed {one.speed}, and no tie roll is written"
            why = "a tie between a creature and a character takes a d6"
            if scene.field.duel:
                why = "characters of two sides that tie roll a d6 each"
            return _character(one, two), message, [why]
        for tie, readings in rolled:
            problem = _read_wrongly(scene, group, tie, readings) if sure or tie.first is not None else None
            if problem is not None:
                return problem
    return None


def _own_ties(
    scene: Scene, listed: list[_Listed], contested: list[list[_Listed]], group: list[_Listed], ties: Sequence[Tie]
) -> tuple[list[int], bool]:
    """The places of the rolls that may be one group's, and whether those that name nobody are surely its own.

    By who is first; where there is a roll for each group, and nobody named is of another one, they stand in
    the order of the groups.
    """
    in_order = len(ties) == len(contested) and all(
        [
            tie.first is None or _entry(scene, one, tie.first) is not None
            for tie, one in zip(ties, contested, strict=True)
        ]
    )
    if in_order:
        return [contested.index(group)], True
    may = [n for n, tie in enumerate(ties) if tie.first is None or _may_mean(scene, listed, group, tie.first)]
    return may, len(contested) == 1


def _groups(listed: list[_Listed]) -> list[list[_Listed]]:
    """The entries that tie, by Speed."""
    by_speed: dict[int, list[_Listed]] = {}
    for entry in listed:
        if entry.speed is not None:
            by_speed.setdefault(entry.speed, []).append(entry)
    return [group for group in by_speed.values() if len(group) > 1]


def _rivals(scene: Scene, group: list[_Listed]) -> list[tuple[_Listed, _Listed]]:
    """The pairs of a group whose tie takes a roll: creature and character, or characters of two sides of a duel."""
    return [(a, b) for i, a in enumerate(group) for b in group[i + 1 :] if _are_rivals(scene, a, b)]


def _are_rivals(scene: Scene, a: _Listed, b: _Listed) -> bool:
    if (a.kind is None) != (b.kind is None):
        return True
    one, two = a.fighter, b.fighter
    return scene.field.duel and one is not None and two is not None and one.side != two.side


def _may_mean(scene: Scene, listed: list[_Listed], group: list[_Listed], name: str) -> bool:
    """Whether a tie's winner is one of the group; words that name nobody (`the creatures`) may mean any tie."""
    return _entry(scene, group, name) is not None or _entry(scene, listed, name) is None


def _entry(scene: Scene, group: list[_Listed], name: str) -> _Listed | None:
    fighter = scene.field.find(name)
    wanted = fighter.name if fighter is not None and fighter.kind is None else scene.field.kind_of(name)
    return next((entry for entry in group if entry.name == wanted), None)


def _character(a: _Listed, b: _Listed) -> str | None:
    return next((entry.name for entry in (a, b) if entry.fighter is not None), None)


def _read_wrongly(
    scene: Scene, group: list[_Listed], tie: Tie, readings: tuple[tuple[int, ...], ...]
) -> _Problem | None:
    """A tie roll against who is said to be first, and in a duel that against the order as listed (NE17)."""
    first = _entry(scene, group, tie.first) if tie.first else None
    numbers = [dice[0] for dice in readings if dice]
    pairs = _rivals(scene, group)
    who = _character(*pairs[0])
    others = _rivals_ahead(scene, group, first) if first is not None and scene.field.duel else []
    if first is not None and others:
        message = f"the tie goes to {first.name}, who is listed behind {others[0].name}"
        return who, message, [f"tie roll: {', '.join(map(str, numbers))}", f"said: {first.name} first"]
    if scene.field.duel or not numbers or (first is None and (len(pairs) > 1 or tie.first)):
        return None
    leads_with_creature = first.kind is not None if first is not None else pairs[0][0].kind is not None
    if any(creature_goes_first(number) == leads_with_creature for number in numbers):
        return None
    said = "the creature" if creature_goes_first(numbers[0]) else "the character"
    return (
        who,
        f"a tie roll of {numbers[0]} lets {said} go first",
        [f"tie roll: {numbers[0]}", "1 to 3: creature first, 4 to 6: character first"],
    )


def _doubtful_speeds(scene: Scene, spot: Spot, named: list[tuple[_Listed, int | None]]) -> None:
    """A Speed that differs from the sheet's is worth a look, but proves nothing about the order."""
    for entry, written in named:
        if written is not None and entry.speed is not None and written != entry.speed:
            message = f"{entry.name} has Speed {entry.speed} in the tables, the order says {written}"
            scene.unchecked(spot, f"speed:{entry.name}", message)
