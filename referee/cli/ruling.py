"""`referee ruling`: staff rulings on stored threads, and decisions on findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from referee.cli.common import every_command, start_log

#: Command -> (disposition, what it says).
DECISIONS = {
    "confirm": ("confirmed", "Say that findings are right: the post is to be put right."),
    "dismiss": ("dismissed", "Say that findings are none: misread, or not worth a word."),
    "overrule": ("overruled", "Say that the posts stand in spite of the rule."),
    "reopen": ("open", "Take the decision on findings back."),
}


@click.group()
@every_command
@click.pass_context
def ruling(ctx: click.Context, config_file: Path | None, verbose: int, quiet: bool) -> None:
    """Staff rulings on stored threads, and decisions on findings.

    A ruling enters the replay at its place: a bonus, a pool set to a number, a void roll, a rule
    suspended, a fate. A decision leaves the replay as it is and says what staff think of a finding; it
    is open again when the finding's numbers change. Nothing is ever taken out of the list.
    """
    # The common options may stand before the command of the group as well as after it.
    given = {"config_file": config_file, "verbose": verbose, "quiet": quiet}
    ctx.default_map = dict.fromkeys(ruling.commands, given)


def _signed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Who decided and why."""
    for option in (
        click.option("--reason", metavar="TEXT", help="Why."),
        click.option("--by", metavar="NAME", help="Who decided."),
    ):
        function = option(function)
    return function


@ruling.command("list")
@click.option("--thread", metavar="URL", help="Only this thread (any page of it, or a post).")
@click.option("--all", "withdrawn", is_flag=True, help="Also withdrawn rulings and earlier decisions.")
@click.option("--staff", is_flag=True, help="Show the totals that rulings set (for staff only).")
@every_command
def list_them(
    thread: str | None, withdrawn: bool, staff: bool, config_file: Path | None, verbose: int, quiet: bool
) -> None:
    """List rulings in force and the last decision on each finding."""
    from referee.app.config import load_config
    from referee.app.paths import paths_of
    from referee.app.rulings import decision_lines
    from referee.store import open_store

    start_log(verbose, quiet)
    with open_store(paths_of(load_config(config_file)).database) as store:
        lines = list(decision_lines(store, thread, withdrawn=withdrawn, staff=staff))
    click.echo("\n".join(lines) if lines else "no rulings and no decisions")


@ruling.command()
@click.argument("url")
@click.option("--post", required=True, metavar="ID", help="The post at which the ruling begins to count.")
@click.option("--until", metavar="ID", help="The last post for which it counts [that one post].")
@click.option("--character", metavar="NAME", help="Whom it concerns [everybody].")
@click.option("--effect", "effects", multiple=True, required=True, metavar="NAME=VALUE", help="What it does.")
@_signed
@every_command
def add(
    url: str,
    post: str,
    until: str | None,
    character: str | None,
    effects: tuple[str, ...],
    by: str | None,
    reason: str | None,
    config_file: Path | None,
    verbose: int,
    quiet: bool,
) -> None:
    """Add a ruling on the thread at URL; the next run or report replays the thread with it.

    URL may be that of any page of the thread, or of a post in it.

    Effects: hit_chance=N, bonus_damage=N, set.POOL=N (a total), void_roll=LINK, suspend=RULE,
    fate=alive|unconscious|dead. One that changes nothing is reported as post/ruling-idle.
    """
    from referee.app.config import load_config
    from referee.app.paths import paths_of
    from referee.app.rulings import add_ruling, effect_of
    from referee.model.battle import Ruling
    from referee.store import open_store

    start_log(verbose, quiet)
    config = load_config(config_file)
    given = Ruling(post, effect_of(effects), character, until, by, reason)
    with open_store(paths_of(config).database) as store:
        number = add_ruling(config, store, url, given)
    click.echo(f"ruling {number}")


@ruling.command()
@click.argument("number", type=int)
@_signed
@every_command
def withdraw(
    number: int, by: str | None, reason: str | None, config_file: Path | None, verbose: int, quiet: bool
) -> None:
    """Withdraw the ruling with this NUMBER; it stays in the list."""
    from referee.app.config import load_config
    from referee.app.paths import paths_of
    from referee.app.rulings import withdraw_ruling
    from referee.store import open_store

    start_log(verbose, quiet)
    with open_store(paths_of(load_config(config_file)).database) as store:
        withdraw_ruling(store, number, by, reason)
    click.echo(f"ruling {number} is withdrawn")


def _decision(name: str, disposition: str, words: str) -> None:
    """Make the command for one decision."""

    @ruling.command(name, help=f"{words}\n\nFINDING: the id that reports show, or its first signs.")
    @click.argument("finding", nargs=-1, required=True)
    @_signed
    @every_command
    def command(
        finding: tuple[str, ...],
        by: str | None,
        reason: str | None,
        config_file: Path | None,
        verbose: int,
        quiet: bool,
    ) -> None:
        from referee.app.config import load_config
        from referee.app.paths import paths_of
        from referee.app.rulings import decide
        from referee.store import open_store

        start_log(verbose, quiet)
        with open_store(paths_of(load_config(config_file)).database) as store:
            for one in finding:
                found = decide(store, one, disposition, by, reason)
                click.echo(f"{found.fingerprint} {found.code} at post {found.post}: {disposition}")


for _name, (_disposition, _words) in DECISIONS.items():
    _decision(_name, _disposition, _words)
