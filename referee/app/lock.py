"""One pass at a time: the lock of an installation, which the system frees when its holder dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.app.conversation import now_utc
from referee.app.errors import UsageError


@contextmanager
def installation_lock(path: Path) -> Iterator[str | None]:
    """Hold the lock of an installation; gives None, or who holds it already. A killed holder frees it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(f"data_dir: cannot open {path}: {error.strerror or error}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield os.pread(handle, 200, 0).decode("utf-8", "replace").strip() or "unknown process"
            return
        _write_holder(handle)
        yield None
    finally:
        os.close(handle)


def _write_holder(handle: int) -> None:
    """Say who holds the lock; a full disk must not stop a pass from saying so properly later."""
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} since {now_utc():%Y-%m-%d %H:%M:%S} UTC\n".encode(), 0)
    except OSError:
        return
