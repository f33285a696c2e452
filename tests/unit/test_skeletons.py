"""`referee new` writes plug-ins that work at once: installed and tested as a stranger would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.samples import ROOT


def run(*command: str, cwd: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": path, "COVERAGE_PROCESS_START": ""}
    return subprocess.run([sys.executable, *command], cwd=cwd, capture_output=True, text=True, env=env)


def install(home: Path, target: Path) -> None:
    """Install a distribution into a folder of its own, with what the environment already has."""
    done = run(
        "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", str(target), ".", cwd=home
    )
    assert done.returncode == 0, done.stderr


def test_new_ruleset_installs_and_passes_its_own_tests(tmp_path: Path) -> None:
    assert run("-m", "referee", "new", "ruleset", "tide_duel", cwd=tmp_path).returncode == 0
    install(tmp_path / "tide_duel", tmp_path / "site")
    done = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=tmp_path / "tide_duel", path=str(tmp_path / "site")
    )
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


@pytest.mark.parametrize(("kind", "name"), [("board", "plinth"), ("dice", "knuckle")])
def test_new_board_and_dice_pass_their_own_tests(tmp_path: Path, kind: str, name: str) -> None:
    assert run("-m", "referee", "new", kind, name, cwd=tmp_path).returncode == 0
    done = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=tmp_path / name, path=str(tmp_path / name))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["Bad", "class", "json", "rules", "a-b", "9x"])
def test_impossible_names_are_refused(tmp_path: Path, name: str) -> None:
    done = run("-m", "referee", "new", "ruleset", name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("referee: ")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    assert run("-m", "referee", "new", "dice", "knuckle", cwd=tmp_path).returncode == 0
    again = run("-m", "referee", "new", "dice", "knuckle", cwd=tmp_path)
    assert (again.returncode, "already there" in again.stderr) == (2, True)


OUTSIDE = ROOT / "tests" / "outside" / "harbour_cards"


@pytest.mark.skipif(not OUTSIDE.is_dir(), reason="no outside ruleset beside the tests")
def test_the_outside_ruleset_is_found_judged_and_explained(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(OUTSIDE, tmp_path / "src")
    install(tmp_path / "src", tmp_path / "site")
    done = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=tmp_path / "src", path=str(tmp_path / "site")
    )
    assert done.returncode == 0, done.stdout
    shown = run("-m", "referee", "explain", "harbour_cards/H3", cwd=tmp_path, path=str(tmp_path / "site"))
    assert "harbour_cards/H3" in shown.stdout
