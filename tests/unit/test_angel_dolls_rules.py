"""The rule functions of the doll arena against the rulebook's own examples, tables and sheets."""

from __future__ import annotations

from typing import Any

import pytest

from rules.angel_dolls import RULESET, attacks, manoeuvres, sheets, stats
from rules.angel_dolls.codes import CODES
from rules.angel_dolls.tables import Gear, numbers_of
from rules.angel_dolls.worn import Kit, Wielded, striking

NUMBERS = numbers_of(RULESET.tables(None, None))


def test_every_numbered_rule_has_a_function() -> None:
    assert {rule.id for rule in RULESET.rules} == {f"D{number}" for number in range(1, 19)}
    assert all(rule.summary and rule.cites for rule in RULESET.rules)


def test_codes_are_those_of_the_contract() -> None:
    names = "total stat roll-range outcome damage affinity chain penalty hp acts-while-down weapon-out "
    names += "full-defense sheet points"
    assert {code.code for code in CODES} == {f"angel_dolls/{name}" for name in names.split()}
    assert {code.code: code.severity for code in CODES if code.severity != "error"} == {
        "angel_dolls/sheet": "notice",
        "angel_dolls/points": "warning",
    }


def test_riget_claws_at_sedrik() -> None:
    hit, dodge = attacks.check_total(36, 0, 15), attacks.check_total(33, 0, 24)
    assert (hit, dodge) == (51, 57)
    assert attacks.hits(hit, dodge) == {"miss"}
    assert attacks.physical_damage(34 + 8, 23 + 27) == 0


def test_shadow_snap_takes_sixty_more() -> None:
    assert attacks.elemental_damage(70, 35, 30, -30) == {35 + 60}
    assert attacks.elemental_damage(50, 55, 30, -30) == {0, 60, 55}
    assert attacks.elemental_damage(50, 40, -30, 30) == {0}


def test_wyvern_strangles() -> None:
    assert [manoeuvres.strangle_step(34, number, NUMBERS) for number in range(1, 6)] == [8, 16, 32, 64, 128]


def test_chain_penalties_grow_by_ten() -> None:
    assert attacks.chain_penalties(1, NUMBERS) == []
    assert attacks.chain_penalties(4, NUMBERS) == [10, 20, 30]


def test_rounding_both_ways() -> None:
    assert stats.fully_defended(33, NUMBERS) == {49, 50}
    assert stats.fully_defended(34, NUMBERS) == {51}
    assert stats.halved(33, NUMBERS) == {16, 17}
    assert manoeuvres.disabling_damage(20, NUMBERS) == {6, 7}
    assert manoeuvres.disabling_damage(21, NUMBERS) == {7}


def test_generators_of_the_rulebook() -> None:
    bonus = [stats.generator_bonus(hp, NUMBERS) for hp in (100, 150, 200, 250, 300, 175)]
    assert bonus == [10, 5, 0, -5, -10, None]


def test_points_from_0_to_5() -> None:
    assert [attacks.points_allowed(points, NUMBERS) for points in (-1, 0, 5, 6)] == [False, True, True, False]


def test_a_doll_has_six_parts_of_twenty() -> None:
    even = dict.fromkeys(["Strength", "Agility", "Durability", "Reflexes", "Magic", "Resistance"], 20)
    assert sheets.doll_excess(even, 0, NUMBERS) == 0
    assert sheets.doll_excess({**even, "Magic": 25}, 0, NUMBERS) == 5
    assert sheets.doll_excess({**even, "Magic": 25}, 5, NUMBERS) == 0
    assert sheets.doll_excess({"Strength": 40, "Agility": 21}, 0, NUMBERS) == 1
    assert sheets.doll_excess({"Strength": 41}, None, NUMBERS) == 1
    assert sheets.deus_excess({"Strength": 76}, 0, NUMBERS) == 1


def test_sheets_and_tables_are_checked_by_key() -> None:
    assert next(iter(RULESET.check_sheet({"deus": {"Strength": "x"}}))).startswith("deus.Strength:")
    wrong: dict[str, Any] = {
        "equipment": {"net": {"type": "trap", "stats": {"Luck": 1}, "hp": -1}},
        "powers": {"Mist": {}},
    }
    keys = [line.split(":")[0] for line in RULESET.check_tables(wrong)]
    assert keys == ["equipment.net.type", "equipment.net.stats.Luck", "equipment.net.hp", "powers.Mist.element"]
    assert list(RULESET.check_tables(RULESET.tables(None, None))) == []


@pytest.mark.parametrize("junk", [None, 3, "x", [], {"a": 1}, {"stats": "no"}, 10**30, True])
def test_junk_in_tables_counts_as_missing(junk: Any) -> None:
    keys = [
        "equipment",
        "powers",
        "generators",
        "entangled",
        "manoeuvres",
        "check",
        "strangle",
        "chain_step",
        "creation",
    ]
    numbers = numbers_of(dict.fromkeys(keys, junk))
    assert numbers.high >= 1
    assert numbers.manoeuvres["disarm"] == -10


def test_the_working_of_a_stat_shows_the_weapon_that_counts() -> None:
    spear = Gear("long spear", True, True, {"Strength": 12})
    claws = Gear("paired claws", True, False, {"Agility": 10, "Strength": 10})
    kit = Kit((), (), (spear, claws))
    stat = striking("Sedrik", "Strength", 30, kit, Wielded(spear, True, (True,)))
    assert stat.listed == {42}
    assert stat.accepted == {42, 52}  # Claws are worn, whatever is held: not the rule, but never a fault.
    assert stat.lines() == ["Strength of Sedrik: 30 on the sheets", "with the long spear: 30 + 12 = 42"]
