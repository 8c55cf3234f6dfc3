"""rum500 doctor: what it finds about disk, limits, database and proxy, and that it finds what is wrong."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sqlite3
import ssl
import subprocess
import sys
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rum500.cli import _disk_checks as disk
from rum500.cli import main
from rum500.cli._data_checks import CONNECTIONS, CheckResult
from rum500.cli._disk_checks import mount_of
from rum500.cli._proxy_checks import check_proxy
from rum500.store import DATABASE, SECRET, VAPID, Store, create_private
from tests.support.depth import depth
from tests.support.live_server import LiveServer
from tests.support.proxy import Headers, answering, proxy
from tests.support.storing import entry, file_system, may_mount, row, with_store

linux = pytest.mark.skipif(sys.platform != "linux", reason="read from where Linux has it")


def doctor(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[CheckResult]]:
    """The exit code and the findings."""
    code = 0
    try:
        code = main(["doctor", "--json", *map(str, words)])
    except SystemExit as end:
        code = int(end.code or 0)
    out = capsys.readouterr()
    assert out.err == ""
    return code, [CheckResult(**one) for one in json.loads(out.out)]


def texts(findings: list[CheckResult], check: str, grade: str) -> list[str]:
    return [one.text for one in findings if (one.check, one.grade) == (check, grade)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder as a server leaves it."""
    place = tmp_path / "data"
    with_store(place, lambda store: store.create_table(row("t"), [entry(1), entry(2)]))
    create_private(place / SECRET, b"x" * 40)
    return place


# --- all is well -----------------------------------------------------------------------------------


def test_a_machine_that_is_well(data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in data.iterdir()}
    _, findings = doctor(capsys, "--data", data)
    assert [one.check for one in findings if one.check != "disk"] == [
        "data",
        "key",
        "space",
        "files",
        "database",
    ]
    assert texts(findings, "data", "ok") == [f"{data}: for this user alone"]
    (shown,) = texts(findings, "database", "ok")
    assert re.fullmatch(r"sound, version \d{4}, one table, 2 log entries, no guests, 0\.\d MB", shown)
    # It looks, and leaves everything as it was.
    assert {path: path.read_bytes() for path in data.iterdir()} == before


def test_before_the_first_start_nothing_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, findings = doctor(capsys, "--data", tmp_path / "not" / "yet")
    assert list(tmp_path.iterdir()) == []
    assert texts(findings, "data", "ok") == [
        f"{tmp_path / 'not' / 'yet'}: is not there yet; rum500 serve will make it"
    ]
    assert [one.grade for one in findings if one.check == "database"] == ["ok"]
    assert len([one for one in findings if one.check == "disk"]) >= 2


def test_it_looks_at_the_database_of_a_running_server(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def work(store: Store) -> None:
        _, findings = await asyncio.to_thread(doctor, capsys, "--data", data)
        (shown,) = texts(findings, "database", "ok")
        assert shown.endswith(f"; in use by process {os.getpid()}")
        await store.append("t", [entry(3)])

    with_store(data, work)


def test_report_has_one_line_for_each_finding(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data.chmod(0o755)
    (data / SECRET).chmod(0o644)
    (data / VAPID).write_text("a key")
    (data / VAPID).chmod(0o640)
    with pytest.raises(SystemExit) as end:
        main(["doctor", "--data", str(data)])
    assert end.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert f"note  data       {data}: others may look into it (mode 755); chmod go-rwx {data}" in lines
    for name, mode in ((SECRET, 644), (VAPID, 640)):
        head = f"bad   key        {data / name}: others may read it (mode {mode})"
        assert any(line.startswith(head) for line in lines)
    assert any(f"{data / VAPID} contains no key on P-256; remove it" in line for line in lines)
    assert re.fullmatch(r"\d+ ok, \d+ note, \d+ bad", lines[-1])
    assert all(re.match(r"(ok  |note|bad )  \w+ +\S", line) for line in lines[:-1])


# --- the database ----------------------------------------------------------------------------------


def test_a_database_that_is_newer_damaged_or_another_ones(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        connection.execute("DELETE FROM entries WHERE number = 1")
        connection.commit()
    code, findings = doctor(capsys, "--data", data)
    assert code == 1
    assert texts(findings, "database", "bad") == [
        f"{data / DATABASE}: table t: 1 entries numbered 2 to 2",
        "it is damaged; restore a backup: rum500 restore FILE --force",
    ]
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    code, findings = doctor(capsys, "--data", data)
    assert code == 1 and "its version is 9999" in texts(findings, "database", "bad")[0]
    (data / DATABASE).write_text("dear ann")
    code, findings = doctor(capsys, "--data", data)
    assert code == 1 and "not a database of rum500" in texts(findings, "database", "bad")[0]


def test_a_configuration_that_cannot_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--db", "mysql://x"]) == 2
    assert capsys.readouterr().err.startswith("rum500 doctor: mysql: found a database URL of this kind")


# --- space and limits ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("free", "grade"), [(99_000_000, "bad"), (999_000_000, "note"), (1_000_000_000, "ok")]
)
def test_free_space(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, free: int, grade: str) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, free))
    first = next(iter(disk.check_room(tmp_path)))
    assert (first.grade, "a full disk stops all moves" in first.text) == (grade, grade != "ok")


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits on this system")
@pytest.mark.parametrize(
    ("limit", "grade", "words"),
    [
        (1024, "bad", "1,024 open files allowed, 5,200 needed for 5,000 connections; ulimit -n 5200, or"),
        (6000, "note", "6,000 open files allowed, fewer than the 10,000 connections of max_connections need"),
        (20000, "ok", "20,000 open files allowed, enough for 5,000 connections"),
    ][: depth(1, 3)],
)
def test_limits_of_open_files_as_a_shell_sets_them(
    tmp_path: Path, limit: int, grade: str, words: str
) -> None:
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < limit:
        pytest.skip(f"this process may open {hard} files only")
    command = f"ulimit -n {limit}; exec {sys.executable} -m rum500 doctor --data {tmp_path}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert f"{grade:<4}  files      {words}" in done.stdout
    assert CONNECTIONS == 5000


# --- the disk --------------------------------------------------------------------------------------


def test_syncs_and_commits_are_timed(tmp_path: Path) -> None:
    shown = [one.text for one in disk.check_disk(tmp_path)]
    assert re.match(r"a sync takes [\d.]+ ms \(the slowest of \d+: [\d.,]+ ms\)", shown[-2])
    assert re.fullmatch(r"a commit takes [\d.]+ ms \(the slowest of \d+: [\d.,]+ ms\)", shown[-1])
    assert list(tmp_path.iterdir()) == []


def test_a_sync_that_does_nothing_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a library between program and system does it."""
    name = "fdatasync" if hasattr(os, "fdatasync") else "fsync"
    monkeypatch.setattr(os, name, lambda _: None)
    monkeypatch.setattr(disk, "_flushes", lambda _: None)
    (found,) = [one for one in disk.check_disk(tmp_path) if one.text.startswith("a sync takes")]
    assert found.grade == "bad" and "no disk is that fast, something throws syncs away" in found.text


def test_syncs_that_do_not_reach_the_disk_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_flushes", lambda _: lambda: 7)
    (found,) = [one for one in disk.check_disk(tmp_path) if one.text.startswith("a sync takes")]
    assert found.grade == "bad" and "but only 0 of " in found.text


def test_a_slow_disk_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(_: Path) -> list[float]:
        return [0.25, 0.3, 0.9]

    monkeypatch.setattr(disk, "_timed_commits", slow)
    *_, found = disk.check_disk(tmp_path)
    assert found.grade == "note"
    assert found.text.startswith(
        "a commit takes 300 ms (the slowest of 3: 900 ms): players will feel this disk"
    )


def test_eatmydata_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/usr/lib/libeatmydata.so")
    assert any("eatmydata" in one.text and one.grade == "bad" for one in disk._kind_of_disk(tmp_path))


@linux
@pytest.mark.skipif(not may_mount(), reason="mounting needs root")
def test_a_disk_in_memory_and_a_full_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with file_system(tmp_path / "disk", "1m"):
        code, findings = doctor(capsys, "--data", tmp_path / "disk")
        assert code == 1
        assert f"{tmp_path / 'disk'}: lies in memory (tmpfs) and is lost at the next restart" in texts(
            findings, "disk", "bad"
        )
        assert texts(findings, "space", "bad")
        (tmp_path / "disk" / "ballast").write_bytes(bytes(1024 * 1024))
        code, findings = doctor(capsys, "--data", tmp_path / "disk")
        assert code == 1
        assert any(
            "No space left" in text or "the disk is full" in text for text in texts(findings, "disk", "bad")
        )


@linux
@pytest.mark.skipif(not may_mount(), reason="mounting needs root")
def test_a_read_only_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with file_system(tmp_path / "disk", "8m") as remount:
        with_store(tmp_path / "disk", lambda store: store.check())
        remount("ro")
        code, findings = doctor(capsys, "--data", tmp_path / "disk")
        assert code == 1
        assert texts(findings, "data", "bad") and texts(findings, "disk", "bad")


MOUNTS = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:40 / /srv rw - nfs4 host:/srv rw,vers=4.2
31 22 254:3 / /srv/my\\040data rw,noatime - ext4 /dev/vdb rw,nobarrier
32 22 0:50 / /box rw - overlay overlay rw,lowerdir=/a
"""


@pytest.mark.parametrize(
    ("place", "kind", "words"),
    [
        ("/home/ann", "ext4", None),
        ("/srv", "nfs4", "lies on another machine (nfs4)"),
        ("/srv/my data/x", "ext4", "mounted with nobarrier"),
        ("/box/data", "overlay", "lies in a container's own layer"),
        ("/boxes", "ext4", None),
    ],
)
def test_kinds_of_file_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, kind: str, words: str | None
) -> None:
    table = tmp_path / "mounts"
    table.write_text(MOUNTS)
    mount = mount_of(Path(place), table)
    assert mount is not None and mount.kind == kind
    monkeypatch.setattr(disk, "mount_of", lambda _: mount)
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    shown = [one.text for one in disk._kind_of_disk(Path(place))]
    assert len(shown) == (0 if words is None else 1) and all(str(words) in text for text in shown)


# --- the proxy -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server that believes a proxy on this machine."""
    with LiveServer(tmp_path_factory.mktemp("trusting"), "--trusted-proxies", "127.0.0.1") as server:
        yield server.port


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server that believes no proxy."""
    with LiveServer(tmp_path_factory.mktemp("plain")) as server:
        yield server.port


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine, and its key, in one file."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    place = tmp_path_factory.mktemp("certificate")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += (
        " -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key -out certificate"
    )
    subprocess.run(command.split(), cwd=place, check=True, capture_output=True)
    both = place / "both"
    both.write_bytes((place / "key").read_bytes() + (place / "certificate").read_bytes())
    return both


@pytest.fixture
def tls(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """What a proxy needs to speak TLS; this process believes it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def forward(headers: Headers) -> None:
    """What a proxy should add."""
    headers["x-forwarded-for"] = "203.0.113.9"
    headers["x-forwarded-proto"] = "https"


def found_at(url: str) -> dict[str, str]:
    """What is found, by its text, with its grade."""
    return {one.text: one.grade for one in check_proxy(url)}


def only_bad(url: str) -> str:
    """The one thing that is wrong."""
    (bad,) = [text for text, grade in found_at(url).items() if grade == "bad"]
    assert "\n" not in bad
    return bad


def test_a_server_without_a_proxy(plain: int) -> None:
    found = found_at(f"http://127.0.0.1:{plain}/")
    assert set(found.values()) == {"ok"}
    assert "no proxy shows itself; this machine is 127.0.0.1 to the server" in found
    assert any(text.startswith("WebSockets get through") for text in found)


def test_a_proxy_that_does_all_it_should(trusting: int, tls: ssl.SSLContext) -> None:
    with proxy(trusting, forward, tls=tls) as port:
        found = found_at(f"https://localhost:{port}")
    assert set(found.values()) == {"ok"}
    assert "the server knows that visitors come by https" in found
    assert f"the server knows that visitors ask for localhost:{port}" in found
    assert "the server tells visitors apart: this machine is 203.0.113.9 to it" in found


def test_a_proxy_that_does_not_say_https(trusting: int, tls: ssl.SSLContext) -> None:
    with proxy(trusting, lambda headers: headers.update({"x-forwarded-for": "203.0.113.9"}), tls=tls) as port:
        assert only_bad(f"https://localhost:{port}") == (
            "visitors come by https and the server takes it for http; have the proxy send X-Forwarded-Proto "
            "(nginx: proxy_set_header X-Forwarded-Proto $scheme;)"
        )

    def wrong(headers: Headers) -> None:
        forward(headers)
        headers["x-forwarded-proto"] = "http"

    with proxy(trusting, wrong, tls=tls) as port:
        assert "sends X-Forwarded-Proto: http, which should be https" in only_bad(f"https://localhost:{port}")


def test_a_proxy_that_is_not_believed(plain: int, tls: ssl.SSLContext) -> None:
    with proxy(plain, forward, tls=tls) as port:
        bad = [text for text, grade in found_at(f"https://localhost:{port}").items() if grade == "bad"]
    assert len(bad) == 2
    assert bad[0].endswith(
        "it does not believe the proxy's X-Forwarded-Proto; set trusted_proxies to 127.0.0.1"
    )
    assert bad[1].endswith(
        "it does not believe the proxy's X-Forwarded-For; set trusted_proxies to 127.0.0.1"
    )


def test_proxy_that_hides_client_addresses_is_reported(trusting: int, tls: ssl.SSLContext) -> None:
    with proxy(trusting, lambda headers: headers.update({"x-forwarded-proto": "https"}), tls=tls) as port:
        assert only_bad(f"https://localhost:{port}").endswith("(nginx: $proxy_add_x_forwarded_for)")


def test_a_proxy_that_changes_the_host(trusting: int) -> None:
    def change(headers: Headers) -> None:
        headers |= {"x-forwarded-host": headers["host"], "host": "backend", "x-forwarded-for": "203.0.113.9"}

    with proxy(trusting, change) as port:
        assert only_bad(f"http://127.0.0.1:{port}") == (
            f"visitors ask for 127.0.0.1:{port} and the server takes it for backend (X-Forwarded-Host: "
            f"127.0.0.1:{port} is not looked at); have the proxy keep Host (nginx: proxy_set_header Host "
            "$http_host;)"
        )


def test_a_host_for_which_the_server_does_not_answer(plain: int) -> None:
    """`127.1` is resolved to this machine as a name is, and is no address in the form of one."""
    assert only_bad(f"http://127.1:{plain}") == (
        f"the server does not answer for 127.1:{plain}; set public_url to http://127.1:{plain}"
    )


def test_a_proxy_that_lets_no_websocket_through(plain: int) -> None:
    def strip(headers: Headers) -> None:
        headers.pop("upgrade", None)
        headers["connection"] = "close"

    with proxy(plain, strip) as port:
        bad = only_bad(f"http://127.0.0.1:{port}")
    assert re.match(
        r"WebSockets do not get through \(answer \d{3}\); have the proxy pass Upgrade and Conn", bad
    )


def test_untrusted_certificate_is_reported(
    plain: int, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with proxy(plain, tls=tls) as port:
        assert "its certificate is not accepted: " in only_bad(f"https://localhost:{port}")


OTHER = "something else than rum500 answers"


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        ("200 OK", b"<h1>It works!</h1>", f"{OTHER}; does the proxy pass /healthz"),
        ("200 OK", b"\xff", OTHER),
        ("404 Not Found", b"", "answers 404 Not Found for /healthz; does it pass all paths on?"),
        ("502 Bad Gateway", b"", "answers 502 Bad Gateway for /healthz"),
        ("503 Unavailable", b"", OTHER),
        ("301 Moved", b"", "sends on to https://x/healthz; name that address"),
    ],
)
def test_something_else_answers(status: str, body: bytes, words: str) -> None:
    headers = {"location": "https://x/healthz"} if status.startswith("301") else {}
    with answering(status, body, **headers) as port:
        assert words in only_bad(f"http://127.0.0.1:{port}")


def test_unreachable_server_is_reported() -> None:
    with answering("200 OK", b"") as port:
        pass
    assert "cannot be reached: " in only_bad(f"http://127.0.0.1:{port}")
    assert "cannot be reached: " in only_bad("http://no-such-host.invalid")


def test_a_server_that_cannot_keep_moves(plain: int) -> None:
    seen = {"status": "failing", "store": "store.full", "version": "1", "scheme": "http"}
    seen |= {"client": "127.0.0.1", "host": "x"}
    seen |= {f"forwarded_{name}": None for name in ("proto", "host", "for")}
    with answering("503 Unavailable", json.dumps(seen).encode()) as port:
        found = found_at(f"http://127.0.0.1:{port}")
    assert found["the server says that it cannot keep moves (store.full); see its log"] == "bad"


@pytest.mark.parametrize(
    "url",
    [
        "cards.example.org",
        "ftp://x",
        "https://",
        "http://x/?query",
        "http://x:port",
        "http://u@x",
        "http://[x",
    ],
)
def test_invalid_address_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, url: str) -> None:
    assert main(["doctor", "--data", str(tmp_path), "--url", url]) == 2
    expected = f"rum500 doctor: --url: found {url!r}, expected an address such as https://cards.example.org\n"
    assert capsys.readouterr().err == expected


def test_times_have_two_figures_and_no_exponent() -> None:
    shown = [disk.milliseconds(seconds) for seconds in (0.0000123, 0.0096, 0.00999, 0.0123, 0.0996, 1.5)]
    assert shown == ["0.012 ms", "9.6 ms", "10 ms", "12 ms", "100 ms", "1,500 ms"]
