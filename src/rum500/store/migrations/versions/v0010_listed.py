"""Version 10: which tables the lobby lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the address that lists a table, empty. The lobby lists a table again when its host connects."""
    op.add_column("tables", sa.Column("listed_by", sa.Text()))
