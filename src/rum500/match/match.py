"""`Match`, a pure state machine from the draw for deal to the settlement."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import deepcopy
from operator import index
from os import PathLike
from typing import Any

import msgspec

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
)
from rum500.match.draw_for_deal import DrawForDeal
from rum500.match.match_bytes import MatchData, read, written
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
)
from rum500.record import CUT, MOST_RECORD, Outcome, Record, RecordedPlay
from rum500.rng import Rng, checked_seed, fresh_seed
from rum500.rules.action_codes import decode
from rum500.rules.actions import Action, Draw, LayOff, Meld, Take
from rum500.rules.notation import parse_play
from rum500.rules.profiles import ruleset_of
from rum500.rules.ruleset import Ruleset
from rum500.state import BytesError, State
from rum500.state.deal_bytes import MATCH, seal, unseal
from rum500.view import Event, Phase, Result

_SPREAD, _DEAL, _DRAW, _CUT, _RESTOCK = range(5)
"""Numbers of independent random streams of the match's generator, one for each use of chance."""
_TAKEN_BACK = (Take, Meld, LayOff)
_Before = tuple[State, int, int, bool]
"""What `undo` restores: the deal before a play, the numbers of inputs and events, and whether the play showed
a hidden card.
"""
_WAITING = {
    DrawNeeded: "draw",
    ShuffleNeeded: "shuffle",
    CutNeeded: "cut",
    PlayNeeded: "play",
    MatchOver: "over",
}


class Match:
    """A match in progress. `decision` is what it waits for; `apply` answers it and returns the events.

    With a generator, the match shuffles. Without one it asks for each order of the pack (`ShuffleNeeded`) and
    of a new stock (`Restock`), which come from a record or from real cards. `inputs` contains every input,
    random ones too; `Match.replay` makes the same match from them.

    Seats are 0 to `players - 1`, clockwise. A *player* is numbered by the first seat that the player had. A
    draw for partners may change the seats; `seating[seat]` is the player who sits there now. `dealer` sets
    the first dealer, so that there is no draw. `auto` lists what the generator does in addition to shuffling:
    `draw`, `cut` or both.

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
        """Start a match and apply these inputs. Given its original generator too, a match continues
        identically.

        Raises `ValueError` for names or a dealer that do not fit, `RulesetError` for a wrong number of
        players, and `MatchError` or `IllegalPlay` for the first invalid input.
        """
        rules, players = ruleset_of(rules), index(players)
        rules.check_players(players)
        if names is not None and len(names) != players:
            raise ValueError(f"{len(names)} names are given for {players} players")
        dealer = None if dealer is None else index(dealer)
        if dealer is not None and not 0 <= dealer < players:
            raise ValueError(f"seat {dealer} is not at this table: seats are 0 to {players - 1}")
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
        self._before: list[_Before] = []
        self._inputs: list[Input] = []
        self._events: list[Event] = []
        self._sheet: list[DealScore] = []
        self._left: list[Standing] = []
        self._draw: DrawForDeal | None = None
        self._drawn: tuple[tuple[int, ...], ...] = ()
        self._decision: Decision
        self._begin(dealer)
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
        """Return a match that consists of one deal, the deal with this number, of another match.

        `totals` are those before the deal, by seat. The match has no generator, and `to_bytes` cannot write
        it.
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
        """Return the match that results from these inputs, without a generator.

        `dealer` must be the first dealer that the original match was given, or None.
        """
        return cls(rules, players, None, names, dealer=dealer, inputs=inputs)

    @classmethod
    def of_record(cls, record: Record) -> Match:
        """Return the match of a record, without a generator. The record's first dealer is set; there is no
        draw.

        Raises `MatchError` for a record that begins in mid-match, and `MatchError` or `IllegalPlay` for the
        first deal or play that the rules refuse.
        """
        first = record.deals[0] if record.deals else None
        if first is not None and any(first.totals):
            raise MatchError("match.record", "this record begins in the middle of a match")
        dealer = first.dealer if first else None
        return cls.replay(record.rules, record.players, inputs_of(record), record.names, dealer=dealer)

    def record(self) -> Record:
        """Return the record of this match: its deals so far with their plays. `Record.match` is the reverse.

        Raises `MatchError` after `forget`, or if one of several players resigned and the others played on.
        """
        if self._forgot:
            raise MatchError("match.forgotten", "the inputs were dropped: this match cannot be written")
        if self._left:
            raise MatchError("match.record", "a record has the same players in all its deals")
        record = Record(self.rules, self.players, self.names)
        order: tuple[int, ...] = ()
        for entry in self._inputs:
            match entry:
                case PackOrder(cards):
                    order = cards
                case CutAt(position):
                    before = self._sheet[: len(record.deals)]
                    totals = by_seat(self.rules, before[-1].totals, self.players) if before else ()
                    deck = (*order[position:], *order[:position])
                    record.add(deck, self._dealer_of(len(record.deals)), totals, [(CUT, str(position))])
                case Restock(cards):
                    record.deals[-1].plays.append(RecordedPlay(Draw(), cards))
                case Action():
                    record.deals[-1].plays.append(RecordedPlay(entry))
        for deal, row in zip(record.deals, self._sheet, strict=False):
            deal.outcome = Outcome.of(row.result)
        return record

    def _dealer_of(self, deal: int) -> int:
        """Return the dealer's seat in a deal, counted from 0."""
        if deal < len(self._sheet):
            return self._sheet[deal].dealer
        assert self.state is not None
        return self.state.dealer

    # --- facts --------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision:
        """What the match waits for now, and from which seat."""
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
        """Return what this seat may know, built field by field. None stands for a spectator."""
        asked = self._decision
        return MatchView(
            rules=self.rules,
            seat=seat,
            names=self.names,
            seating=self.seating,
            dealer=self.dealer,
            scorer=self.scorer,
            number=self.number,
            waiting_for=_WAITING[type(asked)],
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
        `IllegalPlay` for one that the rules refuse, and `NotationError` for a text that is not a play. Then
        the match is unchanged.
        """
        before, asked = len(self._events), self._decision
        if isinstance(answer, str):
            if not isinstance(asked, PlayNeeded):
                raise MatchError("match.answer", f"a play answers no {_WAITING[type(asked)]} decision")
            answer = parse_play(answer, asked.state)
        if isinstance(answer, Input):
            self._take(answer)
        elif not hasattr(answer, "__index__"):
            raise TypeError(f"an action, its text, its code or another answer is wanted, not {answer!r}")
        elif isinstance(asked, PlayNeeded):
            self._inputs.append(self._play(asked, decode(index(answer)), index(answer)))
        else:
            self._take(self._position(index(answer)))
        self._run()
        return tuple(self._events[before:])

    def _position(self, number: int) -> Input:
        match self._decision:
            case DrawNeeded():
                return DrawAt(number)
            case CutNeeded():
                return CutAt(number)
        raise MatchError("match.answer", f"a number answers no {_WAITING[type(self._decision)]} decision")

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
            case DrawNeeded() as asked, DrawAt(position):
                self._draw_card(asked, position)
            case ShuffleNeeded() as asked, PackOrder(cards):
                self._order(asked, cards)
            case CutNeeded() as asked, CutAt(position):
                self._cut(asked, position)
            case PlayNeeded() as asked, Restock(cards):
                self._restock(asked, cards)
            case asked, _:
                kind, wanted = type(entry).__name__, _WAITING[type(asked)]
                raise MatchError("match.answer", f"{kind} does not answer the decision to {wanted}")
        self._inputs.append(entry)

    def _run(self) -> None:
        """Make every decision that is left to the generator."""
        while (entry := self._automatic()) is not None:
            self._take(entry)

    def _automatic(self) -> Input | None:
        asked, rng = self._decision, self._rng
        if rng is None:
            return None
        if isinstance(asked, ShuffleNeeded):
            cards = list(asked.cards)
            rng.spawn(_SPREAD if asked.purpose == "draw" else _DEAL, self._shuffles).shuffle(cards)
            return PackOrder(tuple(cards))
        if isinstance(asked, DrawNeeded) and "draw" in self._auto:
            stream = rng.spawn(_DRAW, self._shuffles, len(asked.positions))
            return DrawAt(asked.positions[stream.below(len(asked.positions))])
        if isinstance(asked, CutNeeded) and "cut" in self._auto:
            return CutAt(1 + rng.spawn(_CUT, self._shuffles).below(asked.cards - 1))
        return None

    def _emit(
        self, kind: str, seat: int, public: dict[str, Any], private: dict[int, dict[str, Any]] | None = None
    ) -> None:
        self._events.append(Event(kind, seat, public, private or {}))

    # --- taking back --------------------------------------------------------------------------------

    @property
    def undoable(self) -> tuple[bool, ...]:
        """For each play of this turn that can be taken back, in order, whether it showed a hidden card.

        Takes, melds and lay-offs can be taken back; a draw cannot, nor anything before it. A hidden card is
        one that only its player knew.
        """
        return tuple([shown for _, _, _, shown in self._before]) if self._before else ()

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

    # --- as a value ---------------------------------------------------------------------------------

    def copy(self) -> Match:
        """Return an independent copy."""
        twin = Match.__new__(Match)
        memo: dict[int, Any] = {id(self.rules): self.rules}
        # Events and score rows are immutable: copy only their lists.
        memo |= {id(one): one for kept in (self._events, self._inputs, self._sheet) for one in kept}
        twin.__dict__.update(deepcopy(self.__dict__, memo))
        return twin

    def __copy__(self) -> Match:
        return self.copy()

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
        data = MatchData(
            self.player_names,
            self._first_dealer,
            self._rng.state if self._rng else None,
            tuple(sorted(self._auto)),
            tuple(written(entry) for entry in self._inputs),
        )
        return seal(MATCH, self.rules, msgspec.msgpack.encode(data))

    @classmethod
    def from_bytes(cls, data: bytes, rules: Ruleset | str | PathLike[str]) -> Match:
        """Read the output of `to_bytes` under the same rules, by replaying the match.

        Raises `BytesError` if the bytes are of another kind or version, damaged, made under other rules, or
        contain inputs that the rules refuse; its `code` says which.
        """
        rules = ruleset_of(rules)
        body = unseal(MATCH, rules, data, MOST_RECORD)
        try:
            saved = msgspec.msgpack.decode(body, type=MatchData)
            rng = None if saved.seed is None else Rng(saved.seed)
            inputs = [read(name, values) for name, values in saved.inputs]
            return cls(
                rules, len(saved.names), rng, saved.names, dealer=saved.dealer, auto=saved.auto, inputs=inputs
            )
        except ValueError as error:
            raise BytesError("bytes.invalid", f"these bytes are no match: {error}") from None

    def __reduce__(self) -> tuple[object, tuple[Ruleset, bytes]]:
        """Pickle the rules and the bytes."""
        return _unpickled, (self.rules, self.to_bytes())

    def __repr__(self) -> str:
        """Return the rules' name, the deal, the totals and the decision."""
        totals, waiting = " ".join(map(str, self.totals)), _WAITING[type(self._decision)]
        return f"<Match {self.rules.name:.30} deal={self.number} totals={totals:.40} {waiting}>"

    def __str__(self) -> str:
        """Return the totals and the table as text, showing all cards."""
        lines = [
            f"{self.rules.title or self.rules.name}: "
            + ", ".join(f"{name} {total}" for name, total in zip(self.names, self.totals, strict=True)),
            f"waiting for: {_WAITING[type(self._decision)]}",
        ]
        return "\n".join(lines if self.state is None else [*lines, str(self.state)])

    # --- the draw for deal --------------------------------------------------------------------------

    def _begin(self, dealer: int | None) -> None:
        if dealer is None:
            self._begin_draw()
        else:
            self._seat_dealer(dealer)

    def _begin_draw(self) -> None:
        self._draw = DrawForDeal(self.players, self.rules.draw_for_deal == "partners" and self.players == 4)
        self._drawn = ((),) * self.players
        self._ask_draw(self._draw)

    def _ask_draw(self, draw: DrawForDeal) -> None:
        """Wait for the next seat to draw, or for a pack first. When the draw is finished, seat everyone."""
        if not draw.waiting:
            self._seated(draw)
        elif draw.needs_pack:
            self._decision = ShuffleNeeded(draw.waiting[0], "draw", tuple(self.rules.deck(self.players)))
        else:
            self._decision = DrawNeeded(draw.waiting[0], tuple(draw.free), draw.again)

    def _draw_card(self, asked: DrawNeeded, position: int) -> None:
        draw = self._draw
        assert draw is not None
        if position not in asked.positions:
            raise MatchError("match.draw", f"no card lies at position {position} of the spread pack")
        last = len(draw.waiting) == 1
        card = draw.draw(position)
        self._drawn = tuple(map(tuple, draw.drawn))
        self._emit("draw_for_deal", asked.seat, {"position": position, "card": card})
        if last and draw.waiting:
            self._emit("draw_again", draw.waiting[0], {"seats": tuple(draw.waiting)})
        self._ask_draw(draw)

    def _seated(self, draw: DrawForDeal) -> None:
        dealer = draw.order()[0]
        if self.rules.draw_for_deal == "partners" and self.players == 4:
            former = draw.seating()
            self.seating = tuple(self.seating[seat] for seat in former)
            self._drawn = tuple(self._drawn[seat] for seat in former)
        self._seat_dealer(dealer)

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
            raise MatchError(
                "match.order", f"these {len(cards)} cards are not the whole pack of {len(asked.cards)} cards"
            )
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
        self._emit(
            "deal",
            self.dealer,
            {
                "number": self.number,
                "upcard": state.pile[-1],
                "stock": len(state.stock),
                "hand_sizes": tuple(map(len, state.hands)),
            },
            {seat: {"hand": hand} for seat, hand in enumerate(state.hands)},
        )
        self._decision = PlayNeeded(state.actor, state)

    # --- play ---------------------------------------------------------------------------------------

    def _play(self, asked: PlayNeeded, action: Action, answer: Action | int) -> Input:
        """Apply the action of an answer. A draw that needs a new stock becomes a random `Restock`."""
        state = asked.state
        if isinstance(action, Draw) and not state.stock and state.is_legal(action):
            if self._rng is None:
                raise MatchError("match.restock", "a draw from a new stock needs its order (Restock)")
            cards = list(state.pile[:-1])
            self._rng.spawn(_RESTOCK, self._shuffles, len(self._inputs)).shuffle(cards)
            made = Restock(tuple(cards))
            self._restock(asked, made.cards)
            return made
        before = self._snapshot(state, action)
        self._events.extend(state.apply(answer))
        self._played(state)
        if before is not None and self._same_turn(before[0]):
            self._before.append(before)
        else:
            self._before.clear()
        return action

    def _snapshot(self, state: State, action: Action) -> _Before | None:
        """Return what `undo` needs to take back this action; None if it cannot be taken back."""
        if not isinstance(action, _TAKEN_BACK):
            return None
        shown = not isinstance(action, Take) and _shows_hidden(state, action)
        return state.copy(), len(self._inputs), len(self._events), shown

    def _same_turn(self, before: State) -> bool:
        asked = self._decision
        return (
            isinstance(asked, PlayNeeded)
            and asked.seat == before.actor
            and asked.state.phase in (Phase.USE, Phase.PLAY)
        )

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
        result = state.result
        if result is None:
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
        standings = [
            Standing(self._account_players(account), total, account == quitter)
            for account, total in enumerate(self.accounts)
        ]
        result = settle(self.rules, reason, [*standings, *self._left], winner)
        self._decision = MatchOver(result)
        seat = self.seating.index(result.winners[0]) if result.winners else self.dealer or 0
        self._emit("match_over", seat, {"reason": reason, "winners": result.winners, "final": result.final})

    def _account_players(self, account: int) -> tuple[int, ...]:
        return tuple(player for seat, player in enumerate(self.seating) if self.rules.side(seat) == account)

    def _resign(self, seat: int) -> None:
        """Let a seat resign; see docs/decisions/forfeits.md."""
        if not 0 <= seat < self.players:
            raise MatchError(
                "match.resign", f"seat {seat} is not at this table: seats are 0 to {self.players - 1}"
            )
        self._before.clear()
        self._emit("resign", seat, {"player": self.seating[seat]})
        if len(self.accounts) == 2:
            account = self.rules.side(seat)
            self._finish("forfeit", 1 - account, quitter=account)
        else:
            self._leave(seat)

    def _leave(self, seat: int) -> None:
        """Remove one of several players. The deal in progress is void, and the others move together."""
        self._left.insert(0, Standing((self.seating[seat],), self.accounts[seat], left=True))
        self.seating = self.seating[:seat] + self.seating[seat + 1 :]
        self.accounts = self.accounts[:seat] + self.accounts[seat + 1 :]
        self._drawn = self._drawn[:seat] + self._drawn[seat + 1 :]
        self.players -= 1
        self.state = None
        self._pass_duties_on(seat)
        if self.players not in self.rules.players:
            self._finish("forfeit", leader(self.accounts))
            return
        public = {"seating": self.seating, "dealer": self.dealer, "scorer": self.scorer}
        self._emit("seated", seat % self.players, public)
        if self.dealer is None:
            self._begin_draw()
        else:
            self._ask_deal(self.dealer)

    def _pass_duties_on(self, left: int) -> None:
        """Set dealer and scorer after the player of seat `left` has left.

        The next player to the left takes over the deal; the dealer takes over the score.
        """
        if self.dealer is not None:
            self.dealer = (self.dealer - (self.dealer > left)) % self.players
        if self.scorer is not None:
            self.scorer = self.dealer if self.scorer == left else self.scorer - (self.scorer > left)


def inputs_of(record: Record) -> Iterator[Input]:
    """Yield the inputs that make the deals of a record.

    A deal whose cut is not recorded gets a cut of one card. Raises `MatchError` for an impossible cut.
    """
    for deal in record.deals:
        written = dict(deal.tags).get(CUT, "")
        cut = int(written) if written.isascii() and written.isdigit() else 1
        if not 0 < cut < len(deal.deck):
            raise MatchError("match.record", f"{CUT} {written!r}: no cut lifts so many cards")
        yield PackOrder((*deal.deck[-cut:], *deal.deck[:-cut]))
        yield CutAt(cut)
        for play in deal.plays:
            yield Restock(play.restock) if play.restock else play.action


def _unpickled(rules: Ruleset, data: bytes) -> Match:
    return Match.from_bytes(data, rules)


def _shows_hidden(state: State, action: Meld | LayOff) -> bool:
    """Return whether the play shows a card that was not known to be in the actor's hand."""
    known = list(state.known(state.actor))
    for laid in action.cards:
        if laid.card not in known:
            return True
        known.remove(laid.card)
    return False
