"""The key that identifies this server to push services (RFC 8292)."""

from __future__ import annotations

import base64
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rum500.server.config import ConfigError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid

_PURPOSE = b"rum500.vapid"
_BYTES = 48
"""The bytes derived for a private key: 128 bits more than it has, against bias (FIPS 186-5, A.2.1)."""
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of P-256. Private keys are the numbers below it, from 1."""


class VapidKey:
    """A key on the curve P-256, and the address at which push services can contact the operator.

    The key is derived from the secret key of the server, so that all servers of a database have the same. A
    key in `file` takes precedence: one of the operator, or of an earlier version.

    The first use of the key imports `cryptography`, which takes time and 9 MB of memory: most servers at home
    never send a message. Then a `file` without a key raises `ConfigError`.
    """

    def __init__(self, secret: bytes, contact: str, file: Path) -> None:
        self.contact = contact
        self._secret = secret
        self._file = file

    @cached_property
    def _key(self) -> ec.EllipticCurvePrivateKey:
        try:
            return _parsed(self._file.read_bytes())
        except FileNotFoundError:
            return _derived(self._secret)
        except OSError as error:
            raise ConfigError(f"data: {self._file}: {error.strerror or error}") from None
        except ValueError:
            raise ConfigError(
                f"data: {self._file} contains no key on P-256; remove it, and browsers subscribe again"
            ) from None

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


def _parsed(content: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the key in a PEM text. Raises `ValueError` if it is no key on P-256 without a password."""
    # Import here: see the class.
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import load_pem_private_key  # noqa: PLC0415

    try:
        key = load_pem_private_key(content, None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(str(error)) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.curve.name != "secp256r1":
        raise ValueError("the key is of another kind")
    return key


def _derived(secret: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the private key that follows from a secret."""
    # Import here: see the class.
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

    number = int.from_bytes(HKDF(SHA256(), _BYTES, None, _PURPOSE).derive(secret), "big")
    return ec.derive_private_key(1 + number % (_ORDER - 1), ec.SECP256R1())
