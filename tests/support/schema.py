"""Messages made from the protocol's own schema, for tests that send any valid message."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from rum500.server.messages import CLIENT_MESSAGES

SCHEMAS, COMPONENTS = msgspec.json.schema_components(CLIENT_MESSAGES, ref_template="{name}")
KINDS = {name: schema for name, schema in COMPONENTS.items() if "type" in schema.get("properties", {})}
WORDS = ("QD", "10S", "JK", "meld 6S 7S 8S", "greedy", "put QD")
"""Examples for fields that the schema describes only as text."""


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a part of the schema allows."""
    if "$ref" in schema:
        return fitting(COMPONENTS[schema["$ref"]])
    if "anyOf" in schema:
        return st.one_of(*map(fitting, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    match schema["type"]:
        case "object":
            parts = {name: fitting(part) for name, part in schema["properties"].items()}
            needed = {name: parts.pop(name) for name in schema["required"]}
            return st.fixed_dictionaries(needed, optional=parts)
        case "array":
            return st.lists(fitting(schema["items"]), max_size=min(8, schema.get("maxItems", 8)))
        case "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 2**63)
            return st.integers(low, min(high, low + 300)) | st.integers(low, high)
        case "string" if "pattern" in schema:
            return st.from_regex(schema["pattern"].replace("$", r"\Z"), fullmatch=True)
        case "string":
            least, most = schema.get("minLength", 0), schema.get("maxLength", 40)
            words = [word for word in WORDS if least <= len(word) <= most]
            return st.text(min_size=least, max_size=most) | st.sampled_from(words)
        case kind:
            return {"boolean": st.booleans(), "null": st.none()}[kind]
