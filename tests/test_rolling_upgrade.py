"""Two versions on one database: the newer one migrates it while an older server runs."""

from __future__ import annotations

import random
import re
import shutil
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect

import rum500
from rum500.store import SECRET, database_of
from rum500.store import _version as versions
from rum500.store._sqlite_file import GAPS
from rum500.store.postgres_leases import drain_node
from rum500.store.schema import HEAD
from tests.support.live_server import Guest, LiveServer, Seated, play_on
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer
from tests.support.table_choice import Facts
from tests.support.waiting import until

FLAGS = ("--bot-pause-ms", "0", "--no-limits", "--bot-workers", "0", "--review-workers", "0", "--no-push")
LATER = f"{int(HEAD) + 1:04}"
MIGRATION = f'''
"""A version that is later than this one by one migration."""

import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{LATER}", "{HEAD}", None, None


def upgrade() -> None:
    op.create_table("later", sa.Column("id", sa.Text(), primary_key=True))
    for table in ("tables", "entries", "guests", "nodes"):
        op.add_column(table, sa.Column("later", sa.Integer(), nullable=False, server_default="0"))
        op.add_column(table, sa.Column("latest", sa.Text()))
    op.create_index("guests_later", "guests", ["later"])
'''


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that has one migration more, for Python's path."""
    folder = tmp_path_factory.mktemp("later")
    package = folder / "rum500"
    shutil.copytree(Path(rum500.__file__).parent, package)
    schema = package / "store" / "schema.py"
    schema.write_text(schema.read_text().replace(f'HEAD = "{HEAD}"', f'HEAD = "{LATER}"'))
    (package / "store" / "migrations" / "versions" / f"v{LATER}_later.py").write_text(MIGRATION)
    return folder


class Servers:
    """Two servers on one database, each of this version or of the later one."""

    def __init__(self, folder: Path, postgres: PostgresServer, later: Path) -> None:
        self.url, self._postgres, self._later = postgres.new_database(), postgres, later
        self._all: dict[str, LiveServer] = {}
        for name in ("one", "two"):
            port, data = free_port(), folder / name
            own = ("--db", self.url, "--node-url", f"http://127.0.0.1:{port}", "--node-name", name)
            self._all[name] = LiveServer(data, *own, *FLAGS, port=port)

    def start(self, name: str, monkeypatch: pytest.MonkeyPatch, *, later: bool = False) -> LiveServer:
        server = self._all[name]
        server.data.mkdir(exist_ok=True)
        if name == "two":
            shutil.copy(self._all["one"].data / SECRET, server.data / SECRET)
        with monkeypatch.context() as patch:
            if later:
                patch.setenv("PYTHONPATH", str(self._later))
            return server.start()

    def replace(self, name: str) -> None:
        """Let a server give up its tables, and end it."""
        drain_node(self.url, name)
        until(
            lambda: (
                not self.rows(f"SELECT 1 FROM tables t JOIN nodes n ON n.id = t.owner AND n.name = '{name}'")
            )
        )
        self._all[name].end()

    def rows(self, statement: str) -> list[tuple[object, ...]]:
        return self._postgres.execute(database_of(self.url).name.rpartition("/")[2], statement)

    def end(self) -> None:
        for server in self._all.values():
            server.end()


class Playing(threading.Thread):
    """Somebody who plays at a table until told to stop."""

    def __init__(self, seat: Seated) -> None:
        super().__init__()
        self._seat, self._stop_at = seat, threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        dice = random.Random(1)
        try:
            while not self._stop_at.wait(0.02):
                self._seat.act(dice)
        except Exception as error:  # noqa: BLE001 - the test's own thread raises it
            self.failure = error

    def stop(self) -> None:
        self._stop_at.set()
        self.join()
        if self.failure is not None:
            raise self.failure


def new_table(guest: Guest) -> str:
    """A table with a bot, at which much can be played."""
    return guest.new_table("500-rum", level="greedy", start=True, target=100_000)


def may_play(facts: Facts) -> bool:
    return bool(facts.get("may"))


def acknowledged(seat: Seated) -> set[str]:
    """The ids of the messages that changed the table."""
    return {message["re"] for message in seat.heard if message["type"] == "update" and message.get("re")}


def moved(seat: Seated, number: int) -> Callable[[Facts], bool]:
    return lambda _: seat.number > number + 5


@pytest.mark.whole
def test_a_newer_server_migrates_while_an_older_one_serves(
    postgres_server: PostgresServer, tmp_path: Path, later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers(tmp_path, postgres_server, later)
    said: set[str] = set()
    with ExitStack() as stack:
        stack.callback(servers.end)
        one, two = servers.start("one", monkeypatch), servers.start("two", monkeypatch)
        ann, ben = Guest(one, "Ann"), Guest(two, "Ben")
        first, second = (new_table(guest) for guest in (ann, ben))
        with ann.at(first) as seat:
            play_on([seat], may_play)
            number = seat.number
        seat = stack.enter_context(ben.at(second))
        play_on([seat], may_play)
        # Somebody plays at the older server all the time.
        playing = Playing(seat)
        playing.start()
        servers.replace("one")
        servers.start("one", monkeypatch, later=True)
        assert servers.rows("SELECT version_num FROM alembic_version") == [(LATER,)]
        playing.stop()
        play_on([seat], moved(seat, seat.number))
        # What the older one does otherwise: a new table, another name, somebody who comes by the newer one.
        ben.call("PUT", "/api/me", {"name": "Benedict"})
        for table in (first, new_table(ben)):
            with ben.at(table) as other:
                play_on([other], lambda facts: facts.get("status") == "playing")
        by_newer = Guest.__new__(Guest)
        by_newer.server, by_newer.cookie, by_newer.me = one, ben.cookie, ben.me
        with by_newer.at(second) as other:
            play_on([other], moved(other, other.number))
            said |= acknowledged(other)
            last = other.number
        said |= acknowledged(seat)
        # Now the older one gives up its tables to the newer one, which plays them on.
        servers.replace("two")
        with by_newer.at(second, last=last) as other:
            assert other.number >= last
            play_on([other], moved(other, other.number))
            said |= acknowledged(other)
        with ann.at(first, last=number) as other:
            play_on([other], moved(other, other.number))
        # The older version does not start any more, and says what to do.
        with pytest.raises(
            AssertionError, match=f"its version is {LATER}, and this rum500 knows up to {HEAD}"
        ):
            servers.start("two", monkeypatch)
        servers.start("two", monkeypatch, later=True)
        assert servers.rows(GAPS) == []
        stored = {row[0] for row in servers.rows("SELECT message FROM entries WHERE message IS NOT NULL")}
        assert said and said <= stored
        for server in (one, two):
            assert not re.search("Traceback|level=error", server.log)


# --- the rule ----------------------------------------------------------------------------------------------


def columns(connection: Connection) -> dict[tuple[str, str], tuple[str, bool, bool]]:
    """Of each column its type, whether it may be empty, and whether it has a value by itself."""
    found = inspect(connection)
    return {
        (table, column["name"]): (
            str(column["type"]), bool(column["nullable"]), column.get("default") is not None
        )
        for table in found.get_table_names()
        for column in found.get_columns(table)
    }  # fmt: skip


def unique(connection: Connection) -> set[tuple[str, tuple[str | None, ...]]]:
    """What must be unique, by table."""
    found = inspect(connection)
    return {
        (table, tuple(index["column_names"]))
        for table in found.get_table_names()
        for index in found.get_indexes(table)
        if index["unique"]
    }


def test_a_migration_only_adds_what_an_older_server_can_leave_out(tmp_path: Path) -> None:
    """No column goes or changes, and a new one of an old table is filled by itself; nor is more unique."""
    place = tmp_path / "base.sqlite3"
    place.touch()
    engine = database_of(place).writing_engine()
    config = Config()
    config.set_main_option("script_location", str(Path(versions.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        for number in range(1, int(HEAD) + 1):
            before, same = columns(connection), unique(connection)
            command.upgrade(config, f"{number:04}")
            after, tables = columns(connection), {table for table, _ in before}
            assert before.items() <= after.items(), number
            for (table, column), (_, may_be_empty, by_itself) in after.items() - before.items():
                assert table not in tables or may_be_empty or by_itself, (number, table, column)
            assert {each for each in unique(connection) - same if each[0] in tables} == set(), number
    engine.dispose()
