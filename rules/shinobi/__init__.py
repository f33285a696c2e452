"""The ninja battle system: phases, Loss Tags, dodge tags, secret pools (rules S1 to S35)."""

from __future__ import annotations

from referee.ports.rules import Ruleset, rules_of
from rules.shinobi import damage, hits, order
from rules.shinobi.choices import CHOICES
from rules.shinobi.codes import CODES
from rules.shinobi.examples import EXAMPLE_SHEET, EXAMPLE_TABLES
from rules.shinobi.judging import attacks, costs, falling, guarding, ledger, response, standing, structure
from rules.shinobi.judging.battle import judge
from rules.shinobi.reading.corrections import amend
from rules.shinobi.reading.post import read
from rules.shinobi.table_checks import FIELDS, OPTIONS, TITLED, check_sheet, check_tables
from rules.shinobi.tables import PROFILES, tables_for

_MODULES = (standing, order, structure, response, guarding, hits, attacks, damage, costs, falling, ledger)
_MARKED = [value for module in _MODULES for value in vars(module).values() if hasattr(value, "rules_cited")]

RULESET = Ruleset(
    name="shinobi",
    version="1.0",
    title="Shinobi battle system",
    read=read,
    judge=judge,
    amend=amend,
    tables=tables_for,
    rules=tuple(sorted({r.id: r for r in rules_of(*_MARKED)}.values(), key=lambda r: int(r.id[1:]))),
    codes=CODES,
    profiles=PROFILES,
    choices=CHOICES,
    options=OPTIONS,
    fields=FIELDS,
    titled=TITLED,
    runs_on=order.runs_on,
    check_tables=check_tables,
    check_sheet=check_sheet,
    example_tables=EXAMPLE_TABLES,
    example_sheet=EXAMPLE_SHEET,
)
