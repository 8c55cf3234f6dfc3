"""Events: the effects of an action. An event has a public part and a private part for single seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Event(Struct, frozen=True, gc=False):
    """One thing that happened at the table."""

    kind: str
    """The kind of event. It determines the fields of `public`:

    - `deal`: `number`, `upcard`, `stock`, `hand_sizes`; private to each seat: `hand`
    - `draw`: `stock`, the number of cards left; private to the seat: `card`
    - `restock`: `cards` of the new stock, sorted (H5)
    - `take`, `call`: `cards` taken, lowest in the pile first; `must_use`, a card or None
    - `meld`, `lay`: `meld` number, `cards` (`Laid`), `points`, `doubled`
    - `discard`: `card`
    - `pass`, `let_go`, `end`, `float`: nothing
    - `over`: `reason`, `out`, `hands` of all seats (D22), `points` by seat
    """
    seat: int
    """The seat that acted; the dealer in `deal`; in `over` the seat `out`, or else the seat in turn."""
    public: Mapping[str, Any] = {}
    """The fields that everyone may see."""
    private: Mapping[int, Mapping[str, Any]] = {}
    """By seat, further fields that only this seat may see."""

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """Return the event as this seat sees it, or as a spectator does if `seat` is None."""
        seen = {"kind": self.kind, "seat": self.seat, **self.public}
        if seat is not None and seat in self.private:
            seen |= self.private[seat]
        return seen
