"""A watch on one request: cuts its connection when the total time is over.

Socket timeouts bound each wait for *some* bytes; a server that sends one byte every few seconds,
in the head or the body, passes all of them. The watch shuts the socket down instead.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_here = threading.local()


class Watch:
    """The deadline of one request. `expired`: whether the time was over before `stop`."""

    def __init__(self, seconds: float) -> None:
        self.expired = False
        self._lock = threading.Lock()
        self._stopped = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def start(self) -> None:
        """Begin to count."""
        self._timer.start()

    def attach(self, connection: socket.socket) -> None:
        """Name the socket to shut down; at once if the time is already over."""
        with self._lock:
            self._socket = connection
            if self.expired:
                self._shut()

    def stop(self) -> None:
        """The request is done: its connection may be somebody else's now."""
        self._timer.cancel()
        with self._lock:
            self._stopped = True
            self._socket = None

    def _cut(self) -> None:
        with self._lock:
            if not self._stopped:
                self.expired = True
                self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError, ValueError):
                self._socket.shutdown(socket.SHUT_RDWR)


@contextmanager
def watching(seconds: float) -> Iterator[Watch]:
    """Watch the one request that this thread makes inside the block."""
    watch = Watch(seconds)
    _here.watch = watch
    watch.start()
    try:
        yield watch
    finally:
        watch.stop()
        _here.watch = None


def attach(connection: socket.socket | None) -> None:
    """Put a socket under this thread's watch, if there is one."""
    watch: Watch | None = getattr(_here, "watch", None)
    if watch is not None and connection is not None:
        watch.attach(connection)
