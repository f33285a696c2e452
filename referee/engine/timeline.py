"""The timeline: posts in thread order as entries, corrections put where they belong (G21, G25, X1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from referee.engine.corrections import Lead, Strength, corrects, leads_of, restates, rewritten, says_a_number
from referee.engine.reposts import lines_of, new_rolls, repeats, says_so, sent_twice, within_minutes
from referee.engine.script import scripts_of
from referee.engine.twice import said_once
from referee.engine.typed import below_mark, signatures_of
from referee.model.battle import Battle, Edit, Post, Revision
from referee.model.claims import Claim, Reading, Unread
from referee.model.records import filled_directly
from referee.model.text import Script
from referee.ports.phrases import Phrases
from referee.ports.reading import Names
from referee.ports.rules import Entry, Ruleset, Sheets

#: How a reader of bodies marks a quote or code block that has no end.
UNCLOSED = "unclosed"
#: How a reader of boards marks what of a post the page does not, or may not, show.
LOST = "lost"
#: In so many posts before it a quotation is looked for.
_NEAR = 60
_WORD = re.compile(r"\w+")
#: So much of a post is searched for names.
_LONGEST_LOOK = 20_000


@filled_directly
@dataclass(frozen=True, slots=True)
class PostRead:
    """A post with its readings, oldest revision first; `mine`: its author takes part in the battle.

    `correction`: it puts the author's last turn right (G25). `repeats`: the place of the own post that it says
    again, with or without changes. `note`: how it was understood, where its words leave a doubt.
    """

    post: Post
    scripts: tuple[Script, ...]
    readings: tuple[Reading, ...]
    mine: bool
    correction: bool = False
    repeats: int | None = None
    note: str | None = None

    @property
    def reading(self) -> Reading:
        """The reading of the present text."""
        return self.readings[-1]

    @property
    def turn(self) -> bool:
        """Whether it is a turn of its author: no chatter, no correction, nothing said again."""
        return self.mine and not self.correction and self.repeats is None and not self.reading.chatter


@dataclass(frozen=True, slots=True)
class LateEdit:
    """What an edit after somebody else's post changed (G20): see `Entry.before`, `added` and `gone`."""

    before: Mapping[int, Claim]
    added: frozenset[int]
    gone: tuple[Claim, ...]


_NO_EDIT = LateEdit({}, frozenset(), ())


class _Posted:
    """Who of the battle posted last, and where somebody else did before."""

    def __init__(self) -> None:
        self._author, self._newest, self._other = "", -1, -1

    def add(self, author: str, place: int) -> None:
        """Note a post, in thread order."""
        if author != self._author:
            self._author, self._other = author, self._newest
        self._newest = place

    def others_since(self, author: str, place: int) -> bool:
        """Whether somebody else has posted behind a place."""
        return (self._other if author == self._author else self._newest) > place


def read_posts(battle: Battle, ruleset: Ruleset, sheets: Sheets) -> tuple[PostRead, ...]:
    """Every revision of every post, read by the ruleset; corrections and repetitions are told from turns."""
    read: list[PostRead] = []
    #: The place of the last turn of each author.
    last: dict[str, int] = {}
    posted = _Posted()
    signatures = signatures_of(battle.posts)
    for post in battle.posts:
        now = _read_post(post, ruleset, sheets, read, signatures)
        if now.mine:
            author = post.author.casefold()
            turn = last.get(author)
            late = turn is not None and posted.others_since(author, turn)
            now = _understood(now, read, turn, late, ruleset, sheets)
            posted.add(author, len(read))
            if now.turn:
                last[author] = len(read)
        read.append(now)
    return tuple(read)


def _read_post(
    post: Post, ruleset: Ruleset, sheets: Sheets, before: list[PostRead], signatures: frozenset[tuple[str, str]]
) -> PostRead:
    scripts: list[Script] = []
    readings: list[Reading] = []
    note = None
    for revision in post.revisions:
        signed = bool(signatures) and (post.author.casefold(), below_mark(revision.blocks)) in signatures
        script, twice = said_once(scripts_of(revision.blocks, signed))
        reading = _with_unclosed(ruleset.read(script, post.author, sheets), revision)
        note = twice if reading.claims else None
        if script.doubtful:
            reading, doubt = _with_doubtful(reading, script, post, ruleset, sheets, before)
            note = note or doubt
        scripts.append(script)
        readings.append(reading)
    mine = bool(sheets.of_player(post.author)) or post.author.casefold() in sheets.judges
    return PostRead(post, tuple(scripts), tuple(readings), mine, note=note)


#: Why claims in what may be quoted count for nothing.
_NOT_SHOWN = "not all of the post is on the page"
_DOUBTFUL = "stands behind a typed >, in backticks or below a signature mark, so it is nobody's claim"


def _unsaid(claims: list[Claim], posts: list[PostRead]) -> list[Claim]:
    """The claims that none of these posts says word for word."""
    said = [" ".join(read.scripts[-1].shown.split()) for read in posts]
    return [claim for claim in claims if not any(claim.quote in words for words in said)]


def _same(claim: Claim, other: Claim) -> bool:
    """Whether two claims say the same."""
    return claim.kind == other.kind and claim.values == other.values


def _with_doubtful(
    reading: Reading, script: Script, post: Post, ruleset: Ruleset, sheets: Sheets, before: list[PostRead]
) -> tuple[Reading, str | None]:
    """Say so where claims stand in what may be quoted, and the post's own words do not hold them as well (G16).

    What another post says word for word is a quotation without doubt. A post that begins with a quotation and ends
    with words that claim nothing is a reply and no turn: that it quotes what nobody said is its note. So it is of a
    post that has other claims of the kind: those count.
    """
    claims = [claim for part in script.doubtful for claim in ruleset.read(part, post.author, sheets).claims]
    missing = [claim for claim in claims if not any(_same(claim, other) for other in reading.claims)]
    if not missing:
        return reading, None
    near = before[-_NEAR:]
    unsaid = _unsaid(missing, [read for read in near if read.post.author != post.author])
    own = {claim.kind for claim in reading.claims}
    doubt = next((claim for claim in unsaid if claim.kind not in own), None)
    if doubt is None:
        # What an author's posts end with is a signature, and no news.
        below = below_mark(post.revisions[-1].blocks)
        beside = [claim for claim in _unsaid(unsaid, near) if " ".join(claim.quote.split()) not in below]
        return reading, f"{beside[0].quote[:100]} {_DOUBTFUL}" if beside else None
    if reading.chatter and script.text.startswith("\n") and script.text.strip() and not script.text.endswith("\n"):
        return reading, f"it quotes what nobody said word for word: {doubt.quote[:100]}"
    return replace(reading, unread=(*reading.unread, Unread(doubt.quote, reason=_DOUBTFUL, hides=True))), None


def _understood(
    now: PostRead, before: list[PostRead], last: int | None, late: bool, ruleset: Ruleset, sheets: Sheets
) -> PostRead:
    """A post as a turn, as a correction of its author's last turn (G25), or as that turn said again.

    `last`: the place of that turn. `late`: somebody else of the battle has posted since.
    """
    if last is not None and not late and now.reading.claims:
        of_others = _of_others(now, before[last], sheets)
        again = _said_again(now, before, last, ruleset.runs_on(sheets)) if not of_others else None
        if again is not None:
            return again
    understood = now
    for lead in leads_of(now.scripts[-1]):
        turn = before[last] if last is not None else None
        understood = _as_correction(now, lead, turn, late, ruleset, sheets)
        if understood.correction:
            return _with_earlier(understood, ruleset, sheets)
    return understood


def _with_earlier(now: PostRead, ruleset: Ruleset, sheets: Sheets) -> PostRead:
    """A correction whose earlier revisions are read as corrections too: an edit of its words changes no claim."""
    earlier = list(now.readings[:-1])
    for place, script in enumerate(now.scripts[:-1]):
        lead = next(leads_of(script), None)
        other = rewritten(script, lead) if lead is not None else None
        if other is not None:
            earlier[place] = ruleset.read(other, now.post.author, sheets)
    return replace(now, readings=(*earlier, now.readings[-1])) if earlier else now


def _as_correction(
    now: PostRead, lead: Lead, turn: PostRead | None, late: bool, ruleset: Ruleset, sheets: Sheets
) -> PostRead:
    """A post that begins like a correction as one, if it holds one; `turn`: its author's last."""
    script, reading = now.scripts[-1], now.reading
    other = rewritten(script, lead)
    if other is not None:
        lead = _moved(lead, len(other.text) - len(script.text))
        script = other
        reading = _with_unclosed(ruleset.read(script, now.post.author, sheets), now.post.revisions[-1])
    if not corrects(script, reading, lead):
        lost = turn is not None and reading.chatter and says_a_number(script, lead)
        return replace(now, note="it begins like a correction, which could not be read") if lost else now
    if turn is not None:
        return _for_its_turn(now, script, reading, lead, turn, late)
    return _corrected_by(now, script, reading, None) if lead.strength is Strength.LABEL else now


def _for_its_turn(now: PostRead, script: Script, reading: Reading, lead: Lead, turn: PostRead, late: bool) -> PostRead:
    """A post that reads as a correction as one, if what it says fits its author's last turn.

    `late`: somebody else has posted since. One claim behind a label corrects whatever it is; several may be a turn
    below a remark on an edit, and what begins with an apology may be anything.
    """
    kinds = {claim.kind for claim in reading.claims}
    only = kinds == {"correction"}
    if lead.strength is Strength.LABEL:
        at_once = min(claim.span[0] for claim in reading.claims) <= lead.end + 3
        sure = not late or len(kinds) == 1 or (at_once and restates(turn.reading, reading))
        return _corrected_by(now, script, reading, None) if sure else now
    if not only and not kinds <= {claim.kind for claim in turn.reading.claims}:
        return now
    if lead.strength is Strength.SORRY:
        rolled = new_rolls(turn.scripts[-1], script)
        if late or rolled or not (only or restates(turn.reading, reading)):
            return now
    return _corrected_by(now, script, reading, f"it begins like a correction of {turn.post.id} and is taken as one")


def _moved(lead: Lead, room: int) -> Lead:
    """A lead in a script that begins so many characters later."""
    return lead._replace(end=lead.end + room, stop=lead.stop + room)


def _corrected_by(now: PostRead, script: Script, reading: Reading, note: str | None) -> PostRead:
    return replace(
        now,
        scripts=(*now.scripts[:-1], script),
        readings=(*now.readings[:-1], reading),
        correction=True,
        note=note,
    )


def _of_others(now: PostRead, old: PostRead, sheets: Sheets) -> bool:
    """Whether two posts of an account name different ones of its characters: a story told for each is no copy."""
    own = sheets.of_player(now.post.author)
    if len(own) < 2:
        return False
    names = Names.of(own)
    one, other = _named(old, names), _named(now, names)
    return bool(one) and bool(other) and one.isdisjoint(other)


def _named(read: PostRead, names: Names) -> set[str]:
    """Who of these is named in a post's own words."""
    text, phrases = read.scripts[-1].text[:_LONGEST_LOOK], Phrases(names.forms)
    forms = (next(phrases.at(text, word.start()), None) for word in _WORD.finditer(text))
    return {name for form in forms if form is not None and (name := names.exact(form[0])) is not None}


def _said_again(now: PostRead, before: list[PostRead], last: int, runs_on: bool) -> PostRead | None:
    """A post that says its author's last turn again; None where it doesn't.

    `runs_on`: authors may have two turns running. Then the same words hours later are the next turn, unless they
    say that they are a repetition.
    """
    old = before[last]
    scripts = old.scripts[-1], now.scripts[-1]
    if sent_twice(old.post, now.post, scripts):
        return replace(now, repeats=last, note=f"it is {old.post.id} once more and counts once")

    def told() -> frozenset[str]:
        mine = [read for read in before[:last] if read.post.author == now.post.author]
        return frozenset(line for read in mine for line in lines_of(read.scripts[-1]))

    labelled = any(lead.strength is Strength.LABEL for lead in leads_of(now.scripts[-1]))
    if runs_on and not (labelled or says_so(scripts[1]) or within_minutes(old.post, now.post)):
        return None
    if repeats(old.reading, now.reading, scripts, labelled, told):
        return replace(now, repeats=last, note=f"it says {old.post.id} again and counts in its place")
    return None


def _with_unclosed(reading: Reading, revision: Revision) -> Reading:
    """Say so where a quote or code block without an end has taken the rest of a post, or the board has lost a part."""
    for block in revision.blocks:
        if block.kind == "attachment" and block.title == LOST:
            return replace(reading, unread=(*reading.unread, Unread(block.text, reason=_NOT_SHOWN, hides=True)))
        if block.title == UNCLOSED:
            words = " ".join(block.text.split())[:120]
            reason = f"stands in a {block.kind} that is never closed, so it is nobody's claim"
            return replace(reading, unread=(*reading.unread, Unread(words, reason=reason, hides=True)))
    return reading


def entries_of(posts: tuple[PostRead, ...], ruleset: Ruleset, edits: Mapping[str, LateEdit]) -> tuple[Entry, ...]:
    """The entries that a ruleset judges: no strangers, in-time corrections worked in (G25)."""
    entries: list[Entry] = []
    places: dict[str, int] = {}
    #: The place in `entries` of each author's last turn, which a correction is about.
    last: dict[str, int] = {}
    posted = _Posted()
    for index, read in enumerate(posts):
        if not read.mine:
            continue
        author = read.post.author.casefold()
        posted.add(author, index)
        first = posts[read.repeats].post.id if read.repeats is not None else None
        if first in places:
            entries[places[first]] = _repeated(entries[places[first]], read)
            continue
        target = last.get(author) if read.correction else None
        if target is not None:
            turn = entries[target]
            if posted.others_since(author, turn.index):
                entries.append(Entry(index, read.post, read.reading, "correction", amends=target))
            else:
                words = {claim.quote: read.post.id for claim in read.reading.claims}
                reading = ruleset.amend(turn.reading, read.reading)
                entries[target] = replace(turn, reading=reading, corrected={**turn.corrected, **words})
            continue
        kind = "chatter" if read.reading.chatter else "turn"
        edit = edits.get(read.post.id, _NO_EDIT)
        places[read.post.id] = len(entries)
        if kind == "turn":
            last[author] = len(entries)
        entries.append(Entry(index, read.post, read.reading, kind, edit.before, added=edit.added, gone=edit.gone))
    return tuple(entries)


def _repeated(entry: Entry, read: PostRead) -> Entry:
    """The entry of a post that a later one says again: as if it had been edited."""
    post = replace(entry.post, edited=Edit(_later(read.post.at, entry.post.edited)))
    return replace(entry, post=post, reading=read.reading, before={}, added=frozenset(), gone=())


def _later(at: datetime | None, edited: Edit | None) -> datetime | None:
    """The later of a time and that of an edit."""
    was = edited.at if edited else None
    return max(at, was) if at and was else at or was
