"""The words by which posts tell what the notation has lines for: see `rules.angel_dolls.judging.told`."""

from __future__ import annotations

import re

WORD = re.compile(r"\w[\w'-]*")
REGAINED = re.compile(
    r"\b(?:back|again|grab\w*|catch\w*|caught|snatch\w*|pick\w*|gets?|got|retriev\w*|recover\w*|regain\w*|reclaim\w*"
    r"|scoop\w*|dives?|pull\w*|draw\w*|takes? up|in hand|wrench\w*|switch\w* on|powers? up|re-?activat\w*|works)\b",
    re.IGNORECASE,
)
TAKEN_UP = re.compile(
    r"\b(?:(?:picks?|snatch(?:es)?|grabs?|catch(?:es)?|scoops?)[ ]it|(?:takes?|gets?|has)[ ]it[ ](?:up|back|again))\b",
    re.IGNORECASE,
)
FREED = re.compile(
    r"\b(?:free[sd]?|loose|off|away|releas\w+|ends?|ended|slack\w*|cuts?|reels?|unwind\w*|escap\w+"
    r"|shak\w+|lets? go|drops?|untangl\w+|falls?|slips?|out of|breaks|broke|(?:to|and|can|could) break|tears?"
    r"|uncoil\w*|retract\w*"
    r"|withdraw\w*|no longer)\b",
    re.IGNORECASE,
)
#: What a hold may change: the stats of its victim, its power attacks, the holder's disarm (D14, D15).
OF_HOLDS = frozenset({-40, -20, -10, 10, 20})
#: So much of a way out that a doll's name beside it is enough.
GETS_OUT = re.compile(
    r"\b(?:escap\w+|wriggl\w+|squirm\w+|lets? (?:\w+ )?go|slips? (?:out|free|loose|away)|loses? (?:\w+ )?(?:grip|hold)"
    r"|(?:throws?|shakes?|kicks?|pries?|push(?:es)?) (?:\w+ )?(?:off|away|loose)"
    r"|gets? (?:out|away|loose|free)|broken|free[ds]?)\b",
    re.IGNORECASE,
)
HELD = re.compile(
    r"\b(?:wrap\w*|coil\w*|entangl\w+|tangl\w+|bound|caught|snar\w+|hold|holds|held|chok\w+|strangl\w+|grip\w*|pinn\w+"
    r"|tied|trapp\w+|loop\w*|lash\w*|wound around)\b",
    re.IGNORECASE,
)
OF_A_HOLD = re.compile(
    r"\b(?:legs?|arms?|neck|throat|hold|entangle\w*|coils?|grip|himself|herself|itself)\b", re.IGNORECASE
)
DEFENDS = re.compile(
    r"\b(?:brac\w+|full(?:y)? (?:defen\w+|guard)|defends? (?:fully|only|with all)|(?:nothing but|only) defen\w+"
    r"|turtl\w+|on the defensive|guard up|all[- ]out defen\w+|full defen[cs]e)\b",
    re.IGNORECASE,
)
TOGETHER = re.compile(
    r"\b(?:simultaneous\w*|same (?:time|moment|instant|breath)|both (?:strike|attack|swing|lunge)"
    r"|trade blows|together)\b",
    re.IGNORECASE,
)
GIVES_UP = re.compile(
    r"\b(?:drops?|abandon\w*|gives? up|leaves?|breaks?|lowers?)\b[^\n.]{0,30}\b(?:guard|defen[cs]e|stance)\b",
    re.IGNORECASE,
)
CALLED = re.compile(
    r"\b(?:automatic(?:ally)?|I (?:rule|call|judge)|ruling|judge'?s call|counts as|no roll needed)\b", re.IGNORECASE
)
#: A signed number; `5 - 10` counts from one to the other.
SIGNED = re.compile(r"(?<![\w.])(\+|(?<!\d )-)[ ]?(\d{1,4})\b(?![ ]*[=%])")
#: Behind an amount of money, people, length or time: it is no modifier.
_NO_UNIT = (
    r"(?![ ](?:silver|gold|copper|coin|crown|mark|shilling|pound|dollar|credit|people|men|pace|step|inch|foot|feet|yard"
    r"|met(?:re|er)|mile|time|minute|hour|day|week|month|year)(?:s|es)?\b|[ ]pence\b)"
)
#: Behind an amount no word stands that it counts: `gives him ten`, `10 to the strike`, but not `ten reasons`.
_NO_COUNT = (
    r"(?![ ](?!(?:to|on|off|for|from|in|against|at|of|with|by|per|and|or|but|as|when|while|this|here|now|because|since"
    r"|more|less|extra|again|too|today|only|until|if|so|point|bonus|penalty|malus|his|her|its|their|the|each|both|agility|reflex"
    r"|strength|durability|defen[cs]e|magic|resistance|agi|ref|str|dur|mag|res|hit|damage)(?:e?s)?\b)\w)"
)
NAMED_AMOUNT = re.compile(
    rf"\b(?:bonus|penalty|modifier|malus|handicap)\b[^\d\n.]{{0,20}}\b(\d{{1,4}})\b{_NO_UNIT}"
    rf"|\b(?:minus|plus|extra)\b[^\d\n.]{{0,20}}\b(\d{{1,4}})\b{_NO_COUNT}"
    rf"|\b(\d{{1,4}})[ ](?:points? )?(?:bonus|penalty|harder|easier|to hit)\b{_NO_UNIT}"
    rf"|\b(\d{{1,4}})[ ](?:points? )?(?:more|less|extra|off)\b{_NO_COUNT}",
    re.IGNORECASE,
)
#: Amounts behind a verb, in figures or words: `dust costs Sedrik ten`.
COSTS = re.compile(
    r"\b(?:costs?|grants?|gives?|adds?|earns?|lends?|takes)\b[^\d\n.]{0,25}?\b(\d{1,4}|five|ten|fifteen|twenty)\b"
    rf"{_NO_COUNT}",
    re.IGNORECASE,
)
IN_WORDS = {"five": 5, "ten": 10, "fifteen": 15, "twenty": 20}
#: What becomes of a thing that counts no more, or again.
CHANGES = re.compile(
    r"\b(?:off|on|out|away|down|back|again|without|lo(?:ses?|st)|gone|drop\w*|remov\w+|puts?|takes?|took|tak(?:en|ing)|slip\w*"
    r"|dead|dark|dies|died|fail\w*|brok\w+|breaks|crack\w*|disabl\w+|unplug\w*|pull\w*|tears?|tore|torn|rip\w*|switch\w*"
    r"|swap\w*|draw\w*|drew|drawn|sheath\w*|dons?|donned|un?equip\w*|equip\w*|wears?|worn|wearing|(?:de|re|in)?activ\w+"
    r"|works?|power\w*|stow\w*|leaves|left|throw\w*|threw|thrown|counts?|ignor\w+|fall\w*|fell|flies|flew|spark\w*"
    r"|flicker\w*|short\w*|jam\w*|damaged?|useless|burn\w*|fries|fried|reboot\w*|restor\w+|repair\w*|no longer)\b",
    re.IGNORECASE,
)
#: Where one sentence ends and the next begins.
SENTENCE = re.compile(r"(?<=[.!?;])[\"')\]]*\s+")
SQUEEZES = re.compile(r"\b(?:grip\w*|tighten\w*|squeez\w+|chok\w+|strangl\w+|hold|holds|throat)\b", re.IGNORECASE)
#: A judge takes something back.
TAKES_BACK = re.compile(
    r"\b(?:void|undo\w*|undone|takes? (?:that|it) back|ignore|disregard|re-?do|(?:does not|doesn't) count|nullif\w+)\b",
    re.IGNORECASE,
)
#: Lines of a round, for posts of somebody who judges in another's place.
ROUND_LINE = re.compile(r"\b(?:damage|hp)\b", re.IGNORECASE)
#: What a line of damage or HP comes to: `= 51 -> 20`, `HP: Sedrik 120 -> 87`.
BEHIND_ARROW = re.compile(r"(?P<old>\d{1,6})?\s{0,3}(?:->|=>|\u2192)\s{0,3}(?P<new>\d{1,6})\W{0,9}$")
HEALED = re.compile(
    r"\b(?:heal\w*|regain\w*|repair\w*|restor\w*|recover\w*|mend\w*)\b[^\d\n.]{0,40}\b(\d{1,4})\b", re.IGNORECASE
)
_ELEMENTS = r"\b(?:affinit\w+|fire|water|earth|air|lightning|ice|light|dark)\b"
#: An element with its number: `Dark affinity counts 7`, `7 more from fire`; not `off into the dark; 7 links`.
AFFINITY = re.compile(
    rf"{_ELEMENTS}[^.,;:!?\d\n]{{0,25}}\b(\d{{1,4}})\b|\b(\d{{1,4}})\b[^.,;:!?\d\n]{{0,25}}{_ELEMENTS}", re.IGNORECASE
)
ABOUT_HP = re.compile(r"\d|\b(?:hp|damage|attack|hit|round|judg\w+)\b", re.IGNORECASE)
NUMBER = re.compile(r"\d{1,4}")
