"""Check that a bot depends only on what its seat sees: with other hidden cards its choice must be the same.

This changes a complete `State` and shares nothing with `rum500.ai`, so that it can check the worlds of
`rum500.ai` too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rum500 import Phase, State, View
from rum500.rng import Rng
from rum500.rules.action_codes import code_of
from tests.support.indistinguishable_deals import set_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rum500 import Ruleset
    from rum500.bots import Bot

Look = Callable[[State, int], View]
"""A function that makes the view for a bot: `State.view`, or another one that is to be checked."""


@dataclass(frozen=True, slots=True)
class Peek:
    """A bot that chose differently in deals that look the same to its seat.

    `choices` are the two actions' numbers. If `twin` equals `state`, the bot was asked the same twice, and is
    not deterministic for its seed.
    """

    bot: str
    seat: int
    state: State
    twin: State
    choices: tuple[int, int]

    def __str__(self) -> str:
        """Return the finding in one line."""
        why = "asked twice" if self.state is self.twin else "cards it cannot see were dealt anew"
        return f"{self.bot} at seat {self.seat} chose {self.choices[0]}, then {self.choices[1]}: {why}"


def hidden_twin(state: State, seat: int, rng: Rng) -> State:
    """Return a deal that this seat cannot tell from `state`: with other hidden cards.

    The cards of the stock and the unknown cards in other hands are exchanged. The known cards (D21), the
    sizes of the hands, and the cards that a restock put into the stock (H5) stay. Later restocks will be in
    another order. The seat's view is the same.
    """
    twin = state.copy()
    core = twin.core
    others = [other for other in range(state.players) if other != seat]
    hidden = [list((Counter(state.hands[s]) - Counter(state.known(s))).elements()) for s in others]
    stock = list(state.stock)
    places = [(pile, i) for pile in (stock, *hidden) for i in range(len(pile))]
    for group in _groups(places, stock, core.restocked_cards()):
        cards = [pile[i] for pile, i in group]
        rng.shuffle(cards)
        for (pile, i), card in zip(group, cards, strict=True):
            pile[i] = card
    core.set_stock(stock)
    for other, cards in zip(others, hidden, strict=True):
        set_hand(core, other, [*state.known(other), *cards])
        if other == core.turn and core.drawn >= 0 and cards:
            core.drawn = cards[rng.below(len(cards))]
    core.rng = rng.next64()
    return twin


_Place = tuple[list[int], int]


def _groups(places: Sequence[_Place], stock: list[int], restocked: Sequence[int]) -> list[list[_Place]]:
    """Return the groups of places whose cards may be exchanged: one, or two if there was a restock (H5)."""
    if not restocked:
        return [list(places)]
    left = Counter(restocked) - Counter(stock)
    within: list[_Place] = []
    without: list[_Place] = []
    for pile, i in places:
        if pile is not stock and not left[pile[i]]:
            without.append((pile, i))
            continue
        within.append((pile, i))
        if pile is not stock:
            left[pile[i]] -= 1
    return [within, without]


def peeks(bot: Bot, state: State, rng: Rng, twins: int = 2, look: Look = State.view) -> Peek | None:
    """Ask a bot for the actor's choice here and in deals that look the same to that seat.

    Return the first difference, or None. `look` makes the view for the bot. The bot always gets the same
    seed.
    """
    seat, seed = state.actor, rng.next64()

    def choice(here: State) -> int:
        return code_of(bot.choose(look(here, seat), Rng(seed)))

    first = choice(state)
    for twin in (state, *(hidden_twin(state, seat, rng) for _ in range(twins))):
        again = choice(twin)
        if again != first:
            kept = state.copy()
            return Peek(bot.name, seat, kept, kept if twin is state else twin, (first, again))
    return None


@dataclass(slots=True)
class Watched:
    """The numbers of decisions asked again and of twins with other cards, and the first difference."""

    decisions: int = 0
    changed: int = 0
    peek: Peek | None = None


def watch(
    seated: Sequence[Bot], state: State, seed: int, most: int, found: Watched, look: Look = State.view
) -> None:
    """Play a deal on, asking again at the first `most` real decisions; stop at a difference."""
    chance = Rng(seed)
    asked = 0
    while not state.is_over and asked < most and found.peek is None:
        seat = state.actor
        bot = seated[seat % len(seated)]
        if len(state.legal_ints()) > 1:
            asked += 1
            found.decisions += 1
            found.changed += hidden_twin(state, seat, chance.spawn(asked)).hands != state.hands
            found.peek = peeks(bot, state, chance.spawn(asked), look=look)
        state.apply_int(code_of(bot.choose(look(state, seat), chance.spawn(asked, 1))))


def moved_on(rules: Ruleset, players: int, seed: int, by: Bot) -> State:
    """Return a deal that this bot has played to a random point, half of the time to a rare one."""
    from rum500 import deal

    state, chance, met = deal(rules, players, seed=seed, dealer=seed % players), Rng(seed), []
    while not state.is_over:
        met.append(state.copy())
        state.apply(by.choose(state.view(state.actor), chance))
    rare = [state for state in met if is_rare(state)] or [
        state for state in met if state.must_use is not None
    ]
    some = rare if rare and chance.below(2) else met
    return some[chance.below(len(some))]


def is_rare(state: State) -> bool:
    """Return whether the deal is after a restock, at a call of "Rummy!", or has a floater."""
    return bool(state.core.restocked_cards()) or state.phase is Phase.CLAIM or state.floater
