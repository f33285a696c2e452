"""From blocks to scripts: what of a post may be its author's own claim (notation.md G8, G16).

Quotes, code, out-of-character and struck-out text and everything below a signature line fall away, and so
do the marks of Markdown that stand in a post as they were typed; the words of roll links are dropped and an
anchor is left at their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.engine.typed import split_doubtful, unmarked
from referee.model.glyphs import foreign, repair, straighten
from referee.model.shown import dice_in
from referee.model.text import Anchor, Block, Mark, Script

#: Private-use characters stand for links and rolls while the text is cut; `repair` removes foreign ones.
_FIRST, _LAST = 0xE000, 0xF8FF
_PLACE = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_GROUP = re.compile(rf"[(\[{{<][ \t]*{_PLACE.pattern}(?:[ \t,;|/]{{0,4}}{_PLACE.pattern})*[ \t]*[)\]}}>]")
#: Words of a link that mean nothing but the roll, with single blanks.
_LINK_WORD = re.compile(
    r"[ (\[]*+(?:https?://\S++|#\d{2,9}|"
    r"(?:(?:see|my|the|to|of|for|click|dice|die|proof|log|here|results?|rolls?|links?)[ :]++){0,4}"
    r"(?:rolls?|links?|dice|die|proof|log|results?|here)[ ]?(?:#|no\.?)?[ ]?\d{0,6})[ )\]]*+",
    re.IGNORECASE,
)
#: Other words of a link right behind its number: `rolled 4 [url=...]1d6[/url]`, `#3`, `*`, `tie roll`.
_LABEL = re.compile(
    r"\s*(?:\d{0,3}d\d{1,3}(?:\s*[+-]\s*\d{1,3})?|#\s?\d{1,6}|[*^\u2020\u2197\u21d7]{1,3}"
    r"|(?:(?:[A-Za-z'][A-Za-z'\d]{0,11}|\d{0,3}d\d{1,3})[\s:]+){1,3}(?:rolls?|links?|dice|die|proof|log|results?|throw|source))\s*",
    re.IGNORECASE,
)
#: What they stand in front of where they belong to the text: `[url=...]1d6[/url] = 4`.
_GOES_ON = re.compile(r"\s*(?:[=:(+*/x-]|\u21d2|\u2192|rolled\b|\d)", re.IGNORECASE)
_LONGEST_LABEL = 40
#: A number that is a die and no fighter's: `1d6 = 3`, `rolled 3`.
_ROLLED = re.compile(r"(?:[=(]|\brolled|,)\s*\d{1,4}$", re.IGNORECASE)
#: A line of ten or more of its sign parts the signature.
_SIGNATURE = "_" * 10
_OOC_OPEN = re.compile(
    r"\(\([ \t]*(?:OOC|out of character)\b|\bOOC(?:[ \t]*[:\uff1a]|[ \t]{1,9}[-\u2013\u2014][ \t])"
    r"|^[ \t]*out of character(?:[ \t]*[:\uff1a]|[ \t]{1,9}[-\u2013\u2014][ \t])",
    re.IGNORECASE | re.MULTILINE,
)
#: Runs of blanks are shortened, as boards show them: they say nothing, and patterns with several places for blanks
#: would try every way to share them out.
_LONG_BLANKS = re.compile(r"[^\S\n]\s+|\n\s\s+|\n[^\S\n]")
#: A text without any of these, whose other characters are no blanks either, has no such run.
_IN_LONG_BLANKS = ("  ", " \n", "\n ", "\n\n\n", "\t", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f")

#: Arrows that are longer than others: `-->`, `==>`, `->>`.
_IN_LONG_ARROWS = ("-->", "==>", "->>", "=>>")
_LONG_ARROW = re.compile(r"(?<![-=<>!])(?:-{1,11}(?=->)|={1,11}(?==>))?([-=]>)(?:>{1,2}(?!>))?")

#: Pictures that mean nothing at the edges of a line; hearts and squares may stand for HP.
_PICTURE = (
    "[\U0001f300-\U0001f492\U0001f4a0-\U0001f5a3\U0001f5a5-\U0001f6ff\U0001f900-\U0001f90c\U0001f910-\U0001f9e0"
    "\U0001f9e2-\U0001faff]"
)
_PICTURES = re.compile(_PICTURE)
_AT_EDGES = re.compile(rf"^[ ]?(?:{_PICTURE}[ ]?){{1,8}}(?=\S)|(?:[ ]?{_PICTURE}){{1,8}}[ ]?$", re.MULTILINE)

#: Two lines right below one another. Where a post has none, an empty line stands between any two and parts nothing:
#: its author writes so, or its board makes a paragraph of each line.
_ADJACENT = re.compile(r"\S[^\S\n]*\n[^\S\n]*\S")

#: More links in one post than this stay plain text: no battle post needs them.
MOST_MARKS = 2000


def scripts_of(blocks: Iterable[Block], signed: bool = False) -> Script:
    """The script of a revision: its own words with anchors; spoilers apart (G16).

    `signed`: what stands below the mark `-- ` is the author's signature.
    """
    own: list[Block] = []
    spoilers: list[Script] = []
    for block in blocks:
        if block.kind == "own":
            own.append(block)
            if _signature_at(block.text) is not None:
                break
        elif block.kind == "spoiler":
            spoilers.append(_script([block]))
    script = _script(own, signed)
    return script if not spoilers else replace(script, spoilers=tuple(spoilers))


def remarked_links(blocks: Iterable[Block]) -> Iterator[str]:
    """The links of a revision above its signature, those of remarks out of character among them."""
    for block in blocks:
        if block.kind not in ("own", "ooc"):
            continue
        end = _signature_at(block.text) if block.kind == "own" else None
        for mark in block.marks:
            if mark.url and (end is None or mark.start < end):
                yield mark.url
        if end is not None:
            return


def _script(blocks: list[Block], signed: bool = False) -> Script:
    marks: list[Mark] = []
    pieces = [_with_places(block, marks) for block in blocks]
    raw, doubtful = split_doubtful(_cut("\n".join(pieces)), signed)
    spaced = any(["\n\n" in piece for piece in pieces]) and not any(map(_ADJACENT.search, pieces))
    script = _scripted(raw, marks, spaced)
    return script if not doubtful else replace(script, doubtful=(_scripted(doubtful, marks, spaced),))


def _scripted(raw: str, marks: list[Mark], spaced: bool) -> Script:
    raw = unmarked(raw)
    odd = foreign(raw)
    if odd and _PICTURES.search(odd) is not None:
        raw = _AT_EDGES.sub("", raw)
    if any([sign in raw for sign in _IN_LONG_ARROWS]):
        raw = _LONG_ARROW.sub(r"\1", raw)
    if any([sign in raw for sign in _IN_LONG_BLANKS]) or any(map(str.isspace, odd)):
        raw = _LONG_BLANKS.sub(_shortened, raw)
    if " ]" in raw or "[ " in raw or "( " in raw or " )" in raw:
        raw = raw.replace("[ ", "[").replace(" ]", "]").replace("( ", "(").replace(" )", ")")
    if spaced:
        raw = raw.replace("\n\n", "\n")
    script = _settle(raw, marks) if marks else Script(straighten(raw), raw)
    return replace(script, spaced=True) if spaced else script


def _with_places(block: Block, marks: list[Mark]) -> str:
    """The block's text with private characters where its marks stand (two around kept words)."""
    text = block.text
    if not block.marks:
        return repair(text)
    out: list[str] = []
    place = 0
    for mark in sorted(block.marks, key=lambda m: (m.start, not m.struck, m.end)):
        if mark.start < place or len(marks) >= MOST_MARKS:
            continue
        out.append(repair(text[place : mark.start]))
        if mark.struck:
            place = mark.end
            continue
        words = repair(text[mark.start : mark.end])
        sign = chr(_FIRST + len(marks))
        keep = mark.dice is not None or not (_means_roll(words) or _is_label(text, mark, words))
        out.append(sign + words + sign if keep else sign)
        marks.append(mark)
        place = mark.end
    out.append(repair(text[place:]))
    return "".join(out)


def _means_roll(words: str) -> bool:
    """Whether the words of a link mean nothing but the roll: `roll`, `(see my roll #3)`, its address."""
    # Over long runs of blanks the pattern would try every way to share them out.
    return _LINK_WORD.fullmatch(" ".join(words.split())) is not None


def _is_label(text: str, mark: Mark, words: str) -> bool:
    """Whether the words of a link right behind a number name the roll, and are nothing of the text."""
    if len(words) > _LONGEST_LABEL or _LABEL.fullmatch(words) is None:
        return False
    ahead = text[max(0, mark.start - _LONGEST_LABEL) : mark.start].rstrip(" \t([")
    if not ahead[-1:].isdigit():
        return False
    dice = words.lstrip()[:1].isalnum() and _GOES_ON.match(text, mark.end) is not None
    return not dice or _ROLLED.search(ahead) is not None


def _cut(raw: str) -> str:
    """The text above a signature line and without out-of-character remarks."""
    raw = raw[: _signature_at(raw)]
    low = raw.encode("utf-8", "surrogatepass").lower()  # Bytes are quick to lower; every lead has these letters.
    opened = _OOC_OPEN.search(raw) if b"ooc" in low or b"of charact" in low else None
    if opened is None:
        return raw
    out: list[str] = []
    place, last = 0, raw.rfind("))")
    while opened is not None:
        out.append(raw[place : opened.start()])
        place = _ooc_end(raw, opened, last)
        opened = _OOC_OPEN.search(raw, place)
    out.append(raw[place:])
    return "".join(out)


def _signature_at(text: str) -> int | None:
    """Where the line begins that parts the signature from what stands above it; None without one."""
    found = text.find(_SIGNATURE)
    while found >= 0:
        start, end = text.rfind("\n", 0, found) + 1, text.find("\n", found)
        end = len(text) if end < 0 else end
        if not text[start:end].strip(" \t").strip("_"):
            return start
        found = text.find(_SIGNATURE, end)
    return None


def _shortened(run: re.Match[str]) -> str:
    """A run of blanks: an empty line, a line break or one blank."""
    breaks = len(run.group().splitlines()) - (run.group()[-1] not in "\n\r\v\f\x85\u2028\u2029")
    return "\n\n" if breaks > 1 else "\n" if breaks else " "


def _ooc_end(raw: str, opened: re.Match[str], last: int) -> int:
    """Where an out-of-character remark ends: at its `))`, else at the end of its line. `last`: the text's last `))`."""
    line = raw.find("\n", opened.end())
    line = len(raw) if line < 0 else line
    if not opened.group().startswith("((") or last < opened.end():
        return line
    close = raw.find("))", opened.end()) + 2
    while close < len(raw) and raw[close] == ")":
        close += 1
    return close


def _settle(raw: str, marks: list[Mark]) -> Script:
    """Take the private characters out and turn them into anchors at their final places."""
    out: list[str] = []
    length, place = 0, 0
    opened: dict[int, int] = {}
    anchors: list[Anchor] = []
    places = [found.start() for found in _PLACE.finditer(raw)]
    twice = _doubled(raw, places)
    for at in places:
        start, end = (at, at + 1) if at < place else _group_around(raw, at, place)
        if start >= place:
            out.append(raw[place:start])
            length += start - place
            place = end
        index = ord(raw[at]) - _FIRST
        if index in twice and index not in opened:
            opened[index] = length
        elif index < len(marks):
            anchors.append(_anchor(marks[index], opened.get(index, length), length))
    out.append(raw[place:])
    shown = "".join(out)
    text = straighten(shown)
    anchors.sort(key=lambda a: (a.start, a.end))
    if not any([anchor.dice is not None for anchor in anchors]):
        return Script(text, shown, tuple(anchors))
    return _with_dice(text, shown, anchors)


def _group_around(raw: str, at: int, least: int) -> tuple[int, int]:
    """The brackets around nothing but private characters, of which one stands at `at`; else that one alone."""
    start = at
    while start > least and raw[start - 1] in " \t":
        start -= 1
    group = _GROUP.match(raw, start - 1) if start > least and raw[start - 1] in "([{<" else None
    return group.span() if group else (at, at + 1)


def _doubled(raw: str, places: list[int]) -> set[int]:
    """The numbers of the marks whose words were kept: their sign stands before and behind them."""
    seen: set[str] = set()
    doubled: set[int] = set()
    for at in places:
        if raw[at] in seen:
            doubled.add(ord(raw[at]) - _FIRST)
        seen.add(raw[at])
    return doubled


def _anchor(mark: Mark, start: int, end: int) -> Anchor:
    return Anchor(start, end, mark.url, mark.dice, typed=mark.typed)


def _with_dice(text: str, shown: str, anchors: list[Anchor]) -> Script:
    """The script with the dice that the board wrote in its rolls; its other numbers there become blanks (G7)."""
    pieces: list[str] = []
    settled: list[Anchor] = []
    place = 0
    for anchor in anchors:
        start, end = anchor.start, anchor.end
        if anchor.dice is None or start < place:
            settled.append(anchor)
            continue
        words = text[start:end]
        values, total, alone = dice_in(anchor.dice, words)
        if alone != words:
            pieces += (text[place:start], alone)
            place = end
            start, end = end - len(alone.lstrip(" ")), end - (len(alone) - len(alone.rstrip(" ")))
        settled.append(Anchor(start, end, anchor.url, anchor.dice, values, total, anchor.typed))
    return Script("".join((*pieces, text[place:])), shown, tuple(settled))
