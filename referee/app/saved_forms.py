"""Pages in the wrappings in which some browsers save them: MHTML (Chrome, Edge) and web archives of Safari.

The files are anybody's: what can't be read is no wrapping, and the page in it is as hostile as any other.
"""

from __future__ import annotations

from binascii import a2b_base64, a2b_qp
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from typing import NamedTuple

#: So much of a file, and of a part of it, is searched for what its head tells.
_LONGEST_HEAD = 4096
#: A page with more pictures than this is none.
_MOST_PARTS = 2000


class Unwrapped(NamedTuple):
    """The page in a wrapping. What it does not tell is empty, `saved_at` (UTC) None."""

    body: bytes
    url: str
    content_type: str
    saved_at: datetime | None


def unwrapped(data: bytes) -> Unwrapped | None:
    """The page in a file's wrapping; None where the file is a page itself, or holds none."""
    try:
        if data.startswith(b"bplist00"):
            return _of_safari(data)
        head = data[:_LONGEST_HEAD].lower()
        if b"mime-version:" in head and b"multipart/related" in head and not head.lstrip().startswith(b"<"):
            return _of_mhtml(data)
    except Exception:
        return None  # neither library says in full what a broken file makes it raise
    return None


def _of_mhtml(data: bytes) -> Unwrapped | None:
    """The page of a file in MHTML: the part that the file is about, else its first one of HTML.

    Browsers write one level of parts; the library's parser, made for mail in mail, would take hours over hostile ones.
    """
    whole, _ = _parted(data)
    boundary = (whole.get_boundary() or "").encode("ascii", "replace")
    if not boundary:
        return None
    url = _header(whole, "Snapshot-Content-Location")
    parts = map(_parted, data.split(b"\n--" + boundary, _MOST_PARTS)[1:])
    pages = [(head, body) for head, body in parts if head.get_content_type() == "text/html"]
    found = [(head, body) for head, body in pages if url and _header(head, "Content-Location") == url] or pages
    if not found:
        return None
    head, body = found[0]
    charset = head.get_content_charset()
    told = f"text/html; charset={charset}" if charset else ""
    moment = _date(_header(whole, "Date"))
    return Unwrapped(_decoded(head, body), url or _header(head, "Content-Location"), told, moment)


def _parted(part: bytes) -> tuple[Message, bytes]:
    """The head and the body of a part, which begins with the rest of its boundary's line."""
    text = part.replace(b"\r\n", b"\n")
    text = text.partition(b"\n")[2] if text[:1] == b"\n" else text
    head, _, body = text.partition(b"\n\n")
    return BytesHeaderParser().parsebytes(head[:_LONGEST_HEAD] + b"\n\n"), body


def _decoded(head: Message, body: bytes) -> bytes:
    """A part's body as the page was."""
    way = _header(head, "Content-Transfer-Encoding").casefold()
    if way == "quoted-printable":
        return a2b_qp(body)
    return a2b_base64(body) if way == "base64" else body


def _header(part: Message, name: str) -> str:
    return str(part.get(name, "")).strip()


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text).astimezone(UTC)
    except (ValueError, TypeError):
        return None


def _of_safari(data: bytes) -> Unwrapped | None:
    """The page of a web archive of Safari."""
    import plistlib

    page = plistlib.loads(data)["WebMainResource"]
    body, url, charset = page["WebResourceData"], page["WebResourceURL"], page.get("WebResourceTextEncodingName", "")
    if not isinstance(body, bytes) or not isinstance(url, str):
        return None
    return Unwrapped(body, url, f"text/html; charset={charset}" if isinstance(charset, str) and charset else "", None)
