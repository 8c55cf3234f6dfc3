"""Long commands say how far they are: a bar at a terminal, lines elsewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from rum500.cli import _console, main
from rum500.cli._console import FIRST_LINE_S, LINE_S


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_lines_come_first_after_some_seconds_and_then_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_console, "FIRST_LINE_S", FIRST_LINE_S)  # other tests print none
    out, clock = io.StringIO(), Clock()
    with _console.bar(Console(file=out, width=20), clock=clock) as bar:
        task = bar.add_task("club – [strong]", total=2000, state="")
        for second in range(200):
            clock.now = 1000.0 + second
            bar.update(task, completed=10 * second, state=f"after {second}, of a contest with a long name")
    assert out.getvalue().splitlines() == [
        f"club – [strong]: {10 * at:,} of 2,000 after {time}; after {at}, of a contest with a long name"
        for at, time in (
            (int(FIRST_LINE_S), "0:00:10"),
            (int(FIRST_LINE_S + LINE_S), "0:01:10"),
            (int(FIRST_LINE_S + 2 * LINE_S), "0:02:10"),
            (int(FIRST_LINE_S + 3 * LINE_S), "0:03:10"),
        )
    ]


def test_a_terminal_gets_a_bar_and_no_lines() -> None:
    out, clock = io.StringIO(), Clock()
    with _console.bar(Console(file=out, force_terminal=True, width=80), clock=clock) as bar:
        task = bar.add_task("deals", total=4)
        clock.now += 100 * LINE_S
        bar.update(task, completed=3)
        bar.refresh()
    assert "3/4" in out.getvalue() and "3 of 4" not in out.getvalue()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("arena --bots greedy,random --pairs 3 --unit deal", "greedy – random: 3 of 3 after"),
        ("simulate --deals 20 --bots random", "500 Rum: 20 of 20 after"),
        ("bot test random --profile rummy-500 --deals 1", "random: 27 of 27 after"),
        (
            "ladder neighbours --games 500-rum/2 --bots random,greedy --pairs 2",
            "500-rum/2: random – greedy: 2 of 2 after",
        ),
        ("corpus make corpus --deals 20 --bots random", "500 Rum: 20 of 20 after"),
    ],
)
def test_command_without_a_terminal_prints_lines_to_stderr(
    words: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_console, "FIRST_LINE_S", 0.0)
    monkeypatch.setattr(_console, "LINE_S", 0.0)
    monkeypatch.chdir(tmp_path)
    more = [] if words.startswith("bot") else ["--workers", "1"]
    main([*words.split(), *more])
    shown = capsys.readouterr()
    assert any(each.startswith(line) for each in shown.err.splitlines()), shown.err
    assert line not in shown.out
