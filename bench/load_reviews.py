"""Reviews for a load test: matches that a rum500 server is to judge while its tables are measured."""

from __future__ import annotations

from pathlib import Path

from load_machine import metric

from tests.support.live_server import Guest, LiveServer, play_on

MATCHES, DEALS = 2, 12
"""Enough to be judged for longer than a measurement takes."""
FEWEST_JUDGED = 10
"""With fewer decisions judged in a round, reviews have not run beside the tables."""
FLAGS = ("--bot-workers", "4", "--review-workers", "2", "--bot-pause-ms", "0")
"""Two processes for reviews: there are at most half as many as for bots. The bots do not pause."""


def played_matches(port: int) -> list[tuple[Guest, str]]:
    """Play matches of two to their ends. Return the guests, each with the table."""
    server = LiveServer(Path(), port=port)
    played = []
    for number in range(MATCHES):
        guest = Guest(server, f"Reader {number + 1}")
        options = {"level": "greedy", "start": True, "private": True, "deals": DEALS, "target": 5000}
        table = guest.new_table("500-rum", **options)
        with guest.at(table) as seat:
            play_on([seat], lambda facts: facts.get("status") == "over", seed=number)
        played.append((guest, table))
    return played


def ask_for_reviews(matches: list[tuple[Guest, str]]) -> None:
    """Ask for the marks of all their deals."""
    for guest, table in matches:
        guest.call("POST", f"/api/tables/{table}/review", {})


def verdicts(port: int) -> int:
    """Return how many decisions the server has judged so far, from its metrics."""
    return int(metric(port, 'rum500_reviews_total{kind="verdict"}'))


def loop_load(port: int) -> float:
    """Return for which share of the last second the server's event loop worked, from its metrics."""
    return metric(port, "rum500_loop_load_ratio")
