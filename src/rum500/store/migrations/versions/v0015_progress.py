"""Version 15: the points of each deal in results, and what guests have reached: deeds and steps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table, empty; the logs of older matches are examined when a guest asks."""
    op.add_column("results", sa.Column("by_deal", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("results", sa.Column("examined", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "achievements",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text()),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("frame", sa.Integer(), nullable=False),
    )
