"""The state of a table as messages have it: the part that everybody sees, and the part of one viewer.

`Snapshot` and `You` are complete; `SnapshotPatch` and `YouPatch` contain the changes. All of them are treated
as immutable, so that two snapshots can share parts. Times that run are `Countdown`s, so that two snapshots
can be compared.
"""

from __future__ import annotations

from msgspec import field

from rum500.server.messages.field_types import (
    Countdown,
    DealPhase,
    PlayName,
    SeatKind,
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
    """The level of a bot."""
    here: bool = True
    """Whether this person is connected."""
    bot_in_ms: Countdown | None = None
    """The time after which a bot plays for this absent person; 0: it plays now; None: no bot will play."""
    ready: bool = False
    """Whether this person wants the next deal."""
    replace_in_ms: Countdown | None = None
    """The time after which the others may vote for a bot in the place of this person (`replace`, `stand_in`),
    who is absent and keeps a table without clocks waiting; 0: they may vote now; None: they may not."""
    external: bool = field(default=False, name="robot")
    """Whether the player is an external bot with a token."""
    vacant_in_ms: Countdown | None = None
    """The time after which somebody else may have the seat of this absent person, by `sit`; 0: now; None: it
    is not vacant."""
    asked_for_by: str = ""
    """The name of a spectator who asks for the vacant seat; a player hands it over by `hand_over`."""
    gone: bool = False
    """Whether this absent person has left: closed the page, or was not here since play went on. Other absent
    people are away, as with a locked phone or without a network."""
    nudge_in_ms: Countdown | None = None
    """The time after which this absent person, who keeps the table waiting, may be nudged; 0: now; None: not
    at all."""
    waited_for: bool = False
    """Whether this person has asked the others to wait (`wait_for_me`)."""


class Clock(WireStruct):
    """The clock of the seat that has to decide: its time for this turn is used first, then its bank."""

    seat: int
    turn_ms: Countdown
    """The time that is left for the turn."""
    bank_ms: Countdown
    """The time that is left in the bank."""
    running: bool


class ClaimWindow(WireStruct):
    """An opportunity to call "Rummy!"."""

    seats: tuple[int, ...]
    """The seats that may call and have not let it go."""
    left_ms: Countdown
    """The time that is left."""
    total_ms: int
    """The time at the beginning, in milliseconds."""
    counts: tuple[int, ...]
    """The numbers of cards of the pile that may be called for; with blind claims all of them."""


class ShuffleInputs(WireStruct):
    """The commitment of a shuffle, and the seeds from which its order follows."""

    shuffle: int
    """The number of the shuffle at the table."""
    context: str
    """A text that binds the shuffle to the table and to its number."""
    commitment: str
    """The SHA-256 of the seed."""
    seed: str
    """The server's seed in hexadecimal."""
    seats: tuple[str, ...]
    """By seat, the seed that it added, in hexadecimal; empty for none."""


class OpenedShuffle(ShuffleInputs):
    """A shuffle whose deal ended without a result, with the seeds and the cut that determine its order."""

    cut: int
    """The number of cards that were lifted."""
    cut_by: str
    """The origin of the cut: `seat`, `middle` or `stream`."""


class Fairness(WireStruct):
    """The shuffle in progress, or the one of the current deal."""

    shuffle: int
    """The number of the shuffle at the table."""
    commitment: str
    """The SHA-256 of the seed."""
    given: tuple[int, ...]
    """The seats that have added their seeds."""
    seed: str | None = None
    """The server's seed; None until the deal ends. `opened` has those of deals that are given up, and replays
    of finished deals that of the draw for deal."""
    context: str = ""
    """The text with which the derivation of the order begins."""


class Snapshot(WireStruct):
    """The public state of a table, which spectators see too.

    Lists by seat run clockwise from seat 0, as the players sit now: a draw for partners changes their seats,
    and a player who resigns from a larger table leaves no seat.
    """

    status: Status
    asked: int
    """The number of the decision in progress; plays quote it."""
    waiting_for: WaitingFor
    """The kind of decision that the table waits for. `seats`: the match has not begun; `next`: the players
    read the score sheet."""
    actor: int | None
    """The seat that has to decide, if only one has."""
    seats: tuple[SeatPlate, ...]
    host: int | None
    """The host's seat."""
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
    """The shuffles of deals that became void, because somebody resigned or all agreed to end the match; with
    that of the draw for deal if no deal was finished before."""
    rematch: str | None
    """The id of the table at which the same people play again."""
    hints: tuple[int, ...]
    """By seat, the number of decisions of the match for which the player was given a hint."""
    speed: Speed | None
    """The speed of the bots; None unless one person plays with bots."""

    deal: int
    """The number of the deal on the table, or else of the next one; 0 before the match."""
    dealer: int | None
    """The seat that deals this deal, or, while the score sheet is read, the next one."""
    scorer: int | None
    """The seat that keeps the score, if the rules name one."""
    drawn: tuple[tuple[str, ...], ...]
    """By seat, the cards drawn for deal."""
    positions: tuple[int, ...]
    """The positions of the spread pack that can still be drawn, or, for a cut, the first and the last one."""
    totals: tuple[int, ...]
    """Points of the match by seat."""
    accounts: tuple[int, ...]
    """Points of the match by account: by side if there are sides, else by seat."""
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
    """The taken card that must be used now."""
    taken: tuple[str, ...]
    """The cards taken with it."""
    banned: str | None
    """The card that may not be discarded this turn."""
    floater: bool
    """Whether the player in turn began the turn without cards."""
    laid: tuple[int, ...]
    """By seat, the points on the table."""
    passes: int
    """The number of passes in a row."""
    hands: tuple[tuple[str, ...], ...] | None
    """All hands once the deal is over (D22), else None."""


class You(WireStruct):
    """The private state of one viewer."""

    seat: int | None = None
    """None for a spectator."""
    hand: tuple[str, ...] = ()
    drawn: str | None = None
    """The card drawn this turn."""
    may: tuple[PlayName, ...] = ()
    """The names of the legal plays."""
    plays: dict[str, str] = {}
    """The codes of legal plays without cards to choose, by name."""
    takes: dict[str, str] = {}
    """The codes of legal takes of the pile, by the number of cards."""
    calls: dict[str, str] = {}
    """The codes of legal calls of "Rummy!", by the number of cards."""
    discards: dict[str, str] = {}
    """The codes of legal discards, by card."""
    undo: int = 0
    """The number of plays of this turn that can be taken back."""
    hints: int = 0
    """The number of decisions of this deal for which a hint was given."""
    bot_turns: tuple[BotTurn, ...] = ()
    """The turns that bots played for this player since the player's last own play, the latest 20 at most."""


SnapshotPatch = patch_of(Snapshot)
YouPatch = patch_of(You)
