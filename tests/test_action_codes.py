"""The functions that read action and meld codes agree with the bits described in `rules/engine/core.py`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rum500 import profile_names, ruleset
from rum500.cards import JOKER
from rum500.rng import U64, Rng
from rum500.rules import meld_codes
from rum500.rules.action_codes import (
    action_kind,
    decode,
    discard_code,
    discarded_card,
    encode,
    joker_count,
    laid_cards,
    lays_cards,
    opens_meld,
    shape_of,
    take_code,
    taken_count,
    target_meld,
)
from rum500.rules.actions import ActionKind, Laid
from rum500.rules.engine import core
from rum500.rules.named_variations import HOUSE_RULES
from rum500.rules.problems import RulesetError
from rum500.rules.ruleset import Ruleset
from rum500.state import State, deal

PLAYS = 60
"""Plays of each deal that are looked at; the plays come before draws, so that melds are laid."""


def tables() -> Iterator[tuple[Ruleset, int]]:
    """Every profile as it is and with each house rule that it takes, with fewest and most players."""
    for name in profile_names():
        for house in ((), *((rule,) for rule in HOUSE_RULES)):
            try:
                rules = ruleset(name, house_rules=house)
            except RulesetError:
                continue
            for players in sorted({rules.players[0], rules.players[-1]}):
                yield rules, players


TABLES = list(tables())


def walk(rules: Ruleset, players: int, seed: int) -> Iterator[State]:
    """The positions of a random deal, one in which cards are laid where they can be."""
    state, chance = deal(rules, players, seed), Rng(seed)
    for _ in range(PLAYS):
        if state.is_over:
            return
        yield state
        legal = state.legal_ints()
        plays = [code for code in legal if code & 15 >= core.MELD_RUN] or legal
        state.apply_int(plays[chance.below(len(plays))])


def value(function: object, code: int) -> object:
    """What the function returns, or ValueError where it raises that."""
    try:
        return function(code)  # type: ignore[operator]
    except ValueError:
        return ValueError


@pytest.mark.parametrize(("rules", "players"), TABLES, ids=lambda value: str(getattr(value, "name", value)))
def test_each_accessor_is_its_mask_over_all_legal_codes_of_random_deals(rules: Ruleset, players: int) -> None:
    for state in walk(rules, players, seed=players):
        for code in state.legal_ints()[:200]:
            check(code)
        for meld, owner in state.core.melds():
            check_meld(meld, owner)


def check(code: int) -> None:
    kind = code & 15
    assert action_kind(code) is ActionKind(kind)
    assert lays_cards(code) == (kind >= core.MELD_RUN)
    assert opens_meld(code) == (kind in (core.MELD_RUN, core.MELD_SET))
    assert value(taken_count, code) == (code >> 4 if kind in (core.TAKE, core.CALL) else ValueError)
    assert value(discarded_card, code) == (code >> 4 if kind == core.DISCARD else ValueError)
    lays_off = kind in (core.LAY_RUN, core.LAY_SET)
    assert value(target_meld, code) == (code >> core.MELD_SHIFT & 63 if lays_off else ValueError)
    assert value(shape_of, code) == (shape(code) if kind >= core.MELD_RUN else ValueError)
    assert value(joker_count, code) == (jokers(code) if kind >= core.MELD_RUN else ValueError)
    if kind == core.DISCARD:
        assert discard_code(code >> 4) == code
    if kind == core.TAKE:
        assert take_code(code >> 4) == code
    assert encode(decode(code)) == code


def shape(code: int) -> str:
    if code & 15 in (core.MELD_RUN, core.LAY_RUN):
        return "run"
    return "jokers" if code >> 4 & 15 == core.JOKER_RANK else "set"


def jokers(code: int) -> int:
    if shape(code) == "run":
        return (code >> 20 & 0x3FFF).bit_count()
    if shape(code) == "jokers":
        return code >> 8 & 255
    field = code >> 16 & 255
    return sum(field >> shift & 3 for shift in (0, 2, 4, 6)) + 2 * (code >> 24 & 1)


def check_meld(meld: int, owner: int) -> None:
    laid = laid_cards(meld)
    assert meld_codes.laid_at_once(meld) == bool(meld >> 50 & 1)
    assert meld_codes.owner_of(owner) == owner >> 60
    later = None
    if meld & 15 == core.MELD_RUN:
        seats = [owner >> 4 * (one.place & 15) & 15 for one in laid if one.place is not None]
    else:
        seats = [owner & 15] * len(laid)
        if owner >> 11 & 1:
            later = max(i for i, one in enumerate(laid) if is_later(one, meld, owner))
            seats[later] = owner >> 4 & 15
    assert meld_codes.shape_of(meld) == shape(meld)
    assert meld_codes.seats_of_cards(meld, owner) == seats
    assert meld_codes.later_card(meld, owner) == later
    run = shape(meld) == "run"
    assert meld_codes.owner_word(owner >> 60, laid, seats, later, run=run) == owner


def is_later(one: Laid, meld: int, owner: int) -> bool:
    if meld >> 4 & 15 == core.JOKER_RANK:
        return True
    wild, suit = bool(owner >> 10 & 1), owner >> 8 & 3
    return one.place is not None and (one.place >> 4, one.card == JOKER) == (suit, wild)


def test_the_deals_hold_every_kind_of_action_and_every_shape_laid_off_on() -> None:
    kinds, shapes = set(), set()
    for rules, players in TABLES:
        for state in walk(rules, players, seed=players):
            kinds |= {action_kind(code) for code in state.legal_ints()}
            shapes |= {shape_of(code) for code in state.legal_ints() if lays_cards(code)}
    assert {*ActionKind} - kinds <= {ActionKind.PASS, ActionKind.END}  # these wait for the end of the stock
    assert shapes >= {"run", "set"}


@pytest.mark.parametrize("code", [11, 12, 13, 14, 15, -1])
def test_a_number_of_no_kind_is_refused(code: int) -> None:
    accessors = (action_kind, lays_cards, opens_meld, taken_count, discarded_card, target_meld, joker_count)
    for accessor in (*accessors, shape_of, decode):
        with pytest.raises(ValueError, match=r"encodes no action|takes no|discards no|not a lay-off|lays no"):
            accessor(code)


def test_numbers_of_64_bits() -> None:
    assert U64 == 0xFFFF_FFFF_FFFF_FFFF
    assert Rng(U64).state == U64
    for seed in (-1, U64 + 1):
        with pytest.raises(ValueError, match="a seed is from 0 to"):
            Rng(seed)
