"""How a search spends its worlds: in rounds, after each of which the weaker half of the candidates leaves."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

from rum500.ai.policy import Policy
from rum500.ai.search import Search, SearchWorker
from rum500.ai.weights import policy
from rum500.rules.action_codes import joker_count, lays_cards
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset

MOST_PLAYS = 24
"""Of more melds and lay-offs (wild jokers make thousands) only so many are tried."""
_FIRST_ROUND = 32


def candidates(core: Core, codes: Sequence[int], choice: int) -> list[int]:
    """What to try, the policy's own choice first; of many plays those of fewest jokers, most points."""
    plays = [code for code in codes if lays_cards(code) and code != choice]
    if len(plays) > MOST_PLAYS:
        plays = sorted(plays, key=lambda code: (joker_count(code), -core.points(code), code))[:MOST_PLAYS]
    return [choice, *plays, *(code for code in codes if not lays_cards(code) and code != choice)]


def worker(task: Search, rules: Ruleset, players: int) -> SearchWorker:
    """A thread's room to play deals out in: all play as `club` does, or the others as cards come.

    The latter in every other world: others are unlike oneself, and a plan must hold against them too.
    """
    return SearchWorker(task, *opponent_policies(rules, players))


def opponent_policies(rules: Ruleset, players: int) -> tuple[Policy, Policy]:
    """The two kinds of player that are thought of: as `club` plays, and who lays cards as they come."""
    return policy(rules, players), Policy([])


def search(task: Search, workers: Sequence[SearchWorker], seed: int, worlds: int, gate: int) -> int:
    """Run a search over at most so many worlds, fewer if it is stopped; the index of the candidate to choose.

    `gate`: another candidate is preferred to the first only if its lead is more than so many quarters of
    the lead's standard error.
    """
    done = 0
    for end in _rounds(worlds):
        _share(workers, seed, done, end)
        for worker in workers:
            task.add(worker)
        if task.stopped or end == worlds:
            break
        done = end
        left = _ranked(task)
        task.keep(left[: max(2, (len(left) + 1) // 2)])
    return _chosen(task, gate)


def _rounds(worlds: int) -> list[int]:
    """How many worlds are done after each round: twice as many as before, in the end all."""
    ends = [worlds]
    while ends[0] >= 2 * _FIRST_ROUND:
        ends.insert(0, ends[0] // 2)
    return ends


def _share(workers: Sequence[SearchWorker], seed: int, first: int, end: int) -> None:
    """Let the workers do these worlds, each a part of them."""
    step = len(workers)
    if step == 1:
        workers[0].run(seed, first, end)
        return
    threads = [
        Thread(target=worker.run, args=(seed, first + i, end, step)) for i, worker in enumerate(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _ranked(task: Search) -> list[int]:
    """The candidates in the running, the best first; of equals the earlier."""
    return sorted(task.in_running(), key=lambda i: (-task.sums(i)[0], i))


def _chosen(task: Search, gate: int) -> int:
    """The best candidate if its lead on the first is large enough, else the first."""
    best = _ranked(task)[0]
    _, _, lead, square = task.sums(best)
    if best == 0 or lead <= 0:
        return 0
    # lead > gate/4 standard errors, in whole numbers: the sum's variance is spread / done.
    spread = max(0, task.done * square - lead * lead)
    return best if 16 * lead * lead * task.done > gate * gate * spread else 0
