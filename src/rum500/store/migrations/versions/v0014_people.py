"""Version 14: who sees a guest's presence, invitations, and leagues."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty, and the column; nobody's presence is shown."""
    op.add_column(
        "guests", sa.Column("shows_presence", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_table(
        "invitations",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("league_id", sa.Text(), primary_key=True),
        sa.Column("by_guest", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_index("invitations_by", "invitations", ["by_guest", "guest_id", "at"])
    op.create_index("invitations_table", "invitations", ["table_id"])
    op.create_table(
        "refused_people",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("other_id", sa.Text(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "leagues",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger()),
        sa.Column("used", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "league_members",
        sa.Column("league_id", sa.Text(), primary_key=True),
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=False),
    )
    op.create_index("league_members_guest", "league_members", ["guest_id"])
    op.create_table(
        "league_results",
        sa.Column("league_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
        sa.Column("player", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("owes", sa.Text(), nullable=False),
    )
