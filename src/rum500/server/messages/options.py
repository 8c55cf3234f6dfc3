"""The options of a table, each declared once: `TableChoices` has those that a guest chooses.

What the log stores (`TableOptions`), what a guest sends (`NewTable`), what viewers get (`TableInfo`), the
page's defaults and limits, and the documentation follow from them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rum500.server.config_types import BOT_PAUSE_MS, MAX_BOT_PAUSE_MS
from rum500.server.messages.field_types import (
    Deals,
    HintLimit,
    Level,
    Players,
    ProfileName,
    Speed,
    Target,
    WireStruct,
    optional_of,
)

DAY_S = 86_400
"""The seconds of a day. With this time for a turn, or more, the clock is a clock of days."""
LONGEST_TURN_S = 7 * DAY_S
"""The largest time for a turn, and in a bank, in seconds."""
USUAL_BANK_S = 120
"""The seconds in a bank if none are chosen; by a clock of days, a turn's time."""
USUAL_SPEED: Speed = "normal"
"""The speed of bots for a guest who has not chosen one."""


class TableChoices(Struct, frozen=True, kw_only=True):
    """The options that a guest chooses. None means the profile's default, or no such limit."""

    profile: ProfileName
    """The name of the game."""
    house_rules: Annotated[list[Annotated[str, Meta(pattern="^H[1-6]$")]], Meta(max_length=12)] = []
    """The ids of the house rules."""
    variations: Annotated[list[Annotated[str, Meta(pattern="^[a-z0-9-]{1,20}$")]], Meta(max_length=12)] = []
    """The names of the variations in which the rules differ from the game's own."""
    players: Players | None = None
    """The number of players at the start of the match. `shared.seats` has the present ones: at a table of
    more than two players, a player who resigns leaves no seat.
    """
    target: Target | None = None
    """The points to reach in a match to a target."""
    deals: Deals | None = None
    """The number of deals, or the largest number of deals in a match to a target."""
    private: bool = False
    """Whether the lobby does not list the table."""
    turn_s: Annotated[int, Meta(ge=5, le=LONGEST_TURN_S)] | None = None
    """The seconds for each turn; None: no clocks. From a day (86400) on, the clock runs by the calendar, even
    while nobody is connected.
    """
    bank_s: Annotated[int, Meta(ge=0, le=LONGEST_TURN_S)] | None = None
    """Each player's additional seconds for the match; None: the server's default, which for a clock of days
    is the time of a turn.
    """
    claim_s: Annotated[int, Meta(ge=1, le=60)] = 8
    """The seconds in which "Rummy!" may be called; by a clock of days, the time of a turn."""
    level: Level = "greedy"  # this bot lays all it can, as newcomers do, and can be beaten
    """The level of bots, for seats that are empty when the match begins and for absent people."""
    seats_drawn: bool | None = None
    """Whether the seats are drawn by lot when the match begins."""
    leaver_s: Annotated[int, Meta(ge=0, le=DAY_S)] = 0
    """The seconds after which a bot plays for a person who has left while other people wait; 0: the table
    waits for the person, or for the clock. A clock of days ignores it.
    """
    hints: HintLimit = "none"
    """The deepest hint allowed, where one person plays with bots."""
    hints_a_deal: Annotated[int, Meta(ge=1, le=99)] | None = None
    """The number of decisions in a deal for which hints are allowed; None: no limit."""
    speed: Speed | None = None
    """The speed of the bots, where one person plays with bots; None: the speed that the guest chose last."""


class TableOptions(TableChoices, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All options of a table. The log stores every option, so that a changed default changes no table."""

    bot_pause_ms: Annotated[int, Meta(ge=0, le=MAX_BOT_PAUSE_MS)] = BOT_PAUSE_MS
    """The milliseconds that a bot waits before each play, so that people can follow. Where one person plays
    with bots, the time of a bot's turn is proportional to this wait.
    """
    away_s: int = 600
    """How many seconds a person counts as away, and not as gone, after the connection ended without a closing
    message, as with a locked phone.
    """
    call_bot_s: int = 120
    """At a table without clocks: how many seconds a decision of an absent person must last before the other
    players may vote for a bot. For a person who was not there when the others came, or asked them to wait, it
    is three days.
    """

    @property
    def daily(self) -> bool:
        """Whether the clock is a clock of days: it runs by the calendar, even while nobody is connected."""
        return self.turn_s is not None and self.turn_s >= DAY_S

    @property
    def bank(self) -> int:
        """The seconds in each player's bank when the match begins."""
        if self.bank_s is not None:
            return self.bank_s
        return self.turn_s if self.daily and self.turn_s is not None else USUAL_BANK_S

    @property
    def window(self) -> int:
        """The seconds in which "Rummy!" may be called; by a clock of days, the time of a turn."""
        return self.turn_s if self.daily and self.turn_s is not None else self.claim_s


DEFAULTS = TableOptions(profile="500-rum")
"""The options of a table for which nothing was chosen."""


class TableStart(Struct, kw_only=True, forbid_unknown_fields=True):
    """The players at the start of a new table."""

    bots: Annotated[list[Level | None], Meta(max_length=8)] = []
    """By seat, the level of a bot, or None for an empty seat. Seats that are not listed are empty."""
    start: bool = False
    """Whether to begin at once, with bots at all empty seats except the first, which the guest gets."""


NewTable = optional_of(TableChoices, TableStart, "NewTable")
NewTable.__doc__ = "A table to be made. An option that is null or left out has its default."


class TriedFrom(WireStruct):
    """The decision from which a table was started: of a finished deal, a lesson, or a deal of the day."""

    table: str
    """The table of the finished deal."""
    deal: int
    """The number of the deal."""
    frame: int
    """The frame before the decision, in the deal's replay."""
    turn: int
    """The number of the seat's turn in the deal, from 1."""
    seat: int
    """The seat that decides; the guest has this seat at the new table."""
    redealt: bool
    """Whether the cards that this seat could not see were dealt again."""
    points: list[int]
    """The points of the deal as it was originally played, by seat."""
    lesson: str | None = None
    """The name of the lesson that is played at this table; then `table` is empty. None: no lesson."""
    day: str | None = None
    """The date of the deal of the day that is played at this table; then `table` is empty. None: no such
    deal.
    """
    practice: bool = False
    """Whether the deal of the day is played for practice, after its day."""


class TableInfo(TableChoices, frozen=True, kw_only=True):
    """The options in force at a table, and the properties of its game."""

    players: int
    target: int
    """The points to reach; meaningless in a match of a fixed number of deals."""
    deals: int
    """The number of deals in a match of a fixed number of deals."""
    bank_s: int
    """Each player's additional seconds for the match."""
    claim_s: int
    seats_drawn: bool
    title: str
    """The title of the game."""
    match: str
    """`target`: the match is played to a target; `deals`: over a number of deals."""
    max_deals: int
    """The largest number of deals in a match to a target; 0: no limit."""
    sides: int
    """2 if two play against two, otherwise 0."""
    jokers: int
    """The number of jokers in a pack."""
    joker_kind: str
    """`none`, `wild`, or `rank` if jokers are a rank of their own."""
    hand_counts: str
    """`holder`: cards left in hand are subtracted from their holder; `winner`: the player who goes out gets
    their points."""
    doubles: str
    """`none`, or the melds that count double if four cards are laid at once: `sets`, or `melds` for sets and
    runs."""
    claim: bool
    """Whether "Rummy!" may be called."""
    tried: TriedFrom | None
    """The decision from which a finished deal is played again; None at other tables."""
    blind_claims: bool
    """Whether all players are asked for a call after every turn, even if no call is possible."""
