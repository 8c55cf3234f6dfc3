"""Studies: a file crosses games and players, all cells on the same shuffles, with paired intervals."""

from __future__ import annotations

import json
import math
import re
import statistics
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import Shard, SimulationError, players, simulate, study
from rum500.sim.study import MEASURES, Study, StudyResult, cells

ROOT = Path(__file__).resolve().parent.parent
SMALL = """
title = "A small study"
about = "Two games."
deals = 60
seed = 3
impossible = "skip"
keep_deals = true

[vary]
profile = ["500-rum", "persian-rummy"]
players = [2, 4]
house_rules = ["none", "H2", "H5"]
bots = "club"

[show]
measures = ["points", "first", "lead", "ahead", "spread", "rounds", "actions", "out", "takes", "taken"]
compare = "house_rules"
"""
LUCK = """
deals = 8
luck_orders = 2
[vary]
players = [2]
bots = ["club", "random, club"]
[show]
measures = ["dealt", "drawn", "played", "explained"]
"""


@pytest.fixture(scope="module")
def small() -> StudyResult:
    done = study.study(Study.from_text(SMALL, "small"))
    assert done is not None
    return done


def command(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    said = capsys.readouterr()
    return code, said.out, said.err


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# --- figures ---------------------------------------------------------------------------------------


def test_cells_are_those_of_simulate(small, tmp_path):
    """The checksum, and every figure recounted from the deals that simulate writes."""
    assert [tuple(cell.values.values()) for cell in small.cells] == [
        *(("500-rum", players, rule, "club") for players in (2, 4) for rule in ("none", "H2", "H5")),
        *(("persian-rummy", 4, rule, "club") for rule in ("none", "H2", "H5")),
    ]
    assert all("for 4 players, not 2" in cell.reason for cell in small.skipped)
    for cell in (small.cells[2], small.cells[3], small.cells[8]):
        values = cell.values
        house = () if values["house_rules"] == "none" else (values["house_rules"],)
        rules, players = ruleset(values["profile"], house_rules=house), values["players"]
        out, moves = tmp_path / "deals.parquet", tmp_path / "moves.parquet"
        done = simulate(rules, players, 60, 3, ["club"], out=out, moves=moves)
        assert cell.checksum == done.checksum
        deals = pq.read_table(out).to_pylist()
        points = [[row[f"points_{seat}"] for seat in range(players)] for row in deals]
        sides = bool(rules.sides)
        margins = [
            [
                own[seat] + own[(seat + 2) % 4] - own[(seat + 1) % 4] - own[(seat + 3) % 4]
                if sides
                else own[seat] - (sum(own) - own[seat]) / (players - 1)
                for seat in range(players)
            ]
            for own in points
        ]
        taken = [int(name.split()[1]) for name in named(moves) if name.startswith(("take", "call"))]
        expected = {
            "points": statistics.mean(done.mean_points),
            "first": statistics.mean(
                own[(row["dealer"] + 1) % players] for own, row in zip(margins, deals, strict=True)
            ),
            "lead": statistics.mean(own[0] for own in margins),
            "spread": math.sqrt(statistics.mean(one * one for own in margins for one in own)),
            "actions": done.actions / 60,
            "out": sum(done.went_out),
            "rounds": sum(row["turn"] for row in ends(moves)) / 60 / players,
            "takes": len(taken) / 60 / players,
            "taken": sum(taken) / 60 / players,
        }
        for name, value in expected.items():
            assert cell.figures[name].value == pytest.approx(value), name
        leads = [own[0] for own in margins]
        assert cell.figures["lead"].half == pytest.approx(1.96 * statistics.stdev(leads) / math.sqrt(60))
        best = [(own[0] == max(own)) / (1 if sides else own.count(max(own))) for own in margins]
        assert cell.figures["ahead"].value == pytest.approx(statistics.mean(best), abs=0.02)


def named(moves: Path) -> list[str]:
    return pq.read_table(moves)["action"].to_pylist()


def ends(moves: Path) -> list[dict]:
    rows = pq.read_table(moves).to_pylist()
    return [row for row, after in zip(rows, [*rows[1:], {"step": 1}], strict=True) if after["step"] == 1]


def test_a_cell_is_found_by_its_values(small):
    assert small.cell(profile="500-rum", players=4, house_rules="H2") is small.cells[4]
    assert small.cell(profile="persian-rummy", house_rules="none").values["players"] == 4
    for values, said in (
        ({"players": 3}, "^0 of 9 cells have players = 3$"),
        ({"nobody": 1}, "^0 of 9 cells have nobody = 1$"),
        ({"profile": "500-rum", "players": 2}, "^3 of 9 cells have profile = 500-rum, players = 2$"),
        ({}, "^9 of 9 cells have no values$"),
    ):
        with pytest.raises(LookupError, match=said):
            small.cell(**values)


def test_differences_are_paired(small):
    """From differences deal by deal; the interval is the narrower the more alike the deals are."""
    base, other = small.cells[0], small.cells[1]
    assert not base.differences
    difference = other.differences["points"]
    assert difference.value == pytest.approx(other.figures["points"].value - base.figures["points"].value)
    pairs = zip(*(points_of(small, number) for number in (0, 1)), strict=True)
    single = [own - its for its, own in pairs]
    assert difference.half == pytest.approx(1.96 * statistics.stdev(single) / math.sqrt(60))
    halves = [cell.figures["points"].half for cell in (base, other)]
    assert difference.unpaired == pytest.approx(math.hypot(*halves))
    assert difference.half < difference.unpaired / 3


def points_of(done: StudyResult, number: int) -> list[float]:
    plan, rows = cells(done.study)[0][number].plan, done.rows[number]
    players = plan.simulation.players
    return [sum(rows[at + 3 : at + 3 + players]) / players for at in range(0, len(rows), plan.width)]


@pytest.mark.compiled
def test_interval_of_a_spread_covers_the_value_of_more_deals():
    """The delta method, against the spread of many independent samples."""
    text = "deals = {}\nseed = {}\n[show]\nmeasures = ['spread']"
    whole = study.study(Study.from_text(text.format(8_000, 99))).cells[0].figures["spread"]
    samples = [
        study.study(Study.from_text(text.format(400, seed))).cells[0].figures["spread"] for seed in range(20)
    ]
    covered = sum(abs(sample.value - whole.value) < sample.half for sample in samples)
    assert 16 <= covered <= 20
    assert whole.half == pytest.approx(samples[0].half / math.sqrt(20), rel=0.3)


@pytest.mark.compiled
def test_shares_of_luck_add_up(tmp_path):
    """Among club nothing but the cards decides; a stranger's plays have a share of their own."""
    done = study.study(Study.from_text(LUCK, "luck"))
    parts = [[cell.figures[name].value for name in ("dealt", "drawn", "played")] for cell in done.cells]
    for shares in parts:
        assert sum(shares) == pytest.approx(1)
    assert parts[0][2] == pytest.approx(0, abs=0.001) and abs(parts[1][2]) > 0.05
    study.write(done, tmp_path)
    assert "over 2 orders of the stock" in " ".join((tmp_path / study.PAGE).read_text().split())
    assert list(done.sources) == ["rum500 itself", "the measuring of luck"]


def test_bots_dealers_options_and_changes_are_crossed():
    text = """
deals = 3
[changes]
"ten cards" = { hand_two = 10 }
[vary]
bots = ["greedy, random", "random"]
dealer = ["in turn", 1]
changes = ["none", "ten cards"]
going_out_bonus = [0, 25]
[show]
measures = ["lead"]
"""
    done = study.study(Study.from_text(text))
    assert len(done.cells) == 16
    last = done.cells[7]
    assert dict(last.values) == {
        "profile": "500-rum",
        "bots": "greedy, random",
        "dealer": 1,
        "changes": "ten cards",
        "going_out_bonus": 25,
    }
    rules = ruleset("500-rum", hand_two=10, going_out_bonus=25)
    assert last.checksum == simulate(rules, 2, 3, 0, ["greedy", "random"], dealer=1).checksum
    assert done.cells[8].checksum == simulate(ruleset("500-rum"), 2, 3).checksum
    assert not any(cell.differences for cell in done.cells)


def test_a_figure_is_shown_with_the_digits_of_its_interval():
    points, share = MEASURES["points"], MEASURES["out"]
    shown = [points.text(12.3456, half) for half in (23.4, 2.34, 0.234, 0.0234)]
    assert shown == ["12 ± 23", "12.3 ± 2.3", "12.35 ± 0.23", "12.346 ± 0.023"]
    assert (points.text(-0.04, 1.5, signed=True), points.text(3, 0)) == ("0.0 ± 1.5", "3 ± 0")
    assert (share.text(0.1234, 0.012), share.text(-0.05, signed=True)) == ("12.3 ± 1.2 %", "−5 %")


# --- shards ----------------------------------------------------------------------------------------


def test_workers_shards_and_executors_give_the_same_bytes(small, tmp_path, capsys):
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    code, _, err = command(capsys, "study", file, "--workers", 2, "--out", tmp_path / "two")
    assert (code, err) == (0, "")
    whole = contents(tmp_path / "two")
    study.write(small, tmp_path / "one")
    assert contents(tmp_path / "one") == whole
    paths = [tmp_path / f"part-{number}.run" for number in (1, 2, 3)]
    for number, path in enumerate(paths, 1):
        words = (
            "study",
            file,
            "--shard",
            f"{number}/3",
            "--run",
            path,
            "--workers",
            1,
            "--out",
            tmp_path / "no",
        )
        code, said, _ = command(capsys, *words)
        assert (code, said) == (
            0,
            f"Shard {number}/3 is kept in {path}. When all 3 are there: rum500 study merge FILES\n",
        )
    assert not (tmp_path / "no").exists()
    code, _, err = command(capsys, "study", "merge", *paths[::-1], "--out", tmp_path / "merged")
    assert (code, err) == (0, "") and contents(tmp_path / "merged") == whole
    with ThreadPoolExecutor(3) as threads:
        done = study.study(file, workers=3, executor=threads)
    study.write(done, tmp_path / "threads")
    assert contents(tmp_path / "threads") == whole


def test_a_stopped_study_goes_on(tmp_path):
    """What is in the file is not played again."""
    asked, kept = Study.from_text(SMALL, "small"), tmp_path / "small.run"
    seen: list[int] = []

    def stop(done: int) -> None:
        seen.append(done)
        if done > 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        study.study(asked, run=kept, progress=stop)
    again: list[int] = []
    done = study.study(asked, run=kept, progress=again.append)
    assert seen[-1] <= again[0] or again[0] > 0
    assert done.checksum == study.study(asked).checksum and again[-1] == 60 * 9
    other = Study.from_text(SMALL.replace("seed = 3", "seed = 4"))
    with pytest.raises(SimulationError, match=r"is the file of another run \(other seed\)"):
        study.study(other, run=kept)
    with pytest.raises(SimulationError, match="60 deals cannot be divided into 61 shards"):
        study.study(asked, shard=Shard(1, 61))


def test_shards_of_a_study_played_by_different_code_are_refused_in_one_line(tmp_path, capsys, monkeypatch):
    file, paths = tmp_path / "two.toml", [tmp_path / "part-1.run", tmp_path / "part-2.run"]
    file.write_text('deals = 4\n[vary]\nplayers = [2]\nbots = "random"\n')
    for number, path in enumerate(paths, 1):
        code, _, err = command(capsys, "study", file, "--shard", f"{number}/2", "--run", path, "--workers", 1)
        assert (code, err) == (0, "")
        monkeypatch.setattr(players, "own_sources", lambda: "0123456789abcdef")
    code, out, err = command(capsys, "study", "merge", *paths, "--out", tmp_path / "merged")
    refused = f"rum500 study: {paths[1]}: rum500 itself is not the same as in {paths[0]}\n"
    assert (code, out, err) == (2, "", refused)
    assert not (tmp_path / "merged").exists()


# --- files -----------------------------------------------------------------------------------------


def test_a_folder_holds_page_charts_figures_and_data(small, tmp_path):
    written = study.write(small, tmp_path)
    assert {path.name for path in written} == set(contents(tmp_path))
    cards = {"cells.parquet.md", "deals.parquet.md"}
    assert set(contents(tmp_path)) == {
        *("page.md", "figures.json", "cells.parquet", "deals.parquet"),
        *cards,
        *(f"{name}.svg" for name in small.study.measures),
    }
    table = pq.read_table(tmp_path / "cells.parquet").to_pylist()
    assert [row["checksum"] for row in table] == [cell.checksum for cell in small.cells]
    assert table[1]["points_difference"] == small.cells[1].differences["points"].value
    assert (table[0]["points_difference"], table[1]["players"]) == (None, 2)
    deals = pq.read_table(tmp_path / "deals.parquet").to_pylist()
    assert len(deals) == 60 * 9 and deals[0]["points_2"] is None and deals[-1]["points_2"] is not None
    assert [row["seed"] for row in deals[:60]] == [row["seed"] for row in deals[60:120]]
    for name in cards:
        card = (tmp_path / name).read_text()
        columns = set(re.findall(r"`(\w+)(?=[`, ])", card))
        for column in pq.read_schema(tmp_path / name.removesuffix(".md")).names:
            assert re.sub(r"_\d$", "_0", column) in columns or column in card, column


def test_the_page_repeats(small, tmp_path, capsys, monkeypatch):
    """Its file gives the same folder, and its commands the same checksums."""
    monkeypatch.chdir(tmp_path)
    study.write(small, tmp_path / "first")
    text = (tmp_path / "first" / "page.md").read_text()
    assert text.startswith("# A small study\n\nTwo games.\n")
    assert "- **H5**: The pile becomes a new stock when the stock is empty." in text
    Path("small.toml").write_text(re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1])
    command(capsys, *re.search(r"^rum500 (study .*)$", text, re.MULTILINE)[1].split(), "--workers", 1)
    assert contents(tmp_path / "small") == contents(tmp_path / "first")
    checksum, words = re.findall(r"^([0-9a-f]{16})  rum500 (.*)$", text, re.MULTILINE)[5]
    _, said, _ = command(capsys, *words.split(), "--workers", 1)
    assert f"Checksum {checksum}" in said
    assert (
        max(map(len, re.sub(r"^(\||!|[0-9a-f]{16} ).*$", "", text, flags=re.MULTILINE).splitlines())) <= 120
    )


def test_figures_are_read_again(small, tmp_path):
    shown = json.loads(json.dumps(small.as_dict()))
    again = StudyResult.from_dict(shown)
    assert again.as_dict() == small.as_dict() and again.cells == small.cells
    assert dict(study.texts(again, data=False)) == dict(study.texts(small, data=False))
    with pytest.raises(ValueError, match="were read from figures alone"):
        study.write(again, tmp_path)


# --- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("deals = 60", "deals = "), "not valid TOML: "),
        (("deals = 60", "dealz = 60"), "dealz: there is no such key; did you mean deals?"),
        (("deals = 60", "deals = 1"), "deals: is 2 or more, not 1"),
        (("deals = 60", "deals = '60'"), "deals: is a whole number, not '60'"),
        (("seed = 3", "seed = -3"), "seed: is 0 or more, not -3"),
        (("seed = 3", f"seed = {1 << 64}"), "seed: is 18,446,744,073,709,551,615 at most"),
        (("seed = 3", "seed = 3.0"), "seed: is a whole number, not 3.0"),
        (("seed = 3", f"seed = {'9' * 5000}"), "not valid TOML: "),
        (("deals = 60", "deals = 2147483648"), "deals: is 2,000,000,000 at most"),
        (("deals = 60", "deals = true"), "deals: is a whole number, not True"),
        (("[vary]", f"a = {'[' * 100_000}\n[vary]"), "not valid TOML: "),
        (("seed = 3", f"seed = 3\n# {'x' * (1 << 20)}"), "small.toml: is larger than 1,048,576 bytes"),
        (
            (
                "players = [2, 4]",
                f"players = {[*range(2, 9)]}\nhand = {[*range(1, 50)]}\nhand_two = {[*range(1, 50)]}",
            ),
            "vary: makes 100,842 cells, and a study has 10,000 at most",
        ),
        (('"skip"', '"ignore"'), 'impossible: is "skip" or "refuse", not \'ignore\''),
        (("players = [2, 4]", "player = [2, 4]"), "vary.player: there is no such key; did you mean players?"),
        (("players = [2, 4]", "players = [2, '4']"), "vary.players: is a whole number, not '4'"),
        (("players = [2, 4]", "players = [2, 2]"), "vary.players: a value is there twice"),
        (("players = [2, 4]", "players = []"), "vary.players: has no value"),
        (("players = [2, 4]", "dealer = ['in turm']"), 'vary.dealer: is a whole number, or "in turn", not'),
        (
            ('"persian-rummy"', '"persain"'),
            "vary.profile: there is no profile 'persain'; did you mean persian",
        ),
        (('"H2"', '"H9"'), "vary.house_rules: there is no 'H9'"),
        (('"club"', '"clbu"'), "vary.bots: there is no bot 'clbu'; did you mean club"),
        (('"club"', "3"), "vary.bots: is a text, not 3"),
        (('bots = "club"', "hand_two = [13, 99]"), "vary.hand_two: is 1 to 51, not 99"),
        (('bots = "club"', "ace = 'low'"), "vary.ace: is one of both, high, not 'low'"),
        (('bots = "club"', "restock = 1"), "vary.restock: is true or false, not 1"),
        (('bots = "club"', "changes = 'ten'"), "vary.changes: there is no 'ten'"),
        (('"points"', '"pionts"'), "show.measures: there is no measure 'pionts'; did you mean points?"),
        (('"points"', '"first"'), "show.measures: a measure is named twice"),
        (
            ('"house_rules"\n', '"house_rule"\n'),
            "show.compare: 'house_rule' is not varied; did you mean house_rules?",
        ),
        (('compare = "house_rules"', 'compare = "bots"'), "show.compare: 'bots' is not varied"),
        (("deals = 60", "deals = 60\nluck_orders = 3"), "luck_orders: is for the measures "),
        (
            ("[vary]", "[changes]\nten = { hand_too = 10 }\n[vary]"),
            "changes.ten.hand_too: there is no such key",
        ),
        (("[vary]", "[changes]\nten = { hand = true }\n[vary]"), "changes.ten.hand: is a whole number"),
        (
            ('"skip"', '"refuse"'),
            "persian-rummy, 2 players, no house rules: players: Persian Rummy is for 4 players",
        ),
        (("players = [2, 4]", "players = [7]\nace = ['high']"), "no cell can be played; the first: "),
    ],
)
def test_mistake_is_reported_in_one_line(capsys, tmp_path, monkeypatch, change, message):
    monkeypatch.chdir(tmp_path)
    assert SMALL.count(change[0]) >= 1
    Path("small.toml").write_text(SMALL.replace(*change, 1))
    code, out, err = command(capsys, "study", "small.toml")
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert message in err and err.startswith("rum500 study: ")
    assert [path.name for path in Path().iterdir()] == ["small.toml"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("missing.toml", "missing.toml: No such file or directory"),
        ("/dev/zero", "/dev/zero: is larger than 1,048,576 bytes"),
        ("small.toml --shard 1/2", "--shard needs --run FILE"),
        ("small.toml --workers 0", "the number of workers is 1 or more, not 0"),
        ("small.toml --out small.toml", "small.toml: Not a directory"),
        ("merge small.toml", "small.toml: is not the file of a run"),
        ("merge", "FILES is missing; see rum500 study merge --help"),
        ("", "FILE is missing; see rum500 study --help"),
    ],
)
def test_bad_options_are_reported_in_one_line(capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    code, out, err = command(capsys, "study", *words.split())
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert err.startswith(f"rum500 study: {message}")


# --- the studies that are shipped ------------------------------------------------------------------


def test_shipped_studies_are_read():
    for path in sorted((ROOT / "studies").glob("*.toml")):
        asked = Study.read(path)
        assert asked.title and asked.about


def test_every_figure_of_the_page_is_one_of_the_studies():
    """docs/studies.md gives no figure with an interval that no study gave."""
    form = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)? ± \d+(?:\.\d+)?(?: %)?")
    shown = set(form.findall(" ".join((ROOT / "docs/studies.md").read_text(encoding="utf-8").split())))
    found = {
        figure
        for path in (ROOT / "docs/studies").glob("*/page.md")
        for figure in form.findall(path.read_text(encoding="utf-8"))
    }
    found |= {figure.lstrip("+−") for figure in found}
    assert shown and shown <= found, shown - found
