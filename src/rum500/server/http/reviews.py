"""Reviews of finished deals, over HTTP. A guest who may see a deal's replay may see its review."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from rum500.server.http.endpoint import ApiRequest, Param, answers
from rum500.server.http.replays import DEAL, TABLE, deal_number, table_row
from rum500.server.limits import Limits
from rum500.server.live.finished.match_results import TableDeals
from rum500.server.messages.field_types import Seat
from rum500.server.messages.parts import ReasonParts
from rum500.server.messages.review import Belief, DealReview, MatchReview, OpenHands, ReviewAsked, Step
from rum500.server.messages.table_error import TableError
from rum500.server.reviewing.answers import deal_review, match_review, player_of
from rum500.server.reviewing.reviewed_deal import ReviewedDeal
from rum500.server.reviewing.reviews import Reviews
from rum500.server.work_scheduler import Asker, Busy, Work
from rum500.store import TableStore

_STEP = Param("step", Step, "The number of a play in the deal, from 1.")
_AFTER = Param("after", Annotated[int, Meta(ge=0, le=9999)], "The number of verdicts to leave out.")
_SEAT = Param("seat", Seat, "The seat that looks; by default the one that plays.")
_read_belief = msgspec.json.Decoder(Belief).decode
_read_open = msgspec.json.Decoder(OpenHands).decode


class ReviewHandlers:
    """The handlers of the requests for reviews."""

    def __init__(self, store: TableStore, reviews: Reviews, limits: Limits) -> None:
        self._store = store
        self._reviews = reviews
        self._limits = limits

    @answers("GET", "/api/tables/{table}/review", work=Work.READ, params=(TABLE,), refuses=(404, 409))
    async def match_review(self, asker: ApiRequest) -> MatchReview:
        """Return the review of a match, as far as it is computed."""
        row = await table_row(self._store, asker)
        return await self._match(row.id, asker)

    @answers(
        "POST",
        "/api/tables/{table}/review",
        work=Work.REVIEW,
        params=(TABLE,),
        takes=ReviewAsked,
        refuses=(401, 404, 409),
    )
    async def review_match(self, asker: ApiRequest) -> MatchReview:
        """Queue reviews of all finished deals of a match, and return its review as far as it is computed.

        Raises `Busy` if not even the first deal can be queued.
        """
        row, guest = await table_row(self._store, asker), asker.guest.id
        deals = await self._reviews.all_deals(row.id, asker.who)
        self._limits.check("reviews", guest)
        for place, deal in enumerate(await self._reviews.deals(row.id, deals.finished, asker.who)):
            try:
                self._ask(deal, deals, guest, asker.address, asker.body)
            except Busy:
                if place == 0:
                    raise
                break  # the client can queue the other deals with another request
        return await self._match(row.id, asker)

    @answers(
        "GET",
        "/api/tables/{table}/deals/{deal}/review",
        work=Work.READ,
        params=(TABLE, DEAL),
        query=(_AFTER,),
        refuses=(404, 409, 422),
    )
    async def deal_review(self, asker: ApiRequest) -> DealReview:
        """Return the review of a finished deal, as far as it is computed."""
        after = asker.param(_AFTER, "0")
        deal, deals = await self._deal(asker)
        return deal_review(deal, deals, asker.known, after)

    @answers(
        "POST",
        "/api/tables/{table}/deals/{deal}/review",
        work=Work.REVIEW,
        params=(TABLE, DEAL),
        takes=ReviewAsked,
        refuses=(401, 404, 409),
    )
    async def review_deal(self, asker: ApiRequest) -> DealReview:
        """Queue the review of a finished deal, and return it as far as it is computed."""
        guest = asker.guest.id
        deal, deals = await self._deal(asker)
        self._limits.check("reviews", guest)
        self._ask(deal, deals, guest, asker.address, asker.body)
        return deal_review(deal, deals, guest, 0)

    @answers(
        "GET",
        "/api/tables/{table}/deals/{deal}/belief/{step}",
        work=Work.LOOK,
        params=(TABLE, DEAL, _STEP),
        query=(_SEAT,),
        refuses=(404, 409, 422),
    )
    async def belief(self, asker: ApiRequest) -> Belief:
        """Return what a seat could infer about the other hands before a play of a finished deal."""
        step, deal, _ = await self._look(asker)
        players = len(deal.breakdown.players) if deal.breakdown else 0
        own = (
            next((one.seat for one in deal.breakdown.decisions if one.step == step), 0)
            if deal.breakdown
            else 0
        )
        seat = asker.param(_SEAT, str(own))
        if seat >= players:
            raise _no_seat(players)
        found = await self._reviews.look(asker.who, deal, "belief", step, seat)
        if not found:
            raise TableError("review.step")
        return _read_belief(found)

    @answers(
        "GET",
        "/api/tables/{table}/deals/{deal}/open/{step}",
        work=Work.LOOK,
        params=(TABLE, DEAL, _STEP),
        refuses=(404, 409, 422),
    )
    async def open_hands(self, asker: ApiRequest) -> OpenHands:
        """Return the plays of a decision of a finished deal, judged with all hands open."""
        step, deal, _ = await self._look(asker)
        if deal.breakdown is None or all(one.step != step for one in deal.breakdown.decisions):
            raise TableError("review.step")
        return _read_open(await self._reviews.look(asker.who, deal, "open_hands", step))

    # --- parts ----------------------------------------------------------------------------------------

    async def _deal(self, asker: ApiRequest) -> tuple[ReviewedDeal, TableDeals]:
        """Return the finished deal in the path, and its table's deals. Raises `TableError` without a deal."""
        row, number = await table_row(self._store, asker), deal_number(asker)
        deals = await self._reviews.finished(row.id, number, asker.who)
        return (await self._reviews.deals(row.id, [number], asker.who))[0], deals

    async def _look(self, asker: ApiRequest) -> tuple[int, ReviewedDeal, TableDeals]:
        """Return the step, the finished deal in the path, and its table's deals.

        Counts the request for the limit `looks`, and waits until the deal's breakdown has been measured.
        """
        step = asker.param(_STEP)
        deal, deals = await self._deal(asker)
        self._limits.check("looks", asker.address)
        await self._reviews.measured(deal, asker.who)
        return step, deal, deals

    async def _match(self, table: str, asker: ApiRequest) -> MatchReview:
        deals = await self._reviews.all_deals(table, asker.who)
        found = await self._reviews.deals(table, deals.finished, asker.who)
        return match_review(table, found, deals, asker.known)

    def _ask(
        self, deal: ReviewedDeal, deals: TableDeals, guest: str, address: str, asked: ReviewAsked
    ) -> None:
        players = deals.players[deals.finished.index(deal.number)]
        player, seat = player_of(deals, guest), asked.seat
        if seat is None and player in players:
            seat = players.index(player)
        if seat is not None and seat >= len(players):
            raise _no_seat(len(players))
        self._reviews.ask(deal, Asker(guest, address), seat)


def _no_seat(players: int) -> TableError:
    return TableError("table.no_seat", parts=ReasonParts(most=players))
