"""The past actions that views carry: complete, shared by copies, and the same for every seat."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500 import Discard, Draw, State, Take, deal, encode, ruleset
from rum500.match import Match
from rum500.rules.profiles import profile_names
from rum500.state import IllegalPlay
from rum500.view import view_of
from tests.support.depth import depth
from tests.support.games import random_players, random_rules, small_deck

seeds = st.integers(min_value=0, max_value=2**64 - 1)


@settings(max_examples=depth(15, 60))
@given(seed=seeds)
def test_the_course_is_the_upcard_and_every_action(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = deal(rules, random_players(rules, chance), seed)
    line = [encode(Discard(state.pile[0]))]
    while not state.is_over:
        assert {state.view(seat).past for seat in (None, *range(state.players))} == {tuple(line)}
        line.append(chance.choice(state.legal_ints()))
        if chance.random() < 0.5:
            state.apply_int(line[-1])
        else:
            state.apply(line[-1])
    assert state.view(0).past == state.past == tuple(line)


@settings(max_examples=depth(7, 30))
@given(seed=seeds)
def test_the_course_replays_the_deal(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    deck = small_deck(rules, players, chance)
    if sorted(deck) != sorted(rules.deck(players)):
        deck = rules.deck(players)
        chance.shuffle(deck)
    state = State.new(rules, players, deck, restock_seed=seed)
    again = state.copy()
    for _ in range(chance.randrange(120)):
        if not state.is_over:
            state.apply_int(chance.choice(state.legal_ints()))
    for code in state.past[1:]:
        again.apply(code)
    assert again.to_text() == state.to_text() and again.past == state.past


def test_a_copy_goes_its_own_way() -> None:
    state = deal(ruleset("500-rum"), 2, 3)
    twin = state.copy()
    state.apply(Draw())
    assert twin.past == state.past[:-1] and len(twin.past) == 1
    assert state.copy().past == state.past


def test_a_refused_play_is_no_part_of_it() -> None:
    state = deal(ruleset("500-rum"), 2, 3)
    before = state.past
    with pytest.raises(IllegalPlay):
        state.apply(Discard(state.hands[state.actor][0]))
    assert state.past == before


@pytest.mark.parametrize("name", profile_names())
def test_a_position_without_a_course_has_none_and_gets_none(name: str) -> None:
    text = deal(ruleset(name), seed=5).to_text()
    state = State.from_text(
        "".join(line for line in text.splitlines(keepends=True) if not line.startswith("course:"))
    )
    assert state.past == ()
    state.apply(Draw())
    assert state.past == () and state.view(0).past == ()
    assert view_of(state.core, state.rules, 0).past == ()


def test_taking_back_takes_it_out_of_the_course() -> None:
    match = Match.quick(ruleset("rummy-500"), 2, seed=4)
    assert match.state is not None
    before = match.state.past
    match.apply(Take(1))
    assert match.state.past == (*before, encode(Take(1)))
    match.undo()
    assert match.state.past == before
