"""The command line as a newcomer meets it: one clear line and the right exit status, whatever is wrong."""

from __future__ import annotations

import gc
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.engine.replay import judge_battle
from referee.model.battle import Battle
from referee.model.report import ThreadReport
from referee.ports.rules import Ruleset

Run = Callable[..., tuple[int, str, str]]

GOOD = {
    "schema": "referee/transcript@1",
    "ruleset": "shinobi",
    "characters": [{"name": "Ren", "player": "ren", "side": "a"}, {"name": "Ada", "player": "ada", "side": "b"}],
    "posts": [
        {"id": "p1", "author": "ren", "text": "Taijutsu: 90 | Speed: 80\n(HP: -0 | Chakra: -0 | Stamina: -0)"},
        {"id": "p2", "author": "ada", "text": "Taijutsu: 90 | Speed: 80\n(HP: -0 | Chakra: -0 | Stamina: -0)"},
        {"id": "p3", "author": "ren", "text": "(HP: -7 | Chakra: -0 | Stamina: -0)"},
    ],
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs a command in an empty folder; gives status, standard output and the error lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("REFEREE_DEBUG", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        said = capfd.readouterr()
        assert "Traceback" not in said.err
        assert "a fault of referee" not in said.err
        return int(left.value.code or 0), said.out, said.err

    yield call
    gc.enable()


@pytest.fixture
def good(tmp_path: Path) -> str:
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    (tmp_path / "sheet.txt").write_text("Ren, 90 Taijutsu")
    return "good.json"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frobnicate"], "No such command 'frobnicate'"),
        (["replay"], "Missing argument"),
        (["replay", "--offline", "good.json", "--to", "pdf"], "'pdf' is not one of"),
        (["replay", "--offline", "good.json", "--fail-on", "often"], "'often' is not one of"),
        (["replay", "--offline", "good.json", "--out", "."], "is a directory"),
        (["replay", "--offline", "good.json", "--out", "good.json/x"], "--out: good.json/x: "),
        (["replay", "--offline", "--config", "gone.toml", "good.json"], "gone.toml: No such file"),
        (["explain", "nonsense"], "nothing is called 'nonsense'"),
        (["explain", "shinobi/los-hp"], "near: shinobi/loss-hp"),
        (["new", "board", "Bad Name"], "can't be the name of a plug-in"),
        (["new", "board", "json"], "name of another package"),
        (["new", "ruleset", "shinobi"], "there is a plug-in 'shinobi' already"),
        (["new", "board", "phpbb"], "there is a plug-in 'phpbb' already"),
        (["new", "dice", "orokos"], "there is a plug-in 'orokos' already"),
        (["new", "board", "mine", "--in", "good.json"], "is a file"),
        (["replay", "--to", "html", "--format", "json", "good.json"], "--to html, --format json: only one of the two"),
        (["audit", "ftp://forum.example.org/t"], "ftp://forum.example.org/t: an address begins with http://"),
        (["run"], "no referee.toml here, so no board is watched"),
        (["watch"], "no referee.toml here, so no board is watched"),
        (["incidents", "--board", "b"], "there is no board 'b'; configured: none"),
        (["audit", "forum.example.org"], "begins with http:// or https://"),
        (["audit", "http://[::1", "--ruleset", "shinobi"], "is no address"),
        (["audit", "http://u:p@f.example/", "--ruleset", "shinobi"], "user name or a password"),
        (["audit", "http://f.example:99999/", "--ruleset", "shinobi"], "is no address"),
        (["audit", "http://f.example/" + "x" * 5000, "--ruleset", "shinobi"], "the address is too long"),
        (["audit", "https://f.example/t", "--ruleset", "shinoby"], "there is no ruleset 'shinoby'"),
        (["audit", "https://f.example/t", "--board", "b"], "there is no board 'b'"),
        (["report", "--since", "yesterday"], "neither a date such as 2026-11-30 nor `last`"),
        (["report", "--board", "b"], "there is no board 'b'"),
        (["report", "--thread", "http://f.example/t"], "is not stored; `referee audit` fetches it"),
        (["report", "--player", "nobody"], "no stored thread has an account or character 'nobody'"),
        (["run", "--board", "b"], "there is no board 'b'"),
        (["read", "gone.html", "--url", "http://f.example/"], "gone.html: No such file"),
        (["read", "good.json", "--url", "no address"], "--url: "),
        (["read", "good.json"], "good.json: a saved page was expected; `referee replay` takes transcripts"),
        (["read", "sheet.txt"], "Give --url, or write it to sheet.txt.url"),
        (["read", "good.json", "--url", "http://f.example/", "--engine", "phpBB"], "--engine: there is no 'phpBB'"),
        (["read", "good.json", "--url", "http://f.example/", "--fetched", "noon"], "'noon' is no time"),
        (["init", "good.json"], "is a file"),
        (["init", "/proc/referee"], "/proc/referee"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_status_2(run: Run, good: str, arguments: list[str], said: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
    assert err.startswith("referee: ")
    assert len(err) < 800


@pytest.mark.parametrize("arguments", [["init", "here"], ["new", "board", "mine"]])
def test_quiet_says_only_what_went_wrong(run: Run, arguments: list[str]) -> None:
    assert run(*arguments, "--quiet") == (0, "", "")
    assert run(*arguments, "--quiet")[0] == 2


def test_no_command_shows_the_help(run: Run) -> None:
    status, _, err = run()
    assert status == 2
    assert "\nCommands:\n" in err


def test_an_unknown_host_gets_the_lines_to_add(run: Run) -> None:
    status, _, err = run("audit", "https://forum.example.org/viewtopic.php?t=30")
    assert status == 2
    for words in ("--ruleset", "referee.toml", '[boards.forum-example-org] url = "https://forum.example.org/"'):
        assert words in err


def test_loopback_needs_a_word(run: Run) -> None:
    status, _, err = run("audit", "http://127.0.0.1:1/t", "--ruleset", "shinobi")
    assert status == 3
    assert "--allow-private" in err


@pytest.mark.parametrize(("fail_on", "status"), [("error", 1), ("warning", 1), ("notice", 1), ("never", 0)])
def test_status_by_severity(run: Run, good: str, fail_on: str, status: int) -> None:
    assert run("replay", "--offline", good, "--fail-on", fail_on, "--to", "csv")[0] == status


def test_notices_alone_fail_only_where_wanted(run: Run, tmp_path: Path) -> None:
    calm = {**GOOD, "posts": GOOD["posts"][:2]}  # type: ignore[index]
    (tmp_path / "calm.json").write_text(json.dumps(calm))
    seen = json.loads(run("replay", "--offline", "calm.json", "--to", "json", "--fail-on", "never")[1])
    assert {finding["severity"] for finding in seen["threads"][0]["findings"]} == {"notice"}
    assert run("replay", "--offline", "calm.json")[0] == 0
    assert run("replay", "--offline", "calm.json", "--fail-on", "warning")[0] == 0
    assert run("replay", "--offline", "calm.json", "--fail-on", "notice")[0] == 1


def test_a_broken_file_among_good_ones(run: Run, good: str, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("schema: [\n")
    status, out, err = run("replay", "--offline", good, "bad.yaml", "gone.yaml", good, "--format", "json")
    threads = json.loads(out)["threads"]
    assert status == 2
    assert [thread["file"] for thread in threads] == [good, "bad.yaml", "gone.yaml", good]
    assert [set(threads[place]) for place in (1, 2)] == [{"file", "error"}] * 2
    assert [line.split(":")[1].strip() for line in err.splitlines()] == ["bad.yaml", "gone.yaml"]
    assert threads[0]["findings"]


def test_a_configuration_that_watches_nothing_is_told_even_a_quiet_operator(run: Run, tmp_path: Path) -> None:
    (tmp_path / "referee.toml").write_text(
        'data_dir = "var"\n[boards.b]\nurl = "https://f.example/"\nruleset = "shinobi"\n'
    )
    status, out, err = run("run", "--quiet")
    assert (status, out) == (0, "")
    assert err == "referee: referee.toml: nothing is watched: no board has `threads` or `forums`\n"


def test_an_address_among_transcripts_is_named_as_it_was_written(run: Run) -> None:
    status, _, err = run("replay", "https://f.example/t")
    assert status == 2
    assert err.startswith("referee: https://f.example/t: an address; `referee audit` takes those")


def test_a_closed_standard_output_takes_nothing_and_breaks_nothing(good: str, tmp_path: Path) -> None:
    """`referee replay ... >&-` in a cron line: only the status counts."""
    words = f"cd {tmp_path} && {sys.executable} -m referee replay --offline --fail-on never {good} >&-"
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_rule_system_that_fails_on_one_file_leaves_the_others(
    run: Run, good: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.app import transcribe

    def judge(battle: Battle, ruleset: Ruleset) -> ThreadReport:
        if battle.title == "odd":
            raise KeyError("legs")
        return judge_battle(battle, ruleset)

    (tmp_path / "odd.json").write_text(json.dumps({**GOOD, "title": "odd"}))
    monkeypatch.setattr(transcribe, "judge_battle", judge)
    status, out, err = run("replay", "--offline", "--to", "json", "odd.json", good)
    failed, judged = json.loads(out)["threads"]
    assert status == 2
    assert failed == {"file": "odd.json", "error": err.removeprefix("referee: ").rstrip()}
    assert "odd.json: shinobi: KeyError: 'legs' (a fault of the rule system" in err
    assert judged["findings"]


def test_from_a_post_on(run: Run, good: str) -> None:
    seen = json.loads(run("replay", "--offline", good, "--from", "p3", "--to", "json")[1])["threads"][0]
    assert [post["id"] for post in seen["posts"]] == ["p3"]
    assert {finding["post"] for finding in seen["findings"]} == {"p3"}
    status, _, err = run("replay", "--offline", good, "--from", "p9")
    assert (status, "there is no post 'p9'" in err) == (2, True)


def test_the_same_input_gives_the_same_bytes(run: Run, good: str, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        run("replay", "--offline", good, "--to", "json", "--out", name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_out_makes_its_folder_and_replaces_a_file_whole(run: Run, good: str, tmp_path: Path) -> None:
    run("replay", "--offline", good, "--to", "md", "--out", "new/deep/r.md")
    place = tmp_path / "new/deep/r.md"
    assert place.read_text("utf-8").startswith("## ")
    place.write_text("old")
    place.chmod(0o640)
    run("replay", "--offline", good, "--to", "csv", "--out", "new/deep/r.md")
    assert place.read_text("utf-8").startswith("thread,")
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert [path.name for path in place.parent.iterdir()] == ["r.md"]


def test_out_follows_a_link_and_leaves_devices_alone(run: Run, good: str, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    run("replay", "--offline", good, "--to", "json", "--out", "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text("utf-8"))["schema"] == "referee/report@1"
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    run("replay", "--offline", good, "--to", "csv", "--out", "pipe")
    assert os.read(reader, 7) == b"thread,"
    os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_out_may_be_the_standard_output_wherever_that_leads(good: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m referee replay --offline {good} --to json --fail-on never --out /dev/stdout"
    done = subprocess.run(f"{command} | cat", shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["schema"] == "referee/report@1", done.stderr
    (tmp_path / "log").write_text("before\n")
    subprocess.run(f"{command} >> log; echo behind >> log", shell=True, cwd=tmp_path, check=False)
    lines = (tmp_path / "log").read_text("utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("before", "behind")
    assert len(lines) > 3


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full here")
def test_a_full_disk_is_said(run: Run, good: str) -> None:
    status, _, err = run("replay", "--offline", good, "--out", "/dev/full")
    assert (status, err) == (2, "referee: --out: /dev/full: No space left on device\n")
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="no /dev/zero here")
def test_a_file_without_end_is_not_read_to_its_end(run: Run) -> None:
    status, _, err = run("replay", "--offline", "/dev/zero", "--to", "csv")
    assert (status, "larger than 20 MiB" in err) == (2, True)
    status, _, err = run("read", "/dev/zero", "--url", "http://f.example/")
    assert (status, "larger than 32 MiB" in err) == (2, True)


def test_the_demonstration_writes_over_nothing_of_others(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine/var").mkdir(parents=True)
    (tmp_path / "mine/var/referee.db").write_text("years of work")
    status, _, err = run("demo", "--out", "mine")
    assert (status, "not the demonstration's" in err) == (2, True)
    assert (tmp_path / "mine/var/referee.db").read_text() == "years of work"


def test_a_plug_in_is_written_once(run: Run) -> None:
    assert run("new", "dice", "my_dice")[0] == 0
    status, _, err = run("new", "dice", "my_dice")
    assert (status, "is already there" in err) == (2, True)


def test_names_from_outside_command_no_terminal(run: Run) -> None:
    """Escape codes and bidi marks in a file's name or an address are shown as question marks."""
    status, _, err = run("replay", "--offline", "a\x1b[31m\u202e.yaml", "--to", "csv")
    assert (status, err) == (2, "referee: a?[31m?.yaml: No such file or directory\n")
    status, _, err = run("audit", "http://f.example/\x1b]0;x\x07")
    assert status == 2
    assert not {"\x1b", "\x07"} & set(err)


def test_a_progress_bar_takes_no_markup_from_names(good: str, tmp_path: Path) -> None:
    """On a terminal: a name such as `[/red].json` is a name, not the end of a colour."""
    (tmp_path / "[").mkdir()
    (tmp_path / "[/red] \x1b[2J.json").write_bytes((tmp_path / good).read_bytes())
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "referee", "replay", "--offline", good, "[/red] \x1b[2J.json", "--to", "csv"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, timeout=60)
    os.close(theirs)
    shown = os.read(ours, 1_000_000).decode("utf-8", "replace")
    os.close(ours)
    assert done.returncode == 1
    assert "red] ?[2J.json" in shown
    assert "a fault of referee" not in shown
