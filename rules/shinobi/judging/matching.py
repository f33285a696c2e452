"""Which answer belongs to which attack: by name, else in order, by number of rolls where it is open (S9, NS1, NS3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from referee.model.claims import WrittenRoll
from rules.shinobi.judging.fighters import Attack
from rules.shinobi.judging.turns import Said
from rules.shinobi.model import Ability, Dodge, Take


@dataclass(slots=True, eq=False)
class Answer:
    """One response action: dodge tags (several where there is one per hit), taking it, or an ability.

    `moved`: it stands in the place of another answer, as its rolls and chance show.
    """

    said: tuple[Said, ...]
    kind: str
    attacker: str | None = None
    negates: int = 1
    attack: Attack | None = None
    moved: bool = False

    @property
    def rolls(self) -> int | None:
        """How many dice the answer rolls, None for other answers or where the post writes none."""
        if self.kind != "dodge":
            return None
        first = self.said[0].data
        if len(self.said) == 1 and isinstance(first, Dodge):
            return len(first.written.values) or None
        written = [s.data.written for s in self.said if isinstance(s.data, Dodge)]
        if not all(w.values for w in written):
            return None
        return sum(len(w.values) for w in written)

    @property
    def also(self) -> int | None:
        """A second reading of the chance of all rolls, where the tag leaves it open."""
        first = self.said[0].data
        return first.also if isinstance(first, Dodge) and len(self.said) == 1 else None

    @property
    def chances(self) -> tuple[int, ...]:
        """The chance to hit of each roll, in order."""
        first = self.said[0].data
        if len(self.said) == 1 and isinstance(first, Dodge):
            return (first.chance,) * max(1, len(first.written.values))
        found: list[int] = []
        for said in self.said:
            if isinstance(said.data, Dodge):
                found += [said.data.chance] * max(1, len(said.data.written.values))
        return tuple(found)


def together(answers: Sequence[Answer], attacks: list[Attack]) -> list[Attack]:
    """Attacks of one post as one, where a tag rolls for all their hits at once (S25: `Enemy Attacks have ...`)."""
    wanted = {answer.rolls for answer in answers if answer.kind == "dodge"} - {None}
    for number in range(len(attacks), 1, -1):
        for begin in range(len(attacks) - number + 1):
            group = attacks[begin : begin + number]
            hits = sum(len(attack.hits) for attack in group)
            if hits in wanted and not any(len(attack.hits) == hits for attack in attacks) and _alike(group):
                return [*attacks[:begin], _one(group), *attacks[begin + number :]]
    return attacks


def _alike(group: Sequence[Attack]) -> bool:
    """Whether attacks differ in nothing but their damage."""
    return len({_sort(attack) for attack in group}) == 1 and all(
        len(a.forms) == 1 and a.dot is None and a.inflicts is None and not a.once for a in group
    )


def _sort(attack: Attack) -> tuple[object, ...]:
    reach = attack.sure, attack.doubtful
    ghost = attack.ghost, attack.maybe_ghost
    return attack.entry.post.id, attack.attacker.name, attack.kind, reach, ghost, attack.accuracy, attack.bonuses


def _one(group: Sequence[Attack]) -> Attack:
    hits = tuple(hit for attack in group for hit in attack.hits)
    return replace(group[0], forms=(hits,), optional=any(attack.optional for attack in group), full=None)


def parted(answers: list[Answer], attacks: Sequence[Attack]) -> list[Answer]:
    """One dodge tag that rolls for the hits of several attackers' attacks as one answer for each (S9)."""
    if len(answers) != 1 or len(attacks) < 2 or answers[0].kind != "dodge" or answers[0].attacker is not None:
        return answers
    said = answers[0].said[0]
    dodge, sizes = said.data, [len(attack.hits) for attack in attacks]
    assert isinstance(dodge, Dodge)
    values, anchors = dodge.written.values, dodge.written.anchors
    alone = len(answers[0].said) == 1 and said.before is None and len(values) == len(anchors)
    if not alone or len(values) != sum(sizes) or len(values) in sizes:
        return answers
    found, at = [], 0
    for size in sizes:
        part = slice(at, at + size)
        written = WrittenRoll(values[part], anchors[part])
        one = replace(dodge, written=written, outcomes=dodge.outcomes[part])
        found.append(Answer((replace(said, data=one),), "dodge"))
        at += size
    return found


def answer_of(said: Said, negates: int = 1) -> Answer:
    """One tag as an answer."""
    data = said.data
    assert isinstance(data, (Dodge, Take, Ability))
    kind = "dodge" if isinstance(data, Dodge) else "take" if isinstance(data, Take) else "ability"
    return Answer((said,), kind, data.attacker, negates)


def joined(answers: list[Answer], attacks: Sequence[Attack]) -> list[Answer]:
    """Dodge tags of one attack with one tag per hit as one answer, where one attack is open (NS3).

    Attacks that need no answer don't count where the tags are as many as the hits of the only other one.
    """
    if len(answers) < 2:
        return answers
    dodges = [a for a in answers if a.kind == "dodge"]
    due = [attack for attack in attacks if not attack.optional]
    single = len(attacks) == 1 or (len(due) == 1 and _only_together(dodges, due[0], attacks))
    if not single or len(dodges) < 2 or any(a.rolls not in (None, 1) for a in dodges):
        return answers
    one = Answer(tuple(s for a in dodges for s in a.said), "dodge", dodges[0].attacker)
    return [one if a is dodges[0] else a for a in answers if a is dodges[0] or a.kind != "dodge"]


def tags_a_hit(dodges: Sequence[Answer]) -> list[Answer]:
    """Dodge tags of one roll each that share the links behind the last of them, as one answer (NS3)."""
    found: list[Answer] = []
    for answer in dodges:
        if found and answer.rolls == 1 and _goes_on(found[-1], answer):
            found[-1] = replace(found[-1], said=(*found[-1].said, *answer.said))
        else:
            found.append(answer)
    shared = [answer for answer in found if len(answer.said) == 1 or _linked(answer)]
    return found if len(shared) == len(found) else list(dodges)


def _goes_on(last: Answer, answer: Answer) -> bool:
    """Whether tags of one roll each, so far without a link, are followed by another of the same attack."""
    alike = set(last.chances) == set(answer.chances) and last.attacker == answer.attacker
    return alike and last.rolls == len(last.said) and not _linked(last)


def _linked(answer: Answer) -> bool:
    return any(isinstance(said.data, Dodge) and said.data.written.anchors for said in answer.said)


def _only_together(dodges: list[Answer], due: Attack, attacks: Sequence[Attack]) -> bool:
    """Whether tags of one roll each are as many as an attack's hits and can't answer that many attacks."""
    small = sum(len(attack.hits) == 1 for attack in attacks)
    alike = len({chance for answer in dodges for chance in answer.chances}) == 1
    return len(due.hits) == len(dodges) > small and alike


def match(answers: list[Answer], attacks: list[Attack], fits: Sequence[Sequence[int]]) -> list[Answer]:
    """Give each answer its attack; the answers that are left over come back.

    `fits[i][j]`: how badly answer i fits attack j (0: well). Named answers come first; the others
    keep the order of the attacks. Names that are just those of the attacks in their order say nothing more.
    """
    if len(answers) == len(attacks) and _in_order(answers, attacks):
        for answer, attack in zip(answers, attacks, strict=True):
            answer.attack = attack
        _exchange(answers, fits)
        return []
    _one_after_another(answers, attacks, fits)
    free = [j for j, attack in enumerate(attacks) if not any(answer.attack is attack for answer in answers)]
    open_answers: list[int] = []
    left: list[Answer] = []
    for index, answer in enumerate(answers):
        if answer.attack is not None:
            continue
        if answer.attacker is None:
            open_answers.append(index)
            continue
        own = [j for j in free if attacks[j].attacker.name == answer.attacker]
        if own:
            # With fewer answers than attacks, those that need none (S16: a guard took them) are left out first.
            short = len(own) > sum(other.attacker == answer.attacker for other in answers[index:])
            best = min(own, key=lambda j: (fits[index][j], short and attacks[j].optional, j))
            answer.attack = attacks[best]
            free.remove(best)
        else:
            left.append(answer)
    for index, j in _aligned(open_answers, free, attacks, fits):
        answers[index].attack = attacks[j]
    return left + [answers[i] for i in open_answers if answers[i].attack is None]


def _one_after_another(answers: list[Answer], attacks: list[Attack], fits: Sequence[Sequence[int]]) -> None:
    """Give answers by one attacker's name the attacks of that one in order, where they are as many (S9).

    A name says nothing of which of them is meant; only where two or more do not fit so they may have changed places.
    """
    for name in {answer.attacker for answer in answers} - {None}:
        named = [i for i, answer in enumerate(answers) if answer.attacker == name]
        own = [j for j, attack in enumerate(attacks) if attack.attacker.name == name]
        if len(named) == len(own) > 1 and sum(fits[i][j] > 0 for i, j in zip(named, own, strict=True)) < 2:
            for i, j in zip(named, own, strict=True):
                answers[i].attack = attacks[j]


def _in_order(answers: list[Answer], attacks: list[Attack]) -> bool:
    """Whether every name is that of the attack at its place, and not all answers have one (those may change places)."""
    pairs = zip(answers, attacks, strict=True)
    return any(a.attacker is None for a in answers) and all(a.attacker in (None, b.attacker.name) for a, b in pairs)


def _exchange(answers: list[Answer], fits: Sequence[Sequence[int]]) -> None:
    """Let two dodge answers without a name change places where neither fits in its own and all fit so (S9)."""
    wrong = [i for i in range(len(answers)) if fits[i][i]]
    if len(wrong) != 2 or any(answers[i].kind != "dodge" or answers[i].attacker is not None for i in wrong):
        return
    first, second = wrong
    if not fits[first][second] and not fits[second][first]:
        one, other = answers[first], answers[second]
        one.attack, other.attack = other.attack, one.attack
        one.moved = other.moved = True


def _aligned(
    answers: list[int], free: list[int], attacks: list[Attack], fits: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """The order-keeping pairs with the best fit; in doubt the first answers and attacks."""
    number = min(len(answers), len(free))
    if number == 0:
        return []
    if len(answers) == len(free) or max(len(answers), len(free)) > 12:
        return list(zip(answers, free, strict=False))
    best: tuple[int, list[tuple[int, int]]] | None = None
    for chosen in combinations(answers, number):
        for places in combinations(free, number):
            pairs = list(zip(chosen, places, strict=True))
            skipped = [j for j in free if j not in places]
            cost = sum(fits[i][j] for i, j in pairs) * 10 + sum(not attacks[j].optional for j in skipped)
            if best is None or cost < best[0]:
                best = (cost, pairs)
    return best[1] if best is not None else []


def out_of_order(answers: Sequence[Answer], attacks: Sequence[Attack]) -> bool:
    """Whether answers with names, or that have changed places, came in another order than the attacks (S9)."""
    told = [a for a in answers if a.attacker is not None or a.moved]
    places = [attacks.index(a.attack) for a in told if a.attack is not None]
    return any(a > b for a, b in pairwise(places))
