"""Enolaptia: the d6 party system with a map book (rules E1 to E15)."""

from __future__ import annotations

from referee.ports.rules import Ruleset, rules_of
from rules.enolaptia.allocation import character_hit, move_rolled, shares_fit
from rules.enolaptia.choices import CHOICES
from rules.enolaptia.codes import CODES
from rules.enolaptia.damage import ability_damage, attack_damage
from rules.enolaptia.encounters import enemies_met, party_fits
from rules.enolaptia.health import after_change
from rules.enolaptia.judging.amend import amend
from rules.enolaptia.judging.battle import judge
from rules.enolaptia.movement import hexes
from rules.enolaptia.potions import potion_reaches
from rules.enolaptia.reading.post import read
from rules.enolaptia.rewards import drops_something, exp_of
from rules.enolaptia.running import escapes, may_teleport
from rules.enolaptia.tables import (
    EXAMPLE_SHEET,
    FIELDS,
    OPTIONS,
    PROFILES,
    check_sheet,
    check_tables,
    example_tables,
    tables,
)
from rules.enolaptia.turn_order import creature_goes_first, first_too_slow, moves_allowed

RULESET = Ruleset(
    name="enolaptia",
    version="1",
    title="Enolaptia: the d6 party system with a map book",
    read=read,
    judge=judge,
    amend=amend,
    tables=tables,
    rules=rules_of(
        enemies_met,
        party_fits,
        first_too_slow,
        creature_goes_first,
        moves_allowed,
        escapes,
        move_rolled,
        character_hit,
        shares_fit,
        attack_damage,
        ability_damage,
        potion_reaches,
        may_teleport,
        drops_something,
        exp_of,
        after_change,
        hexes,
    ),
    codes=CODES,
    profiles=PROFILES,
    choices=CHOICES,
    check_tables=check_tables,
    others_count=True,
    options=OPTIONS,
    fields=FIELDS,
    check_sheet=check_sheet,
    example_tables=example_tables(),
    example_sheet=EXAMPLE_SHEET,
)
