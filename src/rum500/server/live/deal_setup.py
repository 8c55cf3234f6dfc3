"""What comes before a deal: how a match begins, then, when due, the shuffles, the draw for deal, the cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rum500 import bots
from rum500.match import CutNeeded, DrawNeeded, ShuffleNeeded
from rum500.record.fair import cut_from_per_mille, middle_cut
from rum500.server.live import log_entries as log
from rum500.server.live.seats import bot_name

if TYPE_CHECKING:
    from rum500.server.live.scheduler import Scheduler
    from rum500.server.live.table_state import TableState

SEEDS_S = 2.0
"""How long browsers have for their part in a shuffle."""
CUT_S = 15.0
"""How long a person has to cut."""
DRAW_S = 20.0
"""How long a person has to draw for deal."""
BEFORE_THE_DEAL_S = 0.12
"""At most so long a bot takes for a draw or a cut: people want their cards."""
AWAY_S = 3.0
"""How long others wait for the draw or the cut of a person who is away, or whose browser does it unasked."""
_DRAWS = 2
"""The stream of the table's secret for cards drawn for deal."""


def begin_lines(state: TableState, entropy: Callable[[int], bytes]) -> Iterator[log.LogEntry]:
    """The lines that begin a match, each to be applied before the next is asked for."""
    for player, seat in enumerate(state.seats):
        if seat.kind == "empty":
            yield log.BotSat(player, state.options.level, bot_name(seat.name for seat in state.seats))
    order = list(range(len(state.seats)))
    if state.options.seats_drawn and not state.rules.sides:
        for last in range(len(order) - 1, 0, -1):
            other = int.from_bytes(entropy(8)) % (last + 1)
            order[last], order[other] = order[other], order[last]
    yield log.Began(order)


def shuffle(course: Scheduler) -> bool:
    """Commit to a seed, wait a little for those of the people, then settle the order."""
    table, state = course.table, course.table.state
    assert state.match is not None
    asked = state.match.decision
    assert isinstance(asked, ShuffleNeeded)
    if state.shuffle is None or state.ordered:
        table.write(log.Committed(state.shuffles + 1, table.services.entropy(32).hex()))
        return True
    wanted = table.present - state.seeds.keys()
    if wanted and course.wait(course.since + SEEDS_S):
        return False
    seeds = [state.seeds.get(player, "") for player in state.seating]
    purpose = "draw" if asked.purpose == "draw" else "deal"
    order = state.shuffle.given(seeds).order(asked.cards, purpose)  # type: ignore[arg-type]
    table.write(log.Shuffled(seeds, list(order)))
    return True


def draw(course: Scheduler) -> bool:
    """Draw for a bot, and for whoever takes too long."""
    table, state = course.table, course.table.state
    assert state.match is not None
    asked, player = state.match.decision, state.acting_player
    assert isinstance(asked, DrawNeeded)
    assert player is not None
    if course.wait(course.since + _patience(course, player, DRAW_S)):
        return False
    chance = bots.rng_for(state.secret, _DRAWS, state.number)
    table.write(log.Drew(asked.positions[chance.below(len(asked.positions))], bot=True))
    return True


def _patience(course: Scheduler, player: int, person_s: float) -> float:
    """How long the others wait for a draw or a cut of this player."""
    if course.bot_for(player):
        return min(course.pause, BEFORE_THE_DEAL_S)
    by_hand = player in course.table.present and player not in course.table.state.cuts
    return person_s if by_hand else AWAY_S


def cut(course: Scheduler) -> bool:
    """Cut where the player said beforehand, for a bot where the stream says, else in the middle."""
    table, state = course.table, course.table.state
    assert state.match is not None
    asked, player = state.match.decision, state.acting_player
    assert isinstance(asked, CutNeeded)
    assert player is not None
    assert state.shuffle is not None
    if player in state.cuts:
        table.write(log.CutMade(cut_from_per_mille(state.cuts[player], asked.cards), "seat"))
    elif course.wait(course.since + _patience(course, player, CUT_S)):
        return False
    elif course.bot_for(player):
        table.write(log.CutMade(state.shuffle.stream_cut(asked.cards), "stream"))
    else:
        table.write(log.CutMade(middle_cut(asked.cards), "middle"))
    return True
