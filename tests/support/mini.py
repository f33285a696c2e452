"""A ruleset of one tag for tests of the engine: `[Roll 1d20: 12, 5]` and `[HP 14]`, nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.app.plugins import body_reader
from referee.engine.replay import judge_battle
from referee.model.battle import Battle, Character, Edit, Post, Revision, RollRecord, Ruling
from referee.model.claims import Claim, Reading, Unread, WrittenRoll
from referee.model.report import Finding
from referee.model.text import Script
from referee.ports.reading import tags
from referee.ports.rules import Case, Code, RollUse, Ruleset, Sheets, Verdict, rule

START = datetime(2026, 1, 2, 10, 0, tzinfo=UTC)
_ROLL = re.compile(r"Roll (\d*d\d+)(?: x(\d+))?:(.*)")
_HP = re.compile(r"HP (\d+)")


def _read(script: Script, author: str, sheets: Sheets) -> Reading:
    claims, unread = [], []
    for tag in tags(script):
        span, quote = (tag.start, tag.end), script.quote(tag.start, tag.end)
        rolled, hp = _ROLL.fullmatch(tag.inner), _HP.fullmatch(tag.inner)
        if rolled:
            values = tuple(int(v) for v in re.findall(r"\d+", rolled[3]))
            anchors = script.anchors_in(*span) or script.anchors_after(tag.end)
            count = int(rolled[2]) if rolled[2] else None
            data = (rolled[1], count, WrittenRoll(values, anchors, rolled[1]))
            claims.append(Claim("roll", quote, span, {"rolls": list(values)}, data))
        elif hp:
            claims.append(Claim("hp", quote, span, {"hp": int(hp[1])}, int(hp[1])))
        elif tag.inner.startswith("Roll"):
            unread.append(Unread(quote, span))
    return Reading(tuple(claims), tuple(unread))


def _amend(reading: Reading, correction: Reading) -> Reading:
    kinds = {claim.kind for claim in correction.claims}
    return Reading((*(c for c in reading.claims if c.kind not in kinds), *correction.claims), reading.unread)


@rule("M1", cites="1")
def _judge(case: Case) -> Verdict:
    """A roll is of the dice that its tag names."""
    for entry in case.entries:
        names = {c.name for c in case.sheets.of_player(entry.post.author)} | {entry.post.author}
        for claim in entry.reading.claims:
            if entry.kind == "turn" and claim.kind == "hp" and claim.data == 13:
                case.book.add("mini/hp", entry, claimed=13, expected=[14], message="13 is unlucky", claim=claim)
            if entry.kind == "turn" and claim.kind == "roll":
                dice, count, written = claim.data  # type: ignore[misc]
                case.dice.check(RollUse(entry, claim, written, (dice,), count, by=frozenset(names)))
    return Verdict()


MINI = Ruleset(
    name="mini",
    version="1",
    title="mini",
    read=_read,
    judge=_judge,
    amend=_amend,
    tables=lambda profile, at: {},
    rules=(),
    codes=(Code("mini/hp", "error", "x", rules=("M1",)),),
)


def minutes(count: float) -> datetime:
    """So many minutes after the battle's start."""
    return START + timedelta(minutes=count)


def post(name: str, author: str, at: float, *texts: str, **more: Any) -> Post:
    """A post of some minutes after the start; earlier texts (seen one minute after posting) come first."""
    revisions = [Revision(body_reader()(text, None), minutes(at + 1 + i)) for i, text in enumerate(texts[:-1])]
    last = Revision(body_reader()(texts[-1], None))
    if "edited" in more:
        more["edited"] = Edit(at=minutes(more["edited"]))
    return Post(name, author, (*revisions, last), minutes(at), **more)


def roll(name: int, at: float, *values: int, dice: str = "1d20", by: str = "Bo", **more: Any) -> RollRecord:
    """A record of the dice log."""
    return RollRecord(link(name), at=minutes(at), by=by, expression=dice, values=values, label="dodge", **more)


def link(name: int) -> str:
    """The address of a record."""
    return f"http://dice.example/r/{name}"


def judged(*posts: Post, rolls: list[RollRecord] | None = None, **more: Any) -> tuple[Finding, ...]:
    """The findings of a battle between Ada (account ada) and Bo (account bo)."""
    cast = (Character("Ada", "ada", "a"), Character("Bo", "bo", "b"))
    records = None if rolls is None else {record.link: record for record in rolls}
    battle = Battle("mini", posts, cast, title="t", rolls=records, judges=("judge",), **more)
    return judge_battle(battle, MINI).findings


__all__ = ["Ruling", "judged", "link", "minutes", "post", "roll"]
