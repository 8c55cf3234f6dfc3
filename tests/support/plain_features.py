"""The planes of `rum500.spaces`, computed slowly from a view or a state, without the engine's masks."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from rum500.cards import JOKER, pack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rum500 import Ruleset, State, View
    from rum500.view import MeldView

CARDS = pack(jokers=1)


def expected(view: View) -> dict[str, list[float]]:
    """Return the cells of each plane of `Features` for a view; planes that its game lacks are there too."""
    assert view.seat is not None
    rules, players, seats = view.rules, view.players, around(view.seat, view.players)
    deck, size = Counter(rules.deck(players)), len(rules.deck(players))
    hand = Counter(view.hand)
    melded = Counter(placed.card for meld in view.melds for placed in meld.cards)
    seen = hand + melded + Counter(view.pile)
    for seat in seats[1:]:
        seen += Counter(view.known[seat])
    depths: dict[int, list[int]] = {card: [] for card in CARDS}
    for i, card in enumerate(view.pile):
        depths[card].insert(0, len(view.pile) - i)
    planes = {
        "hand": share(hand, deck),
        "shown": share(Counter(view.known[view.seat]), deck),
        "completes": completing(view, hand),
        "fits": [float(any(fits(rules, players, meld, card) for meld in view.melds)) for card in CARDS],
        "table": share(melded, deck),
        "pile": [depths[card][0] / size if depths[card] else 0.0 for card in CARDS],
        "pile below": [depths[card][1] / size if len(depths[card]) > 1 else 0.0 for card in CARDS],
        "unseen": share(deck - seen, deck),
        "must": [float(card == view.must_use) for card in CARDS],
        "taken": share(Counter(view.taken) if view.only_taken else Counter(), deck),
        "banned": [float(card == view.banned) for card in CARDS],
        "restocked": share(Counter(view.restocked), deck),
        "phase": [float(view.phase == phase) for phase in range(5)],
        "turn": [float(seat == view.turn) for seat in seats],
        "actor": [float(seat == view.actor) for seat in seats],
        "dealer": [float(seat == view.dealer) for seat in seats],
        "cards": [view.hand_sizes[seat] / 13 for seat in seats],
        "few": [float(view.hand_sizes[seat] == count) for seat in seats for count in range(4)],
        "laid": [view.laid[seat] / 100 for seat in seats],
        "totals": [view.totals[seat] / (rules.target if rules.match == "target" else 500) for seat in seats],
        "held": [held(rules, view.hand) / 100],
        "stock": [view.stock / size],
        "pile size": [len(view.pile) / size],
        "idle": [view.idle_turns / (rules.no_progress_rounds * players)],
        "passes": [view.passes / players],
        "restocks": [view.restocks / rules.restock_limit],
        "floater": [float(view.floater)],
        "progress": [float(view.progress)],
        "deal": [view.number / rules.deals],
    }
    return planes | {
        f"known +{i}": share(Counter(view.known[seat]), deck) for i, seat in enumerate(seats) if i > 0
    }


def expected_hidden(state: State, seat: int) -> dict[str, list[float]]:
    """Return the cells of each plane of `HiddenState`."""
    deck = Counter(state.rules.deck(state.players))
    stock = list(state.stock)
    left = {card: len(stock) - i for i, card in reversed(list(enumerate(stock)))}
    planes = {
        f"hand +{i}": share(Counter(state.hands[other]), deck)
        for i, other in enumerate(around(seat, state.players))
        if i > 0
    }
    return planes | {"stock": [left.get(card, 0) / deck.total() for card in CARDS]}


def around(seat: int, players: int) -> list[int]:
    """The seats, clockwise from this one."""
    return [(seat + i) % players for i in range(players)]


def share(cards: Counter[int], deck: Counter[int]) -> list[float]:
    """The share of each card's copies that is among these."""
    return [cards[card] / max(1, deck[card]) for card in CARDS]


def held(rules: Ruleset, hand: Sequence[int]) -> int:
    """The points of a hand (R-SCORE-2)."""
    values = [rules.joker_points if card == JOKER else value(rules, card % 16) for card in hand]
    return sum(values)


def value(rules: Ruleset, rank: int) -> int:
    if rank == 0:
        return 15
    if rank >= 9:
        return 10
    return 5 if rules.low_cards == "five" else rank + 1


def completing(view: View, hand: Counter[int]) -> list[float]:
    """For each card, whether two natural cards of the hand make a meld with it (R-MELD-1, R-MELD-2, D2)."""
    cells = []
    naturals = sorted((hand - Counter({JOKER: hand[JOKER]})).elements())
    for card in CARDS[:-1]:
        rest = list(naturals)
        if card in rest:
            rest.remove(card)
        cells.append(float(any(melds(view, (card, *pair)) for pair in combinations(rest, 2))))
    if view.rules.joker_kind == "rank":
        return [*cells, float(hand[JOKER] > 1)]
    return [*cells, float(view.rules.joker_kind == "wild" and any(cells))]


def melds(view: View, cards: Iterable[int]) -> bool:
    """Whether three natural cards are a set or a run."""
    three = sorted(cards)
    suits, ranks = {card // 16 for card in three}, {card % 16 for card in three}
    if len(ranks) == 1:
        twice = view.rules.same_suit_in_sets and view.rules.packs(view.players) == 2
        return len(suits) == 3 or bool(twice)
    if len(suits) > 1 or len(ranks) < 3:
        return False
    low, high = sorted(ranks), sorted(13 if rank == 0 else rank for rank in ranks)
    return high[2] - high[0] == 2 or (low[2] - low[0] == 2 and (low[0] > 0 or view.rules.ace == "both"))


def fits(rules: Ruleset, players: int, meld: MeldView, card: int) -> bool:
    """Whether a card alone can be laid on a meld (R-LAY-1, R-MELD-4, R-MELD-5, D4, D20)."""
    places = [placed.place for placed in meld.cards if placed.place is not None]
    if meld.kind == "jokers":
        return card == JOKER and len(meld.cards) < 4
    wild = card == JOKER and rules.joker_kind == "wild"
    if meld.kind == "set":
        unnamed = len(places) < len(meld.cards)
        if len(meld.cards) > 3 or (card == JOKER and (not wild or unnamed)):
            return False
        copies = rules.packs(players) if rules.same_suit_in_sets else 1
        rank = next(place for place in places) % 16 % 13
        wanted = range(rank, 64, 16) if wild else [card]
        taken = Counter(place // 16 for place in places)
        return any(one % 16 == rank and taken[one // 16] < copies for one in wanted)
    low, high = min(places) % 16, max(places) % 16
    ends = set()
    if high < 12 or (high == 12 and low > 0):
        ends.add(high + 1)
    if low > 1 or (low == 1 and rules.ace == "both" and high < 13):
        ends.add(low - 1)
    suit = places[0] // 16
    return bool(ends) if wild else card // 16 == suit and any(end % 13 == card % 16 for end in ends)
