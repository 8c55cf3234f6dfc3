"""The types of reviews over HTTP: what each decision of a finished deal cost, luck, and what could be known.

Points and chances are by seat, as the players sat in that deal. A `step` is the number of a play in the
deal's record, from 1. A `frame` is the index of the first frame of that play in the deal's `Replay`; the
decision was made on the frame before it. Step and frame 0 are the deal.

Most of these types have a counterpart in `rum500.review` that is another class: there values are exact
fractions and plays are codes; here numbers are rounded, plays and cards are texts for the page, and each step
has its frame. `LossPart` and `EventRate` differ in none of this, and are shared.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rum500.review.why import EventRate, LossPart
from rum500.server.messages.field_types import Seat
from rum500.server.messages.parts import PlacedCard, Reason

Kind = Literal["draw", "lay", "lay_off", "discard", "call"]
"""The question that a decision answered; see `rum500.review.verdict`."""
MarkName = Literal["good", "doubtful", "mistake", "blunder", "decided"]
"""As `rum500.review.verdict.Mark`: `decided` does not count."""
BreakdownStatus = Literal["waiting", "running", "done", "failed", "unavailable"]
MarksStatus = Literal["none", "waiting", "running", "done", "failed", "unavailable"]


Others = Literal["opponent", "others", "side"]
"""Who the others are that a seat is compared with: one opponent, several, or the other side."""


class ReviewPlay(Struct, omit_defaults=True):
    """A play that was made, or could have been."""

    code: str
    """The code of the play."""
    kind: Literal["draw", "take", "call", "let_go", "pass", "end", "meld", "lay", "discard"]
    text: str
    """The play in notation, for logs and developers."""
    cards: list[PlacedCard] = []
    """The cards that are taken, called for, laid or discarded."""
    points: int = 0
    """The points that it scores at once."""
    meld: int | None = None
    """For `lay`, the number of the meld."""
    owner: int | None = None
    """For `lay`, the seat that laid the meld."""
    on: list[str] = []
    """For `lay`, the cards of the meld, where the same cards could also be laid on another one."""
    meld_kind: str | None = None
    """For `meld` and `lay`, the kind of the meld: `run`, `set` or `jokers`."""


class ReviewCandidate(Struct):
    """A play that was compared with the others of its decision."""

    play: ReviewPlay
    lead: float
    """Its lead over the played one in even-score points, as `ReviewVerdict.loss`."""
    half: float
    """Half the width of the lead's 95 % interval; 0 for the played one, and where the result is exact. Of the
    best one it is that of the loss."""
    as_good: bool
    """Whether it is as good as the best, within the error of measurement."""


class LossReasonInfo(Struct):
    """A reason for a loss, in the parts of its sentence."""

    code: str
    """The code of its sentence, `why.` and a word."""
    points: float
    """The points of the loss that it explains."""
    error: float
    """Their standard error."""
    cards: list[str] = []
    """The cards in the sentence."""
    played: int | None = None
    """The percentage of deals in which it happens after the played play."""
    best: int | None = None
    """The percentage after the best play."""


class LossWhy(Struct):
    """What a loss is made of."""

    code: Literal["why.costs", "why.small", "why.match", "why.exact"]
    """`why.costs` if there are reasons, `why.small` if there are none, `why.match` if the score decides,
    `why.exact` if every card was known."""
    message: str
    """The sentence in English."""
    points: float
    """The loss in points of the deal."""
    half: float
    """Half the width of its 95 % interval."""
    reasons: list[LossReasonInfo]
    """The reasons, the largest first."""
    parts: list[LossPart]
    rates: list[EventRate]
    others: Others = "others"
    gained: float = 0.0
    """The points by which the reasons exceed the loss, and which come back in other ways; 0 if
    there are too few."""
    chance: float | None = None
    """The loss in chance to win the match, 0 to 1; None where the deal is about points alone."""


class ReviewVerdict(Struct):
    """What a decision cost, judged by what its seat could know."""

    step: int
    frame: int
    seat: int
    turn: int
    """The number of the seat's turn in the deal, from 1."""
    kind: Kind
    mark: MarkName
    loss: float
    """The loss in even-score points: points that change the chance to win as much at the start of a match."""
    low: float
    """The lower end of its 95 % interval."""
    high: float
    """Its upper end."""
    points: float
    """The loss in points of this deal."""
    points_error: float
    """The standard error of `points`."""
    chance: float | None
    """The loss in chance to win the match, 0 to 1; None where the deal is about points alone."""
    exact: bool
    """Whether every card was known, so that best play by all was computed."""
    disputed: bool
    """Whether other judges find the played one better."""
    found: bool
    """Whether it is as good as the best, and surely better than what `club` would have done, by as much as a
    doubtful decision costs."""
    gain: float
    """What it brought compared with what `club` would have done, in points of the deal; 0 for the same."""
    gain_half: float
    """Half the width of the gain's 95 % interval."""
    worlds: int
    """The number of deals in which it was measured; 0 if exact."""
    played: ReviewPlay
    best: ReviewPlay
    """The played one if nothing is better."""
    candidates: list[ReviewCandidate]
    """The best of what was compared, best first; the played one is always among them."""
    why: LossWhy | None
    """None without a loss."""


class ReviewJudge(Struct):
    """The judge's id: only results of the same judge can be compared."""

    name: Literal["search", "open"]
    """`search` judges by what the seat could know, `open` by all hands: what nobody could know."""
    version: int
    """The version of the method."""
    digest: str
    """A digest of the weights and tables that it used."""
    budget: str
    """How thoroughly it judges: `quick`, `usual`, `deep`, or a number of worlds; empty for `open`."""
    deviation: float
    """The standard deviation of a deal of this game, in points."""
    bounds: list[float]
    """The losses from which a decision is doubtful, a mistake and a blunder, in points."""


class SeatBreakdownInfo(Struct):
    """Where a seat's points came from. The parts add up to the margin."""

    seat: int
    """The seat; in a whole match the player, as in `MatchEnd`."""
    margin: float
    """The points less the mean of the others'; in partnerships the side's less the other side's."""
    cards: float
    """The hands dealt and the cards drawn."""
    own_play: float
    """What the own decisions brought, compared with `club`."""
    own_half: float
    """Half the width of its 95 % interval."""
    other_play: float
    """The effect of the others' decisions, compared with `club`."""
    unexplained: float
    """The rest, which no part explains."""
    decisions: int
    """The number of decisions with a choice."""
    score: PlayScore | None
    """Its play score; None with fewer than 30 decisions, and where the deals vary too much to show one."""
    tally: MarkTally | None
    """Its marks; None until all its decisions are judged."""


class PlayScore(Struct):
    """The play score of a seat, in points a deal compared with `club`."""

    a_deal: float
    half: float
    """Half the width of its 95 % interval."""
    about: list[str]
    """The levels of bots that play about as well, weakest first, two at most; empty if more do, or if none
    were measured for a game like this."""


class MarkTally(Struct):
    """The number of counted decisions with each mark."""

    counted: int
    doubtful: int
    mistakes: int
    blunders: int
    found: int


class ReviewDraw(Struct):
    """A card drawn from the stock, and what it was worth to the seat that drew it."""

    step: int
    frame: int
    seat: int
    turn: int
    card: str
    value: float
    """The points that the card added to the expected margin."""


class ReviewPoint(Struct):
    """What could be expected after a step, if all hands were known and the order of the stock was not."""

    step: int
    frame: int
    margins: list[float]
    """The expected margin of the deal, by seat."""
    chances: list[float] | None
    """The chance to win the match, 0 to 1, by seat; None where the deal is about points alone."""


class DealBreakdownInfo(Struct):
    """Where the points of a deal came from."""

    seats: list[SeatBreakdownInfo]
    """By seat."""
    draws: list[ReviewDraw]
    """The cards drawn from the stock, in order."""
    luckiest: list[int | None]
    """By seat, the index in `draws` of its luckiest draw; None without draws."""
    unluckiest: list[int | None]
    course: list[ReviewPoint]
    """The course of the deal: as dealt, after each draw, after plays that change what can be expected, and at
    the end."""


class DealReviewInfo(Struct):
    """The progress of the review of one deal."""

    deal: int
    players: list[int]
    """The player at each seat, as in `MatchEnd`; empty until the breakdown is done."""
    breakdown: BreakdownStatus
    marks: MarksStatus
    """`none`: not asked for."""
    judged: int
    """The number of decisions that are judged."""
    decisions: int
    """The number of decisions with a choice; 0 until the breakdown is done."""
    why: Reason | None
    """Why it failed or there is none."""


class MatchReview(Struct):
    """The review of a match: its deals, and where the points of all of them came from."""

    table: str
    you: int | None
    """The player that the guest who asks is or was; None for others."""
    judge: ReviewJudge | None
    """None until a breakdown is done."""
    others: Others
    names: list[str]
    """The names of the players, by player."""
    deals: list[DealReviewInfo]
    """The finished deals, and one that was given up."""
    seats: list[SeatBreakdownInfo]
    """The sums by player over the deals whose breakdown is done."""
    best: ReviewVerdict | None
    """The guest's best find; None for others, and if there is none."""
    best_deal: int | None
    """The deal of `best`."""
    worst: ReviewVerdict | None
    """The guest's costliest decision; None for others, and if there is none."""
    worst_deal: int | None
    luckiest: ReviewDraw | None
    """The guest's luckiest draw."""
    luckiest_deal: int | None


class DealReview(Struct):
    """The review of a finished deal, as far as it is ready."""

    table: str
    you: int | None
    """The seat of the guest who asks; None for others."""
    judge: ReviewJudge | None
    """None until the breakdown is done."""
    state: DealReviewInfo
    others: Others
    names: list[str]
    """The names of the players, by seat."""
    breakdown: DealBreakdownInfo | None
    """None until it is done."""
    verdicts: list[ReviewVerdict]
    """The verdicts after the first `after` ones, in the order in which they were found."""
    since: int
    """The number of verdicts before these: `after`, or 0 if the server has fewer and sends all again."""
    next: int
    """What to send as `after` next time."""


class ReviewAsked(Struct, forbid_unknown_fields=True):
    """A request to judge the decisions of a deal, or of all finished deals of a match."""

    seat: Seat | None = None
    """The seat whose decisions come first; None: the guest's own."""


class BeliefHand(Struct):
    """What a seat could believe about another one's hand. Lists have an entry for each of `Belief.cards`."""

    seat: int
    size: int
    """The number of cards in the hand."""
    expected: list[float]
    """The expected number of copies of each card in the hand."""
    known: list[int]
    """The copies that all know to be there."""
    held: list[int]
    """The copies that it really held."""


class Belief(Struct):
    """What a seat could know about the other hands before a step, by the cards and by all plays till then."""

    step: int
    frame: int
    seat: int
    """The seat whose view is shown."""
    cards: list[str]
    """The cards of the pack, each once, by suit and rank; jokers last."""
    copies: list[int]
    """The number of copies of each card."""
    elsewhere: list[int]
    """The copies that the seat sees elsewhere: in its own hand, in the pile, and in melds."""
    hands: list[BeliefHand]
    """The other seats' hands."""


class OpenCandidate(Struct):
    """A play of a decision, judged with all hands open."""

    play: ReviewPlay
    points: float
    """Its mean points of the deal over the played one's."""
    error: float
    """Their standard error."""


class OpenHands(Struct):
    """The plays of a decision judged with all hands open, which no player knew. Never used for marks."""

    step: int
    frame: int
    seat: int
    judge: ReviewJudge
    candidates: list[OpenCandidate]
    """The played one first."""


class HistoryReview(Struct):
    """What the reviews of an ended match say about the guest."""

    marks: MarksStatus
    """`done` if every finished deal is judged, `running` while some are."""
    deals: int
    """The number of deals with a breakdown."""
    reviewed: int
    """The number of deals whose decisions are judged."""
    a_deal: float | None
    """What the decisions of this match were worth a deal, against `club`; None without a breakdown."""
    half: float | None
    """Half the width of its 95 % interval."""
    tally: MarkTally | None
    """The marks of the judged deals; None if there are none."""


class PlaySum(Struct):
    """The totals of the guest's reviews of all matches; sent from ten reviewed deals on."""

    deals: int
    """The number of deals with a breakdown."""
    a_deal: float
    """The play value a deal against `club`."""
    half: float
    """Half the width of its 95 % interval."""
    change: float
    """The later half of these deals less the earlier half, in points a deal."""
    since: int
    """The time at which the later half begins."""
    mistakes: dict[Kind, int]
    """The number of mistakes and blunders, by kind of decision."""


Step = Annotated[int, Meta(ge=1, le=9999)]
