"""What an unread line leaves open: the attack it may head, HP, things and holds (G19, X2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.model.claims import Reading, Unread
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.state import Block, Doll, Hold
from rules.angel_dolls.reading.near import KIND_OF

_WORD = re.compile(r"[\w'-]+")
#: Attacks that take something from a doll or hold it.
_MANOEUVRE = re.compile(r"\b(?:disarm|disabl|shatter|strangle|entangle|break)")
#: The parts that a hold of which nothing else is known may be on.
_PARTS = ("legs", "arms", "weapon", "strangle")


def doubtful_chains(reading: Reading) -> bool:
    """Whether an attack of the post could not be read: then its chains can't be told."""
    return any(KIND_OF.get(unread.reason) in (None, "attack", "check", "rolls") for unread in reading.unread)


def braced_perhaps(play: Play) -> None:
    """Where a post speaks of Full Defense or a simultaneous strike in words that can't be read, both may hold."""
    if any(unread.hides or KIND_OF.get(unread.reason) == "defense" for unread in play.entry.reading.unread):
        play.any_full = play.any_halved = True


def open_up(play: Play, unread: Sequence[Unread]) -> None:
    """Leave open what each of these unread lines may have changed."""
    for one in unread:
        kind = KIND_OF.get(one.reason)
        if kind in ("foreign", "points", "aside"):
            continue
        said = one.quote.casefold()
        if kind in (None, "attack", "check", "rolls"):
            # Lines below it may belong to it: their attack is not known.
            play.block = Block()
        if (
            kind in ("hp", "rolls")
            or "damage" in said
            or said.startswith("strangle")
            or (kind == "attack" and "hp" in said)
        ):
            for doll in play.bout.dolls.values():
                doll.hp.loose = doll.hp.told = True
                if "weapon" in said:
                    _open_weapons(doll)
        if kind == "state" or (kind == "attack" and _MANOEUVRE.search(said)):
            spoken = {word.removesuffix("'s") for word in _WORD.findall(said)}
            for doll in play.bout.dolls.values():
                if doll.name.casefold().split(" ")[0] in spoken:
                    _open_state(play, doll, said)


def open_all(play: Play) -> None:
    """Leave everything open: what stands where nothing is a claim may be any line of the post all the same."""
    for doll in play.bout.dolls.values():
        doll.hp.loose = doll.hp.told = True
        _open_weapons(doll)
        _open_state(play, doll, "held")


def _open_weapons(doll: Doll) -> None:
    for item in doll.items.values():
        item.pool.loose = item.pool.told = True


def _open_state(play: Play, doll: Doll, said: str) -> None:
    """What a doll has may be lost or regained, what holds it or what it holds may have ended or begun."""
    for item in doll.items.values():
        item.lost = dict.fromkeys(item.lost, False) or {"unread": False}
    bout = play.bout
    for hold in bout.holds:
        if doll.name in (hold.held, hold.holder):
            hold.sure = False
    if "entangle" in said or "held" in said or "hold" in said:
        held = {hold.part for hold in bout.holds_on(doll.name)}
        holder = bout.opponent(doll.name)
        bout.holds += [Hold(holder, doll.name, part, None, False, bout.turn) for part in _PARTS if part not in held]
