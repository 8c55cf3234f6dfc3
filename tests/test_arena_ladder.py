"""The ladder: its contests, its page with the picture, and how it continues after a stop."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import chain
from math import inf, nan
from pathlib import Path

import pytest

from rum500 import bots
from rum500.cli import main
from rum500.rules.profiles import profile_names, ruleset
from rum500.sim.arena import Estimate, PairScore, arena
from rum500.sim.arena.ladder_page import keep_stairs, page
from rum500.sim.arena.ladder_svg import picture
from rum500.sim.arena.run_ladder import Ladder, LadderGame, games, ladder, levels, plans
from rum500.sim.results import Notes

TWO = (LadderGame(ruleset("500-rum"), 2), LadderGame(ruleset("500-rummy"), 6))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["ladder", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture(scope="module")
def climbed():
    """Two levels at two tables."""
    return ladder(TWO, ["random", "greedy"], seed=5, pairs=6)


def test_all_profiles_and_tables_of_three_and_six_are_played():
    tables = games()
    assert {table.rules.name for table in tables} == set(profile_names())
    assert any(table.players == 3 for table in tables)
    assert any(table.players == 6 and table.rules.packs(6) == 2 for table in tables)


def test_the_levels_are_those_of_the_registry_in_their_order():
    assert [level.split(":")[0] for level in levels()] == [level.name for level in bots.levels()]
    # What thinks by the clock elsewhere thinks in worlds here: a busy machine changes no number.
    assert all(
        level.budget.keys() == set() or "worlds=" in name
        for level, name in zip(bots.levels(), levels(), strict=True)
    )


def test_every_two_levels_meet_at_every_table_the_stronger_first():
    made = plans(TWO, ["random", "greedy", "club"], 1, True, None)
    assert [plan.bots for plan in made[:3]] == [
        ("greedy", "random"),
        ("club", "random"),
        ("club", "greedy"),
    ]
    assert len(made) == 6 and {plan.unit for plan in made} == {"match"}
    slow = plans(TWO[:1], ["club", "strong:worlds=8"], 1, False, None)[0]
    assert slow.unit == "deal" and slow.pairs > plans(TWO[:1], ["club", "strong"], 1, True, None)[0].pairs


def test_with_two_packs_twice_as_many_pairs_are_played_unless_a_number_is_asked_for():
    one, two = plans(TWO, ["random", "greedy"], 1, True, None)
    assert two.pairs == 2 * one.pairs
    assert {plan.pairs for plan in plans(TWO, ["random", "greedy"], 1, True, 7)} == {7}


def test_games_with_sides_play_more_pairs():
    two, sides = (
        {plan.bots: plan.pairs for plan in plans(games([name]), ["club", "strong", "expert"], 1, True, None)}
        for name in ("500-rum", "persian-rummy")
    )
    more = {bots for bots in two if sides[bots] > two[bots]}
    assert more == {("expert", "strong")}


def test_a_contest_of_the_ladder_is_the_arenas(climbed):
    score = climbed.score(0, "greedy", "random")
    assert score == arena(ruleset("500-rum"), ["greedy", "random"], 6, 5).scores[0]
    assert climbed.failed(0) == () and climbed.as_dict()["games"][0]["every_level_beats_the_one_below"]


def test_page_lists_winners_for_each_game(climbed):
    text = page(climbed, "ladder.svg", "rum500 ladder --quick")
    assert "![What each level gains on the one below it](ladder.svg)" in text
    assert "- **500-rum, 2 players**: every level beats the one below it with 95 % confidence." in text
    assert "- **500-rummy, two packs, 6 players**: " in text
    command = (
        "rum500 arena --bots greedy,random --profile 500-rum --players 2 --unit match --pairs 6 --seed 5"
    )
    assert command in text
    row = next(line for line in text.splitlines() if line.startswith("| greedy |"))
    points = climbed.score(0, "greedy", "random").points.value
    assert f"{points:+.1f}" in row


def test_the_ladder_that_is_shown_is_the_one_that_would_be_written():
    """Page and picture, from the figures that lie beside them."""
    shown = Path(__file__).parent.parent / "docs" / "ladder.md"
    done = from_figures(json.loads(shown.with_suffix(".json").read_text()))
    whole = page(done, "ladder.svg", "rum500 ladder --quick --seed 20004")
    assert shown.read_text() == keep_stairs(shown.read_text(), whole)
    assert shown.with_suffix(".svg").read_text() == picture(done)
    assert json.loads(shown.with_suffix(".json").read_text()) == done.as_dict()


def from_figures(reported):
    """A ladder read from its figures, without the standard errors, which nothing shows."""
    tables = tuple(LadderGame(ruleset(game["profile"]), game["players"]) for game in reported["games"])
    asked = tuple(reported["levels"])
    scores = tuple(tuple(score_of(contest) for contest in game["contests"]) for game in reported["games"])
    made = tuple(
        replace(plan, pairs=score.pairs, unit="match" if score.matches else "deal")
        for plan, score in zip(
            plans(tables, asked, reported["seed"], True, None), chain(*scores), strict=True
        )
    )
    notes = Notes(dict.fromkeys(asked, ()))
    return Ladder(
        tables, asked, reported["seed"], reported["quick"], scores, made, notes, reported["seconds"]
    )


def score_of(reported):
    """A contest read from the figures."""

    def estimate(value, ends):
        return None if value is None else Estimate(value, nan, *ends)

    return PairScore(
        **{
            key: reported[key]
            for key in ("a", "b", "pairs", "deals", "matches", "fair", "spread", "cut_short")
        },
        points=estimate(reported["points_a_deal"], reported["interval"]),
        match_win=estimate(reported["match_win"], reported["match_win_interval"]),
        elo=estimate(reported["elo"], [inf if at is None else at for at in reported["elo_interval"] or ()]),
        stop=None,
    )


def test_insignificant_step_is_reported():
    done = ladder(TWO[:1], ["greedy", "random"], seed=5, pairs=6)
    assert [step.score.better for step in done.failed(0)] == [False]
    assert "random loses to greedy (−" in page(done, "x.svg", "x")


def test_the_command_writes_page_picture_and_figures(capsys, tmp_path):
    out = tmp_path / "deep" / "ladder.md"
    words = ["--games", "500-rum", "--bots", "random,greedy", "--pairs", "5", "--seed", "5", "--workers", "1"]
    code, said, err = run(capsys, *words, "--out", str(out))
    assert (code, err) == (0, "")
    assert re.search(r"500-rum/2 +\+\d+ ±\d+", said)
    assert sorted(path.name for path in out.parent.iterdir()) == ["ladder.json", "ladder.md", "ladder.svg"]
    assert "`rum500 ladder --games 500-rum --bots random,greedy --pairs 5 --seed 5`" in out.read_text()
    figures = json.loads(out.with_suffix(".json").read_text())
    assert figures["games"][0]["contests"][0]["pairs"] == 5


@pytest.mark.whole
def test_a_stopped_ladder_goes_on(capsys, tmp_path, monkeypatch):
    words = ["--games", "500-rum,500-rum/3", "--bots", "random,greedy", "--pairs", "3", "--workers", "1"]
    whole, stopped = tmp_path / "whole.md", tmp_path / "stopped.md"
    assert run(capsys, *words, "--out", str(whole))[0] == 0
    real, seen = ladder.__globals__["play"], []

    def stop(plans, *, progress, **options):
        def watch(tally):
            progress(tally)
            seen.append(tally.done)
            if sum(seen) > 4:
                raise KeyboardInterrupt

        return real(plans, progress=watch, **options)

    monkeypatch.setitem(ladder.__globals__, "play", stop)
    code, _, err = run(capsys, *words, "--out", str(stopped))
    assert code == 130 and "continues from" in err.replace("\n", " ")
    assert stopped.with_suffix(".run").exists() and not stopped.exists()
    monkeypatch.setitem(ladder.__globals__, "play", real)
    assert run(capsys, *words, "--out", str(stopped))[0] == 0
    assert stopped.read_text() == whole.read_text().replace("whole.svg", "stopped.svg")
    assert not stopped.with_suffix(".run").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--games persain", "did you mean persian"),
        ("--games 500-rum/9", "not 9"),
        ("--games 500-rum/two", "write the profile, or profile/players"),
        ("--bots greedy", "two levels or more"),
        ("--bots greedy,greedy", "named twice"),
        ("--bots greedy,gredy", "did you mean greedy"),
        ("--pairs 0", "1 or more, not 0"),
        ("--out .", "directory"),
    ],
)
def test_bad_input_is_reported_in_one_line(capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("rum500 ladder: ") and err.count("\n") == 1
    assert message.lower() in err.lower()
    assert not list(Path().iterdir())
