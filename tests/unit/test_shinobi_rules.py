"""Rule by rule: the numbers of the rulebook, and that every rule and code is accounted for."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction

import pytest
import yaml

from rules.shinobi import RULESET, damage, hits, order
from rules.shinobi.judging import falling, guarding
from rules.shinobi.tables import Data, Formula, tables_for
from tests.support.samples import ROOT

DATA = Data(tables_for(None, None))


@pytest.mark.parametrize(
    ("roll", "word"), [(76, "dodged"), (75, "blocked"), (71, "blocked"), (70, "hit"), (2, "hit"), (1, "critical")]
)
def test_the_rulebooks_table_for_75(roll: int, word: str) -> None:
    assert hits.outcomes(roll, 75, 5, 1, 1, ghost=False) == {word}


def test_a_critical_beats_a_dodge_and_ghost_damage_a_block() -> None:
    assert hits.outcomes(60, 39, 5, 75, 75, ghost=False) == {"critical"}
    assert hits.outcomes(73, 75, 5, 1, 1, ghost=True) == {"hit"}
    assert hits.outcomes(2, 75, 5, 1, 3, ghost=False) == {"hit", "critical"}


def test_block_and_critical_amounts() -> None:
    assert hits.blocked_damage(15) == 7
    assert set(hits.critical_damage(15, Fraction(3, 2))) == {22, 23}
    assert hits.critical_damage(14, Fraction(3, 2)) == (21,)


def test_critical_range() -> None:
    assert hits.critical_range(DATA, 99, 0, 0) == 1
    assert hits.critical_range(DATA, 340, 2, 0) == 6
    assert hits.critical_range(DATA, 340, 2, 80) == 75


def test_chance_formula() -> None:
    row = Formula(50, "Accuracy", "Evasion", 4, 5)
    assert hits.chances_by_formula(row, 90, [81], [60], [0]) == {55, 56}
    assert hits.chances_by_formula(row, 90, [400], [0], [-10]) == {90}
    assert hits.chances_by_formula(row, 90, [0], [400], [0]) == {5}


def test_the_rulebooks_fireballs() -> None:
    assert damage.net_modifier(DATA, 300, 100) == 50
    assert damage.net_shares(DATA, 300, 100, 4).listed == {13}
    assert damage.written_sum(20, 13) == 33
    assert damage.share_per_hit(Fraction(-9, 2), 2) == -2


def test_basic_attacks() -> None:
    assert damage.basic_cost(DATA, None) == 5
    assert damage.basic_cost(DATA, 8) == 8
    assert damage.basic_bonus(DATA, 89) == 10
    assert damage.basic_bonus(DATA, 90) == 15


def test_conditions() -> None:
    tenth = Fraction(1, 10)
    assert [falling.condition(hp, 100, tenth) for hp in (1, 0, -6, -10, -11, -12)] == [
        "up",
        *["unconscious"] * 3,
        *["dead"] * 2,
    ]


def test_guards() -> None:
    assert guarding.guard_succeeds(DATA, 15)
    assert not guarding.guard_succeeds(DATA, 16)


def test_intervals() -> None:
    assert (order.interval(1200), order.interval(700)) == (77, 125)


def test_profiles() -> None:
    then = datetime(2026, 1, 2, tzinfo=UTC)
    assert Data(tables_for(None, then)).limit("small", "Gennin") == 2
    assert Data(tables_for("later", then)).limit("small", "Gennin") == 3
    assert Data(tables_for("later", then)).death_beyond == Fraction(1, 4)
    assert Data(tables_for("later", then)).limit("basic", "Sennin") == 5


def test_every_rule_is_marked_and_explained() -> None:
    assert [r.id for r in RULESET.rules] == [f"S{number}" for number in range(1, 36)]
    assert all(r.cites and r.summary for r in RULESET.rules)


def test_every_code_is_raised_by_a_case() -> None:
    raised = set()
    for path in [*ROOT.glob("tests/cases/shinobi/*.yaml"), *ROOT.glob("tests/battles/shinobi/*.yaml")]:
        raised |= {wanted["code"] for wanted in yaml.safe_load(path.read_text("utf-8"))["expect"]}
    assert {c.code for c in RULESET.codes} - raised == set()
    assert all(c.meaning and c.example and c.remedy for c in RULESET.codes)
