"""Bad input gets exit 2 and one line that names file, place, key and what was expected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.app.errors import InputError
from referee.app.transcripts import load_transcript

GOOD = """schema: referee/transcript@1
ruleset: shinobi
characters: [{name: Ren, player: ren}]
posts:
  - {id: p1, author: ren, at: 2026-01-02T10:00:00Z, text: hello}
"""
KNOWN = {"shinobi": 1}


def load(tmp_path: Path, text: str | bytes, name: str = "t.yaml") -> object:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_transcript(path, KNOWN)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("transcript@1", "transcript@9"), "schema: expected 'referee/transcript@1'"),
        (GOOD.replace("shinobi", "chess"), "ruleset: 'chess' is unknown, there are shinobi"),
        (GOOD + "  - {id: p1, author: b, text: x}\n", "posts[1]: `p1` is there twice"),
        (GOOD.replace("2026-01-02T10:00:00Z", "yesterday"), "posts[0].at:"),
        (GOOD.replace("text: hello", "other: 1"), "posts[0]: a post needs `text` or `html`"),
        (GOOD.replace("{id: p1,", "{id: [1],"), "posts[0].id:"),
        (
            GOOD.replace("player: ren}", "player: ren, stats: {Speed: fast}}"),
            "characters[0].stats: `Speed` must be a number",
        ),
        (GOOD + "posts: 5\n", "posts"),
        (GOOD + "rolls: {x: {values: [a]}}\n", "rolls.x.values[0]:"),
        ("schema: [", "line 2: invalid YAML"),
        ("a: *b\n", "YAML"),
        ("just words", "a mapping with the key `schema` was expected"),
        ("", "a mapping"),
        (b"\xff\xfe\x00bin", "not a text file"),
        (b"schema: a\x00b", "not a text file"),
        ('{"schema": ', "invalid JSON"),
        ("[" * 100_000, "t.yaml"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    line = str(caught.value)
    assert said in line
    assert "t.yaml" in line
    assert "\n" not in line


def test_aliases_are_refused_before_they_blow_up(tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*{'a' if not i else f'b{i - 1}'}, *a]\n" for i in range(30))
    with pytest.raises(InputError, match="aliases"):
        load(tmp_path, bomb)


@pytest.mark.parametrize("use", ["*a", "[*a]", "[x, *a]", "{k: *a}", "\n - *a", "\n\n  *a"])
def test_an_alias_is_seen_wherever_it_stands(tmp_path: Path, use: str) -> None:
    with pytest.raises(InputError, match="aliases"):
        load(tmp_path, f"first: &a x\nsecond: {use}\n")


def test_a_star_in_prose_is_no_alias(tmp_path: Path) -> None:
    load(tmp_path, GOOD.replace("hello", "'*waves* & bows'"))


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    with path.open("wb") as stream:
        stream.truncate(100 * 2**20)
    with pytest.raises(InputError, match="larger than"):
        load_transcript(path, KNOWN)
    with pytest.raises(InputError, match="No such file"):
        load_transcript(tmp_path / "gone.yaml", KNOWN)


def test_json_and_yaml_give_the_same_battle(tmp_path: Path) -> None:
    import yaml

    data = yaml.safe_load(GOOD)
    one = load(tmp_path, GOOD, "a.yaml")
    two = load(tmp_path, json.dumps(data, default=str), "a.yaml")
    assert one == two


def test_naive_times_are_utc_and_offsets_are_turned(tmp_path: Path) -> None:
    naive = load(tmp_path, GOOD.replace("10:00:00Z", "10:00:00"), "a.yaml")
    offset = load(tmp_path, GOOD.replace("10:00:00Z", "12:00:00+02:00"), "a.yaml")
    assert naive.posts[0].at == offset.posts[0].at  # type: ignore[attr-defined]


def test_a_record_that_shows_no_dice_proves_nothing_against_anybody(tmp_path: Path) -> None:
    bare = 'rolls: {"http://dice.example/r/1": {expression: 1d100}}\n'
    path = tmp_path / "battle.yaml"
    path.write_text(GOOD + bare, "utf-8")
    battle = load_transcript(path, KNOWN)
    assert battle.rolls is not None
    assert battle.rolls["http://dice.example/r/1"].status == "unreachable"
