"""Suggested plays: melds, lay-offs and takes, each with its points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from rum500.cards import JOKER, cards_text, rank_of
from rum500.rules.action_codes import action_kind, decode, encode, lays_cards, taken_count
from rum500.rules.actions import Action, ActionKind, Call, Laid, LayOff, Meld, Take, is_set
from rum500.rules.explain import FALLBACK, Refusal
from rum500.rules.notation import NotationError, parse_play
from rum500.state import State
from rum500.view import Phase

LOOKED_AT = 400
"""At most this many plays are compared, those with the most points: wild jokers can allow thousands."""
_JOKER_KEPT = 14
"""Points subtracted for each joker when plays are ranked, so that jokers are kept."""


class Suggestion(Struct, frozen=True, gc=False):
    """A suggested action."""

    action: Action
    """The action."""
    code: int
    """The code of the action."""
    points: int = 0
    """The points that the action scores immediately."""
    doubled: bool = False
    """Whether these points are doubled."""
    then: Suggestion | None = None
    """For a take or call, the best play of its lowest card in the pile; else, or if there is none, None."""


def suggestions(state: State, seat: int) -> list[Suggestion]:
    """Return the suggestions for this seat, best first, from what the seat can see."""
    if state.actor != seat or state.is_over:
        return []
    if state.phase in (Phase.DRAW, Phase.CLAIM):
        return _takes(state, seat)
    return _best(state)


def _takes(state: State, seat: int) -> list[Suggestion]:
    """Return the takes and calls whose lowest card in the pile can be used at once."""
    legal = (
        code for code in state.own(seat).legal if action_kind(code) in (ActionKind.TAKE, ActionKind.CALL)
    )
    found = [choice for code in legal if (choice := _taken(state, code)).then is not None]
    return sorted(found, key=lambda choice: (-choice.points, _count(choice.action)))


def _taken(state: State, code: int) -> Suggestion:
    """Return the suggestion of a legal take or call, with the best play of its lowest card in the pile."""
    action, lowest = decode(code), state.pile[-taken_count(code)]
    twin = state.copy()
    twin.apply_int(code)
    use = next((play for play in _best(twin) if _uses(play.action, lowest)), None)
    return Suggestion(action, code) if use is None else Suggestion(action, code, use.points, use.doubled, use)


def suggest_take(state: State, count: int) -> Suggestion | Refusal:
    """Return the suggestion to take (in a claim: to call for) `count` cards, or why it is illegal."""
    action = encode(Take(count)), encode(Call(count))
    legal = next((code for code in action if state.is_legal(code)), None)
    if legal is not None:
        return _taken(state, legal)
    refusal = state.why_not(Call(count) if state.phase is Phase.CLAIM else Take(count))
    assert refusal is not None
    return refusal


def _count(action: Action) -> int:
    return action.count if isinstance(action, Take | Call) else 0


def _uses(action: Action, card: int) -> bool:
    return isinstance(action, Meld | LayOff) and any(laid.card == card for laid in action.cards)


def _best(state: State) -> list[Suggestion]:
    """Return melds and lay-offs, best first. Omit a play if a better one on its target lays all its cards."""
    core = state.core
    plays = (code for code in state.legal_ints() if lays_cards(code))
    codes = sorted(plays, key=core.points, reverse=True)[:LOOKED_AT]
    return _unlike(sorted(_plays(state, codes), key=_worth, reverse=True))


def _plays(state: State, codes: Iterable[int]) -> Iterator[Suggestion]:
    for code in codes:
        if lays_cards(code):
            yield Suggestion(decode(code), code, state.core.points(code), bool(state.core.doubled(code)))


def _worth(choice: Suggestion) -> tuple[int, int]:
    spent = sum(laid.card == JOKER for laid in _laid(choice.action))
    return choice.points - _JOKER_KEPT * spent, -len(_laid(choice.action))


def _unlike(plays: Iterable[Suggestion]) -> list[Suggestion]:
    kept: list[tuple[tuple[object, ...], Counter[int], Suggestion]] = []
    for choice in plays:
        target, cards = _target(choice.action), Counter[int](laid.card for laid in _laid(choice.action))
        if not any(target == other and cards <= more for other, more, _ in kept):
            kept.append((target, cards, choice))
    return [choice for _, _, choice in kept]


def _target(action: Action) -> tuple[object, ...]:
    """Return a key by which plays are compared: the meld of a lay-off, or the kind of a new meld."""
    if isinstance(action, LayOff):
        return ("lay", action.meld)
    return ("set" if is_set(_laid(action)) else "run",)


def _laid(action: Action) -> Sequence[Laid]:
    return action.cards if isinstance(action, Meld | LayOff) else ()


def alternatives(
    state: State, cards: Sequence[int], *, lay: bool, meld: int | None = None
) -> list[Suggestion]:
    """Return the legal melds, or with `lay` the lay-offs (on `meld`), of exactly these cards, best first."""
    wanted = Counter(cards)
    found = [
        choice
        for choice in _plays(state, state.legal_ints())
        if isinstance(choice.action, LayOff) == lay
        and Counter(laid.card for laid in _laid(choice.action)) == wanted
        and (meld is None or _target(choice.action) == ("lay", meld))
    ]
    return sorted(found, key=lambda choice: -choice.points)


def suggest_cards(state: State, cards: Sequence[int]) -> list[Suggestion] | Refusal:
    """Return every meld and lay-off of exactly these cards, best first, or the reason why there is none."""
    found = [*alternatives(state, cards, lay=False), *alternatives(state, cards, lay=True)]
    if found:
        return sorted(found, key=lambda choice: -choice.points)
    return why_not_laid(state, cards, lay=len(cards) < 3)


def why_not_laid(state: State, cards: Sequence[int], *, lay: bool) -> Refusal:
    """Return why exactly these cards cannot be laid off; without `lay`, why they cannot be laid as a new
    meld.
    """
    if state.phase not in (Phase.USE, Phase.PLAY):
        refusal = state.why_not(Meld(tuple(Laid(card, card) for card in cards)))
    else:
        verb = "lay" if lay else "meld"
        try:
            refusal = state.why_not(parse_play(f"{verb} {cards_text(cards)}", state))
        except NotationError as error:
            return Refusal(error.code, "R-LAY-1" if verb == "lay" else "R-MELD-1", error.card, error.parts)
    return refusal or Refusal(FALLBACK, "R-TURN-1")


def holds_fourth(state: State, action: Action) -> bool:
    """Return whether the action melds three cards of a rank although the hand has all four, which would count
    double.
    """
    if state.rules.doubles == "none" or not isinstance(action, Meld) or len(action.cards) != 3:
        return False
    left = list(state.hands[state.actor])
    for laid in action.cards:
        left.remove(laid.card)
    ranks = {_rank(laid.card) for laid in action.cards}
    return len(ranks) == 1 and any(_rank(card) in ranks for card in left)


def _rank(card: int) -> int:
    return JOKER if card == JOKER else rank_of(card)
