"""What a post tells in words about its turn, from which no claim is read: rolls, abilities, costs, losses, headings.

Such words prove nothing: they show no tag, and prose is full of numbers. But a difference that they explain is not
called wrong: the numbers stay open, and a notice quotes the words (decision 8). They are looked for only where a
finding is about to be made, so posts that add up pay nothing for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from referee.model.claims import Claim
from referee.ports.rules import Entry
from referee.ports.telling import loose_lines
from rules.shinobi.damage import basic_cost
from rules.shinobi.judging import told_words as words
from rules.shinobi.judging.blows import full_damage
from rules.shinobi.judging.stage import Stage
from rules.shinobi.judging.turns import Said, notes_of
from rules.shinobi.lexicon import POOL_WORDS, Lexicon, lexicon_of
from rules.shinobi.model import POOLS, RESPONSE, SETUP, Ability, Damage, Dodge, Guard, LossTag, Mark, OverTime
from rules.shinobi.reading.brackets import claims_in
from rules.shinobi.tables import Skill

#: A longer line tells no number.
_LONGEST = 1500
#: So many posts back an author may have told of an upkeep that began or ended.
_BACK = 16
#: More abilities than this in the words of a post are a story.
_MOST_NAMED = 6


def _loose(entry: Entry) -> Iterator[tuple[int, str]]:
    """The lines of a post's own words in which nothing was read, with their places."""
    script = notes_of(entry).script
    return iter(()) if script is None else loose_lines(script, entry.reading, _LONGEST)


def _lines(entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    for entry in entries:
        for _, line in _loose(entry):
            yield entry, line


def _note(stage: Stage, cause: str, entry: Entry, line: str, about: str) -> bool:
    """Say which words take a finding's place."""
    at, said = stage.turn.last, " ".join(line.split())[:200]
    message = f"words of {entry.post.id} tell {about} and were not read, so it is not judged: {said}"
    stage.unchecked(at, f"told:{cause}:{at.post.id}", message)
    return True


def rolls_told(stage: Stage) -> tuple[Entry, str] | None:
    """The words of a turn that tell rolls or outcomes outside of every tag; None if none do."""
    for entry in stage.turn.entries:
        script = notes_of(entry).script
        for place, line in _loose(entry):
            if words.ROLLS.search(line) or words.OUTCOMES.search(line):
                return entry, line
            if script is None or not script.anchors:
                continue
            inside = [a for a in script.anchors if place <= a.start and a.end <= place + len(line)]
            loose = [a for a in inside if not any(c.span[0] <= a.start < c.span[1] for c in entry.reading.claims)]
            if any(a.dice and "100" in a.dice for a in loose) and _answers_less(stage):
                return entry, line
            if any(a.url and a.start < a.end for a in loose) and words.ROLLING.search(line) and re.search(r"\d", line):
                return entry, line
    return None


def _answers_less(stage: Stage) -> bool:
    """Whether an attack of this turn has no tag that answers it."""
    return any(option.kind == "unanswered" for option in stage.options)


def _hidden(stage: Stage, about: str, tells: Callable[[Sequence[Claim]], bool]) -> bool:
    """Whether tags of the turn in a spoiler, where they are nobody's claim (G16), tell what is amiss; notes it."""
    lexicon = lexicon_of(stage.arena.sheets)
    for entry in stage.turn.entries:
        script = notes_of(entry).script
        for spoiler in script.spoilers if script is not None else ():
            claims = claims_in(spoiler, lexicon)
            if claims and tells(claims):
                return _note(stage, about, entry, f"in a spoiler: {claims[0].quote}", about)
    return False


def damage_hidden(stage: Stage, skill: Skill | None) -> bool:
    """Whether a spoiler of the turn holds a damage tag that a technique may mean (S20); notes it."""

    def fits(damage: Damage) -> bool:
        named = {part.what for part in damage.parts} - {None}
        known = skill is None or skill.hits in (None, damage.hits)
        return known and (not named or skill is None or named == {skill.name.casefold()})

    return _hidden(stage, "its damage", lambda claims: any(isinstance(c.data, Damage) and fits(c.data) for c in claims))


def _answers(stage: Stage, claim: Claim) -> bool:
    """Whether a tag answers an attack: rolls with their links, or a Response ability."""
    if isinstance(claim.data, Dodge | Guard):
        return bool(claim.data.written.anchors)
    skill = _skill(stage, claim.data.name) if isinstance(claim.data, Ability) else None
    return skill is not None and (skill.phase == "response" or bool(skill.negates))


def _change_by(stage: Stage, claim: Claim, pool: str) -> set[int]:
    """What a tag may change in a pool: costs, healing, damage over time."""
    data, lexicon = claim.data, lexicon_of(stage.arena.sheets)
    if isinstance(data, OverTime):
        return {-data.amounts.get(pool, 0)}
    if isinstance(data, Ability):
        skill = _skill(stage, data.name)
        written = {data.heal.get(pool, 0) - data.cost.get(pool, 0), -data.upkeep.get(pool, 0)}
        return written | (_changes([skill], pool) | {-skill.upkeep.get(pool, 0)} if skill is not None else set())
    if not isinstance(data, Damage):
        return set()
    basics = [part for part in data.parts if part.what and lexicon.basic(part.what)]
    cost = sum(basic_cost(stage.data, part.base) * part.hits for part in basics) if pool == "stamina" else 0
    skills = [skill for skill in (_skill(stage, part.what) for part in data.parts if part.what) if skill is not None]
    return {-cost} | _changes(skills[:1], pool)


def _difference_hidden(stage: Stage, pool: str, differences: set[int]) -> bool:
    """Whether tags in a spoiler tell the difference of a pool, one of them or all together; notes it."""

    def tell(claims: Sequence[Claim]) -> bool:
        if pool == "hp" and any(_answers(stage, claim) for claim in claims):
            return True
        changes = [_change_by(stage, claim, pool) for claim in claims]
        every = sum(min(found, default=0) for found in changes)
        return not differences.isdisjoint({every}.union(*changes) - {0})

    return _hidden(stage, f"the difference of {_WORD[pool]}", tell)


def answer_told(stage: Stage) -> bool:
    """Whether words answer an attack that no tag answers: rolls, outcomes, a Response ability (S7); notes it."""
    if _hidden(stage, "how an attack was answered", lambda claims: any(_answers(stage, c) for c in claims)):
        return True
    found = rolls_told(stage)
    if found is not None:
        return _note(stage, "answer", *found, "how an attack was answered")
    for entry, line in _lines(stage.turn.entries):
        named = [skill for skill in _named(stage, line) if skill.phase == "response" or skill.negates]
        if any(_may_be_paid(stage, skill) for skill in named):
            return _note(stage, "answer", entry, line, "how an attack was answered")
    return _guarded_by(stage)


def _may_be_paid(stage: Stage, skill: Skill) -> bool:
    """Whether the loss of the turn leaves room for what an ability costs: else it is only spoken of."""
    loss = stage.turn.loss
    lost = loss.data if loss is not None and isinstance(loss.data, LossTag) else LossTag()
    for pool, cost in skill.cost.items():
        change = lost.of(pool)
        gain = stage.me.regen.get(pool, 0) + stage.heals.get(pool, 0)
        due = sum(min(sums.accepted) for (_, name), row in stage.spends.items() if name == pool for _, sums in row)
        if change is not None and gain - change - due < cost:
            return False
    return True


def _guarded(stage: Stage, differences: set[int]) -> bool:
    """Whether the words of a turn tell that its fighter took an attack for a comrade (S16); notes it."""
    others = [f for f in stage.arena.fighters.values() if f is not stage.me and f.side == stage.me.side]
    comrades = {
        f.name for f in others if any(-full in differences for hit in f.open for full in full_damage(hit).accepted)
    }
    lexicon = lexicon_of(stage.arena.sheets)
    for entry, line in _lines(stage.turn.entries) if comrades else ():
        if not comrades.isdisjoint(_shielded(line, lexicon)):
            return _note(stage, "guard", entry, line, "a guard")
    return False


def _guarded_by(stage: Stage) -> bool:
    """Whether a comrade's words tell that it took an attack in this fighter's place (S16); notes it."""
    lexicon, me = lexicon_of(stage.arena.sheets), stage.me
    comrades = {f.name for f in stage.arena.fighters.values() if f is not me and f.side == me.side}
    sheets = stage.arena.sheets.characters if comrades else ()
    accounts = {(c.player or c.name).casefold() for c in sheets if c.name in comrades}
    last = stage.turn.last.index
    near = [e for e in stage.arena.case.entries if last - _BACK <= e.index < last] if accounts else []
    for entry, line in _lines(e for e in near[::-1] if e.post.author.casefold() in accounts):
        if me.name in _shielded(line, lexicon):
            return _note(stage, "guard", entry, line, "a guard")
    return False


def _shielded(line: str, lexicon: Lexicon) -> set[str]:
    """Whom a line tells to be guarded: the names right behind a word for it."""
    behind = (line[found.end() : found.end() + 40].split(".")[0] for found in words.GUARDS.finditer(line))
    return {name for part in behind for name in lexicon.names_in(part)}


def modifier_told(stage: Stage, about: str, claimed: int, due: Iterable[int]) -> bool:
    """Whether words of the turn tell the difference of a chance or of a hit's damage; notes it."""
    differences = {claimed - value for value in due} - {0}
    table = stage.arena.sheets.tables.get("statuses") if about == "a chance to hit" else None
    effects = {str(name).casefold(): row.get("hit_chance") for name, row in (table or {}).items()}
    for entry, line in _lines(stage.turn.entries):
        amounts = {int(sign + number) for sign, number in words.SIGNED.findall(line)}
        for first, second in words.NAMED_AMOUNT.findall(line):
            amounts |= {int(first or second), -int(first or second)}
        low = line.casefold()
        amounts |= {value for name, value in effects.items() if value and name in low}
        if differences & amounts:
            return _note(stage, about, entry, line, about)
    return False


def spoken_for(entry: Entry, names: Iterable[str], lexicon: Lexicon) -> str | None:
    """The fighter in whose player's place a post says that it was made; None for all others."""
    script = notes_of(entry).script
    head = script.text[:120] if script is not None else ""
    if "for " not in head and "ehalf" not in head and " as " not in head:
        return None
    found = words.BEHALF.match(head)
    name = lexicon.names.exact(found["who"].strip()) if found is not None else None
    return name if name is not None and name not in names else None


def loss_told(stage: Stage) -> bool:
    """Whether words that are no Loss Tag tell the loss of the turn (S6); notes it."""
    for entry, line in _lines(stage.turn.entries):
        if words.LOSS.search(line) or sum(bool(_amounts(line, pool, 0)) for pool in POOLS) > 1:
            return _note(stage, "loss", entry, line, "the loss of this turn")
    return False


def explains(stage: Stage, pool: str, claimed: int, listed: Iterable[int]) -> bool:
    """Whether words of the turn, or of the author's posts before it, tell the difference of a loss; notes it."""
    differences = {claimed - due for due in listed}
    guarded = pool == "hp" and min(differences, default=0) < 0 and _guarded(stage, differences)
    if guarded or _difference_hidden(stage, pool, differences):
        return True
    if pool == "hp" and _answers_less(stage) and claimed <= 0:
        found = rolls_told(stage)
        if found is not None:
            return _note(stage, pool, *found, "how an attack was answered")
    for entry, line in _lines(stage.turn.entries):
        if _amounts(line, pool) & {abs(difference) for difference in differences}:
            return _note(stage, pool, entry, line, f"the difference of {_WORD[pool]}")
    used = {use.skill.name for use in stage.used if use.skill is not None and not use.ability.reminder}
    told: dict[str, tuple[Skill, Entry, str]] = {}
    for entry, line in _lines(stage.turn.entries):
        for skill in _named(stage, line):
            if skill.name not in used:
                told.setdefault(skill.name, (skill, entry, line))
    rows = list(told.values())[:_MOST_NAMED]
    for count in (1, 2):
        for some in combinations(rows, count):
            if differences & _changes([skill for skill, _, _ in some], pool):
                return _note(stage, pool, *some[0][1:], f"the difference of {_WORD[pool]}")
    return _upkeep_told(stage, pool, differences) or (pool == "hp" and _ended(stage, differences))


_WORD = {"hp": "HP", "chakra": "Chakra", "stamina": "Stamina"}


def _amounts(line: str, pool: str, least: int = 1) -> set[int]:
    """The amounts of a pool that a line tells."""
    found = [(number, word) for number, word in words.AMOUNT.findall(line)]
    found += [(number, word) for word, number in words.AMOUNT_BEHIND.findall(line)]
    return {
        int(n) for n, word in found if POOL_WORDS.get(" ".join(word.casefold().split())) == pool and int(n) >= least
    }


def _named(stage: Stage, line: str) -> list[Skill]:
    """The abilities of the tables that a line names, also by what stands before `no Jutsu`."""
    lexicon = lexicon_of(stage.arena.sheets)
    names = list(lexicon.abilities_in(line))
    low = line.casefold()
    for name, _ in lexicon.abilities.values():
        short, no, _ = name.casefold().partition(" no ")
        if no and len(short) > 5 and short in low:
            names.append(name)
    found = []
    for name in dict.fromkeys(names):
        skill = _skill(stage, name)
        if skill is not None:
            found.append(skill)
    return found


def _skill(stage: Stage, name: str) -> Skill | None:
    """A technique, skill or item of the tables."""
    return stage.data.technique(name) or stage.data.ability("skill", name) or stage.data.ability("item", name)


def _changes(skills: list[Skill], pool: str) -> set[int]:
    """What using these abilities may change in a pool; healing may be cut off at the total."""
    cost = sum(skill.cost.get(pool, 0) + skill.self_damage.get(pool, 0) for skill in skills)
    heal = sum(skill.heal.get(pool, 0) for skill in skills)
    return {gain - cost for gain in range(min(heal, 1000) + 1)} - {0}


def _own_posts(stage: Stage) -> list[Entry]:
    """The author's last posts up to this turn, the newest first."""
    last = stage.turn.last
    posts = [e for e in stage.arena.case.entries if last.index - _BACK <= e.index <= last.index]
    return [e for e in posts[::-1] if e.post.author == last.post.author]


def _upkeep_told(stage: Stage, pool: str, differences: set[int]) -> bool:
    """Whether a post tells of an upkeep that began without a tag, or ended."""
    for entry, line in _lines(_own_posts(stage)):
        for skill in _named(stage, line):
            amount = skill.upkeep.get(pool, 0)
            if not amount:
                continue
            running = [held for held in stage.me.running if held.skill.name == skill.name]
            if running and amount in differences and words.ENDS.search(line):
                for held in running:
                    held.sure = False
                return _note(stage, pool, entry, line, f"the end of {skill.name}")
            if not running and -amount in differences:
                return _note(stage, pool, entry, line, f"the beginning of {skill.name}")
    return False


def _ended(stage: Stage, differences: set[int]) -> bool:
    """Whether words tell the end of damage over time whose tick is not in the loss (NS17)."""
    for entry, line in _lines(stage.turn.entries):
        for tick in stage.me.ticking:
            named = tick.name in [s.name for s in _named(stage, line)] or words.LINGERS.search(line)
            if named and tick.amounts.get("hp") in differences and words.ENDS.search(line):
                tick.sure = False
                return _note(stage, "hp", entry, line, f"the end of {tick.name}")
    return False


def main_told(stage: Stage, said: Said, marks: Iterable[tuple[int, Mark]]) -> bool:
    """Whether an attack below a Setup mark may stand in a Main Phase that has no mark of its own (S5, X20); notes it.

    A line that tells the Setup action in words ends with that action for some, for X20 with the next mark; and
    some head the Main Phase otherwise (`Attack:`). An attack on such a line, or below a heading, is an attack in Setup.
    """
    half, place = said.half, said.claim.span[0]
    before = [mark for at, mark in marks if at == half and mark.place < place]
    script = notes_of(said.entry).script
    earlier = [(at, mark) for at, mark in marks if at < half]
    if not before and earlier and earlier[-1][1].phase in (RESPONSE, SETUP):
        return _post_told(stage, *earlier[-1])
    if not before or script is None or before[-1].phase not in (RESPONSE, SETUP):
        return False
    between = script.text[before[-1].place : place]
    behind_line = between.partition("\n")[2]
    heading = words.HEADING.search(between)
    if heading is None and not (before[-1].told and "\n" in between and _later(behind_line)):
        return False
    line = script.text[before[-1].place : script.line_end(before[-1].place)]
    return _note(stage, "setup", said.entry, line, "a phase behind which an attack may stand in Main")


def _post_told(stage: Stage, half: int, mark: Mark) -> bool:
    """Note that the second half of a double post may begin the next phase, since it has no mark of its own."""
    entry = stage.turn.entries[half]
    script = notes_of(entry).script
    line = script.text[mark.place : script.line_end(mark.place)] if script is not None else entry.post.id
    return _note(stage, "setup", entry, line, "a phase behind which an attack of the next post may stand in Main")


def order_told(stage: Stage, entry: Entry) -> None:
    """Say that a phase told in one line with its action (`Setup: draws the kunai`) may be announced out of place."""
    script = notes_of(entry).script
    mark = next((mark for mark in notes_of(entry).marks if mark.told), None)
    if script is not None and mark is not None:
        line = script.text[mark.place : script.line_end(mark.place)]
        _note(stage, "order", entry, line, "a phase out of the order of the others")


def _later(behind: str) -> bool:
    """Whether an attack has left the line of the Setup mark behind: words or an empty line stand between."""
    return not behind or bool(behind.strip(" \t[(*")) or "\n" in behind
