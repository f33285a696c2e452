"""Use case `replay`: one transcript file to a thread report, fetching missing rolls where allowed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from referee.app import plugins
from referee.app.config import Config
from referee.app.errors import InputError, RefereeError
from referee.app.judge import dice_hosts, reported_from
from referee.app.services import dice_services, links_of
from referee.app.transcripts import load_transcript
from referee.engine.replay import judge_battle
from referee.model.battle import Battle
from referee.model.report import ThreadReport


def replay_file(
    path: Path, config: Config, offline: bool, from_post: str | None = None
) -> tuple[ThreadReport, tuple[str, ...]]:
    """The report of a transcript, and one line for each reason why a roll could not be reached.

    A file that can't be used gives a report that holds nothing but its error.
    """
    try:
        battle = load_transcript(path, dict.fromkeys(plugins.names("rulesets")), dice_hosts(config))
        battle = replace(battle, overrides={**config.tables.get(battle.ruleset, {}), **battle.overrides})
        unreachable: tuple[str, ...] = ()
        if not offline:
            battle, unreachable = _with_rolls(battle, config)
        return reported_from(_judged(path, battle), from_post), unreachable
    except RefereeError as error:
        return ThreadReport(file=str(path), error=str(error)), ()


def _judged(path: Path, battle: Battle) -> ThreadReport:
    """The report of a battle; a rule system that fails on one file must not take the others with it."""
    try:
        return judge_battle(battle, plugins.ruleset(battle.ruleset))
    except RefereeError:
        raise
    except Exception as error:
        if os.environ.get("REFEREE_DEBUG"):
            raise
        words = " ".join(str(error).split())[:200]
        fault = "a fault of the rule system, not of the file; REFEREE_DEBUG=1 shows where"
        raise InputError(f"{path}: {battle.ruleset}: {type(error).__name__}: {words} ({fault})") from error


def _with_rolls(battle: Battle, config: Config) -> tuple[Battle, tuple[str, ...]]:
    """The battle with the rolls that it lacks, asked of the configured services only (X6)."""
    services = dice_services(config)
    known = battle.rolls or {}
    missing = [link for link in links_of(battle) if link not in known and any(s.matches(link) for s in services)]
    if not missing:
        return battle, ()
    from referee.app.online import session_for
    from referee.app.verify import joined, verify

    verified = verify(missing, services, session_for(config), {})
    rolls = joined({**known, **verified.rolls}, services)
    missed = sum(record.status == "unreachable" for record in verified.rolls.values())
    why = verified.problems or ("no reason was told",)
    return replace(battle, rolls=rolls), why if missed else ()
