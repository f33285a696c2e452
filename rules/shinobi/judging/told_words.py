"""Words by which players tell, without a tag, what a turn holds: rolls, losses, modifiers, guards, headings."""

from __future__ import annotations

import re

from rules.shinobi.lexicon import POOL

DEFENDS = (
    r"\b(?:dodg|evad|weav|duck|sidestep|side-step|block|parr|avoid|slip|hit\b|hits\b|crit|to hit\b|chance\b|need)[a-z]*"
)
#: Up to the end of a sentence; what a story counts in the next one are no rolls.
WITHIN = r"(?:[^\d\n.!?]|[.!?](?![\"']?[ ])){0,80}"
#: Rolls in words: `rolled 71 and 80`, `weaves between them: 71 and 80`, `dodges (80 vs 50)`, `50%: 71, 80`.
ROLLS = re.compile(
    r"\broll(?:s|ed|ing)?[ ]?[:=]?[ ](?:an?[ ])?\d{1,3}\b(?![ ]?(?:%|(?!and\b)[a-z]{3}))"
    r"|\bneeds?\b[^\d\n]{0,30}\d{1,3}[ ]?%?[^\d\n]{0,20}[:;,(-][ ]?\d{1,3}\b"
    rf"|{DEFENDS}{WITHIN}[:(=][ ]?\d{{1,3}}(?![\d%])"
    r"(?:[ ]?(?:[,;]|and|&|/|vs\.?|against|over|>)[ ]?\d{1,3}\b|[ ]?\))"
    rf"|{DEFENDS}{WITHIN}\b\d{{1,3}}[ ]?(?:vs\.?|against|over|>)[ ]?\d{{1,3}}\b"
    r"|\b\d{1,3}[ ]?%[^\d\n]{0,40}[ :,]\d{1,3}(?![\d%])(?:[ ]?(?:[,;]|and|&|/)[ ]?\d{1,3}\b|\W*$"
    r"|\W{1,4}(?:dodge|block|hit|crit|miss))",
    re.IGNORECASE,
)
ROLLING = re.compile(rf"\broll|\bd100\b|{DEFENDS}|%", re.IGNORECASE)
#: A bracket of outcomes and nothing else: `[Dodged both]`, `[Hit, dodged]`.
OUTCOMES = re.compile(
    r"[\[(][ ]?(?:(?:i|he|she|they|both|all|the|and|then|first|second|third|one|two|fully|completely|attacks?|kicks?"
    r"|punche?s?|[A-Z][a-z]{1,20})[ ,;:]{1,3}){0,4}"
    r"(?:dodge[ds]?|evade[ds]?|block(?:ed|s)?|hits?|miss(?:ed|es)?|crit(?:ical)?)\b[^\]\d()]{0,40}[\])]",
    re.IGNORECASE,
)
ENDS = re.compile(
    r"\b(?:end(?:s|ed|ing)?|fad\w+|clos\w+|drop\w*|releas\w+|deactivat\w+|lets?|stop\w*|off|away|no longer|cancel\w*"
    r"|ceas\w+|vanish\w*|dispel\w*|dismiss\w*|gone|over|cured?|heals?|spits?)\b",
    re.IGNORECASE,
)
LINGERS = re.compile(r"\b(?:poison|venom|bleed|burn|wound|damage over time|dot)\w*\b", re.IGNORECASE)
AMOUNT = re.compile(rf"(?<![\d/])(\d{{1,6}})[ ]?(?:(?:more|extra)[ ])?(?:points?[ ]of[ ])?({POOL})\b", re.IGNORECASE)
AMOUNT_BEHIND = re.compile(rf"\b({POOL})[ ]?[:=]?[ ]?[+-][ ]?(\d{{1,6}})\b", re.IGNORECASE)
#: A Loss Tag in words or in another shape: `loses 20 HP and nothing else`, `HP: 80/100, CHK: 60/60`, `HP 80 (-20)`.
LOSS = re.compile(
    r"^\W{0,4}(?:total[ ])?(?:loss(?:es)?|lost)\b(?:[ ](?:tag|this[ ]turn))?[ ]?[:=-]?[^\n]{0,60}"
    r"(?:\d|\bnone\b|\bnothing\b)"
    r"|\b(?:loses?|lost|losing|spends?|spent|takes|took|no loss)[ ](?:but[ ])?\d{1,6}[ ]?(?:points?[ ]of[ ])?"
    rf"{POOL}\b"
    r"|\b(?:total|no)[ ]loss\b[^\n]{0,60}\b(?:hp|health|chakra|stamina)\b"
    rf"|^\W{{0,4}}{POOL}\b[ ]?[:=]?[ ]?\d{{1,6}}[ ]?(?:/|->|=>|\u2192|\()[ ]?-?\d"
    r"|^\W{0,4}(?:[+-]\d{1,6}|0)(?:[ ]?(?:hp|health))?[ ]?[/|,;][ ]?(?:[+-]\d{1,6}|0)\b[^\n]{0,12}"
    r"[/|,;][ ]?(?:[+-]\d|0\b)",
    re.IGNORECASE,
)
#: What is lost of a pool, or counted in a story (`- 4 more in the pouch`), is no damage and no chance to hit.
_NO_AMOUNT = (
    r"(?![ ]?(?:ch|chk|chakra|cp|sta|stam|stm|sp|stamina|coins?|gold|ryo)\b)"
    r"(?![ ](?:more|less|extra)[ ](?:his|her|their|in|of|at|left|up|before|behind|below|above)\b)"
)
SIGNED = re.compile(rf"(?<![\w.])([+-])[ ]?(\d{{1,4}})\b(?![ ]*[=]){_NO_AMOUNT}", re.IGNORECASE)
NAMED_AMOUNT = re.compile(
    r"\b(?:bonus|penalty|modifier|minus|plus|base|extra|raises?|adds?|takes?|costs?)\b[^\d\n.]{0,20}\b(\d{1,4})\b"
    rf"{_NO_AMOUNT}"
    r"|\b(\d{1,4})[ ]?(?:%[ ])?(?:points?[ ])?(?:bonus|penalty|more|less|extra|harder|easier|off)\b"
    r"(?![ ](?:his|her|their|in|of|at|left|up|before|behind|below|above)\b)",
    re.IGNORECASE,
)
GUARDS = re.compile(
    r"\b(?:guard|protect|shield|cover)(?:s|ed|ing)?\b"
    r"|\b(?:in front of|in the way of|(?:hit|blow) for)\b",
    re.IGNORECASE,
)
#: Somebody posts in another's place: `Posting for Kaito, who is away`.
BEHALF = re.compile(
    r"\W{0,6}(?:(?:i(?:'m| am)[ ])?(?:posting|playing|moving|writing)[ ](?:this[ ])?(?:for|as)"
    r"|(?:posted[ ])?on[ ]behalf[ ]of)[ ](?P<who>[^\n,.:;()\[\]-]{1,60})",
    re.IGNORECASE,
)
#: A heading of a phase in other words: `Attack:`, `(Action Phase)`, `Setup: none. Main: ...`.
HEADING = re.compile(
    r"(?:^|[.;|,/])[^\w\n]{0,6}(?:main|attack|attacks|action|offen[cs]e|combat|strike|battle)(?:[ ](?:phase|action))?"
    r"[^\w\n]{0,6}(?:[:=]|$)|\b(?:attack|action|offen[cs]e|offensive|combat)[ ]phase\b",
    re.IGNORECASE | re.MULTILINE,
)
