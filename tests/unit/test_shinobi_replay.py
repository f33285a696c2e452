"""The replay as a whole: ledgers, states, outcome, boards without sheets, rulings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from referee.app import plugins
from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.report import ThreadReport

STATS = (
    "Taijutsu: 60 | Ninjutsu: 300 | Genjutsu: 40 | Defense: 100 | Concentration: 20 | Speed: {} | Accuracy: 80 | "
    "Dexterity: 40 | Evasion: 40"
)
ZERO = "(HP: -0 | CHK: -0 | STM: -0)"
PUNCH = "[Damage: 5 + 10 = 15 per punch, x1]\n(HP: -0 | CHK: -0 | STM: -5)"


def report(tmp_path: Path, posts: list[tuple[str, str]], sheets: bool = True, **more: Any) -> ThreadReport:
    rows = [
        {"id": f"p{i}", "author": who, "at": f"2026-01-02T{8 + i:02}:00:00Z", "text": text}
        for i, (who, text) in enumerate(posts, 1)
    ]
    characters = [{"name": "Ren", "player": "ren"}, {"name": "Kaito", "player": "kaito"}]
    if sheets:
        characters = [{**c, "rank": "Gennin", "secret": {"hp": 40, "chakra": 30, "stamina": 20}} for c in characters]
    made = {
        "schema": "referee/transcript@1",
        "ruleset": "shinobi",
        "title": "x",
        "characters": characters,
        "posts": rows,
        "rolls": {},
    }
    path = tmp_path / "t.json"
    path.write_text(json.dumps({**made, **more}), "utf-8")
    return judge_battle(load_transcript(path, dict.fromkeys(plugins.names("rulesets"))), plugins.ruleset("shinobi"))


def opening() -> list[tuple[str, str]]:
    return [("ren", f"{STATS.format(120)}\n{ZERO}"), ("kaito", f"{STATS.format(100)}\n{ZERO}")]


def alarms(found: ThreadReport) -> list[tuple[str, str]]:
    return [(f.code, f.post) for f in found.findings if f.severity != "notice"]


def test_ledgers_part_at_a_slip_and_keep_their_distance(tmp_path: Path) -> None:
    posts = [*opening(), ("ren", PUNCH), ("kaito", "[No roll]\n(HP: -10 | CHK: -0 | STM: -0)"), ("ren", PUNCH)]
    posts += [("kaito", "[No roll]\n(HP: -15 | CHK: -0 | STM: -0)")]
    found = report(tmp_path, posts)
    assert alarms(found) == [("shinobi/loss-hp", "p4")]
    states = [post.state["Kaito"]["hp"] for post in found.posts if "Kaito" in post.state]
    assert [(s.claimed, s.computed.listed()) for s in states] == [(40, [40]), (30, [25]), (15, [10])]
    assert all(s.secret and s.start == 40 for s in states)
    assert found.posts[3].character == "Kaito"


def test_without_sheets_ledgers_are_changes(tmp_path: Path) -> None:
    posts = [*opening(), ("ren", PUNCH), ("kaito", "[No roll]\n(HP: -10 | CHK: -0 | STM: -0)")]
    found = report(tmp_path, posts, sheets=False)
    assert alarms(found) == [("shinobi/loss-hp", "p4")]
    state = found.posts[3].state["Kaito"]["hp"]
    assert (state.claimed, state.computed.listed(), state.start) == (-10, [-15], 0)
    said = [f.message for f in found.findings if f.code == "post/unchecked"]
    assert any("rank of Ren" in line for line in said)
    assert any("no sheet gives the total" in line for line in said)


def test_outcome_won_and_no_total_in_any_text(tmp_path: Path) -> None:
    posts = [*opening(), ("ren", PUNCH), ("kaito", "[No roll]\n(HP: -15 | CHK: -0 | STM: -0)"), ("ren", PUNCH)]
    posts += [
        ("kaito", "[No roll]\n(HP: -15 | CHK: -0 | STM: -0)"),
        ("ren", PUNCH),
        ("kaito", "[No roll]\n(HP: -15 | CHK: -0 | STM: -0)"),
    ]
    found = report(tmp_path, posts, battle={"kind": "life_and_death"})
    assert alarms(found) == []
    assert (found.outcome.status, found.outcome.winner) == ("won", ("Ren",))


def test_forfeit_and_passing_out(tmp_path: Path) -> None:
    found = report(tmp_path, [*opening(), ("ren", f"[Forfeits]\n{ZERO}"), ("kaito", ZERO)])
    assert (found.outcome.status, found.outcome.winner) == ("forfeited", ("Kaito",))
    posts = [
        *opening(),
        ("ren", f"[Forfeits]\n{ZERO}"),
        ("kaito", PUNCH),
        ("ren", "[No roll]\n(HP: -15 | CHK: -0 | STM: -0)"),
    ]
    assert report(tmp_path, posts).outcome.status == "ongoing"


def test_rulings_that_change_a_number_are_used(tmp_path: Path) -> None:
    ruling = {"post": "p4", "character": "Kaito", "effect": {"set": {"hp": 12}}, "by": "staff", "reason": "net"}
    bonus = {"post": "p3", "character": "Ren", "effect": {"bonus_damage": 5}, "by": "staff", "reason": "wind"}
    idle = {"post": "p2", "character": "Kaito", "effect": {"hit_chance": 5}, "by": "staff", "reason": "fog"}
    posts = [*opening(), ("ren", PUNCH), ("kaito", "[No roll]\n(HP: -20 | CHK: -0 | STM: -0)"), ("ren", PUNCH)]
    posts += [("kaito", "[No roll]\n(HP: -15 | CHK: -0 | STM: -0)")]
    found = report(tmp_path, posts, rulings=[ruling, bonus, idle], battle={"kind": "life_and_death"})
    assert alarms(found) == []
    assert [f.post for f in found.findings if f.code == "post/ruling-idle"] == ["p2"]
    assert found.posts[5].state["Kaito"]["hp"].claimed == -3
    assert found.outcome.status == "won"


def test_suspended_rule_is_not_reported(tmp_path: Path) -> None:
    ruling = {"post": "p3", "effect": {"suspend": "S19"}, "by": "staff", "reason": "free for all"}
    posts = [*opening(), ("ren", "[Damage: 5 + 4 = 9 per punch, x3]\n(HP: -0 | CHK: -0 | STM: -15)")]
    assert alarms(report(tmp_path, posts)) == [("shinobi/attack-limit", "p3")]
    assert alarms(report(tmp_path, posts, rulings=[ruling])) == []


def test_one_account_with_two_characters_speaks_by_the_stat_block(tmp_path: Path) -> None:
    posts = [
        ("ren", f"Ren\n{STATS.format(120)}\n{ZERO}"),
        ("ren", f"Mei\n{STATS.format(90)}\n{ZERO}"),
        ("kaito", f"{STATS.format(80)}\n{ZERO}"),
    ]
    characters = [
        {"name": n, "player": p, "side": s}
        for n, p, s in (("Ren", "ren", "a"), ("Mei", "ren", "a"), ("Kaito", "kaito", "b"))
    ]
    found = report(tmp_path, posts, characters=characters)
    assert [post.character for post in found.posts] == ["Ren", "Mei", "Kaito"]
    assert alarms(found) == []
