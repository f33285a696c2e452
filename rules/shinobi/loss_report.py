"""The findings about a Loss Tag: what does not add up, with its working (S6, NS22, NS28)."""

from __future__ import annotations

from rules.shinobi.blows import evidence_of
from rules.shinobi.stage import FELL, Option, Stage
from rules.shinobi.turns import Said

POOL_TITLES = {"hp": "HP", "chakra": "Chakra", "stamina": "Stamina"}
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
    wanted = " or ".join(_signed(change) for change in sorted(listed))
    noted = stage.working(name)
    trace = [*noted, *_cost_lines(stage, name, noted)]
    trace.append(f"together: {wanted}")
    stage.add(
        f"loss-{name}",
        said,
        f"the numbers of this turn give {POOL_TITLES[name]} {wanted}, the Loss Tag says {_signed(claimed)}",
        claimed=claimed,
        expected=sorted(listed),
        rules=_loss_rules(name),
        trace=trace,
        evidence=evidence_of(stage) if name == "hp" else (),
    )


def _signed(change: int) -> str:
    """A change as a Loss Tag writes it."""
    return f"{change:+d}" if change else "-0"


def _loss_rules(name: str) -> tuple[str, ...]:
    return ("S10", "S11", "S12", "S28") if name == "hp" else ("S6", "S22", "S29", "S30")


def _cost_lines(stage: Stage, name: str, noted: list[str]) -> list[str]:
    lines: list[str] = []
    for amounts, sure in stage.upkeeps:
        if amounts.get(name):
            lines.append(f"upkeep: {amounts[name]}{'' if sure else ' (if it still runs)'}")
    if stage.me.regen.get(name) and stage.me.turns:
        lines.append(f"regeneration: up to {stage.me.regen[name]}")
    for (_, pool), due in stage.spends.items():
        if pool == name:
            for said, amount in due:
                if said is not None and not any(said.claim.quote in line for line in noted):
                    lines.append(f"{said.claim.quote}: costs {amount}")
    return lines


def report_healed(stage: Stage, said: Said) -> None:
    """A gain in a post of a fallen character (S32)."""
    if any(pool == "healed" for pool in stage.open_pools):
        return
    stage.open_pools.add("healed")
    message = "a gain in the Loss Tag of a character that has fallen"
    stage.add("healed-while-down", said, message, rules=("S32",))


def report_options(stage: Stage, chosen: Chosen) -> None:
    """Attacks left without answer, and failed guards that were taken all the same."""
    for option, taken in zip(stage.options, chosen, strict=True):
        if not is_fault(option, taken):
            continue
        if option.kind == "unanswered" and option.attack is not None:
            attack = option.attack
            message = f"{attack.claim.quote} by {attack.attacker.name} is neither rolled, taken nor answered"
            stage.add("response-missing", stage.turn.first, message, rules=("S7",), evidence=evidence_of(stage))
        elif option.claim is not None:
            limit = stage.data.guard_success
            message = f"the guard failed (more than {limit}), yet its loss holds the attack"
            stage.add("guard", option.claim, message, rules=("S16",), evidence=evidence_of(stage))
            if option.attack is not None:
                option.attack.optional = True
