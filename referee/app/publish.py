"""From judged threads to reports: secrets stay with the staff, unless they asked for them.

Reporters get a report in which nothing secret is left, so that no template can leak it.
"""

from __future__ import annotations

from dataclasses import replace

from referee import __version__
from referee.app import plugins
from referee.app.explain import by_id
from referee.engine.codes import COMMON_CODES
from referee.model.report import Finding, PoolState, Report, State, ThreadReport, Working
from referee.ports.reports import Rendering


def render(threads: tuple[ThreadReport, ...], form: str, staff: bool) -> str:
    """The report in one of the forms; secret totals only with `staff`."""
    shown = threads if staff else tuple(public_thread(thread) for thread in threads)
    used = {thread.ruleset for thread in threads if thread.ruleset}
    return plugins.reporter(form).render(Report(shown, staff), Rendering(explanations(used), __version__))


def explanations(rulesets: set[str]) -> dict[str, str]:
    """One line for each rule and code of the rulesets that a report is about."""
    lines = {code.code: code.meaning for code in COMMON_CODES}
    for name in sorted(rulesets & set(plugins.names("rulesets"))):
        ruleset = plugins.ruleset(name)
        lines |= {rule_id: " ".join(part.summary for part in parts) for rule_id, parts in by_id(ruleset.rules).items()}
        lines |= {code.code: code.meaning for code in ruleset.codes}
    return lines


def public_thread(thread: ThreadReport) -> ThreadReport:
    """The thread's report without any secret total."""
    return replace(
        thread,
        posts=tuple(replace(post, state=_public_state(post.state)) for post in thread.posts),
        findings=tuple(_public_finding(finding) for finding in thread.findings),
    )


def _public_finding(finding: Finding) -> Finding:
    return replace(finding, trace=tuple(Working(line.text) for line in finding.trace))


def _public_state(state: State) -> State:
    return {name: {pool: _public_pool(value) for pool, value in pools.items()} for name, pools in state.items()}


def _public_pool(pool: PoolState) -> PoolState:
    """A secret pool as change since the battle's start (contract: never a total or what was left)."""
    if not pool.secret or not pool.start:
        return pool
    claimed = None if pool.claimed is None else pool.claimed - pool.start
    return PoolState(claimed, pool.computed.minus(pool.start), 0, secret=True)
