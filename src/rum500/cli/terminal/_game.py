"""The game loop: who has to decide, asking the player, asking the bots, and keeping everything on file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rich.text import Text

from rum500 import bots
from rum500.bots import Bot
from rum500.cards import JOKER, rank_of
from rum500.cli.rules import told as rules_told
from rum500.cli.terminal._choices import Choice, alternatives, choices
from rum500.cli.terminal._duty import duty
from rum500.cli.terminal._hand import ORDERS, arranged
from rum500.cli.terminal._help import help_lines
from rum500.cli.terminal._look import QUIET, Look
from rum500.cli.terminal._screen import Screen
from rum500.cli.terminal._sheet import Sheet, result_lines, sheet_lines, totals_lines
from rum500.cli.terminal._table import Scene, draw
from rum500.cli.terminal._typed import Command, Mistyped, Pick, Typed, cards_in, read_line
from rum500.cli.terminal._words import YOU, Teller, action_words, choice_words
from rum500.match import Cut, CutAt, DrawAt, DrawCard, Input, Match, Play
from rum500.rng import Rng
from rum500.rules.actions import Action, Call, Draw, LayOff, Meld, Take
from rum500.rules.notation import NotationError, parse_play
from rum500.state import State
from rum500.view import Event, Phase, View

_BOT_STREAM = 101
"""The bots' stream of the seed, apart from the match's own."""


class Keeper(Protocol):
    """Where the match is kept as it goes."""

    def keep(self, match: Match) -> None:
        """Write down what has been played since the last time."""

    def notice(self) -> Sequence[str]:
        """How to go on with it later, in lines."""


@dataclass
class Table:
    """Who plays: `bots[player]` is None for the person; `seed` is where the bots' chances come from."""

    match: Match
    bots: Sequence[Bot | None]
    seed: int

    @property
    def person(self) -> int | None:
        """The person's number as a player, None where bots play alone."""
        return self.bots.index(None) if None in self.bots else None

    @property
    def seat(self) -> int | None:
        """Where the person sits."""
        return None if self.person is None else self.match.seating.index(self.person)

    def names(self) -> tuple[str, ...]:
        """The names by seat, the person's own being "You"."""
        return tuple(
            YOU if player == self.person else self.match.player_names[player] for player in self.match.seating
        )

    def bots_answer(self) -> Input | int | None:
        """What the bot that has to decide does, or None if the person has to."""
        asked = self.match.decision
        assert isinstance(asked, DrawCard | Cut | Play)
        bot = self.bots[self.match.seating[asked.seat]]
        if bot is None:
            return None
        rng = Rng(self.seed).spawn(_BOT_STREAM, len(self.match.inputs))
        match asked:
            case DrawCard(positions=positions):
                return DrawAt(positions[rng.below(len(positions))])
            case Cut(cards=cards):
                return CutAt(1 + rng.below(cards - 1))
            case Play(seat, state):
                return bot.choose(state.view(seat), rng)


@dataclass
class _Turn:
    """The person's turn in progress: plays since the last one that revealed something, still to be undone."""

    base: State
    state: State
    plays: list[Action] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


class Game:
    """One person against bots at a terminal."""

    def __init__(self, table: Table, screen: Screen, look: Look, keeper: Keeper) -> None:
        """Sit down; `run` plays."""
        self.table = table
        self.match = table.match
        self.screen = screen
        self.look = look
        self.keeper = keeper
        self.order = ORDERS[0]
        self.notes: list[Text] = []
        self.turn: _Turn | None = None
        self.offered: list[Choice] = []
        self.asked: list[Choice] = []
        self.settled = len(self.match.sheet)

    # --- the loop -------------------------------------------------------------------------------------

    def run(self) -> bool:
        """Play until the match is over (True) or the player leaves (False)."""
        with self.screen.holding_interrupts():
            try:
                while not self.match.is_over:
                    self._step()
                self._finish()
            except (EOFError, KeyboardInterrupt):
                self._leave()
                return False
        return True

    def _step(self) -> None:
        answer = self.table.bots_answer()
        if answer is not None:
            self._apply(answer)
            self._show_bots()
        elif isinstance(self.match.decision, Play):
            self._persons_line()
        else:
            self._draw_or_cut()

    def _apply(self, answer: Input | int) -> None:
        self.match.apply(answer)
        self.keeper.keep(self.match)
        self.turn = None
        if len(self.match.sheet) > self.settled:
            self.settled = len(self.match.sheet)
            self._sheet()

    def _leave(self) -> None:
        self._commit()
        self.keeper.keep(self.match)
        self.screen.say([Text(), *(self.look.say(line) for line in self.keeper.notice())])

    def _finish(self) -> None:
        result = self.match.result
        assert result is not None
        players = [
            YOU if player == self.table.person else name
            for player, name in enumerate(self.match.player_names)
        ]
        lines = [*self._totals(), Text(), *result_lines(self.look, self.match.rules, result, players)]
        self.screen.show([*lines, Text(), *(self.look.say(line, QUIET) for line in self.keeper.notice())])

    # --- what is seen -----------------------------------------------------------------------------------

    @property
    def view(self) -> View | None:
        """The deal as the person may know it, with what is played but not yet final."""
        state = self.turn.state if self.turn else self.match.state
        return state.view(self.table.seat) if state else None

    def _teller(self) -> Teller:
        return Teller(self.look, self.table.names(), self.table.seat)

    def _deals_events(self) -> list[Event]:
        """What happened since the last deal was settled."""
        events = list(self.match.events)
        ends = [at for at, event in enumerate(events) if event.kind == "settle"]
        return events[ends[-1] + 1 if ends else 0 :]

    def _log(self) -> list[Text]:
        return self._teller().log([*self._deals_events(), *(self.turn.events if self.turn else ())])

    def _redraw(self) -> None:
        view = self.view
        assert view is not None
        names = self.table.names()
        shown = self.asked or self.offered
        numbered = [
            Text(f"  {number:>2} ", style="bold").append_text(
                choice_words(self.look, choice, view.melds, names)
            )
            for number, choice in enumerate(shown[:9], 1)
        ]
        scene = Scene(
            view=view,
            names=names,
            look=self.look,
            title=self._title(),
            order=self.order,
            accounts=self.match.accounts,
            log=self._log(),
            notes=self.notes,
            choices=numbered,
            banner=Text(duty(view, self.look)),
        )
        self.screen.show(draw(scene, self.screen.width, self.screen.height))

    def _title(self) -> str:
        rules = self.match.rules
        house = f" ({' '.join(rules.house_rules)})" if rules.house_rules else ""
        of = f" of {rules.deals}" if rules.match == "deals" else ""
        return f"{rules.title}{house} · deal {self.match.number}{of}"

    def _show_bots(self) -> None:
        """Let a bot's turn be seen once it is over."""
        asked = self.match.decision
        if self.screen.pace and isinstance(asked, Play) and asked.state.phase in (Phase.DRAW, Phase.CLAIM):
            self.offered = []
            self._redraw()
            self.screen.wait()

    # --- draw for deal, cut -----------------------------------------------------------------------------

    def _draw_or_cut(self) -> None:
        asked = self.match.decision
        self.screen.show([*self._log(), *self.notes])
        if isinstance(asked, DrawCard):
            again = "You tied: draw again. " if asked.again else ""
            prompt = (
                f"{again}Draw for deal, the lowest deals: 1 to {len(asked.positions)}, or Enter for any > "
            )
            number = self._number(
                prompt, len(asked.positions), 1 + Rng(self.table.seed).below(len(asked.positions))
            )
            if number:
                self._apply(DrawAt(asked.positions[number - 1]))
        elif isinstance(asked, Cut):
            prompt = f"You cut: lift how many cards, 1 to {asked.cards - 1}? Enter for about half > "
            number = self._number(prompt, asked.cards - 1, asked.cards // 2)
            if number:
                self._apply(CutAt(number))

    def _number(self, prompt: str, most: int, usual: int) -> int | None:
        """A number from 1 to `most`; None, and a note, for anything else."""
        text = self.screen.ask(self.look.words(prompt))
        if text.lower() in ("q", "quit"):
            raise EOFError
        self.notes = []
        if not text:
            return usual
        if text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= most:
            return int(text)
        self._note(f"Type a number from 1 to {most}, or just Enter.")
        return None

    # --- the person's turn --------------------------------------------------------------------------------

    def _persons_line(self) -> None:
        """Show the table, take one line, do what it says."""
        view = self.view if self._is_mine() else None
        assert self.turn is not None
        assert view is not None
        self.offered = choices(self.turn.state, self.turn.state.actor)
        self._redraw()
        text = self.screen.ask("> ")
        self.notes = []
        try:
            for line in read_line(text, arranged(view.hand, self.order)):
                if not self._do(line):
                    break
        except Mistyped as error:
            self._note(str(error))

    def _do(self, line: Command | Pick | Typed) -> bool:
        """Do one thing; False if what follows on the same line is better not done."""
        if not self._is_mine():
            self._note("Your turn had ended: the rest of the line was not played.")
            return False
        if isinstance(line, Command):
            _DONE[line.name](self, line.rest)
            return True
        pending, self.asked = self.asked, []
        if isinstance(line, Pick):
            return self._pick(line.number, pending or self.offered)
        return self._typed(line.text)

    def _is_mine(self) -> bool:
        """Whether the person has to decide; a turn is begun, or goes on after a draw."""
        asked = self.match.decision
        if self.turn is None and isinstance(asked, Play) and asked.seat == self.table.seat:
            self.turn = _Turn(asked.state, asked.state.copy())
        return self.turn is not None

    def _pick(self, number: int, shown: Sequence[Choice]) -> bool:
        if not 1 <= number <= len(shown[:9]):
            self._note(
                "There is no suggestion of that number. To play a card by its number say what: x 3, m 1 2 3."
            )
            return False
        return self._play(shown[number - 1].action)

    def _typed(self, text: str) -> bool:
        assert self.turn is not None
        try:
            action = parse_play(text, self.turn.state)
        except NotationError as error:
            self._misread(text, error)
            return False
        return self._play(action)

    def _misread(self, text: str, error: NotationError) -> None:
        """Answer what cannot be read; where it can be read in several ways, let the player choose."""
        assert self.turn is not None
        self._note(f"{error.message[:1].upper()}{error.message[1:]}.")
        if error.code in ("notation.target", "notation.ambiguous"):
            cards, meld = cards_in(text)
            self.asked = alternatives(self.turn.state, cards, lay=text[:1].lower() in "la", meld=meld)
            if self.asked:
                self.notes = []
                self._note("This can be played in several ways. Which? Type its number.")

    def _play(self, action: Action) -> bool:
        """Do an action, or say which rule it breaks."""
        turn = self.turn
        assert turn is not None
        refusal = turn.state.why_not(action)
        if refusal is not None:
            self._note(f"Not allowed: {refusal.message} ({refusal.rule}).")
            return False
        self.asked = []
        if isinstance(action, Draw):
            self._commit()
            self._apply(action)
            return True
        self._advise(action, turn.state)
        seat = turn.state.actor
        turn.events += turn.state.apply(action)
        turn.plays.append(action)
        if (
            not isinstance(action, Take | Call | Meld | LayOff)
            or turn.state.actor != seat
            or turn.state.is_over
        ):
            self._commit()
        elif turn.state.phase in (Phase.CLAIM, Phase.DRAW):
            self._commit()
        return True

    def _commit(self) -> None:
        """Make final what was played since the last thing that cannot be taken back."""
        turn, self.turn = self.turn, None
        for action in turn.plays if turn else ():
            self._apply(action)

    def _advise(self, action: Action, state: State) -> None:
        """Point out a set of three whose fourth is in the hand, where four at once count double."""
        if state.rules.doubles == "none" or not isinstance(action, Meld) or len(action.cards) != 3:
            return
        ranks = {laid.card if laid.card == JOKER else rank_of(laid.card) for laid in action.cards}
        left = list(state.hands[state.actor])
        for laid in action.cards:
            left.remove(laid.card)
        if len(ranks) == 1 and any((card if card == JOKER else rank_of(card)) in ranks for card in left):
            self._note("You hold the fourth: all four laid at once count double. u takes this back.")

    # --- the table's own commands ---------------------------------------------------------------------------

    def _help(self, rest: str) -> None:
        self.screen.pages([self.look.say(line) for line in help_lines(self.match.rules)])

    def _rules(self, rest: str) -> None:
        self.screen.pages(
            [self.look.say(line) for part in rules_told(self.match.rules) for line in part.split("\n")]
        )

    def _show_log(self, rest: str) -> None:
        self.screen.pages(self._log())

    def _show_sheet(self, rest: str) -> None:
        self.screen.pages(self._totals())

    def _sort(self, rest: str) -> None:
        self.order = rest if rest in ORDERS else ORDERS[1 - ORDERS.index(self.order)]

    def _quit(self, rest: str) -> None:
        raise EOFError

    def _undo(self, rest: str) -> None:
        """Take back the last play, if nothing hidden was revealed since."""
        turn = self.turn
        if turn is None or not turn.plays:
            self._note("Nothing to undo: a draw from the stock and a discard stand.")
            return
        plays, self.turn = turn.plays[:-1], _Turn(turn.base, turn.base.copy())
        for action in plays:
            self.turn.events += self.turn.state.apply(action)
            self.turn.plays.append(action)
        self.asked = []
        self._note("Taken back.")

    def _hint(self, rest: str) -> None:
        turn = self.turn
        assert turn is not None
        view = turn.state.view(self.table.seat)
        action = bots.get("greedy").choose(view, Rng(self.table.seed))
        chosen = view.legal_actions()[view.legal.index(action)] if isinstance(action, int) else action
        said = action_words(self.look, chosen, view.melds, self.table.names())
        self.notes.append(Text("The greedy bot would ").append_text(said).append("."))

    # --- sheets -----------------------------------------------------------------------------------------------

    def _sheet(self) -> None:
        events = list(self.match.events)
        starts = [at for at, event in enumerate(events) if event.kind == "deal"]
        sheet = Sheet(
            self.match.rules,
            self.look,
            self.table.names(),
            self.table.seat,
            self.match.sheet[-1],
            events[starts[-1] :],
        )
        self.screen.pages([*sheet_lines(sheet, self.screen.width), Text(), *self._totals()])

    def _totals(self) -> list[Text]:
        heads: Sequence[str] = self.table.names()
        if self.match.rules.sides:
            side = self.match.rules.side(self.table.seat or 0)
            heads = ["We", "They"] if side == 0 else ["They", "We"]
        return totals_lines(self.look, heads, self.match.sheet)

    def _note(self, text: str) -> None:
        self.notes.append(self.look.say(text))


_DONE: dict[str, Callable[[Game, str], None]] = {
    "help": Game._help,
    "hint": Game._hint,
    "undo": Game._undo,
    "sort": Game._sort,
    "sheet": Game._show_sheet,
    "rules": Game._rules,
    "log": Game._show_log,
    "quit": Game._quit,
}
