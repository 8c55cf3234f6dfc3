"""Advice at a live table: what can be done, and why not."""

from __future__ import annotations

import pytest

from rum500.cards import cards_from_text
from rum500.rules.action_codes import encode
from rum500.rules.actions import Discard
from rum500.server import messages
from rum500.server.live.table import MOST_ADVICE
from rum500.server.thinking import advice_work
from rum500.state import IllegalPlay
from tests.support.live import AtOnce, Room, at_tables
from tests.support.live_deals import two
from tests.test_live_tables import code, done


@at_tables
async def test_advice_lists_legal_plays_and_reasons(room: Room):
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
    assert {name: why.code for name, why in none.refused.items()} == {
        "meld": "meld.too_few",
        "lay": "lay.no_melds",
    }
    alone = (await first.ask(messages.Ask, about="cards", cards=["QD"])).refused["meld"]
    assert (alone.code, alone.card, alone.parts.ranks, alone.parts.suit) == ("meld.alone", "QD", "Q", "D")
    assert "meld" not in melds.refused


@at_tables
async def test_illegal_play_is_refused_in_advance_with_its_rule(room: Room):
    first, _ = await two(room)
    assert sorted((await first.ask(messages.Ask, about="turn")).refused) == ["discard", "lay"]
    done(await first.say("take QS"))
    assert first.may == ["lay"]
    assert (await first.ask(messages.Ask, about="turn")).refused["discard"].rule == "R-DRAW-3"
    with pytest.raises(IllegalPlay):
        first.table._requests._make(
            0, first.table._requests.deal_for(0), encode(Discard(cards_from_text("2C")[0]))
        )


@at_tables
async def test_questions_that_wait_for_other_processes_are_bounded(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    """A guest who asks without end, at a server without limits on messages, is refused until answers come."""
    monkeypatch.setattr(advice_work, "_LIGHT_CARDS", 0)
    first, _ = await two(room)
    waiting = []
    monkeypatch.setattr(AtOnce, "advise", lambda _, *question: waiting.append(question))

    async def refused(count: int) -> list[str]:
        before = len(first.got)
        for _ in range(count):
            first.table.receive(first.connection, messages.Ask(id=room.new_id(), about="turn"))
        await room.settle()
        return [
            message.reason.code for message in first.got[before:] if isinstance(message, messages.Refused)
        ]

    assert await refused(MOST_ADVICE + 5) == 5 * ["table.busy"]
    assert len(waiting) == MOST_ADVICE
    advice, answered = waiting.pop(0)
    answered(advice.work())
    waiting.pop(0)[1](RuntimeError("no advice came"))
    assert await refused(3) == ["table.busy"]
    assert sum(isinstance(message, messages.Answer) for message in first.got) == 1
