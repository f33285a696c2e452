"""The contract of a reporter: a report in, text out. Reporters render, they decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from referee.model.report import Report


@dataclass(frozen=True, slots=True)
class News:
    """When a stored finding was first made, and when it last became news (made, changed or back again)."""

    first: datetime
    changed: datetime


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a reporter may know besides the report.

    `rules`: rule id or code -> one-line text. `version`: the tool's. `news`: thread address and fingerprint
    of a finding -> its times, of stored findings only.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    news: Mapping[tuple[str, str], News] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reporter:
    """A form of report: `text`, `html`, `md`, `bbcode`, `json`, `csv`; `atom` of stored findings."""

    name: str
    suffix: str
    render: Callable[[Report, Rendering], str]
