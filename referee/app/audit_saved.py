"""Use case `audit` of saved pages and web archives: for threads that only a person in a browser can see.

The pages are judged as they were saved, by the board's own configuration or the ruleset that is named. Rolls are
asked of the configured dice services; the board itself is asked for nothing, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.app import plugins
from referee.app.audit import Audits, battle_of, known_links, records_of
from referee.app.clocks import doubt_of, with_notice
from referee.app.config import Config
from referee.app.online import Target, known_names, need_ruleset, session_for, target_of
from referee.app.reading import Request, missing_posts, saved_threads
from referee.app.sections import refuse_wrong_sections
from referee.app.services import dice_services, links_of
from referee.engine.replay import judge_battle
from referee.model.battle import RollRecord
from referee.model.report import ThreadReport
from referee.ports.boards import ThreadRead


def audit_saved(config: Config, request: Request, ruleset: str | None, *, offline: bool) -> Audits:
    """Judge the threads of saved pages.

    Raises UsageError for wrong usage and a missing ruleset, InputError for files that can't be used.
    """
    known_names(config, request.board, ruleset)
    trouble: list[str] = []
    reports = []
    for read in saved_threads(request, config, trouble):
        target = target_of(config, read.url, board=request.board, ruleset=ruleset)
        need_ruleset(target)
        if target.configured:
            refuse_wrong_sections(config, target.name)
        trouble += [f"{read.url}: {line}" for line in (*read.problems, *missing_posts(read))]
        report, problems = _judged(config, target, read, offline=offline)
        trouble += problems
        reports.append(report)
    if not reports and not trouble:
        trouble.append("no thread page among the files")
    return Audits(tuple(reports), tuple(dict.fromkeys(trouble)))


def _judged(config: Config, target: Target, read: ThreadRead, *, offline: bool) -> tuple[ThreadReport, tuple[str, ...]]:
    """The report of one thread, and a line for each reason why rolls could not be reached."""
    ruleset = plugins.ruleset(need_ruleset(target))
    doubt = doubt_of(read, target.name, target.board)
    battle = battle_of(config, target, read, doubt)
    links = known_links(config, links_of(battle))
    known: Mapping[str, RollRecord] = {}
    problems: tuple[str, ...] = ()
    if links and not offline:
        from referee.app.verify import verify

        verified = verify(links, dice_services(config), session_for(config, None, target), {})
        known, problems = verified.rolls, verified.problems
    battle = replace(battle, rolls=records_of(config, links_of(battle), known))
    return with_notice(judge_battle(battle, ruleset), battle, doubt), problems
