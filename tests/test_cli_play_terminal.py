"""`rum500 play` as a process: without a terminal, and in a real one."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from rum500 import Record
from rum500.cli import main
from rum500.cli.terminal.saves import resumed
from rum500.match import PlayNeeded
from tests.support.waiting import PATIENCE, attempts

# --- without a terminal ----------------------------------------------------------------------------


PERHAPS_POOR = """
class Mine:
    name = "mine"

    def choose(self, view, rng):
        return view.legal[0] if {fit} else 1 << 60
"""


@pytest.mark.parametrize("bot", ["strong:worlds=1", "mine.py", "mine:Mine", "cmd:{us}"])
def test_a_bot_is_asked_for_as_everywhere(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PERHAPS_POOR.format(fit="True"))
    bot = bot.format(us=shlex.join([sys.executable, "-m", "rum500", "engine"]))
    assert main(["play", "--profile", "persian", "--bot", bot, "--record", "match.rum500"]) == 0
    assert f"{bot} bots play Persian Rummy" in capsys.readouterr().out
    assert f"\nBots: {bot}\n" in (tmp_path / "match.rum500").read_text()


def test_failing_bot_is_reported_in_one_line_and_the_plays_so_far_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "poor.py").write_text(PERHAPS_POOR.format(fit="len(view.past) < 9"))
    assert main(["play", "--profile", "persian", "--bot", "poor.py", "--record", "match.rum500"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("rum500 play: mine played 1152921504606846976, which is not legal: ")
    assert error.count("\n") == 1
    assert "draw" in (tmp_path / "match.rum500").read_text()


def test_without_a_terminal_bots_play_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    """It says so, tells every deal, and the same seed tells the same."""
    words = ["play", "--profile", "persian", "--seed", "3"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "There is no terminal here, and nothing is read: "
        "greedy bots play Persian Rummy among themselves, seed 3.\n"
    )
    assert out.count("went out.\n") + out.count("ended") >= 2
    assert "\nDeal 2 of 2 · " in out
    assert re.search(r"\nTotal +-?−?\d+ +−?\d+\n", out)
    assert max(map(len, out.splitlines()[1:])) <= 80
    assert main(words) == 0
    assert capsys.readouterr().out == out


def test_without_a_terminal_the_match_is_kept_where_one_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record of the bots' match verifies; going on with one wants a terminal, and says so."""
    path = tmp_path / "bots.rum500"
    assert main(["play", "--seed", "4", "--players", "2", "--target", "60", "--record", str(path)]) == 0
    assert f"rum500 replay {path}" in capsys.readouterr().out.replace("\n", "")
    assert main(["replay", str(path), "--verify"]) == 0
    assert capsys.readouterr().out.startswith("right: ")
    assert main(["play", "--resume", str(path)]) == 2
    assert capsys.readouterr().err == "rum500 play: --resume: going on with a match needs a terminal\n"


def test_plain_output_is_letters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--plain", "--target", "50", "--players", "3", "--seed", "2"]) == 0
    assert capsys.readouterr().out.isascii()


# --- in a terminal ---------------------------------------------------------------------------------


class Terminal:
    """A real terminal of 80 by 24 with `rum500` in it."""

    def __init__(self, home: Path, *words: str) -> None:
        own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        for name in ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL", "FORCE_COLOR"):
            environment.pop(name, None)
        # A session of its own, whose terminal this becomes: so Ctrl-C reaches the game, and it alone.
        start = "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
        run = "from rum500.cli import main; sys.exit(main(sys.argv[1:]))"
        self.process = subprocess.Popen(
            [sys.executable, "-c", start + run, "play", *words, "--delay", "0"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        self.fd = own
        self.text = ""

    def read(self, wanted: str) -> str:
        """What comes until this pattern stands at the end."""
        start = len(self.text)
        for left in attempts():
            if re.search(wanted, plain(self.text[start:])):
                break
            if select.select([self.fd], [], [], left)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:  # the game has ended
                    break
        else:
            raise AssertionError(f"no {wanted!r} in {plain(self.text[start:])!r}")
        return plain(self.text[start:])

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        """The exit code."""
        self.read(r"\Z(?!)")
        code = self.process.wait(PATIENCE)
        os.close(self.fd)
        return code


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


PROMPT = r"(\n> |[?:] |Enter[^\n]* > |more[^\n]* |go on )\Z"


def by_hints(screen: str) -> str:
    """A line that asks for a hint, or types exactly what the hint says; Enter where no play is asked for."""
    if not screen.endswith("\n> "):
        return "\n"
    hinted = re.search(r" bot would (.+?)( \(.*\))?\. ", " ".join(screen.split()))
    return f"{hinted[1]}\n" if hinted else "hint\n"


def play_until(terminal: Terminal, wanted: str) -> str:
    """Play by hints until this is on the screen."""
    for _ in range(2000):
        screen = terminal.read(PROMPT + "|" + wanted)
        if re.search(wanted, screen):
            return screen
        terminal.type(by_hints(screen))
    raise AssertionError(f"no {wanted!r}")


@pytest.mark.parametrize(
    ("words", "plays"),
    [
        ("persian-rummy --seed 5", "draw take meld lay discard"),
        ("500-rum --players 2 --target 120 --seed 2", "draw take meld lay discard"),
        (
            "rummy-500 --house-rule H6 --players 3 --target 100 --bot random --seed 1",
            "draw take meld lay discard call",
        ),
    ],
)
def test_a_whole_match_is_played_by_typing_what_hints_say(words: str, plays: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--profile", *words.split())
    play_until(terminal, r"rum500 replay \S+\n")
    assert terminal.end() == 0
    assert set(re.findall(r"\n> (draw|take|meld|lay|discard|call) ?", plain(terminal.text))) == set(
        plays.split()
    )
    for complaint in ("Found '", "Not allowed", "No suggestion", "is nothing to do here"):
        assert complaint not in plain(terminal.text)
    (path,) = (tmp_path / "rum500").iterdir()
    assert Record.load(path).verify() == []


def test_a_match_in_a_terminal_is_interrupted_and_resumed(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--profile", "persian", "--seed", "5")
    screen = play_until(terminal, r"This deal +−?\d+")
    assert "Deal 1 of 2 · " in screen
    assert "\x1b[" in terminal.text
    assert "48;" in terminal.text
    terminal.type("\n")
    play_until(terminal, r"deal 2 of 2")
    terminal.type("\x03")
    notice = terminal.read(r"--resume \S+\n")
    path = Path(re.findall(r"rum500 play --resume (\S+)", notice)[0])
    assert terminal.end() == 0
    assert path.parent == tmp_path / "rum500"
    assert {problem.code for problem in Record.load(path).verify()} <= {"record.unfinished"}

    again = Terminal(tmp_path, "--resume")
    screen = play_until(again, r"rum500 replay \S+\n")
    assert re.search(r"wins? the match after two deals|The match is drawn", screen)
    assert again.end() == 0
    record = Record.load(path)
    assert (len(record.deals), record.verify()) == (2, [])


@pytest.mark.parametrize("leave", ["\x04", signal.SIGTERM, signal.SIGHUP], ids=str)
def test_leaving_a_terminal_by_other_ways(tmp_path: Path, leave: str | signal.Signals) -> None:
    """End of input, a request to end, a hang-up: the match is kept."""
    terminal = Terminal(tmp_path, "--players", "2", "--seed", "1", "--bot", "random")
    play_until(terminal, r"deal 1 [^$]*\n> \Z")
    if isinstance(leave, str):
        terminal.type(leave)
    else:
        terminal.process.send_signal(leave)
    terminal.read(r"--resume \S+\n")
    assert terminal.end() == 0
    (path,) = (tmp_path / "rum500").iterdir()
    sat, saves, _ = resumed(path)
    saves.close()
    assert isinstance(sat.match.decision, PlayNeeded)
    again = Terminal(tmp_path, "--seed", "1")
    assert "Your last match is not over: rum500 play --resume" in again.read(r"Draw for deal[^\n]* > \Z")
    again.type("q\n")
    assert again.end() == 0


def test_a_bot_that_never_answers_is_left(tmp_path: Path) -> None:
    """By Ctrl-C, at once; what was played is kept."""
    bot = tmp_path / "stuck.py"
    bot.write_text(
        "class Stuck:\n    name = 'stuck'\n\n    def choose(self, view, rng):\n"
        "        print('thinking it over', flush=True)\n        while True:\n            pass\n"
    )
    terminal = Terminal(tmp_path, "--players", "2", "--seed", "1", "--bot", str(bot))
    play_until(terminal, "thinking it over")
    terminal.type("\x03")
    terminal.read(r"--resume \S+\n")
    assert terminal.end() == 0


def test_leaving_before_the_draw_leaves_no_file(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--seed", "1")
    terminal.read(r"Draw for deal[^\n]* > \Z")
    terminal.type("\x03")
    assert "Nothing was drawn yet" in terminal.read(r"kept\.\n")
    assert terminal.end() == 0
    assert list((tmp_path / "rum500").iterdir()) == []
