"""Sessions and targets: which sites may be asked, and by which rules a thread's address is judged."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from referee.app import plugins
from referee.app.addresses import bare_address, shown_address, stated_address
from referee.app.config import BoardConfig, Config, need_board
from referee.app.errors import RefereeError, UsageError
from referee.app.services import dice_services, host_of
from referee.ports.sayings import counted

if TYPE_CHECKING:
    from referee.app.checked import Checked
    from referee.network import Memory, Session, Site

log = logging.getLogger("referee")


@dataclass(frozen=True, slots=True)
class Target:
    """A thread's address with the board that it belongs to: configured, or made up for one-off use."""

    url: str
    name: str
    board: BoardConfig
    configured: bool


def target_of(
    config: Config,
    url: str,
    *,
    board: str | None = None,
    ruleset: str | None = None,
    allow_private: bool = False,
    stored: Callable[[], Collection[str]] = tuple,
) -> Target:
    """The board and rules of a thread's address.

    A host that is no configured board is read with defaults where a ruleset is given (public addresses
    only, unless `allow_private`). `stored`: the boards under which the thread is stored, asked for where several
    boards of one forum may mean it. Raises UsageError: wrong address, unknown board, or the lines to add.
    """
    url = bare_address(url)
    asked_address(url)
    parts = urlsplit(url)
    known_names(config, board, ruleset)
    name = board or _board_for(config, url, ruleset, stored)
    if name is not None:
        settings = config.boards[name]
        allowed = settings.allow_private or allow_private
        changed = replace(settings, ruleset=ruleset or settings.ruleset, allow_private=allowed)
        return Target(url, name, changed, configured=True)
    made = BoardConfig(
        url=f"{parts.scheme}://{parts.netloc}/", ruleset=ruleset, allow_private=allow_private, threads=[url]
    )
    return Target(url, parts.netloc.casefold(), made, configured=False)


def known_names(config: Config, board: str | None, ruleset: str | None) -> None:
    """UsageError for a board or a ruleset that there is not; None is nothing that was asked for."""
    if ruleset is not None:
        plugins.ruleset(ruleset)
    need_board(config.boards, board)


def _board_for(config: Config, url: str, ruleset: str | None, stored: Callable[[], Collection[str]]) -> str | None:
    """The configured board of an address; of several that share a forum the one that is meant, never just the first.

    The one that has the ruleset which was asked for, or under which the thread is stored. UsageError where nobody
    can tell.
    """
    fitting = config.boards_of(url)
    if len(fitting) > 1 and ruleset is not None:
        fitting = {name: one for name, one in fitting.items() if one.ruleset == ruleset} or fitting
    if len(fitting) > 1:
        known = stored()
        fitting = {name: one for name, one in fitting.items() if name in known} or fitting
    if len(fitting) > 1:
        raise UsageError(
            f"{shown_address(url)}: boards {', '.join(fitting)} are of this forum: say which, with --board"
        )
    return next(iter(fitting), None)


def asked_address(url: str) -> None:
    """UsageError where a text is no address that can be asked."""
    from referee.network.urls import normal

    stated_address(url)
    try:
        normal(url)
    except ValueError as error:
        raise UsageError(f"{shown_address(url)}: {error}") from None


def need_ruleset(target: Target) -> str:
    """The ruleset of a target; UsageError with the lines to add where none is known."""
    if target.board.ruleset:
        return target.board.ruleset
    if target.configured:
        raise UsageError(f"boards.{target.name}.ruleset: not set; add it, or give --ruleset")
    name = target.name.split(":")[0].replace(".", "-")
    there = "|".join(plugins.names("rulesets"))
    raise UsageError(
        f"{target.name} is no configured board: give --ruleset {there}, or add to referee.toml: "
        f'[boards.{name}] url = "{target.board.url}" ruleset = "..."'
    )


def sites_of(config: Config, target: Target | None = None) -> tuple[Site, ...]:
    """Every site that may be asked: configured boards, dice services, and the one-off target."""
    from referee.network import Site

    sites = [Site(board.host, board.allow_private, board.pace) for board in config.boards.values()]
    for section, service in zip(config.dice.values(), dice_services(config), strict=True):
        sites += [Site(host, service.allow_private, section.pace) for host in sorted(service.hosts)]
    if target is not None:
        host = host_of(target.url)
        kept = [site for site in sites if site.host != host]
        sites = [*kept, Site(host, target.board.allow_private, target.board.pace)]
    return tuple(sites)


def session_for(config: Config, memory: Memory | None = None, target: Target | None = None) -> Session:
    """A network session for the configured sites; pace and robots.txt are remembered in `memory`."""
    from referee.network import Session, Settings

    settings = Settings(contact=config.contact, sites=sites_of(config, target))
    return Session(settings, memory, on_event=lambda line: log.info("%s", line))


def try_board(config: Config, name: str, board: BoardConfig) -> Checked:
    """Ask a board's first watched page (else its own address) and tell which engine made it."""
    from referee.app.checked import Checked
    from referee.app.detect import detect
    from referee.network import NetworkError
    from referee.ports.boards import Wish

    url = next(iter((*board.threads, *board.forums, board.url)))
    try:
        page = session_for(config).get(Wish(url))
        found = plugins.board(board.engine) if board.engine else detect(page, plugins.boards(), name)
    except NetworkError as error:
        return Checked("error", f"boards.{name}: {error}", reach=True)
    except RefereeError as error:
        return Checked("error", f"boards.{name}: {error}", reach=True)
    if page.status >= 400:
        return Checked("error", f"boards.{name}: {url} answers with status {page.status}", reach=True)
    if url in board.forums:
        listed = found.read_list(page, board.options) if found.read_list is not None else None
        if listed is None or listed.kind != "list":
            return Checked("error", f"boards.{name}: {url}: no threads could be read from the page", reach=True)
        listing = f"{counted(len(listed.threads), 'thread')} listed"
        return Checked("ok", f"boards.{name}: {url} answers, engine {found.name}, {listing}")
    if board.timezone is None and found.read_page(page, board.options).zoneless:
        said = f"boards.{name}: its pages name no time zone: set `timezone`, else times are not checked"
        return Checked("warning", said)
    return Checked("ok", f"boards.{name}: {url} answers, engine {found.name}")
