"""The moves of a turn: attacks, abilities, potions, runs, teleports, the party stone (E5 to E11)."""

from __future__ import annotations

from referee.model.claims import WrittenRoll
from referee.model.figure import Figure
from referee.ports.rules import Rolled
from referee.ports.sayings import one_of
from rules.enolaptia.allocation import move_rolled
from rules.enolaptia.claims import Move
from rules.enolaptia.encounters import LARGEST_PARTY
from rules.enolaptia.judging.damage import judge_damage, target_hits
from rules.enolaptia.judging.field import Fighter
from rules.enolaptia.judging.scene import Hit, Scene, Spot
from rules.enolaptia.judging.turns import one_too_many, take_turn
from rules.enolaptia.potions import gains_written, potion_reaches
from rules.enolaptia.running import escapes, may_teleport


def move(scene: Scene, spot: Spot, said: Move) -> None:
    """Judge one move and let it take effect."""
    if said.action == "party stone":
        return _party_stone(scene, spot, said)
    actor = scene.field.find_standing(said.actor)
    if actor is None:
        return _by_a_stranger(scene, spot, said)
    if said.action == "teleport":
        return _teleport(scene, spot, actor)
    if said.action == "potion":
        return _potion(scene, spot, actor, said)
    standing = take_turn(scene, spot, actor)
    if said.action == "run":
        return _run(scene, spot, actor, said)
    return _strike(scene, spot, actor, said, standing)


def _by_a_stranger(scene: Scene, spot: Spot, said: Move) -> None:
    """A move of nobody known is not judged: whom it touches may stand anywhere afterwards."""
    scene.stranger(spot, said.actor or "nobody", "the move is not judged")
    if said.action == "run" or said.action == "teleport":
        return
    named = scene.field.find_standing(said.aim.name if said.aim is not None else said.target)
    scene.loosen([named] if named is not None else scene.field.everybody())


# -- blows ----------------------------------------------------------------------------------------


def _strike(scene: Scene, spot: Spot, actor: Fighter, said: Move, standing: bool) -> None:
    if said.choice is not None:
        _chosen(scene, spot, actor, said)
    elif actor.kind and (sheet := scene.book.creature(actor.kind)) is not None and sheet.moves:
        message = f"{actor.kind} rolls for its moves, and no roll is written: which one it makes is not judged"
        scene.unchecked(spot, f"choice:{actor.kind}", message)
    if said.action != "attack" and said.amount is None and said.roll.expression is None and said.target is None:
        return
    if _may_heal(scene, actor, said):
        return _healed(scene, spot, actor, said)
    named, owner, others = target_hits(scene, spot, actor, said)
    damage = judge_damage(scene, spot, actor, said)
    claimed, computed = Hit(named, damage.claimed), Hit(owner, damage.computed)
    hits = [Hit(fighter, damage.claimed) for fighter in others]
    hits += [Hit(named, figure) for figure in damage.others]
    if owner is not named and damage.computed != damage.claimed:
        hits += [Hit(owner, damage.claimed), Hit(named, damage.computed)]
    if not standing:
        hits.append(claimed)
        computed = Hit(None)
    elif actor.pool.doubtful or one_too_many(scene, actor):
        hits.append(Hit(None))
    _apply(scene, spot, claimed, computed, hits)


def _may_heal(scene: Scene, actor: Fighter, said: Move) -> bool:
    """Whether an ability may give HP: it says so, or has no damage in the tables and is for the own side or nobody."""
    if said.action == "attack":
        return False
    if said.heals:
        return True
    target = scene.field.find(said.target)
    friendly = target is None or target.side == actor.side
    return friendly and said.aim is None and scene.book.formula(said.action, said.ability or "") is None


def _healed(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> None:
    """Such an ability: its dice are looked at, its gain counts as written, or a loss (X2)."""
    if said.roll.expression is not None:
        _rolled(scene, spot, said, said.roll, actor.name, ("E9",))
    name = said.ability or said.action
    scene.unchecked(spot, f"ability:{name}", f"the tables give no damage for {name}: its numbers count as written")
    target = scene.field.find_standing(said.target)
    if target is None or said.amount is None:
        scene.loosen([target] if target is not None else scene.field.everybody())
        return
    gain = Figure.of(said.amount)
    others = [Hit(None)] if said.heals else [Hit(None), Hit(target, Figure.of(-said.amount))]
    _apply(scene, spot, Hit(target, gain), Hit(target, gain), others)


def _apply(scene: Scene, spot: Spot, claimed: Hit, computed: Hit, others: list[Hit]) -> None:
    """Let a blow take effect; after a late edit the earlier text's effect stays open too (G20)."""
    before = spot.before.data if spot.before is not None else None
    if isinstance(before, Move) and before.amount is not None:
        target = scene.field.find(before.aim.name if before.aim else before.target)
        sign = 1 if before.action == "potion" else -1
        if target is not None:
            others = [*others, Hit(target, Figure.of(sign * before.amount))]
    scene.hit(spot, claimed, computed, others)


def _chosen(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> None:
    """The move that a creature rolled for (E6, NE15)."""
    assert said.choice is not None
    rolled = _rolled(scene, spot, said, said.choice, actor.name, ("E6",))
    sheet = scene.book.creature(actor.kind) if actor.kind else None
    if sheet is None or not sheet.moves or not rolled.dice:
        return
    right = [move_rolled(sheet.moves, dice[0]) for dice in rolled.readings if dice]
    named = (said.chosen or "").casefold()
    if not right or any(name is None or name.casefold() == named for name in right):
        return
    scene.report(
        "moves",
        spot,
        actor.name,
        f"a move roll of {rolled.dice[0]} is {right[0]} for {actor.name}, the post says {said.chosen}",
        claimed=said.chosen,
        expected=[right[0]],
        rules=("E6",),
        trace=[f"move roll: {rolled.dice[0]}", f"table of {actor.kind}, {rolled.dice[0]}: {right[0]}"],
    )


def _rolled(scene: Scene, spot: Spot, said: Move, written: WrittenRoll, who: str, rules: tuple[str, ...]) -> Rolled:
    if said.unproved:
        return Rolled(written.values, (written.values,))
    return scene.roll(spot, written, who, rules=rules)


# -- potions --------------------------------------------------------------------------------------


def _potion(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> None:
    target = scene.field.find_standing(said.target)
    if target is None:
        scene.stranger(spot, said.target or "nobody", "the potion is not judged")
        take_turn(scene, spot, actor)
        scene.loosen(scene.field.everybody())
        return
    refused = _refused(actor, target)
    if refused is not None:
        scene.report("potion", spot, actor.name, refused, rules=_potion_rules(actor))
        standing = False
    else:
        standing = take_turn(scene, spot, actor)
    gain = _gain(scene, spot, actor, target, said)
    claimed = Hit(target, gain[0])
    doubtful = target.pool.doubtful or target.may_be_out or actor.pool.doubtful or one_too_many(scene, actor)
    if standing:
        _apply(scene, spot, claimed, Hit(target, gain[1]), [Hit(None)] if doubtful else [])
    else:
        _apply(scene, spot, claimed, Hit(None), [Hit(target, gain[1])])


def _refused(actor: Fighter, target: Fighter) -> str | None:
    """Why a potion may not be used so, or None (E6, E10)."""
    if actor.kind is not None:
        return f"creatures have no potions, {actor.name} uses one"
    if not potion_reaches(actor.side == target.side, True):
        return f"a potion is used on {target.name}, an enemy"
    if not target.may_be_in:
        return f"a potion is used on {target.name}, who is not in the battle"
    return None


def _potion_rules(actor: Fighter) -> tuple[str, ...]:
    return ("E6",) if actor.kind is not None else ("E10",)


def _gain(scene: Scene, spot: Spot, actor: Fighter, target: Fighter, said: Move) -> tuple[Figure, Figure]:
    """What the post says that a potion heals, and what the tables say."""
    heal = scene.book.potion(said.ability or "")
    if heal is None:
        name = said.ability or "a potion"
        scene.unchecked(spot, f"potion:{name}", f"the tables have no {name}: what it heals counts as written")
        figure = Figure.of(said.amount or 0)
        return figure, figure
    right = Figure.of(heal)
    if said.amount is None or said.amount in _gains(target, heal):
        return right, right
    scene.report(
        "potion",
        spot,
        actor.name,
        f"{said.ability} heals {heal}, the post says {said.amount}",
        claimed=said.amount,
        expected=[heal],
        rules=("E10",),
        trace=[f"table: {said.ability} heals {heal}", "or what is missing from the maximum, if that is less"],
    )
    return Figure.of(said.amount), right


def _gains(target: Fighter, heal: int) -> frozenset[int]:
    hp, top = target.pool.readings.open, target.pool.top
    if top is None or hp.values is None:
        return frozenset(range(heal + 1))
    return frozenset(gain for value in hp.values for gain in gains_written(heal, int(top - value)))


# -- leaving and coming ---------------------------------------------------------------------------


def _run(scene: Scene, spot: Spot, actor: Fighter, said: Move) -> None:
    rolled = Rolled((), ((),))
    if said.roll.expression is not None:
        rolled = _rolled(scene, spot, said, said.roll, actor.name, ("E5",))
    allowed = _outcomes(scene, rolled)
    stated = said.stated
    if stated is None or not allowed or stated in allowed:
        words = {stated} if stated else allowed
        if spot.before is not None or len(words) != 1 or (one_too_many(scene, actor) and words == {"escaped"}):
            actor.perhaps_leave()
        elif words == {"escaped"}:
            actor.leave()
        return
    die = rolled.dice[0] if rolled.dice else None
    boss = _boss_stands(scene)
    why = "nobody runs from a boss" if boss else f"a roll of {die} means {one_of(sorted(allowed))}"
    scene.report(
        "run",
        spot,
        actor.name,
        f"{why}, the post says {stated}",
        claimed=stated,
        expected=sorted(allowed),
        trace=[
            f"run roll: {die if die is not None else 'none'}",
            "1 to 4 fails, 5 or 6 succeeds" + (", but a boss stands" if boss else ""),
        ],
    )
    actor.perhaps_leave()


def _outcomes(scene: Scene, rolled: Rolled) -> set[str]:
    """The outcomes that a run roll allows; empty where nothing is known.

    With a boss dead, or with bosses that nobody knows, a run may be barred on any roll (NE16).
    """
    if _boss_stands(scene):
        return {"failed"}
    numbers = [dice[0] for dice in rolled.readings if dice]
    found = {"escaped" if escapes(number, False) else "failed" for number in numbers}
    unsure = not (scene.book.has_map and scene.field.creatures) and not scene.field.duel
    if found and (unsure or any(scene.book.may_be_boss(kind) for kind in scene.field.counts)):
        found.add("failed")
    return found


def _boss_stands(scene: Scene) -> bool:
    """Whether a boss stands on every reading (NE16: with the boss dead the rulebook is silent)."""
    return any(
        fighter.kind is not None and scene.book.is_boss(fighter.kind) and fighter.certainly_up
        for fighter in scene.field.creatures.values()
    )


def _teleport(scene: Scene, spot: Spot, actor: Fighter) -> None:
    certain = actor.may_be_in and not actor.may_be_out
    if not may_teleport(_battle_is_on(scene, actor)) and certain:
        scene.report(
            "teleport",
            spot,
            actor.name,
            f"{actor.name} teleports out of a battle",
            trace=["nobody teleports out of a battle; the party stone only brings members in"],
        )
    if actor.may_be_in:
        actor.perhaps_leave()


def _battle_is_on(scene: Scene, actor: Fighter) -> bool:
    """Whether somebody certainly stands against the actor, or is listed in this turn and likely stands."""
    listed = scene.turn.places
    foes = scene.field.foes_of(actor.side)
    named = [foe for foe in foes if (foe.kind or foe.name) in listed and not foe.pool.likely_zero]
    return bool(named) or scene.field.battle_is_on(actor.side)


def _party_stone(scene: Scene, spot: Spot, said: Move) -> None:
    """A member joins: acts from the next order on and has no allocation number (NE13)."""
    joins = scene.field.find(said.actor)
    if joins is None or joins.kind is not None:
        name = said.actor or "nobody"
        scene.unchecked(spot, f"actor:{name}", f"{name} is no known character: the party stone is not judged")
        return
    if joins.may_be_in and not joins.may_be_out:
        return
    joins.enter()
    joins.joined = True
    certain = [f for f in scene.field.party() if f.side == joins.side and not f.may_be_out]
    if len(certain) > LARGEST_PARTY and not scene.party_size_said:
        scene.party_size_said = True
        scene.report(
            "party-size",
            spot,
            joins.name,
            f"{joins.name} is number {len(certain)} of the party, a battle has at most {LARGEST_PARTY} characters",
            claimed=len(certain),
            expected={"min": 1, "max": LARGEST_PARTY},
            trace=[", ".join(fighter.name for fighter in certain)],
        )
