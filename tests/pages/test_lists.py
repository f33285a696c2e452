"""Sections of boards: every captured list of threads against its manifest, and lists that are none."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path

import pytest

from referee.ports.boards import Board, Page, ReadOptions
from tests.support.captured import BOARDS
from tests.support.samples import SHARED

CAPTURED = [
    pytest.mark.shared,
    pytest.mark.skipif(not BOARDS and "CI" not in os.environ, reason=f"no captured pages at {SHARED}/pages"),
]


def board_of(name: str) -> Board:
    found: Board = import_module(f"scrapers.boards.{name.split('-')[0]}").BOARD
    return found


def saved(path: Path) -> Page:
    return Page(Path(f"{path}.url").read_text("utf-8").strip(), path.read_bytes())


def lists() -> list[tuple[str, str, str]]:
    """Board, viewer and variant of every captured list."""
    found = [
        (path.parents[1].name, path.parent.name, path.name.removeprefix("forum-p1"))
        for path in sorted(SHARED.glob("pages/*/*/forum-p1*.html"))
    ]
    return found or [("no-boards", "", "")]


@pytest.mark.parametrize(("name", "viewer", "variant"), lists())
class TestCaptured:
    pytestmark = CAPTURED

    def test_every_thread_of_the_section_in_its_order(self, name: str, viewer: str, variant: str) -> None:
        """Numbers and titles; the next page is the one that was captured."""
        folder = SHARED / "pages" / name
        truth = json.loads((folder / "manifest.json").read_text("utf-8"))["forum_topics"]
        board = board_of(name)
        assert board.read_list is not None
        found, seen = [], set()
        for number in range(1, 9):
            path = folder / viewer / f"forum-p{number}{variant}"
            if not path.is_file():
                break
            page = saved(path)
            read = board.read_list(page, ReadOptions())
            assert read.kind == "list"
            found += [link for link in read.threads if link.url not in seen]
            seen |= {link.url for link in read.threads}
            following = folder / viewer / f"forum-p{number + 1}{variant}"
            if following.is_file() and name[:4] != "flux":
                assert read.next_url is not None
                assert read.next_url.split("&")[-1].split("?")[-1] == saved(following).url.split("&")[-1].split("?")[-1]
        shown = [(link.number, link.title) for link in found]
        known = [(str(topic["thread_id"]), topic["title"]) for topic in truth]
        if viewer == "user":
            # A member's list may lead to the first unread post of a thread instead of to the thread.
            assert len(known) - len(shown) <= 1
            known = [thread for thread in known if thread in shown]
        assert shown == (known[: len(shown)] if variant != ".html" else known)

    def test_the_battle_is_read_from_its_link(self, name: str, viewer: str, variant: str) -> None:
        """The address in the list is that of the thread's first page, as the thread's own reader names it."""
        folder = SHARED / "pages" / name
        board = board_of(name)
        assert board.read_list is not None
        read = board.read_list(saved(folder / viewer / f"forum-p1{variant}"), ReadOptions())
        battle = next((link for link in read.threads if link.title.startswith("[Battle]")), None)
        if battle is None:
            assert viewer == "user", "a member's list leads to the unread posts of a thread"
            return
        first = folder / viewer / f"battle-p1{variant}"
        if battle.number and first.is_file():
            shown = board.read_page(saved(first), ReadOptions())
            assert (shown.thread_id, shown.url) == (battle.number, battle.url)
        assert "sid=" not in battle.url.lower() and "PHPSESSID" not in battle.url


@pytest.mark.parametrize("name", BOARDS or ("no-boards",))
class TestRefused:
    pytestmark = CAPTURED

    def test_what_is_no_list(self, name: str) -> None:
        """A section for members, one that is not there, a thread: never an empty list."""
        board = board_of(name)
        assert board.read_list is not None
        guest = SHARED / "pages" / name / "guest"
        kinds = {}
        for file in ("members-forum.html", "404-forum.html", "login.html", "battle-p1.html"):
            if (guest / file).is_file():
                status = 404 if "404" in file else 200
                page = saved(guest / file)
                kinds[file] = board.read_list(Page(page.url, page.body, status), ReadOptions()).kind
        assert set(kinds.values()) <= {"login", "missing", "unknown"}
        assert kinds.get("404-forum.html", "missing") == "missing"
        assert kinds["battle-p1.html"] == "unknown"
