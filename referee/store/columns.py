"""Column types that behave the same on SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, LargeBinary, Text
from sqlalchemy.types import TypeDecorator

_LARGEST = 2**31 - 1
_LONGEST_KEY = 1200


def clean(text: str) -> str:
    """Text that every database takes: NUL and lone surrogates become U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def whole(number: int | None) -> int | None:
    """A number that fits an integer column, None for one that a page can only have made up."""
    return number if number is not None and abs(number) <= _LARGEST else None


def as_utc(moment: datetime) -> datetime:
    """A time in UTC; one without a zone is UTC already, one at the end of the calendar stays there."""
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def key(text: str) -> str:
    """Text as it is looked up by: clean, and no longer than an index takes (a hash stands for the rest)."""
    shown = clean(text)
    if len(shown) <= _LONGEST_KEY // 4 or len(shown.encode()) <= _LONGEST_KEY:
        return shown
    return shown[: _LONGEST_KEY // 8] + "#" + hashlib.sha256(shown.encode()).hexdigest()


class Words(TypeDecorator[str]):
    """Text from a page: whatever a stranger wrote can be stored and looked for."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Without the characters that a database refuses."""
        return None if value is None else clean(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """As it was stored."""
        return value


class Moment(TypeDecorator[datetime]):
    """A UTC time. SQLite keeps no zone, so it goes in naive and comes out aware again."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC; a time without a zone is taken as UTC already."""
        if value is None:
            return None
        moment = as_utc(value)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database, as an aware UTC time."""
        if value is None:
            return None
        return as_utc(value)


class Key(Words):
    """Text that rows are found by: a post id, an address, a fingerprint."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Clean and bounded."""
        return None if value is None else key(value)


class Packed(TypeDecorator[Any]):
    """A JSON value, compressed. Safe for NUL characters, which PostgreSQL's text types refuse."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        """To compressed JSON; lone surrogates survive as escapes."""
        return None if value is None else zlib.compress(json.dumps(value).encode("ascii"), 6)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        """Back from compressed JSON."""
        return None if value is None else json.loads(zlib.decompress(value))
