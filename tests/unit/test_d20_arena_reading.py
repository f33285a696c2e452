"""Reading single posts of d20_arena: forms, decoys, hostile text."""

from __future__ import annotations

import time
from typing import Any

import pytest

from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.ports.rules import Sheets
from rules.d20_arena.judging.amend import amend
from rules.d20_arena.reading.post import read
from rules.d20_arena.records import (
    Announce,
    Count,
    Escape,
    HitPoints,
    Mend,
    Move,
    Reaction,
    SheetLine,
    Strike,
    TrapRoll,
    Use,
)
from scrapers.boards.transcript import read_body
from tests.support.patience import allowed

TABLES = {"abilities": {"Volt Lash": {"aliases": ["Lash"]}, "Arc Wave": {}, "Mend": {}, "Focus": {}, "Slam": {}}}
SHEETS = Sheets(
    (
        Character("Hana Ito", "hana", "players"),
        Character("Toru", "toru", "players"),
        Character("Golem 1", "gm", "enemies"),
        Character("Golem 2", "gm", "enemies"),
    ),
    TABLES,
)
LINK = "[url=http://dice.example/r/7]roll[/url]"


def reading(text: str) -> Reading:
    return read(scripts_of(read_body(text, None)), "hana", SHEETS)


def only(text: str) -> Any:
    found = reading(text)
    assert not found.unread, found.unread
    assert len(found.claims) == 1, found.claims
    return found.claims[0].data


@pytest.mark.parametrize(
    "text",
    [
        f"[Action: Volt Lash -> Golem 2: 1d20+4 = 19 {LINK} vs Defense 15, hit; damage 2d6+3 = 11 {LINK} {LINK}]",
        f"(action: volt lash => golem 2: 1d20 + 4 = 19 {LINK} vs. DEF 15, Hit!; damage 2d6 [3, 5] + 3 = 11 {LINK})",
        "{ACTION: VOLT LASH \u2192 GOLEM 2: 1D20 ([roll=1d20]15[/roll]) + 4 = 19 VS DEF 15, HIT; DAMAGE 2D6 "
        "[[roll=2d6]3, 5[/roll]] + 3 = 11}",
        "- [b]Action:[/b] Volt Lash -> Golem 2: 1d20 (15) + 4 = 19 (http://dice.example/r/1) vs Defense 15 - Hit! ; "
        "damage 2d6+3 = 11 (http://dice.example/r/2 http://dice.example/r/3)",
        "[Action: Lash \u2013> Golem 2: 1d20\u00a0(15) + 4 = 19 vs DEF 15, hit; damage 2d6 [3, 5] + 3 = 11]",
    ],
)
def test_forms_of_an_attack(text: str) -> None:
    strike = only(text)
    assert isinstance(strike, Strike)
    assert strike.ability == "Volt Lash"
    assert strike.targets == ("Golem 2",)
    assert strike.hit is not None and (strike.hit.total, strike.hit.bonus) == (19, 4)
    assert strike.defense == (15,)
    assert strike.outcome == "hit"
    assert strike.damage is not None and (strike.damage.total, strike.damage.bonus) == (11, 3)


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("hit", "hit"),
        ("Hit!", "hit"),
        ("miss", "miss"),
        ("Miss.", "miss"),
        ("natural 20, critical hit", "critical hit"),
        ("Natural 20! Critical", "critical hit"),
        ("natural 1, critical fail", "critical fail"),
        ("Nat 1 - critical fail", "critical fail"),
        ("Nat 20", "critical hit"),
        ("natural 20, miss", "miss"),
        ("natural 1, hit", "hit"),
    ],
)
def test_outcome_words(words: str, outcome: str) -> None:
    assert only(f"[Action: Volt Lash -> Golem 1: 1d20 (9) + 4 = 13 vs DEF 15, {words}]").outcome == outcome


def test_loose_lines_are_one_attack() -> None:
    found = reading(
        "To hit: 1d20 (13) + 4 = 17 vs DEF 14 - Hit!\nBinding: 1d2 [2]\n"
        "Save: 1d20 = 6 vs 11, failed\nBind level: 2 (legs)"
    )
    assert [claim.kind for claim in found.claims] == ["attack"]
    strike = found.claims[0].data
    assert isinstance(strike, Strike)
    assert strike.binding is not None and strike.binding.groups[0].values == (2,)
    assert strike.save is not None and (strike.save.against, strike.save.resisted) == (11, False)
    assert strike.levels is not None and (strike.levels.to, strike.levels.area) == (2, "legs")


def test_links_go_to_their_rolls() -> None:
    strike = only(
        "[Action: Volt Lash -> Golem 1: 1d20 (20) + 4 = 24 (http://d/1) vs DEF 9, Nat 20; "
        "damage 2d6 [2, 1] + 3 + crit 1d6 [[url=http://d/3]6[/url]] = 12 [url=http://d/2]roll[/url]]"
    )
    assert [a.url for a in strike.hit.throws[0].written.anchors] == ["http://d/1"]
    assert [[a.url for a in t.written.anchors] for t in strike.damage.throws] == [["http://d/2"], ["http://d/3"]]


def test_link_below_the_tag() -> None:
    struggle = only("[Struggle (legs): 1d20 = 14, level 3 -> 2]\n[url=http://d/5]roll[/url]")
    assert [a.url for a in struggle.roll.throws[0].written.anchors] == ["http://d/5"]


@pytest.mark.parametrize(
    ("text", "record"),
    [
        ("[Announce: Arc Wave on Golem 1 and Golem 2]", Announce("ability", "Arc Wave", ("Golem 1", "Golem 2"))),
        ("[Announce: struggle against the bindings]", Announce("struggle")),
        ("[Announce: help Hana with the bindings]", Announce("help", targets=("Hana Ito",))),
        ("[Announce: Focus]", Announce("ability", "Focus")),
        ("[Move: standing still]", Move("standing")),
        ("[Move: stands still]", Move("standing")),
        ("[Move: keeps moving]", Move("moving")),
        ("[Action: Focus]", Use(None, "Focus")),
        ("[Action: none, trapped]", Use(None, None)),
        ("[Reaction: Hana: Side Step, Defense 14 + 3 = 17]", Reaction("Hana Ito", "Side Step", "defense", 14, 3, 17)),
        ("[Reaction: Toru: Brace, damage 9 - 3 = 6]", Reaction("Toru", "Brace", "damage", 9, -3, 6)),
        ("HP: 31/40", HitPoints(None, 31, 40)),
        ("* HP: 31/40, DEF 14", HitPoints(None, 31, 40, 14)),
        ("Golem 2: 8/20 HP", HitPoints("Golem 2", 8, 20)),
        ("golem 2: 0/20 hp (out)", HitPoints("Golem 2", 0, 20)),
        ("Golem 1: HP 8/20", HitPoints("Golem 1", 8, 20)),
        ("Turn 3", Count("turn", 3)),
        (
            "Golem 1: HP 20, DEF 15, ATK +3, RES 1 (fire 3, cold 2)",
            SheetLine("Golem 1", (("HP", 20), ("DEF", 15), ("ATK", 3), ("RES", 1)), (("fire", 3), ("cold", 2))),
        ),
    ],
)
def test_plain_records(text: str, record: object) -> None:
    assert only(text) == record


def test_rolls_with_dice() -> None:
    escape = only("[Help: Toru (legs): 1d20 (13) + 4 - 1 = 16, level 3 -> 0; spare: arms 2 -> 1]")
    assert isinstance(escape, Escape)
    assert (escape.helped, escape.area, escape.old, escape.new) == ("Toru", "legs", 3, 0)
    assert (escape.roll.bonus, escape.spare_area, escape.spare_new) == (3, "arms", 1)
    enemy = only("[Struggle: Golem 1 (legs): 1d20 = 14, level 2 -> 1]")
    assert (enemy.actor, enemy.area, enemy.roll.groups[0].values) == ("Golem 1", "legs", (14,))
    trap = only("[Trap: 1d20 = 7, sprung!]")
    assert isinstance(trap, TrapRoll) and trap.sprung is True
    mend = only("[Action: Mend -> Toru: heals 1d6 [4] + 2 = 6]")
    assert isinstance(mend, Mend) and mend.heal.total == 6


def test_state_table_in_one_line() -> None:
    found = reading("Hana: 30/30 HP | Toru: 12/20 HP | Golem 1: 0/20 HP (out)")
    assert [claim.values["hp"] for claim in found.claims] == [30, 12, 0]


@pytest.mark.parametrize(
    "text",
    [
        "Old Marrow said: the first blow is a question [and the second is the bill].",
        "She counted 3 of them (natural 1 of steps) and 90% of luck was showing up.",
        "OOC: my draft said [Damage: 99 x2] but that was a joke",
        "[quote=gm]\n[Action: Golem 1: Slam -> Hana: 1d20+3 = 23 vs Defense 14, hit]\nHP: 1/40\n[/quote]",
        "Move: the crowd shouted, and nobody did.",
        "Save: your breath.",
        "____________________\nHP: 1/1",
        "Round and round it went: a turn here, a turn there.",
        "12/20 of the crowd stayed. HP is not everything: 3 out of 4 agree.",
        "[Struggle is real]\n[Action movie night, 3 of them]\n[Help me, Hana]\n[Trap doors everywhere - 3 of them]",
        "[Attack - is the best defense]\n[Save 5 coins]\n[Moves to the left]\n[Moving on]\n[Reaction: none]",
        '[Golem 1: "I have 3 heads"]\n[Hana -> Toru: run!]\nGolem 1: "1 of you, 2 of us."\nHelp Hana, 2 of us.',
        "Golem 1 has 10/20 HP left.\nHer HP, 1/2 gone\nVesna/Hana: 2 of us\nFocus, she told herself [Focus] now.",
        "[Mend your ways, 2 times]\n[Announcement: the inn closes at 9]\n5 = 5, she said.\nGolem 1, 2 heads = trouble",
        "(Hana, standing still for 1 breath, waits)\nMove! she shouted.\nAction: 3 doors, 2 keys\nEscape: 3 ways out",
        "Moving: that was the trick. Standing still: death.\nMoving: the crowd stood still.",
        'Movement: everywhere. Toru stayed put.\nStance: "Stand still and you die," said the master.',
        "Moves: left, right, left. Then she holds her ground.\nMove: a small word. Stand still: two, and the last.",
        "(moves; the world stands still)\n[Moves - and the world stands still]\n(stands still)\n(standing still)",
        "(Moving, always moving: to stand still was to die)\n(moving; always moving)\n[Movement: a waltz; still]",
        "Hana ran (moving: the one thing golems hate; they stand still).\nStance - standing\nStance: still waters.",
        "The floor (the trap rolled 2 feet to the left) shook.\n(the trap on level 2 was open)\n(trap level 2)",
        "No fair fight (the attack was 3 vs 1).\n[the attack was 3 vs 1]\n(his attacks rolled 3 metres past her)",
        "Half of them (actions = 12, words = 0) slept.\nHelp came (help at last = 3 men and a dog).",
        "(to hit level 3 by dusk was the plan)\nGolem after golem (attacks 3 -> 4 a minute) came.",
        "(announced Volt Lash with a shout)\n(announcing Volt Lash to all 300 of them)\n(announced: Volt Lash, loudly)",
        "(Volt Lash -> Golem 1, that was the plan)\n[Volt Lash -> Golem 1, then run]\n(attack: Hana -> Golem 1, eh)",
        "Reaction: Volt Lash? No.\nReaction: none. The crowd stared. Hana aims the Volt Lash at Golem 1.",
        '"[Action: Volt Lash -> Golem 1]" was what the old chronicles would have said.',
        "(the damage: level 3, said the sappers)\n(to hit 3 -> 4 bells)\n(main attack at level 3)\n(traps: 12)",
        "(the reaction: Volt Lash, they all said)\n(the free attack that cost 12 = a year of wages)",
        "Volt Lash, 1d20 = 3, read the plate.\nTrap: the stone rolled 3 feet.\nHelp: 2 men = 1 dog.",
        "[Damage: none]\n[To hit: nothing]\n[Save: none needed]\nAction: this is what it was.",
    ],
)
def test_prose_is_no_claim(text: str) -> None:
    found = reading(text)
    assert found.chatter, (found.claims, found.unread)


@pytest.mark.parametrize(
    ("words", "stance"),
    [
        ("dodging past the motionless crowd", "moving"),
        ("keeps moving, not a moment to stop", "moving"),
        ("standing still, the dust moving round it", "standing"),
        ("standing still, may fortune help", "standing"),
        ("standing still if the trap allows it", "standing"),
        ("stays behind the pillar", "standing"),
        ("Hana dodges past the motionless crowd", "moving"),
        ("is still dodging", "moving"),
        ("moving behind the pillar where Toru stands still", "moving"),
        ("no more dodging, stands still", "standing"),
        ("moving, never standing still", "moving"),
        ("still", "standing"),
    ],
)
def test_a_move_tag_states_the_stance_that_its_clause_begins_with(words: str, stance: str) -> None:
    assert only(f"[Move: {words}]") == Move(stance)


@pytest.mark.parametrize("text", ['"[Move: standing still]" she said.', "([Move: standing still])"])
def test_a_move_tag_counts_in_quotation_marks_and_in_round_brackets(text: str) -> None:
    assert only(text) == Move("standing")


@pytest.mark.parametrize("other", ["[Movement: dodging]", "(moving - dodging)", "[Stance: moving]", "[Stands still]"])
def test_another_spelling_never_overrides_the_move_tag(other: str) -> None:
    assert only(f"{other}\n[Move: standing still]") == Move("standing")
    assert only(f"[Move: standing still]\n{other}") == Move("standing")


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("[Movement: standing still; -3 Defense]", "standing"),
        ("[Move - standing still (for the second struggle)] Hana digs in.", "standing"),
        ("Hana digs in. [Move - standing still]", "standing"),
        ("[Stance: Hana keeps moving.]", "moving"),
        ("(Movement: stands still)", "standing"),
        ("Movement: stands still", "standing"),
        ("Move: behind the pillar, standing still", "standing"),
    ],
)
def test_a_stance_in_another_spelling_says_nothing_else(text: str, stance: str) -> None:
    assert only(text) == Move(stance)


def test_a_condition_without_another_target_changes_no_announcement() -> None:
    assert only("[Announce: Arc Wave on Golem 2 or die trying]") == Announce("ability", "Arc Wave", ("Golem 2",))


@pytest.mark.parametrize(
    "text",
    [
        "[Action: ??? -> ???: 1d20 = ?]",
        "[Damage: lots x?]",
        "[Struggle (elbow): 1d20 = 3, level 1 -> 1]",
        "[Action: Volt Lash -> Golm 2: 1d20+4 = 19 vs DEF 15, hit]",
        "Golm 2: 8/20 HP",
        "[Move: sideways?]",
        "[Reaction: Hana: Side Step]",
        "[Golem 1 -> Hana: 1d20+3 = 18 vs Defense 16, hit]",
        "[Enemy Phase: Golem 1: Slam -> Hana: 1d20+3 = 18 vs Defense 16, hit]",
        "Golem 1 slams Hana: 1d20+3 = 18 vs Defense 16, hit; damage 1d6+1 = 5",
        "[1d20+4 = 19 vs Defense 15, hit]",
        "[Focus]",
        "[Standing still]",
        "[Move: moves, then stands still]",
        "[Dmg: 11]",
        "[Struggle - legs: thirteen]",
        "Golem 1: ?/20 HP",
        "Golem 1: 10 HP left",
        "[Action: Volt Lash -> Golem 1: 1d20+4 = 19 vs Defense 15 - 4 short, miss]",
        "[Action: Volt Lash -> Golem 1: 1d20+4 = 19 vs Defense 15, hit; damage 2d6+3 = 11 + 4 = 15]",
        "[Action: Volt Lash -> Golem 1: 1d20+4 = 19 vs Defense 15, hit; damage 2d6+3 = 11; fire 1d6 = 4]",
        "[Announce: Volt Lash on Golem 1 or, if it is down, Golem 2]",
    ],
)
def test_near_misses_are_unread(text: str) -> None:
    found = reading(text)
    assert not found.claims
    assert len(found.unread) == 1


@pytest.mark.parametrize(
    ("sum_", "values", "bonuses", "total"),
    [
        ("2d6+3 = 3 + 5 + 3 = 11", (3, 5), (3,), 11),
        ("2d6+3 = 3 + 3 + 5 = 11", (3, 5), (3,), 11),
        ("3+2d6 = 11", (), (3,), 11),
        ("2d6+3 = (3, 5) + 3 = 8 + 3 = 11", (3, 5), (3,), 11),
        ("2d6+3 = 8 + 3 = 11 - 1 = 10", (), (3,), 11),
        ("2d6+3 = 11 - 1 (RES) = 10", (), (3,), 11),
        ("2d6 = 3 + 5 + 3 = 11", (3, 5), (3,), 11),
        ("2d6+3 \u21d2 (3, 5) + 3 = 11", (3, 5), (3,), 11),
        ("2d6+3: 8 + 3 = 11", (), (3,), 11),
        ("2d6+3 (3 + 5) = 11", (3, 5), (3,), 11),
        ("[roll=2d6]3, 5[/roll] + 3 = 11", (3, 5), (3,), 11),
        ("2d6+3 = [roll=2d6]3, 5[/roll] + 3 = 12", (3, 5), (3,), 12),
    ],
)
def test_the_last_number_of_a_chain_is_its_result(
    sum_: str, values: tuple[int, ...], bonuses: tuple[int, ...], total: int
) -> None:
    strike = only(f"[Action: Volt Lash -> Golem 1: 1d20+4 = 15 + 4 = 19 vs Defense 12 + 3 = 15, hit; damage {sum_}]")
    assert isinstance(strike, Strike) and strike.hit is not None and strike.damage is not None
    assert (strike.hit.groups[0].values, strike.hit.bonuses, strike.hit.total) == ((15,), (4,), 19)
    assert strike.defense == (15,)
    assert (strike.damage.groups[0].values, strike.damage.bonuses, strike.damage.total) == (values, bonuses, total)


@pytest.mark.parametrize(
    ("sum_", "total"),
    [
        ("1d6+2 = [roll=1d6]4[/roll]", None),
        ("1d6+2 = [roll=1d6]4[/roll] 6", None),
        ("1d6+2 -> [roll=1d6]4[/roll] -> 6", None),
        ("1d6+1d4 = [roll=1d6]4[/roll] [roll=1d4]2[/roll]", None),
        ("1d6+2 = [roll=1d6]4[/roll] = 6", 6),
        ("1d6+2 = [roll=1d6+2]6[/roll]", 6),
        ("1d6+2 = 4 [roll=1d6]4[/roll]", 4),
        ("1d6 = [roll=1d6]4[/roll]", 4),
    ],
)
def test_what_the_board_wrote_of_a_part_is_no_stated_total(sum_: str, total: int | None) -> None:
    strike = only(f"[Action: Volt Lash -> Golem 1: 1d20+4 = [roll=1d20]15[/roll] vs Defense 12, hit; damage {sum_}]")
    assert isinstance(strike, Strike) and strike.hit is not None and strike.damage is not None
    assert strike.hit.total is None
    assert strike.damage.total == total
    assert all(throw.written.anchors for throw in strike.damage.throws)


def test_corrections_replace_the_last_line_of_their_kind() -> None:
    post = reading(
        "HP: 31/40\nTo hit: 1d20 (13) + 4 = 18 vs DEF 14 - Hit!\nDamage: 2d6 [3, 5] + 3 = 12\nGolem 2: 8/20 HP"
    )
    total = amend(post, reading("Edit: To hit: 1d20 (13) + 4 = 17 vs DEF 14 - Hit!")).claims[1].data
    assert isinstance(total, Strike)
    assert total.hit is not None and total.hit.total == 17
    assert total.damage is not None and total.damage.total == 12
    damage = amend(post, reading("Correction, sorry: Damage: 2d6 [3, 5] + 3 = 11")).claims[1].data
    assert isinstance(damage, Strike) and damage.damage is not None and damage.damage.total == 11
    hp = amend(post, reading("Correction: Golem 2: 9/20 HP"))
    assert [c.values["hp"] for c in hp.claims if c.kind == "hp"] == [31, 9]
    own = amend(post, reading("edit: HP: 30/40"))
    assert [c.values["hp"] for c in own.claims if c.kind == "hp"] == [30, 8]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Golem  \t 1: 8/20 HP", "Golem 1"),
        ("hana ITO : 8/20 HP", "Hana Ito"),
        ("Hana: 8/20 HP", "Hana Ito"),
        ("Golem 2 : 8/20", "Golem 2"),
    ],
)
def test_names_stand_in_lines_in_any_case_and_with_any_blanks(text: str, name: str) -> None:
    assert only(text).name == name


@pytest.mark.parametrize("text", ["Golem: 8/20", "Golem 12: 8/20", "Hanako: 8/20", "Tor u: 8/20"])
def test_a_name_that_is_nearly_right_is_nobody(text: str) -> None:
    assert not reading(text).claims


@pytest.mark.parametrize(
    "text",
    [
        "hit 1d20 (3) " * 70_000,
        "[" * 10_000 + "]" * 10_000,
        "(" * 100_000,
        "[quote]" * 10_000 + "[Action: Volt Lash -> Golem 1: 1d20+4 = 19 vs Defense 15, hit]",
        "[Action: Volt Lash -> Golem 1: 1d20+4 = 19 vs Defense 15, hit]\n" * 15_000,
        "[Action: Volt Lash -> Golem 1: 1d20" + "+1" * 300_000 + " = 3]",
        "[Action: Volt Lash -> " + "Golem 1 and " * 80_000 + "]",
        "HP: 1/1\n" * 100_000,
        "Golem 1: " + " " * 900_000 + "x",
        "HP: 3/4, DEF 14" + " " * 3_000 + "x",
        "Turn 3" + " " * 3_000 + "x",
        "To hit: " + "1d20 " * 180_000,
        "\x00[Act\u202eion: \x00" * 30_000,
        "[Action: Volt Lash -> Golem 1: 99999999999999d9999999999 + 99999999999999 = 9999999999999 vs DEF 9]",
        "[Trap] " * 100_000,
        "[Golem 1: 1/2 HP] " * 50_000,
        "HP: " + "Golem 1: 1/2 HP, " * 50_000,
        "To hit: 1d20+4 " + "= 1 + 2 " * 100_000,
        "[Action: Volt Lash -> Golem 1: 1d20 " + "vs Defense " * 90 + "]",
        "[roll=2d6]3, 5[/roll] + 3\n" * 5_000,
        "[Struggle legs " * 50_000,
        "[Move: " + "not standing still, " * 50 + "]",
        ("(Action " * 150 + "\n") * 800,
        "(\n" * 400_000,
        "[Action (1st" + " " * 400 + "x): 1d20 = 3]",
        ("[Movement: " + "standing still, " * 5 + "x]\n") * 8_000,
    ],
    ids=range(26),
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    before = time.process_time()
    found = reading(text)
    assert len(found.claims) + len(found.unread) <= 402
    assert time.process_time() - before < allowed(4)
