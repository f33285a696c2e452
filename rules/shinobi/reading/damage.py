"""Damage tags: every form of NS6 and the long form of S26, decided by grammar and not by character."""

from __future__ import annotations

import re
from dataclasses import replace

from referee.ports.reading import squeeze
from rules.shinobi.lexicon import POOL, Lexicon
from rules.shinobi.model import Bonus, Damage, Part
from rules.shinobi.reading.damage_words import in_words
from rules.shinobi.reading.other_tags import holds_nothing

#: The specification's own words at its beginning, which count in a sentence too.
LEAD_EXACTLY = re.compile(
    r"\s*(?:damage\s*:|\d{1,6}\s+damage\b|\d{1,6}\s*\([^()\n]{0,60}\bdamage\)|damage\s+[\d?]|\?{1,9}\s*damage\b)",
    re.IGNORECASE,
)
_NUMBER = r"\d{1,3}(?:,\d{3}(?!\d))+|\d{1,9}"
_WHAT = r"[A-Za-z][A-Za-z'. -]{0,59}?"
_NAMED = r"[^\n:;()\d]{1,90}?"
_HEAD = re.compile(
    rf"\s*(?:total\s+)?(?:damages?|dmg)(?:\s+(?:to|on|at|vs\.?|against)\s+(?P<a>{_NAMED})|\s*(?:->|=>|\u2192)\s*(?P<b>{_NAMED})"
    rf"|\s*\(\s*(?:->|\u2192)?\s*(?P<c>{_NAMED})\s*\))?\s*(?:[:=]|-(?!>)|(?<=[eg])\s(?=\s*\d))\s*",
    re.IGNORECASE,
)
#: What makes a bracket a damage tag, readable or not (G19).
LEAD = re.compile(
    r"\s*(?:(?:total\s+)?(?:damages?|dmg)(?:\s*[:=]|\s*\(\s*[\d?]|\s*-\s*[\d?]|\s+[\d?]|\s*(?:->|=>|\u2192)|\s+(?:to|on|at|vs\.?|against)\s+[^\n:]{1,90}?:?\s*[\d?]"
    r"|\s*\([^()\n]{1,60}\)\s*:)|\d{1,6}\s+(?:damage|dmg)\b(?!\s+(?:report|control|is|was|of)\b)|\d{1,6}\s*\([^()\n]{0,60}\b(?:damage\)|base\)\s*[+-])"
    r"|\d{1,3}\s*x?\s+[A-Za-z][A-Za-z ]{0,29},\s*\d{1,6}\s+damage\b|\?{1,9}\s*damage\b|deals?\s+[\d?]{1,6}\s+damage\b)",
    re.IGNORECASE,
)
#: No attack has more hits, and hardly a hit as little damage: which number is which is open then.
_FEW = 10
#: As many may be meant where a sum gives the amount, or a word stands between both numbers.
_MANY = 20
#: What hits, in brackets behind the word: `Damage (kick): 8 + 3 = 11 each, x2`.
_MADE_WITH = re.compile(r"\s*(?:damage|dmg)\s*\(\s*(?P<what>[A-Za-z][A-Za-z' -]{0,59}?)\s*\)\s*[:=]\s*", re.IGNORECASE)
_SPACED = re.compile(r"\d{1,2}\s*[x*]\s\d", re.IGNORECASE)
_LABEL = r"(?:\s*\([^()\n]{1,40}\)|\s+[A-Za-z][A-Za-z ]{0,29}?)?"
_HITS = r"(?:\s*,?\s*\(?\s*[x*]\s?(?P<hits>\d{1,4})\s*\)?)?"
_END = rf"(?:\s*=\s*(?P<total>{_NUMBER}))?(?:\s*\((?P<what>(?!x\s?\d)[^()\n]{{1,60}})\))?\s*\.?\s*"
#: The usual items of a list; the others are tried where these do not fit.
_USUAL = (
    re.compile(
        rf"(?P<base>{_NUMBER})(?P<terms>\s*[+-]\s*(?:{_NUMBER}))\s*=\s*(?P<amount>{_NUMBER})"
        rf"(?:\s*,?\s*per\s+(?P<per>{_WHAT}))?(?:\s*,?\s*x\s?(?P<hits>\d{{1,4}}))?(?:\s*\((?P<what>(?!x\s?\d)[A-Za-z][^()\n]{{0,59}})\))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<amount>{_NUMBER})(?:\s*-\s*(?P<name>{_WHAT})|\s+per\s+(?P<per>{_WHAT}))?(?:\s*,?\s*x\s?(?P<hits>\d{{1,4}}))?"
        r"(?:\s*\((?P<what>(?!x\s?\d)[A-Za-z][^()\n]{0,59})\))?",
        re.IGNORECASE,
    ),
)
_SUM = re.compile(
    rf"(?P<base>{_NUMBER})(?P<label>{_LABEL})(?P<terms>(?:\s*[+-]\s*(?:{_NUMBER}){_LABEL}){{1,5}})\s*=\s*(?P<amount>-?(?:{_NUMBER}))"
    rf"(?:\s+damage)?(?:\s+each(?!\s+[a-z]))?(?:\s*,?\s*(?:per|each)\s+(?P<per>{_WHAT})|\s*-\s*(?P<name>{_WHAT}))?{_HITS}{_END}",
    re.IGNORECASE,
)
_TERM = re.compile(rf"(?P<sign>[+-])\s*(?P<value>{_NUMBER})(?P<label>{_LABEL})(?=\s*(?:[+-]|$))", re.IGNORECASE)
_PLAIN = re.compile(
    rf"(?P<amount>{_NUMBER})(?:\s*(?P<unit>HP\b|damage\b|dmg\b))?(?:\s+each)?"
    rf"(?:\s*-\s*(?:(?P<times>\d{{1,3}})\s?x\s*|x\s?(?P<x>\d{{1,3}})\s+)?(?P<name>{_WHAT})|\s+per\s+(?P<per>{_WHAT}))?"
    rf"(?:\s*\((?P<early>[A-Za-z][^()\n]{{0,59}})\)(?=\s*,?\s*[x*]\s?\d))?{_HITS}(?:\s*-\s*(?P<late>{_WHAT}))?{_END}",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?P<hits>\d{{1,3}})\s*x?\s+(?P<name>{_WHAT})\s*[,:;-]\s*(?P<amount>{_NUMBER})\s*(?:damage\s+)?(?:each|per\s+hit)\s*\.?\s*",
    re.IGNORECASE,
)
_LONG_HEAD = re.compile(rf"(?P<base>{_NUMBER})\s*\((?P<what>[^()\n]{{1,60}}?)\s+base(?:\s+damage)?\)\s*", re.IGNORECASE)
_LONG_TERM = re.compile(
    rf"(?P<sign>[+-])\s*(?P<value>{_NUMBER})\s*\((?P<stat>[A-Za-z][A-Za-z ]{{0,39}}?)(?:\s+(?:bonus|modifier))?\)\s*",
    re.IGNORECASE,
)
_LONG_END = re.compile(
    rf"=\s*(?P<amount>-?(?:{_NUMBER}))(?:\s+damage)?(?:\s+per\s+{_WHAT})?(?:\s*,?\s*x\s?(?P<hits>\d{{1,4}}))?"
    r"(?:\s*\([^()\n]{1,60}\))?\s*[.!]?",
    re.IGNORECASE,
)
#: A cost at the end of a damage tag: what it costs is the tables' matter.
_COST = re.compile(
    rf"[;,|(-]\s*(?:costs?\s*[:=]?\s*-?\s*\d{{1,6}}\s*(?:{POOL}\b)?|(?:{POOL})\s*[:=]?\s*-\s*\d{{1,6}}|\d{{1,6}}\s*(?:chk|chakra|stm|stamina)\b)\s*\)?\s*$",
    re.IGNORECASE,
)
_COST_WORD = re.compile(r"cost|st[am]|ch[ak]|hp", re.IGNORECASE)
#: Two items without a comma between them: `13 - punch and 13 - kick`.
_AND = re.compile(r"(?<=[a-z])\s{1,9}(?:and|\+)\s{1,9}(?=\d{1,6}\s{0,9}-\s{0,9}[a-z])", re.IGNORECASE)
#: Where a technique's tag goes on as a damage tag: `Stone Fang - Cost: 10 CHK - Damage: 90`.
JOINT = re.compile(r"[;,|(:-]\s*(?=(?:damage|dmg)\s*:)", re.IGNORECASE)
_TO = re.compile(r"\s*(?:total\s+)?(?:damages?|dmg)\s+(?:to|on|at|vs\.?|against)\s", re.IGNORECASE)
#: The same with an amount behind somebody whom nobody knows: `Damage to Kaitoo: 8 - punch`.
_TO_AMOUNT = re.compile(
    r"[^\n:=]{1,100}[:=]\s*(?:\?|\d{1,6}\s*(?:$|[-+x*(,;=.]|per\b|each\b|damage\b|hp\b))", re.IGNORECASE
)
#: Words that say which punch or kick it was, and no other attack.
_WHICH = frozenset(
    [
        "left",
        "right",
        "first",
        "second",
        "third",
        "another",
        "quick",
        "straight",
        "low",
        "high",
        "one",
        "two",
        "three",
        "double",
        "final",
    ]
)
_ATTACK = re.compile(r"attack\s*[:-]\s*", re.IGNORECASE)
_DEALS = re.compile(r"deals?\s+", re.IGNORECASE)
_NAMED_HEAD = re.compile(
    r"\s*(?:(?P<what>[a-z][a-z' -]{0,59}?)\s+)?(?:damage|dmg)\s?"
    r"(?P<if>(?:dealt|done|if\s+(?:it\s+|they\s+)?hits?|on\s+hit|tag|taken\s+if\s+hit))?"
    r"\s*[:=-]\s*(?P<rest>\d[^\n]{0,160})",
    re.IGNORECASE,
)
_PLAIN_HEADS = frozenset(["attack", "potential", "possible", "basic attack", "my", "his", "her"])
_PIECES = re.compile(r"\s?(?:,|\+|&|/|\band\b|\s-)\s?")
_MOST_HITS = 200


def read_damage(inner: str, lexicon: Lexicon) -> Damage | None:
    """The damage tag in a bracket, or None where it can't be read without guessing."""
    found: Damage | None = lexicon.once(inner, lambda: _plainly(inner, lexicon) or _read(inner, lexicon))
    return found


def _plainly(inner: str, lexicon: Lexicon) -> Damage | None:
    """A tag with a name of the tables that holds signs or digits, read with plain words in its place."""
    text, names = lexicon.odd_names.plain(inner)
    damage = _read(text, lexicon) if names else None
    if damage is None:
        return None
    parts = [replace(part, what=names.get(part.what or "", part.what)) for part in damage.parts]
    return replace(damage, parts=tuple(parts))


def _read(inner: str, lexicon: Lexicon) -> Damage | None:
    text, target = inner.strip(), None
    cost = _COST.search(text) if _COST_WORD.search(text) is not None else None
    text = text[: cost.start()].rstrip() if cost is not None else text
    aimed = lexicon.aim(text, loose=True)
    if aimed is not None:
        target, place = aimed
        text = text[:place].rstrip(" ,;")
    if text[:4].casefold() == "deal":
        text = _DEALS.sub("", text)
    made = _MADE_WITH.match(text)
    if made is not None and _is_known(squeeze(made["what"]), lexicon):
        said = _read(f"Damage: {text[made.end() :]}", lexicon)
        found = with_ability(said, squeeze(made["what"]), target) if said is not None else None
        return found if found is None or said is None or said.target in (None, found.target) else None
    head = _HEAD.match(text)
    if head is not None:
        named = head["a"] or head["b"] or head["c"]
        at = lexicon.names.exact(named) if named else None
        if named and (at is None or target not in (None, at)):
            return None
        target = target or at
        text = text[head.end() :]
    if " and " in text or "+" in text:
        text = _AND.sub(", ", text)
    return (
        _listed(text, target, lexicon, _USUAL)
        or _long(text, target)
        or _counted(text, target)
        or _listed(text, target, lexicon, (_SUM, _PLAIN))
        or _worded(text, target, lexicon)
    )


def _worded(text: str, target: str | None, lexicon: Lexicon) -> Damage | None:
    """Items in another order of words, or with their whole working."""
    parts = in_words(text, lexicon)
    return Damage(parts, target) if parts else None


def read_worded(inner: str, lexicon: Lexicon) -> Damage | None:
    """A tag that begins with no word for damage: `13 x2 punch`, `Attack: 2 punches, 13 each`, `Stone Fang 80 dmg`."""
    text, target = _ATTACK.sub("", inner.strip()), None
    aimed = lexicon.aim(text, loose=True)
    if aimed is not None:
        target, text = aimed[0], text[: aimed[1]].rstrip(" ,;")
    return _worded(text, target, lexicon) if len(text) > 3 else None


def tells_of_damage(inner: str, lexicon: Lexicon, square: bool) -> bool:
    """Whether a text about damage is no tag: `Damage to the tavern was later put at 300 ryo`, `Damage: none`."""
    head = _HEAD.match(inner)
    if head is not None and holds_nothing(inner[head.end() :]):
        return True
    if _TO.match(inner) is None or lexicon.names_in(inner):
        return False
    return _TO_AMOUNT.match(inner) is None


def read_named(inner: str, lexicon: Lexicon) -> Damage | None:
    """`Punch damage: 13 x2`, `Stone Fang damage: 80`, `Potential damage: 13 x2 (punch)`: what hits stands in front."""
    found = _NAMED_HEAD.fullmatch(inner)
    if found is None:
        return None
    damage = read_damage(f"Damage: {found['rest']}", lexicon)
    what = squeeze(found["what"] or "")
    if damage is None or not what or what in _PLAIN_HEADS:
        return damage if damage is not None and (found["if"] or what in _PLAIN_HEADS) else None
    return with_ability(damage, what, None) if _is_known(what, lexicon) else None


def with_ability(damage: Damage, name: str, target: str | None) -> Damage | None:
    """A damage tag that stands in a technique's own tag: its hits are that technique's."""
    if any(part.what not in (None, name.casefold()) for part in damage.parts):
        return None
    parts = tuple(replace(part, what=name.casefold()) for part in damage.parts)
    return replace(damage, parts=parts, target=damage.target or target)


def on_a_line(damage: Damage, lexicon: Lexicon) -> bool:
    """Whether a line without brackets is a damage tag and no prose: it shows what hits, how often, or its sum."""
    return all(part.hits > 1 or part.base is not None or _is_known(part.what, lexicon) for part in damage.parts)


def _is_known(what: str | None, lexicon: Lexicon) -> bool:
    return what is not None and bool(lexicon.basic(what) or lexicon.weapon(what) or lexicon.ability(what))


def _long(text: str, target: str | None) -> Damage | None:
    """`8 (kunai base damage) + 20 (accuracy bonus) - 10 (dexterity bonus) = 18 damage` (S26)."""
    head = _LONG_HEAD.match(text)
    if head is None:
        return None
    place = head.end()
    bonuses: list[Bonus] = []
    while len(bonuses) < 8:
        term = _LONG_TERM.match(text, place)
        if term is None:
            break
        value = _number(term["value"])
        bonuses.append(Bonus(squeeze(term["stat"]), -value if term["sign"] == "-" else value))
        place = term.end()
    end = _LONG_END.fullmatch(text, place)
    if end is None:
        return None
    hits = int(end["hits"] or 1)
    base = _number(head["base"])
    share = sum(bonus.value for bonus in bonuses)
    part = Part(_number(end["amount"]), hits, squeeze(head["what"]), base, share)
    return Damage((part,), target, tuple(bonuses)) if 0 < hits <= _MOST_HITS else None


def _counted(text: str, target: str | None) -> Damage | None:
    """`2 punches, 13 damage each`: how often, what, and the amount of each."""
    found = _COUNTED.fullmatch(text) if text[:1].isdecimal() else None
    if found is None or not 0 < int(found["hits"]) <= _MOST_HITS:
        return None
    return Damage((Part(_number(found["amount"]), int(found["hits"]), _named(found["name"])),), target)


def _listed(text: str, target: str | None, lexicon: Lexicon, patterns: tuple[re.Pattern[str], ...]) -> Damage | None:
    """A list of items: `8 - punch x2, 8 - kick`, `33 x4 (Fire Barrage)`, `5 + 3 = 8 per punch, x2`."""
    parts: list[Part] = []
    bonuses: tuple[Bonus, ...] = ()
    place = 0
    while place < len(text) and len(parts) < 40:
        found, place = _one(text, place, patterns)
        groups = found.groupdict() if found is not None else {}
        terms = _terms(groups["terms"]) if groups.get("base") else []
        spaced = found is not None and _SPACED.match(text, found.start()) is not None
        part = _part(groups, terms, lexicon, spaced) if groups else None
        if part is None:
            return None
        parts.append(part)
        bonuses = bonuses or _bonuses(terms)
        if place < len(text):
            if text[place] not in ",;&" or _splits_a_number(text, found, place):
                return None
            place += 1
            while place < len(text) and text[place] == " ":
                place += 1
    whole = place >= len(text) and bool(parts) and not (bonuses and len(parts) > 1)
    return Damage(tuple(parts), target, bonuses) if whole and sum(p.hits for p in parts) <= _MOST_HITS else None


def _splits_a_number(text: str, item: re.Match[str] | None, place: int) -> bool:
    """Whether an item is bare figures that a comma joins to others, which may be one number: `1,5` (X19)."""
    return item is not None and item[0].isdecimal() and text[place] == "," and text[place + 1 : place + 2].isdecimal()


def _one(text: str, place: int, patterns: tuple[re.Pattern[str], ...]) -> tuple[re.Match[str] | None, int]:
    """The longest item at a place that ends at a separator or the end of the text."""
    for pattern in patterns:
        for stop in _stops(text, place):
            found = pattern.fullmatch(text, place, stop)
            if found is not None:
                return found, stop
    return None, place


def _stops(text: str, place: int) -> list[int]:
    """Where an item may end, farthest first: commas belong to `, x2` as well as to the list."""
    ends = [len(text)]
    ends += [at for at in range(place + 1, min(len(text), place + 200)) if text[at] in ",;&"]
    return sorted(set(ends), reverse=True)[:40]


def _part(groups: dict[str, str | None], terms: list[tuple[int, str]], lexicon: Lexicon, spaced: bool) -> Part | None:
    times = [each for each in (groups["hits"], groups.get("times"), groups.get("x")) if each]
    hits = int(times[0]) if times else 1
    if hits < 1 or len(times) > 1:
        return None
    amount = _number(groups["amount"])
    said = groups.get("base") or groups.get("name") or groups["per"] or groups.get("unit")
    if amount <= _FEW < hits and not (said and hits <= _MANY):
        if not spaced or groups.get("base") or amount < 1:
            return None  # `2 x40`: two hits of 40, written the other way round, or 40 hits of 2.
        amount, hits = hits, amount  # `2 x 40`: no attack has so many hits.
    named = groups["what"]
    if named and named.strip().isdecimal() and not times:
        hits, named = int(named), None  # `13 per punch (2)`
        if hits < 1:
            return None
    if named and named[0].isdecimal() and not _named(groups.get("name") or groups.get("per")):
        return None  # Whether `26 (2 punches)` is the amount of one or of both is open.
    if groups.get("total") and _number(groups["total"]) != amount * hits:
        return None
    base = share = None
    if groups.get("base"):
        base = _number(groups["base"])
        share = sum([value for value, _ in terms])
    return Part(amount, hits, _what(groups, lexicon), base, share)


def _terms(text: str | None) -> list[tuple[int, str]]:
    """The signed numbers behind a base, each with its label."""
    text = text or ""
    found = [(_number(t["value"]), t["sign"], squeeze(t["label"]).strip("() ")) for t in _TERM.finditer(text)]
    return [(-value if sign == "-" else value, label) for value, sign, label in found]


def _bonuses(terms: list[tuple[int, str]]) -> tuple[Bonus, ...]:
    """More than one term behind the base are bonuses, as in the long form (S26)."""
    if len(terms) < 2:
        return ()
    return tuple(Bonus(label.removesuffix("bonus").removesuffix("modifier").strip(), value) for value, label in terms)


def _what(groups: dict[str, str | None], lexicon: Lexicon) -> str | None:
    """What hits: of several names the one that is known; a remark in brackets names nothing then."""
    written = [groups["what"], groups.get("early"), groups.get("name"), groups.get("late"), groups["per"]]
    given = [name for name in map(_named, written) if name is not None]
    known = next((name for name in given if _is_known(name, lexicon)), None)
    if known is not None or not given:
        return known
    return _known_in(given[0], lexicon) or given[0]


def _known_in(what: str, lexicon: Lexicon) -> str | None:
    """What words mean that say more than a name: `left punch`, `punch and kick`, `Stone Fang, ninjutsu`."""
    found = []
    for piece in _PIECES.split(what):
        which, _, basic = piece.partition(" ")
        name = basic if which in _WHICH and lexicon.basic(basic) else piece
        found.append(name if _is_known(name, lexicon) else None)
    kinds = {lexicon.basic(name) is not None for name in found if name is not None}
    if all(found) and kinds == {True}:
        return found[0]
    named = [name for name in found if name is not None]
    return named[0] if len(named) == 1 and kinds == {False} else None


def _named(what: str | None) -> str | None:
    """What a hit is made with; `hit` alone names nothing."""
    if what is None:
        return None
    form = squeeze(what).strip(" .,")
    return None if form in ("hit", "hits", "strike", "blow", "each") else form


def _number(written: str | None) -> int:
    return int((written or "0").replace(",", "").replace(" ", ""))
