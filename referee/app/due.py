"""When a thread is read again: soon after a change, then later and later. Pure: the caller tells the time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.app.gather import Gathered
    from referee.store.threads import StoredThread

#: When all pages of a thread are read again: soon after a change, then later and later.
FULL_AFTER = (
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(days=1),
    timedelta(days=3),
)

#: How long the last page of a thread is left alone, by how long nothing has changed in it.
QUICK_AFTER = (
    (timedelta(days=1), timedelta(0)),
    (timedelta(days=7), timedelta(minutes=15)),
    (timedelta(days=30), timedelta(hours=1)),
)
_QUICK_LONGEST = timedelta(hours=4)


def due_now(known: StoredThread | None, now: datetime) -> bool | None:
    """What of a thread is due: True, all pages; False, the last page is enough; None, nothing yet."""
    if known is None or known.next_full is None or known.next_full <= now:
        return True
    return False if known.next_quick is None or known.next_quick <= now else None


def next_full(stored: StoredThread, gathered: Gathered, now: datetime) -> tuple[int, datetime]:
    """How many whole readings have found nothing, and when the next one is due."""
    if gathered.changed or stored.next_full is None:
        return 0, now + FULL_AFTER[0]
    if not gathered.whole:
        return stored.unchanged, stored.next_full
    unchanged = stored.unchanged + 1
    return unchanged, now + FULL_AFTER[min(unchanged, len(FULL_AFTER) - 1)]


def quick_pause(quiet: timedelta) -> timedelta:
    """How long the last page is left alone after `quiet` without a change."""
    return next((pause for limit, pause in QUICK_AFTER if quiet < limit), _QUICK_LONGEST)


def said_due(known: StoredThread | None) -> str:
    """When a thread is due, for the log."""
    moments = [m for m in (known.next_quick, known.next_full) if m is not None] if known is not None else []
    return f"{min(moments):%Y-%m-%d %H:%M} UTC" if moments else "now"
