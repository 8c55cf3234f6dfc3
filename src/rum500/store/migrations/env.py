"""The script that Alembic runs to migrate a database, in the transaction of the given connection."""

from __future__ import annotations

from alembic import context

from rum500.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
