"""Version 16: the score sheets that others watch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, empty."""
    op.create_table(
        "pads",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("sheet", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("pads_at", "pads", ["at"])
