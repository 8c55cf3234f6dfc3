"""A finished deal that is played on from one of its decisions, with the same or other hidden cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rum500.record import ReplayStep
from rum500.rng import Rng
from rum500.rules.action_codes import action_kind, encode
from rum500.rules.actions import ActionKind, Discard, Draw, LayOff, Meld
from rum500.server.live.finished.deal_replay import FinishedDeal
from rum500.server.live.log.entries import TriedAgain
from rum500.server.messages import TriedFrom
from rum500.server.messages.table_error import TableError
from rum500.state import IllegalPlay, State
from rum500.view import View

MOST_DEALS = 50
"""The largest number of attempts to deal hidden cards with which the plays before the decision are legal."""
_BEGINS = (ActionKind.DRAW, ActionKind.TAKE, ActionKind.CALL, ActionKind.PASS, ActionKind.END)
_Place = tuple[int, int]
"""Where a hidden card came from: (0 for the pack, or the number of a new stock; its index there)."""


def turns_of(steps: Sequence[ReplayStep]) -> list[int]:
    """Return, for each step, the number of the acting seat's turn: its first turn in the deal is 1."""
    found, begun = [], Counter[int]()
    for step in steps:
        seat = step.state.actor
        begun[seat] += action_kind(encode(step.action)) in _BEGINS
        found.append(max(1, begun[seat]))
    return found


def tried_again(table: str, finished: FinishedDeal, frame: int, rng: Rng | None) -> TriedAgain:
    """Return the entry that continues a finished deal from the decision after a frame of its replay.

    With `rng` the cards that the deciding seat could not see are dealt again; without it they are the same.
    Raises `TableError` if no player decides there, or if dealing again fails.
    """
    made = sum(first <= frame for first in finished.frames)
    number = len(finished.record.deals)
    steps = list(finished.record.replay(number))
    if made >= len(steps):
        raise TableError("review.step")
    deal, outcome = finished.record.deals[-1], finished.record.deals[-1].outcome
    assert outcome is not None
    packs = [list(deal.deck), *(list(step.restock) for step in steps[:made] if step.restock)]
    if rng is not None:
        packs = _redealt(finished, steps[: made + 1], packs, rng)
    stocks = [at for at, step in enumerate(steps[:made]) if step.restock]
    of = TriedFrom(
        table=table,
        deal=finished.numbers[-1],
        frame=frame,
        turn=turns_of(steps)[made],
        seat=steps[made].state.actor,
        redealt=rng is not None,
        points=list(outcome.points),
    )
    codes = [encode(step.action) for step in steps[:made]]
    totals = list(deal.totals or (0,) * finished.record.players)
    return TriedAgain(of, deal.dealer, totals, packs[0], codes, dict(zip(stocks, packs[1:], strict=True)))


def _redealt(
    finished: FinishedDeal, steps: Sequence[ReplayStep], packs: list[list[int]], rng: Rng
) -> list[list[int]]:
    """Return the packs with hidden cards shuffled, so that the deciding seat's view stays the same.

    `packs` are the pack and the new stocks. Raises `TableError` if `MOST_DEALS` attempts fail.
    """
    seen = steps[-1].state.view(steps[-1].state.actor)
    hidden = _hidden(steps, packs[0])
    for _ in range(MOST_DEALS):
        found = [list(pack) for pack in packs]
        for pack, places in hidden.items():
            cards = [found[pack][place] for place in places]
            rng.shuffle(cards)
            for place, card in zip(places, cards, strict=True):
                found[pack][place] = card
        if _seen_with(finished, steps, found) == seen:
            return found
    raise TableError("table.failed")


def _hidden(steps: Sequence[ReplayStep], deck: Sequence[int]) -> dict[int, list[int]]:
    """Return the indices of the cards that the last step's actor cannot know, by pack (new stocks from 1).

    Each card in a hand is traced to its pack. If a player plays a card and holds an equal one, and all
    players know of one of the two, the known one counts as played.
    """
    first, last = steps[0].state, steps[-1].state
    players, size = first.players, len(first.hands[0])
    held: list[list[tuple[int, _Place]]] = [[] for _ in range(players)]
    for at in range(players * size):
        seat = (first.dealer + 1 + at) % players
        held[seat].append((deck[at], (0, at)))
    stock: list[_Place] = [(0, players * size + 1 + at) for at in range(len(first.stock))]
    cards = dict[tuple[int, int], int](zip(stock, first.stock, strict=True))
    made = 0
    for step in steps[:-1]:
        seat, known = step.state.actor, Counter[int](step.state.known(step.state.actor))
        if step.restock:
            made += 1
            stock = [(made, at) for at in range(len(step.restock))]
            cards.update(zip(stock, step.restock, strict=True))
        match step.action:
            case Draw():
                place = stock.pop(0)
                held[seat].append((cards[place], place))
            case Meld() | LayOff():
                _put_away(held[seat], Counter[int](laid.card for laid in step.action.cards) - known)
            case Discard(card):
                _put_away(held[seat], Counter[int]([card]) - known)
            case _:
                pass
    others = (hand for seat, hand in enumerate(held) if seat != last.actor)
    found: dict[int, list[int]] = {}
    for pack, at in [*stock, *(place for hand in others for _, place in hand)]:
        found.setdefault(pack, []).append(at)
    return found


def _put_away(hand: list[tuple[int, _Place]], cards: Counter[int]) -> None:
    for card in cards.elements():
        hand.remove(next(one for one in reversed(hand) if one[0] == card))


def _seen_with(
    finished: FinishedDeal, steps: Sequence[ReplayStep], packs: Sequence[Sequence[int]]
) -> View | None:
    """Return the view of the last step's actor if these packs are dealt; None if a play is then illegal."""
    record = finished.record.deals[-1]
    deal = State.new(
        finished.record.rules,
        finished.record.players,
        packs[0],
        record.dealer,
        record.totals or (),
        number=finished.record.number(len(finished.record.deals)),
    )
    made = 0
    try:
        for step in steps[:-1]:
            if step.restock:
                made += 1
                deal.restock_order(packs[made])
            deal.apply(step.action)
    except (IllegalPlay, ValueError):
        return None
    return deal.view(steps[-1].state.actor)
