"""Advice at a live table: possible plays, and the reasons why others are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rum500.cards import cards_from_text
from rum500.rules.action_codes import encode
from rum500.rules.actions import Discard
from rum500.server import messages
from rum500.server.thinking import advice_work
from rum500.server.thinking.executor import PendingChoice
from rum500.server.work_scheduler import Asker, Busy
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
async def test_advice_that_is_refused_or_fails_is_answered(room: Room, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(advice_work, "_LIGHT_CARDS", 0)
    first, _ = await two(room)
    outcomes = iter([Busy(11.5), RuntimeError("no advice")])

    def advise(_: AtOnce, advice: object, done: Callable[[Exception], None], who: Asker) -> PendingChoice:
        assert who.guest == first.guest.id
        done(next(outcomes))
        return PendingChoice()

    monkeypatch.setattr(AtOnce, "advise", advise)
    busy = await first.ask(messages.Ask, about="turn")
    assert (busy.reason.code, busy.reason.parts.count) == ("work.busy", 12)
    assert code(await first.ask(messages.Ask, about="turn")) == "table.failed"


@pytest.mark.parametrize(("about", "how"), [("hint", "moved"), ("hint", "left"), ("turn", "left")])
def test_pending_advice_is_cancelled_when_its_decision_is_made_or_its_viewer_leaves(
    tmp_path: Path, about: str, how: str
):
    async def body(room: Room) -> None:
        ann = await room.table(bots=[None, "greedy"], start=True, hints="numbers")
        await room.deal([ann])
        await ann.in_turn()
        stopped: list[bool] = []

        def advise(_: AtOnce, advice: object, done: object, who: Asker) -> PendingChoice:
            return PendingChoice(lambda: stopped.append(True))

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(AtOnce, "advise", advise)
            patched.setattr(advice_work, "_LIGHT_CARDS", 0)
            await ann.ask(messages.Hint, asked=ann.shared["asked"], depth="numbers")
            ann.table.receive(ann.connection, messages.Ask(id="h", about=about, depth="numbers"))
            await room.settle()
            assert not stopped
            if how == "left":
                await ann.leave()
            else:
                await ann.move()
        assert stopped == [True]
        refused = [one.reason.code for one in ann.got if isinstance(one, messages.Refused) and one.re == "h"]
        assert refused == (["table.stale"] if how == "moved" else [])

    at_tables(body)(tmp_path)
