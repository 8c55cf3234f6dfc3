"""Advice at a live table: what can be done, and why not."""

from __future__ import annotations

import pytest

from rum500.cards import cards_from_text
from rum500.rules.action_codes import decode, encode
from rum500.rules.actions import Discard, Meld, Take
from rum500.rules.notation import parse_play
from rum500.server import messages
from rum500.state import IllegalPlay
from tests.support.live import Room, at_tables
from tests.support.live_deals import two, undo_deal
from tests.test_live_tables import code, done


@at_tables
async def test_advice_says_what_can_be_done_and_why_not(room: Room):
    first, second = await two(room)
    answer = await first.ask(messages.Ask, about="turn")
    assert [(option.kind, option.count, option.points, option.then.kind) for option in answer.options] == [
        ("take", 3, 30, "meld")
    ]
    best = answer.groups[0]
    assert (best.cards, best.kind, best.points) == (["6S", "7S", "8S"], "run", 21)
    useless = await first.ask(messages.Ask, about="take", count=2)
    assert useless.reason.rule == "R-DRAW-3"
    early = await first.ask(messages.Ask, about="cards", cards=["6S", "7S", "8S"])
    assert early.reason.code == "turn.draw_first"
    waiting = await second.ask(messages.Ask, about="turn")
    assert (waiting.options, len(waiting.groups) > 0) == ([], True)
    done(await first.say("draw"))
    melds = await first.ask(messages.Ask, about="cards", cards=["8S", "6S", "7S"])
    assert [(option.kind, option.points, option.meld_kind) for option in melds.options] == [
        ("meld", 21, "run")
    ]
    assert code(await first.ask(messages.Ask, about="cards", cards=["AS"])) == "table.card"
    none = await first.ask(messages.Ask, about="cards", cards=["QD", "2C"])
    assert none.options == []
    assert none.reason is not None


@at_tables
async def test_what_may_not_be_done_now_is_refused_beforehand_with_its_rule(room: Room):
    first, _ = await two(room)
    assert sorted((await first.ask(messages.Ask, about="turn")).refused) == ["discard", "lay"]
    done(await first.say("take QS"))
    assert first.may == ["lay"]
    assert (await first.ask(messages.Ask, about="turn")).refused["discard"].rule == "R-DRAW-3"
    with pytest.raises(IllegalPlay):
        first.table._requests._make(
            0, first.table._requests.deal_for(0), encode(Discard(cards_from_text("2C")[0]))
        )


def test_the_codes_of_plays_are_what_the_engine_has():
    assert decode(encode(Take(3))) == Take(3)
    assert isinstance(decode(encode(parse_play("meld 6S 7S 8S", undo_deal()))), Meld)
