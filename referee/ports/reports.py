"""The contract of a reporter: a report in, text out. Reporters render, they decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from referee.model.report import Report


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a reporter may know besides the report: rule id or code -> one-line text; tool version."""

    rules: Mapping[str, str] = field(default_factory=dict)
    version: str = ""


@dataclass(frozen=True, slots=True)
class Reporter:
    """A form of report: `text`, `html`, `md`, `bbcode`, `json`, `csv`."""

    name: str
    suffix: str
    render: Callable[[Report, Rendering], str]
