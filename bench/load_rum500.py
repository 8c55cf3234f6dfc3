"""Players at tables of a rum500 server for a load test, who make moves that the server lists as legal."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from load_boardgame import find_meld
from load_socket import LeanSocket
from load_tally import Tally
from msgspec import UNSET, Struct, UnsetType

from rum500.server.messages.field_types import PROTOCOL
from tests.support.live_server import Guest, LiveServer
from tests.support.table_choice import Message, Question, advised, answer, question


class Shared(Struct):
    """The part of the public state that these players use."""

    asked: int | UnsetType = UNSET
    waiting_for: str | UnsetType = UNSET
    actor: int | UnsetType | None = UNSET
    deal: int | UnsetType = UNSET
    fairness: dict[str, Any] | UnsetType | None = UNSET
    positions: list[int] | UnsetType = UNSET
    status: str | UnsetType = UNSET


class Own(Struct):
    """The part of their private state that they use."""

    seat: int | UnsetType | None = UNSET
    may: list[str] | UnsetType = UNSET
    plays: dict[str, str] | UnsetType = UNSET
    takes: dict[str, str] | UnsetType = UNSET
    calls: dict[str, str] | UnsetType = UNSET
    discards: dict[str, str] | UnsetType = UNSET
    hand: list[str] | UnsetType = UNSET


class Fault(Struct):
    """The reason of a refusal."""

    code: str


class Way(Struct):
    """A possible play."""

    play: str


class Heard(Struct):
    """Any message of the server."""

    type: str
    re: str | None = None
    shared: Shared | UnsetType = UNSET
    you: Own | UnsetType = UNSET
    reason: Fault | str | None = None
    options: list[Way] | dict[str, Any] = []


_decode = msgspec.json.Decoder(Heard).decode
_encode = msgspec.json.Encoder().encode


class Player:
    """One player at one table: one connection, one message pending at a time."""

    def __init__(self, tally: Tally, think: Callable[[], float], seed: int) -> None:
        self.tally, self.think = tally, think
        self.dice = random.Random(seed)
        self.socket = LeanSocket(self.hear, self.end)
        self.seat: int | None = None
        self.facts: dict[str, Any] = {}
        self.joined = asyncio.get_running_loop().create_future()
        self._sent = 0
        self._waits: tuple[str, str, float] | None = None
        self._answered: tuple[str, int] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def join(self, port: int, table: str, cookie: str) -> None:
        """Connect and take a seat."""
        headers = {"Cookie": cookie, "Sec-WebSocket-Protocol": PROTOCOL}
        await self.socket.open(port, f"/ws/{table}", headers)
        self.say("join", last=0)
        await self.joined

    def say(self, kind: str, **fields: Any) -> None:
        """Send one message and wait for its answer."""
        self._sent += 1
        name = f"m{self._sent}"
        self._waits = (name, kind, time.perf_counter())
        self.socket.send(_encode({"type": kind, "id": name, **fields}))

    def hear(self, data: bytes) -> None:
        """Process one message, then react to it."""
        self.tally.message(len(data))
        message = _decode(data)
        for part in (message.shared, message.you):
            if part is not UNSET:
                for name in part.__struct_fields__:
                    value = getattr(part, name)
                    if value is not UNSET:
                        self.facts[name] = value
        if message.type == "bye":
            self.tally.refusal(f"bye {message.reason}")
        elif message.re is not None and self._waits is not None and message.re == self._waits[0]:
            self._answer(message)
        if self._waits is None:
            self._go_on()

    def end(self) -> None:
        """Note that the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()
        self.tally.lost += self.tally.on

    def _answer(self, message: Heard) -> None:
        assert self._waits is not None
        _, kind, since = self._waits
        self._waits = None
        if message.type == "refused":
            assert isinstance(message.reason, Fault)
            self.tally.refusal(message.reason.code)
        elif kind in {"play", "say"}:
            self.tally.move(time.perf_counter() - since)
        elif kind == "ask":
            assert isinstance(message.options, list)
            play = advised(self.facts, [way.play for way in message.options], self.dice)
            if play is not None:
                self._say(play)
        else:
            self.tally.other += self.tally.on
        if not self.joined.done():
            self.joined.set_result(None)

    def _go_on(self) -> None:
        """Answer the request, once: a move after some thought, all else at once."""
        asked = question(self.facts)
        if asked is None or asked == self._answered:
            return
        self._answered = asked
        if asked[0] in {"play", "claim"}:
            self._timer = asyncio.get_running_loop().call_later(self.think(), self._move, asked)
        else:
            self._say(answer(asked, self.facts, self.dice))

    def _move(self, asked: Question) -> None:
        if self._waits is None and question(self.facts) == asked:
            self._say(answer(asked, self.facts, self.dice))

    def _say(self, message: Message) -> None:
        self.say(message.pop("type"), **message)


class UnadvisedPlayer(Player):
    """The same, who finds melds alone as boardgame.io's players have to."""

    def _say(self, message: Message) -> None:
        super()._say(self._found() or message if message["type"] == "ask" else message)

    def _found(self) -> Message | None:
        """Return the meld that the player finds without advice, else a discard; None if there is neither."""
        hand = self.facts["hand"]
        meld = find_meld([card.replace("10", "T") for card in hand]) if len(hand) > 3 else None
        if meld is not None and self.facts.get("discards"):
            return {"type": "say", "asked": self.facts["asked"], "text": f"meld {' '.join(meld)}"}
        return advised(self.facts, (), self.dice)


class Rum500:
    """The tables of one process, dealt out to one or more servers: all of a table come to the same one."""

    player = Player

    def __init__(self, ports: Sequence[int], tally: Tally, think: Callable[[], float]) -> None:
        self.servers = [LiveServer(Path(), port=port) for port in ports]
        self.tally, self.think = tally, think
        self.players: list[Player] = []

    async def open_table(self, seed: int) -> None:
        """Seat four guests at a new table and start the match."""
        server = self.servers[seed % len(self.servers)]
        guests = [await asyncio.to_thread(Guest, server) for _ in range(4)]
        table = await asyncio.to_thread(guests[0].new_table, players=4, target=100_000, bots=[])
        seats = [self.player(self.tally, self.think, seed * 4 + place) for place in range(4)]
        for place, (player, guest) in enumerate(zip(seats, guests, strict=True)):
            await player.join(server.port, table, guest.cookie)
            player.joined = asyncio.get_running_loop().create_future()
            player.say("sit", seat=place)
            await player.joined
        seats[0].say("start")
        self.players += seats

    def close(self) -> None:
        for player in self.players:
            player.socket.close()


class Rum500Unadvised(Rum500):
    """The same with players who are given no advice."""

    player = UnadvisedPlayer
