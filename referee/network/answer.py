"""What one request brought, and how it becomes a `Page`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from referee.network.memory import Remembered
from referee.network.retry import http_date
from referee.ports.boards import Page

REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: A server's clock further off than this is not believed.
SANE = timedelta(days=1)
NOT_MODIFIED = "x-referee-not-modified"

#: Left out of pages: they speak of the transfer, not of the page, or name our session.
_DROPPED = frozenset(
    {"connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "set-cookie2", "transfer-encoding"}
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. `headers` have lower-case names; `body` is decompressed."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def redirect(self) -> str | None:
        """Where it redirects to, if it does."""
        return self.headers.get("location") if self.status in REDIRECTS else None


def headers_of(raw: Mapping[str, str]) -> dict[str, str]:
    """The headers worth keeping, with lower-case names."""
    return {name.lower(): value for name, value in raw.items() if name.lower() not in _DROPPED}


def page_of(answer: Answer, now: datetime) -> Page:
    """The page of an answer, dated by the server's clock where that is sane, else by ours."""
    stated = http_date(answer.headers.get("date"))
    at = stated if stated is not None and abs(stated - now) <= SANE else now
    return Page(answer.url, answer.body, answer.status, dict(answer.headers), at)


def remembered_page(url: str, known: Remembered, now: datetime) -> Page:
    """The page that a 304 stands for: the remembered body as a 200, marked as not modified.

    It keeps the date of its own body, not of the 304: "5 minutes ago" in it counts from then.
    Without that date `fetched_at` is None, so nobody reckons from a wrong one.
    """
    _, _, body, headers = known
    kept = {name.lower(): value for name, value in headers.items()}
    stated = http_date(kept.get("date"))
    at = stated if stated is not None and stated <= now + SANE else None
    return Page(url, body, 200, {**kept, NOT_MODIFIED: "1"}, at)


def conditions(known: Remembered | None, accept: str | None) -> dict[str, str]:
    """The headers that make a request conditional; none where nothing usable is known."""
    if known is None:
        return {}
    etag, modified, _, headers = known
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    if accept is not None and not _answers(accept, kind):
        # One address may have several forms; a date of change would not tell them apart.
        return {}
    asked = {"If-None-Match": etag, "If-Modified-Since": modified}
    return {name: value for name, value in asked.items() if value is not None and _fit(value)}


def _answers(accept: str, kind: str) -> bool:
    media = kind.partition(";")[0].strip().lower()
    wanted = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    return bool(media) and bool(wanted & {media, media.partition("/")[0] + "/*", "*/*"})


def _fit(value: str) -> bool:
    return 0 < len(value) <= 1000 and value.isascii() and value.isprintable()


def utc_now() -> datetime:
    """The time of our own clock."""
    return datetime.now(UTC)
