"""The entries of a table's log: a struct for each kind, and its conversion to the store's entries.

A table's state is the fold of its entries (`TableState`). Players are numbered by their seats at the start of
the match; times are in milliseconds.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from msgspec import Struct

from rum500.server.messages import TriedFrom
from rum500.server.messages.field_types import HintDepth, SeatRequestOutcome, Speed
from rum500.server.messages.options import TableOptions
from rum500.store import StoredEntry

Vote = Literal["pause", "resume", "abandon", "replace", "stand_in", "rematch"]


class LogEntry(Struct, frozen=True, omit_defaults=True, gc=False):
    """The content of an entry. Fields added by later versions have defaults, so old logs stay readable."""

    kind: ClassVar[str]
    """The kind of the entry in the store."""


class Created(LogEntry, frozen=True):
    """The table was made."""

    kind = "created"
    options: TableOptions
    host: str
    """The id of the guest who may start the match."""
    secret: str
    """The seed of the bots' random numbers, in hexadecimal; it is never sent."""
    rules: str
    """The digest of the rules that the options gave."""
    version: str
    """The version of rum500 that made the table."""


class Sat(LogEntry, frozen=True):
    """A guest took a seat."""

    kind = "sat"
    player: int
    guest: str
    name: str


class Stood(LogEntry, frozen=True):
    """A seat became empty."""

    kind = "stood"
    player: int


class BotSat(LogEntry, frozen=True):
    """A bot got a seat."""

    kind = "bot"
    player: int
    level: str
    name: str


class SeatLent(LogEntry, frozen=True):
    """A seat was lent to an external bot."""

    kind = "lent"
    player: int
    key: str
    """The digest of the bot's token."""
    name: str
    """The name of the bot."""
    by: str
    """The id of the guest who made the token."""


class SeatTokenRevoked(LogEntry, frozen=True):
    """The token of a seat's external bot was revoked."""

    kind = "recalled"
    player: int


class SeatHandedOver(LogEntry, frozen=True):
    """An absent person's seat went to another guest in mid-match, or back to the person."""

    kind = "handed_over"
    player: int
    guest: str
    name: str
    for_good: bool = False
    """Whether the former guest is the same person with another device, and does not get the seat back."""


class SeatRequested(LogEntry, frozen=True):
    """A spectator asked the people at the table for the seat of an absent person."""

    kind = "seat_requested"
    player: int
    guest: str
    words: str
    """The two words that the spectator and the people at the table see."""


class SeatRequestEnded(LogEntry, frozen=True):
    """The open request for a seat ended, and the seat stays with its person."""

    kind = "seat_request_ended"
    outcome: SeatRequestOutcome


class GuestMerged(LogEntry, frozen=True):
    """Two guests, of whom only one was at this table, became one: all seats of `former` are `guest`'s."""

    kind = "merged"
    former: str
    guest: str


class Hosted(LogEntry, frozen=True):
    """Another player becomes the host."""

    kind = "hosted"
    guest: str


class Began(LogEntry, frozen=True):
    """The match began; `order[player]` is the index of the player's seat before seats were drawn."""

    kind = "began"
    order: list[int]


class Committed(LogEntry, frozen=True):
    """The server committed itself to a secret seed for the next shuffle."""

    kind = "committed"
    shuffle: int
    seed: str


class Seeded(LogEntry, frozen=True):
    """A player added a seed. `cut` is where the player would cut, in thousandths of the pack."""

    kind = "seeded"
    player: int
    value: str
    cut: int | None = None


class Shuffled(LogEntry, frozen=True):
    """The order of the pack. It follows from the seeds; storing it makes reading fast."""

    kind = "shuffled"
    seeds: list[str]
    cards: list[int]


class Drew(LogEntry, frozen=True):
    """A card was drawn for deal."""

    kind = "drew"
    position: int
    bot: bool = False


class CutMade(LogEntry, frozen=True):
    """The pack was cut."""

    kind = "cut"
    position: int
    by: Literal["seat", "middle", "stream"]


class Played(LogEntry, frozen=True):
    """A play."""

    kind = "play"
    code: int
    stock: list[int] | None = None
    """The order of the new stock, if the play made one; else None."""
    spent: int = 0
    """The player's time, in milliseconds."""
    bot: bool = False
    """Whether a bot made the play."""


class Called(LogEntry, frozen=True):
    """A player called "Rummy!". Players with an earlier right to call count as having declined."""

    kind = "called"
    player: int
    code: int
    bot: bool = False


class LetGone(LogEntry, frozen=True):
    """These players decline to call."""

    kind = "let_go"
    players: list[int]
    bot: bool = False
    """Whether bots made this decision."""


class Undone(LogEntry, frozen=True):
    """The last play was taken back; `spent` is the time used for the decision so far."""

    kind = "undone"
    spent: int = 0


class Readied(LogEntry, frozen=True):
    """A player is ready for the next deal."""

    kind = "next"
    player: int


class Voted(LogEntry, frozen=True):
    """A player agrees to something, or no longer agrees."""

    kind = "voted"
    on: Vote
    player: int
    yes: bool


class Paused(LogEntry, frozen=True):
    """The match was paused; `spent` is the time used for the decision so far."""

    kind = "paused"
    spent: int = 0


class MatchResumed(LogEntry, frozen=True):
    """The match continues after a pause."""

    kind = "resumed"


class Stopped(LogEntry, frozen=True):
    """The running clock stopped in the middle of a turn; `spent` is the time that the clock had run."""

    kind = "stopped"
    spent: int


class TimedOut(LogEntry, frozen=True):
    """The player's time has run out: a bot plays the rest of the turn."""

    kind = "timed_out"
    player: int


class Replaced(LogEntry, frozen=True):
    """The other players agreed that a bot plays for an absent player until the player returns."""

    kind = "replaced"
    player: int


class StoodIn(LogEntry, frozen=True):
    """The other players agreed that a bot plays an absent player's present turn."""

    kind = "stood_in"
    player: int


class WaitAsked(LogEntry, frozen=True):
    """A player asked the other players to wait during absences, or withdrew that request."""

    kind = "wait_asked"
    player: int
    yes: bool = True


class Nudged(LogEntry, frozen=True):
    """Player `by` nudged the absent `player`, to whom the server sends a push message."""

    kind = "nudged"
    player: int
    by: int


class SpeedSet(LogEntry, frozen=True):
    """The only person at the table chose the speed of the bots."""

    kind = "speed"
    speed: Speed


class Returned(LogEntry, frozen=True):
    """An absent player is connected again and plays instead of the bot."""

    kind = "returned"
    player: int


class Resigned(LogEntry, frozen=True):
    """A player resigned."""

    kind = "resigned"
    player: int


class Abandoned(LogEntry, frozen=True):
    """All agreed to abandon the match."""

    kind = "abandoned"


class Rematched(LogEntry, frozen=True):
    """The same people play again at another table."""

    kind = "rematch"
    table: str


class Hinted(LogEntry, frozen=True):
    """A player got a hint about the present decision."""

    kind = "hinted"
    player: int
    depth: HintDepth


class TriedAgain(LogEntry, frozen=True):
    """The match consists of a finished deal of another table, played on from a position in it."""

    kind = "tried"
    of: TriedFrom
    dealer: int
    totals: list[int]
    """The totals before the deal, by seat."""
    deck: list[int]
    """The cards in the order of dealing."""
    plays: list[int]
    """The codes of the plays before the position."""
    stocks: dict[int, list[int]] = {}
    """New stocks, by the index in `plays` of the draw that made them."""


class ChatEntry(LogEntry, frozen=True):
    """A chat line; `player` is None for a spectator."""

    kind = "chat"
    player: int | None
    name: str
    text: str


KINDS: dict[str, type[LogEntry]] = {entry.kind: entry for entry in LogEntry.__subclasses__()}
"""The class of each kind of entry."""
_LEFT_OUT = {
    "house_rules": [], "variations": [], "private": False, "bank_s": 120, "claim_s": 8, "level": "greedy",
    "leaver_s": 60, "hints": "none", "bot_pause_ms": 700, "away_s": 0, "call_bot_s": 259_200,
}  # fmt: skip
"""Options that the log of an older table leaves out, with the defaults of that time."""


class _Given(Struct):
    """The options as a stored `created` entry contains them, before decoding."""

    options: dict[str, msgspec.Raw]


_GIVEN = msgspec.json.Decoder(_Given)
_DECODERS = {kind: msgspec.json.Decoder(line) for kind, line in KINDS.items()}
_ENCODER = msgspec.json.Encoder()


class LogError(ValueError):
    """An impossible entry: the log is damaged, or from another version."""

    code = "table.log"


def to_stored(number: int, at: int, line: LogEntry, author: str | None, message: str | None) -> StoredEntry:
    """Return entry `line` in the store's form; guest `author` caused it by the message with id `message`."""
    return StoredEntry(number, at, line.kind, _ENCODER.encode(line), author, message)


def check_sum(entry: StoredEntry, expected: int) -> None:
    """Raise `LogError` if an entry's checksum is not `expected`."""
    if entry.checksum not in (None, expected):
        raise LogError(
            f"entry {entry.number} is not what was written: its row in the database was damaged; "
            "restore a backup: rum500 restore FILE --force"
        )


def from_stored(entry: StoredEntry) -> LogEntry:
    """Return the content of a stored entry. Raises `LogError` if its kind is unknown or its data invalid."""
    decoder = _DECODERS.get(entry.kind)
    if decoder is None:
        raise LogError(f"entry {entry.number} is of the unknown kind {entry.kind!r}")
    try:
        line = decoder.decode(entry.data)
        return _completed(line, entry.data) if isinstance(line, Created) else line
    except msgspec.DecodeError as error:
        raise LogError(f"entry {entry.number} ({entry.kind}): {error}") from None


def _completed(created: Created, data: bytes) -> Created:
    given = _GIVEN.decode(data).options
    missing = {name: value for name, value in _LEFT_OUT.items() if name not in given}
    if created.options.daily:
        missing.pop("bank_s", None)  # the default is the time of a turn
    options = msgspec.structs.replace(created.options, **missing)
    return msgspec.structs.replace(created, options=options)


def options_in(entry: StoredEntry | None) -> TableOptions | None:
    """Return the options in the first entry of a log; None if this program cannot read them."""
    try:
        line = None if entry is None else from_stored(entry)
    except LogError:
        return None
    return line.options if isinstance(line, Created) else None
