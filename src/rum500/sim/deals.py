"""Deals between bots or other players, each with a seed of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

from rum500.ai.policy import Policy, SeatPolicies
from rum500.bots import Bot, rng_for
from rum500.bots.policy_bots import Club
from rum500.bots.search_bot import SearchBot
from rum500.external_bots import BotFailed, BotSpecError, EngineError, ask_bot, open_bot
from rum500.rng import Rng
from rum500.rules.engine.core import Moves
from rum500.rules.ruleset import Ruleset
from rum500.sim.results import CLOCK, HIDDEN, Note
from rum500.state import State
from rum500.values import whole_number

MOST_DEALS = 2_000_000_000
"""The largest number of deals, or of pairs: the core counts them in 32 bits."""
MOST_WORKERS = 1_024
"""The largest number of worker processes, which all start at the same time."""


class SimulationError(ValueError):
    """A simulation that cannot be run, or a bot that failed in it. The message says why."""

    code = "simulation.asked"


def checked_number(what: str, number: SupportsIndex, least: int = 1, most: int = MOST_DEALS) -> int:
    """Return the value of the option `what` as an `int`. Raises `SimulationError` if it is out of range."""
    try:
        return whole_number(what, number, least, most)
    except ValueError as error:
        raise SimulationError(str(error)) from None


def checked_workers(workers: SupportsIndex) -> int:
    """Return a number of workers as an `int`. Raises `SimulationError` if it is out of range."""
    return checked_number("the number of workers", workers, most=MOST_WORKERS)


class FullInfoPlayer(ABC):
    """A reference player for measurements, which sees the deal with all hidden cards.

    It is not a `Bot`: it has no `choose`, is not in the registry, and cannot sit at a table. Its `notes` mark
    it in results.
    """

    name: str
    notes: tuple[Note, ...] = (HIDDEN,)

    @abstractmethod
    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the code of a legal action of the actor. The state must not be changed."""


Seated = Bot | FullInfoPlayer
"""A player of a simulated deal."""
Entrant = str | Seated
"""A player, or the text that names one."""


def entrant_name(entrant: Entrant) -> str:
    """Return an entrant's name in results: the entrant itself if it is a text, else the player's name."""
    return entrant.strip() if isinstance(entrant, str) else entrant.name


def deal_seed(seed: int, index: int) -> int:
    """Return the seed of deal number `index`, for `rum500.deal(rules, players, seed=…)`."""
    return Rng(seed).spawn(index).next64()


def seat_bot(name: str) -> Bot:
    """Return the bot with this name, without a time limit unless the name sets one.

    Raises `SimulationError` with a one-line message if there is no such bot.
    """
    try:
        return open_bot(name, clock=False)
    except BotSpecError as error:
        raise SimulationError(str(error)) from None


def notes_on(player: Seated) -> tuple[Note, ...]:
    """Return the notes that mark a player in results."""
    if isinstance(player, FullInfoPlayer):
        return player.notes
    return (CLOCK,) if isinstance(player, SearchBot) and player.seconds else ()


def policies(bots: Sequence[Seated], rules: Ruleset, players: int) -> list[Policy]:
    """Return each bot's policy by seat if the core can play all of these bots itself; else an empty list."""
    if not all(isinstance(bot, Club) for bot in bots):
        return []
    return [bot.policy(rules, players) for bot in bots if isinstance(bot, Club)]


def play_deal(
    state: State, bots: Sequence[Seated], seed: int, watch: Callable[[State, int], None] | None = None
) -> int:
    """Play a deal to its end, each bot with its own generator. Return the number of actions.

    `watch` is called with the state and the code of each action, before the action is applied. Raises
    `SimulationError` for a bot that fails or plays an illegal action.
    """
    asked = policies(bots, state.rules, state.players) if watch is None else []
    if asked:
        table: Any = SeatPolicies(asked)  # a compiled class, which has no type hints
        actions: int = table.playout(state.core, Moves())
        return actions
    chances = [rng_for(seed, seat) for seat in range(state.players)]
    actions = 0
    # The heuristic reads only what a view would contain, so it can play on the core without a view.
    ways = [bot.policy(state.rules, state.players) if isinstance(bot, Club) else None for bot in bots]
    while not state.is_over:
        seat = state.actor
        bot, way = bots[seat], ways[seat]
        actions += 1
        code = _asked(state, bot, chances[seat], seed) if way is None else way.choice(state.core)
        if watch is not None:
            watch(state, code)
        state.apply_int(code)
    return actions


def _asked(state: State, bot: Seated, rng: Rng, seed: int) -> int:
    try:
        if isinstance(bot, FullInfoPlayer):
            return bot.choose_with_state(state, rng)
        return ask_bot(bot, state.view(state.actor), rng)
    except (BotFailed, EngineError) as failed:
        where = f"{state.rules.name}, {state.players} players, dealer {state.dealer}, deal seed {seed}"
        raise SimulationError(f"{failed} ({where})") from failed.__cause__
