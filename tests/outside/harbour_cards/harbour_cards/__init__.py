"""Harbour Cards: ships fight with cards and one die. An outside rule system, ten rules."""

from __future__ import annotations

from harbour_cards import rules
from harbour_cards.codes import CODES
from harbour_cards.reading import amend, read
from harbour_cards.replay import judge
from harbour_cards.tables import check_tables, tables
from referee.ports.rules import Ruleset, rules_of

RULESET = Ruleset(
    name="harbour_cards",
    version="1",
    title="Harbour Cards",
    read=read,
    judge=judge,
    amend=amend,
    tables=tables,
    rules=rules_of(
        rules.hull_at_start,
        rules.cards_in_a_turn,
        rules.card_damage,
        rules.damage_done,
        rules.outcome_of,
        rules.hull_repaired,
        rules.playable_again,
        rules.sunk,
        rules.hull_after,
        rules.winner,
    ),
    codes=CODES,
    check_tables=check_tables,
)
