"""The bots that search, with different budgets."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Timer

from rum500.ai import HandBelief, known_deal
from rum500.ai.heuristic_levels import policy
from rum500.ai.search import Search
from rum500.bots import halving
from rum500.bots.endings import solved_from, winning_play
from rum500.bots.match_value import set_match_value
from rum500.bots.protocol import FastBot
from rum500.rng import Rng
from rum500.values import whole_number
from rum500.view import View

MOST_WORLDS = 65_536
"""The number of worlds at which a search with only a time limit ends."""
MOST_WORLDS_ASKED = 1 << 40
"""The largest budget of worlds that a caller may set."""
MOST_SECONDS = 86_400
"""The largest time limit of a choice, in seconds."""
MOST_THREADS = 64
"""The largest number of threads; more would only wait for each other."""
GUESSING = 0.3
"""The share of the time limit that sampling of hands may use."""
MORE = 4
"""The factor by which the default number of worlds is larger with more than two players."""


class SearchBot(FastBot):
    """A bot that plays out every choice in deals that agree with its view, and takes the best choice.

    `worlds` is the largest number of deals to try. `seconds` is the time limit of one choice, 0 for none.
    Both may be changed between choices. Without a time limit, a choice depends only on the view and the
    generator. `threads` share the work without changing the result. With `inference`, deals are weighted by
    what the others took, left and discarded. With more than two players there are `more` times as many
    worlds, until the attribute `worlds` is set.
    """

    def __init__(
        self,
        name: str,
        worlds: int,
        seconds: float = 0.0,
        threads: int = 1,
        *,
        inference: bool = False,
        more: int = 1,
    ) -> None:
        """Set the budget.

        Raises `ValueError` if the budget allows no search, and `TypeError` for numbers of a wrong type.
        """
        self.name = name
        self.worlds = whole_number("the number of worlds", worlds, 1, MOST_WORLDS_ASKED)
        self._more = more
        if not 0 <= seconds <= MOST_SECONDS:
            raise ValueError(f"the seconds of a choice are 0 to {MOST_SECONDS:,}, not {seconds}")
        self.seconds = seconds
        self.threads = whole_number("the number of threads", threads, 1, MOST_THREADS)
        self.inference = inference
        self._stopped = False
        self._tasks: list[Search | HandBelief] = []

    @property
    def worlds(self) -> int:
        """The largest number of deals to try with two players."""
        return self._worlds

    @worlds.setter
    def worlds(self, worlds: int) -> None:
        self._worlds, self._more = worlds, 1

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the action with the best average; the policy's choice if no other is clearly better."""
        self._stopped = False
        seed = rng.next64()
        if len(view.legal) == 1:
            return view.legal[0]
        assert view.seat is not None
        seat = known_deal(view)
        if (won := winning_play(view, seat.core)) is not None:
            return won
        if exact := solved_from(view, seat):
            return max(exact, key=lambda code: exact[code])
        rules, players = view.rules, view.players
        number = self.worlds * (self._more if players > 2 else 1)
        choice = policy(rules, players).choice(seat.core)
        codes = halving.candidates(seat.core, view.legal, choice)
        worlds = seat.worlds()
        task = Search(worlds, view.seat, codes)
        hands = (
            HandBelief(view, lambda: halving.opponent_policies(rules, players), self.threads)
            if self.inference
            else None
        )
        self._tasks = [task, hands] if hands else [task]
        if self._stopped:  # stopped before the search existed
            self.stop()
        alarms = [Timer(self.seconds, task.stop)] if self.seconds else []
        if hands and self.seconds:
            alarms.append(Timer(GUESSING * self.seconds, hands.stop))
        for alarm in alarms:
            alarm.start()
        try:
            if hands:
                hands.weigh(worlds, seat, seed, number)
            workers = [halving.worker(task, rules, players) for _ in range(self.threads)]
            set_match_value(task, view)
            return codes[halving.search(task, workers, seed, number, halving.gate(number))]
        finally:
            self._tasks = []
            for alarm in alarms:
                alarm.cancel()

    def stop(self) -> None:
        """End the current choice with the best action found so far. May be called from any thread.

        If no choice is running, nothing happens; see `StoppableChoice`.
        """
        self._stopped = True
        for task in self._tasks:
            task.stop()


@dataclass(frozen=True, slots=True)
class SearchLevel:
    """A level whose bots search. Calling the level makes a bot."""

    name: str
    """The level's name."""
    worlds: int
    """The default number of worlds with two players; with more players it is `MORE` times as large."""
    seconds: float
    """The default time limit of a choice, in seconds."""
    inference: bool
    """Whether worlds are weighted by what the others took, left and discarded."""

    @property
    def budget(self) -> dict[str, float]:
        """The arguments of a call, with their defaults."""
        return {"worlds": self.worlds, "seconds": self.seconds, "threads": 1}

    def __call__(
        self, worlds: int | None = None, seconds: float | None = None, threads: int = 1
    ) -> SearchBot:
        """Return the bot with this budget: a number of worlds, a time limit in seconds, or both.

        Without either, the bot has the level's own budget.

        With `seconds=0` the default number of worlds has no time limit.
        """
        more = 1
        if worlds is None and seconds:
            worlds = MOST_WORLDS
        elif worlds is None:
            worlds, more = self.worlds, MORE
            seconds = self.seconds if seconds is None else 0.0
        return SearchBot(self.name, worlds, seconds or 0.0, threads, inference=self.inference, more=more)


strong = SearchLevel("strong", worlds=512, seconds=0.25, inference=False)
expert = SearchLevel("expert", worlds=2048, seconds=1.0, inference=True)
