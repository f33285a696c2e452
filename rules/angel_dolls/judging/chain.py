"""Judges the chains of a post: every penalty must appear once, on any attack of the chain (D8, X14)."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from referee.model.claims import Claim
from referee.ports.sayings import all_of, brief, counted
from rules.angel_dolls.attacks import chain_penalties
from rules.angel_dolls.judging.doubts import doubtful_chains
from rules.angel_dolls.judging.play import Play, Shifts
from rules.angel_dolls.judging.side import of_the_scene
from rules.angel_dolls.statements import ChainLine, Check, Heading, Notes, PoolLine, Side

#: The heading of a round.
_ROUND = re.compile(r"^\W{0,8}(?:round|turn)\s+\d{1,3}\W{0,8}$", re.IGNORECASE | re.MULTILINE)
#: More attacks of one doll in one post than this are not judged as a chain.
LONGEST_CHAIN = 30


@dataclass(slots=True)
class Link:
    """One attack of a chain: its heading and the check lines below it. `fallen`: its doll may have had no HP left."""

    place: int
    claim: Claim
    heading: Heading
    fallen: bool = False
    checks: list[Check] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def shown(self, where: str) -> list[int] | None:
        """The chain modifiers in the lines of that kind; None where there is no such line."""
        lines = [check for check in self.checks if (check.kind == "hit") == (where == "hit") and check.left]
        if not lines or (where == "damage" and all(check.kind in ("disarm", "strangle") for check in lines)):
            return None
        return [value for check in lines if check.left for value in check.left.shown("chain")]

    def nameless(self) -> list[int]:
        """The modifiers of its lines that show no reason, or only that they are a penalty."""
        modifiers = [m for check in self.checks if check.left for m in check.left.modifiers if not m.kind]
        return [m.value for m in modifiers if m.reason.casefold() in ("", "penalty", "malus")]

    def penalties(self) -> list[tuple[int, str]]:
        """The penalties that this attack bears: those of its heading, else those of its lines."""
        if self.heading.chain:
            return [(penalty.amount, penalty.where) for penalty in self.heading.chain]
        borne: list[tuple[int, str]] = []
        for where in ("hit", "damage"):
            borne += [(value, where) for value in self.shown(where) or ()]
        return borne


def judge_chains(play: Play) -> None:
    """Report chains whose penalties are missing or wrong, one finding for each chain."""
    if not _chained(play.entry.reading.claims) or doubtful_chains(play.entry.reading):
        return
    for attacker, links in _chains(play).items():
        edited = any(place in play.entry.before for link in links for place in (link.place, *link.places))
        if len(links) > LONGEST_CHAIN or edited or _goes_on(play, links):
            continue
        if len(links) == 1 and not links[0].penalties():
            continue
        fault = _fault(play, links)
        promised = fault is None
        fault = fault or _line_fault(links)
        if fault is not None and not (_fits_without_talk(play, links) or _fits_by_rounds(play, links)):
            play.chain_shifts[attacker] = _shifts(play, *fault)
            _report(play, attacker, links, *fault, promised=promised)
    play.block.faulty = False


def _fits_without_talk(play: Play, links: list[Link]) -> bool:
    """Whether the chain is right without headings that no check follows: an attack that was only talked of."""
    made = [link for link in links if link.checks or link.heading.chain]
    if len(made) == len(links):
        return False
    if len(made) < 2 and not any(link.penalties() for link in made):
        return True
    return _fault(play, made) is None and _line_fault(made) is None


def _goes_on(play: Play, links: list[Link]) -> bool:
    """Whether the chain may go on from the same author's post right before: its numbers do not begin with 1."""
    if (links[0].heading.number or 1) == 1:
        return False
    before = [entry for entry in play.bout.case.entries if entry.index < play.entry.index]
    return bool(before) and before[-1].post.author == play.entry.post.author


def _fits_by_rounds(play: Play, links: list[Link]) -> bool:
    """Whether the chain is right if each `Round 2` alone on its line begins a new one; posts are rounds (X17)."""
    notes = play.entry.reading.notes
    script = notes.script if isinstance(notes, Notes) else None
    borders = [met.start() for met in _ROUND.finditer(script.text)] if script else []
    parts: dict[int, list[Link]] = {}
    for link in links:
        parts.setdefault(bisect(borders, link.claim.span[0]), []).append(link)
    fits = [_fault(play, part) is None and _line_fault(part) is None for part in parts.values()]
    return len(parts) > 1 and all(fits)


def _chained(claims: Iterable[Claim]) -> bool:
    """Whether there may be a chain to judge: a doll attacks twice, or a penalty is written."""
    attackers: set[str] = set()
    for claim in claims:
        match claim.data:
            case Heading(attacker=attacker, chain=chain):
                if chain or attacker in attackers:
                    return True
                attackers.add(attacker)
            case Check(left=Side() as side) if side.modifiers and side.shown("chain"):
                return True
            case ChainLine():
                return True
    return False


def _shifts(play: Play, claimed: int | None, right: list[int], at: Link | None) -> Shifts:
    """What the right penalty changes in a total, and in which lines; a missing one may be due in any attack."""
    values = frozenset({0, *(amount - (claimed or 0) for amount in right)})
    claims = play.entry.reading.claims
    return values, (None if at is None else frozenset(claims[place].span for place in at.places))


def _chains(play: Play) -> dict[str, list[Link]]:
    """The attacks of the post by attacker; a later round of a strangle hold is no attack of its own."""
    found: dict[str, list[Link]] = {}
    last: Link | None = None
    left: dict[str | None, int | Fraction | None] = {doll.name: doll.hp.figure.low for doll in play.bout.dolls.values()}
    for place, claim in enumerate(play.entry.reading.claims):
        if isinstance(claim.data, Heading):
            last = Link(place, claim, claim.data, _gone(left.get(claim.data.attacker)))
            found.setdefault(claim.data.attacker, []).append(last)
        elif isinstance(claim.data, PoolLine) and claim.data.thing is None:
            left[claim.data.owner or (last.heading.defender if last else None)] = claim.data.new
        elif isinstance(claim.data, ChainLine) and last is not None:
            last.heading = replace(last.heading, chain=(*last.heading.chain, *claim.data.chain))
            last.places.append(place)
        elif isinstance(claim.data, Check) and last is not None:
            last.checks.append(claim.data)
            last.places.append(place)
            _strike(left, claim.data, last.heading)
    return {name: kept for name, links in found.items() if (kept := [link for link in links if _counts(link)])}


def _gone(left: int | Fraction | None) -> bool:
    return left is not None and left <= 0


def _strike(left: dict[str | None, int | Fraction | None], check: Check, heading: Heading) -> None:
    """Take a written damage off what is left of the struck doll."""
    struck = (check.right.owner if check.right else None) or (heading.defender if check.kind == "damage" else None)
    known = left.get(struck)
    if known is not None and check.result is not None and check.kind in ("damage", "strangle"):
        left[struck] = known - check.result


def _counts(link: Link) -> bool:
    """Whether an attack is one of the chain; what a fallen doll does is a fault of its own (D16)."""
    return not link.fallen and not _held_on(link)


def _held_on(link: Link) -> bool:
    kinds = [check.kind for check in link.checks]
    return bool(kinds) and kinds[0] == "strangle" and (link.checks[0].round or 1) > 1


def _fault(play: Play, links: list[Link]) -> tuple[int | None, list[int], Link | None] | None:
    """What is wrong with the penalties of a chain: the written modifier, the right ones, where (None: anywhere)."""
    penalties = chain_penalties(len(links), play.bout.numbers)
    borne = [(-amount, link) for link in links for amount, _ in link.penalties()]
    if sorted([amount for amount, _ in borne]) == sorted(penalties):
        return None
    due, written = Counter(penalties), Counter(amount for amount, _ in borne)
    missing, spare = due - written, written - due
    for amount in [*missing.elements()]:
        # A modifier without a reason may be the chain's.
        if any(-amount in link.nameless() for link in links):
            missing[amount] -= 1
    missing = +missing
    if not missing and not spare:
        return None
    if _merged(missing, spare) or (not missing and _cut_short(play, links)):
        return None
    wrong = next(iter(spare), None)
    at = next((link for amount, link in borne if amount == wrong), None) or _own(play, links, missing, borne)
    right = [-amount for amount in sorted(missing)] or [0]
    return (None if wrong is None else -wrong), right, at


def _own(play: Play, links: list[Link], missing: Counter[int], borne: list[tuple[int, Link]]) -> Link | None:
    """The attack that owes the one missing penalty, where all the others stand at their own attacks."""
    step = play.bout.numbers.chain_step
    own = {step * place: link for place, link in enumerate(links)}
    if missing.total() != 1 or any(own.get(amount) is not link for amount, link in borne):
        return None
    return own.get(next(iter(missing)))


def _cut_short(play: Play, links: list[Link]) -> bool:
    """Whether the chain ended with a fall: penalties of attacks that were not made any more may stand."""
    struck = {link.heading.defender for link in links}
    lines = [claim.data for claim in play.entry.reading.claims if isinstance(claim.data, PoolLine)]
    return any(line.thing is None and line.new <= 0 and line.owner in struck for line in lines)


def _merged(missing: Counter[int], spare: Counter[int]) -> bool:
    """Several penalties written as one number, such as -30 for -10 and -20."""
    return bool(spare) and sum(missing.elements()) == sum(spare.elements()) and len(list(spare.elements())) == 1


def _line_fault(links: Iterable[Link]) -> tuple[int | None, list[int], Link | None] | None:
    """A penalty of a heading that its check line does not show, or shows with another amount."""
    for link in links:
        for where in ("hit", "damage") if link.heading.chain else ():
            promised = [penalty.amount for penalty in link.heading.chain if penalty.where == where]
            shown = link.shown(where)
            if shown is None or sum(shown) == sum(promised) or _unlabelled(link, where, sum(promised)):
                continue
            return *_differing(promised, shown), link
    return None


def _differing(promised: list[int], shown: list[int]) -> tuple[int | None, list[int]]:
    """The modifier that is wrong and the right one; their sums where they can not be told apart."""
    missing, spare = Counter(promised) - Counter(shown), Counter(shown) - Counter(promised)
    if missing and len(list(spare.elements())) <= 1 and len(shown) in (len(promised), len(promised) - 1):
        return next(iter(spare), None), sorted(missing.elements(), reverse=True)
    return (sum(shown) if shown else None), [sum(promised)]


def _unlabelled(link: Link, where: str, amount: int) -> bool:
    """Whether the line shows the amount without its reason, or under a name that is nothing else's."""
    lines = [check for check in link.checks if (check.kind == "hit") == (where == "hit") and check.left]
    shown = [m for check in lines if check.left for m in check.left.modifiers]
    return any(m.value == amount and not m.kind and not of_the_scene(m.reason) for m in shown)


def _report(
    play: Play,
    attacker: str,
    links: list[Link],
    claimed: int | None,
    right: list[int],
    at: Link | None,
    promised: bool,
) -> None:
    """`promised`: the headings are right, but a check line does not show what its heading says."""
    step = play.bout.numbers.chain_step
    words = all_of(f"{amount:+d}" for amount in right)
    said = "it is not in the post" if claimed is None else f"the post says {claimed:+d}"
    message = f"a chain of {counted(len(links), 'attack')} by {attacker} bears a penalty of {words}: {said}"
    if promised:
        said = "the check line below it shows none" if claimed is None else f"the check line shows {claimed:+d}"
        message = f"the heading of this attack by {attacker} bears a chain penalty of {words}: {said}"
    trace = [f"attack {place} of the chain owes {-step * (place - 1)}" for place in range(2, len(links) + 1)]
    trace += [f"{brief(link.claim.quote)}: {_words(link)}" for link in links]
    if promised and at is not None:
        claims = play.entry.reading.claims
        trace += [f"check line: {claims[place].quote}" for place in at.places if isinstance(claims[place].data, Check)]
    play.add("chain", attacker, claimed, right, message, trace, ("D8",), claim=(at or links[-1]).claim)


def _words(link: Link) -> str:
    return all_of(f"{amount:+d} to {where}" for amount, where in link.penalties()) or "no penalty"
