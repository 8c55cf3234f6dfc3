"""One opinion: hint, gold button, verdict, drill and puzzle name the same play, and figures that agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rum500 import State, bots, deal, ruleset
from rum500.coach import Advice, Adviser
from rum500.coach.advice import Evidence
from rum500.intervals import Z_OF_LOOKS
from rum500.puzzles.collection import shipped
from rum500.puzzles.drills import Drill, DrillKind, decision
from rum500.review.judge import Judge
from rum500.review.verdict import BUDGETS, Mark, Verdict
from rum500.rng import Rng
from rum500.rules.notation import play_text
from rum500.server.messages.review import ReviewVerdict
from rum500.server.practice.work import answer as drill_answer
from rum500.server.practice.work import read_result
from rum500.server.thinking.hint_work import hint
from rum500.view import View
from tests.support.depth import depth

pytestmark = pytest.mark.compiled

GAMES = [("500-rum", 2), ("rummy-500", 3), ("partnership-500-rum", 4), ("persian-rummy", 4)]
LEVELS = ("greedy", "casual", "club")
A_DEAL = 5
"""The number of decisions of a deal that are looked at."""


def decisions(name: str, players: int, number: int) -> Iterator[State]:
    """Some decisions with a choice of a deal between mixed levels."""
    rng, found = Rng(number), list[State]()
    minds = [bots.get(LEVELS[rng.below(len(LEVELS))]) for _ in range(players)]
    state = deal(ruleset(name), players, seed=number)
    while not state.is_over:
        if len(state.legal_ints()) > 1:
            found.append(state.copy())
        state.apply(minds[state.actor].choose(state.view(state.actor), rng))
    rng.shuffle(found)
    yield from found[:A_DEAL]


def advised(view: View) -> Advice:
    found = Adviser().advise(view)
    assert found is not None
    return found


def judged(view: View, code: int) -> Verdict:
    found = Judge(BUDGETS["quick"]).judge(view, code, 1, len(view.past))
    assert found is not None
    return found


def agree(advice: Advice, code: int, loss: float, half: float) -> bool:
    """Whether the intervals of a play's loss overlap: that of the coach and that of a verdict."""
    one = min((way.of(code) for way in advice.ways), key=lambda each: each.loss)
    return abs(one.loss - loss) <= half + one.loss - one.low + 0.05


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_hint_gold_and_verdict_name_the_same_play_and_figure(name: str, players: int) -> None:
    looked = apart = 0
    for number in range(50):
        for state in decisions(name, players, number):
            view = state.view(state.actor)
            advice, shown = advised(view), hint(view, "numbers")
            assert (None if shown.choice is None else int(shown.choice.code)) == advice.best
            assert (shown.evidence == "none") == (advice.gold is None)
            gold = advice.gold
            if gold is None:
                continue
            assert judged(view, gold).mark in (Mark.GOOD, Mark.DECIDED)
            other = advice.ways[0].losses[-1].code
            verdict = judged(view, other)
            looked += 1
            if verdict.loss > 0:
                assert verdict.best == play_text(gold, view)
            apart += not agree(advice, other, verdict.loss, (verdict.high - verdict.low) / 2)
        if looked > depth(0, 1_000):  # in games with sides many decisions have no best play
            break
    assert looked
    assert apart <= max(1, looked // 20)


def test_a_play_that_is_the_best_in_one_way_has_an_interval() -> None:
    """Its loss there is zero, and as uncertain as its lead over the play that the hint shows."""
    met = 0
    for number in range(20):
        for state in decisions("500-rum", 2, number):
            view = state.view(state.actor)
            advice = advised(view)
            for way in advice.ways:
                if advice.best is None or advice.best == way.best:
                    continue
                shown = {int(one.play.code): one for one in hint(view, "numbers").candidates}
                if way.best in shown:
                    met += 1
                    assert shown[way.best].half == round(Z_OF_LOOKS * way.of(advice.best).error, 2)
        if met:
            return
    raise AssertionError("no hint has such a play")


@pytest.mark.parametrize(("number", "past"), [(1_000, 28), (1_001, 26)])
def test_a_likely_lead_of_a_side_that_more_worlds_contradict_is_no_evidence(number: int, past: int) -> None:
    """In 400 worlds the lead is above zero with certainty; a verdict on the next best play finds no loss."""
    rng, state = Rng(number), deal(ruleset("partnership-500-rum"), 4, seed=number, dealer=number % 4)
    minds = [bots.get(LEVELS[(seat + number) % len(LEVELS)]) for seat in range(4)]
    while len(state.view(state.actor).past) < past:
        state.apply(minds[state.actor].choose(state.view(state.actor), rng))
    view = state.view(state.actor)
    hold = advised(view).ways[0]
    assert hold.low > 0 and hold.disputed and hold.evidence is Evidence.NONE
    assert hint(view, "numbers").evidence == "none"
    assert judged(view, hold.losses[1].code).mark is Mark.GOOD


@pytest.mark.parametrize("kind", [DrillKind.DRAW, DrillKind.LAY, DrillKind.DISCARD])
def test_a_drill_judges_by_the_same_record(kind: DrillKind) -> None:
    place = (kind.value, "500-rum", 2, 7)
    for number in range(1, depth(3, 40)):
        view = decision(Drill(kind, ruleset("500-rum"), 2, 7), number)
        advice = advised(view)
        if advice.gold is None:
            continue
        right = read_result(drill_answer(*place, number, advice.gold, 0, ()))
        assert right.score == 100
        other = advice.ways[0].losses[-1].code
        wrong = read_result(drill_answer(*place, number, other, 0, ())).verdict
        assert isinstance(wrong, ReviewVerdict)
        if wrong.loss > 0:
            assert wrong.best.code == str(advice.gold)


def test_a_puzzle_is_solved_by_the_play_of_a_hint() -> None:
    apart = looked = 0
    moves = [move for entry in shipped().entries[:: depth(16, 1)] for move in entry.puzzle().moves]
    for move in moves:
        advice = advised(move.view)
        assert advice.best == move.right[0]
        assert judged(move.view, move.right[0]).mark in (Mark.GOOD, Mark.DECIDED)
        wrong = move.wrong[0]
        looked += 1
        apart += not agree(advice, wrong.code, wrong.loss, 2.24 * wrong.error)
        assert judged(move.view, wrong.code).mark is not Mark.GOOD
    assert apart <= max(1, looked // 20)
