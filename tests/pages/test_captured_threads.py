"""Every captured thread page of six forum softwares, compared with what was written there."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta

import pytest

from referee.ports.boards import ReadOptions
from scrapers.boards.pages import LOST

pytestmark = pytest.mark.shared

#: How far a read time may lie from the truth, by the precision that the reader claims.
TOLERANCE = {"second": 1, "minute": 60, "day": 86400}
#: Posts of the page whose day is not printed at all (a language file without the relative words).
NO_DAY_PRINTED = {("mybb-1.8.37", "guest/battle-p5-de.html"): {"75", "76", "77", "78"}}
#: Typed text that the board itself shows otherwise, by engine and number of the post.
SHOWN_OTHERWISE = {
    ("phpbb", 17): lambda text: unicodedata.normalize("NFC", text),
    ("smf", 17): lambda text: unicodedata.normalize("NFC", text),
    ("fluxbb", 17): lambda text: text.replace("🎲🔥", "??"),
    ("nodebb", 16): lambda text: text.replace("&amp;", "&"),
}


def read(board, capture, folder, file):
    engine = folder.split("-")[0]
    page = capture(folder, file)
    return page, board(engine).read_page(page, ReadOptions())


def pairs(read_page, truth, folder, thread):
    known = {str(post["id"]): post for post in truth(folder)["threads"][thread]["posts"]}
    return [(post, known[post.id]) for post in read_page.posts if post.id in known]


def test_all_posts_are_there_and_no_others(thread_capture, board, capture, truth):
    folder, thread, variant, file = thread_capture
    _, page = read(board, capture, folder, file)
    assert page.kind == "thread"
    known = [str(post["id"]) for post in truth(folder)["threads"][thread]["posts"]]
    removed = {str(post["id"]) for post in truth(folder)["threads"][thread]["removed_posts"]}
    standing = [post.id for post in page.posts if post.deleted is None]
    gone = {post.id for post in page.posts if post.deleted is not None}
    assert gone <= removed
    assert standing, "a page without a post"
    start = known.index(standing[0])
    assert standing == known[start : start + len(standing)]
    if page.next_url is None:
        assert standing[-1] == known[-1]
    if page.page_number == 1:
        assert start == 0


def test_authors_permalinks_and_titles(thread_capture, board, capture, truth):
    folder, thread, variant, file = thread_capture
    _, page = read(board, capture, folder, file)
    for post, known in pairs(page, truth, folder, thread):
        assert post.author == known["author"]
        assert post.permalink == known["permalink"]
    assert page.title == truth(folder)["threads"][thread]["title"]
    assert page.thread_id == str(truth(folder)["threads"][thread]["thread_id"])


def test_times_to_the_precision_that_is_claimed(thread_capture, board, capture, truth):
    folder, thread, variant, file = thread_capture
    _, page = read(board, capture, folder, file)
    unreadable = NO_DAY_PRINTED.get((folder, file), set())
    for post, known in pairs(page, truth, folder, thread):
        if post.id in unreadable:
            assert post.at is None and f"post {post.id}: time not read" in page.problems
            continue
        moment = datetime.fromisoformat(known["time"])
        assert post.at is not None, post.id
        assert abs(post.at - moment) <= timedelta(seconds=TOLERANCE[post.precision]), (post.id, post.at, moment)
        assert post.origin in ("attribute", "text", "relative")
    if folder in ("phpbb-3.3.10", "nodebb-4.9.2", "flaskbb-2.2.0"):
        assert {post.origin for post in page.posts} == {"attribute"}
        assert {post.precision for post in page.posts} == {"second"}


def test_edits(thread_capture, board, capture, truth):
    folder, thread, variant, file = thread_capture
    _, page = read(board, capture, folder, file)
    for post, known in pairs(page, truth, folder, thread):
        assert (post.edited is not None) == known["edited"], post.id
        if post.edited is not None and known.get("edit_time"):
            moment = datetime.fromisoformat(known["edit_time"])
            assert post.edited.at is not None and abs(post.edited.at - moment) <= timedelta(seconds=60)
            assert post.edited.by == known["edited_by"]
            assert (post.edited.reason or "") == (known["edit_reason"] or "")


def blocks_of(post):
    """(kind, text) of a post, adjoining own blocks together, without signature."""
    joined = []
    for block in post.blocks:
        if block.kind == "signature" or block.title == LOST:
            continue
        if joined and joined[-1][0] == "own" == block.kind:
            joined[-1] = ("own", joined[-1][1] + "\n" + block.text)
        else:
            joined.append((block.kind, block.text))
    return joined


def smilies(text):
    """Smilies are pictures whose text is the code on some boards and a word on others."""
    text = re.sub(r":\)|;\)|:D|:wink:|:smile:", "*", text)
    return re.sub(r"(?<=was right\. ).*(?= \)\))", "* * *", text)


def test_own_text_quotes_code_and_spoilers(thread_capture, board, capture, truth, as_typed, plain):
    folder, thread, variant, file = thread_capture
    engine = folder.split("-")[0]
    markdown = engine in ("flaskbb", "nodebb")
    _, page = read(board, capture, folder, file)
    compared = 0
    for post, known in pairs(page, truth, folder, thread):
        if post.deleted is not None:
            continue
        got = [(kind, plain(text)) for kind, text in blocks_of(post)]
        want = as_typed(known["source"], markdown)
        change = SHOWN_OTHERWISE.get((engine, known["n"]))
        if change and thread == "battle":
            want = [(kind, change(text)) for kind, text in want]
        if known.get("special") == "ooc":
            got, want = ([(kind, smilies(text)) for kind, text in side] for side in (got, want))
        if markdown:
            got, want = same_quotes(got), same_quotes(want)
        if engine == "flaskbb" and known.get("special") == "mention":
            # The board cuts as many characters from the end as its link to the member added.
            assert want[-1][1].startswith(got[-1][1]) and len(got[-1][1]) < len(want[-1][1])
        else:
            assert got == want, post.id
        compared += 1
    assert compared


def same_quotes(blocks):
    """Markdown puts the quote's caption in its text; how a nested one is lined up differs."""
    return [(kind, " ".join(text.replace("wrote:", "").split()) if kind == "quote" else text) for kind, text in blocks]


def test_signatures_never_in_the_body(thread_capture, board, capture, truth):
    folder, thread, variant, file = thread_capture
    _, page = read(board, capture, folder, file)
    for post, known in pairs(page, truth, folder, thread):
        body = "\n".join(block.text for block in post.blocks if block.kind == "own")
        for words in ("Every harbour has a wall", "12–7 record", "12-7 record"):
            assert words not in body or words in known["source"]
        signatures = [block for block in post.blocks if block.kind == "signature"]
        assert len(signatures) <= 1


def test_roll_links_are_marks_with_their_targets(thread_capture, board, capture, truth):
    folder, thread, variant, file = thread_capture
    _, page = read(board, capture, folder, file)
    for post, known in pairs(page, truth, folder, thread):
        want = sorted(set(re.findall(r"http://dice\.example\.invalid/roll/\w+", known["source"])))
        marks = [mark for block in post.blocks if block.kind != "signature" for mark in block.marks]
        got = sorted({mark.url for mark in marks if mark.url and "dice.example" in mark.url})
        assert got == want, post.id
        for block in post.blocks:
            for mark in block.marks:
                assert 0 <= mark.start <= mark.end <= len(block.text)


def test_no_session_id_anywhere(thread_capture, board, capture):
    folder, thread, variant, file = thread_capture
    page_read, page = read(board, capture, folder, file)
    shown = repr(page)
    assert "PHPSESSID" not in shown and not re.search(r"[?&;]sid=", shown)


def test_engine_is_recognised(thread_capture, all_boards, capture):
    folder, thread, variant, file = thread_capture
    page = capture(folder, file)
    scores = {name: board.marks(page) for name, board in all_boards.items()}
    best = max(scores, key=scores.get)
    assert best == folder.split("-")[0] and scores[best] >= 90
    assert all(score < 50 for name, score in scores.items() if name != best)
