"""Backups, databases and write-ahead logs with any bytes: read, or refused in one line."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rum500.store import (
    DATABASE,
    SECRET,
    Store,
    StoreError,
    check_database,
    create_private,
    read_manifest,
    restore_backup,
    write_backup,
)
from tests.support.depth import depth
from tests.support.storing import entry, row, with_store


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a backup, the database in it, and a copy of it as kill -9 leaves it."""
    folder = tmp_path_factory.mktemp("files")

    async def write(store: Store) -> None:
        entries = [entry(number, f"m{number}") for number in range(1, 100)]
        await store.create_table(row("t", people=["ann"]), entries)
        await store.save_guest("ann", "Ann", 5)
        shutil.copytree(folder / "data", folder / "killed")

    with_store(folder / "data", write)
    create_private(folder / "data" / SECRET, b"x" * 40)
    write_backup(folder / "data" / DATABASE, folder / "data" / SECRET, folder / "backup")
    return folder


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with some bytes changed, cut out or put in, mostly where formats have their heads."""
    found = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        near = min(300, len(found))
        places = (
            chance.randrange(len(found)),
            chance.randrange(near),
            len(found) - 1 - chance.randrange(near),
        )
        at, how = chance.choice(places), chance.random()
        if how < 0.7:
            found[at] = chance.choice((0, 127, 128, 255, chance.randrange(256)))
        elif how < 0.85:
            del found[at : at + chance.randint(1, 50)]
        else:
            found[at:at] = chance.randbytes(chance.randint(1, 20))
    return bytes(found)


async def use(store: Store) -> None:
    """What a server asks of its store."""
    await store.entries("t")
    await store.tables()
    await store.guest("ann")
    await store.append("t", [entry(100)])
    await store.prune(10**15)


def backup(files: Path, place: Path, chance: random.Random) -> None:
    file = place / "backup"
    file.write_bytes(damaged((files / "backup").read_bytes(), chance))
    with_refusal(lambda: read_manifest(file))
    with_refusal(lambda: restore_backup(file, place / "new" / DATABASE, place / "new" / SECRET))


def database(files: Path, place: Path, chance: random.Random) -> None:
    file = place / DATABASE
    file.write_bytes(damaged((files / "data" / DATABASE).read_bytes(), chance))
    with_refusal(lambda: check_database(file))
    with_refusal(lambda: write_backup(file, None, place / "backup"))
    with_refusal(lambda: with_store(file, use))


def log(files: Path, place: Path, chance: random.Random) -> None:
    shutil.copytree(files / "killed", place, dirs_exist_ok=True)
    file = place / f"{DATABASE}-wal"
    file.write_bytes(damaged(file.read_bytes(), chance))
    with_refusal(lambda: check_database(place))
    with_refusal(lambda: with_store(place, use))


def with_refusal(call: Callable[[], object]) -> None:
    """Call it; only the store's own error may come, in one line."""
    refusal = ""
    try:
        call()
    except StoreError as error:
        refusal = error.message
    assert "\n" not in refusal


@pytest.mark.parametrize("spoil", [backup, database, log])
def test_damaged_files_are_read_or_refused(
    files: Path, tmp_path: Path, spoil: Callable[[Path, Path, random.Random], None]
) -> None:
    for seed in range(depth(20, 1000)):
        place = tmp_path / str(seed)
        place.mkdir()
        spoil(files, place, random.Random(seed))
        shutil.rmtree(place)
