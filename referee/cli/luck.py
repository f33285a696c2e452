"""`referee luck`: how lucky the verified dice of stored threads are."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, start_log


@click.command()
@click.argument("player", required=False)
@click.option("--board", metavar="NAME", help="Only threads of this board.")
@click.option("--to", type=click.Choice(["text", "json"]), default="text", help="Form of the answer [text].")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE, not the terminal.")
@every_command
def luck(
    player: str | None,
    board: str | None,
    to: str,
    out: Path | None,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """How lucky are the verified dice of all accounts, or of PLAYER (an account or a character)?

    Only linked dice of stored threads count that a rule called for and that are as the post says. Luck is no
    verdict and is in no report: it says where a person may look.
    """
    from referee.app.config import load_config
    from referee.app.luck import as_json, as_text, luck_rows
    from referee.app.output import write_out

    start_log(verbose, quiet)
    rows = luck_rows(load_config(config_file), board, player)
    write_out(as_json(rows) if to == "json" else as_text(rows), out, private=True)
