"""The score pad's data and vectors: the page and Python score the same matches alike."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from rum500.match.scores import Standing, by_account, ending, is_due, settle
from rum500.rules.choices import choices
from rum500.rules.profiles import profile_names, ruleset
from rum500.rules.scoring import card_values
from tests.support.depth import whole_tests
from tools import page, referee_vectors
from tools.scoring_rules import RULES, VECTORS, changed, fits, lines, result_of, vectors

DATA = json.loads(RULES.read_text(encoding="utf-8"))


def hand_points(rules: Any, hand: list[str]) -> int:
    values = dict(zip(["", *"23456789", "10", *"JQKA"], card_values(rules), strict=True))
    return sum(rules.joker_points if card == "JK" else values[card[:-1]] for card in hand)


def test_python_scores_the_vectors_alike() -> None:
    matches = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert len(matches) == 200
    for vector in matches:
        rules = changed(ruleset(vector["profile"]), vector["choices"]).replace(**vector["options"])
        totals, deciding, end = (0,) * (rules.sides or vector["players"]), False, None
        for number, (deal, points) in enumerate(zip(vector["deals"], vector["points"], strict=True), 1):
            assert end is None
            if "left" in deal:
                held = [hand_points(rules, hand) for hand in deal["left"]]
                assert by_account(rules, scored(rules, deal, held, totals)) == tuple(points)
            totals = tuple(map(sum, zip(totals, points, strict=True)))
            assert list(totals) == vector["totals"][number - 1]
            end = ending(rules, totals, number, deciding, None)
            deciding = deciding or is_due(rules, totals, number)
        assert end is not None
        rows = [
            Standing(tuple(seat for seat in range(vector["players"]) if rules.side(seat) == account), total)
            for account, total in enumerate(totals)
        ]
        again = json.loads(json.dumps(result_of(rules, settle(rules, end[0], rows, end[1]))))
        assert again == vector["result"]


def scored(rules: Any, deal: dict[str, Any], held: list[int], totals: tuple[int, ...]) -> list[int]:
    """Return the points by seat, in the rulebook's words (R-SCORE-1, R-SCORE-4, D12, D14)."""
    laid = by_account(rules, deal["laid"])
    if rules.match_end == "at_once" and max(map(sum, zip(totals, laid, strict=True))) >= rules.target:
        return list(deal["laid"])
    points = []
    for seat, melded in enumerate(deal["laid"]):
        others = sum(left for other, left in enumerate(held) if rules.side(other) != rules.side(seat))
        out = deal["out"] == seat
        paid = out * others if rules.hands == "winner" else -held[seat]
        points.append(melded + paid + out * rules.going_out_bonus)
    return points


@pytest.mark.parametrize("name", profile_names())
def test_choices_fit_as_the_rules_say(name: str) -> None:
    rules, data = ruleset(name), DATA["profiles"][name]
    assert data["choices"] == [choice.id for choice in choices(rules)]
    for size in range(1, 5):
        for chosen in combinations(data["choices"], size):
            clash = any(set(pair) <= set(chosen) for pair in data["clashes"])
            missing = any(
                not set(needed) & set(chosen) for id_, needed in data["needs"].items() if id_ in chosen
            )
            assert fits(rules, chosen) is not (clash or missing), chosen


@pytest.mark.skipif(not whole_tests(), reason="make test runs the page's tests with the stored matches")
def test_the_page_scores_ten_thousand_matches_alike(tmp_path: Path) -> None:
    file = tmp_path / "vectors.json"
    file.write_text(lines(vectors(range(1000, 11_000))), encoding="utf-8")
    page.tool("vitest", "run", "src/lib/pages/pad/scoring.test.ts", SCORING_VECTORS=str(file))


@pytest.mark.skipif(not whole_tests(), reason="make test runs the page's tests with the stored questions")
def test_the_referee_answers_thousands_of_questions_as_the_engine_does(tmp_path: Path) -> None:
    file = tmp_path / "questions.json"
    file.write_text(lines(referee_vectors.vectors(3_000)), encoding="utf-8")
    page.tool("vitest", "run", "src/lib/pages/pad/referee.test.ts", REFEREE_VECTORS=str(file))
