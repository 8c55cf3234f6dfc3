"""A deal on one line: the gaps add up, the same seed gives the same games, and the company counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from rum500 import ruleset
from rum500.bots import numbered_levels
from rum500.bots.staircase import steps
from rum500.review.breakdown import deal_breakdowns
from rum500.review.company import PlayerKind, company, kind_of_bot
from rum500.review.deal_line import GAMES, SEED, DealLine, deal_line, whole
from rum500.review.luck import mean_margins
from rum500.review.match_chances import match_chances, percents
from rum500.review.play_value import play_of_deal, play_value
from rum500.review.played_deal import PlayedDeal, margins
from tests.support.reviewed import bots_record

pytestmark = pytest.mark.compiled

GAMES_OF_ALL_KINDS = [
    ("500-rum", 2),
    ("500-rum", 3),
    ("michigan-rum", 3),
    ("partnership-500-rum", 4),
    ("persian-rummy", 4),
]


@pytest.mark.parametrize(("profile", "players"), GAMES_OF_ALL_KINDS)
def test_gaps_add_up_exactly(profile: str, players: int) -> None:
    rules = ruleset(profile)
    played = PlayedDeal.of(bots_record(rules, ["casual", "club", "greedy", "club"][:players], 3), 1)
    for seat, result in enumerate(margins(played.final.scores(), rules)):
        line = deal_line(played, seat, ["casual"] * players)
        assert line.you == whole(result)
        assert line.cards + line.play == line.you - line.average
        assert line.low <= line.high
        assert line == deal_line(played, seat, ["casual"] * players)
        own = ["club" if other == seat else "casual" for other in range(players)]
        mean = mean_margins(rules, own, played.final.totals, played.final.dealer)
        assert line.average == whole(mean[seat])
        assert line.as_dict() | {"games": GAMES, "seed": SEED} == line.as_dict()


def test_halves_are_rounded_away_from_0() -> None:
    assert [whole(Fraction(points, 2)) for points in (-5, -4, -1, 0, 1, 5)] == [-3, -2, -1, 0, 1, 3]


@pytest.mark.parametrize(
    ("you", "standing"), [(-21, "below"), (-20, "as_good"), (7, "as_good"), (8, "above")]
)
def test_standing_is_by_the_middle_half(you: int, standing: str) -> None:
    assert DealLine(0, 0, 3, -20, 7, you).standing == standing


def test_each_player_draws_the_cards_that_it_drew_in_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games differ in the order of the cards, not in whose they are."""
    from rum500.review import deal_line as module

    played = PlayedDeal.of(bots_record(ruleset("500-rum"), ["casual", "club"], 4), 1)
    own = [Counter(cards) for cards in module._drawn(played)]
    assert all(own)
    drawn: list[list[Counter[int]]] = []
    put = module._put_next_card_on_top

    def noted(core, coming):
        if not drawn or drawn[-1][2] is not coming:
            drawn.append([Counter(), Counter(), coming])
        put(core, coming)
        drawn[-1][core.actor][int(core.stock_cards()[0])] += 1

    monkeypatch.setattr(module, "_put_next_card_on_top", noted)
    line = deal_line(played, 0)
    assert len(drawn) == GAMES
    for *cards, _ in drawn:
        for seat in (0, 1):
            assert cards[seat] <= own[seat] or own[seat] <= cards[seat]
    assert line.low < line.high
    assert len({tuple(map(str, cards[:2])) for cards in drawn}) > 1


def test_club_with_its_own_cards_is_usually_as_good_as_club() -> None:
    """Half of `club`'s deals lie inside the band on average; over ten deals at least three."""
    record = bots_record(ruleset("500-rum"), ["club", "club"], 11, deals=10)
    lines = [deal_line(PlayedDeal.of(record, number), 0) for number in range(1, 11)]
    assert sum(line.standing == "as_good" for line in lines) >= 3
    assert abs(sum(line.play for line in lines)) < abs(sum(line.you for line in lines)) + 200


def test_a_deal_that_is_not_finished_has_no_line() -> None:
    played = PlayedDeal.of(bots_record(ruleset("500-rum"), ["club", "club"], 11, most=6), 1)
    with pytest.raises(ValueError, match="not finished"):
        deal_line(played, 0)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_has_no_line(seat: int) -> None:
    record = bots_record(ruleset("500-rum"), ["club", "club"], 11)
    with pytest.raises(IndexError, match=f"^there are seats 0 to 1, and no seat {seat}$"):
        deal_line(PlayedDeal.of(record, 1), seat)
    with pytest.raises(IndexError, match=f"no seat {seat}"):
        next(deal_breakdowns(record, worlds=16, orders=4, lines=[seat]))


def test_bots_are_known_by_their_level_and_people_by_their_plays() -> None:
    rules = ruleset("500-rum")
    assert kind_of_bot("greedy", rules, 2) == PlayerKind("casual", "bot", "greedy")
    assert kind_of_bot("strong", rules, 2) == PlayerKind("club", "bot", "strong")
    assert kind_of_bot("my_bot", rules, 2) is None
    for level, position in zip(numbered_levels(), steps(rules, 2), strict=True):
        found = kind_of_bot(level.name, rules, 2)
        assert found is not None and (found.kind == "club") == (position >= 1.5)
    assert company(["casual", "", ""], [None, None, "casual", "my_bot"], rules, 4) == (
        PlayerKind("casual", "play"),
        PlayerKind("club", "assumed"),
        PlayerKind("casual", "bot", "casual"),
        PlayerKind("club", "assumed"),
    )


def test_play_is_measured_against_the_company() -> None:
    """A player who lays at once is measured against another one if that is who was there."""
    rules = ruleset("500-rum")
    record = bots_record(rules, ["casual", "casual"], 7, deals=3)
    breakdowns = list(deal_breakdowns(record, worlds=16, orders=4, lines=[0]))
    for breakdown in breakdowns:
        assert breakdown.company == (PlayerKind("casual", "play"),) * 2
        assert breakdown.play.kinds == ("casual", "casual")
        (line,) = breakdown.lines
        assert line == deal_line(PlayedDeal.of(record, breakdown.deal), 0, ["casual", "casual"])
    played = PlayedDeal.of(record, 1)
    against_club, own = play_of_deal(played, worlds=16), play_of_deal(played, ["casual"] * 2, worlds=16)
    assert [d.number for d in against_club.deviations] == [d.number for d in own.deviations]
    assert [d.gains for d in against_club.deviations] != [d.gains for d in own.deviations]
    # The levels are measured among club, so a score against others names none.
    scores = [play_value([play], 0, rules).score for play in (against_club, own)]
    for score, named in zip(scores, (True, False), strict=True):
        assert score is None or bool(score.about) is named


def test_percents_add_up_to_100() -> None:
    assert percents([1, 1, 1]) == (34, 33, 33)
    assert percents([445, 555]) == (45, 55)
    assert percents([0, 1000]) == (0, 100)
    assert all(sum(percents([n, 7, 1000 - n])) == 100 for n in range(0, 1000, 13))


def test_chances_of_a_match_follow_the_score() -> None:
    record = bots_record(ruleset("500-rum"), ["club", "casual"], 4)
    final = record.final(1)
    found = match_chances(final)
    assert found is not None
    assert found.before == (50, 50)
    assert sum(found.after) == 100
    points = final.scores()
    assert (found.after[0] > 50) == (points[0] > points[1])
    sides = match_chances(bots_record(ruleset("partnership-500-rum"), ["club"] * 4, 4).final(1))
    assert sides is None or len(sides.before) == len(sides.after) == 2


def test_a_deal_in_which_only_points_count_has_no_chances() -> None:
    assert match_chances(bots_record(ruleset("persian-rummy"), ["club"] * 4, 4).final(1)) is None
