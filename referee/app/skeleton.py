"""Skeletons of plug-ins: `referee new ruleset|board|dice NAME` writes a working one with its tests."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from pathlib import Path
from string import Template

from referee.app import plugins
from referee.app.errors import UsageError

KINDS = ("ruleset", "board", "dice")

#: Template -> place below the new folder; `{name}` is the plug-in's name.
_PLACES = {
    "pyproject.toml.tmpl": "pyproject.toml",
    "tests_test_name.py.tmpl": "tests/test_{name}.py",
    "tests_case-wrong-hp.yaml.tmpl": "tests/cases/wrong-hp.yaml",
    "tests_battle-clean.yaml.tmpl": "tests/battles/clean.yaml",
}


def write_skeleton(kind: str, name: str, folder: Path) -> tuple[Path, ...]:
    """Write a plug-in's skeleton into `folder/name`; nothing is written over.

    Raises UsageError for a name that can't be a package, or a folder that is already there.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,40}", name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} can't be the name of a plug-in: small letters, digits and _ only")
    if name in sys.stdlib_module_names or name in ("referee", "rules", "scrapers", "reports"):
        raise UsageError(f"{name!r} is the name of another package")
    if name in _taken(kind):
        raise UsageError(f"there is a plug-in {name!r} already: of two with one name only one would be found")
    home = folder / name
    if home.exists():
        raise UsageError(f"{home} is already there")
    written = []
    for source in sorted((files("referee.app") / "skeletons" / kind).iterdir(), key=lambda item: item.name):
        if source.name.endswith(".tmpl"):
            target = home / _place(source.name, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(Template(source.read_text("utf-8")).safe_substitute(name=name), encoding="utf-8")
            written.append(target)
    return tuple(written)


def _taken(kind: str) -> tuple[str, ...]:
    """The names of the installed plug-ins of a kind."""
    group = {"ruleset": "rulesets", "board": "boards", "dice": "dice"}[kind]
    return tuple(plugins.names(group))


def _place(template: str, name: str) -> str:
    if template.startswith("package_"):
        rest = template.removeprefix("package_").removesuffix(".tmpl")
        return f"{name}/{'__init__.py' if rest == '_init__.py' else rest}"
    return _PLACES[template].format(name=name)
