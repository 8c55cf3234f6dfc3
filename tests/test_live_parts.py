"""The live table's parts know each other as docs/decisions/live-tables.md shows it, and never the table."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIVE = ROOT / "src" / "rum500" / "server" / "live"
PAGE = ROOT / "docs" / "decisions" / "live-tables.md"
ROW = re.compile(r"^\| `(\w+)` \|([^|]*)\|", re.MULTILINE)
MAY_KNOW_THE_TABLE = {"table", "table_registry"}
MAY_CHANGE_A_STATE = {"table_log", "table_people", "table_state"}


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module of the live table."""
    return {path.stem: ast.parse(path.read_text()) for path in sorted(LIVE.glob("*.py"))}


@cache
def classes() -> dict[str, ast.ClassDef]:
    """The classes of the live table by name."""
    return {
        node.name: node for tree in trees().values() for node in tree.body if isinstance(node, ast.ClassDef)
    }


@cache
def shown() -> dict[str, list[str]]:
    """What the page says: each part, in its order, with the methods of other parts that it uses."""
    return {name: re.findall(r"`([\w.]+)`", used) for name, used in ROW.findall(PAGE.read_text())}


def methods(name: str) -> set[str]:
    """The methods of a class, without its properties."""
    found = (
        node for node in classes()[name].body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return {node.name for node in found if not node.decorator_list}


def init_of(node: ast.ClassDef) -> ast.FunctionDef | None:
    """The constructor of a class, if it has its own."""
    found = (child for child in node.body if isinstance(child, ast.FunctionDef))
    return next((child for child in found if child.name == "__init__"), None)


def taken(node: ast.ClassDef) -> set[str]:
    """The names in the annotations of a class's constructor."""
    init = init_of(node)
    return {child.id for child in ast.walk(init.args) if isinstance(child, ast.Name)} if init else set()


def used(node: ast.ClassDef, parts: set[str]) -> set[str]:
    """The methods of these parts that a class calls or hands on, as `Part.method`."""
    init = init_of(node)
    assert init is not None
    held = {arg.arg: arg.annotation.id for arg in init.args.args if isinstance(arg.annotation, ast.Name)}
    for child in ast.walk(init):
        if isinstance(child, ast.Assign):
            made = child.value.func if isinstance(child.value, ast.Call) else child.value
            kind = held.get(getattr(made, "id", ""), getattr(made, "id", ""))
            held |= {ast.unparse(target): kind for target in child.targets}
    found = {
        (held.get(ast.unparse(child.value), ""), child.attr)
        for child in ast.walk(node)
        if isinstance(child, ast.Attribute)
    }
    return {f"{part}.{name}" for part, name in found if part in parts and name in methods(part)}


def test_what_a_class_uses_is_found() -> None:
    (node,) = ast.parse(
        "class Ballot:\n"
        " def __init__(self, log: TableLog, timer: TurnTimer, n: int):\n"
        "  self._log = log\n  self._made = made = Attendance(timer)\n  self.call = made.update\n"
        " def f(self):\n  self._log.append(timer.stop())\n  self.n.stop()\n  self._log.state.append(1)"
    ).body
    assert isinstance(node, ast.ClassDef)
    parts = {"TableLog", "TurnTimer", "Attendance"}
    assert used(node, parts) == {"TableLog.append", "TurnTimer.stop", "Attendance.update"}


def test_the_page_shows_what_each_part_uses() -> None:
    parts = set(shown())
    assert {part: sorted(names) for part, names in shown().items()} == {
        part: sorted(used(classes()[part], parts)) for part in parts
    }
    assert {name for name, node in classes().items() if taken(node) & parts} <= parts, "a part is not shown"
    assert len(parts) > 10


def test_no_part_takes_one_below_it() -> None:
    """So there is no circle: a constructor takes parts that the page names above it."""
    above: set[str] = set()
    for part in shown():
        assert taken(classes()[part]) & set(shown()) <= above, part
        assert {name.partition(".")[0] for name in shown()[part]} <= above, part
        above.add(part)


def test_the_registry_alone_knows_the_table() -> None:
    knowing = {
        name
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == "LiveTable")
        or (isinstance(node, ast.ImportFrom) and node.module == "rum500.server.live.table")
        or (isinstance(node, ast.Constant) and node.value == "LiveTable")
    }
    assert knowing - {"table"} == MAY_KNOW_THE_TABLE - {"table"}


def state_changes(tree: ast.AST) -> list[str]:
    """The lines that set a field of something called `state`, or call what changes it."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.search(r"(^|\.)state$", ast.unparse(node.value)):
            writes = not isinstance(node.ctx, ast.Load) or node.attr in {"apply", "read"}
            found += [ast.unparse(node)] if writes else []
    return found


@pytest.mark.parametrize(
    "text", ["state.seats = []", "self._log.state.revision += 1", "log.state.apply(a, b)", "del state.x"]
)
def test_a_change_of_a_state_is_seen(text: str) -> None:
    assert state_changes(ast.parse(text))


def test_the_log_alone_changes_a_state() -> None:
    """Replays fold a stored log into their own state."""
    changing = {name for name, tree in trees().items() if state_changes(tree)}
    assert changing - MAY_CHANGE_A_STATE == {"deal_replay"}
