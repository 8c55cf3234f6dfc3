"""One deal, played by the rulebook: the table, and what each play changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import legal
from .cards import RUN_ORDER, rank_of, without
from .melds import Laid, Meld
from .rules import read_rules
from .scoring import Result, account, doubles, points_on_table

if TYPE_CHECKING:
    from .notation import Play

RestockOrder = Callable[[list[str]], list[str]]


class IllegalPlayError(ValueError):
    """The text is not a legal play in this position."""


class Reference:
    """A deal in progress.

    `phase` is "draw", "use" (the taken card must be used now), "play", "claim" or "over". Hands are by seat;
    the pile is oldest first, the stock next first; `known` is what each took from the pile and still holds.
    """

    def __init__(
        self,
        rules: Any,
        players: int,
        deck: Sequence[str],
        dealer: int = 0,
        totals: Sequence[int] | None = None,
        restock_order: RestockOrder = list,
    ) -> None:
        self.rules = read_rules(rules)
        self.players = players
        self.packs = self.rules.packs(players)
        self.dealer = dealer
        self.totals = list(totals) if totals is not None else [0] * players
        self.restock_order = restock_order
        # R-DEAL-2, R-DEAL-3: one card at a time from the dealer's left, then one turned up
        deck = list(deck)
        dealt = self.rules.hand_size(players) * players
        self.hands: list[list[str]] = [[] for _ in range(players)]
        for number, card in enumerate(deck[:dealt]):
            self.hands[(dealer + 1 + number) % players].append(card)
        self.pile = deck[dealt : dealt + 1]  # oldest first
        self.stock = deck[dealt + 1 :]  # next first
        self.melds: list[Meld] = []
        self.known: list[list[str]] = [[] for _ in range(players)]  # taken from the pile, not yet played
        self.idle_turns = 0  # turns in a row without progress (D7)
        self.passes = 0  # passes in a row (D6)
        self.restocks = 0  # since a card was last laid (D7)
        self.reason: str | None = None
        self.out: int | None = None
        self.turn = 0
        self.last_player = dealer
        self.start_turn((dealer + 1) % players)  # R-TURN-2

    def copy(self) -> Reference:
        """Return a copy of the deal that can be played on by itself."""
        twin = object.__new__(Reference)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.known = [list(cards) for cards in self.known]
        twin.pile, twin.stock, twin.melds = list(self.pile), list(self.stock), list(self.melds)
        return twin

    def start_turn(self, seat: int) -> None:
        """Begin a turn, ordinary or claimed."""
        self.turn += 1
        self.actor = seat
        self.phase = "draw"
        self.began_floating = self.rules.go_out == "discard" and not self.hands[seat]  # H2
        self.must_use: str | None = None  # the lowest card taken, until it is used
        self.only_from: list[str] | None = None  # R-CLAIM-2: the first play of a claim uses no hand card
        self.top_alone: str | None = None  # the top discard, when it was the only card taken
        self.top_may_be_discarded = True  # H4
        self.made_progress = False  # D7

    # ---- the table ----------------------------------------------------------------------------------

    @property
    def hand(self) -> list[str]:
        """The cards of the seat that decides."""
        return self.hands[self.actor]

    @property
    def points_laid(self) -> list[int]:
        """Points on the table by seat."""
        return [points_on_table(self.melds, seat, self.rules) for seat in range(self.players)]

    def result(self) -> Result | None:
        """The result of the deal; None before its end."""
        if self.reason is None:
            return None
        return account(self.reason, self.out, self.melds, self.hands, self.rules)

    def restock_possible(self) -> bool:
        """H5: the stock is empty, the pile has two cards at least, D7's bound is not met."""
        return (
            self.rules.restock
            and not self.stock
            and len(self.pile) >= 2
            and self.restocks < self.rules.restock_limit
        )

    # ---- what may be played (legal.py) --------------------------------------------------------------

    def plays(self) -> list[str]:
        """Every legal play as text, none twice."""
        return [play.text for play in self.legal()]

    def legal(self) -> list[Play]:
        """Every legal play."""
        return legal.PHASES[self.phase](self)

    def must_use_at_once(self, count: int) -> bool:
        """Whether the lowest of `count` cards from the pile must be melded at once."""
        if count > 1 or self.rules.top_must_meld:  # R-DRAW-3; R-DRAW-4, H1
            return True
        stock_gone = not self.stock and not self.restock_possible()
        return stock_gone and not self.rules.upcard_free_when_stock_empty  # D5

    # ---- what a play does ---------------------------------------------------------------------------

    def after(self, play: Play) -> Reference:
        """A copy in which the play has been made."""
        twin = self.copy()
        twin.make(play)
        return twin

    def play(self, text: str) -> None:
        """Make a legal play, given by its canonical text."""
        for play in self.legal():
            if play.text == text:
                self.make(play)
                return
        raise IllegalPlayError(text)

    def make(self, play: Play) -> None:
        """Make a play, without checking that it is legal."""
        if play.kind == "draw":
            self.make_draw()
        elif play.kind == "take":
            self.make_take(play.count)
        elif play.kind == "call":
            self.make_call(play.count)
        elif play.kind == "let go":
            self.ask_next((self.actor + 1) % self.players)
        elif play.kind == "pass":
            self.end_turn(passed=True)  # D6: a pass is the whole turn
        elif play.kind == "end":
            self.end_deal("stock")  # D5
        elif play.kind == "discard":
            self.make_discard(play.card)
        else:
            self.make_meld_or_lay_off(play)

    def make_draw(self) -> None:
        """R-DRAW-1, and H5 where the stock is empty: all but the top discard becomes the new stock."""
        if not self.stock:
            self.stock = self.restock_order(self.pile[:-1])
            self.pile = self.pile[-1:]
            self.restocks += 1
        self.hand.append(self.stock.pop(0))
        self.made_progress = True
        self.phase = "play"

    def make_take(self, count: int) -> None:
        """R-DRAW-2."""
        bound = self.must_use_at_once(count)
        if count == 1:
            self.top_alone = self.pile[-1]
            self.top_may_be_discarded = self.top_alone in self.hand  # H4: its twin may, D20: so may it
        self.pick_up(count, bound)

    def make_call(self, count: int) -> None:
        """R-CLAIM-2: the caller's turn, begun with pile cards; those passed over lose theirs."""
        self.start_turn(self.actor)
        self.passes = 0  # D6
        self.only_from = self.pile[-count:]
        self.pick_up(count, bound=True)

    def pick_up(self, count: int, bound: bool) -> None:
        """Cards from the pile into the hand, for all to know (R-DRAW-6)."""
        taken = self.pile[-count:]
        self.pile = self.pile[:-count]
        self.hands[self.actor] = self.hand + taken
        self.known[self.actor] = self.known[self.actor] + taken
        self.must_use = taken[0] if bound else None
        self.phase = "use" if bound else "play"

    def leaves_hand(self, card: str) -> None:
        """A card is played; the copy that was taken from the pile goes first (D20)."""
        self.hands[self.actor] = without(self.hand, card)
        if card in self.known[self.actor]:
            self.known[self.actor] = without(self.known[self.actor], card)

    def make_meld_or_lay_off(self, play: Play) -> None:
        """R-MELD, R-LAY; melding the last card goes out, or floats under H2."""
        for one in play.laid:
            self.leaves_hand(one.card)
        twice = play.kind == "meld" and doubles(play.meld_kind, len(play.laid), self.rules)
        laid = tuple(one._replace(seat=self.actor, doubled=twice) for one in play.laid)
        if play.kind == "meld":
            self.melds.append(Meld(play.meld_kind, laid))
        else:
            old = self.melds[play.meld]
            self.melds[play.meld] = Meld(old.kind, in_place(old.kind, old.laid + laid))
        self.made_progress = True
        self.restocks = 0
        self.must_use = self.only_from = None
        self.phase = "play"
        if self.top_alone in [one.card for one in laid]:
            self.top_may_be_discarded = True  # H4, D20: the known copy was played first
        if self.target_reached():
            self.end_deal("target")
        elif not self.hand and self.rules.go_out == "discard":
            self.end_turn()  # H2: floating
        elif not self.hand:
            self.end_deal("out", self.actor)

    def target_reached(self) -> bool:
        """D14: total and points on the table of the actor's account, where a match ends at once."""
        if (self.rules.count, self.rules.match_end, self.rules.match) != ("as_laid", "at_once", "target"):
            return False
        side = self.rules.side
        seats = [seat for seat in range(self.players) if side(seat) == side(self.actor)]
        total = self.totals[self.actor % len(self.totals)]  # by seat, or one for each side
        return total + sum(self.points_laid[seat] for seat in seats) >= self.rules.target

    def make_discard(self, card: str) -> None:
        """R-TURN-1; the last card goes out, save under "meld only" (D16)."""
        self.leaves_hand(card)
        self.pile = [*self.pile, card]
        if not self.hand and self.rules.go_out != "meld":
            self.end_deal("out", self.actor)
        else:
            self.end_turn()

    # ---- from turn to turn --------------------------------------------------------------------------

    def end_turn(self, passed: bool = False) -> None:
        """D6 and D7 first, then the claims (R-CLAIM-1), then the left neighbour."""
        self.passes = self.passes + 1 if passed else 0
        self.idle_turns = 0 if self.made_progress else self.idle_turns + 1
        self.last_player = self.actor
        if self.passes == self.players:
            self.end_deal("passes")
        elif self.idle_turns == self.rules.no_progress_rounds * self.players:
            self.end_deal("no_progress")
        else:
            self.ask_next((self.actor + 1) % self.players)

    def ask_next(self, seat: int) -> None:
        """H6: ask this seat for a claim; when nobody is left to ask, the next turn begins."""
        self.actor, self.phase = seat, "claim"
        nothing = not legal.calls(self) and not self.rules.blind_claims
        if not self.rules.claim or seat == self.last_player or nothing:
            self.start_turn((self.last_player + 1) % self.players)

    def end_deal(self, reason: str, out: int | None = None) -> None:
        """R-END-1..3."""
        self.phase, self.reason, self.out = "over", reason, out


def in_place(kind: str, laid: tuple[Laid, ...]) -> tuple[Laid, ...]:
    """The cards of a run in ascending order; those of a set as they were laid."""
    if kind != "run":
        return laid
    return tuple(sorted(laid, key=lambda one: RUN_ORDER.index(rank_of(one.stands or ""))))


def perft(reference: Reference, depth: int) -> int:
    """The number of lines of exactly `depth` plays; a finished deal has no continuation."""
    if depth == 0:
        return 1
    return sum(perft(reference.after(play), depth - 1) for play in reference.legal())
