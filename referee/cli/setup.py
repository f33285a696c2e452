"""`referee init` and `referee check`: setting up and validating an installation."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, start_log


@click.command()
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path, file_okay=False))
@click.option("--force", is_flag=True, help="Write over files that are already there.")
@every_command
def init(folder: Path, force: bool, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Write a commented referee.toml with the tables to edit, and the private sheets.toml, into DIR."""
    from referee.app.setup import write_examples

    start_log(verbose, quiet)
    written = write_examples(folder, force)
    if not quiet:
        click.echo("\n".join(f"wrote {path}" for path in written))
        click.echo("Next: edit both files, then `referee check`.")


@click.command()
@click.option("--offline", is_flag=True, help="Do not try to reach the boards.")
@every_command
@click.pass_context
def check(ctx: click.Context, offline: bool, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Validate configuration, tables and sheets, and try each watched board.

    Exit status 2 where something is wrong in a file, 3 where a board can't be reached or read.
    """
    from referee.app.config import load_config
    from referee.app.setup import check_all

    start_log(verbose, quiet)
    wrong = unreachable = False
    for checked in check_all(load_config(config_file), online=not offline):
        bad = checked.level == "error"
        unreachable = unreachable or (bad and checked.reach)
        wrong = wrong or (bad and not checked.reach)
        if checked.level != "ok" or not quiet:
            click.echo(f"{checked.level:<8} {checked.line}", err=bad)
    ctx.exit(2 if wrong else 3 if unreachable else 0)
