"""Compares the plays of a decision, once for each way of playing on (`WayName`).

For each way, all plays are explored in the same worlds; then those that may be the best are measured in
fresh worlds (`rum500.review.comparison`). The opponents play as in every review: in half of the worlds like
`club`, in the others they lay all they can. The advice depends only on the view, the budget and the seed: not
on the play that was made, on hidden cards, or on the number of threads.
"""

from __future__ import annotations

from rum500.bots.search_bot import MOST_THREADS
from rum500.coach.advice import CLEAR, Advice, PlayLoss, Way
from rum500.intervals import Z_OF_LOOKS
from rum500.review import stages
from rum500.review.case import Case
from rum500.review.comparison import HINT, Comparison, compare, plan_behind
from rum500.review.exact import ExactValues, exact_values
from rum500.review.judge import SECOND_OPINION
from rum500.review.loss_reasons import Measured
from rum500.review.verdict import Budget, WayName, kind_of
from rum500.rng import Rng, checked_seed
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.values import whole_number
from rum500.view import View

AGAIN = 1_024
"""The number of worlds in which a lead that is likely, but not clear, is measured again in games with sides.

There worlds come from a few samples of hidden hands, which are alike, so the standard error of a small number
of worlds is too small: of 10 leads that were likely in 400 worlds, 1,024 more contradicted two.
"""


class Adviser:
    """Advises seats, on one decision at a time."""

    def __init__(self, budget: Budget = HINT, threads: int = 1, seed: int = 0, *, plans: bool = True) -> None:
        """Set the budget, the number of threads (1 or more) and the seed of the worlds.

        Without `plans`, the advice is the same and names no plan; that takes less time.
        """
        self.budget = budget
        self.threads = whole_number("the number of threads", threads, 1, MOST_THREADS)
        self.seed = checked_seed(seed)
        self.plans = plans

    def advise(self, view: View) -> Advice | None:
        """Return the advice to the view's seat; None if the seat has only one legal action.

        Raises `ValueError` if the seat has nothing to decide.
        """
        if not view.legal or view.seat is None:
            raise ValueError(f"seat {view.seat} has nothing to decide")
        if len(view.legal) == 1:
            return None
        case = Case.of(view, self.threads)
        exact = exact_values(case)
        if exact is not None:
            hold, lay = (_exact_way(name, case, exact) for name in WayName)
        else:
            hold = self._way(WayName.HOLD, case)
            lay = self._way(WayName.LAY, Case.of(view, self.threads, lays=True))
        first, second = (decode(one.code) for one in hold.losses[:2])
        return Advice(view.seat, kind_of(first, second), case.deviation, (hold, lay))

    def _way(self, name: WayName, case: Case) -> Way:
        """Return the comparison of the plays for the way of playing on `name`, which `case` models."""
        view, found = case.view, compare(case, self.seed, self.budget)
        losses = [
            PlayLoss(code, play_text(code, view), max(0.0, -lead), error)
            for code, (lead, error) in found.leads.items()
            if code != found.best
        ]
        losses.sort(key=lambda one: (one.code != found.second, one.loss, one.code))
        half = Z_OF_LOOKS * found.error
        plan = None
        if found.sure and self.plans:
            plan = plan_behind(case, found.second, found.best, found.measured, self.seed, watched=False)
        return Way(
            name,
            (PlayLoss(found.best, play_text(found.best, view), 0.0, 0.0), *losses),
            found.lead,
            found.lead - half,
            found.lead + half,
            _chances(found.measured) if case.stakes.of_chance else None,
            found.measured.worlds,
            plan,
            bool(view.rules.sides) and _is_disputed(case, found),
        )


def _is_disputed(case: Case, found: Comparison) -> bool:
    """Return whether more worlds contradict the lead of the best play over the second best.

    They do if the second best play leads by two standard errors or more in worlds of
    `Case.worlds(other=True)`, or if the evidence is likely, and in `AGAIN` more worlds the lead over the
    second best, or over the least sure of the others, is not certain.
    """
    two = found.second, found.best
    lead, error = stages.second_opinion(case, *two, found.opinion, SECOND_OPINION).lead("value", case.unit)
    if lead < 0 and -lead >= 2 * error:
        return True
    lows = {code: -lead - Z_OF_LOOKS * error for code, (lead, error) in found.leads.items()}
    lows[found.second] = found.low
    weakest = min(lows.keys() - {found.best}, key=lambda code: (lows[code], code))
    if not 0 < lows[weakest] < CLEAR:
        return False
    rivals = dict.fromkeys((found.second, weakest))
    strata = case.measure([found.best, *rivals], Rng(found.opinion).next64(), 0, AGAIN)
    second, *other = map(Measured.__add__, *(stratum[1:] for stratum in strata))
    leads = [one.lead("value", case.unit) for one in (second + found.measured.reversed, *other)]
    return any(lead + Z_OF_LOOKS * error >= 0 for lead, error in leads)


def _chances(measured: Measured) -> tuple[float, float]:
    """Return the chance to win the match after the best play and after the next best."""
    second, best = measured.means("chance")
    return best / 1000, second / 1000


def _exact_way(name: WayName, case: Case, exact: ExactValues) -> Way:
    ranked, values = exact.ranked, exact.values
    best, second = ranked[:2]
    losses = tuple(
        PlayLoss(code, play_text(code, case.view), exact.points_per_unit * (values[best] - values[code]), 0.0)
        for code in ranked
    )
    gain = losses[1].loss
    chances = (values[best] / 1000, values[second] / 1000) if exact.of_match else None
    return Way(name, losses, gain, gain, gain, chances, 0)
