"""Random positions with melds on the table, among them long runs and jokers, in the engine and the reference.

A run from ace to queen is rare in a deal; here such runs are laid out from the start.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.reference.melds import Laid, Meld
from tests.support.bridge import JOKER_CODE, MELD_RUN, MELD_SET, card_code, card_names, laid
from tests.support.indistinguishable_deals import set_hand
from tests.support.lockstep import Lockstep

if TYPE_CHECKING:
    import random

    from rum500 import Ruleset


def random_position(rules: Ruleset, players: int, chance: random.Random) -> Lockstep:
    """A deal in which the first player is about to draw, and something lies on the table."""
    deck = rules.deck(players)
    chance.shuffle(deck)
    game = Lockstep(rules, players, deck, chance.randrange(players), [], chance.getrandbits(64))
    pool = Counter(deck)
    melds = []
    for _ in range(chance.randint(1, 5)):
        meld = random_run(rules, chance) if chance.random() < 0.7 else random_set(rules, chance)
        needed = Counter(card_code(card) for card, _ in laid(meld))
        if not needed - pool and any(card != JOKER_CODE for card in needed):
            pool -= needed
            melds.append(meld)
    wanted = {place for meld in melds if meld % 16 == MELD_RUN for place in ends(meld)}
    rest = sorted(pool.elements(), key=lambda card: chance.random() * (0.2 if card in wanted else 1.0))
    lay_out(game, melds, rest, chance)
    return game


def ends(run: int) -> set[int]:
    """The cards next to a run's ends, and its suit's ace: those are dealt where they may be played."""
    places = [position for position in range(14) if run >> 6 + position & 1]
    beside = (0, max(places[0] - 1, 0), min(places[-1] + 1, 13) % 13)
    return {(run >> 4 & 3) * 16 + rank for rank in beside}


def random_run(rules: Ruleset, chance: random.Random) -> int:
    """A run, long ones as likely as short ones, a joker here and there where jokers are wild."""
    bottom = 0 if rules.ace == "both" else 1
    while True:
        low, high = sorted(chance.sample(range(bottom, 14), 2))
        if chance.random() < 0.4:
            low, high = chance.choice(((bottom, 12), (1, 13), (bottom, 11), (2, 13), (1, 12)))
        if high - low >= 2 and (low, high) != (0, 13):
            break
    places = sum(1 << position for position in range(low, high + 1))
    jokers = 0
    if rules.joker_kind == "wild":
        for position in (low, high, chance.randint(low, high)):
            jokers |= (chance.random() < 0.4) << position
    return MELD_RUN | chance.randrange(4) << 4 | places << 6 | jokers << 20


def random_set(rules: Ruleset, chance: random.Random) -> int:
    """A set of three or four, or of jokers with a rank of their own; H3's with jokers that have no name."""
    rank = chance.randrange(13) << 4
    if rules.joker_kind == "rank" and chance.random() < 0.5:
        return MELD_SET | 14 << 4 | 3 << 8
    suits = chance.sample(range(4), chance.choice((3, 3, 4)))
    if rules.joker_kind != "wild":
        return MELD_SET | rank | sum(1 << 2 * suit for suit in suits) << 8
    if rules.unnamed_jokers and chance.random() < 0.5:
        return MELD_SET | rank | 1 << 2 * suits[0] + 8 | 1 << 24
    named = suits[: chance.choice((0, 1) if rules.unnamed_jokers else (0, 1, 2))]
    natural = [suit for suit in suits if suit not in named]
    return (
        MELD_SET
        | rank
        | sum(1 << 2 * suit for suit in natural) << 8
        | sum(1 << 2 * suit for suit in named) << 16
    )


def lay_out(game: Lockstep, melds: list[int], rest: list[int], chance: random.Random) -> None:
    """Put melds, hands, pile and stock on both tables."""
    core, reference = game.core, game.reference
    seats = [chance.randrange(core.n) for _ in melds]
    core.set_melds([(meld, owner_of(meld, seat)) for meld, seat in zip(melds, seats, strict=True)])
    reference.melds = [reference_meld(meld, seat) for meld, seat in zip(melds, seats, strict=True)]
    points = reference.points_laid
    core.laid = points + [0] * (8 - len(points))
    for seat in range(core.n):
        size = (
            chance.choice((0, 1, 1, 2, 3, 5)) if reference.rules.go_out != "either" else chance.randint(1, 5)
        )
        hand, rest = rest[:size], rest[size:]
        set_hand(core, seat, hand)
        reference.hands[seat] = card_names(hand)
    core.floater = not core.hn[core.turn]
    reference.began_floating = reference.rules.go_out == "discard" and not reference.hand
    size = chance.choice((1, 2, 4, 8, 15))
    pile, stock = rest[:size], rest[size : size + chance.choice((0, 0, 1, 3, 9))]
    core.set_pile(pile)
    core.set_stock(stock)
    reference.pile, reference.stock = card_names(pile), card_names(stock)
    game.story.append(f"table {[laid(meld) for meld in melds]} of {seats}")
    game.story.append(f"hands {reference.hands}, pile {reference.pile}, stock {reference.stock}")


def owner_of(meld: int, seat: int) -> int:
    """All cards of a meld laid by one seat, as the core writes it."""
    if meld % 16 == MELD_SET:
        return seat | seat << 60
    return seat << 60 | sum(seat << 4 * position for position in range(14) if meld >> 6 + position & 1)


def reference_meld(meld: int, seat: int) -> Meld:
    """The same meld on the reference's table."""
    kind = "run" if meld % 16 == MELD_RUN else "jokers" if meld >> 4 & 15 == 14 else "set"
    return Meld(kind, tuple(Laid(card, stands, seat) for card, stands in laid(meld)))
