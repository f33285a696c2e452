"""Encounter, allocation, duel, order and the moves of a turn as such (E1 to E4, E7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.model.claims import Claim
from rules.enolaptia.allocation import shares_fit
from rules.enolaptia.claims import Duel, Encounter, Move, Order, Shares, Tie
from rules.enolaptia.encounters import LARGEST_PARTY, enemies_met, party_fits
from rules.enolaptia.field import Fighter
from rules.enolaptia.scene import Scene, Spot, Turn
from rules.enolaptia.turn_order import creature_goes_first, first_too_slow, moves_allowed

# -- encounter ------------------------------------------------------------------------------------


def meet(scene: Scene, spot: Spot, encounter: Encounter) -> None:
    """Judge an encounter and put the creatures on the field (E1, E2); a repeated line is only a reminder (NE11)."""
    field = scene.field
    counts: dict[str, int] = {}
    for kind, number in encounter.party:
        counts[kind] = counts.get(kind, 0) + number
    if field.creatures and counts == field.counts and field.battle_is_on("party"):
        return
    _judge_kinds(scene, spot, encounter)
    number = sum(counts.values())
    if not party_fits(number):
        _too_many(scene, spot, number, "creatures")
    if field.creatures:
        for fighter in field.party():
            fighter.may_be_in = True
        scene.turn, scene.paid = Turn(), 0
        scene.dropped.clear()
    field.meet(encounter.party)
    for kind in field.counts:
        if scene.book.creature(kind) is None:
            scene.unchecked(spot, f"sheet:{kind}", f"the tables have no {kind}: its HP, AT and Speed are not judged")


def _judge_kinds(scene: Scene, spot: Spot, encounter: Encounter) -> None:
    rolled = scene.roll(spot, encounter.roll, scene.author_of(spot.entry), rules=("E1",))
    if not scene.book.has_map:
        name = scene.book.map_name or "this battle"
        scene.unchecked(spot, "map", f"the tables have no map book for {name}: encounters and drops are not judged")
        return
    rows = [enemies_met(scene.book, dice[0]) for dice in rolled.readings if dice]
    named = [kind for kind, _ in encounter.party]
    if not rows or any(row is None or set(named) <= set(row) for row in rows):
        return
    right = rows[0] or ()
    wrong = [kind for kind in named if kind not in right]
    scene.report(
        "encounter",
        spot,
        scene.author_of(spot.entry),
        f"the map's list has {' and '.join(right)} for {rolled.dice[0]}, the post says {' and '.join(named)}",
        claimed=wrong[0],
        expected=list(right),
        trace=[f"encounter roll: {rolled.dice[0]}", f"map book, row {rolled.dice[0]}: {', '.join(right)}"],
    )


def _too_many(scene: Scene, spot: Spot, number: int, what: str) -> None:
    if scene.party_size_said and what == "characters":
        return
    scene.party_size_said = scene.party_size_said or what == "characters"
    scene.report(
        "party-size",
        spot,
        scene.author_of(spot.entry),
        f"{number} {what} are named, a battle has 1 to {LARGEST_PARTY}",
        claimed=number,
        expected={"min": 1, "max": LARGEST_PARTY},
        trace=[f"{what} named: {number}", f"most on a side: {LARGEST_PARTY}"],
    )


def allocate(scene: Scene, spot: Spot, shares: Shares) -> None:
    """Keep the allocation numbers, which the rulebook gives by the size of the party (E7)."""
    rows = [(scene.field.find(name), low, high) for name, low, high in shares.rows]
    scene.field.shares = {fighter.name: (low, high) for fighter, low, high in rows if fighter is not None}
    scene.field.shares_known = len(scene.field.shares) == len(rows)
    for fighter, _, _ in rows:
        if fighter is not None:
            fighter.seen = True
    if not party_fits(len(rows)):
        _too_many(scene, spot, len(rows), "characters")
    elif not shares_fit(scene.book, [(low, high) for _, low, high in shares.rows]):
        due = scene.book.allocation(len(rows)) or ()
        said = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in due)
        scene.report(
            "allocation",
            spot,
            scene.author_of(spot.entry),
            f"the allocation numbers of {len(rows)} characters are {said}",
            trace=[f"rulebook, {len(rows)} characters: {said}", f"in the post: {spot.claim.quote}"],
        )


def duel(scene: Scene, spot: Spot, found: Duel) -> None:
    """Take the sides of a duel or spar (NE17)."""
    scene.field.take_sides(found.sides)
    largest = max(len(side) for side in found.sides)
    if not party_fits(largest):
        _too_many(scene, spot, largest, "characters")


# -- order ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Listed:
    """An entry of the order: a character, or all creatures of a kind."""

    name: str
    fighter: Fighter | None
    kind: str | None
    speed: int | None


def new_turn(scene: Scene, spot: Spot, order: Order) -> None:
    """Judge the order of a battle turn and begin the turn (E3)."""
    listed = _listed(scene, order)
    for entry in listed:
        if entry.fighter is not None:
            _listed_in(scene, spot, entry.fighter)
    dice = [scene.roll(spot, tie.roll, scene.author_of(spot.entry), rules=("E3",)).readings for tie in order.ties]
    problem = _slow(listed) or _ties_problem(scene, listed, order.ties, dice)
    characters = sum(entry.fighter is not None for entry in listed)
    if characters > LARGEST_PARTY and not scene.field.duel:
        _too_many(scene, spot, characters, "characters")
    if problem is not None:
        who, message, trace = problem
        scene.report("order", spot, who, message, trace=[*_speeds(listed), *trace])
    scene.turn = Turn(
        known=True,
        number=scene.turn.number,
        places={entry.name: place for place, entry in enumerate(listed)},
        judge_sequence=problem is None and spot.before is None,
    )
    _doubtful_speeds(scene, spot, order, listed)


def _listed_in(scene: Scene, spot: Spot, fighter: Fighter) -> None:
    """Who is listed is in the battle: that settles a doubtful escape."""
    fighter.seen = True
    if fighter.speed is None:
        scene.missing(spot, fighter, "Speed")
    if fighter.may_be_in:
        fighter.enter()


def _listed(scene: Scene, order: Order) -> list[_Listed]:
    found: dict[str, _Listed] = {}
    for text, written in order.entries:
        fighter = scene.field.find(text)
        kind = scene.field.kind_of(text) if fighter is None or fighter.kind is not None else None
        if kind is not None:
            sheet = scene.book.creature(kind)
            speed = sheet.speed if sheet is not None else None
            found.setdefault(kind, _Listed(kind, None, kind, written if speed is None else speed))
        elif fighter is not None:
            speed = written if fighter.speed is None else fighter.speed
            found.setdefault(fighter.name, _Listed(fighter.name, fighter, None, speed))
    return list(found.values())


def _speeds(listed: list[_Listed]) -> list[str]:
    return [f"{entry.name}: Speed {entry.speed}" for entry in listed]


_Problem = tuple[str | None, str, list[str]]


def _slow(listed: list[_Listed]) -> _Problem | None:
    place = first_too_slow([entry.speed for entry in listed])
    if place is None:
        return None
    late = listed[place]
    message = f"{late.name} (Speed {late.speed}) stands behind somebody slower"
    return late.name, message, [f"highest Speed first: {late.name} is listed too late"]


def _ties_problem(
    scene: Scene, listed: list[_Listed], ties: Sequence[Tie], dice: Sequence[tuple[tuple[int, ...], ...]]
) -> _Problem | None:
    """What is wrong with the ties of an order: no roll, or one that is read the wrong way round."""
    for group in _groups(listed):
        rivals = _rivals(scene, group)
        if not rivals:
            continue
        rolled = [
            (tie, readings)
            for tie, readings in zip(ties, dice, strict=True)
            if tie.first is None or _may_mean(scene, listed, group, tie.first)
        ]
        if not rolled:
            one, two = rivals[0]
            message = f"{one.name} and {two.name} tie at Speed {one.speed}, and no tie roll is written"
            return _character(one, two), message, ["a tie between a creature and a character takes a d6"]
        for tie, readings in rolled:
            problem = _read_wrongly(scene, group, tie, readings)
            if problem is not None:
                return problem
    return None


def _groups(listed: list[_Listed]) -> list[list[_Listed]]:
    speeds = dict.fromkeys(entry.speed for entry in listed if entry.speed is not None)
    return [[entry for entry in listed if entry.speed == speed] for speed in speeds]


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
    """A tie roll against who is said to be first, and that against the order as listed."""
    first = _entry(scene, group, tie.first) if tie.first else None
    numbers = [dice[0] for dice in readings if dice]
    pairs = _rivals(scene, group)
    who = _character(*pairs[0])
    if first is not None:
        others = [b if a is first else a for a, b in pairs if first in (a, b)]
        if others and all(group.index(other) < group.index(first) for other in others):
            message = f"the tie goes to {first.name}, who is listed behind {others[0].name}"
            return who, message, [f"tie roll: {', '.join(map(str, numbers))}", f"said: {first.name} first"]
    if scene.field.duel or not numbers or (first is None and (len(pairs) > 1 or tie.first)):
        return None
    leads_with_creature = first.kind is not None if first is not None else pairs[0][0].kind is not None
    if any(creature_goes_first(number) == leads_with_creature for number in numbers):
        return None
    said = "the creature" if creature_goes_first(numbers[0]) else "the character"
    return who, f"a tie roll of {numbers[0]} lets {said} go first", ["1 to 3: creature first, 4 to 6: character first"]


def _doubtful_speeds(scene: Scene, spot: Spot, order: Order, listed: list[_Listed]) -> None:
    """A Speed that differs from the sheet's is worth a look, but proves nothing about the order."""
    known = {entry.name: entry.speed for entry in listed}
    for text, written in order.entries:
        fighter = scene.field.find(text)
        name = fighter.name if fighter is not None and fighter.kind is None else scene.field.kind_of(text)
        speed = known.get(name or "")
        if written is not None and speed is not None and written != speed:
            scene.unchecked(spot, f"speed:{name}", f"{name} has Speed {speed} in the tables, the order says {written}")


def heading(scene: Scene, number: int) -> None:
    """`Turn 4` without an `Order:` behind it: a turn whose order is not known (X17)."""
    if number != scene.turn.number:
        scene.turn = Turn(known=False, number=number)


# -- moves of a turn ------------------------------------------------------------------------------


def take_turn(scene: Scene, spot: Spot, actor: Fighter) -> bool:
    """Count a move; report a second one, one out of order, and one of the fallen. False: the actor is down."""
    turn = scene.turn
    again = turn.known and turn.moved[actor.name] >= moves_allowed()
    if actor.pool.down or (again and actor.pool.likely_down):
        _down(scene, spot, actor)
        return False
    if not turn.known:
        return True
    turn.moved[actor.name] += 1
    number = turn.moved[actor.name]
    if number > moves_allowed():
        if number == moves_allowed() + 1:
            scene.report(
                "moves",
                spot,
                actor.name,
                f"{actor.name} makes {number} moves in one battle turn",
                claimed=number,
                expected=[moves_allowed()],
                trace=[f"move {number} of {actor.name} since the last Order line: {spot.claim.quote}"],
            )
        return True
    _in_sequence(scene, spot, actor)
    return True


def _down(scene: Scene, spot: Spot, actor: Fighter) -> None:
    """The fallen make no moves (E14); one finding for a fighter and post."""
    if scene.once("down", spot.entry.post.id, actor.name):
        scene.report(
            "acts-while-down",
            spot,
            actor.name,
            f"{actor.name} is at 0 HP and acts",
            rules=("E14",),
            trace=[f"{actor.name}: HP 0 before this move", f"move: {spot.claim.quote}"],
        )


def _in_sequence(scene: Scene, spot: Spot, actor: Fighter) -> None:
    """A move before that of somebody listed earlier is no fault by itself; one behind somebody later is (NE3, NE9)."""
    turn = scene.turn
    place = turn.places.get(actor.kind or actor.name)
    if place is None or actor.pool.may_be_down:
        return
    later = [other for other in turn.reached if turn.places[other.kind or other.name] > place]
    turn.reached.append(actor)
    wrong = next((other for other in later if not (other.side == actor.side and other.speed == actor.speed)), None)
    if wrong is not None and turn.judge_sequence:
        turn.judge_sequence = False
        scene.report(
            "order",
            spot,
            actor.name,
            f"{actor.name} moves behind {wrong.name}, against the order of this turn",
            trace=[f"order of the turn: {', '.join(turn.places)}", f"{wrong.name} has moved before {actor.name}"],
        )


def count_quietly(scene: Scene, claim: Claim) -> None:
    """A late edit or correction of a move is no second move."""
    if isinstance(claim.data, Move) and scene.turn.known:
        scene.turn.judge_sequence = False
