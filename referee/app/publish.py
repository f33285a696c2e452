"""From judged threads to reports: secrets stay with the staff, unless they asked for them.

Reporters get a report in which nothing secret is left, so that no template can leak it.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee import __version__
from referee.app import plugins
from referee.app.explain import by_id
from referee.app.secrecy import public_thread
from referee.engine.codes import COMMON_CODES
from referee.model.report import Report, ThreadReport
from referee.ports.reports import News, Rendering


def render(
    threads: tuple[ThreadReport, ...], form: str, staff: bool, news: Mapping[tuple[str, str], News] | None = None
) -> str:
    """The report in one of the forms; secret totals only with `staff`. `news`: see `Rendering`."""
    shown = threads if staff else tuple(public_thread(thread) for thread in threads)
    used = {thread.ruleset for thread in threads if thread.ruleset}
    return plugins.reporter(form).render(Report(shown, staff), Rendering(explanations(used), __version__, news or {}))


def explanations(rulesets: set[str]) -> dict[str, str]:
    """One line for each rule and code of the rulesets that a report is about."""
    lines = {code.code: code.meaning for code in COMMON_CODES}
    for name in sorted(rulesets & set(plugins.names("rulesets"))):
        ruleset = plugins.ruleset(name)
        lines |= {rule_id: " ".join(part.summary for part in parts) for rule_id, parts in by_id(ruleset.rules).items()}
        lines |= {code.code: code.meaning for code in ruleset.codes}
    return lines
