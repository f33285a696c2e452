"""Posts to claims: every line of a script to the one kind of line that it is (NE1 to NE18, G16 to G19).

A line is read whole or not at all; what begins like a line or tag of the game and can't be read is
unread. Prose, numbers in it and brackets of it are left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import replace

from referee.model.claims import Claim, Reading, Unread, Value
from referee.model.text import Anchor, Script
from referee.ports.reading import Line, Tag, lines, tags
from referee.ports.rules import Sheets
from rules.enolaptia.claims import Drops, Duel, Encounter, Exp, HpLine, Move, Notes, Order, Shares, rolls_in
from rules.enolaptia.grammar import NAME, LineText
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

#: A longer line is prose.
LONGEST_LINE = 2000
#: More lines of the game than this in one post help nobody.
MOST_CLAIMS = 400
#: Nor more unread pieces than this.
MOST_UNREAD = 200

_FLAGS = re.IGNORECASE
_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:\s*", _FLAGS)
#: One of these stands in every line of the game.
_HINT = re.compile(
    r"\d|\?\?|:\s*(?:special|skill|spell|casts?|run|potion|teleport|party stone|dead)\b"
    r"|(?:duel|spar|run|potion|order)\s*:"
    r"|party stone|teleport",
    _FLAGS,
)
#: No colon near the head of the line and nothing else that begins a line of the game.
_PROSE = re.compile(r"(?!(?:[^:\n]{1,70}:|[^\n]{1,70}\b(?:attacks?|joins)\b|(?:battle\s+)?turn\b))", _FLAGS)
_TURN = re.compile(r"(?:battle\s+)?turn\s*#?\s*(\d{1,4})\s*[:.]?\s*$", _FLAGS)
_TURN_AHEAD = re.compile(r"(?:battle\s+)?turn\s*#?\s*(\d{1,4})\s*[-:.,;|]?\s*(?=(?:battle\s+)?order\s*:)", _FLAGS)
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

_KINDS: tuple[tuple[str, type], ...] = (
    ("encounter", Encounter),
    ("allocation", Shares),
    ("order", Order),
    ("duel", Duel),
    ("hp", HpLine),
    ("drops", Drops),
    ("exp", Exp),
)


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post (see `Ruleset.read`)."""
    if _HINT.search(script.text) is None and "[" not in script.text:
        return Reading()
    names = lexicon_of(sheets)
    own = sheets.of_player(author)
    reader = _Reader(script, names, own[0].name if len(own) == 1 else None)
    return reader.read()


class _Reader:
    """One pass over the lines of one script."""

    def __init__(self, script: Script, names: Lexicon, own: str | None) -> None:
        self.script = script
        self.names = names
        self.own = own
        self.claims: list[Claim] = []
        self.unread: list[Unread] = []
        self.turns: list[tuple[int, int]] = []
        self.lost_moves: list[int] = []
        self.covered: list[tuple[int, int]] = []
        self._starts = [anchor.start for anchor in script.anchors]

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
        notes = Notes(tuple(self.turns), tuple(self.lost_moves))
        return Reading(tuple(self.claims), unread, notes)

    def _rest(self, start: int) -> Unread:
        """What follows in a post with more lines of the game than any battle has."""
        return Unread(
            self.script.quote(start, start + 80), (start, len(self.script.text)), "too long, not read from here"
        )

    def line(self, line: Line, first: bool) -> None:
        """Read one line, if it is one of the game's."""
        start, end = line.start, line.end
        if first:
            said = _CORRECTION.match(self.script.text, start, end)
            start = said.end() if said else start
        if self.script.text[start : start + 1] == "[" and self.script.text[end - 1 : end] == "]":
            start, end = start + 1, end - 1
        if _HINT.search(self.script.text, start, end) is None or _PROSE.match(self.script.text, start, end):
            return
        turn = _TURN.match(self.script.text, start, end)
        if turn is not None:
            self.turns.append((len(self.claims), int(turn.group(1))))
            return
        ahead = _TURN_AHEAD.match(self.script.text, start, end)
        if ahead is not None:
            self.turns.append((len(self.claims), int(ahead.group(1))))
            start = ahead.end()
        data = self._data(start, end)
        if data is not None:
            self.claims.append(self._claim(data, line.start, line.end))
            self.covered.append((line.start, line.end))
        else:
            self._garbled(line, start, end)

    def _line_text(self, start: int, end: int) -> LineText:
        """The line with its links: those in it, else those that stand alone on the next line (G8)."""
        line_end = self.script.line_end(end)
        anchors = self._anchors(start, line_end if not self.script.text[end:line_end].strip(" ])}.") else end)
        if not anchors and self._starts:
            after = self.script.text.find("\n", end) + 1
            stop = self.script.line_end(after) if after else end
            if after and not self.script.text[after:stop].strip(" ().,;:"):
                anchors = self._anchors(after, stop)
        return LineText(self.script, start, end, anchors)

    def _anchors(self, start: int, end: int) -> tuple[Anchor, ...]:
        first, last = bisect_left(self._starts, start), bisect_right(self._starts, end)
        return tuple(anchor for anchor in self.script.anchors[first:last] if anchor.end <= end)

    def _data(self, start: int, end: int) -> object | None:
        """What the line says, by the first form that fits."""
        readers: tuple[Callable[[LineText], object | None], ...] = (
            lambda line: read_move(line, self.names),
            lambda line: read_hp(line, self.names, self.own),
            lambda line: read_order(line, self.names),
            lambda line: read_encounter(line, self.names),
            lambda line: read_shares(line, self.names),
            lambda line: read_drops(line, self.names),
            read_exp,
            lambda line: read_duel(line, self.names),
        )
        line = self._line_text(start, end)
        for reader in readers:
            line.slots.clear()
            found = reader(line)
            if found is not None:
                return found
        return None

    def _claim(self, data: object, start: int, end: int) -> Claim:
        quote = self.script.quote(start, end)
        if isinstance(data, Move):
            data = data if data.actor or not self.own else replace(data, actor=self.own)
            if data.action == "potion" and data.target is None:
                data = replace(data, target=data.actor)
            return Claim(data.action, quote, (start, end), _move_values(data), data)
        kind = next(kind for kind, record in _KINDS if isinstance(data, record))
        return Claim(kind, quote, (start, end), _values(data), data)

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


def _move_values(move: Move) -> dict[str, Value]:
    """What of a move is compared between revisions: its number first, then names, then dice (G20)."""
    dice = [die for roll in rolls_in(move) for die in roll.values]
    aimed = move.aim.name if move.aim else move.target
    found: dict[str, Value] = {
        "amount": move.amount,
        "outcome": move.stated,
        "target": aimed,
        "ability": move.ability,
        "move": move.chosen,
        "actor": move.actor,
        "dice": dice,
    }
    return {key: value for key, value in found.items() if value not in (None, [])}


def _values(data: object) -> dict[str, Value]:
    """What of any other line is compared between revisions."""
    if isinstance(data, HpLine):
        return {row.name: row.now for row in data.rows}
    if isinstance(data, Exp):
        return {"total": data.total, "parts": [number for part in data.parts for number in part]}
    if isinstance(data, Encounter):
        return {
            "enemy": [kind for kind, _ in data.party],
            "number": [number for _, number in data.party],
            "dice": list(data.roll.values),
        }
    if isinstance(data, Shares):
        return {name: f"{low}-{high}" if high != low else str(low) for name, low, high in data.rows}
    if isinstance(data, Order):
        return _order_values(data)
    if isinstance(data, Drops):
        return _drop_values(data)
    if isinstance(data, Duel):
        return {"sides": [name for side in data.sides for name in side]}
    return {}


def _order_values(order: Order) -> dict[str, Value]:
    return {
        "order": [name for name, _ in order.entries],
        "first": [tie.first or "" for tie in order.ties],
        "dice": [die for tie in order.ties for die in tie.roll.values],
    }


def _drop_values(drops: Drops) -> dict[str, Value]:
    dice = [die for row in drops.rows for roll in (row.roll, row.item_roll) for die in roll.values]
    return {
        "items": [row.found or "nothing" for row in drops.rows],
        "of": [r.creature for r in drops.rows],
        "dice": dice,
    }
