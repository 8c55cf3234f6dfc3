"""Information set Monte Carlo tree search (ISMCTS) for one observer.

Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, IEEE Transactions on Computational
Intelligence and AI in Games 4(2), 2012: the algorithm SO-ISMCTS.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import SupportsIndex

from rum500.ai.known_deal import known_deal
from rum500.ai.outcomes import Outcomes
from rum500.ai.policy import Policy
from rum500.ai.resampling import Belief, believed_worlds
from rum500.bots import FastBot
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.actions import Action
from rum500.rules.engine.core import DRAW, PHASE_OVER, Core, Moves
from rum500.rules.notation import TableText
from rum500.search.playouts import (
    MOST_WORLDS,
    PolicyNames,
    codes_of_candidates,
    outcomes_of,
    policies_of,
)
from rum500.state.returns import returns_of_all
from rum500.values import whole_number
from rum500.view import View

MOST_EXPLORATION = 1000.0
"""The largest exploration constant."""
_EXPLORATION = 1.0


@dataclass(frozen=True, slots=True)
class VisitedPlay:
    """A play at the root of a tree search."""

    action: Action
    """The play."""
    points: float
    """The mean result of the iterations that began with it, in points ahead of the others; 0 without one."""
    visits: int
    """The number of iterations that began with it."""


@dataclass(frozen=True, slots=True)
class TreeSearch:
    """The result of `ismcts`."""

    best: Action
    """The play with the most visits; of several, the one with the best results."""
    plays: tuple[VisitedPlay, ...]
    """All candidates in their order."""
    nodes: int
    """The number of information sets in the tree."""

    def __getitem__(self, action: Action) -> VisitedPlay:
        """Return the result of a play. Raises `KeyError` if it is not a candidate."""
        return {play.action: play for play in self.plays}[action]


class _Edge:
    """An action in an information set, and the information sets that may follow."""

    __slots__ = ("available", "below", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 1
        self.total = 0.0
        self.below: dict[int, _Node] = {}


_Node = dict[int, _Edge]
"""What the observer knows at one point: the actions tried there, by code."""


def ismcts(
    view: View,
    iterations: SupportsIndex = 1000,
    *,
    rng: Rng | None = None,
    belief: Belief = "even",
    policy: PolicyNames = "club",
    exploration: float = _EXPLORATION,
) -> TreeSearch:
    """Search a tree of the information sets of the seat of this view.

    Each iteration draws a world and descends in the one tree of all worlds. In each information set it first
    tries the actions that are legal in this world and new there, that of `policy` first and then the others
    at random; then it selects by UCB with the numbers of visits and of worlds in which an action was
    available. `policy` plays the deal to its end, and the result is added for each seat that acted.
    `exploration` is the constant of UCB in standard deviations of the results so far. At the root only
    `candidates(view)` are tried. Results are points ahead of the others in this deal; the match does not
    matter. Raises `ValueError` if a number is out of range, or if the seat has nothing to decide.
    """
    count = whole_number("the number of iterations", iterations, 1, MOST_WORLDS)
    check_exploration(exploration)
    codes = codes_of_candidates(view)
    chance = Rng(0) if rng is None else rng
    assert view.seat is not None
    drawn = believed_worlds(known_deal(view), belief, count, chance.next64())
    tree = _Tree(view, view.seat, codes, policy, exploration)
    for _ in range(count):
        tree.iterate(drawn.world(chance.next64()), chance)
    edges = [tree.root.get(code) for code in codes]
    actions = TableText(view).actions(codes)
    plays = tuple(
        VisitedPlay(action, edge.total / edge.visits, edge.visits) if edge else VisitedPlay(action, 0.0, 0)
        for action, edge in zip(actions, edges, strict=True)
    )
    return TreeSearch(max(plays, key=lambda play: (play.visits, play.points)).action, plays, tree.nodes)


def check_exploration(exploration: float) -> None:
    """Raise `ValueError` for an exploration constant that is out of range."""
    if not 0 <= exploration <= MOST_EXPLORATION:
        raise ValueError(f"the exploration is 0 to {MOST_EXPLORATION:,.0f}, not {exploration}")


class _Tree:
    """The tree of one search."""

    def __init__(
        self, view: View, seat: int, codes: list[int], policy: PolicyNames, exploration: float
    ) -> None:
        self.root: _Node = {}
        self.nodes = 1
        self._seat = seat
        self._codes = codes
        self._sides = view.rules.sides
        self._policies: list[Policy] | None = policies_of(view.rules, view.players, policy)
        self._outcomes: Outcomes = outcomes_of(view.rules, view.players, policy)
        self._moves = Moves()
        self._exploration = exploration
        self._results = self._sum = self._squares = 0.0

    def iterate(self, core: Core, chance: Rng) -> None:
        """Descend in this world, add one action to the tree, play out, and add the result on the way."""
        node, path, actors = self.root, list[_Edge](), list[int]()
        codes, added = self._codes, False
        while not added and core.phase != PHASE_OVER:
            seat = core.actor
            new = [code for code in codes if code not in node]
            for code in codes:
                if code in node:
                    node[code].available += 1
            if new:
                code = self._first(core, new, chance)
                node[code] = _Edge()
                added = True
            else:
                code = self._selected(node, codes)
            path.append(node[code])
            actors.append(seat)
            core.play(code, self._moves)
            if added or core.phase == PHASE_OVER:
                break
            # Of the cards that are drawn the observer sees only its own.
            seen = core.drawn if code == DRAW and seat == self._seat else -1
            if seen not in path[-1].below:
                path[-1].below[seen] = {}
                self.nodes += 1
            node, codes = path[-1].below[seen], core.legal(self._moves)
        self._add(path, actors, self._outcomes.play_out([core], -1, chance.next64(), 1))

    def _first(self, core: Core, new: list[int], chance: Rng) -> int:
        """Return the new action to try: that of the policy, or else any."""
        if len(new) == 1:
            return new[0]
        if self._policies is not None:
            code = self._policies[core.actor].choice(core)
            if code in new:
                return code
        return new[chance.below(len(new))]

    def _selected(self, node: _Node, codes: list[int]) -> int:
        """Return the action with the largest upper confidence bound."""
        if len(codes) == 1:
            return codes[0]
        reach = self._exploration * self._spread()

        def bound(code: int) -> float:
            edge = node[code]
            return edge.total / edge.visits + reach * sqrt(log(edge.available) / edge.visits)

        return max(codes, key=bound)

    def _spread(self) -> float:
        """Return the standard deviation of the results so far."""
        mean = self._sum / self._results
        return sqrt(max(0.0, self._squares / self._results - mean * mean))

    def _add(self, path: list[_Edge], actors: list[int], points: list[list[int]]) -> None:
        """Add the result of an iteration to the edges on its way."""
        values = returns_of_all(points, self._sides, "margin")[0]
        for edge, seat in zip(path, actors, strict=True):
            edge.visits += 1
            edge.total += values[seat]
        own = values[self._seat]
        self._results += 1
        self._sum += own
        self._squares += own * own


class IsmctsBot(FastBot):
    """A bot that plays the best play of `ismcts`."""

    name = "ismcts"

    def __init__(
        self,
        iterations: SupportsIndex = 300,
        exploration: float = _EXPLORATION,
        policy: PolicyNames = "club",
        belief: Belief = "even",
    ) -> None:
        """Set the budget. Raises `ValueError` for a number that is out of range."""
        self.iterations = whole_number("the number of iterations", iterations, 1, MOST_WORLDS)
        check_exploration(exploration)
        self.exploration = exploration
        self.policy = policy
        self.belief = belief

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the code of the play with the most visits."""
        if len(view.legal) == 1:
            return view.legal[0]
        found = ismcts(
            view,
            self.iterations,
            rng=rng,
            belief=self.belief,
            policy=self.policy,
            exploration=self.exploration,
        )
        return code_of(found.best)
