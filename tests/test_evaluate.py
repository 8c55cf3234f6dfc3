"""The evaluation of bots: what it measures, its files, its failures, and the leaderboard."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from rum500.cli import main
from rum500.rules.profiles import ruleset
from rum500.sim import SimulationError
from rum500.sim.arena import Estimate, arena
from rum500.sim.evaluation.evaluation_file import (
    Evaluation,
    EvaluationFileError,
    digest_of,
    mean_of_contests,
    read_evaluation,
    to_json,
)
from rum500.sim.evaluation.evaluation_page import page, picture
from rum500.sim.evaluation.leaderboard import leaderboard
from rum500.sim.evaluation.protocol import FULL, QUICK, EvaluationGame, Protocol
from rum500.sim.evaluation.run_evaluation import evaluate
from rum500.sim.evaluation.supervised_bot import Limits
from rum500.sim.players import close_players
from tests.support.waiting import PATIENCE

TINY = Protocol(
    name="tiny",
    games=(EvaluationGame("500-rum", 2, 3), EvaluationGame("persian-rummy", 4, 2)),
    opponents=("casual", "club"),
    toys=("small",),
    toy_seeds=1,
    timed_deals=1,
)
DOCS = Path(__file__).parent.parent / "docs" / "evaluations"
LEAKS = "self.kept.append(b'x' * (16 << 20))"
BOT = """
class Poor:
    name = "poor"
    kept = []

    def choose(self, view, rng):
        {does}
        return view.legal[0]
"""


@pytest.fixture(scope="module")
def casual() -> Evaluation:
    return evaluate("casual", TINY)


@pytest.fixture
def poor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write a bot that does this before each choice, and return its path as the arguments of a command."""
    monkeypatch.chdir(tmp_path)
    number = [0]

    def write(does: str) -> str:
        number[0] += 1
        name = f"poor_{tmp_path.name.replace('-', '_')}_{number[0]}.py"
        Path(name).write_text(BOT.format(does=does))
        return name

    yield write
    close_players()


# --- what is measured -------------------------------------------------------------------------------


def test_contest_is_that_of_the_arena(casual: Evaluation):
    """With its own seed, and by the command that the page of the protocol names."""
    plan = TINY.plans("casual")[1]
    score = arena(ruleset("500-rum"), ["casual", "club"], 3, plan.seed, unit="deal").scores[0]
    found = casual.results.contests[1]
    assert (found.game, found.opponent, found.pairs, found.deals) == ("500-rum/2", "club", 3, 6)
    assert found.points.value == pytest.approx(score.points.value, abs=1e-3)
    assert found.points.high == pytest.approx(score.points.high, abs=1e-3)


def test_bot_against_itself_is_level(casual: Evaluation):
    own = casual.results.contests[0]
    assert own.opponent == "casual"
    assert (own.points.value, own.points.low, own.points.high) == (0.0, 0.0, 0.0)


def test_means_are_over_games_and_opponents(casual: Evaluation):
    found = casual.results
    of = {(one.game, one.opponent): one.points.value for one in found.contests}
    assert len(of) == 4
    for game in found.games:
        assert game.points.value == pytest.approx(
            (of[game.name, "casual"] + of[game.name, "club"]) / 2, abs=2e-3
        )
    assert [one.name for one in found.opponents] == ["casual", "club"]
    assert found.mean.value == pytest.approx(sum(of.values()) / 4, abs=2e-3)


def test_interval_of_a_mean_comes_from_the_errors_of_its_contests():
    two = [Estimate(10.0, 3.0, 0, 0), Estimate(20.0, 4.0, 0, 0)]
    found = mean_of_contests(two, [10_001, 10_001])
    assert (found.value, found.error) == (15.0, 2.5)
    assert found.high - 15 == pytest.approx(1.96 * 2.5, rel=1e-3)
    # Welch and Satterthwaite: 25² / (9² / 2 + 16² / 2) = 3.7 degrees of freedom, of which 3 are used.
    assert mean_of_contests(two, [3, 3]).high - 15 == pytest.approx(3.182 * 2.5)
    assert mean_of_contests([Estimate(0.0, 0.0, 0, 0)], [3]).high == 0.0


def test_exploitability_is_that_of_the_toy_game():
    """The levels' figures are those of `tests/test_toy_game.py`; `random` has its exact probabilities."""
    assert evaluate("random", TINY).results.toys[0].points == pytest.approx(
        (30.36667 + 5.53611) / 2, abs=1e-3
    )


def test_digest_is_repeated_by_any_number_of_workers_and_covers_no_time(casual: Evaluation):
    again = evaluate("casual", TINY, workers=2)
    assert (again.digest, again.opponents, again.results) == (casual.digest, casual.opponents, casual.results)
    assert again.times != casual.times
    other = evaluate("casual", replace(TINY, games=(EvaluationGame("500-rum", 2, 2),)))
    assert other.digest != casual.digest


def test_bot_in_a_file_plays_as_it_does_in_the_arena(poor):
    bot = poor("pass")
    found = evaluate(bot, replace(TINY, games=TINY.games[:1]), name="First legal")
    score = arena(ruleset("500-rum"), [bot, "casual"], 3, TINY.plans(bot)[0].seed, unit="deal").scores[0]
    assert found.bot == "First legal"
    assert found.results.contests[0].points.value == pytest.approx(score.points.value, abs=1e-3)
    assert "First legal" in found.sources


@pytest.mark.whole
def test_engine_has_the_results_of_its_bot_and_its_memory_is_watched(casual: Evaluation, poor):
    """Toy games too, whose positions the engine gets as text."""
    engine = f"cmd:{sys.executable} -m rum500 engine --bot"
    assert evaluate(f"{engine} casual", TINY).digest == casual.digest
    with pytest.raises(SimulationError, match="leaks memory"):
        evaluate(f"{engine} {poor(LEAKS)}", TINY, limits=Limits(PATIENCE, most_mb=100))


def test_bot_with_a_clock_is_marked():
    small = replace(TINY, games=(EvaluationGame("500-rum", 2, 2),), opponents=("casual",), toys=())
    done = evaluate("strong:worlds=2:seconds=5", small)
    assert done.by_the_clock
    assert "depend on the machine" in page(done, "x.svg", "rum500 evaluate x")


def test_protocols_differ_in_name_and_size_only_in_the_same_five_games():
    assert [game.name for game in FULL.games] == [game.name for game in QUICK.games]
    assert len(FULL.games) == 5 and len({game.players for game in FULL.games}) == 4
    assert FULL.name != QUICK.name
    for protocol in (FULL, QUICK):
        seeds = [plan.seed for plan in (*protocol.plans("club"), *protocol.opponent_plans)]
        assert len(set(seeds)) == len(seeds)
        assert all(":seconds" not in name for name in protocol.opponents)


# --- the page and the file --------------------------------------------------------------------------


def test_page_has_every_contest_and_the_digest(casual: Evaluation):
    text = page(casual, "casual.svg", "rum500 evaluate casual")
    assert casual.digest in text and "rum500 evaluate casual\n" in text and "![" in text
    rows = [
        line
        for line in text.splitlines()
        if line.startswith(("| 500-rum/2 ", "| persian-rummy/4 ", "| all "))
    ]
    assert len(rows) == 3 and all(row.count("±") == 3 for row in rows)
    ElementTree.fromstring(picture(casual))


def test_file_is_read_as_it_was_written(casual: Evaluation, tmp_path: Path):
    path = tmp_path / "casual.json"
    path.write_text(to_json(casual))
    assert read_evaluation(path) == casual


def changed(text: str) -> str:
    data = json.loads(text)
    data["results"]["mean"]["value"] += 10
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed, "its results do not match its digest, so it was changed; evaluate casual again"),
        (lambda text: text[:200], "is no evaluation: Input data was truncated"),
        (lambda text: "{}", "is no evaluation: Object missing required field `format`"),
        (lambda text: text.replace("rum500 evaluation", "something"), "is no evaluation: Invalid enum value"),
        (lambda text: "[" * 100_000, "is no evaluation: "),
        (lambda text: " " * (1 << 20) + text, "is larger than 1,048,576 bytes"),
    ],
)
def test_file_that_is_no_evaluation_is_refused_in_one_line(
    casual: Evaluation, tmp_path: Path, change, message: str
):
    path = tmp_path / "casual.json"
    path.write_text(change(to_json(casual)))
    with pytest.raises(EvaluationFileError) as refused:
        read_evaluation(path)
    assert str(refused.value).startswith(f"{path}: ") and message in str(refused.value)
    assert "\n" not in str(refused.value)


# --- failing bots -----------------------------------------------------------------------------------

FAILURES = {
    "1 / 0": "failed: ZeroDivisionError: division by zero (poor_",
    "return 99_999_999": "played 99999999, which is not legal",
    "return None": "played None, which is not a play",
    "__import__('time').sleep(10_000)": "hangs: it had not chosen after 1 s (poor_",
    LEAKS: "leaks memory: ",
}


@pytest.mark.parametrize("does", FAILURES)
def test_failing_bot_is_refused_in_one_line_with_the_place(poor, does: str):
    bot = poor(does)
    with pytest.raises(SimulationError) as failed:
        evaluate(bot, TINY, limits=Limits(patience=1 if "sleep" in does else PATIENCE, most_mb=100))
    message = str(failed.value)
    assert message.startswith((f"{bot}: poor ", f"{bot} ")) and FAILURES[does] in message
    assert "(500-rum, 2 players, dealer " in message and "deal seed " in message
    assert message.endswith(f"; rum500 bot test {bot} shows more") and "\n" not in message


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(words)
    except SystemExit as ended:
        code = int(str(ended.code))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_bots_that_fail_do_not_stop_the_others(poor, capsys, monkeypatch):
    """One ends its process, one does not exist."""
    monkeypatch.setattr("rum500.cli.evaluate.QUICK", TINY)
    bot = poor("__import__('os')._exit(3)")
    code, out, err = run(capsys, "evaluate", bot, "no_such_bot", "casual", "--quick", "--out", "found")
    assert code == 2
    ended, absent, *_ = err.splitlines()
    assert ended.startswith(f"rum500 evaluate: {bot}: a worker process ended in mid-work")
    assert absent.startswith("rum500 evaluate: there is no bot 'no_such_bot'")
    assert out.startswith("casual, protocol tiny") and "Digest " in out
    assert {path.name for path in Path("found").iterdir()} == {"casual.md", "casual.svg", "casual.json"}


def test_options_that_make_no_sense_are_refused(capsys):
    assert run(capsys, "evaluate")[0] == 2
    code, _, err = run(capsys, "evaluate", "club", "casual", "--name", "x")
    assert code == 2 and err.count("\n") == 1 and "--name is for one bot" in err
    code, _, err = run(capsys, "evaluate", "club", "--out", __file__)
    assert code == 2 and "is a file; --out names a folder" in err


# --- the leaderboard --------------------------------------------------------------------------------


def named(one: Evaluation, bot: str, mean: float, **other: str) -> Evaluation:
    figure = msgspec.structs.replace(one.results.mean, value=mean, low=mean - 1, high=mean + 1)
    results = msgspec.structs.replace(one.results, mean=figure)
    new = msgspec.structs.replace(one, bot=bot, results=results, **other)
    return msgspec.structs.replace(new, digest=digest_of(*new.basis, results))


def test_leaderboard_sets_other_versions_apart_and_refuses_what_is_no_evaluation(
    casual: Evaluation, tmp_path: Path, capsys
):
    files = {
        "first": named(casual, "a|b", 5.0),
        "old": named(casual, "old", 90.0, protocol="0"),
        "second": named(casual, "second", 8.5),
        "changed_opponents": named(casual, "other", 7.0, opponents="0123"),
    }
    for name, one in files.items():
        (tmp_path / f"{name}.json").write_text(to_json(one))
    (tmp_path / "broken.json").write_text("{")
    paths = [str(tmp_path / f"{name}.json") for name in (*files, "broken", "missing")]
    code, out, err = run(capsys, "leaderboard", *paths)
    assert code == 2 and err.count("\n") == 4
    assert f"rum500 leaderboard: {paths[1]}: is of protocol 0, not tiny; it has a table of its own" in err
    assert f"{paths[3]}: has opponents 0123, not {casual.opponents}: another version of rum500" in err
    assert f"{paths[4]}: is no evaluation: " in err and f"{paths[5]}: No such file" in err
    tables = out.split("Protocol ")[1:]
    assert [table.partition(",")[0] for table in tables] == ["tiny", "0", "tiny"]
    rows = [line.split(" | ")[:3] for line in tables[0].splitlines() if line.startswith("| ") and "±" in line]
    assert rows == [["| 1", "second", "+8.5 ± 1.0"], ["| 2", "a\\|b", "+5.0 ± 1.0"]]


def test_leaderboard_of_comparable_files_is_written(casual: Evaluation, tmp_path: Path, capsys):
    (tmp_path / "a.json").write_text(to_json(casual))
    out = tmp_path / "board.md"
    code, printed, errors = run(capsys, "leaderboard", str(tmp_path / "a.json"), "--out", str(out))
    assert (code, printed, errors) == (0, f"Written to {out}\n", "")
    assert (
        out.read_text().startswith("# Leaderboard\n\nProtocol tiny") and casual.digest[:12] in out.read_text()
    )
    assert run(capsys, "leaderboard")[0] == 2


# --- the reference results --------------------------------------------------------------------------


def test_reference_results_are_whole_and_comparable():
    found = leaderboard(sorted(DOCS.glob("*.json")))
    assert not found.refused and not found.apart
    (table,) = found.tables
    assert {one.protocol for one in table} == {QUICK.name}
    assert {"random", "greedy", "casual", "club"} <= {one.bot for one in table}


@pytest.mark.whole
def test_reference_results_are_those_of_this_version():
    known = read_evaluation(DOCS / "club.json")
    again = evaluate("club", QUICK, workers=2)
    assert (again.opponents, again.digest) == (known.opponents, known.digest), "run tools/evaluations.py"
