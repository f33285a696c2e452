"""Spoilers that staff made out of a board's own elements: what is shown at a click only is no quote and no code."""

from __future__ import annotations

import pytest

from scrapers.bodies.body import read_fragment


def blocks(html):
    return [(block.kind, block.author or block.title, block.text) for block in read_fragment(html)]


HIDDEN = '<div style="display: none;">HP: 90</div>'
SPOILERS = [
    # the frame of quotes, with a button in its caption
    f'<div><div class="quotetitle"><b>Spoiler:</b> <input type="button" value="Show" onclick="x()"></div>'
    f'<div class="quotecontent">{HIDDEN}</div></div>',
    f'<div class="quotetitle">Spoiler: <a href="#" onclick="x()">Show</a></div>'
    f'<div class="quotecontent">{HIDDEN}</div>',
    f'<div class="quotetitle" onclick="x()">Spoiler</div><div class="quotecontent">{HIDDEN}</div>',
    # the frame of quotes around a caption of its own
    '<div class="quotebox"><div onclick="x()" style="cursor: pointer;"><span>▼</span>Spoiler</div>'
    '<div style="padding: 6px; margin: 0; display:none;">HP: 90</div></div>',
    # the frame of code
    '<dl class="codebox"><dt>Spoiler:</dt><dd style="display:none">HP: 90</dd></dl>',
    # an add-on of NodeBB
    '<div class="ns-spoiler" data-open="false"><div class="ns-spoiler-control"><a href="#">Spoiler</a></div>'
    '<div class="ns-spoiler-content">HP: 90</div></div>',
]


@pytest.mark.parametrize("html", SPOILERS)
def test_spoilers_with_their_captions(html):
    kind, title, text = blocks(html)[0]
    assert (kind, title.split(":")[0], text) == ("spoiler", "Spoiler", "HP: 90")
    assert blocks(f"before{html}after")[0] == ("own", None, "before")
    assert blocks(f"before{html}after")[-1] == ("own", None, "after")


def test_a_caption_without_a_class_stays_with_the_text():
    html = f'<div><div><span onclick="x()"><b>Spoiler: </b></span></div><div class="quotecontent">{HIDDEN}</div></div>'
    assert blocks(html) == [("own", None, "Spoiler:"), ("spoiler", None, "HP: 90")]
    assert blocks(f"<p>Stats</p>{HIDDEN}<p>and on</p>") == [
        ("own", None, "Stats"),
        ("spoiler", None, "HP: 90"),
        ("own", None, "and on"),
    ]


def test_panels_that_open_at_a_click():
    """Their captions are buttons, which are no text of the post."""
    panel = '<div class="panel"><div class="panel-heading"><button>Stats</button></div>{}</div>'
    for frame in ("panel-collapse collapse out", "collapse"):
        inner = f'<div class="{frame}"><div class="card spoiler">HP: 90</div></div>'
        assert blocks(panel.format(inner)) == [("spoiler", None, "HP: 90")]
    bare = '<div class="panel-collapse collapse out"><div class="panel-body">HP: 90</div></div>'
    assert blocks(panel.format(bare)) == [("spoiler", None, "HP: 90")]
    # Long posts are folded in such frames too.
    assert blocks('<div class="collapse">HP: 90</div>') == [("own", None, "HP: 90")]


QUOTES = [
    ('<div class="quotetitle">Bram wrote:</div><div class="quotecontent">HP: 90</div>', "Bram"),
    (f'<div class="quotetitle">Bram wrote:</div><div class="quotecontent">{HIDDEN}</div>', "Bram"),
    (
        f'<div class="quotetitle">Bram wrote: <a href="#" onclick="x()">expand</a></div>'
        f'<div class="quotecontent">{HIDDEN}</div>',
        "Bram",
    ),
    (f"<blockquote><cite>Bram wrote:</cite><div>Look: {HIDDEN}</div></blockquote>", "Bram"),
    (f'<blockquote class="uncited"><div>{HIDDEN}</div></blockquote>', None),
    (f'<div class="quotebox"><cite>Bram wrote:</cite><blockquote><div>{HIDDEN}</div></blockquote></div>', "Bram"),
    (f'<div class="quotebox"><blockquote><div><p>So:</p>{HIDDEN}</div></blockquote></div>', None),
]


@pytest.mark.parametrize(("html", "author"), QUOTES)
def test_quotes_of_hidden_words_stay_quotes(html, author):
    assert [(kind, who) for kind, who, _ in blocks(html)] == [("quote", author)]


def test_a_roll_with_hidden_working_stays_one():
    html = '<div>Hit: <span class="dice-roll">1d20: <div style="display:none">14</div> = 14</span></div>'
    assert [block.kind for block in read_fragment(html)] == ["own"]
