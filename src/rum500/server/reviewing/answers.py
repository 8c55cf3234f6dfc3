"""Reviews in the form of the protocol: of a deal, of a match, and of all matches of a guest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import cast

from rum500.intervals import Z
from rum500.review.play_value import FEWEST, score_of
from rum500.review.played_deal import KINDS
from rum500.server.live.finished.match_results import TableDeals
from rum500.server.messages.review import (
    DealReview,
    HistoryReview,
    Kind,
    MarkTally,
    MatchReview,
    Others,
    PlaySum,
    ReviewDraw,
    ReviewVerdict,
    SeatBreakdownInfo,
)
from rum500.server.reviewing.reviewed_deal import ReviewedDeal, added, no_review
from rum500.server.reviewing.stored import StoredBreakdown, score_info
from rum500.store import ReviewSum

FEWEST_DEALS = 10
"""The smallest number of reviewed deals for totals of a guest's play in all matches."""
_BAD = ("doubtful", "mistake", "blunder")


def deal_review(deal: ReviewedDeal, deals: TableDeals, guest: str | None, after: int) -> DealReview:
    """Return the review of a deal, with its verdicts except the first `after`."""
    players = deals.players[deals.finished.index(deal.number)]
    player = player_of(deals, guest)
    known, since = deal.breakdown, after if after <= len(deal.verdicts) else 0
    if known is not None:
        known.info.seats = deal.seats()
    return DealReview(
        table=deal.table,
        you=players.index(player) if player in players else None,
        judge=known.judge if known else None,
        state=deal.info(),
        others=_others(deals),
        names=list(known.names) if known else [deals.names[one] for one in players],
        breakdown=known.info if known else None,
        verdicts=deal.verdicts[since:],
        since=since,
        next=len(deal.verdicts),
    )


def _others(deals: TableDeals) -> Others:
    if deals.sides:
        return "side"
    return "opponent" if len(deals.names) == 2 else "others"


def player_of(deals: TableDeals, guest: str | None) -> int | None:
    """Return the number of the player that a guest is or was at a table; None if the guest never played."""
    return deals.guests.index(guest) if guest is not None and guest in deals.guests else None


def match_review(
    table: str, reviewed: Sequence[ReviewedDeal], deals: TableDeals, guest: str | None
) -> MatchReview:
    """Return the review of a match, made from the reviews of its finished deals."""
    player = player_of(deals, guest)
    known = [deal for deal in reviewed if deal.breakdown is not None]
    infos = [deal.info() for deal in reviewed]
    if deals.given_up is not None:
        infos.append(no_review(deals.given_up, "review.unfinished"))
    best, worst = _best(known, player), _worst(known, player)
    lucky = _luckiest(known, player)
    return MatchReview(
        table=table,
        you=player,
        judge=known[0].breakdown.judge if known and known[0].breakdown else None,
        others=_others(deals),
        names=list(deals.names),
        deals=infos,
        seats=[breakdown for one in range(len(deals.names)) if (breakdown := _breakdown_of(known, one))],
        best=best and best[1],
        best_deal=best and best[0],
        worst=worst and worst[1],
        worst_deal=worst and worst[0],
        luckiest=lucky and lucky[1],
        luckiest_deal=lucky and lucky[0],
    )


def _seated(
    known: Sequence[ReviewedDeal], player: int | None
) -> list[tuple[ReviewedDeal, StoredBreakdown, int]]:
    """Return the deals of a player, with their breakdowns and the player's seats."""
    return [
        (deal, deal.breakdown, deal.breakdown.players.index(player))
        for deal in known
        if deal.breakdown is not None and player in deal.breakdown.players
    ]


def _breakdown_of(known: Sequence[ReviewedDeal], player: int) -> SeatBreakdownInfo | None:
    """Return the sum of a player's breakdowns; None without any."""
    played = _seated(known, player)
    if not played:
        return None
    seats = [deal.seats()[seat] for deal, _, seat in played]
    error = sqrt(sum(breakdown.errors[seat] ** 2 for _, breakdown, seat in played))
    decisions = sum(one.decisions for one in seats)
    score = None
    if decisions >= FEWEST:
        first = played[0][1]
        among_club = all(
            one.kind == KINDS[0]
            for _, breakdown, seat in played
            for other, one in enumerate(breakdown.info.company)
            if other != seat
        )
        levels = first.levels if among_club else {}
        score = score_of([one.own_play for one in seats], error, levels, first.judge.deviation)
    tallies = [one.tally for one in seats if one.tally is not None]

    def whole(part: str) -> float:
        return round(sum(float(getattr(one, part)) for one in seats), 2)

    return SeatBreakdownInfo(
        seat=player,
        margin=whole("margin"),
        cards=whole("cards"),
        own_play=whole("own_play"),
        own_half=round(Z * error, 2),
        other_play=whole("other_play"),
        unexplained=whole("unexplained"),
        decisions=decisions,
        score=score_info(score),
        tally=added(tallies) if len(tallies) == len(seats) else None,
    )


def _verdicts(known: Sequence[ReviewedDeal], player: int | None) -> list[tuple[int, ReviewVerdict]]:
    """Return the verdicts on a player's decisions, each with the number of its deal."""
    return [(deal.number, one) for deal, _, seat in _seated(known, player) for one in deal.of_seat(seat)]


def _best(known: Sequence[ReviewedDeal], player: int | None) -> tuple[int, ReviewVerdict] | None:
    found = [one for one in _verdicts(known, player) if one[1].found]
    return max(found, key=lambda one: one[1].gain, default=None)


def _worst(known: Sequence[ReviewedDeal], player: int | None) -> tuple[int, ReviewVerdict] | None:
    found = [one for one in _verdicts(known, player) if one[1].mark in _BAD]
    return max(found, key=lambda one: (_BAD.index(one[1].mark), one[1].loss), default=None)


def _luckiest(known: Sequence[ReviewedDeal], player: int | None) -> tuple[int, ReviewDraw] | None:
    found = [
        (deal.number, breakdown.info.draws[index])
        for deal, breakdown, seat in _seated(known, player)
        if (index := breakdown.info.luckiest[seat]) is not None
    ]
    return max(found, key=lambda one: one[1].value, default=None)


# --- history ----------------------------------------------------------------------------------------


def history_review(sums: Sequence[ReviewSum], deals: int, *, judging: bool) -> HistoryReview:
    """Return the summary of a guest's reviews of a match with this number of finished deals."""
    tallies = [MarkTally(**one.marks) for one in sums if one.marks is not None]
    done = 0 < deals <= len(tallies)
    return HistoryReview(
        marks="done" if done else "running" if judging else "none",
        deals=len(sums),
        reviewed=len(tallies),
        a_deal=round(_mean([one.play for one in sums]), 2) if sums else None,
        half=round(Z * _error(sums) / len(sums), 2) if sums else None,
        tally=added(tallies) if tallies else None,
    )


def play_sum(sums: Sequence[ReviewSum]) -> PlaySum | None:
    """Return the totals of a guest's `sums`, sorted from the earliest deal; None if there are too few."""
    if len(sums) < FEWEST_DEALS:
        return None
    values, middle = [one.play for one in sums], len(sums) // 2
    score = score_of(values, _error(sums))
    mistakes = sum((Counter(one.mistakes or {}) for one in sums), Counter[str]())
    return PlaySum(
        deals=len(sums),
        a_deal=round(score.a_deal, 2),
        half=round(score.high - score.a_deal, 2),
        change=round(_mean(values[middle:]) - _mean(values[:middle]), 2),
        since=sums[middle].at,
        mistakes=cast("dict[Kind, int]", dict(mistakes)),
    )


def _error(sums: Sequence[ReviewSum]) -> float:
    return sqrt(sum(one.play_error**2 for one in sums))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
