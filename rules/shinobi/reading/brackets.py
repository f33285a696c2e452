"""One bracket after the other into claims: what it begins with tells its kind (NS1 to NS36, G19)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from referee.model.claims import Claim, Unread
from referee.model.text import Anchor, Script
from referee.ports.reading import Tag, squeeze, tags
from rules.shinobi.lexicon import POOL, Lexicon
from rules.shinobi.model import MAIN, RESPONSE, SETUP, Ability, Dodge, Doubt, LossTag, Mark, StatBlock
from rules.shinobi.reading import abilities, answers, other_tags
from rules.shinobi.reading import damage as damages
from rules.shinobi.reading import loss as losses
from rules.shinobi.reading.dodges import only_rolls
from rules.shinobi.reading.labels import without_labels
from rules.shinobi.reading.unread import aside_kind, doubt_of, is_plain, kind_of, without_label
from rules.shinobi.reading.values import values_of

PHASES = {"response": RESPONSE, "setup": SETUP, "set-up": SETUP, "main": MAIN}
_MARK = re.compile(
    r"(?P<no>no\s+)?(?P<phase>response|set-?up|main)(?:\s+phase)?(?:\s*[-:,(]?\s*(?P<skipped>skipped|skips?))?\s*[).:]?",
    re.IGNORECASE,
)
#: With what a mark begins, and a tag that names whose attack it answers in front, if it holds no `'s`.
_MARK_FIRSTS, _FOE_FIRSTS = frozenset("rsmnRSMN \n"), frozenset("vaVA \n")
#: A sum and a number of hits: `Ember Volley: 12 + 3 = 15 x4`.
_SUMMED = re.compile(r"\d\s?[+-]\s?\d{1,5}\s?=\s?\d{1,5}\s?,?\s?x\s?\d")
#: Totals in a stat block: secret, so they are left out of the quotation (S2).
_TOTAL = re.compile(rf"(?<!\w)({POOL})(?!\w)(\W{{0,6}})\d[\d.,]*(?:[ ]?/[ ]?\d+)?", re.IGNORECASE)

#: More claims than this in one post are hostile.
MOST_CLAIMS = 200
#: More unread tags than this of one post are not listed one by one.
MOST_UNREAD = 60


class Reader:
    """Collects the claims of one script; `own()`: the names of its author's characters."""

    __slots__ = ("bare", "claims", "doubts", "lexicon", "losses", "marks", "own", "script", "spare", "unread", "worded")

    def __init__(self, script: Script, lexicon: Lexicon, own: Callable[[], list[str]] = list) -> None:
        self.script = script
        self.lexicon = lexicon
        self.own = own
        self.claims: list[Claim] = []
        self.losses: list[Claim] = []
        self.spare: list[Claim] = []
        self.unread: list[Unread] = []
        self.marks: list[Mark] = []
        self.doubts: list[Doubt] = []
        self.bare: list[tuple[int, int, str]] = []
        #: Whether any link has words, which may be a roll or a label of one.
        self.worded = any([a.start < a.end and a.url is not None for a in script.anchors])

    def claim(self, kind: str, start: int, end: int, data: object) -> None:
        """Note a claim with its words and its values."""
        quote = self.script.quote(start, end)
        if isinstance(data, StatBlock) and data.secret:
            quote = _TOTAL.sub(r"\1\2...", quote)
        made = Claim(kind, quote, (start, end), values_of(data), data)
        (self.losses if kind == "loss" else self.claims).append(made)

    def fail(self, kind: str, start: int, end: int, inner: str, reason: str = "could not be read") -> None:
        """Note a tag that can't be read; `kind`: its sort, which says what the replay must not judge because of it."""
        self.unread.append(Unread(self.script.quote(start, end), (start, end), reason))
        if len(self.doubts) < MOST_UNREAD:
            self.doubts.append(doubt_of(kind, inner, self.lexicon))

    def tag(self, tag: Tag) -> None:
        """Read one bracket."""
        inner = without_labels(self.script, tag) if self.worded else tag.inner
        if "  " in inner or "\n" in inner:
            inner = " ".join(inner.split())
        if len(self.claims) >= MOST_CLAIMS or not inner.strip():
            return
        if not tag.closed and inner[0] in "([{":
            return  # The bracket behind it is given too.
        if inner[0] in "([{":
            inner = losses.unwrapped(inner)
        mark = _MARK.fullmatch(inner.strip()) if inner[:1] in _MARK_FIRSTS else None
        if mark is not None:
            # `(Setup) [draws the iron club]` labels what stands on its line; `(Setup Phase)` goes on below it.
            behind = self.script.text[tag.end : self.script.line_end(tag.end)]
            told = "phase" not in inner.lower() and any(map(str.isalnum, behind))
            skipped = bool(mark["skipped"] or mark["no"]) or other_tags.holds_nothing(behind)
            self.marks.append(Mark(tag.start, PHASES[squeeze(mark["phase"])], skipped, told=told))
            return
        foe = (
            self.lexicon.foe(inner)
            if ":" in inner and (inner[:1] in _FOE_FIRSTS or "'s" in inner or "'S" in inner)
            else None
        )
        if foe is None:
            self._settled(tag, inner, None)
        elif foe.name is not None:
            self._settled(tag, inner[foe.end :], foe.name or None)
        elif _answers(inner[foe.end :], self.lexicon, _wide(tag)):
            self.fail("answer", tag.start, tag.end, inner, "the attacker's name is not known")
        else:
            self._settled(tag, inner, None)

    def _settled(self, tag: Tag, inner: str, attacker: str | None) -> None:
        """Read a bracket, behind a label too, or note what it may be."""
        trouble = self._read(tag, inner, attacker)
        if trouble == "answer":
            behind = answers.read_behind(inner, attacker, self.script, tag.end, self.lexicon)
            trouble = None if self._dodged(tag.start, self.script.line_end(tag.end), behind) else trouble
        if trouble is None or (not trouble and attacker is None and is_plain(inner)):
            return  # Most brackets in prose end here.
        if not _wide(tag):
            kind = trouble or ("answer" if attacker else aside_kind(inner))
            if kind is not None:
                self.fail(kind, tag.start, tag.end, inner)
            return
        if trouble == "" and attacker is None and self._worded(tag, inner):
            return
        bare = without_label(inner, self.lexicon) if ":" in inner or "-" in inner else None
        if bare is not None:
            name = bare[1] if bare[1] is None or bare[1] not in self.own() else None
            if self._read(tag, bare[0], name or attacker) is None:
                return
        if trouble in ("", "answer") and answers.speaks_of_rolls(inner) and self._rolled(tag, inner, attacker):
            return
        kind = trouble or ("answer" if attacker else kind_of(inner, self.lexicon, tag))
        worded = damages.read_worded(inner, self.lexicon) if kind == "damage" else None
        if worded is not None:
            self.claim("damage", tag.start, tag.end, worded)
        elif kind is not None:
            self.fail(kind, tag.start, tag.end, inner)
        elif answers.bare_rolls(inner) or (tag.bracket == "[" and only_rolls(inner, self.lexicon)):
            self.bare.append((tag.start, tag.end, inner))

    def _worded(self, tag: Tag, inner: str) -> bool:
        """Take a damage tag that begins with what hits: `Stone Fang: 80 damage`."""
        low = inner.lower()
        said = "damage" in low or "dmg" in low or ("=" in low and _SUMMED.search(low) is not None)
        worded = damages.read_worded(inner, self.lexicon) if said else None
        if worded is not None:
            self.claim("damage", tag.start, tag.end, worded)
        return worded is not None

    def _rolled(self, tag: Tag, inner: str, attacker: str | None) -> bool:
        """Take a dodge tag in another order of words."""
        read, own = answers.read_rolled, frozenset(self.own())
        return self._dodged(tag.start, tag.end, read(inner, self.lexicon, attacker, own, lambda: self.anchors(tag)))

    def _dodged(self, start: int, end: int, dodge: Dodge | None) -> bool:
        if dodge is not None:
            self.claim("dodge", start, end, dodge)
        return dodge is not None

    def _read(self, tag: Tag, inner: str, attacker: str | None) -> str | None:
        """Read a bracket by what it begins with.

        Gives None where that could be done; else the sort of tag as which it begins, empty where it
        begins with nothing known and may be prose.
        """
        lead = _LEADS.match(inner)
        if lead is not None:
            kind, read = _LED[str(lead.lastgroup)]
            return self._led(kind, read, tag, inner, attacker)
        low = inner.lower()
        dodges = "attack" in low or "to dodge" in low
        if dodges and (_wide(tag) or "roll" in low) and _NAMED_DODGE.pattern.match(inner) is not None:
            return self._led(_NAMED_DODGE, _read_dodge, tag, inner, attacker)
        guards = "guard" in low or "front of" in low or "protect" in low or "shield" in low
        if guards and (_wide(tag) or low.lstrip().startswith("guard")) and _GUARD.pattern.match(inner) is not None:
            return self._led(_GUARD, _read_guard, tag, inner, attacker)
        return self._other(tag, inner, low, attacker)

    def _led(self, kind: Kind, read: _Read, tag: Tag, inner: str, attacker: str | None) -> str | None:
        """Read a bracket of a kind that its beginning tells."""
        if _LOOSE.get(kind.name, _never)(inner) and not _wide(tag):
            return ""
        if kind.name == "damage" and other_tags.like_over_time(inner):
            over_time = other_tags.read_over_time(inner, self.lexicon)
            if over_time is not None:
                self.claim("over time", tag.start, tag.end, over_time)
                return None
        found = read(self, tag, inner, attacker)
        if found is not None:
            self._add(kind.name, tag, found)
            return None
        return "" if kind.prose(inner, self.lexicon, tag.bracket == "[") else kind.trouble

    def _add(self, kind: str, tag: Tag, data: object) -> None:
        if isinstance(data, Mark):
            self.marks.append(data)
        elif isinstance(data, Ability):
            self.claim(data.sort if data.sort != "unknown" else "ability", tag.start, tag.end, data)
        else:
            self.claim(kind, tag.start, tag.end, data)

    def _other(self, tag: Tag, inner: str, low: str, attacker: str | None) -> str | None:
        """A bracket that begins with nothing known: taking it, an ending, a reminder, or an ability's.

        `low`: its words in small letters, for a look whether some word stands in it at all.
        """
        takes = "tak" in low or "took" in low or "roll" in low or "dodge" in low
        ends = "forfeit" in low or "death" in low or "yield" in low or "surrender" in low or "give" in low
        if (takes or ends or "loss" in low or low[:1] in _SIGNS) and self._told(tag, inner, attacker):
            return None
        if len(inner) > 200:
            return ""
        if _DIGIT.search(inner) is not None and _wide(tag):
            tick: object = other_tags.read_over_time(inner, self.lexicon) if other_tags.like_over_time(inner) else None
            if tick is None and "upkeep" in low:
                tick = abilities.read_upkeep(inner, self.lexicon)
            if tick is not None:
                self._add("over time", tag, tick)
                return None
            if "damage" in low or "dmg" in low:
                named = damages.read_named(inner, self.lexicon)
                if named is not None:
                    self._add("damage", tag, named)
                    return None
                if damages.JOINT.search(inner):
                    return self._joint(tag, inner)
        found = abilities.read_ability(inner, self.lexicon, tag, attacker, _wide(tag))
        if found is None:
            return None if low[:2] in _SET_UP and self._set_up(tag, inner) else ""
        self._add("over time", tag, found)
        return None

    def _set_up(self, tag: Tag, inner: str) -> bool:
        """Take a Setup action without the word, where it is done with a weapon of the tables: `Draws the iron club`."""
        setup = other_tags.read_setup(inner) if _wide(tag) else None
        known = setup is not None and (
            self.lexicon.weapon(setup.thing) is not None or (setup.verb == "inscribes" and "scroll" in setup.thing)
        )
        if known:
            self.claim("setup", tag.start, tag.end, setup)
        return known

    def _told(self, tag: Tag, inner: str, attacker: str | None) -> bool:
        """Take a tag that takes an attack without a roll, ends the battle or the spar, or says that nothing is lost."""
        wide = _wide(tag)
        take = answers.read_take(inner, attacker, self.lexicon, wide, tag.bracket == "[")
        if take is not None:
            self.claim("take", tag.start, tag.end, take)
            return True
        ending = other_tags.read_ending(inner, self.lexicon)
        if ending is not None:
            self.claim("ending", tag.start, tag.end, ending)
            return True
        return wide and len(inner) <= 200 and self._no_loss(tag, inner)

    def _no_loss(self, tag: Tag, inner: str) -> bool:
        """Take a tag that says that nothing is lost, or one amount alone, which may be all of a Loss Tag."""
        if losses.says_none(inner):
            self.claim("loss", tag.start, tag.end, LossTag(0, 0, 0))
            return True
        headed = losses.read_loss(inner) if losses.headed(inner) else None
        if headed is not None:
            self.claim("loss", tag.start, tag.end, headed)
            return True
        spare = losses.read_spare(inner)
        if spare is not None:
            quote = self.script.quote(tag.start, tag.end)
            self.spare.append(Claim("loss", quote, (tag.start, tag.end), values_of(spare), spare))
        return False

    def _joint(self, tag: Tag, inner: str) -> str | None:
        """A technique's tag and its damage tag in one: `Stone Fang - Cost: 10 CHK - Damage: 90`."""
        at = damages.JOINT.search(inner)
        if at is None:
            return ""
        ability = abilities.read_ability(inner[: at.start()], self.lexicon, tag, None)
        words = inner[at.end() :]
        damage = damages.read_damage(words.removesuffix(")") if "(" in inner[: at.end()] else words, self.lexicon)
        if not isinstance(ability, Ability) or ability.sort != "technique" or ability.reminder or damage is None:
            return ""
        both = damages.with_ability(damage, ability.name, ability.target)
        if both is None:
            return "damage"
        self.claim("damage", tag.start, tag.end, both)
        return None

    def anchors(self, tag: Tag) -> tuple[Anchor, ...]:
        """The links inside a tag, or right behind it (G8)."""
        return self.script.anchors_in(tag.start, tag.end) or self.script.anchors_after(tag.end)


def claims_in(script: Script, lexicon: Lexicon) -> list[Claim]:
    """What the brackets of a spoiler would say if they counted (G16), stats and Loss Tags aside."""
    inside = Reader(script, lexicon)
    for tag in tags(script):
        inside.tag(tag)
    return inside.claims


def _wide(tag: Tag) -> bool:
    """Whether a bracket may say it in other words than the specification's.

    A round bracket in a sentence is an aside: `He held out the cup (Ren took it) and waited.`
    """
    return tag.bracket == "[" or tag.alone


def _answers(text: str, lexicon: Lexicon, wide: bool) -> bool:
    return bool(answers.DODGE_LEAD.match(text) or answers.read_take(text, None, lexicon, wide))


def _setup(reader: Reader, tag: Tag, inner: str, attacker: str | None) -> object:
    """A Setup tag: an action on a thing, an ability, or nothing at all."""
    words = other_tags.setup_words(inner)
    if other_tags.no_setup(words):
        return Mark(tag.start, SETUP, other_tags.holds_nothing(words))
    return other_tags.read_setup(words) or abilities.read_ability(words, reader.lexicon, tag, attacker)


_Read = Callable[[Reader, Tag, str, "str | None"], object]


class Kind(NamedTuple):
    """A kind of tags by what they begin with: the claim's kind, and what is open if one can't be read.

    `prose(inner, lexicon, square)`: whether a text that begins so and can't be read is none of them.
    """

    pattern: re.Pattern[str]
    name: str
    trouble: str
    prose: Callable[[str, Lexicon, bool], bool] = lambda inner, lexicon, square: False


def _no_dodge(inner: str, lexicon: Lexicon, square: bool) -> bool:
    return not answers.like_dodge(inner)


_DODGE = Kind(answers.DODGE_LEAD, "dodge", "answer", _no_dodge)


def _bare_numbers(inner: str, lexicon: Lexicon, square: bool) -> bool:
    """Whether `(-1/-2/-3)` names no pool: without square brackets that is anything."""
    return not square and not any(map(str.isalpha, inner))


def _read_dodge(reader: Reader, tag: Tag, inner: str, attacker: str | None) -> object:
    return answers.read_dodge(inner, reader.lexicon, attacker, lambda: reader.anchors(tag))


def _read_guard(reader: Reader, tag: Tag, inner: str, attacker: str | None) -> object:
    return answers.read_guard(inner, reader.lexicon, lambda: reader.anchors(tag), tag.bracket == "[")


def _never(inner: str) -> bool:
    return False


#: Whether a text begins in other words than the specification's, which count for nothing in a sentence.
_LOOSE: dict[str, Callable[[str], bool]] = {
    "loss": losses.loose,
    "damage": lambda inner: damages.LEAD_EXACTLY.match(inner) is None,
    "over time": lambda inner: not inner.lstrip().lower().startswith("damage"),
}

#: With what a tag may begin that says that nothing is lost: `-0 / -0 / -0`, `HP/CHK/STM: no change`.
_SIGNS = frozenset("+-/")
#: How a Setup action begins.
_SET_UP = frozenset(("dr", "pu", "pi", "sh", "un", "st", "ta", "in"))

#: In the order of trying.
_KINDS: tuple[tuple[Kind, _Read], ...] = (
    (Kind(losses.LEAD, "loss", "loss", _bare_numbers), lambda r, t, inner, foe: losses.read_loss(inner)),
    (_DODGE, _read_dodge),
    (
        Kind(other_tags.OVER_TIME_LEAD, "over time", "reminder"),
        lambda r, t, inner, foe: other_tags.read_over_time(inner, r.lexicon),
    ),
    (
        Kind(damages.LEAD, "damage", "damage", damages.tells_of_damage),
        lambda r, t, inner, foe: damages.read_damage(inner, r.lexicon),
    ),
    (Kind(other_tags.SETUP_LEAD, "setup", "setup"), _setup),
    (Kind(other_tags.STATUS_LEAD, "status", "reminder"), lambda r, t, inner, foe: other_tags.read_status(inner)),
)
_GUARD = Kind(
    answers.GUARD_WITHIN,
    "guard",
    "guard",
    lambda inner, lexicon, square: not answers.like_guard(inner, lexicon, square),
)
_NAMED_DODGE = _DODGE._replace(pattern=answers.DODGE_WITHIN)
#: A number, and a word of rolling or dodging.
_DIGIT = re.compile(r"\d")
_LED = {kind.name.replace(" ", "_"): (kind, read) for kind, read in _KINDS}
#: All beginnings at once; the group that matched is the key in `_LED`.
_LEADS = re.compile(
    r"(?=\s*[hlctsden\d?+-])(?:"
    + "|".join(f"(?P<{name}>{kind.pattern.pattern})" for name, (kind, _) in _LED.items())
    + ")",
    re.IGNORECASE,
)
