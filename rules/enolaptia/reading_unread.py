"""What looks like the game but was read by no form (G19, X3): it is said, and what hangs on it is left open.

A line is the game's by its heading, or by a fighter's name together with a roll or a number in
notation. Names with plain numbers, and rolls that concern nobody of the battle, are prose.
"""

from __future__ import annotations

import re

from referee.ports.reading import ARROW, Tag
from rules.enolaptia.grammar import NAME, LineText
from rules.enolaptia.lexicon import Lexicon

_FLAGS = re.IGNORECASE
#: What stands behind the first digit of `1-3 = Mira`.
_RANGE_SIGNS = frozenset("-=")
_THE = frozenset(("the", "The", "THE"))
#: What may stand around the first word of a line, a creature's number included.
_AROUND = '|([{"*:;,.=-#0123456789)'
#: First words of lines of the game that name nobody.
_HEADINGS = frozenset(
    (
        *(
            "order",
            "turn",
            "round",
            "same",
            "next",
            "new",
            "another",
            "second",
            "third",
            "last",
            "battle",
            "attack",
            "combat",
            "initiative",
            "encounter",
            "allocation",
            "allocations",
        ),
        *("exp", "xp", "experience", "hp", "drop", "drops", "item", "tie", "ties", "movement", "party", "teleport"),
        *(
            "hps",
            "hit",
            "current",
            "health",
            "status",
            "state",
            "standings",
            "round",
            "same",
            "next",
            "second",
            "third",
        ),
        *("teleports", "duel", "spar", ""),
    )
)
_HEADED = re.compile(
    r"(?P<order>order\s*:\s*[^\n]{0,40}(?:\d|\?\?))"
    r"|(?P<encounter>encounter\s*:\s*[^\n]{0,40}(?:\d|\?\?))"
    r"|(?P<exp>(?:exp|xp)\s*:\s*[^\n]{0,40}(?:\d|\?\?))"
    r"|(?P<other>(?:allocation|drops?)\s*:\s*[^\n]{0,40}(?:\d|\?\?)|hp\s*:\s*[^\n]{0,40}(?:\d\s*/|\?)"
    r"|(?:run|potion)\s*:\s*[^\n]{0,40}(?:1d6|\?\?))"
    r"|(?P<move>potion\s*:\s*[^\n]{0,60}\+\s?\d)",
    _FLAGS,
)
_DIE = r"(?:\bd6\b|1d6\b|\brolled\s*\d)"
#: Headings with other words or marks in them: only with what such a line must hold.
_HEADED_LOOSELY = re.compile(
    r"(?P<order>(?:(?:battle|turn|attack|combat)\s+)?order\b[^\n:=-]{0,20}[:=-]|initiative\s*[:=-])"
    rf"|(?P<encounter>encounter\b[^\n]{{0,60}}?{_DIE})"
    r"|(?P<exp>(?:EXP|XP)\s+\d|(?:EXP|XP|experience)\b[^\n:=-]{0,20}[:=-]\s*\+?\d)"
    rf"|(?P<other>allocations?\b[^\n:=-]{{0,20}}[:=-][^\n]{{0,40}}\d|(?:item\s+)?drops?\b[^\n]{{0,60}}?{_DIE}|ties?\b[^\n]{{0,60}}?{_DIE}"
    r")",
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
#: An order without its heading: `Mira (12), Marsh Rat (9)`.
_LISTED = re.compile(r"(?:[^()\n]{1,60}\(\s*(?:speed\s*)?\d{1,6}\s*\)\s*[,;>/]?){2,12}\s*[.]?", _FLAGS)
_MOVE_LIKE = re.compile(
    rf"(?P<actor>{NAME})\s*(?:\battacks?\b|:\s*(?:normal attack|attacks?|spell|special|skill|potion|run|move)\b)",
    _FLAGS,
)
_ROLL_LIKE = re.compile(r"\bd6\b|\b1d6\b|\brolled\s*[\d?]|\?\?|allocation", _FLAGS)
#: After somebody unknown only a roll with its number makes a line of the game.
_ROLL_WRITTEN = re.compile(r"\b1?d6\s*[=:]?\s*\d|\brolled\s+\d+\s*,", _FLAGS)
#: A roll in a line that is no move by its words: `rolled 5, 14`, but not `rolled 5 cigarettes`.
_ROLL_TOLD = re.compile(r"\b1?\s?d6\s*[=:]\s*\d|\brolled\s+\d{1,6}\s*[,:;]\s*(?:\d|miss|AT\b)", _FLAGS)
#: Behind a fighter's name: a gain or loss of HP, old and new HP, a sum.
_NUMBERS = re.compile(
    r"[+-]\s?\d{1,6}\s*HP\b|\b(?:gains?|regains?|recovers?|restores?|heals?|healed|loses?|lost)\s+\d{1,6}\s*HP\b"
    rf"|\d\s*(?:HP\s*)?{ARROW}\s*\d|\d\s*[-+x*/]\s*\d{{1,6}}\s*=\s*\d|:[^\n]{{0,60}}?\bheals?\s+\+?\d",
    _FLAGS,
)
#: A gain of HP beside the word potion, in either order.
_POTION_TOLD = re.compile(
    r"\bpotion\b[^\n]{0,60}?\+\s?\d{1,6}\s*HP\b|\+\s?\d{1,6}\s*HP\b[^\n]{0,60}?\bpotion\b", _FLAGS
)
_HANDED = re.compile(r"\s*:\s*|\s+takes\s+", _FLAGS)
_HP_SHAPED = re.compile(
    r"(?:'s)?[\s:=,|\[(.-]{0,6}(?P<hp>HP\b[\s:=,|\[(.-]{0,6})?(?:(?:now\s+)?(?:has|is\s+(?:down\s+to|at))\s+)?\d{1,6}\s*"
    r"(?:/|out\s+of|of)\s*(?P<top>\d{1,6})\s*(?P<unit>HP\b)?",
    _FLAGS,
)
_HP_TOLD = re.compile(
    r"(?:'s)?\s*(?:HP\s*[:=-]?\s*-?\d{1,6}\b|[:=]\s*-?\d{1,6}\s*(?:HP)?\s*[.!]?\s*$"
    r"|(?:now\s+)?(?:has|is\s+(?:down\s+to|at))\s+\d{1,6}\s*HP(?:\s+(?:left|remaining|now))?\s*[.!]?\s*$)",
    _FLAGS,
)
#: Headings above HP in other words: with a fighter's name and a fraction.
_HP_HEADING = re.compile(r"(?:current\s+)?(?:HPs?|hit\s*points|health|status|state|standings?)\b[^\n\d]{0,60}", _FLAGS)
_FRACTION = re.compile(r"\d\s*/\s*\d|\d\s*[-+]\s*\d|\d\s*(?:->|=>|\u2192)\s*\d")
_TAG_LIKE = re.compile(
    r"\s*(?:(?:damage|dodge|hit|action|struggle|trap|run|potion|chain|attacks?|normal attack|encounter|order|allocation"
    r"|drops?|exp|hp|teleport|party stone|spell|special|skill|move|setup|announce|reaction|help|free attack|status|item"
    r"|duel|spar|block|guard|loss)\b[^:\n]{0,30}:|\d{1,3}\s*%\s*to\s+hit|used\s+\S)",
    _FLAGS,
)
_TAG_MARK = re.compile(r"\bcost\s*:?\s*\d|\bheals\s+\d|\bupkeep\s+\d|->\s*\S", _FLAGS)
_TITLE = re.compile(r"[A-Z][\w'-]{0,30}(?:\s+(?:[A-Z][\w'-]{0,30}|no|of|the|and|de|la)){0,5}", 0)


def hinted(line: LineText, names: Lexicon) -> bool:
    """Whether a line may be the game's at all, a cheap look at prose: a roll in it, a fighter or heading in front."""
    piece = line.text[line.start : line.end]
    words = piece.split(None, 2)
    word = (words[1] if len(words) > 1 and words[0] in _THE else words[0]).casefold()
    bare = word.strip(_AROUND)
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
    if _is_move(line, names):
        return ("move",)
    text, end = line.text, line.end
    if _EXP_TOLD.fullmatch(text, line.start, end):
        return ("exp",)
    if _HP_HEADING.match(text, line.start, end) and _FRACTION.search(text, line.start, end):
        return () if names.mentions(text, line.start, end) or text[line.start : line.start + 2] == "HP" else None
    behind = names.leading(text, line.start, end)
    if behind < 0:
        return None
    if _LISTED.fullmatch(text, line.start, end):
        return ("order",)
    if _NUMBERS.search(text, behind, end) or _handed(line, names, behind):
        return ("move",)
    shaped = _HP_SHAPED.match(text, behind, end)
    if shaped is not None:
        worded = shaped["hp"] or shaped["unit"]
        return () if worded or int(shaped["top"]) == names.top(text[line.start : behind]) else None
    return () if _HP_TOLD.match(text, behind, end) else None


def _headed(line: LineText, names: Lexicon) -> tuple[str, ...] | None:
    """What a line with a heading of the game may have said; an order may run on into the moves."""
    met = _HEADED.match(line.text, line.start, line.end)
    if met is None:
        met = _HEADED_LOOSELY.match(line.text, line.start, line.end)
        numbered = met is not None and _NUMBERED_ENTRY.search(line.text, met.end(), line.end)
        if met is None or (met["order"] and not (numbered and names.mentions(line.text, met.end(), line.end))):
            return None
    kind = met.lastgroup or "other"
    found = () if kind == "other" else (kind,)
    return (*found, "move") if kind != "move" and _RUNS_ON.search(line.text, line.start, line.end) else found


def _is_move(line: LineText, names: Lexicon) -> bool:
    """Whether somebody's move is in the line: its words say so, or a roll stands beside a fighter's name."""
    met = _MOVE_LIKE.match(line.text, line.start, line.end)
    if met is not None:
        likely = _ROLL_LIKE if names.known(met["actor"]) else _ROLL_WRITTEN
        if likely.search(line.text, met.end(), line.end):
            return True
    if not (line.rolled or _told(line.text, line.start, line.end)):
        return False
    return names.mentions(line.text, line.start, line.end)


def _told(text: str, start: int, end: int) -> bool:
    """Whether a roll, or a gain of HP beside the word potion, is written between two places."""
    if _ROLL_TOLD.search(text, start, end) is not None:
        return True
    return "+" in text[start:end] and _POTION_TOLD.search(text, start, end) is not None


def _handed(line: LineText, names: Lexicon, behind: int) -> bool:
    """`Tobin: Small Potion` or `Tobin takes a Small Potion`: used, or only given to him."""
    met = _HANDED.match(line.text, behind, line.end)
    return met is not None and names.potion_in(line.text[met.end() : met.end() + 60])


def looks_like_a_tag(tag: Tag) -> bool:
    """Whether a bracket that no line took looks like a tag of any of the systems."""
    if _TAG_LIKE.match(tag.inner):
        return tag.bracket == "[" or tag.alone
    if tag.bracket != "[":
        return False
    return bool(_TAG_MARK.search(tag.inner)) or (tag.alone and tag.closed and _TITLE.fullmatch(tag.inner) is not None)
