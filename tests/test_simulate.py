"""Many deals: the same from a seed for any number of workers, on the command line and from Python."""

from __future__ import annotations

import hashlib
import json
import os
import re
import statistics
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from rum500 import Rng, State, View, bots, deal
from rum500.cli import main
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim import (
    Shard,
    Simulation,
    SimulationError,
    deal_seed,
    jobs,
    merge,
    merge_files,
    run_job,
    seat_bots,
    simulate,
    study,
)
from rum500.sim.arena import arena
from rum500.sim.arena.run_ladder import games, ladder
from rum500.sim.results import Result
from rum500.spaces import Actions

RULES = ruleset("500-rum")
CHECKSUMS = {
    "500-rum": "1389656efa0be04c",
    "500-rummy": "9085e0dac66e0551",
    "michigan-rum": "5dfe070e31a4c24b",
    "partnership-500-rum": "266a82b8afd7c9bb",
    "partnership-500-rummy": "65b1a132e4f9b5d5",
    "persian-rummy": "3258462c5c6e5b5f",
    "persian-rummy-fosdick": "31b8d7f70d13ec45",
    "persian-rummy-gamerules": "ec10186585d67281",
    "rummy-500": "b9ff0dd77a11e142",
}


class Careless:
    """Ends every deal with an illegal choice."""

    name = "careless"

    def choose(self, view: View, rng: Rng) -> int:
        return 1


class Last:
    """Plays the last legal action, as an action rather than its number."""

    name = "last"

    def choose(self, view: View, rng: Rng) -> object:
        return view.legal_actions()[-1]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["simulate", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


# --- from Python -----------------------------------------------------------------------------------


def test_results_are_the_same_however_the_work_is_cut():
    """Every deal has a seed of its own, and results are put in order."""
    whole = simulate(RULES, 3, 40, 11)
    for size in (40, 8, 7):
        batches = [run_job(job) for job in jobs(RULES, 3, 40, 11, size=size)]
        assert merge(reversed(batches)).checksum == whole.checksum


@pytest.mark.sample(1)
@pytest.mark.parametrize("seated", [["random"], ["greedy", "random"]])
def test_any_number_of_workers_gives_the_same_checksum(seated):
    deals = 12_000 if seated == ["random"] else 60
    runs = [simulate(RULES, 2, deals, 7, seated, workers) for workers in (1, 2)]
    one, two = (done.as_dict() for done in runs)
    assert one["workers"] == 1 and two["workers"] in (1, 2)  # one may have been done before two began
    for alone in ("workers", "seconds"):
        del one[alone], two[alone]
    assert one == two


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", profile_names())
def test_random_deals_of_every_profile_are_the_same_on_every_machine(name):
    """A change of these digests is a change of rules, of the generator or of the order of actions."""
    rules = ruleset(name)
    done = simulate(rules, rules.players[-1], 50, 3)
    assert done.deals == 50 and done.checksum == CHECKSUMS[name]
    assert sum(done.ends.values()) == 50
    assert 0 < sum(done.went_out) <= 1


def test_another_seed_profile_or_bot_gives_another_checksum():
    sums = {
        simulate(RULES, 2, 20, 1).checksum,
        simulate(RULES, 2, 20, 2).checksum,
        simulate(RULES, 3, 20, 1).checksum,
        simulate(ruleset("500-rummy"), 2, 20, 1).checksum,
        simulate(RULES, 2, 20, 1, ["greedy"]).checksum,
        simulate(RULES, 2, 21, 1).checksum,
    }
    assert len(sums) == 6


def test_a_deal_of_a_simulation_can_be_dealt_again():
    """Deal number i: its seed, dealt by seat i modulo players."""
    deals: list[State] = []

    class Watch(Last):
        def choose(self, view: View, rng: Rng) -> object:
            if view.turn == (view.dealer + 1) % view.players and not view.melds and len(view.pile) == 1:
                deals.append((view.dealer, view.hand, view.pile))
            return super().choose(view, rng)

    simulate(RULES, 3, 4, 5, [Watch()])
    for index in range(4):
        state = deal(RULES, 3, seed=deal_seed(5, index), dealer=index % 3)
        assert (index % 3, state.hands[state.actor], state.pile) in deals


def test_sums_are_right():
    """Mean points by seat, lengths and ends, recounted from single deals."""
    points, lengths = [0, 0], []

    def play(index: int) -> None:
        state = deal(RULES, 2, seed=deal_seed(9, index), dealer=index % 2)
        count = 0
        while not state.is_over:
            state.apply(Last().choose(state.view(state.actor), Rng(0)))
            count += 1
        lengths.append(count)
        for seat in (0, 1):
            points[seat] += state.scores()[seat]

    for index in range(10):
        play(index)
    shown = []
    done = simulate(RULES, 2, 10, 9, [Last()], progress=shown.append)
    assert done.mean_points == (points[0] / 10, points[1] / 10)
    assert done.actions == sum(lengths)
    assert done.lengths == {
        "least": min(lengths),
        "mean": sum(lengths) / 10,
        "median": sorted(lengths)[4],
        "most": max(lengths),
    }
    assert shown[-1] == 10 and shown == sorted(shown)
    assert done.bots == ("last", "last")


def test_illegal_choice_is_reported_with_its_reason():
    with pytest.raises(
        SimulationError,
        match=r"^careless played pass, which is not legal: .*pass.* \(500-rum, 2 players, deal",
    ):
        simulate(RULES, 2, 1, 1, [Careless()])


STUDY = study.Study.from_text("deals = 2")
RUNS = {
    "simulate": lambda **given: simulate(**{"rules": RULES, "players": 2, "deals": 1} | given),
    "jobs": lambda **given: jobs(**{"rules": RULES, "players": 2, "deals": 1} | given),
    "arena": lambda **given: arena(RULES, ["random", "greedy"], **{"pairs": 1, "unit": "deal"} | given),
    "ladder": lambda **given: ladder(games(["500-rum"]), ["random", "greedy"], **{"pairs": 1} | given),
    "study": lambda **given: study.study(STUDY, **given),
    "shard": Shard,
}


@pytest.mark.parametrize(
    ("run", "name", "most"),
    [
        ("simulate", "deals", 2_000_000_000),
        ("simulate", "workers", 1024),
        ("simulate", "seed", 2**64 - 1),
        ("simulate", "players", 8),
        ("simulate", "dealer", 1),
        ("jobs", "deals", 2_000_000_000),
        ("jobs", "size", 2_000_000_000),
        ("arena", "pairs", 2_000_000_000),
        ("arena", "players", 8),
        ("arena", "seed", 2**64 - 1),
        ("arena", "workers", 1024),
        ("ladder", "pairs", 2_000_000_000),
        ("ladder", "seed", 2**64 - 1),
        ("ladder", "workers", 1024),
        ("study", "workers", 1024),
        ("shard", "number", 1),
        ("shard", "of", 2_000_000_000),
    ],
)
def test_numbers_of_a_run_are_integers_of_a_range(run, name, most):
    """Numpy's integers are taken, no float is rounded, and nothing wraps around."""
    least = 0 if name in {"seed", "dealer"} else 1
    for wrong in (1.5, 2.0, 2.6, float("nan"), "2", None):
        if wrong is not None or name not in {"dealer", "players", "pairs"}:
            with pytest.raises(TypeError):
                RUNS[run](**{name: wrong})
    for wrong in (most + 1, least - 1, 2**64, -(2**63), 10**30):
        with pytest.raises((ValueError, RulesetError)):
            RUNS[run](**{name: wrong})
    taken = 1 if name in {"dealer", "workers", "deals", "number", "of"} else 2
    assert RUNS[run](**{name: np.int64(taken)}) is not None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deals": 0}, "the number of deals is 1 or more, not 0"),
        ({"deals": 2**31}, "the number of deals is 2,000,000,000 at most, not 2147483648"),
        ({"workers": 0}, "the number of workers is 1 or more, not 0"),
        ({"bots": []}, "no bot is named"),
        ({"bots": ["random"] * 3}, "3 bots are named for 2 players"),
    ],
)
def test_what_cannot_be_simulated_is_refused(changes, message):
    with pytest.raises(SimulationError, match=message):
        RUNS["simulate"](**changes)


def test_wrong_players_and_bots_are_refused():
    with pytest.raises(RulesetError):
        simulate(ruleset("persian-rummy"), 2, 1)
    with pytest.raises(SimulationError, match="did you mean random"):
        simulate(RULES, 2, 1, bots=["rnadom"])


@pytest.mark.parametrize("name", ["strong", "expert", "strong:threads=2"])
def test_a_level_is_measured_in_worlds_alone(name):
    """At a table it has a clock, and on a busy machine it would play otherwise."""
    usual = bots.get(name.partition(":")[0])
    bot, _ = seat_bots([name], 2)
    assert (bot.worlds, bot.seconds) == (usual.worlds, 0) and usual.seconds > 0


def test_bots_with_a_time_limit_are_marked(capsys):
    words = "--bots strong:worlds=1:seconds=1,club --deals 1 --workers 1"
    _, out, _ = run(capsys, *words.split())
    assert "strong:worlds=1:seconds=1§ " in out
    assert "\n§ thinks against the clock: its numbers depend on the machine\n" in out
    _, out, _ = run(capsys, *words.split(), "--json")
    assert json.loads(out)["by_the_clock"] == ["strong:worlds=1:seconds=1"]
    assert simulate(RULES, 2, 1, bots=["strong:worlds=1"]).as_dict()["by_the_clock"] == []


# --- Parquet ---------------------------------------------------------------------------------------


def test_one_row_a_deal_is_written(tmp_path):
    out = tmp_path / "deals.parquet"
    done = simulate(RULES, 3, 40, 5, out=out)
    table = pq.read_table(out)
    rows = table.to_pylist()
    assert table.column_names == [
        *("deal", "seed", "dealer", "actions", "reason", "out"),
        *("points_0", "points_1", "points_2"),
    ]
    assert [row["deal"] for row in rows] == list(range(40))
    assert [row["seed"] for row in rows] == [deal_seed(5, index) for index in range(40)]
    assert [row["dealer"] for row in rows] == [index % 3 for index in range(40)]
    assert sum(row["actions"] for row in rows) == done.actions
    assert tuple(sum(row[f"points_{seat}"] for row in rows) / 40 for seat in range(3)) == done.mean_points
    assert all((row["out"] is None) == (row["reason"] != "out") for row in rows)
    metadata = table.schema.metadata
    assert Ruleset.from_toml(metadata[b"rum500.ruleset"].decode()) == RULES
    assert (metadata[b"rum500.seed"], metadata[b"rum500.bots"]) == (b"5", b"random,random,random")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deals.parquet", "deals.parquet.md"]


def test_many_rows_are_written_in_groups(tmp_path, monkeypatch):
    monkeypatch.setattr("rum500.sim.parquet.DealFile.GROUP", 5000)
    out = tmp_path / "deals.parquet"
    simulate(RULES, 2, 11_000, 5, out=out)
    assert pq.read_metadata(out).num_row_groups == 3
    assert pq.read_table(out)["deal"].to_pylist() == list(range(11_000))


def test_a_run_that_fails_leaves_nothing_behind(tmp_path):
    with pytest.raises(SimulationError):
        simulate(RULES, 2, 1, 1, [Careless()], out=tmp_path / "deals.parquet")
    assert not list(tmp_path.iterdir())


# --- dealer, positions, moves ----------------------------------------------------------------------


@pytest.mark.parametrize("seated", [["random"], ["club"], ["greedy", "random"]])
def test_the_dealer_can_be_fixed(tmp_path, seated):
    out = tmp_path / "deals.parquet"
    done = simulate(RULES, 3, 9, 5, seated, dealer=2, out=out)
    table = pq.read_table(out)
    assert set(table["dealer"].to_pylist()) == {2} and done.dealer == 2
    assert table.schema.metadata[b"rum500.dealer"] == b"2"
    assert done.mean_by_position == done.mean_points  # seat 0 plays first, seat 2 deals
    moving = simulate(RULES, 3, 9, 5, seated, out=out)
    rows, again = table.to_pylist(), pq.read_table(out).to_pylist()
    assert [rows[index] == again[index] for index in range(9)] == [index % 3 == 2 for index in range(9)]
    assert moving.checksum != done.checksum
    whole = merge([run_job(job) for job in jobs(RULES, 3, 9, 5, seated, dealer=2, size=4)])
    assert whole.checksum == done.checksum


def test_points_by_position_are_a_recount(tmp_path):
    out = tmp_path / "deals.parquet"
    done = simulate(RULES, 3, 40, 5, ["club"], out=out)
    table = pq.read_table(out).to_pylist()
    for place in range(3):
        points = [row[f"points_{(row['dealer'] + 1 + place) % 3}"] for row in table]
        assert done.mean_by_position[place] == pytest.approx(sum(points) / 40)
        assert done.sd_by_position[place] == pytest.approx(statistics.pstdev(points))
        found = done.points_by_position[place]
        assert (found.value, found.error) == pytest.approx(
            (sum(points) / 40, statistics.stdev(points) / 40**0.5)
        )
        assert found.high - found.value == pytest.approx(found.value - found.low)
        assert found.high - found.value == pytest.approx(2.0227 * found.error, rel=1e-3)  # Student's, 39
    batches = [run_job(job) for job in jobs(RULES, 3, 40, 5, ["club"], size=7)]
    assert merge(batches).mean_by_position == done.mean_by_position


def test_results_have_their_intervals():
    done = simulate(RULES, 2, 200, 1, ["club", "random"])
    assert [found.value for found in done.points] == list(done.mean_points)
    assert done.points[0].low > done.points[1].high
    for share, found in zip(done.went_out, done.out, strict=True):
        assert 0 <= found.low <= found.value == share <= found.high < 1
    shown = done.as_dict()
    assert shown["points_interval"] == [[found.low, found.high] for found in done.points]
    assert shown["out_interval"] == [[found.low, found.high] for found in done.out]
    alone = simulate(RULES, 2, 1, 1).as_dict()
    assert alone["points_interval"] == alone["position_interval"] == [[None, None]] * 2


def test_one_deal_has_no_interval(capsys):
    code, out, _ = run(capsys, "--deals", "1", "--workers", "1")
    assert code == 0 and "nan" not in out and "inf" not in out


GAMES = [
    (ruleset("500-rum"), 2, ["club"]),
    (ruleset("500-rum"), 2, ["greedy", "club"]),
    (ruleset("rummy-500", house_rules=("H5", "H6")), 3, ["random"]),
    (ruleset("persian-rummy"), 4, ["random"]),
    (ruleset("rummy-500", house_rules=("H6",)), 5, ["club"]),
]


@pytest.mark.parametrize(("rules", "players", "seated"), GAMES)
def test_moves_replay_to_the_same_deals(tmp_path, rules, players, seated):
    """Keeping them changes no deal, and each move is found by its number and by its code."""
    deals, moves = tmp_path / "deals.parquet", tmp_path / "moves.parquet"
    done = simulate(rules, players, 12, 5, seated, out=deals, moves=moves)
    assert done.checksum == simulate(rules, players, 12, 5, seated).checksum
    by_deal: dict[int, list[dict]] = {}
    for row in pq.read_table(moves).to_pylist():
        by_deal.setdefault(row["deal"], []).append(row)
    actions = Actions(rules, players)
    for row in pq.read_table(deals).to_pylist():
        state, turn = deal(rules, players, row["seed"], row["dealer"]), 0
        for step, move in enumerate(by_deal[row["deal"]], 1):
            turn += move["action"].split()[0] in {"draw", "take", "call", "pass", "end"}
            assert (move["step"], move["turn"], move["seat"]) == (step, turn, state.actor)
            assert (move["phase"], move["legal"]) == (state.phase.name.lower(), len(state.legal_ints()))
            assert actions.decode(state, move["action_id"], move["variant"]) == move["code"]
            assert actions.names[move["action_id"]] == move["action"]
            state.apply_int(move["code"])
        assert state.is_over and len(by_deal[row["deal"]]) == row["actions"]
        assert list(state.scores()) == [row[f"points_{seat}"] for seat in range(players)]


def test_moves_are_the_same_bytes_however_the_work_is_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("rum500.sim.parquet.MoveFile.GROUP", 500)
    whole, parts = tmp_path / "whole.parquet", tmp_path / "parts.parquet"
    simulate(RULES, 2, 25, 5, ["club", "greedy"], moves=whole)
    assert pq.read_metadata(whole).num_row_groups > 2
    made = jobs(RULES, 2, 25, 5, ["club", "greedy"], moves=True, size=4)
    merge([run_job(job) for job in reversed(made)], moves=parts)
    assert parts.read_bytes() == whole.read_bytes()
    kept = [tmp_path / f"{number}.run" for number in (1, 2)]
    for number, path in enumerate(kept, 1):
        asked = {"moves": tmp_path / "part.parquet", "shard": Shard(number, 2), "run": path}
        for _ in range(2):  # the second time it goes on from the file, with nothing left to be played
            simulate(RULES, 2, 25, 5, ["club", "greedy"], **asked)
    merge_files(kept, moves=parts)
    assert parts.read_bytes() == whole.read_bytes()
    card, other = (path.with_name(path.name + ".md").read_text() for path in (whole, parts))
    assert card == other.replace("parts.parquet", "whole.parquet")


def test_moves_that_were_not_kept_cannot_be_written(tmp_path):
    batches = [run_job(job) for job in jobs(RULES, 2, 5, 5)]
    with pytest.raises(SimulationError, match="these deals were played without keeping their moves"):
        merge(batches, moves=tmp_path / "moves.parquet")
    kept = tmp_path / "deals.run"
    simulate(RULES, 2, 5, 5, run=kept)
    with pytest.raises(SimulationError, match=r"is the file of another run \(other moves\)"):
        simulate(RULES, 2, 5, 5, run=kept, moves=tmp_path / "moves.parquet")
    assert list(tmp_path.iterdir()) == [kept]


def test_data_card_names_columns_and_its_command_repeats_the_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = (
        "--profile rummy-500 --house-rules H5 --players 3 --deals 6 --seed 4 --bots club,greedy --dealer 1"
    )
    run(capsys, *words.split(), "--out", "deals.parquet", "--moves", "moves.parquet", "--workers", "1")
    for name in ("deals.parquet", "moves.parquet"):
        card, data = Path(name + ".md").read_text(), Path(name).read_bytes()
        for column in pq.read_schema(name).names:
            assert f"| `{column}` |" in card
        assert hashlib.sha256(data).hexdigest() in card and "restock = true" in card
        command = re.search(r"^rum500 (simulate .*)$", card, re.MULTILINE)[1]
        Path(name).unlink()
        assert main([*command.split(), "--workers", "1"]) == 0 and Path(name).read_bytes() == data


def test_a_card_names_a_file_for_rules_that_are_no_profile(tmp_path):
    simulate(RULES.replace(hand_two=10), 2, 3, out=tmp_path / "deals.parquet")
    card = (tmp_path / "deals.parquet.md").read_text()
    assert "rum500 simulate --profile rules.toml --players 2" in card and "## The rules (rules.toml)" in card


# --- the command -----------------------------------------------------------------------------------


def test_command_prints_totals(capsys):
    code, out, err = run(capsys, "--deals", "50", "--seed", "7", "--bots", "greedy,random", "--workers", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "500 Rum (500-rum): 50 deals, 2 players, seed 7"
    assert lines[1].split() == ["Seat", "Bot", "Points", "a", "deal", "±", "Went", "out"]
    assert lines[2].split()[:2] == ["0", "greedy"] and lines[3].split()[:2] == ["1", "random"]
    assert lines[4].split() == ["Position", "Points", "a", "deal", "±"]
    assert lines[5].startswith("first to play ") and lines[6].startswith("dealer ")
    assert "Ends: somebody went out" in out
    assert lines[-1] == f"Checksum {simulate(RULES, 2, 50, 7, ['greedy', 'random']).checksum}"


def test_the_command_gives_json(capsys):
    words = "--profile rummy-500 --players 4 --deals 20 --seed 3 --house-rule H5 --workers 1 --json"
    code, out, _ = run(capsys, *words.split())
    shown = json.loads(out)
    assert code == 0
    assert (shown["deals"], shown["players"], shown["profile"], shown["seed"]) == (20, 4, "rummy-500", 3)
    assert {"actions", "seconds", "checksum", "mean_points"} <= set(shown)
    assert len(shown["mean_points"]) == 4 and shown["bots"] == ["random"] * 4
    done = simulate(ruleset("rummy-500", house_rules=("H5",)), 4, 20, 3)
    assert (shown["checksum"], shown["actions"]) == (done.checksum, done.actions)


def test_a_bot_is_called_what_it_was_asked_for_by(tmp_path):
    """As in the arena: by its own name one level is the other."""
    out, asked = tmp_path / "deals.parquet", ("strong:worlds=1", " strong:worlds=2")
    names = ("strong:worlds=1", "strong:worlds=2", "strong:worlds=1")
    assert simulate(RULES, 3, 1, 1, asked, out=out).bots == names
    assert pq.read_schema(out).metadata[b"rum500.bots"].decode() == ",".join(names)


@pytest.mark.whole
def test_the_command_writes_parquet_and_works_in_parallel(capsys, tmp_path):
    out = tmp_path / "deals.parquet"
    words = f"--profile persian --deals 60 --bots greedy,random --workers 2 --out {out}"
    code, shown, _ = run(capsys, *words.split())
    assert code == 0 and f"Written to {out}" in shown and re.search(r"\([12] workers?\)", shown)
    assert pq.read_table(out).num_rows == 60


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--profile persain", "there is no profile 'persain'; did you mean persian"),
        ("--profile persian-rummy --players 3", "Persian Rummy is for 4 players, not 3"),
        ("--players 9", "500 Rum is for 2 to 8 players, not 9"),
        ("--dealer 2", "the dealer is a seat, 0 to 1, not 2"),
        ("--dealer -1", "the dealer is a seat, 0 to 1, not -1"),
        ("--deals 0", "the number of deals is 1 or more, not 0"),
        ("--deals -5", "the number of deals is 1 or more, not -5"),
        ("--workers 0", "the number of workers is 1 or more, not 0"),
        ("--seed seven", "seven"),
        ("--deals many", "many"),
        ("--bots greddy", "there is no bot 'greddy'; did you mean greedy?"),
        ("--bots ,", "no bot is named"),
        ("--bots random,random,random", "3 bots are named for 2 players"),
        ("--house-rule H9", "H9"),
        ("--wrokers 2", "--wrokers"),
    ],
)
def test_bad_option_is_refused_in_one_line(capsys, words, message):
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("rum500 simulate: ") and err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("place", ["missing/deals.parquet", "."])
def test_unwritable_file_is_refused_before_playing(capsys, tmp_path, place):
    where = Path(os.path.relpath(tmp_path)) / place
    code, out, err = run(capsys, "--deals", "100000000", "--out", str(where))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and str(where) in err


# --- results at the prompt and in notebooks ---------------------------------------------------------------


def results() -> list[Result]:
    rules = ruleset("500-rum")
    text = 'deals = 20\n[vary]\nhouse_rules = ["none", "H2"]\nbots = "random"\n'
    return [
        simulate(rules, 2, 30, bots=("greedy", "random")),
        simulate(rules, 8, 5),
        arena(rules, ["greedy", "random"], pairs=2, unit="deal"),
        study.study(study.Study.from_text(text)),
    ]


def test_result_is_one_line_a_table_and_a_data_frame() -> None:
    rows = [2, 8, 1, 2]
    for result, count in zip(results(), rows, strict=True):
        assert len(repr(result)) <= 120 and "\n" not in repr(result)
        assert repr(result).startswith(f"<{type(result).__name__} ")
        html = result._repr_html_()
        assert html.count("<tr>") == count + 1
        assert html.count("<td>") == count * html.count("<th>")
        for package in ("pandas", "polars"):
            if find_spec(package) is None:
                with pytest.raises(ModuleNotFoundError, match=f"pip install {package}"):
                    getattr(result, f"to_{package}")()
            else:
                frame = getattr(result, f"to_{package}")()
                assert len(frame) == count and list(frame.columns) == list(result.table())


def test_table_of_a_simulation_has_its_figures() -> None:
    done = results()[0]
    assert isinstance(done, Simulation)
    table = done.table()
    assert table["points"] == list(done.mean_points) and table["bot"] == ["greedy", "random"]
    assert table["points_low"][0] == done.points[0].low
