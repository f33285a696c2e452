"""What a page says of its own address: boards build it of a setting that may be out of date."""

from __future__ import annotations

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import phpbb
from scrapers.boards.addresses import at_home
from tests.support.hostile_site import thread_page

ASKED = "http://new.example/forum/viewtopic.php?p=2"


@pytest.mark.parametrize(
    ("page", "named", "found"),
    [
        (ASKED, "http://old.example:8080/forum/viewtopic.php?t=7", "http://new.example/forum/viewtopic.php?t=7"),
        ("https://new.example/t", "http://new.example/index.php?topic=7.0", "https://new.example/index.php?topic=7.0"),
        ("", "http://old.example/viewtopic.php?t=7", "http://old.example/viewtopic.php?t=7"),
        (ASKED, "http://[bad", "http://new.example"),
        (ASKED, None, None),
    ],
)
def test_an_address_that_a_page_names_for_itself(page: str, named: str | None, found: str | None) -> None:
    assert at_home(page, named) == found


def test_a_thread_stands_where_its_page_was_served() -> None:
    """A board that moved names its old host; posts' permalinks and the thread's address must agree."""
    link = '<link rel="canonical" href="http://old.example:8080/forum/viewtopic.php?t=7">'
    body = thread_page({1: "Hello", 2: "There"}).replace("</head>", f"{link}</head>")
    assert link in body
    read = phpbb.read_page(Page(url=ASKED, status=200, body=body.encode()), ReadOptions())
    assert read.url == "http://new.example/forum/viewtopic.php?t=7"
