"""What a board's thread brings to its battle besides posts: options told by its title, posts that were not read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.app import plugins
from referee.app.config import BoardConfig, Config
from referee.app.judge import battle_of_thread, jumps
from referee.model.battle import Post, Revision
from referee.ports.boards import ThreadRead


def options(title: str | None, ruleset: str = "shinobi", **battle: str) -> dict[str, object]:
    board = BoardConfig(url="https://f.example/", ruleset=ruleset, battle=battle)
    read = ThreadRead("https://f.example/t/1", "thread", (), title=title)
    return dict(battle_of_thread(read, plugins.ruleset(ruleset), Config(boards={"b": board}), "b", {}).options)


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("[Spar] Ren vs. Kaito", {"kind": "spar"}),
        ("A sparring match", {"kind": "spar"}),
        ("Sparks over the bridge", {}),
        ("Ren vs. Kaito", {}),
        (None, {}),
    ],
)
def test_a_title_tells_what_kind_of_battle_it_is(title: str | None, found: dict[str, object]) -> None:
    """In a spar, going on at 0 HP is up to the players: staff can't set that for each thread."""
    assert options(title) == found


def test_what_the_board_has_set_counts_before_the_title() -> None:
    assert options("[Spar] Ren vs. Kaito", kind="life_and_death") == {"kind": "life_and_death"}
    assert options("[Spar] Ren vs. Kaito", ruleset="d20_arena") == {}


@pytest.mark.parametrize(
    ("numbers", "gaps"),
    [
        ([1, 2, 3], []),
        ([None, 1, 2, 3], []),
        ([None, None, None], []),
        ([1, 2, None, 4], []),
        ([1, 2, 5, 6], ["2"]),
        ([1, None, 4], ["2"]),
        ([21, 22, 23], ["0"]),
        ([None, 11, 12], ["1"]),
        # A deleted post that is still known keeps the number that it had.
        ([1, 2, 3, 3, 4], []),
        ([1, 2, 3, 2, 3, 7], ["5"]),
    ],
)
def test_numbers_that_jump(numbers: list[int | None], gaps: list[str]) -> None:
    """Posts that no page has shown are not there for the judge; SMF counts the answers only."""
    posts = tuple(Post(str(n), "ren", (Revision(()),), number=number) for n, number in enumerate(numbers))
    assert list(jumps(posts)) == gaps
    read = ThreadRead("https://f.example/t/1", "thread", posts, gaps=("9",))
    battle = battle_of_thread(replace(read), plugins.ruleset("shinobi"), Config(), None, {})
    assert battle.gaps == ("9", *gaps)
