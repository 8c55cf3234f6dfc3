"""A deal in progress: its legal actions, applying them, and views of it."""

from __future__ import annotations

from collections.abc import Sequence

from rum500.cards import cards_text
from rum500.rng import U64
from rum500.rules.action_codes import (
    action_kind,
    code_of,
    decode,
    discard_code,
    discarded_card,
    laid_cards,
    lays_cards,
    opens_meld,
    taken_count,
    target_meld,
)
from rum500.rules.actions import Action, Laid
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core, Moves
from rum500.rules.explain import Refusal, explain
from rum500.rules.problems import Problem
from rum500.rules.ruleset import Ruleset
from rum500.state._position_lines import PositionError
from rum500.state._position_reader import read
from rum500.state._position_writer import write
from rum500.state.core_setup import new_core
from rum500.state.deal_bytes import DEAL, BytesError, seal, unseal
from rum500.state.position_data import core_of, data_of_state
from rum500.state.table_text import table_text
from rum500.view import (
    PHASES,
    REASONS,
    Event,
    MeldView,
    OwnPart,
    Phase,
    Result,
    View,
    meld_views,
    own_part,
    result_of,
    view_of,
)


class IllegalPlay(ValueError):
    """An action that the rules refuse. `refusal` has rule, reason and card. The state is unchanged."""

    code = "play.illegal"

    def __init__(self, refusal: Refusal) -> None:
        """Store the refusal."""
        self.refusal = refusal
        super().__init__(f"{refusal.message} ({refusal.rule})")


class State:
    """A deal in progress with all its cards, for tables, records and studies, never for bots.

    >>> import rum500
    >>> state = rum500.deal(rum500.ruleset("500-rum"), players=2, seed=7)
    >>> state.actor, state.phase.name, len(state.hands[1])
    (1, 'DRAW', 13)
    >>> [event.kind for event in state.apply(rum500.Draw())]
    ['draw']

    Actions are the dataclasses of `rum500.rules.actions`. Every method that takes an action also takes its
    code; `legal_ints` and `apply_int` are the fast methods.
    """

    __slots__ = ("_moves", "core", "past", "rules")

    def __init__(self, rules: Ruleset, core: Core, past: tuple[int, ...] = ()) -> None:
        """Wrap a core that was set up for these rules; use `deal` or `State.new` to start a deal.

        `past` is the course of the deal so far, as in `View`. If it is unknown, it is empty and stays empty.
        """
        self.rules = rules
        self.core = core
        self.past = past
        self._moves = Moves()

    @classmethod
    def new(
        cls,
        rules: Ruleset,
        players: int,
        deck: Sequence[int],
        dealer: int = 0,
        totals: Sequence[int] = (),
        restock_seed: int = 0,
        number: int | None = None,
    ) -> State:
        """Deal this deck, first card first, one at a time from the dealer's left (R-DEAL-2, R-DEAL-3).

        `totals` are the match totals by seat so far. `restock_seed` determines the order of later restocks
        (H5). `number` is the number of the deal in the match, from 1; the default is 1, or 2 if there are
        points. Raises `ValueError` for a deck that is not the profile's, and `RulesetError` for a wrong
        number of players.
        """
        core = new_core(rules, players, totals, number)
        check_deck(rules, players, deck)
        _check_seat(dealer, players)
        core.set_stock(deck)
        core.rng = restock_seed & U64
        core.start(dealer)
        return cls(rules, core, opening(core))

    # --- what is on the table ---------------------------------------------------------------------

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
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The hands by seat, sorted."""
        return tuple(tuple(self.core.hand_cards(seat)) for seat in range(self.core.n))

    @property
    def stock(self) -> tuple[int, ...]:
        """The stock, next card first."""
        return tuple(self.core.stock_cards())

    @property
    def pile(self) -> tuple[int, ...]:
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
    def must_use(self) -> int | None:
        """The taken card that must be used now; None if there is none."""
        return self.core.must if self.core.must >= 0 else None

    @property
    def floater(self) -> bool:
        """Whether the player in turn began it without a card (H2, D16)."""
        return bool(self.core.floater)

    def known(self, seat: int) -> tuple[int, ...]:
        """Return the cards that everybody knows this seat to hold: taken and not yet played (D20, D21)."""
        return tuple(self.core.known_cards(seat))

    def view(self, seat: int | None) -> View:
        """Return what this seat may know; None returns a spectator's view."""
        return view_of(self.core, self.rules, seat, self.past)

    def own(self, seat: int) -> OwnPart:
        """Return what only this seat knows; `view` contains it and the rest."""
        return own_part(self.core, seat)

    @property
    def result(self) -> Result | None:
        """The result of the deal; None until it is over."""
        return result_of(self.core)

    def scores(self) -> tuple[int, ...]:
        """Return the points by seat: laid so far, or the deal's points if it is over (R-SCORE-1)."""
        if not self.is_over:
            return self.laid
        return tuple(self.core.score(seat) for seat in range(self.core.n))

    # --- what may be done -------------------------------------------------------------------------

    def legal_ints(self) -> list[int]:
        """Return the codes of all legal actions of the actor; empty if the deal is over."""
        return self.core.legal(self._moves)

    def legal_actions(self) -> list[Action]:
        """Return all legal actions of the actor; empty if the deal is over."""
        return [decode(code) for code in self.core.legal(self._moves)]

    def is_legal(self, action: Action | int) -> bool:
        """Return whether the actor may do this now."""
        code = _code(action)
        return code is not None and code in self.core.legal(self._moves)

    def why_not(self, action: Action | int) -> Refusal | None:
        """Return why the actor may not do this; None if it is legal."""
        if self.is_legal(action):
            return None
        return explain(self.core, self.rules, action)

    # --- doing it ---------------------------------------------------------------------------------

    def apply(self, action: Action | int) -> tuple[Event, ...]:
        """Apply an action and return its events.

        Raises `IllegalPlay` with the reason, and leaves the state unchanged, if it is not legal.
        """
        code = _code(action)
        if code is None or code not in self.core.legal(self._moves):
            raise IllegalPlay(explain(self.core, self.rules, action))
        return self._apply(code)

    def apply_int(self, code: int) -> None:
        """Apply a legal action, given by its code, without a check and without events."""
        self.core.apply(code, self._moves)
        if self.past:
            self.past += (code,)

    def _apply(self, code: int) -> tuple[Event, ...]:
        core, seat = self.core, self.core.actor
        events = [] if code != _core.DRAW or core.stock_next < core.stock_end else [_restock_event(core)]
        number, points, binds = core.meld_n, 0, core.top_binds()
        if lays_cards(code):
            points = core.points(code)
        pile = core.pile_cards()
        self.apply_int(code)
        events.append(_event(core, code, seat, number, points, pile, bool(binds)))
        if core.phase == _core.PHASE_OVER:
            events.append(_over_event(core))
        elif lays_cards(code) and core.hn[seat] == 0:
            events.append(Event("float", seat))
        return tuple(events)

    def restock_order(self, cards: Sequence[int]) -> None:
        """Make the new stock now, in this order, as in a record (H5). The draw follows.

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
        self.core.restock_in(list(cards))

    # --- as a value -------------------------------------------------------------------------------

    def copy(self) -> State:
        """Return an independent copy."""
        twin = State(self.rules, Core(), self.past)
        twin.core.copy_from(self.core)
        return twin

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same rules, cards, counts, course and generator."""
        if not isinstance(other, State):
            return NotImplemented
        return self.rules == other.rules and self.core.pack(self.past) == other.core.pack(other.past)

    __hash__ = None  # type: ignore[assignment]  # a deal changes

    def to_bytes(self) -> bytes:
        """Return this deal with its course as bytes. They contain only a digest of the rules."""
        return seal(DEAL, self.rules, self.core.pack(self.past))

    @classmethod
    def from_bytes(cls, data: bytes, rules: Ruleset) -> State:
        """Read the output of `to_bytes` under the same rules.

        Raises `BytesError` if the bytes are of another kind or version, damaged, made under other rules, or
        no possible deal; its `code` is the reason.
        """
        body = unseal(DEAL, rules, data)
        try:
            core = new_core(rules, body[0] if body else 0)
            past = core.unpack(body)
        except ValueError as error:
            raise BytesError("bytes.invalid", f"these bytes are no deal: {error}") from None
        return cls(rules, core, past)

    def __reduce__(self) -> tuple[object, tuple[Ruleset, bytes]]:
        """Pickle the rules and the bytes."""
        return _unpickled, (self.rules, self.to_bytes())

    def to_text(self) -> str:
        """Return this deal with its course as a position file; `from_text` returns an equal state."""
        return write(data_of_state(self.rules, self.core, self.past))

    @classmethod
    def from_text(cls, text: str) -> State:
        """Read a complete position file. Raises `PositionError` with everything that is wrong with it."""
        data = read(text)
        if not data.complete:
            who = "a spectator" if data.seat is None else f"seat {data.seat}"
            message = f"this is only what {who} sees: position_from_text reads it, and gives a view"
            raise PositionError([Problem("position.seat", "", "", message, 1, 1)])
        return cls(data.rules, core_of(data), data.past)

    def __str__(self) -> str:
        """Return the table as text, with all cards shown."""
        return table_text(self.rules, self.core)

    def __repr__(self) -> str:
        """Return the rules' name, phase and actor, and no hidden card."""
        return f"<State {self.rules.name} players={self.players} {self.phase.name} actor={self.actor}>"


def _unpickled(rules: Ruleset, data: bytes) -> State:
    return State.from_bytes(data, rules)


def deal(
    rules: Ruleset,
    players: int | None = None,
    seed: int = 0,
    dealer: int = 0,
    totals: Sequence[int] = (),
    number: int | None = None,
) -> State:
    """Shuffle with this seed and deal (R-DEAL-1 to R-DEAL-3).

    The same seed gives the same deal on every platform. The default number of players is the smallest that
    the rules allow. `totals` and `number` are as in `State.new`. Raises `RulesetError` for a wrong number of
    players.
    """
    players = rules.players[0] if players is None else players
    core = new_core(rules, players, totals, number)
    _check_seat(dealer, players)
    core.shuffle(seed & U64)
    core.start(dealer)
    return State(rules, core, opening(core))


def opening(core: Core) -> tuple[int, ...]:
    """Return the public course of a deal before the first action: its upcard, written as a discard."""
    return (discard_code(core.pile[0]),)


def check_deck(rules: Ruleset, players: int, deck: Sequence[int]) -> None:
    """Raise `ValueError`, with the missing and extra cards, if this is not the profile's deck."""
    wanted = rules.deck(players)
    missing, extra = list(wanted), []
    for card in deck:
        if card in missing:
            missing.remove(card)
        else:
            extra.append(card)
    if missing or extra:
        parts = [
            f"{word} {cards_text(cards)}"
            for word, cards in (("lacks", missing), ("has too many", extra))
            if cards
        ]
        raise ValueError(
            f"the deck of {len(deck)} cards is not {rules.title}'s {len(wanted)}: it {', '.join(parts)}"
        )


def _check_seat(seat: int, players: int) -> None:
    if not 0 <= seat < players:
        raise ValueError(f"seat {seat} is not at this table: seats are 0 to {players - 1}")


def _code(action: Action | int) -> int | None:
    try:
        return code_of(action)
    except (ValueError, KeyError):
        return None


def _restock_event(core: Core) -> Event:
    return Event("restock", core.actor, {"cards": tuple(sorted(core.pile_cards()[:-1]))})


def _event(core: Core, code: int, seat: int, number: int, points: int, pile: list[int], binds: bool) -> Event:
    kind = action_kind(code)
    if kind == _core.DRAW:
        stock = core.stock_end - core.stock_next
        return Event("draw", seat, {"stock": stock}, {seat: {"card": core.drawn}})
    if kind in (_core.TAKE, _core.CALL):
        taken = tuple(pile[len(pile) - taken_count(code) :])
        must = taken[0] if kind == _core.CALL or len(taken) > 1 or binds else None
        return Event("take" if kind == _core.TAKE else "call", seat, {"cards": taken, "must_use": must})
    if kind == _core.DISCARD:
        return Event("discard", seat, {"card": discarded_card(code)})
    if kind >= _core.MELD_RUN:
        return _play_event(core, code, seat, number, points)
    return Event({_core.PASS: "pass", _core.END: "end", _core.LET_GO: "let_go"}[kind], seat)


def _play_event(core: Core, code: int, seat: int, number: int, points: int) -> Event:
    new = opens_meld(code)
    cards: tuple[Laid, ...] = laid_cards(code)
    return Event(
        "meld" if new else "lay",
        seat,
        {
            "meld": number if new else target_meld(code),
            "cards": cards,
            "points": points,
            "doubled": bool(core.doubled(code)),
        },
    )


def _over_event(core: Core) -> Event:
    seats = range(core.n)
    return Event(
        "over",
        core.out if core.out >= 0 else core.turn,
        {
            "reason": REASONS[core.reason],
            "out": core.out if core.out >= 0 else None,
            "hands": tuple(tuple(core.hand_cards(s)) for s in seats),
            "points": tuple(core.score(s) for s in seats),
        },
    )
