"""What a worker does: play a stretch of deals, each from a seed of its own."""

from __future__ import annotations

import os
import signal
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from rum500.bots import Bot
from rum500.bots.simple.random import Random
from rum500.rng import Rng
from rum500.rules.actions import encode
from rum500.rules.engine.core import Moves
from rum500.rules.ruleset import Ruleset
from rum500.state import State, deal

LEAD = 3
"""Numbers in a row before the points by seat: actions, reason, seat that went out or -1."""
_CHOICES = 0x5DEECE66D1CE4E5B
"""Sets the stream of random choices apart from that of the shuffles."""


@dataclass(frozen=True, slots=True)
class Job:
    """What all deals of a simulation have in common; `bots` by seat."""

    rules: Ruleset
    players: int
    seed: int
    bots: tuple[Bot, ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Deals that were played: `rows` holds LEAD + players numbers a deal; `seconds` is playing alone."""

    first: int
    rows: array[int]
    seconds: float
    worker: int


def deal_seed(seed: int, index: int) -> int:
    """The seed of a simulation's deal number `index`: `rum500.deal(rules, players, seed=…)` deals it."""
    return Rng(seed).spawn(index).next64()


def play_stretch(job: Job, first: int, count: int) -> Stretch:
    """Play deals `first` to `first + count - 1`; deal number i is dealt by seat i modulo players."""
    seeds = [deal_seed(job.seed, index) for index in range(first, first + count)]
    rows = array("i")
    play = _play_at_random if all(type(bot) is Random for bot in job.bots) else _play_bots
    start = time.perf_counter()
    play(job, first, seeds, rows)
    return Stretch(first, rows, time.perf_counter() - start, os.getpid())


def _play_at_random(job: Job, first: int, seeds: Sequence[int], rows: array[int]) -> None:
    """Random bots alone: the core plays them itself, without a view for each choice."""
    core = deal(job.rules, job.players).core
    moves = Moves()
    seats = range(job.players)
    for index, seed in enumerate(seeds, first):
        core.shuffle(seed)
        core.start(index % job.players)
        actions = core.playout(moves, seed ^ _CHOICES)
        rows.extend((actions, core.reason, core.out, *[core.score(seat) for seat in seats]))


def _play_bots(job: Job, first: int, seeds: Sequence[int], rows: array[int]) -> None:
    for index, seed in enumerate(seeds, first):
        state = deal(job.rules, job.players, seed, index % job.players)
        actions = _play_deal(state, job.bots, seed)
        core = state.core
        rows.extend((actions, core.reason, core.out, *state.scores()))


def _play_deal(state: State, bots: Sequence[Bot], seed: int) -> int:
    """Let bots play a deal to its end, each with a generator of its own; the number of actions."""
    chances = [Rng(seed).spawn(seat) for seat in range(state.players)]
    actions = 0
    while not state.is_over:
        seat = state.actor
        view = state.view(seat)
        choice = bots[seat].choose(view, chances[seat])
        code = choice if isinstance(choice, int) else encode(choice)
        if code not in view.legal:
            state.apply(choice)  # raises, with the reason
        state.apply_int(code)
        actions += 1
    return actions


_JOB: list[Job] = []
"""The job of this worker process."""


def begin_worker(job: Job) -> None:
    """Keep the job; Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _JOB[:] = [job]


def work(stretch: tuple[int, int]) -> Stretch:
    """Play a stretch of the worker's job."""
    return play_stretch(_JOB[0], *stretch)
