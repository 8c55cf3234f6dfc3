"""Reasons why cards cannot be taken from the pile, in turn or by calling "Rummy!"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.rules.engine.core import Core
from rum500.rules.refusals import Part, Refusal
from rum500.rules.ruleset import Ruleset


def take_refused(core: Core, rules: Ruleset, count: int) -> Refusal | None:
    """Return why the top `count` cards may not be taken (R-DRAW-2/3/4, D5, D18), None if they may."""
    pile = core.pile_cards()
    if not pile:
        return Refusal("take.no_pile", "R-DRAW-2")
    if not 0 < count <= len(pile):
        return _wrong_count("take.count", "R-DRAW-2", count, pile)
    card, hand = pile[-count], core.hand_cards(core.actor)
    if count == 1 and not core.top_binds():
        return _stranding(rules, card)
    parts = _useless(core, card, hand + pile[-count:])
    return Refusal("take.useless", taken_rule(rules, count), card, parts)


def call_refused(core: Core, rules: Ruleset, count: int) -> Refusal:
    """Return why the top `count` cards may not be called for (R-CLAIM-1, R-CLAIM-2).

    The lowest of these cards must be usable with pile cards and melds on the table alone, without hand cards.
    """
    pile = core.pile_cards()
    if not 0 < count <= len(pile):
        return _wrong_count("call.count", "R-CLAIM-2", count, pile)
    card = pile[-count]
    return Refusal("call.useless", "R-CLAIM-1", card, _useless(core, card, pile[-count:]))


def taken_rule(rules: Ruleset, count: int) -> str:
    """Return the id of the rule by which the lowest of `count` taken cards must be used at once."""
    if count > 1:
        return "R-DRAW-3"
    if rules.top_must_meld:
        return "H1" if rules.top_rule_is_house else "R-DRAW-4"
    return "D5"


def _wrong_count(code: str, rule: str, count: int, pile: Sequence[int]) -> Refusal:
    return Refusal(code, rule, parts={"count": count, "most": len(pile)})


def _stranding(rules: Ruleset, card: int) -> Refusal:
    """Refuse to take a top card that could then be neither discarded nor laid off (H2, H4)."""
    return Refusal("take.stranding", "H2" if rules.go_out == "discard" else "D18", card)


def _useless(core: Core, card: int, cards: Sequence[int]) -> dict[str, Part]:
    """Return the facts for the sentence: which of `cards` come nearest to a set and a run with `card`."""
    if card == JOKER:
        jokers = (JOKER,) * cards.count(JOKER)
        return {"kind": "wild" if core.wild else "rank", "set": jokers, "run": ()}
    mates = Counter(c for c in cards if c != JOKER and c % LANE == card % LANE)
    same_rank = sorted(mates.elements() if core.same_suit else mates)
    row = _row(core, card, cards)
    alone = len(same_rank) == len(row) == 1
    return {"kind": "alone" if alone else "card", "set": tuple(same_rank), "run": tuple(row)}


def _row(core: Core, card: int, cards: Sequence[int]) -> Sequence[int]:
    """Return the longest sequence in one suit that `cards` has and that contains `card`."""
    lane = card - card % LANE
    held = {c % LANE for c in cards if c != JOKER and c - c % LANE == lane}
    places = held | ({ACE_HIGH} if 0 in held else set())
    if not core.ace_low:
        places.discard(0)
    starts = (0, ACE_HIGH) if card % LANE == 0 else (card % LANE,)
    rows = [_around(start, places) for start in starts if start in places]
    return [lane + place % ACE_HIGH for place in max(rows, key=len)]


def _around(place: int, places: set[int]) -> Sequence[int]:
    low = high = place
    while low - 1 in places:
        low -= 1
    while high + 1 in places:
        high += 1
    return list(range(low, high + 1))
