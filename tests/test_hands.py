"""Sampled hands: they agree with the view, depend on nothing else, and are better than chance."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rum500 import State, deal, ruleset
from rum500.ai import HandBelief, beliefs, known_deal
from rum500.ai.hand_belief import MOST_GUESSES, WALKS
from rum500.ai.heuristic_levels import policy
from rum500.ai.worlds import Worlds
from rum500.bots import halving
from rum500.bots.search_bot import expert
from rum500.rng import Rng
from rum500.view import View
from tests.support.depth import depth
from tests.support.games import random_players, random_rules
from tests.support.stopping import stopped
from tools.belief_data import GAMES, Sample, samples

pytestmark = pytest.mark.compiled


def hands_of(view: View, threads: int = 1) -> HandBelief:
    return HandBelief(view, lambda: halving.opponent_policies(view.rules, view.players), threads)


def guesses(view: View, number: int = 16, seed: int = 5, threads: int = 1) -> bytes:
    return hands_of(view, threads).guess(known_deal(view).worlds(), seed, number)


def random_decisions(seed: int) -> list[State]:
    """Some decisions of a deal of random rules, played at random or by the heuristic."""
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    state, mind = deal(rules, players, seed), policy(rules, players)
    found: list[State] = []
    while not state.is_over and len(found) < 4:
        view = state.view(state.actor)
        if chance.random() < 0.04 and view.past[1:] and not view.restocked:
            found.append(state.copy())
        legal = state.legal_ints()
        state.apply_int(mind.choice(state.core) if seed % 2 else chance.choice(legal))
    return found


def test_guesses_agree_with_the_view() -> None:
    """Whatever the rules: each card once, sizes right, and what is known stays where it is known to be."""
    kinds = Counter[str]()
    for seed in range(120):
        for state in random_decisions(seed):
            view = state.view(state.actor)
            seat = known_deal(view)
            found = guesses(view, WALKS)
            size = len(seat.unseen)
            if size:
                assert len(found) == WALKS * size
            for at in range(0, len(found), size or 1):
                assert sorted(found[at : at + size]) == list(range(size))
            worlds = seat.worlds()
            worlds.use_arrangements(found)
            world = worlds.world(seed)
            assert world.hn[: view.players] == list(view.hand_sizes)
            for other, known in enumerate(view.known):
                assert not Counter(known) - Counter(world.hand_cards(other))
            everything = [card for other in range(view.players) for card in world.hand_cards(other)]
            assert sorted([*everything, *world.stock_cards()]) == sorted(
                [*(card for hand in state.hands for card in hand), *state.stock]
            )
            kinds["two packs" if view.rules.packs(view.players) == 2 else "one"] += 1
            kinds["jokers"] += view.rules.jokers > 0
    assert min(kinds.values()) > 15, kinds


@pytest.mark.parametrize("threads", [2, 3, 20])
def test_threads_change_nothing(threads: int) -> None:
    state = played(12)
    view = state.view(state.actor)
    assert guesses(view, 40, threads=threads) == guesses(view, 40)


def played(plays: int, name: str = "partnership-500-rum", players: int = 4) -> State:
    """A deal so many plays on."""
    rules = ruleset(name)
    state, mind = deal(rules, players, seed=11), policy(rules, players)
    for _ in range(plays):
        state.apply_int(mind.choice(state.core))
    return state


def test_a_number_is_met_and_bounded() -> None:
    state = played(9)
    view = state.view(state.actor)
    size = len(known_deal(view).unseen)
    assert len(guesses(view, 9)) == 2 * WALKS * size
    assert len(guesses(view, 10**6)) == MOST_GUESSES * size


def test_without_its_course_or_with_a_restock_nothing_is_guessed() -> None:
    state = played(0)
    assert guesses(state.view(state.actor)) == b""
    rules, chance = ruleset("500-rum", ["H5"]), random.Random(2)
    state = deal(rules, 2, seed=4)
    while not state.view(state.actor).restocked:
        legal = state.legal_ints()
        state.apply_int(chance.choice([code for code in legal if code & 15 < 7] or legal))
    assert guesses(state.view(state.actor)) == b""
    assert expert(worlds=8).choose_int(state.view(state.actor), Rng(1)) in state.legal_ints()


def test_a_stop_ends_the_guessing() -> None:
    state = played(12)
    view = state.view(state.actor)
    hands = hands_of(view)
    hands.stop()
    assert hands.guess(known_deal(view).worlds(), 5, 512) == b""
    bot = expert(worlds=1 << 40)  # hours of work
    with stopped(bot.stop, lambda: bot._tasks):
        assert bot.choose_int(view, Rng(1)) in view.legal


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("several", "club"),
        ("partners", "greedy"),
        *depth([], [("several", "greedy"), ("partners", "club"), ("double", "club"), ("double", "greedy")]),
    ],
)
def test_whole_hands_tell_more_than_single_cards(name: str, kind: str) -> None:
    """More of the cards that worlds put into hands really lie there: also of players unlike both kinds."""
    even = single = whole = 0
    for sample in samples(GAMES[name], (kind,), 91, 40, 0.06):
        seat = known_deal(sample.view)
        plain, weighed, kept = (seat.worlds() for _ in range(3))
        told, doubts = beliefs(sample.view, seat)
        weighed.set_weights([[*(row[card] // 4 for row in told), 0] for card in seat.unseen], 15)
        weighed.set_ready_meld_penalties([doubt // 4 for doubt in doubts])
        hands_of(sample.view).weigh(kept, seat, 5, 64)
        even += hits(plain, sample)
        single += hits(weighed, sample)
        whole += hits(kept, sample)
    assert even < single < whole


def hits(worlds: Worlds, sample: Sample) -> int:
    """How many hidden cards lie where some worlds put them."""
    found = 0
    for number in range(24):
        world = worlds.world(number)
        for other, hidden in enumerate(sample.hidden):
            unknown = Counter(world.hand_cards(other)) - Counter(sample.view.known[other])
            found += (unknown & hidden).total() if other != sample.view.seat else 0
    return found
