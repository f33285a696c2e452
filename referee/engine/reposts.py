"""Posts that say the author's own last post again: sent twice by the board, or repeated with other numbers.

Two turns may be alike, with the same attack and the same Loss Tag. So a post counts as a repetition only if it
shows every roll of the earlier one, and if it comes within minutes, says that it is one and tells or claims the
same, or tells the same story: prose that its author has used in no post before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from referee.engine.corrections import restates
from referee.model.battle import Post
from referee.model.claims import Reading
from referee.model.text import Anchor, Script, lines_touched

#: A board that sends a post twice does so within minutes.
_AT_ONCE = timedelta(minutes=10)
#: Words that say so, near the beginning of a post.
_SAID = re.compile(
    r"\bre-?post(?:ing|ed|s)?\b|\bpost(?:ing|ed)?[ ](?:this[ ]|it[ ])?again\b|\bdouble[ -]?post\b"
    r"|\b(?:right|correct(?:ed)?|fixed|proper)[ ](?:numbers|version|post|values|maths?|turn)\b|\bfixed[ ]it\b",
    re.IGNORECASE,
)
_BEGINNING = 160
#: Copies differ by no more characters than blanks make.
_BLANKS = 200
#: Prose with fewer characters tells no story.
_STORY = 60
#: Longer words below all claims are a story too.
_FOOTER = 160
#: Shorter lines are headings (`Main Phase:`), which every post has.
_SENTENCE = 20
#: So much of it must be the same.
_SHARE = 0.8


def same_words(one: Script, other: Script) -> bool:
    """Whether two scripts say the same, blanks aside."""
    if abs(len(one.text) - len(other.text)) > _BLANKS or one.text.lstrip()[:30] != other.text.lstrip()[:30]:
        return False
    return one.text.split() == other.text.split()


def sent_twice(earlier: Post, later: Post, scripts: tuple[Script, Script]) -> bool:
    """Whether a post is the same as the one before it, sent again: within minutes, or with the same rolls."""
    if not same_words(*scripts) or _rolls(scripts[0]) != _rolls(scripts[1]):
        return False
    if any(anchor.url for anchor in scripts[0].anchors):
        return True
    return earlier.at is not None and later.at is not None and later.at - earlier.at <= _AT_ONCE


def within_minutes(earlier: Post, later: Post) -> bool:
    """Whether two posts came within minutes of each other, or nobody knows when they came."""
    return earlier.at is None or later.at is None or later.at - earlier.at <= _AT_ONCE


def says_so(script: Script) -> bool:
    """Whether a post says near its beginning that it is said again."""
    return _SAID.search(script.text, 0, _BEGINNING) is not None


def repeats(
    old: Reading, new: Reading, scripts: tuple[Script, Script], labelled: bool, told: Callable[[], frozenset[str]]
) -> bool:
    """Whether a post repeats the one before it with changes.

    `labelled`: it begins like a correction. `told()`: lines of the author's posts before both.
    """
    if not old.claims or {claim.kind for claim in old.claims} - {claim.kind for claim in new.claims}:
        return False
    known = {claim.quote for claim in old.claims}
    same = sum([claim.quote in known for claim in new.claims])
    if 2 * same < min(len(old.claims), len(new.claims)) - 1 or _rolls(scripts[0]) - _rolls(scripts[1]):
        return False
    again = set(_prose(scripts[1], new))
    story = [line for line in _prose(scripts[0], old, footer=False) if len(line) >= _SENTENCE]
    length = sum(map(len, story))
    told_again = sum(len(line) for line in story if line in again)
    if labelled or says_so(scripts[1]):
        # A new turn may begin with such words too, and end with the same Loss Tag.
        return 2 * told_again >= length if length >= _STORY else same > 0 and restates(old, new)
    more = {claim.kind for claim in new.claims} - {claim.kind for claim in old.claims}
    if told_again < _STORY or (more and new_rolls(*scripts)):
        return False  # What goes further, with rolls of its own, is the next turn under the same words.
    before = told()
    own = [line for line in story if line not in before]
    length = sum(map(len, own))
    return length >= _STORY and sum(len(line) for line in own if line in again) >= _SHARE * length


def new_rolls(old: Script, new: Script) -> bool:
    """Whether a post shows a roll that the earlier one does not."""
    return bool(_rolls(new) - _rolls(old))


def lines_of(script: Script) -> Iterator[str]:
    """The lines of a script that say something, blanks aside."""
    for line in script.text.split("\n"):
        words = line.strip()
        if words:
            yield words


def _prose(script: Script, reading: Reading, *, footer: bool = True) -> Iterator[str]:
    """The lines of a script without those that hold a claim or an unread tag.

    Without `footer` a few words below all of these are left out: authors may write them below every post.
    """
    spans = [*(claim.span for claim in reading.claims), *(unread.span for unread in reading.unread)]
    taken = lines_touched(script.text, spans)
    lines = [line.strip() for line in script.text.split("\n")]
    below = max(taken, default=-1) + 1
    if not footer and sum(map(len, lines[below:])) <= _FOOTER:
        lines = lines[:below]
    for number, words in enumerate(lines):
        if words and number not in taken:
            yield words


def _rolls(script: Script) -> Counter[Anchor]:
    """The links and in-post rolls of a script, wherever they stand in it."""
    return Counter(replace(anchor, start=0, end=0) for anchor in script.anchors)
