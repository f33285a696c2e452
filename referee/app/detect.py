"""Which forum software made a page: told from the page alone, no further request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.app.incidents import UnknownEngine

if TYPE_CHECKING:
    from referee.ports.boards import Board, Page

#: Marks below this say that an engine is possible, not that it made the page.
_SURE = 30


def detect(page: Page, boards: Sequence[Board], name: str) -> Board:
    """The board whose marks are surest; UnknownEngine says what was looked for and how to override it."""
    marks = [(_marks(board, page), board) for board in boards]
    best = max(marks, key=lambda mark: mark[0], default=None)
    if best is not None and best[0] >= _SURE:
        return best[1]
    looked = "; ".join(f"{board.name} ({board.seen})" for board in boards if board.seen)
    described = " or ".join(f'"{board.name}"' for board in boards if not board.seen)
    raise UnknownEngine(
        f"{page.url}: made by no forum software known here; looked for: "
        f"{looked or 'none, no board reader is installed'}; name it with `boards.{name}.engine` if it is one of these"
        + (f", or describe its pages with the engine {described} and `boards.{name}.selectors`" if described else "")
    )


def _marks(board: Board, page: Page) -> int:
    """How sure a board is of a page; a crash of one must not hide the others."""
    try:
        return board.marks(page)
    except Exception:
        return 0
