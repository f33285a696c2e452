"""What looks like the game but was read by no form (G19, X3): it is said, and what hangs on it is left open.

A line is the game's by its heading and what belongs behind it, or by a fighter's name together with a
roll or a number in notation (`reading_numbers`). Names with plain numbers, and rolls that concern
nobody of the battle, are prose.
"""

from __future__ import annotations

import re

from referee.ports.reading import ARROW
from rules.enolaptia.lexicon import Lexicon
from rules.enolaptia.reading.grammar import NAME, LineText
from rules.enolaptia.reading.moves import plain
from rules.enolaptia.reading.numbers import OF_HP, changes_hp, heads_hp, lists_an_order, states_hp

_FLAGS = re.IGNORECASE
#: What stands behind the first digit of `1-3 = Mira`.
_RANGE_SIGNS = frozenset("-=")
_THE = frozenset(("the", "The", "THE"))
#: What may stand around the first word of a line, a creature's number included.
_AROUND = '|([{"*:;,.=-#0123456789)'
#: First words of lines of the game that name nobody.
_HEADINGS = frozenset(
    (
        *("order", "turn", "round", "same", "next", "new", "another", "second", "third", "last", "battle", "attack"),
        *(
            "combat",
            "initiative",
            "init",
            "encounter",
            "allocation",
            "allocations",
            "alloc",
            "targets",
            "exp",
            "xp",
            "experience",
            "hp",
            "hps",
        ),
        *("hit", "current", "health", "status", "state", "standings", "drop", "drops", "item", "tie", "ties"),
        *("mp", "magic", "mana", "current", "movement", "party", "teleport", "teleports", "duel", "spar", ""),
    )
)
_HEADED = re.compile(
    r"(?P<order>order\s*:\s*[^\n]{0,40}(?:\d|\?\?))"
    r"|(?P<encounter>encounter\s*:\s*[^\n]{0,40}(?:\d|\?\?))"
    r"|(?P<exp>exp\s*:\s*[^\n]{0,40}(?:\d|\?\?))"
    r"|(?P<other>(?:allocation|drops?)\s*:\s*[^\n]{0,40}(?:\d|\?\?)|hp\s*:\s*[^\n]{0,40}(?:\d\s*/|\d\s+of\b|\?)"
    r"|(?:run|potion)\s*:\s*[^\n]{0,40}(?:1d6|\?\?))"
    r"|(?P<move>potion\s*:\s*[^\n]{0,60}\+\s?\d)",
    _FLAGS,
)
#: A die: with its number, a question mark or a sign in front of it, never `rolled 2 blankets` or `d6 dogs`.
_DIE = rf"(?:\b1?\s?d6\s*(?:[=:(]|\d|\?|{ARROW}\s*\d)|\brolled\s+\d{{1,6}}\s*(?:[,:;()]|{ARROW}|-\s|[.]?\s*$))"
#: Without a fighter's name a heading and a number are the game's only with one of these.
_NOTATION = re.compile(
    rf"{_DIE}|=\s*\d|\?|\d\s*[-x*/+]\s*[\d?]|[(+\[]\s?\d|\d\s*(?:EXP|XP|HP|each|points)\b|\d\s*[.!]?\s*$", _FLAGS
)
#: Headings with other words or marks in them: only with what such a line must hold.
_HEADED_LOOSELY = re.compile(
    r"(?P<order>(?:(?:battle|turn|attack|combat)\s+)?order\b[^\n:=-]{0,20}[:=-]|init(?:iative)?\s*[:=-])"
    rf"|(?P<encounter>encounter\b[^\n]{{0,60}}?{_DIE})"
    r"|(?P<exp>(?:EXP|XP)\s+\d|(?:EXP|XP|experience)\b[^\n:=-]{0,20}[:=-]\s*\+?\d{1,7}\s*"
    r"(?:[x*=/?(]|[+]\s*\d{1,7}\s*(?:[x*=]|$)|EXP|XP|points|each|[.]?\s*$))"
    r"|(?P<other>allocations?(?:\s+(?:numbers?|rolls?|dice|is|are))?\s*[:=-][^\n]{0,40}\d"
    rf"|(?:item\s+)?drops?\b[^\n]{{0,60}}?{_DIE}|ties?\b[^\n]{{0,60}}?{_DIE})",
    _FLAGS,
)
#: A line with a heading that runs on into moves.
_RUNS_ON = re.compile(
    r"\b(?:attack(?:s|ed)?|hits|bites|strikes|casts|damage|normal attack)\b|:\s*(?:spell|special|skill|potion|run)\b",
    _FLAGS,
)
#: EXP on a line of their own in other words: `Mira gains 5 EXP`, `5 XP`.
_EXP_TOLD = re.compile(
    r"(?:[^\n\d]{0,40}?\b(?:gain(?:s|ed)?|gets?|got|receives?|earns?|rewards?|total)\b[^\n\d]{0,12}|[^\n\d:]{0,30}[:+]?\s?)?"
    r"\+?\d{1,6}\s*(?:EXP|XP)(?:\s+each)?\s*[.!]?",
    _FLAGS,
)
_NUMBERED_ENTRY = re.compile(r"\(\s*(?:speed\s*)?\d{1,6}\s*\)")
_MOVE_LIKE = re.compile(
    rf"(?P<actor>{NAME})\s*(?:\battacks?\b"
    r"|(?::|(?<=\s)-\s)\s*(?:normal attack|attacks?|spell|special|skill|potion|run|move)\b)",
    _FLAGS,
)
_ROLL_LIKE = re.compile(
    rf"\b1?d6\s*(?:[=:;,(]|\d|\?|{ARROW}|-|\s+rolled|$)"
    rf"|\brolled\s*(?:\?|\d{{1,6}}\b(?!\s+[a-z]{{3}}))|\?\?|allocation",
    _FLAGS,
)
#: Behind a name the notation's own word for an ability or potion, and a number: `: skill Stone Drop on Rat 1: 8 ...`.
_LABELLED = re.compile(r"\s*[:-]\s*(?:spell|special|skill|potion)\b[^\n]{0,120}?(?:[:,=]\s*\+?|\+\s?|\s-\s)\d", _FLAGS)
#: After somebody unknown only a roll with its number makes a line of the game.
_ROLL_WRITTEN = re.compile(r"\b1?d6\s*[=:]?\s*\d|\brolled\s+\d+\s*,", _FLAGS)
#: A roll in a line that is no move by its words: `rolled 5, 14`, but not `rolled 5 cigarettes`.
_ROLL_TOLD = re.compile(
    r"\b1?\s?d6\s*[=:]\s*\d|\brolled\s+\d{1,6}\s*[,:;]\s*"
    r"(?:\d{1,6}\b(?!\s+(?!(?:damage|dmg|HP|AT|to|on|x|and|again)\b)[a-z])|miss(?:es|ed)?\s*(?:[.!;,(]|$)|AT\b)",
    _FLAGS,
)
#: An amount without a roll at the end of a move, or said to be damage: `on Rat 1, 8`, `for 8 damage`.
_AMOUNT_TOLD = re.compile(
    rf"(?:[,:=]|{ARROW}|\bfor|\bdeal(?:s|t|ing)?|\bdo(?:es|ing)|\bdid)\s*\d{{1,6}}\s*[.!]?\s*$"
    r"|\b\d{1,6}\s*(?:points?\s+of\s+)?(?:damage|dmg)\b|\(\s*\d{1,6}\s*\)\s*[.!]?\s*$",
    _FLAGS,
)
#: Damage that ends a line, whomever it meets: `: skill Stone Drop (8 damage)`.
_DEALT = re.compile(r"\b\d{1,6}\s*(?:points?\s+of\s+)?(?:damage|dmg)\s*[.!)]{0,3}\s*$", _FLAGS)
#: A gain of HP beside the word potion, in either order.
_POTION_TOLD = re.compile(
    rf"\bpotion\b[^\n]{{0,60}}?\+\s?\d{{1,6}}\s*{OF_HP}|\+\s?\d{{1,6}}\s*{OF_HP}[^\n]{{0,60}}?\bpotion\b", _FLAGS
)
#: Somebody's HP, whoever that may be: `Ratt 2: 18/18`; and out of another maximum than the fighter's.
_STANDS = re.compile(rf"{NAME}\s*[:=]\s*\d{{1,6}}\s*/\s*(?P<top>\d{{1,6}})\s*(?:HP)?\s*[.]?\s*", _FLAGS)
_FRACTION = re.compile(r"\s*[:=]?\s*\d{1,6}\s*/\s*\d{2,6}\s*(?:HP)?\s*[.]?\s*", _FLAGS)
_USES = re.compile(r"\s*(?::|\s(?:uses?|casts?|throws?|unleash(?:es)?|performs?)\b)\s*", _FLAGS)
_TOPS = re.compile(r"\d\s*/\s*(\d{1,6})\b")
#: `: Small Potion`, `: item: a Small Potion on Tobin`: nothing else, neither a mark of exclamation nor of quotation.
_HANDED = re.compile(
    rf"\s*:\s*(?:item\b\s*:?\s*)?(?P<thing>{NAME})(?:\s*(?:\bon|\bto|\bfor|{ARROW})\s+(?P<whom>{NAME}))?\s*[.]?\s*$",
    _FLAGS,
)
#: A longer line says more than that.
_LONGEST_USE = 120
#: `: Battle Cry`, ` uses the skill Battle Cry on Rat 1`: an ability and nothing that it does.
_ABILITY_ALONE = re.compile(
    rf"\s*(?P<mark>:|\s(?:uses?|casts?|performs?|unleash(?:es)?)\s)\s*(?:(?:uses?|casts?)\s+)?(?:(?:the|an?|her|his|its|their)\s+)?"
    rf"(?:(?:skill|special|spell)\s*:?\s+)?(?P<thing>{NAME})(?:\s+(?:on|at|against|vs)\s+(?P<whom>{NAME}))?\s*(?P<end>[.!]*)\s*",
    _FLAGS,
)


def hinted(line: LineText, names: Lexicon) -> bool:
    """Whether a line may be the game's at all, a cheap look at prose: a roll in it, a fighter or heading in front."""
    piece = line.text[line.start : line.end]
    words = piece.split(None, 2)
    word = (words[1] if len(words) > 1 and words[0] in _THE else words[0]).casefold()
    # A blank may be missing behind the colon: `Order:Mira (12)`.
    bare = word.lstrip(_AROUND).partition(":")[0].rstrip(_AROUND)
    if bare in _HEADINGS or names.begins_one(bare) or (word != bare and names.begins_one(word)):
        return True
    if "d6" in piece or "rolled" in piece or "??" in piece or "D6" in piece or "ROLLED" in piece:
        return True
    return piece[1:3].lstrip()[:1] in _RANGE_SIGNS or line.rolled or "XP" in piece or ("+" in piece and "HP" in piece)


def lost_in(line: LineText, names: Lexicon) -> tuple[str, ...] | None:
    """What an unread line may have said: move, order, encounter, exp; none of them where nothing hangs on it.

    None for prose.
    """
    headed = _headed(line, names)
    if headed is not None:
        return headed
    text, end = line.text, line.end
    behind = names.leading(text, line.start, end)
    if behind >= 0 and lists_an_order(line, names):
        return ("order",)
    if _is_move(line, names):
        return ("move",)
    if _EXP_TOLD.fullmatch(text, line.start, end):
        return ("exp",)
    if heads_hp(line, names):
        return ()
    if behind < 0:
        return () if hp_of_anybody(line, names) else None
    if changes_hp(line, names, behind) or _handed(line, names, behind) or _used(line, names, behind):
        return ("move",)
    states = states_hp(line, names, behind) or _FRACTION.fullmatch(text, behind, end)
    return () if states or hp_of_anybody(line, names) else None


def lists_hp(line: LineText, names: Lexicon) -> bool:
    """Whether a line that begins with other words may hold HP: `Nobody moves: Mira 37/40`. A cheap look."""
    tops = names.tops()
    return any([int(met[1]) in tops for met in _TOPS.finditer(line.text, line.start, line.end)])


def hp_of_anybody(line: LineText, names: Lexicon) -> bool:
    """Whether a line says the HP of somebody, known or not, out of a maximum that somebody in the battle has."""
    met = _STANDS.fullmatch(line.text, line.start, line.end)
    return met is not None and int(met["top"]) in names.tops()


def _headed(line: LineText, names: Lexicon) -> tuple[str, ...] | None:
    """What a line with a heading of the game may have said; an order may run on into the moves."""
    met = _HEADED.match(line.text, line.start, line.end)
    if met is None:
        met = _HEADED_LOOSELY.match(line.text, line.start, line.end)
        numbered = met is not None and _NUMBERED_ENTRY.search(line.text, met.end(), line.end)
        if met is None or (met["order"] and not (numbered and names.mentions(line.text, met.end(), line.end))):
            return None
    elif not (
        _NOTATION.search(line.text, line.start, line.end) or _names_one(line, names, met["encounter"] is not None)
    ):
        return None  # `Encounter: brief, 2 minutes at most.`
    kind = met.lastgroup or "other"
    found = () if kind == "other" else (kind,)
    return (*found, "move") if kind != "move" and _RUNS_ON.search(line.text, line.start, line.end) else found


def _names_one(line: LineText, names: Lexicon, creature: bool) -> bool:
    """Whether a fighter is named in a line; `creature`: a character does not count."""
    named = names.mentioned(line.text, line.start, line.end)
    return any([not creature or names.characters.find(name) is None for name in named])


def _is_move(line: LineText, names: Lexicon) -> bool:
    """Whether somebody's move is in the line: its words say so, or a roll stands beside a fighter's name."""
    met = _MOVE_LIKE.match(line.text, line.start, line.end)
    if met is not None:
        likely = _ROLL_LIKE if names.known(met["actor"]) else _ROLL_WRITTEN
        if likely.search(line.text, met.end(), line.end):
            return True
        labelled = likely is _ROLL_LIKE and _LABELLED.match(line.text, met.end("actor"), line.end) is not None
        if labelled and names.names_a_thing(line.text[met.end() : line.end]):
            return True
        told = likely is _ROLL_LIKE and _AMOUNT_TOLD.search(line.text, met.end(), line.end) is not None
        if told and (names.mentions(line.text, met.end(), line.end) or _DEALT.search(line.text, met.end(), line.end)):
            return True
    if not (line.rolled or _told(line.text, line.start, line.end)):
        return False
    return names.mentions(line.text, line.start, line.end)


def _told(text: str, start: int, end: int) -> bool:
    """Whether a roll, or a gain of HP beside the word potion, is written between two places."""
    if _ROLL_TOLD.search(text, start, end) is not None:
        return True
    return "+" in text[start:end] and _POTION_TOLD.search(text, start, end) is not None


def _used(line: LineText, names: Lexicon, behind: int) -> bool:
    """An ability of the tables behind a name and a colon, or a word for its use, with a number: its damage is lost."""
    met = _USES.match(line.text, behind, line.end)
    if met is None or not _AMOUNT_TOLD.search(line.text, met.end(), line.end):
        return False
    if not names.ability_in(line.text[met.end() : line.end]):
        return False
    return names.mentions(line.text, met.end(), line.end) or _DEALT.search(line.text, met.end(), line.end) is not None


def ability_alone(line: LineText, names: Lexicon) -> tuple[str, str] | None:
    """Who uses which ability without a number (NE14), on a line of nothing else: a move, or the story of one.

    What would hurt somebody has its number in the move: without one it is the story.
    """
    behind = names.leading(line.text, line.start, line.end)
    short = behind >= 0 and line.end - behind < _LONGEST_USE
    met = _ABILITY_ALONE.fullmatch(line.text, behind, line.end) if short else None
    if met is None or (met["mark"] == ":" and "!" in met["end"]):
        return None
    thing = plain(met["thing"], names)
    if not names.deals_nothing(thing) or not (met["whom"] is None or names.find(met["whom"])):
        return None
    return names.name(line.text[line.start : behind]), thing


def _handed(line: LineText, names: Lexicon, behind: int) -> bool:
    """`Tobin: Small Potion`: used, or only given to him."""
    met = _HANDED.match(line.text, behind, line.end)
    if met is None or "!" in met["thing"] or names.used(plain(met["thing"], names)) != "potion":
        return False
    return met["whom"] is None or names.find(met["whom"]) is not None
