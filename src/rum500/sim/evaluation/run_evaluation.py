"""Runs the evaluation of a bot: contests of the arena, toy games, and the time of choices."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from hashlib import blake2b
from importlib.metadata import version
from statistics import median, quantiles

from rum500 import bots
from rum500.bots import Bot, choice_of
from rum500.bots.search_bot import SearchBot
from rum500.external_bots import BotFailed, EngineError, is_level
from rum500.external_bots.engine_client import ENGINE
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.profiles import ruleset
from rum500.sim.arena.clusters import Plan
from rum500.sim.arena.run_arena import check, play
from rum500.sim.arena.score_and_verdict import PairScore, Tally
from rum500.sim.deals import SimulationError, deal_seed, play_deal, seat_bot
from rum500.sim.evaluation.evaluation_file import (
    ChoiceTimes,
    ContestResult,
    Evaluation,
    Figure,
    MeanResult,
    Results,
    digest_of,
    figure,
    mean_of_contests,
    toy_result,
)
from rum500.sim.evaluation.game_tree import exploitability
from rum500.sim.evaluation.protocol import FULL, MEASURE, SEED, Protocol
from rum500.sim.evaluation.supervised_bot import USUAL, Limits, SupervisedBot
from rum500.sim.evaluation.toy_games import TOYS, by_view, grow, of_bot, uniform
from rum500.sim.executors import local_executor
from rum500.sim.jobs import little_endian
from rum500.sim.results import Notes
from rum500.sim.run_file import RunFile, RunHead
from rum500.state import deal
from rum500.view import View

COMMAND = "evaluate"


def evaluate(
    bot: str,
    protocol: Protocol = FULL,
    *,
    name: str = "",
    limits: Limits = USUAL,
    workers: int = 1,
    progress: Callable[[Tally], None] | None = None,
) -> Evaluation:
    """Evaluate a bot, named as in any command, by a protocol.

    `name` replaces the bot's name in the result. The result is the same for any number of workers, except
    for times. `progress` gets the tally of a contest after each batch.

    Raises `SimulationError` with a one-line message if there is no such bot, or if it raises an error, plays
    illegally, hangs, leaks memory or ends its process.
    """
    entrant = bot.strip() if is_level(bot) else SupervisedBot(bot.strip(), limits)
    named = name or bot.strip()
    by_the_clock = _has_clock(seat_bot(bot))
    own, others = protocol.plans(entrant), protocol.opponent_plans
    for plan in (*own, *others):
        check(plan, workers)
    try:
        with local_executor(workers) as pool:
            asked = pool.submit(choice_times, entrant, protocol)
            seeds = protocol.toy_seeds
            toys = [pool.submit(toy_exploitability, entrant, toy, seeds) for toy in protocol.toys]
            times, exploited = asked.result(), [toy.result() for toy in toys]
            tallies, seconds = _played([*own, *others], pool, workers, progress)
    except SimulationError as error:
        raise SimulationError(_with_bot(bot.strip(), str(error))) from error.__cause__
    results = _results(protocol, tallies[: len(own)], exploited)
    opponents = _checksum(tallies[len(own) :])
    return Evaluation(
        format="rum500 evaluation",
        protocol=protocol.name,
        opponents=opponents,
        bot=named,
        digest=digest_of(protocol.name, opponents, results),
        results=results,
        by_the_clock=by_the_clock,
        times=times,
        seconds=round(seconds, 1),
        version=version("rum500"),
        sources={named if key == bot.strip() else key: held for key, held in own[0].sources([bot]).items()},
    )


def choice_times(entrant: str | SupervisedBot, protocol: Protocol) -> ChoiceTimes:
    """Measure the time of a bot's choices in some deals of each game, every second seat its own.

    The other seats are those of a level. Views with only one legal action are not counted. Raises
    `SimulationError` if the bot fails.
    """
    timed = _TimedBot(_as_bot(entrant))
    other = bots.get(MEASURE)
    for game in protocol.games:
        rules = ruleset(game.profile)
        for number in range(protocol.timed_deals):
            seed = deal_seed(SEED, number)
            seats = [(timed, other)[(seat + number) % 2] for seat in range(game.players)]
            play_deal(deal(rules, game.players, seed, number % game.players), seats, seed)
    spent = [1000 * seconds for seconds in timed.seconds]
    high = quantiles(spent, n=20)[-1]
    return ChoiceTimes(len(spent), round(median(spent), 3), round(high, 3), round(max(spent), 3))


def toy_exploitability(entrant: str | SupervisedBot, toy: str, seeds: int) -> float:
    """Return what a best response to a bot gains in a toy game. Raises `SimulationError` if the bot fails.

    The bot's policy is the mixture of its choices with this number of seeds, for `random` the exact one.
    """
    grown = grow(TOYS[toy])
    chances = uniform if entrant == "random" else of_bot(_as_bot(entrant), seeds)
    try:
        return exploitability(grown.tree, by_view(grown, chances))
    except (BotFailed, EngineError) as failed:
        raise SimulationError(f"{failed} (toy game {toy})") from failed.__cause__


class _TimedBot:
    """A bot that records the seconds of each choice."""

    def __init__(self, bot: Bot) -> None:
        self.name = bot.name
        self.seconds: list[float] = []
        self._bot = bot

    def choose(self, view: View, rng: Rng) -> int:
        start = time.perf_counter()
        code = code_of(choice_of(self._bot, view, rng))
        if len(view.legal) > 1:
            self.seconds.append(time.perf_counter() - start)
        return code


def _as_bot(entrant: str | SupervisedBot) -> Bot:
    return seat_bot(entrant) if isinstance(entrant, str) else entrant


def _with_bot(bot: str, message: str) -> str:
    """Return a message that begins with the bot, and says what to do."""
    begins = message.startswith(bot.removeprefix(ENGINE))
    return f"{'' if begins else f'{bot}: '}{message}; rum500 bot test {shlex.quote(bot)} shows more"


def _has_clock(bot: Bot) -> bool:
    return isinstance(bot, SearchBot) and bot.seconds > 0


def _played(
    plans: Sequence[Plan], pool: Executor, workers: int, progress: Callable[[Tally], None] | None
) -> tuple[list[Tally], float]:
    """Play the only contest of each plan; return their tallies, and the seconds of all workers."""
    head = RunHead(COMMAND, plans, Notes({}))
    with RunFile(None, head) as kept:
        tallies, seconds = play(head, kept, workers=workers, executor=pool, progress=progress)
    return [tally for (tally,) in tallies], seconds


def _results(protocol: Protocol, tallies: Sequence[Tally], exploited: Sequence[float]) -> Results:
    places = [(game, opponent) for game in protocol.games for opponent in protocol.opponents]
    scores = {place: tally.score() for place, tally in zip(places, tallies, strict=True)}

    def mean(of: Sequence[PairScore]) -> Figure:
        return figure(mean_of_contests([score.points for score in of], [score.pairs for score in of]))

    return Results(
        mean=mean(list(scores.values())),
        games=[
            MeanResult(game.name, mean([scores[game, opponent] for opponent in protocol.opponents]))
            for game in protocol.games
        ],
        opponents=[
            MeanResult(opponent, mean([scores[game, opponent] for game in protocol.games]))
            for opponent in protocol.opponents
        ],
        contests=[
            ContestResult(
                game.name, opponent, score.pairs, score.deals, figure(score.points), _checksum([tally])
            )
            for ((game, opponent), score), tally in zip(scores.items(), tallies, strict=True)
        ],
        toys=[toy_result(toy, gain) for toy, gain in zip(protocol.toys, exploited, strict=True)],
    )


def _checksum(tallies: Sequence[Tally]) -> str:
    """Return a digest of the rows of these tallies."""
    held = blake2b(digest_size=8)
    for tally in tallies:
        held.update(little_endian(tally.rows))
    return held.hexdigest()
