"""Endings where nothing is hidden: exhaustive look-ahead, the engine's solver and the bots agree."""

from __future__ import annotations

import random

import pytest

from rum500 import State, belief
from rum500.bots.search import expert, solved, strong
from rum500.bots.weights import policy
from rum500.cards import cards_text
from rum500.rng import Rng
from rum500.rules.engine.core import Moves
from rum500.rules.engine.endgame import Endgame
from rum500.rules.engine.search import Search, Worker
from rum500.rules.ruleset import ruleset
from tests.support.endgame import values
from tests.support.table import table

PROFILES = ("500-rum", "500-rummy", "michigan-rum")


def laid_out(chance: random.Random, left: int, stock: int) -> State:
    """A table with a whole deck of which but `left` cards are melded; the rest is dealt out at random."""
    rules = ruleset(chance.choice(PROFILES))
    cards, melds = [card for card in rules.deck(2) if card < 62], []
    while len(cards) > left:
        meld = a_meld(cards, chance)
        if meld is None:
            return laid_out(chance, left, stock)
        melds.append((chance.randrange(2), cards_text(meld)))
        cards = [card for card in cards if card not in meld]
    chance.shuffle(cards)
    rest = cards[stock:]
    pile = chance.randint(1, 2) if len(rest) > 4 else len(rest) > 2
    hands = rest[pile:]
    cut = chance.randint(1, len(hands) - 1)
    return table(
        rules,
        [cards_text(hands[:cut]), cards_text(hands[cut:])],
        pile=cards_text(rest[:pile]),
        stock=cards_text(cards[:stock]),
        melds=melds,
        phase=chance.choice(("draw", "play")),
        progress=1,
    )


def a_meld(cards: list[int], chance: random.Random) -> list[int] | None:
    """A run or three of a rank among these cards, chosen at random."""
    runs = [[card, card + 1, card + 2] for card in cards if {card + 1, card + 2} <= set(cards)]
    ranks = [[card for card in cards if card % 16 == rank] for rank in range(13)]
    sets = [chance.sample(same, 3) for same in ranks if len(same) >= 3]
    return chance.choice(runs + sets) if runs + sets else None


@pytest.mark.parametrize("seed", range(24))
def test_the_solver_sees_what_looking_at_every_line_sees(seed: int) -> None:
    """The value of every action, not of the best alone, for either seat."""
    chance = random.Random(seed)
    state = laid_out(chance, chance.randint(5, 6), chance.randrange(2))
    for _ in range(6):
        if state.is_over:
            return
        for seat in range(2):
            assert Endgame().solve(state.core, seat, 10**6) == values(state.core, seat)
        state.apply_int(chance.choice(state.legal_ints()))


@pytest.mark.parametrize("seed", range(24))
def test_bots_play_endings_as_well_as_can_be(seed: int) -> None:
    """The stock empty, so that the other's hand is what is left: strong and expert choose a best action."""
    chance = random.Random(~seed)
    state = laid_out(chance, chance.randint(5, 6), 0)
    while not state.is_over:
        view = state.view(state.actor)
        expected = values(state.core, state.actor)
        assert solved(view) == expected
        best = {code for code, value in expected.items() if value == max(expected.values())}
        for bot in (strong(worlds=4), expert(worlds=4)):
            assert bot.choose(view, Rng(seed)) in best
        state.apply_int(chance.choice(sorted(best)))


def test_the_endings_are_worth_looking_at() -> None:
    """Most of them hold a choice that matters."""
    matter = 0
    for seed in range(24):
        state = laid_out(random.Random(~seed), 6, 0)
        matter += len(set(values(state.core, state.actor).values())) > 1
    assert matter >= 15


def test_search_finds_the_last_play() -> None:
    """Where each line ends with this very action, playing out is exact: the search's means are the values."""
    found = 0
    for seed in range(80):
        state = laid_out(random.Random(seed), 6, 0)
        codes = state.legal_ints()
        expected = values(state.core, state.actor)
        ends = [code for code in codes if ends_deal(state, code)]
        task = Search(belief.seat_core(state.view(state.actor)).worlds(), state.actor, codes)
        worker = Worker(task, policy(state.rules, 2))
        worker.run(seed, 0, 3)
        task.add(worker)
        for code in ends:
            assert task.sums(codes.index(code))[0] == 3 * expected[code]
            found += 1
    assert found > 20


def ends_deal(state: State, code: int) -> bool:
    twin = state.copy()
    twin.core.apply(code, Moves())
    return twin.is_over


def test_no_answer_rather_than_a_guess() -> None:
    """Too many positions, hidden cards, a stock to come: left to the search."""
    state = laid_out(random.Random(1), 9, 0)
    assert Endgame().solve(state.core, 0, 3) is None
    assert solved(laid_out(random.Random(2), 12, 2).view(0)) is None
