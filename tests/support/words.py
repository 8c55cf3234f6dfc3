"""The page's messages in every language, read and filled in as Paraglide does it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.words import catalogue

MESSAGES = Path(__file__).resolve().parents[2] / "web" / "messages"
LOCALES = ("en", "de", "es", "fr", "fa")
NAMESPACES = tuple(sorted(path.stem for path in (MESSAGES / "de").glob("*.json")))
_PLACE = re.compile(r"(?<!\\)\{(\w+)[^{}]*\}")

Message = str | list[dict[str, Any]]


def messages(locale: str, namespace: str) -> dict[str, Message]:
    """The messages of a language's file by key. No key may stand twice: JSON's readers drop the first."""
    if (locale, namespace) == ("en", "game"):
        return catalogue()
    text = (MESSAGES / locale / f"{namespace}.json").read_text(encoding="utf-8")
    found = json.loads(text, object_pairs_hook=_each_once)
    return {key: message for key, message in found.items() if key != "$schema"}


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    assert len(found) == len(pairs), sorted(key for key, _ in pairs)
    return found


def texts(message: Message) -> Iterator[str]:
    """Every text of a message, of each of its variants."""
    if isinstance(message, str):
        yield message
    else:
        for part in message:
            yield from part["match"].values()


def variants(message: Message) -> Iterator[tuple[dict[str, str], str]]:
    """Conditions and text of each variant; a plain message has one without conditions."""
    if isinstance(message, str):
        yield {}, message
        return
    for part in message:
        for condition, text in part["match"].items():
            yield dict(item.strip().split("=") for item in condition.split(",")), text


def _locals(message: Message) -> dict[str, str]:
    """What a message's local names are made of."""
    declared = (
        []
        if isinstance(message, str)
        else [line for part in message for line in part.get("declarations", [])]
    )
    found = (re.fullmatch(r"local (\w+) = (\w+).*", line) for line in declared)
    return {match[1]: match[2] for match in found if match}


def selectors(message: Message) -> set[str]:
    """The inputs that choose the variant."""
    made = _locals(message)
    return {made.get(name, name) for conditions, _ in variants(message) for name in conditions}


def places(message: Message) -> set[str]:
    """The inputs that a message's texts show."""
    made = _locals(message)
    return {made.get(name, name) for text in texts(message) for name in _PLACE.findall(text)}


def filled(message: Message, inputs: Mapping[str, object]) -> str:
    """An English message with these inputs: the most exact variant that holds."""
    made = _locals(message)

    def value(name: str) -> str:
        if name in made and name.endswith("Plural"):
            return "one" if inputs[made[name]] == 1 else "other"
        return str(inputs[made.get(name, name)])

    holding = [
        (sum(wanted != "*" for wanted in conditions.values()), text)
        for conditions, text in variants(message)
        if all(wanted in ("*", value(name)) for name, wanted in conditions.items())
    ]
    text = max(holding, key=lambda found: found[0])[1]
    return _PLACE.sub(lambda found: str(inputs[made.get(found[1], found[1])]), text)
