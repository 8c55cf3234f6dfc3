"""Endings in which nothing is hidden: exhaustive look-ahead, the engine's solver and the bots agree."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from rum500 import State, ai
from rum500.ai.endgame import Endgame
from rum500.ai.heuristic_levels import policy
from rum500.ai.search import Search, SearchWorker
from rum500.bots.endings import solved
from rum500.bots.match_value import chances, game_class
from rum500.bots.search_bot import expert, strong
from rum500.cards import JOKER, cards_text
from rum500.rng import Rng
from rum500.rules.engine.core import Core, Moves
from rum500.rules.notation import play_text
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.state import position_from_text
from tests.support.depth import depth
from tests.support.endgame import lead, values
from tests.support.table import table

GAMES = [ruleset(name) for name in ("500-rum", "500-rummy", "michigan-rum")]
SIDES = ("partnership-500-rum", "partnership-500-rummy", "persian-rummy")


def laid_out(
    chance: random.Random,
    left: int,
    stock: int,
    games: Sequence[Ruleset] = GAMES,
    totals: tuple[int, ...] = (),
) -> State:
    """A table with a deck of which but `left` cards are melded; these, jokers too, are dealt at random."""
    rules = chance.choice(games)
    players = rules.players[0]
    cards, melds = list(rules.deck(players)), []
    while len(cards) > left:
        meld = a_meld(cards, chance)
        if meld is None:
            return laid_out(chance, left, stock, games, totals)
        melds.append((chance.randrange(players), cards_text(meld)))
        for card in meld:
            cards.remove(card)
    chance.shuffle(cards)
    rest = cards[stock:]
    pile = chance.randint(1, 2) if len(rest) > 2 * players else len(rest) > players
    hands = rest[pile:]
    cuts = [0, *sorted(chance.sample(range(1, len(hands)), players - 1)), len(hands)]
    return table(
        rules,
        [cards_text(hands[begin:end]) for begin, end in pairwise(cuts)],
        pile=cards_text(rest[:pile]),
        stock=cards_text(cards[:stock]),
        melds=melds,
        phase=chance.choice(("draw", "play")),
        progress=1,
        totals=totals,
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


@pytest.mark.sample(1)
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("games", "left", "seeds"),
    [
        ([ruleset("rummy-500", variations="jokers-1")], 5, depth(12, 24)),
        ([ruleset(name) for name in SIDES], 8, 100),
    ],
    ids=["a wild joker", "sides"],
)
def test_the_solver_knows_jokers_and_sides(games: list[Ruleset], left: int, seeds: int) -> None:
    """The same in games with a wild joker, and where two play together, with jokers of their own rank too."""
    jokers = 0
    for seed in range(seeds):
        chance = random.Random(seed)
        state = laid_out(chance, left, 0, games)
        jokers += any(JOKER in state.core.hand_cards(seat) for seat in range(state.players))
        for seat in range(state.players):
            assert Endgame().solve(state.core, seat, 10**6) == values(state.core, seat)
    assert jokers > 5


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
            assert bot.choose_int(view, Rng(seed)) in best
        state.apply_int(chance.choice(sorted(best)))


def match_worth(core: Core, seat: int) -> int:
    """The lead, and 8,000 for a match that is won; as much of it as is likely where it goes on."""
    own, other = (500 - core.totals[each] - core.score(each) for each in (seat, 1 - seat))
    if min(own, other) <= 0:
        return lead(core, seat) + (8000 if own < other else 4000 if own == other else 0)
    mine, theirs = (chance * (1 << 20) // 1000 for chance in (likely(own, other), likely(other, own)))
    return lead(core, seat) + 8 * (1000 * mine // (mine + theirs))


def likely(own: int, other: int) -> int:
    """The table's chance so far from the target, between its entries by the nearest four."""
    (i, x), (k, y) = divmod(min(own, 699), 20), divmod(min(other, 699), 20)
    rows = [[TABLE[36 * (i + a) + k + b] for b in (0, 1)] for a in (0, 1)]
    near, far = ((20 - y) * row[0] + y * row[1] for row in rows)
    return ((20 - x) * near + x * far) // 400


TABLE = chances(game_class(ruleset("500-rum"), 2))


def test_a_match_about_to_end_is_played_for_the_match() -> None:
    """Every action is worth what looking at each line's match says."""
    for seed in range(60):
        chance = random.Random(seed)
        totals = tuple(chance.randrange(470, 515, 5) for _ in range(2))
        state = laid_out(chance, 6, 0, GAMES[:1], totals)
        state.core.laid = [0] * 8  # so that all of it is still to come
        seat = state.actor
        expected = values(state.core, seat, match_worth)
        assert solved(state.view(seat)) == expected
        chosen = strong(worlds=4).choose_int(state.view(seat), Rng(seed))
        assert expected[chosen] == max(expected.values())


DECIDING = """rum500 position 1
profile: 500-rum
players: 2
seat: 1
dealer: 0
totals: 355 395
hand 0: 3 cards, known AH
hand 1: AS 8S QH AC
pile: 10S 6S 7S
stock: 0 cards
meld 1 by 1: 5C 6C 7C 8C 9C 10C@0
meld 2 by 0: 5S 5H 5D
meld 3 by 0: 2S 2H 2D +2C
meld 4 by 0: 6D 7D 8D 9D 10D
meld 5 by 0: 3S 3H +3D@1 3C
meld 6 by 1: JS +JH@0 JD JC
meld 7 by 0: 4S 4H 4D +4C
meld 8 by 0: 6H 7H 8H 9H@1 10H@1
meld 9 by 1: KS KH KD +KC@0
meld 10 by 0: QS QD QC
laid: 169 117
turn: 1
phase: draw
"""


def test_points_are_given_up_for_the_match() -> None:
    """Who takes loses 50 points, and the other wins the match; who ends the deal loses 61, and plays on."""
    view = position_from_text(DECIDING).view
    worth = {play_text(code, view): value for code, value in (solved(view) or {}).items()}
    assert worth["take 6S"] == -50 and worth["end"] > 2000
    for bot in (strong(worlds=4), expert(worlds=4)):
        assert play_text(bot.choose_int(view, Rng(1)), view) == "end"


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
        task = Search(ai.known_deal(state.view(state.actor)).worlds(), state.actor, codes)
        worker = SearchWorker(task, policy(state.rules, 2))
        worker.run(seed, 0, 3)
        task.add(worker)
        for code in ends:
            assert task.statistics(codes.index(code))[0] == 3 * expected[code]
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
