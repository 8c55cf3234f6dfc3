"""Bots that keep a processor busy, hang, die or fail; tests load them into a server as `bot_modules`."""

from __future__ import annotations

import os
import sys
import threading
import time

from rum500 import bots
from rum500.rng import Rng
from rum500.view import View


class Slow:
    """Computes for its seconds, then plays as `greedy` does."""

    name = "slow"

    def __init__(self) -> None:
        self.seconds = 0.02

    def choose(self, view: View, rng: Rng) -> int:
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end:
            pass
        chosen = bots.get("greedy").choose_int(view, rng)
        assert isinstance(chosen, int)
        return chosen


class Patient(Slow):
    """May take a minute, so that it can still choose after waiting long for a lane."""

    name = "patient"

    def __init__(self) -> None:
        self.seconds = 60.0


class Sharing(Patient):
    """Plays the last legal play if it gets half a minute or less."""

    name = "sharing"

    def choose(self, view: View, rng: Rng) -> int:
        return view.legal[0] if self.seconds > 30.0 else view.legal[-1]


class Steady(Patient):
    """Plays at once, as `random` does and no stand-in would."""

    name = "steady"

    def choose(self, view: View, rng: Rng) -> int:
        chosen = bots.get("random").choose_int(view, rng)
        assert isinstance(chosen, int)
        return chosen


class Printing(Steady):
    """Prints."""

    name = "printing"

    def choose(self, view: View, rng: Rng) -> int:
        print("I print", flush=True)
        print("and warn", file=sys.stderr, flush=True)
        return super().choose(view, rng)


class Stoppable(Slow):
    """Thinks for an hour, unless it is stopped."""

    name = "stoppable"

    def __init__(self) -> None:
        self.seconds = 3600.0
        self.stopped = threading.Event()

    def choose(self, view: View, rng: Rng) -> int:
        self.stopped.clear()
        self.stopped.wait(3600.0)
        return view.legal[0]

    def stop(self) -> None:
        self.stopped.set()


class Hanging(Slow):
    """Never answers."""

    name = "hanging"

    def __init__(self) -> None:
        self.seconds = 0.5

    def choose(self, view: View, rng: Rng) -> int:
        while True:
            time.sleep(3600.0)


class Dying(Patient):
    """Ends its own process."""

    name = "dying"

    def choose(self, view: View, rng: Rng) -> int:
        os._exit(3)


class Hungry(Patient):
    """Uses more memory than there is."""

    name = "hungry"

    def choose(self, view: View, rng: Rng) -> int:
        return len(bytearray(1 << 40))


class Cheating(Patient):
    """Returns something that is not a play, and prints where answers are expected."""

    name = "cheating"

    def choose(self, view: View, rng: Rng) -> int:
        os.write(1, b"\xff" * 100)
        return 1 << 60


class Reckless(Slow):
    """Needs no time, and returns something that is not a play."""

    name = "reckless"

    def __init__(self) -> None:
        self.seconds = 0.0

    def choose(self, view: View, rng: Rng) -> int:
        return 1 << 60


class Raising(Patient):
    """Raises an error that names a card."""

    name = "raising"

    def choose(self, view: View, rng: Rng) -> int:
        raise ValueError(f"I hold {view.hand}")


def endless() -> bots.Bot:
    """Return a search that has work for hours, and an hour for it."""
    return bots.get("expert", worlds=1 << 28, seconds=3600.0)


if "endless" not in bots.names():
    bots.register("endless", endless)
for one in (Slow, Sharing, Steady, Stoppable, Hanging, Dying, Hungry, Cheating, Reckless, Raising, Printing):
    if one.name not in bots.names():
        bots.register(one.name, one)


def forever() -> bytes:
    """Compute for ever."""
    while True:
        pass
