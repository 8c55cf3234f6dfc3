"""Version 5: the time at which a table with a clock of days has to be loaded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty, and its index; no older table has a clock of days."""
    op.add_column("tables", sa.Column("due", sa.BigInteger()))
    due = sa.column("due").is_not(None)
    op.create_index("tables_due", "tables", ["due"], sqlite_where=due, postgresql_where=due)
