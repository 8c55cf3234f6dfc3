"""Reasons why cards cannot be laid off on the named meld."""

from __future__ import annotations

from rum500.cards import ACE_HIGH, JOKER, LANE
from rum500.rules._explain_shapes import order_fault, suit_fault, unnamed_joker
from rum500.rules.action_codes import laid_cards, shape_of
from rum500.rules.actions import Laid, LayOff
from rum500.rules.engine.core import Core
from rum500.rules.refusals import Part, Refusal
from rum500.rules.ruleset import Ruleset


def lay_refused(core: Core, rules: Ruleset, play: LayOff) -> Refusal | None:
    """Return why these cards cannot be laid on that meld (R-LAY-1, R-LAY-2); None if they can."""
    melds = core.melds()
    if not 0 <= play.meld < len(melds):
        return _no_meld(play.meld, len(melds))
    meld = melds[play.meld][0]
    is_run = shape_of(meld) == "run"
    below = laid_cards(meld)
    if is_run or not core.same_suit:
        taken = _taken_by_joker(play, below)
        if taken is not None:
            return taken
    refusal = (_on_run if is_run else _on_set)(core, rules, play, below)
    if refusal is None and play.run != is_run:
        kind = "run" if is_run else "set"
        return Refusal("lay.kind", "R-LAY-2", parts={"kind": kind, "meld": play.meld + 1})
    return refusal


def _no_meld(number: int, melds: int) -> Refusal:
    if not melds:
        return Refusal("lay.no_melds", "R-LAY-2")
    return Refusal("lay.no_meld", "R-LAY-2", parts={"meld": number + 1, "melds": melds})


def _taken_by_joker(play: LayOff, below: tuple[Laid, ...]) -> Refusal | None:
    """Refuse a card if a joker of the meld stands for the same card: no joker is ever replaced (D10)."""
    standing = {laid.place for laid in below if laid.card == JOKER and laid.place is not None}
    for laid in play.cards:
        if laid.card != JOKER and laid.place in standing:
            return Refusal("lay.joker_stays", "D10", laid.card, {"meld": play.meld + 1})
    return None


# --- lay-offs on a set -----------------------------------------------------------------------------


def _on_set(core: Core, rules: Ruleset, play: LayOff, below: tuple[Laid, ...]) -> Refusal | None:
    if len(below) > 3:
        return Refusal("lay.full", "R-MELD-1", parts={"meld": play.meld + 1})
    if below[0].card == JOKER and all(laid.card == JOKER for laid in below):
        return _on_jokers(play)
    refusal = _wrong_for_set(core, rules, play, below)
    if refusal is None and len(play.cards) > 1:
        return _one_place(play)
    return refusal


def _one_place(play: LayOff) -> Refusal:
    return Refusal("lay.one_place", "R-MELD-1", parts={"meld": play.meld + 1, "cards": play.cards})


def _on_jokers(play: LayOff) -> Refusal | None:
    """Return why these cards do not fit a set of jokers, which takes only a fourth joker (R-MELD-4)."""
    for laid in play.cards:
        if laid.card != JOKER:
            parts: dict[str, Part] = {"meld": play.meld + 1, "cards": (laid,)}
            return Refusal("lay.not_a_joker", "R-MELD-4", laid.card, parts)
    return _one_place(play) if len(play.cards) > 1 else None


def _wrong_for_set(core: Core, rules: Ruleset, play: LayOff, below: tuple[Laid, ...]) -> Refusal | None:
    """Return why the first card that does not fit this set is refused; None if all fit."""
    rank = next(laid.card % LANE for laid in below if laid.card != JOKER)
    unnamed = any(laid.place is None for laid in below)
    for laid in play.cards:
        if laid.card == JOKER and rules.joker_kind == "rank":
            return _joker_of_its_own()
        if laid.card == JOKER and unnamed:
            return Refusal("lay.joker", "H3", JOKER)
        if laid.place is None:
            return unnamed_joker()
        if laid.place % LANE % 13 != rank:
            return _no_fit(play, [laid], _wanted_by_set(core, rank, below))
        twice = suit_fault(core, rules, [*(one.place for one in below), laid.place])
        if twice is not None:
            return twice
    return None


def _wanted_by_set(core: Core, rank: int, below: tuple[Laid, ...]) -> list[int]:
    often = 2 if core.same_suit else 1
    places = [laid.place for laid in below]
    return [card for card in range(rank, 4 * LANE, LANE) if places.count(card) < often]


def _no_fit(play: LayOff, cards: list[Laid], wanted: list[int]) -> Refusal:
    parts: dict[str, Part] = {"meld": play.meld + 1, "cards": tuple(cards)}
    if not wanted:
        return Refusal("lay.complete", "R-LAY-1", cards[0].card, parts)
    return Refusal("lay.no_fit", "R-LAY-1", cards[0].card, {**parts, "takes": tuple(wanted)})


def _joker_of_its_own() -> Refusal:
    return Refusal("joker.own_rank", "R-MELD-4", JOKER)


# --- lay-offs on a run -----------------------------------------------------------------------------


def _on_run(core: Core, rules: Ruleset, play: LayOff, below: tuple[Laid, ...]) -> Refusal | None:
    lying = [laid.place for laid in below if laid.place is not None]
    lane = lying[0] - lying[0] % LANE
    added: list[int] = []
    for laid in play.cards:
        if laid.place is None:
            return _joker_of_its_own() if rules.joker_kind == "rank" else unnamed_joker()
        if laid.place - laid.place % LANE != lane:
            return _no_fit(play, [laid], _wanted_by_run(core, lying))
        if laid.place in lying or laid.place in added:
            return _again(play, laid, laid.place, in_meld=laid.place in lying)
        added.append(laid.place)
    return _ends_fault(core, rules, play, lying, added)


def _again(play: LayOff, laid: Laid, place: int, *, in_meld: bool) -> Refusal:
    if in_meld:
        return Refusal("lay.lies", "D4", laid.card, {"place": place, "meld": play.meld + 1})
    return Refusal("run.repeated", "D4", place - place % LANE + place % LANE % ACE_HIGH)


def _ends_fault(
    core: Core, rules: Ruleset, play: LayOff, lying: list[int], added: list[int]
) -> Refusal | None:
    """Return why the cards do not extend the run at its ends; None if they do.

    `lying` has the places of the cards in the run, `added` those of the cards to lay off.
    """
    lane = lying[0] - lying[0] % LANE
    positions = sorted(place % LANE for place in (*lying, *added))
    refusal = order_fault(rules, lane, positions, tuple(lane + position for position in positions))
    if refusal is None or refusal.code != "run.gap":
        return refusal
    loose = _loose(play.cards, positions, lying[0] % LANE)
    return _no_fit(play, loose, _wanted_by_run(core, lying))


def _loose(cards: tuple[Laid, ...], positions: list[int], start: int) -> list[Laid]:
    """Return those of `cards` that a gap separates from the run to which they should be added.

    `positions` has the positions of the run and of the cards together; `start` is one position of the run.
    """
    low = high = start
    while low - 1 in positions:
        low -= 1
    while high + 1 in positions:
        high += 1
    return [laid for laid in cards if laid.place is not None and not low <= laid.place % LANE <= high]


def _wanted_by_run(core: Core, lying: list[int]) -> list[int]:
    """Return the places where a card extends the run at the places `lying` (R-LAY-1, D4)."""
    low, high = lying[0] % LANE, lying[-1] % LANE
    lane = lying[0] - low
    ends = []
    if low > (0 if core.ace_low else 1) and (low > 1 or high < ACE_HIGH):
        ends.append(lane + low - 1)
    if high < ACE_HIGH and (low > 0 or high < ACE_HIGH - 1):
        ends.append(lane + high + 1)
    return ends
