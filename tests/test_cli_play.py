"""`rum500 play`: the table as it is drawn, what is typed, what is kept; in process and in a terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from rum500 import Record, Ruleset, State, ruleset
from rum500.cards import card_text, cards_from_text
from rum500.cli import main
from rum500.cli._errors import UserError
from rum500.cli.terminal._game import Game
from rum500.cli.terminal._look import Look, look_for
from rum500.cli.terminal._saves import Saves, folder, last_path, new_path, resumed
from rum500.cli.terminal._typed import Command, Line, Mistyped, Pick, Typed, read_line
from rum500.match import Play, alternatives, arranged, choices
from rum500.rules.actions import Discard, Draw, Take
from tests.support.table import table
from tests.support.terminal import Fumbler, Paper, at_table, cards_named, seated, sit_down

# --- the table -------------------------------------------------------------------------------------


def persian() -> State:
    return table(
        "persian-rummy",
        ["6C 7C AS AH 9H QD JK", "KS 2D 3D", "2H 5S", "QS 4C"],
        pile="4S 10H 8C 9D",
        melds=[(0, "KH KD KS"), (3, "9C 10C JC"), (1, "3D 4D 5D")],
        lays=[(2, "KC on 1"), (1, "QC on 2")],
        totals=[110, 180, 110, 180],
    )


def test_the_table_in_80_columns() -> None:
    """Sides, known cards, who scores a laid-off card (R-LAY-3), the pile with what may be taken, the duty."""
    _, screen = at_table(persian(), "t 2")
    assert screen.frames[1] == FRAME.splitlines()


FRAME = """\
rum500 · Persian Rummy · deal 1 of 2                 We 110 +40  They 180 +51

   Ada      They   3 cards  table 22
   Ben       We    2 cards  table 10
   Cleo     They D 2 cards  table 29

   You     1 K♠ K♥ K♦ K♣(Ben)
   Ada     3 3♦ 4♦ 5♦
   Cleo    2 9♣ 10♣ J♣ Q♣(Ada)


   Stock 4 · Pile 2, oldest first
    4♠  10♥

   You took 8♣ 9♦

   Your hand: 9 cards · on the table 30 · ° known to all
    A♠   A♥  9♥   9♦  Q♦   6♣  7♣ *8♣   ★
    1    2   3    4°  5    6   7   8°   9

  You must use 8♣ now: meld it or lay it off
   1 meld 6♣ 7♣ 8♣  +21
   2 lay 6♣ 7♣ 8♣ on 2, Cleo’s run  +21
"""


def test_the_log_stands_beside_the_table_on_a_wide_screen() -> None:
    _, screen = at_table(persian(), "t 2", size=(120, 40))
    assert "You took 8♣ 9♦" in [line[83:] for line in screen.frames[1]]
    assert len(screen.frames[1]) < 40


def test_letters_where_there_are_no_symbols() -> None:
    _, screen = at_table(persian(), "t 2", "x QD", look=Look(symbols=False, colour=False))
    assert all(line.isascii() for frame in screen.frames for line in frame)
    assert "You must use 8C now: meld it or lay it off" in screen.frame
    assert "KS KH KD KC(Ben)" in screen.frame


def test_colours() -> None:
    """Four colours on ivory; saffron only for what concerns the player now."""
    look = Look()
    styles = [str(look.chip(card).spans[0].style) for card in cards_from_text("AS AH AD AC JK")]
    assert len(set(styles)) == 5
    assert all(style.endswith(" on #fcf7ea") for style in styles)
    assert str(look.cell(0, yours=True).spans[0].style).endswith(" on #f4b942")


@pytest.mark.parametrize("name", ["500-rum", "rummy-500", "persian-rummy-gamerules", "michigan-rum"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
def test_every_frame_fits_and_shows_nothing_hidden(name: str, size: tuple[int, int]) -> None:
    """D21: no frame names a card that lies in the stock or unseen in another's hand."""
    game = sit_down(seated(short(name), 4, seed=5, bot="greedy"), Fumbler(5), size)
    screen = game.screen
    assert isinstance(screen, Paper)
    show, seen = screen.show, set[int]()

    def watched(lines: list[object]) -> None:
        show(lines)  # type: ignore[arg-type]
        view = game.view
        if view is None or view.is_over or not screen.frame.startswith("rum500 ·"):
            seen.clear()
            return
        assert len(screen.frames[-1]) < size[1]
        assert max(map(len, screen.frames[-1])) <= size[0]
        if game.notes:  # a refusal may name cards that would do
            return
        seen.update(view.hand, view.pile, *view.known)
        seen.update(placed.card for meld in view.melds for placed in meld.cards)
        named = cards_named("\n".join(line for line in screen.frames[-1] if " for deal" not in line))
        assert named <= seen, set(map(card_text, named - seen))

    screen.show = watched  # type: ignore[method-assign, assignment]
    assert game.run()


def short(name: str, *house: str) -> Ruleset:
    rules = ruleset(name, house)
    return rules if rules.match == "deals" else rules.replace(max_deals=1)


# --- the turn --------------------------------------------------------------------------------------


def notes(screen: Paper, frame: int = -1) -> str:
    return " ".join(" ".join(screen.frames[frame]).split())


def test_an_obligation_is_spelled_out_and_kept() -> None:
    """R-DRAW-3: after a take of several the lowest must be used first; the refusal names the rule."""
    game, screen = at_table(persian(), "t 8C", "x 9D", "d")
    assert "You must use 8♣ now: meld it or lay it off" in notes(screen, 1)
    assert "you must use 8♣ now" in notes(screen, 2)
    assert "(R-DRAW-3)" in notes(screen, 2)
    assert "(R-DRAW-3)" in notes(screen, 3)
    assert game.match.state is not None
    assert card_text(game.match.state.must_use or 0) == "8C"


def test_a_take_and_melds_are_undone_until_the_discard() -> None:
    game, screen = at_table(persian(), "t 2", "m 6-8", "u", "u", "u")
    assert "4 6♣ 7♣ 8♣" in notes(screen, 2)
    assert "Taken back." in notes(screen, 3)
    assert "Pile 4" in notes(screen, 4)
    assert "Nothing to take back" in notes(screen, 5)
    assert game.match.state is not None
    assert len(game.match.state.hands[0]) == 7


def test_a_draw_is_not_undone() -> None:
    """What the stock gave is seen: it stays drawn (R-DRAW-1)."""
    game, screen = at_table(persian(), "d", "u")
    assert "Nothing to take back" in notes(screen)
    assert game.match.state is not None
    assert len(game.match.state.hands[0]) == 8


def test_several_plays_on_a_line_stop_at_the_first_that_is_refused() -> None:
    game, screen = at_table(persian(), "t 2; m 6C 7C 8C; x 5H; x AS")
    assert "Not allowed: you do not hold 5♥" in notes(screen)
    assert game.match.state is not None
    assert len(game.match.state.hands[0]) == 6


def test_the_rest_of_a_line_after_the_turn_is_not_played() -> None:
    _, screen = at_table(persian(), "d; x AS; x AH")
    assert "Your turn had ended: the rest of the line was not played." in notes(screen)


def test_a_suggestion_is_played_by_its_number() -> None:
    game, screen = at_table(persian(), "1", "1", "9")
    assert "1 take 2, from 8♣ up, then meld 6♣ 7♣ 8♣ +21" in notes(screen, 0)
    assert "No suggestion has that number." in notes(screen, 3)
    assert game.match.state is not None
    assert game.match.state.melds[-1].owner == 0


def test_a_card_that_fits_several_melds_asks_which() -> None:
    """R-LAY-2: 7 to a run and to a set; the player chooses by number."""
    state = table("500-rum", ["7S AD KD", "2H 3H"], melds=["4S 5S 6S", "7H 7D 7C"], phase="play")
    game, screen = at_table(state, "l 7S", "2")
    asked = screen.frames[1]
    assert "This can be played in several ways. Which? Type its number." in asked
    told = {line.strip() for line in asked if line.strip().startswith(("1 lay", "2 lay"))}
    assert told == {"1 lay 7♠ on 1, your run  +7", "2 lay 7♠ on 2, your set  +7"}
    assert game.match.state is not None
    assert [len(meld.cards) for meld in game.match.state.melds] == [3, 4]


def test_a_take_without_a_card_asks_which() -> None:
    _, screen = at_table(persian(), "take", "1")
    assert "This can be played in several ways. Which? Type its number." in notes(screen, 1)
    assert "You must use 8♣ now" in notes(screen, 2)


def test_a_number_is_a_card_of_the_hand_only_where_cards_are_laid() -> None:
    _, screen = at_table(persian(), "draw 3")
    assert "Found '3', expected nothing after 'draw' but what belongs to it." in notes(screen)


def test_a_joker_that_could_be_several_cards_asks_which() -> None:
    """R-MELD-5: the joker of 6-7 is the 5 or the 8."""
    state = table("rummy-500", ["6S 7S JK KD 2H", "2D 3H"], phase="play")
    game, screen = at_table(state, "m 6S 7S JK", "2")
    assert {line.strip() for line in screen.frames[1] if re.match(r" +\d meld", line)} == {
        "1 meld ★5♠ 6♠ 7♠  +28",
        "2 meld 6♠ 7♠ ★8♠  +28",
    }
    assert game.match.state is not None
    assert len(game.match.state.melds) == 1


def test_three_of_four_is_remarked_on_where_four_at_once_double() -> None:
    """R-SCORE-3: the fourth in hand would have doubled all."""
    state = table("persian-rummy", ["6S 6H 6D 6C KD", "2D", "3D", "4D"], phase="play")
    _, screen = at_table(state, "m 6S 6H 6D", "u", "1")
    assert "You hold the fourth: all four laid at once count double." in notes(screen, 1)
    assert "1 meld 6♠ 6♥ 6♦ 6♣ +48 four at once: doubled" in notes(screen, 2)
    assert "You hold the fourth" not in notes(screen, 3)
    assert "x2" in screen.frame


@pytest.mark.parametrize(
    ("state", "typed", "told"),
    [
        (
            table("500-rum", ["4H KD", "2D"], pile="9S", stock=""),
            "end",
            "The stock is empty. Your turn: end ends",
        ),
        (
            table("persian-rummy-gamerules", ["4H KD", "2D", "3D", "4D"], pile="9S", stock=""),
            "p",
            "The stock is empty. Your turn: p passes",
        ),
        (
            table(ruleset("rummy-500", ("H5",)), ["4H KD", "2D"], pile="9S QC", stock=""),
            "d",
            "Your turn: d makes the pile a new stock and draws, t NUMBER takes from the pile",
        ),
        (
            table(ruleset("rummy-500", ("H4",)), ["4H KD", "2D"], pile="9S"),
            "t 1",
            "Your turn: d draws, t NUMBER takes from the pile",
        ),
    ],
    ids=["end", "pass", "restock", "upcard"],
)
def test_the_ways_out_of_an_empty_stock_are_told(state: State, typed: str, told: str) -> None:
    """D5, D6, H5, H4."""
    game, screen = at_table(state, typed)
    assert told in notes(screen, 0)
    assert not any("Not allowed" in line for line in screen.frames[-1])
    assert game.match.events or game.match.state.must_use is None  # type: ignore[union-attr]


def test_a_card_that_may_not_be_discarded_is_named() -> None:
    """H4."""
    state = table(ruleset("rummy-500", ("H4",)), ["4H KD 2C", "2D 3D"], pile="9S")
    _, screen = at_table(state, "t 1", "x 9S")
    assert "m melds, l lays off, x CARD discards (not 9♠) and ends your turn" in notes(screen, 1)
    assert "(H4)" in notes(screen, 2)


def test_a_floater_is_told_what_to_do() -> None:
    """H2, D26."""
    state = table(
        ruleset("rummy-500", ("H2",)), ["", "2D 3D 9H"], pile="QC", stock="7S 2C", melds=["4S 5S 6S"]
    )
    _, screen = at_table(state, "d", "x 7S", "l 7S")
    assert "You have no cards: d draws" in notes(screen, 0)
    assert "You float, and your card fits: you must lay it off" in notes(screen, 1)
    assert "(D26)" in notes(screen, 2)
    assert "You drew 7♠, laid 7♠ on meld 1 (+7), floats, with no card left" in notes(screen)


def test_a_call_is_offered_and_explained() -> None:
    """H6: the claimed card's first play comes from pile and table alone (R-CLAIM-2)."""
    rules = ruleset("rummy-500", ("H6",))
    state = table(
        rules, ["KD 8S 9S", "2D 3D QH", "AC 5D"], pile="QC", melds=["4S 5S 6S"], turn=2, stock="7S 2C 2D"
    )
    state.apply(Draw())
    state.apply(Discard(cards_from_text("7S")[0]))
    _, screen = at_table(state, "c 1", "l 7S 8S on 1", "l 7S", "x KD")
    assert "“Rummy!”: c NUMBER calls and takes from the pile, g lets it go" in notes(screen, 0)
    assert "1 call “Rummy!” and take 1: 7♠, then lay 7♠ on 1, your run +7" in notes(screen, 0)
    assert "You must use 7♠ now: with cards of pile and table alone" in notes(screen, 1)
    assert "(R-CLAIM-2)" in notes(screen, 2)
    assert "called “Rummy!” and took 7♠, laid 7♠ on meld 1 (+7)" in notes(screen, 3)


# --- what is typed ---------------------------------------------------------------------------------

HAND = cards_from_text("2S 3S QD KD JK")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("?", [Command("help")]),
        ("  SORT rank ", [Command("sort", "rank")]),
        ("3", [Pick(3)]),
        ("d; x 4", [Typed("d"), Typed("x KD")]),
        ("m 1-3", [Typed("m 2S 3S QD")]),
        ("m 1 2 5", [Typed("m 2S 3S JK")]),
        ("l 3 on 4", [Typed("l QD on 4")]),
        ("t 5", [Typed("t 5")]),
        ("take 5 cards", [Typed("take 5 cards")]),
        ("c 10d", [Typed("c 10d")]),
        ("m 6S-9S", [Typed("m 6S-9S")]),
        ("", []),
    ],
)
def test_a_line_is_commands_numbers_and_plays(text: str, lines: list[Line]) -> None:
    assert read_line(text, HAND) == lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("QD", "say what to do with QD: m melds, l lays off, x discards, t takes"),
        ("discrad QD", "'discrad' is nothing to do here; did you mean discard or draw? type ? for help"),
        ("x 6", "your cards are numbered 1 to 5, there is no 6"),
        ("m 0-2", "your cards are numbered 1 to 5, there is no 0"),
    ],
)
def test_a_line_that_means_nothing_is_answered(text: str, message: str) -> None:
    with pytest.raises(Mistyped) as error:
        read_line(text, HAND)
    assert str(error.value) == message


def test_a_hand_is_sorted_by_suit_or_by_rank() -> None:
    """R-DEAL-4."""
    hand = cards_from_text("JK KD 2S AC 2H")
    assert [card_text(card) for card in arranged(hand, "suit")] == ["2S", "2H", "KD", "AC", "JK"]
    assert [card_text(card) for card in arranged(hand, "rank")] == ["AC", "2S", "2H", "KD", "JK"]


def test_choices_are_the_best_and_none_is_part_of_another() -> None:
    state = table("500-rum", ["6S 7S 8S 9S 9H 9D 2C", "2D"], melds=["10S JS QS"], phase="play")
    told = [(type(choice.action).__name__, choice.points) for choice in choices(state, 0)]
    assert told == [("Meld", 30), ("LayOff", 30), ("Meld", 27)]
    assert choices(state, 1) == []
    found = alternatives(state, cards_from_text("9S"), lay=True)
    assert [choice.points for choice in found] == [9]


def test_a_take_is_offered_for_what_it_makes_possible() -> None:
    state = table("500-rum", ["6S 7S KD KH", "2D"], pile="KC 3H 8S 4D")
    told = {(choice.action, choice.points) for choice in choices(state, 0)}
    assert told == {(Take(4), 30), (Take(2), 21)}


# --- the look of a terminal ------------------------------------------------------------------------


class Stream(io.StringIO):
    """A stream that says what it is."""

    def __init__(self, encoding: str, *, terminal: bool = True) -> None:
        super().__init__()
        self.told, self.terminal = encoding, terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.told

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("environment", "encoding", "symbols", "colour"),
    [
        ({"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}, "utf-8", True, True),
        ({"TERM": "xterm"}, "utf-8", True, True),
        ({"TERM": "xterm", "LANG": "C"}, "utf-8", False, True),
        ({"TERM": "xterm", "LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", False, True),
        ({"TERM": "xterm", "LANG": "C", "LC_ALL": "C.UTF-8"}, "utf-8", True, True),
        ({"TERM": "xterm", "LANG": "en_US.UTF-8"}, "ascii", False, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "utf-8", True, False),
        ({"TERM": "dumb", "LANG": "en_US.UTF-8"}, "utf-8", False, False),
    ],
)
def test_the_look_follows_the_terminal(
    environment: dict[str, str], encoding: str, *, symbols: bool, colour: bool
) -> None:
    assert look_for(Stream(encoding), environment) == Look(symbols, colour)


def test_the_look_follows_the_options() -> None:
    xterm = {"TERM": "xterm"}
    assert look_for(Stream("utf-8", terminal=False), xterm) == Look(symbols=True, colour=False)
    assert look_for(Stream("utf-8", terminal=False), xterm, "always") == Look(symbols=True, colour=True)
    assert look_for(Stream("utf-8"), xterm, "never") == Look(symbols=True, colour=False)
    assert look_for(Stream("utf-8"), xterm, plain=True) == Look(symbols=False, colour=False)


# --- the sheet -------------------------------------------------------------------------------------


def test_the_sheet_has_every_play_card_by_card() -> None:
    """R-SCORE-1, R-SCORE-3, D22, D12: melds, lay-offs, hands and the bonus, for each side."""
    state = table(
        "persian-rummy",
        ["6S 6H 6D 6C KC AH", "QS 3D", "2H", "AS 4C"],
        phase="play",
        melds=[(1, "KH KS KD"), (2, "10H JH QH")],
        lays=[(3, "9H on 2")],
    )
    _, screen = at_table(state, "m 6S 6H 6D 6C", "l KC on 1; x AH")
    (sheet,) = (frame for frame in screen.frames if frame[0].startswith("Deal 1 of 2 · You went out."))
    assert sheet == SHEET.splitlines()


SHEET = """\
Deal 1 of 2 · You went out.

We                                        They
You                                       Ada
6♠ 6♥ 6♦ 6♣  (6+6+6+6)×2            48    Q♠ 3♦ in hand                      −13
K♣  on Ada’s meld 1                 10    Ada                                 17
going out                           25
You                                 83    Cleo
                                          A♠ 4♣ in hand                      −19
Ben                                       Cleo                               −10
2♥ in hand                          −2
Ben                                 28    This deal                            7

This deal                          111

                We     They
Deal 1         111        7
Total          111        7
"""


# --- what is kept ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "house", "players"),
    [
        ("500-rum", ("H5", "H6"), 2),
        ("rummy-500", ("H2", "H3", "H6"), 3),
        ("persian-rummy-gamerules", ("H6",), 4),
        ("persian-rummy", ("H2", "H5"), 4),
        ("michigan-rum", (), 5),
    ],
)
@pytest.mark.parametrize("leaves", [0.0, 0.06])
def test_a_match_is_kept_and_gone_on_with_at_any_prompt(
    tmp_path: Path, name: str, house: tuple[str, ...], players: int, leaves: float
) -> None:
    """Whatever is typed and wherever one leaves, the record verifies and the match goes on to its end."""
    path = tmp_path / "match.rum500"
    rules, player = short(name, *house), Fumbler(3, leaves)
    sat = seated(rules, players, seed=3)
    saves = Saves(path, sat, "random")
    while True:
        game = sit_down(sat, player, keeper=saves)
        over = game.run()
        saves.close()
        if not path.exists():
            sat = seated(rules, players, seed=3)
            saves = Saves(path, sat, "random")
            continue
        record = Record.from_text(path.read_text())
        if not record.deals:
            sat, saves, _ = resumed(path)
            continue
        assert {problem.code for problem in record.verify()} <= {"record.unfinished"}
        assert [play.action for play in record.deals[-1].plays] == plays_of(game)
        if over:
            break
        sat, saves, notice = resumed(path)
        assert notice == ""
        assert state_of(sat.match.state) == state_of(game.match.state)
    assert "\nMatch: " in path.read_text()
    with pytest.raises(UserError, match="this match is over"):
        resumed(path)


def plays_of(game: Game) -> list[object]:
    """The plays of the last deal, as the match had them."""
    from rum500.match import CutAt, DrawAt, Order, Restock

    plays: list[object] = []
    for entry in game.match.inputs:
        if isinstance(entry, CutAt):
            plays = []
        elif isinstance(entry, Restock):
            plays.append(Draw())
        elif not isinstance(entry, DrawAt | Order):
            plays.append(entry)
    return plays


def state_of(state: State | None) -> object:
    assert state is not None
    return (
        state.hands,
        state.stock,
        state.pile,
        state.melds,
        state.actor,
        state.phase,
        state.must_use,
        state.totals,
    )


def test_leaving_in_the_middle_of_a_turn_loses_no_play(tmp_path: Path) -> None:
    path = tmp_path / "match.rum500"
    sat = seated(short("500-rum"), 2, seed=1, bot="greedy")
    saves = Saves(path, sat, "greedy")
    typed = iter(["", "", "", "d"])

    def answer(prompt: str) -> str:
        if prompt == "> " and isinstance(sat.match.decision, Play):
            for line in typed:
                if line == "d":
                    return line
            raise KeyboardInterrupt
        return ""

    game = Game(sat, Paper(answer), Look(colour=False), saves)
    assert not game.run()
    saves.close()
    assert isinstance(game.screen, Paper)
    assert f"To go on with it: rum500 play --resume {path}" in game.screen.told
    again, more, _ = resumed(path)
    more.close()
    assert state_of(again.match.state) == state_of(game.match.state)
    assert again.match.names == game.match.names
    assert again.person == 0


def test_a_match_after_resuming_has_new_cards(tmp_path: Path) -> None:
    """The chances of later deals are other ones than those of the deals already played."""
    path = tmp_path / "match.rum500"
    sat, player = seated(short("persian-rummy"), 4, seed=2), Fumbler(2, 0.2)
    saves = Saves(path, sat, "random")
    while not sit_down(sat, player, keeper=saves).run():
        saves.close()
        sat, saves, _ = resumed(path) if path.exists() else (sat, Saves(path, sat, "random"), "")
    saves.close()
    first, second = Record.from_text(path.read_text()).deals
    assert sorted(first.deck) == sorted(second.deck)
    assert not any(first.deck[cut:] + first.deck[:cut] == second.deck for cut in range(len(first.deck)))


def test_a_file_cut_short_is_gone_on_with_where_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "match.rum500"
    sat, player = seated(short("500-rum"), 2, seed=4), Fumbler(4)
    saves = Saves(path, sat, "random")
    sit_down(sat, player, keeper=saves).run()
    saves.close()
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:5])
    again, more, notice = resumed(path)
    assert notice.startswith("the last line was cut short")
    assert sit_down(again, player, keeper=more).run()
    more.close()
    assert Record.from_text(path.read_text()).verify() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file"),
        ("hello\n", "line 1"),
        ("rum500 record 1\n", "line 1"),
    ],
)
def test_a_file_that_is_no_match_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "match.rum500"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=message):
        resumed(path)


def test_a_record_of_others_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.rum500"
    path.write_text(Record(ruleset("500-rum"), players=2, names=("Ann", "Bob")).to_text())
    with pytest.raises(UserError, match="lines Person, Bots, Seed and Draw"):
        resumed(path)


def test_where_matches_are_kept(tmp_path: Path) -> None:
    here = {"XDG_STATE_HOME": str(tmp_path)}
    assert folder(here) == tmp_path / "rum500"
    assert folder({}) == Path.home() / ".local" / "state" / "rum500"
    path = new_path(here, "500-rum")
    assert re.fullmatch(r"\d{8}-\d{6}-500-rum\.rum500", path.name)
    with pytest.raises(UserError, match="there is no unfinished match"):
        last_path(here)
    path.parent.mkdir()
    path.write_text("rum500 record 1\n")
    other = path.with_name("later.rum500")
    other.write_text("rum500 record 1\nMatch: You, 500\n")
    assert last_path(here) == path


def test_a_record_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("precious")
    with pytest.raises(UserError, match="there is such a file already"):
        Saves(path, seated(short("500-rum"), 2, seed=1), "random")
    assert path.read_text() == "precious"


# --- without a terminal ----------------------------------------------------------------------------


def test_without_a_terminal_bots_play_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    """It says so, tells every deal, and the same seed tells the same."""
    words = ["play", "--profile", "persian", "--seed", "3"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "There is no terminal here: greedy bots play Persian Rummy among themselves, seed 3.\n"
    )
    assert out.count("went out.\n") + out.count("ended") >= 2
    assert "\nDeal 2 of 2 · " in out
    assert re.search(r"\nTotal +-?−?\d+ +−?\d+\n", out)
    assert max(map(len, out.splitlines()[1:])) <= 80
    assert main(words) == 0
    assert capsys.readouterr().out == out


def test_without_a_terminal_the_match_is_kept_where_one_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record of the bots' match verifies; going on with one wants a terminal, and says so."""
    path = tmp_path / "bots.rum500"
    assert main(["play", "--seed", "4", "--players", "2", "--target", "60", "--record", str(path)]) == 0
    assert f"rum500 replay {path}" in capsys.readouterr().out.replace("\n", "")
    assert main(["replay", str(path), "--verify"]) == 0
    assert capsys.readouterr().out.startswith("right: ")
    assert main(["play", "--resume", str(path)]) == 2
    assert capsys.readouterr().err == "rum500 play: --resume: going on with a match needs a terminal\n"


def test_plain_output_is_letters(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--plain", "--target", "50", "--players", "3", "--seed", "2"]) == 0
    assert capsys.readouterr().out.isascii()


# --- in a terminal ---------------------------------------------------------------------------------


class Terminal:
    """A real terminal of 80 by 24 with `rum500` in it."""

    def __init__(self, home: Path, *words: str) -> None:
        own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        for name in ("NO_COLOR", "COLUMNS", "LINES", "LC_ALL", "FORCE_COLOR"):
            environment.pop(name, None)
        # A session of its own, whose terminal this becomes: so Ctrl-C reaches the game, and it alone.
        start = "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
        run = "from rum500.cli import main; sys.exit(main(sys.argv[1:]))"
        self.process = subprocess.Popen(
            [sys.executable, "-c", start + run, "play", *words, "--delay", "0"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        self.fd = own
        self.text = ""

    def read(self, wanted: str) -> str:
        """What comes until this pattern stands at the end."""
        start, until = len(self.text), time.monotonic() + 30
        while not re.search(wanted, plain(self.text[start:])):
            assert time.monotonic() < until, plain(self.text[start:])
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
        return plain(self.text[start:])

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        """The exit code."""
        self.read(r"\Z(?!)")
        code = self.process.wait(timeout=30)
        os.close(self.fd)
        return code


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


PROMPT = r"(\n> |[?:] |Enter[^\n]* > |more[^\n]* |go on )\Z"


def sensible(screen: str) -> str:
    """What a player types who reads only what is asked."""
    rules: list[tuple[str, str]] = [
        (r"go on $|more, q: enough $| > $", "\n"),
        (r"must use", "1\n"),
        (r"Rummy!”: c", "g\n"),
        (r": d draws|new stock and draws", "d\n"),
        (r"ends the deal", "end\n"),
        (r"p passes", "p\n"),
        (r"\n +1 (meld|lay) ", "1\n"),
        (r"m melds", "x 1\n"),
    ]
    return next(typed for pattern, typed in rules if re.search(pattern, screen[-2500:]))


def play_until(terminal: Terminal, wanted: str) -> str:
    """Play sensibly until this is on the screen."""
    for _ in range(400):
        screen = terminal.read(PROMPT + "|" + wanted)
        if re.search(wanted, screen):
            return screen
        terminal.type(sensible(screen))
    raise AssertionError(f"no {wanted!r}")


def test_a_deal_in_a_terminal_interrupted_and_gone_on_with(tmp_path: Path) -> None:
    """A whole deal; Ctrl-C in the next; the command that the notice gives goes on to the end of the match."""
    terminal = Terminal(tmp_path, "--profile", "persian", "--seed", "5")
    screen = play_until(terminal, r"This deal +−?\d+")
    assert "Deal 1 of 2 · " in screen
    assert "\x1b[" in terminal.text
    assert "48;" in terminal.text
    terminal.type("\n")
    play_until(terminal, r"deal 2 of 2")
    terminal.type("\x03")
    told = terminal.read(r"--resume \S+\n")
    path = Path(re.findall(r"rum500 play --resume (\S+)", told)[0])
    assert terminal.end() == 0
    assert path.parent == tmp_path / "rum500"
    assert {problem.code for problem in Record.from_text(path.read_text()).verify()} <= {"record.unfinished"}

    again = Terminal(tmp_path, "--resume")
    screen = play_until(again, r"rum500 replay \S+\n")
    assert re.search(r"wins? the match after two deals|The match is drawn", screen)
    assert again.end() == 0
    record = Record.from_text(path.read_text())
    assert (len(record.deals), record.verify()) == (2, [])


@pytest.mark.parametrize("leave", ["\x04", signal.SIGTERM, signal.SIGHUP], ids=str)
def test_leaving_a_terminal_by_other_ways(tmp_path: Path, leave: str | signal.Signals) -> None:
    """End of input, a request to end, a hang-up: the match is kept."""
    terminal = Terminal(tmp_path, "--players", "2", "--seed", "1", "--bot", "random")
    play_until(terminal, r"deal 1 [^$]*\n> \Z")
    if isinstance(leave, str):
        terminal.type(leave)
    else:
        terminal.process.send_signal(leave)
    terminal.read(r"--resume \S+\n")
    assert terminal.end() == 0
    (path,) = (tmp_path / "rum500").iterdir()
    sat, saves, _ = resumed(path)
    saves.close()
    assert isinstance(sat.match.decision, Play)


def test_leaving_before_the_draw_leaves_no_file(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "--seed", "1")
    terminal.read(r"Draw for deal[^\n]* > \Z")
    terminal.type("\x03")
    assert "Nothing was drawn yet" in terminal.read(r"kept\.\n")
    assert terminal.end() == 0
    assert list((tmp_path / "rum500").iterdir()) == []
