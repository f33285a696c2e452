"""Dodge rolls against one attack: dice, chance, outcomes, damage (S10 to S14, NS2, G15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.model.claims import WrittenRoll
from referee.model.report import Evidence, Working
from referee.model.text import Anchor
from referee.ports.rules import Rolled
from referee.ports.sayings import all_of
from rules.shinobi.hits import BLOCKED, CRITICAL, HIT, hurts, landed, outcomes, unrolled
from rules.shinobi.judging.blows import bring_effects, roll_checked, written_of
from rules.shinobi.judging.damage_check import rulings_at
from rules.shinobi.judging.drafts import NOT_KNOWN
from rules.shinobi.judging.falling import why_down
from rules.shinobi.judging.fighters import Attack
from rules.shinobi.judging.matching import Answer
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.strange import missed
from rules.shinobi.judging.told import modifier_told
from rules.shinobi.judging.turns import Said
from rules.shinobi.judging.workings import attack_line, chance_lines, ranges, roll_line
from rules.shinobi.model import Dodge
from rules.shinobi.sums import NOTHING, Sums
from rules.shinobi.tables import Critical, whole_or

#: More readings of rulings that clash are not told apart.
_MOST_RULED = 32


def judge_dodge(stage: Stage, answer: Answer, attack: Attack, formula: frozenset[int] | None) -> None:
    """Check rolls, chance and stated outcomes, and add the damage that lands to the turn."""
    rolled = _rolled(stage, answer, attack)
    form = next((f for f in attack.forms if len(f) == len(rolled.dice)), attack.hits)
    chances = _chances(stage, answer, attack, formula, len(rolled.dice))
    words = _words(stage, attack, chances, rolled)
    stated = _stated(answer)
    over = formula is None and any(max(each) > stage.data.cap for each in chances)
    if over and not stage.down_sure:
        stage.open_pools.add("hp")
    elif any(stated):
        _check_outcomes(stage, answer, attack, words, stated, rolled)
    critical = stage.data.critical
    total, hurt_sure, hurt_maybe = NOTHING, False, False
    lines = []
    for index, hit in enumerate(form):
        if index >= len(words):
            total = total.plus(unrolled(hit, critical))
            hurt_maybe = True
            continue
        right = words[index]
        word = stated[index] if index < len(stated) else None
        accepted = right if word is None else right | {word}
        amount = _landed(hit, right, accepted, critical)
        total = total.plus(amount)
        hurt_sure = hurt_sure or all(map(hurts, accepted))
        hurt_maybe = hurt_maybe or any(map(hurts, accepted))
        lines.append((index, right, hit, amount))
    for other in attack.forms:
        if other is not form:
            total = total.or_also(_plain_sums(stage, other, words))
    _explain(stage, answer, attack, rolled, chances, lines)
    stage.response = stage.response.plus(total)
    if hurt_maybe or over:
        bring_effects(stage, attack, hurt_sure and not over)
    elif stage.me.strange and attack.kind == NOT_KNOWN:
        missed(stage.me, attack)


def _landed(hit: Sums, right: frozenset[str], accepted: frozenset[str], critical: Critical) -> Sums:
    """The damage of a hit whose roll means one of `right`; what the post states is accepted besides (NS2)."""
    if len(accepted) == 1 and not hit.open:
        (word,) = accepted
        return landed(hit, word, critical)
    every = [landed(hit, word, critical) for word in sorted(accepted)]
    listed = frozenset(v for word in right for v in landed(hit, word, critical).listed)
    return Sums(listed, frozenset(v for s in every for v in s.accepted) | listed, hit.open)


def _plain_sums(stage: Stage, form: Sequence[Sums], words: Sequence[frozenset[str]]) -> frozenset[int]:
    """The sums with the hits as they stood before a late change."""
    total = NOTHING
    for index, hit in enumerate(form):
        said = words[index] if index < len(words) else frozenset((HIT,))
        values = {v for word in said for v in landed(hit, word, stage.data.critical).accepted}
        total = total.plus(Sums.among(values))
    return total.accepted


def _rolled(stage: Stage, answer: Answer, attack: Attack) -> Rolled:
    """The dice of an answer, checked as one roll: one d100 for each hit (S10)."""
    if answer.rolls is None and len(answer.said) > 1:
        return _rolled_singly(stage, answer, attack)
    values: list[int] = []
    anchors: list[Anchor] = []
    for said in answer.said:
        written = written_of(said)
        values += written.values
        anchors += [a for a in written.anchors if a not in anchors]  # One link may stand for a tag a hit (NS3).
    first = answer.said[0]
    counts = {len(form) for form in attack.forms}
    count = len(values) if len(values) in counts else len(attack.hits)
    if "answer" in stage.turn.trouble and len(values) < count:
        count = len(values)  # The other rolls may stand in the tag that could not be read.
    written = WrittenRoll(tuple(values), tuple(anchors))
    rolled = roll_checked(stage, first, written, ("1d100",), count, attack, ("S10",))
    if first.before is None:
        return rolled
    now = tuple(v for said in answer.said if isinstance(said.data, Dodge) for v in said.data.written.values)
    return Rolled(now or rolled.dice, tuple(dict.fromkeys((now or rolled.dice, *rolled.readings))), rolled.fault)


def _rolled_singly(stage: Stage, answer: Answer, attack: Attack) -> Rolled:
    """One tag a hit, of which some leave their number to the link (G14): each is a roll of its own."""
    each = [roll_checked(stage, s, written_of(s), ("1d100",), None, attack, ("S10",)) for s in answer.said]
    dice = tuple(die for rolled in each for die in rolled.dice)
    others = tuple(die for rolled in each for die in rolled.readings[-1])
    return Rolled(dice, tuple(dict.fromkeys((dice, others))), any(rolled.fault for rolled in each))


def _chances(
    stage: Stage, answer: Answer, attack: Attack, formula: frozenset[int] | None, rolls: int
) -> list[frozenset[int]]:
    """The chances under which each roll may be read: as written, and the right one after a finding (S14)."""
    written = list(answer.chances)
    written += written[-1:] * max(0, rolls - len(written))
    different = sorted(set(written))
    first = answer.said[0]
    if stage.turn.edited and any(said.before is not None for said in answer.said):
        old = {c for s in answer.said if s.before is not None for c in [getattr(s.before.data, "chance", None)] if c}
        return [frozenset((c, *old)) for c in written]
    if len(different) > 1:
        message = f"one attack has one chance to hit; here stand {all_of(f'{c}%' for c in different)}"
        quotes = [Evidence(s.entry.post.id, s.claim.quote) for s in answer.said]
        stage.add("hit-chance", first, message, claimed=different, rules=("S14",), evidence=quotes)
        return [frozenset(different)] * len(written)
    chance = different[0]
    meant = frozenset((chance,) if answer.also is None else (chance, answer.also))
    if stage.spar and stage.down_maybe:
        formula = None  # Whoever is at 0 HP in a spar may be hit by any chance (NS20), up to the cap.
    right = _right_chances(stage, chance, formula)
    if right is None or meant & right:
        return [meant if right is None else meant & right] * len(written)
    _wrong_chance(stage, first, attack, chance, right, formula)
    return [right | {chance}] * len(written)


def _right_chances(stage: Stage, chance: int, formula: frozenset[int] | None) -> frozenset[int] | None:
    """What the chance must be: the cap against the unconscious, the formula's, or anything up to the cap."""
    cap = stage.data.cap
    if stage.down_sure:
        return frozenset((cap,))
    if formula is not None:
        return formula | {cap} if stage.down_maybe else formula
    return None if chance <= cap else frozenset((cap,))


def _wrong_chance(
    stage: Stage, said: Said, attack: Attack, chance: int, right: frozenset[int], formula: frozenset[int] | None
) -> None:
    if formula is not None and not stage.down_sure and modifier_told(stage, "a chance to hit", chance, right):
        return
    ruled = ruled_chances(stage) if stage.arena.places else ()
    wanted = " or ".join(f"{c}%" for c in sorted(right))
    if stage.down_sure:
        message = f"against the unconscious the chance to hit is {wanted}, the tag says {chance}%"
    elif formula is None:
        message = f"the chance to hit is at most {wanted}, the tag says {chance}%"
    else:
        message = f"the formula gives {wanted} to hit, the tag says {chance}%"
    trace: list[Working | str] = []
    if stage.down_sure:
        trace = [*why_down(stage.me)[0], f"against the unconscious: {stage.data.cap}%"]
    elif formula is None:
        trace = [f"highest chance to hit: {stage.data.cap}%"]
    if formula is not None and not stage.down_sure and stage.data.formula is not None:
        trace = [*chance_lines(attack, stage.me, stage.data, ruled, right)]
    expected = sorted(right) if stage.down_sure or formula is not None else None
    stage.add("hit-chance", said, message, claimed=chance, expected=expected, rules=("S14",), trace=trace)


def ruled_chances(stage: Stage, note: bool = False) -> tuple[int, ...]:
    """What rulings may add to the chance to hit of this turn's dodge rolls (G6); `note`: count them as used.

    Of rulings of one scope that clash each may be the one that holds, or all together.
    """
    scopes: dict[tuple[str | None, ...], list[int]] = {}
    for number, ruling in rulings_at(stage):
        change = whole_or(ruling.effect.get("hit_chance"), None)
        if change is not None:
            scopes.setdefault((ruling.post, ruling.until, ruling.character), []).append(change)
            if note:
                stage.arena.used_rulings.add(number)
    found = {0}
    for changes in scopes.values():
        ways = {sum(changes)} if len(set(changes)) == 1 else {sum(changes), *changes}
        found = {other + way for other in found for way in ways}
    return tuple(sorted(found)[:_MOST_RULED])


def _words(stage: Stage, attack: Attack, chances: list[frozenset[int]], rolled: Rolled) -> list[frozenset[str]]:
    """What each roll means, over every reading of dice, chance and Block Range (S10)."""
    blocks = stage.me.block_ranges(stage.data)
    if len(rolled.readings) == len(blocks) == 1 and attack.sure == attack.doubtful and not attack.maybe_ghost:
        (block,) = blocks
        every = [chances[min(index, len(chances) - 1)] for index in range(len(rolled.dice))]
        if all(len(chance) == 1 for chance in every):
            reach, ghost = attack.sure, attack.ghost
            row = rolled.readings[0]
            pairs = zip(row, every, strict=False)
            words = [outcomes(roll, *chance, block, reach, reach, ghost) for roll, chance in pairs]
            return words + [frozenset()] * (len(rolled.dice) - len(words))
    found: list[set[str]] = [set() for _ in rolled.dice]
    for row in rolled.readings:
        for index, roll in enumerate(row[: len(found)]):
            for chance in chances[min(index, len(chances) - 1)]:
                for block in blocks:
                    found[index] |= outcomes(roll, chance, block, attack.sure, attack.doubtful, attack.ghost)
                    if attack.maybe_ghost:
                        found[index] |= outcomes(roll, chance, block, attack.sure, attack.doubtful, True)
                    if attack.sure != attack.doubtful and attack.kind != "weapon":
                        found[index] |= outcomes(roll, chance, block, attack.doubtful, attack.doubtful, attack.ghost)
    return [frozenset(words) for words in found]


def _stated(answer: Answer) -> list[str | None]:
    stated: list[str | None] = []
    for said in answer.said:
        if isinstance(said.data, Dodge):
            words = list(said.data.outcomes)
            stated += words or [None]
    return stated


def _check_outcomes(
    stage: Stage,
    answer: Answer,
    attack: Attack,
    words: list[frozenset[str]],
    stated: list[str | None],
    rolled: Rolled,
) -> None:
    """A stated outcome against the roll (NS2): one finding for each that is wrong."""
    place = 0
    for said in answer.said:
        assert isinstance(said.data, Dodge)
        number = max(1, len(said.data.written.values))
        for index in range(place, min(place + number, len(words), len(stated))):
            word, right = stated[index], words[index]
            if word is None or word in right or said.before is not None:
                continue
            wanted = " or ".join(sorted(right))
            message = f"the roll of {rolled.dice[index]} at {said.data.chance}% is {wanted}, the post says {word}"
            stage.add(
                "outcome",
                said,
                message,
                claimed=word,
                expected=sorted(right),
                rules=_outcome_rules(attack, (word, *right)),
                evidence=(Evidence(attack.entry.post.id, attack.claim.quote),),
                trace=ranges(attack, said.data.chance, stage.me.block_ranges(stage.data), stage.data),
            )
        place += number


def _outcome_rules(attack: Attack, words: Iterable[str]) -> tuple[str, ...]:
    """The rules behind what a roll means: of criticals, of the Critical Range, of blocks."""
    found = set(words)
    critical = (("S12",) if CRITICAL in found else ()) + (("S13",) if attack.sure > 1 else ())
    return ("S10", *(("S11",) if BLOCKED in found else ()), *critical)


def _explain(
    stage: Stage,
    answer: Answer,
    attack: Attack,
    rolled: Rolled,
    chances: list[frozenset[int]],
    lines: Iterable[tuple[int, frozenset[str], Sums, Sums]],
) -> None:
    """The working of the loss, roll by roll."""
    stage.proof.append(attack)
    stage.note("hp", attack_line, attack, stage.data, stage.me.block_ranges(stage.data))
    factor = stage.data.critical.factor
    for index, right, hit, amount in lines:
        chance = chances[min(index, len(chances) - 1)]
        stage.note("hp", roll_line, rolled.dice[index], chance, right, hit, amount, factor)
