"""What an SMF page without posts is: its refusals, its login form and its errors share their elements."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from referee.ports.boards import Page
from scrapers.boards.pages import attr, refusal, words
from scrapers.patterns import Pattern

TOPIC = Pattern(r"topic[=,](\d{1,12})(?:[.](msg\d{1,18}|new|from\d{1,18}|\d{1,9}))?")
MESSAGE = Pattern(r"[?&;]msg=(\d{1,18})")
#: "Database" as the headings of SMF's translations have it.
_DATABASE = Pattern(
    r"(?i)datab[aá][sz]|datenbank|d[aā]tub[aā]z|tietokan|adatbázis|andmebaas|veritaban|gagnagrunn|podatkovn|podataka"
    r"|base?s? d[ei] d|bas[ei]s data|bancos? de d|baz\w{1,3} da|baz\w{1,3} de date|duomenų baz|баз\w{1,5} дан"
    r"|βάση\w* δεδομ|cơ sở dữ liệu|قاعدة البيانات|پایگاه داده|מסד נתונים|מסד הנתונים"
    r"|ฐานข้อมูล|データベース|数据库|資料庫|데이터베이스|\bSQL\b"
)


def instead_of_thread(page: Page, tree: LexborHTMLParser, login: str, topic: str | None, version: str | None) -> str:
    """What a page without posts is. To guests SMF shows its login form for a missing thread as well; only a
    page that knows its thread or board is a wall (2.1 puts both into the page).
    """
    if _is_down(tree, version or "2.0"):
        return "down"
    kind = refusal(page, tree, login)
    if kind == "login" and "action_home" in attr(tree.body, "class").split():
        return "missing" if TOPIC.search(page.url) or MESSAGE.search(page.url) else "login"
    if kind:
        return kind
    if tree.css_first("#forumposts, #quickModForm, #display_head") is not None and topic:
        return "thread"
    if tree.css_first("#fatal_error") is not None or page.status == 403:
        return "missing"
    return "unknown"


def _is_down(tree: LexborHTMLParser, version: str) -> bool:
    """Whether the board's own error page is about its database, or nothing that it has a name for.

    SMF 2.0 answers both "no such topic" and "Database Error" with status 200 and the same elements, so the
    box's heading must tell; no member can write there. From 2.1 on a refusal has its name as an id.
    """
    box = tree.css_first("#fatal_error")
    if box is None:
        return False
    if _DATABASE.search(words(box.css_first("h3, .catbg, .titlebg"))):
        return True
    return version >= "2.1" and tree.css_first("#fatal_error div[id]") is None
