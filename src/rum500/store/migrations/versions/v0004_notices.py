"""Version 4: browsers that get push messages when a table waits for their guest, and the messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty."""
    op.create_table(
        "browsers",
        sa.Column("endpoint", sa.Text(), primary_key=True),
        sa.Column("guest_id", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_to", sa.Integer()),
        sa.Column("seen", sa.BigInteger(), nullable=False),
    )
    op.create_index("browsers_guest", "browsers", ["guest_id", "seen"])
    op.create_table(
        "notices",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("due", sa.BigInteger(), nullable=False),
    )
    op.create_index("notices_table", "notices", ["table_id"])
