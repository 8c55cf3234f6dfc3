"""The types of the requests about a guest's devices, recovery words and data.

`rum500.server.messages.http` describes the form.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

DeviceBrowser = Literal["firefox", "safari", "chrome", "edge", "other"]
DeviceState = Literal["none", "open", "asked", "yes", "no", "expired"]
"""`none`: there is no code; `open`: nobody has given it; `asked`: a device has, and waits for the guest;
`yes`, `no`: the guest's answer; `expired`: the five minutes are over.
"""
Typed = Annotated[str, Meta(max_length=200)]
"""A code or words as people type them."""


class NewCode(Struct, forbid_unknown_fields=True):
    """A request for a code for another device."""


class DeviceCodeMade(Struct):
    """A code with which another device can ask to become this guest's device."""

    code: str
    """A word and four digits, to type at `/here`."""
    link: str
    """The address of the page with the code."""
    qr: str
    """The QR code of the link, as the address of an SVG picture."""
    seconds: int
    """The seconds for which the code works."""


class CodeStatus(Struct):
    """What has become of the guest's code."""

    state: DeviceState
    words: str | None = None
    """The two words that both devices show; null until a device has given the code."""
    browser: DeviceBrowser | None = None
    """The browser of the other device, as that device says."""
    phone: bool | None = None
    """Whether the other device is a phone or a tablet, as that device says."""
    seconds: int = 0
    """The seconds for which the code still works."""


class CodeAnswer(Struct, forbid_unknown_fields=True):
    """The guest's answer to the device that shows these two words."""

    words: Typed
    yes: bool


class CodeGiven(Struct, forbid_unknown_fields=True):
    """The code that a device gives."""

    code: Typed
    browser: DeviceBrowser
    phone: bool


class WordsGiven(Struct, forbid_unknown_fields=True):
    """The recovery words that a device gives."""

    words: Typed


class Question(Struct):
    """What has become of a device's question to be let in."""

    state: DeviceState
    words: str | None = None
    """The two words that both devices show; null for recovery words."""
    name: str | None = None
    """The name of the guest that the device becomes; null before the yes."""
    own: bool = False
    """Whether the guest of this device so far has anything that can be merged."""
    seconds: int = 0
    """The seconds for which the question is still open."""


class TakeDevice(Struct, forbid_unknown_fields=True):
    """What happens to everything of the guest that the device had so far."""

    own: Literal["merge", "leave"]


class Taken(Struct):
    """The guest that the device is from now on."""

    id: str
    name: str


class NewWords(Struct, forbid_unknown_fields=True):
    """A request for recovery words."""


class WordsMade(Struct):
    """New recovery words. The server cannot show them again."""

    words: list[str]


class WordsStatus(Struct):
    """Whether the guest has recovery words."""

    made: int | None
    """When they were made, in milliseconds since 1970; null if the guest has none."""
    ended: int
    """The number of the guest's ended matches."""


class ExportAsked(Struct, forbid_unknown_fields=True):
    """A request for all data of the guest."""

    settings: Annotated[str, Meta(max_length=6000)] = ""
    """The settings that the browser stores, which are added to the file as they are."""


class DeleteAll(Struct, forbid_unknown_fields=True):
    """A request to delete everything of the guest."""

    confirm: Literal["everything"]


class Deleted(Struct):
    """Everything of the guest is deleted."""
