"""The bots that search: the same search with more or less to spend."""

from __future__ import annotations

from threading import Timer

from rum500.ai import HandBelief, known_deal
from rum500.ai.search import Search
from rum500.ai.weights import policy
from rum500.bots import halving
from rum500.bots._endings import solved_from, winning_play
from rum500.bots.match_value import set_match_value
from rum500.rng import Rng
from rum500.view import View

MOST_WORLDS = 65_536
"""What a search with a time limit alone stops at."""
MOST_THREADS = 64
"""More would only wait for each other."""
GUESSING = 0.3
"""The share of a limit in seconds after which no more hands are guessed at."""
_SURE = 512
"""With fewer worlds than this a lead must be twice its standard error to count."""


class SearchBot:
    """A bot that plays every choice out in deals that agree with its view, and takes the one that pays best.

    `worlds` is how many deals it tries at most, `seconds` how long one choice may take, 0 for as long as it
    takes; both may be set between choices. Without a limit in seconds a choice depends on the view and the
    generator alone. `threads` share the work; they change nothing else. With `inference` some deals are
    likelier than others, by what the others took, left and threw.
    """

    def __init__(
        self, name: str, worlds: int, seconds: float = 0.0, threads: int = 1, *, inference: bool = False
    ) -> None:
        """Set the budget; `ValueError` for one that allows no search."""
        if worlds < 1 or worlds != int(worlds) or seconds < 0:
            raise ValueError(f"a search needs worlds, 1 or more, not {worlds} in {seconds} s")
        if threads != int(threads) or not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"a search has 1 to {MOST_THREADS} threads, not {threads}")
        self.name = name
        self.worlds = worlds
        self.seconds = seconds
        self.threads = int(threads)
        self.inference = inference
        self._stopped = False
        self._tasks: list[Search | HandBelief] = []

    def choose(self, view: View, rng: Rng) -> int:
        """The choice that pays best on average; the policy's own where the difference is in doubt."""
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
        if self._stopped:  # before there was anything to stop
            self.stop()
        alarms = [Timer(self.seconds, task.stop)] if self.seconds else []
        if hands and self.seconds:
            alarms.append(Timer(GUESSING * self.seconds, hands.stop))
        for alarm in alarms:
            alarm.start()
        try:
            if hands:
                hands.weigh(worlds, seat, seed, self.worlds)
            workers = [halving.worker(task, rules, players) for _ in range(self.threads)]
            set_match_value(task, view)
            return codes[halving.search(task, workers, seed, self.worlds, 2 if self.worlds >= _SURE else 8)]
        finally:
            self._tasks = []
            for alarm in alarms:
                alarm.cancel()

    def stop(self) -> None:
        """End the choice in the making, with the best found so far; from any thread, at any moment.

        Without one nothing happens: one that is still to begin is stopped by `bots.Choice`.
        """
        self._stopped = True
        for task in self._tasks:
            task.stop()


def strong(worlds: int | None = None, seconds: float | None = None, threads: int = 1) -> SearchBot:
    """Search over 512 deals that agree with the view; a limit in seconds, if any, holds for one choice."""
    return _made("strong", worlds, seconds, threads, usual=512, limit=0.25, inference=False)


def expert(worlds: int | None = None, seconds: float | None = None, threads: int = 1) -> SearchBot:
    """The same over more deals, likelier ones more often."""
    return _made("expert", worlds, seconds, threads, usual=2048, limit=1.0, inference=True)


def _made(
    name: str,
    worlds: int | None,
    seconds: float | None,
    threads: int,
    *,
    usual: int,
    limit: float,
    inference: bool,
) -> SearchBot:
    """A level with a budget in worlds, in seconds, in both, or its usual one, which has a limit far off.

    With no seconds at all, 0, it is the usual worlds alone.
    """
    if worlds is None:
        worlds, seconds = (MOST_WORLDS, seconds) if seconds else (usual, limit if seconds is None else 0.0)
    return SearchBot(name, worlds, seconds or 0.0, threads, inference=inference)
