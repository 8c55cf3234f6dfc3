"""What earlier versions of rum500 wrote opens: databases of each version, a saved match, a network, records.

Records, positions and the first database are in tests/data/before_options, which
tests/test_rules_digest.py reads.
"""

from __future__ import annotations

import asyncio
import lzma
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from rum500 import ruleset
from rum500.cli.terminal.game import TerminalGame
from rum500.cli.terminal.saves import resumed
from rum500.cli.terminal.style import Style
from rum500.external_bots import LearnedBot, save_network
from rum500.match import problems_of_match
from rum500.record import Record
from rum500.rules.notation import play_text
from rum500.sim import simulate
from rum500.store import migrations
from rum500.store.schema import HEAD
from tests.support.live import Room
from tests.support.postgres import PostgresServer
from tests.support.stage import FINISHED, UNFINISHED, play_moves
from tests.support.terminal import Paper

STAGES = Path(__file__).parent / "data" / "stages"
DATABASES = sorted(STAGES.glob("*.sqlite.xz"))
DUMPS = sorted(STAGES.glob("*.postgresql.xz"))
"""Dumps of the same matches on PostgreSQL, by `pg_dump`."""
NEVER_CURRENT = {"0002", "0003", "0004", "0007"}
"""Versions that came together with the next one."""


def version_of(path: Path) -> str:
    return path.name.partition(".")[0]


def test_every_earlier_version_of_the_database_is_kept() -> None:
    """`python -m tests.support.stage tests/data/stages` keeps a version, before a migration is added."""
    folder = Path(migrations.__path__[0]) / "versions"
    versions = {path.name[1:5] for path in folder.glob("v*.py")} - NEVER_CURRENT
    kept = {version_of(path) for path in DATABASES} | {"0001"}  # the first is in before_options
    assert versions - {HEAD} <= kept
    assert HEAD in versions


@pytest.mark.parametrize("kept", DATABASES, ids=version_of)
def test_match_continues_in_a_database_of_an_earlier_version(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "data.sqlite3"
    path.write_bytes(lzma.decompress(kept.read_bytes()))
    assert stored_version(path) == version_of(kept)
    asyncio.run(used(path))
    assert stored_version(path) == HEAD


@pytest.mark.parametrize("kept", DUMPS, ids=version_of)
def test_match_continues_in_a_postgresql_database_of_an_earlier_version(
    kept: Path, postgres_server: PostgresServer
) -> None:
    url = postgres_server.new_database()
    words = ("--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--dbname", url)
    dump = lzma.decompress(kept.read_bytes())
    subprocess.run(
        postgres_server.command("psql", *words),
        input=dump,
        stdout=subprocess.DEVNULL,
        cwd=postgres_server.folder,
        check=True,
    )
    database, version = url.partition("@/")[2].partition("?")[0], "SELECT version_num FROM alembic_version"
    assert postgres_server.execute(database, version) == [(version_of(kept),)]
    asyncio.run(used(url))
    assert postgres_server.execute(database, version) == [(HEAD,)]


def stored_version(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(version)
    finally:
        connection.close()


async def used(place: Path | str) -> None:
    """Read the finished match, and play the other one on to the end of its deal."""
    room = Room(place, seed=5)  # type: ignore[arg-type]  # the store takes URLs too
    await room.open()
    try:
        results = {guest: await room.store.results.of_guest(guest) for guest in ("ann", "ben", "cem")}
        assert [(row.table_id, row.points) for row in results["ann"]] == [(FINISHED, 98)]
        assert [(row.table_id, row.points) for row in results["ben"]] == [(FINISHED, 86)]
        assert results["cem"] == []
        finished = await room.tables.get(FINISHED)
        assert finished is not None and finished.log.state.match is not None
        assert finished.log.state.match.is_over
        people = [await room.join(UNFINISHED, name) for name in ("Ann", "Cem")]
        rules = people[0].table.log.state.rules
        assert (rules.name, rules.house_rules) == ("rummy-500", ("H1",))
        number = people[0].table.log.state.number
        await play_moves(room, people, 200)
        assert people[0].table.log.state.number > number
        match = people[0].table.log.state.match
        assert match is not None and len(match.sheet) >= 1
    finally:
        await room.close()


def test_saved_match_of_an_earlier_version_continues(tmp_path: Path) -> None:
    path = Path(shutil.copy(STAGES / "match.rum500", tmp_path))
    before = path.read_text()
    record = Record.from_text(before)
    assert [problem.code for problem in record.verify()] == ["record.truncated"]  # it is not over
    assert problems_of_match(record) == []
    table, saves, notice = resumed(path)
    assert (notice, table.match.sheet[0].points, saves.level) == ("", (5, 96), "random")
    answers = 0

    def played(prompt: str) -> str:
        """Play legal actions for a few turns, then leave."""
        nonlocal answers
        answers += 1
        if answers > 12:
            raise EOFError
        turn = game.turn
        return play_text(turn.state.legal_actions()[-1], turn.state) if turn and prompt == "> " else ""

    game = TerminalGame(table, Paper(played), Style(colour=False), saves)
    assert not game.run()
    saves.close()
    after = path.read_text()
    assert after.startswith(before) and after.count("\n") >= before.count("\n") + 4
    assert problems_of_match(Record.from_text(after)) == []


def test_a_network_of_an_earlier_version_plays_as_if_it_were_written_now(tmp_path: Path) -> None:
    old = STAGES / "network.npz"
    bot = LearnedBot(old)
    again = tmp_path / "again.npz"
    save_network(again, ruleset("500-rum"), 2, bot._layers)
    played = [simulate("500-rum", 2, 20, 7, [f"learned:{path}", "club"]) for path in (old, again)]
    assert played[0].checksum == played[1].checksum != simulate("500-rum", 2, 20, 7, ["club"]).checksum
    assert bot.header.trained == "a test of rum500's versions"
