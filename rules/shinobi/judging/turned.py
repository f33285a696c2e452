"""Damage tags with the number of hits before the amount: `[Damage: 2 x 15 (punch)]` (NS6).

The specification's order is `amount x hits`. A tag with a blank behind its x may mean either; the other order is taken
where stats, tables and limits give just its numbers, and not those of the usual one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from referee.model.glyphs import straighten
from rules.shinobi.judging.damage_check import due_of, right_of
from rules.shinobi.judging.drafts import BASIC, SIZES, TECHNIQUE, Draft, kind_of
from rules.shinobi.judging.fighters import Fighter
from rules.shinobi.judging.stage import Stage
from rules.shinobi.model import Part

_COUNT_FIRST = re.compile(r"[\[({\s]*(?:damage|dmg)?\s*[:=-]?\s*\d{1,2}\s*[x\u00d7*]\s\d{1,4}\b", re.IGNORECASE)


def count_first(stage: Stage, draft: Draft, targets: Callable[[Stage, Draft], tuple[Fighter, ...]]) -> None:
    """Turn the numbers of a tag round where only so they are what they should be (S19, S22 to S25).

    `targets`: gives whom a draft may be aimed at; asked where a tag may be turned, which few are.
    """
    damage = draft.damage
    if damage is None or len(damage.parts) != 1 or damage.bonuses or draft.said.before is not None:
        return
    part = damage.parts[0]
    plain = part.base is None and part.amount != part.hits and 0 < part.amount <= 20
    if not plain or _COUNT_FIRST.match(straighten(draft.said.claim.quote)) is None:
        return
    turned, foes = replace(part, amount=part.hits, hits=part.amount), targets(stage, draft)
    if _fits(stage, draft, turned, foes) and not _fits(stage, draft, part, foes):
        draft.damage = replace(damage, parts=(turned,))
        draft.hits = turned.hits


def _fits(stage: Stage, draft: Draft, part: Part, targets: tuple[Fighter, ...]) -> bool:
    """Whether a part is what stats, tables and the rank's limits give."""
    kind, technique = kind_of(stage, part)
    skill = technique or draft.skill
    kind = TECHNIQUE if skill is not None else kind
    if skill is not None and skill.hits not in (None, part.hits):
        return False
    if kind == BASIC or kind in SIZES:
        limits = [stage.data.limit(kind, rank) for rank in stage.me.rank_readings]
        if all(limit is not None and part.hits > limit for limit in limits):
            return False
    due = due_of(stage, draft, part, kind, skill, targets, part.hits)
    return due is not None and part.amount in right_of(stage, due, (), part.hits).accepted
