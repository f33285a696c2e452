"""The tables, as SQLAlchemy Core. The migrations lead to exactly these.

All times are UTC. Texts that only Python looks into (blocks, headers, payloads) are JSON; bodies
and blocks are zlib-compressed, since both are mostly repetition.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

from referee.store.columns import Key, Moment, Packed, Words

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: Raw bodies, content-addressed: one row however often the same bytes are received.
bodies = Table(
    "bodies",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("size", Integer, nullable=False),
    Column("packed", LargeBinary, nullable=False),
)

#: Received pages, one row an answer. `asked` is the address wished for, `url` where it was served.
#: `basis`: a revision, a deletion or a roll's record rests on it, so it is never pruned; None: older than this column.
fetches = Table(
    "fetches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("asked", Key, nullable=False),
    Column("url", Words, nullable=False),
    Column("accept", Words, nullable=False),
    Column("status", Integer, nullable=False),
    Column("headers", Packed, nullable=False),
    Column("fetched_at", Moment),
    Column("received_at", Moment, nullable=False),
    Column("viewer", Words, nullable=False),
    Column("scraper", Words, nullable=False),
    Column("scraper_version", Words, nullable=False),
    Column("body", String(64), ForeignKey("bodies.sha256"), nullable=False),
    Column("basis", Boolean),
    Index(None, "asked", "id"),
    Index(None, "body"),
    Index(None, "received_at"),
)

#: Whole reads that were begun and not yet stored: a run that was killed goes on from its pages.
readings = Table(
    "readings",
    metadata,
    Column("board", Key, primary_key=True),
    Column("asked", Key, primary_key=True),
    Column("since", Moment, nullable=False),
)

#: `moved_to`: the thread that this one was merged into. `zoneless`: its times are read in the zone of the
#: configuration, the pages name none. `clock_off`: seconds by which the board's clock differed when posts were new.
threads = Table(
    "threads",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("board", Key, nullable=False),
    Column("url", Key, nullable=False),
    Column("board_thread_id", Words),
    Column("title", Words),
    Column("engine", Words, nullable=False),
    Column("engine_version", Words),
    Column("reader", Words, nullable=False),
    Column("posts_stated", Integer),
    Column("locked", Boolean),
    Column("first_seen", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Column("full_read_at", Moment),
    Column("next_quick", Moment),
    Column("next_full", Moment),
    Column("unchanged", Integer, nullable=False),
    Column("last_page", Words),
    Column("last_page_accept", Words),
    Column("judged_key", String(64)),
    Column("moved_to", Integer),
    Column("zoneless", Boolean),
    Column("clock_off", Integer),
    UniqueConstraint("board", "url"),
)

#: Every address under which a thread was asked for.
addresses = Table(
    "addresses",
    metadata,
    Column("board", Key, primary_key=True),
    Column("asked", Key, primary_key=True),
    Column("thread", Integer, ForeignKey("threads.id", ondelete="CASCADE"), nullable=False, index=True),
)

#: `moved_at`: since when the post stands in another thread of the board (split, merged); it counts as read here.
posts = Table(
    "posts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("thread", Integer, ForeignKey("threads.id", ondelete="CASCADE"), nullable=False),
    Column("post", Key, nullable=False),
    Column("place", Integer, nullable=False),
    Column("number", Integer),
    Column("author", Words, nullable=False),
    Column("author_id", Words),
    Column("permalink", Words),
    Column("at", Moment),
    Column("precision", Words, nullable=False),
    Column("origin", Words, nullable=False),
    Column("edited", Boolean, nullable=False),
    Column("edited_at", Moment),
    Column("edited_by", Words),
    Column("edit_count", Integer),
    Column("edit_reason", Words),
    Column("first_seen", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
    Column("deleted_at", Moment),
    Column("moved_at", Moment),
    Column("text_hash", String(64), nullable=False),
    UniqueConstraint("thread", "post"),
)

revisions = Table(
    "revisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("post", Integer, ForeignKey("posts.id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("seen", Moment, nullable=False),
    Column("text_hash", String(64), nullable=False),
    Column("reader", Words, nullable=False),
    Column("blocks", Packed, nullable=False),
    UniqueConstraint("post", "ordinal"),
)

#: Dice links. `status` is that of the last look, whatever was seen before.
rolls = Table(
    "rolls",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("link", Key, nullable=False, unique=True),
    Column("status", Words, nullable=False),
    Column("first_seen", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
)

#: What a record showed, one row for each change of it.
roll_records = Table(
    "roll_records",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("roll", Integer, ForeignKey("rolls.id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("seen", Moment, nullable=False),
    Column("at", Moment),
    Column("by", Words),
    Column("expression", Words),
    Column("values", Words, nullable=False),
    Column("label", Words),
    UniqueConstraint("roll", "ordinal"),
)

#: One row for each change of a roll's status.
roll_statuses = Table(
    "roll_statuses",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("roll", Integer, ForeignKey("rolls.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("seen", Moment, nullable=False),
    Column("status", Words, nullable=False),
)

#: Which threads rest on which rolls.
roll_uses = Table(
    "roll_uses",
    metadata,
    Column("thread", Integer, ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True),
    Column("roll", Integer, ForeignKey("rolls.id", ondelete="CASCADE"), primary_key=True),
)

#: `changed_at`: when a finding last became news (first found, other facts, found again).
findings = Table(
    "findings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("thread", Integer, ForeignKey("threads.id", ondelete="CASCADE"), nullable=False),
    Column("fingerprint", Key, nullable=False),
    Column("facts", Words, nullable=False),
    Column("code", Words, nullable=False),
    Column("severity", Words, nullable=False),
    Column("post", Key, nullable=False),
    Column("character", Words),
    Column("payload", Packed, nullable=False),
    Column("first_seen", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
    Column("gone_at", Moment),
    Column("changed_at", Moment, nullable=False),
    Column("disposition", Words, nullable=False),
    UniqueConstraint("thread", "fingerprint"),
)

rulings = Table(
    "rulings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("thread", Integer, ForeignKey("threads.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("post", Key, nullable=False),
    Column("character", Words),
    Column("until", Words),
    Column("effect", Words, nullable=False),
    Column("by", Words),
    Column("reason", Words),
    Column("given_at", Moment, nullable=False),
    Column("withdrawn_at", Moment),
    Column("withdrawn_by", Words),
    Column("withdrawn_reason", Words),
)

#: What staff said of findings, one row each time; the finding itself has the last word only.
decisions = Table(
    "decisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("thread", Integer, ForeignKey("threads.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("fingerprint", Key, nullable=False),
    Column("disposition", Words, nullable=False),
    Column("by", Words),
    Column("reason", Words),
    Column("at", Moment, nullable=False),
)

#: Our own trouble. Open ones have no `closed_at`; `open_key` is unique among these and empty after.
incidents = Table(
    "incidents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Words, nullable=False),
    Column("board", Key, nullable=False),
    Column("subject", Words, nullable=False),
    Column("message", Words, nullable=False),
    Column("opened_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
    Column("count", Integer, nullable=False),
    Column("closed_at", Moment),
    Column("open_key", String(64), unique=True),
)

#: Politeness that all processes of an installation share. `next_at`: seconds since 1970.
hosts = Table(
    "hosts",
    metadata,
    Column("host", Key, primary_key=True),
    Column("next_at", Float, nullable=False),
    Column("robots", Words),
    Column("robots_at", Float),
)
