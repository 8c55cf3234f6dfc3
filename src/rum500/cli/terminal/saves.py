"""Matches in files: stored during play, and continued later from where they stopped.

A record contains the deals. Its lines with free names (see docs/record-format.md) contain the other inputs of
the match: the seed, the draw for deal, and each cut.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from rum500.cards import card_text
from rum500.cli.terminal.terminal_table import TerminalTable
from rum500.cli.user_error import UserError, one_line
from rum500.external_bots import BotSpecError, is_level, open_bot
from rum500.file_reading import NoTextError, read_text
from rum500.match import CutAt, DrawAt, DrawNeeded, Input, Match, PackOrder, Resign, Restock, inputs_of
from rum500.record import CUT, MOST_RECORD, Record, RecordError, RecordWriter, ResumedRecord, resume
from rum500.rng import Rng
from rum500.rules.actions import Action, Draw

SUFFIX = ".rum500"
_PERSON, _BOTS, _SEED, _DRAW, _OVER = "Person", "Bots", "Seed", "Draw", "Match"
"""The names of these lines: the person, the bots, the seed, the draw for deal, the end."""


def folder(environment: Mapping[str, str]) -> Path:
    """Return the default folder for matches: the user's state folder (XDG)."""
    state = environment.get("XDG_STATE_HOME", "")
    return (Path(state) if state else Path.home() / ".local" / "state") / "rum500"


def new_path(environment: Mapping[str, str], profile: str) -> Path:
    """Return an unused file name for a new match."""
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    for number in range(1, 1000):
        again = f"-{number}" if number > 1 else ""
        path = folder(environment) / f"{stamp}-{profile}{again}{SUFFIX}"
        if not path.exists():
            return path
    raise UserError(f"{folder(environment)}: no free name for a record")


def unfinished_path(environment: Mapping[str, str]) -> Path | None:
    """Return the file of the most recent unfinished match; None if there is none."""
    where = folder(environment)
    found = sorted(where.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in found:
        with suppress(OSError, NoTextError):
            text = read_text(path, MOST_RECORD)
            if text and f"\n{_OVER}: " not in text:
                return path
    return None


def last_path(environment: Mapping[str, str]) -> Path:
    """Return the file of the most recent unfinished match. Raises `UserError` if there is none."""
    path = unfinished_path(environment)
    if path is None:
        raise UserError(f"--resume: there is no unfinished match in {folder(environment)}")
    return path


class Saves:
    """The file of a match. Each drawn card, each cut and each complete turn is written at once.

    If the process is killed in mid-turn, the turn begins again, with the same cards in the stock.
    """

    def __init__(
        self, path: Path, table: TerminalTable, level: str, found: ResumedRecord | None = None
    ) -> None:
        """Create a new file, or continue the file of `found`; `level` is the name of the bots."""
        self.path = path
        self.table = table
        self.level = level
        self.written = len(table.match.inputs) if found else 0
        self.file = _replaced(path, found.text) if found else _created(path)
        self.writer = RecordWriter(found.record, self._emit, kept=found.text) if found else None

    def keep(self) -> None:
        """Store everything played since the last call."""
        match = self.table.match
        inputs = match.inputs
        for entry in inputs[self.written :]:
            self._write(match, entry)
        self.written = len(inputs)
        if match.result is not None and self.writer and not self.writer.closed:
            won = " and ".join(match.player_names[player] for player in match.result.winners) or "drawn"
            self.writer.tag(_OVER, f"{won}, {' to '.join(map(str, match.result.final))}")
            self.writer.close()

    def _write(self, match: Match, entry: Input) -> None:
        """Write one input of the match. Orders of the pack need no line: the deck or the seed gives them."""
        match entry:
            case PackOrder() | Resign():
                return
            case DrawAt():
                self.writer = self._begun(match)
            case CutAt(position):
                assert match.state is not None
                self.writer = self.writer or self._begun(match)
                tags = [(CUT, str(position))]
                self.writer.begin_deal(match.deck, match.state.dealer, match.state.totals, tags)
            case Restock(cards):
                self._play(Draw(), cards)
            case _:
                self._play(entry)

    def _begun(self, match: Match) -> RecordWriter:
        """Write a new header with all that is needed to continue, and return the writer of the deals.

        The new header has the seats after the draw, which may have changed them.
        """
        tags = [(_BOTS, self.level), (_SEED, str(self.table.seed)), (_DRAW, _drawn(match))]
        if self.table.person is not None:
            tags.insert(0, (_PERSON, match.player_names[self.table.person]))
        record, lines = Record(match.rules, match.players, match.names, tags), list[str]()
        RecordWriter(record, lines.append)
        header = "".join(lines)
        self.file.close()
        self.file = _replaced(self.path, header)
        return RecordWriter(record, self._emit, kept=header)

    def _play(self, action: Action, restock: Sequence[int] = ()) -> None:
        assert self.writer is not None
        self.writer.play(action, restock)

    def _emit(self, text: str) -> None:
        self.file.write(text)
        self.file.flush()

    def close(self) -> None:
        """Write what is pending and the checksum; delete the file if it has no deal."""
        if self.writer is not None:
            self.writer.close()
        self.file.close()
        if self.writer is None:
            self.path.unlink(missing_ok=True)

    def notice(self) -> Sequence[str]:
        """Return where the file is, and the command that continues the match."""
        if self.writer is None:
            return ["Nothing was drawn yet: nothing is kept."]
        path = shlex.quote(str(self.path))
        if self.table.match.is_over:
            return [f"The record is in {self.path}", f"To step through it: rum500 replay {path}"]
        bots = "" if is_level(self.level) else f" --bot {shlex.quote(self.level)}"
        return [f"The match is kept in {self.path}", f"To continue it: rum500 play --resume {path}{bots}"]


def _created(path: Path) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("x", encoding="utf-8", newline="\n")
    except FileExistsError:
        raise UserError(f"{path}: there is such a file already; --resume continues a match") from None
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


def _replaced(path: Path, kept: str) -> IO[str]:
    """Replace the text of the file by `kept`, in one step, and return the file open for appending."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_text(kept, encoding="utf-8", newline="\n")
        fresh.replace(path)
        return path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


# --- continuing a match ------------------------------------------------------------------------------


def resumed(path: Path, bot: str = "") -> tuple[TerminalTable, Saves, str]:
    """Return the match in this file as it stopped, its `Saves`, and a note on unusable parts ("" for none).

    The bots are those named by `bot`, or else by the file. The file may only name levels, because it must not
    run programs.
    """
    try:
        found = resume(read_text(path, MOST_RECORD))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (RecordError, NoTextError) as error:
        raise UserError(f"{path}: {one_line(error)}") from None
    table, level = _table(path, found.record, bot)
    if table.match.is_over:
        _ended(path, table, level, found)
        raise UserError(f"{path}: this match is over; rum500 replay steps through it")
    return table, Saves(path, table, level, found), found.notice


def _ended(path: Path, table: TerminalTable, level: str, found: ResumedRecord) -> None:
    if _OVER not in dict(found.record.deals[-1].end_tags):
        saves = Saves(path, table, level, found)
        saves.keep()
        saves.close()


def _table(path: Path, record: Record, bot: str) -> tuple[TerminalTable, str]:
    tags = dict(record.tags)
    person, level = tags.get(_PERSON, ""), bot or tags.get(_BOTS, "")
    if person not in record.names or not {_SEED, _DRAW} <= tags.keys():
        wanted = f"{_PERSON}, {_BOTS}, {_SEED} and {_DRAW}"
        raise UserError(f"{path}: not kept by rum500 play, which writes who plays on lines {wanted}")
    if not (bot or is_level(level)):
        raise UserError(
            f"{path}: the others play as {level!r}, which is not a level: name it again with --bot"
        )
    try:
        seed = int(tags[_SEED])
        match = _match(record, seed, tags[_DRAW])
        other = open_bot(level)
    except BotSpecError as error:
        raise UserError(f"--bot: {error}") from None
    except (ValueError, LookupError) as error:
        raise UserError(f"{path}: the match cannot be gone on with: {one_line(error)}") from None
    seats = [None if name == person else other for name in match.player_names]
    return TerminalTable(match, seats, seed), level


def _match(record: Record, seed: int, drawn: str) -> Match:
    rules, players = record.rules, record.players
    draw = Match(rules, players, Rng(seed))
    for place in _places(drawn):
        asked = draw.decision
        if isinstance(asked, DrawNeeded) and place in asked.positions:
            draw.apply(DrawAt(place))
    if _drawn(draw) != drawn:
        raise ValueError(f"the draw that the seed makes is {_drawn(draw)!r}, not {drawn!r}")
    inputs = [*draw.inputs]
    if record.deals:
        first = record.deals[0]
        if first.dealer != draw.dealer or any(first.totals):
            raise ValueError("the first deal does not follow from the draw")
        inputs = [*inputs[:-1], *inputs_of(record)]  # the last input is the order of the first deal's pack
    names = [record.names[draw.seating.index(player)] for player in range(players)]
    return Match(rules, players, Rng(seed), names, inputs=inputs)


def _drawn(match: Match) -> str:
    """Return the draw for deal: for each card its position in the spread pack, from 1, and its text."""
    drawn = (event.public for event in match.events if event.kind == "draw_for_deal")
    return ", ".join(f"{one['position'] + 1} {card_text(one['card'])}" for one in drawn)


def _places(drawn: str) -> Iterator[int]:
    """Yield the positions in the text of `_drawn`, from 0."""
    for one in drawn.split(","):
        yield int(one.split()[0]) - 1
