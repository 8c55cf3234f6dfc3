"""The error of everything that a table refuses for another reason than a rule of the game."""

from __future__ import annotations

from rum500.server.messages.parts import ReasonParts


class TableError(Exception):
    """Something that may not be: a stable `code`, why, and the option at fault (`key`) if one is.

    `parts` are the numbers and names in the message, for a client that says it in another language.
    """

    def __init__(
        self, code: str, message: str, key: str | None = None, parts: ReasonParts | None = None
    ) -> None:
        """Carry code, message, option and parts."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.key = key
        self.parts = parts
