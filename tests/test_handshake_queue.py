"""Admission of new connections: a few in each turn, the newest first, none while handshakes pile up."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

from rum500.server.transport.handshake_queue import PER_TURN, Admission
from tests.support.serving import Running
from tests.support.waiting import PATIENCE, other_tasks


class Newcomer:
    """A connection that records when it is admitted."""

    def __init__(self, number: int, order: list[int]) -> None:
        self._number = number
        self._order = order

    def admit(self) -> None:
        """Record the admission."""
        self._order.append(self._number)


def test_few_are_admitted_at_once_and_the_others_newest_first() -> None:
    async def run() -> None:
        order: list[int] = []
        admission = Admission(lambda: False)
        many = [Newcomer(number, order) for number in range(3 * PER_TURN)]
        assert [admission.admits(each) for each in many] == [True] * PER_TURN + [False] * 2 * PER_TURN
        while not order:
            await other_tasks()
        assert order == list(range(3 * PER_TURN - 1, 2 * PER_TURN - 1, -1))
        assert not admission.admits(Newcomer(-1, order))  # others wait
        while len(order) < 2 * PER_TURN + 1:
            await other_tasks()
        assert order[PER_TURN:] == [-1, *range(2 * PER_TURN - 1, PER_TURN - 1, -1)]

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_none_are_admitted_while_paused_and_closed_ones_are_skipped() -> None:
    async def run() -> None:
        order: list[int] = []
        paused = [True]
        admission = Admission(lambda: bool(paused))
        first, second = Newcomer(1, order), Newcomer(2, order)
        assert not admission.admits(first)
        assert not admission.admits(second)
        admission.remove(second)
        admission.remove(second)
        for _ in range(50):
            await other_tasks()
        assert order == []
        paused.clear()
        while not order:
            await other_tasks()
        assert order == [1]

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_many_simultaneous_connections_are_all_answered(tmp_path: Path) -> None:
    """Some send their request in two parts, and some go away before it is read."""
    with Running(tmp_path) as server:
        many = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20 * PER_TURN)]
        request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
        for number, each in enumerate(many):
            each.sendall(request if number % 3 else request[:9])
        for number, each in enumerate(many):
            if number % 5 == 1:
                each.close()
            elif number % 3 == 0:
                each.sendall(request[9:])
        for number, each in enumerate(many):
            if number % 5 != 1:
                each.settimeout(PATIENCE)
                assert each.recv(1000).startswith(b"HTTP/1.1 200"), number
                each.close()
