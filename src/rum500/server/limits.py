"""How much a guest or an address may ask for in a time, and how many connections it may hold.

The counting is the `limits` library's. Its own storage in memory starts a thread for nearly every hit, each
of which walks all keys; this one is for a single event loop: no threads, no locks, and the past is swept now
and then.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable

from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from rum500.server.config import Config

_SWEEP_AFTER = 5_000  # new counters


class LoopStorage(Storage):
    """Counters of fixed windows, for one thread."""

    STORAGE_SCHEME = ["rum500-loop"]  # noqa: RUF012 - the library's own class attribute

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._clock = clock
        self._counts: dict[str, tuple[int, float]] = {}
        self._new = 0

    @property
    def base_exceptions(self) -> type[Exception]:
        """Nothing here fails."""
        return KeyError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, in a window that ends `expiry` seconds after its first hit."""
        now = self._clock()
        count, end = self._counts.get(key, (0, 0.0))
        if end <= now:
            count, end = 0, now + expiry
            self._new += 1
            if self._new > _SWEEP_AFTER:
                self._sweep(now)
        self._counts[key] = (count + amount, end)
        return count + amount

    def _sweep(self, now: float) -> None:
        self._counts = {key: entry for key, entry in self._counts.items() if entry[1] > now}
        self._new = 0

    def get(self, key: str) -> int:
        """The present count."""
        count, end = self._counts.get(key, (0, 0.0))
        return count if end > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """When the present window ends."""
        return max(self._counts.get(key, (0, 0.0))[1], self._clock())

    def check(self) -> bool:
        """It is there."""
        return True

    def reset(self) -> int:
        """Forget everything."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one counter."""
        self._counts.pop(key, None)


class TooMany(Exception):
    """More than is allowed: `what` names the limit, `retry_s` says after how many seconds to come again."""

    def __init__(self, what: str, retry_s: int) -> None:
        super().__init__(what)
        self.what = what
        self.retry_s = retry_s


class Limits:
    """All limits of a server. Each is named like its key in the configuration."""

    def __init__(self, config: Config, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._strategy = FixedWindowRateLimiter(LoopStorage(clock))
        self._rates: dict[str, RateLimitItem] = {}
        if config.limits:
            for name in (
                "connects",
                "joins",
                "requests",
                "new_guests",
                "new_tables",
                "bot_tokens",
                "replays",
                "names",
                "messages",
                "chats",
            ):
                rate = getattr(config, name)
                if rate:
                    self._rates[name] = parse(rate)
        if "new_tables" in self._rates:
            tables = self._rates["new_tables"]
            self._rates["new_tables_by_address"] = type(tables)(5 * tables.amount, tables.multiples)
        self._most_connections = config.max_connections
        self._most_of_address = config.connections_per_address if config.limits else config.max_connections
        self._by_address: Counter[str] = Counter()
        self.connections = 0

    def within(self, name: str, who: str) -> bool:
        """Count one more for this guest or address; False if it is one too many."""
        rate = self._rates.get(name)
        return rate is None or self._strategy.hit(rate, name, who)

    def check(self, name: str, who: str) -> None:
        """Count one more; `TooMany` if it is one too many."""
        if not self.within(name, who):
            end = self._strategy.get_window_stats(self._rates[name], name, who).reset_time
            raise TooMany(name, max(1, math.ceil(end - self._clock())))

    def hold(self, address: str) -> None:
        """One more connection is held by this address; `TooMany`."""
        if self.connections >= self._most_connections:
            raise TooMany("max_connections", 10)
        if self._by_address[address] >= self._most_of_address:
            raise TooMany("connections_per_address", 10)
        self.connections += 1
        self._by_address[address] += 1

    def release(self, address: str) -> None:
        """A connection that was held has ended."""
        self.connections -= 1
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def address_of(client: tuple[str, int] | None) -> str:
    """What counts as one address: an IPv4 address, or the /64 network that one customer is given of IPv6.

    >>> address_of(("2001:db8:1:2:3:4:5:6", 1))
    '2001:db8:1:2::/64'
    """
    if client is None:
        return "local"
    host = client[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4:
        return host
    mapped = address.ipv4_mapped
    return str(mapped) if mapped else str(ipaddress.ip_network((int(address), 64), strict=False))
