"""The choice of `club`, and rules of thumb that speak for it: facts about the play, not guesses.

Everything follows from a view, so a hint reveals nothing that is hidden from the seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rum500.ai import KnownDeal, known_deal
from rum500.bots.policy_bots import Club
from rum500.cards import JOKER, LANE, rank_of
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind, decode, discard_code, lays_cards
from rum500.rules.actions import Action, ActionKind, Call, Discard, Draw, LayOff, LetGo, Meld, Take
from rum500.rules.engine.core import Core, Moves
from rum500.rules.scoring import card_values
from rum500.view import Phase, View

FEW = 3
"""A player with at most this many cards may go out soon."""
_RANKS = 13
_CLUB = Club()


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """A fact that speaks for a play."""

    code: str
    """A stable code: `thumb.` and a word."""
    cards: tuple[int, ...] = ()
    """The cards in its sentence."""
    count: int | None = None
    """A number of cards in its sentence; None if it has none."""
    points: int | None = None
    seat: int | None = None
    """Another seat in its sentence; None if it has none."""


def choice_of(view: View) -> int:
    """Return the code of `club`'s choice in this view."""
    return _CLUB.choose_int(view, Rng(0))


def rules_of_thumb(view: View, choice: int) -> list[RuleOfThumb]:
    """Return one or two facts that speak for a legal play, the simplest first."""
    if len(view.legal) == 1:
        return [RuleOfThumb("thumb.only")]
    seat = known_deal(view)
    if _goes_out(_after(seat.core, choice), view.actor):
        return [RuleOfThumb("thumb.out")]
    match decode(choice):
        case Take(count) | Call(count):
            found = _taking(seat.core, view, choice, count)
        case Draw() | LetGo():
            found = _leaving(seat.core, view, decode(choice))
        case Meld() | LayOff():
            found = _laying(seat.core, view, choice)
        case Discard(card):
            found = _discarding(seat, view, card)
        case _:
            found = []
    return found[:2] or [RuleOfThumb("thumb.weighed")]


def _after(core: Core, code: int) -> Core:
    """Return the deal after a play; a draw leaves it unchanged, because the card is unknown."""
    twin = Core()
    twin.copy_from(core)
    if action_kind(code) is not ActionKind.DRAW:
        twin.apply(code, Moves())
    return twin


def _goes_out(core: Core, seat: int) -> bool:
    if core.phase == Phase.OVER:
        return core.out == seat
    if core.actor != seat or core.hn[seat] != 1:
        return False
    last = discard_code(core.hand_cards(seat)[0])
    return last in core.legal(Moves()) and _goes_out(_after(core, last), seat)


# --- the pile ---------------------------------------------------------------------------------------


def _laid_next(core: Core) -> tuple[int, tuple[int, ...]]:
    """Return the points of the best meld or lay-off that is possible now, and its cards."""
    plays = [code for code in core.legal(Moves()) if lays_cards(code)]
    if not plays:
        return 0, ()
    best = max(plays, key=lambda code: (core.points(code), -code))
    return core.points(best), _cards_of(decode(best))


def _cards_of(action: Action) -> tuple[int, ...]:
    return tuple(laid.card for laid in action.cards) if isinstance(action, Meld | LayOff) else ()


def _taking(core: Core, view: View, choice: int, count: int) -> list[RuleOfThumb]:
    points, cards = _laid_next(_after(core, choice))
    if not points:
        return []
    return [RuleOfThumb("thumb.take", cards, count, points), *_others_few(view)]


def _leaving(core: Core, view: View, action: Action) -> list[RuleOfThumb]:
    kinds = (ActionKind.CALL,) if isinstance(action, LetGo) else (ActionKind.TAKE,)
    takes = [code for code in view.legal if action_kind(code) in kinds]
    if not takes:
        return [RuleOfThumb("thumb.no_take")]
    found = []
    for code in takes:
        taken = decode(code)
        assert isinstance(taken, Take | Call)
        points, cards = _laid_next(_after(core, code))
        found.append((points, -taken.count, cards))
    points, count, cards = max(found)
    laid_of_pile = sum(card in cards for card in view.pile[count:])
    return [RuleOfThumb("thumb.leave", (), max(0, -count - laid_of_pile), points)]


# --- laying and holding -----------------------------------------------------------------------------


def _laying(core: Core, view: View, choice: int) -> list[RuleOfThumb]:
    code = "thumb.double" if core.doubled(choice) else "thumb.lay"
    return [RuleOfThumb(code, (), None, core.points(choice)), *_others_few(view)]


def _others_few(view: View) -> list[RuleOfThumb]:
    """Return the fact that an opponent may go out soon, as a list; an empty list if none may."""
    assert view.seat is not None
    side_of = view.rules.side
    foes = [seat for seat in range(view.players) if side_of(seat) != side_of(view.seat)]
    fewest = min(foes, key=lambda seat: view.hand_sizes[seat])
    if view.hand_sizes[fewest] > FEW:
        return []
    return [RuleOfThumb("thumb.others_few", (), view.hand_sizes[fewest], None, fewest)]


# --- discards ---------------------------------------------------------------------------------------


def _discarding(seat: KnownDeal, view: View, card: int) -> list[RuleOfThumb]:
    found = []
    points, cards = _laid_next(seat.core)
    if points:
        found.append(RuleOfThumb("thumb.hold", cards, None, points))
    if card == JOKER:
        return found
    rest = list[int](view.hand)
    rest.remove(card)
    if not (view.rules.jokers and view.rules.joker_kind == "wild") and _is_dead(view, card, rest):
        found.append(RuleOfThumb("thumb.dead", (card,)))
    loose = [each for each in view.hand if each != JOKER and _is_loose(each, view.hand)]
    if card in loose:
        values = card_values(view.rules)
        worth: dict[int, int] = {
            each: values[rank_of(each) or _RANKS] for each in loose if discard_code(each) in view.legal
        }
        most = len(worth) > 1 and worth[card] == max(worth.values()) > min(worth.values())
        found.append(
            RuleOfThumb("thumb.costly", (card,), None, worth[card])
            if most
            else RuleOfThumb("thumb.loose", (card,))
        )
    return found


def _is_loose(card: int, hand: Iterable[int]) -> bool:
    """Return whether the hand has no other card of this rank, and none of this suit within two ranks."""
    others = list(hand)
    others.remove(card)
    return not any(_is_near(card, each) for each in others if each != JOKER)


def _is_near(one: int, other: int) -> bool:
    if rank_of(one) == rank_of(other):
        return True
    between = abs(rank_of(one) - rank_of(other))
    return one // LANE == other // LANE and min(between, _RANKS - between) <= 2


def _is_dead(view: View, card: int, rest: list[int]) -> bool:
    """Return whether no other player can use a card: it fits no meld, and too few cards for a new one are
    left.

    `rest` is the own hand without the card. Others could have all cards that are not in `rest` or in melds.
    """
    table = [placed.card for meld in view.melds for placed in meld.cards]
    gone = [*rest, *table]
    packs = view.rules.packs(view.players)

    def left(place: int, suit: int) -> int:
        """Return how many copies of a card others could have; `place` is 13 for the ace above the king."""
        return packs - gone.count(suit * LANE + place % _RANKS)

    rank, suit = rank_of(card), card // LANE
    if sum(left(rank, each) for each in range(4)) - 1 >= 2:
        return False
    runs = [range(first, first + 3) for first in range(_RANKS - 1)]
    near = [run for run in runs if any(place % _RANKS == rank for place in run)]
    whole = any(all(left(place, suit) for place in run) for run in near)
    return not whole and not _fits_table(view, card)


def _fits_table(view: View, card: int) -> bool:
    """Return whether a card could be laid off on a meld now, or after others have made the meld longer."""
    for meld in view.melds:
        cards = [placed.card for placed in meld.cards if placed.card != JOKER]
        if not cards:
            return True
        if meld.kind == "set" and any(rank_of(each) == rank_of(card) for each in cards):
            return True
        if meld.kind == "run" and any(each // LANE == card // LANE for each in cards):
            return True
    return False
