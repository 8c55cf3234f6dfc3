"""Fit the core's heuristic to choices by search, separately for each class of game.

The heuristic plays deals with itself, with players who lay cards as soon as they can, and with distorted
copies of itself. At some choices every candidate is tried in the same worlds, drawn from the player's
knowledge, and played out as in a search: all seats like the heuristic, or in every other world the opponents
like players who lay at once. Then weights are sought with which the heuristic's choices at these positions
lose least. The better heuristic plays the next lesson's deals and rollouts. The positions of every fifth deal
are held out; at the end of a lesson they show the gain.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rum500.ai import known_deal
from rum500.ai.policy import Policy
from rum500.ai.policy_weights import hand_set
from rum500.ai.search import Search, SearchWorker
from rum500.bots import halving
from rum500.rules.engine.core import PHASE_OVER, Core, Moves
from rum500.rules.profiles import ruleset
from rum500.state.core_setup import new_core
from rum500.view import View, view_of
from tools.league import TABLES, child_of

KEPT_OUT = 5
"""The interval of deals whose positions are held out for testing."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a seat knows at a choice, and by how many points each candidate is worse than the best."""

    core: Core
    brings: dict[int, float]
    deal: int

    def lost(self, policy: Policy) -> float:
        """Return the loss of the policy's choice against the best candidate."""
        return -self.brings.get(policy.choice(self.core), min(self.brings.values()))


@dataclass(frozen=True, slots=True)
class Lesson:
    """The amount of search in a lesson."""

    positions: int = 6000
    """The number of searched choices."""
    worlds: int = 48
    """The number of worlds of each search."""
    share: float = 0.1
    """The share of the choices of a deal that are searched."""
    trials: int = 1200
    """The number of weight vectors that are tried."""


def positions(name: str, own: list[int], chance: random.Random, lesson: Lesson) -> Iterator[Position]:
    """Yield searched choices of deals that the heuristic plays with others."""
    rollout, moves = Policy(own), Moves()
    found = number = 0
    while found < lesson.positions:
        profile, players = chance.choice(TABLES[name])
        rules, number = ruleset(profile), number + 1
        core = new_core(rules, players)
        core.shuffle(chance.getrandbits(60))
        core.start(chance.randrange(players))
        kinds = [own, own, hand_set(), [round(w * chance.lognormvariate(0, 0.4)) for w in own]]
        seats = [Policy(chance.choice(kinds)) for _ in range(players)]
        while core.phase != PHASE_OVER:
            if chance.random() < lesson.share and len(core.legal(moves)) > 1:
                view = view_of(core, rules, core.actor)
                yield searched(view, rollout, chance.getrandbits(60), lesson.worlds, number)
                found += 1
            core.apply(seats[core.actor].choice(core), moves)


def searched(view: View, rollout: Policy, seed: int, worlds: int, deal: int) -> Position:
    """Return a position with the average points of each candidate over the same worlds."""
    seat = known_deal(view)
    assert view.seat is not None
    codes = halving.candidates(seat.core, view.legal, rollout.choice(seat.core))
    task = Search(seat.worlds(), view.seat, codes)
    worker = SearchWorker(task, rollout, Policy(hand_set()))
    worker.run(seed, 0, worlds)
    task.add(worker)
    scale = worlds * (2 if view.rules.sides == 2 else view.players - 1)
    sums = [task.statistics(i)[0] / scale for i in task.in_running()]
    best = max(sums)
    return Position(seat.core, {code: value - best for code, value in zip(codes, sums, strict=False)}, deal)


def mean_lost(found: Sequence[Position], given: list[int]) -> float:
    """Return the mean loss of the choices by these weights against the best candidates, in points."""
    policy = Policy(given)
    return sum(position.lost(policy) for position in found) / len(found)


def fitted(found: Sequence[Position], start: list[int], chance: random.Random, trials: int) -> list[int]:
    """Return the weights found from `start` that lose least at these positions."""
    best, least = start, mean_lost(found, start)
    for _ in range(trials):
        child = child_of(best, chance)
        lost = mean_lost(found, child)
        if lost < least:
            best, least = child, lost
    return best


def taught(name: str, start: list[int], seed: int, lessons: int, lesson: Lesson) -> list[int]:
    """Return the weights of a class after this many lessons, from `start`."""
    chance = random.Random(f"{name} {seed} distil")
    best = start
    for number in range(1, lessons + 1):
        found = list(positions(name, best, chance, lesson))
        known = [position for position in found if position.deal % KEPT_OUT]
        kept = [position for position in found if position.deal % KEPT_OUT == 0]
        better = fitted(known, best, chance, lesson.trials)
        print(
            f"{name}: lesson {number}; a choice loses {mean_lost(kept, better):.2f} points, "
            f"before {mean_lost(kept, best):.2f}",
            flush=True,
        )
        best = better
    return best
