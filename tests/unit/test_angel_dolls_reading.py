"""Reading of the doll arena: every written form of notation.md A, and what is no claim."""

from __future__ import annotations

import time

import pytest

from referee.app.plugins import body_reader
from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.ports.rules import Sheets
from rules.angel_dolls import RULESET
from rules.angel_dolls.statements import (
    Award,
    Change,
    Check,
    FullDefense,
    Heading,
    Penalty,
    PoolLine,
    SheetBlock,
    Simultaneous,
    Winner,
)
from tests.support.patience import allowed

SHEETS = Sheets(
    (
        Character("Riget", "mara", data={"equipment": ["paired claws", "chain whip"]}),
        Character("Sedrik Vale", "tomas", aliases=("The Grey",), data={"equipment": ["long spear", "scope chip"]}),
    ),
    RULESET.tables(None, None),
    judges=frozenset({"arbiter"}),
)


def read(text: str, author: str = "arbiter") -> Reading:
    return RULESET.read(scripts_of(body_reader()(text, None)), author, SHEETS)


def only(text: str) -> object:
    claims = read(text).claims
    assert len(claims) == 1, claims
    return claims[0].data


HEADINGS = [
    ("[Attack: Riget -> Sedrik, paired claws]", Heading("Riget", "Sedrik Vale", means="paired claws")),
    ("Riget attacks Sedrik Vale (paired claws)", Heading("Riget", "Sedrik Vale", means="paired claws")),
    ("Riget \u2192 Sedrik: kick", Heading("Riget", "Sedrik Vale", means="kick")),
    ("RIGET ATTACKS SEDRIK (KICK)", Heading("Riget", "Sedrik Vale", means="KICK")),
    ("mara -> the grey: kick", Heading("Riget", "Sedrik Vale", means="kick")),
    (
        "[Attack: Riget -> Sedrik, Shadow Snap (Dark)]",
        Heading("Riget", "Sedrik Vale", means="Shadow Snap", element="Dark"),
    ),
    (
        "Riget attacks Sedrik (Entangle (legs), chain whip)",
        Heading("Riget", "Sedrik Vale", "entangle", "legs", None, "chain whip"),
    ),
    ("Riget -> Sedrik: Strangle hold", Heading("Riget", "Sedrik Vale", "strangle")),
    ("Riget -> Sedrik: Disarm, chain whip", Heading("Riget", "Sedrik Vale", "disarm", means="chain whip")),
    ("Riget -> Sedrik: Disarm", Heading("Riget", "Sedrik Vale", "disarm")),
    ("[Attack: Riget -> Sedrik, Disable: scope chip]", Heading("Riget", "Sedrik Vale", "disable", target="scope chip")),
    ("Riget -> Sedrik: Shattering Blow, war hammer", Heading("Riget", "Sedrik Vale", "shatter", means="war hammer")),
    (
        "[Attack: Sedrik -> Riget, Break: chain whip, long spear]",
        Heading("Sedrik Vale", "Riget", "break", target="chain whip", means="long spear"),
    ),
    (
        "Riget -> Sedrik: chain whip - Chain 3 (\u201320 to damage, \u201310 to hit)",
        Heading(
            "Riget", "Sedrik Vale", means="chain whip", number=3, chain=(Penalty(-20, "damage"), Penalty(-10, "hit"))
        ),
    ),
    ("- Riget -> Sedrik: kick - Chain 2", Heading("Riget", "Sedrik Vale", means="kick", number=2)),
    ("[b]Riget attacks Sedrik (kick)[/b] - Chain 1", Heading("Riget", "Sedrik Vale", means="kick", number=1)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "heading"), HEADINGS, ids=[text for text, _ in HEADINGS])
def test_headings(text: str, heading: Heading) -> None:
    assert only(text) == heading


def check(text: str) -> Check:
    data = only(text)
    assert isinstance(data, Check)
    return data


def test_plain_hit_line() -> None:
    line = check("Hit: 36 AGI - 10 (disarm) + 5 (high ground) + [roll=1d50]15[/roll] = 46 vs. 33 REF + 24 = 57 -> miss")
    assert line.left and line.right
    assert (line.kind, line.word) == ("hit", "miss")
    assert (line.left.base, line.left.stat, line.left.rolled, line.left.total) == (36, "Agility", 15, 46)
    assert [(m.value, m.kind) for m in line.left.modifiers] == [(-10, "disarm"), (5, "")]
    assert (line.right.base, line.right.stat, line.right.rolled, line.right.total) == (33, "Reflexes", 24, 57)
    assert line.left.roll and [a.dice for a in line.left.roll.anchors] == ["1d50"]


@pytest.mark.parametrize("label", ["", "Hit: "])
def test_named_hit_line(label: str) -> None:
    line = check(f"{label}Riget Agility 36 \u2014 10 (disarm) (+15) = 41 / Sedrik Reflexes 33 (+24) = 57, dodged")
    assert line.left and line.right
    assert (line.left.owner, line.right.owner, line.word) == ("Riget", "Sedrik Vale", "miss")
    assert (line.left.rolled, line.left.total, line.right.rolled) == (15, 41, 24)


@pytest.mark.parametrize(
    "links",
    [
        "36 AGI + 15 [url=http://d.example/1]roll[/url] = 51 vs 33 REF + 24 [url=http://d.example/2]roll[/url] = 57",
        "36 AGI + [url=http://d.example/1]15[/url] = 51 vs 33 REF + [url=http://d.example/2]24[/url] = 57",
        "36 AGI + 15 (http://d.example/1) = 51 vs 33 REF + 24 (http://d.example/2) = 57",
        "36 AGI + 15 = 51 [url=http://d.example/1]roll[/url] vs 33 REF + 24 = 57 [url=http://d.example/2]roll[/url]",
        "36 AGI + [url=http://d.example/1]roll[/url] = 51 vs 33 REF + [url=http://d.example/2]roll[/url] = 57",
        "36 AGI + 1d50 (15) [url=http://d.example/1]roll[/url] = 51 vs 33 REF + d50 (24) (http://d.example/2) = 57",
    ],
)
def test_each_link_goes_to_its_own_roll(links: str) -> None:
    line = check(f"Hit: {links} -> miss")
    assert line.left and line.right and line.left.roll and line.right.roll
    assert [a.url for a in line.left.roll.anchors] == ["http://d.example/1"]
    assert [a.url for a in line.right.roll.anchors] == ["http://d.example/2"]
    assert (line.left.total, line.right.total) == (51, 57)


def test_links_alone_on_the_next_line() -> None:
    """They are the rolls of a line that writes no numbers; written ones find their links by what those show."""
    links = "[url=http://d.example/1]roll[/url] [url=http://d.example/2]roll[/url]"
    written = check(f"Hit: 36 AGI + 15 = 51 vs 33 REF + 24 = 57 -> miss\n{links}")
    assert written.left and written.left.roll and written.left.roll.anchors == ()
    line = check(f"Hit: 36 AGI (+) = 51 vs 33 REF (+) = 57 -> miss\n{links}")
    assert line.left and line.right and line.left.roll and line.right.roll
    assert [a.url for a in (*line.left.roll.anchors, *line.right.roll.anchors)] == [
        "http://d.example/1",
        "http://d.example/2",
    ]


def test_elemental_damage_line() -> None:
    line = check("Damage: 40 MAG + 30 = 70 vs 25 RES + 10 = 35; Dark +30 / \u221230 -> 95")
    assert (line.kind, line.element, line.affinities, line.result) == ("damage", "Dark", (30, -30), 95)


def test_weapon_control_and_strangle_lines() -> None:
    weapon = check("Weapon damage: Riget Strength 34 (+20) = 54 vs 30 (long spear) + 10 = 40 -> 14")
    assert weapon.right and (weapon.kind, weapon.right.thing, weapon.result) == ("weapon", "long spear", 14)
    control = check("Control test: 14 + 3 (dust) + 22 = 39 vs 30 STR + 12 = 42 -> keeps control")
    assert control.left and (control.kind, control.left.base, control.left.rolled, control.word) == (
        "control",
        14,
        22,
        "keeps control",
    )
    strangle = check("Strangle round 3: 32 vs DUR 23 + 11")
    assert strangle.left and strangle.right
    assert (strangle.round, strangle.left.base, strangle.right.base, strangle.right.rolled) == (3, 32, 23, 11)
    assert check("Disarm test: 34 STR + 20 = 54 vs 42 STR + 1 = 43 -> disarmed").word == "disarmed"
    assert check("Hit: automatic").automatic


STATES = [
    ("Sedrik: Full Defense: REF 33 -> 49", FullDefense("Sedrik Vale", (("Reflexes", 33, 49),))),
    ("Simultaneous: Riget and Sedrik (defensive stats halved)", Simultaneous("Riget", "Sedrik Vale")),
    ("Sedrik loses the long spear.", Change("loses", "Sedrik Vale", "long spear")),
    ("Sedrik's scope chip is out for 4 turns.", Change("out", "Sedrik Vale", "scope chip", turns=4)),
    ("Sedrik is entangled (strangle hold).", Change("entangled", "Sedrik Vale", part="strangle")),
    ("Riget is entangled (legs).", Change("entangled", "Riget", part="legs")),
    ("Sedrik breaks free of the entangle.", Change("free", "Sedrik Vale", part="entangle")),
    ("Sedrik breaks free of the hold.", Change("free", "Sedrik Vale", part="hold")),
    ("Sedrik retrieves the long spear.", Change("regains", "Sedrik Vale", "long spear")),
    ("Sedrik drops the long spear to break the entangle.", Change("drops", "Sedrik Vale", "long spear")),
    ("The chain whip shatters.", Change("shatters", None, "chain whip")),
    ("Riget's chain whip shatters.", Change("shatters", "Riget", "chain whip")),
    ("HP: Sedrik 120 -> 87", PoolLine("Sedrik Vale", 87, old=120)),
    ("Sedrik: HP 87/150", PoolLine("Sedrik Vale", 87, maximum=150)),
    ("HP 87/150", PoolLine(None, 87, maximum=150)),
    ("chain whip: HP 36 -> 16", PoolLine(None, 16, "chain whip", 36)),
    ("Riget's chain whip: HP 36 -> 16", PoolLine("Riget", 16, "chain whip", 36)),
    ("Trainer Points: Riget 3, Sedrik 4", Award((("Riget", 3), ("Sedrik Vale", 4)))),
    ("Winner: Riget", Winner(("Riget",))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "data"), STATES, ids=[text for text, _ in STATES])
def test_states(text: str, data: object) -> None:
    assert only(text) == data
    assert only(text.upper() if "HP" not in text else text.replace("HP", "hp")) is not None


PROSE = [
    "Riget attacks like a man (late for supper).",
    "The first blow is a question [and the second is the bill].",
    "Riget attacks Sedrik (again).",
    "Riget attacks Sedrik (and how)!",
    "Sedrik loses the long spear! No: only the cap of it.",
    "Sedrik nearly drops the long spear.",
    "Sweat drops from Riget and Sedrik.",
    "Sedrik's guard drops.",
    "Sedrik, full defense or not, looks tired.",
    "Full defense is for cowards, said Sedrik.",
    "Riget and Sedrik moved simultaneously.",
    "Simultaneous cheers rose from both stands.",
    "Riget: 8/10",
    "Riget 3 -> 2.",
    "Sedrik: 24/7",
    "The crowd is held back by 4 guards; Riget waits.",
    "Riget gets free drinks tonight.",
    "Riget is entangled in memories.",
    "Eyes dart from Riget -> Sedrik -> Riget.",
    "Riget looked as if 87 of 120 HP were gone.",
    "Damage: a broken lamp -> 12 coins.",
    "If Sedrik drops the long spear, it is over.",
    "The paired claws shatters, or so it sounds.",
    "Riget attacks Sedrik with everything she has, and the crowd of 400 roars.",
    "Sedrik drops to one knee and counts to ten.",
    "Sedrik is free to act as he likes.",
    "Sedrik recovers quickly, and Riget knows it.",
    "Sedrik regains his composure; the long spear steadies.",
    "Riget picks up the pace and releases a breath.",
    "Riget > Sedrik, the graffiti on the wall says.",
    "It is a simultaneous gasp from 200 throats.",
    '"You disarmed me once, Riget," Sedrik says, "in round 2."',
    "Sedrik loses the thread. Sedrik drops the subject.",
    "Hit or miss, thought Riget; it was 40 paces -> 400.",
    "He breaks free of the hold.",
    "HP: 90% of luck is showing up",
    "Winner: whoever laughs last",
    "[quote=mara]\nHP: Sedrik 120 -> 87\n[/quote]",
    "OOC: Trainer Points: Riget 9",
    "____________________\nHP: Sedrik 3 -> 99",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_claim(text: str) -> None:
    found = read(text)
    assert (found.claims, found.unread) == ((), ())


@pytest.mark.parametrize(
    "tag",
    [
        "Sedrick -> Riget: kick",
        "[Attack: ??? -> ???, kick]",
        "[Damage: lots x?]",
        "[Action: ??? -> ???: 1d20 = ?]",
        "[Hit: ? AGI + ? = ?]",
    ],
)
def test_tag_like_brackets_are_named(tag: str) -> None:
    found = read(f"A gull screamed.\n{tag}\n")
    assert [u.quote for u in found.unread] == [tag]
    assert found.claims == ()


def test_a_player_may_announce() -> None:
    (claim,) = read("[Disable: scope chip]", "mara").claims
    assert claim.kind == "intent"


CLASHING = Sheets(
    (
        Character("Chain Breaker", "[XYZ]Bo", aliases=("Hit",), data={"equipment": ["hit stick", "the claw"]}),
        Character("Magic Ren", "full moon", data={"equipment": ["damage ring"]}),
    ),
    RULESET.tables(None, None),
    judges=frozenset({"arbiter"}),
)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("Chain Breaker -> Magic: kick", Heading("Chain Breaker", "Magic Ren", means="kick")),
        ("[XYZ]Bo attacks full moon: kick", Heading("Chain Breaker", "Magic Ren", means="kick")),
        ("MAGIC   REN => chain  breaker: kick", Heading("Magic Ren", "Chain Breaker", means="kick")),
        ("Magic Renata", None),
        ("Hit: HP 30 -> 20", PoolLine("Chain Breaker", 20, old=30)),
        ("hit stick: HP 9/40", PoolLine(None, 9, "hit stick", maximum=40)),
        ("Hit loses the hit stick.", Change("loses", "Chain Breaker", "hit stick")),
        ("full moon: Full Defense", FullDefense("Magic Ren")),
        ("the claw shatters", Change("shatters", None, "the claw")),
        ("damage ring is out for 3 turns", Change("out", None, "damage ring", turns=3)),
    ],
)
def test_names_may_begin_with_words_of_the_system(text: str, data: object) -> None:
    claims = RULESET.read(scripts_of(body_reader()(text, None)), "arbiter", CLASHING).claims
    assert [claim.data for claim in claims] == ([data] if data else [])


@pytest.mark.parametrize("text", ["Edit:", "Edit:\n\nThe wind turned.", "((OOC: typo)) Correction:"])
def test_a_correction_without_words_says_nothing(text: str) -> None:
    found = read(text)
    assert (found.claims, found.unread) == ((), ())


def test_a_correction_on_the_next_line_is_read() -> None:
    assert only("Edit:\nHP: Riget 30 -> 20") == PoolLine("Riget", 20, old=30)


def test_posted_sheets() -> None:
    (claim,) = read("Deus\n* Strength: 4\n* Agility: 4 | Durability: 5\n* Reflexes: 6\n", "mara").claims
    assert isinstance(claim.data, SheetBlock)
    assert (claim.data.part, len(claim.data.stats)) == ("deus", 4)


HOSTILE = {
    "a long word": "a" * 1_000_000,
    "brackets": "[" * 10_000 + "]" * 10_000,
    "attacks": "[Attack: " * 20_000,
    "sums": "Hit: 3" + " + 3" * 200_000,
    "blanks": "Hit:" + " " * 500_000 + "3",
    "digits": "HP: Riget " + "9" * 100_000,
    "names": "Riget " * 100_000,
    "stats": "Strength 3\n" * 50_000,
    "signs": "\x00\u202eHit: 36 AGI\u2066 + 15 = 51",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_little_time(name: str) -> None:
    begun = time.process_time()
    read(HOSTILE[name])
    assert time.process_time() - begun < allowed(5)
