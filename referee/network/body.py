"""Reading a body: streamed, decompressed by ourselves with a bound, never more than the cap.

Content-Length is not believed. Decompression stops as soon as the cap is passed, so a small answer
that unpacks to gigabytes costs no more than the cap. Bytes stay bytes: the charset is the reader's.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from http.client import HTTPException

from requests import Response
from urllib3.exceptions import HTTPError

from referee.network.errors import Broken, TooLarge

CHUNK = 16 * 1024
#: A compressed body may be so much larger than what it holds.
SLACK = 64 * 1024
#: As much of an error page is read.
ERROR_BYTES = 256 * 1024
_GZIP, _ZLIB, _RAW = 31, 15, -15


class Inflater:
    """Decompresses gzip (also in several members) and deflate (with and without its header)."""

    def __init__(self, encoding: str) -> None:
        """For the content encoding `gzip` or `deflate`."""
        self._bits = _GZIP if encoding == "gzip" else _ZLIB
        self._engine = zlib.decompressobj(self._bits)
        self._fresh = True
        self._head = b""

    def feed(self, data: bytes, room: int) -> bytes:
        """What `data` unpacks to, at most `room` bytes of it. Raises Broken where it is damaged."""
        if self._fresh and self._bits == _ZLIB:
            # Only two bytes tell whether deflate comes with its header; not all servers send it.
            data, self._head = self._head + data, b""
            if len(data) < 2:
                self._head = data
                return b""
        out = bytearray()
        while data and len(out) < room:
            out += self._inflate(data, room - len(out))
            data = self._engine.unconsumed_tail or self._rest()
        return bytes(out)

    def finish(self) -> None:
        """Raise Broken if the stream stopped before its end."""
        if not self._fresh and not self._engine.eof:
            raise Broken("the body broke off")

    def _inflate(self, data: bytes, room: int) -> bytes:
        try:
            got = self._engine.decompress(data, room)
        except zlib.error as error:
            if not (self._fresh and self._bits == _ZLIB):
                raise Broken("the body is not compressed as the server says", again=False) from error
            self._bits = _RAW
            self._engine = zlib.decompressobj(_RAW)
            return self._inflate(data, room)
        self._fresh = False
        return got

    def _rest(self) -> bytes:
        """What follows a finished member, if it is another one; anything else there is ignored."""
        rest = self._engine.unused_data
        if self._bits != _GZIP or not rest.startswith(b"\x1f\x8b"):
            return b""
        self._engine = zlib.decompressobj(_GZIP)
        return rest


def read_body(response: Response, url: str, cap: int, *, cut: bool = False) -> bytes:
    """The decompressed body of a streamed answer.

    Over `cap` bytes: TooLarge, or the first `cap` bytes with `cut`. Raises Broken for a damaged
    body, and what urllib3 raises for a broken connection.
    """
    inflater = _inflater(response.headers.get("Content-Encoding", ""))
    pieces: Iterable[bytes] = response.raw.stream(CHUNK, decode_content=False)
    body = bytearray()
    received = 0
    for piece in pieces:
        received += len(piece)
        body += piece if inflater is None else inflater.feed(piece, cap + 1 - len(body))
        # Bytes behind the end of a compressed body unpack to nothing, and there may be no end of them.
        if len(body) > cap or received > cap + SLACK:
            if cut:
                return bytes(body[:cap])
            raise TooLarge(url, f"the page is larger than {cap} bytes")
    if inflater is not None:
        inflater.finish()
    return bytes(body)


def error_body(response: Response, url: str) -> bytes:
    """The beginning of an error page, nothing where it broke off: the status is what counts."""
    try:
        return read_body(response, url, ERROR_BYTES, cut=True)
    except (Broken, HTTPError, HTTPException, OSError):
        return b""


def _inflater(encoding: str) -> Inflater | None:
    named = encoding.strip().lower()
    if named in ("", "identity"):
        return None
    if named in ("gzip", "x-gzip"):
        return Inflater("gzip")
    if named == "deflate":
        return Inflater("deflate")
    raise Broken(f"the server compressed the page as {named[:40]!r}, which was not asked for", again=False)
