"""A board that is out of order says so with a page of its own: never a thread that is missing, never a thread."""

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import fluxbb, mybb, nodebb, phpbb, smf

SMF = """<html><head><script>var smf_theme_url = "x";</script></head><body><div id="main_content_section">
<div id="fatal_error"><div class="cat_bar"><h3 class="catbg">{title}</h3></div><div class="windowbg">
<div {id}class="padding">{said}</div></div></div></div><div id="footer_section">SMF {version}</div></body></html>"""
PHPBB = """<html><head><title>x</title></head><body id="errorpage"><div id="wrap"><div id="acp"><div id="content">
<h1>General Error</h1><div>SQL ERROR [ mysqli ]</div></div></div></div></body></html>"""
MYBB = """<html><body><div id="container"><div id="logo"><h1><a href="https://mybb.com/">MyBB</a></h1></div>
<div id="content"><h2>MyBB SQL Error</h2><div id="error"><p>It cannot continue.</p></div></div></div></body></html>"""
MYBB_MESSAGE = """<html><body><div id="content"><table class="tborder"><tr><td class="thead">B</td></tr>
<tr><td class="trow1">{said}</td></tr></table></div></body></html>"""
FLUXBB = """<html><body><div id="errorbox"><h2>An error was encountered</h2><div>Error: <strong>x.</strong></div></div>
</body></html>"""
NODEBB = """<html><body><script id="ajaxify-data" type="application/json">{"template": {"name": "500"}}</script></body>
</html>"""


def kind(board, url, body, status=200):
    return board.BOARD.read_page(Page(url, body.encode(), status, {"content-type": "text/html"}), ReadOptions()).kind


@pytest.mark.parametrize(
    "title",
    ["Database Error", "Datenbankfehler", "Erreur de base de données", "Error en la base de datos", "Błąd bazy danych"]
    + ["Ошибка базы данных", "Veritabanı Hatası", "Chyba databáze", "Erro no banco de dados", "データベースエラー"],
)
def test_smf_of_any_language_has_lost_its_database(title):
    page = SMF.format(title=title, said="Please try again.", version="2.0.19", id="")
    assert kind(smf, "http://f.example/index.php?topic=7.0", page) == "down"


@pytest.mark.parametrize("title", ["An Error Has Occurred!", "Ein Fehler ist aufgetreten!", "Une erreur !"])
def test_smf_without_the_topic(title):
    said = "The topic or board you are looking for appears to be either missing or off limits to you."
    page = SMF.format(title=title, said=said, version="2.0.19", id="")
    assert kind(smf, "http://f.example/index.php?topic=7.0", page) == "missing"


def test_smf_names_its_refusals_from_2_1_on():
    """An error without a name is none of a topic's."""
    url = "http://f.example/index.php?topic=7.0"
    named = SMF.format(title="Fehler!", said="x", version="2.1.4", id='id="topic_gone" ').replace("_section", "")
    bare = SMF.format(title="Fehler!", said="x", version="2.1.4", id="").replace("_section", "")
    assert (kind(smf, url, named), kind(smf, url, bare)) == ("missing", "down")


@pytest.mark.parametrize(
    ("board", "url", "body"),
    [
        (phpbb, "http://f.example/viewtopic.php?t=7", PHPBB),
        (mybb, "http://f.example/showthread.php?tid=7", MYBB),
        (
            mybb,
            "http://f.example/showthread.php?tid=7",
            '<html><body><p id="mybb_error_content">x</p></body></html>',
        ),
        (mybb, "http://f.example/thread-7.html", MYBB_MESSAGE.format(said="Closed.<blockquote>Upgrade</blockquote>")),
        (fluxbb, "http://f.example/viewtopic.php?id=7", FLUXBB),
        (fluxbb, "http://f.example/viewtopic.php?id=7", '<html><body><div id="punmaint">x</div></body></html>'),
        (nodebb, "http://f.example/topic/7/x", NODEBB),
    ],
)
def test_error_pages_of_the_others(board, url, body):
    assert kind(board, url, body) == "down"


@pytest.mark.parametrize("board", [phpbb, smf, mybb, fluxbb])
def test_a_status_of_the_server_is_no_missing_thread(board):
    assert kind(board, "http://f.example/viewtopic.php?t=7&id=7", "<p>Bad gateway</p>", 502) == "down"


def test_mybb_without_the_thread():
    page = MYBB_MESSAGE.format(said="The specified thread does not exist.")
    assert kind(mybb, "http://f.example/showthread.php?tid=7", page) == "missing"


def test_words_in_posts_do_not_count():
    post = '<div class="post" id="p1"><div class="postbody"><p class="author"><strong>A</strong></p>'
    body = f'<html><body id="phpbb">{post}<div class="content">General Error, SQL ERROR</div></div></div></body></html>'
    assert kind(phpbb, "http://f.example/viewtopic.php?t=7", body) == "thread"
