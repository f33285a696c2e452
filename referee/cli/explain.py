"""`referee explain`: what a finding code or a rule means."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, start_log


@click.command()
@click.argument("code", required=False)
@click.option("--list", "show_all", is_flag=True, help="List everything that can be explained.")
@every_command
def explain(code: str | None, show_all: bool, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Explain CODE: a finding code (dice/reused) or a rule id (S11, d20_arena/A9)."""
    from referee.app.explain import all_words
    from referee.app.explain import explain as explained

    start_log(verbose, quiet)
    if show_all or code is None:
        click.echo("\n".join(all_words()))
        return
    click.echo(explained(code), nl=False)
