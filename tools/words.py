"""The page's English texts of the rules and of the server, which `tools/page_sources.py` writes.

The sources of `web/messages/en/game.json` are `sentences.toml`, `refusals.toml`, the profiles and the house
rules of `rum500.rules`, and the `refusals.toml` of `rum500.server.messages`. In the other languages that file
is a translation, written by hand; tests/test_words.py compares its keys and placeholders with the English.
"""

from __future__ import annotations

import re
import string
import tomllib
from itertools import product
from typing import Any

from rum500.rules.named_variations import variations
from rum500.rules.options import HOUSE_RULES
from rum500.rules.profiles import profiles
from tools.generate import ROOT

RULES = ROOT / "src" / "rum500" / "rules"
SERVER = ROOT / "src" / "rum500" / "server" / "messages"

CODES = {"account": {"side": "side", "*": "player"}}
"""The English words for codes in a sentence of the rules."""

Variant = tuple[dict[str, str], str]
"""A text, and the values of the selectors with which it is shown."""


def catalogue() -> dict[str, Any]:
    """Return the messages by key."""
    sentences = tomllib.loads((RULES / "sentences.toml").read_text(encoding="utf-8"))
    refusals = tomllib.loads((RULES / "refusals.toml").read_text(encoding="utf-8"))
    server = tomllib.loads((SERVER / "refusals.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    for name, rules in profiles().items():
        found[f"profile_{name}_title"] = message([({}, rules.title)])
        found[f"profile_{name}_summary"] = message([({}, rules.summary)])
    for id_, house in HOUSE_RULES.items():
        found[f"house_{id_.lower()}"] = message([({}, house.title)])
    for name, variation in variations().items():
        found[f"variation_{name}"] = message([({}, variation.title)])
    for heading, entries in sentences.items():
        found[f"heading_{entries[0]['id'].split('.')[0]}"] = message([({}, heading)])
    for entries in sentences.values():
        for entry in entries:
            found[f"rule_{entry['id']}"] = message(rule_variants(entry["text"]))
    *most, last = refusals["advice"].items()
    found["advice"] = message([*(({"advice": name}, text) for name, text in most), ({}, last[1])])
    for code, variants in {**refusals["sentences"], **server["sentences"]}.items():
        found[f"reason_{code}"] = message(list(map(refusal_variant, variants)))
    return {"game_" + re.sub(r"\W", "_", key): each for key, each in found.items()}


def rule_variants(text: str) -> list[Variant]:
    """Return a sentence of the rules, with a variant for each form of a counted noun and for each code."""
    pieces: list[dict[tuple[str, str] | None, str]] = []
    for before, name, spec, _ in string.Formatter().parse(text):
        pieces.append({None: before})
        if name in CODES:
            pieces.append({(name, value): word for value, word in CODES[name].items()})
        elif name:
            word, noun = (spec or "").startswith("word"), (spec or "").removeprefix("word").strip()
            number = f"{{{name}_word}}" if word else f"{{{name}}}"
            one, many = (name + "Plural", "one"), (name + "Plural", "*")
            counted: dict[tuple[str, str] | None, str] = {
                one: f"{'one' if word else number} {noun}",
                many: f"{number} {noun}s",
            }
            pieces.append(counted if noun else {None: number})
    return [
        (dict(condition for condition, _ in chosen if condition), "".join(words for _, words in chosen))
        for chosen in product(*(piece.items() for piece in pieces))
    ]


def refusal_variant(entry: dict[str, Any]) -> Variant:
    """Return a variant of a refusal as a complete sentence. Only the number 1 has a variant."""
    text = entry["text"]
    conditions = {
        f"{name}Plural" if value == 1 else name: "one" if value == 1 else value
        for name, value in entry.items()
        if name != "text"
    }
    return conditions, f"{text[:1].upper()}{text[1:]}."


def message(variants: list[Variant]) -> Any:
    """Return a message in inlang's format."""
    selectors = list(dict.fromkeys(name for conditions, _ in variants for name in conditions))
    if not selectors:
        return typeset(variants[0][1])
    plurals = [name for name in selectors if name.endswith("Plural")]
    declared = [f"local {name} = {name.replace('Plural', '_count')}: plural" for name in plurals]
    match = {
        ", ".join(f"{name}={conditions.get(name, '*')}" for name in selectors): typeset(text)
        for conditions, text in variants
    }
    return [{"declarations": declared, "match": match} if declared else {"match": match}]


def typeset(text: str) -> str:
    """Return a text with typographic quotation marks and apostrophes."""
    return re.sub(r"""(?<!\w)(["'])(.*?)\1(?!\w)""", r"“\2”", text).replace("'", "’")
