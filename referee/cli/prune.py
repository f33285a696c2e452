"""`referee prune`: takes old pages out of the archive that nothing rests on."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.common import every_command, start_log


@click.command()
@click.option("--older-than", "age", metavar="TIME", help="Such as '400 days', '18 months' [keep_pages].")
@click.option("--dry-run", is_flag=True, help="Only say what would be pruned.")
@click.option("--compact", is_flag=True, help="Then give the room back to the disk (SQLite; needs it free once more).")
@every_command
def prune(age: str | None, dry_run: bool, compact: bool, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Take old raw pages out of the archive.

    Nothing that a finding, a revision, a roll's record or a ruling rests on is ever pruned, nor the newest page
    of each address; posts and their old revisions stay whole. Without `keep_pages` in referee.toml and without
    --older-than everything is kept.
    """
    from referee.app.config import load_config
    from referee.app.errors import UsageError
    from referee.app.paths import paths_of
    from referee.app.retention import kept_for, prunable_pages, prune_pages, pruned_line
    from referee.store import open_store

    start_log(verbose, quiet)
    config = load_config(config_file)
    given = age or config.keep_pages
    if given is None:
        raise UsageError("keep_pages is not set, so every page is kept; set it in referee.toml or give --older-than")
    try:
        keep = kept_for(given)
    except ValueError as error:
        raise UsageError(f"--older-than: {error}") from None
    with open_store(paths_of(config).database) as store:
        done = prunable_pages(store, keep) if dry_run else prune_pages(store, keep)
        if compact and not dry_run:
            store.archive.compact()
    if not quiet:
        click.echo(pruned_line(done, would=dry_run))
