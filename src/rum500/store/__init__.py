"""The durable store: an append-only log for each table, an index of tables, results, guests, and backups.

What needs a database is loaded when it is first used: processes that only read the entries of a log start in
half the time without SQLAlchemy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rum500.store.errors import Code, ServedElsewhere, StoreError, TableLost
from rum500.store.paths import (
    DATABASE,
    SECRET,
    VAPID,
    create_private,
    database_path,
    default_data_dir,
    make_data_dir,
    open_to_others,
)
from rum500.store.rows import (
    Browser,
    BrowserRow,
    DatabaseReport,
    GameFigures,
    GuestRow,
    MatchSummary,
    MistakeRow,
    NoticeRow,
    PruneReport,
    PuzzleAnswer,
    PuzzleRating,
    ResultRow,
    ReviewRow,
    ReviewSum,
    StoredEntry,
    TableListing,
    TableRow,
    checksum,
)

if TYPE_CHECKING:
    from rum500.store.backup import read_manifest, restore_backup, write_backup
    from rum500.store.backup_file import Manifest
    from rum500.store.database import Database, check_database, database_of
    from rum500.store.database_copy import CopyReport, copy_database
    from rum500.store.database_lock import owner
    from rum500.store.postgres_leases import Lease, NodeName, NodeRow, SharedStore
    from rum500.store.prune import count_unused
    from rum500.store.store import Store

_LATER = {
    "backup": ("read_manifest", "restore_backup", "write_backup"),
    "backup_file": ("Manifest",),
    "database": ("Database", "check_database", "database_of"),
    "database_copy": ("CopyReport", "copy_database"),
    "database_lock": ("owner",),
    "postgres_leases": ("Lease", "NodeName", "NodeRow", "SharedStore"),
    "prune": ("count_unused",),
    "store": ("Store",),
}
"""The modules that are loaded when one of their names is first used."""


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "DATABASE",
    "SECRET",
    "VAPID",
    "Browser",
    "BrowserRow",
    "Code",
    "CopyReport",
    "Database",
    "DatabaseReport",
    "GameFigures",
    "GuestRow",
    "Lease",
    "Manifest",
    "MatchSummary",
    "MistakeRow",
    "NodeName",
    "NodeRow",
    "NoticeRow",
    "PruneReport",
    "PuzzleAnswer",
    "PuzzleRating",
    "ResultRow",
    "ReviewRow",
    "ReviewSum",
    "ServedElsewhere",
    "SharedStore",
    "Store",
    "StoreError",
    "StoredEntry",
    "TableListing",
    "TableLost",
    "TableRow",
    "check_database",
    "checksum",
    "copy_database",
    "count_unused",
    "create_private",
    "database_of",
    "database_path",
    "default_data_dir",
    "make_data_dir",
    "open_to_others",
    "owner",
    "read_manifest",
    "restore_backup",
    "write_backup",
]
