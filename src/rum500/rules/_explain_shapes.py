"""Reasons why cards form no set or no run."""

from __future__ import annotations

from collections import Counter

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.rules.actions import Laid
from rum500.rules.engine.core import Core
from rum500.rules.refusals import Refusal
from rum500.rules.ruleset import Ruleset

_TWO, _KING = 1, 12
_CORNER = {_KING, 0, _TWO}


# --- sets ------------------------------------------------------------------------------------------


def set_fault(core: Core, rules: Ruleset, cards: tuple[Laid, ...]) -> Refusal | None:
    """Return why three or more cards of one rank are no new set; None if they are one."""
    if len(cards) > 4:
        return Refusal("set.too_many", "R-MELD-1", parts={"cards": cards})
    return _unnamed_fault(rules, cards) or suit_fault(core, rules, [laid.place for laid in cards])


def _unnamed_fault(rules: Ruleset, cards: tuple[Laid, ...]) -> Refusal | None:
    """Refuse a joker that does not state its card although it must, or states it although it may not.

    The card of a joker is the card that it stands for. A joker must state it, except with H3 in a set of two
    jokers and one natural card: there neither joker may.
    """
    jokers = [laid for laid in cards if laid.card == JOKER]
    unnamed = sum(laid.place is None for laid in jokers)
    pair = len(cards) == 3 and len(jokers) == 2
    if not rules.unnamed_jokers or not (unnamed or pair):
        return None if not unnamed else unnamed_joker()
    if pair and unnamed < 2:
        return Refusal("joker.named", "H3", JOKER)
    return None if pair else Refusal("joker.unnamed", "H3", JOKER)


def unnamed_joker() -> Refusal:
    """Return the refusal of a wild joker that does not state the card that it stands for (R-MELD-5)."""
    return Refusal("joker.unnamed", "R-MELD-5", JOKER)


def suit_fault(core: Core, rules: Ruleset, places: list[int | None]) -> Refusal | None:
    """Refuse a set that contains a suit too often (R-MELD-1, D2, D20); return None for any other set."""
    often = 2 if core.same_suit else 1
    for place, count in Counter(
        place - place % LANE + place % LANE % 13 for place in places if place is not None
    ).items():
        if count > often:
            return _suit_again(core, place)
    return None


def _suit_again(core: Core, place: int) -> Refusal:
    if core.same_suit:
        return Refusal("set.suit", "D20", place)
    return Refusal("set.suit", "D2" if core.packs == 2 else "R-MELD-1", place)


# --- runs ------------------------------------------------------------------------------------------


def run_fault(rules: Ruleset, cards: tuple[Laid, ...]) -> Refusal | None:
    """Return why three or more cards of one suit are no new run; None if they are one."""
    places = [laid.place for laid in cards if laid.place is not None]
    if len(places) < len(cards):
        return unnamed_joker()
    lane = places[0] - places[0] % LANE
    positions = sorted(place % LANE for place in places)
    repeated = [place for place, count in Counter(places).items() if count > 1]
    if repeated:
        return Refusal("run.repeated", "D4", repeated[0] % LANE % 13 + lane)
    ordered = sorted(cards, key=lambda laid: laid.place or 0)
    return order_fault(rules, lane, positions, tuple(ordered))


def order_fault(
    rules: Ruleset, lane: int, positions: list[int], cards: tuple[int | Laid, ...]
) -> Refusal | None:
    """Return why these positions, ascending and different, are no run; None if they are one.

    `lane` is the code of the suit's ace. `cards` are the cards that the sentence of the refusal shows.
    """
    ace = lane
    if positions[0] == 0 and positions[-1] == ACE_HIGH:
        return Refusal("run.ace_twice", "D4", ace)
    if _missing(positions):
        return _gap_fault(rules, lane, positions, cards)
    return _ace_high_only(ace) if positions[0] == 0 and rules.ace == "high" else None


def _gap_fault(rules: Ruleset, lane: int, positions: list[int], cards: tuple[int | Laid, ...]) -> Refusal:
    """Return why positions with a gap are no run: round the corner, ace at the wrong end, cards missing."""
    ace, ranks = lane, {position % 13 for position in positions}
    if ranks >= _CORNER:
        return Refusal("run.corner", "R-MELD-2", ace, {"cards": _round_corner(lane, ranks)})
    best = min(positions, _ace_moved(positions), key=lambda row: len(_missing(row)))
    if best[0] == 0 and rules.ace == "high":
        return _ace_high_only(ace)
    missing = tuple(lane + position for position in _missing(best))
    if not missing:
        return _ace_end(ace, low=best[0] == 0)
    return Refusal("run.gap", "R-MELD-2", parts={"cards": cards, "missing": missing})


def _round_corner(lane: int, ranks: set[int]) -> tuple[int, ...]:
    """Return the cards of a sequence round the corner in the intended order, such as K A 2."""
    start = max(rank for rank in ranks if (rank - 1) % 13 not in ranks)
    return tuple(lane + (start + step) % 13 for step in range(13) if (start + step) % 13 in ranks)


def _ace_high_only(ace: int) -> Refusal:
    return Refusal("run.ace_high", "R-MELD-2", ace)


def _ace_end(ace: int, low: bool) -> Refusal:
    """Refuse an ace at the wrong end of a run. With `low`, the ace would fit at the low end."""
    return Refusal("run.ace_end", "D4", ace, {"kind": "low" if low else "high"})


def _ace_moved(positions: list[int]) -> list[int]:
    """Return the positions after moving an ace from below the 2 to above the king, or the reverse."""
    if positions[0] == 0:
        return [*positions[1:], ACE_HIGH]
    return [0, *positions[:-1]] if positions[-1] == ACE_HIGH else positions


def _missing(positions: list[int]) -> list[int]:
    """Return the positions missing between the lowest and the highest."""
    return [position for position in range(positions[0], positions[-1]) if position not in positions]
