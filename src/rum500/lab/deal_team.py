"""The threads of a batch: each plays its own range of the deals, without the GIL.

Tasks are handed over by the interpreter's locks, which can be acquired without the GIL. The steps of a batch
are short and follow each other closely, so a thread tries its lock many times before it sleeps: waking a
thread would take longer than many tasks.
"""

from __future__ import annotations

import os
import threading

try:
    import cython
except ModuleNotFoundError:  # without Cython, this module runs interpreted
    from rum500 import _cython as cython

if not cython.compiled:
    from rum500.lab.deal_array import CHECK, END, DealStepper

TRIES = 2000
"""How often a thread tries its lock before it sleeps, about 50 µs in all."""


class TeamMember:
    """A thread, its range of deals, and the locks that hand over a task and report its end."""

    def __init__(self, stepper: DealStepper, tries: cython.int) -> None:
        """Set the stepper, and how often the thread tries its lock before it sleeps."""
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
        """Do tasks until the task `END`. This is the thread's target."""
        with cython.nogil:
            while True:
                self.acquire(self.given)
                if self.task == END:
                    break
                self.stepper.play(self.task)
                PyThread_release_lock(self.done)

    def give(self, task: cython.int) -> None:
        """Give the thread a task. The interpreted engine has no threads: the task is done in this call."""
        self.task = task
        if cython.compiled:
            PyThread_release_lock(self.given)
        elif task != END:
            self.stepper.play(task)

    def wait(self) -> None:
        """Wait until the thread has done its task."""
        if cython.compiled:
            with cython.nogil:
                self.acquire(self.done)

    def acquire(self, lock):
        """Acquire a lock, without the GIL."""
        i: cython.int
        for i in range(self.tries):
            if PyThread_acquire_lock(lock, NOWAIT_LOCK):
                return
        PyThread_acquire_lock(lock, WAIT_LOCK)


class DealTeam:
    """The threads of a batch. The caller's own thread plays the first range."""

    def __init__(self, steppers) -> None:
        """Start a thread for each stepper except the first."""
        self.steppers = steppers
        self.stopped = False
        self.start()

    def start(self) -> None:
        """Start the threads in this process: a process created by `os.fork` has none of them."""
        # With fewer processors than threads, trying repeatedly would only delay the other threads.
        tries = TRIES if len(self.steppers) <= (os.cpu_count() or 1) else 0
        self.members = [TeamMember(stepper, tries) for stepper in self.steppers[1:]]
        if cython.compiled:
            for member in self.members:
                threading.Thread(target=member.work, daemon=True, name="rum500 batch").start()
        self.process = os.getpid()

    def run(self, task: cython.int) -> None:
        """Do this task with all deals, in all threads, and wait for them. Ctrl-C takes effect afterwards."""
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
        """Convert the chosen numbers to codes; return the index of the first illegal one, or -1."""
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
