"""How a battle of dolls stands: pools of HP, things and whether they are usable, who holds whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.model.battle import Character
from referee.model.figure import Figure
from referee.model.report import PoolState
from referee.ports.reading import squeeze
from referee.ports.rules import Case
from rules.angel_dolls.statements import STATS, Change, Heading
from rules.angel_dolls.stats import generator_bonus
from rules.angel_dolls.tables import Gear, Numbers, mapping, number, numbers_of, stats_of
from rules.angel_dolls.worn import Kit

#: More things than this on one sheet are not looked at for accessories.
MOST_ITEMS = 20


@dataclass(slots=True)
class Pool:
    """HP of a doll or weapon on both ledgers.

    `figure`: every admissible value (not yet cut at 0, so that overkill may be written either way);
    `steps`: the figure before each loss since the last line, with that loss and its words; `forked`: a finding
    keeps two readings open; `loose`: something unread may have changed it, `told`: and a notice says so;
    `kept`: how often the lines since then went on from the claimed number (2 at once where one returned to the
    right number).
    """

    figure: Figure
    claimed: int | None
    maximum: int | None
    start: int | None
    steps: list[tuple[Figure, Figure, tuple[str, str] | None]] = field(default_factory=list)
    forked: bool = False
    loose: bool = False
    told: bool = False
    changed: int = -1
    kept: int = 0
    _reported: tuple[int | None, Figure, PoolState] | None = field(default=None, init=False, repr=False, compare=False)

    @staticmethod
    def of(value: int | None) -> Pool:
        """A full pool, or one about which nothing is known."""
        return Pool(Figure.unknown() if value is None else Figure.of(value), value, value, value)

    def suffer(
        self, losses: Iterable[int], written: int | None, index: int, source: tuple[str, str] | None = None
    ) -> None:
        """Take a loss off; several readings of it stay open."""
        loss = Figure.among(losses)
        self.steps.append((self.figure, loss, source))
        self.figure = self.figure.minus(loss)
        if not loss.known or len(loss.values or ()) > 1:
            self.forked, self.kept = True, 0
        self.changed = index
        if self.claimed is not None and written is not None:
            self.claimed = max(0, self.claimed - written)

    def after(self, old: int) -> Figure | None:
        """What the losses since the last line leave of `old`; None where `old` was never the value."""
        found = Figure.of(old) if _admits(self.figure, old) else None
        total: Figure | None = None
        for before, loss, _ in reversed(self.steps):
            total = loss if total is None else loss.plus(total)
            if _admits(before, old):
                left = Figure.of(old).minus(total)
                found = left if found is None else found.either(left)
        return found

    def admits(self, value: int) -> bool:
        """Whether the pool may stand at this value; below 0 counts as 0 too."""
        return _admits(self.figure, value)

    def settle(self, value: int, index: int, fault: bool) -> None:
        """Go on from a stated value; after a finding the computed readings stay open beside it."""
        keep = fault or self.forked
        self.kept = 1 if fault else self.kept + 1 if value == self.claimed else 2
        self.figure = self.figure.either(value) if keep else Figure.of(value)
        self.forked = keep
        self.claimed = value
        self.steps.clear()
        self.loose = self.told = False
        self.changed = index

    @property
    def empty(self) -> bool:
        """Whether every reading is at or below 0."""
        return self.figure.high is not None and self.figure.high <= 0

    @property
    def spent(self) -> bool:
        """Whether nothing is left: by every reading, or by the claimed number that line after line went on from."""
        return self.empty or (self.claimed == 0 and self.kept > 1)

    @property
    def first(self) -> Figure:
        """The figure at the last line, before the losses since."""
        return self.steps[0][0] if self.steps else self.figure

    def state(self) -> PoolState:
        """The pool as reports show it; the same record as long as it does not change."""
        if self._reported is None or self._reported[0] != self.claimed or self._reported[1] is not self.figure:
            shown = PoolState(self.claimed, self.figure.at_least(0), self.start)
            self._reported = (self.claimed, self.figure, shown)
        return self._reported[2]


def _admits(figure: Figure, value: int) -> bool:
    return figure.admits(value) or (value == 0 and figure.low is not None and figure.low <= 0)


@dataclass(slots=True)
class Item:
    """A thing that a doll has. `lost`: reason -> whether it is certain; `until`: last round out (readings).

    `said`: post and words by which it came to be out.
    """

    name: str
    gear: Gear | None
    pool: Pool
    lost: dict[str, bool] = field(default_factory=dict)
    until: tuple[int, ...] = ()
    said: tuple[str, str] | None = None

    def standing(self, turn: int, held: bool | None) -> str:
        """Whether it can be used: usable, out or maybe. `held`: entangled - surely, perhaps or not."""
        if held is None and not self.lost and not self.until:
            return "usable"
        out = [turn <= last for last in self.until]
        if any(self.lost.values()) or held is True or (out and all(out)):
            return "out"
        return "maybe" if self.lost or held is False or any(out) else "usable"


@dataclass(slots=True)
class Hold:
    """One doll holds another entangled. `sure`: False where a finding leaves it open; `steps`: of a strangle hold.

    `away`: the things that the held doll had lost when it began, so that none of them can be what is held.
    """

    holder: str | None
    held: str
    part: str
    weapon: str | None
    sure: bool
    began: int
    steps: int = 0
    said: tuple[str, str] | None = None
    away: tuple[Item, ...] = ()


@dataclass(slots=True)
class Doll:
    """One fighter: the two sheets added up, affinities, things, HP.

    Stats that no sheet gives are missing from `basic`, unless the player posted both stat blocks
    (`posted`, by part: deus and angel). `weapons`, `accessories` and `unlisted` (in no table) are the
    `items` by what the tables say of them; `whole` is what counts as long as nothing is lost or held.
    """

    name: str
    character: Character
    basic: dict[str, int]
    affinities: dict[str, int] | None
    items: dict[str, Item]
    weapons: tuple[tuple[Item, Gear], ...]
    accessories: tuple[tuple[Item, Gear], ...]
    unlisted: tuple[Item, ...]
    whole: Kit
    hp: Pool
    bonus: int | None = 0
    fate: str | None = None
    posted: dict[str, dict[str, int]] = field(default_factory=dict)

    def take_posted(self, part: str, stats: dict[str, int]) -> None:
        """Use a posted stat block where the staff's sheets give no stats."""
        self.posted.setdefault(part, stats)
        deus, angel = self.posted.get("deus", {}), self.posted.get("angel", {})
        if not self.basic and self.bonus is not None:
            self.basic = {
                stat: deus[stat] + angel[stat] + self.bonus for stat in STATS if stat in deus and stat in angel
            }

    @property
    def down(self) -> bool:
        """Whether it has certainly fallen (D16)."""
        return self.fate == "down" or (self.fate != "alive" and self.hp.spent)


@dataclass(slots=True)
class Bout:
    """One battle under replay. `worn`: the things of all dolls, in the form of `squeeze`.

    `rulings_behind`: pools that a ruling sets behind the lines of the post at hand.
    """

    case: Case
    numbers: Numbers
    dolls: dict[str, Doll]
    worn: frozenset[str]
    holds: list[Hold] = field(default_factory=list)
    turn: int = 1
    reported: set[tuple[str, str, int]] = field(default_factory=set)
    winner: tuple[str, ...] | None = None
    rulings_used: set[int] = field(default_factory=set)
    rulings_applied: set[int] = field(default_factory=set)
    rulings_behind: list[tuple[Pool, int]] = field(default_factory=list)

    def doll(self, name: str | None) -> Doll | None:
        """The doll of that name."""
        return self.dolls.get(name) if name else None

    def holds_on(self, name: str) -> list[Hold]:
        """The holds in which a doll is held."""
        return [hold for hold in self.holds if hold.held == name]

    def firm(self, hold: Hold) -> bool:
        """Whether a hold certainly lasts; it may end with the fall of either doll."""
        dolls = (self.doll(hold.holder), self.doll(hold.held))
        return hold.sure and not any(doll is not None and doll.down for doll in dolls)

    def standing(self, doll: Doll, item: Item) -> str:
        """Whether a thing can be used now: usable, out or maybe (D11 to D15)."""
        return item.standing(self.turn, self._held(doll, item) if self.holds else None)

    def kit(self, doll: Doll) -> Kit:
        """What counts of a doll's things now."""
        if not self.holds and not any([item.lost or item.until for item in doll.items.values()]):
            return doll.whole
        sure: list[Gear] = []
        maybe: list[Gear] = []
        for item, gear in doll.accessories:
            standing = self.standing(doll, item)
            if standing != "out":
                (sure if standing == "usable" else maybe).append(gear)
        usable = [gear for item, gear in doll.weapons if self.standing(doll, item) != "out"]
        return Kit(tuple(sure), tuple(maybe), tuple(usable))

    def _held(self, doll: Doll, item: Item) -> bool | None:
        """Whether the weapon is entangled: True surely, False perhaps, None not."""
        if item.gear is None or not item.gear.weapon:
            return None
        holds = [h for h in self.holds_on(doll.name) if h.part == "weapon" and not any(item is i for i in h.away)]
        if not holds:
            return None
        handheld = [i for i, gear in doll.weapons if gear.handheld and not any(i.lost.values())]
        certain = item.gear.handheld and len(handheld) == 1
        return certain and any(self.firm(hold) for hold in holds)

    def opponent(self, name: str) -> str | None:
        """The only other doll, if there is but one."""
        others = [other for other in self.dolls if other != name]
        return others[0] if len(others) == 1 else None


def open_bout(case: Case) -> Bout:
    """The battle before its first post."""
    numbers = numbers_of(case.sheets.tables)
    worn = {c.name: _worn(c) for c in case.sheets.characters}
    keys = frozenset(key for things in worn.values() for key in things)
    used = frozenset() if keys <= numbers.gear.keys() else _used_as_weapons(case)
    dolls = {c.name: _doll(c, numbers, _items(worn[c.name], numbers, used)) for c in case.sheets.characters}
    return Bout(case, numbers, dolls, keys)


def _used_as_weapons(case: Case) -> frozenset[str]:
    """Things that posts attack with, lose or break: weapons, whatever the tables know of them."""
    found: set[str] = set()
    for entry in case.entries:
        for claim in entry.reading.claims:
            if isinstance(claim.data, Heading) and claim.data.means:
                found.add(squeeze(claim.data.means))
            elif isinstance(claim.data, Change) and claim.data.what != "out" and claim.data.thing:
                found.add(squeeze(claim.data.thing))
    return frozenset(found)


def _doll(character: Character, numbers: Numbers, items: dict[str, Item]) -> Doll:
    deus, angel = stats_of(character.get("deus")), stats_of(character.get("stats"))
    generator = number(character.get("generator"))
    bonus = 0 if generator is None else generator_bonus(generator, numbers)
    basic: dict[str, int] = {}
    for stat in STATS:
        own, directed = number(angel.get(stat)), number(deus.get(stat))
        if own is not None and directed is not None and bonus is not None:
            basic[stat] = own + directed + bonus
    hp = number(angel.get("HP"))
    start = number(mapping(character.get("start")).get("hp"))
    full = hp if hp is not None else generator
    pool = Pool.of(full)
    if start is not None:
        pool = Pool.of(start)
        pool.maximum = full
    first = list(items.values())[:MOST_ITEMS]
    weapons = tuple([(item, item.gear) for item in items.values() if item.gear and item.gear.weapon])
    accessories = tuple([(item, item.gear) for item in first if item.gear and not item.gear.weapon])
    return Doll(
        character.name,
        character,
        basic,
        _affinities(character),
        items,
        weapons,
        accessories,
        unlisted=tuple([item for item in first if item.gear is None]),
        whole=Kit(tuple([gear for _, gear in accessories]), (), tuple([gear for _, gear in weapons])),
        hp=pool,
        bonus=bonus,
    )


def _affinities(character: Character) -> dict[str, int] | None:
    given = character.get("affinities")
    if not isinstance(given, dict):
        return None
    return {str(key).capitalize(): value for key, value in given.items() if number(value) is not None}


def _worn(character: Character) -> dict[str, str]:
    """The things on a sheet: in the form of `squeeze`, and as written."""
    worn = character.get("equipment")
    return {squeeze(str(name)): str(name) for name in worn} if isinstance(worn, (list, tuple)) else {}


def _items(worn: Mapping[str, str], numbers: Numbers, used: frozenset[str]) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for key, name in worn.items():
        gear = numbers.gear.get(key)
        if gear is None and key in used:
            gear = Gear(name, True, True, {}, unknown=True)
        found[key] = Item(name, gear, Pool.of(gear.hp if gear else None))
    return found


@dataclass(slots=True)
class Block:
    """One attack in play: its heading and what its lines have given so far.

    `key`: the means in the form of `squeeze`. Sets hold every admissible reading. `hit_sure`,
    `test_sure`: every reading gives the stated outcome. `faulty`: a finding in it leaves open what
    follows. `known`: its heading could be read; `met`: its hit check was written; `doubted`: the record of
    a roll of it is in doubt, so the number that the judge had may have been another; `doubtful`: that heading
    was edited late, so its means are in doubt, `was`: what it said before; `strange`: its means may be a power
    that no table knows (X2).
    """

    attacker: str | None = None
    defender: str | None = None
    manoeuvre: str | None = None
    part: str | None = None
    means: str | None = None
    key: str = ""
    target: str | None = None
    element: frozenset[str] = frozenset()
    known: bool = False
    met: bool = False
    doubtful: bool = False
    automatic: bool = False
    hit: str | None = None
    hit_sure: bool = False
    margins: frozenset[int] = frozenset()
    test: str | None = None
    test_sure: bool = False
    damage: frozenset[int] = frozenset()
    weapon_damage: frozenset[int] = frozenset()
    struck: Item | None = None
    weapon_out: bool = False
    faulty: bool = False
    doubted: bool = False
    strange: bool = False
    was: Heading | None = None

    @property
    def rivals(self) -> frozenset[str]:
        """Whom the attack was against before a late edit: its lines may still be about them (G20)."""
        return frozenset({self.was.defender} - {self.defender or ""}) if self.was else frozenset()

    def aims_at(self, name: str) -> list[str]:
        """The accessories of a doll that this attack may disable, by its heading now and before a late edit."""
        now = [self.target] if self.manoeuvre == "disable" and self.defender == name else []
        was = self.was
        before = [was.target] if was and was.manoeuvre == "disable" and was.defender == name else []
        return [squeeze(target) for target in (*now, *before) if target]

    def struck_names(self, owner: str | None) -> list[str]:
        """Whom a line of this attack may be about: who is named there, else the defender and its rivals."""
        if owner is not None or not self.rivals:
            return [name for name in (owner or self.defender,) if name]
        return sorted(self.rivals | ({self.defender} if self.defender else set()))

    def means_of(self, doll: Doll) -> Item | None:
        """The attacker's thing that the heading names, if it names one."""
        return doll.items.get(self.key) if self.key else None
