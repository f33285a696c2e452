"""What a linked page says of itself is nobody's post: boards put it where an address stood."""

from __future__ import annotations

from scrapers.bodies.body import read_fragment

CARD = """<div class="card col-md-9 position-relative link-preview p-0"><a href="http://dice.example/r/7" title="x"><img
src="http://dice.example/p.png" alt="smile"></a><div class="card-body"><h5 class="card-title"><a
href="http://dice.example/r/7">Ren rolled [Loss: 5 HP]</a></h5><p class="card-text">1d100: 70</p></div><a
href="http://dice.example/r/7" class="card-footer"><p>Dice <span>(dice.example)</span></p></a></div>"""


def read(html):
    return [
        (block.kind, block.text, [(mark.url, block.text[mark.start : mark.end]) for mark in block.marks])
        for block in read_fragment(html)
    ]


def test_a_preview_is_the_address_again():
    url = "http://dice.example/r/7"
    assert read(f"<p>Dodge:</p><p>{CARD}</p><p>hit</p>") == [("own", f"Dodge:\n\n{url}\n\nhit", [(url, url)])]


def test_previews_in_quotes_and_without_links():
    assert read(f"<blockquote>{CARD}</blockquote>")[0][:2] == ("quote", "http://dice.example/r/7")
    assert read('<p>a</p><div class="link-preview"><div>x</div><p>y</p></div><p>b</p>') == [("own", "a\n\nb", [])]
    assert read('<p>a</p><div class="link-preview"><a>x</a><a href="javascript:y()">z</a>') == [("own", "a", [])]
