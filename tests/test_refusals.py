"""The reasons of refused plays: code, rule, sentence and card, for every kind of wrong play."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rum500.rules
from rum500 import (
    Action,
    Call,
    Discard,
    Draw,
    EndDeal,
    IllegalPlay,
    Laid,
    LayOff,
    LetGo,
    Meld,
    Pass,
    State,
    Take,
)
from rum500.cards import JOKER, card_from_text
from rum500.rules.explain import FALLBACK, Refusal, explain
from rum500.rules.profiles import ruleset
from rum500.state.core_setup import new_core
from tests.support.games import random_players, random_rules, small_deck
from tests.support.illegal_plays import is_wrong, random_numbers, random_plays
from tests.support.indistinguishable_deals import permuted
from tests.support.rulebook import rule_ids
from tests.support.table import play, table

CASES: list[dict[str, Any]] = [
    {"game": game, **case}
    for game, cases in tomllib.loads((Path(__file__).parent / "refusals.toml").read_text()).items()
    for case in cases
]
GAME = ("game", "house", "variations", "options")
REFUSAL = ("code", "rule", "says", "card")
WORDS: dict[str, Action] = {"draw": Draw(), "pass": Pass(), "end": EndDeal(), "let go": LetGo()}


def position(case: dict[str, Any]) -> State:
    """The table of a case, after the plays that come first."""
    name, house, variations, options = (case.get(key) for key in GAME)
    rules = ruleset(name, house or (), variations=variations or (), **(options or {}))
    kept = {
        key: value for key, value in case.items() if key not in (*GAME, *REFUSAL, "play", "first", "players")
    }
    others = ["4H 9C"] * (case.get("players", rules.players[0]) - 1)
    state = table(rules, [kept.pop("hand"), *others], phase=kept.pop("phase", "play"), **kept)
    play(state, *case.get("first", ()))
    return state


def wrong_play(text: str | int) -> Action | int:
    """The play of a case; unlike the notation this reads what no reader would let through."""
    if isinstance(text, int) or text in WORDS:
        return text if isinstance(text, int) else WORDS[text]
    verb, _, rest = text.partition(" ")
    if verb in ("take", "call"):
        return Take(int(rest)) if verb == "take" else Call(int(rest))
    if verb == "discard":
        return Discard(int(rest) if rest.isdigit() else card_from_text(rest))
    if verb == "meld":
        return Meld(tuple(map(laid, rest.split())))
    cards, _, target = rest.rpartition("on ")
    number, _, kind = target.partition(" as ")
    return LayOff(int(number) - 1, tuple(map(laid, cards.split())), kind == "run")


def laid(word: str) -> Laid:
    """A card and its place: `JK=6S`, `AS=1S` and `AS=AS` for the ace's two ends, `9S=8S` for nonsense."""
    text, _, stands = word.partition("=")
    card = card_from_text(text)
    if stands.startswith("#"):
        return Laid(card, int(stands[1:]))
    if stands.startswith("1") and stands[1:2] != "0":
        return Laid(card, card_from_text("A" + stands[1:]))
    if stands:
        return Laid(card, card_from_text(stands) + (13 if stands[0] == "A" else 0))
    return Laid(card, None if card == JOKER else card)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['code']}-{case['rule']}")
def test_a_refusal_names_rule_reason_and_card(case):
    """Each case of `refusals.toml`; the state has not changed."""
    state, action = position(case), wrong_play(case["play"])
    card = card_from_text(case["card"]) if "card" in case else None
    before = state.legal_ints()
    refusal = state.why_not(action)
    assert refusal is not None
    assert (refusal.code, refusal.rule, refusal.card) == (case["code"], case["rule"], card)
    assert refusal.message == case["says"]
    with pytest.raises(IllegalPlay) as caught:
        state.apply(action)
    assert caught.value.refusal == state.why_not(action)
    assert str(caught.value) == f"{case['says']} ({case['rule']})"
    assert state.legal_ints() == before


def test_a_set_has_one_place_for_an_ace_and_no_card_another_cards_place():
    """R-MELD-5: what stands for what it cannot is refused, and not read as something else."""
    state = table("rummy-500", ["AS AH JK 2C 3C", "4H"], phase="play")
    for place in (32, 45):
        assert state.is_legal(Meld((Laid(0, 0), Laid(16, 29), Laid(JOKER, place))))
    assert not state.is_legal(Meld((Laid(0, 0), Laid(16, 16), Laid(49, 32))))
    assert not state.is_legal(Meld((Laid(49, 49), Laid(50, 50), Laid(0, 48))))


def test_every_code_that_the_engine_can_give_has_a_case():
    folder = Path(rum500.rules.__file__).parent
    source = "".join(path.read_text() for path in folder.glob("*expl*.py"))
    kinds = "turn|deal|play|card|draw|pass|end|take|use|claim|call|discard|meld|set|run|joker|lay"
    codes = set(re.findall(rf'"((?:{kinds})\.\w+)"', source))
    assert codes == {case["code"] for case in CASES}
    assert FALLBACK not in codes


# --- random attempts -------------------------------------------------------------------------------


def random_deal(seed: int) -> tuple[State, random.Random]:
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    core = new_core(rules, players)
    core.set_stock(small_deck(rules, players, chance))
    core.rng = seed
    core.start(chance.randrange(players))
    return State(rules, core), chance


def refusals(state: State, chance: random.Random) -> list[tuple[Action | int, Refusal | None]]:
    """Random wrong plays of every kind in this position, each with its refusal."""
    plays: list[Action | int] = [play for play in random_plays(state, chance, 8) if is_wrong(state, play)]
    plays += [number for number in random_numbers(state, chance, 6) if number not in state.legal_ints()]
    return [(play, state.why_not(play)) for play in plays]


@pytest.mark.sample(3)
@pytest.mark.parametrize("start", range(0, 400, 50))
def test_no_wrong_play_is_without_a_named_reason(start):
    """Random positions of random games: the fallback never answers, and every rule is one that there is."""
    known = set(rule_ids())
    found = 0
    for seed in range(start, start + 50):
        state, chance = random_deal(seed)
        while not state.is_over:
            if chance.random() < 0.1:
                for action, refusal in refusals(state, chance):
                    assert refusal is not None and refusal.code != FALLBACK, f"seed {seed}: {action}"
                    assert refusal.rule in known and not refusal.message.endswith(".")
                    found += 1
            state.apply_int(chance.choice(state.legal_ints()))
        over = {refusal.code for _, refusal in refusals(state, chance) if refusal is not None}
        assert over <= {"deal.over", "play.unknown", "card.unknown"}
    assert found > 5000


@given(st.integers(0, 10**6))
def test_a_refusal_tells_nothing_that_the_actor_cannot_see(seed):
    """D21: other hands and the stock changed for one another, every refusal stays the same."""
    state, chance = random_deal(seed)
    for _ in range(chance.randrange(40)):
        if not state.is_over:
            state.apply_int(chance.choice(state.legal_ints()))
    if state.is_over:
        return
    twin = permuted(state, state.actor, [], chance)
    for action, refusal in refusals(state, chance):
        assert explain(twin.core, twin.rules, action) == refusal
