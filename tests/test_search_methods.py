"""PIMC, ISMCTS and best responses of the search kit, and the bots that use them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from statistics import mean
from typing import Any

import pytest

import rum500
from rum500 import Action, Rng, State, View, bots
from rum500.bots import FastBot
from rum500.external_bots import open_bot
from rum500.search import (
    BestResponseBot,
    IsmctsBot,
    PimcBot,
    best_response,
    ismcts,
    pimc,
)
from rum500.sim import simulate
from rum500.sim.evaluation.game_tree import Policy, expected, exploitability
from rum500.sim.evaluation.game_tree import best_response as exact_response
from rum500.sim.evaluation.toy_games import TOYS, Grown, by_view, grow, of_bot

METHODS: dict[str, Callable[[View, Rng], Any]] = {
    "pimc": lambda view, rng: pimc(view, 8, rng=rng),
    "pimc with odds": lambda view, rng: pimc(view, 4, rng=rng, belief="odds", positions=0),
    "ismcts": lambda view, rng: ismcts(view, 40, rng=rng),
    "ismcts at random": lambda view, rng: ismcts(view, 20, rng=rng, policy="random"),
    "best response": lambda view, rng: best_response(view, "casual", worlds=16, rng=rng),
}
COMPILED = [
    pytest.param(name, marks=pytest.mark.compiled) if name == "best response" else name for name in METHODS
]
"""The methods; samples of whole hands take too long when interpreted."""
GAMES = (("500-rum", 2), ("michigan-rum", 3), ("persian-rummy", 4), ("rummy-500", 2))
BOTS = {
    "pimc": PimcBot(8),
    "ismcts": IsmctsBot(30),
    "best response": BestResponseBot("lays", 16),
}


def begun(profile: str, players: int, seed: int, steps: int) -> State:
    """A deal after this number of plays of `casual`, or more until the actor has a choice."""
    state, bot = rum500.deal(profile, players, seed=seed), bots.get("casual")
    while steps > 0 or len(state.legal_ints()) < 2:
        state.apply(bot.choose(state.view(state.actor)))
        steps -= 1
    return state


@cache
def toy(name: str) -> Grown:
    return grow(TOYS[name])


# --- all methods ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", COMPILED)
@pytest.mark.parametrize(("profile", "players"), GAMES)
def test_hidden_cards_do_not_affect_a_search(method: str, profile: str, players: int) -> None:
    state = begun(profile, players, 5, 8)
    seat = state.actor
    twin = state.resample(seat, Rng(2))
    assert twin.hands != state.hands
    found = [METHODS[method](one.view(seat), Rng(3)) for one in (state, twin)]
    assert found[0] == found[1]
    assert found[0].best in state.legal_actions()
    assert [play.action for play in found[0].plays] == state.view(seat).candidates()
    assert found[0][found[0].best].action == found[0].best
    assert pickle.loads(pickle.dumps(found[0])) == found[0]


@pytest.mark.parametrize("method", COMPILED)
def test_a_search_follows_from_its_generator(method: str) -> None:
    view = (state := begun("500-rum", 2, 4, 6)).view(state.actor)
    results = [METHODS[method](view, Rng(seed)) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    assert results[0] != results[2]


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (lambda view: pimc(view, 0), "the number of worlds is 1 or more, not 0"),
        (lambda view: pimc(view, positions=-1), "the number of positions is 0 or more, not -1"),
        (lambda view: pimc(view, 4, ["take 5"]), "is not a legal play of seat"),
        (lambda view: pimc(view, 4, []), "1 to 64 plays are compared, not 0"),
        (lambda view: pimc(view, 4, policy="clubs"), "policies are club, .*, not 'clubs'"),
        (lambda view: pimc(view, 4, belief="odd"), "beliefs are even, odds, hands, not 'odd'"),
        (lambda view: ismcts(view, 0), "the number of iterations is 1 or more, not 0"),
        (lambda view: ismcts(view, exploration=-0.5), "the exploration is 0 to 1,000, not -0.5"),
        (lambda view: ismcts(view, exploration=float("nan")), "the exploration is 0 to 1,000, not nan"),
        (lambda view: best_response(view, worlds=1), "the number of worlds is 2 or more, not 1"),
        (lambda view: best_response(view, "random"), "a best response is to club, .*, not to 'random'"),
        (lambda view: best_response(view, own="greedy"), "not to 'greedy'"),
        (lambda view: best_response(view, seconds=-1), "the seconds of a comparison are 0 to"),
        (lambda view: PimcBot(worlds=0), "the number of worlds is 1 or more, not 0"),
        (lambda view: IsmctsBot(iterations=1 << 21), "the number of iterations is 1,048,576 at most"),
        (lambda view: BestResponseBot("me"), "not to 'me'"),
    ],
)
def test_bad_budgets_and_names_are_refused(search: Callable[[View], object], message: str) -> None:
    view = rum500.deal("500-rum", seed=1).view(1)
    with pytest.raises(ValueError, match=message):
        search(view)


@pytest.mark.parametrize("search", [pimc, ismcts, best_response])
def test_a_seat_without_a_decision_is_refused(search: Callable[[View], object]) -> None:
    state = rum500.deal("500-rum", seed=1)
    for view in (state.view(0), state.view(None)):
        with pytest.raises(ValueError, match="has nothing to decide"):
            search(view)


def test_a_fraction_of_a_world_is_refused() -> None:
    view = rum500.deal("500-rum", seed=1).view(1)
    with pytest.raises(TypeError, match=r"the number of worlds is a whole number, not 2\.5"):
        pimc(view, 2.5)  # type: ignore[arg-type]


# --- pimc -------------------------------------------------------------------------------------------


def best_lead(state: State, seat: int) -> float:
    """Return the final lead of a seat if both sides play best and see all cards, by trying everything."""
    if state.is_over:
        points = state.scores()
        return float(points[seat] - points[1 - seat])
    found = []
    for code in state.legal_ints():
        child = state.copy()
        child.apply_int(code)
        found.append(best_lead(child, seat))
    return max(found) if state.actor == seat else min(found)


@pytest.mark.compiled
def test_pimc_solves_the_worlds_of_a_small_game() -> None:
    """A generator of the same seed draws the same worlds for `View.worlds`."""
    views = [view for view in toy("laying").views if len(view.legal) > 3 and view.stock == 1][:12]
    for view in views:
        assert view.seat is not None
        found = pimc(view, 6, rng=Rng(4))
        assert found.solved == 6
        for play in found.plays:
            leads = []
            for world in view.worlds(Rng(4), 6):
                world.apply(play.action)
                leads.append(best_lead(world, view.seat))
            assert play.points == pytest.approx(mean(leads))
        assert found[found.best].points == max(play.points for play in found.plays)


def test_pimc_plays_out_what_it_cannot_solve() -> None:
    state = begun("500-rum", 2, 6, 10)
    view = state.view(state.actor)
    found = pimc(view, 16, rng=Rng(2))
    assert found.solved == 0
    assert found == pimc(view, 16, rng=Rng(2), positions=0)
    assert {play.worlds for play in found.plays} == {16}
    first = found.plays[0]
    assert (first.lead, first.low, first.high) == (0, 0, 0)
    for play in found.plays[1:]:
        assert play.low <= play.lead <= play.high
        assert play.lead == pytest.approx(play.points - first.points)


@pytest.mark.parametrize(
    ("profile", "players", "house_rules", "solved"),
    [("500-rum", 2, (), 2), ("500-rum", 3, (), 0), ("500-rum", 2, ("H5",), 0)],
)
def test_only_games_of_two_sides_without_a_new_stock_are_solved(
    profile: str, players: int, house_rules: tuple[str, ...], solved: int
) -> None:
    """The last choice of a deal leaves few positions."""
    state = rum500.deal(rum500.ruleset(profile, house_rules=house_rules), players, seed=3)
    bot, view = bots.get("casual"), None
    while not state.is_over:
        view = state.view(state.actor) if len(state.legal_ints()) > 1 else view
        state.apply(bot.choose(state.view(state.actor)))
    assert view is not None
    assert pimc(view, 2, positions=20_000).solved == solved


# --- ismcts -----------------------------------------------------------------------------------------


def test_each_iteration_visits_one_play_of_the_root() -> None:
    state = begun("500-rum", 2, 7, 7)
    found = ismcts(state.view(state.actor), 60, rng=Rng(1))
    assert sum(play.visits for play in found.plays) == 60
    assert found[found.best].visits == max(play.visits for play in found.plays)
    assert 1 <= found.nodes <= 61


def test_plays_without_an_iteration_have_no_result() -> None:
    state = begun("500-rum", 2, 7, 7)
    view = state.view(state.actor)
    found = ismcts(view, 1, rng=Rng(1))
    assert found.best == view.candidates()[0]
    assert [(play.visits, play.points) for play in found.plays[1:]] == [(0, 0.0)] * (len(found.plays) - 1)


@pytest.mark.compiled
def test_a_tree_search_loses_less_to_a_best_response_than_the_policy_of_its_rollouts() -> None:
    """In the small game `club` loses 1.7 points a deal."""
    grown = toy("small")
    club, tree = (
        exploitability(grown.tree, by_view(grown, of_bot(bot))) for bot in (bots.get("club"), IsmctsBot(30))
    )
    assert tree < 0.5
    assert club > 1


# --- best responses ---------------------------------------------------------------------------------


def answered(grown: Grown, own: Policy, other: Policy, seat: int) -> float:
    """Return the mean lead of a seat that follows one policy while the other seat follows another."""
    tree = grown.tree
    mixed = [own[info] if owner == seat else other[info] for info, owner in enumerate(tree.owner)]
    return expected(tree, mixed) * (1 if seat == 0 else -1)


@pytest.mark.compiled
def test_a_response_wins_more_than_the_policy_and_less_than_an_exact_response() -> None:
    grown = toy("small")
    club = by_view(grown, of_bot(bots.get("club")))
    response = by_view(grown, of_bot(BestResponseBot("club", 32)))
    won = exact = 0.0
    for seat in (0, 1):
        value, best = answered(grown, response, club, seat), exact_response(grown.tree, club, seat)[0]
        assert value <= best + 1e-9
        won, exact = won + value / 2, exact + best / 2
    assert 0 < won <= exact


# --- bots -------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("name", BOTS)
def test_bots_play_deals_and_choose_as_the_function_does(name: str) -> None:
    bot = BOTS[name]
    view = (state := begun("500-rum", 2, 3, 5)).view(state.actor)
    functions: dict[str, Callable[[], Action]] = {
        "pimc": lambda: pimc(view, 8, rng=Rng(6)).best,
        "ismcts": lambda: ismcts(view, 30, rng=Rng(6)).best,
        "best response": lambda: best_response(view, "lays", worlds=16, rng=Rng(6)).best,
    }
    assert bot.choose(view, Rng(6)) == functions[name]()
    rules = rum500.ruleset("partnership-500-rum")
    played = [
        simulate(rules, players=4, deals=1, seed=1, bots=[bot, "club"], workers=1).checksum for _ in range(2)
    ]
    assert played[0] == played[1]


@pytest.mark.parametrize("kind", [PimcBot, IsmctsBot, BestResponseBot])
def test_commands_open_the_bots_by_module_and_class(kind: type[FastBot]) -> None:
    bot = open_bot(f"rum500.search:{kind.__name__}")
    assert type(bot) is kind
    assert vars(pickle.loads(pickle.dumps(bot))) == vars(bot)
