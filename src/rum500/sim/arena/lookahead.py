"""The search of those that see hidden cards: every choice in the same worlds, each played to its end."""

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
"""Choices that are tried; of more (wild jokers make thousands) those that lay most points at once."""
FEWEST = 16
"""With fewer worlds than this every choice is tried in all of them."""
Finish = Callable[[Core, Moves, int, int], object]
"""Makes a choice in a deal and plays that to its end; the last number is a seed."""


def rollouts(state: State) -> Any:
    """The policy that the bots' own searches use, compiled."""
    return _policy(state.rules, state.players)


@cache
def _policy(rules: Ruleset, players: int) -> Policy:
    """One for each table: a policy holds room to work in."""
    return policy(rules, players)


def played_on(plays: Any) -> Finish:
    """Every seat by this policy."""

    def finish(core: Core, moves: Moves, code: int, _seed: int) -> None:
        core.apply(code, moves)
        plays.playout(core, moves)

    return finish


def at_least_one(what: str, number: object) -> int:
    """An option that is a whole number; `ValueError` for what is none."""
    if not isinstance(number, int) or number < 1:
        raise ValueError(f"{what} is a whole number, 1 or more, not {number}")
    return number


def margin(core: Core, seat: int) -> float:
    """What a deal that is over brought this seat's side, less the mean of the others' sides."""
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
    """The legal actions, of very many plays the best by points."""
    legal = state.legal_ints()
    if len(legal) <= WIDEST:
        return legal
    plays = [code for code in legal if lays_cards(code)]
    others = [code for code in legal if not lays_cards(code)]
    plays.sort(key=state.core.points, reverse=True)
    return [*others, *plays[: max(8, WIDEST - len(others))]]


def reshuffled(core: Core, rng: Rng) -> Core:
    """The same deal with the stock, and later stocks, in another order."""
    twin = Core()
    twin.copy_from(core)
    stock = sorted(twin.stock_cards())  # sorted: the order it has must not show in the one it gets
    rng.shuffle(stock)
    twin.set_stock(stock)
    twin.rng = rng.next64()
    return twin


def best_beyond(
    own: int, choices: Sequence[int], worlds: Sequence[Core], seat: int, finish: Finish, seed: int
) -> int:
    """The choice that is better than `own` by most, if it is so for certain; else `own`.

    For certain: by two standard errors of the difference in the same worlds. Without that, a choice would be
    left for another whenever chance favoured one of many.
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
    """The choice with the best mean margin over these worlds; half of the choices are dropped midway."""
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
