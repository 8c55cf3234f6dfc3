"""The server is killed in the middle of play, and nothing is lost; `make soak` repeats this for longer."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from tests.support.depth import depth
from tools.crash_soak import Lost, Server, Soak, soak

KILLS = depth(2, 12)


def test_kills_lose_nothing_and_duplicate_nothing() -> None:
    result = soak(KILLS, tables=4, seed=20)
    assert result.kills == KILLS + 1  # the last one shows that the log alone has everything
    assert result.acknowledged > 5 * KILLS
    assert result.repeated > 0  # moves were under way when the server died
    assert result.compared > KILLS
    assert result.deals > 0


class Forgetful(Server):
    """A server that comes back without the last move of each table."""

    async def kill(self) -> None:
        await super().kill()
        with contextlib.closing(sqlite3.connect(next(self.data.glob("*.sqlite3")))) as base:
            base.execute(
                "DELETE FROM entries WHERE (table_id, number) IN "
                "(SELECT table_id, max(number) FROM entries GROUP BY table_id)"
            )
            base.commit()


class Nameless(Server):
    """A server that comes back without knowing which messages it has carried out."""

    async def kill(self) -> None:
        await super().kill()
        with contextlib.closing(sqlite3.connect(next(self.data.glob("*.sqlite3")))) as base:
            base.execute("UPDATE entries SET message = 'other' || number WHERE message IS NOT NULL")
            base.commit()


@pytest.mark.whole
@pytest.mark.parametrize(("server", "kills"), [(Forgetful, 40), (Nameless, 1)])
def test_a_server_that_forgets_is_found_out(server: type[Server], kills: int, tmp_path: Path) -> None:
    """At one of the first kills, where somebody saw the move that is gone; or by the log at the end."""
    run = Soak(tmp_path, tables=1, seed=1)
    run.server = server(tmp_path)
    with pytest.raises(Lost):
        asyncio.run(run.run(kills))
