"""Version 9: several servers on one database, each of which owns some tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table of servers, empty: no table has an owner. Index the guests who have signed out."""
    op.add_column("tables", sa.Column("owner", sa.Text()))
    op.add_column("tables", sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))
    signed_out = sa.column("valid_from") > 0
    op.create_index(
        "guests_signed_out", "guests", ["valid_from"], sqlite_where=signed_out, postgresql_where=signed_out
    )
    op.create_table(
        "nodes",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("draining", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("tables", sa.Integer(), nullable=False, server_default="0"),
    )
