"""Rolls as the add-ons of the boards show them: read at their place, judged in battles, never taken from a poster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.app.posts import post_record
from referee.engine.script import scripts_of
from referee.model.battle import Post, Revision
from referee.model.text import Anchor
from scrapers.boards.transcript import read_body
from scrapers.bodies import body
from scrapers.bodies.rollers import commented, framed
from tests.support.samples import judge_file

CASES = Path(__file__).resolve().parents[1] / "cases"

#: An add-on's page text of a roll: number of dice, sides, dice, bonus.
Shown = Callable[[int, int, tuple[int, ...], int], str]


def dice_of(count: int, sides: int, bonus: int, sign: str = "+") -> str:
    return f"{count}d{sides}" + (f"{sign}{bonus}" if bonus else "")


def mechalas(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    added = f" + {bonus}" if bonus else ""
    total = f'<span class="rpg_dice_total">{sum(dice) + bonus}</span>'
    listed = ", ".join(map(str, dice))
    label = '<span class="rpg_dice_label">throw 2: </span>'
    return f'<div class="rpg_dice_roll">{label}{count}d{sides}{added} =&gt; ({listed}){added} = {total}</div>'


def corta_labs(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    parts = {
        "label": "Second throw 2: ",
        "notation": dice_of(count, sides, bonus),
        "breakdown": f"[{', '.join(map(str, dice))}]",
        "modifier": f"+{bonus}" if bonus else "",
        "equals": "=",
        "total": str(sum(dice) + bonus),
    }
    spans = "\n".join(f'<span class="dice-{name}">{words}</span>' for name, words in parts.items())
    return f'<span class="dice-roll dice-crit-success" data-rid="7">\n{spans}\n<span>CRITICAL!</span></span>'


def shinka(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    total = f"= {sum(dice) + bonus}" if bonus or count > 1 else ""
    row = " + ".join(map(str, dice))
    name = dice_of(count, sides, bonus)
    return (
        f'<div align="center">Rolling <strong>vigour</strong> {name}: {row} +{bonus} {total} <br>A hit!</div>'.replace(
            " +0 ", " "
        )
    )


def pun_dice(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    added = f"+{bonus}" if bonus else ""
    row = " + ".join(map(str, dice))
    return f"<strong><!-- pun_dice --><p>({count}d{sides}{added}) : {row}{added} = {sum(dice) + bonus}</p></strong>"


def smf_2032(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    added = f" + {bonus}" if bonus else ""
    row = ", ".join(map(str, dice))
    return f"<blockquote>Rolled {dice_of(count, sides, bonus)} : {row}{added}, total {sum(dice) + bonus}</blockquote>"


def smf_labelled(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    return smf_2032(count, sides, dice, bonus).replace("Rolled", "<b><i>1d20 : 20, total 20</i></b>")


def fancydice(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    return (
        f'<div class="dicebox">{dice_of(count, sides, bonus)}: {" ".join(map(str, dice))} = {sum(dice) + bonus}</div>'
    )


def numbers(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    name, row = dice_of(count, sides, bonus), ",".join(map(str, dice))
    total = f'<div class="total">Total:{sum(dice) + bonus}</div>'
    return f'<div class="dice-results"><div class="individual">Rolling {name} dice: [{row}]</div> {total}</div>'


def vaultbb(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    lines = [
        "Attack Roll #roll-0042",
        str(sum(dice) + bonus),
        f"Rolls: {' '.join(map(str, dice))}",
        *[f"+{bonus} modifier"] * bool(bonus),
        f"expr: {dice_of(count, sides, bonus)} \u00b7 profile: warrior",
    ]
    return f'<div class="vaultbb-dice-roll">{"".join(f"<div>{line}</div>" for line in lines)}</div>'


def dicemod(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    name = dice_of(count, sides, bonus, " + ")
    return f"<strong>{sum(dice) + bonus}</strong> &lt;- [{', '.join(map(str, dice))}] {name}"


def dice_rolls_tab(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    added = f"+{bonus}" if bonus else ""
    return f"{count}d{sides}{added}: [{', '.join(map(str, dice))}]{added} = {sum(dice) + bonus}"


def colon_dice(count: int, sides: int, dice: tuple[int, ...], bonus: int) -> str:
    name, added = dice_of(count, sides, bonus), f"+{bonus}" if bonus else ""
    return f"Rolling {name}:<br>({'+'.join(map(str, dice))}){added}: Total = {sum(dice) + bonus}"


#: Add-ons whose rolls nobody else can have written, with the engine that tells them where one is needed.
TRUSTED: list[tuple[Shown, str | None]] = [
    (mechalas, "smf"),
    (corta_labs, "mybb"),
    (shinka, "mybb"),
    (vaultbb, "mybb"),
    (pun_dice, None),
    (smf_2032, "smf"),
    (smf_labelled, "smf"),
    (fancydice, "phpbb"),
    (numbers, "nodebb"),
]
#: Add-ons that write plain words into the post: anybody could have typed them.
TYPED: list[Shown] = [dicemod, dice_rolls_tab, colon_dice]


def case(path: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((CASES / path).read_text("utf-8"))
    return loaded


def with_post(battle: dict[str, Any], index: int, html: str) -> dict[str, Any]:
    post = battle["posts"][index]
    post.pop("text", None)
    post["html"] = html
    battle["rolls"] = {}
    return battle


def d20_arena(show: Shown, wrong: bool) -> dict[str, Any]:
    battle = case("d20_arena/A11-loose-lines-with-an-add-ons-rolls.yaml")
    hit, damage = show(1, 20, (9 if wrong else 12,), 4), show(2, 6, (2, 4), 3)
    words = f"To hit: {hit} vs DEF 15, hit<br>Damage: {damage}<br>Golem 1: 12/20 HP"
    return with_post(battle, 1, f"[Announce: Volt Lash on Golem 1]<br>{words}")


def angel_dolls(show: Shown, wrong: bool) -> dict[str, Any]:
    hit, dodge = show(1, 50, (15,), 0), show(1, 50, (24,), 0)
    line = f"Hit: 36 AGI + {hit} = {53 if wrong else 51} vs 33 REF + {dodge} = 57 -&gt; miss"
    return with_post(
        case("angel_dolls/dice-value-of-the-link.yaml"), 2, f"[Attack: Riget -&gt; Sedrik, paired claws]<br>{line}"
    )


def enolaptia(show: Shown, wrong: bool) -> dict[str, Any]:
    dealt, left = (5, 6) if wrong else (4, 7)
    line = f"Tobin attacks Rat 1: rolled {show(1, 6, (2,), 0)}, 11/3 = {dealt}<br>Rat 1: {left}/18"
    return with_post(case("enolaptia/E08-divided-by-a-colon.yaml"), 2, line)


def shinobi(show: Shown, wrong: bool) -> dict[str, Any]:
    rolls = f"{show(1, 100, (20,), 0)}, {show(1, 100, (70,), 0)}"
    line = f"[50% to hit: rolled {rolls}]<br><br>(HP: -{15 if wrong else 10} | CHK: -0 | STM: -0)"
    return with_post(case("shinobi/G15-one-roll-short.yaml"), 3, line)


SYSTEMS = [d20_arena, angel_dolls, enolaptia, shinobi]
WRONG = {
    "d20_arena": "d20_arena/outcome",
    "angel_dolls": "angel_dolls/total",
    "enolaptia": "enolaptia/damage",
    "shinobi": "shinobi/loss-hp",
}


def judged(battle: dict[str, Any], engine: str | None, folder: Path) -> list[tuple[str, str]]:
    """Code and severity of what is found in a battle whose bodies stand on a page of an engine."""
    for post in battle["posts"]:
        if "html" in post:
            post["html"] = framed(commented(post["html"]), engine)
    battle.pop("expect", None)
    path = folder / "battle.yaml"
    path.write_text(yaml.safe_dump(battle), "utf-8")
    return [(finding.code, finding.severity) for finding in judge_file(path).findings]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.__name__)
@pytest.mark.parametrize(("show", "engine"), TRUSTED, ids=lambda v: getattr(v, "__name__", str(v)))
def test_battles_with_rolls_of_add_ons(show: Shown, engine: str | None, system: Any, tmp_path: Path) -> None:
    """An honest battle gives nothing; one wrong number is found, and nothing else."""
    assert judged(system(show, False), engine, tmp_path) == []
    assert judged(system(show, True), engine, tmp_path) == [(WRONG[system.__name__], "error")]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.__name__)
@pytest.mark.parametrize("show", TYPED, ids=lambda s: s.__name__)
def test_battles_with_results_that_anybody_could_type(show: Shown, system: Any, tmp_path: Path) -> None:
    """Nobody is accused, staff are told that nothing is proved, and a wrong number is found all the same."""
    assert set(judged(system(show, False), "phpbb", tmp_path)) == {("dice/unverifiable", "notice")}
    found = judged(system(show, True), "phpbb", tmp_path)
    assert set(found) == {("dice/unverifiable", "notice"), (WRONG[system.__name__], "error")}


def anchors(html: str, engine: str | None = None) -> list[tuple[str | None, tuple[int, ...], int | None]]:
    """Dice, values and total of the rolls in a post's own words."""
    found: tuple[Anchor, ...] = scripts_of(body.read_fragment(framed(commented(html), engine))).anchors
    assert not any(anchor.typed for anchor in found)
    return [(anchor.dice, anchor.values, anchor.total) for anchor in found]


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ("d20 + 4 =&gt; (17) + 4 = 21", [("d20+4", (17,), None)]),
        ("Rolled 1d20+1 : 17 + 1, total 18", [("1d20+1", (17,), None)]),
        ("29 &lt;- [19] 1d20 + 10", [("1d20+10", (19,), None)]),
        ("18 &lt;- [18] 1d20", [("1d20", (18,), None)]),
        ("Attack 2: 1d20+8: [16]+8 = 24", [("1d20+8", (16,), None)]),
        ("Rolling alias 3d6: 4 + 2 + 6 + 20 = 32", [("3d6", (4, 2, 6), None)]),
        ("2d6-1: (2+3)-1: Total = 4", [("2d6-1", (2, 3), None)]),
        ("( 3d6 ) : 2 + 4 + 1 = 7", [("3d6", (2, 4, 1), None)]),
        ("(3d6+3&gt;10) : 2 + 4 + 1+3&gt;10 : FAIL", [("3d6+3", (2, 4, 1), None)]),
        ("d10 + 2d6 + 4 - 1 =&gt; (7) + (2, 5) + 4 - 1 = 17", [("d10+2d6+4-1", (7, 2, 5), None)]),
        ("d20c18b1 + 5 =&gt; (11) + 5 = 16", [("d20+5", (11,), None)]),
        ("(1d20+5) [17]", [("1d20+5", (), 17)]),
        ("1d20+5: 22", [("1d20+5", (), 22)]),
        ("2d6+3 = 11", [("2d6+3", (), 11)]),
        ("3d100: 70, 17, 88", [("3d100", (70, 17, 88), None)]),
        ("1d20 =&gt; 14 =&gt; 14 VALID", [("1d20", (14,), None)]),
        ("Generating 2 random numbers from 1 to 50: [37, 4] Total:41", [("2d50", (37, 4), None)]),
        ("Rolling 1-50: 42", [("1d50", (42,), None)]),
        ("Hit 1d20+4: 12 + 4 = 16 Fire 2d6: 3 + 5 = 8", [("1d20+4", (12,), None), ("2d6", (3, 5), None)]),
        # Printed sums may disagree with their dice: the dice count.
        ("28 &lt;- [19] 1d20 + 10", [("1d20+10", (19,), None)]),
        # Dice that were dropped, rerolled or exploded: only what the roll comes to is known.
        ("4d6k3 [4, 3, 2, 1] = 9", [("4d6k3", (9,), None)]),
        ("4d6k3+2: Rolls: 6 5 3 <s>1</s> Kept top 3, total 16", [("4d6k3+2", (16,), None)]),
        ("3d6!: 6 + 4 + 2 + 5 = 17", [("3d6!", (17,), None)]),
        ("2d20^10 : 3 8 10 3 17, 2 10 9 10 14, total 31", [("2d20^10", (31,), None)]),
        ("2d20&lt;10 : 4, 20, total 4", [("2d20<10", (4,), None)]),
    ],
)
def test_the_dice_of_a_widget(shown: str, found: list[Any]) -> None:
    assert anchors(f'<div class="rpg_dice_roll">{shown}</div>') == found


@pytest.mark.parametrize(
    ("html", "engine", "dice"),
    [
        ('<div class="dicebox">3d6+1: 2 4 6 = 13 <b>fiddled with</b></div>', None, "3d6+1"),
        ('<div class="dicebox">1d20 =&gt; 20 =&gt; 20, tampered</div>', None, "1d20"),
        ("<blockquote>Rolled 1d20 : 20, total 20<br>This roll was tampered with!</blockquote>", "smf", "1d20"),
        (
            '<blockquote>Rolled 1d20 : 20, total 20</blockquote><span style="color: red">Tampered!</span>',
            "smf",
            "1d20",
        ),
        ('<div class="my_dice_box">1d20: 20</div>', None, "1d20"),
        ('<div class="dicebox">Only the game master sees this roll</div>', None, ""),
        ('<div class="dicebox">1d20: 27</div>', None, ""),
    ],
)
def test_rolls_that_prove_nothing(html: str, engine: str | None, dice: str) -> None:
    """What a roller calls untrue, a frame that is of no known add-on, what is hidden or not to be understood."""
    found = scripts_of(body.read_fragment(framed(commented(html), engine))).anchors
    assert [(anchor.dice, anchor.typed) for anchor in found] == [(dice, True)]


@pytest.mark.parametrize(
    ("html", "engine"),
    [
        ("<b>1d20+4 = 16</b>", None),
        ("<p>[roll=1d20]20[/roll]</p>", None),
        ("<code>4+2=6</code>", None),
        ("1d20+4: 12 + 4 = 16", None),
        ('<div align="center">Rolling 1d20: 20</div>', "smf"),
        ('<div style="text-align: center;" class="mycode_align">Rolling 1d20: 20</div>', "mybb"),
        ('<blockquote class="bbc_standard_quote">Rolled 1d20 : 20, total 20</blockquote>', "smf"),
        ("<blockquote>Rolled 1d20 : 20, total 20</blockquote>", "nodebb"),
        ("<blockquote>somebody said something</blockquote>", "smf"),
        ('<blockquote><div class="dicebox">1d20: 20</div></blockquote>', None),
        ("<pre><code>1d20+4: [12]+4 = 16</code></pre>", None),
    ],
)
def test_what_a_poster_could_have_typed_is_no_roll(html: str, engine: str | None) -> None:
    assert anchors(html, engine) == []


def test_a_label_fakes_no_result() -> None:
    fake = '<span class="dice-label">1d20 [20] = 20: </span>'
    real = '<span class="dice-notation">1d20</span> <span class="dice-breakdown">[1]</span> = 1'
    assert anchors(f'<span class="dice-roll">{fake}{real}</span>') == [("1d20", (1,), None)]
    smf = "<blockquote><b><i>1d20 : 20, total 20</i></b> 1d20 : 1, total 1</blockquote>"
    assert anchors(smf, "smf") == [("1d20", (1,), None)]
    rpg = '<div class="rpg_dice_roll"><span class="rpg_dice_label">d20 =&gt; (20) = 20: </span>d20 =&gt; (1) = 1</div>'
    assert anchors(rpg) == [("d20", (1,), None)]


def test_a_pasted_result_beside_its_link_is_told_by_the_link() -> None:
    html = 'To hit: 1d20+4 =&gt; (12) + 4 = 16 <a href="http://dice.example/r/1">roll</a>'
    assert [anchor.url for anchor in scripts_of(body.read_fragment(html)).anchors] == ["http://dice.example/r/1"]


def test_an_add_ons_words_stay_on_the_page_and_out_of_the_claims() -> None:
    html = 'To hit: <div class="dice-results"><div>Rolling 1d20+4 dice: [12]</div><div>Total:16</div></div> vs DEF 15'
    blocks = body.read_fragment(html)
    assert blocks[0].text == "To hit: Rolling 1d20+4 dice: [12]\nTotal:16 vs DEF 15"
    assert " ".join(scripts_of(blocks).text.split()) == "To hit: 12 vs DEF 15"


BELOW = [(numbers, "nodebb"), (vaultbb, "mybb")]


@pytest.mark.parametrize(("show", "engine"), BELOW, ids=lambda v: getattr(v, "__name__", v))
@pytest.mark.parametrize(
    ("hit", "damage", "found"),
    [
        ("1d20+4 = 16", "2d6+3 = 9", []),
        ("1d20 (12) + 4 = 16", "2d6 (2, 4) + 3 = 9", []),
        ("1d20+4 = 18", "2d6+3 = 9", [("d20_arena/total", "error")]),
        ("1d20 (14) + 4 = 18", "2d6+3 = 9", [("dice/no-link", "error")]),
    ],
)
def test_rolls_below_the_text(
    show: Shown, engine: str, hit: str, damage: str, found: list[Any], tmp_path: Path
) -> None:
    """Some boards put all rolls of a post below its text: each serves the line that states it."""
    rolls = show(1, 20, (12,), 4) + show(2, 6, (2, 4), 3)
    assert judged(d20_lines(f"{hit}", damage, rolls), engine, tmp_path) == found


def d20_lines(hit: str, damage: str, below: str = "") -> dict[str, Any]:
    words = f"To hit: {hit} vs DEF 15, hit<br>Damage: {damage}<br>Golem 1: 12/20 HP<br>{below}"
    battle = case("d20_arena/A11-loose-lines-with-an-add-ons-rolls.yaml")
    return with_post(battle, 1, f"[Announce: Volt Lash on Golem 1]<br>{words}")


def test_a_hidden_roll_accuses_nobody(tmp_path: Path) -> None:
    hidden = '<div class="vaultbb-dice-roll">Result hidden from other players.</div>'
    found = judged(d20_lines("1d20+4 = 16", "2d6+3 = 9", hidden * 2), None, tmp_path)
    assert found == [("dice/unverifiable", "notice")] * 2


def test_typed_rolls_without_any_roller_are_rolls_without_a_link(tmp_path: Path) -> None:
    found = judged(d20_lines("<b>1d20+4 = 16</b>", "<b>2d6+3 = 9</b>"), None, tmp_path)
    assert found == [("dice/no-link", "error")] * 2


def test_a_bare_address_behind_a_pasted_result_proves_it(tmp_path: Path) -> None:
    """As a link in words does: what was pasted is no roll of its own beside it."""
    battle = d20_lines(
        "1d20 + 4 \u21d2 (12) + 4 = 16 (http://dice.example/r/1)",
        "2d6 + 3 \u21d2 (2, 4) + 3 = 9 (http://dice.example/r/2)",
    )
    record = {"at": "2026-03-01T02:50:00Z", "by": "hana", "expression": "1d20", "values": [12]}
    battle["rolls"] = {
        "http://dice.example/r/1": record,
        "http://dice.example/r/2": {**record, "expression": "2d6", "values": [2, 4]},
    }
    assert judged(battle, None, tmp_path) == []
    battle["rolls"]["http://dice.example/r/1"] = {**record, "values": [11]}
    assert judged(battle, None, tmp_path) == [("dice/values", "error")]


@pytest.mark.parametrize("damage", ["2d6 + 3 + 1d6 \u21d2 (2, 4) + 3 + (5) = {}", "2d6+3+1d6 : (2, 4) + 3 + (5) = {}"])
def test_pasted_results_of_several_groups_of_dice_are_each_read(damage: str, tmp_path: Path) -> None:
    battle = d20_lines("1d20 + 4 \u21d2 (20) + 4 = 24", damage.format(14))
    words = battle["posts"][1]
    words["html"] = words["html"].replace("DEF 15, hit", "DEF 15, natural 20, critical hit").replace("12/20", "6/20")
    assert judged(battle, None, tmp_path) == [("dice/unverifiable", "notice")] * 3
    words["html"] = words["html"].replace("= 14", "= 15")
    assert ("d20_arena/damage", "error") in judged(battle, None, tmp_path)


@pytest.mark.parametrize(
    "replies",
    [
        "<p>1d20+4: [12]+4 = 16</p><p>2d6+3: [2, 4]+3 = 9</p>",
        "<p><b>1d20+4:</b> 12; <b>Sum:</b> 16</p><p>2d6+3: 2, 4; Sum: 9</p>",
    ],
)
def test_a_bots_reply_is_worth_a_notice(replies: str, tmp_path: Path) -> None:
    """Nobody knows which account is the bot: who rolled stays open, and nobody is told to have no roll at all."""
    battle = d20_lines("1d20+4 = 16", "2d6 (2, 4) + 3 = 9")
    battle["posts"].append({"id": "p3", "author": "dicebot", "at": "2026-03-01T03:00:05Z", "html": replies})
    assert judged(battle, "nodebb", tmp_path) == [("dice/unverifiable", "notice")] * 2


@pytest.mark.parametrize(
    "piece",
    [
        "1d20 : ",
        "<blockquote>1d20",
        "<blockquote>1d20</blockquote>",
        '<div align="center">Rolling ',
        "1d6: [1, ",
        "1d6+",
        "<strong><!-- pun_dice --><p>",
    ],
)
def test_hostile_rolls_are_quick(piece: str) -> None:
    """No more than linear work for any of it (a test of seconds fails by the runner's limit)."""
    for engine in ("smf", "mybb", None):
        body.read_fragment(framed(commented(piece * 20_000), engine))
        body.read_fragment(f'<div class="dicebox">{piece * 300}</div>')


def test_a_block_inside_a_widget_hides_no_later_lines() -> None:
    blocks = body.read_fragment('<div class="dicebox">1d20: 4<blockquote>x</blockquote></div><p>a</p><p>b</p>')
    assert [block.text for block in blocks] == ["1d20: 4", "x", "a\n\nb"]


def test_posts_as_json_lines_name_the_dice_of_a_doubtful_roll_plainly() -> None:
    blocks = read_body(None, "<p>1d20+4 =&gt; (12) + 4 = 16</p>")
    record = post_record(Post("p1", "ada", (Revision(blocks, None),), None))
    assert [roll["dice"] for roll in record["rolls"]] == ["1d20+4"]
