"""When to try again, and after how long."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

#: Answers that pass: too many requests, bad gateway, unavailable, gateway timeout.
PASSING = frozenset({429, 502, 503, 504})
#: Some boards hiccup with one 500 and answer the next request; more tries would only add load.
TRIES_AFTER_500 = 1
#: First wait in seconds; it doubles with each further try.
FIRST_WAIT = 1.0
LONGEST_WAIT = 30.0
#: A server that asks for a longer wait is left alone until the next run.
LONGEST_RETRY_AFTER = 120.0


def pause(status: int | None, retry_after: str | None, tries: int, retries: int, now: datetime) -> float | None:
    """Seconds to wait before the next try, or None to give up.

    `status` is None for a broken connection. `tries`: failed tries so far, from 1. `retry_after`:
    the header, in seconds or as an HTTP date; beyond `LONGEST_RETRY_AFTER` we give up, since
    asking sooner than told would be rude and waiting that long would hold the whole pass up.
    """
    allowed = min(retries, TRIES_AFTER_500) if status == 500 else retries
    if tries > allowed or (status is not None and status != 500 and status not in PASSING):
        return None
    wait = min(FIRST_WAIT * 2.0 ** min(tries - 1, 16), LONGEST_WAIT)
    told = asked_wait(retry_after, now)
    if told is None:
        return wait
    return None if told > LONGEST_RETRY_AFTER else max(told, wait)


def asked_wait(retry_after: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, None where it can't be read."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    moment = http_date(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def http_date(text: str | None) -> datetime | None:
    """The UTC time of an HTTP date header, None where it can't be read."""
    if not text or len(text) > 100:
        return None
    try:
        found = parsedate_to_datetime(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
