"""Version 12: the unfinished tables that guests have put away."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, empty."""
    op.create_table(
        "put_away",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("put_away_table", "put_away", ["table_id"])
