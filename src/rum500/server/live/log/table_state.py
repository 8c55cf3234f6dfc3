"""The state of a table: `TableState` folds the entries of its log, without clock, chance or I/O."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

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
    kind_of,
)
from rum500.record import digest
from rum500.rules.action_codes import action_kind, lays_cards
from rum500.rules.actions import ActionKind
from rum500.rules.engine.core import LET_GO
from rum500.rules.ruleset import Ruleset
from rum500.server import messages
from rum500.server.live.log import entries as log
from rum500.server.live.log.absences import Absences
from rum500.server.live.log.claims import Claims
from rum500.server.live.log.deals import DealHistory, tried_match
from rum500.server.live.log.event_messages import RecentEvents, ScopedEvent, event_messages, table_event
from rum500.server.live.log.score_sheets import score_sheet
from rum500.server.live.log.seats import SeatRequest, Seats, TableSeat
from rum500.server.live.log.shuffles import Shuffles
from rum500.server.live.log.table_options import rules_for
from rum500.server.live.log.turn_clock import TurnClock
from rum500.server.live.log.votes import Votes
from rum500.server.messages.field_types import HintDepth, Speed, Status, WaitingFor
from rum500.server.messages.options import TableOptions
from rum500.server.messages.render import MeldPlateCache
from rum500.store import StoredEntry, checksum
from rum500.view import Phase

_IN_DEAL = (log.Played, log.Undone)
_SEEN = (log.Played, log.Called, log.LetGone, log.Readied, log.WaitAsked)
"""Entries of a player after which the turns that bots played for the player are no longer shown."""
CHAT_LINES = 50


@dataclass(eq=False, repr=False)
class TableState:
    """Everything about a table that follows from its log. Only `TableLog` changes it.

    Players are numbered by their seats at the start of the match, seats by the present order.
    """

    table: str
    """The id of the table."""
    options: TableOptions = field(init=False)
    rules: Ruleset = field(init=False)
    host: str | None = field(init=False)
    """The guest who may start the match; None if nobody may."""
    clock: TurnClock = field(init=False)
    secret: int = field(init=False)
    """The seed of the bots' random numbers."""
    _: KW_ONLY
    keep_deals: bool = False
    """Whether all deals are stored, for replays, and not only the last one."""
    number: int = 0
    """The number of the last entry."""
    checksum: int | None = None
    """The checksum of the log; None if an older version wrote the last entry."""
    changed_at: int = 0
    """When the last entry was written, in ms since 1970."""
    revision: int = 0
    """Increases with every change except those that a play in the middle of a deal makes."""
    handled_messages: set[tuple[str, str]] = field(default_factory=set)
    """(guest, message id) of every message that led to an entry."""

    # The decision.
    status: Status = "open"
    waiting_for: WaitingFor = "seats"
    """The kind of decision that the table waits for, in the protocol's words."""
    asked: int = 0
    """The number of the present decision: the number of the entry after which it began."""
    asked_at: int = 0
    """When the present decision began, or the match resumed, in ms since 1970."""
    actor: int | None = None
    """The seat that has to decide; None if no seat has to, or if players may call "Rummy!"."""
    acting_player: int | None = None
    """The player at that seat; None if there is none."""
    turn_began: int = 0
    """The number of the entry after which the present turn began."""
    claims: Claims = field(default_factory=Claims)
    """The players who may call "Rummy!" now."""

    # People.
    seats: Seats = field(default_factory=Seats)
    ready: set[int] = field(default_factory=set)
    """The players who are ready for the next deal."""
    votes: Votes = field(default_factory=Votes)
    acted: dict[int, int] = field(default_factory=dict)
    """When each player last sent a message that led to an entry, in ms since 1970."""
    began_at: int = 0
    """When the match began, in ms since 1970."""
    absences: Absences = field(default_factory=Absences)
    speed: Speed | None = None
    """The chosen speed of the bots; None at tables from before there was a choice."""
    chat: deque[messages.ChatLine] = field(default_factory=lambda: deque(maxlen=CHAT_LINES))
    hints: Counter[int] = field(default_factory=Counter)
    """By player, the number of the match's decisions for which the player got a hint."""
    hinted: dict[int, HintDepth] = field(default_factory=dict)
    """The players who got a hint about the present decision, with its depth."""
    rematch: str | None = None
    """The id of the table where the same people play again; None if there is none."""
    tried: messages.TriedFrom | None = None
    """The decision of a finished deal from which this table plays on, without results; else None."""

    # Deals.
    match: Match | None = None
    between_deals: bool = False
    """Whether the last deal is over and its cards are still on the table."""
    sheet: messages.ScoreSheet | None = None
    """The score sheet of the last deal, until the next one begins; else None."""
    deals: list[DealHistory] = field(default_factory=list)
    doubled: dict[int, frozenset[int | None]] = field(default_factory=dict)
    """The places of cards that count double, by number of the meld."""
    meld_plates: MeldPlateCache = field(default_factory=MeldPlateCache)
    _turn_plays: list[int] = field(init=False, default_factory=list)
    events: RecentEvents = field(default_factory=RecentEvents)

    def __post_init__(self) -> None:
        self.shuffles = Shuffles(self.table)

    @classmethod
    def fold(cls, table: str, entries: Iterable[StoredEntry], *, keep_deals: bool = False) -> TableState:
        """Return the state that a log's entries give. Raises `LogError` for an impossible entry."""
        state = cls(table, keep_deals=keep_deals)
        for entry in entries:
            state.read(entry)
        return state

    def read(self, entry: StoredEntry) -> log.LogEntry:
        """Apply the log's next stored entry; return its content. Raises `LogError` if it is impossible."""
        if entry.number != self.number + 1:
            raise log.LogError(f"entry {self.number + 1} is missing")
        log.check_sum(entry, checksum(self.checksum, self.table, entry))
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
        """Apply an entry, whose content is `line`. The entry must be possible in this state."""
        self.number, self.checksum = entry.number, entry.checksum
        self.changed_at = entry.at
        if entry.author is not None and entry.message is not None:
            self.handled_messages.add((entry.author, entry.message))
            if (player := self.player_of(entry.author)) is not None:
                self.acted[player] = entry.at
                if isinstance(line, _SEEN):
                    self.absences.bot_turns.pop(player, None)
        _HANDLERS[type(line)](self, line)
        self._update_actor()
        if not isinstance(line, _IN_DEAL) or self.deals[-1].over:
            self.revision += 1

    # --- queries ------------------------------------------------------------------------------------

    def _update_actor(self) -> None:
        """Set `waiting_for`, `actor` and `acting_player` from the match."""
        self.actor = self.acting_player = None
        match = self.match
        if match is None:
            return
        asked = match.decision
        self.waiting_for = kind_of(asked)
        if isinstance(asked, ShuffleNeeded) and self.between_deals:
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

    def rename(self, player: int, name: str) -> None:
        """Show a person under this name; the log keeps the name with which the person sat down."""
        self.revision += self.seats.rename(player, name)

    def player_of(self, guest: str) -> int | None:
        """Return a guest's number as a player; None if the guest does not sit at the table."""
        for player, seat in enumerate(self.seats):
            if seat.guest == guest and (self.match is None or player in self.match.seating):
                return player
        return None

    def seat_of(self, player: int | None) -> int | None:
        """Return a player's present seat; None for a spectator (None) or a player who has resigned."""
        if player is None or self.match is None:
            return player
        seating = self.match.seating
        return seating.index(player) if player in seating else None

    @property
    def seating(self) -> tuple[int, ...]:
        """The players by seat."""
        return self.match.seating if self.match else tuple(range(len(self.seats)))

    @property
    def only_person(self) -> int | None:
        """The only person among built-in bots; None if several people play, or any external bot does."""
        people = self.people()
        return people[0] if len(people) == 1 and not self.seats[people[0]].external else None

    def people(self) -> list[int]:
        """Return the players who are people or external bots, without those who have resigned."""
        return [player for player in self.seating if self.seats[player].kind == "person"]

    @property
    def external_bots(self) -> frozenset[int]:
        """The players that are external bots."""
        return frozenset(player for player, seat in enumerate(self.seats) if seat.external)

    @property
    def deal(self) -> DealHistory | None:
        """The deal in progress, or else the last deal; None before the first deal."""
        return self.deals[-1] if self.deals else None

    def hints_in_deal(self, player: int) -> int:
        """Return the number of decisions of this deal for which the player got hints."""
        return self.deal.hints[player] if self.deal else 0

    @property
    def deal_shown(self) -> bool:
        """Whether cards are on the table: a deal is in progress, or over but not yet cleared away."""
        match = self.match
        if match is None or match.state is None:
            return False
        return self.between_deals or self.waiting_for in ("play", "claim", "over")

    def claimant(self, player: int) -> Claimant | None:
        """Return this player's claim; None if the player may not call "Rummy!"."""
        return self.claims.of(self.seat_of(player), player)

    # --- people -------------------------------------------------------------------------------------

    def _on_created(self, line: log.Created) -> None:
        self.options, self.speed = line.options, line.options.speed
        self.clock = TurnClock(line.options)
        self.rules, players = rules_for(line.options)
        if line.rules != digest(self.rules):
            raise log.LogError(
                f"the table was made under other rules of {self.rules.name} (digest {line.rules}) than this "
                f"version's ({digest(self.rules)}): rum500 {line.version} made it and can play it on"
            )
        self.host = line.host
        self.secret = int(line.secret, 16)
        self.seats = Seats(TableSeat() for _ in range(players))

    def _on_sat(self, line: log.Sat) -> None:
        self.seats.sit(line.player, line.guest, line.name)
        self._seated("sat", line.player)

    def _on_stood(self, line: log.Stood) -> None:
        self._add_event("stood", line.player, name=self.seats[line.player].name)
        self.seats.put(line.player, TableSeat())
        self._seated(None, line.player)

    def _on_lent(self, line: log.SeatLent) -> None:
        self.seats.lend(line.player, line.key, line.name, line.by)
        self._seated("sat", line.player)

    def _on_recalled(self, line: log.SeatTokenRevoked) -> None:
        former = self.seats[line.player].name
        kind = self.seats.take_back(line.player, self.options.level)
        if kind == "empty":
            self._add_event("stood", line.player, name=former)
        self._seated({"person": "sat", "bot": "bot"}.get(kind), line.player)

    def _on_handed_over(self, line: log.SeatHandedOver) -> None:
        self.seats.hand_over(line.player, line.guest, line.name, for_good=line.for_good)
        self.acted[line.player] = self.changed_at
        self.absences.returned(line.player)
        self._seated("sat", line.player)

    def _on_seat_requested(self, line: log.SeatRequested) -> None:
        self.seats.request = SeatRequest(self.number, self.changed_at, line)

    def _on_seat_request_ended(self, line: log.SeatRequestEnded) -> None:
        self.seats.end_request(line.outcome)

    def _on_merged(self, line: log.GuestMerged) -> None:
        self.seats.merge(line.former, line.guest)

    def _on_bot(self, line: log.BotSat) -> None:
        self.seats.seat_bot(line.player, line.level, line.name)
        self._seated("bot", line.player)

    def _seated(self, event: str | None, player: int) -> None:
        """Drop the votes of a seat whose player has changed; add an event of kind `event`, if not None."""
        self.votes.drop_player(player)
        if event is not None:
            self._add_event(event, self.seat_of(player), name=self.seats[player].name)

    def _on_hosted(self, line: log.Hosted) -> None:
        self.host = line.guest

    def _on_replaced(self, line: log.Replaced) -> None:
        self.absences.replaced.add(line.player)
        self.votes.drop_for_bots()
        self._add_event("replaced", self.seat_of(line.player))

    def _on_stood_in(self, line: log.StoodIn) -> None:
        self.absences.stand_in_for = line.player
        self.votes.drop_for_bots()
        self._add_event("stand_in", self.seat_of(line.player))

    def _on_returned(self, line: log.Returned) -> None:
        self.absences.returned(line.player)

    def _on_wait_asked(self, line: log.WaitAsked) -> None:
        self.absences.note_wish(line.player, wait=line.yes)

    def _on_nudged(self, line: log.Nudged) -> None:
        self.absences.nudged[line.player] = self.changed_at
        self._add_event("nudged", self.seat_of(line.player), name=self.seats[line.by].name)

    def _on_speed(self, line: log.SpeedSet) -> None:
        self.speed = line.speed

    def _on_next(self, line: log.Readied) -> None:
        self.ready.add(line.player)

    def _on_voted(self, line: log.Voted) -> None:
        self.votes.note(line.on, line.player, yes=line.yes)

    def _on_hinted(self, line: log.Hinted) -> None:
        if line.player not in self.hinted:
            self.hints[line.player] += 1
            self.deals[-1].hints[line.player] += 1
        self.hinted[line.player] = line.depth
        self._add_event("hinted", self.seat_of(line.player), depth=line.depth)

    def _on_chat(self, line: log.ChatEntry) -> None:
        self.chat.append(
            messages.ChatLine(
                number=self.number, seat=self.seat_of(line.player), name=line.name, text=line.text
            )
        )

    # --- the beginning ------------------------------------------------------------------------------

    def _on_began(self, line: log.Began) -> None:
        self.seats = Seats(self.seats[former] for former in line.order)
        self.seats.begun = True
        self.status = "playing"
        self.began_at, self.acted = self.changed_at, {}
        self.votes.clear()
        self._ask()
        players = len(self.seats)
        self.clock.begin(players)
        self.match = Match(self.rules, players, None, [seat.name for seat in self.seats])
        self._add_event("began", None)

    def _on_tried(self, line: log.TriedAgain) -> None:
        self.tried, self.status = line.of, "playing"
        self.seats.begun = True
        self.clock.begin(len(self.seats))
        match, dealt, deal = tried_match(self.rules, [seat.name for seat in self.seats], line)
        self.match, self.deals = match, [deal]
        self._add_events(dealt)
        for at, code in enumerate(line.plays):
            self._apply_play(code, line.stocks.get(at))
        match.forget()
        self._ask_for_play(new_turn=True)

    def _add_event(self, kind: str, seat: int | None, **fields: Any) -> None:
        """Add an event that is not a play."""
        self.events.append(table_event(kind, self.number, seat, **fields))

    def _ask(self) -> None:
        """Begin a new decision: drop the votes for a bot, and forget the hints about the last decision."""
        self.asked, self.asked_at = self.number, self.changed_at
        self.votes.drop_for_bots()
        self.hinted = {}

    # --- shuffle, draw, cut -------------------------------------------------------------------------

    def _playing(self) -> Match:
        if self.match is None:
            raise log.LogError(f"entry {self.number}: the match has not begun")
        return self.match

    def _on_committed(self, line: log.Committed) -> None:
        self.shuffles.begin(line.shuffle, bytes.fromhex(line.seed))
        self.between_deals, self.sheet = False, None
        self.ready.clear()
        self._ask()

    def _on_seeded(self, line: log.Seeded) -> None:
        self.shuffles.seeds[line.player] = line.value
        if line.cut is not None:
            self.shuffles.cuts[line.player] = line.cut

    def _on_shuffled(self, line: log.Shuffled) -> None:
        asked = (match := self._playing()).decision
        for_draw = isinstance(asked, ShuffleNeeded) and asked.purpose == "draw"
        self.shuffles.settle(line.seeds, for_draw=for_draw)
        self._add_events(match.apply(PackOrder(tuple(line.cards))))
        self._ask()

    def _on_drew(self, line: log.Drew) -> None:
        match = self._playing()
        events = match.apply(DrawAt(line.position))
        if self.shuffles.spread is not None:
            self.shuffles.spread.drawn.append((line.position, events[0].public["card"]))
        self._add_events(events, by_bot=line.bot)
        self._ask()

    def _on_cut(self, line: log.CutMade) -> None:
        match = self._playing()
        self.events.begin_deal(self.number)
        match.forget()
        shuffle = self.shuffles.cut(line.position, line.by)
        self.seats.saw_hand.clear()
        totals, dealer = match.totals, match.dealer or 0
        events = match.apply(CutAt(line.position))
        kept = self.deals if self.keep_deals else []
        deal = DealHistory(match.number, match.players, dealer, totals, match.seating, match.deck, shuffle)
        self.deals = [*kept, deal]
        self.doubled = {}
        self._add_events(events)
        self._ask_for_play(new_turn=True)

    # --- play ---------------------------------------------------------------------------------------

    def _on_play(self, line: log.Played) -> None:
        match = self._playing()
        before = match.decision
        self.clock.spend(self.acting_player, line.spent)
        self._apply_play(line.code, line.stock, by_bot=line.bot)
        if match.undoable:
            self._turn_plays.append(self.number)
        else:
            self._turn_plays.clear()
        stays = action_kind(line.code) in (ActionKind.DRAW, ActionKind.TAKE) or lays_cards(line.code)
        after = match.decision
        same = isinstance(before, PlayNeeded) and isinstance(after, PlayNeeded) and before.seat == after.seat
        self._ask_for_play(new_turn=not (stays and same))

    def _apply_play(self, code: int, stock: Sequence[int] | None = None, *, by_bot: bool = False) -> None:
        match, deal = self._playing(), self.deals[-1]
        assert match.state is not None
        player = match.seating[match.state.actor]
        if stock is not None:
            deal.stocks[len(deal.plays)] = tuple(stock)
            events = match.apply(Restock(tuple(stock)))
        else:
            events = match.apply(code)
        stands_in = by_bot and self.seats[player].kind != "bot"
        if stands_in:
            deal.stand_ins.add(len(deal.plays))
        deal.plays.append(code)
        for event in events:
            if event.kind == "meld" and event.public["doubled"]:
                self.doubled[event.public["meld"]] = frozenset(laid.place for laid in event.public["cards"])
        added = self._add_events(events, by_bot=by_bot, for_person=stands_in)
        if stands_in and code != LET_GO:
            own = [event for event in added if event.shared.seat == self.seat_of(player)]
            self.absences.note_play(player, self.turn_began, match.number, own)
        if events[-1].kind in ("settle", "match_over"):
            deal.over = True
            self.between_deals = not match.is_over
            self.sheet = score_sheet(match)

    def _on_called(self, line: log.Called) -> None:
        claim = self.claimant(line.player)
        assert claim is not None
        for _ in range(claim.after):
            self._do_let_go()
        self.turn_began = self.number
        self._apply_play(line.code, by_bot=line.bot)
        self._ask_for_play(new_turn=True)

    def _on_let_go(self, line: log.LetGone) -> None:
        self.claims.note(line.players, by_bot=line.bot)
        if not self.claims.undecided(self._playing().seating):
            for _ in self.claims:
                self._do_let_go()
            self._ask_for_play(new_turn=True)

    def _do_let_go(self) -> None:
        match = self._playing()
        assert match.state is not None
        self._apply_play(LET_GO, by_bot=match.seating[match.state.actor] in self.claims.let_go_by_bot)

    def _on_undone(self, line: log.Undone) -> None:
        match, deal = self._playing(), self.deals[-1]
        self.clock.spend(self.acting_player, line.spent)
        match.undo()
        deal.plays.pop()
        deal.stand_ins.discard(len(deal.plays))
        taken_back = self._turn_plays.pop()
        self.events.drop(taken_back)
        assert match.state is not None
        melds = len(match.state.melds)
        self.doubled = {number: places for number, places in self.doubled.items() if number < melds}
        self._add_event("undone", match.state.actor, taken_back=taken_back)
        self._ask_for_play(new_turn=False)

    def _ask_for_play(self, *, new_turn: bool) -> None:
        """Begin the next decision after a play, with the claims that are open now."""
        self._ask()
        self.claims = Claims()
        asked = self._playing().decision
        if isinstance(asked, PlayNeeded) and asked.state.phase is Phase.CLAIM:
            self.claims = Claims(claimants(asked.state))
        if new_turn:
            self.clock.new_turn()
            self.turn_began, self.absences.stand_in_for = self.number, None
        if isinstance(asked, MatchOver):
            self._over()

    def _add_events(self, events: Sequence[Any], **by: bool) -> list[ScopedEvent]:
        added = event_messages(self._playing(), events, self.number, **by)
        self.events += added
        return added

    # --- time ---------------------------------------------------------------------------------------

    def _on_stopped(self, line: log.Stopped) -> None:
        self.clock.spend(self.acting_player, line.spent)

    def _on_timed_out(self, line: log.TimedOut) -> None:
        self.clock.use_up(line.player)

    def _on_paused(self, line: log.Paused) -> None:
        self.clock.spend(self.acting_player, line.spent)
        self.status = "paused"
        self.votes.begin_pause()
        self._add_event("paused", None)

    def _on_resumed(self, line: log.MatchResumed) -> None:
        self.status = "playing"
        self.asked_at = self.changed_at
        if self.options.daily:  # the player may learn late that the pause is over
            self.clock.refill()
        self.votes.clear()
        self._add_event("resumed", None)

    # --- the end ------------------------------------------------------------------------------------

    def _over(self) -> None:
        self.status = "over"
        self.votes.clear()
        self.claims = Claims()

    def _on_resigned(self, line: log.Resigned) -> None:
        match = self._playing()
        seat = match.seating.index(line.player)
        self.shuffles.open(self.deals)
        if self.deals and not self.deals[-1].over and match.state is not None:
            self.deals.pop()
        self.between_deals, self.sheet = False, None
        self.shuffles.drop()
        self._add_events(match.apply(Resign(seat)))
        self.votes.drop_player(line.player)
        self._turn_plays.clear()
        self._ask_for_play(new_turn=True)

    def _on_abandoned(self, line: log.Abandoned) -> None:
        self.shuffles.open(self.deals)
        self._over()
        self.status = "abandoned"
        self._ask()
        self._add_event("abandoned", None)

    def _on_rematch(self, line: log.Rematched) -> None:
        self.rematch = line.table
        self.votes.clear()
        self._add_event("rematch", None)


_HANDLERS = {entry: getattr(TableState, f"_on_{entry.kind}") for entry in log.KINDS.values()}
"""For each class of entry, the method that applies it."""
