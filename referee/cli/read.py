"""`referee read`: posts as JSON Lines, without an audit."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from referee.cli.common import every_command, saved_options, say, start_log


@click.command()
@click.argument("targets", nargs=-1, required=True)
@click.option("--board", metavar="NAME", help="Read as pages of this configured board.")
@saved_options
@click.option("--allow-private", is_flag=True, help="A host may be a private or loopback address.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE, not the terminal.")
@every_command
@click.pass_context
def read(
    ctx: click.Context,
    targets: tuple[str, ...],
    urls: tuple[str, ...],
    fetched: datetime | None,
    board: str | None,
    engine: str | None,
    allow_private: bool,
    out: Path | None,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """Read TARGETS - thread addresses, saved pages, WARC files - and print their posts.

    JSON Lines, schema referee/posts@1: one line a thread, then one line a post in thread order.
    """
    from referee.app.config import load_config
    from referee.app.output import write_out
    from referee.app.reading import Request, read_targets

    start_log(verbose, quiet)
    request = Request(targets, urls, fetched, board, engine, allow_private)
    text, problems = read_targets(request, load_config(config_file))
    for line in problems:
        say(line)
    write_out(text, out)
    ctx.exit(3 if problems else 0)
