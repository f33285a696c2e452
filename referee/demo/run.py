"""The main job on the sample site: configure, scrape, verify, judge, come back later, report."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.app import plugins
from referee.app.config import load_config
from referee.app.output import write_out
from referee.app.passes import one_pass
from referee.app.publish import render
from referee.app.stored import Choice, stored_reports
from referee.demo.site import DemoSite
from referee.model.report import ThreadReport

#: The forms that the demonstration writes.
FORMS = ("html", "json", "md")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demonstration gave: its threads, the report to open, the configuration to look at."""

    threads: tuple[ThreadReport, ...]
    report: Path
    config: Path


def run_demo(folder: Path, staff: bool, tell: Callable[[str, str], None]) -> Shown:
    """Serve the sample site, run two passes over it, write the staff report into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "var", ignore_errors=True)
    with DemoSite() as site:
        config_file = _write_config(folder, site)
        config = load_config(config_file)
        tell("step", f"the sample board is at {site.board_url}, its dice log at {site.dice_url}")
        one_pass(config, tell, fresh=True)
        site.advance()
        tell("step", "a day later on the sample board: posts were edited, one is gone")
        one_pass(config, tell, fresh=True)
        threads = stored_reports(config, Choice())
    for form in FORMS:
        write_out(render(threads, form, staff), folder / f"report.{form}", private=staff)
    return Shown(threads, folder / "report.html", config_file)


def _write_config(folder: Path, site: DemoSite) -> Path:
    """A configuration as an operator would write it: one section for each thread's rule system."""
    import tomli_w

    boards: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    sheets: list[dict[str, Any]] = []
    judges, battles, given = site.judges(), site.battles(), site.tables()
    for name, url in site.threads.items():
        if name not in plugins.names("rulesets"):
            continue
        boards[name] = {
            "url": site.board_url,
            "ruleset": name,
            "threads": [url],
            "judges": judges[name],
            "battle": battles[name],
            "allow_private": True,
            "pace": 0,
        }
        tables[name] = given[name]
        sheets += [{"board": name, **sheet} for sheet in site.sheets()[name]]
    data = {
        "contact": "demo@example.org",
        "data_dir": "var",
        "sheets": "sheets.toml",
        "boards": boards,
        "dice": {"log": {**site.dice_service(), "pace": 0}},
        "tables": tables,
    }
    (folder / "sheets.toml").write_text(tomli_w.dumps({"character": sheets}), encoding="utf-8")
    (folder / "sheets.toml").chmod(0o600)
    place = folder / "referee.toml"
    place.write_text(tomli_w.dumps(data), encoding="utf-8")
    return place
