"""Solve positions near the end in which nothing is hidden, by following every line of play.

Every seat does what is best for itself, and knows that the others do too: between two players or two sides
this is minimax on the margin, among more it is max^n. It shares only the engine with the package's search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rum500 import State, bots
from rum500.rng import Rng
from rum500.rules.engine.core import DRAW, PHASE_OVER, Core, Moves

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from rum500 import Ruleset

Worth = tuple[float, ...]
"""The value of an ending, by seat."""


class NotSolved(Exception):
    """A shuffle is still to come, or there are more positions than allowed."""


def margin(core: Core) -> Worth:
    """Return, by seat, the own side's points less those of the best other side."""
    points = [core.score(seat) for seat in range(core.n)]
    if core.sides == 2:
        sums = [sum(points[0::2]), sum(points[1::2])]
        return tuple(float(sums[seat % 2] - sums[1 - seat % 2]) for seat in range(core.n))
    return tuple(
        float(points[seat] - max(p for other, p in enumerate(points) if other != seat))
        for seat in range(core.n)
    )


class Solver:
    """Solves positions of one rule set, and remembers the values."""

    def __init__(self, worth: Callable[[Core], Worth] = margin, most: int = 50_000) -> None:
        self.worth = worth
        self.most = most
        self.found: dict[Hashable, Worth] = {}

    def choices(self, core: Core) -> dict[int, Worth]:
        """Return the values, by seat, of each legal action. Raises `NotSolved` if they cannot be computed."""
        moves = Moves()
        return {code: self.value(_after(core, code, moves)) for code in core.legal(moves)}

    def value(self, core: Core) -> Worth:
        """Return the value of the position, by seat."""
        if core.phase == PHASE_OVER:
            return self.worth(core)
        key = _key(core)
        if key not in self.found:
            if len(self.found) >= self.most:
                raise NotSolved("too many positions")
            actor = core.actor
            self.found[key] = max(self.choices(core).values(), key=lambda worth: worth[actor])
        return self.found[key]


def _after(core: Core, code: int, moves: Moves) -> Core:
    if code == DRAW:
        left = core.stock_end - core.stock_next
        if left > 1 or (left == 0 and core.pile_n > 2):
            raise NotSolved("chance decides the draw")
    child = Core()
    child.copy_from(core)
    child.apply(code, moves)
    return child


def _key(core: Core) -> Hashable:
    """Return everything that can affect the rest of the deal."""
    seats = range(core.n)
    return (
        tuple((core.h1[s], core.h2[s], core.hj[s], core.laid[s]) for s in seats),
        tuple(core.pile_cards()),
        tuple(core.stock_cards()),
        tuple(meld for meld, _ in core.melds()),
        (core.turn, core.actor, core.phase, core.must, core.ban, core.claiming, core.floater, core.progress),
        (core.idle, core.passes, core.restocks, core.t1, core.t2, core.tj),
    )


def is_open(state: State) -> bool:
    """Whether the actor can work out every hidden card: by counting alone, or because it saw them taken."""
    actor, left = state.actor, len(state.stock)
    unknown = [s for s in range(state.players) if s != actor and state.known(s) != state.hands[s]]
    return (left <= 1 and not unknown) or (left == 0 and len(unknown) == 1)


def endings(
    rules: Ruleset, players: int, seeds: range, most: int = 5_000, show: bool = False
) -> Iterator[State]:
    """Positions with a real choice in which nothing is hidden, from deals that random and greedy have played.

    Only such as can be solved with `most` positions. `show`: all hands are made known to all, as if they
    had been taken from the pile, so that there are such positions among more than two players.
    """
    from rum500 import deal

    players_at = [bots.get("random"), bots.get("greedy")]
    for seed in seeds:
        state, chance = deal(rules, players, seed=seed, dealer=seed % players), Rng(seed)
        met = 0
        while not state.is_over and met < 3:
            legal = state.legal_ints()
            if len(legal) > 1 and len(state.stock) <= 1:
                here = _shown(state) if show else state.copy()
                if is_open(here) and _solved(here, most):
                    met += 1
                    yield here
            bot = players_at[chance.below(4) == 0 if players == 2 else chance.below(3) > 0]
            state.apply(bot.choose(state.view(state.actor), chance))


def _solved(state: State, most: int) -> bool:
    try:
        worths = Solver(most=most).choices(state.core)
    except NotSolved:
        return False
    return len({worth[state.actor] for worth in worths.values()}) > 1


def _shown(state: State) -> State:
    """The same with every hand known to all; its course is then not known, since it was another."""
    twin = State(state.rules, Core())
    twin.core.copy_from(state.core)
    twin.core.k1, twin.core.k2, twin.core.kj = twin.core.h1, twin.core.h2, twin.core.hj
    return twin
