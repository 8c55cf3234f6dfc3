"""The game loop: asks the player and the bots for decisions, and stores the match in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import ClassVar, Protocol

from rich.text import Text

from rum500 import bots
from rum500.cli.rules import rule_lines
from rum500.cli.terminal.help_text import help_lines
from rum500.cli.terminal.narration import action_words, decision_sentence, is_blind, numbered
from rum500.cli.terminal.preferences import Preferences
from rum500.cli.terminal.screen import Screen
from rum500.cli.terminal.sheet_lines import SheetLayout, result_lines, sheet_lines, totals_lines
from rum500.cli.terminal.style import QUIET, Style
from rum500.cli.terminal.table_layout import Scene, draw
from rum500.cli.terminal.terminal_table import TerminalTable
from rum500.cli.terminal.typed_commands import (
    OFFERED,
    Command,
    Line,
    Mistyped,
    SuggestionNumber,
    command,
    misread,
    read_line,
    ways,
)
from rum500.cli.user_error import UserError
from rum500.match import (
    ORDERS,
    CutAt,
    CutNeeded,
    DrawAt,
    DrawNeeded,
    Input,
    PlayNeeded,
    Suggestion,
    holds_fourth,
    in_order,
    suggestions,
)
from rum500.rng import Rng
from rum500.rules.actions import Action, Call, Draw, LayOff, Meld, Take
from rum500.rules.notation import NotationError, parse_play
from rum500.rules.sentences import title_of
from rum500.state import State
from rum500.view import Event, Phase, View


class Turn:
    """The player's turn as a draft, which can be taken back; `state` is the deal with the draft's plays."""

    def __init__(self, base: State) -> None:
        """Start from the state `base`, which is not changed."""
        self.base = base
        self.state = base.copy()
        self.plays: list[Action] = []
        self.events: list[Event] = []

    def play(self, action: Action) -> bool:
        """Add a legal action to the draft; return False if it ends the turn, so that the draft is final."""
        seat = self.state.actor
        self.events += self.state.apply(action)
        self.plays.append(action)
        return (
            isinstance(action, Take | Call | Meld | LayOff)
            and self.state.actor == seat
            and self.state.phase in (Phase.USE, Phase.PLAY)
        )

    def undo(self) -> bool:
        """Take back the last play of the draft; return False if there is none."""
        if not self.plays:
            return False
        plays, self.plays, self.events = self.plays[:-1], [], []
        self.state = self.base.copy()
        for action in plays:
            self.play(action)
        return True


class MatchStore(Protocol):
    """Where the match is stored during play."""

    def keep(self) -> None:
        """Store everything played since the last call."""

    def notice(self) -> Sequence[str]:
        """Return lines that say where the file is and how to continue the match."""


class TerminalGame:
    """One person against bots at a terminal."""

    def __init__(
        self,
        table: TerminalTable,
        screen: Screen,
        look: Style,
        match_store: MatchStore,
        preferences: Preferences | None = None,
    ) -> None:
        """Prepare the game; `run` plays it. Without `preferences`, the player's settings are not stored."""
        self.table = table
        self.match = table.match
        self.screen = screen
        self.look = look
        self.match_store = match_store
        self.order = ORDERS[0]
        self.preferences = preferences or Preferences()
        self.notes: list[Text] = []
        self.turn: Turn | None = None
        self.offered: list[Suggestion] = []
        self.asked: list[Suggestion] = []

    # --- the loop ---------------------------------------------------------------------------------

    def run(self) -> bool:
        """Play until the match is over (return True) or the player leaves (return False).

        Raises the error of a bot that fails.
        """
        with self.screen.holding_interrupts():
            try:
                while not self.match.is_over:
                    self._step()
                self._finish()
            except (EOFError, KeyboardInterrupt):
                self._leave()
            except UserError:
                self._leave()
                raise
        return self.match.is_over

    def _step(self) -> None:
        with self.screen.open_to_interrupts():
            answer = self.table.bots_answer()
        if answer is not None:
            self._apply(answer)
            self._show_bots()
        elif isinstance(self.match.decision, PlayNeeded):
            self._persons_line()
        else:
            self._draw_or_cut()

    def _apply(self, answer: Input | int) -> None:
        settled = self.table.apply(answer)
        self.match_store.keep()
        self.turn = None
        if settled:
            self._settle()

    def _leave(self) -> None:
        turn, self.turn = self.turn, None
        for action in turn.plays if turn else ():
            self.match.apply(action)
        self.match_store.keep()
        with suppress(OSError):  # the terminal may have hung up
            self.screen.write([Text(), *(self.look.say(line) for line in self.match_store.notice())])

    def _finish(self) -> None:
        result = self.match.result
        assert result is not None
        won = result_lines(self.look, self.match.rules, result, self.table.player_names())
        self.screen.show([*self._totals(), Text(), *won, Text()])
        self.screen.write(self.look.say(line, QUIET) for line in self.match_store.notice())

    # --- output -----------------------------------------------------------------------------------

    @property
    def view(self) -> View | None:
        """The deal as the person may know it, including the plays of the draft."""
        state = self.turn.state if self.turn else self.match.state
        return state.view(self.table.seat) if state else None

    def _events(self) -> list[Event]:
        """Return the events of this deal, including those of the draft."""
        return [*self.table.this_deal(), *(self.turn.events if self.turn else [])]

    def _log(self) -> list[Text]:
        return self.table.narrator(self.look).log(self._events())

    def _redraw(self) -> None:
        view = self.view
        assert view is not None
        names = self.table.names()
        narrator, events = self.table.narrator(self.look), self._events()
        since = narrator.since_turn(events)
        scene = Scene(
            view=view,
            names=names,
            look=self.look,
            title=self._title(),
            order=self.order,
            in_front=self.preferences.in_front,
            accounts=self.match.accounts,
            log=narrator.log(events[: len(events) - len(since)]),
            recent=narrator.log(since),
            turns=narrator.turns(since),
            notes=self.notes,
            choices=numbered(self.look, (self.asked or self.offered)[:OFFERED], view, names),
            banner=Text(decision_sentence(view, self.look)),
        )
        self.screen.show(draw(scene, self.screen.width, self.screen.height))

    def _title(self) -> str:
        rules = self.match.rules
        house = f" ({' '.join(rules.changes)})" if rules.changes else ""
        of = f" of {rules.deals}" if rules.match == "deals" else ""
        return f"{title_of(rules)}{house} · deal {self.match.number}{of}"

    def _show_bots(self) -> None:
        asked = self.match.decision
        between = isinstance(asked, PlayNeeded) and asked.state.phase in (Phase.DRAW, Phase.CLAIM)
        if self.screen.pace and between:
            self.offered = []
            self._redraw()
            self.screen.wait()

    def _show_help(self) -> None:
        self.screen.pages([self.look.say(line) for line in help_lines(self.match.rules)])

    def _show_rules(self) -> None:
        lines = "\n".join(rule_lines(self.match.rules)).split("\n")
        self.screen.pages([self.look.say(line) for line in lines])

    # --- draw for deal, cut -----------------------------------------------------------------------

    def _draw_or_cut(self) -> None:
        asked = self.match.decision
        self.screen.show([*self._log(), *self.notes])
        if isinstance(asked, DrawNeeded):
            most = len(asked.positions)
            again = "You tied: draw again. " if asked.again else ""
            prompt = f"{again}Draw for deal, the lowest deals: 1 to {most}, or Enter for any > "
            number = self._number(prompt, most, 1 + Rng(self.table.seed).below(most))
            if number:
                self._apply(DrawAt(asked.positions[number - 1]))
        elif isinstance(asked, CutNeeded):
            prompt = f"You cut: lift how many cards, 1 to {asked.cards - 1}? Enter for half > "
            number = self._number(prompt, asked.cards - 1, asked.cards // 2)
            if number:
                self._apply(CutAt(number))

    def _number(self, prompt: str, most: int, usual: int) -> int | None:
        """Return the typed number, 1 to `most`, or `usual` for an empty line.

        Other input shows a message or a page of help; then return None.
        """
        text = self.screen.ask(self.look.words(prompt))
        self.notes = []
        match command(text):
            case "quit":
                raise EOFError
            case "help":
                self._show_help()
                return None
            case "rules":
                self._show_rules()
                return None
        if not text:
            return usual
        if text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= most:
            return int(text)
        self._note(f"Type a number from 1 to {most}, or just Enter; ? helps.")
        return None

    # --- the person's turn ------------------------------------------------------------------------

    def _persons_line(self) -> None:
        turn, view = self._mine(), self.view
        assert turn is not None
        assert view is not None
        self.offered = [] if is_blind(view) else suggestions(turn.state, turn.state.actor)
        self._redraw()
        text = self.screen.ask("> ")
        self.notes = []
        try:
            for line in read_line(text, in_order(view.hand, self.order)):
                if not self._do(line):
                    break
        except Mistyped as error:
            self._say_wrong(str(error))

    def _mine(self) -> Turn | None:
        """Return the draft of the person's turn, begun if necessary; None if another seat has to decide."""
        asked = self.match.decision
        if self.turn is None and isinstance(asked, PlayNeeded) and asked.seat == self.table.seat:
            self.turn = Turn(asked.state)
        return self.turn

    def _do(self, line: Line) -> bool:
        """Execute one command or play; return False if the rest of the line should be skipped."""
        turn = self._mine()
        if turn is None:
            self._note("Your turn had ended: the rest of the line was not played.")
            return False
        if isinstance(line, Command):
            self._COMMANDS[line.name](self, turn, line.rest)
            return True
        shown, self.asked = self.asked or self.offered, []
        if isinstance(line, SuggestionNumber):
            return self._pick(turn, line.number, shown[:OFFERED])
        return self._typed(turn, line.text)

    def _pick(self, turn: Turn, number: int, shown: Sequence[Suggestion]) -> bool:
        if not 1 <= number <= len(shown):
            self._note("No suggestion has that number. To play cards by number say what: x 3, m 1 2 3.")
            return False
        return self._play(turn, shown[number - 1].action)

    def _typed(self, turn: Turn, text: str) -> bool:
        try:
            action = parse_play(text, turn.state)
        except NotationError as error:
            self._misread(turn, text, error)
            return False
        return self._play(turn, action)

    def _misread(self, turn: Turn, text: str, error: NotationError) -> None:
        """Say why a play cannot be read; if it is ambiguous, offer its possible meanings."""
        self.asked = ways(turn.state, text, error, self.offered)
        if self.asked:
            self._note("This can be played in several ways. Which? Type its number.")
        else:
            self._say_wrong(misread(text, error, self.match.rules.jokers))

    def _play(self, turn: Turn, action: Action) -> bool:
        refusal = turn.state.why_not(action)
        if refusal is not None:
            self._note(f"Not allowed: {refusal.message} ({refusal.rule}).")
            return False
        if isinstance(action, Draw):
            self._apply(action)
            return True
        if holds_fourth(turn.state, action):
            self._note("You hold the fourth: all four laid at once count double. u takes this back.")
        if not turn.play(action):
            for final in turn.plays:
                self._apply(final)
        return True

    def _note(self, text: str) -> None:
        self.notes.append(self.look.say(text))

    def _say_wrong(self, message: str) -> None:
        self._note(f"{message[:1].upper()}{message[1:]}.")

    # --- the table's own commands -----------------------------------------------------------------

    def _help(self, turn: Turn, rest: str) -> None:
        self._show_help()

    def _rules(self, turn: Turn, rest: str) -> None:
        self._show_rules()

    def _show_log(self, turn: Turn, rest: str) -> None:
        self.screen.pages(self._log())

    def _show_sheet(self, turn: Turn, rest: str) -> None:
        none = [] if self.match.sheet else [self.look.say("No deal has been scored yet.")]
        self.screen.pages([*self._totals(), *none])

    def _sort(self, turn: Turn, rest: str) -> None:
        self.order = rest if rest in ORDERS else ORDERS[1 - ORDERS.index(self.order)]

    def _lays(self, turn: Turn, rest: str) -> None:
        self.preferences.switch_lays()

    def _hand(self, turn: Turn, rest: str) -> None:
        self._note("Your hand is above: x 3 discards its third card, s sorts it.")

    def _quit(self, turn: Turn, rest: str) -> None:
        raise EOFError

    def _undo(self, turn: Turn, rest: str) -> None:
        self.asked = []
        self._note("Taken back." if turn.undo() else "Nothing to take back: a draw and a discard stand.")

    def _hint(self, turn: Turn, rest: str) -> None:
        view = turn.state.view(self.table.seat)
        if is_blind(view):
            self._note("No hint: in this game it stays hidden whether a card can be called.")
            return
        action = bots.get("greedy").choose(view, Rng(self.table.seed))
        said = action_words(self.look, action, view, self.table.names())
        self.notes.append(Text("The greedy bot would ").append_text(said).append("."))

    _COMMANDS: ClassVar[dict[str, Callable[[TerminalGame, Turn, str], None]]] = {
        "help": _help,
        "hint": _hint,
        "undo": _undo,
        "sort": _sort,
        "lays": _lays,
        "sheet": _show_sheet,
        "rules": _rules,
        "log": _show_log,
        "hand": _hand,
        "quit": _quit,
    }

    # --- sheets -----------------------------------------------------------------------------------

    def _settle(self) -> None:
        table = self.table
        score, events = self.match.sheet[-1], table.last_deal()
        sheet = SheetLayout(
            self.match.rules, self.look, table.names(), table.seat, score, events, table.melds()
        )
        self.screen.pages([*sheet_lines(sheet, self.screen.width), Text(), *self._totals()])

    def _totals(self) -> list[Text]:
        return totals_lines(self.look, self.table.accounts(), self.match.sheet)
