"""Moves of puzzles at the terminal: shows a position, reads a play, and shows what the play loses."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from rum500.cli.rules import rule_lines
from rum500.cli.terminal.help_text import help_lines
from rum500.cli.terminal.narration import YOU, decision_sentence, is_blind, numbered
from rum500.cli.terminal.preferences import Preferences
from rum500.cli.terminal.screen import Screen
from rum500.cli.terminal.style import QUIET, Style
from rum500.cli.terminal.table_layout import Scene, draw
from rum500.cli.terminal.terminal_table import OPPONENTS
from rum500.cli.terminal.typed_commands import (
    OFFERED,
    Command,
    Line,
    Mistyped,
    Typed,
    misread,
    read_line,
    ways,
)
from rum500.intervals import Z
from rum500.match import ORDERS, in_order, suggestions
from rum500.puzzles.puzzle import Move
from rum500.rules.action_codes import encode
from rum500.rules.notation import NotationError, parse_play, play_text
from rum500.view import View

_BAR, _MOST_TOLD = 24, 10


class PuzzleGame:
    """One move of a puzzle at a terminal."""

    def __init__(
        self, move: Move, screen: Screen, look: Style, title: str, preferences: Preferences | None = None
    ) -> None:
        """Prepare the move; `ask` shows its position."""
        self.move = move
        self.view = move.view
        self.state = move.state
        self.screen = screen
        self.look = look
        self.title = title
        self.order = ORDERS[0]
        self.preferences = preferences or Preferences()
        self.notes: list[Text] = []
        seats = range(self.view.players)
        self.names = [YOU if seat == self.view.seat else OPPONENTS[seat] for seat in seats]
        self.offered = [] if is_blind(self.view) else suggestions(self.state, self.state.actor)[:OFFERED]

    def ask(self) -> int | None:
        """Return the code of the play that the solver chooses; None if the puzzle is skipped.

        Raises `EOFError` or `KeyboardInterrupt` if the solver leaves.
        """
        while True:
            self.screen.show(draw(self._scene(), self.screen.width, self.screen.height))
            text = self.screen.ask("Your play, or Enter to skip > ")
            self.notes = []
            if not text:
                return None
            try:
                lines = read_line(text, in_order(self.view.hand, self.order))
                answer = self._answer(lines)
            except Mistyped as error:
                self._say_wrong(str(error))
            else:
                if answer is not None:
                    return answer

    def show_answer(self, code: int, rating: str) -> None:
        """Show whether a play is right, what each play loses and why, and the solver's rating (as text)."""
        look, move = self.look, self.move
        wrong = move.wrong_play(code)
        best = self._words(move.right[0])
        if wrong is None:
            first = f"Right: {best} is the best play."
            if code != move.right[0]:
                first = f"Right: {self._words(code)} is as good as {best}."
        else:
            first = f"No: the best play is {best}."
        shown = wrong or move.wrong[0]
        why = [shown.why.sentence] if shown.plan is None else [shown.plan.sentence, shown.why.cost]
        lines = [
            look.say(first, "bold"),
            *map(look.say, why),
            Text(),
            *self._bars(code),
            Text(),
        ]
        lines += [look.say(line) for line in self._levels()]
        self.screen.write([Text(), *lines, look.say(rating)])

    # --- one typed line -----------------------------------------------------------------------------

    def _answer(self, lines: Sequence[Line]) -> int | None:
        if len(lines) != 1:
            self._note("One play is asked for: the first of what is left of the turn.")
            return None
        line = lines[0]
        if isinstance(line, Typed):
            return self._typed(line.text)
        if isinstance(line, Command):
            self._do(line.name)
        elif 1 <= line.number <= len(self.offered):
            return self.offered[line.number - 1].code
        else:
            self._note("No suggestion has that number. To play cards by number say what: x 3, m 1 2 3.")
        return None

    def _typed(self, text: str) -> int | None:
        try:
            action = parse_play(text, self.state)
        except NotationError as error:
            self.offered = ways(self.state, text, error, self.offered)[:OFFERED] or self.offered
            self._say_wrong(misread(text, error, self.view.rules.jokers))
            return None
        refusal = self.state.why_not(action)
        if refusal is not None:
            self._note(f"Not allowed: {refusal.message} ({refusal.rule}).")
            return None
        return encode(action)

    def _do(self, name: str) -> None:
        if name == "quit":
            raise EOFError
        if name == "sort":
            self.order = ORDERS[1 - ORDERS.index(self.order)]
        elif name == "lays":
            self.preferences.switch_lays()
        elif name == "rules":
            lines = "\n".join(rule_lines(self.view.rules)).split("\n")
            self.screen.pages([self.look.say(line) for line in lines])
        elif name == "help":
            self.screen.pages([self.look.say(line) for line in help_lines(self.view.rules)])
        else:
            self._note(f"There is no {name} in a puzzle: type the play, or Enter to skip.")

    def _note(self, text: str) -> None:
        self.notes.append(self.look.say(text))

    def _say_wrong(self, message: str) -> None:
        self._note(f"{message[:1].upper()}{message[1:]}.")

    # --- output -------------------------------------------------------------------------------------

    def _scene(self) -> Scene:
        return Scene(
            view=self.view,
            names=self.names,
            look=self.look,
            title=self.title,
            order=self.order,
            in_front=self.preferences.in_front,
            accounts=_accounts(self.view),
            notes=self.notes,
            choices=numbered(self.look, self.offered, self.view, self.names),
            banner=Text(decision_sentence(self.view, self.look)),
        )

    def _words(self, code: int) -> str:
        return play_text(code, self.view)

    def _bars(self, played: int) -> list[Text]:
        rows: list[tuple[int, float, float]] = [(code, 0.0, 0.0) for code in self.move.right]
        rows += [(play.code, play.loss, play.error) for play in self.move.wrong]
        shown = [row for at, row in enumerate(rows) if at < _MOST_TOLD or row[0] == played]
        most = max(loss for _, loss, _ in shown)
        width = max(len(self._words(code)) for code, _, _ in shown)
        full, half = ("█", "▌") if self.look.symbols else ("#", "")
        lines = []
        for code, loss, error in shown:
            steps = round(2 * _BAR * loss / most)
            bar = full * (steps // 2) + half * (steps % 2)
            amount = "best" if code == self.move.right[0] else f"{loss:.1f} ±{Z * error:.1f}"
            if code in self.move.right[1:]:
                amount = "as good"
            mark = ">" if code == played else " "
            line = f"{mark} {self._words(code):<{width}}  {amount:>11}  "
            lines.append(self.look.say(line, "bold" if code == played else "").append(bar, style="red"))
        left = len(rows) - len(shown)
        more = [self.look.say(f"  and {left} that lose more", QUIET)] if left else []
        return [*lines, *more]

    def _levels(self) -> list[str]:
        levels = self.move.levels
        fails = [level for level, code in levels.items() if code not in self.move.right]
        if not fails:
            return ["Every level of bot finds it: the plain play is right."]
        plays = ", ".join(f"{level} would {self._words(levels[level])}" for level in fails)
        return [f"Bots that fail: {plays}."]


def _accounts(view: View) -> list[int]:
    return list(view.totals[:2]) if view.rules.sides else list(view.totals)
