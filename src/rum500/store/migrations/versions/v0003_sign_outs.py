"""The third version: since when each guest's cookies count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; all cookies of the guests that are known already count."""
    op.add_column("guests", sa.Column("valid_from", sa.BigInteger(), nullable=False, server_default="0"))
