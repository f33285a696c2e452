"""What is kept of a post while its lines are read: claims, unread pieces, headings, and what was lost between them."""

from __future__ import annotations

from dataclasses import replace

from referee.model.claims import Claim, Unread
from referee.model.text import Script
from referee.ports.reading import Line, squeeze
from rules.enolaptia.claims import Drops, Move, Order, Tie
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import LineText
from rules.enolaptia.reading.order import read_tie_line, tells_of_a_tie
from rules.enolaptia.reading.unread import ability_alone
from rules.enolaptia.reading.values import described
from rules.enolaptia.reading.words import same_move


class Found:
    """What the lines of one script have given so far."""

    def __init__(self, script: Script, names: Lexicon) -> None:
        """Nothing found yet."""
        self.script = script
        self.names = names
        self.claims: list[Claim] = []
        self.unread: list[Unread] = []
        self.turns: list[tuple[int, int]] = []
        self.lost: list[tuple[int, str]] = []
        #: Whether the last claim is a move in other words than the notation's.
        self.worded = False
        #: Ties on a line of their own in front of their order, and that line.
        self.ties: tuple[Tie, ...] = ()
        self.tie_line: Line | None = None
        #: Behind how many claims a turn's heading without a number was met last, and its note: an order may follow.
        self.headed: tuple[int, Unread] | None = None
        #: Whether the heading `Drops:` stands above the next line.
        self.under_drops = False
        self.covered: list[tuple[int, int]] = []
        #: Lines that only say that somebody uses an ability, with both.
        self.uses: list[tuple[Unread, tuple[str, str]]] = []

    def settle(self) -> None:
        """What is unread when all lines have been seen: ties without an order, abilities that no move states."""
        if self.tie_line is not None:
            span = (self.tie_line.start, self.tie_line.end)
            self.unread.append(Unread(self.script.quote(*span), span))
        moves = [claim.data for claim in self.claims if isinstance(claim.data, Move)]
        stated = {(move.actor, squeeze(move.ability or "")) for move in moves}
        self.unread += [note for note, (actor, ability) in self.uses if (actor, squeeze(ability)) not in stated]

    def tell_use(self, line: Line, piece: LineText) -> None:
        """Note a line that only says that somebody uses an ability; it leaves nothing open."""
        used = ability_alone(piece, self.names)
        if used is not None:
            span = (line.start, line.end)
            self.covered.append(span)
            self.uses.append((Unread(self.script.quote(*span), span), used))

    def rest(self, start: int) -> Unread:
        """What follows in a post with more lines of the game than any battle has."""
        return Unread(
            self.script.quote(start, start + 80), (start, len(self.script.text)), "too long, not read from here"
        )

    def claim(self, line: Line, data: object, *, worded: bool = False) -> None:
        """Note what a line says; a move told in words right beside the same move in notation is that move."""
        if isinstance(data, Move):
            last = self.claims[-1].data if self.claims and worded != self.worded and not self.marked() else None
            if isinstance(last, Move) and (same_move(data, last) if worded else same_move(last, data)):
                self.covered.append((line.start, line.end))
                if worded:
                    return
                self.claims.pop()
        self.worded = worded
        if self.under_drops:
            self.under_drops = isinstance(data, Drops)
            data = data._replace(headed=True) if isinstance(data, Drops) else data
        if self.headed is not None and isinstance(data, Order):
            self.settle_heading(*self.headed)
        if self.ties and isinstance(data, Order) and not data.ties:
            data, self.ties, self.tie_line = data._replace(ties=self.ties), (), None
        kind, values = described(data)
        span = (line.start, line.end)
        self.claims.append(Claim(kind, self.script.quote(*span), span, values, data))
        self.covered.append(span)

    def settle_heading(self, place: int, note: Unread) -> None:
        """The order of a turn stands right below its heading: nothing of it was lost."""
        if place == len(self.claims) and self.lost[-1:] == [(place, "order")]:
            self.lost.pop()
            self.unread.remove(note)
        self.headed = None

    def marked(self) -> bool:
        """Whether a heading or an unread line stands behind the last claim."""
        place = len(self.claims)
        return any([notes and notes[-1][0] == place for notes in (self.turns, self.lost)])

    def tie(self, line: Line, piece: LineText) -> bool:
        """Give a line that holds nothing but ties to the order above it, else to the next one."""
        order = self.open_order()
        if not tells_of_a_tie(piece, order is not None):
            return False
        ties = read_tie_line(piece, self.names)
        piece.slots.clear()
        if not ties:
            if order is not None:
                self.claims[-1] = replace(self.claims[-1], data=order._replace(tie_unread=True))
            return False
        if order is not None:
            data = order._replace(ties=ties)
            kind, values = described(data)
            self.claims[-1] = replace(self.claims[-1], kind=kind, values=values, data=data)
        else:
            self.ties, self.tie_line = ties, line
        self.covered.append((line.start, line.end))
        return True

    def open_order(self) -> Order | None:
        """The order that was read last, if nothing but prose stands behind it and no tie roll in it."""
        last = self.claims[-1].data if self.claims else None
        return last if isinstance(last, Order) and not last.ties else None

    def say(self, line: Line, lost: tuple[str, ...]) -> None:
        """Note a line that could not be read, and what may stand in it."""
        span = (line.start, line.end)
        if not (line.text[:1] == "[" and line.text[-1:] == "]" and "?" in line.text):  # a tag without its number (G19)
            self.lost += [(len(self.claims), what) for what in lost]
        self.covered.append(span)
        self.unread.append(Unread(self.script.quote(*span), span))
