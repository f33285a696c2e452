"""`referee luck` on stored threads of a real board with its dice log, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hostile_site import HostileSite, is_clean, referee
from tests.test_audit_ways import Board


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as made:
        yield made


def test_only_dice_that_were_due_and_right_count(site: HostileSite, tmp_path: Path) -> None:
    board = Board(site, tmp_path, "shinobi/planted-main-skipped")
    findings = board.findings("audit", site.url())[1]
    done = referee(tmp_path, "luck", "--to", "json")
    assert (done.returncode, is_clean(done)) == (0, True), done.stderr
    rows = json.loads(done.stdout)["accounts"]
    linked = {link for link in board.data["rolls"] if any(link in post["text"] for post in board.data["posts"])}
    wrong = sum(code.startswith("dice/") for code, *_ in findings)
    dice = sum(len(board.data["rolls"][link]["values"]) for link in linked)
    assert 0 < sum(row["dice"] for row in rows) <= dice
    assert wrong or sum(row["dice"] for row in rows) == dice
    assert {row["account"] for row in rows} <= {post["author"] for post in board.data["posts"]}
    assert all(row["said"].startswith("too few dice") for row in rows)
    player = rows[0]
    one = json.loads(referee(tmp_path, "luck", player["account"].upper(), "--to", "json").stdout)["accounts"]
    assert one == [player]
    character = json.loads(referee(tmp_path, "luck", player["characters"][0], "--to", "json").stdout)["accounts"]
    assert [row["account"] for row in character] == [player["account"]]
    text = referee(tmp_path, "luck").stdout
    assert "Luck is no verdict" in text
    assert player["account"] in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nobody"], "no verified roll of an account or character 'nobody'"), (["--board", "x"], "there is no board 'x'")],
)
def test_nobody_is_looked_for_in_vain(site: HostileSite, tmp_path: Path, arguments: list[str], said: str) -> None:
    site.configure(tmp_path)
    done = referee(tmp_path, "luck", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "No verified roll is stored" in referee(tmp_path, "luck").stdout
