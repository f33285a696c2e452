"""The replay of a battle: turn by turn through phases, ledgers and effects, to the verdict."""

from __future__ import annotations

from collections.abc import Mapping

from referee.model.report import Evidence, PoolState
from referee.ports.rules import Case, Entry, Verdict
from referee.ports.sayings import all_of, one_of
from rules.shinobi.judging import falling
from rules.shinobi.judging.attacks import judge_main
from rules.shinobi.judging.costs import abilities_cost, check_affordable, ticks
from rules.shinobi.judging.doubts import mutter, open_unread, threaten
from rules.shinobi.judging.effects import begin_effects, effects_after, effects_expire
from rules.shinobi.judging.fighters import Fighter, fewer, fighter_of
from rules.shinobi.judging.ledger import loss_of, settle_hp, settle_other
from rules.shinobi.judging.recounts import leave_recounts
from rules.shinobi.judging.response import judge_response
from rules.shinobi.judging.speaking import Speaking
from rules.shinobi.judging.stage import STOOD, Arena, Stage
from rules.shinobi.judging.standing import judge_stats
from rules.shinobi.judging.structure import check_phases, check_setup, may_attack_first, sort_abilities
from rules.shinobi.judging.turns import Turn, shares_of, steps_of
from rules.shinobi.judging.written import check_reminders, check_written
from rules.shinobi.model import (
    POOLS,
    RESPONSE,
    Ability,
    Correction,
    Damage,
    Deadly,
    LossTag,
    OverTime,
    Setup,
    Shares,
    StatBlock,
    Status,
)
from rules.shinobi.order import POLICIES, order_for
from rules.shinobi.reading.corrections import corrected_loss
from rules.shinobi.tables import data_of

States = dict[str, dict[str, dict[str, PoolState]]]


class Replay:
    """One battle under judgement."""

    def __init__(self, case: Case) -> None:
        """The battle at its start: fighters from sheets and first stat blocks."""
        data = data_of(case.sheets)
        fighters = {c.name: fighter_of(c, data) for c in case.sheets.characters}
        blocks = _first_blocks(case)
        for name, block in blocks.items():
            fighters[name].posted = dict(block.stats)
        speeds = {name: _speeds(f, blocks.get(name)) for name, f in fighters.items()}
        order = order_for(case.sheets.options.get("turn_policy"), fighters, speeds, self._may_skip)
        spar = falling.is_spar(case.sheets.options.get("kind"))
        self.arena = Arena(case, data, fighters, order, spar)
        if case.battle.rulings:
            self.arena.places = {post.id: place for place, post in enumerate(case.battle.posts)}
        self.states: States = {}
        self.speakers: dict[str, str] = {}
        self.last: dict[str, Turn] = {}
        self._ruled = 0
        self.speaking = Speaking(self.arena)
        self._rulings = bool(case.battle.rulings)
        self._forfeits = _forfeits_given(case)

    def _may_skip(self, name: str) -> bool:
        return falling.may_be_skipped(self.arena, name)

    def run(self) -> Verdict:
        """Judge every turn in thread order."""
        for step in steps_of(self.arena.case):
            if isinstance(step, Entry):
                self._rule_until(step.index)
                self._correct(step)
                continue
            turns = self.speaking.in_order(step) if isinstance(step, tuple) else (step,)
            if self._rulings:
                self._rule_until(turns[0].first.index)
            for turn in turns:
                self._step(turn)
        self._rule_until(len(self.arena.case.battle.posts))
        return Verdict(
            states=self.states,
            speakers=self.speakers,
            outcome=falling.outcome_of(self.arena),
            rulings_used=frozenset(self.arena.used_rulings),
        )

    def _step(self, turn: Turn) -> None:
        """One turn, as that of the character for whom it speaks."""
        me = self.speaking.of(turn)
        if me is not None:
            self._turn(turn, me)
        elif turn.unsorted:
            self.speaking.leave_open(turn)
        elif turn.said or turn.trouble:
            self._leave_out(turn.first)

    def _rule_until(self, place: int) -> None:
        """Put staff decisions into effect that stand before a place in the thread (S35)."""
        while self._rulings and self._ruled < place:
            falling.apply_fates(self.arena, self._ruled)
            self._ruled += 1

    def _turn(self, turn: Turn, me: Fighter) -> None:
        if not turn.said and "loss" not in turn.trouble:
            mutter(Stage(self.arena, turn, me, self.arena.data, spar=self.arena.spar))
            self.arena.order.perhaps(me.name)
            return
        stage = self._stage(turn, me)
        self._begin(stage)
        leave_recounts(stage)
        judge_stats(stage)
        self._check_order(stage)
        sort_abilities(stage)
        if stage.down_sure:
            falling.check_down(stage)
        check_phases(stage)
        check_setup(stage)
        stage.acted = _acts(stage)
        open_unread(stage)
        if me.ticking:
            ticks(stage)
        if OverTime in turn.kinds or Status in turn.kinds:
            check_reminders(stage)
        judge_response(stage)
        if stage.used:
            abilities_cost(stage)
            check_written(stage)
        if stage.spends:
            stage.may_rest = falling.may_rest(stage)
            check_affordable(stage)
        loss = loss_of(stage)
        healed = falling.check_gain(stage, loss)
        if healed:
            stage.open_pools |= set(POOLS)
        settle_hp(stage, loss)
        if stage.fell is not STOOD or stage.effects:
            falling.check_fell(stage)
            begin_effects(stage)
        judge_main(stage)
        check_affordable(stage)
        settle_other(stage, "chakra", loss)
        settle_other(stage, "stamina", loss)
        self._finish(stage, loss, healed)

    def _stage(self, turn: Turn, me: Fighter) -> Stage:
        spar = self.arena.spar
        if self._rulings:
            falling.foresee(self.arena, me, (entry.post.id for entry in turn.entries))
        sure, maybe = falling.is_down(self.arena, me, spar)
        stage = Stage(self.arena, turn, me, self.arena.data, spar=spar)
        if Deadly in turn.kinds:
            self.arena.spar = False
            stage.spar = True
        if maybe and not sure and not me.pools["hp"].known and (_reminds(stage) or (not spar and _acts(stage))):
            maybe = me.out_maybe
        stage.down_sure, stage.down_maybe = sure, maybe
        if maybe and not _shows_up(stage) and not all(pool.known for pool in me.pools.values()):
            me.doubt_effects()
        if me.running:
            _remind(stage)
            stage.upkeeps = [(r.skill.upkeep, r.sure) for r in me.running if r.skill.upkeep]
        return stage

    def _begin(self, stage: Stage) -> None:
        for entry in stage.turn.entries:
            self.speakers.setdefault(entry.post.id, stage.me.name)
        if stage.turn.edited:
            stage.open_pools |= _edited_pools(stage)
        if stage.me.gifts:
            stage.open_pools |= stage.me.gifts
            stage.me.gifts = set()
        unknown = () if stage.me.turns else [pool for pool in POOLS if not stage.me.pools[pool].known]
        if unknown:
            words = all_of("HP" if pool == "hp" else pool for pool in unknown)
            total = "total" if len(unknown) == 1 else "totals"
            message = f"no sheet gives the {total} of {words} of {stage.me.name}: falling and limits are not judged"
            stage.unchecked(stage.turn.first, f"totals:{stage.me.name}", message)

    def _check_order(self, stage: Stage) -> None:
        """Whether it is this fighter's turn (S4)."""
        me, order = stage.me, self.arena.order
        if self.arena.over:
            return
        if order.policy not in POLICIES:
            message = f"there is no turn policy {order.policy!r}: the order of turns is not judged"
            stage.unchecked(stage.turn.first, "policy", message)
        elif not (order.judged or self.speaking.lost) and order.policy != "free" and len(self.arena.fighters) > 2:
            message = "the Speed of some fighter is not known: the order of turns is not judged"
            stage.unchecked(stage.turn.first, "speeds", message)
        due = order.post(me.name)
        if not due and stage.turn.together:
            message = "characters of one account act together in one post: whether each is due then is not judged"
            stage.unchecked(stage.turn.first, "together", message)
        elif not due:
            next_one = f", {one_of(order.due)} would be next" if order.due else ""
            quotes = [
                Evidence(said.entry.post.id, said.claim.quote) for said in stage.turn.said[:1] if said.claim.quote
            ]
            self.arena.case.book.add(
                "post/out-of-turn",
                stage.turn.first,
                character=me.name,
                rules=("S4",),
                message=f"by the turn policy ({order.policy}) it is not the turn of {me.name}{next_one}",
                trace=order.working,
                evidence=quotes,
            )

    def _finish(self, stage: Stage, loss: LossTag | None, healed: bool) -> None:
        me = stage.me
        if stage.faulty_main:
            for attack, _ in stage.aimed:
                attack.optional = True
        for attack, targets in stage.aimed:
            for target in targets:
                target.open.append(attack)
        threaten(stage)
        me.last_loss = loss
        by_speed = self.arena.order.policy == "speed"
        speeds = set(me.stat("Speed")) if by_speed else set()
        falling.update_after(stage)
        if healed:
            me.out_sure = False
            me.out_maybe = me.fell_maybe = True
        effects_after(stage)
        if by_speed:
            self.arena.order.acted(me.name, sorted(speeds | set(me.stat("Speed"))))
        effects_expire(stage)
        me.armed = me.armed or me.turns > 0 or may_attack_first(stage)
        me.turns += 1
        me.last_post = stage.turn.last.post.id
        self.last[stage.turn.last.post.author] = stage.turn
        self._forfeit(stage)
        self._keep(stage.turn.last.post.id, me)

    def _forfeit(self, stage: Stage) -> None:
        """Forfeits, and whether the opponent lets it be (NS31)."""
        me = stage.me
        given = bool(self._forfeits) and any(self._forfeits.get(e.post.id) == me.name for e in stage.turn.entries)
        if given or falling.forfeits_in(stage):
            me.forfeited = self.arena.forfeits = True
            return
        if not self.arena.forfeits or len(self.arena.fighters) != 2:
            return
        other = next(f for f in self.arena.fighters.values() if f is not me)
        if other.forfeited and not self.arena.forfeit_decided:
            if stage.aimed:
                other.forfeited = False
            else:
                self.arena.forfeit_decided = self.arena.over = True

    def _keep(self, post: str, me: Fighter) -> None:
        pools = me.pools
        now = {"hp": pools["hp"].state(), "chakra": pools["chakra"].state(), "stamina": pools["stamina"].state()}
        self.states.setdefault(post, {})[me.name] = now

    def _leave_out(self, entry: Entry) -> None:
        """Say that numbers of the judge change nothing: staff decide by rulings (S35)."""
        if entry.post.author.casefold() in self.arena.sheets.judges:
            words = "a tag in a post of the judge changes nothing by itself: give a ruling if it is to count"
            self.arena.case.book.unchecked(entry, f"judge's tag in {entry.post.id}", words)

    def _correct_one_of(self, entry: Entry, shares: Shares, fixed: Correction) -> None:
        """A late correction of a post of several characters: it may be about any of them (G25)."""
        whole = fixed.loss
        changes = (whole.of(pool) for pool in POOLS) if whole is not None else iter(fixed.adds.values())
        numbers = (*fixed.numbers, *(abs(change) for change in changes if change))
        for share in shares.parts:
            _doubt_pools(self.arena.fighters[share.name], numbers)
        words = "the correction does not say whose part of the post before it is about: no pool is changed"
        self.arena.case.book.unchecked(entry, f"late correction in {entry.post.id}", words)

    def _correct(self, entry: Entry) -> None:
        """A late correction: both ledgers hold the corrected number from now on (G25)."""
        fixed = next((c.data for c in entry.reading.claims if isinstance(c.data, Correction)), None)
        owned = self.arena.sheets.of_player(entry.post.author)
        turn = self.last.get(entry.post.author)
        if not owned:
            self._leave_out(entry)
        if turn is None or not owned:
            return
        if fixed is None:
            # Opponents have answered the tag as it stood; what they may have made of the new one is not worked out.
            words = "a tag that is corrected after others have posted stays as it was: only Loss Tags are worked in"
            self.arena.case.book.unchecked(entry, f"late correction in {entry.post.id}", words, owned[0].name)
            return
        shares = shares_of(turn.last)
        if shares is not None and len(shares.parts) > 1:
            self._correct_one_of(entry, shares, fixed)
            return
        me = self.arena.fighters[self.speakers.get(turn.last.post.id, owned[0].name)]
        self.speakers[entry.post.id] = me.name
        if not me.before_last:
            return
        if fixed.unread:
            _doubt_pools(me, fixed.numbers)
            self._keep(entry.post.id, me)
            return
        now = LossTag(**{p: me.pools[p].claimed - me.before_last[p][0] for p in POOLS})
        loss = corrected_loss(now, fixed)
        for name in POOLS:
            value = loss.of(name)
            if value is None or value == now.of(name):
                continue
            pool = me.pools[name]
            claimed, computed, readings = me.before_last[name]
            pool.claimed = claimed + value
            pool.computed = fewer(old + value for old in computed)
            pool.readings = fewer(old + value for old in readings)
        self._keep(entry.post.id, me)


def _first_blocks(case: Case) -> dict[str, StatBlock]:
    """The first stat block of each fighter: it gives the stats of the whole battle (X13)."""
    found: dict[str, StatBlock] = {}
    for entry in case.entries:
        for claim in entry.reading.claims:
            block = claim.data
            if not isinstance(block, StatBlock):
                continue
            owned = [c.name for c in case.sheets.of_player(entry.post.author)]
            if not owned:
                continue
            name = block.name if block.name in owned else owned[0] if len(owned) == 1 and block.name is None else None
            if name is not None:
                found.setdefault(name, block)
    return found


def _speeds(me: Fighter, block: StatBlock | None) -> tuple[int, ...]:
    """The readings of a fighter's Speed for the order of turns: the first stat block's, else the sheet's."""
    if block is not None and "Speed" in block.stats:
        return (block.stats["Speed"],)
    return tuple(sorted(me.plain_stat("Speed")))


def _doubt_pools(me: Fighter, numbers: tuple[int, ...]) -> None:
    """A late correction that could not be read may have changed any pool by any of its numbers."""
    for pool in me.pools.values():
        pool.readings = fewer(
            now + sign * number for now in pool.readings for number in (0, *numbers) for sign in (1, -1)
        )


def _acts(stage: Stage) -> bool:
    """Whether the turn does anything in Setup or Main."""
    kinds = stage.turn.kinds
    if Damage in kinds or Setup in kinds:
        return True
    responses = {id(used.said) for used in stage.used if used.phase == RESPONSE}
    return any(falling.is_act(said, down=False) and id(said) not in responses for said in stage.turn.of(Ability))


def _shows_up(stage: Stage) -> bool:
    """Whether the post itself shows a fighter that has not passed out: it acts, or an effect still runs."""
    return _acts(stage) or _reminds(stage)


def _reminds(stage: Stage) -> bool:
    """Whether the post reminds of a running upkeep."""
    return any(isinstance(s.data, Ability) and s.data.reminder for s in stage.turn.of(Ability))


def _remind(stage: Stage) -> None:
    """A reminder of a running upkeep shows that it still runs, where that was in doubt (NS8)."""
    named = {s.data.name for s in stage.turn.of(Ability) if isinstance(s.data, Ability) and s.data.reminder}
    for running in stage.me.running:
        running.sure = running.sure or running.skill.name in named


def _edited_pools(stage: Stage) -> set[str]:
    """Pools that a late change of abilities leaves open: their cost may follow either text (G20)."""
    found: set[str] = set()
    for said in stage.turn.said:
        before = said.before
        if before is not None and before.kind in ("technique", "skill", "item", "ability"):
            found |= {"chakra", "stamina"}
    return found | set(POOLS) if stage.turn.recast else found


def _forfeits_given(case: Case) -> Mapping[str, str]:
    """The battle option `forfeits`: post -> character (X15)."""
    given = case.sheets.options.get("forfeits")
    rows = given if isinstance(given, (list, tuple)) else ()
    return {str(r.get("post")): str(r.get("character")) for r in rows if isinstance(r, Mapping)}


def judge(case: Case) -> Verdict:
    """Replay a battle and report what does not add up (contract of `Ruleset.judge`)."""
    if not case.sheets.characters:
        return Verdict()
    return Replay(case).run()
