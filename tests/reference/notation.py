"""Plays as text, the one canonical way to write each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .cards import JOKER, rank_of

if TYPE_CHECKING:
    from .melds import Laid, Meld


class Play(NamedTuple):
    """One play. `text` is canonical; the rest is what the play needs to be carried out."""

    kind: str
    text: str
    count: int = 0
    card: str = ""
    laid: tuple[Laid, ...] = ()
    meld_kind: str = ""
    meld: int = -1


def laid_text(laid: tuple[Laid, ...], reaches_king: bool) -> str:
    """Cards as laid: a joker with its card, a low ace as `AS=1S` where it could have been high (D4)."""
    words = []
    for one in laid:
        if one.card == JOKER:
            words.append(JOKER if one.stands is None else f"{JOKER}={one.stands}")
        elif one.stands != one.card and reaches_king:
            words.append(f"{one.card}={one.stands}")
        else:
            words.append(one.card)
    return " ".join(words)


def _reaches_king(laid: tuple[Laid, ...]) -> bool:
    return any(one.stands is not None and rank_of(one.stands) == "K" for one in laid)


def meld_play(kind: str, laid: tuple[Laid, ...]) -> Play:
    """A new meld."""
    return Play("meld", "meld " + laid_text(laid, _reaches_king(laid)), laid=laid, meld_kind=kind)


def lay_off_play(index: int, meld: Meld, laid: tuple[Laid, ...]) -> Play:
    """Cards laid on a meld on the table; melds are numbered from 1 in text, from 0 within."""
    words = laid_text(laid, _reaches_king(meld.laid + laid))
    return Play("lay", f"lay {words} on {index + 1}", laid=laid, meld=index)


def from_pile_play(kind: str, pile: list[str], count: int) -> Play:
    """`take` or `call`: names the lowest card taken, with the number of cards if a copy lies above it."""
    lowest = pile[-count]
    twin_above = lowest in pile[len(pile) - count + 1 :]
    return Play(kind, f"{kind} {lowest}" + (f":{count}" if twin_above else ""), count=count, card=lowest)


def discard_play(card: str) -> Play:
    """One card on the pile."""
    return Play("discard", f"discard {card}", card=card)


DRAW = Play("draw", "draw")
PASS = Play("pass", "pass")
END = Play("end", "end")
LET_GO = Play("let go", "let go")
