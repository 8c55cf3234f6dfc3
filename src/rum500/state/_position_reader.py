"""Reads positions from text and collects all problems, with line and column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rum500.cards import card_text, cards_text
from rum500.rng import U64
from rum500.rules.action_codes import action_kind
from rum500.rules.actions import Laid
from rum500.rules.interpretations import Interpretation, WrittenCard, as_meld, plain
from rum500.rules.notation_tokens import CardReader, NotationError, Token
from rum500.rules.problems import Problem, RulesetError
from rum500.rules.ruleset import Ruleset
from rum500.state import rules_text
from rum500.state._position_checks import check, points_of
from rum500.state._position_lines import (
    COUNT,
    HEX,
    KIND,
    REST,
    PositionError,
    PositionLines,
    Spot,
    problem,
    shown,
)
from rum500.state._position_writer import SPECTATOR
from rum500.state.core_setup import default_deal_number
from rum500.state.position_data import MeldData, PositionData, check_draws, later_card
from rum500.state.position_limits import MOST_DEALS, MOST_POSITION
from rum500.state.text_lines import (
    KeyLine,
    whole_number,
)
from rum500.view import REASONS, Phase, Placed

_MOST_LINES = 2_000
_SPOT = re.compile(r"(\+?)(.*?)(?:@([0-9]{1,2}))?")


@dataclass(slots=True)
class Reader(PositionLines):
    """Builds a position from its lines."""

    # The whole

    def data(self) -> PositionData | None:
        """Return the position; None if too much is wrong."""
        rules, found = rules_text.read_rules(self.rules_lines, self.block, KIND)
        self.problems += found
        if self.block and not any(line.key == ("ruleset",) for line in self.rules_lines):
            self.bad("block", "lines that begin with '|' belong under 'ruleset:'", None)
        if rules is None:
            return None
        players = self.seats(rules)
        if players is None:
            return None
        data = self.table(rules, players)
        self.turn(data)
        self.deck(data)
        return data

    def seats(self, rules: Ruleset) -> int | None:
        players = self.number("players", max(self.hands, default=-1) + 1, 1, 8)
        try:
            rules.check_players(players)
        except RulesetError as error:
            self.bad("players", error.problems[0].message, self.lines.get("players"), error.problems[0].rule)
            return None
        for rows in (self.hands, self.known):
            for seat, line in rows.items():
                if not 0 <= seat < players:
                    message = f"seat {seat} is not at this table: seats are 0 to {players - 1}"
                    self.bad("seat", message, line, column=line.column)
        return None if self.problems else players

    def table(self, rules: Ruleset, players: int) -> PositionData:
        seats = range(players)
        seat, complete = self.observer(players)
        over = "phase" in self.lines and self.lines["phase"].value.lower() == "over"
        totals = self.numbers("totals", players) or [0] * players
        data = PositionData(
            rules=rules,
            players=players,
            dealer=0,
            turn=0,
            actor=0,
            phase=Phase.OVER if over else Phase.DRAW,
            hands=[[] for _ in seats],
            sizes=[0] * players,
            known=[[] for _ in seats],
            pile=[],
            stock=None,
            stock_size=0,
            melds=[],
            laid=[],
            totals=totals,
            number=self.number("deal", default_deal_number(totals), 1, MOST_DEALS),
            complete=complete,
            seat=seat,
        )
        for s in seats:
            self.hand(data, s)
        data.pile = self.cards(self.lines.get("pile"), "the pile")
        self.stock(data)
        data.restocked = sorted(self.cards(self.lines.get("restocked")))
        for number, (stated, owner, line) in enumerate(self.melds, 1):
            if stated not in (None, number):
                self.bad("meld", f"found meld {stated}, expected meld {number}", line, column=line.column)
            self.meld(data, owner, line)
        data.laid = self.numbers("laid", players) or []
        return data

    def observer(self, players: int) -> tuple[int | None, bool]:
        line = self.lines.get("seat")
        if line is None or line.value.lower() == SPECTATOR:
            return None, line is None
        return self.number("seat", 0, 0, players - 1), False

    def hand(self, data: PositionData, seat: int) -> None:
        line = self.hands.get(seat)
        if line is None:
            if self.hands:
                self.bad("hand", f"no line 'hand {seat}: CARDS'", None)
            return
        if not data.shown(seat):
            self.hidden_hand(data, seat, line)
            return
        if COUNT.fullmatch(line.value):
            what = "the observer's own" if data.seat == seat else "everybody's, without a line 'seat: N'"
            self.bad("hand", f"found a number of cards, expected the cards: this hand is {what}", line)
            return
        data.hands[seat] = self.cards(line, f"hand {seat}")
        data.known[seat] = sorted(self.cards(self.known.get(seat)))
        data.sizes[seat] = len(data.hands[seat])

    def hidden_hand(self, data: PositionData, seat: int, line: KeyLine) -> None:
        found = COUNT.fullmatch(line.value)
        if not found:
            message = f"found {shown(line.value)}, expected such as '7 cards' or '7 cards, known 8C 9C'"
            self.bad("hand", message + ": this hand is hidden from the observer", line)
            return
        known = replace(line, value=found[2] or "", at=line.at + max(0, found.start(2)))
        data.sizes[seat] = int(found[1])
        data.hands[seat] = self.cards(known, f"hand {seat}")
        data.known[seat] = sorted(data.hands[seat])
        if seat in self.known:
            self.bad(
                "known", f"write what is known of a hidden hand in the line 'hand {seat}'", self.known[seat]
            )
        if len(data.hands[seat]) > data.sizes[seat]:
            self.bad("hand", f"{data.sizes[seat]} cards, but {len(data.hands[seat])} are known", line)

    def stock(self, data: PositionData) -> None:
        line = self.lines.get("stock")
        found = COUNT.fullmatch(line.value) if line else None
        if data.complete:
            if line and found:
                self.bad("stock", "found a number of cards, expected the cards, next card first", line)
            elif line:
                data.stock = self.cards(line, "the stock")
        elif line and not found:
            self.bad(
                "stock", f"found {shown(line.value)}, expected such as '20 cards': the stock is hidden", line
            )
        data.stock_size = int(found[1]) if found else -1

    # Melds

    def meld(self, data: PositionData, owner: int, line: KeyLine) -> None:
        words: list[WrittenCard] = []
        seats: list[int] = []
        later: list[int] = []
        for token in _pieces(line):
            found = _SPOT.fullmatch(token.text)
            word = self.meld_word(found[2], line, token.column + len(found[1])) if found else None
            if not found or word is None:
                return
            self.spots.append(Spot(word.card, f"meld {len(data.melds) + 1}", line.line, token.column))
            later += [len(words)] if found[1] else []
            words.append(word)
            seats.append(int(found[3]) if found[3] else owner)
        if any(seat >= data.players for seat in (owner, *seats)):
            self.bad("seat", f"seats are 0 to {data.players - 1}", line)
            return
        reading = self.reading(words, data, line)
        if reading is not None:
            cards, later = _seated(words, seats, later, reading)
            at_once = line.value.lower().endswith("at once")
            data.melds.append(self.meld_data(cards, owner, later, at_once, line))

    def meld_word(self, text: str, line: KeyLine, column: int) -> WrittenCard | None:
        reader = CardReader(text, line.line, column)
        try:
            word = reader.word(reader.pop())
            if reader.next.text:
                reader.unexpected(reader.next, "a blank between two cards")
        except NotationError as error:
            self.problems.append(problem(error))
            return None
        return word

    def reading(self, words: list[WrittenCard], data: PositionData, line: KeyLine) -> Interpretation | None:
        """Return the only interpretation of these cards as a meld.

        Returns None and adds a problem if there is none, or more than one.
        """
        opened = sum(word.place is None for word in words)
        rules = data.rules
        if (
            rules.unnamed_jokers
            and opened == 2
            and len(words) == 4
            and len({word.rank for word in words}) == 2
        ):
            return plain(words)
        readings = as_meld(words, rules, rules.packs(data.players))
        if not readings:
            wrong = cards_text(word.card for word in words) or "no card"
            self.bad("meld", f"{wrong}: neither a set nor a run in this game", line, "R-MELD-1")
        elif len(readings) > 1:
            self.bad("meld", f"say what each joker stands for: {len(readings)} readings", line, "R-MELD-5")
        return readings[0] if len(readings) == 1 else None

    def meld_data(
        self, cards: list[Placed], owner: int, later: list[int], at_once: bool, line: KeyLine
    ) -> MeldData:
        places = {placed.place % 16 for placed in cards if placed.place is not None}
        kind = "run" if len(places) > 1 else "set" if places else "jokers"
        meld_data = MeldData(kind, tuple(cards), owner, at_once)
        if later and (kind == "run" or len(later) > 1 or len(cards) != 4 or at_once):
            self.bad("meld", "'+' marks the one card laid later on a set of three", line, "R-LAY-1")
        elif kind != "run" and len(cards) == 4 and not at_once:
            meld_data.later = later[0] if later else later_card(cards, owner)
        return meld_data

    # The turn and its progress

    def turn(self, data: PositionData) -> None:
        last = data.players - 1
        turn = self.number("turn", -1, 0, last)
        data.dealer = self.number("dealer", turn - 1 if turn > 0 else last, 0, last)
        data.turn = turn if turn >= 0 else (data.dealer + 1) % data.players
        data.must, data.banned, data.drawn = (self.card(key) for key in ("must use", "banned", "drawn"))
        data.called = self.yes("called", default=False)
        data.phase = self.phase(data)
        claim = data.phase is Phase.CLAIM
        data.actor = self.number("actor", (data.turn + claim) % data.players, 0, last)
        data.taken = sorted(self.cards(self.lines.get("taken")))
        if data.must is not None and "taken" not in self.lines:
            data.taken = [data.must]
        shown = data.shown(data.turn)
        if data.taken and shown and data.turn not in self.known:
            data.known[data.turn] = list(data.taken)
        empty = data.phase is Phase.DRAW and data.sizes[data.turn] == 0
        data.floater = self.yes("floater", default=empty and REST not in self.words_of_hand(data.turn))
        data.progress = self.yes("progress", default=data.phase is Phase.PLAY)
        data.idle = self.number("idle", 0, 0, 9999)
        data.passes = self.number("passes", 0, 0, 8)
        data.restocks = self.number("restocks", 0, 0, 99)
        data.rng = self.generator()
        data.reason, data.out = self.ending(data)
        data.past = self.course()
        data.draws = self.draws(data)

    def words_of_hand(self, seat: int) -> list[str]:
        return self.hands[seat].value.lower().split() if seat in self.hands else []

    def phase(self, data: PositionData) -> Phase:
        line = self.lines.get("phase")
        if line is None:
            return Phase.DRAW if data.must is None else Phase.USE
        names = [phase.name.lower() for phase in Phase]
        if line.value.lower() not in names:
            self.bad("phase", f"found {shown(line.value)}, expected {', '.join(names)}", line)
            return Phase.DRAW
        return Phase[line.value.upper()]

    def generator(self) -> int | None:
        line = self.lines.get("rng")
        if line is None:
            return None
        if not HEX.fullmatch(line.value):
            self.bad("rng", f"found {shown(line.value)}, expected up to 16 hexadecimal digits", line)
            return None
        return int(line.value, 16)

    def course(self) -> tuple[int, ...]:
        """Return the codes of the past actions from the line `course`. The first is the upcard, as a discard.

        Returns an empty tuple if there is no such line, or if it is wrong, which also adds a problem.
        """
        line = self.lines.get("course")
        if line is None:
            return ()
        codes: list[int] = []
        for token in re.finditer(r"[^\s,]+", line.value):
            try:
                code = int(token[0]) if re.fullmatch("[0-9]{1,20}", token[0]) else -1
                action_kind(code if 0 <= code <= U64 else -1)
            except ValueError:
                wrong = f"found {shown(token[0])}, expected the number of an action"
                self.bad("course", wrong, line, column=line.at + token.start())
                return ()
            codes.append(code)
        if not codes:
            self.bad("course", "a course begins with the upcard, written as its discard", line)
        return tuple(codes)

    def draws(self, data: PositionData) -> tuple[int, ...]:
        """Return the cards that the past actions drew from the stock, in order, from the line `draws`."""
        line = self.lines.get("draws")
        draws = tuple(self.cards(line))
        if line is not None and not data.complete:
            self.bad("draws", "one seat's view does not contain what others drew", line)
            return ()
        try:
            check_draws(data.rules, data.past, draws)
        except ValueError as error:
            self.bad("draws", str(error), line)
        return draws

    def ending(self, data: PositionData) -> tuple[str | None, int | None]:
        line = self.lines.get("ended")
        if line is None:
            if data.phase is Phase.OVER:
                self.bad("ended", "the deal is over: say how, 'ended: out by 2' or 'ended: stock'", None)
            return None, None
        words = line.value.lower().split()
        seat = whole_number(words[2]) if len(words) == 3 and words[1] == "by" else None
        by_seat = bool(words) and words[0] in ("out", "target")
        if not words or words[0] not in REASONS.values() or len(words) != (3 if by_seat else 1):
            wanted = "'out by N', 'target by N', stock, passes or no_progress"
            self.bad("ended", f"found {shown(line.value)}, expected {wanted}", line)
            return None, None
        if by_seat and (seat is None or not 0 <= seat < data.players):
            self.bad("seat", f"seats are 0 to {data.players - 1}", line)
            return None, None
        return words[0], seat

    # The deck

    def deck(self, data: PositionData) -> None:
        """Add a problem for each card that is named too often; if there are none, place the unnamed cards."""
        wanted = Counter(data.rules.deck(data.players))
        seen: dict[int, list[Spot]] = {}
        for spot in self.spots:
            seen.setdefault(spot.card, []).append(spot)
            if len(seen[spot.card]) > wanted[spot.card]:
                self.problems.append(_too_many(spot, seen[spot.card], wanted[spot.card], data.rules))
        if not self.problems:
            missing = wanted - Counter(spot.card for spot in self.spots)
            self.place_rest(data, sorted(missing.elements()))

    def place_rest(self, data: PositionData, missing: list[int]) -> None:
        """Put `missing`, the cards that the file does not name, where the word 'rest' is, or into the stock.

        For one seat's view, only check that the number of these cards is right.
        """
        if not data.complete:
            self.hidden_cards(data, len(missing))
        elif self.rest is not None:
            cards, at = self.rest
            cards[at:at] = missing
            data.sizes = [len(hand) for hand in data.hands]
        elif data.stock is None:
            data.stock = missing
        elif missing:
            total = len(data.rules.deck(data.players))
            message = f"the cards do not add up: {cards_text(missing)} lie nowhere ({total} cards in play)"
            self.bad("deck", message, self.lines.get("stock"))
        if data.stock is not None:
            data.stock_size = len(data.stock)

    def hidden_cards(self, data: PositionData, unseen: int) -> None:
        hidden = sum(size - len(hand) for size, hand in zip(data.sizes, data.hands, strict=True))
        if data.stock_size < 0:
            data.stock_size = max(0, unseen - hidden)
        if self.rest is not None:
            self.bad("rest", "'rest' has no place in a file of what one seat sees", None)
        if hidden + data.stock_size != unseen:
            message = (
                f"the cards do not add up: {unseen} are not seen, but the hidden hands hold {hidden} "
                f"and the stock {data.stock_size}"
            )
            self.bad("deck", message, self.lines.get("stock"))


def read(text: str) -> PositionData:
    """Return the position in a text. Raises `PositionError` with everything that is wrong with it."""
    if not isinstance(text, str):
        raise TypeError(f"a position file is a text, not {text!r}")
    if len(text) > MOST_POSITION or text.count("\n") > _MOST_LINES:
        message = f"is longer than {MOST_POSITION:,} characters or {_MOST_LINES:,} lines"
        raise PositionError([Problem("position.size", "", "", message, 1, 1)])
    reader = Reader()
    reader.read_lines(text)
    data = reader.data()
    if data is not None and not reader.problems:
        if not data.laid:
            data.laid = points_of(data)[0]
        lines = reader.lines | {f"known {seat}": line for seat, line in reader.known.items()}
        reader.problems += check(data, lines, [line for _, _, line in reader.melds], reader.last)
    if data is None or reader.problems:
        raise PositionError(sorted(reader.problems, key=lambda p: (p.line or 0, p.column or 0)))
    return data


def _pieces(line: KeyLine) -> list[Token]:
    """Return the words of a meld's line with their columns, without `at once` at the end."""
    value = line.value
    if value.lower().endswith("at once"):
        value = value[: -len("at once")]
    return [Token(found[0], line.at + found.start()) for found in re.finditer(r"[^\s,]+", value)]


def _seated(
    words: Sequence[WrittenCard], seats: Sequence[int], later: Sequence[int], reading: Interpretation
) -> tuple[list[Placed], list[int]]:
    """Return the cards in the order of `reading`, with their seats, and the indexes of those laid later."""
    left = list(reading)
    given: list[tuple[Laid, int, bool]] = []
    for named in (True, False):
        for i, word in enumerate(words):
            if (word.place is not None) == named:
                laid = next(one for one in left if _fits(one, word))
                left.remove(laid)
                given.append((laid, seats[i], i in later))
    order = {id(laid): place for place, laid in enumerate(reading)}
    given.sort(key=lambda one: order[id(one[0])])
    return [Placed(laid.card, laid.place, seat) for laid, seat, _ in given], [
        i for i, (_, _, marked) in enumerate(given) if marked
    ]


def _fits(laid: Laid, word: WrittenCard) -> bool:
    if laid.card != word.card:
        return False
    if word.place is None:
        return True
    return laid.place is not None and (laid.place // 16, laid.place % 16 % 13) == (
        word.place // 16,
        word.rank,
    )


def _too_many(spot: Spot, spots: Sequence[Spot], allowed: int, rules: Ruleset) -> Problem:
    name = card_text(spot.card)
    if not allowed:
        message = f"{name}: {rules.title or rules.name} is played without jokers"
    else:
        others = ", ".join(f"{other.where} (line {other.line})" for other in spots[:-1])
        much = "once" if allowed == 1 else f"{allowed} times"
        message = f"{name} in {spot.where} is one too many: it is there {much}, in {others}"
    return Problem("position.deck", "", "", message, spot.line, spot.column)
