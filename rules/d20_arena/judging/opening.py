"""The battle before its first post: fighters by their sheets, sides, and the rulings about its posts."""

from __future__ import annotations

from collections.abc import Mapping

from referee.model.battle import Battle, Character, Ruling
from referee.ports.rules import Case
from rules.d20_arena.judging.state import ENEMIES, PLAYERS, Arena, Explain, Fighter
from rules.d20_arena.pools import Pool
from rules.d20_arena.tables import mapping, tables_of, whole_or_none
from rules.d20_arena.words import AREAS, lexicon


def arena_of(case: Case, explain: Explain) -> Arena:
    """The battle before its first post."""
    tables = tables_of(case.sheets)
    gms = {(c.player or c.name).casefold() for c in case.sheets.characters if c.side == ENEMIES} | case.sheets.judges
    fighters = {c.name: _fighter(c, gms) for c in case.sheets.characters}
    sides = {side: tuple(f for f in fighters.values() if f.side == side) for side in (PLAYERS, ENEMIES)}
    return Arena(case, tables, lexicon(case.sheets), fighters, sides, explain, _rulings(case.battle))


def _rulings(battle: Battle) -> tuple[tuple[int, int, int, Ruling], ...]:
    """The rulings about posts that are there, with the places from and to which they hold."""
    if not battle.rulings:
        return ()
    order = {post.id: index for index, post in enumerate(battle.posts)}
    return tuple(
        (order[ruling.post], order.get(ruling.until or ruling.post, order[ruling.post]), number, ruling)
        for number, ruling in enumerate(battle.rulings)
        if ruling.post in order
    )


def _fighter(sheet: Character, gms: set[str]) -> Fighter:
    account = sheet.player or sheet.name
    side = sheet.side or (ENEMIES if account.casefold() in gms else PLAYERS)
    stats, start, secret = (_in_capitals(sheet.get(field)) for field in ("stats", "start", "secret"))
    hp = whole_or_none(stats.get("HP", secret.get("HP")))
    now = whole_or_none(start.get("HP"))
    binds = mapping(sheet.get("binds"))
    kinds = mapping(sheet.get("resistances"))
    return Fighter(
        name=sheet.name,
        side=side,
        player=account,
        hp=Pool.at(hp if now is None else now),
        most=hp,
        defense=whole_or_none(stats.get("DEF")),
        attack=whole_or_none(stats.get("ATK")),
        res=(whole_or_none(stats.get("RES")) or 0) if stats else None,
        kinds={str(kind).casefold(): n for kind, value in kinds.items() if (n := whole_or_none(value)) is not None},
        binds={area: Pool.at(max(0, whole_or_none(binds.get(area)) or 0)) for area in AREAS},
    )


def _in_capitals(numbers: object) -> Mapping[str, object]:
    """A field of a sheet with its keys in capitals: staff write `Def` as well as `DEF`."""
    return {str(key).strip().upper(): value for key, value in mapping(numbers).items()}
