"""In deals of every profile, no message contains a card that its viewer may not know."""

from __future__ import annotations

from itertools import cycle

import msgspec
import pytest
from msgspec.structs import replace

from rum500 import Call, State
from rum500.rules.action_codes import encode
from rum500.rules.explain import Refusal
from rum500.rules.options import HOUSE_RULES
from rum500.rules.profiles import profile_names, ruleset
from rum500.server import messages
from rum500.server.live.broadcast import broadcaster, own_part, snapshot_builder
from rum500.server.live.broadcast.snapshot_builder import SnapshotBuilder
from rum500.server.live.finished import deal_replay
from rum500.server.live.log import event_messages
from rum500.server.live.log.table_state import TableState
from rum500.server.live.turn.advice import advise
from rum500.server.messages.options import TableOptions
from rum500.server.messages.render import rows, texts
from rum500.server.thinking import advice_work
from tests.support.audit import Audit, Leak, cards_in
from tests.support.depth import depth

HOUSES = ((), ("H5",), ("H6",), ("H5", "H6"), ("H6", "blind-calls"))
DEALS = depth(10, 280)
"""For each of 9 profiles and 5 sets of house rules: 12,600 in all in a whole run."""
A_MATCH = 4
SEEDS = depth([7, 0, 15, *range(16, 100)], range(DEALS))
"""Those that leave 7 when divided by 8 play wild: what is rare comes up at once in a short run."""


def options(profile: str, house: tuple[str, ...], players: int) -> TableOptions:
    """House rules, and variations, which have names without a digit."""
    rules = [name for name in house if name in HOUSE_RULES]
    varied = [name for name in house if name not in HOUSE_RULES]
    return TableOptions(profile=profile, house_rules=rules, variations=varied, players=players)


def players_of(profile: str) -> list[int]:
    """Up to four mostly, and now and then as many as the game is for."""
    players = ruleset(profile).players
    return [count for count in players if count <= 4] * 5 + [players[-1]]


@pytest.mark.sample(15)
@pytest.mark.parametrize("house", HOUSES, ids="+".join)
@pytest.mark.parametrize("profile", profile_names())
def test_no_message_contains_what_its_viewer_may_not_know(
    profile: str, house: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
):
    """Every seat and a spectator receive every event, and now and then the whole table.

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


@pytest.mark.parametrize("profile", ["500-rum", "rummy-500", "persian-rummy-gamerules"])
def test_blind_claim_window_does_not_depend_on_hidden_cards(profile: str):
    """H6, blind: with and without something to call, what a window shows follows from what lies open."""
    seen = {True: 0, False: 0}
    for seed in range(depth(3, 12)):
        audit = Audit(options(profile, ("H6", "blind-calls"), ruleset(profile).players[-1]), seed)
        while audit.deals == 0 or not audit.state.match.is_over:
            audit.play_on()
            audit.deals = len(audit.state.match.sheet) if audit.state.match else 0
            if audit.state.claims:
                seen[window_is_blind(audit.state)] += 1
            if audit.deals > 1:
                break
    assert min(seen.values()) > 5


def window_is_blind(state: TableState) -> bool:
    """Compare a window with what everybody sees on the table; whether there is something to call."""
    deal = state.match.state
    counts, last = tuple(range(1, len(deal.pile) + 1)), deal.turn
    others = {(last + step) % state.match.players for step in range(1, state.match.players)}
    snapshot = snapshot_builder.snapshot_of(state, snapshot_builder.NOBODY)
    assert (set(snapshot.claim.seats), snapshot.claim.counts) == (others, counts)
    assert (snapshot.phase, snapshot.waiting_for, snapshot.actor) == ("claim", "claim", None)
    assert (snapshot.turn, snapshot.must_use, snapshot.banned) == (last, None, None)
    assert not [event for event in state.events if event.shared.kind == "let_go"]
    for seat, player in enumerate(state.seating):
        own, asked = own_part.you_of(state, player), seat in others
        assert own.calls == ({str(n): str(encode(Call(n))) for n in counts} if asked else {})
        assert set(own.may) == ({"let_go", *(["call"] if counts else [])} if asked else set())
        for about in ("turn", "cards", "take", "position"):
            answer = advise(state, player, messages.Ask(id="r", about=about, count=1)).work()
            assert not (answer.options or answer.position or answer.legal or answer.refused)
            assert about == "turn" or answer.reason.code == "table.turn"
    return any(isinstance(play, Call) for play in deal.legal_actions())


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
    assert replay.fairness.shuffle < state.shuffles.count


# --- the audit can fail ----------------------------------------------------------------------------


def drawn_card_shown_to_all(match: object, event: object) -> dict[str, object]:
    return {
        "stock": event.public["stock"],
        "cards": [event_messages.TEXT[event.private[event.seat]["card"]]],
    }


def hands_shown_too_early(
    builder: SnapshotBuilder, state: object, presence: object, true: object = SnapshotBuilder.snapshot
) -> messages.Snapshot:
    seen = true(builder, state, presence)
    deal = state.match.state if state.match else None
    return seen if deal is None else replace(seen, hands=rows(deal.hands))


def hand_of_another(state: object, player: int | None, undo: int = 0) -> messages.You:
    return own_part.you_of(state, None if player is None else (player + 1) % 3, undo)


def advice_that_knows_the_stock(deal: State, seat: int, *, decides: bool) -> messages.Answer:
    return messages.Answer("", groups=[messages.CardGroup(texts(deal.stock[:1]), "rest", 0)])


def play_of_a_card_not_held(state: object, player: int | None, undo: int = 0) -> messages.You:
    own = own_part.you_of(state, player, undo)
    stock = state.match.state.stock if state.match and state.match.state else ()
    return replace(own, plays={"discard": str(stock[0] << 4 | 6)}) if stock else own


def card_named_in_a_reason(core: object, rules: object, action: object) -> Refusal:
    return Refusal("run.gap", "R-DRAW-1", parts={"missing": (core.stock_cards()[0],)})


def seed_shown_early(state: object) -> object:
    shuffle = state.shuffles.last
    return shuffle and messages.Fairness(
        shuffle.number, shuffle.commitment, (), shuffle.seed, shuffle.context
    )


def audited() -> None:
    for seed in range(3):
        Audit(options("500-rum", (), 3), seed).play(2)


@pytest.mark.parametrize(
    ("owner", "name", "leaky", "match"),
    [
        (event_messages._FIELDS, "draw", drawn_card_shown_to_all, "to player None"),
        (SnapshotBuilder, "snapshot", hands_shown_too_early, "to player None"),
        (broadcaster, "you_of", hand_of_another, "to player 0"),
        (advice_work, "_turn", advice_that_knows_the_stock, "to player"),
        (broadcaster, "you_of", play_of_a_card_not_held, None),
        (advice_work, "explain", card_named_in_a_reason, None),
        (snapshot_builder, "_fairness", seed_shown_early, "seed"),
    ],
)
def test_audit_finds_leak(
    owner: object, name: str, leaky: object, match: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (monkeypatch.setitem if isinstance(owner, dict) else monkeypatch.setattr)(owner, name, leaky)
    if owner is advice_work:
        monkeypatch.setattr(Audit, "asks", 10)
    with pytest.raises(Leak, match=match):
        audited()


def test_the_search_reads_cards_and_codes():
    text = '{"card":"10S","place":"1H","text":"not K♦","plays":{"discard":"694"},"takes":{"22":"356"},'
    message = (text + '"name":"2S!"}').encode()
    assert cards_in(message) == {9, 16, 44, 43}
