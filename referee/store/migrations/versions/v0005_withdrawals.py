"""Who withdrew a ruling, and why."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from referee.store.columns import Words

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns; of rulings that were withdrawn before nobody knows."""
    op.add_column("rulings", sa.Column("withdrawn_by", Words(), nullable=True))
    op.add_column("rulings", sa.Column("withdrawn_reason", Words(), nullable=True))
