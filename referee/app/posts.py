"""Posts as JSON Lines (`referee/posts@1`), and saved pages put together to threads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from referee.model.battle import Edit, Post
from referee.model.text import Block
from referee.ports.boards import Board, ThreadPage, ThreadRead

SCHEMA = "referee/posts@1"
#: No thread has more pages than this.
_MOST_PAGES = 20_000


def merged(pages: Iterable[tuple[Board, ThreadPage]]) -> tuple[ThreadRead, ...]:
    """Thread pages in any order, put together to whole threads; every post once, in thread order.

    A post that is on several pages counts as the one that comes first has it; a problem line says where they differ.
    """
    groups: dict[tuple[str, str, str | None], list[ThreadPage]] = {}
    at_hand = list(pages)
    before = {board.canonical(page.next_url): page for board, page in at_hand if page.next_url}
    for board, page in at_hand:
        host = urlsplit(page.url or "").netloc
        if page.alone and page.url not in before:
            page = replace(page, problems=(*page.problems, *page.alone))
        groups.setdefault((board.name, host, page.thread_id or _first_address(page, before)), []).append(page)
    return tuple(_thread(found) for found in groups.values())


def _first_address(page: ThreadPage, before: dict[str, ThreadPage]) -> str | None:
    """The address of a thread's first page, as a page of it tells: for boards whose threads have no numbers.

    `before`: by address the page that links it as its next one, for pagers that do not link the first page.
    """
    seen: set[str | None] = set()
    while page.page_number != 1 and not page.page_urls and page.url in before and page.url not in seen:
        seen.add(page.url)
        page = before[page.url]
    return page.page_urls[0] if page.page_urls and page.page_number not in (None, 1) else page.url


def _thread(pages: list[ThreadPage]) -> ThreadRead:
    pages = sorted(pages, key=_place)
    posts: dict[str, Post] = {}
    odd: dict[str, None] = {}
    for page in pages:
        for post in page.posts:
            if _words(posts.setdefault(post.id, post)) != _words(post):
                odd[post.id] = None
    first = pages[0]
    stated = max((page.posts_stated for page in pages if page.posts_stated is not None), default=None)
    absent = _absent(pages)
    return ThreadRead(
        url=first.url or "",
        kind="thread",
        posts=in_order(tuple(posts.values())),
        thread_id=first.thread_id,
        title=next((page.title for page in pages if page.title), None),
        engine=first.engine,
        engine_version=next((page.engine_version for page in pages if page.engine_version), None),
        posts_stated=stated,
        locked=next((page.locked for page in pages if page.locked is not None), None),
        complete=not absent and stated in (None, len(posts)),
        problems=(*(problem for page in pages for problem in page.problems), *_said(absent), *_differing(odd)),
        zoneless=any(page.zoneless for page in pages),
        gaps=_gaps(pages, absent),
    )


def _absent(pages: list[ThreadPage]) -> list[int]:
    """The numbers of the pages that the pagers count and that are not there."""
    there = {page.page_number for page in pages}
    numbers = [page.page_number for page in pages if page.page_number]
    last = max([*numbers, *(page.page_count or 0 for page in pages)], default=0)
    return [number for number in range(1, min(last, _MOST_PAGES) + 1) if number not in there] if numbers else []


def _said(absent: list[int]) -> tuple[str, ...]:
    """A line on the pages that are not there."""
    if not absent:
        return ()
    shown = ", ".join(map(str, absent[:10])) + (" and more" if len(absent) > 10 else "")
    return (f"page {shown} of the thread was not read" if len(absent) == 1 else f"pages {shown} were not read",)


def _words(post: Post) -> list[tuple[str, str]]:
    """What a post says; how often a picture was looked at, and the author's signature of the day, is nothing of it."""
    return [(block.kind, block.text) for block in post.blocks if block.kind in ("own", "spoiler", "quote", "code")]


def _differing(posts: Iterable[str]) -> Iterator[str]:
    """A line on posts that were saved twice and changed in between."""
    shown = list(posts)
    if shown:
        named = ", ".join(shown[:10]) + (" and more" if len(shown) > 10 else "")
        yield f"not the same in all files, the newest counts (of files without a time the first): post {named}"


def _gaps(pages: list[ThreadPage], absent: list[int]) -> tuple[str, ...]:
    """The posts right behind missing pages; where the newest stand first, those are the last ones of pages before."""
    gone, shown = set(absent), tuple(post for page in pages for post in page.posts)
    falling = in_order(shown) != shown
    behind = [page for page in pages if page.posts and page.page_number]
    if falling:
        return tuple(page.posts[-1].id for page in behind if (page.page_number or 0) + 1 in gone)
    return tuple(page.posts[0].id for page in behind if (page.page_number or 0) - 1 in gone)


def in_order(posts: tuple[Post, ...]) -> tuple[Post, ...]:
    """Posts oldest first: pages that show the newest first are turned round.

    By the numbers that the pages print, else by the ids; what falls in one place and rises in another stays.
    """
    numbers = [post.number for post in posts if post.number is not None]
    ids = [int(post.id) for post in posts if post.id.isdecimal()]
    keys = numbers if len(numbers) > 1 else ids if len(ids) == len(posts) else []
    if len(keys) > 1 and _fall(keys):
        return tuple(reversed(posts))
    # Behind the first post, which some boards repeat on every page; there numbers alone may be those of moved posts.
    times = [post.at for post in posts[1:] if post.at is not None]
    if len(keys) == len(posts) > 2 and keys[0] == min(keys) and _fall(keys[1:]) and len(times) > 1 and _fall(times):
        return (posts[0], *reversed(posts[1:]))
    return posts


def _fall(values: Sequence[int] | Sequence[datetime]) -> bool:
    """Whether numbers or times only fall."""
    return all(one > other for one, other in pairwise(values))  # type: ignore[operator]


def _place(page: ThreadPage) -> tuple[int, int, str]:
    """Where a page belongs in its thread: its number, else its first post's number or id."""
    first = page.posts[0] if page.posts else None
    if page.page_number is not None:
        return page.page_number, 0, ""
    if first is None:
        return 1 << 30, 0, ""
    if first.number is not None:
        return 0, first.number, ""
    return (0, int(first.id), "") if first.id.isdigit() else (0, 0, first.id)


def lines_of(thread: ThreadRead) -> Iterator[str]:
    """The JSON Lines of a thread: the thread first, then its posts in thread order."""
    head = {
        "schema": SCHEMA,
        "kind": "thread",
        "url": thread.url,
        "title": thread.title,
        "engine": thread.engine,
        "engine_version": thread.engine_version,
        "posts_stated": thread.posts_stated,
        "posts_read": len(thread.posts),
        "locked": bool(thread.locked),
    }
    yield json.dumps(head, ensure_ascii=False)
    for post in thread.posts:
        yield json.dumps(post_record(post), ensure_ascii=False)


def post_record(post: Post) -> dict[str, Any]:
    """One post in the contract's form; what the page does not say is null."""
    return {
        "kind": "post",
        "id": post.id,
        "number": post.number,
        "permalink": post.permalink,
        "author": post.author,
        "author_id": post.author_id,
        "time": _time(post.at),
        "time_precision": post.precision,
        "time_origin": post.origin,
        "edited": _edit(post.edited),
        "deleted": post.deleted is not None,
        "text": "\n".join(block.text for block in post.blocks if block.kind == "own"),
        "blocks": [_block(block) for block in post.blocks],
        "links": [link for index, block in enumerate(post.blocks) for link in _links(block, index)],
        "rolls": [roll for index, block in enumerate(post.blocks) for roll in _rolls(block, index)],
    }


def _edit(edit: Edit | None) -> dict[str, Any] | None:
    if edit is None:
        return None
    return {"time": _time(edit.at), "by": edit.by, "count": edit.count, "reason": edit.reason}


def _block(block: Block) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": block.kind}
    if block.kind == "quote":
        record |= {"author": block.author, "post": block.post}
    if block.kind == "spoiler":
        record["title"] = block.title
    return {**record, "text": block.text}


def _links(block: Block, index: int) -> Iterator[dict[str, Any]]:
    for mark in block.marks:
        if mark.url is not None:
            yield {"url": mark.url, "text": block.text[mark.start : mark.end], "block": index}


def _rolls(block: Block, index: int) -> Iterator[dict[str, Any]]:
    for mark in block.marks:
        if mark.dice is not None:
            yield {"dice": mark.dice, "text": block.text[mark.start : mark.end], "block": index}


def _time(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.isoformat().replace("+00:00", "Z")
