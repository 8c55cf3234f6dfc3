"""A guest of a server, who uses HTTP and WebSocket as the page does."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from rum500.server.messages.field_types import PROTOCOL
from tests.support.table_choice import Message, advised, answer, facts_of, question

PATIENCE = 90.0
"""The seconds after which an answer counts as lost."""


class Busy(Exception):
    """The server refused a request of the honest guest."""


class Client:
    """A guest with a cookie and an address."""

    def __init__(self, url: str, address: str) -> None:
        self.url, self.address = url, address
        headers = {"X-Forwarded-For": address, "Origin": url}
        self.http = httpx.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE)

    async def __aenter__(self) -> Client:
        await self.call("GET", "/api/me")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def call(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the decoded answer. Raises `Busy` if the server refuses it."""
        reply = await self.http.request(method, path, json=body)
        if reply.status_code >= 400:
            raise Busy(f"{reply.status_code} {reply.text[:200]}")
        return reply.json()

    async def new_table(self, **options: Any) -> str:
        """Make a table and return its id."""
        wanted = {"profile": "500-rum", "players": 2, "private": True, **options}
        return str((await self.call("POST", "/api/tables", wanted))["id"])

    def drill(self, seed: int) -> Awaitable[Any]:
        """Request a question of a drill."""
        return self.call("GET", f"/api/drills/discard/500-rum/2/{seed}/1")

    async def finished(self, deals: int) -> str:
        """Play this many deals against a quick bot; return the table's id."""
        dice = random.Random(500)
        table = await self.new_table(bots=[None, "greedy"], start=True, target=100_000)
        async with self.at(table) as seat:
            while len(seat.facts.get("scores", ())) < deals:
                await seat.act(dice)
                await asyncio.sleep(0.12)  # the limit of messages is 20 a second
        return table

    @asynccontextmanager
    async def at(self, table: str) -> AsyncIterator[Seat]:
        """Join a table for as long as the block runs."""
        async with connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/{table}", origin=Origin(self.url),
            subprotocols=[Subprotocol(PROTOCOL)], proxy=None, compression=None, additional_headers={
                "Cookie": "; ".join(f"{name}={value}" for name, value in self.http.cookies.items()),
                "X-Forwarded-For": self.address,
            },
        ) as socket:  # fmt: skip
            seat = Seat(socket)
            reading = asyncio.create_task(seat.read())
            try:
                await seat.say("join", last=0)
                yield seat
            finally:
                reading.cancel()


class Seat:
    """A connection to a table: the facts that it has received, and the answers to its messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._answered: object = None
        self.facts: dict[str, Any] = {}
        self.changed = asyncio.Event()
        self.bot_seconds: list[float] = []
        """The seconds that the other seat, a bot, took for each decision."""

    async def read(self) -> None:
        """Receive messages until the connection ends."""
        since: tuple[int, float] | None = None
        try:
            async for data in self._socket:
                message = json.loads(data)
                if message["type"] in {"sync", "update"}:
                    self.facts.update(facts_of(message))
                    now, asked = time.monotonic(), self.facts.get("asked", 0)
                    if since is not None and asked != since[0]:
                        self.bot_seconds.append(now - since[1])
                    bots = self.facts.get("waiting_for") == "play" and self.facts["actor"] != self.facts.get(
                        "seat"
                    )
                    since = (asked, now) if bots else None
                    self.changed.set()
                waiting = self._answers.pop(str(message.get("re")), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
        except ConnectionClosed:
            pass
        finally:
            for waiting in self._answers.values():
                if not waiting.done():
                    waiting.set_exception(ConnectionResetError("the server closed the connection"))
                    waiting.exception()  # Nobody may be waiting for it any more.

    async def say(self, kind: str, **fields: Any) -> Message:
        """Send a message and return the answer."""
        name = str(next(self._ids))
        waiting: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[name] = waiting
        await self._socket.send(json.dumps({"type": kind, "id": name, **fields}))
        async with asyncio.timeout(PATIENCE):
            return await waiting

    @property
    def decides(self) -> bool:
        """Whether this seat has a choice of plays now."""
        return self.facts.get("waiting_for") == "play" and bool(self.facts.get("may"))

    async def act(self, dice: random.Random) -> None:
        """Make this seat's decision; wait for a change if there is none."""
        self.changed.clear()
        asked = question(self.facts)
        if asked in (None, self._answered) or self.facts.get("status") == "over":
            await self.change()
            return
        self._answered = asked
        message = answer(asked, self.facts, dice)
        reply = await self.say(message.pop("type"), **message)
        if reply["type"] == "answer" and question(self.facts) == asked:
            ways = [way["play"] for way in reply.get("options", [])]
            play = advised(self.facts, ways, dice)
            if play is None:
                raise RuntimeError("the seat has no play")
            reply = await self.say(play.pop("type"), **play)
        if reply["type"] == "refused":
            self._answered = None
            await asyncio.sleep(0.1)

    async def change(self) -> None:
        """Wait until `changed` is set."""
        async with asyncio.timeout(PATIENCE):
            await self.changed.wait()

    async def hint(self) -> bool:
        """Ask for the deepest hint; return whether the server gave one."""
        asked = self.facts["asked"]
        if (await self.say("hint", asked=asked, depth="numbers"))["type"] == "refused":
            return False
        reply = await self.say("ask", about="hint", depth="numbers")
        return bool(reply["type"] == "answer")


async def wait_for(host: Client, absent: Client) -> None:
    """Make a table of two guests that waits for the absent one."""
    dice = random.Random(500)
    table = await host.new_table(leaver_s=0)
    async with host.at(table) as first:
        async with absent.at(table) as second:
            await second.say("sit")
            await first.say("start")
            while not first.decides:
                for seat in (first, second):
                    if question(seat.facts) is not None:
                        await seat.act(dice)
                await asyncio.sleep(0.01)
        while first.decides:
            await first.act(dice)
