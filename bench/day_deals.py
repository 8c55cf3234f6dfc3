"""Measure what the results of a deal of the day cost when many guests have played it.

    python bench/day_deals.py [--players 10000]

fills the database of a server with results of today, then asks for the lobby's card, the result and parts of
the standing as a guest who has played. For each request it prints the fastest of several times, and for each
statement about deals of the day how many rows it returns and how SQLite finds them: card and result read the
table of counts, with a row for each number of points, and never a row for each player.

At last another guest plays the deal; it prints the time from the guest's last play, the bots' turns after it
included, until the server returns the result.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500.puzzles.day_deal import COMPARED, GAMES
from rum500.store import DATABASE
from tests.support.live_server import Guest as Player
from tests.support.serving import Guest, Running

TIMES = 20


def fill(database: Path, day: int, players: int, guest: str) -> None:
    """Store the results of this many guests, and those of the bots."""
    rng = random.Random(500)
    points = [round(rng.gauss(60, 45)) for _ in range(players)]
    names = [guest, *(f"guest{number}" for number in range(1, players))]
    with sqlite3.connect(database, timeout=60) as rows:
        rows.executemany(
            "INSERT INTO day_attempts (day, guest_id, table_id, status, points, at) "
            "VALUES (?, ?, ?, 'over', ?, ?)",
            [
                (day, name, f"t-{name}", each, at)
                for at, (name, each) in enumerate(zip(names, points, strict=True))
            ],
        )
        rows.executemany(
            "INSERT INTO day_counts (day, points, players) VALUES (?, ?, ?)",
            [(day, each, points.count(each)) for each in set(points)],
        )
        rows.executemany(
            "INSERT INTO day_bots (day, level, points) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(day, level, json.dumps([60] * GAMES)) for level in COMPARED],
        )
    rows.close()


def plans(database: Path, statements: list[tuple[str, Any]]) -> None:
    """Print how SQLite finds the rows of each statement about deals of the day, and how many it returns."""
    rows = sqlite3.connect(database)
    for statement, values in statements:
        if " day_" in statement:
            plan = "; ".join(row[3] for row in rows.execute(f"EXPLAIN QUERY PLAN {statement}", values))
            print(f"    {len(rows.execute(statement, values).fetchall()):5} rows: {plan}")
    rows.close()


def measure(guest: Guest, database: Path, path: str) -> None:
    """Print the time of a request and the plans of its statements."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        statements.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    answer = guest.http.get(path)
    event.remove(Engine, "before_cursor_execute", note)
    answer.raise_for_status()
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        guest.http.get(path)
        times.append(time.perf_counter() - began)
    print(f"{path}: {min(times) * 1000:.1f} ms, {len(answer.content):,} bytes")
    plans(database, statements)


def play(running: Running, day: str) -> None:
    """Play the deal as another guest; print the time from the last play until the result is there."""
    guest = Player(running, "Ben")  # type: ignore[arg-type]
    table, dice, began = guest.call("POST", f"/api/day-deals/{day}/play", {})["id"], random.Random(1), 0.0
    with guest.at(table) as seat:
        while seat.facts.get("status") != "over":
            while seat.hear() is not None:
                pass
            now = time.perf_counter()
            if seat.act(dice):
                began = now
            else:
                seat.hear(0.001)
        over = time.perf_counter()
    while guest.call("GET", "/api/day-deals/today")["status"] != "over":
        pass
    result = guest.call("GET", f"/api/day-deals/{day}")
    print(
        f"last play to the result: {(time.perf_counter() - began) * 1000:.0f} ms, of which until the deal is "
        f"over {(over - began) * 1000:.0f} ms; place {result['place']} of {result['played']}"
    )


def main() -> None:
    """Fill a database and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=10_000)
    players = parser.parse_args().players
    with (
        tempfile.TemporaryDirectory() as folder,
        Running(Path(folder)) as running,
        running.guest("Ada") as ada,
    ):
        today = ada.http.get("/api/day-deals/today").json()["day"]
        database = Path(folder) / DATABASE
        fill(database, date.fromisoformat(today).toordinal(), players, ada.me["id"])
        result = f"/api/day-deals/{today}"
        for path in (
            "/api/day-deals/today",
            result,
            f"{result}/standing",
            f"{result}/standing?skip={players - 100}",
        ):
            measure(ada, database, path)
        play(running, today)


if __name__ == "__main__":
    main()
