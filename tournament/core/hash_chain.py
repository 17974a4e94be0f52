"""Hash chains: each row of a ledger or an audit trail carries the hash of the one before it. Pure."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def canonical(value: Any) -> str:
    """Return the canonical JSON of plain values: keys sorted, no spaces.

    >>> canonical({"b": 1, "a": [True, "東"]})
    '{"a":[true,"東"],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def genesis(chain: str) -> str:
    """Return the previous hash of a chain's first row: the hash of the chain's name."""
    return digest_of(chain)


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def checksum(value: Any) -> str:
    """Return the SHA-256 of plain values in canonical form."""
    return digest_of(canonical(value))


def link(previous: str, content: Mapping[str, Any]) -> str:
    """Return the hash of a row: SHA-256 over the hash before it and the row's own content."""
    return digest_of(f"{previous}\n{canonical(content)}")


def moment(at: datetime) -> str:
    """Return a moment as UTC text with microseconds, the same from every database.

    >>> moment(datetime(2026, 9, 12, 9, 30, tzinfo=UTC))
    '2026-09-12T09:30:00.000000Z'
    """
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
