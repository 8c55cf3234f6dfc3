"""The WebSocket side of the server: one socket a guest and table, and its transport."""
