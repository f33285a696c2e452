"""Names of the tables that a damage tag can't tell from its own signs: `8 Trigrams`, `Gate: First (Open)`, `Иглы`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.model.glyphs import straighten
from referee.ports.reading import squeeze

#: What the patterns of damage tags take for a name.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z'. -]*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class OddNames:
    """The names of a battle's abilities and weapons that hold other signs than letters of the alphabet."""

    def __init__(self, names: Iterable[str]) -> None:
        """Of these names."""
        odd = {straighten(" ".join(name.split())) for name in names if name.strip() and not _PLAIN.fullmatch(name)}
        forms = "|".join(map(re.escape, sorted(odd, key=lambda form: (-len(form), form))))
        self._any = re.compile(rf"(?<!\w)(?:{forms})(?!\w)", re.IGNORECASE) if forms else None

    def plain(self, text: str) -> tuple[str, dict[str, str]]:
        """A text with plain words in place of these names, and which name each of the words means."""
        meant: dict[str, str] = {}
        if self._any is None:
            return text, meant

        def word(found: re.Match[str]) -> str:
            made = f"odd name {_LETTERS[len(meant) % len(_LETTERS)]}"
            meant[made] = squeeze(found[0])
            return made

        return self._any.sub(word, text), meant
