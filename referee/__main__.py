"""`python -m referee` and the `referee` command: one clear line for every error, never a traceback."""

from __future__ import annotations

import gc
import os
import sys


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status (contract: 0, 1, 2 or 3)."""
    # Commands end soon and make few cycles; the residents switch the collector on again.
    gc.disable()
    from referee.cli import referee

    try:
        status = referee.main(args=arguments, prog_name="referee", standalone_mode=False)
    except Exception as error:
        status = _failed(error)
    sys.exit(status if isinstance(status, int) else 0)


def _failed(error: Exception) -> int:
    """Say in one line what went wrong; the exit status."""
    import click

    from referee.app.errors import RefereeError

    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.Abort):
        return _said("stopped", 130)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        print(error.format_message(), file=sys.stderr)  # noqa: T201 - the help, as it is laid out
        return 2
    if isinstance(error, click.ClickException):
        return _said(error.format_message(), 2)
    if isinstance(error, RefereeError):
        return _said(str(error), error.status)
    if _is_store_error(error):
        return _said(str(error), 2)
    if isinstance(error, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, OSError) and not os.environ.get("REFEREE_DEBUG"):
        # A file or folder that can't be read or written: the operator's matter, no fault of ours.
        place = f"{error.filename}: " if error.filename is not None else ""
        return _said(f"{place}{error.strerror or error}", 2)
    if os.environ.get("REFEREE_DEBUG"):
        raise error
    words = " ".join(str(error).split())[:300]
    return _said(f"{type(error).__name__}: {words} (a fault of referee itself; REFEREE_DEBUG=1 shows where)", 3)


def _is_store_error(error: Exception) -> bool:
    """Whether the database can't be opened, read or written. Without the store loaded it can't be that."""
    store = sys.modules.get("referee.store.errors")
    return store is not None and isinstance(error, store.StoreError)


def _said(line: str, status: int) -> int:
    from referee.app.output import plain

    print(f"referee: {plain(line)}", file=sys.stderr)  # noqa: T201 - the one place where errors are said
    return status


if __name__ == "__main__":
    main()
