"""A run continues where it was stopped, even by a kill, and ends with the same numbers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import SimulationError, players, simulate
from rum500.sim.arena import arena
from tests.support.processes import started
from tests.support.waiting import until

RULES = ruleset("500-rum")
WORDS = ["--bots", "greedy,random", "--pairs", "40", "--seed", "11", "--json"]


def shown(text: str) -> dict:
    """Results without what depends on the clock."""
    return {key: value for key, value in json.loads(text).items() if key != "seconds"}


def children(parent: int) -> set[int]:
    """The processes below a process."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent and fields[0] != "Z":
                found.add(int(entry.name))
    return found


def running(process: int) -> bool:
    """Whether a process is there and no mere entry of one that ended."""
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_run_that_was_killed_goes_on_and_ends_with_the_same_numbers(tmp_path, capsys):
    kept = tmp_path / "arena.run"
    command = [sys.executable, "-m", "rum500", "arena", *WORDS, "--run", str(kept), "--workers", "2"]
    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until(lambda: process.poll() is not None or (kept.exists() and kept.read_bytes().count(b"\n") >= 4))
        assert process.poll() is None, "the run ended before it could be killed"
        workers = children(process.pid)
    lines = kept.read_bytes().count(b"\n")
    played = sum(json.loads(line)["count"] for line in kept.read_bytes().splitlines()[1:lines])
    assert 0 < played < 40
    assert workers
    until(lambda: not any(map(running, workers)))  # no worker outlives a parent that was killed
    assert main(["arena", *WORDS, "--run", str(kept), "--workers", "1"]) == 0
    resumed = shown(capsys.readouterr().out)
    assert main(["arena", *WORDS, "--workers", "1"]) == 0
    assert resumed == shown(capsys.readouterr().out)


@pytest.mark.parametrize("cut", [1, 7, 60])
def test_a_line_that_was_cut_off_is_played_again(tmp_path, cut):
    kept = tmp_path / "arena.run"
    whole = arena(RULES, ["greedy", "random"], 6, 3, unit="deal", run=kept)
    os.truncate(kept, kept.stat().st_size - cut)
    again = arena(RULES, ["greedy", "random"], 6, 3, unit="deal", run=kept)
    assert again.scores == whole.scores
    assert arena(RULES, ["greedy", "random"], 6, 3, unit="deal", run=kept).scores == whole.scores


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 4}, "other seed"),
        ({"bots": ["random", "greedy"]}, "other bots"),
        ({"rules": ruleset("500-rum", house_rules=("H5",))}, "other rules"),
        ({"unit": "match"}, "other unit"),
        ({"players": 3}, "other players"),
    ],
)
def test_the_file_of_another_run_is_refused(tmp_path, changes, message):
    kept = tmp_path / "arena.run"
    asked = {"rules": RULES, "bots": ["greedy", "random"], "pairs": 2, "seed": 3, "unit": "deal", "run": kept}
    arena(**asked)
    before = kept.read_bytes()
    with pytest.raises(SimulationError, match=message):
        arena(**asked | changes)
    assert kept.read_bytes() == before


@pytest.mark.parametrize("held", [0, 3, 40])
def test_a_first_line_that_was_cut_off_is_begun_again(tmp_path, held):
    kept = tmp_path / "arena.run"
    whole = arena(RULES, ["greedy", "random"], 3, 3, unit="deal", run=kept)
    os.truncate(kept, held)
    assert arena(RULES, ["greedy", "random"], 3, 3, unit="deal", run=kept).scores == whole.scores


@pytest.mark.parametrize("text", ["hello\n", "hello", "{}\n", "[1]\n", "\n", "one\ntwo\nthree"])
def test_some_other_file_is_refused_and_left_alone(tmp_path, text):
    kept = tmp_path / "notes.txt"
    kept.write_text(text)
    with pytest.raises(SimulationError, match="is not the file of a run"):
        arena(RULES, ["greedy", "random"], 2, run=kept)
    assert kept.read_text() == text


def twice(held: bytes) -> bytes:
    """With the last line once more."""
    return held + held.splitlines(keepends=True)[-1]


def shortened(held: bytes) -> bytes:
    """With fewer numbers than the last line's deals have."""
    return re.sub(rb",[^,]*]}\n$", b"]}\n", held)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda held: held.replace(b'"rows"', b'"bows"', 1),
        lambda held: held.replace(b'"contest":0', b'"contest":7', 1),
        twice,
        shortened,
    ],
)
def test_damaged_file_is_reported(tmp_path, spoil):
    kept = tmp_path / "arena.run"
    arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept)
    kept.write_bytes(spoil(kept.read_bytes()))
    with pytest.raises(SimulationError, match="is damaged"):
        arena(RULES, ["greedy", "random"], 4, unit="deal", run=kept)


def test_a_file_that_a_run_writes_to_is_no_other_runs(tmp_path):
    kept, refused = tmp_path / "arena.run", []

    def meanwhile(_tally):
        if not refused:
            with pytest.raises(SimulationError, match="a run that is under way") as error:
                arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept)
            refused.append(error)

    arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept, progress=meanwhile)
    assert refused


@pytest.mark.parametrize("command", ["arena", "simulate"])
def test_a_run_under_way_keeps_the_output_that_the_same_command_would_overwrite(tmp_path, command):
    kept, out, refused = tmp_path / "a.run", tmp_path / "deals.parquet", []

    def play(progress=None):
        if command == "arena":
            arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept, out=out, progress=progress)
        else:
            simulate(RULES, 2, 20, bots=("random",), run=kept, out=out, progress=progress)

    def meanwhile(_):
        if not refused:
            with pytest.raises(SimulationError, match="a run that is under way") as error:
                play()
            refused.append(error)

    play(meanwhile)
    assert refused
    assert parquet.read_table(out).num_rows > 0
    assert {each.name for each in tmp_path.iterdir()} == {kept.name, out.name, "deals.parquet.md"}


def test_with_other_sources_of_ours_a_run_is_another(tmp_path, monkeypatch):
    kept = tmp_path / "arena.run"
    arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept)
    held = kept.read_bytes()
    monkeypatch.setattr("rum500.sim.players.own_sources", lambda: "0123456789abcdef")
    with pytest.raises(
        SimulationError, match="rum500 itself changed since that run began; take another file"
    ):
        arena(RULES, ["greedy", "random"], 4, unit="deal", run=kept)
    assert kept.read_bytes() == held


@pytest.mark.parametrize(
    "file",
    [
        "rng.py",
        "search/playouts.py",
        "rules/engine/core.pxd",
        "ai/weights/two-plain.toml",
        "spaces/features.py",
    ],
)
def test_each_file_that_decides_a_play_is_in_the_digest(tmp_path, file):
    ours = tmp_path / "rum500"
    shutil.copytree(
        players._PACKAGE, ours, ignore=shutil.ignore_patterns("*.so", "server", "cli", "__pycache__")
    )
    found = [players.own_sources()]
    for text in ("", "# changed\n"):
        with (ours / file).open("a") as source:
            source.write(text)
        found.append(players.sources_in(ours))
    assert found[0] == found[1] != found[2]


PROGRAM = """
class Mine:
    name = "mine"

    def choose(self, view, rng):
        return view.legal[{}]
"""


@pytest.mark.parametrize(
    "bot", ["run_bot.py", "run_bot:Mine", "run_bot:make", "answers:worlds=1:turns=1:run_bot.py"]
)
def test_a_bot_that_was_changed_does_not_go_on_with_its_old_file(tmp_path, monkeypatch, bot):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "run_bot", raising=False)
    Path("run_bot.py").write_text(PROGRAM.format(0) + "def make(): return Mine()\n")
    kept = tmp_path / "arena.run"
    one = arena(RULES, [bot, "random"], 1, unit="deal", run=kept)
    assert arena(RULES, [bot, "random"], 1, unit="deal", run=kept).scores == one.scores
    Path("run_bot.py").write_text(PROGRAM.format(-1) + "def make(): return Mine()\n")
    with pytest.raises(SimulationError, match=f"arena.run: {bot} changed since that run began; take another"):
        arena(RULES, [bot, "random"], 2, unit="deal", run=kept)


def test_a_file_that_says_nothing_of_sources_is_refused(tmp_path):
    kept = tmp_path / "arena.run"
    arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept)
    head, _, rest = kept.read_text().partition("\n")
    shown = json.loads(head)
    del shown["sources"]
    kept.write_text(
        json.dumps(shown | {"format": 2, "weights": "0123456789abcdef"}, separators=(",", ":")) + f"\n{rest}"
    )
    with pytest.raises(SimulationError, match="was written by another version of rum500; take another file"):
        arena(RULES, ["greedy", "random"], 2, unit="deal", run=kept)


@pytest.mark.parametrize("place", [".", "missing/deals.parquet"])
def test_unwritable_path_is_reported_before_playing(tmp_path, monkeypatch, place):
    monkeypatch.setattr("rum500.sim.job_queue.run_job", None)
    with pytest.raises(OSError, match="directory"):
        arena(RULES, ["greedy", "random"], 2, unit="deal", out=tmp_path / place)
