"""How long reading a thread page takes, against the time in which BeautifulSoup (lxml) only parses it.

    python bench/read_pages.py [DIRECTORY OF CAPTURED PAGES]

For each page of a thread as a guest sees it: bytes to posts with blocks, and the mere parse, in turns
and each the best of several rounds, as other work on the machine disturbs both. Before each round the
readers forget all that they keep between pages and read another page of the engine, so a page is read
as it is in a thread: never seen, but not the first one. A board reader is fast enough below a tenth of
the mere parse.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from statistics import median

from bs4 import BeautifulSoup

from referee.ports.boards import Board, Page, ReadOptions

ENGINES = ("smf", "phpbb", "mybb", "fluxbb", "flaskbb", "nodebb")
#: The mere parse is long, so it has fewer rounds: one for every four of the reader.
ROUNDS, EACH = 8, 4


def seconds(work: Callable[[], object]) -> float:
    """The processor time that something takes once: what others do on the machine disturbs it least."""
    start = time.process_time()
    work()
    return time.process_time() - start


def forget() -> None:
    """Drop what the readers keep between pages."""
    for name, module in list(sys.modules.items()):
        if name.startswith("scrapers."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def saved(path: Path) -> Page:
    """A captured page."""
    url = Path(f"{path}.url").read_text(encoding="utf-8").strip()
    return Page(url, path.read_bytes(), fetched_at=datetime(2026, 11, 30, 2, tzinfo=UTC))


def measure(board: Board, page: Page, before: Page) -> tuple[float, float]:
    """The shortest times of reading a page after the one `before` and of merely parsing it, in seconds."""
    options = ReadOptions()
    ours, soup = [], []
    for _ in range(ROUNDS):
        soup.append(seconds(lambda: BeautifulSoup(page.body, "lxml")))
        for _ in range(EACH):
            forget()
            board.read_page(before, options)
            ours.append(seconds(lambda: board.read_page(page, options)))
    return min(ours), min(soup)


def main() -> None:
    """Print the ratios of all pages, and of each engine the median and the worst."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "shared" / "pages"
    for engine in ENGINES:
        board = import_module(f"scrapers.boards.{engine}").BOARD
        ratios = []
        pages = {path: saved(path) for path in sorted(root.glob(f"{engine}-*/guest/battle-p*.html"))}
        counts = {path: len(board.read_page(page, ReadOptions()).posts) for path, page in pages.items()}
        paths = [path for path in pages if counts[path]]
        for number, path in enumerate(paths):
            page = pages[path]
            ours, soup = measure(board, page, pages[paths[number - 1]])
            ratios.append(ours / soup)
            print(
                f"{path.relative_to(root)}: {counts[path]} posts, {len(page.body) // 1000} kB, "
                f"read {ours * 1e3:.2f} ms, BeautifulSoup parses in {soup * 1e3:.1f} ms: ratio {ours / soup:.3f}"
            )
        if ratios:
            print(f"{engine}: {len(ratios)} pages, median {median(ratios):.3f}, worst {max(ratios):.3f}\n")


if __name__ == "__main__":
    main()
