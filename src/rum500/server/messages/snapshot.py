"""The state of a table in messages: the public part, and the private part of one viewer.

`Snapshot` and `You` are complete; `SnapshotPatch` and `YouPatch` contain the changes. All of them are treated
as immutable, so that two snapshots can share parts. Running times are `Countdown`s, so that two snapshots can
be compared.
"""

from __future__ import annotations

from msgspec import field

from rum500.server.messages.field_types import (
    Countdown,
    DealPhase,
    PlayName,
    SeatKind,
    SeatRequestOutcome,
    Speed,
    Status,
    WaitingFor,
    WireStruct,
    patch_of,
)
from rum500.server.messages.parts import BotTurn, DealResult, MatchEnd, MeldPlate, ScoreSheet


class SeatPlate(WireStruct):
    """The player at a seat."""

    kind: SeatKind
    name: str = ""
    level: str | None = None
    """The level of a bot; None for people and external bots."""
    here: bool = True
    """Whether this person is connected."""
    bot_in_ms: Countdown | None = None
    """The time after which a bot plays for this absent person; 0: it plays now; None: no bot will play."""
    ready: bool = False
    """Whether this person is ready for the next deal."""
    replace_in_ms: Countdown | None = None
    """For an absent person who keeps a table without clocks waiting: the time after which the other players
    may vote for a bot to play for the person (`replace`, `stand_in`). 0: they may vote now; None: they may
    not.
    """
    external: bool = field(default=False, name="robot")
    """Whether the player is an external bot with a token."""
    vacant_in_ms: Countdown | None = None
    """The time after which the host may give this absent person's seat to a bot; 0: now; None: never."""
    ask_in_ms: Countdown | None = None
    """The time after which a spectator may ask for this absent person's seat; 0: now; None: never."""
    asked_for: int = 0
    """The number of the open request for this seat; 0 if there is none."""
    gone: bool = False
    """Whether this absent person has left: closed the page, or was not here since play continued. Other
    absent people are away, for example with a locked phone or without a network.
    """
    nudge_in_ms: Countdown | None = None
    """The time after which this absent person, whom the table awaits, may be nudged; 0: now; None: never."""
    waited_for: bool = False
    """Whether this person has asked the other players to wait (`wait_for_me`)."""


class Clock(WireStruct):
    """The clock of the seat that has to decide: its time for this turn is used first, then its bank."""

    seat: int
    turn_ms: Countdown
    """The time left for the turn."""
    bank_ms: Countdown
    """The time left in the bank."""
    running: bool


class ClaimWindow(WireStruct):
    """An opportunity to call "Rummy!"."""

    seats: tuple[int, ...]
    """The seats that may call and have not declined."""
    left_ms: Countdown
    """The time left."""
    total_ms: int
    """The whole time for calls, in milliseconds."""
    counts: tuple[int, ...]
    """The numbers of cards of the pile that may be called for; all numbers if calls are blind."""


class ShuffleInputs(WireStruct):
    """The commitment of a shuffle, and the seeds from which the order of the pack follows."""

    shuffle: int
    """The number of the shuffle at the table."""
    context: str
    """The table's label and the number of the shuffle, with which the derivation of the order begins."""
    commitment: str
    """The SHA-256 of the server's seed."""
    seed: str
    """The server's seed in hexadecimal."""
    seats: tuple[str, ...]
    """By seat, the seed that the seat added, in hexadecimal; empty for none."""


class OpenedShuffle(ShuffleInputs):
    """The shuffle of a deal that became void, with the seeds and the cut that determine its order."""

    cut: int
    """The number of cards that were lifted."""
    cut_by: str
    """Who chose the cut: `seat`, `middle` or `stream`."""


class Fairness(WireStruct):
    """The shuffle in progress, or the shuffle of the current deal."""

    shuffle: int
    """The number of the shuffle at the table."""
    commitment: str
    """The SHA-256 of the server's seed."""
    given: tuple[int, ...]
    """The seats that have added their seeds."""
    seed: str | None = None
    """The server's seed; None until the deal ends. `opened` has the seeds of void deals, and replays of
    finished deals have the seed of the draw for deal.
    """
    context: str = ""
    """The text with which the derivation of the order begins."""


class Snapshot(WireStruct):
    """The public state of a table, which spectators see too.

    Lists by seat run clockwise from seat 0, as the players sit now: a draw for partners changes their seats,
    and at a table of more than two players, the seat of a player who resigns is removed.
    """

    status: Status
    asked: int
    """The number of the decision in progress; plays quote it."""
    waiting_for: WaitingFor
    """The kind of decision that the table waits for. `seats`: the match has not begun; `next`: the players
    read the score sheet.
    """
    actor: int | None
    """The seat that has to decide; None if none or several have to."""
    seats: tuple[SeatPlate, ...]
    host: int | None
    """The host's seat; None if the host has none."""
    watching: int
    """The number of spectators."""
    votes: dict[str, tuple[int, ...]]
    """The seats that agree, by the subject of the vote."""
    clock: Clock | None
    banks: tuple[int, ...]
    """By seat, the time in ms that the bank had when the clock last stopped; empty without clocks."""
    claim: ClaimWindow | None
    fairness: Fairness | None
    opened: tuple[OpenedShuffle, ...]
    """The shuffles of void deals, in which somebody resigned or all agreed to end the match, and the shuffle
    of the draw for deal if no deal was finished before.
    """
    rematch: str | None
    """The id of the table where the same people play again; None if there is none."""
    hints: tuple[int, ...]
    """By seat, the number of the match's decisions for which the player got a hint."""
    speed: Speed | None
    """The speed of the bots; None unless one person plays with bots."""

    deal: int
    """The number of the deal on the table, or of the next one; 0 before the match."""
    dealer: int | None
    """The seat that deals this deal or, while the score sheet is read, the next one."""
    scorer: int | None
    """The seat that keeps the score; None unless the rules name one."""
    drawn: tuple[tuple[str, ...], ...]
    """By seat, the cards drawn for deal."""
    positions: tuple[int, ...]
    """The positions of the spread pack that can be drawn or, for a cut, the first and the last one."""
    totals: tuple[int, ...]
    """The totals of the match, by seat."""
    accounts: tuple[int, ...]
    """The totals of the match by account: by side if there are sides, else by seat."""
    scores: tuple[DealResult, ...]
    """The finished deals."""
    sheet: ScoreSheet | None
    """The last deal's score sheet, until the next shuffle."""
    result: MatchEnd | None

    phase: DealPhase | None
    """The deal's phase; None while no deal is on the table."""
    turn: int | None
    """The seat whose turn it is."""
    hand_sizes: tuple[int, ...]
    """By seat, the number of cards in hand."""
    known: tuple[tuple[str, ...], ...]
    """By seat, the cards taken from the pile and still held."""
    pile: tuple[str, ...]
    """The discard pile, oldest card first."""
    stock: int
    """The number of cards in the stock."""
    restocks: int
    """The number of restocks since a card was last laid."""
    melds: tuple[MeldPlate, ...]
    must_use: str | None
    """The taken card that must be used now; None if there is none."""
    taken: tuple[str, ...]
    """The cards of the take in which `must_use` was taken, including that card; empty if there is none."""
    banned: str | None
    """The card that may not be discarded this turn; None if there is none."""
    floater: bool
    """Whether the player in turn began the turn without cards."""
    laid: tuple[int, ...]
    """By seat, the points on the table."""
    passes: int
    """The number of passes in a row."""
    hands: tuple[tuple[str, ...], ...] | None
    """All hands when the deal is over (D22), else None."""


class SeatRequest(WireStruct):
    """A spectator's request for an absent person's seat, as the spectator and those who answer see it."""

    number: int
    """The number of the request, which `answer_seat` quotes."""
    seat: int
    words: str
    """The two words that the spectator and the people at the table see, to compare them by voice."""
    mine: bool
    """Whether this viewer is the spectator who asks. Other viewers get only requests that they may answer."""
    outcome: SeatRequestOutcome | None
    """For the spectator, how the request ended without success; None while it is open."""


class You(WireStruct):
    """The private state of one viewer."""

    seat: int | None = None
    """The viewer's seat; None for a spectator."""
    hand: tuple[str, ...] = ()
    drawn: str | None = None
    """The card that the viewer drew this turn; None if none."""
    may: tuple[PlayName, ...] = ()
    """The names of the legal plays."""
    plays: dict[str, str] = {}
    """The codes of legal plays that need no choice of cards, by name."""
    takes: dict[str, str] = {}
    """The codes of legal takes, by the number of cards."""
    calls: dict[str, str] = {}
    """The codes of legal calls of "Rummy!", by the number of cards."""
    discards: dict[str, str] = {}
    """The codes of legal discards, by card."""
    undo: int = 0
    """The number of plays of this turn that can be taken back."""
    hints: int = 0
    """The number of decisions of this deal for which the viewer got a hint."""
    bot_turns: tuple[BotTurn, ...] = ()
    """The turns that bots played for this player since the player's last own play; at most the latest 20."""
    seat_request: SeatRequest | None = None
    """A request for a seat that the viewer has made, or may answer; None if there is none."""
    lost_seat: int | None = None
    """The seat that this guest had until the people at the table gave it to another device; else None."""


SnapshotPatch = patch_of(Snapshot)
YouPatch = patch_of(You)
