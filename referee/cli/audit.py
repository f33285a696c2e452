"""`referee audit`: the manual re-audit of one thread."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.common import (
    every_command,
    fail_option,
    progress,
    report_options,
    saved_options,
    say,
    shape_of,
    start_log,
    status_of,
)

if TYPE_CHECKING:
    from referee.app.audit import Audits
    from referee.app.config import Config


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="URL | FILE...")
@click.option("--ruleset", metavar="NAME", help="Rules of a host that is no configured board.")
@click.option("--board", metavar="NAME", help="Judge as a thread of this configured board.")
@click.option("--since", "--from", "from_post", metavar="POST", help="Replay all, report from this post on.")
@click.option("--fresh", is_flag=True, help="Ignore every cached page and roll.")
@click.option("--allow-private", is_flag=True, help="The host may be a private or loopback address.")
@saved_options
@click.option("--offline", is_flag=True, help="Of saved pages: fetch no roll.")
@report_options
@fail_option
@every_command
@click.pass_context
def audit(
    ctx: click.Context,
    targets: tuple[str, ...],
    ruleset: str | None,
    board: str | None,
    from_post: str | None,
    fresh: bool,
    allow_private: bool,
    urls: tuple[str, ...],
    fetched: datetime | None,
    engine: str | None,
    offline: bool,
    to: str | None,
    form: str | None,
    out: Path | None,
    staff: bool,
    fail_on: str,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """Fetch the thread at URL - or take its saved pages - verify its rolls, replay it and report.

    What was stored of a thread stays when it can't be reached; the exit status is 3 then. Saved pages (HTML, MHTML,
    Safari's web archives) and WARC FILES are for threads that only a person can see: the board is not asked,
    nothing is stored.
    """
    from referee.app.config import load_config
    from referee.app.judge import reported_from
    from referee.app.output import write_out
    from referee.app.publish import render
    from referee.app.reading import Request, is_address
    from referee.app.sheets import unusable

    start_log(verbose, quiet)
    shape = shape_of(to, form)
    config = load_config(config_file)
    if any(map(is_address, targets)):
        if len(targets) > 1:
            raise click.UsageError("one address at a time; saved pages go without one (--url says where they are from)")
        for name, given in (("--url", urls), ("--fetched", fetched), ("--engine", engine), ("--offline", offline)):
            if given:
                raise click.UsageError(f"{name}: only of saved pages, not of an address")
        work = _live(config, targets[0], board, ruleset, fresh=fresh, allow_private=allow_private, quiet=quiet)
    else:
        if fresh:
            raise click.UsageError("--fresh: saved pages are taken as they are; it is for addresses")
        from referee.app.audit_saved import audit_saved

        request = Request(targets, urls, fetched, board, engine)
        work = audit_saved(config, request, ruleset, offline=offline)
    for line in (*unusable(config), *work.trouble):
        say(line)
    reports = tuple(reported_from(report, from_post) for report in work.reports)
    write_out(render(reports, shape, staff), out, private=staff)
    ctx.exit(status_of(reports, fail_on, bool(work.trouble)))


def _live(
    config: Config,
    url: str,
    board: str | None,
    ruleset: str | None,
    *,
    fresh: bool,
    allow_private: bool,
    quiet: bool,
) -> Audits:
    """The audit of a thread on its board; what was read is stored."""
    from referee.app.audit import Audits, audit_thread
    from referee.app.online import need_ruleset, session_for, target_of
    from referee.app.paths import paths_of
    from referee.app.sections import refuse_wrong_sections
    from referee.store import open_store

    def stored() -> tuple[str, ...]:
        with open_store(paths_of(config).database) as store:
            return tuple(name for name in config.boards if store.threads.find(name, url) is not None)

    target = target_of(config, url, board=board, ruleset=ruleset, allow_private=allow_private, stored=stored)
    need_ruleset(target)
    if target.configured:
        refuse_wrong_sections(config, target.name)
    with open_store(paths_of(config).database) as store, progress(quiet, "audit") as step:
        session = session_for(config, store.memory, target)
        done = audit_thread(config, target, session, store, fresh=fresh, on_page=lambda count, page: step(page))
    return Audits((done.report,), done.trouble)
