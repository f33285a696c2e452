"""Posts to claims: every line of a script to the one kind of line that it is (NE1 to NE18, G16 to G19).

A line is read whole or not at all; what begins like a line or tag of the game and can't be read is
unread. Prose, numbers in it and brackets of it are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.model.claims import Reading, Unread
from referee.model.text import Script
from referee.ports.ornaments import Adornment
from referee.ports.reading import Line, lines, tags
from referee.ports.rules import Sheets
from rules.enolaptia.claims import Encounter, Move, Notes
from rules.enolaptia.lexicon import Lexicon, lexicon_of
from rules.enolaptia.reading.acts import in_words
from rules.enolaptia.reading.again import read_again
from rules.enolaptia.reading.brackets import Looks
from rules.enolaptia.reading.forms import LOOSE_READERS, READERS, Reader, readers_for
from rules.enolaptia.reading.found import Found
from rules.enolaptia.reading.grammar import LineText, Links
from rules.enolaptia.reading.hidden import with_spoilers
from rules.enolaptia.reading.hp import heads_hp_rows, hp_behind, hp_in_brackets, read_hp_row
from rules.enolaptia.reading.looks import (
    DIGIT,
    MAGIC,
    MOVEMENT,
    NEW_TURN,
    TOLD_ROLL,
    TURN,
    TURN_BEGINS,
    WORDS,
    begins_like_one,
    begins_with_heading,
    behind_other_label,
    may_claim,
    retold_until,
    without_lead,
    words_ahead,
)
from rules.enolaptia.reading.order import names_an_order
from rules.enolaptia.reading.plain import plain_script, sentences_of, without_prose_behind
from rules.enolaptia.reading.rewards import heads_drops, read_drop_rows
from rules.enolaptia.reading.unread import hinted, lists_hp, lost_in

#: A longer line is prose.
LONGEST_LINE = 2000
#: More lines of the game than this in one post help nobody.
MOST_CLAIMS = 400
#: Nor more unread pieces than this.
MOST_UNREAD = 200

_FLAGS = re.IGNORECASE
#: A colon that is no smiley's.
_LABEL = re.compile(r":\s*\w\w")
#: Behind a tag no aside is longer.
_LONGEST_ASIDE = 60
_CORRECTION = re.compile(r"\s*(?:edit|correction)\b[^:\n]{0,20}:\s*", _FLAGS)
#: Shorter lines that begin like one of the game's mostly are; the others get a cheap look first.
_SHORT = 90
#: A potion handed or drunk without a word of what it heals is told on so short a line.
_SHORTEST = 60


def read(script: Script, author: str, sheets: Sheets) -> Reading:
    """The claims of one revision of a post (see `Ruleset.read`)."""
    if not may_claim(script.text):
        return Reading() if not script.spoilers else with_spoilers(Reading(), script, author, sheets, read)
    names, own = lexicon_of(sheets), sheets.of_player(author)
    found = _PostReader(plain_script(script, names), names, own[0].name if len(own) == 1 else None).read()
    return found if not script.spoilers else with_spoilers(found, script, author, sheets, read)


class _PostReader(Found):
    """One pass over the lines of one script."""

    def __init__(self, script: Script, names: Lexicon, own: str | None) -> None:
        super().__init__(script, names)
        self.everybody = names
        self.own = own
        self.movement = False
        #: The line that a correction begins with.
        self.corrected: Line | None = None
        #: Whether the heading `HP` stands above the next line.
        self.under_hp = False
        #: Up to here the lines tell an earlier turn again.
        self.retold = -1
        self.adornment = Adornment()
        self.links = Links(script)

    def read(self) -> Reading:
        """Lines first, then the brackets that no line took."""
        first = True
        for line in lines(self.script):
            if len(self.claims) >= MOST_CLAIMS or len(self.unread) >= MOST_UNREAD:
                self.unread.append(self.rest(line.start))
                break
            if len(line.text) <= LONGEST_LINE:
                if not self._too_adorned(line):
                    self.line(line, first)
            elif self.links.rolled(line.start, line.end):
                self.say(line, ("move",))
            first = False
        if "[" in self.script.text:
            self.brackets()
        self.settle()
        unread = tuple(sorted(self.unread, key=lambda u: u.span)[: MOST_UNREAD + 1])
        notes = Notes(tuple(self.turns), tuple(self.lost), self.movement)
        return Reading(tuple(self.claims), unread, notes)

    def _too_adorned(self, line: Line) -> bool:
        """Whether a line with long ornaments inside is only named."""
        if not self.adornment.too_much(line.text):
            return False
        if DIGIT.search(line.text) is not None:
            self.say(line, ("move",))
        return True

    def line(self, line: Line, first: bool) -> None:
        """Read one line, if it is one of the game's."""
        text, start, end = self.script.text, line.start, line.end
        mine = self.own if text.startswith("I", start) and text[start + 1 : start + 2] in " '" else None
        self.names = self.everybody if mine is None else self.everybody.of_me(mine)
        if first:
            said = _CORRECTION.match(text, start, end)
            if said is not None:
                start, self.corrected = said.end(), line
        start, end = without_lead(text, start, end)
        if text[start : start + 1] == "[":
            start, end = _inside_of_a_tag(text, start, end)
        like = begins_like_one(text, start, end)
        digit = DIGIT.search(text, start, end) is not None
        if self._told_again(line, start, end, digit) or (self.under_hp and digit and self._hp_row(line, start, end)):
            return
        if not digit and not (like and WORDS.search(text, start, end) is not None):
            self._unnumbered(line, start, end)
            return
        start = self._behind_words(start, end)
        if text[start] == "[":
            start, end = _inside_of_a_tag(text, start, end)
        piece = LineText(text, start, end, self.links)
        likely = like and (end - start < _SHORT or not self.names.kinds.names)
        if not likely and not hinted(piece, self.names):
            return
        self._behind_turn(line, piece, like, likely, digit)

    def _behind_turn(self, line: Line, piece: LineText, like: bool, likely: bool, digit: bool) -> None:
        """The number of a battle turn in front of a line, and what the line says behind it."""
        may_begin = like and piece.text[piece.start] in TURN_BEGINS
        turn = TURN.match(piece.text, piece.start, piece.end) if may_begin else None
        if turn is None:
            self._content(line, piece, like, likely, digit)
            return
        self.turns.append((len(self.claims), int(turn["number"])))
        if turn["alone"] is None:
            before = len(self.covered)
            piece.start = turn.end()
            self._content(line, piece, like, likely, digit)
            if turn["ahead"] is not None and len(self.covered) == before:
                self.turns.pop()  # `Turn 3: left at the mill` is prose.

    def _content(self, line: Line, piece: LineText, like: bool, likely: bool, digit: bool) -> None:
        """What a line says behind the number of its turn."""
        text, start, end = piece.text, piece.start, piece.end
        if text[end - 1] in ")]." and "/" in text[start:end] and self._with_brackets(line, piece, like, likely, digit):
            return
        data = self._first_of(readers_for(text, start, end), piece) if like else None
        if data is not None:
            self.claim(line, data, worded=isinstance(data, Move) and data.action == "spell" and in_words(piece))
        elif heads_drops(piece):
            self.under_drops = True
        elif NEW_TURN.match(text, start, end) or (not digit and names_an_order(piece, self.names)):
            self.say(line, ("order", "move") if digit else ("order",))
            self.headed = len(self.claims), self.unread[-1]
        else:
            told = (digit or "?" in text[start:end]) and (not likely or hinted(piece, self.names))
            if like and self._labelled(line, piece):
                return
            if told or ("/" in text[start:end] and lists_hp(piece, self.names)):
                self._otherwise(line, piece)

    def _hp_row(self, line: Line, start: int, end: int) -> bool:
        """A row below the heading `HP`; anything else ends them."""
        row = read_hp_row(LineText(self.script.text, start, end, self.links), self.names)
        self.under_hp = row is not None
        if row is not None:
            self.claim(line, row)
        return self.under_hp

    def _told_again(self, line: Line, start: int, end: int, digit: bool) -> bool:
        """A roll without a proof below a heading such as `Recap:` is named: it is an earlier turn's, or may be."""
        until = retold_until(self.script.text, start, end)
        if until >= 0:
            self.retold = until
            return NEW_TURN.match(self.script.text, start, end) is None  # `Last turn:` may be the final one.
        if not digit or start >= self.retold or self.links.rolled(start, end):
            return False
        told = TOLD_ROLL.search(self.script.text, start, end) is not None
        if told:
            self.say(line, ("move",))
        return told

    def _behind_words(self, start: int, end: int) -> int:
        """The place behind words that change nothing, if a line of the game goes on there."""
        text = self.script.text
        place = words_ahead(text, start, end)
        goes_on = place > start and (
            text[place] == "[" or begins_with_heading(text, place, end) or self.names.leading(text, place, end) > place
        )
        return place if goes_on else start

    def _labelled(self, line: Line, piece: LineText) -> bool:
        """A whole line of the game behind a label that may say when or whether it holds: named, and not read."""
        place = behind_other_label(piece.text, piece.start, piece.end)
        if place < 0:
            return False
        rest = piece.part(place, piece.end)
        if self._first_of(READERS, rest) is None:
            return False
        self.say(line, tuple(what for what in lost_in(rest, self.names) or () if what != "move"))
        return True

    def _with_brackets(self, line: Line, piece: LineText, like: bool, likely: bool, digit: bool) -> bool:
        """A line with HP in a bracket at its end: first what stands before it, then the HP."""
        inner = hp_in_brackets(piece, self.names)
        if inner is None or inner[1] <= piece.start:
            return False
        found, start, end = inner
        before = Line(line.start, start, piece.text[line.start : start])
        self._content(before, piece.part(piece.start, start), like, likely, digit)
        self.claim(Line(start, end, piece.text[start:end]), found)
        return True

    def _with_hp_behind(self, line: Line, piece: LineText) -> bool:
        """A move with somebody's HP behind it: `Mira -> Rat 1: d6 = 4, 14/2 = 7, Rat 1 11/18`."""
        behind = hp_behind(piece, self.names) if "/" in line.text else None
        if behind is None:
            return False
        found, stop, start = behind
        move = self._of_sentence(piece.part(piece.start, stop))
        if not isinstance(move, Move):
            return False
        self.claim(Line(line.start, stop, piece.text[line.start : stop]), move)
        self.claim(Line(start, piece.end, piece.text[start : piece.end]), found)
        return True

    def _unnumbered(self, line: Line, start: int, end: int) -> None:
        """A line without any number: `Same order again`, `Mira: Small Potion`."""
        if end - start > _SHORTEST:
            return
        self.under_hp = heads_hp_rows(self.script.text[start:end])
        if NEW_TURN.match(self.script.text, start, end):
            self.say(line, ("order",))
            self.headed = len(self.claims), self.unread[-1]
        elif self.names.potion_in(self.script.text[start:end]):
            self._otherwise(line, LineText(self.script.text, start, end, self.links))
        else:
            self.tell_use(line, LineText(self.script.text, start, end, self.links))

    def _first_of(self, readers: Iterable[Reader], line: LineText) -> object | None:
        """What the line says, by the first form that fits."""
        for reader in readers:
            found = reader(line, self.names, self.own)
            if found is not None:
                return found
            line.slots.clear()
        return None

    def _otherwise(self, line: Line, piece: LineText) -> None:
        """A line that no form of the notation fits: a movement turn, the game in other words, unread, or prose."""
        if MOVEMENT.match(piece.text, piece.start, piece.end) or self._of_magic(piece):
            self.movement = True
            self.covered.append((line.start, line.end))
            return
        if self.tie(line, piece):
            return
        data = self._first_of(LOOSE_READERS, piece)
        if data is None and self.under_drops:
            data = read_drop_rows(piece, self.names)
            piece.slots.clear()
        if data is not None:
            self.claim(line, data, worded=isinstance(data, Move))
            return
        if self._with_hp_behind(line, piece):
            return
        lost, short = lost_in(piece, self.names), without_prose_behind(piece)
        if lost is None and short is not None:
            lost = lost_in(short, self.names)
        data = read_again(piece, self.names, self.own, lost) if lost is not None else None
        if data is None and lost is not None and short is not None:
            data = self._first_of((*READERS, *LOOSE_READERS), short) or read_again(short, self.names, self.own, lost)
        if data is not None:
            self.claim(line, data, worded=isinstance(data, Move))
        elif not self._in_sentences(line, piece):
            if lost is not None:
                self.say(line, lost)
            else:
                self.tell_use(line, piece)

    def _of_magic(self, piece: LineText) -> bool:
        """What is left of somebody's magic (E15)."""
        text, start, end = piece.text, piece.start, piece.end
        return MAGIC.match(text, start, end) is not None and self.names.mentions(text, start, end)

    def _in_sentences(self, line: Line, piece: LineText) -> bool:
        """Several lines of the game on one: all of them, or only HP and what shows its roll among other words."""
        remarks = self.corrected is line
        found = [(part, self._of_sentence(part)) for part in sentences_of(piece, remarks=remarks)]
        if remarks:
            stop = next((place for place, (_, data) in enumerate(found) if data is None), len(found))
            found = found[:stop]
        elif any([data is None for _, data in found]):
            found = [(part, data) for part, data in found if part.rolled or self._says_all(data) or _headed(part, data)]
            if all([data is None and not part.rolled for part, data in found]):
                return False
            if any(
                [data is None for _, data in found]
            ):  # what stands behind a die may be its second one, or its damage
                found = [(part, None if _lacks_its_amount(data) else data) for part, data in found]
        for part, data in found:
            said = Line(part.start, part.end, piece.text[part.start : part.end])
            if data is not None:
                self.claim(said, data)
            else:
                self.say(said, lost_in(part, self.names) or (() if _headed(part, data) else ("move",)))
        return bool(found)

    def _says_all(self, data: object | None) -> bool:
        """Whether a sentence among words is a line of the game though no roll of the board or linked die shows it."""
        if not isinstance(data, Move):
            return data is not None and not isinstance(data, Encounter)  # One may be told again.
        told = data.action == "potion" or self.names.deals_a_fixed_amount(data.ability or "")
        return told and data.amount is not None and data.target is not None

    def _of_sentence(self, part: LineText) -> object | None:
        """What one of several sentences on a line says; without a number or a beginning of the game's it is prose."""
        text, start, end = part.text, part.start, part.end
        if DIGIT.search(text, start, end) is None and not begins_like_one(text, start, end):
            return None
        found = self._first_of((*readers_for(text, start, end), *LOOSE_READERS), part)
        lost = lost_in(part, self.names) if found is None else None
        return found if lost is None else read_again(part, self.names, self.own, lost)

    def brackets(self) -> None:
        """Brackets that look like tags and were read by no line (G19, X3)."""
        taken = iter(self.covered)
        current = next(taken, None)
        looks = Looks()
        for tag in tags(self.script):
            while current is not None and current[1] <= tag.start:
                current = next(taken, None)
            inside = current is not None and current[0] <= tag.start
            if len(self.unread) > MOST_UNREAD:
                return
            if not inside and looks.like_a_tag(tag):
                self.unread.append(Unread(self.script.quote(tag.start, tag.end), (tag.start, tag.end)))


def _inside_of_a_tag(text: str, start: int, end: int) -> tuple[int, int]:
    """The inside of the bracket that a line is, also with a few words or signs behind it: `[Run: ...] phew`."""
    stop = text.find("]", start, end)
    if stop == end - 1:
        return start + 1, stop
    colon = text.find(":", start, max(start, stop))
    behind = colon > start and end - stop <= _LONGEST_ASIDE and DIGIT.search(text, stop, end) is None
    if not behind or "[" in text[stop:end] or _LABEL.search(text, stop, end) is not None:
        return start, end
    return start + 1, stop


def _headed(part: LineText, data: object | None) -> bool:
    """Whether a sentence that says nothing has a heading of the game, so that it is named beside those that do."""
    return data is None and begins_with_heading(part.text, part.start, part.end)


def _lacks_its_amount(data: object | None) -> bool:
    """Whether a blow shows its dice and no damage."""
    return isinstance(data, Move) and data.action == "attack" and data.amount is None
