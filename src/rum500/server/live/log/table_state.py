"""A table as its log describes it: `TableState` folds the entries, without clock, chance or I/O."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from rum500.match import (
    Claimant,
    CutAt,
    CutNeeded,
    DrawAt,
    DrawNeeded,
    Match,
    MatchOver,
    PackOrder,
    PlayNeeded,
    Resign,
    Restock,
    ShuffleNeeded,
    claimants,
)
from rum500.record import fair
from rum500.rules.action_codes import action_kind, lays_cards
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import LET_GO
from rum500.rules.ruleset import Ruleset
from rum500.server import messages
from rum500.server.live.log import entries as log
from rum500.server.live.log.event_messages import ScopedEvent, event_messages, table_event
from rum500.server.live.log.score_sheets import score_sheet
from rum500.server.live.log.seats import DealHistory, SpreadPack, TableSeat
from rum500.server.live.log.table_people import PEOPLE_ENTRIES
from rum500.server.messages.base import HintDepth, Status, WaitingFor
from rum500.server.messages.options import TableOptions
from rum500.server.messages.render import MeldPlateCache
from rum500.store import StoredEntry
from rum500.view import Phase

_WAITING: dict[type[Any], WaitingFor] = {
    ShuffleNeeded: "shuffle",
    DrawNeeded: "draw",
    CutNeeded: "cut",
    PlayNeeded: "play",
    MatchOver: "over",
}
_DEAL_LIES = ("play", "claim", "over")
_IN_DEAL = (log.Played, log.Undone)
CHAT_LINES = 50


@dataclass(eq=False, repr=False)
class TableState:
    """Everything about a table that follows from its log; only `TableLog` changes it.

    Players are numbered by their seats when the match began, seats by the present order.
    """

    table: str
    """The id."""
    options: TableOptions = field(init=False)
    rules: Ruleset = field(init=False)
    host: str | None = field(init=False)
    """The guest who may start the match."""
    secret: int = field(init=False)
    """The seed of the bots' random numbers."""
    _: KW_ONLY
    keep_deals: bool = False
    """Whether all deals are kept, for replays, and not only the last one."""
    number: int = 0
    """The number of the last entry."""
    changed_at: int = 0
    """When the last entry was written, in ms since 1970."""
    revision: int = 0
    """Grows with every change, except those that a play in the middle of a deal makes."""
    handled_messages: set[tuple[str, str]] = field(default_factory=set)
    """The guest and the id of every message that led to an entry."""

    # The decision.
    status: Status = "open"
    waiting_for: WaitingFor = "seats"
    """The kind of decision that the table waits for, in the protocol's words."""
    asked: int = 0
    """The number of the present decision: that of the entry after which it was asked for."""
    asked_at: int = 0
    """When it was asked for, or the match resumed, in ms since 1970."""
    actor: int | None = None
    """The seat that has to decide; None if nobody has, or several may call "Rummy!"."""
    acting_player: int | None = None
    """The player at that seat."""
    claims: tuple[Claimant, ...] = ()
    """The open claims: who may call "Rummy!" now, in the order in which the rules would ask them."""
    let_go: set[int] = field(default_factory=set)
    """The players among them who do not call."""
    let_go_by_bot: set[int] = field(default_factory=set)
    """Those of them for whom a bot decided so."""

    # People.
    seats: list[TableSeat] = field(default_factory=list)
    """By player."""
    ready: set[int] = field(default_factory=set)
    """The players who are ready for the next deal."""
    votes: dict[str, set[int]] = field(default_factory=dict)
    """The players who agree, by the subject of the vote."""
    pausers: set[int] = field(default_factory=set)
    """The players who agreed to the present pause."""
    replaced: set[int] = field(default_factory=set)
    """The absent players for whom a bot plays as the others agreed."""
    chat: deque[messages.ChatLine] = field(default_factory=lambda: deque(maxlen=CHAT_LINES))
    hints: list[int] = field(default_factory=list)
    """By player, the number of decisions of the match for which the player was given a hint."""
    hinted: dict[int, HintDepth] = field(default_factory=dict)
    """The players who were given a hint about the present decision, with its depth."""
    rematch: str | None = None
    """The id of the table at which the same people play again."""
    tried: messages.TriedFrom | None = None
    """The decision of another table's deal from which this one plays on, which counts for nothing."""

    # The clock.
    timed_out: int | None = None
    """The player whose turn a bot plays out because the time is used up."""
    turn_ms: int = 0
    """The remaining time of the turn in ms, as of the last entry that used time."""
    bank_ms: list[int] = field(default_factory=list)
    """The remaining time for the match in ms, by player."""

    # Shuffles.
    shuffles: int = 0
    """The number of shuffles that have begun."""
    shuffle: fair.FairShuffle | None = None
    """The last one."""
    ordered: bool = False
    """Whether its order is settled."""
    seeds: dict[int, str] = field(default_factory=dict)
    """The seeds given for it, by player."""
    cuts: dict[int, int] = field(default_factory=dict)
    """The places where players want to cut, in per mille of the pack, by player."""
    opened: tuple[messages.OpenedShuffle, ...] = ()
    """The shuffles whose deals became void, with their seeds, so that everybody can check them."""
    spread: SpreadPack | None = None
    """The pack that is spread for the draw for deal."""
    spreads: list[SpreadPack] = field(default_factory=list)
    """All packs spread so far."""

    # Deals.
    match: Match | None = None
    between_deals: bool = False
    """Whether the last deal is over and its cards still lie on the table."""
    sheet: messages.ScoreSheet | None = None
    """The score sheet of the last deal, until the next one begins."""
    deals: list[DealHistory] = field(default_factory=list)
    doubled: dict[int, frozenset[int | None]] = field(default_factory=dict)
    """The places of cards that count twice, by meld number."""
    meld_plates: MeldPlateCache = field(default_factory=MeldPlateCache)
    _turn_plays: list[int] = field(init=False, default_factory=list)

    # Events.
    events: list[ScopedEvent] = field(default_factory=list)
    """The events since entry `kept_from`: of this deal and the one before."""
    kept_from: int = 1
    deal_starts: deque[int] = field(default_factory=lambda: deque([1], maxlen=2))
    """The entries with which the last two deals began."""

    @classmethod
    def fold(cls, table: str, entries: Iterable[StoredEntry], *, keep_deals: bool = False) -> TableState:
        """Return the table of this log. Raises `LogError` if an entry cannot follow from those before it."""
        state = cls(table, keep_deals=keep_deals)
        for entry in entries:
            state.read(entry)
        return state

    def read(self, entry: StoredEntry) -> log.LogEntry:
        """Apply the log's next stored entry and return it. Raises `LogError` if it cannot come next."""
        if entry.number != self.number + 1:
            raise log.LogError(f"entry {self.number + 1} is missing")
        line = log.from_stored(entry)
        try:
            self.apply(entry, line)
        except log.LogError:
            raise
        except Exception as error:  # noqa: BLE001 - the error's own text may name cards
            what = f"entry {entry.number} ({entry.kind})"
            raise log.LogError(f"{what} does not follow from those before: {type(error).__name__}") from None
        return line

    def apply(self, entry: StoredEntry, line: log.LogEntry) -> None:
        """Apply one more entry, which must be possible."""
        self.number = entry.number
        self.changed_at = entry.at
        if entry.author is not None and entry.message is not None:
            self.handled_messages.add((entry.author, entry.message))
        self._APPLY[type(line)](self, line)
        self._look()
        if not isinstance(line, _IN_DEAL) or self.deals[-1].over:
            self.revision += 1

    # --- queries ------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Set `waiting_for`, `actor` and `acting_player` from the match."""
        self.actor = self.acting_player = None
        match = self.match
        if match is None:
            return
        asked = match.decision
        kind = type(asked)
        self.waiting_for = _WAITING[kind]
        if kind is ShuffleNeeded and self.between_deals:
            self.waiting_for = "next"
        elif self.claims:
            self.waiting_for = "claim"
        elif isinstance(asked, (PlayNeeded, DrawNeeded, CutNeeded)):
            self.actor = asked.seat
            self.acting_player = match.seating[asked.seat]

    @property
    def ended(self) -> bool:
        """Whether the match has ended."""
        return self.status in ("over", "abandoned")

    def player_of(self, guest: str) -> int | None:
        """Return which player a guest is; None if the guest does not sit at the table."""
        for player, seat in enumerate(self.seats):
            if seat.guest == guest and (self.match is None or player in self.match.seating):
                return player
        return None

    def seat_of(self, player: int | None) -> int | None:
        """Return where a player sits now; None for a spectator, and for a player who has resigned."""
        if player is None or self.match is None:
            return player
        seating = self.match.seating
        return seating.index(player) if player in seating else None

    @property
    def seating(self) -> tuple[int, ...]:
        """The players by seat."""
        return self.match.seating if self.match else tuple(range(len(self.seats)))

    def people(self) -> list[int]:
        """Return the players at the table who are people."""
        return [player for player in self.seating if self.seats[player].kind == "person"]

    @property
    def external_bots(self) -> frozenset[int]:
        """The players that are external bots."""
        return frozenset(player for player, seat in enumerate(self.seats) if seat.external)

    @property
    def deal(self) -> DealHistory | None:
        """The deal in progress, or the last one."""
        return self.deals[-1] if self.deals else None

    def hints_in_deal(self, player: int) -> int:
        """Return for how many decisions of this deal the player was given hints."""
        return self.deal.hints[player] if self.deal else 0

    @property
    def deal_shown(self) -> bool:
        """Whether cards lie on the table: a deal is played, or over and not yet gathered up."""
        match = self.match
        if match is None or match.state is None:
            return False
        return self.between_deals or self.waiting_for in _DEAL_LIES

    def claimant(self, player: int) -> Claimant | None:
        """Return this player's claim while the player may call "Rummy!"."""
        if not self.claims or player in self.let_go:
            return None
        seat = self.seat_of(player)
        return next((claim for claim in self.claims if claim.seat == seat), None)

    def awaited(self) -> list[int]:
        """Return the players without whom the match does not go on."""
        if self.status != "playing":
            return []
        if self.claims:
            players = [self.seating[claim.seat] for claim in self.claims]
            return [player for player in players if player not in self.let_go]
        if self.waiting_for == "next":
            return [player for player in self.people() if player not in self.ready]
        if self.waiting_for == "shuffle":
            return [player for player in self.people() if player not in self.seeds]
        return [] if self.acting_player is None else [self.acting_player]

    @property
    def due(self) -> int | None:
        """When the clock of days ends the present wait, in ms since 1970; None without such a clock.

        A moment that has passed means at once.
        """
        if self.status != "playing" or not self.options.daily:
            return None
        return self.asked_at + self._wait_ms()

    def _wait_ms(self) -> int:
        """Return how long people have for the present decision; 0 if it waits for none."""
        if self.waiting_for == "play":
            player = self.acting_player
            assert player is not None
            bot = self.seats[player].kind == "bot" or self.timed_out == player
            return 0 if bot else self.turn_ms + self.bank_ms[player]
        waits = self.waiting_for in ("claim", "next")
        people = waits and any(
            self.seats[player].kind == "person"
            for player in self.awaited()
            if self.claims or not self.seats[player].external
        )
        return (self.options.turn_s or 0) * 1000 if people else 0

    # --- the beginning ------------------------------------------------------------------------------

    def _began(self, line: log.Began) -> None:
        self.seats = [self.seats[former] for former in line.order]
        self.status = "playing"
        self.votes = {}
        self._ask()
        players = len(self.seats)
        self.bank_ms = [self.options.bank * 1000] * players
        self.match = Match(self.rules, players, None, [seat.name for seat in self.seats])
        self.note("began", None)

    def _try_again(self, line: log.TriedAgain) -> None:
        self.tried, self.status, players = line.of, "playing", len(self.seats)
        self.bank_ms = [self.options.bank * 1000] * players
        self.match = match = Match.of_one_deal(
            self.rules,
            players,
            [seat.name for seat in self.seats],
            dealer=line.dealer,
            totals=line.totals,
            number=line.of.deal,
        )
        match.apply(PackOrder((*line.deck[-1:], *line.deck[:-1])))
        dealt, deck = match.apply(CutAt(1)), tuple(line.deck)
        self.deals = [
            DealHistory(match.number, players, line.dealer, tuple(line.totals), match.seating, deck, None)
        ]
        self._tell(dealt)
        for at, code in enumerate(line.plays):
            self._do(code, line.stocks.get(at))
        match.forget()
        self._asked_to_play(new_turn=True)

    def note(self, kind: str, seat: int | None, **fields: Any) -> None:
        """Add an event that is no play."""
        self.events.append(table_event(kind, self.number, seat, **fields))

    def _ask(self) -> None:
        """Ask for a new decision."""
        self.asked = self.number
        self.asked_at = self.changed_at
        self.votes.pop("replace", None)
        self.hinted = {}

    # --- shuffle, draw, cut -------------------------------------------------------------------------

    def _playing(self) -> Match:
        if self.match is None:
            raise log.LogError(f"entry {self.number}: the match has not begun")
        return self.match

    def _committed(self, line: log.Committed) -> None:
        self.shuffles = line.shuffle
        self.shuffle = fair.FairShuffle.begin(self.table, line.shuffle, bytes.fromhex(line.seed))
        self.seeds, self.cuts, self.ordered = {}, {}, False
        self.between_deals = False
        self.sheet = None
        self.ready.clear()
        self._ask()

    def _seeded(self, line: log.Seeded) -> None:
        self.seeds[line.player] = line.value
        if line.cut is not None:
            self.cuts[line.player] = line.cut

    def _shuffled(self, line: log.Shuffled) -> None:
        match = self._playing()
        assert self.shuffle is not None
        self.shuffle = self.shuffle.given(line.seeds)
        self.ordered = True
        asked = match.decision
        if isinstance(asked, ShuffleNeeded) and asked.purpose == "draw":
            self.spread = SpreadPack(self.shuffle)
            self.spreads.append(self.spread)
        self._tell(match.apply(PackOrder(tuple(line.cards))))
        self._ask()

    def _drew(self, line: log.Drew) -> None:
        match = self._playing()
        events = match.apply(DrawAt(line.position))
        if self.spread is not None:
            self.spread.drawn.append((line.position, events[0].public["card"]))
        self._tell(events, by_bot=line.bot)
        self._ask()

    def _cut(self, line: log.CutMade) -> None:
        match = self._playing()
        assert self.shuffle is not None
        self._drop_old_events()
        match.forget()
        self.shuffle = self.shuffle.with_cut(line.position, line.by)
        totals, dealer = match.totals, match.dealer or 0
        events = match.apply(CutAt(line.position))
        kept = self.deals if self.keep_deals else []
        deal = DealHistory(
            match.number, match.players, dealer, totals, match.seating, match.deck, self.shuffle
        )
        self.deals = [*kept, deal]
        self.spread = None
        self.doubled = {}
        self._tell(events)
        self._asked_to_play(new_turn=True)

    def _drop_old_events(self) -> None:
        """Keep no events of deals before the last one."""
        self.deal_starts.append(self.number)
        self.kept_from = self.deal_starts[0]
        self.events = [told for told in self.events if told.number >= self.kept_from]

    # --- play ---------------------------------------------------------------------------------------

    def _play(self, line: log.Played) -> None:
        match = self._playing()
        before = match.decision
        self._spend(line.spent)
        self._do(line.code, line.stock, by_bot=line.bot)
        if match.undoable:
            self._turn_plays.append(self.number)
        else:
            self._turn_plays.clear()
        stays = action_kind(line.code) in (ActionKind.DRAW, ActionKind.TAKE) or lays_cards(line.code)
        after = match.decision
        same = isinstance(before, PlayNeeded) and isinstance(after, PlayNeeded) and before.seat == after.seat
        self._asked_to_play(new_turn=not (stays and same))

    def _do(self, code: int, stock: Sequence[int] | None = None, *, by_bot: bool = False) -> None:
        match, deal = self._playing(), self.deals[-1]
        assert match.state is not None
        player = match.seating[match.state.actor]
        if stock is not None:
            deal.stocks[len(deal.plays)] = tuple(stock)
            events = match.apply(Restock(tuple(stock)))
        else:
            events = match.apply(code)
        if by_bot and self.seats[player].kind != "bot":
            deal.stand_ins.add(len(deal.plays))
        deal.plays.append(code)
        for event in events:
            if event.kind == "meld" and event.public["doubled"]:
                self.doubled[event.public["meld"]] = frozenset(laid.place for laid in event.public["cards"])
        self._tell(events, by_bot=by_bot)
        if events[-1].kind in ("settle", "match_over"):
            deal.over = True
            self.between_deals = not match.is_over
            self.sheet = score_sheet(match)

    def _called(self, line: log.Called) -> None:
        claim = self.claimant(line.player)
        assert claim is not None
        for _ in range(claim.after):
            self._do_let_go()
        self._do(line.code, by_bot=line.bot)
        self._asked_to_play(new_turn=True)

    def _let_go(self, line: log.LetGone) -> None:
        self.let_go.update(line.players)
        self.let_go_by_bot.update(line.players if line.bot else ())
        if all(self._playing().seating[claim.seat] in self.let_go for claim in self.claims):
            for _ in self.claims:
                self._do_let_go()
            self._asked_to_play(new_turn=True)

    def _do_let_go(self) -> None:
        match = self._playing()
        assert match.state is not None
        self._do(LET_GO, by_bot=match.seating[match.state.actor] in self.let_go_by_bot)

    def _undone(self, line: log.Undone) -> None:
        match, deal = self._playing(), self.deals[-1]
        self._spend(line.spent)
        match.undo()
        deal.plays.pop()
        deal.stand_ins.discard(len(deal.plays))
        self._drop_event_of(self._turn_plays.pop())
        assert match.state is not None
        melds = len(match.state.melds)
        self.doubled = {number: places for number, places in self.doubled.items() if number < melds}
        self.note("undone", match.state.actor)
        self._asked_to_play(new_turn=False)

    def _drop_event_of(self, play: int) -> None:
        """Remove the events of a play that was taken back; they may show a card to viewers who come later."""
        at = len(self.events)
        while at and self.events[at - 1].number >= play:
            at -= 1
        self.events[at:] = [told for told in self.events[at:] if told.number != play]

    def _asked_to_play(self, *, new_turn: bool) -> None:
        """Ask for the next decision after a play, with the claims that are open now."""
        self._ask()
        self.let_go, self.let_go_by_bot = set(), set()
        self.claims = ()
        asked = self._playing().decision
        if isinstance(asked, PlayNeeded) and asked.state.phase is Phase.CLAIM:
            self.claims = claimants(asked.state)
        if new_turn:
            self.turn_ms = (self.options.turn_s or 0) * 1000
            self.timed_out = None
        if isinstance(asked, MatchOver):
            self._over()

    def _tell(self, events: Sequence[Any], *, by_bot: bool = False) -> None:
        if self.rules.blind_claims:  # after every turn everybody lets it go, which is not worth telling
            events = [event for event in events if event.kind != "let_go"]
        self.events += event_messages(self._playing(), events, self.number, by_bot)

    # --- time ---------------------------------------------------------------------------------------

    def _spend(self, spent: int) -> None:
        """Subtract this time from the turn's, and what exceeds it from the bank of the player to move."""
        player = self.acting_player
        if player is None or not spent:
            return
        self.turn_ms -= spent
        if self.turn_ms < 0:
            self.bank_ms[player] = max(0, self.bank_ms[player] + self.turn_ms)
            self.turn_ms = 0

    def _stopped(self, line: log.Stopped) -> None:
        self._spend(line.spent)

    def _timed_out(self, line: log.TimedOut) -> None:
        self.turn_ms = self.bank_ms[line.player] = 0
        self.timed_out = line.player

    def _paused(self, line: log.Paused) -> None:
        self._spend(line.spent)
        self.status = "paused"
        self.pausers = self.votes.get("pause", set())
        self.votes = {}
        self.note("paused", None)

    def _resumed(self, line: log.MatchResumed) -> None:
        self.status = "playing"
        self.asked_at = self.changed_at
        if self.options.daily:  # a pause of days ends without notice
            self.turn_ms = (self.options.turn_s or 0) * 1000
        self.votes = {}
        self.note("resumed", None)

    # --- the end ------------------------------------------------------------------------------------

    def _over(self) -> None:
        self.status = "over"
        self.votes = {}
        self.claims = ()

    def _resigned(self, line: log.Resigned) -> None:
        match = self._playing()
        seat = self.seat_of(line.player)
        assert seat is not None
        self._open_shuffles()
        if self.deals and not self.deals[-1].over and match.state is not None:
            self.deals.pop()
        self.between_deals = False
        self.sheet = None
        self.shuffle = None
        self.spread = None
        self._tell(match.apply(Resign(seat)))
        self.votes = {on: who - {line.player} for on, who in self.votes.items()}
        self.pausers = self.pausers - {line.player}
        self._turn_plays.clear()
        self._asked_to_play(new_turn=True)

    def _open_shuffles(self) -> None:
        """Publish the seeds of the shuffles that no finished deal will publish."""
        over = [deal for deal in self.deals if deal.over]
        found = [] if over else [spread.shuffle for spread in self.spreads]
        if self.shuffle is not None and not (over and over[-1].shuffle == self.shuffle):
            found.append(self.shuffle)
        known = {one.shuffle for one in self.opened}
        self.opened += tuple(
            messages.OpenedShuffle(
                one.number, one.context, one.commitment, one.seed, one.seats, one.cut, one.cut_by
            )
            for one in {one.number: one for one in found}.values()
            if one.number not in known
        )

    def _abandoned(self, line: log.Abandoned) -> None:
        self._open_shuffles()
        self.status = "abandoned"
        self.votes = {}
        self.claims = ()
        self._ask()
        self.note("abandoned", None)

    def _rematched(self, line: log.Rematched) -> None:
        self.rematch = line.table
        self.votes = {}
        self.note("rematch", None)

    _APPLY: ClassVar[dict[type[log.LogEntry], Callable[[TableState, Any], None]]] = {
        **PEOPLE_ENTRIES,
        log.Began: _began,
        log.Committed: _committed,
        log.Seeded: _seeded,
        log.Shuffled: _shuffled,
        log.Drew: _drew,
        log.CutMade: _cut,
        log.Played: _play,
        log.Called: _called,
        log.LetGone: _let_go,
        log.Undone: _undone,
        log.Paused: _paused,
        log.MatchResumed: _resumed,
        log.Stopped: _stopped,
        log.TimedOut: _timed_out,
        log.Resigned: _resigned,
        log.Abandoned: _abandoned,
        log.Rematched: _rematched,
        log.TriedAgain: _try_again,
    }
