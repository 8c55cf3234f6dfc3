"""The types of score sheets that others watch, over HTTP."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

PadId = Annotated[str, Meta(min_length=22, max_length=22, pattern=r"^[A-Za-z0-9_-]+$")]
PadToken = PadId


class PadSheet(Struct):
    """A score sheet as its device sends it."""

    sheet: Annotated[str, Meta(min_length=1, max_length=6_000, pattern=r"^[A-Za-z0-9_-]+$")]
    """The sheet, packed by the page; the server does not read it."""
    token: PadToken | None = None
    """The writer's token; None for a new sheet."""


class PadWriter(Struct):
    """What the device that writes a sheet needs to change it."""

    id: PadId
    """The id of the sheet, with which anyone can watch it."""
    token: PadToken
    """The secret with which the sheet can be changed."""


class PadEnd(Struct):
    """The token of a sheet that nobody shall watch any more."""

    token: PadToken


class WatchedPad(Struct):
    """A score sheet as others watch it."""

    sheet: str | None
    """The sheet as it was written last; None if the server does not keep it any more."""
