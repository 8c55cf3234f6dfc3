"""Requests that one server passes on to another by TLS, with a certificate of each."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from rum500.server.cluster.metrics import ClusterMetrics
from rum500.server.cluster.relay import Relay, tls_of
from rum500.server.config import Config, ConfigError
from rum500.store import ServedElsewhere
from tests.support.live_server import LiveServer
from tests.support.proxy import proxy

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="no openssl to make certificates with"
)


def certificate(folder: Path, name: str) -> Path:
    """A file with a certificate for this machine, which is its own authority, and the key."""
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj"
    command += f" /CN={name} -addext subjectAltName=DNS:localhost -keyout {name}.key -out {name}.pem"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    both = folder / name
    both.write_bytes((folder / f"{name}.key").read_bytes() + (folder / f"{name}.pem").read_bytes())
    return both


def test_server_behind_mutual_tls_answers_only_to_a_known_certificate(tmp_path: Path) -> None:
    own, other, stranger = (certificate(tmp_path, name) for name in ("own", "other", "stranger"))
    terminates = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    terminates.load_cert_chain(other)
    terminates.load_verify_locations(own)
    terminates.verify_mode = ssl.CERT_REQUIRED
    scope = {"client": ("203.0.113.7", 1), "scheme": "https", "raw_path": b"/healthz", "query_string": b""}
    scope["headers"] = [(b"host", b"cards.example.org")]

    def answered(port: int, **files: Path) -> int | None:
        """The status of the other server's answer; None if it cannot be reached."""
        tls = tls_of(Config(**{f"node_{key}": str(file) for key, file in files.items()}))
        relay = Relay(b"key", "http://own", lambda: 0, ClusterMetrics(CollectorRegistry()), tls)
        place = ServedElsewhere(f"https://localhost:{port}")
        answer = asyncio.run(relay.answer("GET", scope, b"", place))
        return None if answer is None else answer.status_code

    with LiveServer(tmp_path / "data") as server, proxy(server.port, tls=terminates) as port:
        assert answered(port, certificate=own, authority=other) == 200
        assert answered(port, authority=other) is None
        assert answered(port, certificate=stranger, authority=other) is None
        assert answered(port, certificate=own, authority=stranger) is None


@pytest.mark.parametrize("key", ["node_certificate", "node_authority"])
def test_certificate_that_cannot_be_read_is_named(tmp_path: Path, key: str) -> None:
    (tmp_path / "letter").write_text("dear ann")
    for file in ("letter", "missing"):
        with pytest.raises(ConfigError, match=f"{key}: .*{file}: .*; expected a PEM file that can be read"):
            tls_of(Config(**{key: str(tmp_path / file)}))
