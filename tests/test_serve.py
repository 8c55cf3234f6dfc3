"""`rum500 serve` as a person starts it at a terminal: it says its address, and opens it in a browser."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

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
    with subprocess.Popen(
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
            process.kill()
            os.close(terminal)
    assert (home / "data" / "secret.key").exists()
    return found[1]


def test_its_address_is_opened_in_the_browser(home: Path) -> None:
    address = served(home, opens=True)
    assert (home / "opened").read_text() == f"{address}\n"


@pytest.mark.parametrize(
    ("flags", "environment"),
    [(["--no-open"], {}), ([], {"DISPLAY": "", "WAYLAND_DISPLAY": ""})],
)
def test_it_is_not_opened_where_nobody_wants_or_sees_it(
    flags: list[str], environment: dict[str, str], home: Path
) -> None:
    served(home, *flags, opens=False, **environment)
    assert not (home / "opened").exists()
