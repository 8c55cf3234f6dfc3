"""Why a play is refused: the code, the rule, the sentence and the card, for every kind of wrong play."""

from __future__ import annotations

import random
import re
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
    Phase,
    State,
    Take,
)
from rum500.cards import JOKER, card_from_text
from rum500.rules.explain import FALLBACK, Refusal, explain
from rum500.rules.ruleset import Ruleset, ruleset
from rum500.state._setup import new_core
from tests.support.games import random_players, random_rules, small_deck
from tests.support.table import play, table
from tests.support.wrong import is_wrong, random_numbers, random_plays

OTHER = "4H 9C"
G = "persian-rummy-gamerules"


def house(*ids: str, **changes: Any) -> Ruleset:
    return ruleset("rummy-500", house_rules=ids, **changes)


def meld(cards: str) -> Meld:
    return Meld(laid(cards))


def lay(cards: str, number: int, run: bool = True) -> LayOff:
    return LayOff(number - 1, laid(cards), run)


def laid(cards: str) -> tuple[Laid, ...]:
    """Cards as written; `JK=6S` and `AS=1S`, `AS=AS` for the low and the high ace, `6S=7S` for nonsense."""
    found = []
    for word in cards.split():
        text, _, stands = word.partition("=")
        card = card_from_text(text)
        if stands.startswith("1") and stands[1:2] != "0":
            place: int | None = card_from_text("A" + stands[1:])
        elif stands:
            place = card_from_text(stands) + (13 if stands[0] == "A" else 0)
        else:
            place = None if card == JOKER else card
        found.append(Laid(card, place))
    return tuple(found)


def at_play(rules: Any, cards: str, *melds: str, **more: Any) -> State:
    players = (ruleset(rules) if isinstance(rules, str) else rules).players[0]
    hands = [cards, *[OTHER] * (more.pop("players", players) - 1)]
    return table(rules, hands, melds=list(melds), phase="play", **more)


def to_draw(rules: Any, cards: str, *melds: str, **more: Any) -> State:
    state = at_play(rules, cards, *melds, **more)
    state.core.phase = Phase.DRAW
    return state


def played(state: State, *texts: str) -> State:
    play(state, *texts)
    return state


def asked() -> State:
    """Seat 1 is asked whether it calls for the 9♠ that seat 0 threw."""
    return played(at_play(house("H6"), "9S KD", "6S 7S 8S", pile="QD"), "discard 9S")


def over() -> State:
    return played(to_draw("500-rum", "KD", stock=""), "end")


SEVENS = "7S 7H 7D"
FULL = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"

# Each: a state, the wrong play, and the refusal: code, rule, sentence, card.
CASES: list[tuple[State, Action | int, str, str, str, str]] = [
    # the turn
    (over(), Draw(), "deal.over", "R-END-1", "the deal is over", ""),
    (
        over(),
        meld("6S 7S 8S"),
        "deal.over",
        "R-END-2",
        "the deal is over: nothing more is melded or laid off",
        "",
    ),
    (over(), Call(1), "deal.over", "R-CLAIM-4", "the deal is over: nobody may call any more", ""),
    (
        to_draw("500-rum", "6S KD", pile="QD"),
        Discard(6),
        "turn.draw_first",
        "R-TURN-1",
        "draw first: from the stock or the pile",
        "",
    ),
    (
        to_draw("500-rum", "6S KD", pile="QD", stock=""),
        Discard(6),
        "turn.draw_first",
        "R-TURN-1",
        "draw first: the stock is empty, so take from the pile or end the deal",
        "",
    ),
    (
        at_play("500-rum", "6S KD"),
        Draw(),
        "turn.drawn",
        "R-TURN-1",
        "you have drawn already: meld, lay off, or discard to end your turn",
        "",
    ),
    (
        at_play("500-rum", "6S KD"),
        1 << 40,
        "play.unknown",
        "R-TURN-1",
        "1099511627776 is the number of no play",
        "",
    ),
    (at_play("500-rum", "6S KD"), 11, "play.unknown", "R-TURN-1", "11 is the number of no play", ""),
    (at_play("500-rum", "6S KD"), Discard(13), "card.unknown", "R-TURN-1", "13 is the number of no card", ""),
    (at_play("500-rum", "6S KD"), Discard(7), "card.not_held", "R-TURN-1", "you do not hold 8♠", "8S"),
    (
        at_play("500-rum", "6S KD"),
        Discard(62),
        "card.not_held",
        "R-MELD-4",
        "there are no jokers in this game",
        "JK",
    ),
    (at_play("rummy-500", "6S KD"), Discard(62), "card.not_held", "R-TURN-1", "you hold no joker", "JK"),
    (
        at_play("rummy-500", "6S JK KD"),
        meld("JK=4S JK=5S 6S"),
        "card.not_held",
        "R-TURN-1",
        "you hold only one joker",
        "JK",
    ),
    (
        at_play("500-rum", "6S KD"),
        meld("6S 6S KD"),
        "card.not_held",
        "R-TURN-1",
        "you hold only one 6♠",
        "6S",
    ),
    (
        at_play("500-rum", "6S 6H KD", "6D 7D 8D"),
        meld("6S 6H 6D"),
        "card.on_table",
        "R-MELD-3",
        "you do not hold 6♦: it lies in meld 1, and no card leaves its meld",
        "6D",
    ),
    # the stock
    (
        to_draw("500-rum", "6S KD", stock="", pile="QD"),
        Draw(),
        "draw.no_stock",
        "D5",
        "the stock is empty: take a card you can use at once, or end the deal",
        "",
    ),
    (
        to_draw("500-rum", "6S KD", stock=""),
        Draw(),
        "draw.no_stock",
        "D5",
        "the stock is empty: end the deal",
        "",
    ),
    (
        to_draw(house(upcard_free_when_stock_empty=True), "6S KD", stock="", pile="QD"),
        Draw(),
        "draw.no_stock",
        "D5",
        "the stock is empty: take from the pile, or end the deal",
        "",
    ),
    (
        to_draw(G, "6S KD", stock="", pile="QD"),
        Draw(),
        "draw.no_stock",
        "D6",
        "the stock is empty: take a card you can use at once, or pass",
        "",
    ),
    (
        to_draw(house("H5"), "6S KD", stock="", pile="QD"),
        Draw(),
        "draw.no_restock",
        "H5",
        "the stock is empty, and a new one needs two cards in the pile at least: "
        "take a card you can use at once, or end the deal",
        "",
    ),
    (
        to_draw(house("H5"), "6S KD", stock="", pile="QD 2C", restocks=2),
        Draw(),
        "draw.no_restock",
        "D7",
        "the stock is empty, and was made anew two times with no card laid since the first: "
        "take a card you can use at once, or end the deal",
        "",
    ),
    (
        to_draw(G, "6S KD", pile="QD"),
        Pass(),
        "pass.stock_left",
        "D6",
        "a pass is for when the stock is empty: draw or take from the pile",
        "",
    ),
    (
        to_draw(ruleset(G, house_rules=("H5",)), "6S KD", stock="", pile="QD 2C"),
        Pass(),
        "pass.restock",
        "H5",
        "no pass while a new stock can be made of the pile: draw, and it is",
        "",
    ),
    (
        to_draw("500-rum", "6S KD", pile="QD"),
        Pass(),
        "pass.not_played",
        "R-TURN-1",
        "there is no passing in this game: draw or take from the pile",
        "",
    ),
    (
        to_draw("500-rum", "6S KD", stock="", pile="QD"),
        Pass(),
        "pass.not_played",
        "D5",
        "there is no passing in this game: take a card you can use at once, or end the deal",
        "",
    ),
    (
        at_play("500-rum", "6S KD"),
        Pass(),
        "pass.not_played",
        "R-TURN-1",
        "there is no passing in this game: you have drawn: discard to end your turn",
        "",
    ),
    (
        at_play(G, "6S KD"),
        Pass(),
        "pass.drawn",
        "D6",
        "a pass is a whole turn, and you have drawn: discard to end your turn",
        "",
    ),
    (
        to_draw("500-rum", "6S KD", pile="QD"),
        EndDeal(),
        "end.stock_left",
        "D5",
        "the deal can be ended only when the stock is empty: draw or take from the pile",
        "",
    ),
    (
        to_draw(house("H5"), "6S KD", stock="", pile="QD 2C"),
        EndDeal(),
        "end.restock",
        "H5",
        "the deal cannot be ended while a new stock can be made of the pile: draw, and it is",
        "",
    ),
    (
        to_draw(G, "6S KD", stock="", pile="QD"),
        EndDeal(),
        "end.not_played",
        "D6",
        "in this game one passes when the stock is empty: pass, or take a card",
        "",
    ),
    (
        at_play("500-rum", "6S KD"),
        EndDeal(),
        "end.drawn",
        "D5",
        "the deal is ended instead of drawing, and you have drawn: discard to end your turn",
        "",
    ),
    # the pile
    (
        to_draw("500-rum", "6S KD"),
        Take(1),
        "take.no_pile",
        "R-DRAW-2",
        "the pile is empty: there is nothing to take",
        "",
    ),
    (
        to_draw("500-rum", "6S KD", pile="QD 2C"),
        Take(3),
        "take.count",
        "R-DRAW-2",
        "the pile holds two cards: one takes from one card to all of them, not 3",
        "",
    ),
    (
        to_draw("500-rum", "8S 7C KD", pile="QD 8C 2D"),
        Take(2),
        "take.useless",
        "R-DRAW-3",
        "8♣ would have to be used at once, and it fits no meld on the table: "
        "there would be only 8♠ 8♣ for a set and only 7♣ 8♣ for a run",
        "8C",
    ),
    (
        to_draw("500-rum", "KS 2C KD", pile="QD AC"),
        Take(1),
        "take.useless",
        "R-DRAW-4",
        "A♣ would have to be used at once, and it fits no meld on the table: "
        "there would be no other ace for a set and only A♣ 2♣ for a run",
        "AC",
    ),
    (
        to_draw(G, "KS 2C KD", pile="QD AC"),
        Take(1),
        "take.useless",
        "R-DRAW-4",
        "A♣ would have to be used at once, and it fits no meld on the table: "
        "there would be no other ace for a set and no neighbour for a run",
        "AC",
    ),
    (
        to_draw(house("H1"), "KS 2C KD", pile="8H"),
        Take(1),
        "take.useless",
        "H1",
        "8♥ would have to be used at once, and it fits no meld on the table: "
        "there would be no other 8 for a set and no neighbour for a run",
        "8H",
    ),
    (
        to_draw("rummy-500", "KS 2C", pile="8H", stock=""),
        Take(1),
        "take.useless",
        "D5",
        "8♥ would have to be used at once, and it fits no meld on the table: "
        "there would be no other 8 for a set and no neighbour for a run",
        "8H",
    ),
    (
        to_draw(house("H1"), "", pile="JK JK"),
        Take(2),
        "take.useless",
        "R-DRAW-3",
        "★ would have to be used at once, and there is no other card to meld a joker with, "
        "and no meld on the table that takes it",
        "JK",
    ),
    (
        to_draw(G, "JK 2C", pile="JK 9D"),
        Take(2),
        "take.useless",
        "R-DRAW-3",
        "★ would have to be used at once, and jokers are melded only together, three or four: there would be two",
        "JK",
    ),
    (
        to_draw(house("H2"), "", pile="8H"),
        Take(1),
        "take.stranding",
        "H2",
        "a floater may not discard the top card taken alone, and 8♥ fits no meld on the table",
        "8H",
    ),
    (
        to_draw(house("H4", go_out="meld"), "", pile="8H"),
        Take(1),
        "take.stranding",
        "D18",
        "8♥ would be your only card, may not be discarded this turn, and fits no meld on the table",
        "8H",
    ),
    # the taken card
    (
        played(to_draw("500-rum", "8S 8H KD 7C 9C 10C", pile="8C 2D"), "take 8C"),
        Discard(card_from_text("KD")),
        "use.first",
        "R-DRAW-3",
        "you must use 8♣ now: meld it or lay it off first",
        "8C",
    ),
    (
        played(to_draw("500-rum", "8S 8H 9C 10C JC", pile="8C"), "take 8C"),
        meld("9C 10C JC"),
        "use.first",
        "R-DRAW-4",
        "you must use 8♣ now: meld it or lay it off first",
        "8C",
    ),
    (
        played(to_draw(house("H1"), "8S 8H 2C", pile="8C"), "take 8C"),
        Draw(),
        "use.first",
        "H1",
        "you must use 8♣ now: meld it or lay it off first",
        "8C",
    ),
    (
        played(to_draw("rummy-500", "8S 8H 2C", pile="8C", stock=""), "take 8C"),
        EndDeal(),
        "use.first",
        "D5",
        "you must use 8♣ now: meld it or lay it off first",
        "8C",
    ),
    (
        played(to_draw("rummy-500", "6S 7S JK 2C", pile="8S 2D"), "take 8S"),
        meld("6S 7S JK=8S"),
        "use.first",
        "R-DRAW-3",
        "you must use 8♠ now: meld it or lay it off first",
        "8S",
    ),
    # claims
    (
        asked(),
        Draw(),
        "claim.open",
        "R-CLAIM-1",
        'first call "Rummy!" or let it go: the next turn has not begun',
        "",
    ),
    (
        asked(),
        Call(0),
        "call.count",
        "R-CLAIM-2",
        "the pile holds two cards: one takes from one card to all of them, not 0",
        "",
    ),
    (
        asked(),
        Call(2),
        "call.useless",
        "R-CLAIM-1",
        "Q♦ must be of use with pile and table alone, and it fits no meld on the table: "
        "there would be no other queen for a set and no neighbour for a run",
        "QD",
    ),
    (
        at_play("500-rum", "6S KD", pile="QD"),
        Call(1),
        "claim.not_played",
        "H6",
        'there is no calling "Rummy!" in this game',
        "",
    ),
    (
        at_play(house("H6"), "6S KD", pile="QD"),
        LetGo(),
        "claim.not_now",
        "R-CLAIM-1",
        '"Rummy!" is called between two turns, by those who are asked then: go on with your turn',
        "",
    ),
    (
        played(asked(), "call 9S"),
        meld("9S 9C"),
        "claim.from_hand",
        "R-CLAIM-2",
        "the first play after a call is made of the cards taken alone: 9♣ is from your hand",
        "9C",
    ),
    (
        played(asked(), "call 9S"),
        Discard(card_from_text("4H")),
        "use.first",
        "R-CLAIM-2",
        "you must use 9♠ now: meld it or lay it off first",
        "9S",
    ),
    # discards
    (
        played(to_draw(house("H4"), "8S KD", pile="8C"), "take 8C"),
        Discard(card_from_text("8C")),
        "discard.taken",
        "H4",
        "you took 8♣ alone and may not discard it this turn: discard another card",
        "8C",
    ),
    (
        played(to_draw(house("H2"), "", "6S 7S 8S", stock="9S 2C"), "draw"),
        Discard(8),
        "discard.floater",
        "D26",
        "you float with this card alone and it fits a meld on the table: lay 9♠ off",
        "9S",
    ),
    (
        played(to_draw(house("H4"), "6S 7S 8S", pile="8C"), "take 8C"),
        meld("6S 7S 8S"),
        "play.stranding",
        "D3a",
        "this would leave you 8♣ alone, which you may not discard this turn and no meld takes: "
        "keep another card to discard",
        "8C",
    ),
    # new melds
    (
        at_play("500-rum", "6S KD"),
        meld(""),
        "meld.too_few",
        "R-MELD-1",
        "a meld has three cards at least",
        "",
    ),
    (
        at_play("500-rum", "6S KD"),
        meld("6S"),
        "meld.too_few",
        "R-MELD-1",
        "6♠ is only one card: a meld needs three",
        "",
    ),
    (
        at_play("500-rum", "6S 7S KD"),
        meld("6S 7S"),
        "meld.too_few",
        "R-MELD-2",
        "6♠ 7♠ are only two cards: a run needs three",
        "",
    ),
    (
        at_play("500-rum", "6S 6H KD"),
        meld("6S 6H"),
        "meld.too_few",
        "R-MELD-1",
        "6♠ 6♥ are only two cards: a set needs three",
        "",
    ),
    (
        at_play("500-rum", "6S 7H KD"),
        meld("6S 7H"),
        "meld.too_few",
        "R-MELD-1",
        "6♠ 7♥ are only two cards: a meld needs three",
        "",
    ),
    (
        at_play(G, "JK JK KD"),
        meld("JK JK"),
        "meld.too_few",
        "R-MELD-4",
        "two of the jokers are not enough: a set of jokers is three or four",
        "JK",
    ),
    (
        at_play(G, "JK JK JK JK JK KD"),
        meld("JK JK JK JK JK"),
        "set.too_many",
        "R-MELD-4",
        "a set of jokers is three or four, not more",
        "JK",
    ),
    (
        at_play("rummy-500", "6S 6H 6D 6C JK KD"),
        meld("6S 6H 6D 6C JK=6S"),
        "set.too_many",
        "R-MELD-1",
        "6♠ 6♥ 6♦ 6♣ ★=6♠ are five cards: a set has four at most",
        "",
    ),
    (
        at_play("rummy-500", "6S 6H JK KD"),
        meld("6S 6H JK=6S"),
        "set.suit",
        "R-MELD-1",
        "6♠ would come twice: the cards of a set are of different suits",
        "6S",
    ),
    (
        at_play("rummy-500", "6S 6S 6H KD", players=5),
        meld("6S 6S 6H"),
        "set.suit",
        "D2",
        "6♠ would come twice: the cards of a set are of different suits",
        "6S",
    ),
    (
        at_play(ruleset("500-rummy", variations=("jokers-1",)), "6S 6S JK KD", players=5),
        meld("6S 6S JK=6S"),
        "set.suit",
        "D20",
        "6♠ would come three times: with two packs a set holds a card twice at most",
        "6S",
    ),
    (
        at_play("500-rum", "6S 6H 7D KD"),
        meld("6S 6H 7D"),
        "set.rank",
        "R-MELD-1",
        "7♦ is no 6: a set is three or four cards of one rank",
        "7D",
    ),
    (
        at_play("500-rum", "6S 7S 8H KD"),
        meld("6S 7S 8H"),
        "run.suit",
        "R-MELD-2",
        "8♥ is not of spades: a run is of one suit",
        "8H",
    ),
    (
        at_play("500-rum", "6S 7D 8H KD"),
        meld("6S 7D 8H"),
        "run.suit",
        "R-MELD-2",
        "6♠ 7♦ 8♥ are of mixed suits: a run is of one suit",
        "",
    ),
    (
        at_play("500-rum", "6S 9D KH 2C"),
        meld("6S 9D KH"),
        "meld.mixed",
        "R-MELD-1",
        "6♠ 9♦ K♥ are neither of one rank nor in sequence in one suit",
        "",
    ),
    (
        at_play("500-rum", "5S 6S 8S KD"),
        meld("5S 6S 8S"),
        "run.gap",
        "R-MELD-2",
        "5♠ 6♠ 8♠ are not in sequence: 7♠ is missing",
        "",
    ),
    (
        at_play("500-rum", "2S 6S JS KD"),
        meld("2S 6S JS"),
        "run.gap",
        "R-MELD-2",
        "2♠ 6♠ J♠ are not in sequence",
        "",
    ),
    (
        at_play("500-rum", "JS QS AS 2C"),
        meld("JS QS AS=1S"),
        "run.gap",
        "R-MELD-2",
        "A♠ J♠ Q♠ are not in sequence: K♠ is missing",
        "",
    ),
    (
        at_play("500-rum", "KS AS 2S 9C"),
        meld("KS AS 2S"),
        "run.corner",
        "R-MELD-2",
        "K♠ A♠ 2♠ go round the corner: a run ends at the ace",
        "AS",
    ),
    (
        at_play(G, "AS 2S 3S 9C"),
        meld("AS 2S 3S"),
        "run.ace_high",
        "R-MELD-2",
        "A♠ stands only above the king in this game, not below the two",
        "AS",
    ),
    (
        at_play(G, "AS 2S 3S 9C"),
        meld("AS=AS 2S 3S"),
        "run.ace_high",
        "R-MELD-2",
        "A♠ stands only above the king in this game, not below the two",
        "AS",
    ),
    (
        at_play("500-rum", "AS 2S 3S 9C"),
        meld("AS=AS 2S 3S"),
        "run.ace_end",
        "D4",
        "A♠ stands below the two here: lay it low",
        "AS",
    ),
    (
        at_play("500-rum", "QS KS AS 9C"),
        meld("QS KS AS=1S"),
        "run.ace_end",
        "D4",
        "A♠ stands above the king here: lay it high",
        "AS",
    ),
    (
        at_play("500-rum", "AS AS QS KS 2S 9C", players=5),
        meld("AS=1S 2S QS KS AS=AS"),
        "run.ace_twice",
        "D4",
        "A♠ would stand at both ends: a run holds each rank once",
        "AS",
    ),
    (
        at_play("rummy-500", "6S 7S JK KD"),
        meld("6S 7S JK=7S"),
        "run.repeated",
        "D4",
        "7♠ comes twice: a run holds each rank once",
        "7S",
    ),
    # jokers
    (
        at_play(G, "6S 6H JK KD"),
        meld("6S 6H JK"),
        "joker.own_rank",
        "R-MELD-4",
        "jokers are melded only with jokers",
        "JK",
    ),
    (
        at_play(G, "6S 7S JK KD"),
        meld("6S 7S JK=8S"),
        "joker.own_rank",
        "R-MELD-4",
        "jokers are a rank of their own here and stand for no other card",
        "JK",
    ),
    (
        at_play("rummy-500", "6S 7S JK KD"),
        meld("6S 7S JK"),
        "joker.unnamed",
        "R-MELD-5",
        "say which card the joker stands for",
        "JK",
    ),
    (
        at_play(house("H3"), "6S 6H JK KD"),
        meld("6S 6H JK"),
        "joker.unnamed",
        "H3",
        "only two jokers beside one other card go without a name: say which card each stands for",
        "JK",
    ),
    (
        at_play(house("H3"), "6S JK JK KD"),
        meld("6S JK=6H JK=6D"),
        "joker.named",
        "H3",
        "two jokers beside one other card are not named in a set: lay them plainly",
        "JK",
    ),
    (
        at_play("rummy-500", "6S 7S JK KD"),
        Meld((Laid(5, 5), Laid(6, 6), Laid(62, 15))),
        "joker.place",
        "R-MELD-5",
        "the joker must stand for a card that there is",
        "JK",
    ),
    (
        at_play("rummy-500", "JK JK KD"),
        meld("JK=6S JK=7S"),
        "meld.no_natural",
        "D9",
        "a new meld needs at least one card that is no joker",
        "JK",
    ),
    (
        at_play("rummy-500", "6S 7S 9S KD"),
        meld("6S 7S 9S=8S"),
        "card.place",
        "R-MELD-5",
        "9♠ stands for itself: only a wild joker stands for another card",
        "9S",
    ),
    # lay-offs
    (
        at_play("500-rum", "6S KD", SEVENS),
        lay("", 1),
        "lay.nothing",
        "R-LAY-1",
        "say which cards you lay off",
        "",
    ),
    (
        at_play("500-rum", "6S KD"),
        lay("6S", 1),
        "lay.no_meld",
        "R-LAY-2",
        "there is no meld 1: nothing has been melded yet",
        "",
    ),
    (
        at_play("500-rum", "6S KD", SEVENS, "4S 5S 6S"),
        lay("6S", 3),
        "lay.no_meld",
        "R-LAY-2",
        "there is no meld 3: the table has two melds",
        "",
    ),
    (
        at_play("500-rum", "7S KD", SEVENS, "4S 5S 6S"),
        lay("7S", 2, run=False),
        "lay.kind",
        "R-LAY-2",
        "meld 2 is a run, and the cards were laid as on a set",
        "",
    ),
    (
        at_play("500-rum", "7C KD", SEVENS),
        lay("7C", 1),
        "lay.kind",
        "R-LAY-2",
        "meld 1 is a set, and the cards were laid as on a run",
        "",
    ),
    (
        at_play("500-rum", "9D KD", "5D 6D 7D"),
        lay("9D", 1),
        "lay.no_fit",
        "R-LAY-1",
        "9♦ does not fit meld 1: it takes 4♦ or 8♦",
        "9D",
    ),
    (
        at_play("500-rum", "9D 10D KD 3D", "5D 6D 7D"),
        lay("9D 10D", 1),
        "lay.no_fit",
        "R-LAY-1",
        "9♦ 10♦ do not fit meld 1: it takes 4♦ or 8♦",
        "9D",
    ),
    (
        at_play("500-rum", "8S KD", "5D 6D 7D"),
        lay("8S", 1),
        "lay.no_fit",
        "R-LAY-1",
        "8♠ does not fit meld 1: it takes 4♦ or 8♦",
        "8S",
    ),
    (
        at_play("500-rum", "9C KD", FULL),
        lay("9C", 1),
        "lay.no_fit",
        "R-LAY-1",
        "9♣ does not fit meld 1: it takes A♠",
        "9C",
    ),
    (
        at_play("500-rum", "9C KD", FULL + " AS"),
        lay("9C", 1),
        "lay.no_fit",
        "R-LAY-1",
        "9♣ does not fit meld 1: it takes nothing more",
        "9C",
    ),
    (
        at_play("500-rum", "8S KD", SEVENS),
        lay("8S", 1, run=False),
        "lay.no_fit",
        "R-LAY-1",
        "8♠ does not fit meld 1: it takes 7♣",
        "8S",
    ),
    (
        at_play(G, "8S KD", "JK JK JK"),
        lay("8S", 1, run=False),
        "lay.no_fit",
        "R-MELD-4",
        "8♠ does not fit meld 1: a set of jokers takes only a joker",
        "8S",
    ),
    (
        at_play("500-rum", "8S KD", SEVENS + " 7C"),
        lay("8S", 1, run=False),
        "lay.full",
        "R-MELD-1",
        "meld 1 has its four cards: nothing more goes on it",
        "",
    ),
    (
        at_play("rummy-500", "7C JK KD", SEVENS),
        lay("7C JK=7C", 1, run=False),
        "lay.full",
        "R-MELD-1",
        "meld 1 has room for one card, not for 7♣ ★=7♣",
        "",
    ),
    (
        at_play("rummy-500", "JK KD", SEVENS),
        lay("JK=7S", 1, run=False),
        "set.suit",
        "R-MELD-1",
        "7♠ would come twice: the cards of a set are of different suits",
        "7S",
    ),
    (
        at_play(G, "JK KD", SEVENS),
        lay("JK", 1, run=False),
        "joker.own_rank",
        "R-MELD-4",
        "jokers are melded only with jokers",
        "JK",
    ),
    (
        at_play(house("H3"), "JK KD", "7S JK JK"),
        lay("JK=7C", 1, run=False),
        "lay.joker",
        "H3",
        "the jokers of this set are not named, and no third one joins them: it takes a natural card",
        "JK",
    ),
    (
        at_play("rummy-500", "JK KD", "5D 6D 7D"),
        lay("JK=6D", 1),
        "run.repeated",
        "D4",
        "6♦ lies in meld 1 already: a run holds each rank once",
        "JK",
    ),
    (
        at_play("500-rum", "2S 3H KD", "QS KS AS"),
        lay("2S", 1),
        "run.corner",
        "R-MELD-2",
        "Q♠ K♠ A♠ 2♠ go round the corner: a run ends at the ace",
        "AS",
    ),
    (
        at_play("500-rum", "AS 3H", "2S 3S 4S"),
        lay("AS=AS", 1),
        "run.ace_end",
        "D4",
        "A♠ stands below the two here: lay it low",
        "AS",
    ),
]


@pytest.mark.parametrize(
    ("state", "action", "code", "rule", "message", "card"),
    CASES,
    ids=[f"{case[2]}-{case[3]}-{number}" for number, case in enumerate(CASES)],
)
def test_a_refusal_names_rule_reason_and_card(state, action, code, rule, message, card):
    found = state.why_not(action)
    assert found == Refusal(code, rule, message, card_from_text(card) if card else None)
    before = state.legal_ints()
    with pytest.raises(IllegalPlay) as caught:
        state.apply(action)
    assert caught.value.refusal == found and str(caught.value) == f"{message} ({rule})"
    assert state.legal_ints() == before


def test_every_code_that_the_engine_can_give_has_a_case():
    folder = Path(rum500.rules.__file__).parent
    source = "".join(path.read_text() for path in sorted(folder.glob("*expl*.py")))
    codes = set(
        re.findall(
            r'"((?:turn|deal|play|card|draw|pass|end|take|use|claim|call|discard|meld|set|run|joker|lay)\.\w+)"',
            source,
        )
    )
    assert codes == {case[2] for case in CASES}
    assert FALLBACK not in codes


# --- whatever is tried -----------------------------------------------------------------------------


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


@pytest.mark.parametrize("start", range(0, 400, 50))
def test_no_wrong_play_is_without_a_named_reason(start):
    """Random positions of random games: the fallback never answers, and every rule is one that there is."""
    known = set((Path(__file__).parent / "rule_ids.txt").read_text().split())
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
    twin = state.copy()
    shuffle_hidden(twin, chance)
    for action, refusal in refusals(state, chance):
        assert explain(twin.core, twin.rules, action) == refusal


def shuffle_hidden(state: State, chance: random.Random) -> None:
    """Deal what the actor cannot see anew: the stock, and in the others' hands what they did not take."""
    core = state.core
    seats = [seat for seat in range(core.n) if seat != core.actor and seat != core.turn]
    hidden = list(state.stock)
    for seat in seats:
        hidden += _unknown(state, seat)
    chance.shuffle(hidden)
    planes = {name: list(getattr(core, name)) for name in ("h1", "h2", "hj")}
    for seat in seats:
        count = len(_unknown(state, seat))
        hand = [*state.known(seat), *(hidden.pop() for _ in range(count))]
        planes["h1"][seat] = sum({1 << card for card in hand if card != JOKER})
        planes["h2"][seat] = sum({1 << card for card in hand if card != JOKER and hand.count(card) > 1})
        planes["hj"][seat] = hand.count(JOKER)
    for name, plane in planes.items():
        setattr(core, name, plane)
    core.set_stock(hidden)


def _unknown(state: State, seat: int) -> list[int]:
    hand = list(state.hands[seat])
    for card in state.known(seat):
        hand.remove(card)
    return hand
