"""What a table looks like: the part that everybody sees, and the part of one viewer.

`Snapshot` and `You` are whole; `SnapshotPatch` and `YouPatch` hold what has changed. Nothing in them is ever
changed, so that two snapshots may share their parts, and times that run are `Countdown`s, so that two
snapshots can be compared.
"""

from __future__ import annotations

from rum500.server.messages.base import (
    Countdown,
    DealPhase,
    PlayName,
    SeatKind,
    Status,
    WaitingFor,
    WireStruct,
    patch_of,
)
from rum500.server.messages.parts import DealResult, MatchEnd, MeldPlate, ScoreSheet


class SeatPlate(WireStruct):
    """Who sits at a seat."""

    kind: SeatKind
    name: str = ""
    level: str | None = None
    """A bot's level."""
    here: bool = True
    """Whether this person is connected."""
    bot_in_ms: Countdown | None = None
    """After this time a bot plays for this absent person, 0: it does now; None: none will."""
    ready: bool = False
    """Whether this person wants the next deal."""
    replace_in_ms: Countdown | None = None
    """After this time the others may vote to `replace` this person, who is absent and keeps a table without a
    clock waiting, by a bot; 0: they may now, None: they may not."""
    robot: bool = False
    """Whether the player came with a bot's token."""


class Clock(WireStruct):
    """The clock of the seat that is to decide: its time for this turn, then its bank."""

    seat: int
    turn_ms: Countdown
    bank_ms: Countdown
    running: bool


class ClaimWindow(WireStruct):
    """A "Rummy!" that `seats` may call within the time."""

    seats: tuple[int, ...]
    """Those who have not let it go."""
    left_ms: Countdown
    total_ms: int
    counts: tuple[int, ...]
    """The takes of the pile that would be claims."""


class Fairness(WireStruct):
    """The shuffle in progress or dealt from."""

    shuffle: int
    commitment: str
    """The SHA-256 of the seed."""
    given: tuple[int, ...]
    """The seats that have added a seed of their own."""
    seed: str | None = None
    """None until the deal ends; that of a pack spread for the draw is in the replay of a finished deal."""
    context: str = ""
    """What the derivation of the order begins with."""


class Snapshot(WireStruct):
    """What everybody at a table may see, spectators too.

    Lists by seat run clockwise from seat 0, as people sit now: a draw for partners seats them again, and a
    player who resigns from a larger table leaves no seat.
    """

    status: Status
    asked: int
    """The number of the decision in progress; plays quote it."""
    waiting_for: WaitingFor
    """`seats`: the match has not begun; `next`: the score sheet is read."""
    actor: int | None
    """The seat that alone has to decide."""
    seats: tuple[SeatPlate, ...]
    host: int | None
    watching: int
    """How many look on without a seat."""
    votes: dict[str, tuple[int, ...]]
    """By what is voted on, the seats that agree."""
    clock: Clock | None
    banks: tuple[int, ...]
    """What each seat had left in its bank when its clock last stood, in ms; empty without clocks."""
    claim: ClaimWindow | None
    fairness: Fairness | None
    rematch: str | None
    """The id of the table at which the same people play again."""

    deal: int
    """The number of the deal on the table, or else of the next one; 0 before the match."""
    dealer: int | None
    """Who deals the deal in progress, and while a sheet is read the next one."""
    scorer: int | None
    """The seat that keeps the score, where the rules say who does."""
    drawn: tuple[tuple[str, ...], ...]
    """By seat, the cards drawn for deal."""
    positions: tuple[int, ...]
    """Where the spread pack can still be drawn from, or, for a cut, the first and the last position."""
    totals: tuple[int, ...]
    """Points of the match by seat."""
    accounts: tuple[int, ...]
    """Points of the match by account: by side where there are sides, else by seat."""
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
    known: tuple[tuple[str, ...], ...]
    """By seat, the cards taken from the pile and still held."""
    pile: tuple[str, ...]
    """The discard pile, oldest card first."""
    stock: int
    """How many cards are in the stock."""
    restocks: int
    """How often the stock was made again since a card was last laid."""
    melds: tuple[MeldPlate, ...]
    must_use: str | None
    """The taken card that must be used now."""
    taken: tuple[str, ...]
    """The cards taken with it."""
    banned: str | None
    """The card that may not be discarded this turn."""
    floater: bool
    """Whether the player in turn began it without a card."""
    laid: tuple[int, ...]
    """By seat, the points on the table."""
    passes: int
    """How many passed in a row."""
    hands: tuple[tuple[str, ...], ...] | None
    """All hands once the deal is over (D22), else None."""


class You(WireStruct):
    """What only this viewer may see."""

    seat: int | None = None
    """None for a spectator."""
    hand: tuple[str, ...] = ()
    drawn: str | None = None
    """The card drawn this turn."""
    may: tuple[PlayName, ...] = ()
    """Which plays are open."""
    plays: dict[str, str] = {}
    """The plays without cards to choose, by name."""
    takes: dict[str, str] = {}
    """The takes of the pile, by the number of cards."""
    calls: dict[str, str] = {}
    """The calls of "Rummy!", by the number of cards."""
    discards: dict[str, str] = {}
    """The discards, by card."""
    undo: int = 0
    """How many plays of this turn can be taken back."""


SnapshotPatch = patch_of(Snapshot)
YouPatch = patch_of(You)
