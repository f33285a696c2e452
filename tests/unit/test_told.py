"""Damage told in words: what explains a difference of HP, and what is mere prose."""

from __future__ import annotations

import pytest

from referee.engine.timeline import PostRead
from referee.engine.told import Told
from referee.model.claims import Reading
from referee.model.text import Script
from tests.support.mini import post


def telling(*lines: str, amounts: frozenset[int] = frozenset({6})) -> bool:
    posts = [
        PostRead(post(f"p{n}", "ada", n, line), (Script(line, line),), (Reading(()),), True)
        for n, line in enumerate(lines)
    ]
    return Told(posts).words(len(posts) - 1, amounts) is not None


@pytest.mark.parametrize(
    "words",
    [
        "Golem 1 takes 6 damage.",
        "6 damage to Golem 1",
        "6 points of fire damage",
        "Arc Wave hits Golem 1 for 6",
        "I hit Golem 1 for 6 damage!",
        "Golem 1 loses 6 HP",
        "Golem 1: -6 HP",
        "-6 HP (Golem 1)",
        "Damage to Golem 1: 6",
        "[Hit: 15, damage 6]",
        "Rolled 15 to hit, 6 dmg.",
        "The wave crashes into Golem 1, dealing 6 points of damage.",
        "Golem 1 suffers 6.",
        "Golem 1 takes 6 from the fire.",
    ],
)
def test_words_that_tell_damage(words: str) -> None:
    assert telling(words)
    assert not telling(words, amounts=frozenset({9}))


@pytest.mark.parametrize(
    "words",
    [
        "Emi took 6 quick steps left, one right, and let the lamp do the rest.",
        "The floorboards hit back harder than Jiro ever had. For 6 heartbeats nobody moved.",
        "He waited for 6 hours, and lost 6 friends.",
        "The shadow of Golem 1 grew 6 feet tall.",
        "A shutter hung by 6 nails.",
        "HP: 6/14",
        "She ducked, hit the road for 6 days and never came back.",
    ],
)
def test_prose_with_numbers_tells_none(words: str) -> None:
    assert not telling(words)


def test_a_little_may_have_been_held_off_and_a_few_posts_may_lie_between() -> None:
    assert telling("Golem 1 takes 9 damage.")
    assert not telling("Golem 1 takes 10 damage.")
    assert telling("Golem 1 takes 6 damage.", *["..."] * 5)
    assert not telling("Golem 1 takes 6 damage.", *["..."] * 6)


def test_a_line_that_is_hostile_is_read_in_time() -> None:
    assert not telling("hits " * 20_000 + "for")
    assert not telling("damage 1" * 200)
