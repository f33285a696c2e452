"""Attacks as written: damage tags paired with the technique tags that belong to them (NS5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.shinobi.judging.stage import Stage, Used
from rules.shinobi.judging.structure import main_uses
from rules.shinobi.judging.turns import Said
from rules.shinobi.lexicon import BASIC_WORDS
from rules.shinobi.model import MAIN, Ability, Damage, Part
from rules.shinobi.tables import Skill

BASIC, WEAPON, TECHNIQUE, NOT_KNOWN = "basic", "weapon", "technique", "unknown"
SIZES = ("small", "medium", "large")


@dataclass(slots=True, eq=False)
class Draft:
    """An attack as written: its damage tag, its technique tag, or both.

    `kinds`: those of its hits; `kind`: of the attack (basic, weapon, technique or unknown); `hits`: of its tag. `told`:
    by how much its numbers are off, as far as reported: in a list the same slip shows at every part.
    """

    said: Said
    damage: Damage | None
    used: Used | None
    skill: Skill | None
    kinds: tuple[str, ...] = ()
    hits: int = 0
    kind: str = NOT_KNOWN
    told: set[tuple[str, int]] = field(default_factory=set)

    @property
    def idle(self) -> bool:
        """Whether it only says that there is no attack: `[Damage: 0]` without an ability that it could belong to."""
        return self.used is None and self.damage is not None and self.damage.idle

    def tells(self, code: str, off: int) -> bool:
        """Whether a number that is off by so much is to be reported for this tag; once for each code."""
        new = (code, off) not in self.told
        self.told.add((code, off))
        return new

    def __post_init__(self) -> None:
        if self.damage is not None:
            self.hits = self.damage.hits
        if self.kinds:
            first = self.kinds[0]
            self.kind = WEAPON if first in SIZES else first


def drafts_of(stage: Stage) -> list[Draft]:
    """Damage tags with the technique tags that belong to them (NS5)."""
    uses: list[Used] = []
    if stage.used:
        uses = [u for u in main_uses(stage) if u.skill is None or u.skill.attacks]
        uses += [u for u in stage.used if u.phase == 0 and u not in uses and not u.ability.reminder]
    drafts: list[Draft] = []
    for said in stage.turn.of(Damage):
        if isinstance(said.data, Damage):
            drafts.append(_with_technique(stage, said, said.data, uses))
    for used in uses:
        if used.skill is not None and used.skill.attacks and used.phase == MAIN:
            drafts.append(Draft(used.said, None, used, used.skill, (TECHNIQUE,)))
    return drafts


def _with_technique(stage: Stage, said: Said, damage: Damage, uses: list[Used]) -> Draft:
    """Pair a damage tag with the technique that it names, or else with one that has no tag yet."""
    kinds, skill = _kinds(stage, damage)
    if not uses:
        return Draft(said, damage, None, skill, kinds)
    named = any(part.what for part in damage.parts)
    used = None
    if skill is not None:
        used = next((u for u in uses if u.skill is not None and u.skill.name == skill.name), None)
    elif not named or kinds == (NOT_KNOWN,):
        used = next((u for u in uses if u.skill is not None or not named or _same(u.ability, damage)), None)
        if used is not None:
            skill = used.skill
            kinds = (TECHNIQUE,) if skill is not None else (NOT_KNOWN,)
    if used is not None:
        uses.remove(used)
    return Draft(said, damage, used, skill, kinds)


def _same(ability: Ability, damage: Damage) -> bool:
    return any(part.what == ability.name.casefold() for part in damage.parts)


def _kinds(stage: Stage, damage: Damage) -> tuple[tuple[str, ...], Skill | None]:
    """The kinds of the hits of a tag, and the technique that it names."""
    if len(damage.parts) == 1:
        kind, skill = kind_of(stage, damage.parts[0])
        return (kind,), skill
    found: dict[str, None] = {}
    skill = None
    for part in damage.parts:
        kind, technique = kind_of(stage, part)
        skill = skill or technique
        found.setdefault(kind)
    return tuple(found), skill


def kind_of(stage: Stage, part: Part) -> tuple[str, Skill | None]:
    """What a hit is made with: basic, small, medium, large, technique, or unknown."""
    if part.what is None:
        return NOT_KNOWN, None
    kept = stage.data.kinds.get(part.what)
    if kept is None:
        kept = stage.data.kinds[part.what] = _kind_of(stage, part)
    return kept


def _kind_of(stage: Stage, part: Part) -> tuple[str, Skill | None]:
    if part.what is None:
        return NOT_KNOWN, None
    if part.what in BASIC_WORDS:
        return BASIC, None
    weapon = stage.data.weapon(part.what)
    if weapon is not None:
        return (weapon[0] if weapon[0] in SIZES else NOT_KNOWN), None
    technique = stage.data.technique(part.what)
    return (TECHNIQUE, technique) if technique is not None else (NOT_KNOWN, None)
