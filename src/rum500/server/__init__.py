"""The web table: an ASGI app, live tables, the lobby and the protocol."""
