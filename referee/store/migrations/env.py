"""Alembic's entry: runs in the transaction that the store has begun."""

from __future__ import annotations

from alembic import context

from referee.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
