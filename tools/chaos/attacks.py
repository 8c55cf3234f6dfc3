"""What an honest guest waits for while another address attacks, as a ratio to the same without an attack.

A real server with its default limits; the clients' addresses come from X-Forwarded-For. Each attack runs in
slices between slices without it, so that other work on the machine slows both alike.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from rum500.server.messages.field_types import PROTOCOL
from rum500.server.push.turn_notices import GRACE_S
from tests.support.live_server import LiveServer
from tests.support.push_service import PushService
from tests.support.table_choice import Message, advised, answer, facts_of, question

HONEST, ATTACKER = "198.51.100.1", "198.51.100.66"
THINK_S = 0.5
"""The seconds for which the honest guest thinks before each request."""
GUESTS = 12
"""The attacking guests, all of one address."""
MOST_RATIO = 2.0
"""The honest guest's median and 95th percentile may be this many times those without an attack."""
FLAGS = (
    *("--trusted-proxies", "127.0.0.1", "--push-networks", "127.0.0.0/8", "--bot-pause-ms", "0"),
    *("--review-budget", "64", "--log-level", "error"),
)
_PATIENCE = 90.0
_REFUSED = 429


class Busy(Exception):
    """The server refuses a request of the honest guest."""


class Client:
    """A guest with a cookie and an address."""

    def __init__(self, server: LiveServer, address: str) -> None:
        self.server, self.address = server, address
        headers = {"X-Forwarded-For": address, "Origin": server.url}
        self.http = httpx.AsyncClient(base_url=server.url, headers=headers, timeout=_PATIENCE)

    async def __aenter__(self) -> Client:
        await self.http.get("/api/me")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def call(self, method: str, path: str, body: object = None) -> Any:
        """Return the decoded answer. Raises `Busy` if it is a refusal."""
        reply = await self.http.request(method, path, json=body)
        if reply.status_code >= 400:
            raise Busy(f"{reply.status_code} {reply.text[:200]}")
        return reply.json()

    async def new_table(self, **options: Any) -> str:
        """Make a table; return its id."""
        wanted = {"profile": "500-rum", "players": 2, "private": True, **options}
        return str((await self.call("POST", "/api/tables", wanted))["id"])

    @asynccontextmanager
    async def at(self, table: str) -> AsyncIterator[Seat]:
        """Join a table for as long as the block runs."""
        async with connect(
            f"ws://127.0.0.1:{self.server.port}/ws/{table}", origin=Origin(self.server.url),
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
    """A connection to a table: the facts that it was sent, and the answers to its messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._answered: object = None
        self.facts: dict[str, Any] = {}
        self.changed = asyncio.Event()
        self.bot_seconds: list[float] = []
        """The times that the other seat, a bot, took for its decisions."""

    async def read(self) -> None:
        """Take in messages until the connection ends."""
        since: tuple[int, float] | None = None
        with suppress(ConnectionClosed):
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

    async def say(self, kind: str, **fields: Any) -> Message:
        """Send a message and return the answer."""
        name = str(next(self._ids))
        waiting: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[name] = waiting
        await self._socket.send(json.dumps({"type": kind, "id": name, **fields}))
        async with asyncio.timeout(_PATIENCE):
            return await waiting

    @property
    def decides(self) -> bool:
        """Whether this seat has a choice of plays now."""
        return self.facts.get("waiting_for") == "play" and bool(self.facts.get("may"))

    async def act(self, dice: random.Random) -> None:
        """Do what is asked of this seat; wait for a change if nothing is."""
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
        async with asyncio.timeout(_PATIENCE):
            await self.changed.wait()

    async def hint(self) -> bool:
        """Ask for the deepest hint; return whether there was one."""
        asked = self.facts["asked"]
        if (await self.say("hint", asked=asked, depth="numbers"))["type"] == "refused":
            return False
        reply = await self.say("ask", about="hint", depth="numbers")
        return bool(reply["type"] == "answer")


Times = dict[str, list[float]]


@dataclass
class Stage:
    """One server with its honest guest, and the clients of the attackers."""

    server: LiveServer
    honest: Client
    attackers: list[Client]
    push: PushService
    refused: Counter[str] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)
    played: str = ""
    """A table of the honest guest with finished deals."""
    _deals: Any = field(default_factory=lambda: itertools.count(1))
    _dice: random.Random = field(default_factory=lambda: random.Random(500))
    _seeds: Any = field(default_factory=lambda: itertools.count(1))

    async def timed(self, times: list[float], work: Awaitable[Any]) -> None:
        """Add the seconds that this work takes; count it if the server refuses it."""
        began = time.monotonic()
        try:
            if await work is False:
                return
        except Busy as error:
            self.refused[str(error)[:60]] += 1
            return
        times.append(time.monotonic() - began)

    def drill(self, client: Client) -> Awaitable[Any]:
        """Request a question of a drill that nobody has requested."""
        return client.call("GET", f"/api/drills/discard/500-rum/2/{next(self._seeds)}/1")

    # --- the honest guest -------------------------------------------------------------------------------

    async def play(self, times: Times, until: float) -> None:
        """Play against `expert` with a hint at each decision."""
        table = await self.honest.new_table(bots=[None, "expert"], hints="numbers", start=True, target=5000)
        async with self.honest.at(table) as seat:
            while time.monotonic() < until:
                if seat.decides:
                    await asyncio.sleep(THINK_S)
                    await self.timed(times["hint"], seat.hint())
                await seat.act(self._dice)
            times["bot"] += seat.bot_seconds

    async def practise(self, times: Times, until: float) -> None:
        """Request one question of a drill after the other."""
        while time.monotonic() < until:
            await self.timed(times["drill"], self.drill(self.honest))
            await asyncio.sleep(THINK_S)

    async def review(self, times: Times, until: float) -> None:
        """Have one deal after the other judged."""
        while time.monotonic() < until:
            await self.timed(times["review"], self._judged(self.played, next(self._deals)))

    async def _judged(self, table: str, deal: int) -> None:
        path = f"/api/tables/{table}/deals/{deal}/review"
        review = await self.honest.call("POST", path, {})
        while not review["state"]["judged"] >= 5:
            await asyncio.sleep(0.1)
            review = await self.honest.call("GET", path)

    async def finished(self, client: Client, deals: int) -> tuple[str, list[int]]:
        """Return a table of bots alone with this many finished deals, and their numbers."""
        table = await client.new_table(bots=["greedy", "greedy"], start=True, target=100_000, leaver_s=0)
        async with client.at(table) as seat:
            while len(seat.facts.get("scores", ())) < deals:
                seat.changed.clear()
                await seat.change()
        return table, list(range(1, deals + 1))

    async def notice(self, times: Times) -> None:
        """Have a table wait for an absent guest, and time the notice beyond the server's grace."""
        browser = self.push.browser()
        async with Client(self.server, HONEST) as absent:
            await absent.call("POST", "/api/notices/browsers", browser.subscription)
            await self.wait_for(self.honest, absent)
            began = time.monotonic()
            while not browser.got and time.monotonic() < began + _PATIENCE:
                await asyncio.sleep(0.05)
            times["notice"].append(time.monotonic() - began - GRACE_S)

    async def wait_for(self, host: Client, absent: Client) -> None:
        """Make a table that waits for the absent one of two guests."""
        table = await host.new_table(leaver_s=0)
        async with host.at(table) as first:
            async with absent.at(table) as second:
                await second.say("sit")
                await first.say("start")
                while not first.decides:
                    for seat in (first, second):
                        if question(seat.facts) is not None:
                            await seat.act(self._dice)
                    await asyncio.sleep(0.01)
            while first.decides:
                await first.act(self._dice)

    # --- the attacks --------------------------------------------------------------------------------------

    async def repeat_hints(self, client: Client) -> None:
        """Repeat the request for one hint."""
        table = await client.new_table(bots=[None, "greedy"], hints="numbers", start=True, target=5000)
        async with client.at(table) as seat:
            while not (seat.decides and await seat.hint()):
                await seat.act(self._dice)
            while True:
                await asyncio.gather(*(seat.say("ask", about="hint", depth="numbers") for _ in range(8)))

    async def fresh_hints(self, client: Client) -> None:
        """Ask for a hint at each decision, against the slowest bot."""
        table = await client.new_table(bots=[None, "expert"], hints="numbers", start=True, target=5000)
        async with client.at(table) as seat:
            while True:
                if seat.decides:
                    await seat.hint()
                await seat.act(self._dice)

    async def many_drills(self, client: Client) -> None:
        """Request many questions of drills at a time."""
        while True:
            # Otherwise a refusal could hide that this task is cancelled, and would leave the others behind.
            await asyncio.gather(*(self.drill(client) for _ in range(20)), return_exceptions=True)
            await asyncio.sleep(0.5)

    async def long_reviews(self, client: Client) -> None:
        """Have all deals of a long match judged."""
        if client is not self.attackers[0]:
            return
        table, _ = await self.finished(client, 60)
        while True:
            with suppress(Busy):
                await client.call("POST", f"/api/tables/{table}/review", {})
            await asyncio.sleep(2)

    async def silent_push(self, client: Client) -> None:
        """Let four tables wait for a guest whose ten push services accept connections and answer nothing."""
        async with Client(self.server, ATTACKER) as absent:
            for _ in range(10):
                browser = self.push.browser()
                browser.endpoint = f"{next(self._silent)}/{next(self._seeds)}"
                await absent.call("POST", "/api/notices/browsers", browser.subscription)
            for _ in range(4):
                await self.wait_for(client, absent)

    @property
    def _silent(self) -> Any:
        return itertools.cycle(self.silent)


@dataclass
class Attack:
    """An attack by each of some guests, and what the honest guest does meanwhile."""

    name: str
    by: Callable[[Stage, Client], Awaitable[None]]
    guests: int = GUESTS
    honest: tuple[Callable[[Stage, Times, float], Awaitable[None]], ...] = (Stage.play, Stage.practise)


ATTACKS = (
    Attack("repeated hints", Stage.repeat_hints),
    Attack("fresh hints", Stage.fresh_hints),
    Attack("drills", Stage.many_drills),
    Attack("long reviews", Stage.long_reviews, 1, (Stage.review,)),
)


PUSH = Attack("silent push", Stage.silent_push, 10)


@dataclass
class Figures:
    """What the honest guest waited for, without an attack and with one."""

    attack: str
    alone: Times
    attacked: Times
    refused: Counter[str]

    def ratios(self, kind: str) -> tuple[float, float]:
        """Return how many times longer the median and the 95th percentile are with the attack."""
        if not self.alone[kind] or not self.attacked[kind]:
            return float("inf"), float("inf")
        return (
            statistics.median(self.attacked[kind]) / statistics.median(self.alone[kind]),
            p95(self.attacked[kind]) / p95(self.alone[kind]),
        )

    def rows(self) -> list[str]:
        """Return a line for each kind of waiting."""
        rows = []
        for kind in self.alone:
            middle, late = self.ratios(kind)
            one, two = self.alone[kind], self.attacked[kind]
            rows.append(
                f"{self.attack:<15} {kind:<7} alone {_shown(one)}, attacked {_shown(two)}: "
                f"median x {middle:.2f}, p95 x {late:.2f}"
            )
        return rows + [f"{self.attack:<15} refused {count} x {what}" for what, count in self.refused.items()]


def p95(times: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]


def _shown(times: list[float]) -> str:
    return f"{statistics.median(times):.2f}/{p95(times):.2f} s ({len(times)})" if times else "none"


async def run(stage: Stage, attack: Attack, slices: int, seconds: float) -> Figures:
    """Measure slices without the attack and slices with it, in turn."""
    times: tuple[Times, Times] = defaultdict(list), defaultdict(list)
    if Stage.review in attack.honest:
        stage.played, _ = await stage.finished(stage.honest, 20)
    for _ in range(slices):
        await _slice(stage, attack, times[0], seconds)
        attackers = [asyncio.ensure_future(attack.by(stage, one)) for one in stage.attackers[: attack.guests]]
        await asyncio.sleep(min(3.0, seconds))
        await _slice(stage, attack, times[1], seconds)
        for error in await end(attackers):
            stage.refused[f"an attacker whose connection ended: {error}"[:60]] += 1
    found = Figures(attack.name, *times, stage.refused.copy())
    stage.refused.clear()
    return found


async def end(tasks: Sequence[asyncio.Task[None]]) -> list[BaseException]:
    """Cancel tasks until all have ended; return the errors of those that had failed before.

    A task that suppresses a cancellation together with other errors is cancelled again.
    """
    failed = [error for task in tasks if task.done() and (error := task.exception()) is not None]
    while left := [task for task in tasks if not task.done()]:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=1.0)
    return failed


async def _slice(stage: Stage, attack: Attack, times: Times, seconds: float) -> None:
    until = time.monotonic() + seconds
    await asyncio.gather(*(each(stage, times, until) for each in attack.honest))


async def run_push(stage: Stage, attacked_guests: int = 10, notices: int = 6) -> Figures:
    """Measure notices before and during an attack with silent push services."""
    times: tuple[Times, Times] = defaultdict(list), defaultdict(list)
    await asyncio.gather(*(stage.notice(times[0]) for _ in range(notices)))
    await asyncio.gather(*(stage.silent_push(one) for one in stage.attackers[:attacked_guests]))
    await asyncio.sleep(GRACE_S)
    await asyncio.gather(*(stage.notice(times[1]) for _ in range(notices)))
    return Figures("silent push", *times, Counter())


async def attacks(slices: int, seconds: float, only: Sequence[str]) -> list[str]:
    """Run attacks, each on a server of its own, and print the figures; return what is wrong with them."""
    wrong: list[str] = []
    for attack in (*ATTACKS, PUSH):
        if only and attack.name not in only:
            continue
        with tempfile.TemporaryDirectory() as folder, PushService() as push:
            server = LiveServer(Path(folder) / "data", *FLAGS)
            async with AsyncExitStack() as stack:
                await asyncio.to_thread(server.start)
                stack.push_async_callback(asyncio.to_thread, server.end)
                honest = await stack.enter_async_context(Client(server, HONEST))
                others = [await stack.enter_async_context(Client(server, ATTACKER)) for _ in range(GUESTS)]
                stage = Stage(server, honest, others, push)
                for _ in range(10):
                    silent = await asyncio.start_server(_keep_silent, "127.0.0.1", 0)
                    stack.callback(silent.close)
                    stage.silent.append(f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}")
                measured = run_push(stage) if attack is PUSH else run(stage, attack, slices, seconds)
                figures = await measured
                print("\n".join(figures.rows()), flush=True)
                wrong += too_slow(figures)
    return wrong


def run_attacks(slices: int, seconds: float, only: Sequence[str] = ()) -> list[str]:
    """Run these attacks, by default all; return what is wrong."""
    return asyncio.run(attacks(slices, seconds, only))


async def _keep_silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(_PATIENCE)
    writer.close()


def too_slow(figures: Figures) -> list[str]:
    """Return what exceeds `MOST_RATIO`, or was refused."""
    return [
        row
        for kind, row in zip(figures.alone, figures.rows(), strict=False)
        if max(figures.ratios(kind)) > MOST_RATIO
    ] + [f"{figures.attack}: the honest guest was refused: {what}" for what in figures.refused]


def main() -> int:
    """Run the attacks and print the figures."""
    import argparse  # noqa: PLC0415 - only as a command

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--slices", type=int, default=3, help="slices without and with each attack")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each slice")
    parser.add_argument("--only", action="append", default=[], help="an attack by its name, several times")
    given = parser.parse_args()

    return 1 if run_attacks(given.slices, given.seconds, given.only) else 0


if __name__ == "__main__":
    raise SystemExit(main())
