"""The addresses to which push messages may be sent.

A guest's browser names the address of its push service, so a guest can name any address. Guests must not be
able to make the server send requests to private networks (SSRF), or keep connections to services that never
answer.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from rum500.server.limits import in_networks

HTTPS = 443
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NOT_PUBLIC = ("192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20", "5f00::/16")
"""Relays of 6to4, protocol assignments including Teredo, 6to4, documentation, and segment routing."""


class BadEndpoint(ValueError):
    """An address to which no push message may be sent. The text of the error gives the reason."""


def allowed(host: str, networks: Sequence[str]) -> bool:
    """Return whether messages may be sent to this IP address: it is public, or in one of the networks.

    An IPv6 address that contains an IPv4 address counts as the IPv4 address.

    >>> allowed("127.0.0.1", []), allowed("127.0.0.1", ["127.0.0.0/8"]), allowed("::ffff:10.0.0.1", [])
    (False, True, False)
    """
    if in_networks(host, networks):
        return True
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) % 2**32)
        if inner is not None:
            return allowed(str(inner), networks)
        if address not in _GLOBAL_UNICAST:
            return False
    return address.is_global and not address.is_multicast and not in_networks(host, _NOT_PUBLIC)


def check_service(endpoint: str, services: Sequence[str], networks: Sequence[str]) -> tuple[str, int]:
    """Return the host and port of an endpoint. Raises `BadEndpoint` unless it belongs to a push service.

    Each of `services` is a host name, `*.` with a domain, or `*`; a port other than 443 follows a colon.
    An IP address in one of the networks is allowed with any port.
    """
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port or {"https": HTTPS, "http": 80}[parts.scheme]
    except (ValueError, KeyError):
        raise BadEndpoint("the endpoint is no URL") from None
    if not host or parts.username is not None or not endpoint.isascii() or not endpoint.isprintable():
        raise BadEndpoint("the endpoint is no URL of a push service")
    if not in_networks(host, networks) and not any(_is_of(host, port, service) for service in services):
        raise BadEndpoint(
            "the endpoint is at no push service that this server's owner allows (push_services)"
        )
    return host, port


def is_named(host: str, port: int, services: Sequence[str]) -> bool:
    """Return whether a service other than `*` has this port, and names this host or its domain."""
    return any(_is_of(host, port, service) for service in services if service.partition(":")[0] != "*")


def _is_of(host: str, port: int, service: str) -> bool:
    name, _, own_port = service.partition(":")
    if port != (int(own_port) if own_port else HTTPS):
        return False
    return host.endswith(name[1:]) if name.startswith("*") else host == name


async def check_endpoint(endpoint: str, services: Sequence[str], networks: Sequence[str]) -> None:
    """Raise `BadEndpoint` unless messages may be sent to this URL now.

    The URL must use https; http is allowed for an IP address in one of the networks.
    """
    host, port = check_service(endpoint, services, networks)
    if not endpoint.startswith("https:") and not in_networks(host, networks):
        raise BadEndpoint("the endpoint must use https")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadEndpoint("the endpoint's host is unknown") from None
    if not found or not all(allowed(str(address[0]), networks) for *_, address in found):
        raise BadEndpoint("the endpoint is not at a public address")
