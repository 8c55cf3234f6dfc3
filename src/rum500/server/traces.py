"""Traces: the name by which a connection's steps can be found in the logs of all servers that it passes.

A proxy or a client names a trace in the header `traceparent` (W3C Trace Context). Servers pass it on with the
request. They log a connection's steps only if its trace is sampled, at the level `debug`, because there are
many.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

HEADER = b"traceparent"
_SAMPLED = re.compile(rb"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f][13579bdf](?:-|$)")


def trace_of(scope: Scope) -> str:
    """Return the id of a request's trace, 32 hexadecimal digits; empty if there is none that is sampled.

    >>> trace_of({"headers": [(b"traceparent", b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")]})
    '0af7651916cd43dd8448eb211c80319c'
    """
    given = next((value for name, value in scope["headers"] if name == HEADER), b"")
    found = _SAMPLED.match(given)
    return found[1].decode() if found else ""
