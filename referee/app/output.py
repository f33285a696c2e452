"""Writing what a command gives: to a file, whole or not at all, or to the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from referee.app.errors import UsageError


def write_out(text: str, out: Path | None, *, private: bool = False) -> None:
    """Write a text in UTF-8; an existing file is only replaced by a complete one. UsageError where it can't be.

    `private`: the text holds secret totals, so only the owner may read the file.
    """
    data = text.encode("utf-8", "backslashreplace")
    if out is None:
        _to_terminal(text, data)
        return
    try:
        if _is_stream(out):
            # It is written to; it must never be replaced by a file.
            with out.open("ab") as stream:
                stream.write(data)
            return
        place = Path(os.path.realpath(out))
        place.parent.mkdir(parents=True, exist_ok=True)
        _replace(place, data, 0o600 if private else _mode_of(place))
    except OSError as error:
        raise UsageError(f"--out: {out}: {error.strerror or error}") from None


def _is_stream(out: Path) -> bool:
    """Whether a path is a pipe, a device, or one of our own streams, whatever that was led to (`--out /dev/stdout`)."""
    own = str(out) in ("/dev/stdout", "/dev/stderr") or out.is_relative_to("/dev/fd")
    return own or (out.exists() and not out.is_file())


def plain(line: object) -> str:
    """A line for a terminal: whatever it could obey (escapes, bidi marks, line breaks) becomes a question mark.

    Names, titles and addresses come from pages and files, and so may anything else in an error.
    """
    words = " ".join(str(line).split())
    return words if words.isprintable() else "".join(c if c.isprintable() else "?" for c in words)


def _replace(place: Path, data: bytes, mode: int) -> None:
    """Write beside the file under a name that nobody can guess, then put it in its place."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:100]}.", suffix=".part")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        fresh.chmod(mode)
        fresh.replace(place)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def _mode_of(place: Path) -> int:
    """The permissions that a file has, or that a new one would get here."""
    if place.is_file():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _to_terminal(text: str, data: bytes) -> None:
    """To standard output, in UTF-8 whatever the terminal's own letters are; to nobody where it was closed (`>&-`)."""
    if sys.stdout is None:
        return
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        stream.write(data)
    sys.stdout.flush()
