"""The luck of each seat in a deal, measured as in reviews."""

from __future__ import annotations

from collections.abc import Iterator

from rum500.ai.heuristic_levels import policy
from rum500.bots.policy_bots import Casual
from rum500.review.luck import luck_of_deal
from rum500.review.played_deal import KINDS, PlayedAction, PlayedDeal
from rum500.sim.simulation_plan import SimulationPlan, seat_bots
from rum500.state import State

LUCK_VALUES = 3
"""The number of values of a seat: the mean margin of its place, the luck of the hands, that of draws."""
PARTS = 1000
"""Values are in units of 1 / `PARTS` of a point."""


class DealLuckMeter:
    """Watches a deal being played, and then measures its luck."""

    def __init__(self, plan: SimulationPlan, orders: int) -> None:
        """Prepare to measure over this number of orders of the stock.

        The bot of a seat decides beforehand with which policy its luck is measured, so that no card of a deal
        affects the measurement.
        """
        self.plan = plan
        self.orders = orders
        bots = seat_bots(plan.bots, plan.players)
        self.kinds = tuple(KINDS[isinstance(bot, Casual)] for bot in bots)
        self.policies = [policy(plan.rules, plan.players, kind) for kind in KINDS]
        self.choices: list[PlayedAction] = []
        self.state: State | None = None

    def __call__(self, state: State, code: int) -> None:
        """Record an action that is about to be applied."""
        free = len(state.legal_ints()) > 1
        club, casual = (kind.choice(state.core) if free else code for kind in self.policies)
        self.choices.append(PlayedAction(len(self.choices) + 1, state.copy(), code, club, casual, free))
        self.state = state

    def finish(self, number: int) -> Iterator[int]:
        """Yield `LUCK_VALUES` values for each seat in finished deal `number`, in 1 / `PARTS` of a point."""
        assert self.state is not None
        played = PlayedDeal(number + 1, self.plan.rules, tuple(self.choices), self.state)
        self.choices = []
        luck = luck_of_deal(played, self.kinds, orders=self.orders)
        for seat in range(self.plan.players):
            drawn = sum(draw.gains[seat] for draw in luck.draws)
            for value in (luck.mean[seat], luck.dealt[seat], drawn):
                yield round(PARTS * value)
