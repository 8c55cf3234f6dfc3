"""Version 13: deals of the day: their seeds, the guests' attempts, and the results of all."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty."""

    def day() -> sa.Column[int]:
        return sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False)

    op.create_table("day_seeds", day(), sa.Column("seed", sa.Text(), nullable=False))
    op.create_table(
        "day_attempts",
        day(),
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer()),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("day_attempts_table", "day_attempts", ["table_id"])
    op.create_index("day_attempts_guest", "day_attempts", ["guest_id", "day"])
    op.create_index("day_attempts_points", "day_attempts", ["day", "status", "points"])
    op.create_table(
        "day_counts",
        day(),
        sa.Column("points", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("players", sa.Integer(), nullable=False),
    )
    op.create_table(
        "day_bots",
        day(),
        sa.Column("level", sa.Text(), primary_key=True),
        sa.Column("points", sa.Text(), nullable=False),
    )
