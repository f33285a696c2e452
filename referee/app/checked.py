"""One line of `referee check`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Checked:
    """One line of `referee check`. `level`: ok, warning or error; `reach`: about reachability."""

    level: str
    line: str
    reach: bool = False
