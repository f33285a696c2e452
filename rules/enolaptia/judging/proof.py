"""Which die of a roll which link proves, where a line has fewer proofs than dice (G7, G8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.model.claims import WrittenRoll
from referee.model.text import Anchor

#: The dice that a link's record shows; None where nothing is known of it.
Shown = Callable[[str], tuple[int, ...] | None]


def one_by_one(written: WrittenRoll, shown: Shown) -> list[WrittenRoll] | None:
    """The dice of a roll as rolls of their own, each with its proof or none; None where the roll stays whole.

    Dice go singly where the board made some and others are linked, where the links and the board's
    dice are too few (then a die is without a link, which is no wrong value of the others), and where
    nothing is known of some links but of others: these prove their dice all the same.
    """
    made = [anchor.dice is not None for anchor in written.anchors]
    number = len(written.values)
    if any(made) and not all(made) and len(made) == number:
        return _singles(written.values, written.anchors)
    if not any(made) and len(made) == number:
        rows = [shown(anchor.url or "") for anchor in written.anchors]
        apart = None in rows and all([row is None or len(row) == 1 for row in rows]) and any(rows)
        return _singles(written.values, written.anchors) if apart else None
    if (
        not made
        or len(made) >= number
        or len({anchor.url for anchor in written.anchors if anchor.url}) < made.count(False)
    ):
        return None
    offers = [anchor.values if anchor.dice is not None else shown(anchor.url or "") for anchor in written.anchors]
    known = [offer for offer in offers if offer]
    if len(known) < len(offers) or sum(map(len, known)) >= number:
        return None
    return _singles(written.values, _owners(written.values, written.anchors, known))


def _singles(values: Sequence[int], anchors: Sequence[Anchor | None]) -> list[WrittenRoll]:
    pairs = zip(values, anchors, strict=True)
    return [WrittenRoll((value,), () if anchor is None else (anchor,), "1d6") for value, anchor in pairs]


def _owners(values: Sequence[int], anchors: Sequence[Anchor], offers: Sequence[Sequence[int]]) -> list[Anchor | None]:
    """The proof of each die: dice of the same value first, then any that is left."""
    owners: list[Anchor | None] = [None] * len(values)
    left = [(anchor, value) for anchor, offer in zip(anchors, offers, strict=True) for value in offer]
    for same in (True, False):
        for pair in list(left):
            free = [i for i, owner in enumerate(owners) if owner is None and (values[i] == pair[1] or not same)]
            if free:
                owners[free[0]] = pair[0]
                left.remove(pair)
    return owners
