"""Kill the server in the middle of play, again and again, and check that nothing is lost: make soak.

A real server process, people at several tables over real WebSockets, kill -9 at random moments: while moves
are being written, while the people reconnect, in between. After each kill the server starts again on the same
database. Everybody reconnects with the number of the last update seen and repeats, with the same id, messages
that were not acknowledged. Then all of this must be true:

- no acknowledged move is missing from the log, and none occurs twice;
- nothing that anyone has seen is ever taken back: the table never returns to an earlier number, and at the
  same number it looks exactly as before;
- after one more kill, the table rebuilt from the log alone is the one that its people saw before;
- the record of every finished deal verifies.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import select
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin, Subprotocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500.match import problems_of_match
from rum500.record import Record
from rum500.rules.profiles import profile_names
from rum500.server.messages.field_types import PROTOCOL
from rum500.store import DATABASE, database_of
from rum500.store.schema import entries
from tests.support.live_server import LiveServer
from tests.support.ports import free_port
from tests.support.table_choice import Message, Question, advised, answer, facts_of, question

PROFILES = profile_names()
#: Fields that may differ between two snapshots at the same entry: presence, clocks, and the plays that may be
#: taken back, which depend on who has seen them.
PASSING = {"clock", "watching", "votes", "claim", "undo"}
#: Refusals after which the same request is sent again.
AGAIN = {"table.stale", "table.failed", "table.busy"}
#: Seconds. On a busy machine, a server at the lowest priority has taken fifty to start.
PATIENCE = 180.0


class Lost(AssertionError):
    """The server lost or changed something that it had acknowledged or shown."""


@dataclass
class Result:
    """The result of a run."""

    kills: int = 0
    acknowledged: int = 0
    repeated: int = 0
    compared: int = 0
    """How often a table at an unchanged number was the same as before the kill."""
    deals: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def __str__(self) -> str:
        refused = ", ".join(f"{count} {code}" for code, count in self.refused.most_common()) or "none"
        return (
            f"{self.kills} kills, {self.acknowledged} moves acknowledged, {self.repeated} messages repeated, "
            f"{self.compared} looks compared, {self.deals} deals verified, refusals: {refused}; "
            f"nothing lost, nothing doubled; {self.seconds:.0f} s"
        )


class Server:
    """The server's process, with the same port and data after each restart."""

    def __init__(self, data: Path, db: str = "") -> None:
        self.db = db or data / DATABASE
        self.data = data
        flags = ("--no-limits", "--bot-pause-ms", "0", *(("--db", db) if db else ()))
        self.process = LiveServer(data, *flags, port=free_port())

    @property
    def url(self) -> str:
        return self.process.url

    async def start(self) -> None:
        """Start the process, and wait until it answers."""
        await asyncio.to_thread(self.process.start)

    async def kill(self) -> None:
        """Kill the process like `kill -9`, and wait until it is dead."""
        if not self.process.runs:
            raise Lost("the server ended by itself:\n" + self.process.log[-3000:])
        await asyncio.to_thread(self.process.kill)

    def log(self) -> list[tuple[str, int, str | None, str | None]]:
        """All entries in the database: table, number, message, author."""
        engine = database_of(self.db).reading_engine()
        wanted = select(entries.c.table_id, entries.c.number, entries.c.message, entries.c.author)
        with engine.connect() as connection:
            found = connection.execute(wanted.order_by(entries.c.table_id, entries.c.number)).all()
        engine.dispose()
        return [tuple(row) for row in found]

    async def ask(self, method: str, path: str, cookie: str, body: object = None) -> tuple[str, Any]:
        """Send a request, repeatedly while the server is down. Return the answer's cookie, and the answer."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return await asyncio.to_thread(request, self.url, method, path, cookie, body)
            except urllib.error.HTTPError as error:
                raise Lost(f"{method} {path}: {error.code} {error.read()[:300]!r}") from error
            except OSError:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.05)


def request(
    url: str, method: str, path: str, cookie: str, body: object, address: str = ""
) -> tuple[str, Any]:
    """Send a request to a server. Return the cookie that it sets and its answer, decoded if it is JSON.

    `address` is the sender's, for a server that trusts the header.
    """
    headers = {"Cookie": cookie, "Origin": url, "Content-Type": "application/json"}
    headers |= {"X-Forwarded-For": address} if address else {}
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(asked, timeout=10) as reply:
        text = reply.read().decode()
        found = json.loads(text) if "json" in reply.headers.get("Content-Type", "") else text
        return (reply.headers.get("Set-Cookie") or "").partition(";")[0], found


class Run(Protocol):
    """What people need from the run in which they play."""

    result: Result
    still: bool
    """Whether all tables are at rest, so that people must find them as they saw them last."""

    def sends_a_move(self) -> None:
        """Count a move that a person is sending."""

    @property
    def place(self) -> str:
        """The URL at which people connect."""


class Person:
    """A person at a table who plays, reconnects after every crash, and remembers all messages."""

    def __init__(self, soak: Run, table: str, cookie: str, seed: int) -> None:
        self.soak, self.table, self.cookie = soak, table, cookie
        self.dice = random.Random(seed)
        self.number = 0
        self.facts: dict[str, Any] = {}
        self.acknowledged: list[str] = []
        self.wanted: asyncio.Queue[Message] = asyncio.Queue()
        self.resting = False
        self.heard_at = time.monotonic()
        self._socket: Any = None
        self._joined = False
        self._count = 0
        self._pending: Message | None = None
        self._answered: Question | None = None

    @property
    def over(self) -> bool:
        return self.facts.get("status") in {"over", "abandoned"}

    async def live(self) -> None:
        """Play until cancelled, over as many connections as it takes."""
        while True:
            try:
                async with connect(
                    f"ws{self.soak.place.removeprefix('http')}/ws/{self.table}",
                    origin=Origin(self.soak.place), subprotocols=[Subprotocol(PROTOCOL)],
                    additional_headers={"Cookie": self.cookie}, compression=None,
                    open_timeout=PATIENCE, proxy=None,
                ) as self._socket:  # fmt: skip
                    await self._come_back()
                    async for data in self._socket:
                        await self._hear(self._read(data))
            except (OSError, WebSocketException, EOFError):
                await asyncio.sleep(0.01 + 0.03 * self.dice.random())
            finally:
                self._socket, self._joined = None, False

    async def want(self, message: Message) -> None:
        """Send a message as soon as no other is pending."""
        self.wanted.put_nowait(message)
        if self._joined and self._pending is None:
            with contextlib.suppress(OSError, WebSocketException):  # it is sent again after reconnecting
                await self._go_on()

    async def say(self, message: Message) -> None:
        """Send a message with a new id; one message is pending at a time."""
        assert self._pending is None
        self._count += 1
        self._pending = {**message, "id": f"m{self._count}"}
        if message["type"] == "play":
            self.soak.sends_a_move()
        await self._socket.send(json.dumps(self._pending))

    async def _come_back(self) -> None:
        """Join with the number of the last entry seen, and repeat what was not acknowledged."""
        name = f"join{os.urandom(4).hex()}"
        await self._socket.send(json.dumps({"type": "join", "id": name, "last": self.number}))
        while True:
            message = self._read(await self._socket.recv())
            if message["type"] == "sync":
                break
            if message["type"] == "refused":
                raise EOFError
        self._look(message)
        self._joined = True
        if self._pending is not None:
            await self._repeat()
        else:
            await self._go_on()

    def _read(self, data: str | bytes) -> Message:
        message: Message = json.loads(data)
        return message

    async def _repeat(self) -> None:
        self.soak.result.repeated += 1
        await self._socket.send(json.dumps(self._pending))

    def _look(self, sync: Message) -> None:
        """Compare the table with what this person saw of it before."""
        number, seen = sync["number"], facts_of(sync)
        if number < self.number:
            raise Lost(f"table {self.table} went back from {self.number} to {number}")
        if number > self.number and self.soak.still:
            raise Lost(f"table {self.table} went on from {self.number} to {number} while everybody rested")
        if number == self.number and self.facts:
            before, now = steady(self.facts), steady(seen)
            if before != now:
                changed = {key for key in before | now if before.get(key) != now.get(key)}
                changes = "; ".join(f"{key}: {before.get(key)} -> {now.get(key)}" for key in sorted(changed))
                raise Lost(f"table {self.table} at {number} is not what it was: {changes}")
            self.soak.result.compared += 1
        self.number, self.facts, self.heard_at = number, seen, time.monotonic()

    async def _hear(self, message: Message) -> None:
        self.heard_at = time.monotonic()
        if message["type"] == "update":
            if message["number"] < self.number:
                raise Lost(f"table {self.table}: update {message['number']} after {self.number}")
            self.number = message["number"]
            self.facts.update(facts_of(message))
        if self._pending is not None and message.get("re") == self._pending["id"]:
            await self._acknowledge(message)
        elif self._pending is None:
            await self._go_on()

    async def _acknowledge(self, message: Message) -> None:
        assert self._pending is not None
        said, self._pending = self._pending, None
        if message["type"] == "refused":
            self.soak.result.refused[message["reason"]["code"]] += 1
            if message["reason"]["code"].startswith("store."):
                await self._say_again(said)
                return
            self._answered = None if message["reason"]["code"] in AGAIN else self._answered
        elif message["type"] == "answer":
            play = advised(self.facts, [way["play"] for way in message.get("options", [])], self.dice)
            if play is not None and question(self.facts) == self._answered:
                await self.say(play)
                return
        elif said["type"] == "play":
            self.acknowledged.append(said["id"])
            self.soak.result.acknowledged += 1
        await self._go_on()

    async def _say_again(self, said: Message) -> None:
        """Repeat a message that could not be stored, with its id: nobody knows whether it was stored."""
        self._pending = said
        await asyncio.sleep(0.1)
        await self._repeat()

    async def _go_on(self) -> None:
        if not self.wanted.empty():
            await self.say(self.wanted.get_nowait())
            return
        asked = question(self.facts)
        if asked is None or asked == self._answered or (self.resting and self.may_play):
            return
        self._answered = asked
        await self.say(answer(asked, self.facts, self.dice))

    @property
    def may_play(self) -> bool:
        """Whether it is this person's turn, a decision that never expires."""
        asked = question(self.facts)
        return asked is not None and asked[0] == "play"

    @property
    def idle(self) -> bool:
        """Whether nothing has been pending for this person for a moment."""
        busy = not self._joined or self._pending is not None or not self.wanted.empty()
        return not busy and time.monotonic() - self.heard_at > 0.7


def steady(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts that must not change at the same number, however often the server died in between."""
    kept = {key: value for key, value in facts.items() if key not in PASSING and value not in (None, [], {})}
    kept["seats"] = [(seat["kind"], seat.get("name", "")) for seat in facts.get("seats", [])]
    return kept


def verify(text: str, what: str) -> None:
    """Check a record. Raises `Lost` if it does not verify."""
    record = Record.from_text(text)
    if problems := [*record.verify(), *problems_of_match(record)]:
        raise Lost(f"the record of {what} does not verify: {problems[0]}")


class Soak:
    """One run: a server, its tables and their people."""

    def __init__(self, folder: Path, tables: int, seed: int, db: str = "") -> None:
        self.server = Server(folder, db)
        self.result = Result()
        self.people: list[Person] = []
        self.still = False
        self._dice = random.Random(seed)
        self._tables = tables
        self._made = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._hit: asyncio.Event | None = None
        self._moves_to_go = 0

    @property
    def place(self) -> str:
        """The URL of the server."""
        return self.server.url

    def sends_a_move(self) -> None:
        """Note that a person is sending a move: a kill that waits for this happens now."""
        self._moves_to_go -= 1
        if self._hit is not None and self._moves_to_go < 0:
            self._hit.set()

    async def run(self, kills: int) -> Result:
        """Play, kill this many times, and check everything."""
        began = time.monotonic()
        await self.server.start()
        try:
            await self._open_tables()
            for _ in range(kills):
                await self._until_the_moment()
                await self._kill_and_start()
                await self._open_tables()
            await self._rest()
            compared = self.result.compared
            await self._kill_and_start()
            await self._all_back(compared)
            await self._verify_records()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            with contextlib.suppress(Lost):
                await self.server.kill()
        self._read_log()
        self.result.seconds = time.monotonic() - began
        return self.result

    async def _kill_and_start(self) -> None:
        await self.server.kill()
        self.result.kills += 1
        await self.server.start()
        self._raise_faults()

    def _raise_faults(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()

    async def _open_tables(self) -> None:
        """Keep the wanted number of tables in play: when a match is over another begins."""
        going = {person.table for person in self.people if not person.over}
        while len(going) < self._tables:
            going.add(await self._open_table())

    async def _open_table(self) -> str:
        """Open a table of the next profile, with one to four people and bots in the other seats."""
        profile, people = PROFILES[self._made % len(PROFILES)], 1 + self._made % 4
        self._made += 1
        cookies = [(await self.server.ask("GET", "/api/me", ""))[0] for _ in range(people)]
        bots = [None] * people + ["greedy"] * (4 - people)
        wanted = {"profile": profile, "players": 4, "private": True, "bots": bots}
        _, said = await self.server.ask("POST", "/api/tables", cookies[0], wanted)
        table = str(said["id"])
        company = [Person(self, table, cookie, self._dice.randrange(2**32)) for cookie in cookies]
        for seat, person in enumerate(company):
            await person.want({"type": "sit", "seat": seat})
            self.people.append(person)
            self._tasks.append(asyncio.create_task(person.live()))
        await self._until(lambda: all(p.wanted.empty() and p.facts.get("seat") is not None for p in company))
        await company[0].want({"type": "start"})
        return table

    async def _until(self, met: Any, patience: float = PATIENCE) -> None:
        until = time.monotonic() + patience
        while not met():
            self._raise_faults()
            if time.monotonic() > until:
                raise Lost(f"nothing goes on: {self._state()}")
            await asyncio.sleep(0.005)

    def _state(self) -> str:
        return "; ".join(
            f"{p.table[:6]} seat {p.facts.get('seat')} at {p.number} {p.facts.get('waiting_for')}"
            for p in self.people
            if not p.over
        )

    async def _until_the_moment(self) -> None:
        """Wait for the next kill. Two of three kills hit a move before it is on the disk."""
        if self._dice.random() < 2 / 3:
            self._moves_to_go, self._hit = self._dice.randrange(60), asyncio.Event()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hit.wait(), 5)
            self._hit = None
            await asyncio.sleep(self._dice.uniform(0, 0.006))
        else:
            await asyncio.sleep(self._dice.uniform(0, 0.8))

    async def _rest(self) -> None:
        """Stop all moves, and wait until every table waits for a person's turn or its match is over.

        All other decisions are still answered, because they would expire and the table would continue by
        itself.
        """
        for person in self.people:
            person.resting = True
        companies = self._companies().values()
        await self._until(
            lambda: (
                all(person.idle for person in self.people)
                and all(any(person.over or person.may_play for person in company) for company in companies)
            )
        )
        self.still = True

    async def _all_back(self, compared: int) -> None:
        """Check after the last kill, when only the log is left, that everybody finds the table unchanged.

        `compared` was counted before the kill, because some people reconnect before `Server.start` returns.
        """
        await self._until(lambda: self.result.compared >= compared + len(self.people))

    async def _verify_records(self) -> None:
        """Check that the records of every finished deal and every match verify."""
        for table, person in {person.table: person for person in self.people}.items():
            for score in person.facts.get("scores") or []:
                _, text = await self.server.ask(
                    "GET", f"/api/tables/{table}/deals/{score['number']}.rum500", person.cookie
                )
                verify(text, f"{table}, deal {score['number']}")
                self.result.deals += 1
            if person.facts.get("scores"):
                _, text = await self.server.ask("GET", f"/api/tables/{table}/record.rum500", person.cookie)
                verify(text, table)

    def _read_log(self) -> None:
        """Check that acknowledged moves are in the log, once and in order, and no number is missing."""
        log: dict[str, list[tuple[int, str | None, str | None]]] = {}
        for table, number, message, author in self.server.log():
            log.setdefault(table, []).append((number, message, author))
        for person in self.people:
            stored = log[person.table]
            if [number for number, *_ in stored] != list(range(1, len(stored) + 1)):
                raise Lost(f"the log of table {person.table} has gaps")
        for table, company in self._companies().items():
            said = Counter((author, message) for _, message, author in log[table] if message)
            if doubled := [key for key, count in said.items() if count > 1]:
                raise Lost(f"table {table}: doubled {doubled}")
            self._find_authors(table, company, log[table])

    def _companies(self) -> dict[str, list[Person]]:
        companies: dict[str, list[Person]] = {}
        for person in self.people:
            companies.setdefault(person.table, []).append(person)
        return companies

    def _find_authors(
        self, table: str, company: list[Person], stored: list[tuple[int, str | None, str | None]]
    ) -> None:
        """Check that each person's moves have one author, in order."""
        by_author: dict[str | None, list[str]] = {}
        for _, message, author in stored:
            if message:
                by_author.setdefault(author, []).append(message)
        for person in company:
            mine = set(person.acknowledged)
            if not any(
                [it for it in said if it in mine] == person.acknowledged for said in by_author.values()
            ):
                raise Lost(
                    f"table {table}: acknowledged moves of seat {person.facts.get('seat')} are not in the log"
                )


def soak(kills: int, *, tables: int = 4, seed: int = 500, db: str = "") -> Result:
    """Kill a server of its own this many times. Raises `Lost` with the reason."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(Soak(Path(folder), tables, seed, db).run(kills))


def main() -> int:
    parser = argparse.ArgumentParser(description=re.split(r"\n\n", __doc__)[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=6, help="tables in play at a time")
    parser.add_argument("--seed", type=int, default=500, help="of the moments and of what people play")
    parser.add_argument("--db", default="", help="the URL of an empty database; by default a file of its own")
    wanted = parser.parse_args()
    try:
        print(soak(wanted.kills, tables=wanted.tables, seed=wanted.seed, db=wanted.db))
    except Lost as error:
        print(f"LOST: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
