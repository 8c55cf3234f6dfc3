"""Backup and restore: everything committed is restored, and nothing is overwritten without --force."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rum500 import store as stores
from rum500.cli import main
from rum500.store import DATABASE, SECRET, Store, StoreError, check_database, create_private
from rum500.store import backup_file as archives
from rum500.store._sqlite_file import connect
from tests.support.processes import started
from tests.support.serving import Running
from tests.support.storing import entry, file_system, may_mount, row, with_store
from tests.support.waiting import comes_true

KEY = b"the key of cookies " * 2


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a table of two entries, a guest and a key."""
    place = tmp_path / "data"

    async def write(store: Store) -> None:
        await store.create_table(row("t", people=["ann"]), [entry(1, "m1"), entry(2, "m2", b"\x00\xff")])
        await store.save_guest("ann", "Ann", 5)

    with_store(place, write)
    create_private(place / SECRET, KEY)
    return place


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    out = capsys.readouterr()
    return code, out.out, out.err


def dump(database: Path) -> list[str]:
    """All that is in a database, as statements."""
    with closing(connect(database)) as connection:
        return list(connection.iterdump())


def test_there_and_back(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, other = tmp_path / "backup.rum500", tmp_path / "other"
    size = "one table, 2 log entries, one guest"
    code, out, err = run(capsys, "backup", file, "--data", data)
    assert (code, err) == (0, "")
    assert out == f"{file}: {size}, the secret key; {file.stat().st_size:,} bytes, read back and right\n"
    code, out, err = run(capsys, "restore", file, "--data", other)
    assert (code, err) == (0, "")
    assert out.startswith(f"{other / DATABASE}: restored as of 20") and out.endswith(f": {size}\n")
    assert (other / SECRET).read_bytes() == KEY
    assert dump(other / DATABASE) == dump(data / DATABASE)
    for path in (file, other, other / DATABASE, other / SECRET):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    # Nothing is left of the work, and the store goes on from there.
    assert {path.name for path in tmp_path.iterdir()} == {"data", "other", file.name}
    assert {path.name for path in other.iterdir()} == {DATABASE, SECRET, f"{DATABASE}.lock"}
    with_store(other, lambda store: store.append("t", [entry(3, "m3")]))


def test_guests_without_a_name_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A guest who plays without choosing a name has a seat, and no row of its own."""
    with Running(tmp_path / "data") as server, server.guest() as ada:
        ada.table(start=True)
    for words in (("backup", tmp_path / "backup"), ("restore", tmp_path / "backup", "--force")):
        _, out, _ = run(capsys, *words, "--data", tmp_path / "data")
        assert "one table, " in out and ", one guest" in out
    _, out, _ = run(capsys, "db", "copy", tmp_path / "data" / DATABASE, tmp_path / "copy.sqlite3")
    assert ", one guest;" in out
    assert check_database(tmp_path / "copy.sqlite3").guests == 1


def test_a_backup_while_the_store_is_written_is_one_moment_of_it(place: Path | str, tmp_path: Path) -> None:
    """All tables get their entries in step: a copy of two moments would show one ahead by two."""
    names = [f"t{one}" for one in range(20)]
    files = [tmp_path / f"backup{one}" for one in range(3)]

    async def work(store: Store) -> None:
        on, number = True, 0

        async def play() -> None:
            nonlocal number
            while on:
                number += 1
                new = [entry(number, None, bytes(2000))]
                await asyncio.gather(*(store.append(name, new) for name in names))

        playing = asyncio.create_task(play())
        for file in files:
            before = number
            await comes_true(lambda before=before: number >= before + 3)
            await store.backup(file)
        on = False
        await playing

    with_store(place, work)
    counts = []
    for file in files:
        new = tmp_path / f"new-{file.name}"
        stores.restore_backup(file, new / DATABASE, new / SECRET)
        with closing(connect(new / DATABASE)) as connection:
            rows = connection.execute("SELECT max(number) FROM entries GROUP BY table_id").fetchall()
        lasts = [last for (last,) in rows]
        assert len(lasts) == 20 and max(lasts) - min(lasts) <= 1
        counts.append(sum(lasts))
    assert counts == sorted(set(counts))


SERVES = """
import asyncio, sys
from rum500.store import StoredEntry, Store
async def main():
    store = await Store.open(sys.argv[1])
    number = len(await store.entries("t"))
    while True:
        number += 1
        await store.append("t", [StoredEntry(number, 0, "play", bytes(500))])
        if number % 50 == 0:
            print(number, flush=True)
asyncio.run(main())
"""


def test_backup_works_while_another_process_writes(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with started([sys.executable, "-c", SERVES, data], stdout=subprocess.PIPE) as other:
        acknowledged = int(other.stdout.readline())
        assert run(capsys, "backup", tmp_path / "backup", "--data", data)[0] == 0
        code, _, err = run(capsys, "restore", tmp_path / "backup", "--data", data, "--force")
        assert code == 2 and f"is in use by a running rum500 (process {other.pid})" in err
    assert run(capsys, "restore", tmp_path / "backup", "--data", tmp_path / "new")[0] == 0
    found = check_database(tmp_path / "new" / DATABASE)
    assert found.entries >= acknowledged and found.problems == []


# --- refusals --------------------------------------------------------------------------------------


def test_nothing_is_replaced_without_force(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "backup"
    assert run(capsys, "backup", file, "--data", data)[0] == 0
    first = file.read_bytes()
    code, out, err = run(capsys, "backup", file, "--data", data)
    assert (code, out) == (2, "")
    assert err == (
        f"rum500 backup: {file}: is there already; name another file, or replace it with --force\n"
    )
    with_store(data, lambda store: store.append("t", [entry(3)]))
    before = dump(data / DATABASE)
    code, out, err = run(capsys, "restore", file, "--data", data)
    assert (code, out) == (2, "")
    assert err.startswith(
        f"rum500 restore: {data / DATABASE}: is there already; replace it with --force, or "
    )
    assert dump(data / DATABASE) == before and file.read_bytes() == first

    (data / SECRET).write_bytes(b"another key, longer than the one before" * 2)
    assert run(capsys, "restore", file, "--data", data, "--force")[0] == 0
    assert len(dump(data / DATABASE)) == len(before) - 1
    assert (data / SECRET).read_bytes() == KEY
    assert run(capsys, "backup", file, "--data", data, "--force")[0] == 0


def test_the_log_of_the_database_that_was_is_not_taken_for_the_new_ones(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As kill -9 leaves a database: with a write-ahead log that belongs to it alone."""
    assert run(capsys, "backup", tmp_path / "backup", "--data", data)[0] == 0
    with closing(connect(data / DATABASE)) as connection:
        connection.execute("UPDATE guests SET name = 'Eve'")
        saved = {path: path.read_bytes() for path in data.iterdir() if path.name.startswith(f"{DATABASE}-")}
    for path, content in saved.items():
        path.write_bytes(content)
    assert (data / f"{DATABASE}-wal").stat().st_size > 0
    assert run(capsys, "restore", tmp_path / "backup", "--data", data, "--force")[0] == 0
    assert any("'Ann'" in line for line in dump(data / DATABASE))


def cut(file: Path) -> None:
    """Half of it."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def flip(file: Path) -> None:
    """One byte in the middle of the packed database."""
    content = bytearray(file.read_bytes())
    with zipfile.ZipFile(file) as archive:
        info = archive.getinfo("database.sqlite3")
    content[info.header_offset + 30 + len(info.filename) + info.compress_size // 2] ^= 0xFF
    file.write_bytes(content)


def repack(file: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """The same with other parts."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


def manifest(old: bytes, new: bytes) -> Callable[[Path], None]:
    """The same with another text in its manifest."""

    def change(parts: dict[str, bytes]) -> None:
        assert old in parts["manifest.json"]
        parts["manifest.json"] = parts["manifest.json"].replace(old, new)

    return lambda file: repack(file, change)


FOREIGN = "is no backup that rum500 wrote"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (cut, f"{FOREIGN}, or not all of one"),
        (lambda file: file.write_text("dear ann"), FOREIGN),
        (lambda file: file.write_bytes(b""), FOREIGN),
        (lambda file: repack(file, lambda parts: parts.__delitem__("manifest.json")), FOREIGN),
        (manifest(b'"format": 1', b'"format": "one"'), FOREIGN),
        (manifest(b'"secret.key"', b'"../secret.key"'), FOREIGN),
        (flip, "the backup is damaged (database.sqlite3"),
        (
            lambda file: repack(file, lambda parts: parts.update({SECRET: b"x" * 40})),
            "the backup is damaged (secret.key is not what was written)",
        ),
        (
            lambda file: repack(file, lambda parts: parts.__delitem__("database.sqlite3")),
            "the backup is damaged (database.sqlite3",
        ),
        (manifest(b'"format": 1', b'"format": 2'), "was written by rum500 "),
    ],
)
def test_a_spoilt_backup_touches_nothing(
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    spoil: Callable[[Path], object],
    words: str,
) -> None:
    file = tmp_path / "backup"
    assert run(capsys, "backup", file, "--data", data)[0] == 0
    spoil(file)
    before = dump(data / DATABASE)
    code, out, err = run(capsys, "restore", file, "--data", data, "--force")
    assert (code, out) == (2, "")
    assert err.startswith(f"rum500 restore: {file}: ") and words in err and err.count("\n") == 1
    assert dump(data / DATABASE) == before and (data / SECRET).read_bytes() == KEY
    assert {path.name for path in data.iterdir()} == {DATABASE, SECRET, f"{DATABASE}.lock"}


def test_a_backup_of_a_newer_database(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "backup", tmp_path / "backup", "--data", data)[0] == 0

    def change(parts: dict[str, bytes]) -> None:
        database = tmp_path / "database"
        database.write_bytes(parts["database.sqlite3"])
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("UPDATE alembic_version SET version_num = '9999'")
            connection.commit()
        old, new = (
            hashlib.sha256(one).hexdigest() for one in (parts["database.sqlite3"], database.read_bytes())
        )
        parts["database.sqlite3"] = database.read_bytes()
        parts["manifest.json"] = parts["manifest.json"].replace(old.encode(), new.encode())

    repack(tmp_path / "backup", change)
    code, _, err = run(capsys, "restore", tmp_path / "backup", "--data", tmp_path / "new")
    assert code == 2 and "its version is 9999, and this rum500 knows up to" in err
    assert not (tmp_path / "new" / DATABASE).exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["backup", "b", "--data", "nowhere"], f"nowhere/{DATABASE}: there is no such database; name its"),
        (["db", "copy", "nowhere", "b"], "nowhere: there is no such database\n"),
        (["backup", "data", "--data", "data"], "data: is a directory; name a file to write"),
        (
            ["backup", "no/such/b", "--data", "data"],
            "no/such: there is no such directory; make it, or name another",
        ),
        (["restore", "missing", "--data", "data"], "missing: No such file or directory"),
        (["restore", "data", "--data", "data"], "data: Is a directory"),
        (["backup", "b", "--db", "mysql://x/y"], "mysql: found a database URL of this kind"),
        (["backup"], "FILE is missing"),
    ],
)
def test_bad_input_is_reported_in_one_line(
    data: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(data.parent)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err and err.count("\n") == 1
    assert {path.name for path in data.parent.iterdir()} == {"data"}


@pytest.mark.skipif(not may_mount(), reason="mounting a small disk needs root")
@pytest.mark.parametrize("size", ["40k", "120k", "220k"])
def test_no_room_for_a_backup_or_a_restore(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], size: str
) -> None:
    async def grow(store: Store) -> None:
        await store.append("t", [entry(number, None, os.urandom(3000)) for number in range(3, 100)])

    with_store(data, grow)
    assert run(capsys, "backup", tmp_path / "backup", "--data", data)[0] == 0
    with file_system(tmp_path / "disk", size):
        back = ("restore", tmp_path / "backup", "--data", tmp_path / "disk" / "d")
        for words in (("backup", tmp_path / "disk" / "backup", "--data", data), back):
            code, _, err = run(capsys, *words)
            assert code == 2 and "the disk is full; free some space" in err
        assert {path.name for path in (tmp_path / "disk").rglob("*")} <= {"d", f"{DATABASE}.lock"}


# --- interrupted -----------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


def killed_at(step: int, patch: pytest.MonkeyPatch) -> None:
    """End the process, as far as it can be played, in the place of a change of the disk; -1 for never."""
    left = step

    def dying(call: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*args: object, **kwargs: object) -> object:
            nonlocal left
            left -= 1
            if left == -1:
                raise Killed
            if left < -1 and step >= 0:  # it is dead: what tidies up behind it does not run
                return None
            return call(*args, **kwargs)

        return wrapped

    for name in ("replace", "unlink", "mkdir"):
        patch.setattr(Path, name, dying(getattr(Path, name)))
    for name in ("open", "write", "fsync", "ftruncate"):
        patch.setattr(os, name, dying(getattr(os, name)))
    patch.setattr(archives.shutil, "rmtree", dying(shutil.rmtree))
    patch.setattr(archives.shutil, "copyfileobj", dying(shutil.copyfileobj))


def test_a_restore_that_is_interrupted_anywhere_has_happened_or_has_not(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = tmp_path / "new"
    shutil.copytree(data, new)
    with_store(new, lambda store: store.append("t", [entry(3)]))
    (new / SECRET).write_bytes(b"new")
    stores.write_backup(new / DATABASE, new / SECRET, tmp_path / "backup")
    ends = []
    for step in range(100):
        trial = tmp_path / "trial"
        shutil.copytree(data, trial)
        died = False
        with monkeypatch.context() as patch:
            killed_at(step, patch)
            try:
                stores.restore_backup(tmp_path / "backup", trial / DATABASE, trial / SECRET, force=True)
            except Killed:
                died = True
        number = with_store(trial, lambda store: store.entries("t"))[-1].number
        assert (number, (trial / SECRET).read_bytes()) in [(2, KEY), (3, b"new")]
        assert not [path for path in trial.iterdir() if path.name.endswith(".restored")]
        ends.append(number)
        shutil.rmtree(trial)
        if not died:
            break
    # First it has not happened, from some step on it has, and never otherwise.
    assert ends == sorted(ends) and ends[0] == 2 and ends[-1] == 3
    assert 15 < len(ends) < 100 and ends.count(3) > 5


def test_a_manifest_is_read_without_restoring(data: Path, tmp_path: Path) -> None:
    made = stores.write_backup(data / DATABASE, data / SECRET, tmp_path / "backup")
    assert stores.read_manifest(tmp_path / "backup") == made
    assert (made.tables, made.entries, made.guests, made.format) == (1, 2, 1, 1)
    with pytest.raises(StoreError, match="is there already"):
        stores.restore_backup(tmp_path / "backup", data / DATABASE, data / SECRET)
