"""The contents of a position file as plain data, made from states and views and converted to a core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rum500.cards import pack, planes_of
from rum500.rules import meld_codes
from rum500.rules.action_codes import encode
from rum500.rules.actions import Laid, Meld
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core
from rum500.view import REASONS, MeldView, Phase, Placed, View, meld_views


@dataclass(slots=True)
class MeldData:
    """A meld of a position."""

    kind: str
    """`run`, `set` or `jokers`."""
    cards: tuple[Placed, ...]
    """The cards with their places and seats."""
    owner: int
    """The seat that laid the meld."""
    at_once: bool
    """Whether four cards were laid in one play."""
    later: int | None = None
    """The index of the card laid off on a set; None if there is none."""


@dataclass(slots=True)
class PositionData:
    """A position: a whole deal, or what one seat sees."""

    rules: Ruleset
    """The rules of the game."""
    players: int
    """The number of players."""
    dealer: int
    """The dealer's seat."""
    turn: int
    """The seat in turn."""
    actor: int
    """The seat that has to decide."""
    phase: Phase
    """The decision that the actor has to make."""
    hands: list[list[int]]
    """Per seat, the cards in hand; of a hidden hand only the known ones."""
    sizes: list[int]
    """Per seat, the number of cards in hand."""
    known: list[list[int]]
    """Per seat, the cards that everybody knows, sorted."""
    pile: list[int]
    """The pile, oldest card first."""
    stock: list[int] | None
    """The stock, next card first; None in one seat's view."""
    stock_size: int
    melds: list[MeldData]
    laid: list[int]
    """Per seat, the points on the table."""
    totals: list[int]
    """Per seat, the match totals before the deal."""
    number: int
    """The number of the deal in the match, from 1."""
    complete: bool = True
    """Whether all cards are given, as opposed to one seat's view."""
    seat: int | None = None
    """The seat whose view it is; None for a spectator or a complete position."""
    must: int | None = None
    """The taken card that must be used now; None if there is none."""
    taken: list[int] = field(default_factory=list)
    """The cards of the take or call that took `must`, including `must`."""
    called: bool = False
    """Whether `taken` are the cards of a call (H6)."""
    banned: int | None = None
    """The card that may not be discarded (H4)."""
    floater: bool = False
    """Whether the player in turn began the turn without a card (H2, D16)."""
    drawn: int | None = None
    """The card drawn in this turn."""
    progress: bool = False
    """Whether the turn has drawn or laid a card (D7)."""
    idle: int = 0
    """The number of turns in a row without progress (D7)."""
    passes: int = 0
    """The number of passes in a row (D6)."""
    restocks: int = 0
    """The number of restocks since a card was last laid (D7)."""
    restocked: list[int] = field(default_factory=list)
    """The cards that the last restock put into the stock (H5)."""
    rng: int | None = None
    """The state of the random generator, which decides the order of restocks."""
    reason: str | None = None
    """The reason for the end of the deal; None until it is over."""
    out: int | None = None
    """The seat that went out or reached the target."""
    past: tuple[int, ...] = ()
    """The past actions, as in `View.past`; empty if unknown."""
    draws: tuple[int, ...] = ()
    """The cards drawn from the stock in the past actions; empty if unknown."""

    def shown(self, seat: int) -> bool:
        """Return whether every card of this seat's hand is known."""
        return self.complete or seat == self.seat or self.phase is Phase.OVER


def data_of_state(
    rules: Ruleset, core: Core, past: tuple[int, ...] = (), draws: tuple[int, ...] = ()
) -> PositionData:
    """Return the position of a deal, with all hands."""
    seats = range(core.n)
    over = core.phase == _core.PHASE_OVER
    return PositionData(
        rules=rules,
        players=core.n,
        dealer=core.dealer,
        turn=core.turn,
        actor=core.actor,
        phase=Phase(core.phase),
        hands=[[*core.hand_cards(s)] for s in seats],
        sizes=[core.hn[s] for s in seats],
        known=[[*core.known_cards(s)] for s in seats],
        pile=[*core.pile_cards()],
        stock=[*core.stock_cards()],
        stock_size=core.stock_end - core.stock_next,
        melds=_melds(core),
        laid=[core.laid[s] for s in seats],
        totals=[core.totals[s] for s in seats],
        number=core.number,
        must=_card(core.must),
        taken=[*core.taken_cards()] if core.phase == _core.PHASE_USE else [],
        called=bool(core.claiming),
        banned=_card(core.ban),
        floater=bool(core.floater),
        drawn=_card(core.drawn),
        progress=bool(core.progress),
        idle=core.idle,
        passes=core.passes,
        restocks=core.restocks,
        restocked=[*core.restocked_cards()],
        rng=core.rng,
        reason=REASONS[core.reason] if over else None,
        out=core.out if over and core.out >= 0 else None,
        past=past,
        draws=draws,
    )


_CARDS = bytes(pack()), bytes(pack(jokers=1))
"""The different cards of games, without and with jokers."""


def check_draws(rules: Ruleset, past: Sequence[int], draws: Sequence[int]) -> None:
    """Raise `ValueError` if the past actions cannot have drawn these cards; empty `draws` are not checked."""
    if draws and len(draws) != past.count(_core.DRAW):
        raise ValueError(f"{len(draws)} cards drawn, {past.count(_core.DRAW)} draws in the course")
    if bytes(draws).translate(None, delete=_CARDS[rules.jokers > 0]):
        raise ValueError("a card drawn that is not in this game")


def _card(card: int) -> int | None:
    return card if card >= 0 else None


def _melds(core: Core) -> list[MeldData]:
    data = [_meld(meld) for meld in meld_views(core)]
    for meld_data, (meld, owner) in zip(data, core.melds(), strict=True):
        meld_data.later = meld_codes.later_card(meld, owner)
    return data


def _meld(meld: MeldView) -> MeldData:
    """Return a meld of a view. In a set of four, `later_card` guesses the card that was laid off."""
    later = None
    if meld.kind != "run" and len(meld.cards) == 4 and not meld.at_once:
        later = later_card(meld.cards, meld.owner)
    return MeldData(meld.kind, meld.cards, meld.owner, meld.at_once, later)


def later_card(cards: Sequence[Placed], owner: int) -> int:
    """Return the index of the card that was probably laid off on a full set.

    This is the last card that another seat than the owner laid, or else the last card with a place.
    """
    others = [i for i, placed in enumerate(cards) if placed.seat != owner]
    named = [i for i, placed in enumerate(cards) if placed.place is not None]
    return (others or named or [3])[-1]


def data_of_view(view: View) -> PositionData:
    """Return the position in a view, with one seat's hand."""
    hands = [list[int](cards) for cards in view.known]
    if view.seat is not None:
        hands[view.seat] = list(view.hand)
    if view.result is not None:
        hands = [list[int](cards) for cards in view.result.hands]
    return PositionData(
        rules=view.rules,
        players=view.players,
        dealer=view.dealer,
        turn=view.turn,
        actor=view.actor,
        phase=view.phase,
        hands=hands,
        sizes=list(view.hand_sizes),
        known=[list[int](cards) for cards in view.known],
        pile=list(view.pile),
        stock=None,
        stock_size=view.stock,
        melds=[_meld(meld) for meld in view.melds],
        laid=list(view.laid),
        totals=list(view.totals),
        number=view.number,
        complete=False,
        seat=view.seat,
        must=view.must_use,
        taken=list(view.taken),
        called=view.only_taken,
        banned=view.banned,
        floater=view.floater,
        drawn=view.drawn,
        progress=view.progress,
        idle=view.idle_turns,
        passes=view.passes,
        restocks=view.restocks,
        restocked=list(view.restocked),
        reason=view.result.reason if view.result else None,
        out=view.result.out if view.result else None,
    )


def fill_unseen(data: PositionData) -> None:
    """Distribute the cards that the seat cannot see to the hidden hands and the stock, in canonical order.

    After a restock the stock contains only cards that went into it (H5), so the others go to the hands first.
    The numbers of cards must add up.
    """
    unseen = sorted((Counter(data.rules.deck(data.players)) - seen_cards(data)).elements())
    if data.restocked:
        left = Counter(data.restocked)
        inside = []
        for card in reversed(unseen):
            if left[card] > 0:
                left[card] -= 1
                inside.append(card)
        unseen = [*sorted((Counter(unseen) - Counter(inside)).elements()), *reversed(inside)]
    for seat, hand in enumerate(data.hands):
        count = data.sizes[seat] - len(hand)
        data.hands[seat] = sorted([*hand, *unseen[:count]])
        unseen = unseen[count:]
    data.stock = unseen


def seen_cards(data: PositionData) -> Counter[int]:
    """Return how often each card occurs at visible places."""
    places = [*data.hands, data.pile, data.stock or []]
    places += [[placed.card for placed in meld.cards] for meld in data.melds]
    return Counter(card for cards in places for card in cards)


def meld_words(meld_data: MeldData) -> tuple[int, int]:
    """Return (meld, owner): the two integers that the core stores for a meld. Raises `ValueError` if the meld
    is impossible.
    """
    cards = tuple(Laid(placed.card, placed.place) for placed in meld_data.cards)
    meld = encode(Meld(cards))
    seats = [placed.seat for placed in meld_data.cards]
    owner = meld_codes.owner_word(meld_data.owner, cards, seats, meld_data.later, run=meld_data.kind == "run")
    return meld_codes.at_once(meld) if meld_data.at_once else meld, owner


def core_of(data: PositionData) -> Core:
    """Return a core in this position, which `check` must have found possible."""
    core = new_core(data.rules, data.players, data.totals, data.number)
    _set_hands(core, data)
    core.laid = _padded(data.laid)
    core.set_pile(data.pile)
    core.set_stock(data.stock or [])
    core.set_melds([meld_words(meld) for meld in data.melds])
    core.r1, core.r2, core.rj = planes_of(data.restocked)
    core.t1, core.t2, core.tj = planes_of(data.taken)
    core.dealer, core.turn, core.actor, core.phase = data.dealer, data.turn, data.actor, int(data.phase)
    core.must, core.ban, core.drawn = (-1 if c is None else c for c in (data.must, data.banned, data.drawn))
    core.claiming, core.floater, core.progress = data.called, data.floater, data.progress
    core.idle, core.passes, core.restocks = data.idle, data.passes, data.restocks
    core.rng = data.rng or 0
    core.reason = next((code for code, reason in REASONS.items() if reason == data.reason), 0)
    core.out = -1 if data.out is None else data.out
    return core


def _set_hands(core: Core, data: PositionData) -> None:
    planes = [planes_of(hand) for hand in data.hands]
    known = [planes_of(cards) for cards in data.known]
    core.h1, core.h2, core.hj = (_padded([row[i] for row in planes]) for i in range(3))
    core.k1, core.k2, core.kj = (_padded([row[i] for row in known]) for i in range(3))
    core.hn = _padded([len(hand) for hand in data.hands])


def _padded(numbers: Sequence[int]) -> list[int]:
    return [*numbers, *[0] * (_core.MAX_SEATS - len(numbers))]
