"""The store on PostgreSQL: who may write, broken connections, a restart of the server, copies, errors."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from rum500.cli import main
from rum500.store import DATABASE, SECRET, Store, StoreError, create_private, database_of
from rum500.store.schema import HEAD, metadata
from rum500.store.writer import Writer
from tests.support.depth import depth
from tests.support.postgres import PASSWORD, PostgresServer, needed
from tests.support.processes import started
from tests.support.storing import browser, changed, code_of, entry, row, with_store
from tests.support.waiting import comes_true, other_tasks, until
from tools.crash_soak import Server, Soak

KEY = b"the key of cookies " * 2


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    """The URL of a database with the tables of this version and no row."""
    return postgres_server.emptied_database()


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        code = main([str(word) for word in words])
    except SystemExit as ended:
        code = int(str(ended.code))
    out = capsys.readouterr()
    return code, out.out, out.err


def rows_of(place: Path | str) -> dict[str, set[tuple[Any, ...]]]:
    """All rows of a database, by table."""
    engine = database_of(place).reading_engine()
    with engine.connect() as connection:
        found = {
            table.name: {tuple(row) for row in connection.execute(select(table))}
            for table in metadata.sorted_tables
        }
    engine.dispose()
    return found


async def some_of_all(store: Store) -> None:
    """Write tables, a guest, a browser, texts and bytes of all kinds."""
    await store.create_table(row("t", people=["ann"]), [entry(1, "m1"), entry(2, "m2", b"\x00\xff")])
    await store.create_table(row("Ä", title="ö' \\ \"", private=True, due=5), [entry(1)])
    await store.save_guest("ann", "Änne 🂡", 5)
    await store.notices.save_browser(browser("ann", 1), 10)


# --- writers ---------------------------------------------------------------------------------------


@pytest.fixture
def impatient(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for the right to write."""
    from rum500.store import postgres

    monkeypatch.setattr(postgres, "_PATIENCE", 0.1)


OWNS = """
import asyncio, signal, sys
from rum500.store import Store
async def main():
    await Store.open(sys.argv[1])
    print("open", flush=True)
    signal.pause()
asyncio.run(main())
"""


def test_ownership_ends_with_the_process(url: str) -> None:
    with started([sys.executable, "-c", OWNS, url], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"open\n"
        assert (database_of(url).owner() or "").endswith(f"process {other.pid}")
        with pytest.raises(StoreError, match=rf"process {other.pid}\); end that one") as caught:
            with_store(url, lambda store: store.check())
        assert caught.value.code == "store.locked"
    with_store(url, lambda store: store.append("t", [entry(1)]))


@pytest.mark.usefixtures("impatient")
def test_server_without_connections_may_not_write_beside_another(
    url: str, postgres_server: PostgresServer
) -> None:
    """As a server that was cut off, while another was started."""

    async def work(store: Store) -> None:
        await asyncio.gather(*(store.append(f"t{one}", [entry(1)]) for one in range(20)))
        until(lambda: not end_sessions(postgres_server, url))  # one may only be beginning
        other = await Store.open(url)
        try:
            await other.append("t0", [entry(2, "theirs")])
            codes = await asyncio.gather(*(code_of(store.append(f"t{one}", [entry(2)])) for one in range(20)))
            assert set(codes) == {"store.locked"}
        finally:
            await other.close()
        await comes_true(lambda: database_of(url).owner() is None)
        assert await code_of(store.append("t0", [entry(2)])) == "store.conflict"
        await store.append("t0", [entry(3)])
        assert [one.message for one in await store.entries("t0")] == [None, "theirs", None]

    with_store(url, work)


def end_sessions(server: PostgresServer, url: str) -> list[Any]:
    """End all sessions of a database, and return those that there were."""
    name = database_of(url).name.rpartition("/")[2]
    ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    return server.execute("postgres", ended)


# --- two connections -------------------------------------------------------------------------------


def test_two_commits_go_on_at_the_same_time(url: str) -> None:
    """While one waits for a lock, the other commits."""
    slow = next(name for name in map("a{}".format, range(99)) if hash(name) % 2 == 0)
    fast = next(name for name in map("b{}".format, range(99)) if hash(name) % 2 == 1)

    async def work(store: Store) -> None:
        import psycopg

        await store.create_table(row(slow), [entry(1)])
        with psycopg.connect(url) as other:
            other.execute("UPDATE tables SET title = title WHERE id = %s", (slow,))
            waits = asyncio.create_task(store.append(slow, [entry(2)], status="over"))
            await other_tasks()
            for number in range(1, 6):
                await store.append(fast, [entry(number)])
            assert not waits.done()
            other.rollback()
        await waits
        assert len(await store.entries(slow)) == 2

    with_store(url, work)


# --- commits of unknown outcome --------------------------------------------------------------------


@pytest.mark.parametrize("stored", [True, False], ids=["committed", "not committed"])
@pytest.mark.parametrize("how", ["one statement", "transaction", "one by one"])
def test_a_commit_whose_answer_is_lost_is_looked_up(
    url: str, monkeypatch: pytest.MonkeyPatch, one_writer_of_postgres: None, stored: bool, how: str
) -> None:
    """The connection breaks once, before the commit or after it: the caller learns what is in the log."""
    import psycopg

    method = "_write_one_by_one" if how == "one by one" else "_write"
    real: Callable[..., Any] = getattr(Writer, method)
    broken: list[str] = []

    def breaks(writer: Writer, jobs: Any) -> Any:
        if broken or not any(job.table == "t" and job.rows[0][1] == 2 for job in jobs):
            return real(writer, jobs)
        broken.append(how)
        if stored:
            real(writer, jobs)
        writer._driver().close()
        raise psycopg.OperationalError("consuming input failed: server closed the connection unexpectedly")

    async def work(store: Store) -> None:
        await store.create_table(row("t"), [entry(1, "m1")])
        monkeypatch.setattr(Writer, method, breaks)
        fields = {} if how == "one statement" else {"status": "over"}
        calls = [store.append("t", [entry(2, "m2"), entry(3)], **fields)]
        if how == "one by one":
            calls.append(
                store.append("u", [entry(1), entry(2, "x"), entry(3, "x")])
            )  # the same message twice
        codes = await asyncio.gather(*map(code_of, calls))
        assert codes == [None, "store.conflict"][: len(calls)]
        assert broken == [how]
        assert [one.message for one in await store.entries("t")] == ["m1", "m2", None]
        assert await store.entries("u") == []
        assert store.fault is None
        await store.append("t", [entry(4)])

    with_store(url, work)


@pytest.fixture
def one_writer_of_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    needed()
    from rum500.store.postgres import PostgresDatabase

    monkeypatch.setattr(PostgresDatabase, "writers", 1)


def test_sessions_that_end_at_any_moment_lose_and_double_nothing(
    url: str, postgres_server: PostgresServer
) -> None:
    names = [f"t{one}" for one in range(12)]
    acknowledged = dict.fromkeys(names, 0)

    async def work(store: Store) -> None:
        on = True

        async def play(name: str) -> None:
            while on:
                last = acknowledged[name]
                code = await code_of(store.append(name, [entry(last + 1, f"m{last + 1}")]))
                if code is None:
                    acknowledged[name] = last + 1
                else:
                    assert code in ("store.failed", "store.conflict"), code
                    log = await store.entries(name)
                    assert len(log) in (last, last + 1)
                    acknowledged[name] = len(log)

        playing = asyncio.gather(*map(play, names))
        for _ in range(depth(5, 50)):
            before = sum(acknowledged.values())
            await comes_true(lambda before=before: sum(acknowledged.values()) > before + 40)
            await asyncio.to_thread(end_sessions, postgres_server, url)
        on = False
        await playing
        for name in names:
            log = await store.entries(name)
            assert [one.number for one in log] == list(range(1, acknowledged[name] + 1))
            assert [one.message for one in log] == [f"m{one.number}" for one in log]

    with_store(url, work)


def test_without_the_server_changes_fail_at_once_and_go_on_after_its_return(
    url: str, postgres_server: PostgresServer
) -> None:
    async def work(store: Store) -> None:
        await store.append("t", [entry(1, "m1")])
        postgres_server.stop()
        try:
            # Nobody knows what became of the first that is sent; later ones are not sent.
            waits = asyncio.create_task(code_of(store.append("t", [entry(2, "m2")])))
            await comes_true(lambda: store.fault)
            assert await code_of(store.append("t", [entry(3)])) == "store.failed"
            assert await code_of(store.entries("t")) == "store.failed"
            trouble = await store.ready()
            assert trouble is not None and "cannot be reached" in trouble.message
            assert not waits.done()
        finally:
            postgres_server.start()
        assert await waits is None
        assert [one.message for one in await store.entries("t")] == ["m1", "m2"]
        assert await store.ready() is None

    with_store(url, work)


# --- a server of tables ----------------------------------------------------------------------------


class Restarts(Server):
    """A server; every other kill restarts its database instead."""

    database: PostgresServer
    moments = 0

    async def kill(self) -> None:
        self.moments -= 1
        if self.moments > 0 and self.moments % 2:
            # A server that starts without its database says so and ends.
            await self.ask("GET", "/healthz", "")
            self.database.stop()
        else:
            await super().kill()

    async def start(self) -> None:
        if not self.process.runs:
            await super().start()
        else:
            self.database.start()


@pytest.mark.whole
def test_restarts_of_the_database_and_of_the_server_lose_and_double_nothing(
    url: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    run = Soak(tmp_path, tables=depth(1, 4), seed=3)
    run.server = server = Restarts(tmp_path, url)
    kills = depth(2, 24)
    server.database, server.moments = postgres_server, kills
    try:
        result = asyncio.run(run.run(kills))
    finally:
        postgres_server.start()
    assert result.kills == kills + 1
    assert result.acknowledged > 10
    assert result.compared > 0
    assert "Traceback" not in (tmp_path / "server.log").read_text()


# --- copies and backups ----------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
def test_a_backup_of_either_engine_restores_into_either(
    place: Path | str,
    into: str,
    tmp_path: Path,
    postgres_server: PostgresServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data, new, file = tmp_path / "data", tmp_path / "new", tmp_path / "backup"
    source = place if isinstance(place, str) else data / DATABASE
    target = new / DATABASE if into == "sqlite" else postgres_server.new_database()
    with_store(source, some_of_all)
    data.mkdir(exist_ok=True)
    create_private(data / SECRET, KEY)
    here = ("--data", data, *(("--db", source) if isinstance(source, str) else ()))
    there = ("--data", new, *(("--db", target) if isinstance(target, str) else ()))
    code, out, err = run(capsys, "backup", file, *here)
    assert (code, err) == (0, "")
    assert "two tables, 3 log entries, one guest, the secret key" in out
    code, out, err = run(capsys, "restore", file, *there)
    assert (code, err) == (0, "")
    assert (new / SECRET).read_bytes() == KEY
    assert rows_of(target) == rows_of(source)
    with_store(target, lambda store: store.append("t", [entry(3, "m3")]))
    code, out, err = run(capsys, "restore", file, *there)
    assert code == 2 and ("is not empty" in err or "is there already" in err)
    assert len(rows_of(target)["entries"]) == 4
    assert run(capsys, "restore", file, *there, "--force")[0] == 0
    assert rows_of(target) == rows_of(source)
    assert {path.name for path in tmp_path.iterdir()} <= {"data", "new", "backup"}


@pytest.mark.whole
def test_copies_there_and_back_have_the_same_digest(
    tmp_path: Path, postgres_server: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    first, last = tmp_path / DATABASE, tmp_path / "back" / "rum500.sqlite3"
    new = database_of(postgres_server.new_database()).name.rpartition("/")[2]
    middle = postgres_server.url_with_password(new)
    with_store(first, some_of_all)
    digests = []
    for start, end in ((first, middle), (middle, last)):
        code, out, err = run(capsys, "db", "copy", start, end)
        assert (code, err) == (0, "")
        assert "two tables, 3 log entries, one guest" in out and PASSWORD not in out
        digests.append(re.findall(r"SHA-256 ([0-9a-f]{64})", out))
    assert digests[0] == digests[1] and len(digests[0]) == 1
    assert rows_of(first) == rows_of(middle) == rows_of(last)
    with_store(middle, lambda store: store.append("t", [entry(3)]))
    for start, end in ((first, middle), (middle, first), (middle, last)):
        code, out, err = run(capsys, "db", "copy", start, end)
        assert (code, out) == (2, "")
        assert "is not empty; name a database without tables and guests" in err and err.count("\n") == 1
    assert len(rows_of(middle)["entries"]) == 4 and len(rows_of(last)["entries"]) == 3


def test_a_text_that_postgresql_cannot_keep_stops_the_copy(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with_store(tmp_path, lambda store: store.save_guest("ann", "A\0n", 5))
    code, out, err = run(capsys, "db", "copy", tmp_path / DATABASE, url)
    assert (code, out) == (2, "") and err.count("\n") == 1 and "NUL" in err
    assert not any(rows_of(url).values())


def test_doctor_and_prune(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_store(url, some_of_all)
    place = ("--data", tmp_path, "--db", url)
    code, out, err = run(capsys, "doctor", *place)
    assert err == ""
    assert "PostgreSQL" in out and "a commit takes" in out
    assert f"sound, version {HEAD}, two tables, 3 log entries, one guest" in out
    assert (
        code == 1 and "fsync is off: a loss of power loses moves" in out
    )  # the tests' server is no safe one
    code, out, err = run(capsys, "prune", "--days", "30", *place)
    assert (code, err) == (0, "") and "one table and one guest removed" in out
    assert {one[1] for one in rows_of(url)["entries"]} == {"Ä"}
    changed(url, "DELETE FROM entries WHERE number = 1")
    changed(url, "INSERT INTO entries (table_id, number, at, kind, data) VALUES ('Ä', 2, 0, 'play', '')")
    assert "table Ä: 1 entries numbered 2 to 2" in run(capsys, "doctor", *place)[1]


# --- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda url: re.sub(r":\d+/", ":1/", url),
            "cannot be reached (connection failed: connection to server",
        ),
        (lambda url: url.replace(PASSWORD, "wrong-word"), "password authentication failed for user"),
        (lambda url: url.replace(f":{PASSWORD}", ""), "look at user and password, in the URL, PGPASSWORD"),
        (lambda url: url.rpartition("/")[0] + "/nowhere", "create it, for example: createdb -O USER NAME"),
        (
            lambda url: url.replace(PASSWORD, "wrong@word"),
            "is no such URL; expected postgresql://USER:PASSWORD@",
        ),
        (lambda url: url + "?no=such", "is no such URL"),
        (lambda url: url.replace("127.0.0.1", "no-such-host.invalid"), "cannot be reached"),
    ],
    ids=["port", "password", "no password", "database", "sign", "option", "host"],
)
def test_unreachable_database_is_reported_without_its_password(
    tmp_path: Path,
    postgres_server: PostgresServer,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[str], str],
    words: str,
) -> None:
    url = change(postgres_server.url_with_password("template1"))
    for command in (
        ("backup", tmp_path / "b"),
        ("prune", "--days", "1"),
        ("serve", "--no-open", "--port", "0"),
    ):
        code, out, err = run(capsys, *command, "--data", tmp_path, "--db", url)
        assert (code, out) == (2, "")
        assert words in err and err.count("\n") == 1
        assert PASSWORD not in err and "wrong" not in err


def test_a_database_of_another_program_stays_as_it_is(
    url: str, postgres_server: PostgresServer, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = postgres_server.new_database()
    changed(other, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="has tables of another program, not a database of rum500") as caught:
        with_store(other, lambda store: store.check())
    assert caught.value.code == "store.foreign"
    changed(other, "CREATE TABLE alembic_version (version_num TEXT)")
    with_store(tmp_path, some_of_all)
    code, _, err = run(capsys, "db", "copy", tmp_path / DATABASE, other)
    assert code == 2 and "has tables of another program" in err
    empty = postgres_server.new_database()
    code, _, err = run(capsys, "db", "copy", empty, url)
    assert code == 2 and "is empty" in err
    code, _, err = run(capsys, "db", "copy", url, url)
    assert code == 2 and "is the database to copy from" in err


def test_read_only_user_is_reported(postgres_server: PostgresServer) -> None:
    url = postgres_server.new_database()

    async def work(store: Store) -> None:
        name = database_of(url).name.rpartition("/")[2]
        changed(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        until(lambda: not end_sessions(postgres_server, url))  # one may only be beginning
        assert await code_of(store.append("t", [entry(1)])) == "store.readonly"
        trouble = await store.ready()
        assert trouble is not None and trouble.code == "store.readonly"

    with_store(url, work)


def test_configuration_shows_no_password(capsys: pytest.CaptureFixture[str]) -> None:
    for url in (
        "postgresql://ann:a-secret@cards.example/rum500",
        "postgresql://cards.example/rum500?user=ann&password=a-secret",
    ):
        code, out, _ = run(capsys, "config", "--db", url)
        assert code == 0 and "a-secret" not in out and "cards.example/rum500" in out
