"""Write the page's sources that follow from the server's: `tools/page.py` does it before each build.

`web/src/lib/net/protocol.ts` has the types of all messages, `web/messages/en/game.json` the English sentences
of rules and refusals. Neither file is in the repository.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from rum500 import bots
from rum500.server.http.endpoint import JSON
from rum500.server.http.offline import data_format
from rum500.server.live.log.table_options import rules_for, table_info
from rum500.server.messages import field_types, guest_names, options
from rum500.server.messages.field_types import countdown_schema
from tools.generate import ROOT
from tools.protocol import ABOVE, CLASSES, ENDPOINTS, PATCHED, Schema, schema
from tools.words import catalogue

TYPES = ROOT / "web" / "src" / "lib" / "net" / "protocol.ts"
ENGLISH = ROOT / "web" / "messages" / "en" / "game.json"


CONSTANTS = {
    "PROTOCOL": (field_types.PROTOCOL, "The subprotocol of a table's WebSocket."),
    "LONGEST_NAME": (guest_names.LONGEST_NAME, "The most characters of a name."),
    "OFFLINE_FORMAT": (
        data_format(),
        "The format of the answers that are stored for pages without a network.",
    ),
    "DAY_S": (options.DAY_S, "From this time for a turn on, the clock is a clock of days."),
    "USUAL_BANK_S": (options.USUAL_BANK_S, "The seconds in a bank if none are chosen."),
    "HOLD_BACK": (
        [level.name for level in bots.levels() if level.holds_back],
        "The levels of bots that hold cards back.",
    ),
    "STEPS": (len(bots.numbered_levels()), "The number of levels of bots with a number."),
}
BOUNDS = {
    "minimum": "least",
    "maximum": "most",
    "minLength": "least",
    "maxLength": "most",
    "default": "usual",
}


def types() -> str:
    """Return `protocol.ts`: constants, and a type for each message and for each part of messages."""
    parts = [
        f"/** {about} */\nexport const {name} = {json.dumps(value)};\n"
        for name, (value, about) in CONSTANTS.items()
    ]
    for name, part in schema()["$defs"].items():
        if bounds := _bounds(name, part):
            parts.append(
                f"/** Limits and defaults in a {name}. */\n"
                f"export const {name[0].lower()}{name[1:]}Fields = {json.dumps(bounds)} as const;\n"
            )
        parts.append(_interface(name, part))
    parts += [usual_table(), api()]
    return "// Written by tools/page_sources.py from the server's messages.\n\n" + "\n".join(parts)


def usual_table() -> str:
    """Return the default options of a table."""
    info = table_info(options.DEFAULTS, *rules_for(options.DEFAULTS))
    text = msgspec.json.encode(info).decode()
    return f"/** A table for which nothing was chosen. */\nexport const USUAL_TABLE: TableInfo = {text};\n"


def api() -> str:
    """Return the interface of all endpoints that answer with JSON: parameters, body and answer of each."""
    lines = [
        "/** What the server answers over HTTP. Parameters that may be left out are those of the query. */",
        "export interface Api {",
    ]
    for each in ENDPOINTS:
        if each.media == JSON:
            params = [f"{param.name}: {_of(param.type)}" for param in each.params]
            params += [f"{param.name}?: {_of(param.type)} | null" for param in each.query]
            body = "" if each.takes is None else f" body: {_of(each.takes)};"
            parts = f"params: {{ {'; '.join(params)} }};{body} answer: {_of(each.answers)}"
            lines += [f"  /** {each.meaning} */", f"  '{each.method} {each.path}': {{ {parts} }};"]
    return "\n".join([*lines, "}", ""])


def _of(kind: Any) -> str:
    (found,), _ = msgspec.json.schema_components(
        [kind], ref_template=ABOVE + "{name}", schema_hook=countdown_schema
    )
    return _type(found)


def _bounds(name: str, part: Schema) -> dict[str, dict[str, Any]]:
    """Return the limits and defaults of the fields in browsers' requests."""
    if "anyOf" in part or "additionalProperties" not in part:
        return {}
    found = {
        field: {
            bound: each[key]
            for each in (sub, *sub.get("anyOf", ()))
            for key, bound in BOUNDS.items()
            if each.get(key) not in (None, [], "")
        }
        for field, sub in part["properties"].items()
        if field != "id"
    }
    return {field: bounds for field, bounds in found.items() if bounds}


def _interface(name: str, part: Schema) -> str:
    if "anyOf" in part:
        return (
            f"export type {name} =\n"
            + "".join(f"  | {_type(each)}\n" for each in part["anyOf"]).rstrip()
            + ";\n"
        )
    if whole := PATCHED.get(CLASSES[name]):
        return "\n".join([
            *_comment(part["description"], ""), f"export type {name} = Partial<{whole.__name__}>;", ""
        ])  # fmt: skip
    lines = [*_comment(part["description"], ""), f"export interface {name} {{"]
    for field, sub in part["properties"].items():
        lines += _comment(sub.get("description", ""), "  ")
        mark = "" if field in part.get("required", ()) else "?"
        lines.append(f"  {field}{mark}: {_type(sub)};")
    return "\n".join([*lines, "}", ""])


def _comment(text: str, indent: str) -> list[str]:
    lines = text.splitlines()
    if len(lines) < 2:
        return [f"{indent}/** {text} */"] if text else []
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _type(part: Schema) -> str:
    if "$ref" in part:
        return str(part["$ref"]).removeprefix(ABOVE)
    if "anyOf" in part:
        return " | ".join(_type(each) for each in part["anyOf"])
    if "enum" in part:
        return " | ".join(f"'{value}'" for value in part["enum"])
    match part.get("type"):
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as simple:
            return str(simple)
        case "array":
            return _array(part)
        case "object":
            return f"Record<string, {_type(part.get('additionalProperties') or {})}>"
    return "unknown"


def _array(part: Schema) -> str:
    if "prefixItems" in part:
        return "[" + ", ".join(_type(each) for each in part["prefixItems"]) + "]"
    item = _type(part.get("items") or {})
    return f"({item})[]" if " | " in item else f"{item}[]"


def main() -> None:
    """Write the files that have changed."""
    english = json.dumps(catalogue(), ensure_ascii=False, indent=2) + "\n"
    for path, text in {TYPES: types(), ENGLISH: english}.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
