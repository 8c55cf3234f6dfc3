"""The reference players: two that see hidden cards, and the local best response to a bot.

`SeesHands` and `SeesStock` search like the bots but need not guess the hands. They measure how much a bot
loses by not knowing, and cannot sit at a table (see `FullInfoPlayer`).

`BestResponse` gives a lower bound of what knowing a bot's policy gains. At each decision it tries every
choice in many worlds. After the choice, the bot itself plays all seats, the responder's too, for `turns`
decisions, and the rollout policy plays the rest of the deal; a bot with a compiled policy plays to the end of
the deal. The responder deviates from the bot's own choice only if another one is better by two standard
errors. So it plays like the bot except where the bot's replies make another choice better, and its gain is a
lower bound of the bot's exploitability. (After Lisý and Bowling, "Equilibrium approximation quality of
current no-limit poker bots", 2017.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rum500.ai import sample
from rum500.ai.heuristic_levels import per_thread, policy
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import Search
from rum500.ai.worlds import Worlds
from rum500.bots import Bot, halving
from rum500.bots.match_value import set_match_value
from rum500.bots.policy_bots import Club
from rum500.rng import Rng
from rum500.rules.action_codes import code_of, lays_cards
from rum500.rules.engine.core import Core, Moves
from rum500.rules.ruleset import Ruleset
from rum500.sim.deals import FullInfoPlayer, notes_on
from rum500.sim.results import ANSWERS, HIDDEN
from rum500.state import State
from rum500.values import whole_number

WIDEST = 64
"""The largest number of choices tried, those with most points at once; wild jokers can allow thousands."""
MOST = 1_000_000
"""The largest number of worlds, or of turns."""
FEWEST = 16
"""With fewer worlds than this, no choice is dropped midway."""


@per_thread
def _policy(rules: Ruleset, players: int) -> SeatPolicies:
    """Return the policy that plays all seats."""
    return SeatPolicies([policy(rules, players)])


Finish = Callable[[Core, Moves, int, int], object]
"""A function that applies a choice in a deal and plays the deal to its end. Its arguments: the deal, working
memory, the code of the choice, a seed.
"""


def played_on(seats: Any) -> Finish:
    """Return a function that plays deals to the end with these policies at the seats."""

    def finish(core: Core, moves: Moves, code: int, _seed: int) -> None:
        core.apply(code, moves)
        seats.playout(core, moves)

    return finish


def at_least_one(what: str, number: Any) -> int:
    """Return the value of the option `what`. Raises `ValueError` unless it is an integer from 1 to `MOST`."""
    try:
        return whole_number(what, number, 1, MOST)
    except TypeError as error:
        raise ValueError(str(error)) from None


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
    """Return the legal actions. If there are over `WIDEST`, the plays with fewest points are left out."""
    legal = state.legal_ints()
    if len(legal) <= WIDEST:
        return legal
    plays = [code for code in legal if lays_cards(code)]
    others = [code for code in legal if not lays_cards(code)]
    plays.sort(key=state.core.points, reverse=True)
    return [*others, *plays[: max(8, WIDEST - len(others))]]


def reshuffled(core: Core, rng: Rng) -> Core:
    """Return the same deal with the stock, and all new stocks, in another order."""
    twin = Core()
    twin.copy_from(core)
    stock = sorted(twin.stock_cards())  # sorted, so that the new order cannot depend on the true one
    rng.shuffle(stock)
    twin.set_stock(stock)
    twin.rng = rng.next64()
    return twin


def best_beyond(
    own: int, choices: Sequence[int], worlds: Sequence[Core], seat: int, finish: Finish, seed: int
) -> int:
    """Return the choice that leads by most among those significantly better than `own`; `own` if none is.

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
    """Return the choice with the best mean margin in these worlds. The worse half is dropped midway."""
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


GATE = 2
"""A choice replaces the policy's own if its lead exceeds this many quarters of the lead's standard error."""


class SeesHands(FullInfoPlayer):
    """A player that sees all hands but not the stock's order. It tries each choice in random stock orders."""

    name = "sees-hands"

    def __init__(self, worlds: int = 256) -> None:
        """Set the number of orders of the stock in which each choice is tried."""
        self.worlds = at_least_one("worlds", worlds)

    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the choice with the best average, found by the bots' own search."""
        seed, core = rng.next64(), state.core
        legal = tuple(state.legal_ints())
        if len(legal) == 1:
            return legal[0]
        plays = policy(state.rules, state.players)
        codes = halving.candidates(core, legal, plays.choice(core))
        stock = sorted(core.stock_cards())  # sorted, so that the random orders cannot depend on the true one
        task = Search(Worlds(core, stock, 0, [0] * state.players), state.actor, codes)
        set_match_value(task, state.view(state.actor))
        workers = [halving.worker(task, state.rules, state.players)]
        return codes[halving.search(task, workers, seed, self.worlds, GATE)]


class SeesStock(FullInfoPlayer):
    """A player that also sees the order of the stock: it tries its choices in the true world only."""

    name = "sees-stock"

    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the best choice, given that all seats then play by the bots' policy."""
        choices = candidates(state)
        if len(choices) == 1:
            return choices[0]
        return best(
            choices, [state.core], state.actor, played_on(_policy(state.rules, state.players)), rng.next64()
        )


class BestResponse(FullInfoPlayer):
    """A player that responds to one bot with the choices that are best against its policy.

    With `hands="drawn"` the hidden cards of its worlds are random, every deal equally likely; known cards
    stay in their hands. With `hands="true"` its worlds have the true hands and differ only in the stock's
    order, which gives an upper bound of what inference about the hands could add to this responder.
    """

    def __init__(
        self, bot: Bot, worlds: int = 64, turns: int = 4, hands: str = "drawn", label: str = ""
    ) -> None:
        """Set the bot, the number of worlds, and for how many decisions the bot plays all seats.

        `label` replaces the name `answers:BOT`. Raises `ValueError` for an impossible option.
        """
        if hands not in ("drawn", "true"):
            raise ValueError(f"hands is drawn or true, not {hands}")
        self.bot, self.hands = bot, hands
        self.worlds, self.turns = at_least_one("worlds", worlds), at_least_one("turns", turns)
        self.name = label or f"answers:{bot.name}"
        self.notes = (ANSWERS, *(HIDDEN,) * (hands == "true"), *notes_on(bot))

    def choose_with_state(self, state: State, rng: Rng) -> int:
        """Return the choice with the best average."""
        choices = candidates(state)
        if len(choices) == 1:
            return choices[0]
        seed, seat = rng.next64(), state.actor
        chance = Rng(seed)
        if self.hands == "true":
            worlds = [reshuffled(state.core, chance) for _ in range(self.worlds)]
        else:
            worlds = sample(state.view(seat), chance, self.worlds)
        own = self._choice(state, seat, chance)
        return best_beyond(own, choices, worlds, seat, self._finish(state), seed)

    def _choice(self, state: State, seat: int, chance: Rng) -> int:
        return code_of(self.bot.choose(state.view(seat), chance))

    def _finish(self, state: State) -> Finish:
        if isinstance(self.bot, Club):
            return played_on(SeatPolicies([self.bot.policy(state.rules, state.players)]))
        rest: Any = _policy(state.rules, state.players)

        def finish(core: Core, moves: Moves, code: int, number: int) -> None:
            ahead, draws = State(state.rules, core, state.past), Rng(number)
            ahead.apply_int(code)
            for _ in range(self.turns):
                if ahead.is_over:
                    return
                ahead.apply_int(self._choice(ahead, ahead.actor, draws))
            if not ahead.is_over:
                rest.playout(core, moves)

        return finish
