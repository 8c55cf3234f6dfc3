"""The search of players that see hidden cards: every choice in the same worlds, each played to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rum500.ai.policy import Policy
from rum500.ai.weights import policy
from rum500.rng import Rng
from rum500.rules.action_codes import lays_cards
from rum500.rules.engine.core import Core, Moves
from rum500.rules.ruleset import Ruleset
from rum500.state import State

WIDEST = 64
"""The number of choices that are tried, those with most points at once; wild jokers can make thousands."""
FEWEST = 16
"""With fewer worlds than this, every choice is tried in all of them."""
Finish = Callable[[Core, Moves, int, int], object]
"""A function that makes a choice in a deal and plays the deal to its end; the last number is a seed."""


def rollouts(state: State) -> Any:
    """Return the compiled policy that the bots' own searches use."""
    return _policy(state.rules, state.players)


@cache
def _policy(rules: Ruleset, players: int) -> Policy:
    """Return one policy for each table, because it contains working memory."""
    return policy(rules, players)


def played_on(plays: Any) -> Finish:
    """Return a function that lets this policy play every seat."""

    def finish(core: Core, moves: Moves, code: int, _seed: int) -> None:
        core.apply(code, moves)
        plays.playout(core, moves)

    return finish


def at_least_one(what: str, number: object) -> int:
    """Return an option that is a positive integer. Raises `ValueError` if it is not."""
    if not isinstance(number, int) or number < 1:
        raise ValueError(f"{what} is a whole number, 1 or more, not {number}")
    return number


def margin(core: Core, seat: int) -> float:
    """Return the points of this seat's side in a finished deal, less the mean of the other sides."""
    sides = core.sides
    own = others = 0
    for other in range(core.n):
        same = other == seat or (sides and other % 2 == seat % 2)
        if same:
            own += core.score(other)
        else:
            others += core.score(other)
    return own - (others if sides else others / (core.n - 1))


def candidates(state: State) -> list[int]:
    """Return the legal actions; if there are very many, only the best plays by points."""
    legal = state.legal_ints()
    if len(legal) <= WIDEST:
        return legal
    plays = [code for code in legal if lays_cards(code)]
    others = [code for code in legal if not lays_cards(code)]
    plays.sort(key=state.core.points, reverse=True)
    return [*others, *plays[: max(8, WIDEST - len(others))]]


def reshuffled(core: Core, rng: Rng) -> Core:
    """Return the same deal with the stock, and later stocks, in another order."""
    twin = Core()
    twin.copy_from(core)
    stock = sorted(twin.stock_cards())  # sorted, so that the true order cannot affect the new one
    rng.shuffle(stock)
    twin.set_stock(stock)
    twin.rng = rng.next64()
    return twin


def best_beyond(
    own: int, choices: Sequence[int], worlds: Sequence[Core], seat: int, finish: Finish, seed: int
) -> int:
    """Return the choice that is significantly better than `own` by most; else `own`.

    Significant means two standard errors of the difference in the same worlds. Otherwise chance would often
    favour one of many choices.
    """
    moves, twin = Moves(), Core()
    found, most = own, 0.0
    worths: dict[int, list[float]] = {}
    for code in dict.fromkeys((own, *choices)):
        worth = worths.setdefault(code, [])
        for number, world in enumerate(worlds):
            twin.copy_from(world)
            finish(twin, moves, code, seed + number)
            worth.append(margin(twin, seat))
        gains = [new - old for new, old in zip(worth, worths[own], strict=True)]
        gain = sum(gains) / len(gains)
        spread = sum((one - gain) ** 2 for one in gains) / max(1, len(gains) - 1)
        if gain > most and gain > 2 * (spread / len(gains)) ** 0.5:
            found, most = code, gain
    return found


def best(choices: Sequence[int], worlds: Sequence[Core], seat: int, finish: Finish, seed: int) -> int:
    """Return the choice with the best mean margin in these worlds. Half of the choices are dropped midway."""
    moves, twin = Moves(), Core()
    sums = dict.fromkeys(choices, 0.0)
    half = len(worlds) // 2 if len(worlds) >= FEWEST else 0
    for number, world in enumerate(worlds):
        if half and number == half:
            ranked = sorted(sums, key=lambda code: -sums[code])
            sums = {code: sums[code] for code in ranked[: (len(ranked) + 1) // 2]}
        for code in sums:
            twin.copy_from(world)
            finish(twin, moves, code, seed + number)
            sums[code] += margin(twin, seat)
    return max(sums, key=lambda code: sums[code])
