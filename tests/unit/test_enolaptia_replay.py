"""The replay of Enolaptia: ledgers, outcomes, rulings, what is missing, broken tables."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from rules.enolaptia import RULESET
from tests.support.enolaptia_sim import Sim
from tests.support.enolaptia_sim_short import KILL, MAP, MIRA, ORDER, RAT, TABLES, TOBIN, codes, judge_in


@pytest.fixture
def judge(tmp_path: Path) -> Any:
    return judge_in(tmp_path)


def test_a_won_battle(judge: Any) -> None:
    report = judge(RAT, KILL)
    assert report.findings == ()
    assert (report.outcome.status, report.outcome.winner) == ("won", ("Mira",))


def test_a_lost_battle(judge: Any) -> None:
    weak = MIRA | {"stats": {"HP": 5, "AT": 14, "Speed": 12}}
    report = judge(
        RAT, ORDER + "\nMira attacks Rat: rolled {1}, miss\nRat attacks Mira; damage 1d6 = {5}: 5", characters=[weak]
    )
    assert report.findings == ()
    assert report.outcome.status == "lost"


def test_a_duel_is_over_when_a_side_is_down(judge: Any) -> None:
    two = [MIRA | {"side": "a"}, TOBIN | {"side": "b", "stats": {"HP": 10, "AT": 11, "Speed": 7}}]
    text = "Order: Mira (12), Tobin (7)\nMira attacks Tobin: rolled {5}, 14\nHP: Mira 40/40, Tobin 0/10"
    report = judge("Duel: Mira against Tobin", text, characters=two, battle={"kind": "duel"})
    assert report.findings == ()
    assert (report.outcome.status, report.outcome.winner) == ("won", ("Mira",))


def test_both_ledgers_are_shown_after_a_wrong_damage(judge: Any) -> None:
    report = judge(RAT, ORDER + "\nMira attacks Rat: rolled {4}, 14/2 = 9")
    assert codes(report) == [("enolaptia/damage", "p2")]
    hp = report.posts[1].state["Marsh Rat"]["hp"]
    assert (hp.start, hp.claimed, hp.computed.listed()) == (18, 9, [11])


def test_a_finding_that_is_taken_back_says_so(judge: Any) -> None:
    wrong = ORDER + "\nMira attacks Rat: rolled {1}, miss\nRat attacks Mira; damage 1d6 = {5}: 5\nHP: Mira 38/40"
    right = ORDER + "\nMira attacks Rat: rolled {1}, miss\nHP: Mira 35/40"
    report = judge(RAT, wrong, right)
    assert codes(report) == [("enolaptia/hp", "p2")]
    assert report.findings[0].expected == [35]
    assert report.findings[0].trace[-1].text == "taken back in p3"


def test_after_a_finding_a_third_number_is_a_new_one(judge: Any) -> None:
    wrong = ORDER + "\nMira attacks Rat: rolled {1}, miss\nRat attacks Mira; damage 1d6 = {5}: 5\nHP: Mira 38/40"
    report = judge(RAT, wrong, "HP: Mira 20/40")
    assert codes(report) == [("enolaptia/hp", "p2"), ("enolaptia/hp", "p3")]
    assert report.findings[1].expected == [35, 38]


def test_the_same_words_never_accuse(judge: Any) -> None:
    report = judge(RAT, ORDER + "\nMira attacks Rat: rolled {4}, 14/2 = 9\nRat: 3/18")
    for finding in report.findings:
        assert not set(finding.message.lower().split()) & {"cheated", "lied", "wrongly", "you"}
        assert finding.trace
        assert finding.evidence


def test_with_the_boss_dead_a_run_may_succeed_or_be_barred(judge: Any) -> None:
    tables = TABLES | {"maps": {"Fen": MAP | {"enemies": {"6": ["Fen Hag", "Marsh Rat"]}}}}
    start = "Encounter: 1d6 = {6} (Fen Hag, Marsh Rat)"
    kill = (
        "Order: Mira (12), Marsh Rat (9), Fen Hag (8)\nMira attacks Hag: rolled {6}, {6}, 14 x 2 = 28\nHag: 0/20 (dead)"
    )
    for words in ("{6}, escaped", "{6}, cannot run", "{2}, failed"):
        assert codes(judge(start, kill, f"{ORDER}\nMira: Run: 1d6 = {words}", tables=tables)) == []
    assert codes(judge(start, kill, ORDER + "\nMira: Run: 1d6 = {2}, escaped", tables=tables)) == [
        ("enolaptia/run", "p3")
    ]


def test_after_a_doubtful_escape_both_readings_stay_open(judge: Any) -> None:
    start = RAT + "\nAllocation: Mira 1-3, Tobin 4-6"
    order = "Order: Mira (12), Marsh Rat (9), Tobin (7)"
    run = order + "\nMira: Run: 1d6 = {2}, escaped"
    report = judge(start, run, order + "\nMira attacks Rat: rolled {1}, miss", characters=[MIRA, TOBIN])
    assert codes(report) == [("enolaptia/run", "p2")]


def test_rulings(judge: Any) -> None:
    hit = ORDER + "\nMira attacks Rat: rolled {5}, 17"
    ruling = {"post": "p2", "character": "Mira", "effect": {"bonus_damage": 3}}
    assert codes(judge(RAT, hit, rulings=[ruling])) == []
    assert codes(judge(RAT, hit)) == [("enolaptia/damage", "p2")]
    raised = {"post": "p2", "character": "Mira", "effect": {"set": {"hp": 12}}}
    assert codes(judge(RAT, "HP: Mira 12/40", rulings=[raised])) == []
    idle = {"post": "p1", "character": "Mira", "effect": {"hit_chance": -10}}
    assert codes(judge(RAT, rulings=[idle])) == [("post/ruling-idle", "p1")]
    fate = {"post": "p2", "character": "Mira", "effect": {"fate": "unconscious"}}
    assert codes(judge(RAT, "HP: Mira 0/40", rulings=[fate])) == []


ORDER_FAULT = [("enolaptia/order", "p2")]
RAT_MISSES = "Rat attacks Mira; damage 1d6 = {1}: miss"
TOBIN_MISSES = "Tobin attacks Rat: rolled {1}, miss"
TIES = [
    ("Rat (9), Tobin (9) - tie 1d6 = {2}, the creatures first", []),
    ("Rat (9), Tobin (9) (tie 1d6 = {2}: Marsh Rats go first)", []),
    ("Tobin (9), Rat (9) - tie: 1d6 = {5}", []),
    ("Rat (9), Tobin (9) - tie: 1d6 = {5}", [("enolaptia/order", "p2")]),
    ("Tobin (9), Wanda (9), Rat (9) - tie 1d6 = {5}, Tobin first; tie 1d6 = {4}, Wanda first", []),
    ("Tobin (9), Rat (9), Wanda (9) - tie 1d6 = {5}, Tobin first, tie 1d6 = {2}, Rat first", []),
    ("Rat (9), Wanda (9), Tobin (9) - tie 1d6 = {1}, Rat first", []),
    ("Rat (9), Wanda (9), Tobin (9) - tie 1d6 = {6}, Tobin first", []),
    (f"Rat (9), Wanda (9), Tobin (9) - tie 1d6 = {{6}}, Tobin first\n{RAT_MISSES}\n{TOBIN_MISSES}", ORDER_FAULT),
    (f"Rat (9), Wanda (9), Tobin (9) - tie 1d6 = {{6}}, Tobin first\n{TOBIN_MISSES}\n{RAT_MISSES}", []),
    ("Wanda (9), Tobin (9), Rat (9)", [("enolaptia/order", "p2")]),
    ("Wanda (9), Rat (9), Tobin (9) - ties 1d6 = {6} Wanda first, 1d6 = {3} Rat first", []),
]


@pytest.mark.parametrize(("words", "expected"), TIES)
def test_ties_in_many_forms(judge: Any, words: str, expected: list) -> None:
    slow = {"HP": 35, "AT": 11, "Speed": 9}
    party = [MIRA, TOBIN | {"stats": slow}, TOBIN | {"name": "Wanda", "player": "wanda", "stats": slow}]
    assert codes(judge(RAT, "Order: Mira (12), " + words, characters=party)) == expected


def test_what_is_missing_is_said_once(judge: Any) -> None:
    bare = {"name": "Mira", "player": "mira", "side": "party"}
    post = ORDER + "\nMira attacks Rat: rolled {5}, 14\nHP: Mira 12/40"
    report = judge(RAT, post, post, characters=[bare])
    assert {finding.code for finding in report.findings} == {"post/unchecked"}
    assert len({finding.message for finding in report.findings}) == len(report.findings)


def test_a_creature_without_a_sheet_is_not_judged(judge: Any) -> None:
    report = judge(
        RAT, ORDER + "\nMira attacks Rat: rolled {5}, 14\nRat: 5/18\nRat attacks Mira; damage 1d6 = {5}: 9", tables={}
    )
    assert {finding.severity for finding in report.findings} == {"notice"}


def test_start_below_the_maximum(judge: Any) -> None:
    report = judge(RAT, "HP: Mira 22/40", characters=[MIRA | {"start": {"hp": 22}}])
    assert codes(report) == []


def test_a_second_encounter_begins_a_new_battle(judge: Any) -> None:
    report = judge(RAT, KILL, RAT, ORDER + "\nMira attacks Rat: rolled {5}, 14\nRat: 4/18")
    assert codes(report) == []


def test_a_turn_heading_without_order_does_not_count_moves(judge: Any) -> None:
    move = "\nMira attacks Rat: rolled {1}, miss"
    assert codes(judge(RAT, "Turn 1\n" + ORDER + move, "Turn 2" + move, "Turn 3" + move)) == []


def test_a_move_that_cannot_be_read_is_no_reason_for_a_finding_later(judge: Any) -> None:
    report = judge(RAT, ORDER + "\nMira attacks Rat: rolled ?, 14/2 = 7", "Rat: 11/18")
    assert codes(report) == [("post/unread-tag", "p2")]


def test_dice_made_by_the_board_and_linked_dice_in_one_roll(judge: Any) -> None:
    text = ORDER + "\nMira attacks Rat: rolled {6}, 5 [url=http://dice.example/r/1]roll[/url], 14"
    record = {"at": "2026-03-01T10:30:00Z", "by": "Mira", "expression": "1d6", "values": [5]}
    assert codes(judge(RAT, text, rolls={"http://dice.example/r/1": record})) == []
    report = judge(RAT, text, rolls={"http://dice.example/r/1": record | {"values": [2]}})
    assert [(f.code, f.expected) for f in report.findings] == [("dice/values", [2])]


def test_one_link_for_two_dice(judge: Any) -> None:
    text = ORDER + "\nMira attacks Rat: rolled 6, 3, 14 [url=http://dice.example/r/1]roll[/url]"
    record = {"at": "2026-03-01T10:30:00Z", "by": "Mira", "expression": "2d6", "values": [6, 3]}
    assert codes(judge(RAT, text, rolls={"http://dice.example/r/1": record})) == []


def test_a_die_behind_a_link_is_taken_from_its_record(judge: Any) -> None:
    text = ORDER + "\nMira attacks Rat: rolled [url=http://dice.example/r/1]roll[/url], 14"
    record = {"at": "2026-03-01T10:30:00Z", "by": "Mira", "expression": "1d6", "values": [3]}
    report = judge(RAT, text, rolls={"http://dice.example/r/1": record})
    assert [(f.code, f.expected) for f in report.findings] == [("enolaptia/damage", [7])]


JUNK = [None, "x", -5, 3.7, True, [], {}, [1, 2], 10**30, "1d6+", {"hp": "x"}, ["Marsh Rat", 5, None]]


def _spoil(rng: random.Random, tables: dict) -> None:
    for key in list(tables):
        if rng.random() < 0.1:
            tables[key] = rng.choice(JUNK)
        elif isinstance(tables[key], dict):
            _spoil(rng, tables[key])


def _scramble(rng: random.Random, text: str) -> str:
    for _ in range(4):
        place = rng.randrange(len(text) + 1)
        cut = rng.choice([0, 0, 1, 3, 9])
        text = text[:place] + rng.choice([*"0123456789[]():;,=/x-> \n", ""]) + text[place + cut :]
    return text


@pytest.mark.parametrize("seed", range(40))
def test_broken_tables_and_texts_never_crash(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    transcript = json.loads(json.dumps({k: v for k, v in Sim(rng).run().items() if k != "posts"}))
    made = Sim(random.Random(seed)).run()["posts"]
    transcript["posts"] = [{k: v for k, v in post.items() if not k.startswith("_")} for post in made]
    for post in transcript["posts"]:
        key = "text" if "text" in post else "html"
        post[key] = _scramble(rng, post[key])
    _spoil(rng, transcript["tables"])
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(transcript), "utf-8")
    report = judge_battle(load_transcript(path, {"enolaptia": RULESET}), RULESET)
    assert len(report.posts) == len(transcript["posts"])
    assert all(isinstance(line, str) for line in RULESET.check_tables(transcript["tables"]))
