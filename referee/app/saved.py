"""Saved pages and WARC files as received pages: what `referee read` takes besides addresses."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from referee.app.addresses import stated_address
from referee.app.errors import InputError, UsageError
from referee.app.saved_forms import unwrapped
from referee.ports.boards import Page

#: A saved page larger than this is no thread page.
LARGEST_PAGE = 32 * 1024 * 1024
#: So much of a page is searched for what a browser has noted in it.
LONGEST_HEAD = 100_000
_SAVED_FROM = re.compile(r"<!-- saved from url=\(\d{1,5}\)(?P<url>https?://[^\s<>]{1,2000}) -->")
_SINGLE_FILE = re.compile(
    r"Page saved with SingleFile\s{1,9}url:\s{1,9}(?P<url>https?://[^\s<>]{1,2000})\s{1,9}"
    r"saved date:\s{1,9}(?P<at>[^\n<>]{10,100})"
)
_LINK = re.compile(r"<link\b[^<>]{1,3000}>", re.IGNORECASE)
_IS_CANONICAL = re.compile(r"\brel=[\"']?canonical\b", re.IGNORECASE)
_HREF = re.compile(r"\bhref=[\"']?(?P<url>https?://[^\s\"'<>]{1,2000})")
#: How transcripts call themselves.
_TRANSCRIPT = b"referee/transcript@"
#: More pages in one archive than this are not read.
MOST_PAGES = 20_000


def saved_page(path: Path, url: str | None, fetched: datetime | None) -> Page:
    """The page of a saved file, with `FILE.url` and `FILE.headers` beside it where they exist.

    `url` and `fetched` count where those files do not say; without them, what the browser has noted in the page does,
    and the page's own canonical link. Pages in MHTML and in Safari's web archives are taken out of them.
    Raises InputError in one line.
    """
    body = _bytes_of(path)
    status, headers = _headers_of(path.with_name(path.name + ".headers"))
    wrapped = unwrapped(body)
    if wrapped is not None:
        body = wrapped.body
        headers = headers or ({"Content-Type": wrapped.content_type} if wrapped.content_type else {})
    beside = path.with_name(path.name + ".url")
    if beside.is_file():
        return Page(_address_in(beside), body, status, headers, _date_of(headers) or fetched)
    noted, saved_at = _noted(body) if wrapped is None else (_usable(wrapped.url), wrapped.saved_at)
    if not url and not noted:
        if path.suffix.lower() in (".yaml", ".yml") or _TRANSCRIPT in body[:LONGEST_HEAD]:
            raise UsageError(f"{path}: a saved page was expected; `referee replay` takes transcripts")
        raise UsageError(f"{path}: where was it served from? Give --url, or write it to {beside.name}")
    return Page(url or noted, body, status, headers, _date_of(headers) or fetched or saved_at)


def _usable(url: str) -> str:
    """An address that a file tells, if it is one of the web; else nothing."""
    try:
        stated_address(url, "")
    except UsageError:
        return ""
    return url


def _noted(body: bytes) -> tuple[str, datetime | None]:
    """The address and time that a browser has written into a page when it saved it, or the page's canonical link."""
    head = body[:LONGEST_HEAD].decode("utf-8", "replace")
    single = _SINGLE_FILE.search(head)
    found = single or _SAVED_FROM.search(head) or _canonical(head)
    url = _usable(html.unescape(found["url"]) if found is not None else "")
    return url, _js_time(single["at"]) if single is not None and url else None


def _canonical(head: str) -> re.Match[str] | None:
    """The canonical link of a page, if its address is whole."""
    links = (link.group() for link in _LINK.finditer(head) if _IS_CANONICAL.search(link.group()))
    return next((found for found in map(_HREF.search, links) if found is not None), None)


def _js_time(text: str) -> datetime | None:
    """A time as browsers write it: `Mon Nov 30 2026 12:34:56 GMT+0100`."""
    try:
        return datetime.strptime(" ".join(text.split()[:6]), "%a %b %d %Y %H:%M:%S GMT%z").astimezone(UTC)
    except ValueError:
        return None


def _address_in(beside: Path) -> str:
    """The address in a file beside a saved page."""
    with beside.open("rb") as stream:
        url = stream.read(10_000).decode("utf-8", "replace").strip()
    stated_address(url, f"{beside}: ")
    return url


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            body = stream.read(LARGEST_PAGE + 1)  # a device or a pipe has no size to ask for
    except IsADirectoryError:
        raise InputError(f"{path}: a folder; name the saved pages themselves") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if len(body) > LARGEST_PAGE:
        raise InputError(f"{path}: larger than {LARGEST_PAGE // 2**20} MiB, a saved page was expected")
    return body


def _headers_of(path: Path) -> tuple[int, dict[str, str]]:
    """Status and headers as curl or wget save them; the last answer counts after redirects."""
    status = 200
    headers: dict[str, str] = {}
    if not path.is_file():
        return status, {}
    with path.open("rb") as stream:
        text = stream.read(1_000_000).decode("utf-8", "replace")
    for line in text.splitlines():
        if line.startswith("HTTP/"):
            words = line.split()
            status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 200
            headers = {}
        elif ":" in line:
            name, _, value = line.partition(":")
            headers[name.strip()] = value.strip()
    return status, headers


def _date_of(headers: dict[str, str]) -> datetime | None:
    for name, value in headers.items():
        if name.lower() == "date":
            try:
                return parsedate_to_datetime(value).astimezone(UTC)
            except (ValueError, TypeError):
                return None
    return None


def is_warc(path: Path) -> bool:
    """Whether a file is a web archive by its name."""
    return path.name.lower().endswith((".warc", ".warc.gz"))


def warc_pages(path: Path) -> Iterator[Page]:
    """The HTML answers of a web archive, in order. Raises InputError where it can't be read."""
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    try:
        with path.open("rb") as stream:
            for number, record in enumerate(ArchiveIterator(stream)):
                if number > MOST_PAGES * 4:
                    raise InputError(f"{path}: more than {MOST_PAGES * 4} records")
                page = _warc_page(record)
                if page is not None:
                    yield page
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (ArchiveLoadFailed, EOFError, ValueError) as error:
        raise InputError(f"{path}: not a web archive: {error}") from None


def _warc_page(record: object) -> Page | None:
    """One response record as a page; None for requests, images and the like."""
    kind = getattr(record, "rec_type", None)
    http = getattr(record, "http_headers", None)
    if kind != "response" or http is None:
        return None
    headers = {str(name): str(value) for name, value in http.headers}
    media = next((v for k, v in headers.items() if k.lower() == "content-type"), "text/html")
    if "html" not in media and "json" not in media:
        return None
    body = record.content_stream().read(LARGEST_PAGE)  # type: ignore[attr-defined]
    url = record.rec_headers.get_header("WARC-Target-URI")  # type: ignore[attr-defined]
    code = http.get_statuscode()
    return Page(url or "", body, int(code) if code and code.isdigit() else 200, headers, _date_of(headers))
