"""Servers on loopback that send scripted bytes, and sessions that may ask them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from pytest_httpserver import HTTPServer

from referee.network import InProcessMemory, Session, Settings, Site

#: What a raw server does with one connection after the request's head was read.
Play = Callable[[socket.socket, bytes, int], None]


class RawServer:
    """Plays scripted bytes on real connections. `heads`: the heads of all requests so far."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._server = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._server.getsockname()[1]}"
        self.heads: list[bytes] = []
        self._threads: list[threading.Thread] = []
        self._main = threading.Thread(target=self._accept, daemon=True)
        self._main.start()

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                got = connection.recv(4096)
                if not got:
                    return
                head += got
            self.heads.append(head)
            self._play(connection, head, len(self.heads))

    def close(self) -> None:
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._main.join(2)


def answer(body: bytes, *lines: str, status: str = "200 OK") -> bytes:
    head = "\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *lines])
    return head.encode() + b"\r\n\r\n" + body


def session(*hosts: str, sleeps: list[float] | None = None, **settings: object) -> Session:
    """A session that may ask loopback hosts; waits are noted and not slept."""
    made = Settings(
        "staff@example.org",
        tuple(Site(host, allow_private=True, pace=0.0) for host in hosts),
        **{"respect_robots": False, "connect_timeout": 2.0, "read_timeout": 2.0, **settings},  # type: ignore[arg-type]
    )
    waits = sleeps if sleeps is not None else []
    return Session(made, InProcessMemory(clock=lambda: 0.0), sleep=waits.append)


def place(server: HTTPServer) -> str:
    return f"{server.host}:{server.port}"
