"""Version 17: second devices, recovery words, and guests that were merged into another."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty."""
    op.create_table(
        "former_guests",
        sa.Column("former", sa.Text(), primary_key=True),
        sa.Column("guest_id", sa.Text(), nullable=False),
    )
    op.create_index("former_guests_guest", "former_guests", ["guest_id"])
    op.create_table(
        "device_codes",
        sa.Column("code", sa.Text(), primary_key=True),
        sa.Column("guest_id", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("asker", sa.Text()),
        sa.Column("browser", sa.Text()),
        sa.Column("phone", sa.Boolean()),
        sa.Column("words", sa.Text()),
        sa.Column("answer", sa.Boolean()),
    )
    op.create_index("device_codes_guest", "device_codes", ["guest_id"])
    op.create_index("device_codes_asker", "device_codes", ["asker"])
    op.create_table(
        "recovery_words",
        sa.Column("hash", sa.Text(), primary_key=True),
        sa.Column("guest_id", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("recovery_words_guest", "recovery_words", ["guest_id"])
