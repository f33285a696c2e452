"""Staff rulings as such: two that clash, one that changes nothing (S35, X15)."""

from __future__ import annotations

from referee.engine.book import FindingBook
from referee.engine.timeline import PostRead
from referee.model.battle import Battle
from referee.ports.rules import Entry


def check_rulings(battle: Battle, posts: tuple[PostRead, ...], book: FindingBook, used: frozenset[int]) -> None:
    """Report rulings of one scope that clash and rulings without any effect."""
    by_id = {read.post.id: (index, read) for index, read in enumerate(posts)}
    seen: dict[tuple[object, ...], object] = {}
    for number, ruling in enumerate(battle.rulings):
        if ruling.post not in by_id:
            continue
        index, read = by_id[ruling.post]
        entry = Entry(index, read.post, read.reading)
        clash = False
        for key, value in ruling.effect.items():
            scope = (ruling.post, ruling.until, ruling.character, key)
            clash = clash or seen.setdefault(scope, value) != value
        said = ", ".join(f"{key} {value}" for key, value in ruling.effect.items())
        if clash:
            message = f"another ruling of the same scope says otherwise than {said}"
            book.add("post/ruling-conflict", entry, character=ruling.character, message=message)
        elif number not in used | book.rulings_used:
            message = f"the ruling {said} changes nothing in the replay"
            book.add("post/ruling-idle", entry, character=ruling.character, message=message)
