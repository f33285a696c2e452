"""What is wrong with a value of a configuration or a transcript, in words that need no knowledge of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: What is expected where a value is of the wrong type, by the library's name of the error.
_EXPECTED = {
    "string_type": "text in quotes",
    "path_type": "text in quotes",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list such as [...]",
    "dict_type": "a table such as {...}",
    "model_type": "a table such as {...}",
    "dataclass_type": "a section",
}


def what_is_wrong(problem: ErrorDetails) -> str:
    """One problem that the library found: `expected a list such as [...], found 'x'`, or in its own words."""
    if problem["type"] == "missing":
        return "is missing"
    expected = _EXPECTED.get(problem["type"])
    if expected is None:
        return problem["msg"].removeprefix("Value error, ")
    return f"expected {expected}, found {_kind_of(problem['input'])}"


#: Keys whose values the library would make of words: `"no"` is a text that says something, and not false.
_FLAGS, _NUMBERS = frozenset({"allow_private", "day_first"}), frozenset({"pace", "jitter", "forum_pages"})


def wrong_kind(key: str, value: object) -> str | None:
    """What is wrong with the kind of a flag's or a number's value, None where it is right or the key is neither."""
    if key in _FLAGS and not isinstance(value, bool):
        return f"expected true or false, found {_kind_of(value)}"
    if key in _NUMBERS and (isinstance(value, bool | str)):
        return f"expected a number, found {_kind_of(value)}"
    return None


_SETTINGS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((int,), "a whole number"),
    ((float,), "a number"),
    ((list,), "a list such as [...]"),
    ((dict,), "a table such as {...}"),
    ((str,), "text in quotes"),
)


def unlike(value: object, shipped: object) -> str | None:
    """What is wrong with a setting that has another kind than the one it stands for, None where nothing is."""
    if isinstance(shipped, bool):
        return None if isinstance(value, bool) else f"expected true or false, found {_kind_of(value)}"
    kinds, expected = next((kind for kind in _SETTINGS if isinstance(shipped, kind[0])), ((object,), ""))
    right = isinstance(value, (*kinds, int) if float in kinds else kinds) and not isinstance(value, bool)
    return None if right or not expected else f"expected {expected}, found {_kind_of(value)}"


def _kind_of(value: object) -> str:
    """A value of the wrong type in words."""
    if isinstance(value, str):
        return repr(value[:40])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)[:40]
    words = {bool: "true or false", list: "a list", dict: "a table"}
    return "nothing" if value is None else words.get(type(value), "a date")
