"""Add-ons that give their rolls no class of their own: what marks them on the boards of one kind.

Each is told by something that a poster of that board can't type (a comment, a frame that no tag of the board
makes) and is rewritten into a frame with a class, which `elements` knows. Where only the words look like a
roller's, the roll is a doubtful one: `typed_rolls`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.model.dice import read_dice
from referee.model.shown import EXPRESSION
from scrapers.bodies.widgets import TAMPERED, Roll, doubtful, plain
from scrapers.patterns import Pattern

#: PunBB's roller writes its name into a comment, and a paragraph into a paragraph: it is looked for in the page as
#: it came, since the tree builder takes such paragraphs apart.
COMMENTED = b"pun_dice"
_PUN_DICE = Pattern(r"<strong>\s{0,9}<!--\s{0,9}pun_dice\s{0,9}-->\s{0,9}<p>([^<]{0,2000})</p>\s{0,9}</strong>")
#: MyBB's own centred text has another form.
_CENTRED = '<div align="center">Rolling '
#: SMF's quotes have a class.
_FRAME = Pattern(r"<blockquote(?![^<>]{0,200}bbc_)[^<>]{0,200}>((?:[^<]|<(?!/?blockquote)){1,4000})</blockquote>")
#: A label that the poster chose is bold and italic, a result never is.
_LABEL = Pattern(
    r"<(?:b|strong)><(?:i|em)>([^<]{0,200})</(?:i|em)></(?:b|strong)>|<(?:i|em)><(?:b|strong)>([^<]{0,200})</(?:b|strong)></(?:i|em)>"
)
#: Longer texts are not looked through for typed results: no battle post has as much.
LONGEST_TEXT = 100_000
#: How far from its roll a warning may stand.
_NEAR = 250

_DICE = EXPRESSION.pattern
_LIST = r"[(\[]\s?\d{1,6}(?:\s?[,+]\s?\d{1,6}){0,99}\s?[)\]]"
_BONUS = r"(?:\s?[+-]\s?\d{1,6}){0,3}"
#: Bonuses and the lists of further dice: `2d6 + 3 + 1d6 => (3, 5) + 3 + (4) = 15`.
_MORE = rf"(?:\s?[+-]\s?(?:\d{{1,6}}|{_LIST})){{0,6}}"
_SHOWN = Pattern(_LIST)
#: Results as rollers write them into the text of a post, where nothing but the words tells them from typed ones.
_TYPED = Pattern(
    rf"\b\d{{1,6}} (?:<-|\u2190) \[\d[\d, ]{{0,400}}\] {_DICE}"
    rf"|(?:\bRoll(?:ed|ing) )?{_DICE} ?: {_LIST}{_MORE} = \d{{1,6}}"
    rf"|{_DICE} ?(?:=>|\u21d2) {_LIST}{_MORE}(?: = \d{{1,6}})?"
    rf"|(?:\bRolled )?{_DICE} : \d[\d, ]{{0,400}}{_BONUS}, total \d{{1,6}}"
    rf"|(?:\bRolling )?{_DICE}:\s{{1,3}}{_LIST}{_BONUS}: Total = \d{{1,6}}"
    rf"|{_DICE}: ?\d{{1,6}}(?:, ?\d{{1,6}}){{0,99}}[;\s]{{1,3}}Sum: \d{{1,6}}",
    re.IGNORECASE,
)
#: Every result names a die. Most posts do not, and two looks for one letter cost a third of those for all signs.
_DIE, _CAPITAL_DIE = Pattern(r"d[\d%]"), Pattern(r"D[\d%]")
_SIGNS = ("<-", "\u2190", "\u21d2", "=>", ", total ", "Total = ", "Sum: ", ": [", ": (", ":[")


def commented(page: str) -> str:
    """A page whose rolls behind a comment stand in frames with a class."""
    return _PUN_DICE.sub(r'<span class="dicebox">\1</span>', page)


def framed(html: str, engine: str | None) -> str:
    """A body whose rolls by these add-ons stand in frames with a class."""
    if engine == "mybb" and _CENTRED in html:
        html = html.replace(_CENTRED, '<div class="dicebox">Rolling ')
    if engine == "smf" and "<blockquote" in html:
        html = _FRAME.sub(_smf_roll, html)
    return html


def _smf_roll(found: re.Match[str]) -> str:
    """A frame of SMF that no quote makes, if it holds a roll; with a warning in it or beside it, a doubtful one."""
    inner = found.group(1)
    if EXPRESSION.search(inner) is None:
        return found.group()
    around = found.string[max(found.start() - _NEAR, 0) : found.start()].rpartition("</blockquote>")[2]
    behind = found.string[found.end() : found.end() + _NEAR].partition("<blockquote")[0]
    known = TAMPERED.search(around) is None and TAMPERED.search(behind) is None
    shown = _LABEL.sub(lambda label: f'<span class="dice-label">{label[1] or label[2]}</span>', inner)
    return f'<div class="{"dicebox" if known else "unknown-dice-box"}">{shown}</div>'


def typed_rolls(text: str, taken: Sequence[tuple[int, int]]) -> list[Roll]:
    """Results in the form of a roller that stand in a post as plain text: doubtful rolls.

    `taken`: places of links and rolls; a result on a line with one of them, or above one, is told by that.
    """
    if _DIE.search(text) is None and _CAPITAL_DIE.search(text) is None:
        return []
    if len(text) > LONGEST_TEXT or not any([sign in text for sign in _SIGNS]):
        return []
    rolls: list[Roll] = []
    for found in _TYPED.finditer(text):
        first = text.rfind("\n", 0, found.start()) + 1
        last = text.find("\n", found.end())
        last = text.find("\n", last + 1) if last >= 0 else -1
        last = len(text) if last < 0 else last
        expression = EXPRESSION.search(found.group())
        if expression is not None and not any([start < last and end >= first for start, end in taken]):
            rolls += _each(found, plain(expression.group(), found.group()))
    return doubtful(rolls[:50])


def _each(found: re.Match[str], dice: str) -> list[Roll]:
    """The roll of a result; one for each list of dice where the expression has as many groups of them."""
    read = read_dice(dice)
    lists = list(_SHOWN.finditer(found.string, *found.span())) if read is not None and len(read.groups) > 1 else []
    if read is None or len(lists) != len(read.groups):
        return [Roll(*found.span(), dice)]
    return [Roll(*shown.span(), f"{count}d{sides}") for shown, (count, sides) in zip(lists, read.groups, strict=True)]
