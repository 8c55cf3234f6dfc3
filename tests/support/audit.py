"""Search every message of deals between bots for cards that its viewer may not know.

What a viewer may know is computed here from the `State` alone, card by card, without the code that makes the
messages: own hand, pile, melds, cards taken from the pile and still held, the cards of a new stock (H5), and
every hand once the deal is over.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from rum500 import bots
from rum500.cards import JOKER, SUIT_SYMBOLS, card_from_text, card_text, pack
from rum500.match import CutNeeded, DrawNeeded, MatchOver, PlayNeeded, ShuffleNeeded
from rum500.record import digest
from rum500.rng import Rng
from rum500.rules.action_codes import decode, laid_cards
from rum500.rules.actions import Call, Discard, LayOff, LetGo, Meld
from rum500.rules.engine.core import CALL, DISCARD, DRAW, MELD_RUN
from rum500.rules.notation import NotationError
from rum500.server import messages
from rum500.server.live.broadcast.broadcaster import Broadcaster, encoded
from rum500.server.live.finished.match_results import results_of
from rum500.server.live.log import entries as log
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_options import Guest, rules_for
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.turn.advice import advise
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.nudges import Nudges
from rum500.server.live.turn.requests import check_legal, typed
from rum500.server.live.turn.seat_requests import SeatRequests
from rum500.server.live.turn.substitutes import Substitutes
from rum500.server.live.turn.turn_timer import TurnTimer
from rum500.server.live.turn.undo_limit import UndoLimit
from rum500.server.live.turn.vacancies import Vacancies
from rum500.server.messages.options import TableOptions
from rum500.server.messages.render import refused
from rum500.server.thinking.advice_work import _work
from rum500.state import IllegalPlay
from tests.support.indistinguishable_deals import permuted
from tests.support.live import ManualClock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rum500 import State

QUOTED = re.compile(rb'"((?:10|[1-9AJQK])[SHDC]|JK|[0-9]{2,20}(?!":))"')
"""A card as a complete JSON string, or the code of a play; not a field whose name is a number."""
_SYMBOLS = b"|".join(symbol.encode() for symbol in SUIT_SYMBOLS)
SPOKEN = re.compile(rb"(?:10|[2-9AJQK])(?:%s)|\xe2\x98\x85" % _SYMBOLS)
"""A card with its suit's symbol within a sentence."""
GREEDY = bots.get("greedy")


class Leak(AssertionError):
    """A message with a card that its viewer may not know."""


def cards_in(message: bytes) -> set[int]:
    """Return every card in a message, as text or within the code of a play."""
    found: set[int] = set()
    for written in QUOTED.findall(message):
        found |= _cards_of(written)
    if b"\xe2" in message:
        for written in SPOKEN.findall(message):
            found |= _cards_of(written)
    return found


@lru_cache(maxsize=1 << 16)
def _cards_of(written: bytes) -> frozenset[int]:
    """Return the card that a text names (a place names its card), or the cards in a play's code."""
    if written.isdigit():
        return frozenset(_cards_of_play(int(written)))
    text = written.decode()
    return frozenset([card_from_text("A" + text[1] if text[0] == "1" and len(text) == 2 else text)])


def _cards_of_play(code: int) -> Iterable[int]:
    try:
        action = decode(code)
    except (ValueError, IndexError):
        return ()
    if isinstance(action, Meld | LayOff):
        return [laid.card for laid in action.cards]
    return [action.card] if isinstance(action, Discard) else []


def public(state: State) -> set[int]:
    """Return the cards that everybody may know."""
    core = state.core
    known = set(core.pile_cards())
    if core.r1 or core.rj:
        known.update(core.restocked_cards())
    for meld, owner in core.melds():
        known |= _cards_of_meld(meld, owner)
    for seat in range(core.n):
        if core.k1[seat] or core.kj[seat]:
            known.update(core.known_cards(seat))
    if state.is_over:
        for hand in state.hands:
            known.update(hand)
    return known


@lru_cache(maxsize=1 << 16)
def _cards_of_meld(meld: int, owner: int) -> frozenset[int]:
    """The cards of a meld, and those that its jokers stand for."""
    laid = laid_cards(meld)
    places = [one.place for one in laid if one.place is not None]
    return frozenset([*(one.card for one in laid), *(p - 13 if p % 16 == 13 else p for p in places)])


def of_this_deal(message: bytes, began: int) -> bytes:
    """Return a sync without the events of packs that are no longer in play: earlier deals, and the draw."""
    sync = json.loads(message)
    sync["missed"] = [
        event for event in sync["missed"] if event["number"] >= began and event["kind"] != "draw_for_deal"
    ]
    del sync["shared"]["drawn"]
    return json.dumps(sync, ensure_ascii=False, separators=(",", ":")).encode()


def _refusal(words: str, deal: State) -> bytes:
    """Return the reason why a typed play is refused; empty if it is legal. The play is not made."""
    try:
        check_legal(typed(words, deal), deal)
    except (IllegalPlay, NotationError) as error:
        return encoded(refused("r", error))
    return b""


class Looker:
    """A viewer who keeps the messages since they were last searched."""

    def __init__(self, player: int | None) -> None:
        self.player = player
        self.got: list[bytes] = []
        self.remembers: set[int] = set()

    def send(self, message: bytes) -> None:
        self.got.append(message)

    def close(self, reason: str) -> None:
        raise AssertionError(reason)


class Audit:
    """Plays a match between bots at a table, and searches all that the seats and a spectator receive."""

    asks = 250
    """Questions are asked at one of this many searches."""

    def __init__(self, options: TableOptions, seed: int, *, greedy: bool = False, keep: bool = False) -> None:
        self.keep = keep
        self.wild = seed % 8 == 7
        self.stocks = self.calls = 0
        self.secret = b""
        self.rng, self.chance = Rng(seed), random.Random(seed)
        self.greedy = greedy
        time = TableTime(ManualClock())
        self.state = state = TableState("audit")
        self.log = TableLog(state, None, time, results_of)  # type: ignore[arg-type]  # nothing is stored
        self.log.append(log.Created(options, "g0", "00", digest(rules_for(options)[0]), "test"))
        for player in range(len(state.seats)):
            self.log.append(log.Sat(player, f"g{player}", f"Guest {player}"))
        self.log.append(log.Began(list(range(len(state.seats)))))
        attendance = Attendance(state, time)
        substitutes = Substitutes(self.log, attendance, time)
        timer = TurnTimer(self.log, attendance, time, substitutes)
        undo = UndoLimit(self.log)
        vacancies = Vacancies(self.log, attendance, time)
        asks = SeatRequests(self.log, attendance, time, bytes)
        nudges = Nudges(self.log, attendance, time)
        self.broadcaster = Broadcaster(
            self.log, attendance, time, substitutes, nudges, timer, undo, vacancies, asks, 0.0
        )
        self.lookers = [Looker(None), *(Looker(player) for player in range(len(state.seats)))]
        self.viewers = [attendance.admit(Guest(f"g{one.player}", "G"), one) for one in self.lookers]
        assert all(attendance.join(viewer) for viewer in self.viewers)
        self.broadcaster.joining += [(viewer, messages.Join(id="join", last=0)) for viewer in self.viewers]
        assert [viewer.player for viewer in self.viewers] == [one.player for one in self.lookers]
        self.messages = self.answers = 0
        self.deals = 0

    # --- playing ------------------------------------------------------------------------------------

    def play(self, deals: int) -> int:
        """Play until this many deals, or the match, are over; return the number of deals played."""
        match = self.state.match
        assert match is not None
        while self.deals < deals and not match.is_over:
            before = len(match.sheet)
            self.play_on()
            self.deals += len(match.sheet) - before
        return self.deals

    def play_on(self) -> None:
        """Make the next entry, and search everything that is sent about it."""
        self.log.append(self._line())
        if not self.keep:
            self.log.uncommitted.clear()
        self._look()

    def _line(self) -> log.LogEntry:
        """Return the next entry of this table's log."""
        match, rng, state = self.state.match, self.rng, self.state
        assert match is not None
        asked = match.decision
        assert not isinstance(asked, MatchOver)
        if isinstance(asked, ShuffleNeeded):
            if state.shuffles.last is None or state.shuffles.ordered:
                seed = rng.next64().to_bytes(8).hex() * 4
                self.secret = seed.encode()
                return log.Committed(state.shuffles.count + 1, seed)
            cards = list(asked.cards)
            rng.shuffle(cards)
            return log.Shuffled([""] * match.players, cards)
        if isinstance(asked, DrawNeeded):
            return log.Drew(asked.positions[rng.below(len(asked.positions))])
        if isinstance(asked, CutNeeded):
            return log.CutMade(1 + rng.below(asked.cards - 1), "stream")
        assert isinstance(asked, PlayNeeded)
        if state.claims:
            return self._claim()
        if match.undoable and not match.undoable[-1] and rng.below(20) == 0:
            return log.Undone()
        return self._played(asked.state)

    def _played(self, deal: State) -> log.LogEntry:
        code = self._choice(deal)
        if code == DRAW and not deal.stock:
            stock = list(deal.pile[:-1])
            self.rng.shuffle(stock)
            self.stocks += 1
            return log.Played(code, stock)
        return log.Played(code)

    def _choice(self, deal: State) -> int:
        """Return the play of `greedy`, or of a quick bot that lays what it can or plays at random."""
        legal = deal.legal_ints()
        if self.greedy:
            return int(GREEDY.choose_int(deal.view(deal.actor), self.rng))
        anything = legal[self.rng.below(len(legal))]
        if self.wild or self.rng.below(8) == 0:
            return anything
        laid = [code for code in legal if code & 15 >= MELD_RUN]
        if laid:
            return laid[self.rng.below(len(laid))]
        discards = [code for code in legal if code & 15 == DISCARD]
        return self._loosest(deal, discards) if discards else anything

    def _loosest(self, deal: State, discards: list[int]) -> int:
        """Return the discard of the card that has least in common with the others in the hand."""
        hand = deal.core.hand_cards(deal.actor)
        ranks = Counter(card & 15 for card in hand)
        held = set(hand)

        def ties(code: int) -> int:
            card = code >> 4
            near = sum(card + step in held for step in (-2, -1, 1, 2)) if card != JOKER else 9
            return 2 * ranks[card & 15] + near

        return min(discards, key=ties)

    def _claim(self) -> log.LogEntry:
        claims = self.state.claims.open
        claim = claims[self.rng.below(len(claims))]
        calls = [code for code in claim.state.legal_ints() if code & 15 == CALL]
        if calls and self.rng.below(2):
            self.calls += 1
            return log.Called(self.state.seating[claim.seat], calls[self.rng.below(len(calls))])
        return log.LetGone([self.state.seating[one.seat] for one in claims])

    # --- looking ------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Send everybody the changes, sometimes the complete table too, and search it."""
        for looker in self.lookers:
            looker.got.clear()
        self.broadcaster.announce({})
        if self.rng.below(200) == 0:
            for viewer in self.viewers:
                viewer.send(self.broadcaster.sync(viewer, "r", self.rng.below(self.state.number)))
        self._search()
        if self.rng.below(self.asks) == 0:
            self._ask()

    def _ask(self) -> None:
        """Let every seat ask for advice and type plays of any cards: no answer may depend on hidden cards."""
        state = self.state
        if state.waiting_for not in ("play", "claim"):
            return
        words = " ".join(card_text(card) for card in pack(1) if self.rng.below(12) == 0)
        for looker in self.lookers[1:]:
            assert looker.player is not None
            deal = self._deal_of(looker.player)
            seat = state.seating.index(looker.player)
            twin = permuted(deal, seat, [], self.chance)
            some = [card_text(card) for card in deal.core.hand_cards(seat) if self.rng.below(2)]
            turn = messages.Ask(id="r", about="turn")
            decides = advise(state, looker.player, turn).work.keywords["decides"]
            for ask in (
                turn,
                messages.Ask(id="r", about="cards", cards=some),
                messages.Ask(id="r", about="take", count=1 + self.rng.below(8)),
            ):
                works = [_work(ask, one, seat, decides=decides) for one in (deal, twin)]
                self._compare([encoded(work()) for work in works], looker)
            if not decides:
                continue  # the server asks for no play of this player
            verb = ("meld", "lay", "discard")[self.rng.below(3)]
            self._compare([_refusal(f"{verb} {words}", one) for one in (deal, twin)], looker)

    def _deal_of(self, player: int) -> State:
        claim = self.state.claimant(player)
        match = self.state.match
        assert match is not None
        assert match.state is not None
        return claim.state if claim else match.state

    def _compare(self, answers: list[bytes], looker: Looker) -> None:
        self.answers += 1
        if answers[0] != answers[1]:
            raise Leak(f"to player {looker.player}: with other hidden cards {answers[0]!r} is {answers[1]!r}")

    def _search(self) -> None:
        deal = self.state.match.state if self.state.match else None
        if self.state.number == self.state.events.deal_starts[-1]:
            for looker in self.lookers:
                looker.remembers = set()
        known = public(deal) if deal is not None else set()
        for player, looker in enumerate(self.lookers, -1):
            may = known
            for message in looker.got:
                self.messages += 1
                if player >= 0 and message is self._plain:
                    continue
                if deal is not None and player >= 0 and may is known:
                    may = known | set(deal.core.hand_cards(self.state.seating.index(player)))
                self._check(message, may, looker)
            looker.remembers |= may
            if player < 0:
                self._plain = looker.got[0] if len(looker.got) == 1 else None

    _plain: bytes | None = None
    """What the spectator was sent. It has been searched, and is not searched again for the others."""

    def _check(self, message: bytes, may: set[int], looker: Looker) -> None:
        if self.secret in message and not (self.state.deal_shown and self.state.deals[-1].over):
            raise Leak(f"to player {looker.player}: the seed of the deal in {message!r}")
        if message.startswith(b'{"type":"sync"'):
            message = of_this_deal(message, self.state.events.deal_starts[-1])
            may = may | looker.remembers
        elif self.state.waiting_for == "draw" or b'"draw_for_deal"' in message:
            return
        found = cards_in(message)
        if not found <= may:
            raise Leak(f"to player {looker.player}: {sorted(found - may)} in {message!r}")


__all__ = ["Audit", "Call", "Guest", "Leak", "LetGo", "Looker", "cards_in", "of_this_deal", "public"]
