"""Captions that quote buttons of Markdown boards type above their quotes."""

from __future__ import annotations

import json

import pytest

from referee.ports.boards import Page, ReadOptions
from scrapers.boards import flaskbb, nodebb
from scrapers.bodies.typed_captions import captioned

REN = '<a class="plugin-mentions-user" href="http://n.example/uid/2">@ren-aoki</a>'
LATER = '<a class="plugin-mentions-user" href="/user/ren-aoki" aria-label="Profile: ren-aoki">@<bdi>ren-aoki</bdi></a>'
QUOTED = "<blockquote><p>[Loss: 5 HP]</p></blockquote><p>Mine.</p>"


def blocks(*bodies):
    """The blocks of NodeBB posts by Ilse, behind one of Ren Aoki's."""
    users = {2: "Ren Aoki", 4: "Ilse"}
    texts = [(2, "<p>x</p>"), *[(4, body) for body in bodies]]
    posts = [
        {"pid": n, "uid": uid, "index": n, "timestamp": n * 10**9, "content": body}
        | {"user": {"uid": uid, "username": users[uid]}}
        for n, (uid, body) in enumerate(texts, 1)
    ]
    data = json.dumps({"tid": 3, "slug": "3/x", "posts": posts})
    html = f'<script id="ajaxify-data" type="application/json">{data}</script>'
    page = nodebb.read_page(Page("http://n.example/topic/3/x", html.encode()), ReadOptions())
    return [(block.kind, block.author, block.post, block.text) for post in page.posts[1:] for block in post.blocks]


CAPTIONS = [
    (f'<p dir="auto">{REN} said in <a href="/post/41">[Battle] Bridge 2</a>:</p>\n', "41"),
    (f'<p dir="auto">{LATER} <a href="/post/41">said</a>:</p>\n', "41"),
    (f"<p>{REN} said:</p>", None),
    (f"<p>{REN} sagte:</p>", None),
    (f'<p>Пользователь {REN} написал в <a href="/post/41">x</a>:</p>', "41"),
    (f'<p>{REN} 在 <a href="/post/41">x</a> 中说：</p>', "41"),
    (f'<p>{REN}, içinde söyledi: <a href="/post/41">x</a>:</p>', "41"),
    ("<p>@ren-aoki said:</p>", None),
    ('<p>@ren-aoki sagde i <a href="/post/41">x 2</a>:</p>', "41"),
    ('<p>Пользователь @ren-aoki написал в <a href="/post/41">x</a>:</p>', "41"),
    ('<p>@ren-aoki كتب في  <a href="/post/41">x</a></p>', "41"),
    ('<p><a href="/post/41">x</a>での@ren-aokiの発言:</p>', "41"),
    ('<p>Ren-Aoki <a href="/post/41">said</a>:</p>', "41"),
    ('<p>Ren Aoki の<a href="/post/41">発言</a>:</p>', "41"),
    ('<p>Ren-Aoki said in <a href="/post/41">x</a>:</p>', "41"),
]


@pytest.mark.parametrize(("caption", "post"), CAPTIONS)
def test_captions_name_the_author_and_the_post(caption, post):
    assert blocks(caption + QUOTED) == [("quote", "Ren Aoki", post, "[Loss: 5 HP]"), ("own", None, None, "Mine.")]


@pytest.mark.parametrize(("caption", "post"), CAPTIONS)
@pytest.mark.parametrize("between", ["</p>\n<p>", "<br>\n"])
def test_captions_in_the_first_line_of_a_quote(caption, post, between):
    inner = caption.strip().removesuffix("</p>") + between
    body = f"<p>Before.</p><blockquote>\n{inner}[Loss: 5 HP]</p></blockquote><p>Mine.</p>"
    before, *rest = blocks(body)
    assert before == ("own", None, None, "Before.")
    assert rest == [("quote", "Ren Aoki", post, "[Loss: 5 HP]"), ("own", None, None, "Mine.")]


def test_words_above_a_caption_stay():
    for above in ("<p>First.</p><p>", "<p>First.<br>\n"):
        read = blocks(f"{above}{REN} said:</p>{QUOTED}")
        assert read == [("own", None, None, "First."), *blocks(f"<p>{REN} said:</p>{QUOTED}")]


def test_several_quotes_and_quotes_in_quotes():
    body = (
        f'<p>{REN} said in <a href="/post/41">x</a>:</p><blockquote><p>{LATER} said:</p><blockquote><p>in</p>'
        f'</blockquote><p>out</p></blockquote><p>mid</p><p>{LATER} <a href="/post/42">said</a>:</p>{QUOTED}'
    )
    assert blocks(body) == [
        ("quote", "Ren Aoki", "41", "@ren-aoki said:\n\nin\n\nout"),
        ("own", None, None, "mid"),
        ("quote", "Ren Aoki", "42", "[Loss: 5 HP]"),
        ("own", None, None, "Mine."),
    ]


SENTENCES = [
    '<p>I dodge <a href="/post/41">this</a>:</p>',
    '<p>Ren <a href="/post/41">said</a> so:</p>',
    '<p>My 12 HP, as he <a href="/post/41">said</a>:</p>',
    '<p>@ren-aoki look at <a href="/post/41">x</a></p>',
    '<p>Ren <a href="http://dice.example/r/1">said</a>:</p>',
    "<p>Look here:</p>",
    '<p>See <a href="/post/41">this post</a>:</p>',
    f"<p>{REN} I attack you:</p>",
    f"<p>{REN} said [Loss: 5 HP]:</p>",
    f"<p>{REN} and {REN} said:</p>",
    f'<p>{REN} was hit twice in <a href="/post/41">that post</a>, by 12:</p>',
    f'<p>{REN} was hit and should write it, as I told him in <a href="/post/41">x</a>:</p>',
    f'<p>{REN} said in <a href="/post/41">x</a></p>',
    '<p>Dodge <a href="http://dice.example/r/1">Roll 1</a>:</p>',
    f"<p><code>{REN}</code> said:</p>",
    f"<ul><li>{REN} said:</li></ul>",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_of_the_posters_own_stay(sentence):
    assert captioned(sentence + QUOTED) == sentence + QUOTED
    assert [kind for kind, *_ in blocks(sentence + QUOTED)][-2:] == ["quote", "own"]


def test_flaskbb_by_its_own_button():
    row = """<div id="{0}" class="row post-row"><div class="author-name"><h4><a href="/user/{1}">{1}</a></h4></div>
<div class="post-meta"><a href="/post/{0}"><time datetime="2026-10-01T00:00:00+00:00">x</time></a></div>
<div class="post-content" id="pid{0}">{2}</div></div>"""
    caption = '<p><strong><a href="/user/Ren%20Aoki">Ren Aoki</a> wrote:</strong></p>\n'
    html = f'<meta name="author" content="FlaskBB Team">{row.format(5, "Ilse", caption + QUOTED)}'
    (post,) = flaskbb.read_page(Page("http://f.example/topic/3", html.encode()), ReadOptions()).posts
    assert [(block.kind, block.author, block.text) for block in post.blocks] == [
        ("quote", "Ren Aoki", "[Loss: 5 HP]"),
        ("own", None, "Mine."),
    ]


@pytest.mark.parametrize(
    "hostile",
    ["<p>" * 20_000, "<a " * 20_000, "<p>:</p><blockquote>" * 20_000, ":<br>" * 50_000, "<blockquote><p>" * 20_000],
)
def test_hostile_bodies_take_no_time(hostile):
    made = captioned(hostile + "<p>@x said:</p><blockquote>")
    assert made is not None and len(made) < len(hostile) + 100
