"""The planes of features: what each part of a vector contains, its size, and the games that have it."""

from __future__ import annotations

from dataclasses import dataclass

from rum500.cards import card_text, pack
from rum500.rules.ruleset import Ruleset

CARDS = 53
"""The number of cells of a plane of cards: ♠A to ♣K in the order of `rum500.cards`, then the jokers."""
PHASES = ("draw", "use", "play", "claim", "over")
_CARD_NAMES = tuple(card_text(card) for card in pack(jokers=1))


@dataclass(frozen=True, slots=True)
class Plane:
    """A part of a vector."""

    name: str
    """The name of the plane."""
    cells: tuple[str, ...]
    """The name of each cell."""
    meaning: str
    """What a cell contains."""
    when: str = ""
    """Which games have it, in words; empty if all have."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class Layout:
    """The planes of a vector in their order."""

    planes: tuple[Plane, ...]
    """The planes."""

    @property
    def size(self) -> int:
        """The number of cells of all planes."""
        return sum(plane.size for plane in self.planes)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each cell: the plane's and the cell's own."""
        return tuple(f"{plane.name} {cell}".rstrip() for plane in self.planes for cell in plane.cells)

    def start(self, name: str) -> int:
        """Return the index of the first cell of a plane, -1 if this game does not have the plane."""
        at = 0
        for plane in self.planes:
            if plane.name == name:
                return at
            at += plane.size
        return -1


def _cards(name: str, meaning: str, when: str = "") -> Plane:
    return Plane(name, _CARD_NAMES, meaning, when)


def _seats(name: str, players: int, meaning: str, when: str = "") -> Plane:
    return Plane(name, _seat_names(players), meaning, when)


def _seat_names(players: int, first: int = 0) -> tuple[str, ...]:
    return tuple("own" if seat == 0 else f"+{seat}" for seat in range(first, players))


def features(rules: Ruleset, players: int) -> Layout:
    """Return the planes of `Features` v1 in this game."""
    two_packs = rules.packs(players) > 1
    cards = [
        _cards("hand", "copies in the own hand"),
        _cards("shown", "copies in the own hand that all know, because it took them from the pile"),
        _cards(
            "completes",
            "1 if the card makes a new meld with two other natural cards of the own hand; a card of the hand "
            "is part of a meld then. The joker's cell: of its own rank, 1 if two are in the hand; wild, 1 if "
            "any other cell is 1",
        ),
        _cards("fits", "1 if the card alone can be laid on a meld on the table"),
        _cards("table", "copies on the table"),
        _cards("pile", "the cards that a take from this one takes, of the upper copy; 0 if not in the pile"),
    ]
    if two_packs:
        cards.append(_cards("pile below", "the same of the lower copy", "two packs"))
    cards.append(_cards("unseen", "copies in other hands and in the stock that this seat has not seen"))
    cards += [
        _cards(f"known +{seat}", f"copies known to be in the hand {_ordinal(seat)}")
        for seat in range(1, players)
    ]
    cards.append(_cards("must", "1 if the card must be used now (R-DRAW-3)"))
    if rules.claim:
        cards.append(
            _cards(
                "taken", "copies of the call that may be used with it, while only those may (R-CLAIM-2)", "H6"
            )
        )
    if rules.keep_upcard:
        cards.append(_cards("banned", "1 if the card may not be discarded in this turn", "H4"))
    if rules.restock:
        cards.append(_cards("restocked", "copies that the last restock put into the stock", "H5"))
    return Layout((*cards, *_numbers(rules, players)))


def _numbers(rules: Ruleset, players: int) -> list[Plane]:
    numbers = [
        Plane("phase", PHASES, "1 for the decision that the actor has to make"),
        _seats("turn", players, "1 for the seat whose turn it is"),
    ]
    if rules.claim:
        numbers.append(_seats("actor", players, "1 for the seat that has to decide", "H6"))
    numbers += [
        _seats("dealer", players, "1 for the dealer"),
        _seats("cards", players, "cards in hand, in 13ths"),
        Plane(
            "few",
            tuple(f"{seat} {count}" for seat in _seat_names(players) for count in range(4)),
            "1 for a hand of 0, 1, 2 or 3 cards",
        ),
        _seats("laid", players, "points on the table, in hundreds"),
        _seats("totals", players, "match totals before the deal, in parts of the target; of 500 without one"),
        Plane("held", ("",), "points of the own hand, in hundreds"),
        Plane("stock", ("",), "cards in the stock"),
        Plane("pile size", ("",), "cards in the pile"),
        Plane("idle", ("",), "turns in a row without progress, in parts of the limit (D7)"),
    ]
    if rules.stock_out == "pass":
        numbers.append(Plane("passes", ("",), "passes in a row, in parts of the players (D6)", "may pass"))
    if rules.restock:
        numbers.append(
            Plane("restocks", ("",), "restocks since a card was last laid, in parts of the limit (D7)", "H5")
        )
    numbers += [
        Plane("floater", ("",), "1 if the player in turn began it with no card (H2, D16)"),
        Plane("progress", ("",), "1 if the turn has drawn from the stock or laid a card (D7)"),
    ]
    if rules.match == "deals":
        numbers.append(
            Plane("deal", ("",), "number of the deal in the match, in parts of its deals", "match of deals")
        )
    return numbers


def hidden_state(rules: Ruleset, players: int) -> Layout:
    """Return the planes of `HiddenState` v1 in this game."""
    hands = [_cards(f"hand +{seat}", f"copies in the hand {_ordinal(seat)}") for seat in range(1, players)]
    return Layout(
        (
            *hands,
            _cards(
                "stock",
                "the stock's cards from this one down, in parts of the deck: highest "
                "for the next one, of two copies the one that comes first",
            ),
        )
    )


def _ordinal(seat: int) -> str:
    return "of the next seat" if seat == 1 else f"of the seat {seat} places on"
