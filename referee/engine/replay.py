"""The judging engine: one battle and one ruleset in, the report of the thread out. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.book import FindingBook
from referee.engine.checks.edited import check_edits
from referee.engine.checks.presence import check_presence, only_character
from referee.engine.codes import COMMON_CODES
from referee.engine.desk import RecordDesk
from referee.engine.gaps import check_gaps
from referee.engine.luck import Throw, throws_of
from referee.engine.rulings import check_rulings
from referee.engine.timeline import PostRead, entries_of, read_posts
from referee.model.battle import Battle, Table
from referee.model.report import PostReport, ThreadReport
from referee.ports.rules import Case, Ruleset, Sheets, Verdict


def judge_battle(battle: Battle, ruleset: Ruleset) -> ThreadReport:
    """Read, replay and reconcile one battle. The result holds secret totals: redact before showing."""
    return _judged(battle, ruleset)[0]


def verified_throws(battle: Battle, ruleset: Ruleset) -> tuple[Throw, ...]:
    """The linked dice of a battle that were due, and that are as the posts say, in the order of the posts."""
    return throws_of(_judged(battle, ruleset)[1].proved)


def _judged(battle: Battle, ruleset: Ruleset) -> tuple[ThreadReport, RecordDesk]:
    sheets = sheets_of(battle, ruleset)
    posts = read_posts(battle, ruleset, sheets)
    book = FindingBook(battle, {code.code: code for code in (*COMMON_CODES, *ruleset.codes)}, posts)
    check_gaps(posts, battle.gaps, book)
    edits = check_edits(posts, sheets, book)
    check_presence(posts, sheets, book)
    entries = entries_of(posts, ruleset, edits)
    desk = RecordDesk(battle, book, entries, _links(posts))
    verdict = ruleset.judge(Case(battle, sheets, entries, desk, book))
    desk.finish()
    check_rulings(battle, posts, book, verdict.rulings_used)
    report = ThreadReport(
        ruleset=ruleset.name,
        title=battle.title,
        url=battle.url,
        file=battle.file,
        outcome=verdict.outcome,
        posts=tuple(_post_report(read, verdict, sheets) for read in posts),
        findings=book.findings(),
    )
    return report, desk


def sheets_of(battle: Battle, ruleset: Ruleset) -> Sheets:
    """The sheets and tables of a battle: profile of its date, then its own overrides."""
    started = next((post.at for post in battle.posts if post.at), None)
    tables: Table = {**ruleset.tables(battle.options.get("profile"), started), **battle.overrides}
    named = [battle.options.get("judge"), *battle.judges]
    judges = frozenset(str(name).casefold() for name in named if name)
    return Sheets(battle.characters, tables, battle.overrides, battle.options, judges)


def _links(posts: tuple[PostRead, ...]) -> Iterator[str]:
    """Every link in anybody's own text, present or earlier, spoilers included (G12)."""
    for read in posts:
        for script in read.scripts:
            for part in (script, *script.spoilers):
                yield from [anchor.url for anchor in part.anchors if anchor.url]


def _post_report(read: PostRead, verdict: Verdict, sheets: Sheets) -> PostReport:
    return PostReport(
        id=read.post.id,
        author=read.post.author,
        character=verdict.speakers.get(read.post.id) or only_character(read.post.author, sheets),
        permalink=read.post.permalink,
        claims=read.reading.claims,
        unread=tuple(unread.quote for unread in read.reading.unread),
        state=verdict.states.get(read.post.id, {}),
    )
