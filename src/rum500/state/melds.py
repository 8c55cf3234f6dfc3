"""The melds in a hand that score the most together, and the points of a play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from os import PathLike

from rum500.cards import planes_of
from rum500.drawing import GAP, HEIGHT, LINE, Cards, Picture
from rum500.rules.action_codes import code_of, decode, laid_cards, lays_cards
from rum500.rules.actions import Action, Meld
from rum500.rules.engine.core import Core, Moves
from rum500.rules.notation import laid_text
from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.state.core_setup import new_core


@dataclass(frozen=True, slots=True)
class BestMelds:
    """Melds in a hand that have no card in common, and the cards that are left over."""

    melds: tuple[Meld, ...]
    """The melds, those with most points first."""
    points: int
    """The points that they score together."""
    rest: Cards
    """The cards that are left, sorted."""

    def __str__(self) -> str:
        return "; ".join(f"meld {laid_text(meld.cards, meld.cards)}" for meld in self.melds) or "no melds"

    def to_svg(self) -> str:
        """Return a picture of the melds and the cards left over, as an SVG document."""
        picture, x = Picture(ground=True), 0.0
        for meld in self.melds:
            cards, places = zip(*((laid.card, laid.place) for laid in meld.cards), strict=True)
            x = picture.cards(x, LINE + GAP, cards, places) + 3 * GAP
        rest = f", left {self.rest}" if self.rest else ""
        picture.words(0, 0, f"Melds for {self.points} points" if self.melds else "No melds", bold=True)
        if self.rest:
            picture.words(0, LINE + 2 * GAP + HEIGHT if self.melds else LINE, "Left", colour="mut")
            picture.cards(0, 2 * LINE + 2 * GAP + HEIGHT if self.melds else 2 * LINE, self.rest)
        return picture.to_svg(f"{self}: {self.points} points{rest}")

    def _repr_html_(self) -> str:
        return self.to_svg()


def best_melds(
    hand: str | Iterable[int], rules: Ruleset | str | PathLike[str], players: int | None = None
) -> BestMelds:
    """Return the melds in these cards that score the most together, each laid in one play.

    Lay-offs on the table are not considered. `hand` is a text or card codes. `players` decides on one pack or
    two; by default two packs are assumed if a card occurs twice. Between melds with equal points, those with
    fewer cards are preferred.

    >>> best = best_melds("9D 10D JD JS JC QH", "500-rum")
    >>> str(best), best.points, best.rest
    ('meld JS JD JC', 30, Cards('QH 9D 10D'))
    """
    cards, rules = Cards(hand), ruleset_of(rules)
    core = new_core(rules, _players(rules, cards) if players is None else players)
    # Placings of the same cards differ only in points: keep the best of them.
    found: dict[int, list[tuple[tuple[int, ...], int, int]]] = {}
    for code in melds_in(core, cards):
        used = _cards_of(code)
        found.setdefault(used[0], []).append((used, core.points(code), code))

    @cache
    def best(left: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        """Return (points, minus the number of cards used, codes) of the best melds in `left`."""
        if len(left) < 3:
            return 0, 0, ()
        most = best(left[1:])
        for used, points, code in found.get(left[0], ()):
            rest = _without(left, used)
            if rest is not None:
                more = best(rest)
                most = max(most, (more[0] + points, more[1] - len(used), (code, *more[2])), key=_order)
        return most

    points, _, codes = best(tuple(sorted(cards)))
    rest = Counter(cards) - Counter(laid.card for code in codes for laid in laid_cards(code))
    laid = (decode(code) for code in sorted(codes, key=core.points, reverse=True))
    melds = tuple(action for action in laid if isinstance(action, Meld))
    return BestMelds(melds, points, Cards(sorted(rest.elements())))


def melds_in(core: Core, cards: Iterable[int], *, placings: bool = False) -> list[int]:
    """Return the codes of the melds in these cards, each laid in one play.

    For the same cards, only one meld with the most points is returned; with `placings`, every way to place
    wild jokers is returned.
    """
    moves = Moves()
    core.gen_plays(moves, *planes_of(cards), -1)
    if placings and core.wild:
        return list(moves.actions())
    best: dict[tuple[int, ...], int] = {}
    for code in moves.actions():
        used = _cards_of(code)
        if used not in best or core.points(code) > core.points(best[used]):
            best[used] = code
    return list(best.values())


def points(action: Action | int, rules: Ruleset | str | PathLike[str]) -> int:
    """Return the points that a play scores for the seat that makes it; 0 unless it lays cards (R-SCORE-2).

    Raises `ValueError` for cards that cannot be written as one meld.

    >>> from rum500.rules.actions import Laid
    >>> points(Meld(tuple(Laid(card, card) for card in (0, 16, 32))), "500-rum")
    45
    """
    code, rules = code_of(action), ruleset_of(rules)
    return new_core(rules, rules.players[0]).points(code) if lays_cards(code) else 0


def _order(choice: tuple[int, int, tuple[int, ...]]) -> tuple[int, int]:
    return choice[:2]


def _players(rules: Ruleset, cards: Sequence[int]) -> int:
    """Return the smallest number of players whose deck contains these cards.

    If no deck contains them, return the largest allowed number of players.
    """
    return next(
        (number for number in rules.players if not Counter(cards) - Counter(rules.deck(number))),
        rules.players[-1],
    )


def _cards_of(code: int) -> tuple[int, ...]:
    return tuple(sorted(laid.card for laid in laid_cards(code)))


def _without(left: tuple[int, ...], used: Sequence[int]) -> tuple[int, ...] | None:
    """Return the cards without `used`, both sorted; None if one of `used` is missing."""
    rest, at = [], 0
    for card in left:
        if at < len(used) and card == used[at]:
            at += 1
        else:
            rest.append(card)
    return tuple(rest) if at == len(used) else None
