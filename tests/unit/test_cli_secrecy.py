"""Secret totals: never in a report for others than staff, in no form, neither the total nor what was left."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.app.config import Config
from referee.app.publish import render
from referee.app.secrecy import HIDDEN, public_thread
from referee.app.transcribe import replay_file
from referee.model.figure import Figure
from referee.model.report import Evidence, Finding, PoolState, PostReport, ThreadReport, Working
from tests.support.samples import SHARED

FORMS = ("text", "html", "md", "bbcode", "json", "csv")
BLOCK = "Rank: Gennin | Taijutsu: 90 | Ninjutsu: 300 | HP: 70311 | Chakra: 80422"
BATTLE = {
    "schema": "referee/transcript@1",
    "ruleset": "shinobi",
    "battle": {"kind": "death"},
    "characters": [
        {"name": "Ren", "player": "ren", "side": "a", "secret": {"hp": 70311, "chakra": 80422, "stamina": 90533}},
        {"name": "Ada", "player": "ada", "side": "b", "secret": {"hp": 60209, "chakra": 50108, "stamina": 40107}},
    ],
    "posts": [
        {"id": "p1", "author": "ren", "text": BLOCK + "\n(HP: -0 | Chakra: -0 | Stamina: -0)"},
        {"id": "p2", "author": "ada", "text": "Taijutsu: 90 | Ninjutsu: 300\n(HP: -0 | Chakra: -0 | Stamina: -0)"},
        {
            "id": "p3",
            "author": "ren",
            "text": BLOCK + "\n[Chakra 80419/80422] [HP left: 70298] (HP: -13 | Chakra: -3 | Stamina: -0)",
            "revisions": [{"text": BLOCK.replace("70311", "70399") + "\n(HP: -12 | Chakra: -3 | Stamina: -0)"}],
        },
        {"id": "p4", "author": "ada", "text": "(HP: -7 | Chakra: -0 | Stamina: -0)"},
        {
            "id": "p5",
            "author": "ren",
            "text": "[HP: 70298 | Chakra: 80419]\n" + BLOCK + "\n(HP: -9 | Chakra: -0 | Stamina: -0)",
            "deleted": "2026-01-05T10:00:00Z",
        },
    ],
    "rulings": [
        {"post": "p4", "character": "Ada", "effect": {"set": {"hp": 60188}}, "by": "staff"},
        {"post": "p4", "character": "Ada", "effect": {"set": {"hp": 60187}}, "by": "staff"},
    ],
}
#: Any of the totals above, and what was left of them.
SECRET = re.compile(r"(?<![\d.])(?:70[23]\d\d|80[34]\d\d|905\d\d|60[12]\d\d|50[01]\d\d|40[01]\d\d)(?![\d.])")


def judged(tmp_path: Path, battle: dict[str, object]) -> ThreadReport:
    (tmp_path / "battle.json").write_text(json.dumps(battle))
    return replay_file(tmp_path / "battle.json", Config(), offline=True)[0]


@pytest.mark.parametrize("form", FORMS)
def test_no_total_in_any_form(tmp_path: Path, form: str) -> None:
    report = judged(tmp_path, BATTLE)
    codes = {"shinobi/secret-shown", "shinobi/loss-hp", "post/ruling-conflict", "post/deleted"}
    assert {f.code for f in report.findings} >= codes
    assert SECRET.findall(render((report,), form, staff=False)) == []
    if form not in ("md", "bbcode"):  # drafts for players hold no pools
        assert SECRET.findall(render((report,), form, staff=True))


def test_a_posted_total_is_told_without_its_number(tmp_path: Path) -> None:
    thread = json.loads(render((judged(tmp_path, BATTLE),), "json", staff=False))["threads"][0]
    shown = next(f for f in thread["findings"] if f["code"] == "shinobi/secret-shown")
    quote = shown["evidence"][0]["quote"]
    assert re.fullmatch(r"Rank: Gennin \| Taijutsu: 90 \| Ninjutsu: 300 \| HP: \D+ \| Chakra: \D+", quote)
    assert quote in [claim["quote"] for claim in thread["posts"][0]["claims"]]


def test_a_post_that_is_gone_is_quoted_without_its_totals(tmp_path: Path) -> None:
    thread = json.loads(render((judged(tmp_path, BATTLE),), "json", staff=False))["threads"][0]
    gone = next(f for f in thread["findings"] if f["code"] == "post/deleted")
    assert "(HP: -9 | Chakra: -0 | Stamina: -0)" in [e["quote"] for e in gone["evidence"]]


def test_changes_are_shown_since_the_start(tmp_path: Path) -> None:
    thread = json.loads(render((judged(tmp_path, {**BATTLE, "rulings": []}),), "json", staff=False))["threads"][0]
    assert thread["posts"][2]["state"]["Ren"]["hp"]["claimed"] == -13
    loss = next(c for c in thread["posts"][2]["claims"] if c["kind"] == "loss")
    assert loss["values"]["hp"] == -13
    assert "HP: -13" in loss["quote"]


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("HP: 168 | Chakra 90", f"HP: {HIDDEN} | Chakra {HIDDEN}"),
        ("[97/168 HP]", f"[{HIDDEN} HP]"),
        ("HP left: 97 of 168", f"HP left: {HIDDEN}"),
        ("(HP: -13 | Chakra: -2)", "(HP: -13 | Chakra: -2)"),
        ("(HP: 13 | Chakra: 2 | Stamina: 0)", "(HP: 13 | Chakra: 2 | Stamina: 0)"),
        ("the Loss Tag says HP \u22128 and HP +3, HP 0", "the Loss Tag says HP \u22128 and HP +3, HP 0"),
        ("\u201cHP: 168\u201d became \u201cHP: 170\u201d", f"\u201cHP: {HIDDEN}\u201d became \u201cHP: {HIDDEN}\u201d"),
        ("Ninjutsu: 300, hit for 13, 80% to hit", "Ninjutsu: 300, hit for 13, 80% to hit"),
        ("the ruling set {'hp': 41} changes nothing", f"the ruling set {HIDDEN} changes nothing"),
    ],
)
def test_which_words_lose_their_number(text: str, public: str) -> None:
    """Totals do; signed changes, Loss Tags and everything else do not."""
    state = {"Ren": {"hp": PoolState(150, Figure.of(151, secret=True), 168, secret=True)}}
    state["Ren"]["chakra"] = state["Ren"]["hp"]
    found = Finding("x/y", "error", "p1", message=text, trace=(Working(text, "168"),), evidence=(Evidence("p1", text),))
    thread = public_thread(ThreadReport(posts=(PostReport("p1", "ren", state=state),), findings=(found,)))
    assert thread.findings[0].message == public
    assert thread.findings[0].trace == (Working(public),)
    pool = thread.posts[0].state["Ren"]["hp"]
    assert (pool.claimed, pool.computed.listed(), pool.start) == (-18, [-17], 0)


def test_open_pools_keep_their_numbers() -> None:
    state = {"Hana": {"hp": PoolState(18, Figure.of(18), 30)}}
    found = Finding("d20_arena/hp", "error", "p1", message="HP 18", evidence=(Evidence("p1", "HP: 18/30"),))
    thread = ThreadReport(posts=(PostReport("p1", "hana", state=state, unread=("[HP 18/30]",)),), findings=(found,))
    assert public_thread(thread) == thread


def test_hostile_quotes_cost_no_time() -> None:
    state = {"Ren": {"hp": PoolState(1, Figure.of(1, secret=True), 9, secret=True)}}
    for text in ("HP " * 300_000, "(" * 500_000, "9" * 500_000, "HP:" + " " * 500_000, "9 / " * 200_000):
        post = PostReport("p1", "ren", state=state, unread=(text,))
        public_thread(ThreadReport(posts=(post,), findings=(Finding("x/y", "error", "p1", message=text),)))


CASES = sorted(SHARED.glob("cases/shinobi/*.yaml"))


@pytest.mark.shared
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_sample_battles_keep_their_secrets(path: Path, tmp_path: Path) -> None:
    """With totals that nothing else in the battle equals: not one of them, nor what was left, comes out."""
    import yaml

    battle = yaml.safe_load(path.read_text("utf-8"))
    for number, character in enumerate(battle["characters"]):
        character["secret"] = {"hp": 7_000_000 + number, "chakra": 8_000_000 + number, "stamina": 9_000_000 + number}
        character.pop("start", None)
    (tmp_path / "case.json").write_text(json.dumps(battle, default=str))
    report = replay_file(tmp_path / "case.json", Config(), offline=True)[0]
    assert report.error is None
    secret = re.compile(r"(?<![\d.])(?:[6789],?\d{3},?\d{3})(?![\d.])")
    assert secret.findall(render((report,), "json", staff=True))
    for form in FORMS:
        assert secret.findall(render((report,), form, staff=False)) == [], form


def test_a_staff_report_can_only_be_read_by_its_owner(tmp_path: Path) -> None:
    from referee.app.output import write_out

    write_out("totals", tmp_path / "staff.html", private=True)
    assert (tmp_path / "staff.html").stat().st_mode & 0o777 == 0o600
