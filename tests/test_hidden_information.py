"""No seat learns what the table does not show it (R-DRAW-1, D21): by its view, its events or its legal plays.

At a random point of a random deal all that a seat cannot see is dealt anew: the stock's order, the other
hands but for the cards known to be there, the order of restocks to come. Then the same plays are made in both
deals, and everything that is sent to the seat must be the same, byte for byte.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500.rules.engine.core import DRAW
from rum500.rules.profiles import profile_names, ruleset
from rum500.state import State
from rum500.state.dealing import opening
from tests.support.bridge import play_text
from tests.support.checks import universe
from tests.support.depth import depth
from tests.support.games import random_players, random_rules, random_style, small_deck
from tests.support.indistinguishable_deals import Hidden, permuted
from tests.support.lockstep import started_core

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rum500 import Ruleset
    from rum500.view import Event

seeds = st.integers(min_value=0, max_value=2**64 - 1)


def table(rules: Ruleset, chance: random.Random) -> State:
    players = random_players(rules, chance)
    deck = small_deck(rules, players, chance)
    core = started_core(rules, players, deck, chance.randrange(players), [], chance.getrandbits(64))
    return State(rules, core, opening(core))


def played(state: State, chance: random.Random) -> list[int]:
    """A whole deal's plays; the state is left as it was."""
    walk, weights, line = state.copy(), random_style(chance), []
    while not walk.is_over:
        legal = walk.legal_ints()
        chances = [weights.get(play_text(code, walk.core).split()[0], 1.0) for code in legal]
        line.append(chance.choices(legal, chances)[0])
        walk.apply_int(line[-1])
    return line


def seen(state: State, observer: int | None) -> bytes:
    """All that is told to a seat besides events."""
    return json.dumps(state.view(observer).to_dict()).encode()


def refusals(state: State, seed: int) -> bytes:
    """What the actor is told about plays it may not make."""
    chance = random.Random(seed)
    actions = universe(state, state.legal_actions(), chance, many=10)
    return repr([(action, state.why_not(action)) for action in actions if chance.random() < 0.2]).encode()


def heard(events: Iterable[Event], observer: int | None) -> bytes:
    return repr([event.seen_by(observer) for event in events]).encode()


def compare(state: State, twin: State, line: list[int], observer: int | None, seed: int) -> int:
    """Play the line in both; the number of plays after which all was the same to the observer."""
    for number, code in enumerate(line):
        assert seen(state, observer) == seen(twin, observer)
        assert (state.actor, state.phase) == (twin.actor, twin.phase)
        if state.actor == observer and number % 4 == 0:
            assert refusals(state, seed) == refusals(twin, seed)
        if state.actor != observer and not twin.is_legal(code):
            return number  # the other hand, as it is now, does not allow it: no line of this deal
        restock = code == DRAW and not state.stock
        if restock and state.actor == observer:
            return number  # which card it draws is the new stock's order
        events = state.apply(code)
        if state.is_over:
            return number  # hands are shown (D22)
        assert heard(events, observer) == heard(twin.apply(code), observer)
        if restock:
            assert seen(state, observer) == seen(twin, observer)
            return number + 1
    assert seen(state, observer) == seen(twin, observer)
    return len(line)


def check_hidden(rules: Ruleset, seed: int) -> int:
    """One deal, cut at a random play, seen by a random seat or a spectator."""
    chance = random.Random(seed)
    state = table(rules, chance)
    line = played(state, chance)
    start = chance.randrange(len(line))
    for code in line[:start]:
        state.apply_int(code)
    rest = line[start : start + chance.choice((3, 12, 60))]
    observer = chance.choice([None, *range(state.players), *range(state.players)])
    twin = permuted(state, observer, rest, chance)
    return compare(state, twin, rest, observer, seed)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", profile_names())
@settings(max_examples=depth(10, 40))
@given(seed=seeds)
def test_profiles(name: str, seed: int) -> None:
    check_hidden(ruleset(name), seed)


@settings(max_examples=depth(37, 150))
@given(seed=seeds)
def test_house_rules_and_options(seed: int) -> None:
    """H1 to H6 and the options: claims, restocks, floaters and passes give nothing away either."""
    check_hidden(random_rules(random.Random(~seed)), seed)


def test_enough_is_compared() -> None:
    """Few lines break off because a hand dealt anew does not allow them."""
    rules = ruleset("rummy-500", ["H6"])
    compared = [check_hidden(rules, seed) for seed in range(60)]
    assert sum(compared) / len(compared) > 8


def test_what_is_hidden_does_change() -> None:
    """The deals compared are different ones, and whoever can see the difference is shown it."""
    rules = ruleset("500-rum")
    state = State(rules, started_core(rules, 4, rules.deck(4)))
    twin = permuted(state, 1, [], random.Random(1))
    assert seen(state, 1) == seen(twin, 1)
    assert state.hands[1] == twin.hands[1] and state.hands[2] != twin.hands[2]
    assert state.stock != twin.stock and state.core.rng != twin.core.rng
    assert seen(state, 2) != seen(twin, 2)
    assert seen(state, None) == seen(twin, None)


def test_known_cards_stay() -> None:
    """A card taken from the pile is no secret (D21): it is not among those dealt anew."""
    rules = ruleset("rummy-500")
    state = State(rules, started_core(rules, 4, rules.deck(4)))
    taker, upcard = state.actor, state.pile[-1]
    state.apply_int(
        next(code for code in state.legal_ints() if play_text(code, state.core).startswith("take"))
    )
    hidden = Hidden.of(state, (taker + 1) % 4)
    assert upcard not in [token.card for token in hidden.held[taker]]
    assert len(hidden.held[taker]) == 7 and state.known(taker) == (upcard,)
