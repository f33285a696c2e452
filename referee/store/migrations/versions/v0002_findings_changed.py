"""When a finding last became news: found, found with other facts, or found again (`report --since`)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from referee.store.columns import Moment

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the time; of what is stored already only the first sight is known."""
    with op.batch_alter_table("findings") as table:
        table.add_column(sa.Column("changed_at", Moment(), nullable=True))
    op.execute("UPDATE findings SET changed_at = first_seen")
    with op.batch_alter_table("findings") as table:
        table.alter_column("changed_at", existing_type=Moment(), nullable=False)
