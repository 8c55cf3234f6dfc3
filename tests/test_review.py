"""The judge: threads and hidden cards change nothing; exact ends, sums, reasons, every game."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache

import pytest

from rum500 import IllegalPlay, Ruleset, State, ai
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import MEASURE_NAMES, Breakdown, Search, SearchWorker
from rum500.bots.match_value import chances, game_class
from rum500.record import Record
from rum500.review import stages
from rum500.review.breakdown import deal_breakdowns
from rum500.review.case import Case
from rum500.review.comparison import compare
from rum500.review.deal_review import Reviewed, annotated, review, summary, worst_first
from rum500.review.exact import exact_values
from rum500.review.judge import Judge
from rum500.review.loss_reasons import cards_kept
from rum500.review.open_hands import open_leads
from rum500.review.stakes import UNIT, deviation, stakes
from rum500.review.verdict import BUDGETS, CLASSES, Budget, Mark, Verdict, class_of, half_width, mark_of
from rum500.rng import mix64
from rum500.rules.action_codes import decode, encode
from rum500.rules.actions import Discard
from rum500.rules.engine.core import Core, Moves
from rum500.rules.notation import parse_play
from rum500.rules.profiles import profile_names, ruleset
from tests.support.club_records import played_record
from tests.support.depth import depth, whole_tests
from tests.support.endgame import values
from tests.support.games import random_players, random_rules
from tests.support.indistinguishable_deals import permuted
from tests.test_endgame import laid_out

pytestmark = pytest.mark.compiled

SMALL = Budget.of("64")


@cache
def a_record(name: str = "500-rum", players: int = 2, seed: int = 1) -> Record:
    return played_record(ruleset(name), players, ("greedy", "club"), seed)


def shown(plays: list[Reviewed]) -> str:
    return json.dumps([play.verdict and play.verdict.as_dict() for play in plays])


def positions(record: Record, most: int) -> list[tuple[State, int]]:
    """Some states of a record at which there was a choice, with what was played."""
    steps = [step for step in record.replay() if len(step.state.legal_ints()) > 1]
    return [(step.state, encode(step.action)) for step in steps[:: max(1, len(steps) // most)]]


# --- intervals -------------------------------------------------------------------------------------


def test_the_best_play_is_as_good_as_the_best() -> None:
    """Another play may have a larger lead by chance, in the few worlds of the first stage."""
    record = played_record(ruleset("500-rum"), 3, ("casual",) * 3, 1)
    verdicts = [play.verdict for play in review(record, Judge(SMALL)) if play.verdict]
    leads = [[one.lead for one in verdict.candidates] for verdict in verdicts]
    assert any(max(lead) > lead[0] for lead in leads)
    for verdict in verdicts:
        assert verdict.candidates[0].text == verdict.best
        assert verdict.candidates[0].as_good


@pytest.mark.parametrize("target", [500, 5000])
def test_loss_has_the_same_interval_everywhere(target: int) -> None:
    """Far from the target a loss is in points of the deal; else these have an interval of the same reach."""
    record = played_record(ruleset("500-rum").changed(options={"target": target}), 2, ("greedy", "club"), 1)
    found = 0
    for play in review(record, Judge(SMALL), seat=0):
        verdict, why = play.verdict, play.verdict and play.verdict.why
        if verdict is None or why is None or verdict.exact:
            continue
        found += 1
        own = next(one for one in verdict.candidates if one.text == verdict.played)
        assert verdict.half_of(verdict.candidates[0]) == verdict.half
        assert verdict.half_of(own) == 0
        if target == 5000:
            assert (why.points, why.half) == (pytest.approx(verdict.loss), verdict.half)
        else:
            assert why.half == pytest.approx(2.24 * verdict.points_error)
        assert not verdict.mark.sign or why.code == "why.match" or why.half < why.points, "beside a mark"
        if why.points > 0.05 and why.code != "why.match":
            decimals = 0 if why.points >= 9.95 else 1
            shown_alike = f" costs {why.points:.{decimals}f} ± {why.half:.{decimals}f}"
            assert shown_alike in why.sentence or why.half < 0.5
    assert found > 5


def test_an_interval_above_zero_is_never_shown_with_zero() -> None:
    assert half_width(3.8, 0.5, 9.0) == pytest.approx(3.3)
    assert half_width(9.0, 5.0, 15.0) == 5.0
    assert half_width(2.0, 0.0, 6.0) == 3.0


def test_no_world_is_played_again() -> None:
    """A measurement continues a smaller one, and plays only those rounds again that watched other cards."""
    again = 0
    for state, played in positions(a_record(), depth(8, 40)):
        case = Case.of(state.view(state.actor))
        if exact_values(case) is not None:
            continue
        explored = compare(case, 0).seen_from(played)
        small, usual = (replace(BUDGETS["usual"], worlds=worlds) for worlds in (512, 1_024))
        found = stages.measure(case, played, explored, 7, usual)
        begun = stages.measure(case, played, explored, 7, small)
        assert stages.measure(case, played, explored, 7, usual, begun) == found
        strata, watched = stages.with_cards(case, played, found, 7)
        cards = cards_kept(decode(played), decode(found.rival))
        again += watched and any(each.watched != cards for each in found.rounds)
        if watched:
            whole = case.measure([played, found.rival], 7, 0, found.rounds[-1].end, cards)
            assert strata == tuple(each[1] for each in whole)
    assert again


# --- inputs ----------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "players"), [("500-rum", 2), ("persian-rummy", 4), ("rummy-500", 3)])
def test_threads_change_nothing(name: str, players: int) -> None:
    record = a_record(name, players)
    one = list(review(record, Judge(SMALL), seat=0))
    assert any(play.verdict for play in one)
    assert shown(one) == shown(list(review(record, Judge(SMALL, threads=3), seat=0)))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "players"), [("500-rum", 2), ("partnership-500-rum", 4)])
def test_what_the_seat_cannot_see_changes_no_verdict(name: str, players: int) -> None:
    chance, judge = random.Random(1), Judge(SMALL)
    changed = 0
    for state, played in positions(a_record(name, players), depth(5, 40)):
        twin = permuted(state, state.actor, (), chance)
        changed += twin.hands != state.hands
        one, other = (judge.judge(each.view(state.actor), played) for each in (state, twin))
        assert one is not None and one == other
    assert changed


def test_another_seed_draws_other_worlds() -> None:
    state, played = positions(a_record(), 3)[1]
    view = state.view(state.actor)
    assert Judge(SMALL).judge(view, played) != Judge(SMALL, seed=1).judge(view, played)
    assert Judge(SMALL).judge(view, played) == Judge(SMALL).judge(view, played)


def test_forced_plays_are_not_counted() -> None:
    plays = list(review(a_record(), Judge(SMALL)))
    steps = list(a_record().replay())
    assert len(plays) == len(steps)
    for play, step in zip(plays, steps, strict=True):
        assert (play.verdict is None) == (len(step.state.legal_ints()) == 1)
    for one in summary(plays, range(2)):
        own = [play for play in plays if play.seat == one.seat]
        assert one.forced == sum(play.verdict is None for play in own) > 0
        assert one.forced + one.decided + one.total.counted == len(own)
        assert sum(one.total.marks) == one.total.counted == sum(tally.counted for _, tally in one.kinds)
        assert (one.total.mean_loss is None) == (one.total.counted < 30)


@pytest.mark.whole
def test_plays_of_stand_ins_are_left_out() -> None:
    record = deepcopy(a_record())
    plays = list(review(record, Judge(SMALL)))
    gone = {play.step for play in plays if play.seat == 0 and play.verdict}
    record.deals[0].note_stand_ins(gone)
    rest = [play for play in plays if play.step not in gone]
    assert shown(list(review(record, Judge(SMALL)))) == shown(rest)
    assert summary(rest, [0])[0].total.counted == 0


def test_deal_or_seat_that_is_not_in_the_record_is_refused() -> None:
    for given, error, message in (
        ({"deals": [0]}, IndexError, "the record has 1 deals, and no deal 0"),
        ({"deals": [2]}, IndexError, "and no deal 2"),
        ({"deals": [1.0]}, TypeError, "float"),
        ({"seat": 2}, IndexError, "there are seats 0 to 1, and no seat 2"),
        ({"seat": -1}, IndexError, "and no seat -1"),
    ):
        with pytest.raises(error, match=message):
            next(review(a_record(), Judge(SMALL), **given))
        if "deals" in given:
            with pytest.raises(error, match=message):
                next(deal_breakdowns(a_record(), given["deals"]))
    state = a_record().begin(1)
    for orders in (0, 1, 65_537):
        with pytest.raises(ValueError, match="the number of orders of the stock is"):
            open_leads(state, state.legal_ints()[:1], 1, 1, orders)


def test_a_record_that_does_not_verify_is_refused_in_the_same_words() -> None:
    illegal, stacked = (deepcopy(a_record()) for _ in range(2))
    plays = illegal.deals[0].plays
    plays[1], plays[3] = plays[3], plays[1]
    deck = stacked.deals[0].deck
    stacked.deals[0].deck = [deck[1], *deck[1:]]
    for record, error in ((illegal, IllegalPlay), (stacked, ValueError)):
        message = record.verify()[0].message
        assert "\n" not in message
        for work in (review(record, Judge(SMALL)), deal_breakdowns(record)):
            with pytest.raises(error, match=f"^{re.escape(message)}"):
                list(work)  # type: ignore[call-overload]


def test_an_action_that_is_not_legal_is_refused() -> None:
    state, _ = positions(a_record(), 1)[0]
    with pytest.raises(ValueError, match="is none of the actions"):
        Judge(SMALL).judge(state.view(state.actor), encode(Discard(99)))


def test_a_match_that_is_won_is_not_counted() -> None:
    """Far ahead in the last deal that the rules allow, whatever is played."""
    rules = ruleset("500-rum").changed(options={"max_deals": 2})
    record = played_record(rules, 2, ("club",), 3, totals=(5000, 10))
    plays = [play for play in review(record, Judge(SMALL), seat=0) if play.verdict]
    assert plays and all(play.verdict and play.verdict.mark is Mark.DECIDED for play in plays)
    (one,) = summary(plays, [0])
    assert (one.decided, one.total.counted) == (len(plays), 0)


# --- sums -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players"), [("500-rum", 2), ("500-rum", 5), ("michigan-rum", 3), ("persian-rummy", 4)]
)
def test_the_breakdown_is_what_playing_out_brings(name: str, players: int) -> None:
    """Each world played by hand: parts, points, who goes out, and cards that are left."""
    state, _ = positions(a_record(name, players), 4)[1]
    seat, rules = state.actor, state.rules
    codes = state.legal_ints()[:6]
    worlds = ai.known_deal(state.view(seat)).worlds()
    task, breakdown = Search(worlds, seat, codes), Breakdown(3, 0, state.hands[seat])
    task.explain(breakdown)
    worker = SearchWorker(task, policy(rules, players))
    worker.run(7, 0, 8)
    task.add(worker)
    others = 1 if rules.sides else players - 1
    own = [rules.side(one) == rules.side(seat) for one in range(players)]
    for i, code in enumerate(codes):
        sums = dict(zip(MEASURE_NAMES, (total for total, _, _ in breakdown.measures(i)), strict=True))
        counted = ("own_laid", "own_held", "others_laid", "out", "other_out", "no_out", "caught")
        wanted = dict.fromkeys(counted, 0)
        for number in range(8):
            core = worlds.world(mix64(7 ^ mix64(number + 1)))
            core.apply(code, Moves())
            SeatPolicies([policy(rules, players)]).playout(core, Moves())
            winner = core.out if core.reason == 1 else -1
            wanted["own_laid"] += others * sum(core.laid[one] for one in range(players) if own[one])
            wanted["others_laid"] -= sum(core.laid[one] for one in range(players) if not own[one])
            for one in range(players):
                if own[one]:
                    wanted["own_held"] -= others * core.deduction(one)
                    taken = core.to_winner and winner >= 0 and not own[winner]
                    wanted["own_held"] -= core.held(one) if taken else 0
            wanted["out"] += core.out >= 0 and own[core.out]
            wanted["other_out"] += core.out >= 0 and not own[core.out]
            wanted["no_out"] += core.out < 0
            wanted["caught"] += bool(set(core.hand_cards(seat)) & set(state.hands[seat]))
        assert {key: sums[key] for key in wanted} == wanted
        assert sum(sums[name] for name in MEASURE_NAMES[:5]) == sums["points"] == task.statistics(i)[0]
        assert sums["value"] == 3 * sums["points"] and sums["chance"] == 0
        leads = [lead for _, lead, _ in breakdown.measures(i)]
        first = [total for total, _, _ in breakdown.measures(0)]
        assert leads == [
            total - base for (total, _, _), base in zip(breakdown.measures(i), first, strict=True)
        ]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "players"), [("500-rum", 2), ("michigan-rum", 3), ("persian-rummy", 4)])
def test_the_parts_add_up_to_the_loss(name: str, players: int) -> None:
    lost = [
        play.verdict
        for play in review(a_record(name, players), Judge(SMALL))
        if play.verdict and play.verdict.why
    ]
    assert len(lost) > 5
    for verdict in lost:
        assert verdict.why is not None
        assert math.isclose(sum(part.points for part in verdict.why.parts), verdict.points, abs_tol=1e-9)
        assert verdict.why.points == verdict.points
        assert len(verdict.why.reasons) <= 2


def test_the_start_of_a_match_is_the_measure_of_points() -> None:
    """20 points more at 0–0 are about 20 even-score points; near the target they are worth more."""
    for name, players in (("500-rum", 2), ("500-rum", 4), ("partnership-500-rum", 4)):
        rules = ruleset(name)
        own = [rules.side(seat) == rules.side(0) for seat in range(players)]

        def worth(
            before: int, rules: Ruleset = rules, players: int = players, own: list[bool] = own
        ) -> float:
            view = State.new(rules, players, rules.deck(players), 0, (before,) * players).view(0)
            what = stakes(view)
            task = Search(ai.known_deal(view).worlds(), 0, ())
            what.apply(task)
            worker = SearchWorker(task, None)
            ends = [Core(), Core()]
            for core, more in zip(ends, (0, 20), strict=True):
                core.copy_from(State.new(rules, players, rules.deck(players), 0, (0,) * players).core)
                core.h1 = core.h2 = core.hj = [0] * 8
                core.totals = [before + more * mine for mine in own] + [0] * (8 - players)
            low, high = (worker.chance(core) for core in ends)
            return what.of_chance * (high - low) / (UNIT * what.others)

        assert worth(0) == pytest.approx(20, abs=2.5)
        assert worth(420) > 1.5 * worth(0)


def test_marks_have_their_bounds() -> None:
    assert [class_of(loss, 80) for loss in (0, 3.9, 4, 9.5, 9.6, 19.9, 20)] == [0, 0, 1, 1, 2, 2, 3]
    assert mark_of(25, 12, 80) is Mark.BLUNDER
    assert mark_of(25, 5, 80) is Mark.MISTAKE
    assert mark_of(25, 0.1, 80) is Mark.DOUBTFUL
    assert mark_of(5, 0.1, 80) is Mark.DOUBTFUL
    assert mark_of(3, 3, 80) is Mark.GOOD
    assert mark_of(5, 0, 80) is Mark.GOOD  # the play may be the best
    assert mark_of(25, 0, 80) is Mark.GOOD
    assert deviation(ruleset("500-rum"), 2) == pytest.approx(82, abs=3)


@pytest.mark.parametrize("words", ["0", "-5", "15", "much", "", "1.5", "9999999"])
def test_budgets_that_are_none(words: str) -> None:
    with pytest.raises(ValueError, match="expected quick, usual, deep, or a number of worlds"):
        Budget.of(words)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"threads": 0}, ValueError, "the number of threads is 1 or more, not 0"),
        ({"threads": 65}, ValueError, "the number of threads is 64 at most, not 65"),
        ({"threads": 2.0}, TypeError, "the number of threads is a whole number, not 2.0"),
        ({"seed": 1 << 64}, ValueError, "a seed is"),
    ],
)
def test_numbers_of_a_judge_are_integers_of_a_range(
    given: dict[str, int], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Judge(SMALL, **given)


def test_budgets() -> None:
    assert Budget.of(" Deep ") is BUDGETS["deep"]
    assert (Budget.of("64").worlds, Budget.of("64").explore) == (64, 64)
    assert (Budget.of("9000").worlds, Budget.of("9000").explore) == (9000, 400)


# --- exact ends -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(depth(6, 60)))
def test_exact_ends_are_exact(seed: int) -> None:
    """Where nothing is hidden a loss is what exhaustive look-ahead by both sides says, without error."""
    chance = random.Random(seed)
    options = ({"match": "deals", "deals": 3}, {"match": "deals", "deals": 1}, {"match": "target"})[seed % 3]
    state = laid_out(chance, chance.randint(6, 9), 0, [ruleset("500-rum").changed(options=options)])
    while not state.is_over and len(state.legal_ints()) < 2:
        state.apply_int(state.legal_ints()[0])
    if state.is_over:
        return
    view, seat = state.view(state.actor), state.actor
    what = stakes(view)
    task = Search(ai.known_deal(view).worlds(), seat, ())
    what.apply(task)

    def chance_of(core: Core, of: int) -> int:
        assert of == seat
        return SearchWorker(task, None).chance(core)

    def lead_of(core: Core, of: int) -> int:
        lead = core.score(of) - core.score(1 - of)
        if what.kind != "prize":
            return lead
        totals = [core.totals[each] + core.score(each) for each in range(2)]
        own, other = totals[of], totals[1 - of]
        return lead + what.prize * ((own > other) - (own < other))

    worth = values(state.core, seat, chance_of if what.kind == "match" else lead_of)
    unit = what.of_chance / UNIT if what.kind == "match" else 1
    for played in state.legal_ints():
        verdict = Judge(SMALL).judge(view, played)
        assert verdict is not None and verdict.exact and verdict.worlds == 0
        loss = max(0, unit * (max(worth.values()) - worth[played]))
        assert verdict.loss == verdict.low == verdict.high == pytest.approx(loss)
        assert (verdict.why is not None) == (loss > 0)
        if verdict.why is not None:
            lost = verdict.why.points + 1000 * (verdict.why.chance or 0) * (what.of_chance / UNIT)
            assert what.kind == "match" or lost == pytest.approx(loss)
            assert re.search(
                r" (costs \d+(\.\d)?|lowers the chance to win .* by (less than )?\d+\.\d percentage points)"
                r"(: .*)?\. Every card was known; the numbers assume that all play their best from "
                r"then on\.$",
                verdict.why.sentence,
            )
            if what.kind == "points":
                assert sum(part.points for part in verdict.why.parts) == verdict.why.points
                assert all(part.error == 0 for part in verdict.why.parts)


def test_an_exact_loss_names_who_goes_out_and_its_reasons() -> None:
    said = [verdict.explained for verdict in exact_losses()]
    assert any("After this play the opponent goes out; the best play prevents that." in one for one in said)
    assert any(re.search(r" costs [\d.]+: [\d.]+ because .*\. Every card was known", one) for one in said)


def exact_losses() -> Iterator[Verdict]:
    """Yield the marked verdicts of endings without hidden cards."""
    for seed in range(12):
        chance = random.Random(seed)
        state = laid_out(chance, chance.randint(6, 9), 0, [ruleset("500-rum")])
        while not state.is_over:
            view = state.view(state.actor)
            for code in view.legal if len(view.legal) > 1 else ():
                verdict = Judge(SMALL).judge(view, code)
                if verdict and verdict.why and verdict.mark.sign:
                    yield verdict
            state.apply_int(chance.choice(view.legal))


# --- every game -----------------------------------------------------------------------------------


def tables() -> list[tuple[str, int]]:
    games = [(name, players) for name in profile_names() for players in ruleset(name).players]
    ends = [(name, players) for name in profile_names() for players in ruleset(name).players[-1:]]
    return games if whole_tests() else [*ends, ("500-rum", 2)]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "players"), tables())
def test_every_game_can_be_reviewed(name: str, players: int) -> None:
    record = a_record(name, players, 5)
    judge = Judge(Budget.of("16"))
    checked(record, judge, depth(10, 1000))


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(depth(4, 60)))
def test_house_rules_can_be_reviewed(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    checked(played_record(rules, players, ("random", "club"), seed), Judge(Budget.of("16")), depth(10, 200))


def checked(record: Record, judge: Judge, most: int) -> None:
    for state, played in positions(record, most):
        verdict = judge.judge(state.view(state.actor), played)
        assert verdict is not None and 0 <= verdict.low <= verdict.loss <= verdict.high < math.inf
        assert decode(played) == parse_play(verdict.played, state)
        assert verdict.mark in (*CLASSES, Mark.DECIDED)
        assert {candidate.code for candidate in verdict.candidates} <= set(state.legal_ints())
        json.dumps(verdict.as_dict(), allow_nan=False)


@pytest.mark.whole
def test_a_deep_judge_reviews_deals() -> None:
    for name, players in (("500-rum", 2), ("persian-rummy", 4)):
        verdicts = [play.verdict for play in review(a_record(name, players), Judge(BUDGETS["deep"], 2))]
        assert any(verdict and verdict.mark.sign for verdict in verdicts)


# --- remarks --------------------------------------------------------------------------------------


def test_remarks_stand_at_the_marked_plays_and_say_the_same_when_read() -> None:
    record = a_record()
    plays = list(review(record, Judge(SMALL)))
    marked = {play.step - 1 for play in plays if play.verdict and play.verdict.mark.sign}
    assert marked
    done = annotated(record, plays)
    assert set(done.deals[0].comments) == marked and not record.deals[0].comments
    again = Record.from_text(done.to_text())
    assert again == done and again.verify() == []
    assert shown(list(review(again, Judge(SMALL)))) == shown(plays)
    assert annotated(again, plays) == done


def test_other_remarks_stay() -> None:
    record = Record.from_text(a_record().to_text())
    plays = list(review(record, Judge(SMALL)))
    first = next(play for play in plays if play.verdict and play.verdict.mark.sign)
    record.deals[0].comments = {first.step - 1: "well", 0: "a good start"}
    done = annotated(annotated(record, plays), plays)
    assert done.deals[0].comments[first.step - 1].endswith(" | well")
    assert done.deals[0].comments[first.step - 1].count("|") == 1
    assert done.deals[0].comments[0].endswith("a good start")


def test_the_worst_come_first() -> None:
    verdicts = [play.verdict for play in review(a_record(), Judge(SMALL)) if play.verdict]
    ranked: list[Verdict] = worst_first(verdicts)
    places = [CLASSES.index(verdict.mark) for verdict in ranked]
    assert places == sorted(places, reverse=True) and len(ranked) == len(verdicts)


def test_the_judge_has_a_name() -> None:
    rules = ruleset("500-rum")
    one, other = Judge(SMALL).identity(rules, 2), Judge(SMALL, threads=3).identity(rules, 2)
    assert one == other and one.as_dict()["budget"] == "64"
    assert one.digest != Judge(SMALL).identity(ruleset("michigan-rum"), 2).digest
    assert chances(game_class(rules, 2))
