"""Messages to browsers: sent to a real push service on this machine, which decrypts them."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from structlog.testing import capture_logs

from rum500.server import messages
from rum500.server.config import Config, ConfigError
from rum500.server.live.ownership import SoleOwner
from rum500.server.live.table_registry import TableRegistry
from rum500.server.push import push_sender
from rum500.server.push import turn_notices as turn_notices_module
from rum500.server.push.push_sender import PushSender
from rum500.server.push.quiet_hours import quiet_until
from rum500.server.push.turn_notices import GRACE_S, KNOWING_S, RETRIES_S, TurnNotices
from rum500.server.push.vapid import VapidKey
from rum500.store import Store
from tests.support.live import AtOnce, Person, Room
from tests.support.live_deals import four_claiming
from tests.support.push_service import Browser, PushService, from_base64url
from tests.support.serving import Running
from tests.support.waiting import comes_true, until

HERE = ("127.0.0.0/8",)
HOUR = 3_600_000


class Post(Room):
    """A room whose tables report to a notifier that sends for real."""

    def __init__(self, folder: Path, service: PushService) -> None:
        super().__init__(folder)
        self.service = service
        self.key: VapidKey
        self.notifier: TurnNotices

    async def open(self) -> None:
        self.store = await Store.open(self.folder)
        self.key = VapidKey(b"a secret", "mailto:ann@example.org", self.folder / "vapid.pem")
        self.sender = PushSender(self.key, HERE)
        self.notifier = TurnNotices(self.store, self.clock, self.sender.send)
        self.tables = TableRegistry(
            SoleOwner(self.store), time=self.clock, entropy=self.dice, executor=AtOnce(), together_s=0.0,
            notices=self.notifier,
        )  # fmt: skip
        await self.notifier.open(self.tables.standing)

    async def close(self) -> None:
        await self.tables.close()
        await self.notifier.close()
        await self.sender.close()
        await self.store.close()

    async def settle(self) -> None:
        await super().settle()
        await comes_true(lambda: self.notifier.idle)

    async def browser(self, person: Person | str, **fields: Any) -> Browser:
        """A browser of this guest that wants messages."""
        guest = person if isinstance(person, str) else person.guest.id
        browser = self.service.browser(guest=guest, **fields)
        await self.store.notices.save_browser(browser.row, 10)
        return browser

    async def in_turn(self, **options: Any) -> tuple[Person, Person]:
        """Two at play: who has the turn, and the other."""
        people = await self.at_play(**options)
        actor = next(person for person in people if person.may)
        return actor, next(person for person in people if person is not actor)

    async def waiting(self, **fields: Any) -> tuple[Person, Person, Browser]:
        """A table that waits for the second of two players, who has left, and this player's browser."""
        first, second = await self.in_turn(leaver_s=0)
        browser = await self.browser(second, **fields)
        await second.leave()
        await first.turn()
        return first, second, browser

    def quiet_hour(self) -> dict[str, int]:
        """Quiet hours that begin now and last an hour."""
        now = self.clock.wall() // 60_000 % 1440
        return {"quiet_from": now, "quiet_to": (now + 60) % 1440}

    async def keep_waiting(self, first: Person, second: Person) -> None:
        """`second` plays and leaves, and a minute after the turn of `first` the table still waits."""
        await second.turn()
        await second.leave()
        await first.turn()
        await self.pass_time(60)


def posted(test: Callable[[Post], Awaitable[None]]) -> Callable[[Path], None]:
    """A test in a `Post` room."""

    def run(tmp_path: Path) -> None:
        async def body(service: PushService) -> None:
            room = Post(tmp_path / "data", service)
            room.folder.mkdir()
            await room.open()
            try:
                await test(room)
            finally:
                await room.close()

        with PushService() as service:
            asyncio.run(body(service))

    run.__name__ = test.__name__
    return run


@posted
async def test_a_nudge_sends_another_notice_at_once(room: Post) -> None:
    first, second, browser = await room.waiting()
    await room.pass_time(GRACE_S + 1)
    assert len(browser.got) == 1
    await room.pass_time(3600)
    assert len(browser.got) == 1
    await first.ask(messages.Nudge, seat=second.seat)
    await room.pass_time(2)
    assert len(browser.got) == 2


# --- times --------------------------------------------------------------------------------------------


@posted
async def test_absent_guest_gets_one_notice_until_the_next_look(room: Post) -> None:
    first, second = await room.in_turn(leaver_s=0)
    browser = await room.browser(second)
    await second.leave()
    await room.pass_time(60)
    assert not browser.got, "it is not their turn"
    await first.turn()
    await room.pass_time(GRACE_S - 1)
    assert not browser.got
    await room.pass_time(2)
    await room.pass_time(3600)
    (message,) = browser.got
    assert message.content == {
        "table": first.table.id,
        "game": "500-rum",
        "title": "500 Rum",
        "players": [first.guest.name],
        "language": "en",
        "waiting": 1,
    }
    assert message.sender == room.key.public
    assert message.claims["aud"] == room.service.origin
    assert message.claims["sub"] == "mailto:ann@example.org"
    assert (message.headers["ttl"], message.headers["urgency"]) == ("86400", "high")
    for text in (first.table.id, "500", first.guest.name):
        assert text.encode() not in message.body, "the push service reads it"

    await second.join()
    await room.keep_waiting(first, second)
    assert len(browser.got) == 2


@posted
async def test_a_hidden_page_does_not_look(room: Post) -> None:
    first, second = await room.in_turn()
    browser = await room.browser(second)
    assert isinstance(await second.ask(messages.Look, shown=False), messages.Pong)
    assert first.shared["seats"][second.seat].here
    await first.turn()
    await room.pass_time(60)
    assert len(browser.got) == 1
    await second.ask(messages.Look, shown=True)
    await second.turn()
    await first.turn()
    await room.pass_time(60)
    assert len(browser.got) == 1


@posted
async def test_page_reload_causes_no_notice(room: Post) -> None:
    first, second = await room.in_turn()
    browser = await room.browser(second)
    await second.leave()
    await first.turn()
    await room.pass_time(GRACE_S - 1)
    await second.join()
    await room.pass_time(60)
    assert not browser.got


@posted
async def test_guest_who_leaves_in_turn_is_notified_later(room: Post) -> None:
    first, second = await room.in_turn(leaver_s=0)
    browser = await room.browser(first)
    await first.ask(messages.Look, shown=False)
    await room.pass_time(KNOWING_S - 1)
    await first.ask(messages.Look, shown=True)
    await first.leave()
    await room.pass_time(KNOWING_S - 1)
    assert not browser.got
    await room.pass_time(2)
    assert len(browser.got) == 1
    await first.join()
    await first.ask(messages.Look, shown=False)
    await first.turn()
    await second.turn()
    await room.pass_time(GRACE_S + 1)
    assert len(browser.got) == 2, "this turn they have not seen"


@posted
async def test_table_with_bots_alone_sends_no_notice(room: Post) -> None:
    ann = await room.table(bots=(None, "greedy"), start=True)
    await room.deal([ann])
    browser = await room.browser(ann)
    await ann.leave()
    await room.pass_time(3600)
    standing = await room.tables.standing(ann.table.id)
    assert (standing.waits_for, browser.got) == ({ann.guest.id}, [])


@posted
async def test_turn_that_a_bot_plays_causes_no_notice(room: Post) -> None:
    first, second = await room.in_turn(leaver_s=1, bot_pause_ms=3000)
    browser = await room.browser(second)
    await second.leave()
    await room.pass_time(30)
    await first.turn()
    await room.pass_time(8)
    assert second.table.log.state.acting_player == second.table.log.state.player_of(second.guest.id)
    assert not browser.got


@posted
async def test_claim_window_causes_no_notice(room: Post) -> None:
    ann, ben, cleo, _ = await four_claiming(room)
    browsers = [await room.browser(person) for person in (ben, cleo)]
    for person in (ben, cleo):
        await person.ask(messages.Look, shown=False)
    await ann.say("discard 9S")
    await room.pass_time(GRACE_S + 1)
    assert ann.shared["waiting_for"] == "claim"
    assert [len(browser.got) for browser in browsers] == [0, 0]
    await room.pass_time(GRACE_S + 5)
    assert ann.shared["actor"] == ben.seat
    assert [len(browser.got) for browser in browsers] == [1, 0]


@posted
async def test_sent_notices_survive_a_restart(room: Post) -> None:
    first, second, browser = await room.waiting()
    await room.pass_time(60)
    await room.close()
    await room.open()
    first = await room.join(first.table.id, first.guest.name)
    await room.pass_time(60)
    assert len(browser.got) == 1
    second = await room.join(first.table.id, second.guest.name)
    await room.keep_waiting(first, second)
    assert len(browser.got) == 2


@posted
async def test_notice_counts_the_waiting_tables(room: Post) -> None:
    browser = await room.browser("ben")
    for _ in range(2):
        people = await room.at_play(leaver_s=0)
        ann, ben = people
        await ben.leave()
        if ann.may:
            await ann.turn()
        await room.pass_time(KNOWING_S + 1)
    assert [notice["waiting"] for notice in browser.notices] == [1, 2]


# --- quiet hours --------------------------------------------------------------------------------------


@posted
async def test_notice_in_quiet_hours_is_sent_at_their_end_even_after_a_restart(room: Post) -> None:
    _, _, browser = await room.waiting(**room.quiet_hour())
    await room.pass_time(600)
    assert not browser.got
    await room.close()
    await room.open()
    await room.pass_time(2_800)
    assert not browser.got
    await room.pass_time(300)
    assert len(browser.got) == 1


@posted
async def test_look_in_quiet_hours_cancels_the_notice(room: Post) -> None:
    _, second, browser = await room.waiting(**room.quiet_hour())
    await room.pass_time(600)
    await second.join()
    await second.turn()
    await second.leave()
    await room.pass_time(7_200)
    assert not browser.got


@posted
async def test_notice_goes_only_to_browsers_outside_quiet_hours(room: Post) -> None:
    _, second, quiet = await room.waiting(**room.quiet_hour())
    awake = await room.browser(second, language="de")
    await room.pass_time(7_200)
    assert (len(quiet.got), [notice["language"] for notice in awake.notices]) == (0, ["de"])


@pytest.mark.parametrize(
    ("zone", "now", "hours", "ends"),
    [
        ("UTC", "2026-06-01T23:30+00:00", (22, 7), "2026-06-02T07:00+00:00"),
        ("UTC", "2026-06-01T06:59+00:00", (22, 7), "2026-06-01T07:00+00:00"),
        ("UTC", "2026-06-01T07:00+00:00", (22, 7), None),
        ("UTC", "2026-06-01T21:59+00:00", (22, 7), None),
        ("UTC", "2026-06-01T13:00+00:00", (12, 14), "2026-06-01T14:00+00:00"),
        ("UTC", "2026-06-01T13:00+00:00", (12, 12), None),
        ("Asia/Kolkata", "2026-06-01T17:00+00:00", (22, 7), "2026-06-02T01:30+00:00"),
        ("Europe/Berlin", "2026-10-24T21:00+00:00", (22, 7), "2026-10-25T06:00+00:00"),
        ("Europe/Berlin", "2026-03-28T22:00+00:00", (22, 7), "2026-03-29T05:00+00:00"),
        ("Not/There", "2026-06-01T23:30+00:00", (22, 7), "2026-06-02T07:00+00:00"),
        ("Europe", "2026-06-01T23:30+00:00", (22, 7), "2026-06-02T07:00+00:00"),
    ],
)  # fmt: skip
def test_quiet_hours_end_by_local_time(zone: str, now: str, hours: tuple[int, int], ends: str | None) -> None:
    from datetime import datetime

    def ms(text: str) -> int:
        return round(datetime.fromisoformat(text).timestamp() * 1000)

    assert quiet_until(ms(now), zone, *(60 * hour for hour in hours)) == (None if ends is None else ms(ends))


# --- responses of push services -----------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_expired_subscription_is_removed(tmp_path: Path, status: int) -> None:
    async def body(room: Post) -> None:
        _, second, gone = await room.waiting()
        there = await room.browser(second)
        gone.status = status
        await room.pass_time(60)
        assert (gone.refused, len(there.got)) == (1, 1)
        left = await room.store.notices.browsers(second.guest.id)
        assert [browser.endpoint for browser in left] == [there.endpoint]

    posted(body)(tmp_path)


@posted
async def test_failed_notice_is_retried(room: Post) -> None:
    _, _, browser = await room.waiting()
    browser.status = 503
    await room.pass_time(GRACE_S + RETRIES_S[0] + 1)
    assert browser.refused == 2
    browser.status = 201
    await room.pass_time(RETRIES_S[1])
    assert (browser.refused, len(browser.got)) == (2, 1)


@posted
async def test_notice_is_dropped_after_the_last_retry(room: Post) -> None:
    _, second, browser = await room.waiting()
    browser.status = 500
    await room.pass_time(48 * 3600)
    assert browser.refused == 1 + len(RETRIES_S)
    assert len(await room.store.notices.browsers(second.guest.id)) == 1


@posted
async def test_redirects_are_not_followed(room: Post) -> None:
    elsewhere = room.service.browser()
    browser = room.service.browser(guest="ann")
    room.service.browsers[browser.endpoint.removeprefix(room.service.origin) + "-elsewhere"] = elsewhere
    browser.status = 307
    assert await room.sender.send(browser.row, b"{}") == "failed"
    assert (browser.asked, elsewhere.asked) == (1, 0)


@posted
async def test_tables_continue_while_a_push_service_does_not_answer(room: Post) -> None:
    _, _, browser = await room.waiting()
    browser.answer_after = threading.Event()
    alarm = room.clock.next_alarm(room.clock.time + 60)
    assert alarm is not None and alarm.call is not None
    alarm.call()
    answer = asyncio.ensure_future(Room.settle(room))
    await answer
    browser.answer_after.set()
    await room.settle()
    assert len(browser.got) == 1


@posted
async def test_silent_push_services_are_left_alone_and_delay_no_other(room: Post) -> None:
    quick = room.service.browser(guest="ben")
    assert await room.sender.send(quick.row, b"{}") == "sent"
    with ExitStack() as stack:
        pending = []
        for _ in range(20):  # more together than there are lanes; they accept connections, and never answer
            port = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
            silent = room.service.browser(guest="ann")
            silent.endpoint = f"http://127.0.0.1:{port}/x"
            pending += [asyncio.ensure_future(room.sender.send(silent.row, b"{}")) for _ in range(8)]
        assert await room.sender.send(quick.row, b"{}") == "sent"
        assert not any(one.done() for one in pending)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(push_sender, "MOST_FAILURES", 1)
            room.sender._silence.note(f"127.0.0.1:{port}", answered=False)
        for one in pending:
            one.cancel()
        assert await room.sender.send(silent.row, b"{}") == "failed"
    assert await room.sender.send(quick.row, b"{}") == "sent"


# --- the key ------------------------------------------------------------------------------------------


def key(secret: bytes, file: Path) -> VapidKey:
    return VapidKey(secret, "mailto:a@b.org", file)


def test_vapid_key_follows_from_the_secret_key(tmp_path: Path) -> None:
    """A browser stays subscribed as long as this value does not change."""
    file = tmp_path / "vapid.pem"
    assert (
        key(b"0" * 64, file).public
        == key(b"0" * 64, tmp_path / "elsewhere.pem").public
        == "BHT_aO0T_LePdMrr0BGtRlqdbO5GAwgi19ia3htsIBoiYxELe9iOaZdQnndev2v4U0d3gYNvOepafbga2UeatLM"
    )
    assert key(b"1" * 64, file).public != key(b"0" * 64, file).public
    assert not file.exists()


def test_key_is_the_same_after_a_restart_and_writes_no_file(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        with Running(tmp_path / "data") as running, running.guest() as ann:
            keys.append(ann.http.get("/api/notices").json()["key"])
    assert keys[0] == keys[1]
    assert len(from_base64url(keys[0])) == 65
    assert not (tmp_path / "data" / "vapid.pem").exists()


def test_vapid_key_of_other_programs_and_earlier_versions_is_used(tmp_path: Path) -> None:
    file = tmp_path / "vapid.pem"
    given = ec.generate_private_key(ec.SECP256R1())
    point = given.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL):
        file.write_bytes(given.private_bytes(Encoding.PEM, form, NoEncryption()))
        assert from_base64url(key(b"a secret", file).public) == point


def wrong_keys() -> Iterator[bytes]:
    """Yield contents that are no key on P-256: of another kind, damaged, cut off, with a password."""
    right, other = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP384R1())
    pem = right.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    yield b"-----BEGIN NOTHING-----"
    yield b""
    yield pem.replace(b"BEGIN PRIVATE", b"BEGIN PUBLIC")
    yield pem.replace(b"MIG", b"MIH", 1)
    yield pem[:-60]
    yield other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    yield right.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))


def test_wrong_vapid_keys_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "vapid.pem"
    for content in wrong_keys():
        file.write_bytes(content)
        with pytest.raises(ConfigError, match=r"vapid\.pem contains no key on P-256; remove it"):
            _ = key(b"a secret", file).public


def test_server_with_a_wrong_vapid_key_plays_on_without_messages(
    tmp_path: Path,
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "vapid.pem").write_bytes(b"no key")
    with Running(tmp_path / "data") as running, running.guest() as ann, capture_logs() as entries:
        assert ann.http.get("/api/notices").json() == {"key": None}
        assert ann.table()
    (error,) = (entry["error"] for entry in entries if entry["event"] == "push.key")
    assert "vapid.pem contains no key on P-256; remove it" in error


@pytest.mark.parametrize(
    ("given", "contact"),
    [
        ({}, "https://localhost"),
        ({"public_url": ("https://cards.example.org:8443",)}, "https://cards.example.org"),
        ({"public_url": ("http://192.0.2.1:8500",)}, "https://localhost"),
        ({"push_contact": "ann@example.org"}, "mailto:ann@example.org"),
        ({"push_contact": "mailto:a@b.org", "public_url": ("https://c.org",)}, "mailto:a@b.org"),
    ],
)  # fmt: skip
def test_contact_is_sent_to_push_services(given: dict[str, Any], contact: str) -> None:
    assert Config(**given).contact == contact


# --- over HTTP ----------------------------------------------------------------------------------------


def test_subscribed_browser_is_notified_by_a_real_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn_notices_module, "GRACE_S", 0.05)
    monkeypatch.setattr(turn_notices_module, "KNOWING_S", 0.05)
    with (
        PushService() as service,
        Running(tmp_path / "data", push_networks=HERE) as running,
        running.guest("Ann") as ann,
        running.guest("Ben") as ben,
    ):
        key = ann.http.get("/api/notices").json()["key"]
        browsers = {name: service.browser(zone="Europe/Berlin") for name in ("Ann", "Ben")}
        for guest, browser in ((ann, browsers["Ann"]), (ben, browsers["Ben"])):
            answer = guest.http.post("/api/notices/browsers", json=browser.subscription)
            assert (answer.status_code, answer.json()) == (201, {"endpoint": browser.endpoint})
        table = ann.table()
        first, second = ann.join(table), ben.join(table)
        second.ask("sit")
        first.ask("start")
        first.wire.close()
        second.wire.close()
        until(lambda: browsers["Ann"].got or browsers["Ben"].got)
        (name, browser), *_ = ((name, each) for name, each in browsers.items() if each.got)
        message = browser.got[0]
        assert message.sender == key
        assert message.content["players"] == ["Ben" if name == "Ann" else "Ann"]
        ann.http.post("/api/notices/browsers/remove", json={"endpoint": browsers["Ann"].endpoint})
        assert running.on_loop(running.application._store.notices.browsers(ann.me["id"])) == []


def subscribed(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def test_invalid_subscription_is_refused(tmp_path: Path) -> None:
    with (
        PushService() as service,
        Running(tmp_path / "data", push_services=("8.8.8.8",)) as running,
        running.guest() as ann,
    ):
        right = service.browser().subscription | {"endpoint": "https://8.8.8.8/push"}

        def post(**changes: Any) -> tuple[int, str]:
            return subscribed(ann.http.post("/api/notices/browsers", json=right | changes))

        assert post() == (201, "")
        assert post(endpoint=service.browser().endpoint) == (422, "push.endpoint")
        assert post(p256dh="AAAA") == post(auth="AAAA") == post(p256dh="é") == (422, "push.keys")
        assert post(zone="Nowhere/Atall") == post(zone="../../etc/passwd") == (422, "push.zone")
        assert post(quiet_from=1440) == post(language="de-AT") == (422, "request.invalid")
        with running.client() as nobody:
            assert subscribed(nobody.post("/api/notices/browsers", json=right)) == (401, "guest.unknown")

        for number in range(12):
            assert post(endpoint=f"https://8.8.8.8/{number}") == (201, "")
        rows = running.on_loop(running.application._store.notices.browsers(ann.me["id"]))
        assert len(rows) == 10 and f"https://8.8.8.8/{11}" in {row.endpoint for row in rows}
        with running.guest() as ben:  # the browser belongs to somebody else now
            ben.http.post("/api/notices/browsers", json=right | {"endpoint": "https://8.8.8.8/11"})
            rows = running.on_loop(running.application._store.notices.browsers(ann.me["id"]))
            assert "https://8.8.8.8/11" not in {row.endpoint for row in rows}


def test_push_can_be_disabled(tmp_path: Path) -> None:
    with PushService() as service, Running(tmp_path / "data", push=False) as running, running.guest() as ann:
        assert ann.http.get("/api/notices").json() == {"key": None}
        answer = ann.http.post("/api/notices/browsers", json=service.browser().subscription)
        assert subscribed(answer) == (409, "push.off")
