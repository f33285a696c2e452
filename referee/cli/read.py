"""`referee read`: posts as JSON Lines, without an audit."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from referee.cli.common import every_command, say, start_log


@click.command()
@click.argument("targets", nargs=-1, required=True)
@click.option("--url", "urls", multiple=True, help="Where a saved page was served from: once, or once a file in order.")
@click.option("--fetched", metavar="TIME", help="When the saved pages were captured (ISO), for relative dates.")
@click.option("--board", metavar="NAME", help="Read as pages of this configured board.")
@click.option("--engine", metavar="NAME", help="The forum software, where it is not recognised.")
@click.option("--allow-private", is_flag=True, help="A host may be a private or loopback address.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE, not the terminal.")
@every_command
@click.pass_context
def read(
    ctx: click.Context,
    targets: tuple[str, ...],
    urls: tuple[str, ...],
    fetched: str | None,
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
    request = Request(targets, urls, _time(fetched), board, engine, allow_private)
    text, problems = read_targets(request, load_config(config_file))
    for line in problems:
        say(line)
    write_out(text, out)
    ctx.exit(3 if problems else 0)


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no time such as 2026-11-30T02:10:04Z", param_hint="--fetched") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
