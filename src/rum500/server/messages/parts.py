"""Parts of messages: melds, scores, refusals, events and suggestions."""

from __future__ import annotations

from typing import Literal

from rum500.server.messages.field_types import HintDepth, WireStruct


class PlacedCard(WireStruct):
    """A card in a meld."""

    card: str
    place: str | None
    """The card that a wild joker stands for, or the place of an ace in a run; else None."""
    seat: int
    """The seat that scores the card."""
    points: int
    """The points of the card, doubled if it counts double; on the score sheet not doubled."""


class MeldPlate(WireStruct):
    """A meld on the table."""

    number: int
    """The number of the meld, from 0 in the order of laying."""
    kind: Literal["run", "set", "jokers"]
    owner: int
    """The seat that laid the meld."""
    cards: list[PlacedCard]
    """The cards in order, each with the seat that laid it and scores it (R-LAY-3)."""
    at_once: bool
    """Whether four of its cards were laid in one play."""


class DealPoints(WireStruct):
    """The end of a deal, and its points."""

    number: int
    """The number of the deal."""
    reason: str
    """The reason why the deal ended: `out`, `stock`, `passes`, `no_progress` or `target`."""
    out: int | None
    """The seat that went out or reached the target; None if no seat did."""
    points: list[int]
    """The points of the deal, by seat."""
    accounts: list[int]
    """The points of the deal, by side if there are sides, else by seat."""
    totals: list[int]
    """The points of the match so far, by side if there are sides, else by seat."""


class DealResult(DealPoints, kw_only=True):
    """The result of a finished deal."""

    dealer: int
    """The dealer's seat."""
    names: list[str]
    """The names of the players, by seat."""


class ScoreSheetLine(WireStruct):
    """A line of one seat's column on the score sheet."""

    kind: Literal["meld", "lay", "hand", "collected", "bonus"]
    """`meld`: a new meld; `lay`: cards laid off; `hand`: cards held at the end; `collected`: the cards in
    the other hands; `bonus`: the points for going out."""
    cards: list[PlacedCard]
    each: list[int]
    """The points of each card, before doubling."""
    points: int
    """The points of the line; for `hand` 0 or less."""
    doubled: bool = False
    """Whether the points are doubled."""
    owner: int | None = None
    """For `meld` and `lay`, the seat that laid the meld."""
    meld_kind: str | None = None
    """For `meld` and `lay`, the kind of the meld: `run`, `set` or `jokers`."""


class ScoreSheet(DealPoints, kw_only=True):
    """The score sheet of one deal, as on paper. A seat's points are the sum of its lines."""

    lines: list[list[ScoreSheetLine]]
    """The lines, by seat."""


class MatchEnd(WireStruct):
    """The result of the match.

    A player is identified by the seat where the player sat when the match began.
    """

    reason: str
    """`target`, `deals`, `max_deals` or `forfeit`."""
    winners: list[int]
    """The players who won; empty if the match is drawn."""
    quitters: list[int]
    """The players who resigned."""
    drawn: bool
    bonus: int
    """The points that the winner gets for the match."""
    names: list[str]
    """The names of the players, by player number."""
    rows: list[list[int]]
    """The players of each row of the final score: a side, or one player. Players who resigned come last."""
    totals: list[int]
    """The totals without the bonus, one for each of `rows`."""
    final: list[int]
    """The totals with the bonus, one for each of `rows`."""
    payments: list[tuple[list[int], list[int], int]]
    """The payments: each has the players who pay, the players who receive, and the points."""


class ReasonParts(WireStruct, omit_defaults=True):
    """The values in a refusal's sentence, except the card at fault. The refusal's code says which exist.

    Cards are written like `8C`, a joker that stands for another card like `JK=6S`.
    """

    cards: list[str] = []
    """The cards of the play, or those in the pile."""
    set: list[str] = []
    """The cards of the incomplete set."""
    run: list[str] = []
    """The cards of the incomplete run."""
    missing: list[str] = []
    """The cards that a run lacks."""
    takes: list[str] = []
    """The cards that would fit the meld."""
    place: str | None = None
    """The card that a joker would stand for."""
    rank: str | None = None
    """The rank of the other cards: `6`, `K`."""
    ranks: str | None = None
    """The rank of which more cards are needed."""
    suit: str | None = None
    """The suit of the other cards: `S`, `H`, `D` or `C`."""
    meld: int | None = None
    """The number of a meld, counted from 1."""
    melds: int | None = None
    """The number of melds on the table."""
    held: int | None = None
    """The number of copies of the card that the player holds."""
    times: int | None = None
    """The number of restocks."""
    count: int | None = None
    """The number that was requested."""
    most: int | None = None
    """The largest possible number."""
    players: list[int] = []
    """The possible numbers of players."""
    advice: str | None = None
    """The name of the advice: `draw_or_take`, `use_or_pass` and others."""
    kind: str | None = None
    """The name of a sentence, for codes with several sentences: `run`, `set`, `jokers`, `wild`, `low` and
    others.
    """
    found: str = ""
    """The unexpected text in the notation; empty at the end of the line."""
    wanted: str | None = None
    """The name of the expected part of the notation: `play`, `card`, `count` and others."""
    verb: str | None = None
    """The English name of the play in the notation."""
    plays: list[str] = []
    """The plays that are possible instead, in the notation."""


class Reason(WireStruct, omit_defaults=True):
    """The reason for a refusal."""

    code: str
    """A stable code."""
    message: str = ""
    """A sentence in English, for logs; empty in the answer about a `turn`."""
    rule: str = ""
    """The id of the rule."""
    card: str | None = None
    """The card at fault."""
    parts: ReasonParts | None = None
    """The other values in the sentence; None if there are none."""


class TableEvent(WireStruct, omit_defaults=True):
    """An event at the table. The kind determines which fields are present."""

    number: int
    """The number of the event's entry in the table's log; it never decreases."""
    kind: str
    """Before the match `sat`, `stood`, `bot`, `began`; in the draw for deal `spread`, `draw_for_deal`,
    `draw_again`, `seated`; before a deal `shuffle`, `cut`, `deal`; in a turn `draw`, `restock`, `take`,
    `call`, `meld`, `lay`, `discard`, `pass`, `let_go`, `end`, `float`, `undone`; at the end of a deal `over`,
    `settle`; for the whole match `match_over`, `resign`, `paused`, `resumed`, `abandoned`, `rematch`; for an
    absent player `replaced` (a bot plays until the player returns), `stand_in` (a bot plays this turn) and
    `nudged`; `hinted` if a seat got a hint.
    """
    seat: int | None = None
    """The seat that the player had at the time of the event."""
    name: str | None = None
    """The name of the player, for `sat`, `stood`, `bot`, `draw_for_deal` and `resign`; for `nudged`, the name
    of the player who nudged.
    """
    card: str | None = None
    """The card that was drawn or discarded, or the upcard of a `deal`."""
    cards: list[str] | None = None
    """The cards that were taken, called for or restocked."""
    laid: list[PlacedCard] | None = None
    """The cards that were melded or laid off."""
    meld: int | None = None
    """The number of the meld that the laid cards form or extend."""
    owner: int | None = None
    """For `lay`, the seat that laid the meld."""
    meld_kind: str | None = None
    """The kind of the meld: `run`, `set` or `jokers`."""
    points: int | None = None
    """The points of the cards that were laid."""
    doubled: bool | None = None
    """Whether these points are doubled."""
    must_use: str | None = None
    """The taken card that must be used first."""
    stock: int | None = None
    """The number of cards in the stock after a `draw` or a `deal`."""
    position: int | None = None
    """The position of the card drawn for deal, or of the cut."""
    reason: str | None = None
    """The reason for `over` or `match_over`, as in `DealResult` and `MatchEnd`."""
    dealer: int | None = None
    """The dealer's seat."""
    count: int | None = None
    """For `spread` and `shuffle` the number of cards, for `deal` and `settle` the number of the deal."""
    seats: list[int] | None = None
    """The seats that draw again, the players by seat for `seated`, or the winners for `match_over`."""
    depth: HintDepth | None = None
    """The depth of the hint, for `hinted`."""
    by_bot: bool | None = None
    """Whether a bot acted; with `for_person`, at the seat of a person."""
    for_person: bool | None = None
    """Whether the bot acted for a person."""
    taken_back: int | None = None
    """For `undone`, the `number` of the events that were taken back."""


class BotTurn(WireStruct):
    """A turn, or the rest of a turn, that a bot played for a person."""

    deal: int
    """The number of the deal."""
    events: list[TableEvent]
    """The events that the bot caused, in order, as the person may see them."""


class SuggestedPlay(WireStruct, omit_defaults=True):
    """A possible play that lays or takes cards."""

    play: str
    """The code of the play."""
    kind: Literal["meld", "lay", "take", "call"]
    cards: list[PlacedCard]
    """The cards that are laid or taken."""
    points: int
    """The points that the play scores immediately."""
    doubled: bool = False
    """Whether these points are doubled."""
    meld: int | None = None
    """For `lay`, the number of the meld."""
    owner: int | None = None
    """For `lay`, the seat that laid the meld."""
    meld_kind: str | None = None
    """The kind of the meld: `run`, `set` or `jokers`."""
    fourth: bool = False
    """Whether the play lays three of a rank although the hand has a fourth, and four would count double."""
    count: int | None = None
    """For `take` and `call`, the number of cards."""
    then: SuggestedPlay | None = None
    """For `take` and `call`, the best play that uses the lowest of the taken cards; else None."""


class CardGroup(WireStruct):
    """Cards of the hand that belong together."""

    cards: list[str]
    kind: Literal["run", "set", "jokers", "lay", "rest"]
    """A possible meld (`run`, `set` or `jokers`), a possible lay-off, or the rest of the hand."""
    points: int
    """The points of the cards."""


class PositionAdvice(WireStruct, kw_only=True):
    """What the rules allow a seat to do. It does not say which play is best."""

    options: list[SuggestedPlay] = []
    """Possible plays, those with the most points first."""
    groups: list[CardGroup] = []
    """About the `turn`: the cards of the hand in groups."""
    reason: Reason | None = None
    """The reason why there are no plays."""
    refused: dict[str, Reason] = {}
    """About the `turn`, if it is this seat's: the reasons why plays are not legal, by name as in `you.may`,
    or by card if only that card may not be discarded. About `cards`: the reasons why these cards make no
    `meld` or no `lay`.
    """
