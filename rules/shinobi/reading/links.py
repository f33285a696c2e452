"""Roll links that stand elsewhere in the Response than at their tag (S7, A6): alone on a line, or behind `Rolls:`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise, product

from referee.model.claims import Claim, WrittenRoll
from referee.model.text import Anchor, Script
from rules.shinobi.model import Dodge, Guard

#: The words that may stand on a line of roll links besides them; numbers and signs may, too.
_LINE_WORD = re.compile(
    r"roll(?:s|ed)?|dodg(?:es?|ing)|guard(?:s|ing)?|dice|die|d|links?|proofs?|results?|here|are|is|the|my|and|see|for|of|"
    r"response|no|attacks?|hits?|https?",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_ROLL_WORD = re.compile(r"\b(?:rolls?|rolled|dodges?|dodging|dice|d100|links?|proofs?|results?)\b", re.IGNORECASE)
_LONGEST_LINE = 400
#: What may stand around a link that is alone on its line.
_AROUND = " ().,;:"
#: With more rolls than this the links are not shared out now one a die and now one a roll.
_MOST_MIXED = 6
#: More links than this, one a line, are of no one tag.
_MOST_LINES = 60


def linked(script: Script, claims: list[Claim], ends: Iterable[int], losses: Sequence[Claim]) -> list[Claim]:
    """The claims, those with rolls but without links given the links that stand elsewhere.

    `ends`: places at which the Response is over (marks of Setup and Main).
    """
    if not script.anchors or not (rolls := _rolls(claims)):
        return claims
    claims = _given(claims, _line_by_line(script, rolls, [claim.span for claim in (*claims, *losses)]))
    rolls = _rolls(claims)
    needy = [claim for claim in rolls if not _written(claim).anchors]
    if not needy:
        return claims
    shares = _of_lines(script, claims, ends, losses, needy)
    if shares is None and (shifted := _above_each(script, rolls, needy)):
        needy, shares = rolls, shifted
    if shares is None:
        needy, shares = _of_the_tag_above(script, rolls, needy)
    return _given(claims, zip(needy, shares, strict=True)) if shares is not None else claims


def _rolls(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if isinstance(claim.data, (Dodge, Guard))]


def _given(claims: list[Claim], shares: Iterable[tuple[Claim, tuple[Anchor, ...]]]) -> list[Claim]:
    """The claims, some with other links."""
    given = {id(claim): _with(claim, share) for claim, share in shares}
    return [given.get(id(claim), claim) for claim in claims] if given else claims


def _line_by_line(
    script: Script, rolls: list[Claim], spans: Sequence[tuple[int, int]]
) -> Iterable[tuple[Claim, tuple[Anchor, ...]]]:
    """The tags whose first link stands alone on the next line, with those of the lines below it: a line a die.

    The tags without a link right above such a one have a part of them.
    """
    bare = 0  # dice of the tags right above that have no link
    for claim in rolls:
        anchors, dice = _written(claim).anchors, len(_written(claim).values)
        if not anchors:
            bare += dice
            continue
        if len(anchors) == 1 and anchors[0].start > script.line_end(claim.span[1]):
            more = _below(script, anchors[0], min(bare + dice, _MOST_LINES) - 1, spans)
            if more:
                yield claim, (*anchors, *more)
        bare = 0


def _below(script: Script, first: Anchor, most: int, spans: Sequence[tuple[int, int]]) -> tuple[Anchor, ...]:
    """The links that stand one a line, in no tag, on the lines below one; below a blank line only those of its host."""
    found: list[Anchor] = []
    end, apart = script.line_end(first.start), False
    while len(found) < most and end < len(script.text):
        start, end = end + 1, script.line_end(end + 1)
        held = script.anchors_in(start, end)
        if not held and not script.text[start:end].strip():
            apart = True
            continue
        if len(held) != 1 or script.text[start:end].strip(_AROUND):
            break
        if _inside(held[0], spans) or (apart and not _alike(first, held[0])):
            break
        found += held
    return tuple(found)


def _alike(one: Anchor, other: Anchor) -> bool:
    """Whether two links are of one host, or both rolls of the board."""
    return (one.url or "").split("/")[:3] == (other.url or "").split("/")[:3]


def _of_lines(
    script: Script, claims: list[Claim], ends: Iterable[int], losses: Sequence[Claim], needy: list[Claim]
) -> list[tuple[Anchor, ...]] | None:
    """The links of rolls without any, from lines of links and from sentences."""
    lines = _free(script, claims, losses, needy, ends)
    every = tuple(anchor for line in lines for anchor in line)
    shares = next((found for row in (every, *lines) if (found := _shared(row, needy)) is not None), None)
    return shares or _in_words(script, claims, losses, needy)


def _of_the_tag_above(
    script: Script, rolls: list[Claim], needy: list[Claim]
) -> tuple[list[Claim], list[tuple[Anchor, ...]] | None]:
    """Rolls and their links where those in or below a tag are of the tags without any above it too (G8, NS3).

    Where their number leaves it open whose is which, nobody has them, so that the records tell.
    """
    for last in rolls[rolls.index(needy[-1]) + 1 :]:
        anchors, dice = _written(last).anchors, len(_written(last).values)
        if len(anchors) > 1 and all(anchor.dice is None for anchor in anchors):
            every = [*needy, last]
            if len(anchors) != dice:
                return every, _shared(anchors, every) or [()] * len(every)
            if anchors[0].start > script.line_end(last.span[1]):
                return every, [()] * len(every)
    return needy, None


def _written(claim: Claim) -> WrittenRoll:
    assert isinstance(claim.data, (Dodge, Guard))
    return claim.data.written


def _with(claim: Claim, anchors: tuple[Anchor, ...]) -> Claim:
    assert isinstance(claim.data, (Dodge, Guard))
    return replace(claim, data=replace(claim.data, written=replace(claim.data.written, anchors=anchors)))


def _free(
    script: Script, claims: list[Claim], losses: Sequence[Claim], needy: list[Claim], ends: Iterable[int]
) -> list[tuple[Anchor, ...]]:
    """The links, line by line, of the lines that hold nothing else, in no tag and at no other roll."""
    taken = {id(anchor) for claim in claims for anchor in getattr(getattr(claim.data, "written", None), "anchors", ())}
    spans = [claim.span for claim in (*claims, *losses)]
    first, last = needy[0].span[0], needy[-1].span[1]
    over = [claim.span[0] for claim in (*claims, *losses) if claim.kind in ("setup", "damage", "loss")]
    end = min([place for place in (*over, *ends) if place >= last], default=len(script.text))
    found: list[tuple[Anchor, ...]] = []
    above = _above(script, first, sum(len(_written(claim).values) for claim in needy))
    for start, stop in _lines(script):
        held = [a for a in script.anchors_in(start, stop) if id(a) not in taken and not _inside(a, spans)]
        if not held:
            continue
        rest = _without(script.text, start, stop, [*held, *[s for s in spans if start <= s[0] and s[1] <= stop]])
        if len(rest) > _LONGEST_LINE or not _is_bare(rest):
            continue
        near = last <= start < end or start in above
        if near or _ROLL_WORD.search(rest) or any(s[0] >= start and s[1] <= stop for s in spans):
            found.append(tuple(held))
    return found


def _above_each(script: Script, rolls: list[Claim], needy: list[Claim]) -> list[tuple[Anchor, ...]] | None:
    """The links of every tag where a line of them stands right above each: only the last one seems to have none."""
    above = _above(script, rolls[0].span[0], 1)
    if needy != rolls[-1:] or len(rolls) < 2 or not above:
        return None
    for claim, after in pairwise(rolls):
        end = script.line_end(_written(claim).anchors[-1].start)
        if end <= script.line_end(claim.span[1]) or script.text[end : after.span[0]].strip():
            return None
    first = min(above)
    return [script.anchors_in(first, script.line_end(first)), *[_written(claim).anchors for claim in rolls[:-1]]]


def _above(script: Script, first: int, most: int) -> set[int]:
    """Where the lines with links begin that stand one above the other right above a tag, as many as it has dice."""
    starts: set[int] = set()
    nearest: Anchor | None = None
    place = first
    for start, stop in reversed(tuple(_lines(script))):
        if place > stop:
            held = script.anchors_in(start, stop)
            nearest = nearest or held[-1]
            if most <= 0 or script.line_end(stop + 1) < place or not all(_alike(nearest, anchor) for anchor in held):
                break
            starts.add(start)
            most -= len(held)
            place = start
    return starts


def _in_words(
    script: Script, claims: Iterable[Claim], losses: Iterable[Claim], needy: list[Claim]
) -> list[tuple[Anchor, ...]] | None:
    """Links in the sentences of a post: around just the numbers of the tags, or in words (`my rolls are here`)."""
    taken = {id(anchor) for claim in claims for anchor in getattr(getattr(claim.data, "written", None), "anchors", ())}
    spans = [claim.span for claim in (*claims, *losses)]
    loose = [anchor for anchor in script.anchors if id(anchor) not in taken and not _inside(anchor, spans)]
    rows = [_written(claim).values for claim in needy]
    around = [(a, script.text[a.start : a.end].strip()) for a in loose if a.start < a.end]
    numbered = tuple(a for a, words in around if words.isdecimal() and len(words) <= 6)
    shown = [int(script.text[a.start : a.end]) for a in numbered]
    if shown and shown == [value for row in rows for value in row]:
        return _shared(numbered, needy)
    lines = ((a, script.text[script.text.rfind("\n", 0, a.start) + 1 : script.line_end(a.start)]) for a in loose)
    told = tuple(a for a, line in lines if a.start == a.end and len(line) <= _LONGEST_LINE and _ROLL_WORD.search(line))
    return _shared(told, needy) if told and not around else None


def _is_bare(rest: str) -> bool:
    """Whether what is left of a line without its links says nothing but that they are rolls."""
    words = _TOKEN.findall(rest)
    return all(_LINE_WORD.fullmatch(word) or (word.isdigit() and len(word) <= 6) for word in words)


def _lines(script: Script) -> Iterable[tuple[int, int]]:
    """The lines on which links stand."""
    seen = -1
    for anchor in script.anchors:
        start = script.text.rfind("\n", 0, anchor.start) + 1
        if start != seen:
            seen = start
            yield start, script.line_end(anchor.start)


def _inside(anchor: Anchor, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= anchor.start and anchor.end <= end for start, end in spans)


def _without(text: str, start: int, stop: int, cut: Iterable[Anchor | tuple[int, int]]) -> str:
    """A line without its links and tags."""
    out: list[str] = []
    place = start
    for begin, end in sorted((c.start, c.end) if isinstance(c, Anchor) else c for c in cut):
        if begin >= place:
            out.append(text[place:begin])
            place = end
    return " ".join([*out, text[place:stop]])


def _shared(free: tuple[Anchor, ...], rolls: list[Claim]) -> list[tuple[Anchor, ...]] | None:
    """Which links belong to which rolls: one for each die in order, or one for all dice of a roll.

    Nothing where the number of links leaves it open. One link may stand for a tag a hit, all of one attack (NS3).
    """
    dice = [len(_written(claim).values) for claim in rolls]
    if len(free) == 1 < len(dice) and _tag_a_hit(rolls):
        return [free] * len(rolls)
    each = next((ways[0] for ways in _ways(len(free), dice) if len(ways) == 1), None)
    if each is None:
        return None
    out: list[tuple[Anchor, ...]] = []
    place = 0
    for number in each:
        out.append(free[place : place + number])
        place += number
    return out


def _ways(links: int, dice: list[int]) -> Iterable[list[list[int]]]:
    """How many links each roll may have, likely ways first: one a die, one a roll, or now this and now that."""
    yield [dice] if links == sum(dice) > 0 else []
    yield [[1] * len(dice)] if links == len(dice) and all(dice) else []
    if len(dice) <= _MOST_MIXED and all(dice):
        yield [list(way) for way in set(product(*({1, number} for number in dice))) if sum(way) == links]


def _tag_a_hit(rolls: list[Claim]) -> bool:
    """Whether tags of one die each say the same chance and attacker, as those for the hits of one attack do."""
    said = {(c.data.chance, c.data.attacker) for c in rolls if isinstance(c.data, Dodge)}
    return len(said) == 1 and all(isinstance(c.data, Dodge) and len(c.data.written.values) == 1 for c in rolls)
