"""Limits on the requests of a guest or an address in a period, and on open connections.

All limits are used from one event loop, without threads or locks. docs/decisions/own-code.md explains why no
library does this.
"""

from __future__ import annotations

import ipaddress
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable

from rum500.server.config import Config, keys
from rum500.server.config_types import RATE, seconds_of

_SWEEP_AFTER = 5_000  # the number of new periods after which ended periods are removed
_ADDRESS_FACTOR = 5
"""An address may make this many times as many tables as a guest."""
_KEPT_SHARE = 10
"""One in this many connections is reserved for seated guests."""
_UNKNOWN = "unknown"
REFUSAL_EVERY_S = 0.01
"""The seconds between the answers to two refused requests of an address."""
MOST_PAUSE_S = 2.0
"""The most seconds for which the answer to a refused request is delayed."""


class TooMany(Exception):
    """A limit was exceeded: `what` is its name, `retry_s` the number of seconds after which to try again."""

    def __init__(self, what: str, retry_s: int) -> None:
        super().__init__(what)
        self.what = what
        self.retry_s = retry_s


class Limits:
    """All limits of a server. Each has the name of its key in the configuration."""

    def __init__(self, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rates: dict[str, tuple[int, int]] = {}
        self._windows: dict[tuple[str, str], tuple[int, float]] = {}
        self._new = 0
        self._refusals: dict[str, float] = {}
        """For each address, the moment before which its next refused request gets no answer."""
        if config.limits:
            rates = {key.name: getattr(config, key.name) for key in keys() if key.kind is RATE}
            self._rates = {name: seconds_of(rate) for name, rate in rates.items() if rate}
        if "new_tables" in self._rates:
            amount, seconds = self._rates["new_tables"]
            self._rates["new_tables_by_address"] = _ADDRESS_FACTOR * amount, seconds
        self._most_running = config.running_tables if config.limits else sys.maxsize
        self._most_connections = config.max_connections
        self._most_of_address = config.connections_per_address if config.limits else config.max_connections
        self._by_address: Counter[str] = Counter()
        self.connections = 0

    def within(self, name: str, who: str) -> bool:
        """Count one request of this guest or address. Return False if it exceeds the limit.

        A period begins with its first request, and lasts as long as the rate says.
        """
        if name not in self._rates:
            return True
        amount, seconds = self._rates[name]
        now = self._clock()
        count, end = self._windows.get((name, who), (0, 0.0))
        if end <= now:
            count, end = 0, now + seconds
            self._sweep(now)
        self._windows[name, who] = count + 1, end
        return count < amount

    def _sweep(self, now: float) -> None:
        """Remove the periods that have ended, whenever a few thousand new periods have begun."""
        self._new += 1
        if self._new > _SWEEP_AFTER:
            self._windows = {key: window for key, window in self._windows.items() if window[1] > now}
            self._refusals = {address: moment for address, moment in self._refusals.items() if moment > now}
            self._new = 0

    def check(self, name: str, who: str) -> None:
        """Count one request as `within` does. Raises `TooMany` if it exceeds the limit."""
        if not self.within(name, who):
            _, end = self._windows[name, who]
            raise TooMany(name, max(1, math.ceil(end - self._clock())))

    def pause_of(self, address: str) -> float:
        """Count a refused request of this address. Return for how many seconds to delay its answer.

        The first refusal is answered at once. Later answers are spread over time: a client that waits for
        them also sends its next requests later, so that they do not fill the event loop.
        """
        if not self._rates:
            return 0.0
        now = self._clock()
        due = max(now, self._refusals.get(address, 0.0))
        self._refusals[address] = min(due + REFUSAL_EVERY_S, now + MOST_PAUSE_S)
        return due - now

    def check_running(self, of_guest: int, of_address: int) -> None:
        """Check the numbers of tables in memory that a guest and an address have made. Raises `TooMany`."""
        if of_guest >= self._most_running or of_address >= _ADDRESS_FACTOR * self._most_running:
            raise TooMany("running_tables", 60)

    def check_new_table(self, guest: str, address: str, of_guest: int, of_address: int) -> None:
        """Count one new table of a guest and of an address.

        `of_guest` and `of_address` are the numbers of their tables in memory. Raises `TooMany`.
        """
        self.check("new_tables", guest)
        self.check("new_tables_by_address", address)
        self.check_running(of_guest, of_address)

    def check_spectator(self) -> None:
        """Check that a spectator may connect: the last connections are reserved for seated guests.

        Raises `TooMany`.
        """
        if self.connections > self._most_connections - self._most_connections // _KEPT_SHARE:
            raise TooMany("max_connections", 10)

    def hold(self, address: str) -> None:
        """Count one open connection of this address. Raises `TooMany` if there are too many."""
        if self.connections >= self._most_connections:
            raise TooMany("max_connections", 10)
        if self._by_address[address] >= self._most_of_address:
            raise TooMany("connections_per_address", 10)
        self.connections += 1
        self._by_address[address] += 1

    def release(self, address: str) -> None:
        """Uncount a closed connection of this address."""
        self.connections -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def address_of(client: tuple[str, int] | None) -> str:
    """Return a client's address for counting: an IPv4 address, or the /64 network of an IPv6 address.

    Internet providers give each customer at least a /64 network. Clients without an IP address share one
    count.

    >>> address_of(("2001:db8:1:2:3:4:5:6", 1))
    '2001:db8:1:2::/64'
    """
    if client is None:
        return "local"
    host = client[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _UNKNOWN
    if address.version == 4:
        return host
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((int(address), 64), strict=False))


def in_networks(host: str, networks: Iterable[str]) -> bool:
    """Return whether a host is an IP address in one of these networks.

    >>> in_networks("10.1.2.3", ["10.0.0.0/8"]), in_networks("cards", ["10.0.0.0/8"])
    (True, False)
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return any(address in ipaddress.ip_network(one, strict=False) for one in networks)
