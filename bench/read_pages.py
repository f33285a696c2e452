"""How long reading a thread page takes, against the time in which BeautifulSoup (lxml) only parses it.

    python bench/read_pages.py [DIRECTORY OF CAPTURED PAGES]

For each page: bytes to posts with blocks, the best of several rounds. A board reader is fast enough
below a tenth of the mere parse.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from bs4 import BeautifulSoup

from referee.ports.boards import Page, ReadOptions

PAGES = (
    ("smf", "smf-2.1.4/guest/battle-p2.html"),
    ("smf", "smf-2.1.4/user/battle-p3.html"),
    ("phpbb", "phpbb-3.3.10/guest/battle-p2.html"),
    ("phpbb", "phpbb-3.3.10/user/battle-p3.html"),
    ("mybb", "mybb-1.8.37/guest/battle-p2.html"),
    ("mybb", "mybb-1.8.37/guest/battle-p4-classic.html"),
    ("fluxbb", "fluxbb-1.5.11/guest/battle-p1.html"),
    ("flaskbb", "flaskbb-2.2.0/guest/battle-p3.html"),
    ("nodebb", "nodebb-4.9.2/guest/battle-p2.html"),
)


def best(work: Callable[[], object], rounds: int) -> float:
    """The shortest time of several rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print the ratios."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "shared" / "pages"
    for engine, name in PAGES:
        path = root / name
        if not path.exists():
            print(f"{name}: not there")
            continue
        board = import_module(f"scrapers.boards.{engine}").BOARD
        url = Path(f"{path}.url").read_text(encoding="utf-8").strip()
        page = Page(url, path.read_bytes(), fetched_at=datetime(2026, 11, 30, 2, tzinfo=UTC))
        posts = len(board.read_page(page, ReadOptions()).posts)
        ours = best(lambda board=board, page=page: board.read_page(page, ReadOptions()), 30)
        soup = best(lambda page=page: BeautifulSoup(page.body, "lxml"), 5)
        print(
            f"{name}: {posts} posts, {len(page.body) // 1000} kB, read {ours * 1e3:.2f} ms, "
            f"BeautifulSoup parses in {soup * 1e3:.1f} ms: ratio {ours / soup:.3f}"
        )


if __name__ == "__main__":
    main()
