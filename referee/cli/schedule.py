"""`referee run` and `referee watch`: the scheduled main job."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from pathlib import Path

import click

from referee.cli.common import every_command, progress, say, start_log

log = logging.getLogger("referee")


@click.command()
@click.option("--board", metavar="NAME", help="Only this board.")
@click.option("--fresh", is_flag=True, help="Read everything now, whatever is due.")
@every_command
@click.pass_context
def run(
    ctx: click.Context, board: str | None, fresh: bool, config_file: Path | None, verbose: int, quiet: bool
) -> None:
    """One pass over all watched boards: what cron calls.

    A second pass at the same time leaves with a line and status 0. Status 3: a board or roll could
    not be reached or read; the rest was done and stored.
    """
    from referee.app.config import load_config
    from referee.app.passes import one_pass

    gc.enable()
    start_log(verbose, quiet)
    with progress(quiet, "run", logged=True) as step:
        result = one_pass(load_config(config_file), _teller(step, quiet), only=board, fresh=fresh)
    ctx.exit(result.status)


@click.command()
@every_command
def watch(config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Watch all boards on the configured schedule (`schedule` or `every`) until stopped.

    SIGTERM and Ctrl-C end it cleanly after the current page.
    """
    from referee.app.config import load_config
    from referee.app.passes import need_watched, one_pass
    from referee.app.schedule import watch as resident
    from referee.app.sections import refuse_wrong_sections

    gc.enable()
    start_log(verbose, quiet)
    config = load_config(config_file)
    refuse_wrong_sections(config)
    need_watched(config)
    tell = _teller(lambda words: None, quiet)

    def cycle(stop: Callable[[], bool]) -> object:
        return one_pass(config, tell, stop=stop)

    resident(config, cycle, lambda line: say(line), jitter=config.jitter)


def _teller(step: Callable[[str], None], quiet: bool) -> Callable[[str, str], None]:
    """Says what a pass does: trouble and results always, the rest with -v or on the progress bar."""

    def tell(kind: str, line: str) -> None:
        step(line)
        if kind in ("trouble", "busy") or (kind in ("done", "findings") and not quiet):
            say(line)
        else:
            log.info("%s", line)

    return tell
