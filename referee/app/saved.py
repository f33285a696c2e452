"""Saved pages and WARC files as received pages: what `referee read` takes besides addresses."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from referee.app.addresses import stated_address
from referee.app.errors import InputError, UsageError
from referee.ports.boards import Page

#: A saved page larger than this is no thread page.
LARGEST_PAGE = 32 * 1024 * 1024
#: More pages in one archive than this are not read.
MOST_PAGES = 20_000


def saved_page(path: Path, url: str | None, fetched: datetime | None) -> Page:
    """The page of a saved file, with `FILE.url` and `FILE.headers` beside it where they exist.

    `url` and `fetched` count where those files do not say. Raises InputError in one line.
    """
    body = _bytes_of(path)
    status, headers = _headers_of(path.with_name(path.name + ".headers"))
    beside = path.with_name(path.name + ".url")
    if beside.is_file():
        return Page(_address_in(beside), body, status, headers, _date_of(headers) or fetched)
    if not url:
        raise UsageError(f"{path}: where was it served from? Give --url, or write it to {beside.name}")
    return Page(url, body, status, headers, _date_of(headers) or fetched)


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
