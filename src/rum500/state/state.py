"""A deal in progress: its legal actions, applying them, and views of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from rum500.cards import CARDS, Card, card_text
from rum500.rng import Rng, checked_seed, fresh_seed
from rum500.rules.action_codes import code_of, lays_cards
from rum500.rules.actions import Action
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core, Moves
from rum500.rules.explain import Refusal, explain
from rum500.rules.notation import NotationError, TableText, parse_play
from rum500.rules.problems import Problem
from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.state._position_checks import check_deal
from rum500.state._position_lines import PositionError
from rum500.state._position_reader import read
from rum500.state._position_writer import write
from rum500.state.core_setup import new_core
from rum500.state.deal_bytes import DEAL, BytesError, seal, unseal
from rum500.state.dealing import check_deck, check_seat, opening
from rum500.state.earlier import copied, earlier_core, replayed
from rum500.state.events import action_event, over_event, restock_event
from rum500.state.history import CardHistory
from rum500.state.illegal_play import IllegalPlay
from rum500.state.information_state import InformationState
from rum500.state.position_data import check_draws, core_of, data_of_state
from rum500.state.position_limits import MOST_POSITION
from rum500.state.returns import ReturnKind, returns_of
from rum500.state.table_text import table_text
from rum500.view import (
    PHASES,
    Event,
    MeldView,
    OwnPart,
    Phase,
    Result,
    View,
    meld_views,
    own_part,
    result_of,
    table_svg,
    view_of,
)

if TYPE_CHECKING:
    from rum500.search import PolicyNames


class _Kept(NamedTuple):
    """Copies of a deal before and after its stock got an order that the past actions do not contain."""

    at: int
    """The number of past actions at that point."""
    before: Core
    after: Core


class State:
    """A deal in progress with all its cards, for tables, records and studies, never for bots.

    >>> import rum500
    >>> state = rum500.deal("500-rum", players=2, seed=7)
    >>> state.actor, state.phase.name, state.legal_actions()
    (1, 'DRAW', [draw])
    >>> [event.kind for event in state.apply("draw")]
    ['draw']

    Every method that takes an action accepts an `Action`, a text or a code. `legal_ints` and `apply_int` are
    the fast methods: they use codes only.
    """

    __slots__ = ("_history", "_kept", "_moves", "core", "draws", "past", "rules", "seed")

    def __init__(
        self, rules: Ruleset, core: Core, past: tuple[int, ...] = (), draws: tuple[int, ...] = ()
    ) -> None:
        """Wrap a core that was set up for these rules; use `deal` or `State.new` to start a deal.

        `past` has the past actions of the deal, as in `View`; if unknown, it is empty and stays empty.
        `draws` are the cards that all seats have drawn from the stock, in order.
        """
        self.rules = rules
        self.core = core
        self.past = past
        self.draws = draws
        self.seed: int | None = None
        """The seed of `deal`; None if the deal was made otherwise, or was read from bytes or text."""
        self._moves = Moves()
        self._history: CardHistory | None = None
        self._kept: tuple[_Kept, ...] = ()

    @classmethod
    def new(
        cls,
        rules: Ruleset | str | PathLike[str],
        players: int,
        deck: Sequence[int],
        dealer: int = 0,
        totals: Sequence[int] = (),
        restock_seed: int = 0,
        number: int | None = None,
    ) -> State:
        """Deal this deck, first card first, one at a time from the dealer's left (R-DEAL-2, R-DEAL-3).

        `totals` are the match totals by seat so far. `restock_seed` determines the order of later restocks
        (H5). `number` is the number of the deal in the match, from 1; the default is 1, or 2 if a total is
        not 0. Raises `ValueError` for a deck that is not the game's, and `RulesetError` for a wrong number of
        players.
        """
        rules, players = ruleset_of(rules), index(players)
        core = new_core(rules, players, totals, number)
        check_deck(rules, players, deck)
        check_seat(dealer, players)
        core.set_stock(deck)
        core.rng = checked_seed(restock_seed)
        core.start(dealer)
        return cls(rules, core, opening(core))

    # --- the table --------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of players."""
        return self.core.n

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.core.dealer

    @property
    def turn(self) -> int:
        """The seat whose turn it is; during claims, the seat that has just played."""
        return self.core.turn

    @property
    def actor(self) -> int:
        """The seat that has to decide."""
        return self.core.actor

    @property
    def phase(self) -> Phase:
        """The decision that the actor has to make."""
        return PHASES[self.core.phase]

    @property
    def is_over(self) -> bool:
        """Whether the deal is over."""
        return self.core.phase == _core.PHASE_OVER

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """The hands by seat, sorted."""
        return tuple(tuple(self.core.hand_cards(seat)) for seat in range(self.core.n))

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, next card first."""
        return tuple(self.core.stock_cards())

    @property
    def pile(self) -> tuple[Card, ...]:
        """The discard pile, oldest card first."""
        return tuple(self.core.pile_cards())

    @property
    def melds(self) -> tuple[MeldView, ...]:
        """The melds on the table, in the order of laying."""
        return meld_views(self.core)

    @property
    def laid(self) -> tuple[int, ...]:
        """The points on the table by seat."""
        return tuple(self.core.laid[seat] for seat in range(self.core.n))

    @property
    def totals(self) -> tuple[int, ...]:
        """The match totals by seat before this deal."""
        return tuple(self.core.totals[seat] for seat in range(self.core.n))

    @property
    def number(self) -> int:
        """The number of this deal in the match, from 1."""
        return self.core.number

    @property
    def must_use(self) -> Card | None:
        """The taken card that must be used now; None if there is none."""
        return CARDS[self.core.must] if self.core.must >= 0 else None

    @property
    def floater(self) -> bool:
        """Whether the player in turn began the turn without a card (H2, D16)."""
        return bool(self.core.floater)

    def known(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that everybody knows this seat to hold: taken and not yet played (D20, D21)."""
        return tuple(self.core.known_cards(seat))

    def view(self, seat: int | None) -> View:
        """Return what this seat may know; None returns a spectator's view."""
        return view_of(self.core, self.rules, seat if seat is None else index(seat), self.past)

    def own(self, seat: int) -> OwnPart:
        """Return the part of the view that only this seat may see."""
        return own_part(self.core, seat)

    @property
    def result(self) -> Result | None:
        """The result of the deal; None until it is over."""
        return result_of(self.core)

    def scores(self) -> tuple[int, ...]:
        """Return the points by seat: of the cards laid so far, or of the deal if it is over (R-SCORE-1)."""
        if not self.is_over:
            return self.laid
        return tuple(self.core.score(seat) for seat in range(self.core.n))

    # --- legal actions ----------------------------------------------------------------------------

    def legal_ints(self) -> list[int]:
        """Return the codes of all legal actions of the actor; empty if the deal is over."""
        return self.core.legal(self._moves)

    def legal_actions(self) -> list[Action]:
        """Return all legal actions of the actor; empty if the deal is over."""
        return TableText(self).actions(self.core.legal(self._moves))

    def is_legal(self, action: Action | str | int) -> bool:
        """Return whether this action is legal. Raises `NotationError` for a text that is no play."""
        code = self._code(action)
        return code is not None and code in self.core.legal(self._moves)

    def why_not(self, action: Action | str | int) -> Refusal | None:
        """Return why the actor may not take this action; None if it is legal.

        Raises `NotationError` for a text that is no play.
        """
        play = parse_play(action, self) if isinstance(action, str) else action
        return None if self.is_legal(play) else explain(self.core, self.rules, play)

    def _code(self, action: Action | str | int) -> int | None:
        """Return the code of an action; None if it cannot be encoded."""
        if type(action) is int:
            return action
        try:
            return code_of(parse_play(action, self) if isinstance(action, str) else action)
        except NotationError:
            raise
        except (ValueError, KeyError):
            return None

    # --- applying actions -------------------------------------------------------------------------

    def apply(self, action: Action | str | int) -> tuple[Event, ...]:
        """Apply an action and return its events.

        Raises `IllegalPlay` with the reason if the action is not legal, and `NotationError` for a text that
        is no play; the state is then unchanged.
        """
        code = self._code(action)
        if code is None or code not in self.core.legal(self._moves):
            refusal = self.why_not(action)
            assert refusal is not None
            raise IllegalPlay(refusal)
        return self._apply(code)

    def apply_int(self, code: int) -> None:
        """Apply a legal action, given by its code, without events: the fast way to advance.

        Raises `IllegalPlay`, and leaves the state unchanged, if the action is not legal. A code from the last
        `legal_ints` of this state is found at once; any other one costs as much as `legal_ints`.
        """
        played = self.core.play(code, self._moves)
        if played is None:
            raise IllegalPlay(explain(self.core, self.rules, index(code)))
        if self.past:
            self.past += (played,)
            if played == _core.DRAW:
                self.draws += (self.core.drawn,)

    def undo(self) -> None:
        """Take back the last action; repeated calls go back to the beginning of the deal.

        The state then equals the state before the action, with its stock and the next restock. A stock
        order given by `draw_card` or `restock_order` is taken back with its draw. Raises `ValueError` if
        there is no action to take back, or if the past actions or their draws are unknown, as in some
        positions from text.

        >>> import rum500
        >>> state = rum500.deal("500-rum", seed=7)
        >>> before = state.copy()
        >>> _ = state.apply("draw"), state.apply("discard 3S")
        >>> state.undo()
        >>> state.undo()
        >>> state == before
        True
        """
        if len(self.past) == 1:
            raise ValueError("there is no action to take back: the deal has just begun")
        count = len(self.past) - 1
        later, until, kept = self.core, len(self.past), list(self._kept)
        while kept and kept[-1].at > count:
            later, until = kept[-1].before, kept.pop().at
        if kept and kept[-1].at == count:
            core = kept.pop().before
        elif kept:
            core = replayed(kept[-1].after, self.past[kept[-1].at : count])
        else:
            core = earlier_core(self.rules, later, self.past[:until], self._draws_until(until), count)
        self.core.copy_from(core)
        self.draws, self.past, self._kept = self._draws_until(count), self.past[:count], tuple(kept)
        self._moves.n = 0

    def _draws_until(self, count: int) -> tuple[int, ...]:
        return self.draws[: self.past[:count].count(_core.DRAW)]

    def _order_stock(self, cards: Sequence[int], *, new: bool) -> None:
        """Put the stock into this order, and store the deal before and after for `undo`.

        With `new`, these cards of the pile become a new stock (H5) in this order.
        """
        before = copied(self.core)
        if new:
            self.core.restock_in(list(cards))
        else:
            self.core.set_stock(cards)
        self._moves.n = 0
        if self.past:
            kept = self._kept
            if kept and kept[-1].at == len(self.past):
                before, kept = kept[-1].before, kept[:-1]
            self._kept = (*kept, _Kept(len(self.past), before, copied(self.core)))

    def draw_card(self, card: int) -> tuple[Event, ...]:
        """Draw this card, as if it were the next one of the stock, and return the events.

        With `chance_outcomes` the order of the stock is decided draw by draw. Raises `IllegalPlay` if the
        actor may not draw, and `ValueError` for a card that is not in the stock. If the pile has to become
        the stock first (H5), the card may be any but the pile's top.
        """
        return self._put_on_top(card) + self._apply(_core.DRAW)

    def step_draw(self, card: int) -> None:
        """Draw this card as `draw_card` does, without events."""
        self._put_on_top(card)
        self.apply_int(_core.DRAW)

    def _put_on_top(self, card: int) -> tuple[Event, ...]:
        """Make a card the next one of the stock; return the events of a restock if one was necessary."""
        self._check_draw()
        stock = self._coming_stock()
        if card not in stock:
            raise ValueError(f"the stock does not contain {card_text(card)}")
        stock.remove(CARDS[card])
        new = self.core.stock_next == self.core.stock_end
        events = (restock_event(self.core),) if new else ()
        self._order_stock([card, *stock], new=new)
        return events

    def _check_draw(self) -> None:
        if _core.DRAW not in self.core.legal(self._moves):
            raise IllegalPlay(explain(self.core, self.rules, _core.DRAW))

    def _coming_stock(self) -> list[Card]:
        core = self.core
        return core.stock_cards() if core.stock_next < core.stock_end else core.pile_cards()[:-1]

    def _apply(self, code: int) -> tuple[Event, ...]:
        core, seat = self.core, self.core.actor
        events = [] if code != _core.DRAW or core.stock_next < core.stock_end else [restock_event(core)]
        number, points, binds = core.meld_n, 0, core.top_binds()
        if lays_cards(code):
            points = core.points(code)
        pile = core.pile_cards()
        self.apply_int(code)
        events.append(action_event(core, code, seat, number, points, pile, bool(binds)))
        if core.phase == _core.PHASE_OVER:
            events.append(over_event(core))
        elif lays_cards(code) and core.hn[seat] == 0:
            events.append(Event("float", seat))
        return tuple(events)

    def restock_order(self, cards: Sequence[int]) -> None:
        """Make the new stock (H5) now, with the cards in this order. The next action must be the draw.

        Raises `ValueError` unless a restock is possible and these are all cards of the pile except its top.
        """
        if (
            self.phase is not Phase.DRAW
            or self.core.stock_next < self.core.stock_end
            or not self.core.may_restock()
        ):
            raise ValueError("no restock is possible here (H5)")
        if sorted(cards) != sorted(self.core.pile_cards()[:-1]):
            raise ValueError("a new stock holds all the pile but its top card (H5)")
        self._order_stock(cards, new=True)
        self._history = None

    # --- for search and learning ------------------------------------------------------------------

    def resample(self, seat: int, rng: Rng) -> State:
        """Return another deal that this seat cannot tell from this one.

        The other deal has the same view and the same information state for the seat. Every arrangement of the
        cards that the seat does not see is equally likely, whatever the true arrangement is. A seat that has
        to use a taken card can use it in the other deal too. `rum500.ai.resample` chooses arrangements by
        beliefs about the hidden cards instead. Raises `ValueError` if the past actions or their draws are
        unknown, as in some positions from text.

        >>> import rum500
        >>> state = rum500.deal(rum500.ruleset("500-rum"), players=2, seed=7)
        >>> twin = state.resample(0, rum500.Rng(1))
        >>> twin.view(0) == state.view(0), twin.hands[1] == state.hands[1]
        (True, False)
        """
        check_seat(seat, self.players)
        found = self._known_history().resampled(self.core, seat, rng.next64())
        if found is None:
            raise ValueError(f"no other deal was found that seat {seat} cannot tell from this one")
        return State(self.rules, found[0], self.past, found[1])

    def resample_to(self, seat: int, world: Core) -> State | None:
        """Return a deal as `resample` does, with the hidden hands and the stock of `world`.

        `world` is a deal that agrees with the seat's view. Returns None if the past actions cannot have led
        to it: after a restock (H5) some cards can only be in some hands.
        """
        check_seat(seat, self.players)
        found = self._known_history().resampled(self.core, seat, world.rng, world)
        return None if found is None else State(self.rules, found[0], self.past, found[1])

    def rollout(
        self, policy: PolicyNames = "club", rng: Rng | None = None, kind: ReturnKind = "points"
    ) -> tuple[float, ...]:
        """Return the result by seat if the deal is played to its end; see `rum500.search.rollouts`.

        The state does not change.
        """
        from rum500.search import rollouts  # noqa: PLC0415 - a call upwards

        return rollouts([self], policy, rng=rng, kind=kind)[0]

    def information_state(self, seat: int) -> InformationState:
        """Return all that this seat has seen in this deal. Raises `ValueError` as `resample` does."""
        check_seat(seat, self.players)
        return InformationState.of(self.core, self._known_history(), seat)

    def _known_history(self) -> CardHistory:
        if self._history is None or self._history.past is not self.past:
            self._history = CardHistory(self.core, self.past, self.draws)
        return self._history

    def chance_outcomes(self) -> tuple[tuple[int, float], ...]:
        """Return (card, probability) for each card that a draw can bring; empty if no draw is legal.

        This is for games in which the order of the stock is decided draw by draw, with `draw_card`: all cards
        of the stock are equally likely.
        """
        if _core.DRAW not in self.core.legal(self._moves):
            return ()
        stock = sorted(self._coming_stock())
        return tuple((card, count / len(stock)) for card, count in Counter(stock).items())

    def returns(self, kind: ReturnKind = "points") -> tuple[float, ...]:
        """Return the value of the deal for each seat; zeros until it is over.

        `points` are those of the deal. `margin` is the points of the seat's side less the mean of the other
        sides. `zero_sum` is the points of the seat's side less the mean of all sides; without sides every
        seat is a side. `rum500.lab.match_equity` returns chances to win the match.
        """
        return returns_of(self.scores(), self.rules.sides, kind, is_over=self.is_over)

    # --- copies, comparison, bytes ----------------------------------------------------------------

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State(self.rules, copied(self.core), self.past, self.draws)
        twin.seed, twin._kept = self.seed, self._kept
        return twin

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Return whether two states have the same rules, cards, counts, past actions and random generator."""
        if not isinstance(other, State):
            return NotImplemented
        return self.rules == other.rules and self._packed() == other._packed()

    __hash__ = None  # type: ignore[assignment]  # a deal changes

    def to_bytes(self) -> bytes:
        """Return this deal with its past actions as bytes. They contain only a digest of the rules."""
        return seal(DEAL, self.rules, self._packed())

    def _packed(self) -> bytes:
        return len(self.draws).to_bytes(2, "little") + bytes(self.draws) + self.core.pack(self.past)

    @classmethod
    def from_bytes(cls, data: bytes, rules: Ruleset | str | PathLike[str], *, trusted: bool = False) -> State:
        """Read the output of `to_bytes` under the same rules.

        Raises `BytesError` if the bytes are of another kind or version, are damaged, or were made under other
        rules, and if the deal fails the checks of `from_text`. The error's `code` says which.

        `trusted` skips the checks of `from_text`, which is about twenty times faster. It is for bytes that
        nobody else could change.
        """
        rules = ruleset_of(rules)
        body = unseal(DEAL, rules, data, MOST_POSITION)
        head = 2 + int.from_bytes(body[:2], "little")
        draws, packed = body[2:head], body[head:]
        try:
            core = new_core(rules, packed[0] if packed else 0)
            past = core.unpack(packed)
            check_draws(rules, past, draws)
            if not trusted:
                check_deal(rules, core, past, draws)
        except ValueError as error:
            raise BytesError("bytes.invalid", f"these bytes are no deal: {error}") from None
        return cls(rules, core, past, tuple(draws))

    def __reduce__(self) -> tuple[object, tuple[Ruleset, bytes]]:
        """Pickle the rules and the bytes."""
        return _unpickled, (self.rules, self.to_bytes())

    def to_text(self) -> str:
        """Return this deal with its past actions as a position file; `from_text` returns an equal state."""
        return write(data_of_state(self.rules, self.core, self.past, self.draws))

    @classmethod
    def from_text(cls, text: str) -> State:
        """Read a complete position file. Raises `PositionError` with everything that is wrong with it."""
        data = read(text)
        if not data.complete:
            who = "a spectator" if data.seat is None else f"seat {data.seat}"
            message = f"this is only what {who} sees: position_from_text reads it, and gives a view"
            raise PositionError([Problem("position.seat", "", "", message, 1, 1)])
        return cls(data.rules, core_of(data), data.past, data.draws)

    def to_svg(self) -> str:
        """Return an SVG document of the table with all cards; `View.to_svg` shows only what a seat sees."""
        return table_svg(self.view(None), self.hands, str(self))

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        """Return the table as text, with all cards shown."""
        return table_text(self.rules, self.core)

    def __repr__(self) -> str:
        """Return the rules' name, the phase and the actor, without hidden cards."""
        return f"<State {self.rules.name:.40} players={self.players} {self.phase.name} actor={self.actor}>"


def _unpickled(rules: Ruleset, data: bytes) -> State:
    return State.from_bytes(data, rules, trusted=True)


def deal(
    rules: Ruleset | str | PathLike[str],
    players: int | None = None,
    seed: int | None = None,
    dealer: int = 0,
    totals: Sequence[int] = (),
    number: int | None = None,
) -> State:
    """Shuffle and deal (R-DEAL-1 to R-DEAL-3).

    `rules` is a rule set, the name of a profile, or the path of a rule set file. A seed from 0 to 2**64 - 1
    gives the same deal on every platform; without one the deal is random. The state's `seed` is the seed in
    both cases. The default number of players is the smallest that the rules allow. `totals` and `number` are
    as in `State.new`. Raises `RulesetError` for a wrong number of players and `ValueError` for a seed out of
    range.
    """
    rules = ruleset_of(rules)
    players = rules.players[0] if players is None else index(players)
    core = new_core(rules, players, totals, number)
    check_seat(dealer, players)
    number = fresh_seed() if seed is None else checked_seed(seed)
    core.shuffle(number)
    core.start(dealer)
    state = State(rules, core, opening(core))
    state.seed = number
    return state
