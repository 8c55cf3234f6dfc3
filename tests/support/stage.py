"""Write what this version keeps to a folder, for the tests of later versions.

    python -m tests.support.stage FOLDER

writes a database with a finished and an unfinished match, compressed, named by its version. Before a
migration is added, the file of the version before it goes to tests/data/stages. This module runs unchanged in
checkouts from version 5 of the database on: so the older files there were written.
"""

from __future__ import annotations

import asyncio
import lzma
import sqlite3
import sys
import tempfile
from pathlib import Path

from tests.support.live import Person, Room

FINISHED, UNFINISHED = "ryYoI2WkkeSQy-aSmV87tQ", "xRq-O2RHvgUC1a_8x5pnzA"
"""The tables of the two matches; they follow from the seed."""


async def play_moves(room: Room, people: list[Person], moves: int) -> bool:
    """Let these people play up to this number of moves; return whether the match is over."""
    for _ in range(moves):
        await room.settle()
        shared = people[0].shared
        waiting = shared["waiting_for"]
        if waiting in (None, "over"):
            return True
        if waiting in ("draw", "shuffle", "cut"):
            await room.deal(people)
        elif waiting == "play":
            await next(person for person in people if person.seat == shared["actor"]).move()
        else:
            await room.pass_time(30)
    return False


async def write_database(folder: Path) -> None:
    """Write a database to a folder: Ann and Ben have played a match, Ann and Cem are in the middle of one."""
    room = Room(folder, seed=42)
    await room.open()
    finished = await room.at_play(("Ann", "Ben"), target=30)
    await finished[0].say("good luck")
    if not await play_moves(room, finished, 400):
        raise RuntimeError("the first match is not over")
    unfinished = await room.at_play(("Ann", "Cem"), profile="rummy-500", house_rules=("H1",))
    await play_moves(room, unfinished, 9)
    await room.close()
    if (finished[0].table.id, unfinished[0].table.id) != (FINISHED, UNFINISHED):
        raise RuntimeError("the tables have other names")


def main(target: Path) -> None:
    """Write the database of this version, in one compressed file."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(write_database(Path(folder)))
        (path,) = Path(folder).glob("*.sqlite3")
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("VACUUM")
            (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        connection.close()
        target.joinpath(f"{version}.sqlite.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
