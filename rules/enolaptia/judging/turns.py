"""Encounter, allocation, duel and the moves of a turn as such (E1 to E4, E7)."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.ports.rules import Entry
from referee.ports.sayings import all_of
from rules.enolaptia.allocation import shares_fit
from rules.enolaptia.claims import Duel, Encounter, Move, Order, Shares
from rules.enolaptia.encounters import LARGEST_PARTY, enemies_met, party_fits
from rules.enolaptia.judging.field import Fighter
from rules.enolaptia.judging.scene import Scene, Spot, Turn
from rules.enolaptia.judging.workings import hp_lines, range_words
from rules.enolaptia.turn_order import moves_allowed

#: So many who move again make a round.
_A_ROUND = 2

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
        too_many(scene, spot, number, "creatures")
    begin_battle(scene)
    field.meet(encounter.party)
    for kind in field.counts:
        if scene.book.creature(kind) is None:
            scene.unchecked(spot, f"sheet:{kind}", f"the tables have no {kind}: its HP, AT and Speed are not judged")


def begin_battle(scene: Scene) -> None:
    """Leave an earlier battle's turn, drops and EXP behind; who fled from it may be back (NE7)."""
    if scene.field.creatures:
        for fighter in scene.field.characters.values():
            fighter.may_be_in, fighter.joined = True, False
        scene.turn, scene.paid, scene.exp_lost = Turn(), 0, False
        scene.dropped.clear()


def _judge_kinds(scene: Scene, spot: Spot, encounter: Encounter) -> None:
    rolled = scene.roll(spot, encounter.roll, scene.author_of(spot.entry), rules=("E1",))
    if not scene.book.has_map:
        name = scene.book.map_name or "this battle"
        scene.unchecked(spot, "map", f"the tables have no map book for {name}: encounters and drops are not judged")
        return
    rows = [enemies_met(scene.book, dice[0]) for dice in rolled.readings if dice]
    named = [kind for kind, _ in encounter.party]
    if not rows or any(row is None or _fits_row(scene, named, row) for row in rows):
        return
    right = rows[0] or ()
    wrong = [kind for kind in named if kind not in right and scene.book.knows(kind)]
    scene.report(
        "encounter",
        spot,
        scene.author_of(spot.entry),
        f"the map's list has {all_of(right)} for {rolled.dice[0]}, the post says {all_of(named)}",
        claimed=wrong[0] if wrong else " and ".join(named),
        expected=list(right),
        trace=[f"encounter roll: {rolled.dice[0]}", f"map book, row {rolled.dice[0]}: {', '.join(right)}"],
    )


def _fits_row(scene: Scene, named: list[str], row: tuple[str, ...]) -> bool:
    """Whether a party may be the row's; a name that no table has may mean any kind of it (X2)."""
    known = {kind for kind in named if scene.book.knows(kind)}
    return known == set(row) if len(known) == len(set(named)) else known <= set(row)


def too_many(scene: Scene, spot: Spot, number: int, what: str) -> None:
    """Report a side of more than six; characters only once (E2)."""
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
    before = dict(scene.field.shares)
    scene.field.shares = {fighter.name: (low, high) for fighter, low, high in rows if fighter is not None}
    scene.field.shares_known = len(scene.field.shares) == len(rows)
    if before and before != scene.field.shares and spot.before is None and scene.field.battle_is_on("party"):
        message = "the allocation numbers are fixed at the start of a battle: these are others, and count from here on"
        scene.unchecked(spot, f"shares:{spot.entry.post.id}", message)
    for fighter, _, _ in rows:
        if fighter is not None:
            fighter.named_in()
    if not party_fits(len(rows)):
        too_many(scene, spot, len(rows), "characters")
    elif not shares_fit(scene.book, [(low, high) for _, low, high in shares.rows]):
        due = scene.book.allocation(len(rows)) or ()
        said = ", ".join(range_words(low, high) for low, high in due)
        scene.report(
            "allocation",
            spot,
            scene.author_of(spot.entry),
            f"the allocation numbers of {len(rows)} characters are {said}",
            trace=[f"rulebook, {len(rows)} characters: {said}"],
        )


def duel(scene: Scene, spot: Spot, found: Duel) -> None:
    """Take the sides of a duel or spar (NE17)."""
    scene.field.take_sides(found.sides)
    largest = max(len(side) for side in found.sides)
    if not party_fits(largest):
        too_many(scene, spot, largest, "characters")


# -- turns and moves --------------------------------------------------------------------------------


def heading(scene: Scene, number: int) -> None:
    """`Turn 4` without an `Order:` behind it: a turn whose order is not known (X17)."""
    if number != scene.turn.number:
        scene.turn = Turn(known=False, number=number)


def without_order(scene: Scene, entry: Entry) -> None:
    """A post in which several move again, each once, without an order: a turn has begun whose order is left out.

    One who moves again has made a second move (E4); a whole round of them is no such fault.
    """
    moved = scene.turn.moved
    actors: list[str] = []
    for claim in entry.reading.claims:
        if isinstance(claim.data, Order):
            return
        if isinstance(claim.data, Move):
            actor = scene.field.find(claim.data.actor) if claim.data.actor else None
            if actor is None or actor.name not in moved or actor.name in actors:
                return
            actors.append(actor.name)
    if len(actors) < _A_ROUND:
        return
    scene.turn = Turn(known=False, number=scene.turn.number)
    message = f"{all_of(actors)} move again without a new Order line: the order of this turn is not judged"
    scene.case.book.unchecked(entry, f"order:{entry.post.id}", message)


def take_turn(scene: Scene, spot: Spot, actor: Fighter) -> bool:
    """Count a move; report a second one, one out of order, and one of the fallen. False: the actor is down."""
    still_there(scene, spot, actor)
    turn = scene.turn
    number, allowed = turn.moved.get(actor.name, 0) + 1, moves_allowed()
    again = turn.known and number > allowed
    if actor.pool.down or (again and actor.pool.likely_down):
        _down(scene, spot, actor)
        return False
    if not turn.known:
        return True
    turn.moved[actor.name] = number
    moves = turn.moves.setdefault(actor.name, [])
    moves.append(spot.claim.quote)
    if again:
        if number == allowed + 1:
            scene.report(
                "moves",
                spot,
                actor.name,
                f"{actor.name} makes {number} moves in one battle turn",
                claimed=number,
                expected=[allowed],
                rules=("E4",),
                trace=[f"move {place} since the last Order line: {words}" for place, words in enumerate(moves, 1)],
            )
        return True
    _ties_kept(turn, actor)
    _in_sequence(scene, spot, actor)
    return True


def still_there(scene: Scene, spot: Spot, fighter: Fighter) -> None:
    """Say once that somebody who has left is listed or acts again: what explains it was not read (NE7, NE13)."""
    if not fighter.may_be_in:
        message = f"{fighter.name} is not in the battle, and goes on in it: who is in it is not judged"
        scene.unchecked(spot, f"gone:{fighter.name}", message)
        fighter.perhaps_leave()


def one_too_many(scene: Scene, actor: Fighter) -> bool:
    """Whether an actor's last move was a second one: it may count or not (G23)."""
    return scene.turn.known and scene.turn.moved.get(actor.name, 0) > moves_allowed()


def _down(scene: Scene, spot: Spot, actor: Fighter) -> None:
    """The fallen make no moves (E14); one finding for a fighter and post."""
    if scene.once("down", spot.entry.post.id, actor.name):
        scene.report(
            "acts-while-down",
            spot,
            actor.name,
            f"{actor.name} is at 0 HP and acts",
            rules=("E14",),
            trace=hp_lines(actor.pool),
        )


def _ties_kept(turn: Turn, actor: Fighter) -> None:
    """Whoever won a tie moves before the rivals, wherever the list has them (E3)."""
    name = actor.kind or actor.name
    for tie in list(turn.late_ties):
        if name in tie.rivals:
            tie.passed.append(name)
        elif name == tie.first:
            turn.late_ties.remove(tie)
            if tie.passed:
                tie.speak()


def _in_sequence(scene: Scene, spot: Spot, actor: Fighter) -> None:
    """A move before that of somebody listed earlier is no fault by itself; one behind somebody later is (NE3, NE9)."""
    turn = scene.turn
    name = actor.kind or actor.name
    place = turn.places.get(name)
    if place is None or actor.pool.may_be_down:
        return
    wrong = _overtaken(turn, actor, name, place) if place < turn.furthest else None
    turn.reached.append(actor)
    turn.furthest = max(turn.furthest, place)
    if wrong is not None and turn.judge_sequence:
        turn.judge_sequence = False
        scene.report(
            "order",
            spot,
            actor.name,
            f"{actor.name} moves behind {wrong.name}, against the order of this turn",
            trace=[f"order of the turn: {', '.join(turn.places)}", f"{wrong.name} has moved before {actor.name}"],
        )


def _overtaken(turn: Turn, actor: Fighter, name: str, place: int) -> Fighter | None:
    """The first to have moved who is listed behind `place`; a tie says nothing, nor do equals of one side."""
    later = [other for other in turn.reached if turn.places[other.kind or other.name] > place]
    later = [other for other in later if frozenset((name, other.kind or other.name)) not in turn.tied]
    return next((other for other in later if not (other.side == actor.side and other.speed == actor.speed)), None)


def count_quietly(scene: Scene, claim: Claim) -> None:
    """A late edit or correction of a move is no second move."""
    if isinstance(claim.data, Move) and scene.turn.known:
        scene.turn.judge_sequence = False
