"""The deeds of matches and days: each with a deal that proves it and one that just misses it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rum500 import State, encode, ruleset
from rum500.rules.notation import parse_play
from rum500.server.live.finished.deeds import DEEDS
from rum500.server.live.finished.played_match import PlayedDeal, PlayedMatch, Proof
from rum500.server.practice.long_deeds import LONG_DEEDS, Past
from rum500.store import DayAttempt, ReviewSum
from tests.support.table import table
from tests.test_store_parts import result

FIND = {one.name: one.find for one in DEEDS}


def deal(state: State, *plays: str, number: int = 1, **fields: Any) -> PlayedDeal:
    """Return a deal that was played like this from a position, as the log of a match has it."""
    now, codes = state.copy(), []
    for play in plays:
        codes.append(encode(parse_play(play, now)))
        now.apply(play)
    accounts = state.rules.sides or state.players
    chosen = {"points": (0,) * accounts, "totals": (0,) * accounts, "seating": range(state.players)}
    return PlayedDeal(number=number, first=state, plays=codes, **chosen | fields)


def match(*deals: PlayedDeal, winners: Sequence[int] = ()) -> PlayedMatch:
    return PlayedMatch(deals[0].first.rules, deals, winners)


def proof(name: str, *deals: PlayedDeal, player: int = 0, winners: Sequence[int] = ()) -> Proof | None:
    """Return the proof of a deed of a player in a match of these deals."""
    return FIND[name](match(*deals, winners=winners), player)


def whole_pile(pile: str, count: int, points: int) -> PlayedDeal:
    state = table("500-rum", ["7S 7D KC", "2H 3H 4D"], pile=f"7H {pile}")
    return deal(state, f"take {count}", "meld 7S 7H 7D", "discard KC", points=(points, 0))


NINE = "9C 2D JS 6S QD 3C KH 8D 10S"


def test_ten_cards_of_the_pile_and_more_than_zero_are_a_whole_pile() -> None:
    assert proof("whole_pile", whole_pile(NINE, 10, 1)) == Proof(1, 0)
    assert proof("whole_pile", whole_pile(NINE, 10, 0)) is None
    assert proof("whole_pile", whole_pile(NINE[3:], 9, 1)) is None
    assert proof("whole_pile", whole_pile(NINE, 10, 1), player=1) is None


def bait(hand: str, *first: str) -> PlayedDeal:
    state = table("500-rum", [hand, "2H 3H JD QC"], pile="KS", stock="5C 6C 8D 9H")
    return deal(state, *first)


def test_a_card_of_ones_own_meld_that_comes_back_with_the_pile_is_bait() -> None:
    thrown = ("draw", "discard 9S", "draw", "discard JD")
    back = ("take 2", "meld 9S 9C 9D")
    assert proof("bait", bait("9S 9C 9D 4H AC", *thrown, *back, "discard AC")) == Proof(1, 4)
    assert proof("bait", bait("9S 9C 9D 4H AC", *thrown, "draw", "discard AC")) is None
    alone = bait("9S 9C 4H AC 2C", "draw", "discard 9S", "draw", "discard JD")
    assert proof("bait", alone) is None


def test_a_card_that_made_no_meld_when_it_was_thrown_is_no_bait() -> None:
    state = table("500-rum", ["9S 9C 4H AC", "2H 3H JD QC"], pile="KS", stock="5C 6C 9D 9H")
    played = ("draw", "discard 9S", "draw", "discard JD", "draw", "discard 4H", "draw", "discard QC")
    later = deal(state, *played, "take 4", "meld 9S 9C 9D", "discard AC")
    assert proof("bait", later) is None


def out(hand: str, *plays: str) -> PlayedDeal:
    return deal(table("500-rum", [hand, "2H 3H JD QC"], pile="KS", stock="8S 6C 9D 9H"), *plays)


def test_going_out_from_seven_cards_is_all_at_once() -> None:
    seven = out("9S 10S 9C 9D KD KC KH", "draw", "meld 8S 9S 10S", "meld KD KC KH", "discard 9C")
    assert proof("all_at_once", seven) is None  # 9D is left
    whole = out("9S 10S 5D 6D 7D 8D KH", "draw", "meld 8S 9S 10S", "meld 5D 6D 7D 8D", "discard KH")
    assert proof("all_at_once", whole) == Proof(1, 3)
    six = out("9S 10S 5D 6D 7D KH", "draw", "meld 8S 9S 10S", "meld 5D 6D 7D", "discard KH")
    assert proof("all_at_once", six) is None
    bot = out("9S 10S 5D 6D 7D 8D KH", "draw", "meld 8S 9S 10S", "meld 5D 6D 7D 8D", "discard KH")
    bot.stand_ins = frozenset({3})
    assert proof("all_at_once", bot) is None


def level(*totals: int, number: int = 2, game: str = "500-rum") -> PlayedDeal:
    state = table(game, ["9S 9C", "2H 3H"], pile="KS")
    return deal(state, "draw", "discard 9S", number=number, totals=totals)


def test_a_win_after_150_behind_is_from_far_behind() -> None:
    deals = (level(0, 0, number=1), level(-40, 110), level(300, 200, number=3))
    assert proof("far_behind", *deals, winners=[0]) == Proof(3, 1)
    assert proof("far_behind", *deals, winners=[1]) is None
    assert proof("far_behind", level(-39, 110), winners=[0]) is None


def test_a_win_in_a_deal_after_the_target_was_reached_level_is_a_deciding_deal() -> None:
    assert proof("deciding_deal", level(0, 0, number=1), level(510, 510), winners=[0]) == Proof(2, 1)
    assert proof("deciding_deal", level(0, 0, number=1), level(510, 510), winners=[1]) is None
    assert proof("deciding_deal", level(0, 0, number=1), level(495, 495), winners=[0]) is None


def sides(owner: int, last: str, *plays: str) -> PlayedDeal:
    hands = ["2C 3D", "4C 6D", last, "JC JD"]
    state = table("partnership-500-rum", hands, pile="KS", stock="QH", melds=[(owner, "7H 8H 9H")], turn=2)
    return deal(state, *plays)


def test_a_partner_who_goes_out_on_ones_own_meld_is_a_good_partner() -> None:
    off = ("draw", "meld QH QS QD", "lay 10H on 1")
    assert proof("good_partner", sides(0, "QS QD 10H", *off)) == Proof(1, 2)
    assert proof("good_partner", sides(1, "QS QD 10H", *off)) is None
    assert proof("good_partner", sides(0, "QS QD 10H", *off), player=2) is None
    thrown = ("draw", "meld QH QS QD", "discard 10C")
    assert proof("good_partner", sides(0, "QS QD 10C", *thrown)) is None


def run(hand: str, *plays: str) -> PlayedDeal:
    state = table("500-rum", [hand, "2H 3H 4D JD"], pile="KS", stock="AC 6H", melds=[(1, "JC QC KC")])
    return deal(state, *plays)


def test_a_run_of_seven_own_cards_is_seven_high() -> None:
    assert proof(
        "seven_high", run("3S 4S 5S 6S 7S 8S 9S 2D 2C", "draw", "meld 3S 4S 5S 6S 7S 8S 9S")
    ) == Proof(1, 1)
    two = run("3S 4S 5S 6S 7S 8S 9S 2D 2C", "draw", "meld 3S 4S 5S 6S", "lay 7S 8S 9S on 2")
    assert proof("seven_high", two) == Proof(1, 2)
    six = run("3S 4S 5S 6S 7S 8S 2D 2C", "draw", "meld 3S 4S 5S 6S 7S 8S")
    assert proof("seven_high", six) is None
    other = run("8C 9C 10C 7C 2D 2S", "draw", "lay 7C 8C 9C 10C on 1")
    assert proof("seven_high", other) is None


def call(*plays: str, hands: Sequence[str] = ("KC 9S 2D", "3C 4H JD", "5C 7H QD")) -> PlayedDeal:
    rules = ruleset("500-rum").changed(house_rules=("H6",))
    state = table(rules, hands, pile="4C", melds=[(0, "6S 7S 8S")], phase="play")
    return deal(state, "discard 9S", *plays)


def test_a_call_that_others_could_have_made_is_one_that_nobody_else_had_seen() -> None:
    assert proof("rummy", call("let go", "call 9S"), player=2) == Proof(1, 2)
    assert proof("rummy", call("call 9S"), player=1) == Proof(1, 1)
    assert proof("rummy", call("let go", "call 9S"), player=1) is None
    assert proof("rummy", call("call 9S", hands=("KC 9S 2D", "3C 4H JD")), player=1) is None


def jokers(hand: str, *plays: str) -> PlayedDeal:
    state = table("persian-rummy", [hand, "2H 3H", "4D JD", "5C 6C"], pile="KS", stock="AC 6H")
    return deal(state, *plays)


def test_four_jokers_in_one_play() -> None:
    hand = "JK JK JK JK 2D 3C"
    assert proof("four_jokers", jokers(hand, "draw", "meld JK JK JK JK")) == Proof(1, 1)
    assert proof("four_jokers", jokers(hand, "draw", "meld JK JK JK", "lay JK on 1")) is None


# --- several deals and days -------------------------------------------------------------------------------

LONG = {one.name: one for one in LONG_DEEDS}
FIRST = date(2026, 11, 2).toordinal()


def standing(name: str, **fields: Any) -> tuple[int, int | None]:
    """Return (how far, the deal or the day of the proof)."""
    nothing: dict[str, Any] = {"sums": [], "rows": {}, "attempts": {}, "club": {}}
    count, reached = LONG[name].find(Past("ann", **nothing | fields), LONG[name].goal)
    return count, None if reached is None else reached.at


def sums(*bad: int | None) -> dict[str, Any]:
    """Reviews of deals, by their numbers of mistakes; None if a decision has no verdict."""
    found = [
        ReviewSum(
            guest_id="ann", table_id="t1", deal=at, at=at, play=0.0, play_error=0.0, decisions=9,
            marks=None if one is None else {"doubtful": 3, "mistake": one, "blunder": 0}, mistakes=None,
        )
        for at, one in enumerate(bad, 1)
    ]  # fmt: skip
    return {"sums": found, "rows": {"t1": result("t1")}}


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ([0] * 10, (10, 10)),
        ([0] * 9, (9, None)),
        ([0] * 5 + [1] + [0] * 9, (9, None)),
        ([0] * 5 + [None] + [0] * 5, (10, 11)),
        ([0] * 10 + [2], (0, 10)),
    ],
)
def test_ten_reviewed_deals_without_mistakes_are_a_clean_sheet(
    bad: list[int | None], found: tuple[int, int | None]
) -> None:
    assert standing("clean_sheet", **sums(*bad)) == found


def attempts(*points: int | None) -> dict[int, DayAttempt]:
    """Attempts of consecutive days, by their points; None if not played."""
    return {
        FIRST + at: DayAttempt(
            day=FIRST + at, guest_id="ann", table_id=f"d{at}", status="over", points=one, at=at
        )
        for at, one in enumerate(points, 1)
        if one is not None
    }


@pytest.mark.parametrize(
    ("played", "found"),
    [
        ([1] * 7, (7, 7)),
        ([1] * 6, (6, None)),
        ([1, None, *[1] * 6], (7, 8)),
        ([1, None, None, *[1] * 6], (6, None)),
    ],
)
def test_seven_deals_of_the_day_in_a_row(played: list[int | None], found: tuple[int, int | None]) -> None:
    assert standing("seven_days", attempts=attempts(*played)) == found


@pytest.mark.parametrize(
    ("points", "found"),
    [
        ([31] * 5, (5, 5)),
        ([31, 31, 31, 31, 30], (0, None)),
        ([31] * 4, (4, None)),
        ([31, 31, None, 31, 31, 31], (3, None)),
    ],
)
def test_five_days_ahead_of_club_in_a_row(points: list[int | None], found: tuple[int, int | None]) -> None:
    club = {FIRST + at: 30.0 for at in range(1, 10)}
    assert standing("ahead_of_club", attempts=attempts(*points), club=club) == found


def test_a_deed_of_days_is_proved_by_the_table_of_the_day() -> None:
    found = LONG["seven_days"].find(Past("ann", [], {}, attempts(*[1] * 9), {}), 7).reached
    assert found is not None
    assert (found.table_id, found.name, found.deal) == ("d7", "seven_days", 1)


def test_each_deed_has_its_condition_on_the_page_and_in_the_documentation() -> None:
    texts = json.loads(Path("web/messages/en/progress.json").read_text("utf-8"))
    declared = {one.name: one.condition for one in (*DEEDS, *LONG_DEEDS)}
    assert len(declared) == 12
    assert {name: texts[f"progress_deed_{name}_line"] for name in declared} == declared
    page = Path("docs/progress.md").read_text("utf-8")
    for name, condition in declared.items():
        assert f"| {texts[f'progress_deed_{name}']} | {condition} |" in page
