"""A server of PostgreSQL for tests, and databases in it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support.ports import free_port
from tests.support.waiting import until

REQUIRED = "RUM500_REQUIRE_POSTGRESQL"
"""If this variable is set, a missing PostgreSQL is a failure."""
PASSWORD = "a-word-for-tests"
_USER = "rum500"
Server = TypeVar("Server", bound="PostgresServer")


@cache
def programs() -> Path | None:
    """Return the folder of the newest `initdb` and `postgres`; None if there are none."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((each.parent for each in installed), key=lambda each: float(each.parent.name), default=None)


def needed() -> Path:
    """Return the same folder; skip the test, or fail it, if there is none."""
    found = programs()
    if found is None:
        said = "NOT RUN ON POSTGRESQL: there is no initdb (Debian: apt-get install postgresql)"
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(said)
    return found


class PostgresServer:
    """A server in a folder of its own, on a socket there and on a port, which needs the password.

    Unless `safe`, it does not survive a power failure, which makes it fast; it does survive the end of its
    processes. It ends with the process that started it.
    """

    most_connections = 60

    def __init__(self, folder: Path, *, safe: bool = False) -> None:
        self._programs = needed()
        self._safe = "on" if safe else "off"
        self.folder = folder
        self.port = free_port()
        self._count = 0
        self._emptied = ""
        self._process: subprocess.Popen[bytes] | None = None
        (folder / "password").write_text(PASSWORD)
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            for path in (folder, folder / "password"):
                shutil.chown(path, "nobody")
        made = (
            *("--pgdata", folder / "data", "--username", _USER, "--pwfile", folder / "password"),
            *("--auth-local", "trust", "--auth-host", "scram-sha-256", "--no-locale", "--encoding", "UTF8"),
            "--no-sync",
        )
        subprocess.run(self.command("initdb", *made), check=True, stdout=subprocess.DEVNULL, cwd=folder)

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        assert self._process is not None
        return self._process.pid

    def command(self, program: str, *words: object) -> list[str]:
        """Return a command line for a user who is not root; it ends with this process, if possible."""
        first: list[str] = []
        if shutil.which("setpriv"):
            first = ["setpriv", "--pdeathsig", "KILL"]
            if os.geteuid() == 0:
                first += ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        return [*first, str(self._programs / program), *map(str, words)]

    def start(self) -> None:
        """Start the server unless it runs, and wait until it answers."""
        if self._process is not None and self._process.poll() is None:
            return
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "fsync": self._safe,
            "full_page_writes": self._safe,
            "max_connections": self.most_connections,
            "shared_buffers": "16MB",
            "wal_level": "minimal",
            "max_wal_senders": 0,
            "autovacuum": self._safe,  # tests do not need it
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            command = self.command("postgres", "-D", self.folder / "data", *words)
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        until(self._answers)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()[-3000:]
        asked = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder), "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0

    def stop(self) -> None:
        """End it at once, as `pg_ctl stop -m immediate` does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """End it at once and start it again, as `pg_ctl restart -m immediate` does."""
        self.stop()
        self.start()

    def url(self, database: str) -> str:
        """The URL of a database, by the socket."""
        return f"postgresql://{_USER}@/{database}?host={self.folder}&port={self.port}"

    def url_with_password(self, database: str, password: str = PASSWORD) -> str:
        """The URL of a database, by the network."""
        return f"postgresql://{_USER}:{password}@127.0.0.1:{self.port}/{database}"

    def execute(self, database: str, statement: str) -> list[tuple[Any, ...]]:
        """Execute a statement and return its rows, if any."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            done = connection.execute(statement)  # type: ignore[call-overload] # any statement
            return done.fetchall() if done.description else []

    def new_database(self) -> str:
        """Make an empty database and return its URL."""
        self._count += 1
        self.execute("postgres", f"CREATE DATABASE test_{self._count}")
        return self.url(f"test_{self._count}")

    def emptied_database(self) -> str:
        """Return the URL of a database with the tables of this version and no rows.

        It is the same database for all tests, because emptying tables is much faster than making a database.
        """
        # Most tests need none of these imports.
        from rum500.store import database_of
        from rum500.store.schema import HEAD, metadata

        if not self._emptied:
            self._emptied = self.new_database()
            database_of(self._emptied).prepare().release()
        name = database_of(self._emptied).name.rpartition("/")[2]
        sessions = f"FROM pg_stat_activity WHERE datname = '{name}'"
        self.execute("postgres", f"SELECT pg_terminate_backend(pid) {sessions}")
        until(lambda: not self.execute("postgres", f"SELECT 1 {sessions}"))
        tables = "; ".join(f"DELETE FROM {table.name}" for table in metadata.sorted_tables)
        self.execute(name, f"{tables}; UPDATE alembic_version SET version_num = '{HEAD}'")
        return self._emptied


def postgres(*, safe: bool = False) -> AbstractContextManager[PostgresServer]:
    """Return a server that runs while the block does."""
    return running(lambda folder: PostgresServer(folder, safe=safe))


@contextmanager
def running(make: Callable[[Path], Server]) -> Iterator[Server]:
    """Run a server that `make` makes in a folder, which is removed afterwards."""
    needed()
    folder = Path(tempfile.mkdtemp(prefix="rum500-postgres-"))
    try:
        server = make(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
