"""No test reads a clock or waits for time to pass: `support/waiting.py` waits for conditions."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "time", "sleep", "wait_for_timeout"}
WAITING = "support/waiting.py"
ALLOWED = {
    "test_live_resting.py:test_a_real_server_wakes_at_its_start_what_became_due_while_it_was_down": (
        "the stored times of a table are put before those of a real server's clock"
    ),
    "support/players.py:Mouse._drag_by_touch": "touches carry the time at which they happened",
    "support/slow_bots.py:Hanging.choose": "a bot that never answers",
    "support/slow_bots.py:Slow.choose": "a bot that keeps a processor busy for a while",
    "support/soaking.py:_choose": "`make soak-bots` limits what a choice takes; no test does",
}
"""`file:function` = why it reads a clock or pauses; an entry that is not needed fails too."""


class Clocks(ast.NodeVisitor):
    """The functions of a module that read a clock or pause, unless the pause is none: `asyncio.sleep(0)`."""

    def __init__(self) -> None:
        """Begin outside any function."""
        self.where: list[str] = []
        self.found: set[str] = set()

    def visit(self, node: ast.AST) -> None:
        within = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if within:
            self.where.append(node.name)
        super().visit(node)
        if within:
            self.where.pop()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module in {"time", "asyncio"} and any(is_clock(alias.name) for alias in node.names):
            self.note()

    def visit_Call(self, node: ast.Call) -> None:
        no_pause = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0
        if not (no_pause and isinstance(node.func, ast.Attribute) and node.func.attr == "sleep"):
            self.visit(node.func)
        for argument in (*node.args, *node.keywords):
            self.visit(argument)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        of_module = isinstance(node.value, ast.Name) and node.value.id in {"time", "asyncio"}
        if (of_module and is_clock(node.attr)) or node.attr == "wait_for_timeout":
            self.note()
        self.generic_visit(node)

    def note(self) -> None:
        self.found.add(".".join(self.where) or "<module>")


def is_clock(name: str) -> bool:
    return name.removesuffix("_ns") in CLOCKS


def clocks(text: str) -> set[str]:
    """The functions that read a clock or pause."""
    found = Clocks()
    found.visit(ast.parse(text))
    return found.found


@pytest.mark.parametrize(
    "text",
    [
        "assert time.monotonic() - began < 3",
        "while time.time_ns() < end: pass",
        "time.sleep(0.1)",
        "async def f():\n    await asyncio.sleep(wait)",
        "from time import perf_counter as now",
        "page.page.wait_for_timeout(500)",
        "clock = time.monotonic",
    ],
)
def test_a_clock_and_a_pause_are_seen(text: str) -> None:
    assert clocks(text)


@pytest.mark.parametrize(
    "text", ["await asyncio.sleep(0)", "time = room.time", "clock.time.total()", "subprocess.run(timeout=3)"]
)
def test_a_turn_of_the_loop_and_a_clock_of_the_test_are_neither(text: str) -> None:
    assert not clocks(text)


def test_no_test_reads_a_clock_or_pauses() -> None:
    found = set()
    for path in sorted(TESTS.rglob("*.py")):
        file = path.relative_to(TESTS).as_posix()
        if file != WAITING:
            found |= {f"{file}:{function}" for function in clocks(path.read_text())}
    assert found == set(ALLOWED)
