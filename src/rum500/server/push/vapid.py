"""The key that identifies this server to push services (RFC 8292)."""

from __future__ import annotations

import base64
import secrets
import textwrap
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rum500.server.config import ConfigError
from rum500.server.cookies import key_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid

_BEGIN, _END = "-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----"
_PKCS8_P256 = bytes.fromhex("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420")
"""What precedes the 32 bytes of a private key on P-256 in the file (RFC 5958 and RFC 5915, in DER)."""
_KEYS = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256. Private keys are the numbers below it, from 1."""


class VapidKey:
    """A key on the curve P-256, and the address at which push services can contact the operator.

    The first use of the key imports `cryptography`, which takes time and 9 MB of memory: most servers at home
    never send a message.
    """

    def __init__(self, content: bytes, contact: str) -> None:
        """Set the key, in PEM."""
        self.contact = contact
        self._content = content

    @cached_property
    def _key(self) -> ec.EllipticCurvePrivateKey:
        """The key. Raises `ValueError` if the content is no key on P-256 without a password."""
        # Import here: see the class.
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

        try:
            key = load_pem_private_key(self._content, None)
        except (TypeError, UnsupportedAlgorithm) as error:
            raise ValueError(str(error)) from None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
            raise ValueError("the key is of another kind")
        return key

    @cached_property
    def signer(self) -> Vapid:
        """The key in the form for pywebpush."""
        from py_vapid import Vapid  # noqa: PLC0415 - see the class

        return Vapid(self._key)

    @cached_property
    def public(self) -> str:
        """The public key in the form for browsers: an uncompressed point in base64url."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415

        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    def check(self) -> None:
        """Raise `ValueError` if the content is no key on P-256. A key that `new_key` made is not parsed."""
        if not _is_new(self._content):
            _ = self._key


def vapid_key(file: Path, contact: str) -> VapidKey:
    """Return the key in the file. If the file does not exist, create it with a new key.

    Raises `ConfigError` if the file can be neither read nor created, or contains no key on P-256.
    """
    key = VapidKey(key_file(file, new_key), contact)
    try:
        key.check()
    except ValueError:
        raise ConfigError(
            f"data: {file} contains no key; remove it, and browsers have to be asked again"
        ) from None
    return key


def new_key() -> bytes:
    """Return a new private key on P-256, in PEM."""
    number = 1 + secrets.randbelow(_KEYS - 1)
    content = base64.b64encode(_PKCS8_P256 + number.to_bytes(32, "big")).decode()
    return "".join((_BEGIN, "\n".join(textwrap.wrap(content, 64)), _END)).encode()


def _is_new(content: bytes) -> bool:
    """Return whether `new_key` could have made this content."""
    text = content.decode("ascii", "replace")
    if not (text.startswith(_BEGIN) and text.endswith(_END)):
        return False
    try:
        key = base64.b64decode(text[len(_BEGIN) : -len(_END)].replace("\n", ""), validate=True)
    except ValueError:
        return False
    number = int.from_bytes(key[len(_PKCS8_P256) :], "big")
    return len(key) == len(_PKCS8_P256) + 32 and key.startswith(_PKCS8_P256) and 0 < number < _KEYS
