"""Messages from a hall's desk to its relay: numbered, signed, and only as long as what has changed. Pure.

A state is what the public may see of an event, as plain values by key. A message makes a state of the one before it;
one that stands alone makes it of nothing.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import brotli

from tournament.hash_chain import canonical

State = dict[str, Any]
PURPOSE = "hanchan-desk relay 1"  # the desk's key signs records, too: no signature of the one passes for the other
QUALITY, QUICK = 11, 6
LONG = 300_000  # bytes: the best packing of more takes seconds


class BadMessageError(ValueError):
    """Bytes that are no message, or one that does not follow the state that is there."""


@dataclass(frozen=True, slots=True)
class Message:
    """A step from the state with the digest `base` ("" for none) to that with the digest `digest`."""

    number: int
    base: str
    digest: str
    changed: Mapping[str, Any]
    gone: tuple[str, ...]


def step(number: int, before: State, after: State) -> Message:
    """Return the message that makes one state of another.

    >>> step(2, {"a": 1, "b": 2}, {"b": 3}).changed, step(2, {"a": 1, "b": 2}, {"b": 3}).gone
    ({'b': 3}, ('a',))
    """
    changed = {key: value for key, value in after.items() if key not in before or before[key] != value}
    gone = tuple(sorted(before.keys() - after.keys()))
    return Message(number, digest_of(before) if before else "", digest_of(after), changed, gone)


def follow(message: Message, before: State) -> State:
    """Return the state that a message makes; raises BadMessageError where it does not follow the one before."""
    kept = before if message.base else {}
    if message.base and digest_of(before) != message.base:
        raise BadMessageError("another state came before")
    after = {key: value for key, value in kept.items() if key not in message.gone} | dict(message.changed)
    if digest_of(after) != message.digest:
        raise BadMessageError("its state is another one")
    return after


def digest_of(state: State) -> str:
    """Return the digest of a state."""
    return hashlib.sha256(canonical(state).encode()).hexdigest()


def pack(message: Message) -> bytes:
    """Return a message as bytes."""
    return pack_values([message.number, message.base, message.digest, message.changed, message.gone])


def unpack(body: bytes) -> Message:
    """Return the message of these bytes, which were proved to come from the hall; raises BadMessageError."""
    try:
        number, base, digest, changed, gone = unpack_values(body)
        return Message(int(number), str(base), str(digest), dict(changed), tuple(map(str, gone)))
    except (ValueError, TypeError, brotli.error) as wrong:
        raise BadMessageError("no message") from wrong


def pack_values(values: Any) -> bytes:
    """Return plain values packed.

    >>> unpack_values(pack_values({"b": 1, "a": [True, "東"]}))
    {'a': [True, '東'], 'b': 1}
    """
    text = canonical(values).encode()
    return bytes(brotli.compress(text, mode=brotli.MODE_TEXT, quality=QUICK if len(text) > LONG else QUALITY))


def unpack_values(packed: bytes) -> Any:
    """Return what `pack_values` packed."""
    return json.loads(brotli.decompress(packed))


def statement(slug: str, pairing: str, body: bytes) -> str:
    """Return the text that the hall's desk signs: what, for which event, since which pairing."""
    return "\n".join((PURPOSE, slug, pairing, hashlib.sha256(body).hexdigest()))
