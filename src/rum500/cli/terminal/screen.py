"""The screen: shows lines, reads a line, and waits. Only this module uses the terminal."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import FrameType

from rich.console import Console
from rich.text import Text

from rum500.normalised_text import plain_text


class Screen:
    """A console that prints and reads. Ctrl-C takes effect only where the code can stop without harm."""

    def __init__(
        self, console: Console, reader: Callable[[str], str] | None = None, *, pace: float = 0.0
    ) -> None:
        """Read from `reader`, by default the terminal. `pace`: how many seconds a bot's play is shown."""
        self.console = console
        self.reader = reader or self._read
        self.pace = pace
        self._open = False
        self._interrupted = False
        self._wakes: int | None = None

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.console.width

    @property
    def height(self) -> int:
        """The number of lines."""
        return self.console.height

    def show(self, lines: Sequence[Text]) -> None:
        """Clear the screen and show these lines."""
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.clear()
        self.say(lines)

    def say(self, lines: Sequence[Text]) -> None:
        """Show these lines below the current ones."""
        for line in lines:
            self.console.print(line, no_wrap=True, overflow="ignore", crop=True, highlight=False)

    def write(self, lines: Iterable[Text]) -> None:
        """Print lines without cutting them, whatever their length, such as a command to copy."""
        for line in lines:
            self.console.print(line, soft_wrap=True, highlight=False)

    def pages(self, lines: Sequence[Text]) -> None:
        """Show lines page by page; Enter continues, other input stops."""
        page = max(5, self.height - 2)
        for start in range(0, len(lines), page):
            self.show(lines[start : start + page])
            more = start + page < len(lines)
            if self.ask("Enter: more, q: enough " if more else "Enter: go on ") and more:
                return

    def ask(self, prompt: str) -> str:
        """Return a line from the player. Raises `EOFError` or `KeyboardInterrupt` if the player leaves."""
        with self.open_to_interrupts():
            return plain_text(self.reader(prompt)).strip()

    def wait(self) -> None:
        """Pause, so that the current screen can be seen."""
        with self.open_to_interrupts():
            time.sleep(self.pace)

    @contextmanager
    def open_to_interrupts(self) -> Iterator[None]:
        """Let Ctrl-C take effect at once; for code that can stop anywhere without harm."""
        self.check()
        self._open = True
        try:
            yield
        finally:
            self._open = False

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if Ctrl-C was pressed while it was held back."""
        if self._interrupted:
            self._interrupted = False
            raise KeyboardInterrupt

    def _read(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        if self._wakes is not None:
            select.select([sys.stdin, self._wakes], [], [])
            self.check()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    @contextmanager
    def holding_interrupts(self) -> Iterator[None]:
        """Hold back Ctrl-C, hang-ups and termination requests until the game can stop without harm."""
        names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        before = {name: signal.signal(getattr(signal, name), self._on_signal) for name in names}
        try:
            with self._waking() if os.name == "posix" else nullcontext():
                yield
        finally:
            for name, handler in before.items():
                signal.signal(getattr(signal, name), handler)

    @contextmanager
    def _waking(self) -> Iterator[None]:
        """Make signals write to a pipe while the block runs, so that waiting code can wake."""
        self._wakes, written = os.pipe()
        os.set_blocking(written, False)
        before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            os.close(written)
            os.close(self._wakes)
            self._wakes = None

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._open:
            raise KeyboardInterrupt
        self._interrupted = True
