"""Reading what people write by hand: state lines, tables, loose lines, spoilers - and prose that looks like them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.ports.rules import Sheets
from rules.d20_arena.reading.post import read
from rules.d20_arena.records import Bonds, HitPoints, Mend, SheetLine, Strike, Use
from scrapers.boards.transcript import read_body

LINK = "[url=http://dice.example/r/7]roll[/url]"
TABLES = {
    "abilities": {
        "Volt Lash": {"type": "damage"},
        "Slam": {"type": "damage"},
        "Mend": {"type": "heal"},
        "Focus": {"type": "self"},
    }
}
SHEETS = Sheets(
    (
        Character("Hana Ito", "hana", "players", data={"stats": {"HP": 40}}),
        Character("Toru", "toru", "players", data={"stats": {"HP": 30}}),
        Character("Golem 1", "gm", "enemies", data={"stats": {"HP": 20}}),
        Character("Golem 2", "gm", "enemies", data={"stats": {"HP": 20}}),
    ),
    TABLES,
)


def reading(text: str, author: str = "hana") -> Reading:
    return read(scripts_of(read_body(text, None)), author, SHEETS)


def said(text: str, author: str = "hana") -> list[Any]:
    return [claim.data for claim in reading(text, author).claims]


@pytest.mark.parametrize(
    "text",
    [
        "Golem 2: 9 of 20 HP",
        "Golem 2: 9HP/20HP",
        "Golem 2: HP 9 out of 20",
        "Golem 2 [####------] 9/20 HP",
        "Golem 2: \u2593\u2593\u2593\u2593\u2591\u2591\u2591\u2591 9/20",
        "Golem 2 9/20  \u2588\u2588\u2588\u2588\u2591\u2591",
        "Golem 2: 45% (9/20)",
        "Golem 2: [9/20 HP]",
        "Golem 2: 9/20 HP -11",
        "Golem 2 is at 9/20 HP.",
        "| Golem 2 | 9/20 HP |",
        "Golem 2\n9/20",
        "Golem 2\nDEF: 15\nHP: 9/20",
        "Status: Golem 2 9/20 HP",
        "End phase: Golem 2 - 9/20 HP (hurt)",
        "(3) Golem 2: 9/20 HP",
        "~ Golem 2: 9/20 HP",
        "HP (Golem 2): 9/20",
        "\u2764\ufe0f Golem 2: 9/20 HP",
        "\U0001faa8 Golem 2: 9/20 HP",
    ],
)
def test_states_of_others(text: str) -> None:
    found = said(text)
    assert [(hp.name, hp.now, hp.most) for hp in found] == [("Golem 2", 9, 20)]


@pytest.mark.parametrize(
    "text",
    ["HP - 31/40", "My HP: 31/40", "Current HP: 31/40", "HP left: 31/40", "Life: 31/40", "31/40 HP", "HP 31 of 40"],
)
def test_states_of_the_author(text: str) -> None:
    (hp,) = said(text)
    assert (hp.name, hp.now, hp.most) == (None, 31, 40)


@pytest.mark.parametrize(
    "text",
    [
        "Golem 1: 3/20 HP. Golem 2: 9/20 HP.",
        "Golem 1: 3/20 HP -- Golem 2: 9/20 HP",
        "Golem 1: 3/20 HP Golem 2: 9/20 HP",
        "Golem 1 | 3/20 | Golem 2 | 9/20",
        "Name | HP | DEF\nGolem 1 | 3/20 | 15\nGolem 2 | 9/20 | 15",
        "Name | HP | Max\nGolem 1 | 3 | 20\nGolem 2 | 9 | 20",
    ],
)
def test_several_states(text: str) -> None:
    assert [(hp.name, hp.now) for hp in said(text) if isinstance(hp, HitPoints)] == [("Golem 1", 3), ("Golem 2", 9)]


def test_bind_levels_beside_hp_and_alone() -> None:
    (hp,) = said("Golem 2: 9/20 HP, bind level 2 (legs), arms 1")
    assert hp.bound == (("legs", 2), ("arms", 1))
    assert said("Golem 2: arms 0 -> 2, legs 1") == [Bonds("Golem 2", (("arms", 2), ("legs", 1)))]


@pytest.mark.parametrize(
    "text",
    [
        "Golem 1: HP 20/20, DEF 15, ATK +3, RES 1",
        "Golem 1 HP 20, DEF 15, ATK +3, RES 1",
        "Golem 1: 20 HP, 15 DEF, +3 ATK, 1 RES (the big one)",
        "Name | HP | DEF | ATK | RES\nGolem 1 | 20 | 15 | +3 | 1",
        "Golem 1 | HP 20 | DEF 15 | ATK +3 | RES 1",
    ],
)
def test_sheets(text: str) -> None:
    assert said(text, "gm") == [SheetLine("Golem 1", (("HP", 20), ("DEF", 15), ("ATK", 3), ("RES", 1)))]


def test_a_row_of_a_stranger_is_nobodys_own() -> None:
    found = reading("Goblin | HP 7/7 | DEF 12")
    assert not found.claims and [unread.reason for unread in found.unread] == ["names nobody of this battle"]


@pytest.mark.parametrize(
    "text",
    [
        "Golem 2, HP 0/12 as they say, sat down.",
        "Golem 1: her arms hang, 2 steps away",
        "Trap | door | 3 steps",
        "a) of the three plans she liked none",
        "- 5 - 4 = 1, she counted.",
        "Music: [url=http://music.example/x]Track 3 - 4 am[/url]",
        "Announce - we run!",
        "Step 3: profit. Phase 2 - who knows?",
        f"She had rolled a 17 {LINK} last week.",
        "HP of the golem: hardly any",
    ],
)
def test_prose_stays_prose(text: str) -> None:
    found = reading(text)
    assert found.chatter, (found.claims, found.unread)


@pytest.mark.parametrize(
    "text",
    [
        f"To hit (Golem 2): 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit",
        f"To hit Golem 2: 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit",
        f"Golem 2: To hit: 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit",
        f"golem 2 to hit: 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit",
        f"vs Golem 2: 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit",
    ],
)
def test_a_name_in_a_loose_line_is_whom_it_is_about(text: str) -> None:
    (strike,) = said(text)
    assert (strike.actor, strike.targets) == (None, ("Golem 2",))


def test_signs_and_a_comma_before_a_tag() -> None:
    announced, strike = said(
        f"\U0001f4e3 Announce: Volt Lash, on Golem 2.\n\U0001f3b2 To hit: 1d20 (13) + 4 = 17 {LINK} vs 15 \u2705 hit"
    )
    assert announced.targets == ("Golem 2",) and strike.outcome == "hit"


def test_a_state_that_only_partly_reads_is_named() -> None:
    found = reading("The end, all told Toru 30/30 HP, Golem 1: 3/20 HP, Golem 2: 9/20 HP")
    assert [unread.reason for unread in found.unread] == ["the HP can't be told"]


def test_a_gms_own_fighter_in_a_loose_line_acts() -> None:
    (strike,) = said(f"To hit (Golem 2): 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit", "gm")
    assert (strike.actor, strike.targets) == ("Golem 2", ())


def test_rolls_take_the_place_of_the_action_above_them() -> None:
    rolls = f"To hit: 1d20 (13) + 4 = 17 {LINK} vs DEF 15, hit\nDamage: 2d6 [3, 5] + 3 = 11 {LINK}"
    (strike,) = said(f"[Action: Volt Lash -> Golem 2]\n{rolls}")
    assert isinstance(strike, Strike) and (strike.ability, strike.targets) == ("Volt Lash", ("Golem 2",))
    assert strike.damage is not None and strike.damage.total == 11
    both = said(f"[Announce: Golem 1: Slam on Toru]\n{rolls}\n[Announce: Golem 2: Slam on Hana]\n{rolls}", "gm")
    strikes = [data for data in both if isinstance(data, Strike)]
    assert [(one.actor, one.targets) for one in strikes] == [("Golem 1", ("Toru",)), ("Golem 2", ("Hana Ito",))]
    (mend,) = said(f"[Action: Mend -> Toru]\nHeals: 1d6 [4] + 2 = 6 {LINK}")
    assert isinstance(mend, Mend) and mend.targets == ("Toru",)
    assert [type(data) for data in said("[Action: Volt Lash -> Golem 2]\nFocus.")] == [Use]


def test_a_roll_in_no_known_form_is_named() -> None:
    for line in (
        f"Attack roll: 14+4=18 {LINK} hits",
        f"1d20+4 \u2192 18 {LINK}, hit",
        f"To hit: 18 {LINK} vs DEF 15, hit",
    ):
        found = reading(line)
        assert not found.claims and len(found.unread) == 1, line


def test_actions_in_a_spoiler_are_named_where_the_post_has_no_others() -> None:
    tag = f"[Action: Volt Lash -> Golem 2: 1d20 (13) + 4 = 17 {LINK} vs Defense 18, miss]"
    hidden = reading(f"She strikes.\n[spoiler]{tag}[/spoiler]")
    assert not hidden.claims and [unread.reason for unread in hidden.unread] == ["a spoiler's tags are no claims"]
    beside = reading(f"{tag}\n[spoiler]{tag}[/spoiler]")
    assert len(beside.claims) == 1 and not beside.unread


def test_values_of_a_claim_are_a_mapping() -> None:
    (claim,) = reading("Golem 2: 9/20 HP, legs 2").claims
    assert dict(claim.values) == {"hp": 9, "of": 20, "name": "Golem 2", "bind level legs": 2}
    assert claim.values == {"hp": 9, "of": 20, "name": "Golem 2", "bind level legs": 2}
    assert claim.values.get("defense") is None and len(claim.values) == 4


@pytest.mark.parametrize(
    "text",
    [
        "vs Golem 1: " * 4_000 + "1d20 = 3",
        "Golem 1: " + "legs 1, " * 8_000,
        "(1d20" * 12_000 + ") =",
        "[1d20" + " " * 60_000 + "] = 3",
        "| Golem 1 " * 6_000,
        "Golem 1\n1/20\n" * 4_000,
        "Golem 1: " + "HP 1, DEF 2, " * 5_000,
        "Golem 1: " + "1 - " * 15_000 + "= 3/20 HP",
        "#" * 60_000 + " 1/2 HP",
        f"1d20: {LINK} 5\n" * 2_000,
        f"[spoiler][Action: Slam -> Golem 1: 1d20 = 3 {LINK} vs 4, hit][/spoiler]\n" * 1_000,
        "Golem 1 -> " * 6_000,
    ],
)
def test_hostile_text_takes_no_time(text: str) -> None:
    began = time.perf_counter()
    reading(text)
    assert time.perf_counter() - began < 3
