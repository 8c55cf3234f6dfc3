"""Rule sets for tests: any valid one, and the problems of invalid ones."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from rum500.rules.problems import RulesetError
from rum500.rules.ruleset import Ruleset


def codes(make, *args, **kwargs) -> list[tuple[str, str]]:
    """Return the code and the field of every problem for which this call is refused."""
    with pytest.raises(RulesetError) as caught:
        make(*args, **kwargs)
    for problem in caught.value.problems:
        assert problem.message
    return [(problem.code, problem.field) for problem in caught.value.problems]


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """Draw any valid rule set."""
    pick, flag = (lambda *of: draw(st.sampled_from(of))), (lambda: draw(st.booleans()))
    number = lambda low, high: draw(st.integers(low, high))  # noqa: E731
    line = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), max_size=20)
    name = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}", fullmatch=True)
    names = draw(st.lists(name, min_size=1, max_size=4, unique=True))

    sides = pick(0, 2)
    players = (4,) if sides else tuple(sorted(draw(st.sets(st.integers(2, 8), min_size=1))))
    second = pick(0, 2, 3, 4, 5, 6, 7, 8)
    two = 0 < second <= players[-1]
    kind = pick("none", "wild") if two else pick("none", "wild", "rank")
    jokers = {"none": 0, "wild": pick(1, 2), "rank": pick(3, 4)}[kind]
    most = {n: ((2 if 0 < second <= n else 1) * (52 + jokers) - 1) // n for n in players}
    hand = min([51, *(most[n] for n in players if n != 2)])
    ace = pick("both", "high")
    top, out = flag(), pick("end", "pass")
    match = pick("target", "deals")
    count = pick("deal_end", "as_laid")
    restock = flag()
    claim = flag()
    return Ruleset(
        name=names[0],
        title=draw(line),
        source=pick("", "H", "F", "R", "G"),
        sources=tuple(draw(st.lists(line, max_size=2))),
        aliases=tuple(names[1:]),
        summary=draw(line),
        players=players,
        sides=sides,
        second_pack_from=second,
        jokers=jokers,
        joker_kind=kind,
        hand=number(1, hand),
        hand_two=number(1, min(51, most.get(2, 51))),
        ace=ace,
        same_suit_in_sets=second > 0 and flag(),
        unnamed_jokers=kind == "wild" and (jokers == 2 or two) and flag(),
        top_must_meld=top,
        top_rule_is_house=top and flag(),
        keep_upcard=not top and flag(),
        claim=claim,
        blind_claims=claim and flag(),
        go_out=pick("either", "meld", "discard"),
        stock_out=out,
        restock=restock,
        upcard_free_when_stock_empty=not top and out == "end" and flag(),
        restock_limit=number(1, 99) if restock else 2,
        no_progress_rounds=number(1, 99),
        low_cards=pick("pips", "five"),
        ace_low=0 if ace == "high" else number(1, 15),
        joker_points=number(1, 100) if jokers else 0,
        doubles=pick("none", "sets", "melds"),
        count=count,
        going_out_bonus=number(0, 10_000),
        hands=pick("holder", "winner"),
        match=match,
        target=number(1, 1_000_000) if match == "target" else 500,
        deals=number(1, 1_000) if match == "deals" else 2,
        max_deals=number(0, 1_000_000) if match == "target" else 0,
        match_end=pick("deal", "at_once") if count == "as_laid" and match == "target" else "deal",
        ties=pick("deciding", "drawn"),
        match_bonus=number(0, 10_000),
        settlement=pick("difference", "totals", "none"),
        draw_for_deal=pick("low", "partners") if sides else "low",
        dealer_keeps_score=flag(),
    )


def line_of(text: str, start: str) -> int:
    """The number of the first line of a text that begins so, from 1."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


def toml_problems(text: str) -> list[tuple[str, str, int | None]]:
    """Return the code, field and line of every problem of this file."""
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_toml(text)
    return [(problem.code, problem.field, problem.line) for problem in caught.value.problems]
