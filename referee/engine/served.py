"""Which dice of which records stand for the dice that a post writes, and which have served already (X13)."""

from __future__ import annotations

from referee.engine.records import Die, matching, sides_of
from referee.model.battle import RollRecord
from referee.ports.rules import Entry, RollUse


class DiceServed:
    """The account of used dice in one battle. `spent`: die (link, place) -> who used it first, by which claim."""

    def __init__(self) -> None:
        """Nothing was used yet."""
        self.spent: dict[tuple[str, int], tuple[Entry, int]] = {}
        self._dice: dict[str, list[Die]] = {}

    def spend(self, dice: list[Die], use: RollUse) -> None:
        """Note that dice have served; the first use of each stays."""
        for die in dice:
            self.spent.setdefault((die.link, die.place), (use.entry, id(use.claim)))

    def choose(self, use: RollUse, links: list[str], records: list[RollRecord]) -> list[Die]:
        """The dice of the records that stand for the written ones, unused dice first (X13).

        With one link a die, each link gives one die; otherwise the records' dice serve in order.
        """
        wanted = use.written.values
        if wanted and len(links) == len(wanted) and len(links) > 1:
            pools = {link: self._of(record) for link, record in zip(dict.fromkeys(links), records, strict=True)}
            chosen: list[Die] = []
            for link, value in zip(links, wanted, strict=True):
                left = [die for die in pools[link] if die not in chosen]
                chosen += left if len(left) < 2 else self._serve(left, (value,), 1)
            return chosen
        every = [die for record in records for die in self._of(record)]
        number = len(wanted) or (use.count if use.count is not None else len(every))
        return every if len(every) == number == 1 else self._serve(every, wanted, number)

    def _serve(self, every: list[Die], wanted: tuple[int, ...], number: int) -> list[Die]:
        """`number` dice: those with the wanted values if they are all there, else the first ones.

        Dice that were not used yet come first, so that one record may serve two tags.
        """
        fresh = [die for die in every if (die.link, die.place) not in self.spent]
        for offered in (fresh, every):
            matched = matching(offered, wanted)
            if matched is not None:
                return matched
        return (fresh if len(fresh) >= number else every)[:number]

    def _of(self, record: RollRecord) -> list[Die]:
        """The dice of a record, worked out once."""
        known = self._dice.get(record.link)
        if known is None:
            values, link = record.values, record.link
            sides = sides_of(record.expression or "")
            if len(sides) < len(values):  # more dice came of it than were thrown, such as exploded ones
                alike = sides[0] if len(set(sides)) == 1 else 0
                sides += (alike,) * (len(values) - len(sides))
            known = self._dice[link] = [Die(link, index, value, sides[index]) for index, value in enumerate(values)]
        return known
