"""Serves a captured board on loopback, as the forum software did: same answers, own address."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

from tests.support.samples import SHARED

BOARDS = tuple(sorted(path.parent.name for path in SHARED.glob("pages/*/manifest.json")))


class CapturedBoard:
    """A context manager; `url(thread)` is a thread's address on this server, `truth(thread)` its posts."""

    def __init__(self, name: str, viewer: str = "guest") -> None:
        self.folder = SHARED / "pages" / name
        self.manifest = json.loads((self.folder / "manifest.json").read_text("utf-8"))
        self.base = self.manifest["base_url"].rstrip("/")
        self.requests: list[str] = []
        self._files = {
            capture["url"].removeprefix(self.base).split("#")[0]: (self.folder / capture["file"], capture["status"])
            for capture in reversed(self.manifest["captures"])
            if capture["as"] == viewer and capture["bytes"]
        }

    def __enter__(self) -> CapturedBoard:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.home = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()

    def url(self, thread: str) -> str:
        return self.manifest["threads"][thread]["url"].replace(self.base, self.home)

    def truth(self, thread: str) -> list[dict[str, object]]:
        return [post for post in self.manifest["threads"][thread]["posts"] if not post["deleted"]]

    def file_of(self, path: str) -> tuple[Path, int] | None:
        found = self._files.get(path) or self._files.get(path.replace("&amp;", "&"))
        return found

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        board = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                board.requests.append(self.path)
                found = board.file_of(self.path)
                body, status = (found[0].read_bytes(), found[1]) if found else (b"not here", 404)
                body = body.replace(board.base.encode(), board.home.encode())
                body = body.replace(board.base.replace("/", "\\/").encode(), board.home.replace("/", "\\/").encode())
                self.send_response(status)
                self.send_header("Content-Type", "text/html; charset=UTF-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        return Handler
