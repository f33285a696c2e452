"""Ornaments, table rows, lists and lines of several (G16 to G19): places stay, what is said is read, prose is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.text import Script
from referee.ports.rules import Sheets
from rules.enolaptia import RULESET
from rules.enolaptia.lexicon import lexicon_of
from rules.enolaptia.reading.plain import plain_script

TABLES = {
    "creatures": {"Marsh Rat": {"hp": 18, "at": 6, "speed": 9, "exp": 4}},
    "skills": {"Stone Drop": {"damage": 8}},
    "spells": {"Ember": {"damage": "1d6+2"}},
}
SHEETS = Sheets(
    characters=(
        Character("Mira", "mira", "party", data={"stats": {"HP": 40, "AT": 14, "Speed": 12}}),
        Character("★Tobin", "tobin", "party", data={"stats": {"HP": 35, "AT": 11, "Speed": 9}}),
    ),
    judges=frozenset(),
    tables=TABLES,
    options={},
)
NAMES = lexicon_of(SHEETS)


def kinds(text: str) -> list[str]:
    """The kinds of claims of a post, and `?` for each thing that was not read."""
    found = RULESET.read(scripts_of(body_reader()(text, None)), "mira", SHEETS)
    return [claim.kind for claim in found.claims] + ["?"] * len(found.unread)


@given(st.text(alphabet="Order:\nMira (12)|[]#=-*d64♥█➡️★🎲. ", max_size=80))
def test_places_stay_what_they_were(text: str) -> None:
    """Links and quotes lie by the places of the text as it was posted."""
    plain = plain_script(Script(text, text), NAMES)
    assert len(plain.text) == len(text)
    assert [a for a, b in zip(text, plain.text, strict=True) if a != b and a.isascii() and a.isalpha()] == []


@pytest.mark.parametrize(
    ("posted", "plain"),
    [
        ("♥♥♡ Mira 37/40", "    Mira 37/40"),
        ("Rat 1 [|||--] 11/18", "Rat 1         11/18"),
        ("Mira ➡ Rat 1: 4", "Mira → Rat 1: 4"),
        ("★Tobin 35/35 ★", "★Tobin 35/35 ★"),
        ("| Mira | 37/40 |", "  Mira : 37/40  "),
        ("| Mira 37/40 | Rat 1 0/18 |", "  Mira 37/40 , Rat 1 0/18  "),
        ("rolled d6(4), 7", "rolled d6=4 , 7"),
        ("1d6 = [4] -> 7", "1d6 =  4  -> 7"),
        ("Order:\n1. Mira (12)\n2. Rat (9)", "Order:    Mira (12),   Rat (9)"),
        ("Order:\nMira went home\nRat (9)", "Order:\nMira went home\nRat (9)"),
    ],
)
def test_ornaments_rows_and_lists(posted: str, plain: str) -> None:
    assert plain_script(Script(posted, posted), NAMES).text.rstrip() == plain.rstrip()


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Mira attacks Rat 1: rolled [roll=1d6]4[/roll], 7 (Rat 1: 11/18)", ["attack", "hp"]),
        ("Mira goes down! Mira: 0/40", ["hp"]),
        ("Nobody moves: Mira 37/40, Rat 1 3/18.", ["hp"]),
        ("Mira has 34/40 HP left", ["hp"]),
        ("Status: Rat 1 9/18", ["hp"]),
        ("Rat 1 dead, Rat 2 at 3/18", ["hp"]),
        ("HP check: Mira 37, Rat 1 3", ["hp"]),
        ("Mira: Stone Drop on Rat 1, 8 damage", ["skill"]),
        ("Mira: Ember on Rat 1, 8 damage", ["?"]),
        ("The first rat loses [roll=1d6]4[/roll] and the second more.", ["?"]),
        ("Ratt 1: 11/18", ["?"]),
        ("Mira 37/50", ["?"]),
    ],
)
def test_what_is_read_besides(text: str, claims: list[str]) -> None:
    assert kinds(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "Rat 1 is dead. Long live the rat!",
        "♥ Mira has 3 of them ♥",
        "Mira was at 3 when the bell rang, at 40 when it stopped.",
        "| Name | HP |",
        "She drew [#####] in the sand.",
        "It took 3/4 of the night: Mira slept, Tobin didn't.",
        "Mira took the stairs (all 3/4 of them).",
    ],
)
def test_prose_with_ornaments_says_nothing(text: str) -> None:
    assert kinds(text) == []


def test_a_spoiler_with_a_sheet_is_no_turn() -> None:
    assert kinds("[spoiler]HP: Mira 40/40[/spoiler]\nOff they went.") == []
    assert kinds("[spoiler]Mira attacks Rat 1: rolled [roll=1d6]4[/roll], 7[/spoiler]\nOff they went.") == ["?"]
