"""What messages are made of: their base, and the kinds of words and numbers in them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Id = Annotated[str, Meta(min_length=1, max_length=40)]
"""A client's own name for a message; the same one again does nothing more and is answered alike."""
Card = Annotated[str, Meta(min_length=2, max_length=4)]
Seat = Annotated[int, Meta(ge=0, le=7)]
Number = Annotated[int, Meta(ge=0)]
Code = Annotated[str, Meta(pattern=r"^[0-9]{1,20}$")]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
Emote = Literal["well-played", "thanks", "hello", "oops", "wow", "hurry", "good-luck", "laugh"]


class Plain(Struct, gc=False):
    """What messages are made of: none can hold itself, so the collector of cycles need not look at them."""
