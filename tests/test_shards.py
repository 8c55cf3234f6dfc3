"""Runs in parts: jobs run anywhere, and executors and merged shards give the results of one process."""

from __future__ import annotations

import base64
import json
import pickle
import random
import re
import shutil
import sys
import zlib
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rum500 import bots
from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import (
    Shard,
    Simulation,
    SimulationError,
    arena,
    jobs,
    merge,
    merge_files,
    players,
    run_job,
    simulate,
)
from rum500.sim import run_file as stored_runs
from rum500.sim.arena import run_ladder
from tests.support.depth import depth
from tests.support.odd_values import odd

RULES = ruleset("500-rum")
SEATED = ["greedy", "random"]


class Shuffled(Executor):
    """Pickles each job, and runs it only when its result is asked for, after those submitted later."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future, bytes]] = []
        self.most = 0

    def submit(self, fn, /, *args, **kwargs):
        future = _Asked(self)
        self.waiting.append((future, pickle.dumps((fn, args, kwargs))))
        self.most = max(self.most, len(self.waiting))
        return future

    def run_all(self) -> None:
        while self.waiting:
            future, packed = self.waiting.pop()
            fn, args, kwargs = pickle.loads(packed)
            future.set_result(pickle.loads(pickle.dumps(fn(*args, **kwargs))))


class _Asked(Future):
    def __init__(self, executor: Shuffled) -> None:
        super().__init__()
        self.executor = executor

    def result(self, timeout=None):
        self.executor.run_all()
        return super().result(timeout)


def shown(done: Simulation) -> dict:
    """Results without what depends on the clock and the division."""
    return {key: value for key, value in done.as_dict().items() if key not in {"seconds", "workers"}}


def shards(folder: Path, of: int, deals: int = 30, **changes: object) -> list[Path]:
    """Play all shards of a simulation."""
    paths = [folder / f"part-{number}.run" for number in range(1, of + 1)]
    for number, path in enumerate(paths, 1):
        asked = {"rules": RULES, "players": 2, "deals": deals, "seed": 5, "bots": SEATED} | changes
        simulate(**asked, shard=Shard(number, of), run=path)
    return paths


def command(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


# --- jobs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seated", [["random"], ["club"], SEATED, [bots.get("greedy")]])
def test_jobs_run_anywhere_and_in_any_order(seated):
    made = [pickle.loads(pickle.dumps(job)) for job in jobs(RULES, 2, 25, 5, seated, size=7)]
    assert [(job.first, job.count) for job in made] == [(0, 7), (7, 7), (14, 7), (21, 4)]
    batches = [pickle.loads(pickle.dumps(run_job(job))) for job in reversed(made)]
    assert shown(merge(batches)) == shown(simulate(RULES, 2, 25, 5, seated))


def test_jobs_of_an_arena_run_anywhere_and_in_any_order():
    whole = arena.arena(RULES, ["greedy", "random", "club"], 5, 3, unit="deal")
    batches = [run_job(job) for job in arena.jobs(whole.plan, size=2)]
    assert len(batches) == 9
    done = arena.merge(reversed(batches))
    assert done.scores == whole.scores and done.notes == whole.notes


def test_results_that_do_not_fit_together_are_refused():
    batches = [run_job(job) for job in jobs(RULES, 2, 30, 5, size=10)]
    other = [run_job(job) for job in jobs(RULES, 2, 30, 6, ["greedy"], size=10)]
    for given, message in (
        ([], "there is nothing to merge"),
        (batches[:1] + batches[2:], "deals 10 to 19 are missing"),
        (batches[:2], "deals 20 to 29 are missing"),
        (batches + batches[1:2], "deals 10 to 19 are there twice"),
        (batches[:2] + other[2:], r"these results are of different runs \(other bots, seed\)"),
    ):
        with pytest.raises(SimulationError, match=message):
            merge(given)
    with pytest.raises(SimulationError, match="the size of a job, in deals, is 1 or more, not 0"):
        jobs(RULES, 2, 30, size=0)


def test_other_code_than_that_of_the_run_is_refused(monkeypatch):
    (job,) = jobs(RULES, 2, 5)
    monkeypatch.setattr(players, "own_sources", lambda: "0123456789abcdef")
    with pytest.raises(SimulationError, match=r"rum500 itself is not the same at .* install the same"):
        run_job(job)


def test_another_file_of_a_bot_than_that_of_the_run_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "far_bot", raising=False)
    bot = tmp_path / "far_bot.py"
    bot.write_text("class Far:\n    name = 'far'\n    def choose(self, view, rng): return view.legal[0]\n")
    (job,) = jobs(RULES, 2, 5, bots=[str(bot)])
    run_job(job)
    bot.write_text(bot.read_text().replace("[0]", "[-1]"))
    run_job(job)  # this process has read it before
    players.close_players()
    with pytest.raises(SimulationError, match=r"far_bot.py is not the same at "):
        run_job(job)


# --- executors -------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "seated", [["random"], pytest.param(["strong:worlds=2", "greedy"], marks=pytest.mark.compiled)]
)
def test_any_executor_gives_the_same_results(seated):
    deals = 5000 if seated == ["random"] else 12
    whole = shown(simulate(RULES, 2, deals, 5, seated))
    with ThreadPoolExecutor(3) as threads:
        assert shown(simulate(RULES, 2, deals, 5, seated, 3, executor=threads)) == whole
    later = Shuffled()
    assert shown(simulate(RULES, 2, deals, 5, seated, 2, executor=later)) == whole
    assert later.most == min(7, deals)  # one for each worker, and two that wait


def test_an_arena_and_a_ladder_take_any_executor():
    whole = arena.arena(RULES, ["greedy", "random", "club"], 6, 3, unit="deal")
    done = arena.arena(RULES, ["greedy", "random", "club"], 6, 3, unit="deal", workers=2, executor=Shuffled())
    assert done.scores == whole.scores
    asked = {"tables": run_ladder.games(["500-rum"]), "asked": ("random", "greedy"), "pairs": 3}
    assert run_ladder.ladder(**asked, executor=Shuffled()).scores == run_ladder.ladder(**asked).scores


def test_abandoned_job_of_an_executor_is_reported():
    class Ended(Executor):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.cancel()
            return future

    with pytest.raises(SimulationError, match="the executor gave up a job: has its scheduler ended"):
        simulate(RULES, 2, 5, executor=Ended())


# --- shards ----------------------------------------------------------------------------------------


def test_shards_are_merged_to_the_results_of_one_process(tmp_path, monkeypatch):
    """The totals, the checksum, and Parquet to the byte."""
    monkeypatch.setattr("rum500.sim.parquet.DealFile.GROUP", 9)
    whole = simulate(RULES, 2, 31, 5, SEATED, out=tmp_path / "whole.parquet")
    for of in (1, 2, 5):
        (tmp_path / str(of)).mkdir()
        done = merge_files(shards(tmp_path / str(of), of, 31)[::-1], tmp_path / "merged.parquet")
        assert shown(done) == shown(whole)
        assert (tmp_path / "merged.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


def test_a_shard_writes_its_own_rows(tmp_path):
    done = simulate(RULES, 2, 30, 5, shard=Shard(2, 3), out=tmp_path / "part.parquet")
    assert (done.deals, done.shard) == (10, "2/3")
    assert pq.read_table(tmp_path / "part.parquet")["deal"].to_pylist() == list(range(10, 20))


def test_a_shard_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    path, again = shards(tmp_path, 2)
    held = path.read_bytes()
    path.write_bytes(held[: held.rindex(b"\n", 0, -1) + 9])
    with pytest.raises(
        SimulationError, match=r"part-1.run: shard 1/2 is not finished, deals \d+ to 14 are missing"
    ):
        merge_files([path, again])
    shards(tmp_path, 2)
    assert merge_files([path, again]).checksum == simulate(RULES, 2, 30, 5, SEATED).checksum
    monkeypatch.setattr("rum500.sim.job_queue.run_job", None)
    shards(tmp_path, 2)  # nothing is left to be played


def test_a_simulation_goes_on_for_longer_or_is_cut_short(tmp_path):
    kept = tmp_path / "deals.run"
    for deals in (20, 33, 9):
        out = tmp_path / "deals.parquet"
        done = simulate(RULES, 2, deals, 5, SEATED, run=kept, out=out)
        assert shown(done) == shown(simulate(RULES, 2, deals, 5, SEATED))
        assert pq.read_table(out).num_rows == deals


def test_a_merge_needs_no_bots(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "gone_bot", raising=False)
    bot = Path("gone_bot.py")
    bot.write_text("class Gone:\n    name = 'gone'\n    def choose(self, view, rng): return view.legal[0]\n")
    paths = shards(tmp_path, 2, 6, bots=["gone_bot.py", "strong:worlds=1:seconds=9"])
    bot.unlink()
    done = merge_files(paths)
    assert done.bots == ("gone_bot.py", "strong:worlds=1:seconds=9")
    assert done.as_dict()["by_the_clock"] == ["strong:worlds=1:seconds=9"]


@pytest.mark.parametrize(
    ("changes", "other"),
    [
        ({"seed": 6}, "seed"),
        ({"deals": 31}, "deals"),
        ({"rules": ruleset("500-rum", house_rules=("H5",))}, "rules"),
        ({"bots": ["random"], "players": 3}, "bots, players"),
    ],
)
def test_shards_of_different_runs_are_refused(tmp_path, changes, other):
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    paths = [shards(one, 2)[0], shards(two, 2, **changes)[1]]
    message = rf"part-2.run: is of another run than .*part-1.run \(other {other}\)$"
    with pytest.raises(SimulationError, match=message):
        merge_files(paths)


def test_shards_played_by_different_code_are_refused(tmp_path, monkeypatch):
    first, _ = shards(tmp_path, 2)
    kept = shutil.copy(first, tmp_path / "kept.run")
    for path in tmp_path.glob("part-*"):
        path.unlink()
    monkeypatch.setattr(players, "own_sources", lambda: "0123456789abcdef")
    _, second = shards(tmp_path, 2)
    with pytest.raises(SimulationError, match=r"part-2.run: rum500 itself is not the same as in .*kept.run$"):
        merge_files([kept, second])


def test_shards_that_are_missing_or_there_twice_are_refused(tmp_path):
    paths = shards(tmp_path, 8)
    again = tmp_path / "again.run"
    shutil.copy(paths[3], again)
    for given, message in (
        (paths[:7], r"^shard 8/8 is missing$"),
        (paths[1::2], r"^shards 1/8, 3/8, 5/8, 7/8 are missing$"),
        (paths[:1], r"^shards 2/8, 3/8, 4/8, 5/8, 6/8 and 2 more are missing$"),
        ([*paths, again], r"again.run: is shard 4/8, and so is .*part-4.run"),
        ([], r"no file of a shard is named"),
    ):
        with pytest.raises(SimulationError, match=message):
            merge_files(given)
    (tmp_path / "other").mkdir()
    other = shards(tmp_path / "other", 2)
    with pytest.raises(SimulationError, match=r"part-2.run: is shard 2/2, and .*part-1.run is shard 1/8"):
        merge_files([paths[0], other[1]])


@pytest.mark.sample(1)
@pytest.mark.parametrize("of", ["arena", "ladder"])
def test_an_arena_and_a_ladder_are_merged_too(tmp_path, capsys, of):
    words = {
        "arena": [
            "arena",
            *["--bots", "greedy,random,club", "--pairs", "7", "--unit", "deal", "--seed", "3"],
        ],
        "ladder": [
            "ladder",
            *["--games", "500-rum,michigan-rum/3", "--bots", "random,greedy,casual", "--pairs", "4"],
        ],
    }[of]
    pages = [tmp_path / "whole.md", tmp_path / "merged.md"]
    out = [["--out", page] if of == "ladder" else [] for page in pages]
    code, whole, _ = command(capsys, *words, *out[0], "--workers", 1, "--json")
    assert code == 0
    paths = [tmp_path / f"part-{number}.run" for number in (1, 2, 3)]
    for number, path in enumerate(paths, 1):
        code, said, _ = command(capsys, *words, "--shard", f"{number}/3", "--run", path, "--workers", 1)
        assert code == 0
        assert said.endswith(
            f"Shard {number}/3 is kept in {path}. When all 3 are there: rum500 {of} merge FILES\n"
        )
    code, merged, errors = command(capsys, of, "merge", *paths[::-1], *out[1], "--json")
    assert (code, errors) == (0, "")
    one, other = json.loads(whole), json.loads(merged)
    del one["seconds"], other["seconds"]
    assert one == other
    if of == "ladder":
        one, other = (
            re.sub(r"whole|merged|[\d.]+ (s|seconds|minutes)\b", "", page.read_text()) for page in pages
        )
        assert one == other and not list(tmp_path.glob("part-*.md"))


def test_a_sequential_test_is_not_divided(tmp_path):
    with pytest.raises(SimulationError, match="a sequential test cannot be divided into shards"):
        arena.arena(RULES, SEATED, 8, sprt=arena.bounds("match"), shard=Shard(1, 2), run=tmp_path / "a.run")
    plan = arena.Plan(RULES, 2, tuple(SEATED), 8, 1, sprt=arena.bounds("match"))
    with pytest.raises(SimulationError, match="a sequential test decides from results what is played"):
        arena.jobs(plan)


# --- foreign files ---------------------------------------------------------------------------------

RUNS = {
    "simulate": "simulate --bots greedy,random --deals 6 --run {0} --moves {1}",
    "arena": "arena --bots greedy,random --pairs 2 --run {0}",
    "ladder": "ladder --games michigan-rum --bots random,greedy --pairs 2 --shard 1/1 --run {0}",
    "study": "study {2} --run {0} --out {3}",
}
OUTS = {"simulate": ("--out", "--moves"), "arena": ("--out",), "ladder": ("--out",), "study": ("--out",)}


@pytest.fixture(scope="module", params=RUNS)
def run_file(request, tmp_path_factory) -> Path:
    """The file of a run of each command, named after it."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "s.toml").write_text("deals = 2\n[vary]\nbots = ['random', 'greedy']\n")
    path = folder / request.param
    places = (path, folder / "moves.parquet", folder / "s.toml", folder / "out")
    assert main([*RUNS[request.param].format(*places).split(), "--workers", "1"]) == 0
    return path


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(depth(4, 60)))
def test_mutated_file_of_a_run_is_merged_or_refused_in_one_line(seed, run_file, tmp_path, capsys):
    chance, lines = random.Random(seed), run_file.read_bytes().splitlines(keepends=True)
    for number in range(depth(12, 40)):
        path, outs = tmp_path / f"{number}.run", [tmp_path / f"out{at}" for at in range(2)]
        changed, at = [*lines], chance.choice((0, -1, chance.randrange(len(lines))))
        if chance.random() < 0.8:
            changed[at] = json.dumps(odd(json.loads(lines[at]), chance)).encode() + b"\n"
        else:
            data, place = bytearray(lines[at]), chance.randrange(len(lines[at]))
            data[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
            changed[at] = bytes(data)
        path.write_bytes(b"".join(changed))
        options = [word for pair in zip(OUTS[run_file.name], outs, strict=False) for word in pair]
        code, _, err = command(capsys, run_file.name, "merge", path, *options)
        assert code in (0, 2) and err.count("\n") == (code == 2), (changed[at][:300], err)
        if code:
            assert err.startswith(f"rum500 {run_file.name}: ") and not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("run", RUNS)
def test_files_without_an_end_are_refused(run, tmp_path, capsys):
    """No file is read further than a line of a run can be long, and no moves are unpacked further."""
    for path in ("/dev/zero", tmp_path / "nested.run"):
        (tmp_path / "nested.run").write_bytes(b'{"format":4,"a":' + b"[" * 200_000 + b"\n")
        code, _, err = command(capsys, run, "merge", path)
        assert (code, err) == (2, f"rum500 {run}: {path}: is not the file of a run\n")


def test_packed_moves_are_bounded(tmp_path, capsys, monkeypatch):
    most = depth(8 << 20, stored_runs.MOST_MOVES)
    monkeypatch.setattr(stored_runs, "MOST_MOVES", most)
    path, packed = tmp_path / "bomb.run", zlib.compressobj(1)
    simulate(RULES, 2, 2, run=path, moves=tmp_path / "moves.parquet")
    data = b"".join(packed.compress(bytes(1 << 20)) for _ in range((most >> 20) + 1)) + packed.flush()
    bomb = base64.b64encode(data)
    path.write_bytes(re.sub(rb'"moves":"[^"]*"', lambda _: b'"moves":"' + bomb + b'"', path.read_bytes()))
    code, _, err = command(capsys, "simulate", "merge", path)
    assert (code, err) == (
        2,
        f"rum500 simulate: {path}: line 2 is damaged; take another file, or delete it\n",
    )


# --- the command -----------------------------------------------------------------------------------


def test_the_command_plays_shards_and_merges_them(capsys, tmp_path):
    words = ["simulate", *["--deals", "40", "--seed", "7", "--bots", "greedy,random", "--workers", "1"]]
    _, whole, _ = command(capsys, *words)
    paths = [tmp_path / f"part-{number}.run" for number in (1, 2)]
    for number, path in enumerate(paths, 1):
        code, said, _ = command(capsys, *words, "--shard", f"{number}/2", "--run", path)
        assert code == 0
        assert said.startswith(f"500 Rum (500-rum): 20 deals, 2 players, seed 7, shard {number}/2\n")
        assert said.endswith(
            f"Shard {number}/2 is kept in {path}. When all 2 are there: rum500 simulate merge FILES\n"
        )
    out = tmp_path / "deals.parquet"
    code, merged, _ = command(capsys, "simulate", "merge", *paths, "--out", out)
    clock = re.compile(r" in [\d.]+ s of playing.*")
    assert code == 0 and clock.sub("", merged) == clock.sub("", whole) + f"Written to {out}\n"
    code, text, _ = command(capsys, "simulate", "merge", *paths, "--json")
    assert (json.loads(text)["shard"], json.loads(text)["deals"]) == ("1/1", 40)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--shard 3/2 --run x.run", "--shard: there is no shard 3/2: they are numbered from 1/2 to 2/2"),
        ("--shard 0/2 --run x.run", "--shard: there is no shard 0/2"),
        ("--shard two --run x.run", "--shard: 'two' is no shard; write I/N, such as 2/4"),
        ("--shard 1/2", "--shard needs --run FILE"),
        ("--shard 1/9 --deals 8 --run x.run", "8 deals cannot be divided into 9 shards"),
        ("--executor ray://here", "there is no executor 'ray://here'; write dask://HOST:PORT"),
        ("--executor dask://here", "there is no executor 'dask://here'; write dask://HOST:PORT"),
        ("--executor dask://here:8786 --workers 2", "--workers starts processes here, and --executor has"),
        ("merge missing.run", "missing.run: No such file or directory"),
        ("merge notes.txt", "notes.txt: is not the file of a run"),
        ("merge arena.run", "arena.run: is the file of a run of rum500 arena, not of rum500 simulate"),
        ("merge", "FILES is missing; see rum500 simulate merge --help"),
    ],
)
def test_bad_input_is_reported_in_one_line(capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("hello\n")
    arena.arena(RULES, SEATED, 1, unit="deal", run=Path("arena.run"))
    code, out, err = command(capsys, "simulate", *words.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"rum500 simulate: {message}") and err.count("\n") == 1
