"""The workings of findings, line by line: every input, every step, the rule behind it.

A line of a loss is noted while a turn is judged and put into words only where a finding needs it
(`Stage.note`); `rules_behind` says on which rules such a line rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee.model.report import Working
from referee.ports.sayings import brief, counted, decimal, one_of, term
from rules.shinobi.damage import basic_bonus, net_modifier, share_per_hit, single_bonus
from rules.shinobi.hits import BLOCKED, CRITICAL, DODGED
from rules.shinobi.judging.fighters import Attack, Fighter
from rules.shinobi.judging.stage import Option, Stage, Used
from rules.shinobi.model import MAIN
from rules.shinobi.sums import Sums, ways
from rules.shinobi.tables import Data

POOL_TITLES = {"hp": "HP", "chakra": "Chakra", "stamina": "Stamina"}


# -- what a turn takes from a pool -----------------------------------------------------------------
def attack_line(attack: Attack, data: Data, blocks: Iterable[int]) -> str:
    """The attack to which the rolls below it answer, with its Critical Range and Block Range where unusual."""
    more = [reach_line(attack, data)] if attack.sure > data.critical_range else []
    more += [f"Block Range {one_of(sorted(blocks))}"] if set(blocks) != {data.block_range} else []
    unusual = f" ({'; '.join(more)})" if more else ""
    return f"{brief(attack.claim.quote)} by {attack.attacker.name}, {counted(len(attack.hits), 'hit')}{unusual}:"


def taken_line(attack: Attack, total: Sums) -> str:
    """An attack taken in full, hit by hit."""
    return f"{brief(attack.claim.quote)} by {attack.attacker.name} is taken in full: {_product(attack.hits, total)}"


def guard_line(quote: str, attacks: Sequence[Attack], total: Sums) -> str:
    """A guard takes a comrade's attack in full."""
    if len(attacks) != 1:
        return f"{brief(quote)}: the guard takes the attack in full: {total}"
    return (
        f"{brief(quote)}: the guard takes {brief(attacks[0].claim.quote)} in full: {_product(attacks[0].hits, total)}"
    )


def negated_line(attack: Attack) -> str:
    """An attack that a technique or skill negates."""
    return f"{brief(attack.claim.quote)} by {attack.attacker.name} is negated: 0"


def _product(hits: Sequence[Sums], total: Sums) -> str:
    """`2 x 10 = 20`, `8 + 8 + 5 = 21`; the total alone where hits have several readings or are many."""
    values = [hit.value for hit in hits]
    if len(hits) < 2 or None in values or (len(set(values)) > 1 and len(values) > 10):
        return str(total)
    if len(set(values)) == 1:
        return f"{len(values)} x {values[0]} = {total}"
    return f"{' + '.join(map(str, values))} = {total}"


def roll_line(
    roll: int, chances: frozenset[int], right: frozenset[str], hit: Sums, amount: Sums, factor: Fraction
) -> str:
    """One roll: what it means at its chance, and the damage that this leaves."""
    means = one_of(sorted(right))
    at = one_of(f"{chance}%" for chance in sorted(chances))
    return f"  roll {roll} at {at}: {means}, {_left_of(hit, right, amount, factor)}"


def _left_of(hit: Sums, right: frozenset[str], amount: Sums, factor: Fraction) -> str:
    """How a hit's damage becomes what lands: halved, half as much again, nothing."""
    word = next(iter(right)) if len(right) == 1 else None
    if word == DODGED:
        return "0"
    if word == BLOCKED and hit.value is not None:
        rounded = f"{decimal(Fraction(hit.value, 2))}, rounded down {amount}" if hit.value % 2 else str(amount)
        return f"{hit} / 2 = {rounded}"
    if word == CRITICAL and hit.value is not None:
        exact = hit.value * factor
        rounded = "" if exact.denominator == 1 else f", rounded {amount}"
        return f"{hit} x {decimal(factor)} = {decimal(exact)}{rounded}"
    return str(amount)


def option_line(option: Option) -> str:
    """Damage that the loss may hold or not: what the rules expect of it."""
    if option.kind == "tick":
        return f"damage over time ({option.tick.name}): {option.amount} (if it still runs)"
    if option.attack is None:
        return ""
    words = {
        "unanswered": "stands without an answer: in full" if option.usual else "may stand without an answer: in full",
        "failed guard": "is not taken over, the guard failed: 0 instead of",
        "doubtful guard": "may be taken over by the guard: in full",
    }.get(option.kind, "may be taken all the same: in full")
    return f"{brief(option.attack.claim.quote)} by {option.attack.attacker.name} {words} {option.amount}"


def tick_line(name: str, amount: int) -> str:
    """Damage over time that falls due in this turn."""
    return f"damage over time ({name}): {amount}"


def heal_line(quote: str, amount: int) -> str:
    """What an ability heals."""
    return f"{brief(quote)}: heals {amount}, but never above the total"


def self_line(name: str, amount: int) -> str:
    """What an ability does to its own user."""
    return f"{name}: {amount} to its own user"


def cost_line(quote: str, amount: Sums) -> str:
    """What an ability costs."""
    return f"{brief(quote)}: costs {amount}"


_BEHIND: Mapping[Callable[..., str], tuple[str, ...]] = {
    taken_line: ("S7",),
    guard_line: ("S16",),
    negated_line: ("S7",),
    tick_line: ("S28",),
    heal_line: ("S32",),
    self_line: ("S28",),
    cost_line: ("S29",),
}


def rules_behind(say: Callable[..., str], parts: Sequence[Any]) -> tuple[str, ...]:
    """The rules on which a noted line rests."""
    if say is roll_line:
        words = parts[2]
        return ("S10", *(("S11",) if BLOCKED in words else ()), *(("S12",) if CRITICAL in words else ()))
    if say is attack_line:
        return ("S13",) if parts[0].sure > parts[1].critical_range else ()
    return _BEHIND.get(say, ())


def unpaid_lines(stage: Stage, pool: str, used: Used | None, left: int, phase: str) -> list[Working | str]:
    """The working of a cost that can't be paid (S29)."""
    lines: list[Working | str] = [before_line(stage, pool), *[say(*parts) for say, parts in stage.lines.get(pool, [])]]
    if used is None:
        lines += [f"{brief(s.claim.quote)}: costs {a}" for s, a in stage.spends[MAIN, pool] if s is not None]
    for amounts, _ in stage.upkeeps:
        lines += [f"upkeep: {amounts[pool]}"] if amounts.get(pool) else []
    words = f"at the end of the {phase} Phase the cost would bring {pool} below 0"
    return [*lines, Working(words, f"{words}: at most {left} would be left for it")]


def before_line(stage: Stage, name: str) -> Working:
    """Where a pool stood before the turn: as change for the public, as a number for staff."""
    pool, title = stage.me.pools[name], POOL_TITLES[name]
    now = sorted(pool.readings)
    since = one_of(signed(value - pool.start) for value in now)
    words = f"{title} before this turn: {since} since the battle's start"
    if since == "-0":
        words = f"{title} before this turn: as at the battle's start"
    return Working(words, f"{title} before this turn: {one_of(now)} of {pool.total}" if pool.known else None)


def signed(change: int) -> str:
    """A change as a Loss Tag writes it."""
    return f"{change:+d}" if change else "-0"


# -- what a roll means -----------------------------------------------------------------------------
def ranges(attack: Attack, chance: int, blocks: Iterable[int], data: Data) -> list[str]:
    """What each roll means at a chance to hit, and where the Critical Range of the attack comes from (S10, S13)."""
    reach, block = attack.sure, max(blocks)
    low = max(reach + 1, chance - block + 1)
    words = [f"1 to {reach}: critical" if reach > 1 else "1: critical" if reach else ""]
    words.append(f"below {low}: hit" if low > reach + 1 else "")
    if low <= chance:
        named = "hit (Ghost Damage can't be blocked)" if attack.ghost else "blocked"
        words.append(f"{low} to {chance}: {named}" if low < chance else f"{chance}: {named}")
    words.append(f"above {max(chance, reach)}: dodged")
    lines = ["; ".join(word for word in words if word)]
    if reach > 1:
        lines.append(reach_line(attack, data))
    if block != data.block_range:
        lines.append(f"Block Range: {block} instead of {data.block_range}")
    return lines


def reach_line(attack: Attack, data: Data) -> str:
    """The parts of a Critical Range, as far as they are told apart."""
    left = attack.sure - data.critical_range
    parts = [str(data.critical_range)]
    values = attack.attacker.stat("Concentration")
    more = values[0] // data.concentration_step if len(values) == 1 and attack.kind != "weapon" else 0
    if 0 < more <= left and _is_taijutsu(attack, data):
        parts.append(f"{more} for Concentration {values[0]}")
        left -= more
    if left and attack.sure == data.critical_cap:
        return f"Critical Range: {' + '.join(parts)} + skills, at most {data.critical_cap}"
    parts += [f"{left} from skills"] if left else []
    return f"Critical Range: {' + '.join(parts)} = {attack.sure}"


def _is_taijutsu(attack: Attack, data: Data) -> bool:
    skill = data.technique(attack.name)
    return attack.kind == "basic" or (skill is not None and skill.kind == "taijutsu")


def chance_lines(attack: Attack, me: Fighter, data: Data, ruled: Sequence[int], right: Iterable[int]) -> list[str]:
    """The chance to hit by the board's formula, with status effects, rulings, floor and cap (S14)."""
    row = data.formula
    assert row is not None
    evasion = me.stat(row.target)
    lines = [
        stat_line(attack.attacker.name, row.attacker, attack.accuracy),
        *stat_lines(me, row.target, evasion),
    ]
    wanted = one_of(f"{c}%" for c in sorted(right))
    extras = [f"{term(bonus)} (status effects of {attack.attacker.name})" for bonus in sorted(attack.bonuses) if bonus]
    extras += [f"{one_of(term(change) for change in ruled)} (staff ruling)"] if any(ruled) else []
    gives = f"{row.base} + ({one_of(attack.accuracy)} - {one_of(evasion)}) / {row.divisor}"
    if len(attack.accuracy) == len(evasion) == 1 and not extras:
        exact = row.base + Fraction(attack.accuracy[0] - evasion[0], row.divisor)
        gives += f" = {decimal(exact)}" + (", rounded down or up" if exact.denominator != 1 else "")
    lines.append(" ".join([gives, *extras]) + f"; at least {row.least}, at most {data.cap}: {wanted}")
    return lines


# -- what a hit should be --------------------------------------------------------------------------
def stat_line(name: str, stat: str | None, values: Iterable[int]) -> str:
    """A stat that a sum uses."""
    return f"{stat or 'no defensive stat'} of {name}: {one_of(values)}"


def stat_lines(fighter: Fighter, stat: str, values: Sequence[int]) -> list[str]:
    """A stat that a sum uses, with what status effects have made of it."""
    plain = tuple(sorted(fighter.plain_stat(stat)))
    line = stat_line(fighter.name, stat, values)
    if plain == tuple(values):
        return [line]
    names = [
        held.effect.name for held in fighter.afflictions if stat in held.effect.stats or stat in held.effect.at_most
    ]
    return [f"{line} ({one_of(plain)} under {', '.join(names)})"]


def basic_lines(data: Data, values: Iterable[int], hits: int) -> list[str]:
    """The bonus of basic attacks and its share per hit (S23, S25)."""
    lines = []
    for value in values:
        full, bonus = max(0, value) // data.basic_step, basic_bonus(data, value)
        lines.append(
            f"bonus of the turn: {data.basic_bonus} for each full {data.basic_step} Taijutsu: "
            f"{value} holds {full}, {full} x {data.basic_bonus} = {bonus}"
        )
        lines += _split([Fraction(bonus)], hits)
    return lines


def modifier_lines(data: Data, ours: Sequence[int], theirs: Sequence[int], hits: int, shares: Sums) -> list[str]:
    """The net modifier and its share per hit (S24, S25)."""
    if len(ours) > 1 or len(theirs) > 1:
        return [
            f"modifier: ({one_of(ours)} - {one_of(theirs)}) / {data.divisor}, "
            f"split over {counted(hits, 'hit')}, rounded up: {shares}"
        ]
    net = net_modifier(data, ours[0], theirs[0])
    every = _net_readings(net, data.modifier_rounding)
    line = f"modifier: ({ours[0]} - {theirs[0]}) / {data.divisor} = {decimal(net)}"
    if every != [net]:
        line += f", counted as {one_of(map(decimal, every))}"
    return [line, *_split(every, hits)]


def _net_readings(net: Fraction, rounding: str) -> list[Fraction]:
    """The readings of a modifier before it is split (NS12)."""
    if rounding == "exact" or net.denominator == 1:
        return [net]
    wholes = {Fraction(whole) for whole in ways(net, "either" if rounding == "any" else rounding)}
    return sorted(wholes | {net}) if rounding == "any" else sorted(wholes)


def _split(bonuses: Sequence[Fraction], hits: int) -> list[str]:
    """One bonus over the hits, each share rounded up (S25)."""
    if hits == 1 and all(bonus.denominator == 1 for bonus in bonuses):
        return []
    shares = []
    for bonus in bonuses:
        exact = bonus / hits
        rounded = "" if exact.denominator == 1 else f", so {share_per_hit(bonus, hits)}"
        shares.append(f"{decimal(bonus)} / {hits} = {decimal(exact)}{rounded}")
    return [f"split over {counted(hits, 'hit')}, rounded up: {'; '.join(shares)}"]


def hit_line(base: int, shares: Sums, right: Sums, factors: Iterable[Fraction]) -> str:
    """Base damage and share give the damage of a hit, never below 0 (S25)."""
    share = shares.value
    least = share is not None and base + share < 0
    scaled = [factor for factor in factors if factor != 1]
    times = f", x {one_of(map(decimal, scaled))} by a status effect" if scaled else ""
    sum_ = f"base {base} {term(share)}" if share is not None else f"base {base} + ({shares})"
    gives = f"{sum_} = {base + share}" if share is not None and (scaled or least) else sum_
    most = ", never below 0" if least else ""
    return f"damage of a hit: {gives}{most}{times}{':' if scaled or least else ' ='} {one_of(sorted(right.listed))}"


def long_lines(
    stats: Sequence[tuple[Any, str | None, Sequence[int]]], base: int, data: Data, hits: int, right: Sums
) -> list[str]:
    """The long form: each bonus a quarter of its stat, rounded either way (S26)."""
    lines = []
    for _, stat, values in stats:
        for value in values:
            exact = Fraction(value, data.divisor * hits)
            over = f" / {hits} hits" if hits > 1 else ""
            either = one_of(sorted(single_bonus(data, value, hits)))
            rounded = "" if exact.denominator == 1 else f", rounded {either}"
            lines.append(f"{(stat or '').lower()} bonus: {value} / {data.divisor}{over} = {decimal(exact)}{rounded}")
    plus, minus = [
        one_of(sorted({share for value in values for share in single_bonus(data, value, hits)}))
        for _, _, values in stats[:2]
    ]
    gives = one_of(sorted(right.listed))
    return [*lines, f"damage of a hit: base {base} + {_grouped(plus)} - {_grouped(minus)} = {gives}"]


def _grouped(words: str) -> str:
    return f"({words})" if " " in words else words
