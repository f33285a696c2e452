"""Use case `luck`: how lucky the verified dice of stored threads are, account by account.

Off unless somebody asks: it is never part of a report. Only linked dice count that a rule called for and that are as
the post says; rolls that boards made themselves are left out, since some rollers of boards are known not to be fair.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from referee.app import plugins
from referee.app.audit import battle_of, known_links, records_of
from referee.app.clocks import doubt_of
from referee.app.config import Config, need_board
from referee.app.errors import UsageError
from referee.app.online import Target
from referee.app.paths import paths_of
from referee.app.services import links_of
from referee.engine.luck import Luck, Throw, luck_of, standing_out
from referee.engine.replay import verified_throws

if TYPE_CHECKING:
    from referee.store.store import Store

SCHEMA = "referee/luck@1"
#: Fewer dice than this are not spoken of.
FEWEST = 30
#: From which peak of evidence on what is said.
_LEVELS = (
    (1000, "a person should look at all evidence: siblings in the log, edits, reused links"),
    (100, "a person should look at the evidence"),
    (20, "worth watching"),
)
_OLDEST = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One account. `stands_out`: among all accounts with enough dice."""

    account: str
    characters: tuple[str, ...]
    threads: int
    luck: Luck
    stands_out: bool = False


def luck_rows(config: Config, board: str | None = None, player: str | None = None) -> tuple[Row, ...]:
    """The luck of every account in the stored threads, most dice first; of one account or character with `player`.

    Whoever is asked for, all are compared. Raises UsageError for an unknown board or player.
    """
    from referee.store import open_store

    need_board(config.boards, board)
    with open_store(paths_of(config).database) as store:
        throws = tuple(_throws(config, board, store))
    rows = _rows(throws)
    if player is None:
        return rows
    wanted = player.casefold()
    mine = [row for row in rows if row.account.casefold() == wanted]
    if mine:
        return tuple(mine)
    of_character = [pair for pair in throws if (pair[1].character or "").casefold() == wanted]
    if not of_character:
        raise UsageError(f"no verified roll of an account or character {player!r} is stored")
    return tuple(_row(account, pairs) for account, pairs in _by_account(of_character))


def _throws(config: Config, board: str | None, store: Store) -> Iterator[tuple[int, Throw]]:
    """Every verified die, with its thread's number."""
    for thread in store.threads.all(board):
        settings = config.boards.get(thread.board)
        if settings is None or settings.ruleset is None or thread.moved_to is not None:
            continue
        target = Target(thread.url, thread.board, settings, configured=True)
        read = store.threads.as_read(thread.id)
        battle = battle_of(config, target, read, doubt_of(read, target.name, settings))
        links = known_links(config, links_of(battle))
        battle = replace(battle, rolls=records_of(config, links_of(battle), store.rolls.all(links)))
        yield from ((thread.id, throw) for throw in verified_throws(battle, plugins.ruleset(settings.ruleset)))


def _by_account(throws: Iterable[tuple[int, Throw]]) -> Iterable[tuple[str, list[tuple[int, Throw]]]]:
    groups: dict[str, list[tuple[int, Throw]]] = {}
    for thread, throw in throws:
        groups.setdefault(throw.account.casefold(), []).append((thread, throw))
    return groups.items()


def _rows(throws: Sequence[tuple[int, Throw]]) -> tuple[Row, ...]:
    rows = [_row(account, pairs) for account, pairs in _by_account(throws)]
    out = standing_out({row.account: row.luck.evidence for row in rows if row.luck.rolls >= FEWEST})
    rows = [replace(row, stands_out=row.account in out) for row in rows]
    return tuple(sorted(rows, key=lambda row: (-row.luck.rolls, row.account.casefold())))


def _row(account: str, pairs: Sequence[tuple[int, Throw]]) -> Row:
    in_order = sorted((throw for _, throw in pairs), key=lambda throw: throw.at or _OLDEST)
    names = Counter(throw.character for throw in in_order if throw.character)
    spelling = Counter(throw.account for throw in in_order).most_common(1)[0][0]
    return Row(spelling, tuple(sorted(names)), len({thread for thread, _ in pairs}), luck_of(in_order))


def said_of(row: Row) -> str:
    """What may be said of an account's dice, in words that accuse nobody."""
    if row.luck.rolls < FEWEST:
        return f"too few dice to say anything (fewer than {FEWEST})"
    level = next((words for least, words in _LEVELS if row.luck.peak >= least), None)
    if level is None:
        return "as fair dice fall"
    chance = f"a fair roller comes so far at some time with a chance of at most 1 in {row.luck.peak:,.0f}"
    more = "; stands out among all who were looked at" if row.stands_out else ""
    return f"{level}: {chance}{more}"


def as_text(rows: Sequence[Row]) -> str:
    """A table for the terminal, with what the numbers mean below it."""
    if not rows:
        return "No verified roll is stored: only linked dice that a rule called for count here.\n"
    wide = max(7, *(len(row.account) for row in rows))
    lines = [f"{'account':<{wide}}  {'dice':>5}  {'threads':>7}  {'mean':>5}  {'evidence':>10}  {'peak':>10}"]
    for row in rows:
        luck = row.luck
        numbers = f"{luck.mean:>5.3f}  {luck.evidence:>10.3g}  {luck.peak:>10.3g}"
        lines.append(f"{row.account:<{wide}}  {luck.rolls:>5}  {row.threads:>7}  {numbers}")
        lines.append(f"{'':<{wide}}  {said_of(row)}")
    return "\n".join([*lines, "", *_KEY]) + "\n"


_KEY = (
    "mean: where the dice lie on average, 0 lowest, 1 highest face; fair dice near 0.5.",
    "evidence: against fair dice; may be looked at at any time. peak: the most that it ever was.",
    "Luck is no verdict: what decides are further rolls in the dice log, edits and reused links.",
)


def as_json(rows: Sequence[Row]) -> str:
    """The same for programs (`referee/luck@1`)."""
    shown = [
        {
            "account": row.account,
            "characters": list(row.characters),
            "threads": row.threads,
            "dice": row.luck.rolls,
            "mean": round(row.luck.mean, 4),
            "evidence": round(row.luck.evidence, 4),
            "peak": round(row.luck.peak, 4),
            "peak_after": row.luck.peak_rolls,
            "stands_out": row.stands_out,
            "said": said_of(row),
        }
        for row in rows
    ]
    return json.dumps({"schema": SCHEMA, "accounts": shown}, ensure_ascii=False, indent=1) + "\n"
