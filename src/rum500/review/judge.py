"""The judge: the loss of a decision, given what its seat could know.

It works in two stages. First it compares all candidates in the same worlds and drops the weak ones. Then it
measures the played action against those that may be the best, in *fresh* worlds (`stages`): otherwise the
loss would be too large, because the best candidate is partly one that was lucky. Where nothing is hidden,
best play is computed instead.

Each decision is judged twice. First the seat plays on like `club`, which holds melds back; then it always
lays all it can. The milder verdict counts, because a play is good or bad only together with what its player
does next.

Worlds and sums do not depend on the number of threads, and a verdict depends only on the view, the action,
the place in the record, the budget and the judge's seed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b

from rum500.ai.heuristic_levels import class_of as weights_of
from rum500.ai.heuristic_levels import weights
from rum500.bots import halving, rng_for
from rum500.bots.endings import winning_play
from rum500.bots.match_value import chances, game_class
from rum500.bots.search_bot import MOST_THREADS
from rum500.intervals import Z_OF_LOOKS, Z
from rum500.review import stages
from rum500.review.case import Case
from rum500.review.exact import exact_values
from rum500.review.loss_reasons import Measured, Why, cards_kept, explain_exact
from rum500.review.plans import CONFIRM, Plan, confirmed, plan_of
from rum500.review.stakes import UNIT
from rum500.review.verdict import (
    BAND,
    BUDGETS,
    CLASSES,
    Budget,
    Candidate,
    JudgeIdentity,
    Mark,
    Verdict,
    WayName,
    WayVerdict,
    kind_of,
    mark_of,
)
from rum500.rng import checked_seed
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.rules.ruleset import Ruleset
from rum500.values import whole_number
from rum500.view import View

VERSION = 6
"""The version of the method, increased with every change that changes verdicts."""
DECIDED = 0.005
"""A match counts as decided if the chance to win it is within this of 0 or 1."""
PLAN_SEED = 0x706C616E
"""A number that changes the seed for the worlds in which plans are confirmed, so that these worlds are fresh.
"""
SECOND_OPINION = 2_048
"""The number of worlds, drawn in the other way (`Case.worlds`), in which a decision is checked."""


class Judge:
    """Judges decisions, one at a time."""

    def __init__(self, budget: Budget = BUDGETS["usual"], threads: int = 1, seed: int = 0) -> None:
        """Set the budget, the number of threads (1 or more) and the seed of the worlds."""
        self.budget = budget
        self.threads = whole_number("the number of threads", threads, 1, MOST_THREADS)
        self.seed = checked_seed(seed)

    def identity(self, rules: Ruleset, players: int) -> JudgeIdentity:
        """Return the identity of this judge for a game. The number of threads is not part of it."""
        used = (weights(weights_of(rules, players)), chances(game_class(rules, players)))
        digest = blake2b(repr((VERSION, used)).encode(), digest_size=8).hexdigest()
        return JudgeIdentity(VERSION, digest, self.budget.name, self.seed)

    def judge(self, view: View, played: int, deal: int = 1, step: int = 1) -> Verdict | None:
        """Return the verdict on an action in a view; None if there is no other legal action.

        `deal` and `step` are the action's place in a record. Raises `ValueError` for an action that is not
        legal.
        """
        if played not in view.legal:
            raise ValueError(f"{played} is none of the actions of the view")
        if len(view.legal) == 1:
            return None
        assert view.seat is not None
        case = Case.of(view, self.threads)
        exact = self._exact(case, played)
        if exact is not None:
            return exact.verdict(deal, step)
        ways = [
            (WayName.HOLD, self._searched(case, played, deal, step)),
            (WayName.LAY, self._searched(Case.of(view, self.threads, lays=True), played, deal, step)),
        ]
        # The milder verdict comes first.
        ways.sort(key=lambda pair: (_rank(pair[1].mark), max(0.0, pair[1].loss[0])))
        milder = ways[0][1]
        found = milder.verdict(deal, step)
        plan = self._plan(milder, deal, step) if found.mark.sign else None
        return replace(found, plan=plan, ways=tuple(one.in_way(name) for name, one in ways))

    def _plan(self, found: _Finding, deal: int, step: int) -> Plan | None:
        """Return the plan of the rival with its rates in fresh worlds; None if these do not confirm it."""
        case, played, rival, watched = found.case, found.played, found.rival, found.watched
        if found.measured is None:
            return None
        plan = plan_of(found.measured, played, rival, case.view.legal, watched=watched)
        if plan is None:
            return None
        seed = rng_for(self.seed ^ PLAN_SEED, deal, step).next64()
        cards = cards_kept(decode(played), decode(rival))
        strata = case.measure([played, rival], seed, 0, CONFIRM, cards)
        again = plan_of(strata[0][1] + strata[1][1], played, rival, case.view.legal)
        return again if confirmed(plan, again) else None

    # --- solved exactly -------------------------------------------------------------------------------

    def _exact(self, case: Case, played: int) -> _Finding | None:
        """Return the finding where nothing is hidden; None if there are too many positions to solve."""
        found = exact_values(case)
        if found is None:
            return None
        values, points, worth, ranked = found.values, found.points, found.worth, found.ranked
        rival = next(code for code in ranked if code != played)
        loss = worth * (values[rival] - values[played])
        leads = {code: (worth * (values[code] - values[played]), 0.0) for code in ranked}
        chances = (values[played] / 1000, values[rival] / 1000) if found.of_match else None
        lead = float(points[rival] - points[played])
        why = explain_exact(lead, _chance_in(loss, lead, case), case.stakes, decode(played))
        sums = ((loss, loss, loss), (lead, 0.0), chances)
        return _Finding(case, played, rival, *sums, leads, frozenset(ranked), why)

    # --- judged by search -----------------------------------------------------------------------------

    def _searched(self, case: Case, played: int, deal: int, step: int) -> _Finding:
        rng = rng_for(self.seed, deal, step)
        explore, measure, opinion = rng.next64(), rng.next64(), rng.next64()
        codes = halving.candidates(case.seat.core, case.view.legal, played)[: halving.MOST_CANDIDATES]
        won = winning_play(case.view, case.seat.core)
        if won is not None and won != played:
            explored = _unexplored(played, won)
        elif len(codes) == 2:
            explored = _unexplored(*codes)
        else:
            explored = stages.explore(case, codes, explore, self.budget.explore)
        found = stages.measure(case, played, explored, measure, self.budget)
        rival, both = found.rival, found.strata[0] + found.strata[1]
        disputed = False
        checks = self.budget.judges or (bool(case.view.rules.sides) and found.loss()[1] > 0)
        if checks and found.loss()[0] > 0:
            other = stages.second_opinion(case, played, rival, opinion, SECOND_OPINION)
            alone = found.strata if self.budget.judges else ()
            disputed = any(_better(one, case) for one in (*alone, other))
        return _Finding(
            case,
            played,
            rival,
            found.loss(),
            both.lead("points", case.stakes.others),
            _chances(both) if case.stakes.of_chance else None,
            explored.leads | found.leads,
            frozenset(explored.left),
            case.why(both, played, rival, watched=found.watched),
            both.worlds,
            disputed,
            both,
            found.watched,
        )


@dataclass(frozen=True, slots=True)
class _Finding:
    """The result for a decision: the played action compared with its rival, the best of the other actions."""

    case: Case
    played: int
    rival: int
    loss: tuple[float, float, float]
    """The rival's lead in even-score points, and the lower and upper end of its interval."""
    points: tuple[float, float]
    chances: tuple[float, float] | None
    """The chance to win the match after the played action and after the rival; None if only points count."""
    leads: dict[int, tuple[float, float]]
    left: frozenset[int]
    why: Why | None = None
    worlds: int = 0
    disputed: bool = False
    measured: Measured | None = None
    """The comparison with the rival; None if exact."""
    watched: bool = True

    def in_way(self, name: WayName) -> WayVerdict:
        """Return this finding as the result for one way of playing on."""
        loss, low, high = (max(0.0, each) for each in self.loss)
        return WayVerdict(name, self._best, loss, low, high, self.mark)

    @property
    def _best(self) -> str:
        return play_text(decode(self.rival if self.loss[0] > 0 else self.played), self.case.view)

    def verdict(self, deal: int, step: int) -> Verdict:
        """Return the finding as a verdict."""
        view = self.case.view
        assert view.seat is not None
        loss, low, high = (max(0.0, each) for each in self.loss)
        lost = loss > 0
        return Verdict(
            deal,
            step,
            view.seat,
            kind_of(decode(self.played), decode(self.rival)),
            play_text(decode(self.played), view),
            self._best,
            loss,
            low,
            high,
            self.points[0] if lost else 0.0,
            self.points[1],
            self._chance_lost(lost),
            self.mark,
            self.worlds == 0,
            self.disputed,
            self.worlds,
            self._candidates(),
            replace(self.why, half=self._points_half(high - low)) if lost and self.why else None,
        )

    def _points_half(self, width: float) -> float:
        """Return half the width of the interval of `points`; half of `width` if the loss is in points."""
        return width / 2 if self.case.stakes.kind == "points" else Z_OF_LOOKS * self.points[1]

    def _chance_lost(self, lost: bool) -> float | None:
        if self.chances is None:
            return None
        played, rival = self.chances
        return rival - played if lost else 0.0

    @property
    def mark(self) -> Mark:
        """The mark by this finding alone."""
        if self.case.stakes.kind == "match" and self.chances is not None and _is_decided(self.chances):
            return Mark.DECIDED
        mark = mark_of(self.loss[0], self.loss[1], self.case.deviation)
        return min(mark, Mark.DOUBTFUL, key=CLASSES.index) if self.disputed else mark

    def _candidates(self) -> tuple[Candidate, ...]:
        """Return all candidates, best first. Leads that were not measured again are less exact."""
        best = max(lead for lead, _ in self.leads.values())
        top = self.rival if self.loss[0] > 0 else self.played
        band = BAND * self.case.deviation
        found = []
        for code in sorted(self.leads, key=lambda code: (code != top, -self.leads[code][0], code)):
            lead, error = self.leads[code]
            near = best - lead <= max(band, Z * error)
            shown = code in self.left or code in (self.played, self.rival)
            found.append(
                Candidate(code, play_text(decode(code), self.case.view), lead, error, near and shown)
            )
        return tuple(found)


def _unexplored(played: int, rival: int) -> stages.Explored:
    return stages.Explored({played: (0.0, 0.0), rival: (0.0, 0.0)}, (), 0)


def _rank(mark: Mark) -> int:
    """Return how severe a mark is."""
    return -1 if mark is Mark.DECIDED else CLASSES.index(mark)


def _is_decided(chances: tuple[float, float]) -> bool:
    return max(chances) < DECIDED or min(chances) > 1 - DECIDED


def _better(measured: Measured, case: Case) -> bool:
    lead, error = measured.lead("value", case.unit)
    return lead < 0 and -lead >= 2 * error


def _chance_in(loss: float, points: float, case: Case) -> float | None:
    """Return the part of a loss that is chance to win, given the part that is points; None if only points
    count.
    """
    what = case.stakes
    if not what.of_chance:
        return None
    return (loss - points * what.of_points / UNIT) * case.unit / (1000 * what.of_chance)


def _chances(measured: Measured) -> tuple[float, float]:
    played, best = measured.means("chance")
    return played / 1000, best / 1000
