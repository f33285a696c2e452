"""Our own trouble: what can go wrong on the way to a thread, and the operator's list of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from referee.app.errors import ReachError
from referee.app.output import plain

if TYPE_CHECKING:
    from referee.store.incidents import Incident
    from referee.store.store import Store


class GatherError(ReachError):
    """A thread that could not be reached or read; `kind` is the incident's. Exit status 3."""

    kind = "page"


class Unreached(GatherError):
    """The board did not answer, refused, or its robots.txt forbids the page."""

    kind = "unreachable"


class OutOfOrder(Unreached):
    """The board answers with its own error page: its database is away, or it is closed for a while."""


class UnknownEngine(GatherError):
    """No forum software known here has made the page."""

    kind = "engine"


class LoginWall(GatherError):
    """The page asks for a login."""

    kind = "login"


class Challenge(GatherError):
    """The page is a bot check; it is left alone."""

    kind = "challenge"


class ThreadMissing(GatherError):
    """The board says that there is no such thread."""

    kind = "missing"


class PageChanged(GatherError):
    """The page is the board's, but no posts could be read from it."""

    kind = "page"


class PluginCrashed(GatherError):
    """A board reader or a rule system failed: our bug or the plug-in's, never a finding."""

    kind = "plugin"


#: Everything that a successful reading of a thread puts an end to.
_CURABLE = ("engine", "login", "challenge", "missing", "page", "plugin", "unreachable")


def refused(kind: str, url: str, why: str = "", *, what: str = "thread", holds: str = "posts") -> GatherError:
    """What a page means that is not `what` was asked for; `holds`: what would stand on it."""
    because = f" ({why})" if why else ""
    if kind == "login":
        return LoginWall(f"{url}: the board asks for a login")
    if kind == "challenge":
        return Challenge(f"{url}: the board shows a bot check; it is left alone")
    if kind == "down":
        return OutOfOrder(f"{url}: the board is out of order: it shows an error page{because}")
    if kind == "missing":
        return ThreadMissing(f"{url}: the board says that there is no such {what}")
    return PageChanged(f"{url}: no {holds} could be read from the page{because}")


def note_trouble(store: Store | None, board: str, subject: str, kind: str, message: str) -> None:
    """Put trouble on the operator's list (nothing without a store)."""
    if store is not None:
        store.incidents.note(kind, board, subject, message)


def close_trouble(store: Store | None, board: str, subject: str, *kinds: str) -> None:
    """Take trouble off the list: the kinds given, else all that a good reading puts an end to."""
    if store is not None:
        store.incidents.close(board, subject, *(kinds or _CURABLE))


def shut_threads(store: Store, board: str) -> dict[str, datetime]:
    """The addresses of a board that ask for a login or show no thread, with when that was last seen."""
    return {one.subject: one.last_at for one in store.incidents.all(board=board) if one.kind in ("login", "missing")}


def close_unwatched(store: Store, board: str, watched: Collection[str]) -> None:
    """Take trouble off the list that is about addresses which nobody watches any more."""
    for one in store.incidents.all(board=board):
        if one.subject.startswith(("http://", "https://")) and one.subject not in watched:
            store.incidents.close(board, one.subject)


def close_unconfigured(store: Store, boards: Collection[str]) -> None:
    """Take trouble off the list with boards that are not configured: audited once, or taken out since."""
    for one in store.incidents.all():
        if one.board not in boards:
            store.incidents.close(one.board, one.subject)


def incident_lines(store: Store, *, closed: bool = False, board: str | None = None) -> Iterator[str]:
    """The list as lines: kind, board, what it is about, how often, since when, and what happened."""
    for incident in store.incidents.all(closed=closed, board=board):
        yield _line(incident)


def _line(incident: Incident) -> str:
    """One incident on one line. Times are UTC."""
    opened, last = (f"{moment:%Y-%m-%d %H:%M}" for moment in (incident.opened_at, incident.last_at))
    times = f"{incident.count}x since {opened}, last {last}" if incident.count > 1 else f"at {opened}"
    end = f", gone {incident.closed_at:%Y-%m-%d %H:%M}" if incident.closed_at else ""
    said = f"{plain(incident.board)}  {plain(incident.subject)}  ({times}{end}): {plain(incident.message)}"
    return f"{incident.kind:<11} {said}"
