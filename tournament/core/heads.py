"""The Merkle tree over an event's trail (RFC 6962, 2.1; RFC 9162, 2.1): roots, proofs, and the signed heads.

Leaves are the hashes of audit rows, 64 hexadecimal digits, as ASCII. A head is signed at a release, and at each later
act that changes what was released, in the transaction of that act.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.db import transaction

from tournament.core.hash_chain import moment
from tournament.core.models import AuditRow
from tournament.core.sealed_marks import SITE, Mark, Marks, change_marks
from tournament.core.signing_key import own_public_key, sign
from tournament.events.models import Event
from tournament.record.models import RecordHead


def root(leaves: Sequence[str]) -> str:
    """Return the root of a log.

    >>> root([])[:16]
    'e3b0c44298fc1c14'
    """
    return _root([_leaf(each) for each in leaves]).hex()


def roots(leaves: Sequence[str]) -> Iterator[str]:
    """Yield the root of the first leaf, of the first two, and so on.

    >>> list(roots(["a", "b", "c"]))[-1] == root(["a", "b", "c"])
    True
    """
    peaks: list[tuple[int, bytes]] = []  # whole subtrees by size, largest first
    for leaf in leaves:
        peaks.append((1, _leaf(leaf)))
        while len(peaks) > 1 and peaks[-1][0] == peaks[-2][0]:
            (size, right), (_size, left) = peaks.pop(), peaks.pop()
            peaks.append((2 * size, _node(left, right)))
        whole = peaks[-1][1]
        for _size, left in reversed(peaks[:-1]):
            whole = _node(left, whole)
        yield whole.hex()


def consistency_proof(leaves: Sequence[str], first: int) -> list[str]:
    """Return the proof that the log's first `first` leaves are the log of that size (RFC 9162, 2.1.4.1)."""
    return [each.hex() for each in _subproof([_leaf(each) for each in leaves], first, whole=True)]


def is_consistent(first: int, second: int, first_root: str, second_root: str, proof: Sequence[str]) -> bool:
    """Tell whether a proof shows that one log continues another (RFC 9162, 2.1.4.2).

    >>> is_consistent(2, 3, root(["a", "b"]), root(["a", "b", "c"]), consistency_proof(["a", "b", "c"], 2))
    True
    """
    if not 0 < first <= second:
        return False
    if first == second:
        return first_root == second_root and not proof
    path = [bytes.fromhex(each) for each in proof]
    if first & (first - 1) == 0:
        path.insert(0, bytes.fromhex(first_root))
    if not path:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for each in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = _node(each, old), _node(each, new)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            new = _node(new, each)
        at, last = at >> 1, last >> 1
    return last == 0 and (old.hex(), new.hex()) == (first_root, second_root)


def _leaf(text: str) -> bytes:
    return hashlib.sha256(b"\0" + text.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def _root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    split = _split(len(leaves))
    return _node(_root(leaves[:split]), _root(leaves[split:]))


def _split(size: int) -> int:
    """Return the largest power of two below a size of at least two."""
    return int(1 << (size - 1).bit_length() - 1)


def _subproof(leaves: Sequence[bytes], first: int, *, whole: bool) -> list[bytes]:
    if first == len(leaves):
        return [] if whole else [_root(leaves)]
    split = _split(len(leaves))
    left, right = leaves[:split], leaves[split:]
    if first <= split:
        return [*_subproof(left, first, whole=whole), _root(right)]
    return [*_subproof(right, first - split, whole=False), _root(left)]


def add_head(event: Event, at: datetime, round_: int = 0) -> RecordHead:
    """Sign the root over the trail of an event that the caller has locked; `round_` is the one released, 0 for none."""
    leaves = list(AuditRow.objects.filter(event=event).order_by("seq").values_list("hash", flat=True))
    head = RecordHead(event=event, size=len(leaves), root=root(leaves), round=round_, at=at)
    head.public_key, head.signature = sign(head.statement)
    head.save()
    pk, slug = event.pk, event.slug
    # after the commit: a file that says more than the database would be a fault that nobody made
    transaction.on_commit(lambda: note_sealed([(pk, slug)]), robust=True)
    return head


def note_sealed(events: Iterable[tuple[int, str]]) -> None:
    """Note outside the database how far these events (pk and slug) and the site's trail go.

    A trail that is not the one noted before keeps its old mark, by which `verify_ledger` finds it. A desk that has
    never signed notes nothing. Raises OSError and SealedFileError.
    """
    if not own_public_key(settings.DATA_DIR):
        return
    trails = [(pk, slug) for pk, slug in events]

    def noted(marks: Marks) -> Marks:
        for pk, slug in [(None, SITE), *trails]:
            now = mark_of(pk)
            known = marks.get(slug)
            if now.acts and (known is None or known.deleted or _continues(pk, known, now)):
                marks[slug] = now if known is None or known.deleted else _joined(known, now)
        return marks

    change_marks(settings.DATA_DIR, noted)


def note_deleted(slug: str, at: datetime) -> None:
    """Note outside the database that the desk deleted an event, after the commit."""

    def noted(marks: Marks) -> Marks:
        return {**marks, slug: replace(marks[slug], deleted=moment(at))} if slug in marks else marks

    def write() -> None:
        change_marks(settings.DATA_DIR, noted)
        note_sealed([])  # the site's trail, which says who deleted it

    transaction.on_commit(write, robust=True)


def mark_of(event: int | None) -> Mark:
    """Return how far the trail of an event, or the site's, goes in the database."""
    last = AuditRow.objects.filter(event=event).order_by("-seq").values_list("seq", "hash").first()
    heads = RecordHead.objects.filter(event=event).order_by("size").values_list("size", flat=True) if event else ()
    return Mark(*(last or (0, "")), tuple(heads))


def _continues(event: int | None, known: Mark, now: Mark) -> bool:
    if now.acts < known.acts:
        return False
    return AuditRow.objects.filter(event=event, seq=known.acts, hash=known.hash).exists()


def _joined(known: Mark, now: Mark) -> Mark:
    """Return the present mark with the heads that were noted before: one that was deleted since is not forgotten."""
    return replace(now, heads=tuple(sorted({*known.heads, *now.heads})))
