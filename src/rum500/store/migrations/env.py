"""What Alembic runs to migrate: within the transaction of the connection that it is given."""

from __future__ import annotations

from alembic import context

from rum500.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
