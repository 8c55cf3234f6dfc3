"""The work of reviews that runs in worker processes: functions from a table's log to encoded results.

A finished deal never changes, so a deal that was read is cached for later calls.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from rum500.ai import expected
from rum500.bots import halving
from rum500.intervals import Z
from rum500.record import ReplayStep
from rum500.review.breakdown import DealBreakdown, SeatBreakdown, breakdown_of_deal
from rum500.review.company import company
from rum500.review.deal_line import DealLine
from rum500.review.judge import Judge
from rum500.review.luck import DrawLuck
from rum500.review.luck_factors import luck_factors
from rum500.review.match_chances import ChancesOfDeal, match_chances
from rum500.review.open_hands import VERSION, open_leads
from rum500.review.play_value import PlayValue, play_value
from rum500.review.played_deal import PlayedDeal
from rum500.review.stakes import deviation
from rum500.review.verdict import BOUNDS, Budget
from rum500.rules.action_codes import encode
from rum500.server.live.finished.deal_replay import FinishedDeal, finished_deal
from rum500.server.live.finished.log_reading import unpacked
from rum500.server.live.finished.try_again import turns_of
from rum500.server.messages.render import TEXT, texts
from rum500.server.messages.review import (
    Belief,
    BeliefHand,
    CompanyMember,
    DealBreakdownInfo,
    DealLineInfo,
    MatchChances,
    OpenCandidate,
    OpenHands,
    ReviewDraw,
    ReviewJudge,
    ReviewPlay,
    ReviewPoint,
    ReviewVerdict,
    ReviewWay,
    SeatBreakdownInfo,
)
from rum500.server.messages.verdicts import candidates_shown, change_shown, loss_why, plan_shown, play_shown
from rum500.server.reviewing.stored import Decision, StoredBreakdown, StoredPosition, score_info, write
from rum500.state import State
from rum500.view import View

MOST_SHOWN = 10
"""The number of plays that a verdict shows besides the played one."""
_KEPT = 4


@dataclass(slots=True)
class _JudgedDeal:
    """A finished deal that was read from the log."""

    deal: FinishedDeal
    number: int
    """The number of the deal in the record."""
    steps: list[ReplayStep]
    turns: list[int]
    """By play, the number of the seat's turn in the deal, from 1."""

    def frame(self, step: int) -> int:
        """Return the index of the first frame of play number `step`."""
        return self.deal.frames[step - 1]


_deals: OrderedDict[tuple[str, int], _JudgedDeal] = OrderedDict()


def _read(table: str, log: bytes, number: int) -> _JudgedDeal:
    """Return a finished deal of a table. Raises `ValueError` if no finished deal has this number."""
    key = table, number
    if key not in _deals:
        deal = finished_deal(table, unpacked(log), number)
        if deal is None:
            raise ValueError("there is no such finished deal")
        at = len(deal.record.deals)
        steps = list(deal.record.replay(at))
        _deals[key] = _JudgedDeal(deal, at, steps, turns_of(steps))
        if len(_deals) > _KEPT:
            _deals.popitem(last=False)
    _deals.move_to_end(key)
    return _deals[key]


# --- the breakdown ------------------------------------------------------------------------------------


def breakdown(table: str, log: bytes, number: int, kinds: tuple[str, ...], budget: str) -> bytes:
    """Return the breakdown of a deal, an encoded `StoredBreakdown`.

    `kinds` has for each seat the kind of player, estimated from the other deals of the match; `budget` is
    the judge's budget for verdicts. The breakdowns of people's seats also have a `DealLineInfo`.
    """
    read = _read(table, log, number)
    played = PlayedDeal.of(read.deal.record, read.number)
    rules, players = played.rules, played.final.players
    people = [seat for seat, guest in enumerate(read.deal.guests) if guest is not None]
    known = company(kinds, read.deal.levels, rules, players)
    found = breakdown_of_deal(played, known, lines=people)
    values = [play_value([found.play], seat, rules) for seat in range(players)]
    by_step = {deviation.number: deviation for deviation in found.play.deviations}
    decisions = []
    for choice in played.choices:
        if choice.free:
            seat, gain, half = choice.before.actor, 0.0, 0.0
            if one := by_step.get(choice.number):
                gain, half = float(one.gains[seat]), Z * one.errors[seat]
            decisions.append(
                Decision(choice.number, read.frame(choice.number), seat, round(gain, 2), round(half, 2))
            )
    return write(
        StoredBreakdown(
            judge=_judge_info(read, budget),
            players=read.deal.players,
            guests=read.deal.guests,
            names=read.deal.names,
            leads=played.kinds(),
            kinds=kinds,
            levels=dict(luck_factors(rules, players).levels),
            errors=tuple(one.own_play_error for one in found.seats),
            decisions=tuple(decisions),
            info=_info(read, found, values, match_chances(played.final)),
        )
    )


def _judge_info(read: _JudgedDeal, budget: str) -> ReviewJudge:
    """Return the identity of the judge; an empty budget means the judge of open hands."""
    rules, players = read.deal.record.rules, read.deal.record.players
    identity = Judge().identity(rules, players)
    name, version = ("search", identity.version) if budget else ("open", VERSION)
    wide = deviation(rules, players)
    bounds = [round(bound * wide, 1) for bound in BOUNDS]
    return ReviewJudge(name, version, identity.digest, budget, round(wide, 1), bounds)  # type: ignore[arg-type]


def _info(
    read: _JudgedDeal, found: DealBreakdown, values: Sequence[PlayValue], match: ChancesOfDeal | None
) -> DealBreakdownInfo:
    draws = [_draw(read, draw) for draw in found.luck.draws]
    places = {draw.number: index for index, draw in enumerate(found.luck.draws)}
    seats = range(len(values))
    best, worst = (
        [None if draw is None else places[draw.number] for draw in map(find, seats)]
        for find in (found.luck.luckiest, found.luck.unluckiest)
    )
    course = [
        ReviewPoint(
            point.number,
            read.frame(point.number) if point.number else 0,
            [round(float(margin), 2) for margin in point.margins],
            None if point.chances is None else [round(chance, 4) for chance in point.chances],
        )
        for point in found.luck.course
    ]
    lines = {line.seat: line for line in found.lines}
    return DealBreakdownInfo(
        [
            seat_breakdown(one, value, lines.get(one.seat))
            for one, value in zip(found.seats, values, strict=True)
        ],
        draws,
        best,
        worst,
        course,
        [CompanyMember(**one.as_dict()) for one in found.company],  # type: ignore[arg-type]
        None if match is None else MatchChances(list(match.before), list(match.after)),
    )


def seat_breakdown(one: SeatBreakdown, value: PlayValue, line: DealLine | None = None) -> SeatBreakdownInfo:
    """Return a seat's breakdown, play value and line in the form of the protocol."""
    parts = one.as_dict()
    return SeatBreakdownInfo(
        seat=one.seat,
        margin=parts["margin"],
        cards=parts["cards"],
        own_play=parts["own_play"],
        own_half=round(Z * one.own_play_error, 2),
        other_play=parts["other_play"],
        unexplained=parts["unexplained"],
        decisions=value.whole.decisions,
        score=score_info(value.score),
        tally=None,
        line=None if line is None else _line(line),
    )


def _line(line: DealLine) -> DealLineInfo:
    parts = line.as_dict()
    del parts["seat"]
    return DealLineInfo(**parts)


def _draw(read: _JudgedDeal, draw: DrawLuck) -> ReviewDraw:
    value = round(float(draw.gains[draw.seat]), 2)
    return ReviewDraw(draw.number, read.frame(draw.number), draw.seat, draw.turn, TEXT[draw.card], value)


# --- verdicts ---------------------------------------------------------------------------------------


def verdict(table: str, log: bytes, number: int, step: int, budget: str) -> bytes:
    """Return the verdict on play `step`, an encoded `ReviewVerdict`. The play must have an alternative."""
    read = _read(table, log, number)
    at = read.steps[step - 1]
    judged = verdict_at(at.state, encode(at.action), Judge(Budget.of(budget)), read.number, step)
    judged.frame, judged.turn = read.frame(step), read.turns[step - 1]
    return write(judged)


def positions(table: str, log: bytes, number: int, steps: Sequence[int]) -> bytes:
    """Return the positions before the plays `steps`, as the deciding seats saw them: `StoredPosition`s."""
    states = [_read(table, log, number).steps[step - 1].state for step in steps]
    return write([StoredPosition.of(state.view(state.actor)) for state in states])


def verdict_at(state: State, played: int, judge: Judge, deal: int, step: int) -> ReviewVerdict:
    """Return the verdict on the actor's play, by what the actor can see; its `frame` and `turn` are 0."""
    return verdict_on(state.view(state.actor), state, played, judge, deal, step)


def verdict_on(view: View, state: State, played: int, judge: Judge, deal: int, step: int) -> ReviewVerdict:
    """Return the verdict on a play, judged by the actor's view; `state` is only used to describe plays."""
    found = judge.judge(view, played, deal, step)
    assert found is not None, "a forced play"
    shown = candidates_shown(found, lambda code: _play(state, code))
    candidates = [
        candidate
        for place, (candidate, one) in enumerate(zip(shown, found.candidates, strict=True))
        if place < MOST_SHOWN or one.code == played
    ]
    own = _play(state, played)
    return ReviewVerdict(
        step=found.step,
        frame=0,
        seat=found.seat,
        turn=0,
        kind=found.kind.value,
        mark=found.mark.value,
        loss=round(found.loss, 2),
        low=round(found.low, 2),
        high=round(found.high, 2),
        points=round(found.points, 2),
        points_error=round(found.points_error, 2),
        chance=None if found.chance is None else round(found.chance, 5),
        exact=found.exact,
        disputed=found.disputed,
        found=False,
        gain=0.0,
        gain_half=0.0,
        worlds=found.worlds,
        played=own,
        best=candidates[0].play if found.loss > 0 else own,
        candidates=candidates,
        why=None if found.why is None else loss_why(found.why),
        ways=[
            ReviewWay(
                one.way.value,
                one.mark.value,
                round(one.loss, 2),
                round((one.high - one.low) / 2, 2),
                one.best,
            )
            for one in found.ways
        ],
        plan=None if found.plan is None else plan_shown(found.plan),
        change=change_shown(found),
    )


def _play(state: State, code: int) -> ReviewPlay:
    return play_shown(state, code, doubled=bool(state.core.doubled(code)))


# --- certainty and chance -----------------------------------------------------------------------------


def belief(table: str, log: bytes, number: int, step: int, seat: int) -> bytes:
    """Return what a seat could infer before play `step`: a `Belief`, encoded; empty without such a play."""
    read = _read(table, log, number)
    if step > len(read.steps):
        return b""
    return write(belief_at(read.steps[step - 1].state, seat, step, read.frame(step)))


def belief_at(state: State, seat: int, step: int, frame: int) -> Belief:
    """Return what a seat could infer in this state. Only `held` contains what the seat could not see."""
    view = state.view(seat)
    counts, pack = expected(view), Counter(state.rules.deck(state.players))
    cards = sorted(pack)
    elsewhere = Counter[int](
        [*view.hand, *view.pile, *(each.card for meld in view.melds for each in meld.cards)]
    )
    hands = [
        BeliefHand(
            seat=other,
            size=view.hand_sizes[other],
            expected=[round(counts[other].get(card, 0.0), 4) for card in cards],
            known=[view.known[other].count(card) for card in cards],
            held=[state.hands[other].count(card) for card in cards],
        )
        for other in range(state.players)
        if other != seat
    ]
    return Belief(
        step,
        frame,
        seat,
        texts(cards),
        [pack[card] for card in cards],
        [elsewhere[card] for card in cards],
        hands,
    )


def open_hands(table: str, log: bytes, number: int, step: int) -> bytes:
    """Return the plays of a decision judged with all hands open, an encoded `OpenHands`."""
    read = _read(table, log, number)
    at = read.steps[step - 1]
    played, state = encode(at.action), at.state
    codes = halving.candidates(state.core, state.view(state.actor).legal, played)
    leads = open_leads(state, codes[: halving.MOST_CANDIDATES], read.number, step)
    return write(
        OpenHands(
            step,
            read.frame(step),
            state.actor,
            _judge_info(read, ""),
            [
                OpenCandidate(_play(state, one.code), round(one.points, 2), round(one.error, 2))
                for one in leads
            ],
        )
    )
