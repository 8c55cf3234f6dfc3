"""The results of a match for its guests, and the state of an unfinished match for lists of tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from rum500.match import Match, MatchResult, Payment
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.server.live.log.day_attempts import is_attempt
from rum500.server.live.log.seats import guest_of
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.waits import awaited, day_due
from rum500.server.messages.day_deals import DayProgress
from rum500.store import ResultRow


class TableStanding(Struct, frozen=True):
    """An unfinished table, as its players' lists of tables show it."""

    number: int
    """The number of the last log entry."""
    waits_for: frozenset[str]
    """The ids of the guests who keep the match waiting."""
    asked_at: int
    """The time at which the present decision began, in milliseconds since 1970."""
    due: int | None
    """The time that `day_due` returns; None also if the match waits for no guest."""
    deal: int
    """The number of the deal in progress; 0 before the first."""
    seats: tuple[str | None, ...]
    """By seat, the id of the guest to whom the seat belongs; None for other seats."""
    names: tuple[str, ...]
    """The names by seat; empty for a free seat."""
    scores: tuple[int, ...]
    """The totals of the match, by side if there are sides, else by seat; empty before the match."""
    alone: bool
    """Whether at most one person has a seat."""
    changed_at: int
    """The time of the last log entry, in milliseconds since 1970."""
    attempt: DayProgress | None
    """How far an attempt at a deal of the day has come; None for other tables."""


class TableDeals(Struct, frozen=True):
    """The data of a table's deals that reviews need."""

    number: int
    """The number of the last log entry."""
    finished: tuple[int, ...]
    """The numbers of the finished deals."""
    playing: int | None
    """The number of the deal in progress; None if there is none."""
    given_up: int | None
    """The number of the deal during which the match ended unfinished; None if there is none."""
    players: tuple[tuple[int, ...], ...]
    """By finished deal, the player at each seat."""
    guests: tuple[str | None, ...]
    """By player, the id of the guest."""
    sides: bool
    """Whether there are sides."""
    names: tuple[str, ...]
    """The names, by player."""
    hints: tuple[int, ...]
    """By player, the number of decisions for which the player got a hint."""

    def seen_by(self, guest: str, former: Collection[str]) -> TableDeals:
        """Return the data with a guest in the place of `former` guests who were merged into this one."""
        if guest in self.guests or not former:
            return self
        return replace(self, guests=tuple(guest if one in former else one for one in self.guests))


class MatchOutcome(Struct, frozen=True):
    """The result of a finished match for all its players."""

    ended: int
    """When the match ended, in milliseconds since 1970."""
    profile: str
    """The name of the game."""
    title: str
    """The title of the game."""
    deals: int
    """The number of finished deals."""
    guests: tuple[str | None, ...]
    """By player, the id of the guest; None for bots."""
    points: tuple[int, ...]
    """By player, the final total of the player or the side."""
    winners: tuple[int, ...]
    """The players who won; empty if the match is drawn."""
    owes: tuple[tuple[int, int, int], ...]
    """The payments of the settlement: who pays, who gets, and how many points. A side pays once (D30), so its
    players share the points.
    """


def deals_of(state: TableState) -> TableDeals:
    """Return the data of a table's deals; a deal that is played again does not count as finished."""
    match = state.match
    sheet = match.sheet if match else ()
    if state.tried and state.tried.day is None:
        sheet = ()  # a deal that is played again has no result
    finished = tuple(score.number for score in sheet)
    current = match.number if match and match.number not in finished else None
    ended = state.ended
    return TableDeals(
        number=state.number,
        finished=finished,
        playing=None if ended else current,
        given_up=(current or None) if ended else None,
        players=tuple(score.seating for score in sheet),
        guests=tuple(guest_of(seat) for seat in state.seats),
        sides=state.rules.sides > 0,
        names=tuple(seat.name for seat in state.seats),
        hints=tuple(state.hints[player] for player in range(len(state.seats))),
    )


def standing_of(state: TableState) -> TableStanding:
    """Return the standing of an unfinished table."""
    match = state.match
    seats = tuple(guest_of(state.seats[player]) for player in state.seating)
    waits_for = frozenset(guest for player in awaited(state) if (guest := state.seats[player].guest))
    return TableStanding(
        number=state.number,
        waits_for=waits_for,
        asked_at=state.asked_at,
        due=day_due(state) if waits_for else None,
        deal=match.number if match else 0,
        seats=seats,
        names=tuple(state.seats[player].name for player in state.seating),
        scores=match.accounts if match else (),
        alone=len(set(state.people()) - state.external_bots) <= 1,
        changed_at=state.changed_at,
        attempt=_progress(state),
    )


def _progress(state: TableState) -> DayProgress | None:
    """Return how far the attempt at a deal of the day has come; None for other tables."""
    deal, match = state.deal, state.match
    if not is_attempt(state) or deal is None or match is None or match.state is None:
        return None
    discards = sum(action_kind(code) is ActionKind.DISCARD for code in deal.plays)
    # The guest has seat 0, and the turns began at the dealer's left.
    return DayProgress(
        my_turn=0 in awaited(state),
        turn=1 + (discards + deal.dealer) // deal.players,
        cards=len(match.state.hands[0]),
        points=match.state.laid[0],
    )


def outcome_of(state: TableState) -> MatchOutcome | None:
    """Return the outcome of a finished match; None if it was abandoned or a deal was played again."""
    match = state.match
    if match is None or match.result is None or state.status != "over" or state.tried:
        return None
    return MatchOutcome(
        ended=state.changed_at,
        profile=state.rules.name,
        title=state.rules.title,
        deals=len(match.sheet),
        guests=tuple(guest_of(seat) for seat in state.seats),
        points=tuple(_place(match.result, player)[2] for player in range(len(state.seats))),
        winners=match.result.winners,
        owes=tuple(share for payment in match.result.payments for share in _shares(payment)),
    )


def _shares(payment: Payment) -> Iterator[tuple[int, int, int]]:
    """Yield what each player of the losing side pays to the winner beside them, in whole points."""
    each, left = divmod(payment.points, len(payment.payer))
    for number, payer in enumerate(payment.payer):
        yield payer, payment.payee[number % len(payment.payee)], each + (number < left)


def results_of(state: TableState) -> list[ResultRow]:
    """Return one result per guest who played; none before the end, or if a deal was played again."""
    match = state.match
    if match is None or not state.ended or state.tried:
        return []
    found: dict[str, ResultRow] = {}
    for player, seat in enumerate(state.seats):
        guest = guest_of(seat)
        if guest is not None and guest not in found:
            found[guest] = _result(state, match, player, guest)
    return list(found.values())


def _result(state: TableState, match: Match, player: int, guest: str) -> ResultRow:
    sides = state.rules.sides
    partners = [other for other in _account(match, player) if other != player]
    opponents = [other for other in range(len(state.seats)) if other != player and other not in partners]
    others = [state.seats[other] for other in (*partners, *opponents)]
    levels = {seat.level for seat in others if seat.kind == "bot"}
    points = [_points(match, number, player) for number in range(len(match.sheet))]
    deals = [each for each in points if each is not None]
    place, margin, total = None, None, sum(deals)
    if match.result is not None and state.status == "over":
        place, margin, total = _place(match.result, player)
    return ResultRow(
        guest_id=guest,
        table_id=state.table,
        ended=state.changed_at,
        status=state.status,
        profile=state.rules.name,
        title=state.rules.title,
        players=len(state.seats),
        accounts=sides or len(state.seats),
        deals=len(deals),
        place=place,
        won=place is not None and match.result is not None and player in match.result.winners,
        points=total,
        margin=margin,
        best_deal=max(deals, default=None),
        partners=[state.seats[other].name for other in partners],
        opponents=[state.seats[other].name for other in opponents],
        with_people=any(seat.kind == "person" and not seat.external for seat in others),
        level=levels.pop() if len(levels) == 1 else None,
        bot_turns=state.absences.count[player],
    )


def _account(match: Match, player: int) -> tuple[int, ...]:
    """Return the players who share this player's row of the score (a side, or one player)."""
    if match.result is not None:
        return next(row.players for row in match.result.standings if player in row.players)
    sides = match.rules.sides
    if not sides or player not in match.seating:
        return (player,)
    return match.seating[match.seating.index(player) % sides :: sides]


def _points(match: Match, number: int, player: int) -> int | None:
    """Return a player's or the side's points in row `number` of the sheet; None if the player had left."""
    score = match.sheet[number]
    if player not in score.seating:
        return None
    seat = score.seating.index(player)
    return score.points[seat % match.rules.sides if match.rules.sides else seat]


def _place(result: MatchResult, player: int) -> tuple[int, int, int]:
    """Return a player's place, margin and final total.

    A winner's place is 1, and the margin is the lead. Another player's margin is the own total minus the
    winner's. Players who resigned come after all others.
    """
    mine = next(number for number, row in enumerate(result.standings) if player in row.players)
    rank = [(row.left, -final) for row, final in zip(result.standings, result.final, strict=True)]
    place = 1 + sum(other < rank[mine] for other in rank)
    if player in result.winners:
        others = (margin for number, margin in enumerate(result.margins) if number != mine)
        return 1, min(others, default=0), result.final[mine]
    return place, -result.margins[mine], result.final[mine]
