"""The rule functions, tables and the ruleset value of d20_arena."""

from __future__ import annotations

import tomllib

import pytest
import yaml

from referee.model.battle import Character
from referee.model.report import Finding
from referee.ports.rules import Sheets
from rules.d20_arena import RULESET
from rules.d20_arena.attack import outcome_of, resistances
from rules.d20_arena.binding import bound_by, escaped, freed_by, help_penalty
from rules.d20_arena.endings import healed, left_after
from rules.d20_arena.judging.opening import _fighter
from rules.d20_arena.pools import Pool
from rules.d20_arena.stance import EVADING, defenses
from rules.d20_arena.tables import Tables, check_sheet, check_tables, tables_of
from tests.support.samples import ROOT

FINDING = Finding("d20_arena/hp", "error", "p1")


def typed(**overrides: object) -> Tables:
    return tables_of(Sheets((), {**RULESET.tables(None, None), **overrides}, overrides))


def test_every_numbered_rule_has_its_function() -> None:
    assert [rule.id for rule in RULESET.rules] == [f"A{n}" for n in range(1, 18)]
    assert all(rule.summary and rule.cites for rule in RULESET.rules)


def test_every_code_says_what_it_means() -> None:
    assert len({code.code for code in RULESET.codes}) == len(RULESET.codes) == 17
    assert all(c.meaning and c.example and c.remedy and c.rules for c in RULESET.codes)


@pytest.mark.parametrize(
    ("level", "frees"),
    [
        (1, {4: 1, 5: 0, 19: 0, 20: 0}),
        (2, {6: 2, 7: 1, 12: 1, 13: 0, 20: 0}),
        (3, {9: 3, 10: 2, 13: 2, 14: 1, 17: 1, 18: 0, 20: 0}),
        (4, {9: 4, 10: 3, 14: 2, 18: 1, 20: 0}),
        (5, {13: 5, 14: 4, 16: 4, 17: 3, 18: 3, 19: 2, 20: 1}),
        (7, {13: 7, 14: 6, 17: 5, 19: 4, 20: 3}),
        (8, {17: 8, 18: 7, 19: 7, 20: 5}),
    ],
)
def test_escape_bands(level: int, frees: dict[int, int]) -> None:
    for die, left in frees.items():
        found = escaped(level, die, die, typed())
        assert found is not None and found.level == left, (level, die)


def test_natural_20_spares_only_what_the_area_lacks() -> None:
    assert [escaped(n, 20, 20, typed()).spare for n in (1, 2, 3, 4, 5, 8)] == [True, True, True, False, False, False]  # type: ignore[union-attr]
    assert escaped(2, 20, 20, typed(escape={"2": {"7": 1}})).level == 1  # type: ignore[union-attr]
    assert escaped(2, 20, 20, typed(escape={2: {7: 1}}, escape_natural_20=1)).level == 0  # type: ignore[union-attr]
    assert escaped(5, 20, 20, typed(escape={2: {7: 1}})) is None


def test_levels_spill_only_from_eight() -> None:
    assert (bound_by(7, 3, typed()).level, bound_by(7, 3, typed()).over) == (8, 2)
    assert typed().spills
    capped = typed(bind_max=4)
    assert bound_by(4, 2, capped).level == 4
    assert not capped.spills
    assert freed_by(1, 3) == 0


def test_defense() -> None:
    legs = typed(bind_levels={"legs": {1: {"defense": -1}, "2": {"defense": -2}}})
    assert defenses(14, [("moving", "engaged")], [0], legs) == {14}
    assert defenses(14, [("moving", EVADING)], [0], legs) == {16}
    assert defenses(14, [("moving", EVADING)], [1], legs) == {13}
    assert defenses(14, [("standing", EVADING)], [0], legs) == {11}
    assert defenses(14, [("standing", "engaged")], [2], legs) == {10}
    assert defenses(14, [("moving", "engaged")], [3], legs) == {12, 14}


def test_outcome_and_damage() -> None:
    assert [outcome_of(die, die + 4, 15) for die in (1, 10, 11, 20)] == ["critical fail", "miss", "hit", "critical hit"]
    assert left_after(3, 9, 1) == 0
    assert left_after(9, 2, 5) == 9
    assert healed(18, 6, 20) == 20
    assert resistances(1, {"fire": 3}, None, True) == {0}
    assert help_penalty(2, typed(bind_levels={"arms": {2: {"help": -1}}})) == {-1}


def test_pools_keep_both_readings_of_a_finding() -> None:
    pool = Pool.at(20)
    pool.change(lambda hp: hp - 5)
    assert not pool.admits(14)
    pool.doubt(14, None)
    pool.change(lambda hp: max(0, hp - 10))
    assert pool.admits(4) and pool.admits(5) and not pool.admits(6)
    pool.settle(5)
    assert pool.live == {5} and pool.admits(4)


def test_findings_that_can_not_be_taken_back_are_forgotten() -> None:
    pool = Pool.at(20)
    pool.doubt(14, FINDING)
    pool.change(lambda hp: hp - 2)
    assert len(pool.doubts) == 1
    pool.change(lambda hp: max(0, hp - 30))
    assert not pool.doubts


def test_a_thread_full_of_findings_does_not_get_slower_and_slower() -> None:
    pool = Pool.at(20)
    for number in range(2000):
        pool.doubt(100 + number, FINDING)
    assert len(pool.doubts) < 100


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"bind_max": "four"}, "bind_max"),
        ({"abilities": {"Slam": {"damage": "lots"}}}, "abilities.Slam.damage"),
        ({"abilities": {"Slam": {"type": "smash"}}}, "abilities.Slam.type"),
        ({"abilities": {"Slam": 3}}, "abilities.Slam"),
        ({"bind_levels": {"nose": {}}}, "bind_levels.nose"),
        ({"escape": {"one": {}}}, "escape.one"),
        ({"traps": 3}, "traps"),
    ],
)
def test_wrong_tables_are_named(tables: dict[str, object], said: str) -> None:
    assert [line.split(":")[0] for line in check_tables(tables)] == [said]


def test_wrong_sheets_are_named() -> None:
    sheet = {"stats": {"HP": "many"}, "abilities": "Slam", "binds": {"nose": 1, "legs": "x"}, "side": "mine"}
    assert [line.split(":")[0] for line in check_sheet(sheet)] == [
        "stats.HP",
        "abilities",
        "binds.nose",
        "binds.legs",
        "side",
    ]


def test_shipped_and_example_tables_are_sound() -> None:
    assert list(check_tables(RULESET.tables(None, None))) == []
    example = tomllib.loads(RULESET.example_tables)["tables"]["d20_arena"]
    assert list(check_tables(example)) == []
    for character in tomllib.loads(RULESET.example_sheet)["character"]:
        assert list(check_sheet(character)) == []


def test_every_code_is_raised_by_a_case() -> None:
    folders = (ROOT / "tests/cases/d20_arena", ROOT / "tests/battles/d20_arena")
    raised = {
        wanted["code"]
        for folder in folders
        for path in folder.glob("*.yaml")
        for wanted in yaml.safe_load(path.read_text("utf-8"))["expect"]
    }
    assert {code.code for code in RULESET.codes} <= raised


def test_stats_of_a_sheet_in_any_letters() -> None:
    """Staff write `Def` as well as `DEF`; a stat that is not found would make errors of honest numbers."""
    sheet = Character("Golem", "gm", data={"stats": {"hp": 20, "Def": 14, " ATK": 3, "Res": 2}, "start": {"HP": 9}})
    fighter = _fighter(sheet, {"gm"})
    assert (fighter.most, fighter.defense, fighter.attack, fighter.res) == (20, 14, 3, 2)
    assert fighter.hp.open == frozenset({9})
    assert _fighter(Character("Vesna", data={"secret": {"hp": 30}}), set()).most == 30
