"""Perfect information Monte Carlo (PIMC): plays in worlds that are solved as if all cards were seen.

Long, Sturtevant, Buro and Furtak, Understanding the Success of Perfect Information Monte Carlo Sampling in
Game Tree Search, AAAI 2010.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean
from typing import SupportsIndex

from rum500.ai.endgame import Endgame
from rum500.ai.heuristic_levels import per_thread
from rum500.ai.known_deal import known_deal
from rum500.ai.resampling import Belief, believed_worlds
from rum500.bots import FastBot
from rum500.bots.endings import can_be_solved
from rum500.intervals import error_of_mean, student
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.actions import Action
from rum500.rules.engine.core import Core
from rum500.rules.notation import TableText
from rum500.search.comparison import ComparedPlay, PlayComparison
from rum500.search.playouts import (
    MOST_WORLDS,
    PolicyNames,
    codes_of_candidates,
    legal_codes,
    outcomes_of,
)
from rum500.state.returns import returns_of_all
from rum500.values import whole_number
from rum500.view import View

MOST_POSITIONS = 1 << 24
"""The largest number of positions to examine in one world."""
_GIVE_UP = 3


def pimc(
    view: View,
    worlds: SupportsIndex = 64,
    plays: Iterable[Action | str | int] | None = None,
    *,
    rng: Rng | None = None,
    belief: Belief = "even",
    policy: PolicyNames = "club",
    positions: SupportsIndex = 2000,
) -> PlayComparison:
    """Compare plays by their mean results in worlds whose cards are all taken as known.

    A world is solved if best play by both sides can be found in up to `positions` positions; otherwise the
    deal is played out by `policy` after each play. Solving needs two accounts, no new stock (H5) and no win
    before the end of a deal (D14). After three worlds in a row that would need more positions, all others are
    played out; with 0 positions all are. The results are points ahead of the others in this deal; the match
    does not matter. `plays` are up to 64 legal actions, by default `candidates(view)`, and each is tried in
    all worlds. `best` is the play with the best mean result. Raises
    `ValueError` if a play is not legal, or if a number is out of range.
    """
    count = whole_number("the number of worlds", worlds, 1, MOST_WORLDS)
    most = whole_number("the number of positions", positions, 0, MOST_POSITIONS)
    rules, players = view.rules, view.players
    outcomes = outcomes_of(rules, players, policy)
    codes = codes_of_candidates(view) if plays is None else legal_codes(view, plays)
    chance = Rng(0) if rng is None else rng
    drawn = believed_worlds(known_deal(view), belief, count, chance.next64())
    cores = [drawn.world(chance.next64()) for _ in range(count)]
    assert view.seat is not None
    solved = _solved(cores, view.seat, most) if most and can_be_solved(rules, players) else {}
    others = [core for number, core in enumerate(cores) if number not in solved]
    results = [[float(leads[code]) for leads in solved.values()] for code in codes]
    seed = chance.next64()
    for code, found in zip(codes, results, strict=True):
        points = outcomes.play_out(others, code, seed, 1)
        found += [row[view.seat] for row in returns_of_all(points, rules.sides, "margin")]
    actions = TableText(view).actions(codes)
    shown = tuple(
        _compared(action, found, results[0]) for action, found in zip(actions, results, strict=True)
    )
    best = max(range(len(shown)), key=lambda at: shown[at].points)
    return PlayComparison(actions[best], shown, len(solved))


@per_thread
def _solver() -> Endgame:
    return Endgame()


def _solved(cores: Sequence[Core], seat: int, positions: int) -> dict[int, dict[int, int]]:
    """Return the final lead after each legal action, by the numbers of the worlds that can be solved."""
    found: dict[int, dict[int, int]] = {}
    unsolved = 0
    for number, core in enumerate(cores):
        leads = _solver().solve(core, seat, positions)
        if leads is not None:
            found[number], unsolved = leads, 0
            continue
        unsolved += 1
        if unsolved == _GIVE_UP:
            break
    return found


def _compared(action: Action, results: Sequence[float], first: Sequence[float]) -> ComparedPlay:
    leads = [own - other for own, other in zip(results, first, strict=True)]
    lead, count = mean(leads), len(leads)
    reach = student(count - 1) * error_of_mean(leads) if results is not first else 0.0
    return ComparedPlay(action, mean(results), lead, lead - reach, lead + reach, count)


class PimcBot(FastBot):
    """A bot that plays the best play of `pimc`."""

    name = "pimc"

    def __init__(
        self,
        worlds: SupportsIndex = 64,
        positions: SupportsIndex = 2000,
        policy: PolicyNames = "club",
        belief: Belief = "even",
    ) -> None:
        """Set the budget. Raises `ValueError` for a number that is out of range."""
        self.worlds = whole_number("the number of worlds", worlds, 1, MOST_WORLDS)
        self.positions = whole_number("the number of positions", positions, 0, MOST_POSITIONS)
        self.policy = policy
        self.belief = belief

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the code of the play with the best results."""
        if len(view.legal) == 1:
            return view.legal[0]
        found = pimc(
            view, self.worlds, rng=rng, belief=self.belief, policy=self.policy, positions=self.positions
        )
        return code_of(found.best)
