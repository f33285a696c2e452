"""Chapter 3.01: the Response Phase - every open attack and what was done against it (S6 to S9, S16)."""

from __future__ import annotations

from referee.ports.rules import rule
from rules.shinobi.blows import bring_effects, evidence_of, full_damage, roll_checked, said_sum, written_of
from rules.shinobi.damage_check import rulings_at
from rules.shinobi.dodging import judge_dodge
from rules.shinobi.fighters import Attack
from rules.shinobi.guarding import judge_guards
from rules.shinobi.hits import chances_by_formula
from rules.shinobi.matching import Answer, answer_of, joined, match, out_of_order
from rules.shinobi.model import RESPONSE, Dodge, Guard, Take
from rules.shinobi.stage import Option, Stage, Used
from rules.shinobi.tables import whole_or
from rules.shinobi.turns import Said


@rule("S7", cites="3.01 Response Phase")
def judge_response(stage: Stage) -> None:
    """One response action for each incoming attack: take it, roll, a technique, or a skill; never two.

    Attacks without a tag count as taken where the loss shows it.
    """
    guards = [said for said in stage.turn.said if isinstance(said.data, Guard)]
    judge_guards(stage, guards)
    attacks = list(stage.me.open)
    stage.me.open.clear()
    answers = joined(_answers(stage), attacks)
    left = match(answers, attacks, [[_misfit(stage, a, attack) for attack in attacks] for a in answers])
    _check_answers(stage, answers, attacks, left, bool(guards))
    negated = _also_negated(answers, attacks)
    for answer in answers:
        if answer.attack is not None:
            _judge_answer(stage, answer, answer.attack)
        elif answer.kind == "dodge":
            _surplus_rolls(stage, answer, attacks)
    answered = {id(a.attack) for a in answers if a.attack is not None} | negated
    unknown = [u for u in stage.used if u.skill is None and u.phase == 0 and not u.ability.reminder]
    for attack in attacks:
        if id(attack) not in answered:
            _unanswered(stage, attack, bool(unknown))
    if "answer" in stage.turn.trouble or (stage.me.threat_unread and not attacks) or stage.me.threat_unread:
        stage.open_pools.add("hp")
    stage.me.threat_unread = False


def _answers(stage: Stage) -> list[Answer]:
    """The response actions in the order of writing."""
    uses = {id(u.said): u for u in stage.used if u.phase == RESPONSE}
    found: list[Answer] = []
    for said in stage.turn.said:
        if isinstance(said.data, (Dodge, Take)):
            found.append(answer_of(said))
        elif id(said) in uses:
            skill = uses[id(said)].skill
            if skill is None or skill.negates or not (skill.heal or skill.block_range):
                found.append(answer_of(said, max(1, skill.negates if skill else 1)))
    return found


def _misfit(stage: Stage, answer: Answer, attack: Attack) -> int:
    """How badly an answer fits an attack: other number of rolls, another chance than the formula's."""
    if answer.kind != "dodge":
        return 0
    rolls = answer.rolls
    wrong = 2 * (rolls is not None and rolls not in [len(form) for form in attack.forms])
    due = formula_chances(stage, attack, note=False)
    return wrong + (due is not None and any(c not in due for c in answer.chances))


def formula_chances(stage: Stage, attack: Attack, note: bool = True) -> frozenset[int] | None:
    """The chances to hit that the formula gives for an attack on this turn's fighter; None without one."""
    formula = stage.data.formula
    if formula is None:
        return None
    evasion = stage.me.stat(formula.target)
    if not evasion or not attack.accuracy:
        return None
    extra, used = 0, []
    for number, ruling in rulings_at(stage):
        change = whole_or(ruling.effect.get("hit_chance"), None)
        if change is not None:
            extra += change
            used.append(number)
    if note:
        stage.arena.used_rulings.update(used)
    bonuses = [bonus + extra for bonus in attack.bonuses]
    return chances_by_formula(formula, stage.data.cap, attack.accuracy, evasion, bonuses)


def _check_answers(
    stage: Stage, answers: list[Answer], attacks: list[Attack], left: list[Answer], guards: bool
) -> None:
    """Too many answers, too many techniques, or answers in another order (S7 to S9, S16)."""
    uses = {id(u.said): u for u in stage.used}
    techniques = [u.said for u in stage.used if is_response_technique(u)]
    if len(techniques) > stage.data.response_techniques and not stage.down_sure:
        message = f"{len(techniques)} Response techniques in one turn; there may be {stage.data.response_techniques}"
        stage.add(
            "response-techniques", techniques[1], message, rules=("S8",), trace=[s.claim.quote for s in techniques]
        )
        stage.open_pools.add("hp")
    elif left and (attacks or guards) and not stage.me.threat_unread and not _unjudged(left, uses):
        _too_many(stage, left, guards, answers)
    elif left and any(a.kind != "ability" for a in left):
        said = left[0].said[0]
        message = f"{said.claim.quote} answers no attack that could be read"
        stage.unchecked(said.entry, f"no attack:{said.entry.post.id}", message)
        stage.open_pools.add("hp")
    if out_of_order(answers, attacks):
        first = next(a.said[0] for a in answers if a.attacker is not None)
        _order(stage, first, attacks)


def _unjudged(left: list[Answer], uses: dict[int, Used]) -> bool:
    return all(a.kind == "ability" and uses[id(a.said[0])].skill is None for a in left)


@rule("S8", cites="3.01 Response Phase")
def is_response_technique(used: Used) -> bool:
    """At most one Response technique a turn, however many attacks there are; skills are not limited."""
    return used.phase == RESPONSE and used.ability.sort == "technique"


@rule("S9", cites="3.01 Response Phase")
def _order(stage: Stage, said: Said, attacks: list[Attack]) -> None:
    """Attacks are answered in the order in which they were made."""
    names = ", ".join(attack.attacker.name for attack in attacks)
    stage.add("response-order", said, f"the attacks came in the order: {names}", rules=("S9",))


def _too_many(stage: Stage, left: list[Answer], guards: bool, answers: list[Answer]) -> None:
    said = left[0].said[0]
    stage.open_pools.add("hp")
    if guards:
        message = "who guards a comrade takes the attack: no roll, block, technique or skill"
        stage.add("guard", said, message, rules=("S16",))
        return
    message = "two response actions for one attack"
    stage.add("response-double", said, message, rules=("S7",), trace=[s.claim.quote for a in answers for s in a.said])


def _also_negated(answers: list[Answer], attacks: list[Attack]) -> set[int]:
    """Attacks that a technique negates besides the one that it answers, in their order (S9)."""
    taken = {id(a.attack) for a in answers if a.attack is not None}
    spare = sum(a.negates - 1 for a in answers if a.kind == "ability")
    found: set[int] = set()
    for attack in attacks:
        if len(found) < spare and id(attack) not in taken:
            found.add(id(attack))
    return found


def _judge_answer(stage: Stage, answer: Answer, attack: Attack) -> None:
    if answer.kind == "dodge":
        judge_dodge(stage, answer, attack, formula_chances(stage, attack))
    elif answer.kind == "take":
        stage.note("hp", f"{attack.claim.quote} is taken: {said_sum(full_damage(attack))}")
        stage.proof.append(evidence_of(attack))
        stage.response = stage.response.plus(full_damage(attack))
        bring_effects(stage, attack, sure=True)
    else:
        stage.note("hp", f"{attack.claim.quote} is negated: 0")
        if answer.said[0].before is not None:
            stage.options.append(Option("edited", full_damage(attack), False, attack))


def _unanswered(stage: Stage, attack: Attack, maybe_answered: bool) -> None:
    """An attack without a tag: taken, as far as the loss shows it (S7)."""
    total = full_damage(attack)
    usual = not attack.optional and not maybe_answered
    stage.options.append(Option("unanswered", total, usual, attack))
    stage.proof.append(evidence_of(attack))


def _surplus_rolls(stage: Stage, answer: Answer, attacks: list[Attack]) -> None:
    """Rolls that answer no open attack are checked against their records all the same."""
    for said in answer.said:
        if isinstance(said.data, Dodge):
            roll_checked(stage, said, written_of(said), ("1d100",), None, attacks[-1] if attacks else None, ("S10",))
