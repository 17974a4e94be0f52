"""Messages from a hall's desk to its relay: numbered, signed, and only as long as what has changed. Pure.

A state is what the public may see of an event, as plain values by key. A message makes a state of the one before it;
one that stands alone makes it of nothing.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import brotli

from tournament.core.hash_chain import canonical, checksum

State = dict[str, Any]
PURPOSE = "hanchan-desk relay 1"  # the desk's key signs records, too: no signature of the one passes for the other
QUALITY, QUICK = 11, 6
LONG = 300_000  # bytes: the best packing of more takes seconds
MAX_STATE = 10 * 2**20  # bytes of a state or a message, unpacked
MAX_OBJECTS = 500_000  # lists and objects in it: each takes 60 bytes of memory
MAX_ADDRESS = 180
_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?(/[^\s<>\"'\\?#]*)?", re.IGNORECASE)


class BadMessageError(ValueError):
    """Bytes that are no message, or one that does not follow the state that is there."""


class TooLargeError(BadMessageError):
    """A message or a state of more than MAX_STATE."""


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
    return Message(number, checksum(before) if before else "", checksum(after), changed, gone)


def follow(message: Message, before: State) -> State:
    """Return the state that a message makes; raises BadMessageError where it does not follow the one before.

    TooLargeError where the state could not be unpacked again.
    """
    kept = before if message.base else {}
    if message.base and checksum(before) != message.base:
        raise BadMessageError("another state came before")
    after = {key: value for key, value in kept.items() if key not in message.gone} | dict(message.changed)
    text = canonical(after).encode()
    _check_size(text)
    if hashlib.sha256(text).hexdigest() != message.digest:
        raise BadMessageError("its state is another one")
    return after


def pack(message: Message) -> bytes:
    """Return a message as bytes."""
    return pack_values([message.number, message.base, message.digest, message.changed, message.gone])


def unpack(body: bytes) -> Message:
    """Return the message of these bytes, which were proved to come from the hall.

    Raises BadMessageError, TooLargeError for one that unpacks to more than MAX_STATE.
    """
    try:
        number, base, digest, changed, gone = unpack_values(body)
        return Message(int(number), str(base), str(digest), dict(changed), tuple(map(str, gone)))
    except BadMessageError:
        raise
    except (ValueError, TypeError, RecursionError, brotli.error) as wrong:
        raise BadMessageError("no message") from wrong


def pack_values(values: Any) -> bytes:
    """Return plain values packed.

    >>> unpack_values(pack_values({"b": 1, "a": [True, "東"]}))
    {'a': [True, '東'], 'b': 1}
    """
    text = canonical(values).encode()
    return bytes(brotli.compress(text, mode=brotli.MODE_TEXT, quality=QUICK if len(text) > LONG else QUALITY))


def unpack_values(packed: bytes) -> Any:
    """Return what `pack_values` packed; raises TooLargeError before more than MAX_STATE is unpacked."""
    reader, text = brotli.Decompressor(), bytearray()
    piece = packed
    while not reader.is_finished():
        unpacked = reader.process(piece, output_buffer_limit=MAX_STATE + 1 - len(text))
        text += unpacked
        if len(text) > MAX_STATE:
            raise TooLargeError("it unpacks to too much")
        if reader.can_accept_more_data() and not unpacked:
            raise BadMessageError("it is cut short")
        piece = b""
    _check_size(text)
    return json.loads(text)


def _check_size(text: bytes | bytearray) -> None:
    if len(text) > MAX_STATE or text.count(b"[") + text.count(b"{") > MAX_OBJECTS:
        raise TooLargeError("it is too large")


def is_address(text: object) -> bool:
    """Tell whether it is the address of a desk or a relay: http or https, a host, perhaps a port and a path.

    >>> is_address("http://192.168.1.5:8000/"), is_address("javascript:alert(1)//"), is_address("https://a@b/")
    (True, False, False)
    """
    found = _ADDRESS.fullmatch(text) if isinstance(text, str) and len(text) <= MAX_ADDRESS else None
    return found is not None and 0 < int((found[2] or ":1")[1:]) < 2**16


def statement(slug: str, pairing: str, body: bytes) -> str:
    """Return the text that the hall's desk signs: what, for which event, since which pairing."""
    return "\n".join((PURPOSE, slug, pairing, hashlib.sha256(body).hexdigest()))
