"""The configuration: file, line and key of what is wrong, with a suggestion."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.app.config import BoardConfig, Config, load_config
from referee.app.errors import UsageError
from referee.app.sheets import load_sheets

GOOD = """contact = "staff@example.org"
data_dir = "var"
sheets = "sheets.toml"

[boards.bridge]
url = "https://forum.example.org/board/"
ruleset = "shinobi"
threads = ["https://forum.example.org/board/viewtopic.php?t=30"]

[boards.other]
url = "https://forum.example.org/"

[dice.castle]
url_pattern = 'https://dice\\.example\\.org/roll/(?P<id>\\w+)'
kind = "json"
"""


def load(tmp_path: Path, text: str) -> object:
    path = tmp_path / "referee.toml"
    path.write_text(text, "utf-8")
    return load_config(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("contact =", "contcat =", "referee.toml:1: unknown key `contcat`, did you mean `contact`?"),
        ("ruleset =", "rulset =", "referee.toml:7: unknown key `boards.bridge.rulset`, did you mean `ruleset`?"),
        (
            'url = "https://forum.example.org/"',
            'url = "forum"',
            "referee.toml:11: boards.other.url: expected an address",
        ),
        ("(?P<id>\\w+)", "(?P<id>", "referee.toml:14: dice.castle.url_pattern: not a regular expression"),
        ('kind = "json"', "kind = 5", "referee.toml:15: dice.castle.kind:"),
        ("[boards.bridge]", "[boards.bridge", "referee.toml:5: not valid TOML"),
        ('ruleset = "shinobi"', "pace = -1", "boards.bridge.pace"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gone.toml: No such file"):
        load_config(tmp_path / "gone.toml")


def test_paths_count_from_the_file_and_boards_are_found_by_the_longest_address(tmp_path: Path) -> None:
    config = load_config_of(tmp_path)
    assert config.data_dir == tmp_path / "var"
    assert config.board_of("https://forum.example.org/board/viewtopic.php?t=9")[0] == "bridge"
    assert config.board_of("https://forum.example.org/x")[0] == "other"
    assert config.board_of("https://elsewhere.example/") is None


def load_config_of(tmp_path: Path):  # type: ignore[no-untyped-def]
    return load(tmp_path, GOOD)


def test_sheets_of_a_board_and_of_all(tmp_path: Path) -> None:
    (tmp_path / "sheets.toml").write_text(
        '[[character]]\nname = "Ren"\nplayer = "ren"\nboard = "bridge"\n[character.secret]\nhp = 100\n'
        '[[character]]\nname = "Ada"\naliases = ["A."]\n',
        "utf-8",
    )
    config = load_config_of(tmp_path)
    assert [c.name for c in load_sheets(config, "bridge")] == ["Ren", "Ada"]
    assert [c.name for c in load_sheets(config, "other")] == ["Ada"]
    assert load_sheets(config, "bridge")[0].get("secret") == {"hp": 100}


def test_the_sheet_that_was_in_force_when_the_battle_began(tmp_path: Path) -> None:
    """A character that has grown is still judged by its old sheet in its old battles."""
    sheet = '[[character]]\nname = "Ren"\n{since}secret = {{hp = {hp}}}\n'
    (tmp_path / "sheets.toml").write_text(
        sheet.format(since="since = 2026-05-01\n", hp=120)
        + sheet.format(since="", hp=100)
        + sheet.format(since="since = 2026-07-01\n", hp=150)
        + '[[character]]\nname = "Ada"\nsince = 2026-06-01\n'
        + sheet.format(since='board = "bridge"\n', hp=90),
        "utf-8",
    )
    config = load_config_of(tmp_path)

    def hp(board: str, *begun: int) -> dict[str, int | None]:
        found = load_sheets(config, board, datetime(*begun, tzinfo=UTC) if begun else None)
        return {c.name: (c.get("secret") or {}).get("hp") for c in found}

    assert hp("other", 2026, 4, 30, 23) == {"Ren": 100}
    assert hp("bridge", 2026, 4, 30, 23) == {"Ren": 90}
    assert hp("other", 2026, 5, 1) == {"Ren": 120}
    assert hp("bridge", 2026, 8, 1) == hp("bridge") == {"Ren": 150, "Ada": None}
    # Days are the board's: late on the last of April in UTC it is May in Berlin; New York is behind.
    for zone, hour, pools in (("Europe/Berlin", (4, 30, 23), 120), ("America/New_York", (5, 1, 2), 100)):
        other = replace(config.boards["other"], timezone=zone)
        config = replace(config, boards={**config.boards, "other": other})
        assert hp("other", 2026, *hour) == {"Ren": pools}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[character]]\nname = "Ren"\n[[character]]\nname = "REN"\n', r"sheets.toml:4: REN: name: there is another"),
        (
            '[[character]]\nname = "Ren"\n[[character]]\nname = " Ren "\n',
            r"sheets.toml:4:  Ren : name: there is another",
        ),
        ('[[character]]\nname = "Ren"\nsince = "May"\n', r"sheets.toml:3: Ren: since: a day was expected"),
    ],
)
def test_sheets_that_contradict_each_other(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "sheets.toml").write_text(text, "utf-8")
    with pytest.raises(UsageError, match=said):
        load_sheets(load_config_of(tmp_path), None)


def test_blanks_around_names_are_none_of_them(tmp_path: Path) -> None:
    """No account is called `ren ` on any board."""
    text = '[[character]]\nname = " Ren Aoki"\nplayer = "ren "\nside = "a"\naliases = ["Frost "]\n'
    (tmp_path / "sheets.toml").write_text(text, "utf-8")
    found = load_sheets(load_config_of(tmp_path), None)[0]
    assert (found.name, found.player, found.aliases) == ("Ren Aoki", "ren", ("Frost",))


def test_boards_that_share_a_forum(tmp_path: Path) -> None:
    """The one that lists a thread has it; else all may."""
    listed = "https://f.example/viewtopic.php?t=1"
    one = BoardConfig(url="https://f.example/", threads=[listed])
    other = BoardConfig(url="https://f.example/")
    config = Config(boards={"other": other, "one": one, "deep": BoardConfig(url="https://f.example/deep/")})
    assert list(config.boards_of(listed)) == ["one"]
    assert list(config.boards_of("https://f.example/viewtopic.php?t=2")) == ["other", "one"]
    assert list(config.boards_of("https://f.example/deep/viewtopic.php?t=2")) == ["deep"]
    assert config.boards_of("https://g.example/") == {}


def test_a_sheet_without_a_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "sheets.toml").write_text('[[character]]\nplayer = "ren"\n', "utf-8")
    with pytest.raises(UsageError, match=r"sheets.toml:1: character 1 needs a `name`"):
        load_sheets(load_config_of(tmp_path), None)
