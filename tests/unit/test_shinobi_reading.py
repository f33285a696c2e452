"""Tags as players write them: read as meant, unread where not, prose left alone."""

from __future__ import annotations

from typing import Any

import pytest

from referee.engine.script import scripts_of
from referee.model.battle import Character
from referee.model.claims import Reading
from referee.model.text import Block
from referee.ports.rules import Sheets
from rules.shinobi.model import (
    Ability,
    Correction,
    Damage,
    Dodge,
    Guard,
    LossTag,
    Notes,
    Setup,
    StatBlock,
    Status,
    Take,
)
from rules.shinobi.reading.corrections import amend
from rules.shinobi.reading.post import read
from rules.shinobi.tables import tables_for

CHARACTERS = (
    Character("Ren Aoki", "ren", "a"),
    Character("Kaito Mori", "kaito", "b"),
    Character("Jiro Sato", "jiro", "b"),
)
TABLES = {
    **tables_for(None, None),
    "techniques": {"Twin Gale": {}, "Kawarimi no Jutsu": {"aliases": ["Body Substitute Technique"]}, "Glass Eye": {}},
    "skills": {"Knowing the Elements": {}},
    "items": {"Field Bandage": {}, "Soldier Pill": {}},
    "weapons": {"kunai": {}, "windmill shuriken": {}},
}
SHEETS = Sheets(CHARACTERS, TABLES)


def reading(text: str) -> Reading:
    return read(scripts_of((Block("own", text),)), "ren", SHEETS)


def only(text: str) -> Any:
    found = reading(text)
    assert len(found.claims) == 1, [c.quote for c in found.claims]
    assert not found.unread
    return found.claims[0].data


@pytest.mark.parametrize(
    ("text", "chance", "rolls", "words"),
    [
        ("[Enemy Attacks have a 20% chance to hit; Ninja B rolled a 70, 17, 3]", 20, (70, 17, 3), ()),
        ("[20% to hit: rolled 70, 17 and 3]", 20, (70, 17, 3), ()),
        ("[Dodge roll (needs over 75): 83]", 75, (83,), ()),
        ("(DODGE ROLLS (NEEDS OVER 75): 83, 12)", 75, (83, 12), ()),
        ("[20% to hit: rolled 70 (dodged), 17 (blocked), 3 (hit)]", 20, (70, 17, 3), ("dodged", "blocked", "hit")),
        ("[vs Kaito: 20% to hit: rolled 70]", 20, (70,), ()),
        ("[Kaito's attack: Dodge roll (needs over 20): 70]", 20, (70,), ()),
        ("[vs. KAITO MORI: 20% to hit: rolled 1 (critical)]", 20, (1,), ("critical",)),
        ("[Kaito's Attacks have a 20% chance to hit; Ren rolled a 70 and a 17.]", 20, (70, 17), ()),
        ("[Kaito: 20% to hit: 70 (dodged!), 17 (blocked for 6)]", 20, (70, 17), ("dodged", "blocked")),
        ("[Response: 20% to hit: rolled 70 | 17; dodged, blocked]", 20, (70, 17), ("dodged", "blocked")),
        ("[need a 20/100 to dodge, rolls a 70, 17]", 20, (70, 17), ()),
        ("[Dodge roll (needs 21+): 1d100 = 70, then 17]", 20, (70, 17), ()),
        ("Enemy attacks have a 20% chance to hit; Ren rolled a 70, 17", 20, (70, 17), ()),
    ],
)
def test_dodge(text: str, chance: int, rolls: tuple[int, ...], words: tuple[str, ...]) -> None:
    found = only(text)
    assert isinstance(found, Dodge)
    assert (found.chance, found.written.values) == (chance, rolls)
    assert tuple(w for w in found.outcomes if w) == words
    assert found.attacker == ("Kaito Mori" if "aito" in text.casefold() else None)


@pytest.mark.parametrize(
    ("text", "parts", "target"),
    [
        ("[Damage: 1 - punch x2, 1 - kick]", [(1, 2, "punch", None, None), (1, 1, "kick", None, None)], None),
        ("[Damage: 5 + 3 = 8 per punch, x2]", [(8, 2, "punch", 5, 3)], None),
        ("[Damage: 20 \u2013 3 = 17 per hit, x4 (Twin Gale)]", [(17, 4, "twin gale", 20, -3)], None),
        ("[Damage: 33 x4 (Twin Gale)]", [(33, 4, "twin gale", None, None)], None),
        ("[33 damage x 4]", [(33, 4, None, None, None)], None),
        ("[Damage: 19 x2]", [(19, 2, None, None, None)], None),
        ("[Damage: 19 - Twin Gale x2]", [(19, 2, "twin gale", None, None)], None),
        ("[Damage: 10 + 12 = 22 (Twin Gale)]", [(22, 1, "twin gale", 10, 12)], None),
        ("[Damage: 9 \u2014 windmill shuriken -> Kaito]", [(9, 1, "windmill shuriken", None, None)], "Kaito Mori"),
        ("[Damage: 5 + 3 = 8 per kick at jiro sato]", [(8, 1, "kick", 5, 3)], "Jiro Sato"),
        ("[Damage: 8 x2 (punch); Target: Kaito Mori]", [(8, 2, "punch", None, None)], "Kaito Mori"),
        ("[damage: 1,720 x2 (punch)]", [(1720, 2, "punch", None, None)], None),
        ("[Damage to Kaito: 8 - punch x2]", [(8, 2, "punch", None, None)], "Kaito Mori"),
        ("[Damage (Kaito): 8 - punch x2; Cost: 10 STM]", [(8, 2, "punch", None, None)], "Kaito Mori"),
        ("[Dmg - 8 per punch, x2 vs Kaito]", [(8, 2, "punch", None, None)], "Kaito Mori"),
        ("[Damage: 8 - punch (x2) = 16]", [(8, 2, "punch", None, None)], None),
        ("[Damage: 8 - left punch and 8 - kick]", [(8, 1, "punch", None, None), (8, 1, "kick", None, None)], None),
        ("[Twin Gale; Cost: 9 CHK; Damage: 15 + 4 = 19 x2]", [(19, 2, "twin gale", 15, 4)], None),
        ("[2 punches, 8 damage each]", [(8, 2, "punches", None, None)], None),
        ("Damage: 8 - punch x2", [(8, 2, "punch", None, None)], None),
    ],
)
def test_damage(text: str, parts: list[tuple[Any, ...]], target: str | None) -> None:
    found = only(text)
    assert isinstance(found, Damage)
    assert [(p.amount, p.hits, p.what, p.base, p.share) for p in found.parts] == parts
    assert found.target == target


def test_long_form() -> None:
    found = only("[8 (kunai base damage) + 20 (accuracy bonus) \u2013 10 (dexterity bonus) = 18 damage]")
    assert isinstance(found, Damage)
    assert [(b.stat, b.value) for b in found.bonuses] == [("accuracy", 20), ("dexterity", -10)]
    assert (found.parts[0].base, found.parts[0].amount) == (8, 18)


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        ("(HP: -13 | CHK: -10 | STM: -15)", (-13, -10, -15)),
        ("[HP \u221213 / Chakra \u201310 / Stamina \u201415]", (-13, -10, -15)),
        ("HP:-13, CHK:-0, STM:-0", (-13, 0, 0)),
        ("(hp: -0 | chakra: 0 | stamina: +2)", (0, 0, 2)),
        ("(Chakra: -3 | HP: -1)", (-1, -3, None)),
        ("((HP: -13 | CHK: \u00b10 | STM: -15))", (-13, 0, -15)),
        ("[HP: -13] [CHK: -10]\n[STM: -15]", (-13, -10, -15)),
        ("- Life: -13\n- Chackra: -10\n- Stamina: -15", (-13, -10, -15)),
        ("(-13 HP (two kicks) | -10 CHK | -15 STM)", (-13, -10, -15)),
        ("Lost: 13 HP, 10 CHK, 15 STM", (-13, -10, -15)),
        ("(HP: -6 - 7 = -13 | CHK: -10 | STM: -15)", (-13, -10, -15)),
    ],
)
def test_loss(text: str, loss: tuple[int | None, ...]) -> None:
    found = only(text)
    assert isinstance(found, LossTag)
    assert (found.hp, found.chakra, found.stamina) == loss


@pytest.mark.parametrize(
    "text",
    [
        "[and the second is the bill]",
        "(she counted 3 of them)",
        "90% of luck was showing up [or so they said]",
        "(used to be a church)",
        "The damage was 5 at most (at Kaito's).",
        "HP: -999 | Patience: -0 | Coffee: +3",
        "A dog barked twice (now).",
        "(Kaito Mori)",
        "Setup was for people with time.",
        "[he looked at Kaito]",
        "(takes it with a smile)",
        "[Takes the bait]",
        "[Guards the door: 2 of them]",
        "(protects Jiro, rolled up in 2 blankets)",
        "(Twin Gale, the old one said, was never his)",
        "[Twin Gale is what they called it in 1902]",
        "(20% to hit the bottle)",
        "(attacks have a 20 year history)",
        "[Damage report: 3 windows]",
        "(poisoned: 3 of them)",
        "(HP: ask the nurse)",
        "(cost him 40 coins)",
        "[Response: he ducks]",
        "[Rolled down 3 stairs]",
        "[Used to be a ninja]",
        "Damage: 3 windows and a door",
        "Used Twin Gale once before, as a boy.",
        "-26 HP is a lot, he thinks.",
        "Edit: added 2 lines about her health",
        "He held out the cup (Ren took it) and waited.",
        "The old man had two coins; Ren (takes them) grins.",
        "Ren stood still (no dodge) and then moved.",
        "Ren stood still (didn't dodge).",
        "Ren stood still (did not roll) like a stone.",
        "A drunk swung; the bartender (took the punch) laughed.",
        "The table (takes 3 damage) broke.",
        "(Ren took it.)",
        "(Ren takes the hit)",
        "(takes 3 damage)",
        "Last year Iruka (activates Twin Gale) won.",
        "Last year Iruka (using Twin Gale against Kaito) lost.",
        "(using Twin Gale against Kaito would be rude)",
        "(used Twin Gale on Kaito once)",
        "(uses Twin Gale? never)",
        "Not that (Twin Gale! Twin Gale!) again.",
        "(Twin Gale for 3 turns)",
        "(Twin Gale for 3 turns of the glass)",
        "(keeps Twin Gale in mind)",
        "Last year Iruka (casts Twin Gale) lost.",
        "The smoke (Twin Gale at its best) rose.",
        "(Twin Gale-like, 3 feet thick)",
        "(Twin Gale, they called it, and not 1 of them could spell it)",
        "(ends Twin Gale)",
        "[Jutsu of the week: Twin Gale]",
        "Used Twin Gale.",
        "[Damage to the tavern was later put at 300 ryo]",
        "[The kunai did damage: 3 holes in the door.]",
        "(the kunai did damage, 3 holes)",
        "(damage to the kick drum: 2 dents)",
        "(punch x2, then breathe)",
        "(a 2x4 and a kick held it up)",
        "A mule (2 kicks, 13 damage each) did it.",
        "(90% of them rolled their eyes, 2 fainted)",
        "(90% of dice rolled here come up 6)",
        "(-1, -2, -3)",
        "(-1/-2/-3)",
        "The score (-3/-2/-1) was steep.",
        "The bill (-3 HP, -4 CHK) was steep.",
        "(h: 3, c: 4)",
        "(cost 3 life lessons)",
        "(heals 2 HP a week)",
        "The shrine (poisoned: 3 HP) fell.",
        "(Kaito guards Ren: 2)",
        "(Kaito protects Jiro, rolls 2 cigarettes)",
        "Dodge roll? Ren rolled left, 3 times.",
        "Dodge rolls are for 3rd-rate dancers.",
        "Dodge rolls: 3 a day keep the doctor away.",
        "Enemy attacks have a way of arriving; Ren rolled a 70 pound barrel.",
        "20% to hit: the bookmaker rolled 3",
        "[Speed 12 / Accuracy 40]",
        "(Defense: 3, Speed: 2)",
        "Life: 0",
        "life -1",
        "(life -1)",
        "HP: 0",
        "Health: 0",
    ],
)
def test_prose_is_no_claim(text: str) -> None:
    found = reading(text)
    assert found.chatter
    assert isinstance(found.notes, Notes)
    assert not found.notes.marks


@pytest.mark.parametrize(
    "text",
    [
        "[Damage: lots x?]",
        "[20% to hit: rolled well]",
        "[vs Kaitoo: 20% to hit: rolled 70]",
        "[Damage: 8 x2 (punch) -> Kaitoo]",
        "[Setup: ponders]",
        "(HP: -x | CHK: -0 | STM: -0)".replace("-x", "-1 of 5"),
        "[Guards Nobody: rolled 3]",
        "[Used ???]",
        "[??% to hit: rolled ?]",
        "[Damage ???]",
        "(HP: lots | CHK: none)",
        "(HP: -? | CHK: -0 | STM: -0)",
        "[vs Kaito: ducks]",
        "[55% to hit: rolled fifty, 88]",
        "[Zoro's attacks have a 55% chance to hit; Ren rolled a 52]",
        "[Guards Jiro with his life: rolled 12]",
        "[Damage: 26 (2 punches)]",
        "[2x 13 damage]",
        "[Hit 1: 13 damage, Hit 2: 13 damage]",
        "[Punch #1: 13]",
        "[Twin Gale - Cost: ten CHK]",
        "[Used Twin Gale in style]",
        "[Silver Tide: 5 CHK]",
        "[Heals 10 HP]",
        "[Deactivates Glass Eye]",
        "[Takes the punch, 55% to hit: rolled 52, 88]",
        "(HP: minus 26 | CHK: 0 | STM: 0)",
        "[-26/-0/-0]",
    ],
)
def test_near_misses_are_unread_never_guessed(text: str) -> None:
    found = reading(text)
    assert [u.quote for u in found.unread] == [text]
    assert not found.claims


@pytest.mark.parametrize(
    ("text", "name", "sort"),
    [
        ("[Kawarimi no Jutsu (Body Substitute Technique)]", "Kawarimi no Jutsu", "technique"),
        ("[USED BODY SUBSTITUTE TECHNIQUE; COST: 10 CHK]", "Kawarimi no Jutsu", "technique"),
        ("[Used Knowing the Elements]", "Knowing the Elements", "skill"),
        ("[Uses a Field Bandage; heals 10 HP]", "Field Bandage", "item"),
        ("[Uses Soldier Pill: +12 CHK]", "Soldier Pill", "item"),
        ("[Item: Field Bandage]", "Field Bandage", "item"),
        ("[Shadow of the Moon]", "Shadow of the Moon", "unknown"),
        ("[Used Silver Tide]", "Silver Tide", "unknown"),
        ("[Used the Twin Gale technique, Cost: 9]", "Twin Gale", "technique"),
        ("[Technique: Twin Gale - 9 CHK]", "Twin Gale", "technique"),
        ("[Kawarimi no Jutsu vs Kaito; 10 CHK; negates the attack]", "Kawarimi no Jutsu", "technique"),
        ("[Item used: his last Field Bandage (+10 HP)]", "Field Bandage", "item"),
        ("Used Twin Gale; Cost: 9 CHK", "Twin Gale", "technique"),
        ("He waits (Used Twin Gale; Cost: 9 CHK).", "Twin Gale", "technique"),
        ("He leaps (Twin Gale -> Kaito) and lands.", "Twin Gale", "technique"),
    ],
)
def test_abilities(text: str, name: str, sort: str) -> None:
    found = only(text)
    assert isinstance(found, Ability)
    assert (found.name, found.sort) == (name, sort)


def test_activation_and_reminder() -> None:
    on, off = only("[Activates Glass Eye; upkeep 4 CHK]"), only("[Glass Eye; upkeep 4 CHK]")
    assert (on.activates, on.reminder, dict(on.upkeep)) == (True, False, {"chakra": 4})
    assert (off.activates, off.reminder) == (False, True)


def test_guard_setup_and_status() -> None:
    guard = reading("[Guards Jiro (vs Kaito): rolled 12]").claims[0].data
    assert isinstance(guard, Guard)
    assert (guard.comrade, guard.attacker, guard.written.values) == ("Jiro Sato", "Kaito Mori", (12,))
    setup = only("(Setup: picks up the windmill shuriken)")
    assert isinstance(setup, Setup)
    assert (setup.verb, setup.thing) == ("picks up", "windmill shuriken")
    status = only("[Status: Fazed (2 turns)]")
    assert isinstance(status, Status)
    assert (status.name, status.turns) == ("fazed", 2)


@pytest.mark.parametrize(
    "text",
    [
        "Ninjutsu: 300\nDefense: 100\nHP: 90",
        "Ninjutsu - 300\n\u2022 Defense \u2013 100\nHP 90",
        "Ninjutsu 300\nDefense 100\nHP 90",
        "Ninjutsu: 300 | Defense: 100 | HP: 90",
        "Ninjutsu | 300\nDefense | 100\nHP | 90",
    ],
)
def test_stat_blocks(text: str) -> None:
    found = only("Ren Aoki\nRank: Chunin\n" + text)
    assert isinstance(found, StatBlock)
    assert dict(found.stats) == {"Ninjutsu": 300, "Defense": 100}
    assert (found.rank, found.name, found.secret) == ("Chuunin", "Ren Aoki", ("hp",))
    assert "90" not in reading("Ren Aoki\nRank: Chunin\n" + text).claims[0].quote


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("(Setup Phase)\nx\n**Main Phase**\ny\n== Main Phase skipped ==", [2, 3, 3]),
        ("Response Phase:\nSetup: he waits.\nMain: he runs.", [1, 2, 3]),
        ("Main Phase skipped", [3]),
        ("The main phase of the moon. Setup, he said.", []),
    ],
)
def test_marks(text: str, marks: list[int]) -> None:
    notes = reading(text).notes
    assert isinstance(notes, Notes)
    assert [m.phase for m in notes.marks] == marks


@pytest.mark.parametrize(
    ("text", "stamina"),
    [
        ("Edit: forgot 5 stamina", -15),
        ("edit: forgot the 5 STM, sorry", -15),
        ("Correction: (HP: -0 | CHK: -1 | STM: -9)", -9),
    ],
)
def test_corrections(text: str, stamina: int) -> None:
    fixed = reading(text)
    assert isinstance(fixed.claims[0].data, Correction)
    amended = amend(reading("[No roll]\n(HP: -0 | CHK: -0 | STM: -10)"), fixed)
    assert amended.claims[-1].values["stamina"] == stamina


def test_a_correction_of_prose_is_none() -> None:
    assert reading("Edit: fixed 2 typos").chatter
    assert reading("Edit: forgot 5 coins").chatter


@pytest.mark.parametrize(
    "text",
    [
        "(fire→smoke)",
        "[a→b]",
        "(a →→→ b)",
        "(->)",
        "(at at at)",
        "(a ⇒Nobody, ➜nobody)",
        "[Damage: 8 x2 (punch) →Nobody]",
        "(target:target:target:)",
    ],
)
def test_signs_of_aim_without_a_known_name_come_to_an_end(text: str) -> None:
    found = reading(f"{text}\n(HP: -0 | CHK: -0 | STM: -0)")
    assert [claim.kind for claim in found.claims] == ["loss"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[Damage: 8 x2 (punch) →Kaito]", "Kaito Mori"),
        ("[Damage: 8 x2 (punch) at Jiro Sato.]", "Jiro Sato"),
        ("[Twin Gale -> Jiro Sato!]", "Jiro Sato"),
        ("[Twin Gale; target: kaito]", "Kaito Mori"),
    ],
)
def test_aim_at_a_known_name(text: str, target: str) -> None:
    assert only(text).target == target


def test_two_aims_are_not_guessed() -> None:
    for text in ("[Damage: 8 x2 (punch) -> at Kaito.]", "[Damage: 8 x2 (punch) at Kaito at Jiro Sato]"):
        found = reading(text)
        assert (found.claims, [unread.quote for unread in found.unread]) == ((), [text])


def test_names_that_hold_a_colon_or_semicolon() -> None:
    cast = (Character("Ren"), Character("Kaito: the Wolf", aliases=("Wolf; the Grey",)))
    sheets = Sheets(cast, TABLES)

    def claimed(text: str) -> Any:
        found = read(scripts_of((Block("own", text),)), "Ren", sheets)
        assert not found.unread
        return found.claims[0].data

    assert claimed("[vs Kaito: the Wolf: 20% to hit: rolled 70]").attacker == "Kaito: the Wolf"
    assert claimed("[Kaito: the Wolf's attack: takes the attack]").attacker == "Kaito: the Wolf"
    guard = claimed("[Guards Ren against Kaito: the Wolf: rolled 5]")
    assert (guard.comrade, guard.attacker) == ("Ren", "Kaito: the Wolf")
    assert claimed("[Guards Ren (vs Wolf; the Grey): rolled 5]").attacker == "Kaito: the Wolf"
    assert claimed("[vs Wolf; the Grey: takes the attack]").attacker == "Kaito: the Wolf"


@pytest.mark.parametrize(
    "line", ["Con: 3", "Def: 2", "[Speed 12 / Accuracy 40]", "(Speed: 12)", "life -1", "[HP -8 / Chakra -3]"]
)
def test_lines_beside_a_stat_block_are_none_of_it(line: str) -> None:
    found = reading(f"Ninjutsu: 300\nDefense: 100\nEvasion: 20\n\n{line}")
    block = next(claim.data for claim in found.claims if claim.kind == "stats")
    assert isinstance(block, StatBlock)
    assert (dict(block.stats), block.secret) == ({"Ninjutsu": 300, "Defense": 100, "Evasion": 20}, ())


@pytest.mark.parametrize(
    "text",
    [
        "Correction: (HP: -8 | CHK: -0 | STM: -5) (forgot the 5 for the punch)",
        "Correction, sorry: (HP: -8 | CHK: -0 | STM: -5)\n\nRen (17, and tired) wiped the blade.",
    ],
)
def test_a_correction_with_another_bracket_replaces_the_loss(text: str) -> None:
    found = only(text)
    assert isinstance(found, Correction)
    assert found.loss == LossTag(-8, 0, -5)


@pytest.mark.parametrize(
    "text",
    [
        "[Takes the attack]",
        "[No roll]",
        "He stands firm (takes the attack).",
        "He stands firm (No roll).",
        "(Ren takes both hits: -26 HP)",
        "(Ren takes both hits)",
        "[Ren takes it]",
        "[didn't dodge]",
        "(takes it)",
        "(No roll, takes the attack)",
    ],
)
def test_an_attack_is_taken(text: str) -> None:
    assert isinstance(only(text), Take)


@pytest.mark.parametrize(
    "line",
    ["HP:-0, CHK:-9, STM:-0.", "HP:-0, CHK:-9, STM:-0!", "HP:-0, CHK:-9, STM:-0 -- at last", '"HP:-0, CHK:-9, STM:-0"'],
)
def test_a_loss_tag_without_brackets_may_end_like_a_sentence(line: str) -> None:
    (claim,) = [claim for claim in reading(f"The wind fell.\n\n{line}").claims if claim.kind == "loss"]
    assert claim.data == LossTag(0, -9, 0)
