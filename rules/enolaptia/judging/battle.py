"""The replay: every post in thread order, every line of it in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from referee.model.battle import Ruling
from referee.model.claims import Claim
from referee.model.report import Outcome
from referee.ports.rules import Case, Entry, Verdict
from rules.enolaptia.book import section, whole
from rules.enolaptia.claims import Drops, Duel, Encounter, Exp, HpLine, Move, Notes, Order, Shares
from rules.enolaptia.judging.corrections import correct
from rules.enolaptia.judging.field import Field, Fighter
from rules.enolaptia.judging.moves import move
from rules.enolaptia.judging.order import new_turn
from rules.enolaptia.judging.rewards import drops, experience, judge_heads, state
from rules.enolaptia.judging.scene import Scene, Spot, Turn
from rules.enolaptia.judging.told import explained
from rules.enolaptia.judging.turns import allocate, begin_battle, count_quietly, duel, heading, meet, without_order

_JUDGES: dict[type, Callable[[Scene, Spot, Any], None]] = {
    Encounter: meet,
    Shares: allocate,
    Duel: duel,
    Order: new_turn,
    Move: move,
    HpLine: state,
    Drops: drops,
    Exp: experience,
}


def judge(case: Case) -> Verdict:
    """Replay a battle and report what does not add up (see `Ruleset.judge`)."""
    scene = Scene(case, explained)
    rulings = _by_post(case.battle.rulings)
    for entry in case.entries:
        for number, ruling in rulings.get(entry.post.id, ()):
            _apply(scene, number, ruling)
        if entry.kind == "correction":
            correct(scene, entry)
        elif entry.kind == "turn":
            _post(scene, entry)
        _movement(case, entry)
        scene.close(entry)
    return Verdict(scene.states, {}, outcome_of(scene.field), frozenset(scene.rulings_used))


def _movement(case: Case, entry: Entry) -> None:
    """Say that a movement turn is not judged: it has no settled form (E15, X16)."""
    if isinstance(entry.reading.notes, Notes) and entry.reading.notes.movement:
        message = "movement and magic have no settled form of writing: hexes, magic spent and regained are not judged"
        case.book.unchecked(entry, "movement", message)


def _post(scene: Scene, entry: Entry) -> None:
    """The claims of one post in order, with headings and unread lines at their places."""
    notes = entry.reading.notes if isinstance(entry.reading.notes, Notes) else Notes()
    turns = dict(notes.turns)
    claims = entry.reading.claims
    first = next((place for place, claim in enumerate(claims) if isinstance(claim.data, Move)), 0)
    hidden = any([unread.hides for unread in entry.reading.unread])
    if hidden:
        _hidden(scene, entry)
    elif scene.turn.known and not turns and not notes.lost:
        without_order(scene, entry)
    for place in range(len(claims) + 1):
        if hidden:
            _lost_move(scene)
        if place in turns:
            heading(scene, turns[place])
        if notes.lost:
            _lose(scene, [what for at, what in notes.lost if at == place])
        if place < len(claims):
            scene.at_head = place < first
            _claim(scene, entry, claims[place], entry.before.get(place))
            if hidden:
                scene.turn.known = False
    judge_heads(scene)


def _hidden(scene: Scene, entry: Entry) -> None:
    """What stands where nothing is a claim, but may be one all the same, may be any line of the game."""
    stated = {type(claim.data) for claim in entry.reading.claims}
    field = scene.field
    over = all(creature.pool.may_be_down for creature in field.creatures.values())
    if over and Encounter not in stated and not field.duel:
        _lost_encounter(scene)
    _lost_order(scene)
    _lost_exp(scene)


def _lose(scene: Scene, lost: Iterable[str]) -> None:
    """What lines that could not be read leave open."""
    for what in lost:
        _LOST[what](scene)


def _lost_move(scene: Scene) -> None:
    """A move that could not be read may have done anything to anybody."""
    scene.turn.judge_sequence = False
    scene.loosen(scene.field.everybody())


def _lost_order(scene: Scene) -> None:
    """An order that could not be read begins a turn in which nobody knows who is due (X17)."""
    scene.turn = Turn(known=False, number=scene.turn.number)


def _lost_encounter(scene: Scene) -> None:
    """An encounter that could not be read: creatures of whom nothing is known stand there.

    Not while a member of the party fights creatures that stand: then it was a reminder, or a tag without sense.
    """
    if scene.field.battle_is_on("party") and any([one.certainly_up for one in scene.field.characters.values()]):
        return
    begin_battle(scene)
    scene.field.meet(())


def _lost_exp(scene: Scene) -> None:
    """EXP that could not be read: what later lines give on top of them is not known."""
    scene.exp_lost = True


_LOST: dict[str, Callable[[Scene], None]] = {
    "move": _lost_move,
    "order": _lost_order,
    "encounter": _lost_encounter,
    "exp": _lost_exp,
}


def _claim(scene: Scene, entry: Entry, claim: Claim, before: Claim | None) -> None:
    if before is not None:
        count_quietly(scene, claim)
    judged = _JUDGES.get(type(claim.data))
    if judged is not None:
        judged(scene, Spot(entry, claim, before), claim.data)


# -- rulings --------------------------------------------------------------------------------------


def _by_post(rulings: Iterable[Ruling]) -> dict[str, list[tuple[int, Ruling]]]:
    found: dict[str, list[tuple[int, Ruling]]] = {}
    for number, ruling in enumerate(rulings):
        found.setdefault(ruling.post, []).append((number, ruling))
    return found


def _apply(scene: Scene, number: int, ruling: Ruling) -> None:
    """`set` and `fate` at the post that they name (X15); `bonus_damage` is asked for where damage is judged."""
    fighter = scene.field.find(ruling.character)
    if fighter is None:
        return
    value = whole(section(ruling.effect, "set").get("hp"))
    if value is not None:
        fighter.pool.allow(value)
        scene.ruled_hp.add((ruling.post, fighter.name, value))
        scene.touch(fighter)
        scene.rulings_used.add(number)
    if "fate" in ruling.effect:
        _fate(fighter, str(ruling.effect["fate"]).casefold())
        scene.touch(fighter)
        scene.rulings_used.add(number)


def _fate(fighter: Fighter, fate: str) -> None:
    if fate in ("unconscious", "dead"):
        fighter.pool.allow(0)
    elif fate == "alive":
        fighter.pool.allow(max(1, fighter.pool.top or 1))


# -- outcome --------------------------------------------------------------------------------------


def outcome_of(field: Field) -> Outcome:
    """How the battle stands after the last post."""
    if field.duel:
        return _duel_outcome(field)
    if not field.creatures:
        return Outcome("ongoing")
    party = field.taking_part()
    if all(creature.pool.likely_down for creature in field.creatures.values()):
        return Outcome("won", tuple(fighter.name for fighter in party), "every creature is at 0 HP")
    if not party:
        return Outcome("unknown", None, "the party has left the battle")
    if all(fighter.pool.likely_down for fighter in party):
        return Outcome("lost", None, "every character in the battle is at 0 HP")
    return Outcome("ongoing")


def _duel_outcome(field: Field) -> Outcome:
    sides: dict[str, list[Fighter]] = {}
    for fighter in field.taking_part():
        sides.setdefault(fighter.side, []).append(fighter)
    standing = {side: all_ for side, all_ in sides.items() if not all(f.pool.likely_down for f in all_)}
    if len(sides) < 2 or len(standing) > 1:
        return Outcome("ongoing")
    if not standing:
        return Outcome("drawn", None, "every side is at 0 HP")
    winners = next(iter(standing.values()))
    return Outcome("won", tuple(fighter.name for fighter in winners), "the other side is at 0 HP")
