"""Deals over every profile: no message tells a seat, a spectator or a replay what it may not know."""

from __future__ import annotations

from itertools import cycle

import msgspec
import pytest
from msgspec.structs import replace

from rum500 import State
from rum500.rules.explain import Refusal
from rum500.rules.profiles import profile_names, ruleset
from rum500.server import messages
from rum500.server.live import TableOptions, broadcaster, deal_replay, event_messages, snapshot_builder, you
from rum500.server.live.snapshot_builder import SnapshotBuilder
from rum500.server.messages.render import rows, texts
from rum500.server.thinking import advice_work
from tests.support.audit import Audit, Leak, cards_in
from tests.support.depth import depth

HOUSES = ((), ("H5",), ("H6",), ("H5", "H6"))
DEALS = depth(16, 280)
"""For each of 9 profiles and 4 sets of house rules: 10,080 in all in a whole run."""
A_MATCH = 4
SEEDS = depth([7, 0, 15, *range(16, 100)], range(DEALS))
"""Those that leave 7 when divided by 8 play wild: what is rare comes up at once in a short run."""


def options(profile: str, house: tuple[str, ...], players: int) -> TableOptions:
    return TableOptions(profile=profile, house_rules=list(house), players=players)


def players_of(profile: str) -> list[int]:
    """Up to four mostly, and now and then as many as the game is for."""
    players = ruleset(profile).players
    return [count for count in players if count <= 4] * 5 + [players[-1]]


@pytest.mark.parametrize("house", HOUSES, ids="+".join)
@pytest.mark.parametrize("profile", profile_names())
def test_no_message_tells_what_its_viewer_may_not_know(
    profile: str, house: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
):
    """Every seat and a spectator are told everything that happens, and now and then the whole table.

    Now and then every seat asks for advice, and types a play: what is answered is searched too.
    """
    monkeypatch.setattr(Audit, "asks", depth(60, 250))
    deals = messages = answers = stocks = calls = 0
    seats = cycle(players_of(profile))
    for seed in SEEDS:
        audit = Audit(options(profile, house, next(seats)), seed, greedy=seed == 0)
        deals += audit.play(min(A_MATCH, DEALS - deals))
        messages += audit.messages
        answers += audit.answers
        stocks += audit.stocks
        calls += audit.calls
        if deals >= DEALS:
            break
    assert deals >= DEALS
    assert messages > 20 * deals and answers > deals / 2
    assert (stocks > 0, calls > 0) == ("H5" in house, "H6" in house)


@pytest.mark.parametrize("profile", profile_names())
def test_replays_and_records_are_of_finished_deals_alone(profile: str):
    """Nothing of the deal in progress is in them: not its deck, and not the seed that makes it."""
    audit = Audit(options(profile, ("H5",), ruleset(profile).players[0]), 5, keep=True)
    audit.play(1)
    state = audit.state
    while state.waiting_for != "play" or state.deals[-1].number < 2:
        if state.match is None or state.match.is_over:
            pytest.skip("the match was over after one deal")
        audit.play_on()
    entries = audit.log.uncommitted
    assert deal_replay.replay("audit", entries, 2) is None
    assert deal_replay.record("audit", entries, 2) is None
    replay = deal_replay.replay("audit", entries, 1)
    record = deal_replay.record("audit", entries, None)
    assert replay is not None
    assert record is not None
    assert audit.secret not in msgspec.json.encode(replay)
    assert audit.secret.decode() not in record
    assert record.count("\ndeal:") == 1
    assert replay.fairness is not None
    assert replay.fairness.shuffle < state.shuffles


# --- the audit can fail ----------------------------------------------------------------------------


def audited() -> None:
    for seed in range(3):
        Audit(options("500-rum", (), 3), seed).play(2)


def test_it_finds_a_drawn_card_told_to_all(monkeypatch: pytest.MonkeyPatch):
    def leaky(match: object, event: object) -> dict[str, object]:
        return {
            "stock": event.public["stock"],
            "cards": [event_messages.TEXT[event.private[event.seat]["card"]]],
        }

    monkeypatch.setitem(event_messages._FIELDS, "draw", leaky)
    with pytest.raises(Leak, match="to player None"):
        audited()


def test_it_finds_hands_that_are_shown_too_early(monkeypatch: pytest.MonkeyPatch):
    true = SnapshotBuilder.snapshot

    def leaky(builder: SnapshotBuilder, state: object, presence: object) -> messages.Snapshot:
        seen = true(builder, state, presence)
        deal = state.match.state if state.match else None
        return seen if deal is None else replace(seen, hands=rows(deal.hands))

    monkeypatch.setattr(SnapshotBuilder, "snapshot", leaky)
    with pytest.raises(Leak, match="to player None"):
        audited()


def test_it_finds_anothers_hand(monkeypatch: pytest.MonkeyPatch):
    def leaky(state: object, player: int | None, undo: int = 0) -> messages.You:
        return you.you_of(state, None if player is None else (player + 1) % 3, undo)

    monkeypatch.setattr(broadcaster, "you_of", leaky)
    with pytest.raises(Leak, match="to player 0"):
        audited()


def test_it_finds_advice_that_knows_the_stock(monkeypatch: pytest.MonkeyPatch):
    def leaky(re: str, deal: State, seat: int, *, decides: bool) -> messages.Answer:
        return messages.Answer(re, groups=[messages.CardGroup(texts(deal.stock[:1]), "rest", 0)])

    monkeypatch.setattr(advice_work, "_turn", leaky)
    monkeypatch.setattr(Audit, "asks", 10)
    with pytest.raises(Leak, match="to player"):
        audited()


def test_it_finds_a_card_in_a_play_that_one_does_not_hold(monkeypatch: pytest.MonkeyPatch):
    def leaky(state: object, player: int | None, undo: int = 0) -> messages.You:
        own = you.you_of(state, player, undo)
        stock = state.match.state.stock if state.match and state.match.state else ()
        return replace(own, plays={"discard": str(stock[0] << 4 | 6)}) if stock else own

    monkeypatch.setattr(broadcaster, "you_of", leaky)
    with pytest.raises(Leak):
        audited()


def test_it_finds_a_card_named_in_a_reason(monkeypatch: pytest.MonkeyPatch):
    def leaky(core: object, rules: object, action: object) -> Refusal:
        return Refusal("run.gap", "R-DRAW-1", parts={"missing": (core.stock_cards()[0],)})

    monkeypatch.setattr(advice_work, "explain", leaky)
    monkeypatch.setattr(Audit, "asks", 10)
    with pytest.raises(Leak):
        audited()


def test_it_finds_the_seed(monkeypatch: pytest.MonkeyPatch):
    def leaky(state: object) -> object:
        shuffle = state.shuffle
        return shuffle and messages.Fairness(
            shuffle.number, shuffle.commitment, (), shuffle.seed, shuffle.context
        )

    monkeypatch.setattr(snapshot_builder, "_fairness", leaky)
    with pytest.raises(Leak, match="seed"):
        audited()


def test_the_search_reads_cards_and_codes():
    message = '{"card":"10S","place":"1H","text":"not K♦","plays":{"discard":"694"},"name":"2S!"}'.encode()
    assert cards_in(message) == {9, 16, 44, 43}
