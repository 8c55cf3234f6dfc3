"""The files that commands write: by one run at a time, whole or not at all, and none by a refused command."""

import pytest

from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import SimulationError, simulate
from rum500.sim.arena import arena
from rum500.sim.output_files import atomic_file
from rum500.sim.study import check_folder
from rum500.sim.study.study_outputs import PAGE

fcntl = pytest.importorskip("fcntl", reason="no locks on this system")
pytest.importorskip("pyarrow.parquet")

RULES = ruleset("500-rum")
SIMULATE = ("simulate", "--deals", "4", "--bots", "random", "--workers", "1")
ARENA = ("arena", "--bots", "greedy,random", "--pairs", "1", "--unit", "deal", "--workers", "1")


def refused(capsys, *words):
    """The line with which a command refuses to run."""
    assert main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1, err
    return err


def names(folder):
    return {each.name for each in folder.iterdir()}


@pytest.mark.parametrize("command", ["arena", "simulate"])
def test_two_runs_without_run_files_do_not_share_an_output(tmp_path, command):
    out, errors = tmp_path / "deals.parquet", []

    def play(seed, progress=None):
        if command == "arena":
            arena(RULES, ["greedy", "random"], 2, seed, unit="deal", out=out, progress=progress)
        else:
            simulate(RULES, 2, 20, seed, out=out, progress=progress)

    def meanwhile(_):
        if not errors:
            with pytest.raises(SimulationError) as error:
                play(2)
            errors.append(str(error.value))

    play(1, meanwhile)
    assert errors == [f"{out}: a run that is under way writes to it"]
    written = out.read_bytes()
    assert names(tmp_path) == {"deals.parquet", "deals.parquet.md"}
    play(1)
    assert out.read_bytes() == written


def test_output_is_refused_in_one_line_and_the_part_of_the_other_run_stays(tmp_path, capsys):
    out = tmp_path / "deals.parquet"
    with atomic_file(out) as part:
        part.write_text("half")
        for command in (SIMULATE, ARENA):
            assert f"{out}: a run that is under way writes to it" in refused(capsys, *command, "--out", out)
        assert part.read_text() == "half"
    assert out.read_text() == "half" and names(tmp_path) == {"deals.parquet"}


def test_the_part_of_a_killed_run_is_replaced(tmp_path):
    out = tmp_path / "page.md"
    out.with_name("page.md.part").write_text("left over by a killed run")
    with atomic_file(out) as part:
        assert part.read_text() == ""
        part.write_text("whole")
    assert out.read_text() == "whole" and names(tmp_path) == {"page.md"}


def test_a_lock_on_a_file_that_was_renamed_meanwhile_is_not_enough(tmp_path, monkeypatch):
    out, lock = tmp_path / "page.md", fcntl.flock

    def late(file, how):  # the other run ends between the opening of the file and the lock
        monkeypatch.setattr(fcntl, "flock", lock)
        (tmp_path / "page.md.part").replace(out)
        lock(file, how)

    (tmp_path / "page.md.part").write_text("of the other run")
    monkeypatch.setattr(fcntl, "flock", late)
    with atomic_file(out) as part:
        assert out.read_text() == "of the other run"
        part.write_text("of this run")
    assert out.read_text() == "of this run"


@pytest.mark.parametrize("command", [SIMULATE, ARENA])
def test_a_refused_output_leaves_no_run_file(tmp_path, capsys, command):
    run = tmp_path / "a.run"
    assert "No such file" in refused(capsys, *command, "--run", run, "--out", tmp_path / "none" / "a.parquet")
    assert "Is a directory" in refused(capsys, *command, "--run", run, "--out", tmp_path)
    assert not names(tmp_path)


def test_a_refused_output_keeps_the_run_file_of_a_stopped_run(tmp_path, capsys):
    run = tmp_path / "a.run"
    assert main([*SIMULATE, "--run", str(run)]) == 0
    capsys.readouterr()
    kept = run.read_bytes()
    refused(capsys, *SIMULATE, "--run", run, "--out", tmp_path / "none" / "a.parquet")
    assert run.read_bytes() == kept


@pytest.mark.parametrize(
    ("command", "one", "other"),
    [(SIMULATE, "run", "out"), (SIMULATE, "out", "moves"), (SIMULATE, "run", "moves"), (ARENA, "run", "out")],
)
def test_one_file_for_two_outputs_is_refused(tmp_path, capsys, command, one, other):
    path = tmp_path / "same"
    line = refused(capsys, *command, f"--{one}", path, f"--{other}", path)
    assert line.endswith(f"{path}: {one} and {other} name the same file; give each its own\n")
    assert not names(tmp_path)


def test_a_study_does_not_touch_the_files_of_another_under_way(tmp_path):
    with atomic_file(tmp_path / PAGE) as part:
        part.write_text("half")
        check_folder(tmp_path)
        assert part.read_text() == "half"
    check_folder(tmp_path / "new" / "folder")
    assert names(tmp_path) == {PAGE}


def test_outputs_that_cannot_be_written_are_refused_before_anything_is_played(tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("")
    inside, page = file / "inside", file / "inside" / "page.md"
    assert f"{inside}: Not a directory" in refused(capsys, "evaluate", "random", "--quick", "--out", inside)
    assert f"{inside}: Not a directory" in refused(
        capsys, "ladder", "--quick", "--run", tmp_path / "a.run", "--out", page
    )
    assert names(tmp_path) == {"file"}


def test_puzzles_are_mined_into_a_file_by_one_command_at_a_time(tmp_path, capsys):
    out = tmp_path / "puzzles.jsonl"
    with out.open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        line = refused(capsys, "puzzles", "mine", "--out", out, "--count", "1")
    assert f"{out}: a run that is under way writes to it" in line and out.read_bytes() == b""
