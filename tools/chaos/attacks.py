"""How long an honest guest waits while another address attacks, as a ratio to the time without an attack.

The server is real and has its default limits; the clients' addresses come from X-Forwarded-For. Times with
and without the attack alternate, so that other work on the machine slows both equally.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rum500.server.push.turn_notices import GRACE_S
from tests.support.live_server import LiveServer
from tests.support.push_service import PushService
from tools.chaos.attackers import ATTACKS, BEGUN, begin
from tools.chaos.guest_client import PATIENCE, Busy, Client, wait_for

HONEST = "198.51.100.1"
THINK_S = 0.5
"""The seconds for which the honest guest thinks before each request."""
_REVIEW_PAUSE_S = 2.0
"""The seconds between two reviews: at most 30 a minute may be requested."""
MOST_RATIO = 2.0
"""The honest guest's median and 95th percentile may be this many times those without an attack."""
FLAGS = (
    *("--trusted-proxies", "127.0.0.1", "--push-networks", "127.0.0.0/8", "--bot-pause-ms", "0"),
    *("--review-budget", "64", "--log-level", "error"),
)


Times = dict[str, list[float]]


@dataclass
class Stage:
    """One server with its honest guest."""

    honest: Client
    push: PushService
    refused: Counter[str] = field(default_factory=Counter)
    played: str = ""
    """A table of the honest guest with finished deals."""
    _deals: Any = field(default_factory=lambda: itertools.count(1))
    _dice: random.Random = field(default_factory=lambda: random.Random(500))
    _seeds: Any = field(default_factory=lambda: itertools.count(1_000_000))

    async def timed(self, times: list[float], work: Awaitable[Any]) -> None:
        """Await `work` and add its seconds to `times`; count the work if the server refuses it."""
        began = time.monotonic()
        try:
            if await work is False:
                return
        except Busy as error:
            self.refused[str(error)[:60]] += 1
            return
        times.append(time.monotonic() - began)

    async def play(self, times: Times, until: float) -> None:
        """Play against `expert`, with a hint at each decision."""
        table = await self.honest.new_table(bots=[None, "expert"], hints="numbers", start=True, target=5000)
        async with self.honest.at(table) as seat:
            while time.monotonic() < until:
                if seat.decides:
                    await asyncio.sleep(THINK_S)
                    await self.timed(times["hint"], seat.hint())
                await seat.act(self._dice)
            times["bot"] += seat.bot_seconds

    async def practise(self, times: Times, until: float) -> None:
        """Request questions of a drill, one after the other."""
        while time.monotonic() < until:
            await self.timed(times["drill"], self.honest.drill(next(self._seeds)))
            await asyncio.sleep(THINK_S)

    async def review(self, times: Times, until: float) -> None:
        """Have deals judged, one after the other."""
        while time.monotonic() < until:
            await self.timed(times["review"], self._judged(self.played, next(self._deals)))
            await asyncio.sleep(_REVIEW_PAUSE_S)

    async def _judged(self, table: str, deal: int) -> None:
        path = f"/api/tables/{table}/deals/{deal}/review"
        review = await self.honest.call("POST", path, {})
        while not review["state"]["judged"] >= 5:
            await asyncio.sleep(0.1)
            review = await self.honest.call("GET", path)

    async def host(self, times: Times, until: float) -> None:
        """Keep a table in the lobby, and look for it on the lobby's first page."""
        table = await self.honest.new_table(private=False)
        async with self.honest.at(table):
            async with asyncio.timeout(PATIENCE):
                while not await self._lists(table):
                    await asyncio.sleep(0.05)
            while time.monotonic() < until:
                await self.timed(times["lobby"], self._must_list(table))
                await asyncio.sleep(THINK_S)

    async def _lists(self, table: str) -> bool:
        return any(row["id"] == table for row in await self.honest.call("GET", "/api/tables"))

    async def _must_list(self, table: str) -> None:
        if not await self._lists(table):
            raise Busy("the first page of the lobby does not list the honest table")

    async def be_notified(self, times: Times, until: float) -> None:
        """Be absent from three tables at the same time."""
        await asyncio.gather(*(self.notice(times) for _ in range(3)))
        await asyncio.sleep(until - time.monotonic())  # at most 20 tables a minute may be made

    async def notice(self, times: Times) -> None:
        """Have a table wait for an absent guest, and time the notice, without the server's usual delay."""
        browser = self.push.browser()
        async with Client(self.honest.url, HONEST) as absent:
            await absent.call("POST", "/api/notices/browsers", browser.subscription)
            await wait_for(self.honest, absent)
            began = time.monotonic()
            while not browser.got and time.monotonic() < began + PATIENCE:
                await asyncio.sleep(0.05)
            times["notice"].append(time.monotonic() - began - GRACE_S)


HONEST_WORK: dict[str, tuple[Callable[[Stage, Times, float], Awaitable[None]], ...]] = {
    "long reviews": (Stage.review,),
    "silent push": (Stage.be_notified,),
    "lobby": (Stage.host,),
}
"""What the honest guest does during an attack, if it is not playing and practising."""


@dataclass
class Figures:
    """How long the honest guest waited, without an attack and with one."""

    attack: str
    alone: Times
    attacked: Times
    refused: Counter[str]

    def ratios(self, kind: str) -> tuple[float, float]:
        """Return two ratios, with the attack to without: of the medians, and of the 95th percentiles."""
        if not self.alone[kind] or not self.attacked[kind]:
            return float("inf"), float("inf")
        return (
            statistics.median(self.attacked[kind]) / statistics.median(self.alone[kind]),
            p95(self.attacked[kind]) / p95(self.alone[kind]),
        )

    def rows(self) -> list[str]:
        """Return a line for each kind of request."""
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


@asynccontextmanager
async def attacked(stage: Stage, name: str) -> AsyncIterator[None]:
    """Keep the attackers at work while the block runs."""
    attackers = await begin(name, stage.honest.url)
    try:
        assert attackers.stdout is not None
        async with asyncio.timeout(PATIENCE):
            for _ in range(ATTACKS[name][1]):
                line = (await attackers.stdout.readline()).decode().strip()
                if line != BEGUN:
                    raise RuntimeError(f"{name}: {line or 'the attackers ended'}")
        yield
    finally:
        if attackers.returncode is None:
            attackers.kill()
        ended, _ = await attackers.communicate()
        stage.refused.update(ended.decode().splitlines())


async def run(stage: Stage, name: str, slices: int, seconds: float) -> Figures:
    """Measure without the attack and with it, in turn."""
    times: tuple[Times, Times] = defaultdict(list), defaultdict(list)
    work = HONEST_WORK.get(name, (Stage.play, Stage.practise))
    if Stage.review in work:
        stage.played = await stage.honest.finished(2 * slices * (int(seconds / _REVIEW_PAUSE_S) + 1))
    for _ in range(slices):
        await _slice(stage, work, times[0], seconds)
        async with attacked(stage, name):
            await _slice(stage, work, times[1], seconds)
    return Figures(name, *times, stage.refused)


async def _slice(
    stage: Stage,
    work: Sequence[Callable[[Stage, Times, float], Awaitable[None]]],
    times: Times,
    seconds: float,
) -> None:
    until = time.monotonic() + seconds
    await asyncio.gather(*(each(stage, times, until) for each in work))


async def attacks(slices: int, seconds: float, only: Sequence[str]) -> list[str]:
    """Run attacks, each on a separate server, and print the figures; return what is wrong."""
    wrong: list[str] = []
    for name in only or ATTACKS:
        with tempfile.TemporaryDirectory() as folder, PushService() as push:
            server = LiveServer(Path(folder) / "data", *FLAGS)
            async with AsyncExitStack() as stack:
                await asyncio.to_thread(server.start)
                stack.push_async_callback(asyncio.to_thread, server.end)
                honest = await stack.enter_async_context(Client(server.url, HONEST))
                figures = await run(Stage(honest, push), name, slices, seconds)
                print("\n".join(figures.rows()), flush=True)
                wrong += too_slow(figures)
    return wrong


def too_slow(figures: Figures) -> list[str]:
    """Return the times that exceed `MOST_RATIO`, and the requests that were refused."""
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

    return 1 if asyncio.run(attacks(given.slices, given.seconds, given.only)) else 0


if __name__ == "__main__":
    raise SystemExit(main())
