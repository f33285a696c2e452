"""Ornaments, table rows, headings above rows, lines of several (G16 to G19): places stay, prose is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.text import Script
from referee.ports.reading import lines
from referee.ports.rules import Sheets
from rules.angel_dolls import RULESET
from rules.angel_dolls.lexicon import lexicon_of
from rules.angel_dolls.reading.plain import pieces_of, plain_script

SHEETS = Sheets(
    (
        Character("Riget", "mara", data={"stats": {"HP": 150}, "equipment": ["paired claws"]}),
        Character("★Sedrik", "tomas", data={"stats": {"HP": 120}, "equipment": ["long spear"]}),
        Character("Blank", "ilse", data={"stats": {"HP": 90}}),
    ),
    RULESET.tables(None, None),
    judges=frozenset({"arbiter"}),
)
HIT = "Hit: 36 AGI + [roll=1d50]15[/roll] = 51 vs 33 REF + [roll=1d50]4[/roll] = 37 -> hit"
DAMAGE = "Damage: 34 STR + [roll=1d50]20[/roll] = 54 vs 23 DUR + [roll=1d50]9[/roll] = 32"


def kinds(text: str, author: str = "arbiter") -> list[str]:
    """The kinds of claims of a post, and `?` for each thing that was not read."""
    found = RULESET.read(scripts_of(body_reader()(text, None)), author, SHEETS)
    return [claim.kind for claim in found.claims] + ["?"] * len(found.unread)


@given(st.text(alphabet="HP: Riget150/|[]#=-*Damage vs.♥█➡️★🎲\n", max_size=80))
def test_places_stay_what_they_were(text: str) -> None:
    """Links and quotes lie by the places of the text as it was posted; so do the pieces of a line."""
    plain = plain_script(Script(text, text), lexicon_of(SHEETS))
    assert len(plain.text) == len(text)
    for line in lines(plain):
        for piece in pieces_of(line):
            assert plain.text[piece.start : piece.end] == piece.text


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (f"🎲 {HIT.replace('->', '✅')}", ["hit"]),
        (f"Riget swings. {HIT}. {DAMAGE} -> 22. HP: Blank 90 -> 68", ["hit", "damage", "hp"]),
        (f"Riget attacks Blank (paired claws): {HIT}", ["attack", "hit"]),
        ("[b]HP[/b]\nRiget 150 | Blank 68\nBlank: 68", ["hp", "hp", "hp"]),
        ("Current HP\n- Riget 150/150\n- Blank 68/90\nThe crowd of 400 roars.", ["hp", "hp"]),
        ("Trainer Points:\nRiget: 3\nmara: 4\nThe 400 cheer.", ["points", "points"]),
        ("Blank drops to 68.", ["hp"]),
        ("Blank falls! HP: Blank 3 -> 0", ["hp"]),
        (f"{DAMAGE}, 54 - 32 = 22", ["damage"]),
        (f"{DAMAGE}, 54 - 31 = 23", ["?"]),
        (f"{DAMAGE} for twenty-two or 22 points, I think", ["?"]),
        ("Riget's attack on Blank (paired claws):", ["attack"]),
        ("Attack 2: Riget -> Blank (paired claws)", ["attack"]),
        ("He shows [roll=1d50]15[/roll] and she [roll=1d50]4[/roll]: a hit.", ["?"]),
        ("Riget 139/149", ["?"]),
        ("Rigget: HP 139/150", ["?"]),
        ("Riget gets 6 Trainer Points.", ["?"]),
        ("[spoiler]" + HIT + "[/spoiler]", ["?"]),
        ("[spoiler]HP: Riget 150/150[/spoiler]", []),
    ],
)
def test_what_is_read_and_named_besides(text: str, claims: list[str]) -> None:
    assert kinds(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "♥ Riget has 3 friends ♥",
        "Riget is at 3 of them already.",
        "Riget drops to one knee, 3 steps from the wall.",
        "| Fighter | Trainer |",
        "HP\nThe crowd, 400 strong, waits.",
        "Status: it is 3 in the morning.",
        "She drew [#####] in the sand. Damage: none.",
        "Riget goes for Blank; the odds are 3/4.",
        "Post 7/20, two to go.",
    ],
)
def test_prose_with_ornaments_says_nothing(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize("text", [f"He shows {HIT[5:]}", "[spoiler]" + HIT + "[/spoiler]", "HP:\nRiget 150"])
def test_who_judges_nothing_tells_of_rolls_without_a_notice(text: str) -> None:
    """Another than the judge may tell what he likes."""
    assert "?" not in kinds(text, "mara")
