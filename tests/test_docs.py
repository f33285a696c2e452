"""The documentation says what the code does: commands, codes, rules, settings, generated pages."""

from __future__ import annotations

import json
import os
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import TypeAdapter

from referee.app import plugins
from referee.app.config import BoardConfig, Config
from referee.app.docs import SHIPPED, pages
from referee.app.explain import explain
from referee.app.publish import render
from referee.app.transcribe import replay_file
from referee.cli import COMMANDS, referee
from referee.engine.codes import COMMON_CODES
from referee.model.battle import Post as SavedPost
from referee.ports.boards import ReadOptions
from scrapers.boards import custom
from tests.support.samples import ROOT, SHARED

README = (ROOT / "README.md").read_text("utf-8")
CONTRACT = SHARED / "spec" / "contract.md"
OTHER_BOARDS = (ROOT / "docs" / "other-boards.md").read_text("utf-8")
SELECTORS = re.findall(r"```toml\n(.*?)```", OTHER_BOARDS, re.DOTALL)


@pytest.mark.parametrize("place", sorted(f"rules/{name}.md" for name in SHIPPED) + ["checks/common.md"])
def test_generated_pages_are_fresh(place: str) -> None:
    assert (ROOT / "docs" / place).read_text("utf-8") == pages()[place], "run `make docs`"


def test_readme_names_every_command() -> None:
    assert [name for name in COMMANDS if f"`{name}" not in README and f"{name}`" not in README] == []


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_and_the_common_options(command: str) -> None:
    shown = CliRunner().invoke(referee, [command, "--help"])
    assert shown.exit_code == 0
    assert all(option in shown.output for option in ("--help", "--config", "--verbose", "--quiet"))


def test_the_transcript_that_the_formats_show_is_one(tmp_path: Path) -> None:
    """Its kick says 16 where the sum gives 15: the one fault, found where it stands."""
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    (shown,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "shown.yaml").write_text(shown, "utf-8")
    report, _ = replay_file(tmp_path / "shown.yaml", Config(), offline=True)
    assert report.error is None
    worth = [(f.code, f.post, f.expected) for f in report.findings if f.severity != "notice"]
    assert worth == [("shinobi/damage-sum", "p3", [15])]


def test_the_formats_name_every_key_of_a_report_and_of_a_post(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "formats.md").read_text("utf-8")
    (shown,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "shown.yaml").write_text(shown, "utf-8")
    report, _ = replay_file(tmp_path / "shown.yaml", Config(), offline=True)
    (thread,) = json.loads(render((report,), "json", staff=False))["threads"]
    keys = {*thread, *thread["posts"][0], *thread["findings"][0], *thread["outcome"]}
    keys |= {field.name for field in fields(SavedPost)} - {"revisions", "at", "precision", "origin"}
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []


@pytest.mark.parametrize("text", SELECTORS)
def test_the_selectors_for_other_boards_are_complete(text: str) -> None:
    selectors = tomllib.loads(text)["boards"]["arena"]["selectors"]
    assert list(custom.BOARD.check(ReadOptions(selectors=selectors))) == []


def test_every_key_of_selectors_for_other_boards_is_named() -> None:
    assert SELECTORS
    for key in (*custom.REQUIRED, *custom.OPTIONAL):
        assert re.search(rf"`{key}`|^{key} = ", OTHER_BOARDS, re.MULTILINE), key


@pytest.mark.parametrize("name", SHIPPED)
def test_every_rule_and_code_can_be_explained(name: str) -> None:
    ruleset = plugins.ruleset(name)
    for rule in ruleset.rules:
        assert rule.summary in explain(f"{name}/{rule.id}")
    for code in ruleset.codes:
        assert code.meaning in explain(code.code)
        assert code.example, f"{code.code} has no example"
        assert code.remedy, f"{code.code} does not say how to put it right"


@pytest.mark.parametrize("name", SHIPPED)
def test_codes_cite_rules_that_exist(name: str) -> None:
    ruleset = plugins.ruleset(name)
    known = {rule.id for rule in ruleset.rules}
    assert [code.code for code in ruleset.codes if not set(code.rules) <= known] == []


@pytest.mark.shared
@pytest.mark.skipif(not CONTRACT.is_file() and "CI" not in os.environ, reason=f"no contract at {CONTRACT}")
def test_codes_and_severities_are_those_of_the_contract() -> None:
    stated: dict[str, str] = {}
    for line in CONTRACT.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 3 and cells[2] in ("error", "warning", "notice") and "/" in cells[1]:
            names = [name.strip() for name in cells[1].split(",")]
            prefix = names[0].split("/")[0]
            for name in names:
                stated[name if "/" in name else f"{prefix}/{name}"] = cells[2]
    have = {code.code: code.severity for code in COMMON_CODES}
    for name in SHIPPED:
        have |= {code.code: code.severity for code in plugins.ruleset(name).codes}
    assert have == stated


def test_the_example_configuration_names_every_setting_and_is_valid() -> None:
    text = (ROOT / "referee" / "app" / "examples" / "referee.toml").read_text("utf-8")
    TypeAdapter(Config).validate_python(tomllib.loads(text))
    uncommented = re.sub(r"(?m)^# (?=[\[\w]+ *[=\]\w])", "", text)
    keys = {item.name for kind in (Config, BoardConfig) for item in fields(kind)}
    for key in keys - {"source", "database", "tables"}:
        if key not in ("engine", "day_first", "selectors"):
            assert re.search(rf"(?m)^\W*{key}\b|\[{key}\.", uncommented), f"{key} is not in the example"


def test_no_machine_path_and_no_registry_host_in_tracked_text() -> None:
    import subprocess

    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    bad = re.compile(r"/(?:work|root)/|pypi\.org|pythonhosted|npmjs|deb\.debian")
    own = "tests/test_docs.py"
    wrong = []
    for name in listed:
        path = ROOT / name
        if name and name != own and path.is_file() and bad.search(path.read_text("utf-8", "replace")):
            wrong.append(name)
    assert wrong == []
