"""Reasons why cards cannot be laid: reasons for all plays, and reasons for new melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rum500.cards import JOKER, LANE
from rum500.rules._explain_lays import lay_refused
from rum500.rules._explain_pile import taken_rule
from rum500.rules._explain_shapes import run_fault, set_fault
from rum500.rules.action_codes import encode, laid_cards
from rum500.rules.actions import Laid, LayOff, Meld, stands_right
from rum500.rules.engine.core import Core
from rum500.rules.refusals import Refusal
from rum500.rules.ruleset import Ruleset


def play_refused(core: Core, rules: Ruleset, play: Meld | LayOff) -> Refusal | None:
    """Return why these cards may not be laid like this; None if no reason is found."""
    return (
        _nothing_laid(play)
        or unheld(core, rules, [laid.card for laid in play.cards])
        or _from_hand(core, play)
        or _misplaced(rules, play)
        or _must_not_used(core, rules, play)
        or (
            _meld_refused(core, rules, play.cards)
            if isinstance(play, Meld)
            else lay_refused(core, rules, play)
        )
        or _stranding(core, play)
    )


# --- the cards -------------------------------------------------------------------------------------


def _nothing_laid(play: Meld | LayOff) -> Refusal | None:
    if play.cards:
        return None
    if isinstance(play, Meld):
        return Refusal("meld.nothing", "R-MELD-1")
    return Refusal("lay.nothing", "R-LAY-1")


def unheld(core: Core, rules: Ruleset, cards: Iterable[int]) -> Refusal | None:
    """Return a refusal for the first card of which the actor holds too few copies; None if the actor holds
    all cards.
    """
    wanted, hand = Counter(cards), Counter[int](core.hand_cards(core.actor))
    for card, count in wanted.items():
        if count > hand[card]:
            return _not_held(core, rules, card, hand[card])
    return None


def _not_held(core: Core, rules: Ruleset, card: int, held: int) -> Refusal:
    if held:
        return Refusal("card.too_often", "R-TURN-1", card, {"held": held})
    if card == JOKER and not rules.jokers:
        return Refusal("joker.none", "R-MELD-4", card)
    for number, (meld, _) in enumerate(core.melds(), 1):
        if card != JOKER and any(laid.card == card for laid in laid_cards(meld)):
            return Refusal("card.on_table", "R-MELD-3", card, {"meld": number})
    return Refusal("card.not_held", "R-TURN-1", card)


def _from_hand(core: Core, play: Meld | LayOff) -> Refusal | None:
    """Refuse hand cards in the first play of a claim, which uses only taken cards (R-CLAIM-2)."""
    if not core.claiming:
        return None
    taken = Counter(core.taken_cards())
    for card, count in Counter(laid.card for laid in play.cards).items():
        if count > taken[card]:
            return Refusal("claim.from_hand", "R-CLAIM-2", card)
    return None


def _misplaced(rules: Ruleset, play: Meld | LayOff) -> Refusal | None:
    """Refuse the first card whose place is impossible for it (R-MELD-4, R-MELD-5)."""
    for laid in play.cards:
        fault = _stands_wrong(rules, laid)
        if fault is not None:
            return fault
    return None


def _stands_wrong(rules: Ruleset, laid: Laid) -> Refusal | None:
    if laid.card != JOKER:
        return None if stands_right(laid) else Refusal("card.place", "R-MELD-5", laid.card)
    if laid.place is not None and rules.joker_kind == "rank":
        return Refusal("joker.own_rank", "R-MELD-4", JOKER)
    if not stands_right(laid):
        return Refusal("joker.place", "R-MELD-5", JOKER)
    return None


# --- cards that must be used -----------------------------------------------------------------------


def must_use_first(core: Core, rules: Ruleset) -> Refusal:
    """Return the refusal of a play without the taken card that must be used (R-DRAW-3/4, R-CLAIM-2)."""
    rule = "R-CLAIM-2" if core.claiming else taken_rule(rules, len(core.taken_cards()))
    return Refusal("use.first", rule, core.must)


def _must_not_used(core: Core, rules: Ruleset, play: Meld | LayOff) -> Refusal | None:
    if core.must < 0 or any(laid.card == core.must for laid in play.cards):
        return None
    return must_use_first(core, rules)


def _stranding(core: Core, play: Meld | LayOff) -> Refusal | None:
    """Refuse a play after which the hand contains only the card that may not be discarded (D3a, H4)."""
    if core.ban < 0 or not core.strands(encode(play)):
        return None
    return Refusal("play.stranding", "D3a", core.ban)


# --- new melds -------------------------------------------------------------------------------------


def _meld_refused(core: Core, rules: Ruleset, cards: tuple[Laid, ...]) -> Refusal | None:
    if rules.joker_kind == "rank" and any(laid.card == JOKER for laid in cards):
        return _own_rank_fault(cards)
    if all(laid.card == JOKER for laid in cards):
        return Refusal("meld.no_natural", "D9", JOKER)
    places = [laid.place for laid in cards if laid.place is not None]
    one_rank = len({place % LANE % 13 for place in places}) == 1
    one_suit = len({place // LANE for place in places}) == 1
    if len(cards) == 1 and places:
        return _alone(cards[0].card, places[0])
    if len(cards) < 3:
        return _too_few(cards, one_rank, one_suit)
    if one_rank:
        return set_fault(core, rules, cards)
    return run_fault(rules, cards) if one_suit else _mixed(cards, places)


def _own_rank_fault(cards: tuple[Laid, ...]) -> Refusal | None:
    """Return why this meld with jokers of their own rank is no set of three or four jokers (R-MELD-4)."""
    if any(laid.card != JOKER for laid in cards):
        return Refusal("joker.own_rank", "R-MELD-4", JOKER)
    if len(cards) < 3:
        return Refusal("meld.too_few", "R-MELD-4", JOKER, {"kind": "jokers", "cards": cards})
    if len(cards) > 4:
        return Refusal("set.too_many", "R-MELD-4", JOKER, {"cards": cards})
    return None


def _too_few(cards: tuple[Laid, ...], one_rank: bool, one_suit: bool) -> Refusal:
    kind, rule = (
        ("set", "R-MELD-1") if one_rank else ("run", "R-MELD-2") if one_suit else ("meld", "R-MELD-1")
    )
    return Refusal("meld.too_few", rule, parts={"kind": kind, "cards": cards})


def _alone(card: int, place: int) -> Refusal:
    """Refuse a single card: it needs two more of its rank, or two neighbours in its suit."""
    suit, rank = divmod(place, LANE)
    return Refusal("meld.alone", "R-MELD-1", card, {"ranks": rank % 13, "suit": suit})


def _mixed(cards: tuple[Laid, ...], places: list[int]) -> Refusal:
    """Refuse cards of several ranks and suits; name the odd card if all the others agree."""
    ranks, suits = [place % LANE % 13 for place in places], [place // LANE for place in places]
    rank, suit = (Counter(values).most_common(1)[0] for values in (ranks, suits))
    named = [laid for laid in cards if laid.place is not None]
    if rank[1] == len(places) - 1 and rank[1] > 1:
        odd = named[next(i for i, value in enumerate(ranks) if value != rank[0])]
        return Refusal("set.rank", "R-MELD-1", odd.card, {"cards": (odd,), "rank": rank[0]})
    if suit[1] == len(places) - 1 and suit[1] > 1:
        odd = named[next(i for i, value in enumerate(suits) if value != suit[0])]
        return Refusal("run.suit", "R-MELD-2", odd.card, {"cards": (odd,), "suit": suit[0]})
    if _in_sequence(ranks):
        return Refusal("run.suits", "R-MELD-2", parts={"cards": cards})
    return Refusal("meld.mixed", "R-MELD-1", parts={"cards": cards})


def _in_sequence(ranks: list[int]) -> bool:
    """Return whether these ranks form a sequence, with an ace low or high."""
    ends = [sorted(ranks), sorted(13 if rank == 0 else rank for rank in ranks)]
    return any(row == list(range(row[0], row[0] + len(row))) for row in ends)
