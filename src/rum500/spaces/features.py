"""Vectors of floats for learners: what a seat may know (`Features`), and what it may not (`HiddenState`).

The planes are those of `rum500.spaces.planes`. All numbers are roughly from 0 to 1. Seats are counted
clockwise from the seat that the vector is for, so a learner need not know where it sits.
"""

from __future__ import annotations

from array import array
from operator import index

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

from rum500.rules.ruleset import check_ruleset
from rum500.spaces import planes as _planes
from rum500.spaces.deal_source import bytes_of, core_of
from rum500.state import State

if not cython.compiled:
    from rum500.ai.policy import at_least_three, at_least_two, folded, trios
    from rum500.rules.engine.core import (
        ABOVE_ACE,
        ACES,
        JOKER_CARD,
        NATURALS,
        PHASE_USE,
        lowest,
    )
    from rum500.spaces.actions import CARD_INDEX

    CARDS = 53
    ONE = 1

VERSIONS = ("v1",)
"""The layouts of vectors. A layout never changes; a changed layout gets another version."""


def clear(out, size):
    """Set the first `size` cells to 0."""
    i: cython.int
    if cython.compiled:
        memset(out, 0, size * 4)
    else:
        for i in range(size):
            out[i] = 0.0


def spread(out, at, cards, value):
    """Write a value for each natural card of a mask into the plane that begins at index `at`."""
    while cards:
        out[at + CARD_INDEX[lowest(cards)]] = value
        cards &= cards - 1


def copies(out, at, once, twice, value):
    """Write `value` times the number of copies of each natural card into the plane at index `at`."""
    spread(out, at, once, value)
    if twice:
        spread(out, at, twice, 2 * value)


class Vector:
    """The base of both vectors: the game, the layout, and the check of a caller's buffer."""

    def lay_out(self, rules, players, version, layout):
        """Set the game and the version; return the result of `layout(rules, players)`."""
        if version not in VERSIONS:
            raise ValueError(
                f"there is no version {version!r} of this space: there are {', '.join(VERSIONS)}"
            )
        check_ruleset(rules)
        rules.check_players(players)
        packs = rules.packs(players)
        found = layout(rules, players)
        self.rules, self.players, self.version = rules, players, version
        self.planes, self.names, self.size = found.planes, found.names, found.size
        self.a_copy, self.a_joker = 1.0 / packs, 1.0 / max(1, rules.jokers * packs)
        self.a_card = 1.0 / len(rules.deck(players))
        return found

    def __reduce__(self):
        """Pickle only the constructor's arguments."""
        return type(self), (self.rules, self.players, self.version)

    def filled(self, core, seat, out):
        """Write a seat's vector into `out`, or into a new array if `out` is None; return the vector."""
        seat = index(seat)
        if not 0 <= seat < self.players:
            raise ValueError(f"seat {seat} is not at this table: seats are 0 to {self.players - 1}")
        out = array("f", bytes(4 * self.size)) if out is None else out
        data: object = bytes_of(out, 4 * self.size, "the vector").cast("f")
        if cython.compiled:
            cells: cython.float[::1] = data
            self.fill(core, seat, cython.address(cells[0]))
        else:
            self.fill(core, seat, data)
        return out

    def fill(self, core, seat, out):
        """Write a seat's vector to the cells at `out`; does the part of `filled` that needs no GIL."""


class Features(Vector):
    """The vector of what one seat may know: `size` floats.

    It is egocentric: `+1` is the next seat to play. It depends on nothing that the seat may not know, and is
    identical for a state and for the seat's view of it. The past actions of the deal are not in it. `planes`
    describes each part, `names` each cell.
    """

    def __init__(self, rules, players, version="v1"):
        """Define the planes for this game. Raises `RulesetError` for a wrong number of players.

        Raises `ValueError` for an unknown version.
        """
        layout = self.lay_out(rules, players, version, _planes.features)
        self.shown = layout.start("shown")
        self.completes = layout.start("completes")
        self.fits = layout.start("fits")
        self.table = layout.start("table")
        self.pile = layout.start("pile")
        self.below = layout.start("pile below")
        self.unseen = layout.start("unseen")
        self.known = layout.start("known +1")
        self.must = layout.start("must")
        self.taken = layout.start("taken")
        self.banned = layout.start("banned")
        self.restocked = layout.start("restocked")
        self.phase = layout.start("phase")
        self.turn = layout.start("turn")
        self.actor = layout.start("actor")
        self.dealer = layout.start("dealer")
        self.cards = layout.start("cards")
        self.few = layout.start("few")
        self.laid = layout.start("laid")
        self.totals = layout.start("totals")
        self.held = layout.start("held")
        self.stock = layout.start("stock")
        self.pile_size = layout.start("pile size")
        self.idle = layout.start("idle")
        self.passes = layout.start("passes")
        self.restocks = layout.start("restocks")
        self.floater = layout.start("floater")
        self.progress = layout.start("progress")
        self.deal = layout.start("deal")
        self.a_point = 0.01
        self.target = rules.target if rules.match == "target" else 500
        self.deals = rules.deals

    def write(self, state, seat, out=None):
        """Write what a seat knows into `out`, `size` floats of 32 bits; return it.

        `state` is a `State` or this seat's `View`. Without `out` a new `array` is returned. Raises
        `ValueError` for a seat that is not at the table, another seat's view, or a buffer of another size.
        """
        core: object = core_of(state, self.rules, self.players)
        if not isinstance(state, State) and state.seat != index(seat):
            raise ValueError(f"the view is of seat {state.seat}, not of seat {seat}")
        return self.filled(core, seat, out)

    def to_list(self, state, seat):
        """Return what a seat knows as a list of floats, the same as `write(…)`; raises the same errors.

        Most cells are 0 or 1 and share one object, which makes this much faster than `write(…).tolist()`.
        """
        i: cython.int
        cells: cython.float[::1] = self.write(state, seat)
        zero: object = 0.0
        one: object = 1.0
        found: list = [zero] * self.size
        for i in range(self.size):
            if cells[i] == 1.0:
                found[i] = one
            elif cells[i] != 0.0:
                found[i] = cells[i]
        return found

    # --- without the GIL --------------------------------------------------------------------------

    def fill(self, core, seat, out):
        """Write a seat's vector to the cells at `out`, an array of `size` floats."""
        clear(out, self.size)
        self.write_cards(core, seat, out)
        self.write_pile(core, out)
        self.write_numbers(core, seat, out)

    def write_cards(self, core, seat, out):
        """Write the planes of cards, except those of the pile."""
        i: cython.int
        other: cython.int
        jokers: cython.int = core.hj[seat] + core.pile_j
        laid: cython.int = 0
        mask: u64
        once: u64 = core.h1[seat]
        twice: u64 = core.h2[seat]
        copies(out, 0, once, twice, self.a_copy)
        copies(out, self.shown, core.k1[seat], core.k2[seat], self.a_copy)
        mask = self.completing(core, seat)
        spread(out, self.completes, mask, 1.0)
        spread(out, self.fits, (core.opens | folded(core.ups | core.downs)) & NATURALS, 1.0)
        copies(out, self.table, core.down1, core.down2, self.a_copy)
        for i in range(1, core.n):
            other = seat + i if seat + i < core.n else seat + i - core.n
            if core.k1[other]:
                twice |= (once & core.k1[other]) | core.k2[other]
                once |= core.k1[other]
                copies(out, self.known + CARDS * (i - 1), core.k1[other], core.k2[other], self.a_copy)
            if core.kj[other]:
                jokers += core.kj[other]
                out[self.known + CARDS * i - 1] = core.kj[other] * self.a_joker
        twice |= (once & core.down1) | core.down2
        once |= core.down1
        if core.packs == 1:
            spread(out, self.unseen, NATURALS & ~(once | core.pile_mask), 1.0)
        else:
            for i in range(core.pile_n):
                if core.pile[i] != JOKER_CARD:
                    mask = ONE << core.pile[i]
                    twice |= once & mask
                    once |= mask
            spread(out, self.unseen, NATURALS & ~twice, self.a_copy)
            spread(out, self.unseen, NATURALS & ~once, 1.0)
        if core.jokers_total:
            for i in range(core.meld_n):
                laid += core.jokers_of(core.meld[i])
            self_jokers: cython.int = core.hj[seat]
            out[CARDS - 1] = self_jokers * self.a_joker
            out[self.shown + CARDS - 1] = core.kj[seat] * self.a_joker
            if core.own_rank:
                out[self.completes + CARDS - 1] = self_jokers > 1
            else:
                out[self.completes + CARDS - 1] = self.completing(core, seat) != 0
            out[self.fits + CARDS - 1] = core.fits_table(JOKER_CARD) != 0
            out[self.table + CARDS - 1] = laid * self.a_joker
            out[self.unseen + CARDS - 1] = (core.jokers_total - jokers - laid) * self.a_joker
        if core.phase == PHASE_USE:
            out[self.must + CARD_INDEX[core.must]] = 1.0
            if self.taken >= 0 and core.claiming:
                copies(out, self.taken, core.t1, core.t2, self.a_copy)
                out[self.taken + CARDS - 1] = core.tj * self.a_joker
        if self.banned >= 0 and core.ban >= 0:
            out[self.banned + CARD_INDEX[core.ban]] = 1.0
        if self.restocked >= 0:
            copies(out, self.restocked, core.r1, core.r2, self.a_copy)
            out[self.restocked + CARDS - 1] = core.rj * self.a_joker

    def completing(self, core, seat):
        """Return the mask of the natural cards, in the hand or not, that complete a new meld of three cards.

        The other two cards of the meld are natural cards of the hand.
        """
        hand: u64 = core.h1[seat]
        pairs: u64 = at_least_two(hand)
        trips: u64 = at_least_three(hand)
        if core.same_suit and core.h2[seat]:
            double: u64 = core.h2[seat]
            # A set may have a card twice: then a second copy counts as another card.
            double = (double | (double >> 16) | (double >> 32) | (double >> 48)) & 0x1FFF
            double *= ACES
            trips |= pairs & double
            pairs |= double
        places: u64 = core.places(hand)
        runs: u64 = trios(places)
        if not core.ace_low:
            runs &= ABOVE_ACE
        return ((pairs & ~hand) | trips | folded(runs)) & NATURALS

    def write_pile(self, core, out):
        """Write the planes of the pile."""
        i: cython.int
        at: cython.int
        for i in range(core.pile_n):
            at = CARD_INDEX[core.pile[i]]
            if self.below >= 0:
                out[self.below + at] = out[self.pile + at]
            out[self.pile + at] = (core.pile_n - i) * self.a_card

    def write_numbers(self, core, seat, out):
        """Write the cells that follow the planes of cards."""
        i: cython.int
        other: cython.int
        ratio: cython.double
        out[self.phase + core.phase] = 1.0
        for i in range(core.n):
            other = seat + i if seat + i < core.n else seat + i - core.n
            if other == core.turn:
                out[self.turn + i] = 1.0
            if self.actor >= 0 and other == core.actor:
                out[self.actor + i] = 1.0
            if other == core.dealer:
                out[self.dealer + i] = 1.0
            ratio = core.hn[other]
            out[self.cards + i] = ratio / 13
            if core.hn[other] < 4:
                out[self.few + 4 * i + core.hn[other]] = 1.0
            out[self.laid + i] = core.laid[other] * self.a_point
            ratio = core.totals[other]
            out[self.totals + i] = ratio / self.target
        out[self.held] = core.held(seat) * self.a_point
        out[self.stock] = (core.stock_end - core.stock_next) * self.a_card
        out[self.pile_size] = core.pile_n * self.a_card
        ratio = core.idle
        out[self.idle] = ratio / core.idle_limit
        if self.passes >= 0:
            ratio = core.passes
            out[self.passes] = ratio / core.n
        if self.restocks >= 0:
            ratio = core.restocks
            out[self.restocks] = ratio / core.restock_limit
        out[self.floater] = core.floater
        out[self.progress] = core.progress
        if self.deal >= 0:
            ratio = core.number
            out[self.deal] = ratio / self.deals


class HiddenState(Vector):
    """The vector of what a seat may **not** know: the other hands and the stock's order, `size` floats.

    It is for the critic in training, never for a player. `planes` describes each part.
    """

    def __init__(self, rules, players, version="v1"):
        """Define the planes for this game. Raises `RulesetError` for a wrong number of players.

        Raises `ValueError` for an unknown version.
        """
        self.lay_out(rules, players, version, _planes.hidden_state)

    def write(self, state, seat, out=None):
        """Write what is hidden from a seat into `out`, `size` floats of 32 bits; return it.

        Without `out` a new `array` is returned. Raises `TypeError` for a view, which lacks hidden cards, and
        `ValueError` for a seat that is not at the table or a buffer of another size.
        """
        if not isinstance(state, State):
            raise TypeError(f"expected a State, found {type(state).__name__}: a view contains nothing hidden")
        core: object = core_of(state, self.rules, self.players)
        return self.filled(core, seat, out)

    def fill(self, core, seat, out):
        """Write a seat's vector to the cells at `out`, an array of `size` floats."""
        i: cython.int
        other: cython.int
        stock: cython.int = CARDS * (core.n - 1)
        clear(out, self.size)
        for i in range(1, core.n):
            other = seat + i if seat + i < core.n else seat + i - core.n
            copies(out, CARDS * (i - 1), core.h1[other], core.h2[other], self.a_copy)
            out[CARDS * i - 1] = core.hj[other] * self.a_joker
        i = core.stock_end - 1
        while i >= core.stock_next:
            out[stock + CARD_INDEX[core.stock[i]]] = (core.stock_end - i) * self.a_card
            i -= 1
