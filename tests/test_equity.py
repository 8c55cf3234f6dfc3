"""Near the end of a match a search plays for the match: the tables of chances and how they are used."""

from __future__ import annotations

from typing import Any

import pytest

from rum500 import ai, deal
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import Search, SearchWorker
from rum500.bots.match_value import NEAR, STEPS, WINNING, chances, game_class, set_match_value
from rum500.bots.search_bot import strong
from rum500.rng import Rng, mix64
from rum500.rules.engine.core import Moves
from rum500.rules.notation import play_text
from rum500.rules.profiles import profile_names, profiles, ruleset
from tests.support.table import table

GAMES = [(name, players) for name in profile_names() for players in profiles()[name].players]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_game_has_a_table_that_makes_sense(name: str, players: int) -> None:
    """Two alike have even chances; one wins what the other loses; nearer is better."""
    row = chances(game_class(ruleset(name), players))
    assert len(row) == STEPS * STEPS
    for i in range(STEPS):
        assert row[STEPS * i + i] == 500
        for k in range(STEPS):
            assert abs(row[STEPS * i + k] + row[STEPS * k + i] - 1000) <= 1
            assert i == 0 or row[STEPS * i + k] <= row[STEPS * (i - 1) + k] + 15


def brought(
    name: str,
    players: int,
    totals: tuple[int, ...],
    number: int | None = None,
    worlds: int = 12,
    **options: Any,
) -> tuple[list[int], list[list[int]]]:
    """What the first candidate brought by the search, world by world, and the points by seat."""
    rules = ruleset(name, **options)
    state = deal(rules, players, seed=8, totals=totals, number=number)
    view = state.view(state.actor)
    seat, mind, found, points = ai.known_deal(view), SeatPolicies([policy(rules, players)]), [], []
    for index in range(worlds):
        task = Search(seat.worlds(), state.actor, view.legal)
        set_match_value(task, view)
        worker = SearchWorker(task, policy(rules, players))
        worker.run(1, index, index + 1)
        task.add(worker)
        found.append(task.statistics(0)[0])
        world = seat.worlds().world(mix64(1 ^ mix64(index + 1)))
        world.apply(view.legal[0], Moves())
        mind.playout(world, Moves())
        points.append([world.score(each) for each in range(players)])
    return found, points


@pytest.mark.parametrize("players", [2, 3])
def test_a_match_won_is_worth_a_match(players: int) -> None:
    """490 and more for all: the highest total past 500 wins; the margin counts on, but little."""
    totals = (495, 490, 480)[:players]
    utility, points = brought("500-rum", players, totals)
    seat, decided = 1, 0
    for value, scores in zip(utility, points, strict=True):
        after = [total + score for total, score in zip(totals, scores, strict=True)]
        margin = scores[seat] * (players - 1) - sum(s for other, s in enumerate(scores) if other != seat)
        if max(after) >= 500 and after.count(max(after)) == 1:
            assert value == margin + (8000 if after[seat] == max(after) else 0)
            decided += 1
        else:
            assert 0 <= value - margin <= 8000
    assert decided >= 6


def test_far_from_the_end_points_count_alone() -> None:
    utility, points = brought("500-rum", 2, (500 - NEAR - 5, 0))
    assert utility == [scores[1] - scores[0] for scores in points]


def test_the_last_of_two_deals_decides_the_bonus() -> None:
    """Persian Rummy pays 50 to the side that is ahead after two deals; G pays none, but the match is won."""
    for name, prize in (("persian-rummy", 50), ("persian-rummy-gamerules", WINNING)):
        for totals in ((0, 0, 0, 0), (30, 10, 30, 10)):
            utility, points = brought(name, 4, totals)
            for value, scores in zip(utility, points, strict=True):
                margin = scores[1] + scores[3] - scores[0] - scores[2]
                lead = margin + totals[1] - totals[0]
                sign = (lead > 0) - (lead < 0)
                assert value == margin + (prize * sign if any(totals) else 0)


@pytest.mark.parametrize(
    ("deals", "number", "totals", "prize"),
    [
        (1, None, (0, 0, 0), WINNING),
        (2, None, (0, 0, 0), 0),
        (2, None, (15, 40, 5), WINNING),  # a deal that says nothing is the second where there are points
        (2, 2, (0, 0, 0), WINNING),
        (5, 4, (15, 40, 5), 0),
        (5, 5, (15, 40, 5), WINNING),
        (5, 6, (40, 40, 5), WINNING),  # a deciding deal (R-MATCH-3)
    ],
)
@pytest.mark.parametrize("players", [2, 3])
def test_the_last_deal_decides_the_match(
    players: int, deals: int, number: int | None, totals: tuple[int, ...], prize: int
) -> None:
    """A sole winner gets the prize of each of the others."""
    totals = totals[:players]
    utility, points = brought("500-rum", players, totals, number, match="deals", deals=deals)
    for value, scores in zip(utility, points, strict=True):
        after = [total + score for total, score in zip(totals, scores, strict=True)]
        others = [score for seat, score in enumerate(scores) if seat != 1]
        margin = scores[1] * len(others) - sum(others)
        won = 0
        if after.count(max(after)) == 1:
            won = len(others) if after[1] == max(after) else -1
        assert value == margin + prize * won


@pytest.mark.parametrize("players", [2, 3])
def test_after_the_last_deal_allowed_the_highest_has_won(players: int) -> None:
    """D23: nobody need be near the target."""
    totals = (30, 10, 20)[:players]
    for number, worth in ((2, 0), (3, 8), (4, 8)):
        utility, points = brought("500-rum", players, totals, number, max_deals=3)
        for value, scores in zip(utility, points, strict=True):
            after = [total + score for total, score in zip(totals, scores, strict=True)]
            margin = scores[1] * (players - 1) - sum(scores) + scores[1]
            first = after[1] == max(after)
            assert value == margin + (worth * (1000 // after.count(max(after))) if first else 0)


def test_a_play_that_wins_the_match_is_made() -> None:
    """485 on the sheet, and a run of 18 in hand that ends the match where the target counts at once (D14)."""
    rules = ruleset("michigan-rum", match_end="at_once")
    rest = "3S 4C 6H JS"
    state = table(
        rules, ["5S 6S 7S KC QD JH 3D", "9C"], pile="2H", stock=rest, totals=(485, 480), phase="play"
    )
    code = strong(worlds=64).choose_int(full(state).view(0), Rng(1))
    assert play_text(code, state) == "meld 5S 6S 7S"


def full(state):
    """The same table with a whole deck: what is nowhere else lies in the stock."""
    cards = state.rules.deck(2)
    for card in (*state.hands[0], *state.hands[1], *state.pile):
        cards.remove(card)
    state.core.set_stock(cards)
    return state
