"""The command line: one module a group of commands, loaded only when its command is called."""

from __future__ import annotations

from importlib import import_module
from typing import cast

import click

from referee import __version__

#: Command -> (module, one line of help); the modules are imported when a command runs.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "Run the main job on the built-in sample board and write its report."),
    "init": ("setup", "Write a commented configuration and a private sheet file."),
    "audit": ("audit", "Fetch one thread, verify its rolls, replay it, report."),
    "replay": ("replay", "Replay transcripts: pasted text, archives, tests."),
    "read": ("read", "Read posts without an audit, as JSON Lines."),
    "run": ("schedule", "One pass over all watched boards: what cron calls."),
    "watch": ("schedule", "Watch all boards on the configured schedule until stopped."),
    "report": ("report", "Staff reports from what is stored."),
    "ruling": ("ruling", "Staff rulings, and decisions on findings."),
    "luck": ("luck", "How lucky verified dice are: where a person may look, no verdict."),
    "explain": ("explain", "Explain a finding code or a rule."),
    "check": ("setup", "Validate configuration, tables and sheets; try the boards."),
    "incidents": ("report", "The operator's list: boards down, pages changed."),
    "prune": ("prune", "Take old pages out of the archive that nothing rests on."),
    "new": ("new", "Write the skeleton of a plug-in with its tests."),
}


class _Lazy(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"referee.cli.{COMMANDS[cmd_name][0]}")
        return cast(click.Command, getattr(module, cmd_name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="referee")
def referee() -> None:
    """Replay play-by-post battles and show where HP, damage or dice do not add up.

    Exit status: 0 nothing to report; 1 findings at or above --fail-on; 2 wrong usage, configuration
    or input file; 3 a board or roll could not be reached or read.
    """
