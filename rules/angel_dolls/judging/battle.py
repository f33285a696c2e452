"""Replays a battle of dolls post by post and judges every line of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

from referee.model.report import Evidence, Outcome, PoolState
from referee.ports.reading import squeeze
from referee.ports.rules import Case, Entry, Verdict
from referee.ports.sayings import all_of, one_of
from rules.angel_dolls.judging import damage, lines
from rules.angel_dolls.judging.chain import judge_chains
from rules.angel_dolls.judging.changes import apply_change
from rules.angel_dolls.judging.corrections import apply_correction
from rules.angel_dolls.judging.doubts import braced_perhaps, open_all, open_up
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.pools import judge_award, judge_full, judge_hp, judge_sheet_block, judge_sheets
from rules.angel_dolls.judging.rolls_below import find_rolls
from rules.angel_dolls.judging.rulings import apply_behind, apply_rulings
from rules.angel_dolls.judging.state import Block, Bout, open_bout
from rules.angel_dolls.judging.strangle import judge_strangle
from rules.angel_dolls.judging.workings import fallen_lines
from rules.angel_dolls.statements import (
    Award,
    Change,
    Check,
    FullDefense,
    Heading,
    Notes,
    PoolLine,
    SheetBlock,
    Simultaneous,
    Winner,
)


def judge(case: Case) -> Verdict:
    """Replay all posts; findings go to the book, the verdict says where the pools stand."""
    bout = open_bout(case)
    judge_sheets(bout, case.entries)
    states: dict[str, Mapping[str, Mapping[str, PoolState]]] = {}
    for entry in case.entries:
        apply_rulings(bout, entry)
        if entry.kind == "correction":
            apply_correction(bout, entry)
        elif entry.kind == "turn":
            _post(bout, entry)
        else:
            continue
        apply_behind(bout, entry)
        states[entry.post.id] = _states(bout)
    return Verdict(states, {}, _outcome(bout), frozenset(bout.rulings_used))


def _post(bout: Bout, entry: Entry) -> None:
    """Judge one post; a judge's post ends the round (X17)."""
    judges = bout.case.sheets.judges
    play = Play(bout, entry, not judges or entry.post.author.casefold() in judges)
    claims = entry.reading.claims
    stated = {type(claim.data) for claim in claims}
    if FullDefense in stated:
        play.later_full = {c.data.who for c in claims if isinstance(c.data, FullDefense) and c.data.who}
    if play.judged or Check in stated:
        judge_chains(play)
    if Check in stated:
        find_rolls(play)
    slips = entry.reading.notes.slips if isinstance(entry.reading.notes, Notes) else {}
    unread = sorted(entry.reading.unread, key=attrgetter("span"))
    starts = [found.span[0] for found in unread]
    opened = 0
    hidden = play.judged and any([found.hides for found in unread])
    if unread and play.judged:
        braced_perhaps(play)
    for place, claim in enumerate(claims):
        if opened < len(unread):
            before = bisect_left(starts, claim.span[0])
            open_up(play, unread[opened:before])
            opened = max(opened, before)
        if hidden:
            open_all(play)
        play.begin(claim, entry.before.get(place), slips.get(place))
        _HANDLERS.get(type(claim.data), _nothing)(play, claim.data)
        if play.old is not None:
            play.block.faulty = True
    open_up(play, unread[opened:])
    if hidden:
        open_all(play)
    play.settle_unlinked()
    if play.judged and not stated.isdisjoint(_ACTS):
        bout.turn += 1


#: A means with more blanks is a sentence.
_MEANS_BLANKS = 4
#: What makes a judge's post a round.
_ACTS = frozenset({Heading, Check, FullDefense, Change})


def _nothing(play: Play, data: Any) -> None:
    """Claims that change nothing by themselves."""


def _heading(play: Play, heading: Heading) -> None:
    """An attack begins."""
    bout = play.bout
    element = heading.element
    key = squeeze(heading.means or "")
    power = bout.numbers.powers.get(key)
    worn = key in bout.worn
    play.block = Block(
        heading.attacker,
        heading.defender,
        heading.manoeuvre,
        heading.part,
        heading.means,
        key,
        heading.target,
        frozenset([found for found in (element, power) if found]),
        known=play.old is None,
        doubtful=play.old is not None,
        strange=not (power or worn) and _strange(play, heading, key),
        was=play.old.data if play.old and isinstance(play.old.data, Heading) else None,
    )
    if element is not None and power is None and not worn:
        message = f"{heading.means} is in no table of powers: its element is taken from the post"
        play.unchecked(f"power:{key}", message, heading.attacker)
    _may_act(play, heading)
    if play.judged or not bout.case.sheets.judges:
        _may_use(play, heading)


def _strange(play: Play, heading: Heading, key: str) -> bool:
    """Whether means in no table may be a power all the same: named like one, or with a kind in brackets."""
    means = heading.means
    if not means or heading.manoeuvre or heading.element or key in play.bout.numbers.gear:
        return False
    if not means.istitle() and not (means.isupper() and means.endswith(")")):
        return False
    message = f"{means} is in no table of powers: its affinities and its bonus while entangled are not checked"
    if means.endswith(")"):
        play.unchecked(f"power:{key}", message, heading.attacker)
    return True


def _may_act(play: Play, heading: Heading) -> None:
    """A fallen doll does not attack (D16), nor one in Full Defense (D9)."""
    doll = play.bout.doll(heading.attacker)
    if doll is None or doll.name in play.acted or _only_talked_of(play, heading):
        return
    together = play.together
    mutual = together is not None and doll.name == together.second and doll.name not in play.fallen_before
    if doll.down and not mutual:
        play.acted.add(doll.name)
        message = f"{doll.name} has no HP left at this point and attacks"
        play.add("acts-while-down", doll.name, None, None, message, fallen_lines(doll), ("D16",))
    elif doll.name in play.full:
        play.acted.add(doll.name)
        message = f"{doll.name} defends fully this round and attacks"
        said = [c for c in play.entry.reading.claims if isinstance(c.data, FullDefense) and c.data.who == doll.name]
        evidence = [Evidence(play.entry.post.id, claim.quote) for claim in said]
        play.add("full-defense", doll.name, None, None, message, (), ("D9",), evidence=evidence)
    play.block.faulty = False


def _only_talked_of(play: Play, heading: Heading) -> bool:
    """Whether a sentence only has the form of a heading: `Riget -> Sedrik, that is how the odds stand: 12 to 1`.

    No check follows it, and many words stand where a weapon, a power or another means does.
    """
    means = heading.means or ""
    if heading.manoeuvre or heading.element or means.count(" ") < _MEANS_BLANKS or play.block.strange:
        return False
    key = squeeze(means)
    if key in play.bout.worn or key in play.bout.numbers.powers:
        return False
    claims = play.entry.reading.claims
    following = next((c for c in claims if c.span[0] > play.claim.span[0]), None)
    return following is None or not isinstance(following.data, Check)


#: Why a thing is out: in words, with the rules.
_OUT: dict[str, tuple[str, tuple[str, ...]]] = {
    "disarmed": ("it was lost and not retrieved", ("D11", "D15")),
    "uncontrolled": ("control of it was lost", ("D13",)),
    "shattered": ("it is shattered", ("D13",)),
    "held": ("it is entangled", ("D14", "D15")),
    "disabled": ("it is disabled", ("D12",)),
}


def _may_use(play: Play, heading: Heading) -> None:
    """A weapon or accessory that is out can't be used (NA14)."""
    doll = play.bout.doll(heading.attacker)
    item = play.block.means_of(doll) if doll else None
    if doll is None or item is None or play.bout.standing(doll, item) != "out":
        return
    held = [h.said for h in play.bout.holds_on(doll.name) if h.part == "weapon"]
    lost = [reason for reason, sure in item.lost.items() if sure]
    reasons = lost or (["held"] if held else ["disabled"])
    words = all_of(_OUT.get(reason, (reason, ()))[0] for reason in reasons)
    message = f"the {item.name} of {doll.name} can't be used now: {words}"
    rules = sorted({rule for reason in reasons for rule in _OUT.get(reason, ("", ()))[1]})
    evidence = [Evidence(*said) for said in (held if reasons == ["held"] else [item.said]) if said is not None]
    trace = []
    if reasons == ["disabled"] and item.until:
        trace.append(f"out to the end of round {one_of(sorted(item.until))}; this is round {play.bout.turn}")
    play.block.weapon_out = True
    play.add("weapon-out", doll.name, None, None, message, trace, rules, evidence=evidence)
    play.block.faulty = False


def _check(play: Play, check: Check) -> None:
    check = lines.in_order(play, check)
    if damage.at_weapon(play, check):
        check = replace(check, kind="weapon")
    _CHECKS[check.kind](play, check)


def _together(play: Play, strike: Simultaneous) -> None:
    play.together, play.struck_first = strike, False
    play.fallen_before = frozenset(name for name, doll in play.bout.dolls.items() if doll.down)


def _change(play: Play, change: Change) -> None:
    """Only who judges changes the standing; a player's sentence is a wish."""
    if play.judged:
        apply_change(play, change)


def _winner(play: Play, winner: Winner) -> None:
    if play.judged:
        play.bout.winner = winner.names


_CHECKS: Mapping[str, Callable[[Play, Check], None]] = {
    "hit": lines.judge_hit,
    "damage": damage.judge_damage,
    "disarm": lines.judge_disarm,
    "weapon": damage.judge_weapon,
    "control": lines.judge_control,
    "strangle": judge_strangle,
}
_HANDLERS: Mapping[type, Callable[[Play, Any], None]] = {
    Heading: _heading,
    Check: _check,
    PoolLine: judge_hp,
    FullDefense: judge_full,
    Simultaneous: _together,
    Change: _change,
    Award: judge_award,
    Winner: _winner,
    SheetBlock: judge_sheet_block,
}


def _states(bout: Bout) -> dict[str, Mapping[str, PoolState]]:
    """HP of all dolls, and of weapons that were damaged."""
    found: dict[str, Mapping[str, PoolState]] = {}
    for doll in bout.dolls.values():
        pools = {"hp": doll.hp.state()}
        for item in doll.items.values():
            if item.pool.changed >= 0:
                pools[f"hp of {item.name}"] = item.pool.state()
        found[doll.name] = pools
    return found


def _outcome(bout: Bout) -> Outcome:
    """The judge's word, else what the HP say: the last side with a doll standing has won."""
    if bout.winner:
        return Outcome("won", bout.winner, "as the judge says")
    fallen = [doll for doll in bout.dolls.values() if doll.down]
    if not fallen:
        return Outcome("ongoing" if bout.dolls else "unknown")
    standing = [doll for doll in bout.dolls.values() if not doll.down]
    if not standing:
        return Outcome("drawn", None, "nobody has HP left")
    if len({doll.character.side or doll.name for doll in standing}) == 1:
        return Outcome("won", tuple(doll.name for doll in standing), "the others have no HP left")
    return Outcome("ongoing")
