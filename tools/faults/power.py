"""What is on the disk after a power cut: all that was synced, and of what came after any part, torn within a sector."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.faults.disk import RECORD, SECTOR

Record = tuple[bytes, str, int, bytes]


@dataclass
class Image:
    """A file: what is certainly there, and what was written or cut off since, in order."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[tuple[bytes, int, bytes]] = field(default_factory=list)

    def apply(self, what: bytes, number: int, data: bytes) -> None:
        """Write at an offset, or cut off at a size."""
        if what == b"T":
            del self.synced[number:]
            return
        self.synced.extend(bytes(max(0, number - len(self.synced))))
        self.synced[number : number + len(data)] = data

    def sync(self) -> None:
        """Make certain what is pending."""
        for each in self.pending:
            self.apply(*each)
        self.pending = []

    def lose_power(self, chance: random.Random) -> None:
        """Keep, lose or tear each pending write; writes reach a disk in any order."""
        for what, number, data in self.pending:
            fate = chance.choice(("kept", "kept", "lost", "torn"))
            if fate == "lost":
                continue
            kept = data[: chance.randrange(0, len(data) + 1, SECTOR)] if fate == "torn" and data else data
            self.apply(what, number, kept)
        self.pending = []


def read_log(log: bytes) -> Iterator[Record]:
    """Yield what the disk wrote down, in order; a record cut off at the end is none."""
    at = 0
    while at + RECORD.size <= len(log):
        what, name, number, size = RECORD.unpack_from(log, at)
        at += RECORD.size
        if at + name + size > len(log):
            return
        yield what, log[at : at + name].decode(), number, log[at + name : at + name + size]
        at += name + size


def _begun(records: list[Record]) -> int:
    """Return where the write-ahead log was begun last, and synced."""
    new = [at for at, each in enumerate(records) if not each[1].endswith("-wal") or (each[0], each[2]) == (b"W", 0)]
    last = new[-1] if new else -1
    return next((at for at in range(last + 1, len(records)) if records[at][0] == b"S"), len(records))


def after_the_cut(
    before: dict[str, bytes], log: bytes, chance: random.Random, *, lying: bool = False
) -> dict[str, bytes]:
    """Return name and content of each file after a cut, from those that were there when the log began.

    With `lying` the disk has only said that it synced the last commits: those in the write-ahead log since it was begun
    last. Where a disk lies about the database or the log's first page, SQLite promises nothing.
    """
    records = list(read_log(log))
    images = {name: Image(bytearray(data)) for name, data in before.items()}
    for at, (what, name, number, data) in enumerate(records):
        if lying and what == b"S" and at > _begun(records):
            continue
        if what == b"D":
            images.pop(name, None)
            continue
        image = images.setdefault(name, Image())
        if what == b"S":
            image.sync()
        else:
            image.pending.append((what, number, data))
    for image in images.values():
        image.lose_power(chance)
    return {name: bytes(image.synced) for name, image in images.items()}
