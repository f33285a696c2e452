"""What posts tell in words that no claim was read from, for judges who are about to call a number wrong.

Players also tell in prose what the notation has tags for: `she plants her feet`, `the vines wither`, `the GM allows a
second try`. Nothing of that is a claim. But a judge that is about to report a difference may ask here whether a
sentence nearby tells of what would explain it; then the thing is not certain, and a notice quotes the sentence.
Nothing is searched before somebody asks, and every sentence only once for each topic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.model.battle import Post
from referee.model.claims import Reading
from referee.model.glyphs import straighten
from referee.model.text import Script
from referee.ports.rules import Entry
from referee.ports.topics import without_article

#: So much of a post is searched; nobody explains more.
_MOST_TEXT = 20_000
_MOST_SENTENCES = 400
_LONGEST = 600
#: So often one post is asked about: a post with more faults than that is no honest one told in words.
_MOST_ASKED = 400
#: So much of a claim's words shows which line it stands in: links come later in the line.
_HEAD = 12
#: A line with fewer letters may stand in a claim's words by chance.
_SURE = 10
_SIGNATURE = "_" * 10
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n")
_MARKUP = re.compile(r"[*_~`]+")
_BLANKS = re.compile(r"[^\S\n]+")
_NUMBER = re.compile(r"\d{1,4}")
_COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_WORDS = {word: number for number, word in enumerate(_COUNTS.split(" "))}
_WORDS |= {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "once": 1, "twice": 2}
_WORD = re.compile(r"[a-z]+")
_OF_NAME = re.compile(r"(?P<kind>.+?)\s+#?\d{1,2}")
#: Lines that state what the rule systems have tags and lines for, and lines with dice, are no prose: they are read.
_TAGS = (
    r"(?:announce|move|trap|action|free[ ]attack|struggle|help|reaction|to[ ]hit|damage|binding|bind[ ]level|save"
    r"|order|encounter|allocation|drops?|exp|hp|run)\b[^:\n]{0,24}:"
)
_STATES = re.compile(rf"^[\W_]*{_TAGS}|[\[(]{_TAGS}|\b\d{{0,3}}d\d{{1,3}}\b", re.IGNORECASE)
_EVERYBODY = re.compile(
    r"\b(?:everyone|everybody|them[ ]both|both[ ]of[ ]them|all[ ]of[ ](?:them|us)"
    r"|the[ ](?:whole[ ])?party)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\(\([^()]{0,2000}(?:\)\)|$)|\b(?:OOC|out of character)\b[^\n]*", re.IGNORECASE)
#: What did not happen, or not here, explains nothing.
_UNREAL = re.compile(
    r"\b(?:(?:would|could|should|might)(?:'ve|[ ]have)|I'd[ ]have|if[ ](?:I|you|he|she|it|they)[ ]had"
    r"|almost|nearly|as[ ]if"
    r"|lol|haha|joke|joking|other[ ]table)\b",
    re.IGNORECASE,
)
#: A question without a number: `Damage? Plenty.`, `Double EXP this weekend?`, `"Another go?" asked the barker`.
_ASKED = re.compile(r"[^\d?]*\?[\"')\] ]*")
_LETTERS = re.compile(r"[^a-z0-9]+")


class Told(NamedTuple):
    """A sentence without a claim: its post and author, and its words."""

    post: str
    author: str
    words: str


def numbers_in(words: str) -> frozenset[int]:
    """Every number of a sentence, in digits or as a word up to twenty."""
    low = words.casefold()
    spelt = [_WORDS[word] for word in _WORD.findall(low) if word in _WORDS]
    return frozenset((*map(int, _NUMBER.findall(low)), *spelt))


def letters(words: str) -> str:
    """Words without blanks and signs: `Side-Step` and `sidestep` are the same."""
    return _LETTERS.sub("", words.casefold())


def loose_lines(script: Script, reading: Reading, longest: int) -> Iterator[tuple[int, str]]:
    """The lines of a post's own words with their places; claims and unread tags are blanked out, longer lines left.

    For readers that keep the script with their reading; `Telling` works on what a post shows.
    """
    text, last, pieces = script.text, 0, []
    spans = [*(claim.span for claim in reading.claims), *(unread.span for unread in reading.unread)]
    for start, end in sorted(spans):
        if start >= last and end <= len(text):
            pieces += [text[last:start], "".join(sign if sign == "\n" else " " for sign in text[start:end])]
            last = end
    place = 0
    for line in ("".join(pieces) + text[last:]).split("\n"):
        if line.strip() and len(line) <= longest:
            yield place, line
        place += len(line) + 1


class Telling:
    """The sentences of a battle's posts in which no claim stands, found when they are asked for."""

    def __init__(self, entries: Sequence[Entry], names: Iterable[str] = ()) -> None:
        """Of these entries, in thread order; `names`: everybody in the battle, as far as they are known."""
        self._entries = entries
        self._places = {entry.post.id: place for place, entry in enumerate(entries)}
        self._known = dict.fromkeys(names)
        #: Patterns are made of a name when somebody asks: most battles never do.
        self._names: dict[str, tuple[re.Pattern[str], re.Pattern[str] | None]] = {}
        self._asked: Counter[str] = Counter()
        self._split: dict[int, tuple[Told, ...]] = {}
        self._about: dict[tuple[int, re.Pattern[str]], tuple[Told, ...]] = {}

    def know(self, names: Iterable[str]) -> None:
        """Take in names of fighters, such as creatures that have come since."""
        self._known.update(dict.fromkeys(names))

    def tells(
        self,
        entry: Entry,
        topic: re.Pattern[str],
        who: Iterable[str] = (),
        *,
        back: int = 0,
        numbers: Iterable[int] = (),
        by: str | None = None,
        named: bool = False,
    ) -> Told | None:
        """The nearest sentence on a topic in a post or in one of the `back` entries before it, or None.

        `who`: it names one of them, or (not if `named`) nobody; empty: anybody. `numbers`: it holds one of them;
        empty: any or none. `by`: only posts of this account.
        """
        here = self._place(entry)
        if here is None:
            return None
        persons, wanted = tuple(who), frozenset(numbers)
        for place in range(here, max(-1, here - back - 1), -1):
            if by is not None and self._entries[place].post.author.casefold() != by.casefold():
                continue
            for told in self._on(place, topic):
                if wanted and wanted.isdisjoint(numbers_in(told.words)):
                    continue
                if not persons or self._concerns(told.words, persons, named):
                    return told
        return None

    def sentences(self, entry: Entry, back: int = 0, topic: re.Pattern[str] | None = None) -> tuple[Told, ...]:
        """Every sentence (on a topic) of a post and of the entries before it, the nearest post first."""
        here = self._place(entry)
        if here is None:
            return ()
        places = range(here, max(-1, here - back - 1), -1)
        found = (self._loose(place) if topic is None else self._on(place, topic) for place in places)
        return tuple(told for row in found for told in row)

    def tale(self, entry: Entry) -> Told | None:
        """The first sentence of a post that is told in the game: no aside out of character (G16)."""
        aside = _ASIDE.sub("", _own_text(entry.post, ("own",)))
        words = next((line.strip() for line in aside.split("\n") if letters(line)), None)
        return Told(entry.post.id, entry.post.author, words[:_LONGEST]) if words else None

    def names(self, words: str, name: str) -> bool:
        """Whether a sentence names somebody, or all of its kind."""
        full, kind = self._forms_of(name)
        return full.search(words) is not None or (kind is not None and kind.search(words) is not None)

    def _place(self, entry: Entry) -> int | None:
        """The place of an entry; None where it is not there, or has been asked about too often."""
        self._asked[entry.post.id] += 1
        return self._places.get(entry.post.id) if self._asked[entry.post.id] <= _MOST_ASKED else None

    def _on(self, place: int, topic: re.Pattern[str]) -> tuple[Told, ...]:
        key = (place, topic)
        if key not in self._about:
            self._about[key] = tuple(told for told in self._loose(place) if topic.search(told.words))
        return self._about[key]

    def _concerns(self, words: str, persons: tuple[str, ...], named: bool) -> bool:
        if any(self.names(words, person) for person in persons) or _EVERYBODY.search(words) is not None:
            return True
        return not named and not any(self._forms_of(name)[0].search(words) for name in self._known)

    def _forms_of(self, name: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
        if name not in self._names:
            self._names[name] = _forms(straighten(name))
        return self._names[name]

    def _loose(self, place: int) -> tuple[Told, ...]:
        if place not in self._split:
            entry = self._entries[place]
            self._split[place] = tuple(_sentences(entry.post, entry.reading))
        return self._split[place]


def _forms(name: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """A name, and what it is called without its number (`Golem`) or by its last or first word alone."""
    name = without_article(name)
    numbered = _OF_NAME.fullmatch(name)
    full = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    if numbered is None:
        first = name.split()[0] if name.split() else name
        return re.compile(rf"\b(?:{re.escape(name)}|{re.escape(first)})\b", re.IGNORECASE), None
    last = numbered["kind"].split()[-1]
    short = re.compile(rf"\b{re.escape(last)}s?\b(?![ ]?#?\d)", re.IGNORECASE)
    own = re.compile(rf"{full.pattern}|\b{re.escape(last)}[ ]?#?{name.split()[-1]}\b", re.IGNORECASE)
    return own, short


def _sentences(post: Post, reading: Reading) -> Iterable[Told]:
    """A post's own sentences without those lines in which a claim stands."""
    quotes = [*(claim.quote for claim in reading.claims), *(unread.quote for unread in reading.unread)]
    heads = {letters(quote[:_HEAD]) for quote in quotes} - {""}
    # An attack in loose lines is one claim: each of its lines is read, not the first alone.
    whole = [letters(quote) for quote in quotes]
    found = 0
    for line in _own_text(post).split("\n"):
        plain = letters(line)
        if not plain or _STATES.search(line) is not None or any(head in plain for head in heads):
            continue
        if len(plain) >= _SURE and any(plain in quote for quote in whole):
            continue
        for words in _END.split(line):
            if words.strip() and not _only_asks(words) and _UNREAL.search(words) is None:
                yield Told(post.id, post.author, words.strip()[:_LONGEST])
                found += 1
        if found >= _MOST_SENTENCES:
            return


def _only_asks(words: str) -> bool:
    """Whether a sentence is a question that tells of nothing; one with a number may: `I added the +2, is that fine?`"""
    return "?" in words and _ASKED.fullmatch(words) is not None


def _own_text(post: Post, kinds: tuple[str, ...] = ("own", "ooc")) -> str:
    """What an author wrote outside quotations and above a signature, asides out of character included."""
    parts: list[str] = []
    for block in post.revisions[-1].blocks if post.revisions else ():
        if block.kind in kinds:
            parts.append(block.text.split(_SIGNATURE, 1)[0])
            if _SIGNATURE in block.text:
                break
    return _MARKUP.sub("", plain("\n".join(parts)[:_MOST_TEXT]))


def plain(text: str) -> str:
    """Words of a block in the usual signs, with one blank where several stand."""
    return _BLANKS.sub(" ", straighten(text))
