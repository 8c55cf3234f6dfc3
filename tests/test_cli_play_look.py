"""`rum500 play`: how the table and the score sheet look on every kind of terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rum500.cards import card_text, cards_from_text
from rum500.cli.terminal.preferences import Preferences
from rum500.cli.terminal.style import Style, look_for
from tests.support.table import table
from tests.support.terminal import Fumbler, Paper, at_table, cards_named, persian, seated, short, sit_down


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
   2 lay 6♣ 7♣ 8♣ on 2 (Cleo’s run)  +21
"""


def test_laid_off_cards_in_front_of_their_player(tmp_path: Path) -> None:
    """R-LAY-3: the meld of each is named in words; the choice holds for later matches."""
    for frames in ((False, True), (True, False)):
        _, screen = at_table(persian(), "lays", preferences=Preferences(tmp_path))
        for in_front, frame in zip(frames, screen.frames[:2], strict=True):
            shown = [line for line in frame if "♣" in line and "°" not in line]
            assert ("   Ben     K♣ on 1 (your set)" in shown) is in_front
            assert ("   Cleo    2 9♣ 10♣ J♣" in shown) is in_front
            assert ("   Ada     3 3♦ 4♦ 5♦  Q♣ on 2 (Cleo’s run)" in shown) is in_front
            assert ("   You     1 K♠ K♥ K♦ K♣(Ben)" in shown) is not in_front


@pytest.mark.parametrize("text", ["", "[]", '{"in_front": 1', "[" * 5000, "\ufeff{}", '{"lays": true}'])
def test_choices_that_cannot_be_read_are_the_usual_ones(text: str, tmp_path: Path) -> None:
    (tmp_path / "preferences.json").write_text(text)
    preferences = Preferences(tmp_path)
    assert not preferences.in_front
    preferences.switch_lays()
    assert Preferences(tmp_path).in_front


@pytest.mark.parametrize("players", range(2, 9))
def test_what_everybody_did_since_the_own_turn_is_on_a_small_screen(players: int) -> None:
    """In 80 columns and 24 lines no turn is cut, in the log or beside the names."""
    game = sit_down(seated(short("rummy-500"), players, seed=5, bot="greedy"), Fumbler(5), (80, 24))
    screen, turns = game.screen, 0
    assert isinstance(screen, Paper)
    ask = screen.ask

    def asked(prompt: str) -> str:
        nonlocal turns
        view = game.view
        if prompt == "> " and view is not None and not view.is_over:
            turns += 1
            narrator, events = game.table.narrator(game.look), game.table.this_deal()
            words = " ".join(screen.frame.split())
            for seat, did in narrator.turns(narrator.since_turn(events)).items():
                if seat != view.seat:
                    assert did.plain in words, screen.frame
            assert len(screen.frames[-1]) < 24
        return ask(prompt)

    screen.ask = asked  # type: ignore[method-assign]
    assert game.run()
    assert turns > 3


def test_the_log_stands_beside_the_table_on_a_wide_screen() -> None:
    _, screen = at_table(persian(), "t 2", size=(120, 40))
    assert "You took 8♣ 9♦" in [line[83:] for line in screen.frames[1]]
    assert len(screen.frames[1]) < 40


def test_letters_where_there_are_no_symbols() -> None:
    _, screen = at_table(persian(), "t 2", "x QD", look=Style(symbols=False, colour=False))
    assert all(line.isascii() for frame in screen.frames for line in frame)
    assert "You must use 8C now: meld it or lay it off" in screen.frame
    assert "KS KH KD KC(Ben)" in screen.frame


def test_colours() -> None:
    """Four colours on ivory; saffron only for what concerns the player now."""
    look = Style()
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


class Stream(io.StringIO):
    """A stream that says what it is."""

    def __init__(self, encoding: str, *, terminal: bool = True) -> None:
        super().__init__()
        self.named, self.terminal = encoding, terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.named

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("environment", "encoding", "symbols", "colour"),
    [
        ({"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}, "utf-8", True, True),
        ({"TERM": "xterm"}, "utf-8", True, True),
        ({"TERM": "xterm", "LANG": "C"}, "utf-8", False, True),
        ({"TERM": "xterm", "LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True, True),
        ({"TERM": "xterm", "LANG": "C.UTF-8", "LC_CTYPE": "C"}, "utf-8", False, True),
        ({"TERM": "xterm", "LC_ALL": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", False, True),
        ({"TERM": "xterm", "LANG": "C", "LC_ALL": "C.UTF-8"}, "utf-8", True, True),
        ({"TERM": "xterm", "LANG": "en_US.UTF-8"}, "ascii", False, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "utf-8", True, False),
        ({"TERM": "dumb", "LANG": "en_US.UTF-8"}, "utf-8", False, False),
    ],
)
def test_the_look_follows_the_terminal(
    environment: dict[str, str], encoding: str, *, symbols: bool, colour: bool
) -> None:
    assert look_for(Stream(encoding), environment) == Style(symbols, colour)


def test_the_look_follows_the_options() -> None:
    xterm = {"TERM": "xterm"}
    assert look_for(Stream("utf-8", terminal=False), xterm) == Style(symbols=True, colour=False)
    assert look_for(Stream("utf-8", terminal=False), xterm, "always") == Style(symbols=True, colour=True)
    assert look_for(Stream("utf-8"), xterm, "never") == Style(symbols=True, colour=False)
    assert look_for(Stream("utf-8"), xterm, plain=True) == Style(symbols=False, colour=False)


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
