"""The shuffles of a match: the server's commitments, the seeds and cuts of players, and published seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rum500.record import fair
from rum500.server import messages
from rum500.server.live.log.deals import DealHistory


@dataclass(slots=True)
class SpreadPack:
    """A pack spread for the draw for deal, with the positions and cards drawn from it."""

    shuffle: fair.FairShuffle
    drawn: list[tuple[int, int]] = field(default_factory=list)


def inputs(shuffle: fair.FairShuffle) -> dict[str, Any]:
    """Return the inputs of a shuffle, by their names in the message `ShuffleInputs`."""
    names = ("context", "commitment", "seed", "seats")
    return {"shuffle": shuffle.number} | {name: getattr(shuffle, name) for name in names}


class Shuffles:
    """The shuffles of a table's match."""

    def __init__(self, table: str) -> None:
        """Begin before the first shuffle of this table."""
        self._table = table
        self.count = 0
        """The number of shuffles that have begun."""
        self.last: fair.FairShuffle | None = None
        """The latest shuffle; None before the first."""
        self.ordered = False
        """Whether the order of the latest shuffle is determined."""
        self.seeds: dict[int, str] = {}
        """The seeds that players added to the latest shuffle, by player."""
        self.cuts: dict[int, int] = {}
        """Where players would cut, in thousandths of the pack, by player."""
        self.opened: tuple[messages.OpenedShuffle, ...] = ()
        """The shuffles of void deals, with their seeds, so that players can check them."""
        self.spread: SpreadPack | None = None
        """The pack that is spread for the draw for deal; None if there is none."""
        self.spreads: list[SpreadPack] = []
        """All packs spread so far."""

    @property
    def last_spread(self) -> SpreadPack | None:
        """The pack of the last draw for deal; None before the first."""
        return self.spreads[-1] if self.spreads else None

    def begin(self, number: int, seed: bytes) -> None:
        """Begin a shuffle with the server's seed."""
        self.count = number
        self.last = fair.FairShuffle.begin(self._table, number, seed)
        self.seeds, self.cuts, self.ordered = {}, {}, False

    def settle(self, seeds: Sequence[str], *, for_draw: bool) -> None:
        """Fix the order of the shuffle with these seeds; `for_draw` spreads the pack for a draw."""
        assert self.last is not None
        self.last = self.last.given(seeds)
        self.ordered = True
        if for_draw:
            self.spread = SpreadPack(self.last)
            self.spreads.append(self.spread)

    def cut(self, position: int, by: Literal["seat", "middle", "stream"]) -> fair.FairShuffle:
        """Cut the pack, and return the shuffle to be dealt."""
        assert self.last is not None
        self.last, self.spread = self.last.with_cut(position, by), None
        return self.last

    def open(self, deals: Sequence[DealHistory]) -> None:
        """Publish the seeds of shuffles whose deals are void, since no finished deal publishes them."""
        over = [deal for deal in deals if deal.over]
        found = [] if over else [spread.shuffle for spread in self.spreads]
        if self.last is not None and not (over and over[-1].shuffle == self.last):
            found.append(self.last)
        known = {one.shuffle for one in self.opened}
        self.opened += tuple(
            messages.OpenedShuffle(**inputs(one), cut=one.cut, cut_by=one.cut_by)
            for one in {one.number: one for one in found}.values()
            if one.number not in known
        )

    def drop(self) -> None:
        """Forget the shuffle of a deal that became void."""
        self.last = self.spread = None
