"""The durable store: an append-only log for each table, an index of tables, results, guests, and backups.

Modules that need a database are imported when they are first used: without SQLAlchemy, processes that only
read the entries of a log start in half the time.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rum500.store.errors import Code as Code
from rum500.store.errors import ServedElsewhere as ServedElsewhere
from rum500.store.errors import StoreError as StoreError
from rum500.store.errors import TableLost as TableLost
from rum500.store.paths import DATABASE as DATABASE
from rum500.store.paths import SECRET as SECRET
from rum500.store.paths import VAPID as VAPID
from rum500.store.paths import create_private as create_private
from rum500.store.paths import database_path as database_path
from rum500.store.paths import default_data_dir as default_data_dir
from rum500.store.paths import make_data_dir as make_data_dir
from rum500.store.paths import open_to_others as open_to_others
from rum500.store.rows import Achievement as Achievement
from rum500.store.rows import Browser as Browser
from rum500.store.rows import BrowserRow as BrowserRow
from rum500.store.rows import DatabaseReport as DatabaseReport
from rum500.store.rows import DayAttempt as DayAttempt
from rum500.store.rows import DealPoints as DealPoints
from rum500.store.rows import DeviceCode as DeviceCode
from rum500.store.rows import GameFigures as GameFigures
from rum500.store.rows import GuestRow as GuestRow
from rum500.store.rows import MatchSummary as MatchSummary
from rum500.store.rows import MistakeRow as MistakeRow
from rum500.store.rows import NoticeRow as NoticeRow
from rum500.store.rows import PruneReport as PruneReport
from rum500.store.rows import PuzzleAnswer as PuzzleAnswer
from rum500.store.rows import PuzzleRating as PuzzleRating
from rum500.store.rows import RecoveryWords as RecoveryWords
from rum500.store.rows import ResultRow as ResultRow
from rum500.store.rows import ReviewRow as ReviewRow
from rum500.store.rows import ReviewSum as ReviewSum
from rum500.store.rows import StoredEntry as StoredEntry
from rum500.store.rows import TableListing as TableListing
from rum500.store.rows import TableRow as TableRow
from rum500.store.rows import checksum as checksum
from rum500.store.table_store import TableStore as TableStore

if TYPE_CHECKING:
    from rum500.store.backup import read_manifest as read_manifest
    from rum500.store.backup import restore_backup as restore_backup
    from rum500.store.backup import write_backup as write_backup
    from rum500.store.backup_file import Manifest as Manifest
    from rum500.store.database import Database as Database
    from rum500.store.database import check_database as check_database
    from rum500.store.database import database_of as database_of
    from rum500.store.database_copy import CopyReport as CopyReport
    from rum500.store.database_copy import copy_database as copy_database
    from rum500.store.database_lock import owner as owner
    from rum500.store.postgres_leases import Lease as Lease
    from rum500.store.postgres_leases import NodeName as NodeName
    from rum500.store.postgres_leases import NodeRow as NodeRow
    from rum500.store.postgres_leases import SharedStore as SharedStore
    from rum500.store.prune import count_unused as count_unused
    from rum500.store.store import Store as Store

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
"""The modules with the names that are imported when they are first used."""


def __getattr__(name: str) -> object:
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
