"""A best response to players with a known policy, by rollouts: a lower bound of what can be won from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex

from rum500.ai import HandBelief, known_deal
from rum500.ai.heuristic_levels import class_of, policy_of
from rum500.ai.policy import Policy
from rum500.ai.search import SearchWorker
from rum500.bots import FastBot
from rum500.bots.search_bot import MOST_THREADS
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.actions import Action
from rum500.rules.ruleset import Ruleset
from rum500.search.comparison import PlayComparison, check_time, compared
from rum500.search.playouts import MOST_WORLDS, POLICIES, codes_of_candidates, legal_codes
from rum500.values import whole_number
from rum500.view import View

OPPONENTS = tuple(name for name in POLICIES if name != "random")
"""The policies to which `best_response` responds."""


def best_response(
    view: View,
    against: str = "club",
    plays: Iterable[Action | str | int] | None = None,
    worlds: SupportsIndex = 512,
    *,
    own: str = "club",
    rng: Rng | None = None,
    seconds: float = 0.0,
    threads: SupportsIndex = 1,
) -> PlayComparison:
    """Compare plays of a view if all other seats play by the policy `against`, partners included.

    An exact best response is too expensive in a full deal. This is a rollout best response: it is exact about
    the others' future actions, but the seat's own later actions follow the policy `own`. Worlds are drawn as
    likely as the past actions say if the others play by `against`, from up to 512 samples of their hands. So
    the points won by it are a lower bound of what a best response wins. `plays`, `worlds`, `seconds` and
    `threads` are as in `compare`. Raises `ValueError` for a policy that is not in `OPPONENTS`, for a play
    that is not legal, and for a number out of range.
    """
    count = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)
    workers = whole_number("the number of threads", threads, 1, MOST_THREADS)
    check_time(seconds)
    check_policies(against, own)
    codes = codes_of_candidates(view) if plays is None else legal_codes(view, plays)
    seed = (Rng(0) if rng is None else rng).next64()
    rules, players = view.rules, view.players
    known = known_deal(view)
    drawn = known.worlds()
    hands = HandBelief(view, lambda: (_new(rules, players, against), _new(rules, players, against)), workers)
    hands.weigh(drawn, known, seed, count)
    return compared(
        view,
        codes,
        drawn,
        lambda task: SearchWorker(task, _new(rules, players, against), None, _new(rules, players, own)),
        seed,
        count,
        seconds,
        workers,
    )


def check_policies(*names: str) -> None:
    """Raise `ValueError` for a name that is not in `OPPONENTS`."""
    for name in names:
        if name not in OPPONENTS:
            raise ValueError(f"a best response is to {', '.join(OPPONENTS)}, not to {name!r}")


def _new(rules: Ruleset, players: int, name: str) -> Policy:
    return Policy([]) if name == "lays" else policy_of(class_of(rules, players), name)


class BestResponseBot(FastBot):
    """A bot that plays `best_response` to one policy."""

    def __init__(self, against: str = "club", worlds: SupportsIndex = 256, own: str = "club") -> None:
        """Set the policy of the others and the number of worlds. Raises `ValueError` as `best_response`."""
        check_policies(against, own)
        self.name = f"response-to-{against}"
        self.against = against
        self.own = own
        self.worlds = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the code of the best play of the comparison."""
        if len(view.legal) == 1:
            return view.legal[0]
        return code_of(best_response(view, self.against, None, self.worlds, own=self.own, rng=rng).best)
