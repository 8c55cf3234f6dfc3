"""Play a match on a local server as in a browser: without libraries of servers, and without threads.

`tests/test_local.py` runs it as a script.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

BLOCKED = (
    "alembic", "anyio", "cryptography", "fsrs", "h11", "httptools", "itsdangerous", "numpy",
    "prometheus_client", "psycopg", "pywebpush", "segno", "sqlalchemy", "starlette", "uvicorn", "uvloop",
    "websockets",
)  # fmt: skip


class Blocker:
    """Makes packages impossible to import."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if name.partition(".")[0] in BLOCKED:
            raise ImportError(f"{name} is not installed here")


class BrowserLoop(asyncio.SelectorEventLoop):
    """An event loop with the limits of Pyodide's."""

    def run_in_executor(
        self, _executor: object, call: Callable[..., Any], *parts: Any
    ) -> asyncio.Future[Any]:  # type: ignore[override]
        future = self.create_future()
        try:
            future.set_result(call(*parts))
        except Exception as error:  # noqa: BLE001 - it is passed on
            future.set_exception(error)
        return future

    def call_at(self, when: float, *parts: Any, **more: Any) -> asyncio.TimerHandle:
        if when < self.time() - 0.05:
            raise ValueError("this moment has passed")
        return super().call_at(when, *parts, **more)


def _no_thread(*_: object) -> None:
    raise RuntimeError("no thread can be started here")


async def play() -> None:
    import rum500
    from rum500.local import LocalServer
    from rum500.local.executor import local_levels
    from rum500.rng import Rng
    from rum500.server.config import Config
    from rum500.server.thinking.executor import choice
    from tests.support.key_values import Memory
    from tests.support.local_page import Page, call, new_table

    data = Memory()
    server = await LocalServer.open(data, Config(limits=False, bot_pause_ms=0))
    table = await new_table(server, bots=[None, "club", "casual"], players=3, target=50)
    page = await Page().join(server, table)
    while page.facts["status"] != "over":
        await page.decide()
    await server.close()

    server = await LocalServer.open(data)
    history = await call(server, "GET", "/api/history")
    assert [row["table"] for row in history["rows"]] == [table]
    assert (await call(server, "GET", f"/api/tables/{table}/deals/1"))["frames"]
    assert b"500-rum" in await call(server, "GET", f"/api/tables/{table}/record.rum500")
    assert table.encode() in await call(server, "GET", "/api/history.csv")
    names = zipfile.ZipFile(BytesIO(await call(server, "GET", "/api/history.zip"))).namelist()
    assert len(names) == 1
    again = await call(server, "POST", f"/api/tables/{table}/deals/1/try", {"frame": 0})
    assert again["id"] != table
    assert await call(server, "GET", "/api/rules/rummy-500")
    await server.close()
    state = rum500.deal(rum500.ruleset("500-rum"), players=2, seed=3)
    for level in local_levels():
        assert choice(level, state.view(state.actor), Rng(1)) in state.legal_ints()
    outside = {name.partition(".")[0] for name in sys.modules} & set(BLOCKED)
    assert not outside, outside
    print("played")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    sys.meta_path.insert(0, Blocker())  # type: ignore[arg-type]
    threading.Thread.start = _no_thread  # type: ignore[method-assign]
    del time.thread_time
    with asyncio.Runner(loop_factory=BrowserLoop) as runner:
        runner.run(play())
