"""What a post may tell in words of the arena, so that a number which differs is not called wrong.

Only asked when a finding is about to be written (docs/decisions/0006 and 0008): each code has the topics that would
explain it. What is told stays no claim: a notice quotes it in the finding's place and both readings stay open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain, combinations
from typing import Any

from referee.model.claims import Claim
from referee.ports.telling import Told, numbers_in, plain
from referee.ports.topics import AFFLICTS, ALLOWED, DOUBLES, HEALS, HURT, RETURNS, SHIELDS, blow, blow_by
from rules.d20_arena.judging.doubt import (
    NEAR,
    Doubt,
    abilities_of,
    by_ability,
    by_tag,
    hidden,
    labelled,
    names_somebody,
    place_of,
    signed_words,
)
from rules.d20_arena.judging.state import Fighter, Turn
from rules.d20_arena.judging.topics import (
    BINDS,
    BONUS,
    DEFENDS,
    FREE,
    HARMLESS,
    INSTEAD,
    ITSELF,
    OWN_STANCE,
    RENEWED,
    RESULTS,
    RETRACTED,
    SIGNED,
    STANCES,
    TURN,
    stance_of,
)
from rules.d20_arena.records import Announce, Bonds, Escape, HitPoints, Move, Strike, TrapRoll

#: What is told of a binding or of a Defense may hold for so many posts.
_LASTS = 12
_MOST_AMOUNTS = 6
#: So much of a correction is looked at.
_MOST_LOOKED = 2_000

_SOMEBODY = re.compile(r"\b(?:her|him|them)\b", re.IGNORECASE)
#: A number behind a capital word without a word between is a name's: `Golem 2 hits her`.
_OF_NAMES = re.compile(r"\b[A-Z][a-z]+[ ]#?\d{1,2}\b(?![ ]?(?:damage|dmg|HP))")


def explained(
    turn: Turn, code: str, claim: Claim | None, character: str | None, claimed: Any, expected: Any
) -> str | None:
    """The words that would explain a difference, and their post; None where it stands without any."""
    look = _LOOKS.get(code)
    if look is None:
        return None
    due = tuple(n for n in expected if isinstance(n, int)) if isinstance(expected, list | tuple | set) else ()
    doubt = Doubt(turn, claim, character, claimed, due)
    told = look(doubt) or doubt.find(ALLOWED, back=1)
    if told is None and code in _HIDDEN:
        return hidden(doubt, (*([character] if character else []), *doubt.targets))
    if isinstance(told, Told):
        return f"words of {told.post} may explain it and were not read: {told.words[:200]}"
    return told


# -- one look a code ------------------------------------------------------------------------------------


def _total(doubt: Doubt) -> Told | str | None:
    who = [doubt.character] if doubt.character else []
    free = doubt.find(FREE, who) if doubt.turn.tables.free_attack in doubt.sizes else None
    return labelled(doubt) or free or signed_words(doubt, BONUS, (*who, *doubt.targets), 1)


def _defense(doubt: Doubt) -> Told | str | None:
    """Stance, binding, a Reaction Ability, or a changed Defense, told of the target."""
    for name in doubt.targets or ((doubt.character,) if doubt.character else ()):
        target = doubt.turn.arena.fighters.get(name)
        if target is None or target.defense is None:
            continue
        before = doubt.turn.arena.told_defenses.setdefault(name, {})
        for step in doubt.steps & before.keys():
            return before[step]
        found = _changed_defense(doubt, target)
        if found is not None:
            # What is told once may hold to the end: nobody tells it again at each attack.
            before.update(dict.fromkeys(doubt.steps, found))
            return found
        addend = labelled(doubt) or by_tag(doubt, "defense")
        if addend is not None:
            return addend
    return None


def _changed_defense(doubt: Doubt, target: Fighter) -> Told | None:
    turn, name = doubt.turn, target.name
    told = doubt.find(DEFENDS, [name], back=_LASTS, numbers=(doubt.claimed, *doubt.sizes))
    if told is not None:
        return told
    if any(_raises(turn, ability, doubt.sizes) for ability in abilities_of(turn)):
        told = by_ability(doubt, ("defense",))
        if told is not None:
            return told
    levels = {0, *(costs.get("defense", 0) for costs in turn.tables.penalties("legs").values())}
    if not doubt.sizes.isdisjoint({abs(a - b) for a in levels for b in levels}):
        told = doubt.find(BINDS, [name], back=_LASTS)
        if told is not None:
            return told
    return None if target.enemy or doubt.sizes.isdisjoint((1, 2, 3, 4, 5)) else stance_told(doubt, target)


def stance_told(doubt: Doubt, target: Fighter) -> Told | None:
    """Words about a player's stance: in the last own post without a Move tag, or in the post at hand."""
    entries = doubt.turn.arena.case.entries
    account = target.player.casefold()
    for entry in reversed(entries[: place_of(doubt)]):
        if entry.post.author.casefold() == account and entry.kind == "turn":
            if any(isinstance(claim.data, Move) for claim in entry.reading.claims):
                return None
            told = doubt.turn.arena.telling.tells(entry, stance_of(target.name), [target.name])
            own = told or doubt.turn.arena.telling.tells(entry, OWN_STANCE, [target.name])
            if own is not None:
                return own
            break
    announced = _announced_stance(doubt, target)
    return announced or doubt.find(stance_of(target.name), [target.name])


def _announced_stance(doubt: Doubt, target: Fighter) -> Told | None:
    """`[Announce: Volt Lash on Golem 1, feet planted]`: words in the tag itself."""
    for entry in reversed(doubt.turn.arena.case.entries[: place_of(doubt) + 1]):
        if entry.post.author.casefold() == target.player.casefold() and entry.kind == "turn":
            for claim in entry.reading.claims:
                if isinstance(claim.data, Announce) and STANCES.search(claim.quote[:400]):
                    return Told(entry.post.id, entry.post.author, claim.quote)
            return None
    return None


def _raises(turn: Turn, name: str, sizes: frozenset[int]) -> bool:
    ability = turn.tables.ability(name)
    return ability is not None and ability.type == "reaction" and ability.defense in sizes


def _damage(doubt: Doubt) -> Told | str | None:
    who = (*([doubt.character] if doubt.character else []), *doubt.targets)
    shield = doubt.find(SHIELDS if any(step < 0 for step in doubt.steps) else DOUBLES, who)
    return (
        labelled(doubt)
        or signed_words(doubt, BONUS, who, 1)
        or by_ability(doubt, ("reduce",))
        or by_tag(doubt, "reduce")
        or shield
    )


def _level(doubt: Doubt) -> Told | None:
    """A binding, or its coming off, told of whomever the level belongs to."""
    data = doubt.claim.data if doubt.claim is not None else None
    if isinstance(data, Escape):
        bound = data.helped or data.actor or doubt.character
        helped = _bonus_told(doubt, data.roll.bonuses)
        if helped is not None:
            return helped
        return doubt.find(BINDS, [bound] if bound else (), back=_LASTS)
    stated = isinstance(data, HitPoints | Bonds)
    told = doubt.find(BINDS, [doubt.character] if stated and doubt.character else doubt.targets, back=_LASTS)
    # The heading of a table tells of nobody's bindings.
    return None if told is not None and told.words.count("|") > 1 else told


def _bonus_told(doubt: Doubt, bonuses: tuple[int, ...]) -> Told | None:
    """A bonus of the tag that a sentence names, as a signed number: `Hana holds the rope: +4`."""
    wanted = set(map(abs, bonuses))
    for told in doubt.turn.arena.telling.sentences(doubt.turn.entry, 1):
        if not wanted.isdisjoint(int(found["n"]) for found in SIGNED.finditer(told.words)):
            return told
    return None


def _hp(doubt: Doubt) -> Told | str | None:
    data = doubt.claim.data if doubt.claim is not None else None
    name = doubt.character
    if name is None or name not in doubt.turn.arena.fighters or not isinstance(data, HitPoints):
        return None
    who = [name]
    if any(step > 0 for step in doubt.steps):
        found = (
            doubt.find(HEALS, who, back=NEAR)
            or _retracted(doubt)
            or doubt.find(RETURNS, who, back=NEAR)
            or doubt.find(SHIELDS)
            or by_ability(doubt, ("reduce",))
            or by_tag(doubt, "reduce")
            or (doubt.find(HARMLESS, back=NEAR) if not doubt.turn.kinds.isdisjoint((TrapRoll,)) else None)
        )
        if found is not None:
            return found
    if any(step < 0 for step in doubt.steps):
        return (
            _sum_told(doubt, name)
            or doubt.find(AFFLICTS, who, back=NEAR, named=True)
            or doubt.find(DOUBLES, who, back=1)
            or doubt.find(SHIELDS, who, named=True)
            or _blow_told(doubt, name)
        )
    return None


def _retracted(doubt: Doubt) -> Told | None:
    """A blow that is taken back, in the post or in its author's correction of it, which is no entry of its own."""
    posts, post = doubt.turn.arena.case.battle.posts, doubt.turn.entry.post
    place = next((place for place, other in enumerate(posts) if other.id == post.id), len(posts))
    for later in posts[place + 1 : place + 3]:
        if later.author != post.author:
            break
        for block in later.blocks:
            found = RETRACTED.search(plain(block.text[:_MOST_LOOKED])) if block.kind == "own" else None
            if found is not None:
                return Told(later.id, later.author, " ".join(block.text[:200].split()))
    return doubt.find(RETRACTED, back=1)


def _sum_told(doubt: Doubt, name: str) -> Told | None:
    """Damage told as numbers that come to the difference, in one sentence or several."""
    telling = doubt.turn.arena.telling
    amounts: list[int] = []
    first: Told | None = None
    for told in telling.sentences(doubt.turn.entry, 2 * NEAR, HURT):
        about = names_somebody(doubt, told.words, name) or _SOMEBODY.search(told.words)
        if about:
            amounts += sorted(numbers_in(_OF_NAMES.sub("", told.words)) - {0})
            first = first or told
    rows = amounts[:_MOST_AMOUNTS]
    sums = {sum(some) for size in range(1, len(rows) + 1) for some in combinations(rows, size)}
    return first if not sums.isdisjoint(-step for step in doubt.steps) else None


def _blow_told(doubt: Doubt, name: str) -> Told | None:
    """A blow told without its number, in a post that has no attack on that fighter."""
    for claim in doubt.turn.entry.reading.claims:
        if isinstance(claim.data, Strike) and (name in claim.data.targets or claim.data.itself == name):
            return None
    told = doubt.find(blow(name))
    counted = frozenset(n for other in doubt.turn.arena.fighters for n in numbers_in(other))
    return told if told is not None and numbers_in(told.words) <= counted else None


def _stance(doubt: Doubt) -> Told | None:
    """Melee while standing: the enemy is told to have struck, or not to move; or the player to move."""
    who = doubt.targets
    struck = (doubt.find(blow_by(name), [name], back=_LASTS, named=True) for name in who)
    stands = (doubt.find(stance_of(name), [name], back=2) for name in who)
    return next((told for told in chain(struck, stands) if told is not None), None)


def _struggles(doubt: Doubt) -> Told | None:
    return None if Move in doubt.turn.kinds else _own_stance(doubt)


def _own_stance(doubt: Doubt) -> Told | None:
    """Words about the stance of whom a finding is about, in the post at hand."""
    who = [doubt.character] if doubt.character else []
    named = (doubt.find(stance_of(name), [name]) for name in who)
    return next((told for told in named if told is not None), None) or doubt.find(OWN_STANCE, who)


def _early(doubt: Doubt) -> Told | None:
    """A turn or round of 3 or more told in words."""
    for told in doubt.turn.arena.telling.sentences(doubt.turn.entry, NEAR):
        for found in TURN.finditer(told.words):
            words = found["after"] or found["before"]
            if not words.isdigit() or int(words) >= doubt.turn.tables.special_from:
                return told
    return None


def _free_attack(doubt: Doubt) -> Told | None:
    who = [doubt.character] if doubt.character else []
    if doubt.claim is None:
        return doubt.find(FREE, back=NEAR)
    free = isinstance(doubt.claim.data, Strike) and doubt.claim.data.free
    return None if free else doubt.find(ITSELF, who) or doubt.find(HURT, who)


def _announce(doubt: Doubt) -> Told | None:
    meant = [name for said in doubt.turn.announced for name in said.targets]
    return doubt.find(INSTEAD, (*doubt.targets, *meant, *([doubt.character] if doubt.character else [])))


def _trap(doubt: Doubt) -> Told | None:
    return doubt.find(HARMLESS, back=2) or (None if Move in doubt.turn.kinds else _own_stance(doubt))


def _down(doubt: Doubt) -> Told | None:
    who = [doubt.character] if doubt.character else []
    return doubt.find(RETURNS, who, back=_LASTS) or doubt.find(HEALS, who, back=NEAR, named=True)


def _renewed(doubt: Doubt) -> Told | None:
    return doubt.find(RENEWED, back=_LASTS)


def _out_of_turn(doubt: Doubt) -> Told | None:
    """The GM has told of something since the player's last action: a post in prose may be the GM's turn (X11)."""
    arena = doubt.turn.arena
    fighter = arena.fighters.get(doubt.character or "")
    if fighter is None:
        return None
    for entry in reversed(arena.case.entries[: place_of(doubt)]):
        account = entry.post.author.casefold()
        if account == fighter.player.casefold() and entry.kind == "turn":
            return None
        if arena.voice(entry.post.author).gm:
            told = arena.telling.tale(entry)
            if told is not None:
                return told
    return None


#: What a tag in a spoiler may explain: it changes numbers.
_HIDDEN = frozenset(("hp", "bind-level", "escape", "free-attack", "acts-while-down"))

_LOOKS: Mapping[str, Callable[[Doubt], Told | str | None]] = {
    "total": _total,
    "defense": _defense,
    "outcome": lambda doubt: doubt.find(RESULTS),
    "damage": _damage,
    "bind-level": _level,
    "escape": _level,
    "hp": _hp,
    "stance": _stance,
    "struggles": _struggles,
    "too-early": _early,
    "cooldown": _renewed,
    "uses": _renewed,
    "roll-per-target": lambda _: None,
    "free-attack": _free_attack,
    "announce": _announce,
    "trap": _trap,
    "acts-while-down": _down,
    "post/out-of-turn": _out_of_turn,
}
