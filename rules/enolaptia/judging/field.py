"""Who fights: characters and creatures with their HP, and who is in the battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.model.battle import Character
from referee.ports.reading import squeeze
from referee.ports.rules import Sheets
from rules.enolaptia.book import MapBook, section, whole
from rules.enolaptia.health import Pool
from rules.enolaptia.lexicon import Kinds, lexicon_of, split_number

#: More creatures of one kind than this are not followed one by one.
MOST_CREATURES = 20
#: How many spellings of names are remembered.
_KEPT = 2000


class Fighter:
    """A character or a creature. `kind` is None for characters; AT and Speed are None where unknown."""

    __slots__ = ("at", "items", "joined", "kind", "may_be_in", "may_be_out", "name", "pool", "seen", "side", "speed")

    def __init__(self, name: str, kind: str | None, side: str, numbers: Mapping[str, int | None]) -> None:
        """A fighter at full HP."""
        self.name = name
        self.kind = kind
        self.side = side
        self.at = numbers.get("AT")
        self.speed = numbers.get("Speed")
        self.pool = Pool(numbers.get("HP"))
        self.items: tuple[str, ...] = ()
        self.may_be_in = True
        self.may_be_out = False
        self.joined = False
        #: Whether the battle has named the fighter: sheets may hold more characters than fight in it.
        self.seen = kind is not None

    @property
    def certainly_up(self) -> bool:
        """Whether the fighter is in the battle and above 0 on every reading."""
        return self.may_be_in and not self.may_be_out and not self.pool.may_be_down

    def leave(self) -> None:
        """Out of the battle."""
        self.may_be_in, self.may_be_out = False, True

    def perhaps_leave(self) -> None:
        """In or out: both readings stay open."""
        self.may_be_in, self.may_be_out = True, True

    def enter(self) -> None:
        """In the battle."""
        self.may_be_in, self.may_be_out = True, False

    def named_in(self) -> None:
        """Named as one of the battle, by its order or allocation: that settles a doubtful escape."""
        self.seen = True
        if self.may_be_in:
            self.enter()


class Field:
    """All fighters of a battle and their names."""

    def __init__(self, sheets: Sheets, book: MapBook) -> None:
        """The characters of the sheets; the creatures come with the encounter."""
        self.book = book
        self.duel = str(sheets.options.get("kind", "")).casefold() in ("duel", "spar")
        self.characters = {c.name: _character(c) for c in sheets.characters}
        self.creatures: dict[str, Fighter] = {}
        self.counts: dict[str, int] = {}
        self.shares: dict[str, tuple[int, int]] = {}
        self.shares_known = False
        self._lexicon = lexicon_of(sheets)
        self._names = self._lexicon.characters
        self._kinds = Kinds(())
        self._found: dict[str, Fighter | None] = {}

    def meet(self, party: Iterable[tuple[str, int]]) -> None:
        """Creatures as the encounter names them; numbers run per kind, a single one has none (NE1, NE12)."""
        self.creatures, self.counts = {}, {}
        for kind, number in party:
            self.counts[kind] = min(self.counts.get(kind, 0) + number, MOST_CREATURES)
        self._kinds = Kinds(self.counts)
        for kind, number in self.counts.items():
            for name in [kind] if number == 1 else [f"{kind} {n}" for n in range(1, number + 1)]:
                self.creatures[name] = self._creature(name, kind)
        self.shares, self.shares_known = {}, False
        self._found.clear()

    def _creature(self, name: str, kind: str) -> Fighter:
        sheet = self.book.creature(kind)
        numbers = {} if sheet is None else {"HP": sheet.hp, "AT": sheet.at, "Speed": sheet.speed}
        return Fighter(name, kind, "creatures", numbers)

    def find(self, text: str | None) -> Fighter | None:
        """The fighter of a name, or None: never a guess."""
        if not text:
            return None
        if text in self._found:
            return self._found[text]
        found = self.characters.get(text) or self.creatures.get(text) or self._called(text)
        if len(self._found) < _KEPT:
            self._found[text] = found
        return found

    def _called(self, text: str) -> Fighter | None:
        """The fighter of a short form or another spelling."""
        who = self._names.find(text)
        if who is not None:
            return self.characters[who]
        base, number = split_number(text)
        kind = self._kinds.find(base)
        if kind is None:
            return None
        single = self.counts[kind] == 1 and number in (None, 1)
        return self.creatures.get(kind if single else f"{kind} {number}")

    def kind_of(self, text: str) -> str | None:
        """The kind of this battle that a name or short form stands for, with or without a number."""
        return self._kinds.find(split_number(text)[0])

    def is_kind(self, text: str) -> bool:
        """Whether a name stands for a kind of any table, in this battle or not."""
        return self._lexicon.kinds.find(split_number(text)[0]) is not None

    def of_kind(self, text: str) -> list[Fighter]:
        """All creatures of the kind that a name without a number stands for."""
        base, number = split_number(text)
        kind = self._kinds.find(base) if number is None else None
        return [fighter for fighter in self.creatures.values() if fighter.kind == kind] if kind is not None else []

    def find_standing(self, text: str | None) -> Fighter | None:
        """The fighter of a name; `Rat` is the only rat that is left. The dead neither act nor are attacked."""
        found = self.find(text)
        if found is not None or not text:
            return found
        left = [fighter for fighter in self.of_kind(text) if not fighter.pool.down]
        return left[0] if len(left) == 1 else None

    def numbered_beyond(self, text: str) -> bool:
        """Whether a creature's number, or its kind, does not exist in this battle."""
        base, number = split_number(text)
        kind = self._kinds.find(base)
        return kind is None or (number is not None and number > self.counts[kind])

    def party(self) -> list[Fighter]:
        """The characters that may be in the battle."""
        return [fighter for fighter in self.characters.values() if fighter.may_be_in]

    def taking_part(self) -> list[Fighter]:
        """The characters that may be in the battle and that it has named; all of them where it named nobody."""
        party = self.party()
        return [fighter for fighter in party if fighter.seen] or party

    def foes_of(self, side: str) -> list[Fighter]:
        """Everybody who fights against a side."""
        everybody = [*self.characters.values(), *self.creatures.values()]
        return [fighter for fighter in everybody if fighter.side != side and fighter.may_be_in]

    def battle_is_on(self, side: str) -> bool:
        """Whether, on every reading, somebody still stands against that side."""
        return any(foe.certainly_up for foe in self.foes_of(side))

    def everybody(self) -> list[Fighter]:
        """Characters, then creatures."""
        return [*self.characters.values(), *self.creatures.values()]

    def take_sides(self, sides: Iterable[Iterable[str]]) -> None:
        """The sides of a duel as its first post names them, where the sheets name none."""
        self.duel = True
        for label, names in zip("ab", sides, strict=False):
            for name in names:
                fighter = self.characters.get(name)
                if fighter is not None and fighter.side == "party":
                    fighter.side = label


def _character(sheet: Character) -> Fighter:
    stats: Mapping[str, Any] = section(sheet.data, "stats")
    folded = {squeeze(str(key)): value for key, value in stats.items()}
    numbers = {key: whole(folded.get(key.casefold())) for key in ("HP", "AT", "Speed")}
    fighter = Fighter(sheet.name, None, (sheet.side or "party").casefold(), numbers)
    items = sheet.get("items")
    fighter.items = tuple(squeeze(str(item)) for item in items) if isinstance(items, (list, tuple)) else ()
    if sheet.get("present") is False:
        fighter.leave()
    begins = section(sheet.data, "start")
    start = next((whole(value) for key, value in begins.items() if squeeze(str(key)) == "hp"), None)
    if start is not None:
        fighter.pool.set_start(start)
    return fighter
