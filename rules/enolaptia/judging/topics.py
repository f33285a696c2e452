"""Topics of this system that posts tell of in words, as patterns for one sentence (see `told`)."""

from __future__ import annotations

import re

from referee.ports.topics import topic

EXCEPTION = topic(
    r"map[ ]?book|special[ ]event|event[ ](?:battle|weekend|monsters?)|for[ ]any[ ]roll|whatever[ ]the[ ](?:roll|die)"
    r"|(?:lured?|summon(?:s|ed))[ ]"
)
#: What goes with a tie of a battle turn, never `the tie around his neck`.
_SETTLES = (
    r"(?:first|last|roll\w*|d6|die|dice|go(?:es)?|w[io]ns?|los(?:es?|t)|settl\w+|br[eo]ak\w*|broken?|decid\w+|choos\w+|chose"
    r"|same|again|stays?|ke(?:ep|eps|pt)|order|speed|before|between|with|party|\d{1,3})"
)
TIE = topic(
    r"tie-?break\w*|tying",
    rf"tie[sd]?\b[^.!?\n]{{0,60}}?\b{_SETTLES}",
    rf"{_SETTLES}\b[^.!?\n]{{0,60}}?\btie[sd]?",
    r"(?:is|are|was|were)[ ](?:\w+[ ])?tied",
)
TIE_KEPT = re.compile(
    r"\btie[sd]?\b[^\n\d]{0,30}\b(?:as[ ]before|kept|same|still|again|as[ ]above|last[ ]turn)\b", re.IGNORECASE
)
SWIFT = topic(
    r"hasted?|slowed[ ]by|(?:\w+'s|her|his|its|their|has|gives?|Speed)[ ]speed|speed[ ](?:of[ ])?\d{1,3}|initiative"
    r"|(?:are|is|were|was)[ ](?:surprised|asleep|stunned|caught[ ]off[ ]guard)|by[ ]surprise|ambush(?:es"
    r"|ed)?|first[ ]strike"
    r"|(?:go|goes|move|moves|act|acts|strike|strikes)[ ](?:first|last|before|after)"
    r"|lets?[ ](?:(?-i:[A-Z])\S*|her|him|them|it|us|me|you|the[ ]\w+(?=[ ]\w+[ ]first))[ ]"
    r"(?:\S+[ ]){0,3}(?:first|pass|go)"
    r"|waits?[ ]for[ ]the|holds?[ ]back|delays[ ](?:her|his|its|their)|swap\w*[ ]places"
)
#: Who in a sentence without a name may be somebody of the battle.
THEY = topic(
    r"they|them|their|she|her|he|him|his|we|us|our|I|my|it|its|everyone|everybody|all|both|creatures?|enem(?:y|ies)"
    r"|monsters?|beasts?|foes?|party|initiative|speed"
)
WAITS = topic(r"waits?[ ]for[ ]the")
AGAIN = topic(
    r"(?:attack|attacks|move|moves|act|acts|strike|strikes|hit|hits)[ ](?:\S+[ ])?twice"
    r"|second[ ](?:attack|move|go|strike)(?![ ](?:of|at)\b)"
    r"|extra[ ](?:attack|move|turn|action|go)|another[ ](?:go|attack|move|turn)(?![ ](?:done|over|gone|down))"
    r"|hasted?|two[ ](?:attacks|moves)"
    r"|double[ ](?:attack|move)"
)
#: Another turn begins; only in a post without an order of its own.
NEXT = topic(
    r"(?<!me[ ])(?<!us[ ])(?<!you[ ])(?:next|new)[ ](?:battle[ ])?(?:turn|round)"
    r"(?![ ](?:is[ ](?:mine|yours|on)|of[ ]|on[ ](?:me|us|him|her|the[ ]house)|pls|please))"
    r"|(?:turn|round)[ ](?:\d|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"|(?:second|third|fourth|fifth|sixth)[ ](?:turn|round)(?![ ](?:of|in|on)[ ]the[ ](?!battle|fight|combat))"
    r"|(?:same|usual)[ ]order|order[ ](?:stays"
    r"|as[ ](?:before|above))"
)
ESCAPES = topic(
    r"smoke[ ]?(?:bomb|screen|pellet)|escape[ ](?:rope|item|stone|charm)|flash[ ]?(?:bomb|powder)"
    r"|automatically[ ](?:escapes?|succeeds?)"
    r"|always[ ](?:succeeds|works)|sure[ ]escape|guaranteed"
)
#: A double post, somebody doubled over.
_NO_BLOW = r"(?![ -](?:post|check|ta[kp]|click|spac|edg|over|up)\w*)"
STRONGER = topic(
    rf"(?-i:AT)|damage|dmg|strength|glow\w*|rage|boost\w*|buff\w*|doubl\w+{_NO_BLOW}|tripl\w+|halv\w+|weaken\w*"
    r"|armou?r|thick[ ]\w+|resist\w*"
    r"|bonus|enchant\w*|battle[ ]cry|bless(?:ed|ing)"
    # Dice that are said to be cursed strike nobody.
    r"|(?<!dice[ ]are[ ])(?<!rolls[ ]are[ ])(?<!die[ ]is[ ])(?<!luck[ ]is[ ])(?<!roller[ ]is[ ])"
    r"cursed?(?![ ](?:dice|die|rolls?|roller|luck))"
)
#: Words of blows that only tell them again, unless something adds to them or takes from them.
RETOLD = topic(r"damage|dmg|(?-i:AT)")
CHANGED = re.compile(
    r"\b(?:extra|bonus|more|less|plus|minus|additional|instead|reduc\w+|increas\w+|rais\w+|lower\w*|adds?|gives?|lends?"
    r"|for[ ]this)\b|[+-][ ]?\d",
    re.IGNORECASE,
)
_COUNT = (
    r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty)\b"
)
_WORDS_OF_BLOWS = (
    r"(?:by|adds?|added|plus|minus|AT|is|are|was|of|to|for|from|off|absorb\w*|soak\w*|block\w*|reduc\w+|takes?|took|gives?"
    r"|gave|deals?|dealt|does|did|only|just|extra|another|bonus|lends?|lent|counts?|makes?|made)"
)
#: A number that belongs to a blow or its striker: `adds 3`, `+3`, `2 off every hit`, never `all 3 suits of armour`.
OF_BLOWS = re.compile(
    rf"(?:[+:=-][ ]?|\b{_WORDS_OF_BLOWS}(?:[ ](?:up|of|is|to|an?|by|extra|only|as|it|her|him|them|the)){{0,4}}[ ])"
    rf"(?P<behind>{_COUNT})"
    rf"|\b(?P<ahead>{_COUNT})(?=[ ](?:\S+[ ]){{0,2}}?(?:damage|dmg|AT|points?|off|less|more|extra|bonus|strength"
    r"|attack|each|instead|from|per)\b)",
    re.IGNORECASE,
)
_OF_A_BLOW = r"(?:damage|dmg|AT|attack|strength|power|force|hits?|blows?|strikes?|amount|normal|usual|number|effect)"
#: A blow that counts more than once, or half: never a double post, somebody doubled over, half the party.
TIMES = re.compile(
    rf"\b(?P<factor>doubl(?:e[sd]?|ing)|twice|tripl(?:e[sd]?|ing)|thrice)\b{_NO_BLOW}"
    rf"(?:[ ]\S+){{0,3}}?[ ]{_OF_A_BLOW}\b|\b{_OF_A_BLOW}(?:[ ]\S+){{0,3}}?[ ](?P<behind>doubled|tripled)\b",
    re.IGNORECASE,
)
HALF = re.compile(
    rf"\bhal(?:f|ve[sd]?|ving)\b(?:[ ]\S+){{0,3}}?[ ]{_OF_A_BLOW}\b|\b{_OF_A_BLOW}(?:[ ]\S+){{0,3}}?[ ]halved\b",
    re.IGNORECASE,
)
_D6 = r"(?:[1-6]|one|two|three|four|five|six)\b"
SECOND = re.compile(
    r"\bno[ ](?:second|other|further)[ ](?:six|6)\b|"
    r"\b(?:(?:second|next|another|follow-?up)[ ](?:roll|die|d6|throw)|re-?roll\w*"
    r"|rolls?[ ]again)\b[^.!?\n]{0,24}\b" + _D6 + r"|\b(?:rolled|rolls|threw|throws)[ ](?:up[ ])?(?:an?[ ])" + _D6,
    re.IGNORECASE,
)
LEAVES = topic(
    r"(?:out[ ]of|leaves?|left|flees?|fled)[ ]the[ ](?:fight|battle|field)|falls?[ ](?:to|down|unconscious"
    r"|dead)|collapse[sd]?"
    r"|faints?|lies[ ]still|is[ ](?:down|out|gone|unconscious|dead)|slips?[ ]away|runs?[ ](?:away|off|for[ ]it)"
)
#: EXP of something else are counted in.
COUNTED = topic(
    r"\d{1,4}[ ](?:\S+[ ])?(?:from|left[ ]over|before)|(?:makes?|comes?[ ]to)[ ](?:it[ ])?\d{1,4}|in[ ]total|altogether"
)
JOINS = topic(
    r"joins?|joined|joining|steps?[ ](?:out|in|through)|arriv(?:es|ed)|appears?|appeared|enters?|entered"
    r"|party[ ]stone"
    r"|comes?[ ]to[ ](?:help|aid)"
)
OVER = topic(
    r"(?:fight|battle|combat)[ ](?:is|was|has)[ ](?:over|won|ended|done|finished)|after[ ]the[ ](?:fight"
    r"|battle)|victory"
    r"|(?:last|both|all|rest)[ ](?:\S+[ ]){0,4}(?:flees?|fled|runs?[ ]off|ran[ ]off|slinks?[ ]off|bolts?"
    r"|scatter(?:s|ed)?|(?:is|are)[ ]gone)"
)
LUCK = topic(
    r"lucky[ ](?:charm|us|day|find|clover)|clover|(?:charm|item|bonus|ring"
    r"|event)[ ](?:\S+[ ]){0,3}(?:adds?|gives?|lets?)"
    r"|lets?[ ](?:\S+[ ])?choose|double[ ]drops?|event[ ](?:weekend|day|drop)"
)
MORE_EXP = topic(
    r"(?:double|bonus|extra|triple|half)[ ](?:\S+[ ])?(?:exp|xp|experience)|event[ ](?:weekend|day|bonus)"
    r"|(?:exp|xp|experience)[ ](?:\S+[ ]){0,3}(?:doubled|split|shared|each)"
)
MOVE_CHOSEN = topic(r"re-?rolled|taunt(?:s|ed)|provok(?:es|ed)|enraged|frenzied|draws?[ ](?:\S+[ ]){0,3}attention")
DRINK = topic(
    r"drinks?|drank|gulps?|quaffs?|swallows?|sips?|downs|uses?|takes?|gives?|hands?|feeds?|throws?|casts?|cast|prays?"
)
SOMEBODY = re.compile(r"\b(?:her|him|them)\b", re.IGNORECASE)
#: A number right behind a capital word is a name's: `Rat 2 hits her`.
OF_NAMES = re.compile(r"\b[A-Z][a-z]+[ ]#?\d{1,2}\b(?![ ]?(?:damage|dmg|HP))")


def kills(name: str) -> re.Pattern[str]:
    """A creature's death told in words, with its verb close by: `finishes Rat 1 off`, `both rats die`."""
    last, number = name.split()[-1], ""
    if last.isdigit() and " " in name:
        last, number = name.split()[-2], rf"(?:[ ]#?{last})?\b(?![ ]?#?\d)"
    whom = rf"(?:{re.escape(last)}(?:s\b|\b){number}|both|all[ ]of[ ]them|the[ ](?:other|last)[ ]one)"
    before = (
        r"(?:kill(?:s|ed)?|slays?|slew|finish(?:es|ed)?(?:[ ]off)?|short[ ]work|stomps?|crush(?:es|ed)"
        r"|defeat(?:s|ed)?|beheads?"
        r"|(?:cuts?|strikes?|struck)[ ]down|wipes?[ ]out|end[ ]of)"
    )
    behind = (
        r"(?:dies?|died|(?:is|are|was|were|lies?)[ ](?:dead|slain|killed|finished)|bleeds?[ ]out"
        r"|collapse[sd]?|falls?[ ]down"
        r"|(?:falls?|fell)[ ](?:for[ ]good|dead)|(?:goes|go|went|is|are)[ ]down|breathes?[ ](?:its"
        r"|their)[ ]last|perish(?:es|ed)?|drowns?)"
    )
    return re.compile(rf"\b{before}\b[^.!?;]{{0,20}}\b{whom}|\b{whom}[ ](?:\w+[ ]){{0,2}}{behind}\b", re.IGNORECASE)
