"""The endpoints to which notices may be sent: public addresses of known push services."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rum500.server.config import PUSH_SERVICES
from rum500.server.push.allowed_addresses import BadEndpoint, allowed, check_endpoint, check_service
from rum500.server.push.push_sender import PushSender
from rum500.server.push.vapid import VapidKey
from tests.support.push_service import PushService

HERE = ("127.0.0.0/8",)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("64:ff9b::808:808", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:7f00:1::", False),
        ("2002:808:808::", False),
        ("::7f00:1", False),
        ("::808:808", False),
        ("fec0::1", False),
        ("::ffff:0:127.0.0.1", False),
        ("::ffff:0:8.8.8.8", False),
        ("192.88.99.1", False),
        ("64:ff9b:1::808:808", False),
        ("64:ff9b::7f00:1", False),
        ("2001:0:808:808::1", False),
        ("2001:db8::1", False),
        ("3fff::1", False),
        ("100::1", False),
        ("5f00::1", False),
    ],
)
def test_notices_go_to_public_addresses_only(address: str, public: bool) -> None:
    assert allowed(address, ()) is public


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "push",
        "ftp://127.0.0.1/x",
        "http://127.0.0.1/x",
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://localhost:8500/x",
        "https://[::1]/x",
        "https://2130706433/x",
        "https://0x7f000001/",
        "https://user@8.8.8.8/x",
        "https://8.8.8.8:99999/x",
        "https://[::1/x",
        "https://no-such-host.invalid/x",
        "https://8.8.8.8/\nx",
    ],
)
def test_endpoint_at_a_private_address_is_refused(endpoint: str) -> None:
    with pytest.raises(BadEndpoint):
        asyncio.run(check_endpoint(endpoint, ("*",), ()))


@pytest.mark.parametrize(
    ("endpoint", "services", "fits"),
    [
        ("https://fcm.googleapis.com/fcm/send/x", PUSH_SERVICES, True),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", PUSH_SERVICES, True),
        ("https://web.push.apple.com/x", PUSH_SERVICES, True),
        ("https://db5p.notify.windows.com/w/?token=x", PUSH_SERVICES, True),
        ("https://fcm.googleapis.com:443/x", PUSH_SERVICES, True),
        ("https://fcm.googleapis.com:8443/x", PUSH_SERVICES, False),
        ("https://fcm.googleapis.com.evil.example/x", PUSH_SERVICES, False),
        ("https://evilnotify.windows.com/x", PUSH_SERVICES, False),
        ("https://push.example/x", PUSH_SERVICES, False),
        ("https://8.8.8.8/x", PUSH_SERVICES, False),
        ("https://push.example/x", ("*",), True),
        ("https://push.example:8443/x", ("*",), False),
        ("https://push.example:8443/x", ("push.example:8443",), True),
    ],
)
def test_only_known_push_services_are_allowed_and_only_at_port_443(
    endpoint: str, services: tuple[str, ...], fits: bool
) -> None:
    if fits:
        check_service(endpoint, services, ())
    else:
        with pytest.raises(BadEndpoint, match="push_services"):
            check_service(endpoint, services, ())


def test_configured_private_network_is_allowed() -> None:
    asyncio.run(check_endpoint("http://127.0.0.1:9/x", (), HERE))
    asyncio.run(check_endpoint("https://8.8.8.8/x", ("*",), ()))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_name_that_resolves_to_a_private_address_later_is_refused(tmp_path: Path, host: str) -> None:
    """The address was public when the browser subscribed; what counts is where the connection goes."""
    with PushService() as service:
        browser = service.browser(guest="ann")
        browser.endpoint = browser.endpoint.replace("127.0.0.1", host)

        port = service.origin.rpartition(":")[2]

        async def send(networks: tuple[str, ...]) -> str:
            key = VapidKey(b"a secret", "mailto:a@b.org", tmp_path / "vapid.pem")
            sender = PushSender(key, networks, [f"{host}:{port}"])
            try:
                return await sender.send(browser.row, b"{}")
            finally:
                await sender.close()

        assert asyncio.run(send(())) == "failed"
        assert browser.asked == 0
        assert asyncio.run(send((*HERE, "::1/128"))) == "sent"
