"""The types of reviews over HTTP: the loss of each decision of a finished deal, luck, and what could be
known.

Points and chances are by seat, as the players sat in that deal. A `step` is the number of a play in the
deal's record, from 1. A `frame` is the index of the first frame of that play in the deal's `Replay`; the
decision was made on the frame before it. Step 0 and frame 0 are the position after dealing.

Most of these types correspond to classes of `rum500.review`: there values are exact fractions and plays are
codes; here numbers are rounded, plays and cards are texts for the page, and each step has its frame.
`LossPart` and `EventRate` do not differ and are shared.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from rum500.review.company import KnownBy
from rum500.review.deal_line import Standing
from rum500.review.loss_reasons import EventRate, LossPart
from rum500.review.plans import PlanName
from rum500.server.messages.field_types import Seat
from rum500.server.messages.parts import PlacedCard, Reason

Kind = Literal["draw", "lay", "lay_off", "discard", "call"]
"""What a decision was about; see `rum500.review.verdict`."""
MarkName = Literal["good", "doubtful", "mistake", "blunder", "decided"]
"""As `rum500.review.verdict.Mark`: `decided` does not count."""
BreakdownStatus = Literal["waiting", "running", "done", "failed", "unavailable"]
MarksStatus = Literal["none", "waiting", "running", "done", "failed", "unavailable"]


Others = Literal["opponent", "others", "side"]
"""The word for those that a seat is compared with: one opponent, several others, or the other side."""


class ReviewPlay(Struct, omit_defaults=True):
    """A play that was made or could have been made."""

    code: str
    """The code of the play."""
    kind: Literal["draw", "take", "call", "let_go", "pass", "end", "meld", "lay", "discard"]
    text: str
    """The play in notation, for logs and developers."""
    cards: list[PlacedCard] = []
    """The cards that are taken, called for, laid or discarded."""
    points: int = 0
    """The points that the play scores immediately."""
    meld: int | None = None
    """For `lay`, the number of the meld."""
    owner: int | None = None
    """For `lay`, the seat that laid the meld."""
    on: list[str] = []
    """For `lay`, the cards of the meld if the same cards could also be laid on another meld; else empty."""
    meld_kind: str | None = None
    """For `meld` and `lay`, the kind of the meld: `run`, `set` or `jokers`."""


class ReviewCandidate(Struct):
    """A play that was compared with the other plays of a decision."""

    play: ReviewPlay
    lead: float
    """The gain of the play compared with the played one, in even-score points as in `ReviewVerdict.loss`."""
    half: float
    """Half the width of the 95 % interval of `lead`; 0 for the played one and for exact results. For the best
    play, the interval is that of the loss.
    """
    as_good: bool
    """Whether the play is as good as the best one, within the error of measurement."""


class LossReasonInfo(Struct):
    """A reason for a loss: the parts of a sentence about it."""

    code: str
    """The code of the reason's sentence: `why.` and a word."""
    points: float
    """The points of the loss that the reason explains."""
    error: float
    """The standard error of `points`."""
    cards: list[str] = []
    """The cards in the sentence."""
    played: int | None = None
    """How often the event of the reason happens after the played play, in percent of the deals."""
    best: int | None = None
    """How often the event happens after the best play, in percent of the deals."""


class LossWhy(Struct):
    """The components of a loss."""

    code: Literal["why.costs", "why.small", "why.mixed", "why.match", "why.exact"]
    """`why.costs` if there are reasons, `why.small` if there are none, `why.mixed` if what is lost in one way
    mostly comes back in another, `why.match` if the match's score decides, `why.exact` if every card was
    known, with or without reasons.
    """
    message: str
    """The text in English."""
    points: float
    """The loss in points of the deal."""
    half: float
    """Half the width of the 95 % interval of `points`."""
    reasons: list[LossReasonInfo]
    """The reasons, the largest first."""
    parts: list[LossPart]
    rates: list[EventRate]
    others: Others = "others"
    gained: float = 0.0
    """By how many points the reasons exceed the loss, because of other gains; 0 if too few to be shown."""
    chance: float | None = None
    """The loss in chance to win the match, 0 to 1; None if only points count."""


class ReviewPlan(Struct, omit_defaults=True):
    """The plan by which the best play is better. Its rates were measured in deals used for nothing else."""

    name: PlanName
    cards: list[str]
    """The cards in the plan's sentence."""
    played: float
    """The share of deals in which the plan's event happens after the played play, 0 to 1."""
    best: float
    """The share of deals in which the plan's event happens after the best play."""
    message: str
    """The sentence in English."""
    others: Others = "others"


class ReviewWay(Struct):
    """The loss of a decision if its seat plays on in one of the two ways."""

    way: Literal["hold", "lay"]
    """The way of playing on: `hold` holds melds back, `lay` lays at once whatever it can."""
    mark: MarkName
    loss: float
    """The loss in even-score points."""
    half: float
    """Half the width of the 95 % interval of `loss`."""
    best: str
    """The best play in notation."""


class ReviewVerdict(Struct):
    """The loss of a decision, judged by what its seat could know."""

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
    """The lower end of the 95 % interval of `loss`."""
    high: float
    """The upper end of this interval."""
    points: float
    """The loss in points of this deal."""
    points_error: float
    """The standard error of `points`."""
    chance: float | None
    """The loss in chance to win the match, 0 to 1; None if only points count."""
    exact: bool
    """Whether every card was known, so that best play by all sides was computed."""
    disputed: bool
    """Whether a check in other deals found the played play better."""
    found: bool
    """Whether the played play is as good as the best and certainly better than `club`'s choice, at least by
    the loss that makes a decision doubtful.
    """
    gain: float
    """The gain compared with `club`'s choice, in points of the deal; 0 if the choices are the same."""
    gain_half: float
    """Half the width of the gain's 95 % interval."""
    worlds: int
    """The number of worlds (deals that fit what the seat knows) in which the loss was measured; 0 if exact.
    """
    played: ReviewPlay
    best: ReviewPlay
    """The best play; the played one if none is better."""
    candidates: list[ReviewCandidate]
    """The best of the compared plays, best first; the played one is always among them."""
    why: LossWhy | None
    """The components of the loss; None if there is no loss."""
    ways: list[ReviewWay] = []
    """The loss for each way of playing on, the smaller loss first. All other fields are measured for that
    first way. Empty if exact, and in verdicts of judges before version 6.
    """
    plan: ReviewPlan | None = None
    """The plan by which `best` is better, for a marked decision; None if none was found and confirmed."""
    change: EventRate | None = None
    """Without a plan, for a marked decision, the event whose rate the played play changed most."""


class ReviewJudge(Struct):
    """The identity of a judge. Only results of the same judge can be compared."""

    name: Literal["search", "open"]
    """`search` judges by what the seat could know, `open` by all hands, which nobody could know."""
    version: int
    """The version of the method."""
    digest: str
    """A digest of the weights and tables that the judge uses."""
    budget: str
    """How thorough the judge is: `quick`, `usual`, `deep`, or a number of worlds; empty for `open`."""
    deviation: float
    """The standard deviation of a deal of this game, in points."""
    bounds: list[float]
    """The three thresholds: the loss, in points, at which a decision becomes doubtful, a mistake, a blunder.
    """


class DealLineInfo(Struct):
    """A seat's result of a deal on one line. All points are margins, as `SeatBreakdownInfo.margin`, rounded
    to whole points. `cards` and `play` add up to `you` less `average` exactly.
    """

    average: int
    """The mean margin of `club` over all deals, in this place after the dealer and in the same company."""
    club: int
    """The mean of the games that `club` played from the seat with the cards of this deal."""
    low: int
    """The lower end of the middle half of these games."""
    high: int
    """Its upper end."""
    you: int
    """The result of the seat."""
    cards: int
    """`club` less `average`."""
    play: int
    """`you` less `club`."""
    standing: Standing
    """Where `you` lies: `below` the middle half of the games, `as_good` within it, or `above` it."""
    games: int
    """The number of games."""
    seed: int
    """The seed of the games; see `rum500.review.deal_line`."""


class CompanyMember(Struct):
    """The kind of player that the breakdown assumes at a seat."""

    kind: str
    """`club` or `casual`: the level as which the seat plays on where play is measured."""
    known: KnownBy
    """How this is known: `bot` by the level, `play` by its plays in the other deals, `assumed` if nothing is
    known.
    """
    level: str | None
    """The level of a bot; None for people, and for bots of unknown strength."""


class MatchChances(Struct):
    """The chances to win the match, estimated from the score, in percent that add up to 100: by side if there
    are sides, else by seat.
    """

    before: list[int]
    """The chances before the deal."""
    after: list[int]
    """The chances after it."""


class SeatBreakdownInfo(Struct):
    """Where a seat's points came from. The parts add up to the margin."""

    seat: int
    """The seat; for a whole match the player, as in `MatchEnd`."""
    margin: float
    """The seat's points less the mean points of the other seats; with sides, the side's less the other
    side's.
    """
    cards: float
    """The luck of the hands dealt and of the cards drawn."""
    own_play: float
    """The gain of the seat's own decisions, compared with `club`."""
    own_half: float
    """Half the width of the 95 % interval of `own_play`."""
    other_play: float
    """The effect of the other seats' decisions, compared with `club`."""
    unexplained: float
    """The rest, which no other part explains."""
    decisions: int
    """The number of decisions with more than one legal play."""
    score: PlayScore | None
    """The play score of the seat; None with fewer than 30 decisions, or if the deals vary too much for a
    score.
    """
    tally: MarkTally | None
    """The marks of the seat's decisions; None until all of them have one."""
    line: DealLineInfo | None = None
    """The deal on one line; None for bots, for a whole match, and in breakdowns before version 2."""


class PlayScore(Struct):
    """The play score of a seat, in points a deal compared with `club`."""

    a_deal: float
    half: float
    """Half the width of the 95 % interval of `a_deal`."""
    about: list[str]
    """The levels that play about as well, weakest first. Empty if more than two levels do, if no level was
    measured in a similar game, or if the others were not like `club`.
    """


class MarkTally(Struct):
    """The number of decisions with each mark.

    Decisions that could not change who wins the match are not counted.
    """

    counted: int
    doubtful: int
    mistakes: int
    blunders: int
    found: int


class ReviewDraw(Struct):
    """A card drawn from the stock, and its luck for the seat that drew it."""

    step: int
    frame: int
    seat: int
    turn: int
    card: str
    value: float
    """The points that the card added to the expected margin."""


class ReviewPoint(Struct):
    """The expected result after a step, with all hands known and the order of the stock unknown."""

    step: int
    frame: int
    margins: list[float]
    """The expected margin of the deal, by seat."""
    chances: list[float] | None
    """The chance to win the match, 0 to 1, by seat; None if only points count."""


class DealBreakdownInfo(Struct):
    """Where the points of a deal came from."""

    seats: list[SeatBreakdownInfo]
    """The sources of each seat's points, by seat."""
    draws: list[ReviewDraw]
    """The cards drawn from the stock, in order."""
    luckiest: list[int | None]
    """By seat, the index in `draws` of its luckiest draw; None if it drew no card."""
    unluckiest: list[int | None]
    course: list[ReviewPoint]
    """The expected results in the course of the deal: after dealing, after each draw, after plays that change
    the expectation, and at the end.
    """
    company: list[CompanyMember] = []
    """The kind of each seat's player, against which play was measured; empty in breakdowns before version 2.
    """
    match: MatchChances | None = None
    """The chances to win the match; None if only points count, and in breakdowns before version 2."""


class DealReviewInfo(Struct):
    """The progress of the review of one deal."""

    deal: int
    players: list[int]
    """The player at each seat, as in `MatchEnd`; empty until the breakdown is done."""
    breakdown: BreakdownStatus
    marks: MarksStatus
    """The state of the marks; `none` if they have not been requested."""
    judged: int
    """The number of decisions with a verdict."""
    decisions: int
    """The number of decisions with a choice; 0 until the breakdown is done."""
    why: Reason | None
    """Why the review failed or is not possible; else None."""


class MatchReview(Struct):
    """The review of a match: its deals, and the sources of the points in all of them."""

    table: str
    you: int | None
    """The player that the requesting guest is or was; None for other guests."""
    judge: ReviewJudge | None
    """The judge; None until a breakdown is done."""
    others: Others
    names: list[str]
    """The names of the players, by player number."""
    deals: list[DealReviewInfo]
    """The finished deals, and the deal during which the match was given up, if any."""
    seats: list[SeatBreakdownInfo]
    """The sums by player over the deals whose breakdown is done."""
    best: ReviewVerdict | None
    """The guest's best find; None for other guests, or without a find."""
    best_deal: int | None
    """The number of the deal of `best`."""
    worst: ReviewVerdict | None
    """The guest's decision with the largest loss; None for other guests, or without a loss."""
    worst_deal: int | None
    luckiest: ReviewDraw | None
    """The guest's luckiest draw; None for other guests, or without a draw."""
    luckiest_deal: int | None


class DealReview(Struct):
    """The review of a finished deal, as far as it is computed."""

    table: str
    you: int | None
    """The seat of the requesting guest; None for other guests."""
    judge: ReviewJudge | None
    """The judge; None until the breakdown is done."""
    state: DealReviewInfo
    others: Others
    names: list[str]
    """The names of the players, by seat."""
    breakdown: DealBreakdownInfo | None
    """The breakdown; None until it is done."""
    verdicts: list[ReviewVerdict]
    """The verdicts after the first `after`, in the order in which they were found."""
    since: int
    """The number of verdicts before these: `after`, or 0 if the server has fewer and sends all again."""
    next: int
    """The value of `after` for the next request."""


class ReviewAsked(Struct, forbid_unknown_fields=True):
    """A request to judge the decisions of a deal, or of all finished deals of a match."""

    seat: Seat | None = None
    """The seat whose decisions are judged first; None for the guest's own."""


class BeliefHand(Struct):
    """What a seat could infer about another hand. Lists have an entry for each of `Belief.cards`."""

    seat: int
    size: int
    """The number of cards in the hand."""
    expected: list[float]
    """The expected number of copies of each card in the hand."""
    known: list[int]
    """The number of copies of each card that all players know to be in the hand."""
    held: list[int]
    """The number of copies of each card that the hand really had."""


class Belief(Struct):
    """What a seat could infer about the other hands before a step, from the cards it saw and all plays."""

    step: int
    frame: int
    seat: int
    """The seat whose view is shown."""
    cards: list[str]
    """The different cards of the pack, by suit and rank, jokers last."""
    copies: list[int]
    """The number of copies of each card."""
    elsewhere: list[int]
    """The number of copies of each card that the seat sees: in its own hand, in the pile, and in melds."""
    hands: list[BeliefHand]
    """The other seats' hands."""


class OpenCandidate(Struct):
    """A play of a decision, judged with all hands open."""

    play: ReviewPlay
    points: float
    """The mean points of the deal after this play, less the mean points after the played play."""
    error: float
    """The standard error of `points`."""


class OpenHands(Struct):
    """The plays of a decision, judged with all hands open, as no player knew them.

    Marks never depend on this judgement.
    """

    step: int
    frame: int
    seat: int
    judge: ReviewJudge
    candidates: list[OpenCandidate]
    """The plays, the played one first."""


class HistoryReview(Struct):
    """The results of the guest in the reviews of an ended match."""

    marks: MarksStatus
    """`done` if every finished deal has all its verdicts, `running` while some are computed."""
    deals: int
    """The number of deals with a breakdown."""
    reviewed: int
    """The number of deals whose decisions all have verdicts."""
    a_deal: float | None
    """The gain of the guest's decisions in this match compared with `club`'s choices, in points a deal; None
    without a breakdown.
    """
    half: float | None
    """Half the width of the 95 % interval of `a_deal`."""
    tally: MarkTally | None
    """The marks of the deals with verdicts; None if there are none."""


class PlaySum(Struct):
    """The totals of the guest's reviews of all matches, from ten reviewed deals on."""

    deals: int
    """The number of deals with a breakdown."""
    a_deal: float
    """The gain of the guest's decisions compared with `club`'s choices, in points a deal."""
    half: float
    """Half the width of the 95 % interval of `a_deal`."""
    change: float
    """The gain in the later half of these deals less the gain in the earlier half, in points a deal."""
    since: int
    """The time at which the later half begins."""
    mistakes: dict[Kind, int]
    """The number of mistakes and blunders, by kind of decision."""


Step = Annotated[int, Meta(ge=1, le=9999)]
