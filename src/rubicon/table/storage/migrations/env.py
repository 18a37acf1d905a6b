"""Run by Alembic: brings the store of a connection to another version, in its transaction."""

from alembic import context

from rubicon.table.storage import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
