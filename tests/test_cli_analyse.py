"""`rum500 analyse`: its tables, its JSON, the annotated record, Ctrl-C, and what it refuses."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rum500 import ruleset
from rum500.cli import analyse, main
from rum500.record import Record
from rum500.review.breakdown import DealBreakdown
from rum500.review.deal_review import Reviewed, review
from rum500.review.judge import VERSION, Judge
from rum500.review.plans import Plan
from rum500.review.verdict import Budget, Verdict
from tests.support.club_records import played_record
from tests.support.records import random_record
from tests.test_record import HAND_WRITTEN

pytestmark = pytest.mark.compiled

WORDS = ("--budget", "64", "--threads", "1")


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of two deals."""
    path = tmp_path_factory.mktemp("records") / "match.rum500"
    path.write_text(played_record(ruleset("500-rum"), 2, ("greedy", "club"), 1, 2).to_text())
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    code = main(["analyse", *map(str, words)])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_a_table_for_each_deal_and_the_sums(capsys: pytest.CaptureFixture[str], match: Path) -> None:
    code, out, err = run(capsys, match, *WORDS)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split(":")[0] for line in lines if line.startswith("Deal ")] == ["Deal 1", "Deal 2"]
    assert any(" ?? " in line for line in lines)
    sums = lines[lines.index("Where the points came from, compared with the opponent:") + 2 :][:2]
    margins = [[int(number.replace("−", "-")) for number in line.split()[2:]] for line in sums]
    assert all(margin == sum(parts) for margin, *parts in margins)
    assert margins[0][0] == -margins[1][0]
    assert not any("-0" in line.split() for line in sums)
    rest = " ".join(out.split())
    assert rest.count("On one line: deal ") == 2 and rest.count("Chance to win the match by the score: ") == 2
    for line in [line for line in lines if re.search(r" -?\+?\d+ to -?\+?\d+ ", line)]:
        average, cards, club, play, result = map(int, re.findall(r"[+-]\d+", line)[:5])
        assert (average + cards, club + play) == (club, result)
    assert not re.search(r"±0\.0| ± 0\.0", rest)
    assert rest.count("points against club (too few deals to name a level)") == 1
    # The levels were measured among club, and nothing here says that the other plays like it.
    assert rest.count("play worth +0 points a deal against club") == 1
    assert rest.count("luckiest draw") == 4  # with the two unluckiest
    assert re.search(r"Play \d+: .* costs \d", rest)
    assert f"Judge {VERSION} (" in out and "Losses do not add up to points given away" in " ".join(
        out.split()
    )


def test_story_is_printed_once_for_each_seat(capsys: pytest.CaptureFixture[str], match: Path) -> None:
    """The decisions of a turn often have the same one."""
    reviewed = review(Record.load(match), Judge(Budget.of("64"), 1), [1])
    verdict = next(play.verdict for play in reviewed if play.verdict and play.verdict.mark.sign)
    first = replace(verdict, step=8, plan=Plan("race", (), 0.0, 1.0, 0.8))
    turn = [first, replace(first, step=9), replace(first, step=10, seat=1 - first.seat)]
    counts = [text.count("Play to go out first: ") for text in analyse._explanations(turn)]
    assert counts == [1, 0, 1]


def test_a_single_draw_is_not_the_luckiest_and_the_unluckiest(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "short.rum500"
    file.write_text(played_record(ruleset("500-rum"), 4, ("greedy", "club"), 1).to_text())
    assert file.read_text().count("Seat 0: draw") == 1
    told = " ".join(run(capsys, file, "--seat", 0, *WORDS)[1].split())
    assert "Seat 0: only draw " in told and "luckiest" not in told


@pytest.mark.whole
def test_json_is_the_same_for_any_threads(capsys: pytest.CaptureFixture[str], match: Path) -> None:
    told = [
        run(capsys, match, "--deal", 2, "--seat", 0, "--json", "--budget", "64", "--threads", threads)[1]
        for threads in (1, 3)
    ]
    assert told[0] == told[1]
    review: dict[str, Any] = json.loads(told[0])
    assert {"judge", "decisions", "seats", "complete"} <= set(review) and review["complete"] is True
    wanted = {"deal", "step", "seat", "played", "best", "loss", "interval", "mark", "kind", "candidates"}
    for decision in review["decisions"]:
        assert wanted <= set(decision) and (decision["deal"], decision["seat"]) == (2, 0)
        assert ("why" in decision) == (decision["loss"] > 0) or decision["loss"] < 0.01
    (one,) = review["seats"]
    assert one["seat"] == 0 and None not in one.values()
    parts = [one[part] for part in ("luck", "play_value", "others_play", "unexplained")]
    assert sum(parts) == pytest.approx(one["margin"])
    assert one["interval"][0] <= one["play_value"] <= one["interval"][1]
    (deal,) = review["deals"]
    (line,) = deal["lines"]
    assert (deal["deal"], line["seat"], line["you"]) == (2, 0, round(one["margin"]))
    assert line["cards"] + line["play"] == line["you"] - line["average"]
    assert sum(deal["match"]["before"]) == sum(deal["match"]["after"]) == 100


@pytest.mark.whole
def test_the_annotated_record_says_the_same(
    capsys: pytest.CaptureFixture[str], match: Path, tmp_path: Path
) -> None:
    out, words = tmp_path / "annotated.rum500", [*WORDS, "--deal", 1, "--json"]
    one = run(capsys, match, *words, "--out", out)
    assert one[0] == 0
    text = out.read_text()
    assert "{??" in text and "−" in text
    assert Record.from_text(text).verify() == []
    assert main(["replay", str(out), "--verify"]) == 0
    capsys.readouterr()
    assert run(capsys, out, *words, "--out", tmp_path / "again") == one
    assert (tmp_path / "again").read_text() == text


@pytest.mark.whole
def test_ctrl_c_keeps_what_is_done(
    capsys: pytest.CaptureFixture[str], match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal comes while the fourth verdict is awaited."""
    real = analyse.review

    def interrupted(*args: Any) -> Iterator[Reviewed]:
        for number, play in enumerate(real(*args)):
            if sum(isinstance(one.verdict, Verdict) for one in seen) == 3 and number:
                signal.raise_signal(signal.SIGINT)
            seen.append(play)
            yield play

    seen: list[Reviewed] = []
    monkeypatch.setattr(analyse, "review", interrupted)
    out = tmp_path / "annotated.rum500"
    code, told, err = run(capsys, match, *WORDS, "--json", "--out", out)
    assert code == 130 and err.startswith(f"Stopped: {len(seen)} of ")
    review = json.loads(told)
    assert review["complete"] is False and len(review["decisions"]) == 3
    assert Record.from_text(out.read_text()).verify() == []


@pytest.mark.whole
def test_ctrl_c_before_the_verdicts_keeps_the_measured_deals(
    capsys: pytest.CaptureFixture[str], match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal comes while the account of the second deal is made."""
    real = analyse.deal_breakdowns

    def interrupted(*args: Any, **more: Any) -> Iterator[DealBreakdown]:
        for number, account in enumerate(real(*args, **more)):
            if number:
                signal.raise_signal(signal.SIGINT)
            yield account

    monkeypatch.setattr(analyse, "deal_breakdowns", interrupted)
    code, told, err = run(capsys, match, *WORDS)
    assert code == 130 and err.startswith("Stopped: 0 of ")
    assert err.rstrip().endswith(", play and luck measured in 1 of two deals. These are kept.")
    assert "Where the points came from in 1 of 2 deals, compared with the opponent:" in told
    whole = json.loads(run(capsys, match, "--deal", 1, "--json", *WORDS)[1])
    part = json.loads(run(capsys, match, "--json", *WORDS)[1])
    assert (part["complete"], part["decisions"]) == (False, [])
    for one, other in zip(part["seats"], whole["seats"], strict=True):
        assert (one["margin"], one["luck"]) == (other["margin"], other["luck"])


def test_unwritable_file_is_reported_before_the_work(
    capsys: pytest.CaptureFixture[str], match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who runs the tests may write to every directory of the disk, but not to that of the processes."""

    def begun(*_: Any, **__: Any) -> Iterator[DealBreakdown]:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(analyse, "deal_breakdowns", begun)
    code, told, err = run(capsys, match, *WORDS, "--out", "/proc/rum500")
    assert (code, told, err.count("\n")) == (2, "", 1)
    assert err.startswith("rum500 analyse: /proc/rum500: ")
    with pytest.raises(AssertionError, match="begun"):
        run(capsys, match, *WORDS, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists(), "nothing is left of the look"


@pytest.mark.whole
def test_plays_of_stand_ins_are_counted_apart(
    capsys: pytest.CaptureFixture[str], match: Path, tmp_path: Path
) -> None:
    record = Record.from_text(match.read_text())
    record.deals[0].note_stand_ins(range(1, len(record.deals[0].plays) + 1))
    file = tmp_path / "absent.rum500"
    file.write_text(record.to_text())
    code, out, _ = run(capsys, file, "--json", *WORDS)
    assert code == 0 and {decision["deal"] for decision in json.loads(out)["decisions"]} == {2}
    record.deals[0].end_tags = [("Stand-ins", "3 5")]
    file.write_text(record.to_text())
    code, out, _ = run(capsys, file, "--deal", 1, *WORDS)
    assert code == 0 and ", 2 by stand-ins" in out.splitlines()[0]


def test_a_record_from_standard_input(
    capsys: pytest.CaptureFixture[str], match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with match.open() as text:
        monkeypatch.setattr(sys, "stdin", text)
        assert run(capsys, "-", "--deal", 1, "--seat", 1, *WORDS)[0] == 0


def unfinished() -> str:
    return random_record(ruleset("500-rum"), 2, 1, deals=2, stop=6).to_text()


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (["--seat", "2"], None, "--seat: found 2, expected 0 to 1"),
        (["--seat", "-1"], None, "--seat: found -1, expected 0 to 1"),
        (["--deal", "3"], None, "--deal: found 3, expected 1 to 2"),
        (["--budget", "0"], None, "--budget: found '0', expected quick, usual, deep, or a number of worlds"),
        (["--budget", "slow"], None, "--budget: found 'slow', expected quick"),
        (["--threads", "0"], None, "--threads: found 0, expected 1 to 64"),
        (["--out", "."], None, ".: is a directory"),
        (["--out", "none/out"], None, "none/out: there is no directory none"),
        ([], "", "line 1, column 1"),
        ([], "unfinished", "deal 2 is unfinished, and only finished ones are reviewed"),
        ([], "tampered", "the checksum does not fit"),
        ([], HAND_WRITTEN.replace("500-rum", "501-rum"), "501-rum"),
        ([], "illegal", "line "),
    ],
)  # fmt: skip
def test_bad_option_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str],
    match: Path,
    tmp_path: Path,
    words: list[str],
    text: str | None,
    said: str,
) -> None:
    file = tmp_path / "record.rum500"
    whole = match.read_text()
    texts = {
        None: whole,
        "unfinished": unfinished(),
        "tampered": whole.replace("Seat 0", "Seat 9"),
        "illegal": HAND_WRITTEN.replace("draw", "take KS", 1),
    }
    file.write_text(texts.get(text, text or ""))
    code, out, err = run(capsys, file, *words)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("rum500 analyse: ") and said in err, err
