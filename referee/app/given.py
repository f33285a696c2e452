"""What boards, sheets and transcripts give a ruleset, and what of it would silently count for nothing.

A misspelt table, option or field is not there for the judge, who then goes by what he knows without it: its author
must be told. All functions give lines `key: what is wrong`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from referee.app import plugins
from referee.app.wrong_values import unlike

if TYPE_CHECKING:
    from referee.ports.rules import Ruleset

#: What every ruleset knows of a battle and of a character.
_OPTIONS = ("profile", "judge")
_FIELDS = ("name", "player", "side", "aliases", "board", "since", "stats", "secret")


def misspelt_tables(ruleset: str, tables: Mapping[str, Any]) -> Iterator[str]:
    """Tables whose name is nearly that of one of the ruleset's; in tables of settings what it does not know.

    A judge without a setting goes by the rulebook, and calls the board's posts wrong.
    """
    found = plugins.ruleset(ruleset)
    example = under(ruleset, found.example_tables)
    known = set(found.tables(None, None)) | set(re.findall(rf"(?m)^#? ?\[tables\.{ruleset}\.(\w+)", example))
    yield from _nearly(tables, known)
    for section, settings in _settings(found).items():
        row = tables.get(section)
        for key, value in row.items() if isinstance(row, Mapping) else ():
            if str(key) not in settings:
                yield f"{section}.{key}: unknown key{hint(str(key), settings)}"
            elif wrong := unlike(value, settings[str(key)]):
                yield f"{section}.{key}: {wrong}"


def _settings(ruleset: Ruleset) -> dict[str, dict[str, Any]]:
    """The tables that hold settings, of all profiles; rows under names and figures are a board's own."""
    settings: dict[str, dict[str, Any]] = {}
    for profile in ruleset.profiles:
        for section, row in ruleset.tables(profile, None).items():
            if isinstance(row, Mapping) and _holds_settings(row):
                known = settings.setdefault(section, {})
                # What is a fraction in one profile may be one in a board's tables too.
                known.update((str(key), value) for key, value in row.items() if not isinstance(known.get(key), float))
    return settings


def _holds_settings(row: Mapping[Any, Any]) -> bool:
    """Whether a table has named values: not only rows of its own kind, and no row for each number."""
    return any(not isinstance(value, Mapping) for value in row.values()) and not any(str(key).isdigit() for key in row)


def wrong_rows(ruleset: str, tables: Mapping[str, Any]) -> Iterator[str]:
    """What the ruleset says of the rows of its tables: what it would have to pass over, what is missing."""
    yield from plugins.ruleset(ruleset).check_tables(dict(tables))


def wrong_options(ruleset: str, options: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the options of a battle: keys that the ruleset does not know, values that it does not."""
    found = plugins.ruleset(ruleset)
    known = (*found.options, *_OPTIONS)
    for key, value in options.items():
        allowed = found.options.get(key, ())
        if key not in known and found.options:
            yield f"{key}: unknown key{hint(key, known)}"
        elif allowed and value is not None and str(value).strip().casefold().replace(" ", "_") not in allowed:
            yield f"{key}: there is no {str(value)[:80]!r}; there are {', '.join(allowed)}"
    profile = options.get("profile")
    if profile is not None and profile not in found.profiles:
        yield f"profile: no such profile; there are {', '.join(found.profiles)}"


def wrong_sheet(ruleset: str, sheet: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a character's sheet: fields that are nearly ones of the ruleset's, wrong values."""
    found = plugins.ruleset(ruleset)
    fields = (*_FIELDS, *found.fields)
    # A field in capitals is none: nobody looks for it.
    named = {field.casefold(): field for field in fields}
    capital = {str(key): named.get(str(key).strip().casefold()) for key in sheet if key not in fields}
    yield from (f"{key}: unknown key, did you mean `{near}`?" for key, near in capital.items() if near)
    if found.fields:
        yield from _nearly(sheet, fields)
    for field, known in found.fields.items():
        inner = sheet.get(field)
        if known and isinstance(inner, Mapping):
            yield from (f"{field}.{line}" for line in _nearly(inner, known))
    yield from found.check_sheet(dict(sheet))


def under(name: str, example: str) -> str:
    """A ruleset's example with its headings as `referee.toml` needs them, below `[tables.NAME]`."""
    return re.sub(rf"(?m)^(#? ?)\[(?!tables\.{re.escape(name)}[.\]])", rf"\1[tables.{name}.", example)


def nearest(key: str, known: Iterable[str], alike: float = 0.8) -> str | None:
    """The known key for which an unknown one is most likely meant; None if it is like none."""
    import difflib

    known = sorted(known)
    meant = key.strip().casefold()
    other_case = next((one for one in known if one.casefold() == meant), None)
    # Two letters that changed places make a short word less like itself than another letter does.
    swapped = [one for one in known if len(meant) > 2 and sorted(one.casefold()) == sorted(meant)]
    near = swapped[:1] or difflib.get_close_matches(key, known, 1, alike)
    return other_case or (near[0] if near else None)


def hint(key: str, known: Iterable[str]) -> str:
    """A suggestion behind `unknown key`: what was meant, or else what there is."""
    near = nearest(key, known, 0.6)
    return f", did you mean `{near}`?" if near else f"; known keys: {', '.join(sorted(known))}"


def _nearly(given: Mapping[str, Any], known: Iterable[str]) -> Iterator[str]:
    """Keys that are none in any case, but nearly one; what is like none may be anybody's note."""
    named = {key.casefold(): key for key in known}
    for key in given:
        near = None if str(key).casefold() in named else nearest(str(key), named.values())
        if near:
            yield f"{key}: unknown key, did you mean `{near}`?"
