"""A deal as one seat may know it (R-DRAW-6, D21): each field is put in by name, nothing is taken out."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from rum500.rules.action_codes import decode, laid_cards, shape_of
from rum500.rules.actions import Action
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core, Moves
from rum500.rules.meld_codes import laid_at_once, owner_of, seats_of_cards
from rum500.rules.ruleset import Ruleset


class Phase(IntEnum):
    """What the actor has to decide."""

    DRAW = _core.PHASE_DRAW
    """Draw, take, pass or end the deal."""
    USE = _core.PHASE_USE
    """Use the lowest card taken (R-DRAW-3)."""
    PLAY = _core.PHASE_PLAY
    """Meld, lay off, discard."""
    CLAIM = _core.PHASE_CLAIM
    """Call "Rummy!" or let it go (H6)."""
    OVER = _core.PHASE_OVER
    """Nothing: the deal is over."""


PHASES = tuple(Phase)


class Placed(Struct, frozen=True, gc=False):
    """A card in a meld, the place it takes (see `Laid`), and the seat that laid and scores it (R-LAY-3)."""

    card: int
    place: int | None
    seat: int


class MeldView(Struct, frozen=True, cache_hash=True, gc=False):
    """A meld on the table.

    `number` counts from 0 in the order of laying; `kind` is `run`, `set` or `jokers`; `cards` ascend in a
    run and follow the suits in a set; `owner` laid it; `at_once`: four cards in that one play (R-SCORE-3).
    """

    number: int
    kind: str
    cards: tuple[Placed, ...]
    owner: int
    at_once: bool


class Result(Struct, frozen=True, gc=False):
    """How a deal ended and what it brought, by seat (R-SCORE-1, R-SCORE-4).

    `reason` is `out`, `stock`, `passes`, `no_progress` or `target`; `out` the seat that went out or
    reached the target. `points = melded - deducted + collected + bonus`; `held` is what the cards left in
    hand count, whether or not they cost anything.
    """

    reason: str
    out: int | None
    melded: tuple[int, ...]
    held: tuple[int, ...]
    deducted: tuple[int, ...]
    collected: tuple[int, ...]
    bonus: tuple[int, ...]
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


REASONS = {
    _core.REASON_OUT: "out",
    _core.REASON_STOCK: "stock",
    _core.REASON_PASSES: "passes",
    _core.REASON_NO_PROGRESS: "no_progress",
    _core.REASON_TARGET: "target",
}


class View(Struct, frozen=True, gc=False):
    """All that a seat may know of a deal; `seat` None is a spectator, who sees no hand.

    Cards are codes of `rum500.cards`, tuples by seat run clockwise from seat 0. `known[s]` are the cards
    that seat s took from the pile and still holds. `pile` runs from the oldest card to the top.
    `restocked` is what the last restock put into the stock, sorted (H5); `restocks` counts those made
    since a card was last laid, which are bounded (D7). `drawn` is the card this seat drew this turn.
    `must_use` is the taken card that must be used now, `taken` all that was taken with it; `only_taken`:
    with no card from hand (R-CLAIM-2). `banned` may not be discarded this turn (H4). `floater`: the
    player in turn began it without a card, as a floater (H2) or where discarding the last card is not
    going out (D16). `progress`: this turn has drawn from the stock or laid a card; `idle_turns` are the
    last turns to end, in a row, that did neither (D7). `passes` are those made in a row (D6). `totals`
    are the match totals before this deal, which is number `number` of the match, from 1; `laid` the points
    on the table.

    `past` is the course of the deal as everybody saw it: first the upcard, written as its discard, then
    the number of each action in order; it is empty where the course is not known (a position from text).
    Who acted follows from playing it through; which cards were drawn is not in it.
    """

    rules: Ruleset
    players: int
    seat: int | None
    dealer: int
    turn: int
    actor: int
    phase: Phase
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    drawn: int | None
    pile: tuple[int, ...]
    stock: int
    restocks: int
    restocked: tuple[int, ...]
    melds: tuple[MeldView, ...]
    must_use: int | None
    only_taken: bool
    taken: tuple[int, ...]
    banned: int | None
    floater: bool
    progress: bool
    laid: tuple[int, ...]
    totals: tuple[int, ...]
    number: int
    idle_turns: int
    passes: int
    past: tuple[int, ...]
    result: Result | None
    legal: tuple[int, ...]

    def legal_actions(self) -> list[Action]:
        """What this seat may do now; empty if it is not its decision."""
        return [decode(code) for code in self.legal]

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.phase is Phase.OVER


def view_of(core: Core, rules: Ruleset, seat: int | None, past: tuple[int, ...] = ()) -> View:
    """The view of a seat, or of a spectator for None; `ValueError` for a seat that is not at the table.

    `past` is the public course of the deal, which the core does not keep.
    """
    own = OwnPart() if seat is None else own_part(core, seat)
    return View(
        rules=rules,
        players=core.n,
        seat=seat,
        dealer=core.dealer,
        turn=core.turn,
        actor=core.actor,
        phase=PHASES[core.phase],
        hand=own.hand,
        hand_sizes=tuple(core.hn[: core.n]),
        known=_known(core),
        drawn=own.drawn,
        pile=tuple(core.pile_cards()),
        stock=core.stock_end - core.stock_next,
        restocks=core.restocks,
        restocked=tuple(core.restocked_cards()) if core.r1 or core.rj else (),
        melds=meld_views(core),
        must_use=core.must if core.must >= 0 else None,
        only_taken=bool(core.claiming),
        taken=tuple(core.taken_cards()) if core.phase == _core.PHASE_USE else (),
        banned=core.ban if core.ban >= 0 else None,
        floater=bool(core.floater),
        progress=bool(core.progress),
        laid=tuple(core.laid[: core.n]),
        totals=tuple(core.totals[: core.n]),
        number=core.number,
        idle_turns=core.idle,
        passes=core.passes,
        past=past,
        result=result_of(core),
        legal=own.legal,
    )


class OwnPart(NamedTuple):
    """What a seat knows of a deal that others do not, as in `View`: the rest everybody sees."""

    hand: tuple[int, ...] = ()
    drawn: int | None = None
    legal: tuple[int, ...] = ()


def own_part(core: Core, seat: int) -> OwnPart:
    """This seat's own part; `ValueError` for a seat that is not at the table."""
    if not 0 <= seat < core.n:
        raise ValueError(f"seat {seat} is not at this table: seats are 0 to {core.n - 1}")
    acting = seat == core.actor and core.phase != _core.PHASE_OVER
    return OwnPart(
        tuple(core.hand_cards(seat)),
        core.drawn if seat == core.turn and core.drawn >= 0 else None,
        tuple(core.legal(Moves())) if acting else (),
    )


def _known(core: Core) -> tuple[tuple[int, ...], ...]:
    """The known cards by seat; most seats have none most of the time, and are not asked for them."""
    once, jokers = core.k1, core.kj
    if not (any(once) or any(jokers)):
        return ((),) * core.n
    return tuple(tuple(core.known_cards(s)) if once[s] or jokers[s] else () for s in range(core.n))


def result_of(core: Core) -> Result | None:
    """The result of a deal that is over; hands are shown at settlement (D22)."""
    if core.phase != _core.PHASE_OVER:
        return None
    seats = range(core.n)
    return Result(
        reason=REASONS[core.reason],
        out=core.out if core.out >= 0 else None,
        melded=tuple(core.laid[: core.n]),
        held=tuple(core.held(s) for s in seats),
        deducted=tuple(core.deduction(s) for s in seats),
        collected=tuple(core.collected(s) for s in seats),
        bonus=tuple(core.bonus_of(s) for s in seats),
        points=tuple(core.score(s) for s in seats),
        hands=tuple(tuple(core.hand_cards(s)) for s in seats),
    )


def meld_views(core: Core) -> tuple[MeldView, ...]:
    """The melds on the table."""
    return tuple([_meld_view(i, meld, owner) for i, (meld, owner) in enumerate(core.melds())])


@lru_cache(maxsize=16_384)
def _meld_view(number: int, meld: int, owner: int) -> MeldView:
    seats = seats_of_cards(meld, owner)
    placed = tuple(
        Placed(laid.card, laid.place, seat) for laid, seat in zip(laid_cards(meld), seats, strict=True)
    )
    return MeldView(number, shape_of(meld), placed, owner_of(owner), laid_at_once(meld))
