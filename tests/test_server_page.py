"""The page and the figures of a server: files, security headers, health."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.security import POLICY
from rum500.store import StoreError
from tests.support.serving import HTML, Running, write_page
from tests.support.storing import file_system, may_mount


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("http") / "data"
    write_page(data)
    with Running(data) as running:
        yield running


# --- the page -----------------------------------------------------------------------------------------


def test_the_page_is_served_at_all_its_addresses(server: Running) -> None:
    with server.client(headers=HTML) as client:
        for path in (
            "/",
            "/new",
            "/t/abc",
            "/t/abc/deal/2",
            "/rules",
            "/rules/500-rum",
            "/guide",
            "/settings",
            "/tips",
            "/about",
        ):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (
                200,
                "text/html; charset=utf-8",
            ), path
            assert answer.headers["cache-control"] == "private, no-cache"
        lost = client.get("/nowhere")
        assert (lost.status_code, lost.text) == (404, client.get("/about").text)
        for path in (
            "/assets/none.js",
            "/api/none",
            "/ws/none",
            "/../pyproject.toml",
            "/secret.key",
            "/%2e%2e/x.py",
        ):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "request.path"), path
        assert client.request("POST", "/").status_code == 405


def test_a_file_that_is_there_only_compressed_is_served_to_all(tmp_path: Path) -> None:
    """As in an installed package."""
    write_page(tmp_path / "data")
    script = tmp_path / "data" / "page" / "assets" / "app-1a2b.js"
    content = script.read_bytes()
    script.unlink()
    with Running(tmp_path / "data") as running, running.client() as client:
        plain = client.get("/assets/app-1a2b.js", headers={"accept-encoding": "identity"})
        assert plain.content == content
        assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
        packed = client.get("/assets/app-1a2b.js", headers={"accept-encoding": "gzip"})
        assert (packed.headers["content-encoding"], packed.content) == ("gzip", content)


def test_pack_for_play_offline_is_sent_compressed_and_kept(server: Running) -> None:
    types = {
        "python-3c4d.mjs": "text/javascript; charset=utf-8",
        "python-5e6f.wasm": "application/wasm",
        "rum500-7a8b.zip": "application/zip",
    }
    with server.client() as client:
        for name, media in types.items():
            with client.stream("GET", f"/offline/{name}", headers={"accept-encoding": "gzip, br"}) as answer:
                found = [answer.headers[key] for key in ("content-type", "content-encoding", "cache-control")]
            assert (answer.status_code, found) == (200, [media, "br", "public, max-age=31536000, immutable"])
        refused = client.get("/offline/rum500-7a8b.zip", headers={"accept-encoding": "gzip"})
        assert (refused.status_code, refused.json()["code"]) == (406, "request.refused")
        listed = client.get("/offline/pack.json")
        assert (listed.json(), listed.headers["cache-control"]) == ({}, "no-cache")


def test_page_without_a_pack_has_none_until_it_is_built(tmp_path: Path) -> None:
    write_page(tmp_path / "data")
    listed = tmp_path / "data" / "page" / "offline" / "pack.json"
    content = listed.read_bytes()
    listed.unlink()
    with Running(tmp_path / "data") as running, running.client() as client:
        assert client.get("/offline/pack.json").json() is None
        listed.write_bytes(content)
        assert client.get("/offline/pack.json").json() == {}


def test_files_come_compressed_and_are_kept(server: Running) -> None:
    path = "/assets/app-1a2b.js"
    with server.client() as client:
        plain = client.get(path, headers={"accept-encoding": "identity"})
        assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
        assert "content-encoding" not in plain.headers
        packed = client.get(path, headers={"accept-encoding": "gzip, br;q=0"})
        assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
        with client.stream("GET", path, headers={"accept-encoding": "gzip, br"}) as raw:
            assert raw.headers["content-encoding"] == "br"
            assert b"".join(raw.iter_raw()) == b"not really brotli"
        again = client.get(path, headers={"if-none-match": plain.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get("/sw.js").headers["cache-control"] == "no-cache"
        assert client.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"
        bare = client.head(path, headers={"accept-encoding": "identity"})
        assert (bare.headers["content-length"], bare.content) == (plain.headers["content-length"], b"")


def test_a_new_build_is_served_without_a_restart_and_none_at_all_says_so(tmp_path: Path) -> None:
    with Running(tmp_path) as server, server.client() as client:
        missing = client.get("/")
        assert missing.status_code == 503
        assert "make page" in missing.text
        (tmp_path / "page").mkdir()
        (tmp_path / "page" / "index.html").write_text("built")
        assert client.get("/").text == "built"


def test_files_removed_by_an_upgrade_are_not_found_until_they_are_back(tmp_path: Path) -> None:
    write_page(tmp_path / "data")
    script = tmp_path / "data" / "page" / "assets" / "app-1a2b.js"
    content = script.read_bytes()
    plain = {"accept-encoding": "identity"}
    with Running(tmp_path / "data") as running, running.client(headers=plain) as client:
        assert client.get("/").status_code == 200
        script.unlink()
        script.with_name(f"{script.name}.gz").unlink()
        lost = client.get("/assets/app-1a2b.js")
        assert (lost.status_code, lost.json()["code"]) == (404, "request.path")
        script.write_bytes(content)
        assert client.get("/assets/app-1a2b.js").content == content
        script.unlink()  # it is in memory now
        assert client.get("/assets/app-1a2b.js").content == content


def test_every_answer_has_the_security_headers(server: Running) -> None:
    with server.client() as client:
        for path in ("/", "/assets/app-1a2b.js", "/api/me", "/api/none", "/healthz", "/api/rules/whist"):
            headers = client.get(path).headers
            assert headers["content-security-policy"] == POLICY, path
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-opener-policy"] == "same-origin"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "server" not in headers


def test_the_policy_lets_nothing_in_but_what_this_server_sends() -> None:
    allowed = {name: set(sources) for name, *sources in map(str.split, POLICY.split("; "))}
    assert allowed.pop("img-src") == {"'self'", "data:", "blob:"}
    nothing = {"default-src", "base-uri", "form-action", "frame-ancestors"}
    assert {name for name, sources in allowed.items() if sources == {"'none'"}} == nothing
    assert {name for name, sources in allowed.items() if sources == {"'self'"}} == allowed.keys() - nothing
    assert {"script-src", "style-src", "connect-src"} <= allowed.keys() - nothing


# --- health -------------------------------------------------------------------------------------------


def test_health_and_figures(server: Running) -> None:
    with server.guest() as ada:
        table = ada.table(bots=[None, "greedy"], start=True)
        socket = ada.join(table)
        health = ada.http.get("/healthz")
        assert (health.status_code, health.json()["status"], health.json()["store"]) == (200, "ok", "ok")
        figures = ada.http.get("/metrics").text
        for name in (
            "rum500_connections 1.0",
            "rum500_tables ",
            "rum500_commit_entries_count",
            "rum500_move_seconds",
        ):
            assert name in figures, name
        assert "rum500_loop_lag_max_seconds" in figures
        assert ada.http.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"}).status_code == 404
        socket.close()


def test_metrics_named_in_hosting_md_exist(server: Running) -> None:
    page = (Path(__file__).parent.parent / "docs" / "hosting.md").read_text()
    named = set(re.findall(r"`(rum500_\w+)`", page))
    assert len(named) >= 6
    with server.guest() as ada, ada.join(ada.table()) as talk:
        assert talk.ask("resign")["type"] == "refused"
        figures = ada.http.get("/metrics").text
    registry = CollectorRegistry()
    ClusterMetrics(registry)
    both = figures + generate_latest(registry).decode()
    assert named <= set(re.findall(r"^# TYPE (\w+) \w+$", both, re.MULTILINE))
    assert re.search(r'^rum500_refused_total\{code="table.not_begun"\} [1-9]', figures, re.MULTILINE)


def test_figures_can_be_kept_to_oneself(tmp_path: Path) -> None:
    with Running(tmp_path, metrics="off") as server, server.client() as client:
        assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize("metrics", ["local", "off"])
def test_figures_are_given_to_whoever_has_the_token(tmp_path: Path, metrics: str) -> None:
    token = "only-prometheus-knows"
    with Running(tmp_path, metrics=metrics, metrics_token=token) as server, server.client() as client:

        def asked(authorization: str | None) -> int:
            headers = {"x-forwarded-for": b"192.0.2.1"}
            if authorization is not None:
                headers["authorization"] = authorization.encode("latin-1")
            return client.get("/metrics", headers=headers).status_code

        assert asked(None) == 404
        for wrong in (
            token,
            "Bearer",
            f"Bearer {token[:-1]}",
            f"Bearer {token}x",
            f"Basic {token}",
            "Bearer ä",
        ):
            assert asked(wrong) == 401, wrong
        assert (asked(f"Bearer {token}"), asked(f"bearer  {token}")) == (200, 200)
        assert client.get("/metrics").status_code == (200 if metrics == "local" else 404)
    with Running(tmp_path, metrics=metrics) as server, server.client() as client:
        answer = client.get("/metrics", headers={"authorization": "Bearer", "x-forwarded-for": "192.0.2.1"})
        assert answer.status_code == 404


needs_mount = pytest.mark.skipif(not may_mount(), reason="mounting a small disk needs root")


@needs_mount
def test_a_read_only_database_is_one_clear_line(tmp_path: Path) -> None:
    with file_system(tmp_path / "disk", "8m") as remount:
        with Running(tmp_path / "disk"):
            pass
        remount("ro")
        with pytest.raises(StoreError, match="may not be written") as caught, Running(tmp_path / "disk"):
            pass
    assert caught.value.code == "store.readonly"
    assert "\n" not in str(caught.value)


def test_only_the_worker_of_the_device_may_compile_webassembly(server: Running) -> None:
    with server.client() as client:
        worker = client.get("/assets/device-worker-1a2b.js").headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in worker
        assert "'wasm-unsafe-eval'" not in client.get("/").headers["content-security-policy"]
