"""Writing what a command gives: to a file, whole or not at all, or to the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from referee.app.errors import UsageError


def write_out(text: str, out: Path | None) -> None:
    """Write a text; an existing file is only replaced by a complete one. UsageError where it can't be."""
    if out is None:
        sys.stdout.write(text)
        return
    fresh = out.with_name(out.name + ".part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(out)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise UsageError(f"--out: {out}: {error.strerror or error}") from None
