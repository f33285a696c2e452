"""The first version of the tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from referee.store.columns import Key, Moment, Packed, Words

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create every table."""
    _create_archive()
    _create_threads()
    _create_posts()
    _create_rolls()
    _create_findings()
    _create_operations()


def _create_archive() -> None:
    """The archive: raw bodies and received pages; reads under way."""
    op.create_table(
        "bodies",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_bodies")),
    )
    op.create_table(
        "fetches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("asked", Key(), nullable=False),
        sa.Column("url", Words(), nullable=False),
        sa.Column("accept", Words(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", Packed(), nullable=False),
        sa.Column("fetched_at", Moment(), nullable=True),
        sa.Column("received_at", Moment(), nullable=False),
        sa.Column("viewer", Words(), nullable=False),
        sa.Column("scraper", Words(), nullable=False),
        sa.Column("scraper_version", Words(), nullable=False),
        sa.Column("body", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["body"], ["bodies.sha256"], name=op.f("fk_fetches_body")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fetches")),
    )
    op.create_index(op.f("ix_fetches_asked_id"), "fetches", ["asked", "id"], unique=False)
    op.create_table(
        "readings",
        sa.Column("board", Key(), nullable=False),
        sa.Column("asked", Key(), nullable=False),
        sa.Column("since", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("board", "asked", name=op.f("pk_readings")),
    )


def _create_threads() -> None:
    """Threads and the addresses that they were asked for under."""
    op.create_table(
        "threads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board", Key(), nullable=False),
        sa.Column("url", Key(), nullable=False),
        sa.Column("board_thread_id", Words(), nullable=True),
        sa.Column("title", Words(), nullable=True),
        sa.Column("engine", Words(), nullable=False),
        sa.Column("engine_version", Words(), nullable=True),
        sa.Column("reader", Words(), nullable=False),
        sa.Column("posts_stated", sa.Integer(), nullable=True),
        sa.Column("locked", sa.Boolean(), nullable=True),
        sa.Column("first_seen", Moment(), nullable=False),
        sa.Column("last_seen", Moment(), nullable=False),
        sa.Column("changed_at", Moment(), nullable=False),
        sa.Column("full_read_at", Moment(), nullable=True),
        sa.Column("next_quick", Moment(), nullable=True),
        sa.Column("next_full", Moment(), nullable=True),
        sa.Column("unchanged", sa.Integer(), nullable=False),
        sa.Column("last_page", Words(), nullable=True),
        sa.Column("last_page_accept", Words(), nullable=True),
        sa.Column("judged_key", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_threads")),
        sa.UniqueConstraint("board", "url", name=op.f("uq_threads_board_url")),
    )
    op.create_table(
        "addresses",
        sa.Column("board", Key(), nullable=False),
        sa.Column("asked", Key(), nullable=False),
        sa.Column("thread", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_addresses_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("board", "asked", name=op.f("pk_addresses")),
    )
    op.create_index(op.f("ix_addresses_thread"), "addresses", ["thread"], unique=False)


def _create_posts() -> None:
    """Posts and their revisions."""
    op.create_table(
        "posts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("thread", sa.Integer(), nullable=False),
        sa.Column("post", Key(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("author", Words(), nullable=False),
        sa.Column("author_id", Words(), nullable=True),
        sa.Column("permalink", Words(), nullable=True),
        sa.Column("at", Moment(), nullable=True),
        sa.Column("precision", Words(), nullable=False),
        sa.Column("origin", Words(), nullable=False),
        sa.Column("edited", sa.Boolean(), nullable=False),
        sa.Column("edited_at", Moment(), nullable=True),
        sa.Column("edited_by", Words(), nullable=True),
        sa.Column("edit_count", sa.Integer(), nullable=True),
        sa.Column("edit_reason", Words(), nullable=True),
        sa.Column("first_seen", Moment(), nullable=False),
        sa.Column("last_seen", Moment(), nullable=False),
        sa.Column("deleted_at", Moment(), nullable=True),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_posts_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posts")),
        sa.UniqueConstraint("thread", "post", name=op.f("uq_posts_thread_post")),
    )
    op.create_table(
        "revisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("post", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("seen", Moment(), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("reader", Words(), nullable=False),
        sa.Column("blocks", Packed(), nullable=False),
        sa.ForeignKeyConstraint(["post"], ["posts.id"], name=op.f("fk_revisions_post"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_revisions")),
        sa.UniqueConstraint("post", "ordinal", name=op.f("uq_revisions_post_ordinal")),
    )


def _create_rolls() -> None:
    """Dice links, what they showed, and who rests on them."""
    op.create_table(
        "rolls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link", Key(), nullable=False),
        sa.Column("status", Words(), nullable=False),
        sa.Column("first_seen", Moment(), nullable=False),
        sa.Column("last_seen", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rolls")),
        sa.UniqueConstraint("link", name=op.f("uq_rolls_link")),
    )
    op.create_table(
        "roll_records",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("roll", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("seen", Moment(), nullable=False),
        sa.Column("at", Moment(), nullable=True),
        sa.Column("by", Words(), nullable=True),
        sa.Column("expression", Words(), nullable=True),
        sa.Column("values", Words(), nullable=False),
        sa.Column("label", Words(), nullable=True),
        sa.ForeignKeyConstraint(["roll"], ["rolls.id"], name=op.f("fk_roll_records_roll"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_roll_records")),
        sa.UniqueConstraint("roll", "ordinal", name=op.f("uq_roll_records_roll_ordinal")),
    )
    op.create_table(
        "roll_statuses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("roll", sa.Integer(), nullable=False),
        sa.Column("seen", Moment(), nullable=False),
        sa.Column("status", Words(), nullable=False),
        sa.ForeignKeyConstraint(["roll"], ["rolls.id"], name=op.f("fk_roll_statuses_roll"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_roll_statuses")),
    )
    op.create_index(op.f("ix_roll_statuses_roll"), "roll_statuses", ["roll"], unique=False)
    op.create_table(
        "roll_uses",
        sa.Column("thread", sa.Integer(), nullable=False),
        sa.Column("roll", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["roll"], ["rolls.id"], name=op.f("fk_roll_uses_roll"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_roll_uses_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("thread", "roll", name=op.f("pk_roll_uses")),
    )


def _create_findings() -> None:
    """Findings and staff rulings."""
    op.create_table(
        "findings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("thread", sa.Integer(), nullable=False),
        sa.Column("fingerprint", Key(), nullable=False),
        sa.Column("facts", Words(), nullable=False),
        sa.Column("code", Words(), nullable=False),
        sa.Column("severity", Words(), nullable=False),
        sa.Column("post", Key(), nullable=False),
        sa.Column("character", Words(), nullable=True),
        sa.Column("payload", Packed(), nullable=False),
        sa.Column("first_seen", Moment(), nullable=False),
        sa.Column("last_seen", Moment(), nullable=False),
        sa.Column("gone_at", Moment(), nullable=True),
        sa.Column("disposition", Words(), nullable=False),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_findings_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_findings")),
        sa.UniqueConstraint("thread", "fingerprint", name=op.f("uq_findings_thread_fingerprint")),
    )
    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("thread", sa.Integer(), nullable=False),
        sa.Column("post", Key(), nullable=False),
        sa.Column("character", Words(), nullable=True),
        sa.Column("until", Words(), nullable=True),
        sa.Column("effect", Words(), nullable=False),
        sa.Column("by", Words(), nullable=True),
        sa.Column("reason", Words(), nullable=True),
        sa.Column("given_at", Moment(), nullable=False),
        sa.Column("withdrawn_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_rulings_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rulings")),
    )
    op.create_index(op.f("ix_rulings_thread"), "rulings", ["thread"], unique=False)


def _create_operations() -> None:
    """Incidents and politeness."""
    op.create_table(
        "incidents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("board", Key(), nullable=False),
        sa.Column("subject", Words(), nullable=False),
        sa.Column("message", Words(), nullable=False),
        sa.Column("opened_at", Moment(), nullable=False),
        sa.Column("last_at", Moment(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("closed_at", Moment(), nullable=True),
        sa.Column("open_key", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_incidents")),
        sa.UniqueConstraint("open_key", name=op.f("uq_incidents_open_key")),
    )
    op.create_table(
        "hosts",
        sa.Column("host", Key(), nullable=False),
        sa.Column("next_at", sa.Float(), nullable=False),
        sa.Column("robots", Words(), nullable=True),
        sa.Column("robots_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_hosts")),
    )
