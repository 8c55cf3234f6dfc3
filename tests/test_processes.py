"""Processes that a test starts end with the test, however it ends."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from tests.support.processes import left_over, started
from tests.support.waiting import until

FOREVER = [sys.executable, "-c", "import signal; print(flush=True); signal.pause()"]
RUN = f"""
import os, signal, subprocess, sys
from tests.support.processes import guarded
with guarded():
    child = subprocess.Popen({FOREVER!r}, stdout=subprocess.PIPE, start_new_session=True)
    child.stdout.readline()
    print(child.pid, flush=True)
    signal.pause()
"""


def test_a_process_ends_when_the_block_raises() -> None:
    def begun() -> None:
        with started(FOREVER, stdout=subprocess.PIPE) as process:
            assert process.stdout.readline()
            raise ValueError(process.pid, left_over())

    with pytest.raises(ValueError, match=r"\d+") as raised:
        begun()
    process, left = raised.value.args
    assert process in {each.pid for each in left}
    assert process not in {each.pid for each in left_over()}


def test_children_end_when_the_process_that_runs_the_tests_is_killed() -> None:
    with started([sys.executable, "-c", RUN], stdout=subprocess.PIPE) as process:
        child = int(process.stdout.readline())
        assert psutil.pid_exists(child)
    until(lambda: not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE)
