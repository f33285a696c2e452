"""What is told in words explains a difference: without the words it is found, with them a notice quotes them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import Finding
from rules.d20_arena import RULESET

ABILITIES: dict[str, dict[str, Any]] = {
    "Volt Lash": {"type": "damage", "range": "ranged", "to_hit": 4, "damage": "2d6+3"},
    "Iron Heel": {"type": "damage", "range": "melee", "to_hit": 5, "damage": "1d8+4"},
    "Frost Needle": {"type": "damage", "range": "ranged", "to_hit": 4, "damage": "1d10+2", "cooldown": 2},
    "Sun Lance": {"type": "damage", "range": "ranged", "to_hit": 3, "damage": "3d6+2", "special": True},
    "Side Step": {"type": "reaction", "defense": 3},
    "Slam": {"type": "damage", "range": "melee", "damage": "1d6+1"},
    "Vine": {"type": "bind", "range": "ranged", "levels": 1, "part": "legs"},
}
SHEET = "Golem 1: HP 25, DEF 12, ATK +3\nGolem 2: HP 25, DEF 12, ATK +3"


def act(ability: str, target: str, die: int, bonus: int, end: str) -> str:
    """An announced attack of a player; `end` is Defense, outcome and damage."""
    roll = f"1d20 {{1d20:{die}}} + {bonus} = {die + bonus}"
    return f"[Announce: {ability} on {target}]\n[Action: {ability} -> {target}: {roll} vs DEF {end}]"


def slam(die: int, end: str, target: str = "Vesna", who: str = "Golem 1") -> str:
    """An enemy's attack."""
    return f"[Action: {who}: Slam -> {target}: 1d20 {{1d20:{die}}} + 3 = {die + 3} vs DEF {end}]"


MISS = act("Volt Lash", "Golem 1", 2, 4, "12, miss")
HIT = act("Volt Lash", "Golem 1", 9, 4, "12, hit; damage 2d6 {2d6:3, 4} + 3 = 10")
HURT = f"{slam(12, '14, hit; damage 1d6 {1d6:5} + 1 = 6')}\nVesna: 34/40 HP"
NAT_1 = "[Action: Volt Lash -> Golem 1: 1d20 {1d20:1} + 4 = 5 vs DEF 12, Nat 1 - critical fail]"
VINE = "[Action: Golem 1: Vine -> Vesna: 1d20 {1d20:15} + 3 = 18 vs DEF 14, hit; bind level 0 -> 1 (legs)]"
NEEDLE = act("Frost Needle", "Golem 1", 2, 4, "12, miss")

Posts = tuple[tuple[str, str], ...]

#: A code, the words that explain it, and the posts; `{W}` is where the words stand.
TOLD: tuple[tuple[str, str, Posts], ...] = (
    (
        "defense",
        "Vines burst from the floor and bind Vesna's legs (level 1).",
        (("ves", MISS), ("han", MISS), ("gm", "{W}\n" + slam(9, "13, miss"))),
    ),
    (
        "defense",
        "Vesna cuts the vines with her knife.",
        (
            ("ves", MISS),
            ("han", MISS),
            ("gm", VINE),
            ("ves", "{W}\n" + MISS),
            ("han", MISS),
            ("gm", slam(5, "14, miss")),
        ),
    ),
    ("defense", "She plants her feet and does not budge.", (("ves", "{W}\n" + MISS), ("gm", slam(2, "11, miss")))),
    ("defense", "((OOC: I stand still this turn))", (("ves", MISS + "\n{W}"), ("gm", slam(2, "11, miss")))),
    ("defense", "Vesna has not moved an inch.", (("ves", MISS), ("gm", "{W}\n" + slam(2, "11, miss")))),
    (
        "defense",
        "Golem 1's armour cracks: its DEF drops to 10.",
        (("gm", "{W}"), ("ves", act("Volt Lash", "Golem 1", 2, 4, "10, miss"))),
    ),
    (
        "defense",
        "Golem 1 is behind the pillar, +2 DEF.",
        (("ves", "{W}\n" + act("Volt Lash", "Golem 1", 8, 4, "14, miss")),),
    ),
    ("defense", "Vesna side-steps (+3).", (("ves", MISS), ("gm", slam(12, "17, miss") + "\n{W}"))),
    ("total", "With the high ground Vesna has +1 to hit.", (("ves", "{W}\n" + MISS.replace("+ 4 = 6", "+ 5 = 7")),)),
    ("total", "Free attack!", (("ves", MISS), ("gm", "{W}\n" + slam(5, "14, miss").replace("+ 3 = 8", "+ 5 = 10")))),
    (
        "damage",
        "Her blade is gone, so she only has her fists (-2).",
        (("ves", "{W}\n" + HIT.replace("+ 3 = 10", "+ 1 = 8")),),
    ),
    (
        "outcome",
        "The GM ruled that the pillar takes it.",
        (("ves", act("Volt Lash", "Golem 1", 9, 4, "12, miss") + "\n{W}"),),
    ),
    (
        "bind-level",
        "The vines hold Vesna's legs now (level 1).",
        (
            ("ves", MISS),
            ("gm", "{W}\n" + VINE.replace("0 -> 1", "1 -> 2").replace("DEF 14", "DEF 14")),
        ),
    ),
    (
        "escape",
        "Vines snare Vesna around the legs.",
        (("gm", "{W}"), ("ves", "[Announce: struggle]\n[Struggle (legs): 1d20 = {1d20:9}, level 2 -> 1]")),
    ),
    ("hp", "Vesna drinks a potion.", (("gm", HURT), ("ves", "{W}\n" + MISS + "\nHP: 40/40"))),
    (
        "hp",
        "A warm light fills the hall and everyone is healed to full.",
        (("gm", HURT), ("gm", "{W}\nVesna: 40/40 HP")),
    ),
    ("hp", "Golem 1's fist smashes into Vesna.", (("ves", MISS), ("gm", "{W}\nVesna: 34/40 HP"))),
    ("hp", "Golem 1 hits Vesna for six damage, Golem 2 for 3.", (("ves", MISS), ("gm", "{W}\nVesna: 31/40 HP"))),
    (
        "hp",
        "But Hana throws herself in between and takes it.",
        (("ves", MISS), ("gm", HURT.split("\n", maxsplit=1)[0] + "\n{W}\nVesna: 40/40 HP")),
    ),
    ("hp", "A spike trap clips Vesna.", (("gm", "{W}"), ("ves", MISS + "\nHP: 37/40"))),
    (
        "stance",
        "Golem 1 swings its fist at Vesna, but she ducks.",
        (("gm", "{W}"), ("ves", "[Move: standing still]\n" + act("Iron Heel", "Golem 1", 2, 5, "12, miss"))),
    ),
    (
        "struggles",
        "She roots herself to the spot and works at the knots.",
        (
            ("gm", VINE),
            (
                "ves",
                "{W}\n[Struggle (legs): 1d20 = {1d20:2}, level 1 -> 1]\n"
                "[Struggle (legs): 1d20 = {1d20:9}, level 1 -> 0]",
            ),
        ),
    ),
    (
        "too-early",
        "It is her third turn, at last.",
        (("ves", "{W}\n" + act("Sun Lance", "Golem 1", 2, 3, "12, miss")),),
    ),
    (
        "cooldown",
        "The altar resets all cooldowns.",
        (("ves", NEEDLE), ("gm", "{W}\n" + slam(5, "14, miss")), ("ves", NEEDLE)),
    ),
    (
        "free-attack",
        "Golem 1 uses the opening: its free attack swings wide.",
        (("ves", NAT_1), ("gm", "{W}\n" + slam(5, "13, miss", "Hana", "Golem 2"))),
    ),
    (
        "free-attack",
        "It smashes its own foot.",
        (
            ("ves", MISS),
            ("gm", "[Action: Golem 1: Slam -> Vesna: 1d20 {1d20:1} + 3 = 4 vs DEF 14, Nat 1 - critical fail]\n{W}"),
        ),
    ),
    (
        "announce",
        "But Golem 1 ducks away, so she turns on the other one instead.",
        (
            (
                "ves",
                MISS.replace("Action: Volt Lash -> Golem 1", "Action: Volt Lash -> Golem 2").replace(
                    "]\n", "]\n{W}\n", 1
                ),
            ),
        ),
    ),
    (
        "acts-while-down",
        "Vesna drags Hana back to her feet with a phoenix feather.",
        (
            ("gm", slam(15, "13, hit; damage 1d6 {1d6:5} + 1 = 6", "Hana") + "\nHana: 0/6 HP"),
            ("ves", "{W}\n" + MISS),
            ("han", MISS),
        ),
    ),
    (
        "post/out-of-turn",
        "Both golems grind their teeth and circle the two.",
        (("ves", MISS), ("gm", "{W}"), ("ves", MISS)),
    ),
)


def judged(posts: Posts, words: str, folder: Path) -> list[Finding]:
    """The findings of a battle of two players against two golems."""
    sheets = [("Vesna", "ves", 40, 14), ("Hana", "han", 6, 13)]
    people: list[dict[str, Any]] = [
        {"name": n, "player": p, "side": "players", "stats": {"HP": hp, "DEF": d}, "abilities": list(ABILITIES)}
        for n, p, hp, d in sheets
    ]
    people += [
        {"name": f"Golem {n}", "player": "gm", "side": "enemies", "stats": {"HP": 25, "DEF": 12, "ATK": 3}}
        for n in (1, 2)
    ]
    texts = [("gm", SHEET), *((author, text.replace("{W}", words)) for author, text in posts)]
    data = {
        "schema": "referee/transcript@1",
        "ruleset": "d20_arena",
        "title": "told",
        "characters": people,
        "tables": {"abilities": ABILITIES, "bind_levels": {"legs": {1: {"defense": -1}, 2: {"defense": -2}}}},
        "rolls": {},
        "posts": [
            {
                "id": f"p{n}",
                "author": author,
                "at": f"2026-03-01T{n:02}:00:00Z",
                "text": re.sub(r"\{(\d*d\d+):([\d, ]+)\}", r"[roll=\1]\2[/roll]", text),
            }
            for n, (author, text) in enumerate(texts, 1)
            if text.strip()
        ],
    }
    path = folder / "battle.json"
    path.write_text(json.dumps(data), "utf-8")
    return list(judge_battle(load_transcript(path, {"d20_arena": RULESET}), RULESET).findings)


def alarms(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings if finding.severity != "notice"]


@pytest.mark.parametrize(("code", "words", "posts"), TOLD, ids=[words[:40] for _, words, _ in TOLD])
def test_words_leave_open_what_would_be_found_without_them(code: str, words: str, posts: Posts, tmp_path: Path) -> None:
    full = code if "/" in code else f"d20_arena/{code}"
    assert full in alarms(judged(posts, "", tmp_path))
    found = judged(posts, words, tmp_path)
    assert alarms(found) == []
    assert any(words[:20] in f.message for f in found if f.code == "post/unchecked")


@pytest.mark.parametrize(
    "words",
    [
        "If she had stood still, it would have been over.",
        "((OOC: if I had rolled under 20 I'd have switched characters, haha))",
        "The crowd stood still. Behind them the tide had taken another 6 inches of the quay.",
        "The floorboards hit back harder than Vesna ever had.",
        "The bridge (built in 1432, mended once) groaned under their boots.",
        '"Potion of the house, 4 coins!"',
        "For 2 heartbeats nobody moved.",
        "Vesna was bound for the coast before all this.",
    ],
)
def test_scenery_explains_nothing(words: str, tmp_path: Path) -> None:
    posts: Posts = (
        ("ves", "{W}\n" + MISS.replace("+ 4 = 6", "+ 4 = 8")),
        ("han", MISS.replace("Action: Volt Lash -> Golem 1", "Action: Volt Lash -> Golem 2")),
        ("gm", "{W}\n" + slam(2, "11, miss")),
        ("ves", "{W}\n" + MISS + "\nHP: 38/40"),
        ("gm", "{W}\n" + slam(2, "14, miss") + "\nVesna: 40/40 HP"),
    )
    codes = ["d20_arena/announce", "d20_arena/defense", "d20_arena/hp", "d20_arena/total"]
    assert sorted(set(alarms(judged(posts, words, tmp_path)))) == codes


@pytest.mark.parametrize(
    "words",
    [
        "Vesna regained her footing.",
        "She had not slept for two days.",
        "Everyone rested their eyes on Vesna.",
        "Somebody shielded a candle.",
        "He absorbed the news.",
        "The guard stepped between the crowd and the ring.",
        "She took it in stride.",
    ],
)
def test_what_gives_no_hp_back_explains_none(words: str, tmp_path: Path) -> None:
    missed = HURT.replace("34/40", "38/40")
    assert alarms(judged((("ves", MISS), ("gm", f"{missed}\n{words}")), "", tmp_path)) == ["d20_arena/hp"]


@pytest.mark.parametrize(
    "words",
    [
        "A wall of ice absorbs the blow.",
        "Hana steps between the golem and Vesna.",
        "She recovers a little.",
        "Hana guards.",
    ],
)
def test_what_keeps_hp_explains_them(words: str, tmp_path: Path) -> None:
    less = HURT.replace("34/40", "38/40")
    assert alarms(judged((("ves", MISS), ("gm", f"{less}\n{words}")), "", tmp_path)) == []


@pytest.mark.parametrize(
    "words",
    [
        "The floorboards hit back harder than Golem 1 ever had.",
        "Vesna kicks a pebble at Golem 1.",
        "Golem 2 swings its fist at Vesna, right past Golem 1.",
        "Golem 1 grinned; a shutter hit the wall.",
    ],
)
def test_only_a_blow_of_the_enemys_own_allows_melee_while_standing(words: str, tmp_path: Path) -> None:
    heel = "[Move: standing still]\n" + act("Iron Heel", "Golem 1", 2, 5, "12, miss")
    assert alarms(judged((("gm", words), ("ves", heel)), "", tmp_path)) == ["d20_arena/stance"]


@pytest.mark.parametrize("words", ["Vesna is struck by the golem.", "The golem's iron fist catches her jaw."])
def test_a_blow_told_of_the_enemy_allows_melee_while_standing(words: str, tmp_path: Path) -> None:
    heel = "[Move: standing still]\n" + act("Iron Heel", "Golem 1", 2, 5, "12, miss")
    assert alarms(judged((("gm", words), ("ves", heel)), "", tmp_path)) == []


def test_an_addend_that_says_what_it_is_for_is_left_open(tmp_path: Path) -> None:
    text = act("Volt Lash", "Golem 1", 8, 4, "12 + 2 (cover) = 14, miss")
    found = judged((("ves", text),), "", tmp_path)
    assert alarms(found) == []
    assert any("the tag adds +2 for cover" in f.message for f in found)


def test_the_gm_may_make_the_free_attack_in_a_second_post(tmp_path: Path) -> None:
    free = "[Free attack: Golem 1: Slam -> Vesna: 1d20 {1d20:5} + 3 + 2 = 10 vs DEF 14, miss]"
    one = ("gm", slam(5, "13, miss", "Hana", "Golem 2"))
    assert alarms(judged((("ves", NAT_1), one, ("gm", free)), "", tmp_path)) == []
    assert alarms(judged((("ves", NAT_1), one, ("han", MISS), ("gm", free)), "", tmp_path)) == ["d20_arena/free-attack"]


@pytest.mark.parametrize("aside", ["((OOC: I am away. Back on Monday!))", "OOC: brb, sorry", "[ooc]Back soon.[/ooc]"])
def test_a_gm_who_only_chats_out_of_character_has_had_no_turn(aside: str, tmp_path: Path) -> None:
    found = judged((("ves", MISS), ("gm", aside), ("ves", MISS)), "", tmp_path)
    assert alarms(found) == ["post/out-of-turn"]
