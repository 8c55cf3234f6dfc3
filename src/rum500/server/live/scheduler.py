"""What happens at a table by itself: shuffles, bots, clocks, claims that run out, leavers, the next deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rum500 import bots
from rum500.match import Claimant
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.server.live import log_entries as log
from rum500.server.live.ballot import Ballot
from rum500.server.live.deal_setup import cut, draw, shuffle
from rum500.server.thinking.executor import PendingChoice

if TYPE_CHECKING:
    from rum500.server.live.table import LiveTable

SHEET_S = 60.0
"""How long the score sheet is shown at least, once somebody is ready while others still read."""
HOST_AWAY_S = 60.0
"""How long people in the waiting room wait for their host; then one of them is the host."""
WATCHED_S = 6.0
"""How long it is shown where bots play alone before spectators."""
LONG_AWAY_S = 3 * 86_400.0
"""Who keeps a table without a clock waiting for so long, and is away, can be replaced by a bot."""
TIMED_OUT_LEVEL = "greedy"
"""Who plays a turn for a person whose time is used up."""
_TOGETHER = frozenset({"shuffle", "draw", "cut", "next"})
"""What does not go on while all people are away."""
_CHANCE = 1
"""The stream of the table's secret for bots."""


class Scheduler:
    """Does what is due at a table; `due` is the moment when there will be more to do, None: not by itself."""

    def __init__(self, table: LiveTable) -> None:
        """Of this table."""
        self.table = table
        self.due: float | None = None
        self.since = 0.0
        self.clock_since: float | None = None
        self._asked = -1
        self._asked_at = -1
        self._asked_from = 0.0
        self._was_deserted = False
        self._hostless: float | None = None
        self._thoughts: dict[tuple[int, int], int | PendingChoice] = {}
        self.votes = Ballot(self)

    def carry_on(self) -> None:
        """Do everything that is due."""
        while True:
            self._notice_question()
            self._notice_people()
            self._run_clock()
            self.due = None
            if not self._step():
                return

    def _notice_question(self) -> None:
        """Take down when the present question was asked, by this table's time and by the calendar."""
        state, now = self.table.state, self.table.now
        if state.asked != self._asked:
            self._asked = state.asked
            self.since = now
            self.clock_since = None
            self._forget_thoughts()
        if state.asked_at != self._asked_at:
            self._asked_at = state.asked_at
            self._asked_from = now - (self.table.services.time.wall() - state.asked_at) / 1000

    def _notice_people(self) -> None:
        """Who comes back to a deserted table finds the question as if it had just been asked."""
        if self._deserted:
            self._was_deserted = True
        elif self._was_deserted:
            self._was_deserted = False
            self.since = self.table.now

    def _run_clock(self) -> None:
        """Let the clock run for a person who has to play, and stand otherwise."""
        state = self.table.state
        player = state.acting_player
        runs = (
            state.status == "playing"
            and state.options.turn_s is not None
            and state.waiting_for == "play"
            and player is not None
            and bool(self.table.present)
            and self.bot_for(player) is None
        )
        if not runs:
            if self.clock_since is not None and (spent := self.spent()) and state.status == "playing":
                self.clock_since = None
                self.table.write(log.Stopped(spent))
            self.clock_since = None
        elif self.clock_since is None:
            self.clock_since = self.table.now

    def spent(self) -> int:
        """Milliseconds that the clock of who has to decide has run."""
        return 0 if self.clock_since is None else round((self.table.now - self.clock_since) * 1000)

    def _step(self) -> bool:
        """Do one thing that is due; False, with `due` set, if nothing is."""
        state = self.table.state
        back = state.replaced & self.table.present
        if back:
            self.table.write(log.Returned(min(back)))
            return True
        if self.votes.carry_out():
            return True
        if state.status == "open":
            return self._waiting_room()
        if state.status != "playing":
            return False
        if state.waiting_for in _TOGETHER and self._deserted:
            return False
        return self._STEPS[state.waiting_for](self)

    def wait(self, moment: float) -> bool:
        """Whether this moment has come; if not, it is noted."""
        if moment <= self.table.now:
            return False
        self.due = moment if self.due is None else min(self.due, moment)
        return True

    def _waiting_room(self) -> bool:
        """Hand over to somebody who is here when the host does not come back."""
        table, state = self.table, self.table.state
        host = None if state.host is None else state.player_of(state.host)
        present = table.present - state.robots
        if not present or host in present or table.is_here(state.host):
            self._hostless = None
            return False
        if self._hostless is None:
            self._hostless = table.now
        if self.wait(self._hostless + HOST_AWAY_S):
            return False
        heir = state.seats[min(present)].guest
        assert heir is not None
        table.write(log.Hosted(heir))
        return True

    @property
    def _deserted(self) -> bool:
        """Whether people play here, and none of them is here: then nobody misses anything."""
        return not self.table.present and bool(self.table.state.people())

    # --- who plays for whom -------------------------------------------------------------------------

    def bot_at(self, player: int) -> float | None:
        """From when a bot plays for a person who is away: as all agreed, or where another one is waiting."""
        table, state = self.table, self.table.state
        if state.status != "playing":
            return None
        if player in state.replaced:
            return 0.0
        left, leaver_s = table.away.get(player), state.options.leaver_s
        if left is None or not leaver_s or not table.present - {player}:
            return None
        return left + leaver_s

    def replace_at(self, player: int) -> float | None:
        """From when the others may have a bot play for a person who is away and keeps them waiting."""
        state = self.table.state
        waited_for = state.waiting_for == "play" and player == state.acting_player
        if not waited_for or state.status != "playing" or player in self.table.present:
            return None
        if state.options.turn_s is not None or self.bot_at(player) is not None:
            return None
        return self._asked_from + LONG_AWAY_S

    def bot_for(self, player: int) -> str | None:
        """The level of the bot that plays for this player now; None: a person does."""
        state = self.table.state
        seat = state.seats[player]
        if seat.kind == "bot":
            return seat.level
        if state.timed_out == player:
            return TIMED_OUT_LEVEL
        at = self.bot_at(player)
        return state.options.level if at is not None and at <= self.table.now else None

    def _moves(self, player: int) -> bool:
        """Whether a bot should go on: somebody looks on, or a person's turn may come."""
        state = self.table.state
        for_good = state.seats[player].kind == "bot" or player in state.replaced
        return bool(self.table.connections) or (for_good and bool(state.people()))

    @property
    def pause(self) -> float:
        """Seconds that a bot waits before each play; 0 while nobody watches."""
        return self.table.state.options.bot_pause_ms / 1000 if self.table.connections else 0.0

    def _thought(self, seat: int, level: str, claim: Claimant | None = None) -> int | None:
        """What the bot at this seat has thought of; None while it thinks."""
        table = self.table
        key = (table.state.asked, seat)
        if key not in self._thoughts:
            assert table.state.match is not None
            deal = claim.state if claim else table.state.match.state
            assert deal is not None
            chance = bots.rng_for(table.state.secret, _CHANCE, table.state.number, seat)

            def done(code: int) -> None:
                table.post(lambda: self._came(key, code))

            self._thoughts[key] = table.services.executor.choose(level, deal.view(seat), chance, done)
        found = self._thoughts[key]
        return None if isinstance(found, PendingChoice) else found

    def _came(self, key: tuple[int, int], code: int) -> None:
        if key in self._thoughts:
            self._thoughts[key] = code

    def _forget_thoughts(self) -> None:
        """Something else is asked now: what was thought of before is wanted no longer."""
        for thought in self._thoughts.values():
            if isinstance(thought, PendingChoice):
                thought.cancel()
        self._thoughts = {}

    def end(self) -> None:
        """The table is let go."""
        self._forget_thoughts()

    # --- play ---------------------------------------------------------------------------------------

    def _play(self) -> bool:
        table, state = self.table, self.table.state
        player, seat = state.acting_player, state.actor
        assert player is not None
        assert seat is not None
        level = self.bot_for(player)
        if level is None:
            return self._person(player)
        if not self._moves(player):
            return False
        code = self._thought(seat, level)
        if code is None or self.wait(self.since + self.pause):
            return False
        table.write(table.played(code, bot=True))
        return True

    def _person(self, player: int) -> bool:
        """Nothing is done for a person but what the clock and being away bring."""
        state = self.table.state
        at = self.bot_at(player)
        if at is not None:
            self.wait(at)
        if self.clock_since is None:
            return False
        if self.wait(self.clock_since + (state.turn_ms + state.bank_ms[player]) / 1000):
            return False
        self.table.write(log.TimedOut(player))
        self.clock_since = None
        return True

    # --- claims -------------------------------------------------------------------------------------

    @property
    def claim_until(self) -> float | None:
        """Until when "Rummy!" may be called."""
        state = self.table.state
        return self.since + state.options.claim_s if state.claims and self._asked == state.asked else None

    def _claim(self) -> bool:
        state, until = self.table.state, self.claim_until
        assert until is not None
        open_ = [claim for claim in state.claims if self._player(claim) not in state.let_go]
        bots = [(claim, level) for claim in open_ if (level := self.bot_for(self._player(claim)))]
        if self._deserted and len(bots) < len(open_):
            return False
        if not self.wait(until):
            self.table.write(log.LetGone([self._player(claim) for claim in open_]))
            return True
        codes = [self._thought(claim.seat, level, claim) for claim, level in bots]
        alone = len(bots) == len(open_) and not state.let_go
        patience = self.pause if alone else state.options.claim_s / 2
        if not bots or None in codes or self.wait(self.since + patience):
            return False
        for (claim, _), code in zip(bots, codes, strict=True):
            if code is not None and action_kind(code) is ActionKind.CALL:
                self.table.write(log.Called(self._player(claim), code, bot=True))
                return True
        self.table.write(log.LetGone([self._player(claim) for claim, _ in bots]))
        return True

    def _player(self, claim: Claimant) -> int:
        return self.table.state.seating[claim.seat]

    # --- between deals -----------------------------------------------------------------------------

    def _next(self) -> bool:
        table, state = self.table, self.table.state
        present = table.present - state.robots
        if not table.present and not table.connections:
            return False
        if present and not present & state.ready:
            return False  # nobody is kept waiting by those who read
        patience = SHEET_S if present else WATCHED_S
        if not (present and present <= state.ready) and self.wait(self.since + patience):
            return False
        table.write(log.Committed(state.shuffles + 1, table.services.entropy(32).hex()))
        return True

    def _over(self) -> bool:
        return False

    _STEPS: ClassVar[dict[str, Callable[[Scheduler], bool]]] = {
        "shuffle": shuffle,
        "draw": draw,
        "cut": cut,
        "play": _play,
        "claim": _claim,
        "next": _next,
        "over": _over,
    }
