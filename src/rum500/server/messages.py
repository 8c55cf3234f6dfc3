"""What a browser and the server say to each other over a table's WebSocket: the protocol, typed.

Every message is a JSON object whose `type` names it. Cards are written as the sources write them (`QD`,
`10S`, `JK`), places likewise (`1S` is the ace below the two, `AS` the one above the king), plays as the
decimal digits of their code. Times are milliseconds that remain, as of the sending. `docs/protocol.md` and
the page's types are made from this module.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Id = Annotated[str, Meta(min_length=1, max_length=40)]
"""A client's own name for a message; the same one again does nothing more and is answered alike."""
Card = Annotated[str, Meta(min_length=2, max_length=4)]
Seat = Annotated[int, Meta(ge=0, le=7)]
Number = Annotated[int, Meta(ge=0)]
Code = Annotated[str, Meta(pattern=r"^[0-9]{1,20}$")]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
Emote = Literal["well-played", "thanks", "hello", "oops", "wow", "hurry", "good-luck", "laugh"]


# --- what a client says ---------------------------------------------------------------------------------


class Plain(Struct, gc=False):
    """What messages are made of: none can hold itself, so the collector of cycles need not look at them."""


class Request(Plain, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """A message that is answered by exactly one other, with its `id` in `re`.

    A `join` is answered by `sync`, an `ask` by `answer`, a `ping` by `pong`, what changes the table by
    `update`; each of them by `refused` where it may not be.
    """

    id: Id


class Join(Request, tag="join"):
    """The first message of a connection: `last` is the number of the last update seen, 0 for none."""

    last: Number = 0


class Sit(Request, tag="sit"):
    """Take an empty seat, or one's own again; None: the first empty one."""

    seat: Seat | None = None


class Stand(Request, tag="stand"):
    """Leave one's seat before the match begins."""


class SeatBot(Request, tag="seat_bot"):
    """The host seats a bot of this level, or, for None, empties the seat."""

    seat: Seat
    level: Level | None = None


class Start(Request, tag="start"):
    """The host begins the match; empty seats are filled with bots of the table's level."""


class Seed(Request, tag="seed"):
    """This browser's part in a shuffle: up to 32 bytes in hexadecimal.

    `shuffle` is the number of the commitment it answers. `cut`, per mille of the pack, is where the seat
    would cut if it is the one that cuts; None: it wants to be asked.
    """

    shuffle: Number
    value: Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2}){8,32}$")]
    cut: Annotated[int, Meta(ge=0, le=1000)] | None = None


class Pick(Request, tag="pick"):
    """Answer a draw for deal, or a cut, with a position; `asked` as in `Play`."""

    asked: Number
    position: Number


class Play(Request, tag="play"):
    """Make a play; `asked` is the table's when the player decided, so that a stale play is refused."""

    asked: Number
    play: Code


class Say(Request, tag="say"):
    """Make a play that was typed, in the notation: `meld 6S 7S 8S`."""

    asked: Number
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class Undo(Request, tag="undo"):
    """Take back the last play of one's turn, where `you.undo` allows it."""

    asked: Number


class Ask(Request, tag="ask"):
    """Ask for advice that the rules give: nothing at the table changes.

    `turn`: suggested plays, and the hand in groups; `cards`: what these cards of the hand can do, or why not;
    `take`: what taking `count` cards would bring, or why it may not be; `position`: all that this seat may
    know, for a bot.
    """

    about: Literal["turn", "cards", "take", "position"]
    cards: Annotated[list[Card], Meta(max_length=108)] = []
    count: Annotated[int, Meta(ge=0, le=108)] = 0


class Next(Request, tag="next"):
    """Ready for the next deal; it begins when all people at the table are, or after a while."""


class Vote(Request, tag="vote"):
    """Agree, or no longer agree, to something that all people who are here must agree to.

    To `abandon` the match those who are away must agree too, until a bot plays for them; so to `pause` in a
    turn of one who is here. To `resume` all who agreed to the pause must agree, or one for a minute.
    `replace` has a bot play for who has kept the table waiting for long, see `SeatPlate`, until the return.
    """

    on: Literal["pause", "resume", "abandon", "replace", "rematch"]
    yes: bool = True


class Resign(Request, tag="resign"):
    """Give up the match."""


class Chat(Request, tag="chat"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Feel(Request, tag="emote"):
    """Show an emote."""

    emote: Emote


class Ping(Request, tag="ping"):
    """Ask whether the server is there."""


ClientMessage = (
    Join | Sit | Stand | SeatBot | Start | Seed | Pick | Play | Say | Undo | Ask | Next | Vote | Resign
    | Chat | Feel | Ping
)  # fmt: skip


# --- the parts of what a table looks like ---------------------------------------------------------------


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


class Options(Plain):
    """How a table was made; `target` is the rule set's own where the match goes by deals."""

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


class Placed(Plain):
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
    cards: list[Placed]
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


class Score(Plain):
    """A finished deal: by seat in `points`, by account in `accounts` and `totals`."""

    number: int
    dealer: int
    reason: str
    out: int | None
    points: list[int]
    accounts: list[int]
    totals: list[int]
    names: list[str]


class SheetLine(Plain):
    """A line of the score sheet of one seat.

    `kind`: `meld` (laid anew), `lay` (on `owner`'s `meld_kind`), `hand` (held at the end, `points` is what
    they cost, 0 or less), `collected` (from the others' hands), `bonus` (going out). `each` are the cards'
    own points.
    """

    kind: Literal["meld", "lay", "hand", "collected", "bonus"]
    cards: list[Placed]
    each: list[int]
    points: int
    doubled: bool = False
    owner: int | None = None
    meld_kind: str | None = None


class Sheet(Plain):
    """The score sheet of one deal, as on paper: lines by seat, and what they add up to."""

    number: int
    reason: str
    out: int | None
    lines: list[list[SheetLine]]
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
    larger table leaves no seat. `pile` runs from the oldest card to the newest; `known` are cards taken from
    the pile and still held; `laid` is what each seat has on the table.
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
    scores: list[Score] | UnsetType = UNSET
    sheet: Sheet | UnsetType | None = UNSET
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


class Parts(Plain, omit_defaults=True):
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
    parts: Parts | None = None


class Event(Plain, omit_defaults=True):
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
    laid: list[Placed] | None = None
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


class Option(Plain, omit_defaults=True):
    """A meld or lay-off that could be made: its code, its cards, what it scores, and where it goes.

    `fourth`: it lays three of a rank while the fourth is in hand, and four at once would double. `then`: for
    a take, the best use of the card.
    """

    play: str
    kind: Literal["meld", "lay", "take", "call"]
    cards: list[Placed]
    points: int
    doubled: bool = False
    meld: int | None = None
    owner: int | None = None
    meld_kind: str | None = None
    fourth: bool = False
    count: int | None = None
    then: Option | None = None


class Group(Plain):
    """Cards of the hand that belong together: a meld (`kind` run, set or jokers), a lay-off, or the rest."""

    cards: list[str]
    kind: Literal["run", "set", "jokers", "lay", "rest"]
    points: int
    meld: int | None = None


# --- what the server says -------------------------------------------------------------------------------


class Said(Plain, tag_field="type", kw_only=True):
    """A message of the server."""


class Sync(Said, tag="sync"):
    """The whole table as this viewer may see it, in answer to `join`.

    `missed` are the events since the client's last number where the server still has them all (`gap`
    true), else the latest of the present deal, and the client begins anew. `chat` are the last lines.
    """

    re: str
    table: str
    number: int
    gap: bool
    missed: list[Event]
    options: Options
    shared: Shared
    you: Own
    chat: list[Chatted]


class Update(Said, tag="update", omit_defaults=True):
    """What has just happened and what has changed by it.

    `re` is this client's message that brought it about; `number` is that of the last entry in the table's
    log, the same as before where nothing went into the log (somebody came, voted, is being waited for).
    """

    number: int
    re: str | None = None
    events: list[Event] = []
    shared: Shared | UnsetType = UNSET
    you: Own | UnsetType = UNSET


class Refused(Said, tag="refused", omit_defaults=True):
    """A message that changed nothing, and why."""

    re: str | None
    reason: Reason
    column: int | None = None
    """Of a typed play: where the fault is, from 1."""


class Answer(Said, tag="answer", omit_defaults=True):
    """The answer to an `ask`: possible plays, best first; the hand in groups; why there are none.

    About a `position`: what the seat sees, as a position file; the `past`, all plays of the deal as everybody
    saw them, after the upcard as its discard; and `legal`, all that may be played. `asked` goes with it.
    """

    re: str
    options: list[Option] = []
    groups: list[Group] = []
    reason: Reason | None = None
    position: str = ""
    past: list[str] = []
    legal: list[str] = []
    asked: int = 0


class Chatted(Said, tag="chat"):
    """A line of chat."""

    seat: int | None
    name: str
    text: str


class Emoted(Said, tag="emote"):
    """An emote that a seat shows."""

    seat: int
    emote: Emote


class Pong(Said, tag="pong"):
    """The server is there."""

    re: str


class Bye(Said, tag="bye"):
    """The server closes this connection.

    `restart`: come back soon; `elsewhere`: joined in another window; `slow`: too much lay unread; `revoked`:
    the bot's token holds no longer.
    """

    reason: Literal["restart", "elsewhere", "slow", "revoked"]


ServerMessage = Sync | Update | Refused | Answer | Chatted | Emoted | Pong | Bye
