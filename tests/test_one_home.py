"""Each fact is declared once: what follows from a declaration follows it everywhere."""

from __future__ import annotations

from rum500.server import messages
from rum500.server.live.turn import requests

# --- the wire ---------------------------------------------------------------------------------------------


def test_every_message_of_a_client_has_a_handler() -> None:
    answered_by_the_table = {messages.Join, messages.Ask, messages.Look, messages.Ping}
    assert set(messages.CLIENT_MESSAGES) == answered_by_the_table | set(requests._HANDLERS)
