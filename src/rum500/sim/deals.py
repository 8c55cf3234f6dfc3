"""What a worker does: play a stretch of deals, each from a seed of its own."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rum500.ai.policy import Policy, SeatPolicies
from rum500.ai.policy_deals import club_deals
from rum500.bots import Bot, rng_for
from rum500.bots.policy_bots import Club, Random
from rum500.bots.search_bot import SearchBot
from rum500.external_bots import BotFailed, BotSpecError, EngineError, ask_bot, open_bot
from rum500.rng import Rng
from rum500.rules.engine.core import Moves
from rum500.rules.ruleset import Ruleset
from rum500.sim.results import CLOCK, HIDDEN, Note
from rum500.state import State, deal

LEAD = 3
"""Numbers in a row before the points by seat: actions, reason, seat that went out or -1."""
_CHOICES = 0x5DEECE66D1CE4E5B
"""Sets the stream of random choices apart from that of the shuffles."""


class SimulationError(ValueError):
    """A simulation that cannot be run as asked, or a bot that failed in it; the message says why."""

    code = "simulation.asked"


class FullInfoPlayer(ABC):
    """A reference for measuring alone: it is shown the deal itself, hidden cards and all.

    It is no `Bot`: it has no `choose`, no registry names it, and no table can seat it. Results say so by its
    `notes`.
    """

    name: str
    notes: tuple[Note, ...] = (HIDDEN,)

    @abstractmethod
    def choose_seeing(self, state: State, rng: Rng) -> int:
        """A legal action of the actor; the state is left as it was."""


Seated = Bot | FullInfoPlayer
"""Who can sit in a simulated deal."""
Entrant = str | Seated
"""One of them as it is asked for: in words, or the object itself."""


def entrant_name(entrant: Entrant) -> str:
    """What results call it: the words it was asked for by, or its own name."""
    return entrant.strip() if isinstance(entrant, str) else entrant.name


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """What all deals of a simulation have in common; `bots` by seat."""

    rules: Ruleset
    players: int
    seed: int
    bots: tuple[Bot, ...]


@dataclass(frozen=True, slots=True)
class DealBatch:
    """Deals that were played: `rows` holds LEAD + players numbers a deal; `seconds` is playing alone."""

    first: int
    rows: array[int]
    seconds: float
    worker: int


def deal_seed(seed: int, index: int) -> int:
    """The seed of a simulation's deal number `index`: `rum500.deal(rules, players, seed=…)` deals it."""
    return Rng(seed).spawn(index).next64()


def play_stretch(job: SimulationJob, first: int, count: int) -> DealBatch:
    """Play deals `first` to `first + count - 1`; deal number i is dealt by seat i modulo players."""
    seeds = [deal_seed(job.seed, index) for index in range(first, first + count)]
    rows = array("i")
    if all(type(bot) is Random for bot in job.bots):
        play = _play_at_random
    else:
        play = _play_policies if policies(job.bots, job.rules, job.players) else _play_bots
    start = time.perf_counter()
    play(job, first, seeds, rows)
    return DealBatch(first, rows, time.perf_counter() - start, os.getpid())


def _play_at_random(job: SimulationJob, first: int, seeds: Sequence[int], rows: array[int]) -> None:
    """Random bots alone: the core plays them itself, without a view for each choice."""
    core = deal(job.rules, job.players).core
    moves = Moves()
    seats = range(job.players)
    for index, seed in enumerate(seeds, first):
        core.shuffle(seed)
        core.start(index % job.players)
        actions = core.playout(moves, seed ^ _CHOICES)
        rows.extend((actions, core.reason, core.out, *[core.score(seat) for seat in seats]))


def seat_bot(name: str) -> Bot:
    """The bot of this name as it is measured: without a clock, if its name has none.

    `SimulationError`, in one line, for one that there is not.
    """
    try:
        return open_bot(name, clock=False)
    except BotSpecError as error:
        raise SimulationError(str(error)) from None


def notes_on(player: Seated) -> tuple[Note, ...]:
    """What results have to say of a player."""
    if isinstance(player, FullInfoPlayer):
        return player.notes
    return (CLOCK,) if isinstance(player, SearchBot) and player.seconds else ()


def policies(bots: Sequence[Seated], rules: Ruleset, players: int) -> list[Policy]:
    """What each bot decides by, if every one's choice is the core's own; else none at all."""
    if not all(isinstance(bot, Club) for bot in bots):
        return []
    return [bot.policy(rules, players) for bot in bots if isinstance(bot, Club)]


def _play_policies(job: SimulationJob, first: int, seeds: Sequence[int], rows: array[int]) -> None:
    """Bots that the core can ask by itself: it plays all deals in one go."""
    core = deal(job.rules, job.players).core
    seated = policies(job.bots, job.rules, job.players)
    rows.extend(club_deals(core, seated, job.seed, first, len(seeds)))


def _play_bots(job: SimulationJob, first: int, seeds: Sequence[int], rows: array[int]) -> None:
    for index, seed in enumerate(seeds, first):
        state = deal(job.rules, job.players, seed, index % job.players)
        actions = play_deal(state, job.bots, seed)
        core = state.core
        rows.extend((actions, core.reason, core.out, *state.scores()))


def play_deal(state: State, bots: Sequence[Seated], seed: int) -> int:
    """Let bots play a deal to its end, each with a generator of its own; the number of actions.

    `SimulationError` for a bot that fails or plays what is not legal.
    """
    asked = policies(bots, state.rules, state.players)
    if asked:
        table: Any = SeatPolicies(asked)  # type: ignore[no-untyped-call]  # compiled
        actions: int = table.playout(state.core, Moves())
        return actions
    chances = [rng_for(seed, seat) for seat in range(state.players)]
    actions = 0
    # The core's own heuristic reads no more of a deal than the view that it would otherwise be asked by.
    ways = [bot.policy(state.rules, state.players) if isinstance(bot, Club) else None for bot in bots]
    while not state.is_over:
        seat = state.actor
        bot, way = bots[seat], ways[seat]
        actions += 1
        if way is not None:
            state.apply_int(way.choice(state.core))
            continue
        try:
            if isinstance(bot, FullInfoPlayer):
                code = bot.choose_seeing(state, chances[seat])
            else:
                code = ask_bot(bot, state.view(seat), chances[seat])
        except (BotFailed, EngineError) as failed:
            where = f"{state.rules.name}, {state.players} players, dealer {state.dealer}, deal seed {seed}"
            raise SimulationError(f"{failed} ({where})") from failed.__cause__
        state.apply_int(code)
    return actions
