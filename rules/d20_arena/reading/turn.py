"""Reading what a turn is going to be: announcement, stance, trap roll (ND1, ND14, ND23)."""

from __future__ import annotations

import re

from rules.d20_arena.reading.escapes import read_die
from rules.d20_arena.reading.heads import without_name
from rules.d20_arena.reading.links import Links
from rules.d20_arena.reading.stance import spelt_stance, stance_in
from rules.d20_arena.records import Announce, Move, TrapRoll
from rules.d20_arena.words import ON_SELF, Lexicon

_STRUGGLE = re.compile(r"[ \t]*+(?:struggl|escap|wriggl|break(?:s|ing)? free|try(?:ing)? to escape)", re.IGNORECASE)
_HELP = re.compile(r"[ \t]*+help(?:s|ing)?[ \t]+", re.IGNORECASE)
_ON = re.compile(
    r",?[ \t]+(?:on|at|against|vs\.?|to|for|--?>|=>|\u2192)[ \t]+"
    r"|[ \t]*+(?:--?>|=>|\u2192|[,;:][ ]?target:?|[,(>])[ \t]*+",
    re.IGNORECASE,
)
_FIRST_ON = re.compile(
    r",?[ \t]+(?:on|at|against|--?>|=>|\u2192)[ \t]+|[ \t]*+(?:--?>|=>|\u2192)[ \t]*+", re.IGNORECASE
)
#: `I use Volt Lash on Golem 1`.
_USING = re.compile(
    r"(?:(?:i|she|he|they|it|we)(?:'ll)?[ ])?(?:(?:will|shall)[ ])?"
    r"(?:us(?:e|es|ing)|casts?|casting|attack(?:s|ing)?[ ]with)[ ]",
    re.IGNORECASE,
)
#: `attack Golem 1 with Volt Lash`.
_ATTACK = re.compile(r"attack(?:s|ing)?[ ]+", re.IGNORECASE)
_WITH = re.compile(r"[ ]+(?:with|using)[ ]+", re.IGNORECASE)
#: An announcement with a condition is none that could be compared.
_EITHER = re.compile(r"\b(?:or|if|else|unless|otherwise|maybe|perhaps)\b", re.IGNORECASE)
_TRAP_WORDS = re.compile(
    r"\b(?:(?P<safe>safe|avoid\w{0,4}|dodged|clear|not[ ]sprung|nothing|unsprung|passe[sd]"
    r"|no[ ](?:trap|effect|damage))|"
    r"(?P<sprung>sprung|hit|caught|trapped|triggered))\b",
    re.I,
)
#: The name of an ability that no table has: words, not `???`.
_WORDS = re.compile(r"[^\W\d_][^\[\](){}\d:;=<>?\n]{0,39}\Z")


def read_announce(words: str, names: Lexicon) -> Announce | None:
    """`Arc Wave on Golem 1 and Golem 2`, `struggle against the bindings`, `help Hana ...`, `Focus` (ND1)."""
    actor, place = names.before_colon(words, 0, len(words)) or _subject(words, names) or (None, 0)
    words = words[place:]
    plain = words.lstrip()
    start, known = 0, names.ability(plain, 0, len(plain))
    # An ability may be called Struggling Vine or Helping Kick.
    if known is None and _STRUGGLE.match(words):
        return Announce("struggle", actor=actor)
    helped = _HELP.match(words) if known is None else None
    if helped:
        return _helped(words, helped.end(), names, actor)
    if known is None and (using := _USING.match(plain)) is not None:
        start, known = using.end(), names.ability(plain, using.end(), len(plain))
    if known is not None:
        return _announced(names, plain[start:known], plain[known:], actor)
    attack = _ATTACK.match(plain)
    if attack:
        return _attacked(plain, attack.end(), names, actor)
    split = _FIRST_ON.search(words)
    if split:
        start = _behind_comma(words, split.start(), names)
        return _announced(names, words[start : split.start()], words[split.start() :], actor)
    plain = words.strip(" .!")
    return Announce("ability", plain, actor=actor) if _WORDS.match(plain) and len(plain.split()) <= 4 else None


def _subject(words: str, names: Lexicon) -> tuple[str | None, int] | None:
    """The fighter of `Vesna uses Volt Lash`, `Vesna struggles`, `Vesna helps Hana`, and the place behind."""
    named = next(names.fighter_forms.at(words, 0), None)
    if named is None:
        return None
    if _STRUGGLE.match(words, named[1]) or _HELP.match(words, named[1]):
        return names.fighters.find(named[0]), named[1]
    return names.leading(words, 0, len(words))


def _behind_comma(words: str, end: int, names: Lexicon) -> int:
    """Where the ability begins: behind the last comma, if a known one stands there: `standing still, Mend on ...`."""
    start = words.rfind(",", 0, end) + 1
    return start if start and names.abilities.find(words[start:end]) is not None else 0


def _helped(words: str, place: int, names: Lexicon, actor: str | None) -> Announce | None:
    target = names.targets(words, place, len(words))
    found = names.named(target[0]) if target else None
    return Announce("help", targets=found, actor=actor) if found else None


def _attacked(words: str, place: int, names: Lexicon, actor: str | None) -> Announce | None:
    """`attack Golem 1 with Volt Lash`."""
    target = names.targets(words, place, len(words))
    found = names.named(target[0]) if target else None
    joined = _WITH.match(words, target[1]) if target else None
    known = names.ability(words, joined.end(), len(words)) if joined else None
    if not found or joined is None or known is None or _EITHER.search(words):
        return None
    return Announce("ability", names.ability_name(words[joined.end() : known]), found, actor)


def _announced(names: Lexicon, ability: str, rest: str, actor: str | None) -> Announce | None:
    name = names.ability_name(ability)
    if names.abilities.find(name) is None and not _WORDS.match(name):
        return None
    own = ON_SELF.match(rest)
    rest = rest[own.end() :] if own else rest
    split = _ON.match(rest)
    if split is None:
        return Announce("ability", name, actor=actor) if not rest.strip(" .!") else None
    target = names.targets(rest, split.end(), len(rest))
    found = names.named(target[0]) if target else None
    if target is None or not found or _another(rest, target[1], names):
        return None
    return Announce("ability", name, found, actor)


def _another(rest: str, place: int, names: Lexicon) -> bool:
    """Whether a condition behind the target names another target or ability: `or Golem 2`; not `or die trying`."""
    either = _EITHER.search(rest, place)
    if either is None:
        return False
    words = rest[either.start() :]
    return bool(names.fighters_within(words) or names.abilities_within(words))


def read_move(words: str, names: Lexicon, exact: bool) -> Move | None:
    """`standing still`, `keeps moving`; None where no stance, or more than one, is said.

    In another spelling than the notation's only what says nothing else.
    """
    stance = stance_in(words) if exact else spelt_stance(without_name(words, names))
    return Move(stance) if stance else None


def read_trap(
    text: str, place: int, end: int, links: Links, names: Lexicon, actor: str | None = None
) -> TrapRoll | None:
    """`1d20 = 7, sprung`, `Hana: 1d20 = 7`; `actor` whom its head names."""
    if actor is None:
        actor, place = names.leading(text, place, end) or (None, place)
    found = read_die(text, place, end, links)
    if found is None:
        return None
    said = _TRAP_WORDS.search(text, found[1], end)
    return TrapRoll(found[0], None if said is None else bool(said["sprung"]), actor)
