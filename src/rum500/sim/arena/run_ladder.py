"""The ladder: every level plays every other, to show that each level beats the one below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, TypedDict

from rum500 import bots as _bots
from rum500.bots.staircase import searches
from rum500.rules.profiles import profiles, ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim.arena.clusters import Plan
from rum500.sim.arena.entrants import notes_on_all
from rum500.sim.arena.run_arena import check, counted, of_all, play
from rum500.sim.arena.score_and_verdict import PairScore, Tally, as_data
from rum500.sim.deals import SimulationError
from rum500.sim.jobs import WHOLE, Shard
from rum500.sim.results import Notes
from rum500.sim.run_file import RunFile, RunHead
from rum500.sim.shards import Shards

COMMAND = "ladder"
SEED = 20_004
"""The seed of the published ladder; no bot was tuned on its cards."""
BUDGETS = {"strong": "strong:worlds=512", "expert": "expert:worlds=4096"}
"""The levels that search, with budgets in worlds, so that the machine's speed does not affect the results.

A level with a limit of one second tries more worlds than one with a fiftieth of a second.
"""
QUICK_BUDGETS = {"strong": "strong:worlds=128", "expert": "expert:worlds=1024"}
EVEN_STEP = 0.25, 0.40
"""The share of matches that a level wins against the next one on an even staircase is between these."""
STAIR_WORLDS = 512
"""The number of worlds that a numbered level tries for each choice, if it searches."""
MORE_TABLES = (("500-rum", 3), ("500-rum", 6), ("500-rummy", 6))
"""Tables besides each profile with its smallest number of players. Tables of six use two packs."""


@dataclass(frozen=True, slots=True)
class ContestSize:
    """The size of a contest."""

    unit: str
    """`match` or `deal`."""
    pairs: int
    """The number of pairs."""
    next_pairs: int
    """The number of pairs if one level is directly below the other: these contests are the ladder's steps."""
    with_sides: int = 1
    """The factor for `next_pairs` in games with sides, where chance is larger than the difference."""


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
"""The sizes of contests of the quick ladder, by the slower of the two levels; the slowest level is first."""


@dataclass(frozen=True, slots=True)
class LadderGame:
    """A game and a number of players on the ladder."""

    rules: Ruleset
    players: int

    @property
    def name(self) -> str:
        """The name on the page: the profile and the number of players."""
        packs = " two packs," if self.rules.packs(self.players) == 2 else ""
        return f"{self.rules.name},{packs} {self.players} players"


@dataclass(frozen=True, slots=True)
class LadderStep:
    """The score of a level against the one below it in one game."""

    upper: str
    lower: str
    score: PairScore


@dataclass(frozen=True, slots=True)
class Ladder:
    """The results of the ladder."""

    games: tuple[LadderGame, ...]
    """The games, each with a number of players."""
    levels: tuple[str, ...]
    """The levels, the weakest first."""
    seed: int
    """The seed."""
    quick: bool
    """Whether this is the quick ladder, with fewer pairs."""
    scores: tuple[tuple[PairScore, ...], ...]
    """Per game, the scores of every two levels, the stronger one first."""
    plans: tuple[Plan, ...]
    """The plans of all contests."""
    notes: Notes
    """The notes on players."""
    seconds: float
    """The playing time in seconds."""
    shard: Shard = WHOLE
    """The part that was played."""
    written_by: str = ""
    """The command, for the page."""

    def score(self, game: int, upper: str, lower: str) -> PairScore:
        """Return the score of a level against one below it."""
        return next(score for score in self.scores[game] if (score.a, score.b) == (upper, lower))

    def steps(self, game: int) -> tuple[LadderStep, ...]:
        """Return each level against the one below it, from the bottom up."""
        pairs = zip(self.levels[1:], self.levels, strict=False)
        return tuple(LadderStep(upper, lower, self.score(game, upper, lower)) for upper, lower in pairs)

    def failed(self, game: int) -> tuple[LadderStep, ...]:
        """Return the steps of a game whose upper level is not shown to be stronger with 95 % confidence."""
        return tuple(step for step in self.steps(game) if step.score.better is not True)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
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
    """Return the levels with their budgets, the weakest first."""
    budgets = QUICK_BUDGETS if quick else BUDGETS
    return tuple(budgets.get(level.name, level.name) for level in _bots.levels())


def games(names: Sequence[str] = ()) -> tuple[LadderGame, ...]:
    """Return the games of the ladder with these names, `profile` or `profile/players`; by default all."""
    if not names:
        every = [LadderGame(rules, rules.players[0]) for rules in profiles().values()]
        return (*every, *(LadderGame(ruleset(name), players) for name, players in MORE_TABLES))
    found = []
    for words in names:
        name, _, players = words.partition("/")
        rules = ruleset(name)
        if players and not (players.isdecimal() and len(players) < 5):
            raise SimulationError(f"{words}: write the profile, or profile/players")
        found.append(LadderGame(rules, int(players) if players else rules.players[0]))
        rules.check_players(found[-1].players)
    return tuple(found)


def plans(
    tables: Sequence[LadderGame], asked: Sequence[str], seed: int, quick: bool, pairs: int | None
) -> tuple[Plan, ...]:
    """Return a plan for every two of the levels `asked` at every table, the stronger level first."""
    made = []
    for table in tables:
        for below, lower in enumerate(asked):
            for above, upper in enumerate(asked[below + 1 :]):
                size = _size((upper, lower), quick)
                usual = size.pairs
                if not above:
                    usual = size.next_pairs * (size.with_sides if table.rules.sides else 1)
                usual *= table.rules.packs(table.players)  # differences are smaller among more players
                number = usual if pairs is None else pairs
                made.append(Plan(table.rules, table.players, (upper, lower), number, seed, size.unit))
    return tuple(made)


def _size(two: Sequence[str], quick: bool) -> ContestSize:
    sizes = QUICK if quick else FULL
    names = {bot.split(":")[0] for bot in two}
    if names <= {"casual", "club"}:
        return sizes["club"]
    return next((size for name, size in sizes.items() if name in names), sizes["greedy"])


def stairs(worlds: int = STAIR_WORLDS) -> tuple[str, ...]:
    """Return the numbered levels, the weakest first. Those that search try `worlds` worlds for a choice."""
    return tuple(f"{one.name}:worlds={worlds}" if one.budget else one.name for one in _bots.numbered_levels())


def neighbours(
    tables: Sequence[LadderGame],
    asked: Sequence[str],
    *,
    pairs: int = 200,
    search_pairs: int | None = None,
    seed: int = SEED,
    workers: int = 1,
    run: Path | None = None,
    progress: Callable[[Tally], None] | None = None,
) -> tuple[tuple[PairScore, ...], ...]:
    """Play matches of each level (`a`) against the next stronger one (`b`); return their scores by table.

    `asked` are the levels, weakest first. `search_pairs` replaces `pairs` where one of two levels searches in
    the game, as its matches take a hundred times as long. `run` is a folder with a file for each
    table, from which a stopped run continues; it is created. Raises the errors of `arena`.
    """
    if len(asked) < 2:
        raise SimulationError("a ladder takes two levels or more")
    heads = []
    for table in tables:
        made = [
            Plan(table.rules, table.players, two, neighbour_pairs(table, two, pairs, search_pairs), seed)
            for two in pairwise(asked)
        ]
        for plan in made:
            check(plan, workers)
        heads.append(RunHead(f"{COMMAND} neighbours", made, notes_on_all(asked)))
    if run is not None:
        run.mkdir(parents=True, exist_ok=True)
    found = []
    for table, head in zip(tables, heads, strict=True):
        file = None if run is None else run / f"{table.rules.name}-{table.players}.run"
        with RunFile(file, head) as kept:
            tallies, _ = play(head, kept, workers=workers, progress=progress)
        found.append(tuple(tally.score() for (tally,) in tallies))
    return tuple(found)


def neighbour_pairs(game: LadderGame, two: Sequence[str], pairs: int, search_pairs: int | None) -> int:
    """Return how many pairs two neighbours play: `search_pairs` if one of them searches in this game."""
    searching = any(_searches(bot, game) for bot in two)
    return search_pairs if searching and search_pairs is not None else pairs


def _searches(bot: str, game: LadderGame) -> bool:
    name, _, options = bot.partition(":")
    numbers = {level.name: level.number for level in _bots.numbered_levels()}
    if (number := numbers.get(name)) is not None:
        return searches(number, game.rules, game.players)
    return "worlds=" in options


def is_even(score: PairScore) -> bool:
    """Return whether a step is even: the weaker level, `score.a`, wins a share within `EVEN_STEP`."""
    least, most = EVEN_STEP
    return score.match_win is not None and least <= score.match_win.value <= most


def ladder(  # noqa: PLR0913 - every option is an argument
    tables: Sequence[LadderGame] | None = None,
    asked: Sequence[str] | None = None,
    *,
    seed: int = SEED,
    quick: bool = False,
    pairs: int | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    shard: Shard = WHOLE,
    run: Path | None = None,
    written_by: str = "",
    progress: Callable[[Tally], None] | None = None,
) -> Ladder:
    """Play every level against every other at every table.

    `asked` are the levels, weakest first; `pairs` replaces the default number of pairs of each contest.
    `executor`, `shard` and `run` are as in `arena`; `written_by` is the command, for the page. The folder of
    `run` is created. Raises the errors of `arena` before the first deal.
    """
    tables = games() if tables is None else tuple(tables)
    asked = levels(quick) if asked is None else tuple(asked)
    made = plans(tables, asked, seed, quick, pairs)
    if not made:
        raise SimulationError("a ladder takes two levels or more")
    if len(set(asked)) < len(asked):
        raise SimulationError("a level is named twice")
    for plan in made:
        check(plan, workers, shard)
    about = {"levels": list(asked), "seed": made[0].seed, "quick": quick, "written_by": written_by}
    head = RunHead(COMMAND, made, notes_on_all(asked), shard, about)
    if run is not None:
        run.parent.mkdir(parents=True, exist_ok=True)
    with RunFile(run, head) as kept:
        played = play(head, kept, workers=workers, executor=executor, progress=progress)
    return _laddered(head, *played)


class _About(TypedDict):
    levels: list[str]
    seed: int
    quick: bool
    written_by: str


def merge_files(paths: Sequence[Path]) -> Ladder:
    """Return the ladder from the files of all shards of a run, which `ladder(run=…)` wrote.

    It equals the ladder of one process. Raises `SimulationError` if a shard is missing, unfinished, given
    twice, or of another run, and `OSError` for a file that cannot be read.
    """
    shards = Shards(paths, COMMAND, Plan.from_described, _About)
    made, asked = shards.head.plans, shards.head.about["levels"]
    games = {(plan.rules, plan.players) for plan in made}
    two = [(upper, lower) for lower, upper in combinations(asked, 2)]
    if [plan.bots for plan in made] != two * len(games):
        raise SimulationError(f"{paths[0]}: is damaged")
    return _laddered(
        shards.head, *counted(shards.head, shards.batches(lambda shard: of_all(shards.head, shard)))
    )


def _laddered(head: RunHead[Plan], tallies: Sequence[Sequence[Tally]], seconds: float) -> Ladder:
    about, made = head.about, tuple(head.plans)
    tables = tuple(dict.fromkeys(LadderGame(plan.rules, plan.players) for plan in made))
    scores = [tally.score() for (tally,) in tallies]
    each = len(made) // len(tables)
    by_game = tuple(tuple(scores[game * each : (game + 1) * each]) for game in range(len(tables)))
    return Ladder(
        games=tables,
        levels=tuple(about["levels"]),
        seed=about["seed"],
        quick=about["quick"],
        scores=by_game,
        plans=made,
        notes=head.notes,
        seconds=seconds,
        shard=head.shard,
        written_by=about["written_by"],
    )
