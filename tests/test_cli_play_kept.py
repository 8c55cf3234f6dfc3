"""`rum500 play`: the file of a match, which can be left at any prompt and resumed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rum500 import Record, ruleset
from rum500.cli.terminal.saves import Saves, folder, last_path, new_path, resumed
from rum500.cli.user_error import UserError
from tests.support.terminal import Fumbler, seated, short, sit_down


def test_a_file_cut_short_is_gone_on_with_where_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "match.rum500"
    sat, player = seated(short("500-rum"), 2, seed=4), Fumbler(4)
    saves = Saves(path, sat, "random")
    sit_down(sat, player, match_store=saves).run()
    saves.close()
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:5])
    again, more, notice = resumed(path)
    assert notice.startswith("the last line was cut short")
    assert sit_down(again, player, match_store=more).run()
    more.close()
    assert Record.from_text(path.read_text()).verify() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file"),
        ("hello\n", "line 1"),
        ("rum500 record 1\n", "line 1"),
    ],
)
def test_a_file_that_is_no_match_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "match.rum500"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=message):
        resumed(path)


def test_a_record_of_others_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.rum500"
    path.write_text(Record(ruleset("500-rum"), players=2, names=("Ann", "Bob")).to_text())
    with pytest.raises(UserError, match="lines Person, Bots, Seed and Draw"):
        resumed(path)


def test_where_matches_are_kept(tmp_path: Path) -> None:
    here = {"XDG_STATE_HOME": str(tmp_path)}
    assert folder(here) == tmp_path / "rum500"
    assert folder({}) == Path.home() / ".local" / "state" / "rum500"
    path = new_path(here, "500-rum")
    assert re.fullmatch(r"\d{8}-\d{6}-500-rum\.rum500", path.name)
    with pytest.raises(UserError, match="there is no unfinished match"):
        last_path(here)
    path.parent.mkdir()
    path.write_text("rum500 record 1\n")
    other = path.with_name("later.rum500")
    other.write_text("rum500 record 1\nMatch: You, 500\n")
    assert last_path(here) == path


def test_a_record_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("precious")
    with pytest.raises(UserError, match="there is such a file already"):
        Saves(path, seated(short("500-rum"), 2, seed=1), "random")
    assert path.read_text() == "precious"
