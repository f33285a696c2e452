"""Use case `read`: addresses, saved pages and web archives to posts, without an audit."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee.app import plugins
from referee.app.addresses import bare_address, stated_address
from referee.app.config import BoardConfig, Config, need_board
from referee.app.errors import InputError, ReachError, UsageError
from referee.app.incidents import UnknownEngine
from referee.app.posts import lines_of, merged
from referee.app.saved import is_warc, saved_page, warc_pages
from referee.ports.boards import Board, Page, ReadOptions, ThreadPage, ThreadRead

log = logging.getLogger("referee")


@dataclass(frozen=True, slots=True)
class Request:
    """What to read. `urls`: where saved pages come from: one for the first file, or one for each."""

    targets: tuple[str, ...]
    urls: tuple[str, ...] = ()
    fetched: datetime | None = None
    board: str | None = None
    engine: str | None = None
    allow_private: bool = False


def read_targets(request: Request, config: Config) -> tuple[str, tuple[str, ...]]:
    """The JSON Lines of all targets, and one line for each thing that could not be read (exit 3).

    Raises UsageError and InputError for wrong usage and files that can't be used.
    """
    problems: list[str] = []
    threads: list[ThreadRead] = []
    addresses = [target for target in request.targets if is_address(target)]
    for url in addresses:
        try:
            threads.append(_live(url, request, config))
        except ReachError as error:
            problems.append(str(error))
    threads += saved_threads(request, config, problems)
    if not threads and not problems:
        problems.append("no thread page among the files")
    for thread in threads:
        for problem in (*thread.problems, *missing_posts(thread)):
            log.warning("%s: %s", thread.url, problem)
    lines = [line for thread in threads for line in lines_of(thread)]
    return "".join(line + "\n" for line in lines), tuple(problems)


def saved_threads(request: Request, config: Config, problems: list[str]) -> tuple[ThreadRead, ...]:
    """The threads of the saved pages and archives of a request; a line in `problems` for each that is none."""
    found = list(_read_pages(_pages(request), request, config, problems))
    # Of a post that stands on several pages the newest text counts.
    if all(fetched for fetched, _, _ in found):
        found.sort(key=lambda item: item[0] or datetime.min, reverse=True)
    return merged((board, read) for _, board, read in found)


def missing_posts(thread: ThreadRead) -> Iterator[str]:
    """A word on pages that were not among the files: a part must not pass for the whole."""
    if thread.posts_stated is not None and len(thread.posts) < thread.posts_stated:
        yield f"only {len(thread.posts)} of the {thread.posts_stated} posts that the board counts were read"


def is_address(target: str) -> bool:
    """Whether a target is an address, and not a file; its scheme may stand in any case."""
    return target.lstrip().lower().startswith(("http://", "https://"))


def _pages(request: Request) -> Iterator[tuple[str, Page]]:
    """The saved pages, each with the name that errors use."""
    named = [target for target in request.targets if not is_address(target)]
    strange = next((target for target in named if "://" in target), None)
    if strange is not None:
        raise InputError(f"{strange}: an address begins with http:// or https://")
    files = [Path(target) for target in named]
    plain = [path for path in files if not is_warc(path)]
    if len(request.urls) > max(1, len(plain)):
        raise UsageError(f"--url: {len(request.urls)} addresses for {len(plain)} files")
    for address in request.urls:
        stated_address(address, "--url: ")
    for path in files:
        if not path.exists():
            raise InputError(f"{path}: No such file, and an address begins with http:// or https://")
        if is_warc(path):
            yield from ((f"{path}: {page.url}", page) for page in warc_pages(path))
            continue
        place = plain.index(path)
        url = request.urls[min(place, len(request.urls) - 1)] if request.urls else None
        yield str(path), saved_page(path, url, request.fetched)


def _read_pages(
    pages: Iterator[tuple[str, Page]], request: Request, config: Config, problems: list[str]
) -> Iterator[tuple[datetime | None, Board, ThreadPage]]:
    """Thread pages among the saved ones, with when they were captured; what is no thread page is said."""
    boards: tuple[Board, ...] | None = None
    for name, page in pages:
        section, settings = _settings(request, config, page.url)
        engine = request.engine or (settings.engine if settings is not None else None)
        try:
            if engine:
                board = _named(engine)
            else:
                boards = boards or plugins.boards()
                board = _detected(page, boards, section)
            read = board.read_page(page, settings.options if settings is not None else ReadOptions())
        except ReachError as error:
            if not is_warc(Path(name.split(": ")[0])):
                hint = " or with --engine" if isinstance(error, UnknownEngine) else ""
                problems.append(f"{name}: {error}{hint}")
            continue
        if read.kind == "thread" and read.posts:
            yield page.fetched_at, board, read
        elif not is_warc(Path(name.split(": ")[0])):
            problems.append(f"{name}: {_KINDS.get(read.kind, 'no thread page')}")


def _named(engine: str) -> Board:
    """The board reader that was asked for."""
    if engine not in plugins.names("boards"):
        raise UsageError(f"--engine: there is no {engine!r}; there are {', '.join(plugins.names('boards'))}")
    return plugins.board(engine)


_KINDS = {
    "login": "the board asks for a login",
    "challenge": "a bot check, no thread page",
    "down": "the board is out of order: an error page, no thread page",
    "missing": "the board says that there is no such thread",
    "empty": "a thread page without any post",
}


def _detected(page: Page, boards: tuple[Board, ...], name: str) -> Board:
    """The board whose marks are surest; ReachError says what was looked for, and where `name` may be told more."""
    from referee.app.detect import detect

    return detect(page, boards, name)


def _settings(request: Request, config: Config, url: str) -> tuple[str, BoardConfig | None]:
    """The name and the section of the board that a page is of; `NAME` and None where none is configured."""
    need_board(config.boards, request.board)
    if request.board:
        return request.board, config.boards[request.board]
    return config.board_of(url) or ("NAME", None)


def _live(url: str, request: Request, config: Config) -> ThreadRead:
    """A thread from its board, kept nowhere."""
    from referee.app.gather import BoardChoice, gather
    from referee.app.online import session_for, target_of

    url = bare_address(url)
    first = tuple(config.boards_of(url))[:1]  # boards of one forum are read alike
    target = target_of(config, url, board=request.board, allow_private=request.allow_private, stored=lambda: first)
    choice = BoardChoice(target.name, request.engine or target.board.engine, target.board.options)
    done = gather(url, choice, session_for(config, None, target), plugins.boards())
    if done.trouble is not None:
        raise done.trouble
    return done.read
