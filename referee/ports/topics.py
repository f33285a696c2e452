"""Topics that any battle may tell of in words, as patterns for one sentence (see `referee.ports.telling`).

They are strict: a sentence that merely paints the scene is on none of them.
"""

from __future__ import annotations

import re

_ARTICLE = re.compile(r"\Athe[ ]+(?=\S)", re.IGNORECASE)


def topic(*words: str) -> re.Pattern[str]:
    """A topic that any of these phrases opens, in any case, at the borders of words."""
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


#: Somebody who may do so decides something, or a rule is set aside.
ALLOWED = topic(
    r"(?:GM|DM|game[ ]?master|judge|staff|referee|admin|mods?)(?:'s)?[ ](?:has[ ]|have[ ])?"
    r"(?:said|says|allow(?:s|ed)?|rul(?:es|ed|ing)|gave|gives|grant(?:s|ed)?|agreed|ok(?:'d|ayed)?|confirmed)",
    r"house[ ]?rules?",
    r"you[ ](?:may|can)[ ](?:pick|take|choose|re-?roll|act|attack|use)",
    r"(?:may|can)[ ](?:act|attack|go|move)[ ](?:again|twice)",
    r"take[ ]another[ ](?:turn|action)",
)

#: What somebody regains without any HP.
_POISE = (
    r"(?![ ](?:\S+[ ]){0,2}(?:balance|footing|composure|breath|calm|senses|grip|stance|voice|wits|nerve|poise|temper"
    r"|ground|rhythm|feet|smile|order|silence|peace|throne|faith|hope)\b)"
)

#: HP come back.
HEALS = topic(
    r"heal(?:s|ed|ing)?",
    rf"(?:regain(?:s|ed)?|recover(?:s|ed)?|restor(?:es|ed))\b{_POISE}|regenerat(?:es|ed|ion)",
    r"mend(?:s|ed)?[ ](?:her|him|his|it|its|them|their|the[ ]wounds?|everyone|everybody|all|both|(?-i:[A-Z])\w+)",
    r"(?:drinks?|drank|gulps?|quaffs?|swallows?|sips?|downs)[ ](?:down[ ])?(?:an?|the|her|his|its|their"
    r"|one|another)[ ]"
    r"(?:\w+[ ]){0,2}(?:potion|tonic|elixir|draught|vial|flask|phial)",
    r"(?<!need[ ])(?<!needs[ ])(?<!want[ ])(?<!wants[ ])(?<!without[ ])"
    r"(?:an?|one)[ ](?:\w+[ ]){0,2}potion(?![ ](?:bottle|seller|shop|stall|label|bag|belt|cork))",
    r"(?:binds?|bound|dress(?:es)?|bandages?|patche[sd]|stitche[sd]|licks?)[ ](?:\S+[ ]){0,3}wounds?",
    r"(?:they|and|takes?[ ]a)[ ]rests?|after[ ]a[ ](?:rest|night)|at[ ]the[ ]inn",
    r"rested(?![ ](?:her|his|its|their|the|an?|on|upon|against|between|in)\b)",
    r"(?<!not[ ])(?<!n't[ ])(?<!never[ ])(?<!hardly[ ])(?<!barely[ ])slept(?![ ](?:badly|poorly|little)\b)",
    r"(?:back[ ](?:at|to)|at|to)[ ]full(?:[ ](?:health|HP|strength))?",
    r"knits?[ ](?:\S+[ ]){0,2}(?:together|up)",
    r"wounds?[ ](?:close|heal|knit)",
)

#: Somebody who was down, or somebody new, is there again.
RETURNS = topic(
    r"reviv(?:es|ed|al)|resurrect(?:s|ed|ion)|phoenix|raise[sd]?[ ]from[ ]the[ ]dead",
    r"back[ ](?:to|on)[ ](?:her|his|its|their)[ ]feet|(?:is|are|was)[ ]back[ ]up|comes?[ ]to(?=[.,!])",
    r"(?:rises?|rose|stands?|stood|gets?|got|wakes?|woke)[ ](?:up[ ])?(?:once[ ])?(?:again|anew|from[ ]the[ ]rubble)",
    r"brings?[ ](?:\S+[ ]){1,3}back",
    r"reinforcements?|second[ ]wave|another[ ]wave|next[ ]wave|one[ ]more[ ]enemy|new[ ]enem(?:y|ies)",
)

#: Behind a word of shielding: what is kept off, whom it would have met, or nothing.
_OFF = (
    r"(?=[ ]*(?:[.,;:!?)(-]|$)|(?:[ ]\S+){0,5}?[ ](?:blows?|hits?|strikes?|attacks?|damage|dmg|impact|force|brunt"
    r"|worst|most|half|slam|fists?|it|her|him|them|\d{1,4}|(?-i:[A-Z])\w*)\b)"
)

#: A blow falls on somebody else, or not in full.
SHIELDS = topic(
    r"(?:throws?|threw|hurls?|flings?|puts?)[ ](?:her|him|it|them)sel(?:f|ves)[ ](?:in|before|between|over)",
    r"(?:steps?|stepped|jumps?|jumped|leaps?)[ ]"
    rf"(?:in[ ](?:front|between|the[ ]way)|before|between|in[ ]the[ ]path)\b{_OFF}",
    r"(?:takes?|took)[ ](?:it|the[ ](?:hit|blow|damage|strike))"
    r"(?![ ](?:of|all[ ]in|in[ ]stride|slow|slowly|easy|back|from|for[ ]granted|personally|upon|out|off)\b)",
    r"takes?[ ](?:half|only)",
    rf"(?:intercept|absorb|deflect|shield|parrie|resist|guard)(?:s|ed)\b{_OFF}|parry|immune|immunity",
    rf"soak(?:s|ed)(?![ ](?:through|to|in|with|from)\b)\b{_OFF}",
    r"halve[sd]?|half[ ](?:the[ ]|of[ ]the[ ])?damage",
    r"(?:her|his|its|the|a)[ ](?:magic[ ])?(?:shield|barrier|ward)",
    r"(?:draws?|drew)[ ](?:\S+[ ]){0,3}attention|taunts?|bodyguards?",
)

#: Damage counts more than once.
DOUBLES = topic(
    r"doubl(?:e|es|ed)[ ](?:the[ ])?damage|twice[ ]the[ ]damage|vulnerable|weak(?:ness)?[ ](?:to|against)",
    r"damage[ ](?:is|was)[ ](?:doubled|tripled)|tripl(?:e|es|ed)[ ](?:the[ ])?damage",
)

#: What a trap or poison does to somebody, or somebody to it; a mere mention of it hurts nobody.
_HARM = (
    r"(?:bit(?:es?)?|bleed|burn|catch|caught|claim|clip|cost|cours|cut|deal|drain|eat|fall|fell|gets?|gnaw"
    r"|goes[ ]off|got|graz|hit|hurt|los[et]|melt|pierc|ran|rip|runs?|sap|scorch|sear|seep|snap|splash|spread"
    r"|sprang|spring|sprung|stab|step|sting|stuck|stung|strik|struck|stumbl|tak|tear|tick|took|tore|tread"
    r"|trigger|trod|walk|went[ ]off|work|wound)\w*"
)
_BANE = r"(?:poisons?|venom|acid|curses?|traps?|spikes?|caltrops|lava)"

#: Damage that follows from no attack.
AFFLICTS = topic(
    rf"{_BANE}\b[^.!?]{{0,60}}?\b{_HARM}|{_HARM}\b[^.!?]{{0,60}}?\b{_BANE}",
    # Whoever only curses under his breath is not hurt.
    r"(?:is|are|was|were|been|feels?|gets?|got)[ ]cursed|cursed[ ](?:by|with|her|him|it|them|(?-i:[A-Z])\w+)",
    r"poison(?:ed|ous)|burning|is[ ]on[ ]fire|bleeds?[ ]for",
    r"(?:ceiling|roof|rocks?|rockfall|debris)[ ](?:falls?|comes?|hits?|crush(?:es)?)",
)

_VERB = (
    r"(?:smash(?:es|ed)|slam(?:s|med)|hits?|struck|strikes?|kick(?:s|ed)|punche[sd]|slashe[sd]|stab(?:s"
    r"|bed)|cuts?|bit(?:es)?"
    r"|burn(?:s|ed|t)|shoots?|shot|bashe[sd]|hurts?|wound(?:s|ed)|crashe[sd]|claw(?:s|ed)|rak(?:es|ed)|maul(?:s|ed)"
    r"|catch(?:e[sd])?|caught|clips?|clipped|grazes?|grazed|swings?[ ](?:\S+[ ]){0,3}at|lunges?[ ]at)"
)


def without_article(name: str) -> str:
    """A name without the article that it begins with, as in `the Warden`: no `the` of a sentence names somebody."""
    return _ARTICLE.sub("", name)


def blow(name: str) -> re.Pattern[str]:
    """A blow told without its number at somebody: `smashes into Vesna`, never `hit back harder than Vesna`.

    Of a numbered name also at all of its kind: `catches both rats`.
    """
    name = without_article(name)
    words = name.split()
    kind = rf"|(?:both|all)[ ](?:\S+[ ])?{re.escape(words[-2])}s" if len(words) > 1 and words[-1].isdigit() else ""
    whom = rf"(?:{re.escape(name)}{kind})"
    return re.compile(rf"\b{_VERB}[ ](?:(?:into|in|at|on|the)[ ]){{0,2}}{whom}\b", re.IGNORECASE)


def blow_by(name: str) -> re.Pattern[str]:
    """A blow at close quarters that somebody is told to strike: `Golem 1 swings at her`, `struck by the golem`.

    Of a numbered name its kind is enough. What merely compares is none: `hit back harder than the golem ever had`.
    """
    name = without_article(name)
    words = [word for word in name.split() if not word.isdigit()] or [name]
    short = "|".join(re.escape(form) for form in dict.fromkeys((" ".join(words), words[0], words[-1])))
    who = rf"(?:{re.escape(name)}|(?:{short})(?![ ]?#?\d))\b"
    acts = rf"\b{who}[^.!?;:]{{0,60}}?\b{_VERB}\b"
    return re.compile(
        rf"{acts}|\b{_VERB}\b[^.!?;:]{{0,60}}?\b(?:by|from)[ ](?:the[ ])?{who}",
        re.IGNORECASE,
    )


#: Words that go with damage told as a number: `takes 6 damage`, `for six`.
HURT = topic(
    r"(?:lost|loses?|takes?|took|suffers?)[ ]another[ ]\d{1,4}",
    r"damage|dmg|\d{1,4}[ ](?:HP|hit[ ]?points?)[ ](?:gone|lost|less)|costs?[ ](?:\S+[ ])?\d{1,4}[ ]HP",
    r"for[ ](?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=[ ]?(?:HP|[.!,;)]|and|$))",
    r"(?:takes?|took|loses?|lost|suffers?|suffered|minus)[ ](?:another[ ])?"
    r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=[ ]?(?:HP|[.!,;]|$))",
)
