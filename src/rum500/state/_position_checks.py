"""Checks that a position is possible under the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rum500.cards import ACE_HIGH, JOKER, LANE, card_text, cards_text
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import ActionKind
from rum500.rules.engine import core as _core
from rum500.rules.engine.core import Core, Moves
from rum500.rules.problems import Problem
from rum500.rules.ruleset import Ruleset
from rum500.rules.scoring import card_points, four_double
from rum500.state.position_data import MeldData, PositionData, core_of, data_of_state, fill_unseen, meld_words
from rum500.state.position_limits import MOST_DEALS, MOST_POINTS
from rum500.state.text_lines import KeyLine
from rum500.view import Phase

_Wrong = tuple[str, str, str]
"""(keys, message, rule). The keys, joined by `|`, are those of suspect lines; the first found is blamed."""


def check(
    data: PositionData,
    lines: Mapping[str, KeyLine] = MappingProxyType({}),
    melds: Sequence[KeyLine] = (),
    last: int = 1,
) -> list[Problem]:
    """Return all problems of a position; if there are none, set the hidden cards of `data`.

    The problems of a text are located at its lines: `lines` by key, `melds` for the melds, and line number
    `last` for all others. A deal from bytes has no lines.
    """
    found = []
    for i, meld_data in enumerate(data.melds):
        at = (melds[i].line, melds[i].at) if i < len(melds) else (last, 1)
        found += [
            Problem("position.meld", "", rule, message, *at) for message, rule in _meld_wrong(meld_data, data)
        ]
    if len(data.melds) > _core.MAX_MELDS:
        line = melds[-1].line if melds else None
        found.append(Problem("position.meld", "", "", f"more than {_core.MAX_MELDS} melds", line, 1))
    checks = _Checks(data)
    groups = [checks.cards(), checks.turn(), checks.counters(), checks.ending(), checks.limits()]
    if not found:
        groups.append(checks.points())
    found += [_placed(*wrong, lines, last) for group in groups for wrong in group]
    if not found:
        if not data.complete:
            fill_unseen(data)
        found += [_placed(*wrong, lines, last) for wrong in _cannot_move(data)]
    return found


def check_deal(rules: Ruleset, core: Core, past: tuple[int, ...], draws: bytes) -> None:
    """Raise `ValueError` unless a position file could describe this deal completely."""
    data = data_of_state(rules, core, past, tuple(draws))
    if problems := check(data):
        raise ValueError(problems[0].message)
    if core_of(data).pack(past) != core.pack(past):
        raise ValueError("it holds what its phase has no use for")


def _placed(keys: str, message: str, rule: str, lines: Mapping[str, KeyLine], last: int) -> Problem:
    line = next((lines[key] for key in keys.split("|") if key in lines), None)
    at = (line.line, line.at) if line else (last, 1)
    return Problem(f"position.{keys.split('|', 1)[0].split(maxsplit=1)[0]}", "", rule, message, *at)


# --- melds -----------------------------------------------------------------------------------------


def _meld_wrong(meld: MeldData, data: PositionData) -> Iterator[tuple[str, str]]:
    """Yield (problem, rule id) for each fault of a meld: of its cards, and of the seats that laid them."""
    try:
        meld_words(meld)
    except ValueError as error:
        yield str(error), "R-MELD-1"
        return
    yield from _run_wrong(meld, data) if meld.kind == "run" else _set_wrong(meld, data)
    naturals = sum(placed.card != JOKER for placed in meld.cards)
    if meld.kind != "jokers" and (naturals == 0 or (naturals < len(meld.cards) and not _wild(data))):
        yield ("a joker of its own rank lies only in sets of jokers", "R-MELD-4") if naturals else (
            "a meld holds one natural card at least", "D9"
        )  # fmt: skip
    if meld.kind == "jokers" and data.rules.joker_kind != "rank":
        yield "jokers make a set of their own only where they have a rank of their own", "R-MELD-4"


def _wild(data: PositionData) -> bool:
    return data.rules.joker_kind == "wild"


def _run_wrong(meld: MeldData, data: PositionData) -> Iterator[tuple[str, str]]:
    positions = [placed.place % LANE for placed in meld.cards if placed.place is not None]
    low, high = positions[0], positions[-1]
    if positions != list(range(low, high + 1)) or len(positions) < 3:
        yield "a run is three or more of a suit in sequence", "R-MELD-2"
    elif low == 0 and high == ACE_HIGH:
        yield "a run holds each rank once, so never an ace at both ends", "D4"
    elif low == 0 and data.rules.ace == "high":
        yield "aces are high in this game", "R-MELD-2"
    need = 4 if meld.at_once else 3
    firsts = range(len(meld.cards) - need + 1)
    if not any(all(p.seat == meld.owner for p in meld.cards[first : first + need]) for first in firsts):
        yield f"its owner, seat {meld.owner}, laid {need} of its cards in sequence at least", "R-LAY-3"


def _set_wrong(meld: MeldData, data: PositionData) -> Iterator[tuple[str, str]]:
    if not 3 <= len(meld.cards) <= 4:
        yield "a set is three or four of a rank", "R-MELD-1"
    cap = data.rules.packs(data.players) if data.rules.same_suit_in_sets else 1
    places = Counter(placed.place for placed in meld.cards if placed.place is not None)
    if any(count > cap for count in places.values()):
        yield "this set holds a suit too often", "D2" if cap == 1 else "D20"
    if meld.at_once and len(meld.cards) != 4:
        yield "'at once' is said of four cards laid in one play", "R-SCORE-3"
    for i, placed in enumerate(meld.cards):
        if placed.seat != meld.owner and i != meld.later:
            yield (
                f"only one card of a set is laid later: the others are its owner's, seat {meld.owner}",
                "R-LAY-3",
            )
    later = None if meld.later is None else meld.cards[meld.later]
    unnamed = sum(placed.place is None for placed in meld.cards) if meld.kind == "set" else 0
    if unnamed and (not data.rules.unnamed_jokers or (later is not None and later.card == JOKER)):
        yield "jokers are left unnamed only two to one other card, by H3", "H3"


# --- the rest of the table -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Checks:
    data: PositionData

    def cards(self) -> Iterator[_Wrong]:
        """Yield a problem for each place with cards that cannot be there."""
        data = self.data
        for seat in range(data.players):
            if data.shown(seat) and (extra := _beyond(data.known[seat], data.hands[seat])):
                message = f"{cards_text(extra)} known of seat {seat} is not in hand {seat}"
                yield f"known {seat}|taken|must use", message, "D21"
        if data.restocked and not data.rules.restock:
            yield "restocked", "no new stock is made in this game", "H5"
        if extra := _beyond(data.restocked, data.rules.deck(data.players)):
            yield "restocked", f"{cards_text(extra)} is too many for the deck", "H5"
        elif data.restocked and data.stock and (extra := _beyond(data.stock, data.restocked)):
            yield "restocked", f"{cards_text(extra)} lies in the stock but was not put there", "H5"
        elif data.restocked and not data.complete:
            yield from self.hidden_restock()
        empty_pile = not data.pile and data.phase in (Phase.DRAW, Phase.CLAIM)
        if empty_pile and data.rules.go_out != "discard":
            yield "pile", "the pile is empty, though every turn ends with a discard", "R-TURN-1"

    def hidden_restock(self) -> Iterator[_Wrong]:
        """Yield a problem if a view has fewer unseen restocked cards than cards in the stock (H5)."""
        data = self.data
        seen: Counter[int] = Counter(data.pile)
        for hand in data.hands:
            seen.update(hand)
        for meld in data.melds:
            seen.update(placed.card for placed in meld.cards)
        unseen = Counter(data.rules.deck(data.players)) - seen
        if (unseen & Counter(data.restocked)).total() < data.stock_size:
            yield "restocked", "the stock holds more cards than are left of those put there", "H5"

    def turn(self) -> Iterator[_Wrong]:
        """Yield a problem for each value that contradicts the phase."""
        data, phase = self.data, self.data.phase
        if phase is Phase.CLAIM and not data.rules.claim:
            yield "phase", "in this game nobody calls", "H6"
        if (data.actor != data.turn) != (phase is Phase.CLAIM) and phase is not Phase.OVER:
            yield "actor", f"in phase {phase.name.lower()} the actor is {_who(phase)}", "R-TURN-2"
        yield from self.must_use()
        if data.banned is not None:
            if phase not in (Phase.PLAY, Phase.OVER) or not data.rules.keep_upcard:
                yield "banned", "no card is banned here", "H4"
            elif phase is Phase.PLAY and data.banned not in data.known[data.turn]:
                yield "banned", f"{card_text(data.banned)} is not known to be in hand {data.turn}", "H4"
        if data.drawn is not None and (phase in (Phase.DRAW, Phase.USE) or not data.progress):
            yield "drawn", "a card drawn belongs to phase play, and is progress", "R-DRAW-1"
        if data.drawn is not None and data.drawn not in data.rules.deck(data.players):
            yield "drawn", f"there is no {card_text(data.drawn)} in this game", "R-DRAW-1"
        if phase in (Phase.DRAW, Phase.USE) and data.progress:
            yield "progress", f"in phase {phase.name.lower()} the turn has made none yet", "D7"
        yield from self.empty_hands()

    def must_use(self) -> Iterator[_Wrong]:
        data = self.data
        if (data.must is not None) != (data.phase is Phase.USE):
            key = "phase" if data.must is None else "must use"
            yield key, "phase use and 'must use: CARD' go together", "R-DRAW-3"
        if data.must is not None and data.must not in data.taken:
            yield "must use", f"{card_text(data.must)} is not among the cards taken", "R-DRAW-3"
        if data.taken and data.must is None:
            yield "taken", "list the cards taken only while one of them must be used", "R-DRAW-3"
        if data.taken and (extra := _beyond(data.taken, data.known[data.turn])):
            yield "taken", f"{cards_text(extra)} taken is not known to be in hand {data.turn}", "D21"
        if data.called and not (data.rules.claim and data.phase is Phase.USE):
            yield "called", "no call is being made here", "H6"

    def empty_hands(self) -> Iterator[_Wrong]:
        data = self.data
        empty = [seat for seat, size in enumerate(data.sizes) if size == 0]
        if data.phase is not Phase.OVER:
            if empty and data.rules.go_out == "either":
                yield "phase", f"seat {empty[0]} has no card left, so the deal is over", "R-END-1"
            elif data.turn in empty and data.phase in (Phase.PLAY, Phase.USE):
                yield "phase", f"seat {data.turn} has no card left, so its turn is over", "R-TURN-1"
        if data.floater and data.rules.go_out == "either":
            yield "floater", "in this game nobody floats", "H2"
        if data.phase is Phase.DRAW and data.floater != (data.turn in empty):
            yield "floater", "before the draw a floater is who has no card", "H2"

    def counters(self) -> Iterator[_Wrong]:
        """Yield a problem for each impossible count."""
        data, rules = self.data, self.data.rules
        over = data.phase is Phase.OVER
        if rules.sides and any(a != b for a, b in zip(data.totals, data.totals[rules.sides :], strict=False)):
            yield "totals", "partners have one total: give it for both seats", "R-MATCH-5"
        limit = rules.no_progress_rounds * data.players
        if data.idle > limit or (data.idle == limit and not over):
            yield "idle", f"after {limit} turns without progress the deal is over", "D7"
        if data.passes and rules.stock_out != "pass":
            yield "passes", "in this game nobody passes", "D6"
        elif data.passes and (data.stock_size or (not over and data.passes >= data.players)):
            yield "passes", "passes are made on an empty stock, one for each player at most", "D6"
        if data.restocks and (not data.restocked or data.restocks > rules.restock_limit):
            yield "restocks", f"at most {rules.restock_limit}, and with a line 'restocked: CARDS'", "H5"

    def ending(self) -> Iterator[_Wrong]:
        """Yield a problem for each value that contradicts the end of the deal."""
        data, rules = self.data, self.data.rules
        over = data.phase is Phase.OVER
        if (data.reason is not None) != over:
            yield "ended", "'ended' belongs to phase over", ""
        if data.reason == "out" and data.out is not None and data.sizes[data.out]:
            yield "ended", f"seat {data.out} is out but holds cards", "R-END-1"
        if data.reason == "stock" and (data.stock_size or rules.stock_out != "end"):
            yield "ended", "the stock did not end this deal", "D5"
        if data.reason == "passes" and data.passes != data.players:
            yield "ended", f"passes ended the deal, but 'passes' is not {data.players}", "D6"
        if data.reason == "no_progress" and data.idle < rules.no_progress_rounds * data.players:
            yield "ended", "the limit without progress was not reached", "D7"
        if data.reason == "target" and rules.match_end != "at_once":
            yield "ended", "in this game the target is looked at after the deal", "D14"

    def limits(self) -> Iterator[_Wrong]:
        """Yield a problem for numbers out of range, past actions without the upcard, and a wrong `out`."""
        data = self.data
        if not 1 <= data.number <= MOST_DEALS:
            yield "number", f"the number of the deal is from 1 to {MOST_DEALS}, not {data.number}", ""
        for key, points in (("totals", data.totals), ("laid", data.laid)):
            if any(abs(one) > MOST_POINTS for one in points):
                yield key, f"points are at most {MOST_POINTS:,}", ""
        if data.past and action_kind(data.past[0]) is not ActionKind.DISCARD:
            yield "course", "a course begins with the upcard, written as its discard", ""
        if (data.out is not None) != (data.reason in ("out", "target")):
            yield "ended", "a seat goes out or reaches the target, and ends the deal in no other way", ""

    def points(self) -> Iterator[_Wrong]:
        """Yield a problem if the melds cannot have scored the points on the table."""
        data = self.data
        ways = points_of(data)
        if data.laid not in ways:
            said, counted = (" ".join(map(str, row)) for row in (data.laid, ways[0]))
            yield "laid", f"found {said}, but the melds count {counted}", "R-SCORE-1"
        elif data.rules.match_end == "at_once":
            reached = [seat for seat in range(data.players) if self.side_points(seat) >= data.rules.target]
            if reached and data.reason != "target":
                yield "laid", f"seat {reached[0]} has reached {data.rules.target}: the deal is over", "D14"
            if data.reason == "target" and data.out not in reached:
                yield "ended", f"seat {data.out} has not reached {data.rules.target}", "D14"

    def side_points(self, seat: int) -> int:
        data, rules = self.data, self.data.rules
        others = [s for s in range(data.players) if rules.side(s) == rules.side(seat)]
        return data.totals[seat] + sum(data.laid[s] for s in others)


def _beyond(cards: Sequence[int], among: Sequence[int]) -> list[int]:
    """Return the cards without those in `among`, sorted; each card in `among` removes one copy."""
    return sorted((Counter(cards) - Counter(among)).elements())


def _who(phase: Phase) -> str:
    return "one who did not just play" if phase is Phase.CLAIM else "the player in turn"


def _cannot_move(data: PositionData) -> Iterator[_Wrong]:
    """Yield a problem if the actor has no legal action; nothing if the actor's hand is hidden."""
    if data.phase is Phase.OVER or not (data.shown(data.actor) or data.phase is Phase.CLAIM):
        return
    moves = core_of(data).legal(Moves())
    if not moves:
        use = data.phase is Phase.USE
        what, rule = ("use the card taken", "R-DRAW-3") if use else ("end the turn", "D3a")
        yield "must use|phase", f"seat {data.actor} cannot {what}", rule
    elif data.phase is Phase.CLAIM and len(moves) == 1 and not data.rules.blind_claims:
        yield "phase", "no card of the pile can be called for", "R-CLAIM-1"


def points_of(data: PositionData) -> list[list[int]]:
    """Return all lists of points by seat that these melds can have scored.

    There is only one list, unless four cards of a run, laid at once, counted double and the run was extended
    later (D11): then it is unknown which four cards counted double.
    """
    sums = {(0,) * data.players}
    for meld in data.melds:
        ways = {tuple(way) for way in _meld_points(meld, data.rules, data.players)}
        sums = {tuple(a + b for a, b in zip(total, way, strict=True)) for total in sums for way in ways}
    return [list(total) for total in sorted(sums)]


def _meld_points(meld: MeldData, rules: Ruleset, players: int) -> Iterator[list[int]]:
    """Yield one meld's points by seat, once for each choice of the cards that count double (R-SCORE-3)."""
    values = card_points(rules, meld.cards, meld.kind == "run")
    for doubled in _doubled(meld, rules):
        points = [0] * players
        for i, (placed, value) in enumerate(zip(meld.cards, values, strict=True)):
            points[placed.seat] += value * (2 if i in doubled else 1)
        yield points


def _doubled(meld: MeldData, rules: Ruleset) -> Iterator[range]:
    """Yield each range of card indexes that may count double (R-SCORE-3); an empty range if none does."""
    if not meld.at_once or not four_double(rules, meld.kind == "run"):
        yield range(0)
        return
    for first in range(len(meld.cards) - 3):
        if all(meld.cards[i].seat == meld.owner for i in range(first, first + 4)):
            yield range(first, first + 4)
