"""Chapter 3.01 to 3.06: the phases of a turn and how much may be done in each (S5, S15, S17 to S21)."""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter

from referee.model.report import Evidence
from referee.ports.rules import rule
from referee.ports.sayings import all_of, one_of
from rules.shinobi.judging.fighters import Fighter
from rules.shinobi.judging.stage import PHASE_OF, Stage, Used
from rules.shinobi.judging.strange import meet
from rules.shinobi.judging.told import main_told, order_told
from rules.shinobi.judging.turns import Said
from rules.shinobi.model import (
    LOSS,
    MAIN,
    PHASE_NAMES,
    RESPONSE,
    SETUP,
    Ability,
    Damage,
    Dodge,
    Guard,
    LossTag,
    Setup,
    Take,
)
from rules.shinobi.tables import Data, Skill

UNKNOWN = 0
_PHASES: dict[type, int] = {
    Dodge: RESPONSE,
    Take: RESPONSE,
    Guard: RESPONSE,
    Setup: SETUP,
    Damage: MAIN,
    LossTag: LOSS,
}


def sort_abilities(stage: Stage) -> None:
    """Look up every ability of the turn and put it into its phase by the tables (NS4)."""
    for said in stage.turn.of(Ability):
        ability = said.data
        assert isinstance(ability, Ability)
        skill = stage.data.ability(ability.sort, ability.name) if ability.sort != "unknown" else None
        phase = PHASE_OF.get(skill.phase or "", UNKNOWN) if skill else MAIN if ability.sort == "item" else UNKNOWN
        if ability.activates and (skill is None or phase in (UNKNOWN, SETUP) or skill.bloodline or skill.upkeep):
            phase = SETUP if skill is None or not skill.takes_turn else MAIN
        if skill is None:
            message = f"{ability.name} is in no table: its numbers count as written, its limits are not judged"
            stage.unchecked(said.entry, f"ability:{ability.name.casefold()}", message)
            meet(stage, said, ability.name, ability.target)
        if skill is not None and not ability.reminder and _reminds(stage, ability, skill):
            stage.used.append(Used(said, replace(ability, reminder=True), skill, phase, again=True))
        else:
            stage.used.append(Used(said, ability, skill, phase))
    if Damage in stage.turn.kinds:
        _implied(stage)


def _reminds(stage: Stage, ability: Ability, skill: Skill) -> bool:
    """Whether a tag only reminds of what runs already (NS8, NS9): a second use while it runs is not written (NS34).

    Of damage over time a tag reminds only by the technique's name: with a verb, a cost or a target, or where
    its cost is lost, it is a use of one's own.
    """
    if skill.upkeep or skill.turns:
        return any(running.skill.name == skill.name for running in stage.me.running)
    if not skill.dot or Damage in stage.turn.kinds or ability.acts or ability.cost or ability.target is not None:
        return False
    return any(t.name == skill.name for t in stage.me.ticking) and not _paid(stage, skill)


def _paid(stage: Stage, skill: Skill) -> bool:
    """Whether the Loss Tag shows a technique's cost, and no other tag of the turn may have cost it."""
    loss = stage.turn.loss.data if stage.turn.loss is not None else None
    if not isinstance(loss, LossTag) or len(stage.turn.of(Ability)) > 1 or not skill.cost:
        return False
    return all(loss.of(pool) == -amount for pool, amount in skill.cost.items())


def _implied(stage: Stage) -> None:
    """A damage tag that names a technique is its use too, where no tag of its own stands there (NS5).

    At another target it may be a share of the hits of the same use, paid once.
    """
    if not stage.data.techniques:
        return
    named = [u.skill.name for u in stage.used if u.skill is not None and not u.ability.reminder]
    aimed: dict[str, set[str]] = {}
    for said in stage.turn.of(Damage):
        assert isinstance(said.data, Damage)
        skill = None
        for part in said.data.parts:
            skill = skill or (stage.data.technique(part.what) if part.what else None)
        if skill is None:
            continue
        others = aimed.setdefault(skill.name, set())
        shared = bool(others) and said.data.target is not None and said.data.target not in others
        others.add(said.data.target or "")
        if skill.name in named:
            named.remove(skill.name)
            continue
        ability = Ability(skill.name, "technique", target=said.data.target, reminder=shared)
        stage.used.append(Used(said, ability, skill, PHASE_OF.get(skill.phase or "", MAIN), again=shared))


_PLACE = itemgetter(0, 1)


def _plainly_ordered(stage: Stage, used: dict[int, Used]) -> bool:
    """Whether tags without phase marks, which are noted in their order, follow the order of the phases."""
    now = 0
    for said in stage.turn.said:
        phase = phase_of(said, used)
        if phase is not None:
            if phase < now:
                return False
            now = phase
    return True


def _used_by_said(stage: Stage) -> dict[int, Used]:
    return {id(used.said): used for used in stage.used} if stage.used else {}


def phase_of(said: Said, used: dict[int, Used]) -> int | None:
    """The phase that the kind of a tag belongs to, or None where it may stand anywhere."""
    data = said.data
    phase = _PHASES.get(type(data))
    if phase == MAIN and isinstance(data, Damage) and data.idle:
        return None
    if phase is None and isinstance(data, Ability) and not data.reminder:
        return used[id(said)].phase or None
    return phase


@rule("S5", cites="3.06 Phases")
def check_phases(stage: Stage) -> None:
    """Phases come in the order Response, Setup, Main, Loss Tag.

    A mark or the kind of a tag tells the phase. An attack below a Setup mark is an attack in Setup
    (S18) and not a phase out of order. A Response or Setup that is said to hold nothing is over at once, and so is
    a Main Phase that the first words of a post say to be skipped.
    """
    if stage.turn.recast:
        return
    used = _used_by_said(stage)
    if not stage.turn.marks and _plainly_ordered(stage, used):
        return
    events = _events(stage, used)
    now, marked, doubtful = 0, 0, False
    for half, place, phase, tag, told in events:
        if tag is None:
            marked = phase
            if phase == UNKNOWN:
                continue
        elif phase == MAIN and marked == SETUP and now <= SETUP and (_is_attack(tag, used) or _beside(tag, used)):
            if _is_attack(tag, used):
                _attack_in_setup(stage, tag)
            now = max(now, SETUP)
            continue
        if phase < now and (told or doubtful):
            # Whether an action told in one line stands in its place or is announced there is not certain.
            order_told(stage, stage.turn.entries[half])
            now, doubtful = (now, doubtful) if told else (phase, False)
            continue
        if phase < now:
            near = tag or next((e[3] for e in events if e[3] is not None and e[:2] > (half, place)), None)
            _out_of_order(stage, tag, half, phase, now, [PHASE_NAMES[e[2]] for e in events], near)
            return
        doubtful = told if phase > now else doubtful and told
        now = phase


#: A half of a double post and a place in it, a phase, its tag (None: a mark), and whether prose follows the mark.
_Event = tuple[int, int, int, Said | None, bool]


def _events(stage: Stage, used: dict[int, Used]) -> list[_Event]:
    """Marks and tags in their order; a mark that a phase is skipped is left out where nothing stands before it."""
    events: list[_Event] = [
        (half, mark.place, UNKNOWN if mark.skipped and mark.phase < MAIN else mark.phase, None, mark.told)
        for half, mark in stage.turn.marks
    ]
    for said in stage.turn.said:
        phase = phase_of(said, used)
        if phase is not None and said.claim.span[1]:
            events.append((said.half, said.claim.span[0], phase, said, False))
    events.sort(key=_PLACE)
    if events and events[0][3] is None and stage.turn.marks[0][1].skipped:
        del events[0]
    return events


def _is_attack(said: Said, used: dict[int, Used]) -> bool:
    if isinstance(said.data, Damage):
        return True
    found = used.get(id(said))
    return found is not None and found.skill is not None and found.skill.attacks


def _beside(said: Said, used: dict[int, Used]) -> bool:
    """Whether a tag is an activated skill: it is no action of a phase and stands where its attack stands (NS33)."""
    found = used.get(id(said))
    return found is not None and is_beside(found)


def _out_of_order(
    stage: Stage, said: Said | None, half: int, phase: int, now: int, marks: list[str], near: Said | None
) -> None:
    """`said`: the tag at fault, None for a mark; `near`: the tag to quote."""
    at = said if said is not None else stage.turn.entries[half]
    message = (
        f"the {PHASE_NAMES[phase]} comes after the {PHASE_NAMES[now]}; the order is Response, Setup, Main, Loss Tag"
    )
    proof = [] if near is None else [Evidence(near.entry.post.id, near.claim.quote)]
    order = [name for name, before in zip(marks, [None, *marks], strict=False) if name != before]
    stage.add("phase-order", at, message, rules=("S5",), trace=[f"in this post: {', '.join(order)}"], evidence=proof)


@rule("S18", cites="3.02 Setup Phase")
def _attack_in_setup(stage: Stage, said: Said) -> None:
    """Nobody is attacked in the Setup Phase."""
    if stage.faulty_main or main_told(stage, said, stage.turn.marks):
        return
    stage.faulty_main = True
    stage.add("setup-attack", said, "an attack stands in the Setup Phase; attacks belong to Main", rules=("S18",))


@rule("S17", cites="3.02 Setup Phase")
def is_setup_action(data: Data, said: Said, used: Used | None) -> bool:
    """One Setup action a turn: a large item drawn, picked up, put away or dropped; a bloodline; a scroll.

    Hand-sized things, such as small weapons, are free; a bloodline that takes the turn is none.
    """
    if isinstance(said.data, Setup):
        weapon = data.weapon(said.data.thing)
        return weapon is None or weapon[0] != "small"
    return used is not None and used.phase == SETUP and not used.ability.reminder


def check_setup(stage: Stage) -> None:
    """More than one Setup action (S17)."""
    if Setup not in stage.turn.kinds and SETUP not in [used.phase for used in stage.used]:
        return
    used = _used_by_said(stage)
    actions = [said for said in stage.turn.said if is_setup_action(stage.data, said, used.get(id(said)))]
    limit = stage.data.setup_actions
    if len(actions) > limit:
        trace = [f"{number}. {said.claim.quote}" for number, said in enumerate(actions, 1)]
        message = f"{len(actions)} Setup actions in one turn; there may be {limit}"
        stage.add(
            "setup-limit", actions[limit], message, claimed=len(actions), expected=[limit], rules=("S17",), trace=trace
        )


def main_uses(stage: Stage) -> list[Used]:
    """The abilities of the Main Phase that are its action: activated skills stand beside one (NS33)."""
    return [u for u in stage.used if u.phase == MAIN and not u.ability.reminder and not is_beside(u)]


def is_beside(used: Used) -> bool:
    """Whether an ability is an activated skill that only stands beside an attack (NS33)."""
    skill = used.skill
    return skill is not None and skill.sort == "skill" and bool(skill.critical_range) and not skill.attacks


@rule("S15", cites="3.01 Response Phase, example 3")
def skips_main(used: Used) -> bool:
    """A Response such as Body Substitute negates one attack and uses up the Main Phase of that turn."""
    return used.phase == RESPONSE and used.skill is not None and used.skill.skips_main


@rule("S21", cites="3.05 Starting")
def may_attack_first(stage: Stage) -> bool:
    """On the first turn nothing affects the opponent, unless an opponent could attack before that turn."""
    me = stage.me
    return stage.attacked or any(foe.armed for foe in stage.arena.foes(me))


def check_main(stage: Stage, kinds: list[tuple[str, Said]]) -> None:
    """What the Main Phase holds as a whole: too much, on the first turn, or although it was used up.

    `kinds`: each action of the Main Phase, by kind.
    """
    if not kinds or stage.faulty_main or stage.turn.recast:
        return
    attacks = [said for kind, said in kinds if kind.startswith("attack")] if stage.me.turns == 0 else []
    skipping = next((u for u in stage.used if skips_main(u)), None) if stage.used else None
    if attacks and not may_attack_first(stage):
        message = "an attack on the first turn, before any opponent could attack"
        stage.faulty_main = True
        foes = all_of(foe.name for foe in stage.arena.foes(stage.me))
        trace = [f"this is the first turn of {stage.me.name}", f"before it no turn of {foes} could hold an attack"]
        stage.add("first-turn", attacks[0], message, rules=("S21",), trace=trace)
    elif skipping is not None and not stage.down_sure:
        message = f"{skipping.ability.name} in the Response uses up the Main Phase of this turn"
        stage.faulty_main = True
        stage.add("main-skipped", kinds[0][1], message, rules=("S15",), trace=[skipping.said.claim.quote])
    elif len(kinds) > 1 and _mixed(kinds):
        stage.faulty_main = stage.mixed_main = True
        stage.add(
            "main-mixed",
            kinds[-1][1],
            "more than one kind of Main action in one turn",
            rules=("S19",),
            trace=[f"{number}. {said.claim.quote}" for number, (_, said) in enumerate(kinds, 1)],
        )


@rule("S19", cites="3.03 Main Phase")
def _mixed(kinds: list[tuple[str, Said]]) -> bool:
    """The Main Phase holds one kind of action; rank limits the number of attacks with fists and weapons."""
    known = {kind.removeprefix("attack ") for kind, _ in kinds if not kind.endswith("unknown")}
    return len(known) > 1


def check_limit(stage: Stage, what: str, hits: int, said: Said, me: Fighter) -> None:
    """More attacks than the rank allows (S19). `what`: basic, small, medium or large.

    Another kind of action beside them is a fault of its own.
    """
    if (stage.faulty_main and not stage.mixed_main) or said.before is not None:
        return
    if len(me.rank_readings) == 1:
        most = stage.data.limit(what, me.rank)
        if most is not None and hits <= most:
            return
    known = [limit for rank in me.rank_readings if (limit := stage.data.limit(what, rank)) is not None]
    if not known:
        stage.unchecked(said.entry, f"rank:{me.name}", f"the rank of {me.name} is not known: attacks are not counted")
        return
    if hits > max(known):
        stage.faulty_main = True
        word = "basic attacks" if what == "basic" else f"attacks with {what} weapons"
        rank = one_of(sorted(me.rank_readings))
        message = f"{hits} {word} in one turn; the limit for a {rank} is {max(known)}"
        trace = _counted_tags(stage, hits)
        stage.add("attack-limit", said, message, claimed=hits, expected=sorted(set(known)), rules=("S19",), trace=trace)


def _counted_tags(stage: Stage, hits: int) -> list[str]:
    """The damage tags of a turn with their numbers of attacks."""
    tags = [(s.claim.quote, s.data.parts) for s in stage.turn.of(Damage) if isinstance(s.data, Damage)]
    lines = [f"{quote}: {sum(part.hits for part in parts)}" for quote, parts in tags]
    return [*lines, f"together: {hits}"] if len(lines) > 1 else []
