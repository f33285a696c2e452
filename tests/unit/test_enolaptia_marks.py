"""More marks of the players' own around the lines of Enolaptia: in front, behind and inside of them."""

from __future__ import annotations

import time

import pytest

from rules.enolaptia.claims import Move
from tests.support.patience import allowed
from tests.unit.test_enolaptia_loosely import reading

ATTACK = "Mira: normal attack on Rat 1, 1d6 = ~4^ -> AT 14/2 = 7"

BLOWS = [
    ("Mira: normal attack on Rat 1, 1d6 is ~4^ -> AT 14/2 = 7", (4,), 7),
    ("Mira: normal attack on Rat 1 1d6 = ~6^, ~6^ -> AT 14 times 2 = 28", (6, 6), 28),
    ("Mira: normal attack on Rat 1 / 1d6 = ~6^, ~3^ -> AT: 14", (6, 3), 14),
    ("Mira: normal attack @ Rat 1, 1d6 = ~5^ > ATK 14", (5,), 14),
    ("Mira: normal attack -> Rat-1, 1d6 = ~5^ -- AT 14", (5,), 14),
    ("Mira: basic attack on Rat 1, 1d6 = ~1^ -> a miss", (1,), 0),
    ("Mira: normal on Rat 1, 1d6 = ~5^ ~> AT 14", (5,), 14),
    ("Mira normal attack on Rat 1, 1d6 = ~5^ -> AT 14", (5,), 14),
    ("Mira attacks Rat 1 rolled ~4^, 14/2 = 7", (4,), 7),
    ("Mira attacks Rat 1: rolled ~4^ (14/2 = 7)", (4,), 7),
    ("Mira attacks Rat 1: rolled ~2^, 14/3 = 4.67, so 5", (2,), 5),
    ("Mira attacks Rat 1: rolled ~2^, 14/3 = 4,67 (4)", (2,), 4),
    ("Mira attacks Rat 1: rolled ~2^, 14/3 = 4.67", (2,), None),
    ("Mira spell Ember on Rat 1, 1d6+2: ~4^ + 2 = 6", (4,), 6),
    ("Mira: spell Ember -> Rat 1, 1d6+2: ~4^ + 2 = 6", (4,), 6),
    ("Mira: special Meteor Kick on Rat (1), AT+1d6: 14 + ~5^ = 19", (5,), 19),
]
#: What may stand in front of a line, and behind it.
FRONT = [
    "== ",
    "+ ",
    "\u2192 ",
    "\u00bb ",
    "-- ",
    "Then ",
    "And then ",
    "First, ",
    "Result: ",
    "Mira's turn: ",
    "a) ",
    "Step 1: ",
]
BEHIND = [" :)", " >:)", " o_O", ", finally!", " -- at last.", "; nice", ' "ha!"', " #blessed", " // phew", ";", ","]
LINES = [
    (ATTACK.replace("~", "[roll=1d6]").replace("^", "[/roll]"), "attack"),
    ("Mira: skill Stone Drop on Rat 1: 8", "skill"),
    ("Tobin: Potion: Small Potion on Mira, +10 HP", "potion"),
    ("HP: Mira 31/40, Tobin 22/35", "hp"),
    ("EXP: 3 x 4 = 12", "exp"),
    ("Allocation: Mira 1-3, Tobin 4-6", "allocation"),
]


@pytest.mark.parametrize(("text", "dice", "amount"), BLOWS, ids=[text for text, _, _ in BLOWS])
def test_marks_inside_of_a_blow(text: str, dice: tuple[int, ...], amount: int | None) -> None:
    found = reading(text)
    assert found.unread == ()
    data = found.claims[0].data
    assert isinstance(data, Move)
    assert (data.actor, data.target) == ("Mira", "Marsh Rat 1")
    assert (data.roll.values, data.amount) == (dice, amount)


@pytest.mark.parametrize("front", FRONT)
@pytest.mark.parametrize(("line", "kind"), LINES, ids=[kind for _, kind in LINES])
def test_marks_and_words_in_front(front: str, line: str, kind: str) -> None:
    plain = reading(line)
    found = reading(front + line)
    assert ([claim.values for claim in found.claims], found.unread) == ([claim.values for claim in plain.claims], ())
    assert [claim.kind for claim in found.claims] == [kind]


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize(("line", "kind"), LINES, ids=[kind for _, kind in LINES])
def test_asides_behind(behind: str, line: str, kind: str) -> None:
    plain = reading(line)
    found = reading(line + behind)
    assert ([claim.values for claim in found.claims], found.unread) == ([claim.values for claim in plain.claims], ())


@pytest.mark.parametrize(
    "text",
    [
        "Then Mira counted 3 coins.",
        "First, Mira needs 2 boots, a hat and 14 pins.",
        "(Mira owes Tobin 7 crowns)",
        "Result: 3 to 1, said the bookmaker.",
        "Mira's turn: she stares at 4 aces.",
        "- 3 - 2 - 1 -",
    ],
)
def test_prose_in_such_dress_is_left_alone(text: str) -> None:
    assert reading(text).chatter


@pytest.mark.parametrize("text", ["Yesterday: HP: Mira 31/40, Tobin 22/35", "Reminder: EXP: 3 x 4 = 12"])
def test_a_line_behind_another_label_is_named(text: str) -> None:
    found = reading(text)
    assert (found.claims, len(found.unread)) == ((), 1)


@pytest.mark.parametrize(
    "text",
    [
        ("~-" * 900 + "1\n") * 300,
        ("then " * 390 + "1:\n") * 200,
        ("Mira's turn: " * 150 + "1\n") * 200,
        ("Mira: skill Stone Drop on Rat 1: 8 " + "x " * 900 + "\n") * 300,
        ("HP: " + "Mira 1 of " * 190 + "\n") * 200,
        ("Mira attacks Rat 1: rolled 4, 7" + ", so" * 400 + " Rat 1: 1/2\n") * 200,
    ],
    ids=range(6),
)
def test_hostile_dress_costs_no_time(text: str) -> None:
    started = time.process_time()
    reading(text)
    assert time.process_time() - started < allowed(8)


@pytest.mark.parametrize("mark", [",", ";"])
def test_hp_that_cannot_be_read_beside_another_line_are_named(mark: str) -> None:
    read = reading(f"HP: Mira 31/40, Nobody Known 5/18{mark} EXP: 3 x 4 = 12")
    assert [claim.kind for claim in read.claims] == ["exp"]
    assert [unread.quote for unread in read.unread] == ["HP: Mira 31/40, Nobody Known 5/18"]


def test_a_dead_one_in_a_bracket_behind_a_blow() -> None:
    found = reading("Mira: normal attack on Rat 1, 1d6 = ~4^ -> AT 14/2 = 7 (Rat 1: 0/18 (dead))")
    assert [claim.kind for claim in found.claims] == ["attack", "hp"]
    assert (found.claims[1].values, found.unread) == ({"Marsh Rat 1": 0}, ())


def test_a_fighter_behind_the_last_number_is_not_passed_over() -> None:
    found = reading("HP: Mira 31/40, Tobin out")
    assert (found.claims, len(found.unread)) == ((), 1)
    assert [claim.values for claim in reading("HP: Mira 31/40, limping").claims] == [{"Mira": 31}]


@pytest.mark.parametrize(
    "text", ["((OOC: HP: Mira 3/40))", "((HP is going down fast))", "((I had 3/40 HP last time, lol))"]
)
def test_double_brackets_with_a_remark_claim_nothing(text: str) -> None:
    assert (reading(text).claims, reading(text).unread) == ((), ())


@pytest.mark.parametrize(
    "text",
    [
        "Mira: skill Stone Drop (8 damage)",
        "Mira: special Pounce, 8 damage",
        "Mira: attack, 8 points of damage.",
        "Mira casts Ember for 8 damage.",
    ],
)
def test_damage_at_a_lines_end_without_a_target_is_told(text: str) -> None:
    found = reading(text)
    assert (found.claims, len(found.unread)) == ((), 1)


@pytest.mark.parametrize("text", ["Mira: spell is what we lack, 8 damage or not", "Mira: skill and 3 friends"])
def test_words_of_moves_in_prose_are_no_moves(text: str) -> None:
    assert (reading(text).claims, reading(text).unread) == ((), ())
