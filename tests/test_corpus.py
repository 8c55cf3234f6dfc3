"""Corpora: deals of mixed bots with all moves as a folder, made, continued, read and checked."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
import yaml

from rum500 import deal
from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import SimulationError, deal_seed, simulate
from rum500.sim.corpus import MIX, Corpus, CorpusError, make_corpus, open_corpus
from tests.support.waiting import until

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "examples" / "corpus" / "500-rum"
QUICK = {"club": 3, "casual": 2, "random": 1}
RULES = ruleset("500-rum")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return make_corpus(RULES, tmp_path_factory.mktemp("corpora") / "made", 40, seed=3, bots=QUICK)


@pytest.fixture
def copied(made: Corpus, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made.folder, tmp_path / "copied"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- making ----------------------------------------------------------------------------------------


def test_rows_are_the_deals_of_a_simulation_with_the_same_bots(made: Corpus, tmp_path: Path) -> None:
    for split in ("train", "test"):
        rows = made.to_arrow("deals", split).to_pylist()
        assert [row["deal"] % 10 == 9 for row in rows] == [split == "test"] * len(rows)
        for row in rows[:4]:
            bots = [row["bot_0"], row["bot_1"]]
            assert row["seed"] == deal_seed(3, row["deal"])
            out, moves = tmp_path / "deals.parquet", tmp_path / "moves.parquet"
            simulate(RULES, 2, row["deal"] + 1, 3, bots, out=out, moves=moves)
            same = [("deal", "=", row["deal"])]
            expected = pq.read_table(out, filters=same).to_pylist()[0]
            assert {name: row[name] for name in expected} == expected
            found = made.to_arrow("moves", split)
            found = found.filter(pq.filters_to_expression(same)).to_pylist()
            assert found == pq.read_table(moves, filters=same).to_pylist()
    assert {name for name, bot in made.facts.bots.items() if bot.seats} == set(QUICK)
    assert sum(bot.seats for bot in made.facts.bots.values()) == 80


def test_bots_sit_in_proportion_to_their_shares(made: Corpus) -> None:
    table = pl.concat([made.to_polars("deals", split) for split in ("train", "test")])
    for name, facts in made.facts.bots.items():
        points = [
            row[f"points_{seat}"]
            for row in table.iter_rows(named=True)
            for seat in (0, 1)
            if row[f"bot_{seat}"] == name
        ]
        assert (facts.seats, facts.points) == (len(points), pytest.approx(sum(points) / len(points)))
        assert facts.seats == pytest.approx(80 * QUICK[name] / 6, abs=12)


@pytest.mark.parametrize("workers", [2, pytest.param(3, marks=pytest.mark.whole)])
def test_bytes_do_not_depend_on_the_number_of_workers(made: Corpus, tmp_path: Path, workers: int) -> None:
    again = make_corpus(RULES, tmp_path / "again", 40, seed=3, bots=QUICK, workers=workers)
    assert contents(again.folder) == contents(made.folder)


def test_a_small_corpus_is_the_beginning_of_a_large_one(made: Corpus, tmp_path: Path) -> None:
    small = make_corpus(RULES, tmp_path / "small", 25, seed=3, bots=QUICK)
    for table in ("deals", "moves"):
        for split in ("train", "test"):
            rows, more = (of.to_arrow(table, split).to_pylist() for of in (small, made))
            assert rows and rows == more[: len(rows)] and len(rows) < len(more)


def test_a_killed_command_continues(made: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    words = ["corpus", "make", str(folder), "--deals", "40", "--seed", "3", "--workers", "1", "--bots"]
    words.append(",".join(name for name, share in QUICK.items() for _ in range(share)))
    run = folder / "corpus.run"
    process = subprocess.Popen([sys.executable, "-m", "rum500", *words], stdout=subprocess.DEVNULL)
    try:
        until(lambda: process.poll() is not None or (run.exists() and run.read_bytes().count(b"\n") >= 2))
        with pytest.raises(CorpusError, match="is not finished; the command that began it continues it"):
            open_corpus(folder)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    os.truncate(run, run.stat().st_size - 5)  # the last line was half written
    assert main(words) == 0
    assert contents(folder) == contents(made.folder)


def test_a_finished_corpus_is_not_played_again(made: Corpus, copied: Path) -> None:
    again = make_corpus(RULES, copied, 40, seed=3, bots=QUICK, progress=lambda _: pytest.fail("played"))
    assert again.facts == made.facts
    with pytest.raises(
        CorpusError, match=r"contains another corpus \(other deals, seed, bots\); take another"
    ):
        make_corpus(RULES, copied, 41, seed=4)


def test_a_folder_to_which_another_process_writes_is_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "begun"

    def also(played: int) -> None:
        if played:
            before = contents(folder)
            with pytest.raises(SimulationError, match="a run that is under way writes to it"):
                make_corpus(RULES, folder, 40, bots=QUICK)
            assert contents(folder) == before

    assert make_corpus(RULES, folder, 40, bots=QUICK, progress=also).check() == 40


def test_a_run_of_other_options_is_not_continued(tmp_path: Path) -> None:
    folder = tmp_path / "begun"
    with pytest.raises(ZeroDivisionError):
        make_corpus(RULES, folder, 40, bots=QUICK, progress=lambda played: played and 1 // 0)
    with pytest.raises(SimulationError, match=r"is the file of another run \(other shares\)"):
        make_corpus(RULES, folder, 40, bots=dict(QUICK, club=1))


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        ({}, "no bot is named; name at least one, such as club"),
        ({"club": 0}, "the share of club is 1 or more, not 0"),
        ({"nobody": 1}, "there is no bot 'nobody'"),
        ({"strong:seconds=0.1": 1}, "strong:seconds=0.1 thinks against the clock"),
    ],
)
def test_impossible_bots_are_refused_before_playing(
    tmp_path: Path, bots: dict[str, int], message: str
) -> None:
    with pytest.raises(SimulationError, match=message):
        make_corpus(RULES, tmp_path / "none", bots=bots)
    assert not list(tmp_path.iterdir())


def test_the_usual_shares_are_percent_and_mostly_without_search() -> None:
    assert sum(MIX.values()) == 100
    assert sum(share for name, share in MIX.items() if name.startswith("strong")) < 5


def test_every_number_of_players_and_house_rules(tmp_path: Path) -> None:
    corpus = make_corpus(
        ruleset("rummy-500", ("H2",)), tmp_path / "three", 12, players=3, bots={"club": 1, "random": 1}
    )
    assert open_corpus(corpus.folder).rules.house_rules == ("H2",)
    assert corpus.check() == 12
    assert "--profile rummy-500 --house-rules H2 --players 3" in (corpus.folder / "README.md").read_text()


# --- reading ---------------------------------------------------------------------------------------


def test_loaders_give_the_same_rows(made: Corpus) -> None:
    for table in ("deals", "moves"):
        rows = made.to_arrow(table, "test").to_pylist()
        assert made.to_polars(table, "test").to_dicts() == rows
        frame = made.to_pandas(table, "test")
        assert isinstance(frame, pd.DataFrame) and list(frame.columns) == list(rows[0])
        assert frame["deal"].tolist() == [row["deal"] for row in rows]
    assert pl.scan_parquet(made.path("moves", "train")).select(pl.len()).collect().item() == len(
        made.to_arrow("moves", "train")
    )


READ_BY_DATASETS = """
import sys, datasets
from rum500.sim.corpus import open_corpus
for table in ("deals", "moves"):
    rows = open_corpus(sys.argv[1]).to_arrow(table, "test").to_pylist()
    loaded = datasets.load_dataset(sys.argv[1], table, split="test")
    assert loaded.to_list() == open_corpus(sys.argv[1]).to_datasets(table, "test").to_list() == rows
print(loaded.num_rows, *datasets.load_dataset(sys.argv[1]))
"""


def test_datasets_reads_the_folder_without_a_network(made: Corpus, tmp_path: Path) -> None:
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path), "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", READ_BY_DATASETS, str(made.folder)],
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [str(len(made.to_arrow("moves", "test"))), "train", "test"], done.stderr


def test_other_tables_and_splits_are_refused(made: Corpus) -> None:
    with pytest.raises(ValueError, match="there is no table 'cards'; there are deals, moves"):
        made.to_polars("cards")
    with pytest.raises(ValueError, match="there is no split 'all'; there are train, test"):
        made.path("moves", "all")


def test_the_card_has_the_header_of_datasets_and_lists_all_columns(made: Corpus) -> None:
    _, header, body = (made.folder / "README.md").read_text().split("---\n", 2)
    facts = yaml.safe_load(header)
    assert facts["license"] == "cc0-1.0" and facts["size_categories"] == ["n<1K"]
    named = {
        (config["config_name"], file["split"]): made.folder / file["path"]
        for config in facts["configs"]
        for file in config["data_files"]
    }
    assert named == {
        (table, split): made.path(table, split) for table in ("deals", "moves") for split in ("train", "test")
    }
    for path in named.values():
        for column in pq.read_schema(path).names:
            assert f"| `{column}` |" in body
        assert hashlib.sha256(path.read_bytes()).hexdigest() in body
    assert made.facts.checksum in body and 'name = "500-rum"' in body


def test_the_command_in_the_card_repeats_the_corpus(
    made: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    card = (made.folder / "README.md").read_text()
    command = next(line for line in card.splitlines() if line.startswith("rum500 corpus make"))
    assert main([*command.split()[1:], "--workers", "1"]) == 0
    assert f"Checksum {made.facts.checksum}" in capsys.readouterr().out
    assert contents(tmp_path / "corpus") == contents(made.folder)


def test_checksums_are_in_the_format_of_sha256sum(made: Corpus) -> None:
    done = subprocess.run(
        ["sha256sum", "-c", "SHA256SUMS"], cwd=made.folder, capture_output=True, check=False
    )
    assert done.returncode == 0 and done.stdout.count(b": OK") == 4


# --- the sample ------------------------------------------------------------------------------------


def test_the_sample_in_the_repository_is_whole_and_replays() -> None:
    sample = open_corpus(SAMPLE)
    assert sample.rules == ruleset(SAMPLE.name) and set(sample.facts.bots) == set(MIX)
    assert sample.check() == sample.facts.deals >= 500


def test_a_deal_of_the_sample_can_be_replayed_from_its_rows() -> None:
    sample = open_corpus(SAMPLE)
    row = sample.to_polars("deals", "test").row(0, named=True)
    state = deal(sample.rules, 2, row["seed"], row["dealer"])
    for move in sample.to_polars("moves", "test").filter(pl.col("deal") == row["deal"]).iter_rows(named=True):
        assert move["seat"] == state.actor and move["code"] in state.legal_ints()
        state.apply_int(move["code"])
    assert state.is_over and list(state.scores()) == [row["points_0"], row["points_1"]]


# --- damage ----------------------------------------------------------------------------------------


def cut(name: str) -> Callable[[Path], None]:
    return lambda folder: os.truncate(folder / name, (folder / name).stat().st_size // 2)


def removed(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def changed(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        data = bytearray((folder / name).read_bytes())
        data[len(data) // 2] ^= 1
        (folder / name).write_bytes(data)

    return change


def rewritten(**facts: object) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        path = folder / "corpus.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | facts))

    return write


MOVES = "data/moves-train.parquet"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (cut(MOVES), f"{MOVES}: is cut off or damaged; copy the corpus again"),
        (changed(MOVES), f"{MOVES}: is cut off or damaged; copy the corpus again"),
        (removed(MOVES), f"{MOVES}: is missing; copy the corpus again"),
        (cut("SHA256SUMS"), "is cut off or damaged; copy the corpus again"),
        (removed("SHA256SUMS"), "SHA256SUMS: is missing; copy the corpus again"),
        (cut("corpus.json"), "corpus.json: is cut off or damaged; copy the corpus again"),
        (removed("corpus.json"), "contains no corpus; make one: rum500 corpus make"),
        (rewritten(format=2), "corpus.json: has format 2, and this version of rum500 reads 1; make it again"),
        (rewritten(deals="many"), "corpus.json: is cut off or damaged"),
        (rewritten(players=99), "corpus.json: is cut off or damaged; copy the corpus again"),
        (rewritten(deals=41), "has 40 deals, and corpus.json says 41; copy it again"),
    ],
)
def test_damage_is_one_line_with_the_place(
    copied: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None], message: str
) -> None:
    damage(copied)
    assert main(["corpus", "check", str(copied)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("rum500 corpus: ") and str(copied) in err and message in err


def test_rows_of_a_file_that_is_cut_off_are_one_line(copied: Path) -> None:
    cut(MOVES)(copied)
    corpus = open_corpus(copied)
    for load in (corpus.to_arrow, corpus.to_polars, corpus.to_pandas):
        with pytest.raises(CorpusError, match=f"{MOVES}: is cut off or damaged; copy the corpus again"):
            load("moves", "train")


def test_moves_of_other_rules_are_found_by_the_replay(copied: Path) -> None:
    rules = ruleset("500-rum", ("H2",)).to_toml()
    rewritten(rules=rules, rum500="0.0.7")(copied)
    with pytest.raises(
        CorpusError, match=r"deal \d+.* by the rules of this version; read it with rum500 0.0.7"
    ):
        open_corpus(copied).check()


def test_moves_that_are_left_out_are_found_by_the_replay(copied: Path) -> None:
    path = copied / MOVES
    table = pq.read_table(path)
    pq.write_table(table.slice(0, table.num_rows - 1), path)
    sums = copied / "SHA256SUMS"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    lines = [f"{digest}  {MOVES}" if line.endswith(MOVES) else line for line in sums.read_text().splitlines()]
    sums.write_text("\n".join(lines) + "\n")
    with pytest.raises(CorpusError, match=r"moves-train.parquet: deal 38, step \d+ is missing"):
        open_corpus(copied).check()
    assert open_corpus(copied).check(replay=False) == 40
