"""Measure the time of bots: each level's, that of beliefs, and the search compared with `club` alone.

The figures are processor time of one thread, at the choices of deals that a level plays against itself with
its default number of worlds. All choices of a turn count together: to draw or take, to lay, to discard. The
search's share is the time for drawing worlds, copying deals and adding up, compared with the rollouts
themselves. The kit's share is the worlds of `view.worlds` in which `rollouts` plays all candidates in a
second, compared with those of `strong` itself. `--kit` measures only this.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rum500 import Action, State, ai, bots, deal, encode, ruleset
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import Search, SearchWorker
from rum500.bots import halving
from rum500.rng import Rng
from rum500.rules.engine.core import Core, Moves
from rum500.search import rollouts
from rum500.view import Phase, View

LEVELS = ("greedy", "club", "strong:worlds=512", "expert:worlds=2048")
TABLES = (("500-rum", 2), ("partnership-500-rum", 4), ("persian-rummy", 4), ("500-rum", 6))
WORLDS = 64
GUESSES = 512


def processor_ms(work: Callable[[], object]) -> float:
    """Return milliseconds of this thread's processor time."""
    began = time.thread_time()
    work()
    return 1000 * (time.thread_time() - began)


def played(name: str, profile: str, players: int, deals: int) -> tuple[list[float], int]:
    """Return milliseconds of each real choice, and the number of turns, in a level's deals against itself."""
    level, _, worlds = name.partition(":worlds=")
    bot = bots.get(level, worlds=int(worlds)) if worlds else bots.get(level)
    times: list[float] = []
    turns = 0
    for number in range(deals):
        state, chance = deal(ruleset(profile), players, seed=number), Rng(number)
        while not state.is_over:
            view, chosen = state.view(state.actor), list[int]()
            took = processor_ms(lambda: chosen.append(_number(bot.choose(view, chance), view)))  # noqa: B023
            if len(view.legal) > 1:
                times.append(took)
            turns += view.phase is Phase.DRAW
            state.apply_int(chosen[0])
    return times, turns


def _number(choice: Action | int, view: View) -> int:
    code = choice if isinstance(choice, int) else encode(choice)
    assert code in view.legal
    return code


def beliefs_and_guesses(state: State) -> tuple[float, float]:
    """Return milliseconds of beliefs about single cards, and of a full number of sampled hands."""
    view, seat = state.view(state.actor), ai.known_deal(state.view(state.actor))
    worlds = seat.worlds()
    hands = ai.HandBelief(view, lambda: halving.opponent_policies(view.rules, view.players))
    single = processor_ms(lambda: ai.beliefs(view, seat))
    return single, processor_ms(lambda: hands.weigh(worlds, seat, 1, GUESSES)) - single


def searched(state: State) -> tuple[int, float, float]:
    """Return the number of rollouts of a search, its milliseconds, and `club`'s time for as many rollouts."""
    view, moves, twin = state.view(state.actor), Moves(), Core()
    known, mind = ai.known_deal(view), policy(view.rules, view.players)
    task = Search(known.worlds(), state.actor, list(view.legal))
    worker, seats = SearchWorker(task, mind), SeatPolicies([mind])
    searching = processor_ms(lambda: worker.run(1, 0, WORLDS))
    worlds = [known.worlds().world(seed) for seed in range(8)]

    def alone() -> None:
        for world in worlds:
            twin.copy_from(world)
            seats.playout(twin, moves)

    return WORLDS * task.n, searching, processor_ms(alone) * WORLDS * task.n / len(worlds)


def kit(state: State) -> tuple[float, float]:
    """Return milliseconds of `strong`, and of the kit in Python, for all candidates in as many worlds."""
    view = state.view(state.actor)
    plays, codes = view.candidates(), [encode(play) for play in view.candidates()]
    task = Search(ai.known_deal(view).worlds(), state.actor, codes)
    worker = halving.worker(task, view.rules, view.players)

    def searched_in_python() -> None:
        worlds = view.worlds(Rng(1), WORLDS)
        for play in plays:
            sum(result[state.actor] for result in rollouts(worlds, "club", after=play, kind="margin"))

    return processor_ms(lambda: worker.run(1, 0, WORLDS)), processor_ms(searched_in_python)


def print_kit(deals: int) -> None:
    """Measure the search kit at the choices of deals that `club` plays against itself."""
    own = kits = 0.0
    for number in range(deals):
        state = deal(ruleset("500-rum"), 2, seed=number)
        while not state.is_over:
            if len(state.legal_ints()) > 1:
                one, other = kit(state)
                own, kits = own + one, kits + other
            state.apply(bots.get("club").choose(state.view(state.actor)))
    print(f"The kit in Python plays {own / kits:.2f} of strong's own worlds a second.")


def main() -> None:
    """Measure all levels and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("deals", nargs="?", type=int, default=3, help="deals of each level and game (3)")
    parser.add_argument("--kit", action="store_true", help="measure only the kit's share")
    given = parser.parse_args()
    deals = given.deals
    print_kit(deals)
    if given.kit:
        return
    print(f"| {platform.machine()}, processor time in ms | a choice | a turn | the longest choice |")
    print("|---|---|---|---|")
    for profile, players in TABLES:
        for name in LEVELS:
            times, turns = played(name, profile, players, deals)
            mean, turn = sum(times) / len(times), sum(times) / turns
            print(f"| {profile}, {players} players: `{name}` | {mean:.2f} | {turn:.2f} | {max(times):.1f} |")
    singles, guesses, found = list[float](), list[float](), list[tuple[int, float, float]]()
    chance, club = Rng(1), bots.get("club")
    for number in range(deals):
        state = deal(ruleset("500-rum"), 2, seed=number)
        while not state.is_over:
            if len(state.legal_ints()) > 1:
                single, guessed = beliefs_and_guesses(state)
                singles.append(single)
                guesses.append(guessed)
                found.append(searched(state))
            state.apply(club.choose(state.view(state.actor), chance))
    tried, searching, alone = (sum(part) for part in zip(*found, strict=True))
    print()
    print(
        f"Two players: beliefs about single cards {sum(singles) / len(singles):.2f} ms a choice, "
        f"{GUESSES} guesses at hands {sum(guesses) / len(guesses):.1f} ms; the search plays out "
        f"{1000 * tried / searching:,.0f} deals a second, {alone / searching:.2f} of what club alone would."
    )


if __name__ == "__main__":
    main()
