"""The server's HTTP part: the API, the lobby, replays, and the files of the page."""
