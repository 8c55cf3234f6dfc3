"""Sequential halving: after each round of a search the weaker half of the candidates is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

from rum500.ai.heuristic_levels import class_of, policy, weights
from rum500.ai.policy import Policy
from rum500.ai.search import Search, SearchWorker
from rum500.rules.action_codes import joker_count, lays_cards
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset

MOST_PLAYS = 24
"""The largest number of melds and lay-offs that are tried; wild jokers can allow thousands."""
MOST_CANDIDATES = 64
"""The largest number of candidates of a search."""
ALWAYS = 1_000
"""More cards than any hand can have: a policy with this `lays_at` always lays what it can."""
_FIRST_ROUND = 32
_SURE = 512
"""With fewer worlds than this, a lead counts only if it is twice its standard error."""


def candidates(core: Core, codes: Sequence[int], choice: int) -> list[int]:
    """Return the actions to try: `choice`, up to `MOST_PLAYS` of the melds and lay-offs, then all others.

    Melds and lay-offs with few jokers are preferred, then those with many points.
    """
    plays = [code for code in codes if lays_cards(code) and code != choice]
    if len(plays) > MOST_PLAYS:
        plays = sorted(plays, key=lambda code: (joker_count(code), -core.points(code), code))[:MOST_PLAYS]
    return [choice, *plays, *(code for code in codes if not lays_cards(code) and code != choice)]


def worker(task: Search, rules: Ruleset, players: int, *, lays: bool = False) -> SearchWorker:
    """Return a search worker, with which one thread plays out deals for `task`.

    In every second world the opponents play like `club`, in the others they lay all they can, because a plan
    must also work against players who differ from the bot. The searching seat plays on like `club`; with
    `lays`, like a `club` that lays all it can.
    """
    own = Policy(weights(class_of(rules, players)), lays_at=ALWAYS) if lays else None
    return SearchWorker(task, *opponent_policies(rules, players), own)


def opponent_policies(rules: Ruleset, players: int) -> tuple[Policy, Policy]:
    """Return the two policies of opponents: one plays like `club`, the other lays all it can."""
    return policy(rules, players), Policy([])


def gate(worlds: int) -> int:
    """Return by how many quarters of its standard error a lead has to exceed 0 in a search of this size."""
    return 2 if worlds >= _SURE else 8


def search(task: Search, workers: Sequence[SearchWorker], seed: int, worlds: int, gate: int) -> int:
    """Search in up to `worlds` worlds and return the index of the candidate to choose.

    The search ends early if it is stopped. Another candidate is preferred to the first only if its lead
    exceeds `gate` quarters of the lead's standard error.
    """
    done = 0
    for end in _rounds(worlds):
        share(workers, seed, done, end)
        for worker in workers:
            task.add(worker)
        if task.stopped or end == worlds:
            break
        done = end
        left = _ranked(task)
        task.keep(left[: max(2, (len(left) + 1) // 2)])
    return _chosen(task, gate)


def _rounds(worlds: int) -> list[int]:
    """Return the total number of worlds at the end of each round, which doubles up to `worlds`."""
    ends = [worlds]
    while ends[0] >= 2 * _FIRST_ROUND:
        ends.insert(0, ends[0] // 2)
    return ends


def share(workers: Sequence[SearchWorker], seed: int, first: int, end: int, every: int = 1) -> None:
    """Play the worlds `first`, `first + every`, ... before `end`, divided among the workers."""
    step = every * len(workers)
    if len(workers) == 1:
        workers[0].run(seed, first, end, step)
        return
    threads = [
        Thread(target=worker.run, args=(seed, first + i * every, end, step))
        for i, worker in enumerate(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _ranked(task: Search) -> list[int]:
    return sorted(task.in_running(), key=lambda i: (-task.statistics(i)[0], i))


def _chosen(task: Search, gate: int) -> int:
    """Return the index of the best candidate if its lead over the first is large enough, else 0."""
    best = _ranked(task)[0]
    _, _, lead, square = task.statistics(best)
    if best == 0 or lead <= 0:
        return 0
    # Test lead > gate/4 standard errors with integers: the variance of the sum is spread / done.
    spread = max(0, task.done * square - lead * lead)
    return best if 16 * lead * lead * task.done > gate * gate * spread else 0
