"""Posts that put the author's own last turn right, in whatever words they begin (G25).

`Edit:` and `Correction:` are what readers of the rule systems know; other labels and apologies (`[Edit: ...]`,
`EDIT 2 -`, `Oops, that should be ...`) are rewritten to that form in place, so that every system reads them alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

from referee.model.claims import Reading
from referee.model.glyphs import straighten
from referee.model.text import Script, first_word, lines_touched


class Strength(IntEnum):
    """How surely a post's first words say that it corrects."""

    #: An apology, which a turn may begin with too: `Sorry, ...`.
    SORRY = 1
    #: Words of correcting: `That should be ...`, `Scratch that, ...`.
    TOLD = 2
    #: A label: `Edit:`, `Correction -`.
    LABEL = 3


class Lead(NamedTuple):
    """The first words of a correction: what it says stands between `end` and `stop`.

    `known`: they are those that the readers of all systems know.
    """

    end: int
    stop: int
    strength: Strength
    known: bool = False


#: What the readers of all systems know as the lead of a correction, with a remark of its own at the most.
_KNOWN = re.compile(r"\s*(?:edit|correction)\b[^:\n()\[\]-]{0,20}(?:\([^:()\n]{0,40}\)[ \t]{0,3})?:", re.IGNORECASE)
_FORM = "Edit:"
#: `*edit* Golem 1: 10/20 HP`: the marks are gone, and the colon is another one.
_BARE = re.compile(r"\s{0,9}edit(?:ed)?[ \t]+(?=[^\W\d])", re.IGNORECASE)
_OPENED = r"\s{0,9}(?P<wrap>[(\[{*_~-]{0,3})[ \t]{0,3}"
_FORGOT = r"(?:i[ \t]+)?(?:forgot|missed)\b"
#: How a label ends: `Edit (typo):`, `EDIT 2 -`, `[Edit] `, `Edit` on a line of its own, `edit (HP: ...`.
_ENDS = (
    r"(?:[^:\n()\[\]-]{0,30}(?:\([^:()\n]{0,40}\)[ \t]{0,3})?:"
    r"|[ \t]{0,3}[#(]?\d{0,2}\)?[ \t]{0,3}"
    rf"(?:[)\]}}*_~-]{{1,3}}[ \t]{{0,3}}:?(?=[\s(\[])|\n|(?=[(\[])|(?={_FORGOT})))"
)
_LABEL = re.compile(
    _OPENED + r"(?:(?:small|quick|minor|tiny|late|another|mod|staff|judge|gm|my)[ \t]+){0,2}"
    rf"(?:edit(?:ed|s)?|eta|corrections?|corrected|erratum|errata)\b{_ENDS}[ \t]{{0,9}}",
    re.IGNORECASE,
)
_SHOULD = r"(?:should|ought to|was (?:meant|supposed) to) (?:be|have been|have said|have read|read|say)"
_PART = (
    r"(?:(?:last|previous|loss|hp|damage|to-hit|first|second)[ ]){0,2}"
    r"(?:tag|line|number|total|post|sum|maths?|roll|loss|hp|damage)s?"
)
_SORRY = (
    r"oops(?:ie)?|w?hoops|woops|sorry(?: (?:about that|everyone|everybody|all|guys|folks))?|apologies"
    r"|my (?:bad|mistake|fault|apologies)|oh|ah|wait|hold on|no|damn|dang|argh|gah|ugh|er|erm|um|hm+"
)
#: Each says that what follows takes the place of something.
_TELLING = (
    rf"(?:(?:and|but|so|that|this|it|the above) )?{_SHOULD}",
    rf"(?:the|my) {_PART} {_SHOULD}",
    rf"(?:scratch|strike|make|ignore|disregard) (?:that|the above|my last(?: {_PART})?)",
    r"typos?(?: (?:there|above|in my last post))?",
    rf"wrong {_PART}",
    rf"mis(?:typed|counted|calculated|read|added)(?: (?:that|it|the {_PART}))?",
    r"i mis(?:typed|counted|calculated|read)",
    r"(?:i )?meant(?: to (?:write|say|put|post))?",
    rf"fixed(?: (?:(?:my|the) )?{_PART})?",
    rf"(?:the )?(?:correct|corrected|right|fixed) {_PART}(?: is| are)?",
    rf"here(?:'s| is) the (?:correct|corrected|right|fixed) (?:one|{_PART})",
)
_SEPARATED = r"(?:[ \t]{0,3}[,.:;!-]{1,3}[\s]{0,3}|[ \t]+|\n)"
_WORDS = re.compile(
    rf"{_OPENED}(?:(?P<sorry>(?:{_SORRY})\b){_SEPARATED}(?:(?:and|but|so)[ \t]+)?){{0,3}}"
    rf"(?:(?P<told>(?:{'|'.join(_TELLING)})\b)(?:{_SEPARATED}|$)){{0,3}}(?P<forgot>(?={_FORGOT}))?",
    re.IGNORECASE,
)
#: What may stand in front of a label: `Oops, Edit: ...`, `lol edit: ...`.
_AHEAD = re.compile(
    rf"\s{{0,9}}[(\[{{*_~-]{{0,3}}(?:(?:{_SORRY}|lol|haha|nope|okay|ok|well)\b{_SEPARATED}){{1,3}}", re.IGNORECASE
)
#: The first words of all these, for a cheap look.
_FIRSTS = frozenset(
    (
        *("edit", "edited", "edits", "eta", "correction", "corrections", "corrected", "erratum", "errata", "small"),
        *("quick", "minor", "tiny", "late", "another", "mod", "staff", "judge", "gm", "my", "oops", "oopsie"),
        *("whoops", "hoops", "woops", "sorry", "apologies", "oh", "ah", "wait", "hold", "no", "damn", "dang", "argh"),
        *("gah", "ugh", "er", "erm", "um", "hm", "hmm", "and", "but", "so", "that", "this", "it", "the", "should"),
        *("scratch", "strike", "make", "ignore", "disregard", "typo", "typos", "wrong", "mistyped", "miscounted"),
        *("miscalculated", "misread", "misadded", "i", "meant", "fixed", "correct", "right", "here", "forgot"),
        *("missed", "ought", "was", "lol", "haha", "nope", "okay", "ok", "well"),
    )
)
_FIRST = re.compile(r"\s{0,9}[(\[{*_~-]{0,3}[ \t]{0,3}([a-z]{1,13})", re.IGNORECASE)
#: Behind an apology alone the corrected claim itself must follow.
_CLAIMED_AT_ONCE = re.compile(rf"[(\[+\d-]|[a-z]{{2,8}}[ \t]*[:=]?[ \t]*[+-][ \t]*\d|{_FORGOT}", re.IGNORECASE)
#: What may follow a forgotten amount: the end of the sentence, or words that say of what. `I forgot 5 stamina
#: potions at home` forgot no stamina.
_AMOUNT = re.compile(r"\b\d{1,6}[ \t]{0,3}(?:more[ \t])?[^\W\d_]{2,12}\b")
_AMOUNT_ENDS = re.compile(
    r"[ \t]*(?:$|\n|[^\w\s]"
    r"|(?:and|for|of|from|in|on|at|as|to|because|since|there|here|too|again|sorry|last|cost|costs|upkeep|loss)\b)",
    re.IGNORECASE,
)
#: Between the first words and the corrected claim: a few words, no sentence.
_FEW_WORDS = re.compile(r"(?:[^\W\d]+(?:'[a-z]+)?[ \t,:]*){0,8}(?=[(\[+\d-])", re.IGNORECASE)
_SUBJECT = re.compile(r"[:;,=(]")
_NUMBER = re.compile(r"\d{1,9}")
#: An empty line.
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINE = re.compile(r"\n")
#: So much may be said beside the claims of a post that no label calls a correction.
_MOST_BESIDE = 90
_LONGEST = 600


def leads_of(script: Script) -> Iterator[Lead]:
    """What the first words of a post may be if it is a correction, the likeliest first. Linear, and cheap for prose."""
    first = _lead_of(script)
    if first is None:
        return
    yield first
    bare = _BARE.match(script.text)
    if bare is not None and bare.end() < first.end <= len(script.text) <= _LONGEST:
        yield first._replace(end=bare.end())


def _lead_of(script: Script) -> Lead | None:
    text = script.text
    first = _FIRST.match(text)
    if first is None or first[1].casefold() not in _FIRSTS:
        return None
    known = _KNOWN.match(text)
    if known is not None:
        return Lead(known.end(), len(text), Strength.LABEL, known=True)
    if len(text) > _LONGEST:
        return None
    ahead = _AHEAD.match(text)
    label = _LABEL.match(text, ahead.end() if ahead is not None else 0)
    if label is not None:
        return _lead(text, label, Strength.LABEL)
    words = _WORDS.match(text)
    if words is None or not (words["sorry"] or words["told"] or words["forgot"] is not None):
        return None
    told = words["told"] is not None or words["forgot"] is not None
    return _lead(text, words, Strength.TOLD if told else Strength.SORRY)


def _lead(text: str, found: re.Match[str], strength: Strength) -> Lead | None:
    """The lead, its closing bracket at the end of the post left out; None where nothing follows it."""
    stop = len(text.rstrip())
    for sign in reversed(found["wrap"]):
        close = {"(": ")", "[": "]", "{": "}"}.get(sign)
        if close is not None and text[found.start() : found.end()].count(close) == 0 and text[stop - 1 : stop] == close:
            stop -= 1
    return Lead(found.end(), stop, strength) if found.end() < stop else None


def rewritten(script: Script, lead: Lead) -> Script | None:
    """The script as it would stand behind `Edit:`; None where it stands so already.

    Every place is kept where the first words are long enough, else all move behind as many blanks as are needed.
    """
    text = script.text
    known = _KNOWN.match(text)
    if known is not None and known.end() == lead.end:
        return None
    room = max(0, len(_FORM) - lead.end)
    if room:
        anchors = tuple(replace(a, start=a.start + room, end=a.end + room) for a in script.anchors)
        script = replace(script, shown=" " * room + script.shown, anchors=anchors)
    head = _FORM + " " * (lead.end + room - len(_FORM))
    return replace(script, text=head + text[lead.end : lead.stop] + " " * (len(text) - lead.stop))


def corrects(script: Script, reading: Reading, lead: Lead) -> bool:
    """Whether a post that begins so holds the claims of a correction and nothing else that claims (G25).

    They stand in the paragraph that begins so, on two lines at the most: a whole turn below a remark such as
    `Edit: typo` is a turn, and so is a story below a bare `Edit` with its Loss Tag. Without a label, next to nothing
    else may stand in the post.
    """
    if not reading.claims:
        return False
    text = script.text
    paragraph = _LINE if script.spaced else _PARAGRAPH
    end = paragraph.search(text, first_word(text, lead.end))
    places = [claim.span[0] for claim in reading.claims]
    if end is not None and max(places) >= end.start():
        return False
    story = end is not None and end.start() - lead.end > _MOST_BESIDE
    if end is not None and story and not lead.known and max(c.span[1] for c in reading.claims) > end.start():
        return False
    if len(lines_touched(text, [(place, place) for place in places])) > 2:
        return False
    return lead.strength is Strength.LABEL or _says_little_else(text, reading, lead)


def restates(old: Reading, new: Reading) -> bool:
    """Whether every claim is one of the earlier reading with other numbers: the same words of the same subject."""
    shapes = {_shape(claim.quote) for claim in old.claims}
    return all(_shape(claim.quote) in shapes for claim in new.claims)


def _shape(quote: str) -> tuple[str, str]:
    """What a claim is about, and its words without their numbers, the lead of a correction left out."""
    words = straighten(quote).casefold()
    label = _WORDS.match(words) or _KNOWN.match(words)
    words = words[label.end() :] if label is not None else words
    only = len(_NUMBER.findall(words)) == 1
    subject = _NUMBER.split(words)[0] if only else _SUBJECT.split(words, maxsplit=1)[0]
    return subject.strip(" ([{"), _NUMBER.sub("#", words).strip(" ([{)]}.!")


def says_a_number(script: Script, lead: Lead) -> bool:
    """Whether a short post behind the label of a correction has a number: it may correct something."""
    words = script.text[lead.end : lead.stop]
    return lead.strength is Strength.LABEL and len(words) <= _LONGEST and any(sign.isdigit() for sign in words)


def _says_little_else(text: str, reading: Reading, lead: Lead) -> bool:
    """Whether a post holds one kind of claim right behind its first words, and hardly any prose."""
    kinds = {claim.kind for claim in reading.claims}
    if len(kinds) != 1 or len(text) - lead.end > _LONGEST:
        return False
    content = text[lead.end : lead.stop]
    if kinds == {"correction"}:
        begins = _CLAIMED_AT_ONCE.match(content)
        few = lead.strength is Strength.TOLD and _FEW_WORDS.match(content) is not None
        return (begins is not None or few) and _ends_with_amount(content) and "\n" not in content.strip()
    start = min(claim.span[0] for claim in reading.claims)
    said = sum(max(0, claim.span[1] - max(claim.span[0], lead.end)) for claim in reading.claims)
    return start <= lead.end + 3 and len(content.strip()) - said <= _MOST_BESIDE


def _ends_with_amount(content: str) -> bool:
    """Whether the amounts of `forgot 5 stamina and 3 chakra` end there, and are no other things' (true without any)."""
    amounts = list(_AMOUNT.finditer(content)) if re.match(_FORGOT, content, re.IGNORECASE) else []
    return not amounts or _AMOUNT_ENDS.match(content, amounts[-1].end()) is not None
