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


def _kind_of(value: object) -> str:
    """A value of the wrong type in words."""
    if isinstance(value, str):
        return repr(value[:40])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)[:40]
    words = {bool: "true or false", list: "a list", dict: "a table"}
    return "nothing" if value is None else words.get(type(value), "a date")
