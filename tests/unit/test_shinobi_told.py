"""What players tell in words instead of in tags: nothing hangs on it as an error, a notice quotes it (decision 8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.model.report import Finding
from tests.support.samples import ROOT, judge_file

BASE = yaml.safe_load((ROOT / "tests/cases/shinobi/G19-equal-attacks-stay-two.yaml").read_text("utf-8"))
MORE = yaml.safe_load("""
techniques:
  Viper Spit: {phase: main, kind: ninjutsu, hits: 1, damage: 9, cost: {chakra: 8}, dot: {hp: 3, turns: 3}}
skills:
  Knowing the Elements: {phase: response, negates: 1}
  Killing Edge: {phase: main, critical_range: 35, cost: {stamina: 6}}
statuses:
  Fazed: {turns: 2, hit_chance: -10}
items:
  Field Bandage: {heal: {hp: 10}}
""")
KUNAI = "[8 (kunai base damage) + 20 (accuracy bonus) - 10 (dexterity bonus) = 18 damage]\n"


def lost(hp: object = "-0", chakra: object = "-0", stamina: object = "-0") -> str:
    return f"\n(HP: {hp} | CHK: {chakra} | STM: {stamina})\n"


def roll(value: int) -> str:
    return f"[roll=1d100]{value}[/roll]"


KICKS = ("ren", "Ren kicks twice.\n[Damage: 5 + 5 = 10 per kick, x2]" + lost(stamina="-10"))
#: One kick each of two attackers at Ren.
ONE_OF_TWO = [(who, "[Damage: 5 + 15 = 20 per kick, x1 -> Ren]" + lost(stamina="-5")) for who in ("kaito", "jiro")]


def found(tmp_path: Path, *posts: tuple[str, str], three: bool = False, **more: Any) -> list[Finding]:
    """The findings of a battle whose first turns are the base's."""
    battle = {**BASE, **more, "title": "told"}
    battle.pop("expect", None)
    tables = {**BASE["tables"], **MORE, **more.get("tables", {})}
    tables["techniques"] = {**BASE["tables"]["techniques"], **MORE["techniques"]}
    battle["tables"] = tables
    first = [dict(post) for post in BASE["posts"][:2]]
    if three:
        second = BASE["characters"][1]
        jiro = {**second, "name": "Jiro Tan", "player": "jiro", "stats": {**second["stats"], "Speed": 90}}
        battle["characters"] = [*BASE["characters"], jiro]
        battle["battle"] = {"turn_policy": "free"}
        text = first[1]["text"].replace("Kaito Mori", "Jiro Tan").replace("Speed: 100", "Speed: 90")
        first.append({**first[1], "id": "p3", "author": "jiro", "text": text})
    later = [
        {"id": f"q{place}", "author": who, "at": f"2026-01-{place + 2:02d}T12:00:00Z", "text": text}
        for place, (who, text) in enumerate(posts, 1)
    ]
    battle["posts"] = [*first, *later]
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(battle), "utf-8")
    return list(judge_file(path).findings)


def faults(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(f.code, f.post) for f in findings if f.severity != "notice"]


def quotes(findings: list[Finding], words: str) -> bool:
    return any(f.severity == "notice" and words in f.message for f in findings)


ANSWERS = [
    ("Kaito weaves between the kicks: 71 and 80", 0, 0),
    (f"Kaito dodges the kicks, rolling {roll(71)} and {roll(80)} at 50%.", 0, 0),
    (f"Kaito takes the first kick but dodges the second (rolled {roll(80)} vs 50).", 10, 0),
    (f"50%: {roll(71)} and {roll(80)}", 0, 0),
    (f"Response Phase: rolled {roll(71)} and {roll(80)}, both dodge.", 0, 0),
    ("He uses Mud Curtain to stop the kicks.", 0, 7),
    ("Kaito swaps with a log (Kawarimi).", 0, 10),
    ("With Knowing the Elements he brushes the kicks off.", 0, 0),
    ("[Dodged both]", 0, 0),
    ("[Hit, dodged]", 10, 0),
]


@pytest.mark.parametrize(("words", "hp", "chakra"), ANSWERS)
def test_answers_in_words(tmp_path: Path, words: str, hp: int, chakra: int) -> None:
    findings = found(tmp_path, KICKS, ("kaito", words + "\n" + lost(-hp or "-0", -chakra or "-0")))
    assert faults(findings) == []
    assert any("were not read" in f.message for f in findings)


@pytest.mark.parametrize(
    "words",
    [
        "Kaito counted his teeth (all 28, thank you).",
        "Kaito blocks both.",
        "Kaito never rolls away from a friend; he stopped at 6.",
        "The guards changed at 11 (twice, that year). Kaito waits.",
        "He jumps, he dodges, he is gone.",
    ],
)
def test_a_story_answers_nothing(tmp_path: Path, words: str) -> None:
    findings = found(tmp_path, KICKS, ("kaito", words + "\n" + lost()))
    assert faults(findings) == [("shinobi/response-missing", "q2")]


@pytest.mark.parametrize(
    "words",
    [
        "HP: 80/100, CHK: 60/60, STM: 60/60",
        "Kaito loses 20 HP and nothing else.",
        "Loss: 20 HP, no chakra, no stamina.",
        "HP: 100 -> 80\nCHK: 60 -> 60\nSTM: 60 -> 60",
        "(-20/-0/-0)",
        "HP 80 (-20) | CHK 60 (-0) | STM 60 (-0)",
        "Total loss this turn: twenty HP.",
        "No loss but 20 HP",
    ],
)
def test_losses_in_words(tmp_path: Path, words: str) -> None:
    findings = found(tmp_path, KICKS, ("kaito", f"[No roll]\n\n{words}\n"))
    assert faults(findings) == []
    assert quotes(findings, words.split("\n")[0][:10])


@pytest.mark.parametrize("words", ["", "Kaito lost his temper at 11.", "Lost in thought, Kaito counted 20 crows."])
def test_a_story_is_no_loss(tmp_path: Path, words: str) -> None:
    findings = found(tmp_path, KICKS, ("kaito", f"[No roll]\n\nHe waits. {words}\n"))
    assert faults(findings) == [("shinobi/loss-missing", "q2")]


COSTS = [
    ("Ren's Glass Eye opens.", ("-0", "-3", "-0")),
    ("Ren lays on a Warm Palm.", ("-0", "-8", "-0")),
    ("Ren runs up the wall, spending 5 chakra.", ("-0", "-5", "-0")),
    ("Ren runs up the wall (-5 CHK).", ("-0", "-5", "-0")),
    ("Ren cuts his own palm: -4 HP.", ("-4", "-0", "-0")),
    ("Ren tests his Killing Edge.", ("-0", "-0", "-6")),
]


@pytest.mark.parametrize(("words", "loss"), COSTS)
def test_costs_in_words(tmp_path: Path, words: str, loss: tuple[str, str, str]) -> None:
    findings = found(tmp_path, ("ren", words + lost(*loss)))
    assert faults(findings) == []
    assert quotes(findings, words)


@pytest.mark.parametrize(("words", "loss"), COSTS)
def test_another_number_is_found(tmp_path: Path, words: str, loss: tuple[str, str, str]) -> None:
    worse = tuple(number if number == "-0" else str(int(number) - 5) for number in loss)
    (code,) = [code for code, _ in faults(found(tmp_path, ("ren", words + lost(*worse))))]
    assert code.startswith("shinobi/loss-")


def test_an_upkeep_that_ends_in_words(tmp_path: Path) -> None:
    begun = ("ren", "[Activates Glass Eye; upkeep 4 CHK]" + lost(chakra="-3"))
    idle = ("kaito", lost())
    for words in ("Ren lets the Glass Eye close.", "[Glass Eye ends]"):
        findings = found(tmp_path, begun, idle, ("ren", words + lost()), idle, ("ren", lost()))
        assert faults(findings) == []
    assert faults(found(tmp_path, begun, idle, ("ren", "Ren waits." + lost()))) == [("shinobi/loss-chakra", "q3")]


def test_poison_that_ends_in_words(tmp_path: Path) -> None:
    spit = ("ren", "[Used Viper Spit]\n[Damage: 9 + 50 = 59 (Viper Spit)]" + lost(chakra="-8"))
    start = [spit, ("kaito", "[No roll]" + lost("-59")), ("ren", lost())]
    assert faults(found(tmp_path, *start, ("kaito", "The poison ends." + lost()))) == []
    assert faults(found(tmp_path, *start, ("kaito", "He waits." + lost()))) == [("shinobi/loss-hp", "q4")]


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        (f"Setup: draws the kunai.\n\nRen throws it.\n{KUNAI}", False),
        (f"Setup: draws the kunai\n{KUNAI}", False),
        (f"Setup: none. Main: Ren throws.\n{KUNAI}", False),
        (f"(Setup Phase)\nRen draws.\n(Attack Phase)\nRen throws it.\n{KUNAI}", False),
        (f"Setup: Ren throws a kunai {KUNAI}", True),
        (f"(Setup Phase)\nRen throws a kunai.\n{KUNAI}", True),
        (f"Setup Phase:\nRen throws a kunai.\n{KUNAI}", True),
    ],
)
def test_an_attack_behind_a_setup_told_in_words(tmp_path: Path, text: str, sure: bool) -> None:
    findings = found(tmp_path, ("ren", text + lost()))
    assert faults(findings) == ([("shinobi/setup-attack", "q1")] if sure else [])
    assert sure or quotes(findings, "in Main")


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("Setup: draws a kunai.\n{D}\n{K}", False),
        ("Main: he will kick after that.\n{D}\n{K}", False),
        ("Main: see below.\n\nResponse: {D}\n", False),
        ("Main Phase:\n{K}\nResponse: he rolls.\n{D}\n", True),
        ("(Setup Phase)\nHe draws a kunai.\n{D}\n(Main Phase)\n{K}", True),
    ],
)
def test_phases_told_out_of_their_place(tmp_path: Path, text: str, sure: bool) -> None:
    dodge = f"[50% to hit: rolled {roll(80)}, {roll(81)}]"
    kick = "[Damage: 5 + 15 = 20 per kick, x1]\n"
    said = text.replace("{D}", dodge).replace("{K}", kick)
    findings = found(tmp_path, KICKS, ("kaito", said + lost(stamina="-5" if kick in said else "-0")))
    assert faults(findings) == ([("shinobi/phase-order", "q2")] if sure else [])
    assert sure or quotes(findings, "out of the order")


def test_guards_in_words(tmp_path: Path) -> None:
    kicks = ("ren", "[Damage: 5 + 5 = 10 per kick, x2 -> Jiro]" + lost(stamina="-10"))
    guard = ("kaito", "Kaito jumps in front of Jiro and takes both kicks." + lost("-20"))
    assert faults(found(tmp_path, kicks, guard, ("jiro", lost()), three=True)) == []
    other = ("kaito", "Kaito stumbles over Jiro." + lost("-20"))
    assert faults(found(tmp_path, kicks, other, ("jiro", lost()), three=True)) == [
        ("shinobi/loss-hp", "q2"),
        ("shinobi/response-missing", "q3"),
    ]


def test_one_tag_rolls_for_two_attackers(tmp_path: Path) -> None:
    for first, second, hp in ((80, 20, "-20"), (20, 20, "-40"), (80, 90, "-0")):
        rolls = f"[50% to hit: rolled {roll(first)}, {roll(second)}]"
        assert faults(found(tmp_path, *ONE_OF_TWO, ("ren", rolls + lost(hp)), three=True)) == []
    wrong = found(tmp_path, *ONE_OF_TWO, ("ren", rolls + lost("-20")), three=True)
    assert faults(wrong) == [("shinobi/loss-hp", "q3")]


def test_two_attacks_are_taken_at_once(tmp_path: Path) -> None:
    """The loss shows both (S7)."""
    for words in ("[Takes the attack]", "I take both hits.", "[Takes both attacks]"):
        assert faults(found(tmp_path, *ONE_OF_TWO, ("ren", words + lost("-40")), three=True)) == []
    once = found(tmp_path, *ONE_OF_TWO, ("ren", "[Takes the attack]" + lost("-20")), three=True)
    assert faults(once) == [("shinobi/response-missing", "q3")]


@pytest.mark.parametrize("words", ["The fog takes 10 off the chance.", "-10 for the fog.", "Kaito is still Fazed."])
def test_chances_in_words(tmp_path: Path, words: str) -> None:
    formula = {"base": 50, "attacker": "Accuracy", "target": "Evasion", "divisor": 4, "min": 5}
    dodge = f"[45% to hit: rolled {roll(80)}]" + lost()
    tables = {"hit_chance": formula}
    assert faults(found(tmp_path, ONE_OF_TWO[0], ("ren", f"{words}\n{dodge}"), three=True, tables=tables)) == []
    plain = found(tmp_path, ONE_OF_TWO[0], ("ren", f"Fog, 11 of it.\n{dodge}"), three=True, tables=tables)
    assert faults(plain) == [("shinobi/hit-chance", "q2")]


def test_a_post_on_behalf_of_another(tmp_path: Path) -> None:
    stand_in = ("ren", "Posting for Kaito, who is away:\n[No roll]" + lost("-20"))
    findings = found(tmp_path, KICKS, stand_in, ("ren", lost()))
    assert faults(findings) == []
    assert quotes(findings, "ren posts for Kaito Mori")
    assert faults(found(tmp_path, KICKS, ("ren", "For Kaito it was over." + lost())))
