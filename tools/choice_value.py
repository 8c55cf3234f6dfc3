"""Measure the value of knowing more of the hidden cards, choice by choice.

`club` plays deals against a bot, with itself as partner if there are sides. At some of its choices every
candidate is evaluated with the true hands and many orders of the stock. Then searches choose that know more
or less of the hidden cards. The gain of each over `club`'s own choice is reported in points for each choice,
beside the gain of a search that sees all hands. This removes most of the luck: a few hundred deals show
differences for which the points of whole deals would need many times as many.

    python -m tools.choice_value greedy --profile partnership-500-rum --players 4
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rum500 import bots
from rum500.ai import HandBelief, KnownDeal, beliefs, known_deal
from rum500.ai.search import Search
from rum500.ai.weights import policy
from rum500.ai.worlds import Worlds
from rum500.bots import halving
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.engine.core import Core
from rum500.rules.profiles import ruleset
from rum500.state import State, deal

JUDGE = 600
"""The number of orders of the stock for evaluating a choice."""
GATE = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice, the seat's knowledge, and all hidden cards."""

    state: State
    seat: KnownDeal
    codes: list[int]
    seed: int
    deal: int

    def search(self, worlds: Worlds, number: int) -> int:
        """Return the index of the candidate that a search over these worlds chooses."""
        rules, players = self.state.rules, self.state.players
        task = Search(worlds, self.state.actor, self.codes)
        return halving.search(task, [halving.worker(task, rules, players)], self.seed, number, GATE)

    def worth(self) -> list[float]:
        """Return the value of each candidate with the true hands, relative to the first."""
        rules, players = self.state.rules, self.state.players
        task = Search(knowing(self, range(players)), self.state.actor, self.codes)
        worker = halving.worker(task, rules, players)
        worker.run(self.seed ^ 1, 0, JUDGE)
        task.add(worker)
        scale = JUDGE * (1 if rules.sides == 2 else players - 1)
        return [task.statistics(i)[2] / scale for i in range(len(self.codes))]


def knowing(choice: Choice, seats: Iterable[int]) -> Worlds:
    """Return random worlds in which the hands of these seats are known, and nothing else of the hidden
    cards.
    """
    core, room, unseen = Core(), list(choice.seat.room), list(choice.seat.unseen)
    core.copy_from(choice.seat.core)
    truth = choice.state.core
    h1, h2, hj = list(core.h1), list(core.h2), list(core.hj)
    for seat in seats:
        hidden = truth.hand_cards(seat)
        for card in choice.seat.core.hand_cards(seat):
            hidden.remove(card)
        for card in hidden:
            unseen.remove(card)
        h1[seat], h2[seat], hj[seat], room[seat] = truth.h1[seat], truth.h2[seat], truth.hj[seat], 0
    core.h1, core.h2, core.hj = h1, h2, hj
    return Worlds(core, unseen, 0, room)


def weighed(choice: Choice, number: int, *, whole: bool) -> Worlds:
    """Return worlds by the odds of single cards, or by sampled whole hands."""
    view, worlds = choice.state.view(choice.state.actor), choice.seat.worlds()
    if whole:
        hands = HandBelief(view, lambda: halving.opponent_policies(view.rules, view.players))
        hands.weigh(worlds, choice.seat, choice.seed, number)
    else:
        told, doubts = beliefs(view, choice.seat)
        worlds.set_weights([[row[card] // 4 for row in told] + [0] for card in choice.seat.unseen], 15)
        worlds.set_ready_meld_penalties([doubt // 4 for doubt in doubts])
    return worlds


def ways(choice: Choice, number: int) -> Iterator[tuple[str, Worlds]]:
    """Yield ways to draw worlds, from knowing nothing to knowing all hands."""
    players, me = choice.state.players, choice.state.actor
    yield "drawn evenly", choice.seat.worlds()
    yield "by single cards' odds", weighed(choice, number, whole=False)
    yield "by whole hands", weighed(choice, number, whole=True)
    if choice.state.rules.sides == 2:
        yield "knowing the partner's hand", knowing(choice, [(me + 2) % players])
        yield "knowing the opponents' hands", knowing(choice, range((me + 1) % 2, players, 2))
    elif players > 2:
        yield "knowing the next player's hand", knowing(choice, [(me + 1) % players])
    yield "knowing all hands", knowing(choice, range(players))


def choices(given: argparse.Namespace) -> Iterator[Choice]:
    """Yield some of `club`'s choices in deals against this bot."""
    rules, players = ruleset(given.profile), given.players
    mind, other = policy(rules, players), bots.get(given.bot)
    for number in range(given.deals):
        rng = Rng(given.seed).spawn(number)
        state, own = deal(rules, players, rng.next64(), number % players), rng.below(players)
        while not state.is_over:
            actor, view = state.actor, state.view(state.actor)
            if actor != own and not (rules.sides == 2 and (actor ^ own) & 1 == 0):
                state.apply_int(code_of(other.choose(view, rng)))
                continue
            chosen = mind.choice(state.core)
            if len(view.legal) > 1 and not view.restocked and rng.random() < given.share:
                seat = known_deal(view)
                codes = halving.candidates(seat.core, view.legal, chosen)[:64]
                yield Choice(state.copy(), seat, codes, rng.next64(), number)
            state.apply_int(chosen)


def mean(gains: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return the mean gain of a choice and half its 95 % interval, clustered by deal."""
    by_deal: dict[int, list[float]] = {}
    for number, gain in gains:
        by_deal.setdefault(number, []).append(gain)
    middle = sum(gain for _, gain in gains) / len(gains)
    spread = sum((sum(some) - middle * len(some)) ** 2 for some in by_deal.values())
    return middle, 1.96 * math.sqrt(spread) / len(gains)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bot", help="who plays against club")
    parser.add_argument("--profile", default="partnership-500-rum")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--share", type=float, default=0.3, help="share of the choices looked at")
    parser.add_argument("--worlds", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    gains: dict[str, list[tuple[int, float]]] = {}
    for choice in choices(given):
        worth = choice.worth()
        for name, worlds in ways(choice, given.worlds):
            index = choice.search(worlds, given.worlds)
            gains.setdefault(name, []).append((choice.deal, worth[index]))
    whole, _ = mean(gains["knowing all hands"])
    number = len(gains["drawn evenly"])
    print(f"{given.profile}, {given.players} players, against {given.bot}: {number} choices\n")
    print("| worlds | points a choice more than club's | share |\n|---|---|---|")
    for name, some in gains.items():
        middle, half = mean(some)
        print(f"| {name} | {middle:+.2f} ± {half:.2f} | {100 * middle / whole:.0f} % |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
