"""The engine and the reference in the same deal, compared at every decision."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rum500.rules.engine.core import Core, Moves
from rum500.state import State
from rum500.state.core_setup import new_core
from tests.reference import Reference
from tests.support.bridge import PHASES, card_name, card_names, place_name, play_text

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from rum500 import Ruleset
    from rum500.view import MeldView
    from tests.reference.notation import Play


class Mismatch(AssertionError):
    """Engine and reference differ; the message has the position and the plays before it."""


def started_core(
    rules: Ruleset,
    players: int,
    deck: Sequence[int],
    dealer: int = 0,
    totals: Sequence[int] = (),
    restock_seed: int = 0,
) -> Core:
    """A core that has dealt this deck, which need not be the profile's."""
    core = new_core(rules, players, totals)
    core.set_stock(deck)
    core.rng = restock_seed
    core.start(dealer)
    return core


class Lockstep:
    """One deal in both. `legal` returns the plays that both allow; `make` makes one in both."""

    def __init__(
        self,
        rules: Ruleset,
        players: int,
        deck: Sequence[int],
        dealer: int = 0,
        totals: Sequence[int] = (),
        restock_seed: int = 0,
    ) -> None:
        """Deal the same deck in both; it need not be the profile's."""
        self.story = [
            f"{rules.name} {rules.house_rules} players={players} dealer={dealer} {card_names(deck)}"
        ]
        self.core = started_core(rules, players, deck, dealer, totals, restock_seed)
        self.state = State(rules, self.core)
        self.moves = Moves()
        self.reference = Reference(rules, players, card_names(deck), dealer, list(totals) or None)
        self.reference.restock_order = self._engine_order

    def _engine_order(self, cards: list[str]) -> list[str]:
        """The order in which the engine, which has restocked and drawn already, put the new stock (H5)."""
        order = card_names([self.core.drawn, *self.core.stock_cards()])
        self._same("cards of the new stock", Counter(order), Counter(cards))
        return order

    def _same(self, what: str, engine: Any, reference: Any) -> None:
        if engine != reference:
            story = "\n".join(self.story)
            raise Mismatch(f"{story}\n{what}:\n  engine    {engine}\n  reference {reference}")

    def legal(self) -> dict[str, tuple[int, Play]]:
        """Every legal play by its text: the engine's number and the reference's play."""
        codes = self.core.legal(self.moves)
        by_text = {play_text(code, self.core): code for code in codes}
        plays = self.reference.legal()
        wanted = {play.text: play for play in plays}
        self._same("distinct plays", len(codes), len(by_text))
        self._same("distinct plays of the reference", len(plays), len(wanted))
        self._same("legal plays", sorted(by_text.keys() - wanted), sorted(wanted.keys() - by_text))
        return {text: (code, wanted[text]) for text, code in by_text.items()}

    def make(self, text: str, code: int, play: Play) -> None:
        """Make one play in both, and compare the tables."""
        self.story.append(text)
        self.core.apply(code, self.moves)
        self.reference.make(play)
        self.compare()

    def compare(self) -> None:
        """Raise `Mismatch` unless everything on the two tables is the same."""
        core, reference = self.core, self.reference
        seats = range(core.n)
        self._same("phase", PHASES[core.phase], reference.phase)
        self._same("actor", core.actor, reference.actor)
        for seat in seats:
            self._same(
                f"hand of {seat}", Counter(card_names(core.hand_cards(seat))), Counter(reference.hands[seat])
            )
            self._same(f"size of hand {seat}", core.hn[seat], len(reference.hands[seat]))
            self._same(
                f"known of {seat}",
                Counter(card_names(core.known_cards(seat))),
                Counter(reference.known[seat]),
            )
        self._same("pile", card_names(core.pile_cards()), reference.pile)
        self._same("stock", card_names(core.stock_cards()), reference.stock)
        self._same(
            "melds",
            [_engine_meld(m) for m in self.state.melds],
            [_reference_meld(m) for m in reference.melds],
        )
        if self.state.rules.doubles == "melds":
            twice = [any(one.doubled for one in meld.laid) for meld in reference.melds]
            self._same("four at once", [meld.at_once for meld in self.state.melds], twice)
        self._same("points laid", [core.laid[seat] for seat in seats], reference.points_laid)
        if core.phase == 1:
            self._same("card to use", card_name(core.must), reference.must_use)
        if core.phase == 4:
            self.compare_results()

    def compare_results(self) -> None:
        """Compare the accounts of the finished deal. If the target ended it, the engine names its seat."""
        ours, theirs = self.state.result, self.reference.result()
        assert ours is not None and theirs is not None
        out = self.reference.actor if theirs.reason == "target" else theirs.out
        self._same("reason", (ours.reason, ours.out), (theirs.reason, out))
        self._same("melded", list(ours.melded), theirs.melded)
        self._same("held", list(ours.held), theirs.held)
        self._same("collected", list(ours.collected), theirs.credited)
        self._same("bonus", list(ours.bonus), theirs.bonus)
        self._same("points", list(ours.points), theirs.points)

    def play(self, chance: random.Random, weights: dict[str, float], most: int = 20_000) -> int:
        """Play on at random, by first words' weights, to the end or for `most` plays; return how many."""
        self.compare()
        for number in range(most):
            legal = self.legal()
            if not legal:
                self._same("over", self.core.phase, 4)
                return number
            texts = sorted(legal)
            chances = [weights.get(text.split()[0], 1.0) for text in texts]
            text = chance.choices(texts, chances)[0]
            self.make(text, *legal[text])
        return most


def _engine_meld(meld: MeldView) -> tuple[Any, ...]:
    cards = []
    for one in meld.cards:
        if one.place is None:
            stands = "-"
        else:
            stands = place_name(one.place) if meld.kind == "run" else card_name(one.place)
        cards.append((card_name(one.card), stands, one.seat))
    return meld.kind, cards if meld.kind == "run" else sorted(cards)


def _reference_meld(meld: Any) -> tuple[Any, ...]:
    cards = [(one.card, one.stands or "-", one.seat) for one in meld.laid]
    return meld.kind, cards if meld.kind == "run" else sorted(cards)
