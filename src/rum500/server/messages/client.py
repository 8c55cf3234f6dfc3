"""The messages of a client."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from rum500.server.messages.base import Card, Code, Emote, HintDepth, Id, Level, Number, Seat, WireStruct


class Request(WireStruct, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """A message that gets exactly one answer, which has its `id` in `re`.

    The answer to `join` is `sync`, to `ask` it is `answer`, to `look` and `ping` it is `pong`, and to a
    message that changes the table it is `update`. The answer to each of them is `refused` if it is not
    possible.
    """

    id: Id


class Join(Request, tag="join"):
    """Join the table; the first message of a connection."""

    last: Number = 0
    """The `number` of the last update that this client has received; 0 for none."""


class Sit(Request, tag="sit"):
    """Take an empty seat; the own seat again has no effect."""

    seat: Seat | None = None
    """None for the first empty seat."""


class Stand(Request, tag="stand"):
    """Leave the seat before the match begins."""


class SeatBot(Request, tag="seat_bot"):
    """Give a seat to a bot, or make it empty; only for the host."""

    seat: Seat
    level: Level | None = None
    """The level of the bot; None makes the seat empty."""


class Start(Request, tag="start"):
    """Begin the match; only for the host. Empty seats get bots of the table's level."""


class Seed(Request, tag="seed"):
    """Add this browser's seed to a shuffle."""

    shuffle: Number
    """The number of the shuffle whose commitment this answers."""
    value: Annotated[str, Meta(pattern=r"^(?:[0-9a-f]{2}){8,32}$")]
    """The seed, 8 to 32 bytes in hexadecimal."""
    cut: Annotated[int, Meta(ge=0, le=1000)] | None = None
    """The place, in per mille of the pack, where this seat cuts if it is to cut; None: it is asked then."""


class Pick(Request, tag="pick"):
    """Choose a card in the draw for deal, or a place for the cut."""

    asked: Number
    """As in `play`."""
    position: Number
    """One of `shared.positions`, or, for a cut, a number from the first of them to the last."""


class Play(Request, tag="play"):
    """Make a play."""

    asked: Number
    """The table's `asked` when the player decided; a play that answers an older decision is refused."""
    play: Code
    """The code of the play."""


class Say(Request, tag="say"):
    """Make a play that is written in the notation, such as `meld 6S 7S 8S`."""

    asked: Number
    """As in `play`."""
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class Undo(Request, tag="undo"):
    """Take back the last play of the own turn, if `you.undo` allows it."""

    asked: Number
    """As in `play`."""


class Ask(Request, tag="ask"):
    """Ask for advice from the rules; this changes nothing at the table."""

    about: Literal["turn", "cards", "take", "position", "hint"]
    """`turn`: suggested plays, the hand in groups, and the reasons why other plays are not legal; `cards`:
    possible plays with these cards of the hand, or the reason why there is none; `take`: the result of taking
    `count` cards, or the reason why that is not legal; `position`: everything that this seat may know, for a
    bot; `hint`: a hint that was noted for this decision by a `hint` message, or one less deep."""
    cards: Annotated[list[Card], Meta(max_length=108)] = []
    """About `cards`: the cards of the hand."""
    count: Annotated[int, Meta(ge=0, le=108)] = 0
    """About a `take`: the number of cards from the pile."""
    depth: HintDepth = "possible"
    """About the `hint`: how much it is to say."""


class Hint(Request, tag="hint"):
    """Ask for a hint about the own decision, where one person plays with bots and the table allows hints.

    It is noted in the table's log and told to all; the hint itself is then the answer to an `ask` about the
    `hint`. One that is not deeper than what is noted already is not noted again.
    """

    asked: Number
    """As in `play`."""
    depth: HintDepth


class Next(Request, tag="next"):
    """Be ready for the next deal. It begins when all people here are ready, or after a minute if one is."""


class Vote(Request, tag="vote"):
    """Agree, or no longer agree, to something that needs the agreement of all people who are here."""

    on: Literal["pause", "resume", "abandon", "replace", "rematch"]
    """`abandon` also needs the agreement of absent people for whom no bot plays, and `pause` does so if the
    player in turn is here. `resume` needs that of all who agreed to the pause, or of one person for a minute.
    `replace` lets a bot play for a person who has kept the table waiting for long (see `replace_in_ms` of
    `SeatPlate`), until that person returns."""
    yes: bool = True
    """Whether to agree; false withdraws the agreement."""


class Resign(Request, tag="resign"):
    """Give up the match."""


class Chat(Request, tag="chat"):
    """Send a line of chat to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Feel(Request, tag="emote"):
    """Show an emote."""

    emote: Emote


class Look(Request, tag="look"):
    """Say whether the page shows the table. A new connection counts as one that does.

    While a table waits for a guest and no page of the guest shows it, the guest's browsers may be sent a
    message.
    """

    shown: bool


class Ping(Request, tag="ping"):
    """Test the connection and the table."""


ClientMessage = (
    Join | Sit | Stand | SeatBot | Start | Seed | Pick | Play | Say | Undo | Ask | Hint | Next | Vote | Resign
    | Chat | Feel | Look | Ping
)  # fmt: skip
