"""Claims that changed after an opponent had posted (`post/edited-claims`, G20, X5, X22).

A change by somebody else than the author, whom the board names, is no fault of the author's: a notice tells it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any

from referee.engine.book import FindingBook
from referee.engine.checks.presence import only_character
from referee.engine.timeline import LateEdit, PostRead
from referee.model.battle import Post
from referee.model.claims import Claim, Reading
from referee.ports.rules import Entry, Sheets


def check_edits(posts: tuple[PostRead, ...], sheets: Sheets, book: FindingBook) -> dict[str, LateEdit]:
    """Report late changes of claims; give, by post, what was changed."""
    edits: dict[str, LateEdit] = {}
    for index, read in enumerate(posts):
        if not read.mine or len(read.readings) < 2:
            continue
        later = _next_by_another(posts, index)
        if later is None:
            continue
        old = _seen_before(read, later)
        if old is not None:
            speaker = only_character(read.post.author, sheets)
            changed = _report(read, old, later, book, Entry(index, read.post, read.reading), speaker)
            if changed is not None:
                edits[read.post.id] = changed
    return edits


def _next_by_another(posts: tuple[PostRead, ...], index: int) -> PostRead | None:
    author = posts[index].post.author.casefold()
    return next((r for r in posts[index + 1 :] if r.mine and r.post.author.casefold() != author), None)


def _seen_before(read: PostRead, later: PostRead) -> Reading | None:
    """The last earlier reading that certainly stood there when `later` was posted, or None.

    Either the edit notice is later than that post and the text was seen before it, or the text was
    still seen after it (a silent edit).
    """
    posted = later.post.at
    if posted is None or later.post.precision == "unknown":
        return None
    edited = read.post.edited.at if read.post.edited else None
    for revision, reading in zip(reversed(read.post.revisions[:-1]), reversed(read.readings[:-1]), strict=True):
        if revision.seen is None:
            continue
        if revision.seen > posted or (edited is not None and edited > posted):
            return reading
    return None


def _report(
    read: PostRead, old: Reading, later: PostRead, book: FindingBook, entry: Entry, speaker: str | None
) -> LateEdit | None:
    """One finding for the first claim that differs; the rest stands in its trace."""
    pairs, removed = _without_rearranged(old, _changed(old, read.reading), _lost(old, read.reading))
    if not pairs and not removed:
        return None
    lines = [f"{_words(was)} became {_words(now)}" for _, was, now in pairs]
    lines += [f"gone since: {claim.quote}" for claim in removed]
    where = f"after {later.post.author} posted {later.post.id}{_at(later.post.at)}"
    claim, claimed, expected = _first_difference(pairs)
    other = _another(read.post)
    if other is None:
        book.add(
            "post/edited-claims",
            entry,
            character=speaker,
            claimed=claimed,
            expected=None if expected is None else [expected],
            message=f"the post was changed {where}: {lines[0]}",
            trace=lines,
            claim=claim,
        )
    else:
        message = f"{other} changed this post last, not its author, {where}: {lines[0]}"
        book.unchecked(entry, f"edited by another:{read.post.id}", message, speaker)
    return LateEdit(
        before={place: was for place, was, now in pairs if was is not None},
        added=frozenset(place for place, was, now in pairs if was is None),
        gone=tuple(removed),
    )


def _another(post: Post) -> str | None:
    """Who has edited a post last, if the board names somebody else than its author: staff may mend a post."""
    by = post.edited.by if post.edited is not None else None
    return by if by and " ".join(by.split()).casefold() != " ".join(post.author.split()).casefold() else None


def _changed(old: Reading, new: Reading) -> list[tuple[int, Claim | None, Claim]]:
    """The claims of the new text that differ from the old one or were added, with what stood there."""
    places, claims = _stating(new), new.claims
    was = [old.claims[place] for place in _stating(old)]
    pairs: list[tuple[int, Claim | None, Claim]] = []
    for step, a, b, c, d in _steps(old, new):
        if step == "equal":
            both = zip(was[a:b], places[c:d], strict=True)
            pairs += [(at, one, claims[at]) for one, at in both if dict(one.values) != dict(claims[at].values)]
        elif step in ("insert", "replace"):
            pairs += [(at, None, claims[at]) for at in places[c:d]]
    return pairs


def _lost(old: Reading, new: Reading) -> list[Claim]:
    was = [old.claims[place] for place in _stating(old)]
    return [claim for step, a, b, _, _ in _steps(old, new) if step in ("delete", "replace") for claim in was[a:b]]


def _without_rearranged(
    old: Reading, pairs: list[tuple[int, Claim | None, Claim]], removed: list[Claim]
) -> tuple[list[tuple[int, Claim | None, Claim]], list[Claim]]:
    """The differences without those lines of named numbers that only stand on other lines now: `HP: Mira 31, Tobin 22`.

    For each kind: the same numbers under the same names, each name's in the same order.
    """
    same = set()
    for kind in {now.kind for _, _, now in pairs}:
        before = {id(was) for _, was, _ in pairs if was is not None} | {id(claim) for claim in removed}
        was = _rows([claim for claim in old.claims if claim.kind == kind and id(claim) in before])
        if was is not None and was == _rows([now for _, _, now in pairs if now.kind == kind]):
            same.add(kind)
    if not same:
        return pairs, removed
    return [pair for pair in pairs if pair[2].kind not in same], [one for one in removed if one.kind not in same]


def _rows(claims: list[Claim]) -> dict[str, list[Any]] | None:
    """The numbers of several claims under their names; None where they hold anything but numbers."""
    rows: dict[str, list[Any]] = {}
    for claim in claims:
        for key, value in claim.values.items():
            if not isinstance(value, int):
                return None
            rows.setdefault(key, []).append(value)
    return rows


def _steps(old: Reading, new: Reading) -> Sequence[tuple[str, int, int, int, int]]:
    """How the kinds of claims became others, as `difflib` tells it."""
    was, now = ([reading.claims[place].kind for place in _stating(reading)] for reading in (old, new))
    return SequenceMatcher(None, was, now, autojunk=False).get_opcodes()


def _stating(reading: Reading) -> list[int]:
    """The places of the claims that state something."""
    return [place for place, claim in enumerate(reading.claims) if not claim.heading]


def _first_difference(pairs: list[tuple[int, Claim | None, Claim]]) -> tuple[Claim | None, Any, Any]:
    """The claim that changed first, with its new and old value: a number or name before lists."""
    for _, was, now in pairs:
        if was is None:
            continue
        keys = [key for key in now.values if now.values.get(key) != was.values.get(key)]
        keys.sort(key=lambda key: isinstance(now.values[key], list))
        for key in keys:
            new, old = _one(now.values, was.values, key)
            return now, new, old
    return (pairs[0][2] if pairs else None), None, None


def _one(new: Mapping[str, Any], old: Mapping[str, Any], key: str) -> tuple[Any, Any]:
    """The differing value under a key; of lists of equal length, the first differing item."""
    a, b = new.get(key), old.get(key)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return next((x, y) for x, y in zip(a, b, strict=True) if x != y)
    return a, b


def _words(claim: Claim | None) -> str:
    return f"“{claim.quote}”" if claim is not None else "nothing"


def _at(moment: datetime | None) -> str:
    return f" at {moment:%Y-%m-%d %H:%M:%S}" if moment else ""
