"""A real `rum500 serve` in a process of its own, and guests who use it as a browser does."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from rum500.server.messages.field_types import PROTOCOL
from tests.support.table_choice import Facts, Message, Question, advised, answer, facts_of, question
from tests.support.waiting import PATIENCE, attempts, until

_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


class LiveServer:
    """A server with a folder of its own; it keeps its port when it is killed and started again."""

    program: Sequence[str] = ("-m", "rum500")
    """The arguments of Python that start it."""

    def __init__(self, data: Path, *flags: str, port: int = 0, python: str | Path = sys.executable) -> None:
        self.data, self.port, self._flags, self._python = data, port, flags, str(python)
        self._process: subprocess.Popen[str] | None = None
        self.hosts: list[Seated] = []
        """The hosts of tables in the lobby; they stay until the server ends."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        return (self.data / "server.log").read_text(errors="replace")

    def start(self) -> LiveServer:
        """Start the server, and wait until it prints its address."""
        self.data.mkdir(parents=True, exist_ok=True)
        command = [self._python, *self.program, "serve", "--port", str(self.port), "--no-open", "--data"]
        with (self.data / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [*command, str(self.data), *self._flags], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := _ADDRESS.search(line):
                self.port = int(found[1])
                return self
        self._process.stdout.close()
        raise AssertionError(f"the server did not start, exit code {self._process.wait()}:\n{self.log}")

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server, by default with SIGTERM; fail if it does not end."""
        if self._process is None:
            return
        while self.hosts:
            self.hosts.pop().leave()
        self._process.send_signal(how)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def send(self, how: signal.Signals) -> None:
        """Send a signal after which it runs on, such as SIGSTOP."""
        assert self._process is not None
        self._process.send_signal(how)

    def kill(self) -> None:
        """End it at once, as a power failure does."""
        self.end(signal.SIGKILL)

    def __enter__(self) -> LiveServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.end()


class Guest:
    """Somebody with a cookie."""

    def __init__(self, server: LiveServer, name: str | None = None) -> None:
        self.server = server
        self.cookie = ""
        self.me = self.call("GET", "/api/me")
        if name is not None:
            self.me = self.call("PUT", "/api/me", {"name": name})

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and return the answer, decoded if it is JSON."""
        headers = {"Origin": self.server.url, "Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            self.cookie = (reply.headers.get("Set-Cookie") or self.cookie).partition(";")[0]
            text = reply.read().decode()
            return json.loads(text) if "json" in reply.headers.get("Content-Type", "") else text

    def new_table(self, profile: str = "500-rum", **options: Any) -> str:
        """Make a table and return its id."""
        return str(self.call("POST", "/api/tables", {"profile": profile, "private": True, **options})["id"])

    def host(self, profile: str = "500-rum", **options: Any) -> str:
        """Make a public table, stay there, and return its id once the lobby lists it."""
        table = self.new_table(profile, private=False, **options)
        self.server.hosts.append(self.at(table))
        until(lambda: any(one["id"] == table for one in self.call("GET", "/api/tables")))
        return table

    def at(self, table: str, *, last: int = 0, **headers: str) -> Seated:
        """Connect to a table, with these headers too, and join it."""
        return Seated(self, table, last, headers)


class Seated:
    """A guest's connection to a table: the merged facts, and every message received."""

    def __init__(self, guest: Guest, table: str, last: int, headers: Mapping[str, str]) -> None:
        self.guest, self.table = guest, table
        self.facts: dict[str, Any] = {}
        self.number = 0
        self.heard: list[Message] = []
        self._ids = os.urandom(3).hex()
        self._said = 0
        self._answered: Question | None = None
        self._waiting: queue.Queue[Message | None] = queue.Queue()
        server = guest.server
        self._opened = connect(
            f"ws{server.url.removeprefix('http')}/ws/{table}", origin=server.url, subprotocols=[PROTOCOL],
            additional_headers={"Cookie": guest.cookie, **headers}, compression=None, open_timeout=PATIENCE,
            proxy=None, max_size=None,
        )  # fmt: skip
        self._socket = self._opened.__enter__()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.say("join", last=last)

    def __enter__(self) -> Seated:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def leave(self) -> None:
        """Close the connection."""
        self._opened.__exit__(None, None, None)
        self._reader.join(PATIENCE)

    @property
    def closed(self) -> bool:
        """Whether the server has closed the connection."""
        return not self._reader.is_alive()

    def say(self, kind: str, **fields: Any) -> Message:
        """Send a message and wait for its answer; process what is received before it too."""
        self._said += 1
        name = f"{self._ids}-{self._said}"
        self._socket.send(json.dumps({"type": kind, "id": name, **fields}))
        return self.until(lambda message: message.get("re") == name)

    def sees(self, met: Callable[[Facts], bool]) -> None:
        """Wait until the facts meet a condition; they may meet it already."""
        if not met(self.facts):
            self.until(lambda _: met(self.facts))

    def until(self, met: Callable[[Message], bool]) -> Message:
        """Receive messages until one meets the condition."""
        for left in attempts():
            message = self.hear(left)
            if message is not None and met(message):
                return message
        raise AssertionError(f"waited in vain; the last heard: {self.heard[-3:]}")

    def hear(self, seconds: float = 0.0) -> Message | None:
        """Receive one message; None if there is none in this time."""
        try:
            message = self._waiting.get(timeout=seconds) if seconds > 0 else self._waiting.get_nowait()
        except queue.Empty:
            return None
        if message is None:
            raise ConnectionError(f"the server has hung up; the last heard: {self.heard[-3:]}")
        self.heard.append(message)
        if message["type"] in {"sync", "update"}:
            self.number = message["number"]
            if message["type"] == "sync":
                self.facts = {}
            self.facts.update(facts_of(message))
        return message

    def act(self, dice: random.Random) -> bool:
        """Make this seat's decision; return False if there is none or it has been made."""
        while self.hear() is not None:
            pass
        asked = question(self.facts)
        if asked is None or asked == self._answered:
            return False
        self._answered = asked
        reply = self._told(answer(asked, self.facts, dice))
        if reply["type"] == "answer":
            play = advised(self.facts, [way["play"] for way in reply.get("options", [])], dice)
            if play is not None and question(self.facts) == asked:
                reply = self._told(play)
        if reply["type"] == "refused":
            self._answered = None
        return True

    def _told(self, message: Message) -> Message:
        return self.say(message.pop("type"), **message)

    def _read(self) -> None:
        try:
            with contextlib.suppress(ConnectionClosed):
                for data in self._socket:
                    self._waiting.put(json.loads(data))
        finally:
            self._waiting.put(None)


def play_on(people: Sequence[Seated], until: Callable[[Facts], bool], *, seed: int = 1) -> None:
    """Let these people make their decisions until one of them sees the table as wanted."""
    dice = random.Random(seed)
    for _ in attempts(2 * PATIENCE):
        for person in people:
            while person.hear() is not None:
                pass
            if until(person.facts):
                return
            if person.act(dice) and until(person.facts):
                return
        if not any(person.hear(0.002) for person in people[:1]):
            continue
    seen = {key: people[0].facts.get(key) for key in ("status", "waiting_for", "phase", "deal", "actor")}
    raise AssertionError(f"it never came to that; the table is at {seen}; {people[0].heard[-3:]}")
