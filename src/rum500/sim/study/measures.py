"""The measures of a study: their figures in a cell, and the differences between cells.

Each measure has a value for each deal; the figure is the mean of these values, or a smooth function of means.
The standard error follows from the spread of the values between deals (the delta method). Cells are played on
the same seeds, so the error of a difference follows from the differences deal by deal.

Sums are exact (`math.fsum`), and products are those of IEEE 754, so the figures do not depend on the machine.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any

from rum500.intervals import Z
from rum500.review.luck_factors import luck_factors
from rum500.sim.simulation_plan import COURSE, LEAD
from rum500.sim.study.deal_luck import LUCK_VALUES, PARTS

if TYPE_CHECKING:
    from rum500.sim.study.cell_plan import CellPlan

LUCK = frozenset(("dealt", "drawn", "played", "explained"))
"""The measures that need the luck of each deal."""


@dataclass(frozen=True, slots=True)
class CellFigure:
    """A value with its 95 % interval."""

    value: float
    """The value."""
    half: float
    """The half-width of the interval."""

    @property
    def low(self) -> float:
        """The lower end."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """The upper end."""
        return self.value + self.half


@dataclass(frozen=True, slots=True)
class CellDifference(CellFigure):
    """A cell's figure less the compared cell's; the interval follows from the differences deal by deal."""

    unpaired: float
    """The half-width that the interval would have if the cells had different deals."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0."""
        return abs(self.value) > self.half


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that a study can measure."""

    name: str
    """The name in the file of a study."""
    title: str
    """The heading."""
    meaning: str
    """What is measured, in a sentence without a full stop."""
    share: bool
    """Whether the figure is a share, shown in per cent."""
    of: Callable[[CellPlan, Any], tuple[float, Any]]
    """The function from a plan and its rows to the figure, and to the values of deals whose mean it is."""

    def text(self, value: float, half: float | None = None, *, signed: bool = False) -> str:
        """Return a number as text, with `half`, the half-width of its interval, if it is given.

        The number has as many decimals as the half-width, which has about two digits. Without `half` the text
        labels a mark on a chart's scale.
        """
        scale = 100 if self.share else 1
        unit = " %" if self.share else ""
        if half is None:
            return _number(scale * value, f"{'+' if signed else ''}.10g") + unit
        whole = not half and not scale * value % 1
        places = (
            0 if whole or scale * half >= 10 else 1 if scale * half >= 1 else 2 if scale * half >= 0.1 else 3
        )
        number = _number(scale * value, f"{'+' if signed else ''},.{places}f")
        return f"{number} ± {scale * half:.{places}f}{unit}"


def _number(value: float, form: str) -> str:
    text = f"{value:{form}}".replace("-", "−")
    bare = text.lstrip("+−")
    return text if bare.strip("0.,") else bare


def estimates(plan: CellPlan, rows: array[int], names: Sequence[str]) -> dict[str, tuple[float, Any]]:
    """Return, by the name of a measure, its figure in a cell and its values for the deals of the cell."""
    import numpy as np  # noqa: PLC0415 - in the extra lab

    table = np.asarray(rows, dtype=np.int64).reshape(-1, plan.width)
    return {name: MEASURES[name].of(plan, table) for name in names}


def measured(measure: Measure, figure: float, values: Any) -> CellFigure:
    """Return a figure with its interval.

    If a share has the same value in all deals, the interval extends 3 / deals to each side.
    """
    error = _error(values)
    return CellFigure(figure, Z * error if error or not measure.share else 3 / len(values))


def difference(of: tuple[float, Any], base: tuple[float, Any]) -> CellDifference:
    """Return the figure of `of` less that of `base`: (figure, values) of cells played on the same seeds."""
    unpaired = sqrt(_error(of[1]) ** 2 + _error(base[1]) ** 2)
    return CellDifference(of[0] - base[0], Z * _error(of[1] - base[1]), Z * unpaired)


def _mean(values: Any) -> float:
    return fsum(values.tolist()) / len(values)


def _error(values: Any) -> float:
    count = len(values)
    strays = values - _mean(values)
    return sqrt(fsum((strays * strays).tolist()) / (count * (count - 1)))


# Each function returns the figure, and the values by deal whose mean is the figure.


def _plain(values: Any) -> tuple[float, Any]:
    return _mean(values), values


def _points_of(plan: CellPlan, table: Any) -> Any:
    return table[:, LEAD : plan.simulated]


def _margins(plan: CellPlan, table: Any) -> tuple[Any, int]:
    """Return (margins, parts): each seat's margin in each deal, as an integer number of parts of a point.

    A point has `parts` parts. If there are sides, the margins are those of the sides.
    """
    points, players = _points_of(plan, table), plan.simulation.players
    totals = points.sum(axis=1, keepdims=True)
    if plan.simulation.rules.sides:
        own = points.copy()
        for seat in range(players):
            own[:, seat] += points[:, (seat + 2) % players]
        return 2 * own - totals, 1
    return players * points - totals, players - 1


def _points(plan: CellPlan, table: Any) -> tuple[float, Any]:
    return _plain(_points_of(plan, table).sum(axis=1) / plan.simulation.players)


def _first(plan: CellPlan, table: Any) -> tuple[float, Any]:
    (margins, parts), simulation = _margins(plan, table), plan.simulation
    seats = [(simulation.dealer_of(number) + 1) % simulation.players for number in range(len(margins))]
    return _plain(margins[range(len(margins)), seats] / parts)


def _lead(plan: CellPlan, table: Any) -> tuple[float, Any]:
    margins, parts = _margins(plan, table)
    return _plain(margins[:, 0] / parts)


def _ahead(plan: CellPlan, table: Any) -> tuple[float, Any]:
    margins, _ = _margins(plan, table)
    if plan.simulation.rules.sides:
        margins = margins[:, :2]  # partners have the same margin
    best = margins == margins.max(axis=1, keepdims=True)
    return _plain(best[:, 0] / best.sum(axis=1))


def _spread(plan: CellPlan, table: Any) -> tuple[float, Any]:
    margins, parts = _margins(plan, table)
    squares = (margins * margins).sum(axis=1) / (plan.simulation.players * parts * parts)
    mean = _mean(squares)
    spread = sqrt(mean)
    return spread, spread + (squares - mean) / (2 * spread) if spread else squares


def _out(plan: CellPlan, table: Any) -> tuple[float, Any]:
    return _plain((table[:, 2] >= 0) * 1.0)


def _actions(plan: CellPlan, table: Any) -> tuple[float, Any]:
    return _plain(table[:, 0])


def _course(at: int) -> Callable[[CellPlan, Any], tuple[float, Any]]:
    def of(plan: CellPlan, table: Any) -> tuple[float, Any]:
        return _plain(table[:, plan.simulated + at] / plan.simulation.players)

    return of


def _luck_of(plan: CellPlan, table: Any) -> tuple[Any, Any, Any]:
    """Return three arrays by deal and seat: margins, their parts from cards dealt, and from cards drawn.

    The mean margin of the seat's place after the dealer is subtracted from each margin.
    """
    luck = table[:, plan.simulated + COURSE :] / PARTS
    place, dealt, drawn = (luck[:, at::LUCK_VALUES] for at in range(LUCK_VALUES))
    margins, parts = _margins(plan, table)
    return margins / parts - place, dealt, drawn


def _summed(values: Any) -> Any:
    """Return the sum of the values of each deal, added column by column.

    numpy's own sum could add in another order, and so round differently.
    """
    return sum(values[:, seat] for seat in range(values.shape[1]))


def _ratio(parts: Any, whole: Any) -> tuple[float, Any]:
    mean = _mean(whole)
    ratio = _mean(parts) / mean
    return ratio, ratio + (parts - ratio * whole) / mean


def _share(of: Callable[[Any, Any, Any], Any]) -> Callable[[CellPlan, Any], tuple[float, Any]]:
    """Return a function that computes which share of the variance of margins comes from a part of them.

    The share is the part's covariance with the margin, divided by the variance. A margin is the sum of its
    parts, so the shares of all parts add up to 1. Measuring luck over few orders of the stock causes no bias
    here, because the order that was played is not among them.
    """

    def share(plan: CellPlan, table: Any) -> tuple[float, Any]:
        margins, dealt, drawn = _luck_of(plan, table)
        return _ratio(_summed(margins * of(margins, dealt, drawn)), _summed(margins * margins))

    return share


def _explained(plan: CellPlan, table: Any) -> tuple[float, Any]:
    factors = luck_factors(plan.simulation.rules, plan.simulation.players)
    margins, dealt, drawn = _luck_of(plan, table)
    rest = margins - float(factors.deal) * dealt - float(factors.draws) * drawn
    share, values = _ratio(_summed(rest * rest), _summed(margins * margins))
    return 1 - share, 1 - values


_ALL = (
    Measure("points", "Points", "points of a player in a deal", False, _points),
    Measure(
        "first",
        "First player",
        "points of the first to play less the mean of the others', or of that side less the other side's",
        False,
        _first,
    ),
    Measure(
        "lead",
        "Lead of seat 0",
        "points of seat 0 less the mean of the others', or of its side less the other side's",
        False,
        _lead,
    ),
    Measure(
        "ahead",
        "Seat 0 best",
        "share of deals in which seat 0, or its side, has most points; ties are shared",
        True,
        _ahead,
    ),
    Measure(
        "spread",
        "Spread",
        "root of the mean square of a player's lead over the mean of the others, or of a side's lead",
        False,
        _spread,
    ),
    Measure("rounds", "Turns", "turns of a player in a deal", False, _course(0)),
    Measure("actions", "Actions", "actions in a deal, of all players", False, _actions),
    Measure("out", "Going out", "share of deals in which somebody goes out", True, _out),
    Measure(
        "takes",
        "Takes",
        "times that a player takes from the pile in a deal, calls included",
        False,
        _course(1),
    ),
    Measure("taken", "Cards taken", "cards that a player takes from the pile in a deal", False, _course(2)),
    Measure(
        "dealt",
        "Hands dealt",
        "share of the variance of a player's result that the hands and the upcard decide",
        True,
        _share(lambda margins, dealt, drawn: dealt),
    ),
    Measure(
        "drawn",
        "Cards drawn",
        "share that the cards drawn from the stock decide",
        True,
        _share(lambda margins, dealt, drawn: drawn),
    ),
    Measure(
        "played",
        "Other plays",
        "share that plays decide which `club` would not have made",
        True,
        _share(lambda margins, dealt, drawn: margins - dealt - drawn),
    ),
    Measure(
        "explained",
        "Taken out",
        "share of the variance that goes away when luck is subtracted, with the factors of a review",
        True,
        _explained,
    ),
)
MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in _ALL}
"""All measures by name."""
