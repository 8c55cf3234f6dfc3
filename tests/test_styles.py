"""The styles of play besides the levels: legal, repeatable, unlike the levels, and better than chance."""

from __future__ import annotations

import pytest

import rum500
from rum500 import Rng, bots, ruleset
from rum500.bots import FastBot
from rum500.bots.hand_analysis import HandAnalysis
from rum500.external_bots import check_bot, open_bot
from rum500.rules.action_codes import action_kind, discarded_card
from rum500.rules.actions import ActionKind
from rum500.sim.arena import arena
from rum500.styles import STYLES, Denier, Memoriser


def discards(style: FastBot, seeds: int) -> list[tuple[HandAnalysis, int, int]]:
    """The discards of a style and of `club` in the same views, where they differ."""
    club, found = bots.get("club"), []
    for seed in range(seeds):
        state = rum500.deal("500-rum", players=2, seed=seed)
        while not state.is_over:
            view = state.view(state.actor)
            own, other = style.choose_int(view, Rng(1)), club.choose_int(view, Rng(1))
            if own != other and action_kind(own) is ActionKind.DISCARD:
                found.append((HandAnalysis(view), discarded_card(own), discarded_card(other)))
            state.apply_int(own)
    return found


@pytest.mark.parametrize("style", STYLES)
def test_style_is_found_by_name_and_fit_to_play(style: type[FastBot]):
    """At each table of a game with partners, the same again from the same view and seed."""
    name = f"rum500.styles:{style.__name__}"
    assert open_bot(name).name == style.name
    report = check_bot(lambda: open_bot(name), deals=1, profiles=["persian-rummy"], most=80)
    assert [fault.message for fault in report.findings if fault.kind != "slow"] == []
    assert report.choices == 80


@pytest.mark.parametrize("style", STYLES)
def test_style_beats_random(style: type[FastBot]):
    done = arena(ruleset("500-rum"), [style(), "random"], pairs=5, seed=5, unit="deal")
    assert done.scores[0].better


def test_denier_discards_what_the_others_can_use_less():
    found = discards(Denier(), 3)
    assert len(found) > 5
    own = sum(reading.gift(card) for reading, card, _ in found)
    assert own < 0.8 * sum(reading.gift(card) for reading, _, card in found)


def test_memoriser_uses_the_past_of_a_deal():
    """Without the past actions it discards otherwise in some views: they decide, and not the table alone."""
    style, differ = Memoriser(), 0
    for seed in range(4):
        state = rum500.deal("500-rum", players=2, seed=seed)
        while not state.is_over:
            view = state.view(state.actor)
            code = style.choose_int(view, Rng(1))
            if action_kind(code) is ActionKind.DISCARD:
                text = rum500.view_to_text(view)
                differ += style.choose_int(rum500.position_from_text(text).view, Rng(1)) != code
            state.apply_int(code)
    assert differ > 0
