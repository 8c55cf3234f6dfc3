"""Reads records. Each deal is replayed during reading, because the meaning of plays depends on the table."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Generic, NoReturn, TypeVar

from rum500.record._format import NO_CHECKSUM, UNFINISHED, checksum
from rum500.record.record_data import (
    MOST_RECORD,
    DealRecord,
    Outcome,
    RecordData,
    RecordedPlay,
    RecordError,
    check_names,
    check_tag,
)
from rum500.rules.actions import Action, Call, Draw, LetGo
from rum500.rules.notation import parse_play, split_plays
from rum500.rules.notation_tokens import CardReader, NotationError
from rum500.rules.problems import Problem, RulesetError
from rum500.rules.ruleset import Ruleset
from rum500.state import IllegalPlay, State
from rum500.state.rules_text import KEYS, read_rules
from rum500.state.text_lines import (
    KeyLine,
    bare,
    check_head,
    key_line,
    physical_lines,
    unknown_key,
    whole_number,
)
from rum500.view import REASONS, Phase

KIND, VERSION = "record", 1
HEADER_KEYS = (*KEYS, "digest", "players", "name N", "deal", "checksum")
_MOST_IN_LINE = 100_000
DEAL_KEYS = ("dealer", "totals", "deck", "result", "deal", "checksum")
_RESTOCK = "restock"
R = TypeVar("R", bound=RecordData)


class _Stop(Exception):
    """Raised when the deal cannot be replayed any further."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


@dataclass(slots=True)
class _Deal:
    """A deal that is being read."""

    record: DealRecord
    deck: list[int] | None = None
    block: int = 0
    """The number of the last line of the deck, directly below which another may follow; 0 if none may."""
    state: State | None = None
    turns: int = 0
    ended: bool = False


@dataclass(slots=True)
class _Reader(Generic[R]):
    text: str
    kind: type[R]
    rules_lines: list[KeyLine] = field(default_factory=list)
    block: list[str] = field(default_factory=list)
    names: dict[int, KeyLine] = field(default_factory=dict)
    single: dict[str, KeyLine] = field(default_factory=dict)
    tags: list[tuple[str, str]] = field(default_factory=list)
    record: R | None = None
    deal: _Deal | None = None
    seal: str = "missing"
    last: int = 1

    def read(self) -> R:
        lines = physical_lines(self.text)
        head = False
        for number, physical in enumerate(lines, 1):
            if len(physical) > _MOST_IN_LINE:
                self.fail("size", f"the line is longer than {_MOST_IN_LINE:,} characters", number, 1)
            if self.seal != "missing" and physical.strip():
                self.fail("end", "nothing may follow the checksum", number, 1)
            content = physical.rstrip() if self.quoted(physical) else bare(physical)
            if not content.strip():
                continue
            self.last = number
            if not head:
                head = True
                problem = check_head(content, number, KIND, VERSION)
                if problem:
                    raise RecordError(problem)
            else:
                self.line(content, number)
        if not head:
            self.fail("head", f"the text is empty, expected 'rum500 {KIND} {VERSION}'", 1, 1)
        record = self.record or self.begin()
        self.close_deal()
        record.seal, record.last_line = self.seal, self.last
        return record

    def quoted(self, physical: str) -> bool:
        """Return whether a `#` in this line may be text, not a comment: the line belongs to a block of TOML
        or is a turn.
        """
        start = physical.lstrip()[:1]
        return start == "|" or ("0" <= start <= "9" and self.record is not None)

    def fail(self, code: str, message: str, line: int, column: int) -> NoReturn:
        raise RecordError(Problem(f"record.{code}", "", "", message, line, column))

    def line(self, content: str, number: int) -> None:
        """Process one line that is not empty."""
        start = content.lstrip()
        if start.startswith("|"):
            self.block_line(content, start, number)
            return
        faulty = self.deal is not None and self.deal.record.fault is not None
        if self.deal is not None and faulty and not start.startswith(("deal:", "checksum:")):
            self.deal.record.unread.append(content.strip())
            return
        if "0" <= start[0] <= "9" and self.record is not None:
            self.turn(content, number)
            return
        line = key_line(content, number)
        if line is None:
            self.fail("line", f"found {start[:40]!r}, expected 'key: value'", number, 1)
        self.key(line)

    def block_line(self, content: str, start: str, number: int) -> None:
        deal = self.deal
        if deal is None:
            self.block.append(start[2:] if start.startswith("| ") else start[1:])
        elif deal.deck is not None and deal.block == number - 1:
            at = content.index("|") + 2
            deal.deck += self.cards(KeyLine((), bare(start[1:]), number, 1, at))
            deal.block = number
        elif deal.record.fault is not None:
            deal.record.unread.append(content.strip())
        else:
            self.fail("line", "a line that begins with '|' belongs under 'deck:'", number, 1)

    # --- keys ---------------------------------------------------------------------------------------

    def key(self, line: KeyLine) -> None:
        words = tuple(word.lower() for word in line.key)
        name = " ".join(words)
        if name == "checksum":
            self.check(line)
        elif name == "deal":
            self.begin_deal(line)
        elif "A" <= line.name[0] <= "Z":
            self.tag(line)
        elif self.deal is None:
            self.header_key(replace(line, key=words), name)
        else:
            self.deal_key(line, name)

    def check(self, line: KeyLine) -> None:
        """Read the line with the checksum, and compare the checksum with the exact text above that line."""
        above = "\n".join(self.text.split("\n")[: line.line - 1]) + "\n"
        if line.value == NO_CHECKSUM:
            self.seal = "none"
        elif self.text == f"{above}checksum: {checksum(above)}\n":
            self.seal = "right"
        else:
            self.seal = "wrong"

    def tag(self, line: KeyLine) -> None:
        tag = (line.name, line.value)
        try:
            check_tag(*tag)
        except ValueError as error:
            self.fail("tag", str(error), line.line, line.column)
        if self.deal is None:
            self.tags.append(tag)
        elif self.deal.state is None:
            self.deal.record.tags.append(tag)
        else:
            self.deal.record.end_tags.append(tag)

    def header_key(self, line: KeyLine, name: str) -> None:
        words = line.key
        if words[0] in ("profile", "option", "ruleset") or name == "house rules":
            self.rules_lines.append(line)
        elif words[0] == "name" and len(words) == 2 and (seat := whole_number(words[1])) is not None:
            if seat in self.names:
                self.fail("twice", f"name {seat} occurs twice", line.line, line.column)
            self.names[seat] = line
        elif name in ("digest", "players"):
            if name in self.single:
                self.fail("twice", f"{name!r} occurs twice", line.line, line.column)
            self.single[name] = line
        else:
            raise RecordError(unknown_key(KIND, line, HEADER_KEYS))

    def begin(self) -> R:
        """Make the record from the lines of the header, and return it."""
        rules, found = read_rules(self.rules_lines, self.block, KIND)
        if rules is None:
            raise RecordError(replace(found[0], line=found[0].line or 1, column=found[0].column or 1))
        self.record = record = self.kind(rules, self.players(rules), self.seat_names(rules), self.tags)
        if "digest" in self.single:
            record.digest = self.single["digest"].value
            record.lines["digest"] = self.single["digest"].line
        return record

    def players(self, rules: Ruleset) -> int:
        line = self.single.get("players")
        players = whole_number(line.value) if line else len(self.names)
        try:
            rules.check_players(players or 0)
        except RulesetError as error:
            at = (line.line, line.at) if line else (self.last, 1)
            self.fail("players", error.problems[0].message, *at)
        return players or 0

    def seat_names(self, rules: Ruleset) -> list[str]:
        if not self.names:
            return []
        players = self.players(rules)
        missing = [seat for seat in range(players) if seat not in self.names]
        extra = [seat for seat in self.names if not 0 <= seat < players]
        first = next(iter(self.names.values()))
        if missing or extra:
            self.fail("name", f"expected names for seats 0 to {players - 1}", first.line, first.column)
        names = [self.names[seat].value for seat in range(players)]
        try:
            check_names(names, players)
        except ValueError as error:
            self.fail("name", str(error), first.line, first.at)
        return names

    # --- a deal -------------------------------------------------------------------------------------

    def begin_deal(self, line: KeyLine) -> None:
        record = self.record or self.begin()
        self.close_deal()
        number = len(record.deals) + 1
        if whole_number(line.value) != number:
            self.fail("deal", f"found {line.value[:20]!r}, expected {number}", line.line, line.at)
        deal = DealRecord((), record.usual_dealer(), record.totals_after(len(record.deals)))
        deal.lines["deal"] = line.line
        record.deals.append(deal)
        self.deal = _Deal(deal)

    def close_deal(self) -> None:
        """Check that the last deal is complete."""
        if self.deal is not None and self.deal.state is None and self.deal.record.fault is None:
            self.start()

    def deal_key(self, line: KeyLine, name: str) -> None:
        deal = self.deal
        assert deal is not None
        if name not in DEAL_KEYS:
            raise RecordError(unknown_key(KIND, line, DEAL_KEYS))
        if name in deal.record.lines:
            self.fail("twice", f"{name!r} occurs twice in this deal", line.line, line.column)
        deal.record.lines[name] = line.line
        if name == "result":
            self.result(line)
        elif deal.state is not None:
            self.fail("order", f"{name!r} belongs above the plays", line.line, line.column)
        elif name == "dealer":
            deal.record.dealer = self.seat(line.value, line.line, line.at)
        elif name == "totals":
            deal.record.totals = self.numbers(line.value, line.line, line.at)
        else:
            deal.deck = self.cards(line)
            deal.block = line.line

    def seat(self, text: str, line: int, column: int) -> int:
        """Return a seat by its name or number."""
        record = self.record
        assert record is not None
        names = [name.casefold() for name in record.names]
        if text.casefold() in names:
            return names.index(text.casefold())
        number = whole_number(text)
        if number is None or not 0 <= number < record.players:
            known = ", ".join(record.names)
            self.fail("seat", f"found {text[:40]!r}, expected a player: {known}", line, column)
        return number

    def numbers(self, text: str, line: int, column: int) -> tuple[int, ...]:
        assert self.record is not None
        numbers = [whole_number(word) for word in text.split()]
        if len(numbers) != self.record.players or None in numbers:
            wanted = f"{self.record.players} numbers, one a seat"
            self.fail("number", f"found {text[:40]!r}, expected {wanted}", line, column)
        return tuple(number for number in numbers if number is not None)

    def cards(self, line: KeyLine) -> list[int]:
        reader = CardReader(line.value, line.line, line.at)
        cards = []
        try:
            while reader.next.text:
                cards.append(reader.card(reader.pop()))
        except NotationError as error:
            raise _refused(error) from None
        return cards

    def start(self) -> None:
        """Deal the cards, before the first turn."""
        record, deal = self.record, self.deal
        assert record is not None
        assert deal is not None
        if deal.deck is None:
            message, line = "no line 'deck: CARDS' in this deal", deal.record.lines["deal"]
            deal.record.fault = Problem("record.deck", "", "R-DEAL-2", message, line, 1)
            return
        deal.record.deck = tuple(deal.deck)
        deal.block = 0
        try:
            deal.state = State.new(
                record.rules, record.players, deal.record.deck, deal.record.dealer, deal.record.totals
            )
        except ValueError as error:
            line = deal.record.lines["deck"]
            deal.record.fault = Problem("record.deck", "", "R-DEAL-2", str(error), line, 1)

    def result(self, line: KeyLine) -> None:
        deal = self.deal
        assert deal is not None
        if deal.state is None:
            self.start()
            if deal.record.fault is not None:
                deal.record.unread.append(f"result: {line.value}")
                return
        deal.ended = True
        if line.value.lower() == UNFINISHED:
            return
        how, semicolon, points = line.value.partition(";")
        reason, by, name = how.strip().partition(" by ")
        if reason.lower() not in REASONS.values() or bool(by) != (reason.lower() in ("out", "target")):
            wanted = "such as 'out by NAME; points 12 -3', 'stock; points 5 8' or 'unfinished'"
            self.fail("result", f"found {line.value[:40]!r}, expected {wanted}", line.line, line.at)
        out = self.seat(name.strip(), line.line, line.at + len(reason) + 4) if by else None
        at = line.at + len(how) + 1 + len(points) - len(points.lstrip())
        if not semicolon or not points.strip().lower().startswith("points "):
            self.fail("result", "expected '; points' and a number for each seat", line.line, at)
        given = self.numbers(points.strip()[len("points ") :], line.line, at + len("points "))
        deal.record.outcome = Outcome(reason.lower(), out, given)

    # --- turns --------------------------------------------------------------------------------------

    def turn(self, content: str, number: int) -> None:
        deal = self.deal
        if deal is None:
            self.fail("line", "a turn belongs to a deal: a line 'deal: 1' and its deck come first", number, 1)
        if deal.state is None:
            self.start()
            if deal.record.fault is not None:
                deal.record.unread.append(content.strip())
                return
        plain, comment = self.without_comment(content, number)
        head, colon, _ = plain.partition(":")
        count, _, name = head.strip().partition(" ")
        if not colon or not name.strip():
            self.fail("turn", "expected a turn, such as '3 East: draw; discard KD'", number, 1)
        if deal.ended:
            self.fail("order", "a turn follows the result", number, 1)
        if whole_number(count) != deal.turns + 1:
            self.fail("turn", f"found turn {count[:20]}, expected turn {deal.turns + 1}", number, 1)
        deal.turns += 1
        seat = self.seat(name.strip(), number, 1 + plain.index(name))
        try:
            self.plays(deal, plain[len(head) + 1 :], seat, (number, len(head) + 2))
        except _Stop as stop:
            deal.record.fault = stop.problem
            deal.record.plays = [play for play in deal.record.plays if play.line != number]
            deal.record.unread.append(content.strip())
            return
        if comment:
            deal.record.comments[len(deal.record.plays) - 1] = comment

    def without_comment(self, content: str, number: int) -> tuple[str, str]:
        """Return (line, remark) from a turn's line.

        A remark is a text in braces. In the returned line, blanks replace the remarks, and a `#` comment is
        removed.
        """
        plain, said, opened = [], [], 0
        for i, char in enumerate(content):
            if opened:
                if char == "}":
                    said.append(content[opened:i].strip())
                    opened = 0
                plain.append(" ")
            elif char == "{":
                opened = i + 1
                plain.append(" ")
            elif char == "#" and content[i - 1].isspace():
                break
            else:
                plain.append(char)
        if opened:
            self.fail("comment", "this comment is not closed: expected '}'", number, opened)
        comment = " ".join(part for part in said if part).replace("{", "(")
        return "".join(plain), "".join(char for char in comment if ord(char) >= 32)

    def plays(self, deal: _Deal, text: str, seat: int, at: tuple[int, int]) -> None:
        """Read the plays of one line; `seat` makes them, and `at` is the line and column of `text`."""
        state = deal.state
        assert state is not None
        before = len(deal.record.plays)
        order: tuple[int, ...] = ()
        for piece, column in split_plays(text, at[1]):
            if order:
                self.expect_draw(piece, at[0], column)
            elif piece.split()[0].lower() == _RESTOCK:
                order = tuple(
                    self.cards(KeyLine((), piece[len(_RESTOCK) :], at[0], 1, column + len(_RESTOCK)))
                )
                self.in_turn(state, seat, at[0], column)
                if not order:
                    self.fail(
                        "restock", "expected the cards of the new stock, next card first", at[0], column
                    )
                continue
            action = self.action(deal, piece, seat, (at[0], column), first=len(deal.record.plays) == before)
            self.act(deal, RecordedPlay(action, order, at[0], column))
            order = ()
        if order or len(deal.record.plays) == before:
            self.fail("turn", "expected a play such as 'draw'", at[0], at[1] + len(text.rstrip()))

    def expect_draw(self, piece: str, line: int, column: int) -> None:
        if piece.lower() not in ("draw", "d", "stock"):
            self.fail("restock", f"found {piece[:40]!r}, expected 'draw' after the new stock", line, column)

    def action(self, deal: _Deal, text: str, seat: int, at: tuple[int, int], *, first: bool) -> Action:
        """Return the play in `text`, which is at line and column `at`.

        With `first`, the play begins a line: first add the declined calls that the record leaves out there.
        """
        state = deal.state
        assert state is not None
        try:
            action = parse_play(text, state, line=at[0], column=at[1])
        except NotationError as error:
            if error.code in ("notation.expected", "notation.rest", "notation.meld"):
                raise _refused(error) from None
            raise _Stop(_problem(error)) from None
        if first:
            while state.phase is Phase.CLAIM and (
                state.actor != seat or not isinstance(action, Call | LetGo)
            ):
                self.act(deal, RecordedPlay(LetGo(), (), *at))
        self.in_turn(state, seat, *at)
        return action

    def in_turn(self, state: State, seat: int, line: int, column: int) -> None:
        assert self.record is not None
        if state.is_over:
            raise _Stop(Problem("record.illegal", "", "R-END-2", "the deal is over", line, column))
        if state.actor != seat:
            message = f"it is not {self.record.names[seat]}'s turn but {self.record.names[state.actor]}'s"
            raise _Stop(Problem("record.illegal", "", "R-TURN-2", message, line, column))

    def act(self, deal: _Deal, play: RecordedPlay) -> None:
        state = deal.state
        assert state is not None
        at = (play.line, play.column)
        try:
            if play.restock:
                state.restock_order(play.restock)
            elif isinstance(play.action, Draw) and not state.stock and state.is_legal(play.action):
                message = "this draw makes a new stock: write its order before it, 'restock CARDS; draw'"
                raise _Stop(Problem("record.restock", "", "H5", message, *at))
            state.apply(play.action)
        except IllegalPlay as error:
            refusal = error.refusal
            raise _Stop(Problem("record.illegal", "", refusal.rule, refusal.message, *at)) from None
        except ValueError as error:
            raise _Stop(Problem("record.restock", "", "H5", str(error), *at)) from None
        deal.record.plays.append(play)


def _problem(error: NotationError) -> Problem:
    return Problem(f"record.{error.code}", "", "", error.message, error.line, error.column)


def _refused(error: NotationError) -> RecordError:
    return RecordError(_problem(error))


def read(text: str, kind: type[R]) -> R:
    """Return the record in a text as an instance of `kind`. Raises `RecordError` with line and column."""
    if not isinstance(text, str):
        raise TypeError(f"a record is a text, not {text!r}")
    if len(text) > MOST_RECORD:
        raise RecordError(Problem("record.size", "", "", f"is longer than {MOST_RECORD:,} characters", 1, 1))
    return _Reader(text, kind).read()
