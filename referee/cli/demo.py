"""`referee demo`: the main job on the built-in sample board."""

from __future__ import annotations

import logging
from pathlib import Path

import click

from referee.cli.common import every_command, start_log

log = logging.getLogger("referee")


@click.command()
@click.option(
    "--out",
    "folder",
    default="referee-demo",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for report and configuration.",
)
@click.option("--staff", is_flag=True, help="Include secret totals in the report.")
@every_command
def demo(folder: Path, staff: bool, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Scrape the built-in sample board on loopback, verify its rolls, replay its battles, report.

    Needs no configuration and no network, and ends by itself. The folder holds the report, and the
    configuration that was used, to look at.
    """
    from referee.app.publish import render
    from referee.demo.run import run_demo

    start_log(verbose, quiet)
    _own_folder(folder)

    def tell(kind: str, line: str) -> None:
        if kind in ("step", "findings", "trouble") and not quiet:
            click.echo(line)
        else:
            log.info("%s", line)

    shown = run_demo(folder, staff, tell)
    if not quiet:
        click.echo()
        click.echo(render(shown.threads, "text", staff).rstrip())
        click.echo()
    click.echo(f"Report: {shown.report.resolve()}")
    click.echo(f"Configuration that was used: {shown.config.resolve()}")


def _own_folder(folder: Path) -> None:
    """Refuse a folder that holds anything but an earlier demonstration, which is written over."""
    from referee.app.errors import UsageError

    config = folder / "referee.toml"
    there = [name for name in ("referee.toml", "sheets.toml", "var") if (folder / name).exists()]
    ours = config.is_file() and config.read_bytes().startswith(b'contact = "demo@example.org"')
    if there and not ours:
        raise UsageError(f"--out: {folder / there[0]} is not the demonstration's; choose another folder")
