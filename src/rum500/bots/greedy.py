"""A simple but sensible bot: it estimates the average gain of each choice and takes the best.

Copy this file to write your own bot. All its knowledge comes from the view (`view.hand`, `view.pile`,
`view.known` …), and `view.legal` has its legal actions, as codes that `rum500.decode` turns into actions.
`HandAnalysis` does the counting; this file makes four kinds of decisions:

* **draw or take** (`_draw`): a card from the stock is worth `STOCK` points on average; cards from the pile
  are worth their meld and their future value, less their cost if the deal ends first;
* **call or not** (`_claim`): the same sum for "Rummy!";
* **lay down** (`_lay`): the melds and lay-offs with most points in total, except three of a kind that may
  still become four at once where that counts double;
* **discard** (`_discard`): the card whose loss hurts the hand least and helps the others least.
"""

from __future__ import annotations

from collections.abc import Sequence

from rum500.bots.hand_analysis import HandAnalysis, PossiblePlay, counts
from rum500.bots.protocol import FastBot
from rum500.cards import JOKER, rank_of
from rum500.rng import Rng
from rum500.rules.action_codes import (
    action_kind,
    discarded_card,
    ends_on_high_ace,
    lays_cards,
    play_counts,
    taken_count,
)
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import DRAW, END
from rum500.rules.scoring import four_double
from rum500.view import Phase, View

STOCK = 4.0
"""The value of a card from the stock, in points."""
GIFT = 2.5
"""The weight of a point that other players gain, relative to a point of one's own."""
TEMPO = 3.0
"""The value of the turn that a call of "Rummy!" gains."""
HOLD = 1.0
"""Three of a kind are held back if the expected gain of waiting exceeds this multiple of the expected loss.
"""


class Greedy(FastBot):
    """A bot that considers only this turn and the future value of each card."""

    name = "greedy"

    def choose_int(self, view: View, rng: Rng) -> int:
        """Return the choice with the best estimate; nothing is random."""
        if len(view.legal) == 1:
            return view.legal[0]
        reading = HandAnalysis(view)
        if view.phase is Phase.DRAW:
            return self._draw(view, reading)
        if view.phase is Phase.CLAIM:
            return self._claim(view, reading)
        return self._lay(view, reading)

    # --- before the turn --------------------------------------------------------------------------

    def _draw(self, view: View, reading: HandAnalysis) -> int:
        now = self._value(reading, view.hand)

        def sum_of(code: int) -> float:
            if code == DRAW:
                return now + STOCK
            if code == END:
                return -sum(reading.held[card] for card in view.hand)
            return (
                self._after(view, reading, taken_count(code)) if action_kind(code) is ActionKind.TAKE else now
            )

        return max(view.legal, key=sum_of)

    def _claim(self, view: View, reading: HandAnalysis) -> int:
        now = self._value(reading, view.hand)

        def sum_of(code: int) -> float:
            if action_kind(code) is ActionKind.CALL:
                return self._after(view, reading, taken_count(code)) + TEMPO
            return now

        return max(view.legal, key=sum_of)

    def _after(self, view: View, reading: HandAnalysis, count: int) -> float:
        """Return the value of the hand with `count` cards of the pile, whose lowest must usually be laid."""
        taken = view.pile[-count:]
        free = count == 1 and not view.rules.top_must_meld and view.phase is Phase.DRAW
        return self._value(reading, (*taken, *view.hand), must=0 if free else 1)

    def _value(self, reading: HandAnalysis, hand: Sequence[int], must: int = 0) -> float:
        """Return the points that can be laid now, plus the average gain from the other cards.

        `must` is a bit mask of positions in `hand` that have to be laid; if they cannot, the value is -1000.
        """
        points, chosen = reading.plan(reading.groups(hand), must)
        if points < 0:
            return -1000.0
        left = _left(hand, chosen)
        have = counts(left)
        return points + sum(reading.worth(card, have) for card in left)

    # --- the turn ---------------------------------------------------------------------------------

    def _lay(self, view: View, reading: HandAnalysis) -> int:
        """Find the melds and lay-offs with the most points in total; return one of them or else a discard."""
        plays = [code for code in view.legal if lays_cards(code)]
        hand = view.hand
        if plays:
            groups = reading.groups(hand)
            must = 0 if view.must_use is None else 1 << hand.index(view.must_use)
            chosen = reading.plan(groups, must)[1]
            if not must:
                chosen = [group for group in chosen if not self._hold_back(view, reading, group)]
            wanted = {group.key: group.points for group in chosen if not must or group.used & must}
            matching = [code for code in plays if play_counts(code) in wanted]
            if matching:
                return max(matching, key=lambda code: (wanted[play_counts(code)], ends_on_high_ace(code)))
        discards = [code for code in view.legal if action_kind(code) is ActionKind.DISCARD]
        if not discards:
            return max(plays, key=lambda code: sum(play_counts(code)[1:]))
        return self._discard(view, reading, discards)

    def _hold_back(self, view: View, reading: HandAnalysis, group: PossiblePlay) -> bool:
        """Return whether to hold back this three of a kind, because four at once count double (R-SCORE-3)."""
        mask, count, jokers = group.key
        if (
            not group.new
            or not four_double(view.rules, run=False)
            or count + jokers != 3
            or len(view.hand) <= 4
        ):
            return False
        cards = [card for card in range(64) if mask >> card & 1] or [JOKER]
        if len({rank_of(card) for card in cards}) > 1:
            return False
        rank = rank_of(cards[0])
        fourth = [c for c in range(rank, 64, 16) if not mask >> c & 1] if mask else [JOKER]
        comes = sum(min(1.0, reading.unseen[card] * reading.luck) for card in fourth)
        return comes * 4 > reading.danger * 6 * HOLD

    def _discard(self, view: View, reading: HandAnalysis, discards: Sequence[int]) -> int:
        """Return the discard with the least loss: what the hand loses, and what the others gain."""
        have = counts(view.hand)

        def cost(code: int) -> float:
            card = discarded_card(code)
            return reading.loss(card, have) + GIFT * reading.gift(card)

        return min(discards, key=cost)


def _left(hand: Sequence[int], chosen: Sequence[PossiblePlay]) -> list[int]:
    used = 0
    for group in chosen:
        used |= group.used
    return [card for i, card in enumerate(hand) if not used >> i & 1]
