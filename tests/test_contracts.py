"""The house's contracts hold, and each of them can break: seen once for every contract."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.samples import ROOT

#: Contract -> a file and an import that must break it.
BREAKS = {
    "Layers of the core": ("referee/model/bad.py", "import referee.engine"),
    "The core knows no plug-in": ("referee/app/bad.py", "import rules"),
    "Plug-ins see ports and model only": ("rules/bad.py", "import referee.engine"),
    "Plug-ins do not know each other": ("reports/bad.py", "import scrapers"),
    "Rule systems do not know each other": ("rules/shinobi/bad.py", "import rules.enolaptia"),
    "Reading knows no judging": ("rules/enolaptia/reading/bad.py", "import rules.enolaptia.judging"),
    "No circles": ("referee/model/bad.py", "import referee.ports"),
    "Only the network module talks to the net": ("referee/app/bad.py", "import requests"),
    "Only the store speaks SQL": ("referee/app/bad.py", "import sqlalchemy"),
    "Judging is pure": ("referee/engine/bad.py", "import random"),
}


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts on a copy of the packages, with that copy first on the path."""
    tool = Path(sys.executable).with_name("lint-imports")
    command = [str(tool), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder)})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    for package in ("referee", "scrapers", "rules", "reports"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_contracts_hold(copy: Path) -> None:
    done = _lint(copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("contract", BREAKS)
def test_contract_can_break(contract: str, copy: Path) -> None:
    name, line = BREAKS[contract]
    bad = copy / name
    bad.write_text(f'"""A breach."""\n{line}\n')
    try:
        done = _lint(copy)
    finally:
        bad.unlink()
    assert done.returncode != 0
    assert f"{contract} BROKEN" in done.stdout


def test_every_contract_is_tried() -> None:
    import tomllib

    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert {contract["name"] for contract in contracts} == set(BREAKS)
