"""Writes the generated pages of the documentation: `python -m referee.app.docs docs` (`make docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

from referee.app import plugins
from referee.app.explain import ruleset_page
from referee.engine.codes import COMMON_CODES

#: The rule systems that come with referee and have a page of their own.
SHIPPED = ("angel_dolls", "d20_arena", "enolaptia", "shinobi")


def pages() -> dict[str, str]:
    """Every generated page: its place below docs, its text."""
    found = {f"rules/{name}.md": ruleset_page(plugins.ruleset(name)) for name in SHIPPED}
    found["checks/common.md"] = common_page()
    return found


def common_page() -> str:
    """The page of the findings that all rule systems share."""
    out = ["# Findings of all rule systems", "", "Made from `referee/engine/codes.py`: `make docs`.", ""]
    for code in COMMON_CODES:
        out += [f"## `{code.code}` ({code.severity})", "", code.meaning, ""]
        out += [f"Example: {code.example}", "", f"To put it right: {code.remedy}", ""]
    return "\n".join(out).rstrip() + "\n"


def main() -> None:
    """Write all pages below the folder given."""
    home = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, text in pages().items():
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
