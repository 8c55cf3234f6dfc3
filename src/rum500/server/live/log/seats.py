"""The seats of a table, and the names of their players, no two of which look alike."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from rum500.server.live.log.entries import SeatRequested
from rum500.server.messages.field_types import SeatKind, SeatRequestOutcome

EXTERNAL_BOT_PREFIX = "bot."
"""The first characters of an external bot's id; the id of a person contains no point."""


@dataclass(slots=True)
class TableSeat:
    """The player at a seat."""

    kind: SeatKind = "empty"
    """The kind of player; an external bot counts as a person."""
    guest: str | None = None
    """The id of the person or the external bot; None for other players."""
    name: str = ""
    level: str | None = None
    """The level of a bot."""
    external: bool = False
    """Whether an external bot plays here."""
    owner: str | None = None
    """The guest to whom the external bot's seat belongs; None if it belongs to nobody."""
    owner_name: str = ""
    lender: str | None = None
    """The guest who made the external bot's token; None for other players."""
    kept_for: str | None = None
    """The guest who had the seat before it was handed over, and gets it back after returning; else None."""


@dataclass(slots=True)
class SeatRequest:
    """A spectator's request for the seat of an absent person."""

    number: int
    """The number of its log entry."""
    at: int
    """The time of its log entry, in milliseconds since 1970."""
    entry: SeatRequested
    outcome: SeatRequestOutcome | None = None
    """How the request ended without success; None while it is open."""


def guest_of(seat: TableSeat) -> str | None:
    """Return the guest to whom a seat belongs, even while an external bot plays it; None if nobody."""
    return seat.owner if seat.external else seat.guest


BOT_NAMES = (
    "Ada", "Bruno", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedda", "Ines", "Jonas", "Kaya", "Leo", "Mira",
    "Nils", "Oda", "Pablo",
)  # fmt: skip
_LIKE = str.maketrans(
    "авеікмнорстухјѕԁһԛԝ" + "αβεζηικμνορτυχ" + "ıيىك",
    "abeikmhopctyxjsdhqw" + "abezhikmnoptyx" + "iییک",
)
"""For lower-case letters of other alphabets, the letters that look like them."""
_VARIANTS = "\ufe0e\ufe0f"


@cache
def _look_alikes() -> dict[int, str]:
    """Return a translation table from characters to characters that look like them."""
    text = resources.files(__package__).joinpath("look_alikes.toml").read_text(encoding="utf-8")
    return {ord(char): like for like, chars in tomllib.loads(text).items() for char in chars}


@lru_cache(4096)
def _skeletons(name: str) -> frozenset[str]:
    """Return two forms of a name, by spelling and by look. Names look alike if they share a form.

    Both ignore case, width, outer spaces and invisible characters. The first form unites letters of the
    Latin, Cyrillic and Greek alphabets that look alike, the second also such letters within one alphabet.
    """
    plain = unicodedata.normalize("NFKC", name)
    drawn = "".join(char for char in plain if unicodedata.category(char) != "Cf" and char not in _VARIANTS)
    spelled = unicodedata.normalize("NFKC", drawn.casefold()).translate(_LIKE)
    seen = drawn.translate(_look_alikes()).casefold()
    return frozenset(" ".join(form.split()) for form in (spelled, seen))


def look_alike(name: str, other: str) -> bool:
    r"""Return whether two names look alike.

    >>> look_alike("  ADA ", "Аdа\u200d"), look_alike("Bill", "BiIl"), look_alike("Ali", "All")
    (True, True, False)
    """
    return not _skeletons(name).isdisjoint(_skeletons(other))


def unique_name(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number added if it looks like another name."""
    taken = list(others)
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(one for one in (name, *numbered) if not _taken(one, taken))


def bot_name(others: Iterable[str]) -> str:
    """Return a name for a bot that does not look like another name."""
    taken = list(others)
    numbered = (f"{name} {number}" for number in range(2, 10) for name in BOT_NAMES)
    return next(name for name in (*BOT_NAMES, *numbered) if not _taken(name, taken))


def _taken(name: str, others: Iterable[str]) -> bool:
    return any(look_alike(name, other) for other in others)


class Seats(list[TableSeat]):
    """The seats of a table, by player. No two names look alike; bots are renamed rather than people."""

    def __init__(self, seats: Iterable[TableSeat] = ()) -> None:
        """Begin with these seats, before the match."""
        super().__init__(seats)
        self.begun = False
        """Whether the match has begun."""
        self.saw_hand: set[tuple[str, int]] = set()
        """(guest, player) for guests who have had this player's seat in the deal, and have seen the hand."""
        self.request: SeatRequest | None = None
        """The latest request for a seat, open or ended; None if there is none, or if it was granted."""
        self.lost_by: dict[str, int] = {}
        """By guest, the player whose seat the people at the table gave to the guest's other device."""

    def sit(self, player: int, guest: str, name: str) -> None:
        """Give a guest an empty seat."""
        self.put(player, TableSeat("person", guest))
        self.rename(player, name)

    def lend(self, player: int, key: str, name: str, lender: str) -> None:
        """Give a seat to the external bot with this key (the digest of its token)."""
        former = self[player]
        seat = TableSeat("person", EXTERNAL_BOT_PREFIX + key, external=True, lender=lender)
        seat.owner, seat.owner_name = former.guest, former.name
        if former.external:
            seat.owner, seat.owner_name = former.owner, former.owner_name
        self.put(player, seat)
        self.rename(player, name)

    def take_back(self, player: int, level: str) -> SeatKind:
        """Return an external bot's seat to the seat's owner; return the kind of player who then has the seat.

        If the seat has no owner, it becomes empty before the match, and gets a bot of this level during it.
        """
        former = self[player]
        if former.owner is not None:
            self.sit(player, former.owner, former.owner_name)
        elif self.begun:
            self.put(player, TableSeat("bot", None, former.name, level))
            self.rename_bots()
        else:
            self.put(player, TableSeat())
        return self[player].kind

    def hand_over(self, player: int, guest: str, name: str, *, for_good: bool = False) -> None:
        """Give an absent person's seat to a guest, or back to the person.

        Unless it is `for_good`, the person who had the seat gets it back after returning.
        """
        self.request = None
        former = self[player].kept_for or self[player].guest
        if for_good and former is not None:
            self.lost_by[former] = player
        self.lost_by.pop(guest, None)
        kept_for = None if for_good or former == guest else former
        self.put(player, TableSeat("person", guest, kept_for=kept_for))
        self.rename(player, name)

    def end_request(self, outcome: SeatRequestOutcome) -> None:
        """Record how the latest request for a seat ended without success."""
        assert self.request is not None
        self.request.outcome = outcome

    def merge(self, former: str, guest: str) -> None:
        """Give everything that a former guest has or had at the table to this guest."""
        for seat in self:
            for name in ("guest", "owner", "lender", "kept_for"):
                if getattr(seat, name) == former:
                    setattr(seat, name, guest)
        self.saw_hand = {(guest if who == former else who, player) for who, player in self.saw_hand}
        if former in self.lost_by:
            self.lost_by[guest] = self.lost_by.pop(former)

    def seat_bot(self, player: int, level: str, name: str) -> None:
        """Give a seat to a bot; if this happens during the match, keep the seat for the person who had it."""
        kept_for = (self[player].kept_for or self[player].guest) if self.begun else None
        self.put(player, TableSeat("bot", None, name, level, kept_for=kept_for))
        self.rename_bots()

    def put(self, player: int, seat: TableSeat) -> None:
        """Set the player of a seat; during the match, record the guests who have seen the seat's hand."""
        if self.begun:
            known = (self[player].guest, self[player].owner, self[player].lender)
            self.saw_hand |= {(guest, player) for guest in known if guest is not None}
        self[player] = seat

    def may_have(self, guest: str, player: int) -> bool:
        """Return whether a guest may get this player's seat: not if the guest may know another hand."""
        if any((guest, other) in self.saw_hand for other in range(len(self)) if other != player):
            return False
        others = [seat for other, seat in enumerate(self) if other != player]
        return all(guest not in (seat.guest, seat.owner, seat.lender, seat.kept_for) for seat in others)

    def rename(self, player: int, name: str) -> bool:
        """Give a person this name, numbered if it looks like another. Return whether the name changes."""
        shown = unique_name(name, [seat.name for seat in self._others(player) if seat.kind == "person"])
        if shown == self[player].name:
            return False
        self[player].name = shown
        self.rename_bots()
        return True

    def rename_bots(self) -> None:
        """Give each bot whose name looks like another name a new name."""
        for player, seat in enumerate(self):
            others = [other.name for other in self._others(player)]
            if seat.kind == "bot" and _taken(seat.name, others):
                seat.name = bot_name(others)

    def _others(self, player: int) -> list[TableSeat]:
        return [seat for other, seat in enumerate(self) if other != player and seat.kind != "empty"]
