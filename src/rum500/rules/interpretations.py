"""The possible meanings of a list of written cards, as a new meld or as a lay-off on an existing meld.

A joker is *unnamed* if the text does not state the card that it stands for. An interpretation gives every
card its place. It need not be legal: the places only have to form one run or one set, so that the engine can
refuse a wrong play and name the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.rules.actions import Laid, MeldOnTable

if TYPE_CHECKING:
    from rum500.rules.ruleset import Ruleset

Interpretation = tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """A card as it was written."""

    card: int
    """The card's code."""
    place: int | None
    """The place as written; None for a joker that does not state its card."""
    pinned: bool = False
    """Whether an ace is written explicitly as low or high."""

    def positions(self) -> tuple[int, ...]:
        """Return the possible positions in a run: two for an ace that is written neither low nor high."""
        if self.place is None:
            return ()
        position = self.place % LANE
        if position % ACE_HIGH == 0 and not self.pinned:
            return (ACE_HIGH, 0)
        return (position,)

    @property
    def rank(self) -> int | None:
        """The rank that the card stands for, 0 for an ace; None for a joker that does not state its card."""
        return None if self.place is None else self.place % LANE % ACE_HIGH


def as_meld(words: Sequence[WrittenCard], rules: Ruleset, packs: int) -> list[Interpretation]:
    """Return every interpretation of `words` as a new meld. An ace that could be low or high is high (D4)."""
    if rules.joker_kind == "rank" and all(word.card == JOKER and word.place is None for word in words):
        return [tuple(Laid(JOKER, None) for _ in words)]
    if rules.unnamed_jokers and _is_h3(words):
        return [plain(words)]
    if not any(word.card != JOKER for word in words) or not 3 <= len(words) <= ACE_HIGH:
        return []
    return _high_aces([*_runs(words, rules), *_sets(words, rules, packs)])


def on_meld(
    words: Sequence[WrittenCard], meld: MeldOnTable, rules: Ruleset, packs: int
) -> list[Interpretation]:
    """Return every interpretation of `words` as cards that are laid off on this meld (R-LAY-1)."""
    if meld.kind == "run":
        return _high_aces(_on_run(words, meld, rules))
    if len(words) != 1 or len(meld.cards) != 3:
        return []
    if meld.kind == "jokers":
        return [(Laid(JOKER, None),)] if words[0].card == JOKER and words[0].place is None else []
    if words[0].card == JOKER and any(laid.place is None for laid in meld.cards):
        return []
    ranks = {laid.place % LANE for laid in meld.cards if laid.place is not None}
    present = [laid.place for laid in meld.cards if laid.place is not None]
    return list(_filled_sets(words, ranks, present, _cap(rules, packs), rules))


def plain(words: Iterable[WrittenCard]) -> Interpretation:
    """Return the cards with their places as written; an ace that is not marked is low."""
    return tuple(Laid(word.card, word.place) for word in words)


def _is_h3(words: Sequence[WrittenCard]) -> bool:
    """Return whether these are one natural card and two jokers that do not state their cards (H3)."""
    return len(words) == 3 and sum(word.place is None for word in words) == 2 and _naturals(words) == 1


def _naturals(words: Iterable[WrittenCard]) -> int:
    return sum(word.card != JOKER for word in words)


def _cap(rules: Ruleset, packs: int) -> int:
    """Return how often a suit may occur in a set, 1 or 2 (D2, D20)."""
    return packs if rules.same_suit_in_sets else 1


def _bottom(words: Iterable[WrittenCard], rules: Ruleset) -> int:
    """Return the lowest position that a run may have: 0, that of a low ace, or 1.

    It is 1 if aces are high only and a joker is unnamed: the joker must not become a low ace. A low ace that
    is written stays possible even then, so that the engine can refuse it and name the rule.
    """
    opened = any(word.place is None for word in words)
    return 1 if opened and rules.ace == "high" else 0


def _suit(words: Iterable[WrittenCard]) -> int | None:
    """Return the suit if all cards with a suit have the same suit; otherwise None."""
    suits = {word.place // LANE for word in words if word.place is not None}
    return suits.pop() if len(suits) == 1 else None


def _runs(words: Sequence[WrittenCard], rules: Ruleset) -> Iterator[Interpretation]:
    suit, count = _suit(words), len(words)
    if suit is None or (rules.joker_kind == "rank" and _naturals(words) != count):
        return
    for low in range(_bottom(words, rules), ACE_HIGH + 2 - count):
        yield from _filled(words, suit, range(low, low + count))


def _on_run(words: Sequence[WrittenCard], meld: MeldOnTable, rules: Ruleset) -> Iterator[Interpretation]:
    places = [laid.place for laid in meld.cards if laid.place is not None]
    low, high, suit = places[0] % LANE, places[-1] % LANE, places[0] // LANE
    if any(word.place is not None and word.place // LANE != suit for word in words):
        return
    if rules.joker_kind == "rank" and _naturals(words) != len(words):
        return
    bottom = _bottom(words, rules)
    for below in range(len(words), -1, -1):
        first, last = low - below, high + len(words) - below
        if first >= bottom and last <= ACE_HIGH and not (first == 0 and last == ACE_HIGH):
            yield from _filled(words, suit, [*range(first, low), *range(high + 1, last + 1)])


def _filled(words: Sequence[WrittenCard], suit: int, positions: Sequence[int]) -> Iterator[Interpretation]:
    """Yield the cards as a run at exactly these positions, if that is possible.

    Unnamed jokers fill the gaps.
    """
    left, laid = list(positions), []
    for word in words:
        fitting = [position for position in word.positions() if position in left]
        if word.place is not None:
            if not fitting:
                return
            left.remove(fitting[0])
            laid.append(Laid(word.card, suit * LANE + fitting[0]))
    laid += [Laid(JOKER, suit * LANE + position) for position in left]
    yield tuple(sorted(laid, key=lambda one: one.place or 0))


def _sets(words: Sequence[WrittenCard], rules: Ruleset, packs: int) -> Iterator[Interpretation]:
    ranks = {word.rank for word in words if word.rank is not None}
    if len(words) <= 4 and not (rules.joker_kind == "rank" and _naturals(words) != len(words)):
        yield from _filled_sets(words, ranks, [], _cap(rules, packs), rules)


def _filled_sets(
    words: Sequence[WrittenCard], ranks: set[int], present: list[int], cap: int, rules: Ruleset
) -> Iterator[Interpretation]:
    """Yield the cards as a set, with every choice of suits for the unnamed jokers.

    `present` has the places of cards already in the set. `cap` is how often a suit may occur in the set.
    """
    if len(ranks) != 1 or any(word.rank is not None and word.rank not in ranks for word in words):
        return
    rank = next(iter(ranks))
    stated = [Laid(w.card, w.place // LANE * LANE + rank) for w in words if w.place is not None]
    opened = len(words) - len(stated)
    if opened and rules.joker_kind != "wild":
        return
    for suits in combinations_with_replacement(range(4), opened):
        reading = (*stated, *(Laid(JOKER, suit * LANE + rank) for suit in suits))
        places = [*present, *(laid.place for laid in reading)]
        if (not opened and not present) or max(places.count(place) for place in places) <= cap:
            yield reading


def _high_aces(readings: Iterable[Interpretation]) -> list[Interpretation]:
    """Drop each interpretation that differs from another only by a low ace instead of a high one (D4)."""
    found: dict[tuple[tuple[int, int], ...], Interpretation] = {}
    for reading in readings:
        names = tuple(sorted((laid.card, _name(laid.place)) for laid in reading))
        if names not in found or any((laid.place or 0) % LANE == ACE_HIGH for laid in reading):
            found[names] = reading
    return list(found.values())


def _name(place: int | None) -> int:
    return -1 if place is None else place // LANE * LANE + place % LANE % ACE_HIGH
