"""Check a deal by simple counting: its cards, its points, its actions."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rum500
from rum500.cards import JOKER
from rum500.rules.action_codes import decode, encode
from rum500.rules.actions import Call, Discard, Draw, EndDeal, Laid, LayOff, LetGo, Meld, Pass, Take
from rum500.rules.engine.core import Core, Moves
from rum500.state import IllegalPlay, State

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator

    from rum500 import Ruleset
    from rum500.rules.actions import Action
    from rum500.view import MeldView, Placed

PXD = Path(rum500.__file__).parent / "rules" / "engine" / "core.pxd"


def core_fields() -> tuple[str, ...]:
    """Return the names of all fields of a core, in the order of its declaration."""
    lines = re.findall(
        r"^    cdef public [\w\[\]]+ (.+)$", PXD.read_text().partition("class Core")[2], re.MULTILINE
    )
    return tuple(name for line in lines for name in line.split(", "))


CORE_FIELDS = core_fields()


def dump(core: Core) -> dict[str, Any]:
    """Return all that a core holds."""
    values = {name: getattr(core, name) for name in CORE_FIELDS}
    return {name: value if isinstance(value, int) else tuple(value) for name, value in values.items()}


# ---- cards ------------------------------------------------------------------------------------------


def cards_of(state: State) -> Counter[int]:
    """Return all cards of a deal, wherever they are."""
    found = Counter(state.stock) + Counter(state.pile)
    for hand in state.hands:
        found.update(hand)
    for meld in state.melds:
        found.update(placed.card for placed in meld.cards)
    return found


def check_cards(state: State, deck: Counter[int]) -> None:
    """Check that no card is lost or added, hands have the core's lengths, and known cards are held (D21)."""
    assert cards_of(state) == deck
    for seat, hand in enumerate(state.hands):
        assert state.core.hn[seat] == len(hand)
        assert not Counter(state.known(seat)) - Counter(hand)


# ---- points -----------------------------------------------------------------------------------------


def held_value(card: int, rules: Ruleset) -> int:
    """What a card counts in a hand, or melded high (R-SCORE-2)."""
    if card == JOKER:
        return rules.joker_points
    rank = card % 16
    if rank == 0:
        return 15
    if rank >= 9:
        return 10
    return 5 if rules.low_cards == "five" else rank + 1


def table_value(placed: Placed, meld: MeldView, rules: Ruleset) -> int:
    """What a card counts on the table: an ace in place 0 of a run is low (D8)."""
    if meld.kind == "run" and placed.card % 16 == 0 and placed.place is not None and placed.place % 16 == 0:
        return rules.ace_low
    return held_value(placed.card, rules)


def recount(melds: Iterable[MeldView], players: int, rules: Ruleset) -> list[int]:
    """Points on the table by seat, card by card (R-LAY-3, R-SCORE-2, R-SCORE-3).

    A run of four that counted double does not show which four it was, so `doubles = "melds"` is not for this.
    """
    points = [0] * players
    for meld in melds:
        twice = rules.doubles != "none" and meld.at_once and meld.kind != "run"
        for placed in meld.cards:
            points[placed.seat] += table_value(placed, meld, rules) * (2 if twice else 1)
    return points


def check_points(state: State) -> None:
    """The points laid, and at the end the whole account, equal a recount."""
    rules, seats = state.rules, range(state.players)
    laid = recount(state.melds, state.players, rules)
    assert list(state.laid) == laid
    if not state.is_over:
        return
    result = state.result
    assert result is not None
    held = [sum(held_value(card, rules) for card in hand) for hand in state.hands]
    went_out = result.out if result.reason == "out" else None
    for seat in seats:
        points = laid[seat]
        if rules.hands == "holder" and result.reason != "target":
            points -= held[seat]
        if went_out == seat:
            points += rules.going_out_bonus
            if rules.hands == "winner":
                points += sum(held[s] for s in seats if rules.side(s) != rules.side(seat))
        assert (result.held[seat], result.points[seat], state.scores()[seat]) == (held[seat], points, points)


def check_end(state: State) -> None:
    """The deal is over, for a reason that its rules know and the table shows (R-END-1, D5-D7)."""
    assert state.is_over and not state.legal_ints()
    result, rules = state.result, state.rules
    assert result is not None
    if result.reason == "out":
        assert result.out is not None and not state.hands[result.out]
    elif result.reason == "target":
        assert rules.match_end == "at_once"
    else:
        assert result.out is None
        assert result.reason != "stock" or (not state.stock and rules.stock_out == "end")
        assert result.reason != "passes" or rules.stock_out == "pass"


# ---- actions ----------------------------------------------------------------------------------------


def check_actions(state: State, chance: random.Random, many: int = 40) -> None:
    """Each legal action applies and reads back; all others tried are refused, the state unchanged."""
    before = dump(state.core)
    legal = state.legal_ints()
    assert len(set(legal)) == len(legal) > 0
    actions = [decode(code) for code in legal]
    assert [encode(action) for action in actions] == legal
    assert len(set(actions)) == len(actions)
    moves, twin = Moves(), Core()
    deck = cards_of(state)
    for code in chance.sample(legal, min(6, len(legal))):
        twin.copy_from(state.core)
        twin.apply(code, moves)
        assert cards_of(State(state.rules, twin)) == deck
        assert dump(twin) != before
    assert dump(state.core) == before
    for action in universe(state, actions, chance, many):
        _check_refused(state, action, legal)
    assert dump(state.core) == before


def _check_refused(state: State, action: Action | int, legal: list[int]) -> None:
    code = action if isinstance(action, int) else _number(action)
    if code in legal:
        return
    assert not state.is_legal(action)
    try:
        state.apply(action)
    except IllegalPlay:
        return
    raise AssertionError(f"{action} is not among the legal actions, but was played")


def _number(action: Action) -> int:
    try:
        return encode(action)
    except ValueError:
        return -1


def universe(state: State, legal: list[Action], chance: random.Random, many: int) -> Iterator[Action | int]:
    """Actions of all kinds, the legal ones changed a little among them; most are illegal here."""
    yield from (Draw(), Pass(), EndDeal(), LetGo())
    for count in range(len(state.pile) + 3):
        yield Take(count)
        yield Call(count)
    yield from map(Discard, [*range(13), *range(16, 29), *range(32, 45), *range(48, 61), JOKER])
    melds = len(state.melds)
    for _ in range(many):
        cards = tuple(_random_run(chance) if chance.random() < 0.6 else _random_set(chance))
        yield chance.choice((Meld(cards), LayOff(chance.randint(0, melds), cards, run=_in_suit(cards))))
    for action in legal:
        yield from _near(action, melds, chance)
    hand = state.hands[state.actor]
    for number in range(melds + 1):
        for card in hand:
            yield LayOff(number, (Laid(card, None if card == JOKER else card),), run=False)
            yield LayOff(number, (Laid(card, chance.randrange(14) if card == JOKER else card),), run=True)


def _in_suit(cards: tuple[Laid, ...]) -> bool:
    return (
        len({one.place for one in cards}) == len(cards)
        and len({(one.place or 0) // 16 for one in cards}) == 1
    )


def _random_run(chance: random.Random) -> list[Laid]:
    suit, low, length = chance.randrange(4), chance.randrange(12), chance.randint(1, 6)
    places = [suit * 16 + position for position in range(low, min(14, low + length))]
    return [_at(place, chance) for place in places]


def _random_set(chance: random.Random) -> list[Laid]:
    rank = chance.randrange(13)
    suits = sorted(chance.sample(range(4), chance.randint(1, 4)))
    return [_at(suit * 16 + rank, chance) for suit in suits]


def _at(place: int, chance: random.Random) -> Laid:
    joker = chance.random() < 0.15
    return Laid(JOKER if joker else place if place % 16 < 13 else place - 13, place)


def _near(action: Action, melds: int, chance: random.Random) -> Iterator[Action]:
    """The action with one thing changed."""
    if not isinstance(action, Meld | LayOff):
        return
    cards = action.cards
    number = chance.randrange(len(cards))
    less = cards[:number] + cards[number + 1 :]
    named = cards[number].place
    changed = [less, (*cards, cards[-1])]
    if named is not None:
        changed.append((*less, Laid(JOKER, named)))
        changed.append((*less, Laid(cards[number].card, named ^ 16)))
        changed.append((*less, Laid(named if named % 16 < 13 else named - 13, named)))
    for others in changed:
        if others:
            yield replace(action, cards=others)
    if isinstance(action, LayOff):
        yield replace(action, meld=(action.meld + 1) % (melds + 1))
        yield replace(action, run=not action.run)
