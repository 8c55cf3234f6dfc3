"""Every way to name a bot, in every command that takes one."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rum500.cli import main
from rum500.store.paths import DATABASE
from tests.support.live_server import LiveServer
from tests.support.processes import started
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
FILE = """
class Mine:
    name = "Mine: a #1 bot, with a long name"

    def choose(self, view, rng):
        return view.legal[0]
"""
US = shlex.join([sys.executable, "-m", "rum500", "engine"])
SPELLINGS = [
    "greedy", "CLUB", "strong:worlds=1", "mine.py", "./mine.py:Mine", "mine:Mine",
    "learned:500-rum.npz", f"cmd:{US} --bot greedy",
]  # fmt: skip
WRONG = [
    "gready",
    "level11",
    "nowhere.py",
    "mine:Nobody",
    "learned:nowhere.npz",
    "cmd:./nowhere",
    "cmd:false",
    "strong:worlds=x",
]
TWO = ["--profile", "500-rum", "--players", "2"]
COMMANDS = {
    "play": ["play", *TWO, "--deals", "1", "--bot", "{bot}"],
    "simulate": ["simulate", *TWO, "--deals", "2", "--bots", "{bot}"],
    "arena": ["arena", "--bots", "{bot},random", *TWO, "--pairs", "2"],
    "engine": ["engine", "--bot", "{bot}"],
    "bot test": ["bot", "test", "{bot}", "--profile", "500-rum", "--deals", "1", "--seconds", "60"],
    "bot host": ["bot", "host", "{url}", "{bot}", "--deals", "1", "--against", "random"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a bot's file: one for all tests, since its module stays loaded."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "mine.py").write_text(FILE)
    shutil.copy(ROOT / "examples" / "learned" / "500-rum.npz", folder)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("server"), "--bot-pause-ms", "0") as running:
        yield running


def unfinished_tables(server: LiveServer) -> int:
    with closing(sqlite3.connect(server.data / DATABASE)) as database:
        return int(
            database.execute("select count(*) from tables where status in ('open', 'playing')").fetchone()[0]
        )


@pytest.mark.sample(12)
@pytest.mark.parametrize("bot", [*SPELLINGS, *WRONG])
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_every_spelling_of_a_bot(
    command: str,
    bot: str,
    server: LiveServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A bot that is none is refused in one line, and leaves no table behind.

    The check may find faults (a network is for one number of players), and `engine` plays nothing here.
    """
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO("rbi 1\nquit\n"))
    try:
        code = main([word.format(bot=bot, url=server.url) for word in COMMANDS[command]])
    except SystemExit as stop:
        code = stop.code
    err = capsys.readouterr().err
    checked = command == "bot test" and bot[:8] in ("learned:", "cmd:fals")
    if bot in SPELLINGS:
        assert code == (1 if checked else 0), err
    elif not checked and (command, bot) != ("engine", "cmd:false"):
        assert (code, err.count("\n")) == (2, 1), err
    assert unfinished_tables(server) == 0


def test_hosted_engine_has_its_own_name(
    server: LiveServer, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the signs that names at a table cannot have."""
    monkeypatch.chdir(folder)
    assert (
        main(["bot", "host", server.url, f"cmd:{US} --bot mine.py", "--deals", "1", "--against", "random"])
        == 0
    )
    assert re.search(r"rum500 Mine a 1 bot w -?\d+", capsys.readouterr().out.splitlines()[-1])


def test_interrupted_host_leaves_no_table(server: LiveServer) -> None:
    command = [sys.executable, "-m", "rum500", "bot", "host", server.url, "greedy", "--people", "1"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "The table is" in process.stdout.readline()
        assert "The match begins when" in process.stdout.readline()
        assert unfinished_tables(server) == 1
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
    assert unfinished_tables(server) == 0
