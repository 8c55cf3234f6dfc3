"""Version 3: the time from which on each guest's cookies are valid."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; existing guests' cookies all stay valid."""
    op.add_column("guests", sa.Column("valid_from", sa.BigInteger(), nullable=False, server_default="0"))
