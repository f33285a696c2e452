"""Posts to claims: every line of a script to the one kind of line that it is (NE1 to NE18, G16 to G19).

A line is read whole or not at all; what begins like a line or tag of the game and can't be read is
unread. Prose, numbers in it and brackets of it are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.model.claims import Claim, Reading, Unread
from referee.model.text import Script
from referee.ports.reading import Line, Tag, lines, tags
from referee.ports.rules import Sheets
from rules.enolaptia.claims import Notes
from rules.enolaptia.grammar import NAME, LineText, Links
from rules.enolaptia.lexicon import Lexicon, lexicon_of
from rules.enolaptia.reading_lines import (
    read_drops,
    read_duel,
    read_encounter,
    read_exp,
    read_hp,
    read_order,
    read_shares,
)
from rules.enolaptia.reading_moves import read_move
from rules.enolaptia.reading_values import described

#: A longer line is prose.
LONGEST_LINE = 2000
#: More lines of the game than this in one post help nobody.
MOST_CLAIMS = 400
#: Nor more unread pieces than this.
MOST_UNREAD = 200

_FLAGS = re.IGNORECASE
_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:\s*", _FLAGS)
#: A digit or one of these words stands in every line of the game.
_DIGIT = re.compile(r"\d")
_WORDS = re.compile(
    r"\?\?|:\s*(?:special|skill|spell|casts?|run|potion|teleport|party stone|dead)\b"
    r"|(?:duel|spar|run|potion|order)\s*:"
    r"|party stone|teleport",
    _FLAGS,
)
#: A line of the game has a colon behind so many characters at the most, or else begins like this.
_FAR = 70
_NO_COLON = re.compile(rf"[^\n]{{1,{_FAR}}}\b(?:attacks?|joins)\b|(?:battle\s+)?turn\b", _FLAGS)
_BEGINNINGS = ("attack", "joins", "turn")
#: `Turn 2` alone on its line, or in front of an order.
_TURN = re.compile(
    r"(?:battle\s+)?turn\s*#?\s*(?P<number>\d{1,4})"
    r"(?:(?P<alone>\s*[:.]?\s*$)|\s*[-:.,;|]?\s*(?=(?:battle\s+)?order\s*:))",
    _FLAGS,
)
_GARBLED = re.compile(
    r"(?:(?:encounter|allocation|order|drops?|exp)\s*:\s*[^\n]{0,40}(?:\d|\?\?)"
    r"|hp\s*:\s*[^\n]{0,40}(?:\d\s*/|\?)"
    r"|(?:run|potion)\s*:\s*[^\n]{0,40}(?:1d6|\?\?))",
    _FLAGS,
)
_MOVE_LIKE = re.compile(
    rf"(?P<actor>{NAME})\s*(?:\battacks?\b|:\s*(?:normal attack|attacks?|spell|special|skill|potion|run|move)\b)",
    _FLAGS,
)
#: No form of a movement turn is settled (E15): its lines are no claims, and the report says so.
_MOVEMENT = re.compile(r"movement(?:\s+turn)?\s*:[^\n]{0,60}\d", _FLAGS)
_ROLL_LIKE = re.compile(r"\bd6\b|\b1d6\b|\brolled\s*[\d?]|\?\?|allocation", _FLAGS)
#: After somebody unknown only a roll with its number makes a line of the game.
_ROLL_WRITTEN = re.compile(r"\b1?d6\s*[=:]?\s*\d|\brolled\s+\d+\s*,", _FLAGS)
_TAG_LIKE = re.compile(
    r"\s*(?:(?:damage|dodge|hit|action|struggle|trap|run|potion|chain|attacks?|normal attack|encounter|order|allocation"
    r"|drops?|exp|hp|teleport|party stone|spell|special|skill|move|setup|announce|reaction|help|free attack|status|item"
    r"|duel|spar|block|guard|loss)\b[^:\n]{0,30}:|\d{1,3}\s*%\s*to\s+hit|used\s+\S)",
    _FLAGS,
)
_TAG_MARK = re.compile(r"\bcost\s*:?\s*\d|\bheals\s+\d|\bupkeep\s+\d|->\s*\S", _FLAGS)
_TITLE = re.compile(r"[A-Z][\w'-]{0,30}(?:\s+(?:[A-Z][\w'-]{0,30}|no|of|the|and|de|la)){0,5}", 0)

_Reader = Callable[[LineText, Lexicon, str | None], object | None]
#: Every form of a line, in the order in which they are tried.
_READERS: tuple[_Reader, ...] = (
    read_move,
    read_hp,
    read_order,
    read_encounter,
    read_shares,
    read_drops,
    read_exp,
    read_duel,
)
#: The form of a line by the words in front of its colon: that one is tried before the others.
_BY_HEADING: dict[str, _Reader] = {
    "order": read_order,
    "battle order": read_order,
    "hp": read_hp,
    "encounter": read_encounter,
    "allocation": read_shares,
    "drops": read_drops,
    "exp": read_exp,
    "duel": read_duel,
    "spar": read_duel,
}


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post (see `Ruleset.read`)."""
    if not _may_claim(script.text):
        return Reading()
    own = sheets.of_player(author)
    return _PostReader(script, lexicon_of(sheets), own[0].name if len(own) == 1 else None).read()


def _may_claim(text: str) -> bool:
    """A cheap look at a whole post: `_DIGIT` or something out of `_WORDS` or of `brackets` may be in it."""
    if _DIGIT.search(text) is not None or "[" in text or ":" in text or "??" in text:
        return True
    folded = text.casefold()
    return "party stone" in folded or "teleport" in folded


def _begins_like_one(text: str, start: int, end: int) -> bool:
    """Whether a line begins like one of the game's; most prose has none of these words."""
    if text.find(":", start, min(end, start + _FAR + 1)) > start:
        return True
    head = text[start : min(end, start + _FAR + len("attacks"))].casefold()
    return any([word in head for word in _BEGINNINGS]) and _NO_COLON.match(text, start, end) is not None


class _PostReader:
    """One pass over the lines of one script."""

    def __init__(self, script: Script, names: Lexicon, own: str | None) -> None:
        self.script = script
        self.names = names
        self.own = own
        self.claims: list[Claim] = []
        self.unread: list[Unread] = []
        self.turns: list[tuple[int, int]] = []
        self.lost_moves: list[int] = []
        self.movement = False
        self.covered: list[tuple[int, int]] = []
        self.links = Links(script)

    def read(self) -> Reading:
        """Lines first, then the brackets that no line took."""
        first = True
        for line in lines(self.script):
            if len(self.claims) >= MOST_CLAIMS or len(self.unread) >= MOST_UNREAD:
                self.unread.append(self._rest(line.start))
                break
            if len(line.text) <= LONGEST_LINE:
                self.line(line, first)
            first = False
        if "[" in self.script.text:
            self.brackets()
        unread = tuple(sorted(self.unread, key=lambda u: u.span)[: MOST_UNREAD + 1])
        notes = Notes(tuple(self.turns), tuple(self.lost_moves), self.movement)
        return Reading(tuple(self.claims), unread, notes)

    def _rest(self, start: int) -> Unread:
        """What follows in a post with more lines of the game than any battle has."""
        return Unread(
            self.script.quote(start, start + 80), (start, len(self.script.text)), "too long, not read from here"
        )

    def line(self, line: Line, first: bool) -> None:
        """Read one line, if it is one of the game's."""
        text, start, end = self.script.text, line.start, line.end
        if first:
            said = _CORRECTION.match(text, start, end)
            start = said.end() if said else start
        if text[start : start + 1] == "[" and text[end - 1 : end] == "]":
            start, end = start + 1, end - 1
        if not _begins_like_one(text, start, end):
            return
        if _DIGIT.search(text, start, end) is None and _WORDS.search(text, start, end) is None:
            return
        turn = _TURN.match(text, start, end)
        if turn is not None:
            self.turns.append((len(self.claims), int(turn["number"])))
            if turn["alone"] is not None:
                return
            start = turn.end()
        claim = self._claim(line, start, end)
        if claim is not None:
            self.claims.append(claim)
            self.covered.append((line.start, line.end))
        elif _MOVEMENT.match(text, start, end):
            self.movement = True
            self.covered.append((line.start, line.end))
        else:
            self._garbled(line, start, end)

    def _claim(self, line: Line, start: int, end: int) -> Claim | None:
        """What the line says, by the first form that fits."""
        data = self._data(LineText(self.script.text, start, end, self.links))
        if data is None:
            return None
        kind, values = described(data)
        return Claim(kind, self.script.quote(line.start, line.end), (line.start, line.end), values, data)

    def _data(self, line: LineText) -> object | None:
        heading = line.text[line.start : line.end].partition(":")[0]
        first = _BY_HEADING.get(heading.rstrip().casefold())
        for reader in _READERS if first is None else (first, *_READERS):
            found = reader(line, self.names, self.own)
            if found is not None:
                return found
            line.slots.clear()
        return None

    def _garbled(self, line: Line, start: int, end: int) -> None:
        """A line that begins like one of the game's but can't be read."""
        text = self.script.text
        met = _MOVE_LIKE.match(text, start, end)
        likely = _ROLL_LIKE if met is not None and self.names.known(met["actor"]) else _ROLL_WRITTEN
        if met is not None and likely.search(text, met.end(), end):
            self.lost_moves.append(len(self.claims))
        elif _GARBLED.match(text, start, end) is None:
            return
        self.covered.append((line.start, line.end))
        self.unread.append(Unread(self.script.quote(line.start, line.end), (line.start, line.end)))

    def brackets(self) -> None:
        """Brackets that look like tags and were read by no line (G19, X3)."""
        taken = iter(self.covered)
        current = next(taken, None)
        for tag in tags(self.script):
            while current is not None and current[1] <= tag.start:
                current = next(taken, None)
            inside = current is not None and current[0] <= tag.start
            if len(self.unread) > MOST_UNREAD:
                return
            if not inside and _looks_like_a_tag(tag):
                self.unread.append(Unread(self.script.quote(tag.start, tag.end), (tag.start, tag.end)))


def _looks_like_a_tag(tag: Tag) -> bool:
    if _TAG_LIKE.match(tag.inner):
        return tag.bracket == "[" or tag.alone
    if tag.bracket != "[":
        return False
    return bool(_TAG_MARK.search(tag.inner)) or (tag.alone and tag.closed and _TITLE.fullmatch(tag.inner) is not None)
