"""The audit of one thread: gather, verify the rolls, judge, keep the findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from referee import __version__
from referee.app import plugins
from referee.app.clocks import Doubt, doubt_of, with_notice, without_times
from referee.app.config import Config
from referee.app.judge import battle_of_thread
from referee.app.online import Target, need_ruleset
from referee.app.secrecy import public_thread
from referee.app.services import dice_services, host_of, links_of
from referee.engine.replay import judge_battle
from referee.model.battle import Battle, RollRecord, Ruling
from referee.model.report import ThreadReport
from referee.ports.boards import ThreadRead, Wish

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.network import Session
    from referee.store.store import Store

#: A record seen longer ago than this is looked at again, so that a change can be noticed.
LOOK_AGAIN = timedelta(days=7)
#: A roll that the service did not know so long ago is asked for again: services have bad days too.
DOUBT = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit gave. `trouble`: one line each for what could not be reached or read (exit 3)."""

    report: ThreadReport
    trouble: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audits:
    """What an audit of one or more threads gave, `trouble` as above."""

    reports: tuple[ThreadReport, ...]
    trouble: tuple[str, ...] = ()


def audit_thread(
    config: Config,
    target: Target,
    session: Session,
    store: Store,
    *,
    fresh: bool = False,
    on_page: Callable[[int, str], object] = lambda count, address: None,
) -> Audited:
    """Fetch one thread, verify its rolls, replay it and keep its findings.

    Raises GatherError where nothing of the thread can be had, UsageError for a missing ruleset.
    """
    from referee.app.gather import BoardChoice, GatherOptions, gather
    from referee.app.incidents import close_unwatched

    need_ruleset(target)
    board = target.board
    choice = BoardChoice(target.name, board.engine, board.options)
    options = GatherOptions(whole=True, fresh=fresh, on_page=on_page)
    if not target.configured:
        # No pass comes by here again, so what an earlier audit met at this host ends with the next one.
        close_unwatched(store, target.name, {target.url})
    gathered = gather(target.url, choice, session, plugins.boards(), store, options)
    if gathered.trouble is not None and not gathered.read.posts:
        raise gathered.trouble
    trouble = (str(gathered.trouble),) if gathered.trouble is not None else _gaps(gathered.read)
    judged = judge_stored(config, target, gathered.read, gathered.thread, session, store, fresh=fresh)
    return replace(judged, trouble=(*trouble, *judged.trouble))


def _gaps(read: ThreadRead) -> tuple[str, ...]:
    """What says that not all of a thread was read, each on a line of its own."""
    if read.complete:
        return ()
    return tuple(f"{read.url}: not all of the thread was read: {line}" for line in read.problems[:5])


def judge_stored(
    config: Config,
    target: Target,
    read: ThreadRead,
    thread: int | None,
    session: Session | None,
    store: Store,
    *,
    fresh: bool = False,
) -> Audited:
    """Verify the rolls of a stored thread (without a session: from what is stored), judge it, keep it."""
    ruleset = plugins.ruleset(need_ruleset(target))
    rulings = tuple(row.ruling for row in store.decisions.rulings(thread)) if thread is not None else ()
    doubt = doubt_of(read, target.name, target.board)
    battle = battle_of(config, target, read, doubt, rulings)
    links = known_links(config, links_of(battle))
    trouble = _verify(config, links, thread, session, store, fresh) if session is not None else ()
    battle = replace(battle, rolls=records_of(config, links_of(battle), store.rolls.all(links)))
    report = with_notice(judge_battle(battle, ruleset), battle, doubt)
    settings = config.boards.get(target.name)
    if thread is not None and (settings is None or settings.ruleset in (None, target.board.ruleset)):
        # By other rules than its board's, once, a thread has other findings: those of its board stay.
        report = _kept(report, thread, store)
    return Audited(report, trouble)


def battle_of(
    config: Config, target: Target, read: ThreadRead, doubt: Doubt | None, rulings: tuple[Ruling, ...] = ()
) -> Battle:
    """The battle of a thread by its board's settings, one-off ones included; nothing is known of its rolls yet."""
    own = replace(config, boards={**config.boards, target.name: target.board})
    ruleset = plugins.ruleset(need_ruleset(target))
    return battle_of_thread(without_times(read, doubt), ruleset, own, target.name, {}, rulings)


def known_links(config: Config, links: tuple[str, ...]) -> tuple[str, ...]:
    """The links that a configured dice service calls its own; no other address is ever asked."""
    services = dice_services(config)
    return tuple(link for link in links if any(service.matches(link) for service in services))


def records_of(config: Config, links: tuple[str, ...], known: Mapping[str, RollRecord]) -> dict[str, RollRecord]:
    """The record of each link to a dice service; without an answer it counts as unreachable, not as missing."""
    from referee.app.verify import joined

    services = dice_services(config)
    hosts = {host for service in services for host in service.hosts}
    asked = [link for link in links if link in known or host_of(link) in hosts]
    return joined({link: known.get(link) or RollRecord(link, status="unreachable") for link in asked}, services)


def _verify(
    config: Config, links: tuple[str, ...], thread: int | None, session: Session, store: Store, fresh: bool
) -> tuple[str, ...]:
    """Ask the dice services for what is not known yet, did not answer, or was seen long ago."""
    from referee.app.verify import verify
    from referee.store.archive import Reader

    known = store.rolls.all(links)
    pending = set(store.rolls.pending(thread)) if thread is not None else set()
    now = datetime.now(UTC)
    pending |= {link for link, record in known.items() if record.status == "missing" and _old(store, link, now - DOUBT)}
    wanted = [link for link in links if fresh or link not in known or link in pending]
    wanted += [link for link in links if link not in wanted and _old(store, link, now - LOOK_AGAIN)]
    if thread is not None:
        store.rolls.use(thread, [link for link in links if link in known])
    if not wanted:
        return ()
    verified = verify(wanted, dice_services(config), session, {})
    reader = Reader("dice", __version__)
    kept = {link: store.archive.keep(Wish(link), page, reader) for link, page in verified.pages}
    for link, record in verified.rolls.items():
        store.rolls.keep(record, thread=thread, page=kept.get(link))
    return verified.problems


def _old(store: Store, link: str, limit: datetime) -> bool:
    seen = store.rolls.last_seen(link)
    return seen is not None and seen < limit


def _kept(report: ThreadReport, thread: int, store: Store) -> ThreadReport:
    """Keep an audit's findings; give the report with staff's decisions on them."""
    from referee.store.findings import FindingRow

    shown = public_thread(report)
    rows = [
        FindingRow(f.fingerprint, f.facts, f.code, f.severity, f.post, f.character, {"message": f.message})
        for f in shown.findings
    ]
    store.findings.replace(thread, rows)
    decided = {row.fingerprint: row.disposition for row in store.findings.all(thread)}
    findings = tuple(replace(f, disposition=decided.get(f.fingerprint, "open")) for f in report.findings)
    return replace(report, findings=findings)


def stamp_of(config: Config, board: str, ruleset: str | None) -> tuple[str, ...]:
    """What judgements of a board rest on besides the store; a change has its threads judged again."""
    from referee.app.sheets import board_sheets

    settings = config.boards[board]
    version = plugins.ruleset(ruleset).version if ruleset else ""
    sheets = repr(board_sheets(config, board))
    tables = repr(sorted(config.tables.get(ruleset or "", {}).items()))
    return (__version__, ruleset or "", version, repr(settings), tables, sheets)
