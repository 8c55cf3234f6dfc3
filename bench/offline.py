"""Measure play without a network in Chromium: the pack, the start from the cache, plays, and memory.

    python bench/offline.py [--starts 5] [--plays 100]

The pack must be built (`make offline`). A page fetches it from a server, which is then killed; everything
after that is done in the browser. A play lasts from the click until the table shows the next state.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from tests.support.live_server import LiveServer
from tests.support.players import Mouse
from tests.support.table_page import TablePage
from tests.support.waiting import PATIENCE
from tools import chromium, offline_pack

_TIMED = """() => {
  const table = document.querySelector('[data-testid=table]');
  window.waits = [];
  let clicked = 0;
  addEventListener('click', () => (clicked = performance.now()), true);
  new MutationObserver(() => {
    if (clicked) window.waits.push(performance.now() - clicked);
    clicked = 0;
  }).observe(table, { attributeFilter: ['data-number'] });
}"""

_KEPT = """() => {
  const kept = (globalThis.memories = new Set());
  const keep = (parts) => {
    for (const part of Object.values(parts)) if (part instanceof WebAssembly.Memory) kept.add(part);
  };
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const real = WebAssembly[name];
    WebAssembly[name] = async (source, imports = {}) => {
      const found = await real(source, imports);
      Object.values(imports).forEach(keep);
      keep((found.instance ?? found).exports);
      return found;
    };
  }
}"""
"""Keeps the WebAssembly memories of a worker that begins; a heap's usage does not contain them."""

_USAGE = "HeapProfiler.collectGarbage", "Runtime.getHeapUsage"
"""The methods that return the memory of a page or a worker, in the order of the calls."""

_BYTES = "() => [...memories].reduce((sum, one) => sum + one.buffer.byteLength, 0)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--starts", type=int, default=5, help="how often the page is opened without a network"
    )
    parser.add_argument("--plays", type=int, default=100, help="the least number of plays that are measured")
    options = parser.parse_args()
    if not offline_pack.current():
        sys.exit("the pack is not of these sources: make offline")
    found = chromium.find()
    if found is None:
        sys.exit(chromium.missing())
    pack = json.loads(offline_pack.LIST.read_text())
    expect.set_options(timeout=1000 * PATIENCE)
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveServer(Path(folder) / "data", "--no-limits", "--bot-pause-ms", "0") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=list(chromium.FLAGS))
        page = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
        page.on("worker", lambda worker: worker.evaluate(_KEPT))
        print(f"Chromium {browser.version}, {os.cpu_count()} processors, {_load()}")
        print(f"pack: {pack['sent'] / 1e6:.2f} MB sent, {pack['bytes'] / 1e6:.1f} MB stored")
        opened = TablePage(page, server.url)
        print(f"fetched and stored: {_fetch(opened):.1f} s")
        server.kill()
        page.context.set_offline(True)
        starts = [_start(opened) for _ in range(options.starts)]
        print(f"ready from the cache: median {statistics.median(starts):.1f} s, most {max(starts):.1f} s")
        waits = _play(opened, options.plays)
        cuts = statistics.quantiles(waits, n=20)
        print(f"{len(waits)} plays: median {statistics.median(waits):.0f} ms, p95 {cuts[-1]:.0f} ms")
        print(", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in _memory(page).items()))
        print(_load())
        browser.close()


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"


def _fetch(opened: TablePage) -> float:
    """Fetch the pack; return the seconds."""
    page = opened.page
    opened.open("/settings")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    before = time.monotonic()
    page.get_by_role("button", name="Play without a network").click()
    expect(page.get_by_text("Ready without a network")).to_be_visible()
    return time.monotonic() - before


def _start(opened: TablePage) -> float:
    """Open the lobby; return the seconds until a match can be begun."""
    before = time.monotonic()
    opened.open("/")
    expect(opened.page.get_by_role("combobox", name="Bots")).to_be_visible()
    return time.monotonic() - before


def _play(opened: TablePage, least: int) -> list[float]:
    """Play deals of two players until enough plays are measured; return the milliseconds of each."""
    page, waits = opened.page, list[float]()
    while len(waits) < least:
        opened.open("/")
        page.get_by_role("combobox", name="Players").select_option(label="2 players")
        page.get_by_role("combobox", name="Length").select_option(label="1 deal")
        page.get_by_role("button", name="Play 500 Rum").click()
        opened.state(live="live")
        page.evaluate(_TIMED)
        opened.whole_deal(Mouse(opened).turn)
        waits += page.evaluate("window.waits")
    return waits


def _memory(page: Page) -> dict[str, float]:
    """Return the bytes that scripts of the page and of the workers use, and the memory of WebAssembly."""
    session = page.context.new_cdp_session(page)
    *_, of_page = [session.send(method) for method in _USAGE]
    found = {"page": of_page, **_of_workers(page, session)}
    return {
        f"{name}: {part}": float(usage[key])
        for name, usage in found.items()
        for key, part in (("usedSize", "objects"), ("backingStorageSize", "buffers"), ("wasm", "WebAssembly"))
        if key in usage
    }


def _of_workers(page: Page, session: CDPSession) -> dict[str, dict[str, Any]]:
    """Return the heap of each worker, by messages through the page's session, and its WebAssembly memory."""
    answers: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}

    def attached(event: dict[str, Any]) -> None:
        worker = event["sessionId"]
        names[worker] = event["targetInfo"]["type"]
        for number, method in enumerate(_USAGE):
            message = json.dumps({"id": number, "method": method})
            session.send("Target.sendMessageToTarget", {"sessionId": worker, "message": message})

    def received(event: dict[str, Any]) -> None:
        message = json.loads(event["message"])
        if message.get("id") == 1:
            answers[names[event["sessionId"]]] = message["result"]

    session.on("Target.attachedToTarget", attached)
    session.on("Target.receivedMessageFromTarget", received)
    follow = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": False}
    session.send("Target.setAutoAttach", follow)
    while "worker" not in answers:
        page.wait_for_timeout(100)
    (worker,) = page.workers
    answers["worker"]["wasm"] = worker.evaluate(_BYTES)
    return answers


if __name__ == "__main__":
    main()
