"""Version 8: the guests' mistakes, which are repeated until they are learned."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, empty; mistakes in deals reviewed before are added when their guest practises."""
    op.create_table(
        "mistakes",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("deal", sa.Integer(), primary_key=True),
        sa.Column("step", sa.Integer(), primary_key=True),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.Integer()),
        sa.Column("last", sa.Integer()),
        sa.Column("stability", sa.Float()),
        sa.Column("difficulty", sa.Float()),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("hinted", sa.Boolean(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_index("mistakes_seen", "mistakes", ["seen"])
