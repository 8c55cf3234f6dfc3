"""Version 2: the results of each guest's matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table, empty; results of older matches are computed when a guest requests them."""
    op.create_table(
        "results",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("accounts", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer()),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("margin", sa.Integer()),
        sa.Column("best_deal", sa.Integer()),
        sa.Column("partners", sa.Text(), nullable=False),
        sa.Column("opponents", sa.Text(), nullable=False),
        sa.Column("with_people", sa.Boolean(), nullable=False),
        sa.Column("level", sa.Text()),
    )
    op.create_index("results_guest", "results", ["guest_id", "ended"])
