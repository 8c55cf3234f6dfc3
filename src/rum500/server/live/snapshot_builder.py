"""What everybody may see of a table: raw values to compare, and the wire's words for those that have changed.

Cards and plays come from the spectator's `MatchView` alone; seats, clocks and votes are public by nature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec import Struct

from rum500.match import CutNeeded, MatchView, callable_counts
from rum500.server import messages
from rum500.server.live.score_sheets import end_told, scores_told
from rum500.server.live.table_state import TableState
from rum500.server.messages.render import TEXT, rows, texts
from rum500.view import View

Raw = dict[str, Any]


class Presence(Struct, frozen=True, gc=False):
    """Who is here, and what the clocks say: what no log tells. Moments are the server's own seconds.

    `bot_at`: from when a bot plays for a player who is away, `replace_at`: may be voted in. `clock_since`:
    since when the clock of who has to decide runs; `claim_until`: until when "Rummy!" may be called.
    """

    here: frozenset[int] = frozenset()
    watching: int = 0
    bot_at: tuple[tuple[int, float], ...] = ()
    replace_at: tuple[tuple[int, float], ...] = ()
    clock_since: float | None = None
    claim_until: float | None = None


NOBODY = Presence()


class Frame(NamedTuple):
    """What no play in the middle of a deal changes; it stands as long as what it was made from."""

    made_from: tuple[object, ...]
    raw: Raw


class Snapshot(NamedTuple):
    """Every field of `Shared` as a plain value; two are equal where nothing has changed."""

    frame: Frame
    play: Raw

    @property
    def raw(self) -> Raw:
        """All fields."""
        return {**self.frame.raw, **self.play}

    def since(self, before: Snapshot) -> Raw:
        """The fields that are not as they were before."""
        play = changed(before.play, self.play)
        return play if self.frame is before.frame else changed(before.frame.raw, self.frame.raw) | play


def snapshot(state: TableState, presence: Presence, before: Snapshot | None = None) -> Snapshot:
    """The table as everybody may see it now; the frame of what was seen `before` may still stand."""
    made_from = (
        state,
        state.revision,
        presence.here,
        presence.watching,
        presence.bot_at,
        presence.replace_at,
    )
    stands = before is not None and before.frame.made_from == made_from
    frame = before.frame if before and stands else Frame(made_from, _frame_raw(state, presence))
    return Snapshot(frame, _play_raw(state, presence))


def _frame_raw(state: TableState, presence: Presence) -> Raw:
    bot_at, replace_at = dict(presence.bot_at), dict(presence.replace_at)
    view = state.match.view(None) if state.match else None
    return {
        "status": state.status,
        "seats": tuple(
            (
                seat.kind,
                seat.name,
                seat.level,
                player in presence.here,
                bot_at.get(player),
                player in state.ready,
                replace_at.get(player),
                seat.robot,
            )
            for player in state.seating
            for seat in (state.seats[player],)
        ),
        "host": _host(state),
        "watching": presence.watching,
        "fairness": _fairness(state),
        "rematch": state.rematch,
        "sheet": state.sheet,
        **_match_raw(state, view),
    }


def _play_raw(state: TableState, presence: Presence) -> Raw:
    votes, deal = state.votes, state.match.state if state.match and state.deal_shown else None
    return {
        "asked": state.asked,
        "waiting_for": state.waiting_for,
        "actor": state.actor,
        "votes": {on: tuple(sorted(map(state.seating.index, votes[on]))) for on in votes if votes[on]},
        "clock": _clock(state, presence),
        "banks": _banks(state),
        "claim": _claim(state, presence),
        **(no_deal(len(state.seating)) if deal is None else deal_raw(deal.view(None))),
    }


def _host(state: TableState) -> int | None:
    return None if state.host is None else state.seat_of(state.player_of(state.host))


def _clock(state: TableState, presence: Presence) -> tuple[int, int, int, float | None] | None:
    player, seat = state.acting_player, state.actor
    if state.options.turn_s is None or player is None or seat is None or state.waiting_for != "play":
        return None
    return seat, state.turn_ms, state.bank_ms[player], presence.clock_since


def _banks(state: TableState) -> tuple[int, ...]:
    if state.options.turn_s is None or not state.bank_ms:
        return ()
    return tuple(state.bank_ms[player] for player in state.seating)


def _claim(
    state: TableState, presence: Presence
) -> tuple[tuple[int, ...], tuple[int, ...], float | None] | None:
    if not state.claims:
        return None
    seats = tuple(claim.seat for claim in state.claims if state.seating[claim.seat] not in state.let_go)
    return seats, callable_counts(state.claims[0].state), presence.claim_until


def _fairness(state: TableState) -> tuple[int, str, tuple[int, ...], str | None, str] | None:
    shuffle = state.shuffle
    if shuffle is None:
        return None
    seating = state.seating
    given = tuple(sorted(seating.index(player) for player in state.seeds if player in seating))
    told = shuffle.seed if state.deal_shown and state.deal is not None and state.deal.over else None
    return shuffle.number, shuffle.commitment, given, told, shuffle.context


_NO_MATCH: Raw = {
    "deal": 0,
    "dealer": None,
    "scorer": None,
    "drawn": (),
    "positions": (),
    "totals": (),
    "accounts": (),
    "scores": (),
    "result": None,
}


def _match_raw(state: TableState, view: MatchView | None) -> Raw:
    if view is None or state.match is None:
        return _NO_MATCH
    asked = state.match.decision
    return {
        "deal": view.number if state.deal_shown else len(view.sheet) + 1,
        "dealer": view.dealer,
        "scorer": view.scorer,
        "drawn": view.drawn,
        "positions": (1, asked.cards - 1) if isinstance(asked, CutNeeded) else view.positions,
        "totals": view.totals,
        "accounts": view.accounts,
        "scores": view.sheet,
        "result": view.result,
    }


def no_deal(players: int) -> Raw:
    """A table on which no deal lies."""
    none = ((),) * players
    return {
        "phase": None,
        "turn": None,
        "hand_sizes": (0,) * players,
        "known": none,
        "pile": (),
        "stock": 0,
        "restocks": 0,
        "melds": (),
        "must_use": None,
        "taken": (),
        "banned": None,
        "floater": False,
        "laid": (0,) * players,
        "passes": 0,
        "hands": None,
    }


def deal_raw(deal: View) -> Raw:
    """The deal's part, from a spectator's view of it."""
    assert deal.seat is None
    return {
        "phase": deal.phase.name.lower(),
        "turn": deal.turn,
        "hand_sizes": deal.hand_sizes,
        "known": deal.known,
        "pile": deal.pile,
        "stock": deal.stock,
        "restocks": deal.restocks,
        "melds": deal.melds,
        "must_use": deal.must_use,
        "taken": deal.taken,
        "banned": deal.banned,
        "floater": deal.floater,
        "laid": deal.laid,
        "passes": deal.passes,
        "hands": None if deal.result is None else deal.result.hands,
    }


# --- what has changed, in the wire's words ----------------------------------------------------------


def changed(before: Raw, after: Raw) -> Raw:
    """The fields of `after` that are not as before."""
    return {
        name: value for name, value in after.items() if (old := before[name]) is not value and old != value
    }


def shared_told(state: TableState, raw: Raw, now: float) -> messages.Shared:
    """These fields as the wire has them, times as of `now`."""
    told = {
        name: value if (words := _WORDS.get(name)) is None else words(state, value, now)
        for name, value in raw.items()
    }
    return messages.Shared(**told)


def _ms(until: float, now: float) -> int:
    return max(0, round((until - now) * 1000))


def _seats_told(state: TableState, raw: Any, now: float) -> list[messages.SeatPlate]:
    return [
        messages.SeatPlate(
            kind,
            name,
            level,
            here or kind == "bot",
            None if bot is None else _ms(bot, now),
            ready,
            None if replace is None else _ms(replace, now),
            robot,
        )
        for kind, name, level, here, bot, ready, replace, robot in raw
    ]


def _clock_told(state: TableState, raw: Any, now: float) -> messages.Clock | None:
    if raw is None:
        return None
    seat, turn_ms, bank_ms, since = raw
    left = turn_ms - (0 if since is None else _ms(now, since))
    return messages.Clock(seat, max(0, left), max(0, bank_ms + min(0, left)), since is not None)


def _claim_told(state: TableState, raw: Any, now: float) -> messages.ClaimWindow | None:
    if raw is None:
        return None
    seats, counts, until = raw
    total = state.options.claim_s * 1000
    return messages.ClaimWindow(list(seats), total if until is None else _ms(until, now), total, list(counts))


def _fairness_told(state: TableState, raw: Any, now: float) -> messages.Fairness | None:
    if raw is None:
        return None
    number, commitment, given, seed, context = raw
    return messages.Fairness(number, commitment, list(given), seed, context)


def _votes_told(state: TableState, raw: Any, now: float) -> dict[str, list[int]]:
    return {on: list(seats) for on, seats in raw.items()}


def _names(state: TableState) -> list[str]:
    return [seat.name for seat in state.seats]


def _melds_told(state: TableState, raw: Any, now: float) -> list[messages.MeldPlate]:
    return state.plates.of(state.rules, raw, state.doubled)


def _card_told(state: TableState, raw: Any, now: float) -> str | None:
    return None if raw is None else TEXT[raw]


_WORDS: dict[str, Callable[[TableState, Any, float], Any]] = {
    "seats": _seats_told,
    "votes": _votes_told,
    "clock": _clock_told,
    "claim": _claim_told,
    "fairness": _fairness_told,
    "scores": lambda state, raw, now: scores_told(raw, _names(state)),
    "result": lambda state, raw, now: None if raw is None else end_told(raw, _names(state)),
    "drawn": lambda state, raw, now: rows(raw),
    "positions": lambda state, raw, now: list(raw),
    "banks": lambda state, raw, now: list(raw),
    "totals": lambda state, raw, now: list(raw),
    "accounts": lambda state, raw, now: list(raw),
    "hand_sizes": lambda state, raw, now: list(raw),
    "known": lambda state, raw, now: rows(raw),
    "pile": lambda state, raw, now: texts(raw),
    "melds": _melds_told,
    "must_use": _card_told,
    "taken": lambda state, raw, now: texts(raw),
    "banned": _card_told,
    "laid": lambda state, raw, now: list(raw),
    "hands": lambda state, raw, now: None if raw is None else rows(raw),
}
