"""Version 7: guests' answers to puzzles, and the ratings of puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty."""
    op.create_table(
        "puzzle_answers",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("puzzle", sa.Text(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("play", sa.Text(), nullable=False),
        sa.Column("solved", sa.Boolean(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("before", sa.Float(), nullable=False),
        sa.Column("vote", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_index("puzzle_answers_puzzle", "puzzle_answers", ["puzzle", "vote"])
    op.create_table(
        "puzzle_days",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("day", sa.Integer(), primary_key=True, autoincrement=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.Text(), primary_key=True),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
    )
