"""The judge: the loss of a decision, given what its seat could know.

The judge works in two stages. First it compares all plays; a hint begins with the same `comparison`. Then it
measures the played action against the plays that may be the best, in *fresh* worlds (`stages`). In the worlds
of the comparison the loss would be too large, because the best candidate is partly a lucky one. If the
comparison shows with certainty which play is the best, this play is the only rival, so a verdict never
contradicts a sure hint. Where nothing is hidden, the values with best play are computed instead.

Each decision is judged for two ways of playing on: like `club`, which holds melds back, and always laying all
one can. The milder verdict counts, because a play is good or bad only together with the plays that follow it.
The other verdict is measured in fewer worlds.

Worlds and sums do not depend on the number of threads, and a verdict depends only on the view, the action,
the action's place in the game's record, the budget and the judge's seed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b

from rum500.ai.heuristic_levels import class_of as weights_of
from rum500.ai.heuristic_levels import weights
from rum500.bots import rng_for
from rum500.bots.match_value import chances, game_class
from rum500.bots.search_bot import MOST_THREADS
from rum500.intervals import Z_OF_LOOKS, Z
from rum500.review import stages
from rum500.review.case import Case
from rum500.review.comparison import HINT, Comparison, compare, plan_behind
from rum500.review.exact import exact_comparison, exact_values
from rum500.review.loss_reasons import Measured, Why, explain_exact
from rum500.review.plans import Plan
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
    half_width,
    is_decided,
    kind_of,
    mark_of,
)
from rum500.rng import Rng, checked_seed
from rum500.rules.action_codes import decode
from rum500.rules.notation import play_text
from rum500.rules.ruleset import Ruleset
from rum500.values import whole_number
from rum500.view import View

VERSION = 8
"""The version of the method, increased with every change that changes verdicts."""
LESS = 1_024
"""The most worlds for the way of playing on that does not count, unless the budget is thorough."""
SECOND_OPINION = 2_048
"""The number of worlds, drawn the other way (`Case.worlds`), in which a loss is checked."""


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
        # The third key makes these worlds differ from those of the comparison.
        rng = rng_for(self.seed, deal, step, 1)
        ways = self._ways(case, Case.of(view, self.threads, lays=True), played, rng)
        milder = _with_reasons(ways[0][1])
        found = milder.verdict(deal, step)
        plan = self._plan(milder) if found.mark.sign else None
        return replace(found, plan=plan, ways=tuple(one.in_way(name) for name, one in ways))

    def _ways(self, hold: Case, lay: Case, played: int, rng: Rng) -> list[tuple[WayName, _Finding]]:
        """Return the findings for both ways of playing on, the milder first.

        The way with the smaller loss in the comparison gets the whole budget, the other way a part of it.
        """
        measure, opinion = rng.next64(), rng.next64()
        cases = [(name, case, self._compared(case)) for name, case in zip(WayName, (hold, lay), strict=True)]
        cases.sort(key=lambda one: -one[2].leads.get(played, (0.0, 0.0))[0])
        found = [
            (name, self._searched(case, played, record, (measure, opinion), budget))
            for (name, case, record), budget in zip(cases, (self.budget, self._other_budget), strict=True)
        ]
        if _severity(found[1][1]) < _severity(found[0][1]):
            name, case, record = cases[1]
            seeds, begun = (measure, opinion), found[1][1].rivalry
            found[1] = name, self._searched(case, played, record, seeds, self.budget, begun)
        return sorted(found, key=lambda pair: _severity(pair[1]))

    def _compared(self, case: Case) -> Comparison:
        budget = replace(HINT, worlds=min(HINT.worlds, self.budget.worlds), explore=self.budget.explore)
        return compare(case, self.seed, budget)

    @property
    def _other_budget(self) -> Budget:
        """The budget for the way of playing on that does not count."""
        budget = self.budget
        return budget if budget.thorough else replace(budget, worlds=min(budget.worlds, LESS))

    def _plan(self, found: _Finding) -> Plan | None:
        if found.measured is None:
            return None
        case, measured = found.case, found.measured
        return plan_behind(case, found.played, found.rival, measured, self.seed, watched=found.watched)

    # --- solved exactly -------------------------------------------------------------------------------

    def _exact(self, case: Case, played: int) -> _Finding | None:
        """Return the exact finding; None if cards are hidden or too many positions can follow."""
        found = exact_values(case)
        if found is None:
            return None
        values, points, worth, ranked = found.values, found.points, found.points_per_unit, found.ranked
        rival = next(code for code in ranked if code != played)
        loss = worth * (values[rival] - values[played])
        leads = {code: (worth * (values[code] - values[played]), 0.0) for code in ranked}
        chances = (values[played] / 1000, values[rival] / 1000) if found.of_match else None
        lead = float(points[rival] - points[played])
        chance, plays = _chance_in(loss, lead, case), (decode(played), decode(rival))
        ends = exact_comparison(case, played, rival) if loss > 0 else None
        why = explain_exact(lead, chance, case.stakes, *plays, ends)
        sums = ((loss, loss, loss), (lead, 0.0), chances)
        return _Finding(case, played, rival, *sums, leads, frozenset(ranked), why)

    # --- judged by search -----------------------------------------------------------------------------

    def _searched(
        self,
        case: Case,
        played: int,
        record: Comparison,
        seeds: tuple[int, int],
        budget: Budget,
        begun: stages.Rivalry | None = None,
    ) -> _Finding:
        explored = record.seen_from(played, everything=budget.thorough)
        left = frozenset(record.left) | {record.best}
        if played == record.best and record.sure and not budget.thorough:
            return _found_best(case, record, explored, left)
        found = stages.measure(case, played, explored, seeds[0], budget, begun)
        rival, both = found.rival, found.strata[0] + found.strata[1]
        disputed = False
        checks = budget.judges or (bool(case.view.rules.sides) and found.loss()[1] > 0)
        if checks and found.loss()[0] > 0:
            other = stages.second_opinion(case, played, rival, seeds[1], SECOND_OPINION)
            alone = found.strata if budget.judges else ()
            disputed = any(_better(one, case) for one in (*alone, other))
        return _Finding(
            case,
            played,
            rival,
            found.loss(),
            both.lead("points", case.stakes.others),
            _chances(both) if case.stakes.of_chance else None,
            explored.leads | found.leads,
            left,
            worlds=both.worlds,
            disputed=disputed,
            measured=both,
            rivalry=found,
            seed=seeds[0],
        )


@dataclass(frozen=True, slots=True)
class _Finding:
    """The judgement of a decision: the played action compared with its rival, the best other action."""

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
    watched: bool = False
    """Whether `measured` counts how often the cards that the rival puts away stay in the hand."""
    rivalry: stages.Rivalry | None = None
    """The measurement in fresh worlds; None if there was none."""
    seed: int = 0
    """The seed of these worlds."""

    def in_way(self, name: WayName) -> WayVerdict:
        """Return this finding as the result for one way of playing on."""
        loss, low, high = (max(0.0, each) for each in self.loss)
        return WayVerdict(name, self._best, loss, low, high, self.mark)

    @property
    def _best(self) -> str:
        return play_text(decode(self.rival if self.loss[0] > 0 else self.played), self.case.view)

    def verdict(self, deal: int, step: int) -> Verdict:
        """Return the finding as the verdict on play number `step` of deal number `deal`."""
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
            replace(self.why, half=self._points_half(loss, low, high)) if lost and self.why else None,
        )

    def _points_half(self, loss: float, low: float, high: float) -> float:
        """Return half the width of `points`' interval; if only points count, that of the loss's interval."""
        kind = self.case.stakes.kind
        return half_width(loss, low, high) if kind == "points" else Z_OF_LOOKS * self.points[1]

    def _chance_lost(self, lost: bool) -> float | None:
        if self.chances is None:
            return None
        played, rival = self.chances
        return rival - played if lost else 0.0

    @property
    def mark(self) -> Mark:
        """The mark by the loss of this finding; at most `doubtful` if it is disputed."""
        if self.case.stakes.kind == "match" and self.chances is not None and is_decided(self.chances):
            return Mark.DECIDED
        mark = mark_of(self.loss[0], self.loss[1], self.case.deviation)
        return min(mark, Mark.DOUBTFUL, key=CLASSES.index) if self.disputed else mark

    def _candidates(self) -> tuple[Candidate, ...]:
        """Return all candidates, best first. Leads from the first stage alone are less exact."""
        top = self.rival if self.loss[0] > 0 else self.played
        best = self.leads[top][0]
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


def _found_best(case: Case, record: Comparison, explored: stages.Explored, left: frozenset[int]) -> _Finding:
    """Return the finding for a played action that is certainly the best according to `record`."""
    measured = record.measured.reversed
    high = max(0.0, -record.low)
    return _Finding(
        case,
        record.best,
        record.second,
        (-record.lead, -record.lead - Z_OF_LOOKS * record.error, high),
        measured.lead("points", case.stakes.others),
        _chances(measured) if case.stakes.of_chance else None,
        explored.leads,
        left,
        worlds=measured.worlds,
    )


def _with_reasons(found: _Finding) -> _Finding:
    """Return a finding with the components of its loss."""
    if found.rivalry is None:
        return found
    case, played, rival = found.case, found.played, found.rival
    strata, watched = stages.with_cards(case, played, found.rivalry, found.seed)
    measured = strata[0] + strata[1]
    why = case.why(measured, played, rival, watched=watched)
    return replace(found, measured=measured, watched=watched, why=why)


def _severity(found: _Finding) -> tuple[int, float]:
    """Return a sort key for the severity of a finding: the rank of its mark, then its loss."""
    return _rank(found.mark), max(0.0, found.loss[0])


def _rank(mark: Mark) -> int:
    """Return the severity of a mark: -1 for a decided match, 0 for a good play, and so on."""
    return -1 if mark is Mark.DECIDED else CLASSES.index(mark)


def _better(measured: Measured, case: Case) -> bool:
    lead, error = measured.lead("value", case.unit)
    return lead < 0 and -lead >= 2 * error


def _chance_in(loss: float, points: float, case: Case) -> float | None:
    """Return the chance to win the match, 0 to 1, that was lost in addition to `points`; None if only points
    count. `loss` is the whole loss in even-score points.
    """
    what = case.stakes
    if not what.of_chance:
        return None
    return (loss - points * what.of_points / UNIT) * case.unit / (1000 * what.of_chance)


def _chances(measured: Measured) -> tuple[float, float]:
    played, best = measured.means("chance")
    return played / 1000, best / 1000
