"""Guarding a comrade (S16, NS10, NS38): a d20 decides who takes the attack."""

from __future__ import annotations

from referee.ports.rules import rule
from rules.shinobi.judging.blows import bring_effects, full_damage, roll_checked, written_of
from rules.shinobi.judging.fighters import Attack, Fighter
from rules.shinobi.judging.stage import Option, Stage
from rules.shinobi.judging.turns import Said
from rules.shinobi.judging.workings import guard_line
from rules.shinobi.model import Guard, LossTag
from rules.shinobi.tables import Data


@rule("S16", cites="3.01 Response Phase, note")
def guard_succeeds(data: Data, roll: int) -> bool:
    """A guard rolls a d20: 15 or less succeeds, 16 to 20 fails. It then takes damage and every effect."""
    return roll <= data.guard_success


def judge_guards(stage: Stage, guards: list[Said]) -> None:
    """Every guard tag of a turn: who takes which attack."""
    for said in guards:
        assert isinstance(said.data, Guard)
        comrade = stage.arena.fighters.get(said.data.comrade)
        if comrade is None or comrade is stage.me:
            continue
        candidates = _guarded(stage, comrade, said.data)
        rows = _rolled(stage, said, candidates[0] if candidates else None)
        if candidates:
            _judge_guard(stage, said, comrade, candidates, rows)


def _guarded(stage: Stage, comrade: Fighter, guard: Guard) -> list[Attack]:
    """The attacks that a guard may mean: one of the named attacker, else all that are open.

    Of several by one attacker the one that makes up the guard's whole loss is meant, else the first that needs an
    answer: one that a guard took though it failed needs no other guard (NS23).
    """
    if guard.attacker is None:
        return list(comrade.open)
    attacks = sorted((a for a in comrade.open if a.attacker.name == guard.attacker), key=lambda a: a.optional)
    loss = stage.turn.loss.data if stage.turn.loss is not None else None
    lost = loss.hp if isinstance(loss, LossTag) else None
    shown = [attack for attack in attacks if lost and -lost in full_damage(attack).accepted]
    return (shown or attacks)[:1]


def _rolled(stage: Stage, said: Said, attack: Attack | None) -> set[int]:
    """All readings of the d20."""
    assert isinstance(said.data, Guard)
    rolled = roll_checked(stage, said, written_of(said), ("1d20",), 1, attack, ("S16",))
    return {row[0] for row in rolled.readings if row} | set(said.data.written.values[:1])


def _judge_guard(stage: Stage, said: Said, comrade: Fighter, attacks: list[Attack], rows: set[int]) -> None:
    succeeded = {guard_succeeds(stage.data, roll) for roll in rows}
    if not rows:
        succeeded = {True, False}
    totals = [full_damage(attack) for attack in attacks]
    amount = totals[0]
    for other in totals[1:]:
        amount = amount.or_else(other)
    stage.guarded += attacks
    stage.proof.append(attacks[0])
    if succeeded == {True}:
        stage.note("hp", guard_line, said.claim.quote, attacks, amount)
        stage.response = stage.response.plus(amount)
        _take_over(stage, comrade, attacks, sure=len(attacks) == 1)
    elif succeeded == {False}:
        stage.options.append(Option("failed guard", amount, False, attacks[0], said))
    else:
        stage.options.append(Option("doubtful guard", amount, True, attacks[0], said))
        _take_over(stage, comrade, attacks, sure=False)


def _take_over(stage: Stage, comrade: Fighter, attacks: list[Attack], sure: bool) -> None:
    for attack in attacks:
        bring_effects(stage, attack, sure)
        if sure:
            comrade.open.remove(attack)
        else:
            attack.optional = True
