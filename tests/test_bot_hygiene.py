"""No bot's choice hangs on a card it cannot see (D21): for every bot, profile, house rule, number of players.

At points of many deals the actor is asked, what it cannot see is dealt again, and it is asked again with the
same seed. Every level of the ladder is asked, and so is one that joins it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from rum500 import Phase, State, View, bots, deal
from rum500.bots.greedy import Greedy
from rum500.rng import Rng
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.ruleset import Ruleset
from tests.support.depth import depth
from tests.support.hygiene import Watched, hidden_twin, moved_on, peeks, watch
from tests.support.levels import LEVELS, cheap

if TYPE_CHECKING:
    from collections.abc import Iterator


def tables(name: str) -> Iterator[tuple[Ruleset, int]]:
    """A profile plain, with each house rule it allows and with some pairs of them; all numbers of players."""
    plain = ruleset(name)
    for players in plain.players:
        yield plain, players
    some = [*combinations(HOUSE_RULES, 1), *combinations(HOUSE_RULES, 2)]
    for number, house_rules in enumerate(some):
        try:
            rules = plain.with_house_rules(*house_rules)
        except RulesetError:
            continue
        yield rules, rules.players[number % len(rules.players)]


@cache
def points(name: str) -> list[State]:
    """A point of a deal at each table, by random players where the stock has to run out first (H5)."""
    settings = [*tables(name)]
    while len(settings) < 18:
        settings += tables(name)
    return [
        moved_on(rules, players, number, bots.get("random" if rules.restock else "greedy"))
        for number, (rules, players) in enumerate(settings)
    ]


@pytest.mark.sample(9)
@pytest.mark.compiled
@pytest.mark.parametrize(("bot", "name"), [*product(LEVELS, profile_names())][:: depth(2, 1)])
def test_cards_that_cannot_be_seen_change_nothing(bot: str, name: str) -> None:
    asked, found, step = cheap(bot), Watched(), depth(4, 1)
    for number, state in list(enumerate(points(name)))[LEVELS.index(bot) % step :: step]:
        watch([asked], state.copy(), number, 4, found)
        assert found.peek is None, f"{found.peek}\n{found.peek.state.to_text()}"
    assert found.decisions > depth(8, 35) and found.changed > depth(0.6, 0.8) * found.decisions


SEARCHED = depth(
    [("strong", "500-rum"), ("expert", "persian-rummy")],
    [*product(("strong", "expert"), ("500-rum", "partnership-500-rum", "persian-rummy"))],
)


@pytest.mark.compiled
@pytest.mark.parametrize(("bot", "name"), SEARCHED)
def test_so_it_is_where_a_search_is_sure_of_its_own(bot: str, name: str) -> None:
    """With as many worlds as at a table it leaves the heuristic often, and guesses at hands in full."""
    asked, found = cheap(bot, worlds=512), Watched()
    for number, state in enumerate(points(name)[: depth(2, 5)]):
        watch([asked], state.copy(), number, 3, found)
        assert found.peek is None, f"{found.peek}\n{found.peek.state.to_text()}"
    assert found.decisions > depth(2, 8)


def test_the_rare_is_met() -> None:
    """The points from which bots are asked include restocks (H5) and calls (H6), and games with H2."""
    met = [state for name in profile_names() for state in points(name)]
    assert sum(bool(state.core.restocked_cards()) for state in met) > 5
    assert sum(state.phase is Phase.CLAIM for state in met) > 5
    assert sum(state.must_use is not None for state in met) > 50
    assert sum(state.rules.go_out == "discard" for state in met) > 20


# --- the twins -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_a_twin_looks_the_same(seed: int) -> None:
    """To the seat; the cards are the deal's, and what a restock put into the stock stays apart (H5)."""
    state = points("rummy-500")[seed]
    for seat in range(state.players):
        twin = hidden_twin(state, seat, Rng(seed))
        assert twin.view(seat) == state.view(seat) and twin.view(None) == state.view(None)
        whole = [Counter([*s.stock, *(card for hand in s.hands for card in hand)]) for s in (state, twin)]
        assert whole[0] == whole[1]
        if state.core.restocked_cards():
            assert not Counter(twin.stock) - Counter(state.core.restocked_cards())


# --- cheaters --------------------------------------------------------------------------------------


def shown(state: State, seat: int) -> View:
    """A faulty view that contains all cards of the others."""
    return msgspec.structs.replace(state.view(seat), known=state.hands)


def stock_shown(state: State, seat: int) -> View:
    """A view in which one reads the next card of the stock, where the card drawn should be."""
    return msgspec.structs.replace(state.view(seat), drawn=state.stock[0] if state.stock else None)


class Reader(Greedy):
    """Draws if it likes the card that comes."""

    name = "reader"

    def choose(self, view: View, rng: Rng) -> int:
        draws = view.drawn is not None and view.drawn & 15 > 6
        return view.legal[0] if draws else view.legal[-1]


class Insider(Greedy):
    """Has the table itself, by a back door, and never throws what the next player can use."""

    name = "insider"
    table: State

    def choose(self, view: View, rng: Rng) -> int:
        hand = set(self.table.hands[(self.table.actor + 1) % self.table.players])
        liked = [code for code in view.legal if code & 15 != 6 or not hand & {code >> 4 ^ 16, code >> 4 ^ 32}]
        return (liked or list(view.legal))[-1]


class Whim:
    """Plays what comes to its mind: it does not even do the same when asked the same."""

    name = "whim"
    asked = 0

    def choose(self, view: View, rng: Rng) -> int:
        self.asked += 1
        return view.legal[self.asked % len(view.legal)]


def first_peek(bot: Any, look: Any) -> Any:
    found = Watched()
    for seed in range(10):
        watch([bot], deal(ruleset("500-rum"), 3, seed=seed), seed, 20, found, look)
    return found.peek


def test_a_leaking_view_is_caught() -> None:
    """Greedy is honest; shown others' hands it cannot but use them."""
    peek = first_peek(Greedy(), shown)
    assert peek is not None and peek.state is not peek.twin
    assert peek.state.view(peek.seat) == peek.twin.view(peek.seat)


def test_a_stock_that_is_read_is_caught() -> None:
    assert first_peek(Reader(), stock_shown) is not None
    assert first_peek(Reader(), State.view) is None


def test_a_bot_with_the_table_in_hand_is_caught() -> None:
    bot = Insider()

    def look(state: State, seat: int) -> View:
        bot.table = state
        return state.view(seat)

    assert first_peek(bot, look) is not None


def test_a_bot_that_does_not_repeat_itself_is_caught() -> None:
    peek = peeks(Whim(), deal(ruleset("rummy-500"), 2, seed=1), Rng(1))
    assert peek is not None and peek.state is peek.twin and "asked twice" in str(peek)
