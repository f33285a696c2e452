"""Topics of the arena that posts tell of in words, as patterns for one sentence (see `told`)."""

from __future__ import annotations

import re
from functools import lru_cache

from referee.ports.topics import topic, without_article

BINDS = topic(
    r"bind(?:s|ing)?|bound(?![ ](?:for|to[ ](?:be|happen|fail|win|lose|end|come|go|get|break|hurt|find|know|do|have)"
    r"|by[ ](?:oath|honou?r|law|duty|word))\b)|unbound"
    r"|entangle[sd]?|tangled|untangle[sd]?|ensnare[sd]?|snare[sd]?|shackle[sd]?"
    r"|unshackle[sd]?|hobble[sd]?|fetter(?:s|ed)?|manacle[sd]?|immobili[sz]e[sd]?|rooted|pinned|tied[ ]up"
    r"|stuck[ ]fast",
    r"(?:wrap|coil|wind|clos|tighten|lock)(?:s|es|ed)?[ ](?:\S+[ ]){0,2}(?:around|round|about|on)",
    r"(?:creeps?|crept|climbs?|crawls?)[ ](?:up|around)",
    r"(?:hold|grip|grab|trap|pin|catch|seize|chain|rope|tie)(?:s|es)?[ ](?:\S+[ ]){0,2}(?:legs?|arms?"
    r"|torso|head|feet|foot)",
    r"bind[ ]?level|(?:legs?|arms?|torso|head)[ ](?:\S+[ ]){0,4}(?:level|lv\.?)[ ]?\d",
    r"(?:vines?|ropes?|chains?|bonds?|bindings?|webs?|coils?|nets?|knots?)[ ](?:\S+[ ]){0,3}"
    r"(?:wither|fall|fell|drop|snap|break|broke|tear|tore|come|came|let|loosen|slip|slacken|burn|burst"
    r"|melt|crumble)\w*",
    r"(?:cuts?|slices?|tears?|rips?|shakes?|strips?|burns?|hacks?|pulls?)[ ](?:\S+[ ]){0,3}"
    r"(?:vines?|ropes?|chains?|bonds?|bindings?|webs?|coils?|nets?|knots?)",
    r"(?:is|are|was|now|wriggles|wrestles|slips|breaks|pulls|tears|shakes|sets|cuts"
    r"|gets)[ ](?:\S+[ ]){0,2}(?:free|loose)",
    r"spill(?:s|ed)?[ -]?over|(?:slips?|slipped|wriggles?|wriggled)[ ](?:out|away)",
)
STANCES = topic(
    r"stand(?:s|ing)?[ ](?:stock[ -])?(?:still|firm|fast|her|his|its|their)|stands?[ ](?:his|her|its|their)[ ]ground"
    r"|stock[ -]?still",
    r"(?:plants?|planted|sets?|braces?)[ ](?:her|his|its|their)[ ](?:feet|boots|heels|legs)"
    r"|feet[ ](?:are[ ])?planted",
    r"(?:holds?|keeps?|held)[ ](?:her|his|its|their)[ ]ground|stays?[ ](?:put|still)|digs?[ ]in|motionless",
    r"(?:does|has|did|do)[ ](?:not|n't)[ ](?:budge|move)\w*|doesn't[ ](?:budge|move)|never[ ]moves|(?:not"
    r"|n't)[ ]moved",
    r"(?:roots?|rooted)[ ](?:her|him|it|them)self|frozen|freezes|stunned|paraly[sz]ed|asleep",
    r"stops?[ ]moving|keeps?[ ]moving|stays?[ ](?:on[ ]the[ ]move|in[ ]motion|mobile|light)|dodg(?:es|ing)"
    r"|weav(?:es|ing)",
)
_SAYING = r"|[ ](?:is[ ](?:for|how|what)|gets|kills|means|never|would|will|won't)\b"
#: The same of somebody who is not named: the author's own, not the crowd that stands still, and not what standing
#: still is for.
OWN_STANCE = re.compile(
    rf"(?:^\W*|\b(?:she|he|they|I)\b[^.!?;:(]{{0,60}}[ ])(?:{STANCES.pattern[5:-3]})\b(?![ ]?:{_SAYING})", re.IGNORECASE
)
DEFENDS = topic(
    r"def(?:en[sc]e)?|AC|armou?r|cover|shield(?:s|ed)?|ward(?:s|ed)?|barrier|bless(?:es|ed|ing)?"
    r"|evasion",
    r"side[- ]?steps?",
)
BONUS = topic(
    r"to[ ]hit|bonus|weapon|blade|sword|fists?|unarmed|attack|high[ ]ground|aid(?:s|ed)?|help(?:s|ed)?"
    r"|advantage|bless(?:es|ed|ing)?"
    r"|flank\w*|aim\w*|modifier"
    r"|penalty|distract\w*|rage|boost\w*|buff\w*|damage|dmg|strength|weak\w*|power\w*"
)
FREE = topic(
    r"free[ ](?:attack|strike|swing|hit|blow|shot)|(?:uses?|takes?|seizes?|wastes?|misses)[ ](?:the|its"
    r"|her|his|that|this)"
    r"[ ](?:opening|chance|opportunity)|opportunity|punish(?:es|ed)?|forgo(?:es)?|spares?|lets?[ ]\S+[ ](?:off|go)"
    r"|(?:not|n't)[ ](?:use|take)[ ](?:its|the|her|his|that|this)[ ](?:opening|chance|opportunity|attack)"
)
ITSELF = topic(r"itself|himself|herself|themselves|(?:its|his|her)[ ]own|backfire[sd]?|rebounds?")
INSTEAD = topic(
    r"instead|chang(?:es|ed)[ ](?:\S+[ ]){0,2}(?:mind|target|plan)|switch(?:es|ed)[ ](?:targets?|to|over)"
    r"|turns?[ ](?:to|on)|retarget\w*|rather"
    r"|new[ ]target|(?:another|other|different)[ ](?:target|one|plan)|out[ ]of[ ](?:sight|reach|range)"
    r"|already[ ](?:down|dead|out|gone|fallen)|picks[ ](?!up)|chooses"
)
TURN = re.compile(
    r"\b(?:turn|round|T|R)[ ]?#?(?P<after>\d{1,2})\b"
    r"|\b(?P<before>\d{1,2}|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?:st|nd|rd"
    r"|th)?[ ](?:own[ ])?(?:turn|round)\b",
    re.IGNORECASE,
)
RENEWED = topic(
    r"cool[- ]?downs?|recharge[sd]?|refill\w*|refresh\w*|reset\w*|ready[ ]again|(?:finds?|found|gets?|got"
    r"|draws?|takes?|has)"
    r"[ ](?:another|one[ ]more|a[ ](?:new|second|spare))|spare|replenish\w*|reload\w*"
)
HARMLESS = topic(
    r"disarm(?:s|ed)|defuse[sd]?|(?:no|without)[ ](?:more[ ])?traps?|traps?[ ](?:\S+[ ]){0,2}(?:off|gone"
    r"|disabled|disarmed|spent|safe)"
    r"|(?:jumps?|leaps?|hops?|flies)[ ](?:\S+[ ])?(?:over|it|clear)|floats?|levitat\w*|(?:frees?|freed)[ ]\S+"
)
RESULTS = topic(
    r"re-?rolls?|re-?rolled|automatic(?:ally)?|auto-?(?:hit|miss)|illusion|decoy|(?:her|his|its)[ ]luck|lucky[ ]charm"
)
#: An addend that says what it is for, in a tag: `+ 1 (high ground)`.
LABELLED = re.compile(r"(?P<sign>[-+])[ ]?(?P<n>\d{1,3})[ ]?\([ ]?(?P<label>[^()\d]{3,40})\)")
SIGNED = re.compile(r"[-+\u2212][ ]?(?P<n>\d{1,3})\b")


@lru_cache(maxsize=256)
def stance_of(name: str) -> re.Pattern[str]:
    """A stance of somebody who is named right before it: `Vesna stands still`, `the golem freezes`."""
    name = without_article(name)
    words = [word for word in name.split() if not word.isdigit()] or [name]
    forms = "|".join(re.escape(form) for form in dict.fromkeys((name, words[0], words[-1])))
    return re.compile(rf"\b(?:{forms})\b[^.!?;:(]{{0,60}}?\b(?:{STANCES.pattern[5:-3]})\b", re.IGNORECASE)


#: A blow or its damage is taken back.
RETRACTED = topic(
    r"ignore[ ](?:that|this|the|my|its|his|her)[ ](?:last[ ])?(?:hit|attack|blow|damage|roll|strike)",
    r"(?:never|didn't|did[ ]not)[ ](?:happen|hit|connect)(?:ed)?|doesn't[ ]count|does[ ]not[ ]count",
    r"ret-?con(?:n?ed|s)?|undo(?:ne|es)?|take[ ](?:it|that)[ ]back|taken[ ]back|scratch[ ]that|strike[ ]that",
    r"(?:can't|cannot|couldn't|could[ ]not)[ ]reach",
)
