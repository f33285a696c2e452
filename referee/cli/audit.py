"""`referee audit`: the manual re-audit of one thread."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, fail_option, progress, report_options, say, start_log, status_of


@click.command()
@click.argument("url")
@click.option("--ruleset", metavar="NAME", help="Rules of a host that is no configured board.")
@click.option("--board", metavar="NAME", help="Judge as a thread of this configured board.")
@click.option("--since", "--from", "from_post", metavar="POST", help="Replay all, report from this post on.")
@click.option("--fresh", is_flag=True, help="Ignore every cached page and roll.")
@click.option("--allow-private", is_flag=True, help="The host may be a private or loopback address.")
@report_options
@fail_option
@every_command
@click.pass_context
def audit(
    ctx: click.Context,
    url: str,
    ruleset: str | None,
    board: str | None,
    from_post: str | None,
    fresh: bool,
    allow_private: bool,
    to: str | None,
    form: str | None,
    out: Path | None,
    staff: bool,
    fail_on: str,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """Fetch the thread at URL, verify its rolls, replay it and report.

    What was stored of a thread stays when it can't be reached; the exit status is 3 then.
    """
    from referee.app.audit import audit_thread
    from referee.app.config import load_config
    from referee.app.judge import reported_from
    from referee.app.online import need_ruleset, session_for, target_of
    from referee.app.output import write_out
    from referee.app.paths import paths_of
    from referee.app.publish import render
    from referee.app.sections import refuse_wrong_sections
    from referee.app.sheets import unusable
    from referee.store import open_store

    start_log(verbose, quiet)
    config = load_config(config_file)
    target = target_of(config, url, board=board, ruleset=ruleset, allow_private=allow_private)
    need_ruleset(target)
    if target.configured:
        refuse_wrong_sections(config, target.name)
    for line in unusable(config):
        say(line)
    with open_store(paths_of(config).database) as store, progress(quiet, "audit") as step:
        session = session_for(config, store.memory, target)
        done = audit_thread(config, target, session, store, fresh=fresh, on_page=lambda count, page: step(page))
    for line in done.trouble:
        say(line)
    report = reported_from(done.report, from_post)
    write_out(render((report,), to or form or "text", staff), out, private=staff)
    ctx.exit(status_of((report,), fail_on, bool(done.trouble)))
