"""The search kit: worlds of a view, candidates, rollouts and comparisons."""

from __future__ import annotations

import pickle

import pytest

import rum500
from rum500 import IllegalPlay, Rng, State, View, bots, ruleset
from rum500.ai import known_deal
from rum500.ai.resampling import BELIEFS, Belief
from rum500.bots.endings import solved_from, winning_play
from rum500.rules.profiles import profile_names
from rum500.search import POLICIES, candidates, compare, rollouts
from rum500.state import position_from_text, view_to_text
from tests.support.depth import depth


def begun(profile: str, seed: int, steps: int) -> State:
    """A deal after at most this number of plays of `casual`."""
    state, bot = rum500.deal(profile, seed=seed), bots.get("casual")
    while state.past and steps > 0 and not state.is_over:
        state.apply(bot.choose(state.view(state.actor)))
        steps -= 1
    return state


def decisions(profile: str, seed: int, steps: int) -> list[View]:
    """The views of the actors in the course of a deal that have several legal actions."""
    state, bot, found = rum500.deal(profile, seed=seed), bots.get("casual"), []
    while steps > 0 and not state.is_over:
        view = state.view(state.actor)
        found += [view] if len(view.legal) > 1 else []
        state.apply(bot.choose(view))
        steps -= 1
    return found


# --- worlds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("profile", profile_names())
def test_worlds_have_the_same_view_and_different_cards(profile: str, belief: Belief) -> None:
    for seed in range(depth(2, 10)):
        state = begun(profile, seed, 17 * seed + 9)
        for seat in range(state.players):
            view = state.view(seat)
            worlds = view.worlds(Rng(seed), 12, belief)
            assert [world.view(seat) for world in worlds] == [view] * 12
            assert len({world.hands for world in worlds}) > 1
            assert worlds == view.worlds(Rng(seed), 12, belief)


def test_hidden_cards_do_not_affect_the_worlds() -> None:
    state = begun("500-rum", 3, 12)
    seat = state.actor
    twin = state.resample(seat, Rng(5))
    assert twin.hands != state.hands
    for belief in BELIEFS:
        drawn = [one.view(seat).worlds(Rng(1), 5, belief) for one in (state, twin)]  # type: ignore[arg-type]
        assert drawn[0] == drawn[1]


def test_worlds_of_a_spectator_hide_all_hands() -> None:
    state = begun("500-rum", 1, 6)
    worlds = state.view(None).worlds(Rng(1), 20)
    assert all(world.view(None) == state.view(None) for world in worlds)
    assert len({world.hands for world in worlds}) == 20


def test_worlds_play_on_but_their_past_draws_are_unknown() -> None:
    world = begun("500-rum", 1, 8).view(0).worlds(Rng(1), 1)[0]
    world.apply_int(world.legal_ints()[0])
    with pytest.raises(ValueError, match="the cards drawn in this deal are unknown"):
        world.undo()


def test_wrong_arguments_of_worlds_are_refused() -> None:
    state = begun("500-rum", 1, 1000)
    with pytest.raises(ValueError, match="the deal is over"):
        state.view(0).worlds(Rng(1), 1)
    view = rum500.deal("500-rum", seed=1).view(0)
    with pytest.raises(ValueError, match="beliefs are even, odds, hands, not 'odd'"):
        view.worlds(Rng(1), 1, "odd")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the number of worlds is 1 or more, not 0"):
        view.worlds(Rng(1), 0)


def test_a_view_from_text_keeps_its_course() -> None:
    view = begun("rummy-500", 4, 20).view(1)
    again = position_from_text(view_to_text(view, course=True)).view
    assert again == view
    assert again.worlds(Rng(1), 3, "hands") == view.worlds(Rng(1), 3, "hands")
    assert position_from_text(view_to_text(view)).view.past == ()


# --- rollouts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["500-rum", "michigan-rum", "partnership-500-rum", "persian-rummy"])
@pytest.mark.parametrize("policy", ["club", "casual"])
def test_a_rollout_is_the_deal_that_the_bots_play(profile: str, policy: str) -> None:
    bot = bots.get(policy)
    for seed in range(depth(3, 20)):
        state = begun(profile, seed, 7 * seed)
        before = state.to_bytes()
        found = state.rollout(policy)
        played = state.copy()
        while not played.is_over:
            played.apply(bot.choose(played.view(played.actor)))
        assert found == played.returns("points")
        assert state.rollout(policy, kind="margin") == played.returns("margin")
        assert state.to_bytes() == before


def test_each_seat_may_have_a_policy_of_its_own() -> None:
    state = rum500.deal("500-rum", seed=11)
    played, seated = state.copy(), (bots.get("casual"), bots.get("club"))
    while not played.is_over:
        played.apply(seated[played.actor].choose(played.view(played.actor)))
    assert state.rollout(("casual", "club")) == played.returns()


def test_after_applies_an_action_first() -> None:
    state = begun("500-rum", 2, 9)
    worlds = state.view(state.actor).worlds(Rng(3), 8)
    for action in state.legal_actions()[:6]:
        moved = [world.copy() for world in worlds]
        for world in moved:
            world.apply(action)
        assert rollouts(worlds, after=action) == rollouts(moved)
        assert rollouts(worlds, after=str(action)) == rollouts(moved)
    assert state.phase is rum500.Phase.PLAY
    held = set(state.hands[state.actor])
    absent = next(card for card in map(rum500.Card, ("2S", "3H", "7D", "9C", "KS")) if card not in held)
    for action in ("pass", rum500.Discard(absent), rum500.Discard(rum500.Card("JK")), -5, 1 << 70):
        with pytest.raises(IllegalPlay):
            rollouts(worlds, after=action)


def test_random_rollouts_and_orders_of_the_stock_follow_from_the_generator() -> None:
    state = rum500.deal("500-rum", seed=5)
    for policy in ("random", "club"):
        one, two, other = (rollouts([state], policy, 20, rng=Rng(seed)) for seed in (1, 1, 2))
        assert one == two
        assert one != other
    assert len({state.rollout("random", Rng(seed)) for seed in range(20)}) > 5
    assert len({state.rollout("club", Rng(seed)) for seed in range(5)}) == 1


def test_a_mean_of_rollouts_is_that_of_single_ones() -> None:
    """The first rollout keeps the stock, so of many most differ from it."""
    state = rum500.deal("500-rum", seed=5)
    first, mean = state.rollout()[0], rollouts([state], n=2)[0][0]
    second = 2 * mean - first
    assert second == round(second)
    assert second != first


def test_deals_of_several_games_are_refused() -> None:
    one, two = (rum500.deal(profile, seed=1) for profile in ("500-rum", "rummy-500"))
    with pytest.raises(ValueError, match="these deals are of several games"):
        rollouts([one, two])
    with pytest.raises(ValueError, match="these deals are of several games"):
        rollouts([one, rum500.deal("500-rum", 3, seed=1)])
    assert rollouts([]) == []


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("clubs", f"policies are {', '.join(POLICIES)}, not 'clubs'"),
        (("club",) * 3, "3 policies are given for 2 seats"),
        (("club", "random"), "the policy random is possible for all seats only"),
    ],
)
def test_wrong_policies_are_refused(policy: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rum500.deal("500-rum", seed=1).rollout(policy)


# --- candidates and comparisons ---------------------------------------------------------------------


@pytest.mark.parametrize("profile", profile_names())
def test_candidates_are_legal_and_begin_with_the_choice_of_club(profile: str) -> None:
    for view in decisions(profile, 6, depth(30, 200)):
        found = view.candidates()
        assert found[0] == bots.get("club").choose(view)
        assert len(set(found)) == len(found) <= 64
        assert set(found) <= set(view.legal_actions())


@pytest.mark.parametrize("profile", ["500-rum", "rummy-500", "partnership-500-rum"])
def test_a_comparison_prefers_the_play_of_strong(profile: str) -> None:
    compared = 0
    for view in decisions(profile, 8, 40):
        core = known_deal(view).core
        if winning_play(view, core) is not None or solved_from(view, known_deal(view)):
            continue
        strong = bots.get("strong", worlds=64)
        assert compare(view, worlds=64, rng=Rng(3)).best == strong.choose(view, Rng(3))
        compared += 1
    assert compared > 5


def test_leads_are_the_means_of_the_same_worlds_with_intervals() -> None:
    view = next(view for view in decisions("500-rum", 9, 40) if len(view.candidates()) > 4)
    found = compare(view, worlds=256, rng=Rng(2))
    assert [play.action for play in found.plays] == view.candidates()
    first = found.plays[0]
    assert (first.lead, first.low, first.high, first.worlds) == (0, 0, 0, 256)
    for play in found.plays[1:]:
        assert play.low <= play.lead <= play.high
        assert play.worlds in (32, 64, 128, 256)
        assert found[play.action] == play
    assert min(play.worlds for play in found.plays) < 256
    two = compare(view, view.candidates()[:2], 32, rng=Rng(2))
    assert two.plays[1].lead == pytest.approx(two.plays[1].points - two.plays[0].points)
    assert pickle.loads(pickle.dumps(found)) == found


def test_threads_do_not_change_a_comparison() -> None:
    view = next(view for view in decisions("michigan-rum", 9, 40) if len(view.candidates()) > 4)
    assert compare(view, worlds=64, threads=2) == compare(view, worlds=64)


def test_an_interval_contains_the_lead_in_many_other_worlds() -> None:
    """At 95 % a few of the intervals may miss it."""
    inside = total = 0
    for seed, view in enumerate(decisions("500-rum", 9, depth(16, 60))):
        plays = view.candidates()[:2]
        if len(plays) < 2:
            continue
        true = compare(view, plays, 2048, rng=Rng(seed)).plays[1].lead
        seen = compare(view, plays, 128, rng=Rng(seed + 1000)).plays[1]
        inside += seen.low - 1e-9 <= true <= seen.high + 1e-9
        total += 1
    assert total > 5
    assert inside >= 0.85 * total


def test_wrong_plays_and_numbers_are_refused() -> None:
    view = rum500.deal("500-rum", seed=1).view(1)
    with pytest.raises(ValueError, match="take 5 cards is not a legal play of seat 1"):
        compare(view, [rum500.Take(5)])
    with pytest.raises(ValueError, match="1 to 64 plays are compared, not 0"):
        compare(view, [])
    with pytest.raises(ValueError, match="seat 0 has nothing to decide"):
        candidates(rum500.deal("500-rum", seed=1).view(0))
    with pytest.raises(ValueError, match="the number of worlds is 2 or more, not 1"):
        compare(view, worlds=1)
    with pytest.raises(ValueError, match="the seconds of a comparison are 0 to"):
        compare(view, seconds=-1)


# --- environments -----------------------------------------------------------------------------------


def test_environments_give_their_state() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pettingzoo = pytest.importorskip("rum500.adapters.pettingzoo")
    from rum500.adapters.gymnasium import register_all

    register_all()
    single = gymnasium.make("rum500/500-rum-v0").unwrapped
    single.reset(seed=1)
    several = pettingzoo.env("500-rum")
    several.reset(seed=1)
    for state in (single.state, several.unwrapped.deal):
        assert isinstance(state, State)
        assert state.rules == ruleset("500-rum")
        assert (
            compare(state.view(state.actor), worlds=8).best in state.legal_actions()
            or len(state.legal_ints()) == 1
        )
