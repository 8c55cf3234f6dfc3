"""Names of guests: default names, and which names are allowed."""

from __future__ import annotations

import hashlib
import re
import unicodedata

LONGEST_NAME = 24
"""The largest number of characters of a guest's name, and of a bot's name."""

# A guest's default name is a word of each list; all pairs make sense.
_FIRST = (
    "Amber", "Ashen", "Brave", "Bright", "Calm", "Clever", "Coral", "Dapper", "Eager", "Fair", "Gentle",
    "Golden", "Happy", "Jolly", "Keen", "Kind", "Lucky", "Merry", "Misty", "Nimble", "Olive", "Patient",
    "Quiet", "Rosy", "Ruby", "Silver", "Snowy", "Sunny", "Swift", "Tidy", "Velvet", "Witty",
)  # fmt: skip
_SECOND = (
    "Badger", "Beaver", "Bison", "Crane", "Curlew", "Deer", "Dolphin", "Falcon", "Finch", "Fox",
    "Gecko", "Hare", "Heron", "Ibex", "Jackdaw", "Kestrel", "Lark", "Lemur", "Lynx", "Magpie", "Marten",
    "Newt", "Otter", "Owl", "Panda", "Plover", "Raven", "Robin", "Stork", "Swallow", "Tapir", "Wren",
)  # fmt: skip


class BadName(ValueError):
    """A name that is not allowed. The message says why."""


def usual_name(guest: str) -> str:
    """Return the default name of the guest with this id; the same id always gives the same name.

    >>> usual_name("xyz")
    'Quiet Finch'
    """
    digest = hashlib.sha256(guest.encode()).digest()
    return f"{_FIRST[digest[0] % len(_FIRST)]} {_SECOND[digest[1] % len(_SECOND)]}"


def tidy_name(name: str) -> str:
    """Return the name in Unicode form NFKC with single spaces. Raises `BadName` if it is not allowed.

    Letters of any script, accents and emoji are allowed. Invisible characters, characters that change the
    direction of text, more than two marks on one letter, and characters that a record cannot contain are not.

    >>> tidy_name("  Ada   L. ")
    'Ada L.'
    """
    tidied = " ".join(unicodedata.normalize("NFKC", name).split())
    if not tidied:
        raise BadName("a name must have at least one character")
    if len(tidied) > LONGEST_NAME:
        raise BadName(f"a name must have at most {LONGEST_NAME} characters")
    if any(_unwanted(char) for char in tidied):
        raise BadName('a name must not contain invisible characters or any of : ; # { } | " < >')
    if _LOOSE.search("".join(map(_kind, tidied))):
        raise BadName("a name must not have marks or joiners without a letter, or more than two marks on one")
    return tidied


_JOINERS = "\u200c\u200d"  # needed for Persian and for emoji
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800"
"""Invisible characters that Unicode calls letters, marks or symbols."""
_LOOSE = re.compile("(?:^| )[mj]|j(?:[ jm]|$)|mmm")
"""Marks and joiners in places where no writing needs them, in terms of the kinds of characters (`_kind`)."""


def _unwanted(char: str) -> bool:
    return (
        char in ':;#{}|"<>'
        or char in _BLANK
        or (unicodedata.category(char)[0] == "C" and char not in _JOINERS)
    )


def _kind(char: str) -> str:
    """Return a character's kind: `m` (a mark without width), `j` (a joiner), ` ` (a space), or else `x`."""
    if char in _JOINERS:
        return "j"
    return "m" if unicodedata.category(char) in ("Mn", "Me") else " " if char == " " else "x"
