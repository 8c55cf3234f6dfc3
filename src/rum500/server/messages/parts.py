"""The parts of what a table looks like."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from rum500.server.messages.base import Plain


class SeatPlate(Plain):
    """Who sits at a seat.

    `here`: connected; `bot_in_ms`: a bot plays for this absent person from then on, 0: now, None: none will.
    `ready`: this person wants the next deal. `replace_in_ms`: this absent person keeps a table without a
    clock waiting, and from then on (0: now) the others may vote to `replace` it by a bot; None: they may not.
    `robot`: whoever plays here came by a bot's token.
    """

    kind: Literal["empty", "person", "bot"]
    name: str = ""
    level: str | None = None
    here: bool = True
    bot_in_ms: int | None = None
    ready: bool = False
    replace_in_ms: int | None = None
    robot: bool = False


class Clock(Plain):
    """The clock of the seat that is to decide: its time for this turn, then its bank."""

    seat: int
    turn_ms: int
    bank_ms: int
    running: bool


class TableInfo(Plain):
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


class PlacedCard(Plain):
    """A card in a meld: `place` is what a wild joker stands for, or tells the low ace from the high one."""

    card: str
    place: str | None
    seat: int
    points: int


class MeldPlate(Plain):
    """A meld on the table, its cards in order, each with the seat that laid it and scores it (R-LAY-3)."""

    number: int
    kind: Literal["run", "set", "jokers"]
    owner: int
    cards: list[PlacedCard]
    at_once: bool


class ClaimWindow(Plain):
    """A "Rummy!" that `seats` may call within the time.

    `counts` are the takes of the pile that would be claims. Who has let it go is no longer in `seats`.
    """

    seats: list[int]
    left_ms: int
    total_ms: int
    counts: list[int]


class Fairness(Plain):
    """The shuffle in progress or dealt from: `commitment` is the SHA-256 of the seed.

    `given`: which seats have added a seed of their own; `seed` is None until the deal ends (that of a pack
    spread for the draw is told with a finished deal's replay and record). `context` is what the order's
    derivation begins with.
    """

    shuffle: int
    commitment: str
    given: list[int]
    seed: str | None = None
    context: str = ""


class DealResult(Plain):
    """A finished deal: by seat in `points`, by account in `accounts` and `totals`."""

    number: int
    dealer: int
    reason: str
    out: int | None
    points: list[int]
    accounts: list[int]
    totals: list[int]
    names: list[str]


class ScoreSheetLine(Plain):
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


class ScoreSheet(Plain):
    """The score sheet of one deal, as on paper: lines by seat, and what they add up to."""

    number: int
    reason: str
    out: int | None
    lines: list[list[ScoreSheetLine]]
    points: list[int]
    accounts: list[int]
    totals: list[int]


class MatchEnd(Plain):
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


class Shared(Plain, omit_defaults=True):
    """What everybody at a table may see, spectators too. In an update only what has changed is there.

    `asked` names the decision in progress: plays quote it; `actor` is who alone has to decide.
    `waiting_for`: `seats` (before the match), `draw`, `shuffle`, `cut`, `play`, `claim`, `next` (the score
    sheet is read), `over`. `phase` is the deal's: `draw`, `use`, `play`, `claim`, `over`. Lists by seat run
    clockwise from seat 0, as people sit now: a draw for partners seats them anew, and who resigns from a
    larger table leaves no seat. `dealer` deals the deal in progress, and while a sheet is read the next one.
    `pile` runs from the oldest card to the newest; `known` are cards taken from the pile and still held;
    `laid` is what each seat has on the table.
    """

    status: Literal["open", "playing", "paused", "over", "abandoned"] | UnsetType = UNSET
    asked: int | UnsetType = UNSET
    waiting_for: str | UnsetType = UNSET
    actor: int | UnsetType | None = UNSET
    seats: list[SeatPlate] | UnsetType = UNSET
    host: int | UnsetType | None = UNSET
    watching: int | UnsetType = UNSET
    votes: dict[str, list[int]] | UnsetType = UNSET
    clock: Clock | UnsetType | None = UNSET
    banks: list[int] | UnsetType = UNSET
    """What each seat had left in its bank when its clock last stood, in ms; empty without clocks."""
    claim: ClaimWindow | UnsetType | None = UNSET
    fairness: Fairness | UnsetType | None = UNSET
    rematch: str | UnsetType | None = UNSET
    """The id of the table at which the same people play again."""

    deal: int | UnsetType = UNSET
    dealer: int | UnsetType | None = UNSET
    scorer: int | UnsetType | None = UNSET
    drawn: list[list[str]] | UnsetType = UNSET
    positions: list[int] | UnsetType = UNSET
    """Where the spread pack can still be drawn from, or, for a cut, the first and the last position."""
    totals: list[int] | UnsetType = UNSET
    accounts: list[int] | UnsetType = UNSET
    scores: list[DealResult] | UnsetType = UNSET
    sheet: ScoreSheet | UnsetType | None = UNSET
    result: MatchEnd | UnsetType | None = UNSET

    phase: str | UnsetType | None = UNSET
    turn: int | UnsetType | None = UNSET
    hand_sizes: list[int] | UnsetType = UNSET
    known: list[list[str]] | UnsetType = UNSET
    pile: list[str] | UnsetType = UNSET
    stock: int | UnsetType = UNSET
    restocks: int | UnsetType = UNSET
    melds: list[MeldPlate] | UnsetType = UNSET
    must_use: str | UnsetType | None = UNSET
    taken: list[str] | UnsetType = UNSET
    banned: str | UnsetType | None = UNSET
    floater: bool | UnsetType = UNSET
    laid: list[int] | UnsetType = UNSET
    passes: int | UnsetType = UNSET
    hands: list[list[str]] | UnsetType | None = UNSET
    """All hands once the deal is over (D22), else None."""


class Own(Plain, omit_defaults=True):
    """What only this viewer may see; in an update only what has changed is there.

    `seat` is None for a spectator. `may` says which plays are open: `draw`, `take`, `call`, `let_go`,
    `pass`, `end`, `lay`, `discard`. `plays` are the plays without cards to choose, by the same names;
    `takes` and `calls` map the number of cards to the play, `discards` the card. `refused` says, in one's
    own turn, why one of these is not open, and under a card's name why that card alone may not be
    discarded. `undo` is how many plays of this turn can be taken back.
    """

    seat: int | UnsetType | None = UNSET
    hand: list[str] | UnsetType = UNSET
    drawn: str | UnsetType | None = UNSET
    may: list[str] | UnsetType = UNSET
    plays: dict[str, str] | UnsetType = UNSET
    takes: dict[str, str] | UnsetType = UNSET
    calls: dict[str, str] | UnsetType = UNSET
    discards: dict[str, str] | UnsetType = UNSET
    refused: dict[str, Reason] | UnsetType = UNSET
    undo: int | UnsetType = UNSET


class ReasonParts(Plain, omit_defaults=True):
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


class Reason(Plain, omit_defaults=True):
    """Why something is refused: a stable code, the rule's id, the card at fault, what else there is to say.

    `message` says it in English, for logs; what stands in `you.refused` has none.
    """

    code: str
    message: str = ""
    rule: str = ""
    card: str | None = None
    parts: ReasonParts | None = None


class TableEvent(Plain, omit_defaults=True):
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


class SuggestedPlay(Plain, omit_defaults=True):
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


class CardGroup(Plain):
    """Cards of the hand that belong together: a meld (`kind` run, set or jokers), a lay-off, or the rest."""

    cards: list[str]
    kind: Literal["run", "set", "jokers", "lay", "rest"]
    points: int
    meld: int | None = None
