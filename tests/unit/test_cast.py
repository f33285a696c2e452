"""Who fights in a board's thread: sheets of everybody who ever fought there, and only some of them are in it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from referee.app import plugins
from referee.app.cast import cast_of
from referee.engine.replay import judge_battle
from referee.model.battle import Battle, Character, Post, Revision
from referee.model.text import Block

STATS = {"Taijutsu": 90, "Ninjutsu": 60, "Defense": 40, "Speed": 80, "Evasion": 50, "Accuracy": 50}
BLOCK = " | ".join(f"{name}: {value}" for name, value in STATS.items())
LOSS = "(HP: -0 | CHK: -0 | STM: -0)"
OPEN = f"{BLOCK}\n{LOSS}"
START = datetime(2026, 1, 2, tzinfo=UTC)


def shinobi(name: str, player: str, *aliases: str) -> Character:
    return Character(name, player, player, aliases, {"stats": STATS, "rank": "Gennin"})


REN, YUKI = shinobi("Ren Aoki", "ren"), shinobi("Yuki Hoshino", "ren", "Frost")
AYA = replace(shinobi("Aya", "ren"), data={"stats": {**STATS, "Taijutsu": 95}})
KAITO, SORA = shinobi("Kaito Mori", "kaito"), shinobi("Sora", "sora")
SHEETS = (REN, YUKI, AYA, KAITO, SORA)


def thread(
    *posts: tuple[str, str], title: str = "Bridge", ruleset: str = "shinobi", judges: tuple[str, ...] = ()
) -> Battle:
    made = tuple(
        Post(str(n), author, (Revision((Block("own", text),)),), START + timedelta(hours=n))
        for n, (author, text) in enumerate(posts)
    )
    return Battle(ruleset, made, title=title, judges=judges)


def names(battle: Battle, sheets: tuple[Character, ...] = SHEETS) -> list[str]:
    return [character.name for character in cast_of(battle, plugins.ruleset(battle.ruleset), sheets)]


@pytest.mark.parametrize(
    ("title", "rens", "kaitos", "cast"),
    [
        ("Bridge", f"Name: Ren Aoki\n{OPEN}", OPEN, ["Ren Aoki", "Kaito Mori"]),
        ("Yuki vs. Kaito", OPEN, OPEN, ["Yuki Hoshino", "Kaito Mori"]),
        ("Frost at the gate", OPEN, OPEN, ["Yuki Hoshino", "Kaito Mori"]),
        ("Bridge", f"Aya bowed. Aya waited.\n{OPEN}", f"Kaito looked at Aya.\n{OPEN}", ["Aya", "Kaito Mori"]),
        ("Bridge", OPEN, f"{BLOCK}\n[Ren's attack: 20% to hit: rolled 70]\n{LOSS}", ["Ren Aoki", "Kaito Mori"]),
        ("Bridge", OPEN.replace("90", "95"), OPEN, ["Aya", "Kaito Mori"]),
        ("Bridge", OPEN, OPEN, ["Kaito Mori", "ren"]),
        ("Bridge", f"Ren and Yuki bowed.\n{OPEN}", OPEN, ["Kaito Mori", "ren"]),
        ("Bridge", "The rain fell.", OPEN, ["Kaito Mori"]),
    ],
)
def test_which_characters_take_part(title: str, rens: str, kaitos: str, cast: list[str]) -> None:
    """Of several characters of an account those that are meant, else one without a sheet; readers are no fighters."""
    assert names(thread(("ren", rens), ("kaito", kaitos), ("sora", "Nice fight!"), title=title)) == cast


def test_an_account_with_several_characters_is_judged_as_the_one_that_fights() -> None:
    """Nobody is out of turn because another character of the account was due."""
    posts = [
        ("ren", f"Ren Aoki steps onto the bridge.\n{BLOCK}\n{LOSS}"),
        ("kaito", f"Kaito follows.\n{BLOCK}\n{LOSS}"),
        ("sora", "This will be good."),
        ("ren", f"Ren waits.\n[Setup: inscribes a scroll]\n{LOSS}"),
        ("kaito", f"So does Kaito.\n[Setup: inscribes a scroll]\n{LOSS}"),
        ("ren", f"Ren yawns.\n[Setup: inscribes a scroll]\n{LOSS}"),
    ]
    battle = thread(*posts)
    ruleset = plugins.ruleset("shinobi")
    report = judge_battle(Battle(**_with(battle, cast_of(battle, ruleset, SHEETS))), ruleset)
    assert [f.code for f in report.findings if f.severity != "notice"] == []
    assert {post.character for post in report.posts if post.author == "ren"} == {"Ren Aoki"}


def _with(battle: Battle, characters: tuple[Character, ...]) -> dict[str, object]:
    return {"ruleset": battle.ruleset, "posts": battle.posts, "characters": characters, "title": battle.title}


def test_silent_members_of_a_party_are_in_it() -> None:
    """Their moves and HP are written by the others; whom nobody names is not there."""
    party = tuple(
        Character(name, name.lower(), "party", (), {"stats": {"HP": 40, "AT": 10, "Speed": speed}})
        for name, speed in (("Wanda", 14), ("Mira", 3), ("Bram", 5), ("Isolde", 9))
    )
    battle = thread(("wanda", "HP: Wanda 40/40, Mira 40/40, Bram 12/40"), ruleset="enolaptia")
    assert names(battle, party) == ["Wanda", "Mira", "Bram"]


def test_dolls_whose_turns_a_judge_writes() -> None:
    dolls = tuple(
        Character(name, f"{name.lower()}_trainer", name, (), {"stats": {"Strength": 20, "HP": 100}, "deus": {}})
        for name in ("Quill", "Blank", "Riget")
    )
    battle = thread(
        ("judge", "HP Quill: 100 - 20 = 80\nHP Blank: 100 - 5 = 95"), ruleset="angel_dolls", judges=("judge",)
    )
    assert names(battle, dolls) == ["Quill", "Blank"]
    stranger = thread(("reader", "HP Quill: 100 - 20 = 80"), ruleset="angel_dolls", judges=("judge",))
    assert names(stranger, dolls) == []


@pytest.mark.parametrize(
    ("aliases", "authors", "cast"),
    [
        ((("RenTheGreat",), ()), ("RenTheGreat", "kaito"), ["Ren Aoki", "Kaito Mori"]),
        # Somebody else's account is nobody's former one, and who still posts was not renamed.
        ((("RenTheGreat",), ("renthegreat",)), ("RenTheGreat", "kaito"), ["Kaito Mori", "RenTheGreat"]),
        ((("RenTheGreat",), ()), ("ren", "RenTheGreat"), ["Ren Aoki", "RenTheGreat"]),
        ((("Kaito",), ()), ("sora", "kaito"), ["Kaito Mori", "Sora"]),
    ],
)
def test_an_account_that_was_renamed(
    aliases: tuple[tuple[str, ...], ...], authors: tuple[str, ...], cast: list[str]
) -> None:
    """Boards show the new name over all posts; staff put it into `aliases` (docs/operation.md)."""
    sheets = (replace(REN, aliases=aliases[0]), replace(KAITO, aliases=aliases[1]), SORA)
    battle = thread(*((author, OPEN) for author in authors))
    assert names(battle, sheets) == cast
    if cast[0] == "Ren Aoki" and authors[0] == "RenTheGreat":
        found = cast_of(battle, plugins.ruleset("shinobi"), sheets)[0]
        assert (found.player, found.aliases) == ("RenTheGreat", ("RenTheGreat", "ren")), "old rolls are in the old name"
