"""Random illegal plays of every kind, for any position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rum500 import (
    Action,
    Call,
    Discard,
    Draw,
    EndDeal,
    Laid,
    LayOff,
    LetGo,
    Meld,
    Pass,
    State,
    Take,
    encode,
)

if TYPE_CHECKING:
    import random

_JOKER = 62


def random_plays(state: State, chance: random.Random, cards: int = 30) -> list[Action]:
    """Plays of every kind, legal or not: every plain one, and `cards` with cards in them."""
    counts = {-1, 0, 1, 2, len(state.pile), len(state.pile) + 1, chance.randint(1, 60)}
    counts |= set(range(1, len(state.pile) + 1))
    plays: list[Action] = [Draw(), Pass(), EndDeal(), LetGo()]
    plays += [Take(count) for count in counts] + [Call(count) for count in counts]
    plays += [Discard(card) for card in {*state.hands[state.actor], _random_card(chance), 13, -1, 300}]
    plays += [_random_meld(state, chance) for _ in range(cards)]
    plays += [_random_lay(state, chance) for _ in range(cards)]
    return plays


def random_numbers(state: State, chance: random.Random, count: int = 20) -> list[int]:
    """Numbers of plays with a bit or two flipped, and numbers of nothing at all."""
    legal = state.legal_ints() or [0]
    flipped = [
        chance.choice(legal) ^ 1 << chance.randrange(41) ^ 1 << chance.randrange(41) for _ in range(count)
    ]
    return [*flipped, chance.getrandbits(20), chance.getrandbits(64), -1]


def _random_card(chance: random.Random) -> int:
    return chance.choice([_JOKER, *(16 * chance.randrange(4) + chance.randrange(13) for _ in range(9))])


def _random_meld(state: State, chance: random.Random) -> Meld:
    return Meld(_random_cards(state, chance, chance.choice((0, 1, 2, 3, 3, 3, 3, 4, 4, 5, 6, 13))))


def _random_lay(state: State, chance: random.Random) -> LayOff:
    meld = chance.randint(-1, len(state.melds)) if chance.random() < 0.1 or not state.melds else 0
    if state.melds and meld == 0:
        meld = chance.randrange(len(state.melds))
    run = 0 <= meld < len(state.melds) and state.melds[meld].kind == "run"
    cards = _random_cards(state, chance, chance.choice((0, 1, 1, 1, 1, 2, 2, 3)))
    if run and cards and chance.random() < 0.7:
        cards = _near(state, meld, cards, chance)
    return LayOff(meld, cards, run if chance.random() < 0.9 else not run)


def _near(state: State, meld: int, cards: tuple[Laid, ...], chance: random.Random) -> tuple[Laid, ...]:
    """Cards near the ends of a run, by jokers where the hand has none."""
    places = [placed.place or 0 for placed in state.melds[meld].cards]
    lane = places[0] - places[0] % 16
    near = [
        places[0] - 1,
        places[0] - 2,
        places[-1] + 1,
        places[-1] + 2,
        lane,
        lane + 13,
        chance.choice(places),
    ]
    found = []
    for nearby in chance.sample(near, min(len(cards), len(near))):
        place = min(max(nearby, lane), lane + 13)
        card = lane + place % 16 % 13
        found.append(Laid(_JOKER if chance.random() < 0.2 else card, place))
    return tuple(found)


def _random_cards(state: State, chance: random.Random, count: int) -> tuple[Laid, ...]:
    """Cards, mostly from the actor's hand and mostly alike in suit or rank, with jokers mostly named."""
    hand = list(state.hands[state.actor]) or [_random_card(chance)]
    first = chance.choice(hand)
    style = chance.randrange(5)
    pool = hand
    if style == 0:
        pool = [card for card in hand if card == _JOKER or card % 16 == first % 16] or hand
    elif style == 1:
        pool = [card for card in hand if card == _JOKER or card // 16 == first // 16] or hand
    elif style == 2:
        pool = [first // 16 * 16 + (first % 16 + step) % 13 for step in range(-2, 4)]
    elif style == 3:
        pool = [*hand, *(16 * suit + first % 16 % 13 for suit in range(4)), _JOKER]
    chosen = chance.sample(pool, count) if count <= len(pool) else [chance.choice(pool) for _ in range(count)]
    return tuple(_placed(card, first, chance) for card in chosen)


def _placed(card: int, first: int, chance: random.Random) -> Laid:
    if card == _JOKER:
        near = (first // 16 % 4) * 16 + min(13, max(0, first % 16 % 14 + chance.randint(-2, 2)))
        same = 16 * chance.randrange(4) + first % 16 % 13
        return Laid(card, chance.choice((None, None, near, near, same, same, chance.randint(-5, 70))))
    if chance.random() < 0.02:
        return Laid(card, chance.choice((None, card + 1, card - 1, 99)))
    return Laid(card, card + 13 if card % 16 == 0 and chance.random() < 0.5 else card)


def is_wrong(state: State, action: Action) -> bool:
    """Whether a play is none of the legal ones."""
    try:
        return encode(action) not in state.legal_ints()
    except (ValueError, KeyError):
        return True
