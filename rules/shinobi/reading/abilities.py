"""Techniques, skills and items in tags: name, cost, healing, upkeep, reminders (NS4, NS8, NS33, NS34, NS36, X3)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from referee.ports.reading import Tag, squeeze
from rules.shinobi.lexicon import POOL, POOL_WORDS, Lexicon
from rules.shinobi.model import Ability, Amounts, OverTime

_SORTS = r"(?:technique|jutsu|skill|bloodline|ability|ninjutsu|taijutsu|genjutsu|item)"
_USED = re.compile(
    rf"\s*(?=[ucapmksbtjgni])(?P<verb>used|uses|using|use|activates?|activated|activating|casts?|performs?|maintains?|keeps?|sustains?"
    rf"|{_SORTS}(?:\s+(?:used|active|activated))?(?=\s*:))\b"
    rf"\s*:?\s*(?:{_SORTS}\s*:\s*)?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
#: A use whose name can't be one: it begins like a tag and is none that could be read (G19).
USE_LEAD = re.compile(r"\s*(?:used|uses|activates)\s+[^\n]{0,80}[?\d=<>*]", re.IGNORECASE)
_ARTICLE = re.compile(rf"(?:(?:an?|the|(?:his|her|their|my)(?:\s+last)?|its|1|one)\s+)?(?:{_SORTS}\s+)?", re.IGNORECASE)
_AMOUNT = re.compile(
    rf"\s*(?:of\s+)?(?P<sign>[+-])?\s*(?P<number>\d{{1,6}})\s*(?P<pool>{POOL})\b\s*[.!]?\s*", re.IGNORECASE
)
_TURNED = re.compile(
    rf"\s*(?P<pool>{POOL})\s*[:=]?\s*(?P<sign>[+-])?\s*(?P<number>\d{{1,6}})\s*[.!]?\s*", re.IGNORECASE
)
_PIECE = re.compile(r"\s*(?P<kind>costs?|heals?|healing|upkeep)\b\s*[:=]?\s*(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_UPKEEP_LAST = re.compile(rf"\s*(?P<amount>\d{{1,6}}\s*{POOL})\s+upkeep\s*", re.IGNORECASE)
_BARE_UPKEEP = re.compile(r"\s*(?:upkeep(?:\s+paid)?|(?:still\s+)?(?:active|running)|reminder)\s*", re.IGNORECASE)
_NO_POOL = re.compile(r"\s*(?:costs?|heals?|upkeep)\s*:?\s*(?:of\s+)?\d{1,6}\s*", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:de-?activat\w{1,3}|ends?|stops?|releases?|cancels?)\s", re.IGNORECASE)
#: What a use may say besides, which changes nothing: how long, how wide, against what.
_BESIDE = re.compile(
    r"\s*(?:(?:for\s+|lasts\s+)?\d{1,3}(?:/\d{1,3})?\s*turns?(?:\s+left)?|block\s+range\s*[:=]?\s*(?:of\s+)?\d{1,3}|negat\w{0,5}\b[^\n\d]{0,60}"
    r"|counters?\b[^\n\d]{0,60}|on\s+(?:him|her|it|my|them)sel(?:f|ves)|technique|jutsu|main\s+phase\s+skipped|free|no\s+cost)\s*[.!]?\s*",
    re.IGNORECASE,
)
_USUAL = re.compile(rf";\s?(?P<kind>cost|heals|upkeep):?\s?(?P<number>\d{{1,6}})\s?(?P<pool>{POOL})\s?", re.IGNORECASE)
_SPLIT = re.compile(r"[;,|()\[\]{}&]|\s-+\s|\band\b|\s\+(?=\s)")
#: How a tag goes on behind a name and a full stop: `Stone Fang! Cost: 10 CHK`, `Stone Fang. 10 CHK`.
_GOES_ON = re.compile(
    rf"[.!]{{0,3}}\s?(?:{_SPLIT.pattern}|costs?\b|heals?\b|upkeep\b|\d{{1,6}}\s?{POOL}\b)", re.IGNORECASE
)
_STATE = re.compile(
    r"\s*(?P<word>activated|activates|activation|on(?=\s*[.!]?\s*$)|active|still\s+active|still\s+running|upkeep)\b\s*",
    re.IGNORECASE,
)
_FOR_TURNS = re.compile(r"\s*for\s+\d{1,3}\s+turns?\b\s*", re.IGNORECASE)
_UPKEEP_OF = re.compile(
    rf"\s*upkeep\s*:?\s*(?:(?:for|of)\s+)?(?P<name>[^\n\d,;:()]{{0,90}}?)\s*[,;:(-]?\s*(?P<amount>\d{{1,6}}\s*{POOL})\s*\)?\s*",
    re.IGNORECASE,
)
_GLOSS = re.compile(r"[^\d%=<>?*]{1,60}")
_SMALL = frozenset(["no", "of", "the", "a", "an", "and", "to", "in", "on", "with", "at", "for", "by", "aside", "from"])
_NAME_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{0,30}")
_NOT_NAMES = frozenset(
    ["phase", "tag", "loss", "turn", "round", "ooc", "edit", "note", "rank", "stats", "battle", "over"]
)
_NOTHING = frozenset(["none", "nothing", "no"])
#: Two to four words, none of a remark such as `(used up all luck)`.
_SHORT = re.compile(r"(?!(?:up|to|it|th(?:is|at|e)|all|every|only|just|for|in|on|by|as|my|his|her)\s)\S+(?:\s\S+){1,3}")
_ALSO = re.compile(r",|\+|&|\band\b")
_REMINDS = ("maintain", "keep", "sustain")
#: Verbs behind which any words are taken for a name; behind others it must look like one.
_PLAIN_VERBS = ("used", "uses", "using", "activat", "item")


@dataclass(slots=True)
class _Said:
    """What the pieces of a tag say, by kind; `bare`: amounts without a word; `last`: of the kind said last."""

    cost: dict[str, int] = field(default_factory=dict)
    heal: dict[str, int] = field(default_factory=dict)
    upkeep: dict[str, int] = field(default_factory=dict)
    bare: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] | None = None
    reminds: bool = False
    activates: bool = False


def read_ability(
    inner: str, lexicon: Lexicon, tag: Tag, attacker: str | None, wide: bool = True
) -> Ability | OverTime | None:
    """A technique, skill or item tag (NS4, NS8, NS36, X3), or a reminder of its ticks; None for anything else.

    `wide`: in other words too; without it only in the specification's.
    """
    used = _USED.fullmatch(inner.strip())
    verb = squeeze(used["verb"]) if used else ""
    text = used["rest"] if used else inner.strip()
    if not text:
        return None
    named = _known_at(text, lexicon, article=bool(used))
    if named is not None and not wide:
        return _exactly(inner, lexicon, attacker)
    if named is not None:
        found: Ability | OverTime | None = lexicon.once(
            (inner, attacker, tag.bracket), lambda: _known(text, named, verb, lexicon, attacker, tag.bracket)
        )
        return found
    if not used and ";" not in text and not text[0].isupper():
        return None  # Most brackets in prose end here.
    return _unknown(inner, verb, text, lexicon, tag, attacker)


def _known_at(text: str, lexicon: Lexicon, article: bool) -> tuple[tuple[str, str], int] | None:
    """The ability of the tables with whose name a text begins, behind an article or `his` too."""
    found = lexicon.ability_at(text, 0)
    if found is None and article:
        behind = _ARTICLE.match(text)
        found = lexicon.ability_at(text, behind.end()) if behind is not None else None
    return found


def _known(
    text: str, named: tuple[tuple[str, str], int], verb: str, lexicon: Lexicon, attacker: str | None, bracket: str
) -> Ability | OverTime | None:
    """A tag that names an ability of the tables; None where something else in it can't be read."""
    (name, sort), place = named
    if (
        place == len(text)
        and not verb.startswith(("activat", *_REMINDS))
        and not verb.endswith(("active", "activated"))
    ):
        return Ability(name=name, sort=sort, attacker=attacker, acts=_acts(verb))
    usual = _USUAL.fullmatch(text, place)
    if usual is not None and sort != "item":
        return _usual(name, sort, verb, usual, attacker)
    aimed = lexicon.aim(text[place:], loose=True)
    target, end = (aimed[0], place + aimed[1]) if aimed is not None else (None, len(text))
    if aimed is None and ";" in text[place:]:
        head, _, rest = text[place:].partition(";")
        early = lexicon.aim(head, loose=True)
        if early is not None:
            target, text = early[0], f"{text[:place]}{head[: early[1]]};{rest}"
            end = len(text)
    said = _pieces(text[place:end], name, lexicon, bracket)
    if said is None:
        return None
    if said.bare and not _placed(said, sort):
        return OverTime(said.bare, name.casefold()) if name in lexicon.dots and set(said.bare) == {"hp"} else None
    reminds = said.reminds or verb.startswith(_REMINDS) or verb.endswith(" active") or (bool(said.upkeep) and not verb)
    activates = verb.startswith("activat") or verb.endswith("activated") or said.activates
    return Ability(
        name=name,
        sort=sort,
        target=target,
        attacker=attacker,
        cost=said.cost,
        heal=said.heal,
        upkeep=said.upkeep,
        activates=activates,
        reminder=reminds and not activates,
        acts=_acts(verb),
    )


def _acts(verb: str) -> bool:
    return verb.startswith(("us", "cast", "perform"))


def _exactly(inner: str, lexicon: Lexicon, attacker: str | None) -> Ability | None:
    """A known ability in the specification's words alone (NS4, NS8, NS36), as it may stand in a sentence."""
    whole, target = _without_aim(inner.strip(), lexicon)
    used = _USED.fullmatch(whole)
    verb = squeeze(used["verb"]) if used else ""
    name, pieces = _name_and_pieces(used["rest"] if used else whole)
    behind = _ARTICLE.match(name) if verb.startswith(("uses", "item")) else None
    known = lexicon.ability(name) or (lexicon.ability(name[behind.end() :]) if behind else None)
    numbers = _numbers(pieces)
    loose = verb and not pieces and not verb.startswith(("used", "uses", "item"))
    if known is None or numbers is None or loose or squeeze(name) in lexicon.shorts:
        return None  # `(activates Glass Eye)` goes on like a sentence.
    return _built(known, verb, numbers, target, attacker)


def _without_aim(whole: str, lexicon: Lexicon) -> tuple[str, str | None]:
    """A tag without the words that name its target, and the target."""
    aimed, rest = lexicon.aim(whole), ""
    if aimed is None and ";" in whole:
        head, _, rest = whole.partition(";")
        aimed = lexicon.aim(head)
    if aimed is None:
        return whole, None
    target, place = aimed
    return whole[:place].rstrip(" ,;") + (f";{rest}" if rest else ""), target


def _usual(name: str, sort: str, verb: str, found: re.Match[str], attacker: str | None) -> Ability:
    """`X; Cost: 10 CHK`, `Activates X; upkeep 4 CHK`: the usual form of a tag with one amount."""
    amount = {POOL_WORDS[squeeze(found["pool"])]: int(found["number"])}
    kind = found["kind"].lower()
    activates = verb.startswith("activat") or verb.endswith("activated")
    reminds = verb.startswith(_REMINDS) or verb.endswith(" active") or (kind == "upkeep" and not verb)
    return Ability(
        name=name,
        sort=sort,
        attacker=attacker,
        cost=amount if kind == "cost" else {},
        heal=amount if kind == "heals" else {},
        upkeep=amount if kind == "upkeep" else {},
        activates=activates,
        reminder=reminds and not activates,
        acts=_acts(verb),
    )


def _placed(said: _Said, sort: str) -> bool:
    """Put amounts without a word where they belong: chakra and stamina are costs, an item's are gains."""
    if sort == "item":
        said.heal.update(said.bare)
    elif "hp" in said.bare:
        return False
    else:
        said.cost.update(said.bare)
    said.bare = {}
    return True


def _pieces(rest: str, name: str, lexicon: Lexicon, bracket: str) -> _Said | None:
    """What stands behind an ability's name; None where some of it can't be read, as plain words can't."""
    said = _Said()
    if bracket != "[" and _FOR_TURNS.match(rest):
        return None
    state = _STATE.match(rest) or _FOR_TURNS.match(rest)
    if state is not None:
        word = squeeze(state.group())
        said.activates = word.startswith("activat") or word == "on"
        said.reminds = not said.activates and not word.startswith("for")
        rest = f";upkeep {rest[state.end() :].lstrip(' :')}" if word == "upkeep" else f";{rest[state.end() :]}"
    beside = _BESIDE.match(rest)
    rest = rest[beside.end() :] if beside is not None else rest
    plain = "" if _AMOUNT.fullmatch(rest) else rest.strip()
    if plain.strip(".! ") and plain[0] != ":" and not (_SPLIT.match(rest) or _GOES_ON.match(plain)):
        return None  # `Stone Fang! Stone Fang!` is a shout.
    in_brackets = False
    place = 0
    for sign in [*_SPLIT.finditer(rest), None]:
        piece = rest[place : sign.start() if sign else len(rest)]
        if not _take(said, piece, in_brackets and bracket == "[", name, lexicon):
            return None
        if sign is not None:
            mark = sign.group().strip()
            said.last = said.last if mark in (",", "&", "and", "+") else None
            in_brackets = mark in ("(", "[", "{") or (in_brackets and mark in (",", "&", "and"))
            place = sign.end()
    return said


def _take(said: _Said, piece: str, in_brackets: bool, name: str, lexicon: Lexicon) -> bool:
    """Add one piece behind a name to what is said; whether it could be read."""
    text = piece.strip(" .!:")
    if not text:
        return True
    worded = _PIECE.fullmatch(text)
    kind = squeeze(worded["kind"]) if worded is not None else ""
    amount = _amount(worded["rest"] if worded is not None else text)
    if amount is None:
        return _noted(said, text) or (in_brackets and _GLOSS.fullmatch(text) is not None) or _is(text, name, lexicon)
    if kind:
        said.last = said.cost if kind.startswith("cost") else said.upkeep if kind == "upkeep" else said.heal
    into = said.last if said.last is not None else said.heal if text[0] == "+" else said.bare
    into[amount[0]] = amount[1]
    return True


def _is(text: str, name: str, lexicon: Lexicon) -> bool:
    """Whether a piece is another name of the same ability."""
    known = lexicon.ability(text)
    return known is not None and known[0] == name


def _noted(said: _Said, text: str) -> bool:
    """Take a piece without an amount of a pool, such as `upkeep`, `2 turns`, `Cost: 10`; whether it is one."""
    last = _UPKEEP_LAST.fullmatch(text)
    amount = _amount(last["amount"]) if last is not None else None
    if amount is not None:
        said.upkeep[amount[0]] = amount[1]
    elif _BARE_UPKEEP.fullmatch(text):
        said.reminds = True
    elif _NO_POOL.fullmatch(text):
        said.reminds = said.reminds or "upkeep" in text.casefold()
    else:
        return _BESIDE.fullmatch(text) is not None
    return True


def _amount(text: str) -> tuple[str, int] | None:
    found = _AMOUNT.fullmatch(text) or _TURNED.fullmatch(text)
    return None if found is None else (POOL_WORDS[squeeze(found["pool"])], int(found["number"]))


def read_upkeep(inner: str, lexicon: Lexicon) -> Ability | OverTime | None:
    """`Upkeep: Glass Eye, 4 CHK`, `Upkeep 4 CHK`: reminders (NS8)."""
    found = _UPKEEP_OF.fullmatch(inner)
    amount = _amount(found["amount"]) if found is not None else None
    if found is None or amount is None:
        return None
    name = found["name"].strip(" -")
    known = lexicon.ability(name)
    if known is not None:
        return Ability(known[0], known[1], upkeep={amount[0]: amount[1]}, reminder=True)
    return OverTime({amount[0]: amount[1]}, None) if not name else None


def _unknown(inner: str, verb: str, text: str, lexicon: Lexicon, tag: Tag, attacker: str | None) -> Ability | None:
    """A tag that names an ability which no table has: its numbers count as written (X2)."""
    whole, target = _without_aim(inner.strip(), lexicon)
    if target is not None:
        used = _USED.fullmatch(whole)
        text = used["rest"] if used else whole
    name, pieces = _name_and_pieces(text)
    if _ENDS.match(inner) and lexicon.abilities_in(inner):
        return None
    if (
        name.casefold() in _NOTHING
        or lexicon.names.exact(name) is not None
        or (verb == "used" and name.startswith("to ") and not name[3:4].isupper())
    ):
        return None
    numbers = _numbers(pieces)
    short = verb == "used" and tag.alone and _SHORT.fullmatch(name) is not None
    written = verb.startswith(_PLAIN_VERBS) and (tag.bracket == "[" or short)
    if numbers is None or not _looks_named(name, lexicon, written, tag, pieces, target):
        return None
    sort = "item" if verb.startswith("item") else "unknown"
    return _built((" ".join(name.split()), sort), verb, numbers, target, attacker)


def _built(
    named: tuple[str, str], verb: str, numbers: dict[str, Amounts], target: str | None, attacker: str | None
) -> Ability:
    upkeep = numbers.get("upkeep", {})
    return Ability(
        name=named[0],
        sort=named[1],
        target=target,
        attacker=attacker,
        cost=numbers.get("cost", {}),
        heal=numbers.get("heal", {}),
        upkeep=upkeep,
        activates=verb.startswith("activat"),
        reminder=bool(upkeep) and not verb,
        acts=_acts(verb),
    )


def _name_and_pieces(text: str) -> tuple[str, list[str]]:
    """The name and the pieces behind it: `; Cost: 10 CHK`, `; heals 12 HP`, `: +12 CHK`."""
    first, *pieces = text.split(";")
    name, colon, rest = first.partition(":")
    if colon and rest.lstrip()[:1] == "+" and _AMOUNT.fullmatch(rest):
        return name.strip(), [f"heals {rest}", *pieces]
    head, comma, rest = first.partition(",")
    if comma and _PIECE.fullmatch(rest):
        return head.strip(), [rest, *pieces]
    return first.strip(), pieces


def _numbers(pieces: list[str]) -> dict[str, Amounts] | None:
    """The numbers of the pieces by kind; None where a piece can't be read."""
    out: dict[str, Amounts] = {}
    for piece in pieces:
        if not piece.strip():
            continue
        found = _PIECE.fullmatch(piece)
        if found is None:
            return None
        amounts: dict[str, int] = {}
        for item in _ALSO.split(found["rest"], maxsplit=6):
            if not item.strip():
                continue
            amount = _amount(item.rstrip(" ."))
            if amount is None:
                return None
            amounts[amount[0]] = amount[1]
        kind = squeeze(found["kind"])
        out["cost" if kind.startswith("cost") else "upkeep" if kind == "upkeep" else "heal"] = amounts
    return out


def _looks_named(name: str, lexicon: Lexicon, used: bool, tag: Tag, pieces: list[str], target: str | None) -> bool:
    """Whether an unknown name in a bracket is an ability's (X3), and not prose or somebody's name."""
    words = name.partition("(")[0].split()
    if not 0 < len(words) <= 6:
        return False
    if not used and not any(piece.strip() for piece in pieces):
        titled = words[0][0].isupper() and all(word[0].isupper() or word in _SMALL for word in words)
        if not titled or not (target is not None or tag.alone):
            return False
    if not all(_NAME_WORD.fullmatch(word) for word in words):
        return False
    if any(sign.isdecimal() or sign == ":" for sign in name):
        return False
    if squeeze(name) in lexicon.forms or any(squeeze(word) in _NOT_NAMES for word in words):
        return False
    return not lexicon.weapon(name) and not lexicon.basic(name)
