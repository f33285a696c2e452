"""When stored findings were made and changed, for forms of report that tell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from referee.app.config import Config
from referee.app.paths import paths_of
from referee.model.report import ThreadReport
from referee.ports.reports import News


def news_of(config: Config, reports: Iterable[ThreadReport], now: datetime) -> Mapping[tuple[str, str], News]:
    """The times of the reports' findings, by thread address and fingerprint.

    A finding that no audit has stored yet (other tables or rules since then) is news as of `now`.
    """
    from referee.store import open_store

    found: dict[tuple[str, str], News] = {}
    wanted = {report.url: report for report in reports if report.url}
    with open_store(paths_of(config).database) as store:
        for thread in store.threads.all(None):
            report = wanted.get(thread.url)
            if report is None:
                continue
            rows = {row.fingerprint: News(row.first_seen, row.changed_at) for row in store.findings.all(thread.id)}
            for finding in report.findings:
                found[thread.url, finding.fingerprint] = rows.get(finding.fingerprint, News(now, now))
    return found
