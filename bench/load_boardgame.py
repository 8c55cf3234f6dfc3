"""The same players at tables of a boardgame.io server, with the game of bench/boardgame_server.cjs.

It uses socket.io over a WebSocket: `0` opens, `40` joins the game's namespace, `42` contains an event, `2`
and `3` are ping and pong. A table exists as soon as a player requests it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import msgspec
from load_socket import LeanSocket
from load_tally import Tally

from tests.support.table_choice import LAYS, TAKES

GAME = "rummy"
RANKS = "A23456789TJQK"
_PREFIX = f"42/{GAME},".encode()
_decode = msgspec.json.Decoder().decode


class Player:
    """One player at one table: one connection, one move pending at a time."""

    def __init__(self, tally: Tally, think: Callable[[], float], match: str, seat: int, seed: int) -> None:
        self.tally, self.think, self.match, self.seat = tally, think, match, str(seat)
        self.dice = random.Random(seed)
        self.socket = LeanSocket(self.hear, self.end)
        self.joined = asyncio.get_running_loop().create_future()
        self.state: dict[str, Any] = {}
        self._moved: tuple[int, float] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def join(self, port: int) -> None:
        """Connect and request the table."""
        await self.socket.open(port, "/socket.io/?EIO=4&transport=websocket", {})
        await self.joined

    def hear(self, data: bytes) -> None:
        """Process one message, then move if it is this player's turn."""
        self.tally.message(len(data))
        if data.startswith(_PREFIX):
            self._event(_decode(data[len(_PREFIX) :]))
        elif data.startswith(b"40/"):
            self._emit("sync", self.match, self.seat, None, 4)
        elif data.startswith(b"0"):
            self.socket.send(f"40/{GAME},".encode())
        elif data == b"2":
            self.socket.send(b"3")

    def end(self) -> None:
        """Note that the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()
        self.tally.lost += self.tally.on

    def _emit(self, *event: object) -> None:
        self.socket.send(_PREFIX + msgspec.json.encode(event))

    def _event(self, event: list[Any]) -> None:
        if event[0] == "sync":
            self.state = event[2]["state"]
            if not self.joined.done():
                self.joined.set_result(None)
        elif event[0] == "update":
            self.state = event[2]
        else:
            return
        number = self.state["_stateID"]
        if self._moved is not None and number > self._moved[0]:
            self.tally.move(time.perf_counter() - self._moved[1])
            self._moved = None
        if self._timer is None and self._moved is None and self.state["ctx"]["currentPlayer"] == self.seat:
            self._timer = asyncio.get_running_loop().call_later(self.think(), self._move)

    def _move(self) -> None:
        self._timer = None
        game, dice = self.state["G"], self.dice
        hand = game["players"][self.seat]["hand"]
        if not game["drawn"]:
            if game["pile"] and (dice.random() < TAKES or not game["stock"]):
                self._play("take", dice.randint(1, min(3, len(game["pile"]))))
            else:
                self._play("draw")
            return
        meld = find_meld(hand) if len(hand) > 3 and dice.random() < LAYS else None
        if meld is not None:
            self._play("meld", meld)
        else:
            self._play("discard", dice.choice(hand))

    def _play(self, kind: str, *args: object) -> None:
        number = self.state["_stateID"]
        self._moved = (number, time.perf_counter())
        payload = {"type": kind, "args": args, "playerID": self.seat, "credentials": None}
        self._emit("update", {"type": "MAKE_MOVE", "payload": payload}, number, self.match, self.seat)


def find_meld(hand: list[str]) -> list[str] | None:
    """Return three cards of the hand that are a set or a run; None if there are none."""
    ordered = sorted(hand, key=lambda card: (card[1], RANKS.index(card[0])))
    for place in range(len(ordered) - 2):
        three = ordered[place : place + 3]
        first = RANKS.index(three[0][0])
        if [RANKS.find(card[0]) for card in three] == [first, first + 1, first + 2] and len(
            {card[1] for card in three}
        ) == 1:
            return three
    for rank in RANKS:
        alike = [card for card in hand if card[0] == rank]
        if len(alike) >= 3:
            return list(next(combinations(alike, 3)))
    return None


class Boardgame:
    """The tables of one process at one server."""

    def __init__(self, ports: Sequence[int], tally: Tally, think: Callable[[], float]) -> None:
        (self.port,), self.tally, self.think = ports, tally, think
        self.players: list[Player] = []

    async def open_table(self, seed: int) -> None:
        """Seat four players at a new table."""
        seats = [Player(self.tally, self.think, f"table{seed}", seat, seed * 4 + seat) for seat in range(4)]
        for player in seats:
            await player.join(self.port)
        self.players += seats

    def close(self) -> None:
        for player in self.players:
            player.socket.close()
