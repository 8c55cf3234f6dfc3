"""The proxies of docs/hosting.md in front of two servers: each is started as the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rum500.store import SECRET
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer
from tests.support.waiting import until
from tests.test_nodes import FLAGS, is_over, joined, may_play, new_table

pytestmark = pytest.mark.whole

HOSTING = (Path(__file__).parent.parent / "docs" / "hosting.md").read_text()


def documented(name: str, one: int, two: int) -> str:
    """The configuration of a proxy on the page, with these ports of this machine."""
    text = re.search(rf"```text\n# {name}\n(.*?)```", HOSTING, re.DOTALL)
    assert text is not None
    return text[1].replace("10.0.0.11:8500", f"127.0.0.1:{one}").replace("10.0.0.12:8500", f"127.0.0.1:{two}")


def location() -> str:
    """What the page says about nginx and one server."""
    text = re.search(r"(    location / \{.*?\n    \})", HOSTING, re.DOTALL)
    assert text is not None
    return text[1].replace("http://127.0.0.1:8500", "http://rum500")


def nginx(folder: Path, port: int, servers: str) -> list[str]:
    upgrade = 'map $http_upgrade $connection_upgrade { default upgrade; "" close; }'
    assert upgrade in HOSTING
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    traces = re.search(
        r"```text\n# nginx: traces\n(.*?)```.*?`(proxy_set_header traceparent [^`]*)`", HOSTING, re.DOTALL
    )
    assert traces is not None
    every_one = traces[2].replace("$sampled", "01")
    traced = location().replace("proxy_pass", f"{every_one}\n        proxy_pass", 1)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}\n"
        f"http {{ access_log off; {paths} {upgrade}\n{servers}\n{traces[1]}\n"
        f"server {{ listen 127.0.0.1:{port};\n{traced}\n}} }}"
    )
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


def haproxy(folder: Path, port: int, servers: str) -> list[str]:
    times = "defaults\n mode http\n timeout connect 2s\n timeout client 90s\n timeout server 90s\n"
    (folder / "haproxy.cfg").write_text(times + servers.replace("bind :8080", f"bind 127.0.0.1:{port}"))
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def caddy(folder: Path, port: int, servers: str) -> list[str]:
    site = servers.replace("cards.example.org", f"http://127.0.0.1:{port}")
    (folder / "Caddyfile").write_text("{\n admin off\n}\n" + site)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.mark.parametrize("proxy", [nginx, haproxy, caddy], ids=lambda it: it.__name__)
def test_table_behind_a_proxy_survives_its_server(
    proxy: Callable[[Path, int, str], list[str]], postgres_server: PostgresServer, tmp_path: Path
) -> None:
    name = proxy.__name__
    if shutil.which(name) is None:
        pytest.skip(f"NOT TRIED BEHIND {name.upper()}: it is not installed")
    url, servers = postgres_server.new_database(), []
    front = LiveServer(tmp_path / "front", port=free_port())
    for number in (1, 2):
        port, data = free_port(), tmp_path / str(number)
        data.mkdir()
        if servers:
            shutil.copy(servers[0].data / SECRET, data / SECRET)
        own = ("--db", url, "--node-url", f"http://127.0.0.1:{port}", "--trusted-proxies", "127.0.0.1")
        public = ("--public-url", front.url)
        servers.append(LiveServer(data, *own, *public, *FLAGS, "--log-level", "debug", port=port).start())
    folder = tmp_path / "proxy"
    folder.mkdir()
    command = proxy(folder, front.port, documented(name, *(server.port for server in servers)))
    environment = {"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin"}
    with (folder / "output").open("w") as output:
        running = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    try:
        guests: list[Guest] = []

        def comes_in() -> bool:
            assert running.poll() is None, (folder / "output").read_text()
            try:
                guests.append(Guest(front, "Ada"))
            except OSError:
                return False
            return True

        until(comes_in)
        guest = guests[0]
        tables = [new_table(guest) for _ in range(4)]
        for table in tables:
            with joined(guest, table) as seat:
                play_on([seat], may_play, seed=1)
        servers[0].kill()
        for table in tables:
            with joined(guest, table) as seat:
                play_on([seat], is_over, seed=1)
        # What the page says about nginx names every connection's trace here.
        assert any("trace.move" in server.log for server in servers) == (proxy is nginx)
    finally:
        running.terminate()
        running.wait()
        for server in servers:
            server.end()
