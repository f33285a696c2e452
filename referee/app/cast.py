"""Who fights in a thread of a board: which of the board's sheets count, and who is a fighter without one.

A transcript names its characters; a board has sheets of everybody who ever fought there. Readers comment on fights,
players have several characters, members of a party leave the writing to others: who takes part is told by what
the posts state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.engine.replay import sheets_of
from referee.engine.script import scripts_of
from referee.model.battle import Battle, Character
from referee.model.claims import Claim
from referee.ports.rules import Ruleset, Sheets

#: Of an account's characters one is meant if so great a part of all mentions in prose is its.
_SURELY = 0.8
_MOST_TEXT = 200_000
#: Fewer equal numbers than this may be chance.
_FEWEST_STATS = 3


@dataclass(slots=True)
class _Stated:
    """What a thread's posts state. `authors`: players and judges who post, `accounts`: those of them who state
    anything (casefolded); `names`: whom the statements name; `words`: the statements as posted; `prose`: everything
    that the authors wrote; `blocks`: the stat blocks of each account.
    """

    authors: set[str] = field(default_factory=set)
    accounts: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    words: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    blocks: dict[str, list[Mapping[str, object]]] = field(default_factory=dict)


def cast_of(battle: Battle, ruleset: Ruleset, sheets: tuple[Character, ...]) -> tuple[Character, ...]:
    """The characters of a thread.

    Those of the sheets whose players state something in it (of several that one account has, those that are meant),
    and in some systems those whom the others name. Without a sheet, or where nobody can tell which of several is meant,
    every author with a stat block is a character named like the account, each its own side (contract); other authors
    stay unknown.
    """
    sheets = tuple(_renamed(sheets, [post.author for post in battle.posts]))
    stated = _stated(battle, ruleset, sheets) if sheets else _Stated()
    playing = [c for c in sheets if _plays(c, stated, ruleset)]
    untold: set[str] = set()
    meant: set[str] = set()
    for account, group in _by_account(playing).items():
        found = _meant(group, stated, battle.title or "")
        if not found and not ruleset.others_count:
            untold.add(account)
        meant.update(c.name for c in found or group)
    present = tuple(c for c in playing if c.name in meant and account_of(c) not in untold)
    return (*present, *_without_sheet(battle, ruleset, frozenset(map(account_of, sheets)) - untold))


def _renamed(sheets: tuple[Character, ...], authors: Iterable[str]) -> Iterator[Character]:
    """The sheets with the accounts by whose names they post here: an account that was renamed is known as an alias.

    Only where nobody posts under the account's own name, and the other name is no other account's. Rolls were made
    under the old name too, so an only character keeps it.
    """
    posting = {author.casefold(): author for author in authors}
    owners: dict[str, set[str]] = {}
    for sheet in sheets:
        for name in (account_of(sheet), *sheet.aliases):
            owners.setdefault(name.casefold(), set()).add(account_of(sheet))
    several = Counter(map(account_of, sheets))
    for sheet in sheets:
        account = account_of(sheet)
        now = [name for name in map(str.casefold, sheet.aliases) if name in posting and owners[name] == {account}]
        if len(now) != 1 or account in posting:
            yield sheet
            continue
        old = (sheet.player,) if sheet.player and several[account] == 1 else ()
        yield replace(sheet, player=posting[now[0]], aliases=(*sheet.aliases, *old))


def _plays(character: Character, stated: _Stated, ruleset: Ruleset) -> bool:
    """Whether an account states something; or is named, and posts here or need not."""
    account = account_of(character)
    if account in stated.accounts:
        return True
    return character.name in stated.names and (ruleset.others_count or account in stated.authors)


def account_of(character: Character) -> str:
    """The account that posts for a character, casefolded."""
    return (character.player or character.name).casefold()


def _stated(battle: Battle, ruleset: Ruleset, sheets: tuple[Character, ...]) -> _Stated:
    """What the posts of players and judges state, read with everybody's sheets."""
    everybody = sheets_of(replace(battle, characters=sheets), ruleset)
    found = _Stated()
    for post in battle.posts:
        account = post.author.casefold()
        if not everybody.of_player(account) and account not in everybody.judges:
            continue
        script = scripts_of(post.blocks)
        claims = ruleset.read(script, post.author, everybody).claims
        found.authors.add(account)
        found.prose.append(script.text)
        if claims:
            found.accounts.add(account)
        for claim in claims:
            found.words.append(claim.quote)
            if claim.kind == "stats":
                found.blocks.setdefault(account, []).append(claim.values)
            found.names.update(_names_in(claim))
    return found


def _names_in(claim: Claim) -> Iterator[str]:
    """What a claim's values name: readers put names there in full, as values, in lists, or before a number."""
    for key, value in claim.values.items():
        yield key
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (one for one in value if isinstance(one, str))


def _by_account(characters: Iterable[Character]) -> dict[str, list[Character]]:
    groups: dict[str, list[Character]] = {}
    for character in characters:
        groups.setdefault(account_of(character), []).append(character)
    return groups


def _meant(group: list[Character], stated: _Stated, title: str) -> list[Character]:
    """Which of the characters of one account take part: by what is stated, the title, the stats, prose; else none."""
    if len(group) == 1:
        return group
    for named in (
        [c for c in group if c.name in stated.names],
        _mentioned(group, "\n".join(stated.words)),
        _mentioned(group, title),
        _alike(group, stated),
        _mostly_mentioned(group, "\n".join(stated.prose)[:_MOST_TEXT]),
    ):
        if named:
            return named
    return []


def _alike(group: list[Character], stated: _Stated) -> list[Character]:
    """The only character whose sheet the account's stat blocks show."""
    blocks = stated.blocks.get(account_of(group[0]), ())
    found = [c for c in group if any(_fits(c, block) for block in blocks)]
    return found if len(found) == 1 else []


def _fits(character: Character, block: Mapping[str, object]) -> bool:
    """Whether a stat block shows a sheet's stats: several, and no other number."""
    stats = character.get("stats")
    shared = [key for key in stats if key in block] if isinstance(stats, Mapping) else []
    return len(shared) >= _FEWEST_STATS and all(stats[key] == block[key] for key in shared)


def _mentioned(group: list[Character], words: str) -> list[Character]:
    times = _mentions(group, words)
    return [c for c in group if times[c.name]]


def _mostly_mentioned(group: list[Character], prose: str) -> list[Character]:
    """The one character of whom prose nearly only speaks."""
    times = _mentions(group, prose)
    return [c for c in group if times[c.name] and times[c.name] >= _SURELY * sum(times.values())]


def _mentions(group: list[Character], words: str) -> Counter[str]:
    """How often words name each character: in full, by an alias, or by a first name that no other of them has."""
    firsts = Counter(first_name(c) for c in group)
    found: Counter[str] = Counter()
    for character in group:
        first = first_name(character)
        names = {character.name, *character.aliases, *([first] if firsts[first] == 1 else [])}
        pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
        found[character.name] = len(re.findall(rf"(?<!\w)(?:{pattern})(?!\w)", words, re.IGNORECASE)) if pattern else 0
    return found


def first_name(character: Character) -> str:
    """The first word of a character's name."""
    return character.name.split()[0] if character.name.split() else ""


def _without_sheet(battle: Battle, ruleset: Ruleset, known: frozenset[str]) -> Iterator[Character]:
    """The authors without a sheet who posted a stat block."""
    nobody = Sheets((), {**ruleset.tables(None, None), **battle.overrides}, battle.overrides, battle.options)
    found: set[str] = set()
    for post in battle.posts:
        folded = post.author.casefold()
        if folded in known or folded in found:
            continue
        reading = ruleset.read(scripts_of(post.blocks), post.author, nobody)
        if any(claim.kind == "stats" for claim in reading.claims):
            found.add(folded)
            yield Character(post.author, post.author, side=post.author)
