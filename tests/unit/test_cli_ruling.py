"""`referee ruling` as staff use it: decisions on findings, rulings in the replay, the list, wrong usage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile_site import HostileSite, is_clean, referee, send, thread_page

THREAD = "/viewtopic.php?t=7"
STATS = "Taijutsu: 90<br>Ninjutsu: 80<br>(HP: -0 | Chakra: -0 | Stamina: -0)"


def serve(site: HostileSite, hp: int = 1) -> None:
    """A stat block, then two posts that lose HP without a cause."""
    loss = f"(HP: -{hp} | Chakra: -0 | Stamina: -0)"
    site.plays[THREAD] = lambda handler, _before: send(
        handler, thread_page({1: STATS, 2: loss, 3: f"On it goes.<br>{loss}"})
    )


@pytest.fixture
def home(tmp_path: Path) -> Iterator[tuple[HostileSite, Path]]:
    """A board with one thread that was run once, and the folder of its installation."""
    with HostileSite() as site:
        serve(site)
        site.configure(tmp_path, THREAD)
        assert referee(tmp_path, "run").returncode == 0
        yield site, tmp_path


def losses(folder: Path) -> list[dict[str, Any]]:
    """The findings about lost HP as the stored report has them."""
    told = json.loads(referee(folder, "report", "--to", "json").stdout)
    return [f for thread in told["threads"] for f in thread["findings"] if f["code"] == "shinobi/loss-hp"]


def test_a_decision_stands_in_every_report_and_in_the_exit_status(home: tuple[HostileSite, Path]) -> None:
    site, folder = home
    first, second = losses(folder)
    assert (first["disposition"], first["post"]) == ("open", "2")
    assert referee(folder, "audit", site.url()).returncode == 1
    text = referee(folder, "report").stdout
    assert f"  Finding {first['fingerprint']}" in text
    assert f"<code>{first['fingerprint']}</code>" in referee(folder, "report", "--to", "html").stdout
    done = referee(folder, "ruling", "dismiss", first["fingerprint"][:8], "--by", "mod", "--reason", "agreed in chat")
    assert done.stdout == f"{first['fingerprint']} shinobi/loss-hp at post 2: dismissed\n"
    assert referee(folder, "ruling", "overrule", second["fingerprint"]).returncode == 0
    assert [f["disposition"] for f in losses(folder)] == ["dismissed", "overruled"]
    assert referee(folder, "audit", site.url()).returncode == 0
    text = referee(folder, "report").stdout
    assert text.startswith("1 thread: no errors, no warnings, ") and "; 2 set aside by staff\n" in text
    assert "  Staff decision: dismissed\n" in text
    assert "loss-hp" not in referee(folder, "report", "--to", "bbcode").stdout
    listed = referee(folder, "ruling", "list").stdout
    assert f"dismissed {first['fingerprint']}: shinobi/loss-hp at post 2 (by mod: agreed in chat, " in listed
    assert referee(folder, "ruling", "reopen", first["fingerprint"]).returncode == 0
    assert referee(folder, "audit", site.url()).returncode == 1


def test_an_audit_by_other_rules_leaves_the_boards_findings(home: tuple[HostileSite, Path]) -> None:
    site, folder = home
    assert "loss-hp" in referee(folder, "report", "--since", "last").stdout
    other = referee(folder, "audit", site.url(), "--ruleset", "d20_arena")
    assert (other.returncode, "loss-hp" in other.stdout) == (0, False)
    assert "loss-hp" not in referee(folder, "report", "--since", "last").stdout, "nothing of the board's is new"
    assert len(losses(folder)) == 2


def test_an_address_is_known_as_it_is_copied(home: tuple[HostileSite, Path]) -> None:
    """With blanks around it, and with the place of a post on the page."""
    site, folder = home
    copied = f" {site.url()}#p2 "
    given = ("ruling", "add", copied, "--post", "2", "--effect", "suspend=S11")
    assert referee(folder, *given).stdout == "ruling 1\n"
    assert "ruling 1" in referee(folder, "ruling", "list", "--thread", copied).stdout
    assert "loss-hp" in referee(folder, "report", "--thread", copied).stdout
    assert referee(folder, "audit", copied, "--fail-on", "never").returncode == 0
    assert referee(folder, "read", copied).returncode == 0
    assert referee(folder, "incidents").stdout == "no incidents\n"


@pytest.mark.parametrize(
    "copied", ["/viewtopic.php?p=2#p2", "/viewtopic.php?f=1&t=7&p=2#p2", "/viewtopic.php?t=7&start=10"]
)
def test_a_thread_is_known_by_a_post_and_by_a_later_page(home: tuple[HostileSite, Path], copied: str) -> None:
    site, folder = home
    assert "loss-hp" in referee(folder, "report", "--thread", site.url(copied)).stdout
    assert referee(folder, "ruling", "add", site.url(copied), "--post", "2", "--effect", "suspend=S11").returncode == 0
    assert "ruling 1" in referee(folder, "ruling", "list", "--thread", site.url(copied)).stdout
    assert "is not stored" in referee(folder, "report", "--thread", site.url("/viewtopic.php?p=9#p9")).stderr


def test_a_decided_finding_is_open_again_when_its_numbers_change(home: tuple[HostileSite, Path]) -> None:
    site, folder = home
    prints = [finding["fingerprint"] for finding in losses(folder)]
    assert referee(folder, "ruling", "confirm", *prints).returncode == 0
    assert [f["disposition"] for f in losses(folder)] == ["confirmed"] * 2
    assert referee(folder, "audit", site.url()).returncode == 1
    serve(site, hp=2)
    referee(folder, "run", "--fresh")
    changed = [f for f in losses(folder) if f["fingerprint"] in prints]
    assert {(f["claimed"], f["disposition"]) for f in changed} == {(-2, "open")}
    assert "; now open)" in referee(folder, "ruling", "list").stdout


def test_a_ruling_changes_the_replay_until_it_is_withdrawn(home: tuple[HostileSite, Path]) -> None:
    site, folder = home
    given = ("ruling", "add", site.url(), "--post", "2", "--effect", "suspend=S11", "--by", "mod", "--reason", "fog")
    assert referee(folder, *given).stdout == "ruling 1\n"
    assert [f["post"] for f in losses(folder)] == ["3"]
    told = referee(folder, "run", "-v").stderr
    assert "1 judged" in told and "alembic" not in told
    assert len(set(told.splitlines())) == len(told.splitlines()), "nothing is said twice"
    assert "ruling 1: post 2: suspend=S11 (by mod: fog, " in referee(folder, "ruling", "list").stdout
    ended = referee(folder, "ruling", "withdraw", "1", "--by", "head", "--reason", "the fog has lifted")
    assert ended.stdout == "ruling 1 is withdrawn\n"
    assert [f["post"] for f in losses(folder)] == ["2", "3"]
    assert "ruling" not in referee(folder, "ruling", "list", "--thread", site.url()).stdout.replace("no rulings", "")
    assert "; withdrawn by head: the fog has lifted, 2" in referee(folder, "ruling", "list", "--all").stdout


def test_a_ruling_of_several_effects_and_a_secret_total(home: tuple[HostileSite, Path]) -> None:
    """What does nothing is reported; a total that a ruling sets is for staff only."""
    site, folder = home
    effects = ("--effect", "set.hp=5432", "--effect", "hit_chance=-10")
    assert referee(folder, "ruling", "add", site.url(), "--post", "2", "--until", "3", *effects).returncode == 0
    shown = referee(folder, "ruling", "list").stdout + "".join(
        referee(folder, "report", "--to", form).stdout for form in ("text", "html", "json", "csv", "md", "bbcode")
    )
    assert "5432" not in shown and "post 2 to 3: set.hp (total not shown), hit_chance=-10" in shown
    assert "set.hp=5432" in referee(folder, "ruling", "list", "--staff").stdout


def test_the_configuration_may_be_named_before_or_after_the_command(home: tuple[HostileSite, Path]) -> None:
    _, folder = home
    (folder / "referee.toml").rename(folder / "other.toml")
    for words in (("ruling", "--config", "other.toml", "list"), ("ruling", "list", "--config", "other.toml")):
        assert referee(folder, *words).stdout == "no rulings and no decisions\n"
    assert referee(folder, "ruling", "--config", "none.toml", "list").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["add", "URL", "--post", "9", "--effect", "fate=dead"], "--post: there is no post '9' in "),
        (
            ["add", "URL", "--post", "3", "--until", "2", "--effect", "fate=dead"],
            "--until: post 2 stands before post 3",
        ),
        (["add", "http://x.example/", "--post", "2", "--effect", "fate=dead"], "is not stored; `referee audit`"),
        (["add", "URL", "--post", "2", "--effect", "hit_chanse=3"], "unknown effect; did you mean hit_chance?"),
        (
            ["add", "URL", "--post", "2", "--effect", "hit_chance=much"],
            "--effect hit_chance: 'much' is no whole number",
        ),
        (["add", "URL", "--post", "2", "--effect", "fate=fine"], "'fine' is none of alive, unconscious, dead"),
        (["add", "URL", "--post", "2", "--effect", "suspend=S99"], "shinobi has no rule 'S99'"),
        (["add", "URL", "--post", "2", "--effect", "suspend=d20_arena/A9"], "shinobi has no rule 'd20_arena/A9'"),
        (["add", "URL", "--post", "2", "--effect", "fate"], "write it as NAME=VALUE"),
        (["withdraw", "7"], "there is no ruling 7 in force"),
        (["dismiss", "abc"], "give at least 4 signs"),
        (["dismiss", "zzzzzz"], "no finding has an id that begins so"),
        (["list", "--thread", "http://x.example/"], "is not stored"),
    ],
)
def test_wrong_usage_is_one_line(home: tuple[HostileSite, Path], arguments: list[str], line: str) -> None:
    site, folder = home
    done = referee(folder, "ruling", *[site.url() if word == "URL" else word for word in arguments])
    assert (done.returncode, done.stdout) == (2, "")
    assert is_clean(done) and line in done.stderr and done.stderr.count("\n") == 1
