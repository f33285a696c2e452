"""For whom a post speaks: an account's only character, the one that it names, or the one whom it fits (G11, NS1)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.ports.sayings import all_of
from rules.shinobi.judging.doubts import mutter
from rules.shinobi.judging.fighters import Fighter, fewer
from rules.shinobi.judging.stage import Arena, Stage
from rules.shinobi.judging.told import spoken_for
from rules.shinobi.judging.turns import Turn, notes_of, shares_of
from rules.shinobi.lexicon import lexicon_of
from rules.shinobi.model import POOLS, Ability, Damage, Dodge, Doubt, LossTag, StatBlock, Take
from rules.shinobi.reading.shares import Labels

#: What a post whose parts are not sorted may hold of each character.
_ANYTHING = (Doubt("damage"), Doubt("answer"), Doubt("ability"), Doubt("setup"), Doubt("guard"))


#: Why what comes behind a post that names nobody is not certain.
UNSURE = "a post of an account with several characters does not say whose it is"
#: So much must speak against everybody else, and nothing against the one who is taken.
_CLEAR = 4


class Speaking:
    """Tells the characters of one battle's posts."""

    def __init__(self, arena: Arena) -> None:
        """For the fighters of this arena, as it goes on."""
        self.arena = arena
        self._owned: dict[str, tuple[str, ...]] = {}
        self._labels: dict[tuple[str, ...], Labels] = {}
        self._last: dict[str, str] = {}
        #: Whether some turn was nobody's for certain, so that the order of turns is lost.
        self.lost = False

    def of(self, turn: Turn) -> Fighter | None:
        """The character for whom a turn speaks; None where nobody's, or where it is left open whose it is."""
        names = self._names_of(turn.first.post.author)
        if not names or turn.unsorted:
            return None
        found = self._of(turn, names)
        if found is not None and len(names) > 1:
            self._last[turn.first.post.author] = found.name
        return found

    def _of(self, turn: Turn, names: tuple[str, ...]) -> Fighter | None:
        fighters = self.arena.fighters
        if turn.who is not None:
            self._say_how(turn)
            return fighters[turn.who]
        other = spoken_for(turn.first, names, lexicon_of(self.arena.sheets))
        if other is not None:
            return self._in_place_of(turn, other, names)
        if len(names) == 1:
            return fighters[names[0]]
        for said in turn.said:
            if isinstance(said.data, StatBlock) and said.data.name in names:
                return fighters[said.data.name]
        return self._by_fit(turn, names, self._by_words(turn, names))

    def in_order(self, turns: Sequence[Turn]) -> list[Turn]:
        """The turns of one post in the order in which they are due: who stands first in it is nobody's fault (S4)."""
        left, order = list(turns), self.arena.order
        if not order.judged or order.policy == "speed":
            return left
        found: list[Turn] = []
        trial = order.copied()
        while left:
            due = next((turn for turn in left if turn.who is not None and trial.is_due(turn.who)), left[0])
            left.remove(due)
            found.append(due)
            trial.post(str(due.who))
        return found

    def leave_open(self, turn: Turn) -> None:
        """Nothing is judged in a post in which it is not said whose its parts are; each may be anybody's (X2)."""
        names = self._names_of(turn.first.post.author)
        if not names:
            return
        message = (
            f"the post does not say which of its tags are whose ({all_of(names)}): nothing in it is judged,"
            " nor the order of turns from here on; a line with the name above each part says so"
        )
        self.arena.case.book.unchecked(turn.first, f"whose:{turn.first.post.id}", message)
        self.arena.order.judged, self.lost = False, True
        self.arena.case.book.doubt_from(turn.first, UNSURE)
        shares = shares_of(turn.first)
        losses = shares.losses if shares is not None else ()
        if shares is None or not shares.unsorted:
            losses = tuple(said.data for said in turn.of(LossTag) if isinstance(said.data, LossTag))
        for name in names:
            self._leave_open_for(
                turn, self.arena.fighters[name], [{p: loss.of(p) or 0 for p in POOLS} for loss in losses]
            )

    def _leave_open_for(self, turn: Turn, me: Fighter, losses: Sequence[dict[str, int]]) -> None:
        part = Turn(turn.entries, turn.first, turn.last, who=me.name, trouble=frozenset(d.kind for d in _ANYTHING))
        named = tuple(said.data.name for said in turn.of(Ability) if isinstance(said.data, Ability))
        part.doubts = (*_ANYTHING, Doubt("ability", named)) if named else _ANYTHING
        mutter(Stage(self.arena, part, me, self.arena.data, spar=self.arena.spar))
        me.doubt_effects()
        for name, pool in me.pools.items():
            pool.readings = fewer(
                now + change for now in pool.readings for change in {0, *(row[name] for row in losses)}
            )
            pool.computed = pool.readings
        me.armed = True
        me.turns += 1

    def _names_of(self, account: str) -> tuple[str, ...]:
        """The characters for which an account posts, by name."""
        names = self._owned.get(account)
        if names is None:
            names = self._owned[account] = tuple(c.name for c in self.arena.sheets.of_player(account))
        return names

    def _in_place_of(self, turn: Turn, name: str, names: tuple[str, ...]) -> Fighter:
        """A post that says it is made for another's character counts as that character's turn, and a notice says so."""
        author = turn.first.post.author
        turn.behalf = frozenset((author, *names))
        message = f"{author} posts for {name}: it counts as a turn of {name}"
        self.arena.case.book.unchecked(turn.first, f"behalf:{turn.first.post.id}", message, name)
        return self.arena.fighters[name]

    def _say_how(self, turn: Turn) -> None:
        """Say so where only the story tells which part of a post is whose."""
        shares = shares_of(turn.first)
        if shares is not None and len(shares.parts) > 1 and "correction" in turn.trouble:
            message = "a correction does not say whose part of this post it is about: its losses are not judged"
            self.arena.case.book.unchecked(turn.first, f"corrected:{turn.first.post.id}", message)
        if shares is None or not shares.told:
            return
        whose = all_of([share.name for share in shares.parts])
        message = f"only the words of the story tell whose the tags are: taken as {whose}"
        self.arena.case.book.unchecked(turn.first, f"whose:{turn.first.post.id}", message)

    def _by_words(self, turn: Turn, names: tuple[str, ...]) -> str | None:
        """The only one of an account's characters whom a post names."""
        labels = self._labels.get(names)
        if labels is None:
            labels = self._labels[names] = Labels(lexicon_of(self.arena.sheets), names)
        scripts = [script for entry in turn.entries if (script := notes_of(entry).script) is not None]
        return labels.named("\n".join(script.text for script in scripts), heads=False)

    def _by_fit(self, turn: Turn, names: tuple[str, ...], named: str | None) -> Fighter | None:
        """The character to whom a post fits: by whom it names, what it answers, and whose turn it is.

        Where two fit alike, or none does (a story may name a comrade alone), it is left open whose post it is.
        """
        rows = [(self._misfit(turn, name) + 3 * (named not in (None, name)), name) for name in names]
        rows.sort(key=lambda row: row[0])
        (least, name), second = rows[0], rows[1][0]
        if turn.said and (least or second - least < _CLEAR):
            turn.unsorted = True
            return None
        if turn.said and (named is None or least):
            message = f"the post does not say for which of {all_of(names)} it is made: taken as a turn of {name}"
            self.arena.case.book.unchecked(turn.first, f"whose:{turn.first.post.id}", message, name)
            self.arena.case.book.doubt_from(turn.first, UNSURE)
        return self.arena.fighters[name]

    def _misfit(self, turn: Turn, name: str) -> int:
        """How badly a post fits a character."""
        me, kinds = self.arena.fighters[name], turn.kinds
        answers = [said.data for kind in (Dodge, Take) for said in turn.of(kind)]
        rolls = sorted(len(data.written.values) for data in answers if isinstance(data, Dodge))
        hits = sorted(len(attack.hits) for attack in me.open)
        before = self.arena.case.battle.posts[turn.first.index - 1] if turn.first.index else None
        again = before is not None and before.author == turn.first.post.author
        last = self._last.get(turn.first.post.author)
        # Two posts in a row are two characters'; who has never acted is hardly the one who goes on.
        idle = not again and last not in (None, name) and not me.turns and self.arena.fighters[str(last)].turns > 1
        stray = 2 * (again and last == name) + 4 * idle
        wrong = bool(answers) != bool(me.open) and not (Ability in kinds and me.open)
        odd = bool(rolls) and sum(rolls) != sum(hits)
        acts = (Damage in kinds) and me.out_sure
        loss = turn.loss.data if turn.loss is not None else None
        bleeds = isinstance(loss, LossTag) and (loss.hp or 0) < 0
        unhurt = bleeds and not me.open and not me.ticking
        return (
            4 * wrong + 2 * odd + 4 * acts + 3 * (not self.arena.order.is_due(name)) + stray + 3 * unhurt + me.forfeited
        )
