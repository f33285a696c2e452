"""The log of staff's decisions on findings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from referee.store.columns import Key, Moment, Words

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the log."""
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("thread", sa.Integer(), nullable=False),
        sa.Column("fingerprint", Key(), nullable=False),
        sa.Column("disposition", Words(), nullable=False),
        sa.Column("by", Words(), nullable=True),
        sa.Column("reason", Words(), nullable=True),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["thread"], ["threads.id"], name=op.f("fk_decisions_thread"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
    )
    op.create_index(op.f("ix_decisions_thread"), "decisions", ["thread"], unique=False)
