"""Puzzles: those shipped are right and contain no hidden card; mining depends on its plan alone; ratings."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from openskill.models import BradleyTerryFull

from rum500 import bots
from rum500.ai.card_odds import course_of, opening
from rum500.ai.clues import ClueTracker
from rum500.bots import rng_for
from rum500.puzzles import clear_best as clear_best_module
from rum500.puzzles.clear_best import BAND, GAP, Measuring, is_still_clear
from rum500.puzzles.collection import Collection, head_line, retired, shipped
from rum500.puzzles.mining import FEWEST_PLAYS, PLAIN, QUOTAS, MiningPlan, mine
from rum500.puzzles.puzzle import MOST_MOVES, Move, Puzzle, PuzzleError
from rum500.puzzles.ratings import Rating, first_rating, next_puzzle, rated
from rum500.review.stakes import deviation
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.state import view_to_text
from rum500.view import View
from tests.support.depth import depth
from tests.support.odd_values import odd

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def puzzles() -> tuple[Puzzle, ...]:
    return tuple(entry.puzzle() for entry in shipped().entries)


@pytest.fixture(scope="module")
def older() -> tuple[Puzzle, ...]:
    return tuple(entry.puzzle() for entry in retired().entries)


def line_of(puzzle: Puzzle, **changes: Any) -> str:
    return json.dumps(json.loads(puzzle.to_json()) | changes)


def gap_of(move: Move) -> float:
    return GAP * deviation(move.view.rules, move.view.players)


# --- those shipped -----------------------------------------------------------------------------------


def test_shipped_puzzles_follow_the_quotas(puzzles: tuple[Puzzle, ...]) -> None:
    assert puzzles and len(puzzles) == len({puzzle.id for puzzle in puzzles})
    plan = shipped().plan
    assert plan.quotas
    assert [plan.is_quiet(index) for index in range(len(puzzles))] == [puzzle.quiet for puzzle in puzzles]
    games = [(puzzle.view.rules.name, puzzle.view.players) for puzzle in puzzles]
    assert games == [plan.game(index) for index in range(len(puzzles))]


def test_the_quotas_prefer_what_people_play() -> None:
    assert 3 * sum(players == 2 for _, players in QUOTAS) == len(QUOTAS)
    names = Counter(name for name, _ in QUOTAS)
    assert [name for name, _ in names.most_common(2)] == ["500-rum", "rummy-500"]
    assert set(names) == set(profile_names())


def test_shipped_puzzles_have_many_plays_and_several_moves(puzzles: tuple[Puzzle, ...]) -> None:
    for puzzle in puzzles:
        assert len(puzzle.view.legal) >= FEWEST_PLAYS
        assert 2 <= len(puzzle.moves) <= MOST_MOVES
        for one, following in pairwise(puzzle.moves):
            past = one.view.past
            assert following.view.past[: len(past) + 1] == (*past, one.right[0])
            assert following.view.seat == one.view.seat
        last = puzzle.moves[-1].view
        assert _others_acted(puzzle.view, last.past[len(puzzle.view.past) :])


def _others_acted(view: View, codes: Sequence[int]) -> bool:
    """Whether another seat than that of the view makes one of these plays."""
    tracker = ClueTracker(opening(view))
    tracker.run(view.past[1:])
    actors = []
    for code in codes:
        actors.append(tracker.table.actor)
        tracker.run((code,))
    return any(actor != view.seat for actor in actors)


def test_puzzles_read_back_as_they_are_written() -> None:
    """Reading also checks that right and wrong plays are exactly the legal ones."""
    for entry in (*shipped().entries, *retired().entries):
        puzzle = entry.puzzle()
        assert puzzle.to_json() == entry.line
        assert (entry.id, entry.profile) == (puzzle.id, puzzle.view.rules.name)
        assert (entry.players, entry.rating) == (puzzle.view.players, puzzle.rating)
        for move in puzzle.moves:
            assert move.state.view(move.view.seat).legal == move.view.legal
            assert not set(move.right) & {play.code for play in move.wrong}
            assert all(code in move.view.legal for code in move.levels.values())


def test_puzzle_file_contains_no_hidden_card(puzzles: tuple[Puzzle, ...]) -> None:
    """Of other hands a puzzle has the number of cards, and what all saw them take; of the stock a number."""
    for puzzle in puzzles:
        written = json.loads(puzzle.to_json())
        assert set(written) == {"id", "moves", "quiet", "judge"}
        for shown, move in zip(written["moves"], puzzle.moves, strict=True):
            assert set(shown) == {"position", "course", "right", "wrong", "levels"}
            lines = dict(line.split(": ", 1) for line in shown["position"] if ": " in line)
            assert "rng" not in lines and "course" not in lines
            assert re.fullmatch(r"\d+ cards?", lines["stock"])
            for seat in range(move.view.players):
                if seat != move.view.seat:
                    assert re.fullmatch(r"\d+ cards?(, known [0-9AJQKSHDC ]+)?", lines[f"hand {seat}"])
            course_of(move.view)  # raises if the course does not lead to the view, by what everybody saw


def test_their_gaps_are_as_wide_as_promised(puzzles: tuple[Puzzle, ...], older: tuple[Puzzle, ...]) -> None:
    for puzzle in (*puzzles, *older[:: depth(50, 1)]):
        for move in puzzle.moves:
            second = move.wrong[0]
            assert second.loss >= gap_of(move) - 0.05 and second.loss >= 4 * second.error
            assert [play.loss for play in move.wrong] == sorted(play.loss for play in move.wrong)
            assert 1 <= len(move.right) <= 4


def test_weak_levels_fail_them_and_solve_the_quiet_ones(puzzles: tuple[Puzzle, ...]) -> None:
    """The plays of levels without a search are theirs still; so a change of a level is seen here."""
    for puzzle in puzzles:
        first = puzzle.moves[0]
        if puzzle.quiet:
            assert not set(PLAIN) & set(puzzle.fails)
        else:
            assert any(first.levels[level] not in first.right for level in PLAIN)
        for move in puzzle.moves:
            for level in PLAIN:
                assert code_of(bots.get(level).choose_int(move.view, Rng(1))) == move.levels[level]


def test_a_judge_with_fresh_worlds_agrees(puzzles: tuple[Puzzle, ...]) -> None:
    """A sample: with few worlds chance is allowed for, so only wide gaps are looked at again."""
    moves = [move for puzzle in puzzles[:: depth(10, 1)] for move in puzzle.moves]
    wide = [move for move in moves if len(move.right) == 1 and _is_wide(move)]
    assert wide
    for move in wide:
        assert is_still_clear(move.view, move.right, 77, 1_024), view_to_text(move.view)


def _is_wide(move: Move) -> bool:
    """Whether no chance of 1,024 worlds hides the gap: errors there are four times those of 16,384."""
    return all(play.loss - 6 * 4 * play.error > gap_of(move) for play in move.wrong)


def test_plays_are_judged_by_the_first_wrong_one(puzzles: tuple[Puzzle, ...]) -> None:
    puzzle = next(one for one in puzzles if len(one.moves) > 2)
    right, wrong = [move.right[0] for move in puzzle.moves], puzzle.moves[1].wrong[0].code
    assert puzzle.judged(right[:1]) == (0, True)
    assert puzzle.judged(right) == (2, True)
    assert puzzle.judged([right[0], wrong, right[2]]) == (1, False)
    for plays in ([], [*right, 0], [99]):
        with pytest.raises(ValueError, match=r"plays|none of the actions"):
            puzzle.judged(plays)


def test_puzzles_of_earlier_versions_have_one_move(older: tuple[Puzzle, ...]) -> None:
    assert len(older) == 600 and all(len(puzzle.moves) == 1 for puzzle in older)
    assert not {puzzle.id for puzzle in older} & {entry.id for entry in shipped().entries}


# --- reading -----------------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(depth(3, 60)))
def test_mutated_puzzle_file_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    """One error, in one sentence, whatever stands in a field."""
    chance, lines = random.Random(seed), (*shipped().entries[:10], *retired().entries)
    head = head_line(retired().plan)
    for _ in range(60):
        at = chance.randrange(20)
        texts = [head, *(entry.line + "\n" for entry in lines[:20])]
        texts[at] = json.dumps(odd(json.loads(texts[at]), chance)) + "\n"
        (tmp_path / "file").write_text("".join(texts))
        said = ""
        try:
            found = Collection.read(tmp_path / "file")
            if at and found.entries:
                puzzle = found.entries[at - 1].puzzle()
                assert all(play.as_dict(move.view) for move in puzzle.moves for play in move.wrong)
        except PuzzleError as error:
            said = str(error)
        assert "\n" not in said and (not said or said.startswith(f"line {at + 1}: ")), said


def test_puzzle_file_names_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("name = 'mine'\n")
    for head, said in (
        ({"seed": 1, "profiles": [str(tmp_path / "mine.toml")]}, "there is no profile"),
        ({"seed": 1, "profiles": []}, "length >= 1"),
        ({"seed": 1, "profiles": ["500-rum"], "players": 99}, "2 to 8 players, not 99"),
    ):
        with pytest.raises(PuzzleError, match=said):
            Collection.from_text(json.dumps({"puzzles": 1, "plan": head}))
    with pytest.raises(PuzzleError, match="is larger than"):
        Collection.read("/dev/zero")
    for text in ("[" * 100_000, json.dumps({"puzzles": 1, "plan": {}})):
        with pytest.raises(PuzzleError, match="line 1: does not begin a collection"):
            Collection.from_text(text)


def test_what_is_no_puzzle_is_refused_in_a_sentence(
    puzzles: tuple[Puzzle, ...], older: tuple[Puzzle, ...]
) -> None:
    puzzle, several = older[0], json.loads(puzzles[0].to_json())
    shown = json.loads(puzzle.to_json())
    whole = puzzle.moves[0].state.to_text().splitlines()
    cases = [
        ("{", "is no puzzle: "),
        (line_of(puzzle, deal=7), "is no puzzle: Object contains unknown field `deal`"),
        (line_of(puzzle, id="0000000000"), f"its position has the name {puzzle.id}, not 0000000000"),
        (line_of(puzzle, right=["discard 2X"]), "'discard 2X' is not legal in its position"),
        (line_of(puzzle, right=[]), "right and wrong plays are not the legal plays of its position"),
        (line_of(puzzle, wrong=shown["wrong"][1:]), "right and wrong plays are not the legal plays"),
        (line_of(puzzle, position=whole), "the position is not what the seat to act knows"),
        (line_of(puzzle, position=["rum500 position 1"]), "the position is wrong: "),
        (line_of(puzzle, moves=several["moves"]), "is no puzzle: a line has either `moves` or the fields"),
        (line_of(puzzles[0], moves=[several["moves"][0], shown_move(shown)]), "its moves are of different"),
        (line_of(puzzles[0], moves=several["moves"][:1]), "is no puzzle: Expected `array` of length >= 2"),
    ]
    for line, message in cases:
        with pytest.raises(PuzzleError, match=f"^{re.escape(message)}"):
            Puzzle.from_json(line)
    with pytest.raises(PuzzleError, match=r"^line 1: does not begin a collection of puzzles"):
        Collection.from_text("")
    with pytest.raises(PuzzleError, match=r"^line 3: is no puzzle"):
        Collection.from_text(f"{head_line(shipped().plan)}{puzzle.to_json()}\n{{")
    with pytest.raises(PuzzleError, match=r"^line 2: its position has the name"):
        Collection.from_text(head_line(shipped().plan) + line_of(puzzle, id="0")).entries[0].puzzle()
    with pytest.raises(PuzzleError, match=r"^line 1: found format 3, expected 1 to 2"):
        Collection.from_text(head_line(shipped().plan).replace('"puzzles":2', '"puzzles":3'))


def shown_move(line: dict[str, Any]) -> dict[str, Any]:
    """The fields of the move of a line that has one."""
    return {name: line[name] for name in ("position", "course", "right", "wrong", "levels")}


def test_every_day_has_its_puzzle_and_none_comes_twice_in_a_cycle(older: tuple[Puzzle, ...]) -> None:
    number = len(older)
    first = date.fromordinal(number * (date(2026, 1, 1).toordinal() // number))
    days = [retired().daily(first + timedelta(day)).id for day in range(number)]
    assert sorted(days) == sorted(puzzle.id for puzzle in older)
    assert days != [puzzle.id for puzzle in older]
    assert retired().daily(first) is retired().daily(first)
    with pytest.raises(PuzzleError):
        Collection(shipped().plan, ()).daily(first)


# --- mining ------------------------------------------------------------------------------------------


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mine with few worlds: what is found is not sure to be right, and it is found in the same way."""
    monkeypatch.setattr(clear_best_module, "LOOKS", (Measuring(16, 1.0), Measuring(64, 1.0)))
    monkeypatch.setattr(clear_best_module, "ROUNDS", (128, 256))
    monkeypatch.setattr(clear_best_module, "LEAST", 128)
    monkeypatch.setattr(clear_best_module, "OPINION", (64, 128))


def lines_of(plan: MiningPlan, number: int, **settings: int) -> list[str]:
    return [puzzle.to_json() for puzzle in mine(plan, number, **settings)]


@pytest.mark.whole
@pytest.mark.usefixtures("little_work")
def test_mining_depends_on_its_plan_alone() -> None:
    plan = MiningPlan.of(3, *depth((["500-rum", "michigan-rum"], 2), (["rummy-500", "partnership-500-rum"],)))
    one = lines_of(plan, depth(2, 12))
    assert one[1:] == lines_of(plan, depth(2, 12), first=1, threads=2)
    assert one[0] != lines_of(MiningPlan.of(2, ["michigan-rum"], 2), 1)[0]


@pytest.mark.whole
@pytest.mark.usefixtures("little_work")
def test_what_is_mined_reads_back_with_all_that_the_seat_knew() -> None:
    for puzzle in mine(MiningPlan.of(1, ["500-rum"], 3), 1):
        again = Puzzle.from_json(puzzle.to_json())
        assert len(again.moves) > 1
        for move, other in zip(puzzle.moves, again.moves, strict=True):
            assert move.view.past and other.view == move.view


def test_a_plan_takes_profiles_and_players_in_turn() -> None:
    plan = MiningPlan.of(1, ["persian", "500 rum"])
    assert [plan.game(index) for index in range(6)] == [
        ("persian-rummy", 4), ("500-rum", 2), ("persian-rummy", 4),
        ("500-rum", 3), ("persian-rummy", 4), ("500-rum", 4),
    ]  # fmt: skip
    for number in (1, 2, 5, 9):
        names = profile_names()[:number]
        quiet = [index for index in range(45 * number) if MiningPlan.of(1, names).is_quiet(index)]
        by_profile = Counter(index % number for index in quiet)
        assert by_profile == dict.fromkeys(range(number), 9)
    assert set(MiningPlan.of(1, players=8).profiles) == {
        n for n in profile_names() if 8 in ruleset(n).players
    }
    usual = MiningPlan.of(1)
    assert [usual.game(index) for index in range(2 * len(QUOTAS))] == [*QUOTAS, *QUOTAS]
    assert Counter(index % len(QUOTAS) for index in range(150) if usual.is_quiet(index)) == dict.fromkeys(
        range(len(QUOTAS)), 1
    )
    with pytest.raises(RulesetError):
        MiningPlan.of(1, ["persian"], 3)
    with pytest.raises(RulesetError):
        MiningPlan.of(1, players=9)
    with pytest.raises(RulesetError):
        MiningPlan.of(1, ["persan"])


def test_nothing_between_good_and_wrong_is_a_puzzle(puzzles: tuple[Puzzle, ...]) -> None:
    """If the second best counted as right, a judge would not agree: both bounds are looked at."""
    moves = [move for puzzle in puzzles for move in puzzle.moves]
    move = next(one for one in moves if len(one.wrong) > 1 and _is_wide(one))
    assert BAND * gap_of(move) / GAP < move.wrong[0].loss
    assert is_still_clear(move.view, move.right, 5, 1_024)
    assert not is_still_clear(move.view, [*move.right, move.wrong[0].code], 5, 1_024)
    assert not is_still_clear(move.view, [move.wrong[0].code], 5, 1_024)


# --- ratings -----------------------------------------------------------------------------------------


def test_ratings_move_towards_the_result_and_settle(puzzles: tuple[Puzzle, ...]) -> None:
    solver, puzzle = rated(Rating(), Rating(1_500.0, 150.0), solved=True)
    lost, harder = rated(Rating(), Rating(1_500.0, 150.0), solved=False)
    assert solver.mean - 1_500 == pytest.approx(1_500 - lost.mean) == pytest.approx(131, abs=15)
    assert 1_500 - puzzle.mean == pytest.approx(harder.mean - 1_500)
    assert 0 < 1_500 - puzzle.mean < solver.mean - 1_500
    chance, rating = rng_for(1), Rating()
    for _ in range(60):  # somebody who solves puzzles of 1,700 half of the time
        hard = Rating(rating.mean, 150.0)
        won = chance.random() < 1 / (1 + 10 ** ((hard.mean - 1_700) / 400))
        rating, _ = rated(rating, hard, solved=won)
    assert rating.mean == pytest.approx(1_700, abs=200)
    assert rating.deviation < 150
    assert Rating().provisional and first_rating(shipped().entries[0]).provisional
    assert not Rating(1_500.0, 100.0).provisional
    assert first_rating(shipped().entries[0]) == Rating(1_200.0 + 200 * len(puzzles[0].fails), 150.0)


def test_ratings_are_those_of_openskill() -> None:
    model, chance = BradleyTerryFull(beta=200.0, kappa=0.0001, tau=8.0), rng_for(2)
    for number in range(200):
        one, other = (Rating(500 + 2_000 * chance.random(), 1 + 400 * chance.random()) for _ in "ab")
        solved = number % 2 == 0
        teams = [[model.rating(mu=each.mean, sigma=each.deviation)] for each in (one, other)]
        expected = model.rate(teams, ranks=[1, 2] if solved else [2, 1])
        found = [(each.mean, each.deviation) for each in rated(one, other, solved=solved)]
        assert found == [(round(team[0].mu, 2), round(team[0].sigma, 2)) for team in expected]


def test_the_next_puzzle_is_near_and_new() -> None:
    some = retired().entries[:40]
    low, high = (next_puzzle(some, set(), Rating(mean), Rng(3)) for mean in (1_000.0, 2_400.0))
    assert low is not None and high is not None
    assert low.rating < high.rating
    seen: set[str] = set()
    while (puzzle := next_puzzle(some, seen, Rating(), Rng(len(seen)))) is not None:
        assert puzzle.id not in seen
        seen.add(puzzle.id)
    assert len(seen) == len(some)


def test_the_position_is_one_seats_view(puzzles: tuple[Puzzle, ...]) -> None:
    for move in (move for puzzle in puzzles[:: depth(20, 1)] for move in puzzle.moves):
        without = msgspec.structs.replace(move.view, past=())
        assert move.state.view(move.view.seat) == without
        assert view_to_text(move.view) == view_to_text(without)
