"""`Match`, a pure state machine from the draw for deal to the settlement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from operator import index
from os import PathLike
from typing import Any

from rum500.match.chance import random_answer, random_restock
from rum500.match.decisions import (
    CutAt,
    CutNeeded,
    Decision,
    DrawAt,
    DrawNeeded,
    Input,
    MatchError,
    MatchOver,
    PackOrder,
    PlayNeeded,
    Resign,
    Restock,
    ShuffleNeeded,
    kind_of,
    position_input,
)
from rum500.match.draw_for_deal import DrawForDeal
from rum500.match.match_bytes import packed, unpacked
from rum500.match.match_record import first_dealer, inputs_of, record_of
from rum500.match.match_view import MatchView
from rum500.match.scores import (
    DealScore,
    MatchResult,
    Standing,
    by_account,
    by_seat,
    ending,
    is_due,
    leader,
    settle,
    standings,
)
from rum500.match.undo import Before, before_play, keep
from rum500.record import Record
from rum500.rng import Rng, checked_seed, fresh_seed
from rum500.rules.action_codes import decode
from rum500.rules.actions import Action, Draw
from rum500.rules.notation import parse_play
from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.state import BytesError, State
from rum500.state.dealing import check_seat
from rum500.state.events import deal_event
from rum500.view import Event, Result


class Match:
    """A match in progress, which waits for a `decision`; `apply` answers it and returns the events.

    With a random generator, the match shuffles. Without one it waits for each order of the pack
    (`PackOrder`) and of a new stock (`Restock`), which come from a record or from real cards. `inputs`
    contains every input, random ones too; `Match.replay` makes the same match from them.

    Seats are 0 to `players - 1`, clockwise. A *player* is numbered by the first seat that the player had. A
    draw for partners may change the seats; `seating[seat]` is the player who sits there now. `dealer` sets
    the first dealer, so that there is no draw. `auto` lists the decisions that the generator makes in
    addition to shuffling: `draw`, `cut` or both.

    >>> from rum500.rules.profiles import ruleset
    >>> match = Match(ruleset("500-rum"), players=2, rng=Rng(7))
    >>> match.decision.seat, match.apply(DrawAt(20))[0].kind
    (0, 'draw_for_deal')
    """

    def __init__(
        self,
        rules: Ruleset | str | PathLike[str],
        players: int,
        rng: Rng | None = None,
        names: Sequence[str] | None = None,
        *,
        dealer: int | None = None,
        auto: Collection[str] = (),
        inputs: Iterable[Input] = (),
    ) -> None:
        """Start a match and apply these inputs.

        With the inputs and the generator of another match, the new match continues as the other one would.

        Raises `ValueError` for names or a dealer that do not fit, `RulesetError` for a wrong number of
        players, and `MatchError` or `IllegalPlay` for the first invalid input.
        """
        rules, players = ruleset_of(rules), index(players)
        rules.check_players(players)
        if names is not None and len(names) != players:
            raise ValueError(f"{len(names)} names are given for {players} players")
        if dealer is not None:
            dealer = index(dealer)
            check_seat(dealer, players)
        self.rules = rules
        self.players = players
        self.seed: int | None = None
        """The seed of `quick`; None for other matches and for matches read from bytes."""
        self.player_names = tuple(names or (f"Player {seat + 1}" for seat in range(players)))
        self.seating = tuple(range(players))
        self.dealer: int | None = dealer
        self._first_dealer = dealer
        self._forgot = False
        self._earlier = 0
        self._alone = False
        self.scorer: int | None = None
        self.number = 0
        self.accounts = by_account(rules, (0,) * players)
        self.state: State | None = None
        self.shuffled: tuple[int, ...] = ()
        self.deck: tuple[int, ...] = ()
        self._rng = rng
        self._auto = frozenset(auto)
        self._shuffles = 0
        self._deciding = False
        self._before: list[Before] = []
        self._inputs: list[Input] = []
        self._events: list[Event] = []
        self._sheet: list[DealScore] = []
        self._left: list[Standing] = []
        self._draw: DrawForDeal | None = None
        self._drawn: tuple[tuple[int, ...], ...] = ()
        self._decision: Decision
        if dealer is None:
            self._begin_draw()
        else:
            self._seat_dealer(dealer)
        for entry in inputs:
            self._take(entry)
        self._run()

    @classmethod
    def quick(
        cls,
        rules: Ruleset | str | PathLike[str],
        players: int,
        seed: int | None = None,
        names: Sequence[str] | None = None,
        *,
        dealer: int | None = None,
    ) -> Match:
        """Return a match whose draw, cuts and shuffles follow from the seed, so that it only waits for plays.

        Without a seed the match is random. The match's `seed` is the seed in both cases.
        """
        number = fresh_seed() if seed is None else checked_seed(seed)
        match = cls(rules, players, Rng(number), names, dealer=dealer, auto=("draw", "cut"))
        match.seed = number
        return match

    @classmethod
    def of_one_deal(
        cls,
        rules: Ruleset,
        players: int,
        names: Sequence[str] | None = None,
        *,
        dealer: int,
        totals: Sequence[int],
        number: int,
    ) -> Match:
        """Return a match that consists of a single deal: deal number `number` of another match.

        `totals` are the totals by seat before that deal. The match has no generator, and `to_bytes` cannot
        write it.
        """
        match = cls(rules, players, None, names, dealer=dealer)
        match.accounts = tuple(totals[: rules.sides or players])
        match._earlier, match._alone, match._forgot = number - 1, True, True
        match._deciding = number > 1 and is_due(rules, match.accounts, number - 1)
        return match

    @classmethod
    def replay(
        cls,
        rules: Ruleset | str | PathLike[str],
        players: int,
        inputs: Iterable[Input],
        names: Sequence[str] | None = None,
        *,
        dealer: int | None = None,
    ) -> Match:
        """Return the match that results from these inputs. It has no random generator.

        `dealer` must be the first dealer that the original match was given, or None.
        """
        return cls(rules, players, None, names, dealer=dealer, inputs=inputs)

    @classmethod
    def of_record(cls, record: Record) -> Match:
        """Return the match of a record. It has no random generator.

        The record's first dealer deals first, without a draw for deal.

        Raises `MatchError` for a record that begins in mid-match, and `MatchError` or `IllegalPlay` for the
        first deal or play that the rules refuse.
        """
        dealer = first_dealer(record)
        return cls.replay(record.rules, record.players, inputs_of(record), record.names, dealer=dealer)

    def record(self) -> Record:
        """Return the record of this match: its deals so far with their plays. `Record.match` is the reverse.

        Raises `MatchError` after `forget`, or if one of several players resigned and the others played on.
        """
        if self._forgot:
            raise MatchError("match.forgotten", "the inputs were dropped: this match cannot be written")
        if self._left:
            raise MatchError("match.record", "a record has the same players in all its deals")
        dealer = None if self.state is None else self.state.dealer
        return record_of(self.rules, self.names, self._inputs, self._sheet, dealer)

    # --- properties ---------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision:
        """The decision that the match waits for, with the seat that has to make it."""
        return self._decision

    @property
    def inputs(self) -> tuple[Input, ...]:
        """All inputs so far, random ones too, in order."""
        return tuple(self._inputs)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far; `apply` returns the new ones."""
        return tuple(self._events)

    @property
    def sheet(self) -> tuple[DealScore, ...]:
        """The score sheet, with one row for each finished deal."""
        return tuple(self._sheet)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(self.player_names[player] for player in self.seating)

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals by seat, the same for partners; `accounts` has them by side."""
        return by_seat(self.rules, self.accounts, self.players)

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return isinstance(self._decision, MatchOver)

    @property
    def result(self) -> MatchResult | None:
        """The result of the match; None until it is over."""
        return self._decision.result if isinstance(self._decision, MatchOver) else None

    def view(self, seat: int | None) -> MatchView:
        """Return what this seat may know of the match. None stands for a spectator."""
        asked = self._decision
        return MatchView(
            rules=self.rules,
            seat=seat,
            names=self.names,
            seating=self.seating,
            dealer=self.dealer,
            scorer=self.scorer,
            number=self.number,
            waiting_for=kind_of(asked),
            actor=None if isinstance(asked, MatchOver | ShuffleNeeded) else asked.seat,
            drawn=self._drawn,
            positions=asked.positions if isinstance(asked, DrawNeeded) else (),
            totals=self.totals,
            accounts=self.accounts,
            sheet=self.sheet,
            deal=self.state.view(seat) if self.state else None,
            result=self.result,
        )

    # --- answering ----------------------------------------------------------------------------------

    def apply(self, answer: Input | str | int) -> tuple[Event, ...]:
        """Answer the decision and return all events up to the next decision.

        A text is a play. An integer is a position in the draw or the cut, or an encoded action in play.
        `Resign` is accepted at any time. Raises `MatchError` for an answer that does not fit the decision,
        `IllegalPlay` for one that the rules refuse, and `NotationError` for a text that is not a play. An
        error leaves the match unchanged.
        """
        before, asked = len(self._events), self._decision
        if isinstance(answer, str):
            if not isinstance(asked, PlayNeeded):
                raise MatchError("match.answer", f"a play answers no {kind_of(asked)} decision")
            answer = parse_play(answer, asked.state)
        if isinstance(answer, Input):
            self._take(answer)
        elif not hasattr(answer, "__index__"):
            raise TypeError(f"expected an action, its text or code, or another answer, found {answer!r}")
        elif isinstance(asked, PlayNeeded):
            self._inputs.append(self._play(asked, decode(index(answer)), index(answer)))
        else:
            self._take(position_input(asked, index(answer)))
        self._run()
        return tuple(self._events[before:])

    def _take(self, entry: Input) -> None:
        """Check an input, apply it and store it."""
        asked = self._decision
        if isinstance(asked, PlayNeeded) and isinstance(entry, Action):
            self._inputs.append(self._play(asked, entry, entry))
            return
        match asked, entry:
            case MatchOver(), _:
                raise MatchError("match.over", "the match is over")
            case _, Resign(seat):
                self._resign(seat)
            case DrawNeeded(), DrawAt(position):
                self._draw_card(position)
            case ShuffleNeeded() as asked, PackOrder(cards):
                self._order(asked, cards)
            case CutNeeded() as asked, CutAt(position):
                self._cut(asked, position)
            case PlayNeeded() as asked, Restock(cards):
                self._restock(asked, cards)
            case asked, _:
                given, wanted = type(entry).__name__, kind_of(asked)
                raise MatchError("match.answer", f"{given} does not answer the decision to {wanted}")
        self._inputs.append(entry)

    def _run(self) -> None:
        """Make every decision that is left to the generator."""
        rng = self._rng
        while rng and (entry := random_answer(self._decision, rng, self._auto, self._shuffles)) is not None:
            self._take(entry)

    def _emit(self, kind: str, seat: int, public: dict[str, Any]) -> None:
        self._events.append(Event(kind, seat, public, {}))

    # --- taking back --------------------------------------------------------------------------------

    @property
    def undoable(self) -> tuple[bool, ...]:
        """For each play of this turn that can be taken back, in order, whether the play showed a hidden card.

        Takes, melds and lay-offs can be taken back. A draw and what was played before it cannot. A hidden
        card is one that only its player knew.
        """
        return tuple([before.shown for before in self._before])

    def undo(self) -> None:
        """Take back the last play, with its input and events. Raises `MatchError` if there is none."""
        if not self._before:
            raise MatchError("match.undo", "there is nothing to take back: a draw and a discard stand")
        self.state, inputs, events, _ = self._before.pop()
        del self._inputs[inputs:], self._events[events:]
        self._decision = PlayNeeded(self.state.actor, self.state)

    def forget(self) -> None:
        """Drop the inputs and events so far, which the caller has stored elsewhere, to save memory."""
        self._forgot = True
        self._before.clear()
        self._inputs.clear()
        self._events.clear()

    # --- copies, comparison, bytes ------------------------------------------------------------------

    def copy(self) -> Match:
        """Return an independent copy."""
        twin = Match.__new__(Match)
        memo: dict[int, Any] = {id(self.rules): self.rules}
        # Events, inputs and score rows are immutable: copy only the lists of them.
        memo |= {id(one): one for kept in (self._events, self._inputs, self._sheet) for one in kept}
        twin.__dict__.update(deepcopy(self.__dict__, memo))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Return whether both matches have the same rules, inputs, events, table and generator."""
        if not isinstance(other, Match):
            return NotImplemented
        return self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]  # a match changes

    def _parts(self) -> dict[str, object]:
        """Return the whole content of the match as values that can be compared."""
        parts = {name: value for name, value in self.__dict__.items() if name != "seed"}
        parts["_draw"] = self._draw and self._draw.__dict__
        return parts

    def to_bytes(self) -> bytes:
        """Return this match as bytes: its parameters, its inputs, and a digest of its rules.

        Raises `MatchError` after `forget`, because the inputs are gone.
        """
        if self._forgot:
            raise MatchError("match.forgotten", "the inputs were dropped: this match cannot be written")
        seed = self._rng.state if self._rng else None
        return packed(self.rules, self.player_names, self._first_dealer, seed, self._auto, self._inputs)

    @classmethod
    def from_bytes(cls, data: bytes, rules: Ruleset | str | PathLike[str]) -> Match:
        """Read the output of `to_bytes` under the same rules, by replaying the match.

        Raises `BytesError` if the bytes are of another kind or version, are damaged, were made under other
        rules, or contain inputs that the rules refuse. The error's `code` says which.
        """
        rules = ruleset_of(rules)
        kept, inputs = unpacked(rules, data)
        try:
            rng, names = None if kept.seed is None else Rng(kept.seed), kept.names
            return cls(rules, len(names), rng, names, dealer=kept.dealer, auto=kept.auto, inputs=inputs)
        except ValueError as error:
            raise BytesError("bytes.invalid", f"these bytes are no match: {error}") from None

    def __reduce__(self) -> tuple[object, tuple[Ruleset, bytes]]:
        """Pickle the rules and the bytes."""
        return _unpickled, (self.rules, self.to_bytes())

    def __repr__(self) -> str:
        """Return the rules' name, the deal, the totals and the decision."""
        totals, waiting = " ".join(map(str, self.totals)), kind_of(self._decision)
        return f"<Match {self.rules.name:.30} deal={self.number} totals={totals:.40} {waiting}>"

    def __str__(self) -> str:
        """Return the totals and the table as text, showing all cards."""
        totals = ", ".join(f"{name} {total}" for name, total in zip(self.names, self.totals, strict=True))
        head = f"{self.rules.title or self.rules.name}: {totals}\nwaiting for: {kind_of(self._decision)}"
        return head if self.state is None else f"{head}\n{self.state}"

    # --- the draw for deal --------------------------------------------------------------------------

    def _begin_draw(self) -> None:
        self._draw = DrawForDeal(self.players, self.rules.draw_for_deal == "partners")
        self._ask_draw(self._draw)

    def _ask_draw(self, draw: DrawForDeal) -> None:
        """Set the decision: the next draw, or a shuffle before it. When all have drawn, seat the players."""
        self._drawn = tuple(map(tuple, draw.drawn))
        asked = draw.decision(self.rules.deck(self.players))
        if asked is not None:
            self._decision = asked
            return
        former = draw.seating()
        self.seating = tuple(self.seating[seat] for seat in former)
        self._drawn = tuple(self._drawn[seat] for seat in former)
        self._seat_dealer(draw.order()[0])

    def _draw_card(self, position: int) -> None:
        assert self._draw is not None
        self._events.extend(self._draw.draw(position))
        self._ask_draw(self._draw)

    def _seat_dealer(self, dealer: int) -> None:
        if self.rules.dealer_keeps_score and self.scorer is None:
            self.scorer = dealer
        if self.dealer is None:
            self._emit("seated", dealer, {"dealer": dealer, "seating": self.seating, "scorer": self.scorer})
        self._ask_deal(dealer)

    # --- shuffle, cut, deal -------------------------------------------------------------------------

    def _ask_deal(self, dealer: int) -> None:
        self.dealer = dealer
        self._decision = ShuffleNeeded(dealer, "deal", tuple(self.rules.deck(self.players)))

    def _order(self, asked: ShuffleNeeded, cards: Sequence[int]) -> None:
        if sorted(cards) != sorted(asked.cards):
            given, whole = len(cards), len(asked.cards)
            raise MatchError("match.order", f"these {given} cards are not the whole pack of {whole} cards")
        self._shuffles += 1
        if asked.purpose == "draw":
            assert self._draw is not None
            self._draw.spread(cards)
            self._emit("spread", asked.seat, {"cards": len(cards)})
            self._ask_draw(self._draw)
            return
        self.shuffled = tuple(cards)
        self._emit("shuffle", asked.seat, {"cards": len(cards)})
        self._decision = CutNeeded((asked.seat - 1) % self.players, len(cards))

    def _cut(self, asked: CutNeeded, position: int) -> None:
        if not 1 <= position < asked.cards:
            raise MatchError("match.cut", f"a cut lifts 1 to {asked.cards - 1} cards, not {position}")
        assert self.dealer is not None
        self.deck = self.shuffled[position:] + self.shuffled[:position]
        self._emit("cut", asked.seat, {"position": position})
        self.number = self._earlier + len(self._sheet) + 1
        self.state = state = State.new(
            self.rules, self.players, self.deck, self.dealer, self.totals, number=self.number
        )
        self._events.append(deal_event(state.core))
        self._decision = PlayNeeded(state.actor, state)

    # --- play ---------------------------------------------------------------------------------------

    def _play(self, asked: PlayNeeded, action: Action, answer: Action | int) -> Input:
        """Apply an action; return the input to store: a `Restock` for a draw that needs a new stock."""
        state = asked.state
        if isinstance(action, Draw) and not state.stock and state.is_legal(action):
            if self._rng is None:
                raise MatchError("match.restock", "a draw from a new stock needs its order (Restock)")
            made = random_restock(state.pile, self._rng, self._shuffles, len(self._inputs))
            self._restock(asked, made.cards)
            return made
        before = before_play(state, action, len(self._inputs), len(self._events))
        self._events.extend(state.apply(answer))
        self._played(state)
        keep(self._before, before, self._decision)
        return action

    def _restock(self, asked: PlayNeeded, cards: Sequence[int]) -> None:
        try:
            asked.state.restock_order(cards)
        except ValueError as error:
            raise MatchError("match.restock", str(error)) from None
        self._before.clear()
        self._emit("restock", asked.seat, {"cards": tuple(sorted(cards))})
        self._events.extend(asked.state.apply(Draw()))
        self._played(asked.state)

    def _played(self, state: State) -> None:
        if (result := state.result) is None:
            self._decision = PlayNeeded(state.actor, state)
        else:
            self._settle_deal(state, result)

    def _settle_deal(self, state: State, result: Result) -> None:
        points = by_account(self.rules, result.points)
        self.accounts = tuple(total + more for total, more in zip(self.accounts, points, strict=True))
        row = DealScore(self.number, state.dealer, self.seating, result, points, self.accounts)
        self._sheet.append(row)
        self._emit("settle", state.dealer, {"number": row.number, "points": points, "totals": self.accounts})
        played = self._earlier + len(self._sheet)
        end = ending(self.rules, self.accounts, played, self._deciding, result)
        if end is None and self._alone:
            end = "deals", leader(self.accounts)
        if end is not None:
            self._finish(*end)
            return
        self._deciding = self._deciding or is_due(self.rules, self.accounts, played)
        self._ask_deal((state.dealer + 1) % self.players)

    # --- the end ------------------------------------------------------------------------------------

    def _finish(self, reason: str, winner: int | None, quitter: int | None = None) -> None:
        accounts = standings(self.rules, self.seating, self.accounts, quitter)
        result = settle(self.rules, reason, [*accounts, *self._left], winner)
        self._decision = MatchOver(result)
        seat = self.seating.index(result.winners[0]) if result.winners else self.dealer or 0
        self._emit("match_over", seat, {"reason": reason, "winners": result.winners, "final": result.final})

    def _resign(self, seat: int) -> None:
        """Let a seat resign; see docs/decisions/forfeits.md."""
        if not 0 <= seat < self.players:
            last = self.players - 1
            raise MatchError("match.resign", f"seat {seat} is not at this table: seats are 0 to {last}")
        self._before.clear()
        self._emit("resign", seat, {"player": self.seating[seat]})
        if len(self.accounts) == 2:
            account = self.rules.side(seat)
            self._finish("forfeit", 1 - account, quitter=account)
        else:
            self._leave(seat)

    def _leave(self, seat: int) -> None:
        """Remove the player of this seat. The deal in progress is void; later seats move down by one."""
        self._left.insert(0, Standing((self.seating[seat],), self.accounts[seat], left=True))
        self.seating = self.seating[:seat] + self.seating[seat + 1 :]
        self.accounts = self.accounts[:seat] + self.accounts[seat + 1 :]
        self._drawn = self._drawn[:seat] + self._drawn[seat + 1 :]
        self.players -= 1
        self.state = None
        # The next player to the left replaces a dealer who leaves; the dealer replaces a scorer who leaves.
        if self.dealer is not None:
            self.dealer = (self.dealer - (self.dealer > seat)) % self.players
        if self.scorer is not None:
            self.scorer = self.dealer if self.scorer == seat else self.scorer - (self.scorer > seat)
        if self.players not in self.rules.players:
            self._finish("forfeit", leader(self.accounts))
            return
        public = {"seating": self.seating, "dealer": self.dealer, "scorer": self.scorer}
        self._emit("seated", seat % self.players, public)
        if self.dealer is None:
            self._begin_draw()
        else:
            self._ask_deal(self.dealer)


def _unpickled(rules: Ruleset, data: bytes) -> Match:
    return Match.from_bytes(data, rules)
