"""A damage tag against stats, tables and number of hits (S22 to S26, NS12, NS13)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from referee.model.battle import Ruling
from referee.ports.reading import squeeze
from referee.ports.sayings import all_of, chain, counted, one_of
from rules.shinobi.damage import (
    basic_cost,
    basic_shares,
    net_shares,
    parted_shares,
    scaled,
    single_bonus,
    too_many_hits,
    written_sum,
)
from rules.shinobi.judging.drafts import Draft
from rules.shinobi.judging.fighters import Fighter
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.told import modifier_told
from rules.shinobi.judging.workings import basic_lines, hit_line, long_lines, modifier_lines, stat_line
from rules.shinobi.model import Bonus, LossTag, Part
from rules.shinobi.sums import Sums, only
from rules.shinobi.tables import Skill, whole_or


@dataclass(frozen=True, slots=True)
class Due:
    """What a hit should be: base damage, share of the modifier, and whose stats gave it: (owners, stat, readings)."""

    base: int
    shares: Sums
    stats: tuple[tuple[tuple[str, ...], str | None, tuple[int, ...]], ...] = ()
    kind: str = ""


def checked_part(
    stage: Stage, draft: Draft, part: Part, kind: str, skill: Skill | None, targets: tuple[Fighter, ...], total: int
) -> Sums:
    """The admissible damage of one hit of a part; reports damage-sum and damage-modifier.

    `total`: all hits of the turn. After a finding both the written and the right number hold (G23).
    """
    assert draft.damage is not None
    hits = draft.hits
    due = due_of(stage, draft, part, kind, skill, targets, hits)
    if due is not None and total != hits:
        wider = due_of(stage, draft, part, kind, skill, targets, total)
        if wider is not None:
            due = replace(due, shares=due.shares.or_also(wider.shares.accepted))
    right = right_of(stage, due, draft.damage.bonuses, hits) if due is not None else None
    if draft.said.before is not None or (draft.used is not None and draft.used.said.before is not None):
        return Sums.of(part.amount) if right is None else Sums.of(part.amount).or_also(right.listed)
    if part.base is not None and part.share is not None and not _sum_holds(stage, part, due):
        return _wrong_sum(stage, draft, part, part.base, part.share, right)
    if due is None or right is None:
        return Sums.of(part.amount)
    listed_hits = skill.hits if skill is not None else None
    working, working_hits = due, hits
    # A technique's hits may be shared out among several targets, a tag for each.
    short = listed_hits is not None and listed_hits not in (hits, total) and not too_many_hits(stage.data, hits)
    if short and skill is not None:
        again = due_of(stage, draft, part, kind, skill, targets, skill.hits or 1)
        if again is not None:
            right, working, working_hits = right_of(stage, again, (), skill.hits or 1), again, skill.hits or 1
    if (
        short
        or part.amount not in right.accepted
        or not _parts_hold(stage, due, part, draft.damage.bonuses, (hits, total))
    ):
        turned = None if short else _base_first(stage, draft, part, kind, skill, targets, (hits, total))
        if turned is None and stage.arena.places and _with_ruling(stage, draft, part, due, right, total):
            return Sums.of(part.amount)
        if turned is None:
            return _wrong_modifier(stage, draft, part, working, right, working_hits)
        draft.damage = replace(draft.damage, parts=tuple(turned if p is part else p for p in draft.damage.parts))
    return Sums.of(part.amount)


def _with_ruling(stage: Stage, draft: Draft, part: Part, due: Due, right: Sums, total: int) -> bool:
    """Whether a part is right but for what a ruling adds to the damage of this turn's attacks (X15)."""
    for bonus in bonus_rulings(stage):
        share = None if part.share is None else part.share - bonus
        plain = replace(part, amount=part.amount - bonus, share=share)
        bonuses = draft.damage.bonuses if draft.damage is not None else ()
        if plain.amount in right.accepted and _parts_hold(stage, due, plain, bonuses, (draft.hits, total)):
            return True
    return False


def _base_first(
    stage: Stage,
    draft: Draft,
    part: Part,
    kind: str,
    skill: Skill | None,
    targets: tuple[Fighter, ...],
    hits: Iterable[int],
) -> Part | None:
    """A part with its addends the other way round, where only so they are what stats and tables give (S26).

    `60 + 30 = 90` may say the same as `30 + 60 = 90`.
    """
    assert draft.damage is not None
    if part.base is None or part.share is None or part.share < 0 or draft.damage.bonuses:
        return None
    if kind == "basic" and not _may_be_base(stage, part, part.share):
        return None
    turned = replace(part, base=part.share, share=part.base)
    dues = [due_of(stage, draft, turned, kind, skill, targets, each) for each in hits]
    fits = any(due is not None and turned.base == due.base and turned.share in due.shares.accepted for due in dues)
    return turned if fits else None


def _may_be_base(stage: Stage, part: Part, base: int) -> bool:
    """Whether the second addend may be a basic attack's base: it is not raised, or the stamina lost shows it (S22)."""
    least = stage.data.basic_damage
    if base <= least:
        return base == least
    loss = stage.turn.loss
    lost = loss.data.stamina if loss is not None and isinstance(loss.data, LossTag) else None
    due = basic_cost(stage.data, base) * part.hits + sum(amounts.get("stamina", 0) for amounts, _ in stage.upkeeps)
    return lost is not None and lost + due in (0, stage.me.regen.get("stamina", 0))


def _sum_holds(stage: Stage, part: Part, due: Due | None) -> bool:
    """Whether a tag's own arithmetic adds up (S26); a status effect's factor may stand between."""
    assert part.base is not None and part.share is not None
    given = written_sum(part.base, part.share)
    if part.amount in (given, part.base + part.share):
        return True
    factors = stage.me.damage_factors("taijutsu") if due is not None and due.kind == "taijutsu" else ()
    return any(part.amount in scaled(given, factor, stage.data.status_rounding) for factor in factors)


def _wrong_sum(stage: Stage, draft: Draft, part: Part, base: int, share: int, right: Sums | None) -> Sums:
    given = written_sum(base, share)
    both = Sums.of(part.amount, given)
    both = both if right is None else both.or_also(right.listed)
    if not draft.tells("damage-sum", part.amount - given):
        return both
    message = f"the numbers in this tag give {given}, it says {part.amount}"
    stage.add(
        "damage-sum",
        draft.said,
        message,
        claimed=part.amount,
        expected=[given],
        rules=("S26",),
        trace=[_written_out(draft, base, share, given)],
    )
    return both


def _written_out(draft: Draft, base: int, share: int, given: int) -> str:
    """The sum of a tag as it is written, bonus by bonus."""
    bonuses = draft.damage.bonuses if draft.damage is not None else ()
    values = [bonus.value for bonus in bonuses]
    total = base + share
    written = chain(base, values if sum(values) == share and values else [share])
    return f"{written} = {total}" + (f", never below 0: {given}" if total != given else "")


def _parts_hold(stage: Stage, due: Due, part: Part, bonuses: tuple[Bonus, ...], hits: tuple[int, int]) -> bool:
    """Whether base and share are right one by one, as far as they are written; `hits`: of the tag, of the turn.

    A bonus that stands alone may be the net modifier by the name of the attacker's stat.
    """
    if part.base is None:
        return True
    net = len(bonuses) == 1 and part.base == due.base and part.share in due.shares.accepted
    if bonuses and not net:
        return all(_bonus_holds(stage, due, bonus, hits) for bonus in bonuses)
    if part.base != due.base:
        return False
    return part.share in due.shares.accepted or part.amount == 0


def _bonus_holds(stage: Stage, due: Due, bonus: Bonus, hits: tuple[int, int]) -> bool:
    """Whether a bonus of the long form is a quarter of its stat; one of another name is not judged (S26)."""
    for sign, (_, stat, values) in zip((1, -1), due.stats, strict=False):
        if stat is not None and squeeze(stat) == bonus.stat:
            right = {share for value in values for n in hits for share in single_bonus(stage.data, value, n)}
            return sign * bonus.value in right
    return True


def _wrong_modifier(stage: Stage, draft: Draft, part: Part, due: Due, right: Sums, hits: int) -> Sums:
    if stage.arena.places and (bonuses := bonus_rulings(stage)):
        right = Sums.among(right.listed | {value + bonus for value in right.listed for bonus in bonuses})
    both = Sums.of(part.amount).or_else(Sums.among(right.listed))
    if modifier_told(stage, "damage", part.amount, right.listed):
        return both
    if not draft.tells("damage-modifier", part.amount - max(right.listed)):
        return both
    wanted = one_of(sorted(right.listed))
    message = f"stats and tables give {wanted} a hit, this tag says {part.amount}"
    if part.amount in right.listed:
        message = f"the sum {part.amount} is possible, but a part of it is not what stats and tables give"
    lines = _modifier_lines(stage, due, right, hits, long_form=bool(draft.damage and draft.damage.bonuses))
    if draft.skill is not None and draft.skill.hits not in (None, draft.hits):
        lines.append(f"{draft.skill.name} has {counted(draft.skill.hits or 0, 'hit')}, the tag {draft.hits}")
    stage.add(
        "damage-modifier",
        draft.said,
        message,
        claimed=part.amount,
        expected=sorted(right.listed),
        rules=("S22", "S23", "S25") if due.kind == "basic" else ("S24", "S25"),
        trace=lines,
    )
    return both


def _modifier_lines(stage: Stage, due: Due, right: Sums, hits: int, long_form: bool) -> list[str]:
    """The working of a hit's damage: stats, modifier, share, sum."""
    lines = [stat_line(_owners(stage, names), stat, values) for names, stat, values in due.stats if stat is not None]
    if due.kind == "basic":
        lines += basic_lines(stage.data, due.stats[0][2], hits)
    elif long_form and len(due.stats) == 2 and due.stats[1][1] is not None:
        return lines + long_lines(due.stats, due.base, stage.data, hits, right)
    else:
        lines += modifier_lines(stage.data, due.stats[0][2], due.stats[1][2], hits, due.shares)
    factors = stage.me.damage_factors("taijutsu") if due.kind in ("basic", "taijutsu") else ()
    return [*lines, hit_line(due.base, due.shares, right, factors)]


def _owners(stage: Stage, names: tuple[str, ...]) -> str:
    """Whose stat it is, with the status effects that are on it."""
    said = []
    for name in names:
        fighter = stage.arena.fighters.get(name)
        effects = [held.effect.name for held in fighter.afflictions] if fighter is not None else []
        said.append(f"{name} (under {all_of(effects)})" if effects else name)
    return one_of(said)


def right_of(stage: Stage, due: Due, bonuses: tuple[Bonus, ...], hits: int) -> Sums:
    """The damage of a hit: base and share, never below 0, under the factors of status effects."""
    share = due.shares.value
    if share is not None:
        amounts = only(written_sum(due.base, share))
    else:
        amounts = due.shares.each(lambda share: (written_sum(due.base, share),))
    if bonuses:
        singly, more = _long_form(stage, due, hits)
        amounts = Sums.among(singly, amounts.accepted | more) if singly else amounts
    if not stage.me.afflictions or due.kind not in ("basic", "taijutsu"):
        return amounts
    factors = stage.me.damage_factors("taijutsu")
    rounding = stage.data.status_rounding
    return amounts.each(lambda amount: [new for factor in factors for new in scaled(amount, factor, rounding)])


def _long_form(stage: Stage, due: Due, hits: int) -> tuple[set[int], set[int]]:
    """The amounts of the long form: each bonus a quarter of its stat, rounded either way; and what else is accepted."""
    if due.kind == "basic" or len(due.stats) != 2:
        return set(), set()
    ours, theirs = due.stats[0][2], due.stats[1][2]
    parted = {share for a in ours for d in theirs for share in parted_shares(stage.data, a, d, hits)}
    plus = {share for value in ours for share in single_bonus(stage.data, value, hits)}
    minus = {share for value in theirs for share in single_bonus(stage.data, value, hits)}
    return {written_sum(due.base, a - d) for a in plus for d in minus}, {written_sum(due.base, s) for s in parted}


def due_of(
    stage: Stage, draft: Draft, part: Part, kind: str, skill: Skill | None, targets: tuple[Fighter, ...], hits: int
) -> Due | None:
    """Base and shares of a hit; None, and a notice, where stats or tables are missing."""
    if kind == "basic":
        return _basic_due(stage, draft, part, hits)
    base = skill.damage if skill is not None else None
    row = skill.kind or "ninjutsu" if skill is not None else "weapon"
    if skill is None and part.what is not None:
        weapon = stage.data.weapon(part.what)
        base = weapon[1] if weapon is not None else None
    if base is None:
        if skill is not None:
            stage.unchecked(draft.said.entry, f"base:{skill.name}", f"{skill.name} has no base damage in the tables")
        return None
    return stat_due(stage, draft, base, row, targets, hits)


def _basic_due(stage: Stage, draft: Draft, part: Part, hits: int) -> Due | None:
    values = stage.me.stat("Taijutsu")
    if not values:
        stage.unchecked(draft.said.entry, f"stats:{stage.me.name}", f"the stats of {stage.me.name} are not known")
        return None
    least = stage.data.basic_damage
    base = least if part.base is None or part.base < least else part.base
    key = (stage.me.name, values, base, hits)
    due = stage.arena.dues.get(key)
    if due is None:
        shares = basic_shares(stage.data, values, hits)
        due = stage.arena.dues[key] = Due(base, shares, (((stage.me.name,), "Taijutsu", values),), "basic")
    return due


def stat_due(stage: Stage, draft: Draft, base: int, row: str, targets: tuple[Fighter, ...], hits: int) -> Due | None:
    """Base and shares of a technique or weapon: offensive against defensive stat (S24)."""
    pair = stage.data.stats_of_kind(row)
    if pair is None or pair[0] is None:
        stage.unchecked(draft.said.entry, f"kind:{row}", f"no table says which stats serve {row} attacks")
        return None
    offense = stage.me.stat(pair[0])
    defenders = [(f, f.stat(pair[1])) for f in targets] if pair[1] else []
    unknown = [f.name for f, values in defenders if not values] + ([] if offense else [stage.me.name])
    if unknown or (pair[1] and not targets):
        who = unknown[0] if unknown else "the target"
        stage.unchecked(draft.said.entry, f"stats:{who}", f"the stats of {who} are not known: damage is not judged")
        return None
    theirs = tuple(sorted({value for _, values in defenders for value in values})) or (0,)
    names = tuple([f.name for f in targets])
    key = (stage.me.name, names, base, row, hits, offense, theirs)
    due = stage.arena.dues.get(key)
    if due is None:
        stats = (((stage.me.name,), pair[0], offense), (names, pair[1], theirs))
        due = stage.arena.dues[key] = Due(base, _stat_shares(stage, offense, theirs, hits), stats, row)
    return due


def _stat_shares(stage: Stage, offense: tuple[int, ...], theirs: tuple[int, ...], hits: int) -> Sums:
    """Shares per hit over every reading of both stats."""
    shares = None
    for a in offense:
        for d in theirs:
            more = net_shares(stage.data, a, d, hits)
            shares = more if shares is None else shares.or_else(more)
    assert shares is not None
    return shares


def computed_hits(stage: Stage, skill: Skill | None, targets: tuple[Fighter, ...]) -> tuple[Sums, ...]:
    """The hits of a technique whose damage tag is missing, as stats and tables give them (NS5)."""
    if skill is None or skill.damage is None:
        return ()
    hits = min(200, max(1, skill.hits or 1))
    draft = Draft(stage.turn.said[0], None, None, skill)
    due = stat_due(stage, draft, skill.damage, skill.kind or "ninjutsu", targets, hits)
    amount = Sums.of(skill.damage).opened() if due is None else right_of(stage, due, (), hits)
    return (amount,) * hits


def bonus_rulings(stage: Stage) -> set[int]:
    """What rulings add to the damage of this turn's attacks (X15)."""
    found: set[int] = set()
    for number, ruling in rulings_at(stage):
        bonus = whole_or(ruling.effect.get("bonus_damage"), None)
        if bonus:
            found.add(bonus)
            stage.arena.used_rulings.add(number)
    return found


def rulings_at(stage: Stage) -> Iterable[tuple[int, Ruling]]:
    """The rulings whose scope holds this turn and this character."""
    order = stage.arena.places
    for number, ruling in enumerate(stage.arena.case.battle.rulings):
        first = order.get(ruling.post)
        if first is None or (ruling.character and squeeze(ruling.character) != squeeze(stage.me.name)):
            continue
        last = order.get(ruling.until or ruling.post, first)
        if any(first <= entry.index <= last for entry in stage.turn.entries):
            yield number, ruling
