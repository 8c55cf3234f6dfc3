"""The help of the table: the keyboard commands, and unusual rules of the game."""

from __future__ import annotations

from collections.abc import Iterator

from rum500.rules.ruleset import Ruleset

_PLAYS = """\
How to play
  d             draw the top card of the stock
  t 5  t 8C     take five cards from the pile; take 8♣ and all that lie after it
  m 6S 7S 8S    meld these; or m 6S-8S; or by the numbers under them: m 1 2 3
  l 9S on 2     lay off on meld 2; l 9S if it fits one meld alone
  x KD  x 4     discard, which ends your turn
  1 2 3 ...     do the suggestion of that number

The table
  u  undo       take back a meld, a lay-off or a take, until you discard or draw
  i  hint       what the greedy bot would do
  s  sort       sort your hand by suit or by rank
  lays          show laid-off cards in front of their player, or at the meld;
                this is remembered for later matches
  sheet         the totals so far             log   all plays of this deal
  rules         the rules of this game        ?     this page
  q  quit       leave; the match is kept and can be resumed

Several plays can stand on one line: t 3; m 6S 7S 8S; x KD
Cards are written rank first: QD, 10S, AH; small letters do too."""


def help_lines(rules: Ruleset) -> Iterator[str]:
    """Yield the lines of the help, including those that apply only to some games."""
    yield from _PLAYS.split("\n")
    extra = list(_extra(rules))
    if extra:
        yield ""
        yield "In this game"
        yield from extra


def _extra(rules: Ruleset) -> Iterator[str]:
    if rules.joker_kind == "wild":
        yield "  A joker says what it stands for: m 5S JK=6S 7S; with one way only, JK will do."
    if rules.joker_kind == "rank":
        yield "  Jokers meld with jokers only: m JK JK JK."
    if rules.ace == "both":
        yield "  Where an ace could be either, AS=1S is low and AS is high."
    if rules.claim:
        yield "  c 3  c 8C     call “Rummy!” and take from the pile out of turn; g lets it go"
    yield (
        "  end           end the deal instead of drawing, once the stock is empty"
        if rules.stock_out == "end"
        else ("  p             pass, once the stock is empty")
    )
