"""`referee audit URL` against every captured board, served on loopback as it was: the whole way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.captured import BOARDS, CapturedBoard
from tests.support.samples import SHARED

NAMED = BOARDS or ("no-boards",)
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not BOARDS and "CI" not in os.environ, reason=f"no captured pages at {SHARED}/pages"),
]


def referee(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "referee", *arguments]
    return subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module", params=NAMED)
def audited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A board that is served, and the JSON report of its battle thread."""
    home = tmp_path_factory.mktemp("audit")
    with CapturedBoard(request.param) as board:
        (home / "referee.toml").write_text(
            f'data_dir = "var"\n[boards.b]\nurl = "{board.home}/"\nruleset = "shinobi"\npace = 0\n'
            'allow_private = true\njudges = ["refmaster"]\n'
        )
        done = referee(home, "audit", board.url("battle"), "--to", "json", "--quiet")
        yield board, done, home


def test_every_post_is_read_with_its_permalink(audited) -> None:  # type: ignore[no-untyped-def]
    board, done, _ = audited
    assert done.returncode == 1, done.stderr
    posts = {post["id"]: post for post in json.loads(done.stdout)["threads"][0]["posts"]}
    for known in board.truth("battle"):
        post = posts[str(known["id"])]
        assert post["permalink"] == str(known["permalink"]).replace(board.base, board.home)
        assert post["author"] == known["author"]


def test_the_planted_faults_are_found(audited) -> None:  # type: ignore[no-untyped-def]
    board, done, _ = audited
    findings = {(f["code"], f["post"]): f for f in json.loads(done.stdout)["threads"][0]["findings"]}
    special = {post["special"]: post for post in board.truth("battle") if post.get("special")}
    wrong = findings["shinobi/damage-sum", str(special["wrong"]["id"])]
    attack = special["wrong"]["meta"]["attack"]
    assert (wrong["claimed"], wrong["expected"]) == (attack["shown"], [attack["each"]])
    assert ("shinobi/loss-missing", str(special["notag"]["id"])) in findings


def test_decoys_are_no_claims(audited) -> None:  # type: ignore[no-untyped-def]
    """Tags in code, quotes, signatures, a guest's chatter and a referee's example count for nobody."""
    board, done, _ = audited
    shown = json.loads(done.stdout)["threads"][0]["posts"]
    quotes = [claim["quote"] for post in shown for claim in post["claims"]]
    assert not [quote for quote in quotes if "-99" in quote or "-500" in quote]


def test_a_second_audit_gives_the_same_report(audited) -> None:  # type: ignore[no-untyped-def]
    board, done, home = audited
    again = referee(home, "audit", board.url("battle"), "--to", "json", "--quiet")
    assert again.stdout == done.stdout
