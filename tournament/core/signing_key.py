"""The desk's Ed25519 key, a file outside the database, and the keys of other desks that it trusts."""

import contextlib
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

KEY = "record.key"
TRUSTED = "record.trusted"
EVERY = "*"  # instead of an event: a desk of the operator's own
Signed = Mapping[tuple[str, str], int]  # how many acts of an event a key may sign, by key and slug


@dataclass(frozen=True, slots=True)
class TrustedKeys:
    """The keys that this desk knows: those for every event, and others for the first acts of one event.

    `older` are keys that earlier programs noted without an event; `migrate` binds them to what they have signed.
    """

    every: frozenset[str] = frozenset()
    bound: Signed = field(default_factory=dict)
    older: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether any key is known: a desk that never signed nor took an event knows none."""
        return bool(self.every or self.bound or self.older)

    def may_sign(self, key: str, slug: str, acts: int) -> bool:
        """Tell whether a key may have signed a head of an event of that size."""
        return key in self.every or key in self.older or acts <= self.bound.get((key, slug), 0)


def sign(statement: str, data: Path | None = None) -> tuple[str, str]:
    """Sign a text with the desk's key, which is made at first use; return the public key and the signature in hex."""
    key = _own_key(data or settings.DATA_DIR)
    return key.public_key().public_bytes_raw().hex(), key.sign(statement.encode()).hex()


def is_signed(statement: str, public_key: str, signature: str) -> bool:
    """Tell whether a text is signed with the key of this public key."""
    with contextlib.suppress(ValueError, InvalidSignature):
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(
            bytes.fromhex(signature), statement.encode()
        )
        return True
    return False


def own_public_key(data: Path) -> str:
    """Return the public key of the desk of a data directory, "" where it has none yet."""
    return _own_key(data).public_key().public_bytes_raw().hex() if (data / KEY).exists() else ""


def trusted_keys() -> TrustedKeys:
    """Return the keys that may sign here: this desk's for every event, and those that `record.trusted` lists."""
    listed = _read(settings.DATA_DIR)
    own = own_public_key(settings.DATA_DIR)
    return TrustedKeys(listed.every | {own} if own else listed.every, listed.bound, listed.older)


def trust(data: Path, signed: Signed) -> None:
    """Note that the desk of a data directory took events of which these keys signed so many acts; `EVERY` for all."""
    known = _read(data)
    every = known.every | {key for key, slug in signed if slug == EVERY}
    bound = dict(known.bound)
    for (key, slug), acts in signed.items():
        if slug != EVERY:
            bound[key, slug] = max(acts, bound.get((key, slug), 0))
    if (every, bound) != (known.every, known.bound):
        _write_trusted(data, TrustedKeys(every, bound, known.older))


def bind_older(data: Path, signed: Signed) -> None:
    """Bind keys that an earlier program noted without an event to the heads that they have signed until now."""
    known = _read(data)
    if known.older:
        trust(data, {place: acts for place, acts in signed.items() if place[0] in known.older})
        bound = _read(data)
        _write_trusted(data, TrustedKeys(bound.every, bound.bound))


def _read(data: Path) -> TrustedKeys:
    file = data / TRUSTED
    lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()] if file.exists() else []
    return TrustedKeys(
        frozenset(line[0] for line in lines if line[1:] == [EVERY]),
        {(line[0], line[1]): int(line[2]) for line in lines if len(line) == 3 and line[2].isdecimal()},
        frozenset(line[0] for line in lines if len(line) == 1),
    )


def _write_trusted(data: Path, known: TrustedKeys) -> None:
    lines = [*known.older, *(f"{key} {EVERY}" for key in known.every)]
    lines += [f"{key} {slug} {acts}" for (key, slug), acts in known.bound.items()]
    _write(data / TRUSTED, "".join(f"{line}\n" for line in sorted(lines)))


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


def _own_key(data: Path) -> Ed25519PrivateKey:
    file = data / KEY
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
