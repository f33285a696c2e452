"""The replay: walk over the posts of a battle, judge each claim, keep both ledgers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.model.claims import Claim, Unread
from referee.model.report import Outcome
from referee.ports.rules import Case, Entry, Verdict
from rules.d20_arena.endings import all_down
from rules.d20_arena.late import apply_correction
from rules.d20_arena.reading_words import AREAS
from rules.d20_arena.records import (
    ACTS,
    MOVING,
    STANDING,
    Announce,
    Escape,
    HitPoints,
    Mend,
    Move,
    Reaction,
    SheetLine,
    Strike,
    TrapRoll,
    Use,
)
from rules.d20_arena.replay_escape import check_struggles, judge_escape
from rules.d20_arena.replay_limits import down
from rules.d20_arena.replay_pools import judge_hp, judge_mend, judge_shield, judge_trap, judge_use, read_sheet
from rules.d20_arena.replay_strike import judge_strike, loosen
from rules.d20_arena.rulings import apply_rulings
from rules.d20_arena.stance import ENGAGED, EVADING
from rules.d20_arena.state import ENEMIES, PLAYERS, Arena, Debt, Fighter, Turn, arena_of
from rules.d20_arena.turn import stance_of

_ACTION = re.compile(
    r"[\s\[({*-]*(?:action|free[ ]attack|struggle|help|reaction|trap|to[ ]hit|damage|binding|bind[ ]level|save)\b",
    re.IGNORECASE,
)


def judge(case: Case) -> Verdict:
    """Replay a battle: findings go to the case's book, pools and outcome into the verdict."""
    arena = arena_of(case)
    for entry in case.entries:
        if entry.kind == "correction":
            apply_correction(arena, entry)
        elif entry.kind == "turn":
            _judge_post(arena, entry)
    return Verdict(arena.states, arena.speakers, outcome_of_battle(arena), frozenset(arena.rulings_used))


def _judge_post(arena: Arena, entry: Entry) -> None:
    apply_rulings(arena, entry)
    turn = _turn(arena, entry)
    if turn.gm:
        _begin_round(turn)
    _begin_turns(turn)
    for place, item in _items(entry):
        turn.at = place
        if isinstance(item, Unread):
            _unread(turn, item)
        else:
            _judge_claim(turn, item)
    turn.at = -1
    check_struggles(turn)
    _end_turns(turn)
    if turn.gm:
        _settle_debts(turn)
    _record(turn)


def _items(entry: Entry) -> Iterator[tuple[int, Claim | Unread]]:
    """Claims with their places and unread tags, in the order of the post."""
    rows: list[tuple[int, int, Claim | Unread]] = [(c.span[0], i, c) for i, c in enumerate(entry.reading.claims)]
    if entry.reading.unread:
        rows += [(u.span[0], -1, u) for u in entry.reading.unread]
        rows.sort(key=lambda row: row[0])
    for _, place, item in rows:
        yield place, item


def _turn(arena: Arena, entry: Entry) -> Turn:
    """The post at hand: who speaks, stance and announcements (which count for the whole post)."""
    voice = arena.voice(entry.post.author)
    turn = Turn(arena, entry, voice.own, voice.by, voice.gm, arena.over())
    claims = entry.reading.claims
    moves = [c.data.stance for c in claims if isinstance(c.data, Move)]
    turn.stance = stance_of(moves)
    turn.stances = frozenset((turn.stance,))
    turn.announced = tuple(c.data for c in claims if isinstance(c.data, Announce))
    if entry.before:
        turn.stances |= {was.data.stance for was in entry.before.values() if isinstance(was.data, Move)}
        if any(isinstance(claims[i].data, Announce | Strike | Use | Mend | Escape) for i in entry.before):
            turn.excused.update(arena.fighters)
    return turn


def _begin_round(turn: Turn) -> None:
    """A GM post begins: players may post again, everybody may react again (X11, ND21)."""
    for fighter in turn.arena.fighters.values():
        fighter.reacted = False
        fighter.acted = False
        fighter.half = frozenset()
    turn.start_down = frozenset(turn.arena.fighters) - turn.alive()


def _begin_turns(turn: Turn) -> None:
    """Count the own turns that this post makes; a second acting post of a round is out of turn (X11)."""
    acts = any(isinstance(c.data, (*ACTS, TrapRoll)) for c in turn.entry.reading.claims)
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
        if not any(isinstance(c.data, Move) for c in turn.entry.reading.claims):
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
        turn.report("post/out-of-turn", None, message, character=fighter.name)


def _acting(turn: Turn) -> list[Fighter]:
    """The fighters whose turn this post is."""
    players = [f for f in turn.own if not f.enemy]
    named = {getattr(c.data, "actor", None) for c in turn.entry.reading.claims if not _is_free(c)}
    if turn.gm:
        return [f for f in turn.own if f.name in named]
    return players if len(players) == 1 else [f for f in players if f.name in named]


def _is_free(claim: Claim) -> bool:
    return isinstance(claim.data, Strike) and claim.data.free


def _judge_claim(turn: Turn, claim: Claim) -> None:
    data = claim.data
    if isinstance(data, Strike):
        judge_strike(turn, claim, data)
    elif isinstance(data, HitPoints):
        judge_hp(turn, claim, data)
    elif isinstance(data, Escape):
        judge_escape(turn, claim, data)
    elif isinstance(data, Use):
        judge_use(turn, claim, data)
    elif isinstance(data, Mend):
        judge_mend(turn, claim, data)
    elif isinstance(data, TrapRoll):
        judge_trap(turn, claim, data)
    elif isinstance(data, Reaction):
        judge_shield(turn, claim, data)
    elif isinstance(data, SheetLine):
        read_sheet(turn, data)


def _unread(turn: Turn, unread: Unread) -> None:
    """An action that could not be read may have changed what it aims at: the next statements count."""
    if not _ACTION.match(unread.quote):
        return
    turn.weak.update(f.name for f in turn.own)
    if turn.gm:
        loosen(turn, list(turn.arena.fighters.values()))
        return
    aimed = {name for said in turn.announced for name in said.targets}
    named = [f for f in turn.arena.fighters.values() if f.name in aimed]
    loosen(turn, named or turn.arena.side(ENEMIES))
    for fighter in turn.own:
        for pool in fighter.binds.values():
            pool.blur(range(-4, 1), turn.tables.bind_max)
        if unread.quote.lstrip("[({ ").casefold().startswith("trap"):
            fighter.hp.loosen()


def _end_turns(turn: Turn) -> None:
    """What each fighter's footing is until its next turn (A3 to A5), and what it has announced."""
    for fighter in turn.own:
        if fighter.enemy:
            continue
        done = _done(turn, fighter)
        stances = frozenset((MOVING, STANDING)) if turn.lenient else turn.stances
        footings = frozenset((stance, did) for stance in stances for did in done)
        unclear = f"again:{fighter.name}" in turn.told or (
            fighter.name not in turn.moved and turn.speaker is not fighter
        )
        if _says_nothing(turn) or unclear:
            footings |= fighter.footings
        fighter.footings = footings
        fighter.announced = turn.announced


def _says_nothing(turn: Turn) -> bool:
    """A post without any phase of a turn in it."""
    kinds = (*ACTS, TrapRoll, Move, Announce)
    return not any(isinstance(c.data, kinds) for c in turn.entry.reading.claims)


def _done(turn: Turn, fighter: Fighter) -> frozenset[str]:
    """Whether the turn went into attacks and aid, or only into struggles and self skills."""
    if fighter.name in turn.weak or turn.entry.before:
        return frozenset((ENGAGED, EVADING))
    if turn.acts.get(fighter.name):
        return frozenset((ENGAGED,))
    if turn.struggles.get(fighter.name) or turn.selfish.get(fighter.name):
        return frozenset((EVADING,))
    if turn.trap_open and turn.announced:
        return frozenset(did for said in turn.announced for did in _intended(turn, said))
    return frozenset((ENGAGED, EVADING))


def _intended(turn: Turn, said: Announce) -> frozenset[str]:
    """What an announced turn would have been whose action a trap took (ND23)."""
    if said.what == "struggle":
        return frozenset((EVADING,))
    ability = turn.tables.ability(said.ability)
    if said.what == "ability" and ability is None:
        return frozenset((ENGAGED, EVADING))
    return frozenset((EVADING if ability is not None and ability.type == "self" else ENGAGED,))


def _settle_debts(turn: Turn) -> None:
    """Free attacks that were due in this GM post (A14, ND11)."""
    arena = turn.arena
    acted = any(isinstance(c.data, ACTS) for c in turn.entry.reading.claims)
    if not acted and not turn.paid:
        return
    paid = list(turn.paid)
    for debt in arena.debts:
        if (debt.enemy, debt.player) in paid:
            paid.remove((debt.enemy, debt.player))
            continue
        if _spared(turn, debt) or turn.entry.reading.unread or turn.entry.before or turn.over:
            continue
        message = (
            f"{debt.player} failed critically against {debt.enemy} in {debt.post}; the free attack is missing here"
        )
        turn.report(
            "free-attack", None, message, character=debt.enemy, trace=[f"{debt.post}: {debt.quote}"], rules=("A14",)
        )
    arena.debts.clear()


def _spared(turn: Turn, debt: Debt) -> bool:
    """Whether enemy or player may have been at 0 HP when the free attack was to be made (ND11).

    It could have been made at the latest when that enemy acted; if it did not act, by the post's end.
    """
    up = turn.met_alive.get(debt.enemy, turn.alive())
    pair = {debt.enemy, debt.player}
    fated = any(turn.arena.fighters[name].fate is not None for name in pair)
    return bool(pair & turn.start_down) or not pair <= up or fated


def _record(turn: Turn) -> None:
    """The pools that this post touched, for the report."""
    post = turn.entry.post.id
    if turn.speaker is not None:
        turn.arena.speakers[post] = turn.speaker.name
    rows = {}
    for name in turn.touched:
        fighter = turn.arena.fighters[name]
        pools = {"hp": fighter.hp.state()}
        for area in AREAS:
            pool = fighter.binds[area]
            if pool.open != frozenset((0,)) or pool.start:
                pools[area] = pool.state()
        rows[name] = pools
    turn.arena.states[post] = {name: rows[name] for name in turn.arena.fighters if name in rows}


def outcome_of_battle(arena: Arena) -> Outcome:
    """How the battle stands (A17)."""
    enemies, players = arena.side(ENEMIES), arena.side(PLAYERS)
    if not enemies or not players:
        return Outcome("unknown")
    if all_down(f.hp.open for f in enemies):
        return Outcome("won", tuple(f.name for f in players), "all enemies are at 0 HP")
    if all_down(f.hp.open for f in players):
        return Outcome("lost", tuple(f.name for f in enemies), "all players have submitted")
    return Outcome("ongoing")
