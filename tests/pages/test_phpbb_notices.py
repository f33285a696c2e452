"""Edit notices of phpBB in other languages: date, name and count in any order, and what only looks like one."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from referee.model.battle import Edit
from referee.ports.boards import Page, ReadOptions
from scrapers.boards import phpbb
from tests.support.patience import allowed

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
THEN = datetime(2026, 11, 12, 18, 20, tzinfo=UTC)
#: A name with a figure in it, which is neither the date's nor the count.
NAME = '<a href="./memberlist.php?mode=viewprofile&amp;u=3" class="username">Bram 7</a>'
POST = """<!DOCTYPE html><html><body id="phpbb"><h2 class="topic-title"><a href="./viewtopic.php?t=7">T</a></h2>
<div id="p1" class="post"><div class="postbody"><p class="author">by <strong><a class="username" href="#">Ren</a>
</strong> &raquo; Wed Nov 11, 2026 6:20 pm</p><div class="content">Hello</div><div class="notice">{notice}</div></div>
</div></body></html>"""


def edited(notice: str) -> Edit | None:
    page = Page("http://f.example/viewtopic.php?t=7", POST.format(notice=notice).encode(), 200, {}, NOW)
    (post,) = phpbb.read_page(page, ReadOptions()).posts
    return post.edited


@pytest.mark.parametrize(
    ("notice", "count"),
    [
        ("Changed by NAME on Thu Nov 12, 2026 6:20 pm, 1 time so far.", 1),
        ("Zmieniony 12 lis 2026, 18:20 przez NAME, razem 1 raz.", 1),
        ("Zmieniony czw lis 12, 2026 6:20 pm przez NAME, razem 3 razy.", 3),
        ("Gewijzigd door NAME op do nov 12, 2026 6:20 pm, 2 keer totaal.", 2),
        ("Geändert von NAME am Do 12. Nov 2026, 18:20, bisher 12-mal.", 12),
        ("Editado por NAME el Jue Nov 12, 2026 6:20 pm, 1 vez hasta ahora.", 1),
        ("Upraveno 1x. Upravil NAME dne čtv 12. lis 2026 18:20.", 1),
        ("NAME tarafından Prş Kas 12, 2026 6:20 pm tarihinde, toplam 1 kere.", 1),
        ("Modificato da NAME il gio nov 12, 2026 6:20 pm, 1 volta finora.", 1),
        ("Modifié par NAME le jeu. 12 nov. 2026 18:20, 2 fois en tout.", 2),
        ("Правил NAME 12 ноя 2026, 18:20, всего 5 раз(а).", 5),
        ("Правив NAME в 12 лис 2026, 18:20, всього 1 раз.", 1),
        ("編集者 NAME [ 2026年11月12日(木) 18:20 ]、計 2 回", 2),
        ("由 NAME 于 2026年11月12日 18:20 改，共 1 次。", 1),
        ("NAME 님, 2026년 11월 12일 오후 6:20에 고침. 모두 4 번.", 4),
        ("Ändrad av NAME den tor 12 nov 2026, 18:20, totalt 1 gång.", 1),
        ("Ezt 1 alkalommal írták át, utoljára NAME 2026. nov. 12. 18:20-kor.", 1),
        ("Αλλαγή από NAME την Πέμ 12 Νοέμ 2026 6:20 μμ, 1 φορά.", 1),
        ("Schimbat de NAME pe 12 Noi 2026, 18:20, o dată, 1 în total.", 1),
    ],
)
@pytest.mark.parametrize("reason", [None, "3 typos"])
def test_in_many_languages(notice: str, count: int, reason: str | None) -> None:
    html = notice.replace("NAME", NAME) + (f"<br><strong>Why:</strong> <em>{reason}</em>" if reason else "")
    assert edited(html) == Edit(at=THEN, by="Bram 7", count=count, reason=reason)


@pytest.mark.parametrize(
    ("notice", "at"),
    [
        ("Changed by NAME on Today 10:20 am, 2 times so far.", datetime(2026, 11, 30, 10, 20, tzinfo=UTC)),
        ("Changed by NAME 5 minutes ago, 2 times so far.", datetime(2026, 11, 30, 11, 55, tzinfo=UTC)),
        ("Modifié par NAME le Hier, 18:20, 2 fois.", datetime(2026, 11, 29, 18, 20, tzinfo=UTC)),
    ],
)
def test_of_today(notice: str, at: datetime) -> None:
    assert edited(notice.replace("NAME", NAME)) == Edit(at=at, by="Bram 7", count=2, reason=None)


@pytest.mark.parametrize(
    "notice",
    [
        "Moved up by NAME on Thu Nov 12, 2026 6:20 pm.",
        "Moved up by NAME on 12 Nov 2026, 18:20.",
        "Moved up by NAME on 18:20, Nov 12",
        "Поднял NAME 12 ноя 2026, 18:20.",
        "Przesunięty w górę 12 lis 2026, 18:20 przez: NAME.",
        "上げた人 NAME [ 2026年11月12日(木) 18:20 ]",
    ],
)
def test_a_topic_that_was_moved_up_is_no_edit(notice: str) -> None:
    assert edited(notice.replace("NAME", NAME)) is None


@pytest.mark.parametrize("notice", ["1, " * 7_000, "a;" * 10_000, "1 a. " * 4_000 + NAME, "\x01" * 20_000])
def test_a_hostile_notice_costs_little(notice: str) -> None:
    began = time.process_time()
    edited(notice)
    assert time.process_time() - began < allowed(1)
