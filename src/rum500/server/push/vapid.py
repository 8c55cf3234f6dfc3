"""The key that identifies this server to push services (RFC 8292)."""

from __future__ import annotations

import base64
from functools import cached_property
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from py_vapid import Vapid

from rum500.server.config import ConfigError
from rum500.server.cookies import key_file


class VapidKey:
    """A key on the curve P-256, and the address at which push services can contact the operator."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, contact: str) -> None:
        self.contact = contact
        self._key = key

    @cached_property
    def signer(self) -> Vapid:
        """The key in the form for pywebpush."""
        return Vapid(self._key)

    @cached_property
    def public(self) -> str:
        """The public key in the form for browsers: an uncompressed point in base64url."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def vapid_key(file: Path, contact: str) -> VapidKey:
    """Return the key in the file. If the file does not exist, create it with a new key.

    Raises `ConfigError` if the file can be neither read nor created, or contains no key on P-256.
    """
    content = key_file(file, _new)
    try:
        key = load_pem_private_key(content, None)
    except ValueError:
        key = None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise ConfigError(f"data: {file} contains no key; remove it, and browsers have to be asked again")
    return VapidKey(key, contact)


def _new() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
