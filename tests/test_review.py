"""The judge: threads and hidden cards change nothing; exact ends, sums, reasons, every game."""

from __future__ import annotations

import json
import math
import random
import re
from copy import deepcopy
from dataclasses import replace
from functools import cache

import pytest

from rum500 import Ruleset, State, ai
from rum500.ai.heuristic_levels import policy
from rum500.ai.policy import SeatPolicies
from rum500.ai.search import MEASURE_NAMES, Breakdown, Search, SearchWorker
from rum500.bots.match_value import chances, game_class
from rum500.cards import cards_from_text, cards_text
from rum500.record import Record
from rum500.review.breakdown import deal_breakdowns
from rum500.review.deal_review import Reviewed, annotated, review, summary, worst_first
from rum500.review.judge import Judge
from rum500.review.open_hands import open_leads
from rum500.review.stakes import UNIT, Stakes, deviation, stakes
from rum500.review.verdict import BUDGETS, CLASSES, Budget, DecisionKind, Mark, Verdict, class_of, mark_of
from rum500.review.why import CauseLimits, LossReason, Measured, explain
from rum500.rng import mix64
from rum500.rules.action_codes import decode, encode
from rum500.rules.actions import Discard, Draw, Take
from rum500.rules.engine.core import Core, Moves
from rum500.rules.notation import parse_play
from rum500.rules.profiles import profile_names, ruleset
from tests.support.club_records import played_record
from tests.support.depth import depth, whole_tests
from tests.support.endgame import values
from tests.support.games import random_players, random_rules
from tests.support.indistinguishable_deals import permuted
from tests.support.table import table
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
        assert verdict.half_of(verdict.candidates[0]) == (verdict.high - verdict.low) / 2
        assert verdict.half_of(own) == 0
        if target == 5000:
            assert (why.points, why.half) == (pytest.approx(verdict.loss), verdict.half)
        else:
            assert why.half == pytest.approx(2.24 * verdict.points_error)
        if why.points > 0.05 and why.code != "why.match":
            half_shown = f"{why.half:.0f}" if why.half >= 9.95 else f"{why.half:.1f}"
            assert f" ± {half_shown}" in why.sentence
    assert found > 5


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
        ({"seat": 2}, IndexError, "the record has seats 0 to 1, and no seat 2"),
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
def test_the_account_is_what_playing_out_brings(name: str, players: int) -> None:
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
    assert (Budget.of("9000").worlds, Budget.of("9000").explore) == (9000, 1024)


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
                r" costs (\d+(\.\d)?|(less than )?\d+\.\d% of the match) with best play by all from there; "
                r"every card was known\.$",
                verdict.why.sentence,
            )


# --- reasons --------------------------------------------------------------------------------------


def gift() -> State:
    """A discard of K♥ gives the other player a third king; the first two were taken from the pile."""
    rules = ruleset("500-rum")
    own, other, pile = "KH 2D 4S 9D 7S", "KS KD 3S JC 5H", "6C"
    seen = set(cards_from_text(f"{own} {other} {pile}"))
    rest = [card for card in rules.deck(2) if card not in seen]
    random.Random(1).shuffle(rest)
    state = table(rules, [own, other], pile=pile, stock=cards_text(rest), phase="play")
    known = [0] * 8
    known[1] = sum(1 << card for card in cards_from_text("KS KD"))
    state.core.k1 = known
    return state


def test_a_gift_is_marked_and_named() -> None:
    state = gift()
    view = state.view(0)
    for budget in ("quick", "usual", "deep"):
        verdict = Judge(BUDGETS[budget]).judge(view, encode(Discard(cards_from_text("KH")[0])))
        assert verdict is not None and verdict.mark is Mark.BLUNDER and verdict.why is not None
        assert not verdict.disputed and verdict.kind is DecisionKind.DISCARD
        assert verdict.worlds == (1_024 if budget == "deep" else 256), "it is clear at the first look"
        (reason,) = [reason for reason in verdict.why.reasons if reason.code == "why.gift"]
        assert reason.params["played"] > 40 and reason.params["best"] < 10 and reason.points > 8
    assert verdict.why.sentence.startswith("Throwing K♥ costs ")
    assert "because the next player takes it (in " in verdict.why.sentence
    safe = Judge().judge(view, encode(parse_play(verdict.best, view)))
    assert safe is not None and safe.mark is Mark.GOOD and safe.loss < 3
    good = {candidate.text for candidate in safe.candidates if candidate.as_good}
    assert verdict.best in good and "discard KH" not in good


def at_stake(name: str, players: int) -> Stakes:
    """What the first deal of a match is about."""
    rules = ruleset(name)
    return stakes(State.new(rules, players, rules.deck(players)).view(0))


def measured(*parts: int, spread: int = 1, rates: tuple[int, ...] = (0, 0, 0, 0, 0)) -> Measured:
    """100 worlds in which the best leads by these parts in each, with some spread."""
    row = (*parts, sum(parts), 0, 0, *(-rate for rate in rates))
    sums = tuple(100 * each for each in row)
    squares = tuple(100 * (each * each + spread * (each != 0)) for each in row)
    return Measured((0,) * len(MEASURE_NAMES), sums, squares, 100)


def test_only_sure_and_large_reasons_are_named() -> None:
    what = at_stake("500-rum", 4)
    limits = CauseLimits(event=41, cards=10)
    clear = explain(measured(0, 0, 30, 6, 0), what, Discard(1), Discard(2), limits)
    assert [reason.code for reason in clear.reasons] == ["why.others_lay", "why.others_keep"]
    assert clear.sentence.endswith(
        "10 because the others lay more, 2.0 because the others are left with fewer points in hand."
    )
    what = at_stake("persian-rummy", 4)
    doubtful = explain(measured(0, 0, 10, 2, 0, spread=10**6), what, Discard(1), Discard(2), limits)
    assert doubtful.code == "why.small" and doubtful.reasons == ()
    many = explain(measured(3, 3, 3, 3, 0), what, Draw(), Take(1), limits)
    assert many.code == "why.costs" and len(many.reasons) == 2 and many.reasons[0].code == "why.pile_left"
    spread_out = explain(measured(3, 2, 3, 2, 3), what, Draw(), Take(1), limits)
    assert spread_out.code == "why.small" and "many small things" in spread_out.sentence
    net = explain(measured(9, 6, -5, 0, 0), what, Discard(1), Discard(2), limits)
    assert net.sentence == (
        "Throwing 2♠ costs 10 ± 0.2: 9.0 because you lay less, 6.0 because more is left in your hand; "
        "5.0 of that comes back in other ways."
    )
    assert net.gained == 5
    without = explain(measured(9, 2, -1, 0, 0, spread=0), what, Discard(1), Discard(2), limits)
    assert without.gained == 0 and without.sentence == (
        "Throwing 2♠ costs 10: 9.0 because you lay less, 2.0 because more is left in your hand."
    ), "a tenth is too little to be shown, and so is an interval without width"
    main = explain(measured(0, 0, 20, 2, 0), what, Discard(1), Discard(2), limits)
    assert [reason.points for reason in main.reasons] == [20], "two points of 22 are no reason"


@pytest.mark.parametrize(
    ("name", "players", "others", "words"),
    [
        ("500-rum", 2, "opponent", ("your opponent lays more", "your opponent is left with fewer points")),
        ("500-rum", 3, "others", ("the others lay more", "the others are left with fewer points")),
        ("partnership-500-rum", 4, "side", ("the other side lays more", "the other side is left with fewer")),
    ],
)
def test_the_others_are_called_what_they_are(
    name: str, players: int, others: str, words: tuple[str, str]
) -> None:
    each = players - 1 if others == "others" else 1
    sums = measured(0, 0, 10 * each, 4 * each, 0)
    why = explain(sums, at_stake(name, players), Discard(1), Discard(2), CauseLimits(event=41, cards=10))
    assert why.others == others
    assert all(said in why.sentence for said in words)


def test_loss_of_chance_alone_is_given_in_percent() -> None:
    sums = measured(-1, 0, 0, 0, 0)
    at = MEASURE_NAMES.index("chance")
    sums = replace(sums, best=tuple(400 if i == at else each for i, each in enumerate(sums.best)))
    why = explain(
        replace(sums, squares=(10**9,) * len(MEASURE_NAMES)),
        at_stake("500-rum", 2),
        Draw(),
        Take(1),
        CauseLimits(41, 10),
    )
    assert why.sentence == (
        "Drawing from the stock costs 0.4% of the match: hard to say why, many small things."
    )


def shares(part: int, points: int, **percent: int) -> str:
    """The code of the reason for so many points in a part, if things happen more often by so many percent."""
    what = at_stake("500-rum", 2)
    parts, names = [0] * 5, MEASURE_NAMES[8:]
    parts[part] = points
    sums = measured(*parts)
    more = tuple(percent.get(name, 0) for name in names)
    sums = replace(
        sums,
        played=(*sums.played[:8], *more),
        best=(*sums.best[:8], *(0 for _ in more)),
        squares=(*sums.squares[:8], *more),
    )
    why = explain(sums, what, Discard(1), Discard(2), CauseLimits(event=41, cards=10))
    (reason,) = why.reasons
    assert reason.params.get("played", 0) in (0, *more)
    return reason.code


def test_a_cause_is_named_only_if_it_can_make_up_half_of_its_part() -> None:
    """To be left with ten points in a third of the deals does not cost ten; no event costs more than 41."""
    assert shares(1, 6, caught=30) == "why.caught"
    assert shares(1, 7, caught=30) == "why.held"
    assert shares(2, 16, next_takes=20) == "why.gift"
    assert shares(2, 17, next_takes=20) == "why.others_lay"
    assert shares(3, 16, other_out=20) == "why.slow"
    assert shares(3, 17, other_out=20) == "why.others_keep"
    assert shares(0, 16, out=20) == "why.rush"
    assert shares(0, 17, out=20) == "why.own_lay"
    assert shares(2, 1, next_takes=8) == "why.gift"
    assert shares(2, 1, next_takes=4) == "why.others_lay", "too little to be sure"


def test_to_be_left_with_one_of_some_cards_is_not_to_be_left_with_all() -> None:
    cards = tuple(cards_from_text("8D 9D 10D"))
    reason = LossReason("why.caught", 5.1, 0.5, {"cards": cards, "played": 27, "best": 0})
    assert reason.text("opponent") == "5.1 because you are left with 8♦, 9♦ or 10♦ (in 27% of deals)"


def test_the_score_is_named_only_where_it_surely_counts() -> None:
    what = at_stake("500-rum", 2)
    assert what.of_chance
    for chance, code in ((30, "why.match"), (10, "why.small")):
        sums = measured(0, 0, 0, 0, 0)
        at = MEASURE_NAMES.index("chance")
        best = tuple(100 * chance if i == at else 0 for i, _ in enumerate(MEASURE_NAMES))
        squares = tuple(100 * 100**2 if i == at else 0 for i, _ in enumerate(MEASURE_NAMES))
        why = explain(
            replace(sums, best=best, squares=squares), what, Discard(1), Discard(2), CauseLimits(41, 10)
        )
        assert (why.code, why.chance) == (code, chance / 1000)


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
