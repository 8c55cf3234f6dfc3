"""Analysis of a view before a decision: values of cards, places on the table, chances of cards, turns left.

Everything here is an estimate from a `View`. Cards and places are the codes of `rum500.cards`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, combinations

from msgspec import Struct

from rum500.cards import ACE_HIGH, JOKER, LANE, pack, position_of, rank_of, suit_of
from rum500.rules.scoring import card_values, four_double
from rum500.view import MeldView, View

_SIZE = 68
"""The size of a list by place, with two empty neighbours at each end; indices -1 and -2 are at the end."""
_NATURAL = tuple(card < 64 and rank_of(card) < ACE_HIGH for card in range(_SIZE))
"""For each code, whether it is a natural card."""
_HIGHEST = tuple(rank_of(card) or ACE_HIGH for card in range(_SIZE))
"""The position of each natural card; an ace's is above the king."""
_CARD = tuple(place - ACE_HIGH if position_of(place) == ACE_HIGH else place for place in range(64))
"""The natural card of each place; the place above the king is the ace."""
_GOING_OUT = (0.60, 0.45, 0.30, 0.20, 0.13, 0.08, 0.05, 0.03)
"""The chance that a seat goes out in its next turn, by its number of cards; with more cards almost 0."""
_SEARCH = 400
"""The largest number of steps in the search for the best combination of plays."""
_LONE_JOKER = 0.7
"""The chance that a joker of its own rank finds two others, or can at least be discarded later."""


class PossiblePlay(Struct, frozen=True, gc=False):
    """Cards that can be laid in one play."""

    points: int
    """The points that they score."""
    used: int
    """The cards' positions in the hand, as a bit mask."""
    key: tuple[int, int, int]
    """The `play_counts` of the play: natural cards as a mask, their number, and the number of jokers."""
    new: bool
    """Whether the play is a new meld, not a lay-off."""


class HandAnalysis:
    """The analysis of one view.

    `value[place]` is the points of a card laid there. `fits[card]` says whether the card can be laid off now.
    `ends` are the open places of runs, each with its direction, 1 or -1. The rest is computed on demand.
    """

    def __init__(self, view: View) -> None:
        """Analyse the view of a seat; a spectator's view, without a hand, is not allowed."""
        assert view.seat is not None
        self.view = view
        self.rules = view.rules
        self.others = [seat for seat in range(view.players) if seat != view.seat]
        by_position = card_values(self.rules)
        self.value = ([*by_position, 0, 0] * 4)[:64]
        self.value[JOKER] = self.rules.joker_points
        self._read_table()

    @cached_property
    def held(self) -> list[int]:
        """The points that each card in hand costs if it is held at the end."""
        points = self.value
        held = [points[_HIGHEST[card]] if _NATURAL[card] else 0 for card in range(64)]
        held[JOKER] = self.rules.joker_points
        return held

    @cached_property
    def in_pile(self) -> list[int]:
        """The number of copies of each card in the pile."""
        return counts(self.view.pile)

    @cached_property
    def unseen(self) -> list[int]:
        """The number of copies of each card in the stock or among the unknown cards of other hands."""
        view, packs = self.view, self.rules.packs(self.view.players)
        unseen = [packs if natural else 0 for natural in _NATURAL]
        unseen[JOKER] = self.rules.jokers * packs
        known = (card for seat in self.others for card in view.known[seat])
        laid = (placed.card for meld in view.melds for placed in meld.cards)
        for card in chain(view.pile, view.hand, known, laid):
            unseen[card] -= 1
        return unseen

    @cached_property
    def known(self) -> set[int]:
        """The cards that others are known to hold."""
        return {card for seat in self.others for card in self.view.known[seat]}

    @cached_property
    def hidden(self) -> int:
        """The number of unseen cards, at least 1."""
        view = self.view
        return max(1, view.stock + sum(view.hand_sizes[s] - len(view.known[s]) for s in self.others))

    @cached_property
    def danger(self) -> float:
        """The estimated chance that this seat gets no further turn, by the sizes of other hands and stock."""
        view, stays = self.view, 1.0
        for size in self._sizes:
            stays *= 1 - (_GOING_OUT[size] if size < len(_GOING_OUT) else 0.015)
        if not self.rules.restock and view.stock < view.players:
            return max(1 - stays, 1 - view.stock / view.players)
        return 1 - stays

    @cached_property
    def turns(self) -> float:
        """The estimated number of further turns of this seat."""
        view = self.view
        turns = 0.5 + 1.0 * min(*self._sizes, view.hand_sizes[view.seat or 0] + 2)
        return turns if self.rules.restock else min(turns, 0.2 + view.stock / view.players)

    @cached_property
    def luck(self) -> float:
        """The estimated chance that this seat will get a given unseen card."""
        return min(0.5, self.turns * (1 + 0.35 * len(self.others)) / self.hidden)

    @property
    def _sizes(self) -> list[int]:
        return [self.view.hand_sizes[seat] for seat in self.others]

    def _read_table(self) -> None:
        self.fits = [False] * _SIZE
        self.ends: list[tuple[int, int]] = []
        for meld in self.view.melds:
            if meld.kind == "run":
                self._read_run(meld)
            elif len(meld.cards) == 3:
                self._read_set(meld)
        for place, _ in self.ends:
            self.fits[_CARD[place]] = True

    def _read_run(self, meld: MeldView) -> None:
        first, last = meld.cards[0].place, meld.cards[-1].place
        assert first is not None
        assert last is not None
        low, high = position_of(first), position_of(last)
        if high < ACE_HIGH and high - low < 12:
            self.ends.append((last + 1, 1))
        if low > (0 if self.rules.ace == "both" else 1) and high - low < 12:
            self.ends.append((first - 1, -1))
        if self.rules.joker_kind == "wild" and high - low < 12:
            self.fits[JOKER] = True

    def _read_set(self, meld: MeldView) -> None:
        if meld.kind == "jokers":
            self.fits[JOKER] = True
            return
        suits = [suit_of(placed.place) for placed in meld.cards if placed.place is not None]
        rank = next(rank_of(placed.card) for placed in meld.cards if placed.card != JOKER)
        for suit in range(4):
            if suits.count(suit) < (2 if self._twice else 1):
                self.fits[LANE * suit + rank] = True
        self.fits[JOKER] = self.fits[JOKER] or (self.rules.joker_kind == "wild" and len(suits) == 3)

    @property
    def _twice(self) -> bool:
        return self.rules.same_suit_in_sets and self.rules.packs(self.view.players) == 2

    # --- plays of melds ---------------------------------------------------------------------------

    def groups(self, hand: Sequence[int]) -> list[PossiblePlay]:
        """Return every meld in these cards and every lay-off; jokers are used only in simple ways."""
        where: dict[int, list[int]] = {}
        for i, card in enumerate(hand):
            where.setdefault(card, []).append(i)
        jokers = where.pop(JOKER, [])
        found, lanes = self._lay_offs(where), _lanes(where)
        self._sets(where, lanes, found)
        self._runs(where, lanes, found)
        if jokers and self.rules.joker_kind == "wild":
            self._wild(where, jokers, found)
        elif jokers:
            self._own_rank(jokers, found)
        return found

    def _group(
        self, where: dict[int, list[int]], places: Iterable[int], new: bool, times: int = 1
    ) -> PossiblePlay:
        points = used = mask = count = 0
        for place in places:
            card = _CARD[place]
            points += self.value[place]
            used |= 1 << where[card][0]
            mask |= 1 << card
            count += 1
        return PossiblePlay(points * times, used, (mask, count, 0), new)

    def _lay_offs(self, where: dict[int, list[int]]) -> list[PossiblePlay]:
        found = []
        single = {card for card in where if self.fits[card]}
        for end, step in self.ends:
            chain: list[int] = []
            for place in range(end, end + 13 * step, step):
                if (
                    position_of(place) > ACE_HIGH
                    or suit_of(place) != suit_of(end)
                    or _CARD[place] not in where
                ):
                    break
                chain.append(place)
                found.append(self._group(where, chain, new=False))
            single.difference_update(_CARD[place] for place in chain[:1])
        found.extend(self._group(where, [_high(card)], new=False) for card in sorted(single))
        return found

    def _sets(self, where: dict[int, list[int]], lanes: Sequence[int], found: list[PossiblePlay]) -> None:
        a, b, c, d = lanes
        left = a & b & (c | d) | c & d & (a | b)
        while left:
            bit = left & -left
            left -= bit
            places = [_high(LANE * suit + bit.bit_length() - 1) for suit in range(4) if lanes[suit] & bit]
            times = 2 if len(places) == 4 and four_double(self.rules, run=False) else 1
            found.append(self._group(where, places, new=True, times=times))
            if len(places) == 4:
                threes = ([p for p in places if p != other] for other in places)
                found.extend(self._group(where, three, new=True) for three in threes)

    def _runs(self, where: dict[int, list[int]], lanes: Sequence[int], found: list[PossiblePlay]) -> None:
        double = 2 if four_double(self.rules, run=True) else 1
        low_ace = 1 if self.rules.ace == "both" else 0
        for suit, ranks in enumerate(lanes):
            lane = ranks & 0x1FFE | ranks & low_ace | (ranks & 1) << ACE_HIGH
            starts = lane & lane >> 1 & lane >> 2
            for low in range(starts.bit_length()):
                high = low + 2 if starts >> low & 1 else 16
                while lane >> high & 1 and high - low < 13:
                    times = double if high == low + 3 else 1
                    places = range(LANE * suit + low, LANE * suit + high + 1)
                    found.append(self._group(where, places, new=True, times=times))
                    high += 1

    def _wild(self, where: dict[int, list[int]], jokers: list[int], found: list[PossiblePlay]) -> None:
        """Add plays with a joker: as third card of a meld with each pair, and alone if it can be laid off."""
        pairs = [
            self._group(where, pair, new=True)
            for pair in combinations(sorted(where), 2)
            if rank_of(pair[0]) == rank_of(pair[1])
            or (suit_of(pair[0]) == suit_of(pair[1]) and pair[1] - pair[0] <= 2)
        ]
        for joker in jokers:
            extra = self.rules.joker_points
            for pair in pairs:
                mask, count, _ = pair.key
                found.append(
                    PossiblePlay(pair.points + extra, pair.used | 1 << joker, (mask, count, 1), new=True)
                )
            if self.fits[JOKER]:
                found.append(PossiblePlay(extra, 1 << joker, (0, 0, 1), new=False))

    def _own_rank(self, jokers: list[int], found: list[PossiblePlay]) -> None:
        """Add plays of jokers that are a rank of their own: three or more as a meld, or one as a lay-off."""
        value = self.rules.joker_points
        if self.fits[JOKER]:
            found.append(PossiblePlay(value, 1 << jokers[0], (0, 0, 1), new=False))
        for count in range(3, len(jokers) + 1):
            times = 2 if count == 4 and four_double(self.rules, run=False) else 1
            found.append(
                PossiblePlay(
                    value * count * times, sum(1 << j for j in jokers[:count]), (0, 0, count), new=True
                )
            )

    def plan(self, groups: Sequence[PossiblePlay], must: int = 0) -> tuple[int, list[PossiblePlay]]:
        """Return (points, groups): the groups without common cards that have the most points in total.

        `must` is a bit mask of hand positions that the groups must contain; if no group does: (-1, []).
        """
        order = sorted(groups, key=lambda group: -group.points)
        rest = [0] * (len(order) + 1)
        for i in range(len(order) - 1, -1, -1):
            rest[i] = rest[i + 1] + order[i].points
        best: tuple[int, list[PossiblePlay]] = (-1, []) if must else (0, [])
        steps = 0
        stack: list[tuple[int, int, int, tuple[PossiblePlay, ...]]] = [(0, 0, 0, ())]
        while stack and steps < _SEARCH:
            i, used, points, chosen = stack.pop()
            steps += 1
            if points > best[0] and not must & ~used:
                best = points, list(chosen)
            if i == len(order) or points + rest[i] <= best[0]:
                continue
            stack.append((i + 1, used, points, chosen))
            if not used & order[i].used:
                stack.append((i + 1, used | order[i].used, points + order[i].points, (*chosen, order[i])))
        return best

    # --- later melds ------------------------------------------------------------------------------

    def chance(self, card: int, have: Sequence[int]) -> float:
        """Return the chance that this card is laid before the deal ends. `have` has the number of copies of
        each card in hand.
        """
        if self.fits[card]:
            return 0.95
        if card == JOKER:
            return self._joker_chance(have)
        miss = 1 - 0.02 * min(self.turns, 5)
        rank, suit = rank_of(card), suit_of(card)
        mates = [LANE * s + rank for s in range(4) if s != suit]
        have_mates = sum(1 for mate in mates if have[mate])
        if have_mates >= 2:
            return 0.9
        if have_mates:
            for mate in mates:
                if not have[mate]:
                    miss *= self._missed(mate)
        for position in (0, ACE_HIGH) if rank == 0 else (rank,):
            miss *= self._run_missed(suit, position, have)
        return 1 - miss

    def _run_missed(self, suit: int, position: int, have: Sequence[int]) -> float:
        """Return the chance that no card arrives that would complete a run with this position."""
        if position == 0 and self.rules.ace == "high":
            return 1.0
        here = [self._at(suit, position + step, have) for step in (-2, -1, 1, 2)]
        far_below, below, above, far_above = here
        if (below and (above or far_below)) or (above and far_above):
            return 0.1
        miss = 1.0
        if below:
            miss *= self._gone(suit, position - 2) * self._gone(suit, position + 1)
        elif far_below:
            miss *= self._gone(suit, position - 1)
        if above:
            miss *= self._gone(suit, position + 2) * self._gone(suit, position - 1)
        elif far_above:
            miss *= self._gone(suit, position + 1)
        place = LANE * suit + position
        for end, step in self.ends:
            if place == end + step:
                miss *= self._gone(suit, position_of(end))
        return miss

    def _at(self, suit: int, position: int, have: Sequence[int]) -> bool:
        return 0 <= position <= ACE_HIGH and have[LANE * suit + position % ACE_HIGH] > 0

    def _gone(self, suit: int, position: int) -> float:
        if not 0 <= position <= ACE_HIGH or (position == 0 and self.rules.ace == "high"):
            return 1.0
        return self._missed(LANE * suit + position % ACE_HIGH)

    def _missed(self, card: int) -> float:
        """Return the chance that this card comes neither from the stock, nor a discard, nor the pile."""
        miss = 1 - 0.25 * min(1, self.in_pile[card])
        return miss * (1 - self.luck) ** self.unseen[card]

    def _joker_chance(self, have: Sequence[int]) -> float:
        if self.rules.joker_kind == "wild":
            return 0.9
        if have[JOKER] > 2:
            return 0.9
        if have[JOKER] == 2:
            return 1 - 0.5 * self._missed(JOKER)
        return _LONE_JOKER * (1 - self.danger)

    def worth(self, card: int, have: Sequence[int]) -> float:
        """Return the average gain from holding a card, which is laid later or costs its points at the end."""
        return self.held[card] * (2 * self.chance(card, have) - 1)

    def loss(self, card: int, have: list[int]) -> float:
        """Return the average loss from giving this card away, for which other cards in hand are worth less.

        `have` has the number of copies of each card in hand.
        """
        near = [other for other in set(self.view.hand) if other in _RELATED[card]]
        before = self.worth(card, have) + sum(have[other] * self.worth(other, have) for other in near)
        have[card] -= 1
        after = sum(have[other] * self.worth(other, have) for other in near)
        have[card] += 1
        return before - after

    def gift(self, card: int) -> float:
        """Return the value of this discard to the other players: as a lay-off, or as third card of a meld."""
        if self.fits[card]:
            return self.held[card]
        if card == JOKER:
            return self.held[card] if self.rules.joker_kind == "wild" else self._joker_gift()
        rank, suit = rank_of(card), suit_of(card)
        mates = [self._theirs(LANE * s + rank) for s in range(4) if s != suit]
        chance = mates[0] * mates[1] + mates[0] * mates[2] + mates[1] * mates[2]
        for position in (0, ACE_HIGH) if rank == 0 else (rank,):
            near = [self._theirs_at(suit, position + step) for step in (-2, -1, 1, 2)]
            chance += near[0] * near[1] + near[1] * near[2] + near[2] * near[3]
        return min(1.0, chance) * (self.held[card] + 15)

    def _joker_gift(self) -> float:
        """Return the value to others of discarding a joker of its own rank, where three make a meld."""
        known = max(self.view.known[seat].count(JOKER) for seat in self.others)
        wanted = 2 - self.in_pile[JOKER] - known
        size = sum(self.view.hand_sizes[s] for s in self.others) / len(self.others)
        near = min(0.9, self.unseen[JOKER] * size / self.hidden)
        return self.held[JOKER] * near ** max(0, wanted)

    def _theirs_at(self, suit: int, position: int) -> float:
        if not 0 <= position <= ACE_HIGH or (position == 0 and self.rules.ace == "high"):
            return 0.0
        return self._theirs(LANE * suit + position % ACE_HIGH)

    def _theirs(self, card: int) -> float:
        """Return the estimated chance that one other player holds this card or finds it in the pile."""
        if card in self.known:
            return 0.9
        if self.in_pile[card]:
            return 0.7
        size = sum(self.view.hand_sizes[s] for s in self.others) / len(self.others)
        return min(0.9, self.unseen[card] * size / self.hidden)


def _lanes(cards: Iterable[int]) -> tuple[int, int, int, int]:
    held = 0
    for card in cards:
        held |= 1 << card
    return held & 0xFFFF, held >> 16 & 0xFFFF, held >> 32 & 0xFFFF, held >> 48


def counts(cards: Iterable[int]) -> list[int]:
    """Return the number of copies of each card, by code."""
    have = [0] * _SIZE
    for card in cards:
        have[card] += 1
    return have


def _high(card: int) -> int:
    """Return the place at which a card counts most; for an ace, the place above the king."""
    return card if rank_of(card) else card + ACE_HIGH


class HandGroup(Struct, frozen=True, gc=False):
    """Cards of a hand that belong together."""

    cards: tuple[int, ...]
    """The cards."""
    kind: str
    """`run`, `set`, `jokers`, `lay` (lay-offs) or `rest` (no play)."""
    points: int
    """The points that they score."""


def grouped(view: View) -> list[HandGroup]:
    """Return the hand as the melds and lay-offs with the most points in total, followed by the rest."""
    reading, hand = HandAnalysis(view), view.hand
    chosen = sorted(reading.plan(reading.groups(hand))[1], key=lambda group: -group.points)
    found, left = [], list(range(len(hand)))
    for group in chosen:
        held = [at for at in left if group.used >> at & 1]
        left = [at for at in left if at not in held]
        cards = tuple(hand[at] for at in held)
        found.append(HandGroup(cards, _kind(cards) if group.new else "lay", group.points))
    rest = [hand[at] for at in left]
    return [*found, HandGroup(tuple(rest), "rest", 0)] if rest else found


def _kind(cards: Sequence[int]) -> str:
    naturals = {rank_of(card) for card in cards if card != JOKER}
    if not naturals:
        return "jokers"
    return "set" if len(naturals) == 1 else "run"


def _related(a: int, b: int) -> bool:
    if rank_of(a) == rank_of(b) or JOKER in {a, b}:
        return True
    gap = abs(a - b)
    return suit_of(a) == suit_of(b) and (gap <= 2 or gap >= 11)


_CARDS = pack(jokers=1)
_RELATED = {card: {other for other in _CARDS if other != card and _related(card, other)} for card in _CARDS}
"""For each card, the other cards that could be in one meld with it."""
