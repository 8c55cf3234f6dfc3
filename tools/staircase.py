"""Find the positions of a staircase of levels: python -m tools.staircase 500-rum/2 --levels 9 --share 0.3.

From the top down, each level is placed where it wins this share of its matches against the one above it, to
the accuracy of `--pairs` duplicate matches. The positions are printed in the form of
src/rum500/bots/staircase.toml. `--worlds` is the budget of the search, smaller than at a table, so that it
takes minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from rum500.ai.heuristic_levels import class_of
from rum500.bots.search_bot import strong
from rum500.bots.staircase import SearchingStep
from rum500.rules.profiles import ruleset
from rum500.rules.ruleset import Ruleset
from rum500.sim.arena import PairScore, arena
from rum500.view import View

LOOKS = 5
"""The number of positions that are tried for a level."""
TOP = 3.0
REACH = 1.0
"""The largest difference of two neighbours' positions."""


class At(SearchingStep):
    """A level at a given position. It searches with `strong`, which takes a tenth of the time of `expert`."""

    def __init__(self, at: float, worlds: int) -> None:
        """Set the position and the worlds of a search."""
        super().__init__(1)
        self._players = (*self._players[:-1], strong(worlds))
        self.name, self.at = f"at {at:.3f}", at

    def position(self, view: View) -> float:
        """Return the given position, whatever the game."""
        return self.at


def contest(rules: Ruleset, players: int, two: tuple[At, At], pairs: int, seed: int) -> PairScore:
    """Return the score of the first of `two` against the second."""
    return arena(rules, two, pairs, seed, players=players).scores[0]


def steps(rules: Ruleset, given: argparse.Namespace) -> Iterator[tuple[float, PairScore | None]]:
    """Yield the positions from the top down, each with its score against the position above."""
    above = given.top
    yield above, None
    for number in range(given.levels - 1):
        low, high, best = max(0.0, above - REACH), above, None
        for look in range(LOOKS):
            middle = (low + high) / 2
            two = At(middle, given.worlds), At(above, given.worlds)
            score = contest(rules, given.players, two, given.pairs, given.seed + 100 * number + look)
            assert score.match_win is not None
            if best is None or abs(score.match_win.value - given.share) < abs(best[1] - given.share):
                best = middle, score.match_win.value, score
            if score.match_win.value > given.share:
                high = middle
            else:
                low = middle
        assert best is not None
        above = round(best[0], 2)
        yield above, best[2]


def main() -> None:
    """Measure and print the positions."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", help="profile/players")
    parser.add_argument("--levels", type=int, default=9)
    parser.add_argument("--share", type=float, default=1 / 3)
    parser.add_argument("--top", type=float, default=TOP, help="the position of the highest level")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    name, _, players = given.game.partition("/")
    given.players = int(players)
    found: list[float] = []
    for at, score in steps(ruleset(name), given):
        found.insert(0, at)
        if score is not None and score.match_win is not None:
            won = score.match_win
            print(f"{at:.2f} wins {won.value:.1%} ({won.low:.1%} to {won.high:.1%})", flush=True)
    print(f"{class_of(ruleset(name), given.players)} = {found}")


if __name__ == "__main__":
    main()
