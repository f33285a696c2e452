"""Cases and battles of Harbour Cards, judged by the installed referee."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_file(path: Path) -> None:
    command = [sys.executable, "-m", "referee", "replay", "--offline", "--to", "json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = [f"{f['code']}@{f['post']}={f['expected']}" for f in json.loads(done.stdout)["threads"][0]["findings"]]
    expected = [line[10:].strip() for line in path.read_text("utf-8").splitlines() if line.startswith("# expect: ")]
    assert found == expected
