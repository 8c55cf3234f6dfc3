"""The addresses to which messages to browsers may be sent.

A guest's browser names the address of its push service, so a guest can name any address. The server must not
be made to send requests to private networks (SSRF).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from rum500.server.limits import in_networks

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class BadEndpoint(ValueError):
    """An address that no message may be sent to; the message gives the reason."""


def allowed(host: str, networks: Sequence[str]) -> bool:
    """Return whether messages may be sent to this IP address: it is public, or in one of the networks.

    >>> allowed("127.0.0.1", []), allowed("127.0.0.1", ["127.0.0.0/8"]), allowed("::ffff:10.0.0.1", [])
    (False, True, False)
    """
    if in_networks(host, networks):
        return True
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) % 2**32)
        if inner is not None:
            return allowed(str(inner), networks)
    return address.is_global and not address.is_multicast


async def check_endpoint(endpoint: str, networks: Sequence[str]) -> None:
    """Check that messages may be sent to this URL, now. Raises `BadEndpoint`.

    It must use https; http is allowed for an IP address in one of the networks.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise BadEndpoint("the endpoint is no URL") from None
    if not host or parts.username is not None or not endpoint.isascii() or not endpoint.isprintable():
        raise BadEndpoint("the endpoint is no URL of a push service")
    if parts.scheme != "https" and not (parts.scheme == "http" and in_networks(host, networks)):
        raise BadEndpoint("the endpoint must use https")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadEndpoint("the endpoint's host is unknown") from None
    if not found or not all(allowed(str(address[0]), networks) for *_, address in found):
        raise BadEndpoint("the endpoint is not at a public address")
