"""A real Dask cluster of two workers, one of which is killed while it plays: the results are the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import rum500
from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import simulate
from tests.support.processes import started
from tests.support.waiting import PATIENCE, until

pytest.importorskip("distributed")

BOT = """
import os, pathlib, time

HERE = pathlib.Path(__file__).parent
chosen = 0

class Held:
    name = "held"

    def choose(self, view, rng):
        global chosen
        chosen += 1
        if chosen == 10 and (HERE / "held").read_text() == str(os.getpid()):
            (HERE / "caught").touch()
            time.sleep(3600)
        return view.legal[rng.below(len(view.legal))]
"""
"""Plays at random, but in one process, which a file names, it stops in the middle of a deal."""


@contextmanager
def dask(log: Path, what: str, *words: object, bare: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """A Dask scheduler or worker, ended after the block; a bare one finds no rum500."""
    run = [sys.executable, "-m", f"distributed.cli.dask_{what}", *map(str, words), "--no-dashboard"]
    here = dict(os.environ)
    if bare:
        packages = log.parent / "packages"
        packages.mkdir()
        for entry in Path(next(path for path in sys.path if path.endswith("site-packages"))).iterdir():
            if "rum500" not in entry.name:
                (packages / entry.name).symlink_to(entry)
        here["PYTHONPATH"] = str(packages)
        run.insert(1, "-S")
    with (
        log.open("wb") as out,
        started(run, stdout=out, stderr=subprocess.STDOUT, cwd=log.parent, env=here) as process,
    ):
        yield process


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler without workers."""
    log = tmp_path / "scheduler.log"
    with dask(log, "scheduler", "--host", "127.0.0.1", "--port", 0):
        yield address_in(log)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills a process")
@pytest.mark.parametrize(
    "command",
    ["simulate --deals 60", pytest.param("arena --pairs 30 --unit deal", marks=pytest.mark.whole)],
)
def test_job_of_a_killed_worker_is_repeated(tmp_path, capsys, monkeypatch, scheduler, command):
    (tmp_path / "held_bot.py").write_text(BOT)
    held = tmp_path / "held"
    held.touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "held_bot", raising=False)
    words = [*command.split(), *f"--seed 7 --bots {tmp_path / 'held_bot.py'},random --json".split()]
    assert main([*words, "--workers", "1"]) == 0
    whole = json.loads(capsys.readouterr().out)
    with ExitStack() as stack:
        logs = [tmp_path / f"worker-{number}.log" for number in (1, 2)]
        workers = [
            stack.enter_context(dask(log, "worker", f"tcp://{scheduler}", "--nthreads", 1, "--no-nanny"))
            for log in logs
        ]
        until(lambda: all(b"Registered to" in log.read_bytes() for log in logs))
        held.write_text(str(workers[0].pid))
        kept = tmp_path / "kept.run"
        run = [sys.executable, "-m", "rum500", *words, "--executor", f"dask://{scheduler}", "--run", kept]
        with started(run, stdout=subprocess.PIPE, cwd=tmp_path) as process:
            until((tmp_path / "caught").exists)
            assert process.poll() is None
            workers[0].kill()
            out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    done = json.loads(out)
    lines = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    assert workers[1].pid in {int(line["worker"].split(":")[1]) for line in lines}
    for clock in ("seconds", "workers"):
        whole.pop(clock, None), done.pop(clock, None)
    assert done == whole


def test_missing_scheduler_is_reported(capsys, monkeypatch):
    monkeypatch.setattr("rum500.sim.executors.PATIENCE_S", 0.1)
    assert main(["simulate", "--executor", "dask://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err == (
        "rum500 simulate: no Dask scheduler answers at 127.0.0.1:1; start it: dask scheduler --port 1\n"
    )


def played(folder: Path, scheduler: str) -> tuple[int, str, str]:
    """The exit code, output and errors of a simulation that ends by itself."""
    run = [sys.executable, "-m", "rum500", "simulate", "--executor", f"dask://{scheduler}"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.whole
def test_scheduler_without_workers_is_reported(tmp_path, scheduler):
    code, out, errors = played(tmp_path, scheduler)
    assert (code, out) == (2, "")
    assert errors == (
        f"rum500 simulate: the Dask scheduler at {scheduler} has no worker; "
        f"start some: dask worker tcp://{scheduler} --nthreads 1\n"
    )


@pytest.mark.whole
def test_worker_without_rum500_is_reported(tmp_path, scheduler):
    log = tmp_path / "worker.log"
    with dask(log, "worker", f"tcp://{scheduler}", "--nthreads", 1, "--no-nanny", bare=True):
        until(lambda: b"Registered to" in log.read_bytes())
        code, out, errors = played(tmp_path, scheduler)
    assert (code, out) == (2, "")
    assert re.fullmatch(
        rf"rum500 simulate: tcp://\S+ of the Dask cluster at {scheduler} has no rum500; "
        rf"install 'rum500\[dask\]=={re.escape(rum500.__version__)}' there\n",
        errors,
    )


@pytest.mark.whole
def test_run_resumes_from_its_file_after_the_scheduler_ended(tmp_path, capsys):
    kept = tmp_path / "kept.run"
    words = ["simulate", "--deals=400", "--bots=greedy", "--seed=7", "--json", f"--run={kept}"]
    logs = [tmp_path / "scheduler.log", tmp_path / "worker.log"]
    with dask(logs[0], "scheduler", "--host", "127.0.0.1", "--port", 0) as ending:
        address = address_in(logs[0])
        with dask(logs[1], "worker", f"tcp://{address}", "--nthreads", 1, "--no-nanny"):
            run = [sys.executable, "-m", "rum500", *words, "--executor", f"dask://{address}"]
            with started(run, stderr=subprocess.PIPE, text=True) as process:
                until(lambda: kept.exists() and count(kept) > 1)
                assert process.poll() is None
                ending.kill()
                _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert errors == "rum500 simulate: the executor gave up a job: has its scheduler ended?\n"
    before = count(kept)
    assert main([*words, "--workers", "1"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert count(kept) > before
    assert done["checksum"] == simulate(ruleset("500-rum"), 2, 400, 7, ["greedy"]).checksum


def count(run: Path) -> int:
    """The number of whole lines."""
    return run.read_bytes().count(b"\n")


def address_in(log: Path) -> str:
    """The address that a scheduler prints when it has started."""
    until(lambda: b"Scheduler at" in log.read_bytes())
    found = re.search(r"Scheduler at: *tcp://(\S+)", log.read_text())
    assert found
    return found[1]
