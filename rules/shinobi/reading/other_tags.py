"""The smaller tags, one reader per kind: Setup actions, reminders, forfeits (NS8, NS9, NS31, NS32, NS35)."""

from __future__ import annotations

import re

from referee.ports.reading import squeeze
from rules.shinobi.lexicon import POOL, POOL_WORDS, Lexicon
from rules.shinobi.model import Deadly, Forfeit, OverTime, Setup, Status

SETUP_LEAD = re.compile(r"\s*set-?up(?:\s+phase)?\s*(?::|-\s)", re.IGNORECASE)
_SETUP_HEAD = re.compile(r"\s*set-?up(?:\s+phase)?\s*(?::|-)\s*", re.IGNORECASE)
#: Verbs of a Setup action, and the rulebook's word for each (S17).
_VERBS = {
    "draw": "draws",
    "pull out": "pulls out",
    "take out": "pulls out",
    "unsheathe": "draws",
    "pick up": "picks up",
    "put away": "puts away",
    "sheathe": "puts away",
    "stow": "puts away",
    "drop": "drops",
    "inscribe": "inscribes",
    "write": "inscribes",
}
_SETUP = re.compile(
    r"(?:[A-Za-z' -]{0,40}?\s)??"
    r"(?P<verb>draws?|pulls?\s+out|takes?\s+out|picks?\s+up|puts?\s+away|drops?|inscribes?|writes?|unsheathes?|sheathes?|stows?)\s+"
    r"(?:the\s+|an?\s+|(?:his|her|their|my)\s+)?(?P<thing>[^;:\n()\[\]]{1,80}?)\s*[.!]?\s*",
    re.IGNORECASE,
)
_SETUP_AWAY = re.compile(
    r"(?:[A-Za-z' -]{0,40}?\s)??puts?\s+(?:the\s+|an?\s+|(?:his|her|their|my)\s+)?(?P<thing>[^;:\n()\[\]]{1,80}?)"
    r"\s+away\s*[.!]?\s*",
    re.IGNORECASE,
)
#: That a phase holds nothing.
_NOTHING = re.compile(
    r"[\s:=,(*_-]{0,8}(?:none|nothing|no\s+action|--?|n/a|skip(?:s|ped)|waits?)"
    r"(?:\s+(?:for\s+)?(?:this|now|here)(?:\s+(?:turn|time|round|post))?)?\s*[.!)*_]{0,6}\s*",
    re.IGNORECASE,
)
_TICK = r"(?:over\s+time|\bdot\b|\bpoison|\bbleed|\bburn|\bvenom|\bticks?\b|damage\s+taken)"
#: Their beginnings: a look for each is a fraction of one pattern's search.
_TICK_WORDS = ("over", "dot", "poison", "bleed", "burn", "venom", "tick", "taken")
_TICKS = re.compile(_TICK, re.IGNORECASE)
OVER_TIME_LEAD = re.compile(r"\s*(?:damage\s+over\s+time\b|dot\s*:)", re.IGNORECASE)
_OVER_TIME = re.compile(
    r"\s*(?P<label>[A-Za-z][A-Za-z' -]{0,60}?)\s*(?:\(\s*"
    r"(?:\d{1,3}\s+turns?(?:\s+left)?|[A-Za-z][^()\d\n]{0,40})\s*\))?\s*[:;,-]\s*-?\s*"
    rf"(?P<number>\d{{1,6}})\s*(?:(?P<pool>{POOL})\b|damage\b)?\s*"
    r"(?:[(,;-]\s*(?:from\s+)?(?P<name>[A-Za-z][^()\n;\d]{0,60}?)[\s,]*(?:\d{1,3}\s*/\s*\d{1,3})?\s*\)?)?"
    r"(?:[\s,;(]*\d{1,3}\s+turns?(?:\s+left)?\s*\)?)?\s*[.!]?\s*",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"\s*status\s*:\s*(?P<name>[A-Za-z][A-Za-z' -]{0,40}?)\s*"
    r"(?:[,(]\s*(?P<turns>\d{1,3})\s*turns?(?:\s+left)?\s*\)?)?\s*",
    re.IGNORECASE,
)
STATUS_LEAD = re.compile(r"\s*status\s*:", re.IGNORECASE)
_DEADLY = re.compile(
    r"\s*(?:this\s+is\s+|it\s+is\s+|from\s+here\s+on\s*:?\s*|(?:the|this)\s+spar\s+(?:turns|becomes)\s+(?:in)?to\s+|now\s*:?\s*)?"
    r"(?:now\s+)?life\s*(?:&|and|\+)\s*death(?:\s+now)?(?:\s+from\s+(?:here|now)\s+on)?\s*[.!]{0,3}\s*",
    re.IGNORECASE,
)


def setup_words(inner: str) -> str:
    """What stands behind the word Setup in a tag."""
    head = _SETUP_HEAD.match(inner)
    return inner[head.end() :] if head is not None else inner


def no_setup(words: str) -> bool:
    """Whether a Setup tag says that nothing is done, or says nothing."""
    return words.strip(" .!") == "" or holds_nothing(words)


def holds_nothing(words: str) -> bool:
    """Whether the words behind a phase mark say that the phase holds nothing: `none`, `nothing this turn`."""
    return len(words) < 40 and _NOTHING.fullmatch(words) is not None


def read_setup(words: str) -> Setup | None:
    """`draws the windmill shuriken`, `inscribes a scroll`, `puts the katana away` (NS8)."""
    found = _SETUP.fullmatch(words)
    if found is not None:
        verb = squeeze(found["verb"])
        plain = " ".join([verb.split(" ")[0].removesuffix("s"), *verb.split(" ")[1:]])
        return Setup(_VERBS.get(plain, verb), squeeze(found["thing"]))
    away = _SETUP_AWAY.fullmatch(words)
    return Setup("puts away", squeeze(away["thing"])) if away is not None else None


def like_over_time(inner: str) -> bool:
    """Whether a text may be a reminder of damage over time."""
    low = inner.lower()
    return any([word in low for word in _TICK_WORDS]) and len(inner) <= 160 and _TICKS.search(inner) is not None


def read_over_time(inner: str, lexicon: Lexicon) -> OverTime | None:
    """`Damage over time: 3 HP (Viper Spit)`, `DoT: 3 HP`, `poisoned: 3 HP`, `Damage taken: 3 (Viper Spit)` (NS9)."""
    found = _OVER_TIME.fullmatch(inner)
    if found is None:
        return None
    name = squeeze(found["name"]) if found["name"] else None
    label = squeeze(found["label"])
    if not _tells(label, name, bool(found["pool"]), lexicon):
        return None
    return OverTime({POOL_WORDS[squeeze(found["pool"] or "hp")]: int(found["number"])}, name)


def _tells(label: str, name: str | None, pool: bool, lexicon: Lexicon) -> bool:
    """Whether label or source say that it is damage over time, and no attack with such a name."""
    if lexicon.ability(label) is not None:
        return False
    if label in ("damage over time", "dot", "damage taken"):
        return True
    if label == "damage":
        aimed = lexicon.aim(name, loose=True) if name is not None else None
        name = name if name is None or aimed is None else name[: aimed[1]].rstrip(" ,;")
        known = name is not None and (lexicon.ability(name) is not None or lexicon.weapon(name) is not None)
        sure = name is not None and ("over time" in name or bool(lexicon.dots.intersection(lexicon.abilities_in(name))))
        return not known and sure
    return pool and _TICKS.search(label) is not None


def read_status(inner: str) -> Status | None:
    """`Status: Fazed, 2 turns` (NS35)."""
    found = _STATUS.fullmatch(inner)
    return Status(squeeze(found["name"]), int(found["turns"]) if found["turns"] else None) if found else None


def read_ending(inner: str, lexicon: Lexicon) -> Forfeit | Deadly | None:
    """`Forfeits the battle` (NS31), `This is Life & Death now` (NS32)."""
    if len(inner) > 80:
        return None
    text, low = inner.strip(), inner.lower()
    if lexicon.ability(text) is None and lexicon.forfeits(text):
        return Forfeit()
    return Deadly() if "death" in low and _DEADLY.fullmatch(text) else None
