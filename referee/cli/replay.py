"""`referee replay`: transcripts in, report out."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, fail_option, report_options, say, shape_of, start_log, status_of, stepping


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--offline", is_flag=True, help="Never fetch a roll.")
@click.option("--from", "from_post", metavar="POST", help="Replay all, report from this post on.")
@report_options
@fail_option
@every_command
@click.pass_context
def replay(
    ctx: click.Context,
    files: tuple[Path, ...],
    offline: bool,
    from_post: str | None,
    to: str | None,
    form: str | None,
    out: Path | None,
    staff: bool,
    fail_on: str,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """Replay transcript FILES (YAML or JSON, schema referee/transcript@1) and report.

    A file that can't be used gets an entry with its error; the others are audited, exit status 2.
    """
    from referee.app.config import load_config
    from referee.app.output import write_out
    from referee.app.publish import render
    from referee.app.transcribe import replay_file

    start_log(verbose, quiet)
    shape = shape_of(to, form)
    config = load_config(config_file)
    threads, unreachable = [], False
    for path in stepping(files, quiet, "replay", lambda path: path.name):
        thread, missed = replay_file(path, config, offline, from_post)
        threads.append(thread)
        unreachable = unreachable or bool(missed)
        for line in missed:
            say(f"{path}: {line}")
        if thread.error:
            say(thread.error)
    write_out(render(tuple(threads), shape, staff), out, private=staff)
    ctx.exit(status_of(threads, fail_on, unreachable))
