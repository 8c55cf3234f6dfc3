"""Version 1: entries, tables, people, guests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ROW = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables in an empty database."""
    op.create_table(
        "entries",
        sa.Column("row", _ROW, primary_key=True),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("author", sa.Text()),
        sa.Column("message", sa.Text()),
        sa.UniqueConstraint("table_id", "number", name="entries_number"),
    )
    named = sa.text("message IS NOT NULL")
    op.create_index(
        "entries_message",
        "entries",
        ["table_id", "author", "message"],
        unique=True,
        sqlite_where=named,
        postgresql_where=named,
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("people", sa.Text(), nullable=False),
        sa.Column("seats_free", sa.Integer(), nullable=False),
        sa.Column("clocked", sa.Boolean(), nullable=False),
        sa.Column("host", sa.Text()),
        sa.Column("seats", sa.Text(), nullable=False),
    )
    op.create_index("tables_status", "tables", ["status", "private", "updated"])
    op.create_table(
        "people",
        sa.Column("guest_id", sa.Text(), primary_key=True),
        sa.Column("table_id", sa.Text(), primary_key=True),
    )
    op.create_index("people_table", "people", ["table_id"])
    op.create_table(
        "guests",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
    )
