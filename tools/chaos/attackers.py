"""The guests who attack a server: `python -m tools.chaos.attackers "fresh hints" http://127.0.0.1:8500`.

They run in a process of their own, so that their work does not delay the honest guest's client. Each prints a
line when its attack has begun, and another if the server ends it.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress

from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.push_service import Browser
from tools.chaos.guest_client import PATIENCE, Busy, Client, wait_for

ADDRESS = f"198.51.100.{random.randrange(64, 255)}"
"""The address of all attackers of this process. The limits of one attack must not end the next."""
BEGUN = "begun"
"""The line that each attacker prints when its attack has begun."""
_TABLES_A_MINUTE = 20
_seeds = itertools.count(1)


async def repeat_hints(client: Client, begun: Callable[[], None]) -> None:
    """Repeat the request for one hint; connect again when the server ends the connection."""
    dice = random.Random(500)
    table = await client.new_table(bots=[None, "greedy"], hints="numbers", start=True, target=5000)
    while True:
        with suppress(ConnectionClosed, ConnectionResetError, InvalidStatus):
            async with client.at(table) as seat:
                while not (seat.decides and await seat.hint()):
                    await seat.act(dice)
                begun()
                while True:
                    await asyncio.gather(*(seat.say("ask", about="hint", depth="numbers") for _ in range(8)))
        await asyncio.sleep(0.1)


async def fresh_hints(client: Client, begun: Callable[[], None]) -> None:
    """Ask for a hint at each decision, against the slowest bot."""
    dice = random.Random(500)
    table = await client.new_table(bots=[None, "expert"], hints="numbers", start=True, target=5000)
    async with client.at(table) as seat:
        begun()
        while True:
            if seat.decides:
                await seat.hint()
            await seat.act(dice)


async def many_drills(client: Client, begun: Callable[[], None]) -> None:
    """Request many questions of drills at the same time."""
    begun()
    while True:
        await asyncio.gather(*(client.drill(next(_seeds)) for _ in range(20)), return_exceptions=True)
        await asyncio.sleep(0.5)


async def long_reviews(client: Client, begun: Callable[[], None]) -> None:
    """Have all deals of a match judged, again and again."""
    table = await client.finished(8)
    begun()
    while True:
        with suppress(Busy):
            await client.call("POST", f"/api/tables/{table}/review", {})
        await asyncio.sleep(2)


async def silent_push(client: Client, begun: Callable[[], None]) -> None:
    """Let four tables wait for a guest whose ten push services accept connections and answer nothing."""
    async with Client(client.url, ADDRESS) as absent, AsyncExitStack() as stack:
        for _ in range(10):
            silent = await stack.enter_async_context(await asyncio.start_server(_keep_silent, "127.0.0.1", 0))
            host, port = silent.sockets[0].getsockname()
            browser = Browser(f"http://{host}:{port}/{next(_seeds)}", "", {})
            await absent.call("POST", "/api/notices/browsers", browser.subscription)
        for _ in range(4):
            await wait_for(client, absent)
        begun()
        await asyncio.Event().wait()


async def many_exports(client: Client, begun: Callable[[], None]) -> None:
    """Request the record and the replay of a match, and the whole history, all three at the same time."""
    table = await client.finished(3)
    paths = (f"/api/tables/{table}/record.rum500", f"/api/tables/{table}/deals/3", "/api/history.zip")
    begun()
    while True:
        await asyncio.gather(*(client.http.get(path) for path in 3 * paths), return_exceptions=True)
        await asyncio.sleep(0.5)


async def crowd_lobby(client: Client, begun: Callable[[], None]) -> None:
    """Make as many public tables as a guest may, and stay at each of them, so that the lobby lists them."""
    async with AsyncExitStack() as stack:
        while True:
            with suppress(Busy):
                for _ in range(_TABLES_A_MINUTE):
                    await stack.enter_async_context(client.at(await client.new_table(private=False)))
            begun()
            await asyncio.sleep(60)


async def _keep_silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(PATIENCE)
    writer.close()


ATTACKS: dict[str, tuple[Callable[[Client, Callable[[], None]], Awaitable[None]], int]] = {
    "repeated hints": (repeat_hints, 12),
    "fresh hints": (fresh_hints, 12),
    "drills": (many_drills, 12),
    "long reviews": (long_reviews, 6),
    "silent push": (silent_push, 10),
    "exports": (many_exports, 6),
    "lobby": (crowd_lobby, 5),
}
"""The attacks by name, each with its number of guests, who share one address."""


async def begin(name: str, url: str, guests: int = 0) -> asyncio.subprocess.Process:
    """Start the process of an attack on a server, by default with the attack's own number of guests."""
    command = (sys.executable, "-m", __name__, name, url, str(guests))
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=nothing if guests else None)


async def attack(name: str, url: str, count: str) -> None:
    """Attack this server until the process ends, or until every attacker has lost the server."""
    by, guests = ATTACKS[name]

    async def one() -> None:
        said: list[str] = []

        def begun() -> None:
            if not said:
                said.append(BEGUN)
                print(BEGUN, flush=True)

        try:
            async with Client(url, ADDRESS) as client:
                await by(client, begun)
        except (Busy, ConnectionClosed, ConnectionResetError, InvalidStatus) as error:
            print(f"an attacker ended: {error}"[:80], flush=True)

    await asyncio.gather(*(one() for _ in range(int(count) or guests)))


if __name__ == "__main__":
    asyncio.run(attack(*sys.argv[1:4]))
