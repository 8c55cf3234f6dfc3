"""The page's side of a local server: requests, and a connection to a table."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec

from rum500.local import LocalServer, LocalSocket
from tests.support.table_choice import advised, answer, facts_of, question
from tests.support.waiting import comes_true


class Page:
    """The page's side of one connection."""

    def __init__(self) -> None:
        self.facts: dict[str, Any] = {}
        self.got: list[dict[str, Any]] = []
        self.closed = False
        self.socket: LocalSocket
        self._dice = random.Random(500)
        self._number = 0

    async def join(self, server: LocalServer, table: str) -> Page:
        self.socket = await server.connect(table, self._take, self._end)
        await self.ask("join", last=0)
        return self

    def _take(self, data: bytes) -> None:
        message = json.loads(data)
        self.got.append(message)
        if message["type"] in {"sync", "update"}:
            self.facts.update(facts_of(message))

    def _end(self) -> None:
        self.closed = True

    def say(self, kind: str, **fields: Any) -> str:
        self._number += 1
        name = f"{id(self)}-{self._number}"
        self.socket.receive(json.dumps({"type": kind, "id": name, **fields}).encode())
        return name

    def answered(self, name: str) -> dict[str, Any] | None:
        return next((each for each in self.got if each.get("re") == name), None)

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        name = self.say(kind, **fields)
        await comes_true(lambda: self.answered(name))
        return self.answered(name) or {}

    async def decide(self) -> None:
        """Make the next decision of this seat."""
        await comes_true(lambda: question(self.facts) is not None)
        asked = question(self.facts)
        assert asked is not None
        message = answer(asked, self.facts, self._dice)
        reply = await self.ask(message.pop("type"), **message)
        if reply["type"] == "answer":
            ways = [way["play"] for way in reply.get("options", [])]
            play = advised(self.facts, ways, self._dice)
            assert play is not None
            reply = await self.ask(play.pop("type"), **play)
        assert reply["type"] == "update", reply


async def call(server: LocalServer, method: str, path: str, body: object = None) -> Any:
    """Return the decoded answer to a request that is not refused."""
    found = await server.answer(method, path, b"" if body is None else msgspec.json.encode(body))
    assert found.status < 400, found.body
    return json.loads(found.body) if found.media == "application/json" else found.body


async def refused(server: LocalServer, method: str, path: str, body: object = None) -> tuple[int, str]:
    found = await server.answer(method, path, b"" if body is None else msgspec.json.encode(body))
    failure = json.loads(found.body)
    assert failure["message"]
    return found.status, failure["code"]


async def new_table(server: LocalServer, **options: Any) -> str:
    wanted = {"profile": "500-rum", "players": 2, "bots": [None, "club"], "start": True, **options}
    return str((await call(server, "POST", "/api/tables", wanted))["id"])
