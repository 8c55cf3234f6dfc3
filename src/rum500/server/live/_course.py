"""What happens at a table by itself: shuffles, bots, clocks, claims that run out, leavers, the next deal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rum500.match import Claimant, Cut, DrawCard, Shuffle
from rum500.record.fair import cut_from_per_mille, middle_cut
from rum500.rng import Rng
from rum500.rules.engine.core import CALL
from rum500.server.live import _log as log
from rum500.server.live._thinking import choice

if TYPE_CHECKING:
    from rum500.server.live._table import LiveTable

SEEDS_S = 2.0
"""How long browsers have for their part in a shuffle."""
CUT_S = 15.0
"""How long a person has to cut."""
DRAW_S = 20.0
"""How long a person has to draw for deal."""
BEFORE_THE_DEAL_S = 0.12
"""At most so long a bot takes for a draw or a cut: people want their cards."""
AWAY_S = 3.0
"""How long others wait for the draw of a person who is away."""
SHEET_S = 60.0
"""How long the score sheet is shown if not all say that they are ready."""
HOST_AWAY_S = 60.0
"""How long people in the waiting room wait for their host; then one of them is the host."""
WATCHED_S = 6.0
"""How long it is shown where bots play alone before spectators."""
LEAVERS_LEVEL = "greedy"
"""Who plays a turn for a person whose time is used up."""
_CHANCE, _DRAWS = 1, 2
"""Streams of the table's secret: for bots, for cards drawn for deal."""


class Course:
    """Does what is due at a table; `due` is the moment when there will be more to do, None: not by itself."""

    def __init__(self, table: LiveTable) -> None:
        """Of this table."""
        self.table = table
        self.due: float | None = None
        self.since = 0.0
        self.clock_since: float | None = None
        self._asked = -1
        self._hostless: float | None = None
        self._thoughts: dict[tuple[int, int], int | None] = {}

    def carry_on(self) -> None:
        """Do everything that is due."""
        while True:
            self._notice_question()
            self.due = None
            if not self._step():
                return

    def _notice_question(self) -> None:
        """Take down when the present question was asked, and let the clock run for who has to answer."""
        state, now = self.table.state, self.table.now
        if state.asked != self._asked:
            self._asked = state.asked
            self.since = now
            self.clock_since = None
            self._thoughts = {key: code for key, code in self._thoughts.items() if key[0] == state.asked}
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
            self.clock_since = now

    def spent(self) -> int:
        """Milliseconds that the clock of who has to decide has run."""
        return 0 if self.clock_since is None else round((self.table.now - self.clock_since) * 1000)

    def _step(self) -> bool:
        """Do one thing that is due; False, with `due` set, if nothing is."""
        state = self.table.state
        if self._votes():
            return True
        if state.status == "open":
            return self._waiting_room()
        if state.status != "playing":
            return False
        return self._STEPS[state.waiting_for](self)

    def _wait(self, moment: float) -> bool:
        """Whether this moment has come; if not, it is noted."""
        if moment <= self.table.now:
            return False
        self.due = moment if self.due is None else min(self.due, moment)
        return True

    def _waiting_room(self) -> bool:
        """Hand over to somebody who is here when the host does not come back."""
        table, state = self.table, self.table.state
        host = None if state.host is None else state.player_of(state.host)
        if not table.present or host in table.present:
            self._hostless = None
            return False
        if self._hostless is None:
            self._hostless = table.now
        if self._wait(self._hostless + HOST_AWAY_S):
            return False
        heir = state.seats[min(table.present)].guest
        assert heir is not None
        table.write(log.Hosted(heir))
        return True

    # --- who plays for whom -------------------------------------------------------------------------

    def bot_at(self, player: int) -> float | None:
        """From when a bot plays for a person who is away: only where another person is waiting."""
        table = self.table
        left = table.away.get(player)
        leaver_s = table.state.options.leaver_s
        if left is None or not leaver_s or table.state.status != "playing" or not table.present - {player}:
            return None
        return left + leaver_s

    def bot_for(self, player: int) -> str | None:
        """The level of the bot that plays for this player now; None: a person does."""
        state = self.table.state
        seat = state.seats[player]
        if seat.kind == "bot":
            return seat.level
        if state.timed_out == player:
            return LEAVERS_LEVEL
        at = self.bot_at(player)
        return state.options.level if at is not None and at <= self.table.now else None

    def _moves(self, player: int) -> bool:
        """Whether a bot should go on: somebody looks on, or a person's turn may come."""
        state = self.table.state
        return bool(self.table.connections) or (state.seats[player].kind == "bot" and bool(state.people()))

    @property
    def _pause(self) -> float:
        return self.table.state.options.bot_pause_ms / 1000 if self.table.connections else 0.0

    def _thought(self, seat: int, level: str, claim: Claimant | None = None) -> int | None:
        """What the bot at this seat has thought of; None while it thinks."""
        table = self.table
        key = (table.state.asked, seat)
        if key in self._thoughts:
            return self._thoughts[key]
        self._thoughts[key] = None
        assert table.state.match is not None
        deal = claim.state if claim else table.state.match.state
        assert deal is not None
        view = deal.view(seat)
        chance = Rng(table.state.secret).spawn(_CHANCE, table.state.number, seat)

        def done(result: int | BaseException) -> None:
            table.post(
                lambda: self._came(key, view.legal[-1] if isinstance(result, BaseException) else result)
            )

        table.house.thinker.think(lambda: choice(level, view, chance), done)
        return self._thoughts[key]

    def _came(self, key: tuple[int, int], code: int) -> None:
        if key in self._thoughts:
            self._thoughts[key] = code

    # --- shuffle, draw, cut -------------------------------------------------------------------------

    def _shuffle(self) -> bool:
        table, state = self.table, self.table.state
        assert state.match is not None
        asked = state.match.decision
        assert isinstance(asked, Shuffle)
        if state.shuffle is None or state.ordered:
            table.write(log.Committed(state.shuffles + 1, table.house.entropy(32).hex()))
            return True
        if not table.present and state.people():
            self.since = table.now
            return False
        wanted = table.present - state.seeds.keys()
        if wanted and self._wait(self.since + SEEDS_S):
            return False
        seeds = [state.seeds.get(player, "") for player in state.seating]
        purpose = "draw" if asked.purpose == "draw" else "deal"
        order = state.shuffle.given(seeds).order(asked.cards, purpose)  # type: ignore[arg-type]
        table.write(log.Shuffled(seeds, list(order)))
        return True

    def _draw(self) -> bool:
        table, state = self.table, self.table.state
        assert state.match is not None
        asked, player = state.match.decision, state.acting_player
        assert isinstance(asked, DrawCard)
        assert player is not None
        bot = self.bot_for(player)
        if bot is None and player not in table.present and not table.present:
            return False
        patience = (
            min(self._pause, BEFORE_THE_DEAL_S) if bot else DRAW_S if player in table.present else AWAY_S
        )
        if self._wait(self.since + patience):
            return False
        chance = Rng(state.secret).spawn(_DRAWS, state.number)
        table.write(log.Drew(asked.positions[chance.below(len(asked.positions))], bot=True))
        return True

    def _cut(self) -> bool:
        table, state = self.table, self.table.state
        assert state.match is not None
        asked, player = state.match.decision, state.acting_player
        assert isinstance(asked, Cut)
        assert player is not None
        assert state.shuffle is not None
        if self.bot_for(player):
            if self._wait(self.since + min(self._pause, BEFORE_THE_DEAL_S)):
                return False
            table.write(log.CutAt(state.shuffle.stream_cut(asked.cards), "stream"))
        elif player in state.cuts:
            table.write(log.CutAt(cut_from_per_mille(state.cuts[player], asked.cards), "seat"))
        elif player in table.present and self._wait(self.since + CUT_S):
            return False
        else:
            table.write(log.CutAt(middle_cut(asked.cards), "middle"))
        return True

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
        if code is None or self._wait(self.since + self._pause):
            return False
        table.write(table.played(code, bot=True))
        return True

    def _person(self, player: int) -> bool:
        """Nothing is done for a person but what the clock and being away bring."""
        state = self.table.state
        at = self.bot_at(player)
        if at is not None:
            self._wait(at)
        if self.clock_since is None:
            return False
        if self._wait(self.clock_since + (state.turn_ms + state.bank_ms[player]) / 1000):
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
        if not self._wait(until):
            self.table.write(log.LetGone([self._player(claim) for claim in open_]))
            return True
        bots = [(claim, level) for claim in open_ if (level := self.bot_for(self._player(claim)))]
        codes = [self._thought(claim.seat, level, claim) for claim, level in bots]
        alone = len(bots) == len(open_) and not state.let_go
        patience = self._pause if alone else state.options.claim_s / 2
        if not bots or None in codes or self._wait(self.since + patience):
            return False
        for (claim, _), code in zip(bots, codes, strict=True):
            if code is not None and code & 15 == CALL:
                self.table.write(log.Called(self._player(claim), code, bot=True))
                return True
        self.table.write(log.LetGone([self._player(claim) for claim, _ in bots]))
        return True

    def _player(self, claim: Claimant) -> int:
        return self.table.state.seating[claim.seat]

    # --- between deals, votes -----------------------------------------------------------------------

    def _next(self) -> bool:
        table, state = self.table, self.table.state
        present = table.present
        if not present and (state.people() or not table.connections):
            return False
        patience = SHEET_S if present else WATCHED_S
        if not (present and present <= state.ready) and self._wait(self.since + patience):
            return False
        table.write(log.Committed(state.shuffles + 1, table.house.entropy(32).hex()))
        return True

    def _over(self) -> bool:
        return False

    def _votes(self) -> bool:
        """Do what all people who are here have agreed to, and to abandon also those who have not left."""
        table, state = self.table, self.table.state
        present = table.present
        agreed = {on for on, players in state.votes.items() if present and present <= players}
        if "abandon" in agreed and state.status in ("open", "playing", "paused") and not self._against():
            table.write(log.Abandoned())
        elif "pause" in agreed and state.status == "playing":
            spent, self.clock_since = self.spent(), None
            table.write(log.Paused(spent))
        elif "resume" in agreed and state.status == "paused":
            table.write(log.Resumed())
            self.since = table.now
        else:
            table.rematch_wanted = "rematch" in agreed and state.status == "over" and state.rematch is None
            return False
        return True

    def _against(self) -> bool:
        """Whether somebody who is away, and may come back before a bot plays, has not agreed to abandon.

        Before the match it is the host who decides.
        """
        state = self.table.state
        if state.status == "open":
            return state.host is not None and state.player_of(state.host) not in state.votes["abandon"]
        for player in set(state.people()) - state.votes["abandon"]:
            at = self.bot_at(player)
            if at is None or self._wait(at):
                return True
        return False

    _STEPS: ClassVar[dict[str, Callable[[Course], bool]]] = {
        "shuffle": _shuffle,
        "draw": _draw,
        "cut": _cut,
        "play": _play,
        "claim": _claim,
        "next": _next,
        "over": _over,
    }
