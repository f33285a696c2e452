"""What several commands share: options, progress, log lines, exit status."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.app.output import plain

if TYPE_CHECKING:
    from referee.model.report import ThreadReport

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

FORMS = ("text", "html", "md", "bbcode", "json", "csv")
#: Forms that tell when findings were made: only of what is stored.
STORED_FORMS = ("atom",)
FAIL_ON = ("error", "warning", "notice", "never")


def every_command(function: F) -> F:
    """The options that every command has: --config, -v, --quiet."""
    for option in (
        click.option("--quiet", is_flag=True, help="Say only what went wrong."),
        click.option("-v", "--verbose", count=True, help="Say more; twice for every request."),
        click.option("--config", "config_file", type=click.Path(path_type=Path), help="Configuration [referee.toml]."),
    ):
        function = option(function)
    return function


def report_options(function: F) -> F:
    """The options of commands that write a report."""
    return _report_options(function, FORMS)


def stored_report_options(function: F) -> F:
    """The same for reports of what is stored."""
    return _report_options(function, (*FORMS, *STORED_FORMS))


def _report_options(function: F, forms: tuple[str, ...]) -> F:
    for option in (
        click.option("--staff", is_flag=True, help="Include secret totals (for staff only)."),
        click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE, not the terminal."),
        click.option("--format", "form", type=click.Choice(["text", "json"]), help="The same as --to."),
        click.option("--to", type=click.Choice(forms), help="Form of the report [text]."),
    ):
        function = option(function)
    return function


def shape_of(to: str | None, form: str | None) -> str:
    """The form of a report: --to and --format are the same option, `text` without either."""
    if to and form and to != form:
        raise click.UsageError(f"--to {to}, --format {form}: only one of the two")
    return to or form or "text"


def fail_option(function: F) -> F:
    """Which findings make the exit status 1."""
    return click.option(
        "--fail-on", type=click.Choice(FAIL_ON), default="error", show_default=True, help="Exit 1 from here on."
    )(function)


def saved_options(function: F) -> F:
    """The options of commands that take saved pages."""
    for option in (
        click.option(
            "--engine", metavar="NAME", help="Of saved pages: the forum software, where it is not recognised."
        ),
        click.option(
            *("--fetched", "fetched"),
            metavar="TIME",
            callback=lambda ctx, param, value: _time(value),
            help="When the saved pages were captured (ISO), for relative dates.",
        ),
        click.option(
            *("--url", "urls"),
            multiple=True,
            help="Where a saved page was served from: once, or once a file in order.",
        ),
    ):
        function = option(function)
    return function


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no time such as 2026-11-30T02:10:04Z", param_hint="--fetched") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def start_log(verbose: int, quiet: bool) -> None:
    """Plain log lines on stderr: warnings, with -v what is done, with -vv every request."""
    level = logging.ERROR if quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Plain("referee: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # How the database's tool goes about its work is no news of boards.
    logging.getLogger("alembic").setLevel(logging.WARNING if verbose < 2 else logging.NOTSET)


class _Plain(logging.Formatter):
    """Log lines that no terminal obeys."""

    def format(self, record: logging.LogRecord) -> str:
        return plain(super().format(record))


def say(line: str) -> None:
    """One line of trouble on stderr."""
    click.echo(f"referee: {plain(line)}", err=True)


def status_of(threads: Iterable[ThreadReport], fail_on: str, unreachable: bool) -> int:
    """The exit status: the first of 2, 3, 1, 0 that applies (contract)."""
    threads = tuple(threads)
    if any(thread.error for thread in threads):
        return 2
    if unreachable:
        return 3
    if fail_on == "never":
        return 0
    failing = FAIL_ON[: FAIL_ON.index(fail_on) + 1]
    standing = (finding for thread in threads for finding in thread.findings if not finding.set_aside)
    return int(any(finding.severity in failing for finding in standing))


@contextmanager
def progress(
    quiet: bool, label: str, total: int | None = None, *, logged: bool = False
) -> Iterator[Callable[[str], None]]:
    """A progress bar on a terminal, nothing or plain log lines elsewhere; yields `step(words)`.

    `logged`: the caller writes the steps to the log by itself.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda words: None if logged else logging.getLogger("referee").info("%s: %s", label, words)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(label, total=total)

        def step(words: str) -> None:
            bars.update(task, advance=1, description=f"{label}: {plain(words[:60])}")

        yield step


def stepping(items: Sequence[T], quiet: bool, label: str, name: Callable[[T], str]) -> Iterator[T]:
    """Go through items with a progress bar."""
    with progress(quiet or len(items) < 2, label, len(items)) as step:
        for item in items:
            yield item
            step(name(item))
