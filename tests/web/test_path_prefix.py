"""The site below a path of a host, behind nginx, which removes the path from requests or does not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from rum500.cli._proxy_checks import check_proxy
from rum500.cli._seat_player import socket_of
from tests.support.live_server import Guest, LiveServer
from tests.support.ports import free_port
from tests.support.waiting import until
from tests.web.conftest import FLAGS

DOCUMENTED = Path(__file__).parents[2] / "docs" / "deployment" / "nginx-path.conf"
SITE = """daemon off; pid {folder}/pid; events {{}}
http {{
    access_log off; {paths}
    server {{
        listen 127.0.0.1:{port};
        location / {{ return 200 "another site"; }}
        include {folder}/path.conf;
    }}
}}
"""
#: A browser opens a window only when a person presses; the addresses that the worker asks for are noted.
_PRESS = """async (tag) => {
    const opened = [], press = new Event('notificationclick')
    self.clients.openWindow = async (path) => opened.push(path)
    self.clients.matchAll = async () => []
    await new Promise((resolve) => {
        Object.assign(press, { notification: { tag, close() {} }, waitUntil: resolve })
        self.dispatchEvent(press)
    })
    return opened
}"""


class Site(NamedTuple):
    """What visitors see of a server behind nginx."""

    url: str
    server: LiveServer


@contextmanager
def below(path: str, folder: Path, *, stripped: bool) -> Iterator[Site]:
    """A server below a path of nginx's."""
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if nginx is None:
        assert not os.environ.get("RUM500_REQUIRE_PROXIES"), "nginx is required and not installed"
        pytest.skip("NOT TRIED BEHIND NGINX: it is not installed")
    url = f"http://127.0.0.1:{free_port()}"
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    with LiveServer(
        folder / "data", *FLAGS, "--public-url", url + path, "--trusted-proxies", "127.0.0.1"
    ) as server:
        place = DOCUMENTED.read_text().replace(":8500;", f":{server.port}{'/' if stripped else ''};")
        (folder / "path.conf").write_text(place)
        text = SITE.format(folder=folder, paths=paths, port=urlsplit(url).port)
        (folder / "nginx.conf").write_text(text)
        command = [nginx, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "log"]
        with subprocess.Popen(command) as process:
            try:
                until(lambda: answers(url))
                yield Site(url, server)
            finally:
                process.terminate()


def answers(url: str) -> bool:
    """Whether a server answers there."""
    try:
        with urlopen(url):
            return True
    except OSError:
        return False


@pytest.mark.parametrize("stripped", [True, False], ids=["path removed", "path kept"])
def test_site_below_a_path(stripped: bool, tmp_path: Path, new_page) -> None:
    with below("/cards", tmp_path, stripped=stripped) as site:
        ada = Guest(site.server, "Ada")
        table = ada.new_table()
        page = new_page(ada, at=site, service_worker=True)
        asked: list[str] = []
        page.page.on("request", lambda request: asked.append(request.url))
        page.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
        page.open("/cards")
        expect(page.page).to_have_url(f"{site.url}/cards/")
        page.page.locator("a[href='/cards/history'], a[href='/cards/about']").first.wait_for()
        paths = page.page.evaluate("[...document.querySelectorAll('a')].map(it => it.pathname)")
        assert len(paths) > 5 and all(path.startswith("/cards/") for path in paths), paths
        scope = page.page.evaluate("navigator.serviceWorker.ready.then(it => it.scope)")
        assert scope == f"{site.url}/cards/"
        stored = "(async () => (await (await caches.match('/cards/'))?.text())?.includes('/cards/assets/'))()"
        until(lambda: page.page.evaluate(stored))
        manifest = page.page.evaluate(
            "fetch(document.querySelector('[rel=manifest]').href).then(it => it.json())"
        )
        assert {manifest["scope"], manifest["start_url"]} == {"."}

        page.page.get_by_role("link", name="About").last.click()
        expect(page.page).to_have_url(f"{site.url}/cards/about")
        page.page.reload()
        expect(page.page.get_by_role("heading", level=1)).not_to_have_text("There is no such page")
        page.page.go_back()
        expect(page.page).to_have_url(f"{site.url}/cards/")

        page.open(f"/cards/t/{table}")
        page.state(live="live")
        expect(page.page.locator("#table-link")).to_have_value(f"{site.url}/cards/t/{table}")
        expect(page.page.locator(f"img[src='/cards/api/tables/{table}/qr.svg']")).to_be_visible()
        assert [
            url for url in asked if url.startswith("http") and not url.startswith(f"{site.url}/cards")
        ] == []
        assert f"http://{urlsplit(site.url).netloc}/cards/ws/{table}" in asked

        (worker,) = page.page.context.service_workers
        assert worker.evaluate(_PRESS, table) == [f"/cards/t/{table}"]


def test_cookie_and_early_files_are_below_the_path(tmp_path: Path) -> None:
    with below("/cards", tmp_path, stripped=True) as site, urlopen(f"{site.url}/cards/") as answer:
        assert re.search(r"; Path=/cards/;", answer.headers["Set-Cookie"] or "") or answer.headers["Link"]
        links = re.findall(r"<([^>]+)>", answer.headers["Link"])
        assert links and all(link.startswith("/cards/assets/") for link in links)
        assert [check for check in check_proxy(f"{site.url}/cards") if check.grade == "bad"] == []
    assert socket_of(f"{site.url}/cards/t/abc") == f"ws://{urlsplit(site.url).netloc}/cards/ws/abc"
