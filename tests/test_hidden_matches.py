"""No seat learns from a match what the table does not show it (D21): by its view of the match or its events.

Two matches are played alike, in one of which other cards lie where the seat cannot see them: in the packs
spread for the draw, in the stocks and new stocks, and in the others' hands. All that is sent to the seat
must be the same, byte for byte.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rum500.match import (
    CutAt,
    CutNeeded,
    DrawAt,
    DrawNeeded,
    Match,
    PackOrder,
    PlayNeeded,
    Restock,
    ShuffleNeeded,
)
from rum500.rules.action_codes import decode, encode
from rum500.rules.actions import Draw
from rum500.rules.profiles import profile_names, ruleset
from tests.support.depth import depth
from tests.support.games import random_players
from tests.support.indistinguishable_deals import permuted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rum500 import Ruleset
    from rum500.match import Input
    from rum500.state import State
    from rum500.view import Event

GAMES = [*((name, ()) for name in profile_names()), ("rummy-500", ("H2", "H5", "H6"))]
MOST = 500
"""Inputs of a match at most: two deals of most games."""

seeds = st.integers(min_value=0, max_value=2**32 - 1)


def answer(match: Match, chance: random.Random) -> Input:
    """Some input that the match takes."""
    asked = match.decision
    if isinstance(asked, ShuffleNeeded):
        return PackOrder(tuple(chance.sample(asked.cards, len(asked.cards))))
    if isinstance(asked, DrawNeeded):
        return DrawAt(chance.choice(asked.positions))
    if isinstance(asked, CutNeeded):
        return CutAt(chance.randrange(1, asked.cards))
    assert isinstance(asked, PlayNeeded)
    action = decode(chance.choice(asked.state.legal_ints()))
    if isinstance(action, Draw) and not asked.state.stock:
        return Restock(tuple(chance.sample(asked.state.pile[:-1], len(asked.state.pile) - 1)))
    return action


def shown(match: Match, seat: int | None) -> bytes:
    return json.dumps(match.view(seat).to_dict()).encode()


def heard(events: Iterable[Event], seat: int | None) -> bytes:
    return repr([event.seen_by(seat) for event in events]).encode()


def compare(match: Match, twin: Match, first: Input, second: Input, seats: Iterable[int | None]) -> None:
    """Answer both and compare all that these seats are sent."""
    events, others = match.apply(first), twin.apply(second)
    for seat in seats:
        assert heard(events, seat) == heard(others, seat)
        assert shown(match, seat) == shown(twin, seat)


# --- cards that stay hidden ------------------------------------------------------------------------


def swapped(cards: Sequence[int], hidden: Iterable[int], chance: random.Random) -> tuple[int, ...]:
    """These cards with those at hidden positions shuffled among them."""
    mixed, places = list(cards), list(hidden)
    for place, card in zip(places, chance.sample([cards[i] for i in places], len(places)), strict=True):
        mixed[place] = card
    return tuple(mixed)


def with_other_cards(match: Match, inputs: Sequence[Input], chance: random.Random) -> list[Input]:
    """These inputs of a match with all cards changed that no seat ever saw: neither drawn nor dealt."""
    twin = list(inputs)
    for number, entry in enumerate(inputs):
        if not isinstance(entry, PackOrder | Restock):
            continue
        later = inputs[number + 1 :]
        end = next((i for i, one in enumerate(later) if isinstance(one, PackOrder | Restock)), len(later))
        size = len(entry.cards)
        hidden: Iterable[int]
        cut = next((one.position for one in later[:1] if isinstance(one, CutAt)), None)
        if isinstance(entry, Restock):
            hidden = range(1 + later[:end].count(Draw()), size)
        elif cut is not None:
            dealt = match.players * match.rules.hand_size(match.players) + 1 + later[:end].count(Draw())
            hidden = [(cut + i) % size for i in range(dealt, size)]
        else:
            drawn = {one.position for one in later[:end] if isinstance(one, DrawAt)}
            hidden = [i for i in range(size) if i not in drawn]
        twin[number] = type(entry)(swapped(entry.cards, hidden, chance))
    return twin


@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "house_rules"), GAMES)
@settings(max_examples=depth(2, 4))
@given(seed=seeds)
def test_whole_matches_with_other_cards_where_nobody_looked(
    name: str, house_rules: tuple[str, ...], seed: int
) -> None:
    """R-DEAL-1, D21, D22, H5: from the draw for deal over the settlement into the next deal."""
    chance = random.Random(seed)
    rules = ruleset(name, house_rules)
    players = random_players(rules, chance)
    match = Match(rules, players)
    while not match.is_over and len(match.sheet) < 2 and len(match.inputs) < MOST:
        match.apply(answer(match, chance))
    inputs = with_other_cards(match, match.inputs, chance)
    one, two = Match(rules, players), Match(rules, players)
    for number, (first, second) in enumerate(zip(match.inputs, inputs, strict=True)):
        often = isinstance(one.decision, PlayNeeded) and number % 7
        compare(one, two, first, second, [number % players] if often else [None, *range(players)])
    assert one.inputs != two.inputs and one.events == match.events


# --- cards hidden from one seat --------------------------------------------------------------------


def deck_of(state: State) -> tuple[int, ...]:
    """A deck that deals this fresh deal."""
    seats = [(state.dealer + 1 + step) % state.players for step in range(state.players)]
    dealt = [state.hands[seat][i] for i in range(len(state.hands[0])) for seat in seats]
    return (*dealt, *state.pile, *state.stock)


def begun(rules: Ruleset, players: int, dealer: int, deck: Sequence[int], cut: int) -> Match:
    """A match whose first deal deals this deck."""
    match = Match(rules, players, dealer=dealer)
    match.apply(PackOrder((*deck[len(deck) - cut :], *deck[: len(deck) - cut])))
    match.apply(CutAt(cut))
    return match


def check_seat(rules: Ruleset, seed: int) -> int:
    """A deal of two matches that differ for all but the observer; how many plays were compared."""
    chance = random.Random(seed)
    players = random_players(rules, chance)
    dealer, cut = chance.randrange(players), chance.randrange(1, len(rules.deck(players)))
    deck = chance.sample(rules.deck(players), len(rules.deck(players)))
    match, walk = (begun(rules, players, dealer, deck, cut) for _ in range(2))
    plays: list[Input] = []
    while not walk.sheet and len(plays) < 60:
        plays.append(answer(walk, chance))
        walk.apply(plays[-1])
    observer = chance.choice([None, *range(players), *range(players)])
    line = [code_of(play) for play in plays[: chance.choice((5, 20, 60))]]
    assert match.state is not None
    other = deck_of(permuted(match.state, observer, line, chance))
    twin = begun(rules, players, dealer, other, cut)
    assert heard(match.events, observer) == heard(twin.events, observer)
    assert shown(match, observer) == shown(twin, observer)
    for number, play in enumerate(plays[: len(line)]):
        asked = match.decision
        assert isinstance(asked, PlayNeeded) and isinstance(twin.decision, PlayNeeded)
        if isinstance(play, Restock):
            kept = range(1 if asked.seat == observer else 0, len(play.cards))
            compare(match, twin, play, Restock(swapped(play.cards, kept, chance)), [observer])
            return number + 1  # from here on the two stocks are not the same
        if asked.seat != observer and not twin.decision.state.is_legal(play):  # type: ignore[arg-type]
            return number  # the other hand, as it is now, does not allow it: no line of this deal
        walked = asked.state.copy()
        walked.apply(play)  # type: ignore[arg-type]
        if walked.is_over:
            return number  # hands are shown (D22)
        compare(match, twin, play, play, [observer])
    return len(line)


def code_of(play: Input) -> int:
    return encode(Draw() if isinstance(play, Restock) else play)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "house_rules"), GAMES)
@settings(max_examples=depth(3, 12))
@given(seed=seeds)
def test_other_hands_and_stocks_change_nothing_for_a_seat(
    name: str, house_rules: tuple[str, ...], seed: int
) -> None:
    """D21, R-DRAW-1: the deal event, the plays and the restocks."""
    check_seat(ruleset(name, house_rules), seed)


def test_enough_is_compared() -> None:
    """Few lines break off early, and the matches do differ for those who may see it."""
    rules = ruleset("rummy-500", ("H5", "H6"))
    assert sum(check_seat(rules, seed) for seed in range(30)) > 30 * 6
    deck = rules.deck(3)
    one, two = (begun(rules, 3, 0, cards, 9) for cards in (deck, [*deck[1:3], deck[0], *deck[3:]]))
    for seat in range(3):
        assert shown(one, seat) != shown(two, seat) and heard(one.events, seat) != heard(two.events, seat)
    assert shown(one, None) == shown(two, None) and heard(one.events, None) == heard(two.events, None)
