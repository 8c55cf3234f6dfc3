"""Worlds of a view, the plays worth comparing, and rollouts of many deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import SupportsIndex

from rum500.ai.heuristic_levels import class_of, per_thread, policy_of
from rum500.ai.heuristic_levels import policy as policy_in
from rum500.ai.known_deal import known_deal
from rum500.ai.outcomes import Outcomes
from rum500.ai.policy import Policy, SeatPolicies
from rum500.ai.resampling import Belief, believed_worlds
from rum500.bots import halving
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from rum500.rules.actions import Action
from rum500.rules.notation import TableText, parse_play
from rum500.rules.ruleset import Ruleset
from rum500.state import IllegalPlay, ReturnKind, State
from rum500.state.returns import returns_of_all
from rum500.values import whole_number
from rum500.view import View

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
    return TableText(view).actions(codes_of_candidates(view))


def codes_of_candidates(view: View) -> list[int]:
    """Return the codes of `candidates`."""
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
    cores = [deal.core for deal in deals]
    games = {(id(deal.rules), deal.core.n): deal.rules for deal in deals}
    if any(count != players or game != rules for (_, count), game in games.items()):
        raise ValueError("these deals are of several games: play out those of each game on their own")
    outcomes = outcomes_of(rules, players, policy)
    code = -1 if after is None else code_of(parse_play(after, deals[0]) if isinstance(after, str) else after)
    seed = (Rng(0) if rng is None else rng).next64()
    points = [] if after is not None and code < 0 else outcomes.play_out(cores, code, seed, n)
    if len(points) < len(deals):
        refusal = deals[len(points)].why_not(code)
        assert refusal is not None
        raise IllegalPlay(refusal)
    values = returns_of_all(points, rules.sides, kind)
    return values if n == 1 else [tuple(value / n for value in each) for each in values]


def legal_codes(view: View, plays: Iterable[Action | str | int]) -> list[int]:
    """Return the codes of 1 to 64 plays of a view, each once. Raises `ValueError` if one is not legal."""
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


def outcomes_of(rules: Ruleset, players: int, policy: PolicyNames) -> Outcomes:
    """Return this thread's player of rollouts. Raises `ValueError` for wrong names of policies."""
    return _outcomes(class_of(rules, players), _seated(policy, players))


def policies_of(rules: Ruleset, players: int, policy: PolicyNames) -> list[Policy] | None:
    """Return this thread's policies by seat, None if all seats play at random."""
    names = _seated(policy, players)
    if "random" in names:
        return None
    found = [policy_named(class_of(rules, players), name) for name in names]
    return found * (players // len(found))


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
def policy_named(game: str, name: str) -> Policy:
    """Return this thread's policy with this name, not `random`, for a class of games."""
    return Policy([]) if name == "lays" else policy_of(game, name)


@per_thread
def _outcomes(game: str, names: tuple[str, ...]) -> Outcomes:
    if "random" in names:
        return Outcomes(None)
    return Outcomes(SeatPolicies([policy_named(game, name) for name in names]))
