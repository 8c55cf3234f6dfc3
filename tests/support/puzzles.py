"""Positions with all cards of a deck, set up by hand, and the plays of a bot in them.

The named cards are where the test puts them. Of the others, all complete ranks are on the table as sets of
four, to which nothing can be added; what remains is the stock. So a seat that counts cards counts correctly.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rum500 import Ruleset, State, decode, ruleset
from rum500.cards import JOKER, cards_from_text, cards_text
from rum500.rng import Rng
from rum500.rules.notation import play_text
from tests.support.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rum500.bots import Bot

MELDED_BY = 1


def position(
    rules: Ruleset | str,
    hands: Sequence[str],
    *,
    pile: str = "",
    stock: str = "",
    melds: Sequence[str] = (),
    known: Sequence[str] = (),
    closed: bool = True,
    laid: Sequence[int] = (),
    **fields: Any,
) -> State:
    """Return a position; `stock` has the cards to be drawn first, `known` the cards that each seat is known
    to hold.

    With `closed`, complete ranks that nobody holds are on the table; otherwise in the stock, as early in a
    deal. `laid` has the points laid so far, whatever the melds count. Fields go to `table`.
    """
    game = ruleset(rules) if isinstance(rules, str) else rules
    rest = Counter(game.deck(len(hands)))
    named = cards_from_text(" ".join((*hands, pile, stock, *melds)))
    # Write a meld in which a joker stands for a card with that card: JK=9S.
    rest.subtract(named)
    assert min(rest.values()) >= 0, f"named too often: {cards_text(c for c, n in rest.items() if n < 0)}"
    sets = list(_complete(rest)) if closed else []
    state = table(
        game,
        hands,
        pile=pile,
        stock=" ".join([stock, cards_text(sorted(rest.elements(), key=lambda card: card * 37 % 64))]),
        melds=[(MELDED_BY, meld) for meld in (*melds, *sets)],
        laid=[*laid, *[0] * (8 - len(laid))],
        **fields,
    )
    once, jokers = [0] * 8, [0] * 8
    for seat, cards in enumerate(known):
        codes = cards_from_text(cards)
        jokers[seat] = codes.count(JOKER)
        once[seat] = sum(1 << code for code in codes if code != JOKER)
    state.core.k1, state.core.kj = once, jokers
    return state


def _complete(rest: Counter[int]) -> list[str]:
    found = []
    for rank in range(13):
        cards = [16 * suit + rank for suit in range(4)]
        while all(rest[card] for card in cards):
            rest.subtract(cards)
            found.append(cards_text(cards))
    if rest[JOKER] >= 4:
        rest[JOKER] -= 4
        found.append("JK JK JK JK")
    return found


def turn(bot: Bot, state: State, seed: int = 1) -> list[str]:
    """Let a bot play the rest of its turn in this state; return its plays as text."""
    seat, chance, plays = state.actor, Rng(seed), []
    while not state.is_over and state.actor == seat:
        chosen: Any = bot.choose(state.view(seat), chance)
        plays.append(play_text(decode(chosen) if isinstance(chosen, int) else chosen, state))
        state.apply(chosen)
        if plays[-1].startswith(("discard", "pass", "end", "let")):
            break
    return plays
