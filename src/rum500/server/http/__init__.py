"""The HTTP side of the server: the API, the lobby, replays, and the files of the page."""
