"""The threads of a batch: each plays its own range of the deals, without the GIL.

Tasks are handed over by the interpreter's locks, which are taken without the GIL. The steps of a batch are
short and follow each other closely, so a thread tries its lock many times before it sleeps: to wake it would
take longer than many tasks.
"""

from __future__ import annotations

import os
import threading

try:
    import cython
except ModuleNotFoundError:  # interpreted where it is not installed
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.lab.deal_array import CHECK, END, DealStepper

TRIES = 2000
"""How often a thread tries its lock before it sleeps: for some 50 µs."""


class TeamMember:
    """A thread, the deals it plays and the locks by which it is woken and waited for."""

    def __init__(self, stepper: DealStepper, tries: cython.int) -> None:
        """Take this stepper's deals; before it sleeps, the thread tries its lock so many times."""
        self.stepper = stepper
        self.tries = tries
        if cython.compiled:
            self.given = PyThread_allocate_lock()
            self.done = PyThread_allocate_lock()
            if self.given == cython.NULL or self.done == cython.NULL:
                raise MemoryError
            PyThread_acquire_lock(self.given, WAIT_LOCK)
            PyThread_acquire_lock(self.done, WAIT_LOCK)

    def __dealloc__(self):
        if cython.compiled:
            if self.given != cython.NULL:
                PyThread_free_lock(self.given)
            if self.done != cython.NULL:
                PyThread_free_lock(self.done)

    def work(self) -> None:
        """Do one task after the other until `END`; what the thread runs."""
        with cython.nogil:
            while True:
                self.acquire(self.given)
                if self.task == END:
                    break
                self.stepper.play(self.task)
                PyThread_release_lock(self.done)

    def give(self, task: cython.int) -> None:
        """Hand a task over. Interpreted, there is no thread: the task is done here."""
        self.task = task
        if cython.compiled:
            PyThread_release_lock(self.given)
        elif task != END:
            self.stepper.play(task)

    def wait(self) -> None:
        """Wait until the task is done."""
        if cython.compiled:
            with cython.nogil:
                self.acquire(self.done)

    def acquire(self, lock):
        """Take a lock, without the GIL."""
        i: cython.int
        for i in range(self.tries):
            if PyThread_acquire_lock(lock, NOWAIT_LOCK):
                return
        PyThread_acquire_lock(lock, WAIT_LOCK)


class DealTeam:
    """All threads of a batch; the caller's own plays the first range."""

    def __init__(self, steppers) -> None:
        """Start a thread for each stepper but the first."""
        self.steppers = steppers
        self.stopped = False
        self.start()

    def start(self) -> None:
        """Start the threads, of this process: a copy by `os.fork` has none."""
        # Threads that share a core would only keep it from each other by trying.
        tries = TRIES if len(self.steppers) <= (os.cpu_count() or 1) else 0
        self.members = [TeamMember(stepper, tries) for stepper in self.steppers[1:]]
        if cython.compiled:
            for member in self.members:
                threading.Thread(target=member.work, daemon=True, name="rum500 batch").start()
        self.process = os.getpid()

    def run(self, task: cython.int) -> None:
        """Let each thread do this task with its deals, and wait for all; Ctrl-C has to wait for them too."""
        own: DealStepper = self.steppers[0]
        member: TeamMember
        if os.getpid() != self.process:
            self.start()
        for member in self.members:
            member.give(task)
        with cython.nogil:
            own.play(task)
        for member in self.members:
            member.wait()

    def check(self) -> int:
        """Find the actions with the chosen numbers; return the first deal without, or -1."""
        stepper: DealStepper
        self.run(CHECK)
        for stepper in self.steppers:
            if stepper.wrong >= 0:
                return stepper.wrong
        return -1

    def stop(self) -> None:
        """End the threads."""
        member: TeamMember
        if not self.stopped:
            self.stopped = True
            for member in self.members:
                member.give(END)
