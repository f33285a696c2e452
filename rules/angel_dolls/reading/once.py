"""Sentences that only tell an attack beside its heading, or without any check below (NA1)."""

from __future__ import annotations

from itertools import pairwise

from referee.model.claims import Claim
from rules.angel_dolls.statements import Check, Heading


def told_once(claims: list[Claim]) -> list[Claim]:
    """The claims without sentences that only tell an attack: no check follows, or a heading of it is beside them."""
    if not any([is_worded(claim) for claim in claims]):
        return claims
    acts = [claim for claim in claims if isinstance(claim.data, Heading | Check)]
    told = {id(claim) for pair in pairwise(acts) if _same_attack(*pair) for claim in pair if is_worded(claim)}
    told |= {id(one) for one, other in pairwise(acts) if is_worded(one) and not isinstance(other.data, Check)}
    told |= {id(claim) for claim in acts[-1:] if is_worded(claim)}
    return [claim for claim in claims if id(claim) not in told]


def is_worded(claim: Claim) -> bool:
    """Whether a claim is the heading of an attack in words."""
    return isinstance(claim.data, Heading) and claim.data.worded


def _same_attack(one: Claim, other: Claim) -> bool:
    first, second = one.data, other.data
    if not isinstance(first, Heading) or not isinstance(second, Heading):
        return False
    return (first.attacker, first.defender) == (second.attacker, second.defender)
