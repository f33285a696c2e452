"""The state of a replay, and how its checks speak: one finding per fault, none for a claim changed late (G20)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from referee.model.battle import Battle
from referee.model.claims import Claim, WrittenRoll
from referee.model.figure import Figure
from referee.model.report import Finding, PoolState, State
from referee.ports.rules import Case, Entry, Rolled, RollUse
from referee.ports.telling import Telling
from rules.enolaptia.book import MapBook, whole
from rules.enolaptia.claims import Move, rolls_in
from rules.enolaptia.health import ZERO
from rules.enolaptia.judging.field import Field, Fighter
from rules.enolaptia.judging.proof import one_by_one


class Spot(NamedTuple):
    """A claim in its post; `before` is what it was before a late edit (G20)."""

    entry: Entry
    claim: Claim
    before: Claim | None = None


@dataclass(frozen=True, slots=True)
class LateTie:
    """A tie won by somebody who is listed behind the rivals: a fault only if the rivals move first (NE2, NE9).

    `speak` reports it; `passed`: the rivals that have moved already.
    """

    first: str
    rivals: frozenset[str]
    speak: Callable[[], None]
    passed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Turn:
    """A battle turn: the places of the listed fighters and kinds, who has moved, and how far the order has gone.

    `known` is False before the first `Order:` and in turns without one: then moves are not counted.
    `moved`: how many moves each fighter has made, `moves`: their words. `reached`: the listed who have
    moved, `furthest`: the last place in the list of any of them. `tied`: pairs whose places in the list
    say nothing, as the tie's words say otherwise.
    """

    known: bool = False
    number: int | None = None
    places: dict[str, int] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    moves: dict[str, list[str]] = field(default_factory=dict)
    reached: list[Fighter] = field(default_factory=list)
    furthest: int = -1
    judge_sequence: bool = True
    late_ties: list[LateTie] = field(default_factory=list)
    tied: set[frozenset[str]] = field(default_factory=set)


class Hit(NamedTuple):
    """A change of one fighter's HP: by any of the figure's values; nobody's where `target` is None."""

    target: Fighter | None
    change: Figure = ZERO

    def change_of(self, fighter: Fighter) -> Figure:
        """The change of one fighter's HP."""
        return self.change if self.target is fighter else ZERO


class Head(NamedTuple):
    """HP at the head of a post that are not what they were before its moves: the place, the fighter, the numbers."""

    spot: Spot
    fighter: Fighter
    now: int
    due: Figure
    trace: list[str]


class Explain(Protocol):
    """How words nearby may explain a difference; asked before a finding is written, None where there are none."""

    def __call__(
        self, scene: Scene, code: str, spot: Spot, character: str | None, more: Mapping[str, Any]
    ) -> str | None:
        """The words and their post; `more`: the other parts of the finding."""


class Scene:
    """One battle under replay."""

    def __init__(self, case: Case, explain: Explain) -> None:
        """The scene before the first post."""
        self.case = case
        self._explain = explain
        self.book = MapBook(case.sheets)
        self.field = Field(case.sheets, self.book)
        self.turn = Turn()
        self.states: dict[str, State] = {}
        self.rulings_used: set[int] = set()
        #: Post, fighter and HP of rulings that set them: in that post they may stand behind what else happens (X15).
        self.ruled_hp: set[tuple[str, str, int]] = set()
        self.paid = 0
        self.dropped: set[str] = set()
        self.party_size_said = False
        #: Whether a line of EXP could not be read: later ones may give the rest.
        self.exp_lost = False
        #: Whether HP stand at the head of a post, in front of its moves, and those of them that do not fit there.
        self.at_head = False
        self.heads: list[Head] = []
        self._telling: Telling | None = None
        self._touched: set[str] = set()
        self._said: set[tuple[str, ...]] = set()
        self._by: dict[str, frozenset[str]] = {}
        self._bare: set[int] = set()
        self._bonuses = _bonuses(case.battle)

    @property
    def telling(self) -> Telling:
        """What the posts tell in words that no claim was read from, split up when it is first asked for."""
        if self._telling is None:
            self._telling = Telling(self.case.entries)
        self._telling.know(fighter.name for fighter in self.field.everybody())
        return self._telling

    # -- speaking --------------------------------------------------------------------------------

    def report(self, code: str, spot: Spot, character: str | None, message: str, **more: Any) -> Finding | None:
        """Note a finding of this system at a claim; none where the claim was changed late.

        Where words nearby would explain it, a notice quotes them in its place.
        """
        if spot.before is not None and not (code == "damage" and _same_blow(spot.before, spot.claim)):
            return None
        words = self._explain(self, code, spot, character, more)
        if words is not None:
            cause = f"told:{spot.entry.post.id}:{code}:{character}"
            self.case.book.unchecked(spot.entry, cause, f"{message}; {words}", character)
            return None
        return self.case.book.add(
            f"enolaptia/{code}", spot.entry, character=character, message=message, claim=spot.claim, **more
        )

    def unchecked(self, spot: Spot, cause: str, message: str) -> None:
        """Say once what could not be checked, and why (X2)."""
        self.case.book.unchecked(spot.entry, cause, message)

    def missing(self, spot: Spot, fighter: Fighter, what: str) -> None:
        """Say once that a number of a fighter's sheet is missing; one notice where the whole sheet is."""
        bare = fighter.at is None and fighter.speed is None and fighter.pool.start is None
        cause = f"sheet:{fighter.kind or fighter.name}" + ("" if bare else f":{what}")
        words = "stats are" if bare else f"{what} is"
        self.unchecked(spot, cause, f"no {words} known for {fighter.kind or fighter.name}: taken as written")

    def stranger(self, spot: Spot, name: str, what: str) -> None:
        """Say once that a fighter is not known; once for all creatures where no encounter line was read."""
        if not self.field.creatures and self.field.is_kind(name):
            message = "no encounter line was read: what creatures do and suffer counts as written"
            return self.unchecked(spot, "encounter", message)
        return self.unchecked(spot, f"actor:{name}", f"{name} is no known fighter of this battle: {what}")

    def loosen(self, fighters: Iterable[Fighter]) -> None:
        """Something that was not judged may have changed these fighters' HP."""
        for fighter in fighters:
            fighter.pool.loosen()

    def once(self, *key: str) -> bool:
        """True the first time that it is asked about a key."""
        if key in self._said:
            return False
        self._said.add(key)
        return True

    # -- dice ------------------------------------------------------------------------------------

    def roll(
        self,
        spot: Spot,
        written: WrittenRoll,
        who: str | None,
        due: tuple[str, ...] = ("1d6",),
        count: int | None = None,
        rules: tuple[str, ...] = (),
    ) -> Rolled:
        """The dice of a claim after the dice desk has looked at them (G11: the author rolls for all)."""
        earlier = _roll_before(spot.before, written) if spot.before is not None else None
        if earlier is not None:
            checked = self.roll(Spot(spot.entry, spot.claim), earlier, who, due, count, rules)
            return Rolled(written.values, tuple(dict.fromkeys((written.values, *checked.readings))), True)
        by = self._rollers(spot.entry)
        singles = one_by_one(written, self._shown) if len(written.values) > 1 else None
        if singles is None:
            return self._check(RollUse(spot.entry, spot.claim, written, due, count, None, by, who, rules))
        return _joined(
            [self._check(RollUse(spot.entry, spot.claim, one, due, None, None, by, who, rules)) for one in singles]
        )

    def _check(self, use: RollUse) -> Rolled:
        """Ask the dice desk; a line without links is one fault, however many rolls it has."""
        written = use.written
        if not written.anchors and (written.values or written.expression is not None):
            if id(use.claim) in self._bare:
                return Rolled(written.values, (written.values,), True)
            self._bare.add(id(use.claim))
        return self.case.dice.check(use)

    def _shown(self, link: str) -> tuple[int, ...] | None:
        """The dice that a link's record shows, None where nothing is known of it."""
        record = (self.case.battle.rolls or {}).get(link)
        return record.values if record is not None and record.status == "found" else None

    def _rollers(self, entry: Entry) -> frozenset[str]:
        author = entry.post.author
        if author not in self._by:
            owned = self.case.sheets.of_player(author)
            names = {name for c in owned for name in (c.name, *c.aliases)}
            self._by[author] = frozenset({author, *names})
        return self._by[author]

    # -- fighters --------------------------------------------------------------------------------

    def author_of(self, entry: Entry) -> str | None:
        """The only character of a post's author."""
        owned = self.case.sheets.of_player(entry.post.author)
        return owned[0].name if len(owned) == 1 else None

    def hit(self, spot: Spot, claimed: Hit, computed: Hit, others: Sequence[Hit] = ()) -> None:
        """Change HP on both ledgers; the other readings stay open as well."""
        undisputed = claimed == computed
        for fighter in {claimed.target, computed.target, *[hit.target for hit in others]}:
            if fighter is not None:
                one = claimed.change_of(fighter)
                two = one if undisputed else computed.change_of(fighter)
                fighter.pool.shift(one, two, tuple([hit.change_of(fighter) for hit in others]))
                fighter.pool.steps.append((spot.entry.post.id, spot.claim.quote, one, undisputed and not others))
                self._touched.add(fighter.name)

    def touch(self, fighter: Fighter) -> None:
        """The fighter's HP changed or were stated in this post."""
        self._touched.add(fighter.name)

    def close(self, entry: Entry) -> None:
        """Keep the state of the pools after a post."""
        if self._touched:
            found: dict[str, dict[str, PoolState]] = {}
            for fighter in self.field.everybody():
                if fighter.name in self._touched:
                    found[fighter.name] = {"hp": fighter.pool.state()}
            self.states[entry.post.id] = found
            self._touched.clear()

    # -- rulings ---------------------------------------------------------------------------------

    def bonus_damage(self, entry: Entry, character: str) -> int:
        """What rulings add to the damage of a character in a post (X15)."""
        total = 0
        for bonus in self._bonuses:
            if bonus.first <= entry.index <= bonus.last and bonus.character in (None, character):
                self.rulings_used.add(bonus.number)
                total += bonus.value
        return total


class _Bonus(NamedTuple):
    """A ruling that adds to damage: its number, from which post to which, whose damage, how much."""

    number: int
    first: int
    last: int
    character: str | None
    value: int


def _bonuses(battle: Battle) -> list[_Bonus]:
    if not battle.rulings:
        return []
    places = {post.id: place for place, post in enumerate(battle.posts)}
    found = []
    for number, ruling in enumerate(battle.rulings):
        first, value = places.get(ruling.post), whole(ruling.effect.get("bonus_damage"))
        if first is not None and value is not None:
            last = places.get(ruling.until or ruling.post, first)
            found.append(_Bonus(number, first, last, ruling.character, value))
    return found


def _same_blow(before: Claim, now: Claim) -> bool:
    """Whether a late edit left the dice and the amount of a move alone, as where it only changed the target (G20)."""
    one, two = before.data, now.data
    if not isinstance(one, Move) or not isinstance(two, Move):
        return False
    return (one.actor, one.action, one.ability, one.amount, one.roll.values) == (
        *(two.actor, two.action, two.ability, two.amount),
        two.roll.values,
    )


def _roll_before(before: Claim, written: WrittenRoll) -> WrittenRoll | None:
    """The roll as it stood before a late edit, where other dice stand now: the edit has its finding already (G20)."""
    if not written.values:
        return None
    links = {anchor.url for anchor in written.anchors if anchor.url}
    for old in rolls_in(before.data):
        if links & {anchor.url for anchor in old.anchors if anchor.url}:
            return old if old.values and old.values != written.values else None
    return None


def _joined(parts: list[Rolled]) -> Rolled:
    """One roll out of dice that were looked at one by one: some linked, some made by the board (G7, G8)."""
    dice = tuple(die for part in parts for die in part.dice)
    others = tuple(die for part in parts for die in part.readings[-1])
    return Rolled(dice, tuple(dict.fromkeys((dice, others))), any(part.fault for part in parts))
