"""The rule system angel_dolls: the doll arena, where a Deus directs an Angel and a judge writes the results."""

from referee.ports.rules import Ruleset, rules_of
from rules.angel_dolls import attacks, manoeuvres, sheets, stats
from rules.angel_dolls.choices import CHOICES
from rules.angel_dolls.codes import CODES
from rules.angel_dolls.judging.battle import judge
from rules.angel_dolls.reading.amend import amend
from rules.angel_dolls.reading.post import read
from rules.angel_dolls.tables import EXAMPLE_TABLES, PROFILES, check_tables, tables

RULESET = Ruleset(
    name="angel_dolls",
    version="1",
    title="The doll arena",
    read=read,
    judge=judge,
    amend=amend,
    tables=tables,
    rules=rules_of(
        stats.basic_stat,
        stats.affinity,
        attacks.check_total,
        attacks.hits,
        attacks.physical_damage,
        attacks.elemental_damage,
        stats.with_gear,
        attacks.chain_penalties,
        stats.fully_defended,
        stats.halved,
        manoeuvres.disarm_words,
        manoeuvres.disabling_damage,
        manoeuvres.control_words,
        manoeuvres.entangle_effect,
        manoeuvres.strangle_step,
        manoeuvres.spared_agility,
        stats.generator_bonus,
        attacks.points_allowed,
        sheets.deus_excess,
        sheets.doll_excess,
    ),
    codes=CODES,
    profiles=PROFILES,
    choices=CHOICES,
    check_tables=check_tables,
    others_count=True,
    options=sheets.OPTIONS,
    fields=sheets.FIELDS,
    check_sheet=sheets.check_sheet,
    example_tables=EXAMPLE_TABLES,
    example_sheet=sheets.EXAMPLE_SHEET,
)
