"""What sentences of the judge change: things lost, regained, broken; holds that begin and end (D11 to D15)."""

from __future__ import annotations

from referee.model.report import Evidence
from referee.ports.reading import squeeze
from referee.ports.sayings import one_of
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.state import Bout, Doll, Hold, Item
from rules.angel_dolls.statements import Change, Check


def apply_change(play: Play, change: Change) -> None:
    """Carry one sentence out. After a finding in the same attack it stays open whether it holds (G23).

    Not so where the outcome is the same with the written and with the right number.
    """
    sure = not play.block.faulty and play.old is None
    if change.what == "entangled" and change.who:
        _entangle(play, change, sure or (play.block.hit_sure and play.old is None))
    elif change.what == "free" and change.who:
        _free(play, change)
    elif change.what == "shatters":
        _shatter(play, change, sure)
    else:
        _item_change(play, change, sure)


def _item_change(play: Play, change: Change, sure: bool) -> None:
    doll = play.bout.doll(change.who)
    if doll is not None and change.thing is None:
        for wild in doll.items.values():
            wild.lost.pop("uncontrolled", None)
        return
    item = doll.items.get(squeeze(change.thing or "")) if doll else None
    if doll is None or item is None:
        return
    if change.what == "loses":
        sure = sure or (play.block.test_sure and play.old is None)
        item.lost["disarmed"] = sure and play.block.test in ("disarmed", None)
        weapon_gone(play.bout, doll, item)
    elif change.what == "uncontrolled":
        item.lost["uncontrolled"] = sure
    elif change.what == "regains":
        item.lost.pop("disarmed", None)
        item.lost.pop("uncontrolled", None)
        item.lost.pop("unread", None)
    elif change.what == "drops":
        item.lost["disarmed"] = True
        play.bout.holds = [h for h in play.bout.holds if (h.held, h.part) != (doll.name, "weapon")]
        weapon_gone(play.bout, doll, item)
    elif change.what == "out":
        _disabled(play, doll, item, change.turns or 0)
    if change.what != "regains":
        item.said = play.place()


def _disabled(play: Play, doll: Doll, item: Item, turns: int) -> None:
    """The accessory is out for as many further rounds as the damage written (NA12)."""
    block = play.block
    readings = {turns}
    if block.manoeuvre == "disable" and block.defender == doll.name and block.damage:
        readings |= block.damage
        if turns not in block.damage:
            right = sorted(block.damage)
            words = one_of(right)
            message = f"the {item.name} is out for as many turns as the damage, {words}; the post says {turns}"
            claims = play.entry.reading.claims
            lines = [c.quote for c in claims if isinstance(c.data, Check) and c.data.kind == "damage"]
            proof = [Evidence(play.entry.post.id, quote) for quote in lines[-1:]]
            trace = [f"damage of the disabling attack: {words}", f"turns out: {words}"]
            play.add("damage", doll.name, turns, right, message, trace, ("D12",), evidence=proof)
    item.until = tuple(play.bout.turn + number for number in sorted(readings))


def _entangle(play: Play, change: Change, sure: bool) -> None:
    """A hold begins; the entangler is the attacker of this attack, else the only opponent."""
    bout, block = play.bout, play.block
    held, part = change.who or "", change.part or ""
    mine = block.defender == held and block.manoeuvre in ("entangle", "strangle")
    holder = block.attacker if mine else bout.opponent(held)
    aimed = "strangle" if block.manoeuvre == "strangle" else block.part
    sure = sure and (not mine or (block.hit != "miss" and aimed == part))
    weapon = squeeze(block.means) if mine and block.means else None
    same = [h for h in bout.holds if (h.held, h.part, h.holder) == (held, part, holder)]
    if same:
        same[0].sure = same[0].sure or sure
        if part == "strangle" and same[0].began != bout.turn:
            same[0].steps, same[0].began = 0, bout.turn
        same[0].weapon = weapon or same[0].weapon
        return
    for hold in bout.holds:
        if weapon is not None and (hold.holder, hold.weapon) == (holder, weapon):
            hold.sure = False
    doll = bout.doll(held)
    away = tuple([item for item in doll.items.values() if any(item.lost.values())]) if doll else ()
    bout.holds.append(Hold(holder, held, part, weapon, sure, bout.turn, said=play.place(), away=away))


def _free(play: Play, change: Change) -> None:
    """Holds on a doll end: those that the sentence names, or all where it names none that holds."""
    bout = play.bout
    on = [hold for hold in bout.holds if hold.held == change.who]
    if change.thing:
        on = [hold for hold in on if hold.weapon == squeeze(change.thing)] or on
    strangles = [hold for hold in on if hold.part == "strangle"]
    others = [hold for hold in on if hold.part != "strangle"]
    ended = {"hold": strangles, "entangle": others}.get(change.part or "", on) or on
    bout.holds = [hold for hold in bout.holds if not any(hold is gone for gone in ended)]


def _shatter(play: Play, change: Change, sure: bool) -> None:
    """A weapon is gone for the match; whoever it held is free (NA21)."""
    key = squeeze(change.thing or "")
    bout = play.bout
    named = bout.doll(change.who) or bout.doll(play.block.defender)
    owners = [doll for doll in bout.dolls.values() if key in doll.items]
    doll = named if named and key in named.items else owners[0] if len(owners) == 1 else None
    if doll is None:
        return
    item = doll.items[key]
    item.lost["shattered"] = item.lost.get("shattered", False) or (sure and item.pool.admits(0)) or item.pool.empty
    item.said = play.place()
    bout.holds = [h for h in bout.holds if (h.holder, h.weapon) != (doll.name, key)]
    weapon_gone(bout, doll, item)


def weapon_gone(bout: Bout, doll: Doll, item: Item) -> None:
    """What a lost weapon held is free, and nothing holds it; the judge's sentence makes it certain (NA22)."""
    for hold in bout.holds:
        # Which weapon began a hold is not known where the heading of its attack was not read.
        unknown = hold.weapon is None and hold.part != "strangle"
        mine = hold.holder == doll.name and (unknown or hold.weapon == squeeze(item.name))
        if mine or (hold.held, hold.part) == (doll.name, "weapon"):
            hold.sure = False
