"""Verdicts on decisions: what was played, what was better, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from rum500.intervals import Z_OF_LOOKS, Z
from rum500.review.loss_reasons import Why
from rum500.review.loss_words import with_half
from rum500.review.plans import Plan
from rum500.rules.actions import Action, Call, Discard, LayOff, LetGo, Meld


class DecisionKind(StrEnum):
    """What a decision was about."""

    DRAW = "draw"
    """Draw from the stock, or take from the pile."""
    LAY = "lay"
    """Lay a meld, or keep it."""
    LAY_OFF = "lay_off"
    """Lay a card off, or keep it."""
    DISCARD = "discard"
    """Which card to discard."""
    CALL = "call"
    """Call "Rummy!", or let it go."""


def kind_of(played: Action, other: Action) -> DecisionKind:
    """Return what the choice between the played action and the other one is about."""
    two = (played, other)
    if any(isinstance(action, Call | LetGo) for action in two):
        return DecisionKind.CALL
    if any(isinstance(action, Meld) for action in two):
        return DecisionKind.LAY
    if any(isinstance(action, LayOff) for action in two):
        return DecisionKind.LAY_OFF
    return DecisionKind.DISCARD if any(isinstance(action, Discard) for action in two) else DecisionKind.DRAW


class Mark(StrEnum):
    """The mark of a decision, by the size of its loss."""

    GOOD = "good"
    """As good as the best, or nearly: the loss is below the first bound, or its interval includes 0."""
    DOUBTFUL = "doubtful"
    """A loss of at least 0.05 deviations of a deal."""
    MISTAKE = "mistake"
    """A loss of at least 0.12 deviations."""
    BLUNDER = "blunder"
    """A loss of at least 0.25 deviations."""
    DECIDED = "decided"
    """Not counted: the match was won or lost whatever was played, up to 0.5 %."""

    @property
    def sign(self) -> str:
        """The sign used in annotated games: `?!`, `?`, `??`, or empty."""
        return {Mark.DOUBTFUL: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}.get(self, "")


class WayName(StrEnum):
    """How the seat plays on after the decision."""

    HOLD = "hold"
    """The seat holds melds back as `club` does, to go out with all at once."""
    LAY = "lay"
    """The seat lays at once whatever it can."""


CLASSES = (Mark.GOOD, Mark.DOUBTFUL, Mark.MISTAKE, Mark.BLUNDER)
"""The marks of counted decisions, from best to worst."""
BOUNDS = (0.05, 0.12, 0.25)
"""The smallest loss of each class after the first, in standard deviations of a deal."""
BAND = 0.025
"""The loss, in standard deviations of a deal, up to which a play counts as good as the best."""


def class_of(loss: float, deviation: float) -> int:
    """Return the index in `CLASSES` for a loss in points, given the standard deviation of a deal."""
    return sum(loss >= bound * deviation for bound in BOUNDS)


def mark_of(loss: float, low: float, deviation: float) -> Mark:
    """Return the mark of a loss whose 95 % interval begins at `low`.

    `low` must reach at least the class below the mark, so that no mark is more than one class off by chance.
    `low` must also be above 0: a play that may be the best is not marked.
    """
    if low <= 0:
        return Mark.GOOD
    return CLASSES[min(class_of(loss, deviation), class_of(low, deviation) + 1)]


def half_width(loss: float, low: float, high: float) -> float:
    """Return half the width of a loss's interval, as it is shown after the loss: `14 ± 4`.

    An interval above zero is never shown as one with zero: if the loss is not in its middle, as where several
    plays may be the best, the distance to its lower end is returned.
    """
    half = (high - low) / 2
    return loss - low if half >= loss and low > 0 else half


_DECIDED = 0.005


def is_decided(chances: Collection[float]) -> bool:
    """Return whether a match counts as decided: all these chances to win it are near 0, or all near 1."""
    return max(chances) < _DECIDED or min(chances) > 1 - _DECIDED


EXPLORE = 400
"""The usual number of worlds in which all plays are compared."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work a judge may spend on a decision."""

    name: str
    """The name: `quick`, `usual`, `deep`, or the number of worlds."""
    worlds: int
    """The largest number of worlds in which the played action is measured against the best."""
    explore: int = EXPLORE
    """The largest number of worlds in which all candidates are compared: as many as for a hint."""
    least: int = 256
    """The number of worlds in which the played action is measured before measuring may stop."""
    stop: float = Z_OF_LOOKS
    """Measuring stops once the interval, this many standard errors to each side, lies within one class."""
    judges: bool = False
    """Whether losses are checked in worlds drawn the other way, and against each kind of opponents alone."""
    whole: bool = False
    """Whether all worlds are used, even if fewer settle the mark; for measuring the judge itself."""

    @classmethod
    def of(cls, words: str) -> Budget:
        """Return the budget with this name or number of worlds. Raises `ValueError` for other texts."""
        asked = words.strip().lower()
        if asked in BUDGETS:
            return BUDGETS[asked]
        if not asked.isascii() or not asked.isdigit() or not FEWEST <= int(asked) <= MOST:
            raise ValueError(
                f"found {words!r}, expected {', '.join(BUDGETS)}, or a number of worlds, {FEWEST} to {MOST}"
            )
        return cls(asked, int(asked), min(int(asked), EXPLORE))

    @property
    def thorough(self) -> bool:
        """Whether to make all measurements, even those that hardly ever change a mark."""
        return self.judges or self.whole


FEWEST, MOST = 16, 1_048_576
"""The smallest and the largest number of worlds."""
BUDGETS = {
    "quick": Budget("quick", 1_024),
    "usual": Budget("usual", 4_096),
    "deep": Budget("deep", 16_384, least=1_024, stop=3.0, judges=True),
}
"""The budgets by name."""


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """The identity of a judge. Only verdicts of the same judge can be compared."""

    version: int
    """The version of the method."""
    digest: str
    """A digest of the weights and tables that it uses."""
    budget: str
    """The budget's name."""
    seed: int
    """The seed of its worlds."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that could have been chosen."""

    code: int
    """The code of the action."""
    text: str
    """The action in notation."""
    lead: float
    """The action's lead over the played action in even-score points, from the first stage or exact."""
    error: float
    """The standard error of the lead; 0 if exact."""
    as_good: bool
    """Whether the play is as good as the best: its lead differs by less than the band or its own interval."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "play": self.text,
            "lead": round(self.lead, 2),
            "error": round(self.error, 2),
            "as_good": self.as_good,
        }


@dataclass(frozen=True, slots=True)
class WayVerdict:
    """The loss of a decision if the seat plays on in one way."""

    way: WayName
    """How the seat plays on."""
    best: str
    """The best action in notation; the played one if none is better."""
    loss: float
    """The loss in even-score points."""
    low: float
    """The lower end of the loss's 95 % interval."""
    high: float
    """The upper end of this interval."""
    mark: Mark
    """The mark by this loss."""

    @property
    def half(self) -> float:
        """The distance that is shown after the loss (`half_width`)."""
        return half_width(self.loss, self.low, self.high)

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "way": str(self.way),
            "best": self.best,
            "loss": round(self.loss, 2),
            "interval": [round(self.low, 2), round(self.high, 2)],
            "mark": str(self.mark),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The loss of a decision, judged by what its seat could know.

    A loss is never negative: if the played action was measured better than all others, the loss is 0. The
    decision is judged for each way of playing on (`WayName`), and the milder verdict counts: all fields but
    `ways` are measured for its way.
    """

    deal: int
    """The number of the deal, from 1."""
    step: int
    """The number of the play in the deal, from 1."""
    seat: int
    """The seat that decided."""
    kind: DecisionKind
    """What the choice between the played action and the best one was about."""
    played: str
    """The played action in notation."""
    best: str
    """The best action in notation; the played one if none is better."""
    loss: float
    """The loss in even-score points, by which the mark is given."""
    low: float
    """The lower end of the loss's 95 % interval."""
    high: float
    """The upper end of this interval."""
    points: float
    """The loss in points of this deal."""
    points_error: float
    """The standard error of `points`."""
    chance: float | None
    """The loss in chance to win the match, from 0 to 1; None if only points count."""
    mark: Mark
    """The mark."""
    exact: bool
    """Whether every card was known, so that best play by all sides was computed."""
    disputed: bool
    """Whether a check found the played action better; then the mark is at most `doubtful`."""
    worlds: int
    """The number of worlds in which the played action was measured against the best; 0 if exact."""
    candidates: tuple[Candidate, ...]
    """The compared actions, best first. Leads from the first stage are less exact than the loss."""
    why: Why | None
    """The components of the loss; None if there is no loss."""
    plan: Plan | None = None
    """The plan behind the best action, if the played action is marked and a plan was found and confirmed."""
    ways: tuple[WayVerdict, ...] = ()
    """The loss for each way of playing on, the milder first; empty if exact, where both are the same."""

    @property
    def depends(self) -> bool:
        """Whether the two ways of playing on give different marks."""
        return len({one.mark for one in self.ways}) > 1

    @property
    def story(self) -> str:
        """The plan of a marked action in English; without a plan, the largest change of a rate."""
        if not self.mark.sign or self.why is None:
            return ""
        return self.why.change_sentence if self.plan is None else self.plan.sentence

    @property
    def explained(self) -> str:
        """The story and the loss with its reasons, in English; empty without a loss.

        Where there is a story, a loss without reasons of its own is not called hard to explain, and no rate
        of the plan's event is given twice.
        """
        if self.why is None:
            return ""
        story = self.story
        why = self.why if self.plan is None else self.why.without_rates(self.plan.event)
        return " ".join(filter(None, (story, why.cost if story else why.sentence, why.worth(self.loss))))

    @property
    def condition(self) -> str:
        """An English sentence that says for which way of playing on the mark holds; empty if for both."""
        if not self.depends:
            return ""
        ours, other = self.ways
        only = "Good only if" if ours.mark is Mark.GOOD else "This is true if"
        costs = with_half(other.loss, other.half)
        if self.why is not None and self.why.is_worth_other(self.loss):
            costs = f"as much as {costs} at the start of a match"
        return f"{only} {_DONE[ours.way]}. {_OTHERWISE[other.way]}, it costs {costs}."

    @property
    def counted(self) -> bool:
        """Whether the decision counts in summaries."""
        return self.mark is not Mark.DECIDED

    @property
    def half(self) -> float:
        """The distance that is shown after the loss (`half_width`)."""
        return half_width(self.loss, self.low, self.high)

    def half_of(self, candidate: Candidate) -> float:
        """Return half the width of the 95 % interval of a candidate's lead.

        For the best candidate it is half the width of the loss's interval.
        """
        return self.half if self.loss > 0 and candidate == self.candidates[0] else Z * candidate.error

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, without fields that do not apply."""
        data: dict[str, Any] = {
            "deal": self.deal,
            "step": self.step,
            "seat": self.seat,
            "kind": str(self.kind),
            "played": self.played,
            "best": self.best,
            "loss": round(self.loss, 2),
            "interval": [round(self.low, 2), round(self.high, 2)],
            "mark": str(self.mark),
            "points": round(self.points, 2),
            "points_error": round(self.points_error, 2),
        }
        if self.chance is not None:
            data["chance"] = round(self.chance, 5)
        data |= {"exact": self.exact, "disputed": self.disputed, "worlds": self.worlds}
        data["candidates"] = [candidate.as_dict() for candidate in self.candidates]
        if self.why is not None:
            data["why"] = self.why.as_dict()
        if self.plan is not None:
            data["plan"] = self.plan.as_dict()
        data["depends"] = self.depends
        data["ways"] = [one.as_dict() for one in self.ways]
        return data


_DONE = {
    WayName.HOLD: "melds are held back afterwards",
    WayName.LAY: "whatever can be laid afterwards is laid at once",
}
_OTHERWISE = {
    WayName.HOLD: "If melds are held back",
    WayName.LAY: "If whatever can be laid is laid at once",
}
