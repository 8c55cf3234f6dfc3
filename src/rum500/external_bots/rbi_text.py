"""The text blocks of RBI, the rum bot interface, shared by both sides. See `docs/engine-protocol.md`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from rum500.rules.action_codes import encode
from rum500.rules.notation import NotationError, parse_play, play_text
from rum500.rules.ruleset import Ruleset
from rum500.state import PositionError, position_from_text, view_to_text
from rum500.state.rules_text import rules_lines
from rum500.view import View

VERSION = "rbi 1"
END = "end"
"""The last line of a block."""
BETWEEN_PLAYS = "; "
LONGEST_LINE = 1 << 20
"""The largest number of characters in a line. Legal plays with wild jokers can take some hundred thousand."""
MOST_LINES = 10_000
"""The largest number of lines in a block."""


def rules_block(rules: Ruleset) -> list[str]:
    """Return the lines that describe a rule set."""
    return ["rules", *rules_lines(rules), END]


def view_block(view: View) -> list[str]:
    """Return the lines of a view: the position, the past actions, the legal plays."""
    lines = ["view", *view_to_text(view).splitlines(), END]
    if view.past:
        lines.append(f"past {' '.join(map(str, view.past))}")
    lines.append(f"legal {BETWEEN_PLAYS.join(play_text(code, view) for code in view.legal)}")
    return lines


def read_view(position: Sequence[str], past: Sequence[str]) -> View:
    """Return the view in these lines. Raises `ValueError` with a one-line message if they describe none."""
    try:
        read = position_from_text("\n".join(position) + "\n")
        course = tuple(int(code) for code in past)
    except PositionError as error:
        raise ValueError(" ".join(str(error).split())) from None
    if read.complete or read.seat is None:
        raise ValueError("a view is what one seat sees: it has a line 'seat: N'")
    return msgspec.structs.replace(read.view, past=course)


def legal_code(text: str, view: View) -> int | None:
    """Return the code of the legal play in this text; None if it is not legal or not a play."""
    wanted = " ".join(text.split())
    for code in view.legal:
        if play_text(code, view) == wanted:
            return code
    try:
        code = encode(parse_play(wanted, view))
    except (NotationError, ValueError, KeyError):
        return None
    return code if code in view.legal else None
