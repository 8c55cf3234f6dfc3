"""What a client says."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from rum500.server.messages.base import Card, Code, Emote, Id, Level, Number, Seat, WireStruct


class Request(WireStruct, forbid_unknown_fields=True, tag_field="type", kw_only=True):
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

    `turn`: suggested plays, the hand in groups, and why other plays are not open; `cards`: what these cards
    of the hand can do, or why not; `take`: what taking `count` cards would bring, or why it may not be;
    `position`: all that this seat may know, for a bot.
    """

    about: Literal["turn", "cards", "take", "position"]
    cards: Annotated[list[Card], Meta(max_length=108)] = []
    count: Annotated[int, Meta(ge=0, le=108)] = 0


class Next(Request, tag="next"):
    """Ready for the next deal; it begins when all people here are, or one is and a minute has passed."""


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
