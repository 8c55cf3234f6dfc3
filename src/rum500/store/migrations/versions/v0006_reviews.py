"""Version 6: reviews of deals, and their results for each guest."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty; older deals are reviewed when somebody requests it."""
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("deal", sa.Integer(), primary_key=True),
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "review_sums",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("deal", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("play", sa.Float(), nullable=False),
        sa.Column("play_error", sa.Float(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("marks", sa.Text()),
        sa.Column("mistakes", sa.Text()),
    )
    op.create_index("review_sums_table", "review_sums", ["table_id"])
