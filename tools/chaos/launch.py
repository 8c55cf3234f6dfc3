"""Start a server whose clock is wrong, or with one fault of `SPOILED`: launch.py SECONDS SPOILED serve …

The changes are made in the starting process, from outside: the server's code does not know of them.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any


def set_clock(ahead: float) -> None:
    """Set the calendar of this process this many seconds ahead; its other clocks do not change."""
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + ahead
    time.time_ns = lambda: now_ns() + int(ahead * 1e9)


def without_epochs() -> None:
    """Store entries without checking who owns the table."""
    from rum500.store import postgres

    postgres._APPEND_SHARED = postgres._APPEND.format(held="SELECT * FROM want WHERE %s::text IS NOT NULL")
    postgres._HELD = """
        SELECT w.id FROM unnest(%s::text[], %s::int4[]) AS w (id, epoch) WHERE %s::text IS NOT NULL
    """


def acknowledging_early() -> None:
    """Acknowledge moves before they are committed."""
    from rum500.store import Store

    commit: Callable[..., Any] = Store.append
    under_way: set[asyncio.Task[Any]] = set()

    def ended(task: asyncio.Task[Any]) -> None:
        under_way.discard(task)
        if not task.cancelled():
            task.exception()  # the error is not logged

    async def append(self: Store, *entries: Any, **fields: Any) -> None:
        task = asyncio.ensure_future(commit(self, *entries, **fields))
        under_way.add(task)
        task.add_done_callback(ended)

    Store.append = append  # type: ignore[method-assign]


def by_own_clock() -> None:
    """Begin, renew and judge leases by the clock of this process, not the database's."""
    from rum500.store import postgres_leases

    ask: Callable[..., Sequence[Any]] = postgres_leases.asked

    def asked(connection: Any, statement: str, values: Any) -> Sequence[Any]:
        now = f"{time.time_ns() // 1_000_000}::int8"
        return ask(connection, statement.replace(postgres_leases._NOW, now), values)

    postgres_leases.asked = asked


SPOILED = {"epoch": without_epochs, "early": acknowledging_early, "clock": by_own_clock}


def main() -> int:
    ahead, spoiled, *command = sys.argv[1:]
    set_clock(float(ahead))
    if spoiled in SPOILED:
        SPOILED[spoiled]()
    from rum500.cli import main as rum500

    return rum500(command)


if __name__ == "__main__":
    sys.exit(main())
