"""The error with which the server refuses something for another reason than a rule of the game."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from rum500.rules.refusals import filled
from rum500.server.messages.parts import Reason, ReasonParts


class TableError(Exception):
    """A refusal: a stable `code`, a message, and the `key` of the invalid option, or None.

    `parts` are the numbers and names in the message, for clients that translate it. By default the message is
    the sentence of the code in `refusals.toml`.
    """

    def __init__(
        self, code: str, message: str = "", key: str | None = None, parts: ReasonParts | None = None
    ) -> None:
        """Set the fields. Without `message`, the sentence of the code is used."""
        self.message = message or refusal_sentence(code, parts)
        super().__init__(self.message)
        self.code = code
        self.key = key
        self.parts = parts

    @property
    def reason(self) -> Reason:
        """The error in the form of the protocol."""
        return Reason(self.code, self.message, parts=self.parts)


def refusal_sentence(code: str, parts: ReasonParts | None = None) -> str:
    """Return the sentence for a code, filled in with `parts`.

    If the code has none, its part before the first dot has.
    """
    sentences = _sentences()
    variants = sentences[code] if code in sentences else sentences[code.partition(".")[0]]
    return filled(variants, msgspec.structs.asdict(parts) if parts else {})


def has_sentence(code: str) -> bool:
    """Return whether `refusals.toml` has a sentence for exactly this code."""
    return code in _sentences()


@cache
def _sentences() -> dict[str, list[dict[str, Any]]]:
    text = resources.files("rum500.server.messages").joinpath("refusals.toml").read_text(encoding="utf-8")
    sentences: dict[str, list[dict[str, Any]]] = tomllib.loads(text)["sentences"]
    return sentences
