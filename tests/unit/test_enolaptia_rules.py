"""The rule functions of Enolaptia against the words of the rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from referee.model.figure import Figure
from referee.ports.rules import Sheets
from rules.enolaptia import RULESET
from rules.enolaptia.allocation import character_hit, shares_fit
from rules.enolaptia.book import MapBook
from rules.enolaptia.damage import ability_damage, attack_damage
from rules.enolaptia.encounters import enemies_met, party_fits
from rules.enolaptia.formula import read_formula
from rules.enolaptia.health import Pool, after_change
from rules.enolaptia.movement import hexes
from rules.enolaptia.potions import gains_written
from rules.enolaptia.rewards import drops_something, exp_of
from rules.enolaptia.running import escapes
from rules.enolaptia.turn_order import creature_goes_first, first_too_slow
from tests.support.samples import ROOT


def test_every_numbered_rule_has_its_function() -> None:
    assert {rule.id for rule in RULESET.rules} == {f"E{number}" for number in range(1, 16)}
    assert all(rule.summary for rule in RULESET.rules)


def test_every_code_is_told_with_an_example_and_a_remedy() -> None:
    assert len(RULESET.codes) == 13
    assert all(code.meaning and code.example and code.remedy and code.rules for code in RULESET.codes)


def test_every_code_is_raised_by_a_case() -> None:
    told = {e["code"] for path in (ROOT / "tests/cases/enolaptia").glob("*.yaml") for e in _expected(path)}
    assert {code.code for code in RULESET.codes} <= told


def _expected(path: Path) -> list[dict]:
    return yaml.safe_load(path.read_text("utf-8"))["expect"]


@pytest.mark.parametrize(
    ("at", "dice", "amounts"),
    [
        (14, (1,), {0}),
        (14, (2,), {4, 5}),
        (15, (2,), {5}),
        (14, (3,), {7}),
        (15, (4,), {7, 8}),
        (14, (5,), {14}),
        (14, (6, 5), {14}),
        (14, (6, 6), {28}),
        (14, (6,), {14, 28}),
    ],
)
def test_damage_roll(at: int, dice: tuple[int, ...], amounts: set[int]) -> None:
    assert attack_damage(at, dice) == amounts


def test_damage_of_no_such_die_is_unknown() -> None:
    assert attack_damage(14, (7,)) is None
    assert attack_damage(14, ()) is None


@pytest.mark.parametrize(
    ("text", "dice", "total"),
    [("1d6+2", (4,), 6), ("2d6", (4, 5), 9), ("AT+1d6", (5,), 19), ("8", (), 8), ("2d6-9", (1, 1), 0)],
)
def test_formulas(text: str, dice: tuple[int, ...], total: int) -> None:
    formula = read_formula(text)
    assert formula is not None
    assert ability_damage(formula, dice, 14) == total


@pytest.mark.parametrize("text", ["", "AT*2", "1d6+", "d", "-1d6", "x" * 100, "1d6 2"])
def test_what_is_no_formula(text: str) -> None:
    assert read_formula(text) is None


def test_order_and_ties() -> None:
    assert first_too_slow([15, 12, 12, 9]) is None
    assert first_too_slow([15, 9, 12]) == 2
    assert first_too_slow([15, None, 16]) == 2
    assert [creature_goes_first(die) for die in range(1, 7)] == [True, True, True, False, False, False]


def test_running() -> None:
    assert [escapes(die, False) for die in range(1, 7)] == [False] * 4 + [True] * 2
    assert not escapes(6, True)


def test_allocation_by_size_of_the_party() -> None:
    book = MapBook(Sheets((), RULESET.tables(None, None)))
    assert shares_fit(book, [(4, 6), (1, 3)])
    assert not shares_fit(book, [(1, 2), (3, 6)])
    assert shares_fit(book, [(1, 1), (2, 3), (4, 4), (5, 6)])
    assert character_hit({"Mira": (1, 3), "Tobin": (4, 6)}, 4) == "Tobin"


def test_parties_drops_exp_and_movement() -> None:
    assert [party_fits(number) for number in (0, 1, 6, 7)] == [False, True, True, False]
    assert [drops_something(total) for total in (3, 4, 7)] == [False, True, True]
    assert exp_of([(2, 7), (1, 4)]) == 18
    assert [hexes(die) for die in range(1, 7)] == [1, 1, 2, 2, 3, 3]


def test_potions_may_be_written_with_either_gain() -> None:
    assert gains_written(10, 4) == {10, 4}
    assert gains_written(10, 30) == {10}
    assert gains_written(10, 0) == {10, 0}


def test_hp_stay_between_nothing_and_the_maximum() -> None:
    assert after_change(Figure.of(5), Figure.of(-9), 40) == Figure.of(0)
    assert after_change(Figure.of(35), Figure.of(10), 40) == Figure.of(40)
    assert after_change(Figure.of(5, 9), Figure.of(-7), 40) == Figure.of(0, 2)
    assert after_change(Figure.unknown(), Figure.of(-7), 40).admits(33)


def test_a_pool_keeps_both_readings_after_a_finding() -> None:
    pool = Pool(40)
    pool.shift(Figure.of(-9), Figure.of(-7))
    assert pool.admits(31)
    assert pool.admits(33)
    assert not pool.admits(32)
    pool.settle(31)
    pool.shift(Figure.of(-1), Figure.of(-1))
    assert pool.readings.likely == Figure.of(30)
    assert pool.admits(32)


def test_the_example_map_book_is_sound_and_never_used_unasked() -> None:
    assert list(RULESET.check_tables(RULESET.tables("example", None))) == []
    assert "maps" not in RULESET.tables(None, None)
    book = MapBook(Sheets((), RULESET.tables("example", None)))
    assert enemies_met(book, 4) == ("Example Toad", "Example Hare")


def test_keys_of_json_and_yaml_are_the_same() -> None:
    tables = {"maps": {"Fen": {"enemies": {"1": "Rat"}, "drops": {2: "Tail"}}}}
    book = MapBook(Sheets((), tables))
    assert enemies_met(book, 1) == ("Rat",)
    assert book.drop(2) == "Tail"


def test_wrong_tables_are_named_by_key() -> None:
    tables = {
        "maps": {"Fen": {"enemies": {1: "Rat", 2: 5}, "drops": "none"}},
        "creatures": {"Crab": {"hp": "many", "at": 5, "speed": 5, "exp": 7, "moves": {7: "Bite", 1: "Bite"}}},
        "spells": {"Ember": {"damage": "AT*AT"}, "Hail": 4},
        "potions": [],
    }
    said = "\n".join(RULESET.check_tables(tables))
    for part in (
        "potions: a table",
        "maps.Fen.enemies: no row for 3, 4, 5, 6",
        "maps.Fen.enemies.2:",
        "maps.Fen.enemies.1: Rat is not in creatures",
        "creatures.Crab.hp",
        "creatures.Crab.moves.7",
        "creatures.Crab.moves.1: Bite",
        "spells.Ember.damage",
        "spells.Hail",
    ):
        assert part in said


def test_wrong_sheets_are_named_by_key() -> None:
    said = list(RULESET.check_sheet({"stats": {"HP": 40, "AT": "strong"}, "items": "charm", "present": "no"}))
    assert [line.split(":")[0] for line in said] == ["stats.AT", "stats.Speed", "items", "present"]
    assert list(RULESET.check_sheet({"stats": {"HP": 40, "AT": 9, "Speed": 3}})) == []
