"""What can be wrong in the sections of boards, dice services and tables, told before anything is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from referee.app import plugins
from referee.app.checked import Checked
from referee.app.config import BoardConfig, Config, line_of, text_of
from referee.app.errors import RefereeError, UsageError
from referee.app.given import misspelt_tables, wrong_options, wrong_rows
from referee.app.services import dice_service
from referee.ports.boards import ReadOptions


def refuse_wrong_sections(config: Config, *boards: str) -> None:
    """UsageError, one line with file, line and key, where a board (else all), dice service or table is wrong.

    Rows of tables that can't be used are no such error: what hangs on them is not judged. A ruleset that is not set
    is none here either: its board is read, and not judged.
    """
    lines = [line for name in boards or config.boards for line in check_board(config, name)]
    for checked in (*lines, *check_services(config), *_check_table_names(config)):
        if checked.level == "error" and not checked.line.endswith("`ruleset` is missing"):
            raise UsageError(checked.line)


def place_of(config: Config, *keys: str) -> str:
    """File, line and key of a setting, as error lines begin."""
    if config.source is None:
        return ".".join(keys)
    return f"{config.source}:{line_of(text_of(config.source), keys)}: {'.'.join(keys)}"


def watches_nothing(config: Config) -> str | None:
    """A line where no thread and no section of any board is watched, so that a pass would do nothing."""
    if any(board.threads or board.forums for board in config.boards.values()):
        return None
    return f"{config.source or 'no configuration'}: nothing is watched: no board has `threads` or `forums`"


def check_services(config: Config) -> Iterator[Checked]:
    """What is wrong with the dice services."""
    for name, section in config.dice.items():
        try:
            dice_service(config, name, section)
        except RefereeError as error:
            key = str(error).partition(f"dice.{name}: ")[2].partition(":")[0]
            known = key if re.fullmatch(r"[a-z_]+(\.[a-z_]+)*", key) else "kind"
            said = str(error).partition(f"dice.{name}: ")[2]
            yield Checked(
                "error", f"{place_of(config, 'dice', name, *known.split('.'))}: {said.removeprefix(f'{known}: ')}"
            )


def check_tables(config: Config) -> Iterator[Checked]:
    """What is wrong with the tables of the rulesets."""
    yield from _check_table_names(config)
    yield from check_rows(config)


def _check_table_names(config: Config) -> Iterator[Checked]:
    for name, tables in config.tables.items():
        if name in plugins.names("rulesets"):
            yield from _table_errors(config, name, misspelt_tables(name, tables))
        else:
            there = ", ".join(plugins.names("rulesets"))
            yield Checked("error", f"{place_of(config, 'tables', name)}: no such ruleset; there are {there}")


def check_rows(config: Config) -> Iterator[Checked]:
    """What the rulesets say of the rows of their tables."""
    for name, tables in config.tables.items():
        if name in plugins.names("rulesets"):
            yield from _table_errors(config, name, wrong_rows(name, tables))


def _table_errors(config: Config, name: str, problems: Iterable[str]) -> Iterator[Checked]:
    for problem in problems:
        key, _, what = problem.partition(": ")
        yield Checked("error", f"{place_of(config, 'tables', name, *key.split('.'))}: {what}")


def check_board(config: Config, name: str) -> Iterator[Checked]:
    """What is wrong with one board."""
    board = config.boards[name]
    if board.engine is not None and board.engine not in plugins.names("boards"):
        there = ", ".join(plugins.names("boards"))
        yield Checked("error", f"{place_of(config, 'boards', name, 'engine')}: no such engine; there are {there}")
    if board.ruleset is None:
        yield Checked("error", f"{place_of(config, 'boards', name)}: `ruleset` is missing")
    elif board.ruleset not in plugins.names("rulesets"):
        there = ", ".join(plugins.names("rulesets"))
        yield Checked("error", f"{place_of(config, 'boards', name, 'ruleset')}: no such ruleset; there are {there}")
    elif board.profile and board.profile not in plugins.ruleset(board.ruleset).profiles:
        there = ", ".join(plugins.ruleset(board.ruleset).profiles)
        yield Checked("error", f"{place_of(config, 'boards', name, 'profile')}: no such profile; there are {there}")
    if board.ruleset in plugins.names("rulesets"):
        for problem in wrong_options(str(board.ruleset), board.battle):
            key, _, what = problem.partition(": ")
            yield Checked("error", f"{place_of(config, 'boards', name, 'battle', key)}: {what}")
    yield from _check_selectors(config, name)
    yield from _check_threads(config, name)


def _check_selectors(config: Config, name: str) -> Iterator[Checked]:
    """Selectors must be selectors, with the keys that the engine has and needs (any engine, where none is set)."""
    board = config.boards[name]
    options = ReadOptions(selectors=dict(board.selectors))
    meant = board.engine is not None or board.selectors
    engines = [one for one in plugins.boards() if board.engine in (None, one.name)] if meant else []
    told = [tuple(engine.check(options)) for engine in engines]
    wrong = min(told, key=len, default=())
    for line in wrong:
        key, _, what = line.partition(": ")
        yield Checked("error", f"{place_of(config, 'boards', name, *key.split('.'))}: {what}")


def _addresses(board: BoardConfig) -> Iterator[tuple[str, str]]:
    """The watched threads and sections of a board, and what is left alone, with the key that each stands under."""
    yield from (("threads", url) for url in board.threads)
    yield from (("forums", url) for url in board.forums)
    yield from (("ignore", url) for url in board.ignore)


def _check_threads(config: Config, name: str) -> Iterator[Checked]:
    """Threads and sections must lie on hosts that may be asked; a thread that is listed twice is looked at by both."""
    hosts = {board.host for board in config.boards.values()}
    for key, url in _addresses(config.boards[name]):
        place = f"{place_of(config, 'boards', name, key)}: {url}"
        if urlsplit(url).netloc.casefold() not in hosts:
            yield Checked("error", f"{place}: its host is not that of `url`, and no other board's")
        if key == "ignore" and url in config.boards[name].threads:
            yield Checked("error", f"{place}: stands in `threads` too")
        if key == "ignore":
            continue
        others = [other for other, board in config.boards.items() if other != name and url in getattr(board, key)]
        if others:
            what = "thread" if key == "threads" else "section"
            yield Checked("warning", f"{place}: is a {what} of {', '.join(others)} too")
