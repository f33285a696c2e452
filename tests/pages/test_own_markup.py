"""BBCode of boards' own making in transcripts: markup where its end stands in the post, else the game's words."""

from __future__ import annotations

from scrapers.boards.transcript import read_body


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in read_body(text, None)]


def test_markup_of_boards_own_making() -> None:
    """Add-ons have many names for a spoiler, an aside, a frame; in a tag's words formatting changes nothing (G16)."""
    assert blocks("one\n[hide=Bag]s[/hide]two[collapse]t[/collapse][offtopic]o[/offtopic]") == [
        ("own", "one"), ("spoiler", "s"), ("own", "two"), ("spoiler", "t"), ("ooc", "o"),
    ]  # fmt: skip
    assert blocks("[box]Speed: 9[/box][class=x]Mind: [char]3[/char][/class]") == [("own", "Speed: 9\nMind: 3")]
    game = "[Hide] [Fold] [Block] [Toggle: on] [Name] [Character: Ren] [Text]"
    assert blocks(game) == [("own", game)]
