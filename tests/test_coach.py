"""The coach: one record for a decision, only from what the seat sees, for both ways of going on."""

from __future__ import annotations

import json
import pickle
import random
from functools import cache

import pytest

from rum500 import State, bots, deal, ruleset
from rum500.ai.heuristic_levels import policy
from rum500.coach import HINT, Advice, Adviser, Evidence, PlayLoss, Way, WayName
from rum500.review.verdict import BUDGETS, Budget, DecisionKind, Mark
from rum500.rng import Rng
from tests.support.depth import depth
from tests.support.indistinguishable_deals import permuted
from tests.test_endgame import laid_out

pytestmark = pytest.mark.compiled

SMALL = Budget("small", 128, 128, whole=True)
GAMES = [("500-rum", 2), ("500-rum", 3), ("persian-rummy", 4), ("rummy-500", 2)]


@cache
def decisions(name: str, players: int, seed: int = 1, step: int = 7) -> list[State]:
    """Decisions of a deal that `club` plays, with a choice each."""
    rules, found = ruleset(name), []
    mind, state = policy(rules, players), deal(rules, players, seed=seed)
    while not state.is_over:
        if len(state.legal_ints()) > 1:
            found.append(state.copy())
        state.apply_int(mind.choice(state.core))
    return found[2::step]


def advised(state: State, **settings: int) -> Advice:
    found = Adviser(SMALL, **settings).advise(state.view(state.actor))
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_hidden_cards_change_no_advice(name: str, players: int) -> None:
    chance, changed = random.Random(1), 0
    for state in decisions(name, players)[: depth(4, 30)]:
        twin = permuted(state, state.actor, (), chance)
        changed += twin.hands != state.hands
        assert advised(state) == advised(twin)
    assert changed


@pytest.mark.parametrize(("name", "players"), GAMES[:3])
def test_threads_change_nothing_and_seeds_do(name: str, players: int) -> None:
    state = decisions(name, players)[1]
    assert advised(state) == advised(state, threads=3)
    assert advised(state) != advised(state, seed=5)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_record_is_consistent(name: str, players: int) -> None:
    """The best play has no loss, every legal play that was compared has one, and gold is the best play."""
    for state in decisions(name, players):
        found = advised(state)
        assert [way.name for way in found.ways] == [WayName.HOLD, WayName.LAY]
        for way in found.ways:
            codes = [one.code for one in way.losses]
            assert len(set(codes)) == len(codes) and set(codes) <= set(state.legal_ints())
            assert way.losses[0].loss == 0 and all(one.loss >= 0 for one in way.losses)
            assert way.gain == pytest.approx(way.losses[1].loss) and way.low <= way.gain <= way.high
            best = found.opinion(way.best)
            assert best.loss == 0 and best.mark in (Mark.GOOD, Mark.DECIDED)
        assert found.gold in (None, found.best)
        assert (found.best is None) is found.depends
        assert found.evidence is Evidence.NONE or found.ways[0].best == found.ways[1].best == found.gold
        shown = json.loads(json.dumps(found.as_dict(), allow_nan=False))
        assert [way["way"] for way in shown["ways"]] == ["hold", "lay"]
        assert pickle.loads(pickle.dumps(found)) == found


def test_ready_meld_is_held_or_laid_depending_on_the_next_plays() -> None:
    """With two players of 500 Rum some decisions depend on it; the mark is the milder one, and says so."""
    depend = [
        found
        for seed in range(depth(4, 20))
        for found in map(advised, decisions("500-rum", 2, seed, 3))
        if found.depends
    ]
    assert depend
    for found in depend:
        hold, lay = found.ways
        assert found.best is found.gold is None and found.evidence is Evidence.NONE
        assert hold.of(lay.best).sure and lay.of(hold.best).sure
        assert found.opinion(hold.best).better_way is WayName.HOLD
        assert found.opinion(lay.best).better_way is WayName.LAY
        assert found.opinion(hold.best).mark is found.opinion(lay.best).mark is Mark.GOOD


def way(name: WayName, low: float, *losses: tuple[int, float, float]) -> Way:
    """A way in which the first play is the best."""
    plays = tuple(PlayLoss(code, str(code), loss, error) for code, loss, error in losses)
    return Way(name, plays, plays[1].loss, low, 2 * plays[1].loss - low, None, 100)


def advice(hold: Way, lay: Way) -> Advice:
    return Advice(0, DecisionKind.DISCARD, 80.0, (hold, lay))


def test_marks_are_those_of_the_milder_way() -> None:
    found = advice(
        way(WayName.HOLD, 6, (1, 0, 0), (2, 9, 1), (3, 30, 1)),
        way(WayName.LAY, 2, (1, 0, 0), (3, 5, 1), (2, 12, 1)),
    )
    assert (found.best, found.gold, found.evidence, found.depends) == (1, 1, Evidence.LIKELY, False)
    two, three = found.opinion(2), found.opinion(3)
    assert (two.mark, two.loss, two.depends, two.better_way) == (Mark.DOUBTFUL, 9, True, WayName.HOLD)
    assert (three.mark, three.loss, three.depends, three.better_way) == (Mark.DOUBTFUL, 5, True, WayName.LAY)
    with pytest.raises(KeyError):
        found.opinion(9)


@pytest.mark.parametrize(
    ("low", "evidence"), [(5.0, Evidence.CLEAR), (4.9, Evidence.LIKELY), (0.0, Evidence.NONE)]
)
def test_evidence_is_that_of_the_less_sure_way(low: float, evidence: Evidence) -> None:
    sure = way(WayName.HOLD, 8, (1, 0, 0), (2, 9, 0.1))
    found = advice(sure, way(WayName.LAY, low, (1, 0, 0), (2, 9, 0.1)))
    assert found.evidence is evidence
    assert found.gold == (None if evidence is Evidence.NONE else 1)


@pytest.mark.parametrize(
    ("error", "evidence"), [(1, Evidence.CLEAR), (7.6, Evidence.LIKELY), (9, Evidence.NONE)]
)
def test_evidence_is_that_against_the_least_sure_play(error: float, evidence: Evidence) -> None:
    """The third play costs more than the next best, but it may cost less: its interval begins lower."""
    ways = (way(name, 8, (1, 0, 0), (2, 9, 0.1), (3, 20, error)) for name in WayName)
    assert advice(*ways).evidence is evidence


def test_two_best_plays_that_may_be_equal_are_no_conflict() -> None:
    found = advice(way(WayName.HOLD, -1, (1, 0, 0), (2, 1, 1)), way(WayName.LAY, 3, (2, 0, 0), (1, 6, 1)))
    assert (found.depends, found.best, found.evidence, found.gold) == (False, 2, Evidence.NONE, None)


def test_exact_ends_are_exact_in_both_ways() -> None:
    chance, met = random.Random(3), 0
    for _ in range(20):
        state = laid_out(chance, chance.randint(6, 8), 0, [ruleset("500-rum")])
        if state.is_over or len(state.legal_ints()) < 2:
            continue
        found = advised(state)
        hold, lay = found.ways
        met += hold.worlds == 0
        if hold.worlds == 0:
            assert hold.losses == lay.losses and not found.depends
            assert all(one.error == 0 for one in hold.losses)
    assert met > 3


def test_a_seat_without_a_choice_gets_no_advice() -> None:
    state = deal(ruleset("500-rum"), 2, seed=7)
    view = state.view(state.actor)
    assert len(view.legal) == 1 and Adviser().advise(view) is None
    for seat in (1 - state.actor, None):
        with pytest.raises(ValueError, match=f"seat {seat} has nothing to decide"):
            Adviser().advise(state.view(seat))
    with pytest.raises(ValueError, match="the number of threads is 1 or more"):
        Adviser(threads=0)
    assert (Adviser().budget, HINT.worlds, HINT.name in BUDGETS) == (HINT, 400, False)


def test_club_mostly_agrees_with_the_coach_where_it_is_sure() -> None:
    """`club` holds back; what it does seldom loses much by that way of going on."""
    blunders = total = 0
    for state in decisions("500-rum", 2, 3, 3):
        view, found = state.view(state.actor), advised(state)
        chosen = bots.get("club").choose_int(view, Rng(0))
        total += 1
        blunders += found.opinion(chosen).mark is Mark.BLUNDER
    assert total > 10 and blunders <= total / 4
