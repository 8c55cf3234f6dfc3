"""The parts of what a table looks like."""

from __future__ import annotations

from typing import Literal

from rum500.server.messages.base import WireStruct


class TableInfo(WireStruct):
    """How a table was made; `target` is the rule set's own where the match goes by deals.

    `players` is for how many: who sits there now is in `shared.seats`, for one who resigns from a larger
    table leaves no seat.
    """

    profile: str
    house_rules: list[str]
    players: int
    target: int
    private: bool
    turn_s: int | None
    bank_s: int
    claim_s: int
    level: str
    seats_drawn: bool
    leaver_s: int
    title: str
    match: str
    deals: int
    sides: int
    jokers: int
    joker_kind: str
    hand_counts: str
    doubles: str
    claim: bool


class PlacedCard(WireStruct):
    """A card in a meld: `place` is what a wild joker stands for, or tells the low ace from the high one."""

    card: str
    place: str | None
    seat: int
    points: int


class MeldPlate(WireStruct):
    """A meld on the table, its cards in order, each with the seat that laid it and scores it (R-LAY-3)."""

    number: int
    kind: Literal["run", "set", "jokers"]
    owner: int
    cards: list[PlacedCard]
    at_once: bool


class DealResult(WireStruct):
    """A finished deal: by seat in `points`, by account in `accounts` and `totals`."""

    number: int
    dealer: int
    reason: str
    out: int | None
    points: list[int]
    accounts: list[int]
    totals: list[int]
    names: list[str]


class ScoreSheetLine(WireStruct):
    """A line of the score sheet of one seat.

    `kind`: `meld` (laid anew), `lay` (on `owner`'s `meld_kind`), `hand` (held at the end, `points` is what
    they cost, 0 or less), `collected` (from the others' hands), `bonus` (going out). `each` are the cards'
    own points.
    """

    kind: Literal["meld", "lay", "hand", "collected", "bonus"]
    cards: list[PlacedCard]
    each: list[int]
    points: int
    doubled: bool = False
    owner: int | None = None
    meld_kind: str | None = None


class ScoreSheet(WireStruct):
    """The score sheet of one deal, as on paper: lines by seat, and what they add up to."""

    number: int
    reason: str
    out: int | None
    lines: list[list[ScoreSheetLine]]
    points: list[int]
    accounts: list[int]
    totals: list[int]


class MatchEnd(WireStruct):
    """How the match ended.

    `winners`, `quitters`, payers and payees are players: who sat at that seat when the match began; `names`
    has them. `rows` are the players of each account, those who left last, and `totals` and `final` (with the
    winner's bonus in it) go by these rows. A payment is payers, payees, points.
    """

    reason: str
    winners: list[int]
    quitters: list[int]
    drawn: bool
    bonus: int
    names: list[str]
    rows: list[list[int]]
    totals: list[int]
    final: list[int]
    payments: list[tuple[list[int], list[int], int]]


class ReasonParts(WireStruct, omit_defaults=True):
    """What a refusal's sentence speaks of, beside the card at fault; each code has parts of its own.

    Cards are written `8C`, a joker that stands for another card `JK=6S`.
    """

    cards: list[str] = []
    """The cards it is about: those that were to be laid, or those in the pile."""
    set: list[str] = []
    """As much of a set as there would be."""
    run: list[str] = []
    """As much of a run as there would be."""
    missing: list[str] = []
    """What a run lacks."""
    takes: list[str] = []
    """Each of the cards that a meld takes."""
    place: str | None = None
    """The card that a joker would stand for."""
    rank: str | None = None
    """The rank of the other cards: `6`, `K`."""
    suit: str | None = None
    """The suit of the other cards: `S`, `H`, `D` or `C`."""
    meld: int | None = None
    """A meld's number as people count: from 1."""
    melds: int | None = None
    """How many melds there are."""
    held: int | None = None
    """How often the player holds the card."""
    times: int | None = None
    """How often the stock was made anew."""
    count: int | None = None
    """How many were asked for."""
    most: int | None = None
    """How many there may be at most."""
    players: list[int] = []
    """For how many players the game is."""
    advice: str | None = None
    """What to do instead, by name: `draw_or_take`, `use_or_pass` and the like."""
    kind: str | None = None
    """Which of the code's sentences: `run`, `set`, `jokers`, `wild`, `low` and the like."""
    found: str = ""
    """What was typed there; empty at the end of the line."""
    wanted: str | None = None
    """What should have been typed, by name: `play`, `card`, `count` and the like."""
    verb: str | None = None
    """The play that was typed, by its English name."""
    plays: list[str] = []
    """What could be typed instead."""


class Reason(WireStruct, omit_defaults=True):
    """Why something is refused: a stable code, the rule's id, the card at fault, what else there is to say.

    `message` says it in English, for logs; those in the answer about a `turn` have none.
    """

    code: str
    message: str = ""
    rule: str = ""
    card: str | None = None
    parts: ReasonParts | None = None


class TableEvent(WireStruct, omit_defaults=True):
    """One thing that happened; `number` is that of its entry in the table's log, and never falls.

    `kind` names it: before the match `sat`, `stood`, `bot`, `began`; the draw `spread`, `draw_for_deal`,
    `draw_again`, `seated`; the deal `shuffle`, `cut`, `deal`; a turn `draw`, `restock`, `take`, `call`,
    `meld`, `lay`, `discard`, `pass`, `let_go`, `end`, `float`, `undone`; its end `over`, `settle`,
    `match_over`, `resign`; the table `paused`, `resumed`, `replaced`, `abandoned`, `rematch`. The rest
    belongs to the kind; `seat` is where that player sat then, `name` stands with what is told by name.
    """

    number: int
    kind: str
    seat: int | None = None
    name: str | None = None
    card: str | None = None
    cards: list[str] | None = None
    laid: list[PlacedCard] | None = None
    meld: int | None = None
    owner: int | None = None
    meld_kind: str | None = None
    points: int | None = None
    doubled: bool | None = None
    must_use: str | None = None
    stock: int | None = None
    position: int | None = None
    reason: str | None = None
    dealer: int | None = None
    count: int | None = None
    seats: list[int] | None = None
    by_bot: bool | None = None


class SuggestedPlay(WireStruct, omit_defaults=True):
    """A meld or lay-off that could be made: its code, its cards, what it scores, and where it goes.

    `fourth`: it lays three of a rank while the fourth is in hand, and four at once would double. `then`: for
    a take, the best use of the card.
    """

    play: str
    kind: Literal["meld", "lay", "take", "call"]
    cards: list[PlacedCard]
    points: int
    doubled: bool = False
    meld: int | None = None
    owner: int | None = None
    meld_kind: str | None = None
    fourth: bool = False
    count: int | None = None
    then: SuggestedPlay | None = None


class CardGroup(WireStruct):
    """Cards of the hand that belong together: a meld (`kind` run, set or jokers), a lay-off, or the rest."""

    cards: list[str]
    kind: Literal["run", "set", "jokers", "lay", "rest"]
    points: int
    meld: int | None = None
