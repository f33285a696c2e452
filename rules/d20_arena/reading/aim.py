"""Loose lines below a tag that names ability and target but holds no dice: `[Action: Slam -> Vesna]`, `To hit: ...`."""

from __future__ import annotations

from typing import NamedTuple

from rules.d20_arena.records import Announce, Mend, Strike, Use
from rules.d20_arena.words import Lexicon


class Aim(NamedTuple):
    """Who does what to whom, as a tag above says; `taken`: how many of the targets have had their roll.

    `use`: it is no announcement but the action itself, which its rolls replace.
    """

    actor: str | None
    ability: str
    targets: tuple[str, ...]
    use: bool
    taken: int = 0


def aim_of(data: object, names: Lexicon) -> Aim | None:
    """What loose lines below a record go with; None where they are not told from it.

    An announcement without a name is its author's: the replay finds it for every loose line of the post.
    """
    if isinstance(data, Announce) and data.what == "ability" and data.ability and data.targets:
        heals = data.ability in names.healing
        return Aim(data.actor, data.ability, data.targets, False) if data.actor is not None or heals else None
    if isinstance(data, Use) and data.ability in names.rolled and data.targets:
        return Aim(data.actor, data.ability, data.targets, True)
    return None


def struck(strike: Strike, aim: Aim | None, names: Lexicon) -> Strike | None:
    """A loose hit roll as the attack that an aim tells; None where it tells of none."""
    if aim is None or aim.ability in names.healing or strike.actor not in (None, aim.actor):
        return None
    if strike.targets and not set(strike.targets) <= set(aim.targets):
        return None
    next_one = aim.targets[min(aim.taken, len(aim.targets) - 1)]
    targets = strike.targets or (aim.targets if len(strike.defense) > 1 else (next_one,))
    return strike._replace(actor=aim.actor, ability=strike.ability or aim.ability, targets=targets)


def mended(mend: Mend, aim: Aim | None, names: Lexicon) -> Mend | None:
    """A loose healing roll as the healing that an aim tells; None where it tells of none."""
    if aim is None or aim.ability not in names.healing:
        return None
    return mend._replace(actor=mend.actor or aim.actor, ability=aim.ability, targets=aim.targets)


__all__ = ["Aim", "aim_of", "mended", "struck"]
