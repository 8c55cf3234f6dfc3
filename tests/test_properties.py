"""What holds in every position of every deal (conserved cards, refused plays, recounted points, ends)."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500._compiled import is_compiled
from rum500.rules.engine.core import Core
from rum500.rules.profiles import profile_names, ruleset
from rum500.state import State
from tests.support.bridge import play_text
from tests.support.checks import (
    CORE_FIELDS,
    cards_of,
    check_actions,
    check_cards,
    check_end,
    check_points,
    dump,
)
from tests.support.dealing import check_copy, check_deals
from tests.support.depth import depth
from tests.support.games import random_players, random_rules, random_style, small_deck
from tests.support.lockstep import started_core

if TYPE_CHECKING:
    from rum500 import Ruleset

# Without a compiler the engine takes a hundred times as long.
DEALS = depth(600, 2000) if is_compiled() else 200

seeds = st.integers(min_value=0, max_value=2**64 - 1)


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", profile_names())
def test_many_deals_of_each_profile(name: str) -> None:
    """Cards conserved, points recounted, the deal ended by its rules: with every number of players."""
    deals, plays, reasons = check_deals(ruleset(name), DEALS, seed=2025, sample=200)
    assert deals == DEALS and plays > 20 * DEALS
    assert reasons["out"] > 0


def random_table(chance: random.Random) -> State:
    """A deal of a random mix of house rules and options, its deck often a short one."""
    rules = random_rules(chance)
    players = random_players(rules, chance)
    deck = small_deck(rules, players, chance)
    core = started_core(rules, players, deck, chance.randrange(players), [], chance.getrandbits(64))
    return State(rules, core)


def play_on(state: State, chance: random.Random, most: int) -> None:
    """Up to so many plays, by a random way of playing."""
    weights = random_style(chance)
    for _ in range(most):
        legal = state.legal_ints()
        if not legal:
            return
        chances = [weights.get(play_text(code, state.core).split()[0], 1.0) for code in legal]
        state.apply(chance.choices(legal, chances)[0])


@settings(max_examples=depth(30, 120))
@given(seeds)
def test_positions_of_mixed_rules(seed: int) -> None:
    """The same in random mixes of house rules and options, in the middle of a deal and at its end."""
    chance = random.Random(seed)
    state = random_table(chance)
    deck = cards_of(state)
    play_on(state, chance, chance.randint(0, 60))
    check_cards(state, deck)
    if not state.is_over:
        check_actions(state, chance, many=20)
        check_copy(state, chance)
    play_on(state, chance, 5000)
    check_cards(state, deck)
    check_end(state)
    if state.rules.doubles != "melds":
        check_points(state)


@settings(max_examples=depth(15, 60))
@given(seeds, st.integers(min_value=0, max_value=2**64 - 1))
def test_any_number_is_applied_or_refused(seed: int, code: int) -> None:
    """No number, however senseless, is played unless it is among the legal ones; none harms the deal."""
    chance = random.Random(seed)
    state = random_table(chance)
    play_on(state, chance, chance.randint(0, 40))
    before, legal = dump(state.core), state.legal_ints()
    for number in (code, *(one ^ 1 << chance.randrange(64) for one in legal)):
        if number not in legal:
            assert not state.is_legal(number)
            with pytest.raises(ValueError, match=r"."):
                state.apply(number)
    assert dump(state.core) == before


def test_the_dump_holds_every_field() -> None:
    """What "unchanged" means here: no field of a core is left out, and each makes a difference."""
    core = Core()
    fields = {name for name in dir(core) if not name.startswith("_") and not callable(getattr(core, name))}
    assert fields == set(CORE_FIELDS) and len(CORE_FIELDS) == len(fields)


def test_copy_from_takes_every_field() -> None:
    """A copy lacks nothing: each field of the original is changed in turn, and the copy has it."""
    rules = ruleset("rummy-500")
    for name in CORE_FIELDS:
        core, twin = started_core(rules, 5, rules.deck(5)), Core()
        value = getattr(core, name)
        setattr(core, name, value ^ 1 if isinstance(value, int) else [number ^ 1 for number in value])
        twin.copy_from(core)
        assert dump(twin) == dump(core), name


def broken(rules: Ruleset) -> State:
    state = State(rules, started_core(rules, 2, rules.deck(2)))
    state.core.set_pile([*state.pile, 1])
    return state


def test_the_checks_notice() -> None:
    """The checks themselves: a card too many, and a point too many, are found."""
    rules = ruleset("500-rum")
    with pytest.raises(AssertionError):
        check_cards(broken(rules), Counter(rules.deck(2)))
    state = State(rules, started_core(rules, 2, rules.deck(2)))
    state.core.laid = [1, *[0] * 7]
    with pytest.raises(AssertionError):
        check_points(state)
