"""Messages for browsers' push services: sealed (RFC 8291) and signed by this desk (VAPID, RFC 8292). No network.

The service that carries a message can read neither it nor who it is for.
"""

import base64
import functools
import hashlib
import json
import os
import re
import struct
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve's group
RECORD = 4096
POINT, SECRET, SALT = 65, 16, 16  # bytes
LASTS = 12 * 3600  # seconds that a signature is good for; services take at most a day
# Browsers' own services: a message goes nowhere else, whatever address somebody sends. Host and path are printable
# ASCII, so that no part of sending can refuse them; \Z, because $ lets a line break pass.
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOSTS = (
    r"fcm\.googleapis\.com", r"updates\.push\.services\.mozilla\.com", r"web\.push\.apple\.com",
    rf"(?:{LABEL}\.){{1,2}}notify\.windows\.com",
)  # fmt: skip
SERVICE = re.compile(rf"https://(?:{'|'.join(HOSTS)})/[!-\"$-~]*\Z")


def is_service(endpoint: str) -> bool:
    """Tell whether an address is one at a browser's push service.

    >>> is_service("https://fcm.googleapis.com/fcm/send/x"), is_service("https://fcm.googleapis.com.example.org/")
    (True, False)
    """
    return SERVICE.match(endpoint) is not None


def as_text(data: bytes) -> str:
    """Return bytes as base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    """Return what `as_text` wrote; raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fits(key: str, secret: str) -> bool:
    """Tell whether these are a browser's key, a point of the curve, and its secret."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, as_bytes(key))
        return len(as_bytes(key)) == POINT and len(as_bytes(secret)) == SECRET
    except ValueError:
        return False


def seal(
    text: bytes, key: str, secret: str, *, salt: bytes = b"", own: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """Return a message that only the browser with this key can read; `salt` and `own` are random where not given."""
    salt, own = salt or os.urandom(SALT), own or ec.generate_private_key(CURVE)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, as_bytes(key))
    point = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    info = b"WebPush: info\0" + as_bytes(key) + point
    shared = _derive(own.exchange(ec.ECDH(), theirs), as_bytes(secret), info, 32)
    content_key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", RECORD, len(point)) + point
    return head + AESGCM(content_key).encrypt(nonce, text + b"\x02", None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


@functools.lru_cache(maxsize=2)
def _key_of(secret: str) -> ec.EllipticCurvePrivateKey:
    digest = hashlib.sha512(b"hanchan-desk push 1\0" + secret.encode()).digest()
    return ec.derive_private_key(int.from_bytes(digest, "big") % (ORDER - 1) + 1, CURVE)


def own_key() -> ec.EllipticCurvePrivateKey:
    """Return this desk's key, the same at all its workers: it follows from the secret key."""
    return _key_of(settings.SECRET_KEY)


def public_key() -> str:
    """Return the key that browsers are given when they ask to be told."""
    return as_text(own_key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def authorization(endpoint: str, now: float, contact: str) -> str:
    """Return the header by which a push service knows this desk; `contact` is an address of its operator."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + LASTS, "sub": contact}
    words = [{"typ": "JWT", "alg": "ES256"}, claims]
    signed = ".".join(as_text(json.dumps(each, separators=(",", ":")).encode()) for each in words)
    r, s = decode_dss_signature(own_key().sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={signed}.{as_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={public_key()}"
