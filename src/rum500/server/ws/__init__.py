"""The server's WebSocket part: one socket for each guest at each table."""
