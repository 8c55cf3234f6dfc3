"""Bots: what they see, that they play by the rules, and that `greedy` is as its page says."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from rum500 import State, bots, deal, decode
from rum500.bots import Bot, UnknownBot
from rum500.bots.greedy import Greedy
from rum500.bots.hand_analysis import HandAnalysis
from rum500.bots.policy_bots import Random
from rum500.cards import JOKER, card_from_text, cards_from_text, cards_text, pack
from rum500.rng import Rng
from rum500.rules.action_codes import play_counts
from rum500.rules.engine.core import MELD_RUN
from rum500.rules.notation import play_text
from rum500.rules.profiles import ruleset
from tests.support.games import random_players, random_rules
from tests.support.table import table, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rum500 import Ruleset


def dealt(
    rules: Ruleset | str, hands: Sequence[str], *, melds: Sequence[str] = (), pile: str = "", **fields: Any
) -> State:
    """A table with a whole deck: what is in no hand, meld or pile (all laid by seat 1) is the stock."""
    game = ruleset(rules) if isinstance(rules, str) else rules
    rest = game.deck(len(hands))
    for card in cards_from_text(" ".join((*hands, *melds, pile))):
        rest.remove(card)
    fields = {"stock": cards_text(rest), "phase": "play"} | fields
    return table(game, hands, melds=[(1, meld) for meld in melds], pile=pile, **fields)


def choice(state: State) -> str:
    """What greedy does here, as it is written."""
    return play_text(decode(Greedy().choose_int(state.view(state.actor), Rng(1))), state)


def play_deal(state: State, seated: Sequence[Bot], seed: int) -> list[int]:
    """Play a deal out, every choice checked against the legal ones; the choices."""
    chance = Rng(seed)
    made = []
    while not state.is_over:
        view = state.view(state.actor)
        code = seated[state.actor % len(seated)].choose_int(view, chance)
        assert code in view.legal
        made.append(code)
        state.apply_int(code)
    return made


@pytest.fixture(autouse=True)
def _two_bots(monkeypatch):
    """The registry as it comes, whatever other tests have put in."""
    monkeypatch.setattr("rum500.bots.registry._MAKERS", {"greedy": Greedy, "random": Random})


# --- the registry ----------------------------------------------------------------------------------


def test_bots_are_found_by_name():
    assert bots.names() == ("greedy", "random")
    for name in bots.names():
        found = bots.get(f" {name.title()} ")
        assert isinstance(found, Bot) and found.name == name


def test_unknown_bot_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownBot, match="'greddy'; did you mean greedy\\? there are greedy, random"):
        bots.get("greddy")
    with pytest.raises(UnknownBot, match="no bot 'xyz'; there are greedy, random"):
        bots.get("xyz")


def test_a_bot_can_be_added():
    class Mine(Greedy):
        name = "mine"

    bots.register("mine", Mine)
    bots.register("mine", Mine)
    assert bots.names() == ("greedy", "random", "mine") and isinstance(bots.get("mine"), Mine)
    with pytest.raises(ValueError, match="a bot 'greedy' already"):
        bots.register("greedy", Mine)
    for name in ("", "Mine", "a,b", "cmd:x", "my bot"):
        with pytest.raises(ValueError, match="cannot be a bot's name"):
            bots.register(name, Mine)
    with pytest.raises(TypeError, match="that makes the bot"):
        bots.register("made", Mine())  # type: ignore[arg-type]


# --- reading a view --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_analysis_of_a_view_agrees_with_the_deal(seed):
    """Unseen cards are those in the stock and in others' hands; open places are the engine's."""
    chance = random.Random(seed)
    rules = random_rules(chance)
    state = deal(rules, random_players(rules, chance), seed=seed)
    for _ in range(60):
        if state.is_over:
            return
        check_reading(state)
        state.apply_int(chance.choice(state.legal_ints()))


def check_reading(state: State) -> None:
    """Hold a reading against the state that the view is of."""
    view = state.view(state.actor)
    reading = HandAnalysis(view)
    others = [seat for seat in range(state.players) if seat != state.actor]
    unseen = [*state.stock, *(card for seat in others for card in state.hands[seat])]
    for seat in others:
        for card in state.known(seat):
            unseen.remove(card)
    assert [unseen.count(card) for card in range(64)] == reading.unseen[:64]
    assert reading.hidden == max(1, len(unseen))
    fits = {card for card in {*pack(), JOKER} if reading.fits[card]}
    assert fits == {card for card in {*pack(), JOKER} if state.core.fits_table(card)}
    for code in view.legal:
        if code & 15 >= MELD_RUN:
            laid = [laid.card for laid in decode(code).cards]
            mask = sum(1 << card for card in set(laid) - {JOKER})
            jokers = laid.count(JOKER)
            assert play_counts(code) == (mask, len(laid) - jokers, jokers)


def test_a_plan_takes_the_groups_that_go_together_best():
    """8S in the run or in the set: five, six and seven with three eights make most."""
    state = dealt("500-rum", ["5S 6S 7S 8S 8H 8D KC", "4H 9C"])
    reading = HandAnalysis(state.view(0))
    points, chosen = reading.plan(reading.groups(state.hands[0]))
    assert points == 5 + 6 + 7 + 24
    assert sorted(group.points for group in chosen) == [18, 24]


def test_a_plan_can_be_made_to_use_a_card():
    state = dealt("500-rum", ["5S 6S 7S 7H 7D KC", "4H 9C"])
    reading = HandAnalysis(state.view(0))
    hand = state.hands[0]
    groups = reading.groups(hand)
    must = 1 << hand.index(card_from_text("5S"))
    assert reading.plan(groups)[0] == 21
    points, chosen = reading.plan(groups, must)
    assert (points, len(chosen)) == (18, 1)
    assert reading.plan(groups, 1 << hand.index(card_from_text("KC"))) == (-1, [])


# --- greedy's judgement ----------------------------------------------------------------------------


def test_it_lays_down_what_scores_most():
    assert choice(dealt("500-rum", ["5S 6S 7S 8S 8H 8D KC 2H", "4H 9C JD"])) == "meld 8S 8H 8D"


def test_it_lays_off_what_scores():
    assert choice(dealt("500-rum", ["9S KC 2H", "4H 9C JD"], melds=["6S 7S 8S"])) == "lay 9S on 1"


def test_it_lays_off_on_a_partners_meld():
    """R-MATCH-5."""
    state = dealt("partnership-500-rum", ["9S KC 2H", "4H 9C", "JD 3S", "7C 5D"], melds=["6S 7S 8S"], turn=3)
    assert choice(state).startswith("discard")
    state = dealt("partnership-500-rum", ["4H 9C", "JD 3S", "7C 5D", "9S KC 2H"], melds=["6S 7S 8S"], turn=3)
    assert choice(state) == "lay 9S on 1"


def test_it_goes_out_when_it_can():
    """R-END-1."""
    state = dealt("500-rum", ["5S 6S 7S KC", "4H 9C JD"])
    assert choice(state) == "meld 5S 6S 7S"
    state.apply(state.legal_actions()[0])
    assert choice(state) == "discard KC"


def test_it_takes_the_card_that_makes_a_meld():
    """R-DRAW-3."""
    state = dealt("500-rum", ["QS QH 3D 9C 5H", "4H 4C JD 6S 8H 10S"], pile="QD", phase="draw")
    assert choice(state) == "take QD"


def test_a_dive_is_weighed_by_what_it_gets_and_what_it_risks():
    """A two under a heap of high cards: early there is time to use them, not while the other holds one."""
    hand, pile = "2S 2H 3D 5C 7H KC", "2D KS KH JC QC AD 9C"
    early = dealt("500-rum", [hand, "4H 9S JD 6S 8H 10S 4S"], pile=pile, phase="draw")
    late = dealt("500-rum", [hand, "4H"], pile="2D 9C QS AH 10D JS", phase="draw")
    assert "take 2D" in texts(early) & texts(late)
    assert choice(early).startswith("take")
    assert choice(late) == "draw"


PERSIAN = ("4H 9C QD 6D 8H 10S 2S", "3S 5C 7D 9D JS KC 2D", "4S 6C 8D 10H QC AC 3D")


def test_a_joker_of_its_own_rank_is_kept_while_the_deal_is_young():
    """R-MELD-4: three of them bring 60 or more; where the others are about to go out it is thrown."""
    hand = "JK JH 2C 9H 5D 7C KS"
    assert choice(dealt("persian-rummy", [hand, *PERSIAN], pile="AS 10C")) != "discard JK"
    late = [seat.split()[0] for seat in PERSIAN]
    assert choice(dealt("persian-rummy", [hand, *late], pile="AS 10C")) == "discard JK"


def test_a_joker_is_not_thrown_on_jokers():
    """R-MELD-4: with two in the pile a third one makes a meld for the next player."""
    view = dealt("persian-rummy", ["JK JH 2C 9H 5D 7C KS", *PERSIAN], pile="JK 10C JK").view(0)
    bare = dealt("persian-rummy", ["JK JH 2C 9H 5D 7C KS", *PERSIAN], pile="AS 10C").view(0)
    one = dealt("persian-rummy", ["JK JH 2C 9H 5D 7C KS", *PERSIAN], pile="JK 10C").view(0)
    gifts = [HandAnalysis(each).gift(JOKER) for each in (bare, one, view)]
    assert gifts == sorted(gifts) and gifts[0] < 8 and gifts[2] == 20


def test_it_keeps_what_may_meld():
    state = dealt("500-rum", ["6S 7S JH JD 2C 9H", "4H 9C QD 6D 8H 10S KC"])
    assert choice(state) in ("discard 2C", "discard 9H")


def test_it_throws_high_cards_when_somebody_is_about_to_go_out():
    hand = "KS QS 2C 6H 5D"
    calm = dealt("500-rum", [hand, "4H 9C JD 6D 8H 10S 7C 3H 4D"])
    alarm = dealt("500-rum", [hand, "4H"])
    assert choice(calm) not in ("discard KS", "discard QS")
    assert choice(alarm) in ("discard KS", "discard QS")


def test_it_gives_nobody_the_card_they_can_lay_off():
    """R-LAY-1, D26: it never throws what fits the table; it lays it off itself, and then throws another."""
    state = dealt("500-rum", ["KH 3D 7C", "4H 9C JD 6D 8H"], melds=["KS KD KC"])
    assert choice(state) == "lay KH on 1"
    gift = HandAnalysis(state.view(0)).gift
    assert gift(card_from_text("KH")) == 10
    assert gift(card_from_text("3D")) < 5


def test_it_does_not_feed_what_another_is_known_to_hold():
    """R-DRAW-6: two sevens were taken from the pile, so the third stays here."""
    known = sum(1 << card for card in cards_from_text("7H 7D"))
    hands = ["7S 5C 6H", "7H 7D 4H 9C JD 6D 8H"]
    state = dealt("500-rum", hands, k1=[0, known, 0, 0, 0, 0, 0, 0])
    ignorant = dealt("500-rum", hands)
    assert choice(ignorant) == "discard 7S"
    assert choice(state) != "discard 7S"


def test_it_holds_three_of_a_kind_back_where_four_at_once_count_double():
    """R-SCORE-3: early in the deal, the fourth still to come; not when somebody may go out."""
    hands = [
        "KS KH KD 2C 5H 7D 9C 4D",
        "4H 9S JD 6D 8H 10S 7C",
        "3H 3D 4S 5S 8S QD 10C",
        "2H 6C 6H 8D 9D JC QC",
    ]
    assert choice(dealt("persian-rummy", hands)).startswith("discard")
    assert choice(dealt("partnership-500-rum", hands)) == "meld KS KH KD"
    hands[1] = "4H"
    assert choice(dealt("persian-rummy", hands)) == "meld KS KH KD"


def test_it_holds_back_no_three_whose_fourth_lies_in_a_meld():
    """R-SCORE-3: what cannot become four at once is laid."""
    hands = [
        "KS KH KD 2C 5H 7D 9C 4D",
        "4H 9S JD 6D 8H 10S 7C",
        "3H 3D 4S 5S 8S QD 9D",
        "2H 6C 6H 8D AD AH QH",
    ]
    assert choice(dealt("persian-rummy", hands, melds=["10C JC QC KC"])) == "meld KS KH KD"


def test_it_plays_jokers_of_their_own_rank_only_together():
    """R-MELD-4."""
    state = dealt("persian-rummy", ["JK JK JK JK 2C 5H", "4H 9C", "3S 8D", "10H JC"])
    assert choice(state) == "meld JK JK JK JK"


def test_it_declares_wild_jokers():
    """R-MELD-5."""
    state = dealt("rummy-500", ["JK 8S 8H 2C 5D", "4H 9C 10D"])
    assert choice(state).startswith("meld 8S 8H JK=8")


def test_it_calls_rummy_for_points_and_lets_a_bad_call_go():
    """R-CLAIM-1, R-CLAIM-2."""
    rules = ruleset("500-rum", house_rules=("H6",))
    others, melds = ["2H 5D KC 7D", "QS JC 3D"], ["6S 7S 8S"]
    state = dealt(rules, ["4H 9C 10S", *others], pile="2D 9S", melds=melds, phase="claim", actor=1)
    assert choice(state) == "call 9S"
    state = dealt(rules, ["4H", *others], pile="9S KD AH 10C QD JH", melds=melds, phase="claim", actor=1)
    assert choice(state) == "let go"


def test_with_the_stock_empty_it_melds_from_the_pile_or_ends_the_deal():
    """D5."""
    hands = ["QS QH 2D", "4H 9C JD"]
    assert choice(dealt("500-rum", hands, pile="QD", stock="", phase="draw")) == "take QD"
    state = dealt("500-rum", hands, pile="2S 2H AD KH 9D JS 10C", stock="", phase="draw")
    assert texts(state) == {"take 2S", "end"}
    assert choice(state) == "end"


def test_it_passes_where_a_pass_is_best():
    """D6."""
    hands = ["QS QD 2D", "4H 9C JD", "3H 8C 10D", "5H 7C JS"]
    state = dealt("persian-rummy-gamerules", hands, pile="QH KH AD KS AC", stock="", phase="draw")
    assert texts(state) == {"take QH", "pass"}
    assert choice(state) == "pass"


# --- in every game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_never_illegal_in_any_mix_of_rules(seed):
    chance = random.Random(seed)
    rules = random_rules(chance)
    players = random_players(rules, chance)
    play_deal(deal(rules, players, seed=seed), [bots.get("greedy"), bots.get("random")], seed)
