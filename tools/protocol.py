"""Write the protocol's JSON Schema and docs/protocol.md.

The source is `server/messages/`. In `docs/protocol.md`, the parts between `<!-- generated: NAME -->` and
`<!-- end -->` are written. Every example in `docs/protocol.examples.json` is decoded as the server does it.
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import msgspec

from rum500.server import http as server_http
from rum500.server import messages
from rum500.server.http.endpoint import endpoints
from rum500.server.http.openapi import types_of
from rum500.server.messages.field_types import countdown_schema, read_countdown
from rum500.server.messages.http import Failure, Health
from tools.generate import ROOT

SCHEMA = ROOT / "docs" / "protocol.schema.json"
PAGE = ROOT / "docs" / "protocol.md"
EXAMPLES = ROOT / "docs" / "protocol.examples.json"
ABOVE = "#/$defs/"
SENTENCES = ROOT / "src" / "rum500" / "rules" / "refusals.toml"
SERVER_SENTENCES = ROOT / "src" / "rum500" / "server" / "messages" / "refusals.toml"
_BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

Schema = dict[str, Any]

CLIENT = messages.CLIENT_MESSAGES
SERVER = messages.SERVER_MESSAGES
MODULES = [
    import_module(each.name)
    for package in (messages, server_http)
    for each in iter_modules(package.__path__, f"{package.__name__}.")
]
CLASSES: dict[str, type] = {
    name: value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, type) and value.__module__.startswith("rum500.")
}
"""The classes of messages, by name."""
PATCHED = {messages.SnapshotPatch: messages.Snapshot, messages.YouPatch: messages.You}
"""The structs of changes, each with the complete struct whose fields it has."""
ENDPOINTS = [
    endpoint
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, type) and value.__module__ == module.__name__
    for endpoint in endpoints(value)
]
"""The HTTP endpoints of the server."""


# --- the schema -----------------------------------------------------------------------------------------


@cache
def schema() -> Schema:
    """Return the schemas of all messages and of all parts of messages, by name."""
    found = _components([*CLIENT, *SERVER, *http_types()])
    parts = {name: _part(name, part) for name, part in sorted(found.items())}
    unions = {
        "ClientMessage": {"anyOf": [{"$ref": ABOVE + cls.__name__} for cls in CLIENT]},
        "ServerMessage": {"anyOf": [{"$ref": ABOVE + cls.__name__} for cls in SERVER]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rum500 protocol, version 1",
        "$defs": unions | parts,
    }


def _components(types: Iterable[type]) -> dict[str, Schema]:
    """Return the definitions of these types and of all their parts, by name."""
    return msgspec.json.schema_components(types, ref_template=ABOVE + "{name}", schema_hook=countdown_schema)[
        1
    ]


@cache
def http_types() -> list[type]:
    """Return the classes that only requests and answers over HTTP have."""
    ours = _components([*CLIENT, *SERVER])
    found = _components([Failure, Health, *types_of(ENDPOINTS)])
    return [CLASSES[name] for name in sorted(found) if name not in ours]


def _part(name: str, part: Schema) -> Schema:
    """Return a definition in which fields that the server always sends are required, despite defaults."""
    cls = CLASSES[name]
    config = getattr(cls, "__struct_config__", None)
    is_request = config is not None and config.forbid_unknown_fields
    if not is_request and not (config is not None and config.omit_defaults):
        part["required"] = list(part["properties"])
    documented = _field_docs(cls)
    for field, sub in part["properties"].items():
        if not is_request:
            sub.pop("default", None)
        if field in documented:
            part["properties"][field] = sub | {"description": documented[field]}
    part["description"] = inspect.getdoc(cls) or ""
    return part


def _field_docs(cls: type) -> dict[str, str]:
    """Return the docstrings of single fields, inherited ones too."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        source = vars(each).get("derived_from", each)
        if source.__module__.startswith("rum500."):
            found |= re.findall(
                r'^    (\w+): [^\n]+\n    """(.*?)"""', inspect.getsource(source), re.MULTILINE | re.DOTALL
            )
    return {name: " ".join(text.split()) for name, text in found.items()}


# --- the page for people --------------------------------------------------------------------------------


def page() -> str:
    """Return `docs/protocol.md` with its generated parts updated."""
    unions = {cls.__name__ for cls in (*CLIENT, *SERVER)}
    web = {cls.__name__ for cls in http_types()}
    rest = [
        name for name, part in schema()["$defs"].items() if "anyOf" not in part and name not in unions | web
    ]
    parts = {
        "client": _sections(cls.__name__ for cls in CLIENT),
        "server": _sections(cls.__name__ for cls in SERVER),
        "parts": _sections(rest),
        "http": _sections(cls.__name__ for cls in http_types()),
        "reasons": _reasons(SENTENCES),
        "server-reasons": _reasons(SERVER_SENTENCES),
    }
    return _BLOCK.sub(lambda found: found[1] + parts[found[2]] + found[3], PAGE.read_text())


def _reasons(sentences: Path) -> str:
    """Return the sentences of a file by code, each with its parts."""
    by_code: dict[str, list[dict[str, Any]]] = tomllib.loads(sentences.read_text())["sentences"]
    rows = (f"| `{code}` | {_parts(entries)} | {_said(entries)} |\n" for code, entries in by_code.items())
    return "| code | parts | sentence |\n|---|---|---|\n" + "".join(rows)


def _parts(entries: list[dict[str, Any]]) -> str:
    conditions = [name for entry in entries for name in entry if name not in ("rule", "text")]
    named = [name for entry in entries for name in re.findall(r"\{(\w+)\}", entry["text"])]
    return ", ".join(f"`{name}`" for name in dict.fromkeys([*named, *conditions]))


def _said(entries: list[dict[str, Any]]) -> str:
    return "<br>".join(entry["text"] for entry in entries)


def _sections(names: Any) -> str:
    return "".join(_section(name, schema()["$defs"][name]) for name in names)


def _section(name: str, part: Schema) -> str:
    tag = _tag(name)
    rows = [
        f"| `{field}` | {_shown(sub)} | {_presence(part, field)} | {_null(sub.get('description', ''))} |\n"
        for field, sub in part["properties"].items()
        if not (tag and field == "type")
    ]
    table = "| field | type | | meaning |\n|---|---|---|---|\n" + "".join(rows) + "\n"
    if CLASSES[name] in PATCHED:
        table = ""  # the whole struct's section describes the fields
    elif not rows:
        table = "No fields.\n\n"
    shown = "".join(
        f"```json\n{json.dumps(each, ensure_ascii=False)}\n```\n\n" for each in examples().get(name, ())
    )
    described = _null(part["description"])
    return f"### {f'`{tag}`' if tag else name}\n\n{described}\n\n{table}{shown}"


def _null(described: str) -> str:
    return described.replace("None", "`null`")


def _tag(name: str) -> str:
    """Return the value of a message's field `type`; empty for a struct that is part of messages."""
    if name not in {cls.__name__ for cls in (*CLIENT, *SERVER)}:
        return ""
    return str(schema()["$defs"][name]["properties"]["type"]["enum"][0])


def _link(name: str) -> str:
    """Return a link to a section by its heading.

    If a message of clients and one of the server have the same heading, the link is to the second, the
    server's.
    """
    tag = _tag(name)
    twice = [_tag(cls.__name__) for cls in (*CLIENT, *SERVER)].count(tag) == 2
    return f"[{name}](#{tag or name.lower()}{'-1' if twice else ''})"


def _presence(part: Schema, field: str) -> str:
    if field in part.get("required", ()):
        return ""
    usual = part["properties"][field].get("default")
    return f"by default `{json.dumps(usual)}`" if usual or usual == 0 else "may be left out"


def _shown(part: Schema) -> str:
    """Return a type for people, with its limits."""
    if "$ref" in part:
        return _link(str(part["$ref"]).removeprefix(ABOVE))
    if "anyOf" in part:
        return " or ".join(_shown(each) for each in part["anyOf"])
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    if part.get("type") == "array":
        inner = [_shown(each) for each in part.get("prefixItems", ())] or [_shown(part.get("items") or {})]
        return f"list of {inner[0]}" if "prefixItems" not in part else "list: " + ", then ".join(inner)
    if part.get("type") == "object":
        return f"object of {_shown(part.get('additionalProperties') or {})}"
    return f"{part.get('type', 'anything')}{_limits(part)}"


def _limits(part: Schema) -> str:
    low, high = part.get("minimum"), part.get("maximum")
    short, long = part.get("minLength"), part.get("maxLength")
    limits = []
    if low is not None or high is not None:
        limits.append(f"from {low}" if high is None else f"{low} to {high}")
    if short is not None or long is not None:
        limits.append(f"{short or 0} to {long} characters")
    if "pattern" in part:
        limits.append("`" + part["pattern"].replace("|", "\\|") + "`")
    return f" ({', '.join(limits)})" if limits else ""


@cache
def examples() -> dict[str, list[Any]]:
    """Return the examples by the name of their message, each read as the server or a browser would."""
    given: dict[str, list[Any]] = json.loads(EXAMPLES.read_text())
    for name, each in given.items():
        for example in each:
            msgspec.convert(example, CLASSES[name], dec_hook=read_countdown)
    return given


# --- the command ----------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """Return the schema and the page."""
    return {SCHEMA: json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", PAGE: page()}
