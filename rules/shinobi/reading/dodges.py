"""Dodge tags in players' own order of words (NS1 to NS3): `Dodge 50%: 60, 12`, `Rolled 60 and 12; needed 51+`.

Read where every word of a tag is one of rolls and dodging, one number is the chance by what stands beside it, and all
others are rolls. Anything else stays unread.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.ports.reading import squeeze
from rules.shinobi.lexicon import POOL_WORDS, Lexicon

_LONGEST = 240
_MOST_TOKENS = 90
_TOKEN = re.compile(r"1?d100|\d{1,4}|[a-z]+|[%+/#@=>:(),;.|&!?-]|\S", re.IGNORECASE)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        """chance to hit hits hitting of cth dodge dodges dodged dodging roll rolls rolled rolling got get need
        needs needed over vs against
        at or more better higher above up and then a an the for first second third fourth last attack
        attacks punch punches kick kicks knee elbow is was are were have has had with me i he she they my his her their
        it percent block blocked blocks miss missed misses critical crit each enemy s result results response answer on
        versus must be d beat here link links""",
    )
)
#: Any of these, and a tag may be about dodging.
_ABOUT = frozenset(
    re.findall(r"\w+", "chance cth dodge dodges dodged dodging roll rolls rolled rolling attack attacks block")
)
_NUMBERED = frozenset(("roll", "attack", "punch", "kick", "hit", "dodge", "d"))
_COUNTED = frozenset(("attack", "attacks", "punch", "punches", "kick", "kicks", "hit", "hits", "knee", "elbow"))
_MORE = frozenset(("more", "better", "higher", "above", "up", "over"))
_OUTCOMES = {"dodge": "dodged", "block": "blocked", "hit": "hit", "crit": "critical", "miss": "dodged"}
_AMOUNTS = frozenset((*POOL_WORDS, "damage", "dmg"))
#: What may stand between the outcomes of a list.
_PLAIN = frozenset((*",;/|&=>-:().!", "and"))


class Rolled(NamedTuple):
    """What such a tag says: the chance (and a second reading of it), the rolls with their outcomes, whose attack."""

    chance: int
    also: int | None
    values: tuple[int, ...]
    outcomes: tuple[str | None, ...]
    attacker: str | None


def rolled_in_words(inner: str, lexicon: Lexicon, own: frozenset[str]) -> Rolled | None:
    """The rolls of a tag in any order of words; None where a word or number is of something else."""
    if len(inner) > _LONGEST or not any(map(str.isdecimal, inner)):
        return None
    text, named = _without_names(inner, lexicon)
    foes = [name for name in named if name not in own]
    tokens = [token.casefold() for token in _TOKEN.findall(text)]
    if len(foes) > 1 or len(tokens) > _MOST_TOKENS or _ABOUT.isdisjoint(tokens):
        return None
    if any(token.isalpha() and token not in _WORDS and token not in _AMOUNTS for token in tokens):
        return None
    chances: set[tuple[int, int | None]] = set()
    rolls: list[int] = []
    for place, token in enumerate(tokens):
        if not token.isdecimal():
            continue
        sort = _sort(tokens, place)
        if sort is None:
            return None
        if sort == "roll":
            rolls.append(place)
        elif sort != "other":
            chances.add(_chance(sort, int(token)))
    values = tuple(int(tokens[place]) for place in rolls)
    if len(chances) != 1 or not values or not all(0 < value <= 100 for value in values):
        return None
    ((chance, also),) = chances
    return Rolled(chance, also, values, _outcomes(tokens, rolls), foes[0] if foes else None)


def only_rolls(inner: str, lexicon: Lexicon) -> bool:
    """Whether a text says nothing but what was rolled, and not against which chance."""
    if len(inner) > _LONGEST or not any(map(str.isdecimal, inner)) or "%" in inner:
        return False
    tokens = [token.casefold() for token in _TOKEN.findall(_without_names(inner, lexicon)[0])]
    return not {"roll", "rolls", "rolled", "dodge", "dodged"}.isdisjoint(tokens) and all(
        not token.isalpha() or token in _WORDS for token in tokens
    )


def _without_names(inner: str, lexicon: Lexicon) -> tuple[str, list[str]]:
    """A text with a sign for each fighter's name in it, and those names."""
    found: list[str] = []
    text = inner
    for form in sorted(lexicon.names.forms, key=len, reverse=True):
        if form not in squeeze(text):
            continue
        pattern = re.compile(rf"(?<!\w){re.escape(form)}(?:'s?)?(?!\w)", re.IGNORECASE)
        text, times = pattern.subn(" @ ", text)
        name = lexicon.names.exact(form)
        if times and name is not None and name not in found:
            found.append(name)
    return text, found


def _sort(tokens: list[str], place: int) -> str | None:
    """What a number is, by its neighbours: chance, least, needed, roll or other; None where that is open."""
    before = tokens[place - 1] if place else ""
    behind = [*tokens[place + 1 : place + 3], "", ""]
    if behind[0] in ("%", "percent"):
        return "chance"
    if behind[0] in _AMOUNTS or before in ("#", "-") or (before == "+" and place):
        return "other" if behind[0] in _AMOUNTS or before == "#" else None
    if behind[0] == "/" or before == "/":
        return None if behind[1] == "100" or (before == "/" and tokens[place] == "100") else "roll"
    if behind[0] == "+" or (behind[0] in ("or", "and") and behind[1] in _MORE):
        return "least"
    if before in _NUMBERED and len(tokens[place]) == 1 and behind[0] in (":", "(", "=", "rolled"):
        return "other"
    if behind[0] in _COUNTED or before in ("for", "of", "by"):
        return None
    shown = tokens[place - 2] if before in (":", "=") and place > 1 else before
    if shown == "cth" or (shown == "chance" or (shown == "hit" and "chance" in tokens[max(0, place - 5) : place])):
        return "chance"
    near = [token for token in tokens[max(0, place - 4) : place] if token.isalpha()]
    if before in ("over", "above", "beat", "vs", "versus", "against"):
        return "chance"
    if {"need", "needs", "needed"} & set(near) and not {"roll", "rolled", "got"} & set(near[-1:]):
        return "needed"
    return "roll"


def _chance(sort: str, number: int) -> tuple[int, int | None]:
    """The chance that a number means; whether a number that is needed dodges itself is open."""
    if sort == "least":
        return number - 1, None
    return (number, number - 1) if sort == "needed" else (number, None)


def _outcomes(tokens: list[str], rolls: list[int]) -> tuple[str | None, ...]:
    """The outcome stated behind each roll, or behind all of them in their order; nothing where that is told."""
    bounds = [*rolls[1:], len(tokens)]
    parts = [tokens[start + 1 : end] for start, end in zip(rolls, bounds, strict=True)]
    said = [_said(part) for part in parts]
    if len(said) > 1 and len(said[-1]) == len(said) and not any(said[:-1]):
        plain = all(token in _PLAIN or _word(token) for token in parts[-1])
        return tuple(said[-1]) if plain else (None,) * len(rolls)
    if any(len(words) > 1 for words in said):
        return (None,) * len(rolls)
    return tuple(words[0] if words else None for words in said)


def _said(tokens: list[str]) -> list[str]:
    found = []
    for place, token in enumerate(tokens):
        word = _word(token)
        if word is not None and not (place and tokens[place - 1] in ("to", "chance", "by")):
            found.append(word)
    return found


def _word(token: str) -> str | None:
    return next((outcome for start, outcome in _OUTCOMES.items() if token.startswith(start)), None)
