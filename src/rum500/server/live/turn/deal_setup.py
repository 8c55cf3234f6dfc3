"""The steps before a deal: the start of the match, the shuffles, the draw for deal, and the cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rum500 import bots
from rum500.match import CutNeeded, DrawNeeded, ShuffleNeeded
from rum500.record.fair import cut_from_per_mille, middle_cut
from rum500.rng import Rng
from rum500.server.live.log import entries
from rum500.server.live.log.seats import bot_name
from rum500.server.live.log.table_log import TableLog
from rum500.server.live.log.table_state import TableState
from rum500.server.live.log.time_source import TableTime
from rum500.server.live.log.waits import day_due
from rum500.server.live.turn.attendance import Attendance
from rum500.server.live.turn.pace import Pace
from rum500.server.live.turn.substitutes import Substitutes
from rum500.server.live.turn.turn_timer import TurnTimer

SHEET_S = 60.0
"""How many seconds the score sheet is shown if some people are ready and others are not."""
WATCHED_S = 6.0
"""How many seconds the score sheet is shown if only bots play and spectators watch."""
SEEDS_S = 2.0
"""The seconds in which browsers can add their seeds to a shuffle."""
CUT_S = 15.0
"""The seconds that a person has to cut."""
DRAW_S = 20.0
"""The seconds that a person has to draw for deal."""
BEFORE_THE_DEAL_S = 0.12
"""The largest time in seconds that a bot takes for a draw or a cut: people want their cards."""
AWAY_S = 3.0
"""The seconds for a draw or a cut if the person is absent, or the browser answers automatically."""
_DRAWS = 2
"""The number of the random stream, derived from the table's secret, that draws cards for deal."""


def begin_entries(state: TableState, entropy: Callable[[int], bytes]) -> Iterator[entries.LogEntry]:
    """Yield the entries that begin a match; apply each before the next. Empty seats get bots."""
    for player, seat in enumerate(state.seats):
        if seat.kind == "empty":
            yield entries.BotSat(player, state.options.level, bot_name(seat.name for seat in state.seats))
    order = list(range(len(state.seats)))
    if state.options.seats_drawn and not state.rules.sides:
        Rng(int.from_bytes(entropy(8))).shuffle(order)
    yield entries.Began(order)


@dataclass(eq=False, repr=False)
class DealSetup:
    """Takes the steps from one deal to the next, each as soon as it is due.

    Each method returns True if it appended an entry, and False if the table has to wait.
    """

    _log: TableLog
    _attendance: Attendance
    _time: TableTime
    _substitutes: Substitutes
    _timer: TurnTimer
    _pace: Pace
    _entropy: Callable[[int], bytes]
    """Returns the requested number of secret random bytes."""

    def next_deal(self) -> bool:
        """Begin the next deal if all connected people are ready, or some are and the others had time to read.

        By a clock of days the table waits for all people, but not longer than the time of a turn.
        """
        state, attendance = self._log.state, self._attendance
        due = day_due(state)
        if due is not None:
            return due <= self._time.wall() and self._commit_seed()
        present = attendance.present - state.external_bots
        if not attendance.present and not attendance.viewers:
            return False
        if present and not present & state.ready:
            return False  # nobody is ready yet
        patience = SHEET_S if present else WATCHED_S
        if not (present and present <= state.ready) and not self._waited(patience):
            return False
        return self._commit_seed()

    def shuffle(self) -> bool:
        """Commit to a seed, wait briefly for people's seeds, then determine the order."""
        state = self._log.state
        assert state.match is not None
        asked = state.match.decision
        assert isinstance(asked, ShuffleNeeded)
        if state.shuffles.last is None or state.shuffles.ordered:
            return self._commit_seed()
        if self._attendance.present - state.shuffles.seeds.keys() and not self._waited(SEEDS_S):
            return False
        seeds = [state.shuffles.seeds.get(player, "") for player in state.seating]
        purpose = "draw" if asked.purpose == "draw" else "deal"
        order = state.shuffles.last.given(seeds).order(asked.cards, purpose)  # type: ignore[arg-type]
        self._log.append(entries.Shuffled(seeds, list(order)))
        return True

    def _commit_seed(self) -> bool:
        self._log.append(entries.Committed(self._log.state.shuffles.count + 1, self._entropy(32).hex()))
        return True

    def draw_for_deal(self) -> bool:
        """Draw for bots, and for people who take too long."""
        state = self._log.state
        assert state.match is not None
        asked, player = state.match.decision, state.acting_player
        assert isinstance(asked, DrawNeeded)
        assert player is not None
        if not self._waited(self._patience(player, DRAW_S)):
            return False
        chance = bots.rng_for(state.secret, _DRAWS, state.number)
        self._log.append(entries.Drew(asked.positions[chance.below(len(asked.positions))], bot=True))
        return True

    def cut(self) -> bool:
        """Cut where the player chose in advance; else wait, then cut in the middle, or by seeds for a bot."""
        state = self._log.state
        assert state.match is not None
        asked, player = state.match.decision, state.acting_player
        assert isinstance(asked, CutNeeded)
        assert player is not None
        assert state.shuffles.last is not None
        if player in state.shuffles.cuts:
            self._log.append(
                entries.CutMade(cut_from_per_mille(state.shuffles.cuts[player], asked.cards), "seat")
            )
        elif not self._waited(self._patience(player, CUT_S)):
            return False
        elif self._substitutes.level_for(player):
            self._log.append(entries.CutMade(state.shuffles.last.stream_cut(asked.cards), "stream"))
        else:
            self._log.append(entries.CutMade(middle_cut(asked.cards), "middle"))
        return True

    def _patience(self, player: int, person_s: float) -> float:
        """Return the seconds to wait for this player's draw or cut: `person_s` for a connected person."""
        if self._substitutes.level_for(player):
            return min(self._pace.pause, BEFORE_THE_DEAL_S)
        by_hand = player in self._attendance.present and player not in self._log.state.shuffles.cuts
        return person_s if by_hand else AWAY_S

    def _waited(self, seconds: float) -> bool:
        return self._time.reached(self._timer.waiting_since + seconds)
