"""Where something came from: the file's name and fingerprint, as the audit trail keeps them."""

import hashlib
from dataclasses import dataclass
from typing import Any

from tournament.imports.names import printable

MOST_FILENAME = 80


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was taken: `digest` is its SHA-256, "" where it was not kept."""

    filename: str
    digest: str = ""

    def details(self) -> dict[str, Any]:
        """Return what an audit row says of it."""
        said = {"file": printable(self.filename)[:MOST_FILENAME]}
        return said | ({"digest": self.digest} if self.digest else {})


def source_of(data: bytes, filename: str) -> Source:
    """Return the source that a file is."""
    return Source(filename, hashlib.sha256(data).hexdigest())
