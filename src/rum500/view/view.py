"""The types for what one seat may know of a deal (R-DRAW-6, D21); `from_core` builds them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from msgspec import Struct

from rum500.cards import Card, cards_text
from rum500.drawing import BACK, GAP, HEIGHT, LINE, STEP, WIDTH, Picture
from rum500.rng import Rng
from rum500.rules.actions import Action
from rum500.rules.engine import core as _core
from rum500.rules.notation import TableText
from rum500.rules.ruleset import Ruleset
from rum500.values import Plain

if TYPE_CHECKING:
    from rum500.search import Belief
    from rum500.state import State


class Phase(IntEnum):
    """The decision that the actor has to make."""

    DRAW = _core.PHASE_DRAW
    """Draw, take, pass or end the deal."""
    USE = _core.PHASE_USE
    """Use the lowest card taken (R-DRAW-3)."""
    PLAY = _core.PHASE_PLAY
    """Meld, lay off, discard."""
    CLAIM = _core.PHASE_CLAIM
    """Call "Rummy!" or decline (H6)."""
    OVER = _core.PHASE_OVER
    """No decision: the deal is over."""


PHASES = tuple(Phase)


class Placed(Plain, Struct, frozen=True, gc=False):
    """A card in a meld."""

    card: Card
    """The card."""
    place: int | None
    """The place that it takes, as in `Laid`."""
    seat: int
    """The seat that laid the card and scores it (R-LAY-3)."""


class MeldView(Plain, Struct, frozen=True, cache_hash=True, gc=False):
    """A meld on the table."""

    number: int
    """The number of the meld, from 0 in the order of laying."""
    kind: str
    """`run`, `set` or `jokers`."""
    cards: tuple[Placed, ...]
    """The cards, ascending in a run and by suit in a set."""
    owner: int
    """The seat that laid the meld."""
    at_once: bool
    """Whether four of its cards were laid in one play (R-SCORE-3)."""

    def to_svg(self) -> str:
        """Return a picture of the meld, with the seats that laid its cards, as an SVG document."""
        picture = Picture(ground=True)
        _draw_meld(picture, 0, 0, self)
        text = ", ".join(f"seat {seat}" for seat in sorted({card.seat for card in self.cards}))
        return picture.to_svg(f"meld {self.number + 1}, {self.kind}, of {text}")

    def _repr_html_(self) -> str:
        return self.to_svg()


class Result(Plain, Struct, frozen=True, gc=False):
    """The end of a deal and its points (R-SCORE-1, R-SCORE-4). All tuples are by seat.

    `points = melded - deducted + collected + bonus`.
    """

    reason: str
    """`out`, `stock`, `passes`, `no_progress` or `target`."""
    out: int | None
    """The seat that went out or reached the target; None if no seat did."""
    melded: tuple[int, ...]
    """Points of the cards laid."""
    held: tuple[int, ...]
    """Points of the cards left in hand, whether or not they are deducted."""
    deducted: tuple[int, ...]
    """Points lost for cards left in hand."""
    collected: tuple[int, ...]
    """Points received for cards left in other hands."""
    bonus: tuple[int, ...]
    """Points for going out."""
    points: tuple[int, ...]
    """The points of the deal."""
    hands: tuple[tuple[Card, ...], ...]
    """The cards left in hand (D22)."""


REASONS = {
    _core.REASON_OUT: "out",
    _core.REASON_STOCK: "stock",
    _core.REASON_PASSES: "passes",
    _core.REASON_NO_PROGRESS: "no_progress",
    _core.REASON_TARGET: "target",
}


class View(Plain, Struct, frozen=True, gc=False):
    """All that a seat may know of a deal.

    Cards are `Card`, integers with a text. Tuples by seat run clockwise from seat 0.
    """

    rules: Ruleset
    """The rules of the game."""
    players: int
    """The number of players."""
    seat: int | None
    """The seat whose view this is; None for a spectator, who sees no hand."""
    dealer: int
    """The seat that dealt."""
    turn: int
    """The seat whose turn it is."""
    actor: int
    """The seat that has to decide; different from `turn` while a claim is open (H6)."""
    phase: Phase
    """The decision that `actor` has to make."""
    hand: tuple[Card, ...]
    """The cards in this seat's hand, sorted."""
    hand_sizes: tuple[int, ...]
    """Per seat, the number of cards in hand."""
    known: tuple[tuple[Card, ...], ...]
    """Per seat, the cards that it took from the pile and still holds; everyone knows them (R-DRAW-6, D21)."""
    drawn: Card | None
    """The card that this seat drew from the stock this turn; None if it drew none."""
    pile: tuple[Card, ...]
    """The cards of the pile, from the oldest to the top."""
    stock: int
    """The number of cards in the stock."""
    restocks: int
    """The number of restocks since a card was last laid, which is limited (D7)."""
    restocked: tuple[Card, ...]
    """The cards that the last restock put into the stock, sorted (H5)."""
    melds: tuple[MeldView, ...]
    """The melds on the table, in the order of laying."""
    must_use: Card | None
    """The taken card that must be used now; None if there is none."""
    only_taken: bool
    """Whether that card must be used without cards from the hand (R-CLAIM-2)."""
    taken: tuple[Card, ...]
    """The cards taken together with `must_use`, including it, while it must be used; else empty."""
    banned: Card | None
    """The card that may not be discarded this turn (H4); None if there is none."""
    floater: bool
    """Whether the player in turn began the turn without cards: as a floater (H2), or where discarding the
    last card is not going out (D16).
    """
    progress: bool
    """Whether a card was drawn from the stock or laid in this turn."""
    laid: tuple[int, ...]
    """Per seat, the points on the table."""
    totals: tuple[int, ...]
    """Per seat, the match totals before this deal."""
    number: int
    """The number of this deal in the match, from 1."""
    idle_turns: int
    """The number of turns in a row that ended without progress (D7)."""
    passes: int
    """The number of passes in a row (D6)."""
    past: tuple[int, ...]
    """The public actions of the deal: the upcard, as the code of its discard, then the code of each action in
    order. Drawn cards are not in it. Empty if the actions are unknown (a position from text).
    """
    result: Result | None
    """The result of the deal; None until it is over."""
    legal: tuple[int, ...]
    """The codes of the legal actions; empty if this seat has nothing to decide."""

    def legal_actions(self) -> list[Action]:
        """Return the actions that this seat may choose from; empty if it has nothing to decide."""
        return TableText(self).actions(self.legal)

    def worlds(self, rng: Rng, n: SupportsIndex, belief: Belief = "even") -> list[State]:
        """Return `n` deals that this seat cannot tell from the true one; see `rum500.search.worlds`."""
        from rum500.search import worlds  # noqa: PLC0415 - a call upwards

        return worlds(self, rng, n, belief)

    def candidates(self) -> list[Action]:
        """Return the legal actions that are worth comparing; see `rum500.search.candidates`."""
        from rum500.search import candidates  # noqa: PLC0415 - a call upwards

        return candidates(self)

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.phase is Phase.OVER

    def __repr__(self) -> str:
        """Return the rules' name, the seat, the phase and the actor."""
        return f"<View {self.rules.name:.40} seat={self.seat} {self.phase.name} actor={self.actor}>"

    def to_svg(self) -> str:
        """Return a picture of the table as this seat sees it, as an SVG document."""
        sizes = zip(self.known, self.hand_sizes, strict=True)
        hands = [(*known, *[BACK] * (size - len(known))) for known, size in sizes]
        if self.seat is not None:
            hands[self.seat] = self.hand
        if self.result is not None:
            hands = list(self.result.hands)
        seen = "a spectator" if self.seat is None else f"seat {self.seat}"
        held = f", who holds {cards_text(self.hand)}" if self.hand else ""
        return table_svg(self, hands, f"the table as {seen} sees it{held}")

    def _repr_html_(self) -> str:
        return self.to_svg()


class OwnPart(NamedTuple):
    """The fields of a `View` that only its seat may see."""

    hand: tuple[Card, ...] = ()
    drawn: Card | None = None
    legal: tuple[int, ...] = ()


# --- the picture of a table -----------------------------------------------------------------------

_WIDTH = 760
"""The width into which piles and rows of melds are fitted, in SVG units."""


def table_svg(view: View, hands: Sequence[Sequence[int]], label: str) -> str:
    """Return a picture of the table in this view, with these hands by seat; `BACK` is a hidden card."""
    picture = Picture(ground=True)
    rules = view.rules
    picture.words(0, 0, f"{rules.title or rules.name}, deal {view.number}", bold=True)
    picture.words(_WIDTH, 0, _waiting_for(view), colour="mut", right=True)
    y = _draw_piles(picture, LINE + GAP, view)
    y = _draw_melds(picture, y, view.melds)
    for seat in range(view.players):
        y = _draw_hand(picture, y, view, seat, hands[seat])
    return picture.to_svg(label)


def _waiting_for(view: View) -> str:
    if view.result is not None:
        out = "" if view.result.out is None else f" by seat {view.result.out}"
        return f"over: {view.result.reason.replace('_', ' ')}{out}"
    return f"seat {view.actor} to decide: {view.phase.name.lower()}"


def _draw_piles(picture: Picture, y: float, view: View) -> float:
    picture.words(0, y, f"Stock {view.stock}", colour="mut")
    left = WIDTH + 6 * GAP
    picture.words(left, y, f"Discard pile {len(view.pile)}", colour="mut")
    picture.cards(0, y + LINE, [BACK] if view.stock else [])
    step = min(STEP, (_WIDTH - left - WIDTH) / max(1, len(view.pile) - 1))
    picture.cards(left, y + LINE, view.pile, step=step)
    return y + LINE + HEIGHT + 2 * GAP


def _draw_melds(picture: Picture, y: float, melds: Sequence[MeldView]) -> float:
    x = 0.0
    for meld in melds:
        wide = STEP * (len(meld.cards) - 1) + WIDTH
        if x and x + wide > _WIDTH:
            x, y = 0.0, y + HEIGHT + LINE + GAP
        _draw_meld(picture, x, y, meld)
        x += wide + 3 * GAP
    return y + HEIGHT + LINE + 2 * GAP if melds else y


def _draw_meld(picture: Picture, x: float, y: float, meld: MeldView) -> None:
    """Draw a meld with its owner below it; if other seats laid cards too, with the seat below each card."""
    picture.cards(x, y, [each.card for each in meld.cards], [each.place for each in meld.cards])
    others = {each.seat for each in meld.cards} != {meld.owner}
    if not others:
        picture.words(x, y + HEIGHT, f"seat {meld.owner}", colour="mut")
        return
    for at, each in enumerate(meld.cards):
        picture.words(x + at * STEP + 9, y + HEIGHT, str(each.seat), colour="mut")


def _draw_hand(picture: Picture, y: float, view: View, seat: int, hand: Sequence[int]) -> float:
    acts = view.result is None and view.actor == seat
    points = view.laid[seat] if view.result is None else view.result.points[seat]
    total = f", total {view.totals[seat]}" if any(view.totals) else ""
    dealt = ", dealt" if view.dealer == seat else ""
    text = f"Seat {seat}: {view.hand_sizes[seat]} cards, {points} points{total}{dealt}"
    picture.rule(0, y - GAP / 2, _WIDTH)
    picture.words(0, y, text, colour="acc" if acts else "ink", bold=acts)
    if not hand:
        return y + LINE + GAP
    step = min(STEP, (_WIDTH - WIDTH) / max(1, len(hand) - 1))
    picture.cards(0, y + LINE, hand, step=step)
    return y + LINE + HEIGHT + 2 * GAP
