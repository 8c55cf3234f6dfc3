"""The ladder: every level against every other in many games, and whether each beats the one below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rum500 import bots as _bots
from rum500.rules.profiles import profiles, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim.arena.clusters import Plan
from rum500.sim.arena.entrants import notes_on_all
from rum500.sim.arena.run_arena import check, play
from rum500.sim.arena.tally import PairScore, Tally, as_data
from rum500.sim.deals import SimulationError
from rum500.sim.results import Notes

SEED = 20_004
"""The seed of the ladder that is shown: no bot was tuned on its cards."""
BUDGETS = {"strong": "strong:worlds=512", "expert": "expert:worlds=4096"}
"""How the ladder asks for levels that think: in worlds, so that no machine's speed is in the numbers.

One that may think for a second has more of them than one that answers in a fiftieth.
"""
QUICK_BUDGETS = {"strong": "strong:worlds=128", "expert": "expert:worlds=1024"}
MORE_TABLES = (("500-rum", 3), ("500-rum", 6), ("500-rummy", 6))
"""Tables besides each profile with the fewest players it is for; those of six play with two packs."""


@dataclass(frozen=True, slots=True)
class ContestSize:
    """How a contest is played: in whole matches or in deals, and how many pairs of them.

    More of them between a level and the one below it: whether the better one wins is the ladder's question.
    There `with_sides` times as many where sides play, if a deal's luck outweighs what is between the two.
    """

    unit: str
    pairs: int
    next_pairs: int
    with_sides: int = 1


FULL = {
    "expert": ContestSize("deal", 50, 200, with_sides=4),
    "strong": ContestSize("deal", 100, 400),
    "greedy": ContestSize("match", 200, 4000),
    "club": ContestSize("match", 400, 4000),
}
QUICK = {
    "expert": ContestSize("deal", 4, 100, with_sides=4),
    "strong": ContestSize("deal", 12, 160),
    "greedy": ContestSize("match", 30, 1000),
    "club": ContestSize("match", 80, 1000),
}
"""By the slower of the two: each level here is slower than those after it."""


@dataclass(frozen=True, slots=True)
class LadderGame:
    """A table of the ladder."""

    rules: Ruleset
    players: int

    @property
    def name(self) -> str:
        """What the page calls it: the profile, and the players."""
        packs = " two packs," if self.rules.packs(self.players) == 2 else ""
        return f"{self.rules.name},{packs} {self.players} players"


@dataclass(frozen=True, slots=True)
class LadderStep:
    """A level against the one below it in one game."""

    upper: str
    lower: str
    score: PairScore


@dataclass(frozen=True, slots=True)
class Ladder:
    """What the ladder brought: for each game the scores of every two levels, the stronger first."""

    games: tuple[LadderGame, ...]
    levels: tuple[str, ...]
    seed: int
    quick: bool
    scores: tuple[tuple[PairScore, ...], ...]
    plans: tuple[Plan, ...]
    notes: Notes
    seconds: float

    def score(self, game: int, upper: str, lower: str) -> PairScore:
        """What a level brought against one below it."""
        return next(score for score in self.scores[game] if (score.a, score.b) == (upper, lower))

    def steps(self, game: int) -> tuple[LadderStep, ...]:
        """Each level against the one below it, from the bottom up."""
        pairs = zip(self.levels[1:], self.levels, strict=False)
        return tuple(LadderStep(upper, lower, self.score(game, upper, lower)) for upper, lower in pairs)

    def failed(self, game: int) -> tuple[LadderStep, ...]:
        """The steps of a game that are not shown with 95 % confidence."""
        return tuple(step for step in self.steps(game) if step.score.better is not True)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "seed": self.seed,
            "quick": self.quick,
            "levels": list(self.levels),
            **self.notes.as_dict(),
            "seconds": self.seconds,
            "games": [
                {
                    "profile": game.rules.name,
                    "players": game.players,
                    "every_level_beats_the_one_below": not self.failed(number),
                    "contests": [as_data(score) for score in self.scores[number]],
                }
                for number, game in enumerate(self.games)
            ],
        }


def levels(quick: bool = False) -> tuple[str, ...]:
    """The levels, the weakest first, as the ladder asks for them."""
    budgets = QUICK_BUDGETS if quick else BUDGETS
    return tuple(budgets.get(level.name, level.name) for level in _bots.levels())


def games(names: Sequence[str] = ()) -> tuple[LadderGame, ...]:
    """The tables of the ladder: those named, as `profile` or `profile/players`, or all."""
    if not names:
        every = [LadderGame(rules, rules.players[0]) for rules in profiles().values()]
        return (*every, *(LadderGame(ruleset(name), players) for name, players in MORE_TABLES))
    found = []
    for words in names:
        name, _, players = words.partition("/")
        rules = ruleset(name)
        if players and not players.isdecimal():
            raise SimulationError(f"{words}: write the profile, or profile/players")
        found.append(LadderGame(rules, int(players) if players else rules.players[0]))
        rules.check_players(found[-1].players)
    return tuple(found)


def plans(
    tables: Sequence[LadderGame], asked: Sequence[str], seed: int, quick: bool, pairs: int | None
) -> tuple[Plan, ...]:
    """A plan for every two levels at every table, the stronger level first."""
    made = []
    for table in tables:
        for below, lower in enumerate(asked):
            for above, upper in enumerate(asked[below + 1 :]):
                size = _size((upper, lower), quick)
                usual = size.pairs
                if not above:
                    usual = size.next_pairs * (size.with_sides if table.rules.sides else 1)
                usual *= table.rules.packs(table.players)  # with more players the differences are smaller
                number = usual if pairs is None else pairs
                made.append(Plan(table.rules, table.players, (upper, lower), number, seed, size.unit))
    return tuple(made)


def _size(two: Sequence[str], quick: bool) -> ContestSize:
    sizes = QUICK if quick else FULL
    names = {bot.split(":")[0] for bot in two}
    if names <= {"casual", "club"}:
        return sizes["club"]
    return next((size for name, size in sizes.items() if name in names), sizes["greedy"])


def ladder(
    tables: Sequence[LadderGame] | None = None,
    asked: Sequence[str] | None = None,
    *,
    seed: int = SEED,
    quick: bool = False,
    pairs: int | None = None,
    workers: int = 1,
    run: Path | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> Ladder:
    """Play every level against every other at every table.

    `asked` are the levels, the weakest first; `pairs` takes the place of the usual number of each contest.
    The folder of `run` is made. Errors as of `arena`, before the first deal.
    """
    tables = games() if tables is None else tuple(tables)
    asked = levels(quick) if asked is None else tuple(asked)
    made = plans(tables, asked, seed, quick, pairs)
    if not made:
        raise SimulationError("a ladder takes two levels or more")
    if len(set(asked)) < len(asked):
        raise SimulationError("a level is named twice")
    for plan in made:
        check(plan, workers)
    notes = notes_on_all(asked)
    if run is not None:
        run.parent.mkdir(parents=True, exist_ok=True)
    tallies, seconds = play(made, workers=workers, run=run, progress=progress)
    scores = [tally.score() for (tally,) in tallies]
    each = len(made) // len(tables)
    by_game = tuple(tuple(scores[game * each : (game + 1) * each]) for game in range(len(tables)))
    return Ladder(tuple(tables), tuple(asked), seed, quick, by_game, made, notes, seconds)
