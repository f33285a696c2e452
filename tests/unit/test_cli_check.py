"""`referee init` and `referee check`: what is wrong is named with file, line and key; secrets stay closed."""

from __future__ import annotations

import re
import stat
import tomllib
from pathlib import Path

import pytest

from referee.app import plugins
from referee.app.config import load_config
from referee.app.errors import UsageError
from referee.app.given import misspelt_tables, under
from referee.app.setup import check_all, write_examples
from referee.app.transcripts import load_transcript

BOARD = '[boards.b]\nurl = "https://f.example/"\nruleset = "shinobi"\n'


def wrong(folder: Path, config: str, sheets: str | None = None) -> list[str]:
    """The error lines of a check, offline."""
    (folder / "referee.toml").write_text('contact = "a@b.example"\n' + config)
    if sheets is not None:
        (folder / "sheets.toml").write_text(sheets)
        (folder / "sheets.toml").chmod(0o600)
    try:
        lines = list(check_all(load_config(folder / "referee.toml"), online=False))
    except UsageError as error:
        return [str(error)]
    return [checked.line for checked in lines if checked.level == "error"]


def test_what_init_writes_passes_the_check(tmp_path: Path) -> None:
    write_examples(tmp_path, force=False)
    told = [c.line for c in check_all(load_config(tmp_path / "referee.toml"), online=False) if c.level != "ok"]
    assert [line.partition("referee.toml: ")[2] for line in told] == [
        "nothing is watched: no board has `threads` or `forums`"
    ]
    data = tomllib.loads((tmp_path / "referee.toml").read_text())
    assert "tables" not in data, "an example counts only where staff want it to"
    assert tomllib.loads((tmp_path / "sheets.toml").read_text()) == {}


def test_all_examples_that_init_writes_can_be_used_as_they_stand(tmp_path: Path) -> None:
    """An example that counts only in another place than its own is none."""
    for path in write_examples(tmp_path, force=False):
        used = re.sub(r'(?m)^# ?(?=\[|(?:[A-Za-z_0-9]+|"[^"\n]+") = )', "", path.read_text("utf-8"))
        path.write_text(used.replace('every = "15m"', "") if path.name == "referee.toml" else used, "utf-8")
    config = load_config(tmp_path / "referee.toml")
    assert {"bridge"} == set(config.boards)
    assert config.tables["d20_arena"]["bind_max"] == 4
    assert [c.line for c in check_all(config, online=False) if c.level != "ok"] == []


def test_the_sheets_are_closed_to_others_from_the_start(tmp_path: Path) -> None:
    write_examples(tmp_path, force=False)
    assert stat.S_IMODE((tmp_path / "sheets.toml").stat().st_mode) == 0o600
    (tmp_path / "sheets.toml").chmod(0o644)
    lines = [c.line for c in check_all(load_config(tmp_path / "referee.toml"), online=False) if c.level == "warning"]
    assert any("secret sheets (chmod 600)" in line for line in lines)


@pytest.mark.parametrize(
    "tables",
    [
        "[shinobi.timing]\nworn_out_factor = 2\nstamina_regen = 0.1",
        "[shinobi.attack_limits]\nbasic = [1]",
        "[angel_dolls.generators]\n350 = 6",
        "[d20_arena.stance]\nstanding = -2",
        "[enolaptia.allocation]\n7 = [1]",
    ],
)
def test_settings_of_any_profile_and_rows_of_a_boards_own_are_known(tables: str) -> None:
    for name, given in tomllib.loads(tables).items():
        assert list(misspelt_tables(name, given)) == []
        shipped = plugins.ruleset(name)
        for profile in shipped.profiles:
            assert list(misspelt_tables(name, dict(shipped.tables(profile, None)))) == []


@pytest.mark.parametrize("name", plugins.names("rulesets"))
def test_example_tables_belong_below_their_ruleset(name: str) -> None:
    ruleset = plugins.ruleset(name)
    text = under(name, ruleset.example_tables)
    headings = [line.lstrip("# ") for line in text.splitlines() if line.lstrip("# ").startswith("[")]
    assert headings
    assert all(line.startswith((f"[tables.{name}.", f"[tables.{name}]")) for line in headings)
    live = tomllib.loads(text).get("tables", {}).get(name, {})
    assert list(ruleset.check_tables(live)) == []


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("boards = 5\n", "referee.toml:2: boards: "),
        ("dice = 5\n", "referee.toml:2: dice: "),
        ("tables = {shinobi = 5}\n", "referee.toml:2: tables.shinobi: "),
        ('[boards.b]\nruleset = "shinobi"\n', "referee.toml:2: boards.b.url: is missing"),
        ('[boards.b]\nurl = "https://[f.example/"\n', "referee.toml:3: boards.b.url: 'https://[f."),
        (BOARD + 'timezone = "Mars/Olympus"\n', "referee.toml:5: boards.b.timezone: no such time zone"),
        (BOARD + 'engine = "phpBB"\n', "referee.toml:5: boards.b.engine: no such engine; there are "),
        (BOARD + 'profile = "rulebok"\n', "referee.toml:5: boards.b.profile: no such profile; there are rulebook"),
        (BOARD.replace("shinobi", "shinoby"), "referee.toml:4: boards.b.ruleset: no such ruleset; there are "),
        (BOARD + 'threds = ["x"]\n', "referee.toml:5: unknown key `boards.b.threds`, did you mean `threads`?"),
        ('[dice.d]\nurl_pattern = "x"\n', "referee.toml:3: dice.d.url_pattern: "),
        ('[dice.d]\nkind = "jsn"\n', "referee.toml:3: dice.d.kind: there is no 'jsn'; there are html, json, orokos"),
        ("[tables.shinobi]\ntechniqes = {}\n", "referee.toml:3: tables.shinobi.techniqes: unknown key, did you mean"),
        # A setting that counts for nothing leaves the rulebook's in force.
        ("[tables.shinobi.chances]\ncpa = 80\n", "referee.toml:3: tables.shinobi.chances.cpa: unknown key, did you"),
        ("[tables.shinobi.chances]\ncap = 80.5\n", "toml:3: tables.shinobi.chances.cap: expected a whole number, f"),
        ('[tables.shinobi.timing]\nupkeep = "no"\n', "toml:3: tables.shinobi.timing.upkeep: expected true or f"),
        ("[tables.shinobi]\nlimits = {many = 1}\n", "toml:3: tables.shinobi.limits.many: unknown key, did you mean"),
        ("[tables.d20_arena.critical]\ndamage = 6\n", "toml:3: tables.d20_arena.critical.damage: expected text in q"),
        ("[tables.angel_dolls.entangled]\nlegz = {}\n", "toml:3: tables.angel_dolls.entangled.legz: unknown key, did"),
        (BOARD + 'allow_private = "no"\n', "toml:5: boards.b.allow_private: expected true or false, found 'no'"),
        (BOARD + "allow_private = 1\n", "toml:5: boards.b.allow_private: expected true or false, found 1"),
        (BOARD + 'pace = "2"\n', "toml:5: boards.b.pace: expected a number, found '2'"),
        ('[dice.d]\nallow_private = "no"\n', "toml:3: dice.d.allow_private: expected true or false, found 'no'"),
        ('jitter = "30"\n', "toml:2: jitter: expected a number, found '30'"),
        ("[tables.enolaptia.creaturs]\n", "referee.toml:2: tables.enolaptia.creaturs: unknown key, did you mean"),
        ('[tables.shinobi.techniques.X]\nhits = "3"\n', "referee.toml:3: tables.shinobi.techniques.X.hits: "),
        (BOARD + 'battle = {kinds = "spar"}\n', "toml:5: boards.b.battle.kinds: unknown key, did you mean `kind`?"),
        (BOARD + 'battle = {turn_policy = "ratoi"}\n', "boards.b.battle.turn_policy: there is no 'ratoi'; there are"),
        (
            '[tables.enolaptia.maps."Fen".enemies]\n1 = "Rat"\n2 = "Eel"\n3 = "Rat"\n4 = "Rat"\n5 = "Rat"\n6 = "Rat"\n'
            '[tables.enolaptia.maps."Fen".drops]\n1 = "a"\n2 = "b"\n3 = "c"\n4 = "d"\n5 = "e"\n6 = "f"\n'
            '[tables.enolaptia.creatures]\n"Rat" = {hp = 1, at = 1, speed = 1, exp = 1}\n',
            "referee.toml:4: tables.enolaptia.maps.Fen.enemies.2: Eel is not in creatures",
        ),
        ("[tables.chess]\n", "referee.toml:2: tables.chess: no such ruleset; there are "),
        ('every = "soon"\n', "referee.toml:2: every: 'soon' is no interval"),
        ('schedule = "* *"\n', "referee.toml:2: schedule: '* *' has 2 fields"),
        ('data_dir = "/proc/nope"\n', "referee.toml:2: data_dir: /proc/nope: "),
        ('sheets = "gone.toml"\n', "referee.toml:2: sheets: "),
        ('database = "mysql://x"\n', "referee.toml:2: database: mysql is not supported"),
    ],
)  # fmt: skip
def test_a_wrong_configuration_is_named(tmp_path: Path, config: str, said: str) -> None:
    lines = wrong(tmp_path, config)
    assert len(lines) == 1
    assert said in lines[0]


@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ("character = 5\n", "sheets.toml:1: character: write each one as [[character]]"),
        ('[character]\nname = "Ren"\n', "sheets.toml:1: character: write each one as [[character]]"),
        ('[[charcter]]\nname = "Ren"\n', "sheets.toml:1: unknown key `charcter`, did you mean `[[character]]`?"),
        ('[[character]]\nname = ""\n', "sheets.toml:1: character 1 needs a `name`"),
        ('[[character]]\nname = "A"\n[[character]]\nplayer = "b"\n', "sheets.toml:3: character 2 needs a `name`"),
        ('[[character]]\nname = "Ren"\nplayer = 5\n', "sheets.toml:3: Ren: player: a text in quotes was expected"),
        ('[[character]]\nname = "Ren"\naliases = "abc"\n', "sheets.toml:3: Ren: aliases: a list of names"),
        ('[[character]]\nname = "Ren"\nboard = ["b"]\n', "sheets.toml:3: Ren: board: a text in quotes"),
        ('[[character]]\nname = "Ren"\nboard = "c"\n', "sheets.toml:3: Ren: board: there is no board 'c';"),
        ('[[character]]\nname = "Ren"\nrankk = "x"\n', "sheets.toml:3: Ren: rankk: unknown key, did you mean `rank`?"),
        ('[[character]]\nname = "Ren"\nrnak = "x"\n', "sheets.toml:3: Ren: rnak: unknown key, did you mean `rank`?"),
        ('[[character]]\nname = "Ren"\nRank = "x"\n', "sheets.toml:3: Ren: Rank: unknown key, did you mean `rank`?"),
        ('[[character]]\nname = "Ren"\nSide = "a"\n', "sheets.toml:3: Ren: Side: unknown key, did you mean `side`?"),
        ('[[character]]\nname = "Ren"\nstats = 5\n', "sheets.toml:3: Ren: stats: a table was expected"),
        ('[[character]]\nname = "Ren"\n\n[character.secret]\nhp = "x"\n', "sheets.toml:5: Ren: secret.hp: "),
        ('[[character]]\nname = "A"\n[[character]]\nname = "B"\nstats = {Speed = "x"}\n', "toml:5: B: stats.Speed: "),
        ('[[character]\nname = "Ren"\n', "sheets.toml:1: not valid TOML"),
    ],
)  # fmt: skip
def test_a_wrong_sheet_is_named(tmp_path: Path, sheets: str, said: str) -> None:
    lines = wrong(tmp_path, 'sheets = "sheets.toml"\n' + BOARD, sheets)
    assert len(lines) == 1
    assert said in lines[0]


def test_a_broken_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var/referee.db").write_bytes(b"no database" * 500)
    lines = wrong(tmp_path, 'data_dir = "var"\n')
    assert len(lines) == 1
    assert "referee.toml:2: data_dir: " in lines[0]
    assert "is not a database" in lines[0]


HEAD = "schema: referee/transcript@1\nruleset: shinobi\n"
POSTS = HEAD + "posts:\n- {id: 1, author: ren, text: hello}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schema: referee/transcript@1\nruleset: [shinobi]\nposts: []\n", "line 2: ruleset: "),
        (POSTS + "- {id: 2, author: ren, text: 5}\n", "line 5: posts[1].text: "),
        (POSTS + '- {id: "1", author: ren, text: again}\n', "line 5: posts[1]: `1` is there twice"),
        (POSTS + "- {id: 2, author: ren, at: 2026-13-01, text: x}\n", "line 5: posts[1].at: expected a time"),
        (POSTS + "posts: []\n", "line 5: invalid YAML: the key 'posts' is there twice"),
        (POSTS + "rulings:\n- {post: 9, effect: {hit_chance: 1}}\n", "line 6: rulings[0].post: there is no post `9`"),
        (POSTS + "characters:\n- {name: Ren, stats: {Speed: x}}\n", "line 6: characters[0].stats: "),
        (HEAD.replace("shinobi", "chess") + "posts: []\n", "line 2: ruleset: 'chess' is unknown"),
        ('{"schema": "referee/transcript@1", "ruleset": "shinobi", "posts": [], "posts": []}', "'posts' is there"),
    ],
)  # fmt: skip
def test_a_wrong_transcript_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "t.yaml").write_text(text)
    with pytest.raises(Exception, match="t.yaml: ") as caught:
        load_transcript(tmp_path / "t.yaml", {"shinobi": None})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_that_yaml_takes_for_numbers_are_names(tmp_path: Path) -> None:
    text = POSTS + "characters:\n- {name: 47, player: 12}\nrulings:\n- {post: 1, effect: {hit_chance: 1}, by: 3}\n"
    (tmp_path / "t.yaml").write_text(text + "rolls: {'http://d.example/1': {by: 47, values: [3]}}\n")
    battle = load_transcript(tmp_path / "t.yaml", {"shinobi": None})
    assert (battle.characters[0].name, battle.rulings[0].post, battle.rulings[0].by) == ("47", "1", "3")
