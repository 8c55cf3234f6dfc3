"""The server is killed in the middle of play, and nobody loses a card; `make soak` does it for longer."""

from __future__ import annotations

from tools.crash_soak import soak


def test_twenty_kills_lose_and_double_nothing() -> None:
    result = soak(20, tables=4, seed=20)
    assert result.kills == 21  # the last one shows that the log alone tells everything
    assert result.acknowledged > 100
    assert result.repeated > 0  # moves were under way when the server died
    assert result.compared > 20
