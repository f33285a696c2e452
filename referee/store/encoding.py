"""Blocks as JSON and back, and the hash that says whether a post's own text has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from referee.model.battle import Edit, Post
from referee.model.text import Block, Mark

#: Blocks that are not what the player wrote in this post: a new signature changes no post, the
#: counts beside an attachment are the board's, and edit notices are compared by their fields.
_NOT_TEXT = frozenset({"signature", "attachment", "edit"})

#: Address parts that differ from visit to visit.
_SESSION_KEYS = frozenset({"sid", "phpsessid", "jsessionid", "s", "session", "sesskey"})


def pack_blocks(blocks: Sequence[Block]) -> list[list[Any]]:
    """Blocks as a JSON value."""
    return [[b.kind, b.text, b.author, b.post, b.title, [_pack_mark(mark) for mark in b.marks]] for b in blocks]


def _pack_mark(mark: Mark) -> list[Any]:
    """A mark; only a roll that its poster could have typed has a fifth part, so the others are stored as ever."""
    return [mark.start, mark.end, mark.url, mark.dice, *([True] if mark.typed else [])]


def unpack_blocks(packed: Sequence[Sequence[Any]]) -> tuple[Block, ...]:
    """Blocks from their JSON value."""
    return tuple(
        Block(kind, text, author, post, title, tuple(Mark(*mark) for mark in marks))
        for kind, text, author, post, title, marks in packed
    )


def text_hash(post: Post) -> str:
    """Hash of a post's own text and edit notice; avatars, counts, signatures, session ids don't count."""
    own = [_without_sessions(block) for block in pack_blocks([_without_caption(b) for b in _text_blocks(post)])]
    return hashlib.sha256(json.dumps([own, _edit_mark(post)]).encode("ascii")).hexdigest()


def edit_of(edited: bool, at: datetime | None, by: str | None, count: int | None, reason: str | None) -> Edit | None:
    """The edit notice of a stored row."""
    return Edit(at, by, count, reason) if edited else None


def _text_blocks(post: Post) -> list[Block]:
    """The blocks that a player can edit."""
    return [block for block in post.blocks if block.kind not in _NOT_TEXT]


def _without_caption(block: Block) -> Block:
    """A quote without what the board writes above it: a name and a date, in the reader's language and clock."""
    return replace(block, author=None, post=None) if block.kind == "quote" else block


def _without_sessions(block: list[Any]) -> list[Any]:
    """A packed block with session ids taken out of its links."""
    *rest, marks = block
    return [*rest, [[start, end, _plain_address(url), *roll] for start, end, url, *roll in marks]]


def _plain_address(url: str | None) -> str | None:
    """An address without session ids."""
    if url is None or "?" not in url:
        return url
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=100)
        kept = [(name, value) for name, value in pairs if not _is_session(name, value)]
        return url if len(kept) == len(pairs) else urlunsplit(parts._replace(query=urlencode(kept)))
    except ValueError:
        # No address at all, or one that can't be written down: compared as it stands.
        return url


def _is_session(name: str, value: str) -> bool:
    """Whether a query parameter looks like a session id: its usual name and a long opaque value."""
    return name.lower() in _SESSION_KEYS and len(value) >= 16 and value.isalnum()


def _edit_mark(post: Post) -> list[Any] | None:
    """What of an edit notice is the same in every reading of it.

    The number of edits says all where the board counts. A time worked out from "5 minutes ago" moves
    with the clock of the reading, so it only counts where it is absolute, to the minute.
    """
    edit = post.edited
    if edit is None:
        return None
    if edit.count is not None or post.origin == "relative" or edit.at is None:
        return [edit.count, edit.by, edit.reason, None]
    return [None, edit.by, edit.reason, edit.at.strftime("%Y-%m-%dT%H:%M")]
