"""Advice on a decision: the best play for each way of playing on, and how sure the advice is.

How good a play is depends on what its player does next. So each decision is judged in two ways: afterwards
the seat holds melds back as `club` does, or it always lays all it can. A play is advised without reservation
only if both ways agree. The mark of a play follows from the smaller of its two losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rum500.intervals import Z_OF_LOOKS
from rum500.review.plans import Plan
from rum500.review.verdict import CLASSES, DecisionKind, Mark, WayName, is_decided, mark_of
from rum500.values import Plain

CLEAR = 5.0
"""A loss is clear if its whole interval is above this number of even-score points."""


class Evidence(StrEnum):
    """How sure it is that the best play is better than every other play."""

    NONE = "none"
    """No difference was found: the interval of a play's loss includes zero."""
    LIKELY = "likely"
    """The interval of every other play's loss is above zero."""
    CLEAR = "clear"
    """The interval of every other play's loss is above `CLEAR` points."""


_ORDER = tuple(Evidence)


def evidence_of(low: float) -> Evidence:
    """Return the evidence for a loss whose 95 % interval begins at `low`."""
    if low <= 0:
        return Evidence.NONE
    return Evidence.CLEAR if low >= CLEAR else Evidence.LIKELY


@dataclass(frozen=True, slots=True)
class PlayLoss(Plain):
    """The loss of a play compared with the best play."""

    code: int
    """The code of the play."""
    text: str
    """The play in notation."""
    loss: float
    """The loss in even-score points; 0 for the best play."""
    error: float
    """The standard error of the loss; 0 if exact, and for the best play."""

    @property
    def low(self) -> float:
        """The lower end of the loss's 95 % interval."""
        return self.loss - Z_OF_LOOKS * self.error

    @property
    def sure(self) -> bool:
        """Whether the play is worse than the best one with certainty: its interval does not include 0."""
        return self.low > 0


@dataclass(frozen=True, slots=True)
class Way(Plain):
    """The comparison of a decision's plays for one way of playing on."""

    name: WayName
    """How the seat plays on."""
    losses: tuple[PlayLoss, ...]
    """All plays that were compared: the best, the next best, then the others by loss."""
    gain: float
    """The lead of the best play over the next best, in even-score points."""
    low: float
    """The lower end of the gain's 95 % interval."""
    high: float
    """The upper end of this interval."""
    chances: tuple[float, float] | None
    """The chance to win the match after the best play and after the next best; None if points alone count."""
    worlds: int
    """The number of worlds in which the best plays were measured; 0 if the result is exact."""
    plan: Plan | None = None
    """The plan by which the best play beats the next best; None if none was found and confirmed."""
    disputed: bool = False
    """Whether more worlds, or equally likely ones, contradict the lead; only in games with sides."""

    @property
    def best(self) -> int:
        """The code of the best play."""
        return self.losses[0].code

    @property
    def evidence(self) -> Evidence:
        """How sure it is that the best play is better than every other play."""
        if self.disputed:
            return Evidence.NONE
        return evidence_of(min([self.low, *(one.low for one in self.losses[1:])]))

    def of(self, code: int) -> PlayLoss:
        """Return the loss of a play. Raises `KeyError` for a play that was not compared."""
        for one in self.losses:
            if one.code == code:
                return one
        raise KeyError(code)

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; it has no `chance` if only points count."""
        data: dict[str, Any] = {
            "way": str(self.name),
            "best": self.losses[0].text,
            "gain": round(self.gain, 2),
            "interval": [round(self.low, 2), round(self.high, 2)],
            "evidence": str(self.evidence),
            "worlds": self.worlds,
            **({} if self.plan is None else {"plan": self.plan.as_dict()}),
            "disputed": self.disputed,
            "losses": [
                {"play": one.text, "loss": round(one.loss, 2), "error": round(one.error, 2)}
                for one in self.losses
            ],
        }
        return data if self.chances is None else data | {"chance": [round(one, 4) for one in self.chances]}


@dataclass(frozen=True, slots=True)
class Opinion(Plain):
    """The coach's opinion on one play."""

    mark: Mark
    """The mark, by the smaller of the play's two losses."""
    loss: float
    """The smaller loss, in even-score points."""
    error: float
    """The standard error of the loss."""
    depends: bool
    """Whether the two ways give different marks: then the play deserves its mark only in one of them."""
    better_way: WayName
    """The way of playing on in which the play loses less."""


@dataclass(frozen=True, slots=True)
class Advice(Plain):
    """The coach's advice on a decision, from which hints, verdicts and drills are derived."""

    seat: int
    """The seat that has to decide."""
    kind: DecisionKind
    """What the choice between the best play and the next best is about."""
    deviation: float
    """The standard deviation of the points of a deal in this game."""
    ways: tuple[Way, Way]
    """The comparison for each way of playing on: holding back, and laying at once."""

    @property
    def depends(self) -> bool:
        """Whether the best play depends on the way of playing on: each way's best play is surely worse in the
        other way.
        """
        hold, lay = self.ways
        return hold.of(lay.best).sure and lay.of(hold.best).sure

    @property
    def best(self) -> int | None:
        """The best play for both ways of playing on; None if the best play depends on the way.

        If the two ways have different best plays and neither is certainly better, this is the one with the
        smaller possible loss.
        """
        if self.depends:
            return None
        both = [way.best for way in self.ways]
        return min(both, key=lambda code: max(way.of(code).loss for way in self.ways))

    @property
    def evidence(self) -> Evidence:
        """The evidence for the best play, in the way of playing on with the weaker evidence."""
        if self.best is None or any(way.best != self.best for way in self.ways):
            return Evidence.NONE
        return min((way.evidence for way in self.ways), key=_ORDER.index)

    @property
    def gold(self) -> int | None:
        """The play that the web page may highlight in gold: the best play if its evidence is likely or clear,
        otherwise None.
        """
        return None if self.evidence is Evidence.NONE else self.best

    @property
    def plan(self) -> Plan | None:
        """The plan of the best play, in the first way of playing on that has one; None without evidence."""
        if self.evidence is Evidence.NONE:
            return None
        return next((way.plan for way in self.ways if way.best == self.best and way.plan), None)

    def opinion(self, code: int) -> Opinion:
        """Return the opinion on a play. Raises `KeyError` for a play that was not compared."""
        found = [(way.of(code), way.name) for way in self.ways]
        marks = [mark_of(one.loss, one.low, self.deviation) for one, _ in found]
        if self._decided():
            marks = [Mark.DECIDED, Mark.DECIDED]
        one, name = min(found, key=lambda pair: pair[0].loss)
        ranks = [CLASSES.index(mark) if mark in CLASSES else -1 for mark in marks]
        return Opinion(marks[ranks.index(min(ranks))], one.loss, one.error, marks[0] is not marks[1], name)

    def _decided(self) -> bool:
        chances = [chance for way in self.ways for chance in way.chances or ()]
        return bool(chances) and is_decided(chances)

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; `best` is None if the best play depends on the way of playing on."""
        texts = {one.code: one.text for one in self.ways[0].losses}
        return {
            "seat": self.seat,
            "kind": str(self.kind),
            "best": None if self.best is None else texts[self.best],
            "evidence": str(self.evidence),
            "depends": self.depends,
            "ways": [way.as_dict() for way in self.ways],
        }
