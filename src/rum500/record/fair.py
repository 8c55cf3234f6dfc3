"""Fair shuffles: an order of the pack that no single side chose, and that anyone can check afterwards.

The server commits to a secret seed by publishing its SHA-256 (the *commitment*). Then the seats add their own
seeds, and the order follows from all of them. The seed is published when the deal is over. The order is
computed as follows, byte by byte:

1. The *message* is text in UTF-8, each line ended by one line feed (byte 10): the line `rum500 fair 1`; the
   context; the number of seats in decimal; for each seat its seed in lower-case hexadecimal, an empty line
   for a seat without one. A context is `TABLE/SHUFFLE/PURPOSE`: the table's label (`table_label`), the
   number of the shuffle at that table, and `draw`, `deal`, `cut` or `restock/K` (K counts a deal's new
   stocks from 1).
2. The *stream* consists of the blocks 0, 1, 2 …, one after another: block i is HMAC-SHA256 of the message
   followed by i in decimal and a line feed; its key is the server's seed, 32 bytes.
3. A *number below m* is made of the stream's next two bytes, the higher first: that value modulo m, unless
   it is at or above the largest multiple of m up to 65536; in that case it is discarded and the next two are
   taken. So every number is equally likely.
4. The *order* begins with the cards sorted: spades, hearts, diamonds, clubs, in each suit from the ace to
   the king, jokers last. For each position i from the last down to the second, counted from 0, a number j
   below i + 1 is taken, and the cards at i and j are exchanged (Fisher and Yates). The result's first card
   is dealt first.
5. A *cut* of n lifts the first n cards; the other cards are put on top. The player who cuts chooses n. For a
   bot it is one more than a number below (cards - 1) from the stream of the context with purpose `cut`; for
   a person who does not answer it is half the pack, rounded down.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rum500.cards import card_text
from rum500.rng import shuffle_by

__all__ = [
    "CutBy",
    "FairError",
    "FairShuffle",
    "Purpose",
    "commitment",
    "cut_deck",
    "cut_from_per_mille",
    "fair_below",
    "fair_cut",
    "fair_draw_tags",
    "fair_order",
    "middle_cut",
    "table_label",
]

CutBy = Literal["seat", "middle", "stream"]
"""Who chose the cut: the player (`seat`), the default half of the pack (`middle`), or a bot (`stream`)."""
Purpose = Literal["draw", "deal"]

SEED_BYTES = 32
_SEAT_SEED = re.compile(r"(?:[0-9a-f]{2}){0,32}")
_CONTEXT = re.compile(r"[A-Za-z0-9_-]{1,64}/[0-9]{1,18}/(?:draw|deal|cut|restock/[0-9]{1,9})")
_BASE = re.compile(r"([A-Za-z0-9_-]{1,64})/(0|[1-9][0-9]{0,17})")
_SEED = re.compile(r"[0-9a-f]{64}")
_CUT = re.compile(r"([1-9][0-9]{0,3}) by (seat|middle|stream)")


class FairError(ValueError):
    """The error of an invalid seed, context, or line about a fair shuffle in a record; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        """Store a code and a message."""
        self.code = code
        super().__init__(message)


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the server's seed in hexadecimal, published before any seat's seed is known.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def table_label(table: str) -> str:
    """Return the label that identifies a table in contexts without revealing the table's link."""
    return hashlib.sha256(f"rum500 table {table}".encode()).hexdigest()[:16]


# --- the stream -------------------------------------------------------------------------------------


def _stream(seed: bytes, seats: Sequence[str], context: str) -> Iterator[int]:
    """Return the endless stream of two-byte numbers. Raises `FairError` at once if the input is invalid."""
    if len(seed) != SEED_BYTES:
        raise FairError("fair.seed", f"the server's seed has {SEED_BYTES} bytes, not {len(seed)}")
    if not _CONTEXT.fullmatch(context):
        raise FairError("fair.context", f"{context!r} is not a context such as 3f60ab1c/4/deal")
    for value in seats:
        if not _SEAT_SEED.fullmatch(value):
            raise FairError(
                "fair.seat", f"{value!r} is not a seat's seed: up to 32 bytes in lower-case hexadecimal"
            )
    return _numbers(seed, "\n".join(("rum500 fair 1", context, str(len(seats)), *seats, "")).encode())


def _numbers(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, message + f"{block}\n".encode(), "sha256")
        yield from (digest[i] << 8 | digest[i + 1] for i in range(0, len(digest), 2))
        block += 1


def _below(stream: Iterator[int], bound: int) -> int:
    """Return the stream's next number from 0 to bound - 1, all equally likely."""
    limit = 0x10000 - 0x10000 % bound
    return next(value for value in stream if value < limit) % bound


def fair_below(seed: bytes, seats: Sequence[str], context: str, bound: int) -> int:
    """Return one number from 0 to `bound` - 1 for this context; `bound` is at most 65536."""
    if not 1 <= bound <= 0x10000:
        raise FairError("fair.bound", f"a bound is 1 to 65536, not {bound}")
    return _below(_stream(seed, seats, context), bound)


def fair_order(seed: bytes, seats: Sequence[str], context: str, cards: Iterable[int]) -> tuple[int, ...]:
    """Return the order of these cards that follows from the seeds. Their given order does not matter.

    >>> fair_order(bytes(32), ("00" * 16, ""), "3f60ab1c/1/deal", range(6))
    (4, 2, 5, 1, 3, 0)
    """
    order = sorted(cards)
    stream = _stream(seed, seats, context)
    shuffle_by(lambda bound: _below(stream, bound), order)
    return tuple(order)


# --- the cut ----------------------------------------------------------------------------------------


def fair_cut(seed: bytes, seats: Sequence[str], context: str, cards: int) -> int:
    """Return a bot's cut of a pack of `cards` cards: it lifts 1 to `cards` - 1 cards."""
    return 1 + fair_below(seed, seats, context, cards - 1)


def middle_cut(cards: int) -> int:
    """Return the number of cards that are lifted for a person who does not cut in time: half the pack."""
    return cards // 2


def cut_from_per_mille(per_mille: int, cards: int) -> int:
    """Return the number of cards to lift, 1 to `cards` - 1, for a cut given in thousandths of the pack."""
    return 1 + min(max(per_mille, 0), 1000) * (cards - 2) // 1000


def cut_deck(order: Sequence[int], cut: int) -> tuple[int, ...]:
    """Return the pack after a cut; the lifted cards come last."""
    return (*order[cut:], *order[:cut])


# --- the proof --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FairShuffle:
    """One shuffle of a table: the commitment before it, its inputs, and its results.

    >>> shuffle = FairShuffle.begin("table-1", 1, bytes(32)).given(("00" * 16, "")).with_cut(3, "seat")
    >>> shuffle.context, shuffle.deck(range(6))
    ('f537bb3a8dc6d5e7/1', (5, 4, 1, 2, 3, 0))
    """

    table: str
    """The table's label."""
    number: int
    """The number of the shuffle at the table."""
    commitment: str
    """The commitment to the server's seed."""
    seats: tuple[str, ...] = ()
    """The seats' seeds; "" for none."""
    seed: str = ""
    """The server's seed in hexadecimal; "" while it is secret."""
    cut: int = 0
    """The number of cards lifted; 0 if nobody has cut."""
    cut_by: CutBy = "seat"
    """Who chose the cut."""

    @classmethod
    def begin(cls, table: str, number: int, seed: bytes) -> FairShuffle:
        """Return a shuffle of the table with this id, committed to a new secret seed."""
        if len(seed) != SEED_BYTES:
            raise FairError("fair.seed", f"the server's seed has {SEED_BYTES} bytes, not {len(seed)}")
        return cls(table_label(table), number, commitment(seed), seed=seed.hex())

    def given(self, seats: Iterable[str]) -> FairShuffle:
        """Return a copy with the seats' seeds. Raises `FairError` for an invalid one."""
        seats = tuple(seats)
        for value in seats:
            if not _SEAT_SEED.fullmatch(value):
                raise FairError("fair.seat", f"{value!r} is not a seat's seed")
        return replace(self, seats=seats)

    def with_cut(self, cut: int, by: CutBy) -> FairShuffle:
        """Return a copy with the cut: the number of cards lifted, and who chose it."""
        return replace(self, cut=cut, cut_by=by)

    def sealed(self) -> FairShuffle:
        """Return a copy without the server's seed, for use while the seed is secret."""
        return replace(self, seed="")

    # --- derived decks --------------------------------------------------------------------------

    @property
    def context(self) -> str:
        """The table's label and the shuffle's number, which begin every context of this shuffle."""
        return f"{self.table}/{self.number}"

    @property
    def secret(self) -> bytes:
        """The server's seed. Raises `FairError` while it is not known."""
        if not _SEED.fullmatch(self.seed):
            raise FairError("fair.seed", "the server's seed is not known")
        return bytes.fromhex(self.seed)

    def order(self, cards: Iterable[int], purpose: Purpose = "deal") -> tuple[int, ...]:
        """Return the order of these cards for one purpose.

        `deal`: the pack before the cut. `draw`: the pack that is spread for the draw for deal.
        """
        return fair_order(self.secret, self.seats, f"{self.context}/{purpose}", cards)

    def stream_cut(self, cards: int) -> int:
        """Return the number of cards that a bot cuts; it follows from the seeds."""
        return fair_cut(self.secret, self.seats, f"{self.context}/cut", cards)

    def deck(self, cards: Iterable[int]) -> tuple[int, ...]:
        """Return the pack as dealt, after the cut."""
        return cut_deck(self.order(cards), self.cut)

    def restock(self, count: int, cards: Iterable[int]) -> tuple[int, ...]:
        """Return the order of the deal's new stock number `count`, from 1 (H5)."""
        return fair_order(self.secret, self.seats, f"{self.context}/restock/{count}", cards)

    # --- in a record ----------------------------------------------------------------------------

    def tags(self) -> list[tuple[str, str]]:
        """Return this shuffle as lines of a record, (name, text); `FairShuffle.from_tags` reads them."""
        lines = [
            ("Fair shuffle", self.context),
            ("Fair commitment", self.commitment),
            ("Fair seats", " ".join(value or "-" for value in self.seats)),
        ]
        if self.seed:
            lines.append(("Fair seed", self.seed))
        if self.cut:
            lines.append(("Fair cut", f"{self.cut} by {self.cut_by}"))
        return lines

    @classmethod
    def from_tags(cls, tags: Iterable[tuple[str, str]]) -> FairShuffle | None:
        """Return the shuffle in a record's lines; None if they contain none.

        Raises `FairError` for invalid lines.
        """
        named = _fair_tags(tags)
        if not named:
            return None
        base = _BASE.fullmatch(named.get("Fair shuffle", ""))
        if base is None:
            raise FairError("fair.context", "'Fair shuffle' names a table and a number, such as 3f60ab1c/4")
        if not _SEED.fullmatch(named.get("Fair commitment", "")):
            raise FairError(
                "fair.commitment", "'Fair commitment' is a SHA-256: 64 digits in lower-case hexadecimal"
            )
        cut = _CUT.fullmatch(named["Fair cut"]) if "Fair cut" in named else None
        if cut is None and "Fair cut" in named:
            raise FairError(
                "fair.cut", "'Fair cut' says how many cards and by whom: '20 by seat', 'middle' or 'stream'"
            )
        seed = named.get("Fair seed", "")
        if seed and not _SEED.fullmatch(seed):
            raise FairError("fair.seed", "'Fair seed' is 32 bytes: 64 digits in lower-case hexadecimal")
        seats = ("" if value == "-" else value for value in named.get("Fair seats", "").split())
        shuffle = cls(base[1], int(base[2]), named["Fair commitment"], seed=seed).given(seats)
        if cut is None:
            return shuffle
        by: CutBy = "seat" if cut[2] == "seat" else "middle" if cut[2] == "middle" else "stream"
        return shuffle.with_cut(int(cut[1]), by)


def fair_draw_tags(shuffle: FairShuffle, drawn: Iterable[tuple[int, int]]) -> list[tuple[str, str]]:
    """Return the header lines of a draw for deal: the shuffle of the spread pack and the drawn cards.

    `drawn` has (position from 0, card) in the order in which they were drawn.

    >>> fair_draw_tags(FairShuffle.begin("table-1", 1, bytes(32)), [(11, 43)])[-1]
    ('Fair drawn', '12 QD')
    """
    drawn_text = ", ".join(f"{place + 1} {card_text(card)}" for place, card in drawn)
    return [*shuffle.tags(), (FAIR_DRAWN, drawn_text)]


FAIR_DRAWN = "Fair drawn"
_LINES = ("Fair shuffle", "Fair commitment", "Fair seats", "Fair seed", "Fair cut")


def _fair_tags(tags: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the lines about fair shuffles by name. Raises `FairError` if a name occurs twice."""
    named: dict[str, str] = {}
    for name, value in tags:
        if not name.startswith("Fair ") or name == FAIR_DRAWN:
            continue
        if name not in _LINES:
            raise FairError(
                "fair.line", f"{name!r} is not a line about fairness; there are {', '.join(_LINES)}"
            )
        if name in named:
            raise FairError("fair.line", f"{name!r} occurs twice")
        named[name] = value
    return named
