"""The search kit: the parts of a bot that searches, from its view to a comparison of plays.

A *world* is a deal that the seat of a view cannot tell from the true one. A *rollout* plays a deal to its
end.
`View.worlds`, `View.candidates` and `State.rollout` are the methods for the functions of this module.

>>> import rum500
>>> from rum500.search import rollouts
>>> state = rum500.deal("500-rum", seed=7)
>>> view = state.view(state.actor)
>>> worlds = view.worlds(rum500.Rng(1), 50)
>>> all(world.view(view.seat) == view for world in worlds)
True
>>> len(rollouts(worlds, "club", after="draw", kind="margin"))
50
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Timer
from typing import SupportsIndex

from rum500.ai import known_deal
from rum500.ai.heuristic_levels import class_of, per_thread, policy_of
from rum500.ai.heuristic_levels import policy as policy_in
from rum500.ai.outcomes import Outcomes
from rum500.ai.policy import Policy, SeatPolicies
from rum500.ai.resampling import Belief, believed_worlds
from rum500.ai.search import Search
from rum500.bots import halving
from rum500.bots.match_value import set_match_value
from rum500.bots.search_bot import MOST_SECONDS, MOST_THREADS
from rum500.intervals import Z_OF_LOOKS, standard_error
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.actions import Action
from rum500.rules.notation import TableText, parse_play
from rum500.state import IllegalPlay, ReturnKind, State
from rum500.state.returns import returns_of
from rum500.values import whole_number
from rum500.view import View

__all__ = [
    "POLICIES",
    "Belief",
    "ComparedPlay",
    "PlayComparison",
    "PolicyNames",
    "candidates",
    "compare",
    "rollouts",
    "worlds",
]

POLICIES = ("club", "casual", "newcomer", "lays", "random")
"""How a seat plays in rollouts: by a level's rules of thumb, laying all it can (`lays`), or at random."""
PolicyNames = str | Sequence[str]
"""One of `POLICIES` for all seats, or one for each seat. `random` is possible for all seats only."""
MOST_WORLDS = 1 << 20
"""The largest number of worlds, or of rollouts of a deal, in one call."""


def worlds(view: View, rng: Rng, n: SupportsIndex, belief: Belief = "even") -> list[State]:
    """Return `n` deals that the seat of the view cannot tell from the true one.

    With the belief `even` all such deals are equally likely. With `odds` or `hands` their probabilities
    follow from the past actions. The past draws of these deals are unknown, so that `undo` is impossible.
    Raises `ValueError` if the deal is over, and for an unknown belief.
    """
    n = whole_number("the number of worlds", n, 1, MOST_WORLDS)
    if view.is_over:
        raise ValueError("the deal is over: nothing is hidden")
    drawn = believed_worlds(known_deal(view), belief, n, rng.next64())
    return [State(view.rules, drawn.world(rng.next64()), view.past) for _ in range(n)]


def candidates(view: View) -> list[Action]:
    """Return the legal actions that are worth comparing, at most 64; the first is the choice of `club`.

    Of many melds and lay-offs with jokers, only those with few jokers and many points are among them. Raises
    `ValueError` if the seat of the view has nothing to decide.
    """
    return TableText(view).actions(_candidates(view))


def _candidates(view: View) -> list[int]:
    if not view.legal:
        raise ValueError(f"seat {view.seat} has nothing to decide")
    core = known_deal(view).core
    choice = policy_in(view.rules, view.players).choice(core)
    return halving.candidates(core, view.legal, choice)[: halving.MOST_CANDIDATES]


def rollouts(
    states: Iterable[State],
    policy: PolicyNames = "club",
    n: SupportsIndex = 1,
    *,
    after: Action | str | int | None = None,
    rng: Rng | None = None,
    kind: ReturnKind = "points",
) -> list[tuple[float, ...]]:
    """Play each deal `n` times to its end, and return the mean result of each deal, by seat.

    The deals are of one game, and do not change. `after` is an action that is applied first; a text is read
    at the table of the first deal. The first rollout of a deal keeps the order of its stock, and each further
    one shuffles the stock. The generator determines this order, later restocks (H5) and the actions of
    `random`; by default it is the same in every call. `kind` is the kind of result, as in `State.returns`.
    Raises `IllegalPlay` if `after` is not legal in one of the deals, and `ValueError` for deals of several
    games.
    """
    n = whole_number("the number of rollouts", n, 1, MOST_WORLDS)
    deals = list(states)
    if not deals:
        return []
    rules, players = deals[0].rules, deals[0].players
    games = {id(deal.rules): deal.rules for deal in deals}.values()
    if any(one != rules for one in games) or any(deal.players != players for deal in deals):
        raise ValueError("these deals are of several games: play out those of each game on their own")
    outcomes = _outcomes(class_of(rules, players), _seated(policy, players))
    code = -1 if after is None else code_of(parse_play(after, deals[0]) if isinstance(after, str) else after)
    seed = (Rng(0) if rng is None else rng).next64()
    points = outcomes.play_out([deal.core for deal in deals], code, seed, n)
    if len(points) < len(deals):
        refusal = deals[len(points)].why_not(code)
        assert refusal is not None
        raise IllegalPlay(refusal)
    values = [returns_of(each, rules.sides, kind, is_over=True) for each in points]
    return values if n == 1 else [tuple(value / n for value in each) for each in values]


def _seated(policy: PolicyNames, players: int) -> tuple[str, ...]:
    names = (policy,) if isinstance(policy, str) else tuple(policy)
    if len(names) not in (1, players):
        raise ValueError(f"{len(names)} policies are given for {players} seats")
    for name in names:
        if name not in POLICIES:
            raise ValueError(f"policies are {', '.join(POLICIES)}, not {name!r}")
    if "random" in names and len(set(names)) > 1:
        raise ValueError("the policy random is possible for all seats only")
    return names


@per_thread
def _outcomes(game: str, names: tuple[str, ...]) -> Outcomes:
    if "random" in names:
        return Outcomes(None)
    policies = {name: Policy([]) if name == "lays" else policy_of(game, name) for name in names}
    return Outcomes(SeatPolicies([policies[name] for name in names]))


@dataclass(frozen=True, slots=True)
class ComparedPlay:
    """A play that was compared with others. All results are points ahead of the others, near the end of a
    match with the value of winning it.
    """

    action: Action
    """The play."""
    points: float
    """The mean result of the play."""
    lead: float
    """The mean lead over the first candidate in the same worlds; 0 for the first candidate."""
    low: float
    """The lower end of the 95 % interval of the lead."""
    high: float
    """The upper end."""
    worlds: int
    """The number of worlds in which the play was tried. Weaker plays are dropped early."""


@dataclass(frozen=True, slots=True)
class PlayComparison:
    """Plays of one decision, compared in the same worlds."""

    best: Action
    """The first candidate, or another one if it is clearly better."""
    plays: tuple[ComparedPlay, ...]
    """All candidates in their order."""

    def __getitem__(self, action: Action) -> ComparedPlay:
        """Return the result of a play. Raises `KeyError` if it was not compared."""
        return {play.action: play for play in self.plays}[action]


def compare(
    view: View,
    plays: Iterable[Action | str | int] | None = None,
    worlds: SupportsIndex = 512,
    *,
    rng: Rng | None = None,
    belief: Belief = "even",
    seconds: float = 0.0,
    threads: SupportsIndex = 1,
) -> PlayComparison:
    """Compare plays of a view in up to `worlds` worlds, as the level `strong` does.

    `plays` are up to 64 legal actions, by default `candidates(view)`. After each round the weaker half is
    dropped, but never the first. In every second world the opponents lay all they can. `seconds` is a time
    limit, 0 for none. Without it, the result depends only on the arguments, and not on `threads`. Raises
    `ValueError` if a play is not legal, or if a number is out of range.
    """
    worlds = whole_number("the number of worlds", worlds, 2, MOST_WORLDS)
    threads = whole_number("the number of threads", threads, 1, MOST_THREADS)
    if not 0 <= seconds <= MOST_SECONDS:
        raise ValueError(f"the seconds of a comparison are 0 to {MOST_SECONDS:,}, not {seconds}")
    codes = _candidates(view) if plays is None else _legal_codes(view, plays)
    assert view.seat is not None
    seed = (Rng(0) if rng is None else rng).next64()
    task = Search(believed_worlds(known_deal(view), belief, worlds, seed), view.seat, codes)
    set_match_value(task, view)
    workers = [halving.worker(task, view.rules, view.players) for _ in range(threads)]
    alarm = Timer(seconds, task.stop)
    if seconds:
        alarm.start()
    try:
        best = halving.search(task, workers, seed, worlds, halving.gate(worlds))
    finally:
        alarm.cancel()
    actions = TableText(view).actions(codes)
    unit = 1 if view.rules.sides else view.players - 1
    return PlayComparison(
        actions[best], tuple(_compared(task, at, action, unit) for at, action in enumerate(actions))
    )


def _legal_codes(view: View, plays: Iterable[Action | str | int]) -> list[int]:
    codes = []
    for play in plays:
        read = parse_play(play, view) if isinstance(play, str) else play
        code = read if isinstance(read, int) else code_of(read)
        if code not in view.legal:
            raise ValueError(f"{play} is not a legal play of seat {view.seat}")
        codes.append(code)
    codes = list(dict.fromkeys(codes))
    if not 1 <= len(codes) <= halving.MOST_CANDIDATES:
        raise ValueError(f"1 to {halving.MOST_CANDIDATES} plays are compared, not {len(codes)}")
    return codes


def _compared(task: Search, at: int, action: Action, unit: int) -> ComparedPlay:
    """Return the sums of a candidate as means; `unit` is the number of the task's units in a point."""
    total, _, lead, squares = task.statistics(at)
    count = task.worlds_of(at)
    mean = lead / max(count, 1) / unit
    reach = Z_OF_LOOKS * standard_error(lead, squares, count) / unit if at else 0.0
    return ComparedPlay(action, total / max(count, 1) / unit, mean, mean - reach, mean + reach, count)
