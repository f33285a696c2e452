"""Hostile posts in transcripts, through the whole way into all six forms: words, never markup, in bounded time."""

from __future__ import annotations

import copy
import csv
import io
import json
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.app.config import Config
from referee.app.publish import render
from referee.app.transcribe import replay_file
from referee.model.report import ThreadReport
from tests.support.patience import allowed

FORMS = ("text", "html", "md", "bbcode", "json", "csv")
RULESETS = ("shinobi", "d20_arena", "angel_dolls", "enolaptia")
MARK = "<script>alert(1)</script>"
POSTS = {
    "scripts": {"text": f"[HP {MARK} -1] <img src=x onerror=alert(1)> [Damage: <svg onload=alert(1)> 12, x4] (HP: -1)"},
    "html scripts": {"html": f"<p>(HP: -1 | Chakra: -2)</p>{MARK}<img src=x onerror=alert(1)><iframe src=x></iframe>"},
    "a million letters": {"text": "word " * 200_000},
    "a million open brackets": {"text": "[" * 300_000 + "(" * 300_000},
    "a million digits": {"text": "1" * 1_000_000},
    "ten thousand quotes": {"text": "[quote]" * 10_000 + "(HP: -99)" + "[/quote]" * 10_000},
    "ten thousand block quotes": {"html": "<blockquote>" * 10_000 + "(HP: -99)" + "</blockquote>" * 10_000},
    "broken markup": {"html": "<p><b><i></p></b>" * 500 + "<table><tr><td>[HP -1<!-- <![CDATA[ ]]> </html>"},
    "broken codes": {"text": "[b][i][/b][url=javascript:alert(1)]x[/url][quote=[quote]][/code][code][/quote]" * 100},
    "bidi": {"text": "\u202e(HP: -1 | Chakra: -2 | Stamina: -3)\u2066\u200b [\u202eHP x]\u061c"},
    "nul": {"text": "a\x00b (HP: \x00-1 | Chakra: -2)\x00 [HP\x00 x]"},
    "terminal codes": {"text": "\x1b[31mred\x1b]0;title\x07 [HP \x1b[2J] \x85\u2028 x"},
    "formulas": {"text": "[=HYPERLINK(\"http://x\")] [HP =cmd|' /C calc'!A0] @SUM(1) {{7*7}} ${x} `x` ```"},
    "bad links": {"text": "[url=javascript:alert(1)]x[/url] [url=http://[::1]y[/url] http://[ data:text/html,x"},
    "many links": {"text": "http://dice.example/r/1 " * 20_000},
    "lone surrogates": {"text": "\ud800 [HP \udfff]"},
    "marks upon marks": {"text": "[HP a" + "\u0301" * 200_000 + "]"},
}


def judged(folder: Path, ruleset: str, body: dict[str, str]) -> ThreadReport:
    """A battle whose title, names and posts are all hostile."""
    post = {"author": "ren", **body}
    battle = {
        "schema": "referee/transcript@1",
        "ruleset": ruleset,
        "title": MARK + "\u202e\x00",
        "characters": [
            {"name": f"Ren{MARK}", "player": "ren", "side": "a", "stats": {"HP": 9}},
            {"name": "=Ada", "player": "ada", "side": "b", "stats": {"HP": 9}},
        ],
        "posts": [
            {"id": f"p1{MARK}", **post},
            {"id": "p2", **post, "author": "ada"},
            {"id": "p3", "author": MARK, "text": "[HP -5]"},
        ],
    }
    (folder / "battle.json").write_text(json.dumps(battle))
    return replay_file(folder / "battle.json", Config(), offline=True)[0]


class Tags(HTMLParser):
    """Collects what a browser would take for markup."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", POSTS)
def test_hostile_posts_come_out_as_words(tmp_path: Path, ruleset: str, name: str) -> None:
    begun = time.process_time()
    report = judged(tmp_path, ruleset, POSTS[name])
    assert report.error is None
    shown = {form: render((report,), form, staff=False) for form in FORMS}
    assert time.process_time() - begun < allowed(20)
    for form, text in shown.items():
        text.encode("utf-8")
        assert not {"\x00", "\x1b", "\x07"} & set(text), form
        assert len(text) < 2_000_000, form
    tags = Tags()
    tags.feed(shown["html"])
    assert not tags.names & {"script", "img", "iframe", "object", "embed", "link", "base", "form"}
    assert not [attribute for attribute in tags.attributes if attribute.startswith("on")]
    assert all(address.startswith(("#", "http://", "https://")) for address in tags.addresses)
    for form in ("text", "html", "md", "bbcode", "csv"):
        assert "\u202e" not in shown[form], form
    assert json.loads(shown["json"])["threads"][0]["title"].startswith(MARK)
    for row in csv.reader(io.StringIO(shown["csv"])):
        assert not [cell for cell in row if cell[:1] in "=@" and cell[:1]]


def places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place below a value of JSON."""
    rows = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in rows:
        yield (*place, key)
        yield from places(value, (*place, key))


def put(data: Any, place: tuple[Any, ...], value: object) -> Any:
    """A copy of the data with another value at a place."""
    made = copy.deepcopy(data)
    inner = made
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return made


@pytest.mark.parametrize("ruleset", RULESETS)
def test_values_of_any_kind_in_tables_and_sheets_break_nothing(tmp_path: Path, ruleset: str) -> None:
    """A board's own tables are typed by hand: what a ruleset can't use is told, and the rest is judged."""
    paths = (Path(__file__).parent / "battles" / ruleset).glob("*.yaml")
    battles = [yaml.safe_load(path.read_text("utf-8")) for path in paths]
    battle = max(battles, key=lambda one: len(str(one.get("tables"))) - len(one["posts"]))
    path = tmp_path / "battle.json"
    for section in ("tables", "characters", "battle"):
        for number, place in enumerate(places(battle.get(section) or {})):
            value = ([[1]], {"a": [1]}, "x")[number % 3]
            path.write_text(json.dumps(put(battle, (section, *place), value), default=str), "utf-8")
            report, _ = replay_file(path, Config(), offline=True)
            assert "a fault of the rule system" not in (report.error or ""), (section, place, report.error)
