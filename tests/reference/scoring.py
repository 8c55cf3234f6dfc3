"""Card values and the account of a finished deal (R-SCORE-1..4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .cards import JOKER, rank_of

if TYPE_CHECKING:
    from .melds import Laid, Meld
    from .rules import Rules


class Result(NamedTuple):
    """How a deal ended. Lists are by seat; `credited` is what Michigan gives to who went out."""

    reason: str
    out: int | None
    melded: list[int]
    held: list[int]
    credited: list[int]
    bonus: list[int]
    points: list[int]


def held_value(card: str, rules: Rules) -> int:
    """A card in hand: an ace is 15, a joker as the profile says (R-SCORE-2)."""
    if card == JOKER:
        return rules.joker_points
    rank = rank_of(card)
    if rank == "A":
        return 15
    if rank in ("10", "J", "Q", "K"):
        return 10
    return 5 if rules.low_cards == "five" else int(rank)


def laid_value(one: Laid, rules: Rules) -> int:
    """A card on the table: an ace below the two counts `ace_low` (D8); a joker is a joker anywhere (D9)."""
    if one.card != JOKER and one.stands is not None and rank_of(one.stands) == "1":
        return rules.ace_low
    return held_value(one.card, rules)


def doubles(kind: str, cards_at_once: int, rules: Rules) -> bool:
    """R-SCORE-3, D11: four laid in one play; sets, or under "melds" runs of exactly four as well."""
    if cards_at_once != 4:
        return False
    return rules.doubles == "melds" or (rules.doubles == "sets" and kind != "run")


def points_on_table(melds: list[Meld], seat: int, rules: Rules) -> int:
    """What the cards that `seat` laid count, card by card (R-LAY-3, D28)."""
    cards = [one for meld in melds for one in meld.laid if one.seat == seat]
    return sum(laid_value(one, rules) * (2 if one.doubled else 1) for one in cards)


def account(reason: str, out: int | None, melds: list[Meld], hands: list[list[str]], rules: Rules) -> Result:
    """The deal's points by seat."""
    seats = range(len(hands))
    melded = [points_on_table(melds, seat, rules) for seat in seats]
    held = [sum(held_value(card, rules) for card in hands[seat]) for seat in seats]
    credited = [0 for _ in seats]
    bonus = [0 for _ in seats]
    if out is not None:
        bonus[out] = rules.going_out_bonus  # D12: only if somebody goes out
        if rules.hands == "winner":  # R-SCORE-4, D14: a partner is no opponent
            credited[out] = sum(held[seat] for seat in seats if rules.side(seat) != rules.side(out))
    subtracted = [0 for _ in seats]
    if rules.hands == "holder" and reason != "target":
        subtracted = held
    points = [melded[s] + credited[s] + bonus[s] - subtracted[s] for s in seats]
    return Result(reason, out, melded, held, credited, bonus, points)
