"""Invitations of people with whom a guest has played, to a table or a league."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import Struct

from rum500.server.live.log.time_source import TimeSource
from rum500.server.logs import log
from rum500.server.push.push_sender import Outcome
from rum500.server.push.quiet_hours import quiet_until
from rum500.store import BrowserRow, Store, StoreError
from rum500.store.people_rows import InvitationRow

MOST_A_DAY = 3
"""The most invitations from one guest to another within 24 hours."""
_DAY_MS = 86_400_000
MOST_SENDING = 100
"""The largest number of invitations whose messages are sent at a time; further ones are only in the lobby."""
_encode = msgspec.json.Encoder().encode
Send = Callable[[BrowserRow, bytes], Awaitable[Outcome]]


class InvitationNotice(Struct, tag_field="kind", tag="invitation"):
    """The content of a message about an invitation."""

    table: str
    """The table's id; empty for a league."""
    league: str
    """The league's id; empty for a table."""
    game: str
    """The name of the game's rule set; empty for a league."""
    title: str
    """The title of the game in English, or the name of the league."""
    by: str
    """The name of the guest who invites."""
    language: str
    """The language in which the browser showed the page."""


class Invitations:
    """Stores invitations, and sends each once to the invited guest's browsers that are not in quiet hours.

    An invitation that comes in quiet hours is only shown in the lobby: no table waits until they end.
    """

    def __init__(self, store: Store, time: TimeSource, send: Send | None) -> None:
        """`send` sends a message to a browser; None if push notifications are off."""
        self._store = store
        self._time = time
        self._send = send
        self._sending: set[asyncio.Task[None]] = set()
        self._one = asyncio.Lock()

    async def invite(self, row: InvitationRow, notice: InvitationNotice) -> str | None:
        """Invite a guest; return the code of the refusal, None if the guest is invited.

        The invitation gets the present time. A second one to the same table or league does nothing.
        """
        people, now = self._store.people, self._time.wall()
        async with self._one:  # two requests at once must not both be the last one of the day
            if row.by_guest in await people.refused(row.guest_id):
                return "invitation.refused"
            if await people.invitation(row.guest_id, table=row.table_id, league=row.league_id):
                return None
            if await people.invited_since(row.by_guest, row.guest_id, now - _DAY_MS) >= MOST_A_DAY:
                return "invitation.often"
            await people.invite(msgspec.structs.replace(row, at=now))
        if self._send is not None and len(self._sending) < MOST_SENDING:
            task = asyncio.create_task(self._tell(self._send, row.guest_id, notice, now))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        return None

    async def _tell(self, send: Send, guest: str, notice: InvitationNotice, now: int) -> None:
        """Send a message to the browsers of a guest that are not in quiet hours."""
        try:
            browsers = await self._store.notices.browsers(guest)
            awake = [
                each
                for each in browsers
                if quiet_until(now, each.zone, each.quiet_from, each.quiet_to) is None
            ]
            messages = [_encode(msgspec.structs.replace(notice, language=each.language)) for each in awake]
            outcomes: Sequence[Outcome] = await asyncio.gather(*map(send, awake, messages))
            for browser, outcome in zip(awake, outcomes, strict=True):
                if outcome == "gone":
                    await self._store.notices.remove_browser(browser.endpoint)
        except StoreError as error:
            log().warning("store.failed", error=error)

    @property
    def idle(self) -> bool:
        """Whether no message is being sent."""
        return not self._sending

    async def close(self) -> None:
        """Stop sending; the invitations stay in the lobbies."""
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
