"""Version 11: checksums of logs, the number of bots' turns in results, and guests' chosen speed of bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; existing entries, guests and results have no values in them."""
    op.add_column("entries", sa.Column("checksum", sa.BigInteger()))
    op.add_column("results", sa.Column("bot_turns", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("guests", sa.Column("speed", sa.Text()))
