"""The replay of a harbour battle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from harbour_cards import rules
from harbour_cards.reading import Play
from referee.model.claims import Claim
from referee.model.figure import Figure
from referee.model.report import Outcome, PoolState, State
from referee.ports.rules import Case, Entry, RollUse, Verdict


@dataclass(slots=True)
class Ship:
    """A ship in the replay: hull on the computed side, turns taken, when cards are loaded again."""

    hull: Figure
    start: Figure
    armour: int
    claimed: Any = None
    turn: int = 0
    loaded: dict[str, int] = field(default_factory=dict)


def judge(case: Case) -> Verdict:
    """Replay the battle; findings go into the case's book."""
    return _Replay(case).run()


class _Replay:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.cards = {name.casefold(): card for name, card in case.sheets.tables.get("cards", {}).items()}
        self.ships = {}
        for ship in case.sheets.characters:
            start = rules.hull_at_start(ship)
            self.ships[ship.name] = Ship(start, start, int(ship.get("stats", {}).get("Armour", 0)), start.only)

    def run(self) -> Verdict:
        states: dict[str, State] = {}
        for entry in self.case.entries:
            own = self.case.sheets.of_player(entry.post.author)
            if own and entry.kind != "chatter":
                self._post(entry, own[0].name)
            pools = {
                name: {"hull": PoolState(ship.claimed, ship.hull, ship.start.only)} for name, ship in self.ships.items()
            }
            states[entry.post.id] = pools
        won = rules.winner({name: ship.hull for name, ship in self.ships.items()})
        return Verdict(states, outcome=Outcome("won", won) if won else Outcome("ongoing"))

    def _post(self, entry: Entry, name: str) -> None:
        ship = self.ships[name]
        plays = [claim for claim in entry.reading.claims if claim.kind == "play"]
        if entry.kind == "turn" and plays:
            ship.turn += 1
            if len(plays) > rules.cards_in_a_turn():
                self._add(
                    "cards", entry, name, plays[1], len(plays), [1], f"{len(plays)} cards in one turn, 1 is allowed"
                )
        for claim in entry.reading.claims:
            if claim.kind == "hull":
                self._hull(entry, name, claim)
            elif entry.kind == "turn":
                self._play(entry, name, claim)

    def _play(self, entry: Entry, name: str, claim: Claim) -> None:
        play, ship = claim.data, self.ships[name]
        assert isinstance(play, Play)
        card = self.cards.get(play.card.casefold())
        if rules.sunk(ship.hull):
            self._add("sunk", entry, name, claim, None, None, f"{name} is sunk and plays no more")
        if card is None:
            self.case.book.unchecked(entry, f"card {play.card}", f"the card {play.card} is in no table", name)
            card = {}
        if ship.turn < ship.loaded.get(play.card.casefold(), 0):
            self._add("reload", entry, name, claim, None, None, f"{play.card} is not loaded again yet")
        if "reload" in card:
            ship.loaded[play.card.casefold()] = rules.playable_again(ship.turn, card["reload"])
        if "repair" in card:
            ship.hull = rules.hull_repaired(ship.hull, card["repair"], ship.start)
        damage = rules.card_damage(card)
        if play.target is not None and play.roll is not None:
            self._shot(entry, name, claim, play, damage)

    def _shot(self, entry: Entry, name: str, claim: Claim, play: Play, damage: int | None) -> None:
        assert play.roll is not None and play.target is not None
        use = RollUse(entry, claim, play.roll, ("1d6",), 1, by=frozenset({name, entry.post.author}), character=name)
        dice = self.case.dice.check(use).readings
        right = {rules.outcome_of(row[0]) for row in dice if row}
        target = self.ships[play.target]
        if play.outcome and right and play.outcome not in right:
            self._add("outcome", entry, name, claim, play.outcome, sorted(right), f"the die gives {' or '.join(right)}")
            right.add(play.outcome)
        if damage is None:
            done = Figure.of(play.amount or 0)
        else:
            done = Figure.among({rules.damage_done(damage, target.armour, word) for word in right or {"hit"}})
        if play.amount is not None and not done.admits(play.amount):
            said = f"{play.card} does {done.said()} to {play.target}, the post says {play.amount}"
            self._add("damage", entry, name, claim, play.amount, done, said)
            done = done.either(play.amount)
        target.hull = rules.hull_after(target.hull, done)

    def _hull(self, entry: Entry, name: str, claim: Claim) -> None:
        ship, said = self.ships[name], claim.data
        assert isinstance(said, int)
        ship.claimed = said
        if ship.hull.admits(said) or entry.kind == "correction":
            ship.hull = Figure.of(said)
            return
        self._add(
            "hull", entry, name, claim, said, ship.hull, f"the shots leave {ship.hull.said()}, the post says {said}"
        )
        ship.hull = ship.hull.either(said)

    def _add(self, code: str, entry: Entry, name: str, claim: Claim, claimed: Any, expected: Any, message: str) -> None:
        self.case.book.add(
            f"harbour_cards/{code}",
            entry,
            character=name,
            claimed=claimed,
            expected=expected,
            message=message,
            claim=claim,
        )
