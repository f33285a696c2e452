"""SMF and MyBB in other languages: authors, times, quotes and edit notices are the same in all of them."""

from __future__ import annotations

from datetime import datetime

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import mybb, smf
from tests.support import forums_abroad as abroad
from tests.support.forums_abroad import NOW, THREAD, TONGUES

Row = tuple[str, str, str | None, datetime | None, list[str | None], tuple[datetime | None, str | None] | None, str]


def told(page: Page, read: object) -> list[Row]:
    shown = read(page, ReadOptions(timezone="UTC", day_first=True))  # type: ignore[operator]
    assert (shown.kind, shown.title, shown.problems) == ("thread", "Duel", ())
    return [
        (
            post.id,
            post.author,
            post.author_id,
            post.at,
            [block.author for block in post.blocks if block.kind == "quote"],
            (post.edited.at, post.edited.by) if post.edited else None,
            "".join(block.text for block in post.blocks if block.kind == "own"),
        )
        for post in shown.posts
    ]


def wanted(seconds: bool) -> list[Row]:
    def cut(at: datetime) -> datetime:
        return at if seconds else at.replace(second=0)

    return [
        (
            str(said.id),
            said.author,
            str(said.user) if said.user else None,
            cut(said.at),
            [said.quoted] if said.quoted else [],
            (cut(said.edited_at), said.editor) if said.editor else None,
            f"Turn {said.number}.",
        )
        for said in THREAD
    ]


def page(url: str, html: str) -> Page:
    return Page(url, html.encode(), 200, {"content-type": "text/html; charset=utf-8"}, NOW)


@pytest.mark.parametrize("order", "MDNI")
@pytest.mark.parametrize("tongue", TONGUES)
@pytest.mark.parametrize("version", ["2.0", "2.1"])
def test_smf(version: str, tongue: str, order: str) -> None:
    made = page("http://f.example/index.php?topic=7.0", abroad.smf(version, TONGUES[tongue], order))
    assert told(made, smf.read_page) == wanted(seconds=True)


@pytest.mark.parametrize(
    "notice",
    [
        "(Changed: {d} by {n}.)",
        "(Сообщение изменено {d} пользователем {n}.)",
        "(Cambiado por {n} el {d}.)",
        "({n} が変更: {d})",
        "(最后修改于：{d} 由 {n})",
        "(Bewerkt op {d} door {n}.)",
    ],
)
@pytest.mark.parametrize("order", "DN")
@pytest.mark.parametrize("tongue", [name for name in TONGUES if name != "ja"])
def test_mybb(tongue: str, order: str, notice: str) -> None:
    made = page("http://f.example/showthread.php?tid=7", abroad.mybb(TONGUES[tongue], order, notice))
    assert told(made, mybb.read_page) == wanted(seconds=False)


def test_who_is_quoted_is_told_by_the_names_on_the_page_where_no_word_parts_them_from_the_date() -> None:
    html = abroad.smf("2.1", TONGUES["ja"], "I").replace("引用: Ren Aoki", "引用: Somebody Else")
    quotes = [row[4] for row in told(page("http://f.example/index.php?topic=7.0", html), smf.read_page)]
    assert quotes[2] == ["Bram 7"], "a figure in a name"
    assert quotes[1] == ["Somebody Else 2026-11-12, 18:20:03"], "nobody is named who is not known"
