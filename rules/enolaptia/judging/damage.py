"""Whom a blow meets and what it does (E7 to E9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from referee.model.figure import Figure
from referee.ports.rules import Rolled
from referee.ports.sayings import all_of, one_of
from rules.enolaptia.allocation import character_hit
from rules.enolaptia.claims import Aim, Move
from rules.enolaptia.damage import ability_damage, attack_damage, second_roll_missing
from rules.enolaptia.formula import Formula
from rules.enolaptia.health import ZERO, exact
from rules.enolaptia.judging.field import Fighter
from rules.enolaptia.judging.scene import Scene, Spot
from rules.enolaptia.judging.workings import ability_lines, attack_lines, range_words

Target = Fighter | None


#: A change of which nothing is known.
UNKNOWN = Figure.unknown()


class Damage(NamedTuple):
    """The change of the target's HP: as the post says, as the rules give, and further open readings."""

    claimed: Figure
    computed: Figure
    others: tuple[Figure, ...] = ()


# -- whom -----------------------------------------------------------------------------------------


def target_hits(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> tuple[Target, Target, list[Fighter]]:
    """The fighter whom the post names, the one whom the rules name, and others who may have been hit as well."""
    if said.aim is not None:
        return _allocated(scene, spot, actor, said)
    named = scene.field.find_standing(said.target)
    if named is None:
        _nobody(scene, spot, actor, said.target)
    if named is None or actor.kind is None:
        return named, named, []
    owner = _only_target(scene)
    if named is not None and owner is not None and owner is not named and owner.certainly_up:
        _wrong_target(
            scene, spot, actor, named, owner, f"creatures hit the one who has been in from the start: {owner.name}"
        )
        return named, owner, []
    standing = [f for f in scene.field.party() if f.name in scene.field.shares and f.certainly_up]
    if named is not None and len(standing) > 1:
        message = (
            f"{actor.name} attacks the whole party: the allocation numbers say who is hit, and no such roll is written"
        )
        trace = [f"in the battle: {all_of(f.name for f in standing)}"]
        scene.report("allocation", spot, actor.name, message, claimed=named.name, trace=trace)
        return named, named, standing
    return named, named, []


def _nobody(scene: Scene, spot: Spot, actor: Fighter, name: str | None) -> None:
    """A blow without a known target: all whom the name may mean, else all foes, may have been hit."""
    scene.stranger(spot, name or "nobody", f"whom {actor.name} hits is not judged")
    scene.loosen((scene.field.of_kind(name) if name else []) or scene.field.foes_of(actor.side))


def _only_target(scene: Scene) -> Fighter | None:
    """The only character who has been in from the start, where that is certain."""
    first = [fighter for fighter in scene.field.party() if not fighter.joined]
    return first[0] if len(first) == 1 and not scene.field.shares else None


def _allocated(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> tuple[Target, Target, list[Fighter]]:
    aim = said.aim
    assert aim is not None
    rolled = Rolled(aim.roll.values, (aim.roll.values,))
    if not said.unproved:
        rolled = scene.roll(spot, aim.roll, actor.name, rules=("E7",))
    named = scene.field.find_standing(aim.name)
    if named is None:
        _nobody(scene, spot, actor, aim.name)
        return None, None, []
    if not scene.field.shares_known:
        scene.unchecked(spot, "allocation", "no allocation line gives the numbers: who is hit counts as written")
        return named, named, []
    owners = [character_hit(scene.field.shares, dice[0]) for dice in rolled.readings if dice]
    fighters = [scene.field.characters[name] for name in owners if name is not None]
    if not fighters or named in fighters:
        if scene.field.shares.get(named.name) != (aim.low, aim.high):
            _range_said(scene, spot, named, aim)
        return named, named, [fighter for fighter in fighters if fighter is not named]
    owner = fighters[0]
    if not owner.certainly_up:
        return named, named, [owner]
    low, high = scene.field.shares[owner.name]
    why = f"allocation roll {rolled.dice[0]}: {owner.name} ({range_words(low, high)})"
    _wrong_target(scene, spot, actor, named, owner, why)
    return named, owner, fighters[1:]


def _range_said(scene: Scene, spot: Spot, named: Fighter, aim: Aim) -> None:
    """Other allocation numbers than the battle's beside the right name are worth a look: they decide nothing."""
    due = scene.field.shares.get(named.name)
    if aim.low is not None and due is not None:
        low, high = due
        given, said = range_words(low, high), range_words(aim.low, aim.high if aim.high is not None else aim.low)
        message = f"the allocation gives {named.name} {given}, the post says {said}"
        scene.unchecked(spot, f"range:{named.name}", message)


def _wrong_target(scene: Scene, spot: Spot, actor: Fighter, named: Fighter, owner: Fighter, why: str) -> None:
    shares = [f"{name}: {range_words(low, high)}" for name, (low, high) in scene.field.shares.items()]
    scene.report(
        "allocation",
        spot,
        actor.name,
        f"by the allocation {owner.name} is hit, the post says {named.name}",
        claimed=named.name,
        expected=[owner.name],
        trace=[*shares, why],
    )


# -- how much -------------------------------------------------------------------------------------


def judge_damage(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> Damage:
    """The damage of a normal attack, spell, special or skill."""
    if said.action == "attack":
        return _attack(scene, spot, actor, said)
    return _ability(scene, spot, actor, said)


def _attack(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> Damage:
    rolled = _roll(scene, spot, actor, said, ("1d6",), None)
    if actor.at is None:
        scene.missing(spot, actor, "AT")
        return _as_written(said)
    bonus = scene.bonus_damage(spot.entry, actor.name)
    found = [attack_damage(actor.at, dice) for dice in rolled.readings]
    readings = [_plus(values, bonus) if bonus else values for values in found if values is not None]
    if not readings:
        return _as_written(said)

    def lines() -> list[str]:
        found = attack_lines(actor.name, actor.at or 0, rolled.readings)
        return [*found, f"{bonus:+d} by a staff ruling"] if bonus else found

    if all([second_roll_missing(dice) for dice in rolled.readings]):
        message = f"{actor.name} rolled a 6, which calls for a second roll"
        _wrong(scene, spot, actor, said, readings[0], message, lines())
        return _both(said, readings)
    if not said.adds_up and (bonus or rolled.fault):
        said = said._replace(adds_up=True)  # Where dice are in doubt or a ruling adds to it, no sum is judged (G13).
    doubt = None
    if said.base not in (None, actor.at) and not bonus:
        doubt = (f"at:{actor.name}", f"{actor.name} has AT {actor.at}, the post reckons with {said.base}")
    return _compared(scene, spot, actor, said, readings, lines, doubt)


def _plus(values: frozenset[int], bonus: int) -> frozenset[int]:
    """With a ruling's bonus on what hits; without it, which the post may have left to the judge, it counts too."""
    return values | {value + bonus for value in values if value}


def _ability(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> Damage:
    name = said.ability or said.action
    formula = scene.book.formula(said.action, name)
    if formula is None:
        _roll(scene, spot, actor, said, (), None)
        if said.amount is not None:
            message = f"the tables give no damage for {name}: its numbers count as written"
            scene.unchecked(spot, f"ability:{name}", message)
        elif said.target is not None and scene.book.ability(said.action, name) is None:
            message = f"{name} is in no table and the post gives no number: the HP of {said.target} are left open"
            scene.unchecked(spot, f"ability:{name}", message)
            return _as_written(said)
        return _as_written(said, without=ZERO)
    if not formula.sides:
        rolled = Rolled((), ((),))
    else:
        written = said.roll.values
        count = len(formula.sides) if written and said.amount is not None else None
        rolled = _roll(scene, spot, actor, said, formula.due(), count)
    if formula.uses_at and actor.at is None:
        scene.missing(spot, actor, "AT")
        return _as_written(said)
    return _ability_compared(scene, spot, actor, said, formula, rolled)


def _ability_compared(scene: Scene, spot: Spot, actor: Fighter, said: Move, formula: Formula, rolled: Rolled) -> Damage:
    bonus = scene.bonus_damage(spot.entry, actor.name)
    totals = [ability_damage(formula, dice, actor.at or 0) for dice in rolled.readings]
    found = [frozenset((total,)) for total in totals if total is not None]
    readings = [_plus(values, bonus) for values in found] if bonus else found
    if not readings:
        return _unrolled(scene, spot, actor, said, formula)

    said = _without_bare_die(said, formula, rolled, found)

    def lines() -> list[str]:
        found = ability_lines(said.ability or said.action, formula, rolled.readings, actor.at)
        return [*found, f"{bonus:+d} by a staff ruling"] if bonus else found

    if not said.adds_up and (bonus or rolled.fault):
        said = said._replace(adds_up=True)
    doubt = None
    if said.formula is not None and said.formula != formula:
        message = f"the tables give {said.ability} another damage than the post shows: {_words(formula)}"
        doubt = (f"formula:{said.ability}", message)
    return _compared(scene, spot, actor, said, readings, lines, doubt)


def _words(formula: Formula) -> str:
    return " + ".join("AT" if kind == "at" else f"d{n}" if kind == "die" else str(n) for kind, n in formula.parts)


def _roll(scene: Scene, spot: Spot, actor: Fighter, said: Move, due: tuple[str, ...], count: int | None) -> Rolled:
    if said.unproved:
        return Rolled(said.roll.values, (said.roll.values,))
    rules = ("E8",) if said.action == "attack" else ("E9",)
    return scene.roll(spot, said.roll, actor.name, due, count, rules)


def _without_bare_die(said: Move, formula: Formula, rolled: Rolled, right: list[frozenset[int]]) -> Move:
    """A move that shows its dice and nothing else (`1d6+2: 4`) states no damage: a flat number is left to be added."""
    bare = (
        said.amount is not None and len(formula.parts) > len(formula.sides) and said.sum_text.rstrip(" .!").isdecimal()
    )
    if not bare or any([said.amount in values for values in right]):
        return said
    return said._replace(amount=None) if any([sum(dice) == said.amount for dice in rolled.readings]) else said


def _unrolled(scene: Scene, spot: Spot, actor: Fighter, said: Move, formula: Formula) -> Damage:
    """The damage of an ability whose dice nobody knows: as written, else anything that its dice can give."""
    if said.amount is not None or said.target is None:
        return _as_written(said, without=ZERO)
    name = said.ability or said.action
    message = f"the post shows no dice of {name}: what it does to {said.target} is left open"
    scene.unchecked(spot, f"dice:{spot.entry.post.id}:{name}", message)
    low, high = formula.total([1] * len(formula.sides), actor.at or 0), formula.total(formula.sides, actor.at or 0)
    open_ = Figure.among(-max(0, n) for n in range(low, high + 1)) if high - low < 200 else Figure.unknown()
    return Damage(open_, open_)


def _as_written(said: Move, without: Figure = UNKNOWN) -> Damage:
    """The amount that the post writes; `without`: what counts where it writes none."""
    figure = without if said.amount is None else exact(-said.amount)
    return Damage(figure, figure)


def _figure(values: frozenset[int]) -> Figure:
    return exact(-next(iter(values))) if len(values) == 1 else Figure.among(-value for value in values)


def _both(said: Move, readings: list[frozenset[int]]) -> Damage:
    right = _figure(readings[0])
    return Damage(right if said.amount is None else exact(-said.amount), right)


def _compared(
    scene: Scene,
    spot: Spot,
    actor: Fighter,
    said: Move,
    readings: list[frozenset[int]],
    lines: Callable[[], list[str]],
    doubt: tuple[str, str] | None = None,
) -> Damage:
    """The written amount against every reading of the dice; after a fault both stay open (G23).

    `doubt`: the cause and words of a notice where the amount is right in spite of another number shown.
    """
    if said.amount is not None and any([said.amount in values for values in readings]):
        if not said.adds_up:
            _sum_wrong(scene, spot, actor, said, readings, lines)
        elif doubt is not None:
            scene.unchecked(spot, *doubt)
        stated = exact(-said.amount)
        others = [_figure(values) for values in readings] if len(readings) > 1 else []
        return Damage(stated, stated, tuple([figure for figure in others if figure != stated]))
    right, *others = [_figure(values) for values in readings]
    if said.amount is None:
        return Damage(right, right, tuple(others))
    expected = frozenset().union(*readings)
    said_right = one_of(sorted(expected))
    message = f"roll and AT give {said_right}, the post says {said.amount}"
    if said.action != "attack":
        message = f"the numbers of {said.ability} give {said_right}, the post says {said.amount}"
    _wrong(scene, spot, actor, said, expected, message, lines())
    return Damage(exact(-said.amount), right, tuple(others))


def _sum_wrong(
    scene: Scene,
    spot: Spot,
    actor: Fighter,
    said: Move,
    readings: list[frozenset[int]],
    lines: Callable[[], list[str]],
) -> None:
    """A sum that does not give its own result, though roll and tables give it (NE14: a wrong sum is a fault)."""
    expected = frozenset().union(*readings)
    message = f"{one_of(sorted(expected))} is right, but the sum {said.sum_text} does not add up"
    _wrong(scene, spot, actor, said, expected, message, lines())


def _wrong(
    scene: Scene, spot: Spot, actor: Fighter, said: Move, expected: frozenset[int], message: str, lines: list[str]
) -> None:
    rules = ("E8",) if said.action == "attack" else ("E9",)
    scene.report(
        "damage",
        spot,
        actor.name,
        message,
        claimed=said.amount,
        expected=sorted(expected),
        rules=rules,
        trace=lines,
    )
