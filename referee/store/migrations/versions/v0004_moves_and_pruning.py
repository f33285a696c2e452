"""What a year of a busy board needs: pages that may be pruned, posts and threads that move, clocks that are off."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from referee.store.columns import Moment

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns. Pages from before have no `basis`: what rests on them is not known, so they are kept."""
    op.add_column("fetches", sa.Column("basis", sa.Boolean(), nullable=True))
    op.create_index(op.f("ix_fetches_body"), "fetches", ["body"], unique=False)
    op.create_index(op.f("ix_fetches_received_at"), "fetches", ["received_at"], unique=False)
    op.add_column("threads", sa.Column("moved_to", sa.Integer(), nullable=True))
    op.add_column("threads", sa.Column("zoneless", sa.Boolean(), nullable=True))
    op.add_column("threads", sa.Column("clock_off", sa.Integer(), nullable=True))
    op.add_column("posts", sa.Column("moved_at", Moment(), nullable=True))
