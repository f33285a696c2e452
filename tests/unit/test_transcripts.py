"""Bad input gets exit 2 and one line that names file, place, key and what was expected."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.app.config import Config
from referee.app.errors import InputError
from referee.app.transcribe import replay_file
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
        (GOOD.replace("2026-01-02T10:00:00Z", "yesterday"), "line 5: posts[0].at: expected a time such as"),
        (GOOD.replace("2026-01-02T10:00:00Z", "2026-02-30"), "line 5: posts[0].at: expected a time such as"),
        (GOOD.replace("2026-01-02T10:00:00Z", "10:00"), "posts[0].at: expected a time such as"),
        (GOOD.replace("2026-01-02T10:00:00Z", "1767348000"), "posts[0].at: expected a time such as"),
        (GOOD.replace("2026-01-02T10:00:00Z", "'0001-01-01T00:00:00+14:00'"), "posts[0].at: expected a time such as"),
        (GOOD.replace("2026-01-02T10:00:00Z", "'9999-12-31T23:59:59-14:00'"), "posts[0].at: expected a time such as"),
        (GOOD + "rolls: {x: }\n", "line 6: rolls.x: expected a table such as {...}, found nothing"),
        (GOOD + "title: 1984\n", "line 6: title: expected text in quotes, found 1984"),
        (GOOD.replace("hello", "hel\x07lo"), "line 5: invalid YAML: unacceptable character"),
        (GOOD.replace("text: hello", "other: 1"), "posts[0]: `text` or `html` is missing"),
        (
            GOOD.replace("text: hello", "text: hello, revisions: [{seen: 2026-01-02T10:00:00Z}]"),
            "line 5: posts[0].revisions[0]: `text` or `html` is missing",
        ),
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
    bomb = "".join(f"b{i}: &b{i} [{', '.join([f'*b{i - 1}' if i else 'x'] * 9)}]\n" for i in range(9))
    with pytest.raises(InputError, match="aliases unfold to more than 20 MiB"):
        load(tmp_path, GOOD + bomb)
    words = "w" * 100_000
    with pytest.raises(InputError, match="aliases unfold to more than 20 MiB"):
        load(tmp_path, GOOD + f"x: &x {words}\ny: [{', '.join(['*x'] * 300)}]\n")
    with pytest.raises(InputError, match="line 6: a YAML alias stands inside what it names"):
        load(tmp_path, GOOD + "x: &x [*x]\n")


@pytest.mark.parametrize("use", ["*a", "[*a]", "[x, *a]", "{k: *a}", "\n - *a", "\n\n  *a"])
def test_an_alias_stands_for_what_it_names(tmp_path: Path, use: str) -> None:
    """Anchors are YAML like everything else; whatever is wrong in them is told as if it stood at its place."""
    assert load(tmp_path, GOOD + f"first: &a x\nsecond: {use}\n") == load(tmp_path, GOOD)


def test_a_sheet_that_builds_on_another(tmp_path: Path) -> None:
    sheets = "characters:\n  - &ren {name: Ren, player: ren, stats: &s {Speed: 9, Defense: 4}}\n"
    twin = "  - {<<: *ren, name: Aki, stats: {<<: *s, Speed: 7}}\n"
    whole = "  - {name: Aki, player: ren, stats: {Speed: 7, Defense: 4}}\n"
    head, posts = GOOD.split("characters: [{name: Ren, player: ren}]\n")
    assert load(tmp_path, head + sheets + twin + posts) == load(tmp_path, head + sheets + whole + posts)
    doubled = twin.replace("Speed: 7", "Speed: 7, Speed: 8")
    with pytest.raises(InputError, match="line 5: invalid YAML: the key 'Speed' is there twice"):
        load(tmp_path, head + sheets + doubled + posts)


def test_keys_that_a_merged_mapping_gives_are_no_twins_wherever_it_stands(tmp_path: Path) -> None:
    later = "deep:\n  - inner:\n      b: &b {<<: {x: 1}, x: 2}\nc: {<<: *b}\n"
    assert load(tmp_path, GOOD + later) == load(tmp_path, GOOD)


def test_a_mapping_of_yaml_in_brackets(tmp_path: Path) -> None:
    flow = "{schema: referee/transcript@1, ruleset: shinobi, posts: [{id: p1, author: ren, text: hello}]}"
    assert len(load(tmp_path, flow).posts) == 1  # type: ignore[attr-defined]


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


@pytest.mark.parametrize(
    ("written", "precision"),
    [
        ("2026-01-02T10:00:00Z", "second"),
        ("2026-01-02 11:00:00 +1", "second"),
        ("'2026-01-02t10:00:00.25z'", "second"),
        ("'2026-01-02 10:00:00 +00:00'", "second"),
        ("20260102T100000Z", "second"),
        ("2026-01-02T10:00Z", "minute"),
        ("2026-01-02 10:00", "minute"),
        ("2026-01-02T11:00+01:00", "minute"),
        ("2026-01-02T10+00:00", "day"),
        ("2026-01-02", "day"),
        ("'2026-01-02'", "day"),
    ],
)
def test_a_time_is_as_exact_as_it_is_written(tmp_path: Path, written: str, precision: str) -> None:
    post = load(tmp_path, GOOD.replace("2026-01-02T10:00:00Z", written)).posts[0]  # type: ignore[attr-defined]
    moment = datetime(2026, 1, 2, 0 if written.strip("'") == "2026-01-02" else 10, tzinfo=UTC)
    assert (post.at.replace(microsecond=0), post.precision) == (moment, precision)


def test_a_roll_is_in_time_in_the_minute_or_on_the_day_that_a_post_names(tmp_path: Path) -> None:
    """Of a post of 10:00 nobody knows the second: its roll of 10:00:40 may well have come first."""
    tag = "[Damage: 5 x1 kick] [20% to hit: rolled 70 [url=http://dice.example/r/1]roll[/url]]"
    rolls = 'rolls: {"http://dice.example/r/1": {at: 2026-01-02T10:00:40Z, by: ren, expression: 1d100, values: [70]}}\n'
    codes = {}
    for at in ("2026-01-02T10:00:00Z", "2026-01-02T10:00Z", "2026-01-02", "2026-01-02T10:00:00Z, edited: 2026-01-02"):
        path = tmp_path / "t.yaml"
        path.write_text(GOOD.replace("2026-01-02T10:00:00Z", at).replace("hello", f"'{tag}'") + rolls, "utf-8")
        report = replay_file(path, Config(), offline=True)[0]
        codes[at] = {finding.code for finding in report.findings} & {"dice/too-late"}
    assert codes.pop("2026-01-02T10:00:00Z") == {"dice/too-late"}
    assert not any(codes.values())


def test_a_roll_of_which_the_day_alone_is_told_is_not_judged_by_time(tmp_path: Path) -> None:
    battle = load(tmp_path, GOOD + "rolls: {x: {at: 2026-01-02, values: [3], earlier: }}\n")
    assert battle.rolls["x"].at is None  # type: ignore[attr-defined]


def test_a_list_of_which_only_the_key_is_written_is_empty(tmp_path: Path) -> None:
    bare = GOOD.replace("text: hello", "text: hello, revisions: ").replace("player: ren}", "player: ren, aliases: }")
    assert load(tmp_path, bare) == load(tmp_path, GOOD)


def test_a_record_that_shows_no_dice_proves_nothing_against_anybody(tmp_path: Path) -> None:
    bare = 'rolls: {"http://dice.example/r/1": {expression: 1d100}}\n'
    path = tmp_path / "battle.yaml"
    path.write_text(GOOD + bare, "utf-8")
    battle = load_transcript(path, KNOWN)
    assert battle.rolls is not None
    assert battle.rolls["http://dice.example/r/1"].status == "unreachable"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ruleset: shinobi\n", "ruleset: shinobi\nrols: {}\n", "line 3: rols: unknown key, did you mean `rolls`?"),
        ("at: 2026", "edit: 2026", "line 5: posts[0].edit: unknown key, did you mean `edited`?"),
        ("player: ren}", "player: ren, rankk: x}", "line 3: characters[0].rankk: unknown key, did you mean `rank`?"),
        ("player: ren}", "player: ren, Rank: x}", "line 3: characters[0].Rank: unknown key, did you mean `rank`?"),
        ("player: ren}", "Player: ren}", "line 3: characters[0].Player: unknown key, did you mean `player`?"),
        ("at: 2026", "At: 2026", "line 5: posts[0].At: unknown key, did you mean `at`?"),
        ("player: ren}", "player: ren, stats: {Sped: 9}}", "characters[0].stats.Sped: unknown key, did you mean"),
        ("player: ren}", "player: ren, stats: {speed: 9, Luck: 3}}", None),
        ("posts:", "battle: {kinds: spar}\nposts:", "line 4: battle.kinds: unknown key, did you mean `kind`?"),
        ("posts:", "battle: {mood: bad}\nposts:", "battle.mood: unknown key; known keys: forfeits, judge, kind,"),
        ("posts:", "battle: {kind: duel}\nposts:", "battle.kind: there is no 'duel'; there are spar,"),
        ("posts:", "battle: {kind: Life and Death, turn_policy: Ratio}\nposts:", None),
        ("posts:", "battle: {turn_policy: ratoi}\nposts:", "there is no 'ratoi'; there are alternate, rounds,"),
        ("posts:", "battle: {forfeits: [{post: p9, character: Ren}]}\nposts:", "battle.forfeits[0].post: there is no"),
        ("posts:", "battle: {forfeits: [{post: p1, character: Rem}]}\nposts:", "there is no character 'Rem'"),
        ("posts:", "battle: {forfeits: [{post: p1, character: Ren}]}\nposts:", None),
        ("posts:", "battle: {forfeits: p1}\nposts:", "line 4: battle.forfeits: must be a list such as"),
        ("posts:", "battle: {profile: x}\nposts:", "battle.profile: no such profile; there are rulebook"),
        ("posts:", "tables: {techniqes: {}}\nposts:", "tables.techniqes: unknown key, did you mean `techniques`?"),
        ("posts:", "tables: {techniques: {A: {cots: 3}}}\nposts:", "line 4: tables.techniques.A.cots: unknown key"),
        ("ruleset: shinobi", "ruleset: shinobi\nexpect: []\nnotes: anything", None),
    ],
)  # fmt: skip
def test_what_looks_misspelt_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, old: str, new: str, said: str | None
) -> None:
    """A misspelt key counts for nothing, and a judge without it may accuse somebody; other keys may be notes."""
    assert old in GOOD
    load(tmp_path, GOOD.replace(old, new, 1))
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == (said is not None)
    assert said is None or (said in lines[0] and "t.yaml: line" in lines[0])


def test_of_many_misspelt_keys_some_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One line for each key of a level, however many posts have it, and not more than anybody reads."""
    posts = "".join(f"  - {{id: q{number}, author: ren, edit: 2026-01-02, text: b}}\n" for number in range(300))
    load(tmp_path, GOOD + posts)
    assert [record.getMessage().rpartition(": line")[2] for record in caplog.records] == [
        " 6: posts[1].edit: unknown key, did you mean `edited`?"
    ]
    caplog.clear()
    stats = ", ".join(f"Speed{number}: 1" for number in range(9))
    others = ", ".join(
        f"{{name: N{number}, stats: {{{stats.replace('Speed', f'Spee{number}d')}}}}}" for number in range(9)
    )
    load(tmp_path, GOOD.replace("characters: [", f"characters: [{others}, "))
    assert len(caplog.records) == 20


def test_a_link_is_known_however_it_is_written(tmp_path: Path) -> None:
    links = ("https://Dice.example:443/r/1/", "http://dice.example/r/1#top", "http://dice.example:8080/r/1")
    said = " ".join(f"[url={link}]12[/url]" for link in links)
    post = GOOD.replace("text: hello", f"text: '{said}'")
    battle = load(tmp_path, post + "rolls: {'http://dice.example/r/1': {values: [12]}}")
    assert [link in battle.rolls for link in links] == [True, True, False]
    twins = "'http://dice.example/r/1': {values: [12]}, 'https://dice.example/r/1': {values: [13]}"
    assert len(load(tmp_path, f"{post}rolls: {{{twins}}}").rolls) == 2, "nobody knows which of the two is meant"
