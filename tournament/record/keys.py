"""The desk's Ed25519 key, a file outside the database, and the keys of other desks that it trusts."""

import contextlib
import secrets
from collections.abc import Iterator
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

KEY = "record.key"
TRUSTED = "record.trusted"


def sign(statement: str) -> tuple[str, str]:
    """Sign a text with the desk's key, which is made at first use; return the public key and the signature in hex."""
    key = _own_key()
    return key.public_key().public_bytes_raw().hex(), key.sign(statement.encode()).hex()


def is_signed(statement: str, public_key: str, signature: str) -> bool:
    """Tell whether a text is signed with the key of this public key."""
    with contextlib.suppress(ValueError, InvalidSignature):
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(
            bytes.fromhex(signature), statement.encode()
        )
        return True
    return False


def trusted_keys() -> set[str]:
    """Return the public keys of this desk and of those it took events from; empty where it never signed nor took."""
    file = settings.DATA_DIR / TRUSTED
    known = set(file.read_text(encoding="ascii").split()) if file.exists() else set()
    if _file().exists():
        known.add(_own_key().public_key().public_bytes_raw().hex())
    return known


def trust(data: Path, keys: set[str]) -> None:
    """Note that the desk of a data directory took events that were signed with these keys."""
    file = data / TRUSTED
    known = set(file.read_text(encoding="ascii").split()) if file.exists() else set()
    if keys - known:
        _write(file, "".join(f"{key}\n" for key in sorted(known | keys)))


@contextlib.contextmanager
def own_key_in(stage: Path, data: Path) -> Iterator[None]:
    """Lend the key of a data directory to a desk in another folder; one that is made there first comes back."""
    lent, own = stage / KEY, data / KEY
    if own.exists():
        _write(lent, own.read_text(encoding="ascii"))
    yield
    if lent.exists() and not own.exists():
        _write(own, lent.read_text(encoding="ascii"))
    lent.unlink(missing_ok=True)


def _write(file: Path, text: str) -> None:
    file.touch(mode=0o600)
    file.write_text(text, encoding="ascii")


def _file() -> Path:
    return Path(settings.DATA_DIR / KEY)


def _own_key() -> Ed25519PrivateKey:
    file = _file()
    if not file.exists():
        made = Ed25519PrivateKey.generate().private_bytes_raw().hex()
        draft = file.with_name(f"{KEY}.{secrets.token_hex(8)}")
        _write(draft, made)
        try:
            file.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first
        except OSError:  # a file system without links, a USB stick say
            draft.replace(file)
        draft.unlink(missing_ok=True)
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(file.read_text(encoding="ascii").strip()))
