"""The reasons that a review gives: only certain and large ones, named for what happened."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rum500 import State
from rum500.ai.search import MEASURE_NAMES
from rum500.cards import card_symbol, cards_from_text, cards_text
from rum500.intervals import Z_OF_LOOKS
from rum500.review.judge import Judge
from rum500.review.loss_reasons import CauseLimits, EventRate, LossReason, Measured, Why, explain
from rum500.review.loss_words import in_percent, with_half
from rum500.review.stakes import Stakes, stakes
from rum500.review.verdict import BUDGETS, Budget, DecisionKind, Mark
from rum500.rules.action_codes import encode
from rum500.rules.actions import Discard, Draw, Take
from rum500.rules.notation import parse_play
from rum500.rules.profiles import ruleset
from tests.support.table import table

pytestmark = pytest.mark.compiled


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
    for budget in ("quick", "usual"):
        verdict = Judge(BUDGETS[budget]).judge(view, encode(Discard(cards_from_text("KH")[0])))
        assert verdict is not None and verdict.mark is Mark.BLUNDER and verdict.why is not None
        assert not verdict.disputed and verdict.kind is DecisionKind.DISCARD
        assert verdict.worlds == 256, "it is clear at the first look"
    many = Budget("many", 8_192, whole=True)
    verdict = Judge(many).judge(view, encode(Discard(cards_from_text("KH")[0])))
    assert verdict is not None and verdict.why is not None
    (reason,) = [reason for reason in verdict.why.reasons if reason.code == "why.gift"]
    assert reason.params["played"] > 40 and reason.params["best"] < 10 and reason.points > 5
    assert verdict.why.sentence.startswith("Throwing K♥ costs ")
    assert "because the opponent takes it at once (in " in verdict.why.sentence
    safe = Judge().judge(view, encode(parse_play(verdict.best, view)))
    assert safe is not None and safe.mark is Mark.GOOD and safe.loss < 3
    good = {candidate.text for candidate in safe.candidates if candidate.as_good}
    assert verdict.best in good and "discard KH" not in good


def at_stake(name: str, players: int) -> Stakes:
    """What the first deal of a match is about."""
    rules = ruleset(name)
    return stakes(State.new(rules, players, rules.deck(players)).view(0))


def measured(*parts: int, spread: int = 1) -> Measured:
    """100 worlds in which the best leads by these parts in each, with some spread, and no event happens."""
    row = (*parts, *(0 for _ in MEASURE_NAMES[5:]))
    row = tuple(sum(parts) if name == "points" else its for name, its in zip(MEASURE_NAMES, row, strict=True))
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
        "Throwing 2♠ costs 10: 9.0 because less is laid, 6.0 because more is left in the hand at the end; "
        "5.0 of that comes back in other ways."
    )
    assert net.gained == 5
    without = explain(measured(9, 2, -1, 0, 0, spread=0), what, Discard(1), Discard(2), limits)
    assert without.gained == 1 and without.sentence == (
        "Throwing 2♠ costs 10: 9.0 because less is laid, 2.0 because more is left in the hand at the end; "
        "1.0 of that comes back in other ways."
    ), "an interval without width is not shown"
    one, other = without.reasons
    hardly = replace(without, reasons=(one, replace(other, points=1.6)))
    assert hardly.gained == 0, "less than the last digit of the loss that is shown"
    mixed = explain(measured(30, 10, -20, 0, 0), what, Discard(1), Discard(2), limits)
    assert (mixed.code, mixed.reasons, mixed.gained) == ("why.mixed", (), 0)
    assert mixed.sentence.endswith("what is lost in one way comes back in another, but not all of it.")
    main = explain(measured(0, 0, 20, 2, 0), what, Discard(1), Discard(2), limits)
    assert [reason.points for reason in main.reasons] == [20], "two points of 22 are no reason"


@pytest.mark.parametrize(
    ("name", "players", "others", "words"),
    [
        ("500-rum", 2, "opponent", ("the opponent lays more", "the opponent is left with fewer points")),
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


@pytest.mark.parametrize(
    ("points", "half", "shown"),
    [
        (14, 3.8, "14 ± 4"),
        (5, 3.24, "5.0 ± 3.2"),
        (9.94, 12.3, "9.9 ± 12.3"),
        (-13.6, 7.5, "-14 ± 8"),
        (14, 0.4, "14"),
        (1.2, 0.04, "1.2"),
        (14.4, 13.6, "14 ± 13"),
        (3.14, 3.12, "3.1 ± 3.0"),
        (3.14, 3.15, "3.1 ± 3.1"),
        (0.12, 0.11, "0.1"),
    ],
)
def test_points_and_their_interval_have_as_many_decimals(points: float, half: float, shown: str) -> None:
    """Rounding never makes an interval above zero reach it."""
    assert with_half(points, half) == shown


def test_only_exact_shares_are_0_or_100_percent() -> None:
    assert [in_percent(share) for share in (0, 0.001, 0.014, 0.5, 0.996, 1)] == [0, 1, 1, 50, 99, 100]


def test_loss_of_chance_alone_is_given_in_percentage_points() -> None:
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
        "Drawing from the stock lowers the chance to win the match by 0.4 percentage points: "
        "hard to say why, many small things."
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
    left = "8♦, 9♦ or 10♦ is left in the hand at the end"
    assert reason.text("opponent") == f"5.1 because {left} (in 27% of deals)"


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


@pytest.mark.parametrize(
    ("points", "spread", "code", "ending"),
    [
        (4, 400, "why.match", "; in points of this deal it is too close to tell."),
        (-1, 400, "why.match", ": the score counts for more than the points of this deal."),
        (5, 400, "why.costs", " costs 5.0 ± 4.5: 5.0 because the opponent lays more."),
    ],
)
def test_no_interval_of_a_marked_loss_reaches_zero(points: int, spread: int, code: str, ending: str) -> None:
    """In a match to a target the mark goes by the chance, although the points of the deal may be chance."""
    what = at_stake("500-rum", 2)
    sums = measured(0, 0, points, 0, 0, spread=spread)
    rows = [list(row) for row in (sums.best, sums.squares)]
    for name in ("value", "chance"):
        at = MEASURE_NAMES.index(name)
        rows[0][at], rows[1][at] = 3_000, 100 * 31**2
    best, squares = map(tuple, rows)
    why = explain(
        replace(sums, best=best, squares=squares), what, Discard(1), Discard(2), CauseLimits(41, 10)
    )
    shown = replace(why, half=Z_OF_LOOKS * why.error)
    assert (shown.code, shown.chance) == (code, 0.03) and shown.sentence.endswith(ending)
    assert shown.code == "why.match" or shown.half < shown.points


@pytest.mark.parametrize(
    ("rates", "gains", "named"),
    [
        ({"out": (20, 40), "other_gets": (70, 50)}, {"out": 10, "other_gets": 60}, "other_gets"),
        ({"out": (20, 40), "other_gets": (70, 50)}, {"out": 60, "other_gets": 10}, "out"),
        ({"took_back": (0, 40)}, {"took_back": 25}, "took_back"),
        ({"took_back": (0, 40)}, {"took_back": 24}, None),  # it explains too little
        ({"took_back": (40, 0)}, {"took_back": 60}, None),  # it does good
        ({"caught": (40, 0)}, {"caught": 60}, None),
    ],
)
def test_the_change_that_explains_most_is_named(
    rates: dict[str, tuple[int, int]], gains: dict[str, int], named: str | None
) -> None:
    """Each of a hundred deals loses a point; `gains` are the points in deals where an event differs."""
    sums = measured(1, 0, 0, 0, 0)
    at = {name: place for place, name in enumerate(MEASURE_NAMES)}
    played, best, squares = (list(row) for row in (sums.played, sums.best, sums.squares))
    best[at["value"]] = 100
    for name, (before, after) in rates.items():
        played[at[name]], best[at[name]], squares[at[name]] = before, after, abs(after - before)
    contrasts = tuple((gains.get(name, 0), 0) for name in MEASURE_NAMES)
    sums = Measured(tuple(played), tuple(best), tuple(squares), 100, contrasts)
    what, limits = at_stake("500-rum", 2), CauseLimits(event=41, cards=10)
    found = explain(sums, what, Discard(1), Discard(2), limits)
    assert (None if found.change is None else found.change.name) == named
    assert bool(found.change_sentence) == (named is not None)
    if named == "took_back":
        card = card_symbol(2)
        assert found.change_sentence == f"Thrown instead, {card} comes back with the pile in 40% of deals."
    if named == "out":
        assert found.change_sentence == "Going out works in 20% of deals; after the best play in 40%."
        assert found.change is not None
        never = replace(found, change=replace(found.change, played=0.0))
        assert never.change_sentence == "After the best play, going out works in 40% of deals."
    if named == "other_gets":
        one, two = card_symbol(1), card_symbol(2)
        assert found.change_sentence == f"The opponent takes {one} in 70% of deals, {two} in 50%."
    other = explain(sums, what, Draw(), Take(1), limits).change
    assert other is None or other.name != "other_gets"


def test_a_change_is_said_once_and_is_enough_of_a_reason() -> None:
    change = EventRate("next_takes", 0.92, 0.33, 0.01)
    both = LossReason("why.pile_given", 8.0, 1.0, {"played": 92, "best": 33})
    other = LossReason("why.slow", 8.0, 1.0, {"played": 92, "best": 33})

    def why(code: str, *reasons: LossReason, points: float = 8.0, chance: float | None = None) -> Why:
        return Why(code, points, 1.0, 2.0, chance, (), (), reasons, "opponent", "Drawing", change)

    assert why("why.costs", both).change_sentence == ""
    assert why("why.costs", other).change_sentence.startswith(
        "The opponent takes from the pile at once in 92%"
    )
    for code in ("why.small", "why.mixed"):
        assert why(code).cost == "Drawing costs 8.0 ± 2.0."
    assert (
        why("why.small", points=0.0, chance=0.03).cost
        == "Drawing lowers the chance to win the match by 3.0 percentage points."
    )
    assert why("why.costs", both).cost == why("why.costs", both).sentence


def test_reasons_leave_out_the_rates_of_the_plan() -> None:
    """They come from other deals than those of the plan, and so differ a little."""
    gift = LossReason("why.gift", 8.0, 1.0, {"played": 42, "best": 8})
    slow = LossReason("why.slow", 6.0, 1.0, {"played": 36, "best": 18})
    why = Why("why.costs", 14.0, 1.0, 2.0, None, (), (), (gift, slow), "side", "Throwing Q♥")
    assert why.without_rates("next_takes").sentence == (
        "Throwing Q♥ costs 14 ± 2: 8.0 because the next player takes it at once, "
        "6.0 because the other side goes out first (in 36% of deals, 18% after the best play)."
    )
    assert why.without_rates("out") == why
    caught = replace(gift, code="why.caught", params={"cards": tuple(cards_from_text("5H")), "played": 90})
    assert "8.0 because 5♥ is left in the hand at the end, " in (
        replace(why, reasons=(caught, slow)).without_rates("caught").sentence
    )


def test_rate_of_zero_after_the_best_play_reads_never() -> None:
    gift = LossReason("why.gift", 8.0, 1.0, {"played": 42, "best": 0})
    assert (
        gift.text("side")
        == "8.0 because the next player takes it at once (in 42% of deals, never after the best play)"
    )
    change = EventRate("other_out", 0.35, 0.0, 0.01)
    why = Why("why.small", 8.0, 1.0, 2.0, None, (), (), (), "opponent", "Drawing", change)
    assert why.change_sentence == "The opponent goes out in 35% of deals; after the best play never."
    melded = {"cards": tuple(cards_from_text("QS JK"))}
    assert (
        LossReason("why.hold", 8.0, 1.0, melded)
        .text("side")
        .startswith("8.0 because not laying Q♠ joker now")
    )


def test_loss_of_chance_is_given_where_points_count_for_more() -> None:
    why = Why("why.costs", 4.0, 1.0, 2.0, 0.021, (), (), (), "opponent", "Drawing")
    assert why.worth(17.0) == "The chance to win the match falls by 2.1 percentage points."
    assert why.worth(4.9) == "", "about as much as at the start of a match"
    assert replace(why, chance=None).worth(17.0) == replace(why, code="why.match").worth(17.0) == ""
