"""The replay: walk over the posts of a battle, judge each claim, keep both ledgers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from referee.model.claims import Claim, Unread
from referee.model.report import Evidence, Outcome
from referee.ports.rules import Case, Entry, Verdict
from rules.d20_arena.endings import all_down
from rules.d20_arena.judging.escape import check_struggles, judge_escape
from rules.d20_arena.judging.hidden import judge_hidden
from rules.d20_arena.judging.late import apply_correction, may_have_changed
from rules.d20_arena.judging.limits import down
from rules.d20_arena.judging.opening import arena_of
from rules.d20_arena.judging.pools import (
    judge_bonds,
    judge_hp,
    judge_mend,
    judge_shield,
    judge_use,
    read_sheet,
)
from rules.d20_arena.judging.rulings import apply_rulings
from rules.d20_arena.judging.state import ENEMIES, PLAYERS, Arena, Debt, Fighter, Turn
from rules.d20_arena.judging.strike import judge_strike
from rules.d20_arena.judging.told import explained
from rules.d20_arena.judging.trap import judge_trap
from rules.d20_arena.judging.unread import judge_unread, open_correction, open_turn, stance_beside
from rules.d20_arena.records import (
    ACTS,
    MOVING,
    STANDING,
    Announce,
    Bonds,
    Escape,
    HiddenHp,
    HitPoints,
    Mend,
    Move,
    Reaction,
    SheetLine,
    Strike,
    TrapRoll,
    Use,
)
from rules.d20_arena.stance import ENGAGED, EVADING, Footing
from rules.d20_arena.turn import stance_of

_UNBOUND = frozenset((0,))

#: What makes a post an acting one.
_DOING = frozenset((*ACTS, TrapRoll))

#: What is a phase of a turn.
_PHASES = _DOING | {Move, Announce}

_BOTH = frozenset((MOVING, STANDING))
_ENGAGED, _EVADING = frozenset((ENGAGED,)), frozenset((EVADING,))
_EITHER = _ENGAGED | _EVADING
#: What leaves it as it is into what a turn went; an attack that is changed into another deed is no attack any more.
_NO_DEEDS = (HitPoints, Strike, TrapRoll, Reaction)


def judge(case: Case) -> Verdict:
    """Replay a battle: findings go to the case's book, pools and outcome into the verdict."""
    arena = arena_of(case, explained)
    for entry in case.entries:
        if entry.kind == "correction":
            apply_correction(arena, entry)
            open_correction(arena, entry)
        elif entry.kind == "turn":
            _judge_post(arena, entry)
    return Verdict(arena.states, arena.speakers, outcome_of_battle(arena), frozenset(arena.rulings_used))


def _judge_post(arena: Arena, entry: Entry) -> None:
    if arena.rulings:
        apply_rulings(arena, entry)
    turn = _turn(arena, entry)
    if turn.gm:
        _begin_round(turn)
    _begin_turns(turn)
    for place, item in _items(entry):
        turn.at = place
        if isinstance(item, Unread):
            judge_unread(turn, item)
        elif (judge_one := _JUDGES.get(type(item.data))) is not None:
            judge_one(turn, item, item.data)
    turn.at = -1
    if turn.struggles and not entry.added:
        check_struggles(turn)
    _end_turns(turn)
    if turn.gm:
        _settle_debts(turn)
    _record(turn)


def _items(entry: Entry) -> Iterable[tuple[int, Claim | Unread]]:
    """Claims with their places and unread tags, in the order of the post."""
    if not entry.reading.unread:
        return enumerate(entry.reading.claims)
    rows: list[tuple[int, int, Claim | Unread]] = [(c.span[0], i, c) for i, c in enumerate(entry.reading.claims)]
    rows += [(u.span[0], -1, u) for u in entry.reading.unread]
    rows.sort(key=lambda row: row[:2])
    return ((place, item) for _, place, item in rows)


def _turn(arena: Arena, entry: Entry) -> Turn:
    """The post at hand: who speaks, stance and announcements (which count for the whole post)."""
    voice = arena.voice(entry.post.author)
    edited = bool(entry.before or entry.added or entry.gone)
    records = [claim.data for claim in entry.reading.claims]
    kinds = frozenset(map(type, records))
    turn = Turn(arena, entry, voice.own, voice.players, voice.by, voice.gm, arena.over(), edited, kinds)
    if Escape in kinds:
        turn.mixed = _mixed(turn)
    if Move in kinds:
        turn.stance = stance_of([said.stance for said in records if isinstance(said, Move)])
        turn.stances = frozenset((turn.stance,))
    if Announce in kinds:
        turn.announced = tuple([said for said in records if isinstance(said, Announce)])
        stance_beside(turn)
    if edited:
        _edited(turn)
    if entry.reading.unread:
        open_turn(turn)
    return turn


def _edited(turn: Turn) -> None:
    """A post that was changed late: stance and announcement of either text hold (G20)."""
    entry = turn.entry
    old = [claim.data for claim in (*entry.before.values(), *entry.gone)]
    new = [entry.reading.claims[place].data for place in (*entry.before, *entry.added)]
    turn.stances |= {said.stance for said in old if isinstance(said, Move)}
    if any(isinstance(said, Move) for said in new) and not any(isinstance(said, Move) for said in old):
        turn.stances |= {stance_of(())}
    if any(isinstance(said, Announce | Strike | Use | Mend | Escape) for said in (*old, *new)):
        turn.excused.update(turn.arena.fighters)
    for claim in entry.gone:
        may_have_changed(turn.arena, entry, claim.data, None)


def _mixed(turn: Turn) -> frozenset[str]:
    """Who struggles and acts besides in this post."""
    struggling: set[str] = set()
    acting: set[str] = set()
    for claim in turn.entry.reading.claims:
        data = claim.data
        if not isinstance(data, ACTS) or _is_free(claim) or (isinstance(data, Use) and data.ability is None):
            continue
        fighter = turn.fighter(data.actor)
        if fighter is not None:
            (struggling if isinstance(data, Escape) and data.helped is None else acting).add(fighter.name)
    return frozenset(struggling & acting)


def _begin_round(turn: Turn) -> None:
    """A GM post begins: players may post again, everybody may react again (X11, ND21)."""
    for fighter in turn.arena.fighters.values():
        fighter.reacted = False
        fighter.acted = False
        fighter.half = frozenset()
    if turn.arena.debts:
        turn.start_down = frozenset(turn.arena.fighters) - turn.alive()


def _begin_turns(turn: Turn) -> None:
    """Count the own turns that this post makes; a second acting post of a round is out of turn (X11)."""
    acts = not turn.kinds.isdisjoint(_DOING)
    for fighter in _acting(turn):
        if fighter.enemy:
            fighter.turn += 1
            continue
        _count_turn(turn, fighter, acts)
        if not acts:
            fighter.half = turn.stances
            continue
        if fighter.acted:
            _again(turn, fighter)
        fighter.acted = True


def _count_turn(turn: Turn, fighter: Fighter, acts: bool) -> None:
    """One post is one turn (ND14); a post without action and the one that acts after it are one (G28)."""
    if not fighter.half:
        fighter.turn += 1
        return
    if acts:
        if Move not in turn.kinds and turn.opened.isdisjoint(("move", "any")):
            turn.stances = fighter.half
            turn.stance = next(iter(fighter.half)) if len(fighter.half) == 1 else turn.stance
        turn.announced = turn.announced or fighter.announced
        fighter.half = frozenset()


def _again(turn: Turn, fighter: Fighter) -> None:
    """A second acting post before the GM's next: reported once, and its effects may count or not."""
    turn.told.add(f"again:{fighter.name}")
    turn.doubtful.add(fighter.name)
    if not turn.over and not down(fighter) and any(f.enemy for f in turn.arena.fighters.values()):
        message = f"{fighter.name} has acted since the GM's last post already"
        quotes = [Evidence(turn.entry.post.id, c.quote) for c in turn.entry.reading.claims if isinstance(c.data, ACTS)]
        trace = ["every player acts once a round, in any order; then the GM posts"]
        turn.report("post/out-of-turn", None, message, character=fighter.name, evidence=quotes[:1], trace=trace)


def _acting(turn: Turn) -> Iterable[Fighter]:
    """The fighters whose turn this post is."""
    if not turn.gm and len(turn.players) == 1:
        return turn.players
    named = {getattr(c.data, "actor", None) for c in turn.entry.reading.claims if not _is_free(c)}
    return [f for f in (turn.own if turn.gm else turn.players) if f.name in named]


def _is_free(claim: Claim) -> bool:
    return isinstance(claim.data, Strike) and claim.data.free


#: Which check judges which record; the others count for the whole post and are judged with it.
_JUDGES: dict[type, Callable[[Turn, Claim, Any], None]] = {
    Strike: judge_strike,
    HitPoints: judge_hp,
    HiddenHp: judge_hidden,
    Bonds: judge_bonds,
    Escape: judge_escape,
    Use: judge_use,
    Mend: judge_mend,
    TrapRoll: judge_trap,
    Reaction: judge_shield,
    SheetLine: read_sheet,
}


def _end_turns(turn: Turn) -> None:
    """What each fighter's footing is until its next turn (A3 to A5), and what it has announced."""
    for fighter in turn.players:
        done = _done(turn, fighter)
        stood = _footings(turn.stances, done)
        footings = _footings(_BOTH, done) if turn.lenient else stood
        unclear = f"again:{fighter.name}" in turn.told or (
            fighter.name not in turn.moved and turn.speaker is not fighter
        )
        if _says_nothing(turn) or unclear:
            footings |= fighter.footings
            stood |= fighter.stood
        fighter.footings, fighter.stood = footings, stood
        fighter.announced = () if fighter.name in turn.moved else turn.announced


@lru_cache(maxsize=64)
def _footings(stances: frozenset[str], done: frozenset[str]) -> frozenset[Footing]:
    """Every stance with everything that may have been done in it."""
    return frozenset((stance, did) for stance in stances for did in done)


def _says_nothing(turn: Turn) -> bool:
    """A post without any phase of a turn in it."""
    return turn.kinds.isdisjoint(_PHASES)


def _done(turn: Turn, fighter: Fighter) -> frozenset[str]:
    """Whether the turn went into attacks and aid, or only into struggles and self skills."""
    if fighter.name in turn.weak or (turn.edited and _other_deeds(turn)):
        return _EITHER
    if fighter.name in turn.unlike:
        meant = frozenset(did for said in turn.announced for did in _intended(turn, said))
        return meant | _went(turn, fighter) or _EITHER
    return _went(turn, fighter) or _left_open(turn)


def _other_deeds(turn: Turn) -> bool:
    """Whether a late edit may have changed into what the turn went: not where both texts have attacks (G20)."""
    entry = turn.entry
    alone = [*entry.gone, *(entry.reading.claims[place] for place in entry.added)]
    if any(isinstance(claim.data, Strike) for claim in alone):
        return True
    claims = [*alone, *entry.before.values(), *(entry.reading.claims[place] for place in entry.before)]
    return not all(
        _intended(turn, data) == _ENGAGED if isinstance(data, Announce) else isinstance(data, _NO_DEEDS)
        for data in (claim.data for claim in claims)
    )


def _went(turn: Turn, fighter: Fighter) -> frozenset[str]:
    """Into what the turn went by what was done in it; nothing where nothing was."""
    if turn.acts.get(fighter.name):
        return _ENGAGED
    if turn.struggles.get(fighter.name) or turn.selfish.get(fighter.name):
        return _EVADING
    return frozenset()


def _left_open(turn: Turn) -> frozenset[str]:
    """Into what a turn without any action went."""
    if turn.trap_open and turn.announced:
        return frozenset(did for said in turn.announced for did in _intended(turn, said))
    return _EITHER


def _intended(turn: Turn, said: Announce) -> frozenset[str]:
    """What an announced turn would have been whose action a trap took (ND23)."""
    if said.what == "struggle":
        return _EVADING
    ability = turn.tables.ability(said.ability)
    if said.what == "ability" and ability is None:
        return _EITHER
    return _EVADING if ability is not None and ability.type == "self" else _ENGAGED


def _settle_debts(turn: Turn) -> None:
    """Free attacks that were due in this GM post (A14, ND11)."""
    arena = turn.arena
    if not arena.debts or (turn.kinds.isdisjoint(ACTS) and not turn.paid and "any" not in turn.opened):
        return
    paid = list(turn.paid)
    own = {fighter.name for fighter in turn.own}
    # Where several accounts play the enemies, each makes the free attacks of its own.
    later = [debt for debt in arena.debts if debt.enemy not in own or _in_next_post(turn, debt)]
    for debt in arena.debts:
        if debt in later:
            continue
        if (debt.enemy, debt.player) in paid:
            paid.remove((debt.enemy, debt.player))
            continue
        if _spared(turn, debt) or turn.entry.reading.unread or turn.edited or turn.over:
            continue
        message = (
            f"{debt.player} failed critically against {debt.enemy} in {debt.post}; the free attack is missing here"
        )
        turn.report(
            "free-attack",
            None,
            message,
            character=debt.enemy,
            rules=("A14",),
            evidence=(Evidence(debt.post, debt.quote),),
            trace=[f"due: one attack of {debt.enemy} on {debt.player} at {turn.tables.free_attack:+d} to hit"],
        )
    arena.debts[:] = later


def _in_next_post(turn: Turn, debt: Debt) -> bool:
    """Whether the GM goes on in the very next post and makes the free attack there: both are one GM's turn."""
    entries = turn.arena.case.entries
    place = next((place for place, entry in enumerate(entries) if entry is turn.entry), len(entries)) + 1
    if place >= len(entries) or entries[place].post.author.casefold() != turn.entry.post.author.casefold():
        return False
    strikes = [claim.data for claim in entries[place].reading.claims if isinstance(claim.data, Strike)]
    return any(did.free and did.actor == debt.enemy and debt.player in did.targets for did in strikes)


def _spared(turn: Turn, debt: Debt) -> bool:
    """Whether enemy or player may have been at 0 HP when the free attack was to be made (ND11).

    It could have been made at the latest when that enemy acted; if it did not act, by the post's end. Who falls by
    its own critical fail in the post makes none any more.
    """
    up = turn.met_alive.get(debt.enemy, turn.alive()) & (turn.alive() | {debt.player})
    pair = {debt.enemy, debt.player}
    fated = any(turn.arena.fighters[name].fate is not None for name in pair)
    return bool(pair & turn.start_down) or not pair <= up or fated


def _record(turn: Turn) -> None:
    """The pools that this post touched, for the report."""
    post = turn.entry.post.id
    if turn.speaker is not None:
        turn.arena.speakers[post] = turn.speaker.name
    rows = turn.arena.states[post] = {}
    for name, fighter in turn.arena.fighters.items():
        if name not in turn.touched:
            continue
        pools = rows[name] = {"hp": fighter.hp.state()}
        for area, pool in fighter.binds.items():
            if pool.open != _UNBOUND or pool.start:
                pools[area] = pool.state()


def _stands(fighter: Fighter) -> frozenset[int] | None:
    """The readings of a fighter's HP that fit the latest statement."""
    return fighter.hp.live or fighter.hp.open if fighter.hp.open is not None else None


def outcome_of_battle(arena: Arena) -> Outcome:
    """How the battle stands (A17)."""
    enemies, players = arena.side(ENEMIES), arena.side(PLAYERS)
    if not enemies or not players:
        return Outcome("unknown")
    if all_down(_stands(f) for f in enemies):
        return Outcome("won", tuple(f.name for f in players), "all enemies are at 0 HP")
    if all_down(_stands(f) for f in players):
        return Outcome("lost", tuple(f.name for f in enemies), "all players have submitted")
    return Outcome("ongoing")
