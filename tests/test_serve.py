"""`rum500 serve` started by a person at a terminal: it prints its address and opens it in a browser."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from rum500 import _large_pages
from rum500.cli import main
from tests.support.depth import depth
from tests.support.live_server import Guest, LiveServer, play_on
from tests.support.processes import started
from tests.support.storing import may_mount
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind on this system")
#: It writes down what it is to open.
BROWSER = '#!/bin/sh\nprintf "%s\\n" "$@" >> "$(dirname "$0")/opened"\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a browser, and with a configuration that takes a free port."""
    browser = tmp_path / "browser"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    (tmp_path / "rum500.toml").write_text("port = 0\n")
    return tmp_path


def served(home: Path, *flags: str, opens: bool, **environment: str) -> str:
    """Start it at a terminal, ask for its health, end it by Ctrl-C; the address that it said."""
    terminal, end = pty.openpty()
    settings = {
        "BROWSER": str(home / "browser"),
        "DISPLAY": ":0",
        "RUM500_CONFIG": str(home / "rum500.toml"),
        "RUM500_DATA": str(home / "data"),
    }
    command = [sys.executable, "-m", "rum500", "serve", *flags]
    with started(
        command, stdin=end, stdout=end, stderr=subprocess.DEVNULL, env=os.environ | settings | environment
    ) as process:
        os.close(end)
        try:
            said = ""
            while (found := re.search(r"rum500 is at (http://127\.0\.0\.1:\d+/)\s", said)) is None:
                said += os.read(terminal, 4096).decode()
            with urllib.request.urlopen(found[1] + "healthz", timeout=PATIENCE) as answer:
                assert answer.status == 200
            if opens:
                until((home / "opened").exists)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
            with suppress(OSError):  # the terminal's end: a browser that was started has ended too
                while os.read(terminal, 4096):
                    pass
        finally:
            os.close(terminal)
    assert (home / "data" / "secret.key").exists()
    return found[1]


def test_address_is_opened_in_the_browser(home: Path) -> None:
    address = served(home, opens=True)
    assert (home / "opened").read_text() == f"{address}\n"


@pytest.mark.parametrize(
    ("flags", "environment"),
    [*depth([], [(["--no-open"], {})]), ([], {"DISPLAY": "", "WAYLAND_DISPLAY": ""})],
)
def test_browser_is_not_opened_when_disabled_or_without_a_screen(
    flags: list[str], environment: dict[str, str], home: Path
) -> None:
    served(home, *flags, opens=False, **environment)
    assert not (home / "opened").exists()


def _large_pages_of(process: int) -> set[str]:
    """The variables for large pages with which a process was started."""
    # The C library writes zeros between the tunables, in place.
    environment = f"\0{Path(f'/proc/{process}/environ').read_text()}\0".replace(":", "\0")
    wanted = {name: f"\0{name}={value}\0".replace(":", "\0") for name, value in _large_pages.WANTED.items()}
    return {name for name, text in wanted.items() if text in environment}


def _children_of(process: int) -> list[int]:
    """The processes that the threads of one have started."""
    threads = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for thread in threads for child in thread.read_text().split()]


@pytest.mark.skipif(not _large_pages.offered(), reason="no large pages from this C library")
def test_a_server_has_large_pages_and_the_processes_that_it_starts_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONMALLOC")
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    with LiveServer(tmp_path, "--bot-pause-ms", "0") as server:
        assert _large_pages_of(server.pid) == _large_pages.WANTED.keys()
        # A bot that searches gets a process.
        guest = Guest(server)
        with guest.at(guest.new_table(bots=["strong"], players=2)) as seated:
            seated.say("sit")
            seated.say("start")
            until(
                lambda: (
                    (started := _children_of(server.pid))
                    and not any(_large_pages_of(child) for child in started)
                )
            )
    monkeypatch.setenv("PYTHONMALLOC", "pymalloc")
    with LiveServer(tmp_path) as server:
        assert not _large_pages_of(server.pid)


def test_a_server_collects_garbage_although_its_start_did_not(tmp_path: Path) -> None:
    code = """if True:
        import gc, sys
        from rum500.cli import main, serve
        def served(*_): print(gc.isenabled(), gc.get_freeze_count() > 10_000)
        serve.serve = served
        sys.argv = ["rum500", "serve", "--data", sys.argv[1]]
        main()
    """
    command = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True True\n"


def test_empty_database_beside_an_old_key_logs_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As after an update with another folder, or with a disk that is not there."""
    for _ in range(2):  # nothing is lost by a server at which nobody has played yet
        with LiveServer(tmp_path, "--log", "json") as server:
            pass
    assert "database.empty" not in server.log
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    assert "is not new" not in capsys.readouterr().out
    for file in tmp_path.glob("rum500.sqlite3*"):
        file.unlink()
    main(["doctor", "--data", str(tmp_path)])
    out = capsys.readouterr().out
    assert re.search(
        r"^note  database .* is empty, and .*secret\.key is not new; .* rum500 restore", out, re.MULTILINE
    )
    with LiveServer(tmp_path, "--log", "json"):
        pass
    (warning,) = [
        entry for line in server.log.splitlines() if (entry := json.loads(line))["level"] == "warning"
    ]
    assert warning["event"] == "database.empty"
    assert "rum500 restore" in warning["text"]


@pytest.mark.skipif(not may_mount() or shutil.which("unshare") is None, reason="hiding /proc needs root")
def test_server_without_proc_serves_and_doctor_checks(tmp_path: Path) -> None:
    """As in some sandboxes and containers."""
    hidden = tmp_path / "python"
    hide = f'mount -t tmpfs none /proc && exec {sys.executable} "$@"'
    hidden.write_text(f'#!/bin/sh\nexec unshare --mount sh -c {shlex.quote(hide)} sh "$@"\n')
    hidden.chmod(0o700)
    data = tmp_path / "data"
    if subprocess.run([hidden, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip("this sandbox's root may not mount")
    with LiveServer(data, "--bot-pause-ms", "0", "--log", "json", python=hidden) as server:
        guest = Guest(server, "Ada")
        table = guest.new_table("500-rum", level="strong", start=True, deals=1, target=5000)
        with guest.at(table) as seat:
            play_on([seat], lambda facts: facts.get("waiting_for") in ("next", "over"))
        assert "rum500_" in guest.call("GET", "/metrics")
    assert all(json.loads(line)["level"] == "info" for line in server.log.splitlines())
    checked = subprocess.run(
        [hidden, "-m", "rum500", "doctor", "--data", data], capture_output=True, text=True, check=False
    )
    assert checked.stderr == "" and "database   sound" in checked.stdout


@pytest.mark.skipif(not may_mount(), reason="hiding /proc needs root")
def test_server_without_proc_serves_and_its_bots_play(tmp_path: Path) -> None:
    python = tmp_path / "python"
    hidden = f"mount -t tmpfs none /proc && exec {sys.executable} "
    python.write_text(f'#!/bin/sh\nexec unshare -m sh -c \'{hidden}"$@"\' - "$@"\n')
    python.chmod(0o755)
    with LiveServer(tmp_path / "data", "--bot-pause-ms", "0", python=python) as server:
        ann = Guest(server, "Ann")
        assert "rum500_connections" in ann.call("GET", "/metrics")
        with ann.at(ann.new_table(players=2, bots=["strong", "strong"], start=True)) as seat:
            seat.sees(lambda facts: facts.get("asked", 0) > 20)
        assert "error" not in server.log
