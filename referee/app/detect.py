"""Which forum software made a page: told from the page alone, no further request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.app.incidents import UnknownEngine, refused
from referee.ports.boards import ReadOptions

if TYPE_CHECKING:
    from referee.ports.boards import Board, Page

#: Marks below this say that an engine is possible, not that it made the page.
_SURE = 30


def detect(page: Page, boards: Sequence[Board], name: str) -> Board:
    """The board whose marks are surest.

    UnknownEngine says what was looked for and how to override it; Challenge and LoginWall what stands there instead.
    """
    marks = [(_marks(board, page), board) for board in boards]
    best = max(marks, key=lambda mark: mark[0], default=None)
    if best is not None and best[0] >= _SURE:
        return best[1]
    turned_away = _refusal(page, boards)
    if turned_away is not None:
        raise refused(turned_away, page.url)
    looked = "; ".join(f"{board.name} ({board.seen})" for board in boards if board.seen)
    described = " or ".join(f'"{board.name}"' for board in boards if not board.seen)
    raise UnknownEngine(
        f"{page.url}: made by no forum software known here; looked for: "
        f"{looked or 'none, no board reader is installed'}; name it with `boards.{name}.engine` if it is one of these"
        + (f", or describe its pages with the engine {described} and `boards.{name}.selectors`" if described else "")
    )


def _refusal(page: Page, boards: Sequence[Board]) -> str | None:
    """What stands in a board's place on a page of nobody known: `challenge` or `login`, else None.

    A bot check has no marks of the board that it guards, and the readers know bot checks.
    """
    if page.status == 401:
        return "login"
    for board in boards:
        try:
            kind = board.read_page(page, ReadOptions()).kind
        except Exception:  # noqa: S112 - as in `_marks`
            continue
        if kind == "challenge":
            return kind
    return None


def _marks(board: Board, page: Page) -> int:
    """How sure a board is of a page; a crash of one must not hide the others."""
    try:
        return board.marks(page)
    except Exception:
        return 0
