"""The OpenAPI document, generated from the endpoints and the types of their bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from rum500.server.http.endpoint import JSON, Endpoint, Param
from rum500.server.messages.field_types import countdown_schema
from rum500.server.messages.http import Failure

_REFERENCE = "#/components/schemas/{name}"
_WHY = {
    400: "The body is not JSON.",
    401: "The request has no valid cookie.",
    403: "The request comes from a page of another site.",
    404: "There is no such object.",
    409: "The present state does not allow it.",
    413: "The body is too large.",
    415: "The Content-Type is not JSON.",
    422: "A value is invalid.",
    429: "Too many requests of this kind.",
    503: "The server cannot store anything at the moment.",
}
_OF_BODIES = (400, 403, 413, 415, 422)
_OF_ALL = (429, 503)


def document(endpoints: Sequence[Endpoint], version: str) -> dict[str, Any]:
    """Return the OpenAPI document that describes these endpoints."""
    types = [Failure, *types_of(endpoints)]
    schemas, components = msgspec.json.schema_components(
        types, ref_template=_REFERENCE, schema_hook=countdown_schema
    )
    found = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, found)
    return {
        "openapi": "3.1.0",
        "info": {"title": "rum500", "version": version, "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"guest": {"type": "apiKey", "in": "cookie", "name": "rum500"}},
        },
    }


def types_of(endpoints: Iterable[Endpoint]) -> list[Any]:
    """Return the types of bodies, answers and parameters."""
    found = []
    for endpoint in endpoints:
        found += [endpoint.answers] if endpoint.media == JSON else []
        found += [endpoint.takes] if endpoint.takes is not None else []
        found += [param.type for param in (*endpoint.params, *endpoint.query)]
    return found


def _operation(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    answered = schemas[repr(endpoint.answers)] if endpoint.media == JSON else {"type": "string"}
    failure = {"content": {JSON: {"schema": schemas[repr(Failure)]}}}
    statuses = {*endpoint.refuses, *_OF_ALL, *(_OF_BODIES if endpoint.takes is not None else ())}
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.meaning,
        "parameters": [
            *(_param(param, "path", schemas) for param in endpoint.params),
            *(_param(param, "query", schemas) for param in endpoint.query),
        ],
        "responses": {
            str(endpoint.status): {
                "description": "The result.",
                "content": {endpoint.media.partition(";")[0]: {"schema": answered}},
            }
        }
        | {str(status): {"description": _WHY[status], **failure} for status in sorted(statuses)},
    }
    if endpoint.takes is not None:
        body = {"required": True, "content": {JSON: {"schema": schemas[repr(endpoint.takes)]}}}
        operation["requestBody"] = body
    if 401 in endpoint.refuses:
        operation["security"] = [{"guest": []}]
    return operation


def _param(param: Param, place: str, schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": param.name,
        "in": place,
        "description": param.meaning,
        "required": place == "path",
        "schema": schemas[repr(param.type)],
    }
