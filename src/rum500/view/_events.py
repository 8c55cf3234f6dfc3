"""Events: what an action brought about, with a public half and what single seats see besides."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Event(Struct, frozen=True, gc=False):
    """One thing that happened at the table.

    `kind` says what, and which public fields there are:

    - `draw`: `stock` cards left; private to the seat: `card`
    - `restock`: `cards` of the new stock, sorted (H5)
    - `take`, `call`: `cards` from the lowest taken up, `must_use` or None
    - `meld`, `lay`: `meld` number, `cards` (`Laid`), `points`, `doubled`
    - `discard`: `card`
    - `pass`, `let_go`, `end`, `float`: nothing
    - `over`: `reason`, `out`, `hands` of all seats (D22), `points` by seat
    """

    kind: str
    seat: int
    public: Mapping[str, Any] = _NOTHING
    private: Mapping[int, Mapping[str, Any]] = _NOTHING

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The event as this seat sees it, or, for None, as a spectator does."""
        seen = {"kind": self.kind, "seat": self.seat, **self.public}
        if seat is not None and seat in self.private:
            seen |= self.private[seat]
        return seen
