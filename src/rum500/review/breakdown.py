"""The breakdown of a deal's or a match's result: the sources of each seat's margin.

    margin = cards + own play + others' play + unexplained rest

The breakdown is the exact account of a deal. `deal_line` shows the same deal on one line.

The margin is a seat's points less the mean of the others' (in partnerships, the side's less the other's).
Cards are the luck of the hands dealt and of all draws, each multiplied by a factor that was fixed beforehand
for the game (`luck_factors`). Play is the play value of the seats' decisions (`play_value`). The four terms
add up exactly, because the rest is shown and not distributed among the other three terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from rum500.record import Record
from rum500.review.company import PlayerKind, company
from rum500.review.deal_line import DealLine, deal_line
from rum500.review.luck import ORDERS, DealLuck, DrawLuck, luck_of_deal
from rum500.review.luck_factors import LuckFactors, luck_factors
from rum500.review.play_value import WORLDS, DealPlay, PlayValue, play_of_deal, play_value
from rum500.review.played_deal import PlayedDeal, check_seat, deal_numbers, kinds_elsewhere, margins
from rum500.rules.ruleset import Ruleset

VERSION = 2
"""The version of the method, increased with every change that changes breakdowns."""


@dataclass(frozen=True, slots=True)
class SeatBreakdown:
    """The parts of a seat's margin, in points, as exact fractions that add up to `margin`."""

    seat: int
    """The seat."""
    margin: Fraction
    """The seat's points less the mean of the other seats' points; in partnerships, its side's points less the
    other side's.
    """
    dealt: Fraction
    """The luck of the hands dealt times its factor, plus the mean margin of the place after the dealer."""
    own_draws: Fraction
    """The luck of the seat's own draws, times the factor of draws."""
    other_draws: Fraction
    """The effect of the luck of the others' draws on this seat's margin, times the factor of draws."""
    own_play: Fraction
    """The play value of the seat's own decisions."""
    other_play: Fraction
    """The effect of the others' decisions (a partner's too) on this seat's margin, compared with `club`'s."""
    own_play_error: float
    """The standard error of `own_play`."""
    other_play_error: float
    """The standard error of `other_play`."""

    @property
    def cards(self) -> Fraction:
        """The part that is luck with cards: the hands dealt and all draws."""
        return self.dealt + self.own_draws + self.other_draws

    @property
    def unexplained(self) -> Fraction:
        """The part of the margin that no other part measures, including the errors of the parts."""
        return self.margin - self.cards - self.own_play - self.other_play

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON: points, rounded to hundredths so that they still add up to the margin."""
        names = ("dealt", "own_draws", "other_draws", "own_play", "other_play")
        parts = {name: round(100 * getattr(self, name)) for name in names}
        margin = round(100 * self.margin)
        cards = parts["dealt"] + parts["own_draws"] + parts["other_draws"]
        parts |= {"margin": margin, "cards": cards, "unexplained": margin - sum(parts.values())}
        errors: dict[str, Any] = {
            "own_play_error": round(self.own_play_error, 2),
            "other_play_error": round(self.other_play_error, 2),
        }
        return {"seat": self.seat} | {name: part / 100 for name, part in parts.items()} | errors


@dataclass(frozen=True, slots=True)
class DealBreakdown:
    """The breakdown of a deal's result."""

    deal: int
    """The number of the deal in the record, from 1."""
    luck: DealLuck
    """The luck in the deal, before multiplying by the factors."""
    play: DealPlay
    """The decisions in the deal."""
    seats: tuple[SeatBreakdown, ...]
    """The breakdowns by seat; empty if the deal is not finished."""
    company: tuple[PlayerKind, ...] = ()
    """The kind of each seat's player, against which play and luck were measured."""
    lines: tuple[DealLine, ...] = ()
    """The deal on one line, for each requested seat."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with the luckiest and the unluckiest draw of each seat."""
        draws = [
            [_draw_dict(self.luck.luckiest(seat)), _draw_dict(self.luck.unluckiest(seat))]
            for seat in range(len(self.play.decisions))
        ]
        return {
            "deal": self.deal,
            "seats": [seat.as_dict() for seat in self.seats],
            "company": [one.as_dict() for one in self.company],
            "lines": [line.as_dict() for line in self.lines],
            "luckiest": [best for best, _ in draws],
            "unluckiest": [worst for _, worst in draws],
            "draws": [draw.as_dict() for draw in self.luck.draws],
            "deviations": [deviation.as_dict() for deviation in self.play.deviations],
        }


@dataclass(frozen=True, slots=True)
class MatchBreakdown:
    """The breakdown of a match's result."""

    factors: LuckFactors
    """The factors that were used."""
    deals: tuple[DealBreakdown, ...]
    """The breakdowns of the match's deals."""
    play: tuple[PlayValue, ...]
    """The play value by seat, over all deals, finished or not."""
    seats: tuple[SeatBreakdown, ...]
    """The sums of the deals' breakdowns by seat; unfinished deals are left out."""

    def as_dict(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return {
            "factors": {
                "game": self.factors.source,
                "deal": float(self.factors.deal),
                "draws": float(self.factors.draws),
            },
            "play": [value.as_dict() for value in self.play],
            "seats": [seat.as_dict() for seat in self.seats],
            "deals": [deal.as_dict() for deal in self.deals],
        }


def match_breakdown(
    record: Record, *, worlds: int = WORLDS, orders: int = ORDERS, threads: int = 1
) -> MatchBreakdown:
    """Return the breakdown of all deals of a record; the arguments are those of `deal_breakdowns`."""
    found = list(deal_breakdowns(record, worlds=worlds, orders=orders, threads=threads))
    return breakdown_of_match(found, record.rules, record.players)


def deal_breakdowns(
    record: Record,
    numbers: Sequence[int] | None = None,
    *,
    worlds: int = WORLDS,
    orders: int = ORDERS,
    threads: int = 1,
    lines: Sequence[int] = (),
) -> Iterator[DealBreakdown]:
    """Yield the breakdowns of these deals (numbers from 1), or of all deals, each as soon as it is computed.

    Each decision is played out in `worlds` worlds, each position valued over `orders` orders of the stock.
    `lines` are the seats for which `deal_line` is computed too. The result does not depend on `threads`. Each
    seat's kind of player is taken from the record's other deals. Raises the errors of `PlayedDeal.of`, and
    `ValueError` if `worlds`, `orders` or `threads` is out of range.
    """
    wanted = deal_numbers(record, numbers)
    deals = [PlayedDeal.of(record, number) for number in range(1, len(record.deals) + 1)]
    for deal, kinds in zip(deals, kinds_elsewhere(deals), strict=True):
        if deal.number in wanted:
            known = company(kinds, (), record.rules, record.players)
            yield breakdown_of_deal(deal, known, worlds=worlds, orders=orders, threads=threads, lines=lines)


def breakdown_of_deal(
    played: PlayedDeal,
    known: Sequence[PlayerKind] = (),
    *,
    worlds: int = WORLDS,
    orders: int = ORDERS,
    threads: int = 1,
    lines: Sequence[int] = (),
) -> DealBreakdown:
    """Return the breakdown of a deal that has been replayed; see `deal_breakdowns`.

    `known` has the kind of each seat's player; by default all are assumed to be `club`.
    """
    for seat in lines:
        check_seat(seat, played.final.players)
    present = tuple(known) or company((), (), played.rules, played.final.players)
    kinds = [one.kind for one in present]
    luck = luck_of_deal(played, kinds, orders=orders, threads=threads)
    play = play_of_deal(played, kinds, worlds=worlds, threads=threads)
    seats: list[SeatBreakdown] = []
    if played.final.is_over:
        factors = luck_factors(played.rules, played.final.players)
        result = margins(played.final.scores(), played.rules)
        seats = [_breakdown(seat, result[seat], luck, play, factors) for seat in range(played.final.players)]
    shown = tuple(deal_line(played, seat, kinds) for seat in lines if seats)
    return DealBreakdown(played.number, luck, play, tuple(seats), present, shown)


def breakdown_of_match(deals: Sequence[DealBreakdown], rules: Ruleset, players: int) -> MatchBreakdown:
    """Return the breakdown of a match from the breakdowns of its deals."""
    plays = [deal.play for deal in deals]
    finished = [deal.seats for deal in deals if deal.seats]
    return MatchBreakdown(
        luck_factors(rules, players),
        tuple(deals),
        tuple(play_value(plays, seat, rules) for seat in range(players)),
        tuple(_sum([seats[seat] for seats in finished], seat) for seat in range(players)),
    )


def _breakdown(
    seat: int, margin: Fraction, luck: DealLuck, play: DealPlay, factors: LuckFactors
) -> SeatBreakdown:
    seats = range(len(luck.dealt))
    others = [other for other in seats if other != seat]
    return SeatBreakdown(
        seat=seat,
        margin=margin,
        dealt=luck.place[seat] + factors.deal * luck.dealt[seat],
        own_draws=factors.draws * luck.drawn(seat, seat),
        other_draws=factors.draws * sum((luck.drawn(other, seat) for other in others), Fraction()),
        own_play=play.gain(seat, seat),
        other_play=sum((play.gain(other, seat) for other in others), Fraction()),
        own_play_error=play.error(seat, seat),
        other_play_error=sqrt(sum(play.error(other, seat) ** 2 for other in others)),
    )


def _sum(parts: Sequence[SeatBreakdown], seat: int) -> SeatBreakdown:
    """Return the sum of a seat's breakdowns, 0 in all parts if there are none."""
    names = ("margin", "dealt", "own_draws", "other_draws", "own_play", "other_play")
    sums: dict[str, Any] = {name: sum((getattr(part, name) for part in parts), Fraction()) for name in names}
    errors: dict[str, Any] = {
        name: sqrt(sum(getattr(part, name) ** 2 for part in parts))
        for name in ("own_play_error", "other_play_error")
    }
    return SeatBreakdown(seat, **sums, **errors)


def _draw_dict(draw: DrawLuck | None) -> dict[str, Any] | None:
    return None if draw is None else draw.as_dict()
