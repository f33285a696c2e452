"""Whole posts of d20_arena in other spellings than the notation's: right they raise nothing, wrong they are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.d20_arena_mini import found, judged

# -- bind levels (ND4, ND19) ------------------------------------------------------------------------------

CAST = "[Announce: Chain Cast on Golem 1]\n"
HIT = "1d20 ([roll=1d20]12[/roll]) + 4 = 16 vs DEF 13"
LOOSE = [
    "Bind level 0 -> {} (legs)",
    "bind level {} (legs)",
    "Bind level (legs): {}",
    "Bind level: legs 0 -> {}",
    "Bind level now {} (legs).",
    "Legs: 0 -> {}",
    "Legs level {}",
    "Binding: level {} (legs)",
    "Golem 1's bind level: 0 -> {} (legs)",
    "- Bind level 0 \u2192 {} (legs)",
    "Bind level: 0 + 1 = {} (legs)",
]
TAGGED = [
    "bind level legs 0 -> {}",
    "bind level (legs) 0 -> {}",
    "bind level: legs {}",
    "bind level {} on the legs",
    "bind level now {} (legs)",
    "bind level +1 = {} (legs)",
    "bind level 0 + 1 = {} (legs)",
    "binding level 0 to {} (legs)",
    "bind level {}/8 (legs)",
    "legs 0 -> {}",
    "legs bound to level {}",
    "level 0 -> {} (legs)",
    "bind 0 -> {} (legs)",
]
BOTH = [f"{CAST}To hit: {HIT} - Hit!\n{line}" for line in LOOSE] + [
    f"{CAST}[Action: Chain Cast -> Golem 1: {HIT}, hit; {words}]" for words in TAGGED
]


@pytest.mark.parametrize("text", BOTH)
def test_a_level_is_read_wherever_its_area_stands(text: str, tmp_path: Path) -> None:
    right = judged(tmp_path, ("hana", text.format(1)))
    assert found(right) == []
    assert [claim.values["level"] for claim in right.posts[0].claims if "level" in claim.values] == [1]
    assert found(judged(tmp_path, ("hana", text.format(2)))) == [("d20_arena/bind-level", 2, [1])]


def test_a_loose_line_may_spill_over(tmp_path: Path) -> None:
    lines = "Bind level 7 -> 8 (legs), spill-over torso 0 -> {}"
    roll = "1d20 ([roll=1d20]20[/roll]) + 4 = 24"
    slam = f"[Action: Golem 1: Chain Cast -> Hana: {roll} vs DEF 13, Nat 20 - critical hit]\n"
    assert found(judged(tmp_path, ("gm", slam + lines.format(1)), binds={"legs": 7})) == []
    wrong = judged(tmp_path, ("gm", slam + lines.format(2)), binds={"legs": 7})
    assert found(wrong) == [("d20_arena/bind-level", 2, [1])]


@pytest.mark.parametrize(
    "line", ["Golem 2: legs level 1", "Level 3 is where the pumps are.", "Legs level 3 or so, it seemed, and 2 more."]
)
def test_other_lines_below_an_attack_state_no_level_of_it(line: str, tmp_path: Path) -> None:
    text = f"{CAST}To hit: {HIT} - Hit!\n{line}"
    attack = next(c for c in judged(tmp_path, ("hana", text)).posts[0].claims if c.kind == "attack")
    assert "level" not in attack.values


# -- several Defenses (ND8) -------------------------------------------------------------------------------


@pytest.mark.parametrize("defenses", ["13, 12 and 15", "13, 12, and 15", "13/12/15", "13, 12, 15", "13 and 12 and 15"])
def test_every_target_of_one_roll_has_its_defense_in_the_list(defenses: str, tmp_path: Path) -> None:
    wave = (
        "[Announce: Arc Wave on Golem 1, Golem 2, and Golem 3]\n[Action: Arc Wave -> Golem 1, Golem 2, and Golem 3: "
        "1d20 ([roll=1d20]16[/roll]) + 2 = 18 vs Defense {}, hit all; damage 1d6 [[roll=1d6]3[/roll]] + 1 = 4 each]"
    )
    one = ("d20_arena/roll-per-target", None, None)
    assert found(judged(tmp_path, ("hana", wave.format(defenses)))) == [one]
    wrong = judged(tmp_path, ("hana", wave.format(defenses.replace("15", "11"))))
    assert found(wrong) == [("d20_arena/defense", 11, [15]), one]


# -- attacks (ND2, X19) -----------------------------------------------------------------------------------

LASH = "[Announce: Volt Lash on Golem 1]\n"
D20, D6 = "[roll=1d20]15[/roll]", "[roll=2d6]3, 5[/roll]"
ATTACKS = [
    f"[Action: Volt Lash > Golem 1: 1d20 ({D20}) + 4 = {{t}} vs Defense {{d}}, hit; damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash at Golem 1. 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, HIT. Damage 2d6 ({D6}) + 3 = {{n}}]",
    f"[Action: Volt Lash vs Golem 1: 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, hit, dmg 2d6 ({D6}) + 3 = {{n}} damage]",
    f"[Action: Volt Lash -> Golem 1: d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, a hit! 2d6 ({D6}) + 3 = {{n}} fire damage]",
    f"[Action: Volt Lash -> Golem 1: 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, hit for 2d6 [{D6}] + 3 = {{n}} damage]",
    f"[Action: Volt Lash -> Golem 1: to hit 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, hit; damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem 1: rolled {D20} + 4 = {{t}} vs DEF {{d}}, hit; damage {D6} + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem 1 | 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}} | hit | damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem 1: 1d20 ({D20}) + 4 = {{t}} >= {{d}}, hit; damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem 1: 1d20 ({D20}) + 4 = {{t}} > {{d}}, hit; damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem 1: 1d20 ({D20}) + 4 = {{t}} \u2265 {{d}}, hit; damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem 1 (DEF {{d}}): 1d20 ({D20}) + 4 = {{t}}, hit; damage 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash (+4) -> the Golem 1: 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, hit; dmg 2d6 [{D6}] + 3 = {{n}}]",
    f"[Action: Volt Lash -> Golem #1: 1d20+4 {D20} = {{t}} vs DEF {{d}}, hit; damage 2d6+3 {D6} = {{n}}]",
    f"[Action: Volt Lash -> Golem1: 1d20+4 = {{t}} {D20} vs DEF {{d}}, hit; damage 2d6+3 = {{n}} {D6}]",
]
ATTACKS += [
    f"[Action: Volt Lash -> Golem 1: I roll 1d20 ({D20}) + 4 = {{t}} vs def{{d}}, it hits; dmg 2d6 [{D6}] + 3 = {{n}}]",
    f"Volt Lash Golem 1: 1d20 ({D20}) + 4 = {{t}} vs DEF {{d}}, hit; damage 2d6 [{D6}] + 3 = {{n}}",
    f"Hana Volt Lash Golem 1 {D20}+4={{t}} vs {{d}} hit, damage {D6}+3={{n}}",
    f"Volt Lash: 1d20 + 4 \u21d2 ({D20}) + 4 = {{t}} vs DEF {{d}}, hit\nDamage: 2d6 + 3 \u21d2 ({D6}) + 3 = {{n}}",
]


@pytest.mark.parametrize("text", ATTACKS)
def test_every_number_of_an_attack_is_read(text: str, tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("hana", LASH + text.format(t=19, d=13, n=11)))) == []
    for code, claimed, right in (("total", 18, [19]), ("defense", 14, [13]), ("damage", 12, [11])):
        said = {"t": 19, "d": 13, "n": 11} | {code[0] if code != "damage" else "n": claimed}
        wrong = judged(tmp_path, ("hana", LASH + text.format(**said)))
        assert found(wrong) == [(f"d20_arena/{code}", claimed, right)]


@pytest.mark.parametrize(
    "words",
    [
        "vs. Golem 1",
        "to Golem 1",
        "for Golem 1",
        "(Golem 1)",
        ", target Golem 1",
        "on the Golem 1",
        "> Golem 1",
        "on Golem #1",
        "-> Golem1",
    ],
)
def test_the_announced_target_is_read(words: str, tmp_path: Path) -> None:
    act = f"[Action: Volt Lash -> Golem {{}}: 1d20 ({D20}) + 4 = 19 vs DEF {{}}, hit; damage 2d6 [{D6}] + 3 = 11]"
    announce = f"[Announce: Volt Lash {words}]\n"
    assert found(judged(tmp_path, ("hana", announce + act.format(1, 13)))) == []
    other = judged(tmp_path, ("hana", announce + act.format(2, 12)))
    assert found(other) == [("d20_arena/announce", "Volt Lash on Golem 2", None)]


def test_a_sum_with_a_roll_in_no_known_form_is_named(tmp_path: Path) -> None:
    report = judged(tmp_path, ("gm", "Golem 1 slams Hana, [roll=1d20]9[/roll]+4=13 vs 14, miss"))
    assert [code for code, _, _ in found(report)] == ["post/unread-tag"]


def test_a_natural_twenty_in_words_is_one(tmp_path: Path) -> None:
    text = (
        "[Action: Volt Lash -> Golem 1: 1d20 ([roll=1d20]{}[/roll]) + 4 = {}. NATURAL {}! damage 2d6 [{}] + 3{} = {}]"
    )
    crit = text.format(20, 24, "TWENTY", D6, " + 1d6 [[roll=1d6]4[/roll]]", 15)
    assert found(judged(tmp_path, ("hana", LASH + crit))) == []
    said = judged(tmp_path, ("hana", LASH + text.format(15, 19, "TWENTY", D6, "", 11)))
    assert ("d20_arena/outcome", "critical hit", ["hit"]) in found(said)


def test_a_reaction_with_an_exclamation_mark_is_one(tmp_path: Path) -> None:
    slam = "[Action: Golem 1: Slam -> Hana: 1d20 ([roll=1d20]12[/roll]) + 4 = 16 vs DEF 17, miss]"
    duck = "Reaction: Hana uses Duck! Defense 14 + {} = 17\n"
    assert found(judged(tmp_path, ("gm", duck.format(3) + slam))) == []


@pytest.mark.parametrize("sign", ["=>", "->", "="])
def test_hp_behind_an_arrow(sign: str, tmp_path: Path) -> None:
    text = f"{LASH}{ATTACKS[0].format(t=19, d=13, n=11)}\nGolem 1 {sign} {{}}/40 HP"
    assert found(judged(tmp_path, ("hana", text.format(29)))) == []
    assert found(judged(tmp_path, ("hana", text.format(28)))) == [("d20_arena/hp", 28, [29])]


# -- what a struggle leaves (ND4, ND20) -------------------------------------------------------------------

FREED = [
    "[Struggle: 1d20 = [roll=1d20]14[/roll], legs 3 -> {}]",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll] -> level {}]",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll], now level {}]",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll] (2 levels), level 3 -> {}]",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll], 3 -> {}]",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll], level 3 - 2 = {}]",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll]]\nBind level: {} (legs)",
    "Struggle (legs): 1d20 = [roll=1d20]14[/roll]\nLevel 3 -> {}",
    "[Struggle (legs): 1d20 = [roll=1d20]14[/roll]]\nlegs 3 -> {}",
]


@pytest.mark.parametrize("text", FREED)
def test_the_level_that_a_struggle_leaves_is_read(text: str, tmp_path: Path) -> None:
    announce = "[Announce: struggle against the bindings]\n"
    binds = {"legs": 3, "arms": 2}
    assert found(judged(tmp_path, ("hana", announce + text.format(1)), binds=binds)) == []
    wrong = judged(tmp_path, ("hana", announce + text.format(2)), binds=binds)
    assert found(wrong) == [("d20_arena/escape", 2, [1])]


def test_a_help_frees(tmp_path: Path) -> None:
    text = "[Announce: help Hana with the bindings]\n[Help: Hana (legs): 1d20+4 [roll=1d20]{}[/roll] = {}, {}]"
    binds = {"legs": 3}
    assert found(judged(tmp_path, ("goro", text.format(14, 18, "free")), binds=binds)) == []
    assert found(judged(tmp_path, ("goro", text.format(14, 18, "legs 3 -> 0")), binds=binds)) == []
    assert found(judged(tmp_path, ("goro", text.format(9, 13, "free")), binds=binds)) == [("d20_arena/escape", 0, [2])]
    assert found(judged(tmp_path, ("goro", text.format(9, 14, "legs 3 -> 2")), binds=binds)) == [
        ("d20_arena/total", 14, [13])
    ]


# -- free attacks and critical fails (A13, A14, ND7) ------------------------------------------------------

FUMBLED = f"{LASH}[Action: Volt Lash -> Golem 1: 1d20 ([roll=1d20]1[/roll]) + 4 = 5 vs DEF 13, Nat 1 - critical fail]"
SWING = "Slam -> Hana: 1d20 ([roll=1d20]10[/roll]) + 4{} vs DEF 14, {}; damage 1d6 [[roll=1d6]3[/roll]] + 1 = 4]"


@pytest.mark.parametrize(
    "head",
    [
        "[Action: Golem 1: free attack, ",
        "[Action: Golem 1: free attack - ",
        "Free attack! [Action: Golem 1: ",
        "[Free attack: Golem 1 ",
        "As he stumbled: [Action: Golem 1: ",
    ],
)
def test_an_attack_at_the_bonus_of_a_free_one_is_the_free_attack(head: str, tmp_path: Path) -> None:
    fine = judged(tmp_path, ("hana", FUMBLED), ("gm", head + SWING.format(" + 2 = 16", "hit")))
    assert found(fine) == []


def test_without_the_bonus_the_free_attack_is_missing(tmp_path: Path) -> None:
    plain = "[Action: Golem 1: " + SWING.format(" = 14", "hit")
    missing = ("d20_arena/free-attack", None, None)
    assert found(judged(tmp_path, ("hana", FUMBLED), ("gm", plain))) == [missing]
    both = "[Free attack: Golem 1: " + SWING.format(" + 2 = 16", "hit") + "\n"
    wrong = judged(tmp_path, ("hana", FUMBLED), ("gm", both + "[Action: Golem 1: " + SWING.format(" + 2 = 16", "hit")))
    assert found(wrong) == [("d20_arena/total", 16, [14])]


TURNED = "[Action: Golem 1: Slam -> Hana: 1d20+4 = 5 [roll=1d20]1[/roll] vs DEF 14, critical fail; {}]"


@pytest.mark.parametrize(
    "words",
    [
        "damage 1d6+1 = 4 [roll=1d6]3[/roll] to itself",
        "damage 1d6+1 = 4 [roll=1d6]3[/roll] (to itself)",
        "hits itself: damage 1d6+1 = 4 [roll=1d6]3[/roll]",
        "damage to itself 1d6+1 = 4 [roll=1d6]3[/roll]",
        "damage to Golem 1 itself: 1d6+1 = 4 [roll=1d6]3[/roll]",
        "self damage 1d6+1 = 4 [roll=1d6]3[/roll]",
    ],
)
def test_damage_that_an_enemy_turns_on_itself(words: str, tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("gm", TURNED.format(words) + "\nGolem 1: 36/40 HP"))) == []


def test_damage_that_is_not_turned_is_found(tmp_path: Path) -> None:
    report = judged(tmp_path, ("gm", TURNED.format("damage 1d6+1 = 4 [roll=1d6]3[/roll]")))
    assert found(report) == [("d20_arena/free-attack", None, None)]


@pytest.mark.parametrize(
    "words", ["save 1d20 = {} vs 11", "saving throw 1d20 = {} vs 11", "saves with 1d20 ({}) vs 11"]
)
def test_a_saving_throw_in_other_words(words: str, tmp_path: Path) -> None:
    text = "[Action: Golem 1: Vine -> Hana: 1d20 ([roll=1d20]15[/roll]) + 4 = 19 vs DEF 14, hit; {}, {}]"
    roll = words.format("[roll=1d20]14[/roll]")
    assert found(judged(tmp_path, ("gm", text.format(roll, "resisted")))) == []
    wrong = judged(tmp_path, ("gm", text.format(roll, "failed")))
    assert found(wrong) == [("d20_arena/bind-level", None, [0])]


# -- HP in words (ND6) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "Golem 1 has {} HP left",
        "Golem 1 HP 40 -> {}",
        "Golem 1: -11 HP ({}/40)",
        "Golem 1 takes 11, {}/40 HP left",
        "Golem 1 takes 11 damage, leaving it at {}/40 HP.",
        "Golem 1 now has {} HP",
        "Golem 1 drops to {} HP.",
        "Golem 1 is down to {} HP!",
    ],
)
def test_the_hp_that_a_line_of_words_leaves(line: str, tmp_path: Path) -> None:
    text = f"{LASH}{ATTACKS[0].format(t=19, d=13, n=11)}\n{line}"
    assert found(judged(tmp_path, ("hana", text.format(29)))) == []
    assert found(judged(tmp_path, ("hana", text.format(27)))) == [("d20_arena/hp", 27, [29])]


@pytest.mark.parametrize(
    "line",
    [
        "Golem 1 has 40 HP",
        "Golem 1 has 3 HP potions and 2 knives.",
        "Golem 1 fell to 12 HP when the bomb went off, said the crowd.",
        "Golem 1 loses 10 HP.",
        "Golem 1 has 99 HP.",
        "Golem 1 is at 30, give or take, and the HP bar blinks.",
    ],
)
def test_other_words_about_hp_are_prose(line: str, tmp_path: Path) -> None:
    text = f"{LASH}{ATTACKS[0].format(t=19, d=13, n=11)}\n{line}"
    assert found(judged(tmp_path, ("hana", text))) == []


def test_two_hit_rolls_in_one_tag_are_not_one_for_both(tmp_path: Path) -> None:
    rolls = "1d20 ([roll=1d20]13[/roll]) + 2 = 15 vs DEF 13, hit; 1d20 ([roll=1d20]5[/roll]) + 2 = 7 vs DEF 12, miss"
    wave = "[Announce: Arc Wave on Golem 1 and Golem 2]\n[Action: Arc Wave -> Golem 1 and Golem 2: {}]"
    behind = f"{rolls}; damage 1d6 [[roll=1d6]4[/roll]] + 1 = 5"
    for words, code in ((rolls, "post/unchecked"), (behind, "post/unread-tag")):
        assert [found.code for found in judged(tmp_path, ("hana", wave.format(words))).findings] == [code]


def test_a_sum_of_levels_that_is_cut_down_is_not_the_level(tmp_path: Path) -> None:
    roll = "1d20 ([roll=1d20]20[/roll]) + 4 = 24"
    cast = f"[Action: Golem 1: Chain Cast -> Hana: {roll} vs DEF 13, Nat 20 - critical hit; {{}}]"
    for words in ("bind level 7 + 2 = 9, so 8 (legs)", "bind level 7 + 2 = 9 (max 8)", "bind level 9, capped at 8"):
        report = judged(tmp_path, ("gm", cast.format(words)), binds={"legs": 7})
        assert [code for code, _, _ in found(report)] == ["post/unread-tag"]


# -- Reaction Abilities (ND21) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["Duck, Defense 14 + 3 = {}", "Duck (+3): DEF 14 + 3 = {}", "Duck, Defense 14 -> {}", "Duck, 14 + 3 = {}"]
)
def test_a_reaction_that_raises_the_defense(words: str, tmp_path: Path) -> None:
    slam = "[Action: Golem 1: Slam -> Hana: 1d20 ([roll=1d20]12[/roll]) + 4 = 16 vs DEF {}, {}"
    calm = ("hana", FUMBLED.replace("1[/roll]) + 4 = 5", "2[/roll]) + 4 = 6").replace("Nat 1 - critical fail", "miss"))
    text = f"[Reaction: Hana: {words}]\n{slam}]"
    assert found(judged(tmp_path, calm, ("gm", text.format(17, 17, "miss")))) == []
    assert found(judged(tmp_path, calm, ("gm", text.format(18, 18, "miss")))) != []


@pytest.mark.parametrize("defense", ["17 (Duck)", "17 (14 + 3 Duck)", "14 + 3 (Duck) = 17"])
def test_a_reaction_inside_the_attack_is_named_and_no_error(defense: str, tmp_path: Path) -> None:
    calm = ("hana", FUMBLED.replace("1[/roll]) + 4 = 5", "2[/roll]) + 4 = 6").replace("Nat 1 - critical fail", "miss"))
    slam = f"[Action: Golem 1: Slam -> Hana: 1d20 ([roll=1d20]12[/roll]) + 4 = 16 vs DEF {defense}, miss]"
    assert [code for code, _, _ in found(judged(tmp_path, calm, ("gm", slam)))] == ["post/unchecked"]
    wrong = slam.replace("17", "19").replace("14 + 3", "16 + 3")
    assert [code for code, _, _ in found(judged(tmp_path, calm, ("gm", wrong)))] == ["d20_arena/defense"]


# -- links that stand apart from their rolls (G8) ---------------------------------------------------------

RECORDS = {
    f"http://dice.example/r/{n}": {"at": "2026-03-01T09:00:00Z", "by": "Hana", "expression": dice, "values": values}
    for n, dice, values in ((1, "1d20", [15]), (2, "2d6", [3, 5]), (3, "1d6", [3]), (4, "1d6", [5]), (5, "1d20", [9]))
}
ONE, TWO, THREE, FOUR, FIVE = (f"[url={link}]roll[/url]" for link in RECORDS)
HIDDEN = LASH + "[Action: Volt Lash -> Golem 1: 1d20+4 = 19{} vs DEF 13, hit; damage 2d6+3 = 11{}]{}"


@pytest.mark.parametrize(
    "links",
    [
        ("", f" {ONE} {TWO}", ""),
        ("", f" {ONE} {THREE} {FOUR}", ""),
        ("", f" {TWO} {ONE}", ""),
        ("", "", f"\nRolls: {ONE} {THREE} {FOUR}"),
        ("", "", f"\nTo hit: {ONE}\nDamage: {TWO}"),
        ("", "", f"\nTo hit roll: {ONE}, damage roll: {TWO}"),
        ("", "", "\nhttp://dice.example/r/1\nhttp://dice.example/r/2"),
    ],
)
def test_links_apart_go_to_the_rolls_of_their_dice(links: tuple[str, str, str], tmp_path: Path) -> None:
    assert found(judged(tmp_path, ("hana", HIDDEN.format(*links)), rolls=RECORDS)) == []


@pytest.mark.parametrize(
    ("links", "codes"),
    [
        (("", f" {TWO}", ""), ["dice/no-link"]),
        (("", f" {THREE} {FOUR}", ""), ["dice/no-link"]),
        ((f" {ONE}", "", f"\nRolls: {FIVE}"), ["dice/no-link"]),
        (("", f" {TWO}", f"\nRolls: {FIVE}"), ["dice/no-link"]),
        ((f" {THREE}", f" {TWO}", ""), ["dice/expression"]),
    ],
)
def test_a_link_to_other_dice_is_nobodys(links: tuple[str, str, str], codes: list[str], tmp_path: Path) -> None:
    assert [code for code, _, _ in found(judged(tmp_path, ("hana", HIDDEN.format(*links)), rolls=RECORDS))] == codes
