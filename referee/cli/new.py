"""`referee new`: the skeleton of a plug-in."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, start_log


@click.command()
@click.argument("kind", type=click.Choice(["ruleset", "board", "dice"]))
@click.argument("name")
@click.option("--in", "folder", default=".", type=click.Path(path_type=Path, file_okay=False), help="Where to [.].")
@every_command
def new(kind: str, name: str, folder: Path, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Write a working plug-in NAME of the given KIND, with its tests, into a folder of its own."""
    from referee.app.skeleton import write_skeleton

    start_log(verbose, quiet)
    written = write_skeleton(kind, name, folder)
    if not quiet:
        click.echo("\n".join(f"wrote {path}" for path in written))
        click.echo(f"Next: pip install -e {folder / name}, then pytest {folder / name}")
