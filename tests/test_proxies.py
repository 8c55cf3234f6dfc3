"""The proxies of docs/deployment, each started with its file except for addresses and certificates."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from rum500.cli._proxy_checks import check_proxy
from rum500.store import SECRET
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer
from tests.support.waiting import until
from tests.test_nodes import FLAGS, is_over, joined, may_play, new_table

DEPLOYMENT = Path(__file__).parent.parent / "docs" / "deployment"
SEARCHED = os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin"
PROXIES = ["nginx", "haproxy", "caddy"]


class Front(LiveServer):
    """The address of a proxy, for guests."""

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"


def installed(name: str) -> str:
    """The path of a program; without it the test is skipped, or fails where programs are required."""
    found = shutil.which(name, path=SEARCHED)
    if found is None:
        said = f"NOT TRIED BEHIND A PROXY: {name} is not installed"
        (pytest.fail if os.environ.get("RUM500_REQUIRE_PROXIES") else pytest.skip)(said)
    return found


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a certificate that this process trusts, its key, and both in one file."""
    installed("openssl")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += (
        " -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout privkey.pem -out fullchain.pem"
    )
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    chain, key = tmp_path / "fullchain.pem", tmp_path / "privkey.pem"
    (tmp_path / "both.pem").write_bytes(chain.read_bytes() + key.read_bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    return tmp_path


def changed(file: str, *changes: tuple[str, str]) -> str:
    """A documented file with these changes, each of which must find its place."""
    text = (DEPLOYMENT / file).read_text()
    for old, new in changes:
        assert old in text, f"{file}: no {old}"
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, servers: Sequence[int], certificate: Path) -> list[str]:
    line = "    server 127.0.0.1:8500 max_fails=1 fail_timeout=2s;"
    site = changed(
        "nginx.conf",
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("/etc/letsencrypt/live/cards.example.org", str(certificate)),
        ("cards.example.org", "localhost"),
        ("* 00;", "* 01;"),
        (line, "\n".join(line.replace("8500", str(each)) for each in servers)),
    )
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "site").write_text(site)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; events {{}}\n"
        f"http {{ access_log off; {paths} include {folder}/site; }}"
    )
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


def haproxy(folder: Path, port: int, servers: Sequence[int], certificate: Path) -> list[str]:
    lines = [
        f"    server {name} 127.0.0.1:{each}" for name, each in zip(("one", "two"), servers, strict=False)
    ]
    text = changed(
        "haproxy.cfg",
        ("    user haproxy\n    group haproxy\n", ""),
        ("bind :80\n", f"bind 127.0.0.1:{free_port()}\n"),
        ("bind :443 ", f"bind 127.0.0.1:{port} "),
        ("/etc/haproxy/cards.example.org.pem", str(certificate / "both.pem")),
        ("    server one 127.0.0.1:8500", "\n".join(lines)),
    )
    (folder / "haproxy.cfg").write_text(text)
    return ["-db", "-f", str(folder / "haproxy.cfg")]


def caddy(folder: Path, port: int, servers: Sequence[int], certificate: Path) -> list[str]:
    keys = f"{certificate}/fullchain.pem {certificate}/privkey.pem"
    site = changed(
        "Caddyfile",
        ("\ncards.example.org {", f"\nhttps://localhost:{port} {{\n    tls {keys}\n    bind 127.0.0.1"),
        ("127.0.0.1:8500", " ".join(f"127.0.0.1:{each}" for each in servers)),
    )
    (folder / "Caddyfile").write_text("{\n    admin off\n    auto_https disable_redirects\n}\n" + site)
    return ["run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def running(name: str, folder: Path, servers: Sequence[LiveServer], port: int) -> Iterator[Front]:
    """A proxy in front of these servers, once it passes requests on."""
    program = installed(name)
    place = folder / "proxy"
    place.mkdir()
    ports = [server.port for server in servers]
    words = {"nginx": nginx, "haproxy": haproxy, "caddy": caddy}[name](place, port, ports, folder)
    with (place / "output").open("w") as output:
        process = subprocess.Popen([program, *words], stdout=output, stderr=output, env={"HOME": str(place)})
    try:

        def answers() -> bool:
            assert process.poll() is None, (place / "output").read_text()
            return any(one.text.startswith("the server knows") for one in check_proxy(front.url))

        front = Front(place, port=port)
        until(answers)
        yield front
    finally:
        process.terminate()
        process.wait()


def started(folder: Path, public: str, *flags: str, port: int = 0) -> LiveServer:
    own = ("--trusted-proxies", "127.0.0.1", "--public-url", public)
    return LiveServer(folder, *own, *FLAGS, *flags, port=port).start()


@pytest.mark.parametrize("name", PROXIES)
def test_doctor_approves_of_a_documented_proxy(name: str, certificate: Path) -> None:
    port = free_port()
    with ExitStack() as stack:
        server = started(certificate / "data", f"https://localhost:{port}")
        stack.callback(server.end)
        front = stack.enter_context(running(name, certificate, [server], port))
        found = list(check_proxy(front.url))
        guest = Guest(front, "Ada")
        with joined(guest, new_table(guest)) as seat:
            play_on([seat], may_play, seed=1)
    assert {one.grade for one in found} == {"ok"}, found
    assert f"the server knows that visitors ask for localhost:{port}" in {one.text for one in found}


@pytest.mark.whole
@pytest.mark.parametrize("name", PROXIES)
def test_table_behind_a_proxy_survives_its_server(
    name: str, postgres_server: PostgresServer, certificate: Path
) -> None:
    database, front_port = postgres_server.new_database(), free_port()
    servers: list[LiveServer] = []
    with ExitStack() as stack:
        for number in (1, 2):
            port, data = free_port(), certificate / str(number)
            data.mkdir()
            if servers:
                shutil.copy(servers[0].data / SECRET, data / SECRET)
            own = ("--db", database, "--node-url", f"http://127.0.0.1:{port}", "--log-level", "debug")
            servers.append(started(data, f"https://localhost:{front_port}", *own, port=port))
            stack.callback(servers[-1].end)
        front = stack.enter_context(running(name, certificate, servers, front_port))
        guest = Guest(front, "Ada")
        tables = [new_table(guest) for _ in range(4)]
        for table in tables:
            with joined(guest, table) as seat:
                play_on([seat], may_play, seed=1)
        servers[0].kill()
        for table in tables:
            with joined(guest, table) as seat:
                play_on([seat], is_over, seed=1)
        # Here nginx names the trace of every connection.
        assert any("trace.move" in server.log for server in servers) == (name == "nginx")
