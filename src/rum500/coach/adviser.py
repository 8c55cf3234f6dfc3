"""Compares the plays of a decision, once for each way of playing on (`WayName`).

For each way, all plays are explored in the same worlds; then those that may be the best are measured in
fresh worlds (`rum500.review.comparison`). The opponents play as in every review: in half of the worlds like
`club`, in the others they lay all they can. The advice depends only on the view, the budget and the seed: not
on the play that was made, on hidden cards, or on the number of threads.
"""

from __future__ import annotations

from rum500.bots.search_bot import MOST_THREADS
from rum500.coach.advice import Advice, PlayLoss, Way
from rum500.intervals import Z_OF_LOOKS
from rum500.review import stages
from rum500.review.case import Case
from rum500.review.comparison import HINT, compare, plan_behind
from rum500.review.exact import ExactValues, exact_values
from rum500.review.judge import SECOND_OPINION
from rum500.review.loss_reasons import Measured
from rum500.review.verdict import Budget, WayName, kind_of
from rum500.rng import checked_seed
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.values import whole_number
from rum500.view import View


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
            bool(view.rules.sides) and self._is_disputed(case, found.best, found.second, found.opinion),
        )

    @staticmethod
    def _is_disputed(case: Case, best: int, second: int, seed: int) -> bool:
        """Return whether the second best play beats the best one in worlds of `Case.worlds(other=True)`.

        Its lead must be at least two standard errors.
        """
        lead, error = stages.second_opinion(case, second, best, seed, SECOND_OPINION).lead("value", case.unit)
        return lead < 0 and -lead >= 2 * error


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
