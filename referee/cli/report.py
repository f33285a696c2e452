"""`referee report` and `referee incidents`: what is stored, for staff and for the operator."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from referee.cli.common import STORED_FORMS, every_command, shape_of, start_log, stored_report_options


@click.command()
@click.option("--since", metavar="DATE|last", help="Only findings that are new or changed since then.")
@click.option("--board", metavar="NAME", help="Only this board.")
@click.option("--thread", metavar="URL", help="Only this thread (any page of it, or a post).")
@click.option("--player", metavar="NAME", help="Only findings about this account or character.")
@stored_report_options
@every_command
def report(
    since: str | None,
    board: str | None,
    thread: str | None,
    player: str | None,
    to: str | None,
    form: str | None,
    out: Path | None,
    staff: bool,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """Staff reports from what is stored; nothing is fetched.

    `--since last`: what is new since the last report of everything that was written with `--since`. New is
    also a finding whose numbers have changed, and one that is back.
    """
    from referee.app.config import load_config
    from referee.app.news import news_of
    from referee.app.output import write_out
    from referee.app.publish import render
    from referee.app.stored import Choice, mark_reported, stored_reports

    start_log(verbose, quiet)
    shape = shape_of(to, form)
    begun = datetime.now(UTC)
    config = load_config(config_file)
    choice = Choice(since=since, board=board, thread=thread, player=player)
    reports = stored_reports(config, choice)
    news = news_of(config, reports, begun) if shape in STORED_FORMS else None
    write_out(render(reports, shape, staff, news), out, private=staff)
    if since is not None and choice.whole:
        mark_reported(config, begun)


@click.command()
@click.option("--board", metavar="NAME", help="Only this board.")
@click.option("--all", "closed", is_flag=True, help="Also what is over.")
@every_command
def incidents(board: str | None, closed: bool, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """The operator's list: boards down, pages changed, rolls out of reach."""
    from referee.app.config import load_config, need_board
    from referee.app.incidents import incident_lines
    from referee.app.paths import paths_of
    from referee.store import open_store

    start_log(verbose, quiet)
    config = load_config(config_file)
    with open_store(paths_of(config).database) as store:
        # Hosts that are no configured boards have incidents too, after `audit`.
        if board is not None and not store.incidents.all(closed=True, board=board):
            need_board(config.boards, board)
        lines = list(incident_lines(store, closed=closed, board=board))
    click.echo("\n".join(lines) if lines else "no incidents")
