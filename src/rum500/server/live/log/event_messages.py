"""Events in the form of the protocol: the public version, and the version for one player."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from rum500.match import Match
from rum500.server import messages
from rum500.server.messages.render import TEXT, placed, texts
from rum500.view import Event


class ScopedEvent(Struct, frozen=True, gc=False):
    """An event in two versions: the public one, and one for the player who sees more of it."""

    number: int
    """The number of its entry in the log."""
    shared: messages.TableEvent
    """The public version."""
    player: int | None = None
    """The player who sees more; None if nobody does."""
    own: messages.TableEvent | None = None
    """The version for that player; None if there is none."""

    def seen_by(self, player: int | None) -> messages.TableEvent:
        """Return the version for this player; None stands for a spectator."""
        return self.own if self.own is not None and player == self.player else self.shared


class RecentEvents(list[ScopedEvent]):
    """The events since entry `kept_from`: the events of the current and of the previous deal."""

    def __init__(self) -> None:
        """Begin with no event."""
        super().__init__()
        self.kept_from = 1
        self.deal_starts: deque[int] = deque([1], maxlen=2)
        """The entries with which the last two deals began."""

    def begin_deal(self, number: int) -> None:
        """Begin a deal with entry `number`, and drop events from before the previous deal."""
        self.deal_starts.append(number)
        self.kept_from = self.deal_starts[0]
        self[:] = [event for event in self if event.number >= self.kept_from]

    def drop(self, number: int) -> None:
        """Remove the events of entry `number`, a play that was taken back: they could reveal a card later."""
        self[:] = [event for event in self if event.number != number]


def event_message(
    match: Match, event: Event, number: int, *, by_bot: bool = False, for_person: bool = False
) -> ScopedEvent:
    """Return an event that entry `number` caused in the match, in the form of the protocol.

    `by_bot` says that a bot caused the event, and `for_person` that the bot acted for a person.
    """
    fields = _FIELDS.get(event.kind)
    public = fields(match, event) if fields else {}
    public |= {"by_bot": by_bot or None, "for_person": (by_bot and for_person) or None}
    shared = messages.TableEvent(number, event.kind, event.seat, **public)
    seen = event.private.get(event.seat)
    if seen is None or "card" not in seen:
        return ScopedEvent(number, shared)
    own = messages.TableEvent(number, event.kind, event.seat, card=TEXT[seen["card"]], **public)
    return ScopedEvent(number, shared, match.seating[event.seat], own)


def table_event(kind: str, number: int, seat: int | None = None, **fields: Any) -> ScopedEvent:
    """Return an event of the table itself, such as a new player."""
    return ScopedEvent(number, messages.TableEvent(number, kind, seat, **fields))


def _take(_match: Match, event: Event) -> dict[str, Any]:
    must = event.public["must_use"]
    return {"cards": texts(event.public["cards"]), "must_use": None if must is None else TEXT[must]}


def _laid(match: Match, event: Event) -> dict[str, Any]:
    assert match.state is not None
    public, number = event.public, event.public["meld"]
    meld = match.state.melds[number]
    cards = placed(
        match.rules, public["cards"], event.seat, run=meld.kind == "run", doubled=public["doubled"]
    )
    found = {
        "meld": number,
        "laid": cards,
        "points": public["points"],
        "doubled": public["doubled"] or None,
        "meld_kind": meld.kind,
    }
    return found | ({"owner": meld.owner} if event.kind == "lay" else {})


def _drawn(match: Match, event: Event) -> dict[str, Any]:
    name = match.player_names[match.seating[event.seat]] if event.seat < match.players else None
    return {"position": event.public["position"], "card": TEXT[event.public["card"]], "name": name}


def _deal(_match: Match, event: Event) -> dict[str, Any]:
    public = event.public
    return {
        "dealer": event.seat,
        "card": TEXT[public["upcard"]],
        "stock": public["stock"],
        "count": public["number"],
    }


_FIELDS: dict[str, Callable[[Match, Event], dict[str, Any]]] = {
    "draw": lambda _, event: {"stock": event.public["stock"]},
    "restock": lambda _, event: {"cards": texts(event.public["cards"])},
    "take": _take,
    "call": _take,
    "meld": _laid,
    "lay": _laid,
    "discard": lambda _, event: {"card": TEXT[event.public["card"]]},
    "over": lambda _, event: {"reason": event.public["reason"]},
    "draw_for_deal": _drawn,
    "draw_again": lambda _, event: {"seats": list(event.public["seats"])},
    "seated": lambda _, event: {"dealer": event.public["dealer"], "seats": list(event.public["seating"])},
    "spread": lambda _, event: {"count": event.public["cards"]},
    "shuffle": lambda _, event: {"count": event.public["cards"]},
    "cut": lambda _, event: {"position": event.public["position"]},
    "deal": _deal,
    "settle": lambda _, event: {"count": event.public["number"]},
    "match_over": lambda _, event: {"reason": event.public["reason"], "seats": list(event.public["winners"])},
    "resign": lambda match, event: {"name": match.player_names[event.public["player"]]},
}
"""For each kind of event, a function that returns the fields of its message from its public part."""


def event_messages(match: Match, events: Sequence[Event], number: int, **by: bool) -> list[ScopedEvent]:
    """Return events of the match in the form of the protocol; `by` are the flags of `event_message`.

    With blind claims, all players decline after each turn; the events of declining are left out.
    """
    shown = (event for event in events if not (match.rules.blind_claims and event.kind == "let_go"))
    return [event_message(match, event, number, **by) for event in shown]
