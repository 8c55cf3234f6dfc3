"""The coach's comparison of all plays of a decision, for one way of playing on.

Hints, verdicts, drills and puzzles begin with this comparison, so that they name the same best play. It
depends only on the view, the budget and the seed, not on the action that was played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rum500.bots import halving, rng_for
from rum500.bots.endings import winning_play
from rum500.intervals import Z_OF_LOOKS
from rum500.review import stages
from rum500.review.case import Case
from rum500.review.loss_reasons import Measured, cards_kept, others_of
from rum500.review.plans import CONFIRM, Plan, confirmed, plan_of
from rum500.review.stages import Explored, Lead
from rum500.review.verdict import Budget
from rum500.rules.action_codes import decode
from rum500.rules.actions import LayOff, Meld

HINT = Budget("hint", 400, whole=True)
"""The budget of a comparison, small so that a hint is quick: 400 worlds to explore, 400 fresh to measure."""
PLAN_SEED = 0x706C616E
"""A number that changes the seed for the worlds in which plans are confirmed, so that these worlds are fresh.
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The plays of a decision, compared in the same worlds."""

    best: int
    """The best play."""
    second: int
    """The best of the other plays."""
    lead: float
    """The lead of the best play over the second, in even-score points, measured in fresh worlds."""
    error: float
    """The standard error of `lead`."""
    leads: dict[int, Lead]
    """The lead of each play over the best one, 0 or less except by chance; the best one is among them."""
    left: tuple[int, ...]
    """The plays that may be the best."""
    wins: bool
    """Whether the best play wins the match at once."""
    measured: Measured
    """The second play compared with the best one."""
    opinion: int
    """A seed for comparing `best` and `second` in worlds drawn the other way (`Case.worlds`)."""

    @property
    def low(self) -> float:
        """The lower end of the lead's 95 % interval."""
        return self.lead - Z_OF_LOOKS * self.error

    @property
    def sure(self) -> bool:
        """Whether the best play is better than all others with certainty."""
        return self.wins or self.low > 0

    def seen_from(self, played: int, *, everything: bool = False) -> Explored:
        """Return the leads over the played action, and its rivals.

        The rivals are all plays that may be the best. The best play is the only rival if it wins the match at
        once or, without `everything`, if it is sure and was not played.
        """
        alone = self.wins or (self.sure and not everything and self.best != played)
        rivals = (self.best,) if alone else self.left
        if played not in self.leads:  # of many melds with jokers, some are not compared
            return Explored({played: (0.0, 0.0)} | dict.fromkeys(rivals, (0.0, 0.0)), rivals, 0)
        return Explored(self.leads, rivals, self.measured.worlds).seen_from(played)


def compare(case: Case, seed: int, budget: Budget = HINT) -> Comparison:
    """Compare the plays of a decision that has two or more legal actions."""
    view, core = case.view, case.seat.core
    rng = rng_for(seed, view.number, len(view.past) + 1)
    explore, measure, opinion = rng.next64(), rng.next64(), rng.next64()
    codes = halving.candidates(core, view.legal, view.legal[0])[: halving.MOST_CANDIDATES]
    won = winning_play(view, core)
    if len(codes) == 2:
        explored = Explored(dict.fromkeys(codes, (0.0, 0.0)), tuple(codes), 0)
    else:
        explored = stages.explore(case, codes, explore, budget.explore)
    wins = won is not None and won in codes
    top = won if won is not None and wins else explored.left[0]
    seen = explored.seen_from(top)
    found = stages.measure(case, top, seen, measure, budget)
    leads = seen.leads | found.leads
    lead, error = found.leads[found.rival]
    measured = found.strata[0] + found.strata[1]
    best, second = (found.rival, top) if lead > 0 and not wins else (top, found.rival)
    if best == top:
        measured, lead = measured.reversed, -lead
    leads[top] = leads[top][0], error
    base = leads[best][0]
    return Comparison(
        best,
        second,
        lead,
        error,
        {code: (its - base, far) for code, (its, far) in leads.items()},
        explored.left,
        wins,
        measured,
        opinion,
    )


def plan_behind(
    case: Case, played: int, best: int, measured: Measured, seed: int, *, watched: bool
) -> Plan | None:
    """Return the plan by which the best action beats the played one, with its rates in fresh worlds.

    `measured` compares the two. `watched` says whether `measured` counts how often the cards that the best
    action puts away stay in the hand; if not, and the best action lays cards, the comparison is repeated with
    this count. Returns None if there is no plan, or if the fresh worlds do not confirm it.
    """
    rng = rng_for(seed ^ PLAN_SEED, case.view.number, len(case.view.past) + 1)
    worlds = max(CONFIRM, measured.worlds)
    if not watched and isinstance(decode(best), Meld | LayOff):
        measured, watched = _with_cards(case, played, best, rng.next64(), worlds), True
    plan = plan_of(measured, played, best, case.view.legal, watched=watched)
    if plan is None:
        return None
    fresh = _with_cards(case, played, best, rng.next64(), worlds)
    again = plan_of(fresh, played, best, case.view.legal)
    if again is None or not confirmed(plan, again):
        return None
    return replace(again, others=others_of(case.stakes.others, sides=case.stakes.sides))


def _with_cards(case: Case, played: int, best: int, seed: int, worlds: int) -> Measured:
    """Compare two actions, counting how often cards that the best one puts away stay in the hand."""
    cards = cards_kept(decode(played), decode(best))
    one, two = case.measure([played, best], seed, 0, worlds, cards)
    return one[1] + two[1]
