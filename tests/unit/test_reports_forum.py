"""Drafts to paste into forums: text from posts can't become markup."""

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from referee.model.report import Finding, PostReport, Report, ThreadReport, Working
from referee.ports.reports import Rendering
from reports import bbcode, markdown

NASTY = [
    "[b]x[/b][url=http://evil.example]here[/url][img]http://evil.example/a.png[/img]",
    "[/code][size=200]big[/size]",
    "[ / CODE ] [/cOdE] [code] [php][/php]",
    "**bold** _em_ `code` ~~gone~~ [x](http://evil.example) ![y](http://evil.example/y.png)",
    "```\n# head\n- item\n> quote\n---\n| a | b |",
    "````` <script>alert(1)</script> <b onclick=x> &lt;b&gt; &#91;b]",
    "https://evil.example www.evil.example a@evil.example @everyone",
    "\\[x](http://evil.example) \\`y\\` \\",
    "`````",
    "1. one\n\n    code\n\n<!-- x",
]


def report(words: str) -> Report:
    post = PostReport("p1", words, words, "https://forum.example.org/?p=1[/url]", unread=(words,))
    error = Finding("shinobi/loss-hp", "error", "p1", words, words, [words], (words,), words, (Working(words),))
    notice = replace(error, severity="notice")
    return Report((ThreadReport("shinobi", words, posts=(post,), findings=(error, notice)),))


@pytest.mark.parametrize("words", NASTY)
def test_markdown_has_only_our_own_marks(words):
    written = markdown.render(report(words), Rendering({words: words}))
    assert "@everyone" not in re.sub(r"```+text\n.*?\n```+\n", "", written, flags=re.S)
    tokens = [token for block in MarkdownIt("gfm-like", {"linkify": False}).parse(written) for token in _flat(block)]
    kinds = {token.type for token in tokens}
    assert not kinds & {
        "html_block",
        "html_inline",
        "image",
        "table_open",
        "blockquote_open",
        "code_inline",
        "s_open",
        "em_open",
    }
    links = [token.attrs["href"] for token in tokens if token.type == "link_open"]
    assert links == ["https://forum.example.org/?p=1%5B/url%5D"]
    headings = [token for token in tokens if token.type == "heading_open"]
    assert [token.tag for token in headings] == ["h2"]
    assert sum(token.type == "fence" for token in tokens) == 1


@pytest.mark.parametrize("words", NASTY)
def test_markdown_shows_the_words_as_posted(words):
    flat = " ".join(words.split())
    tokens = MarkdownIt("commonmark").parse(markdown.render(report(words), Rendering()))
    fence = next(token for token in tokens if token.type == "fence")
    assert fence.content == flat + "\n"
    shown = "".join(child.content for token in tokens if token.type == "inline" for child in token.children)
    assert flat in shown.replace("\u2060", "")


def _flat(token):
    return [token, *(token.children or [])]


def tags_outside_code(written: str) -> list[str]:
    """What a forum would read as tags: first the code blocks, shortest first, then tags in the rest."""
    rest = re.sub(r"\[code\].*?\[/code\]", "", written, flags=re.S | re.I)
    return re.findall(r"\[\s*/?\s*[a-z*]+[^\]\u2060]{0,200}\]", rest, flags=re.I)


@pytest.mark.parametrize("words", NASTY)
def test_bbcode_has_only_our_own_tags(words):
    written = bbcode.render(report(words), Rendering({words: words}))
    tags = tags_outside_code(written)
    assert set(tags) <= {"[b]", "[/b]", "[url=https://forum.example.org/?p=1%5B/url%5D]", "[/url]"}
    assert tags.count("[b]") == tags.count("[/b]") == 3
    assert written.lower().count("[/code]") == written.lower().count("[code]") == 1
    outside = re.sub(r"\[code\].*?\[/code\]", "", written, flags=re.S)
    assert "://evil" not in outside
    assert "www." not in outside
    assert "@everyone" not in outside
    assert "&#" not in outside


def test_bbcode_quotes_a_tag_readably():
    written = bbcode.render(report("[20% to hit: rolled 70, 17, 3]"), Rendering())
    assert "[code][20% to hit: rolled 70, 17, 3][/code]" in written


@pytest.mark.parametrize("reporter", [markdown.REPORTER, bbcode.REPORTER])
def test_what_staff_set_aside_is_not_sent_to_players(reporter):
    found = Finding("shinobi/loss-hp", "error", "p1", message="A loss of 13 is due.", disposition="dismissed")
    thread = ThreadReport("shinobi", "x", posts=(PostReport("p1", "ren"),), findings=(found,))
    written = reporter.render(Report((thread,)), Rendering())
    assert "A loss of 13" not in written
    kept = replace(thread, findings=(replace(found, disposition="confirmed"),))
    assert "A loss of 13" in reporter.render(Report((kept,)), Rendering())


@pytest.mark.parametrize("reporter", [markdown.REPORTER, bbcode.REPORTER])
def test_the_draft_asks_and_does_not_accuse(reporter):
    written = reporter.render(report("x"), Rendering())
    assert "question" in written
    assert "no accusation" in written
    assert "cheat" not in written.lower()


def test_a_staff_draft_says_so():
    assert "For staff only" in bbcode.render(Report((), staff=True), Rendering())
