"""Chapter 3.01: the Response Phase - every open attack and what was done against it (S6 to S9, S16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from referee.model.claims import WrittenRoll
from referee.model.report import Evidence
from referee.ports.rules import rule
from referee.ports.sayings import counted
from rules.shinobi.hits import chances_by_formula
from rules.shinobi.judging.blows import bring_effects, full_damage, roll_checked, written_of
from rules.shinobi.judging.dodging import judge_dodge, ruled_chances
from rules.shinobi.judging.doubts import meet_threats
from rules.shinobi.judging.drafts import NOT_KNOWN
from rules.shinobi.judging.fighters import Attack
from rules.shinobi.judging.guarding import judge_guards
from rules.shinobi.judging.matching import Answer, answer_of, joined, match, out_of_order, parted, tags_a_hit, together
from rules.shinobi.judging.stage import Option, Stage, Used
from rules.shinobi.judging.strange import missed
from rules.shinobi.judging.turns import Said
from rules.shinobi.judging.workings import negated_line, taken_line
from rules.shinobi.model import RESPONSE, Dodge, Guard, Take


@rule("S7", cites="3.01 Response Phase")
def judge_response(stage: Stage) -> None:
    """One response action for each incoming attack: take it, roll, a technique, or a skill; never two.

    Attacks without a tag count as taken where the loss shows it.
    """
    guards = stage.turn.of(Guard)
    if guards:
        judge_guards(stage, guards)
    attacks = stage.me.open
    stage.attacked = bool(attacks)
    if attacks:
        stage.me.open = []
    answers = [_aimed(answer, attacks) for answer in _answers(stage)]
    if len(answers) < len(attacks):
        attacks = together(answers, attacks)
        answers = parted(answers, attacks)
    answers = joined(answers, attacks)
    if answers or attacks:
        _judge_answers(stage, answers, attacks, bool(guards))
    if "hp" in stage.open_pools:
        _doubt_effects(stage, attacks)
    if stage.me.threats:
        meet_threats(stage)
    stage.threat, stage.me.unread_from = bool(stage.me.unread_from), set()


def _judge_answers(stage: Stage, answers: list[Answer], attacks: list[Attack], guards: bool) -> None:
    """Give every answer its attack, and judge both."""
    if len(answers) == len(attacks) == 1 and answers[0].attacker in (None, attacks[0].attacker.name):
        if not _strays(stage, answers[0], attacks[0]):
            answers[0].attack = attacks[0]
        if not stage.used and answers[0].attack is not None:
            _judge_answer(stage, answers[0], attacks[0], spare=False)
            return
    left = _matched(stage, answers, attacks)
    _check_answers(stage, answers, attacks, left, guards)
    matched = {id(a.attack) for a in answers if a.attack is not None} | _also_negated(answers, attacks)
    open_ones = [attack for attack in attacks if id(attack) not in matched]
    spare = any(attack.optional for attack in open_ones)
    for answer in answers:
        if answer.attack is not None:
            _judge_answer(stage, answer, answer.attack, spare)
    for answer in tags_a_hit([a for a in answers if a.attack is None and a.kind == "dodge"]):
        _surplus_rolls(stage, answer, attacks)
    unknown = any(u.skill is None and u.phase == 0 and not u.ability.reminder for u in stage.used)
    for attack in open_ones:
        _unanswered(stage, attack, unknown)


def _matched(stage: Stage, answers: list[Answer], attacks: list[Attack]) -> list[Answer]:
    """Pair answers and attacks; the answers that are left over come back."""
    if len(answers) == 1 and answers[0].attack is not None:
        return []
    guarding = _guard_rolls(stage, answers, attacks)
    others = [a for a in answers if a not in guarding]
    left = match(others, attacks, [[_misfit(stage, a, attack) for attack in attacks] for a in others])
    strays = [a for a in others if a.attack is not None and _strays(stage, a, a.attack)]
    for answer in strays:
        answer.attack = None
    return left + strays + guarding


def _strays(stage: Stage, answer: Answer, attack: Attack) -> bool:
    """Whether rolls rather answer an attack that could not be read: their number is not that of the hits (X2)."""
    if not _may_meet_unread(stage, answer) or answer.kind != "dodge":
        return False
    return answer.rolls is not None and answer.rolls not in [len(form) for form in attack.forms]


def _may_meet_unread(stage: Stage, answer: Answer) -> bool:
    """Whether an answer may be meant for an attack that could not be read: it names no other attacker (X2)."""
    unread = stage.me.unread_from
    return bool(unread) and (answer.attacker is None or answer.attacker in unread)


def _guard_rolls(stage: Stage, answers: list[Answer], attacks: list[Attack]) -> list[Answer]:
    """Answers too many that stand right behind a guard and name the attacker whose attack is guarded (NS23)."""
    spare = len(answers) - len(attacks)
    if not stage.guarded or spare <= 0:
        return []
    names = {attack.attacker.name for attack in stage.guarded}
    behind = _behind_guards(stage, answers)
    return [a for a in answers if a.attacker in names and id(a.said[0]) in behind][:spare]


def _doubt_effects(stage: Stage, attacks: list[Attack]) -> None:
    """Where it is open which answer met which attack, every effect of theirs may have come or not (NS23)."""
    stage.dots = [(skill, False) for skill, _ in stage.dots]
    stage.effects = [(effect, False) for effect, _ in stage.effects]
    for attack in attacks:
        bring_effects(stage, attack, sure=False)


def _answers(stage: Stage) -> list[Answer]:
    """The response actions in the order of writing."""
    uses = {id(u.said): u for u in stage.used if u.phase == RESPONSE}
    found: list[Answer] = []
    kinds = stage.turn.kinds
    if not uses and Dodge not in kinds and Take not in kinds:
        return found
    for said in stage.turn.said:
        if isinstance(said.data, (Dodge, Take)):
            found.append(answer_of(said))
        elif id(said) in uses:
            skill = uses[id(said)].skill
            if skill is None or skill.negates or not (skill.heal or skill.block_range):
                found.append(answer_of(said, max(1, skill.negates if skill else 1)))
    return found


def _aimed(answer: Answer, attacks: Sequence[Attack]) -> Answer:
    """An answer by an ability that names the attacker as its target: `[Used Mud Curtain -> Kaito]`."""
    target = getattr(answer.said[0].data, "target", None)
    if answer.attacker is None and target in [attack.attacker.name for attack in attacks]:
        answer.attacker = target
    return answer


def _misfit(stage: Stage, answer: Answer, attack: Attack) -> int:
    """How badly an answer fits an attack: other number of rolls, another chance than the formula's."""
    if answer.kind != "dodge":
        return 0
    rolls = answer.rolls
    wrong = 2 * (rolls is not None and rolls not in [len(form) for form in attack.forms])
    due = formula_chances(stage, attack, note=False)
    return wrong + (due is not None and any(c not in due and answer.also not in due for c in answer.chances))


def formula_chances(stage: Stage, attack: Attack, note: bool = True) -> frozenset[int] | None:
    """The chances to hit that the formula gives for an attack on this turn's fighter; None without one."""
    formula = stage.data.formula
    if formula is None:
        return None
    evasion = stage.me.stat(formula.target)
    if not evasion or not attack.accuracy:
        return None
    bonuses: Iterable[int] = attack.bonuses
    if stage.arena.places:
        extras = ruled_chances(stage, note)
        bonuses = [bonus + extra for bonus in bonuses for extra in extras]
    return chances_by_formula(formula, stage.data.cap, attack.accuracy, evasion, bonuses)


def _check_answers(
    stage: Stage, answers: list[Answer], attacks: list[Attack], left: list[Answer], guards: bool
) -> None:
    """Too many answers, too many techniques, or answers in another order (S7 to S9, S16)."""
    if not left and len(answers) < 2 and len(stage.used) < 2:
        return
    uses = {id(u.said): u for u in stage.used}
    sure = [answer for answer in left if not _may_meet_unread(stage, answer)]
    techniques = [u.said for u in stage.used if is_response_technique(u)]
    if len(techniques) > stage.data.response_techniques and not stage.down_sure:
        message = f"{len(techniques)} Response techniques in one turn; there may be {stage.data.response_techniques}"
        trace = [f"{number}. {s.claim.quote}" for number, s in enumerate(techniques, 1)]
        stage.add("response-techniques", techniques[1], message, rules=("S8",), trace=trace)
        stage.open_pools.add("hp")
    elif sure and (attacks or guards) and not _unjudged(sure, uses):
        _too_many(stage, sure, guards, answers)
    elif left and (any(a.kind != "ability" for a in left) or (attacks and stage.me.unread_from)):
        said = left[0].said[0]
        message = f"{said.claim.quote} answers no attack that could be read"
        stage.unchecked(said.entry, f"no attack:{said.entry.post.id}", message)
        stage.open_pools.add("hp")
    if out_of_order(answers, attacks):
        first = next(a.said[0] for a in answers if a.attacker is not None or a.moved)
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
    names = ", ".join(f"{attack.attacker.name} ({attack.entry.post.id})" for attack in attacks)
    stage.add(
        "response-order",
        said,
        f"the attacks came in the order: {names}",
        rules=("S9",),
        trace=[f"{attack.entry.post.id}: {attack.claim.quote} by {attack.attacker.name}" for attack in attacks],
    )


def _too_many(stage: Stage, left: list[Answer], guards: bool, answers: list[Answer]) -> None:
    said = left[0].said[0]
    stage.open_pools.add("hp")
    if guards and _follows_guard(stage, answers):
        message = "who guards a comrade takes the attack: no roll, block, technique or skill"
        guards_said = [s.claim.quote for s in stage.turn.of(Guard)]
        stage.add("guard", said, message, rules=("S16",), trace=[*guards_said, said.claim.quote])
        return
    message = f"{counted(len(answers), 'response action')} for {counted(len(answers) - len(left), 'attack')}"
    trace = [f"answer {number}: {s.claim.quote}" for number, s in enumerate(_tags(answers), 1)]
    stage.add("response-double", said, message, rules=("S7",), trace=trace, evidence=_met(answers))


def _tags(answers: list[Answer]) -> list[Said]:
    return [said for answer in answers for said in answer.said]


def _met(answers: list[Answer]) -> list[Evidence]:
    """The words of the attacks that these answers meet."""
    met = [answer.attack for answer in answers if answer.attack is not None]
    return [Evidence(attack.entry.post.id, attack.claim.quote) for attack in met]


def _follows_guard(stage: Stage, answers: list[Answer]) -> bool:
    """Whether an answer stands right behind a guard: then it is the guard who also rolls (S16)."""
    return bool(_behind_guards(stage, answers))


def _behind_guards(stage: Stage, answers: list[Answer]) -> set[int]:
    """The tags of answers that stand right behind a guard, with no other answer between."""
    answering = {id(said) for answer in answers for said in answer.said}
    row = [s for s in stage.turn.said if isinstance(s.data, Guard) or id(s) in answering]
    return {id(b) for a, b in pairwise(row) if isinstance(a.data, Guard) and id(b) in answering}


def _also_negated(answers: list[Answer], attacks: list[Attack]) -> set[int]:
    """Attacks that a technique negates besides the one that it answers, in their order (S9)."""
    taken = {id(a.attack) for a in answers if a.attack is not None}
    spare = sum(a.negates - 1 for a in answers if a.kind == "ability")
    found: set[int] = set()
    if not spare:
        return found
    for attack in attacks:
        if len(found) < spare and id(attack) not in taken:
            found.add(id(attack))
    return found


def _judge_answer(stage: Stage, answer: Answer, attack: Attack, spare: bool) -> None:
    """What an answer makes of its attack. `spare`: the answer may be meant for another attack as well (NS24)."""
    if answer.kind == "dodge":
        judge_dodge(stage, answer, attack, formula_chances(stage, attack))
    elif answer.kind == "take":
        full = full_damage(attack)
        stage.note("hp", taken_line, attack, full)
        stage.proof.append(attack)
        stage.response = stage.response.plus(full)
        bring_effects(stage, attack, sure=True)
    else:
        stage.note("hp", negated_line, attack)
        stage.negated.append((answer.said[0], attack))
        if stage.me.strange and attack.kind == NOT_KNOWN:
            missed(stage.me, attack)
        if answer.said[0].before is not None or spare:
            stage.options.append(Option("open", full_damage(attack), False, attack))


def _unanswered(stage: Stage, attack: Attack, maybe_answered: bool) -> None:
    """An attack without a tag: taken, as far as the loss shows it (S7)."""
    total = full_damage(attack)
    usual = not attack.optional and not maybe_answered and not stage.turn.recast
    stage.options.append(Option("unanswered", total, usual, attack))
    stage.proof.append(attack)


def _surplus_rolls(stage: Stage, answer: Answer, attacks: list[Attack]) -> None:
    """Rolls that answer no open attack are checked against their records all the same.

    They may be meant for any attack of the named attacker, open or guarded: the earliest one counts. Where one could
    not be read, they may be older than all others.
    """
    known = () if _may_meet_unread(stage, answer) else (*stage.guarded, *attacks)
    meant = [attack for attack in known if answer.attacker in (None, attack.attacker.name)]
    first = min(meant, key=lambda attack: attack.entry.index, default=None)
    written = [written_of(said) for said in answer.said]
    values = tuple(value for each in written for value in each.values)
    whole = WrittenRoll(values, tuple(anchor for each in written for anchor in each.anchors))
    roll_checked(stage, answer.said[0], whole, ("1d100",), None, first, ("S10",))
