"""The rule system d20_arena: announce, move, trap, action."""

from __future__ import annotations

from referee.ports.rules import Ruleset, rules_of
from rules.d20_arena import attack, binding, endings, stance, turn
from rules.d20_arena.codes import CODES
from rules.d20_arena.examples import CHOICES, EXAMPLE_SHEET, EXAMPLE_TABLES
from rules.d20_arena.judging.amend import amend
from rules.d20_arena.judging.battle import judge
from rules.d20_arena.reading.post import read
from rules.d20_arena.tables import FIELDS, OPTIONS, check_sheet, check_tables, tables

RULESET = Ruleset(
    name="d20_arena",
    version="1",
    title="Arena: announce, move, trap, action",
    read=read,
    judge=judge,
    amend=amend,
    tables=tables,
    rules=rules_of(
        turn.deciding_die,
        turn.as_announced,
        turn.stance_of,
        stance.evading_bonus,
        stance.standing_penalties,
        turn.trap_springs,
        turn.struggle_limit,
        turn.special_allowed,
        turn.ready_again,
        turn.hit_rolls_due,
        attack.outcome_of,
        attack.damage_dice,
        attack.turned_on_itself,
        attack.earns_free_attack,
        binding.escaped,
        endings.left_after,
        endings.all_down,
    ),
    codes=CODES,
    choices=CHOICES,
    check_tables=check_tables,
    others_count=True,
    options=OPTIONS,
    fields=FIELDS,
    check_sheet=check_sheet,
    example_tables=EXAMPLE_TABLES,
    example_sheet=EXAMPLE_SHEET,
)
