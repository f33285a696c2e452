"""Late corrections (G25, X24): they raise nothing, and both ledgers go on from the corrected number."""

from __future__ import annotations

from referee.model.claims import Claim
from referee.model.figure import Figure
from referee.ports.reading import squeeze
from referee.ports.rules import Entry
from rules.angel_dolls.judging.changes import apply_change
from rules.angel_dolls.judging.play import Play
from rules.angel_dolls.judging.state import Bout, Pool
from rules.angel_dolls.reading.amend import goes_on, likeness
from rules.angel_dolls.statements import Change, Check, Heading, PoolLine


def apply_correction(bout: Bout, entry: Entry) -> None:
    """Take the corrected numbers over."""
    target = bout.case.entries[entry.amends] if entry.amends is not None else None
    play = Play(bout, entry, True)
    play.block.faulty = True
    for claim in entry.reading.claims:
        if isinstance(claim.data, PoolLine):
            _hp(bout, claim, claim.data, target)
        elif isinstance(claim.data, Check) and claim.data.kind in ("damage", "strangle") and target is not None:
            _damage(bout, claim.data, target)
        elif isinstance(claim.data, Change):
            apply_change(play, claim.data)


def _hp(bout: Bout, claim: Claim, line: PoolLine, target: Entry | None) -> None:
    """The pool stands at the corrected number; if it changed since the slip, both lines stay open."""
    pool = _pool(bout, line)
    if pool is None:
        return
    if target is None or pool.changed > target.index or goes_on(target.reading.claims, claim):
        pool.figure, pool.forked = pool.figure.either(line.new), True
        return
    pool.figure, pool.claimed, pool.forked = Figure.of(line.new), line.new, False
    pool.steps.clear()


def _pool(bout: Bout, line: PoolLine) -> Pool | None:
    if line.thing is None:
        doll = bout.doll(line.owner)
        return doll.hp if doll else None
    key = squeeze(line.thing)
    owners = [doll for doll in bout.dolls.values() if key in doll.items and line.owner in (None, doll.name)]
    return owners[0].items[key].pool if len(owners) == 1 else None


def _damage(bout: Bout, check: Check, target: Entry) -> None:
    """The difference between the slip and the corrected damage is put on the HP of the doll struck."""
    found = _last_damage(target, check)
    doll = bout.doll(found[1]) if found else None
    old = found[0].data if found else None
    if doll is None or not isinstance(old, Check) or old.result is None or check.result is None:
        return
    change = old.result - check.result
    pool = doll.hp
    pool.figure, pool.forked = pool.figure.either(pool.figure.plus(change)), True
    if pool.claimed is not None:
        pool.claimed += change


def _last_damage(target: Entry, check: Check) -> tuple[Claim, str | None] | None:
    """The damage line of the corrected post that is likest, with the doll that it struck; the last of several."""
    found: tuple[Claim, str | None] | None = None
    most = 0
    defender: str | None = None
    owner = check.right.owner if check.right else None
    for claim in target.reading.claims:
        if isinstance(claim.data, Heading):
            defender = claim.data.defender
        elif isinstance(claim.data, Check) and claim.data.kind == check.kind:
            struck = (claim.data.right.owner if claim.data.right else None) or defender
            alike = likeness(claim.data, check)
            if owner in (None, struck) and alike >= most:
                found, most = (claim, struck), alike
    return found
