"""Regular expressions that are compiled when they are first used.

All board readers are loaded to tell whose page one is, and then one of them reads it. Compiling the
patterns of the others would take longer than the reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, AnyStr, Generic


class Pattern(Generic[AnyStr]):
    """A pattern with the methods of a compiled one; the first call compiles it.

    The methods are then the compiled pattern's own, so a later call costs no more than on that.
    """

    __slots__ = ("_flags", "_source", "findall", "finditer", "fullmatch", "match", "search", "sub")

    search: Callable[..., re.Match[AnyStr] | None]
    match: Callable[..., re.Match[AnyStr] | None]
    fullmatch: Callable[..., re.Match[AnyStr] | None]
    findall: Callable[..., list[Any]]
    finditer: Callable[..., Iterator[re.Match[AnyStr]]]
    sub: Callable[..., AnyStr]

    def __init__(self, source: AnyStr, flags: int = 0) -> None:
        """Keep the pattern as it is written."""
        self._source: AnyStr = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern: asked only for a method that is not there yet."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in self.__slots__[2:]:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
