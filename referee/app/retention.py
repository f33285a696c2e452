"""How long the archive keeps pages that nothing rests on (`keep_pages`), and the step that prunes them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.store.pruning import Pruned
    from referee.store.store import Store

_TIME = re.compile(r"(\d{1,6})\s{0,3}(d|days?|w|weeks?|months?|y|years?)", re.IGNORECASE)
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}

#: Pages that one pass of `run` prunes at the most: what is left is the next pass's.
_MOST_A_PASS = 5000


def kept_for(text: str) -> timedelta:
    """A time such as `400 days`, `60d`, `8 weeks`, `18 months` (of 30 days), `2 years`; else ValueError."""
    match = _TIME.fullmatch(text.strip()[:40])
    days = int(match[1]) * _DAYS[match[2][0].lower()] if match else 0
    if not 1 <= days <= 36_500:
        raise ValueError(f"{text[:40]!r} is no time to keep pages for; expected such as 400 days, 18 months, 2 years")
    return timedelta(days=days)


def prune_pages(store: Store, keep: timedelta, *, most: int | None = None) -> Pruned:
    """Prune what is older than `keep`. Raises StoreError when the store can't be written."""
    return store.archive.prune(datetime.now(UTC) - keep, most)


def prunable_pages(store: Store, keep: timedelta) -> Pruned:
    """What `prune_pages` would take out."""
    return store.archive.prunable(datetime.now(UTC) - keep)


def prune_step(store: Store, keep_pages: str | None) -> str | None:
    """The step of a pass: prunes where `keep_pages` is set; gives a line for the log if there was anything."""
    if keep_pages is None:
        return None
    done = prune_pages(store, kept_for(keep_pages), most=_MOST_A_PASS)
    return pruned_line(done) if done.pages else None


def pruned_line(done: Pruned, would: bool = False) -> str:
    """What was pruned, in words."""
    return f"{done.pages} old pages {'would be' if would else 'were'} pruned, {done.size / 1e6:.1f} MB"
