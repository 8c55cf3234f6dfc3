"""Write what the score pad and the referee need of the rules, and scored matches to test them with.

`web/src/lib/pages/pad/rules.json` holds the options of every game, the points of cards, and which house rules
and variations fit together, and when each sentence holds. `tests/scoring_vectors.json` holds matches
that the engine scored, which the page and Python score again; `tests/draw_vectors.json` draws for deal.
"""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Collection, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from rum500 import Match, bots, ruleset
from rum500.cards import JOKER, LANE, card_text
from rum500.match.decisions import PlayNeeded
from rum500.match.draw_for_deal import DrawForDeal
from rum500.match.scores import MatchResult, Standing, ending, is_due, settle
from rum500.rules.choices import choices
from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.profiles import profiles
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_values
from tools.generate import ROOT

RULES = ROOT / "web" / "src" / "lib" / "pages" / "pad" / "rules.json"
VECTORS = ROOT / "tests" / "scoring_vectors.json"
DRAWS = ROOT / "tests" / "draw_vectors.json"

FIELDS = (
    "source",
    "players",
    "sides",
    "second_pack_from",
    "jokers",
    "joker_kind",
    "ace",
    "same_suit_in_sets",
    "unnamed_jokers",
    "top_must_meld",
    "top_rule_is_house",
    "keep_upcard",
    "claim",
    "blind_claims",
    "go_out",
    "stock_out",
    "restock",
    "restock_limit",
    "no_progress_rounds",
    "upcard_free_when_stock_empty",
    "low_cards",
    "ace_low",
    "joker_points",
    "doubles",
    "going_out_bonus",
    "hands",
    "match",
    "target",
    "deals",
    "max_deals",
    "match_end",
    "ties",
    "match_bonus",
    "settlement",
    "draw_for_deal",
    "dealer_keeps_score",
)
"""The options that the score pad or the referee reads."""

REFEREED = ("turn.", "melds.", "end.", "points.double")
"""How the ids of the sentences begin by which the referee answers."""

STORED = 200
"""The matches in the file of vectors."""
DRAWN = 80
"""The draws for deal in their file."""

Json = dict[str, Any]


def rules() -> Json:
    """Return the data for the page."""
    found = profiles()
    sets = {id_: {rule.field: rule.value} for id_, rule in HOUSE_RULES.items()}
    sets["H1"]["top_rule_is_house"] = True
    sets |= {name: dict(each.sets) for name, each in variations().items()}
    return {
        "low": {each.low_cards: card_values(each)[1:9] for each in found.values()},
        "high": card_values(ruleset("500-rum"))[9:],
        "choices": sets,
        "sentences": sentences(),
        "profiles": {name: profile(each) for name, each in found.items()},
    }


def sentences() -> list[Json]:
    """Return the sentences on turns, melds and ends, without their texts: when each holds, what it cites."""
    text = (ROOT / "src" / "rum500" / "rules" / "sentences.toml").read_text(encoding="utf-8")
    return [
        {name: value for name, value in each.items() if name != "text"}
        for entries in tomllib.loads(text).values()
        for each in entries
        if each["id"].startswith(REFEREED)
    ]


def profile(rules: Ruleset) -> Json:
    """Return a game's options and choices, the pairs that do not fit, and what some choices need."""
    offered = [choice.id for choice in choices(rules)]
    alone = {id_ for id_ in offered if fits(rules, [id_])}
    needs = {
        id_: [other for other in alone if fits(rules, [id_, other])] for id_ in offered if id_ not in alone
    }
    clashes = [
        (one, other)
        for one, other in combinations(offered, 2)
        if not any(
            fits(rules, {one, other, first, second})
            for first in needs.get(one, [one])
            for second in needs.get(other, [other])
        )
    ]
    return {
        **{field: getattr(rules, field) for field in FIELDS},
        "choices": offered,
        "needs": {id_: sorted(others) for id_, others in needs.items()},
        "clashes": clashes,
    }


def fits(rules: Ruleset, chosen: Collection[str]) -> bool:
    """Return whether these choices fit together in a game."""
    try:
        changed(rules, chosen)
    except RulesetError:
        return False
    return True


def changed(rules: Ruleset, chosen: Collection[str]) -> Ruleset:
    """Return a game with house rules and variations added."""
    return rules.changed(
        variations=[id_ for id_ in chosen if id_ not in HOUSE_RULES],
        house_rules=[id_ for id_ in chosen if id_ in HOUSE_RULES],
    )


# --- matches with their scores ------------------------------------------------------------------------------


def played(number: int) -> Json:
    """Return match `number`, played by bots and scored by the engine: random rules, players and target."""
    chance = random.Random(number)
    base = chance.choice(list(profiles().values()))
    chosen = fitting(base, chance)
    rules, options = lengths(changed(base, chosen), chance)
    players = chance.choice(rules.players)
    match = Match.quick(rules, players, number, dealer=chance.randrange(players))
    bounded = match.rules.match == "deals" or match.rules.max_deals > 0
    bot = bots.get("random" if bounded and chance.random() < 0.5 else "greedy")
    while not match.is_over:
        asked = match.decision
        assert isinstance(asked, PlayNeeded)
        match.apply(bot.choose(asked.state.view(asked.seat)))
    deals = [
        {
            "out": row.result.out,
            "laid": row.result.melded,
            "left": [[card_text(card) for card in hand] for hand in row.result.hands],
        }
        for row in match.sheet
    ]
    assert match.result is not None
    return {
        "profile": base.name,
        "choices": chosen,
        "options": options,
        "players": players,
        "dealer": match.sheet[0].dealer,
        "deals": deals,
        "points": [row.points for row in match.sheet],
        "totals": [row.totals for row in match.sheet],
        "result": result_of(rules, match.result),
    }


def invented(number: int) -> Json:
    """Return match `number`, with made-up points of each deal, so that ties are common."""
    chance = random.Random(number)
    base = chance.choice(list(profiles().values()))
    rules, options = lengths(base, chance)
    players = chance.choice(rules.players)
    count = rules.sides or players
    totals, deciding, sheet = (0,) * count, False, []
    points: list[tuple[int, ...]] = []
    end = None
    while end is None:
        points.append(tuple(chance.choice((-10, 0, 20, 40, 40, 60)) for _ in range(count)))
        totals = tuple(map(sum, zip(totals, points[-1], strict=True)))
        sheet.append(totals)
        end = ending(rules, totals, len(sheet), deciding, None)
        deciding = deciding or is_due(rules, totals, len(sheet))
    standings = [
        Standing(tuple(p for p in range(players) if rules.side(p) == account), total)
        for account, total in enumerate(totals)
    ]
    return {
        "profile": base.name,
        "choices": [],
        "options": options,
        "players": players,
        "dealer": chance.randrange(players),
        "deals": [{"points": row} for row in points],
        "points": points,
        "totals": sheet,
        "result": result_of(rules, settle(rules, end[0], standings, end[1])),
    }


def fitting(base: Ruleset, chance: random.Random) -> list[str]:
    """Return some choices of a game that fit together, in a random order."""
    offered = [choice.id for choice in choices(base)]
    chosen: list[str] = []
    for id_ in chance.sample(offered, min(len(offered), chance.choice((0, 1, 2, 4)))):
        if fits(base, [*chosen, id_]):
            chosen.append(id_)
    return chosen


def lengths(rules: Ruleset, chance: random.Random) -> tuple[Ruleset, dict[str, int]]:
    """Return a game with a short length, so that matches end soon, and the options that say so."""
    options = (
        {"deals": chance.randint(1, 3)} if rules.match == "deals" else {"target": chance.randint(4, 16) * 10}
    )
    if rules.match == "target" and chance.random() < 0.2:
        options["max_deals"] = chance.randint(1, 3)
    return rules.changed(options=options), options


def result_of(rules: Ruleset, result: MatchResult) -> Json:
    """Return the result of a match by account, in the page's words."""
    return {
        "reason": result.reason,
        "winner": rules.side(result.winners[0]) if result.winners else None,
        "bonus": result.bonus,
        "final": result.final,
        "margins": result.margins,
        "payments": [
            [rules.side(each.payer[0]), rules.side(each.payee[0]), each.points] for each in result.payments
        ],
    }


def vectors(numbers: range) -> Iterator[Json]:
    """Return the matches of these numbers: three that bots played, then one of made-up points."""
    return ((invented if number % 4 == 3 else played)(number) for number in numbers)


def lines(matches: Iterator[Json]) -> str:
    """Return matches as JSON, a line each."""
    return "[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in matches) + "\n]\n"


def draws(count: int) -> Iterator[Json]:
    """Return draws for deal, half of them from packs of few ranks, so that ties are common."""
    for number in range(count):
        chance = random.Random(number)
        partners = number % 3 == 0
        players = 4 if partners else chance.choice((2, 3, 4, 6, 8))
        pack = [suit * LANE + rank for suit in range(4) for rank in range(13)] + [JOKER] * 2
        if number % 2:
            pack = [card for card in pack if card % LANE in (0, 5, 12, 14)]
        chance.shuffle(pack)
        draw = DrawForDeal(players, partners)
        draw.spread(pack)
        while draw.waiting and len(draw.waiting) <= len(draw.free):
            draw.draw(draw.free[0])
        yield {
            "players": players,
            "partners": partners,
            "pack": [card_text(card) for card in pack],
            "drawn": [[card_text(card) for card in cards] for cards in draw.drawn],
            "dealer": draw.order()[0],
            "seating": draw.seating(),
        }


def files() -> dict[Path, str]:
    """Return the data and the vectors."""
    data = rules()
    parts = [f'"{name}": {json.dumps(part)}' for name, part in data.items() if name != "profiles"]
    games = ",\n".join(f'"{name}": {json.dumps(each)}' for name, each in data["profiles"].items())
    text = "{\n" + ",\n".join([*parts, f'"profiles": {{\n{games}\n}}']) + "\n}\n"
    return {RULES: text, VECTORS: lines(vectors(range(STORED))), DRAWS: lines(draws(DRAWN))}
