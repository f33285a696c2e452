"""Chapter 3.07 and 3.08: falling, being down, the end of a battle (S31 to S35)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor

from referee.model.battle import Ruling
from referee.model.report import Outcome, Working
from referee.ports.rules import rule
from referee.ports.sayings import one_of
from rules.shinobi.judging.fighters import Fighter
from rules.shinobi.judging.stage import FELL, Arena, Stage
from rules.shinobi.judging.turns import Said
from rules.shinobi.judging.workings import POOL_TITLES, option_line
from rules.shinobi.model import RESPONSE, Ability, Damage, Forfeit, Guard, LossTag, Setup

UP, UNCONSCIOUS, DEAD = "up", "unconscious", "dead"


@rule("S31", cites="3.07 Death and Unconsciousness")
def condition(hp: int, total: int, death_beyond: Fraction) -> str:
    """0 HP down to a tenth of the total below 0, inclusive: unconscious; lower: dead.

    With a total of 100, -6 is unconscious and -12 is dead.
    """
    if hp > 0:
        return UP
    return UNCONSCIOUS if hp >= -floor(total * death_beyond) else DEAD


@rule("S32", cites="3.07 Death and Unconsciousness")
def update_after(stage: Stage) -> None:
    """At 0 HP or less all effects on the fighter end and regeneration stops; nobody is healed above 0.

    A fall that is only possible on some reading leaves every effect in doubt.
    """
    me = stage.me
    hp = me.pools["hp"]
    _exhaust(stage, me)
    if not hp.known and stage.stands:
        me.stood_at = min(me.stood_at, min(hp.readings))
    if hp.known:
        fell_sure, fell_maybe = max(hp.readings) <= 0, min(hp.readings) <= 0
    else:
        fell_sure, fell_maybe = False, min(hp.readings) < me.stood_at
    if (fell_sure or me.out_sure) and me.fate != "alive":
        me.end_effects()
    elif fell_maybe or me.out_maybe or True in stage.fell:
        me.doubt_effects()
    me.fell_maybe = (me.fell_maybe and not hp.known) or fell_maybe
    if (fell_sure or me.out_sure) and me.down_since is None:
        me.down_since = stage.turn.last.post.id


@rule("S33", cites="3.08 Ending")
def _exhaust(stage: Stage, me: Fighter) -> None:
    """At 0 chakra or stamina a fighter passes out; in the later version only with both at 0."""
    pools = (me.pools["chakra"], me.pools["stamina"])
    least = 2 if stage.data.both_exhausted else 1
    maybe = [pool for pool in pools if pool.known and pool.start > 0 and min(pool.readings) <= 0]
    if len(maybe) >= least:
        me.out_maybe = True
        me.out_sure = me.out_sure or sum(max(pool.readings) <= 0 for pool in maybe) >= least


def may_rest(stage: Stage) -> bool:
    """Whether the costs of the Response may have exhausted a fighter who does nothing more in this post (X12).

    Then it may have passed out at the end of the Response: neither upkeep nor regeneration.
    """
    if stage.acted or stage.data.exhaustion == "post":
        return False
    for name in ("chakra", "stamina"):
        pool, due = stage.me.pools[name], stage.spends.get((RESPONSE, name))
        if due and pool.known and min(pool.readings) <= max(stage.spent(RESPONSE, name).accepted):
            return True
    return False


def is_down(arena: Arena, me: Fighter, spar: bool) -> tuple[bool, bool]:
    """(surely, possibly) down: fallen at 0 HP - in a spar that is up to the players - or passed out."""
    hp = me.pools["hp"]
    fallen = hp.known and max(hp.readings) <= 0
    maybe = hp.known and min(hp.readings) <= 0
    for pool in me.pools.values():
        maybe = maybe or (not pool.known and min(pool.readings) < pool.start)
    sure = (fallen and not spar) or me.out_sure
    if me.fate is not None:
        sure = me.fate != "alive"
        maybe = sure
    if me.fell_maybe and not hp.known:
        maybe = True
    return sure, sure or maybe or me.out_maybe


def may_be_skipped(arena: Arena, name: str) -> bool:
    """Whether a fighter may be passed over in the turn order: down, or out by forfeit."""
    me = arena.fighters[name]
    return me.forfeited or is_down(arena, me, arena.spar)[1]


def is_act(said: Said, down: bool) -> bool:
    """Whether a claim is an act that the fallen can't do; answers, reminders and the Loss Tag are none.

    `down`: the fighter was down before the post; then techniques and skills in answer are acts too.
    """
    data = said.data
    if isinstance(data, Damage):
        return not data.idle
    if isinstance(data, Setup):
        return True
    if isinstance(data, Guard):
        return down
    return isinstance(data, Ability) and not data.reminder and (data.sort != "unknown" or data.activates)


def check_down(stage: Stage) -> None:
    """A fighter that was down before this post does more than answer attacks (NS19)."""
    act = next((said for said in stage.turn.said if is_act(said, down=True)), None)
    if act is not None:
        stage.faulty_main = True
        message = f"{stage.me.name} is down; its post may only answer attacks"
        trace, exhausted = why_down(stage.me)
        rules = ("S33",) if exhausted else ("S35",) if stage.me.fate is not None else ("S31", "S32")
        stage.add("acts-while-down", act, message, rules=rules, trace=trace)


def why_down(me: Fighter) -> tuple[list[Working | str], bool]:
    """How a fighter came to be down, and whether by exhaustion; totals and what is left for staff only."""
    if me.fate is not None:
        return [f"by a staff ruling {me.name} is {me.fate}"], False
    lines: list[Working | str] = []
    since = f" (since {me.down_since})" if me.down_since else ""
    for name, pool in me.pools.items():
        if pool.known and max(pool.readings) <= 0:
            title = POOL_TITLES[name]
            left = one_of(sorted(pool.readings))
            lines.append(
                Working(f"{title} of {me.name}: used up{since}", f"{title} of {me.name}: {left} of {pool.total}{since}")
            )
    if not lines:
        lines.append(f"{me.name} passed out{since}: a cost could not be paid")
    return lines, not me.pools["hp"].known or max(me.pools["hp"].readings) > 0


def check_fell(stage: Stage) -> None:
    """A fighter that fell in the Response of this post has no Setup and no Main (S32)."""
    if stage.spar or stage.down_sure or stage.fell != FELL:
        return
    responses = {id(used.said) for used in stage.used if used.phase == 1}
    act = next((s for s in stage.turn.said if is_act(s, down=False) and id(s) not in responses), None)
    if act is not None:
        stage.faulty_main = True
        message = f"{stage.me.name} fell at the end of the Response; there is no Setup and no Main in this post"
        stage.add("acts-while-down", act, message, rules=("S28", "S32"), trace=_fall(stage))


def _fall(stage: Stage) -> list[Working | str]:
    """The working of a fall in the Response."""
    _, _, before = stage.me.before_last["hp"]
    pool = stage.me.pools["hp"]
    words = "the damage of the Response uses up all HP that were left"
    lines: list[Working | str] = [say(*parts) for say, parts in stage.lines.get("hp", [])]
    lines += filter(None, map(option_line, stage.options))
    return [*lines, Working(words, f"{words}: {one_of(sorted(before))} of {pool.total} before it")]


def check_gain(stage: Stage, loss: LossTag | None) -> bool:
    """A gain in a post of a fighter that was down before it (NS28); whether it was reported."""
    said = stage.turn.loss
    if loss is None or said is None or said.before is not None or not _gains(loss):
        return False
    hp = stage.me.pools["hp"]
    gains = [pool for pool in ("hp", "chakra", "stamina") if (loss.of(pool) or 0) > 0]
    if not gains or not hp.known:
        return False
    if not stage.down_sure:
        fallen = max(hp.readings) <= 0
        healed = "hp" in gains and min(hp.readings) + (loss.hp or 0) > 0
        regained = any(pool not in stage.heals for pool in gains)
        if not fallen or not (healed or regained):
            return False
    message = "a gain in the Loss Tag of a character that has fallen"
    trace, exhausted = why_down(stage.me)
    stage.add("healed-while-down", said, message, rules=("S32", "S33") if exhausted else ("S32",), trace=trace)
    return True


def _gains(loss: LossTag) -> bool:
    return (loss.hp or 0) > 0 or (loss.chakra or 0) > 0 or (loss.stamina or 0) > 0


@rule("S34", cites="3.08 Ending, kinds of battle")
def is_spar(kind: object) -> bool:
    """Kinds: Life & Death, Spar, practice arena. In a spar, passing out at 0 HP is up to the players."""
    return str(kind or "").strip().casefold().replace(" ", "_") in ("spar", "friendly", "spars")


@rule("S35", cites="3.07 and notes: staff decisions")
def apply_fates(arena: Arena, place: int) -> None:
    """Staff may decide life and death or grant a bonus: a ruling, with author, reason and scope."""
    post = arena.case.battle.posts[place].id
    for number, ruling in enumerate(arena.case.battle.rulings):
        if ruling.post != post or ruling.character is None:
            continue
        me = arena.fighters.get(ruling.character)
        if me is None:
            continue
        fate = ruling.effect.get("fate")
        if isinstance(fate, str):
            me.fate = fate
            arena.used_rulings.add(number)
        pools = _pools_set(ruling)
        if pools:
            _set_pools(me, pools, own=me.last_post == post)
        if "set" in ruling.effect:
            arena.used_rulings.add(number)


def foresee(arena: Arena, me: Fighter, posts: Iterable[str]) -> None:
    """Rulings at posts of the fighter's own: they hold from there on, and may be meant for those posts already."""
    names = set(posts)
    for ruling in arena.case.battle.rulings:
        if ruling.character != me.name or ruling.post not in names:
            continue
        if ruling.effect.get("fate") == "alive":
            me.fate = "alive"
        for name, value in _pools_set(ruling).items():
            if name in me.pools:
                pool = me.pools[name]
                pool.computed = pool.readings = pool.readings | {value}
                me.out_sure, me.out_maybe = me.out_sure and value <= 0, me.out_sure or me.out_maybe


def _pools_set(ruling: Ruling) -> dict[str, int]:
    """The pools that a ruling sets, and to what."""
    pools = ruling.effect.get("set")
    items = pools.items() if isinstance(pools, Mapping) else ()
    return {
        str(key).casefold(): value
        for key, value in items
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9
    }


def _set_pools(me: Fighter, pools: Mapping[str, int], own: bool) -> None:
    """Set pools by a ruling; at a post of the fighter's `own` the loss of that post may still come off."""
    for name, value in pools.items():
        pool = me.pools.get(name)
        if pool is None:
            continue
        loss = pool.claimed - me.before_last[name][0] if own and name in me.before_last else 0
        pool.claimed = value
        pool.computed = pool.readings = frozenset((value, value + loss))
    if pools and all(not pool.known or min(pool.readings) > 0 for pool in me.pools.values()):
        me.out_sure = me.out_maybe = me.fell_maybe = False
        me.down_since = None


def forfeits_in(stage: Stage) -> bool:
    """Whether the turn gives up (NS31)."""
    return Forfeit in stage.turn.kinds


def outcome_of(arena: Arena) -> Outcome:
    """How the battle stands at the end of the thread (S33)."""
    fighters = list(arena.fighters.values())
    if len({f.side for f in fighters}) < 2:
        return Outcome("unknown", None, "fewer than two sides")
    standing = {f.side for f in fighters if not _is_out(arena, f)}
    if arena.forfeit_decided or (any(f.forfeited for f in fighters) and len(standing) == 1):
        return (
            Outcome("forfeited", _names(fighters, standing), "the other side forfeits")
            if len(standing) == 1
            else (Outcome("ongoing"))
        )
    if not standing:
        return Outcome("drawn", None, "nobody stands")
    if len(standing) == 1:
        return Outcome("won", _names(fighters, standing), _fallen_words(arena, fighters, standing))
    if any(not f.pools["hp"].known and f.fell_maybe for f in fighters):
        return Outcome("unknown", None, "totals are not known")
    return Outcome("ongoing")


def _fallen_words(arena: Arena, fighters: Iterable[Fighter], standing: set[str]) -> str:
    """How those who lost have fallen: unconscious, dead, passed out."""
    words = []
    for me in fighters:
        if me.side in standing:
            continue
        hp = me.pools["hp"]
        state = condition(int(max(hp.readings)), hp.total or 0, arena.data.death_beyond) if hp.known else UP
        words.append(f"{me.name}: {me.fate or (state if state != UP else 'passed out')}")
    return ", ".join(words)


def _is_out(arena: Arena, me: Fighter) -> bool:
    hp = me.pools["hp"]
    fallen = hp.known and max(hp.readings) <= 0
    if me.fate is not None:
        return me.fate != "alive"
    return fallen or me.out_sure or (me.forfeited and (arena.forfeit_decided or len(arena.fighters) > 2))


def _names(fighters: Iterable[Fighter], sides: set[str]) -> tuple[str, ...]:
    return tuple(f.name for f in fighters if f.side in sides)
