"""What judges and players tell in words instead of in notation: a notice quotes it, no error follows (decision 8)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from referee.model.report import Finding
from tests.support.samples import ROOT, judge_file

BASE = yaml.safe_load((ROOT / "tests/cases/angel_dolls/G25-correction-without-a-label.yaml").read_text("utf-8"))


def die(value: int) -> str:
    return f"[roll=1d50]{value}[/roll]"


def hit(left: str = "36 AGI", total: int = 71, right: str = "33 REF", other: int = 57, word: str = "hit") -> str:
    return f"Hit: {left} + {die(35)} = {total} vs {right} + {die(24)} = {other} -> {word}\n"


CLAWS = "[Attack: Riget -> Sedrik, paired claws]\n"
DAMAGE = f"Damage: 34 STR + {die(37)} = 71 vs 23 DUR + {die(26)} = 49 -> 22\n"
HP = "HP: Sedrik 120 -> 98\n"
DISARM = (
    f"[Attack: Riget -> Sedrik, Disarm, paired claws]\n{hit('36 AGI - 10 (disarm)', 61)}"
    f"Disarm test: 34 STR + 4 (margin) + {die(40)} = 78 vs 42 STR + {die(10)} = 52 -> disarmed\n"
    "Sedrik loses the long spear.\n"
)
SPEAR = (
    f"[Attack: Sedrik -> Riget, long spear]\n{hit('35 AGI', 70, '30 REF', 54)}"
    f"Damage: 42 STR + {die(20)} = 62 vs 25 DUR + {die(26)} = 51 -> 11\nHP: Riget 150 -> 139\n"
)
ENTANGLE = (
    "[Attack: Riget -> Sedrik, Entangle (legs), chain whip]\n"
    f"Hit: 32 AGI - 10 (entangle) + {die(40)} = 62 vs 33 REF + {die(24)} = 57 -> hit\n"
)
HAMPERED = f"[Attack: Sedrik -> Riget, long spear]\n{hit('35 AGI - 20 (legs entangled)', 50, '30 REF', 54, 'miss')}"


def found(tmp_path: Path, *posts: str | tuple[str, str]) -> list[Finding]:
    """The findings of a battle; a text alone is the judge's."""
    battle = {**BASE, "title": "told"}
    battle.pop("expect", None)
    battle["characters"] = [
        {**BASE["characters"][0], "equipment": ["paired claws", "chain whip"]},
        BASE["characters"][1],
    ]
    rows = [post if isinstance(post, tuple) else ("arbiter", post) for post in posts]
    battle["posts"] = [
        {"id": f"q{place}", "author": who, "at": f"2026-01-{place + 2:02d}T12:00:00Z", "text": text}
        for place, (who, text) in enumerate(rows, 1)
    ]
    path = tmp_path / "battle.json"
    path.write_text(json.dumps(battle), "utf-8")
    return list(judge_file(path).findings)


def faults(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(f.code, f.post) for f in findings if f.severity != "notice"]


@pytest.mark.parametrize(
    "words",
    [
        "The long spear is back in his hand.",
        "Sedrik snatches up his spear again.",
        "Sedrik dives and gets the spear.",
        "Spear back in hand, Sedrik turns.",
        "He picks it up.",
    ],
)
def test_a_weapon_regained_in_words(tmp_path: Path, words: str) -> None:
    findings = found(tmp_path, DISARM, words, SPEAR)
    assert faults(findings) == []
    assert any(words[:12] in f.message for f in findings)
    assert faults(found(tmp_path, DISARM, f"{words}\n{SPEAR}")) == []


@pytest.mark.parametrize(
    "words",
    [
        "Sedrik is back on his feet.",
        "The hammer is back in her hand.",
        "The spear gleams.",
        "The crowd gets it.",
        "The spear lies where it fell. Sedrik is back on his feet.",
        "The coin falls, and Sedrik shakes himself free of doubt.",
    ],
)
def test_a_weapon_that_no_words_regain(tmp_path: Path, words: str) -> None:
    assert faults(found(tmp_path, DISARM, words, SPEAR)) == [("angel_dolls/weapon-out", "q3")]


@pytest.mark.parametrize(
    "words",
    [
        "Sedrik kicks the whip away.",
        "The whip falls from his legs.",
        "He shakes off the coils.",
        "The entangle ends.",
        "Sedrik cuts himself free.",
        "The whip slackens and Sedrik steps out of it.",
        "Riget lets him go.",
        "Sedrik escapes.",
        "Sedrik throws Riget off.",
        "The hold is broken.",
        "Riget loses his grip.",
    ],
)
def test_a_hold_that_ends_in_words(tmp_path: Path, words: str) -> None:
    begun = ENTANGLE + "Sedrik is entangled (legs).\n"
    assert faults(found(tmp_path, begun, words, SPEAR)) == []
    for talk in (
        "The crowd of 400 roars.",
        "Sedrik never rolls away from a friend.",
        "Somewhere a shutter is broken.",
        "Sedrik's left arm hung lower than the right [an old break].",
        "The lamp falls. Sedrik's legs ache.",
    ):
        assert faults(found(tmp_path, begun, talk, SPEAR)) == [("angel_dolls/penalty", "q3")]


@pytest.mark.parametrize("words", ["The whip wraps around his legs.", "His legs are caught.", ""])
def test_a_hold_that_begins_in_words(tmp_path: Path, words: str) -> None:
    assert faults(found(tmp_path, ENTANGLE + words, HAMPERED)) == []
    assert faults(found(tmp_path, HAMPERED)) == [("angel_dolls/penalty", "q1")]


@pytest.mark.parametrize(
    ("words", "total", "fault"),
    [
        ("High ground gives Riget +5.", 76, False),
        ("Dust in the eyes: a penalty of 10 to the strike.", 61, False),
        ("The dust costs Riget ten.", 61, False),
        ("High ground gives Riget +5.", 79, True),
        ("Everyone owed her 5 coins.", 76, True),
        ("The roof would cost the house 5 silver.", 76, True),
        ("The rain gives Riget ten reasons to hurry.", 61, True),
        ("The mud costs Riget 10 today.", 61, False),
        ("A penalty of 10 applies to Riget.", 61, False),
        ("Riget is 5 harder to see.", 76, False),
        ("There were 5 more guards at the gate.", 76, True),
        ("It was 6 - 5 for the house.", 76, True),
        ("The tide takes 5 boats a year.", 76, True),
    ],
)
def test_modifiers_in_words(tmp_path: Path, words: str, total: int, fault: bool) -> None:
    findings = found(tmp_path, f"{words}\n{CLAWS}{hit(total=total)}{DAMAGE}{HP}")
    assert faults(findings) == ([("angel_dolls/total", "q1")] if fault else [])


@pytest.mark.parametrize("who", ["arbiter", "tomas"])
def test_full_defense_in_words(tmp_path: Path, who: str) -> None:
    attack = CLAWS + hit(right="49 REF", other=73, word="miss")
    words = "Sedrik does nothing but defend."
    posts = (f"{words}\n{attack}",) if who == "arbiter" else ((who, words), attack)
    assert faults(found(tmp_path, *posts)) == []
    assert faults(found(tmp_path, attack)) == [("angel_dolls/stat", "q1")]


def test_a_simultaneous_strike_in_words(tmp_path: Path) -> None:
    struck = f"Hit: automatic\nDamage: 34 STR + {die(37)} = 71 vs 11 DUR + {die(26)} = 37 -> 34\nHP: Sedrik 120 -> 86\n"
    assert faults(found(tmp_path, f"Both strike at the same moment.\n{CLAWS}{struck}")) == []
    assert faults(found(tmp_path, CLAWS + struck)) == [("angel_dolls/stat", "q1")]


def test_gear_switched_off_in_words(tmp_path: Path) -> None:
    attack = SPEAR.replace("35 AGI", "30 AGI").replace("= 70", "= 65")
    assert faults(found(tmp_path, ("tomas", "Sedrik switches the scope chip off."), attack)) == []
    assert faults(found(tmp_path, attack)) == [("angel_dolls/stat", "q1")]
    assert faults(found(tmp_path, ("tomas", "Sedrik touches the scope chip."), attack)) == [("angel_dolls/stat", "q2")]


def test_affinities_that_the_damage_holds_unshown(tmp_path: Path) -> None:
    head = f"[Attack: Riget -> Sedrik, Shadow Snap (Dark)]\n{hit()}"
    head += f"Damage: 40 MAG + {die(30)} = 70 vs 25 RES + {die(10)} = 35"
    assert faults(found(tmp_path, f"{head} -> 95\nHP: Sedrik 120 -> 25\n")) == []
    assert faults(found(tmp_path, f"{head} -> 35\nHP: Sedrik 120 -> 85\n")) == [("angel_dolls/affinity", "q1")]


def test_a_chain_in_words(tmp_path: Path) -> None:
    first = CLAWS + hit() + DAMAGE + HP
    second = f"{CLAWS}Hit: 36 AGI + {die(10)} = 46 vs 33 REF + {die(24)} = 57 -> miss\n"
    assert faults(found(tmp_path, f"{first}His second attack bears the penalty of 10 on damage.\n{second}")) == []
    assert faults(found(tmp_path, first + second)) == [("angel_dolls/chain", "q1")]
    held = f"{ENTANGLE}Sedrik is entangled (legs).\n"
    blow = f"[Attack: Sedrik -> Riget, kick]\n{hit('25 AGI - 20 (legs entangled)', 40, '30 REF', 54, 'miss')}"
    talk = "Sedrik kicks the whip, and it falls from one leg."
    assert ("angel_dolls/chain", "q2") in faults(found(tmp_path, held, f"{talk}\n{blow}{blow}"))


@pytest.mark.parametrize("words", ["Between rounds Sedrik is repaired for 10.", "Sedrik regains 10."])
def test_healing_in_words(tmp_path: Path, words: str) -> None:
    rounds = CLAWS + hit() + DAMAGE
    healed = f"{words}\n{rounds}HP: Sedrik 108 -> 86\n"
    assert faults(found(tmp_path, rounds + HP, healed)) == []
    assert faults(found(tmp_path, rounds + HP, healed.replace("10.", "11."))) == [("angel_dolls/hp", "q2")]


def test_an_attack_taken_back_in_words(tmp_path: Path) -> None:
    rounds = CLAWS + hit() + DAMAGE + HP
    again = "The last attack is void, Sedrik keeps his 120.\n" + rounds
    assert faults(found(tmp_path, rounds, ("tomas", "Hm."), again)) == []
    again = CLAWS + hit() + DAMAGE + HP
    for who, fault in (("arbiter", False), ("tomas", True)):
        findings = found(tmp_path, rounds, (who, "Sedrik and the judge ignore the last hit."), again)
        assert faults(findings) == ([("angel_dolls/hp", "q3")] if fault else [])


def test_another_judge(tmp_path: Path) -> None:
    """Posts of a stranger have no effect (G21); who goes on from them is not called wrong."""
    rounds = CLAWS + hit() + DAMAGE
    going_on = rounds + "HP: Sedrik 98 -> 76\n"
    findings = found(tmp_path, ("other", "I take over this round.\n" + rounds + HP), going_on)
    assert faults(findings) == []
    assert {f.code for f in findings} == {"post/unknown-character", "post/unchecked"}
    assert faults(found(tmp_path, ("other", "Nice fight."), going_on)) == [("angel_dolls/hp", "q2")]


@pytest.mark.parametrize(("left", "fault"), [(54, False), (50, True)])
@pytest.mark.parametrize("form", ["HP: Sedrik {0} -> {1}\n", "Sedrik: HP {1}/120\n"])
def test_another_judge_for_some_rounds(tmp_path: Path, form: str, left: int, fault: bool) -> None:
    rounds = CLAWS + hit() + DAMAGE
    others = [("other", rounds + form.format(*hp)) for hp in ((120, 98), (98, 76))]
    findings = found(tmp_path, *others, rounds + form.format(76 if left == 54 else 72, left))
    assert faults(findings) == ([("angel_dolls/hp", "q3")] if fault else [])


@pytest.mark.parametrize("words", [DAMAGE.replace("-> 22", "-> 0"), "HP: Riget 400 -> 1", "HP: Sedrik 120 -> 26"])
def test_numbers_of_another_judge_that_take_no_hp(tmp_path: Path, words: str) -> None:
    """What a line takes stands behind its arrow; its rolls and totals explain no HP that are off by as much."""
    for less in (1, 26):
        findings = found(tmp_path, ("other", words), CLAWS + hit() + DAMAGE + f"HP: Sedrik 120 -> {98 - less}\n")
        assert faults(findings) == [("angel_dolls/hp", "q2")]


@pytest.mark.parametrize("words", ["The grip of the crowd is 400 strong.", "The coils tighten: 11 again."])
def test_words_of_a_hold_explain_no_other_damage(tmp_path: Path, words: str) -> None:
    """A step of a strangle hold may be told in words; twice the damage of a blow is no step."""
    twice = f"{words}\n{CLAWS}{hit()}{DAMAGE.replace('-> 22', '-> 44')}"
    assert faults(found(tmp_path, twice)) == [("angel_dolls/damage", "q1")]


@pytest.mark.parametrize(("words", "fault"), [("Her grip tightens to 12.", False), ("The crowd of 40 holds on.", True)])
def test_a_step_of_a_strangle_hold_in_words(tmp_path: Path, words: str, fault: bool) -> None:
    hold = f"[Attack: Riget -> Sedrik, Strangle hold]\n{hit('26 AGI - 10 (entangle)', 51, other=45, word='hit')}"
    hold = hold.replace(die(24), die(12)) + "Sedrik is entangled (strangle hold).\n"
    hold += f"Strangle round 1: 6 vs 23 DUR + {die(26)} = 49 -> 0\n"
    later = f"{words}\nStrangle round 2: 24 vs 23 DUR + {die(1)} = 24 -> 0\n"
    assert faults(found(tmp_path, hold, later)) == ([("angel_dolls/damage", "q2")] if fault else [])


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("The storm lends Riget 7 points of lightning.", False),
        ("The dark counts 7 more here.", False),
        ("Chain after chain rattled in the dark; 7 links at least.", True),
        ("Water ran down the steps, all 7 of them, and off into the dark.", True),
    ],
)
def test_an_affinity_in_words(tmp_path: Path, words: str, fault: bool) -> None:
    """An element with its number explains a damage; dark and light stand in any prose."""
    text = f"{words}\n{CLAWS}{hit()}{DAMAGE.replace('-> 22', '-> 29')}"
    assert faults(found(tmp_path, text)) == ([("angel_dolls/damage", "q1")] if fault else [])
