"""People who keep playing whatever fails, reconnect as the page does, and record all that they receive."""

from __future__ import annotations

import asyncio
import json
import os
import time
from dataclasses import dataclass
from typing import Any, Protocol

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin, Subprotocol

from rum500.server.messages.field_types import PROTOCOL
from tests.support.table_choice import Message, Question, answer, question
from tools.crash_soak import Person, Run

# The same seconds as in the page (web/src/lib/net/connection.svelte.ts).
FIRST_WAIT, SOON_WAIT, SOON_TRIES, LONGEST_WAIT = 0.4, 1.0, 8, 8.0
QUIET, ANSWER, OVERDUE, OPEN = 10.0, 5.0, 8.0, 10.0
_PATIENCE = (1.5, 8.0)
"""How many seconds people wait for an answer before they load the page again, at least and at most."""


@dataclass(slots=True)
class Heard:
    """One message that a person received."""

    kind: str
    last: int
    """The number of the last entry that the person knew before."""
    number: int
    """The `number` in the message; -1 if it has none."""
    gap: bool
    """For a `sync`, whether it has all events since `last`."""
    events: list[dict[str, Any]]
    raw: bytes


@dataclass(slots=True)
class Received:
    """What a person received, and which moves were acknowledged, since the last `take`."""

    heard: list[Heard]
    acknowledged: list[tuple[str, int]]
    """The acknowledged moves: the message's id, and the number of the update that acknowledged it."""


class Chaos(Run, Protocol):
    """What these people need from the run."""

    def door(self, table: str, tries: int) -> str:
        """Return the URL at which a person connects at this try."""

    def back(self, client: Client) -> None:
        """Record that somebody is connected again."""


def wait_before(tries: int) -> float:
    """Return the seconds before this try to reconnect, counted from 1, as in the page."""
    if tries <= SOON_TRIES:
        return min(SOON_WAIT, FIRST_WAIT * 2.0 ** (tries - 1))
    return min(LONGEST_WAIT, SOON_WAIT * 2.0 ** min(tries - SOON_TRIES, 6))


class Client(Person):
    """One person at one table."""

    soak: Chaos

    def __init__(
        self, run: Chaos, table: str, cookie: str, guest: str, address: str, seed: int, think: float
    ) -> None:
        super().__init__(run, table, cookie, seed)
        self.guest, self.address = guest, address
        self.think = think
        self.received = Received([], [])
        self.lost_at: float | None = None
        """When the server of the table was killed; None after somebody has received an answer since."""
        self.connections = 0
        self.waits: list[str] = []
        """What the person waited for since the server of the table was killed."""
        self.place = ""
        """Where the person connects, or connected last."""
        self._tries = 0
        self._sent_at = 0.0
        self._patience = self.dice.uniform(*_PATIENCE)
        self._thinking: asyncio.Task[None] | None = None

    @property
    def joined(self) -> bool:
        """Whether the person sees the table now."""
        return self._joined

    def take(self) -> Received:
        """Return what the person received since the last call."""
        received, self.received = self.received, Received([], [])
        return received

    async def live(self) -> None:
        """Play until cancelled, over as many connections as it takes."""
        while True:
            began = time.monotonic()
            try:
                await self._visit()
            except (OSError, WebSocketException, EOFError, TimeoutError) as error:
                self._note_wait(began, f"{type(error).__name__} {error}".strip())
            finally:
                self._socket, self._joined = None, False
                if self._thinking is not None:
                    self._thinking.cancel()
            self._tries += 1
            began, wait = time.monotonic(), wait_before(self._tries) * self.dice.uniform(0.7, 1.3)
            await asyncio.sleep(wait)
            self._note_wait(began, "before the next try")

    def _note_wait(self, began: float, what: str) -> None:
        if self.lost_at is not None:
            seconds = time.monotonic() - max(began, self.lost_at)
            step = "" if self._socket is None else "after the handshake, "
            self.waits.append(f"{time.strftime('%H:%M:%S')} {seconds:.1f} s {step}{self.place}: {what}")

    async def _visit(self) -> None:
        self.place = place = self.soak.door(self.table, self._tries)
        socket = await connect(
            f"ws{place.removeprefix('http')}/ws/{self.table}",
            origin=Origin(place), subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers={"Cookie": self.cookie, "X-Forwarded-For": self.address},
            compression=None, max_size=None, proxy=None, open_timeout=OPEN, ping_interval=None,
        )  # fmt: skip
        try:
            self._socket = socket
            self.connections += 1
            self._answered = None
            async with asyncio.timeout(OPEN):
                await self._come_back()
            await self._listen()
        finally:
            socket.transport.abort()

    async def _listen(self) -> None:
        """Receive messages until none comes for too long."""
        asked = 0.0
        while True:
            now, due = time.monotonic(), max(self.heard_at, asked) + (ANSWER if asked else QUIET)
            if self._pending is not None:
                due = min(due, self._sent_at + min(OVERDUE, self._patience))
            try:
                async with asyncio.timeout(max(0.0, due - now)):
                    data = await self._socket.recv()
            except TimeoutError:
                if asked or self._pending is not None:
                    raise
                asked = time.monotonic()
                await self._socket.send(json.dumps({"type": "ping", "id": f"p{os.urandom(3).hex()}"}))
                continue
            asked = 0.0
            await self._hear(self._read(data))

    def _read(self, data: str | bytes) -> Message:
        """Decode a message and record it."""
        raw = data.encode() if isinstance(data, str) else data
        message = super()._read(raw)
        sync = message["type"] == "sync"
        self.received.heard.append(
            Heard(
                message["type"],
                self.number,
                message.get("number", -1),
                message.get("gap", False),
                message.get("missed" if sync else "events") or [],
                raw,
            )
        )
        return message

    def _look(self, sync: Message) -> None:
        super()._look(sync)
        self._tries = 0
        self.soak.back(self)

    async def _repeat(self) -> None:
        self._sent_at = time.monotonic()
        await super()._repeat()

    async def say(self, message: Message) -> None:
        """Send a message with a new id."""
        self._sent_at = time.monotonic()
        self._patience = self.dice.uniform(*_PATIENCE)
        await super().say(message)

    async def _hear(self, message: Message) -> None:
        moves = len(self.acknowledged)
        try:
            await super()._hear(message)
        finally:
            if len(self.acknowledged) > moves:
                self.received.acknowledged.append((self.acknowledged.pop(), message["number"]))

    async def _go_on(self) -> None:
        """Make this person's decision; a play after some time to think."""
        asked = question(self.facts)
        if not self.wanted.empty() or asked is None or asked[0] not in {"play", "claim"}:
            await super()._go_on()
        elif asked != self._answered and not self.resting:
            self._answered = asked
            self._thinking = asyncio.create_task(self._play(asked))

    async def _play(self, asked: Question) -> None:
        await asyncio.sleep(self.dice.expovariate(1 / self.think) if self.think else 0)
        if self._joined and self._pending is None and question(self.facts) == asked:
            try:
                await self.say(answer(asked, self.facts, self.dice))
            except (OSError, WebSocketException):
                return  # the move is pending, and sent again after reconnecting
