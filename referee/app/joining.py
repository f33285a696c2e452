"""What a reading of some pages adds to what is stored, and which pages prove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from referee.ports.boards import Board, ReadOptions, ThreadPage, ThreadRead

if TYPE_CHECKING:
    from referee.store.store import Store
    from referee.store.threads import StoredThread


def joined(
    known: StoredThread, pages: Sequence[ThreadPage], stored: dict[str, str], numbers: Mapping[str, int]
) -> ThreadRead | None:
    """The posts from the last known page on, if they carry on what is stored without a gap.

    `stored`: hashes of the posts in thread order, `numbers`: what the board printed on them. A board that counts its
    posts gives other numbers where something before the page is gone or back.
    """
    from referee.store.columns import key

    posts = {key(post.id): post for page in pages for post in page.posts}
    standing = [post_id for post_id, post in posts.items() if post.deleted is None]
    order = list(stored)
    if standing[:1] == order[:1] and standing[1:2] != order[1:2]:
        # Some skins repeat the thread's first post on every page.
        standing = standing[1:]
    if not standing or standing[0] not in stored:
        return None
    tail = order[order.index(standing[0]) :]
    if standing[: len(tail)] != tail:
        return None
    if any(numbers.get(post_id, posts[post_id].number) != posts[post_id].number for post_id in tail):
        return None
    last = pages[-1]
    new = len(standing) - len(tail)
    if None not in (last.posts_stated, known.posts_stated) and last.posts_stated != (known.posts_stated or 0) + new:
        return None
    return ThreadRead(
        url=known.url,
        kind="thread",
        posts=tuple(posts.values()),
        thread_id=known.board_thread_id,
        title=last.title,
        engine=known.engine,
        engine_version=last.engine_version,
        posts_stated=last.posts_stated,
        locked=last.locked,
        zoneless=any(page.zoneless for page in pages),
    )


def let_go(board: Board, options: ReadOptions, store: Store, pages: Sequence[int], changed: frozenset[str]) -> None:
    """Of the pages of a reading only those that show a changed post are its proof; the others may be pruned.

    `pages`: their numbers in the archive, without those on which anything rested before this reading (one that
    goes on from a reading that was cut off shares its pages); `changed`: keys of posts that are new, edited or back.
    """
    from referee.store.columns import key

    idle = []
    for number in dict.fromkeys(pages):
        with suppress(Exception):  # what can't be read alone may still be the proof
            shown = board.read_page(store.archive.get(number).page, options)
            if not changed & {key(post.id) for post in shown.posts}:
                idle.append(number)
    store.archive.let_go(idle)
