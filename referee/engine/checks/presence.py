"""What can be said of a post as such: gone, by a stranger, partly unread."""

from __future__ import annotations

from referee.engine.book import FindingBook
from referee.engine.timeline import PostRead
from referee.model.report import Evidence
from referee.ports.rules import Entry, Sheets

#: So many claims of a post that is gone are quoted.
_MOST_QUOTES = 12


def check_presence(posts: tuple[PostRead, ...], sheets: Sheets, book: FindingBook) -> None:
    """Report deleted battle posts (G1), strangers with claims (G21) and unread tags (G19)."""
    for index, read in enumerate(posts):
        if read.mine and read.post.deleted is None and not read.reading.unread and read.note is None:
            continue
        entry = Entry(index, read.post, read.reading)
        speaker = only_character(read.post.author, sheets)
        if read.post.deleted is not None and read.mine:
            _report_deleted(read, entry, book, speaker)
        if not read.mine and (read.reading.claims or _states_unread(read)):
            message = f"{read.post.author} is no character of this battle; the post has no effect in the replay"
            claim = read.reading.claims[0] if read.reading.claims else None
            book.add("post/unknown-character", entry, message=message, claim=claim)
        if read.note is not None:
            book.unchecked(entry, f"understood {read.post.id}", read.note, speaker)
        if read.mine:
            for unread in read.reading.unread:
                message = f"{unread.reason}: {unread.quote}"
                book.add("post/unread-tag", entry, character=speaker, claimed=None, message=message)


def _report_deleted(read: PostRead, entry: Entry, book: FindingBook, speaker: str | None) -> None:
    """A post of the battle that is gone; one in which nobody ever saw anything of it is told, and no fault (G26)."""
    said = "this post was seen and is gone since"
    if not all(reading.chatter for reading in read.readings):
        book.add("post/deleted", entry, character=speaker, message=said, evidence=_last_claims(read))
    else:
        book.unchecked(entry, f"deleted {read.post.id}", f"{said}; nothing in it was read as a claim", speaker)


def _last_claims(read: PostRead) -> list[Evidence]:
    """What a post that is gone claimed when it was last seen to claim anything: nobody can look it up any more."""
    claims = next((reading.claims for reading in reversed(read.readings) if reading.claims), ())
    quotes = list(dict.fromkeys(claim.quote for claim in claims if claim.quote))
    return [Evidence(read.post.id, quote) for quote in quotes[:_MOST_QUOTES]]


def _states_unread(read: PostRead) -> bool:
    """Whether a stranger's post holds what looks like a claim with a number, though nobody can read it."""
    return any(sign.isdigit() for unread in read.reading.unread for sign in unread.quote)


def only_character(author: str, sheets: Sheets) -> str | None:
    """The character for whom an account posts, where it has exactly one."""
    owned = sheets.of_player(author)
    return owned[0].name if len(owned) == 1 else None
