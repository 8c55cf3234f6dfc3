"""Measure the search: time a decision, and deals played out a second beside `club` playing deals out alone.

    python bench/search.py [DEALS]

Processor time of one thread, at each decision of deals that `strong` plays against itself. The ratio says
what drawing worlds, copying deals and adding up cost beside the playing out itself.
"""

from __future__ import annotations

import platform
import sys
import time

import rum500
from rum500 import belief
from rum500.bots.search import strong
from rum500.bots.weights import policy
from rum500.rng import Rng
from rum500.rules.engine.core import Core, Moves
from rum500.rules.engine.search import Search, Worker

WORLDS = 64


def main() -> None:
    """Play, measure, print one line."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rules, bot, moves, twin = rum500.ruleset("500-rum"), strong(worlds=512), Moves(), Core()
    decisions = tried = 0
    deciding = searching = alone = 0.0
    for number in range(deals):
        state, chance = rum500.deal(rules, 2, seed=number), Rng(number)
        while not state.is_over:
            view = state.view(state.actor)
            if len(view.legal) > 1:
                known, mind = belief.seat_core(view), policy(rules, 2)
                task = Search(known.worlds(), state.actor, view.legal)
                worker = Worker(task, mind)
                began = time.thread_time()
                worker.run(number, 0, WORLDS)
                searching += time.thread_time() - began
                worlds = [known.worlds().world(seed) for seed in range(8)]
                began = time.thread_time()
                for world in worlds:
                    twin.copy_from(world)
                    mind.playout(twin, moves)
                alone += (time.thread_time() - began) * WORLDS * task.n / len(worlds)
                tried += WORLDS * task.n
            began = time.thread_time()
            code = bot.choose(view, chance)
            deciding += time.thread_time() - began
            decisions += len(view.legal) > 1
            state.apply_int(code)
    rate, share = tried / searching, alone / searching
    print(f"{platform.machine()}: {1000 * deciding / decisions:.1f} ms a decision with 512 worlds,", end=" ")
    print(f"{rate:,.0f} deals played out a second, {share:.2f} of what club alone plays out")


if __name__ == "__main__":
    main()
