"""The findings about a Loss Tag: what does not add up, with its working (S6, NS22, NS28)."""

from __future__ import annotations

from referee.model.report import Evidence, Working
from referee.ports.sayings import brief, one_of
from rules.shinobi.damage import basic_cost
from rules.shinobi.judging.blows import evidence_of
from rules.shinobi.judging.stage import FELL, Option, Stage
from rules.shinobi.judging.strange import acts_still
from rules.shinobi.judging.told import answer_told, explains
from rules.shinobi.judging.turns import Said
from rules.shinobi.judging.workings import POOL_TITLES, before_line, cost_line, option_line, rules_behind, signed
from rules.shinobi.model import Damage

#: One way to read the doubtful items of a turn: which were taken.
Chosen = tuple[bool, ...]


def is_fault(option: Option, taken: bool) -> bool:
    """Whether reading a doubtful item so, taken or not, is a finding."""
    if option.kind == "unanswered":
        return option.usual and not taken
    return option.kind == "failed guard" and taken


def report_loss(stage: Stage, name: str, claimed: int, listed: set[int]) -> None:
    """One loss-* finding with its working; a gain of the fallen is healed-while-down alone (NS28)."""
    said = stage.turn.loss
    assert said is not None
    if claimed > 0 and stage.fell == FELL:
        report_healed(stage, said)
        return
    if explains(stage, name, claimed, listed) or acts_still(stage, name, claimed, listed):
        return
    wanted = one_of(signed(change) for change in sorted(listed))
    lines, rules = _working(stage, name)
    stage.add(
        f"loss-{name}",
        said,
        f"the numbers of this turn give {POOL_TITLES[name]} {wanted}, the Loss Tag says {signed(claimed)}",
        claimed=claimed,
        expected=sorted(listed),
        rules=rules,
        trace=[*lines, f"together: {wanted}"],
        evidence=evidence_of(stage) if name == "hp" else (),
    )


def _working(stage: Stage, name: str) -> tuple[list[Working | str], tuple[str, ...]]:
    """All that a turn takes from a pool and gives back, line by line, and the rules behind the lines."""
    noted = stage.lines.get(name, [])
    lines: list[Working | str] = [say(*parts) for say, parts in noted]
    rules = {rule for say, parts in noted for rule in rules_behind(say, parts)}
    if name == "hp" and stage.options:
        lines += filter(None, map(option_line, stage.options))
        rules.add("S7")
    basics = _basics(stage, name)
    upkeep = [] if name == "hp" and not stage.upkeeps else _upkeeps(stage, name)
    gains = _gains(stage, name)
    lines += [*basics, *upkeep, *gains]
    rules |= ({"S22"} if basics else set()) | ({"S30"} if upkeep else set())
    if gains or name in stage.heals:
        lines.insert(0, before_line(stage, name))
    if stage.fell == FELL:
        pool = stage.me.pools["hp"]
        before = one_of(sorted(stage.me.before_last["hp"][2])) if "hp" in stage.me.before_last else "?"
        words = "HP are used up at the end of the Response, nothing after it counts"
        lines.append(Working(words, f"{words} ({before} of {pool.total} before this turn)"))
        rules |= {"S28", "S32"}
    lines = lines or ["no hit, cost or upkeep in this turn"]
    return lines, tuple(sorted({"S6", *rules}, key=lambda rule: int(rule[1:])))


def _basics(stage: Stage, name: str) -> list[str]:
    """The stamina of basic attacks, and other costs that no line names yet."""
    said_already = [parts[0] for say, parts in stage.lines.get(name, []) if say is cost_line]
    lines = []
    for (_, pool), due in stage.spends.items():
        for said, amount in due if pool == name else ():
            if said is None or said.claim.quote in said_already:
                continue
            each = _each_basic(stage, said)
            lines.append(f"{brief(said.claim.quote)}: costs {each + ' = ' if each else ''}{amount}")
    return lines


def _each_basic(stage: Stage, said: Said) -> str:
    """`2 x 5`, `8 + 5 + 5` ...: the stamina of each basic attack of a tag (S22)."""
    parts = said.data.parts if isinstance(said.data, Damage) else ()
    least = basic_cost(stage.data, None)
    costs = [(part.hits, basic_cost(stage.data, part.base) - least) for part in parts]
    if costs == [(1, 0)]:
        return ""
    if len(costs) == 1 and costs[0][0] == 1:
        return f"{least} + {costs[0][1]} for the raised base"
    terms = [(hits, f"({least} + {raised} for the raised base)" if raised else str(least)) for hits, raised in costs]
    return " + ".join(f"{hits} x {cost}" for hits, cost in terms)


def _upkeeps(stage: Stage, name: str) -> list[str]:
    """Upkeep that is due in this turn (S30)."""
    if stage.fell == FELL:
        return []
    names = {id(held.skill.upkeep): held.skill.name for held in stage.me.running}
    return [
        f"upkeep of {names.get(id(amounts), 'a technique')}: {amounts[name]}{'' if sure else ' (if it still runs)'}"
        for amounts, sure in stage.upkeeps
        if amounts.get(name)
    ]


def _gains(stage: Stage, name: str) -> list[str]:
    """What is regained at the end of Setup (NS18)."""
    regen = stage.me.regen.get(name)
    if not regen or not stage.me.turns or stage.fell == FELL or stage.down_sure:
        return []
    return [f"regeneration at the end of Setup: {regen}, but never above the total"]


def _loss_quote(stage: Stage) -> list[Evidence]:
    """The Loss Tag's own words."""
    said = stage.turn.loss
    return [] if said is None else [Evidence(said.entry.post.id, said.claim.quote)]


def report_healed(stage: Stage, said: Said) -> None:
    """A gain in a post of a fallen character (S32)."""
    if any(pool == "healed" for pool in stage.open_pools):
        return
    stage.open_pools.add("healed")
    message = "a gain in the Loss Tag of a character that has fallen"
    lines = [say(*parts) for say, parts in stage.lines.get("hp", [])]
    trace = [*lines, "HP are used up at the end of the Response of this post"]
    stage.add("healed-while-down", said, message, rules=("S32",), trace=trace)


def report_options(stage: Stage, chosen: Chosen) -> None:
    """Attacks left without answer, and failed guards that were taken all the same."""
    for option, taken in zip(stage.options, chosen, strict=True):
        if not is_fault(option, taken):
            continue
        if option.kind == "unanswered" and option.attack is not None:
            if answer_told(stage):
                continue
            attack = option.attack
            message = f"{attack.claim.quote} by {attack.attacker.name} is neither rolled, taken nor answered"
            proof = (Evidence(attack.entry.post.id, attack.claim.quote), *_loss_quote(stage))
            trace = [f"in full it is HP {signed(-amount)}" for amount in sorted(option.amount.listed)[:1]]
            trace.append("the Loss Tag of this post does not hold it")
            stage.add("response-missing", stage.turn.first, message, rules=("S7",), evidence=proof, trace=trace)
        elif option.claim is not None:
            limit = stage.data.guard_success
            message = f"the guard failed (more than {limit}), yet its loss holds the attack"
            trace = [f"1 to {limit}: the guard takes the attack; {limit + 1} to 20: it fails"]
            proof = (*evidence_of(stage), *_loss_quote(stage))
            stage.add("guard", option.claim, message, rules=("S16",), evidence=proof, trace=trace)
            if option.attack is not None:
                option.attack.optional = True
