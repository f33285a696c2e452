"""Tags in players' own order of words, and posts of an account with several characters (NS1 to NS6, S6, G16)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.model.text import Block
from referee.ports.rules import Sheets
from rules.shinobi.lexicon import lexicon_of
from rules.shinobi.model import Damage, Dodge, Forfeit, LossTag, Notes, StatBlock
from rules.shinobi.reading.post import read
from rules.shinobi.reading.shares import Labels
from rules.shinobi.tables import tables_for
from tests.support.patience import allowed

CHARACTERS = (
    Character("Ren Aoki", "ren", "a"),
    Character("Kaito Mori", "kaito", "b"),
    Character("Captain Jiro Sato", "gm", "b", ("the Wolf",)),
    Character("Captain Mina Kato", "gm", "b"),
    Character("Bandit 1", "gm", "b"),
)
TABLES = {
    **tables_for(None, None),
    "techniques": {"Stone Fang": {"phase": "main", "hits": 1}, "Kawarimi no Jutsu": {"phase": "response"}},
    "weapons": {"kunai": {}},
}
SHEETS = Sheets(CHARACTERS, TABLES)


def reading(text: str, author: str = "ren") -> Reading:
    return read(scripts_of((Block("own", text),)), author, SHEETS)


def only(text: str) -> Any:
    found = reading(text)
    assert len(found.claims) == 1, [c.quote for c in found.claims]
    assert not found.unread
    return found.claims[0].data


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[dmg: 13 x2 punch]", [(13, 2, "punch", None)]),
        ("[Damage: 18 kunai x2]", [(18, 2, "kunai", None)]),
        ("[Damage: punch 13 x2]", [(13, 2, "punch", None)]),
        ("[Damage: Stone Fang: 80]", [(80, 1, "stone fang", None)]),
        ("[Stone Fang: 80 damage]", [(80, 1, "stone fang", None)]),
        ("[Stone Fang damage: 80]", [(80, 1, "stone fang", None)]),
        ("[Damage if it hits: 13 x2 (punch)]", [(13, 2, "punch", None)]),
        ("[Deals 13 damage x2 (punch)]", [(13, 2, "punch", None)]),
        ("[13 x2 punch]", [(13, 2, "punch", None)]),
        ("[2x punch: 13 damage each]", [(13, 2, "punch", None)]),
        ("[Attack: 2 punches, 13 damage each]", [(13, 2, "punches", None)]),
        ("[Damage: 26 total (13 x2 punch)]", [(13, 2, "punch", None)]),
        ("[Damage: 13 per punch (2)]", [(13, 2, "punch", None)]),
        ("[Damage: 5 + 8 = 13 x2 punches]", [(13, 2, "punches", 5)]),
        ("[Damage: 30 + (300-100)/4 = 80 (Stone Fang)]", [(80, 1, "stone fang", 30)]),
        ("[Damage: 13 punch and 13 kick]", [(13, 1, "punch", None), (13, 1, "kick", None)]),
        ("[Damage: 13 x2 (punch and kick)]", [(13, 2, "punch", None)]),
        ("[Damage: 80 (Stone Fang, ninjutsu)]", [(80, 1, "stone fang", None)]),
        ("[80 dmg]", [(80, 1, None, None)]),
        ("<Damage: 13 x2 (punch)>", [(13, 2, "punch", None)]),
        ("\u3010Damage: 13 x2 (punch)\u3011", [(13, 2, "punch", None)]),
        ("[Damage: 13 x2 (punch) \U0001f44a\U0001f44a]", [(13, 2, "punch", None)]),
        ("--- Damage: 13 x2 (punch) ---", [(13, 2, "punch", None)]),
    ],
)
def test_damage(text: str, parts: list[tuple[Any, ...]]) -> None:
    found = only(text)
    assert isinstance(found, Damage)
    assert [(p.amount, p.hits, p.what, p.base) for p in found.parts] == parts


@pytest.mark.parametrize(
    ("text", "chance", "rolls", "words"),
    [
        ("[Dodge 50%: 60, 12]", 50, (60, 12), (None, None)),
        ("[Hit chance: 50; rolled: 60, 12]", 50, (60, 12), (None, None)),
        ("[Rolled 60 and 12; needed 51+]", 50, (60, 12), (None, None)),
        ("[Kaito has a 50% chance to hit me; I rolled 60 and 12]", 50, (60, 12), (None, None)),
        ("[60 vs 50: dodged; 12 vs 50: hit, roll here]", 50, (60, 12), ("dodged", "hit")),
        ("[CTH 50%: 60 (miss), 12 (hit)]", 50, (60, 12), ("dodged", "hit")),
        ("[50% to hit: rolled 60, 12 (dodged, hit)]", 50, (60, 12), ("dodged", "hit")),
        ("[50% to hit: rolled 60, 12 => dodged, hit]", 50, (60, 12), ("dodged", "hit")),
        ("[vs punch: 50% to hit: rolled 60]", 50, (60,), (None,)),
        ("Rolled 60 and 12 against 50%.", 50, (60, 12), (None, None)),
    ],
)
def test_dodges(text: str, chance: int, rolls: tuple[int, ...], words: tuple[str | None, ...]) -> None:
    found = only(text)
    assert isinstance(found, Dodge)
    assert (found.chance, found.written.values, tuple(found.outcomes)) == (chance, rolls, words)


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        ("(HP: none | CHK: n/a | STM: -10)", (0, 0, -10)),
        ("(HP: - | CHK: - | STM: -10)", (0, 0, -10)),
        ("[Loss: none]", (0, 0, 0)),
        ("[No loss]", (0, 0, 0)),
        ("(HP/CHK/STM: no loss)", (0, 0, 0)),
        ("(-0 / -0 / -0)", (0, 0, 0)),
        ("[Loss: -13 HP]", (-13, None, None)),
        ("HP -13 | CP -10 | SP -0", (-13, -10, 0)),
        ("HP.......-13\nCHK......-0\nSTM......-5", (-13, 0, -5)),
    ],
)
def test_losses(text: str, loss: tuple[int | None, ...]) -> None:
    found = only(text)
    assert isinstance(found, LossTag)
    assert (found.hp, found.chakra, found.stamina) == loss


def test_one_amount_is_a_loss_tag_beside_other_tags_alone() -> None:
    found = reading("[Takes the attack]\n(-13 HP)")
    assert [claim.data for claim in found.claims if claim.kind == "loss"] == [LossTag(hp=-13)]
    whole = reading(f"[Takes the attack]\n(-13 HP)\n{ZERO}")
    assert [claim.data for claim in whole.claims if claim.kind == "loss"] == [LossTag(0, 0, 0)]


@pytest.mark.parametrize("text", ["[I surrender]", "[Yields]", "[Kaito yields the fight]", "[Gives up]"])
def test_forfeits(text: str) -> None:
    assert isinstance(only(text), Forfeit)


@pytest.mark.parametrize(
    "text",
    [
        "[2x 13 damage]",
        "[Damage: 13 punches]",
        "[Damage: 30 + 200/4 = 81 (Stone Fang)]",
        "[50% to hit: rolled 60, 12. Dodged one, hit by the other.]",
        "[Dodge 50%: 60, 12 and 3 ryo]",
        "[Roll 1: 60 (dodged), Roll 2: 12 (hit)]",
        "[Punch #1: 13]",
    ],
)
def test_what_may_mean_two_things_is_named(text: str) -> None:
    found = reading(text)
    assert [u.quote for u in found.unread] == [text]
    assert not found.claims


@pytest.mark.parametrize(
    "text",
    [
        "He rolled his shoulders 3 times.",
        "Rolled oats, 2 cups, and 50 g of sugar.",
        "She gave him 5 ryo (no loss there) and left.",
        "[He gives 5 ryo up to the landlord]",
        "[Kunai: 10]",
        "1 < 2 and 3 > 2",
        "\U0001f600" * 40,
        "No loss.",
        "\u300cStone Fang!\u300d",
        "HP: -999 | Patience: -0 | Coffee: +3",
        "[-5 HP] for that pun",
        "[-5 HP]",
    ],
)
def test_prose_is_no_claim(text: str) -> None:
    assert reading(text).chatter


def test_an_opponents_tag_said_again_is_no_claim() -> None:
    found = reading("Kaito's attack: [Damage: 13 x2 (punch)]\nIncoming: [Stone Fang]\nMain: [Damage: 20 (kick)]")
    assert [claim.quote for claim in found.claims] == ["[Damage: 20 (kick)]"]
    assert len(found.unread) == 2


def shares(text: str) -> list[tuple[str, list[str]]]:
    """Whose the claims of a post of the account `gm` are, by their kinds."""
    found = reading(text, "gm")
    assert isinstance(found.notes, Notes)
    assert found.notes.shares is not None
    return [(share.name, [found.claims[place].kind for place in share.claims]) for share in found.notes.shares.parts]


ZERO = "(HP: -0 | CHK: -0 | STM: -0)"


@pytest.mark.parametrize(
    "text",
    [
        f"== Bandit 1 ==\n[Damage: 20 (punch)]\n{ZERO}\n[b]Mina[/b]\n{ZERO}",
        f"Bandit 1:\n[Damage: 20 (punch)]\n{ZERO}\nCaptain Mina Kato's turn\n{ZERO}",
        f"Bandit 1: [Damage: 20 (punch)]\nBandit 1 {ZERO}\nMina: {ZERO}",
        "[Bandit 1: Damage: 20 (punch)]\n(Bandit 1: HP -0 | CHK -0 | STM -0)\n(Kato HP: -0 | CHK: -0 | STM: -0)",
        f"| Bandit 1 | [Damage: 20 (punch)] {ZERO} |\n| Mina | {ZERO} |",
        "[Bandit 1] [Damage: 20 (punch)]\nHP -0 | CHK -0 | STM -0\n\n[Mina]\nHP -0 | CHK -0 | STM -0",
        f"Bandit 1 charges.\n[Damage: 20 (punch)]\n{ZERO}\nMina waits.\n{ZERO}",
    ],
)
def test_parts_of_a_post(text: str) -> None:
    assert shares(text) == [("Bandit 1", ["damage", "loss"]), ("Captain Mina Kato", ["loss"])]


@pytest.mark.parametrize(
    "text",
    [
        f"They charge.\n[Damage: 20 (punch)]\n{ZERO}\n{ZERO}",
        f"Bandit 1 pulls Mina up.\n[Damage: 20 (punch)]\n{ZERO}\nThen they run.\n{ZERO}",
        f"[Damage: 20 (punch)]\nBandit 1: {ZERO}\nMina: {ZERO}",
    ],
)
def test_parts_that_nothing_tells_apart(text: str) -> None:
    found = reading(text, "gm")
    assert isinstance(found.notes, Notes)
    assert found.notes.shares is not None
    assert found.notes.shares.unsorted
    assert len(found.notes.shares.losses) == 2


def test_a_stat_block_is_of_whom_its_part_is() -> None:
    block = "Taijutsu: 60\nNinjutsu: 100\nSpeed: 90"
    found = reading(f"Bandit 1\n\n{block}\n\nMina\n\n{block}\n\n{ZERO}", "gm")
    names = [claim.data.name for claim in found.claims if isinstance(claim.data, StatBlock)]
    assert names == ["Bandit 1", "Captain Mina Kato"]
    assert shares(f"Bandit 1\n{block}\nMina\n{block}\n{ZERO}") == [
        ("Bandit 1", ["stats", "loss"]),
        ("Captain Mina Kato", ["stats", "loss"]),
    ]


def test_an_account_of_one_has_no_parts() -> None:
    found = reading(f"Ren Aoki\n[Damage: 20 (punch)]\n{ZERO}")
    assert isinstance(found.notes, Notes)
    assert found.notes.shares is None


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Mori", "Kaito Mori"),
        ("captain jiro", "Captain Jiro Sato"),
        ("Sato", "Captain Jiro Sato"),
        ("Wolf", "Captain Jiro Sato"),
        ("Mina Kato", "Captain Mina Kato"),
        ("Captain", None),
        ("1", None),
        ("Moris", None),
    ],
)
def test_other_words_of_a_name(words: str, name: str | None) -> None:
    assert lexicon_of(SHEETS).names.exact(words) == name


@pytest.mark.parametrize(
    "text",
    [
        "Bandit 1: [x\n" * 6000,
        "Bandit 1\nMina\n" * 6000,
        f"Bandit 1 {ZERO}\nMina {ZERO}\n" * 1500,
        f"{ZERO}\n" * 3000,
        "Bandit 1 " * 12000,
        "<" * 50000 + ">" * 50000,
        "\U0001f600 " * 50000,
        "[rolled " + "50 " * 300 + "%]",
        "[Damage: " + "(" * 300 + "1/2 = 1]",
        "HP" + "." * 90000 + "-13",
    ],
)
def test_hostile_posts_are_read_in_time(text: str) -> None:
    began = time.process_time()
    reading(text, "gm")
    assert time.process_time() - began < allowed(5)


def test_labels_need_a_whole_name() -> None:
    labels = Labels(lexicon_of(SHEETS), ["Bandit 1", "Captain Mina Kato"])
    assert labels.named("Minas sister and the banditry") is None
    assert labels.named("Bandit 1 looks at Ren") == "Bandit 1"
    assert labels.named("Bandit 1 looks at Mina", heads=False) is None


def test_a_word_of_a_name_names_somebody_with_a_capital_only() -> None:
    sheets = Sheets((Character("Old Man Tomo", "gm", "b"), Character("Kaito Mori", "gm", "b")), TABLES)
    labels = Labels(lexicon_of(sheets), ["Old Man Tomo", "Kaito Mori"])
    assert labels.named("the man by the door laughed") is None
    assert labels.named("kaito nods to the man") == "Kaito Mori"
    assert labels.named("Tomo laughed") == "Old Man Tomo"
